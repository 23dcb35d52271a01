//! What was asked and what was found, property by property.
//!
//! The verdict of the whole is *violated* if that of a property is, else *unknown* if that of a
//! property is, else *holds*. A property holds only if every reachable state was seen. So a search
//! that stopped at a deadlock leaves open whether all assertions hold, and a formula that nobody
//! checked leaves open everything but a violation of something else.

use crate::events::Events;
use crate::object::{Model, Native, Operation, Partial, Print, Rejected, Sort};
use crate::reasons::Uncounted;
use crate::scope::Scope;
use check::temporal::why::Reason;
use check::{
    Attention, Counts, Ended, Finding, Guarantee, Options, Outcome, StopReason, Violation, Witness,
    Work,
};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;
use std::time::Duration;
use system::{Claimed, Fault, FaultKind, FaultText, StepText, Within};

/// What was asked and what was found.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The model.
    pub model: Model,
    /// Whether everything that was asked for holds.
    pub verdict: Verdict,
    /// What the verdict is about.
    pub scope: Scope,
    /// Why something was not seen, if a limit was the reason.
    pub stop_reason: Option<StopReason>,
    /// Why nothing is known, if nothing was checked at all.
    pub reason: Option<String>,
    /// What the model prints when it is read.
    pub prints: Vec<Print>,
    /// What is asserted besides, and was not asked for.
    pub not_asked: Vec<String>,
    /// What was asked for, one by one.
    pub properties: Vec<Property>,
    /// How many errors were seen, each time counted.
    pub n_errors: u64,
    /// What the search of states counted; `None` if each property has a search and there is no
    /// other.
    pub counts: Option<Counts>,
    /// How many pairs of states were met, if a refinement was checked.
    pub n_pairs: Option<u64>,
    /// What was not looked at, and other remarks about the whole, a sentence each.
    pub notes: Vec<String>,
    /// What came of a look at every stored state for whether the symmetries fit it, in words, if
    /// there was one.
    pub audit: Option<String>,
    /// What came of a second search without symmetry, in words, if there was one.
    pub self_check: Option<String>,
    /// What symmetry was used; `None` if none was looked for.
    pub symmetry: Option<Symmetry>,
    /// What is counted if hidden variables are left out, as SPIN does.
    pub visible: Option<Counts>,
    /// How long it took.
    pub times: Times,
    /// The most memory that states, and what goes with them, took at any time.
    pub peak_bytes: u64,
    /// What a stored state took at the end; `None` if there was no search but those of formulas.
    pub bytes_per_state: Option<f64>,
    /// What became of compiling steps, if that was tried.
    pub native: Option<Native>,
    /// Steps that the modeller wrote and that cannot be taken; `None` if not all was seen.
    pub unreached: Option<Vec<StepText>>,
    /// The operations of the model, if it has such.
    pub operations: Vec<Operation>,
}

/// The symmetry that a search used.
#[derive(Clone, Debug)]
pub struct Symmetry {
    /// How many elements the group has.
    pub order: String,
    /// What the group is, in words, if somebody worked that out.
    pub structure: Option<String>,
    /// Its generators in the model's own words.
    pub generators: Vec<String>,
    /// How representatives were chosen.
    pub strategy: String,
    /// What is certain about it.
    pub guarantee: Guarantee,
    /// Which strategy fits, and why, in words; `None` where there is no choice.
    pub advice: Option<String>,
    /// How the group is taken apart, in one line, if representatives are chosen so.
    pub taken_apart: Option<String>,
    /// How many states there would be without it, or why that is not known, if that was asked.
    pub full_states: Option<Result<String, Uncounted>>,
    /// In how many orbits the stored states are, where an orbit may have several and they were
    /// counted.
    pub n_orbits: Option<u64>,
    /// Under how many partitions of points into equals representatives were chosen, if that is
    /// how.
    pub n_partitions: Option<u64>,
    /// What choosing representatives took.
    pub work: Work,
    /// How long it took to find; `None` if that is part of the search.
    pub detect: Option<Duration>,
    /// Who is interchangeable and why not more, if somebody wants to read it.
    pub details: Option<Details>,
    /// The steps that break it when they are taken, if that is how it was used.
    pub partial: Option<Partial>,
}

impl Symmetry {
    /// None was used, since what was given is none.
    pub fn refused(rejected: Vec<Rejected>) -> Symmetry {
        Symmetry {
            order: "1".to_owned(),
            structure: None,
            generators: Vec::new(),
            strategy: "none".to_owned(),
            guarantee: Guarantee::Exact,
            advice: None,
            taken_apart: None,
            full_states: None,
            n_orbits: None,
            n_partitions: None,
            work: Work::default(),
            detect: None,
            details: Some(Details {
                rejected,
                ..Details::default()
            }),
            partial: None,
        }
    }
}

/// What a symmetry is about, and what is none.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Details {
    /// Sets of things that may be interchangeable.
    pub sorts: Vec<Sort>,
    /// What might have been a symmetry and is none.
    pub rejected: Vec<Rejected>,
    /// The lines of loops whose sends are taken not to wait.
    pub assumed_lines: Vec<u32>,
}

/// Whether something holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It does.
    Holds,
    /// It does not.
    Violated,
    /// Nobody can tell.
    Unknown,
    /// The user switched it off. Only single properties have this verdict.
    #[serde(rename = "not checked")]
    NotChecked,
}

/// How long it took; what nobody measured is `None`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Times {
    /// To read and compile the model.
    pub load: Duration,
    /// To search.
    pub search: Duration,
    /// The part of that which went into representatives, estimated from samples.
    pub reduce: Option<Duration>,
    /// The part that went into looking states up and storing them, estimated likewise.
    pub store: Option<Duration>,
    /// The part that went into loading states and generating successors, estimated likewise.
    pub successors: Option<Duration>,
    /// Everything.
    pub total: Duration,
}

/// Something that was asked for.
#[derive(Clone, Debug)]
pub struct Property {
    /// What it is called.
    pub name: String,
    /// What kind of thing it is, in one lower-case word.
    pub kind: String,
    /// Where it is written as one of several assertions, if it is.
    pub assertion: Option<ReportedAssertion>,
    /// Whether it holds.
    pub verdict: Verdict,
    /// Why nobody can tell, if so.
    pub reason: Option<String>,
    /// What speaks against it, or stands in the way of an answer, in the order of being found.
    pub violations: Vec<Violated>,
    /// A run that shows that it holds, where one can.
    pub shown: Option<Violated>,
    /// The search that was made for it alone, if there was one.
    pub search: Option<OwnSearch>,
    /// What else its reader should know, a sentence each.
    pub notes: Vec<String>,
    /// For whom it was checked, if it was asked of several members.
    pub members: Vec<Members>,
    /// The texts of its atoms, by number, if it is a formula.
    pub atoms: Vec<String>,
    /// What symmetry its search used, if more is told of it than its order.
    pub symmetry: Option<Symmetry>,
    /// What came of checking that symmetry, if that was asked for.
    pub audit: Option<String>,
    /// What came of searching again without it, if that was asked for.
    pub self_check: Option<String>,
}

/// An assertion about processes, as one of those that are written in a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReportedAssertion {
    /// Which of them it is, from 1.
    pub number: usize,
    pub line: u32,
    /// Whether `not` stands before it.
    pub is_negated: bool,
    /// The semantic model, where there is one: `T`, `F`, `FD`.
    pub semantics: Option<&'static str>,
    /// The components of the process, by name.
    pub components: Vec<String>,
}

/// Members that a property has one answer for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Members {
    /// What the property calls them.
    pub name: String,
    /// For whom it was checked.
    pub checked: i32,
    /// For whom that is the answer.
    pub all: Vec<i32>,
    /// The answer.
    pub verdict: Verdict,
    /// How many symmetries keep the one that was checked; `None` if there was no search.
    pub order: Option<String>,
    /// How many exchange members, if the answer was carried to others.
    pub order_without: Option<String>,
}

/// A search that was made for one property.
#[derive(Clone, Debug)]
pub struct OwnSearch {
    /// What was counted: pairs of a state and of what watches it, or of what it is compared with.
    pub counts: Counts,
    /// How many such pairs there are without symmetry, if that costs nothing to know.
    pub n_full: Option<String>,
    /// How many states the normal form has that a process is compared with, 1 if with nothing; an
    /// assertion about processes has this.
    pub n_normal: Option<u64>,
    /// How many elements the group has that the search used.
    pub order: String,
    /// How many the group has that does not care about the property; `None` if none was looked for.
    pub order_without: Option<String>,
    /// How many states that has which watches the runs, if something does.
    pub n_claim_states: Option<usize>,
    /// Which runs count: `weak` or `strong`; `None` for all.
    pub fairness: Option<&'static str>,
    /// Whether all that is wrong shows after finitely many moves, if it is about runs.
    pub is_safety: Option<bool>,
    /// The most memory that it took at any time.
    pub peak_bytes: u64,
    /// How long it took.
    pub elapsed: Duration,
}

/// Something that speaks against a property, or for it.
#[derive(Clone, Debug)]
pub struct Violated {
    /// What is wrong.
    pub message: String,
    /// The step in which it goes wrong, as written, and its line; a deadlock has none.
    pub step: Option<(String, u32)>,
    /// The file of that step, and the uses of inlines and macros around it.
    pub within: Within,
    /// How many times it was seen.
    pub n_seen: u64,
    /// A run that shows it.
    pub run: Run,
    /// Where a formula fails along the run, from the formula down to its atoms.
    pub why: Vec<Reason>,
}

/// A run that shows something.
#[derive(Clone, Debug)]
pub enum Run {
    /// Through states.
    States(Box<Witness>),
    /// Of processes that are known by their events.
    Events(Box<Events>),
}

impl Run {
    /// The states, if it is a run through states.
    pub fn witness(&self) -> Option<&Witness> {
        match self {
            Run::States(witness) => Some(witness),
            Run::Events(_) => None,
        }
    }
}

impl From<Witness> for Run {
    fn from(witness: Witness) -> Run {
        Run::States(Box::new(witness))
    }
}

/// What the outcome does not say.
#[derive(Clone, Debug)]
pub struct RequestedCheck {
    /// The model.
    pub model: Model,
    /// Which of the properties that every search can check were checked.
    pub deadlocks: Attention,
    /// See `deadlocks`.
    pub assertions: Attention,
    /// See `deadlocks`.
    pub invariants: Attention,
    /// See `deadlocks`.
    pub goals: Attention,
    /// What was asked for and could not be checked.
    pub unchecked: Vec<Unchecked>,
    /// What the user switched off; the reason names the flag.
    pub switched_off: Vec<Unchecked>,
    /// How long it took to read and compile the model.
    pub load: Duration,
}

/// Something that was asked for and could not be checked.
#[derive(Clone, Debug)]
pub struct Unchecked {
    /// What it is called.
    pub name: String,
    /// What kind of thing it is, in one lower-case word: `ltl`, `never`.
    pub kind: String,
    /// Why it was not checked.
    pub reason: String,
}

impl RequestedCheck {
    /// A request for what a search with these options looks for.
    pub fn new(model: Model, options: &Options<'_>, load: Duration) -> RequestedCheck {
        RequestedCheck {
            model,
            deadlocks: options.deadlocks,
            assertions: options.assertions,
            invariants: options.invariants,
            goals: options.goals,
            unchecked: Vec::new(),
            switched_off: Vec::new(),
            load,
        }
    }
}

impl RequestedCheck {
    /// A request of which nothing but this was not answered, where there was no search to ask.
    pub fn of_rest(model: Model, unchecked: Vec<Unchecked>) -> RequestedCheck {
        RequestedCheck {
            model,
            deadlocks: Attention::Ignored,
            assertions: Attention::Ignored,
            invariants: Attention::Ignored,
            goals: Attention::Ignored,
            unchecked,
            switched_off: Vec::new(),
            load: Duration::ZERO,
        }
    }
}

impl Summary {
    /// The summary of an outcome; `fault_text` puts faults into words.
    pub fn new(
        request: RequestedCheck,
        outcome: Outcome,
        fault_text: &dyn Fn(Fault) -> FaultText,
    ) -> Summary {
        let bytes_per_state = outcome.bytes_per_state();
        let mut properties = searched(&request, outcome.ended, outcome.findings, fault_text);
        properties.extend(request.unchecked.into_iter().map(Property::unchecked));
        properties.extend(request.switched_off.into_iter().map(Property::switched_off));
        let times = Times {
            load: request.load,
            search: outcome.elapsed,
            reduce: Some(outcome.reducing),
            store: Some(outcome.storing),
            successors: Some(outcome.generating),
            total: request.load + outcome.elapsed,
        };
        Summary {
            model: request.model,
            scope: Scope::ThisSize,
            verdict: Verdict::of_all(properties.iter().map(|property| property.verdict)),
            stop_reason: match outcome.ended {
                Ended::Stopped(reason) => Some(reason),
                Ended::Complete | Ended::AtError => None,
            },
            reason: None,
            prints: Vec::new(),
            not_asked: Vec::new(),
            properties,
            n_errors: outcome.n_errors,
            counts: Some(outcome.counts),
            n_pairs: None,
            notes: Vec::new(),
            audit: None,
            self_check: None,
            symmetry: None,
            visible: None,
            times,
            peak_bytes: outcome.memory.peak_bytes,
            bytes_per_state: Some(bytes_per_state),
            native: None,
            unreached: (outcome.ended == Ended::Complete).then_some(outcome.unreached),
            operations: Vec::new(),
        }
    }
}

impl Summary {
    /// The summary of properties that had searches of their own, where there was no other search.
    pub fn of_properties(request: RequestedCheck, mut properties: Vec<Property>) -> Summary {
        properties.extend(request.unchecked.into_iter().map(Property::unchecked));
        properties.extend(request.switched_off.into_iter().map(Property::switched_off));
        let searches = || properties.iter().filter_map(|p| p.search.as_ref());
        let elapsed = searches().map(|search| search.elapsed).sum();
        let violated = properties.iter().filter(|p| p.verdict == Verdict::Violated);
        Summary {
            model: request.model,
            scope: Scope::ThisSize,
            verdict: Verdict::of_all(properties.iter().map(|property| property.verdict)),
            stop_reason: None,
            reason: None,
            prints: Vec::new(),
            not_asked: Vec::new(),
            n_errors: violated.count() as u64,
            counts: Some(searches().next().map(|s| s.counts).unwrap_or_default()),
            n_pairs: None,
            notes: Vec::new(),
            audit: None,
            self_check: None,
            symmetry: None,
            visible: None,
            times: Times {
                load: request.load,
                search: elapsed,
                reduce: None,
                store: None,
                successors: None,
                total: request.load + elapsed,
            },
            peak_bytes: searches().map(|s| s.peak_bytes).max().unwrap_or(0),
            bytes_per_state: None,
            native: None,
            unreached: None,
            operations: Vec::new(),
            properties,
        }
    }

    /// The summary of the assertions of a model, each with a search of its own. Where nothing is
    /// asserted, nothing is known: a model whose assertions were lost must not pass for one whose
    /// assertions hold.
    pub fn of_assertions(request: RequestedCheck, properties: Vec<Property>) -> Summary {
        let is_empty = properties.is_empty();
        let mut summary = Summary::of_properties(request, properties);
        summary.counts = None;
        if is_empty {
            summary.verdict = Verdict::Unknown;
            summary.reason = Some("nothing is asserted".to_owned());
        }
        summary
    }

    /// Adds a property that was not checked by the search.
    pub fn add(&mut self, property: Property) {
        self.n_errors += (property.verdict == Verdict::Violated) as u64;
        self.verdict = Verdict::of_all([self.verdict, property.verdict]);
        self.properties.push(property);
    }
}

impl Verdict {
    /// The verdict of the whole.
    pub fn of_all(verdicts: impl IntoIterator<Item = Verdict>) -> Verdict {
        let worse = |a: Verdict, b: Verdict| match (a, b) {
            (Verdict::Violated, _) | (_, Verdict::Violated) => Verdict::Violated,
            (Verdict::Unknown, _) | (_, Verdict::Unknown) => Verdict::Unknown,
            // What was switched off says nothing; that it was stands beside the verdict.
            (Verdict::Holds | Verdict::NotChecked, Verdict::Holds | Verdict::NotChecked) => {
                Verdict::Holds
            }
        };
        verdicts.into_iter().fold(Verdict::Holds, worse)
    }

    /// In one word.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Violated => "violated",
            Verdict::Unknown => "unknown",
            Verdict::NotChecked => "not checked",
        }
    }
}

impl Summary {
    /// The names of the properties that the user switched off.
    pub fn not_checked(&self) -> Vec<&str> {
        let off = self.properties.iter();
        let off = off.filter(|property| property.verdict == Verdict::NotChecked);
        off.map(|property| property.name.as_str()).collect()
    }
}

impl Property {
    /// A property of which nothing is known yet.
    pub fn unanswered(name: impl Into<String>, kind: impl Into<String>) -> Property {
        Property {
            name: name.into(),
            kind: kind.into(),
            assertion: None,
            verdict: Verdict::Unknown,
            reason: None,
            violations: Vec::new(),
            shown: None,
            search: None,
            notes: Vec::new(),
            members: Vec::new(),
            atoms: Vec::new(),
            symmetry: None,
            audit: None,
            self_check: None,
        }
    }

    fn switched_off(off: Unchecked) -> Property {
        Property {
            verdict: Verdict::NotChecked,
            ..Property::unchecked(off)
        }
    }

    fn unchecked(unchecked: Unchecked) -> Property {
        Property {
            reason: Some(unchecked.reason),
            ..Property::unanswered(unchecked.name, unchecked.kind)
        }
    }
}

impl Violated {
    /// A run that was found once, and what it shows.
    pub fn new(message: String, run: impl Into<Run>) -> Violated {
        Violated {
            message,
            step: None,
            within: Within::default(),
            n_seen: 1,
            run: run.into(),
            why: Vec::new(),
        }
    }
}

/// What a finding speaks against.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FindingKind {
    Invariant,
    Deadlock,
    Assertions,
    Goal,
    Faults,
}

impl FindingKind {
    fn of(violation: Violation) -> FindingKind {
        match violation {
            Violation::Deadlock | Violation::Unfinished => FindingKind::Deadlock,
            Violation::Fault(fault) => match fault.kind {
                FaultKind::Assertion | FaultKind::Undecided(Claimed::Assertion) => {
                    FindingKind::Assertions
                }
                FaultKind::Invariant | FaultKind::Undecided(Claimed::Invariant) => {
                    FindingKind::Invariant
                }
                FaultKind::Goal | FaultKind::Undecided(Claimed::Goal) => FindingKind::Goal,
                _ => FindingKind::Faults,
            },
        }
    }

    fn word(self) -> &'static str {
        match self {
            FindingKind::Invariant => "invariant",
            FindingKind::Deadlock => "deadlock",
            FindingKind::Assertions => "assertions",
            FindingKind::Goal => "goal",
            FindingKind::Faults => "faults",
        }
    }
}

/// The properties that every search can check, those that were asked for.
fn searched(
    request: &RequestedCheck,
    ended: Ended,
    findings: Vec<Finding>,
    fault_text: &dyn Fn(Fault) -> FaultText,
) -> Vec<Property> {
    let asked = |kind: &FindingKind| match kind {
        FindingKind::Invariant => request.invariants == Attention::Reported,
        FindingKind::Deadlock => request.deadlocks == Attention::Reported,
        FindingKind::Assertions => request.assertions == Attention::Reported,
        FindingKind::Goal => request.goals == Attention::Reported,
        FindingKind::Faults => true,
    };
    let kinds = [
        FindingKind::Invariant,
        FindingKind::Deadlock,
        FindingKind::Assertions,
        FindingKind::Goal,
        FindingKind::Faults,
    ];
    let mut properties = Vec::new();
    let mut findings = findings;
    for kind in kinds.into_iter().filter(asked) {
        let (own, others): (Vec<Finding>, Vec<Finding>) = findings
            .into_iter()
            .partition(|finding| FindingKind::of(finding.violation) == kind);
        findings = others;
        properties.push(property(kind, ended, own, fault_text));
    }
    assert!(
        findings.is_empty(),
        "found and not asked for: {:?}",
        findings[0].violation
    );
    properties
}

fn property(
    kind: FindingKind,
    ended: Ended,
    findings: Vec<Finding>,
    fault_text: &dyn Fn(Fault) -> FaultText,
) -> Property {
    let violated = findings.iter().any(|f| f.violation.is_error());
    let undecided = findings.iter().find_map(|finding| match finding.violation {
        Violation::Fault(fault) if finding.violation.is_undecided() => {
            let text = fault_text(fault);
            let (line, message) = (text.line, text.message);
            Some(format!("not decided in some state: line {line}: {message}"))
        }
        _ => None,
    });
    let (verdict, reason) = match ended {
        _ if violated => (Verdict::Violated, None),
        Ended::Complete | Ended::AtError if let Some(reason) = undecided => {
            (Verdict::Unknown, Some(reason))
        }
        Ended::Complete => (Verdict::Holds, None),
        Ended::AtError => (Verdict::Unknown, Some(AFTER_ERROR.to_owned())),
        Ended::Stopped(reason) => (Verdict::Unknown, Some(reason_words(reason).to_owned())),
    };
    Property {
        verdict,
        reason,
        violations: findings
            .into_iter()
            .map(|finding| shown(finding, fault_text))
            .collect(),
        ..Property::unanswered(kind.word(), kind.word())
    }
}

/// Why a property is open when the search stopped at an error against another.
const AFTER_ERROR: &str = "the search stopped at another error";

fn shown(finding: Finding, fault_text: &dyn Fn(Fault) -> FaultText) -> Violated {
    let mut within = Within::default();
    let (message, step) = match finding.violation {
        // Where there are no processes, none can rest.
        Violation::Deadlock if finding.witness.places().is_empty() => {
            ("deadlock: no step can be taken".to_owned(), None)
        }
        Violation::Deadlock => {
            let message = "deadlock: no step can be taken, and not every process may rest";
            (message.to_owned(), None)
        }
        Violation::Unfinished => {
            let message = "deadlock: no step can be taken, and the trace is not at an end of it";
            (message.to_owned(), None)
        }
        Violation::Fault(fault) => {
            let text = fault_text(fault);
            within = text.within;
            (text.message, Some((text.step, text.line)))
        }
    };
    Violated {
        step,
        within,
        n_seen: finding.n_seen,
        ..Violated::new(message, finding.witness)
    }
}

/// Why a search did not see everything, in one word, for programs.
pub fn reason_word(reason: StopReason) -> &'static str {
    match reason {
        StopReason::Memory => "memory",
        StopReason::Time => "time",
        StopReason::Depth => "depth",
        StopReason::Interrupted => "interrupted",
        StopReason::Endless => "endless",
        StopReason::Approximate => "approximate",
        StopReason::Refuted => "refuted",
        StopReason::Cut => "cut",
        StopReason::Undecided => "undecided",
    }
}

/// Why a search did not see everything, for people.
pub fn reason_words(reason: StopReason) -> &'static str {
    match reason {
        StopReason::Memory => "memory ran out before all states were seen",
        StopReason::Time => "time ran out before all states were seen",
        StopReason::Depth => "there are states deeper than the search went",
        StopReason::Interrupted => "the search was interrupted",
        StopReason::Endless => "some steps do not end, so what follows them was not seen",
        StopReason::Approximate => "states that are not alike may have been taken for one",
        StopReason::Refuted => "a state was met that the symmetries do not fit",
        StopReason::Cut => "not all ways to take a step were tried",
        StopReason::Undecided => "in some state it could not be decided",
    }
}
