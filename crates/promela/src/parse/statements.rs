//! Statements and what separates them.

use super::{Last, Parsed, Parser, Reported};
use crate::ast::{
    Exclusive, Expr, ExprKind, Name, Reference, SelectForm, Sequence, Stmt, StmtKind,
};
use crate::place::Place;
use crate::token::{Token, TokenKind};
use base::quote;

impl Parser<'_> {
    /// Statements up to one of `ends`, which is not taken.
    pub(super) fn sequence(&mut self, ends: &[&str]) -> Parsed<Sequence> {
        let start = self.here();
        let (depth, n_open) = (self.depth, self.n_open);
        let mut statements = Vec::new();
        loop {
            let outcome = self.step().and_then(|statement| {
                statements.push(statement);
                if self.at_end(ends) || self.eat_separators() {
                    return Ok(());
                }
                Err(self.expected("`;`"))
            });
            if let Err(Reported) = outcome {
                (self.depth, self.n_open) = (depth, n_open);
                self.skip_statement();
                let ends_other = self.is("}") && !ends.contains(&"}");
                if self.at_unit_end() || ends_other {
                    return Err(Reported);
                }
                if !self.at_end(ends) && !self.eat_separators() {
                    // An end that belongs to nothing, such as a lone `fi`.
                    self.bump();
                    self.eat_separators();
                }
            }
            if self.at_end(ends) || self.at_unit_end() {
                break;
            }
        }
        let place = self.since(start);
        Ok(Sequence { statements, place })
    }

    fn at_end(&mut self, ends: &[&str]) -> bool {
        ends.iter().any(|end| self.is(end) || self.is_word(end))
    }

    /// Whether nothing of this process can follow.
    fn at_unit_end(&mut self) -> bool {
        let next = self.peek().cloned();
        let Some(token) = next else {
            return true;
        };
        let starts = [
            "proctype", "init", "never", "active", "typedef", "inline", "ltl",
        ];
        token.name().is_some_and(|n| starts.contains(&&**n))
    }

    fn eat_separators(&mut self) -> bool {
        let mut any = false;
        while self.is(";") || (self.is("->") && !self.in_formula) {
            self.bump();
            any = true;
        }
        any
    }

    /// After an error: goes to the next separator or end of the sequence.
    fn skip_statement(&mut self) {
        let mut n_open = 0_usize;
        while let Some(token) = self.peek().cloned() {
            let word = token.name().map_or("", |n| n);
            match (&token.kind, word) {
                (TokenKind::Mark("{"), _) | (_, "if" | "do") => n_open += 1,
                (TokenKind::Mark("}" | "::"), _) | (_, "fi" | "od") if n_open == 0 => return,
                (TokenKind::Mark("}"), _) | (_, "fi" | "od") => n_open -= 1,
                (TokenKind::Mark(";" | "->"), _) if n_open == 0 => return,
                _ if self.at_unit_end() => return,
                _ => {}
            }
            self.bump();
            self.n_open = 0;
        }
    }

    /// A declaration, an `xr` or `xs`, or a statement with its escape.
    fn step(&mut self) -> Parsed<Stmt> {
        let start = self.here();
        if self.is_word("xr") || self.is_word("xs") {
            return self.exclusive();
        }
        if self.is_word("mtype") && self.begins_mtype_names() {
            return Err(self.error(start, "names of `mtype` are declared outside processes"));
        }
        if self.is_word("typedef") {
            return Err(self.error(start, "types are declared outside processes"));
        }
        if !self.begins_label() && self.begins_declaration() {
            let kind = StmtKind::Declare(self.declaration()?);
            let place = self.since(start);
            let labels = Vec::new();
            return Ok(Stmt {
                labels,
                kind,
                place,
            });
        }
        let statement = self.statement()?;
        if !self.eat_word("unless") {
            return Ok(statement);
        }
        let escape = self.statement()?;
        self.unless(statement, escape)
    }

    fn exclusive(&mut self) -> Parsed<Stmt> {
        let start = self.here();
        let which = if self.bump().is_name("xr") {
            Exclusive::Receive
        } else {
            Exclusive::Send
        };
        let mut channels = vec![self.reference("a channel")?];
        while self.eat(",") {
            channels.push(self.reference("a channel")?);
        }
        Ok(Stmt {
            labels: Vec::new(),
            kind: StmtKind::Exclusive(which, channels),
            place: self.since(start),
        })
    }

    /// `a unless b`; a label before a block `a` belongs to the whole.
    fn unless(&mut self, mut main: Stmt, escape: Stmt) -> Parsed<Stmt> {
        if let (Some(label), false) = (escape.labels.first(), begins_before_label(&escape.kind)) {
            let message = "a label cannot stand before the escape of an `unless`";
            let place = label.place;
            return Err(self.error(place, message));
        }
        let block = matches!(
            main.kind,
            StmtKind::Block(_) | StmtKind::Atomic(_) | StmtKind::DStep(_)
        );
        let labels = if begins_before_label(&main.kind) {
            Vec::new()
        } else {
            std::mem::take(&mut main.labels)
        };
        if let (Some(label), false) = (labels.first(), block) {
            let error = self
                .origins
                .error(label.place, "a label cannot stand in an `unless`");
            let name = &label.text;
            let note = format!("write `{name}: {{ … unless … }}`");
            return Err(self.report(error.note(note)));
        }
        let place = self.origins.join(main.place, escape.place);
        let kind = StmtKind::Unless(Box::new(main), Box::new(escape));
        Ok(Stmt {
            labels,
            kind,
            place,
        })
    }

    /// Whether a label is next.
    fn begins_label(&mut self) -> bool {
        let name = self.peek().and_then(|t| t.name().cloned());
        let free = name.is_some_and(|n| !super::is_keyword(&n) && !self.processes.contains(&n));
        free && self.peek_raw(1).is_some_and(|t| t.is(":"))
    }

    /// A statement with its labels.
    pub(super) fn statement(&mut self) -> Parsed<Stmt> {
        self.enter()?;
        let mut labels: Vec<Name> = Vec::new();
        while self.begins_label() {
            labels.push(self.name("a label")?);
            self.bump();
            // What follows `:` on the next line is still the labelled statement.
            self.last = Last::Other;
        }
        let start = self.here();
        if let Some(label) = labels.last() {
            if self.begins_declaration() || self.is_word("xr") || self.is_word("xs") {
                let place = label.place;
                let error = self
                    .origins
                    .error(place, "a label cannot stand before a declaration");
                return Err(self.report(error.note("put it before the next statement")));
            }
            if self.at_end(&["}", "::", "fi", "od", ";", "->", "unless"]) {
                let place = label.place;
                let kind = StmtKind::Condition(number(1, place));
                self.leave();
                return Ok(Stmt {
                    labels,
                    kind,
                    place,
                });
            }
        }
        if self.begins_call() {
            let mut statement = self.call(None)?;
            labels.append(&mut statement.labels);
            statement.labels = labels;
            self.leave();
            return Ok(statement);
        }
        let written = self.peek().map_or(start, Token::written);
        let kind = self.statement_kind(start)?;
        let place = self.origins.join(written, self.previous_written);
        self.leave();
        Ok(Stmt {
            labels,
            kind,
            place,
        })
    }

    fn statement_kind(&mut self, start: Place) -> Parsed<StmtKind> {
        if self.is("{") {
            return self.block("a block").map(StmtKind::Block);
        }
        let word = self.peek().and_then(|t| t.name().cloned());
        match word.as_deref().unwrap_or("") {
            "if" => self.options("fi").map(StmtKind::If),
            "do" => self.options("od").map(StmtKind::Do),
            "for" => self.for_loop(),
            "select" => self.select(),
            "printf" => self.print(),
            "printm" => self.print_name(),
            "set_priority" => self.set_priority(),
            "return" => self.return_value(),
            "break" => {
                self.bump();
                Ok(StmtKind::Break)
            }
            "else" => {
                self.bump();
                Ok(StmtKind::Else)
            }
            "goto" => {
                self.bump();
                self.name("a label").map(StmtKind::Goto)
            }
            "assert" => {
                self.bump();
                self.full_expr().map(StmtKind::Assert)
            }
            "atomic" => {
                self.bump();
                self.block("an `atomic` block").map(StmtKind::Atomic)
            }
            "d_step" => {
                self.bump();
                self.block("a `d_step` block").map(StmtKind::DStep)
            }
            "c_code" | "c_decl" | "c_state" | "c_track" => {
                self.embedded_c();
                Ok(StmtKind::Condition(number(1, start)))
            }
            word if !word.is_empty() && !super::is_keyword(word) => self.named_statement(),
            _ => self.full_expr().map(StmtKind::Condition),
        }
    }

    /// `{ statements }`
    fn block(&mut self, what: &str) -> Parsed<Sequence> {
        self.expect("{")?;
        let block = self.sequence(&["}"])?;
        self.expect("}")?;
        // A declaration is a step that sets its variables; `xr` and `xs` are none.
        let real = |s: &&Stmt| !matches!(s.kind, StmtKind::Exclusive(..));
        let first = block.statements.iter().find(real);
        let first = first.filter(|s| !begins_before_label(&s.kind));
        if let Some(label) = first.and_then(|s| s.labels.first()) {
            let message = format!("{what} cannot begin with the label {}", quote(&label.text));
            let error = self.origins.error(label.place, message);
            self.report(error.note("put the label before the block"));
        }
        Ok(block)
    }

    /// `:: a :: b fi`
    fn options(&mut self, end: &'static str) -> Parsed<Vec<Sequence>> {
        self.bump();
        let mut options = Vec::new();
        while self.eat("::") {
            let option = self.sequence(&["::", end])?;
            if let Some(label) = option.statements.first().and_then(|s| s.labels.first()) {
                let place = label.place;
                self.warn(
                    place,
                    "a label at the start of an option can never be jumped to alone",
                );
            }
            options.push(option);
        }
        if options.is_empty() {
            return Err(self.expected("an option, `::`,"));
        }
        if !self.eat_word(end) {
            return Err(self.expected(&format!("`::` or `{end}`")));
        }
        Ok(options)
    }

    /// `for (x : a .. b) { … }` or `for (x in a) { … }`
    fn for_loop(&mut self) -> Parsed<StmtKind> {
        self.bump();
        self.expect("(")?;
        let variable = self.reference("a variable")?;
        if self.eat_word("in") {
            let over = self.reference("an array or a channel")?;
            self.expect(")")?;
            self.eat_separators();
            let body = self.for_body()?;
            return Ok(StmtKind::ForIn(variable, over, body));
        }
        if !self.eat(":") {
            return Err(self.expected("`:` or `in`"));
        }
        let (low, high) = self.range()?;
        self.eat_separators();
        let body = self.for_body()?;
        Ok(StmtKind::For(variable, low, high, body))
    }

    fn for_body(&mut self) -> Parsed<Sequence> {
        self.expect("{")?;
        let body = self.sequence(&["}"])?;
        self.expect("}")?;
        Ok(body)
    }

    /// `a .. b )`
    fn range(&mut self) -> Parsed<(Expr, Expr)> {
        let low = self.expr()?;
        self.expect("..")?;
        let high = self.expr()?;
        self.expect(")")?;
        Ok((low, high))
    }

    fn select(&mut self) -> Parsed<StmtKind> {
        self.bump();
        self.expect("(")?;
        let bounds = self.literal_bounds();
        let variable = self.reference("a variable")?;
        self.expect(":")?;
        let (low, high) = self.range()?;
        let form = match bounds {
            Some((low, high)) if i64::from(high) - i64::from(low) <= 32 => SelectForm::Options,
            Some(_) => SelectForm::Counting,
            None => SelectForm::Leaving,
        };
        Ok(StmtKind::Select(form, variable, low, high))
    }

    /// The bounds of `x : 1 .. 3 )`, if it is written with numbers and SPIN would notice.
    fn literal_bounds(&mut self) -> Option<(i32, i32)> {
        let kind = |ahead: usize| self.peek_raw(ahead).map(|t| &t.kind);
        let number = |ahead: usize| match kind(ahead)? {
            TokenKind::Number(text) => text.parse::<i32>().ok(),
            _ => None,
        };
        let name = self.peek_raw(0).and_then(|t| t.name())?;
        let marks = [(1, ":"), (3, ".."), (5, ")")];
        let is = |&(ahead, mark): &(usize, &str)| self.peek_raw(ahead).is_some_and(|t| t.is(mark));
        let simple = name.chars().all(|c| c.is_ascii_alphanumeric());
        let inlined = self.frames.iter().any(|f| f.inline.is_some());
        if !simple || inlined || !marks.iter().all(is) {
            return None;
        }
        Some((number(2)?, number(4)?))
    }

    fn print(&mut self) -> Parsed<StmtKind> {
        self.bump();
        self.expect("(")?;
        let Some(TokenKind::Text(format)) = self.peek().map(|t| t.kind.clone()) else {
            return Err(self.expected("a string"));
        };
        self.bump();
        let mut arguments = Vec::new();
        while self.eat(",") {
            arguments.push(self.expr()?);
        }
        self.expect(")")?;
        Ok(StmtKind::Print(format, arguments))
    }

    fn print_name(&mut self) -> Parsed<StmtKind> {
        self.bump();
        self.expect("(")?;
        let value = self.expr()?;
        self.expect(")")?;
        if !matches!(value.kind, ExprKind::Reference(_)) {
            let message = "`printm` takes a variable or a name of an `mtype`";
            return Err(self.error(value.place, message));
        }
        Ok(StmtKind::PrintName(value))
    }

    fn set_priority(&mut self) -> Parsed<StmtKind> {
        self.bump();
        self.expect("(")?;
        let process = self.expr()?;
        self.expect(",")?;
        let priority = self.expr()?;
        self.expect(")")?;
        Ok(StmtKind::SetPriority(process, priority))
    }

    /// A statement that begins with a name: assignment, message, or condition.
    fn named_statement(&mut self) -> Parsed<StmtKind> {
        let reference = self.reference("a statement")?;
        let Some(TokenKind::Mark(mark)) = self.peek().map(|t| t.kind.clone()) else {
            return self.condition_from(reference);
        };
        match mark {
            "=" => {
                self.bump();
                if self.begins_call() {
                    return self.call(Some(reference)).map(|call| call.kind);
                }
                let value = self.full_expr()?;
                Ok(StmtKind::Assign(reference, value))
            }
            "++" => {
                self.bump();
                Ok(StmtKind::Increment(reference))
            }
            "--" => {
                self.bump();
                Ok(StmtKind::Decrement(reference))
            }
            "!" | "!!" => self.send(reference),
            "?" | "??" if !self.peek_raw(1).is_some_and(|t| t.is("[")) => self.receive(reference),
            "(" => {
                let name = &reference.parts[0].name;
                let message = format!(
                    "there is no inline {} defined before this",
                    quote(&name.text)
                );
                let place = name.place;
                Err(self.error(place, message))
            }
            _ => self.condition_from(reference),
        }
    }

    fn condition_from(&mut self, reference: Reference) -> Parsed<StmtKind> {
        let first = self.after_reference(reference)?;
        self.binary_from(first, 1).map(StmtKind::Condition)
    }
}

/// Whether a point of its own comes before the labelled one: that to which a loop leads back, or
/// the first assignment of a loop that counts. Then a block can begin with the label, as in SPIN.
fn begins_before_label(kind: &StmtKind) -> bool {
    match kind {
        StmtKind::Do(_) | StmtKind::For(..) | StmtKind::ForIn(..) => true,
        StmtKind::Select(form, ..) => *form != SelectForm::Options,
        _ => false,
    }
}

/// The constant `value`.
fn number(value: i32, place: Place) -> Expr {
    Expr {
        kind: ExprKind::Number(value),
        place,
        depth: 1,
        probe: false,
    }
}
