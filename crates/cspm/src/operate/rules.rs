//! The rules, an operator each. An operand's steps are known when a rule is used.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::{TermLabel, TermSteps};
use crate::process::{Event, RelationId, SetId, Term, TermId, Terms};

/// The steps of one term in the making.
pub(super) struct StepCollector<'a> {
    pub(super) known: &'a HashMap<TermId, TermSteps>,
    pub(super) terms: &'a mut Terms,
    /// [`Term::Done`], where every ✓ leads.
    pub(super) done: TermId,
    pub(super) steps: Vec<(TermLabel, TermId)>,
}

impl StepCollector<'_> {
    pub(super) fn add(&mut self, label: TermLabel, next: TermId) {
        self.steps.push((label, next));
    }

    fn make(&mut self, label: TermLabel, next: Term) {
        let next = self.terms.term(next);
        self.add(label, next);
    }

    fn of(&self, operand: TermId) -> TermSteps {
        self.known[&operand].clone()
    }

    /// The operand's own steps.
    pub(super) fn same(&mut self, operand: TermId) {
        let steps = self.of(operand);
        self.steps.extend_from_slice(&steps);
    }

    /// Every event of the set, to one term.
    pub(super) fn each(&mut self, set: SetId, next: TermId) {
        let events = self.terms.events(set).clone();
        self.steps
            .extend(events.iter().map(|&e| (TermLabel::Event(e), next)));
    }

    /// ```text
    ///   P --✓--> P'               P --x--> P'   (x not ✓)
    ///  --------------            -------------------------
    ///  P;Q --τ--> Q               P;Q --x--> P';Q
    /// ```
    pub(super) fn then(&mut self, p: TermId, q: TermId) {
        for &(label, next) in self.of(p).iter() {
            match label {
                TermLabel::Tick => self.add(TermLabel::Tau, q),
                _ => self.make(label, Term::Then(next, q)),
            }
        }
    }

    /// Visible steps of the left side decide for it; τ to the right side is always there.
    pub(super) fn slide(&mut self, p: TermId, q: TermId) {
        self.add(TermLabel::Tau, q);
        for &(label, next) in self.of(p).iter() {
            match label {
                TermLabel::Tau => self.make(label, Term::Slide(next, q)),
                TermLabel::Tick => self.add(label, self.done),
                TermLabel::Event(_) => self.add(label, next),
            }
        }
    }

    /// An event of the set is the last of the left side.
    pub(super) fn exception(&mut self, p: TermId, set: SetId, q: TermId) {
        let thrown = self.terms.events(set).clone();
        for &(label, next) in self.of(p).iter() {
            match label {
                TermLabel::Tick => self.add(label, self.done),
                TermLabel::Event(e) if thrown.binary_search(&e).is_ok() => self.add(label, q),
                _ => self.make(label, Term::Exception(next, set, q)),
            }
        }
    }

    pub(super) fn hide(&mut self, p: TermId, set: SetId) {
        let hidden = self.terms.events(set).clone();
        for &(label, next) in self.of(p).iter() {
            match label {
                TermLabel::Tick => self.add(label, self.done),
                TermLabel::Event(e) if hidden.binary_search(&e).is_ok() => {
                    self.make(TermLabel::Tau, Term::Hide(next, set));
                }
                _ => self.make(label, Term::Hide(next, set)),
            }
        }
    }

    pub(super) fn rename(&mut self, p: TermId, relation: RelationId) {
        let pairs = self.terms.pairs(relation).clone();
        for &(label, next) in self.of(p).iter() {
            let TermLabel::Event(e) = label else {
                match label {
                    TermLabel::Tick => self.add(label, self.done),
                    _ => self.make(label, Term::Rename(next, relation)),
                }
                continue;
            };
            let first = pairs.partition_point(|pair| pair.0 < e);
            let names = pairs[first..].iter().take_while(|pair| pair.0 == e);
            let names: Vec<Event> = names.map(|pair| pair.1).collect();
            let next = self.terms.term(Term::Rename(next, relation));
            for name in if names.is_empty() { vec![e] } else { names } {
                self.add(TermLabel::Event(name), next);
            }
        }
    }

    /// `[]`, or `[+A+]`: events of the set are done by all together and decide nothing.
    pub(super) fn external(&mut self, sync: Option<SetId>, all: &[TermId]) {
        let whole = |next: Vec<TermId>| match sync {
            Some(set) => Term::SyncExternal(set, next.into()),
            None => Term::External(next.into()),
        };
        let shared = self.shared(sync);
        for (i, &operand) in all.iter().enumerate() {
            for &(label, next) in self.of(operand).iter() {
                match label {
                    TermLabel::Tau => self.make(label, whole(replaced(all, i, next))),
                    TermLabel::Tick => self.add(label, self.done),
                    TermLabel::Event(e) if shared.binary_search(&e).is_ok() => {}
                    TermLabel::Event(_) => self.add(label, next),
                }
            }
        }
        let everyone: Vec<usize> = (0..all.len()).collect();
        for e in self.offered(all, &shared) {
            for next in self.jointly(e, all, &everyone) {
                self.make(TermLabel::Event(e), whole(next));
            }
        }
    }

    /// `/\`, or `/+A+\`: events of the set are done by both and interrupt nothing.
    pub(super) fn interrupt(&mut self, p: TermId, sync: Option<SetId>, q: TermId) {
        let whole = |p: TermId, q: TermId| match sync {
            Some(set) => Term::SyncInterrupt(p, set, q),
            None => Term::Interrupt(p, q),
        };
        let shared = self.shared(sync);
        for &(label, next) in self.of(p).iter() {
            match label {
                TermLabel::Tick => self.add(label, self.done),
                TermLabel::Event(e) if shared.binary_search(&e).is_ok() => {}
                _ => self.make(label, whole(next, q)),
            }
        }
        for &(label, next) in self.of(q).iter() {
            match label {
                TermLabel::Tau => self.make(label, whole(p, next)),
                TermLabel::Tick => self.add(label, self.done),
                TermLabel::Event(e) if shared.binary_search(&e).is_ok() => {}
                TermLabel::Event(_) => self.add(label, next),
            }
        }
        for e in self.offered(&[p, q], &shared) {
            for next in self.jointly(e, &[p, q], &[0, 1]) {
                self.make(TermLabel::Event(e), whole(next[0], next[1]));
            }
        }
    }

    pub(super) fn parallel(&mut self, set: SetId, all: &[TermId]) {
        let whole = |next: Vec<TermId>| Term::Parallel(set, next.into());
        let shared = self.terms.events(set).clone();
        self.apart(all, &whole, &|_, e| shared.binary_search(&e).is_err());
        let everyone: Vec<usize> = (0..all.len()).collect();
        for e in self.offered(all, &shared) {
            for next in self.jointly(e, all, &everyone) {
                self.make(TermLabel::Event(e), whole(next));
            }
        }
    }

    pub(super) fn alphabetised(&mut self, parts: &[(SetId, TermId)]) {
        let (sets, all): (Vec<SetId>, Vec<TermId>) = parts.iter().copied().unzip();
        let whole =
            |next: Vec<TermId>| Term::Alphabetised(sets.iter().copied().zip(next).collect());
        self.apart(&all, &whole, &|_, _| false);
        let alphabets: Vec<_> = sets.iter().map(|&s| self.terms.events(s).clone()).collect();
        let mut union: Vec<Event> = alphabets.iter().flat_map(|a| a.iter().copied()).collect();
        union.sort_unstable();
        union.dedup();
        for e in self.offered(&all, &union) {
            let having = |i: &usize| alphabets[*i].binary_search(&e).is_ok();
            let partners: Vec<usize> = (0..all.len()).filter(having).collect();
            for next in self.jointly(e, &all, &partners) {
                self.make(TermLabel::Event(e), whole(next));
            }
        }
    }

    /// What processes of a parallel composition do alone: τ, ending, and events that are `free`.
    /// When all have ended, the composition does.
    fn apart(
        &mut self,
        all: &[TermId],
        whole: &dyn Fn(Vec<TermId>) -> Term,
        free: &dyn Fn(usize, Event) -> bool,
    ) {
        if all.iter().all(|&p| p == self.done) {
            self.add(TermLabel::Tick, self.done);
        }
        for (i, &operand) in all.iter().enumerate() {
            for &(label, next) in self.of(operand).iter() {
                match label {
                    TermLabel::Tau => self.make(label, whole(replaced(all, i, next))),
                    TermLabel::Tick => {
                        self.make(TermLabel::Tau, whole(replaced(all, i, self.done)))
                    }
                    TermLabel::Event(e) if free(i, e) => {
                        self.make(label, whole(replaced(all, i, next)));
                    }
                    TermLabel::Event(_) => {}
                }
            }
        }
    }

    fn shared(&self, sync: Option<SetId>) -> Arc<[Event]> {
        sync.map_or_else(|| [].into(), |set| self.terms.events(set).clone())
    }

    /// The events of `among` that some operand offers, sorted.
    fn offered(&self, all: &[TermId], among: &[Event]) -> BTreeSet<Event> {
        let mut found = BTreeSet::new();
        for operand in all {
            for &(label, _) in self.known[operand].iter() {
                if let TermLabel::Event(e) = label
                    && among.binary_search(&e).is_ok()
                {
                    found.insert(e);
                }
            }
        }
        found
    }

    /// All ways in which the `partners` do `e` at once; the others stay where they are.
    fn jointly(&self, e: Event, all: &[TermId], partners: &[usize]) -> Vec<Vec<TermId>> {
        let mut ways = vec![all.to_vec()];
        for &i in partners {
            let steps = self.known[&all[i]].iter();
            let nexts = steps.filter(|step| step.0 == TermLabel::Event(e));
            let nexts: Vec<TermId> = nexts.map(|step| step.1).collect();
            let each = |way: &Vec<TermId>| {
                let more = nexts.iter().map(|&next| replaced(way, i, next));
                more.collect::<Vec<_>>()
            };
            ways = ways.iter().flat_map(each).collect();
        }
        ways
    }
}

/// A copy with one entry changed.
fn replaced(all: &[TermId], i: usize, next: TermId) -> Vec<TermId> {
    let mut copy = all.to_vec();
    copy[i] = next;
    copy
}
