//! Loops over ids that may as well run in any order.
//!
//! `for (j : 0 .. 4) { if :: st[j] == critical -> free = false :: else fi }` inside `atomic` counts
//! and compares, so `j` would be plain, and with it every index and id that `j` meets. But nobody
//! sees the states inside, and the five rounds could be taken in any order. Here such a loop is
//! replaced, in the copy of the text that symmetry looks at, by the set of its rounds: one block
//! for each value, with the value in place of the variable.
//!
//! A loop is replaced if
//! - it starts with `j = lo`, its rounds are taken while `j` is below a constant, each ends with
//!   `j = j + 1`, and there is no other way in or out;
//! - control is kept throughout, and no round can block;
//! - rounds commute: what one writes, the others neither read nor write, but for elements at index
//!   `j`, writes of one constant, and sums, conjunctions and the like that all rounds add to.
//!
//! Worked example, for the loop above: it writes `free` with the constant 0 only and reads it
//! nowhere; it reads `st` at index `j`. The rounds commute. They become five blocks
//! `if :: st[0] == critical -> free = false :: else fi` and so on, and then `j = 5`.

use crate::expr::{Binary, Expr, ExprId, Instance, Owner, Pattern, Place, Receive, operands};
use crate::layout::{FieldId, KindId};
use crate::model::{Action, Location, LocationId, Model, ProctypeId, Reset, Step, StepId, roots};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// The most rounds of a loop that is replaced.
const N_ROUNDS_MAX: i32 = 300;

/// What was replaced.
#[derive(Default, Debug)]
pub(super) struct Replaced {
    /// Steps whose actions may be taken in any order.
    pub unordered: HashSet<StepId>,
    /// By process type: the locations that are left, those added included.
    pub removed: Vec<HashSet<usize>>,
}

/// Replaces loops in a text.
pub(super) fn replace(text: &mut Model) -> Replaced {
    let mut replaced = Replaced {
        unordered: HashSet::new(),
        removed: vec![HashSet::new(); text.proctypes.len()],
    };
    for p in 0..text.proctypes.len() {
        let n = text.proctypes[p].locations.len();
        // An inner loop goes first: while it is there, its round goes in circles.
        let mut again = true;
        while again {
            again = false;
            for head in 0..n {
                let finder = Finder {
                    text,
                    proctype: ProctypeId::new(p),
                    unordered: &replaced.unordered,
                };
                if replaced.removed[p].contains(&head) {
                    continue;
                }
                if let Some(found) = finder.find(LocationId::new(head)) {
                    again = true;
                    replaced.removed[p].extend(found.region.iter().map(|l| l.index()));
                    let set = Rewriter {
                        text: &mut *text,
                        proctype: ProctypeId::new(p),
                        found: &found,
                        unordered: &mut replaced.unordered,
                    }
                    .rewrite();
                    replaced.unordered.insert(set);
                }
            }
        }
    }
    replaced
}

/// A loop that may be replaced.
struct Found {
    head: LocationId,
    variable: FieldId,
    /// The first and the last value.
    range: (i32, i32),
    /// The value afterwards.
    after: i32,
    /// Where a round starts.
    entry: LocationId,
    /// The locations of a round.
    region: Vec<LocationId>,
    /// The step that leaves the loop.
    leave: StepId,
}

pub(super) struct Finder<'a> {
    pub text: &'a Model,
    pub proctype: ProctypeId,
    pub unordered: &'a HashSet<StepId>,
}

impl Finder<'_> {
    fn locations(&self) -> &[Location] {
        &self.text.proctype(self.proctype).locations
    }

    /// The test and the way out of a loop that counts up, and what [`Finder::bound`] says of it.
    pub fn counted(&self, head: LocationId) -> Option<(StepId, StepId, (FieldId, i32, i32))> {
        let [a, b] = self.locations()[head.index()].steps[..] else {
            return None;
        };
        let (test, leave) = match (&self.text.step(a).action, &self.text.step(b).action) {
            (Action::Test(_), Action::Else) => (a, b),
            (Action::Else, Action::Test(_)) => (b, a),
            // In a deterministic block the first that can be taken is taken, and an `else` at the
            // end is a step that always can.
            (Action::Test(_), Action::Skip) if self.in_block(head) => (a, b),
            _ => return None,
        };
        let Action::Test(condition) = self.text.step(test).action else {
            return None;
        };
        Some((test, leave, self.bound(condition)?))
    }

    fn find(&self, head: LocationId) -> Option<Found> {
        let (test, leave, (variable, last, after)) = self.counted(head)?;
        let entry = self.text.step(test).target;
        let region = self.region(head, entry, variable)?;
        let controlled = [test, leave].iter().all(|s| self.keeps(head, *s));
        let first = self.first(head, variable, &region)?;
        let n = last.checked_sub(first)?.checked_add(1)?;
        let found = Found {
            head,
            variable,
            range: (first, last),
            after,
            entry,
            region,
            leave,
        };
        let fits = controlled && (1..=N_ROUNDS_MAX).contains(&n);
        (fits && self.commutes(&found)).then_some(found)
    }

    /// Whether control is kept after a step; inside a deterministic block it always is. Elsewhere
    /// a condition on the process can take it away, and so can somebody of higher priority.
    fn keeps(&self, at: LocationId, step: StepId) -> bool {
        let step = self.text.step(step);
        let provided = self.text.proctype(self.proctype).provided.is_some();
        let alone = !provided && !self.text.rules.priorities;
        step.rank == 0 && ((step.keeps_control && alone) || self.in_block(at))
    }

    fn in_block(&self, at: LocationId) -> bool {
        let steps = self.locations().iter().flat_map(|l| &l.steps);
        let mut blocks = steps.filter_map(|step| match self.text.step(*step).action {
            Action::Deterministic(from, to) => Some((from, to)),
            _ => None,
        });
        blocks.any(|(from, to)| {
            let mut seen = BTreeSet::new();
            let mut waiting = vec![from];
            while let Some(l) = waiting.pop() {
                if l != to && seen.insert(l) {
                    let steps = self.locations()[l.index()].steps.iter();
                    waiting.extend(steps.map(|s| self.text.step(*s).target));
                }
            }
            seen.contains(&at)
        })
    }

    /// The variable that is counted, its last value, and its value afterwards.
    fn bound(&self, condition: ExprId) -> Option<(FieldId, i32, i32)> {
        let Expr::Binary(op, a, b) = self.text.expr(condition) else {
            return None;
        };
        let (op, variable, bound) = match (self.scalar(*a), self.scalar(*b)) {
            (Some(variable), None) => (*op, variable, self.constant(*b)?),
            (None, Some(variable)) => (turned(*op), variable, self.constant(*a)?),
            _ => return None,
        };
        match op {
            Binary::Less | Binary::NotEqual => Some((variable, bound.checked_sub(1)?, bound)),
            Binary::LessEqual => Some((variable, bound, bound.checked_add(1)?)),
            _ => None,
        }
    }

    /// The variable of the process that an expression is.
    fn scalar(&self, e: ExprId) -> Option<FieldId> {
        match self.text.expr(e) {
            Expr::Read(place) if place.owner == Owner::Own && place.indices.is_empty() => {
                Some(place.field)
            }
            _ => None,
        }
    }

    fn constant(&self, e: ExprId) -> Option<i32> {
        match self.text.expr(e) {
            Expr::Const(v) => Some(*v),
            Expr::Binary(op, a, b) => {
                crate::machine::binary(*op, self.constant(*a)?, self.constant(*b)?).ok()
            }
            _ => None,
        }
    }

    fn increments(&self, action: &Action, variable: FieldId) -> bool {
        let Action::Assign(place, e) = action else {
            return false;
        };
        let is_variable = place.owner == Owner::Own && place.field == variable;
        let Expr::Binary(Binary::Add, a, b) = self.text.expr(*e) else {
            return false;
        };
        let one = |e: ExprId| self.constant(e) == Some(1);
        let read = |e: ExprId| self.scalar(e) == Some(variable);
        is_variable && ((read(*a) && one(*b)) || (one(*a) && read(*b)))
    }

    /// The locations of a round, if it is one: no circle, no way out but the end, nothing blocks.
    fn region(
        &self,
        head: LocationId,
        entry: LocationId,
        variable: FieldId,
    ) -> Option<Vec<LocationId>> {
        let mut order = Vec::new();
        let mut marks: BTreeMap<LocationId, bool> = BTreeMap::new();
        self.visit(head, entry, variable, (&mut marks, &mut order))?;
        Some(order)
    }

    fn visit(
        &self,
        head: LocationId,
        at: LocationId,
        variable: FieldId,
        (marks, order): (&mut BTreeMap<LocationId, bool>, &mut Vec<LocationId>),
    ) -> Option<()> {
        match marks.get(&at) {
            Some(true) => return Some(()),
            Some(false) => return None,
            None => {}
        }
        if at == head || order.len() > 1000 {
            return None;
        }
        marks.insert(at, false);
        let steps = &self.locations()[at.index()].steps;
        if steps.is_empty() || !steps.iter().any(|s| self.never_blocks(*s)) {
            return None;
        }
        for s in steps {
            let step = self.text.step(*s);
            if !self.keeps(at, *s) || !self.is_simple(*s) {
                return None;
            }
            if step.target == head {
                let ends = self.increments(&step.action, variable);
                if !ends || step.resets.iter().any(|r| r.field == variable) {
                    return None;
                }
                continue;
            }
            let kind = self.text.proctype(self.proctype).kind;
            let mut accesses = Accesses::new(self.text, kind, variable);
            accesses.step(step);
            if accesses.writes_variable {
                return None;
            }
            self.visit(head, step.target, variable, (&mut *marks, &mut *order))?;
        }
        marks.insert(at, true);
        order.push(at);
        Some(())
    }

    fn never_blocks(&self, step: StepId) -> bool {
        match &self.text.step(step).action {
            Action::Test(_) => false,
            Action::All(all) => !matches!(all.first(), Some(Action::Test(_))),
            _ => true,
        }
    }

    /// Whether a step does nothing but read and write variables.
    fn is_simple(&self, step: StepId) -> bool {
        fn simple(text: &Model, action: &Action) -> bool {
            let mut creates = false;
            roots(action, &mut |e| creates |= has_run(text, e));
            match action {
                Action::Skip | Action::Test(_) | Action::Else | Action::Assert(_) => !creates,
                Action::Assign(..) | Action::Drop(_) | Action::Print(_) => !creates,
                Action::All(all) => all.iter().all(|a| simple(text, a)),
                _ => false,
            }
        }
        self.unordered.contains(&step) || simple(self.text, &self.text.step(step).action)
    }

    /// The value with which every way into the loop starts.
    fn first(&self, head: LocationId, variable: FieldId, region: &[LocationId]) -> Option<i32> {
        let mut first = None;
        if self.text.proctype(self.proctype).start == head {
            return None;
        }
        for (l, location) in self.locations().iter().enumerate() {
            for s in &location.steps {
                let step = self.text.step(*s);
                if let Action::Deterministic(from, to) = step.action
                    && (from == head || to == head)
                {
                    return None;
                }
                let at = LocationId::new(l);
                if step.target != head || region.contains(&at) {
                    continue;
                }
                let value = self.assigned(&step.action, variable)?;
                let kept = !step.resets.iter().any(|r| r.field == variable);
                let known = first.is_none_or(|first| first == value);
                if !kept || !known || !self.keeps(at, *s) {
                    return None;
                }
                first = Some(value);
            }
        }
        first
    }

    /// The constant that the last part of an action gives to the variable.
    fn assigned(&self, action: &Action, variable: FieldId) -> Option<i32> {
        match action {
            Action::Assign(place, e) if place.owner == Owner::Own && place.field == variable => {
                self.constant(*e)
            }
            Action::All(all) => self.assigned(all.last()?, variable),
            _ => None,
        }
    }

    /// Whether rounds can be taken in any order.
    fn commutes(&self, found: &Found) -> bool {
        let kind = self.text.proctype(self.proctype).kind;
        let mut accesses = Accesses::new(self.text, kind, found.variable);
        for l in &found.region {
            for s in &self.locations()[l.index()].steps {
                let step = self.text.step(*s);
                if step.target == found.head {
                    accesses.resets(step);
                    continue;
                }
                accesses.step(step);
                if self.unordered.contains(s) {
                    accesses.blocks(self.locations(), &step.action);
                }
            }
        }
        accesses.commute(found.range)
    }
}

fn has_run(text: &Model, e: ExprId) -> bool {
    // Whether somebody is enabled depends on all that rounds write.
    let mut found = matches!(text.expr(e), Expr::Run(..) | Expr::Enabled(_));
    operands(text.expr(e), &mut |e| found |= has_run(text, e));
    found
}

/// The operator with its operands exchanged.
fn turned(op: Binary) -> Binary {
    match op {
        Binary::Greater => Binary::Less,
        Binary::GreaterEqual => Binary::LessEqual,
        Binary::NotEqual => Binary::NotEqual,
        _ => Binary::Equal,
    }
}

/// How a round writes a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Written {
    Constant(i32),
    /// By adding to what is there, in a way that does not depend on the order.
    Joined(u8),
    Otherwise,
}

/// Which variables a round reads and writes, and how.
struct Accesses<'a> {
    text: &'a Model,
    kind: KindId,
    variable: FieldId,
    writes: Vec<(KindId, FieldId, Written)>,
    reads: Vec<(KindId, FieldId)>,
    /// For each variable: the dimensions in which every access has the index `j`.
    own: BTreeMap<(KindId, FieldId), Vec<bool>>,
    /// Indices `j` in arrays, by their length.
    lengths: Vec<u32>,
    writes_variable: bool,
    faults: bool,
}

impl<'a> Accesses<'a> {
    fn new(text: &'a Model, kind: KindId, variable: FieldId) -> Accesses<'a> {
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
        }
    }

    fn kind_of(&self, owner: Owner) -> KindId {
        match owner {
            Owner::Globals => KindId::new(0),
            Owner::Own => self.kind,
            Owner::Other(p, _) => self.text.proctype(p).kind,
        }
    }

    fn step(&mut self, step: &Step) {
        self.action(&step.action);
        self.resets(step);
    }

    fn resets(&mut self, step: &Step) {
        for Reset { field, value } in &step.resets {
            self.writes_variable |= *field == self.variable;
            self.writes
                .push((self.kind, *field, Written::Constant(*value)));
            self.own.insert((self.kind, *field), Vec::new());
        }
    }

    /// The blocks of an inner loop that was replaced.
    fn blocks(&mut self, locations: &[Location], action: &Action) {
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
            let own = matches!(text.expr(*e), Expr::Read(p)
                if p.owner == Owner::Own && p.field == self.variable && p.indices.is_empty());
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

    fn commute(&self, (first, last): (i32, i32)) -> bool {
        let inside = |n: &u32| first >= 0 && (last as u32) < *n;
        if self.writes_variable || !self.lengths.iter().all(inside) {
            return false;
        }
        let cut = |w: &Written| matches!(w, Written::Joined(254 | 255));
        if self.faults && self.writes.iter().any(|(_, _, w)| cut(w)) {
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

struct Rewriter<'a> {
    text: &'a mut Model,
    proctype: ProctypeId,
    found: &'a Found,
    unordered: &'a mut HashSet<StepId>,
}

impl Rewriter<'_> {
    /// Puts the set of rounds in place of the loop; gives the step that stands for it.
    fn rewrite(mut self) -> StepId {
        let found = self.found;
        let end = self.location();
        let middle = self.location();
        let (first, last) = found.range;
        let mut blocks = Vec::new();
        for value in first..=last {
            let mut names = BTreeMap::from([(found.head, end)]);
            let entry = self.block(found.entry, value, &mut names);
            blocks.push(Action::Deterministic(entry, end));
        }
        let leave = self.text.step(found.leave).clone();
        let set = self.step(Step {
            action: Action::All(blocks.into()),
            target: middle,
            keeps_control: true,
            join: leave.join,
            alone: leave.alone,
            rank: 0,
            site: leave.site,
            resets: Vec::new(),
        });
        let after = self.expr(Expr::Const(found.after));
        let place = Place {
            owner: Owner::Own,
            field: found.variable,
            indices: Box::new([]),
        };
        let left = self.step(Step {
            action: Action::Assign(place, after),
            ..leave
        });
        let locations = &mut self.text.proctypes[self.proctype.index()].locations;
        locations[found.head.index()].steps = vec![set];
        locations[middle.index()].steps = vec![left];
        set
    }

    fn location(&mut self) -> LocationId {
        let locations = &mut self.text.proctypes[self.proctype.index()].locations;
        locations.push(Location::default());
        LocationId::new(locations.len() - 1)
    }

    fn step(&mut self, step: Step) -> StepId {
        self.text.steps.push(step);
        StepId::new(self.text.steps.len() - 1)
    }

    fn expr(&mut self, e: Expr) -> ExprId {
        self.text.exprs.push(e);
        ExprId::new(self.text.exprs.len() - 1)
    }

    /// A copy of the round from `at` on, with a value in place of the variable.
    fn block(
        &mut self,
        at: LocationId,
        value: i32,
        names: &mut BTreeMap<LocationId, LocationId>,
    ) -> LocationId {
        if let Some(name) = names.get(&at) {
            return *name;
        }
        let name = self.location();
        names.insert(at, name);
        let old = self.text.proctype(self.proctype).locations[at.index()].clone();
        let mut steps = Vec::new();
        for s in &old.steps {
            let step = self.text.step(*s).clone();
            let target = self.block(step.target, value, names);
            let ends = step.target == self.found.head;
            let action = match ends {
                true => Action::Skip,
                false => self.action(&step.action, value, names),
            };
            let copy = self.step(Step {
                action,
                target,
                ..step
            });
            if self.unordered.contains(s) {
                self.unordered.insert(copy);
            }
            steps.push(copy);
        }
        let locations = &mut self.text.proctypes[self.proctype.index()].locations;
        locations[name.index()] = Location { steps, ..old };
        name
    }

    fn action(
        &mut self,
        action: &Action,
        value: i32,
        names: &mut BTreeMap<LocationId, LocationId>,
    ) -> Action {
        match action {
            Action::Test(e) => Action::Test(self.copy(*e, value)),
            Action::Drop(e) => Action::Drop(self.copy(*e, value)),
            Action::Assert(e) => Action::Assert(self.copy(*e, value)),
            Action::Assign(place, e) => {
                Action::Assign(self.place(place, value), self.copy(*e, value))
            }
            Action::All(all) => {
                let parts = all.iter().map(|a| self.action(a, value, names));
                Action::All(parts.collect())
            }
            Action::Deterministic(from, to) => {
                let to = self.block(*to, value, names);
                Action::Deterministic(self.block(*from, value, names), to)
            }
            other => other.clone(),
        }
    }

    fn copy(&mut self, e: ExprId, value: i32) -> ExprId {
        let old = self.text.expr(e).clone();
        let new = match old {
            Expr::Read(place)
                if place.owner == Owner::Own
                    && place.field == self.found.variable
                    && place.indices.is_empty() =>
            {
                Expr::Const(value)
            }
            Expr::Read(place) => Expr::Read(self.place(&place, value)),
            Expr::Unary(op, a) => Expr::Unary(op, self.copy(a, value)),
            Expr::Binary(op, a, b) => Expr::Binary(op, self.copy(a, value), self.copy(b, value)),
            Expr::And(all) => Expr::And(self.copies(&all, value)),
            Expr::Or(all) => Expr::Or(self.copies(&all, value)),
            Expr::Choice(all) => Expr::Choice(all.map(|e| self.copy(e, value))),
            Expr::Probe(probe, a) => Expr::Probe(probe, self.copy(a, value)),
            Expr::Poll(receive) => Expr::Poll(Box::new(self.receive(&receive, value))),
            Expr::Enabled(a) => Expr::Enabled(self.copy(a, value)),
            Expr::LocationOf(a) => Expr::LocationOf(self.copy(a, value)),
            Expr::PriorityOf(a) => Expr::PriorityOf(self.copy(a, value)),
            Expr::AtLocation(p, which, at) => Expr::AtLocation(p, self.instance(which, value), at),
            other => other,
        };
        self.expr(new)
    }

    fn copies(&mut self, all: &[ExprId], value: i32) -> Box<[ExprId]> {
        all.iter().map(|e| self.copy(*e, value)).collect()
    }

    fn instance(&mut self, which: Instance, value: i32) -> Instance {
        match which {
            Instance::Numbered(e) => Instance::Numbered(self.copy(e, value)),
            Instance::Any => Instance::Any,
        }
    }

    fn place(&mut self, place: &Place, value: i32) -> Place {
        Place {
            owner: match place.owner {
                Owner::Other(p, which) => Owner::Other(p, self.instance(which, value)),
                owner => owner,
            },
            field: place.field,
            indices: self.copies(&place.indices, value),
        }
    }

    fn receive(&mut self, receive: &Receive, value: i32) -> Receive {
        let fields = receive.fields.iter().map(|pattern| match pattern {
            Pattern::Store(place) => Pattern::Store(self.place(place, value)),
            Pattern::Drop => Pattern::Drop,
            Pattern::Match(e) => Pattern::Match(self.copy(*e, value)),
        });
        let fields = fields.collect();
        Receive {
            channel: self.copy(receive.channel, value),
            fields,
            random: receive.random,
            keep: receive.keep,
        }
    }
}
