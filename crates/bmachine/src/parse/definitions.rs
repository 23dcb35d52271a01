//! Definitions.
//!
//! What a definition stands for is known from its text alone: it is read as a formula, and if that
//! is no formula, as a substitution. `D == op(x)` is read as a formula; where it is used as a
//! substitution, it is a call. A `;` ends a definition if the next one begins after it.

use super::{Definitions, Parsed, Parser};
use crate::ast::{Definition, DefinitionBody, Expr};
use crate::token::TokenKind;
use base::{Diagnostic, quote};

impl Parser {
    /// A file that holds nothing but definitions.
    pub(super) fn definition_file(&mut self) -> Parsed<Definitions> {
        self.expect_word("DEFINITIONS")?;
        let read = self.definitions()?;
        self.eat_word("END");
        if self.peek().is_some() {
            return Err(self.expected("the end of the text"));
        }
        Ok(read)
    }

    /// The definitions after the word `DEFINITIONS`.
    pub(super) fn definitions(&mut self) -> Parsed<Definitions> {
        let mut read = Definitions::default();
        loop {
            match self.peek().map(|t| t.kind.clone()) {
                Some(TokenKind::Text(file)) => {
                    let span = self.bump().span;
                    read.files.push((file, span));
                }
                Some(TokenKind::Name(_)) => {
                    let definition = self.definition()?;
                    self.add(definition, &mut read.all);
                }
                _ => break,
            }
            if !self.eat(";") {
                break;
            }
        }
        Ok(read)
    }

    fn add(&mut self, definition: Definition, all: &mut Vec<Definition>) {
        let text = &definition.name.text;
        if let Some(first) = all.iter().find(|d| d.name.text == *text) {
            let message = format!("{} is defined twice", quote(text));
            let error = Diagnostic::error(definition.name.span, message);
            let first = first.name.span;
            self.report(error.and(first, "here first"));
            return;
        }
        all.push(definition);
    }

    fn definition(&mut self) -> Parsed<Definition> {
        let name = self.name("the name of a definition")?;
        let mut parameters = Vec::new();
        if self.eat("(") {
            parameters = self.names("the name of a parameter")?;
            self.expect(")")?;
        }
        self.expect("==")?;
        let body = self.definition_body()?;
        Ok(Definition {
            name,
            parameters,
            body,
        })
    }

    fn definition_body(&mut self) -> Parsed<DefinitionBody> {
        let (start, depth, n_errors) = (self.at, self.depth, self.errors.len());
        if let Ok(formula) = self.whole_formula() {
            return Ok(DefinitionBody::Formula(formula));
        }
        let of_formula = (
            self.at,
            self.errors.split_off(n_errors.min(self.errors.len())),
        );
        (self.at, self.depth) = (start, depth);
        let parsed = self.definition_subst();
        if parsed.is_err() && of_formula.0 >= self.at {
            // The reading that got further is the one that was meant.
            self.errors.truncate(n_errors);
            self.errors.extend(of_formula.1);
        }
        parsed
    }

    fn whole_formula(&mut self) -> Parsed<Expr> {
        let formula = self.formula()?;
        if !self.ends_definition() {
            return Err(self.expected("`;` or the next clause"));
        }
        Ok(formula)
    }

    fn definition_subst(&mut self) -> Parsed<DefinitionBody> {
        let first = self.parallel()?;
        if self.ends_definition() {
            return Ok(DefinitionBody::Subst(first));
        }
        Err(self.expected("`;` or the next clause"))
    }

    /// Whether a definition can end here.
    fn ends_definition(&self) -> bool {
        self.is(";") || self.peek().is_none() || self.is_clause()
    }
}
