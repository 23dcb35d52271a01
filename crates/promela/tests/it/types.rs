//! Names and types.

use crate::run::{check, model};
use promela::typed::{Initial, ProcessKind, StmtKind, Type, Typed, VariableId};

fn variable<'a>(model: &'a Typed, name: &str) -> (VariableId, &'a promela::typed::Variable) {
    let at = model
        .variables
        .iter()
        .position(|v| &*v.name.text == name)
        .expect("a variable");
    (VariableId::new(at), &model.variables[at])
}

fn signature(model: &Typed, name: &str) -> Option<Vec<Type>> {
    let (id, _) = variable(model, name);
    model.signatures[id.index()]
        .as_ref()
        .map(|s| s.fields.clone())
}

#[track_caller]
fn refused(text: &str, expected: &[&str]) {
    assert_eq!(check(text).errors, expected, "{text}");
}

/// One error with this message, wherever it is.
#[track_caller]
fn refused_once(text: &str, expected: &str) {
    let errors = check(text).errors;
    let messages: Vec<_> = errors
        .iter()
        .filter_map(|e| e.splitn(3, ':').nth(2))
        .collect();
    assert_eq!(messages, [format!(" {expected}")], "{text}");
}

#[track_caller]
fn warned(text: &str, expected: &[&str]) {
    let said = check(text);
    assert_eq!(
        (said.errors.len(), said.warnings.as_slice()),
        (0, &own(expected)[..]),
        "{text}"
    );
}

fn own(all: &[&str]) -> Vec<String> {
    all.iter().map(|s| (*s).to_owned()).collect()
}

#[test]
fn the_last_name_of_an_mtype_is_1() {
    let model = model("mtype = { a, b, c }; mtype:x = { p q }; mtype = { d, e }; init { skip }");
    let names = |i: usize| {
        model.sets[i]
            .names
            .iter()
            .map(|n| &*n.text)
            .collect::<Vec<_>>()
    };
    assert_eq!(names(0), ["c", "b", "a", "e", "d"]);
    assert_eq!(names(1), ["q", "p"]);
}

#[test]
fn values_are_cut_to_their_types() {
    let cut = |kind: Type, value: i32| kind.store(value);
    assert_eq!(
        (cut(Type::Bit, 3), cut(Type::Byte, 300), cut(Type::Byte, -1)),
        (1, 44, 255)
    );
    assert_eq!(
        (cut(Type::Short, 40_000), cut(Type::Int, -7)),
        (-25_536, -7)
    );
    assert_eq!(
        (cut(Type::Unsigned(3), 9), cut(Type::Unsigned(31), -1)),
        (1, i32::MAX)
    );
}

#[test]
fn channels_that_say_nothing_learn_from_their_uses() {
    let text = "chan a = [1] of {chan}; chan b = [1] of {byte, int};\n\
                proctype P(chan p) { chan c; a?c; c!3,4; p!1 }\n\
                chan unused, q = [2] of {bool};\n\
                init { a!b; run P(q) }";
    let model = model(text);
    assert_eq!(signature(&model, "c"), Some(vec![Type::Byte, Type::Int]));
    assert_eq!(signature(&model, "p"), Some(vec![Type::Bool]));
    assert_eq!(signature(&model, "a"), Some(vec![Type::Chan]));
    assert_eq!(signature(&model, "unused"), None);
}

#[test]
fn a_channel_may_be_sent_over_itself() {
    let model = model("chan a = [1] of {chan}; init { chan b; a!a; a?b; b!b; b = a }");
    assert_eq!(signature(&model, "b"), Some(vec![Type::Chan]));
}

#[test]
fn clashes_between_channels_are_warnings() {
    let two = "chan a = [1] of {byte}; chan b = [1] of {byte, int};\n";
    let with = |body: &str| format!("{two}init {{ chan c; {body} }}");
    warned(
        &with("a!1,2"),
        &["2:16: the messages of this channel have 1 fields, here are 2"],
    );
    warned(
        &with("c = a; c = b"),
        &["2:27: channels with messages of 1 and of 2 fields meet here"],
    );
    warned(&with("a!b"), &["2:16: a channel meets a number here"]);
    warned(
        &with("a == 1"),
        &["2:16: this computes with the number of a channel"],
    );
    warned(
        &with("byte x; x = a"),
        &["2:28: this is a channel, but stored as a number"],
    );
    warned(
        &with("a!300"),
        &["2:18: 300 does not fit; 44 is what is left of it"],
    );
}

#[test]
fn records_in_messages_are_spread() {
    let text = "typedef T { byte a; bool b[2] }; typedef U { T t; int c };\n\
                chan q = [1] of {U, byte}; U u; proctype P(U v) { q?v, _ }\n\
                init { q!u, 3; run P(u) }";
    let model = model(text);
    let expected = [Type::Byte, Type::Bool, Type::Bool, Type::Int, Type::Byte];
    assert_eq!(signature(&model, "q"), Some(expected.to_vec()));
    let init = model
        .processes
        .iter()
        .find(|p| p.kind == ProcessKind::Init)
        .expect("init");
    let StmtKind::Send(send) = &init.body.statements[0].kind else {
        panic!("a send")
    };
    assert_eq!(send.fields.len(), 5);
}

#[test]
fn declarations_after_the_first_statement_are_steps() {
    let body = "byte a = 1; xr q; byte b; b = 2; byte c = 3; { byte d; d = 4 }";
    let model = model(&format!("chan q; init {{ {body} }}"));
    let body = &model.processes[0].body;
    let steps = |s: &promela::typed::Sequence| {
        let all = s
            .statements
            .iter()
            .filter(|s| matches!(s.kind, StmtKind::Initialise(_)));
        all.count()
    };
    assert_eq!(steps(body), 1, "c only");
    let inner = body.statements.iter().find_map(|s| match &s.kind {
        StmtKind::Block(inner) => Some(steps(inner)),
        _ => None,
    });
    assert_eq!(inner, Some(1));
    assert!(matches!(variable(&model, "a").1.initial, Initial::Value(_)));
}

#[test]
fn blocks_are_scopes_but_hide_nothing() {
    assert_eq!(
        check("init { { byte x; x = 1 }; { byte x; x = 2 } }").errors,
        [""; 0]
    );
    refused(
        "init { byte x; { byte x; x = 1 } }",
        &["1:23: `x` is declared already"],
    );
    refused(
        "byte x; init { byte x }",
        &["1:21: `x` is declared already"],
    );
    refused(
        "init { { byte x; x = 1 }; x = 2 }",
        &["1:27: `x` is not declared"],
    );
    refused("init { byte x = 1, y = x }", &["1:24: `x` is not declared"]);
}

#[test]
fn jumps_find_their_labels() {
    let text =
        "init { skip; L: skip; { skip; L: skip; goto L }; goto L; { skip; M: skip }; goto M }";
    let model = model(text);
    let process = &model.processes[0];
    let mut targets = Vec::new();
    for statement in &process.body.statements {
        match &statement.kind {
            StmtKind::Goto(_, target) => targets.push(target.expect("a label").index()),
            StmtKind::Block(inner) => {
                for statement in &inner.statements {
                    if let StmtKind::Goto(_, target) = &statement.kind {
                        targets.push(target.expect("a label").index());
                    }
                }
            }
            _ => {}
        }
    }
    assert_eq!(targets, [1, 0, 2]);
}

#[test]
fn remote_references_are_looked_up_at_the_end() {
    let model = model(
        "active proctype P() { byte x; L: x = 1; P:y == 1; byte y } \
         active proctype Q() { M: skip; P[0]@L; P:x == 2 }",
    );
    assert!(
        model.remotes.iter().all(|r| r.variable.is_some()),
        "{:?}",
        model.remotes
    );
    refused(
        "active proctype P() { skip } active proctype Q() { P@L; P:z == 1 }",
        &[
            "1:54: `P` has no label `L`",
            "1:59: `P` has no variable `z`",
        ],
    );
}

#[test]
fn select_takes_the_form_that_its_text_has() {
    let text = "inline f(a) { select (a : 1 .. 3) }\n#define N 3\n\
                init { byte x, x_1; select (x : 1 .. N); select (x_1 : 1 .. 3); f(x);\n\
                select (x : 1 .. 40); select (x : x .. 3) }";
    let model = model(text);
    let mut forms = Vec::new();
    for statement in &model.processes[0].body.statements {
        let inner = match &statement.kind {
            StmtKind::Block(inner) => &inner.statements[0],
            _ => statement,
        };
        if let StmtKind::Select(form, ..) = inner.kind {
            forms.push(form == promela::ast::SelectForm::Options);
        }
    }
    assert_eq!(forms, [true, false, false, false, false]);
    let empty = "1:28: the range from 3 to 1 is empty";
    refused("init { byte x; select (x : 3 .. 1) }", &[empty]);
    refused("init { byte x_; for   (x_: 3 .. 1) { skip } }", &[empty]);
    assert_eq!(
        check("init { int x; for (x : -1 .. -3) { skip } }").errors,
        [""; 0]
    );
}

#[test]
fn types_that_do_not_fit_are_warnings() {
    let c = "chan c = [1] of {byte}; chan d = [1] of {bool}; mtype = {m};\n";
    let with = |body: &str| format!("{c}init {{ chan e; byte a[3]; int x; {body} }}");
    warned(&with("a[c] = 1"), &["2:36: a channel is used as an index"]);
    warned(
        &with("x = 3 + m"),
        &["2:38: this computes with the number of a name"],
    );
    warned(
        &with("x = ~m"),
        &["2:38: this computes with the number of a name or channel"],
    );
    warned(&with("c -> x = 1"), &["2:34: a channel is no condition"]);
    let name = |column: u32| {
        format!("2:{column}: a name of an `mtype` is no condition: it is always true")
    };
    warned(&with("x > 1 || !m"), &[&name(44)]);
    warned(&with("if :: m -> skip :: else fi"), &[&name(40)]);
    let never = "2:41: 4000 is never received: the field cannot hold it";
    warned(&with("c?eval(4000)"), &[never]);
    let meet = "2:45: channels with messages of different types meet here";
    warned(&with("e = c; e = d"), &[meet]);
    warned(
        "proctype P(bit b) { skip } init { run P(3) }",
        &["1:41: 3 does not fit; 1 is what is left of it"],
    );
    warned(
        "inline f(a, a) { skip } init { f(1, 2) }",
        &["1:13: the parameter `a` is there twice"],
    );
}

#[test]
fn oddities_are_warnings() {
    warned(
        "byte x = 300; init { x = -1 }",
        &[
            "1:10: 300 does not fit; 44 is what is left of it",
            "1:26: -1 does not fit; 255 is what is left of it",
        ],
    );
    warned(
        "init { skip } init { skip }",
        &["1:15: there is a second `init`"],
    );
    warned(
        "byte a[3]; init { a[3] = 1 }",
        &["1:21: the index 3 is outside of 0 to 2"],
    );
    warned(
        "byte n = 3; byte a[n]; init { skip }",
        &["1:20: a variable stands for a constant here: `n` counts as 3"],
    );
    warned(
        "init { printf(\"%d %d\\n\", 1) }",
        &["1:8: the format asks for 2 values, here are 1"],
    );
    warned(
        "init { int x = 99999999999; x = 0 }",
        &["1:16: `99999999999` does not fit into 32 bits"],
    );
}

#[test]
fn a_trace_can_leave_fields_of_sends_open() {
    let head = "chan c = [1] of { byte, byte };";
    let init = "init { c!1,2; c?_,_ }";
    for word in ["trace", "notrace"] {
        warned(&format!("{head} {word} {{ c!1,_; c?_,_ }} {init}"), &[]);
    }
    let unread = "`_` has no value; it can be written to only";
    refused_once(&format!("{head} init {{ c!1,_ }}"), unread);
    refused_once(&format!("{head} trace {{ c!1,_ + 1 }} {init}"), unread);
}

#[test]
fn channels_are_no_operands_of_assignments() {
    let no = "a channel cannot be computed with in an assignment";
    let text = |statement: &str| {
        format!(
            "typedef T {{ chan q; byte r[2] }}; T t; chan c = [1] of {{ byte }};
             chan b[2] = [1] of {{ byte }}; byte d; byte a[9];
             init {{ {statement} }}"
        )
    };
    for bad in [
        "d = c + 1",
        "d = 1 + c",
        "d = !c",
        "d = b[0] + 1",
        "d = a[c + 1]",
        "d = (c == b[1])",
        "c = (d -> b[0] : b[1])",
        "byte x = -c",
        "d = d && c",
    ] {
        refused_once(&text(bad), no);
    }
    for good in [
        "d = c",
        "d = 2 + a[c]",
        "d = t.q + 1",
        "d = len(b[0 + c]) + 1",
        "d = b[0]?[1] + 1",
        "a[c + 1] = 2",
        "t.r[0] = c + 1",
        "c == b[0]",
    ] {
        assert_eq!(check(&text(good)).errors, [""; 0], "{good}");
    }
}

#[test]
fn what_spin_refuses_inside_d_step() {
    let p = "proctype p() { A: skip }";
    let run = "`run` cannot stand in a `d_step`";
    refused_once(&format!("{p} init {{ d_step {{ skip; run p() }} }}"), run);
    refused_once(
        &format!("{p} init {{ pid x; d_step {{ x = run p() }} }}"),
        run,
    );
    refused_once(
        &format!("{p} init {{ d_step {{ p@A -> skip }} }}"),
        "a question about a label cannot stand in a `d_step`",
    );
    let other = "a variable of another process cannot stand in a `d_step`";
    let q = "byte x; active proctype q() { byte y; y = 1 }";
    for test in ["x == q:y", "assert(q:y == 0)", "printf(\"%d\", q[0]:y)"] {
        refused_once(&format!("{q} init {{ d_step {{ x = 0; {test} }} }}"), other);
    }
    warned(&format!("{q} init {{ d_step {{ x = q:y; x = 0 }} }}"), &[]);
    let escape = "`unless` cannot stand in a `d_step`";
    refused_once("init { d_step { skip unless skip } }", escape);
    let ignored = "`unless` is ignored in a `d_step`: nothing interrupts it";
    warned(
        "init { d_step { { skip unless skip } } }",
        &[&format!("1:19: {ignored}")],
    );
    warned(
        "init { d_step { if :: skip unless skip fi } }",
        &[&format!("1:23: {ignored}")],
    );
    warned("init { { d_step { skip } } unless skip }", &[]);
    let good =
        format!("{p} init {{ atomic {{ run p(); p@A }}; {{ d_step {{ skip }} }} unless skip }}");
    assert_eq!(check(&good).errors, [""; 0]);
}

#[test]
fn a_never_claim_has_no_variables() {
    let no = "a never claim cannot have variables";
    refused_once("never { byte x; x == 0 } init { skip }", no);
    warned("byte x; never { x == 1 } init { skip }", &[]);
}

#[test]
fn receiving_more_fields_than_any_channel_has_is_left_to_the_run() {
    for receive in ["c?x,y", "c?[x,y]", "c??x,1", "d?x"] {
        let text = format!("chan c = [1] of {{ byte }}; chan d; int x, y; init {{ {receive} }}");
        assert_eq!(check(&text).errors, [""; 0], "{text}");
    }
    refused_once(
        "chan c = [1] of { byte }; init { c!1,2 }",
        "no channel of this model carries 2 fields; the most is 1",
    );
}

#[test]
fn a_choice_in_a_formula_is_made_in_one_state() {
    let text = "bool p; byte n; ltl { [] ((p -> n : 3) < 4) } active proctype a() { skip }";
    assert_eq!(check(text).errors, [] as [&str; 0]);
    refused_once(
        "bool p; ltl { (p -> [] p : p) } active proctype a() { skip }",
        "a temporal operator has no number as its value",
    );
}
