//! What a term means, by the clauses of the denotational semantics: traces, failures, divergences.
//!
//! Plain and slow on purpose: a process *is* a set of traces, each with the family of all sets it
//! may refuse there (every one of them, not only the greatest) and whether it may diverge. The
//! clauses are those of `docs/theory/csp-semantics.md`, in the same order, read off as loops over
//! such sets. Nothing here knows of transitions; nothing is shared with the crate but the terms.
//!
//! ```text
//! a -> STOP |~| b -> STOP   over {a, b}
//!   <>    refuses {} {a} {b} {✓} {a,✓} {b,✓}
//!   <a>   refuses everything          <b>   refuses everything
//! ```
//!
//! One evaluation serves traces and stable failures (divergence is forgotten: `DIV` has the trace
//! `<>` and no failure), another failures-divergences (`DIV` is chaos: a trace that may diverge
//! stands for all its continuations, and only the shortest are kept). Recursion is iterated from
//! the least process of the model, `DIV` in both, until nothing changes up to the bound.
//!
//! Bounds. A meaning is exact for traces up to its `depth`. Operators keep the least depth of their
//! operands; only hiding needs longer traces of its operand than it gives. There the number of
//! states of the operand is asked for (any number that is large enough will do): a run of that many
//! hidden events passes some state twice, so it can be made longer for ever (divergence) and can be
//! made shorter without changing where it ends. Traces with such runs need not be followed, and
//! what the remaining ones leave open at the operand's depth lowers the depth of the result.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use cspm::process::{LaterId, RelationId, SetId, Term, TermId, Terms};

/// Events of a trace; ✓ is the number of events, and the last of a trace if it is there.
pub type Trace = Vec<u8>;

/// A family of subsets of Σ ∪ {✓}: bit `x` is set if the subset with the bits `x` is in it.
pub type Family = u32;

/// A subset of Σ ∪ {✓}.
pub type Subset = u32;

/// What may happen after a trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Point {
    /// What may be refused. Everything, if it diverges.
    pub refusals: Family,
    /// Whether it may diverge; never so in the models that forget divergence.
    pub diverges: bool,
}

/// The three models.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Model {
    /// `[T=`
    Traces,
    /// `[F=`
    Failures,
    /// `[FD=`
    Divergences,
}

/// All three, in the order of their strength.
pub const MODELS: [Model; 3] = [Model::Traces, Model::Failures, Model::Divergences];

/// The meaning of a process up to a length of traces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Meaning {
    /// How many events there are.
    pub n: usize,
    /// Traces of at most so many events are all there; below zero nothing is known.
    pub depth: i32,
    /// The traces, closed under prefixes. None continues a trace that diverges.
    pub at: BTreeMap<Trace, Point>,
}

impl Meaning {
    fn new(n: usize, depth: i32) -> Meaning {
        Meaning {
            n,
            depth,
            at: BTreeMap::new(),
        }
    }

    /// How many events a trace has; ✓ is none, for whether a process can end decides what it
    /// refuses before.
    fn length(&self, trace: &[u8]) -> i32 {
        length(self.n, trace)
    }

    fn tick(&self) -> u8 {
        self.n as u8
    }

    /// Every subset.
    fn all(&self) -> Family {
        all(self.n)
    }

    /// Every subset without ✓.
    fn without_tick(&self) -> Family {
        avoiding(self.n, 1 << self.n)
    }

    /// Adds a trace with what may be refused after it, to what is there.
    pub fn add(&mut self, trace: Trace, refusals: Family) {
        if self.length(&trace) <= self.depth {
            self.at.entry(trace).or_default().refusals |= refusals;
        }
    }

    /// Adds a trace that may diverge.
    pub fn diverge(&mut self, trace: Trace) {
        if self.length(&trace) <= self.depth {
            let point = self.at.entry(trace).or_default();
            *point = Point {
                refusals: all(self.n),
                diverges: true,
            };
        }
    }

    /// Adds `point` at `trace`.
    fn put(&mut self, trace: Trace, point: Point) {
        if point.diverges {
            self.diverge(trace);
        } else {
            self.add(trace, point.refusals);
        }
    }

    /// What may happen at once.
    fn first(&self) -> Point {
        self.at.get(&vec![]).copied().unwrap_or_default()
    }

    fn has(&self, trace: &[u8]) -> bool {
        self.at.contains_key(trace)
    }

    /// The traces that do not end with ✓.
    fn unfinished(&self) -> impl Iterator<Item = (&Trace, &Point)> {
        let tick = self.tick();
        self.at.iter().filter(move |(s, _)| s.last() != Some(&tick))
    }

    fn ends_after(&self, trace: &[u8]) -> bool {
        self.has(&extended(trace, self.tick()))
    }

    /// Drops what continues a divergence, and lowers the depth where there are more than `most`.
    pub fn settle(mut self, most: usize) -> Meaning {
        let mut stop: Option<Trace> = None;
        // In the order of the map a trace stands before its continuations.
        self.at.retain(|trace, point| {
            if stop.as_ref().is_some_and(|stop| trace.starts_with(stop)) {
                return false;
            }
            if point.diverges {
                stop = Some(trace.clone());
            }
            true
        });
        let mut lengths = vec![0; self.depth.max(0) as usize + 1];
        for trace in self.at.keys() {
            lengths[self.length(trace) as usize] += 1;
        }
        let mut sum = 0;
        for (length, count) in lengths.iter().enumerate() {
            sum += count;
            if sum > most {
                return self.cut(length as i32 - 1);
            }
        }
        self
    }

    /// The same up to a depth.
    pub fn cut(&self, depth: i32) -> Meaning {
        let depth = depth.min(self.depth);
        let kept = self.at.iter().filter(|(s, _)| self.length(s) <= depth);
        Meaning {
            n: self.n,
            depth,
            at: kept.map(|(s, p)| (s.clone(), *p)).collect(),
        }
    }

    /// Whether every behaviour of `other` is one of this, up to the depth that both know.
    pub fn refined_by(&self, other: &Meaning, model: Model) -> bool {
        let depth = self.depth.min(other.depth);
        let known = other.at.iter().filter(|(s, _)| self.length(s) <= depth);
        let mut all = known.map(|(s, point)| match (self.find(s), model) {
            (None, _) => false,
            (Some(_), Model::Traces) => true,
            (Some(mine), _) if mine.diverges => true,
            (Some(mine), _) => !point.diverges && point.refusals & !mine.refusals == 0,
        });
        all.all(|fits| fits)
    }

    /// The point at a trace, or that of the prefix that diverges.
    fn find(&self, trace: &[u8]) -> Option<Point> {
        let shortest = (0..trace.len()).map(|k| self.at.get(&trace[..k]));
        let diverging = shortest.flatten().find(|point| point.diverges);
        diverging.or_else(|| self.at.get(trace)).copied()
    }
}

/// How many events a trace has, ✓ not counted.
pub fn length(n: usize, trace: &[u8]) -> i32 {
    trace.iter().filter(|&&e| (e as usize) < n).count() as i32
}

/// Every subset of `n` events and ✓.
pub fn all(n: usize) -> Family {
    avoiding(n, 0)
}

/// The subsets that have nothing in common with `bits`.
pub fn avoiding(n: usize, bits: Subset) -> Family {
    let subsets = 0..1u32 << (n + 1);
    subsets.filter(|x| x & bits == 0).fold(0, |f, x| f | 1 << x)
}

/// The members of a family.
fn members(family: Family) -> impl Iterator<Item = Subset> {
    (0..32u32).filter(move |x| family >> x & 1 == 1)
}

fn extended(trace: &[u8], event: u8) -> Trace {
    joined(trace, &[event])
}

fn joined(first: &[u8], second: &[u8]) -> Trace {
    [first, second].concat()
}

/// A wrong clause, to see that comparisons find it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// `[]` is resolved by τ.
    ExternalLikeInternal,
    /// `[>` without the refusals of the left side taken away.
    SlideLikeInternal,
    /// ✓ of `P` in `P ; Q` can be refused.
    ThenRefusesTick,
    /// `P /\ Q` cannot be interrupted before its first event.
    LateInterrupt,
    /// Hidden events may be refused.
    HiddenRefused,
    /// No divergence by hiding.
    HiddenEnds,
    /// An event is not offered under its new names all at once.
    RenameRefuses,
    /// One process ends a parallel composition alone.
    EarlyEnd,
    /// A refusal of one process blocks events that need no other.
    ParallelBlocks,
    /// The exception is taken and the process goes on.
    ExceptionIgnored,
    /// A process that can end offers the rest for certain.
    TickWaits,
}

/// All of them.
pub const FAULTS: [Fault; 11] = [
    Fault::ExternalLikeInternal,
    Fault::SlideLikeInternal,
    Fault::ThenRefusesTick,
    Fault::LateInterrupt,
    Fault::HiddenRefused,
    Fault::HiddenEnds,
    Fault::RenameRefuses,
    Fault::EarlyEnd,
    Fault::ParallelBlocks,
    Fault::ExceptionIgnored,
    Fault::TickWaits,
];

/// What an evaluation is of, and how far it goes.
pub struct Plain<'a> {
    /// The terms.
    pub terms: &'a Terms,
    /// What each suspended process stands for.
    pub bodies: &'a [TermId],
    /// How many events there are: three, or four at most.
    pub n: usize,
    /// Whether divergence is all behaviour (failures-divergences) or forgotten.
    pub strict: bool,
    /// The longest traces.
    pub depth: i32,
    /// The most traces of one process.
    pub most: usize,
    /// At least how many states a process has; asked only below hiding.
    pub states: &'a dyn Fn(TermId) -> usize,
    /// Which clause is wrong.
    pub fault: Option<Fault>,
}

/// The meanings of suspended processes, and those of them that are still being iterated.
#[derive(Default)]
struct Env {
    at: HashMap<LaterId, Meaning>,
    busy: BTreeSet<LaterId>,
}

impl Plain<'_> {
    /// The meaning of a term.
    pub fn meaning(&self, term: TermId) -> Meaning {
        let mut env = Env::default();
        for group in self.groups(term) {
            env.busy = group.iter().copied().collect();
            for later in &group {
                env.at.insert(*later, self.divergent());
            }
            let bound = 4 * (self.depth + 2) * (group.len() as i32 + 1);
            for round in 0.. {
                assert!(round < bound, "no fixed point after {round} rounds");
                let next = group
                    .iter()
                    .map(|l| self.eval(self.bodies[l.index()], &env));
                let next: Vec<Meaning> = next.collect();
                let same = group.iter().zip(&next).all(|(l, m)| env.at[l] == *m);
                for (later, meaning) in group.iter().zip(next) {
                    env.at.insert(*later, meaning);
                }
                if same {
                    break;
                }
            }
        }
        env.busy.clear();
        self.eval(term, &env)
    }

    /// The suspended processes that a term needs, mutually recursive ones together, each group
    /// after those it needs.
    fn groups(&self, term: TermId) -> Vec<Vec<LaterId>> {
        let laters = self.needed(term).into_iter();
        let body = |later: LaterId| self.needed(self.bodies[later.index()]);
        let needs: BTreeMap<LaterId, BTreeSet<LaterId>> = laters.map(|l| (l, body(l))).collect();
        // Who needs another, and is not needed by it, needs more than it, counting itself.
        let size = |l: &LaterId| needs[l].len() + usize::from(!needs[l].contains(l));
        let mut left: Vec<LaterId> = needs.keys().copied().collect();
        left.sort_by_key(|l| (size(l), *l));
        let mut groups: Vec<Vec<LaterId>> = Vec::new();
        for later in left {
            let mutual = |o: &LaterId| needs[o].contains(&later) && needs[&later].contains(o);
            match groups.iter_mut().find(|g| g.iter().any(mutual)) {
                Some(group) => group.push(later),
                None => groups.push(vec![later]),
            }
        }
        groups
    }

    /// The suspended processes that a term reaches.
    fn needed(&self, term: TermId) -> BTreeSet<LaterId> {
        let (mut found, mut left) = (BTreeSet::new(), vec![term]);
        while let Some(term) = left.pop() {
            match self.terms.get(term) {
                Term::Later(later) => {
                    if found.insert(*later) {
                        left.push(self.bodies[later.index()]);
                    }
                }
                other => left.extend(operands(other)),
            }
        }
        found
    }

    /// `DIV`, the least process of all models here.
    fn divergent(&self) -> Meaning {
        let mut out = Meaning::new(self.n, self.depth);
        if self.strict {
            out.diverge(vec![]);
        } else {
            out.add(vec![], 0);
        }
        out
    }

    fn bits(&self, set: SetId) -> Subset {
        self.terms
            .events(set)
            .iter()
            .fold(0, |bits, e| bits | 1 << e.index())
    }

    fn eval(&self, term: TermId, env: &Env) -> Meaning {
        let eval = |term: TermId| self.eval(term, env);
        let each = |terms: &[TermId]| terms.iter().map(|&t| eval(t)).collect::<Vec<_>>();
        let meaning = match self.terms.get(term) {
            Term::Stop | Term::Done => self.stop(),
            Term::Skip => self.skip(),
            Term::Div => self.divergent(),
            Term::Chaos(set) => self.over(self.bits(*set), all(self.n)),
            Term::Run(set) => self.over(self.bits(*set), avoiding(self.n, self.bits(*set))),
            Term::Prefix(branches) => {
                let rest = branches.iter().map(|&(e, t)| (e.index() as u8, eval(t)));
                self.prefix(rest.collect())
            }
            Term::External(terms) => self.external(&each(terms)),
            Term::Internal(terms) => self.internal(&each(terms)),
            Term::Then(p, q) => self.then(&eval(*p), &eval(*q)),
            Term::Interrupt(p, q) => self.interrupt(&eval(*p), &eval(*q)),
            Term::Slide(p, q) => self.slide(&eval(*p), &eval(*q)),
            Term::Hide(p, set) => {
                let finished = self.needed(*p).is_disjoint(&env.busy);
                assert!(
                    finished,
                    "hiding within a recursion is not evaluated plainly"
                );
                self.hide(&eval(*p), self.bits(*set), (self.states)(*p))
            }
            Term::Rename(p, relation) => self.rename(&eval(*p), *relation),
            Term::Parallel(set, terms) => {
                let together = |p: Meaning, q: Meaning| self.parallel(&p, &q, self.bits(*set));
                each(terms)
                    .into_iter()
                    .reduce(together)
                    .unwrap_or_else(|| self.skip())
            }
            Term::Alphabetised(parts) => {
                let parts = parts.iter().map(|&(set, t)| (self.bits(set), eval(t)));
                self.alphabetised(&parts.collect::<Vec<_>>())
            }
            Term::Exception(p, set, q) => self.exception(&eval(*p), self.bits(*set), &eval(*q)),
            Term::SyncExternal(set, terms) => self.sync_external(self.bits(*set), &each(terms)),
            Term::SyncInterrupt(p, set, q) => {
                self.sync_interrupt(&eval(*p), self.bits(*set), &eval(*q))
            }
            Term::Compressed(_, p) => eval(*p),
            Term::Later(later) => env.at[later].clone(),
            Term::State(..) => panic!("a state is no term of a script"),
        };
        meaning.settle(self.most)
    }

    /// Where meanings with these operands are known.
    fn out(&self, operands: &[&Meaning]) -> Meaning {
        let depth = operands.iter().map(|m| m.depth).min();
        Meaning::new(self.n, depth.unwrap_or(self.depth))
    }

    fn stop(&self) -> Meaning {
        let mut out = self.out(&[]);
        out.add(vec![], out.all());
        out
    }

    fn skip(&self) -> Meaning {
        let mut out = self.out(&[]);
        out.add(vec![], out.without_tick());
        out.add(vec![self.n as u8], out.all());
        out
    }

    /// All traces over `bits`, with the same refusals after each.
    fn over(&self, bits: Subset, refusals: Family) -> Meaning {
        let mut out = self.out(&[]);
        let mut level = vec![vec![]];
        for length in 0..=self.depth {
            if out.at.len() + level.len() > self.most {
                return out.cut(length - 1);
            }
            let mut next = Vec::new();
            for trace in level {
                next.extend(events(bits).map(|e| extended(&trace, e)));
                out.add(trace, refusals);
            }
            level = next;
        }
        out
    }

    fn prefix(&self, rest: Vec<(u8, Meaning)>) -> Meaning {
        let depth = rest.iter().map(|(_, m)| m.depth + 1).min();
        let mut out = Meaning::new(self.n, depth.unwrap_or(self.depth).min(self.depth));
        let offered = rest.iter().fold(0, |bits, (e, _)| bits | 1 << e);
        out.add(vec![], avoiding(self.n, offered));
        for (event, meaning) in &rest {
            for (s, point) in &meaning.at {
                out.put(joined(&[*event], s), *point);
            }
        }
        out
    }

    fn internal(&self, all: &[Meaning]) -> Meaning {
        let mut out = self.out(&all.iter().collect::<Vec<_>>());
        for (s, point) in all.iter().flat_map(|m| &m.at) {
            out.put(s.clone(), *point);
        }
        out
    }

    fn external(&self, parts: &[Meaning]) -> Meaning {
        if self.fault == Some(Fault::ExternalLikeInternal) && !parts.is_empty() {
            return self.internal(parts);
        }
        let mut out = self.out(&parts.iter().collect::<Vec<_>>());
        out.add(
            vec![],
            parts
                .iter()
                .fold(all(self.n), |f, m| f & m.first().refusals),
        );
        for m in parts {
            if m.first().diverges {
                out.diverge(vec![]);
            }
            if m.ends_after(&[]) && self.fault != Some(Fault::TickWaits) {
                out.add(vec![], out.without_tick());
            }
            for (s, point) in m.at.iter().filter(|(s, _)| !s.is_empty()) {
                out.put(s.clone(), *point);
            }
        }
        out
    }

    fn slide(&self, p: &Meaning, q: &Meaning) -> Meaning {
        if self.fault == Some(Fault::SlideLikeInternal) {
            return self.internal(&[p.clone(), q.clone()]);
        }
        let mut out = self.out(&[p, q]);
        for (s, point) in &q.at {
            out.put(s.clone(), *point);
        }
        for (s, point) in &p.at {
            if !s.is_empty() || point.diverges {
                out.put(s.clone(), *point);
            }
        }
        if p.ends_after(&[]) {
            out.add(vec![], out.without_tick());
        }
        out
    }

    fn then(&self, p: &Meaning, q: &Meaning) -> Meaning {
        let mut out = self.out(&[p, q]);
        let tick = 1 << self.n;
        for (s, point) in p.unfinished() {
            let stuck = |x: &Subset| point.refusals >> (x | tick) & 1 == 1;
            let stuck = members(all(self.n))
                .filter(stuck)
                .fold(0, |f, x| f | 1 << x);
            let wrong = self.fault == Some(Fault::ThenRefusesTick);
            let refusals = if wrong { point.refusals } else { stuck };
            out.put(s.clone(), Point { refusals, ..*point });
            if p.ends_after(s) {
                for (t, point) in &q.at {
                    out.put(joined(s, t), *point);
                }
            }
        }
        out
    }
}

/// The events of a subset.
fn events(bits: Subset) -> impl Iterator<Item = u8> {
    (0..8u8).filter(move |e| bits >> e & 1 == 1)
}

/// The operands of a term.
pub fn operands(term: &Term) -> Vec<TermId> {
    match term {
        Term::Stop | Term::Skip | Term::Done | Term::Div => vec![],
        Term::Chaos(_) | Term::Run(_) | Term::Later(_) | Term::State(..) => vec![],
        Term::Prefix(branches) => branches.iter().map(|b| b.1).collect(),
        Term::External(terms) | Term::Internal(terms) => terms.to_vec(),
        Term::Parallel(_, terms) | Term::SyncExternal(_, terms) => terms.to_vec(),
        Term::Alphabetised(parts) => parts.iter().map(|part| part.1).collect(),
        Term::Then(p, q) | Term::Interrupt(p, q) | Term::Slide(p, q) => vec![*p, *q],
        Term::Exception(p, _, q) | Term::SyncInterrupt(p, _, q) => vec![*p, *q],
        Term::Hide(p, _) | Term::Rename(p, _) | Term::Compressed(_, p) => vec![*p],
    }
}

#[path = "denote/combine.rs"]
mod combine;
