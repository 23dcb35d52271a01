//! A copy of a model for those who annotate it: every expression stands in one place only.
//!
//! Passes share expressions between steps. Who gives each occurrence a class of its own cannot use
//! such a table: in `x == 1` and `y == 1` the two literals may be members of different sorts. The
//! copy has the steps, locations and fields of the model under the same numbers; only expressions
//! are new. What is printed is left out, because nothing can depend on it.

use model::processes::expr::{Expr, ExprId, Instance, Owner, Pattern, Place, Receive, Send};
use model::processes::program::{Action, Init, Model};

/// The copy.
pub fn unshared(model: &Model) -> Model {
    let mut copy = Copy {
        old: &model.exprs,
        new: Vec::new(),
    };
    let mut text = model.clone();
    for step in &mut text.steps {
        step.action = copy.action(&step.action);
    }
    text.prologue = copy.inits(&model.prologue);
    for proctype in &mut text.proctypes {
        proctype.prologue = copy.inits(&proctype.prologue);
        proctype.provided = proctype.provided.map(|e| copy.expr(e));
        proctype.parameters = proctype.parameters.iter().map(|p| copy.place(p)).collect();
    }
    text.atoms = model.atoms.iter().map(|e| copy.expr(*e)).collect();
    text.exprs = copy.new;
    text
}

struct Copy<'a> {
    old: &'a [Expr],
    new: Vec<Expr>,
}

impl Copy<'_> {
    fn inits(&mut self, inits: &[Init]) -> Vec<Init> {
        let mut copy = |init: &Init| match init {
            Init::Value(place, e) => Init::Value(self.place(place), self.expr(*e)),
            Init::Channel(place, kind) => Init::Channel(self.place(place), *kind),
        };
        inits.iter().map(&mut copy).collect()
    }

    fn action(&mut self, action: &Action) -> Action {
        match action {
            Action::Test(e) => Action::Test(self.expr(*e)),
            Action::Assign(place, e) => Action::Assign(self.place(place), self.expr(*e)),
            Action::Drop(e) => Action::Drop(self.expr(*e)),
            Action::Assert(e) => Action::Assert(self.expr(*e)),
            Action::Send(send) => Action::Send(Send {
                channel: self.expr(send.channel),
                fields: self.exprs(&send.fields),
                sorted: send.sorted,
            }),
            Action::Receive(receive) => Action::Receive(self.receive(receive)),
            Action::SetPriority(p, e, cut) => {
                Action::SetPriority(self.expr(*p), self.expr(*e), *cut)
            }
            Action::All(all) => Action::All(all.iter().map(|a| self.action(a)).collect()),
            Action::Print(_) => Action::Skip,
            Action::Skip | Action::Else | Action::Deterministic(..) | Action::End => action.clone(),
        }
    }

    fn exprs(&mut self, all: &[ExprId]) -> Box<[ExprId]> {
        all.iter().map(|e| self.expr(*e)).collect()
    }

    fn expr(&mut self, id: ExprId) -> ExprId {
        let old = self.old;
        let expr = match &old[id.index()] {
            Expr::Read(place) => Expr::Read(self.place(place)),
            Expr::Unary(op, e) => Expr::Unary(*op, self.expr(*e)),
            Expr::Binary(op, a, b) => Expr::Binary(*op, self.expr(*a), self.expr(*b)),
            Expr::And(all) => Expr::And(self.exprs(all)),
            Expr::Or(all) => Expr::Or(self.exprs(all)),
            Expr::Choice(all) => Expr::Choice(all.map(|e| self.expr(e))),
            Expr::Run(p, args, priority) => Expr::Run(*p, self.exprs(args), *priority),
            Expr::Probe(probe, e) => Expr::Probe(*probe, self.expr(*e)),
            Expr::Poll(receive) => Expr::Poll(Box::new(self.receive(receive))),
            Expr::Enabled(e) => Expr::Enabled(self.expr(*e)),
            Expr::LocationOf(e) => Expr::LocationOf(self.expr(*e)),
            Expr::PriorityOf(e) => Expr::PriorityOf(self.expr(*e)),
            Expr::AtLocation(p, which, at) => Expr::AtLocation(*p, self.instance(*which), *at),
            Expr::Const(_)
            | Expr::Pid
            | Expr::NProcesses
            | Expr::Timeout
            | Expr::NonProgress
            | Expr::Accepting => old[id.index()].clone(),
        };
        self.new.push(expr);
        ExprId::new(self.new.len() - 1)
    }

    fn instance(&mut self, which: Instance) -> Instance {
        match which {
            Instance::Numbered(e) => Instance::Numbered(self.expr(e)),
            Instance::Any => Instance::Any,
        }
    }

    fn place(&mut self, place: &Place) -> Place {
        let owner = match place.owner {
            Owner::Other(p, which) => Owner::Other(p, self.instance(which)),
            owner => owner,
        };
        Place {
            owner,
            field: place.field,
            indices: self.exprs(&place.indices),
        }
    }

    fn receive(&mut self, receive: &Receive) -> Receive {
        let channel = self.expr(receive.channel);
        let mut pattern = |pattern: &Pattern| match pattern {
            Pattern::Store(place) => Pattern::Store(self.place(place)),
            Pattern::Drop => Pattern::Drop,
            Pattern::Match(e) => Pattern::Match(self.expr(*e)),
        };
        Receive {
            channel,
            fields: receive.fields.iter().map(&mut pattern).collect(),
            random: receive.random,
            keep: receive.keep,
        }
    }
}
