//! Formulas that were typed on the command line, over a model of processes.
//!
//! A formula of branching time is read first, without a word of the language: its atoms are texts.
//! Each becomes a formula without operators of time in a text that includes the model, so that
//! names, macros and types are those of the model. What is wrong in such a text is told at its
//! place in the formula as it was typed.
//!
//! A formula for several members, `forall i in 0..4: AG EF up[i]`, has one list of atoms for each:
//! atoms that name `i` become formulas with the same quantifier, which the model's language
//! replaces by one formula a member.

use super::{MODEL, quantified};
use base::{Diagnostic, Diagnostics, Label, SourceId, Sources, Span, quote};
use check::ctl::{self, AtomText};
use model::frontend::{Asks, Bound, Branching, BranchingInstance, Options, Question};
use model::processes::expr::ExprId;
use model::processes::property::{Body, Property};
use std::ops::Range;
use system::formula::Formula as Linear;

/// What stands before the formula: the quantifier, the name, and all of it but the quantifier.
struct Head<'t> {
    all: bool,
    name: &'t str,
    rest: &'t str,
    /// Where the formula begins.
    end: usize,
}

impl Head<'_> {
    fn of(text: &str) -> Option<Head<'_>> {
        let start = text.trim_start();
        let (all, rest) = match start.strip_prefix("forall") {
            Some(rest) => (true, rest),
            None => (false, start.strip_prefix("exists")?),
        };
        // `forall` may be a name of the model, and so may what begins with it.
        let name = rest.strip_prefix(char::is_whitespace)?.trim_start();
        let name = &name[..name.find(|c: char| !is_word(c)).unwrap_or(name.len())];
        let (before, _) = rest.split_once(':')?;
        let after = before.trim_start().strip_prefix(name)?.trim_start();
        if name.is_empty() || !(after.is_empty() || after.starts_with("in")) {
            return None;
        }
        Some(Head {
            all,
            name,
            rest: before,
            end: text.len() - rest.len() + before.len() + 1,
        })
    }
}

pub fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// What the command line adds to the text of a model.
pub enum Added {
    /// Nothing.
    Nothing,
    /// A formula of linear time.
    Linear {
        /// As typed.
        formula: String,
        /// What was typed.
        source: SourceId,
        /// The formula in the language of the model.
        lines: String,
    },
    /// A formula of branching time.
    Branching(Box<Typed>),
}

/// A formula of branching time that was typed.
pub struct Typed {
    formula: String,
    source: SourceId,
    parsed: ctl::Parsed,
    written: Written,
}

/// A question of branching time, with what its atoms are, by instance.
pub struct Asked {
    /// The question.
    pub question: Question,
    /// The atoms.
    pub atoms: Vec<Vec<ExprId>>,
}

/// What the formula of linear time is called that was typed.
pub const COMMAND_LINE: &str = "command_line";
/// What the texts are called in which formulas stand beside the model; nobody sees them.
const BESIDE: &str = "--ltl, beside the model";
const ATOMS: &str = "--ctl, its atoms";

/// What stands before a formula of linear time in the language of the model.
fn head() -> String {
    format!("ltl {COMMAND_LINE} {{ ")
}

impl Added {
    /// What these options add, or `None` if `found` says what is wrong with it.
    pub fn of(options: &Options, sources: &mut Sources, found: &mut Diagnostics) -> Option<Added> {
        if let Some(formula) = &options.branching {
            return Typed::read(formula, sources, found)
                .map(Box::new)
                .map(Added::Branching);
        }
        Some(match &options.linear {
            None => Added::Nothing,
            Some(formula) => Added::Linear {
                formula: formula.clone(),
                source: sources.add("--ltl", formula),
                lines: format!("{}{formula} }}", head()),
            },
        })
    }

    /// An expression over states, which stands beside the model as a formula.
    pub fn expression(text: SourceId, sources: &Sources) -> Added {
        let formula = sources.get(text).text().to_owned();
        Added::Linear {
            source: text,
            lines: format!("{}{formula} }}", head()),
            formula,
        }
    }

    /// The text to read: the model, or one that includes it, so that places of what is added are
    /// its own.
    pub fn first(&self, model: SourceId, sources: &mut Sources) -> SourceId {
        let (name, lines) = match self {
            Added::Nothing => return model,
            Added::Linear { lines, .. } => (BESIDE, lines),
            Added::Branching(typed) => (ATOMS, &typed.written.lines),
        };
        sources.add(name, format!("#include \"{MODEL}\"\n{lines}\n"))
    }

    /// What was said of the lines, said of what was typed.
    pub fn moved(&self, told: Diagnostic, sources: &Sources) -> Diagnostic {
        match self {
            Added::Nothing => told,
            Added::Branching(typed) => typed.written.moved(told, &typed.parsed.atoms, sources),
            Added::Linear {
                formula,
                source,
                lines,
            } => {
                let place = |span: Span| {
                    let text = sources.get(span.source).text();
                    let from = text.len() - lines.len() - 1 + head().len();
                    let inside = |at: u32| (at as usize).saturating_sub(from).min(formula.len());
                    Span::new(*source, inside(span.start)..inside(span.end))
                };
                let mut told = moved(told, BESIDE, sources, &place);
                let is_at_end = |label: &Label| {
                    label.span.source == *source && label.span.start as usize >= formula.len()
                };
                if told.labels.first().is_some_and(is_at_end) {
                    // The brace is ours.
                    told.message = told.message.replace("not `}`", "and the text ends");
                }
                told
            }
        }
    }

    /// The question of branching time, of a model with these properties; `None` if `found` says
    /// what is wrong with it.
    pub fn branching(
        &self,
        properties: &[Property],
        sources: &Sources,
        found: &mut Diagnostics,
    ) -> Option<Option<Asked>> {
        match self {
            Added::Branching(typed) => typed.asked(properties, sources, found).map(Some),
            Added::Nothing | Added::Linear { .. } => Some(None),
        }
    }
}

/// What was said of a text that the command line added, said of what was typed.
fn moved(
    told: Diagnostic,
    added: &str,
    sources: &Sources,
    place: &dyn Fn(Span) -> Span,
) -> Diagnostic {
    let mut told = told;
    for label in &mut told.labels {
        if sources.get(label.span.source).name() == added {
            label.span = place(label.span);
        }
    }
    told
}

impl Typed {
    fn read(formula: &str, sources: &mut Sources, found: &mut Diagnostics) -> Option<Typed> {
        let before = found.n_errors();
        let written = match quantified::written_out(formula) {
            Ok(written) => written,
            Err(mistake) => {
                let source = sources.add("--ctl", formula);
                let place = Span::new(source, mistake.at);
                found.push(Diagnostic::error(place, mistake.message));
                return None;
            }
        };
        let formula = &*written;
        let source = sources.add("--ctl", formula);
        let head = Head::of(formula);
        let from = head.as_ref().map_or(0, |head| head.end);
        let parsed = ctl::parse_from(sources, (source, from), found);
        if found.n_errors() > before {
            return None;
        }
        let parsed = parsed?;
        let written = Written::new(&parsed.atoms, head.as_ref(), found)?;
        Some(Typed {
            formula: formula.to_owned(),
            source,
            parsed,
            written,
        })
    }

    fn asked(
        &self,
        properties: &[Property],
        _: &Sources,
        found: &mut Diagnostics,
    ) -> Option<Asked> {
        let head = Head::of(&self.formula);
        let values = match &head {
            None => vec![None],
            Some(head) => {
                let Some(values) = members(properties) else {
                    found.push(self.no_members(head));
                    return None;
                };
                values.into_iter().map(Some).collect()
            }
        };
        let each = |member: &Option<i32>| self.atoms(properties, *member, found);
        let atoms: Vec<Vec<ExprId>> = values.iter().map(each).collect::<Option<_>>()?;
        let texts: Vec<String> = self.parsed.atoms.iter().map(|a| a.text.clone()).collect();
        let instance = BranchingInstance {
            formula: Ok(self.parsed.formula.clone()),
            atoms: texts.clone(),
        };
        let bound = head.map(|head| Bound {
            all: head.all,
            name: head.name.to_owned(),
            values: values.iter().flatten().copied().collect(),
            text: self.formula.trim().to_owned(),
        });
        let name = match &bound {
            Some(bound) => bound.text.clone(),
            None => self.parsed.formula.text(&texts),
        };
        let question = Question {
            name,
            kind: "ctl",
            asks: Asks::Branching(Branching {
                instances: vec![instance; atoms.len()],
                bound,
                place: None,
            }),
            is_typed: true,
        };
        Some(Asked { question, atoms })
    }

    /// The expressions that the atoms have become, for a member.
    fn atoms(
        &self,
        properties: &[Property],
        member: Option<i32>,
        found: &mut Diagnostics,
    ) -> Option<Vec<ExprId>> {
        let mut atoms = Vec::new();
        for (i, atom) in self.parsed.atoms.iter().enumerate() {
            let asked = AtomOf { number: i, member };
            atoms.push(expression(properties, asked, atom, found)?);
        }
        Some(atoms)
    }

    fn no_members(&self, head: &Head<'_>) -> Diagnostic {
        let message = format!(
            "the members {} are not the same everywhere",
            quote(head.name)
        );
        let note = format!("say them: `forall {} in 0..4: …`", head.name);
        let place = Span::new(self.source, 0..head.end);
        Diagnostic::error(place, message).note(note)
    }
}

/// The members that atoms were written for; `None` if there are none, or not the same for all.
fn members(properties: &[Property]) -> Option<Vec<i32>> {
    let mut all: Option<Vec<i32>> = None;
    for family in super::families(properties.iter().filter(|p| is_atom(p))) {
        let values = family.iter().filter_map(|p| Some(p.index.as_ref()?.value));
        let values: Vec<i32> = values.collect();
        if values.is_empty() {
            continue;
        }
        if *all.get_or_insert_with(|| values.clone()) != values {
            return None;
        }
    }
    all
}

/// Whether a property of the model is there for an atom of a formula only.
pub fn is_atom(property: &Property) -> bool {
    property.name.starts_with(PREFIX)
}

/// How the names of formulas begin that atoms become.
const PREFIX: &str = "ctl_atom_";

/// The name of the formula that an atom becomes.
fn name(number: usize) -> String {
    format!("{PREFIX}{number}__")
}

/// The atoms as formulas of the model.
struct Written {
    lines: String,
    /// Where each atom stands in the lines.
    places: Vec<Range<usize>>,
}

impl Written {
    fn new(
        atoms: &[AtomText],
        head: Option<&Head<'_>>,
        found: &mut Diagnostics,
    ) -> Option<Written> {
        let mut written = Written {
            lines: String::new(),
            places: Vec::new(),
        };
        let before = found.n_errors();
        for (i, atom) in atoms.iter().enumerate() {
            if atom.text.contains(['{', '}', '#']) {
                let message = "an atom is an expression of the model, without braces";
                found.push(Diagnostic::error(atom.span, message));
            }
            written.lines += &format!("ltl {} {{ ", name(i));
            let mut words = atom.text.split(|c: char| !is_word(c));
            if let Some(head) = head.filter(|head| words.any(|word| word == head.name)) {
                written.lines += &format!("forall {}: ", head.rest.replace(['\n', '\r'], " "));
            }
            let start = written.lines.len();
            written.lines += &atom.text.replace(['\n', '\r'], " ");
            written.places.push(start..written.lines.len());
            written.lines += " }\n";
        }
        (found.n_errors() == before).then_some(written)
    }

    /// What was said of the lines, said of the formula.
    fn moved(&self, told: Diagnostic, atoms: &[AtomText], sources: &Sources) -> Diagnostic {
        moved(told, ATOMS, sources, &|span| {
            self.place(span, atoms, sources)
        })
    }

    fn place(&self, span: Span, atoms: &[AtomText], sources: &Sources) -> Span {
        let text = sources.get(span.source).text();
        // The lines stand behind the one that includes the model, and before the last end of line.
        let from = text.len() - self.lines.len() - 1;
        let at = (span.start as usize).saturating_sub(from);
        let next = self.places.partition_point(|place| place.start <= at);
        let i = next.saturating_sub(1);
        let (Some(place), Some(atom)) = (self.places.get(i), atoms.get(i)) else {
            return span;
        };
        let inside = |x: usize| x.clamp(place.start, place.end) - place.start;
        let start = atom.span.start as usize;
        let end = (span.end as usize).saturating_sub(from);
        Span::new(atom.span.source, start + inside(at)..start + inside(end))
    }
}

/// Which atom of which member.
#[derive(Clone, Copy)]
struct AtomOf {
    number: usize,
    member: Option<i32>,
}

/// The expression that an atom has become.
fn expression(
    properties: &[Property],
    of: AtomOf,
    atom: &AtomText,
    found: &mut Diagnostics,
) -> Option<ExprId> {
    let name = name(of.number);
    let mut named = properties.iter().filter(|p| p.name == name);
    let property = named.find(|p| match (&p.index, of.member) {
        (Some(index), Some(member)) => index.value == member,
        _ => true,
    })?;
    match (&property.body, &property.atoms[..]) {
        (Body::Formula(Linear::Atom(0)), [expr]) => Some(*expr),
        _ => {
            let message = "this has an operator of linear time in it";
            let note = "in branching time each stands behind an `A` or an `E`: AG, EF, A[p U q]";
            found.push(Diagnostic::error(atom.span, message).note(note));
            None
        }
    }
}
