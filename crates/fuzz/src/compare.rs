//! `orbit` beside SPIN's verifiers, and beside itself, on one program.
//!
//! SPIN's verifiers of the program are asked for states, transitions and kinds of errors, without
//! SPIN's passes and with them; `orbit` is asked with all its settings that promise the same answer
//! ([`ours`]). What was not searched to the end says nothing and is counted as left out.
//!
//! Where verifiers are known to go other ways (`docs/theory/promela.md`, `docs/warts.md`) less is
//! compared:
//! - at a bad index the verifier goes on, and `orbit` ends the run: only that both say it;
//! - after an error that stops the verifier, its counts and other errors are not looked at;
//! - a verifier takes states that differ in a hidden variable for one, so that it may miss errors;
//! - with its passes SPIN loses the escape of a jump ([`PanVerifier::loses_escapes`]);
//! - in verifiers `np_` is false where a run has ended: claims about it are not compared;
//! - `orbit` with its own passes may find fewer kinds of errors after a fault that ends runs.

pub mod ours;

use crate::spin::{
    CompiledFor, ErrorKind, PanVerifier, Passes, Unmade, VerifierAnswer, VerifierResult,
};
use ours::{AskResult, CheckSetting, Orbit, OrbitResult, Truth};
use std::collections::BTreeMap;

/// Why programs are left out that `orbit` does not search to the end in its time.
const TOO_LARGE: &str = "too large";

/// What came of one program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ComparisonOutcome {
    /// It was compared, and nothing differs.
    Same,
    /// Not compared with SPIN, for this kind of reason; `orbit` agrees with itself.
    LeftOut(&'static str),
    /// What differs: the kind, a colon, the details.
    Differs(String),
}

/// Compares what `orbit` says with what SPIN says, or with what `orbit` says otherwise.
pub fn compare(text: &str, orbit: &Orbit, beside: ComparedWith) -> ComparisonOutcome {
    let settings = match beside {
        ComparedWith::Plain => vec![CheckSetting::Plain],
        ComparedWith::Passes => vec![CheckSetting::Plain, CheckSetting::Spin],
        ComparedWith::Itself => ours::SETTINGS.to_vec(),
        ComparedWith::All => ours::settings(text),
    };
    let mut asked = BTreeMap::new();
    for setting in settings {
        let answer = orbit.ask(text, setting);
        // Other settings would take their time too.
        if matches!(&answer, AskResult::Answered(ours) if ours.stopped) {
            return ComparisonOutcome::LeftOut(TOO_LARGE);
        }
        asked.insert(setting, answer);
    }
    let result = match (among_ours(&asked), beside) {
        (Ok(_), ComparedWith::Itself) => Ok(()),
        (Err(Because::Nothing(why)), ComparedWith::All) => beside_spin(text, &Err(why)),
        (Ok(ours), _) => beside_spin(text, &Ok(ours)),
        (Err(why), _) => Err(why),
    };
    match result {
        Ok(()) => ComparisonOutcome::Same,
        Err(Because::Wrong(why)) => ComparisonOutcome::Differs(why),
        Err(Because::Nothing(why)) => ComparisonOutcome::LeftOut(why),
    }
}

/// What `orbit` is compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ComparedWith {
    /// With `orbit` under other settings.
    Itself,
    /// With SPIN without its passes, for infinite runs too.
    Plain,
    /// With SPIN with its passes and without.
    Passes,
    /// With all of these.
    All,
}

impl ComparedWith {
    /// What is enough to see a difference again.
    pub fn again(self, why: &str) -> ComparedWith {
        let starts = |words: &[&str]| words.iter().any(|word| why.starts_with(word));
        match self {
            ComparedWith::All if starts(&["Plain ", "claim ", "acceptance ", "progress "]) => {
                ComparedWith::Plain
            }
            ComparedWith::All if starts(&["Spin "]) => ComparedWith::Passes,
            ComparedWith::All if starts(&["orbit refuses, "]) => ComparedWith::All,
            ComparedWith::All => ComparedWith::Itself,
            other => other,
        }
    }
}

/// Why there is no agreement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Because {
    /// Somebody is wrong.
    Wrong(String),
    /// Nothing can be compared.
    Nothing(&'static str),
}

/// What `orbit` says with each setting, if all settings agree as they promise.
pub(crate) fn among_ours(
    asked: &BTreeMap<CheckSetting, AskResult>,
) -> Result<BTreeMap<CheckSetting, &OrbitResult>, Because> {
    let mut answers = BTreeMap::new();
    let mut refused = Vec::new();
    for (setting, asked) in asked {
        match asked {
            AskResult::Answered(ours) => {
                answers.insert(*setting, ours);
            }
            AskResult::Refused(why) => refused.push((setting, why)),
            AskResult::Wrong(why) => {
                return Err(Because::Wrong(format!("{setting:?} fails: {why}")));
            }
        }
    }
    match &refused[..] {
        [] => {}
        all if all.len() == asked.len() => return Err(Because::Nothing("orbit refuses")),
        [(setting, why), ..] => {
            let why = format!("{setting:?} refuses, others do not: {why}");
            return Err(Because::Wrong(why));
        }
    }
    if answers.values().any(|ours| ours.stopped) {
        return Err(Because::Nothing(TOO_LARGE));
    }
    let Some(first) = answers.get(&CheckSetting::Plain) else {
        return Err(Because::Nothing("not asked"));
    };
    for (setting, ours) in &answers {
        let of = setting.counts_of();
        let other = answers.get(&of).copied().unwrap_or(first);
        let same_passes = ours.verdicts == other.verdicts;
        let all_same = if first.ends_runs {
            ours.overall == first.overall
        } else {
            ours.verdicts == first.verdicts
        };
        if !same_passes || !all_same {
            let (a, b) = (&ours.verdicts, &first.verdicts);
            let why = format!("verdicts of {setting:?} and Plain: {a:?}, {b:?}");
            return Err(Because::Wrong(why));
        }
        // How many states orbits have in full is not always known.
        let n = if setting.is_reduced() {
            ours.full_states.unwrap_or(other.n_states)
        } else {
            ours.n_states
        };
        if n != other.n_states || ours.n_states > other.n_states {
            let why = format!("counts of {setting:?} and {of:?}: {n}, {}", other.n_states);
            return Err(Because::Wrong(why));
        }
    }
    Ok(answers)
}

/// Compares with SPIN what `orbit` says, or that it refuses.
fn beside_spin(
    text: &str,
    ours: &Result<BTreeMap<CheckSetting, &OrbitResult>, &'static str>,
) -> Result<(), Because> {
    for (passes, setting) in [
        (Passes::Off, CheckSetting::Plain),
        (Passes::On, CheckSetting::Spin),
    ] {
        if ours.as_ref().is_ok_and(|ours| !ours.contains_key(&setting)) {
            continue;
        }
        let said = asked_of_spin(text, passes, CompiledFor::Safety);
        let ours = match (ours, &said) {
            (Ok(ours), _) => ours[&setting],
            (Err("orbit refuses"), Ok(_)) => {
                return Err(Because::Wrong("orbit refuses, SPIN does not".to_owned()));
            }
            (Err(why), _) => return Err(Because::Nothing(why)),
        };
        let said = said?;
        let is_hidden = text.contains("hidden");
        if let Some(why) = difference(&said, ours, is_hidden) {
            let made = PanVerifier::new(text.as_bytes(), "pan", passes, CompiledFor::Safety);
            if made.is_ok_and(|verifier| verifier.loses_escapes()) {
                return Err(Because::Nothing("SPIN loses an escape"));
            }
            return Err(Because::Wrong(format!("{setting:?} {why}")));
        }
        if said.stopped || said.kinds.contains(&ErrorKind::Index) {
            return Err(Because::Nothing("the verifier ends at an error"));
        }
    }
    let Ok(ours) = ours else { return Ok(()) };
    cycles(text, ours[&CheckSetting::Plain])
}

/// Compares what is said of infinite runs, where something is asked.
fn cycles(text: &str, ours: &OrbitResult) -> Result<(), Because> {
    // Verifiers of programs with priorities must be compiled in a way that voids `-a` and `-l`.
    if text.contains("priority") {
        return Ok(());
    }
    let has_claim = text.contains("never {") || text.contains("ltl p");
    for (name, word, purpose) in [
        ("claim", "", CompiledFor::Acceptance),
        ("acceptance", "accept", CompiledFor::Acceptance),
        ("progress", "progress", CompiledFor::Progress),
    ] {
        if has_claim != (name == "claim") || !text.contains(word) {
            continue;
        }
        let Some(verdict) = ours.verdicts.get(name) else {
            continue;
        };
        // Where a run has ended `np_` is false in verifiers, and here as it was.
        if name == "claim" && text.contains("np_") {
            return Err(Because::Nothing("the claim is about np_"));
        }
        let said = asked_of_spin(text, Passes::Off, purpose)?;
        if said.stopped {
            return Err(Because::Nothing("the verifier ends at an error"));
        }
        // Verifiers report the end of some claims as an assertion, as they do those of programs.
        let is_open = |line: &String| line.contains("assertion violated  !(");
        if name == "claim" && said.lines.iter().any(is_open) {
            return Err(Because::Nothing("a claim may be called an assertion"));
        }
        let kinds = [
            ErrorKind::AcceptanceCycle,
            ErrorKind::ProgressCycle,
            ErrorKind::ClaimEnded,
        ];
        let violated = kinds.iter().any(|kind| said.kinds.contains(kind));
        if violated != (*verdict == Truth::Violated) {
            let lines = &said.lines;
            let why = format!("{name} differs: orbit says {verdict:?}, SPIN {lines:?}");
            return Err(Because::Wrong(why));
        }
    }
    Ok(())
}

fn asked_of_spin(
    text: &str,
    passes: Passes,
    purpose: CompiledFor,
) -> Result<VerifierResult, Because> {
    let verifier = PanVerifier::new(text.as_bytes(), "pan", passes, purpose);
    match verifier.map(|verifier| verifier.answer()) {
        Ok(VerifierAnswer::Full(said)) => Ok(said),
        Ok(VerifierAnswer::Cut(_)) => Err(Because::Nothing("the verifier does not come to an end")),
        Err(Unmade::Refused(_)) => Err(Because::Nothing("SPIN refuses")),
        Err(Unmade::NotC(_)) => Err(Because::Nothing("SPIN writes C that does not compile")),
        Err(Unmade::Broken(_)) => Err(Because::Nothing("SPIN or gcc does not come to an end")),
    }
}

/// What differs between what a verifier says of all states and what `orbit` says.
pub fn difference(said: &VerifierResult, ours: &OrbitResult, is_hidden: bool) -> Option<String> {
    let violated = |name: &str| ours.verdicts.get(name) == Some(&Truth::Violated);
    let has = |kind: ErrorKind| said.kinds.contains(&kind);
    let lines = &said.lines;
    let faults = [ErrorKind::Poll, ErrorKind::Index, ErrorKind::Other]
        .iter()
        .any(|k| has(*k));
    // After some faults the verifier stops, or goes on where orbit ends the run.
    let is_cut = said.stopped || has(ErrorKind::Index) || ours.ends_runs;
    // SPIN may miss errors of programs with hidden variables.
    let lenient = is_hidden || is_cut;
    for (name, spins) in [
        ("deadlock", has(ErrorKind::EndState)),
        ("assertions", has(ErrorKind::Assertion)),
        ("faults", faults),
    ] {
        let is_lenient = lenient && name != "faults";
        // A run that orbit ends at a fault may go on in the verifier, and the other way round.
        let differs = if is_lenient && ours.ends_runs {
            false
        } else if is_lenient || is_hidden {
            spins && !violated(name)
        } else {
            spins != violated(name)
        };
        if differs {
            let what = if violated(name) { "violated" } else { "holds" };
            return Some(format!("{name} differs: orbit says {what}, SPIN {lines:?}"));
        }
    }
    if is_cut {
        return None;
    }
    let counted = ours.visible.unwrap_or((ours.n_states, ours.n_transitions));
    let theirs = (said.n_states, said.n_transitions);
    (counted != theirs).then(|| format!("counts differ: orbit {counted:?}, SPIN {theirs:?}"))
}

#[cfg(test)]
mod tests;
