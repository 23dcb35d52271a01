//! Scripts evaluated: what definitions are worth, which terms processes become, what goes wrong.

mod corpus;
mod faults;
mod laws;
mod noise;
mod processes;
mod shadow;
mod values;

use crate::script;
use cspm::eval::{Fault, Script};
use cspm::process::{LaterId, Term, TermId, Terms, Unfold};
use cspm::value::Value;

/// A script that is loaded, with the table of its terms.
pub struct Loaded {
    pub script: Script,
    pub terms: Terms,
}

/// Loads a text that is right.
#[track_caller]
pub fn load(text: &str) -> Loaded {
    match Script::load(&script::script(text)) {
        Ok(script) => Loaded {
            script,
            terms: Terms::default(),
        },
        Err(found) => panic!("{:?}", found.iter().map(|d| &d.message).collect::<Vec<_>>()),
    }
}

impl Loaded {
    /// What a definition is worth.
    pub fn evaluate(&mut self, name: &str) -> Result<Value, Box<Fault>> {
        let value = self.script.evaluate(name, &mut self.terms);
        value.unwrap_or_else(|| panic!("there is no `{name}`"))
    }

    /// What a definition is worth, as text; a fault as its message.
    pub fn shown(&mut self, name: &str) -> String {
        match self.evaluate(name) {
            Ok(value) => self.script.show(&value, &self.terms),
            Err(fault) => fault.message.clone(),
        }
    }

    /// Works out what is suspended in `root`, until `n_max` processes are; how many there were, or
    /// the first fault.
    pub fn explore(&mut self, root: TermId, n_max: usize) -> Result<usize, Box<Fault>> {
        let mut seen = std::collections::HashSet::from([root]);
        let (mut todo, mut n) = (vec![root], 0);
        while let Some(term) = todo.pop() {
            let mut next = Vec::new();
            if let Term::Later(later) = self.terms.get(term) {
                let later: LaterId = *later;
                if n == n_max {
                    continue;
                }
                n += 1;
                next.push(self.script.unfold(later, &mut self.terms)?);
            } else {
                operands(self.terms.get(term), &mut next);
            }
            todo.extend(next.into_iter().filter(|t| seen.insert(*t)));
        }
        Ok(n)
    }
}

/// The terms inside a term.
pub fn operands(term: &Term, out: &mut Vec<TermId>) {
    match term {
        Term::Prefix(offers) => out.extend(offers.iter().map(|(_, then)| *then)),
        Term::External(all) | Term::Internal(all) => out.extend(all.iter()),
        Term::Parallel(_, all) | Term::SyncExternal(_, all) => out.extend(all.iter()),
        Term::Then(a, b) | Term::Interrupt(a, b) | Term::Slide(a, b) => out.extend([a, b]),
        Term::Exception(a, _, b) | Term::SyncInterrupt(a, _, b) => out.extend([a, b]),
        Term::Hide(a, _) | Term::Rename(a, _) | Term::Compressed(_, a) => out.push(*a),
        Term::Alphabetised(all) => out.extend(all.iter().map(|(_, a)| *a)),
        _ => {}
    }
}
