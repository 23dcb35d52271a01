//! Why values of a script are interchangeable, or not: the rules of algebra (`crate::explain`) are
//! applied to the processes of an assertion as they are written.

use super::ScriptTexts;
use super::claims::{NumberedNetwork, ScriptSession, property_of, semantics};
use super::mentions::Mentions;
use super::obstacle::faulty;
use super::offers::AllOffers;
use crate::ast::Property;
use crate::compile::called;
use crate::eval::EvaluatedClaim;
use crate::explain::{self, Derivation, DerivationOutcome, DerivationStep, Exact};
use crate::process::{Term, TermId};
use crate::words::names;
use base::{Diagnostic, Span};
use model::frontend::{ExplainedClaim, Obstacle};
use model::network::Bisimulation;
use model::network::claim::{Against, AppliedRule, Claim, Mention, Semantics, Side};

/// How far derivations go.
const RULES: explain::DerivationLimits = explain::DerivationLimits {
    pairs_max: 50_000,
    depth_max: 4_000,
};

/// An assertion whose symmetry is explained.
pub struct ExplainedAssertion<'a> {
    session: &'a mut ScriptSession,
    texts: &'a ScriptTexts,
    mentions: Mentions<'a>,
    place: Span,
    process: (TermId, NumberedNetwork),
    spec: Option<(TermId, NumberedNetwork, Semantics)>,
}

impl<'a> ExplainedAssertion<'a> {
    /// The processes of an assertion, compiled; or why nothing is explained.
    pub fn of(
        session: &'a mut ScriptSession,
        index: usize,
        texts: &'a ScriptTexts,
    ) -> Result<ExplainedAssertion<'a>, Obstacle> {
        let place = session.script.assertion_spans()[index];
        let assertion = session.script.assertion(index, &mut session.terms);
        let claim = assertion.map_err(|fault| faulty(&fault))?.claim;
        let open = |words: &str| Err(Obstacle::Unsupported(words.to_owned()));
        let (spec, process) = match claim {
            EvaluatedClaim::Refines {
                spec,
                implementation,
                model,
            } => {
                let semantics = semantics(model)
                    .map_err(|_| Obstacle::Unsupported("the model is not supported".to_owned()))?;
                (Some((spec, semantics)), implementation)
            }
            EvaluatedClaim::Has { process, .. } => (None, process),
            EvaluatedClaim::HasTrace { .. } => {
                return open("assertions of this kind are checked without symmetry");
            }
            EvaluatedClaim::Truth(_) => return open("it is about no process"),
        };
        let spec = match spec {
            None => None,
            Some((spec, semantics)) => Some((spec, session.network(spec)?, semantics)),
        };
        let process = (process, session.network(process)?);
        Ok(ExplainedAssertion {
            mentions: Mentions::new(&texts.ast, &texts.sources, texts.main),
            session,
            texts,
            place,
            process,
            spec,
        })
    }

    fn term(&self, side: Side) -> Option<TermId> {
        match side {
            Side::Process => Some(self.process.0),
            Side::Specification => self.spec.as_ref().map(|spec| spec.0),
        }
    }

    fn derive(&mut self, process: TermId, events: &[u32]) -> Result<DerivationOutcome, Obstacle> {
        let (terms, script) = (&mut self.session.terms, &mut self.session.script);
        let derivation = Derivation {
            root: process,
            events,
            conditions: &Exact,
            limits: RULES,
        };
        let derived = explain::derive(&derivation, terms, script);
        derived.map_err(|fault| faulty(&fault))
    }

    fn rule(&self, step: &DerivationStep) -> AppliedRule {
        let becomes = (step.to != step.from).then(|| self.name(step.to));
        let process = self.name(step.from);
        AppliedRule {
            depth: step.depth,
            rule: step.rule.name(),
            becomes: becomes.filter(|becomes| *becomes != process),
            process,
            condition: step.condition.clone(),
        }
    }

    fn name(&self, term: TermId) -> String {
        called(term, &self.session.terms, &self.session.script)
    }

    /// Where two definitions differ that would have to be alike.
    fn differing(&mut self, process: TermId, events: &[u32]) -> Option<Span> {
        let Ok(DerivationOutcome::Stuck(obstacle)) = self.derive(process, events) else {
            return None;
        };
        match self.session.terms.get(obstacle.within?.0) {
            Term::Later(later) => self.session.script.later_span(*later),
            _ => None,
        }
    }
}

impl ExplainedClaim for ExplainedAssertion<'_> {
    fn with_claim(&self, look: &mut dyn FnMut(&Claim<'_>)) {
        let process = &*self.process.1.process;
        let names = names(&process.network);
        let words = self.session.words(process, &names, self.texts);
        let n_events = process.network.names().len();
        let offers = AllOffers::new(&self.session.script, n_events, self.texts);
        let against = match &self.spec {
            Some((_, spec, semantics)) => Against::Specification {
                network: &spec.process.network,
                number: spec.number,
                semantics: *semantics,
            },
            None => property_of(Property::DeadlockFree, None).unwrap_or(Against::DivergenceFree),
        };
        look(&Claim {
            process: &process.network,
            against,
            offers: &offers,
            names: &words,
            is_exact: self.session.limits.components_up_to == Bisimulation::Strong,
        });
    }

    fn derivation(
        &mut self,
        side: Side,
        events: &[u32],
    ) -> Option<Result<Vec<AppliedRule>, Diagnostic>> {
        let process = self.term(side)?;
        let why = match self.derive(process, events) {
            Ok(DerivationOutcome::Derived(steps)) => {
                return Some(Ok(steps.iter().map(|step| self.rule(step)).collect()));
            }
            Ok(DerivationOutcome::Stuck(obstacle)) => match obstacle.within {
                Some((from, to)) => {
                    let [from, to] = [from, to].map(|term| self.name(term));
                    format!("{from} does not become {to}: {}", obstacle.words)
                }
                None => obstacle.words,
            },
            Ok(DerivationOutcome::Long) => "it would take too many".to_owned(),
            Err(obstacle) => obstacle.to_string(),
        };
        Some(Err(Diagnostic::unlocated(why)))
    }

    fn mention(&mut self, values: [&str; 2], events: Option<&[u32]>) -> Option<Mention> {
        let mut starts = Vec::new();
        if let Some(events) = events {
            for side in [Side::Process, Side::Specification] {
                let process = self.term(side);
                starts.extend(process.and_then(|process| self.differing(process, events)));
            }
        }
        starts.push(self.place);
        self.mentions.of(&values, &starts)
    }
}
