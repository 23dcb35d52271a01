//! What variables hold: once the making is over, and at most.

use super::reach::Set;
use super::{Checked, Verifier};
use crate::processes::sort::ClassId;
use model::processes::layout::{FieldId, KindId, MESSAGES_AT, Role, Scalar};
use model::processes::population::{Record, location_of, records};
use model::processes::program::{Init, ProctypeId};
use std::collections::BTreeSet;

/// The greatest number of a process or channel.
const NUMBER_MAX: i32 = 255;

impl<'a> Verifier<'a> {
    /// The states from which all others come.
    fn roots(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let (states, before) = (&self.population.states, &self.population.before);
        states.iter().chain(before).map(|state| &state[..])
    }

    /// Every value held in a state, with its class.
    fn each_held(&self, state: &[u8], out: &mut dyn FnMut(ClassId, i32)) {
        let sorts = self.sorts;
        let globals = std::iter::once((KindId::new(0), 0));
        for (kind, at) in globals.chain(sorts.text.layout.records(state)) {
            let record = sorts.text.layout.kind(kind);
            let p = sorts
                .text
                .proctypes
                .iter()
                .position(|p| p.kind == kind)
                .map(ProctypeId::new);
            let here = p.map(|p| {
                let number = 0;
                (
                    p,
                    location_of(&sorts.text, p, state, &Record { kind, at, number }),
                )
            });
            for (f, field) in record.fields.iter().enumerate() {
                let neutral = here.is_some_and(|(p, l)| sorts.is_neutral(p, FieldId::new(f), l));
                if !sorts.uses[kind.index()][f].used || neutral {
                    continue;
                }
                for n in 0..field.n_elements() {
                    let offset = at + field.element_at(n) as usize;
                    let value = field.slot.scalar.load(state, offset);
                    out(sorts.fields[kind.index()][f].value, value);
                }
            }
            let Role::Channel(buffer) = &record.role else {
                continue;
            };
            for n in 0..usize::from(state[at + 1]) {
                let first = at + MESSAGES_AT as usize + n * buffer.message_size as usize;
                let value = |i: usize| {
                    let (offset, slot) = &buffer.fields[i];
                    slot.scalar.load(state, first + *offset as usize)
                };
                let classes = sorts.messages[kind.index()].held(value);
                let classes = classes.into_iter().flatten().enumerate();
                classes.for_each(|(i, class)| out(*class, value(i)));
            }
        }
    }

    /// What is held after the making, and who is there, are members.
    pub(super) fn states(&mut self) -> Checked {
        self.line = 0;
        let text = &self.sorts.text;
        for state in self.roots() {
            let mut odd = None;
            self.each_held(state, &mut |class, value| {
                if !self.admits(class, value) {
                    odd = Some(value);
                }
            });
            if let Some(value) = odd {
                return self.misuse(format!("a variable holds {value}, which is no member"));
            }
            for record in records(text, state).0 {
                let p = text.proctypes.iter().position(|p| p.kind == record.kind);
                let known = p.is_some_and(|p| self.admits(self.sorts.pids[p], record.number));
                self.demand(known, "the number of a process is no member")?;
            }
        }
        Ok(())
    }

    /// Every member fits into every variable of its class that it can come into.
    pub(super) fn slots(&self) -> Checked {
        let sorts = self.sorts;
        for (k, kind) in sorts.text.layout.kinds.iter().enumerate() {
            for (f, field) in kind.fields.iter().enumerate() {
                if sorts.uses[k][f].used {
                    let held = &sorts.reach.fields[k][f];
                    self.slot(sorts.fields[k][f].value, field.slot.scalar, held)?;
                }
            }
            if let Role::Channel(buffer) = &kind.role {
                for (i, class) in sorts.messages[k].all() {
                    let held = &sorts.reach.messages[k][i];
                    self.slot(class, buffer.fields[i].1.scalar, held)?;
                }
            }
        }
        Ok(())
    }

    /// A member that does not fit stays what it is, and never comes here.
    fn slot(&self, id: ClassId, scalar: Scalar, held: &Set) -> Checked {
        let class = self.sorts.class(id);
        let Some(members) = &class.members else {
            return Ok(());
        };
        let fits = |v: i32| scalar.narrow(v) == v;
        let open = !class.open || (0..=NUMBER_MAX).all(fits);
        let stays = |v: &i32| class.pinned.contains(v);
        let never = held
            .as_ref()
            .is_some_and(|held| held.iter().all(|v| fits(*v) && self.admits(id, *v)));
        let all = members.iter().all(|v| fits(*v) || (never && stays(v)));
        self.demand(all && open, "a member does not fit into a variable")
    }

    /// Every tag has one class, its values are kept as they are, and no message has another.
    pub(super) fn tags(&mut self) -> Checked {
        self.line = 0;
        let layout = &self.sorts.text.layout;
        for (kind, classes) in layout.kinds.iter().zip(&self.sorts.messages) {
            let (Role::Channel(buffer), Some(tag)) = (&kind.role, &classes.tag) else {
                continue;
            };
            let fits = buffer.fields.get(tag.field).is_some_and(|(_, slot)| {
                let mut values = tag.values.iter();
                values.all(|v| slot.scalar.narrow(*v) == *v)
            });
            self.demand(fits, "a tag that its field cannot hold")?;
            let mut of_tag = classes.variants.iter().map(|one| one[tag.field]);
            let first = of_tag.next();
            let one = of_tag.all(|class| Some(class) == first);
            self.demand(one, "a tag has several classes")?;
        }
        for state in self.roots() {
            for (kind, at) in layout.records(state) {
                let Role::Channel(buffer) = &layout.kind(kind).role else {
                    continue;
                };
                for n in 0..usize::from(state[at + 1]) {
                    let first = at + MESSAGES_AT as usize + n * buffer.message_size as usize;
                    let held = self.sorts.messages[kind.index()].held(|i| {
                        let (offset, slot) = &buffer.fields[i];
                        slot.scalar.load(state, first + *offset as usize)
                    });
                    self.demand(held.is_some(), "a message with another tag")?;
                }
            }
        }
        Ok(())
    }

    /// What the machine reads and writes by itself.
    pub(super) fn rules(&mut self) -> Checked {
        let sorts = self.sorts;
        for (p, proctype) in sorts.text.proctypes.iter().enumerate() {
            if let Some((field, _)) = proctype.priority {
                let class = sorts.fields[proctype.kind.index()][field.index()].value;
                self.demand(self.is_plain(class), "priorities are compared by size")?;
            }
            let pid = sorts.class(sorts.pids[p]);
            if self.is_run(ProctypeId::new(p)) {
                let open = pid.open || pid.members.is_none();
                self.demand(open, "later processes have numbers that are no members")?;
            }
            let live = sorts.live[p].iter().any(|live| *live);
            self.computed[sorts.pids[p].index()] |= live;
        }
        let Some(last) = sorts.text.rules.last else {
            return Ok(());
        };
        let class = sorts.fields[0][last.index()].value;
        self.demand(
            sorts.class(class).names_processes,
            "`_last` names processes",
        )?;
        for (p, live) in sorts.live.iter().enumerate() {
            let joined = sorts.pids[p] == class || !live.iter().any(|live| *live);
            self.demand(joined, "`_last` holds the numbers of all processes")?;
        }
        Ok(())
    }

    /// Finds out of which kinds the channels of a class can be.
    pub(super) fn attach(&mut self) {
        let sorts = self.sorts;
        let mut kinds = vec![BTreeSet::new(); sorts.classes.len()];
        let own = sorts.text.proctypes.iter().map(|p| (p.kind, &p.prologue));
        for (kind, prologue) in std::iter::once((KindId::new(0), &sorts.text.prologue)).chain(own) {
            for init in prologue {
                if let Init::Channel(place, channel) = init {
                    let kind = if Self::is_own(place) {
                        kind
                    } else {
                        KindId::new(0)
                    };
                    let class = sorts.fields[kind.index()][place.field.index()].value;
                    kinds[class.index()].insert(*channel);
                }
            }
        }
        for state in self.roots() {
            let channels = records(&sorts.text, state).1;
            self.each_held(state, &mut |class, value| {
                let n = usize::try_from(value).ok().and_then(|n| n.checked_sub(1));
                let channel = n.and_then(|n| channels.get(n));
                kinds[class.index()].extend(channel.map(|record| record.kind));
            });
        }
        let layout = sorts.text.layout.kinds.iter().enumerate();
        let channels = layout.filter(|(_, kind)| matches!(kind.role, Role::Channel(_)));
        let all: BTreeSet<KindId> = channels.map(|(k, _)| KindId::new(k)).collect();
        for (kinds, computed) in kinds.iter_mut().zip(&self.computed) {
            if *computed {
                kinds.clone_from(&all);
            }
        }
        self.kinds = Some(kinds);
    }
}
