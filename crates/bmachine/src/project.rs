//! All machines that belong to one: the texts are read, and who belongs to whom is known.
//!
//! A machine names others in `SEES`, `USES`, `INCLUDES`, `EXTENDS`, `IMPORTS` and `REFINES`; each
//! is the file of that name beside it. A machine that belongs to itself, over however many others,
//! is refused. Files of definitions are read where a machine asks for them. One that is not there
//! is remembered: it is a mistake only if a name is missing later on.
//!
//! Worked example: `M` includes `a.N` and `b.N`; the project is `[M, N]`, and both links of `M`
//! lead to machine 1.

use crate::ast::{DefinitionBody, ExprKind, Machine};
use crate::lex::lex;
use crate::parse;
use crate::temporal::ParsedFormula;
use base::{Diagnostic, Diagnostics, SourceId, Sources, Span, quote};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Gives the name and the text of a file, asked for by its name, or nothing if there is none.
pub type FindFile<'a> = dyn FnMut(&str) -> Option<(String, String)> + 'a;

/// The machines of a project.
pub struct Project {
    /// The first is the one that was asked for; what another needs comes anywhere.
    pub machines: Arc<Vec<LoadedProject>>,
    /// The formulas of temporal logic that are asked of the first.
    pub asked: Vec<ParsedFormula>,
}

/// A machine and whom it leads to.
pub struct LoadedProject {
    /// What is written there.
    pub ast: Machine,
    /// By link of the machine: which of the project.
    pub links: Vec<usize>,
    /// Which one it refines.
    pub refines: Option<usize>,
    /// Files of definitions that are not there.
    pub missing: Vec<(Arc<str>, Span)>,
}

/// The most machines of one project, and files of definitions of one machine.
const MACHINES_MAX: usize = 500;
/// The longest chain of machines in which each belongs to the next.
const CHAIN_MAX: usize = 50;

/// The machine in `main` with all that belong to it, or `None` if `found` says what is wrong.
pub fn load(
    main: SourceId,
    sources: &mut Sources,
    include: &mut FindFile,
    found: &mut Diagnostics,
) -> Option<Project> {
    let mut loader = Loader {
        machines: Vec::new(),
        by_name: HashMap::new(),
        depth: 0,
        sources,
        include,
        found,
    };
    loader.read(main)?;
    let machines: Option<Vec<LoadedProject>> = loader.machines.into_iter().collect();
    Some(Project {
        machines: Arc::new(machines?),
        asked: Vec::new(),
    })
}

impl Project {
    /// The machine that was asked for, while nobody else looks at it.
    pub fn first_mut(&mut self) -> Option<&mut LoadedProject> {
        Arc::get_mut(&mut self.machines)?.first_mut()
    }

    /// The same machines, of which only this is asked.
    pub fn asking(&self, asked: ParsedFormula) -> Project {
        Project {
            machines: Arc::clone(&self.machines),
            asked: vec![asked],
        }
    }

    /// Reads the formulas that the definitions of the first machine ask for, and that were typed:
    /// which are of linear time, and their texts.
    pub fn ask(&mut self, typed: &[(bool, SourceId)], sources: &Sources, found: &mut Diagnostics) {
        let definitions = self.machines.first().map(|first| &first.ast.definitions);
        for definition in definitions.into_iter().flatten() {
            let name = &*definition.name.text;
            let is_linear = name.starts_with("ASSERT_LTL");
            let is_asked = is_linear || name.starts_with("ASSERT_CTL");
            let DefinitionBody::Formula(formula) = &definition.body else {
                continue;
            };
            if !is_asked || !definition.parameters.is_empty() {
                continue;
            }
            let ExprKind::Text(text) = &formula.kind else {
                let message = format!("{name} is no text, and no formula is read from it");
                found.push(Diagnostic::warning(formula.span, message));
                continue;
            };
            let is_long = sources.text(formula.span).starts_with("'''");
            let quotes = if is_long { 3 } else { 1 };
            let asked = ParsedFormula::read(name, is_linear, text, formula.span, quotes);
            self.asked.push(asked);
        }
        for &(is_linear, source) in typed {
            let text = sources.get(source).text();
            let span = Span::new(source, 0..text.len());
            self.asked.push(ParsedFormula::read(
                "command_line",
                is_linear,
                text,
                span,
                0,
            ));
        }
    }

    /// The links of a machine, those first that others of them lead to: what a machine is given
    /// where it is included has to be known before it is seen elsewhere.
    pub(crate) fn order_of_links(&self, machine: usize) -> Vec<usize> {
        let links = &self.machines[machine].links;
        let mut order = Vec::new();
        while order.len() < links.len() {
            let open: Vec<usize> = (0..links.len()).filter(|i| !order.contains(i)).collect();
            let leads_to_open = |i: usize| {
                let reached = self.reached(links[i]);
                open.iter()
                    .any(|&j| links[j] != links[i] && reached.contains(&links[j]))
            };
            // No machine belongs to itself, so there always is one.
            let next = open.iter().copied().find(|&i| !leads_to_open(i));
            order.push(next.unwrap_or(open[0]));
        }
        order
    }

    /// All machines that belong to one.
    fn reached(&self, machine: usize) -> HashSet<usize> {
        let mut reached = HashSet::new();
        let mut open = vec![machine];
        while let Some(next) = open.pop() {
            if reached.insert(next) {
                open.extend(&self.machines[next].links);
                open.extend(self.machines[next].refines);
            }
        }
        reached
    }
}

struct Loader<'a, 'f> {
    /// `None` while a machine is being read, and for good if it is wrong.
    machines: Vec<Option<LoadedProject>>,
    by_name: HashMap<Arc<str>, usize>,
    depth: usize,
    sources: &'a mut Sources,
    include: &'a mut FindFile<'f>,
    found: &'a mut Diagnostics,
}

impl Loader<'_, '_> {
    /// Reads a machine and all that it needs.
    fn read(&mut self, source: SourceId) -> Option<usize> {
        let text = self.sources.get(source).text();
        let (tokens, length) = (lex(source, text), text.len());
        let index = self.machines.len();
        self.machines.push(None);
        let mut ast = parse::machine(source, tokens, length, self.found)?;
        self.by_name.insert(ast.name.text.clone(), index);
        let missing = self.definitions(&mut ast);
        let mut links = Vec::new();
        for link in &ast.links {
            links.push(self.find(&link.machine.text, link.machine.span)?);
        }
        let refines = match &ast.refines {
            Some(name) => Some(self.find(&name.text, name.span)?),
            None => None,
        };
        self.machines[index] = Some(LoadedProject {
            ast,
            links,
            refines,
            missing,
        });
        Some(index)
    }

    /// The machine of that name, read if need be.
    fn find(&mut self, name: &Arc<str>, span: Span) -> Option<usize> {
        if let Some(&index) = self.by_name.get(name) {
            if self.machines[index].is_none() {
                let message = format!("{} belongs to itself", quote(name));
                let error = Diagnostic::error(span, message);
                let note = "a machine cannot see, include or refine itself, not even over others";
                self.found.push(error.note(note));
                return None;
            }
            return Some(index);
        }
        if self.machines.len() >= MACHINES_MAX {
            let message = format!("there are more than {MACHINES_MAX} machines");
            self.found.push(Diagnostic::error(span, message));
            return None;
        }
        if self.depth >= CHAIN_MAX {
            let message = format!("machines within machines are more than {CHAIN_MAX} deep");
            self.found.push(Diagnostic::error(span, message));
            return None;
        }
        let kinds = ["mch", "ref", "imp", "sys"];
        let files: Vec<String> = kinds.iter().map(|kind| format!("{name}.{kind}")).collect();
        let Some((file, text)) = files.iter().find_map(|file| (self.include)(file)) else {
            let message = format!("the machine {} is not there", quote(name));
            let error = Diagnostic::error(span, message);
            let note = format!("looked for {}", files.join(", "));
            self.found.push(error.note(note));
            return None;
        };
        if text.len() > base::Source::BYTES_MAX {
            let message = format!("{} is too long", quote(&file));
            self.found.push(Diagnostic::error(span, message));
            return None;
        }
        let source = self.sources.add(file, text);
        self.depth += 1;
        let index = self.read(source);
        self.depth -= 1;
        let index = index?;
        let read = self.machines[index].as_ref()?.ast.name.clone();
        if read.text != *name {
            let message = format!(
                "this machine is called {}, its file {}",
                quote(&read.text),
                quote(name)
            );
            let error = Diagnostic::error(read.span, message);
            self.found.push(error.and(span, "read because of this"));
            return None;
        }
        Some(index)
    }

    /// Reads the files of definitions that a machine asks for; those that are not there are given.
    fn definitions(&mut self, ast: &mut Machine) -> Vec<(Arc<str>, Span)> {
        let mut missing = Vec::new();
        let mut seen = HashSet::new();
        let mut known: HashSet<Arc<str>> = ast
            .definitions
            .iter()
            .map(|d| d.name.text.clone())
            .collect();
        let mut files = ast.files.clone();
        while let Some((file, span)) = files.pop() {
            if !seen.insert(file.clone()) || seen.len() > MACHINES_MAX {
                continue;
            }
            let Some((name, text)) = (self.include)(&file) else {
                missing.push((file, span));
                continue;
            };
            if text.len() > base::Source::BYTES_MAX {
                missing.push((file, span));
                continue;
            }
            let source = self.sources.add(name, text);
            let text = self.sources.get(source).text();
            let (tokens, length) = (lex(source, text), text.len());
            let read = parse::definition_file(source, tokens, length, self.found);
            files.extend(read.files);
            for definition in read.all {
                // The machine's own definitions come before those of files.
                if known.insert(definition.name.text.clone()) {
                    ast.definitions.push(definition);
                }
            }
        }
        missing
    }
}
