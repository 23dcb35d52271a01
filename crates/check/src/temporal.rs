//! What holds of infinite runs: claims, acceptance, fairness.
//!
//! A [`Claim`] says which runs are wrong. [`search`] looks for such a run in the [`Product`] of a
//! system and a claim, on representatives: a strongly connected part of the quotient that accepts
//! ([`emptiness`]), and is fair if that is asked for ([`component`]). What it finds becomes a run
//! of the unreduced system that goes round for ever, taken step by step ([`lasso`]).
//!
//! A claim that only ever goes wrong by coming to a bad state ([`Claim::is_safety`]) needs none of
//! this: the product is a system, and [`crate::explore`] finds a shortest run.

pub mod asked;
pub mod component;
pub mod emptiness;
pub mod lasso;
pub mod levels;
pub(crate) mod past;
pub mod product;
pub mod space;
pub mod why;

pub use asked::Asked;
pub use lasso::{Lasso, MOVES_MAX};
pub use product::{Beside, Product, is_of_claim};
pub use system::claim::{Claim, ClaimEdge, ClaimState};

use crate::options::{Observer, Options};
use crate::outcome::{Counts, Ended, Memory, StopReason};
use crate::store::{NodeId, Store};
use crate::witness::Broken;
use crate::{Guarantee, Reducer, Symmetry};
use component::Component;
use emptiness::Emptiness;
use space::Space;
use std::time::Duration;
pub use system::Strength;
use system::{System, Taken};

/// Which process a symmetry makes of a process.
pub type Carry<'a> = &'a dyn Fn(&Symmetry, u32) -> u32;

/// Which runs count.
pub enum Fairness<'a> {
    /// All.
    None,
    /// Those in which no process can always take a step and never takes one.
    Weak(Carry<'a>),
    /// Those in which no process can take a step again and again and never takes one.
    Strong(Carry<'a>),
    /// Some of both, by number. Those who take steps are not processes here but, say, operations:
    /// no symmetry carries one to another, and one step may be taken by several.
    Each(&'a dyn Fn(u32) -> Strength),
}

/// What symmetries do where they carry nobody to somebody else.
fn same(_: &Symmetry, actor: u32) -> u32 {
    actor
}

impl<'a> Fairness<'a> {
    /// What symmetries do to processes, if it matters.
    fn carry(&self) -> Option<Carry<'a>> {
        match self {
            Fairness::None => None,
            Fairness::Weak(carry) | Fairness::Strong(carry) => Some(*carry),
            Fairness::Each(_) => Some(&same),
        }
    }

    /// What a run owes to somebody, if it owes anything.
    fn strength(&self, actor: u32) -> Option<Strength> {
        match self {
            Fairness::None => None,
            Fairness::Weak(_) => Some(Strength::Weak),
            Fairness::Strong(_) => Some(Strength::Strong),
            Fairness::Each(strength) => Some(strength(actor)),
        }
    }

    /// Of those who take the steps of a move, in order: who can take a step where it begins.
    pub(crate) fn able<'s>(&self, actors: &'s [u32]) -> &'s [u32] {
        match self {
            // Others come into the move only when somebody has begun it.
            Fairness::None | Fairness::Weak(_) | Fairness::Strong(_) => {
                &actors[..actors.len().min(1)]
            }
            Fairness::Each(_) => actors,
        }
    }
}

/// What is looked for.
pub struct Wanted<'a> {
    /// The states that a run must be in again and again.
    pub accepting: &'a dyn Fn(&[u8]) -> bool,
    /// Which runs count.
    pub fairness: &'a Fairness<'a>,
    /// How many moves a run may have until its loop closes; beyond that one turn of it is shown.
    /// [`MOVES_MAX`] if nobody has a reason for another number.
    pub moves_max: usize,
}

/// What a search for an infinite run found.
pub struct Outcome {
    /// How it ended.
    pub ended: Ended,
    /// A run that is wrong.
    pub lasso: Option<Lasso>,
    /// Whether an atom had no value in a state that was met: [`crate::explore`] finds the run.
    pub atoms_fail: bool,
    /// What was counted: states and ways of the product.
    pub counts: Counts,
    /// What it took.
    pub memory: Memory,
    /// How long it took, the run not included.
    pub elapsed: Duration,
}

/// A part of the quotient with a run that is wrong.
pub struct Found {
    /// A strongly connected part.
    pub component: Component,
    /// The places of the part of it that the run stays in.
    pub kept: Vec<usize>,
    /// The states of the search's path from an initial state into the component.
    pub path: Vec<NodeId>,
}

/// Who takes the steps of a move from `state`, each once, in order; not the claim.
pub(crate) fn actors(system: &dyn System, state: &[u8], steps: &[Taken]) -> Vec<u32> {
    let (mut all, mut known): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
    for step in steps.iter().filter(|step| !is_of_claim(**step)) {
        system.actors(state, *step, &mut all);
    }
    for actor in all {
        if !known.contains(&actor) {
            known.push(actor);
        }
    }
    known
}

/// Looks for a fair run of `system` that is in accepting states again and again.
///
/// # Requires
/// Symmetries of the reducer do not change whether a state accepts.
///
/// # Ensures
/// The run in the outcome was taken on `system` without the reducer's help. If it could not be,
/// there is no outcome: something of ours is wrong.
pub fn search(
    system: &dyn System,
    reducer: &mut dyn Reducer,
    wanted: &Wanted<'_>,
    options: &Options<'_>,
    observer: &mut Observer<'_>,
) -> Result<Outcome, Broken> {
    let Wanted {
        accepting,
        fairness,
        ..
    } = *wanted;
    let guarantee = reducer.guarantee();
    let mut space = Space::new(system, reducer, options);
    let mut emptiness = Emptiness::new(&mut space, accepting, fairness, options);
    let found = emptiness.run(observer);
    let (depth, cut_off) = (emptiness.depth, emptiness.cut_off);
    let elapsed = space.start().elapsed();
    let counts = Counts {
        n_states: space.store.len() as u64,
        n_transitions: space.n_transitions,
        depth,
    };
    let memory = Memory {
        peak_bytes: space.account.peak() + space.reducer.bytes(),
        store_bytes: space.store.bytes(),
    };
    let walked = found.and_then(|found| {
        let walk = found.map(|found| lasso::walk(&mut space, &found, fairness));
        walk.transpose()
    });
    let (ended, lasso) = match walked {
        Err(reason) => (Ended::Stopped(reason), None),
        Ok(Some(walk)) => {
            let lasso = lasso::replay(&mut space, &walk, wanted)?;
            (Ended::AtError, Some(lasso))
        }
        Ok(None) if system.gave_up() => (Ended::Stopped(StopReason::Time), None),
        Ok(None) if cut_off => (Ended::Stopped(StopReason::Depth), None),
        Ok(None) if guarantee == Guarantee::Lossy => {
            (Ended::Stopped(StopReason::Approximate), None)
        }
        Ok(None) => (Ended::Complete, None),
    };
    Ok(Outcome {
        ended,
        lasso,
        atoms_fail: space.atoms_fail,
        counts,
        memory,
        elapsed,
    })
}
