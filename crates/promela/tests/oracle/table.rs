//! The steps of each process type, as both sides have them.
//!
//! Locations are compared by SPIN's own numbers, so a table is equal or it is not: no graph has to
//! be matched. Compared are, for each location that the start leads to, its steps in order: target,
//! whether control is kept, the group of escapes, what kind of step it is; and what its labels say.

use base::{Diagnostic, Diagnostics, Sources};
use model::processes::program::{Action, Model, Proctype};
use promela::lower::{Ends, FullChannels, Options, lower};
use promela::preprocess::IncludeRequest;
use std::collections::BTreeMap;

/// What a step is, as far as both sides can tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Skip,
    Else,
    DStep,
    End,
    Other,
}

/// A step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    pub target: u32,
    pub keeps_control: bool,
    /// The how-manieth group of escapes it is in; 0 for none.
    pub rank: u16,
    pub kind: Kind,
}

/// The steps from a location, and `a`, `e`, `p` for accept, end and progress.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Row {
    pub marks: String,
    pub edges: Vec<Edge>,
}

impl Row {
    /// A row that says where a process starts.
    pub fn start(target: u32) -> Row {
        let edge = Edge {
            target,
            keeps_control: false,
            rank: 0,
            kind: Kind::Skip,
        };
        Row {
            marks: String::new(),
            edges: vec![edge],
        }
    }
}

/// The rows of each process type, by its name and the number of the location;
/// 0 is for the start.
pub type Table = BTreeMap<String, BTreeMap<u32, Row>>;

/// The model of a text, lowered as SPIN reads it, or the messages.
pub fn model(text: &str) -> Result<Model, String> {
    let mut sources = Sources::new();
    let mut found = Diagnostics::new();
    let main = sources.add("m.pml", text);
    let mut include =
        |_: &mut Sources, _: &IncludeRequest| Err(Diagnostic::unlocated("there is no such file"));
    let typed = promela::check(main, &[], &mut sources, &mut include, &mut found);
    let options = Options {
        ends: Ends::Step,
        full: FullChannels::Block,
    };
    let model = typed.and_then(|typed| lower(&typed, &sources, &options, &mut found));
    model.ok_or_else(|| {
        let messages = found.sorted().into_iter().map(|d| d.message);
        messages.collect::<Vec<String>>().join("\n")
    })
}

/// The table of a lowered model.
pub fn of_model(model: &Model) -> Table {
    let mut table = Table::new();
    for proctype in &model.proctypes {
        table.insert(proctype.name.clone(), rows(model, proctype));
    }
    table
}

fn rows(model: &Model, proctype: &Proctype) -> BTreeMap<u32, Row> {
    let start = proctype.locations[proctype.start.index()].number;
    let mut rows = BTreeMap::from([(0, Row::start(start))]);
    let mut waiting = vec![proctype.start];
    while let Some(at) = waiting.pop() {
        let location = &proctype.locations[at.index()];
        if rows.contains_key(&location.number) {
            continue;
        }
        let marks = [
            (location.accept, 'a'),
            (location.end, 'e'),
            (location.progress, 'p'),
        ];
        let marks = marks.iter().filter(|m| m.0).map(|m| m.1).collect();
        let mut edges = Vec::new();
        for id in &location.steps {
            let step = model.step(*id);
            let first = match &step.action {
                Action::All(all) => &all[0],
                action => action,
            };
            let kind = match first {
                Action::Skip => Kind::Skip,
                Action::Else => Kind::Else,
                Action::Deterministic(..) => Kind::DStep,
                Action::End => Kind::End,
                _ => Kind::Other,
            };
            let target = match kind {
                Kind::End => 0,
                _ => proctype.locations[step.target.index()].number,
            };
            edges.push(Edge {
                target,
                keeps_control: step.keeps_control,
                rank: step.rank,
                kind,
            });
            if kind != Kind::End {
                waiting.push(step.target);
            }
        }
        if !edges.is_empty() {
            rows.insert(location.number, Row { marks, edges });
        }
    }
    rows
}

/// Where two tables differ, in words.
pub fn differences(ours: &Table, theirs: &Table) -> Vec<String> {
    let mut all = Vec::new();
    let names = ours.keys().chain(theirs.keys());
    let names: std::collections::BTreeSet<&String> = names.collect();
    for name in names {
        let nothing = BTreeMap::new();
        let a = ours.get(name).unwrap_or(&nothing);
        let b = theirs.get(name).unwrap_or(&nothing);
        let numbers: std::collections::BTreeSet<&u32> = a.keys().chain(b.keys()).collect();
        for number in numbers {
            if a.get(number) != b.get(number) {
                let (a, b) = (a.get(number), b.get(number));
                all.push(format!("{name} {number}:\n   ours {a:?}\n   SPIN {b:?}"));
            }
        }
    }
    all
}
