//! Assertions about processes, one after the other.
//!
//! The model evaluates each and puts what it claims to a search of pairs, perhaps several times;
//! then `not` is minded. What cannot be evaluated is a mistake in the model, told with its place,
//! and the others are answered nevertheless. Normal forms are kept, because assertions of a model
//! are often about the same specification.

mod again;
mod chosen;
mod measured;
mod recorded;
mod shown;

pub mod reducer;

pub use measured::{Prepared, Unready};

use crate::conduct::{Conducted, Conductor, told};
use crate::detect::Detect;
use crate::plan::{CheckPlan, Listing, PROGRESS_EVERY};
use base::{Diagnostic, Over, Severity};
use check::refinement::audit::Audited;
use check::refinement::normal::Normal;
use check::refinement::twist::{PairReducer, Untwisted};
use check::refinement::{self, Limits, Model, Outcome, Setting, Unknown, Verdict};
use check::{Guarantee, Observer, StopReason, Work};
use chosen::ChosenByHand;
use model::frontend::{Asks, AssertedText, AssertionQuestion, Obstacle};
use model::network::Network;
use model::network::claim::{Against, Claim, Semantics};
use recorded::Contradiction;
use reduce::network::Algorithm;
use reducer::{Beside, Chosen, Unfit};
use report::object::Print;
use report::reasons::Uncounted;
use report::{OwnSearch, RequestedCheck, Summary, Violated};
use std::collections::HashMap;
use std::rc::Rc;
use std::time::Instant;

/// How many states a specification may have, before and after it is made normal.
const SPEC_STATES_MAX: u64 = 50_000_000;

/// Checks the assertions that are asked for.
pub fn check(conductor: &Conductor<'_>, observer: &mut Observer<'_>) -> Conducted {
    let start = Instant::now();
    let plan = conductor.plan;
    conductor.listener.phase("assertions were checked");
    let mut session = Session::new(plan);
    // Single assertions are asked for without what is printed besides.
    let prints = if plan.asked.not_asked.is_empty() {
        session.prints()
    } else {
        Vec::new()
    };
    let mut properties = Vec::new();
    for &number in &plan.asked.formulas {
        properties.push(session.answer(number, observer));
    }
    let request = RequestedCheck::of_rest(told(&*plan.model), Vec::new());
    let mut summary = Summary::of_assertions(request, properties);
    summary.stop_reason = session.stop_reason;
    summary.prints = prints;
    summary.notes.extend(plan.model.about().notes);
    summary.not_asked.clone_from(&plan.asked.not_asked);
    summary.times.load = plan.load;
    summary.times.total = plan.load + start.elapsed();
    if let Err(lost) = recorded::write(plan, session.contradiction.as_ref()) {
        session.mistakes.push(lost);
    }
    let mistakes = session.mistakes;
    Conducted {
        summary,
        is_wrong: mistakes.iter().any(|d| d.severity == Severity::Error),
        found: mistakes,
        is_refused: false,
    }
}

/// A model while its assertions are checked.
struct Session<'p> {
    plan: &'p CheckPlan,
    normal: HashMap<(usize, Semantics), Rc<Normal>>,
    stop_reason: Option<StopReason>,
    mistakes: Vec<Diagnostic>,
    /// Why the last claim was not answered, where that is known here alone.
    unanswered: Option<Unanswered>,
    /// The first counterexample.
    contradiction: Option<Contradiction>,
}

/// Why a claim was not answered.
enum Unanswered {
    Stopped(StopReason),
    Limit(String),
    Unfit(Unfit),
}

/// What was looked at again after a search, in words.
#[derive(Default)]
struct Again {
    audit: Option<String>,
    self_check: Option<String>,
}

/// What the search for a claim found.
struct Found {
    /// Why representatives were chosen so, if that was left open.
    why: Option<String>,
    outcome: Outcome,
    symmetry: report::Symmetry,
    again: Again,
    shown: Option<Violated>,
    components: Vec<String>,
    contradiction: Option<Contradiction>,
}

/// The model of CSP in which a search compares.
pub fn model_of(semantics: Semantics) -> Model {
    match semantics {
        Semantics::Traces => Model::Traces,
        Semantics::Failures => Model::Failures,
        Semantics::FailuresDivergences => Model::FailuresDivergences,
    }
}

/// How far searches of pairs may go.
pub fn limits(plan: &CheckPlan) -> Limits<'static> {
    Limits {
        spec_states_max: SPEC_STATES_MAX,
        pairs_max: None,
        depth_max: plan.how.depth_max,
        memory_bytes_max: plan.how.memory_bytes_max,
        clock: plan.how.clock,
        progress_every: PROGRESS_EVERY,
    }
}

impl<'p> Session<'p> {
    fn new(plan: &'p CheckPlan) -> Session<'p> {
        Session {
            plan,
            normal: HashMap::new(),
            stop_reason: None,
            mistakes: Vec::new(),
            unanswered: None,
            contradiction: None,
        }
    }

    /// What the model prints.
    fn prints(&mut self) -> Vec<Print> {
        let mut all = Vec::new();
        for printed in self.plan.model.prints() {
            let value = printed.value.map_err(|obstacle| self.keep(obstacle));
            all.push(Print {
                line: printed.line,
                value: value.ok(),
            });
        }
        all
    }

    /// An assertion, and what was found.
    fn answer(&mut self, number: usize, observer: &mut Observer<'_>) -> report::Property {
        let start = Instant::now();
        let question = &self.plan.model.questions()[number];
        let Asks::Assertion(asked) = &question.asks else {
            unreachable!("a model of processes has assertions only");
        };
        let mut text = AssertedText {
            kind: "refinement",
            semantics: None,
            is_negated: asked.is_negated,
            note: None,
        };
        let mut found = None;
        let holds = self.plan.model.assertion(number, &mut text, &mut |claim| {
            found = Some(self.search(claim, number, observer)?);
            Ok(found.as_ref().and_then(Found::holds))
        });
        let mut property = report::Property::unanswered(&*question.name, text.kind);
        property.reason = text.note;
        let (holds, found) = match holds {
            Ok(holds) => (holds, found),
            Err(obstacle) => {
                property.reason = Some(self.open(obstacle, asked));
                (None, None)
            }
        };
        let holds = holds.map(|holds| holds != text.is_negated);
        property.verdict = match holds {
            Some(true) => report::Verdict::Holds,
            Some(false) => report::Verdict::Violated,
            None => report::Verdict::Unknown,
        };
        if text.is_negated && holds == Some(false) {
            property.reason = Some("what `not` denies holds".to_owned());
        }
        property.assertion = Some(report::ReportedAssertion {
            number: number + 1,
            line: asked.line,
            is_negated: text.is_negated,
            semantics: text.semantics,
            components: found
                .as_ref()
                .map_or_else(Vec::new, |found| found.components.clone()),
        });
        if let Some(found) = found {
            self.tell(&mut property, found);
        }
        if let Some(search) = &mut property.search {
            search.elapsed = start.elapsed();
        }
        property
    }

    /// Puts what the search for an assertion found into it.
    fn tell(&mut self, told: &mut report::Property, found: Found) {
        let counts = &found.outcome.counts;
        told.search = Some(OwnSearch {
            counts: check::Counts {
                n_states: counts.n_pairs,
                n_transitions: counts.n_transitions,
                depth: counts.depth,
            },
            n_full: again::full(&found.outcome).ok().map(|n| n.to_string()),
            n_normal: Some(counts.n_normal),
            order: found.symmetry.order.clone(),
            order_without: None,
            n_claim_states: None,
            fairness: None,
            is_safety: None,
            peak_bytes: found.outcome.peak_bytes,
            elapsed: found.outcome.elapsed,
        });
        told.symmetry = Some(found.symmetry);
        told.notes.extend(found.why);
        (told.audit, told.self_check) = (found.again.audit, found.again.self_check);
        if let Verdict::Unknown(unknown) = found.outcome.verdict {
            told.reason = Some(unknown.to_string());
        }
        match told.verdict {
            report::Verdict::Holds => told.shown = found.shown,
            report::Verdict::Violated => {
                self.contradiction = self.contradiction.take().or(found.contradiction);
                told.violations.extend(found.shown);
            }
            _ => told.violations.extend(found.shown),
        }
    }

    /// One search of pairs, and what is looked at again.
    fn search(
        &mut self,
        claim: &Claim<'_>,
        number: usize,
        observer: &mut Observer<'_>,
    ) -> Result<Found, Obstacle> {
        let normal = self.normal(claim)?;
        let beside = match (&normal, claim.against) {
            (Some(normal), _) => Beside::Spec(normal),
            (
                None,
                Against::DeadlockFree(_) | Against::DivergenceFree | Against::Deterministic(_),
            ) => Beside::Nothing,
            // A trace is rarely the same after an exchange.
            (None, _) => Beside::Unknown,
        };
        let how = &self.plan.how;
        let mut chosen = self.chosen(claim, beside)?;
        let mut run = |reducer: &mut dyn PairReducer| {
            let mut setting = Setting {
                reducer,
                limits: limits(self.plan),
                observer: &mut *observer,
            };
            let outcome = compared(claim, normal.as_deref(), &mut setting);
            outcome.unwrap_or_else(|broken| panic!("{broken}"))
        };
        let mut again = Again::default();
        let outcome = match chosen.joint.as_ref().filter(|_| how.audit) {
            None => run(&mut *chosen.reducer),
            Some(joint) => {
                let mut audited = Audited::new(&mut *chosen.reducer, joint);
                let outcome = run(&mut audited);
                again.audit = Some(again::audited(audited.finish(), joint.names().len()));
                outcome
            }
        };
        if how.audit && again.audit.is_none() {
            again.audit = Some("there is no symmetry".to_owned());
        }
        if how.self_check {
            let plain = run(&mut Untwisted);
            again.self_check = Some(again::compared(&outcome, &plain));
        }
        if let Verdict::Unknown(unknown) = outcome.verdict {
            self.stop_reason = self.stop_reason.or(stop_reason(unknown));
        }
        let full = how.count_full.then(|| again::full(&outcome));
        let is_read = how.details == Listing::Shown;
        let n_names = claim.process.names().len() + claim.process.leaves().len();
        let structure = is_read.then(|| chosen.structure(n_names)).flatten();
        let shown = shown::shown(claim.names, &outcome.verdict);
        Ok(Found {
            why: chosen.why.take(),
            contradiction: Contradiction::of(claim, number, &outcome.verdict, shown.as_ref()),
            symmetry: report::Symmetry {
                structure,
                guarantee: guarantee(claim, chosen.algorithm),
                ..symmetry(chosen, full)
            },
            components: claim.names.components().to_vec(),
            outcome,
            again,
            shown,
        })
    }

    /// The symmetry that a claim is searched with.
    fn chosen(&mut self, claim: &Claim<'_>, beside: Beside<'_>) -> Result<Chosen, Obstacle> {
        let mistake = |why: Diagnostic| Obstacle::Mistake(Box::new(why));
        let by_hand = match &self.plan.detect {
            Detect::OfAssertions(text) => Some(ChosenByHand::new(text, claim).map_err(mistake)?),
            _ => None,
        };
        let claim = &match &by_hand {
            Some(offers) => Claim { offers, ..*claim },
            None => *claim,
        };
        let chosen = reducer::reducer(claim, beside, self.plan.how.pairs);
        let chosen = chosen.map_err(|unfit| {
            self.unanswered = Some(Unanswered::Unfit(unfit));
            Obstacle::Unanswered
        })?;
        let by_hand = by_hand.as_ref();
        match by_hand.and_then(|by_hand| by_hand.objection(&chosen.refused)) {
            Some(why) => Err(mistake(why)),
            None => Ok(chosen),
        }
    }

    /// The normal form of the specification of a claim, if it has one.
    fn normal(&mut self, claim: &Claim<'_>) -> Result<Option<Rc<Normal>>, Obstacle> {
        let Against::Specification {
            network,
            number,
            semantics,
        } = claim.against
        else {
            return Ok(None);
        };
        if let Some(known) = self.normal.get(&(number, semantics)) {
            return Ok(Some(known.clone()));
        }
        let normal = refinement::normalise(network, model_of(semantics), limits(self.plan));
        let normal = Rc::new(normal.map_err(|unknown| {
            self.unanswered = Some(match stop_reason(unknown) {
                Some(reason) => Unanswered::Stopped(reason),
                None => Unanswered::Limit(unknown.to_string()),
            });
            Obstacle::Unanswered
        })?);
        self.normal.insert((number, semantics), normal.clone());
        Ok(Some(normal))
    }

    fn stopped(&self, over: Option<Over>) -> StopReason {
        let over = over.or_else(|| self.plan.how.clock.ask().err());
        over.map_or(StopReason::Time, StopReason::from)
    }

    /// Puts into words why an assertion has no verdict, and keeps what is to be told with a place.
    fn open(&mut self, obstacle: Obstacle, asked: &AssertionQuestion) -> String {
        let obstacle = match (obstacle, self.unanswered.take()) {
            (Obstacle::Unanswered, Some(Unanswered::Stopped(reason))) => {
                self.stop_reason = self.stop_reason.or(Some(reason));
                return report::reason_words(reason).to_owned();
            }
            (Obstacle::Unanswered, Some(Unanswered::Limit(words))) => return words,
            (Obstacle::Unanswered, Some(Unanswered::Unfit(unfit))) => {
                Obstacle::Unsupported(unfit.words())
            }
            (obstacle, _) => obstacle,
        };
        let obstacle = match obstacle {
            Obstacle::Mistake(said) if said.labels.is_empty() => {
                Obstacle::Mistake(Box::new(Diagnostic::error(asked.span, said.message)))
            }
            Obstacle::Unsupported(words) => {
                Obstacle::Missing(Box::new(Diagnostic::warning(asked.span, words)))
            }
            other => other,
        };
        let words = match &obstacle {
            Obstacle::Mistake(said) => format!("it cannot be evaluated: {}", said.message),
            Obstacle::Stopped(over) => report::reason_words(self.stopped(*over)).to_owned(),
            other => other.to_string(),
        };
        self.keep(obstacle);
        words
    }

    /// Keeps what is to be told of something that was not worked out.
    fn keep(&mut self, obstacle: Obstacle) {
        match obstacle {
            Obstacle::Mistake(said) | Obstacle::Missing(said) if self.mistakes.contains(&said) => {}
            Obstacle::Mistake(said) => self.mistakes.push(*said),
            Obstacle::Missing(mut said) => {
                said.severity = Severity::Warning;
                self.mistakes.push(*said);
            }
            Obstacle::Stopped(over) => {
                let reason = self.stopped(over);
                self.stop_reason = self.stop_reason.or(Some(reason));
            }
            Obstacle::Spent(_) => {
                self.stop_reason = self.stop_reason.or(Some(StopReason::Memory));
            }
            Obstacle::Unsupported(_) | Obstacle::Limit(_) | Obstacle::Unanswered => {}
        }
    }
}

impl Found {
    fn holds(&self) -> Option<bool> {
        match self.outcome.verdict {
            Verdict::Holds(_) => Some(true),
            Verdict::Violated(_) => Some(false),
            Verdict::Unknown(_) => None,
        }
    }
}

/// Compares a process with what is claimed of it.
fn compared(
    claim: &Claim<'_>,
    normal: Option<&Normal>,
    setting: &mut Setting<'_>,
) -> Result<Outcome, refinement::Broken> {
    let process: &Network = claim.process;
    match (claim.against, normal) {
        (_, Some(normal)) => refinement::refines_normal(normal, process, setting),
        (Against::DeadlockFree(semantics), None) => {
            refinement::deadlock_free(process, model_of(semantics), setting)
        }
        (Against::DivergenceFree, None) => refinement::divergence_free(process, setting),
        (Against::Deterministic(semantics), None) => {
            refinement::deterministic(process, model_of(semantics), setting)
        }
        (Against::Trace { events, semantics }, None) => {
            refinement::has_trace(process, events, model_of(semantics), setting)
        }
        (Against::Specification { .. }, None) => {
            unreachable!("a specification has a normal form")
        }
    }
}

/// Whether one pair is kept of each orbit.
fn guarantee(claim: &Claim<'_>, algorithm: Algorithm) -> Guarantee {
    match (claim.against, algorithm) {
        (Against::Deterministic(_), _) | (_, Algorithm::SymCheck3 | Algorithm::Descent) => {
            Guarantee::Approximate
        }
        _ => Guarantee::Exact,
    }
}

/// What is told of the symmetry of a search, with the pairs that there are without it.
fn symmetry(chosen: Chosen, full: Option<Result<u128, Uncounted>>) -> report::Symmetry {
    let refused = chosen.refused.into_iter();
    let refused = refused.map(|(name, why)| report::Rejected::new(name, why, 0));
    report::Symmetry {
        order: chosen.order,
        structure: None,
        generators: chosen.generators,
        strategy: chosen.algorithm.name().to_owned(),
        guarantee: Guarantee::Exact,
        advice: None,
        taken_apart: None,
        full_states: full.map(|counted| counted.map(|n| n.to_string())),
        n_orbits: None,
        n_partitions: None,
        work: Work::default(),
        detect: None,
        details: Some(report::Details {
            rejected: refused.collect(),
            ..report::Details::default()
        }),
        partial: None,
    }
}

/// The limit of the command line that was reached, if it was one.
fn stop_reason(unknown: Unknown) -> Option<StopReason> {
    match unknown {
        Unknown::Stopped(reason) => Some(reason),
        Unknown::Depth(_) => Some(StopReason::Depth),
        Unknown::Pairs(_) | Unknown::Specification(_) | Unknown::Normal(_) => None,
    }
}
