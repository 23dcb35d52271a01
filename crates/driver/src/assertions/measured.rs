//! A refinement made ready to be searched, for those who measure searches alone.
//!
//! Networks and normal form, then the symmetry, are worked out once, with a clock at each; after
//! that the same search can be made again and again.

use super::reducer::{self, Beside, Chosen};
use super::{limits, model_of};
use crate::plan::CheckPlan;
use base::Clock;
use check::refinement::normal::Normal;
use check::refinement::{self, Limits, Outcome, Setting};
use model::frontend::{AssertedText, Obstacle};
use model::network::Network;
use model::network::claim::{Against, Claim};
use std::time::{Duration, Instant};

/// As many parts of rules may be made as the compiler of scripts allows.
const PARTS_MAX: usize = 20_000_000;

/// A refinement that only has to be searched.
pub struct Prepared {
    process: Network,
    normal: Normal,
    chosen: Chosen,
    limits: Limits<'static>,
    time_max: Option<Duration>,
    /// How long it took to compile both sides.
    pub compiling: Duration,
    /// The part of that which the rules of the process take, made once more.
    pub making_rules: Duration,
    /// How long it took to find the symmetry, and to make ready who chooses representatives.
    pub finding: Duration,
    /// The part of that which making ready takes: closing the group, where it is listed.
    pub closing: Duration,
}

/// Why there is nothing to search.
pub enum Unready {
    /// The algorithm does not fit, for this reason.
    Unfit(String),
    /// Something else.
    Failed(String),
}

impl Prepared {
    /// Makes the first assertion of a plan ready, which has to be a refinement.
    pub fn of(plan: &CheckPlan) -> Result<Prepared, Unready> {
        let failed = |words: &str| Unready::Failed(words.to_owned());
        let start = Instant::now();
        let first = plan.asked.formulas.first();
        let number = *first.ok_or_else(|| failed("no assertion"))?;
        let mut text = AssertedText {
            kind: "refinement",
            semantics: None,
            is_negated: false,
            note: None,
        };
        let mut prepared = Err(failed("it is no refinement"));
        let put = plan.model.assertion(number, &mut text, &mut |claim| {
            prepared = Prepared::of_claim(plan, claim, start);
            // Whoever only measures has seen enough.
            Err(Obstacle::Unanswered)
        });
        match put {
            Err(Obstacle::Unanswered) | Ok(_) => prepared,
            Err(obstacle) => Err(Unready::Failed(obstacle.to_string())),
        }
    }

    fn of_claim(plan: &CheckPlan, claim: &Claim<'_>, start: Instant) -> Result<Prepared, Unready> {
        let Against::Specification {
            network, semantics, ..
        } = claim.against
        else {
            return Err(Unready::Failed("it is no refinement".to_owned()));
        };
        let limits = limits(plan);
        let normal = refinement::normalise(network, model_of(semantics), limits);
        let normal = normal.map_err(|unknown| Unready::Failed(unknown.to_string()))?;
        let compiling = start.elapsed();
        let process = claim.process;
        let start = Instant::now();
        let (names, leaves) = (process.names().clone(), process.leaves().to_vec());
        let again = Network::new(names, leaves, process.tree().clone(), PARTS_MAX);
        let making_rules = start.elapsed();
        drop(again);
        let start = Instant::now();
        let chosen = reducer::reducer(claim, Beside::Spec(&normal), plan.how.pairs);
        let chosen = chosen.map_err(|unfit| Unready::Unfit(unfit.words()))?;
        Ok(Prepared {
            closing: chosen.closing,
            making_rules,
            chosen,
            process: claim.process.clone(),
            normal,
            limits,
            time_max: plan.how.time_max,
            compiling,
            finding: start.elapsed(),
        })
    }

    /// How many symmetries are used.
    pub fn order(&self) -> &str {
        &self.chosen.order
    }

    /// One search.
    pub fn search(&mut self) -> Outcome {
        let mut setting = Setting {
            reducer: &mut *self.chosen.reducer,
            // Each search has the whole time.
            limits: Limits {
                clock: Clock::of(self.time_max),
                ..self.limits
            },
            observer: &mut |_| {},
        };
        let outcome = refinement::refines_normal(&self.normal, &self.process, &mut setting);
        outcome.unwrap_or_else(|broken| panic!("{broken}"))
    }
}
