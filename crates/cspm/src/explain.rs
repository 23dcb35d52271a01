//! Why a process is symmetric, by the rules of algebra: that `P`, its events renamed by a
//! permutation σ, is `Q`.
//!
//! The rules are those of Moffat, Goldsmith and Roscoe (2008, table 1), read as `Pσ = Q`, with any
//! permutation of the operands of a commutative operator, and those for the operators that the
//! table leaves out, of the same form. A definition is unfolded, and may be used for itself: `Pσ`
//! and `Q` are then equal as infinite trees, up to the order of operands, and equal trees do the
//! same. So what is derived is a strong bisimulation, which is more than equality of traces.
//!
//! *Example.* `P(i) = in.i -> out.i -> P(i)` and `P(1) ||| P(2)`, with σ = (1 2):
//!
//! ```text
//! row 9    P(1) ||| P(2)                 operands 1 and 2 change places
//!   def      P(1) becomes P(2)
//!     row 2    in.1 -> … becomes in.2 -> …
//!       row 2    out.1 -> … becomes out.2 -> …
//!         above    P(1) becomes P(2)
//!   def      P(2) becomes P(1)  …
//! ```
//!
//! The rules are sufficient only: where none applies the process may be symmetric nevertheless.
//! Nothing is decided by a derivation; it explains what was certified on the network. A hypothesis
//! that was made within an attempt that failed is taken back; what failed once fails always,
//! because hypotheses can only help.

mod alphabet;
mod conditions;

use crate::compile::ScriptNames;
use crate::process::{Compression, Event, RelationId, SetId, Term, TermId, Terms};
use alphabet::Alphabets;
use std::collections::HashMap;
use std::sync::Arc;

pub use conditions::{Conditions, Exact};

/// The most steps that are kept to be shown; all are made.
const SHOWN_MAX: usize = 5_000;

/// How far a derivation may go.
#[derive(Clone, Copy, Debug)]
pub struct DerivationLimits {
    /// The most pairs of processes that are looked at.
    pub pairs_max: usize,
    /// The most rules within rules.
    pub depth_max: usize,
}

/// A rule of algebra.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum AlgebraicRule {
    /// Row 1, and the other constants.
    Constant,
    /// Row 2: a choice of events.
    Prefix,
    /// Rows 3 and 12.
    External,
    /// Rows 4, 5 and 10.
    Parallel,
    /// Row 6.
    Then,
    /// Row 7.
    Hide,
    /// Row 8.
    Rename,
    /// Row 9.
    Interleave,
    /// Row 11.
    Alphabetised,
    /// Row 13.
    Internal,
    /// An operator whose operands keep their places, of which the table says nothing.
    Operator,
    /// A definition and its body.
    Definition,
    /// Shown before, or being shown.
    Above,
    /// Nothing in it moves.
    Untouched,
}

impl AlgebraicRule {
    /// The row of the table and more, in a word.
    pub fn name(self) -> &'static str {
        match self {
            AlgebraicRule::Constant => "row 1",
            AlgebraicRule::Prefix => "row 2",
            AlgebraicRule::External => "row 12",
            AlgebraicRule::Parallel => "row 10",
            AlgebraicRule::Then => "row 6",
            AlgebraicRule::Hide => "row 7",
            AlgebraicRule::Rename => "row 8",
            AlgebraicRule::Interleave => "row 9",
            AlgebraicRule::Alphabetised => "row 11",
            AlgebraicRule::Internal => "row 13",
            AlgebraicRule::Operator => "operator",
            AlgebraicRule::Definition => "definition",
            AlgebraicRule::Above => "above",
            AlgebraicRule::Untouched => "untouched",
        }
    }
}

/// One rule that was applied.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DerivationStep {
    /// How many rules it stands within.
    pub depth: usize,
    /// Which rule.
    pub rule: AlgebraicRule,
    /// The process.
    pub from: TermId,
    /// What it becomes.
    pub to: TermId,
    /// What was looked at besides the operands, in words.
    pub condition: String,
}

/// Where no rule applied.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Obstruction {
    /// The definition that was unfolded last on the way there, and the one it was laid on.
    pub within: Option<(TermId, TermId)>,
    /// What does not fit, in words.
    pub words: String,
}

/// What came of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DerivationOutcome {
    /// The rules show it: each rule before those for its operands.
    Derived(Vec<DerivationStep>),
    /// No rule shows it.
    Stuck(Obstruction),
    /// It would take too long.
    Long,
}

/// What is to be derived, and how.
pub struct Derivation<'a> {
    /// A process that is to stay itself.
    pub root: TermId,
    /// Under this permutation of all events that there are: event `e` becomes `events[e]`.
    pub events: &'a [u32],
    /// The side conditions of the rules, [`Exact`] but for tests that wrong ones are noticed.
    pub conditions: &'a dyn Conditions,
    pub limits: DerivationLimits,
}

/// Derives that a process stays itself under a permutation of events.
pub fn derive<S: ScriptNames>(
    derivation: &Derivation<'_>,
    terms: &mut Terms,
    script: &mut S,
) -> Result<DerivationOutcome, S::Error> {
    let root = derivation.root;
    let mut deriver = Deriver {
        conditions: derivation.conditions,
        limits: derivation.limits,
        terms,
        script,
        maps: vec![derivation.events.into()],
        known: HashMap::new(),
        trail: Vec::new(),
        steps: Vec::new(),
        n_steps: 0,
        n_pairs: 0,
        within: Vec::new(),
        nearest: None,
        alphabets: Alphabets::default(),
    };
    match deriver.pair((root, root, 0), 0) {
        Ok(true) => Ok(DerivationOutcome::Derived(deriver.steps)),
        Ok(false) => Ok(DerivationOutcome::Stuck(match deriver.nearest {
            Some((_, obstacle)) => obstacle,
            None => Obstruction {
                within: None,
                words: "no rule applies".to_owned(),
            },
        })),
        Err(Abandoned::Long) => Ok(DerivationOutcome::Long),
        Err(Abandoned::Fault(fault)) => Err(fault),
    }
}

/// A process, what it is to become, and by which renaming.
type DerivationGoal = (TermId, TermId, usize);

enum Abandoned<E> {
    Long,
    Fault(E),
}

/// Whether it was derived.
type Derivable<S> = Result<bool, Abandoned<<S as crate::process::Unfold>::Error>>;

struct Deriver<'a, S: ScriptNames> {
    conditions: &'a dyn Conditions,
    limits: DerivationLimits,
    terms: &'a mut Terms,
    script: &'a mut S,
    maps: Vec<Arc<[u32]>>,
    /// Whether a pair is derived, or taken for derived; false if it failed.
    known: HashMap<DerivationGoal, bool>,
    /// Pairs that are taken for derived, in order.
    trail: Vec<DerivationGoal>,
    steps: Vec<DerivationStep>,
    n_steps: usize,
    n_pairs: usize,
    within: Vec<(TermId, TermId)>,
    nearest: Option<(usize, Obstruction)>,
    alphabets: Alphabets,
}

/// Where to go back to if an attempt fails.
struct Checkpoint {
    trail: usize,
    steps: usize,
    n_steps: usize,
}

impl<S: ScriptNames> Deriver<'_, S> {
    fn mark(&self) -> Checkpoint {
        Checkpoint {
            trail: self.trail.len(),
            steps: self.steps.len(),
            n_steps: self.n_steps,
        }
    }

    /// Takes back what an attempt assumed and showed.
    fn back(&mut self, mark: &Checkpoint) {
        for pair in self.trail.drain(mark.trail..) {
            self.known.remove(&pair);
        }
        self.steps.truncate(mark.steps);
        self.n_steps = mark.n_steps;
    }

    fn step(
        &mut self,
        rule: AlgebraicRule,
        (from, to, _): DerivationGoal,
        depth: usize,
        condition: String,
    ) {
        self.n_steps += 1;
        if self.steps.len() < SHOWN_MAX {
            self.steps.push(DerivationStep {
                depth,
                rule,
                from,
                to,
                condition,
            });
        }
    }

    /// Notes where no rule applies; the attempt that came furthest is told.
    fn stuck(&mut self, words: impl FnOnce(&Self) -> String) -> Derivable<S> {
        let n = self.n_steps;
        if self.nearest.as_ref().is_none_or(|nearest| n > nearest.0) {
            let obstacle = Obstruction {
                within: self.within.last().copied(),
                words: words(self),
            };
            self.nearest = Some((n, obstacle));
        }
        Ok(false)
    }

    /// Derives a pair.
    fn pair(&mut self, pair: DerivationGoal, depth: usize) -> Derivable<S> {
        match self.known.get(&pair) {
            Some(true) => {
                self.step(AlgebraicRule::Above, pair, depth, String::new());
                return Ok(true);
            }
            Some(false) => return Ok(false),
            None => {}
        }
        self.n_pairs += 1;
        if self.n_pairs > self.limits.pairs_max || depth > self.limits.depth_max {
            return Err(Abandoned::Long);
        }
        let mark = self.mark();
        self.known.insert(pair, true);
        self.trail.push(pair);
        let is_derived = self.apply(pair, depth)?;
        if !is_derived {
            self.back(&mark);
            self.known.insert(pair, false);
        }
        Ok(is_derived)
    }

    /// Applies the rule that the operators ask for.
    fn apply(&mut self, pair: DerivationGoal, depth: usize) -> Derivable<S> {
        let (from, to, map) = pair;
        if from == to && self.is_untouched(from, map)? {
            self.step(
                AlgebraicRule::Untouched,
                pair,
                depth,
                "no event of it moves".into(),
            );
            return Ok(true);
        }
        let both = [from, to].map(|term| self.terms.get(term).clone());
        if both.iter().any(|term| matches!(term, Term::Later(_))) {
            return self.definition(pair, depth);
        }
        match both {
            [Term::Stop, Term::Stop]
            | [Term::Skip, Term::Skip]
            | [Term::Done, Term::Done]
            | [Term::Div, Term::Div] => {
                self.step(AlgebraicRule::Constant, pair, depth, "always".into());
                Ok(true)
            }
            [Term::Chaos(a), Term::Chaos(b)] | [Term::Run(a), Term::Run(b)] => {
                self.with_sets(AlgebraicRule::Constant, pair, depth, &[(a, b)], &[])
            }
            [Term::Prefix(a), Term::Prefix(b)] => self.prefix(pair, depth, &a, &b),
            [Term::External(a), Term::External(b)] => {
                let (a, b) = (self.summands(&a), self.summands(&b));
                self.commutative(AlgebraicRule::External, pair, depth, &plain(&a), &plain(&b))
            }
            [Term::Internal(a), Term::Internal(b)] => {
                self.commutative(AlgebraicRule::Internal, pair, depth, &plain(&a), &plain(&b))
            }
            [Term::Parallel(s, a), Term::Parallel(t, b)]
            | [Term::SyncExternal(s, a), Term::SyncExternal(t, b)] => {
                if !self.same_set(s, t, map)? {
                    return Ok(false);
                }
                let rule = if self.terms.events(s).is_empty() {
                    AlgebraicRule::Interleave
                } else {
                    AlgebraicRule::Parallel
                };
                self.commutative(rule, pair, depth, &plain(&a), &plain(&b))
            }
            [Term::Alphabetised(a), Term::Alphabetised(b)] => {
                let some = |all: &[(SetId, TermId)]| -> Vec<Operand> {
                    all.iter().map(|&(set, term)| (Some(set), term)).collect()
                };
                self.commutative(
                    AlgebraicRule::Alphabetised,
                    pair,
                    depth,
                    &some(&a),
                    &some(&b),
                )
            }
            both => self.fixed(pair, depth, both),
        }
    }

    /// Operators whose operands keep their places.
    fn fixed(&mut self, pair: DerivationGoal, depth: usize, both: [Term; 2]) -> Derivable<S> {
        match both {
            [Term::Then(a, b), Term::Then(c, d)] => {
                self.with_sets(AlgebraicRule::Then, pair, depth, &[], &[(a, c), (b, d)])
            }
            [Term::Interrupt(a, b), Term::Interrupt(c, d)]
            | [Term::Slide(a, b), Term::Slide(c, d)] => {
                self.with_sets(AlgebraicRule::Operator, pair, depth, &[], &[(a, c), (b, d)])
            }
            [Term::Exception(a, s, b), Term::Exception(c, t, d)]
            | [Term::SyncInterrupt(a, s, b), Term::SyncInterrupt(c, t, d)] => self.with_sets(
                AlgebraicRule::Operator,
                pair,
                depth,
                &[(s, t)],
                &[(a, c), (b, d)],
            ),
            [Term::Hide(a, s), Term::Hide(b, t)] => {
                self.with_sets(AlgebraicRule::Hide, pair, depth, &[(s, t)], &[(a, b)])
            }
            [Term::Rename(a, r), Term::Rename(b, s)] => self.rename(pair, depth, [a, b], [r, s]),
            [Term::Compressed(k, a), Term::Compressed(l, b)] if k == l && is_canonical(k) => {
                self.with_sets(AlgebraicRule::Operator, pair, depth, &[], &[(a, b)])
            }
            _ => self.stuck(|_| "they are made by different operators".to_owned()),
        }
    }

    /// A definition on one side or both becomes its body.
    fn definition(&mut self, pair: DerivationGoal, depth: usize) -> Derivable<S> {
        let mut bodies = [pair.0, pair.1];
        for term in &mut bodies {
            if let Term::Later(later) = *self.terms.get(*term) {
                let body = self.script.unfold(later, self.terms);
                *term = body.map_err(Abandoned::Fault)?;
            }
        }
        self.step(AlgebraicRule::Definition, pair, depth, String::new());
        self.within.push((pair.0, pair.1));
        let answer = self.pair((bodies[0], bodies[1], pair.2), depth + 1);
        self.within.pop();
        answer
    }

    fn is_untouched(&mut self, term: TermId, map: usize) -> Derivable<S> {
        let mentioned = self.alphabets.of(term, self.terms, self.script);
        let Some(mentioned) = mentioned.map_err(Abandoned::Fault)? else {
            return Ok(false);
        };
        let stays =
            |event: &Event| self.maps[map].get(event.index()) == Some(&(event.index() as u32));
        Ok(mentioned.all.iter().all(stays))
    }

    /// What a choice chooses from: choices within it are one with it, and `STOP` adds nothing.
    fn summands(&self, all: &[TermId]) -> Vec<TermId> {
        let (mut found, mut left) = (Vec::new(), all.to_vec());
        left.reverse();
        while let Some(term) = left.pop() {
            match self.terms.get(term) {
                Term::Stop => {}
                Term::External(inner) => left.extend(inner.iter().rev()),
                _ => found.push(term),
            }
        }
        found
    }

    /// Sets that become sets, and operands that keep their places.
    fn with_sets(
        &mut self,
        rule: AlgebraicRule,
        pair: DerivationGoal,
        depth: usize,
        sets: &[(SetId, SetId)],
        operands: &[(TermId, TermId)],
    ) -> Derivable<S> {
        for &(set, other) in sets {
            if !self.same_set(set, other, pair.2)? {
                return Ok(false);
            }
        }
        let words = sets.iter().map(|&(set, other)| self.set_words(set, other));
        let words = words.collect::<Vec<_>>().join(", ");
        self.step(rule, pair, depth, words);
        for &(a, b) in operands {
            if !self.pair((a, b, pair.2), depth + 1)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn prefix(
        &mut self,
        pair: DerivationGoal,
        depth: usize,
        branches: &[(Event, TermId)],
        others: &[(Event, TermId)],
    ) -> Derivable<S> {
        let map = self.maps[pair.2].clone();
        if branches.len() != others.len() {
            return self.stuck(|_| "they offer different numbers of events".to_owned());
        }
        let words = match branches {
            [] => "no event".to_owned(),
            [(event, _)] => {
                let to = self.script.event(others[0].0);
                format!("{} becomes {to}", self.script.event(*event))
            }
            _ => format!("{} events become as many", branches.len()),
        };
        self.step(AlgebraicRule::Prefix, pair, depth, words);
        let mut is_free = vec![true; others.len()];
        for &(event, next) in branches {
            let mut is_placed = false;
            let mut is_offered = false;
            for (j, &(other, after)) in others.iter().enumerate() {
                if !is_free[j] || !self.conditions.event(event, other, &map) {
                    continue;
                }
                is_offered = true;
                if self.pair((next, after, pair.2), depth + 1)? {
                    is_free[j] = false;
                    is_placed = true;
                    break;
                }
            }
            if !is_offered {
                let image = map.get(event.index()).copied();
                return self.stuck(|s| match image {
                    Some(image) => {
                        let [name, image] =
                            [event, numbered(image)].map(|event| s.script.event(event));
                        format!("{name} would become {image}, which is not offered")
                    }
                    None => "an event is not known".to_owned(),
                });
            }
            if !is_placed {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Operands of which each becomes one that is free, the first that fits: those that an operand
    /// fits on are equal.
    fn commutative(
        &mut self,
        rule: AlgebraicRule,
        pair: DerivationGoal,
        depth: usize,
        operands: &[Operand],
        others: &[Operand],
    ) -> Derivable<S> {
        if operands.len() != others.len() {
            return self.stuck(|_| "they have different numbers of operands".to_owned());
        }
        let at = self.steps.len();
        self.step(rule, pair, depth, String::new());
        let mut places = Vec::with_capacity(operands.len());
        for &(set, operand) in operands {
            let mut place = None;
            for (j, &(other_set, other)) in others.iter().enumerate() {
                if places.contains(&j) {
                    continue;
                }
                let is_kept = match (set, other_set) {
                    (Some(set), Some(other)) => self.same_set(set, other, pair.2)?,
                    _ => true,
                };
                if is_kept && self.pair((operand, other, pair.2), depth + 1)? {
                    place = Some(j);
                    break;
                }
            }
            match place {
                Some(place) => places.push(place),
                None => return Ok(false),
            }
        }
        if let Some(step) = self.steps.get_mut(at) {
            step.condition = places_words(rule, &places);
        }
        Ok(true)
    }

    fn rename(
        &mut self,
        pair: DerivationGoal,
        depth: usize,
        [operand, other]: [TermId; 2],
        relations: [RelationId; 2],
    ) -> Derivable<S> {
        let map = self.maps[pair.2].clone();
        let pairs = relations.map(|relation| self.terms.pairs(relation).clone());
        if self.conditions.relation(&pairs[0], &pairs[1], &map) {
            let mark = self.mark();
            let words = "the renaming is kept".to_owned();
            self.step(AlgebraicRule::Rename, pair, depth, words);
            if self.pair((operand, other, pair.2), depth + 1)? {
                return Ok(true);
            }
            self.back(&mark);
        }
        let mut alphabets = Vec::new();
        for term in [operand, other] {
            let found = self.alphabets.of(term, self.terms, self.script);
            match found.map_err(Abandoned::Fault)? {
                Some(found) => alphabets.push(found),
                None => return Err(Abandoned::Long),
            }
        }
        let inner = conditions::inner(
            &map,
            &alphabets[0].done,
            &pairs[0],
            &alphabets[1].done,
            &pairs[1],
        );
        let Some(inner) = inner else {
            return self.stuck(|_| "the renaming is not kept".to_owned());
        };
        let number = self.maps.iter().position(|known| **known == *inner);
        let number = number.unwrap_or_else(|| {
            self.maps.push(inner.into());
            self.maps.len() - 1
        });
        let words = "events inside move as the renaming says".to_owned();
        self.step(AlgebraicRule::Rename, pair, depth, words);
        self.pair((operand, other, number), depth + 1)
    }

    fn same_set(&mut self, set: SetId, other: SetId, map: usize) -> Derivable<S> {
        let sets = [set, other].map(|set| self.terms.events(set).clone());
        if self.conditions.set(&sets[0], &sets[1], &self.maps[map]) {
            return Ok(true);
        }
        let map = self.maps[map].clone();
        self.stuck(|s| {
            let image = |event: &Event| map.get(event.index()).map_or(*event, |to| numbered(*to));
            let extra = sets[0].iter().find(|e| !sets[1].contains(&image(e)));
            match extra {
                Some(event) => format!(
                    "a set would get {}, which is not in it",
                    s.script.event(image(event))
                ),
                None => "a set would lose an event".to_owned(),
            }
        })
    }

    fn set_words(&self, set: SetId, other: SetId) -> String {
        match (self.terms.events(set).len(), set == other) {
            (0, _) => "the set is empty".to_owned(),
            (n, true) => format!("the set of {n} is kept"),
            (n, false) => format!("the set of {n} becomes the other"),
        }
    }
}

fn numbered(event: u32) -> Event {
    Event::new(event as usize)
}

/// An operand with its alphabet, where it has one.
type Operand = (Option<SetId>, TermId);

fn plain(all: &[TermId]) -> Vec<Operand> {
    all.iter().map(|&term| (None, term)).collect()
}

/// Whether what a compression makes of a process depends on its behaviour only, not on the numbers
/// of its states.
fn is_canonical(kind: Compression) -> bool {
    match kind {
        Compression::Normal
        | Compression::Strong
        | Compression::Weak
        | Compression::Delay
        | Compression::Explicate
        | Compression::TauLoops
        | Compression::Identity => true,
        Compression::Diamond | Compression::Chase => false,
    }
}

/// Where operands go, in words.
fn places_words(rule: AlgebraicRule, places: &[usize]) -> String {
    let moved: Vec<String> = places
        .iter()
        .enumerate()
        .filter(|(i, j)| i != *j)
        .map(|(i, j)| format!("{} to {}", i + 1, j + 1))
        .collect();
    let mut words = match moved.len() {
        0 => "operands stay".to_owned(),
        1..=6 => format!("operands go {}", moved.join(", ")),
        n => format!("{n} operands change places"),
    };
    match rule {
        AlgebraicRule::Alphabetised => words.push_str("; alphabets with them"),
        AlgebraicRule::Parallel => words.push_str("; the set is kept"),
        _ => {}
    }
    words
}
