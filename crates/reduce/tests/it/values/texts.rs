//! Texts for tests: one that a model with these symmetries would have, and others.

use base::Clock;
use model::values::{Ground, Objection, Part, Place, Signature, SortId, Text};
use reduce::values::{CertifiedValues, certify};

/// The text of a model in which nothing is named.
pub struct Silent;

impl Text for Silent {
    fn exchange(&self, _: SortId, _: usize, _: usize) -> Result<(), Objection> {
        Ok(())
    }

    fn unnamed(&self, _: SortId) -> Result<(), Objection> {
        Ok(())
    }
}

/// The text of a model whose invariant names these members, each in a place of its own.
pub struct Naming(pub Vec<(SortId, usize)>);

impl Naming {
    fn objects(&self, sort: SortId, is_meant: impl Fn(usize) -> bool) -> Option<Place> {
        let mut named = self.0.iter();
        let found = named.any(|(of, member)| *of == sort && is_meant(*member));
        found.then_some(Place {
            part: Part::Invariant,
            refined: None,
            span: None,
        })
    }
}

impl Text for Naming {
    fn exchange(&self, sort: SortId, a: usize, b: usize) -> Result<(), Objection> {
        match self.objects(sort, |member| member == a || member == b) {
            Some(place) => Err(Objection::Changed(place)),
            None => Ok(()),
        }
    }

    fn unnamed(&self, sort: SortId) -> Result<(), Objection> {
        match self.objects(sort, |_| true) {
            Some(place) => Err(Objection::Named(place)),
            None => Ok(()),
        }
    }
}

/// What is certified of a model whose text has no objections.
pub fn agreed(signature: &Signature, grounds: &[Ground]) -> CertifiedValues {
    certify(signature, grounds, &Silent, Clock::ENDLESS)
}
