//! Statements become nodes of a [`FlowGraph`], in the order in which SPIN's parser makes them.
//!
//! A statement is made in two moves: first what is inside of it ([`FlowBuilder::part`]), then its
//! own node ([`FlowBuilder::add`]). Between them SPIN may wrap it: the two sides of an `unless`
//! become chains of their own, unless they are blocks, whose chains are taken over. `for` and
//! `select` are in [`super::loops`].

use super::Lower;
use super::flow::{ChainId, FlowGraph, JumpTarget, LabelMarks, NodeId, NodeKind};
use crate::ast::SelectForm;
use crate::place::Place;
use crate::typed::{
    Access, Expr as TypedExpr, ExprKind, Initial, LabelId, Process, ProcessKind, Sequence, Stmt,
    StmtKind, Target, Type, VariableId,
};
use model::processes::expr::Expr;
use model::processes::layout::{FieldId, KindId};
use model::processes::program::Action;
use std::collections::{HashMap, HashSet};
use system::SiteId;

/// The flow of a process, and what was found on the way.
pub(super) struct Built {
    pub flow: FlowGraph,
    /// The variables that get their value in a step, and not when the process starts.
    pub late: HashSet<VariableId>,
}

/// The flow of `process`, whose records are of `kind`.
pub(super) fn build(lower: &mut Lower, process: &Process, kind: KindId) -> Built {
    let mut builder = FlowBuilder {
        lower,
        process,
        kind,
        flow: FlowGraph::new(),
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
pub(super) fn marks_of(name: &str) -> LabelMarks {
    LabelMarks {
        end: name.starts_with("end"),
        progress: name.starts_with("progress"),
        accept: name.starts_with("accept"),
    }
}

pub(super) struct FlowBuilder<'l, 'a> {
    pub(super) lower: &'l mut Lower<'a>,
    pub(super) process: &'l Process,
    pub(super) kind: KindId,
    pub(super) flow: FlowGraph,
    pub(super) late: HashSet<VariableId>,
    /// The loops around, for `break`.
    pub(super) loops: Vec<u32>,
    /// The block that we are in; hidden counters are one a block.
    pub(super) scope: u32,
    pub(super) n_scopes: u32,
    pub(super) counters: HashMap<u32, FieldId>,
}

/// A statement whose inside is done.
pub(super) enum FinishedStmt {
    Node(NodeKind, SiteId),
    Choice(Vec<ChainId>, SiteId),
    Loop(Vec<ChainId>, u32, SiteId),
    Unless(ChainId, ChainId, SiteId),
}

impl FlowBuilder<'_, '_> {
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

    pub(super) fn braces(&mut self, sequence: &Sequence, chain: ChainId) {
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
    fn part(&mut self, statement: &Stmt, chain: ChainId) -> Option<FinishedStmt> {
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
                FinishedStmt::Node(NodeKind::DStep(inner), site)
            }
            StmtKind::Block(inner) => {
                let inner = self.block(inner);
                self.container(NodeKind::Block(inner), place)
            }
            StmtKind::If(options) => {
                let options = self.options(options);
                FinishedStmt::Choice(options, self.lower.sites.unwritten(place, "fi"))
            }
            StmtKind::Do(options) => {
                let id = self.flow.new_loop();
                self.loops.push(id);
                let options = self.options(options);
                self.loops.pop();
                FinishedStmt::Loop(options, id, self.lower.sites.unwritten(place, "od"))
            }
            StmtKind::For(..) | StmtKind::ForArray(..) | StmtKind::ForChannel(..) => {
                self.for_loop(&statement.kind, place, chain)
            }
            StmtKind::Select(form, variable, low, high) => match form {
                SelectForm::Options => self.select_options(variable, low, high, place),
                SelectForm::Counting | SelectForm::Leaving => {
                    let mut part = self.select_counting(variable, low, high, chain);
                    if let (SelectForm::Counting, FinishedStmt::Loop(options, ..)) =
                        (form, &mut part)
                    {
                        options.reverse();
                    }
                    part
                }
            },
            _ => self.simple(statement),
        })
    }

    fn container(&mut self, kind: NodeKind, place: Place) -> FinishedStmt {
        FinishedStmt::Node(kind, self.lower.sites.unwritten(place, "}"))
    }

    /// A statement without others inside.
    fn simple(&mut self, statement: &Stmt) -> FinishedStmt {
        let place = statement.place;
        let kind = match &statement.kind {
            StmtKind::Initialise(variable) => return self.initialise(*variable, place),
            StmtKind::Assign(target, value) => NodeKind::Act(self.assign(target, value)),
            StmtKind::SetPriority(process, priority) => {
                let (process, priority) = (self.lower.expr(process), self.lower.expr(priority));
                NodeKind::Act(Action::SetPriority(process, priority, true))
            }
            StmtKind::Print(format, arguments) => {
                NodeKind::Act(Action::Print(self.lower.print(format, arguments)))
            }
            StmtKind::PrintName(value) => {
                NodeKind::Act(Action::Print(self.lower.print_name(value)))
            }
            StmtKind::Assert(value) => NodeKind::Act(Action::Assert(self.lower.expr(value))),
            StmtKind::Send(send) if self.is_trace() => NodeKind::Event(self.lower.sent(send)),
            StmtKind::Receive(receive) if self.is_trace() => {
                NodeKind::Event(self.lower.received(receive))
            }
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
            StmtKind::Break => {
                NodeKind::Jump(JumpTarget::Exit(self.loops.last().copied().unwrap_or(0)))
            }
            StmtKind::Goto(_, Some(label)) => NodeKind::Jump(JumpTarget::Label(*label)),
            // Only the kinds that `part` handles, and jumps that were refused, are left.
            _ => NodeKind::True,
        };
        FinishedStmt::Node(kind, self.lower.sites.written(place))
    }

    fn is_trace(&self) -> bool {
        matches!(self.process.kind, ProcessKind::Trace | ProcessKind::NoTrace)
    }

    /// Makes the node of a statement and adds it, with its labels.
    fn add(&mut self, part: FinishedStmt, labels: &[LabelId], chain: ChainId) {
        let node = match part {
            FinishedStmt::Node(kind, site) => {
                let node = self.flow.new_node(kind, site);
                self.label(labels, node);
                self.flow.append(chain, node);
                return;
            }
            FinishedStmt::Choice(options, site) => self.flow.add_choice(chain, options, site),
            FinishedStmt::Loop(options, id, site) => self.flow.add_loop(chain, options, id, site),
            FinishedStmt::Unless(main, escape, site) => {
                self.flow.add_unless(chain, main, escape, site)
            }
        };
        self.label(labels, node);
    }

    /// The label next to the statement is set first.
    fn label(&mut self, labels: &[LabelId], node: NodeId) {
        for id in labels.iter().rev() {
            let marks = marks_of(&self.process.labels[id.index()].name.text);
            self.flow.set_label(JumpTarget::Label(*id), marks, node);
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
    ) -> Option<FinishedStmt> {
        let main_part = self.part(main, chain);
        let escape_part = self.part(escape, chain);
        let site = self.lower.sites.unwritten(escape.place, "}");
        let (main_part, escape_part) = (main_part?, escape_part?);
        let escape_chain = match escape_part {
            FinishedStmt::Node(NodeKind::Block(inner), _) => inner,
            other => self.wrap(other, &escape.labels, escape.place),
        };
        let lifted = match &main_part {
            FinishedStmt::Node(NodeKind::Block(inner), site) if !labels.is_empty() => {
                Some((*inner, NodeKind::Block as fn(ChainId) -> NodeKind, *site))
            }
            FinishedStmt::Node(NodeKind::Atomic(inner), site) if !labels.is_empty() => {
                Some((*inner, NodeKind::Atomic as fn(ChainId) -> NodeKind, *site))
            }
            FinishedStmt::Node(NodeKind::DStep(inner), site) if !labels.is_empty() => {
                Some((*inner, NodeKind::DStep as fn(ChainId) -> NodeKind, *site))
            }
            _ => None,
        };
        if let Some((inner, kind, outer_site)) = lifted {
            let wrapped = self.wrap(
                FinishedStmt::Unless(inner, escape_chain, site),
                &[],
                main.place,
            );
            return Some(FinishedStmt::Node(kind(wrapped), outer_site));
        }
        let main_chain = match main_part {
            FinishedStmt::Node(NodeKind::Block(inner), _) => inner,
            other => self.wrap(other, &main.labels, main.place),
        };
        Some(FinishedStmt::Unless(main_chain, escape_chain, site))
    }

    fn wrap(&mut self, part: FinishedStmt, labels: &[LabelId], place: Place) -> ChainId {
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
                Action::SetPriority(own, self.lower.expr(value), false)
            }
        }
    }

    /// A declaration that is a step. Of an array SPIN sets the first element only, of a record
    /// nothing.
    fn initialise(&mut self, id: VariableId, place: Place) -> FinishedStmt {
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
            Initial::Channel(_) | Initial::Instance => None,
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
        FinishedStmt::Node(NodeKind::Act(action), site)
    }

    /// The end is at the last character of the body.
    fn end_site(&mut self, process: &Process) -> SiteId {
        let mut place = process.body.place;
        place.span.start = place.span.end.max(1) - 1;
        self.lower.sites.unwritten(place, "-end-")
    }
}
