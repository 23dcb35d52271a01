//! The B machine of a command: read, its types checked, its sets given sizes, made ready to run.

use super::check::{CheckPlan, Manner};
use crate::flags::{CheckFlags, ModelFlags, ReadingFlag, SimulateFlags, SizeFlags};
use crate::input;
use crate::trail::Target;
use base::{Diagnostic, Diagnostics, Sources, quote};
use bmachine::Added;
use bmachine::eval::patience::Patience;
use bmachine::live::Live;
use bmachine::refine::{Reading, Refinement};
use bmachine::run::{self, Program, Setups};
use bmachine::typed::{self, SortId};
use check::Attention;
use report::Unchecked;
use report::object::{Named, Set};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use system::System;

/// A machine that was accepted.
pub struct ReadMachine {
    /// Where it was read from, as typed.
    pub path: String,
    /// The machine.
    pub machine: typed::Machine,
}

/// A search of the states of a machine.
pub struct MachinePlan {
    /// Where it was read from, as typed.
    pub path: String,
    /// The machine, ready to run.
    pub live: Live,
    /// How.
    pub manner: Manner,
    /// What is done about deadlocks.
    pub deadlocks: Attention,
    /// What is done about false assertions.
    pub assertions: Attention,
    /// What is done about a false invariant.
    pub invariants: Attention,
    /// What is done about states that were looked for.
    pub goals: Attention,
    /// Where the first error run goes.
    pub trail: Option<Target>,
    /// Of its texts and sizes.
    pub hash: u64,
    /// By set: where its size comes from.
    pub origins: Vec<&'static str>,
    /// What it is to refine, if that was asked.
    pub refinement: Option<Refinement>,
    /// Which formulas of the machine are checked, by number.
    pub formulas: Vec<usize>,
    /// Whether nothing else is asked.
    pub alone: bool,
    /// What the user switched off.
    pub switched_off: Vec<Unchecked>,
    /// How long it took to get here.
    pub load: Duration,
}

/// A machine to run step by step.
pub struct RunMachine {
    /// Where it was read from, as typed.
    pub path: String,
    /// The machine, ready to run.
    pub live: Live,
    /// Of its texts and sizes.
    pub hash: u64,
}

impl MachinePlan {
    /// What programs are told about the machine before it was searched.
    pub fn model(&self) -> report::Model {
        model(&self.path, &self.live)
    }

    /// The same with what it takes some time to find: what is in its sets, and some constants.
    pub fn told(&self) -> report::Model {
        let sorts = self.live.signature().sorts.iter().zip(&self.origins);
        let sets = sorts.map(|(sort, from)| Set {
            name: sort.name.clone(),
            size: sort.members.len(),
            size_from: from.to_string(),
            elements: sort.members.clone(),
        });
        report::Model {
            sets: sets.collect(),
            constants: constants(&self.live),
            ..self.model()
        }
    }
}

/// Some values of the constants, if there are some.
fn constants(live: &Live) -> Option<Named<String>> {
    let mut values = Vec::new();
    // Finding some must not take longer than the search was allowed to.
    live.program().patience().hurry();
    if let Some(state) = live.a_setup() {
        live.describe(&state, &mut |name, value| {
            values.push((name.to_owned(), value.to_owned()));
        });
    }
    Some(Named(values)).filter(|values| !values.0.is_empty())
}

impl RunMachine {
    /// What programs are told about it.
    pub fn told(&self) -> report::Model {
        model(&self.path, &self.live)
    }
}

/// A machine with the sizes of its sets.
fn model(path: &str, live: &Live) -> report::Model {
    let sorts = live.signature().sorts.iter();
    report::Model {
        set_sizes: sorts
            .map(|sort| (sort.name.clone(), sort.members.len()))
            .collect(),
        ..report::Model::new(path, "b")
    }
}

/// The machine that `orbit simulate` runs.
pub fn run(
    flags: &SimulateFlags,
    sources: &mut Sources,
    found: &mut Diagnostics,
) -> Option<RunMachine> {
    let (path, program) = load(&flags.model, &flags.sizes, sources, found)?;
    let live = Live::new(program, sources);
    let hash = hash(&live, sources);
    Some(RunMachine { path, live, hash })
}

/// The hash of all that decides what the steps of a machine are.
fn hash(live: &Live, sources: &Sources) -> u64 {
    let machine = live.program().machine();
    let mut texts = vec![sources.get(machine.span.source).text().to_owned()];
    let sorts = live.signature().sorts.iter();
    texts.extend(sorts.map(|sort| format!("{} {}", sort.name, sort.members.len())));
    let (minint, maxint) = live.program().numbers();
    texts.push(format!("{minint}..{maxint}"));
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    super::program::hash(&texts)
}

/// The least and the largest number, where nothing is said.
const INT_RANGE: (i64, i64) = (-1, 3);
/// How many candidates may be tried for one answer.
const WORK_MAX: u64 = 1 << 28;
/// How many elements a deferred set has, where nothing is said.
const SET_SIZE: usize = 2;

/// The plan, or `None` if `found` says why not.
pub fn plan(
    flags: CheckFlags,
    manner: Manner,
    sources: &mut Sources,
    found: &mut Diagnostics,
) -> Option<CheckPlan> {
    let start = Instant::now();
    let path = flags.model.file.clone()?;
    let machine = of_flags(&flags, &path, sources, found)?;
    let name = path.display().to_string();
    if flags.parse_only {
        return Some(CheckPlan::ParseMachine(Box::new(ReadMachine {
            path: name,
            machine,
        })));
    }
    if flags.machine.refines.is_some() && machine.refines.is_none() {
        found.push(refines_nothing(&machine.name));
        return None;
    }
    let has_goal = machine.goal.is_some();
    super::check::refuse_beside(&flags, found)?;
    let (formulas, alone) = formulas(&flags, &machine);
    let asked = if alone {
        super::check::refuse_alone(&flags, found)?;
        [Attention::Ignored; 4]
    } else {
        attention(&flags, has_goal, &machine.formulas, found)?
    };
    let switched_off = switched_off(&flags, &machine, &formulas, alone);
    let patience = Patience::new(manner.clock);
    let (program, origins) = compile(machine, &flags.machine.sizes, Arc::new(patience), found)?;
    if is_inconsistent(&program) {
        found.push(inconsistent(&program));
        return None;
    }
    let live = Live::new(program, sources);
    let refinement = match flags.machine.refines {
        None => None,
        Some(reading) => Some(refinement(&live, reading, found)?),
    };
    let hash = hash(&live, sources);
    Some(CheckPlan::SearchMachine(Box::new(MachinePlan {
        path: name,
        live,
        manner,
        deadlocks: asked[1],
        assertions: asked[2],
        invariants: asked[0],
        goals: asked[3],
        hash,
        origins,
        trail: super::check::target(&flags, found).ok()?,
        refinement,
        formulas,
        alone,
        switched_off,
        load: start.elapsed(),
    })))
}

/// The machine with what flags say of its goal and limits.
fn of_flags(
    flags: &CheckFlags,
    path: &Path,
    sources: &mut Sources,
    found: &mut Diagnostics,
) -> Option<typed::Machine> {
    let added = added(flags, sources);
    let mut machine = read(path, (&flags.model.include, &added), sources, found)?;
    if flags.machine.goal.is_some() && machine.goal.is_none() {
        let message = "`--goal` needs a predicate over the machine's variables and constants";
        let note = "`--goal GOAL` means the machine's definition of that name, if it has one";
        found.push(Diagnostic::unlocated(message).note(note));
        return None;
    }
    if !flags.machine.machine_limits {
        let limits = [
            (
                "SET_PREF_MAX_OPERATIONS",
                machine.settings.max_operations.take(),
            ),
            (
                "SET_PREF_MAX_INITIALISATIONS",
                machine.settings.max_initialisations.take(),
            ),
        ];
        for (name, _) in limits.iter().filter(|(_, limit)| limit.is_some()) {
            let message = format!("{name} is not honoured: all ways to go on are tried");
            let warning = Diagnostic::warning(machine.span, message);
            found.push(warning.note("`--machine-limits` asks for no more than it says"));
        }
    }
    Some(machine)
}

/// Says that there is nothing to compare with.
fn refines_nothing(name: &str) -> Diagnostic {
    let message = format!("`--refines`: {} refines nothing", quote(name));
    let note = "a refinement says so itself: REFINEMENT … REFINES …";
    Diagnostic::unlocated(message).note(note)
}

/// What the command line adds to the text of the machine.
fn added(flags: &CheckFlags, sources: &mut Sources) -> Added {
    let goal = flags.machine.goal.as_deref().filter(|goal| *goal != "GOAL");
    let goal = goal.map(|goal| sources.add("--goal", format!("DEFINITIONS GOAL == {goal}")));
    let typed = [(true, "--ltl", &flags.ltl), (false, "--ctl", &flags.ctl)];
    let typed = typed
        .into_iter()
        .filter_map(|(is_linear, flag, text)| Some((is_linear, sources.add(flag, text.clone()?))));
    Added {
        definitions: goal,
        formulas: typed.collect(),
    }
}

/// The machine in a file, with sizes for its sets, to be looked at only.
pub fn load(
    flags: &ModelFlags,
    sizes: &SizeFlags,
    sources: &mut Sources,
    found: &mut Diagnostics,
) -> Option<(String, Program)> {
    let path = flags.file.clone()?;
    let added = Added::default();
    let machine = read(&path, (&flags.include, &added), sources, found)?;
    let (program, _) = compile(machine, sizes, Arc::default(), found)?;
    Some((path.display().to_string(), program))
}

/// What the machine refines, to be compared with it.
fn refinement(live: &Live, reading: ReadingFlag, found: &mut Diagnostics) -> Option<Refinement> {
    let reading = match reading {
        ReadingFlag::Guards => Reading::Guards,
        ReadingFlag::Classical => Reading::Classical,
    };
    let made = Refinement::new(live, reading);
    made.map_err(|why| why.into_iter().for_each(|why| found.push(why)))
        .ok()
}

/// The machine in a file, with those that it includes.
fn read(
    path: &Path,
    (folders, added): (&[PathBuf], &Added),
    sources: &mut Sources,
    found: &mut Diagnostics,
) -> Option<typed::Machine> {
    let main = input::read_loosely(path, sources).map_err(|why| found.push(why));
    let main = main.ok()?;
    let beside = path.parent().map(Path::to_path_buf);
    let folders: Vec<PathBuf> = beside.into_iter().chain(folders.iter().cloned()).collect();
    let mut unreadable = Vec::new();
    let mut include = |name: &str| {
        let mut paths = folders.iter().map(|folder| folder.join(name));
        let path = paths.find(|path| path.is_file())?;
        let mut own = Sources::new();
        match input::read_loosely(&path, &mut own) {
            Ok(id) => Some((path.display().to_string(), own.get(id).text().to_owned())),
            Err(why) => {
                // Its place is in a text that nobody keeps.
                let message = format!("{}: {}", path.display(), why.message);
                unreadable.push(Diagnostic::unlocated(message));
                None
            }
        }
    };
    let machine = bmachine::read_with(main, added, sources, &mut include, found);
    unreadable.into_iter().for_each(|why| found.push(why));
    machine
}

/// The machine with sizes for its sets, and its largest and least number if they were given; and
/// where each size comes from.
fn compile(
    machine: typed::Machine,
    flags: &SizeFlags,
    patience: Arc<Patience>,
    found: &mut Diagnostics,
) -> Option<(Program, Vec<&'static str>)> {
    let before = found.n_errors();
    let sizes: Vec<Option<(SortId, usize)>> = flags
        .set_size
        .iter()
        .map(|written| set_size(written, &machine, found))
        .collect();
    let asked: Vec<(SortId, usize)> = sizes.into_iter().collect::<Option<_>>()?;
    for (n, (sort, size)) in asked.iter().enumerate() {
        let other = asked[..n].iter().find(|(other, _)| other == sort);
        if let Some((_, other)) = other {
            let name = &machine.sorts[sort.index()].name;
            let message = format!("`--set-size` says {other} and {size} of {}", quote(name));
            found.push(Diagnostic::unlocated(message).note("leave one of them out"));
        }
    }
    let settings = &machine.settings;
    let default = flags.default_set_size.or(settings.default_size);
    let default = default.unwrap_or(SET_SIZE);
    let maxint = flags.maxint.or(settings.maxint).unwrap_or(INT_RANGE.1);
    let minint = flags.minint.or(settings.minint).unwrap_or(INT_RANGE.0);
    if maxint < minint {
        let message = format!("the largest number is {maxint}, and the least is {minint}");
        found.push(Diagnostic::unlocated(message).note("see `--maxint` and `--minint`"));
    }
    let sizes = run::sizes::sizes(&machine, &asked, default);
    let sizes = sizes.map_err(|why| why.into_iter().for_each(|why| found.push(why)));
    if found.n_errors() > before {
        return None;
    }
    let sizes = sizes.ok()?;
    let origins = run::sizes::origins(&machine, &asked, default, &sizes);
    let options = run::Options {
        sizes,
        maxint,
        minint,
        work_max: WORK_MAX,
        patience,
    };
    let program = Program::new(machine, &options);
    let program = program.map_err(|why| why.into_iter().for_each(|why| found.push(why)));
    program.ok().map(|program| (program, origins))
}

/// Whether it is certain that no constants, or none at all, have the properties.
fn is_inconsistent(program: &Program) -> bool {
    let machine = program.machine();
    if machine.n_constants == 0 && machine.properties.is_empty() {
        return false;
    }
    let mut is_empty = true;
    let extent = program.setups(Setups::All, &mut |_| {
        is_empty = false;
        ControlFlow::Break(())
    });
    is_empty && extent.is_complete()
}

/// Says that constants have no values, and where their properties are.
fn inconsistent(program: &Program) -> Diagnostic {
    let machine = program.machine();
    let message = match machine.n_constants {
        0 => "the properties do not hold",
        _ => "no values of the constants have all properties",
    };
    let span = machine.properties.iter().map(|property| property.span);
    let span = span.reduce(|all, next| {
        if all.source == next.source {
            all.to(next)
        } else {
            all
        }
    });
    let sorts = program.signature().sorts.iter();
    let sizes: Vec<String> = sorts
        .map(|sort| format!("{} has {}", sort.name, sort.members.len()))
        .collect();
    let error = match span {
        Some(span) => Diagnostic::error(span, message),
        None => Diagnostic::unlocated(message),
    };
    if sizes.is_empty() {
        error
    } else {
        error
            .note(format!("of the sets, {} elements", sizes.join(", ")))
            .note("`--set-size SET=N` gives a set another size")
    }
}

/// The meaning of `--set-size SET=N`.
fn set_size(
    written: &str,
    machine: &typed::Machine,
    found: &mut Diagnostics,
) -> Option<(SortId, usize)> {
    let parts = written.split_once('=');
    let parts = parts.and_then(|(name, n)| Some((name.trim(), n.trim().parse::<usize>().ok()?)));
    let Some((name, n)) = parts else {
        let message = format!("`--set-size` needs SET=N, not {}", quote(written));
        found.push(Diagnostic::unlocated(message));
        return None;
    };
    let sort = machine.sorts.iter().position(|sort| sort.name == name);
    let deferred = machine.sorts.iter().filter(|sort| sort.elements.is_none());
    let deferred: Vec<&str> = deferred.map(|sort| &*sort.name).collect();
    match sort {
        Some(at) if machine.sorts[at].elements.is_none() => Some((SortId::new(at), n)),
        Some(_) => {
            let message = format!("{} lists its elements, so it has a size", quote(name));
            found.push(Diagnostic::unlocated(message));
            None
        }
        None => {
            let message = format!("the machine has no deferred set {}", quote(name));
            let note = if deferred.is_empty() {
                "it has none at all".to_owned()
            } else {
                format!("it has: {}", deferred.join(", "))
            };
            found.push(Diagnostic::unlocated(message).note(note));
            None
        }
    }
}

/// What can be asked for, by name and number.
const PROPERTIES: [&str; 6] = [
    "invariant",
    "deadlock",
    "assertions",
    "goal",
    "faults",
    "refinement",
];
/// Which of them is not found by a search.
const REFINEMENT: usize = 5;

/// Which formulas are asked for, and whether nothing else is: the one that was named, or all, those
/// that were typed among them.
fn formulas(flags: &CheckFlags, machine: &typed::Machine) -> (Vec<usize>, bool) {
    let all = 0..machine.formulas.len();
    let Some(word) = &flags.property else {
        return (all.collect(), false);
    };
    let number = word.parse::<usize>().ok();
    let number = number.and_then(|n| n.checked_sub(PROPERTIES.len() + 1));
    let is = |n: &usize| Some(*n) == number || machine.formulas[*n].name == *word;
    let named: Vec<usize> = all.filter(is).collect();
    let alone = !named.is_empty();
    (named, alone)
}

/// What the user switched off, each with the flag.
fn switched_off(
    flags: &CheckFlags,
    machine: &typed::Machine,
    formulas: &[usize],
    alone: bool,
) -> Vec<Unchecked> {
    let word = flags.property.as_deref();
    let searched = [
        ("invariant", flags.machine.no_invariant, "`--no-invariant`"),
        ("deadlock", flags.no_deadlock, "`--no-deadlock`"),
        ("assertions", flags.no_assertions, "`--no-assertions`"),
        ("faults", false, ""),
    ];
    let mut off = Vec::new();
    for (name, is_off, flag) in searched {
        let number = PROPERTIES.iter().position(|other| *other == name);
        let number = number.map(|n| (n + 1).to_string());
        let is_another = word.is_some_and(|word| word != name && Some(word) != number.as_deref());
        // Faults are seen in any search for errors.
        let is_another = is_another && (name != "faults" || alone);
        if is_off || is_another {
            let flag = if is_off { flag } else { "`-p`" };
            off.push(super::check::off_by(name, name, flag));
        }
    }
    for (n, formula) in machine.formulas.iter().enumerate() {
        if !formulas.contains(&n) {
            let kind = if formula.is_linear { "ltl" } else { "ctl" };
            off.push(super::check::off_by(&formula.name, kind, "`-p`"));
        }
    }
    off
}

/// What is done about the invariant, deadlocks, assertions and the goal.
fn attention(
    flags: &CheckFlags,
    has_goal: bool,
    formulas: &[typed::Formula],
    found: &mut Diagnostics,
) -> Option<[Attention; 4]> {
    let ignored = [
        flags.machine.no_invariant,
        flags.no_deadlock,
        flags.no_assertions,
        !has_goal || flags.machine.goal.is_none(),
    ];
    let attend = |ignored: bool| {
        if ignored {
            Attention::Ignored
        } else {
            Attention::Reported
        }
    };
    let Some(word) = flags.property.as_deref() else {
        return Some(ignored.map(attend));
    };
    let number = word.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
    let by_name = PROPERTIES.iter().position(|name| *name == word);
    match by_name.or(number).filter(|n| *n < PROPERTIES.len()) {
        Some(n) if ignored.get(n) == Some(&true) => {
            let message = format!("`--property {word}` and the flag that ignores it");
            found.push(Diagnostic::unlocated(message + " do not go together"));
            None
        }
        Some(n) if (n == REFINEMENT) != flags.machine.refines.is_some() => {
            let message = format!("`--property {word}`");
            let message = if n == REFINEMENT {
                message + " needs `--refines`"
            } else {
                message + " and `--refines` do not go together"
            };
            found.push(Diagnostic::unlocated(message));
            None
        }
        Some(n) => Some(std::array::from_fn(|i| attend(i != n))),
        None => {
            let formulas = formulas.iter().map(|formula| &*formula.name);
            let names: Vec<String> = PROPERTIES
                .into_iter()
                .chain(formulas)
                .enumerate()
                .map(|(n, name)| format!("{} {name}", n + 1))
                .collect();
            let message = format!("there is no property {}", quote(word));
            found.push(
                Diagnostic::unlocated(message).note(format!("there are: {}", names.join(", "))),
            );
            None
        }
    }
}
