//! The symmetry of a search: found, used, counted, audited.

use crate::plan::Strategy;
use base::Diagnostic;
use check::{Identity, NodeId, Reducer, Store, TreeStore};
use num_bigint::BigUint;
use reduce::Found;
use reduce::audit::Audit;
use reduce::canonical::Canonical;
use std::time::{Duration, Instant};
use system::Machine;

/// What symmetry a search uses.
pub struct Reduction {
    found: Option<Found>,
    canonical: Option<Canonical>,
    identity: Identity,
    elapsed: Duration,
}

impl Reduction {
    /// Looks for the symmetry of a model, if that was asked for.
    pub fn of(strategy: Strategy, machine: &Machine) -> Reduction {
        let start = Instant::now();
        let found = match strategy {
            Strategy::None => None,
            Strategy::Canonical => reduce::find(machine),
        };
        if std::env::var("ORBIT_DEBUG").is_ok() && let Some(found) = &found { debug(found); }
        let moving = found.as_ref().filter(|found| !found.certified.group().is_trivial());
        let canonical = moving.map(|found| Canonical::new(&found.certified));
        Reduction {
            canonical,
            found,
            identity: Identity,
            elapsed: start.elapsed(),
        }
    }

    /// Who chooses representatives.
    pub fn reducer(&mut self) -> &mut dyn Reducer {
        match &mut self.canonical {
            Some(canonical) => canonical,
            None => &mut self.identity,
        }
    }

    /// How many states there would be without reduction, from the sizes of orbits; `None` if that
    /// does not follow from them.
    ///
    /// # Requires
    /// The search was complete.
    pub fn full_states(&mut self, store: &mut TreeStore) -> Option<BigUint> {
        let Some(canonical) = &mut self.canonical else {
            return Some(BigUint::from(store.len()));
        };
        // While the making goes on and others move, states come about that are alike and are not
        // all reached.
        if self.found.as_ref().is_none_or(|found| found.population.interleaved) {
            return None;
        }
        let mut state = Vec::new();
        let mut total = BigUint::ZERO;
        for n in 0..store.len() {
            store.load(NodeId::new(n), &mut state);
            total += canonical.orbit_size(&state);
        }
        Some(total)
    }

    /// Checks on every state that was stored that symmetries carry moves into moves.
    pub fn audit(&self, machine: &Machine, store: &mut TreeStore) -> Result<(), Diagnostic> {
        let Some(found) = &self.found else {
            return Ok(());
        };
        let mut audit = Audit::new(machine, &found.certified);
        let mut state = Vec::new();
        for n in 0..store.len() {
            store.load(NodeId::new(n), &mut state);
            if let Err(unequal) = audit.check(&state) {
                let generator = &self.generators()[unequal.generator];
                let what = unequal.what;
                panic!("{what:?} of a state and of its image differ, under {generator}");
            }
        }
        Ok(())
    }

    /// The generators in the model's own words.
    fn generators(&self) -> Vec<String> {
        let Some(found) = &self.found else {
            return Vec::new();
        };
        let points = found.certified.act().points();
        let name = |x: &u32| {
            reduce::detect::name(points.bearers[*x as usize], &found.sorts, &found.population)
        };
        let cycle = |cycle: &Vec<u32>| {
            let names: Vec<String> = cycle.iter().map(name).collect();
            format!("({})", names.join(" "))
        };
        let generators = found.certified.group().generators().iter();
        generators.map(|g| g.cycles().iter().map(cycle).collect()).collect()
    }

    /// What is told about it.
    pub fn summary(&self, full: Option<BigUint>) -> Option<report::Symmetry> {
        let found = self.found.as_ref()?;
        let group = found.certified.group();
        Some(report::Symmetry {
            order: group.order().to_string(),
            structure: group::shape::name::describe(group).to_string(),
            generators: self.generators(),
            strategy: "canonical".to_owned(),
            exact: true,
            full_states: full.map(|n| n.to_string()),
            detect: self.elapsed,
        })
    }
}

fn debug(found: &Found) {
    if std::env::var("ORBIT_DEBUG").is_ok_and(|v| v == "2") { eprintln!("{}", system::listing::listing(&found.sorts.text)); }
    let e = reduce::explain::Explain::new(&found.structure);
    let ps: Vec<u32> = (0..found.structure.bearers.len() as u32).filter(|x| matches!(found.structure.bearers[*x as usize], system::structure::Bearer::Process(_))).collect();
    for w in ps.windows(2) {
        if let Some(d) = e.difference(w[0], w[1]) {
            let n = |x: &Option<u32>| x.map_or("-".to_owned(), |x| match found.structure.bearers.get(x as usize) { Some(b) => reduce::detect::name(*b, &found.sorts, &found.population), None => format!("#{x}:{}@{}", found.structure.colours[x as usize], found.structure.lines[x as usize]) });
            let p: Vec<String> = d.path.iter().map(|(a,b)| format!("{}/{}", n(a), n(b))).collect();
            eprintln!("{} line {}: {}", n(&Some(w[0])), d.line, p.join(" <- "));
        }
    }
    for (i, c) in found.sorts.classes.iter().enumerate() {
        if c.members.as_ref().is_some_and(|m| m.is_empty()) { continue; }
        let uses: Vec<String> = found.sorts.text.layout.kinds.iter().enumerate().flat_map(|(k, kind)| { let sorts=&found.sorts; kind.fields.iter().enumerate().filter(move |(f,_)| sorts.fields[k][*f].value.index()==i || sorts.fields[k][*f].indices.iter().any(|c| c.index()==i)).map(move |(_, field)| format!("{}.{}", kind.name, field.name)) }).collect();
        eprintln!("class {i}: {:?} {:?} {:?} {}", c.members, c.pinned, c.plain, uses.join(" "));
    }
}
