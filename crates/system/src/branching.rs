//! Formulas of branching temporal logic over numbered atoms.
//!
//! A [`Formula`] keeps all operators as they were written, so that an answer can be explained in
//! the words of the question. One type serves all logics of branching time: CTL; CTL*, whose runs
//! satisfy a formula of linear time over formulas of branching time ([`Formula::Runs`]); operators
//! of the past, over the ways from an initial state to the present one; and the μ-calculus, whose
//! modalities are `EX` and `AX` ([`Formula::Fixpoint`]).

use crate::formula::Formula as LinearFormula;
use std::fmt;

/// Over which runs from a state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Quantifier {
    /// All of them: `A`.
    All,
    /// At least one: `E`.
    Some,
}

/// What a run does, of one formula.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Unary {
    /// In the second state: `X`.
    Next,
    /// In some state: `F`, `<>`.
    Finally,
    /// In every state: `G`, `[]`.
    Globally,
    /// In the state before, if there is one.
    Yesterday,
    /// In this state or in one before.
    Once,
    /// In this state and in all before.
    Historically,
}

/// What a run does, of two formulas.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Binary {
    /// The first until the second, which comes: `U`.
    Until,
    /// The first until the second, or for ever: `W`.
    WeakUntil,
    /// The second until both, or for ever: `R`, `V`.
    Release,
    /// The second now or before, and the first from the state after that on.
    Since,
}

impl Unary {
    /// Whether it is about how the state was reached.
    pub fn is_past(self) -> bool {
        matches!(self, Unary::Yesterday | Unary::Once | Unary::Historically)
    }
}

/// Which solution of an equation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fixpoint {
    /// The smallest set: `mu`.
    Least,
    /// The largest: `nu`.
    Greatest,
}

/// A formula of branching time.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Formula {
    /// `true` or `false`.
    Constant(bool),
    /// An atom, by number.
    Atom(u32),
    /// `!f`
    Not(Box<Formula>),
    /// `f && g`
    And(Box<Formula>, Box<Formula>),
    /// `f || g`
    Or(Box<Formula>, Box<Formula>),
    /// `f -> g`
    Implies(Box<Formula>, Box<Formula>),
    /// `f <-> g`
    Iff(Box<Formula>, Box<Formula>),
    /// `AX f`, `EF f` and so on.
    Unary(Quantifier, Unary, Box<Formula>),
    /// `A[f U g]` and so on.
    Binary(Quantifier, Binary, Box<Formula>, Box<Formula>),
    /// Runs that satisfy a formula of linear time; its atoms are these, by number.
    Runs(Quantifier, Box<LinearFormula>, Vec<Formula>),
    /// `mu X. f`, `nu X. f`; the number of the variable is its own.
    Fixpoint(Fixpoint, u32, Box<Formula>),
    /// A variable, by number.
    Variable(u32),
}

impl Formula {
    /// The formulas that it is made of, in order.
    pub fn parts(&self) -> Vec<&Formula> {
        match self {
            Formula::Constant(_) | Formula::Atom(_) | Formula::Variable(_) => Vec::new(),
            Formula::Not(f) | Formula::Unary(_, _, f) | Formula::Fixpoint(_, _, f) => vec![f],
            Formula::And(f, g)
            | Formula::Or(f, g)
            | Formula::Implies(f, g)
            | Formula::Iff(f, g)
            | Formula::Binary(_, _, f, g) => vec![f, g],
            Formula::Runs(_, _, all) => all.iter().collect(),
        }
    }

    /// Whether something is so of it or of a part of it.
    fn has(&self, is: &dyn Fn(&Formula) -> bool) -> bool {
        is(self) || self.parts().into_iter().any(|part| part.has(is))
    }

    /// Whether it says something about single states only.
    pub fn is_propositional(&self) -> bool {
        !self.has(&|f| {
            matches!(
                f,
                Formula::Unary(..)
                    | Formula::Binary(..)
                    | Formula::Runs(..)
                    | Formula::Fixpoint(..)
                    | Formula::Variable(_)
            )
        })
    }

    /// Whether it counts single moves: then no move can be left out.
    pub fn has_next(&self) -> bool {
        self.has(&|f| match f {
            Formula::Unary(_, unary, _) => matches!(unary, Unary::Next | Unary::Yesterday),
            Formula::Runs(_, linear, _) => linear.counts_moments(),
            _ => false,
        })
    }

    /// Whether it speaks of how states are reached. Within runs the past begins where they do.
    pub fn has_past(&self) -> bool {
        self.has(&|f| match f {
            Formula::Unary(_, unary, _) => unary.is_past(),
            Formula::Binary(_, binary, ..) => *binary == Binary::Since,
            _ => false,
        })
    }

    /// Whether it speaks of runs that satisfy more than one operator of linear time.
    pub fn has_runs(&self) -> bool {
        self.has(&|f| matches!(f, Formula::Runs(..)))
    }

    /// Whether it speaks of fixpoints.
    pub fn has_fixpoint(&self) -> bool {
        self.has(&|f| matches!(f, Formula::Fixpoint(..)))
    }

    /// Whether it is true of a state with these atoms; `None` if that is not all that it is about.
    pub fn value(&self, atoms: &[bool]) -> Option<bool> {
        Some(match self {
            Formula::Constant(value) => *value,
            Formula::Atom(n) => *atoms.get(*n as usize)?,
            Formula::Not(f) => !f.value(atoms)?,
            Formula::And(f, g) => f.value(atoms)? & g.value(atoms)?,
            Formula::Or(f, g) => f.value(atoms)? | g.value(atoms)?,
            Formula::Implies(f, g) => !f.value(atoms)? | g.value(atoms)?,
            Formula::Iff(f, g) => f.value(atoms)? == g.value(atoms)?,
            Formula::Unary(..)
            | Formula::Binary(..)
            | Formula::Runs(..)
            | Formula::Fixpoint(..)
            | Formula::Variable(_) => return None,
        })
    }

    /// The formula in words, given those of its atoms.
    pub fn text(&self, atoms: &[String]) -> String {
        Written {
            formula: self,
            atoms,
            inside: false,
        }
        .to_string()
    }
}

/// A formula beside the texts of its atoms.
struct Written<'a> {
    formula: &'a Formula,
    atoms: &'a [String],
    /// Whether something stands around it, so that parentheses may be needed.
    inside: bool,
}

impl<'a> Written<'a> {
    fn part(&self, formula: &'a Formula) -> Written<'a> {
        Written {
            formula,
            atoms: self.atoms,
            inside: true,
        }
    }
}

impl fmt::Display for Written<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let two = |f: &mut fmt::Formatter<'_>, a, sign: &str, b| {
            let (a, b) = (self.part(a), self.part(b));
            if self.inside {
                write!(f, "({a} {sign} {b})")
            } else {
                write!(f, "{a} {sign} {b}")
            }
        };
        match self.formula {
            Formula::Constant(value) => write!(f, "{value}"),
            Formula::Atom(n) => {
                let text = self.atoms.get(*n as usize).map_or("?", |text| &**text);
                let is_word = text.chars().all(|c| c.is_alphanumeric() || c == '_');
                if self.inside && !is_word && !is_enclosed(text) {
                    write!(f, "({text})")
                } else {
                    f.write_str(text)
                }
            }
            Formula::Not(a) => write!(f, "!{}", self.part(a)),
            Formula::And(a, b) => two(f, a, "&&", b),
            Formula::Or(a, b) => two(f, a, "||", b),
            Formula::Implies(a, b) => two(f, a, "->", b),
            Formula::Iff(a, b) => two(f, a, "<->", b),
            Formula::Unary(quantifier, unary, a) => {
                let unary = match unary {
                    Unary::Next => "X",
                    Unary::Finally => "F",
                    Unary::Globally => "G",
                    Unary::Yesterday => "Y",
                    Unary::Once => "O",
                    Unary::Historically => "H",
                };
                write!(f, "{}{unary} {}", quantifier.letter(), self.part(a))
            }
            Formula::Binary(quantifier, binary, a, b) => {
                let binary = match binary {
                    Binary::Until => "U",
                    Binary::WeakUntil => "W",
                    Binary::Release => "R",
                    Binary::Since => "since",
                };
                let (a, b) = (self.part(a), self.part(b));
                write!(f, "{}[{a} {binary} {b}]", quantifier.letter())
            }
            Formula::Runs(quantifier, linear, all) => {
                let all: Vec<String> = all.iter().map(|a| self.part(a).to_string()).collect();
                write!(f, "{}({})", quantifier.letter(), linear_text(linear, &all))
            }
            Formula::Fixpoint(fixpoint, n, a) => {
                let word = match fixpoint {
                    Fixpoint::Least => "mu",
                    Fixpoint::Greatest => "nu",
                };
                write!(f, "({word} X{n}. {})", self.part(a))
            }
            Formula::Variable(n) => write!(f, "X{n}"),
        }
    }
}

/// A formula of linear time in words, given those of its atoms.
fn linear_text(formula: &LinearFormula, atoms: &[String]) -> String {
    let of = |f: &LinearFormula| match f {
        LinearFormula::Until(..)
        | LinearFormula::WeakUntil(..)
        | LinearFormula::Release(..)
        | LinearFormula::Since(..) => format!("({})", linear_text(f, atoms)),
        _ => linear_text(f, atoms),
    };
    let two =
        |f: &LinearFormula, sign: &str, g: &LinearFormula| format!("{} {sign} {}", of(f), of(g));
    let many = |all: &[LinearFormula], sign: &str, none: &str| match all {
        [] => none.to_owned(),
        [one] => of(one),
        all => {
            let all: Vec<String> = all.iter().map(of).collect();
            format!("({})", all.join(sign))
        }
    };
    match formula {
        LinearFormula::Atom(n) => atoms[*n as usize].clone(),
        LinearFormula::Not(f) => format!("!{}", of(f)),
        LinearFormula::And(all) => many(all, " && ", "true"),
        LinearFormula::Or(all) => many(all, " || ", "false"),
        LinearFormula::Next(f) => format!("X {}", of(f)),
        LinearFormula::Always(f) => format!("G {}", of(f)),
        LinearFormula::Eventually(f) => format!("F {}", of(f)),
        LinearFormula::Until(f, g) => two(f, "U", g),
        LinearFormula::WeakUntil(f, g) => two(f, "W", g),
        LinearFormula::Release(f, g) => two(f, "R", g),
        LinearFormula::Yesterday(f) => format!("yesterday {}", of(f)),
        LinearFormula::Once(f) => format!("once {}", of(f)),
        LinearFormula::Historically(f) => format!("historically {}", of(f)),
        LinearFormula::Since(f, g) => two(f, "since", g),
    }
}

/// Whether a text begins with a bracket that its last character closes.
fn is_enclosed(text: &str) -> bool {
    let mut depth = 0_i32;
    for (i, c) in text.char_indices() {
        match c {
            '(' | '{' => depth += 1,
            ')' | '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return i > 0 && i + c.len_utf8() == text.len();
        }
    }
    false
}

impl Quantifier {
    fn letter(self) -> char {
        match self {
            Quantifier::All => 'A',
            Quantifier::Some => 'E',
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn atom(n: u32) -> Box<Formula> {
        Box::new(Formula::Atom(n))
    }

    #[test]
    fn texts_have_the_parentheses_they_need() {
        let atoms = ["p".to_owned(), "(x) > (y)".to_owned(), "(q)".to_owned()];
        let until = Formula::Binary(Quantifier::All, Binary::Until, atom(0), atom(1));
        assert_eq!(until.text(&atoms), "A[p U ((x) > (y))]");
        let both = Formula::And(atom(2), Box::new(Formula::Not(atom(1))));
        assert_eq!(both.text(&atoms), "(q) && !((x) > (y))");
        let next = Formula::Unary(Quantifier::Some, Unary::Next, Box::new(both));
        assert_eq!(next.text(&atoms), "EX ((q) && !((x) > (y)))");
        assert!(next.has_next() && !until.has_next());
    }

    #[test]
    fn values_of_what_is_about_one_state() {
        let implies = Formula::Implies(atom(0), atom(1));
        let iff = Formula::Iff(atom(0), Box::new(Formula::Constant(true)));
        for (a, b) in [(false, false), (false, true), (true, false), (true, true)] {
            assert_eq!(implies.value(&[a, b]), Some(!a || b));
            assert_eq!(iff.value(&[a, b]), Some(a));
        }
        let next = Formula::Unary(Quantifier::All, Unary::Next, atom(0));
        assert_eq!(next.value(&[true]), None);
        assert!(implies.is_propositional() && !next.is_propositional());
    }
}
