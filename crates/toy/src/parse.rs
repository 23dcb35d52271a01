//! A text, line by line, as a model of processes; mistakes are located.

use crate::Program;
use base::{Diagnostic, Diagnostics, SourceId, Sources, Span, quote};
use model::frontend::IncludeRequest;
use model::processes::expr::{Binary, Expr, ExprId, Owner, Place};
use model::processes::language::Include;
use model::processes::layout::{KindId, RecordKind};
use model::processes::program::{
    Action, Init, Location, LocationId, Model, Proctype, ProctypeId, Site, Step, StepId,
};
use model::processes::property::{Body, Kind, Property};
use system::formula::Formula;
use system::{SiteId, Within};

/// How many texts may be asked for.
const N_INCLUDED_MAX: usize = 16;

type Read<T> = Result<T, Diagnostic>;

/// Reads a text with all that it asks for.
pub fn read(
    first: SourceId,
    sources: &mut Sources,
    include: &mut Include<'_>,
    found: &mut Diagnostics,
) -> Program {
    let mut parser = Parser::new();
    let (mut lines, mut n_included) = (lines_of(first, sources), 0);
    while let Some((span, number, line)) = lines.pop() {
        let Some(path) = line.strip_prefix("#include") else {
            parser.start(&line, span, number);
            parser.line().unwrap_or_else(|why| found.push(why));
            continue;
        };
        n_included += 1;
        let (from, path, angled) = (span.source, path.trim().trim_matches('"'), false);
        match include(sources, &IncludeRequest { from, path, angled }) {
            Ok(id) if n_included <= N_INCLUDED_MAX => lines.extend(lines_of(id, sources)),
            Ok(_) => found.push(Diagnostic::error(span, "too many texts are asked for")),
            Err(why) => found.push(why),
        }
    }
    if parser.program.model.population.is_empty() && !found.has_errors() {
        let start = Span::new(first, 0..0);
        found.push(Diagnostic::error(start, "there is no line `processes N`"));
    }
    parser.program
}

/// The lines of a text with their places and numbers, the last first.
fn lines_of(source: SourceId, sources: &Sources) -> Vec<(Span, u32, String)> {
    let lines = sources.get(source).lines().zip(1..);
    let lines = lines.map(|((at, line), n)| (Span::new(source, at), n, line.to_owned()));
    let mut lines: Vec<_> = lines.collect();
    lines.reverse();
    lines
}

/// What was read so far, and the words of a line that are still to be read, the last first.
struct Parser {
    program: Program,
    variables: Vec<(String, Place)>,
    asserted: Vec<ExprId>,
    words: Vec<(String, Span)>,
    line: Span,
    number: u32,
}

impl Parser {
    fn new() -> Parser {
        let mut model = Model::empty();
        model.layout.kinds.push(RecordKind::process("process", 1));
        let mut process = Proctype::new("process", KindId::new(1));
        process.locations.push(Location::default());
        model.proctypes.push(process);
        Parser {
            program: Program {
                model,
                properties: Vec::new(),
            },
            variables: Vec::new(),
            asserted: Vec::new(),
            words: Vec::new(),
            line: Span::new(SourceId::new(0), 0..0),
            number: 0,
        }
    }

    fn start(&mut self, line: &str, span: Span, number: u32) {
        let line = line.split("--").next().unwrap_or(line);
        let (first, words) = (span.start as usize, line.split_whitespace().rev());
        let words = words.map(|word| {
            let at = first + (word.as_ptr() as usize - line.as_ptr() as usize);
            (word.to_owned(), Span::new(span.source, at..at + word.len()))
        });
        self.words = words.collect();
        let end = self
            .words
            .first()
            .map_or(first, |(_, last)| last.end as usize);
        (self.line, self.number) = (Span::new(span.source, first..end), number);
    }

    fn line(&mut self) -> Read<()> {
        let first = self.words.last().cloned();
        match self.take().as_str() {
            "" => {}
            "processes" => {
                let n = self.numeral(64)?;
                self.program.model.population = vec![ProctypeId::new(0); n as usize];
            }
            "global" => self.variable(Owner::Globals)?,
            "own" => self.variable(Owner::Own)?,
            "rule" => self.rule()?,
            "assert" => {
                let asserted = self.value(0)?;
                self.asserted.push(asserted);
            }
            "ltl" => self.property()?,
            _ => {
                self.words.extend(first);
                return self.wrong("`processes`, `global`, `own`, `rule`, `assert` or `ltl`");
            }
        }
        if self.words.is_empty() {
            return Ok(());
        }
        self.wrong("the end of the line")
    }

    fn variable(&mut self, owner: Owner) -> Read<()> {
        let name = self.take();
        self.expect("=")?;
        let first = self.numeral(255)?;
        let first = self.put(Expr::Const(first));
        let model = &mut self.program.model;
        let record = &mut model.layout.kinds[usize::from(owner == Owner::Own)];
        let place = Place::scalar(owner, record.add_byte(&name));
        let prologue = match owner {
            Owner::Own => &mut model.proctypes[0].prologue,
            _ => &mut model.prologue,
        };
        prologue.push(Init::Value(place.clone(), first));
        self.variables.push((name, place));
        Ok(())
    }

    /// A rule is one step: its condition, its assignments, and all that is asserted.
    fn rule(&mut self) -> Read<()> {
        let words = self.words.iter().rev().map(|(word, _)| &word[..]);
        let text = words.collect::<Vec<_>>().join(" ");
        let mut parts = vec![Action::Test(self.value(0)?)];
        self.expect("->")?;
        loop {
            let place = self.place()?;
            self.expect(":=")?;
            parts.push(Action::Assign(place, self.value(0)?));
            if !self.eat(",") {
                break;
            }
        }
        parts.extend(self.asserted.iter().map(|e| Action::Assert(*e)));
        let model = &mut self.program.model;
        let (step, site) = (
            StepId::new(model.steps.len()),
            SiteId::new(model.sites.len()),
        );
        model.sites.push(Site {
            text,
            span: self.line,
            line: self.number,
            within: Within::default(),
            written: true,
        });
        let action = Action::All(parts.into());
        model
            .steps
            .push(Step::new(action, LocationId::new(0), site));
        model.proctypes[0].locations[0].steps.push(step);
        Ok(())
    }

    fn property(&mut self) -> Read<()> {
        let mut property = Property {
            name: self.take(),
            kind: Kind::Ltl,
            span: self.line,
            line: self.number,
            atoms: Vec::new(),
            texts: Vec::new(),
            body: Body::Formula(Formula::And(Vec::new())),
            index: None,
        };
        self.expect("{")?;
        property.body = Body::Formula(self.formula(&mut property)?);
        self.expect("}")?;
        self.program.properties.push(property);
        Ok(())
    }

    /// Connectives group to the right, all alike; parentheses say otherwise.
    fn formula(&mut self, of: &mut Property) -> Read<Formula> {
        let left = self.unary(of)?;
        let made: fn(Formula, Formula) -> Formula = match self.peek() {
            "->" => |a, b| Formula::Or(vec![Formula::Not(Box::new(a)), b]),
            "&&" => |a, b| Formula::And(vec![a, b]),
            "||" => |a, b| Formula::Or(vec![a, b]),
            "U" => |a, b| Formula::Until(Box::new(a), Box::new(b)),
            _ => return Ok(left),
        };
        self.take();
        Ok(made(left, self.formula(of)?))
    }

    fn unary(&mut self, of: &mut Property) -> Read<Formula> {
        let made: fn(Box<Formula>) -> Formula = match self.peek() {
            "[]" => Formula::Always,
            "<>" => Formula::Eventually,
            "X" => Formula::Next,
            "!" => Formula::Not,
            "(" => {
                self.take();
                let inner = self.formula(of)?;
                return self.expect(")").map(|()| inner);
            }
            _ => {
                self.expect("{")?;
                let words = self.words.iter().rev().map(|(word, _)| &word[..]);
                let text: Vec<&str> = words.take_while(|word| *word != "}").collect();
                of.texts.push(text.join(" "));
                of.atoms.push(self.value(0)?);
                let atom = Formula::Atom(of.atoms.len() as u32 - 1);
                return self.expect("}").map(|()| atom);
            }
        };
        self.take();
        Ok(made(Box::new(self.unary(of)?)))
    }

    /// Operators of a level and of those that bind closer.
    fn value(&mut self, level: usize) -> Read<ExprId> {
        if level == 4 {
            return self.primary();
        }
        let mut left = self.value(level + 1)?;
        loop {
            let made: fn(ExprId, ExprId) -> Expr = match (level, self.peek()) {
                (0, "||") => |a, b| Expr::Or([a, b].into()),
                (1, "&&") => |a, b| Expr::And([a, b].into()),
                (2, "==") => |a, b| Expr::Binary(Binary::Equal, a, b),
                (2, "!=") => |a, b| Expr::Binary(Binary::NotEqual, a, b),
                (2, "<=") => |a, b| Expr::Binary(Binary::LessEqual, a, b),
                (3, "+") => |a, b| Expr::Binary(Binary::Add, a, b),
                (3, "-") => |a, b| Expr::Binary(Binary::Subtract, a, b),
                _ => return Ok(left),
            };
            self.take();
            let right = self.value(level + 1)?;
            left = self.put(made(left, right));
        }
    }

    fn primary(&mut self) -> Read<ExprId> {
        let expr = if self.eat("me") {
            Expr::Pid
        } else if self.peek().parse::<i32>().is_ok() {
            Expr::Const(self.numeral(255)?)
        } else {
            Expr::Read(self.place()?)
        };
        Ok(self.put(expr))
    }

    fn place(&mut self) -> Read<Place> {
        let known = self.variables.iter().find(|(name, _)| name == self.peek());
        let Some((_, place)) = known.cloned() else {
            return self.wrong("a variable that is declared above");
        };
        self.take();
        Ok(place)
    }

    fn numeral(&mut self, most: i32) -> Read<i32> {
        match self.peek().parse() {
            Ok(n) if (0..=most).contains(&n) => {
                self.take();
                Ok(n)
            }
            _ => self.wrong(&format!("a number up to {most}")),
        }
    }

    fn put(&mut self, expr: Expr) -> ExprId {
        self.program.model.exprs.push(expr);
        ExprId::new(self.program.model.exprs.len() - 1)
    }

    fn expect(&mut self, sign: &str) -> Read<()> {
        if self.eat(sign) {
            return Ok(());
        }
        self.wrong(&quote(sign))
    }

    fn eat(&mut self, sign: &str) -> bool {
        self.peek() == sign && !self.take().is_empty()
    }

    fn take(&mut self) -> String {
        self.words.pop().map_or_else(String::new, |(word, _)| word)
    }

    fn peek(&self) -> &str {
        self.words.last().map_or("", |(word, _)| word)
    }

    fn wrong<T>(&self, wanted: &str) -> Read<T> {
        let end = self.line.end as usize..self.line.end as usize;
        let end = Span::new(self.line.source, end);
        let place = self.words.last().map_or(end, |(_, span)| *span);
        Err(Diagnostic::error(
            place,
            format!("{wanted} is expected here"),
        ))
    }
}
