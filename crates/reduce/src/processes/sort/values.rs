//! Which numbers can be in a class, and which expressions are tables.
//!
//! Numbers come into a class from literals, from `_pid`, from what variables hold when the making
//! is over, and from tables. A class into which too many come is plain. A complex expression with
//! an operand of a plain class cannot be tabulated, and makes the classes of its other operands
//! plain. The two are taken in turns until nothing changes; classes only ever become plain, so
//! that ends.

use super::unify::Var;
use super::uses;
use super::walk::{Complex, Walked};
use super::{Class, ClassId, ExprSort, FieldClasses, MessageClasses, Plain, Sorts, Table, TableId};
use model::processes::expr::{Expr, ExprId, Unary};
use model::processes::layout::{KindId, MESSAGES_AT, Role};
use model::processes::machine;
use model::processes::population::{Population, Record, location_of};
use model::processes::program::{Model, ProctypeId};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use system::SiteId;
use system::fault::FaultKind;

/// The most members of a sort.
const N_MEMBERS_MAX: usize = 300;
/// The most rows of a table.
const N_ROWS_MAX: usize = 1 << 14;
/// The most rows of a table that only makes more symmetry visible.
const N_SOFT_ROWS_MAX: usize = 1 << 10;

type Values = BTreeMap<Var, Members>;

/// The numbers of a class.
#[derive(Default)]
struct Members {
    sorted: BTreeSet<i32>,
    /// In the order in which they came: a table that was made before goes on where it was.
    in_order: Vec<i32>,
}

impl Members {
    /// Adds a number; whether it is new.
    fn insert(&mut self, value: i32) -> bool {
        let is_new = self.sorted.insert(value);
        if is_new {
            self.in_order.push(value);
        }
        is_new
    }

    fn sorted(&self) -> Vec<i32> {
        self.sorted.iter().copied().collect()
    }
}

/// Finds members and tables.
pub(super) fn solve(text: &Model, population: &Population, walked: Walked) -> Sorts {
    let mut solver = Solver {
        text,
        walked,
        values: Values::new(),
        from: None,
    };
    loop {
        solver.collect(population);
        let changed = solver.narrow() | solver.judge();
        if !changed {
            break;
        }
    }
    let (walked, values) = (solver.walked, solver.values);
    Finish {
        walked,
        values,
        ids: BTreeMap::new(),
        classes: Vec::new(),
    }
    .sorts(text.clone())
}

struct Solver<'a> {
    text: &'a Model,
    walked: Walked,
    /// The numbers of each class that is not plain, by root.
    values: Values,
    /// Where the numbers come from that are being added, if from a statement.
    from: Option<SiteId>,
}

impl Solver<'_> {
    fn is_plain(&mut self, var: Var) -> bool {
        self.walked.classes.facts(var).plain.is_some()
    }

    fn make_plain(&mut self, var: Var, reason: Plain) {
        if !self.is_plain(var) {
            self.walked.reasons.push(reason);
            let n = self.walked.reasons.len() as u32 - 1;
            self.walked.classes.facts(var).plain = Some(n);
        }
    }

    /// Adds a number; whether it is new.
    fn add(&mut self, var: Var, value: i32) -> bool {
        if self.is_plain(var) {
            return false;
        }
        let root = self.walked.classes.find(var);
        let values = self.values.entry(root).or_default();
        let new = values.insert(value);
        if values.in_order.len() > N_MEMBERS_MAX {
            let place = self.from.map(|site| &self.text.sites[site.index()]);
            let place = place.map(|site| (site.span, site.line));
            self.make_plain(
                var,
                Plain {
                    reason: match place {
                        Some(_) => "arithmetic gives more and more values".to_owned(),
                        None => format!("there are more than {N_MEMBERS_MAX} values"),
                    },
                    place,
                    site: self.from,
                },
            );
        }
        new
    }

    /// All numbers of all classes.
    fn collect(&mut self, population: &Population) {
        self.values.clear();
        for (var, value) in self.walked.sources.clone() {
            self.add(var, value);
        }
        for record in &population.processes {
            let kinds = self
                .text
                .proctypes
                .iter()
                .position(|p| p.kind == record.kind);
            if let Some(p) = kinds {
                self.add(self.walked.pids[p], record.number);
            }
        }
        for state in population.states.iter().chain(&population.before) {
            let globals = std::iter::once((KindId::new(0), 0));
            for (kind, at) in globals.chain(self.text.layout.records(state)) {
                self.record(state, kind, at);
            }
        }
        let mut done: Vec<Option<Vec<usize>>> = vec![None; self.walked.complexes.len()];
        loop {
            let mut new = false;
            for (n, done) in done.iter_mut().enumerate() {
                let complex = &self.walked.complexes[n];
                let result = self.walked.exprs[complex.expr.index()];
                let (truth, site) = (complex.truth, complex.site);
                // A truth brings nothing new into a class, nor does anything into a plain one.
                if truth || self.is_plain(result) {
                    continue;
                }
                self.from = site;
                let Some(columns) = columns(&mut self.walked, &self.values, n) else {
                    continue;
                };
                let complex = &self.walked.complexes[n];
                let mut results = Vec::new();
                each_new_row(&columns, done.as_deref(), &mut |inputs| {
                    results.extend(eval(self.text, complex, complex.expr, inputs));
                });
                *done = Some(columns.iter().map(Vec::len).collect());
                for value in results {
                    new |= self.add(result, value);
                }
            }
            self.from = None;
            if !new {
                return;
            }
        }
    }

    fn record(&mut self, state: &[u8], kind: KindId, at: usize) {
        let record = self.text.layout.kind(kind);
        let here = self.here(state, kind, at);
        for (n, field) in record.fields.iter().enumerate() {
            let var = self.walked.fields[kind.index()][n].0;
            if here.is_some_and(|(p, at)| self.walked.neutral[p][n][at]) {
                continue;
            }
            for i in 0..field.n_elements() {
                if self.is_plain(var) {
                    break;
                }
                let offset = at + field.element_at(i) as usize;
                self.add(var, field.slot.scalar.load(state, offset));
            }
        }
        let Role::Channel(buffer) = &record.role else {
            return;
        };
        for message in 0..usize::from(state[at + 1]) {
            let first = at + MESSAGES_AT as usize + message * buffer.message_size as usize;
            let value = |n: usize| {
                let (offset, slot) = &buffer.fields[n];
                slot.scalar.load(state, first + *offset as usize)
            };
            let variant = self.walked.tags.held(kind, value);
            for n in 0..buffer.fields.len() {
                self.add(self.walked.messages[kind.index()][variant][n], value(n));
            }
        }
    }

    /// The type and the location of a process.
    fn here(&self, state: &[u8], kind: KindId, at: usize) -> Option<(usize, usize)> {
        let p = self.text.proctypes.iter().position(|p| p.kind == kind)?;
        let number = 0;
        let record = Record { kind, at, number };
        Some((
            p,
            location_of(self.text, ProctypeId::new(p), state, &record).index(),
        ))
    }

    /// Classes with members that some variable cannot hold are plain.
    fn narrow(&mut self) -> bool {
        let mut slots = Vec::new();
        for (k, kind) in self.text.layout.kinds.iter().enumerate() {
            for (n, field) in kind.fields.iter().enumerate() {
                let held = self.walked.reach.fields[k][n].clone();
                slots.push((self.walked.fields[k][n].0, field.slot.scalar, held));
            }
            if let Role::Channel(buffer) = &kind.role {
                for fields in &self.walked.messages[k] {
                    for (n, (var, (_, slot))) in fields.iter().zip(&buffer.fields).enumerate() {
                        let held = self.walked.reach.messages[k][n].clone();
                        slots.push((*var, slot.scalar, held));
                    }
                }
            }
        }
        let mut changed = false;
        for (var, scalar, held) in slots {
            let root = self.walked.classes.find(var);
            let fits = |v: &i32| scalar.narrow(*v) == *v;
            let members = self.values.get(&root).map(|all| &all.sorted);
            let odd = members.into_iter().flatten().copied();
            let odd: Vec<i32> = odd.filter(|v| !fits(v)).collect();
            // What never comes here need not fit, if it stays what it is.
            let member = |v: &i32| members.is_some_and(|all| all.contains(v)) && fits(v);
            let closed = !self.walked.classes.facts(var).open;
            if closed && held.is_some_and(|held| held.iter().all(member)) {
                self.walked.classes.facts(var).pinned.extend(odd.iter());
                continue;
            }
            // Numbers of later processes and channels are bytes.
            let later = self.walked.classes.facts(var).open.then_some(0..=255);
            if let Some(v) = odd.first().copied().or_else(|| later?.find(|v| !fits(v)))
                && !self.is_plain(var)
            {
                self.make_plain(
                    var,
                    Plain {
                        reason: format!("a variable it is stored in cannot hold {v}"),
                        place: None,
                        site: None,
                    },
                );
                changed = true;
            }
        }
        changed
    }

    /// Complex expressions that cannot be tabulated make their classes plain.
    fn judge(&mut self) -> bool {
        let mut changed = false;
        for n in 0..self.walked.complexes.len() {
            if self.walked.complexes[n].soft || columns(&mut self.walked, &self.values, n).is_some()
            {
                continue;
            }
            let complex = &self.walked.complexes[n];
            let at = complex.site;
            let place = at.map(|site| {
                let site = &self.text.sites[site.index()];
                (site.span, site.line)
            });
            let mut vars: Vec<Var> = complex.leaves.iter().map(|e| self.var(*e)).collect();
            if !complex.truth {
                vars.push(self.var(complex.expr));
            }
            for var in vars {
                if !self.is_plain(var) {
                    changed = true;
                    self.make_plain(
                        var,
                        Plain {
                            reason: "arithmetic or order".to_owned(),
                            place,
                            site: at,
                        },
                    );
                }
            }
        }
        changed
    }

    fn var(&self, e: ExprId) -> Var {
        self.walked.exprs[e.index()]
    }
}

type Row = (Vec<i32>, Result<i32, FaultKind>);

/// The values of the operands of complex expression `n`, in the order in which they came; `None` if
/// an operand is of a class that is plain or open, or they go together in too many ways.
fn columns(walked: &mut Walked, values: &Values, n: usize) -> Option<Vec<Vec<i32>>> {
    if walked.complexes[n].opaque {
        return None;
    }
    let mut columns: Vec<Vec<i32>> = Vec::new();
    for i in 0..walked.complexes[n].leaves.len() {
        let var = walked.exprs[walked.complexes[n].leaves[i].index()];
        let facts = walked.classes.facts(var);
        if facts.plain.is_some() || facts.open {
            return None;
        }
        let root = walked.classes.find(var);
        let members = values.get(&root).map_or(&[][..], |all| &all.in_order);
        // Rows are for what can reach the operand, and not for all members of its class.
        let complex = &walked.complexes[n];
        let twins = complex.columns.iter().filter(|(_, column)| *column == i);
        let twins: Vec<ExprId> = twins.map(|(e, _)| *e).collect();
        let reached = |v: &&i32| {
            let mut reads = twins.iter().map(|e| &walked.reach.reads[e.index()]);
            reads.any(|set| set.as_ref().is_none_or(|all| all.contains(*v)))
        };
        columns.push(members.iter().filter(reached).copied().collect());
    }
    let n_rows = columns
        .iter()
        .try_fold(1_usize, |n, c| n.checked_mul(c.len()))?;
    let soft = walked.complexes[n].soft;
    if n_rows > if soft { N_SOFT_ROWS_MAX } else { N_ROWS_MAX } {
        return None;
    }
    Some(columns)
}

/// Calls `on_row` with each combination of one value a column, but for those of values that were
/// there before: so many of each column.
fn each_new_row(columns: &[Vec<i32>], before: Option<&[usize]>, on_row: &mut dyn FnMut(&[i32])) {
    let mut inputs = vec![0; columns.len()];
    let Some(before) = before else {
        return combine(
            &columns.iter().map(Vec::as_slice).collect::<Vec<_>>(),
            0,
            &mut inputs,
            on_row,
        );
    };
    // The first column with a new value: those to its left have old values, those to its right any.
    for first in 0..columns.len() {
        let parts = columns.iter().zip(before).enumerate();
        let parts = parts.map(|(c, (column, n))| match c.cmp(&first) {
            Ordering::Less => &column[..*n],
            Ordering::Equal => &column[*n..],
            Ordering::Greater => &column[..],
        });
        combine(&parts.collect::<Vec<_>>(), 0, &mut inputs, on_row);
    }
}

/// Calls `on_row` with all combinations of the columns from `at` on, after the inputs so far.
fn combine(columns: &[&[i32]], at: usize, inputs: &mut [i32], on_row: &mut dyn FnMut(&[i32])) {
    let Some(column) = columns.get(at) else {
        return on_row(inputs);
    };
    for value in *column {
        inputs[at] = *value;
        combine(columns, at + 1, inputs, on_row);
    }
}

/// The rows of complex expression `n`, ascending, if it can have some.
fn rows(text: &Model, walked: &mut Walked, values: &Values, n: usize) -> Option<Vec<Row>> {
    let mut columns = columns(walked, values, n)?;
    columns.iter_mut().for_each(|column| column.sort_unstable());
    let complex = &walked.complexes[n];
    let mut rows = Vec::with_capacity(columns.iter().map(Vec::len).product());
    each_new_row(&columns, None, &mut |inputs| {
        let value = eval(text, complex, complex.expr, inputs);
        let value = if complex.truth {
            value.map(|v| i32::from(v != 0))
        } else {
            value
        };
        rows.push((inputs.to_vec(), value));
    });
    Some(rows)
}

fn eval(text: &Model, complex: &Complex, e: ExprId, inputs: &[i32]) -> Result<i32, FaultKind> {
    let sub = |e: ExprId| eval(text, complex, e, inputs);
    match text.expr(e) {
        Expr::Const(v) => Ok(*v),
        Expr::Unary(Unary::Minus, a) => Ok(sub(*a)?.wrapping_neg()),
        Expr::Unary(Unary::Complement, a) => Ok(!sub(*a)?),
        Expr::Unary(Unary::Not, a) => Ok(i32::from(sub(*a)? == 0)),
        Expr::And(all) => {
            for a in all {
                if sub(*a)? == 0 {
                    return Ok(0);
                }
            }
            Ok(1)
        }
        Expr::Or(all) => {
            for a in all {
                if sub(*a)? != 0 {
                    return Ok(1);
                }
            }
            Ok(0)
        }
        Expr::Binary(op, a, b) => machine::binary(*op, sub(*a)?, sub(*b)?),
        Expr::Choice([test, a, b]) => sub(if sub(*test)? != 0 { *a } else { *b }),
        _ => {
            let column = complex.columns.iter().find(|(leaf, _)| *leaf == e);
            let (_, column) = column.expect("every other operand was gathered");
            Ok(inputs[*column])
        }
    }
}

/// Turns variables into classes.
struct Finish {
    walked: Walked,
    values: Values,
    ids: BTreeMap<Var, ClassId>,
    classes: Vec<Class>,
}

impl Finish {
    fn sorts(mut self, text: Model) -> Sorts {
        let fields = std::mem::take(&mut self.walked.fields);
        let fields = fields
            .into_iter()
            .map(|kind| {
                let classes = |(value, indices): (Var, Vec<Var>)| FieldClasses {
                    value: self.class(value),
                    indices: indices.into_iter().map(|v| self.class(v)).collect(),
                };
                kind.into_iter().map(classes).collect()
            })
            .collect();
        let messages = std::mem::take(&mut self.walked.messages);
        let messages = messages
            .into_iter()
            .enumerate()
            .map(|(k, variants)| MessageClasses {
                tag: self.walked.tags.of_kind(KindId::new(k)).cloned(),
                variants: self.variants(variants),
            })
            .collect();
        let pids = std::mem::take(&mut self.walked.pids);
        let pids = pids.into_iter().map(|v| self.class(v)).collect();
        let mut exprs: Vec<ExprSort> = (0..text.exprs.len())
            .map(|e| ExprSort {
                class: self.class(self.walked.exprs[e]),
                table: None,
            })
            .collect();
        let tables = self.tables(&text, &mut exprs);
        Sorts {
            classes: self.classes,
            fields,
            messages,
            pids,
            exprs,
            tables,
            uses: uses::uses(&text, &self.walked.live, &self.walked.made_later),
            live: self.walked.live,
            n_locations: self.walked.n_locations,
            exclusive: self.walked.exclusive,
            neutral: self.walked.neutral,
            unordered: self.walked.unordered,
            waits: self.walked.waits,
            branches: self.walked.branches,
            kept_loops: self.walked.kept_loops,
            reach: self.walked.reach,
            made_later: self.walked.made_later,
            instances: None,
            text,
        }
    }

    fn variants(&mut self, variants: Vec<Vec<Var>>) -> Vec<Vec<ClassId>> {
        let mut classes = |fields: Vec<Var>| fields.into_iter().map(|v| self.class(v)).collect();
        variants.into_iter().map(&mut classes).collect()
    }

    fn class(&mut self, var: Var) -> ClassId {
        let root = self.walked.classes.find(var);
        if let Some(id) = self.ids.get(&root) {
            return *id;
        }
        let id = ClassId::new(self.classes.len());
        self.ids.insert(root, id);
        let facts = self.walked.classes.facts(var).clone();
        let members = self
            .values
            .get(&root)
            .map_or_else(Vec::new, Members::sorted);
        let mut pinned = facts.pinned;
        pinned.sort_unstable();
        pinned.dedup();
        self.classes.push(Class {
            members: facts.plain.is_none().then_some(members),
            plain: facts.plain.map(|n| self.walked.reasons[n as usize].clone()),
            names_processes: facts.names_processes,
            names_channels: facts.names_channels,
            open: facts.open,
            pinned,
        });
        id
    }

    /// The tables of those complex expressions that have operands of sorts, or a constant value.
    fn tables(&mut self, text: &Model, exprs: &mut [ExprSort]) -> Vec<Table> {
        let mut tables = Vec::new();
        for n in 0..self.walked.complexes.len() {
            let Some(rows) = rows(text, &mut self.walked, &self.values, n) else {
                continue;
            };
            let complex = &self.walked.complexes[n];
            exprs[complex.expr.index()].table = Some(TableId::new(tables.len()));
            tables.push(Table {
                expr: complex.expr,
                leaves: complex.leaves.clone(),
                rows,
                truth: complex.truth,
            });
        }
        tables
    }
}
