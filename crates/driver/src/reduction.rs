//! The symmetry of a search: found, used, counted, audited.

mod partly;

use crate::details;
use crate::detect::{Detect, Detected, detect, detect_if, detect_largest, rejection_words};
use crate::plan::{Listing, SearchOptions};
use base::{Clock, Diagnostic, quote};
use check::{Guarantee, Identity, NodeId, Reducer, StopReason, Store, Symmetry, TreeStore};
use group::{Group, Perm};
use model::frontend::{Setups, Shape, SortWords, Starts, Subject};
use model::processes::population::Start;
use model::values::{Ground, Signature};
use num_bigint::BigUint;
use partly::Partly;
use reduce::audit::{Audit, Unequal};
use reduce::canonical::Canonical;
use reduce::certified::Certified;
use reduce::processes::Found;
use reduce::processes::declared::{Unmet, unmet};
use reduce::processes::names::Names;
use reduce::processes::sort::Sends;
use reduce::processes::structure::Bearer;
use reduce::strategy::{Exactly, Strategy, Unreduced};
use reduce::values::{CertifiedValues, certify};
use report::reasons::{self, OverAt, Uncounted};
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};
use system::{StepText, System};

/// What symmetry a search uses.
pub struct Reduction {
    strategy: &'static dyn Strategy,
    found: Option<Certificate>,
    /// What is told of it beside the group, if somebody wants to read it.
    details: Option<report::Details>,
    reducer: Box<dyn Reducer>,
    elapsed: Duration,
    clock: Clock<'static>,
    /// Why it is not used after all, or not as it was found.
    notes: Vec<String>,
    /// Which initial states the search starts with.
    starts: Starts,
    /// The steps that break it when they are taken, if that is how it is used.
    broken: Option<Box<Partly>>,
    /// In how many orbits the stored states are, where these may have several and were counted.
    n_orbits: Option<u64>,
}

/// The symmetry that was certified, by the kind of the model.
enum Certificate {
    Processes(Box<Found>),
    Values(Box<CertifiedValues>),
}

impl Certificate {
    /// What moves states.
    fn certified(&self) -> Certified {
        match self {
            Certificate::Processes(found) => found.certified.certified(),
            Certificate::Values(certified) => certified.certified(),
        }
    }

    fn group(&self) -> &Group {
        match self {
            Certificate::Processes(found) => found.certified.group(),
            Certificate::Values(certified) => certified.group(),
        }
    }

    /// How many symmetries there are.
    fn order(&self) -> BigUint {
        match self {
            Certificate::Processes(found) => found.certified.group().order(),
            Certificate::Values(certified) => certified.order(),
        }
    }

    /// Whether no state is moved.
    fn is_trivial(&self) -> bool {
        match self {
            Certificate::Processes(found) => found.certified.lean().1.is_trivial(),
            Certificate::Values(certified) => certified.is_trivial(),
        }
    }

    /// The generators in the model's own words.
    fn generators(&self) -> Vec<String> {
        let generators = self.group().generators().iter();
        match self {
            Certificate::Processes(found) => {
                let names = Names::new(&found.sorts, &found.population);
                let bearers = &found.certified.act().points().bearers;
                generators.map(|g| names.cycles(bearers, g)).collect()
            }
            Certificate::Values(certified) => generators.map(|g| certified.cycles(g)).collect(),
        }
    }

    /// Why orbits do not add up to the states that are reached, if they do not.
    fn unsummed(&self) -> Option<Uncounted> {
        let Certificate::Processes(found) = self else {
            return None;
        };
        if found.population.start == Start::Free {
            return Some(Uncounted::StartMoves);
        }
        // States come about that are alike and are not all reached.
        let is_mixed = found.population.interleaved;
        is_mixed.then_some(Uncounted::Interleaved)
    }
}

/// Why there is no search.
pub struct Refusal {
    /// In words.
    pub why: Diagnostic,
    /// Generators that were given and are none.
    pub rejected: Vec<report::Rejected>,
}

/// What symmetry is wanted.
#[derive(Clone, Copy)]
pub struct Wanted<'a> {
    /// How it is used.
    pub how: &'a SearchOptions,
    /// Where it is looked for.
    pub detect: &'a Detect,
    /// Whether it has to keep the start, because states are counted or compared.
    pub keeps_start: bool,
    /// What is assumed of sends in loops.
    pub sends: Sends,
}

/// What a text declares and does not hold.
fn not_as_declared(found: &Found, unmet: &[Unmet]) -> Option<Diagnostic> {
    let message = |unmet: &Unmet| {
        let name = &found.sorts.text.proctype(unmet.declared.proctype).name;
        format!("{} is not as declared: {}", quote(name), unmet.reason)
    };
    let (first, others) = unmet.split_first()?;
    let why = Diagnostic::error(first.declared.span, message(first));
    let others = others.iter();
    let why = others.fold(why, |why, one| why.and(one.declared.span, message(one)));
    Some(why.note("`orbit symmetry` says what there is instead, and why"))
}

/// How many states are looked at between two looks at the clock.
const TICKS: usize = 64;

impl Reduction {
    /// Looks for the symmetry of what is searched, if that is wanted; or says why the strategy does
    /// not fit it, or which generator that was given is no symmetry.
    pub fn of(subject: &dyn Subject, wanted: &Wanted<'_>) -> Result<Reduction, Refusal> {
        let strategy = wanted.how.strategy;
        let is_counted = wanted.how.count_full || wanted.how.self_check;
        let wanted = &Wanted {
            keeps_start: wanted.keeps_start || is_counted,
            ..*wanted
        };
        match (strategy.uses_symmetry(), subject.asymmetry()) {
            (false, _) => Ok(Reduction {
                starts: starts(subject, Starts::Distinct),
                ..Reduction::none()
            }),
            (true, Some(reason)) => Reduction::apart(subject, wanted, reason),
            (true, None) => Reduction::with(subject, wanted, strategy),
        }
    }

    /// The same for what a formula watches. Whichever strategy the search for errors has, states
    /// that are made of values are represented exactly.
    pub fn beside(subject: &dyn Subject, wanted: &Wanted<'_>) -> Result<Reduction, Refusal> {
        let is_values = matches!(subject.shape(), Shape::Values { .. });
        if !(is_values && wanted.how.strategy.uses_symmetry()) {
            return Reduction::of(subject, wanted);
        }
        match subject.asymmetry() {
            Some(reason) => Reduction::apart(subject, wanted, reason),
            None => Reduction::with(subject, wanted, &Exactly),
        }
    }

    /// No symmetry, for this reason, in place of what was asked for.
    pub fn apart(
        subject: &dyn Subject,
        wanted: &Wanted<'_>,
        reason: &str,
    ) -> Result<Reduction, Refusal> {
        let mut none = match subject.shape() {
            Shape::Processes(_) | Shape::Opaque => Reduction::none(),
            Shape::Values {
                signature,
                text,
                words,
                ..
            } => {
                let ground = Ground::Apart(reason.to_owned());
                let grounds = vec![ground; signature.sorts.len()];
                let of = OfValues { signature, words };
                let certified = certify(signature, &grounds, &*text, wanted.how.clock);
                Reduction::of_values(&of, certified, wanted, wanted.how.strategy)?
            }
        };
        none.notes = vec![format!("no symmetry is used: {reason}")];
        none.starts = starts(subject, none.starts);
        Ok(none)
    }

    fn with(
        subject: &dyn Subject,
        wanted: &Wanted<'_>,
        strategy: &'static dyn Strategy,
    ) -> Result<Reduction, Refusal> {
        let mut reduction = match subject.shape() {
            Shape::Opaque => Reduction::none(),
            Shape::Processes(machine) if strategy.is_partial() => {
                Reduction::partly(machine, wanted, strategy)?
            }
            Shape::Values { .. } if strategy.is_partial() => return Err(partly::refusal(strategy)),
            Shape::Processes(machine) => {
                let start = Instant::now();
                let clock = wanted.how.clock;
                let detected = match wanted.detect {
                    Detect::Structure if !wanted.keeps_start => {
                        detect_largest(machine, wanted.sends, clock)
                    }
                    Detect::Structure => detect_if(machine, wanted.sends, clock),
                    elsewhere => detect(elsewhere, machine),
                };
                Reduction::of_processes(detected, wanted, strategy, start)?
            }
            Shape::Values {
                signature,
                grounds,
                text,
                words,
            } => {
                let start = Instant::now();
                let of = OfValues { signature, words };
                let certified = certify(signature, &grounds, &*text, wanted.how.clock);
                let made = Reduction::of_values(&of, certified, wanted, strategy)?;
                Reduction {
                    elapsed: start.elapsed(),
                    ..made
                }
            }
        };
        reduction.starts = starts(subject, reduction.starts);
        Ok(reduction)
    }

    fn of_processes(
        detected: Option<Detected>,
        wanted: &Wanted<'_>,
        strategy: &'static dyn Strategy,
        start: Instant,
    ) -> Result<Reduction, Refusal> {
        if let Some(why) = detected.as_ref().and_then(Detected::refusal) {
            let rejected = detected.into_iter().flat_map(|d| d.rejected);
            return Err(Refusal {
                why,
                rejected: rejected.map(|r| r.told).collect(),
            });
        }
        let is_read = wanted.how.details == Listing::Shown;
        let details = detected.as_ref().filter(|_| is_read).map(|detected| {
            let refused = detected.rejected.iter().map(|r| r.told.clone());
            details::all(&detected.found, refused.collect(), detected.is_partial)
        });
        let found = detected.map(|detected| Certificate::Processes(Box::new(detected.found)));
        let mut reduction = Reduction {
            strategy,
            found,
            details,
            clock: wanted.how.clock,
            ..Reduction::none()
        };
        reduction.reducer = reduction.another_reducer()?;
        reduction.elapsed = start.elapsed();
        Ok(reduction)
    }

    fn of_values(
        of: &OfValues<'_>,
        certified: CertifiedValues,
        wanted: &Wanted<'_>,
        strategy: &'static dyn Strategy,
    ) -> Result<Reduction, Refusal> {
        let is_read = wanted.how.details == Listing::Shown;
        let details = is_read.then(|| report::Details {
            sorts: details::values::sorts(of.signature, of.words, &certified),
            ..report::Details::default()
        });
        // Each set-up is carried to one of the distinct ones by a permutation of members without
        // names. Where the group has all of these no orbit is lost. There may be a thousand times
        // more set-ups than orbits, and each costs a representative.
        let is_whole = of.has_all_permutations(&certified) || certified.is_trivial();
        let mut reduction = Reduction {
            strategy,
            details,
            clock: wanted.how.clock,
            notes: of.rejections(&certified),
            starts: if is_whole {
                Starts::Distinct
            } else {
                Starts::All
            },
            found: Some(Certificate::Values(Box::new(certified))),
            ..Reduction::none()
        };
        reduction.reducer = reduction.another_reducer()?;
        Ok(reduction)
    }

    /// Refuses a model that declares symmetries which it does not have, as far as that is known.
    pub fn with_what_is_declared(mut self, subject: &dyn Subject) -> Result<Reduction, Refusal> {
        let Shape::Processes(machine) = subject.shape() else {
            return Ok(self);
        };
        if machine.model().declared_symmetries.is_empty() {
            return Ok(self);
        }
        let unmet = match &self.found {
            Some(Certificate::Processes(found)) => {
                unmet(found, self.clock).map(|unmet| (found, unmet))
            }
            _ => None,
        };
        match unmet {
            Some((found, unmet)) => match not_as_declared(found, &unmet) {
                None => Ok(self),
                Some(why) => Err(Refusal {
                    why,
                    rejected: Vec::new(),
                }),
            },
            None => {
                let note = "the symmetries that the text declares were not checked";
                self.notes.push(note.to_owned());
                Ok(self)
            }
        }
    }

    /// One more that chooses representatives, and has seen no state yet; or why the strategy does
    /// not fit the symmetry.
    pub fn another_reducer(&self) -> Result<Box<dyn Reducer>, Refusal> {
        let Some(found) = &self.found else {
            return Ok(Box::new(Identity));
        };
        let made = self.strategy.reducer(&found.certified());
        let mut reducer = made.map_err(|why| {
            let why = reasons::misfit(&why);
            let message = format!("`--reduce {}` {why}", self.strategy.name());
            let note = match found {
                Certificate::Processes(_) => "`--reduce canonical`, the default, fits every group",
                Certificate::Values(_) => "`--reduce canonical`, the default, fits every machine",
            };
            Refusal {
                why: Diagnostic::unlocated(message).note(note),
                rejected: Vec::new(),
            }
        })?;
        reducer.limit_time(self.clock);
        Ok(reducer)
    }

    /// None.
    pub fn none() -> Reduction {
        Reduction {
            strategy: &Unreduced,
            found: None,
            details: None,
            reducer: Box::new(Identity),
            elapsed: Duration::ZERO,
            clock: Clock::ENDLESS,
            notes: Vec::new(),
            starts: Starts::Distinct,
            broken: None,
            n_orbits: None,
        }
    }

    /// Whether every state represents itself.
    pub fn is_trivial(&self) -> bool {
        let is_broken = self.broken.is_some();
        !self.strategy.uses_symmetry() || (!is_broken && self.moving().is_none())
    }

    /// What was found, if a state can be moved by it.
    fn moving(&self) -> Option<&Certificate> {
        self.found.as_ref().filter(|found| !found.is_trivial())
    }

    /// The system without moves and initial states that symmetries make of others, for a search
    /// that stores exactly one state of each orbit; `None` if nothing can be left out.
    pub fn system_up_to<'s>(&self, subject: &'s dyn Subject) -> Option<Box<dyn System + 's>> {
        // Where an orbit has several states, all of them are to be counted.
        let is_exact = self.reducer.guarantee() == Guarantee::Exact;
        match self.moving().filter(|_| is_exact)? {
            Certificate::Values(certified) => subject.system_up_to(self.starts, certified.blocks()),
            Certificate::Processes(_) => None,
        }
    }

    /// Which initial states the search starts with.
    pub fn starts(&self) -> Starts {
        self.starts
    }

    /// Why symmetry is not used after all, or not as it was found.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// How many elements the group has; `None` if none was looked for.
    pub fn order(&self) -> Option<String> {
        self.found.as_ref().map(|found| found.order().to_string())
    }

    /// Which process a symmetry makes of a process.
    pub fn carry(&self) -> impl Fn(&Symmetry, u32) -> u32 + use<> {
        let points = match &self.found {
            Some(Certificate::Processes(found)) => Some(found.certified.lean().0.points().clone()),
            _ => None,
        };
        move |symmetry, actor| {
            let Some(points) = &points else {
                return actor;
            };
            let point = points.process(actor as i32) as usize;
            let image = symmetry.image().get(point);
            image.map_or(actor, |to| points.values[*to as usize] as u32)
        }
    }

    /// A symmetry between states in the names of the model; `None` if no group was looked for.
    pub fn words_of(&self, symmetry: &Symmetry) -> Option<String> {
        let perm = Perm::from_bijection(symmetry.image().to_vec());
        match self.found.as_ref()? {
            Certificate::Processes(found) => {
                let points = found.certified.lean().0.points();
                let names = Names::new(&found.sorts, &found.population);
                let fits = points.bearers.len() == perm.degree();
                fits.then(|| names.cycles(&points.bearers, &perm))
            }
            Certificate::Values(certified) => {
                let fits = certified.group().degree() == perm.degree();
                fits.then(|| certified.cycles(&perm))
            }
        }
    }

    /// Who chooses representatives.
    pub fn reducer(&mut self) -> &mut dyn Reducer {
        &mut *self.reducer
    }

    /// How many states there would be without reduction, from the sizes of orbits; or why that
    /// does not follow from them, or is not known in time.
    ///
    /// # Requires
    /// The search was complete.
    pub fn full_states(
        &mut self,
        subject: &dyn Subject,
        store: &mut TreeStore,
        clock: Clock<'_>,
    ) -> Result<BigUint, Uncounted> {
        let Some(found) = self.moving() else {
            return Ok(BigUint::from(store.len()));
        };
        let guarantee = self.reducer.guarantee();
        let is_lossy = guarantee == Guarantee::Lossy || self.broken.is_some();
        let missed = is_lossy.then_some(Uncounted::MissedOrbits);
        if let Some(reason) = found.unsummed().or(missed) {
            return Err(reason);
        }
        let is_exact = guarantee == Guarantee::Exact;
        let mut seen = HashSet::new();
        let mut canonical = Canonical::new(&found.certified());
        let shares = Shares::of(subject.setups(), &mut canonical);
        let mut state = Vec::new();
        let mut total = BigUint::ZERO;
        for n in 0..store.len() {
            if let Err(over) = clock.ask_at(n, TICKS) {
                return Err(Uncounted::Over(OverAt {
                    reason: over.into(),
                    n_done: n,
                    n_all: store.len(),
                }));
            }
            store.load(NodeId::new(n), &mut state);
            // Several states of an orbit count once.
            if !is_exact {
                canonical.reduce(&mut state);
                if !seen.insert(state.clone()) {
                    continue;
                }
            }
            total += shares.of_orbit(&mut canonical, &state);
        }
        self.n_orbits = (!is_exact).then_some(seen.len() as u64);
        Ok(total)
    }

    /// How many states each stored state represents, in order; a size that exceeds 64 bits is the
    /// largest that does not. `None` if states represent themselves, if their orbits are not all
    /// reached or met more than once, or if time was over.
    pub fn orbit_sizes(
        &mut self,
        subject: &dyn Subject,
        store: &mut TreeStore,
        clock: Clock<'_>,
    ) -> Option<Vec<u64>> {
        let found = self.moving()?;
        let is_exact = self.reducer.guarantee() == Guarantee::Exact;
        if found.unsummed().is_some() || self.broken.is_some() || !is_exact {
            return None;
        }
        let mut canonical = Canonical::new(&found.certified());
        let shares = Shares::of(subject.setups(), &mut canonical);
        let (mut state, mut sizes) = (Vec::new(), Vec::new());
        for n in 0..store.len() {
            clock.ask_at(n, TICKS).ok()?;
            store.load(NodeId::new(n), &mut state);
            let size = shares.of_orbit(&mut canonical, &state);
            sizes.push(u64::try_from(size).unwrap_or(u64::MAX));
        }
        Some(sizes)
    }

    /// Checks on the initial states, and on every state that was stored, that symmetries carry
    /// moves into moves; if a limit comes first, which and when.
    pub fn audit(
        &self,
        subject: &dyn Subject,
        store: &mut TreeStore,
        clock: Clock<'_>,
    ) -> Option<(StopReason, String)> {
        let found = self.found.as_ref()?;
        // Only all initial states together are closed under symmetries.
        let system = subject.system(Starts::All);
        let n_states = store.len();
        let fine = |checked: Result<(), Unequal>, n: usize| {
            let unequal = checked.err()?;
            // What was not tried in full cannot be compared.
            if system.gave_up() {
                let reason = StopReason::Time;
                return Some((reason, over_words(reason, n, n_states)));
            }
            if unequal.is_cut {
                let words = report::reason_words(StopReason::Cut);
                return Some((StopReason::Cut, words.to_owned()));
            }
            let generator = &found.generators()[unequal.generator];
            let what = unequal.what;
            panic!("{what:?} of a state and of its image differ, under {generator}");
        };
        let mut audits = vec![Audit::new(system, &found.certified())];
        match found {
            Certificate::Processes(found) => {
                audits.push(Audit::new(system, &found.certified.whole()));
            }
            Certificate::Values(_) => {
                if let Err(over) = clock.ask() {
                    let reason = StopReason::from(over);
                    return Some((reason, over_words(reason, 0, n_states)));
                }
                if let Some(given_up) = fine(audits[0].check_initial(), 0) {
                    return Some(given_up);
                }
            }
        }
        let mut state = Vec::new();
        for n in 0..n_states {
            if let Err(over) = clock.ask_at(n, TICKS) {
                let reason = StopReason::from(over);
                return Some((reason, over_words(reason, n, n_states)));
            }
            store.load(NodeId::new(n), &mut state);
            for audit in &mut audits {
                if let Some(given_up) = fine(audit.check(&state), n) {
                    return Some(given_up);
                }
            }
        }
        None
    }

    /// The steps that cannot be taken, given those that the search took: a step can be taken if one
    /// that a symmetry carries to it was. `None` where that does not follow.
    pub fn unreached(&self, system: &dyn System, covered: &[bool]) -> Option<Vec<StepText>> {
        if self.broken.is_some() {
            return None;
        }
        let mut covered = covered.to_vec();
        if let Some(Certificate::Processes(found)) = &self.found {
            let certified = &found.certified;
            let bearers = &certified.act().points().bearers;
            let is_location = |bearer: &Bearer| matches!(bearer, Bearer::Location(..));
            // The steps of loops that were replaced have no images.
            let loops = !found.sorts.unordered.is_empty() && bearers.iter().any(is_location);
            let moves = !certified.group().is_trivial();
            let free = found.population.start == Start::Free;
            if moves && (loops || free || found.population.interleaved) {
                return None;
            }
            certified.close_coverage(&mut covered);
        }
        Some(system.not_covered(&covered))
    }

    /// What is told about it.
    pub fn summary(&self, full: Option<Result<BigUint, Uncounted>>) -> Option<report::Symmetry> {
        if let Some(partly) = &self.broken {
            return Some(partly.summary(self));
        }
        let found = self.found.as_ref()?;
        let shape = group::shape::name::describe(found.group());
        Some(report::Symmetry {
            order: found.order().to_string(),
            structure: Some(shape.to_string()),
            generators: found.generators(),
            strategy: self.strategy.name().to_owned(),
            guarantee: self.reducer.guarantee(),
            advice: Some(crate::advice::strategy(found.group(), &shape)),
            taken_apart: self.strategy.taken_apart(found.group()),
            full_states: full.map(|counted| counted.map(|n| n.to_string())),
            n_orbits: self.n_orbits,
            n_partitions: self.reducer.n_partitions().map(|n| n as u64),
            work: self.reducer.work(),
            detect: Some(self.elapsed),
            details: self.details.clone(),
            partial: None,
        })
    }
}

/// Which initial states are taken, given those that the group allows.
fn starts(subject: &dyn Subject, by_group: Starts) -> Starts {
    if subject.needs_all_starts() {
        Starts::All
    } else {
        by_group
    }
}

/// What there is of a model of values beside its states.
struct OfValues<'a> {
    signature: &'a Signature,
    words: &'a dyn SortWords,
}

impl OfValues<'_> {
    /// Whether all permutations of each sort whose members have no names were certified.
    fn has_all_permutations(&self, certified: &CertifiedValues) -> bool {
        let mut sorts = self.signature.sorts.iter().zip(certified.blocks());
        sorts.all(|(sort, blocks)| {
            let n = sort.members.len();
            let is_whole = n < 2 || blocks.iter().any(|block| block.len() == n);
            sort.is_named || is_whole
        })
    }

    /// What was found and not certified, in words.
    fn rejections(&self, certified: &CertifiedValues) -> Vec<String> {
        let all = certified.rejected();
        let Some(first) = all.first() else {
            return Vec::new();
        };
        let told = details::values::rejected(first, self.signature, self.words);
        let more = match all.len() - 1 {
            0 => String::new(),
            n => format!("; and {n} more"),
        };
        let words = rejection_words(&told);
        vec![format!(
            "not used as a symmetry: {}: {words}{more}",
            told.candidate
        )]
    }
}

/// How much of each orbit is there where only distinct set-ups are made.
///
/// What is set up never changes, so the states of an orbit are spread evenly over the set-ups of
/// their orbit: of 12 states over three set-ups, one of which is made, 4 are there.
struct Shares<'s> {
    setups: Option<&'s dyn Setups>,
    /// By representative of a set-up: how many of its orbit are made, and how many there are.
    by_setup: HashMap<Vec<u8>, (u64, BigUint)>,
}

impl<'s> Shares<'s> {
    fn of(setups: Option<&'s dyn Setups>, canonical: &mut Canonical) -> Shares<'s> {
        let mut by_setup: HashMap<Vec<u8>, (u64, BigUint)> = HashMap::new();
        if let Some(setups) = setups {
            setups.each(&mut |setup| {
                let mut setup = setup.to_vec();
                canonical.reduce(&mut setup);
                match by_setup.get_mut(&setup) {
                    Some((n_made, _)) => *n_made += 1,
                    None => {
                        let n_all = canonical.orbit_size(&setup);
                        by_setup.insert(setup, (1, n_all));
                    }
                }
            });
        }
        Shares { setups, by_setup }
    }

    /// How many states of the orbit of `state` there are.
    fn of_orbit(&self, canonical: &mut Canonical, state: &[u8]) -> BigUint {
        let n_all = canonical.orbit_size(state);
        let Some(setups) = self.setups.filter(|_| !self.by_setup.is_empty()) else {
            return n_all;
        };
        let mut setup = setups.of(state);
        canonical.reduce(&mut setup);
        let (n_made, n_setups) = &self.by_setup[&setup];
        n_all * n_made / n_setups
    }
}

/// What came first, and how far it went.
fn over_words(reason: StopReason, n_done: usize, n_all: usize) -> String {
    reasons::over_at(OverAt {
        reason,
        n_done,
        n_all,
    })
}
