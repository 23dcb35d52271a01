//! A refinement of a script made ready to be searched, for those who measure searches alone.
//!
//! Text, networks and normal form, then the symmetry, are worked out once, with a clock at each;
//! after that the same search can be made again and again.

use super::reducer::{self, Beside, Chosen};
use super::{FEW_NESTED_MAX, Open, Session};
use crate::plan::ScriptPlan;
use base::Clock;
use check::refinement::normal::Normal;
use check::refinement::{self, Limits, Outcome, Setting};
use cspm::compile::Compiled;
use cspm::eval::Claimed;
use std::rc::Rc;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

/// A refinement that only has to be searched.
pub struct Prepared {
    process: Rc<Compiled>,
    normal: Rc<Normal>,
    chosen: Chosen,
    limits: Limits<'static>,
    time_max: Option<Duration>,
    /// How long it took to compile both sides.
    pub compiling: Duration,
    /// How long it took to find the symmetry, and to make ready who chooses representatives.
    pub finding: Duration,
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
    pub fn of(plan: &ScriptPlan) -> Result<Prepared, Unready> {
        let failed = |words: &str| Unready::Failed(words.to_owned());
        let start = Instant::now();
        let mut script = plan.script.lock().unwrap_or_else(PoisonError::into_inner);
        let mut session = Session::new(plan, &mut script, FEW_NESTED_MAX);
        let asked = plan.asked.first().ok_or_else(|| failed("no assertion"))?;
        let assertion = session.script.assertion(asked.index, &mut session.terms);
        let claim = assertion
            .map_err(|_| failed("it cannot be evaluated"))?
            .claim;
        let Claimed::Refines {
            spec,
            implementation,
            model,
        } = claim
        else {
            return Err(failed("it is no refinement"));
        };
        let words = |open: Open| match open {
            Open::Mistake(said) | Open::Missing(said) => Unready::Failed(said.message),
            Open::Unsupported(words) | Open::Limit(words) | Open::Spent(words) => {
                Unready::Failed(words)
            }
            Open::Stopped(_) => Unready::Failed("it was stopped".to_owned()),
        };
        let model = super::semantics(model).map_err(words)?;
        let normal = session.normal((spec, model)).map_err(words)?;
        let process = session.network(implementation).map_err(words)?;
        let compiling = start.elapsed();
        let start = Instant::now();
        let beside = Beside::Spec(&normal);
        let chosen = reducer::reducer(session.script, &process.network, beside, plan.algorithm);
        Ok(Prepared {
            chosen: chosen.map_err(Unready::Unfit)?,
            limits: session.limits(),
            time_max: plan.manner.time_max,
            process,
            normal,
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
        let outcome = refinement::refines_normal(&self.normal, &self.process.network, &mut setting);
        outcome.unwrap_or_else(|broken| panic!("{broken}"))
    }
}
