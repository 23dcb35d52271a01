//! An expression over the states of a model of processes, read by itself.
//!
//! It is added to the model as a formula is, as `ltl NAME { E }` in a text that includes the model,
//! so that names, macros and types are those of the model. A formula without operators of time is
//! one atom, and the value of that atom is asked for. What is looked at may change what the steps
//! of a model are (a jump to a label that is asked for is a step): such an expression is refused,
//! since it says nothing of states of the model without it.

use super::typed::{Added, COMMAND_LINE};
use super::{Loaded, MODEL, setting};
use base::{Diagnostic, Diagnostics, SourceId, Sources, Span};
use model::Machine;
use model::frontend::{Expression, IncludeRequest, Obstacle};
use model::processes::expr::ExprId;
use model::processes::language::{Lowered, ProcessLanguage, Texts};
use model::processes::passes::{self, Watch};
use model::processes::program;
use model::processes::property::{Body, Property};
use system::formula::Formula;

/// The texts that a model was read from.
pub struct ModelTexts {
    /// Its language.
    pub language: &'static dyn ProcessLanguage,
    /// Its own.
    pub main: SourceId,
    /// Macros of the command line.
    pub defines: Vec<SourceId>,
    /// How many formulas and claims they have.
    pub n_properties: usize,
    /// Those that were asked for, and by whom.
    pub included: Vec<(TextRequest, SourceId)>,
}

/// A text that another asked for.
#[derive(PartialEq, Eq)]
pub struct TextRequest {
    from: SourceId,
    path: String,
    angled: bool,
}

impl TextRequest {
    /// What is asked for.
    pub fn of(request: &IncludeRequest<'_>) -> TextRequest {
        TextRequest {
            from: request.from,
            path: request.path.to_owned(),
            angled: request.angled,
        }
    }
}

impl ModelTexts {
    /// The model once more, with what is added to it.
    fn read_with(
        &self,
        added: &Added,
        sources: &mut Sources,
        found: &mut Diagnostics,
    ) -> Option<Lowered> {
        let first = added.first(self.main, sources);
        let mut include = |_: &mut Sources, request: &IncludeRequest<'_>| {
            if request.path == MODEL {
                return Ok(self.main);
            }
            let wanted = TextRequest::of(request);
            let known = self.included.iter().find(|(known, _)| *known == wanted);
            let missing = || Diagnostic::unlocated("an expression includes no files");
            known.map(|(_, id)| *id).ok_or_else(missing)
        };
        let texts = Texts {
            first,
            main: self.main,
            defines: &self.defines,
        };
        let accepted = self.language.read(&texts, sources, &mut include, found)?;
        accepted.lower(sources, found)
    }
}

impl Loaded {
    /// The expression that is written in `text`; `None` if `found` says why it is none.
    pub(super) fn state_expression(
        &self,
        text: SourceId,
        sources: &mut Sources,
        found: &mut Diagnostics,
    ) -> Option<StateExpression> {
        let added = Added::expression(text, sources);
        let mut inside = Diagnostics::new();
        let lowered = self.texts.read_with(&added, sources, &mut inside);
        // Warnings were shown when the model was read.
        let wrong = inside.into_errors().into_iter();
        let wrong: Vec<Diagnostic> = wrong.map(|told| added.moved(told, sources)).collect();
        if !wrong.is_empty() {
            found.extend(wrong);
            return None;
        }
        let Lowered {
            mut model,
            properties,
        } = lowered?;
        let span = Span::new(text, 0..sources.get(text).text().len());
        let atom = self.only_atom(&properties);
        let atom = atom.map_err(|why| found.push(why.diagnostic(span))).ok()?;
        passes::apply(&mut model, setting(self.about.rules), &Watch::default());
        if !has_same_states(&model, self.machine.model()) {
            found.push(ExpressionRefusal::OtherStates.diagnostic(span));
            return None;
        }
        model.atoms = vec![atom];
        Some(StateExpression(Machine::new(model)))
    }

    /// The atom of the one formula among these properties that the model does not have itself.
    fn only_atom(&self, properties: &[Property]) -> Result<ExprId, ExpressionRefusal> {
        let added = properties.iter().filter(|p| p.name == COMMAND_LINE);
        let added: Vec<&Property> = added.collect();
        let n_own = self.texts.n_properties;
        let [property] = added[..] else {
            return Err(ExpressionRefusal::Several);
        };
        match (&property.body, &property.atoms[..]) {
            _ if properties.len() != n_own + 1 => Err(ExpressionRefusal::Several),
            (Body::Formula(Formula::Atom(0)), [atom]) => Ok(*atom),
            _ => Err(ExpressionRefusal::Temporal),
        }
    }
}

/// Why a text is no expression over the states of a model.
enum ExpressionRefusal {
    /// It speaks of runs.
    Temporal,
    /// It stands for several.
    Several,
    /// The model would have other states.
    OtherStates,
}

impl ExpressionRefusal {
    fn diagnostic(self, span: Span) -> Diagnostic {
        let (message, note) = match self {
            ExpressionRefusal::Temporal => (
                "an expression over single states has no operators of time",
                "`orbit check --ltl FORMULA` checks a formula over runs",
            ),
            ExpressionRefusal::Several => (
                "this is not one expression",
                "what is said of several members is written for each of them by itself",
            ),
            ExpressionRefusal::OtherStates => (
                "what this looks at is in no state of the model",
                "jumps to labels, and `_last`, are in states only where the model asks for them",
            ),
        };
        Diagnostic::error(span, message).note(note)
    }
}

/// Whether what is in the states of two models is the same.
fn has_same_states(a: &program::Model, b: &program::Model) -> bool {
    let locations = |model: &program::Model| -> Vec<usize> {
        let all = model.proctypes.iter();
        all.map(|p| p.locations.len()).collect()
    };
    a.layout.kinds == b.layout.kinds
        && locations(a) == locations(b)
        && a.steps.len() == b.steps.len()
}

/// An expression over the states of a model of processes.
pub struct StateExpression(Machine);

impl Expression for StateExpression {
    fn value(&self, state: &[u8]) -> Result<String, Obstacle> {
        let value = self.0.atom_value(0, state);
        value.map_err(|kind| Obstacle::Unsupported(kind.message().to_owned()))
    }
}
