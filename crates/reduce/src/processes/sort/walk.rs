//! The flows of a text: which classes are one, and which uses depend on numbers.
//!
//! An expression is met in one of two ways: for its value, or only for its truth. `x == y` makes
//! the classes of `x` and `y` one and depends on nothing else; `x` met for its truth is compared
//! with 0; arithmetic and order are *complex*: they are noted with their operands, and whether they
//! can be tabulated is seen later, when the members of classes are known.

use super::Plain;
use super::living::{living, made_by};
use super::loops::{Exclusive, Kept, Replaced};
use super::neutral::Neutral;
use super::reach::Reach;
use super::start::said;
use super::tags::{Tags, Traffic};
use super::unify::{Classes, Var};
use model::processes::expr::{
    Binary, Expr, ExprId, Instance, Owner, Pattern, Place, Receive, Send, Unary, operands,
};
use model::processes::layout::{FieldId, KindId, Role};
use model::processes::population::{Population, records};
use model::processes::program::{Action, Init, LocationId, Model, ProctypeId, StepId};
use std::collections::HashSet;
use system::SiteId;

/// An expression that depends on numbers.
pub(super) struct Complex {
    pub expr: ExprId,
    /// Its operands that are variables or `_pid`, each once.
    pub leaves: Vec<ExprId>,
    /// By expression: which of the leaves it is.
    pub columns: Vec<(ExprId, usize)>,
    /// Whether it has operands that are neither, as the length of a channel.
    pub opaque: bool,
    /// Whether only its truth matters.
    pub truth: bool,
    /// Whether it is no worse where it cannot be tabulated: it only compares and joins.
    pub soft: bool,
    pub site: Option<SiteId>,
}

/// What a walk over a text finds.
pub(super) struct Walked {
    pub classes: Classes,
    pub fields: Vec<Vec<(Var, Vec<Var>)>>,
    /// By kind of channel, value of its tag, and field.
    pub messages: Vec<Vec<Vec<Var>>>,
    pub tags: Tags,
    /// What is sent and received.
    pub traffic: Vec<Traffic>,
    pub pids: Vec<Var>,
    pub exprs: Vec<Var>,
    pub complexes: Vec<Complex>,
    /// Numbers that come into classes, from literals and the like.
    pub sources: Vec<(Var, i32)>,
    pub reasons: Vec<Plain>,
    pub live: Vec<Vec<bool>>,
    pub neutral: Neutral,
    pub unordered: HashSet<StepId>,
    pub waits: Vec<(ProctypeId, LocationId)>,
    pub branches: Vec<Vec<StepId>>,
    pub exclusive: Vec<Exclusive>,
    pub kept_loops: Vec<Kept>,
    pub reach: Reach,
    pub n_locations: Vec<usize>,
    pub made_later: Vec<bool>,
}

/// How an expression is met.
#[derive(Clone, Copy, PartialEq, Eq)]
enum For {
    Value,
    Truth,
}

/// Walks over all that can happen after the making.
pub(super) fn walk(
    text: &Model,
    population: &Population,
    (replaced, neutral): (&Replaced, &Neutral),
    tags: Tags,
) -> Walked {
    let (live, made_later) = living(text, population, replaced);
    let mut walker = Walker::new(text, tags, live, made_later);
    walker.walked.neutral.clone_from(neutral);
    walker.channels();
    walker.rules(population);
    for p in 0..text.proctypes.len() {
        walker.proctype(ProctypeId::new(p), population);
    }
    for state in population.states.iter().chain(&population.before) {
        walker.held_channels(state, &records(text, state).1);
    }
    while walker.computed_channels() {}
    walker.missing_fields();
    walker.long_polls();
    walker.walked
}

/// Calls `out` with the first and last location of each deterministic block of an action.
pub(crate) fn blocks(action: &Action, out: &mut dyn FnMut(LocationId, LocationId)) {
    match action {
        Action::Deterministic(from, to) => out(*from, *to),
        Action::All(all) => all.iter().for_each(|a| blocks(a, out)),
        _ => {}
    }
}

/// By process type: whether some text makes processes of it.
pub(super) fn made_anywhere(text: &Model) -> Vec<bool> {
    let mut made = vec![false; text.proctypes.len()];
    for e in &text.exprs {
        if let Expr::Run(p, ..) = e {
            made[p.index()] = true;
        }
    }
    made
}

pub(super) struct Walker<'a> {
    pub text: &'a Model,
    pub walked: Walked,
    /// Whose text is being walked over, and the step.
    proctype: ProctypeId,
    pub site: Option<SiteId>,
    pub sends: Vec<Sent>,
    /// The polls, and the classes of their channels.
    pub polls: Vec<(Var, ExprId)>,
}

/// What was sent over the channels of a class.
pub(super) struct Sent {
    pub channel: Var,
    /// The value of the tag.
    pub variant: usize,
    pub n_fields: usize,
    pub sorted: bool,
    pub site: Option<SiteId>,
}

impl<'a> Walker<'a> {
    fn new(text: &'a Model, tags: Tags, live: Vec<Vec<bool>>, made_later: Vec<bool>) -> Walker<'a> {
        let mut classes = Classes::default();
        let mut fields = Vec::new();
        let mut messages = Vec::new();
        for (k, kind) in text.layout.kinds.iter().enumerate() {
            let mut field = |f: &model::processes::layout::Field| {
                let value = classes.fresh();
                (
                    value,
                    f.dimensions.iter().map(|_| classes.fresh()).collect(),
                )
            };
            fields.push(kind.fields.iter().map(&mut field).collect());
            messages.push(match &kind.role {
                Role::Channel(buffer) => {
                    let n = buffer.fields.len();
                    message_classes(&tags, KindId::new(k), n, &mut classes)
                }
                _ => Vec::new(),
            });
        }
        let pids = text.proctypes.iter().map(|_| classes.fresh()).collect();
        let exprs = text.exprs.iter().map(|_| classes.fresh()).collect();
        let walked = Walked {
            classes,
            fields,
            messages,
            tags,
            traffic: Vec::new(),
            pids,
            exprs,
            complexes: Vec::new(),
            sources: Vec::new(),
            reasons: Vec::new(),
            live,
            neutral: Neutral::new(),
            unordered: HashSet::new(),
            waits: Vec::new(),
            branches: Vec::new(),
            kept_loops: Vec::new(),
            reach: Reach::default(),
            n_locations: Vec::new(),
            exclusive: Vec::new(),
            made_later,
        };
        Walker {
            text,
            walked,
            proctype: ProctypeId::new(0),
            site: None,
            sends: Vec::new(),
            polls: Vec::new(),
        }
    }

    /// What the machine itself reads and writes.
    fn rules(&mut self, population: &Population) {
        let text = self.text;
        if let Some(last) = text.rules.last {
            let var = self.walked.fields[0][last.index()].0;
            self.walked.classes.facts(var).names_processes = true;
            for (p, proctype) in text.proctypes.iter().enumerate() {
                let there = population.processes.iter().any(|r| r.kind == proctype.kind);
                if there || self.walked.live[p].contains(&true) {
                    let pid = self.walked.pids[p];
                    self.walked.classes.unify(var, pid);
                }
            }
        }
        for atom in &text.atoms {
            self.expr(*atom, For::Truth);
        }
        for proctype in &text.proctypes {
            if let Some((field, _)) = proctype.priority {
                let var = self.walked.fields[proctype.kind.index()][field.index()].0;
                self.plain(var, "priorities are compared by size");
            }
        }
    }

    fn proctype(&mut self, p: ProctypeId, population: &Population) {
        let text = self.text;
        let proctype = text.proctype(p);
        self.proctype = p;
        self.site = None;
        let made_later = self.walked.made_later[p.index()];
        if self.walked.live[p.index()].iter().any(|live| *live)
            && let Some(provided) = proctype.provided
        {
            self.expr(provided, For::Truth);
        }
        // While others move, what the maker did before may be seen by them.
        let maker = population.creator.as_ref().is_some_and(|c| c.proctype == p);
        let all = maker && population.interleaved;
        let early = population.interleaved && made_by(text, population, p);
        if made_later || all || early {
            // What nothing is said of starts as 0, whoever makes the process.
            let said = said(text, p);
            for (field, _) in said.iter().enumerate().filter(|(_, said)| !**said) {
                let neutral = &self.walked.neutral[p.index()][field];
                if made_later && neutral[proctype.start.index()] {
                    continue;
                }
                let var = self.walked.fields[proctype.kind.index()][field].0;
                if made_later {
                    self.zero(var)
                } else {
                    self.walked.sources.push((var, 0))
                }
            }
            for init in &proctype.prologue {
                self.init(init);
            }
        }
        for (at, location) in proctype.locations.iter().enumerate() {
            if self.walked.live[p.index()][at] || all {
                location.steps.iter().for_each(|step| self.step(*step));
            }
        }
    }

    fn step(&mut self, step: StepId) {
        let text = self.text;
        let step = text.step(step);
        self.site = Some(step.site);
        self.action(&step.action);
        let kind = text.proctype(self.proctype).kind;
        for reset in &step.resets {
            // A reset where it does not matter any more brings no member.
            let field = &self.walked.neutral[self.proctype.index()][reset.field.index()];
            if field.get(step.target.index()).copied().unwrap_or(false) {
                continue;
            }
            let var = self.walked.fields[kind.index()][reset.field.index()].0;
            self.walked.sources.push((var, reset.value));
        }
    }

    fn init(&mut self, init: &Init) {
        match init {
            Init::Value(place, e) => {
                let var = self.place(place);
                self.flow(*e, var);
            }
            Init::Channel(place, _) => {
                let var = self.place(place);
                self.walked.classes.facts(var).open = true;
            }
        }
    }

    fn action(&mut self, action: &Action) {
        match action {
            Action::Test(e) | Action::Assert(e) => self.expr(*e, For::Truth),
            Action::Assign(place, e) => {
                let var = self.place(place);
                self.flow(*e, var);
            }
            Action::Drop(e) => self.expr(*e, For::Value),
            Action::Send(send) => self.send(send),
            Action::Receive(receive) => self.receive(receive),
            Action::SetPriority(p, e, _) => {
                self.process(*p);
                self.expr(*e, For::Value);
                let var = self.var(*e);
                self.plain(var, "priorities are compared by size");
            }
            Action::All(all) => all.iter().for_each(|a| self.action(a)),
            Action::Skip | Action::Else | Action::Print(_) => {}
            Action::Deterministic(..) | Action::End => {}
        }
    }

    fn send(&mut self, send: &Send) {
        let channel = self.channel(send.channel);
        let traffic = Traffic::sent(self.text, send, channel);
        let variants = self.walked.tags.variants(&traffic);
        for (i, e) in send.fields.iter().enumerate() {
            self.joined(&traffic, i, &variants, self.var(*e));
            self.expr(*e, For::Value);
        }
        self.walked.traffic.push(traffic);
        self.sends.push(Sent {
            channel,
            variant: variants.first().copied().unwrap_or(0),
            n_fields: send.fields.len(),
            sorted: send.sorted,
            site: self.site,
        });
    }

    fn receive(&mut self, receive: &Receive) {
        let channel = self.channel(receive.channel);
        let traffic = Traffic::received(self.text, receive, channel);
        let variants = self.walked.tags.variants(&traffic);
        for (i, pattern) in receive.fields.iter().enumerate() {
            match pattern {
                Pattern::Store(place) => {
                    let var = self.place(place);
                    self.joined(&traffic, i, &variants, var);
                }
                Pattern::Drop => {}
                Pattern::Match(e) => {
                    self.joined(&traffic, i, &variants, self.var(*e));
                    self.expr(*e, For::Value);
                }
            }
        }
        self.walked.traffic.push(traffic);
    }

    /// What is sent or received in a field has the class of the field.
    fn joined(&mut self, traffic: &Traffic, field: usize, variants: &[usize], var: Var) {
        let Walked { tags, classes, .. } = &mut self.walked;
        for variant in tags.of_field(traffic.channel, field, variants) {
            let payload = classes.payload(traffic.var, tags.slot(variant, field));
            classes.unify(var, payload);
        }
    }

    /// Something treats 0 in a way of its own without writing it.
    pub fn zero(&mut self, var: Var) {
        self.walked.sources.push((var, 0));
        self.walked.classes.facts(var).pinned.push(0);
    }

    pub fn plain(&mut self, var: Var, reason: &str) {
        let place = self.site.map(|site| {
            let site = &self.text.sites[site.index()];
            (site.span, site.line)
        });
        let reasons = &mut self.walked.reasons;
        reasons.push(Plain {
            reason: reason.to_owned(),
            place,
            site: self.site,
        });
        let n = reasons.len() as u32 - 1;
        let facts = self.walked.classes.facts(var);
        facts.plain = facts.plain.or(Some(n));
    }

    pub fn var(&self, e: ExprId) -> Var {
        self.walked.exprs[e.index()]
    }

    /// The value of `e` flows into `var`, or is compared with it.
    fn flow(&mut self, e: ExprId, var: Var) {
        let own = self.var(e);
        self.walked.classes.unify(own, var);
        self.expr(e, For::Value);
    }

    /// An expression that must give a channel.
    fn channel(&mut self, e: ExprId) -> Var {
        self.expr(e, For::Value);
        let var = self.var(e);
        self.walked.classes.facts(var).names_channels = true;
        var
    }

    /// An expression that must give a process.
    fn process(&mut self, e: ExprId) {
        self.expr(e, For::Value);
        let var = self.var(e);
        self.walked.classes.facts(var).names_processes = true;
    }

    fn instance(&mut self, which: Instance) {
        if let Instance::Numbered(e) = which {
            self.process(e);
        }
    }

    fn kind_of(&self, owner: Owner) -> KindId {
        match owner {
            Owner::Globals => KindId::new(0),
            Owner::Own => self.text.proctype(self.proctype).kind,
            Owner::Other(p, _) => self.text.proctype(p).kind,
        }
    }

    fn field(&self, kind: KindId, field: FieldId) -> &(Var, Vec<Var>) {
        &self.walked.fields[kind.index()][field.index()]
    }

    /// Walks over the indices of a place; gives the class of what is in it.
    fn place(&mut self, place: &Place) -> Var {
        if let Owner::Other(_, which) = place.owner {
            self.instance(which);
        }
        let (value, indices) = self.field(self.kind_of(place.owner), place.field).clone();
        for (e, var) in place.indices.iter().zip(indices) {
            self.flow(*e, var);
        }
        value
    }

    fn expr(&mut self, e: ExprId, met: For) {
        let text = self.text;
        match text.expr(e) {
            Expr::Const(v) => {
                if met == For::Value {
                    let var = self.var(e);
                    self.walked.sources.push((var, *v));
                }
            }
            Expr::Read(_) | Expr::Pid | Expr::Run(..) => {
                self.leaf(e);
                if met == For::Truth {
                    let var = self.var(e);
                    self.zero(var);
                }
            }
            Expr::Choice([test, a, b]) => {
                self.expr(*test, For::Truth);
                for branch in [*a, *b] {
                    let var = self.var(e);
                    match met {
                        For::Value => self.flow(branch, var),
                        For::Truth => self.expr(branch, For::Truth),
                    }
                }
                self.function(e, met);
            }
            Expr::NProcesses | Expr::LocationOf(_) | Expr::PriorityOf(_) => self.number(e),
            Expr::Probe(model::processes::expr::Probe::Length, _) => self.number(e),
            Expr::Binary(op, ..) if !matches!(op, Binary::Equal | Binary::NotEqual) => {
                self.complex(e, met);
            }
            Expr::Unary(Unary::Complement | Unary::Minus, _) => self.complex(e, met),
            _ => self.truth(e, met),
        }
    }

    /// A variable, `_pid`, or a new process.
    fn leaf(&mut self, e: ExprId) {
        let (text, var) = (self.text, self.var(e));
        match text.expr(e) {
            Expr::Read(place) => {
                let value = self.place(place);
                self.walked.classes.unify(var, value);
                if matches!(place.owner, Owner::Other(..)) {
                    // What a process that is not there holds reads as 0.
                    self.zero(var);
                }
            }
            Expr::Pid => {
                let pid = self.walked.pids[self.proctype.index()];
                self.walked.classes.unify(var, pid);
            }
            Expr::Run(p, args, _) => {
                let pid = self.walked.pids[p.index()];
                self.walked.classes.unify(var, pid);
                self.walked.classes.facts(var).open = true;
                self.zero(var);
                let proctype = text.proctype(*p);
                for (place, e) in proctype.parameters.iter().zip(args) {
                    let value = self.field(proctype.kind, place.field).0;
                    self.flow(*e, value);
                }
            }
            _ => {}
        }
    }

    /// A number that is counted or given by the machine.
    fn number(&mut self, e: ExprId) {
        match self.text.expr(e) {
            Expr::LocationOf(p) | Expr::PriorityOf(p) => self.process(*p),
            Expr::Probe(_, channel) => {
                self.channel(*channel);
            }
            _ => {}
        }
        let var = self.var(e);
        self.plain(var, "it is compared with a count");
    }

    /// An expression that is 0 or 1.
    fn truth(&mut self, e: ExprId, met: For) {
        let text = self.text;
        match text.expr(e) {
            Expr::Unary(_, a) => self.expr(*a, For::Truth),
            Expr::Binary(_, a, b) => {
                self.expr(*a, For::Value);
                let var = self.var(*a);
                self.flow(*b, var);
                if is_truth(text, *a) && is_truth(text, *b) {
                    self.soft(e);
                }
            }
            Expr::And(all) | Expr::Or(all) => all.iter().for_each(|a| self.expr(*a, For::Truth)),
            Expr::Probe(_, channel) => {
                self.channel(*channel);
            }
            Expr::Poll(receive) => {
                self.receive(receive);
                self.polls.push((self.var(receive.channel), e));
            }
            Expr::Enabled(p) => self.process(*p),
            Expr::AtLocation(_, which, _) => self.instance(*which),
            _ => {}
        }
        if met == For::Value {
            let var = self.var(e);
            for value in [0, 1] {
                self.walked.sources.push((var, value));
                self.walked.classes.facts(var).pinned.push(value);
            }
        }
    }

    fn complex(&mut self, e: ExprId, met: For) {
        let order = matches!(self.text.expr(e), Expr::Binary(op, ..) if is_order(*op));
        let mut complex = Complex {
            expr: e,
            leaves: Vec::new(),
            columns: Vec::new(),
            opaque: false,
            truth: order || met == For::Truth,
            soft: false,
            site: self.site,
        };
        self.gather(e, &mut complex);
        self.walked.complexes.push(complex);
        if order && met == For::Value {
            let var = self.var(e);
            for value in [0, 1] {
                self.walked.sources.push((var, value));
                self.walked.classes.facts(var).pinned.push(value);
            }
        }
    }

    /// Two truths are compared: `(a == 1) != (b == 1)` stays the same if both are turned round,
    /// which can be seen from its table only.
    fn soft(&mut self, e: ExprId) {
        let mut complex = Complex {
            expr: e,
            leaves: Vec::new(),
            columns: Vec::new(),
            opaque: false,
            truth: true,
            soft: true,
            site: self.site,
        };
        self.leaves(e, &mut complex);
        self.walked.complexes.push(complex);
    }

    /// A choice that depends on one variable only is a function of it: `(x == 2 -> 0 : x + 1)` goes
    /// round a ring, which can be seen from its table only.
    fn function(&mut self, e: ExprId, met: For) {
        let mut complex = Complex {
            expr: e,
            leaves: Vec::new(),
            columns: Vec::new(),
            opaque: false,
            truth: met == For::Truth,
            soft: true,
            site: self.site,
        };
        self.leaves(e, &mut complex);
        if complex.leaves.len() == 1 && !complex.opaque {
            self.walked.complexes.push(complex);
        }
    }

    fn leaves(&self, e: ExprId, complex: &mut Complex) {
        let text = self.text;
        match text.expr(e) {
            Expr::Const(_) => {}
            Expr::Read(_) | Expr::Pid => column(text, e, complex),
            Expr::Unary(..) | Expr::Binary(..) | Expr::And(_) | Expr::Or(_) | Expr::Choice(_) => {
                operands(text.expr(e), &mut |e| self.leaves(e, complex));
            }
            _ => complex.opaque = true,
        }
    }

    /// The operands of a complex expression.
    fn gather(&mut self, e: ExprId, complex: &mut Complex) {
        let text = self.text;
        match text.expr(e) {
            Expr::Const(_) => {}
            Expr::Read(_) | Expr::Pid => {
                self.leaf(e);
                column(text, e, complex);
            }
            Expr::Binary(op, a, b) if !matches!(op, Binary::Equal | Binary::NotEqual) => {
                self.gather(*a, complex);
                self.gather(*b, complex);
            }
            Expr::Unary(Unary::Complement | Unary::Minus, a) => self.gather(*a, complex),
            _ => {
                complex.opaque = true;
                self.expr(e, For::Value);
                let var = self.var(e);
                self.plain(var, "arithmetic or order");
            }
        }
    }
}

/// New classes for the fields of messages: for each value of the tag, but for the tag itself.
fn message_classes(
    tags: &Tags,
    kind: KindId,
    n_fields: usize,
    classes: &mut Classes,
) -> Vec<Vec<Var>> {
    let first: Vec<Var> = (0..n_fields).map(|_| classes.fresh()).collect();
    let tag = tags.of_kind(kind).map(|tag| tag.field);
    let mut variants = vec![first.clone()];
    for _ in 1..tags.n_variants(kind) {
        let fields = first.iter().enumerate().map(|(i, var)| match tag {
            Some(tag) if tag == i => *var,
            _ => classes.fresh(),
        });
        variants.push(fields.collect());
    }
    variants
}

/// Notes an operand of a complex expression.
fn column(text: &Model, e: ExprId, complex: &mut Complex) {
    let same = |other: &ExprId| same(text, *other, e);
    let column = match complex.leaves.iter().position(same) {
        Some(column) => column,
        None => {
            complex.leaves.push(e);
            complex.leaves.len() - 1
        }
    };
    complex.columns.push((e, column));
}

/// Whether an expression is 0 or 1 by its form.
fn is_truth(text: &Model, e: ExprId) -> bool {
    match text.expr(e) {
        Expr::Unary(Unary::Not, _) | Expr::And(_) | Expr::Or(_) => true,
        Expr::Binary(op, ..) => is_order(*op) || matches!(op, Binary::Equal | Binary::NotEqual),
        _ => false,
    }
}

fn is_order(op: Binary) -> bool {
    use Binary::{Greater, GreaterEqual, Less, LessEqual};
    matches!(op, Less | LessEqual | Greater | GreaterEqual)
}

/// Whether two expressions read the same.
fn same(text: &Model, a: ExprId, b: ExprId) -> bool {
    match (text.expr(a), text.expr(b)) {
        (Expr::Const(a), Expr::Const(b)) => a == b,
        (Expr::Pid, Expr::Pid) => true,
        (Expr::Read(a), Expr::Read(b)) => {
            a.owner == b.owner
                && !matches!(a.owner, Owner::Other(..))
                && a.field == b.field
                && a.indices.len() == b.indices.len()
                && a.indices
                    .iter()
                    .zip(&b.indices)
                    .all(|(a, b)| same(text, *a, *b))
        }
        _ => false,
    }
}
