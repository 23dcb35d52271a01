//! Assertions about chased processes: an answer that does not depend on which τ `chase` follows.
//!
//! Where it matters, a chased process is read in ways that are known to be refined by it, or to
//! refine it, whatever the choice (`crate::compress::chase`):
//!
//! - what refines something with every τ kept, refines it chased; the same for freedom of deadlock
//!   and divergence and for determinism, which processes inherit that refine others;
//! - what is done or refused where nothing depends on a choice, is done or refused chased.
//!
//! If that does not decide, every choice is tried, if there are few: one τ for each state, each
//! time the process is in it. Otherwise the assertion is unknown.
//!
//! ```text
//! P = a -> STOP |~| b -> STOP     chase(P) is a -> STOP or b -> STOP
//! RUN({a, b}) [T= chase(P)        holds with every τ kept
//! chase(P) :[deterministic]       holds for either choice
//! a -> STOP [T= chase(P)          unknown: holds for one choice, is violated for the other
//! ```

use super::claims::{ClaimRequest, ScriptSession};
use crate::ast::{Property, Semantics};
use crate::compile::called;
use crate::eval::EvaluatedClaim;
use crate::operate::{ChaseReading, Unsettled};
use base::quote;
use model::frontend::{AssertedText, Obstacle};

/// How many choices are tried.
const CHOICES_MAX: usize = 64;

impl ScriptSession {
    /// Checks what an assertion claims, whichever τ `chase` follows.
    pub(super) fn check_chased(
        &mut self,
        index: usize,
        told: &mut AssertedText,
        asked: &mut ClaimRequest<'_, '_>,
    ) -> Result<Option<bool>, Obstacle> {
        // What other assertions met is of no interest to this one.
        self.read_as(ChaseReading::Every);
        let claim = self.claim(index, told)?;
        let found = self.check(&claim, asked)?;
        let Some(unsettled) = self.unsettled()? else {
            return Ok(found);
        };
        if self.is_sure(&claim, found) {
            return Ok(found);
        }
        if let Some(found) = self.every_choice(&claim, unsettled, told, asked)? {
            return Ok(found);
        }
        if let Some(weaker) = weaker(&claim).filter(|_| !self.is_spec_unsettled) {
            self.read_as(ChaseReading::Nothing);
            let found = self.check(&weaker, asked)?;
            let is_trace = matches!(claim, EvaluatedClaim::HasTrace { .. });
            if found == Some(is_trace) {
                return Ok(found);
            }
        }
        let place = self.place(unsettled);
        Err(Obstacle::Limit(format!(
            "it may depend on which τ `chase` follows {place}, and there are more than \
             {CHOICES_MAX} ways to choose"
        )))
    }

    /// Whether the answer with every τ kept is the answer for every choice.
    fn is_sure(&self, claim: &EvaluatedClaim, holds: Option<bool>) -> bool {
        let Some(holds) = holds else { return true };
        match claim {
            EvaluatedClaim::Truth(_) => true,
            EvaluatedClaim::Refines { .. } => holds && !self.is_spec_unsettled,
            EvaluatedClaim::Has { .. } => holds,
            // Without refusals a trace may be lost by a choice, but none is won.
            EvaluatedClaim::HasTrace { model, .. } => match model {
                None | Some(Semantics::Traces) => !holds,
                Some(_) => holds,
            },
        }
    }

    /// The answer, if it is the same for every choice; nothing if there are too many.
    fn every_choice(
        &mut self,
        claim: &EvaluatedClaim,
        unsettled: Unsettled,
        told: &mut AssertedText,
        asked: &mut ClaimRequest<'_, '_>,
    ) -> Result<Option<Option<bool>>, Obstacle> {
        let place = self.place(unsettled);
        let mut numbers = Some(Vec::new());
        let mut last: Option<Option<bool>> = None;
        for _ in 0..CHOICES_MAX {
            let Some(next) = numbers else { break };
            self.read_as(ChaseReading::Chosen(next));
            let found = self.check(claim, asked)?;
            self.unsettled()?;
            if found.is_none() {
                return Ok(Some(found));
            }
            if last.is_some_and(|last| last != found) {
                let words = format!("it depends on which τ `chase` follows {place}");
                return Err(Obstacle::Limit(words));
            }
            last = Some(found);
            numbers = following(self.compiler.operator().choices());
        }
        if numbers.is_some() {
            return Ok(None);
        }
        if last == Some(Some(false)) {
            let words = "for whichever τ `chase` follows; what is shown is for one of them";
            told.note = Some(words.to_owned());
        }
        Ok(last)
    }

    /// A chased process whose meaning depends on which τ is followed, if there is one.
    fn unsettled(&mut self) -> Result<Option<Unsettled>, Obstacle> {
        let all = self.compiler.operator().unsettled();
        let (first, endless) = (all.first(), all.iter().find(|u| u.is_endless));
        let (first, endless) = (first.copied(), endless.copied());
        match endless {
            None => Ok(first),
            Some(endless) => {
                let place = self.place(endless);
                let words = format!("`chase` follows τ for ever {place}");
                Err(Obstacle::Limit(words))
            }
        }
    }

    /// Where it matters, in words.
    fn place(&self, unsettled: Unsettled) -> String {
        let name = |term| quote(&called(term, &self.terms, &self.script));
        let (process, state) = (name(unsettled.process), name(unsettled.state));
        if process == state {
            format!("in {process}")
        } else {
            format!("in {state}, a state of {process}")
        }
    }
}

/// A claim whose counterexample, or whose trace, is found where no choice matters.
fn weaker(claim: &EvaluatedClaim) -> Option<EvaluatedClaim> {
    match claim {
        EvaluatedClaim::Refines { model, .. } => {
            let is_stable = matches!(model, Semantics::Traces | Semantics::Failures);
            is_stable.then(|| claim.clone())
        }
        EvaluatedClaim::Has {
            process,
            property: property @ (Property::DeadlockFree | Property::Deterministic),
            ..
        } => Some(EvaluatedClaim::Has {
            process: *process,
            property: *property,
            model: Some(Semantics::Failures),
        }),
        EvaluatedClaim::HasTrace { model, .. } => {
            matches!(model, None | Some(Semantics::Traces)).then(|| claim.clone())
        }
        EvaluatedClaim::Has { .. } | EvaluatedClaim::Truth(_) => None,
    }
}

/// The choices after these, in the order of the dictionary.
fn following(choices: &[(usize, usize)]) -> Option<Vec<usize>> {
    let last = choices.iter().rposition(|(number, n)| number + 1 < *n)?;
    let kept = choices[..last].iter().map(|choice| choice.0);
    Some(kept.chain([choices[last].0 + 1]).collect())
}

#[cfg(test)]
mod tests {
    use super::following;

    #[test]
    fn choices_are_counted_up() {
        assert_eq!(following(&[]), None);
        assert_eq!(following(&[(0, 2), (0, 3)]), Some(vec![0, 1]));
        assert_eq!(following(&[(0, 2), (2, 3)]), Some(vec![1]));
        assert_eq!(following(&[(1, 2), (2, 3)]), None);
    }
}
