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

use crate::processes::act::Act;
use crate::processes::sort::Sorts;
use model::processes::layout::{Role, Scalar};
use model::processes::program::Action;

/// The locations that were looked at.
#[derive(Clone, Debug)]
pub struct Homes {
    /// By kind of record: how long it is, and for processes where they can be.
    kinds: Vec<(usize, Option<Places>)>,
    /// The lines with sends and receives that are taken not to wait.
    lines: Vec<u32>,
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
        let mut lines: Vec<u32> = sites.collect();
        lines.sort_unstable();
        lines.dedup();
        Homes {
            kinds: kinds.collect(),
            lines,
        }
    }

    /// The lines with sends and receives that are taken not to wait; none if nothing is assumed.
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
        true
    }
}

fn begins_at_channel(action: &Action) -> bool {
    match action {
        Action::Send(_) | Action::Receive(_) => true,
        Action::All(all) => all.first().is_some_and(begins_at_channel),
        _ => false,
    }
}
