//! What can go wrong in a step.

base::define_id!(SiteId, "Which place in the text a step comes from.");

/// What went wrong, and in which step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Fault {
    /// What.
    pub kind: FaultKind,
    /// In which step.
    pub site: SiteId,
}

/// What went wrong.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FaultKind {
    /// An assertion is false.
    Assertion,
    /// An index outside its array.
    Index,
    /// A division by zero.
    Division,
    /// A channel that was never made.
    NoChannel,
    /// A message with more fields than the channel has.
    MessageLength,
    /// A process that is not there, or of another type.
    NoProcess,
    /// A priority that is not 1 to 255.
    Priority,
    /// A statement inside a deterministic block cannot be taken.
    Blocked,
    /// It is asked what a rendezvous channel holds, which holds nothing.
    Poll,
    /// More processes than can be numbered.
    TooManyProcesses,
    /// More channels than can be numbered.
    TooManyChannels,
    /// A second step can be taken in a process that is said to be deterministic.
    NotDeterministic,
    /// A send or receive that a trace does not have here.
    Trace,
    /// The last of the sends and receives that must not come in this order.
    NoTrace,
    /// A send or receive that fits two steps of a trace.
    TraceChoice,
    /// Steps without a stored state between that do not end.
    Endless,
    /// An invariant is false.
    Invariant,
    /// What was looked for is there.
    Goal,
    /// An expression has no value: a function outside its domain, the least of nothing.
    Undefined,
    /// An operation is called where its precondition is false.
    Precondition,
    /// Not all ways to take a step were tried, so that what comes after the others was not seen.
    Cut,
    /// A run is one of those that a claim says must not be.
    Claim,
    /// It could not be decided whether this holds in a state; what comes after was seen.
    Undecided(Claimed),
}

/// What is said of single states.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Claimed {
    /// An invariant holds.
    Invariant,
    /// An assertion holds.
    Assertion,
    /// What is looked for is there.
    Goal,
    /// An atom of a formula is true.
    Atom,
}

/// A fault in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FaultText {
    /// What is wrong.
    pub message: String,
    /// The step, as written.
    pub step: String,
    /// Where it is.
    pub span: base::Span,
    /// The line, from 1.
    pub line: u32,
    /// The file, and what uses it there.
    pub within: crate::system::Within,
}

impl FaultKind {
    /// What is wrong, in words.
    pub fn message(self) -> &'static str {
        match self {
            FaultKind::Assertion => "assertion violated",
            FaultKind::Claim => "claim violated",
            FaultKind::Index => "array index out of bounds",
            FaultKind::Division => "division by zero",
            FaultKind::NoChannel => "use of a channel that was never made",
            FaultKind::MessageLength => "message with more fields than the channel has",
            FaultKind::NoProcess => "reference to a process that is not there",
            FaultKind::Priority => "priority out of range: 1 to 255 are allowed",
            FaultKind::Blocked => "statement inside d_step cannot be taken",
            FaultKind::Poll => "poll of a rendezvous channel, in which no message can ever be",
            FaultKind::TooManyProcesses => "more than 255 processes",
            FaultKind::TooManyChannels => "more than 255 channels",
            FaultKind::NotDeterministic => "non-determinism in a deterministic process",
            FaultKind::Trace => "the trace has no such event here",
            FaultKind::NoTrace => "all events of the notrace came, in its order",
            FaultKind::TraceChoice => "the event fits two steps of the trace",
            FaultKind::Endless => "steps inside atomic or d_step that do not end",
            FaultKind::Invariant => "invariant violated",
            FaultKind::Goal => "goal reached",
            FaultKind::Undefined => "an expression has no value",
            FaultKind::Precondition => "called outside the precondition",
            FaultKind::Cut => "not all ways to go on were tried",
            FaultKind::Undecided(_) => "it could not be decided whether this holds",
        }
    }

    /// Whether a run can go on after it, as after a false assertion.
    pub fn goes_on(self) -> bool {
        matches!(
            self,
            FaultKind::Assertion
                | FaultKind::NotDeterministic
                | FaultKind::Poll
                | FaultKind::Trace
                | FaultKind::NoTrace
        )
    }
}
