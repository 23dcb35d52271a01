//! A making in the middle of which others can move: whether neither notices the other.
//!
//! All that is checked elsewhere starts from where the making leads if nobody else moves. That is
//! enough if every move of others before its end could be put off until then. So the two must not
//! use one variable that either writes, not give and take numbers of processes, and nobody may lose
//! a move because there are now more processes than before.

use super::{Checked, Verifier};
use crate::processes::sort::walk::blocks;
use model::processes::expr::{Expr, ExprId, Owner, Pattern, Place, operands};
use model::processes::layout::{FieldId, KindId, Role};
use model::processes::population::{location_of, reachable, records};
use model::processes::program::{Action, Init, LocationId, ProctypeId, Step, init_roots, roots};
use std::collections::{BTreeMap, BTreeSet};

/// With fewer processes than this there is room for all.
const N_PROCESSES_MAX: usize = 200;

/// The globals that are used, and whether they are written.
#[derive(Default)]
struct Touched {
    globals: BTreeMap<FieldId, bool>,
    /// Something other than variables.
    odd: bool,
    makes: BTreeSet<ProctypeId>,
    /// Sends and receives.
    talks: bool,
    /// Looks at channels.
    looks: bool,
}

impl Verifier<'_> {
    /// Checks that what others do before the making is over could be done after it.
    pub(super) fn overtaken(&mut self) -> Checked {
        let (sorts, population) = (self.sorts, self.population);
        let Some(before) = &population.overtaken else {
            return Ok(());
        };
        let text = &sorts.text;
        let fits = population.processes.len() < N_PROCESSES_MAX;
        self.demand(fits, "there may be no room for all that are made")?;
        let free = !text.rules.priorities && text.rules.last.is_none();
        self.demand(free, "who makes is told by a priority, or by `_last`")?;
        let Some(creator) = &population.creator else {
            return self.misuse("a making without a maker");
        };
        let maker = creator.proctype;
        let (there, _) = records(text, before);
        let kind = text.proctype(maker).kind;
        let n_makers = population
            .processes
            .iter()
            .filter(|r| r.kind == kind)
            .count();
        let alone = n_makers == 1 && text.proctype(maker).provided.is_none();
        self.demand(alone, "a maker that others stop, or one of several")?;
        // The text before the end of the making.
        let Some(record) = there.get(creator.pid) else {
            return self.misuse("a maker that is not there");
        };
        let mut early = reachable(text, maker, location_of(text, maker, before, record));
        for state in &population.states {
            let over = reachable(text, maker, location_of(text, maker, state, record));
            early
                .iter_mut()
                .zip(over)
                .for_each(|(early, over)| *early &= !over);
        }
        let mut own = Touched::default();
        for (l, _) in early.iter().enumerate().filter(|(_, early)| **early) {
            for step in &text.proctype(maker).locations[l].steps {
                self.touch(&text.step(*step).action, &mut own);
            }
        }
        for p in own.makes.clone() {
            for init in &text.proctype(p).prologue {
                let (Init::Value(place, _) | Init::Channel(place, _)) = init;
                own.write(place);
                init_roots(init, &mut |e| self.touch_expr(e, &mut own));
            }
        }
        let plain = !own.odd && !own.talks && !own.looks && !own.makes.contains(&maker);
        self.demand(plain, "the making does more than make and set variables")?;
        let mut movers = BTreeMap::new();
        for (n, record) in there.iter().enumerate().filter(|(n, _)| *n != creator.pid) {
            let p = text.proctypes.iter().position(|p| p.kind == record.kind);
            let Some(p) = p.map(ProctypeId::new) else {
                return self.misuse("a process without a type");
            };
            *movers.entry(p).or_insert(false) |= n > creator.pid;
        }
        if !self.makes_in_one_go(maker, &early) {
            movers.extend(own.makes.iter().map(|p| (*p, true)));
        }
        for (p, is_later) in movers {
            self.proctype = p;
            self.put_off(p, is_later, &own)?;
        }
        Ok(())
    }

    /// What processes of a type do before the making is over can be put off.
    fn put_off(&self, p: ProctypeId, is_later: bool, own: &Touched) -> Checked {
        let text = &self.sorts.text;
        let proctype = text.proctype(p);
        let mut theirs = Touched::default();
        let mut ends = false;
        for location in &proctype.locations {
            let steps = location.steps.iter().map(|step| text.step(*step));
            let otherwise = steps
                .clone()
                .any(|step| matches!(step.action, Action::Else));
            for step in steps {
                ends |= matches!(step.action, Action::End);
                let timeout = match step.action {
                    Action::Test(e) => matches!(text.expr(e), Expr::Timeout),
                    _ => false,
                };
                // While there is somebody to be made, somebody can move.
                if !timeout || otherwise {
                    self.touch(&step.action, &mut theirs);
                }
            }
        }
        let stays = !is_later || !ends || !text.rules.ends_are_steps;
        self.demand(stays, "a number is given out again during the making")?;
        let unaware = !theirs.odd && theirs.makes.is_empty() && proctype.provided.is_none();
        self.demand(unaware, "who moves during the making asks for processes")?;
        let meets = |(field, written): (&FieldId, &bool)| match theirs.globals.get(field) {
            Some(theirs) => *written || *theirs,
            None => false,
        };
        self.demand(
            !own.globals.iter().any(meets),
            "the making and others use one variable",
        )?;
        self.demand(
            !self.loses_moves(p),
            "a partner that is made takes away a move",
        )
    }

    /// Whether a process may lose a move because somebody is ready for a rendezvous.
    fn loses_moves(&self, p: ProctypeId) -> bool {
        let text = &self.sorts.text;
        let locations = &text.proctype(p).locations;
        // Where a process is while others are not let in.
        let mut kept = self.blocks[p.index()].clone();
        for step in locations
            .iter()
            .flat_map(|l| &l.steps)
            .map(|s| text.step(*s))
        {
            if step.keeps_control {
                kept.insert(step.target);
            }
            blocks(&step.action, &mut |_, to| {
                kept.insert(to);
            });
        }
        let is_kept = |at: usize| kept.contains(&LocationId::new(at));
        locations.iter().enumerate().any(|(at, location)| {
            let steps = || location.steps.iter().map(|step| text.step(*step));
            let meets = steps().any(|step| self.needs_partner(&step.action));
            let compares = |s: &Step| s.rank > 0 || s.alone || matches!(s.action, Action::Else);
            meets && (is_kept(at) || steps().any(compares))
        })
    }

    /// Whether an action sends or receives over what may be a channel without a buffer.
    fn needs_partner(&self, action: &Action) -> bool {
        let channel = match action {
            Action::Send(send) => send.channel,
            Action::Receive(receive) => receive.channel,
            Action::All(all) => return all.iter().any(|action| self.needs_partner(action)),
            _ => return false,
        };
        let (text, population) = (&self.sorts.text, self.population);
        let Expr::Read(place) = text.expr(channel) else {
            return true;
        };
        let mut writers = Touched::default();
        for step in &text.steps {
            self.touch(&step.action, &mut writers);
        }
        let changes = writers.globals.get(&place.field) == Some(&true);
        if place.owner != Owner::Globals || changes {
            return true;
        }
        let states = population.states.iter().chain(&population.overtaken);
        let held =
            states.flat_map(|state| self.sorts.held(KindId::new(0), place.field.index(), state));
        held.into_iter().any(|number| {
            let index = usize::try_from(number - 1);
            let record = index.ok().and_then(|n| population.channels.get(n));
            !record.is_some_and(|record| match &text.layout.kind(record.kind).role {
                Role::Channel(buffer) => buffer.capacity > 0,
                _ => false,
            })
        })
    }

    /// Whether control is kept from the first process that is made to the last.
    fn makes_in_one_go(&self, maker: ProctypeId, early: &[bool]) -> bool {
        let text = &self.sorts.text;
        let locations = &text.proctype(maker).locations;
        let n = locations.len();
        let steps = |l: usize| locations[l].steps.iter().map(|step| text.step(*step));
        let makes = |step: &Step| {
            let mut touched = Touched::default();
            self.touch(&step.action, &mut touched);
            !touched.makes.is_empty()
        };
        let here = |l: &usize| early[*l];
        // Where somebody may still be made, and where somebody may have been.
        let (mut to_come, mut made) = (vec![false; n], vec![false; n]);
        loop {
            let mut changed = false;
            for l in (0..n).filter(here) {
                for step in steps(l) {
                    let mut after = vec![step.target.index()];
                    blocks(&step.action, &mut |from, to| {
                        after.extend([from.index(), to.index()])
                    });
                    let comes = makes(step) || after.iter().any(|at| to_come[*at]);
                    changed |= comes && !std::mem::replace(&mut to_come[l], true);
                    if makes(step) || made[l] {
                        for at in after {
                            changed |= !std::mem::replace(&mut made[at], true);
                        }
                    }
                }
            }
            if !changed {
                break;
            }
        }
        (0..n).filter(here).all(|l| {
            steps(l).all(|step| {
                let between = (made[l] || makes(step)) && to_come[step.target.index()];
                !between || step.keeps_control
            })
        })
    }

    fn touch(&self, action: &Action, out: &mut Touched) {
        match action {
            Action::All(all) => return all.iter().for_each(|action| self.touch(action, out)),
            Action::Assign(place, _) => out.write(place),
            Action::Send(_) => out.talks = true,
            Action::Receive(receive) => {
                out.talks = true;
                for pattern in &receive.fields {
                    if let Pattern::Store(place) = pattern {
                        out.write(place);
                    }
                }
            }
            Action::SetPriority(..) => out.odd = true,
            _ => {}
        }
        roots(action, &mut |e| self.touch_expr(e, out));
    }

    fn touch_expr(&self, e: ExprId, out: &mut Touched) {
        let expr = self.sorts.text.expr(e);
        match expr {
            Expr::Read(place) => match place.owner {
                Owner::Globals => {
                    out.globals.entry(place.field).or_insert(false);
                }
                Owner::Own => {}
                Owner::Other(..) => out.odd = true,
            },
            Expr::Run(p, ..) => {
                out.makes.insert(*p);
            }
            Expr::Const(_) | Expr::Pid | Expr::Unary(..) | Expr::Binary(..) => {}
            Expr::And(_) | Expr::Or(_) | Expr::Choice(_) => {}
            Expr::Probe(..) | Expr::Poll(_) => out.looks = true,
            _ => out.odd = true,
        }
        operands(expr, &mut |e| self.touch_expr(e, out));
    }
}

impl Touched {
    fn write(&mut self, place: &Place) {
        match place.owner {
            Owner::Globals => {
                self.globals.insert(place.field, true);
            }
            Owner::Own => {}
            Owner::Other(..) => self.odd = true,
        }
    }
}
