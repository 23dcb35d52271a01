//! The meaning of `--ctl`: a formula of branching time over a Promela model.
//!
//! The formula is read first, without a word of Promela: its atoms are texts. Each becomes a
//! formula without operators of time in a text that includes the model, so that names, macros and
//! types are those of the model. What is wrong in such a text is told at its place in the formula
//! as it was typed.

use super::model::{self, Rules, RunModel};
use crate::flags::{CheckFlags, FairWord, SearchWord};
use base::{Diagnostic, Diagnostics, Sources, Span};
use check::ctl::{self, AtomText, Formula};
use std::ops::Range;
use system::expr::ExprId;
use system::property::{Body, Formula as Linear};

/// A formula of branching time over a model.
pub struct CtlPlan {
    /// The formula.
    pub formula: Formula,
    /// What its atoms are.
    pub atoms: Vec<ExprId>,
    /// Their texts.
    pub texts: Vec<String>,
}

/// What the text with the atoms is called; nobody sees it.
const ATOMS: &str = "--ctl, its atoms";

/// The model and the formula, or `None` if `found` says why not.
pub fn read(
    formula: &str,
    flags: &CheckFlags,
    sources: &mut Sources,
    found: &mut Diagnostics,
) -> Option<(RunModel, CtlPlan)> {
    let before = found.n_errors();
    refuse(flags, found);
    let source = sources.add("--ctl", formula);
    let parsed = ctl::parse(sources, source, found);
    if found.n_errors() > before {
        return None;
    }
    let ctl::Parsed { formula, atoms } = parsed?;
    let written = Written::new(&atoms, found)?;
    let mut inside = Diagnostics::new();
    let added = Some((ATOMS, &*written.lines));
    let read = model::read_with(&flags.model, added, sources, &mut inside);
    let rules = Rules::of(&flags.model);
    let model = read.and_then(|read| model::compile(read, rules, sources, &mut inside));
    let told = inside.sorted().into_iter();
    found.extend(told.map(|diagnostic| written.moved(diagnostic, &atoms, sources)));
    let model = model?;
    let mut exprs = Vec::new();
    for (i, atom) in atoms.iter().enumerate() {
        exprs.extend(expression(&model, i, atom, found));
    }
    (exprs.len() == atoms.len()).then_some((
        model,
        CtlPlan {
            formula,
            atoms: exprs,
            texts: atoms.into_iter().map(|atom| atom.text).collect(),
        },
    ))
}

/// Refuses what does not go with branching time.
fn refuse(flags: &CheckFlags, found: &mut Diagnostics) {
    let fair = flags.fair != FairWord::None || flags.pan.weak_fairness;
    let given = [
        ("--fair", fair, "all runs count; `--ltl` has fair ones"),
        (
            "--spin-compat",
            flags.model.spin_compat,
            "SPIN joins statements, and so makes choices earlier than they are written",
        ),
        ("-l", flags.pan.progress_cycles, "it asks something else"),
        ("-a", flags.pan.acceptance_cycles, "it asks something else"),
        ("--trail", flags.trail.is_some(), "`--json` has the run"),
        ("--audit", flags.audit, "it is about a search for errors"),
        (
            "--count-full",
            flags.count_full,
            "it is about a search for errors",
        ),
        (
            "--self-check",
            flags.self_check,
            "the formula is evaluated again without symmetry wherever that is small",
        ),
        (
            "--search dfs",
            flags.search == SearchWord::Dfs,
            "all states are seen, level by level",
        ),
    ];
    for (flag, _, why) in given.iter().filter(|(_, given, _)| *given) {
        let message = format!("`{flag}` does not go with `--ctl`");
        found.push(Diagnostic::unlocated(message).note(*why));
    }
}

/// The name of the formula that an atom becomes.
fn name(number: usize) -> String {
    format!("ctl_atom_{number}__")
}

/// The atoms as formulas of the model.
struct Written {
    lines: String,
    /// Where each atom stands in the lines.
    places: Vec<Range<usize>>,
}

impl Written {
    fn new(atoms: &[AtomText], found: &mut Diagnostics) -> Option<Written> {
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
            let start = written.lines.len();
            written.lines += &atom.text.replace(['\n', '\r'], " ");
            written.places.push(start..written.lines.len());
            written.lines += " }\n";
        }
        (found.n_errors() == before).then_some(written)
    }

    /// What was said of the lines, said of the formula.
    fn moved(&self, told: Diagnostic, atoms: &[AtomText], sources: &Sources) -> Diagnostic {
        let mut told = told;
        for label in &mut told.labels {
            if sources.get(label.span.source).name() == ATOMS {
                label.span = self.place(label.span, atoms, sources);
            }
        }
        told
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

/// The expression that an atom has become.
fn expression(
    model: &RunModel,
    number: usize,
    atom: &AtomText,
    found: &mut Diagnostics,
) -> Option<ExprId> {
    let name = name(number);
    let property = model.properties.iter().find(|p| p.name == name)?;
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
