//! The last round over declarations: names on right-hand sides.

use super::declare::bound;
use super::scope::{FrameId, Visibility};
use super::{DefId, DefKind, Resolver};
use crate::ast::{
    Assertion, BracketElements, Claim, Decl, DeclKind, Expr, ExprKind, Function, Pattern,
    PrefixField, Process, ProcessOp, ReplicatedOp, Scheme, Statement,
};
use crate::typeck::prelude::{self, BuiltinScope};
use base::{Diagnostic, Span, quote};

impl<'a> Resolver<'a, '_> {
    /// Right-hand sides of a list, with what each declaration uses and declares.
    pub(super) fn right_hand_sides(&mut self, decls: &'a [Decl]) {
        for decl in decls {
            let binds = bound(self, decl);
            self.names.binds.insert(decl, binds);
            for def in self.names.binds(decl).to_vec() {
                self.names.wholes.insert(def, decl.span);
            }
            self.uses.push(Vec::new());
            self.right_hand_side(decl);
            let mut uses = self.uses.pop().unwrap_or_default();
            uses.sort_unstable();
            uses.dedup();
            if let Some(outer) = self.uses.last_mut() {
                outer.extend(&uses);
            }
            self.names.uses.insert(decl, uses);
        }
    }

    fn right_hand_side(&mut self, decl: &'a Decl) {
        match &decl.kind {
            DeclKind::Function(function) => self.function(function),
            DeclKind::Let { pattern, value } => self.let_pattern(pattern, value),
            DeclKind::Annotation { .. } | DeclKind::Transparent(_) | DeclKind::External(_) => {}
            DeclKind::Channel { names, fields, .. } => {
                let first = names.first().and_then(|name| self.names.def(name));
                self.annotated(first, |this| this.maybe(fields.as_ref()));
            }
            DeclKind::Datatype(datatype) => {
                for (name, fields) in &datatype.constructors {
                    let def = self.names.def(name);
                    self.annotated(def, |this| this.maybe(fields.as_ref()));
                }
            }
            DeclKind::Subtype(subtype) => {
                for (name, fields) in &subtype.constructors {
                    let def = self.find_value(name);
                    let kind = def.map(|def| self.names.kind(def));
                    if kind.is_some_and(|kind| !matches!(kind, DefKind::Constructor(_))) {
                        let message = format!("{} is not a constructor", quote(&name.text));
                        self.error(Diagnostic::error(name.span, message));
                    }
                    self.maybe(fields.as_ref());
                }
            }
            DeclKind::Nametype { name, value, .. } => {
                let def = self.names.def(name);
                self.annotated(def, |this| this.expr(value));
            }
            DeclKind::Assert(assertion) => self.assertion(assertion),
            DeclKind::Print(value) => self.expr(value),
            DeclKind::Module(module) => self.module(module),
            DeclKind::Instance { of, arguments, .. } => {
                if let Some(target) = self.names.def(of) {
                    self.used(target);
                }
                for argument in arguments {
                    self.expr(argument);
                }
            }
            DeclKind::Timed { durations, decls } => self.timed(decl, durations.as_ref(), decls),
        }
    }

    fn module(&mut self, module: &'a crate::ast::Module) {
        let known = self.names.def(&module.name);
        let Some(inner) = known.and_then(|def| self.names.modules.get(&def)) else {
            return;
        };
        let inner = inner.frame;
        self.within(&module.name, Some(inner), |this| {
            let frame = this.push_scope();
            let all = module.private.iter().chain(&module.exports);
            let all: Vec<&'a Decl> = all.collect();
            for parameter in &module.parameters {
                this.pattern(parameter, frame, DefKind::Variable, Visibility::Public);
            }
            this.parameters_beside_members(&module.parameters, inner);
            this.annotations(&all);
            this.right_hand_sides(&module.private);
            this.right_hand_sides(&module.exports);
        });
    }

    /// A parameter of a module may not be called like a definition in it.
    fn parameters_beside_members(&mut self, parameters: &'a [Pattern], inner: FrameId) {
        let mut all = Vec::new();
        for parameter in parameters {
            super::declare::names(parameter, &mut all);
        }
        for name in all {
            let member = self.names.frames[inner.index()].names.get(&name.text);
            let Some(member) = member.map(|entry| entry.def) else {
                continue;
            };
            if name.modules.is_empty() && self.names.def(name) != Some(member) {
                let first = self.names.defs[member.index()].span;
                self.twice(name, first);
            }
        }
    }

    fn timed(&mut self, decl: &'a Decl, durations: Option<&'a Expr>, decls: &'a [Decl]) {
        self.maybe(durations);
        match self.look_up("tock") {
            Some(def) => {
                self.used(def);
                self.names.tocks.insert(decl, def);
            }
            None => {
                let message = "a timed section needs the event `tock`";
                let error = Diagnostic::error(decl.span, message);
                self.error(error.note("declare it: `channel tock`"));
            }
        }
        let frame = self.push_scope();
        for (index, entry) in prelude::ALL.iter().enumerate() {
            if entry.place == BuiltinScope::Timed {
                let def = self.new_def(entry.name.into(), None, DefKind::BuiltIn(index));
                self.put(frame, entry.name.into(), def, Visibility::Public);
            }
        }
        self.right_hand_sides(decls);
        self.pop_scope();
    }

    /// Does something where the type variables of a definition's written type are in scope.
    fn annotated(&mut self, def: Option<DefId>, inside: impl FnOnce(&mut Self)) {
        let scheme = def.and_then(|def| self.names.annotations.get(&def));
        let scheme: Option<&'a Scheme> = scheme.copied();
        if let Some(scheme) = scheme {
            self.open_scheme(scheme);
        }
        inside(self);
        if scheme.is_some() {
            self.close_scheme();
        }
    }

    fn function(&mut self, function: &'a Function) {
        let def = self.names.def(&function.name);
        self.annotated(def, |this| {
            for (n, clause) in function.clauses.iter().enumerate() {
                if let Some(def) = def.filter(|_| n > 0) {
                    let start = clause.span.start;
                    let end = start + function.name.text.len() as u32;
                    let name = Span {
                        start,
                        end,
                        ..clause.span
                    };
                    this.names.places.push((name, def));
                }
                this.extents.push(clause.span);
                let frame = this.push_scope();
                for pattern in clause.parameters.iter().flatten() {
                    this.pattern(pattern, frame, DefKind::Variable, Visibility::Public);
                }
                this.expr(&clause.body);
                this.pop_scope();
                this.extents.pop();
            }
        });
    }

    fn let_pattern(&mut self, pattern: &'a Pattern, value: &'a Expr) {
        let mut names = Vec::new();
        super::declare::names(pattern, &mut names);
        for name in names {
            if !name.modules.is_empty() {
                let frame = self.scopes.last().copied();
                let Some(frame) = frame else { continue };
                self.pattern_name(name, frame, DefKind::Variable, Visibility::Public);
                continue;
            }
            let def = self.names.def(name);
            let is_label = |def| {
                let kind = self.names.kind(def);
                matches!(kind, DefKind::Channel | DefKind::Constructor(_))
            };
            if let Some(def) = def.filter(|&def| is_label(def)) {
                self.used(def);
            }
            // Each name may have a written type of its own.
            self.annotated(def, |_| {});
        }
        self.expr(value);
    }

    fn assertion(&mut self, assertion: &'a Assertion) {
        match &assertion.claim {
            Claim::Refines {
                spec,
                implementation,
                ..
            } => {
                self.expr(spec);
                self.expr(implementation);
            }
            Claim::Has { process, .. } => self.expr(process),
            Claim::HasTrace { process, trace, .. } => {
                self.expr(process);
                self.expr(trace);
            }
            Claim::Truth(value) => self.expr(value),
        }
        for (_, value) in &assertion.options {
            self.maybe(value.as_ref());
        }
    }

    fn maybe(&mut self, value: Option<&'a Expr>) {
        if let Some(value) = value {
            self.expr(value);
        }
    }

    fn all(&mut self, values: &'a [Expr]) {
        for value in values {
            self.expr(value);
        }
    }

    fn expr(&mut self, value: &'a Expr) {
        use ExprKind::{Closure, Lambda, Let, Process, Sequence, Set};
        let has_scope = matches!(
            value.kind,
            Closure(_) | Lambda(..) | Let(..) | Process(_) | Sequence(_) | Set(_)
        );
        if has_scope {
            self.extents.push(value.span);
        }
        self.expr_inside(value);
        if has_scope {
            self.extents.pop();
        }
    }

    fn expr_inside(&mut self, value: &'a Expr) {
        match &value.kind {
            ExprKind::Name(name) => {
                self.find_value(name);
            }
            ExprKind::Number(_) | ExprKind::Bool(_) | ExprKind::Char(_) | ExprKind::Text(_) => {}
            ExprKind::Brackets(inner) | ExprKind::Unary(_, inner) => self.expr(inner),
            ExprKind::Tuple(all) => self.all(all),
            ExprKind::Sequence(elements)
            | ExprKind::Set(elements)
            | ExprKind::Closure(elements) => {
                self.elements(elements);
            }
            ExprKind::Map(pairs) => {
                for (key, value) in pairs {
                    self.expr(key);
                    self.expr(value);
                }
            }
            ExprKind::Apply(function, arguments) => {
                self.expr(function);
                self.all(arguments);
            }
            ExprKind::Lambda(parameters, body) => {
                // As in FDR, each parameter hides those before it: `\ x, x @ x` is the second.
                for parameter in parameters {
                    let frame = self.push_scope();
                    self.pattern(parameter, frame, DefKind::Variable, Visibility::Public);
                }
                self.expr(body);
                for _ in parameters {
                    self.pop_scope();
                }
            }
            ExprKind::Let(decls, body) => {
                let path = std::mem::take(&mut self.path);
                let frame = self.push_scope();
                self.list(decls, frame);
                self.expr(body);
                self.pop_scope();
                self.path = path;
            }
            ExprKind::If(a, b, c) => {
                self.expr(a);
                self.expr(b);
                self.expr(c);
            }
            ExprKind::Binary(_, a, b) | ExprKind::Dot(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Process(process) => self.process(process),
        }
    }

    fn elements(&mut self, elements: &'a BracketElements) {
        match elements {
            BracketElements::List(all) => self.all(all),
            BracketElements::Range(from, to) => {
                self.expr(from);
                self.maybe(to.as_deref());
            }
            BracketElements::Such(all, such) => self.such(such, |this| this.all(all)),
            BracketElements::RangeSuch(from, to, such) => self.such(such, |this| {
                this.expr(from);
                this.maybe(to.as_deref());
            }),
        }
    }

    /// Does something where the names of `statements` are in scope.
    fn such(&mut self, statements: &'a [Statement], inside: impl FnOnce(&mut Self)) {
        let frame = self.push_scope();
        for statement in statements {
            match statement {
                Statement::From(pattern, from) => {
                    self.expr(from);
                    self.pattern(pattern, frame, DefKind::Variable, Visibility::Public);
                }
                Statement::If(condition) => self.expr(condition),
            }
        }
        inside(self);
        self.pop_scope();
    }

    fn pairs(&mut self, pairs: &'a [(Expr, Expr)]) {
        for (left, right) in pairs {
            self.expr(left);
            self.expr(right);
        }
    }

    fn process(&mut self, process: &'a Process) {
        match process {
            Process::Prefix {
                event,
                fields,
                then,
            } => self.prefix(event, fields, then),
            Process::Guard(a, b) | Process::Hide(a, b) | Process::Project(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            Process::Binary(op, a, b) => {
                self.expr(a);
                self.expr(b);
                match op {
                    ProcessOp::Parallel(set)
                    | ProcessOp::Exception(set)
                    | ProcessOp::SyncExternal(set)
                    | ProcessOp::SyncInterrupt(set) => self.expr(set),
                    ProcessOp::Alphabetised(left, right) => {
                        self.expr(left);
                        self.expr(right);
                    }
                    ProcessOp::External
                    | ProcessOp::Internal
                    | ProcessOp::Then
                    | ProcessOp::Interrupt
                    | ProcessOp::Slide
                    | ProcessOp::Interleave => {}
                }
            }
            Process::Rename {
                process,
                pairs,
                such,
            } => {
                self.expr(process);
                self.such(such, |this| this.pairs(pairs));
            }
            Process::Link {
                left,
                pairs,
                such,
                right,
            } => {
                self.expr(left);
                self.expr(right);
                self.such(such, |this| this.pairs(pairs));
            }
            Process::Replicated { op, over, body } => self.replicated(op, over, body),
        }
    }

    fn replicated(&mut self, op: &'a ReplicatedOp, over: &'a [Statement], body: &'a Expr) {
        if let ReplicatedOp::Parallel(set) | ReplicatedOp::SyncExternal(set) = op {
            self.expr(set);
        }
        self.such(over, |this| {
            match op {
                ReplicatedOp::Alphabetised(set) => this.expr(set),
                ReplicatedOp::Link(pairs, such) => this.such(such, |this| this.pairs(pairs)),
                _ => {}
            }
            this.expr(body);
        });
    }

    /// Fields are taken from left to right, each in sight of the variables before it.
    fn prefix(&mut self, event: &'a Expr, fields: &'a [PrefixField], then: &'a Expr) {
        self.expr(event);
        let frame = self.push_scope();
        for field in fields {
            match field {
                PrefixField::Output(value) => self.expr(value),
                PrefixField::Input(pattern, set) | PrefixField::Choose(pattern, set) => {
                    self.maybe(set.as_ref());
                    self.pattern(pattern, frame, DefKind::Variable, Visibility::Public);
                }
            }
        }
        self.expr(then);
        self.pop_scope();
    }
}
