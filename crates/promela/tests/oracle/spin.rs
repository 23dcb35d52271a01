//! How SPIN is asked for its tables.
//!
//! `spin -o1 -o2 -o3 -a` writes a verifier in C, which prints its table with `-d`:
//!
//! ```text
//! proctype P
//!         state   5 -(tr   3)-> state   2  [id   0 tp   2] [----G] m.pml:2 => ((x<3))
//! ```
//!
//! After `org` in the first brackets stands the location that an escape leads to. Whether a step
//! keeps control is not printed exactly, so it is read from `pan.t`, where each step is made by
//! `settr(id,flags,…)`; bit 1 of the flags says it.

use crate::table::{Edge, Kind, Row, Table};
use fuzz::spin::{CompiledFor, PanVerifier, Passes};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Whether the tests shall run. Fails if they are demanded and a program is missing.
pub fn is_demanded(test: &str) -> bool {
    let demanded = std::env::var("ORBIT_ORACLES").is_ok_and(|v| v == "1");
    let missing = fuzz::spin::missing().into_iter().next();
    match (demanded, missing) {
        (true, None) => return true,
        (true, Some(name)) => {
            panic!("{test}: ORBIT_ORACLES=1 is set, but `{name}` is not found: install it");
        }
        (false, None) => say(&format!("{test}: skipped: set ORBIT_ORACLES=1 to compare")),
        (false, Some(name)) => say(&format!("{test}: skipped: `{name}` is not installed")),
    }
    false
}

/// Where the random programs start.
pub fn first_seed() -> u64 {
    let text = std::env::var("ORBIT_ORACLE_SEED").unwrap_or_else(|_| "0".to_owned());
    text.parse().expect("ORBIT_ORACLE_SEED is a number")
}

/// A line on standard error.
pub fn say(words: &str) {
    let line = format!("{words}\n");
    let written = std::io::Write::write_all(&mut std::io::stderr(), line.as_bytes());
    assert!(written.is_ok());
}

/// The verifier of a model, without SPIN's passes; `None` if SPIN refuses the model, or writes C
/// that does not compile. Folders are told apart by `name`.
pub fn verifier(text: &[u8], name: &str) -> Option<PanVerifier> {
    match PanVerifier::new(text, name, Passes::Off, CompiledFor::Safety) {
        Ok(verifier) => Some(verifier),
        Err(why) => {
            say(&format!("no verifier of {name}: {why:?}"));
            None
        }
    }
}

/// Its table of steps.
pub fn table(verifier: &PanVerifier) -> Table {
    let printed = verifier.printed(&["-d"]).expect("a table");
    let mut table = read(&printed, &flags_of(&verifier.file("pan.t")));
    for (name, start) in starts(&verifier.file("pan.h")) {
        if let Some(rows) = table.get_mut(&name) {
            keep_reachable(rows, start);
        }
    }
    table
}

/// Where each process type starts: `#define _start0 5` after `#define _nstates0 14 /* P */`.
fn starts(header: &str) -> Vec<(String, u32)> {
    let mut names = HashMap::new();
    let mut starts = HashMap::new();
    for line in header.lines() {
        let mut words = line.split_whitespace();
        let (Some("#define"), Some(word), Some(value)) = (words.next(), words.next(), words.next())
        else {
            continue;
        };
        if let (Some(number), Some("/*"), Some(name)) =
            (word.strip_prefix("_nstates"), words.next(), words.next())
        {
            names.insert(number.to_owned(), name.replace(":init:", "init"));
        }
        if let (Some(number), Ok(start)) = (word.strip_prefix("_start"), value.parse()) {
            starts.insert(number.to_owned(), start);
        }
    }
    let both = names.into_iter();
    both.filter_map(|(number, name)| Some((name, *starts.get(&number)?)))
        .collect()
}

/// Drops what is printed although nobody can be there, the starts of escapes; row 0 is the start.
fn keep_reachable(rows: &mut BTreeMap<u32, Row>, start: u32) {
    let mut reached = BTreeSet::new();
    let mut waiting = vec![start];
    while let Some(number) = waiting.pop() {
        if let (true, Some(row)) = (reached.insert(number), rows.get(&number)) {
            waiting.extend(row.edges.iter().map(|e| e.target));
        }
    }
    rows.retain(|number, _| reached.contains(number));
    rows.insert(0, Row::start(start));
}

/// The flags of each step, by its id.
fn flags_of(made: &str) -> HashMap<u32, u32> {
    let mut flags = HashMap::new();
    for piece in made.split("settr(").skip(1) {
        let mut numbers = piece.split(',').map(|n| n.trim().parse::<u32>().ok());
        if let (Some(Some(id)), Some(Some(flag))) = (numbers.next(), numbers.next()) {
            *flags.entry(id).or_insert(0) |= flag;
        }
    }
    flags
}

/// The table that is printed.
pub fn read(printed: &str, flags: &HashMap<u32, u32>) -> Table {
    let mut table = Table::new();
    let mut current: Option<String> = None;
    let mut last = (0, 0, 0);
    for line in printed.lines() {
        if let Some(name) = line.strip_prefix("proctype ") {
            current = Some(name.to_owned());
        } else if line == "init" {
            current = Some(line.to_owned());
        } else if !line.starts_with('\t') {
            current = None;
        }
        let (Some(name), Some(step)) = (&current, step(line)) else {
            continue;
        };
        let row = table.entry(name.clone()).or_default();
        let row: &mut Row = row.entry(step.from).or_default();
        // Steps that escape to the same place, one after another, are one group.
        let (from, escape, mut rank) = last;
        if from != step.from {
            rank = 0;
        }
        if step.escape != 0 && (from != step.from || escape != step.escape) {
            rank += 1;
        }
        last = (step.from, step.escape, rank);
        row.marks = step.marks;
        row.edges.push(Edge {
            target: step.target,
            keeps_control: flags.get(&step.id).is_some_and(|f| f & 2 != 0),
            rank: if step.escape == 0 { 0 } else { rank },
            kind: step.kind,
        });
    }
    table
}

struct Step {
    from: u32,
    target: u32,
    id: u32,
    escape: u32,
    marks: String,
    kind: Kind,
}

/// One line of the table.
fn step(line: &str) -> Option<Step> {
    let rest = line.trim_start().strip_prefix("state")?;
    let (from, rest) = rest.split_once("-(tr")?;
    let (action, rest) = rest.split_once(")-> state")?;
    // A choice that has no option left; such a step is never taken.
    if action.trim() == "0" {
        return None;
    }
    let (target, rest) = rest.split_once("[id")?;
    let (brackets, rest) = rest.split_once(']')?;
    let (marks, text) = rest.trim_start().strip_prefix('[')?.split_once("] ")?;
    let (_, text) = text.split_once(" =>")?;
    let id = brackets.split_whitespace().next()?;
    let escape = brackets.split_once("org").map_or("0", |(_, e)| e.trim());
    let kind = match text.trim() {
        "-end-" => Kind::End,
        "else" => Kind::Else,
        "" | "(1)" | ".(goto)" | "break" => Kind::Skip,
        text if text.starts_with("goto ") => Kind::Skip,
        text if text.starts_with("D_STEP") => Kind::DStep,
        _ => Kind::Other,
    };
    Some(Step {
        from: from.trim().parse().ok()?,
        target: target.trim().parse().ok()?,
        id: id.parse().ok()?,
        escape: escape.parse().ok()?,
        marks: marks.chars().filter(|c| "aep".contains(*c)).collect(),
        kind,
    })
}
