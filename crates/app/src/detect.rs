//! The symmetry of a model, looked for where the plan says.

use crate::deadline;
use crate::plan::{Detect, DiagramSearch, Given};
use base::{Diagnostic, Span};
use group::largest::Effort;
use reduce::Found;
use reduce::blockers::{Blocker, objection};
use reduce::diagram::{ByDiagram, Diagram, largest};
use reduce::extend::{meant, with_candidates};
use system::Machine;

/// After so many tests the channel diagram is left as it is.
const N_TESTS_MAX: u64 = 1_000_000;

/// What was found.
pub struct Detected {
    /// The symmetry.
    pub found: Found,
    /// What the channel diagram gave, if that was looked at.
    pub by_diagram: Option<ByDiagram>,
    /// Generators that were given and are none.
    pub rejected: Vec<Rejected>,
    /// Whether there may be more symmetry than was looked for.
    pub is_partial: bool,
}

/// A generator that is none.
pub struct Rejected {
    /// As written.
    pub text: String,
    /// Where.
    pub span: Span,
    /// Why.
    pub why: Blocker,
}

impl Rejected {
    /// The reason in a sentence.
    pub fn reason(&self) -> String {
        let Blocker {
            of, line, reason, ..
        } = &self.why;
        let who = of.join(" and ");
        match line {
            0 => format!("{who}: {reason}"),
            line => format!("{who}: line {line}, {reason}"),
        }
    }

    /// The mistake where it stands.
    pub fn diagnostic(&self) -> Diagnostic {
        Diagnostic::error(self.span, "this is no symmetry of the model").note(self.reason())
    }
}

/// Looks for symmetry; `None` if the start of the model goes wrong.
pub fn detect(plan: &Detect, machine: &Machine) -> Option<Detected> {
    let found = reduce::find(machine)?;
    Some(match plan {
        Detect::Structure | Detect::Kripke(_) => Detected {
            found,
            by_diagram: None,
            rejected: Vec::new(),
            is_partial: false,
        },
        Detect::Diagram(search) => by_diagram(found, search),
        Detect::Given(given) => by_hand(found, given),
    })
}

fn by_diagram(found: Found, search: &DiagramSearch) -> Detected {
    let effort = Effort {
        n_tests_max: N_TESTS_MAX,
        n_conjugators: search.n_conjugators,
        seed: search.seed,
    };
    let diagram = Diagram::new(&found);
    let by_diagram = largest(&found, &diagram, &effort, &deadline::budget(search.limit));
    Detected {
        found: with_candidates(found, by_diagram.generators.clone()),
        by_diagram: Some(by_diagram),
        rejected: Vec::new(),
        is_partial: true,
    }
}

fn by_hand(found: Found, given: &[Given]) -> Detected {
    let mut generators = Vec::new();
    let mut rejected = Vec::new();
    for given in given {
        match meant(&found, &given.named) {
            Some(generator) => generators.push(generator),
            None => rejected.push(Rejected {
                text: given.text.clone(),
                span: given.span,
                why: objection(&found, &given.named),
            }),
        }
    }
    Detected {
        found: with_candidates(found, generators),
        by_diagram: None,
        rejected,
        is_partial: true,
    }
}
