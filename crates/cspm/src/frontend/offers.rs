//! The permutations of values that a script allows, by family.

use super::ScriptTexts;
use super::line;
use crate::alike::{Alike, Family};
use crate::eval::Script;
use model::network::claim::{FamilyText, Offered, Offers};

/// What a script offers for a network.
pub struct AllOffers<'a> {
    alike: Alike<'a>,
    texts: &'a ScriptTexts,
}

impl<'a> AllOffers<'a> {
    /// What the first `n_events` events of a script allow.
    pub fn new(script: &'a Script, n_events: usize, texts: &'a ScriptTexts) -> AllOffers<'a> {
        AllOffers {
            alike: Alike::new(script, n_events),
            texts,
        }
    }

    fn family(&self, family: usize) -> &Family {
        &self.alike.families()[family]
    }
}

impl Offers for AllOffers<'_> {
    fn families(&self) -> Vec<FamilyText> {
        let families = self.alike.families().iter();
        let texts = families.map(|family| {
            let lines = family.declared.iter().map(|span| {
                let is_main = span.source == self.texts.main;
                let file = self.texts.sources.get(span.source).name();
                let file = (!is_main).then(|| file.to_owned());
                (line(*span, &self.texts.sources), file)
            });
            let mut lines: Vec<_> = lines.collect();
            lines.dedup();
            FamilyText {
                name: family.name.clone(),
                members: family.members.clone(),
                is_sort: family.is_sort,
                lines,
            }
        });
        texts.collect()
    }

    fn overlap(&self, a: usize, b: usize) -> bool {
        let (a, b) = (&self.family(a).fields, &self.family(b).fields);
        a.iter().any(|field| b.contains(field))
    }

    fn n_exchanges(&self, family: usize) -> usize {
        self.family(family).n_exchanges()
    }

    fn pairs(&self, family: usize) -> Vec<(usize, usize)> {
        self.alike.pairs(self.family(family))
    }

    fn pairs_apart(&self, family: usize, n_probes: usize) -> Vec<(usize, usize)> {
        self.alike.pairs_apart(self.family(family), n_probes)
    }

    fn exchange(
        &self,
        family: usize,
        pair: (usize, usize),
        alphabet: &dyn Fn(u32) -> bool,
    ) -> Option<Offered> {
        (self.alike).exchange(self.family(family), pair.0, pair.1, alphabet)
    }

    fn exchange_name(&self, family: usize, pair: (usize, usize)) -> String {
        (self.alike).exchange_name(self.family(family), pair.0, pair.1)
    }

    fn is_held(&self, family: usize, pair: (usize, usize), used: &dyn Fn(u32) -> bool) -> bool {
        (self.alike).is_held(self.family(family), pair.0, pair.1, used)
    }

    fn turns(&self, family: usize, alphabet: &dyn Fn(u32) -> bool) -> Vec<Offered> {
        self.alike.turns(self.family(family), alphabet)
    }
}
