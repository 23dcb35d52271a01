//! The reader of Promela-Lite: recursive descent over its own words and signs.

use super::tree::{
    LiteChannel, LiteExpr, LiteExprKind, LiteGlobal, LiteGuard, LiteModel, LiteName, LiteProcess,
    LiteRun, LiteStatement, LiteType, LiteUpdate, WrittenType,
};
use base::{Diagnostic, Diagnostics, SourceId, Span, quote};
use std::rc::Rc;

/// How deep types, conditions and expressions may be nested.
const DEPTH_MAX: usize = 100;

/// Signs, longest first.
const SIGNS: [&str; 28] = [
    "::", "->", "==", "!=", "<=", ">=", "&&", "||", "<", ">", "!", "?", "=", "+", "-", "*", "(",
    ")", "{", "}", "[", "]", ",", ";", ".", ":", "&", "|",
];
/// Words that are no names.
pub(super) const WORDS: [&str; 17] = [
    "chan", "int", "pid", "rec", "of", "proctype", "do", "od", "atomic", "init", "run", "skip",
    "len", "nfull", "nempty", "null", "_pid",
];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token<'t> {
    Word(&'t str),
    Number(i64),
    Sign(&'static str),
    End,
}

/// An error was told.
pub struct Reported;

type Parsed<T> = Result<T, Reported>;

struct Reader<'t, 'f> {
    tokens: Vec<(Token<'t>, Span)>,
    at: usize,
    depth: usize,
    found: &'f mut Diagnostics,
}

/// The tree of a text, or nothing where `found` says why.
pub fn read(text: &str, source: SourceId, found: &mut Diagnostics) -> Option<LiteModel> {
    let tokens = lex(text, source, found)?;
    let mut reader = Reader {
        tokens,
        at: 0,
        depth: 0,
        found,
    };
    reader.model().ok()
}

fn lex<'t>(
    text: &'t str,
    source: SourceId,
    found: &mut Diagnostics,
) -> Option<Vec<(Token<'t>, Span)>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    let refuse = |found: &mut Diagnostics, range: std::ops::Range<usize>, message: String| {
        found.push(Diagnostic::error(Span::new(source, range), message));
        None
    };
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let (token, n) = if c.is_whitespace() {
            (None, c.len_utf8())
        } else if rest.starts_with("//") {
            (None, rest.find('\n').unwrap_or(rest.len()))
        } else if rest.starts_with("/*") {
            match rest.find("*/") {
                Some(end) => (None, end + 2),
                None => return refuse(found, at..at + 2, "this comment has no end".to_owned()),
            }
        } else if is_word(c) {
            let n = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            let word = &rest[..n];
            match word.parse::<i32>() {
                Ok(number) => (Some(Token::Number(number.into())), n),
                Err(_) if c.is_ascii_digit() => {
                    let message = format!("{} is no number of 32 bits", quote(word));
                    return refuse(found, at..at + n, message);
                }
                Err(_) => (Some(Token::Word(word)), n),
            }
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            (Some(Token::Sign(sign)), sign.len())
        } else {
            let message = format!("{} has no meaning in Promela-Lite", quote(&c.to_string()));
            return refuse(found, at..at + c.len_utf8(), message);
        };
        tokens.extend(token.map(|token| (token, Span::new(source, at..at + n))));
        at += n;
    }
    tokens.push((Token::End, Span::new(source, at..at)));
    Some(tokens)
}

impl<'t> Reader<'t, '_> {
    fn peek(&self) -> Token<'t> {
        self.tokens[self.at].0
    }

    fn span(&self) -> Span {
        self.tokens[self.at].1
    }

    fn bump(&mut self) -> Span {
        let span = self.span();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        span
    }

    /// From a place up to what was taken last.
    fn since(&self, start: Span) -> Span {
        let end = self.tokens[self.at.saturating_sub(1)].1;
        Span::new(start.source, start.range().start..end.range().end)
    }

    fn expected<T>(&mut self, what: &str) -> Parsed<T> {
        let found = match self.peek() {
            Token::Word(word) => quote(word).to_string(),
            Token::Number(n) => format!("`{n}`"),
            Token::Sign(sign) => format!("`{sign}`"),
            Token::End => "the end".to_owned(),
        };
        let message = format!("{what} is expected here, not {found}");
        self.found.push(Diagnostic::error(self.span(), message));
        Err(Reported)
    }

    fn is(&self, sign: &str) -> bool {
        self.peek() == Token::Word(sign) || matches!(self.peek(), Token::Sign(s) if s == sign)
    }

    fn eat(&mut self, sign: &str) -> bool {
        let is = self.is(sign);
        if is {
            self.bump();
        }
        is
    }

    fn take(&mut self, sign: &str) -> Parsed<Span> {
        if self.is(sign) {
            Ok(self.bump())
        } else {
            self.expected(&format!("`{sign}`"))
        }
    }

    fn name(&mut self, what: &str) -> Parsed<LiteName> {
        match self.peek() {
            Token::Word(word) if !WORDS.contains(&word) => Ok(LiteName {
                text: word.to_owned(),
                span: self.bump(),
            }),
            _ => self.expected(what),
        }
    }

    fn number(&mut self) -> Parsed<(i64, Span)> {
        let start = self.span();
        let is_negative = self.eat("-");
        let Token::Number(n) = self.peek() else {
            return self.expected("a number");
        };
        self.bump();
        Ok((if is_negative { -n } else { n }, self.since(start)))
    }

    /// One level deeper, if that is allowed.
    fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            let message = format!("this is more than {DEPTH_MAX} levels deep");
            self.found.push(Diagnostic::error(self.span(), message));
            return Err(Reported);
        }
        let made = inner(self)?;
        self.depth -= 1;
        Ok(made)
    }

    /// Parts with a sign between them.
    fn list<T>(
        &mut self,
        sign: &str,
        mut part: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        let mut all = vec![part(self)?];
        while self.eat(sign) {
            all.push(part(self)?);
        }
        Ok(all)
    }

    fn model(&mut self) -> Parsed<LiteModel> {
        let mut model = LiteModel::default();
        while self.is("chan") {
            model.channels.push(self.channel()?);
        }
        while self.is("int") || self.is("pid") {
            let ty = self.ty()?;
            let name = self.name("the name of a variable")?;
            self.take("=")?;
            let value = self.number()?;
            self.take(";")?;
            model.globals.push(LiteGlobal { ty, name, value });
        }
        while self.is("proctype") {
            model.processes.push(self.process()?);
        }
        if model.processes.is_empty() {
            return self.expected("`proctype`");
        }
        self.take("init")?;
        self.take("{")?;
        self.take("atomic")?;
        self.take("{")?;
        loop {
            self.take("run")?;
            model.runs.push(LiteRun {
                process: self.name("the name of a process")?,
                arguments: self.arguments()?,
            });
            if !self.eat(";") || self.is("}") {
                break;
            }
        }
        self.take("}")?;
        self.take("}")?;
        match self.peek() {
            Token::End => Ok(model),
            _ => self.expected("the end"),
        }
    }

    fn arguments(&mut self) -> Parsed<Vec<LiteExpr>> {
        self.take("(")?;
        if self.eat(")") {
            return Ok(Vec::new());
        }
        let all = self.list(",", Reader::expr)?;
        self.take(")")?;
        Ok(all)
    }

    fn channel(&mut self) -> Parsed<LiteChannel> {
        self.take("chan")?;
        let name = self.name("the name of a channel")?;
        self.take("=")?;
        self.take("[")?;
        let capacity = self.number()?;
        self.take("]")?;
        self.take("of")?;
        self.take("{")?;
        let fields = self.list(",", Reader::ty)?;
        self.take("}")?;
        self.take(";")?;
        Ok(LiteChannel {
            name,
            capacity,
            fields,
        })
    }

    fn ty(&mut self) -> Parsed<WrittenType> {
        let start = self.span();
        let ty = self.deeper(Reader::bare_type)?;
        Ok(WrittenType {
            ty: Rc::new(ty),
            span: self.since(start),
        })
    }

    fn bare_type(&mut self) -> Parsed<LiteType> {
        if self.eat("int") {
            return Ok(LiteType::Int);
        }
        if self.eat("pid") {
            return Ok(LiteType::Pid);
        }
        if self.eat("chan") {
            self.take("{")?;
            let fields = self.list(",", Reader::ty)?;
            self.take("}")?;
            return Ok(LiteType::Chan(fields.into_iter().map(|f| f.ty).collect()));
        }
        if self.eat("rec") {
            let name = self.name("the variable of a type")?;
            self.take(".")?;
            let inner = self.ty()?;
            return Ok(LiteType::Rec(name.text, inner.ty));
        }
        match self.name("a type") {
            Ok(name) => Ok(LiteType::Variable(name.text)),
            Err(reported) => Err(reported),
        }
    }

    fn process(&mut self) -> Parsed<LiteProcess> {
        self.take("proctype")?;
        let name = self.name("the name of a process")?;
        self.take("(")?;
        let mut parameters = Vec::new();
        if !self.is(")") {
            parameters = self.list(";", |reader| {
                Ok((reader.ty()?, reader.name("the name of a parameter")?))
            })?;
        }
        self.take(")")?;
        self.take("{")?;
        self.take("do")?;
        let mut statements = Vec::new();
        while self.eat("::") {
            statements.push(self.statement()?);
        }
        if statements.is_empty() {
            return self.expected("`::`");
        }
        self.take("od")?;
        self.take("}")?;
        Ok(LiteProcess {
            name,
            parameters,
            statements,
        })
    }

    fn statement(&mut self) -> Parsed<LiteStatement> {
        self.take("atomic")?;
        self.take("{")?;
        let guard = self.guard()?;
        self.take("->")?;
        let mut updates = vec![self.update()?];
        while self.eat(";") && !self.is("}") {
            updates.push(self.update()?);
        }
        self.take("}")?;
        Ok(LiteStatement { guard, updates })
    }

    fn guard(&mut self) -> Parsed<LiteGuard> {
        self.deeper(|reader| {
            let mut all = reader.list("||", |reader| {
                let mut all = reader.list("&&", Reader::single)?;
                Ok(match all.len() {
                    1 => all.swap_remove(0),
                    _ => LiteGuard::Joined(true, all),
                })
            })?;
            Ok(match all.len() {
                1 => all.swap_remove(0),
                _ => LiteGuard::Joined(false, all),
            })
        })
    }

    fn single(&mut self) -> Parsed<LiteGuard> {
        if self.is("!") {
            let start = self.bump();
            let inner = self.deeper(Reader::single)?;
            return Ok(LiteGuard::Not(Box::new(inner), self.since(start)));
        }
        for (word, is_full) in [("nfull", true), ("nempty", false)] {
            if self.is(word) {
                let start = self.bump();
                self.take("(")?;
                let channel = self.name("the name of a channel")?;
                self.take(")")?;
                return Ok(LiteGuard::Probe(is_full, channel, self.since(start)));
            }
        }
        // A parenthesis begins a condition, or an expression that is compared.
        if self.is("(") && self.encloses_condition() {
            self.bump();
            let inner = self.guard()?;
            self.take(")")?;
            return Ok(inner);
        }
        let start = self.span();
        let left = self.expr()?;
        let signs = ["==", "!=", "<=", ">=", "<", ">"];
        let Some(sign) = signs.into_iter().find(|sign| self.is(sign)) else {
            return self.expected("a comparison");
        };
        self.bump();
        let right = self.expr()?;
        Ok(LiteGuard::Compare(left, sign, right, self.since(start)))
    }

    /// Whether what the parenthesis here encloses is a condition: something in it is only there.
    fn encloses_condition(&self) -> bool {
        let mut depth = 0_usize;
        for (token, _) in &self.tokens[self.at..] {
            match token {
                Token::Sign("(") => depth += 1,
                Token::Sign(")") => depth -= 1,
                Token::Sign("==" | "!=" | "<=" | ">=" | "<" | ">" | "&&" | "||" | "!")
                | Token::Word("nfull" | "nempty") => return true,
                Token::Sign("->" | "}") | Token::End => return false,
                _ => {}
            }
            if depth == 0 {
                return false;
            }
        }
        false
    }

    fn update(&mut self) -> Parsed<LiteUpdate> {
        if self.eat("skip") {
            return Ok(LiteUpdate::Skip);
        }
        let name = self.name("`skip`, an assignment, a send or a receive")?;
        let start = name.span;
        if self.eat("=") {
            return Ok(LiteUpdate::Assign(name, self.expr()?));
        }
        if self.eat("?") {
            let targets = self.list(",", |reader| reader.name("the name of a variable"))?;
            return Ok(LiteUpdate::Receive(name, targets, self.since(start)));
        }
        if self.eat("!") {
            let values = self.list(",", Reader::expr)?;
            return Ok(LiteUpdate::Send(name, values, self.since(start)));
        }
        self.expected("`=`, `?` or `!`")
    }

    fn expr(&mut self) -> Parsed<LiteExpr> {
        self.deeper(|reader| {
            reader.arithmetic(&["+", "-"], |reader| {
                reader.arithmetic(&["*"], Reader::operand)
            })
        })
    }

    fn arithmetic(
        &mut self,
        signs: &[&str],
        part: fn(&mut Self) -> Parsed<LiteExpr>,
    ) -> Parsed<LiteExpr> {
        let start = self.span();
        let mut left = part(self)?;
        while signs.iter().any(|sign| self.is(sign)) {
            self.bump();
            let right = part(self)?;
            left = LiteExpr {
                kind: LiteExprKind::Arithmetic(Box::new(left), Box::new(right)),
                span: self.since(start),
            };
        }
        Ok(left)
    }

    fn operand(&mut self) -> Parsed<LiteExpr> {
        let start = self.span();
        let kind = match self.peek() {
            Token::Number(_) | Token::Sign("-") => LiteExprKind::Number(self.number()?.0),
            Token::Sign("(") => {
                self.bump();
                let inner = self.expr()?;
                self.take(")")?;
                LiteExprKind::Enclosed(Box::new(inner))
            }
            Token::Word("_pid") => {
                self.bump();
                LiteExprKind::Pid
            }
            Token::Word("null") => {
                self.bump();
                LiteExprKind::Null
            }
            Token::Word("len") => {
                self.bump();
                self.take("(")?;
                let channel = self.name("the name of a channel")?;
                self.take(")")?;
                LiteExprKind::Length(channel)
            }
            _ => LiteExprKind::Name(self.name("an expression")?.text),
        };
        Ok(LiteExpr {
            kind,
            span: self.since(start),
        })
    }
}
