//! What the rounds of a loop have to do with variables and channels, and whether they commute.
//!
//! Worked example: `for (i : 1 .. 3) { if :: i != who -> snoop[i]!what; n++ :: else fi }`. A round
//! reads `who` and `what`, which no round writes; it adds to `n`, as all do; and it sends to
//! `snoop[i]`. If `snoop` never changes and names three different channels with buffers, each round
//! sends to one of its own. So the rounds commute, and if one has to wait because its channel is
//! full, it would have to in any order.

use model::processes::expr::{Binary, Expr, ExprId, Instance, Owner, Pattern, Place, operands};
use model::processes::layout::{FieldId, KindId, Role};
use model::processes::population::Population;
use model::processes::program::{Action, Location, Model, Reset, Step, roots};
use std::collections::{BTreeMap, BTreeSet};

/// How a round writes a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Written {
    Constant(i32),
    /// By adding to what is there, in a way that does not depend on the order.
    Joined(u8),
    Otherwise,
}

/// Which variables a round reads and writes, and how.
pub(super) struct Accesses<'a> {
    text: &'a Model,
    kind: KindId,
    variable: FieldId,
    writes: Vec<(KindId, FieldId, Written)>,
    reads: Vec<(KindId, FieldId)>,
    /// For each variable: the dimensions in which every access has the index `j`.
    own: BTreeMap<(KindId, FieldId), Vec<bool>>,
    /// Indices `j` in arrays, by their length.
    lengths: Vec<u32>,
    /// Whether the variable that is counted is written.
    pub writes_variable: bool,
    faults: bool,
    asserts: bool,
    /// The channels that are sent to, and how many fields are sent.
    sends: Vec<(Place, usize)>,
    /// Whether there is a send to a channel that no variable names.
    sends_anywhere: bool,
    /// Whether it is looked at channels.
    looks: bool,
}

impl<'a> Accesses<'a> {
    pub fn new(text: &'a Model, kind: KindId, variable: FieldId) -> Accesses<'a> {
        Accesses {
            text,
            kind,
            variable,
            writes: Vec::new(),
            reads: Vec::new(),
            own: BTreeMap::new(),
            lengths: Vec::new(),
            writes_variable: false,
            faults: false,
            asserts: false,
            sends: Vec::new(),
            sends_anywhere: false,
            looks: false,
        }
    }

    fn kind_of(&self, owner: Owner) -> KindId {
        match owner {
            Owner::Globals => KindId::new(0),
            Owner::Own => self.kind,
            Owner::Other(p, _) => self.text.proctype(p).kind,
        }
    }

    pub fn step(&mut self, step: &Step) {
        self.action(&step.action);
        self.resets(step);
    }

    pub fn resets(&mut self, step: &Step) {
        for Reset { field, value } in &step.resets {
            self.writes_variable |= *field == self.variable;
            self.writes
                .push((self.kind, *field, Written::Constant(*value)));
            self.own.insert((self.kind, *field), Vec::new());
        }
    }

    /// The blocks of an inner loop that was replaced.
    pub fn blocks(&mut self, locations: &[Location], action: &Action) {
        let Action::All(all) = action else {
            return;
        };
        let mut seen = BTreeSet::new();
        for block in all {
            let Action::Deterministic(from, to) = block else {
                continue;
            };
            let mut waiting = vec![*from];
            while let Some(at) = waiting.pop() {
                if at == *to || !seen.insert(at) {
                    continue;
                }
                for s in &locations[at.index()].steps {
                    let step = self.text.step(*s);
                    self.step(step);
                    if matches!(step.action, Action::All(_)) {
                        self.blocks(locations, &step.action);
                    }
                    waiting.push(step.target);
                }
            }
        }
    }

    fn action(&mut self, action: &Action) {
        match action {
            Action::Assign(place, e) => self.assign(place, *e),
            Action::All(all) => all.iter().for_each(|a| self.action(a)),
            Action::Send(send) => {
                match self.text.expr(send.channel) {
                    Expr::Read(place) => self.sends.push((place.clone(), send.fields.len())),
                    _ => self.sends_anywhere = true,
                }
                roots(action, &mut |e| self.expr(e));
            }
            Action::Assert(e) => {
                self.asserts = true;
                self.expr(*e);
            }
            _ => roots(action, &mut |e| self.expr(e)),
        }
    }

    fn assign(&mut self, place: &Place, e: ExprId) {
        let kind = self.kind_of(place.owner);
        let at = (kind, place.field);
        self.writes_variable |= kind == self.kind && place.field == self.variable;
        self.place(place);
        let written = match self.text.expr(e) {
            Expr::Const(v) if place.indices.is_empty() => Written::Constant(*v),
            _ => match self.joined(place, e) {
                Some((op, rest)) => {
                    rest.into_iter().for_each(|e| self.expr(e));
                    self.writes.push((at.0, at.1, Written::Joined(op)));
                    return;
                }
                None => Written::Otherwise,
            },
        };
        self.writes.push((at.0, at.1, written));
        self.expr(e);
    }

    /// `x = x + e` and the like: the operator, and the other operands.
    fn joined(&self, place: &Place, e: ExprId) -> Option<(u8, Vec<ExprId>)> {
        if !place.indices.is_empty() || matches!(place.owner, Owner::Other(..)) {
            return None;
        }
        let same = |e: ExprId| match self.text.expr(e) {
            Expr::Read(other) => {
                other.owner == place.owner && other.field == place.field && other.indices.is_empty()
            }
            _ => false,
        };
        use Binary::{Add, BitAnd, BitOr, BitXor};
        match self.text.expr(e) {
            Expr::Binary(op @ (Add | BitAnd | BitOr | BitXor), a, b) => {
                if same(*a) {
                    Some((*op as u8, vec![*b]))
                } else {
                    same(*b).then(|| (*op as u8, vec![*a]))
                }
            }
            // A later operand is not looked at once it is decided, which could only be seen if it
            // went wrong; see `commute`.
            Expr::And(all) if same(all[0]) => Some((254, all[1..].to_vec())),
            Expr::Or(all) if same(all[0]) => Some((255, all[1..].to_vec())),
            _ => None,
        }
    }

    fn expr(&mut self, e: ExprId) {
        let text = self.text;
        match text.expr(e) {
            Expr::Read(place) => {
                let kind = self.kind_of(place.owner);
                if kind != self.kind || place.field != self.variable {
                    self.reads.push((kind, place.field));
                    self.place(place);
                }
            }
            Expr::Binary(Binary::Divide | Binary::Remainder, a, b) => {
                self.faults |= !matches!(text.expr(*b), Expr::Const(v) if *v != 0);
                self.expr(*a);
                self.expr(*b);
            }
            Expr::Probe(..) | Expr::Poll(_) | Expr::Enabled(_) => {
                self.looks = true;
                self.faults = true;
                operands(text.expr(e), &mut |e| self.expr(e));
            }
            other => operands(other, &mut |e| self.expr(e)),
        }
    }

    /// Notes at which indices a variable is used.
    fn place(&mut self, place: &Place) {
        let text = self.text;
        let kind = self.kind_of(place.owner);
        let field = &text.layout.kind(kind).fields[place.field.index()];
        let mut is_own = Vec::new();
        for (e, d) in place.indices.iter().zip(&field.dimensions) {
            let own = self.is_variable(*e);
            is_own.push(own);
            match text.expr(*e) {
                _ if own => self.lengths.push(d.count),
                Expr::Const(v) => {
                    self.faults |= u32::try_from(*v).is_ok_and(|v| v >= d.count) || *v < 0;
                }
                _ => {
                    self.faults = true;
                    self.expr(*e);
                }
            }
        }
        if let Owner::Other(_, Instance::Numbered(e)) = place.owner {
            self.expr(e);
        }
        let known = self
            .own
            .entry((kind, place.field))
            .or_insert_with(|| is_own.clone());
        if known.len() == is_own.len() {
            known
                .iter_mut()
                .zip(is_own)
                .for_each(|(known, own)| *known &= own);
        } else {
            known.clear();
        }
    }

    /// Whether rounds send.
    pub fn has_sends(&self) -> bool {
        !self.sends.is_empty()
    }

    /// Whether rounds send to channels of their own and nothing else can end one of them early, so
    /// that a round waits if and only if it would wait alone.
    fn sends_commute(&self, (first, last): (i32, i32), population: &Population) -> bool {
        let Some(channels) = Channels::new(self.text, population) else {
            return false;
        };
        let mut seen = BTreeSet::new();
        for value in first..=last {
            let mut own = BTreeSet::new();
            for (place, n_fields) in &self.sends {
                let indices = place.indices.iter().map(|e| match self.text.expr(*e) {
                    Expr::Const(v) => Some(*v),
                    _ => self.is_variable(*e).then_some(value),
                });
                let indices: Option<Vec<i32>> = indices.collect();
                let to = indices.and_then(|indices| channels.named(place, &indices, *n_fields));
                let Some(to) = to else {
                    return false;
                };
                own.insert(to);
            }
            if own.iter().any(|to| !seen.insert(*to)) {
                return false;
            }
        }
        !self.faults && !self.asserts && !self.looks
    }

    fn is_variable(&self, e: ExprId) -> bool {
        matches!(self.text.expr(e), Expr::Read(p)
            if p.owner == Owner::Own && p.field == self.variable && p.indices.is_empty())
    }

    /// Whether rounds can be taken in any order.
    pub fn commute(&self, (first, last): (i32, i32), population: &Population) -> bool {
        let sends = self.has_sends() && !self.sends_commute((first, last), population);
        if self.sends_anywhere || sends {
            return false;
        }
        let inside = |n: &u32| first >= 0 && (last as u32) < *n;
        if self.writes_variable || !self.lengths.iter().all(inside) {
            return false;
        }
        let cut = |w: &Written| matches!(w, Written::Joined(254 | 255));
        // Which of two things that go wrong comes first could be seen.
        if self.faults && (self.asserts || self.writes.iter().any(|(_, _, w)| cut(w))) {
            return false;
        }
        self.writes.iter().all(|(kind, field, written)| {
            let at = (*kind, *field);
            if self.own.get(&at).is_some_and(|own| own.contains(&true)) {
                return true;
            }
            let same = |(k, f, w): &(KindId, FieldId, Written)| (*k, *f) != at || w == written;
            let read = self.reads.contains(&at);
            *written != Written::Otherwise && !read && self.writes.iter().all(same)
        })
    }
}

/// The channels that global variables name for ever.
struct Channels<'a> {
    text: &'a Model,
    population: &'a Population,
}

impl<'a> Channels<'a> {
    /// If others move during the making, what is held after it says little.
    fn new(text: &'a Model, population: &'a Population) -> Option<Channels<'a>> {
        let known = population.before.is_none() && !population.interleaved;
        known.then_some(Channels { text, population })
    }

    /// The number of the channel that an element of a variable holds, if that has a buffer for
    /// messages of so many fields and the variable never changes.
    fn named(&self, place: &Place, indices: &[i32], n_fields: usize) -> Option<i32> {
        if place.owner != Owner::Globals || self.is_written(place.field) {
            return None;
        }
        let field = &self.text.layout.globals().fields[place.field.index()];
        let mut n = 0;
        for (index, dimension) in indices.iter().zip(&field.dimensions) {
            let index = u32::try_from(*index).ok()?;
            n = n * dimension.count + (index < dimension.count).then_some(index)?;
        }
        let at = field.element_at(n) as usize;
        let mut held = self.population.states.iter();
        let first = field.slot.scalar.load(held.next()?, at);
        let same = held.all(|state| field.slot.scalar.load(state, at) == first);
        let channel = usize::try_from(first).ok().and_then(|n| n.checked_sub(1));
        let channel = channel.and_then(|n| self.population.channels.get(n))?;
        match &self.text.layout.kind(channel.kind).role {
            Role::Channel(buffer) => {
                let fits = buffer.capacity > 0 && n_fields <= buffer.fields.len();
                (same && fits).then_some(first)
            }
            _ => None,
        }
    }

    /// Whether some step stores into a global variable.
    fn is_written(&self, field: FieldId) -> bool {
        fn stores(action: &Action, field: FieldId) -> bool {
            let is = |place: &Place| place.owner == Owner::Globals && place.field == field;
            match action {
                Action::Assign(place, _) => is(place),
                Action::Receive(receive) => receive
                    .fields
                    .iter()
                    .any(|pattern| matches!(pattern, Pattern::Store(place) if is(place))),
                Action::All(all) => all.iter().any(|action| stores(action, field)),
                _ => false,
            }
        }
        self.text
            .steps
            .iter()
            .any(|step| stores(&step.action, field))
    }
}
