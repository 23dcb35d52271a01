//! Languages whose models are processes: what such a front end has to give, and all that it has to
//! give.
//!
//! It reads a text ([`ProcessLanguage::read`]) and lowers what it accepted to a model of processes
//! with its properties ([`Accepted::lower`]). The rest of the door ([`crate::frontend`]) is the
//! same for all of them. `docs/theory/new-language.md` shows it on a small language.
//!
//! Formulas of the command line are added in the language itself, as lines `ltl NAME { FORMULA }`
//! behind the model: the text that is read first then asks for the model as a file
//! ([`IncludeRequest`]), so that places in it are those of what was typed.

use crate::frontend::{IncludeRequest, Signs};
use crate::outline::Outline;
use crate::processes::program::Model;
use crate::processes::property::Property;
use crate::proposal::Proposal;
use base::{Diagnostic, Diagnostics, SourceId, Sources};

/// A language whose models are processes.
pub trait ProcessLanguage: Sync {
    /// What it is called, in one lower-case word.
    fn language(&self) -> &'static str;

    /// How the names of its files end, in lower case, without the dot.
    fn endings(&self) -> &'static [&'static str];

    /// What its models are called.
    fn models(&self) -> &'static str;

    /// The flags of the command line that mean something here, as they are typed, beyond those that
    /// mean something in every language of processes.
    fn flags(&self) -> &'static [&'static str] {
        &[]
    }

    /// By what a text is known whose name says nothing.
    fn signs(&self) -> Signs {
        Signs::default()
    }

    /// How comments start that declare symmetries, at the beginning of a line.
    fn annotations(&self) -> &'static [&'static str] {
        &[]
    }

    /// The text, if it is right; otherwise `found` says what is wrong and where.
    fn read(
        &self,
        given: &Texts<'_>,
        sources: &mut Sources,
        include: &mut Include<'_>,
        found: &mut Diagnostics,
    ) -> Option<Box<dyn Accepted>>;

    /// As [`crate::frontend::Frontend::proposals`].
    fn proposals(&self, _text: &str, _lines: &[u32]) -> Option<Vec<Proposal>> {
        None
    }

    /// As [`crate::frontend::Frontend::outline`].
    fn outline(&self, _: &Texts<'_>, _: &mut Sources, _: &mut Include<'_>) -> Outline {
        Outline::default()
    }
}

/// What is to be read.
pub struct Texts<'a> {
    /// The text to start with: the model, or one that asks for it and adds to it.
    pub first: SourceId,
    /// The model itself.
    pub main: SourceId,
    /// Macros that were defined on the command line, each as the text behind `#define`.
    pub defines: &'a [SourceId],
}

/// Reads a file into the sources, or says why it cannot be read.
pub type Include<'a> =
    dyn FnMut(&mut Sources, &IncludeRequest<'_>) -> Result<SourceId, Diagnostic> + 'a;

/// A text that was accepted.
pub trait Accepted {
    /// How many there are of each kind of part, so that a reader can see that the right text was
    /// read.
    fn parts(&self) -> Vec<(&'static str, usize)>;

    /// The model as steps, with what is asked of its infinite runs; or what it cannot be.
    fn lower(&self, sources: &Sources, found: &mut Diagnostics) -> Option<Lowered>;
}

/// A model with what is asked of it.
pub struct Lowered {
    /// The model.
    pub model: Model,
    /// What is asked of its infinite runs.
    pub properties: Vec<Property>,
}
