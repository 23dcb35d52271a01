//! The meaning of `--ctl`: a formula of branching time over a Promela model.
//!
//! The formula is read first, without a word of Promela: its atoms are texts. Each becomes a
//! formula without operators of time in a text that includes the model, so that names, macros and
//! types are those of the model. What is wrong in such a text is told at its place in the formula
//! as it was typed.
//!
//! A formula for several members, `forall i in 0..4: AG EF up[i]`, has one list of atoms for each:
//! atoms that name `i` become formulas with the same quantifier, which the model's language
//! replaces by one formula a member.

use super::program::{self, Rules, RunModel};
use crate::flags::{CheckFlags, FairWord};
use base::{Diagnostic, Diagnostics, Sources, Span, quote};
use check::ctl::{self, AtomText, Formula};
use model::processes::expr::ExprId;
use model::processes::property::{Body, Property};
use std::ops::Range;
use system::formula::Formula as Linear;

/// A formula of branching time over a model, once for each member that it is asked of.
pub struct CtlPlan {
    /// The formulas; one, if it is asked of nobody in particular.
    pub instances: Vec<CtlInstance>,
    /// Of whom it is asked, if there is a quantifier.
    pub bound: Option<Bound>,
}

/// A formula over a model.
pub struct CtlInstance {
    /// The formula.
    pub formula: Formula,
    /// What its atoms are.
    pub atoms: Vec<ExprId>,
    /// Their texts.
    pub texts: Vec<String>,
}

/// A quantifier over members.
pub struct Bound {
    /// Whether the formula must hold of all members, and not of one at least.
    pub all: bool,
    /// What it calls them.
    pub name: String,
    /// Their numbers, one an instance.
    pub values: Vec<i32>,
    /// The whole formula, as typed.
    pub text: String,
}

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

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
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
    let head = Head::of(formula);
    let from = head.as_ref().map_or(0, |head| head.end);
    let parsed = ctl::parse_from(sources, (source, from), found);
    if found.n_errors() > before {
        return None;
    }
    let parsed = parsed?;
    let written = Written::new(&parsed.atoms, head.as_ref(), found)?;
    let mut inside = Diagnostics::new();
    let added = Some((ATOMS, &*written.lines));
    let read = program::read_with(&flags.model, added, sources, &mut inside);
    let rules = Rules::of(&flags.model);
    let model = read.and_then(|read| program::compile(read, rules, sources, &mut inside));
    let told = inside.sorted().into_iter();
    found.extend(told.map(|diagnostic| written.moved(diagnostic, &parsed.atoms, sources)));
    let model = model?;
    let Some(head) = head else {
        let instances = vec![instance(&model, &parsed, None, found)?];
        let bound = None;
        return Some((model, CtlPlan { instances, bound }));
    };
    let Some(values) = members(&model) else {
        let message = format!(
            "the members {} are not the same everywhere",
            quote(head.name)
        );
        let note = format!("say them: `forall {} in 0..4: …`", head.name);
        let place = Span::new(source, 0..head.end);
        found.push(Diagnostic::error(place, message).note(note));
        return None;
    };
    let each = |value: &i32| instance(&model, &parsed, Some(*value), found);
    let instances: Option<Vec<CtlInstance>> = values.iter().map(each).collect();
    let bound = Some(Bound {
        all: head.all,
        name: head.name.to_owned(),
        values,
        text: formula.trim().to_owned(),
    });
    let instances = instances?;
    Some((model, CtlPlan { instances, bound }))
}

/// The members that atoms were written for; `None` if there are none, or not the same for all.
fn members(model: &RunModel) -> Option<Vec<i32>> {
    let mut all: Option<Vec<i32>> = None;
    for family in model.families(&(0..model.properties.len()).collect::<Vec<usize>>()) {
        let properties = family.iter().map(|n| &model.properties[*n]);
        let properties = properties.filter(|p| is_atom(p));
        let values: Vec<i32> = properties
            .filter_map(|p| Some(p.index.as_ref()?.value))
            .collect();
        if values.is_empty() {
            continue;
        }
        if *all.get_or_insert_with(|| values.clone()) != values {
            return None;
        }
    }
    all
}

/// The formula for a member.
fn instance(
    model: &RunModel,
    parsed: &ctl::Parsed,
    member: Option<i32>,
    found: &mut Diagnostics,
) -> Option<CtlInstance> {
    let mut atoms = Vec::new();
    for (i, atom) in parsed.atoms.iter().enumerate() {
        atoms.push(expression(model, (i, member), atom, found)?);
    }
    Some(CtlInstance {
        formula: parsed.formula.clone(),
        atoms,
        texts: parsed.atoms.iter().map(|atom| atom.text.clone()).collect(),
    })
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
    ];
    for (flag, _, why) in given.iter().filter(|(_, given, _)| *given) {
        let message = format!("`{flag}` does not go with `--ctl`");
        found.push(Diagnostic::unlocated(message).note(*why));
    }
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
        program::moved(told, ATOMS, sources, &|span| {
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

/// The expression that an atom has become.
fn expression(
    model: &RunModel,
    (number, member): (usize, Option<i32>),
    atom: &AtomText,
    found: &mut Diagnostics,
) -> Option<ExprId> {
    let name = name(number);
    let mut named = model.properties.iter().filter(|p| p.name == name);
    let property = named.find(|p| match (&p.index, member) {
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
