//! Variables whose values are left alone where they do not matter.
//!
//! At some locations what a variable of a process holds is not renamed. That is right if nobody
//! reads it there, and if a value is never carried from where it is left alone to where it is
//! renamed, or back: between the two it must be set, by a reset or by a write to all of it.

use super::{Checked, Verifier};
use crate::processes::sort::walk::blocks;
use model::processes::expr::{Expr, ExprId, Owner, Pattern, Place, operands, receive_operands};
use model::processes::layout::FieldId;
use model::processes::program::{Action, Init, LocationId, ProctypeId, StepId, roots};

/// A way of control, and what happens on it.
struct Edge {
    from: usize,
    to: usize,
    /// The step whose writes and resets happen on it.
    step: Option<StepId>,
}

impl Verifier<'_> {
    /// Checks all variables of sorts.
    pub(super) fn neutral(&mut self) -> Checked {
        let sorts = self.sorts;
        for p in (0..sorts.text.proctypes.len()).map(ProctypeId::new) {
            self.proctype = p;
            let kind = sorts.text.proctype(p).kind;
            let edges = self.edges(p);
            for (f, classes) in sorts.fields[kind.index()].iter().enumerate() {
                let some = sorts.neutral[p.index()][f].contains(&true);
                if some && sorts.is_sort(classes.value) && sorts.uses[kind.index()][f].used {
                    self.neutral_field(p, FieldId::new(f), &edges)?;
                }
            }
        }
        Ok(())
    }

    fn edges(&self, p: ProctypeId) -> Vec<Edge> {
        let sorts = self.sorts;
        let mut edges = Vec::new();
        for (from, location) in sorts.text.proctype(p).locations.iter().enumerate() {
            if !sorts.live[p.index()][from] {
                continue;
            }
            for id in &location.steps {
                let step = sorts.text.step(*id);
                let mut inside: Vec<(LocationId, LocationId)> = Vec::new();
                blocks(&step.action, &mut |entry, exit| inside.push((entry, exit)));
                let to = step.target.index();
                let exits: Vec<usize> = inside.iter().map(|(_, exit)| exit.index()).collect();
                for (entry, _) in &inside {
                    let starts = std::iter::once(&from).chain(&exits);
                    // One block after another, in any order; one alone is not taken twice.
                    let starts = starts.take(if exits.len() > 1 { usize::MAX } else { 1 });
                    let to = entry.index();
                    edges.extend(starts.map(|from| Edge {
                        from: *from,
                        to,
                        step: None,
                    }));
                }
                let step = Some(*id);
                if inside.is_empty() {
                    edges.push(Edge { from, to, step })
                } else {
                    edges.extend(exits.iter().map(|from| Edge {
                        from: *from,
                        to,
                        step,
                    }))
                }
            }
        }
        edges
    }

    fn neutral_field(&mut self, p: ProctypeId, field: FieldId, edges: &[Edge]) -> Checked {
        let sorts = self.sorts;
        let proctype = sorts.text.proctype(p);
        let n = proctype.locations.len();
        let n_real = sorts.n_locations[p.index()];
        let mut neutral: Vec<bool> = (0..n)
            .map(|l| l >= n_real || sorts.is_neutral(p, field, LocationId::new(l)))
            .collect();
        let shape = &sorts.text.layout.kind(proctype.kind).fields[field.index()];
        let whole = shape.dimensions.is_empty();
        // What a variable is at locations that were put in follows from the others.
        let mut changed = true;
        while changed {
            changed = false;
            for edge in edges {
                let (resets, writes) = self.sets(edge, field);
                let is_carried = !resets && (!neutral[edge.from] || writes);
                if edge.to >= n_real && neutral[edge.to] && is_carried {
                    neutral[edge.to] = false;
                    changed = true;
                }
                // What a reset left goes on to where it counts.
                let is_set = resets || (writes && whole);
                let counts = !is_set && !neutral[edge.to];
                if edge.from >= n_real && neutral[edge.from] && counts {
                    neutral[edge.from] = false;
                    changed = true;
                }
            }
        }
        for edge in edges {
            let step = edge.step.map(|step| sorts.text.step(step));
            self.line = step.map_or(0, |step| sorts.text.sites[step.site.index()].line);
            if step.is_some_and(|step| matches!(step.action, Action::End)) {
                continue;
            }
            let (resets, writes) = self.sets(edge, field);
            let kept = neutral[edge.from] && !writes;
            let partial = neutral[edge.from] && writes && !whole;
            let fine = resets || (neutral[edge.to] == kept && !partial);
            self.demand(
                fine,
                "a value that was left alone is carried to where it counts",
            )?;
            if let Some(step) = step.filter(|_| neutral[edge.from]) {
                let read = self.reads(&step.action, field).0;
                self.demand(!read, "a variable is read where it does not matter")?;
            }
        }
        self.neutral_elsewhere(p, field, neutral[proctype.start.index()])
    }

    /// What a step resets and writes of a field of the process that takes it.
    fn sets(&self, edge: &Edge, field: FieldId) -> (bool, bool) {
        let step = edge.step.map(|step| self.sorts.text.step(step));
        step.map_or((false, false), |step| {
            let resets = step.resets.iter().any(|reset| reset.field == field);
            (resets, self.reads(&step.action, field).1)
        })
    }

    /// Whether an action reads a variable before it has written it, and whether it writes it.
    fn reads(&self, action: &Action, field: FieldId) -> (bool, bool) {
        let is = |place: &Place| place.owner == Owner::Own && place.field == field;
        let mut read = false;
        match action {
            Action::All(all) => {
                let mut written = false;
                for action in all {
                    let (reads, writes) = self.reads(action, field);
                    read |= reads && !written;
                    written |= writes;
                }
                (read, written)
            }
            Action::Assign(place, _) => {
                roots(action, &mut |e| read |= self.reads_field(e, field));
                (read, is(place))
            }
            Action::Receive(receive) => {
                receive_operands(receive, &mut |e| read |= self.reads_field(e, field));
                let stores = |pattern: &Pattern| matches!(pattern, Pattern::Store(p) if is(p));
                (read, receive.fields.iter().any(stores))
            }
            _ => {
                roots(action, &mut |e| read |= self.reads_field(e, field));
                (read, false)
            }
        }
    }

    fn reads_field(&self, e: ExprId, field: FieldId) -> bool {
        let expr = self.sorts.text.expr(e);
        let mut found = matches!(expr, Expr::Read(place)
            if place.owner == Owner::Own && place.field == field);
        operands(expr, &mut |e| found |= self.reads_field(e, field));
        found
    }

    /// Who else has to do with the variable: others, the condition of the process, who makes it.
    fn neutral_elsewhere(&mut self, p: ProctypeId, field: FieldId, at_start: bool) -> Checked {
        let sorts = self.sorts;
        self.line = 0;
        let remote = |place: &Place| {
            matches!(place.owner, Owner::Other(q, _) if q == p) && place.field == field
        };
        let read = |e: &Expr| matches!(e, Expr::Read(place) if remote(place));
        let others = sorts.text.exprs.iter().any(read)
            || sorts
                .text
                .steps
                .iter()
                .any(|step| stores(&step.action, &remote));
        self.demand(!others, "others use a variable that does not matter")?;
        let proctype = sorts.text.proctype(p);
        let provided = proctype
            .provided
            .is_some_and(|e| self.reads_field(e, field));
        self.demand(
            !provided,
            "a condition reads a variable that does not matter",
        )?;
        if !at_start || !sorts.made_later[p.index()] {
            return Ok(());
        }
        let given = proctype.parameters.iter().any(|place| place.field == field);
        let constant = |init: &Init| match init {
            Init::Value(place, e) if place.field == field => {
                matches!(sorts.text.expr(*e), Expr::Const(_))
            }
            Init::Channel(place, _) => place.field != field,
            Init::Value(..) => true,
        };
        let fine = !given && proctype.prologue.iter().all(constant);
        self.demand(fine, "a variable that does not matter starts as a member")
    }
}

/// Whether an action stores into such a place.
pub(super) fn stores(action: &Action, is: &dyn Fn(&Place) -> bool) -> bool {
    match action {
        Action::Assign(place, _) => is(place),
        Action::Receive(receive) => {
            let mut patterns = receive.fields.iter();
            patterns.any(|pattern| matches!(pattern, Pattern::Store(place) if is(place)))
        }
        Action::All(all) => all.iter().any(|action| stores(action, is)),
        _ => false,
    }
}
