//! Rewriting a model so that it has fewer states and the same verdicts.
//!
//! A front end makes a model whose states are those of SPIN without any optimisation. Three
//! settings: leave it so; do what SPIN does by default, its artefacts included, for counts that can
//! be compared; or do better, the default:
//!
//! | pass | SPIN's | ours |
//! |---|---|---|
//! | globals nobody needs are not written | [`spin::reset`] | `unread` |
//! | what is dead has one value | [`spin::reset`]: becomes 0 | `dead`: is at rest, always |
//! | private steps are taken at once | [`spin::merge`] | `hide` |
//! | a process that has ended stays | – | `ends` |
//!
//! Ours never gives more states than SPIN's nor than none, but where SPIN's leaves out behaviour:
//! proofs and the list of such places are in `docs/theory/optimise.md`.
//!
//! Our passes keep steps: a step of the new model is the step of the same number of the old one.
//! It may do less, reset variables, or keep control; so a run of the new model is a run of the old
//! one but for the values of variables that do not matter. SPIN's may add locations and steps at
//! the end.

pub(super) mod uses;

pub mod live;

pub mod spin;

mod unread;

mod dead;

mod creation;
mod exclusive;
mod priorities;
mod readiness;

mod hide;

mod ends;

#[cfg(test)]
mod tests;

pub use ends::why_ends_are_steps;
pub use hide::Watch;

use crate::processes::program::Model;

/// Which passes are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Setting {
    /// None.
    Plain,
    /// Those of SPIN with its defaults.
    Spin,
    /// Ours.
    Best,
}

/// Makes the passes of a setting.
pub fn apply(model: &mut Model, setting: Setting, watch: &Watch) {
    match setting {
        Setting::Plain => {}
        Setting::Spin => {
            // Joining asks what statements did before their writes were dropped.
            spin::merge(model);
            spin::reset(model);
        }
        Setting::Best => optimise(model, watch),
    }
}

/// Whether single moves count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moves {
    /// They do: how many there are between two states matters.
    Count,
    /// Moves that change nothing that is looked at may be left out.
    Leave,
}

/// Those of our passes that keep the tree of what can follow each state, for its atoms. Private
/// steps are not taken at once: a choice among them would be made before others have moved, where
/// as it is written both are still possible.
pub fn keep_branches(model: &mut Model, moves: Moves) {
    let mut watched = model.atoms.clone();
    if let Some(trace) = &model.trace {
        trace.roots(&mut |e| watched.push(e));
    }
    let needed = unread::needs(model, &watched, unread::Prints::Locals);
    unread::drop_writes(model, &needed[0]);
    dead::rest(model, &watched, &needed[0]);
    if moves == Moves::Leave {
        ends::stay(model, &watched);
    }
}

/// Our passes. After the call the model has the verdicts it had (assertions, faults, deadlocks,
/// and what `watch` reads), and at most as many states.
pub fn optimise(model: &mut Model, watch: &Watch) {
    // What a trace reads is read whenever anybody sends or receives.
    let mut watch = watch.clone();
    if let Some(trace) = &model.trace {
        trace.roots(&mut |e| watch.exprs.push(e));
    }
    watch.exprs.extend_from_slice(&model.atoms);
    let watch = &watch;
    let needed = unread::needs(model, &watch.exprs, unread::Prints::Locals);
    unread::drop_writes(model, &needed[0]);
    dead::rest(model, &watch.exprs, &needed[0]);
    hide::hide(model, watch);
    // Hiding may have made sure that all processes are created in one go.
    ends::stay(model, &watch.exprs);
}
