//! The types of declarations.

use super::groups::DeclarationScope;
use super::types::{Ty, TypeClass, TypeNode};
use super::{Checked, Checker, Reported};
use crate::ast::{
    Assertion, Claim, Clause, Datatype, Decl, DeclKind, Expr, Function, Name, Pattern, Scheme,
};
use crate::resolve::DefId;
use base::{Diagnostic, Span, quote};

impl<'a> Checker<'a> {
    /// Checks a declaration whose names have new types; says what these are.
    pub(super) fn decl(&mut self, decl: &'a Decl, scope: DeclarationScope) -> Checked<()> {
        match &decl.kind {
            DeclKind::Function(function) => self.function(function),
            DeclKind::Let { pattern, value } => self.let_pattern(pattern, value),
            DeclKind::Annotation { .. } | DeclKind::Transparent(_) | DeclKind::External(_) => {
                self.old_imports(decl);
                Ok(())
            }
            DeclKind::Channel { names, fields, .. } => self.channel(names, fields.as_ref()),
            DeclKind::Datatype(datatype) => self.datatype(datatype),
            DeclKind::Subtype(subtype) => self.subtype(subtype),
            DeclKind::Nametype { name, value, .. } => self.nametype(name, value),
            DeclKind::Assert(assertion) => self.assertion(assertion),
            DeclKind::Print(value) => self.infer(value).map(|_| ()),
            DeclKind::Module(module) => self.module(module),
            DeclKind::Instance { arguments, .. } => self.instance(decl, arguments, scope),
            DeclKind::Timed { durations, .. } => self.timed(decl, durations.as_ref()),
        }
    }

    /// Old names of functions that are asked for.
    fn old_imports(&mut self, decl: &'a Decl) {
        if let DeclKind::Transparent(names) | DeclKind::External(names) = &decl.kind {
            for name in names {
                self.warn_if_old(name);
            }
        }
    }

    fn def(&self, name: &Name) -> Checked<DefId> {
        // A name that is declared twice has no definition of its own, and was reported.
        self.names.def(name).ok_or(Reported)
    }

    fn function(&mut self, function: &'a Function) -> Checked<()> {
        let def = self.def(&function.name)?;
        let own = self.own_type(def);
        let written = self.written_type(def)?;
        if let Some(written) = written {
            self.equal(function.name.span, own, written, "")?;
        }
        let first = function.clauses.first();
        let shape: Vec<usize> = first.map_or(Vec::new(), lengths);
        for clause in &function.clauses {
            if lengths(clause) != shape {
                return Err(self.uneven(function, clause));
            }
            match written {
                Some(written) => self.clause_of_type(clause, written)?,
                None => {
                    let ty = self.clause(clause)?;
                    self.equal(clause.span, own, ty, "this equation")?;
                }
            }
        }
        Ok(())
    }

    fn uneven(&mut self, function: &Function, clause: &Clause) -> Reported {
        let name = quote(&function.name.text);
        let message = format!("the equations of {name} have different numbers of parameters");
        let first = function.clauses.first().map(|c| c.span);
        let mut error = Diagnostic::error(clause.span, message);
        if let Some(first) = first {
            error = error.and(first, "the first equation");
        }
        self.report(error)
    }

    /// The type of one equation. The longest match is taken for dots in patterns; what the
    /// right-hand side says about them is seen by working them out once more.
    fn clause(&mut self, clause: &'a Clause) -> Checked<Ty> {
        self.patterns(clause)?;
        let body = self.infer(&clause.body)?;
        let mut result = self.evaluated(clause.body.span, body)?;
        let groups = self.patterns(clause)?;
        for group in groups.into_iter().rev() {
            result = self.solver.types.function(group, result);
        }
        Ok(result)
    }

    fn patterns(&mut self, clause: &'a Clause) -> Checked<Vec<Vec<Ty>>> {
        let mut groups = Vec::new();
        for group in &clause.parameters {
            let mut all = Vec::new();
            for pattern in group {
                let ty = self.pattern(pattern)?;
                all.push(self.evaluated(pattern.span, ty)?);
            }
            groups.push(all);
        }
        Ok(groups)
    }

    /// Checks an equation of a function whose type is written down.
    fn clause_of_type(&mut self, clause: &'a Clause, written: Ty) -> Checked<()> {
        let types = &mut self.solver.types;
        let result = types.fresh();
        let mut groups: Vec<Vec<Ty>> = Vec::new();
        for group in &clause.parameters {
            groups.push(group.iter().map(|_| types.fresh()).collect());
        }
        let groups_in_order = groups.iter().rev().cloned();
        let shape = groups_in_order.fold(result, |result, group| types.function(group, result));
        self.equal(clause.span, written, shape, "this equation")?;
        for (patterns, wanted) in clause.parameters.iter().zip(&groups) {
            for (pattern, &wanted) in patterns.iter().zip(wanted) {
                let wanted = self.evaluated(pattern.span, wanted)?;
                let there = self.pattern(pattern)?;
                let there = self.evaluated(pattern.span, there)?;
                self.fits(pattern.span, there, wanted)?;
            }
        }
        let body = self.expect(&clause.body, result, "what the written type says")?;
        self.evaluated(clause.body.span, body)?;
        self.patterns(clause)?;
        Ok(())
    }

    fn let_pattern(&mut self, pattern: &'a Pattern, value: &'a Expr) -> Checked<()> {
        let mut names = Vec::new();
        crate::resolve::pattern_names(pattern, &mut names);
        for name in names {
            let def = self.def(name)?;
            if let Some(written) = self.written_type(def)? {
                let own = self.own_type(def);
                self.equal(name.span, own, written, "")?;
            }
        }
        let there = self.pattern(pattern)?;
        let value_type = self.infer(value)?;
        let there = self.evaluated(pattern.span, there)?;
        let value_type = self.evaluated(value.span, value_type)?;
        self.fits(pattern.span, there, value_type)?;
        Ok(())
    }

    fn channel(&mut self, names: &'a [Name], fields: Option<&'a Expr>) -> Checked<()> {
        let Some(first) = names.first() else {
            return Ok(());
        };
        let event = self.solver.types.event();
        let written = self.written_type(self.def(first)?)?;
        let Some(fields) = fields else {
            if let Some(written) = written {
                let words = "a channel without fields is an `Event`";
                self.equal(first.span, event, written, words)?;
            }
            return self.all_are(names, event);
        };
        let ty = match written {
            None => self.infer(fields)?,
            Some(written) => {
                let (wanted, result) = self.solver.types.parts(written);
                self.equal(first.span, event, result, "a channel becomes an `Event`")?;
                if wanted.is_empty() {
                    let message = format!("the type of {} has no fields", quote(&first.text));
                    return Err(self.report(Diagnostic::error(first.span, message)));
                }
                let types = &mut self.solver.types;
                let sets: Vec<Ty> = wanted.into_iter().map(|ty| types.set(ty)).collect();
                let wanted = types.dots(&sets);
                self.expect(fields, wanted, "what the written type says")?
            }
        };
        let list = self.field_types(fields, ty)?;
        for &field in &list {
            let words = "what a channel carries has to be comparable";
            self.in_class(fields.span, TypeClass::Eq, field, words)?;
        }
        let ty = self.solver.types.dotables(&list, event);
        self.all_are(names, ty)
    }

    fn all_are(&mut self, names: &'a [Name], ty: Ty) -> Checked<()> {
        for name in names {
            let own = self.def(name)?;
            let own = self.own_type(own);
            self.equal(name.span, own, ty, "")?;
        }
        Ok(())
    }

    /// The types of the fields of a channel or constructor, from sets joined by dots.
    fn field_types(&mut self, fields: &'a Expr, ty: Ty) -> Checked<Vec<Ty>> {
        let ty = self.evaluated(fields.span, ty)?;
        let value = self.members(fields.span, ty)?;
        let words = "a field has to be complete: nothing may be missing behind a dot";
        self.in_class(fields.span, TypeClass::Complete, value, words)?;
        Ok(self.solver.types.dot_list(value))
    }

    /// The type of what is in a set, or in a product of sets: `{a}.({b}, {c})` has `a.(b, c)`.
    fn members(&mut self, span: Span, ty: Ty) -> Checked<Ty> {
        match self.solver.types.shape(ty) {
            TypeNode::Tuple(all) => {
                let all: Checked<Vec<Ty>> = all.iter().map(|&t| self.members(span, t)).collect();
                Ok(self.solver.types.tuple(all?))
            }
            TypeNode::Dot(..) => {
                let list = self.solver.types.dot_list(ty);
                let all: Checked<Vec<Ty>> = list.iter().map(|&t| self.members(span, t)).collect();
                Ok(self.solver.types.dots(&all?))
            }
            _ => {
                let member = self.solver.types.fresh();
                let wanted = self.solver.types.set(member);
                self.equal(span, wanted, ty, "the values of a field are a set")?;
                Ok(member)
            }
        }
    }

    fn datatype(&mut self, datatype: &'a Datatype) -> Checked<()> {
        let def = self.def(&datatype.name)?;
        let value = self.solver.types.datatype(def);
        let set = self.solver.types.set(value);
        let own = self.own_type(def);
        self.equal(datatype.name.span, own, set, "")?;
        let mut all = Vec::new();
        for (name, fields) in &datatype.constructors {
            let list = match fields {
                Some(fields) => {
                    let ty = self.infer(fields)?;
                    self.field_types(fields, ty)?
                }
                None => Vec::new(),
            };
            let ty = self.solver.types.dotables(&list, value);
            let constructor = self.def(name)?;
            if let Some(written) = self.written_type(constructor)? {
                self.equal(name.span, written, ty, "what the written type says")?;
            }
            let own = self.own_type(constructor);
            self.equal(name.span, own, ty, "this constructor")?;
            let span = fields.as_ref().map_or(name.span, |fields| fields.span);
            all.extend(list.into_iter().map(|ty| (span, ty)));
        }
        if self.solver.comparable.contains(&def) {
            for (span, ty) in all {
                self.in_class(span, TypeClass::Eq, ty, "")?;
            }
        }
        Ok(())
    }

    fn subtype(&mut self, subtype: &'a Datatype) -> Checked<()> {
        let parent = self.solver.types.fresh();
        for (name, fields) in &subtype.constructors {
            let there = match fields {
                Some(fields) => {
                    let ty = self.infer(fields)?;
                    self.field_types(fields, ty)?
                }
                None => Vec::new(),
            };
            let constructor = self.use_of(name)?;
            let (wanted, result) = self.solver.types.parts(constructor);
            if there.len() > wanted.len() {
                let name = quote(&name.text);
                let (n, m) = (count(wanted.len(), "field"), given(there.len()));
                let message = format!("the constructor {name} has {n}, and {m}");
                let span = fields.as_ref().map_or(subtype.name.span, |f| f.span);
                return Err(self.report(Diagnostic::error(span, message)));
            }
            let words = "all constructors of a subtype belong to one datatype";
            self.equal(name.span, parent, result, words)?;
            for (&wanted, &there) in wanted.iter().zip(&there) {
                let span = fields.as_ref().map_or(name.span, |f| f.span);
                self.equal(span, wanted, there, "a field of the subtype")?;
            }
        }
        let own = self.def(&subtype.name)?;
        let own = self.own_type(own);
        let set = self.solver.types.set(parent);
        self.equal(subtype.name.span, own, set, "")?;
        Ok(())
    }

    fn nametype(&mut self, name: &'a Name, value: &'a Expr) -> Checked<()> {
        let def = self.def(name)?;
        let ty = match self.written_type(def)? {
            Some(written) => self.expect(value, written, "what the written type says")?,
            None => self.infer(value)?,
        };
        let member = self.members(value.span, ty)?;
        let words = "a named type has complete values: nothing may be missing behind a dot";
        self.in_class(value.span, TypeClass::Complete, member, words)?;
        let set = self.solver.types.set(member);
        let own = self.own_type(def);
        self.equal(name.span, own, set, "")?;
        Ok(())
    }

    fn assertion(&mut self, assertion: &'a Assertion) -> Checked<()> {
        let words = "what is asserted is about processes";
        match &assertion.claim {
            Claim::Refines {
                spec,
                implementation,
                ..
            } => {
                self.process_of(spec, words)?;
                self.process_of(implementation, words)?;
            }
            Claim::Has { process, .. } => self.process_of(process, words)?,
            Claim::HasTrace { process, trace, .. } => {
                self.process_of(process, words)?;
                let event = self.solver.types.event();
                let trace_type = self.solver.types.seq(event);
                self.expect(trace, trace_type, "a trace is a sequence of events")?;
            }
            Claim::Truth(value) => {
                let bool = self.solver.types.bool();
                self.expect(value, bool, "what is asserted is true or false")?;
            }
        }
        for (_, set) in &assertion.options {
            if let Some(set) = set {
                self.events_of(set, "priority is over a set of events")?;
            }
        }
        Ok(())
    }

    fn timed(&mut self, decl: &'a Decl, durations: Option<&'a Expr>) -> Checked<()> {
        let tock = self.names.tocks.get(&std::ptr::from_ref(decl)).copied();
        let tock = tock.ok_or(Reported)?;
        let (event, int) = (self.solver.types.event(), self.solver.types.int());
        let ty = self.type_of(tock, decl.span)?;
        self.equal(decl.span, event, ty, "`tock` has to be an event here")?;
        if let Some(durations) = durations {
            let wanted = self.solver.types.function(vec![event], int);
            self.expect(durations, wanted, "how long an event takes")?;
        }
        Ok(())
    }

    /// The written type of a definition.
    fn written_type(&mut self, def: DefId) -> Checked<Option<Ty>> {
        let scheme: Option<&'a Scheme> = self.names.annotations.get(&def).copied();
        scheme.map(|scheme| self.scheme(scheme)).transpose()
    }
}

/// The numbers of parameters between each pair of brackets.
fn lengths(clause: &Clause) -> Vec<usize> {
    clause.parameters.iter().map(Vec::len).collect()
}

/// `1 field`, `2 fields`.
pub(super) fn count(n: usize, what: &str) -> String {
    match n {
        0 => format!("no {what}s"),
        1 => format!("1 {what}"),
        _ => format!("{n} {what}s"),
    }
}

/// `1 is given`, `2 are given`.
pub(super) fn given(n: usize) -> String {
    match n {
        1 => "1 is given".into(),
        _ => format!("{n} are given"),
    }
}
