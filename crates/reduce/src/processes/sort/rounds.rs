//! What the rounds of a loop have to do with variables and channels, and whether they commute.
//!
//! Worked example: `for (i : 1 .. 3) { if :: i != who && nfull(snoop[i]) -> snoop[i]!a[me]; n++
//! :: else fi }`. A round reads `who`, `me` and `a`, which no round writes; it adds to `n`, as all
//! do; and it looks at `snoop[i]` and sends to it. If `snoop` never changes and names three
//! different channels with buffers, each round has one of its own. So the rounds commute, and if
//! one has to wait because its channel is full, it would have to in any order.

use super::Sends;
use super::conditions::{is_comparison, spelled};
use super::cycles::Cycle;
use super::exclusive::exclusive;
use super::loops::Finder;
use super::neutral::writes;
use super::reach::Reach;
use super::unroll::{Refusal, Round, guard, refuse};
use model::processes::expr::{Binary, Expr, ExprId, Instance, Owner, Pattern, Place, operands};
use model::processes::layout::{FieldId, KindId, Role, Scalar};
use model::processes::machine;
use model::processes::population::Population;
use model::processes::program::{Action, LocationId, Model, Step, StepId, roots};
use std::collections::{BTreeMap, BTreeSet};

/// A variable, or elements of one: indices that are not known are `None`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Cell {
    pub kind: KindId,
    pub field: FieldId,
    pub indices: Vec<Option<i32>>,
}

impl Cell {
    pub fn overlaps(&self, other: &Cell) -> bool {
        let mut pairs = self.indices.iter().zip(&other.indices);
        let apart = pairs.any(|(a, b)| a.is_some() && b.is_some() && a != b);
        (self.kind, self.field) == (other.kind, other.field) && !apart
    }
}

/// How a cell is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum How {
    Constant(i32),
    /// By joining something to what is there, in a way that does not depend on the order.
    Joined(Joint),
    /// By a function of what is there and of nothing else.
    Function(String),
    /// In a round that does not read what was there, and nobody reads what it leaves.
    Scratch,
    Otherwise,
}

/// Operations of which several may be made in any order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Joint {
    Binary(Binary),
    And,
    Or,
    Maximum,
    Minimum,
}

/// What a round has to do with cells and channels.
#[derive(Default, Debug)]
pub(super) struct Effects {
    pub reads: Vec<(Cell, StepId)>,
    pub writes: Vec<(Cell, How, StepId)>,
    /// Sends and receives.
    talks: Vec<(i32, StepId)>,
    /// Whether it may have to wait.
    waits: bool,
    pub looks: Vec<(i32, StepId)>,
    /// Something that can go wrong.
    pub faults: Option<StepId>,
    asserts: Option<StepId>,
    /// Something else, in words.
    pub odd: Option<Refusal>,
}

/// The rounds of a loop.
pub(super) struct Rounds<'a> {
    pub variable: FieldId,
    pub rounds: &'a [Round],
    pub cycle: &'a Cycle,
    /// The step that leaves it.
    pub leave: StepId,
    /// What may be assumed of states.
    pub sends: Sends,
}

impl Rounds<'_> {
    /// Whether a variable is set again after the loop, before anybody reads it.
    fn sets_again(&self, finder: &Finder<'_>, field: FieldId) -> bool {
        let mut inside = self.cycle.inside.iter();
        let from = inside.find(|at| finder.locations()[at.index()].steps.contains(&self.leave));
        from.is_some_and(|from| finder.sets_again(*from, self.leave, field))
    }
}

/// Rounds that can be taken in any order.
pub(super) struct Commuting {
    /// Whether one may have to wait.
    pub waits: bool,
    /// The test that may hold in one round only, if they commute because of that.
    pub test: Option<StepId>,
}

/// Whether rounds can be taken in any order.
pub(super) fn commute(
    finder: &Finder<'_>,
    subject: &Rounds<'_>,
    surroundings: &Surroundings<'_>,
) -> Result<Commuting, Refusal> {
    let mut all = Vec::new();
    for round in subject.rounds {
        let effects = effects(finder, subject, surroundings, (round, None));
        if let Some(odd) = effects.odd {
            return Err(odd);
        }
        all.push(effects);
    }
    risks(&all)?;
    let waits = all.iter().any(|round| round.waits);
    let test = match meet(&all, &all, finder) {
        Ok(()) => None,
        Err(refusal) => Some(exclusive(finder, subject, surroundings, &all).ok_or(refusal)?),
    };
    Ok(Commuting { waits, test })
}

/// Whether no round of some has to do with another of others.
pub(super) fn meet(
    some: &[Effects],
    others: &[Effects],
    finder: &Finder<'_>,
) -> Result<(), Refusal> {
    for (i, a) in some.iter().enumerate() {
        for (_, b) in others.iter().enumerate().filter(|(j, _)| i != *j) {
            a.meets(b, finder)?;
        }
    }
    Ok(())
}

/// What a round does; if a test is given, what it does where that does not hold.
pub(super) fn effects(
    finder: &Finder<'_>,
    subject: &Rounds<'_>,
    surroundings: &Surroundings<'_>,
    (round, test): (&Round, Option<StepId>),
) -> Effects {
    let mut reader = Reader {
        finder,
        variable: subject.variable,
        surroundings,
        value: 0,
        step: StepId::new(0),
        alone: false,
        scratch: finder.own_variables(round),
        effects: Effects::default(),
    };
    reader.scratch.remove(&subject.variable);
    let reached = round.reached(test);
    let nodes = || reached.iter().map(|n| &round.nodes[*n]);
    let steps = nodes().flat_map(|node| &node.steps).map(|taken| taken.step);
    let steps: Vec<StepId> = steps.filter(|step| Some(*step) != test).collect();
    reader.leave_scratch(subject, &steps);
    for node in nodes() {
        for taken in &node.steps {
            reader.value = node.value;
            reader.step = taken.step;
            reader.alone = node.steps.len() == 1;
            let step = finder.text.step(taken.step);
            if Some(taken.step) == test {
                guard(&step.action).into_iter().for_each(|e| reader.read(e));
            } else if taken.step == subject.leave {
                // What it resets is reset after the last round.
                let resets = Vec::new();
                let step = Step {
                    resets,
                    ..step.clone()
                };
                reader.step(&step, taken.sure);
            } else {
                reader.step(step, taken.sure);
            }
        }
    }
    reader.effects
}

impl Round {
    /// The nodes that can be reached without a step.
    fn reached(&self, without: Option<StepId>) -> BTreeSet<usize> {
        let (mut seen, mut waiting) = (BTreeSet::new(), vec![self.entry]);
        while let Some(n) = waiting.pop() {
            if seen.insert(n) {
                let steps = self.nodes[n].steps.iter();
                let others = steps.filter(|taken| Some(taken.step) != without);
                waiting.extend(others.filter_map(|taken| taken.to));
            }
        }
        seen
    }
}

/// What a loop may rely on.
pub(super) struct Surroundings<'a> {
    pub population: &'a Population,
    pub reach: &'a Reach,
}

/// Which of two things that go wrong comes first could be seen.
fn risks(all: &[Effects]) -> Result<(), Refusal> {
    let faults = all.iter().find_map(|round| round.faults);
    let asserts = all.iter().find_map(|round| round.asserts);
    let mut waiting = all.iter().filter(|round| round.waits);
    let talks = waiting.find_map(|round| round.talks.first());
    let mut writes = all.iter().flat_map(|round| &round.writes);
    let cut = writes.find(|(_, how, _)| matches!(how, How::Joined(Joint::And | Joint::Or)));
    match (faults, asserts, talks, cut) {
        (Some(step), Some(_), ..) => refuse(
            step,
            "this can go wrong, and an assertion of another round can fail before or after it",
        ),
        (Some(step), _, _, Some(_)) => refuse(
            step,
            "this can go wrong, and is not always looked at in another order",
        ),
        (Some(step), _, Some(_), _) => refuse(
            step,
            "this can go wrong, and another round can wait for a channel before or after it",
        ),
        (_, Some(step), Some(_), _) => refuse(
            step,
            "the assertion can fail before or after another round waits for a channel",
        ),
        _ => Ok(()),
    }
}

impl Effects {
    /// Whether what this round does to cells and channels can be told from doing it after another.
    fn meets(&self, other: &Effects, finder: &Finder<'_>) -> Result<(), Refusal> {
        for (channel, step) in &self.talks {
            let talks = other.talks.iter().any(|(to, _)| to == channel);
            let seen = other.looks.iter().find(|(at, _)| at == channel);
            if let Some((_, look)) = seen {
                return refuse(*look, "it looks at a channel that another round uses");
            }
            if talks {
                return refuse(*step, "two rounds use the same channel");
            }
        }
        for (cell, how, step) in &self.writes {
            if let Some((_, read)) = other.reads.iter().find(|(read, _)| cell.overlaps(read)) {
                let name = finder.variable_name(cell.kind, cell.field);
                let why = format!("`{name}` is read here, and another round assigns to it");
                return refuse(*read, why);
            }
            let same = |how: &How, other: &How| how == other && *how != How::Otherwise;
            let mut writes = other.writes.iter();
            if writes.any(|(written, other, _)| cell.overlaps(written) && !same(how, other)) {
                let name = finder.variable_name(cell.kind, cell.field);
                let why = format!("what `{name}` holds afterwards depends on which id comes last");
                return refuse(*step, why);
            }
        }
        Ok(())
    }
}

pub(super) struct Reader<'a, 'f> {
    pub finder: &'a Finder<'f>,
    pub variable: FieldId,
    pub surroundings: &'a Surroundings<'a>,
    /// What the variable is.
    pub value: i32,
    pub step: StepId,
    /// Whether there is no other step beside it.
    pub alone: bool,
    /// The variables that the round sets before it reads them.
    pub scratch: BTreeMap<FieldId, Option<i32>>,
    pub effects: Effects,
}

impl Reader<'_, '_> {
    fn text(&self) -> &Model {
        self.finder.text
    }

    fn kind_of(&self, owner: Owner) -> KindId {
        match owner {
            Owner::Globals => KindId::new(0),
            Owner::Own => self.text().proctype(self.finder.proctype).kind,
            Owner::Other(p, _) => self.text().proctype(p).kind,
        }
    }

    /// Notes what some steps of the round leave in variables that it sets for itself.
    fn leave_scratch(&mut self, subject: &Rounds<'_>, steps: &[StepId]) {
        let kind = self.kind_of(Owner::Own);
        for (field, left) in &self.scratch {
            let how = match left {
                _ if subject.sets_again(self.finder, *field) => How::Scratch,
                Some(value) => How::Constant(*value),
                None => How::Otherwise,
            };
            let mut setting = steps.iter().copied();
            let sets = |s: &StepId| {
                let step = self.text().step(*s);
                let reset = step.resets.iter().any(|reset| reset.field == *field);
                reset || writes(&step.action, *field)
            };
            let Some(step) = setting.find(sets) else {
                continue;
            };
            let cell = Cell {
                kind,
                field: *field,
                indices: Vec::new(),
            };
            self.effects.writes.push((cell, how, step));
        }
    }

    fn is_scratch(&self, place: &Place) -> bool {
        let own = place.owner == Owner::Own && place.indices.is_empty();
        own && self.scratch.contains_key(&place.field)
    }

    /// Reads a step; if it is sure, its test is decided.
    pub fn step(&mut self, step: &Step, sure: bool) {
        match &step.action {
            Action::Test(_) if sure => {}
            Action::All(all) if sure && matches!(all.first(), Some(Action::Test(_))) => {
                all[1..].iter().for_each(|action| self.action(action));
            }
            action => self.action(action),
        }
        let kind = self.kind_of(Owner::Own);
        let known = |field: &FieldId| *field == self.variable || self.scratch.contains_key(field);
        let resets = step.resets.iter().filter(|r| !known(&r.field));
        for reset in resets {
            let fields = &self.text().layout.kind(kind).fields;
            let cell = Cell {
                kind,
                field: reset.field,
                indices: vec![None; fields[reset.field.index()].dimensions.len()],
            };
            let how = How::Constant(reset.value);
            self.effects.writes.push((cell, how, self.step));
        }
    }

    /// The block of an inner loop that was replaced.
    fn block(&mut self, from: LocationId, to: LocationId) {
        let mut seen = BTreeSet::new();
        let mut waiting = vec![from];
        while let Some(at) = waiting.pop() {
            if at == to || !seen.insert(at) {
                continue;
            }
            for s in &self.finder.locations()[at.index()].steps {
                let step = self.finder.text.step(*s);
                self.alone = true;
                self.step(step, false);
                waiting.push(step.target);
            }
        }
    }

    fn action(&mut self, action: &Action) {
        match action {
            Action::Assign(place, e) => self.assign(place, *e),
            Action::All(all) => all.iter().for_each(|action| self.action(action)),
            Action::Deterministic(from, to) => self.block(*from, *to),
            Action::Send(send) => {
                roots(action, &mut |e| self.read(e));
                let n_fields = send.fields.len();
                match self.channel(send.channel, n_fields) {
                    Some(to) => self.effects.talks.push((to, self.step)),
                    None => self.odd("which channel this sends to is not known, or it has no room"),
                }
                self.effects.waits = true;
            }
            Action::Receive(receive) => {
                roots(action, &mut |e| self.read(e));
                match self.channel(receive.channel, receive.fields.len()) {
                    Some(at) => self.effects.talks.push((at, self.step)),
                    None => {
                        self.odd("which channel this receives from is not known, or it has no room")
                    }
                }
                self.effects.waits |= self.alone;
                for pattern in &receive.fields {
                    if let Pattern::Store(place) = pattern
                        && !self.is_scratch(place)
                    {
                        let cell = self.place(place);
                        let how = How::Otherwise;
                        self.effects.writes.push((cell, how, self.step));
                    }
                }
            }
            Action::Assert(e) => {
                self.effects.asserts = Some(self.step);
                self.read(*e);
            }
            _ => roots(action, &mut |e| self.read(e)),
        }
    }

    fn odd(&mut self, reason: &str) {
        self.effects.odd.get_or_insert(Refusal {
            step: self.step,
            reason: reason.to_owned(),
            followed: true,
        });
    }

    /// The channel with a buffer that an expression names in all states.
    fn channel(&self, e: ExprId, n_fields: usize) -> Option<i32> {
        let Expr::Read(place) = self.text().expr(e) else {
            return None;
        };
        let channels = Channels::new(self.text(), self.surroundings.population)?;
        let indices = place.indices.iter().map(|e| self.folded(*e));
        let indices: Vec<i32> = indices.collect::<Option<_>>()?;
        channels.named(place, &indices, n_fields)
    }

    fn folded(&self, e: ExprId) -> Option<i32> {
        self.finder.folded(e, self.variable, self.value)
    }

    fn assign(&mut self, place: &Place, e: ExprId) {
        if place.owner == Owner::Own && place.field == self.variable {
            if let Some(value) = self.folded(e) {
                self.value = self.finder.narrowed(self.variable, value);
            }
            return;
        }
        if self.is_scratch(place) {
            self.read(e);
            return;
        }
        let cell = self.place(place);
        let (how, rest) = self.how(place, e);
        rest.into_iter().for_each(|e| self.read(e));
        self.effects.writes.push((cell, how, self.step));
    }

    /// How an assignment writes, and what else it reads for that.
    fn how(&self, place: &Place, e: ExprId) -> (How, Vec<ExprId>) {
        if let Some(value) = self.folded(e) {
            return (How::Constant(value), Vec::new());
        }
        if matches!(place.owner, Owner::Other(..)) {
            return (How::Otherwise, vec![e]);
        }
        let same = |e: ExprId| self.is_read_of(e, place);
        use Binary::{Add, BitAnd, BitOr, BitXor, Subtract};
        let joined = |joint: Joint, rest: Vec<ExprId>| (How::Joined(joint), rest);
        match self.text().expr(e) {
            Expr::Binary(op @ (Add | BitAnd | BitOr | BitXor), a, b) if same(*a) => {
                joined(Joint::Binary(*op), vec![*b])
            }
            Expr::Binary(op @ (Add | BitAnd | BitOr | BitXor), a, b) if same(*b) => {
                joined(Joint::Binary(*op), vec![*a])
            }
            // Taking away is adding the negative.
            Expr::Binary(Subtract, a, b) if same(*a) => joined(Joint::Binary(Add), vec![*b]),
            // A later operand is not looked at once it is decided, which could only be seen if it
            // went wrong; see `risks`.
            Expr::And(all) if same(all[0]) => joined(Joint::And, all[1..].to_vec()),
            Expr::Or(all) if same(all[0]) => joined(Joint::Or, all[1..].to_vec()),
            Expr::Choice(all) => match self.extreme(place, *all) {
                Some((joint, other)) => joined(joint, vec![other]),
                None => self.function(place, e),
            },
            _ => self.function(place, e),
        }
    }

    fn function(&self, place: &Place, e: ExprId) -> (How, Vec<ExprId>) {
        if self.is_closed(e, place) {
            (How::Function(spelled(self.text(), e, "")), Vec::new())
        } else {
            (How::Otherwise, vec![e])
        }
    }

    /// Whether an expression depends on nothing but what is in a place, and cannot go wrong.
    fn is_closed(&self, e: ExprId, place: &Place) -> bool {
        let expr = self.text().expr(e);
        let fine = match expr {
            Expr::Const(_) => true,
            Expr::Read(_) => return self.is_read_of(e, place),
            Expr::Binary(Binary::Divide | Binary::Remainder, _, b) => {
                matches!(self.text().expr(*b), Expr::Const(v) if *v != 0)
            }
            Expr::Unary(..) | Expr::Binary(..) | Expr::And(_) | Expr::Or(_) | Expr::Choice(_) => {
                true
            }
            _ => false,
        };
        let mut closed = fine;
        operands(expr, &mut |e| closed &= self.is_closed(e, place));
        closed
    }

    /// Whether an expression reads a place; indices with the variable in them are another matter.
    fn is_read_of(&self, e: ExprId, place: &Place) -> bool {
        let Expr::Read(other) = self.text().expr(e) else {
            return false;
        };
        let indices = |place: &Place| -> Vec<String> {
            let all = place.indices.iter();
            all.map(|e| spelled(self.text(), *e, "")).collect()
        };
        (other.owner, other.field) == (place.owner, place.field) && indices(other) == indices(place)
    }

    /// `(v > m -> v : m)` assigned to `m`, and the like: what is joined.
    fn extreme(&self, place: &Place, [test, a, b]: [ExprId; 3]) -> Option<(Joint, ExprId)> {
        let Expr::Binary(op, x, y) = self.text().expr(test) else {
            return None;
        };
        let same = |e: ExprId| self.is_read_of(e, place);
        let other = if same(a) { b } else { a };
        let equal =
            |x: ExprId, y: ExprId| spelled(self.text(), x, "") == spelled(self.text(), y, "");
        let is_pair =
            |x: ExprId, y: ExprId| (same(x) && equal(y, other)) || (same(y) && equal(x, other));
        let fits = self.fits(place, other) && is_comparison(*op);
        if !fits || same(other) || !is_pair(*x, *y) || !is_pair(a, b) {
            return None;
        }
        // What comes out of 0 and 1, whichever of them is in the place.
        let picked = |held: i32, offered: i32| {
            let of = |e: ExprId| if same(e) { held } else { offered };
            let holds = machine::binary(*op, of(*x), of(*y)).is_ok_and(|v| v != 0);
            of(if holds { a } else { b })
        };
        match (picked(0, 1), picked(1, 0)) {
            (1, 1) => Some((Joint::Maximum, other)),
            (0, 0) => Some((Joint::Minimum, other)),
            _ => None,
        }
    }

    /// Whether what an expression gives can be stored in a place as it is.
    fn fits(&self, place: &Place, e: ExprId) -> bool {
        let scalar = |place: &Place| {
            let kind = self.text().layout.kind(self.kind_of(place.owner));
            kind.fields[place.field.index()].slot.scalar
        };
        let into = scalar(place);
        match self.text().expr(e) {
            Expr::Const(v) => into.narrow(*v) == *v,
            Expr::Read(from) => extent(scalar(from))
                .into_iter()
                .all(|v| into.narrow(v) == v),
            _ => false,
        }
    }

    pub fn read(&mut self, e: ExprId) {
        let text = self.finder.text;
        match text.expr(e) {
            Expr::Read(place) => {
                let counted = place.owner == Owner::Own && place.field == self.variable;
                if !counted && !self.is_scratch(place) {
                    let cell = self.place(place);
                    self.effects.reads.push((cell, self.step));
                }
            }
            Expr::Binary(Binary::Divide | Binary::Remainder, a, b) => {
                if self.folded(*b).is_none_or(|v| v == 0) {
                    self.effects.faults = Some(self.step);
                }
                self.read(*a);
                self.read(*b);
            }
            Expr::Probe(_, channel) => {
                match self.channel(*channel, 0) {
                    Some(at) => self.effects.looks.push((at, self.step)),
                    None => self.odd("which channel this looks at is not known"),
                }
                self.read(*channel);
            }
            Expr::Poll(receive) => {
                let stores = |pattern: &Pattern| matches!(pattern, Pattern::Store(_));
                let at = self.channel(receive.channel, receive.fields.len());
                match at.filter(|_| !receive.fields.iter().any(stores)) {
                    Some(at) => self.effects.looks.push((at, self.step)),
                    None => self.odd("which channel this looks at is not known"),
                }
                operands(text.expr(e), &mut |e| self.read(e));
            }
            Expr::Run(..) | Expr::Enabled(_) | Expr::Timeout => {
                self.odd("it looks at other processes")
            }
            other => operands(other, &mut |e| self.read(e)),
        }
    }

    /// What an expression can be, wherever the process is.
    fn values(&self, e: ExprId) -> Option<BTreeSet<i32>> {
        let reach = self.surroundings.reach;
        let known = |e: ExprId| self.folded(e);
        reach.anywhere(self.text(), self.finder.proctype, e, &known)
    }

    /// The cell of a place, whose indices are read.
    fn place(&mut self, place: &Place) -> Cell {
        let kind = self.kind_of(place.owner);
        let field = &self.finder.text.layout.kind(kind).fields[place.field.index()];
        let mut indices = Vec::new();
        for (e, d) in place.indices.iter().zip(&field.dimensions) {
            let known = self.folded(*e);
            let inside = |v: &i32| u32::try_from(*v).is_ok_and(|v| v < d.count);
            let fine = match known {
                Some(v) => inside(&v),
                None => {
                    let values = self.values(*e);
                    values.is_some_and(|all| all.iter().all(inside))
                }
            };
            if !fine {
                self.effects.faults = Some(self.step);
            }
            if known.is_none() {
                self.read(*e);
            }
            indices.push(known);
        }
        if let Owner::Other(_, Instance::Numbered(e)) = place.owner {
            self.read(e);
        }
        let field = place.field;
        Cell {
            kind,
            field,
            indices,
        }
    }
}

/// The least and the greatest number that a variable can hold.
fn extent(scalar: Scalar) -> [i32; 2] {
    match scalar {
        Scalar::Bit => [0, 1],
        Scalar::U8 => [0, 255],
        Scalar::I16 => [i32::from(i16::MIN), i32::from(i16::MAX)],
        Scalar::I32 => [i32::MIN, i32::MAX],
        Scalar::Bits(_) => [0, scalar.narrow(-1)],
    }
}

/// The channels that global variables name for ever.
pub(super) struct Channels<'a> {
    text: &'a Model,
    population: &'a Population,
}

impl<'a> Channels<'a> {
    /// If others move during the making, what is held after it says little.
    pub fn new(text: &'a Model, population: &'a Population) -> Option<Channels<'a>> {
        let known = population.before.is_none() && !population.interleaved;
        known.then_some(Channels { text, population })
    }

    /// The number of the channel that an element of a variable holds, if that has a buffer for
    /// messages of so many fields and the variable never changes.
    pub fn named(&self, place: &Place, indices: &[i32], n_fields: usize) -> Option<i32> {
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
