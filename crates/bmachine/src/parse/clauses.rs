//! Machines and their clauses.

use super::{Parsed, Parser};
use crate::ast::{
    Expr, ExprKind, GivenSet, Header, LinkKind, Machine, MachineReference, Name, Operation,
};
use base::{Diagnostic, quote};

/// The words that begin a clause.
const CLAUSES: [&str; 32] = [
    "CONSTRAINTS",
    "SEES",
    "USES",
    "INCLUDES",
    "EXTENDS",
    "IMPORTS",
    "PROMOTES",
    "REFINES",
    "SETS",
    "CONSTANTS",
    "ABSTRACT_CONSTANTS",
    "CONCRETE_CONSTANTS",
    "PROPERTIES",
    "DEFINITIONS",
    "VARIABLES",
    "ABSTRACT_VARIABLES",
    "CONCRETE_VARIABLES",
    "INVARIANT",
    "VARIANT",
    "ASSERTIONS",
    "INITIALISATION",
    "INITIALIZATION",
    "OPERATIONS",
    "EVENTS",
    "LOCAL_OPERATIONS",
    "VALUES",
    "EXPRESSIONS",
    "PREDICATES",
    "FREETYPES",
    "MACHINE",
    "REFINEMENT",
    "END",
];

impl Parser {
    /// `MACHINE M(…) … END`
    pub(super) fn machine(&mut self) -> Parsed<Machine> {
        let header = self.header()?;
        let name = self.dotted("the name of a machine")?;
        let mut machine = Machine {
            source: self.source,
            header,
            name,
            parameters: Vec::new(),
            refines: None,
            links: Vec::new(),
            promotes: Vec::new(),
            sets: Vec::new(),
            constants: Vec::new(),
            variables: Vec::new(),
            concrete: Vec::new(),
            properties: Vec::new(),
            values: Vec::new(),
            invariant: Vec::new(),
            assertions: Vec::new(),
            initialisation: None,
            operations: Vec::new(),
            definitions: Vec::new(),
            files: Vec::new(),
        };
        if self.eat("(") {
            machine.parameters = self.names("the name of a parameter")?;
            self.expect(")")?;
        }
        let mut seen: Vec<(&'static str, base::Span)> = Vec::new();
        while !self.is_word("END") {
            if !self.is_clause() {
                let expected = self.expected("a clause or `END`");
                if !self.skip_to_clause() {
                    return Err(expected);
                }
                continue;
            }
            self.note_clause(&mut seen);
            if let Err(reported) = self.clause(&mut machine) {
                self.depth = 0;
                if !self.is_clause() && !self.skip_to_clause() {
                    return Err(reported);
                }
            }
        }
        self.expect_word("END")?;
        if self.peek().is_some() {
            return Err(self.expected("the end of the text"));
        }
        self.check_header(&machine);
        Ok(machine)
    }

    fn header(&mut self) -> Parsed<Header> {
        if self.eat_word("MACHINE") || self.eat_word("MODEL") || self.eat_word("SYSTEM") {
            return Ok(Header::Machine);
        }
        if self.eat_word("REFINEMENT") {
            return Ok(Header::Refinement);
        }
        if self.eat_word("IMPLEMENTATION") {
            return Ok(Header::Implementation);
        }
        Err(self.expected("`MACHINE`, `REFINEMENT` or `IMPLEMENTATION`"))
    }

    fn check_header(&mut self, machine: &Machine) {
        let is_machine = machine.header == Header::Machine;
        match &machine.refines {
            Some(name) if is_machine => {
                let message = "a machine refines nothing; a refinement does";
                self.error(name.span, message);
            }
            None if !is_machine => {
                let message = format!("{} does not say what it refines", quote(&machine.name.text));
                let error = Diagnostic::error(machine.name.span, message);
                self.report(error.note("a clause `REFINES` is missing"));
            }
            _ => {}
        }
    }

    /// Reports a clause that stands twice.
    fn note_clause(&mut self, seen: &mut Vec<(&'static str, base::Span)>) {
        let Some(token) = self.peek() else { return };
        let span = token.span;
        let Some(word) = CLAUSES.into_iter().find(|w| token.is_word(w)) else {
            return;
        };
        let first = seen.iter().find(|(w, _)| *w == word).map(|(_, s)| *s);
        if let Some(first) = first {
            let error = Diagnostic::error(span, format!("the clause `{word}` stands here again"));
            self.report(error.and(first, "here first"));
        }
        seen.push((word, span));
    }

    /// Whether a word that begins a clause, or ends the machine, is next.
    pub(super) fn is_clause(&self) -> bool {
        CLAUSES.iter().any(|word| self.is_word(word))
    }

    /// Moves to the next clause after an error; false if there is none.
    fn skip_to_clause(&mut self) -> bool {
        self.at += 1;
        while self.peek().is_some() {
            if self.is_clause() && !self.is_word("END") && !self.is_word("VARIANT") {
                return true;
            }
            self.at += 1;
        }
        false
    }

    fn clause(&mut self, machine: &mut Machine) -> Parsed<()> {
        let start = self.bump();
        let span = start.span;
        match &*start.text() {
            "CONSTRAINTS" => {
                let constraints = self.formula()?;
                machine.properties.insert(0, constraints);
            }
            "PROPERTIES" => {
                let properties = self.formula()?;
                machine.properties.push(properties);
            }
            "SEES" | "USES" => self.links(LinkKind::Sees, &mut machine.links)?,
            "INCLUDES" | "IMPORTS" => self.links(LinkKind::Includes, &mut machine.links)?,
            "EXTENDS" => self.links(LinkKind::Extends, &mut machine.links)?,
            "PROMOTES" => self.dotted_names(&mut machine.promotes)?,
            "REFINES" => machine.refines = Some(self.dotted("the name of a machine")?),
            "SETS" => self.sets(&mut machine.sets)?,
            "CONSTANTS" | "ABSTRACT_CONSTANTS" | "CONCRETE_CONSTANTS" => {
                machine
                    .constants
                    .extend(self.names("the name of a constant")?);
            }
            "CONCRETE_VARIABLES" => {
                let names = self.names("the name of a variable")?;
                machine
                    .concrete
                    .extend(names.iter().map(|n| n.text.clone()));
                machine.variables.extend(names);
            }
            "VARIABLES" | "ABSTRACT_VARIABLES" => {
                machine
                    .variables
                    .extend(self.names("the name of a variable")?);
            }
            "DEFINITIONS" | "EXPRESSIONS" | "PREDICATES" => {
                let read = self.definitions()?;
                machine.definitions.extend(read.all);
                machine.files.extend(read.files);
            }
            "INVARIANT" => {
                let invariant = self.formula()?;
                machine.invariant.push(invariant);
            }
            "ASSERTIONS" => self.assertions(&mut machine.assertions)?,
            "INITIALISATION" | "INITIALIZATION" => {
                machine.initialisation = Some(self.sequence_of_substs()?);
            }
            "OPERATIONS" | "EVENTS" => self.operations(false, &mut machine.operations)?,
            "LOCAL_OPERATIONS" => self.operations(true, &mut machine.operations)?,
            "VALUES" => self.values(&mut machine.values)?,
            word => {
                let message = format!("the clause `{word}` is not supported");
                return Err(self.error(span, message));
            }
        }
        Ok(())
    }

    /// `p.M(E, F), N`
    fn links(&mut self, kind: LinkKind, links: &mut Vec<MachineReference>) -> Parsed<()> {
        loop {
            let mut machine = self.dotted("the name of a machine")?;
            let full = machine.text.clone();
            let mut prefix = None;
            if let Some((before, last)) = full.rsplit_once('.') {
                prefix = Some(before.into());
                machine.text = last.into();
            }
            let arguments = if self.eat("(") {
                self.list(")")?
            } else {
                Vec::new()
            };
            links.push(MachineReference {
                kind,
                prefix,
                machine,
                arguments,
            });
            if !self.eat(",") {
                return Ok(());
            }
        }
    }

    fn dotted_names(&mut self, names: &mut Vec<Name>) -> Parsed<()> {
        names.push(self.dotted("the name of an operation")?);
        while self.eat(",") {
            names.push(self.dotted("the name of an operation")?);
        }
        Ok(())
    }

    /// `S; T = {a, b}`
    fn sets(&mut self, sets: &mut Vec<GivenSet>) -> Parsed<()> {
        loop {
            let name = self.name("the name of a set")?;
            let mut elements = None;
            if self.eat("=") {
                self.expect("{")?;
                elements = Some(self.names("the name of an element")?);
                self.expect("}")?;
            }
            sets.push(GivenSet { name, elements });
            if !self.eat(";") || self.is_clause() {
                return Ok(());
            }
        }
    }

    fn assertions(&mut self, assertions: &mut Vec<Expr>) -> Parsed<()> {
        loop {
            assertions.push(self.formula()?);
            if !self.eat(";") || self.is_clause() {
                return Ok(());
            }
        }
    }

    /// `x = E; y = F`
    fn values(&mut self, values: &mut Vec<(Name, Expr)>) -> Parsed<()> {
        loop {
            let equation = self.formula()?;
            match equation.kind {
                ExprKind::Infix("=", name, value) => match name.kind {
                    ExprKind::Name(name) => values.push((name, *value)),
                    _ => return Err(self.error(name.span, "a name is expected here")),
                },
                _ => return Err(self.error(equation.span, "`name = value` is expected here")),
            }
            if !self.eat(";") || self.is_clause() {
                return Ok(());
            }
        }
    }

    fn operations(&mut self, is_local: bool, operations: &mut Vec<Operation>) -> Parsed<()> {
        loop {
            operations.push(self.operation(is_local)?);
            if self.eat(";") {
                if self.is_clause() {
                    return Ok(());
                }
                continue;
            }
            if self.is_clause() || self.peek().is_none() {
                return Ok(());
            }
            return Err(self.expected("`;`, or the end of the clause,"));
        }
    }

    /// `r, s <-- op(x, y) = S`
    fn operation(&mut self, is_local: bool) -> Parsed<Operation> {
        let mut name = self.dotted("the name of an operation")?;
        let mut results = Vec::new();
        if self.is(",") || self.is("<--") {
            results.push(name);
            while self.eat(",") {
                results.push(self.name("the name of a result")?);
            }
            self.expect("<--")?;
            name = self.dotted("the name of an operation")?;
        }
        let mut parameters = Vec::new();
        if self.eat("(") && !self.eat(")") {
            parameters = self.names("the name of a parameter")?;
            self.expect(")")?;
        }
        if self
            .peek()
            .is_some_and(|t| t.name().is_some_and(|n| &**n == "ref"))
        {
            let message = "events that refine another event by name are not supported";
            return Err(self.error(self.here(), message));
        }
        self.expect("=")?;
        let body = self.parallel()?;
        Ok(Operation {
            name,
            results,
            parameters,
            body,
            is_local,
        })
    }
}
