//! Where processes can be: what a symmetry takes for granted about states.
//!
//! Certification looks at the locations where a process can be once the making is over. Two kinds
//! of locations are left out: those that cannot be reached, and those inside loops that were
//! replaced by the set of their rounds, because nobody is ever seen there. The second may be an
//! assumption: a send or receive in such a loop could wait
//! ([`crate::processes::sort::Sorts::waits`]). Then a search looks at every state here before it
//! uses a symmetry on it.
//!
//! Worked example: `atomic { for (i : 1 .. 3) { box[i]!x } }` has the locations *head* and *send*,
//! of which *send* is left out. If `box[2]` is full when the loop runs, there is a state with the
//! process at *send*: it has no home there.
//!
//! A loop that copies from the one element with some property is replaced on the assumption that
//! there is one such element at most ([`crate::processes::sort::Sorts::exclusive`]). That is looked
//! at in the same way.

mod conditions;

use crate::processes::act::Act;
use crate::processes::sort::{Exclusive, Sorts};
use conditions::Condition;
use model::processes::layout::{Role, Scalar};
use model::processes::program::{Action, Model};

/// The locations that were looked at.
#[derive(Clone, Debug)]
pub struct Homes {
    /// By kind of record: how long it is, and for processes where they can be.
    kinds: Vec<(usize, Option<Places>)>,
    /// The lines with sends and receives that are taken not to wait, and of tests that are taken to
    /// hold once only.
    lines: Vec<u32>,
    /// By loop and round: the tests of which those of one round may hold; `None` if one cannot be
    /// asked of a state.
    exclusive: Vec<Option<Vec<Vec<Condition>>>>,
}

/// How a location is kept; and by location, whether a process can be there.
type Places = (Scalar, Vec<bool>);

impl Homes {
    /// The locations of a model.
    pub fn new(sorts: &Sorts) -> Homes {
        let text = &sorts.text;
        let kinds = text.layout.kinds.iter().enumerate().map(|(k, kind)| {
            let p = text.proctypes.iter().position(|p| p.kind.index() == k);
            let places = match (&kind.role, p) {
                (Role::Process { location }, Some(p)) => {
                    let live = sorts.live[p].iter().take(sorts.n_locations[p]);
                    Some((*location, live.copied().collect()))
                }
                _ => None,
            };
            (kind.size as usize, places)
        });
        let sites = sorts.waits.iter().flat_map(|(p, at)| {
            let location = &text.proctype(*p).locations[at.index()];
            let sends = location.steps.iter().map(|step| text.step(*step));
            let sends = sends.filter(|step| begins_at_channel(&step.action));
            sends.map(|step| text.sites[step.site.index()].line)
        });
        let sets = sorts.exclusive.iter().map(|one| text.step(one.set));
        let sets = sets.map(|step| text.sites[step.site.index()].line);
        let mut lines: Vec<u32> = sites.chain(sets).collect();
        lines.sort_unstable();
        lines.dedup();
        Homes {
            kinds: kinds.collect(),
            lines,
            exclusive: sorts.exclusive.iter().map(|one| tests(text, one)).collect(),
        }
    }

    /// The lines with sends and receives that are taken not to wait, and with loops that are taken
    /// to find one element at most; none if nothing is assumed.
    pub fn lines(&self) -> &[u32] {
        &self.lines
    }

    /// Whether every process is where one can be, in a state after the making.
    pub fn hold(&self, act: &Act, state: &[u8]) -> bool {
        if !act.is_settled(state) {
            return true;
        }
        let mut at = self.kinds[0].0;
        while at < state.len() {
            let (size, places) = &self.kinds[usize::from(state[at])];
            if let Some((scalar, live)) = places {
                let here = scalar.load(state, at + 1) as usize;
                if live.get(here) != Some(&true) {
                    return false;
                }
            }
            at += size;
        }
        self.exclusive.iter().all(|tests| is_once(tests, state))
    }
}

/// The tests of a loop, by round.
fn tests(text: &Model, one: &Exclusive) -> Option<Vec<Vec<Condition>>> {
    let n = one.tests.iter().map(|(round, _)| round + 1).max();
    let mut rounds = vec![Vec::new(); n.unwrap_or(0)];
    for (round, e) in &one.tests {
        rounds[*round].push(Condition::new(text, *e)?);
    }
    Some(rounds)
}

/// Whether tests of one round at most hold in a state.
fn is_once(tests: &Option<Vec<Vec<Condition>>>, state: &[u8]) -> bool {
    let Some(rounds) = tests else {
        return false;
    };
    let mut n = 0;
    for round in rounds {
        let holds = round.iter().map(|test| test.holds(state));
        let holds: Option<Vec<bool>> = holds.collect();
        let Some(holds) = holds else {
            return false;
        };
        n += usize::from(holds.contains(&true));
    }
    n <= 1
}

fn begins_at_channel(action: &Action) -> bool {
    match action {
        Action::Send(_) | Action::Receive(_) => true,
        Action::All(all) => all.first().is_some_and(begins_at_channel),
        _ => false,
    }
}
