//! Which locations of a type others never see a process at, and which of them are on circles.

use super::super::Sends;
use super::super::conditions::exhaustive;
use super::super::loops::Finder;
use super::super::neutral::{ways, writes};
use super::super::unroll::{begins_at_channel, guard};
use model::processes::expr::ExprId;
use model::processes::layout::{FieldId, Role};
use model::processes::population::{Population, location_of};
use model::processes::program::{Action, LocationId};
use std::collections::BTreeSet;

/// What is known of the locations of a type.
pub(super) struct Regions {
    /// By location: whether whoever comes there keeps control.
    pub hidden: Vec<bool>,
    /// By location: whether nobody is ever seen there, whatever variables hold.
    pub inner: Vec<bool>,
    /// By location: whether it is inside a deterministic block.
    pub blocks: Vec<bool>,
    /// By location: whether nobody is seen there only because no send waits.
    pub waits: Vec<bool>,
    /// By location: whether a circle of locations where nobody is seen leads through it.
    pub circular: Vec<Option<usize>>,
    /// By circle: the variables of the process that are set there.
    pub written: Vec<BTreeSet<FieldId>>,
    /// By location: whether it was there no more before.
    pub gone: Vec<bool>,
    /// Whether others can see a process inside of a deterministic block.
    pub is_odd: bool,
}

impl Regions {
    pub fn new(finder: &Finder<'_>, population: &Population, sends: Sends) -> Regions {
        let n = finder.locations().len();
        let locations = || (0..n).map(LocationId::new);
        let meets = meets(finder);
        let mut hidden = hidden(finder, population);
        // Control is lost to a partner: before that, all must be as it is in the model.
        for at in locations().filter(|at| meets && talks(finder, *at)) {
            hidden[at.index()] = false;
        }
        let waits: Vec<bool> = locations()
            .map(|at| {
                let assumed = sends == Sends::Assumed && waits(finder, at);
                hidden[at.index()] && assumed && !finder.in_block(at)
            })
            .collect();
        let inner = locations().map(|at| {
            let passes = finder.in_block(at) || goes_on(finder, at) || waits[at.index()];
            hidden[at.index()] && passes
        });
        let mut regions = Regions {
            inner: inner.collect(),
            hidden: hidden.clone(),
            blocks: locations().map(|at| finder.in_block(at)).collect(),
            waits,
            circular: vec![None; n],
            written: Vec::new(),
            gone: (0..n).map(|l| finder.gone.contains(&l)).collect(),
            is_odd: false,
        };
        let blocks = regions.blocks.iter().zip(&regions.hidden);
        regions.is_odd = blocks.into_iter().any(|(block, hidden)| *block && !hidden);
        regions.circles(finder);
        regions
    }

    /// Finds the circles: the locations that reach each other.
    fn circles(&mut self, finder: &Finder<'_>) {
        let n = self.inner.len();
        let next = |at: usize| -> Vec<usize> {
            let steps = finder.locations()[at].steps.iter();
            let targets = steps.map(|step| finder.text.step(*step).target.index());
            targets.filter(|to| self.hidden[*to]).collect()
        };
        let reached: Vec<BTreeSet<usize>> = (0..n)
            .map(|at| {
                let (mut seen, mut waiting) = (BTreeSet::new(), Vec::new());
                if self.hidden[at] {
                    waiting = next(at);
                }
                while let Some(to) = waiting.pop() {
                    if seen.insert(to) {
                        waiting.extend(next(to));
                    }
                }
                seen
            })
            .collect();
        let (mut circular, mut written) = (vec![None; n], Vec::new());
        for at in (0..n).filter(|at| reached[*at].contains(at)) {
            if circular[at].is_some() {
                continue;
            }
            let same = reached[at].iter().filter(|to| reached[**to].contains(&at));
            let same: Vec<usize> = same.copied().collect();
            let mut set = BTreeSet::new();
            for l in &same {
                circular[*l] = Some(written.len());
                for step in &finder.locations()[*l].steps {
                    let step = finder.text.step(*step);
                    set.extend(step.resets.iter().map(|reset| reset.field));
                    let kind = finder.text.proctype(finder.proctype).kind;
                    let n_fields = finder.text.layout.kind(kind).fields.len();
                    let fields = (0..n_fields).map(FieldId::new);
                    set.extend(fields.filter(|f| writes(&step.action, *f)));
                }
            }
            written.push(set);
        }
        (self.circular, self.written) = (circular, written);
    }
}

/// By location: whether whoever comes there keeps control.
fn hidden(finder: &Finder<'_>, population: &Population) -> Vec<bool> {
    let proctype = finder.text.proctype(finder.proctype);
    let mut hidden = vec![true; proctype.locations.len()];
    hidden[proctype.start.index()] = false;
    for state in &population.states {
        for record in population
            .processes
            .iter()
            .filter(|r| r.kind == proctype.kind)
        {
            let at = location_of(finder.text, finder.proctype, state, record);
            hidden[at.index()] = false;
        }
    }
    let meets = meets(finder);
    for way in ways(finder.text, proctype, finder.gone) {
        let from = LocationId::new(way.from);
        // Control goes to the partner.
        let lost = meets && way.action.is_some_and(begins_at_channel);
        hidden[way.to] &= !lost;
        let into_block = way.step.is_none();
        let kept = way.step.is_some_and(|step| step.keeps_control) && finder.holds(from);
        let inside = way.action.is_some() && finder.in_block(from);
        hidden[way.to] &= into_block || kept || inside;
    }
    for (at, location) in proctype.locations.iter().enumerate() {
        hidden[at] &= !location.steps.is_empty();
    }
    hidden
}

/// Whether a step of a location begins with a send or receive.
fn talks(finder: &Finder<'_>, at: LocationId) -> bool {
    let mut steps = finder.locations()[at.index()].steps.iter();
    steps.any(|step| begins_at_channel(&finder.text.step(*step).action))
}

/// Whether there are channels without a buffer.
fn meets(finder: &Finder<'_>) -> bool {
    let kinds = finder.text.layout.kinds.iter();
    let mut roles = kinds.map(|kind| &kind.role);
    roles.any(|role| matches!(role, Role::Channel(buffer) if buffer.capacity == 0))
}

/// Whether a process that is at a location can always go on.
fn goes_on(finder: &Finder<'_>, at: LocationId) -> bool {
    fn is_free(action: &Action) -> bool {
        match action {
            Action::Skip | Action::Else | Action::Assign(..) => true,
            Action::Assert(_) | Action::Drop(_) | Action::Print(_) => true,
            Action::All(all) => all.first().is_none_or(is_free),
            _ => false,
        }
    }
    let steps = &finder.locations()[at.index()].steps;
    let actions: Vec<&Action> = steps.iter().map(|s| &finder.text.step(*s).action).collect();
    let tests: Vec<ExprId> = actions.iter().filter_map(|action| guard(action)).collect();
    actions.iter().any(|action| is_free(action)) || exhaustive(finder.text, &tests)
}

/// Whether there is nothing to do at a location but to send.
fn waits(finder: &Finder<'_>, at: LocationId) -> bool {
    let [only] = finder.locations()[at.index()].steps[..] else {
        return false;
    };
    match &finder.text.step(only).action {
        Action::Send(_) => true,
        Action::All(all) => matches!(all.first(), Some(Action::Send(_))),
        _ => false,
    }
}
