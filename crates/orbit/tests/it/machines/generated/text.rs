//! Random machines: what they are made of, and their text.
//!
//! All have the same sets and variables, so that every expression has a type by its form:
//! `x : 0..2`, `v <: S`, `f : S +-> 0..2`, `g : E +-> S`, and a constant `c : S`; a second machine
//! has `y : 0..2`. Applications `f(s)` and `g(e)` are undefined wherever the argument is outside
//! the domain.

use fastrand::Rng;
use std::fmt;

/// A number.
#[derive(Clone, Debug)]
pub enum Num {
    Literal(i64),
    X,
    Y,
    /// The numeric parameter of an operation.
    Parameter,
    Card,
    Apply(Box<Elem>),
    Add(Box<Num>, Box<Num>),
    Divide(Box<Num>, Box<Num>),
}

/// An element of `S`.
#[derive(Clone, Debug)]
pub enum Elem {
    Constant,
    /// The parameter of an operation.
    Parameter,
    /// The variable of an `ANY`.
    Local,
    Apply(usize),
}

/// A predicate.
#[derive(Clone, Debug)]
pub enum Pred {
    True,
    Less(Num, Num),
    Equal(Num, Num),
    Same(Elem, Elem),
    In(Elem),
    Mapped(Elem),
    And(Box<Pred>, Box<Pred>),
    Or(Box<Pred>, Box<Pred>),
    Not(Box<Pred>),
    /// `#q.(q : S & q : v & q /= e)`.
    Some(Elem),
    /// `!q.(q : v => q : dom(f))`.
    All,
    /// `#n.(n : NATURAL & n * n = k)`: over a set without a bound.
    Square(Num),
}

/// A substitution.
#[derive(Clone, Debug)]
pub enum Subst {
    Skip,
    SetX(Num),
    SetF(Elem, Num),
    SetG(usize, Elem),
    Add(Elem),
    Remove(Elem),
    /// `v :: {{}, {e}}`.
    Member(Elem),
    Choice(Vec<Subst>),
    If(Pred, Box<Subst>, Box<Subst>),
    Select(Vec<(Pred, Subst)>),
    Any(Pred, Box<Subst>),
    Pre(Pred, Box<Subst>),
    Assert(Pred, Box<Subst>),
    Parallel(Box<Subst>, Box<Subst>),
    Sequence(Box<Subst>, Box<Subst>),
    /// The first operation of the second machine.
    Call,
}

/// How the second machine belongs to the first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Link {
    None,
    Sees,
    Uses,
    Includes,
    Promotes,
}

/// An operation: which parameters it has, its precondition, what it does.
#[derive(Clone, Debug)]
pub struct Operation {
    pub has_elem: bool,
    pub has_num: bool,
    pub pre: Pred,
    pub body: Subst,
}

/// A machine.
#[derive(Clone, Debug)]
pub struct Machine {
    pub n_elements: usize,
    pub has_constant: bool,
    pub link: Link,
    pub invariant: Vec<Pred>,
    pub assertions: Vec<Pred>,
    pub start: Subst,
    pub operations: Vec<Operation>,
}

/// What is in scope where something is made.
#[derive(Clone, Copy)]
struct Scope {
    elem: bool,
    num: bool,
    local: bool,
    constant: bool,
    second: bool,
    calls: bool,
}

impl Machine {
    /// The machine of a seed.
    pub fn random(seed: u64) -> Machine {
        let rng = &mut Rng::with_seed(seed);
        let links = [
            Link::None,
            Link::None,
            Link::Sees,
            Link::Uses,
            Link::Includes,
            Link::Promotes,
        ];
        let link = links[rng.usize(..links.len())];
        let has_constant = rng.u8(..3) == 0;
        let scope = Scope {
            elem: false,
            num: false,
            local: false,
            constant: has_constant,
            second: link != Link::None,
            calls: matches!(link, Link::Includes | Link::Promotes),
        };
        let operations = (0..rng.usize(1..4)).map(|_| {
            let (has_elem, has_num) = (rng.u8(..3) > 0, rng.u8(..4) == 0);
            let scope = Scope {
                elem: has_elem,
                num: has_num,
                ..scope
            };
            Operation {
                has_elem,
                has_num,
                pre: if rng.bool() {
                    pred(rng, scope, 2)
                } else {
                    Pred::True
                },
                body: subst(rng, scope, 3),
            }
        });
        let operations = operations.collect();
        let quiet = Scope {
            calls: false,
            ..scope
        };
        Machine {
            n_elements: rng.usize(1..4),
            has_constant,
            link,
            invariant: (0..rng.usize(..3)).map(|_| pred(rng, scope, 2)).collect(),
            assertions: (0..rng.usize(..2)).map(|_| pred(rng, scope, 1)).collect(),
            start: if rng.u8(..3) == 0 {
                subst(rng, quiet, 2)
            } else {
                Subst::Skip
            },
            operations,
        }
    }

    /// The texts of the first and of the second machine.
    pub fn texts(&self) -> (String, String) {
        let second = "MACHINE Second VARIABLES y INVARIANT y : 0..9 INITIALISATION y := 0\n\
                      OPERATIONS up = PRE y < 2 THEN y := y + 1 END; back = y := 0 / y\nEND";
        let link = match self.link {
            Link::None => "",
            Link::Sees => "SEES Second",
            Link::Uses => "USES Second",
            Link::Includes => "INCLUDES Second",
            Link::Promotes => "INCLUDES Second PROMOTES back",
        };
        let constants = if self.has_constant {
            "CONSTANTS c PROPERTIES c : S"
        } else {
            ""
        };
        let list = |word: &str, preds: &[Pred]| {
            let preds = preds.iter().map(|pred| format!(" {word} ({pred})"));
            preds.collect::<String>()
        };
        let assertions = if self.assertions.is_empty() {
            String::new()
        } else {
            format!("ASSERTIONS 0 = 0{}", list("&", &self.assertions))
        };
        let operations = self.operations.iter().enumerate().map(|(n, operation)| {
            let names = [("p", operation.has_elem), ("m", operation.has_num)];
            let names: Vec<&str> = names.iter().filter(|n| n.1).map(|n| n.0).collect();
            let list = if names.is_empty() {
                String::new()
            } else {
                format!("({})", names.join(", "))
            };
            let typing = [
                ("p : S", operation.has_elem),
                ("m : 0..1", operation.has_num),
            ];
            let typing: Vec<&str> = typing.iter().filter(|t| t.1).map(|t| t.0).collect();
            let typing = if typing.is_empty() {
                "0 = 0".to_owned()
            } else {
                typing.join(" & ")
            };
            let (pre, body) = (&operation.pre, &operation.body);
            format!("  op{n}{list} = PRE {typing} & ({pre}) THEN {body} END")
        });
        let operations: Vec<String> = operations.collect();
        let first = format!(
            "MACHINE First SETS S; E = {{e1, e2}} {link} {constants}\n\
             VARIABLES x, v, f, g\n\
             INVARIANT x : INTEGER & v <: S & f : S <-> INTEGER & g : E <-> S{}\n{assertions}\n\
             INITIALISATION BEGIN x := 0 ; v := {{}} ; f := {{}} ; g := {{}} ; {} END\n\
             OPERATIONS\n{}\nEND\n",
            list("&", &self.invariant),
            self.start,
            operations.join(";\n")
        );
        (first, second.to_owned())
    }
}

fn num(rng: &mut Rng, scope: Scope, depth: u8) -> Num {
    let part = |rng: &mut Rng| Box::new(num(rng, scope, depth.saturating_sub(1)));
    match rng.u8(..if depth == 0 { 6 } else { 9 }) {
        0 | 1 => Num::X,
        2 if scope.second => Num::Y,
        3 if scope.num => Num::Parameter,
        4 => Num::Card,
        6 => Num::Apply(Box::new(elem(rng, scope))),
        7 => Num::Add(part(rng), part(rng)),
        8 => Num::Divide(part(rng), part(rng)),
        _ => Num::Literal(rng.i64(0..3)),
    }
}

fn elem(rng: &mut Rng, scope: Scope) -> Elem {
    match rng.u8(..6) {
        0 | 1 if scope.elem => Elem::Parameter,
        2 | 3 if scope.local => Elem::Local,
        4 if scope.constant => Elem::Constant,
        _ if scope.elem && rng.bool() => Elem::Parameter,
        _ => Elem::Apply(rng.usize(..2)),
    }
}

fn pred(rng: &mut Rng, scope: Scope, depth: u8) -> Pred {
    let part = |rng: &mut Rng| Box::new(pred(rng, scope, depth.saturating_sub(1)));
    match rng.u8(..if depth == 0 { 7 } else { 12 }) {
        0 | 1 => Pred::Less(num(rng, scope, 1), num(rng, scope, 1)),
        2 => Pred::Equal(num(rng, scope, 1), num(rng, scope, 1)),
        3 => Pred::Same(elem(rng, scope), elem(rng, scope)),
        4 => Pred::In(elem(rng, scope)),
        5 => Pred::Mapped(elem(rng, scope)),
        6 => match rng.u8(..3) {
            0 => Pred::All,
            1 => Pred::Square(Num::Literal([1, 4, 9][rng.usize(..3)])),
            _ => Pred::Some(elem(rng, scope)),
        },
        7 | 8 => Pred::And(part(rng), part(rng)),
        9 | 10 => Pred::Or(part(rng), part(rng)),
        _ => Pred::Not(part(rng)),
    }
}

fn subst(rng: &mut Rng, scope: Scope, depth: u8) -> Subst {
    if depth == 0 || rng.u8(..4) == 0 {
        return match rng.u8(..8) {
            0 if scope.calls => Subst::Call,
            0 | 1 => Subst::Skip,
            2 => Subst::SetX(num(rng, scope, 2)),
            3 => Subst::SetF(elem(rng, scope), num(rng, scope, 1)),
            4 => Subst::SetG(rng.usize(..2), elem(rng, scope)),
            5 => Subst::Add(elem(rng, scope)),
            6 => Subst::Remove(elem(rng, scope)),
            _ => Subst::Member(elem(rng, scope)),
        };
    }
    let part = |rng: &mut Rng| Box::new(subst(rng, scope, depth - 1));
    match rng.u8(..10) {
        0 | 1 => Subst::Choice(vec![*part(rng), *part(rng)]),
        2 => Subst::If(pred(rng, scope, 1), part(rng), part(rng)),
        3 => Subst::Select(
            (0..rng.usize(1..3))
                .map(|_| (pred(rng, scope, 1), *part(rng)))
                .collect(),
        ),
        4 | 5 => {
            let inside = Scope {
                local: true,
                ..scope
            };
            let body = subst(rng, inside, depth - 1);
            Subst::Any(pred(rng, inside, 1), Box::new(body))
        }
        6 => Subst::Pre(pred(rng, scope, 1), part(rng)),
        7 => Subst::Assert(pred(rng, scope, 1), part(rng)),
        8 => parallel(rng, scope),
        _ => Subst::Sequence(part(rng), part(rng)),
    }
}

/// Two substitutions that write different variables.
fn parallel(rng: &mut Rng, scope: Scope) -> Subst {
    let left = match rng.u8(..3) {
        0 => Subst::SetX(num(rng, scope, 2)),
        1 => Subst::Choice(vec![Subst::SetX(num(rng, scope, 1)), Subst::Skip]),
        _ => Subst::Select(vec![(pred(rng, scope, 1), Subst::SetX(num(rng, scope, 1)))]),
    };
    let right = match rng.u8(..3) {
        0 => Subst::SetF(elem(rng, scope), num(rng, scope, 1)),
        1 => Subst::Member(elem(rng, scope)),
        _ => Subst::If(
            pred(rng, scope, 1),
            Box::new(Subst::Add(elem(rng, scope))),
            Box::new(Subst::Skip),
        ),
    };
    Subst::Parallel(Box::new(left), Box::new(right))
}

impl fmt::Display for Num {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Num::Literal(n) => write!(f, "{n}"),
            Num::X => write!(f, "x"),
            Num::Y => write!(f, "y"),
            Num::Parameter => write!(f, "m"),
            Num::Card => write!(f, "card(v)"),
            Num::Apply(e) => write!(f, "f({e})"),
            // Numbers stay small, so that there are few states.
            Num::Add(a, b) => write!(f, "((({a}) + ({b})) mod 3)"),
            Num::Divide(a, b) => write!(f, "(({a}) / ({b}))"),
        }
    }
}

impl fmt::Display for Elem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Elem::Constant => write!(f, "c"),
            Elem::Parameter => write!(f, "p"),
            Elem::Local => write!(f, "l"),
            Elem::Apply(e) => write!(f, "g(e{})", e + 1),
        }
    }
}

impl fmt::Display for Pred {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pred::True => write!(f, "0 = 0"),
            Pred::Less(a, b) => write!(f, "{a} < {b}"),
            Pred::Equal(a, b) => write!(f, "{a} = {b}"),
            Pred::Same(a, b) => write!(f, "{a} = {b}"),
            Pred::In(e) => write!(f, "{e} : v"),
            Pred::Mapped(e) => write!(f, "{e} : dom(f)"),
            Pred::And(a, b) => write!(f, "(({a}) & ({b}))"),
            Pred::Or(a, b) => write!(f, "(({a}) or ({b}))"),
            Pred::Not(a) => write!(f, "not({a})"),
            Pred::Some(e) => write!(f, "#q.(q : S & q : v & q /= {e})"),
            Pred::All => write!(f, "!q.(q : v => q : dom(f))"),
            Pred::Square(n) => write!(f, "#n.(n : NATURAL & n * n = {n})"),
        }
    }
}

impl fmt::Display for Subst {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Subst::Skip => write!(f, "skip"),
            Subst::SetX(n) => write!(f, "x := {n}"),
            Subst::SetF(e, n) => write!(f, "f({e}) := {n}"),
            Subst::SetG(e, to) => write!(f, "g(e{}) := {to}", e + 1),
            Subst::Add(e) => write!(f, "v := v \\/ {{{e}}}"),
            Subst::Remove(e) => write!(f, "v := v - {{{e}}}"),
            Subst::Member(e) => write!(f, "v :: {{{{}}, {{{e}}}}}"),
            Subst::Choice(all) => {
                let all: Vec<String> = all.iter().map(Subst::to_string).collect();
                write!(f, "CHOICE {} END", all.join(" OR "))
            }
            Subst::If(p, a, b) => write!(f, "IF {p} THEN {a} ELSE {b} END"),
            Subst::Select(all) => {
                let all: Vec<String> = all.iter().map(|(p, s)| format!("{p} THEN {s}")).collect();
                write!(f, "SELECT {} END", all.join(" WHEN "))
            }
            Subst::Any(p, s) => write!(f, "ANY l WHERE l : S & ({p}) THEN {s} END"),
            Subst::Pre(p, s) => write!(f, "PRE {p} THEN {s} END"),
            Subst::Assert(p, s) => write!(f, "ASSERT {p} THEN {s} END"),
            Subst::Parallel(a, b) => write!(f, "BEGIN {a} || {b} END"),
            Subst::Sequence(a, b) => write!(f, "BEGIN {a} ; {b} END"),
            Subst::Call => write!(f, "up"),
        }
    }
}
