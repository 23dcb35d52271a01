//! Loops of a text through which a process keeps control, and what a variable is on the way in.
//!
//! A loop is found by its shape as a graph, not by its text: a *head* that every way from the
//! start to the other locations passes (it dominates them), and the locations from which control,
//! always kept, leads back to the head. So `do`, `for`, and labels with `goto` are all the same.
//!
//! Worked example: `i = 0; n = 0; again: n = n + a[i]; i++; if :: i < 3 -> goto again :: else fi`.
//! The head is the location of `n = n + a[i]`; those of `i++` and of the choice lead back to it;
//! the way out is that of `else`. The only way in is `n = 0`, before which `i` was set to 0, so
//! that `i` is 0 when the loop starts.
//!
//! **Source.** Aho, Sethi and Ullman 1986, section 10.4 (natural loops). **Cost.** For each
//! location on a circle of kept control, one walk over the process type; there are few.

use super::loops::Finder;
use super::neutral::{Way, ways, writes};
use model::processes::expr::{Expr, Owner};
use model::processes::layout::FieldId;
use model::processes::program::{Action, Init, LocationId, Step};
use std::collections::{BTreeMap, BTreeSet};

/// A loop.
pub(super) struct Cycle {
    pub head: LocationId,
    /// Its locations, the head included.
    pub inside: BTreeSet<LocationId>,
}

impl Finder<'_> {
    /// The loops of the process type, those with fewer locations first.
    pub fn cycles(&self) -> Vec<Cycle> {
        let left = self.on_circles();
        let heads = (0..left.len()).filter(|l| left[*l]).map(LocationId::new);
        let mut cycles: Vec<Cycle> = heads.filter_map(|head| self.cycle(head, &left)).collect();
        cycles.sort_by_key(|cycle| cycle.inside.len());
        cycles
    }

    /// The locations after which control is kept.
    fn kept(&self, at: LocationId) -> impl Iterator<Item = LocationId> + '_ {
        let steps = self.locations()[at.index()].steps.iter();
        let kept = steps.filter(move |step| self.keeps(at, **step));
        kept.map(|step| self.text.step(*step).target)
    }

    /// What is left where locations without a way in or out are taken away, again and again.
    fn on_circles(&self) -> Vec<bool> {
        let n = self.locations().len();
        let mut left: Vec<bool> = (0..n).map(|l| !self.gone.contains(&l)).collect();
        let mut before = vec![Vec::new(); n];
        let (mut n_in, mut n_out) = (vec![0_usize; n], vec![0_usize; n]);
        for l in (0..n).filter(|l| left[*l]) {
            for to in self.kept(LocationId::new(l)).map(LocationId::index) {
                if left[to] {
                    before[to].push(l);
                    n_in[to] += 1;
                    n_out[l] += 1;
                }
            }
        }
        let odd = |l: &usize| n_in[*l] == 0 || n_out[*l] == 0;
        let mut waiting: Vec<usize> = (0..n).filter(|l| left[*l]).filter(odd).collect();
        while let Some(l) = waiting.pop() {
            if !std::mem::replace(&mut left[l], false) {
                continue;
            }
            for to in self.kept(LocationId::new(l)).map(LocationId::index) {
                n_in[to] = n_in[to].saturating_sub(1);
                waiting.extend((n_in[to] == 0).then_some(to));
            }
            for from in before[l].clone() {
                n_out[from] = n_out[from].saturating_sub(1);
                waiting.extend((n_out[from] == 0).then_some(from));
            }
        }
        left
    }

    /// The loop with a head, if it is one.
    fn cycle(&self, head: LocationId, left: &[bool]) -> Option<Cycle> {
        let around = self.around(head);
        let belongs = |l: LocationId| left[l.index()] && !around[l.index()];
        let mut reached = BTreeSet::new();
        let mut waiting = vec![head];
        while let Some(at) = waiting.pop() {
            if belongs(at) && reached.insert(at) {
                waiting.extend(self.kept(at));
            }
        }
        // Those that lead back; a walk in the other direction.
        let mut inside = BTreeSet::from([head]);
        let mut grown = true;
        while grown {
            let leads = |at: &&LocationId| {
                !inside.contains(*at) && self.kept(**at).any(|to| inside.contains(&to))
            };
            let more: Vec<LocationId> = reached.iter().filter(leads).copied().collect();
            grown = !more.is_empty();
            inside.extend(more);
        }
        let back = inside.iter().any(|at| self.kept(*at).any(|to| to == head));
        back.then_some(Cycle { head, inside })
    }

    /// By location: whether it can be reached without passing another.
    fn around(&self, avoided: LocationId) -> Vec<bool> {
        let mut reached = vec![false; self.locations().len()];
        let mut waiting = vec![self.text.proctype(self.proctype).start];
        while let Some(at) = waiting.pop() {
            if at == avoided || std::mem::replace(&mut reached[at.index()], true) {
                continue;
            }
            for step in &self.locations()[at.index()].steps {
                let step = self.text.step(*step);
                waiting.push(step.target);
                super::walk::blocks(&step.action, &mut |from, to| waiting.extend([from, to]));
            }
        }
        reached
    }

    /// The one value that a variable has on all ways into a loop, which all keep control.
    pub fn first(&self, cycle: &Cycle, variable: FieldId) -> Option<i32> {
        let proctype = self.text.proctype(self.proctype);
        if proctype.start == cycle.head || self.written_by_others(variable) {
            return None;
        }
        let all = ways(self.text, proctype, self.gone);
        let mut first = None;
        let mut known = BTreeMap::new();
        let into = |way: &&Way<'_>| {
            let from = LocationId::new(way.from);
            way.to == cycle.head.index() && !cycle.inside.contains(&from)
        };
        for way in all.iter().filter(into) {
            let step = way.step?;
            let kept = step.rank == 0 && (step.keeps_control || self.in_block(way.origin()));
            let kept = kept && self.holds(way.origin());
            let value = self.after(way, variable, &all, &mut known)?;
            if !kept || first.is_some_and(|first| first != value) {
                return None;
            }
            first = Some(value);
        }
        first
    }

    /// What a variable holds after a way, if that is always the same.
    fn after(
        &self,
        way: &Way<'_>,
        variable: FieldId,
        all: &[Way<'_>],
        known: &mut BTreeMap<usize, Option<i32>>,
    ) -> Option<i32> {
        let resets = way.step.map_or(&[][..], |step| &step.resets);
        if let Some(reset) = resets.iter().find(|reset| reset.field == variable) {
            return Some(reset.value);
        }
        match way.action {
            Some(action) if writes(action, variable) => self.assigned(action, variable),
            _ => self.before(way.from, variable, all, known),
        }
    }

    /// What a variable holds at a location, if that is always the same.
    fn before(
        &self,
        at: usize,
        variable: FieldId,
        all: &[Way<'_>],
        known: &mut BTreeMap<usize, Option<i32>>,
    ) -> Option<i32> {
        if let Some(value) = known.get(&at) {
            return *value;
        }
        // A way in a circle brings nothing that does not come from elsewhere; what is said of
        // locations on the circle meanwhile is not kept.
        let mut values = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut waiting = vec![at];
        while let Some(here) = waiting.pop() {
            if !seen.insert(here) {
                continue;
            }
            if here == self.text.proctype(self.proctype).start.index() {
                values.insert(self.initial(variable));
            }
            for way in all.iter().filter(|way| way.to == here) {
                let resets = way.step.map_or(&[][..], |step| &step.resets);
                let reset = resets.iter().find(|reset| reset.field == variable);
                match (reset, way.action) {
                    (Some(reset), _) => {
                        values.insert(Some(reset.value));
                    }
                    (_, Some(action)) if writes(action, variable) => {
                        values.insert(self.assigned(action, variable));
                    }
                    _ => waiting.push(way.from),
                }
            }
        }
        let value = match values.len() {
            1 => values.into_iter().next().flatten(),
            _ => None,
        };
        known.insert(at, value);
        value
    }

    /// What a variable of a new process starts as, if it is a constant.
    fn initial(&self, variable: FieldId) -> Option<i32> {
        let proctype = self.text.proctype(self.proctype);
        if proctype.parameters.iter().any(|p| p.field == variable) {
            return None;
        }
        let mut value = Some(0);
        for init in &proctype.prologue {
            value = match init {
                Init::Value(place, e) if place.field == variable => match self.text.expr(*e) {
                    Expr::Const(v) => Some(self.narrowed(variable, *v)),
                    _ => None,
                },
                Init::Channel(place, _) if place.field == variable => None,
                _ => value,
            };
        }
        value
    }

    /// What is left of a number when it is stored in a variable of the process.
    pub fn narrowed(&self, variable: FieldId, value: i32) -> i32 {
        let kind = self.text.proctype(self.proctype).kind;
        let field = &self.text.layout.kind(kind).fields[variable.index()];
        field.slot.scalar.narrow(value)
    }

    /// The constant that the last write of an action gives to the variable.
    fn assigned(&self, action: &Action, variable: FieldId) -> Option<i32> {
        match action {
            Action::Assign(place, e) if place.owner == Owner::Own && place.field == variable => {
                Some(self.narrowed(variable, self.constant(*e)?))
            }
            Action::All(all) => {
                let last = all.iter().rev().find(|action| writes(action, variable));
                self.assigned(last?, variable)
            }
            _ => None,
        }
    }

    /// Whether a step of another process writes a variable of this type.
    fn written_by_others(&self, field: FieldId) -> bool {
        super::neutral::written_by_others(self.text, self.proctype, field)
    }
}

impl Way<'_> {
    fn origin(&self) -> LocationId {
        LocationId::new(self.from)
    }
}

/// Whether a step resets a variable.
pub(super) fn resets(step: &Step, variable: FieldId) -> Option<i32> {
    let reset = step.resets.iter().find(|reset| reset.field == variable);
    reset.map(|reset| reset.value)
}
