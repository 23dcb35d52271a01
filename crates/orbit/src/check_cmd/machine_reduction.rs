//! The symmetry of a search of a B machine: found, used, counted, audited.

use super::reduction::{TICKS, over_words};
use crate::details::{self, rejected_members};
use crate::detect::rejection_words;
use crate::plan::{Listing, MachinePlan};
use base::{Clock, Diagnostic, Span};
use bmachine::exchange::MachineText;
use bmachine::live::Live;
use bmachine::run::Setups;
use check::{Guarantee, NodeId, Reducer, StopReason, Store, TreeStore};
use model::values::Ground;
use num_bigint::BigUint;
use reduce::audit::{Audit, Unequal};
use reduce::canonical::Canonical;
use reduce::values::{CertifiedValues, certify};
use std::collections::HashMap;
use std::time::{Duration, Instant};
use strategies::Strategy;

/// What symmetry a search uses.
pub struct MachineReduction {
    strategy: Strategy,
    certified: Option<CertifiedValues>,
    reducer: Box<dyn Reducer>,
    elapsed: Duration,
    /// Whether all elements of each deferred set may be exchanged.
    is_nameless: bool,
    /// Why it is not used after all, or not as it was found.
    notes: Vec<String>,
}

/// What may be a symmetry, and what it is checked on.
struct Found<'a> {
    grounds: Vec<Ground>,
    text: MachineText<'a>,
}

impl MachineReduction {
    /// The symmetry of a machine, if it is to be used; or why the strategy does not fit it.
    pub fn of(plan: &MachinePlan) -> Result<MachineReduction, Diagnostic> {
        MachineReduction::on(plan, plan.manner.reduce, &|| {
            let machine = plan.live.program().machine();
            Found {
                grounds: bmachine::alike::grounds(machine),
                text: MachineText::new(machine),
            }
        })
    }

    /// The symmetry that is left where each atom of a formula of the machine must stay what it is.
    /// Whichever strategy the search for errors has, states are represented exactly.
    pub fn beside(plan: &MachinePlan, formula: usize) -> Result<MachineReduction, Diagnostic> {
        let strategy = match plan.manner.reduce {
            Strategy::None => Strategy::None,
            _ => Strategy::Canonical,
        };
        MachineReduction::on(plan, strategy, &|| {
            let machine = plan.live.program().machine();
            let sorts = plan.live.signature().sorts.iter();
            let sizes: Vec<usize> = sorts.map(|sort| sort.members.len()).collect();
            let formula = &machine.formulas[formula];
            Found {
                grounds: bmachine::alike::grounds_beside(machine, &sizes, formula),
                text: MachineText::beside(machine, formula),
            }
        })
    }

    /// The order of the group, if symmetry is looked for.
    pub fn order(&self) -> Option<String> {
        let certified = self.certified.as_ref()?;
        Some(certified.order().to_string())
    }

    /// No symmetry, for this reason, in place of what was asked for.
    pub fn apart(plan: &MachinePlan, reason: &str) -> Result<MachineReduction, Diagnostic> {
        let ground = Ground::Apart(reason.to_owned());
        let none = MachineReduction::on(plan, plan.manner.reduce, &|| Found {
            grounds: vec![ground.clone(); plan.live.signature().sorts.len()],
            text: MachineText::new(plan.live.program().machine()),
        })?;
        Ok(MachineReduction {
            notes: vec![format!("no symmetry is used: {reason}")],
            ..none
        })
    }

    /// Why symmetry is not used after all, or not as it was found.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    fn on<'p>(
        plan: &'p MachinePlan,
        strategy: Strategy,
        find: &dyn Fn() -> Found<'p>,
    ) -> Result<MachineReduction, Diagnostic> {
        let start = Instant::now();
        let live = &plan.live;
        let certified = (strategy != Strategy::None).then(|| {
            let Found { grounds, text } = find();
            certify(live.signature(), &grounds, &text, plan.manner.clock)
        });
        let mut reducer = match &certified {
            Some(certified) => strategy
                .reducer(&certified.certified())
                .map_err(|refusal| {
                    Diagnostic::unlocated(format!("`--reduce {strategy}` {}", refusal.reason))
                        .note("`--reduce canonical`, the default, fits every machine")
                })?,
            None => Box::new(check::Identity),
        };
        reducer.limit_time(plan.manner.clock);
        Ok(MachineReduction {
            strategy,
            reducer,
            elapsed: start.elapsed(),
            is_nameless: certified.as_ref().is_some_and(|c| is_nameless(live, c)),
            notes: certified
                .as_ref()
                .map_or_else(Vec::new, |c| rejections(live, c)),
            certified,
        })
    }

    /// Whether anything moves.
    pub fn is_used(&self) -> bool {
        let certified = self.certified.as_ref();
        certified.is_some_and(|certified| !certified.is_trivial())
    }

    /// Which valuations of constants a search sets up. Each valuation is carried to one of those
    /// that ProB sets up by a permutation of deferred sets; so where the group has all of these, no
    /// orbit is lost. There may be a thousand times more valuations than orbits, and each costs a
    /// representative.
    pub fn setups(&self) -> Setups {
        if self.is_used() && !self.is_nameless {
            Setups::All
        } else {
            Setups::Named
        }
    }

    /// Who chooses representatives.
    pub fn reducer(&mut self) -> &mut dyn Reducer {
        &mut *self.reducer
    }

    /// How many states there would be without reduction, from the sizes of orbits; or why that does
    /// not follow from them.
    ///
    /// # Requires
    /// The search was complete.
    pub fn full_states(
        &mut self,
        live: &Live,
        store: &mut TreeStore,
        clock: Clock<'_>,
    ) -> Result<BigUint, String> {
        let certified = self.certified.as_ref();
        let Some(certified) = certified.filter(|certified| !certified.is_trivial()) else {
            return Ok(BigUint::from(store.len()));
        };
        if self.reducer.guarantee() != Guarantee::Exact {
            return Err("an orbit may have several states".to_owned());
        }
        let mut canonical = Canonical::new(&certified.certified());
        let shares = Shares::of(live, &mut canonical);
        let mut state = Vec::new();
        let mut total = BigUint::ZERO;
        for n in 0..store.len() {
            if let Err(over) = clock.ask_at(n, TICKS) {
                return Err(over_words(over.into(), n, store.len()));
            }
            store.load(NodeId::new(n), &mut state);
            total += shares.of_orbit(live, &mut canonical, &state);
        }
        Ok(total)
    }

    /// Checks on the initial states, and on every state that was stored, that symmetries carry
    /// moves into moves; if a limit comes first, which and when.
    pub fn audit(
        &self,
        live: &Live,
        store: &mut TreeStore,
        clock: Clock<'_>,
    ) -> Option<(StopReason, String)> {
        let certified = self.certified.as_ref()?;
        let mut audit = Audit::new(live, &certified.certified());
        if let Err(over) = clock.ask() {
            let reason = StopReason::from(over);
            return Some((reason, over_words(reason, 0, store.len())));
        }
        let n_states = store.len();
        let fine = |checked: Result<(), Unequal>, n: usize| {
            let unequal = checked.err()?;
            // What was not tried in full cannot be compared.
            if live.program().patience().was_lost() {
                let reason = StopReason::Time;
                return Some((reason, over_words(reason, n, n_states)));
            }
            if unequal.is_cut {
                let words = report::reason_words(StopReason::Cut);
                return Some((StopReason::Cut, words.to_owned()));
            }
            let generator = &self.generators()[unequal.generator];
            let what = unequal.what;
            panic!("{what:?} of a state and of its image differ, under {generator}");
        };
        // Only all initial states together are closed under symmetries.
        live.set_up(Setups::All);
        if let Some(given_up) = fine(audit.check_initial(), 0) {
            return Some(given_up);
        }
        let mut state = Vec::new();
        for n in 0..store.len() {
            if let Err(over) = clock.ask_at(n, TICKS) {
                let reason = StopReason::from(over);
                return Some((reason, over_words(reason, n, store.len())));
            }
            store.load(NodeId::new(n), &mut state);
            if let Some(given_up) = fine(audit.check(&state), n) {
                return Some(given_up);
            }
        }
        None
    }

    /// The generators in the machine's own words.
    fn generators(&self) -> Vec<String> {
        let Some(certified) = &self.certified else {
            return Vec::new();
        };
        let generators = certified.group().generators().iter();
        generators.map(|g| certified.cycles(g)).collect()
    }

    /// What is told about it.
    pub fn summary(
        &self,
        plan: &MachinePlan,
        full: Option<Result<BigUint, String>>,
    ) -> Option<report::Symmetry> {
        let certified = self.certified.as_ref()?;
        let is_read = plan.manner.details == Listing::Shown;
        let details = is_read.then(|| report::Details {
            sorts: details::machine::sorts(plan.live.program(), certified),
            ..report::Details::default()
        });
        Some(report::Symmetry {
            order: certified.order().to_string(),
            structure: Some(group::shape::name::describe(certified.group()).to_string()),
            generators: self.generators(),
            strategy: self.strategy.name().to_owned(),
            guarantee: self.reducer.guarantee(),
            full_states: full.map(|counted| counted.map(|n| n.to_string())),
            detect: Some(self.elapsed),
            details,
        })
    }
}

/// Whether all permutations of each deferred set were certified.
fn is_nameless(live: &Live, certified: &CertifiedValues) -> bool {
    let sorts = live.program().machine().sorts.iter();
    let mut sorts = sorts.zip(&live.signature().sorts).zip(certified.blocks());
    sorts.all(|((sort, members), blocks)| {
        let n = members.members.len();
        let is_whole = n < 2 || blocks.iter().any(|block| block.len() == n);
        sort.elements.is_some() || is_whole
    })
}

/// What was found and not certified, in words: the first, and how many more.
fn rejections(live: &Live, certified: &CertifiedValues) -> Vec<String> {
    let all = certified.rejected();
    let Some(first) = all.first() else {
        return Vec::new();
    };
    let line = |span: Span| {
        if live.is_typed(span) {
            0
        } else {
            live.line_of(span)
        }
    };
    let told = rejected_members(first, live.signature(), &line);
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

/// How much of each orbit is there where only named valuations of constants are set up.
///
/// Constants never change, so the states of an orbit are spread evenly over the valuations of their
/// orbit: of 12 states over three valuations, one of which is set up, 4 are there.
struct Shares {
    /// By representative of a valuation: how many of its orbit are set up, and how many there are.
    by_setup: HashMap<Vec<u8>, (u64, BigUint)>,
}

impl Shares {
    fn of(live: &Live, canonical: &mut Canonical) -> Shares {
        let mut by_setup: HashMap<Vec<u8>, (u64, BigUint)> = HashMap::new();
        if live.program().has_names() {
            live.setups(Setups::Named, &mut |setup| {
                let mut setup = setup.to_vec();
                canonical.reduce(&mut setup);
                match by_setup.get_mut(&setup) {
                    Some((n_named, _)) => *n_named += 1,
                    None => {
                        let n_all = canonical.orbit_size(&setup);
                        by_setup.insert(setup, (1, n_all));
                    }
                }
            });
        }
        Shares { by_setup }
    }

    /// How many states of the orbit of `state` there are.
    fn of_orbit(&self, live: &Live, canonical: &mut Canonical, state: &[u8]) -> BigUint {
        let n_all = canonical.orbit_size(state);
        if self.by_setup.is_empty() {
            return n_all;
        }
        let mut setup = live.setup_of(state);
        canonical.reduce(&mut setup);
        let (n_named, n_setups) = &self.by_setup[&setup];
        n_all * n_named / n_setups
    }
}
