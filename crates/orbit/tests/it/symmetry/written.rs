//! Whole models in the varied spellings of engineers: the group and the number of orbits of each.
//!
//! The numbers of orbits were worked out on the state graphs, without the text. Each model is also
//! searched with symmetry and without under all settings. Beside them stand models that look like
//! them and have less symmetry.

use crate::command::json;
use crate::counts::compile;
use crate::counts::symmetry::all_wrong;

/// A model has a group of this order, and so many orbits; searches with it and without agree.
#[track_caller]
fn has(text: &str, order: &str, n_orbits: u64) {
    let told = json("check - -E -e", text.as_bytes());
    assert_eq!(told["symmetry"]["group_order"], order, "{text}");
    assert_eq!(told["counts"]["states"], n_orbits, "{text}");
    let compiled = compile(text, &[]).unwrap_or_else(|why| panic!("{why}\n{text}"));
    let mut wrong = Vec::new();
    all_wrong(text, &compiled, &mut wrong);
    assert!(wrong.is_empty(), "{}\n{text}", wrong.join("\n"));
}

/// A coordinator that is there before those who vote.
const TWO_PHASE: &str = "
    mtype = { PREPARE, YES, NO, COMMIT, ABORT };
    chan toP[N] = [1] of { mtype };
    chan toC = [N] of { mtype, byte };
    byte state[N];
    active proctype coordinator() {
        byte i, yes, no, who; bool voted[N];
        atomic { i = 0; do :: i == N -> break :: else -> toP[i]!PREPARE; i++ od; i = 0 }
        do
        :: yes + no == N -> break
        :: atomic { toC?YES(who) -> yes++; voted[who] = true; who = 0 }
        :: atomic { toC?NO(who) -> no++; voted[who] = true; who = 0 }
        od;
        if
        :: no == 0 -> atomic { for (i : 0 .. N-1) { toP[i]!COMMIT } i = 0 }
        :: else -> atomic { i = 0; do :: i == N -> break :: else -> toP[i]!ABORT; i++ od; i = 0 }
        fi
    }
    proctype participant(byte id) {
        toP[id]?PREPARE;
        if :: state[id] = 1; toC!YES(id) :: state[id] = 3; toC!NO(id) fi;
        if
        :: toP[id]?COMMIT -> assert(state[id] == 1); state[id] = 2
        :: toP[id]?ABORT -> assert(state[id] != 2); state[id] = 3
        fi
    }
    init { atomic { byte i; for (i : 0 .. N-1) { run participant(i) } } }";

#[test]
fn who_is_there_before_the_others_costs_no_symmetry() {
    has(&format!("#define N 2\n{TWO_PHASE}"), "2", 75);
    has(&format!("#define N 3\n{TWO_PHASE}"), "6", 231);
    let boss = "
        bool on[3]; byte x;
        active proctype boss() { do :: x = 1 - x od }
        proctype w(byte k) { do :: !on[k] -> on[k] = 1 :: on[k] -> on[k] = 0 od }";
    for making in [
        "init { atomic { run w(0); run w(1); run w(2) } }",
        "init { byte i; atomic { for (i : 0 .. 2) { run w(i) } } }",
        "init { byte i; for (i : 0 .. 2) { run w(i) } }",
        "init { byte i = 3; do :: i > 0 -> i--; run w(i) :: else -> break od }",
    ] {
        let told = json("symmetry -", format!("{boss}{making}").as_bytes());
        assert_eq!(told["group_order"], "6", "{making}");
    }
    has(
        &format!("{boss} init {{ atomic {{ run w(0); run w(1); run w(2) }} }}"),
        "6",
        21,
    );
}

#[test]
fn who_can_see_the_making_is_followed_step_by_step() {
    // Who counts processes, uses what the making sets, or loses a move to a new partner.
    let made = "proctype w(byte k) { do :: on[k] = 1 - on[k] od }
                init { byte i; atomic { for (i : 0 .. 1) { run w(i) }; z = 2 } }";
    for boss in [
        "do :: _nr_pr == 2 -> x = 1 :: _nr_pr > 2 && x == 1 -> x = 2 od",
        "do :: z == 0 -> x = 1 :: z == 2 && x == 1 -> x = 2 od",
    ] {
        let text = format!("bool on[2]; byte x, z; active proctype boss() {{ {boss} }} {made}");
        let compiled = compile(&text, &[]).expect("it compiles");
        let mut wrong = Vec::new();
        all_wrong(&text, &compiled, &mut wrong);
        assert!(wrong.is_empty(), "{}\n{text}", wrong.join("\n"));
        let told = json("symmetry -", text.as_bytes());
        assert_eq!(told["group_order"], "1", "{text}");
    }
    let meets = "
        chan c = [0] of { byte }; byte x;
        active proctype boss() { do :: c!1 :: else -> x = 1 od }
        proctype w(byte k) { byte y; do :: c?y od }
        init { byte i; atomic { for (i : 0 .. 1) { run w(i) } } }";
    let compiled = compile(meets, &[]).expect("it compiles");
    let mut wrong = Vec::new();
    all_wrong(meets, &compiled, &mut wrong);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_round_may_use_a_variable_for_itself() {
    let caches = "
        #define INV 0
        #define SH 1
        #define EX 2
        #define MD 3
        byte line[3];
        active [3] proctype cache() {
            byte i, sharers, s;
            do
            :: atomic { line[_pid] == INV ->
                 sharers = 0;
                 for (i in line) {
                     s = line[i];
                     if :: s != INV -> sharers++; line[i] = SH :: else -> skip fi
                 }
                 if :: sharers == 0 -> line[_pid] = EX :: else -> line[_pid] = SH fi;
                 i = 0; s = 0; sharers = 0 }
            :: atomic { line[_pid] == EX -> line[_pid] = MD }
            :: atomic { line[_pid] == SH ->
                 i = 0;
                 do
                 :: i < 3 -> s = line[i]; if :: i == _pid || s == INV :: else -> line[i] = INV fi;
                    i = i + 1
                 :: i >= 3 -> break
                 od;
                 line[_pid] = MD; i = 0; s = 0 }
            :: line[_pid] != INV -> line[_pid] = INV
            od
        }";
    has(caches, "6", 29);
    let barrier = "
        bool arrived[N]; bool go[N];
        active proctype boss() {
            byte i; byte c; bool a;
            do
            :: atomic {
                c = 0; i = 0;
                do :: i < N -> a = arrived[i]; c = c + a; i++ :: else -> break od;
                if
                :: c == N ->
                   i = 0; do :: i == N -> break :: else -> arrived[i] = 0; go[i] = 1; i++ od
                :: else
                fi;
                i = 0; a = 0; c = 0 }
            od
        }
        proctype w(byte k) {
            do :: !arrived[k] && !go[k] -> arrived[k] = 1 :: go[k] -> go[k] = 0 od
        }
        init { atomic { byte i; for (i : 0 .. N-1) { run w(i) } } }";
    has(&format!("#define N 2\n{barrier}"), "2", 16);
    has(&format!("#define N 3\n{barrier}"), "6", 36);
}

/// Somebody who goes through what three others have, and one who looks at what came of it.
fn scan(round: &str, after: &str) -> String {
    format!(
        "byte a[3]; byte n, k;
         active proctype b() {{ byte i, t; do
             :: atomic {{
                  n = 0; i = 0; do :: i < 3 -> {round}; i++ :: else -> break od; i = 0; {after} }}
             od }}
         active proctype w() {{ do :: n == 1 -> k = 1 :: n == 2 -> k = 0 od }}
         proctype r(byte id) {{ do :: a[id] = (a[id] + 1) % 3 od }}
         init {{ atomic {{ byte i; for (i : 0 .. 2) {{ run r(i) }} }} }}"
    )
}

#[test]
fn what_a_round_leaves_for_the_next_keeps_the_order() {
    let order = |text: String| json("check - -E -e", text.as_bytes())["symmetry"].clone();
    let is_trivial = |told: &serde_json::Value| told["group_order"] == "1";
    let free = order(scan("t = a[i]; if :: t == 1 -> n++ :: else fi", "t = 0"));
    assert_eq!(free["group_order"], "6");
    for (round, after) in [
        // What the round before had.
        (
            "if :: t == 1 && a[i] == 2 -> n++ :: else fi; t = a[i]",
            "t = 0",
        ),
        // What the last one had.
        ("t = a[i]", "n = t; t = 0"),
        // Set on one way only.
        (
            "if :: a[i] == 1 -> t = 2 :: else fi; if :: t == 2 -> n = 1 :: else fi; t = a[i]",
            "t = 0",
        ),
    ] {
        let text = scan(round, after);
        let compiled = compile(&text, &[]).expect("it compiles");
        let mut wrong = Vec::new();
        all_wrong(&text, &compiled, &mut wrong);
        assert!(wrong.is_empty(), "{}\n{text}", wrong.join("\n"));
        assert!(is_trivial(&order(text)), "{round}");
    }
}

/// Somebody who collects from all, once all have sent.
fn collect(ready: &str, round: &str) -> String {
    format!(
        "mtype = {{ yes, no }};
         chan up[N] = [1] of {{ mtype }};
         chan down[N] = [1] of {{ mtype }};
         byte done, ready, first;
         proctype tm() {{
             byte i, nyes; mtype m;
             do
             :: atomic {{ done == 0 && {ready} ->
                  nyes = 0;
                  for (i : 0 .. N-1) {{ {round} }}
                  m = 0;
                  for (i : 0 .. N-1) {{ if :: nyes == N -> down[i]!yes :: else -> down[i]!no fi }}
                  nyes = 0; i = 0; done = 1 }}
             od
         }}
         proctype rm(byte me) {{
             if :: atomic {{ up[me]!yes; ready++ }} :: atomic {{ up[me]!no; ready++ }} fi;
             if :: down[me]?yes :: down[me]?no fi;
             end: do :: first == me + 1 -> first = 0 od
         }}
         init {{ atomic {{ run tm(); byte i; for (i : 0 .. N-1) {{ run rm(i) }} }} }}"
    )
}

#[test]
fn a_round_may_receive_from_a_channel_of_its_own() {
    let round = "up[i]?m; if :: m == yes -> nyes++ :: else -> skip fi";
    has(
        &format!("#define N 2\n{}", collect("ready == N", round)),
        "2",
        12,
    );
    has(
        &format!("#define N 3\n{}", collect("ready == N", round)),
        "6",
        18,
    );
    // If one has to wait in the middle, others see how far it has come.
    let early = format!("#define N 3\n{}", collect("ready >= 1", round));
    let told = json("check - -E -e", early.as_bytes());
    assert_eq!(told["symmetry"]["group_order"], "1", "{early}");
    // The first that says no is remembered.
    let first = "up[i]?m; if :: m == no && first == 0 -> first = i + 1 :: else fi";
    let text = format!("#define N 3\n{}", collect("ready == N", first));
    let told = json("check - -E -e", text.as_bytes());
    assert_eq!(told["symmetry"]["group_order"], "1", "{text}");
    for text in [early, text] {
        let compiled = compile(&text, &[]).expect("it compiles");
        let mut wrong = Vec::new();
        all_wrong(&text, &compiled, &mut wrong);
        assert!(wrong.is_empty(), "{}\n{text}", wrong.join("\n"));
    }
}

#[test]
fn boxes_may_be_emptied_where_something_is_in_them() {
    let server = "
        chan box[N] = [2] of { byte }; byte total;
        active proctype server() {
            byte i, v;
            do
            :: d_step { i = 0; total = 0;
                 do
                 :: i < N -> if :: box[i]?v -> total = total + v :: else -> skip fi; v = 0; i++
                 :: else -> break
                 od; i = 0 }
            od
        }
        proctype cl(byte id) {
            do
            :: total < 2 && nfull(box[id]) -> box[id]!1
            :: nfull(box[id]) -> box[id]!0
            od
        }
        init { byte i; atomic { i = 0; do :: i == N -> break :: else -> run cl(i); i++ od } }";
    has(&format!("#define N 2\n{server}"), "2", 228);
    has(&format!("#define N 3\n{server}"), "6", 1241);
}

#[test]
fn a_primary_keeps_its_backups_interchangeable() {
    // The values 0 and 1 are interchangeable, too.
    let text = "
        chan req = [0] of { byte };
        chan upd[4] = [1] of { byte };
        chan ack = [3] of { byte };
        byte val[4];
        active proctype client() { do :: req!1 :: req!0 od }
        active proctype primary() {
            byte x, i, n, w;
            do
            :: req?x;
               atomic { val[0] = x;
                   i = 1; do :: i <= 3 -> upd[i]!x; i++ :: i > 3 -> break od; i = 0 }
               n = 0;
               do :: n < 3 -> ack?w; n++; w = 0 :: else -> break od;
               n = 0; x = 0
            od
        }
        proctype backup(byte id) {
            byte y;
            end: do :: atomic { upd[id]?y -> val[id] = y; y = 0 }; ack!id od
        }
        init { atomic { byte k = 1; do :: k > 3 -> break :: else -> run backup(k); k++ od } }";
    has(text, "12", 26);
}
