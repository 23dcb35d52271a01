//! The loops that count: `for` and `select`.
//!
//! What they stand for (`i` a variable, `a` and `b` the bounds, `r` a record, `c` a channel, `n` a
//! counter of our own, one a block):
//!
//! ```text
//! for (i : a .. b) { … }   i = a; do :: i <= b -> …; i = i + 1 :: else -> break od
//! for (r in c) { … }       n = 0; do :: n < len(c) -> c?r; c!r; …; n = n + 1 :: else -> break od
//! select (i : a .. b)      i = a; do :: break :: i < b -> i = i + 1 od   (or one option a value)
//! ```
//!
//! The first assignment stands before the loop in the chain around it, so a label before the `for`
//! is on the loop and an `unless` after it does not reach the assignment. That is SPIN's reading.

use super::build::{FinishedStmt, FlowBuilder};
use super::flow::{ChainId, JumpTarget, NodeKind};
use super::places::{self, slot};
use crate::place::Place;
use crate::typed::{Access, Expr as TypedExpr, ExprKind, StmtKind, Type};
use model::processes::expr::{
    Binary, Expr, ExprId, Owner, Pattern, Place as LowPlace, Probe, Receive, Send,
};
use model::processes::program::Action;
use system::SiteId;

impl FlowBuilder<'_, '_> {
    pub(super) fn select_options(
        &mut self,
        variable: &Access,
        low: &TypedExpr,
        high: &TypedExpr,
        place: Place,
    ) -> FinishedStmt {
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
        FinishedStmt::Choice(options, self.lower.sites.unwritten(place, "fi"))
    }

    pub(super) fn select_counting(
        &mut self,
        variable: &Access,
        low: &TypedExpr,
        high: &TypedExpr,
        chain: ChainId,
    ) -> FinishedStmt {
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

    pub(super) fn for_loop(
        &mut self,
        kind: &StmtKind,
        place: Place,
        chain: ChainId,
    ) -> FinishedStmt {
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
    ) -> FinishedStmt {
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
        let node = self
            .flow
            .new_node(NodeKind::Jump(JumpTarget::Exit(id)), site);
        self.flow.append(leave, node);
        self.flow.close(leave, site);
        let after = self.lower.sites.unwritten(counter.at, "od");
        FinishedStmt::Loop(vec![leave, rounds], id, after)
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
}

/// The variable that a loop counts with.
struct Counter {
    place: LowPlace,
    name: String,
    at: Place,
}
