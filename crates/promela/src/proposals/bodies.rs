//! How the statements of a text nest, as it is written: no macros, no types.
//!
//! A line end stands for a semicolon where a name follows what can end a statement. What is not
//! understood is a simple statement up to the next semicolon.

use crate::ast::DEPTH_MAX;
use crate::token::{Token, TokenKind};
use std::ops::RangeInclusive;
use std::rc::Rc;

/// The bodies of a text.
pub struct Bodies {
    /// Those of process types, `init` and inlines.
    pub processes: Vec<Process>,
}

/// A body.
pub struct Process {
    /// The name of a process type.
    pub name: Option<Rc<str>>,
    /// Its tokens, without the braces.
    pub tokens: std::ops::Range<usize>,
    /// Its statements.
    pub body: Vec<Statement>,
}

/// A statement.
#[derive(Debug)]
pub struct Statement {
    /// Its tokens, without a label.
    pub tokens: RangeInclusive<usize>,
    /// What it is.
    pub kind: Kind,
    /// The lists of statements inside of it.
    pub lists: Vec<Vec<Statement>>,
    /// Of a loop: whether it can end, and is left by `break` only.
    pub ends: bool,
}

/// What a statement is, as far as it matters here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `atomic` and `d_step`.
    Undivided,
    /// `do` and `for`.
    Loop,
    /// `x = e`, `x++`.
    Assignment,
    /// `run p()`, alone or assigned.
    Run,
    /// `select (x : a .. b)`.
    Select,
    /// All others.
    Other,
}

impl Bodies {
    /// The bodies that these tokens have.
    pub fn of(tokens: &[Token]) -> Bodies {
        let mut bodies = Bodies {
            processes: Vec::new(),
        };
        let mut reader = Reader {
            tokens,
            at: 0,
            depth: 0,
        };
        while reader.at < tokens.len() {
            let name = tokens[reader.at].name().cloned();
            let is_type = name
                .as_deref()
                .is_some_and(|name| matches!(name, "proctype" | "D_proctype"));
            let has_body = is_type || matches!(name.as_deref(), Some("init" | "inline"));
            let own = tokens.get(reader.at + 1).and_then(Token::name).cloned();
            reader.skip_to_brace();
            let start = reader.at + 1;
            if !has_body {
                reader.skip_group();
                continue;
            }
            reader.at = start.min(tokens.len());
            let body = reader.list();
            bodies.processes.push(Process {
                name: own.filter(|_| is_type),
                tokens: start.min(reader.at)..reader.at,
                body,
            });
            reader.at += 1;
        }
        bodies
    }
}

struct Reader<'t> {
    tokens: &'t [Token],
    at: usize,
    depth: u16,
}

impl Reader<'_> {
    fn is(&self, mark: &str) -> bool {
        self.tokens.get(self.at).is_some_and(|t| t.is(mark))
    }

    fn is_name(&self, names: &[&str]) -> bool {
        let token = self.tokens.get(self.at);
        token.is_some_and(|t| t.name().is_some_and(|name| names.contains(&&**name)))
    }

    /// To the next brace, or behind the next word that begins a part of a model.
    fn skip_to_brace(&mut self) {
        self.at += 1;
        let parts = ["proctype", "D_proctype", "init", "inline", "never", "ltl"];
        while self.at < self.tokens.len() && !self.is("{") && !self.is_name(&parts) {
            self.at += 1;
        }
    }

    /// Behind what stands in brackets here, or stays.
    fn skip_group(&mut self) {
        let opens = |t: &Token| t.is("{") || t.is("(") || t.is("[");
        let closes = |t: &Token| t.is("}") || t.is(")") || t.is("]");
        let mut depth = 0;
        while let Some(token) = self.tokens.get(self.at) {
            depth += i32::from(opens(token)) - i32::from(closes(token));
            if depth <= 0 {
                self.at += usize::from(closes(token));
                return;
            }
            self.at += 1;
        }
    }

    fn closes_list(&self) -> bool {
        self.at >= self.tokens.len() || self.is("}") || self.is("::") || self.is_name(&["od", "fi"])
    }

    /// The statements up to the end of their list.
    fn list(&mut self) -> Vec<Statement> {
        // What the preprocessor leaves out was not parsed, so it may nest as deeply as it likes.
        if self.depth == DEPTH_MAX {
            self.at = self.tokens.len();
            return Vec::new();
        }
        self.depth += 1;
        let all = self.statements();
        self.depth -= 1;
        all
    }

    fn statements(&mut self) -> Vec<Statement> {
        let mut all = Vec::new();
        loop {
            while self.is(";") || self.is("->") {
                self.at += 1;
            }
            if self.closes_list() {
                return all;
            }
            let labels = self.tokens.get(self.at + 1).is_some_and(|t| t.is(":"));
            if labels && self.tokens[self.at].name().is_some() {
                self.at += 2;
                continue;
            }
            let start = self.at;
            let mut statement = self.statement();
            if self.at == start {
                self.at += 1;
            }
            statement.tokens = start..=self.at - 1;
            all.push(statement);
        }
    }

    fn statement(&mut self) -> Statement {
        let start = self.at;
        let word = self.tokens[start].name().cloned();
        let mut lists = Vec::new();
        let kind = match word.as_deref() {
            Some("do" | "if") => {
                self.at += 1;
                while self.is("::") {
                    self.at += 1;
                    lists.push(self.list());
                }
                self.at += usize::from(self.at < self.tokens.len());
                if word.as_deref() == Some("do") {
                    Kind::Loop
                } else {
                    Kind::Other
                }
            }
            Some("for") => {
                self.at += 1;
                self.skip_group();
                lists.push(self.braces());
                Kind::Loop
            }
            Some("atomic" | "d_step") => {
                self.at += 1;
                lists.push(self.braces());
                Kind::Undivided
            }
            _ if self.is("{") => {
                lists.push(self.braces());
                Kind::Other
            }
            _ => self.simple(),
        };
        let is_for = word.as_deref() == Some("for");
        let ends = kind == Kind::Loop && self.ends(start, is_for, &lists);
        Statement {
            tokens: start..=start,
            kind,
            lists,
            ends,
        }
    }

    fn braces(&mut self) -> Vec<Statement> {
        if !self.is("{") {
            return Vec::new();
        }
        self.at += 1;
        let list = self.list();
        self.at += usize::from(self.is("}"));
        list
    }

    /// To the end of a statement without others in it.
    fn simple(&mut self) -> Kind {
        let start = self.at;
        while self.at < self.tokens.len() && !self.ends_simple(start) {
            if self.is("(") || self.is("[") {
                self.skip_group();
            } else {
                self.at += 1;
            }
        }
        let tokens = &self.tokens[start..self.at];
        let has = |mark: &str| tokens.iter().any(|t| t.is(mark));
        let first = tokens.first().and_then(Token::name);
        if tokens.iter().any(|t| t.is_name("run")) {
            Kind::Run
        } else if first.is_some_and(|name| &**name == "select") {
            Kind::Select
        } else if first.is_none_or(|name| is_type(name)) || has("!") || has("?") || has("??") {
            Kind::Other
        } else if has("=") || has("++") || has("--") {
            Kind::Assignment
        } else {
            Kind::Other
        }
    }

    fn ends_simple(&self, start: usize) -> bool {
        let is_line_end = self.at > start
            && self.tokens[self.at].starts_line
            && self.tokens[self.at].name().is_some()
            && can_end(&self.tokens[self.at - 1]);
        self.is(";") || self.is("->") || self.is("{") || self.closes_list() || is_line_end
    }

    /// Whether the loop whose tokens begin at `start` counts to an end, and is left there or by a
    /// `break` of its own. One that waits for messages is taken for the life of a process.
    fn ends(&self, start: usize, is_for: bool, lists: &[Vec<Statement>]) -> bool {
        let tokens = &self.tokens[start..self.at];
        let jumps = tokens.iter().any(|t| t.is_name("goto"));
        let counts = tokens
            .iter()
            .any(|t| t.is("++") || t.is("--") || t.is("+") || t.is("-"));
        let waits = tokens.iter().any(|t| t.is("?") || t.is("??"));
        !jumps && (is_for || (counts && !waits && self.breaks(lists)))
    }

    /// Whether a `break` leaves the loop that has these lists, and none inside of it.
    fn breaks(&self, lists: &[Vec<Statement>]) -> bool {
        lists.iter().flatten().any(|one| match one.kind {
            Kind::Loop => false,
            _ => self.tokens[*one.tokens.start()].is_name("break") || self.breaks(&one.lists),
        })
    }
}

/// Whether a statement can end with a token.
fn can_end(token: &Token) -> bool {
    let is_mark = token.is(")") || token.is("]") || token.is("++") || token.is("--");
    is_mark || matches!(token.kind, TokenKind::Name(_) | TokenKind::Number(_))
}

/// Whether a word begins a declaration.
fn is_type(word: &str) -> bool {
    let types = ["bit", "bool", "byte", "pid", "short", "int", "unsigned"];
    types.contains(&word) || ["mtype", "chan", "local", "hidden", "show", "d_step"].contains(&word)
}
