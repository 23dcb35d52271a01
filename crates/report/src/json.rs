//! A summary for programs: one object, everything in it, nothing cut. What its keys mean is said in
//! [`crate::object`].

use crate::events::{EventStep, Events, Place};
use crate::object::{
    self, Check, Choices, Counts, Generator, Group, Named, Number, Part, Representative, Step,
    Times, VERSION, Visible, Witness, fields,
};
use crate::reasons::uncounted;
use crate::summary::{OwnSearch, Property, Run, Summary, Symmetry, Verdict, Violated, reason_word};
use check::temporal::why::Reason;
use check::{Guarantee, WitnessStep};
use serde_json::{Map, Value};
use std::time::Duration;
use system::{MessageText, StepText, Transfer, Within};

/// The fields of a summary, in the order in which people read them.
pub fn json(summary: &Summary) -> Map<String, Value> {
    fields(&check(summary))
}

/// A summary as an object.
fn check(summary: &Summary) -> Check {
    let off = summary.not_checked().into_iter().map(str::to_owned);
    Check {
        orbit: VERSION.to_owned(),
        model: summary.model.clone(),
        verdict: summary.verdict,
        scope: summary.scope.object(),
        stop_reason: summary
            .stop_reason
            .map(|reason| reason_word(reason).to_owned()),
        reason: summary.reason.clone(),
        not_checked: off.chain(summary.not_asked.iter().cloned()).collect(),
        properties: summary.properties.iter().map(property).collect(),
        symmetry: summary.symmetry.as_ref().map(group),
        notes: summary.notes.clone(),
        audit: summary.audit.clone(),
        self_check: summary.self_check.clone(),
        counts: counts(summary),
        time_s: times(summary),
        memory: object::Memory {
            peak_bytes: summary.peak_bytes,
            bytes_per_state: summary
                .bytes_per_state
                .map(|bytes| (bytes * 10.0).round() / 10.0),
        },
        native: summary.native.clone(),
        unreached: (summary.unreached.as_ref()).map(|steps| steps.iter().map(place).collect()),
        operations: summary.operations.clone(),
        prints: summary.prints.clone(),
        diagnostics: Vec::new(),
    }
}

/// What the search of states counted, or the searches of all properties together.
fn counts(summary: &Summary) -> Counts {
    let Some(counted) = &summary.counts else {
        let all = summary.properties.iter().filter_map(own_counts);
        return Counts {
            errors: summary.n_errors,
            ..all.reduce(sum).unwrap_or_default()
        };
    };
    Counts {
        errors: summary.n_errors,
        visible: summary.visible.as_ref().map(|seen| Visible {
            states: seen.n_states,
            transitions: seen.n_transitions,
        }),
        pairs: summary.n_pairs,
        ..with_full(counted, summary.symmetry.as_ref())
    }
}

/// Two searches taken together. What one of them does not know is not known of both; a search that
/// has no pairs, or no normal form, adds none.
fn sum(a: Counts, b: Counts) -> Counts {
    let optional = |a: Option<u64>, b: Option<u64>| match (a, b) {
        (Some(a), Some(b)) => Some(a + b),
        (a, b) => a.or(b),
    };
    Counts {
        states: a.states + b.states,
        transitions: a.transitions + b.transitions,
        depth: a.depth.max(b.depth),
        full_states: a
            .full_states
            .zip(b.full_states)
            .and_then(|(a, b)| a.plus(&b)),
        stored_states: a.stored_states + b.stored_states,
        stored_transitions: a.stored_transitions + b.stored_transitions,
        pairs: optional(a.pairs, b.pairs),
        normal_states: optional(a.normal_states, b.normal_states),
        ..Counts::default()
    }
}

/// Counts, with the number of states without symmetry where that was asked for.
fn with_full(counts: &check::Counts, symmetry: Option<&Symmetry>) -> Counts {
    let full = symmetry.and_then(|found| found.full_states.as_ref());
    Counts {
        states: counts.n_states,
        transitions: counts.n_transitions,
        depth: counts.depth,
        full_states: full.and_then(|n| n.as_ref().ok().map(|digits| Number::of(digits))),
        full_states_reason: full.and_then(|n| n.as_ref().err().map(uncounted)),
        orbits: symmetry.and_then(|found| found.n_orbits),
        partitions: symmetry.and_then(|found| found.n_partitions),
        choices: symmetry.and_then(choices),
        stored_states: counts.n_states,
        stored_transitions: counts.n_transitions,
        ..Counts::default()
    }
}

/// What choosing took, if anything was counted.
fn choices(symmetry: &Symmetry) -> Option<Choices> {
    let work = symmetry.work;
    work.is_counted().then_some(Choices {
        labels: work.n_labels,
        leaves: work.n_leaves,
        sorted: work.n_sorted,
        remembered: work.n_remembered,
        marker_hits: work.n_marker_hits,
        permutations: work.n_perms,
    })
}

/// What the search that was made for a property alone counted.
fn own_counts(property: &Property) -> Option<Counts> {
    let search = property.search.as_ref()?;
    let is_violated = property.verdict == Verdict::Violated;
    let seen = property.violations.iter().map(|violated| violated.n_seen);
    let counts = with_full(&search.counts, property.symmetry.as_ref());
    let free = || search.n_full.as_deref().map(Number::of);
    Some(Counts {
        errors: if is_violated { seen.sum() } else { 0 },
        full_states: counts.full_states.clone().or_else(free),
        pairs: (property.assertion.as_ref()).map(|_| search.counts.n_states),
        normal_states: search.n_normal,
        ..counts
    })
}

fn times(summary: &Summary) -> Times {
    let (times, symmetry) = (&summary.times, summary.symmetry.as_ref());
    Times {
        total: seconds(times.total),
        load: seconds(times.load),
        detect: symmetry.and_then(|found| found.detect).map(seconds),
        search: seconds(times.search),
        reduce: times.reduce.filter(|_| symmetry.is_some()).map(seconds),
        store: times.store.map(seconds),
        successors: times.successors.map(seconds),
    }
}

fn group(found: &Symmetry) -> Group {
    let details = found.details.clone().unwrap_or_default();
    let generators = found.generators.iter().cloned();
    Group {
        group_order: found.order.clone(),
        structure: found.structure.clone(),
        generators: generators.map(Generator::new).collect(),
        strategy: found.strategy.clone(),
        exact: found.guarantee == Guarantee::Exact,
        guarantee: found.guarantee.word().to_owned(),
        advice: found.advice.clone(),
        taken_apart: found.taken_apart.clone(),
        sorts: details.sorts,
        rejected: details.rejected,
        assumed_lines: details.assumed_lines,
        partial: found.partial.clone(),
    }
}

fn property(property: &Property) -> object::Property {
    let assertion = property.assertion.as_ref();
    let search = property.search.as_ref();
    let mut shown = property.violations.iter().map(violation);
    let first = shown.next();
    let first = first.or_else(|| property.shown.as_ref().map(violation));
    let own_line = assertion.map(|assertion| assertion.line);
    let about_runs = |of: &OwnSearch| of.fairness.map(str::to_owned);
    let mut told = object::Property {
        name: property.name.clone(),
        kind: property.kind.clone(),
        number: assertion.map(|assertion| assertion.number),
        line: own_line.or_else(|| first.as_ref().and_then(|first| first.line)),
        negated: assertion.is_some_and(|assertion| assertion.is_negated),
        semantics: assertion.and_then(|a| a.semantics).map(str::to_owned),
        verdict: property.verdict,
        reason: property.reason.clone(),
        notes: property.notes.clone(),
        members: property.members.iter().map(members).collect(),
        atoms: property.atoms.clone(),
        components: assertion.map_or(Vec::new(), |a| a.components.clone()),
        group_without_it: search.and_then(|search| search.order_without.clone()),
        group_order: search.map(|search| search.order.clone()),
        symmetry: property.symmetry.as_ref().map(group),
        fairness: search.and_then(about_runs),
        safety: search.and_then(|search| search.is_safety),
        automaton_states: search.and_then(|search| search.n_claim_states),
        counts: own_counts(property),
        audit: property.audit.clone(),
        self_check: property.self_check.clone(),
        time_s: search.map(|search| seconds(search.elapsed)),
        message: None,
        step: None,
        n_seen: None,
        file: None,
        called_from: Vec::new(),
        witness: None,
        why: Vec::new(),
        others: shown.collect(),
    };
    if let Some(first) = first {
        (told.message, told.step) = (Some(first.message), first.step);
        (told.file, told.called_from) = (first.file, first.called_from);
        (told.n_seen, told.witness) = (Some(first.n_seen), Some(first.witness));
        told.why = first.why;
    }
    told
}

fn members(members: &crate::summary::Members) -> object::Members {
    object::Members {
        name: members.name.clone(),
        checked: members.checked,
        answered: members.all.clone(),
        verdict: members.verdict,
        group_order: members.order.clone(),
        group_of_members: members.order_without.clone(),
    }
}

fn violation(violated: &Violated) -> object::Violation {
    let (step, line) = violated.step.clone().unzip();
    let why = |reason: &Reason| object::Reason {
        step: reason.step,
        formula: reason.formula.clone(),
        text: reason.text.clone(),
    };
    object::Violation {
        message: violated.message.clone(),
        step,
        // What was typed on the command line has no line.
        line: line.filter(|line| *line > 0),
        file: violated.within.file.clone(),
        called_from: violated.within.calls.clone(),
        n_seen: violated.n_seen,
        witness: match &violated.run {
            Run::States(witness) => through_states(witness),
            Run::Events(events) => of_events(events),
        },
        why: violated.why.iter().map(why).collect(),
    }
}

/// What the first step of a run is called.
const INITIAL: &str = "initial state";

fn through_states(run: &check::Witness) -> Witness {
    let values = |parts: &[(String, String)]| parts.iter().cloned().collect();
    let start = run.start().iter().cloned();
    let initial = Step {
        changes: start.map(|(name, value)| (name, Some(value))).collect(),
        atoms: run.atoms_at_start().to_vec(),
        ..Step::new(INITIAL.to_owned())
    };
    Witness {
        kind: None,
        steps: std::iter::once(initial)
            .chain(run.steps().iter().map(step))
            .collect(),
        loop_from: run.loop_from().map(|step| step + 1),
        moves: run.n_moves(),
        end: values(run.end()),
        locations: values(run.places()),
        because: values(run.reasons()),
        trace: None,
        event: None,
        offered: None,
        allowed: Vec::new(),
        other: None,
        representatives: run.stored().iter().filter_map(representative).collect(),
    }
}

fn representative(stored: &check::StoredState) -> Option<Representative> {
    Some(Representative {
        step: stored.n_steps,
        permutation: stored.words.clone()?,
        values: stored.values.iter().cloned().collect(),
    })
}

fn step(step: &WitnessStep) -> Step {
    let changes = step.changes.iter();
    Step {
        changes: changes
            .map(|change| (change.name.clone(), change.after.clone()))
            .collect(),
        printed: step.printed.clone(),
        atoms: step.atoms.clone(),
        ..taken(&step.text)
    }
}

/// A step as it is written, with who took it.
pub fn taken(text: &StepText) -> Step {
    // Where several components take part, none of them is who took it.
    let by = Some(&text.by).filter(|by| !by.is_empty() && text.parts.len() <= 1);
    let parts = text.parts.iter().map(|part| Part {
        component: part.component.clone(),
        event: part.event.clone(),
        line: part.line,
        file: part.file.clone(),
    });
    Step {
        by: by.cloned(),
        process: by.filter(|_| text.parts.is_empty()).map(|_| text.number),
        line: Some(text.line).filter(|line| *line > 0),
        file: text.within.file.clone(),
        called_from: text.within.calls.clone(),
        parts: parts.collect(),
        message: text.message.as_ref().map(message),
        ..Step::new(text.step.clone())
    }
}

fn message(message: &MessageText) -> object::Message {
    let transfer = match message.transfer {
        Transfer::Send => "send",
        Transfer::Receive => "receive",
    };
    object::Message {
        transfer: transfer.to_owned(),
        channel: message.channel.clone(),
        content: message.content.clone(),
        rendezvous: message.is_rendezvous,
        stays: message.stays,
    }
}

fn place(text: &StepText) -> object::Place {
    object::Place {
        by: Some(text.by.clone()).filter(|by| !by.is_empty()),
        step: text.step.clone(),
        line: text.line,
        file: text.within.file.clone(),
        called_from: text.within.calls.clone(),
    }
}

/// Where a component is.
fn at(end: &crate::events::End) -> (String, String) {
    let words = match &end.place {
        None => end.process.clone(),
        Some(Place { line, file }) => {
            let (file, calls) = (file.clone(), Vec::new());
            Within { file, calls }.at(*line, &end.process)
        }
    };
    (end.name.clone(), words)
}

fn of_events(run: &Events) -> Witness {
    Witness {
        kind: Some(run.kind.to_owned()),
        steps: event_steps(&run.steps),
        loop_from: run.loop_from.map(|step| step + 1),
        moves: run.steps.len(),
        end: Named::default(),
        locations: run.end.iter().map(at).collect(),
        because: Named::default(),
        trace: Some(run.trace.clone()),
        event: run.event.clone(),
        offered: run.offered.clone(),
        allowed: run.allowed.clone(),
        other: run.other.as_deref().map(event_steps),
        representatives: run.stored.iter().map(stored_components).collect(),
    }
}

fn stored_components(stored: &crate::events::StoredComponents) -> Representative {
    Representative {
        step: stored.n_steps,
        permutation: stored.permutation.clone(),
        values: stored.components.iter().map(at).collect(),
    }
}

/// The initial state, and the steps after it.
fn event_steps(steps: &[EventStep]) -> Vec<Step> {
    let part = |part: &crate::events::Part| Part {
        component: part.name.clone(),
        event: part.event.clone(),
        line: part.place.as_ref().map(|place| place.line),
        file: part.place.as_ref().and_then(|place| place.file.clone()),
    };
    let steps = steps.iter().map(|step| {
        let parts: Vec<Part> = step.parts.iter().map(part).collect();
        let alone = Some(&parts[..]).filter(|parts| parts.len() == 1);
        let alone = alone.map(|parts| parts[0].clone());
        Step {
            line: alone.as_ref().and_then(|part| part.line),
            file: alone.as_ref().and_then(|part| part.file.clone()),
            by: alone.map(|part| part.component),
            parts,
            ..Step::new(step.event.clone())
        }
    });
    let initial = Step::new(INITIAL.to_owned());
    std::iter::once(initial).chain(steps).collect()
}

/// Seconds, to the microsecond.
fn seconds(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1e6
}
