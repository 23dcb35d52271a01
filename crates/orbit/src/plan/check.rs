//! The meaning of `orbit check`.

use super::ctl::{self, CtlPlan};
use super::detect::{self, Detect};
use super::machine::{self, MachinePlan, ReadMachine};
use super::program::{self, ReadModel, Rules, RunModel};
use super::script::{self, ReadScript, ScriptPlan};
use super::{limit, time};
use crate::flags::{CheckFlags, FairWord, Language, LaterFlags, SearchWord};
use crate::trail::Target;
use crate::{amounts, watchdog};
use base::{Clock, Diagnostic, Diagnostics, Label, Severity, Sources, Span, quote};
use check::{Attention, Order};
use model::processes::property::{Kind, Property};
use reduce::reducer::Guarantee;
use report::Unchecked;
use std::time::Duration;
use strategies::Strategy;

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
    pub trail: Option<Target>,
    /// What is asked of infinite runs.
    pub temporal: Temporal,
    /// What is asked of branching time.
    pub ctl: Option<CtlPlan>,
    /// What the user switched off.
    pub switched_off: Vec<Unchecked>,
}

/// What is asked of infinite runs.
pub struct Temporal {
    /// Which of the properties of the model, by number.
    pub asked: Vec<usize>,
    /// Which runs count.
    pub fairness: FairWord,
    /// Whether nothing else is asked, so that there is no search for errors.
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
    /// When that is over, counted from the start of the command.
    pub clock: Clock<'static>,
    /// How deep it may go.
    pub depth_max: Option<u64>,
    /// Whether statements that were never reached are listed.
    pub unreached: Listing,
    /// Whether runs and values are shown in full.
    pub full: Listing,
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
    (language, json): (Language, bool),
    sources: &mut Sources,
    found: &mut Diagnostics,
) -> Option<CheckPlan> {
    let before = found.n_errors();
    refuse_later(&flags.later, found);
    refuse_pan(&flags, found);
    refuse_seed(&flags, found);
    let manner = manner(&flags, (language, json), found);
    refuse_detection(&flags, manner.reduce, found);
    if language == Language::Cspm {
        script::refuse(&flags, found);
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
        let read = program::read(&flags.model, sources, found)?;
        return Some(CheckPlan::Parse(Box::new(read)));
    }
    let (mut model, ctl) = match &flags.ctl {
        Some(formula) => {
            let (model, asked) = ctl::read(formula, &flags, sources, found)?;
            (model, Some(asked))
        }
        None => (of_flags(&flags, sources, found)?, None),
    };
    ask(&flags, &mut model, found);
    if found.n_errors() > before {
        return None;
    }
    with(flags, model, ctl, (manner, sources, found))
}

/// The model with the formula of linear time that was typed, if one was. What is wrong with the
/// formula is told at its place in what was typed.
fn of_flags(
    flags: &CheckFlags,
    sources: &mut Sources,
    found: &mut Diagnostics,
) -> Option<RunModel> {
    let rules = Rules::of(&flags.model);
    let Some(formula) = &flags.ltl else {
        let read = program::read(&flags.model, sources, found)?;
        return program::compile(read, rules, sources, found);
    };
    let typed = sources.add("--ltl", formula);
    let head = format!("ltl {COMMAND_LINE} {{ ");
    let lines = format!("{head}{formula} }}");
    let mut inside = Diagnostics::new();
    let added = Some((ADDED, &*lines));
    let read = program::read_with(&flags.model, added, sources, &mut inside);
    let model = read.and_then(|read| program::compile(read, rules, sources, &mut inside));
    let place = |span: Span| {
        let text = sources.get(span.source).text();
        let from = text.len() - lines.len() - 1 + head.len();
        let inside = |at: u32| (at as usize).saturating_sub(from).min(formula.len());
        Span::new(typed, inside(span.start)..inside(span.end))
    };
    let all = inside.sorted().into_iter();
    found.extend(all.map(|told| {
        let mut told = program::moved(told, ADDED, sources, &place);
        let is_at_end = |label: &Label| {
            label.span.source == typed && label.span.start as usize >= formula.len()
        };
        if told.labels.first().is_some_and(is_at_end) {
            // The brace is ours.
            told.message = told.message.replace("not `}`", "and the formula ends");
        }
        told
    }));
    model
}

/// What the text is called in which the formula stands beside the model; nobody sees it.
const ADDED: &str = "--ltl, beside the model";

/// The search of a model, for what is asked of it.
fn with(
    flags: CheckFlags,
    model: RunModel,
    ctl: Option<CtlPlan>,
    (manner, sources, found): (Manner, &mut Sources, &mut Diagnostics),
) -> Option<CheckPlan> {
    refuse_beside(&flags, found)?;
    let temporal = temporal(&flags, &model, found)?;
    if temporal.alone {
        refuse_alone(&flags, found)?;
    }
    let (deadlocks, assertions) = if temporal.alone {
        (Attention::Ignored, Attention::Ignored)
    } else {
        attention(&flags, found)?
    };
    let switched_off = switched_off(&flags, &model, &temporal);
    let asked = (flags.seed, manner.clock);
    let detect = detect::plan(&flags.detect, asked, &model.machine, sources, found)?;
    let trail = target(&flags, found).ok()?;
    Some(CheckPlan::Search(Box::new(SearchPlan {
        model,
        manner,
        detect,
        deadlocks,
        assertions,
        temporal,
        ctl,
        switched_off,
        trail,
    })))
}

/// The file of `--trail`, if there is one; an error if `found` says why it cannot be written.
pub(super) fn target(flags: &CheckFlags, found: &mut Diagnostics) -> Result<Option<Target>, ()> {
    let Some(path) = &flags.trail else {
        return Ok(None);
    };
    let is_spins = path.extension().is_some_and(|ending| ending == "trail");
    if is_spins && flags.model.spin_compat {
        let message = "merged statements cannot be written in the form of SPIN's trails yet";
        found.push(
            Diagnostic::unlocated(message)
                .note("leave out `--spin-compat`, or choose a name that does not end in `.trail`"),
        );
        return Err(());
    }
    let target = Target::open(path, flags.model.file.as_deref(), found);
    target.map(Some).ok_or(())
}

/// What the formula of the command line is called.
pub const COMMAND_LINE: &str = "command_line";

/// Adds what `-l` and `-a` ask of infinite runs.
fn ask(flags: &CheckFlags, model: &mut RunModel, found: &mut Diagnostics) {
    let pan = &flags.pan;
    if pan.progress_cycles {
        model.ask(Kind::Progress);
    }
    if pan.acceptance_cycles && model.accepts() {
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
fn manner(
    flags: &CheckFlags,
    (language, json): (Language, bool),
    found: &mut Diagnostics,
) -> Manner {
    let reduce = match (language, &flags.reduce) {
        // Pairs of states of processes have strategies of their own.
        (Language::Cspm, Some(_)) => Strategy::Canonical,
        _ => strategy(flags, found),
    };
    let time_max = time(&flags.time, found);
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
        time_max,
        clock: watchdog::clock(time_max),
        depth_max: flags.depth,
        unreached: hidden(flags.quiet || flags.no_unreached),
        full: hidden(!flags.full),
        progress: hidden(flags.quiet),
        details: hidden(!json),
    }
}

/// What is asked of infinite runs: all that the model has and all that was typed, unless `-p` asks
/// for one thing alone, or `-N` for one claim of the model.
fn temporal(flags: &CheckFlags, model: &RunModel, found: &mut Diagnostics) -> Option<Temporal> {
    let fairness = match (flags.fair, flags.pan.weak_fairness) {
        (FairWord::None, true) => FairWord::Weak,
        (word, _) => word,
    };
    let all = own_properties(model);
    let (asked, alone) = match (&flags.property, &flags.pan.claim) {
        (Some(word), _) if SEARCHED.contains(&&**word) => (Vec::new(), false),
        (Some(word), _) => (named(word, model, &all, found)?, true),
        (None, Some(word)) => {
            let named = named(word, model, &all, found)?;
            let is_asked = |n: &usize| named.contains(n) || is_typed(&model.properties[*n]);
            (all.into_iter().filter(is_asked).collect(), false)
        }
        (None, None) => (all, false),
    };
    if fairness != FairWord::None && asked.is_empty() {
        let message = "`--fair` is about infinite runs, and nothing is asked of them";
        let note = "`--ltl FORMULA`, `-l` or `-a` asks something; so do formulas of the model";
        found.push(Diagnostic::unlocated(message).note(note));
        return None;
    }
    Some(Temporal {
        asked,
        fairness,
        alone,
    })
}

/// What the search for errors answers, by number and name.
const SEARCHED: [&str; 6] = ["1", "2", "3", "deadlock", "assertions", "faults"];

/// The properties of infinite runs by number, without the atoms of a formula of branching time.
fn own_properties(model: &RunModel) -> Vec<usize> {
    let is_own = |n: &usize| !ctl::is_atom(&model.properties[*n]);
    (0..model.properties.len()).filter(is_own).collect()
}

/// Whether a property was asked for on the command line.
fn is_typed(property: &Property) -> bool {
    match property.kind {
        Kind::Ltl => property.name == COMMAND_LINE,
        Kind::Progress | Kind::Acceptance => true,
        Kind::Never => false,
    }
}

/// The properties that a name or number means.
fn named(
    word: &str,
    model: &RunModel,
    all: &[usize],
    found: &mut Diagnostics,
) -> Option<Vec<usize>> {
    let number = word.parse::<usize>().ok();
    let number = number.and_then(|n| n.checked_sub(N_SEARCHED + 1));
    let families = model.families(all);
    let is = |(n, family): &(usize, &Vec<usize>)| {
        Some(*n) == number || model.properties[family[0]].name == *word
    };
    let family = families.iter().enumerate().find(is);
    if family.is_none() {
        found.push(unknown_property(word, model));
    }
    family.map(|(_, family)| family.clone())
}

/// Refuses `-p`, which asks for one thing alone, beside what asks for another.
pub(super) fn refuse_beside(flags: &CheckFlags, found: &mut Diagnostics) -> Option<()> {
    let Some(word) = &flags.property else {
        return Some(());
    };
    let is_goal = ["goal", "4"].contains(&&**word);
    let others = [
        ("--ltl", flags.ltl.is_some()),
        ("-l", flags.pan.progress_cycles),
        ("-a", flags.pan.acceptance_cycles),
        ("-N", flags.pan.claim.is_some()),
        ("--goal", flags.machine.goal.is_some() && !is_goal),
    ];
    let before = found.n_errors();
    for (flag, _) in others.iter().filter(|(_, given)| *given) {
        let message = format!("`-p {word}` asks for that alone, and `{flag}` for something else");
        let note = format!("leave out `-p` to check `{flag}` beside everything, or leave out it");
        found.push(Diagnostic::unlocated(message).note(note));
    }
    (found.n_errors() == before).then_some(())
}

/// What the user switched off, each with the flag.
fn switched_off(flags: &CheckFlags, model: &RunModel, temporal: &Temporal) -> Vec<Unchecked> {
    let word = flags.property.as_deref();
    let mut off = Vec::new();
    let searched = [
        ("deadlock", "1", flags.no_deadlock, "`--no-deadlock`"),
        ("assertions", "2", flags.no_assertions, "`--no-assertions`"),
        ("faults", "3", false, ""),
    ];
    for (name, number, is_off, flag) in searched {
        let is_another = word.is_some_and(|word| word != name && word != number);
        // Run-time faults are seen in any search for errors.
        let is_another = is_another && (name != "faults" || temporal.alone);
        if is_off || is_another {
            off.push(off_by(name, name, if is_off { flag } else { "`-p`" }));
        }
    }
    for family in model.families(&own_properties(model)) {
        let property = &model.properties[family[0]];
        if !temporal.asked.contains(&family[0]) {
            let flag = if word.is_some() { "`-p`" } else { "`-N`" };
            off.push(off_by(&property.name, property.kind.word(), flag));
        }
    }
    off
}

/// A property that a flag switched off.
pub(super) fn off_by(name: &str, kind: &str, flag: &str) -> Unchecked {
    Unchecked {
        name: name.to_owned(),
        kind: kind.to_owned(),
        reason: format!("switched off by {flag}"),
    }
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
        ("--search", flags.search != SearchWord::Bfs),
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
    let unless = |ignored: bool| {
        if ignored {
            Attention::Ignored
        } else {
            Attention::Reported
        }
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
    let families = model.families(&own_properties(model));
    let others = families.iter().enumerate();
    let others = others.map(|(n, family)| (n, &model.properties[family[0]].name));
    names.extend(others.map(|(n, other)| format!("{} {other}", n + N_SEARCHED + 1)));
    Diagnostic::unlocated(format!("there is no property {}", quote(word)))
        .note(format!("there are: {}", names.join(", ")))
}

/// Refuses more threads than there are.
fn refuse_later(later: &LaterFlags, found: &mut Diagnostics) {
    if later.threads.is_some_and(|n| n != 1) {
        let message = "`--threads` is not there yet";
        let note = "a search runs on one thread; `--threads 1` says so";
        found.push(Diagnostic::unlocated(message).note(note));
    }
}

/// Refuses a seed for a search that draws nothing at random.
fn refuse_seed(flags: &CheckFlags, found: &mut Diagnostics) {
    let is_used = flags.search == SearchWord::Mixed || flags.detect.conjugates.is_some();
    if flags.seed.is_some() && !is_used {
        let message = "`--seed` needs `--search mixed` or `--conjugates`";
        found.push(Diagnostic::unlocated(message).note("nothing else is drawn at random"));
    }
}

/// Refuses what `pan` does and we do not, or do otherwise.
fn refuse_pan(flags: &CheckFlags, found: &mut Diagnostics) {
    if flags.pan.shortest && flags.search != SearchWord::Bfs {
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
        return if flags.no_symmetry {
            Strategy::None
        } else {
            Strategy::Canonical
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
    // A state that was met too deep is known to the strategy and not stored.
    let is_run = match flags.search {
        SearchWord::Bfs => true,
        SearchWord::Mixed => flags.depth.is_none(),
        SearchWord::Dfs => false,
    };
    if strategy.needs_breadth() && !is_run {
        let word = search_word(flags.search);
        let limit = if flags.depth.is_some() {
            " and a limit of depth"
        } else {
            ""
        };
        let message = format!("`--reduce {strategy}` does not go with `--search {word}`{limit}");
        found.push(Diagnostic::unlocated(message).note(
            "different states may have one representative, and then the path to an error need not \
             be a run of the model; by breadth it is one",
        ));
    }
    strategy
}
