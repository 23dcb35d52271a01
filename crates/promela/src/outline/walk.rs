//! The walk over the syntax tree: blocks are scopes, and names are looked up in them.

use super::Outliner;
use crate::ast::{
    Ast, ChannelInit, Claim, Declaration, Declarator, Expr, ExprKind, Initial, Mtype, Name,
    Pattern, Process, Receive, Reference, ReferencePart, Send, Sequence, Stmt, StmtKind,
    TopLevelItem, TypeName, Typedef, Visibility,
};
use crate::place::Place;
use crate::typed;
use base::Span;
use model::outline::{Symbol, SymbolId, SymbolKind};
use std::collections::HashMap;
use std::rc::Rc;

/// Names and what they stand for.
type Names = HashMap<Rc<str>, SymbolId>;

/// What the walk knows.
pub(super) struct Walk<'w, 'a> {
    to: &'w mut Outliner<'a>,
    /// The names that can be seen, by block; the outermost are those of the model.
    scopes: Vec<Names>,
    /// Process types, which can be used before they are declared.
    processes: Names,
    /// Record types by name, and process types by what they make public: their parts.
    fields: HashMap<Rc<str>, Names>,
    /// What variables and fields are of.
    types: HashMap<SymbolId, Rc<str>>,
    /// The variables of processes by the names of these.
    insides: HashMap<Rc<str>, Names>,
    labels: HashMap<Rc<str>, Names>,
    /// What is looked up at the end.
    pending: Vec<Pending>,
    /// How many names of each set there are.
    n_constants: HashMap<Option<Rc<str>>, usize>,
    /// The process that we are inside of.
    inside: Option<(Rc<str>, SymbolId)>,
    /// The block that we are inside of.
    block: Option<Span>,
}

/// A name that may be declared later.
enum Pending {
    /// A label of a process.
    Label { process: Rc<str>, name: Name },
    /// A variable of a process.
    Variable { process: Rc<str>, name: Name },
    /// Parts of what a variable holds.
    Fields {
        of: SymbolId,
        rest: Vec<ReferencePart>,
    },
}

impl<'w, 'a> Walk<'w, 'a> {
    pub(super) fn new(to: &'w mut Outliner<'a>) -> Walk<'w, 'a> {
        Walk {
            to,
            scopes: vec![Names::new()],
            processes: Names::new(),
            fields: HashMap::new(),
            types: HashMap::new(),
            insides: HashMap::new(),
            labels: HashMap::new(),
            pending: Vec::new(),
            n_constants: HashMap::new(),
            inside: None,
            block: None,
        }
    }

    /// All parts of a model.
    pub(super) fn units(mut self, ast: &Ast) {
        for unit in &ast.units {
            if let TopLevelItem::Process(process) = unit {
                self.announce(process);
            }
        }
        for unit in &ast.units {
            self.unit(unit);
        }
        for pending in std::mem::take(&mut self.pending) {
            self.settle(&pending);
        }
    }

    fn announce(&mut self, process: &Process) {
        let whole = self.whole_of(&process.name, process.body.place);
        let words = ["proctype", "D_proctype", "active"];
        let whole = self.to.lexed.with_words(whole, &words);
        let id = self.declare(&process.name, SymbolKind::Process, whole);
        self.processes.insert(process.name.text.clone(), id);
    }

    fn unit(&mut self, unit: &TopLevelItem) {
        match unit {
            TopLevelItem::Process(process) => self.process(process),
            TopLevelItem::Init(init) => {
                let name = Name {
                    text: "init".into(),
                    place: init.place,
                };
                let whole = self.whole_of(&name, init.body.place);
                let id = self.declare(&name, SymbolKind::Process, whole);
                self.body(&name.text, id, |walk| walk.sequence(&init.body));
            }
            TopLevelItem::Never(claim) => self.claim(claim, "never"),
            TopLevelItem::Trace(claim) => self.claim(claim, "trace"),
            TopLevelItem::NoTrace(claim) => self.claim(claim, "notrace"),
            TopLevelItem::Ltl(ltl) => {
                if let Some(name) = &ltl.name {
                    let whole = self.to.origins.join(ltl.place, ltl.formula.place);
                    let whole = self.to.origins.outermost(whole).span;
                    let whole = self.to.lexed.until_brace(whole);
                    self.declare(name, SymbolKind::Property, whole);
                }
                self.expr(&ltl.formula);
            }
            TopLevelItem::Declaration(declaration) => self.declaration(declaration),
            TopLevelItem::Typedef(typedef) => self.typedef(typedef),
            TopLevelItem::Mtype(mtype) => self.mtype(mtype),
            TopLevelItem::Scalarset(scalarset) => {
                self.expr(&scalarset.size);
                let place = scalarset.name.place.span;
                let id = self.declare(&scalarset.name, SymbolKind::Set, place);
                self.name_in_scope(&scalarset.name, id);
            }
        }
    }

    fn typedef(&mut self, typedef: &Typedef) {
        let id = self.declare(&typedef.name, SymbolKind::Type, typedef.name.place.span);
        self.name_in_scope(&typedef.name, id);
        let mut fields = Names::new();
        for declaration in &typedef.fields {
            self.type_name(&declaration.kind);
            for variable in &declaration.variables {
                let field = self.variable(declaration, variable, SymbolKind::Field);
                self.to.builder.symbol(field).parent = Some(id);
                fields.insert(variable.name.text.clone(), field);
            }
        }
        self.fields.insert(typedef.name.text.clone(), fields);
    }

    /// The names of a set: the last is 1, the one before it 2; a second list goes on from there.
    fn mtype(&mut self, mtype: &Mtype) {
        let set = mtype.set.as_ref().map(|name| name.text.clone());
        let n_before = self.n_constants.get(&set).copied().unwrap_or(0);
        let n = n_before + mtype.names.len();
        for (i, name) in mtype.names.iter().enumerate() {
            let id = self.declare(name, SymbolKind::Constructor, name.place.span);
            let of = set.as_ref().map(|set| format!("mtype:{set}"));
            let of = of.as_deref().unwrap_or("mtype");
            self.to.builder.symbol(id).about = format!("a name of {of}, number {}", n - i);
            self.name_in_scope(name, id);
        }
        self.n_constants.insert(set, n);
    }

    fn process(&mut self, process: &Process) {
        let Some(&id) = self.processes.get(&process.name.text) else {
            return;
        };
        let active = process.active.as_ref();
        if let Some(count) = active.and_then(|active| active.count.as_ref()) {
            self.expr(count);
        }
        self.body(&process.name.text, id, |walk| {
            for declaration in &process.parameters {
                walk.type_name(&declaration.kind);
                for variable in &declaration.variables {
                    let parameter = walk.variable(declaration, variable, SymbolKind::Parameter);
                    walk.name_in_scope(&variable.name, parameter);
                }
            }
            if let Some(provided) = &process.provided {
                walk.expr(provided);
            }
            walk.sequence(&process.body);
        });
    }

    fn claim(&mut self, claim: &Claim, word: &str) {
        let name = claim.name.clone().unwrap_or_else(|| Name {
            text: word.into(),
            place: claim.place,
        });
        let whole = self.whole_of(&name, claim.body.place);
        let id = self.declare(&name, SymbolKind::Property, whole);
        self.body(&name.text, id, |walk| walk.sequence(&claim.body));
    }

    /// Does something inside of a process.
    fn body(&mut self, name: &Rc<str>, id: SymbolId, inside: impl FnOnce(&mut Self)) {
        self.inside = Some((name.clone(), id));
        let whole = self.to.builder.symbol(id).whole;
        let block = self.block.replace(whole);
        self.scopes.push(Names::new());
        inside(self);
        self.scopes.pop();
        self.block = block;
        self.inside = None;
    }

    fn sequence(&mut self, sequence: &Sequence) {
        for statement in &sequence.statements {
            self.statement(statement);
        }
    }

    /// Statements with a scope of their own.
    fn block(&mut self, sequence: &Sequence) {
        let span = self.to.origins.outermost(sequence.place).span;
        let span = self.to.lexed.until_brace(span);
        let block = self.block.replace(span);
        self.scopes.push(Names::new());
        self.sequence(sequence);
        self.scopes.pop();
        self.block = block;
    }

    fn labels(&mut self, labels: &[Name]) {
        let Some((process, parent)) = self.inside.clone() else {
            return;
        };
        for label in labels {
            let id = self.declare(label, SymbolKind::Label, label.place.span);
            let whole = self.to.builder.symbol(parent).whole;
            let symbol = self.to.builder.symbol(id);
            (symbol.parent, symbol.scope) = (Some(parent), Some(whole));
            // `p@l` is the first of that name.
            let labels = self.labels.entry(process.clone()).or_default();
            labels.entry(label.text.clone()).or_insert(id);
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        self.labels(&statement.labels);
        match &statement.kind {
            StmtKind::Declare(declaration) => self.declaration(declaration),
            StmtKind::Exclusive(_, channels) => channels.iter().for_each(|c| self.reference(c)),
            StmtKind::Unless(a, b) => {
                self.statement(a);
                self.statement(b);
            }
            StmtKind::Assign(to, value) => {
                self.reference(to);
                self.expr(value);
            }
            StmtKind::Increment(to) | StmtKind::Decrement(to) => self.reference(to),
            StmtKind::SetPriority(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            StmtKind::Print(_, values) => self.exprs(values),
            StmtKind::PrintName(value) | StmtKind::Assert(value) | StmtKind::Condition(value) => {
                self.expr(value);
            }
            StmtKind::Send(send) => self.send(send),
            StmtKind::Receive(receive) => self.receive(receive),
            StmtKind::Atomic(inner) | StmtKind::DStep(inner) | StmtKind::Block(inner) => {
                self.block(inner);
            }
            StmtKind::If(options) | StmtKind::Do(options) => {
                options.iter().for_each(|option| self.block(option));
            }
            StmtKind::For(variable, from, to, inner) => {
                self.reference(variable);
                self.expr(from);
                self.expr(to);
                self.block(inner);
            }
            StmtKind::ForIn(variable, over, inner) => {
                self.reference(variable);
                self.reference(over);
                self.block(inner);
            }
            StmtKind::Select(_, variable, from, to) => {
                self.reference(variable);
                self.expr(from);
                self.expr(to);
            }
            StmtKind::Goto(label) => {
                if let Some((process, _)) = &self.inside {
                    self.pending.push(Pending::Label {
                        process: process.clone(),
                        name: label.clone(),
                    });
                }
            }
            StmtKind::Else | StmtKind::Break => {}
        }
    }

    fn send(&mut self, send: &Send) {
        self.reference(&send.channel);
        self.exprs(&send.fields);
    }

    fn receive(&mut self, receive: &Receive) {
        self.reference(&receive.channel);
        for pattern in &receive.fields {
            match pattern {
                Pattern::Reference(reference) => self.reference(reference),
                Pattern::Eval(value) => self.expr(value),
                Pattern::Number(..) => {}
            }
        }
    }

    /// The names of a declaration come to be after the last of them.
    fn declaration(&mut self, declaration: &Declaration) {
        self.type_name(&declaration.kind);
        let kind = |variable: &Declarator| match &variable.initial {
            Some(Initial::Channel(_)) => SymbolKind::Channel,
            _ => SymbolKind::Variable,
        };
        let all = declaration.variables.iter();
        let made: Vec<SymbolId> = all
            .map(|variable| self.variable(declaration, variable, kind(variable)))
            .collect();
        let is_public = declaration.visibility == Some(Visibility::Public);
        for (variable, id) in declaration.variables.iter().zip(made) {
            self.name_in_scope(&variable.name, id);
            if let Some((process, _)) = self.inside.clone().filter(|_| is_public) {
                let fields = self.fields.entry(process).or_default();
                fields.insert(variable.name.text.clone(), id);
            }
        }
    }

    fn variable(
        &mut self,
        declaration: &Declaration,
        variable: &Declarator,
        kind: SymbolKind,
    ) -> SymbolId {
        let mut last = variable.name.place;
        if let Some(size) = &variable.size {
            self.expr(size);
            last = self.to.origins.join(last, size.place);
        }
        if let Some(initial) = &variable.initial {
            last = self.to.origins.join(last, self.initial(initial));
        }
        let whole = self.to.origins.join(declaration.place, last);
        let whole = self.to.origins.outermost(whole).span;
        let id = self.declare(&variable.name, kind, whole);
        let about = values(&declaration.kind, variable.width.map(|(bits, _)| bits));
        let symbol = self.to.builder.symbol(id);
        symbol.about = about;
        symbol.scope = self.block.filter(|_| kind != SymbolKind::Field);
        symbol.parent = self.inside.as_ref().map(|(_, process)| *process);
        if let TypeName::Named(name) | TypeName::Ref(name) = &declaration.kind {
            self.types.insert(id, name.text.clone());
        }
        id
    }

    fn initial(&mut self, initial: &Initial) -> Place {
        match initial {
            Initial::Value(value) => {
                self.expr(value);
                value.place
            }
            Initial::List(values, place) => {
                self.exprs(values);
                *place
            }
            Initial::Channel(channel) => {
                self.channel(channel);
                channel.place
            }
        }
    }

    fn channel(&mut self, channel: &ChannelInit) {
        self.expr(&channel.capacity);
        for (field, _) in &channel.fields {
            self.type_name(field);
        }
    }

    fn type_name(&mut self, kind: &TypeName) {
        match kind {
            TypeName::Named(name) => self.use_of(name),
            TypeName::Ref(name) => self.process_name(name),
            _ => {}
        }
    }

    fn exprs(&mut self, all: &[Expr]) {
        all.iter().for_each(|value| self.expr(value));
    }

    fn expr(&mut self, value: &Expr) {
        match &value.kind {
            ExprKind::Number(_) | ExprKind::Timeout | ExprKind::NonProgress => {}
            ExprKind::Reference(reference) | ExprKind::Probe(_, reference) => {
                self.reference(reference);
            }
            ExprKind::Unary(_, a)
            | ExprKind::Ask(_, a)
            | ExprKind::Temporal(_, a)
            | ExprKind::Member(_, a) => self.expr(a),
            ExprKind::Binary(_, a, b) | ExprKind::Until(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::And(all) | ExprKind::Or(all) => self.exprs(all),
            ExprKind::Choice(three) => self.exprs(&three[..]),
            ExprKind::Run(process, arguments, _) => {
                self.process_name(process);
                self.exprs(arguments);
            }
            ExprKind::Poll(receive) => self.receive(receive),
            ExprKind::AnyRef(name) => self.use_of(name),
            ExprKind::RemoteLabel(process, index, name) => {
                self.process_name(process);
                index.iter().for_each(|index| self.expr(index));
                self.pending.push(Pending::Label {
                    process: process.text.clone(),
                    name: name.clone(),
                });
            }
            ExprKind::RemoteVariable(process, index, part) => {
                self.process_name(process);
                index.iter().for_each(|index| self.expr(index));
                part.index.iter().for_each(|index| self.expr(index));
                self.pending.push(Pending::Variable {
                    process: process.text.clone(),
                    name: part.name.clone(),
                });
            }
        }
    }

    fn reference(&mut self, reference: &Reference) {
        for part in &reference.parts {
            part.index.iter().for_each(|index| self.expr(index));
        }
        let Some((first, rest)) = reference.parts.split_first() else {
            return;
        };
        let Some(id) = self.seen(&first.name.text) else {
            return;
        };
        self.to.builder.refer(first.name.place.span, id);
        if !rest.is_empty() {
            let rest = rest.to_vec();
            self.pending.push(Pending::Fields { of: id, rest });
        }
    }

    fn seen(&self, name: &str) -> Option<SymbolId> {
        let mut scopes = self.scopes.iter().rev();
        let named = scopes.find_map(|names| names.get(name));
        named.or_else(|| self.processes.get(name)).copied()
    }

    fn use_of(&mut self, name: &Name) {
        if let Some(id) = self.seen(&name.text) {
            self.to.builder.refer(name.place.span, id);
        }
    }

    fn process_name(&mut self, name: &Name) {
        if let Some(&id) = self.processes.get(&name.text) {
            self.to.builder.refer(name.place.span, id);
        }
    }

    /// Looks up what may be declared later.
    fn settle(&mut self, pending: &Pending) {
        let (inside, name) = match pending {
            Pending::Label { process, name } => (self.labels.get(process), name),
            Pending::Variable { process, name } => (self.insides.get(process), name),
            Pending::Fields { of, rest } => return self.settle_fields(*of, rest),
        };
        if let Some(&id) = inside.and_then(|names| names.get(&name.text)) {
            self.to.builder.refer(name.place.span, id);
        }
    }

    fn settle_fields(&mut self, of: SymbolId, rest: &[ReferencePart]) {
        let mut at = of;
        for part in rest {
            let fields = self.types.get(&at).and_then(|ty| self.fields.get(ty));
            let Some(&field) = fields.and_then(|all| all.get(&part.name.text)) else {
                return;
            };
            self.to.builder.refer(part.name.place.span, field);
            at = field;
        }
    }

    fn declare(&mut self, name: &Name, kind: SymbolKind, whole: Span) -> SymbolId {
        let span = name.place.span;
        let is_inside = whole.start <= span.start && span.end <= whole.end;
        let is_inside = is_inside && whole.source == span.source;
        self.to.builder.declare(Symbol {
            name: name.text.to_string(),
            kind,
            span,
            whole: if is_inside { whole } else { span },
            parent: None,
            scope: None,
            about: String::new(),
        })
    }

    /// From here on the name can be seen in this block.
    fn name_in_scope(&mut self, name: &Name, id: SymbolId) {
        let scope = self.scopes.last_mut().expect("the model is around all");
        scope.insert(name.text.clone(), id);
        if let Some((process, _)) = self.inside.clone() {
            let inside = self.insides.entry(process).or_default();
            inside.entry(name.text.clone()).or_insert(id);
        }
    }

    /// From a name to the end of what it names, its brace included.
    fn whole_of(&mut self, name: &Name, body: Place) -> Span {
        let whole = self.to.origins.join(name.place, body);
        let span = self.to.origins.outermost(whole).span;
        self.to.lexed.until_brace(span)
    }
}

/// What a variable of a type holds.
fn values(kind: &TypeName, bits: Option<i32>) -> String {
    match kind {
        TypeName::Bit | TypeName::Bool => "values 0 and 1".to_owned(),
        TypeName::Byte | TypeName::Pid => "values 0 to 255".to_owned(),
        TypeName::Short => "values -32768 to 32767".to_owned(),
        TypeName::Int => "values -2147483648 to 2147483647".to_owned(),
        TypeName::Unsigned => match bits.filter(|bits| (1..=32).contains(bits)) {
            Some(bits) => format!("values 0 to {}", (1_u64 << bits) - 1),
            None => String::new(),
        },
        TypeName::Mtype(None) => "a name of mtype, or 0".to_owned(),
        TypeName::Mtype(Some(set)) => format!("a name of mtype:{}, or 0", set.text),
        TypeName::Chan => "a channel".to_owned(),
        TypeName::Named(name) => format!("of type {}", name.text),
        TypeName::Ref(process) => format!("an instance of {}", process.text),
    }
}

/// Where assertions are.
pub(super) fn assertions(sequence: &typed::Sequence) -> Vec<Place> {
    use typed::StmtKind as S;
    let mut all = Vec::new();
    let mut open: Vec<&typed::Stmt> = sequence.statements.iter().collect();
    while let Some(statement) = open.pop() {
        match &statement.kind {
            S::Assert(_) => all.push(statement.place),
            S::Unless(a, b) => open.extend([&**a, &**b]),
            S::Atomic(inner)
            | S::DStep(inner)
            | S::Block(inner)
            | S::For(.., inner)
            | S::ForArray(.., inner)
            | S::ForChannel(.., inner) => open.extend(&inner.statements),
            S::If(options) | S::Do(options) => {
                open.extend(options.iter().flat_map(|option| &option.statements));
            }
            _ => {}
        }
    }
    all
}
