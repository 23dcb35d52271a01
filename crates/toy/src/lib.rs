//! A small language, as an example of a front end: equal processes with guarded commands.
//!
//! ```text
//! processes 3                            -- their number; they are interchangeable
//! global free = 1                        -- a number that all share, 0 to 255
//! own at = 0                             -- a number that each has
//! rule at == 0 && free == 1 -> at := 1 , free := 0
//! rule at == 1 -> at := 0 , free := 1
//! assert free + at <= 1                  -- after each rule above
//! ltl back { [] <> { free == 1 } }       -- atoms stand in braces
//! ```
//!
//! Words and signs are separated by blanks. `me` is the number of the process itself, from 0; a
//! global can hold it (`owner := me`). Nothing here knows searches, symmetry or output: the text
//! becomes a [`Model`] of processes, one process type with one location, and a rule is a step.

mod parse;

use base::{Diagnostics, Sources};
use model::processes::language::{Accepted, Include, Lowered, ProcessLanguage, Texts};
use model::processes::program::Model;
use model::processes::property::Property;

/// The language.
pub struct Toy;

/// A text that was read.
struct Program {
    model: Model,
    properties: Vec<Property>,
}

impl ProcessLanguage for Toy {
    fn language(&self) -> &'static str {
        "toy"
    }

    fn endings(&self) -> &'static [&'static str] {
        &["toy"]
    }

    fn models(&self) -> &'static str {
        "toy models"
    }

    fn read(
        &self,
        given: &Texts<'_>,
        sources: &mut Sources,
        include: &mut Include<'_>,
        found: &mut Diagnostics,
    ) -> Option<Box<dyn Accepted>> {
        let program = parse::read(given.first, sources, include, found);
        (!found.has_errors()).then(|| Box::new(program) as Box<dyn Accepted>)
    }
}

impl Accepted for Program {
    fn parts(&self) -> Vec<(&'static str, usize)> {
        vec![
            ("processes", self.model.population.len()),
            ("rules", self.model.steps.len()),
            ("formulas", self.properties.len()),
        ]
    }

    fn lower(&self, _: &Sources, _: &mut Diagnostics) -> Option<Lowered> {
        Some(Lowered {
            model: self.model.clone(),
            properties: self.properties.clone(),
        })
    }
}
