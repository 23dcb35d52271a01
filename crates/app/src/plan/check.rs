//! The meaning of `orbit check`.

use super::ctl::{self, CtlPlan};
use super::detect::{self, Detect};
use super::machine::{self, MachinePlan, ReadMachine};
use super::model::{self, ReadModel, Rules, RunModel};
use super::script::{self, ReadScript, ScriptPlan};
use super::{limit, time};
use crate::amounts;
use crate::flags::{CheckFlags, FairWord, Language, LaterFlags, PanFlags, SearchWord};
use base::{Diagnostic, Diagnostics, Severity, Sources, quote};
use check::{Attention, Order};
use reduce::reducer::Guarantee;
use reduce::strategy::Strategy;
use std::path::PathBuf;
use std::time::Duration;
use system::property::Kind;

/// What to check.
pub enum CheckPlan {
    /// Only whether the model is one.
    Parse(Box<ReadModel>),
    /// All reachable states.
    Search(Box<SearchPlan>),
    /// Only whether the text is a B machine.
    ParseMachine(Box<ReadMachine>),
    /// All reachable states of a B machine.
    SearchMachine(Box<MachinePlan>),
    /// Only whether the text is a CSPM script.
    ParseScript(Box<ReadScript>),
    /// The assertions of a CSPM script.
    SearchScript(Box<ScriptPlan>),
}

/// A search.
pub struct SearchPlan {
    /// Of which model.
    pub model: RunModel,
    /// How.
    pub manner: Manner,
    /// Where symmetry is looked for.
    pub detect: Detect,
    /// What is done about deadlocks.
    pub deadlocks: Attention,
    /// What is done about false assertions.
    pub assertions: Attention,
    /// Where the first error run goes.
    pub trail: Option<PathBuf>,
    /// What is asked of infinite runs.
    pub temporal: Temporal,
    /// What is asked of branching time.
    pub ctl: Option<CtlPlan>,
}

/// What is asked of infinite runs.
pub struct Temporal {
    /// Which of the properties of the model, by number.
    pub asked: Vec<usize>,
    /// Which runs count.
    pub fairness: FairWord,
    /// Whether anything else is asked.
    pub alone: bool,
}

/// How a search is made, whatever the language of the model.
pub struct Manner {
    /// How symmetry is used.
    pub reduce: Strategy,
    /// Whether the states without reduction are counted.
    pub count_full: bool,
    /// Whether symmetry is checked on every state.
    pub audit: bool,
    /// Whether the search is made again without symmetry, and compared.
    pub self_check: bool,
    /// In which order.
    pub order: Order,
    /// At which error to stop.
    pub stop_after: Option<u64>,
    /// How much memory may be used for states.
    pub memory_bytes_max: Option<u64>,
    /// How long it may take.
    pub time_max: Option<Duration>,
    /// How deep it may go.
    pub depth_max: Option<u64>,
    /// Whether statements that were never reached are listed.
    pub unreached: Listing,
    /// Whether progress is shown.
    pub progress: Listing,
    /// Whether everything that is known of the symmetry is told.
    pub details: Listing,
}

/// Whether something is listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Listing {
    /// It is.
    Shown,
    /// It is not.
    Hidden,
}

/// The plan, or `None` if `found` says why not.
pub fn plan(
    flags: CheckFlags,
    json: bool,
    sources: &mut Sources,
    found: &mut Diagnostics,
) -> Option<CheckPlan> {
    let before = found.n_errors();
    let language = flags.model.language();
    refuse_later(&flags.later, found);
    refuse_pan(&flags, found);
    let manner = manner(&flags, json, found);
    refuse_detection(&flags, manner.reduce, found);
    match language {
        Language::B => refuse_promela(&flags, found),
        Language::Cspm => script::refuse(&flags, found),
        Language::Promela => refuse_machine(&flags, found),
    }
    if language != Language::Cspm {
        refuse_script(&flags, found);
    }
    if found.n_errors() > before {
        return None;
    }
    match language {
        Language::B => return machine::plan(flags, manner, sources, found),
        Language::Cspm => return script::plan(flags, manner, sources, found),
        Language::Promela => {}
    }
    if flags.parse_only {
        let read = model::read(&flags.model, sources, found)?;
        return Some(CheckPlan::Parse(Box::new(read)));
    }
    if let Some(formula) = &flags.ctl {
        let asked = ctl::read(formula, &flags, sources, found)?;
        return with(flags, asked.0, Some(asked.1), (manner, sources, found));
    }
    let read = match added(&flags) {
        None => model::read(&flags.model, sources, found)?,
        Some((name, lines)) => {
            model::read_with(&flags.model, Some((name, &lines)), sources, found)?
        }
    };
    let mut model = model::compile(read, Rules::of(&flags.model), sources, found)?;
    ask(&flags, &mut model, found);
    if found.n_errors() > before {
        return None;
    }
    with(flags, model, None, (manner, sources, found))
}

/// The search of a model, for what is asked of it.
fn with(
    flags: CheckFlags,
    model: RunModel,
    ctl: Option<CtlPlan>,
    (manner, sources, found): (Manner, &mut Sources, &mut Diagnostics),
) -> Option<CheckPlan> {
    let temporal = match &ctl {
        None => temporal(&flags, &model, found)?,
        Some(_) => Temporal {
            asked: Vec::new(),
            fairness: FairWord::None,
            alone: true,
        },
    };
    if temporal.alone {
        refuse_alone(&flags, found)?;
    }
    let (deadlocks, assertions) = match temporal.alone {
        true => (Attention::Ignored, Attention::Ignored),
        false => attention(&flags, found)?,
    };
    let asked = (flags.seed, manner.time_max);
    let detect = detect::plan(&flags.detect, asked, &model.machine, sources, found)?;
    Some(CheckPlan::Search(Box::new(SearchPlan {
        model,
        manner,
        detect,
        deadlocks,
        assertions,
        temporal,
        ctl,
        trail: flags.trail,
    })))
}

/// What the command line asks of infinite runs, as a text, and the flag that it comes from.
fn added(flags: &CheckFlags) -> Option<(&'static str, String)> {
    let formula = flags.ltl.as_ref()?;
    Some(("--ltl", format!("ltl {COMMAND_LINE} {{ {formula} }}")))
}

/// What the formula of the command line is called.
const COMMAND_LINE: &str = "command_line";

/// Adds what `-l` and `-a` ask of infinite runs.
fn ask(flags: &CheckFlags, model: &mut RunModel, found: &mut Diagnostics) {
    let pan = &flags.pan;
    if pan.progress_cycles && (pan.acceptance_cycles || flags.ltl.is_some()) {
        let message = "`-l` looks for cycles without progress alone";
        let note = "leave out `-a` or `--ltl`, or check one after the other";
        found.push(Diagnostic::unlocated(message).note(note));
    } else if pan.progress_cycles {
        model.ask(Kind::Progress);
    } else if pan.acceptance_cycles && model.accepts() {
        model.ask(Kind::Acceptance);
    } else if pan.acceptance_cycles && model.properties.is_empty() {
        let message = "`-a` looks for cycles through accept labels, and there are none";
        let note = "nor are there formulas or claims, so that nothing is asked of infinite runs";
        found.push(Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::unlocated(message).note(note)
        });
    }
}

/// How the search is to be made.
fn manner(flags: &CheckFlags, json: bool, found: &mut Diagnostics) -> Manner {
    let reduce = match (flags.model.language(), &flags.reduce) {
        // Pairs of states of processes have strategies of their own.
        (Language::Cspm, Some(_)) => Strategy::Canonical,
        _ => strategy(flags, found),
    };
    let memory = limit(
        "--memory",
        "512M or 4G",
        &flags.memory,
        amounts::bytes,
        found,
    );
    let hidden = |yes: bool| if yes { Listing::Hidden } else { Listing::Shown };
    Manner {
        reduce,
        count_full: flags.count_full,
        audit: flags.audit,
        self_check: flags.self_check,
        order: match flags.search {
            SearchWord::Bfs => Order::Breadth,
            SearchWord::Dfs => Order::Depth,
            SearchWord::Mixed => Order::Mixed {
                seed: flags.seed.unwrap_or(0),
            },
        },
        stop_after: match (flags.all_errors, flags.stop_after) {
            (true, _) | (_, Some(0)) => None,
            (_, n) => Some(n.unwrap_or(1)),
        },
        memory_bytes_max: memory.or_else(amounts::free_memory),
        time_max: time(&flags.time, found),
        depth_max: flags.depth,
        unreached: hidden(flags.quiet || flags.no_unreached),
        progress: hidden(flags.quiet),
        details: hidden(!json),
    }
}

/// Refuses what is about B machines, of another model.
fn refuse_machine(flags: &CheckFlags, found: &mut Diagnostics) {
    for flag in flags.machine.given() {
        let message = format!("`{flag}` is for B machines, whose files end in .mch or .ref");
        found.push(Diagnostic::unlocated(message));
    }
}

/// Refuses what is about CSPM scripts, of another model.
fn refuse_script(flags: &CheckFlags, found: &mut Diagnostics) {
    for flag in flags.script.given() {
        let message = format!("`{flag}` is for CSPM scripts, whose files end in .csp or .cspm");
        found.push(Diagnostic::unlocated(message));
    }
}

/// Refuses what is about Promela, of a B machine.
fn refuse_promela(flags: &CheckFlags, found: &mut Diagnostics) {
    let given = [
        ("-D", !flags.model.define.is_empty()),
        ("-U", !flags.model.undefine.is_empty()),
        ("--plain", flags.model.plain),
        ("--spin-compat", flags.model.spin_compat),
        ("--detect", flags.detect.detect.is_some()),
        ("--conjugates", flags.detect.conjugates.is_some()),
        ("-l", flags.pan.progress_cycles),
        ("-a", flags.pan.acceptance_cycles),
    ];
    let fair = flags.fair != FairWord::None || flags.pan.weak_fairness;
    if fair {
        let message = "`--fair` is about processes, and a B machine has none";
        let note = "`WF(op)` and `SF(op)` in a formula ask for fairness to an operation";
        found.push(Diagnostic::unlocated(message).note(note));
    }
    machine::refuse(&given, found);
}

/// What is asked of infinite runs: all that the model has, or the one that was named.
fn temporal(flags: &CheckFlags, model: &RunModel, found: &mut Diagnostics) -> Option<Temporal> {
    let fairness = match (flags.fair, flags.pan.weak_fairness) {
        (FairWord::None, true) => FairWord::Weak,
        (word, _) => word,
    };
    let all = 0..model.properties.len();
    let asked = |asked: Vec<usize>, alone| {
        Some(Temporal {
            asked,
            fairness,
            alone,
        })
    };
    let named = flags.property.as_ref().or(flags.pan.claim.as_ref());
    let Some(word) = named else {
        let only = flags.ltl.is_some() || flags.pan.progress_cycles;
        let is_asked = |n: &usize| {
            let property = &model.properties[*n];
            let named = property.kind == Kind::Ltl && property.name == COMMAND_LINE;
            !only || named || matches!(property.kind, Kind::Progress | Kind::Acceptance)
        };
        return asked(all.filter(is_asked).collect(), only);
    };
    if ["1", "2", "3", "deadlock", "assertions", "faults"].contains(&&**word) {
        return asked(Vec::new(), false);
    }
    let number = word.parse::<usize>().ok();
    let number = number.and_then(|n| n.checked_sub(N_SEARCHED + 1));
    let families = model.families(&all.collect::<Vec<usize>>());
    let is = |(n, family): &(usize, &Vec<usize>)| {
        Some(*n) == number || model.properties[family[0]].name == *word
    };
    let Some((_, family)) = families.iter().enumerate().find(is) else {
        found.push(unknown_property(word, model));
        return None;
    };
    asked(family.clone(), true)
}

/// Refuses what is about the search for errors, where there is none; `None` if something was.
pub(super) fn refuse_alone(flags: &CheckFlags, found: &mut Diagnostics) -> Option<()> {
    let before = found.n_errors();
    for (flag, given) in [
        ("--audit", flags.audit),
        ("--count-full", flags.count_full),
        ("--self-check", flags.self_check),
        ("--refines", flags.machine.refines.is_some()),
        ("--goal", flags.machine.goal.is_some()),
    ] {
        if given {
            let message = format!("`{flag}` is about the search for errors");
            let note = "nothing but a property of infinite runs is asked for";
            found.push(Diagnostic::unlocated(message).note(note));
        }
    }
    (found.n_errors() == before).then_some(())
}

/// What is done about deadlocks and assertions.
fn attention(flags: &CheckFlags, found: &mut Diagnostics) -> Option<(Attention, Attention)> {
    let unless = |ignored: bool| match ignored {
        true => Attention::Ignored,
        false => Attention::Reported,
    };
    let (deadlock, assertions) = match flags.property.as_deref() {
        Some("1" | "deadlock") if !flags.no_deadlock => (unless(false), unless(true)),
        Some("2" | "assertions") if !flags.no_assertions => (unless(true), unless(false)),
        Some("3" | "faults") => (unless(true), unless(true)),
        Some(word @ ("1" | "deadlock" | "2" | "assertions")) => {
            let message = format!("`--property {word}` and the flag that ignores it");
            found.push(Diagnostic::unlocated(message + " do not go together"));
            return None;
        }
        _ => (unless(flags.no_deadlock), unless(flags.no_assertions)),
    };
    Some((deadlock, assertions))
}

/// How many properties every search checks; the others are numbered after them.
const N_SEARCHED: usize = 3;

fn unknown_property(word: &str, model: &RunModel) -> Diagnostic {
    let mut names = ["1 deadlock", "2 assertions", "3 faults"]
        .map(str::to_owned)
        .to_vec();
    let all: Vec<usize> = (0..model.properties.len()).collect();
    let families = model.families(&all);
    let others = families.iter().enumerate();
    let others = others.map(|(n, family)| (n, &model.properties[family[0]].name));
    names.extend(others.map(|(n, other)| format!("{} {other}", n + N_SEARCHED + 1)));
    Diagnostic::unlocated(format!("there is no property {}", quote(word)))
        .note(format!("there are: {}", names.join(", ")))
}

fn not_yet(flag: &str, what: &str) -> Diagnostic {
    Diagnostic::unlocated(format!("`{flag}` is not there yet")).note(what.to_owned())
}

/// Refuses what is still to come.
fn refuse_later(later: &LaterFlags, found: &mut Diagnostics) {
    let one_run = "a search runs in memory, from its start to its end, on one thread";
    let flags = [
        ("--por", later.por, "every interleaving is explored"),
        ("--threads", later.threads.is_some_and(|n| n != 1), one_run),
        ("--disk", later.disk.is_some(), one_run),
        ("--checkpoint", later.checkpoint.is_some(), one_run),
        ("--resume", later.resume.is_some(), one_run),
        (
            "--html",
            later.html.is_some(),
            "`--json` gives the answer as data",
        ),
    ];
    for (flag, given, what) in flags {
        if given {
            found.push(not_yet(flag, what));
        }
    }
}

/// Refuses what `pan` does and we do not, or do otherwise.
fn refuse_pan(flags: &CheckFlags, found: &mut Diagnostics) {
    let pan: &PanFlags = &flags.pan;
    if pan.hash_bits.is_some() {
        let message = "`-w` is not needed: the table of states grows by itself";
        found.push(Diagnostic::unlocated(message).note("`--memory SIZE` says how far"));
    }
    if pan.empty_channels {
        let message = "`-q` is not there: end states may have messages in channels";
        found.push(Diagnostic::unlocated(message));
    }
    if pan.shortest && flags.search != SearchWord::Bfs {
        let message = format!(
            "`-i` asks for a shortest error run, which `--search {}` does not give",
            search_word(flags.search)
        );
        found.push(
            Diagnostic::unlocated(message).note("a search by breadth gives it: `--search bfs`"),
        );
    }
}

/// Refuses what cannot be looked for, or is looked for in vain.
fn refuse_detection(flags: &CheckFlags, reduce: Strategy, found: &mut Diagnostics) {
    if flags.detect.detect.as_deref() == Some("kripke") {
        let message = "`--detect kripke` looks at all states, so nothing would be saved";
        found
            .push(Diagnostic::unlocated(message).note("`orbit symmetry --detect kripke` shows it"));
    }
    if reduce == Strategy::None && flags.detect.detect.is_some() {
        let message = "`--detect` and a search without symmetry do not go together";
        found.push(Diagnostic::unlocated(message));
    }
}

/// The order of a search, as it is typed.
fn search_word(word: SearchWord) -> &'static str {
    match word {
        SearchWord::Bfs => "bfs",
        SearchWord::Dfs => "dfs",
        SearchWord::Mixed => "mixed",
    }
}

/// How symmetry is to be used.
fn strategy(flags: &CheckFlags, found: &mut Diagnostics) -> Strategy {
    let Some(name) = &flags.reduce else {
        return match flags.no_symmetry {
            true => Strategy::None,
            false => Strategy::Canonical,
        };
    };
    let Ok(strategy) = name.parse::<Strategy>() else {
        let message = format!("there is no strategy {}", quote(name));
        let names = Strategy::ALL.map(Strategy::name).join(", ");
        found.push(Diagnostic::unlocated(message).note(format!("there are: {names}")));
        return Strategy::None;
    };
    if flags.count_full && strategy.guarantee() != Guarantee::Exact {
        let message = format!("`--reduce {strategy}` does not go with `--count-full`");
        found.push(Diagnostic::unlocated(message).note(
            "the sizes of orbits give the full count only where each orbit has exactly one state",
        ));
    }
    if strategy.needs_breadth() && flags.search != SearchWord::Bfs {
        let word = search_word(flags.search);
        let message = format!("`--reduce {strategy}` does not go with `--search {word}`");
        found.push(Diagnostic::unlocated(message).note(
            "states that are not alike may stand for each other, and only by breadth is the path \
             to an error a run of the model",
        ));
    }
    strategy
}
