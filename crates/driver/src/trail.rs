//! Recorded runs: our own form, and SPIN's `.trail`.
//!
//! **Ours** is a JSON object a line. The first says what was run, the others are its steps:
//!
//! ```text
//! {"orbit_trail":1,"orbit":"0.1.0","model":"mutex.pml","language":"promela","defines":["N=3"],
//!  "rules":"plain","hash":"9c1f…","start":0,"error":"assertion violated"}     (one line)
//! {"process":1,"id":4294967301,"by":"user(1)","line":9,"step":"flag = 1"}
//! ```
//!
//! The first step of a loop that a run goes round for ever has `"loop":true`, too.
//! `"start"` says with which of the initial states a run starts, `"assertion"` which of several
//! assertions, from 1, it contradicts.
//!
//! `hash` is that of the text, macros and included files; a run is replayed only on the text that
//! it was recorded on, with the same rules, because `id` means nothing elsewhere.
//!
//! **SPIN's** has a line `depth:process:statement` a step. Statements are numbered over the whole
//! text in the order in which SPIN's parser makes them, from 0. Lines with a negative depth say
//! how to read the rest: `-4:-4:-4` that statements were merged, so that a line can stand for
//! several steps, `-2:…` that process 0 is a claim, `-1:-1:-1` where a cycle starts.

mod target;

pub use target::{FileKind, TRAIL, Target, warning};

use base::{Diagnostic, SourceId, Sources, Span, quote};
use model::Machine;
use model::frontend::{About, Rules};
use serde_json::{Value, json};
use std::fmt::Write;
use system::{StepText, Taken};

/// A run that was recorded.
pub struct Trail {
    /// Whose rules its steps follow.
    pub rules: Rules,
    /// Its steps, with their places in the file.
    pub steps: Vec<(TrailStep, Span)>,
    /// Whether a recorded step can stand for several.
    pub merged: bool,
    /// How many steps come before the loop, if the run goes round for ever.
    pub loop_from: Option<usize>,
    /// With which of the initial states it starts.
    pub start: usize,
    /// The assertion of a script that it is about, from 0.
    pub assertion: Option<usize>,
    /// The least and the largest number that were tried, if it says so.
    pub numbers: Option<(i64, i64)>,
    /// What it was recorded on, if it says so.
    hash: Option<u64>,
    source: SourceId,
}

/// A step that was recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TrailStep {
    /// As we number steps.
    Ours(Taken),
    /// As SPIN does.
    Spin {
        /// The process.
        process: u32,
        /// The statement.
        statement: u32,
    },
}

impl Trail {
    /// Says why the trail cannot be of a model with that hash, if it cannot.
    pub fn is_of(&self, hash: u64, path: &str) -> Result<(), Diagnostic> {
        if self.hash.is_some_and(|own| own != hash) {
            let message = "this run was recorded on another text";
            let first = Span::new(self.source, 0..0);
            return Err(Diagnostic::error(first, message).note(format!(
                "{}, its macros (-D), what it includes, sizes of sets or the range of numbers \
                 (--maxint) have changed since",
                quote(path)
            )));
        }
        Ok(())
    }

    /// Says that the step `at` cannot be taken where the run has come to.
    pub fn stuck(&self, at: usize) -> Diagnostic {
        let (step, span) = self.steps[at];
        let error = Diagnostic::error(span, "the model cannot take this step here");
        match step {
            TrailStep::Ours(_) => error,
            TrailStep::Spin { .. } => error.note(
                "the trail is of another version of the model, of other -D flags, or of a claim",
            ),
        }
    }
}

/// Reads a trail of either form.
pub fn read(source: SourceId, sources: &Sources) -> Result<Trail, Diagnostic> {
    let text = sources.get(source).text();
    if text.trim_start().starts_with('{') {
        read_ours(source, sources)
    } else {
        read_spin(source, sources)
    }
}

/// The process of a step, and the number that SPIN gives its statement.
pub fn numbers(machine: &Machine, taken: Taken) -> (u32, Option<u32>) {
    let (process, step) = machine.taken(taken);
    let origin = machine.model().origins.steps.get(step.index());
    (process as u32, origin.and_then(|origin| origin.statement))
}

/// A run to record.
pub struct Recorded<'a> {
    /// What is told of the model.
    pub about: &'a About,
    /// Its hash.
    pub hash: u64,
    /// The rules that the steps follow.
    pub rules: Rules,
    /// With which of the initial states it starts.
    pub start: usize,
    /// The assertion that it contradicts, from 1, if there are several.
    pub assertion: Option<usize>,
    /// What goes wrong at the end.
    pub error: &'a str,
    /// The steps, in words too.
    pub steps: &'a [(Taken, StepText)],
    /// How many steps come before the loop, if the run goes round for ever.
    pub loop_from: Option<usize>,
}

impl Recorded<'_> {
    /// In our form.
    pub fn text(&self) -> String {
        let mut head = json!({
            "orbit_trail": 1, "orbit": env!("CARGO_PKG_VERSION"), "model": self.about.path,
            "language": self.about.language, "defines": self.about.defines,
            "rules": self.rules.word(), "hash": format!("{:016x}", self.hash),
            "start": self.start, "error": self.error,
        });
        if let Some((minint, maxint)) = self.about.numbers {
            (head["minint"], head["maxint"]) = (json!(minint), json!(maxint));
        }
        if let Some(assertion) = self.assertion {
            head["assertion"] = json!(assertion);
        }
        let mut text = format!("{head}\n");
        for (n, (taken, step)) in self.steps.iter().enumerate() {
            let mut line = json!({
                "process": step.number, "id": taken.0, "by": step.by, "line": step.line,
                "step": step.step,
            });
            if self.loop_from == Some(n) {
                line["loop"] = json!(true);
            }
            let _ = writeln!(text, "{line}");
        }
        text
    }

    /// In SPIN's form, for a model of processes.
    pub fn in_spins_form(&self, machine: &Machine) -> Result<String, Diagnostic> {
        assert!(
            self.rules != Rules::SpinCompat,
            "merged statements have no numbers in SPIN's trails, and are refused before"
        );
        let mut text = String::new();
        for (n, (taken, step)) in self.steps.iter().enumerate() {
            let (process, statement) = numbers(machine, *taken);
            let Some(statement) = statement else {
                let message = format!("{} has no number in SPIN's trails", quote(&step.step));
                return Err(Diagnostic::unlocated(message)
                    .note("a trail with another name than `….trail` is written in our own form"));
            };
            if self.loop_from == Some(n) {
                text += "-1:-1:-1\n";
            }
            let _ = writeln!(text, "{}:{process}:{statement}", n + 1);
        }
        Ok(text)
    }
}

fn read_ours(source: SourceId, sources: &Sources) -> Result<Trail, Diagnostic> {
    let mut lines = sources
        .get(source)
        .lines()
        .filter(|(_, line)| !line.trim().is_empty());
    let parsed = |(range, line): (std::ops::Range<usize>, &str)| {
        let span = Span::new(source, range);
        let value = serde_json::from_str::<Value>(line);
        match value {
            Ok(value) => Ok((value, span)),
            Err(why) => Err(Diagnostic::error(span, "this is no line of a trail")
                .note(format!("it is not JSON: {why}"))),
        }
    };
    let (head, span) = match lines.next() {
        Some(line) => parsed(line)?,
        None => {
            return Err(Diagnostic::error(
                Span::new(source, 0..0),
                "the trail is empty",
            ));
        }
    };
    if head["orbit_trail"] != 1 {
        let message = "this is no trail of orbit's";
        return Err(Diagnostic::error(span, message)
            .note("the first line of a trail has \"orbit_trail\": 1"));
    }
    let words = [Rules::Own, Rules::Plain, Rules::SpinCompat];
    let rules = words
        .into_iter()
        .find(|rules| head["rules"] == rules.word());
    let hash = head["hash"]
        .as_str()
        .and_then(|hash| u64::from_str_radix(hash, 16).ok());
    let (Some(rules), Some(hash)) = (rules, hash) else {
        return Err(Diagnostic::error(
            span,
            "the first line lacks \"rules\" or \"hash\"",
        ));
    };
    let (mut steps, mut loop_from) = (Vec::new(), None);
    for line in lines {
        let (value, span) = parsed(line)?;
        if value["loop"] == true {
            loop_from = Some(steps.len());
        }
        match value["id"].as_u64() {
            Some(id) => steps.push((TrailStep::Ours(Taken(id)), span)),
            None => return Err(Diagnostic::error(span, "this step has no \"id\"")),
        }
    }
    Ok(Trail {
        rules,
        steps,
        merged: false,
        loop_from,
        start: head["start"].as_u64().unwrap_or(0) as usize,
        assertion: head["assertion"]
            .as_u64()
            .map(|n| (n as usize).saturating_sub(1)),
        numbers: head["minint"].as_i64().zip(head["maxint"].as_i64()),
        hash: Some(hash),
        source,
    })
}

fn read_spin(source: SourceId, sources: &Sources) -> Result<Trail, Diagnostic> {
    let mut trail = Trail {
        rules: Rules::Plain,
        steps: Vec::new(),
        merged: false,
        loop_from: None,
        start: 0,
        assertion: None,
        numbers: None,
        hash: None,
        source,
    };
    let mut claim = false;
    for (range, line) in sources.get(source).lines() {
        let span = Span::new(source, range);
        if line.trim().is_empty() {
            continue;
        }
        let numbers: Option<Vec<i64>> = line
            .trim()
            .split(':')
            .map(|word| word.trim().parse().ok())
            .collect();
        match numbers.as_deref() {
            Some([-4, ..]) => {
                trail.merged = true;
                trail.rules = Rules::SpinCompat;
            }
            Some([-2, ..]) => claim = true,
            Some([-1, ..]) => trail.loop_from = Some(trail.steps.len()),
            // Process 0 is the claim, and the others come after it.
            Some([_, 0, _]) if claim => {}
            Some([_, process, statement]) => {
                let process = process - i64::from(claim);
                let (Ok(process), Ok(statement)) = (process.try_into(), (*statement).try_into())
                else {
                    return Err(not_spin(span));
                };
                trail
                    .steps
                    .push((TrailStep::Spin { process, statement }, span));
            }
            _ => return Err(not_spin(span)),
        }
    }
    Ok(trail)
}

fn not_spin(span: Span) -> Diagnostic {
    Diagnostic::error(span, "this is no line of a trail")
        .note("a line of SPIN's is `depth:process:statement`, a line of ours a JSON object")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trail(text: &str) -> Result<Trail, Diagnostic> {
        let mut sources = Sources::new();
        let source = sources.add("t", text);
        read(source, &sources)
    }

    fn steps(text: &str) -> Vec<TrailStep> {
        let trail = trail(text).unwrap_or_else(|why| panic!("{text}: {}", why.message));
        trail.steps.into_iter().map(|(step, _)| step).collect()
    }

    #[test]
    fn trails_of_spin() {
        let spin = |process, statement| TrailStep::Spin { process, statement };
        assert_eq!(steps("1:0:5\n2:1:7\n"), [spin(0, 5), spin(1, 7)]);
        assert_eq!(
            steps("-2:3:-2\n1:0:9\n2:1:5\n3:2:7\n"),
            [spin(0, 5), spin(1, 7)]
        );
        let merged = trail("-4:-4:-4\n1:0:5\n").expect("a trail");
        assert!(merged.merged && merged.rules == Rules::SpinCompat);
        let round = trail("1:0:5\n-1:-1:-1\n2:1:7\n").expect("a trail");
        assert_eq!((round.loop_from, round.steps.len()), (Some(1), 2));
        for wrong in ["1:2\n", "x\n", "1:-3:2\n", "1:2:3:4\n"] {
            assert!(trail(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn trails_of_ours() {
        let head = r#"{"orbit_trail":1,"rules":"plain","hash":"00000000000000ff"}"#;
        let read = trail(&format!("{head}\n{{\"id\":5}}\n")).expect("a trail");
        assert_eq!((read.rules, read.hash), (Rules::Plain, Some(255)));
        assert_eq!(read.steps[0].0, TrailStep::Ours(Taken(5)));
        assert_eq!(read.loop_from, None);
        let round = "{\"id\":5}\n{\"id\":6,\"loop\":true}\n";
        let read = trail(&format!("{head}\n{round}")).expect("a trail");
        assert_eq!(read.loop_from, Some(1));
        for wrong in [
            "{}".to_owned(),
            head.replace('1', "2"),
            head.replace("plain", "fancy"),
            format!("{head}\n{{}}\n"),
            format!("{head}\n{{\"id\":\n"),
        ] {
            assert!(trail(&wrong).is_err(), "{wrong}");
        }
    }
}
