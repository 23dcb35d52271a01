//! Steps that only the process itself can notice are taken at once.
//!
//! **Problem.** While a process computes on its own variables, every other process may run in
//! between; all these states are stored, and none of them can be told from the others by anyone.
//!
//! **Idea.** A location is *hidden* if all steps from it are *private*: they read and write only
//! variables of the process that nobody else reads, and globals that nobody writes. A step to a
//! hidden location keeps control: the process goes on at once, and no state is stored there. Since
//! private steps commute with everything others do, and nothing others do enables or disables them,
//! every run has a twin in which they come at once, with the same faults and the same deadlocks
//! (`docs/theory/optimise.md`). A process that cannot go on there never will; then its state is
//! stored, as it must be.
//!
//! **Worked example.** `c?x; y = x + 1; if :: y > 3 -> y = 0 :: else fi; d!y`: the locations after
//! the receive and after the assignment are hidden, and that after the test; the process is seen
//! only before the receive and before the send.
//!
//! **What stays visible.** On each loop of steps that keep control, `atomic` included, one hidden
//! location is shown again, a target of a jump back, else the process might never be seen again. A
//! location where an `atomic` begins or goes on is shown if the `atomic` goes on to what is not
//! private: only its own statements belong together, not what comes before. A location from which
//! the process could go on in many ways is shown where the number of ways multiplies beyond
//! [`MAX_WAYS`]. And all locations of processes whose steps depend on conditions of the whole
//! state: with a `provided` clause, with a priority that may make them wait and that may change,
//! where `_last`, `enabled` or `pc_value` is read; those that others ask for (`p@here`), and those
//! from which a step leads to one. And those from which a step leads to where the process is ready
//! for a rendezvous, if it matters to a sender that nobody is ([`Readiness`]).
//!
//! **Fair runs.** A process at a hidden location is not ready for any rendezvous, and while it is
//! there nobody can see a `timeout`. So whoever waits for one of these can do nothing at times, and
//! a fair run may pass it over; if the location is hidden it always can, and a fair run may not.
//! Example: `do :: desk!_pid od` for two clients and `do :: desk?x; x = 0 od` for a clerk. Every
//! other moment neither client can move, so a weakly fair run may serve one of them only. Where
//! only fair runs count, nothing is hidden in a model with rendezvous or `timeout`.
//!
//! **Priorities** that never change do not stand in the way: while a process is at a hidden
//! location it can move, so only those of its own priority and above can, and what these do does
//! not depend on where it is. If one of higher priority can move, the process is interrupted there,
//! and the state is stored.
//!
//! **Source.** Lipton 1975 (a step that commutes may be moved); Kurshan, Levin and Yenigün 2002
//! (transitions compressed); Holzmann 1999 (SPIN's statement merging). **Departures.** SPIN joins
//! single assignments, and only inside a run of statements without labels; we hide labelled ones,
//! tests and choices too.
//! **Cost.** Linear, but for loops: each round shows one location more.

use super::creation::at_any_time;
use super::exclusive::exclusive;
use super::priorities::{are_fixed, never_waits};
use super::readiness::Readiness;
use super::spin::has_rendezvous;
use super::uses::{Var, all_roots, globals, in_blocks, inside, never, pure, var, walk, writes};
use crate::processes::expr::{Expr, ExprId, Owner, Place};
use crate::processes::layout::KindId;
use crate::processes::program::{
    Action, Model, Proctype, ProctypeId, Step, StepId, init_roots, roots,
};

/// The most ways in which a process may go on from one hidden location before it is seen again.
const MAX_WAYS: u32 = 16;

/// What properties outside the model look at.
#[derive(Clone, Default, Debug)]
pub struct Watch {
    /// Expressions that are evaluated on states: atoms of formulas, invariants.
    pub exprs: Vec<ExprId>,
    /// Whether labels of progress and acceptance count.
    pub labels: bool,
    /// Whether only fair runs count.
    pub fair: bool,
}

/// After the call steps to hidden locations keep control.
pub(super) fn hide(model: &mut Model, watch: &Watch) {
    if watch.fair && (has_rendezvous(model) || has_timeout(model)) {
        return;
    }
    let readiness = Readiness::new(model);
    hide_with(model, watch, readiness);
}

/// Whether something waits until nothing else can happen.
fn has_timeout(model: &Model) -> bool {
    let mut has = false;
    all_roots(model, &mut |_, e| {
        walk(model, e, &mut |expr| has |= matches!(expr, Expr::Timeout));
    });
    has
}

fn hide_with(model: &mut Model, watch: &Watch, readiness: Readiness) {
    if model.rules.last.is_some() {
        return;
    }
    let Some(mut facts) = Facts::new(model, watch, readiness) else {
        return;
    };
    for s in facts.kept() {
        model.steps[s.index()].keeps_control = true;
    }
}

struct Facts<'a> {
    model: &'a Model,
    watch: &'a Watch,
    /// The globals that some step writes.
    written: Vec<bool>,
    /// The fields of processes that others read.
    shown: Vec<Vec<bool>>,
    /// The locations that others ask for, by process type.
    asked: Vec<Vec<bool>>,
    /// Whether it does not matter when processes are created.
    creates_freely: bool,
    readiness: Readiness,
}

impl Facts<'_> {
    /// `None` if something reads what every step changes.
    fn new<'a>(model: &'a Model, watch: &'a Watch, readiness: Readiness) -> Option<Facts<'a>> {
        let mut facts = Facts {
            model,
            watch,
            written: vec![false; model.layout.globals().fields.len()],
            shown: (model.layout.kinds.iter())
                .map(|k| vec![false; k.fields.len()])
                .collect(),
            asked: (model.proctypes.iter())
                .map(|p| vec![false; p.locations.len()])
                .collect(),
            creates_freely: at_any_time(model, &watch.exprs) && !readiness.matters(),
            readiness,
        };
        for step in &model.steps {
            writes(&step.action, &mut |place| {
                if place.owner == Owner::Globals {
                    facts.written[place.field.index()] = true;
                }
            });
        }
        let mut used = Vec::new();
        all_roots(model, &mut |kind, e| used.push((kind, e)));
        used.extend(watch.exprs.iter().map(|e| (globals(), *e)));
        used.iter()
            .all(|(kind, e)| facts.note(*kind, *e))
            .then_some(facts)
    }

    /// Notes what an expression asks of other processes; gives whether that can be told.
    fn note(&mut self, kind: KindId, e: ExprId) -> bool {
        let (model, mut known) = (self.model, true);
        walk(model, e, &mut |expr| match expr {
            Expr::Read(place) if matches!(place.owner, Owner::Other(..)) => {
                let Var { kind, field } = var(model, kind, place);
                self.shown[kind.index()][field.index()] = true;
            }
            Expr::AtLocation(p, _, l) => self.asked[p.index()][l.index()] = true,
            Expr::Enabled(_) | Expr::LocationOf(_) => known = false,
            Expr::NonProgress | Expr::Accepting => known = false,
            _ => {}
        });
        known
    }

    /// The steps that lead to hidden locations.
    fn kept(&mut self) -> Vec<StepId> {
        let model = self.model;
        let creates_freely = self.creates_freely;
        let fixed = are_fixed(model) && !has_rendezvous(model);
        let mut kept = Vec::new();
        for (p, proctype) in model.proctypes.iter().enumerate() {
            let p = ProctypeId::new(p);
            let waits = model.rules.priorities && !never_waits(model, p);
            if waits && !fixed || proctype.provided.is_some() {
                continue;
            }
            // A new process may have a higher priority than one that may have to wait.
            self.creates_freely = creates_freely && !waits;
            let hidden = self.hidden(p);
            let blocks = in_blocks(model, proctype);
            for (l, location) in proctype.locations.iter().enumerate() {
                let steps = location.steps.iter().filter(|_| !blocks[l]);
                kept.extend(steps.filter(|s| hidden[model.step(**s).target.index()]));
            }
        }
        kept
    }

    /// Which locations of a process type are hidden.
    fn hidden(&self, p: ProctypeId) -> Vec<bool> {
        let proctype = self.model.proctype(p);
        let n = proctype.locations.len();
        let mut hidden: Vec<bool> = (0..n).map(|l| self.is_private(p, l)).collect();
        let heads = jumped_back_to(self.model, proctype);
        loop {
            while let Some(l) = self.leads_on(proctype, &hidden) {
                hidden[l] = false;
            }
            if let Some(l) = loop_in(self.model, proctype, &hidden, &heads) {
                hidden[l] = false;
                continue;
            }
            let before = hidden.clone();
            self.limit_ways(proctype, &mut hidden);
            if hidden == before {
                return hidden;
            }
        }
    }

    /// A hidden location from which a step keeps control in the model itself, and leads to one that
    /// is seen: what follows there belongs to that step, and must not be drawn to those before.
    fn leads_on(&self, proctype: &Proctype, hidden: &[bool]) -> Option<usize> {
        let leads = |s: &StepId| {
            let step = self.model.step(*s);
            step.keeps_control && !hidden[step.target.index()]
        };
        (0..hidden.len()).find(|l| hidden[*l] && proctype.locations[*l].steps.iter().any(leads))
    }

    /// Whether all steps from a location are private.
    fn is_private(&self, p: ProctypeId, l: usize) -> bool {
        let proctype = self.model.proctype(p);
        let location = &proctype.locations[l];
        let asked = &self.asked[p.index()];
        let labelled = self.watch.labels && (location.progress || location.accept);
        let private_step = |s: &StepId| {
            let step = self.model.step(*s);
            step.rank == 0
                && !asked[step.target.index()]
                && !self.readiness.at(p.index(), step.target)
                && self.private(proctype, &step.action)
        };
        !asked[l]
            && !labelled
            && !location.steps.is_empty()
            && location.steps.iter().all(private_step)
    }

    fn private(&self, proctype: &Proctype, action: &Action) -> bool {
        let model = self.model;
        let mut is_safe = true;
        let mut is = match action {
            Action::Skip | Action::Else | Action::Test(_) | Action::Drop(_) | Action::Assert(_) => {
                true
            }
            Action::Assign(..) => true,
            // What a print reads does not matter to states, unless it goes wrong.
            Action::Print(_) => {
                roots(action, &mut |e| {
                    is_safe &= pure(model, proctype.kind, e) || self.private_expr(e);
                });
                return is_safe;
            }
            Action::All(all) => return all.iter().all(|a| self.private(proctype, a)),
            Action::Deterministic(entry, exit) => {
                return inside(model, proctype, *entry, *exit).iter().all(|l| {
                    let steps = &proctype.locations[l.index()].steps;
                    let act = |s: &StepId| {
                        let step = model.step(*s);
                        step.rank == 0 && self.private(proctype, &step.action)
                    };
                    steps.iter().all(act)
                });
            }
            Action::Send(_) | Action::Receive(_) | Action::SetPriority(..) | Action::End => false,
        };
        writes(action, &mut |place| is &= self.own_alone(proctype, place));
        roots(action, &mut |e| is &= self.private_expr(e));
        is
    }

    /// Whether a place that is written is one that only the process itself reads.
    fn own_alone(&self, proctype: &Proctype, place: &Place) -> bool {
        place.owner == Owner::Own && !self.shown[proctype.kind.index()][place.field.index()]
    }

    fn private_expr(&self, e: ExprId) -> bool {
        let mut is = true;
        walk(self.model, e, &mut |expr| {
            is &= match expr {
                Expr::Read(place) => match place.owner {
                    Owner::Own => true,
                    Owner::Globals => !self.written[place.field.index()],
                    Owner::Other(..) => false,
                },
                Expr::Const(_)
                | Expr::Pid
                | Expr::Unary(..)
                | Expr::Binary(..)
                | Expr::And(_)
                | Expr::Or(_)
                | Expr::Choice(_) => true,
                Expr::Run(p, _, None) => self.creates_freely && self.starts_the_same(*p),
                _ => false,
            };
        });
        is
    }

    /// Whether what a new process starts with does not depend on when it is created.
    fn starts_the_same(&self, p: ProctypeId) -> bool {
        let mut is = true;
        for init in &self.model.proctype(p).prologue {
            init_roots(init, &mut |e| is &= self.private_expr(e));
        }
        is
    }

    /// Shows locations from which there would be too many ways to go on. Requires that there is
    /// no loop of hidden locations.
    fn limit_ways(&self, proctype: &Proctype, hidden: &mut [bool]) {
        let mut ways: Vec<Option<u32>> = vec![None; hidden.len()];
        for l in 0..hidden.len() {
            // Texts can be long, so this is a stack of our own.
            let mut open = vec![l];
            while let Some(l) = open.pop() {
                if ways[l].is_some() || !hidden[l] {
                    continue;
                }
                let targets = taken(self.model, proctype, l).map(|s| s.target.index());
                let (n_open, new) = (open.len(), |t: &usize| hidden[*t] && ways[*t].is_none());
                open.push(l);
                open.extend(targets.filter(new));
                if open.len() == n_open + 1 {
                    open.pop();
                    let n = self.ways(proctype, l, &ways);
                    hidden[l] = n <= MAX_WAYS;
                    ways[l] = Some(if hidden[l] { n } else { 1 });
                }
            }
        }
    }

    /// In how many ways a process can go on from a location before it is seen, if that is known of
    /// all hidden locations that it can come to next.
    fn ways(&self, proctype: &Proctype, l: usize, known: &[Option<u32>]) -> u32 {
        let next = taken(self.model, proctype, l);
        let ways = next.map(|step| known[step.target.index()].unwrap_or(1));
        if exclusive(self.model, &proctype.locations[l].steps) {
            ways.max().unwrap_or(0)
        } else {
            ways.sum()
        }
    }
}

/// The steps from a location that are taken at all.
fn taken<'a>(model: &'a Model, proctype: &'a Proctype, l: usize) -> impl Iterator<Item = &'a Step> {
    let steps = proctype.locations[l].steps.iter().map(|s| model.step(*s));
    steps.filter(|s| !never(model, &s.action))
}

/// The locations that a search in order of the text reaches again from below.
fn jumped_back_to(model: &Model, proctype: &Proctype) -> Vec<bool> {
    let n = proctype.locations.len();
    let mut back = vec![false; n];
    // 0 new, 1 on the way, 2 done.
    let mut colour = vec![0_u8; n];
    for start in std::iter::once(proctype.start.index()).chain(0..n) {
        let mut way = vec![(start, 0)];
        while let Some((l, next)) = way.pop() {
            if next == 0 {
                if colour[l] != 0 {
                    continue;
                }
                colour[l] = 1;
            }
            let Some(s) = proctype.locations[l].steps.get(next) else {
                colour[l] = 2;
                continue;
            };
            way.push((l, next + 1));
            let t = model.step(*s).target.index();
            match colour[t] {
                0 => way.push((t, 0)),
                1 => back[t] = true,
                _ => {}
            }
        }
    }
    back
}

/// A location on a loop of hidden ones, if there is one: one that is jumped back to if possible.
fn loop_in(model: &Model, proctype: &Proctype, hidden: &[bool], heads: &[bool]) -> Option<usize> {
    let next = |l: usize| {
        let kept =
            taken(model, proctype, l).filter(|s| s.keeps_control || hidden[s.target.index()]);
        kept.map(|s| s.target.index())
    };
    // What is left when all that leads nowhere is taken away has a loop in it.
    let mut left = vec![true; hidden.len()];
    let mut shrinks = true;
    while shrinks {
        shrinks = false;
        // Most steps lead forward.
        for l in (0..left.len()).rev() {
            if left[l] && !next(l).any(|t| left[t]) {
                left[l] = false;
                shrinks = true;
            }
        }
    }
    let on_loop = |l: usize| {
        let mut seen = vec![false; left.len()];
        let mut open = vec![l];
        while let Some(at) = open.pop() {
            for t in next(at) {
                if t == l {
                    return true;
                }
                if left[t] && !std::mem::replace(&mut seen[t], true) {
                    open.push(t);
                }
            }
        }
        false
    };
    let found = |l: &usize| hidden[*l] && left[*l] && on_loop(*l);
    let head = (0..left.len()).filter(|l| heads[*l]).find(found);
    head.or_else(|| (0..left.len()).find(found))
}

/// Whether a location of a process type is hidden, for tests.
#[cfg(test)]
pub(super) fn hidden_locations(model: &Model, p: ProctypeId) -> Vec<usize> {
    let watch = Watch::default();
    let readiness = Readiness::new(model);
    let facts = Facts::new(model, &watch, readiness).expect("a model without questions about all");
    let hidden = facts.hidden(p);
    (0..hidden.len()).filter(|l| hidden[*l]).collect()
}

/// Hides as if it never mattered who is ready for a rendezvous, for tests that have to notice.
#[cfg(test)]
pub(super) fn hide_blindly(model: &mut Model, watch: &Watch) {
    let readiness = Readiness::ignored(model);
    hide_with(model, watch, readiness);
}
