//! All that a symmetry must keep beside the steps: what variables and channels are like, what
//! numbers name, where processes start, and who must stay because something tells it apart that is
//! not written in the text.

use super::facts::{Facts, location_name};
use super::substitution::Substitution;
use super::{Why, no};
use crate::processes::sort::start::said;
use crate::processes::sort::{Class, ClassId, MessageClasses};
use model::processes::layout::{FieldId, KindId, Role};
use model::processes::population::Record;
use model::processes::program::{LocationId, ProctypeId};

/// Checks all of it.
pub(super) fn check(facts: &Facts<'_>, images: &Substitution) -> Result<(), Why> {
    let shape = Shape { facts, images };
    shape.classes()?;
    shape.pids()?;
    shape.names()?;
    shape.kinds()?;
    shape.fields()?;
    shape.locations()?;
    shape.types()?;
    shape.staying()
}

struct Shape<'a> {
    facts: &'a Facts<'a>,
    images: &'a Substitution,
}

impl Shape<'_> {
    fn class(&self, id: ClassId) -> &Class {
        self.facts.sorts.class(id)
    }

    /// Whether what is in `class` may be put into `to`.
    fn joins(&self, class: ClassId, to: ClassId) -> bool {
        let (from, into) = (&self.class(class).members, &self.class(to).members);
        match (from, into) {
            (None, None) => true,
            (Some(from), Some(into)) => {
                let none = from.is_empty() && into.is_empty();
                self.images.class(class) == to || none
            }
            _ => false,
        }
    }

    /// A sort goes to a sort that is used alike, and what is treated in a way of its own stays.
    fn classes(&self) -> Result<(), Why> {
        for c in 0..self.facts.sorts.classes.len() {
            let id = ClassId::new(c);
            let to = self.images.class(id);
            let (class, image) = (self.class(id), self.class(to));
            let Some(members) = &class.members else {
                continue;
            };
            let alike = class.names_processes == image.names_processes
                && class.names_channels == image.names_channels
                && class.open == image.open;
            if !alike {
                return no("a sort would become one that is used in other ways");
            }
            if class.open && id != to && class.members != image.members {
                return no("numbers of later processes would meet members of another sort");
            }
            for v in members {
                let pinned = class.pinned.contains(v);
                let to_pinned = image.pinned.contains(&self.images.number(id, *v));
                if pinned != to_pinned || (pinned && self.images.number(id, *v) != *v) {
                    return no(format!("{v} is treated in a way of its own"));
                }
            }
        }
        Ok(())
    }

    /// `_pid` goes with its process.
    fn pids(&self) -> Result<(), Why> {
        let sorts = self.facts.sorts;
        for (p, q) in self.images.types.iter().enumerate() {
            if !self.joins(sorts.pids[p], sorts.pids[q.index()]) {
                return no("`_pid` of a type of processes would be of another sort");
            }
        }
        for record in &self.facts.population.processes {
            let to = self.images.processes[record.number as usize];
            let Some(p) = self.facts.type_of(record.kind) else {
                return no("a process has no type");
            };
            let class = sorts.pids[p.index()];
            let number = if sorts.is_sort(class) {
                self.images.number(class, record.number)
            } else {
                record.number
            };
            if number != to {
                let name = &sorts.text.proctype(p).name;
                return no(format!(
                    "process {} of `{name}` would become process {to}, and its `_pid` would be \
                     {number}",
                    record.number
                ));
            }
        }
        Ok(())
    }

    /// Numbers that name processes or channels go where these go.
    fn names(&self) -> Result<(), Why> {
        let (sorts, population) = (self.facts.sorts, self.facts.population);
        let makes = sorts.made_later.iter().any(|made| *made);
        for (c, class) in sorts.classes.iter().enumerate() {
            let id = ClassId::new(c);
            if class.names_processes {
                self.names_of(id, &population.processes, &self.images.processes)?;
            }
            if class.names_channels {
                self.names_of(id, &population.channels, &self.images.channels)?;
            }
            // A number that is nobody's yet can be somebody's later.
            let n_processes = population.processes.len() as i32;
            let n_channels = population.channels.len() as i32;
            let later = |v: i32| {
                (class.names_processes && v >= n_processes)
                    || (class.names_channels && v > n_channels)
            };
            let mut members = class.members.iter().flatten();
            let odd = members.find(|v| makes && later(**v) && self.images.number(id, **v) != **v);
            if let Some(v) = odd {
                return no(format!(
                    "{v} may become the number of a later process or channel"
                ));
            }
        }
        Ok(())
    }

    fn names_of(&self, id: ClassId, records: &[Record], images: &[i32]) -> Result<(), Why> {
        for record in records {
            let (n, m) = (record.number, images[record.number as usize]);
            if !self.facts.sorts.is_sort(id) {
                if n == m {
                    continue;
                } else {
                    return no(format!("{n} is named by a number that is computed with"));
                }
            }
            let there = self.facts.is_member(id, n);
            let there_too = self.facts.is_member(self.images.class(id), m);
            let tied = there == there_too && (!there || self.images.number(id, n) == m);
            if !tied {
                let name = &self.facts.sorts.text.layout.kind(record.kind).name;
                return no(format!(
                    "`{name}` {n} would become {m}, and what names it would not go with it"
                ));
            }
        }
        Ok(())
    }

    /// Channels hold as many messages of the same fields.
    fn kinds(&self) -> Result<(), Why> {
        let sorts = self.facts.sorts;
        for (k, kind) in sorts.text.layout.kinds.iter().enumerate() {
            let l = self.images.kinds[k];
            let image = sorts.text.layout.kind(l);
            let alike = match (&kind.role, &image.role) {
                (Role::Globals, Role::Globals) => true,
                (Role::Process { .. }, Role::Process { .. }) => true,
                (Role::Channel(from), Role::Channel(to)) => {
                    let scalars = from.fields.iter().map(|(_, slot)| slot.scalar);
                    from.capacity == to.capacity
                        && scalars.eq(to.fields.iter().map(|(_, slot)| slot.scalar))
                        && self.messages_join(&sorts.messages[k], &sorts.messages[l.index()])
                }
                _ => false,
            };
            if !alike {
                let (from, to) = (&kind.name, &image.name);
                return no(format!("`{from}` and `{to}` do not hold the same"));
            }
        }
        Ok(())
    }

    /// Whether messages may be put into channels of another kind: under each value of the tag, the
    /// fields have the classes that they have there under its image.
    fn messages_join(&self, from: &MessageClasses, to: &MessageClasses) -> bool {
        let joined = |c: &[ClassId], d: &[ClassId]| {
            let mut pairs = c.iter().zip(d);
            c.len() == d.len() && pairs.all(|(c, d)| self.joins(*c, *d))
        };
        let (Some(tag), Some(to_tag)) = (&from.tag, &to.tag) else {
            let (one, other) = (from.variants.first(), to.variants.first());
            let pair = one.zip(other);
            return from.tag == to.tag && pair.is_none_or(|(c, d)| joined(c, d));
        };
        let mut variants = tag.values.iter().zip(&from.variants);
        tag.field == to_tag.field
            && tag.values.len() == to_tag.values.len()
            && variants.all(|(value, classes)| {
                let image = self.images.number(classes[tag.field], *value);
                let variant = to_tag.variant(image);
                variant.is_some_and(|n| joined(classes, &to.variants[n]))
            })
    }

    /// Variables are kept alike and hold and are indexed by the same.
    fn fields(&self) -> Result<(), Why> {
        let sorts = self.facts.sorts;
        for (k, kind) in sorts.text.layout.kinds.iter().enumerate() {
            for (f, field) in kind.fields.iter().enumerate() {
                if !sorts.uses[k][f].used {
                    continue;
                }
                let (l, g) = self.images.fields[k][f];
                let image = &sorts.text.layout.kind(l).fields[g.index()];
                let (from, to) = (&sorts.fields[k][f], &sorts.fields[l.index()][g.index()]);
                let dimensions = from.indices.iter().zip(&to.indices).enumerate();
                let indexed = dimensions.fold(true, |all, (d, (c, e))| {
                    all & self.joins(*c, *e) & self.same_range((k, f), (l.index(), g.index()), d)
                });
                let alike = self.images.kinds[k] == l
                    && sorts.uses[l.index()][g.index()].used
                    && field.slot.scalar == image.slot.scalar
                    && field.dimensions == image.dimensions
                    && self.joins(from.value, to.value)
                    && indexed;
                if !alike {
                    let (from, to) = (&field.name, &image.name);
                    return no(format!("`{from}` and `{to}` do not hold the same"));
                }
            }
        }
        if let Some(last) = sorts.text.rules.last
            && self.images.fields[0][last.index()] != (KindId::new(0), last)
        {
            return no("`_last` is no other variable");
        }
        Ok(())
    }

    /// Whether an index is one of a variable if its image is one of the image.
    fn same_range(&self, (k, f): (usize, usize), (l, g): (usize, usize), d: usize) -> bool {
        let sorts = self.facts.sorts;
        let count = |k: usize, f: usize| {
            let dimensions = &sorts.text.layout.kinds[k].fields[f].dimensions;
            dimensions.get(d).map_or(0, |dimension| dimension.count)
        };
        let inside = |v: i32, count: u32| u32::try_from(v).is_ok_and(|v| v < count);
        let class = sorts.fields[k][f].indices[d];
        let mut members = self.class(class).members.iter().flatten();
        members
            .all(|v| inside(*v, count(k, f)) == inside(self.images.number(class, *v), count(l, g)))
    }

    /// Locations go to locations of the image of their type, with the same marks.
    fn locations(&self) -> Result<(), Why> {
        let sorts = self.facts.sorts;
        for (p, locations) in self.images.locations.iter().enumerate() {
            for (at, (q, to)) in locations.iter().enumerate() {
                if !self.facts.is_live(ProctypeId::new(p), LocationId::new(at)) {
                    continue;
                }
                let from = &sorts.text.proctypes[p].locations[at];
                let image = &sorts.text.proctype(*q).locations[to.index()];
                let numbered = self.facts.numbers_locations && at != to.index();
                let alike = self.images.types[p] == *q
                    && self.facts.is_live(*q, *to)
                    && self.neutral_alike((ProctypeId::new(p), LocationId::new(at)), (*q, *to))
                    && (from.end, from.progress, from.accept)
                        == (image.end, image.progress, image.accept);
                if !alike || numbered {
                    let from = location_name(sorts, ProctypeId::new(p), LocationId::new(at));
                    let to = location_name(sorts, *q, *to);
                    return no(format!("{from} and {to} are not alike"));
                }
            }
        }
        Ok(())
    }

    /// Whether values are left alone at a location if they are at its image.
    fn neutral_alike(
        &self,
        (p, at): (ProctypeId, LocationId),
        (q, to): (ProctypeId, LocationId),
    ) -> bool {
        let sorts = self.facts.sorts;
        let kind = sorts.text.proctype(p).kind.index();
        let mut fields = sorts.fields[kind].iter().enumerate();
        fields.all(|(f, classes)| {
            let (_, image) = self.images.fields[kind][f];
            !sorts.uses[kind][f].used
                || !sorts.is_sort(classes.value)
                || sorts.is_neutral(p, FieldId::new(f), at) == sorts.is_neutral(q, image, to)
        })
    }

    /// Processes that are made later start alike.
    fn types(&self) -> Result<(), Why> {
        let sorts = self.facts.sorts;
        for (p, q) in self.images.types.iter().enumerate() {
            let (from, to) = (&sorts.text.proctypes[p], sorts.text.proctype(*q));
            let made = sorts.made_later[p];
            let priority = match (from.priority, to.priority) {
                (None, None) => true,
                (Some((f, v)), Some((g, w))) => {
                    let used = sorts.uses[from.kind.index()][f.index()].used;
                    let field = self.images.fields[from.kind.index()][f.index()];
                    (!used || field == (to.kind, g)) && (!made || v == w)
                }
                _ => false,
            };
            let start = self.images.locations[p][from.start.index()];
            let alike = sorts.made_later[q.index()] == made
                && priority
                && (!made || start == (*q, to.start));
            if !alike {
                let (from, to) = (&from.name, &to.name);
                return no(format!("`{from}` and `{to}` do not start alike"));
            }
            if made {
                self.zeros(ProctypeId::new(p))?;
            }
        }
        Ok(())
    }

    /// What nothing is said of starts as 0, which therefore stays.
    fn zeros(&self, p: ProctypeId) -> Result<(), Why> {
        let sorts = self.facts.sorts;
        let kind = sorts.text.proctype(p).kind.index();
        for (f, said) in said(&sorts.text, p).into_iter().enumerate() {
            let class = sorts.fields[kind][f].value;
            if sorts.is_neutral(p, FieldId::new(f), sorts.text.proctype(p).start) {
                continue;
            }
            if sorts.uses[kind][f].used && !said && self.images.number(class, 0) != 0 {
                let name = &sorts.text.layout.kinds[kind].fields[f].name;
                return no(format!("`{name}` of a new process is 0"));
            }
        }
        Ok(())
    }

    /// Who is told apart by something that is not in the text.
    fn staying(&self) -> Result<(), Why> {
        let (facts, images) = (self.facts, self.images);
        let layout = &facts.sorts.text.layout;
        // Processes go away in the order in which they came, and take later channels along.
        for (record, goes) in facts.population.processes.iter().zip(&facts.goes) {
            if *goes && images.processes[record.number as usize] != record.number {
                let name = &layout.kind(record.kind).name;
                let n = record.number;
                return no(format!(
                    "`{name}` {n} can end, and the latest must end first"
                ));
            }
        }
        for record in &facts.population.channels[facts.n_channels_staying..] {
            if images.channels[record.number as usize] != record.number {
                let name = &layout.kind(record.kind).name;
                return no(format!("`{name}` goes away with a process that can end"));
            }
        }
        let first = |p: ProctypeId| {
            let kind = facts.sorts.text.proctype(p).kind;
            facts
                .population
                .processes
                .iter()
                .find(|record| record.kind == kind)
        };
        for p in &facts.firsts {
            let from = first(*p).map(|record| images.processes[record.number as usize]);
            let to = first(images.types[p.index()]).map(|record| record.number);
            if from != to {
                let name = &facts.sorts.text.proctype(*p).name;
                return no(format!("the first process of `{name}` is asked for"));
            }
        }
        if facts.sorts.text.rules.priorities && facts.looking_faults && images.moves_processes() {
            return no("who has priority is asked in order, and asking can go wrong");
        }
        Ok(())
    }
}
