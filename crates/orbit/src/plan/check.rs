//! The meaning of `orbit check`.

use super::model;
use super::{limit, time};
use crate::flags::{
    CheckFlags, FairWord, ModelFlags, ReadingFlag, ScriptFlags, SearchWord, SimulateFlags,
};
use crate::itf_cmd::{self, ItfPlan};
use crate::{amounts, strategies_cmd, watchdog};
use ::model::frontend::{Frontend, Model, Options, Preconditions, Reading, States, Steps};
use ::model::network::Bisimulation;
use base::{Diagnostic, Diagnostics, Sources};
use check::{Attention, Begin, Chance, Order, Threads};
use driver::ask::{self, Words};
use driver::detect::{self, Detect};
use driver::plan::{Asked, CheckPlan as Searched, Fairness, Listing, SearchOptions};
use driver::trail::{TRAIL, Target};
use reduce::network::Algorithm;
use reduce::reducer::Guarantee;
use reduce::strategy::{Adaptive, Strategy as _};
use std::path::Path;
use std::time::Duration;
use strategies::{Seeded, Strategy};

/// How large the stack of a thread is where that of the command is not known.
const THREAD_STACK_BYTES: usize = 32 << 20;

/// What to check.
pub enum CheckPlan {
    /// Only whether the text is right.
    Parse(Box<ParsedModel>),
    /// The model.
    Search(Box<Searched>),
}

/// A text that is right.
pub struct ParsedModel {
    /// What programs are told of it.
    pub about: report::Model,
    /// How many there are of each kind of part.
    pub parts: Vec<(&'static str, usize)>,
}

/// The plan, or `None` if `found` says why not.
pub fn plan(
    flags: CheckFlags,
    language: &'static dyn Frontend,
    json: bool,
    sources: &mut Sources,
    found: &mut Diagnostics,
) -> Option<CheckPlan> {
    let before = found.n_errors();
    refuse_threads(&flags, found);
    refuse_pan(&flags, found);
    refuse_seed(&flags, found);
    refuse_share(&flags, found);
    let (how, strategy) = search_options(&flags, language, json, found);
    refuse_detection(&flags, strategy, found);
    refuse_threads_for(&flags, strategy, found);
    refuse_branching(&flags, found);
    refuse_no_states(&flags.script, found);
    if found.n_errors() > before {
        return None;
    }
    let options = Options {
        memory_bytes_max: how.memory_bytes_max,
        ..options(&flags)
    };
    let request = model::request(&flags.model, &options, how.clock, found)?;
    let loaded = driver::load::load(&request, language, sources, found)?;
    if flags.parse_only {
        let about = report::Model {
            defines: options.defines.clone(),
            ..report::Model::new(&loaded.path, language.language())
        };
        let parts = loaded.model.parts();
        return Some(CheckPlan::Parse(Box::new(ParsedModel { about, parts })));
    }
    if found.n_errors() > before {
        return None;
    }
    refuse_beside(&flags, found)?;
    let fairness = fairness(&flags);
    let words = Words {
        property: flags.property.as_deref(),
        claim: flags.pan.claim.as_deref(),
        no_deadlock: flags.no_deadlock,
        no_assertions: flags.no_assertions,
        no_invariant: flags.machine.no_invariant,
        fairness,
    };
    let asked = ask::asked(&words, &*loaded.model, found)?;
    if asked.alone {
        refuse_alone(&flags, found)?;
    }
    if how.strategy.is_partial() {
        refuse_adaptive_questions(&asked, found)?;
    }
    let detect = detection(&flags, &how, &*loaded.model, sources, found)?;
    Some(CheckPlan::Search(Box::new(Searched {
        model: loaded.model,
        load: loaded.load,
        how,
        detect,
        asked,
        fairness,
        trail: target(&flags, found).ok()?,
    })))
}

/// What the flags say of the model.
fn options(flags: &CheckFlags) -> Options {
    let (machine, sizes) = (&flags.machine, &flags.machine.sizes);
    Options {
        reading: if flags.parse_only {
            Reading::Only
        } else {
            Reading::Check
        },
        linear: flags.ltl.clone(),
        branching: flags.ctl.clone(),
        progress_cycles: flags.pan.progress_cycles,
        acceptance_cycles: flags.pan.acceptance_cycles,
        goal: machine.goal.clone(),
        within_limits: machine.machine_limits,
        refines: machine.refines.map(|reading| match reading {
            ReadingFlag::Guards => Preconditions::Guards,
            ReadingFlag::Classical => Preconditions::Classical,
        }),
        component_states_max: flags.script.leaf_states,
        components_up_to: up_to(&flags.script),
        steps: match (flags.no_native, flags.check_native) {
            (true, _) => Steps::Interpreted,
            (_, true) => Steps::Compared,
            _ => Steps::Compiled,
        },
        ..model::options(&flags.model, sizes)
    }
}

/// Up to what components are the same.
pub(super) fn up_to(flags: &ScriptFlags) -> Bisimulation {
    if flags.weak_leaves {
        Bisimulation::Weak
    } else {
        Bisimulation::Strong
    }
}

/// Refuses components without states.
pub(super) fn refuse_no_states(flags: &ScriptFlags, found: &mut Diagnostics) {
    if flags.leaf_states == Some(0) {
        let message = "`--leaf-states` is 0, and every process has a state";
        found.push(Diagnostic::unlocated(message));
    }
}

/// How representatives of pairs of states of processes are chosen.
fn pairs(
    flags: &CheckFlags,
    language: &'static dyn Frontend,
    found: &mut Diagnostics,
) -> Algorithm {
    if language.states() != States::Pairs {
        return Algorithm::Exact;
    }
    match flags.reduce.as_deref() {
        None if flags.no_symmetry => Algorithm::Check,
        None | Some("canonical") => Algorithm::Exact,
        Some(name) => Algorithm::named(name).unwrap_or_else(|| {
            found.push(strategies_cmd::unknown(name, language));
            Algorithm::Check
        }),
    }
}

/// Which runs count.
fn fairness(flags: &CheckFlags) -> Fairness {
    match (flags.fair, flags.pan.weak_fairness) {
        (FairWord::None, true) | (FairWord::Weak, _) => Fairness::Weak,
        (FairWord::Strong, _) => Fairness::Strong,
        (FairWord::None, false) => Fairness::None,
    }
}

/// Where symmetry is looked for.
fn detection(
    flags: &CheckFlags,
    how: &SearchOptions,
    model: &dyn Model,
    sources: &mut Sources,
    found: &mut Diagnostics,
) -> Option<Detect> {
    let words = detect::Words {
        place: flags.detect.detect.as_deref(),
        n_conjugates: flags.detect.conjugates,
        seed: flags.seed,
        clock: how.clock,
        listener: super::symmetry::coset_listener(),
    };
    detect::plan_of(&words, model, sources, found)
}

/// What is done where `--trail` names a log in the Informal Trace Format: the run is recorded in
/// our own form beside it first. `None` if `found` says why that cannot be.
pub(super) fn itf(
    flags: &mut CheckFlags,
    language: &'static dyn Frontend,
    found: &mut Diagnostics,
) -> Option<Option<ItfPlan>> {
    let Some(path) = flags.trail.clone().filter(|path| itf_cmd::is_wanted(path)) else {
        return Some(None);
    };
    if flags.model.file.as_deref() == Some(Path::new("-")) {
        let message = "a model from standard input cannot be read again for a log";
        found.push(Diagnostic::unlocated(message).note("save it, and name the file"));
        return None;
    }
    let target = Target::open(&itf_cmd::ITF, &path, flags.model.file.as_deref(), found)?;
    let name = format!("orbit-{}.run", std::process::id());
    let recorded = std::env::temp_dir().join(name);
    flags.trail = Some(recorded.clone());
    flags.trail_shown = Some(path);
    let replay = SimulateFlags {
        replay: Some(recorded.clone()),
        // Rules and numbers are those that the run says.
        model: ModelFlags {
            plain: false,
            ..flags.model.clone()
        },
        sizes: flags.machine.sizes.clone(),
        ..SimulateFlags::default()
    };
    Some(Some(ItfPlan {
        target,
        recorded,
        replay,
        language,
    }))
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
    let target = Target::open(&TRAIL, path, flags.model.file.as_deref(), found);
    let shown = flags.trail_shown.as_deref().unwrap_or(path);
    target.map(|target| Some(target.called(shown))).ok_or(())
}

/// How the search is to be made, and by which strategy.
fn search_options(
    flags: &CheckFlags,
    language: &'static dyn Frontend,
    json: bool,
    found: &mut Diagnostics,
) -> (SearchOptions, Strategy) {
    // Pairs of states of processes have strategies of their own.
    let strategy = if language.states() == States::Pairs && flags.reduce.is_some() {
        Strategy::Canonical
    } else {
        strategy(flags, language, found)
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
    let options = SearchOptions {
        strategy: used(flags, strategy),
        pairs: pairs(flags, language, found),
        count_full: flags.count_full,
        audit: flags.audit,
        self_check: flags.self_check,
        order: match flags.search {
            SearchWord::Bfs => Order::Breadth,
            SearchWord::Dfs => Order::Depth,
            SearchWord::Mixed => Order::Mixed {
                seed: flags.seed.unwrap_or(0),
                to_front: flags
                    .to_front
                    .map_or(Chance::THIRD, |n| Chance::percent(n.min(100))),
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
        threads: threads(flags),
        unreached: hidden(flags.quiet || flags.no_unreached),
        full: hidden(!flags.full),
        progress: hidden(flags.quiet),
        line_every: line_every(flags, found),
        // A page shows all that programs get.
        details: hidden(!json && flags.html.is_none()),
    };
    (options, strategy)
}

/// How often a line of progress is printed off a terminal, if nobody says it.
const LINE_EVERY: Duration = Duration::from_secs(30);

/// How often a line of progress is printed off a terminal.
fn line_every(flags: &CheckFlags, found: &mut Diagnostics) -> Option<Duration> {
    match flags.progress.as_deref() {
        _ if flags.quiet => None,
        None => Some(LINE_EVERY),
        Some("off") => None,
        Some(_) => limit(
            "--progress",
            "5s, 1m or off",
            &flags.progress,
            amounts::time,
            found,
        ),
    }
}

/// What chooses, as a search asks for it.
fn used(flags: &CheckFlags, strategy: Strategy) -> &'static dyn reduce::strategy::Strategy {
    match flags.seed {
        _ if is_adaptive(flags) => &Adaptive,
        // One for the life of the program, as the others are.
        Some(seed) if strategy.uses_seed() => Box::leak(Box::new(Seeded { strategy, seed })),
        _ => strategy.as_static(),
    }
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

/// Refuses what does not go with branching time.
fn refuse_branching(flags: &CheckFlags, found: &mut Diagnostics) {
    if flags.model.spin_compat && flags.ctl.is_some() {
        let why = "SPIN joins statements, and so makes choices earlier than they are written";
        let message = "`--spin-compat` does not go with `--ctl`";
        found.push(Diagnostic::unlocated(message).note(why));
    }
}

/// Refuses several threads for a search that has one.
fn refuse_threads(flags: &CheckFlags, found: &mut Diagnostics) {
    let Some(n) = flags.threads else {
        return;
    };
    if n == 0 {
        let message = "`--threads` is 0, and a search has one at least";
        found.push(Diagnostic::unlocated(message));
    }
    if n > 1 && flags.search != SearchWord::Bfs {
        let message = "several threads search by breadth only";
        let note = "leave out `--search`, or say `--threads 1`";
        found.push(Diagnostic::unlocated(message).note(note));
    }
}

/// Refuses several threads for a strategy whose choices depend on the order of states.
fn refuse_threads_for(flags: &CheckFlags, strategy: Strategy, found: &mut Diagnostics) {
    let is_for_one = strategy != Strategy::Canonical && strategy != Strategy::None;
    if flags.threads.is_some_and(|n| n > 1) && (is_for_one || is_adaptive(flags)) {
        let message = "`--reduce` with this strategy searches with one thread";
        let note = "several threads choose representatives by `canonical`, the default, or `none`";
        found.push(Diagnostic::unlocated(message).note(note));
    }
}

/// The threads of a search: as many as are asked for, or as there are cores.
fn threads(flags: &CheckFlags) -> Threads {
    let n_cores = || std::thread::available_parallelism().map_or(1, usize::from);
    Threads {
        n: flags.threads.unwrap_or_else(n_cores),
        stack_bytes: watchdog::stack_bytes().max(THREAD_STACK_BYTES),
        begin: Begin::WhenWorthWhile,
    }
}

/// Refuses a seed for a search that draws nothing at random.
fn refuse_seed(flags: &CheckFlags, found: &mut Diagnostics) {
    let reduce = flags.reduce.as_deref().unwrap_or_default();
    let draws = reduce.parse().is_ok_and(Strategy::uses_seed);
    let is_used = flags.search == SearchWord::Mixed || flags.detect.conjugates.is_some() || draws;
    if flags.seed.is_some() && !is_used {
        let message = "`--seed` needs `--search mixed`, `--conjugates`, or `--reduce` with a \
                       strategy that draws at random";
        found.push(Diagnostic::unlocated(message).note("nothing else is drawn at random"));
    }
}

/// Refuses a share of new states for a search that has no queue with two ends.
fn refuse_share(flags: &CheckFlags, found: &mut Diagnostics) {
    match flags.to_front {
        Some(n) if n > 100 => {
            let message = format!("`--to-front {n}` is no share in a hundred");
            found.push(Diagnostic::unlocated(message));
        }
        Some(_) if flags.search != SearchWord::Mixed => {
            let message = "`--to-front` needs `--search mixed`";
            found.push(Diagnostic::unlocated(message));
        }
        _ => {}
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

/// Whether steps that break the symmetry are to be left aside until they are taken.
fn is_adaptive(flags: &CheckFlags) -> bool {
    flags.reduce.as_deref() == Some(Adaptive.name())
}

/// Refuses what annotated states cannot answer.
fn refuse_adaptive(flags: &CheckFlags, found: &mut Diagnostics) {
    let instead = "`--reduce canonical`, the default, goes with it";
    let search = format!("--search {}", search_word(flags.search));
    let others = [
        (
            &*search,
            flags.search == SearchWord::Dfs,
            "use `--search bfs`, the default",
        ),
        ("--depth", flags.depth.is_some(), instead),
        ("--count-full", flags.count_full, instead),
        (
            "--audit",
            flags.audit,
            "`--self-check` searches again without symmetry",
        ),
        ("--detect", flags.detect.detect.is_some(), instead),
    ];
    for (flag, _, note) in others.iter().filter(|(_, given, _)| *given) {
        let message = format!("`--reduce adaptive` does not go with `{flag}`");
        found.push(Diagnostic::unlocated(message).note(*note));
    }
}

/// Refuses questions about runs and refinement beside annotated states.
fn refuse_adaptive_questions(asked: &Asked, found: &mut Diagnostics) -> Option<()> {
    let goals = asked.goals == Attention::Reported;
    if asked.formulas.is_empty() && !asked.refinement && !goals {
        return Some(());
    }
    let message = "`--reduce adaptive` answers questions about states only: assertions, faults and \
                   deadlocks";
    found.push(Diagnostic::unlocated(message).note(
        "formulas, claims and refinement go with `--reduce canonical`, the default; `-p safety` \
         asks for the rest alone",
    ));
    None
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
fn strategy(
    flags: &CheckFlags,
    language: &'static dyn Frontend,
    found: &mut Diagnostics,
) -> Strategy {
    let Some(name) = &flags.reduce else {
        return if flags.no_symmetry {
            Strategy::None
        } else {
            Strategy::Canonical
        };
    };
    if is_adaptive(flags) {
        refuse_adaptive(flags, found);
        return Strategy::Canonical;
    }
    let Ok(strategy) = name.parse::<Strategy>() else {
        found.push(strategies_cmd::unknown(name, language));
        return Strategy::None;
    };
    if flags.count_full && strategy.guarantee() == Guarantee::Lossy {
        let message = format!("`--reduce {strategy}` does not go with `--count-full`");
        found.push(
            Diagnostic::unlocated(message)
                .note("the sizes of orbits give the full count only where each orbit has a state"),
        );
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
