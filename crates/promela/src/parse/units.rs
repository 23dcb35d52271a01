//! The parts of a model: processes, claims, formulas, types, and where each ends after an error.

use super::{Last, Parsed, Parser, Reported};
use crate::ast::{Active, Claim, Init, Ltl, Mtype, Name, Process, Sequence, TopLevelItem, Typedef};
use crate::token::{Token, TokenKind};
use std::rc::Rc;

/// The words that begin a unit.
pub(super) const STARTS: [&str; 11] = [
    "proctype",
    "D_proctype",
    "active",
    "init",
    "never",
    "trace",
    "notrace",
    "ltl",
    "typedef",
    "inline",
    "mtype",
];

impl Parser<'_> {
    /// The whole text.
    pub(super) fn units(&mut self) -> Vec<TopLevelItem> {
        let mut units = Vec::new();
        while self.peek().is_some() {
            if self.eat(";") || self.eat("->") {
                continue;
            }
            match self.unit() {
                Ok(Some(unit)) => units.push(unit),
                Ok(None) => {}
                Err(Reported) => self.skip_unit(),
            }
        }
        for formula in std::mem::take(&mut self.formulas) {
            let formulas = self.formulas_of(formula, &units);
            units.extend(formulas.into_iter().map(TopLevelItem::Ltl));
        }
        units
    }

    /// One unit; none for those that leave nothing in the tree.
    fn unit(&mut self) -> Parsed<Option<TopLevelItem>> {
        let word = self.peek().and_then(|t| t.name().cloned());
        let word = word.as_deref().unwrap_or("");
        match word {
            "proctype" | "D_proctype" | "active" => {
                Ok(Some(TopLevelItem::Process(Box::new(self.process()?))))
            }
            "init" => self.init().map(|i| Some(TopLevelItem::Init(i))),
            "never" => Ok(Some(TopLevelItem::Never(self.claim()?))),
            "trace" => Ok(Some(TopLevelItem::Trace(self.claim()?))),
            "notrace" => Ok(Some(TopLevelItem::NoTrace(self.claim()?))),
            "typedef" => self.typedef().map(|t| Some(TopLevelItem::Typedef(t))),
            "inline" => self.inline().map(|()| None),
            "ltl" => {
                self.put_formula_aside();
                Ok(None)
            }
            "mtype" if self.begins_mtype_names() => {
                self.mtype().map(|m| Some(TopLevelItem::Mtype(m)))
            }
            "c_code" | "c_decl" | "c_state" | "c_track" | "c_expr" => {
                self.embedded_c();
                Ok(None)
            }
            "scalarset" | "scalar" if self.begins_scalarset() => {
                let scalarset = self.scalarset()?;
                self.end_of_declaration()?;
                Ok(Some(TopLevelItem::Scalarset(scalarset)))
            }
            _ if self.begins_declaration() => {
                let declaration = self.declaration()?;
                self.end_of_declaration()?;
                Ok(Some(TopLevelItem::Declaration(declaration)))
            }
            _ => Err(self.expected("a declaration or a process")),
        }
    }

    /// After a global declaration comes a separator or another unit.
    fn end_of_declaration(&mut self) -> Parsed<()> {
        let word = self.peek().and_then(|t| t.name().cloned());
        let starts = word.is_some_and(|w| STARTS.contains(&&*w)) || self.begins_declaration();
        let ends = self.peek().is_none() || self.is(";") || self.is("->");
        if ends || starts {
            return Ok(());
        }
        Err(self.expected("`;`"))
    }

    /// Goes to the next word that begins a unit, outside braces.
    fn skip_unit(&mut self) {
        self.in_sequence = false;
        self.n_open = 0;
        self.depth = 0;
        self.frames.truncate(1);
        self.last = Last::Other;
        // How many braces are open is not known, so a unit's first word on a line of its own is
        // what counts.
        while let Some(token) = self.take_raw() {
            let next = self.peek_raw(0);
            let starts = next
                .and_then(Token::name)
                .is_some_and(|n| STARTS.contains(&&**n));
            if starts && (next.is_some_and(|t| t.starts_line) || token.is(";") || token.is("}")) {
                break;
            }
        }
        self.last = Last::Other;
    }

    fn process(&mut self) -> Parsed<Process> {
        let start = self.here();
        let active = if self.eat_word("active") {
            let count = if self.eat("[") {
                let count = self.expr()?;
                self.expect("]")?;
                Some(count)
            } else {
                None
            };
            let place = self.since(start);
            Some(Active { count, place })
        } else {
            None
        };
        let deterministic = self.is_word("D_proctype");
        if !self.eat_word("proctype") && !self.eat_word("D_proctype") {
            return Err(self.expected("`proctype`"));
        }
        let name = self.name("the name of a process")?;
        self.processes.insert(name.text.clone());
        self.expect("(")?;
        let parameters = self.declarations(")")?;
        self.expect(")")?;
        let priority = self.priority()?;
        let provided = if self.eat_word("provided") {
            self.expect("(")?;
            let condition = self.full_expr()?;
            self.expect(")")?;
            Some(condition)
        } else {
            None
        };
        let body = self.body()?;
        Ok(Process {
            name,
            active,
            deterministic,
            parameters,
            priority,
            provided,
            body,
        })
    }

    fn init(&mut self) -> Parsed<Init> {
        let place = self.bump().place;
        let priority = self.priority()?;
        let body = self.body()?;
        Ok(Init {
            place,
            priority,
            body,
        })
    }

    fn claim(&mut self) -> Parsed<Claim> {
        let place = self.bump().place;
        let named = !self.is("{");
        let name = if named {
            Some(self.name("a name or `{`")?)
        } else {
            None
        };
        let body = self.body()?;
        Ok(Claim { place, name, body })
    }

    /// `priority n`, if it is there.
    pub(super) fn priority(&mut self) -> Parsed<Option<i32>> {
        if !self.eat_word("priority") {
            return Ok(None);
        }
        self.constant("a number").map(Some)
    }

    /// The braces of a process or claim and what is in them.
    fn body(&mut self) -> Parsed<Sequence> {
        if !self.is("{") {
            return Err(self.expected("`{`"));
        }
        self.bump();
        self.in_sequence = true;
        let body = self.sequence(&["}"])?;
        if !self.is("}") {
            return Err(self.expected("`}`"));
        }
        self.in_sequence = false;
        self.bump();
        Ok(body)
    }

    fn typedef(&mut self) -> Parsed<Typedef> {
        self.bump();
        let name = self.name("the name of a type")?;
        self.expect("{")?;
        self.in_sequence = true;
        let fields = self.declarations("}");
        self.in_sequence = false;
        let fields = fields?;
        if fields.is_empty() {
            return Err(self.expected("a field"));
        }
        self.expect("}")?;
        self.types.insert(name.text.clone());
        Ok(Typedef { name, fields })
    }

    /// Whether `mtype` here lists names instead of declaring variables.
    pub(super) fn begins_mtype_names(&self) -> bool {
        let is = |ahead: usize, mark: &str| self.peek_raw(ahead).is_some_and(|t| t.is(mark));
        is(1, "=") || is(1, "{") || (is(1, ":") && (is(3, "=") || is(3, "{")))
    }

    pub(super) fn mtype(&mut self) -> Parsed<Mtype> {
        let place = self.bump().place;
        let set = if self.eat(":") {
            Some(self.name("the name of a set of names")?)
        } else {
            None
        };
        self.eat("=");
        self.expect("{")?;
        let mut names: Vec<Name> = Vec::new();
        loop {
            if self.eat(",") {
                continue;
            }
            if self.is("}") {
                break;
            }
            names.push(self.name("a name")?);
        }
        if names.is_empty() {
            return Err(self.expected("a name"));
        }
        self.bump();
        Ok(Mtype { place, set, names })
    }

    /// Keeps the tokens of `ltl … { … }` for later.
    fn put_formula_aside(&mut self) {
        let mut tokens = Vec::new();
        let mut n_open = 0_usize;
        while let Some(token) = self.take_raw() {
            match token.kind {
                TokenKind::Mark("{") => n_open += 1,
                TokenKind::Mark("}") => n_open = n_open.saturating_sub(1),
                _ => {}
            }
            let ends = token.is("}") && n_open == 0;
            tokens.push(token);
            if ends {
                break;
            }
        }
        self.formulas.push(tokens);
    }

    /// A formula that was put aside.
    pub(super) fn formula(&mut self, tokens: Vec<Token>) -> Option<Ltl> {
        let tokens: Rc<[Token]> = tokens.into();
        self.frames = vec![super::TokenRun::of_text(tokens.clone())];
        self.held = None;
        self.last = Last::Other;
        (self.n_open, self.depth) = (0, 0);
        let end = self.end;
        self.end = tokens.last().map_or(end, |t| t.place);
        let formula = self.ltl().ok();
        self.in_formula = false;
        self.end = end;
        formula
    }

    fn ltl(&mut self) -> Parsed<Ltl> {
        let place = self.bump().place;
        let name = if self.is("{") {
            None
        } else {
            Some(self.name("a name or `{`")?)
        };
        self.expect("{")?;
        self.in_formula = true;
        let formula = self.full_expr()?;
        while self.eat(";") {}
        self.expect("}")?;
        Ok(Ltl {
            place,
            name,
            index: None,
            formula,
        })
    }

    /// Reports embedded C and goes to its end.
    pub(super) fn embedded_c(&mut self) {
        let word = self.bump();
        let message = format!(
            "embedded C (`{}`) is not part of what orbit checks",
            word.text()
        );
        let error = self.origins.error(word.place, message);
        let note = "write what it does in Promela; orbit does not compile or run C";
        self.report(error.note(note));
        while matches!(self.peek_raw(0).map(|t| &t.kind), Some(TokenKind::Text(_))) {
            self.take_raw();
        }
        let mut n_open = 0_usize;
        while let Some(token) = self.peek_raw(0) {
            match token.kind {
                TokenKind::Mark("{" | "[") => n_open += 1,
                TokenKind::Mark("}" | "]") if n_open > 0 => n_open -= 1,
                _ if n_open == 0 => break,
                _ => {}
            }
            let precondition = token.is("]") && n_open == 0;
            let ends = token.is("}") && n_open == 0;
            self.take_raw();
            if ends || (precondition && !self.peek_raw(0).is_some_and(|t| t.is("{"))) {
                break;
            }
        }
    }
}
