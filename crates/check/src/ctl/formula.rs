//! Formulas of branching time, as they are written and as they are evaluated.
//!
//! A [`Formula`] is what was asked: it keeps all operators, so that an answer can be explained in
//! the words of the question. A [`Core`] is the same in few operators, each part once, those inside
//! before those around them; that is what is evaluated.
//!
//! | written | evaluated |
//! |---|---|
//! | `AX f` | `!EX !f` |
//! | `EF f` | `E[true U f]` |
//! | `AG f` | `!E[true U !f]` |
//! | `AF f` | `!EG !f` |
//! | `A[f U g]` | `!(E[!g U (!f && !g)] \|\| EG !g)` |
//! | `A[f W g]` | `!E[!g U (!f && !g)]` |
//! | `E[f W g]` | `E[f U g] \|\| EG f` |
//! | `A[f R g]` | `!E[!f U !g]` |
//! | `E[f R g]` | `E[g U (f && g)] \|\| EG g` |
//!
//! Worked example: `AG EF p` is `!E[true U !E[true U p]]`: the parts are `true`, `p`,
//! `E[true U p]`, its negation, `E[true U …]`, its negation.
//!
//! Source: Clarke, Emerson and Sistla 1986; the operators `W` and `R` by their expansions.

use std::collections::HashMap;
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
}

impl Formula {
    /// Whether it says something about single states only.
    pub fn is_propositional(&self) -> bool {
        match self {
            Formula::Constant(_) | Formula::Atom(_) => true,
            Formula::Not(f) => f.is_propositional(),
            Formula::And(f, g)
            | Formula::Or(f, g)
            | Formula::Implies(f, g)
            | Formula::Iff(f, g) => f.is_propositional() && g.is_propositional(),
            Formula::Unary(..) | Formula::Binary(..) => false,
        }
    }

    /// Whether it counts single moves: then no move can be left out.
    pub fn has_next(&self) -> bool {
        match self {
            Formula::Constant(_) | Formula::Atom(_) => false,
            Formula::Unary(_, Unary::Next, _) => true,
            Formula::Not(f) | Formula::Unary(_, _, f) => f.has_next(),
            Formula::And(f, g)
            | Formula::Or(f, g)
            | Formula::Implies(f, g)
            | Formula::Iff(f, g)
            | Formula::Binary(_, _, f, g) => f.has_next() || g.has_next(),
        }
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
            Formula::Unary(..) | Formula::Binary(..) => return None,
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
                };
                write!(f, "{}{unary} {}", quantifier.letter(), self.part(a))
            }
            Formula::Binary(quantifier, binary, a, b) => {
                let binary = match binary {
                    Binary::Until => "U",
                    Binary::WeakUntil => "W",
                    Binary::Release => "R",
                };
                let (a, b) = (self.part(a), self.part(b));
                write!(f, "{}[{a} {binary} {b}]", quantifier.letter())
            }
        }
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

/// A part of a formula in few operators; parts are named by number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Part {
    /// `true`
    True,
    /// An atom.
    Atom(u32),
    /// `!f`
    Not(usize),
    /// `f && g`
    And(usize, usize),
    /// `f || g`
    Or(usize, usize),
    /// `EX f`
    Next(usize),
    /// `E[f U g]`
    Until(usize, usize),
    /// `EG f`
    Globally(usize),
}

/// A formula in few operators, and all that is asked of it on the way to an explanation.
#[derive(Default, Debug)]
pub struct Core {
    /// The parts, those inside before those around them.
    pub parts: Vec<Part>,
    numbers: HashMap<Part, usize>,
}

impl Core {
    /// No part yet.
    pub fn new() -> Core {
        Core::default()
    }

    /// The number of a part, which is added if it is new.
    pub fn part(&mut self, part: Part) -> usize {
        // Twice not is what it was, and the parts stay few.
        if let Part::Not(f) = part
            && let Part::Not(inner) = self.parts[f]
        {
            return inner;
        }
        let next = self.parts.len();
        let number = *self.numbers.entry(part).or_insert(next);
        if number == next {
            self.parts.push(part);
        }
        number
    }

    /// The number of a formula, whose parts are added.
    pub fn enter(&mut self, formula: &Formula) -> usize {
        match formula {
            Formula::Constant(value) => {
                let yes = self.part(Part::True);
                if *value {
                    yes
                } else {
                    self.part(Part::Not(yes))
                }
            }
            Formula::Atom(n) => self.part(Part::Atom(*n)),
            Formula::Not(f) => {
                let f = self.enter(f);
                self.part(Part::Not(f))
            }
            Formula::And(f, g) => {
                let (f, g) = (self.enter(f), self.enter(g));
                self.part(Part::And(f, g))
            }
            Formula::Or(f, g) => {
                let (f, g) = (self.enter(f), self.enter(g));
                self.part(Part::Or(f, g))
            }
            Formula::Implies(f, g) => {
                let (f, g) = (self.enter(f), self.enter(g));
                let f = self.part(Part::Not(f));
                self.part(Part::Or(f, g))
            }
            Formula::Iff(f, g) => {
                let (f, g) = (self.enter(f), self.enter(g));
                let (not_f, not_g) = (self.part(Part::Not(f)), self.part(Part::Not(g)));
                let (both, none) = (
                    self.part(Part::And(f, g)),
                    self.part(Part::And(not_f, not_g)),
                );
                self.part(Part::Or(both, none))
            }
            Formula::Unary(quantifier, unary, f) => {
                let f = self.enter(f);
                self.unary(*quantifier, *unary, f)
            }
            Formula::Binary(quantifier, binary, f, g) => {
                let (f, g) = (self.enter(f), self.enter(g));
                self.binary(*quantifier, *binary, f, g)
            }
        }
    }

    fn unary(&mut self, quantifier: Quantifier, unary: Unary, f: usize) -> usize {
        let yes = self.part(Part::True);
        match (quantifier, unary) {
            (Quantifier::Some, Unary::Next) => self.part(Part::Next(f)),
            (Quantifier::Some, Unary::Finally) => self.part(Part::Until(yes, f)),
            (Quantifier::Some, Unary::Globally) => self.part(Part::Globally(f)),
            (Quantifier::All, unary) => {
                let not = self.part(Part::Not(f));
                let dual = match unary {
                    Unary::Next => Unary::Next,
                    Unary::Finally => Unary::Globally,
                    Unary::Globally => Unary::Finally,
                };
                let some = self.unary(Quantifier::Some, dual, not);
                self.part(Part::Not(some))
            }
        }
    }

    fn binary(&mut self, quantifier: Quantifier, binary: Binary, f: usize, g: usize) -> usize {
        match (quantifier, binary) {
            (Quantifier::Some, Binary::Until) => self.part(Part::Until(f, g)),
            (Quantifier::Some, Binary::WeakUntil) => {
                let (until, always) = (self.part(Part::Until(f, g)), self.part(Part::Globally(f)));
                self.part(Part::Or(until, always))
            }
            (Quantifier::Some, Binary::Release) => {
                let both = self.part(Part::And(f, g));
                self.binary(Quantifier::Some, Binary::WeakUntil, g, both)
            }
            (Quantifier::All, binary) => {
                let (not_f, not_g) = (self.part(Part::Not(f)), self.part(Part::Not(g)));
                let some = match binary {
                    Binary::Until => self.binary(Quantifier::Some, Binary::Release, not_f, not_g),
                    Binary::Release => self.part(Part::Until(not_f, not_g)),
                    Binary::WeakUntil => {
                        let neither = self.part(Part::And(not_f, not_g));
                        self.part(Part::Until(not_g, neither))
                    }
                };
                self.part(Part::Not(some))
            }
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
    fn the_worked_example() {
        let can = Formula::Unary(Quantifier::Some, Unary::Finally, atom(0));
        let always = Formula::Unary(Quantifier::All, Unary::Globally, Box::new(can));
        let mut core = Core::new();
        assert_eq!(core.enter(&always), 5);
        let parts = [
            Part::Atom(0),
            Part::True,
            Part::Until(1, 0),
            Part::Not(2),
            Part::Until(1, 3),
            Part::Not(4),
        ];
        assert_eq!(core.parts, parts);
        assert_eq!(always.text(&["x == 0".to_owned()]), "AG EF (x == 0)");
        // What is there already is found again.
        assert_eq!(core.enter(&always), 5);
        assert_eq!(core.parts.len(), 6);
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
