//! Changes of the text that give more symmetry, found by trying them.
//!
//! The front end proposes changes near the lines that stand in the way, as in
//! `crates/promela/src/proposals.rs`; each is made in memory, the changed text is read, and
//! symmetry is looked for in it as in any model. What does not enlarge the group is dropped.
//! Where no change helps alone, those of a kind are tried together, then all, and of what helps
//! every part that is not needed is taken out again. After a change the lines that stand in the
//! way are others, so this goes on until nothing helps.
//!
//! Worked example: two loops over ids run in order. Either inside `atomic` gives nothing, since the
//! other still counts; both together give S3, and neither can be left out.
//!
//! Nothing is written to a file: whether the changed model is the one that was meant is for the
//! modeller to say. A short search shows what the change is worth, and whether errors came or went.

pub mod patch;
mod short;

use crate::details;
use crate::detect::{Detected, detect_if};
use crate::load::Again;
use base::Clock;
use model::frontend::{Purpose, Shape};
use model::proposal::{Edit, Proposal, ProposalKind, edited};
use num_bigint::BigUint;
use reduce::processes::blockers::{self, Blocker};
use reduce::processes::making::making;
use reduce::processes::sort::Sends;
use report::object::{ShortSearch, Suggestion, Suggestions};
use std::collections::BTreeSet;

/// The most changes that are tried at a time.
const N_PROPOSALS_MAX: usize = 40;
/// Changes are looked for near so many lines.
const N_LINES_MAX: usize = 2000;
/// How often changes are looked for on top of others.
const N_ROUNDS_MAX: usize = 4;

/// The group of a text.
pub struct Tried {
    /// How many elements it has.
    pub order: BigUint,
    /// What it is, in words.
    pub structure: String,
    /// The lines that stand in the way of more.
    lines: Vec<u32>,
    /// A short search, if it was asked for.
    search: Option<ShortSearch>,
}

/// What is done with a text that is tried.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Look {
    /// Its group is found.
    Group,
    /// Its group, what stands in the way, and how many states there are.
    All,
}

/// Tries texts in the place of a file.
pub struct Trials<'a> {
    again: &'a Again,
    clock: Clock<'static>,
    n_tried: usize,
}

impl<'a> Trials<'a> {
    /// Nothing is tried yet.
    pub fn new(again: &'a Again, clock: Clock<'static>) -> Trials<'a> {
        Trials {
            again,
            clock,
            n_tried: 0,
        }
    }

    /// How many texts were tried.
    pub fn n_tried(&self) -> usize {
        self.n_tried
    }

    /// What changes of these kinds near these lines give beyond `order`, if at most `n_max` need to
    /// be tried: the largest group, or nothing. `None` if it was not tried.
    pub fn best(
        &mut self,
        lines: &[u32],
        kinds: &[ProposalKind],
        (order, n_max): (&BigUint, usize),
    ) -> Option<Option<Tried>> {
        let again = self.again;
        let mut proposals = again.frontend.proposals(&again.text, lines)?;
        proposals.retain(|one| kinds.contains(&one.kind));
        let mut sets: Vec<Vec<&Proposal>> = proposals.iter().map(|one| vec![one]).collect();
        if sets.len() > 1 {
            let mut all: Vec<&Proposal> = proposals.iter().collect();
            leave_out_what_overlaps(&mut all);
            sets.push(all);
        }
        if sets.is_empty() || self.n_tried + sets.len() > n_max {
            return None;
        }
        let tried = sets.iter().map(|set| self.changed(&again.text, set));
        let tried: Vec<Tried> = tried.flatten().collect();
        let best = tried.into_iter().max_by(|a, b| a.order.cmp(&b.order));
        Some(best.filter(|best| best.order > *order))
    }

    /// The group of a text with these changes.
    fn changed(&mut self, text: &str, changes: &[&Proposal]) -> Option<Tried> {
        self.n_tried += 1;
        self.look(&text_with(text, changes)?, Look::Group)
    }

    /// What there is in a text; `None` if it is wrong, or there is no time.
    fn look(&self, text: &str, look: Look) -> Option<Tried> {
        if self.clock.is_over() {
            return None;
        }
        let model = self.again.model(text)?;
        let subject = model.subject(&Purpose::Errors).ok()?;
        let Shape::Processes(machine) = subject.shape() else {
            return None;
        };
        let detected = detect_if(machine, Sends::Assumed, self.clock)?;
        let found = &detected.found;
        if found.over.is_some() {
            return None;
        }
        let group = found.certified.group();
        let (mut lines, mut search) = (Vec::new(), None);
        if look == Look::All {
            lines = lines_of(&blockers_of(&detected));
            search = short::search(&*model, &*subject, self.clock);
        }
        Some(Tried {
            order: group.order(),
            structure: group::shape::name::describe(group).to_string(),
            lines,
            search,
        })
    }

    /// The changes that give more than `order`, as few as need be.
    fn helping<'p>(
        &mut self,
        text: &str,
        proposals: &'p [Proposal],
        order: &BigUint,
    ) -> Option<Vec<&'p Proposal>> {
        let mut best: Option<(BigUint, Vec<&Proposal>)> = None;
        for set in proposals.iter().map(|one| vec![one]) {
            let tried = self.changed(text, &set).map(|tried| tried.order);
            let least = best.as_ref().map_or(order, |(order, _)| order);
            if let Some(tried) = tried.filter(|tried| tried > least) {
                best = Some((tried, set));
            }
        }
        if let Some((_, set)) = best {
            return Some(set);
        }
        let of = |kind| {
            proposals
                .iter()
                .filter(move |one| one.kind == kind)
                .collect()
        };
        let undivided: Vec<&Proposal> = of(ProposalKind::Undivided);
        let values: Vec<&Proposal> = of(ProposalKind::Value);
        let stays: Vec<&Proposal> = of(ProposalKind::Stays);
        let two = undivided.iter().chain(&values).copied().collect();
        let sets = [undivided, values, stays, two, proposals.iter().collect()];
        for mut set in sets.into_iter().filter(|set| set.len() > 1) {
            leave_out_what_overlaps(&mut set);
            let Some(with) = self.changed(text, &set).filter(|with| with.order > *order) else {
                continue;
            };
            for left_out in (0..set.len()).rev() {
                let mut fewer = set.clone();
                fewer.remove(left_out);
                let without = self.changed(text, &fewer);
                if without.is_some_and(|without| without.order >= with.order) {
                    set = fewer;
                }
            }
            return Some(set);
        }
        None
    }

    /// The text after the changes near these lines that help, and these.
    fn step(
        &mut self,
        text: &str,
        lines: &[u32],
        order: &BigUint,
    ) -> Option<(String, Vec<Proposal>)> {
        let mut proposals = self.again.frontend.proposals(text, lines)?;
        proposals.truncate(N_PROPOSALS_MAX);
        let set = self.helping(text, &proposals, order)?;
        Some((text_with(text, &set)?, set.into_iter().cloned().collect()))
    }

    /// Looks for changes on top of each other until none helps.
    pub fn suggestions(&mut self) -> Suggestions {
        let again = self.again;
        let mut text = again.text.clone();
        let mut now = self.look(&text, Look::All);
        let mut told = Suggestions {
            n_tried: 0,
            before: now.as_ref().and_then(|now| now.search),
            changes: Vec::new(),
            patch: None,
        };
        for _ in 0..N_ROUNDS_MAX {
            let Some(before) = now else {
                break;
            };
            let near = self.step(&text, &before.lines, &before.order);
            // What stands in the way first may hide the rest.
            let n_lines = text.lines().count().min(N_LINES_MAX) as u32;
            let all: Vec<u32> = (0..=n_lines).collect();
            let Some((new, changes)) = near.or_else(|| self.step(&text, &all, &before.order))
            else {
                break;
            };
            text = new;
            now = self.look(&text, Look::All);
            let Some(after) = &now else {
                break;
            };
            told.changes.push(suggestion(&changes, after));
        }
        told.n_tried = self.n_tried;
        if !told.changes.is_empty() {
            let name = again.file.display().to_string();
            told.patch = Some(patch::unified(&name, &again.text, &text));
        }
        told
    }
}

fn suggestion(set: &[Proposal], after: &Tried) -> Suggestion {
    let judge: BTreeSet<&str> = set.iter().map(|one| one.judge).collect();
    Suggestion {
        changes: set.iter().map(|one| one.words.clone()).collect(),
        lines: set.iter().map(|one| one.line).collect(),
        judge: judge.into_iter().map(str::to_owned).collect(),
        group_order: after.order.to_string(),
        structure: after.structure.clone(),
        search: after.search,
    }
}

/// A text with these changes; `None` if they do not go together.
fn text_with(text: &str, changes: &[&Proposal]) -> Option<String> {
    let edits = changes.iter().flat_map(|one| one.edits.iter().cloned());
    edited(text, &edits.collect::<Vec<Edit>>())
}

/// Of changes that are about the same piece of text, the first stays.
fn leave_out_what_overlaps(set: &mut Vec<&Proposal>) {
    let span = |one: &Proposal| {
        let starts = one.edits.iter().map(|edit| edit.start).min();
        let ends = one.edits.iter().map(|edit| edit.end).max();
        starts.unwrap_or(0)..=ends.unwrap_or(0)
    };
    let mut kept: Vec<&Proposal> = Vec::new();
    for one in set.iter() {
        let (own, is_block) = (span(one), one.kind == ProposalKind::Undivided);
        let overlaps = |other: &&Proposal| {
            let others = span(other);
            let apart = own.end() < others.start() || others.end() < own.start();
            let is_same = one.kind == ProposalKind::Value
                && other.kind == ProposalKind::Value
                && one.subject == other.subject;
            is_same || (is_block && other.kind == ProposalKind::Undivided && !apart)
        };
        if !kept.iter().any(overlaps) {
            kept.push(one);
        }
    }
    *set = kept;
}

/// Everything that stands in the way of more.
fn blockers_of(detected: &Detected) -> Vec<Blocker> {
    let found = &detected.found;
    let mut all = making(found);
    let orbits = blockers::orbits(found);
    all.extend(details::blockers(found, &orbits, detected.is_partial));
    all
}

/// Their lines, 0 among them if one has none.
fn lines_of(all: &[Blocker]) -> Vec<u32> {
    let lines: BTreeSet<u32> = all.iter().map(|blocker| blocker.line).collect();
    lines.into_iter().collect()
}
