//! Formulas of B as trees, and their text.

use std::fmt;

/// Bound variables with the sets they range over.
pub type Binding = Vec<(usize, E)>;

/// An expression.
#[derive(Clone, Debug)]
pub enum E {
    Int(i64),
    Var(usize),
    /// `NATURAL`, `{}` and the like, as they are written.
    Known(&'static str),
    /// `card(e)`; `-` and `~` stand before and after.
    One(&'static str, Box<E>),
    /// `a op b`.
    Two(&'static str, Box<E>, Box<E>),
    /// `f(a)`.
    Apply(Box<E>, Box<E>),
    /// `r[s]`.
    Image(Box<E>, Box<E>),
    /// `iterate(r, n)`, `prj1(s, t)`.
    Call(&'static str, Box<E>, Box<E>),
    SetOf(Vec<E>),
    SeqOf(Vec<E>),
    /// `{x | x : s & P}`.
    Such(Binding, Box<P>),
    /// `%x.(x : s & P | e)`.
    Lambda(Binding, Box<P>, Box<E>),
    /// `SIGMA(x).(x : s & P | e)` and the like.
    Each(&'static str, Binding, Box<P>, Box<E>),
    BoolOf(Box<P>),
    If(Box<P>, Box<E>, Box<E>),
}

/// A predicate.
#[derive(Clone, Debug)]
pub enum P {
    /// `a op b`.
    Compare(&'static str, E, E),
    /// `P op Q`.
    Join(&'static str, Box<P>, Box<P>),
    Not(Box<P>),
    /// `!x.(x : s => P)`.
    Forall(Binding, Box<P>),
    /// `#x.(x : s & P)`.
    Exists(Binding, Box<P>),
}

/// The name of a variable; the first two are those of the machine.
pub fn name(variable: usize) -> String {
    match variable {
        0 => "k".to_owned(),
        1 => "l".to_owned(),
        _ => format!("v{variable}"),
    }
}

fn names(bound: &Binding) -> String {
    let all: Vec<String> = bound.iter().map(|(v, _)| name(*v)).collect();
    all.join(",")
}

fn ranges(bound: &Binding) -> String {
    let all: Vec<String> = bound
        .iter()
        .map(|(v, set)| format!("{} : {set}", name(*v)))
        .collect();
    all.join(" & ")
}

fn list(all: &[E]) -> String {
    let all: Vec<String> = all.iter().map(E::to_string).collect();
    all.join(", ")
}

impl fmt::Display for E {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            E::Int(n) => write!(f, "({n})"),
            E::Var(v) => f.write_str(&name(*v)),
            E::Known(text) => f.write_str(text),
            E::One("-", e) => write!(f, "(-{e})"),
            E::One("~", e) => write!(f, "({e}~)"),
            E::One(op, e) => write!(f, "{op}({e})"),
            E::Two(op, a, b) => write!(f, "({a} {op} {b})"),
            E::Apply(function, argument) => write!(f, "{function}({argument})"),
            E::Image(relation, set) => write!(f, "{relation}[{set}]"),
            E::Call(op, a, b) => write!(f, "{op}({a}, {b})"),
            E::SetOf(all) => write!(f, "{{{}}}", list(all)),
            E::SeqOf(all) => write!(f, "[{}]", list(all)),
            E::Such(bound, p) => write!(f, "{{{} | {} & {p}}}", names(bound), ranges(bound)),
            E::Lambda(bound, p, e) => {
                let (names, ranges) = (names(bound), ranges(bound));
                write!(f, "(%({names}).({ranges} & {p} | {e}))")
            }
            E::Each(op, bound, p, e) => {
                let (names, ranges) = (names(bound), ranges(bound));
                write!(f, "({op}({names}).({ranges} & {p} | {e}))")
            }
            E::BoolOf(p) => write!(f, "bool({p})"),
            E::If(p, a, b) => write!(f, "(IF {p} THEN {a} ELSE {b} END)"),
        }
    }
}

impl fmt::Display for P {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            P::Compare(op, a, b) => write!(f, "({a} {op} {b})"),
            P::Join(op, p, q) => write!(f, "({p} {op} {q})"),
            P::Not(p) => write!(f, "not({p})"),
            P::Forall(bound, p) => {
                write!(f, "!({}).({} => {p})", names(bound), ranges(bound))
            }
            P::Exists(bound, p) => {
                write!(f, "#({}).({} & {p})", names(bound), ranges(bound))
            }
        }
    }
}
