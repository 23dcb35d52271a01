//! Declarations and assertions as text.

use super::{BracketContext, ScriptListing};
use crate::ast::{
    AssertOption, Assertion, Claim, Clause, Datatype, Decl, DeclKind, Expr, ExprKind, Function,
    Module, Property, Semantics, UnaryOp,
};
use crate::parse::level;

impl ScriptListing {
    /// Declarations, each with a line end.
    pub(super) fn decls(&mut self, decls: &[Decl]) {
        for decl in decls {
            self.decl(decl);
            self.line_end();
        }
    }

    /// `let … within `
    pub(super) fn let_within(&mut self, decls: &[Decl]) {
        self.put("let");
        self.indent += 1;
        for decl in decls {
            self.line_end();
            self.decl(decl);
        }
        self.indent -= 1;
        self.line_end();
        self.put("within ");
    }

    pub(super) fn decl(&mut self, decl: &Decl) {
        match &decl.kind {
            DeclKind::Function(function) => self.function(function),
            DeclKind::Let { pattern, value } => {
                self.pattern(pattern, 0);
                self.is_worth(value);
            }
            DeclKind::Annotation { names, scheme } => {
                self.names(names);
                self.put(" :: ");
                self.scheme(scheme);
            }
            DeclKind::Channel { names, fields, .. } => {
                self.put("channel ");
                self.names(names);
                if let Some(fields) = fields {
                    self.put(" : ");
                    self.expr(fields, BracketContext::NOTHING);
                }
            }
            DeclKind::Datatype(datatype) => self.datatype("datatype ", datatype),
            DeclKind::Subtype(datatype) => self.datatype("subtype ", datatype),
            DeclKind::Nametype { name, value, .. } => {
                self.put("nametype ");
                self.name(name);
                self.is_worth(value);
            }
            DeclKind::Transparent(names) => {
                self.put("transparent ");
                self.names(names);
            }
            DeclKind::External(names) => {
                self.put("external ");
                self.names(names);
            }
            DeclKind::Assert(assertion) => {
                self.put("assert ");
                self.assertion(assertion);
            }
            DeclKind::Print(value) => {
                self.put("print ");
                self.expr(value, BracketContext::NOTHING);
            }
            DeclKind::Module(module) => self.module(module),
            DeclKind::Instance {
                name,
                of,
                arguments,
            } => self.instance(name, of, arguments),
            DeclKind::Timed { durations, decls } => self.timed(durations.as_ref(), decls),
        }
    }

    fn is_worth(&mut self, value: &Expr) {
        self.put(" = ");
        self.expr(value, BracketContext::NOTHING);
    }

    /// One line for each clause.
    fn function(&mut self, function: &Function) {
        for (i, clause) in function.clauses.iter().enumerate() {
            if i > 0 {
                self.line_end();
            }
            self.name(&function.name);
            self.clause(clause);
        }
    }

    fn clause(&mut self, clause: &Clause) {
        for parameters in &clause.parameters {
            self.put("(");
            self.joined(parameters, ", ", |l, p| l.pattern(p, 0));
            self.put(")");
        }
        self.is_worth(&clause.body);
    }

    fn datatype(&mut self, word: &str, datatype: &Datatype) {
        self.put(word);
        self.name(&datatype.name);
        self.put(" = ");
        self.joined(&datatype.constructors, " | ", |l, (name, fields)| {
            l.name(name);
            if let Some(fields) = fields {
                l.put(".");
                l.expr(fields, BracketContext::NOTHING);
            }
        });
    }

    fn module(&mut self, module: &Module) {
        self.put("module ");
        self.name(&module.name);
        if !module.parameters.is_empty() {
            self.put("(");
            self.joined(&module.parameters, ", ", |l, p| l.pattern(p, 0));
            self.put(")");
        }
        self.block(&module.private);
        self.put("exports");
        self.block(&module.exports);
        self.put("endmodule");
    }

    /// Declarations, moved in, each on its line, and a line end.
    fn block(&mut self, decls: &[Decl]) {
        self.indent += 1;
        for decl in decls {
            self.line_end();
            self.decl(decl);
        }
        self.indent -= 1;
        self.line_end();
    }

    fn instance(&mut self, name: &crate::ast::Name, of: &crate::ast::Name, arguments: &[Expr]) {
        self.put("instance ");
        self.name(name);
        self.put(" = ");
        self.name(of);
        if !arguments.is_empty() {
            self.put("(");
            self.joined(arguments, ", ", |l, e| l.expr(e, BracketContext::NOTHING));
            self.put(")");
        }
    }

    fn timed(&mut self, durations: Option<&Expr>, decls: &[Decl]) {
        self.put("Timed");
        if let Some(durations) = durations {
            self.put("(");
            self.expr(durations, BracketContext::NOTHING);
            self.put(")");
        }
        self.put(" {");
        self.block(decls);
        self.put("}");
    }

    pub(super) fn assertion(&mut self, assertion: &Assertion) {
        if assertion.is_negated {
            self.put("not ");
        }
        self.claim(&assertion.claim);
        for (option, events) in &assertion.options {
            self.put(match option {
                AssertOption::TauPriority => " :[tau priority over]: ",
                AssertOption::PartialOrder => " :[partial order reduce]",
            });
            if let Some(events) = events {
                self.expr(events, BracketContext::NOTHING);
            }
        }
    }

    fn claim(&mut self, claim: &Claim) {
        match claim {
            Claim::Refines {
                spec,
                implementation,
                model,
            } => {
                self.claimed(spec);
                self.put(&format!(" [{}= ", model.short()));
                self.expr(implementation, BracketContext::NOTHING);
            }
            Claim::Has {
                process,
                property,
                model,
            } => {
                self.claimed(process);
                let words = match property {
                    Property::DeadlockFree => "deadlock free",
                    Property::DivergenceFree => "divergence free",
                    Property::Deterministic => "deterministic",
                };
                self.put(&format!(" :[{words}{}]", in_model(*model)));
            }
            Claim::HasTrace {
                process,
                trace,
                model,
            } => {
                self.claimed(process);
                self.put(&format!(" :[has trace{}]: ", in_model(*model)));
                self.expr(trace, BracketContext::NOTHING);
            }
            Claim::Truth(condition) => self.claimed(condition),
        }
    }

    /// What a claim starts with: a bare `not` there would negate the claim.
    fn claimed(&mut self, expr: &Expr) {
        let lowest = match expr.kind {
            ExprKind::Unary(UnaryOp::Not, _) => level::TIGHTEST + 1,
            _ => level::LOWEST,
        };
        let around = BracketContext::NOTHING.right(lowest);
        self.expr(expr, around);
    }
}

fn in_model(model: Option<Semantics>) -> String {
    model.map_or(String::new(), |model| format!(" [{}]", model.short()))
}
