//! What the text says, as vertices: steps, actions, expressions, tables.
//!
//! Operands have labels where their order matters. Chains of one operator that may be taken in any
//! order are one vertex with all operands (`a && (b && c)` has three), because two levels would
//! tell the operands apart. `&&` and `||` stop at the first operand that decides; that can be seen
//! only if a later operand could go wrong, and then their operands keep their order.

use super::{Bearer, Builder, Key, Tag, label};
use crate::processes::sort::walk::blocks;
use model::processes::expr::{
    Binary, Expr, ExprId, Instance, Owner, Pattern, Place, Receive, Send, operands,
};
use model::processes::layout::{FieldId, KindId};
use model::processes::program::{Action, Init, LocationId, Model, ProctypeId, StepId};
use std::collections::HashSet;

impl Builder<'_> {
    fn kind_of(&self, owner: Owner) -> KindId {
        match owner {
            Owner::Globals => KindId::new(0),
            Owner::Own => self.sorts.text.proctype(self.proctype).kind,
            Owner::Other(p, _) => self.sorts.text.proctype(p).kind,
        }
    }

    /// The texts of all process types that can be run.
    pub(super) fn texts(&mut self) {
        let sorts = self.sorts;
        for p in 0..sorts.text.proctypes.len() {
            if self.is_live(p) {
                self.proctype = ProctypeId::new(p);
                self.text(p);
            }
        }
        (self.line, self.site) = (0, None);
        // Lists of atoms that may be exchanged have vertices that look alike.
        let atoms = &sorts.text.atoms;
        let n_each = atoms.len() / sorts.text.n_atom_lists.max(1);
        for list in atoms.chunks(n_each.max(1)) {
            let whole = self.vertex(Tag::Atom, &[]);
            for (n, atom) in list.iter().enumerate() {
                let atom = self.expr(*atom);
                let vertex = self.vertex(Tag::Atom, &[n as i64]);
                self.link(vertex, atom, label::VALUE);
                self.link(whole, vertex, label::VALUE);
            }
        }
    }

    fn text(&mut self, p: usize) {
        let sorts = self.sorts;
        let proctype = &sorts.text.proctypes[p];
        let kind = self.kind(proctype.kind);
        (self.line, self.site) = (0, None);
        if let Some(provided) = proctype.provided {
            let provided = self.expr(provided);
            self.link(kind, provided, label::PROVIDED);
        }
        if sorts.made_later[p] {
            let start = self.location(proctype.start);
            self.link(kind, start, label::START);
            if let Some((_, priority)) = proctype.priority {
                let node = self.vertex(Tag::Const, &[i64::from(priority)]);
                self.link(kind, node, label::PRIORITY);
            }
            for (n, init) in proctype.prologue.iter().enumerate() {
                let node = self.init(init);
                self.link(kind, node, label::NTH + 1000 + n as u32);
            }
        }
        let ordered = self.ordered(p);
        for (l, location) in proctype.locations.iter().enumerate() {
            if !sorts.live[p][l] {
                continue;
            }
            let at = self.location(LocationId::new(l));
            // Which step comes first is also seen where only one of them may fit.
            let alone = location
                .steps
                .iter()
                .any(|step| sorts.text.step(*step).alone);
            // `else` asks for the steps before it only.
            let mut n_else = 0;
            for (n, step) in location.steps.iter().enumerate() {
                let vertex = self.step(*step);
                let way = match alone || ordered.contains(&l) {
                    true => label::NTH + n as u32,
                    false if n_else == 0 => label::PART,
                    false => label::NTH + 2000 + n_else,
                };
                n_else += u32::from(sorts.text.is_else(proctype, *step));
                self.link(at, vertex, way);
            }
        }
    }

    fn location(&mut self, at: LocationId) -> u32 {
        if let Some(vertex) = self.at.get(&Bearer::Location(self.proctype, at)) {
            return *vertex;
        }
        if let Some(vertex) = self.inner.get(&(self.proctype, at)) {
            return *vertex;
        }
        let vertex = self.vertex(Tag::Inner, &[]);
        self.inner.insert((self.proctype, at), vertex);
        vertex
    }

    /// The locations inside deterministic blocks: there the first step that can be taken is taken.
    fn ordered(&self, p: usize) -> HashSet<usize> {
        let text = &self.sorts.text;
        let proctype = &text.proctypes[p];
        let mut found = HashSet::new();
        for step in proctype.locations.iter().flat_map(|l| &l.steps) {
            blocks(&text.step(*step).action, &mut |from, to| {
                let mut waiting = vec![from];
                while let Some(at) = waiting.pop() {
                    if at != to && found.insert(at.index()) {
                        let steps = proctype.locations[at.index()].steps.iter();
                        waiting.extend(steps.map(|step| text.step(*step).target));
                    }
                }
            });
        }
        found
    }

    fn step(&mut self, id: StepId) -> u32 {
        let sorts = self.sorts;
        let step = sorts.text.step(id);
        self.line = sorts.text.sites[step.site.index()].line;
        self.site = Some(step.site);
        let control = i64::from(step.keeps_control) * (1 + step.join as i64);
        let key = [control, i64::from(step.rank), i64::from(step.alone)];
        let vertex = self.vertex(Tag::Step, &key);
        let target = self.location(step.target);
        self.link(vertex, target, label::TARGET);
        let action = match &step.action {
            Action::All(all) if sorts.unordered.contains(&id) => self.set(all),
            action => self.action(action),
        };
        self.link(vertex, action, label::VALUE);
        let kind = sorts.text.proctype(self.proctype).kind;
        for reset in &step.resets {
            let class = sorts.fields[kind.index()][reset.field.index()].value;
            let value = i64::from(reset.value);
            let member = self.at.get(&Bearer::Member(class, reset.value)).copied();
            let neutral = sorts.is_neutral(self.proctype, reset.field, step.target);
            let member = member.filter(|_| !neutral);
            let key = if member.is_some() {
                Vec::new()
            } else {
                vec![value]
            };
            let node = self.vertex(Tag::Reset, &key);
            let field = self.at[&Bearer::Field(kind, reset.field)];
            self.link(node, field, label::FIELD);
            member
                .into_iter()
                .for_each(|m| self.link(node, m, label::VALUE));
            self.link(vertex, node, label::PART);
        }
        vertex
    }

    /// Actions in any order.
    fn set(&mut self, all: &[Action]) -> u32 {
        let node = self.vertex(Tag::Action, &[16]);
        for action in all {
            let part = self.action(action);
            self.link(node, part, label::PART);
        }
        node
    }

    fn init(&mut self, init: &Init) -> u32 {
        match init {
            Init::Value(place, e) => {
                let node = self.vertex(Tag::Init, &[0]);
                self.place(node, place);
                let e = self.expr(*e);
                self.link(node, e, label::VALUE);
                node
            }
            Init::Channel(place, kind) => {
                let node = self.vertex(Tag::Init, &[1]);
                self.place(node, place);
                let kind = self.kind(*kind);
                self.link(node, kind, label::KIND);
                node
            }
        }
    }

    fn action(&mut self, action: &Action) -> u32 {
        let n = match action {
            Action::Skip | Action::Print(_) => 0,
            Action::Test(_) => 1,
            Action::Else => 2,
            Action::Assign(..) => 3,
            Action::Drop(_) => 4,
            Action::Send(send) => 5 + i64::from(send.sorted),
            Action::Receive(r) => 7 + 2 * i64::from(r.random) + i64::from(r.keep),
            Action::Assert(_) => 11,
            Action::SetPriority(_, _, cut) => 12 + 5 * i64::from(*cut),
            Action::Deterministic(..) => 13,
            Action::All(_) => 14,
            Action::End => 15,
        };
        let node = self.vertex(Tag::Action, &[n]);
        match action {
            Action::Test(e) | Action::Drop(e) | Action::Assert(e) => {
                self.child(node, *e, label::PART);
            }
            Action::Assign(place, e) => {
                self.place(node, place);
                self.child(node, *e, label::VALUE);
            }
            Action::Send(send) => self.send(node, send),
            Action::Receive(receive) => self.receive(node, receive),
            Action::SetPriority(p, e, _) => {
                self.child(node, *p, label::OWNER);
                self.child(node, *e, label::VALUE);
            }
            Action::Deterministic(from, to) => {
                let (from, to) = (self.location(*from), self.location(*to));
                self.link(node, from, label::START);
                self.link(node, to, label::TARGET);
            }
            Action::All(all) => {
                for (n, action) in all.iter().enumerate() {
                    let part = self.action(action);
                    self.link(node, part, label::NTH + n as u32);
                }
            }
            Action::Skip | Action::Else | Action::Print(_) | Action::End => {}
        }
        node
    }

    fn child(&mut self, node: u32, e: ExprId, way: u32) {
        let child = self.expr(e);
        self.link(node, child, way);
    }

    fn send(&mut self, node: u32, send: &Send) {
        self.child(node, send.channel, label::CHANNEL);
        for (n, e) in send.fields.iter().enumerate() {
            self.child(node, *e, label::NTH + n as u32);
        }
    }

    fn receive(&mut self, node: u32, receive: &Receive) {
        self.child(node, receive.channel, label::CHANNEL);
        for (n, pattern) in receive.fields.iter().enumerate() {
            let key = match pattern {
                Pattern::Store(_) => 0,
                Pattern::Drop => 1,
                Pattern::Match(_) => 2,
            };
            let part = self.vertex(Tag::Argument, &[key]);
            self.link(node, part, label::NTH + n as u32);
            match pattern {
                Pattern::Store(place) => self.place(part, place),
                Pattern::Drop => {}
                Pattern::Match(e) => self.child(part, *e, label::VALUE),
            }
        }
    }

    /// Arcs from a vertex to a place.
    fn place(&mut self, node: u32, place: &Place) {
        let kind = self.kind_of(place.owner);
        let field = self.at[&Bearer::Field(kind, place.field)];
        self.link(node, field, label::PLACE);
        let owner = match place.owner {
            Owner::Globals | Owner::Own => None,
            Owner::Other(p, which) => Some(self.instance(p, which)),
        };
        owner
            .into_iter()
            .for_each(|owner| self.link(node, owner, label::OWNER));
        for (d, e) in place.indices.iter().enumerate() {
            self.child(node, *e, label::NTH + 64 + d as u32);
        }
    }

    fn instance(&mut self, p: ProctypeId, which: Instance) -> u32 {
        match which {
            Instance::Numbered(e) => self.expr(e),
            Instance::Any => {
                let node = self.vertex(Tag::Node, &[30]);
                let kind = self.kind(self.sorts.text.proctype(p).kind);
                self.link(node, kind, label::KIND);
                node
            }
        }
    }

    fn expr(&mut self, e: ExprId) -> u32 {
        let sorts = self.sorts;
        if let Some(table) = sorts.exprs[e.index()].table {
            return self.table(table);
        }
        match sorts.text.expr(e) {
            Expr::Const(v) => self.literal(e, *v),
            Expr::Read(place) => {
                let node = self.vertex(Tag::Read, &[]);
                self.place(node, place);
                node
            }
            Expr::Unary(op, a) => {
                let node = self.vertex(Tag::Node, &[20 + *op as i64]);
                self.child(node, *a, label::PART);
                node
            }
            Expr::Binary(op, ..) => self.binary(e, *op),
            Expr::And(_) | Expr::Or(_) => self.junction(e),
            Expr::Choice(all) => {
                let node = self.vertex(Tag::Node, &[31]);
                for (n, e) in all.iter().enumerate() {
                    self.child(node, *e, label::NTH + n as u32);
                }
                node
            }
            Expr::Run(p, args, priority) => self.run(*p, args, *priority),
            Expr::Probe(probe, channel) => {
                let node = self.vertex(Tag::Node, &[40 + *probe as i64]);
                self.child(node, *channel, label::CHANNEL);
                node
            }
            Expr::Poll(receive) => {
                let key = [i64::from(receive.random), i64::from(receive.keep)];
                let node = self.vertex(Tag::Node, &[50, key[0], key[1]]);
                self.receive(node, receive);
                node
            }
            other => self.fact(other),
        }
    }

    /// Facts about processes, and about the whole state.
    fn fact(&mut self, e: &Expr) -> u32 {
        let key = match e {
            Expr::Pid => 60,
            Expr::NProcesses => 61,
            Expr::Timeout => 62,
            Expr::NonProgress => 63,
            Expr::Accepting => 68,
            Expr::Enabled(_) => 64,
            Expr::LocationOf(_) => 65,
            Expr::PriorityOf(_) => 66,
            _ => 67,
        };
        let node = self.vertex(Tag::Node, &[key]);
        match e {
            Expr::Enabled(p) | Expr::LocationOf(p) | Expr::PriorityOf(p) => {
                self.child(node, *p, label::OWNER);
            }
            Expr::AtLocation(p, which, at) => {
                let owner = self.instance(*p, *which);
                self.link(node, owner, label::OWNER);
                // Nobody of a type that is never run is anywhere.
                match self.at.get(&Bearer::Location(*p, *at)).copied() {
                    Some(at) => self.link(node, at, label::AT),
                    None => {
                        let never = self.vertex(Tag::Const, &[0]);
                        self.link(node, never, label::AT);
                    }
                }
            }
            _ => {}
        }
        node
    }

    /// A literal: a member of its sort, or a number.
    fn literal(&mut self, e: ExprId, value: i32) -> u32 {
        match self
            .at
            .get(&Bearer::Member(self.sorts.of(e), value))
            .copied()
        {
            Some(member) => {
                let node = self.vertex(Tag::Literal, &[]);
                self.link(node, member, label::VALUE);
                node
            }
            None => self.vertex(Tag::Const, &[i64::from(value)]),
        }
    }

    fn run(&mut self, p: ProctypeId, args: &[ExprId], priority: Option<i32>) -> u32 {
        let sorts = self.sorts;
        let proctype = sorts.text.proctype(p);
        let node = self.vertex(Tag::Node, &[32, priority.map_or(-1, i64::from)]);
        let kind = self.kind(proctype.kind);
        self.link(node, kind, label::KIND);
        for (place, e) in proctype.parameters.iter().zip(args) {
            let numbers = place.indices.iter().map(|i| match sorts.text.expr(*i) {
                Expr::Const(v) => i64::from(*v),
                _ => -1,
            });
            let key: Key = numbers.collect();
            let part = self.vertex(Tag::Argument, &key);
            self.link(node, part, label::PART);
            let field = self.at[&Bearer::Field(proctype.kind, place.field)];
            self.link(part, field, label::PLACE);
            self.child(part, *e, label::VALUE);
        }
        node
    }

    fn binary(&mut self, e: ExprId, op: Binary) -> u32 {
        let sorts = self.sorts;
        let node = self.vertex(Tag::Node, &[100 + op as i64]);
        let mut parts = Vec::new();
        if chains(op) {
            self.flatten(
                e,
                &|e| match sorts.text.expr(e) {
                    Expr::Binary(other, a, b) if *other == op => Some(vec![*a, *b]),
                    _ => None,
                },
                &mut parts,
            );
        } else if let Expr::Binary(_, a, b) = sorts.text.expr(e) {
            parts.extend([*a, *b]);
        }
        let exchange = chains(op) || matches!(op, Binary::Equal | Binary::NotEqual);
        let n_faults = parts.iter().filter(|e| self.can_fault(**e)).count();
        for (n, part) in parts.iter().enumerate() {
            let way = if exchange && n_faults < 2 {
                label::PART
            } else {
                label::NTH + n as u32
            };
            self.child(node, *part, way);
        }
        node
    }

    /// The operands of a chain of one operator.
    fn flatten(
        &self,
        e: ExprId,
        inner: &dyn Fn(ExprId) -> Option<Vec<ExprId>>,
        out: &mut Vec<ExprId>,
    ) {
        let plain = self.sorts.exprs[e.index()].table.is_none();
        match inner(e).filter(|_| plain) {
            Some(all) => all.into_iter().for_each(|e| self.flatten(e, inner, out)),
            None => out.push(e),
        }
    }

    fn junction(&mut self, e: ExprId) -> u32 {
        let sorts = self.sorts;
        let is_and = matches!(sorts.text.expr(e), Expr::And(_));
        let mut parts = Vec::new();
        self.flatten(
            e,
            &|e| match sorts.text.expr(e) {
                Expr::And(all) if is_and => Some(all.to_vec()),
                Expr::Or(all) if !is_and => Some(all.to_vec()),
                _ => None,
            },
            &mut parts,
        );
        let node = self.vertex(Tag::Node, &[33 + i64::from(is_and)]);
        let ordered = parts.iter().any(|e| self.can_fault(*e)) && !self.fault_alike(&parts);
        for (n, part) in parts.iter().enumerate() {
            let way = if ordered {
                label::NTH + n as u32
            } else {
                label::PART
            };
            self.child(node, *part, way);
        }
        node
    }

    fn table(&mut self, table: crate::processes::sort::TableId) -> u32 {
        let sorts = self.sorts;
        let table = &sorts.tables[table.index()];
        let result = sorts.of(table.expr);
        if table.leaves.is_empty()
            && let [(_, Ok(value))] = &table.rows[..]
            && !table.truth
        {
            return self.literal(table.expr, *value);
        }
        // A truth has one of two values in each row, so that the rows of one of them say all; those
        // of which there are fewer.
        let n_true = table.rows.iter().filter(|row| row.1 == Ok(1)).count();
        let common = i32::from(2 * n_true > table.rows.len());
        let left_out = table.truth.then_some(common);
        let node = self.vertex(Tag::Table, &[left_out.map_or(-1, i64::from)]);
        // Which operand comes first does not matter: a row says which value each of them has.
        let mut columns = Vec::new();
        for leaf in &table.leaves {
            let column = self.expr(*leaf);
            self.link(node, column, label::PART);
            columns.push((column, sorts.of(*leaf)));
        }
        let drawn = |row: &&(Vec<i32>, _)| left_out.is_none_or(|left_out| row.1 != Ok(left_out));
        for (inputs, value) in table.rows.iter().filter(drawn) {
            let member = match value {
                Ok(v) if !table.truth => self.at.get(&Bearer::Member(result, *v)).copied(),
                _ => None,
            };
            let key: Key = match (member, value) {
                (Some(_), _) => vec![0],
                (None, Ok(v)) => vec![1, i64::from(*v)],
                (None, Err(_)) => vec![2],
            };
            let row = self.vertex(Tag::Row, &key);
            self.link(row, node, label::PART);
            member
                .into_iter()
                .for_each(|m| self.link(row, m, label::RESULT));
            for (input, (column, class)) in inputs.iter().zip(&columns) {
                let member = self.at[&Bearer::Member(*class, *input)];
                if let [_] = columns[..] {
                    self.link(row, member, label::VALUE);
                    continue;
                }
                let entry = self.vertex(Tag::Row, &[3]);
                self.link(row, entry, label::PART);
                self.link(entry, *column, label::PLACE);
                self.link(entry, member, label::VALUE);
            }
        }
        node
    }

    /// Whether evaluating `e` can go wrong.
    pub(super) fn can_fault(&self, e: ExprId) -> bool {
        let text = &self.sorts.text;
        let mut faults = match text.expr(e) {
            Expr::Binary(Binary::Divide | Binary::Remainder, _, b) => {
                !matches!(text.expr(*b), Expr::Const(v) if *v != 0)
            }
            Expr::Read(place) => self.index_can_fault(place),
            Expr::Probe(_, channel) => self.channel_can_fault(*channel),
            Expr::Poll(receive) => {
                let stores = receive
                    .fields
                    .iter()
                    .any(|p| matches!(p, Pattern::Store(_)));
                stores || self.channel_can_fault(receive.channel)
            }
            Expr::Run(..) | Expr::Enabled(_) => true,
            _ => false,
        };
        operands(text.expr(e), &mut |e| faults |= self.can_fault(e));
        faults
    }

    /// Whether all of these go wrong if one does: each reads the same elements that may not be
    /// there, whatever comes out. So it does not matter which is looked at first.
    fn fault_alike(&self, all: &[ExprId]) -> bool {
        let text = &self.sorts.text;
        let reads = all.iter().map(|e| {
            let mut reads = Vec::new();
            self.risky_reads(*e, &mut reads).then_some(reads)
        });
        let Some(reads) = reads.collect::<Option<Vec<_>>>() else {
            return false;
        };
        let within = |some: &[ExprId], others: &[ExprId]| {
            let known = |e: &ExprId| others.iter().any(|other| is_same(text, *e, *other));
            some.iter().all(known)
        };
        let first = &reads[0];
        reads.iter().all(|r| within(r, first) && within(first, r))
    }

    /// Adds the reads that can go wrong, all of which are made; `false` if something else can, or
    /// if some need not be made.
    fn risky_reads(&self, e: ExprId, out: &mut Vec<ExprId>) -> bool {
        let expr = self.sorts.text.expr(e);
        let plain = match expr {
            Expr::Read(place) => {
                if self.index_can_fault(place) {
                    out.push(e);
                }
                !matches!(place.owner, Owner::Other(..))
            }
            Expr::Const(_) | Expr::Pid | Expr::Unary(..) => true,
            Expr::Binary(op, ..) => !matches!(op, Binary::Divide | Binary::Remainder),
            _ => false,
        };
        let mut all = plain;
        operands(expr, &mut |e| all &= self.risky_reads(e, out));
        all
    }

    fn index_can_fault(&self, place: &Place) -> bool {
        let kind = self.kind_of(place.owner);
        let field = &self.sorts.text.layout.kind(kind).fields[place.field.index()];
        let mut pairs = place.indices.iter().zip(&field.dimensions);
        pairs.any(|(e, d)| {
            let inside = |v: &i32| u32::try_from(*v).is_ok_and(|v| v < d.count);
            !self.values(*e).is_some_and(|all| all.iter().all(inside))
        })
    }

    fn channel_can_fault(&self, e: ExprId) -> bool {
        let n = self.population.channels.len() as i32;
        !self
            .values(e)
            .is_some_and(|all| all.iter().all(|v| (1..=n).contains(v)))
    }

    /// The values that an expression can have, if they are known.
    fn values(&self, e: ExprId) -> Option<Vec<i32>> {
        let sorts = self.sorts;
        match sorts.text.expr(e) {
            Expr::Const(v) => return Some(vec![*v]),
            Expr::Read(place) => {
                let kind = self.kind_of(place.owner);
                let remote = matches!(place.owner, Owner::Other(..));
                if !sorts.uses[kind.index()][place.field.index()].written && !remote {
                    return Some(self.held(kind, place.field));
                }
            }
            _ => {}
        }
        let class = sorts.class(sorts.of(e));
        class.members.clone().filter(|_| !class.open)
    }

    /// What a variable that is never changed holds, in all records of its kind.
    fn held(&self, kind: KindId, field: FieldId) -> Vec<i32> {
        let states = self.population.states.iter();
        states
            .flat_map(|state| self.sorts.held(kind, field.index(), state))
            .collect()
    }
}

/// Whether a chain of an operator may be taken in any order.
fn chains(op: Binary) -> bool {
    use Binary::{Add, BitAnd, BitOr, BitXor, Multiply};
    matches!(op, Add | Multiply | BitAnd | BitOr | BitXor)
}

/// Whether two expressions that read, count and compare are the same text.
fn is_same(text: &Model, a: ExprId, b: ExprId) -> bool {
    let both = |a: &[ExprId], b: &[ExprId]| {
        let mut pairs = a.iter().zip(b);
        a.len() == b.len() && pairs.all(|(a, b)| is_same(text, *a, *b))
    };
    match (text.expr(a), text.expr(b)) {
        (Expr::Const(v), Expr::Const(w)) => v == w,
        (Expr::Pid, Expr::Pid) => true,
        (Expr::Unary(op, x), Expr::Unary(other, y)) => op == other && both(&[*x], &[*y]),
        (Expr::Binary(op, x, x2), Expr::Binary(other, y, y2)) => {
            op == other && both(&[*x, *x2], &[*y, *y2])
        }
        (Expr::Read(p), Expr::Read(q)) => {
            (p.owner, p.field) == (q.owner, q.field) && both(&p.indices, &q.indices)
        }
        _ => false,
    }
}
