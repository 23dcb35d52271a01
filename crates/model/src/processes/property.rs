//! What is asked of infinite runs of a model: formulas and claims over its atoms.
//!
//! An atom is an expression without temporal operators, as large as it can be: in `[] (x > 0 && y)`
//! there is one atom, `x > 0 && y`. Whoever reduces by symmetry must keep the truth of each atom,
//! and that is more than to keep the formula: an exchange of `p` and `q` keeps `[] p && [] q`, and
//! neither atom of it.

use crate::processes::expr::ExprId;
use base::Span;
use system::claim::Claim;
use system::formula::Formula;

/// A property of infinite runs.
#[derive(Clone, Debug)]
pub struct Property {
    /// What it is called.
    pub name: String,
    /// What kind of thing it is.
    pub kind: Kind,
    /// Where it is.
    pub span: Span,
    /// The line, from 1.
    pub line: u32,
    /// What its atoms are: expressions of the model that no process evaluates.
    pub atoms: Vec<ExprId>,
    /// The atoms as written.
    pub texts: Vec<String>,
    /// What is asked.
    pub body: Body,
    /// The member that it is about, if it was written for several: those stand side by side, with
    /// one name.
    pub index: Option<Index>,
}

/// A member of those that a property was written for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Index {
    /// What the property calls it.
    pub name: String,
    /// Its number.
    pub value: i32,
}

/// What kind of thing a property is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A formula.
    Ltl,
    /// A claim.
    Never,
    /// Every cycle has progress. A run that ends is no cycle.
    Progress,
    /// No cycle is in accepting locations again and again.
    Acceptance,
}

impl Kind {
    /// In one lower-case word.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Ltl => "ltl",
            Kind::Never => "never",
            Kind::Progress => "progress",
            Kind::Acceptance => "acceptance",
        }
    }

    /// Whether a run that ends is taken to stay in its last state for ever.
    pub fn stutters(self) -> bool {
        self != Kind::Progress
    }
}

/// What is asked.
#[derive(Clone, Debug)]
pub enum Body {
    /// All runs must satisfy this.
    Formula(Formula),
    /// No run may be accepted by this.
    Claim(Claim),
}
