//! What the rules of algebra derive is true: of random processes, beside a plain search for a
//! permutation bisimulation on all their states. Wrong side conditions are noticed.

use crate::sample::{Bodies, MIXES, Mix, Sample, random};
use cspm::explain::{
    AlgebraicRule, Conditions, Derivation, DerivationLimits, DerivationOutcome, Exact, derive,
};
use cspm::leaf::Lts;
use cspm::operate::TermLabel;
use cspm::process::{Event, LaterId, SetId, Term, TermId, Terms};
use std::collections::HashMap;

const LIMITS: DerivationLimits = DerivationLimits {
    pairs_max: 2_000,
    depth_max: 300,
};
/// The most states of a process whose pairs are compared one by one.
const STATES_MAX: usize = 60;

/// Exchanges of two events, a turn of all three, and nothing at all.
const PERMUTATIONS: [[u32; 3]; 4] = [[1, 0, 2], [0, 2, 1], [1, 2, 0], [0, 1, 2]];

/// Whether renaming by a permutation is a bisimulation from the first state to itself: all pairs
/// are taken to be related, and those that are not are struck out until none is.
fn is_symmetric(lts: &Lts, events: &[u32]) -> bool {
    let n = lts.n_states();
    let renamed = |label: TermLabel| match label {
        TermLabel::Event(event) => TermLabel::Event(Event::new(events[event.index()] as usize)),
        other => other,
    };
    let mut related = vec![true; n * n];
    loop {
        let mut is_changed = false;
        for p in lts.states() {
            for q in lts.states() {
                let at = |p: u32, q: u32| p as usize * n + q as usize;
                if !related[at(p, q)] {
                    continue;
                }
                let forth = lts.steps(p).iter().all(|&(label, to)| {
                    let mut others = lts.steps(q).iter();
                    others.any(|&(l, other)| l == renamed(label) && related[at(to, other)])
                });
                let back = lts.steps(q).iter().all(|&(label, other)| {
                    let mut steps = lts.steps(p).iter();
                    steps.any(|&(l, to)| renamed(l) == label && related[at(to, other)])
                });
                if !forth || !back {
                    related[at(p, q)] = false;
                    is_changed = true;
                }
            }
        }
        if !is_changed {
            return related[0];
        }
    }
}

/// A process with all events renamed, its definitions with it.
struct Image<'a> {
    terms: &'a mut Terms,
    bodies: &'a mut Vec<TermId>,
    events: [u32; 3],
    laters: HashMap<LaterId, TermId>,
}

impl Image<'_> {
    fn event(&self, event: Event) -> Event {
        Event::new(self.events[event.index()] as usize)
    }

    fn set(&mut self, set: SetId) -> SetId {
        let images = self.terms.events(set).iter().map(|&e| self.event(e));
        let images = images.collect();
        self.terms.set(images)
    }

    fn all(&mut self, all: &[TermId]) -> std::sync::Arc<[TermId]> {
        all.iter().map(|&term| self.of(term)).collect()
    }

    fn of(&mut self, term: TermId) -> TermId {
        let image = match self.terms.get(term).clone() {
            Term::Later(later) => return self.later(later),
            Term::Chaos(set) => Term::Chaos(self.set(set)),
            Term::Run(set) => Term::Run(self.set(set)),
            Term::Prefix(all) => {
                let all = all.iter().map(|&(e, next)| (self.event(e), self.of(next)));
                Term::Prefix(all.collect())
            }
            Term::External(all) => Term::External(self.all(&all)),
            Term::Internal(all) => Term::Internal(self.all(&all)),
            Term::Then(p, q) => Term::Then(self.of(p), self.of(q)),
            Term::Interrupt(p, q) => Term::Interrupt(self.of(p), self.of(q)),
            Term::Slide(p, q) => Term::Slide(self.of(p), self.of(q)),
            Term::Hide(p, set) => Term::Hide(self.of(p), self.set(set)),
            Term::Rename(p, relation) => {
                let pairs = self.terms.pairs(relation).clone();
                let pairs = pairs.iter().map(|&(a, b)| (self.event(a), self.event(b)));
                let pairs = pairs.collect();
                let relation = self.terms.relation(pairs);
                Term::Rename(self.of(p), relation)
            }
            Term::Parallel(set, all) => Term::Parallel(self.set(set), self.all(&all)),
            Term::SyncExternal(set, all) => Term::SyncExternal(self.set(set), self.all(&all)),
            Term::Alphabetised(all) => {
                let all = all.iter().map(|&(set, p)| (self.set(set), self.of(p)));
                Term::Alphabetised(all.collect())
            }
            Term::Exception(p, set, q) => Term::Exception(self.of(p), self.set(set), self.of(q)),
            Term::SyncInterrupt(p, set, q) => {
                Term::SyncInterrupt(self.of(p), self.set(set), self.of(q))
            }
            Term::Compressed(kind, p) => Term::Compressed(kind, self.of(p)),
            constant => constant,
        };
        self.terms.term(image)
    }

    fn later(&mut self, later: LaterId) -> TermId {
        if let Some(&known) = self.laters.get(&later) {
            return known;
        }
        let image = LaterId::new(self.bodies.len());
        let term = self.terms.term(Term::Later(image));
        self.laters.insert(later, term);
        self.bodies.push(term);
        let body = self.of(self.bodies[later.index()]);
        self.bodies[image.index()] = body;
        term
    }
}

/// A random process, or one that is made of copies of it and often symmetric.
fn process(seed: u64, mix: Mix, events: [u32; 3]) -> (Sample, TermId) {
    let mut sample = random(seed, mix);
    let mut rng = fastrand::Rng::with_seed(seed ^ 0x5eed);
    let mut copies = vec![sample.root];
    let mut bodies = std::mem::take(&mut sample.bodies.0);
    // All images, until the first comes back.
    let mut power = events;
    while power != [0, 1, 2] {
        let mut image = Image {
            terms: &mut sample.terms,
            bodies: &mut bodies,
            events: power,
            laters: HashMap::new(),
        };
        copies.push(image.of(sample.root));
        power = power.map(|e| events[e as usize]);
    }
    sample.bodies = Bodies(bodies);
    rng.shuffle(&mut copies);
    let set: Vec<Event> = (0..3).filter(|_| rng.bool()).map(Event::new).collect();
    let terms = &mut sample.terms;
    let set = terms.set(set);
    let all = || copies.clone().into();
    let made = match rng.u32(0..10) {
        0 => Term::External(all()),
        1 => Term::Internal(all()),
        2 | 3 => Term::Parallel(set, all()),
        4 => Term::Alphabetised(copies.iter().map(|&copy| (set, copy)).collect()),
        5 => {
            let both = terms.term(Term::Internal(all()));
            Term::Hide(both, set)
        }
        6 => {
            let both = terms.term(Term::External(all()));
            let pair = (Event::new(rng.usize(0..3)), Event::new(rng.usize(0..3)));
            let relation = terms.relation(vec![pair]);
            Term::Rename(both, relation)
        }
        7 => {
            let both = terms.term(Term::External(all()));
            Term::Then(both, copies[0])
        }
        8 => {
            // Two names for one process: what is inside does not move.
            let [one, other] = [0, 1].map(|e| {
                let pairs = (0..3).map(|old| (Event::new(old), Event::new(e)));
                let relation = terms.relation(pairs.collect());
                terms.term(Term::Rename(sample.root, relation))
            });
            Term::Parallel(set, [one, other].into())
        }
        _ => return (random(seed, mix), sample.root),
    };
    let root = sample.terms.term(made);
    (sample, root)
}

/// What was derived, and of that what is false.
#[derive(Default)]
struct Tally {
    n: usize,
    n_symmetric: usize,
    n_derived: usize,
    rules: Vec<AlgebraicRule>,
    wrong: Vec<(u64, Mix)>,
}

fn tally(conditions: &dyn Conditions, seeds: std::ops::Range<u64>) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds {
        for (i, mix) in MIXES.into_iter().enumerate() {
            let events = PERMUTATIONS[(seed as usize + i) % PERMUTATIONS.len()];
            let (mut sample, root) = process(seed, mix, events);
            let Some(leaf) = sample.leaf(root) else {
                continue;
            };
            if leaf.lts.n_states() > STATES_MAX {
                continue;
            }
            let is_symmetric = is_symmetric(&leaf.lts, &events);
            let derivation = Derivation {
                root,
                events: &events,
                conditions,
                limits: LIMITS,
            };
            let found = derive(&derivation, &mut sample.terms, &mut sample.bodies);
            let found = found.unwrap_or_else(|never| match never {});
            tally.n += 1;
            tally.n_symmetric += usize::from(is_symmetric);
            if let DerivationOutcome::Derived(steps) = found {
                tally.n_derived += 1;
                tally.rules.extend(steps.iter().map(|step| step.rule));
                if !is_symmetric {
                    tally.wrong.push((seed, mix));
                }
            }
        }
    }
    tally.rules.sort_unstable();
    tally.rules.dedup();
    tally
}

#[test]
fn what_is_derived_is_a_symmetry() {
    let tally = tally(&Exact, 0..700);
    assert!(tally.wrong.is_empty(), "seeds {:?}", tally.wrong);
    // Most of what is symmetric is derived, and by all rules.
    assert!(tally.n_symmetric * 3 > tally.n, "{}", tally.n_symmetric);
    assert!(
        tally.n_derived * 10 > tally.n_symmetric * 7,
        "{} of {}",
        tally.n_derived,
        tally.n_symmetric
    );
    assert_eq!(tally.rules.len(), 14, "{:?}", tally.rules);
}

/// Conditions of which one is not looked at.
enum Loose {
    Event,
    Set,
    Relation,
}

impl Conditions for Loose {
    fn event(&self, event: Event, other: Event, map: &[u32]) -> bool {
        matches!(self, Loose::Event) || Exact.event(event, other, map)
    }

    fn set(&self, set: &[Event], other: &[Event], map: &[u32]) -> bool {
        matches!(self, Loose::Set) || Exact.set(set, other, map)
    }

    fn relation(&self, pairs: &[(Event, Event)], others: &[(Event, Event)], map: &[u32]) -> bool {
        matches!(self, Loose::Relation) || Exact.relation(pairs, others, map)
    }
}

#[test]
fn wrong_rules_are_noticed() {
    for loose in [Loose::Event, Loose::Set, Loose::Relation] {
        assert!(!tally(&loose, 0..300).wrong.is_empty());
    }
}
