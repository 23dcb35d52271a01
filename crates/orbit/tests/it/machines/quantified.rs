//! Quantifiers over elements inside of formulas of B machines: beside the formula that this test
//! writes out as text, which is checked without symmetry.

use crate::command::{Folder, json, run};
use serde_json::Value;

/// Elements ask, are served and leave; `@` are the formulas, `#` the set, `%` what breaks symmetry.
const SERVED: &str = "\
MACHINE served
SETS #
DEFINITIONS scope_S == 3; @
VARIABLES wait, done
INVARIANT wait <: S & done <: S
INITIALISATION wait := {} || done := {}
OPERATIONS
  ask(x) = PRE x : S - (wait \\/ done) % THEN wait := wait \\/ {x} END;
  serve(x) = PRE x : wait & card(done) < 2 THEN wait := wait - {x} || done := done \\/ {x} END;
  clear(x) = PRE x : done THEN done := done - {x} END
END
";

/// The sets that are tried, their elements, and what breaks the symmetry of some.
const SETS: [(&str, [&str; 3], &str); 3] = [
    ("S", ["S1", "S2", "S3"], ""),
    ("S = {a, b, c}", ["a", "b", "c"], ""),
    ("S = {a, b, c}", ["a", "b", "c"], "& (x = c => b : wait)"),
];

/// A formula as text, and the same with its quantifiers written out.
struct Text {
    short: String,
    long: String,
}

/// A random formula in which these variables are bound, the first as written and the second as the
/// element that it is.
struct Maker<'r> {
    rng: &'r mut fastrand::Rng,
    is_linear: bool,
    elements: [&'static str; 3],
    shape: Vec<u8>,
    at: usize,
}

impl Maker<'_> {
    /// The next choice, which is the same each time that a formula is written out.
    fn choice(&mut self, n: u8) -> u8 {
        if self.at == self.shape.len() {
            self.shape.push(self.rng.u8(..));
        }
        self.at += 1;
        self.shape[self.at - 1] % n
    }

    fn formula(&mut self, depth: u32, bound: &[(&str, &str)]) -> Text {
        let deeper = depth.saturating_sub(1);
        match self.choice(if depth == 0 { 2 } else { 8 }) {
            0 | 1 => self.atom(bound),
            2 => self.one("not", deeper, bound),
            3 | 4 => {
                let unary = match (self.is_linear, self.choice(4)) {
                    (true, 0) => "X",
                    (true, 1) => "F",
                    (true, _) => "G",
                    (false, 0) => "EF",
                    (false, 1) => "AF",
                    (false, 2) => "EX",
                    (false, _) => "AG",
                };
                self.one(unary, deeper, bound)
            }
            5 => {
                let sign = ["&", "or", "=>"][usize::from(self.choice(3))];
                let (a, b) = (self.formula(deeper, bound), self.formula(deeper, bound));
                Text {
                    short: format!("({} {sign} {})", a.short, b.short),
                    long: format!("({} {sign} {})", a.long, b.long),
                }
            }
            _ => self.quantified(deeper, bound),
        }
    }

    fn one(&mut self, sign: &str, depth: u32, bound: &[(&str, &str)]) -> Text {
        let f = self.formula(depth, bound);
        Text {
            short: format!("{sign} ({})", f.short),
            long: format!("{sign} ({})", f.long),
        }
    }

    fn atom(&mut self, bound: &[(&str, &str)]) -> Text {
        let Some(&(name, element)) = bound.get(usize::from(self.choice(2)) % bound.len().max(1))
        else {
            let text = ["{card(wait) = 3}", "{done = {}}"][usize::from(self.choice(2))];
            return Text {
                short: text.to_owned(),
                long: text.to_owned(),
            };
        };
        let text = ["{x : wait}", "{x : done}", "e(serve(x))"][usize::from(self.choice(3))];
        let of = |what: &str| text.replace('x', what);
        Text {
            short: of(name),
            long: of(element),
        }
    }

    fn quantified(&mut self, depth: u32, bound: &[(&str, &str)]) -> Text {
        let is_all = self.choice(2) == 0;
        let name = ["u", "v", "w"][bound.len() % 3];
        let (sign, then, joint) = if is_all {
            ("!", "=>", "&")
        } else {
            ("#", "&", "or")
        };
        let start = self.at;
        let mut parts = Vec::new();
        let mut short = String::new();
        for element in self.elements {
            self.at = start;
            let more = [bound, &[(name, element)]].concat();
            let f = self.formula(depth, &more);
            short = format!("{sign}{name}.({{{name} : S}} {then} {})", f.short);
            parts.push(format!("({})", f.long));
        }
        Text {
            short,
            long: format!("({})", parts.join(&format!(" {joint} "))),
        }
    }
}

fn verdicts(line: &str) -> Vec<Value> {
    let told = json(line, b"");
    let all = told["properties"].as_array().expect("a list").iter();
    let formulas = all.filter(|p| p["kind"] == "ltl" || p["kind"] == "ctl");
    formulas.map(|p| p["verdict"].clone()).collect()
}

#[test]
fn quantifiers_inside_mean_what_is_written_out() {
    let mut rng = fastrand::Rng::with_seed(11);
    let folder = Folder::new("b-quantified");
    let mut n_holds = 0;
    for n in 0..24 {
        let (set, elements, broken) = SETS[n % 3];
        let is_linear = rng.bool();
        let kind = if is_linear { "LTL" } else { "CTL" };
        let (mut short, mut long) = (Vec::new(), Vec::new());
        for k in 0..5 {
            let mut maker = Maker {
                rng: &mut rng,
                is_linear,
                elements,
                shape: Vec::new(),
                at: 0,
            };
            let f = maker.quantified(3, &[]);
            let around = ["", "G", "F", "AG", "EF"][k];
            let around = if is_linear == (k < 3) { around } else { "" };
            short.push(format!("ASSERT_{kind}_{k} == \"{around} {}\"", f.short));
            long.push(format!("ASSERT_{kind}_{k} == \"{around} {}\"", f.long));
        }
        let text = SERVED.replace('#', set).replace('%', broken);
        let with = |all: &[String]| text.replace('@', &all.join(";\n"));
        let short = folder.write("short.mch", with(&short));
        let long = folder.write("long.mch", with(&long));
        let wanted = verdicts(&format!("check -n --reduce none {long}"));
        assert!(wanted.iter().all(|verdict| verdict != "unknown"));
        for flags in ["", "--reduce none"] {
            let told = verdicts(&format!("check -n {flags} {short}"));
            let text = std::fs::read_to_string(&short).expect("just written");
            assert_eq!(told, wanted, "round {n} {flags}\n{text}");
        }
        n_holds += wanted.iter().filter(|verdict| *verdict == "holds").count();
    }
    assert!((20..100).contains(&n_holds), "{n_holds}");
}

#[test]
fn members_that_are_alike_share_an_answer() {
    let folder = Folder::new("b-members");
    let [plain, broken] = ["", "& (x = c => b : wait)"].map(|broken| {
        let formulas = "ASSERT_LTL_0 == \"G !x.({x : S} => ({x : wait} => F {x : done}))\";\n\
                        ASSERT_CTL_0 == \"AG !x.({x : S} => EF {x : done})\"";
        let text = SERVED.replace('#', "S = {a, b, c}").replace('%', broken);
        folder.write(
            &format!("m{}.mch", broken.len()),
            text.replace('@', formulas),
        )
    });
    let classes = |path: &str, n: usize| {
        let told = json(&format!("check -n {path}"), b"");
        let all = told["properties"].as_array().expect("a list");
        let formulas = all.iter().filter(|p| p["kind"] == ["ltl", "ctl"][n]);
        let members = formulas.flat_map(|p| p["members"].as_array().expect("a list"));
        let answered = members.map(|m| m["answered"].to_string());
        answered.collect::<Vec<String>>()
    };
    assert_eq!(classes(&plain, 0), ["[1,2,3]"]);
    assert_eq!(classes(&plain, 1), ["[1,2,3]"]);
    // Where `b` and `c` are told apart no two of them share an answer.
    assert_eq!(classes(&broken, 0), [""; 0]);
    assert_eq!(classes(&broken, 1), ["[1]", "[2]", "[3]"]);
}

#[test]
fn what_cannot_be_bound_is_told_at_its_place() {
    let folder = Folder::new("b-unbound");
    let text = SERVED.replace('#', "S").replace(['%', '@'], "");
    let path = folder.write("served.mch", text);
    for (formula, words, column) in [
        ("G !n.({n : 1..3} => {n = 1})", "must be an element", 4),
        ("G !x.({x : S} => {y : wait})", "`y` is not declared", 19),
        ("#x.{x : S}", "expected `(`", 4),
        ("#x.({x : S}", "expected `)`", 12),
        ("!x.(F {1 = 1})", "`x` has no type", 2),
    ] {
        let (code, _, err) = run(&format!("check --ltl '{formula}' {path}"), b"");
        assert_eq!(code, 2, "{formula}: {err}");
        assert!(err.contains(words), "{formula}: {err}");
        assert!(
            err.contains(&format!("--ltl:1:{column}")),
            "{formula}: {err}"
        );
    }
}
