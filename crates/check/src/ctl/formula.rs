//! Formulas of branching time as they are evaluated.
//!
//! A [`Core`] is a formula in few operators, each part once, those inside before those around them.
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
//! | `AY f` | `!(first \|\| EY !f)`: it is false of a state where runs begin |
//! | `EO f`, `AH f` | `E[true since f]`, `!E[true since !f]` |
//! | `AO f` | `!EH !f` |
//! | `A[f since g]` | `!(E[!g since (!f && !g)] \|\| EH !g)` |
//! | `A(ψ)` | `!E(!ψ)` |
//!
//! Where runs have to be fair, `EX f` is `EX (f && E(true))`, `E[f U g]` is `E[f U (g && E(true))]`
//! and `EG f` is `E(G f)`, and `E(ψ)` is about fair runs.
//!
//! Worked example: `AG EF p` is `!E[true U !E[true U p]]`: the parts are `true`, `p`,
//! `E[true U p]`, its negation, `E[true U …]`, its negation.
//!
//! Source: Clarke, Emerson and Sistla 1986; the operators `W` and `R` by their expansions.

use std::collections::HashMap;
use system::branching::{Binary, Formula, Quantifier, Unary};
use system::formula::Formula as LinearFormula;

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
    /// Runs begin here.
    First,
    /// `EY f`
    Before(usize),
    /// `E[f since g]`
    Since(usize, usize),
    /// `EH f`
    SomeHistory(usize),
    /// There is a run as [`Core::runs`] says.
    Run(usize),
    /// A closed formula with fixpoints, of [`Core::fixpoints`].
    Fixpoint(usize),
}

/// What is asked of a run from a state on.
#[derive(Clone, PartialEq, Debug)]
pub struct RunPart {
    /// A formula of linear time.
    pub formula: LinearFormula,
    /// By atom of that: which part it is.
    pub atoms: Vec<usize>,
}

/// A formula in few operators, and all that is asked of it on the way to an explanation.
#[derive(Default, Debug)]
pub struct Core {
    /// The parts, those inside before those around them.
    pub parts: Vec<Part>,
    /// What is asked of runs.
    pub runs: Vec<RunPart>,
    /// Formulas with fixpoints.
    pub fixpoints: Vec<Formula>,
    /// Whether runs have to be fair.
    pub is_fair: bool,
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
            Formula::Runs(quantifier, formula, all) => {
                let atoms = all.iter().map(|f| self.enter(f)).collect();
                match quantifier {
                    Quantifier::Some => self.run((**formula).clone(), atoms),
                    Quantifier::All => {
                        let wrong = LinearFormula::Not(formula.clone());
                        let run = self.run(wrong, atoms);
                        self.part(Part::Not(run))
                    }
                }
            }
            Formula::Fixpoint(..) => {
                let known = self.fixpoints.iter().position(|known| known == formula);
                let number = known.unwrap_or_else(|| {
                    self.fixpoints.push(formula.clone());
                    self.fixpoints.len() - 1
                });
                self.part(Part::Fixpoint(number))
            }
            Formula::Variable(_) => unreachable!("a formula is closed"),
        }
    }

    /// There is a run that satisfies this.
    fn run(&mut self, formula: LinearFormula, atoms: Vec<usize>) -> usize {
        let asked = RunPart { formula, atoms };
        let known = self.runs.iter().position(|known| *known == asked);
        let number = known.unwrap_or_else(|| {
            self.runs.push(asked);
            self.runs.len() - 1
        });
        self.part(Part::Run(number))
    }

    /// Where a part is so and a run that counts begins.
    fn counted(&mut self, f: usize) -> usize {
        if !self.is_fair {
            return f;
        }
        let begins = self.run(LinearFormula::And(Vec::new()), Vec::new());
        self.part(Part::And(f, begins))
    }

    fn next(&mut self, f: usize) -> usize {
        let f = self.counted(f);
        self.part(Part::Next(f))
    }

    fn until(&mut self, f: usize, g: usize) -> usize {
        let g = self.counted(g);
        self.part(Part::Until(f, g))
    }

    fn globally(&mut self, f: usize) -> usize {
        if !self.is_fair {
            return self.part(Part::Globally(f));
        }
        let always = LinearFormula::Always(Box::new(LinearFormula::Atom(0)));
        self.run(always, vec![f])
    }

    fn unary(&mut self, quantifier: Quantifier, unary: Unary, f: usize) -> usize {
        let yes = self.part(Part::True);
        match (quantifier, unary) {
            (Quantifier::Some, Unary::Next) => self.next(f),
            (Quantifier::Some, Unary::Finally) => self.until(yes, f),
            (Quantifier::Some, Unary::Globally) => self.globally(f),
            (Quantifier::Some, Unary::Yesterday) => self.part(Part::Before(f)),
            (Quantifier::Some, Unary::Once) => self.part(Part::Since(yes, f)),
            (Quantifier::Some, Unary::Historically) => self.part(Part::SomeHistory(f)),
            (Quantifier::All, Unary::Yesterday) => {
                let not = self.part(Part::Not(f));
                let (first, before) = (self.part(Part::First), self.part(Part::Before(not)));
                let fails = self.part(Part::Or(first, before));
                self.part(Part::Not(fails))
            }
            (Quantifier::All, unary) => {
                let not = self.part(Part::Not(f));
                let dual = match unary {
                    Unary::Next => Unary::Next,
                    Unary::Finally => Unary::Globally,
                    Unary::Globally => Unary::Finally,
                    Unary::Yesterday => unreachable!("as above"),
                    Unary::Once => Unary::Historically,
                    Unary::Historically => Unary::Once,
                };
                let some = self.unary(Quantifier::Some, dual, not);
                self.part(Part::Not(some))
            }
        }
    }

    fn binary(&mut self, quantifier: Quantifier, binary: Binary, f: usize, g: usize) -> usize {
        match (quantifier, binary) {
            (Quantifier::Some, Binary::Until) => self.until(f, g),
            (Quantifier::Some, Binary::WeakUntil) => {
                let (until, always) = (self.until(f, g), self.globally(f));
                self.part(Part::Or(until, always))
            }
            (Quantifier::Some, Binary::Release) => {
                let both = self.part(Part::And(f, g));
                self.binary(Quantifier::Some, Binary::WeakUntil, g, both)
            }
            (Quantifier::Some, Binary::Since) => self.part(Part::Since(f, g)),
            (Quantifier::All, binary) => {
                let (not_f, not_g) = (self.part(Part::Not(f)), self.part(Part::Not(g)));
                let some = match binary {
                    Binary::Until => self.binary(Quantifier::Some, Binary::Release, not_f, not_g),
                    Binary::Release => self.until(not_f, not_g),
                    Binary::WeakUntil => {
                        let neither = self.part(Part::And(not_f, not_g));
                        self.until(not_g, neither)
                    }
                    Binary::Since => {
                        let neither = self.part(Part::And(not_f, not_g));
                        let (since, never) = (
                            self.part(Part::Since(not_g, neither)),
                            self.part(Part::SomeHistory(not_g)),
                        );
                        self.part(Part::Or(since, never))
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
        // What is there already is found again.
        assert_eq!(core.enter(&always), 5);
        assert_eq!(core.parts.len(), 6);
    }
}
