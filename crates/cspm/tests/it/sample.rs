//! Random processes for a seed.
//!
//! A sample is a term with the bodies of the suspended processes it needs. They come in layers: a
//! body names those of lower layers anywhere, and those of its own layer only where the recursion
//! is guarded and nothing is left around it when it is reached, so that there are finitely many
//! states (`P = a -> P`, `P = SKIP; P` and `P = P |~| Q` occur, `P = a -> (P ; Q)` does not).
//! For the same reason nothing of its own layer stands below hiding, where `denote` needs this.

use std::collections::{HashMap, HashSet};
use std::convert::Infallible;

use cspm::compile::ScriptNames;
use cspm::leaf::{Leaf, explore};
use cspm::operate::{Operator, StateLimits, StepFailure};
use cspm::process::{Compression, Event, LaterId, SetId, Term, TermId, Terms, Unfold};

use super::denote::{self, Fault, Meaning, Model, Plain};

/// Which operators are in a sample.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mix {
    /// Prefix and choices.
    Choices,
    /// Choices, `;`, interrupts, exceptions.
    Sequence,
    /// Choices and parallel composition, with ✓.
    Parallel,
    /// Choices, hiding and renaming.
    Hiding,
    /// Everything.
    All,
}

/// All mixes.
pub const MIXES: [Mix; 5] = [
    Mix::Choices,
    Mix::Sequence,
    Mix::Parallel,
    Mix::Hiding,
    Mix::All,
];

/// All compressions.
pub const COMPRESSIONS: [Compression; 8] = [
    Compression::Normal,
    Compression::Strong,
    Compression::Weak,
    Compression::Delay,
    Compression::Diamond,
    Compression::Explicate,
    Compression::TauLoops,
    Compression::Identity,
];

/// How many events samples have.
pub const N_EVENTS: usize = 3;

/// The longest traces that are looked at.
const DEPTH: i32 = 6;

/// The most traces of a process that are looked at.
const TRACES_MAX: usize = 200;

/// Terms, and what is suspended in them.
pub struct Sample {
    /// The table.
    pub terms: Terms,
    /// What each suspended process stands for.
    pub bodies: Bodies,
    /// The process.
    pub root: TermId,
}

/// What each suspended process stands for.
#[derive(Clone)]
pub struct Bodies(pub Vec<TermId>);

impl Unfold for Bodies {
    type Error = Infallible;

    fn unfold(&mut self, later: LaterId, _: &mut Terms) -> Result<TermId, Infallible> {
        Ok(self.0[later.index()])
    }
}

impl ScriptNames for Bodies {
    fn process(&self, later: LaterId, _: &Terms) -> String {
        format!("P{}", later.index())
    }

    fn event(&self, event: Event) -> String {
        format!("e{}", event.index())
    }

    fn n_events(&self) -> usize {
        N_EVENTS
    }
}

impl Sample {
    /// The transition system of a term, or nothing if it has too many states.
    pub fn leaf(&mut self, term: TermId) -> Option<Leaf> {
        let limits = StateLimits {
            states_max: 400,
            depth_max: 1000,
        };
        let mut operator = Operator::new(limits);
        match explore(term, &mut operator, &mut self.terms, &mut self.bodies) {
            Ok(leaf) => Some(leaf),
            Err(StepFailure::States { .. }) => None,
            Err(failure) => panic!("{failure:?}"),
        }
    }

    /// The meaning of a term; for traces and failures, or for failures and divergences.
    ///
    /// Nothing, if a process that is hidden from has too many states.
    pub fn meaning(&mut self, term: TermId, strict: bool, fault: Option<Fault>) -> Option<Meaning> {
        let mut sizes = HashMap::new();
        for p in self.hidden_from(term) {
            sizes.insert(p, self.leaf(p)?.lts.n_states());
        }
        let plain = Plain {
            terms: &self.terms,
            bodies: &self.bodies.0,
            n: N_EVENTS,
            strict,
            depth: DEPTH,
            most: TRACES_MAX,
            states: &|p| sizes[&p],
            fault,
        };
        Some(plain.meaning(term))
    }

    /// The operands of hiding in a term and in the bodies it needs.
    fn hidden_from(&self, term: TermId) -> Vec<TermId> {
        let (mut found, mut left) = (Vec::new(), vec![term]);
        let mut seen = HashSet::new();
        while let Some(term) = left.pop() {
            if !seen.insert(term) {
                continue;
            }
            match self.terms.get(term) {
                Term::Later(later) => left.push(self.bodies.0[later.index()]),
                Term::Hide(p, _) => {
                    found.push(*p);
                    left.push(*p);
                }
                other => left.extend(denote::operands(other)),
            }
        }
        found
    }
}

/// Whether `spec` is refined by `implementation`, by inclusion of sets up to the bound of both.
pub fn refines(model: Model, spec: &Meaning, implementation: &Meaning) -> bool {
    spec.refined_by(implementation, model)
}

/// The process of a seed.
pub fn random(seed: u64, mix: Mix) -> Sample {
    let mut made = Making {
        rng: fastrand::Rng::with_seed(seed),
        terms: Terms::default(),
        mix,
        layers: Vec::new(),
        bodies: Vec::new(),
    };
    for _ in 0..made.rng.usize(0..3) {
        let start = made.bodies.len();
        let n = made.rng.usize(1..3);
        made.layers.push(start..start + n);
        let stop = made.terms.term(Term::Stop);
        made.bodies.resize(start + n, stop);
        for i in start..start + n {
            let size = made.rng.usize(2..7);
            let place = Place {
                tail: Tail::Anywhere,
                guarded: false,
            };
            made.bodies[i] = made.term(size, place);
        }
    }
    made.layers.push(0..0);
    let size = made.rng.usize(2..9);
    let root = made.any(size);
    Sample {
        terms: made.terms,
        bodies: Bodies(made.bodies),
        root,
    }
}

/// Several closed terms in one table, for laws.
pub fn operands(seed: u64, mix: Mix, n: usize) -> (Sample, Vec<TermId>, Operands) {
    let mut sample = random(seed, mix);
    let mut made = Making {
        rng: fastrand::Rng::with_seed(!seed),
        terms: std::mem::take(&mut sample.terms),
        mix,
        layers: vec![0..sample.bodies.0.len(), 0..0],
        bodies: sample.bodies.0.clone(),
    };
    let terms = (0..n).map(|_| {
        let size = made.rng.usize(1..5);
        made.any(size)
    });
    let terms = terms.collect();
    let sets = [made.set(), made.set(), made.set()];
    let event = made.event();
    sample.terms = made.terms;
    (sample, terms, Operands { sets, event })
}

/// What laws speak of besides processes.
pub struct Operands {
    /// Sets of events.
    pub sets: [SetId; 3],
    /// An event.
    pub event: Event,
}

/// Where a suspended process of the same layer may stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tail {
    /// Nowhere: something is left around it.
    Nowhere,
    /// After the next visible event, which takes away what is around it.
    AfterEvent,
    /// Here, if it is guarded.
    Anywhere,
}

#[derive(Clone, Copy)]
struct Place {
    tail: Tail,
    guarded: bool,
}

impl Place {
    fn nowhere(self) -> Place {
        Place {
            tail: Tail::Nowhere,
            ..self
        }
    }

    /// Below an operator that stays until a visible event.
    fn waiting(self) -> Place {
        match self.tail {
            Tail::Nowhere => self,
            _ => Place {
                tail: Tail::AfterEvent,
                ..self
            },
        }
    }

    /// After a visible event.
    fn after_event(self) -> Place {
        Place {
            tail: match self.tail {
                Tail::Nowhere => Tail::Nowhere,
                _ => Tail::Anywhere,
            },
            guarded: true,
        }
    }

    /// After τ.
    fn after_tau(self) -> Place {
        Place {
            guarded: true,
            ..self
        }
    }
}

struct Making {
    rng: fastrand::Rng,
    terms: Terms,
    mix: Mix,
    /// The suspended processes of each layer; the last is the one in the making.
    layers: Vec<std::ops::Range<usize>>,
    bodies: Vec<TermId>,
}

impl Making {
    fn any(&mut self, size: usize) -> TermId {
        let place = Place {
            tail: Tail::Nowhere,
            guarded: false,
        };
        self.term(size, place)
    }

    fn event(&mut self) -> Event {
        Event::new(self.rng.usize(0..N_EVENTS))
    }

    fn set(&mut self) -> SetId {
        let bits = self.rng.usize(0..1 << N_EVENTS);
        let events = (0..N_EVENTS).filter(|e| bits >> e & 1 == 1);
        self.terms.set(events.map(Event::new).collect())
    }

    fn few(&mut self, size: usize, place: Place) -> Vec<TermId> {
        let n = if self.rng.u8(0..4) == 0 { 3 } else { 2 };
        (0..n).map(|_| self.term(size / n, place)).collect()
    }

    fn term(&mut self, size: usize, place: Place) -> TermId {
        if size <= 1 {
            return self.small(place);
        }
        let kinds: &[u8] = match self.mix {
            Mix::Choices => &[0, 0, 0, 1, 1, 2, 2, 3],
            Mix::Sequence => &[0, 0, 0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 7, 8, 9],
            Mix::Parallel => &[0, 0, 0, 1, 2, 4, 10, 10, 10, 11, 11],
            Mix::Hiding => &[0, 0, 0, 1, 1, 2, 3, 12, 12, 12, 13, 13],
            Mix::All => &[
                0, 0, 0, 0, 1, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 11, 12, 12, 13, 14,
            ],
        };
        let kind = kinds[self.rng.usize(0..kinds.len())];
        let half = size / 2;
        let term = match kind {
            0 => self.prefix(size, place),
            1 => Term::External(self.few(size, place.waiting()).into()),
            2 => Term::Internal(self.few(size, place.after_tau()).into()),
            3 => {
                let left = self.term(half, place.waiting());
                Term::Slide(left, self.term(half, place.after_tau()))
            }
            4 => {
                let left = self.term(half, place.nowhere());
                Term::Then(left, self.term(half, place.after_tau()))
            }
            5 => {
                let left = self.term(half, place.nowhere());
                Term::Interrupt(left, self.term(half, place.waiting()))
            }
            6 => {
                let (left, set) = (self.term(half, place.nowhere()), self.set());
                Term::Exception(left, set, self.term(half, place.after_event()))
            }
            7 => Term::SyncExternal(self.set(), self.few(size, place.nowhere()).into()),
            8 => {
                let (left, set) = (self.term(half, place.nowhere()), self.set());
                Term::SyncInterrupt(left, set, self.term(half, place.nowhere()))
            }
            9 => return self.small(place),
            10 => Term::Parallel(self.set(), self.few(size, place.nowhere()).into()),
            11 => {
                let all = self.few(size, place.nowhere());
                Term::Alphabetised(all.into_iter().map(|p| (self.set(), p)).collect())
            }
            12 => Term::Hide(self.term(size - 1, place.nowhere()), self.set()),
            13 => {
                let n = self.rng.usize(1..4);
                let pairs = (0..n).map(|_| (self.event(), self.event())).collect();
                let relation = self.terms.relation(pairs);
                Term::Rename(self.term(size - 1, place.nowhere()), relation)
            }
            _ => {
                let kind = COMPRESSIONS[self.rng.usize(0..COMPRESSIONS.len())];
                Term::Compressed(kind, self.term(size - 1, place))
            }
        };
        self.terms.term(term)
    }

    fn prefix(&mut self, size: usize, place: Place) -> Term {
        let n = 1 + self.rng.usize(0..3) / 2;
        let branch = |making: &mut Making| {
            let event = making.event();
            (event, making.term((size - 1) / n, place.after_event()))
        };
        Term::Prefix((0..n).map(|_| branch(self)).collect())
    }

    /// A term without operands, or an event before one.
    fn small(&mut self, place: Place) -> TermId {
        let layer = self.layers.len() - 1;
        let own = self.layers[layer].clone();
        if place.tail == Tail::Anywhere && place.guarded && self.rng.u8(0..3) > 0 {
            let later = LaterId::new(self.rng.usize(own));
            return self.terms.term(Term::Later(later));
        }
        let lower = self.layers[..layer]
            .iter()
            .map(|l| l.end)
            .max()
            .unwrap_or(0);
        if lower > 0 && self.rng.u8(0..3) > 0 {
            let later = LaterId::new(self.rng.usize(0..lower));
            return self.terms.term(Term::Later(later));
        }
        let term = match self.rng.u8(0..16) {
            0..4 => Term::Stop,
            4..8 => Term::Skip,
            8 => Term::Div,
            9 => Term::Chaos(self.set()),
            10 => Term::Run(self.set()),
            11 => Term::Parallel(self.set(), [].into()),
            _ => {
                let event = self.event();
                Term::Prefix([(event, self.small(place.after_event()))].into())
            }
        };
        self.terms.term(term)
    }
}
