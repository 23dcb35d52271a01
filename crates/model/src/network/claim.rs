//! What is claimed of a process: a specification that it refines, or a property that it has.
//!
//! A front end whose models are networks gives its assertions in this form ([`Claim`]), with the
//! permutations of values that might be symmetries ([`Offers`]) and what everything is called
//! ([`EventNames`]). Whoever checks the claim certifies the permutations on the networks.

use super::{Label, Network};
use std::fmt;

/// In which of the models of CSP processes are compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Semantics {
    /// What can happen.
    Traces,
    /// And what can be refused, where nothing internal can happen.
    Failures,
    /// And where internal events can go on for ever; after that, anything is allowed.
    FailuresDivergences,
}

impl Semantics {
    /// The letters that stand for it.
    pub fn letters(self) -> &'static str {
        match self {
            Semantics::Traces => "T",
            Semantics::Failures => "F",
            Semantics::FailuresDivergences => "FD",
        }
    }
}

/// What is claimed of a process.
#[derive(Clone, Copy)]
pub struct Claim<'a> {
    /// The process.
    pub process: &'a Network,
    /// What it is compared with.
    pub against: Against<'a>,
    /// Permutations of values that might be symmetries.
    pub offers: &'a dyn Offers,
    /// What everything is called.
    pub names: &'a dyn EventNames,
    /// Whether the process is what is asked about, and not one that stands for it: then its runs
    /// can be taken again.
    pub is_exact: bool,
}

/// What a process is compared with.
#[derive(Clone, Copy)]
pub enum Against<'a> {
    /// A specification that it is to refine.
    Specification {
        /// The specification.
        network: &'a Network,
        /// The same number for the same process, so that its normal form is made once.
        number: usize,
        /// In which model.
        semantics: Semantics,
    },
    /// It never stops but by ✓; in the model of divergences it never diverges, either.
    DeadlockFree(Semantics),
    /// It never diverges.
    DivergenceFree,
    /// It never both does and refuses an event.
    Deterministic(Semantics),
    /// It has this trace, and cannot refuse it where the model has refusals.
    Trace {
        /// The events.
        events: &'a [Label],
        /// In which model.
        semantics: Semantics,
    },
}

/// What the parts of a network are called, and where they are in a text.
pub trait EventNames {
    /// What a label is called.
    fn label(&self, label: Label) -> String;

    /// The components, by name.
    fn components(&self) -> &[String];

    /// Where the text is that a component in a state executes: the line, and the file if it is not
    /// that of the model.
    fn place(&self, component: usize, state: u32) -> Option<(u32, Option<String>)>;

    /// The process that a component is in a state, with what it can do.
    fn process(&self, component: usize, state: u32) -> String;
}

/// A permutation of values: its name, and by event where it goes.
pub type Offered = (String, Vec<u32>);

/// A set of values whose members may be interchangeable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FamilyText {
    /// What it is about.
    pub name: String,
    /// Its members in order.
    pub members: Vec<String>,
    /// Whether it is a sort of its own, and not a part of one or several together.
    pub is_sort: bool,
    /// The lines of its declarations, with the file if it is not that of the model.
    pub lines: Vec<(u32, Option<String>)>,
}

/// Permutations of values that might be symmetries, by family. Nothing is decided by offering one.
pub trait Offers {
    /// The families, those to be tried first before others.
    fn families(&self) -> Vec<FamilyText>;

    /// Whether somebody chose these, so that no others are to be used, and who fails is told.
    fn is_chosen(&self) -> bool {
        false
    }

    /// Whether two families are about a place in common.
    fn overlap(&self, a: usize, b: usize) -> bool;

    /// How many exchanges of a family there are at most.
    fn n_exchanges(&self, family: usize) -> usize;

    /// All pairs of members of a family, up to a limit.
    fn pairs(&self, family: usize) -> Vec<(usize, usize)>;

    /// Pairs of members that lie apart, some for each of `n_probes` that are wanted.
    fn pairs_apart(&self, family: usize, n_probes: usize) -> Vec<(usize, usize)>;

    /// The exchange of two members, if it leads events to events, and those of `alphabet` to
    /// events of `alphabet`.
    fn exchange(
        &self,
        family: usize,
        pair: (usize, usize),
        alphabet: &dyn Fn(u32) -> bool,
    ) -> Option<Offered>;

    /// What the exchange of two members is called.
    fn exchange_name(&self, family: usize, pair: (usize, usize)) -> String;

    /// Whether some event of `used` holds one of two members.
    fn is_held(&self, family: usize, pair: (usize, usize), used: &dyn Fn(u32) -> bool) -> bool;

    /// Rotations and reflections of all members that lead events to events, and those of
    /// `alphabet` to events of `alphabet`.
    fn turns(&self, family: usize, alphabet: &dyn Fn(u32) -> bool) -> Vec<Offered>;
}

/// A side of a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The process.
    Process,
    /// What it is compared with.
    Specification,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::Process => "process",
            Side::Specification => "specification",
        })
    }
}

/// A rule that was applied.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AppliedRule {
    /// How many rules it stands within.
    pub depth: usize,
    /// Its name.
    pub rule: &'static str,
    /// The process.
    pub process: String,
    /// What it becomes, if that is something else.
    pub becomes: Option<String>,
    /// What was looked at.
    pub condition: String,
}

/// A line that tells values apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mention {
    /// The line.
    pub line: u32,
    /// Which file, if it is not that of the model.
    pub file: Option<String>,
    /// What it does: `names A`.
    pub words: String,
}
