//! What an editor is told of a machine: the syntax trees of all machines that belong to it, with
//! their names looked up.
//!
//! A machine sees its own names and those that the machines it links to export: under a prefix, if
//! it renames them. Operations have names of their own. What is bound hides what is around it. A
//! definition is looked into where it is written: its free names are those of the machine; a name
//! that only the place of its use binds means nothing here.

mod walk;

use crate::ast::{self, Definition, LinkKind, Name};
use crate::lex::lex;
use crate::project::{self, Project};
use crate::token::{Token, TokenKind, WORDS};
use crate::typed::Machine;
use base::{Diagnostics, SourceId, Sources, Span};
use model::frontend::Files;
use model::outline::{
    ClassifiedToken, Outline, OutlineBuilder, Symbol, SymbolId, SymbolKind, TokenClass,
};
use std::collections::HashMap;
use std::sync::Arc;
use walk::{Scope, Walk};

/// What a machine declares and uses.
pub fn outline(main: SourceId, sources: &mut Sources, files: &mut dyn Files) -> Outline {
    let tokens = lex(main, sources.get(main).text());
    let builder = OutlineBuilder::new(WORDS, classified(&tokens));
    let mut found = Diagnostics::new();
    let mut include = |name: &str| files.find(name)?.ok();
    let project = project::load(main, sources, &mut include, &mut found);
    let Some(mut project) = project.filter(|_| !found.has_errors()) else {
        return builder.broken();
    };
    project.ask(&[], sources, &mut found);
    let mut outliner = Outliner {
        builder,
        project: &project,
        machines: Vec::new(),
    };
    outliner.machines();
    for machine in 0..project.machines.len() {
        outliner.bodies(machine);
    }
    let mut builder = outliner.builder;
    if let Some(typed) = crate::typeck::typecheck(&project, &mut found) {
        types(&typed, &mut builder);
        properties(&project, &typed, &tokens, &mut builder);
    }
    builder.finish(sources)
}

fn classified(tokens: &[Token]) -> Vec<ClassifiedToken> {
    let class = |token: &Token| match &token.kind {
        TokenKind::Word(_) => Some(TokenClass::Keyword),
        TokenKind::Number(_) | TokenKind::Big(_) => Some(TokenClass::Number),
        TokenKind::Text(_) => Some(TokenClass::Text),
        _ => None,
    };
    let tokens = tokens.iter().filter_map(|token| {
        let span = token.span;
        class(token).map(|class| ClassifiedToken { span, class })
    });
    tokens.collect()
}

/// The types of constants, variables, and what is bound, and what is in sets.
fn types(machine: &Machine, builder: &mut OutlineBuilder) {
    let name = |sort: crate::typed::SortId| machine.sorts[sort.index()].name.clone();
    let globals = machine
        .globals
        .iter()
        .map(|global| (global.span, &global.ty));
    let locals = machine.locals.iter().map(|local| (local.span, &local.ty));
    for (span, ty) in globals.chain(locals) {
        let words = ty.words(&mut |sort| name(sort));
        builder.tell(span, &format!("of type {words}"));
    }
    for sort in &machine.sorts {
        let words = match &sort.elements {
            Some(elements) => format!("the set {{{}}}", elements.join(", ")),
            None => "a deferred set".to_owned(),
        };
        builder.tell(sort.span, &words);
    }
    if let Some(refined) = &machine.refines {
        types(refined, builder);
    }
}

/// What can be checked by itself.
fn properties(project: &Project, typed: &Machine, tokens: &[Token], builder: &mut OutlineBuilder) {
    let machine = &project.machines[0].ast;
    let clauses = [
        ("INVARIANT", &machine.invariant, "invariant"),
        ("ASSERTIONS", &machine.assertions, "assertions"),
    ];
    for (word, parts, property) in clauses {
        let Some(first) = parts.first() else {
            continue;
        };
        let mut before = tokens
            .iter()
            .filter(|token| token.span.end <= first.span.start);
        if let Some(clause) = before.rfind(|token| token.is_word(word)) {
            builder.property(clause.span, property);
        }
    }
    for formula in typed.formulas.iter().filter(|formula| !formula.is_part) {
        let mut all = machine.definitions.iter();
        if let Some(definition) = all.find(|d| *d.name.text == *formula.name) {
            builder.property(definition.name.span, formula.name.clone());
        }
    }
}

/// What names stand for in a machine.
#[derive(Default)]
struct MachineNames {
    /// The machine itself.
    own: Option<SymbolId>,
    /// Names that have a value, or are replaced by a text.
    values: HashMap<Arc<str>, SymbolId>,
    operations: HashMap<Arc<str>, SymbolId>,
    /// Of its values, those that other machines see.
    exported: HashMap<Arc<str>, SymbolId>,
}

struct Outliner<'a> {
    builder: OutlineBuilder,
    project: &'a Project,
    machines: Vec<MachineNames>,
}

impl Outliner<'_> {
    /// What all machines declare, and what they see of each other.
    fn machines(&mut self) {
        let project = self.project;
        for loaded in project.machines.iter() {
            let names = self.own_names(&loaded.ast);
            self.machines.push(names);
        }
        // Chains are as long as there are machines, at most.
        for _ in 0..project.machines.len() {
            let mut is_settled = true;
            for machine in 0..project.machines.len() {
                is_settled &= !self.import(machine);
            }
            if is_settled {
                break;
            }
        }
    }

    /// What one machine declares.
    fn own_names(&mut self, machine: &ast::Machine) -> MachineNames {
        let end = self.end_of(machine);
        let own = self.declare(&machine.name, SymbolKind::Module, machine.name.span.to(end));
        let mut names = MachineNames {
            own: Some(own),
            ..MachineNames::default()
        };
        let mut add = |this: &mut Self, name: &Name, kind, whole: Span| {
            let id = this.declare(name, kind, whole);
            this.builder.symbol(id).parent = Some(own);
            names.values.insert(name.text.clone(), id);
            id
        };
        for name in &machine.parameters {
            add(self, name, SymbolKind::Parameter, name.span);
        }
        for set in &machine.sets {
            let elements = set.elements.iter().flatten();
            let last = elements
                .clone()
                .last()
                .map_or(set.name.span, |name| name.span);
            add(self, &set.name, SymbolKind::Set, set.name.span.to(last));
            for element in elements {
                let id = add(self, element, SymbolKind::Constructor, element.span);
                self.builder.symbol(id).about = format!("an element of {}", set.name.text);
            }
        }
        for name in &machine.constants {
            add(self, name, SymbolKind::Constant, name.span);
        }
        for name in &machine.variables {
            add(self, name, SymbolKind::Variable, name.span);
        }
        names.exported = names.values.clone();
        for definition in &machine.definitions {
            let whole = definition.name.span.to(body_of(definition));
            let id = self.declare(&definition.name, SymbolKind::Macro, whole);
            self.builder.symbol(id).about = "a definition".to_owned();
            names.values.insert(definition.name.text.clone(), id);
        }
        for operation in &machine.operations {
            let first = operation
                .results
                .first()
                .map_or(operation.name.span, |name| name.span);
            let whole = first.to(operation.name.span).to(operation.body.span);
            let id = self.declare(&operation.name, SymbolKind::Operation, whole);
            self.builder.symbol(id).parent = Some(own);
            names.operations.insert(operation.name.text.clone(), id);
        }
        names
    }

    /// The end of the last thing that a machine has.
    fn end_of(&self, machine: &ast::Machine) -> Span {
        let operations = machine
            .operations
            .iter()
            .map(|operation| operation.body.span);
        let invariant = machine.invariant.iter().map(|part| part.span);
        let start = machine.initialisation.iter().map(|start| start.span);
        let all = operations.chain(invariant).chain(start);
        let own = all.filter(|span| span.source == machine.source);
        own.max_by_key(|span| span.end).unwrap_or(machine.name.span)
    }

    /// Makes visible what the machines export that one links to; whether there was something new.
    fn import(&mut self, machine: usize) -> bool {
        let loaded = &self.project.machines[machine];
        let links = loaded.ast.links.iter().zip(&loaded.links);
        let links = links.map(|(link, other)| (*other, link.kind, link.prefix.clone()));
        let refined = loaded
            .refines
            .map(|other| (other, LinkKind::Includes, None));
        let mut is_new = false;
        for (other, kind, prefix) in links.chain(refined).collect::<Vec<_>>() {
            let values: Vec<_> = self.machines[other].exported.clone().into_iter().collect();
            for (name, id) in values {
                let is_variable = self.builder.symbol(id).kind == SymbolKind::Variable;
                let name = match &prefix {
                    Some(prefix) if is_variable => format!("{prefix}.{name}").into(),
                    _ => name,
                };
                let names = &mut self.machines[machine];
                if kind != LinkKind::Sees {
                    is_new |= !names.exported.contains_key(&name);
                    names.exported.entry(name.clone()).or_insert(id);
                }
                is_new |= !names.values.contains_key(&name);
                names.values.entry(name).or_insert(id);
            }
            let operations: Vec<_> = self.machines[other]
                .operations
                .clone()
                .into_iter()
                .collect();
            for (name, id) in operations {
                let name = match &prefix {
                    Some(prefix) => format!("{prefix}.{name}").into(),
                    None => name,
                };
                let all = &mut self.machines[machine].operations;
                is_new |= !all.contains_key(&name);
                all.entry(name).or_insert(id);
            }
        }
        is_new
    }

    /// What a machine uses.
    fn bodies(&mut self, machine: usize) {
        let loaded = &self.project.machines[machine];
        let linked = loaded.ast.links.iter().map(|link| &link.machine);
        let linked = linked.zip(loaded.links.iter().copied());
        let refined = loaded.ast.refines.iter().zip(loaded.refines);
        for (name, other) in linked.chain(refined) {
            if let Some(id) = self.machines[other].own {
                self.builder.refer(name.span, id);
            }
        }
        let asked: &[_] = if machine == 0 {
            &self.project.asked
        } else {
            &[]
        };
        let mut walk = Walk {
            builder: &mut self.builder,
            names: &self.machines[machine],
        };
        walk.machine(&loaded.ast);
        for formula in asked.iter().filter_map(|asked| asked.tree.as_ref()) {
            walk.formula(formula, &Scope::new());
        }
    }

    fn declare(&mut self, name: &Name, kind: SymbolKind, whole: Span) -> SymbolId {
        self.builder.declare(Symbol {
            name: name.text.to_string(),
            kind,
            span: name.span,
            whole,
            parent: None,
            scope: None,
            about: String::new(),
        })
    }
}

/// Where the body of a definition is.
fn body_of(definition: &Definition) -> Span {
    match &definition.body {
        ast::DefinitionBody::Formula(formula) => formula.span,
        ast::DefinitionBody::Subst(subst) => subst.span,
    }
}
