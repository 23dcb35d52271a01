//! Why a permutation of events may not be used, and why pairs have no representatives of a kind,
//! as data: what differs, and where. `report` has the words.

use std::sync::Arc;

/// Why a permutation of events is no symmetry of a network and its specification.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoSymmetry {
    /// A component has states that cannot be told apart, or reached.
    Unreduced(Arc<str>),
    /// It is no permutation of the events.
    NoPermutation,
    /// Two parts of the network do not fit.
    Parts(PartMismatch),
    /// Components are not permuted.
    ComponentsMerge,
    /// A component, laid on another state by state, does not become it.
    Unlaid(ComponentPair),
    /// The operators are not kept.
    OperatorsChange,
    /// Two rules would become one.
    RulesMerge,
    /// The image of a rule is no rule: what components do in it, and the event that is seen, if one
    /// is.
    RuleLost {
        /// By component: its event.
        parts: Vec<(Arc<str>, String)>,
        /// What is seen of it.
        result: Option<String>,
    },
    /// The trace that is asked for has an event that moves.
    TraceMoves(String),
    /// The specification is not kept after a trace.
    Specification {
        /// The trace.
        after: Vec<String>,
        /// What is not kept there.
        change: SpecificationChange,
    },
    /// Two states of the specification would become one.
    SpecificationMerges,
    /// Whoever asked did not want to know.
    NotAsked,
}

/// Some components of a network: the names of the first, and how many more there are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetworkPart {
    /// The first.
    pub first: Vec<Arc<str>>,
    /// How many more.
    pub n_more: usize,
}

/// A component, and the one on which it is laid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ComponentPair {
    /// The one that is laid.
    pub from: Arc<str>,
    /// On which.
    pub on: Arc<str>,
    /// Whether they are one and the same.
    pub is_itself: bool,
}

/// Why a part of a network cannot be laid on another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PartMismatch {
    /// The set of an operator does not become the other.
    Set {
        /// Which set.
        of: OperatorSet,
        /// How it changes.
        change: SetChange,
    },
    /// They are put together by different operators.
    Operators(NetworkPart, NetworkPart),
    /// They are of different numbers of parts.
    Numbers(NetworkPart, NetworkPart),
    /// A component does not become the other.
    Components {
        /// The two.
        pair: ComponentPair,
        /// A shortest trace after which they differ; `None` if they only branch differently.
        difference: Option<TraceDifference>,
    },
    /// Nothing is left on which it could be laid.
    NothingLike(NetworkPart),
    /// The renaming of this part is not kept.
    Renaming(NetworkPart),
}

/// A set of events of an operator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OperatorSet {
    /// On which parts synchronise.
    Synchronised(NetworkPart),
    /// The alphabet of the first part, laid on that of the second.
    Alphabet(NetworkPart, NetworkPart),
    /// That is hidden.
    Hidden(NetworkPart),
}

/// How a set of events changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SetChange {
    /// It would get this event.
    Gets(String),
    /// It would lose this event.
    Loses(String),
    /// An event would be in it more or less often.
    Differs,
}

/// A trace after which only one of two components can do an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceDifference {
    /// The trace.
    pub after: Vec<String>,
    /// The event.
    pub event: String,
    /// Whether it is the image that can do it, and not the other.
    pub only_image: bool,
}

/// What is not kept in a state of a specification.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SpecificationChange {
    /// The state would go to two.
    TwoImages,
    /// An event is allowed, and its image is not in the image of the state.
    Missing {
        /// The event.
        event: String,
        /// Its image.
        image: String,
    },
    /// The image allows more.
    MoreAllowed,
    /// Only one of the two diverges.
    Divergence,
    /// What may be refused is not kept.
    Refusals,
}

/// A state of a specification that a symmetry moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MovedState {
    /// The symmetry.
    pub symmetry: String,
    /// The trace that leads to the state.
    pub after: Vec<String>,
}

/// Why representatives of pairs cannot be chosen in some way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoRepresentatives {
    /// The specification moves.
    Moves(MovedState),
    /// States of a component name others.
    NamesOthers(Arc<str>),
    /// A component stays where it is, and its states move.
    StatesMove(Arc<str>),
    /// Components are not exchanged in all ways.
    NotAllExchanged,
    /// It would take more members than this.
    Members(usize),
    /// An orbit is too large.
    Orbit {
        /// How many states it has.
        n_states: usize,
        /// How many members there are.
        n_members: usize,
    },
    /// The group has more elements than this.
    Elements(usize),
    /// The group has more elements than this, which are too many to keep.
    Memory(usize),
    /// Neither of two ways can be used.
    Neither(Box<[NoRepresentatives; 2]>),
}

/// Why representatives are chosen as they are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ChoiceReason {
    /// No symmetry is shared by the process and the specification.
    NotShared,
    /// Symmetry is not used.
    Unused(NoRepresentatives),
    /// Nothing moves.
    NothingMoves,
    /// The least pair over so many symmetries is taken.
    Least(usize),
    /// The pair is made less by so many symmetries, as long as one does.
    Descended(usize),
    /// Columns of up to so many components are exchanged in all ways, and sorted.
    Sorted(usize),
    /// Pairs are drawn over so many members.
    Drawn(usize),
}
