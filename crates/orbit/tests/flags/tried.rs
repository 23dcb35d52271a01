//! Every flag of every command is tried on a tiny model of every language: it is refused with its
//! name and advice, or it changes the answer. A flag that changes nothing is one that is ignored,
//! unless a reason is given here why it cannot be seen to work.

use super::super::{Flags, TypedFlags};
use super::{FlagUse, as_typed, reading, rows};
use crate::languages;
use base::{Diagnostics, Sources};
use clap::{CommandFactory, FromArgMatches};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// How a flag is tried: the words with it, what stands in the line in both cases, and the model.
struct FlagProbe {
    with: &'static str,
    always: &'static str,
    model: &'static str,
}

/// Two processes, a false assertion, a deadlock, code that is never reached, a formula and a claim.
const PROMELA: &str = "
#ifndef N
#define N 2
#endif
byte x, turn; bool in[N];
active [N] proctype p() {
  in[_pid] = true; x++;
  assert(x < 2);
accept: if :: x == 7 -> skip :: else fi;
  x == 9
}
ltl small { [] (x < 7) }
ltl soon { <> (x == 1) }
";

/// Two processes that send to each other.
const LINKED: &str =
    "chan c[2] = [1] of {bit}; active [2] proctype p() { c[_pid]!1; c[1 - _pid]?1 }";

const LITE: &str = "
chan a = [1] of {int};
int n = 0;
proctype P(chan{int} in; int x) {
  do
  :: atomic { x < 2 && nfull(in) -> in!x; x = x + 1; n = n + 1 }
  :: atomic { x > 5 -> skip }
  od
}
init { atomic { run P(a, 0); run P(a, 0) } }
";

/// A run that is longer than what is shown of one.
const LONG: &str = "byte n; active proctype p() { do :: n < 250 -> n++ :: n == 250 -> break od; \
                    assert(false) }";

const B: &str = "
MACHINE Tiny SETS S
DEFINITIONS GOAL == v = S; SET_PREF_MAX_OPERATIONS == 1; ASSERT_LTL == \"F {v = S}\"
VARIABLES v, n INVARIANT v <: S & n : INT & n < 3
ASSERTIONS n < 2
INITIALISATION v := {} || n := 0
OPERATIONS
  add(s) = PRE s : S - v THEN v := v \\/ {s} END;
  up = PRE n < 5 THEN n := n + 1 END;
  any = ANY k WHERE k : INT & k < n THEN n := k END;
  never = PRE n > 9 THEN skip END
END";

const CSPM: &str = "
datatype Who = ann | bob
channel a, b : Who
P(x) = a.x -> b.x -> P(x)
Q = ||| x : Who @ P(x)
R = a?x -> STOP
assert Q [T= R
assert R [T= Q
assert R :[deadlock free]
";

/// Why nothing changes although the flag is honoured.
const UNSEEN: &[(&str, &str)] = &[
    (
        "simulate undefine promela",
        "nothing is defined before the text",
    ),
    (
        "simulate memory promela",
        "the watchdog keeps it, which ends the process",
    ),
    (
        "simulate memory b",
        "the watchdog keeps it, which ends the process",
    ),
    (
        "simulate memory cspm",
        "the watchdog keeps it, which ends the process",
    ),
    (
        "simulate quiet cspm",
        "it hides steps in text, and the probe looks at JSON",
    ),
    (
        "check undefine promela",
        "nothing is defined before the text",
    ),
    (
        "symmetry undefine promela",
        "nothing is defined before the text",
    ),
    (
        "check progress promela",
        "a search that takes no time has no progress",
    ),
    (
        "check progress b",
        "a search that takes no time has no progress",
    ),
    (
        "check progress cspm",
        "a search that takes no time has no progress",
    ),
    ("check depth cspm", "the probe is as deep as it needs to be"),
    ("check seed b", "the coin gives the same order"),
    ("check quiet cspm", "scripts list nothing that it hides"),
    (
        "check no_native promela",
        "so small a search is interpreted anyway",
    ),
    ("check full cspm", "nothing is long in the tiny script"),
    (
        "check conjugates promela",
        "so small a channel diagram has all symmetries at once",
    ),
    (
        "symmetry conjugates promela",
        "so small a channel diagram has all symmetries at once",
    ),
    (
        "symmetry seed promela",
        "so small a channel diagram has all symmetries at once",
    ),
    ("check shortest promela", "runs are shortest anyway"),
    ("check shortest b", "runs are shortest anyway"),
    ("check shortest cspm", "runs are shortest anyway"),
    (
        "check threads promela",
        "what is found does not depend on threads",
    ),
    (
        "check threads b",
        "what is found does not depend on threads",
    ),
    (
        "symmetry memory promela",
        "the watchdog keeps it, which ends the process",
    ),
    (
        "symmetry memory b",
        "the watchdog keeps it, which ends the process",
    ),
    (
        "symmetry memory cspm",
        "the watchdog keeps it, which ends the process",
    ),
    (
        "symmetry maxint b",
        "the symmetry of the tiny machine does not depend on numbers",
    ),
    (
        "symmetry minint b",
        "the symmetry of the tiny machine does not depend on numbers",
    ),
    ("simulate plain promela", "it is the default there"),
    (
        "view undefine promela",
        "nothing is defined before the text",
    ),
    (
        "view between promela",
        "all that happens in the tiny model leads to an error",
    ),
    (
        "view between b",
        "all that happens in the tiny machine leads to an error",
    ),
    (
        "view hide_self_loops cspm",
        "no event of the tiny script keeps what is enabled",
    ),
    (
        "view minimise promela",
        "the automaton of the tiny model is minimal",
    ),
    (
        "view minimise cspm",
        "the automaton of the tiny script is minimal",
    ),
    (
        "simulate quiet promela",
        "it hides steps in text, and the probe looks at JSON",
    ),
    (
        "simulate quiet b",
        "it hides steps in text, and the probe looks at JSON",
    ),
    (
        "simulate maxint b",
        "a run of few steps need not meet the largest number",
    ),
];

fn of(with: &'static str, always: &'static str, model: &'static str) -> Option<FlagProbe> {
    Some(FlagProbe {
        with,
        always,
        model,
    })
}

/// The model that flags are tried on in a language.
fn model_in(language: &str) -> &'static str {
    match language {
        "promela" => PROMELA,
        "promela-lite" => LITE,
        "b" => B,
        "cspm" => CSPM,
        _ => panic!("flags are not tried on {language}"),
    }
}

fn probe(command: &str, id: &str, language: &str) -> Option<FlagProbe> {
    let (b, csp) = (language == "b", language == "cspm");
    let model = model_in(language);
    let simple = |with| of(with, "", model);
    match (command, id) {
        (_, "define") => simple("-D N=3"),
        (_, "undefine") => simple("-U X"),
        (_, "include") => simple("-I included"),
        (_, "language") if csp => simple("--language cspm"),
        (_, "language") if b => simple("--language b"),
        (_, "language") if language == "promela-lite" => simple("--language promela-lite"),
        (_, "language") => simple("--language promela"),
        (_, "set_size") => simple("--set-size S=3"),
        (_, "default_set_size") => simple("--default-set-size 3"),
        (_, "leaf_states") => simple("--leaf-states 1"),
        (_, "weak_leaves") => simple("--weak-leaves"),
        ("simulate", "plain") => of("--plain", "--seed 1", model),
        ("check", "plain") => of("--plain", "--all-errors", model),
        (_, "plain") => simple("--plain"),
        ("simulate", "spin_compat") => of("--spin-compat", "--seed 2", model),
        ("check", "spin_compat") => of("--spin-compat", "--all-errors", model),
        (_, "spin_compat") => simple("--spin-compat"),
        ("simulate", "seed") => of("--seed 3", "", model),
        ("simulate", "steps") => of("-n 1", "--seed 1", model),
        ("simulate", "watch") if csp => of("--watch card({1..3})", "--seed 1 -n 2", model),
        ("simulate", "watch") if language == "promela-lite" => {
            of("--watch n+1", "--seed 1 -n 2", model)
        }
        ("simulate", "watch") if b => of("--watch n+1", "--seed 1 -n 2", model),
        ("simulate", "watch") => of("--watch x+1", "--seed 1 -n 2", model),
        ("simulate", "state") => of("--state", "--seed 1 -n 1", model),
        ("simulate", "quiet") => of("--quiet", "--seed 1 -n 2", model),
        ("simulate", "process") => of("--process Q", "--seed 1 -n 2", model),
        ("simulate", "trail") => of("--trail run.itf.json", "--seed 1 -n 2", model),
        ("simulate", "follow") => simple("--follow nothing.itf.json"),
        ("simulate", "runs") => of("--runs 2", "--seed 1 -n 1", model),
        ("simulate", "replay") => simple("--replay nothing.trail"),
        ("simulate", "interactive") => simple("-i"),
        ("simulate", "symmetry") => of("--symmetry", "--seed 1", model),
        (_, "time") => simple("--time 0s"),
        (_, "memory") => simple("--memory 1K"),
        ("symmetry", "seed") => of("--seed 1", "--detect channel-diagram --conjugates 1", model),
        ("simulate", "maxint") => of("--maxint 9", "--seed 1", model),
        ("simulate", "minint") => of("--minint -3", "--seed 1", model),
        ("symmetry", "maxint") => simple("--maxint 9"),
        ("symmetry", "minint") => simple("--minint -3"),
        ("symmetry", "assert") => simple("--assert 1"),
        ("symmetry", "suggest") => simple("--suggest"),
        ("symmetry", "drawings") if b || csp => simple("--drawings"),
        ("symmetry", "drawings") => of("--drawings", "", LINKED),
        ("symmetry", "diagram") => simple("--diagram drawn.svg"),
        ("simulate", "html") => of("--html page.html", "--seed 1", model),
        (_, "html") => simple("--html page.html"),
        ("check", "detect") if csp => simple("--detect no-such-file"),
        (_, "detect") => simple("--detect channel-diagram"),
        (_, "conjugates") => of("--conjugates 1", "--detect channel-diagram", model),
        ("check", id) => probe_of_check(id, language),
        ("view", id) => probe_of_view(id, language),
        _ => None,
    }
}

/// The same for the flags that only `check` has.
fn probe_of_check(id: &str, language: &str) -> Option<FlagProbe> {
    let (b, csp) = (language == "b", language == "cspm");
    let model = model_in(language);
    let simple = |with| of(with, "", model);
    match id {
        "parse_only" => simple("--parse-only"),
        "property" if csp => simple("-p 1"),
        "property" => simple("-p deadlock"),
        "no_deadlock" => simple("-E"),
        "no_assertions" => simple("-A"),
        "all_errors" => simple("-e"),
        "stop_after" => simple("-c 2"),
        "search" => of("--search dfs", "-e", model),
        "ltl" if b => simple("--ltl 'G {n < 9}'"),
        "ltl" => simple("--ltl '[] true'"),
        "ctl" if b => simple("--ctl 'AG {n < 9}'"),
        "ctl" => simple("--ctl 'AG true'"),
        "fair" => simple("--fair weak"),
        "depth" => of("-m 1", "-e", model),
        "trail" => simple("--trail run.json"),
        "seed" => of("--seed 5", "-e --search mixed", model),
        "to_front" => of("--to-front 90", "-e --search mixed", model),
        "no_unreached" => of("-n", "-e -A -E --no-invariant", B)
            .filter(|_| b)
            .or(of("-n", "-e -A -E", model)),
        "progress" => simple("--progress off"),
        "quiet" => of(
            "--quiet",
            if b { "-e --no-invariant" } else { "-e -A -E" },
            model,
        ),
        "full" if language == "promela" => of("--full", "", LONG),
        "full" => simple("--full"),
        "no_symmetry" => of("--no-symmetry", if csp { "" } else { "-e" }, model),
        "reduce" => of("--reduce none", if csp { "" } else { "-e" }, model),
        "count_full" => simple("--count-full"),
        "self_check" => simple("--self-check"),
        "no_native" => simple("--no-native"),
        "check_native" => simple("--check-native"),
        "audit" => simple("--audit"),
        "maxint" => of("--maxint 9", "-e", model),
        "minint" => of("--minint -3", "-e", model),
        "machine_limits" => of("--machine-limits", "-e", model),
        "no_invariant" => simple("--no-invariant"),
        "goal" => simple("--goal GOAL"),
        "refines" => simple("--refines"),
        "shortest" => simple("-i"),
        "progress_cycles" => simple("-l"),
        "acceptance_cycles" => simple("-a"),
        "weak_fairness" => simple("-f"),
        "hash_bits" => simple("-w 20"),
        "empty_channels" => simple("-q"),
        "claim" => simple("-N small"),
        "por" => simple("--por"),
        "threads" => simple("--threads 1"),
        "disk" => simple("--disk d"),
        "checkpoint" => simple("--checkpoint f"),
        "resume" => simple("--resume f"),
        _ => None,
    }
}

/// The same for the flags that only `view` has.
fn probe_of_view(id: &str, language: &str) -> Option<FlagProbe> {
    let (b, csp) = (language == "b", language == "cspm");
    let model = model_in(language);
    let simple = |with| of(with, "", model);
    let signature = |with| of(with, "--as signature", model);
    match id {
        "kind" => simple("--as levels"),
        "steps" => signature("--steps 3"),
        "keep" if b => signature("--keep add:s"),
        "keep" if csp => signature("--keep a:1"),
        "keep" => signature("--keep p:1"),
        "on" if b => simple("--on n"),
        "on" if csp => simple("--on P(ann)"),
        "on" => simple("--on x"),
        "where_true" if b => simple("--where 'n < 2'"),
        "where_true" => simple("--where 'x < 2'"),
        "around" => simple("--around 0"),
        "distance" if csp => of("--distance 1", "--around 0 --process Q", model),
        "distance" => of("--distance 1", "--around 0", model),
        "between" if csp => of("--between error", "--process Q", model),
        "between" => simple("--between error"),
        "hide" if b => signature("--hide add"),
        "hide" if csp => signature("--hide a"),
        "hide" => signature("--hide p"),
        "nodes" => simple("--nodes 1"),
        "rename" if b => signature("--rename change=add"),
        "rename" if csp => signature("--rename change=a"),
        "rename" => signature("--rename change=p"),
        "similar" => signature("--similar=1"),
        "only" if b => simple("--only add:s=S1"),
        "only" if csp => simple("--only a:1=ann"),
        "only" => simple("--only p:1=1"),
        "hide_self_loops" => signature("--hide-self-loops"),
        "minimise" => of("--minimise", "--as dfa", model),
        "no_symmetry" => simple("--no-symmetry"),
        "format" => simple("--format dot"),
        "output" => simple("--output drawn.svg"),
        "states" => simple("--states 2"),
        "process" => simple("--process Q"),
        "maxint" => simple("--maxint 9"),
        "minint" => simple("--minint -3"),
        _ => None,
    }
}

/// A folder of this test alone.
struct TestFolder(PathBuf);

impl TestFolder {
    fn new() -> TestFolder {
        let path = std::env::temp_dir().join(format!("orbit-flags-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        TestFolder(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for TestFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Files that flags write.
const WRITTEN: [&str; 4] = ["run.json", "run.itf.json", "drawn.svg", "page.html"];

/// What a command line gives: the exit code and all that is said, without what is measured.
fn answer(line: &str, file: &Path, place: &TestFolder) -> (u8, String) {
    let mut words = vec!["orbit".to_owned()];
    for (n, part) in line.split('\'').enumerate() {
        match n % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    let files = [
        "run.json",
        "run.itf.json",
        "nothing.itf.json",
        "drawn.svg",
        "page.html",
        "included",
        "nothing.trail",
    ];
    for word in words
        .iter_mut()
        .filter(|word| files.contains(&word.as_str()))
    {
        *word = place.file(word).display().to_string();
    }
    words.push(file.display().to_string());
    let command = Flags::command();
    let matches = match command.clone().try_get_matches_from(&words) {
        Ok(matches) => matches,
        Err(usage) => return (2, usage.to_string()),
    };
    let flags = Flags::from_arg_matches(&matches).expect("what clap understood");
    let typed = TypedFlags::of(&matches, &command).expect("a command");
    let (mut sources, mut found) = (Sources::new(), Diagnostics::new());
    let plan = crate::plan::plan(flags, &typed, &mut sources, &mut found);
    let given = plan.and_then(|plan| {
        let performed = crate::perform(plan, &sources);
        performed.map_err(|why| found.push(why)).ok()
    });
    let said: Vec<String> = found
        .sorted()
        .iter()
        .map(|why| format!("{} {}", why.message, why.notes.join(" ")))
        .collect();
    match given {
        None => (2, said.join("\n")),
        Some(answer) => {
            let mut json = Value::Object(answer.json);
            forget_measures(&mut json);
            let text = answer.text.lines().filter(|line| {
                let is_measured = ["time", "memory", "seed"].iter().any(|m| line.contains(m));
                !is_measured
            });
            let text: Vec<&str> = text.collect();
            let written = WRITTEN.iter().any(|name| place.file(name).exists());
            let warned = answer.found.iter().map(|why| why.message.clone());
            let warned: Vec<String> = warned.collect();
            let all = format!("{} {json} {written} {warned:?} {said:?}", text.join("\n"));
            (answer.exit.code(), all)
        }
    }
}

/// Takes out what differs from run to run.
fn forget_measures(json: &mut Value) {
    match json {
        Value::Object(fields) => {
            for name in ["time_s", "memory", "seed"] {
                fields.remove(name);
            }
            fields.values_mut().for_each(forget_measures);
        }
        Value::Array(items) => items.iter_mut().for_each(forget_measures),
        _ => {}
    }
}

#[test]
fn every_flag_is_honoured_or_refused() {
    let place = TestFolder::new();
    let line = Flags::command();
    let mut silent = Vec::new();
    for command in ["check", "symmetry", "simulate", "view"] {
        let known = line.find_subcommand(command).expect("a command");
        for row in rows(command) {
            let id = &row.0;
            let mut args = known.get_arguments();
            let flag = args.find(|arg| arg.get_id() == *id).and_then(as_typed);
            let flag = flag.expect("a flag of clap's");
            for language in languages::all() {
                let what = format!("{command} {id} {}", language.language());
                let tried = probe(command, id, language.language());
                let tried = tried.unwrap_or_else(|| panic!("{what} is not tried"));
                let FlagProbe {
                    with,
                    always,
                    model,
                } = tried;
                // Two runs at random differ whatever the flag does.
                let is_free = command != "simulate" || always.contains("--seed");
                let is_free = is_free || ["seed", "interactive", "replay"].contains(id);
                let seed = if is_free { "" } else { "--seed 1 " };
                let always = format!("{seed}{always}");
                let file = place.file(&format!("m.{}", language.endings()[0]));
                std::fs::write(&file, model).expect("a model");
                let (code, said) = answer(&format!("{command} {always} {with}"), &file, &place);
                for name in WRITTEN {
                    let _ = std::fs::remove_file(place.file(name));
                }
                let used = FlagUse::of(row, &flag, reading(command));
                if let Some(instead) = used.refusal(language) {
                    assert_eq!(code, 2, "{what}: {said}");
                    let is_named = with.split(' ').next().is_some_and(|flag| {
                        said.contains(flag) || said.contains("`--") || said.contains("`-")
                    });
                    assert!(is_named && said.contains(instead), "{what}: {said}");
                    continue;
                }
                let without = answer(&format!("{command} {always}"), &file, &place);
                if (code, said) == without {
                    silent.push(what);
                }
            }
        }
    }
    let may_be_silent = |what: &String| {
        // The language of a file that ends in it is known, no file is included, and a run at
        // random may be that of the seed. What Promela-Lite honours is Promela's, and seen there.
        [" language ", " include ", "simulate seed ", " promela-lite"]
            .iter()
            .any(|words| what.contains(words))
    };
    silent.retain(|what| !may_be_silent(what));
    let is_known = |what: &String| UNSEEN.iter().any(|(unseen, _)| unseen == what);
    let unknown: Vec<&String> = silent.iter().filter(|what| !is_known(what)).collect();
    assert!(unknown.is_empty(), "accepted without a word: {unknown:#?}");
    // The list may only shrink.
    let is_seen = |unseen: &str| !silent.iter().any(|what| what == unseen);
    let mut seen = UNSEEN.iter().filter(|(unseen, _)| is_seen(unseen));
    assert_eq!(seen.next(), None, "it can be seen to work");
}
