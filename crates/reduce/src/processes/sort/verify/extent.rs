//! What can happen after the making: whether none of it was overlooked.

use super::{Checked, Verifier};
use model::processes::expr::{Expr, ExprId, Owner, Pattern, Place, Receive, operands};
use model::processes::population::location_of;
use model::processes::program::{Action, LocationId, ProctypeId, roots};

impl Verifier<'_> {
    /// Whether a process type is that of the maker, and others move while it makes.
    pub(super) fn is_early(&self, p: ProctypeId) -> bool {
        let creator = self.population.creator.as_ref();
        self.population.before.is_some() && creator.is_some_and(|c| c.proctype == p)
    }

    /// Whether what a process of the type can do at a location is checked.
    pub(super) fn is_walked(&self, p: ProctypeId, at: usize) -> bool {
        self.sorts.live[p.index()][at] || self.is_early(p)
    }

    /// Whether what processes of the type start with is checked.
    pub(super) fn is_made(&self, p: ProctypeId) -> bool {
        self.is_run(p) || self.is_early(p)
    }

    /// Whether processes of the type can be made while others move.
    pub(super) fn is_run(&self, p: ProctypeId) -> bool {
        let made_early = || {
            let Some(creator) = self.population.creator.as_ref() else {
                return false;
            };
            let locations = &self.sorts.text.proctype(creator.proctype).locations;
            let mut steps = locations.iter().flat_map(|l| &l.steps);
            steps.any(|step| {
                let mut found = false;
                roots(&self.sorts.text.step(*step).action, &mut |e| {
                    found |= self.makes(e, p)
                });
                found
            })
        };
        let early = self.population.before.is_some();
        self.sorts.made_later[p.index()] || (early && made_early())
    }

    fn makes(&self, e: ExprId, p: ProctypeId) -> bool {
        let mut found = matches!(self.sorts.text.expr(e), Expr::Run(q, ..) if *q == p);
        operands(self.sorts.text.expr(e), &mut |e| found |= self.makes(e, p));
        found
    }

    /// Locations that can be reached are live, and what the live text does is noted.
    pub(super) fn extent(&mut self) -> Checked {
        let (sorts, population) = (self.sorts, self.population);
        for record in &population.processes {
            let p = sorts
                .text
                .proctypes
                .iter()
                .position(|p| p.kind == record.kind);
            let Some(p) = p.map(ProctypeId::new) else {
                return self.misuse("a process without a type");
            };
            for state in &population.states {
                self.reached(p, location_of(&sorts.text, p, state, record))?;
            }
        }
        for p in (0..sorts.text.proctypes.len()).map(ProctypeId::new) {
            self.proctype = p;
            let proctype = sorts.text.proctype(p);
            if self.is_run(p) {
                self.reached(p, proctype.start)?;
            }
            let is_live = sorts.live[p.index()].iter().any(|live| *live);
            if let Some(provided) = proctype.provided.filter(|_| is_live) {
                self.used(provided)?;
            }
            for (l, location) in proctype.locations.iter().enumerate() {
                if sorts.live[p.index()][l] {
                    location
                        .steps
                        .iter()
                        .try_for_each(|step| self.extent_of(*step))?;
                }
            }
        }
        sorts.text.atoms.iter().try_for_each(|e| self.used(*e))
    }

    fn reached(&self, p: ProctypeId, at: LocationId) -> Checked {
        let live = self.sorts.live[p.index()].get(at.index()) == Some(&true);
        self.demand(live, "a location that can be reached was left out")
    }

    fn extent_of(&mut self, step: model::processes::program::StepId) -> Checked {
        let sorts = self.sorts;
        let step = sorts.text.step(step);
        self.line = sorts.text.sites[step.site.index()].line;
        self.reached(self.proctype, step.target)?;
        self.extent_of_action(&step.action)?;
        let mut all = Vec::new();
        roots(&step.action, &mut |e| all.push(e));
        all.into_iter().try_for_each(|e| self.used(e))?;
        let kind = sorts.text.proctype(self.proctype).kind.index();
        let written = |reset: &model::processes::program::Reset| {
            sorts.uses[kind][reset.field.index()].written
        };
        let all = step.resets.iter().all(written);
        self.demand(all, "a variable that is set was left out")
    }

    fn extent_of_action(&self, action: &Action) -> Checked {
        match action {
            Action::Assign(place, _) => self.touched(place, true),
            Action::Receive(receive) => self.stores(receive, true),
            Action::Deterministic(from, to) => {
                self.reached(self.proctype, *from)?;
                self.reached(self.proctype, *to)
            }
            Action::All(all) => all.iter().try_for_each(|a| self.extent_of_action(a)),
            _ => Ok(()),
        }
    }

    fn stores(&self, receive: &Receive, written: bool) -> Checked {
        receive.fields.iter().try_for_each(|pattern| match pattern {
            Pattern::Store(place) => self.touched(place, written),
            _ => Ok(()),
        })
    }

    fn touched(&self, place: &Place, written: bool) -> Checked {
        let uses = self.sorts.uses[self.kind_of(place.owner).index()][place.field.index()];
        let noted = uses.used && (uses.written || !written);
        self.demand(noted, "a variable that is used was left out")
    }

    fn used(&self, e: ExprId) -> Checked {
        let expr = self.sorts.text.expr(e);
        match expr {
            Expr::Read(place) => self.touched(place, false)?,
            Expr::Poll(receive) => self.stores(receive, false)?,
            Expr::Run(p, ..) => {
                let known = self.sorts.made_later[p.index()];
                self.demand(known, "a process that is made was left out")?;
                let kind = self.sorts.text.proctype(*p).kind.index();
                let written = self.sorts.uses[kind].iter().all(|uses| uses.written);
                self.demand(written, "a variable of a process that is made was left out")?;
            }
            _ => {}
        }
        let mut all = Vec::new();
        operands(expr, &mut |e| all.push(e));
        all.into_iter().try_for_each(|e| self.used(e))
    }

    /// Whether a place is one of the process that takes the step.
    pub(super) fn is_own(place: &Place) -> bool {
        place.owner == Owner::Own
    }
}
