//! `assert`: refinements, properties of one process, and what is said behind them.

use super::{Parsed, Parser, level};
use crate::ast::{AssertOption, Assertion, Claim, Expr, Property, Semantics};
use crate::token::{MODELS, PropertyToken, TokenKind};
use base::{Diagnostic, Span, quote};
use std::sync::Arc;

/// The properties of one process by their words.
const PROPERTIES: &[(&str, Property)] = &[
    ("deadlock free", Property::DeadlockFree),
    ("divergence free", Property::DivergenceFree),
    ("livelock free", Property::DivergenceFree),
    ("deterministic", Property::Deterministic),
];

impl Parser<'_> {
    /// `assert` is next.
    pub(super) fn assertion(&mut self) -> Parsed<Assertion> {
        self.at += 1;
        let is_negated = self.eat_word("not");
        let left = self.expr(level::LOWEST)?;
        let mut tallest = self.height;
        let claim = match self.kind() {
            Some(TokenKind::Refines(model)) => {
                let model = *model;
                self.at += 1;
                let implementation = self.expr(level::LOWEST)?;
                Claim::Refines {
                    spec: left,
                    implementation,
                    model,
                }
            }
            Some(TokenKind::Property(written)) => {
                let written = written.clone();
                self.property(left, &written)?
            }
            _ => Claim::Truth(left),
        };
        tallest = tallest.max(self.height);
        let options = self.options()?;
        self.height = self.height.max(tallest);
        Ok(Assertion {
            is_negated,
            claim,
            options,
        })
    }

    /// `:[deadlock free [F]]` and the like, behind a process.
    fn property(&mut self, process: Expr, written: &PropertyToken) -> Parsed<Claim> {
        let span = self.here();
        let found = PROPERTIES.iter().find(|(words, _)| *words == written.words);
        if written.words != "has trace" && found.is_none() {
            return Err(self.unknown(span, written));
        }
        self.at += 1;
        let model = match &written.option {
            Some(letters) => Some(self.model(span, letters)?),
            None => None,
        };
        let Some((_, property)) = found else {
            self.skip_newline();
            let trace = self.expr(level::LOWEST)?;
            return Ok(Claim::HasTrace {
                process,
                trace,
                model,
            });
        };
        Ok(Claim::Has {
            process,
            property: *property,
            model,
        })
    }

    /// The semantic model of these letters.
    fn model(&mut self, span: Span, letters: &str) -> Parsed<Semantics> {
        if let Some((_, model)) = MODELS.iter().find(|(known, _)| *known == letters) {
            return Ok(*model);
        }
        let message = format!("{} is no semantic model", quote(letters));
        let known: Vec<&str> = MODELS.iter().map(|(known, _)| *known).collect();
        let note = format!("the models are {}", known.join(", "));
        Err(self.report(Diagnostic::error(span, message).note(note)))
    }

    fn unknown(&mut self, span: Span, written: &PropertyToken) -> super::Reported {
        let message = format!("{} is no property", quote(&written.words));
        let known: Vec<&str> = PROPERTIES.iter().map(|(words, _)| *words).collect();
        let note = format!("the properties are {}, has trace", known.join(", "));
        self.report(Diagnostic::error(span, message).note(note))
    }

    /// `:[tau priority over]: A` and the like, each once.
    fn options(&mut self) -> Parsed<Vec<(AssertOption, Option<Expr>)>> {
        let mut options: Vec<(AssertOption, Option<Expr>)> = Vec::new();
        let mut tallest = self.height;
        while let Some(TokenKind::Property(written)) = self.kind() {
            let written: Arc<PropertyToken> = written.clone();
            let span = self.here();
            let option = match written.words.as_str() {
                "tau priority" | "tau priority over" => AssertOption::TauPriority,
                "partial order reduce" => AssertOption::PartialOrder,
                _ => {
                    let message = format!("{} does not stand here", quote(&written.words));
                    let note = "behind a claim stand `tau priority` and `partial order reduce`";
                    return Err(self.report(Diagnostic::error(span, message).note(note)));
                }
            };
            if options.iter().any(|(known, _)| *known == option) {
                return Err(self.error(span, format!("{} is said twice", quote(&written.words))));
            }
            self.at += 1;
            let mut events = None;
            if option == AssertOption::TauPriority {
                self.skip_newline();
                events = Some(self.expr(level::LOWEST)?);
                tallest = tallest.max(self.height);
            }
            options.push((option, events));
        }
        self.height = tallest;
        Ok(options)
    }
}
