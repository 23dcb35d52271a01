//! Statements become nodes of a [`Flow`], in the order in which SPIN's parser makes them.
//!
//! A statement is made in two moves: first what is inside of it ([`Builder::part`]), then its own
//! node ([`Builder::add`]). Between them SPIN may wrap it: the two sides of an `unless` become
//! chains of their own, unless they are blocks, whose chains are taken over.
//!
//! What `for` and `select` stand for (`i` a variable, `a` and `b` the bounds, `c` a channel):
//!
//! ```text
//! for (i : a .. b) { … }   i = a; do :: i <= b -> …; i = i + 1 :: else -> break od
//! for (r in c) { … }       n = 0; do :: n < len(c) -> c?r; c!r; …; n = n + 1 :: else -> break od
//! select (i : a .. b)      i = a; do :: break :: i < b -> i = i + 1 od   (or one option a value)
//! ```
//!
//! The first assignment stands before the loop in the chain around it, so a label before the `for`
//! is on the loop and an `unless` after it does not reach the assignment. That is SPIN's reading.

use super::Lower;
use super::flow::{ChainId, Flow, Mark, Marks, NodeId, NodeKind};
use super::places::{self, slot};
use crate::ast::SelectForm;
use crate::place::Place;
use crate::typed::{
    Access, Expr as TypedExpr, ExprKind, Initial, LabelId, Process, Sequence, Stmt, StmtKind,
    Target, Type, VariableId,
};
use std::collections::{HashMap, HashSet};
use system::expr::{Binary, Expr, ExprId, Owner, Pattern, Place as LowPlace, Probe, Receive, Send};
use system::layout::{FieldId, KindId};
use system::model::{Action, SiteId};

/// The flow of a process, and what was found on the way.
pub(super) struct Built {
    pub flow: Flow,
    /// The variables that get their value in a step, and not when the process starts.
    pub late: HashSet<VariableId>,
}

/// The flow of `process`, whose records are of `kind`.
pub(super) fn build(lower: &mut Lower, process: &Process, kind: KindId) -> Built {
    let mut builder = Builder {
        lower,
        process,
        kind,
        flow: Flow::new(),
        late: HashSet::new(),
        loops: Vec::new(),
        scope: 0,
        n_scopes: 0,
        counters: HashMap::new(),
    };
    let body = builder.flow.body;
    builder.sequence(&process.body, body);
    let end = builder.end_site(process);
    let node = builder.flow.new_node(NodeKind::End, end);
    builder.flow.append(body, node);
    builder.flow.close(body, end);
    Built {
        flow: builder.flow,
        late: builder.late,
    }
}

/// What the name of a label says.
pub(super) fn marks_of(name: &str) -> Marks {
    Marks {
        end: name.starts_with("end"),
        progress: name.starts_with("progress"),
        accept: name.starts_with("accept"),
    }
}

struct Builder<'l, 'a> {
    lower: &'l mut Lower<'a>,
    process: &'l Process,
    kind: KindId,
    flow: Flow,
    late: HashSet<VariableId>,
    /// The loops around, for `break`.
    loops: Vec<u32>,
    /// The block that we are in; hidden counters are one a block.
    scope: u32,
    n_scopes: u32,
    counters: HashMap<u32, FieldId>,
}

/// A statement whose inside is done.
enum Part {
    Node(NodeKind, SiteId),
    Choice(Vec<ChainId>, SiteId),
    Loop(Vec<ChainId>, u32, SiteId),
    Unless(ChainId, ChainId, SiteId),
}

impl Builder<'_, '_> {
    fn sequence(&mut self, sequence: &Sequence, chain: ChainId) {
        for statement in &sequence.statements {
            self.statement(statement, chain);
        }
    }

    /// A sequence in braces, as a chain of its own.
    fn block(&mut self, sequence: &Sequence) -> ChainId {
        let chain = self.flow.new_chain();
        self.braces(sequence, chain);
        self.close(chain, sequence.place);
        chain
    }

    fn braces(&mut self, sequence: &Sequence, chain: ChainId) {
        self.n_scopes += 1;
        let outer = std::mem::replace(&mut self.scope, self.n_scopes);
        self.sequence(sequence, chain);
        self.scope = outer;
    }

    fn close(&mut self, chain: ChainId, place: Place) {
        let site = self.lower.sites.unwritten(place, "skip");
        self.flow.close(chain, site);
    }

    fn statement(&mut self, statement: &Stmt, chain: ChainId) {
        if let Some(part) = self.part(statement, chain) {
            self.add(part, &statement.labels, chain);
        }
    }

    /// Makes what is inside a statement; `chain` is the one it will be added to.
    fn part(&mut self, statement: &Stmt, chain: ChainId) -> Option<Part> {
        let place = statement.place;
        Some(match &statement.kind {
            StmtKind::Exclusive(..) => return None,
            StmtKind::Unless(main, escape) => {
                return self.unless(main, escape, &statement.labels, chain);
            }
            StmtKind::Atomic(inner) => {
                let inner = self.block(inner);
                self.flow.make_atomic(inner, false);
                self.container(NodeKind::Atomic(inner), place)
            }
            StmtKind::DStep(inner) => {
                let inner = self.block(inner);
                self.flow.make_atomic(inner, true);
                let site = self.lower.sites.written(place);
                Part::Node(NodeKind::DStep(inner), site)
            }
            StmtKind::Block(inner) => {
                let inner = self.block(inner);
                self.container(NodeKind::Block(inner), place)
            }
            StmtKind::If(options) => {
                let options = self.options(options);
                Part::Choice(options, self.lower.sites.unwritten(place, "fi"))
            }
            StmtKind::Do(options) => {
                let id = self.flow.new_loop();
                self.loops.push(id);
                let options = self.options(options);
                self.loops.pop();
                Part::Loop(options, id, self.lower.sites.unwritten(place, "od"))
            }
            StmtKind::For(..) | StmtKind::ForArray(..) | StmtKind::ForChannel(..) => {
                self.for_loop(&statement.kind, place, chain)
            }
            StmtKind::Select(form, variable, low, high) => match form {
                SelectForm::Options => self.select_options(variable, low, high, place),
                SelectForm::Counting | SelectForm::Leaving => {
                    let mut part = self.select_counting(variable, low, high, chain);
                    if let (SelectForm::Counting, Part::Loop(options, ..)) = (form, &mut part) {
                        options.reverse();
                    }
                    part
                }
            },
            _ => self.simple(statement),
        })
    }

    fn container(&mut self, kind: NodeKind, place: Place) -> Part {
        Part::Node(kind, self.lower.sites.unwritten(place, "}"))
    }

    /// A statement without others inside.
    fn simple(&mut self, statement: &Stmt) -> Part {
        let place = statement.place;
        let kind = match &statement.kind {
            StmtKind::Initialise(variable) => return self.initialise(*variable, place),
            StmtKind::Assign(target, value) => NodeKind::Act(self.assign(target, value)),
            StmtKind::SetPriority(process, priority) => {
                let (process, priority) = (self.lower.expr(process), self.lower.expr(priority));
                NodeKind::Act(Action::SetPriority(process, priority))
            }
            StmtKind::Print(format, arguments) => {
                NodeKind::Act(Action::Print(self.lower.print(format, arguments)))
            }
            StmtKind::PrintName(value) => {
                NodeKind::Act(Action::Print(self.lower.print_name(value)))
            }
            StmtKind::Assert(value) => NodeKind::Act(Action::Assert(self.lower.expr(value))),
            StmtKind::Send(send) => NodeKind::Act(Action::Send(self.lower.send(send))),
            StmtKind::Receive(receive) => {
                NodeKind::Act(Action::Receive(self.lower.receive(receive)))
            }
            StmtKind::Condition(value) => match value.kind {
                ExprKind::Number(1) => NodeKind::True,
                ExprKind::Number(0) => NodeKind::False,
                _ => NodeKind::Act(Action::Test(self.lower.expr(value))),
            },
            StmtKind::Else => NodeKind::Else,
            StmtKind::Break => NodeKind::Jump(Mark::Exit(self.loops.last().copied().unwrap_or(0))),
            StmtKind::Goto(_, Some(label)) => NodeKind::Jump(Mark::Label(*label)),
            // Only the kinds that `part` handles, and jumps that were refused, are left.
            _ => NodeKind::True,
        };
        Part::Node(kind, self.lower.sites.written(place))
    }

    /// Makes the node of a statement and adds it, with its labels.
    fn add(&mut self, part: Part, labels: &[LabelId], chain: ChainId) {
        let node = match part {
            Part::Node(kind, site) => {
                let node = self.flow.new_node(kind, site);
                self.label(labels, node);
                self.flow.append(chain, node);
                return;
            }
            Part::Choice(options, site) => self.flow.add_choice(chain, options, site),
            Part::Loop(options, id, site) => self.flow.add_loop(chain, options, id, site),
            Part::Unless(main, escape, site) => self.flow.add_unless(chain, main, escape, site),
        };
        self.label(labels, node);
    }

    /// The label next to the statement is set first.
    fn label(&mut self, labels: &[LabelId], node: NodeId) {
        for id in labels.iter().rev() {
            let marks = marks_of(&self.process.labels[id.index()].name.text);
            self.flow.set_label(Mark::Label(*id), marks, node);
        }
    }

    fn options(&mut self, options: &[Sequence]) -> Vec<ChainId> {
        let mut chains = Vec::new();
        for option in options {
            let chain = self.flow.new_chain();
            self.sequence(option, chain);
            self.close(chain, option.place);
            chains.push(chain);
        }
        for chain in &chains {
            self.flow.prune(*chain);
        }
        chains
    }

    /// The chains of an `unless`. A labelled block takes the whole `unless` into itself, so that
    /// the label is on it.
    fn unless(
        &mut self,
        main: &Stmt,
        escape: &Stmt,
        labels: &[LabelId],
        chain: ChainId,
    ) -> Option<Part> {
        let main_part = self.part(main, chain);
        let escape_part = self.part(escape, chain);
        let site = self.lower.sites.unwritten(escape.place, "}");
        let (main_part, escape_part) = (main_part?, escape_part?);
        let escape_chain = match escape_part {
            Part::Node(NodeKind::Block(inner), _) => inner,
            other => self.wrap(other, &escape.labels, escape.place),
        };
        let lifted = match &main_part {
            Part::Node(NodeKind::Block(inner), site) if !labels.is_empty() => {
                Some((*inner, NodeKind::Block as fn(ChainId) -> NodeKind, *site))
            }
            Part::Node(NodeKind::Atomic(inner), site) if !labels.is_empty() => {
                Some((*inner, NodeKind::Atomic as fn(ChainId) -> NodeKind, *site))
            }
            Part::Node(NodeKind::DStep(inner), site) if !labels.is_empty() => {
                Some((*inner, NodeKind::DStep as fn(ChainId) -> NodeKind, *site))
            }
            _ => None,
        };
        if let Some((inner, kind, outer_site)) = lifted {
            let wrapped = self.wrap(Part::Unless(inner, escape_chain, site), &[], main.place);
            return Some(Part::Node(kind(wrapped), outer_site));
        }
        let main_chain = match main_part {
            Part::Node(NodeKind::Block(inner), _) => inner,
            other => self.wrap(other, &main.labels, main.place),
        };
        Some(Part::Unless(main_chain, escape_chain, site))
    }

    fn wrap(&mut self, part: Part, labels: &[LabelId], place: Place) -> ChainId {
        let chain = self.flow.new_chain();
        self.add(part, labels, chain);
        self.close(chain, place);
        chain
    }

    fn assign(&mut self, target: &Target, value: &TypedExpr) -> Action {
        match target {
            Target::Access(access) => {
                let place = self.lower.place(access);
                Action::Assign(place, self.lower.expr(value))
            }
            Target::Nothing => Action::Drop(self.lower.expr(value)),
            Target::Priority => {
                let own = self.lower.enter(Expr::Pid);
                Action::SetPriority(own, self.lower.expr(value))
            }
        }
    }

    /// A declaration that is a step. Of an array SPIN sets the first element only, of a record
    /// nothing.
    fn initialise(&mut self, id: VariableId, place: Place) -> Part {
        let typed = self.lower.typed;
        let variable = &typed.variables[id.index()];
        let value = match &variable.initial {
            _ if matches!(variable.kind, Type::Record(_)) => None,
            Initial::Value(value) => {
                self.late.insert(id);
                Some(self.lower.expr(value))
            }
            Initial::List(values) => Some(self.lower.number(values.first().copied().unwrap_or(0))),
            Initial::Zero => Some(self.lower.number(0)),
            Initial::Channel(_) => None,
        };
        let site = match variable.initial {
            Initial::Zero => {
                let text = format!("{} = 0", variable.name.text);
                self.lower.sites.unwritten(place, text)
            }
            _ => self.lower.sites.written(place),
        };
        let action = match value {
            None => Action::Skip,
            Some(value) => {
                let access = Access {
                    variable: id,
                    index: None,
                    fields: Vec::new(),
                    kind: variable.kind,
                    place,
                };
                Action::Assign(self.lower.place(&access), value)
            }
        };
        Part::Node(NodeKind::Act(action), site)
    }

    fn select_options(
        &mut self,
        variable: &Access,
        low: &TypedExpr,
        high: &TypedExpr,
        place: Place,
    ) -> Part {
        let (first, last) = match (&low.kind, &high.kind) {
            (ExprKind::Number(low), ExprKind::Number(high)) => (*low, *high),
            _ => (0, 0),
        };
        let name = self.lower.sites.text(variable.place);
        let mut options = Vec::new();
        for value in first..=last {
            let target = self.lower.place(variable);
            let number = self.lower.number(value);
            let site = self
                .lower
                .sites
                .unwritten(place, format!("{name} = {value}"));
            let chain = self.flow.new_chain();
            self.act(Action::Assign(target, number), site, chain);
            self.flow.close(chain, site);
            options.push(chain);
        }
        Part::Choice(options, self.lower.sites.unwritten(place, "fi"))
    }

    fn select_counting(
        &mut self,
        variable: &Access,
        low: &TypedExpr,
        high: &TypedExpr,
        chain: ChainId,
    ) -> Part {
        let counter = Counter {
            place: self.lower.place(variable),
            name: self.lower.sites.text(variable.place),
            at: variable.place,
        };
        let texts = (
            self.lower.sites.text(low.place),
            self.lower.sites.text(high.place),
        );
        let (low, high) = (self.lower.expr(low), self.lower.expr(high));
        let start = self.count_site(&counter, &format!(" = {}", texts.0));
        self.act(Action::Assign(counter.place.clone(), low), start, chain);
        let rounds = self.flow.new_chain();
        let test = self.compare(&counter, Binary::Less, high);
        let site = self.count_site(&counter, &format!(" < {}", texts.1));
        self.act(Action::Test(test), site, rounds);
        let id = self.flow.new_loop();
        self.close_rounds(&counter, rounds, id, false)
    }

    fn for_loop(&mut self, kind: &StmtKind, place: Place, chain: ChainId) -> Part {
        let id = self.flow.new_loop();
        self.loops.push(id);
        let (counter, rounds, body) = match kind {
            StmtKind::For(variable, low, high, body) => {
                let text = self.lower.sites.text(low.place);
                let limit = self.lower.sites.text(high.place);
                let (low, high) = (self.lower.expr(low), self.lower.expr(high));
                let counter = self.start_count(variable, (low, &text), chain);
                let rounds = self.open_rounds(&counter, (high, &limit));
                (counter, rounds, body)
            }
            StmtKind::ForArray(variable, array, body) => {
                let size = self.lower.typed.variables[array.index()].size.unwrap_or(1);
                let last = i32::try_from(size).unwrap_or(i32::MAX) - 1;
                let (low, high) = (self.lower.number(0), self.lower.number(last));
                let counter = self.start_count(variable, (low, "0"), chain);
                let rounds = self.open_rounds(&counter, (high, &last.to_string()));
                (counter, rounds, body)
            }
            StmtKind::ForChannel(record, channel, body) => {
                let (counter, rounds) = self.rotate(record, channel, place, chain);
                (counter, rounds, body)
            }
            _ => unreachable!("called for loops only"),
        };
        self.braces(body, rounds);
        self.loops.pop();
        self.close_rounds(&counter, rounds, id, true)
    }

    /// Sets the variable of a `for` to its first value.
    fn start_count(&mut self, variable: &Access, low: (ExprId, &str), chain: ChainId) -> Counter {
        let counter = Counter {
            place: self.lower.place(variable),
            name: self.lower.sites.text(variable.place),
            at: variable.place,
        };
        let site = self.count_site(&counter, &format!(" = {}", low.1));
        self.act(Action::Assign(counter.place.clone(), low.0), site, chain);
        counter
    }

    fn open_rounds(&mut self, counter: &Counter, high: (ExprId, &str)) -> ChainId {
        let rounds = self.flow.new_chain();
        let test = self.compare(counter, Binary::LessEqual, high.0);
        let site = self.count_site(counter, &format!(" <= {}", high.1));
        self.act(Action::Test(test), site, rounds);
        rounds
    }

    /// The start of a `for` over a channel: each message goes through the record and back.
    fn rotate(
        &mut self,
        record: &Access,
        channel: &Access,
        place: Place,
        chain: ChainId,
    ) -> (Counter, ChainId) {
        let field = match self.counters.get(&self.scope) {
            Some(field) => *field,
            None => {
                let name = format!("round {}", self.counters.len());
                let field = self
                    .lower
                    .places
                    .add_own(self.kind, &name, slot(Type::Byte));
                self.counters.insert(self.scope, field);
                field
            }
        };
        let counter = Counter {
            place: LowPlace {
                owner: Owner::Own,
                field,
                indices: Box::default(),
            },
            name: "round".to_string(),
            at: place,
        };
        let zero = self.lower.number(0);
        let site = self.count_site(&counter, " = 0");
        self.act(Action::Assign(counter.place.clone(), zero), site, chain);
        let text = self.lower.sites.text(channel.place);
        let from = self.lower.read(channel);
        let length = self.lower.enter(Expr::Probe(Probe::Length, from));
        let rounds = self.flow.new_chain();
        let test = self.compare(&counter, Binary::Less, length);
        let site = self.count_site(&counter, &format!(" < len({text})"));
        self.act(Action::Test(test), site, rounds);
        let fields = self.spread(record);
        let name = self.lower.sites.text(record.place);
        let receive = Action::Receive(Receive {
            channel: from,
            fields: fields.iter().cloned().map(Pattern::Store).collect(),
            random: false,
            keep: false,
        });
        let site = self.lower.sites.unwritten(place, format!("{text}?{name}"));
        self.act(receive, site, rounds);
        let values = fields.into_iter().map(|f| self.lower.enter(Expr::Read(f)));
        let send = Action::Send(Send {
            channel: from,
            fields: values.collect(),
            sorted: false,
        });
        let site = self.lower.sites.unwritten(place, format!("{text}!{name}"));
        self.act(send, site, rounds);
        (counter, rounds)
    }

    /// The numbers in a record variable.
    fn spread(&mut self, record: &Access) -> Vec<LowPlace> {
        let typed = self.lower.typed;
        let variable = &typed.variables[record.variable.index()];
        let owner = match variable.owner {
            None => Owner::Globals,
            Some(_) => Owner::Own,
        };
        let mut leaves = Vec::new();
        if let Some(shape) = self.lower.places.shapes[record.variable.index()].clone() {
            places::leaves(typed, variable, &shape, &mut |leaf| {
                leaves.push((leaf.field, leaf.indices));
            });
        }
        let mut out = Vec::new();
        for (field, indices) in leaves {
            let indices = indices.into_iter().map(|i| self.lower.number(i as i32));
            out.push(LowPlace {
                owner,
                field,
                indices: indices.collect(),
            });
        }
        out
    }

    /// Counts up at the end of a round, and makes the loop.
    fn close_rounds(
        &mut self,
        counter: &Counter,
        rounds: ChainId,
        id: u32,
        with_else: bool,
    ) -> Part {
        let read = self.lower.enter(Expr::Read(counter.place.clone()));
        let one = self.lower.number(1);
        let sum = self.lower.enter(Expr::Binary(Binary::Add, read, one));
        let site = self.count_site(counter, "++");
        self.act(Action::Assign(counter.place.clone(), sum), site, rounds);
        self.flow.close(rounds, site);
        let leave = self.flow.new_chain();
        if with_else {
            let site = self.lower.sites.unwritten(counter.at, "else");
            let node = self.flow.new_node(NodeKind::Else, site);
            self.flow.append(leave, node);
        }
        let site = self.lower.sites.unwritten(counter.at, "break");
        let node = self.flow.new_node(NodeKind::Jump(Mark::Exit(id)), site);
        self.flow.append(leave, node);
        self.flow.close(leave, site);
        let after = self.lower.sites.unwritten(counter.at, "od");
        Part::Loop(vec![leave, rounds], id, after)
    }

    fn compare(&mut self, counter: &Counter, op: Binary, with: ExprId) -> ExprId {
        let read = self.lower.enter(Expr::Read(counter.place.clone()));
        self.lower.enter(Expr::Binary(op, read, with))
    }

    fn count_site(&mut self, counter: &Counter, rest: &str) -> SiteId {
        let text = format!("{}{rest}", counter.name);
        self.lower.sites.unwritten(counter.at, text)
    }

    fn act(&mut self, action: Action, site: SiteId, chain: ChainId) {
        let node = self.flow.new_node(NodeKind::Act(action), site);
        self.flow.append(chain, node);
    }

    /// The end is at the last character of the body.
    fn end_site(&mut self, process: &Process) -> SiteId {
        let mut place = process.body.place;
        place.span.start = place.span.end.max(1) - 1;
        self.lower.sites.unwritten(place, "-end-")
    }
}

/// The variable that a loop counts with.
struct Counter {
    place: LowPlace,
    name: String,
    at: Place,
}
