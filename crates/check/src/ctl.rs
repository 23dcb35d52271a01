//! Branching time: whether a formula of CTL is true of a system.
//!
//! What holds of a state depends on the tree of all that can follow it. A symmetry that fixes each
//! atom carries the tree of a state to that of its image, so both satisfy the same formulas, and
//! the quotient says what the system says (`docs/theory/ctl.md`). [`check`] explores the quotient,
//! keeps it as a graph ([`graph`]), evaluates the parts of the formula from the inside
//! ([`evaluate`]), looks for a run that shows the answer ([`explain`]), takes it on the unreduced
//! system ([`run`]), and where that is small evaluates the formula there again by its plain meaning
//! ([`plain`]).
//!
//! Runs are infinite: where nothing moves, the last state is repeated for ever, as in linear time.
//! A formula holds if it is true of every initial state.

pub mod evaluate;
pub mod explain;
pub mod fixpoint;
pub mod formula;
pub mod graph;
pub mod parse;
pub mod plain;
pub mod run;
pub mod runs;

pub use graph::Missing;
pub use parse::{AtomText, Parsed, parse, parse_from};
pub use system::branching::{Binary, Fixpoint, Formula, Quantifier, Unary};

use crate::gap::Gap;
use crate::options::{Observer, Options};
use crate::outcome::{Counts, Memory, StopReason, Violation};
use crate::store::Store;
use crate::temporal::Fairness;
use crate::temporal::space::Space;
use crate::witness::{Broken, Witness};
use crate::{Guarantee, Reducer};
use evaluate::{Base, Evaluation};
use explain::Explainer;
use formula::Core;
use graph::Graph;
use plain::Plain;
use runs::FairRuns;
use std::time::Duration;
use system::{Fault, FaultKind, System};

/// What became of a formula.
pub struct Outcome {
    /// Whether it is true, or why that is not known.
    pub answer: Result<Answer, Missing>,
    /// What was counted.
    pub counts: Counts,
    /// What it took.
    pub memory: Memory,
    /// How long it took, the run included.
    pub elapsed: Duration,
}

/// Whether a formula is true, and how that is seen.
pub struct Answer {
    /// Whether it is true of every initial state.
    pub holds: bool,
    /// A run that shows it, if one can.
    pub shown: Option<Shown>,
    /// What was looked at again without symmetry.
    pub again: Again,
}

/// A run that shows why a formula is true or false.
pub struct Shown {
    /// The run, taken on the unreduced system.
    pub witness: Witness,
    /// What is true, or false, at its end and shown by no run; nothing if it goes round.
    pub end: Option<(Formula, bool)>,
    /// What is true, or false, in every state of its loop, if it goes round.
    pub round: Option<(Formula, bool)>,
    /// What is true, or false, of runs, as this one shows, if it goes round.
    pub asked: Option<(Formula, bool)>,
}

/// What was looked at again without symmetry, by the plain meaning of formulas.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Again {
    /// The whole formula on all states: so many.
    All(usize),
    /// What is said of the end of the run, on all that can follow it.
    End(usize),
    /// What is said of single states along the run.
    Run,
    /// Nothing: there is no run.
    Nothing,
}

/// What is asked of a system.
pub struct Asked<'a> {
    /// The formula.
    pub formula: &'a Formula,
    /// Which runs count.
    pub fairness: &'a Fairness<'a>,
}

/// Finds out whether a formula is true of a system.
///
/// # Requires
/// Symmetries of the reducer do not change atoms; if the formula has operators of the past, every
/// state stands for itself. If runs have to be fair, the formula has neither operators of the past
/// nor fixpoints.
///
/// # Ensures
/// The run in the outcome was taken on `system` without the reducer's help. If it could not be, or
/// if the plain meaning says otherwise, there is no outcome: something of ours is wrong.
pub fn check(
    system: &dyn System,
    reducer: &mut dyn Reducer,
    asked: &Asked<'_>,
    options: &Options<'_>,
    observer: &mut Observer<'_>,
) -> Result<Outcome, Broken> {
    let guarantee = reducer.guarantee();
    let mut space = Space::new(system, reducer, options);
    let mut graph = Graph::default();
    let answer = match guarantee {
        Guarantee::Lossy => Err(Missing::Stopped(StopReason::Approximate)),
        _ => match graph.explore(&mut space, options, observer) {
            Err(missing) => Err(missing),
            Ok(()) => answer(&mut space, &graph, asked)?,
        },
    };
    Ok(Outcome {
        answer,
        counts: Counts {
            n_states: space.store.len() as u64,
            n_transitions: space.n_transitions,
            depth: graph.depth,
        },
        memory: Memory {
            peak_bytes: space.account.peak() + space.reducer.bytes(),
            store_bytes: space.store.bytes(),
        },
        elapsed: space.start().elapsed(),
    })
}

/// The answer on a graph.
fn answer(
    space: &mut Space<'_>,
    graph: &Graph,
    asked: &Asked<'_>,
) -> Result<Result<Answer, Missing>, Broken> {
    let formula = asked.formula;
    let mut core = Core::new();
    core.is_fair = !matches!(asked.fairness, Fairness::None);
    let part = core.enter(formula);
    let evaluation = match evaluated(space, graph, &core, asked.fairness) {
        Ok(evaluation) => evaluation,
        Err(missing) => return Ok(Err(missing)),
    };
    let mut initial = graph.initial.iter().copied();
    let wrong = initial.find(|node| !evaluation.holds(part, *node));
    let Some(start) = wrong.or(graph.initial.first().copied()) else {
        // Nothing can begin, so all that does is so.
        return Ok(Ok(Answer {
            holds: true,
            shown: None,
            again: Again::Nothing,
        }));
    };
    let holds = wrong.is_none();
    let story = Explainer::new(&mut core, graph, &evaluation).story(formula, start);
    let taken = if story.is_run() || !holds {
        match run::moves(space, &story) {
            Err(reason) => return Ok(Err(reason.into())),
            Ok(moves) => Some(run::replay(space, &story, &moves)?),
        }
    } else {
        None
    };
    let end = story.end.map(|(f, value)| (f.clone(), value));
    let last = taken.as_ref().zip(end.as_ref());
    let last = last.map(|(taken, (f, value))| (&taken.end, f, *value));
    let mut again = if core.is_fair {
        Again::Nothing
    } else {
        look_again(space, graph, (formula, holds), last)?
    };
    if again == Again::Nothing && taken.is_some() {
        again = Again::Run;
    }
    let round = story.claims.last().filter(|_| story.loop_from.is_some());
    let (round, asked) = match round {
        Some(claim) if claim.is_of_run => (None, Some((claim.formula.clone(), claim.value))),
        Some(claim) => (Some((claim.formula.clone(), claim.value)), None),
        None => (None, None),
    };
    let shown = taken.map(|taken| Shown {
        witness: taken.witness,
        end,
        round,
        asked,
    });
    Ok(Ok(Answer {
        holds,
        shown,
        again,
    }))
}

/// The sets of all parts.
fn evaluated(
    space: &mut Space<'_>,
    graph: &Graph,
    core: &Core,
    fairness: &Fairness<'_>,
) -> Result<Evaluation, Missing> {
    let fair = if core.is_fair {
        Some(FairRuns::of(space, graph, fairness)?)
    } else {
        None
    };
    let base = Base {
        graph,
        fair: fair.as_ref(),
    };
    let mut account = std::mem::replace(&mut space.account, base::memory::Account::new(None));
    let evaluation = Evaluation::of(core, &base, &mut account, &|| space.tick());
    space.account = account;
    evaluation
}

/// Evaluates what was found by its plain meaning, without symmetry, if that is not too much.
fn look_again(
    space: &Space<'_>,
    graph: &Graph,
    (formula, holds): (&Formula, bool),
    last: Option<(&Vec<u8>, &Formula, bool)>,
) -> Result<Again, Broken> {
    let system = space.system;
    let otherwise = |missing| Broken {
        violation: Violation::Fault(Fault {
            kind: FaultKind::Claim,
            site: system::SiteId::new(0),
        }),
        n_moves: 0,
        missing,
    };
    if graph.n_states() <= plain::STATES_MAX && space.tick().is_ok() {
        let mut starts = Vec::new();
        system.initial(&mut system.scratch(), &mut |initial| {
            starts.extend(initial.ok().map(<[u8]>::to_vec));
        });
        let mut plain = Plain::from(system, &starts, plain::STATES_MAX);
        if let Some(plain) = &mut plain
            && let Some(value) = plain.holds(formula)
        {
            return if value == holds {
                Ok(Again::All(plain.n_states()))
            } else {
                Err(otherwise(Gap::SameVerdict))
            };
        }
    }
    let Some((state, formula, value)) = last.filter(|_| space.tick().is_ok()) else {
        return Ok(Again::Nothing);
    };
    // What is about single states was looked at when the run was taken.
    if formula.is_propositional() {
        return Ok(Again::Run);
    }
    // How the end was reached is not known any more.
    if formula.has_past() {
        return Ok(Again::Nothing);
    }
    let mut plain = Plain::from(system, std::slice::from_ref(state), plain::STATES_MAX);
    let Some(plain) = &mut plain else {
        return Ok(Again::Nothing);
    };
    match plain.holds(formula) {
        None => Ok(Again::Nothing),
        Some(met) if met == value => Ok(Again::End(plain.n_states())),
        Some(_) => Err(otherwise(Gap::SameEnd)),
    }
}
