//! Permutations of events that somebody wrote down, in place of those that a model offers.
//!
//! A line `(a.1 a.2)(b.1 b.2)` names events; events that are not named stay. Each line is certified
//! on the network of each assertion like any other permutation; one that is none is refused.

use crate::given::{GivenText, Points};
use base::{Diagnostic, Diagnostics, Span, quote};
use model::network::Label;
use model::network::claim::{Claim, FamilyText, Offered, Offers};

/// What was written down, for a claim.
pub struct ChosenByHand {
    permutations: Vec<Offered>,
    /// Where each stands.
    spans: Vec<Span>,
}

const NOTE: &str = "names are those of events, such as a.1";

impl ChosenByHand {
    /// The permutations of the events of a claim; or what is wrong with them.
    pub fn new(text: &GivenText, claim: &Claim<'_>) -> Result<ChosenByHand, Diagnostic> {
        let n_events = claim.process.names().len() as u32;
        let mut points = Points::new();
        for event in 0..n_events {
            let known = points.entry(claim.names.label(Label::event(event)));
            let known = known.or_insert(Some(event));
            *known = known.filter(|known| *known == event);
        }
        let mut found = Diagnostics::new();
        let given = text.cycles(&points, NOTE, &mut found);
        if let Some(why) = found.sorted().into_iter().next() {
            return Err(why);
        }
        let spans = given.iter().map(|given| given.span).collect();
        let permutations = given.into_iter().map(|given| {
            let mut image: Vec<u32> = (0..n_events).collect();
            for (from, to) in given.named {
                image[from as usize] = to;
            }
            (given.text, image)
        });
        Ok(ChosenByHand {
            permutations: permutations.collect(),
            spans,
        })
    }

    /// What is said of the first that is no symmetry of a claim, by name and reason.
    pub fn objection(&self, refused: &[(String, String)]) -> Option<Diagnostic> {
        let all = self.permutations.iter().zip(&self.spans);
        let mut all = all.filter_map(|((name, _), span)| {
            let (_, reason) = refused.iter().find(|(other, _)| other == name)?;
            let message = format!("{} cannot be used: {reason}", quote(name));
            Some(Diagnostic::error(*span, message))
        });
        all.next()
    }
}

impl Offers for ChosenByHand {
    fn families(&self) -> Vec<FamilyText> {
        vec![FamilyText {
            name: "generators that were given".to_owned(),
            members: Vec::new(),
            is_sort: false,
            lines: Vec::new(),
        }]
    }

    fn is_chosen(&self) -> bool {
        true
    }

    fn overlap(&self, a: usize, b: usize) -> bool {
        a == b
    }

    fn n_exchanges(&self, _: usize) -> usize {
        0
    }

    fn pairs(&self, _: usize) -> Vec<(usize, usize)> {
        Vec::new()
    }

    fn pairs_apart(&self, _: usize, _: usize) -> Vec<(usize, usize)> {
        Vec::new()
    }

    fn exchange(&self, _: usize, _: (usize, usize), _: &dyn Fn(u32) -> bool) -> Option<Offered> {
        None
    }

    fn exchange_name(&self, _: usize, _: (usize, usize)) -> String {
        String::new()
    }

    fn is_held(&self, _: usize, _: (usize, usize), _: &dyn Fn(u32) -> bool) -> bool {
        false
    }

    fn turns(&self, _: usize, _: &dyn Fn(u32) -> bool) -> Vec<Offered> {
        self.permutations.clone()
    }
}
