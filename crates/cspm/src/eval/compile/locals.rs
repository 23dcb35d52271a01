//! Functions, and the definitions of a `let`.
//!
//! Definitions are made in an order in which each comes after those it needs. One that needs no
//! other of its layer is a value in a slot, put off. Those that need each other, or themselves,
//! become a group: a frame whose slot 0 is the group, so that members reach each other through it.

use super::super::builtin;
use super::super::code::{
    CaptureSite, ClauseCode, ExprCode, FnCode, GroupCode, GroupMember, LetStep, MemberKind, Pat,
};
use super::frame::NameLocation;
use super::{Compiler, Timed, uses};
use crate::ast::{Clause, Decl, DeclKind, Expr, Function, Pattern};
use crate::value::{FnId, GroupId};
use base::Span;
use std::sync::Arc;

/// A definition of a `let`.
struct Local<'e> {
    decl: LocalDecl<'e>,
    timed: Option<Timed>,
}

enum LocalDecl<'e> {
    Function(&'e Function),
    Pattern(&'e Pattern, &'e Expr),
    /// The function of a timed section, under a name that no script can write.
    Hidden(Arc<str>, &'e Expr),
}

impl Local<'_> {
    fn names(&self, compiler: &Compiler<'_, '_>) -> Vec<Arc<str>> {
        match &self.decl {
            LocalDecl::Function(function) => vec![function.name.text.clone()],
            LocalDecl::Hidden(name, _) => vec![name.clone()],
            LocalDecl::Pattern(pattern, _) => compiler.variables(pattern),
        }
    }

    fn function(&self) -> Option<Arc<str>> {
        match &self.decl {
            LocalDecl::Function(function) => Some(function.name.text.clone()),
            LocalDecl::Pattern(..) | LocalDecl::Hidden(..) => None,
        }
    }

    fn uses(&self) -> uses::MentionedNames {
        let mut names = uses::MentionedNames::new();
        match &self.decl {
            LocalDecl::Function(function) => {
                let bodies = function.clauses.iter().map(|clause| &clause.body);
                bodies.for_each(|body| uses::in_expr(body, &mut names));
            }
            LocalDecl::Pattern(_, value) | LocalDecl::Hidden(_, value) => {
                uses::in_expr(value, &mut names);
            }
        }
        names.extend(
            self.timed
                .iter()
                .filter_map(|timed| timed.durations.clone()),
        );
        names
    }
}

impl Compiler<'_, '_> {
    /// The variables of a pattern: its names that are no constructors or channels.
    pub fn variables(&self, pattern: &Pattern) -> Vec<Arc<str>> {
        let mut names = Vec::new();
        uses::candidates(pattern, &mut names);
        names.retain(|name| self.label(name).is_none());
        names.into_iter().map(|name| name.text.clone()).collect()
    }

    /// A function of the given equations.
    pub fn function(&mut self, name: &Arc<str>, clauses: &[Clause]) -> CaptureSite<FnId> {
        let lists: Box<[usize]> = clauses[0].parameters.iter().map(Vec::len).collect();
        let mut known = self.local_kinds();
        let kind = self.clauses_kind(clauses, &mut known, self.scope);
        self.open();
        let n_arguments: usize = lists.iter().sum();
        (0..n_arguments).for_each(|_| _ = self.slot());
        let mut compiled = Vec::new();
        for clause in clauses {
            if !clause
                .parameters
                .iter()
                .map(Vec::len)
                .eq(lists.iter().copied())
            {
                let words =
                    format!("the equations of `{name}` take different numbers of arguments");
                self.wrong(clause.span, words);
                continue;
            }
            let mark = self.mark();
            let parameters = clause.parameters.iter().flatten();
            let patterns: Box<[Pat]> = parameters.map(|p| self.pattern(p)).collect();
            let body = self.expr(&clause.body);
            self.forget(mark);
            compiled.push(ClauseCode { patterns, body });
        }
        let is_process = kind == Some(lists.len());
        let named = (name.clone(), clauses[0].span);
        self.finish_function(named, lists, compiled, is_process)
    }

    /// `\ x, y @ e`
    pub fn lambda(&mut self, patterns: &[Pattern], body: &Expr) -> CaptureSite<FnId> {
        let mut known = self.local_kinds();
        known.extend(
            patterns
                .iter()
                .flat_map(|p| self.variables(p))
                .map(|name| (name, None)),
        );
        let is_process = self.kind(body, &mut known, self.scope) == Some(0);
        self.open();
        patterns.iter().for_each(|_| _ = self.slot());
        let patterns: Box<[Pat]> = patterns.iter().map(|p| self.pattern(p)).collect();
        let lists = [patterns.len()].into();
        let span = body.span;
        let body = self.expr(body);
        let name = Arc::from(format!("\\ in {}", self.within));
        let clauses = vec![ClauseCode { patterns, body }];
        self.finish_function((name, span), lists, clauses, is_process)
    }

    fn finish_function(
        &mut self,
        named: (Arc<str>, Span),
        lists: Box<[usize]>,
        clauses: Vec<ClauseCode>,
        is_process: bool,
    ) -> CaptureSite<FnId> {
        let closed = self.close();
        let id = FnId::new(self.program.functions.len());
        self.program.functions.push(FnCode {
            name: named.0,
            span: named.1,
            lists,
            clauses,
            own: closed.own,
            n_slots: closed.n_slots,
            is_process,
        });
        CaptureSite {
            id,
            from: closed.from,
        }
    }

    /// `let … within e`
    pub fn let_expr(&mut self, decls: &[Decl], body: &Expr) -> ExprCode {
        let mark = self.mark();
        let timed = self.timed.clone();
        let mut locals = Vec::new();
        self.collect(decls, timed.as_ref(), &mut locals);
        let mut known = self.local_kinds();
        let n_known = known.len();
        self.let_kinds(decls, &mut known, self.scope);
        let kinds = known.split_off(n_known);
        let kind_of = |name: &str| {
            kinds
                .iter()
                .rev()
                .find(|(n, _)| &**n == name)
                .and_then(|k| k.1)
        };

        let names: Vec<Vec<Arc<str>>> = locals.iter().map(|local| local.names(self)).collect();
        let uses: Vec<uses::MentionedNames> = locals.iter().map(Local::uses).collect();
        let needs: Vec<Vec<usize>> = uses
            .iter()
            .map(|used| {
                (0..names.len())
                    .filter(|&j| names[j].iter().any(|n| used.contains(n)))
                    .collect()
            })
            .collect();
        let n_hidden = self.hidden.len();
        self.hidden
            .extend(locals.iter().filter_map(Local::function));
        let mut steps = Vec::new();
        for (layer, is_cycle) in uses::layers(&needs) {
            let members: Vec<&Local<'_>> = layer.iter().map(|&i| &locals[i]).collect();
            if is_cycle {
                self.group(&members, &kind_of, &mut steps);
            } else {
                self.plain(members[0], &kind_of, &mut steps);
            }
        }
        self.timed = timed;
        let body = self.expr(body);
        self.forget(mark);
        self.hidden.truncate(n_hidden);
        ExprCode::Let(steps.into(), Box::new(body))
    }

    fn collect<'e>(&mut self, decls: &'e [Decl], timed: Option<&Timed>, out: &mut Vec<Local<'e>>) {
        for decl in decls {
            let decl = match &decl.kind {
                DeclKind::Function(function) => LocalDecl::Function(function),
                DeclKind::Let { pattern, value } => LocalDecl::Pattern(pattern, value),
                DeclKind::Transparent(names) | DeclKind::External(names) => {
                    for name in names {
                        if let Some(found) = builtin::find(&name.text, true) {
                            let kind = builtin::entry(found).op.is_process().then_some(1);
                            self.bind_local(&name.text, NameLocation::BuiltIn(found), kind);
                            self.remark_on(found, name);
                        }
                    }
                    continue;
                }
                DeclKind::Timed { durations, decls } => {
                    let hidden = durations.as_ref().map(|value| {
                        let name: Arc<str> = Arc::from(format!("%timed at {}", value.span.start));
                        let decl = LocalDecl::Hidden(name.clone(), value);
                        out.push(Local { decl, timed: None });
                        name
                    });
                    let inner = self.with_tock(Timed {
                        durations: hidden,
                        tock: None,
                    });
                    self.collect(decls, Some(&inner), out);
                    continue;
                }
                _ => continue,
            };
            let timed = timed.cloned();
            out.push(Local { decl, timed });
        }
    }

    /// A definition that does not need itself.
    fn plain(
        &mut self,
        local: &Local<'_>,
        kind_of: &dyn Fn(&str) -> Option<usize>,
        steps: &mut Vec<LetStep>,
    ) {
        self.timed = local.timed.clone();
        match &local.decl {
            LocalDecl::Function(function) if !function.clauses[0].parameters.is_empty() => {
                let name = &function.name.text;
                let site = self.function(&local_name(name), &function.clauses);
                self.keep(name, ExprCode::Lambda(site), kind_of(name), steps);
            }
            LocalDecl::Function(function) => {
                let name = &function.name.text;
                let value = self.delayed(&function.clauses[0].body);
                self.keep(name, value, kind_of(name), steps);
            }
            LocalDecl::Hidden(name, value) => {
                let value = self.delayed(value);
                self.keep(name, value, None, steps);
            }
            LocalDecl::Pattern(pattern, value) => {
                let hidden: Arc<str> = Arc::from("%value");
                let value = self.delayed(value);
                self.keep(&hidden, value, None, steps);
                for name in self.variables(pattern) {
                    let part = self.part(&hidden, pattern, &name);
                    self.keep(&name, ExprCode::Lazy(part), None, steps);
                }
            }
        }
    }

    /// What a variable of a pattern is in the local value `hidden`.
    fn part(
        &mut self,
        hidden: &Arc<str>,
        pattern: &Pattern,
        name: &str,
    ) -> CaptureSite<crate::value::LazyId> {
        self.suspended(pattern.span, |c| {
            let value = c.named(hidden, pattern.span);
            c.select(value, pattern, name)
        })
    }

    fn keep(
        &mut self,
        name: &Arc<str>,
        value: ExprCode,
        kind: Option<usize>,
        steps: &mut Vec<LetStep>,
    ) {
        let slot = self.slot();
        steps.push(LetStep::Value(slot, value));
        self.bind_local(name, NameLocation::Slot(slot), kind);
    }

    /// Definitions that need each other.
    fn group(
        &mut self,
        locals: &[&Local<'_>],
        kind_of: &dyn Fn(&str) -> Option<usize>,
        steps: &mut Vec<LetStep>,
    ) {
        // The members in order, hidden values of patterns before their parts.
        let mut plan: Vec<(Arc<str>, usize, Option<Arc<str>>)> = Vec::new();
        for (i, local) in locals.iter().enumerate() {
            if let LocalDecl::Pattern(pattern, _) = &local.decl {
                let hidden: Arc<str> = Arc::from(format!("%value at {}", pattern.span.start));
                plan.push((hidden.clone(), i, None));
                let parts = self.variables(pattern).into_iter();
                plan.extend(parts.map(|name| (name, i, Some(hidden.clone()))));
            } else {
                plan.extend(local.names(self).into_iter().map(|name| (name, i, None)));
            }
        }
        self.open();
        let own = self.slot();
        for (index, (name, ..)) in plan.iter().enumerate() {
            self.bind_local(name, NameLocation::Member(own, index as u32), kind_of(name));
        }
        let mut members = Vec::new();
        for (name, i, hidden) in &plan {
            self.timed = locals[*i].timed.clone();
            let kind = self.member(&locals[*i].decl, name, hidden.as_ref());
            members.push(GroupMember {
                name: local_name(name),
                is_process: kind_of(name) == Some(0),
                kind,
            });
        }
        let closed = self.close();
        let id = GroupId::new(self.program.groups.len());
        self.program.groups.push(GroupCode {
            members,
            own: closed.own,
        });
        let slot = self.slot();
        steps.push(LetStep::Group(
            slot,
            CaptureSite {
                id,
                from: closed.from,
            },
        ));
        for (index, (name, ..)) in plan.iter().enumerate() {
            self.bind_local(
                name,
                NameLocation::Member(slot, index as u32),
                kind_of(name),
            );
        }
    }

    fn member(
        &mut self,
        decl: &LocalDecl<'_>,
        name: &Arc<str>,
        hidden: Option<&Arc<str>>,
    ) -> MemberKind {
        match (decl, hidden) {
            (LocalDecl::Pattern(pattern, _), Some(hidden)) => {
                MemberKind::Value(self.part(hidden, pattern, name))
            }
            (LocalDecl::Function(function), _) if !function.clauses[0].parameters.is_empty() => {
                MemberKind::Function(self.function(&local_name(name), &function.clauses))
            }
            (LocalDecl::Function(function), _) => {
                let body = &function.clauses[0].body;
                MemberKind::Value(self.suspended(body.span, |c| c.expr(body)))
            }
            (LocalDecl::Pattern(_, value) | LocalDecl::Hidden(_, value), _) => {
                MemberKind::Value(self.suspended(value.span, |c| c.expr(value)))
            }
        }
    }

    /// The local variable `name`, which is there.
    pub fn named(&mut self, name: &str, span: Span) -> ExprCode {
        match self.local(name) {
            Some(NameLocation::Slot(slot)) => ExprCode::Slot(slot),
            Some(NameLocation::Member(slot, index)) => ExprCode::Member(slot, index),
            _ => ExprCode::Refused("a local value is missing".into(), span),
        }
    }
}

/// How a local definition is called in messages.
fn local_name(name: &str) -> Arc<str> {
    Arc::from(format!("let {name}"))
}
