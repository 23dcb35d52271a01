//! Which flag means something for which language: one table, and one loop that refuses the rest.
//!
//! A flag is honoured or refused, never ignored. Each command that takes a model has a row for each
//! of its flags, by the name that clap gives it, with an answer for each language: it means
//! something ([`FlagUse::Honoured`]), or it does not, and then what to do instead. A test compares
//! the rows with clap's own list of arguments, so that a new flag without a row is noticed.
//!
//! Example: the row of `--ltl` says that Promela and B have formulas of linear time, and that a
//! CSPM script asserts a refinement instead. So `orbit check lock.csp --ltl '[] p'` is refused with
//! that advice.

use super::model::Language;
use base::{Diagnostic, Diagnostics};
use clap::ArgMatches;
use clap::parser::ValueSource;

/// What a flag means for a language.
#[derive(Clone, Copy, Debug)]
pub enum FlagUse {
    /// Something.
    Honoured,
    /// Nothing; what to do instead.
    Refused(&'static str),
}

use FlagUse::{Honoured as Y, Refused as N};

/// A flag, by clap's name of it, and what it means for Promela, B and CSPM.
type FlagRow = (&'static str, [FlagUse; 3]);

/// The flags that were typed, and the command they were typed after.
#[derive(Clone, Default, Debug)]
pub struct TypedFlags {
    /// The command.
    pub command: String,
    /// By flag: clap's name of it, and the flag as it is typed.
    pub flags: Vec<(String, String)>,
}

impl TypedFlags {
    /// What was typed, by clap's account of it.
    pub fn of(matches: &ArgMatches, line: &clap::Command) -> Option<TypedFlags> {
        let (command, typed) = matches.subcommand()?;
        let known = line.find_subcommand(command)?;
        let is_typed = |id: &str| typed.value_source(id) == Some(ValueSource::CommandLine);
        let flags = known.get_arguments().filter(|arg| {
            let id = arg.get_id().as_str();
            typed.try_contains_id(id).unwrap_or(false) && is_typed(id)
        });
        let named = flags.filter(|arg| !arg.is_positional()).map(|arg| {
            let long = arg.get_long().map(|long| format!("--{long}"));
            let flag = long.or(arg.get_short().map(|short| format!("-{short}")));
            (arg.get_id().to_string(), flag.unwrap_or_default())
        });
        Some(TypedFlags {
            command: command.to_owned(),
            flags: named.collect(),
        })
    }

    /// Refuses what means nothing for the language, and everything that `--parse-only` leaves
    /// without a meaning.
    pub fn refuse(&self, language: Language, found: &mut Diagnostics) {
        let parses_only = self.flags.iter().any(|(id, _)| id == "parse_only");
        for (id, flag) in &self.flags {
            let row = rows(&self.command).iter().find(|(name, _)| name == id);
            if let Some((_, uses)) = row
                && let N(instead) = uses[language.number()]
            {
                found.push(refused(flag, uses, language, instead));
            } else if parses_only && !READING.contains(&id.as_str()) {
                let message = format!("`{flag}` and `--parse-only` do not go together");
                let note = "`--parse-only` reads the model and checks nothing";
                found.push(Diagnostic::unlocated(message).note(note));
            }
        }
    }
}

/// The rows of a command.
pub fn rows(command: &str) -> &'static [FlagRow] {
    match command {
        "check" => CHECK,
        "symmetry" => SYMMETRY,
        "simulate" => SIMULATE,
        _ => &[],
    }
}

/// What is said of a flag that means nothing for this language.
fn refused(flag: &str, uses: &[FlagUse; 3], language: Language, instead: &str) -> Diagnostic {
    let others: Vec<&str> = Language::ALL
        .into_iter()
        .filter(|other| matches!(uses[other.number()], Y))
        .map(Language::models)
        .collect();
    let message = if others.is_empty() {
        format!("`{flag}` is not there")
    } else {
        let (for_whom, not) = (others.join(" and "), language.models());
        format!("`{flag}` is for {for_whom}, not for {not}")
    };
    Diagnostic::unlocated(message).note(instead)
}

/// What `--parse-only` honours.
const READING: &[&str] = &[
    "parse_only",
    "define",
    "undefine",
    "include",
    "language",
    "quiet",
    "json",
];

const DEFINE_B: &str = "write a definition into DEFINITIONS of the machine";
const DEFINE_CSP: &str = "write a definition into the script";
const SPIN: &str = "it is about the steps of SPIN's verifiers; leave it out";
const FOUND: &str = "symmetry is found in the text; `orbit symmetry FILE` shows it";
const BY_HAND: &str = "`orbit check --detect FILE` tries generators over events, for each \
                       assertion";
const ASSERTS: &str = "a script says what is checked: `assert SPEC [FD= P`, or \
                       `assert P :[deadlock free]`; `-p N` picks one of its assertions";
const SHORTEST: &str = "an assertion is answered by its first counterexample, which is a shortest \
                        one";
const FAIR: &str =
    "`WF(op)` and `SF(op)` in a formula ask for fairness to an operation, `WEF` and `SEF` to all";
const NO_CHANGES: &str = "`orbit symmetry FILE` names the line that tells parts apart";
const NO_SETS: &str = "only B machines have deferred sets and bounded integers";
const INTERPRETED: &str = "only steps of processes, as in Promela, become machine code";
const NO_PARTS: &str = "only CSPM scripts are compiled to components";
const CYCLES: &str = "write a formula: `--ltl 'G F {predicate}'`";
const GROWS: &str = "the table of states grows by itself; `--memory SIZE` says how far";
const IN_MEMORY: &str = "a search runs in memory, from its start to its end";
const ONE_THREAD: &str = "assertions about processes are searched with one thread";
const NOT_RANDOM: &str = "nothing about a script is drawn at random";
const NOT_YET: [FlagUse; 3] = [N(IN_MEMORY); 3];

const CHECK: &[FlagRow] = &[
    ("define", [Y, N(DEFINE_B), N(DEFINE_CSP)]),
    ("undefine", [Y, N(DEFINE_B), N(DEFINE_CSP)]),
    ("include", [Y; 3]),
    ("language", [Y; 3]),
    ("plain", [Y, N(SPIN), N(SPIN)]),
    ("spin_compat", [Y, N(SPIN), N(SPIN)]),
    ("parse_only", [Y; 3]),
    ("property", [Y; 3]),
    ("no_deadlock", [Y, Y, N(ASSERTS)]),
    ("no_assertions", [Y, Y, N(ASSERTS)]),
    ("all_errors", [Y, Y, N(SHORTEST)]),
    ("stop_after", [Y, Y, N(SHORTEST)]),
    ("search", [Y, Y, N(SHORTEST)]),
    ("ltl", [Y, Y, N(ASSERTS)]),
    ("ctl", [Y, Y, N(ASSERTS)]),
    ("fair", [Y, N(FAIR), N(ASSERTS)]),
    ("depth", [Y; 3]),
    ("memory", [Y; 3]),
    ("time", [Y; 3]),
    ("threads", [Y, Y, N(ONE_THREAD)]),
    ("trail", [Y; 3]),
    ("seed", [Y, Y, N(NOT_RANDOM)]),
    ("no_unreached", [Y, Y, N("scripts have no such list")]),
    ("quiet", [Y; 3]),
    ("full", [Y; 3]),
    ("no_symmetry", [Y; 3]),
    ("reduce", [Y; 3]),
    ("detect", [Y, N(FOUND), Y]),
    ("conjugates", [Y, N(FOUND), N(FOUND)]),
    ("count_full", [Y; 3]),
    ("self_check", [Y; 3]),
    ("no_native", [Y, N(INTERPRETED), N(INTERPRETED)]),
    ("check_native", [Y, N(INTERPRETED), N(INTERPRETED)]),
    ("audit", [Y; 3]),
    ("set_size", [N(NO_SETS), Y, N(NO_SETS)]),
    ("default_set_size", [N(NO_SETS), Y, N(NO_SETS)]),
    ("maxint", [N(NO_SETS), Y, N(NO_SETS)]),
    ("minint", [N(NO_SETS), Y, N(NO_SETS)]),
    ("machine_limits", [N(NO_SETS), Y, N(NO_SETS)]),
    ("no_invariant", [N("`--no-assertions`"), Y, N(ASSERTS)]),
    ("goal", [N("`--ltl '[] !goal'`"), Y, N(ASSERTS)]),
    ("refines", [N("`--ltl FORMULA`"), Y, N(ASSERTS)]),
    ("leaf_states", [N(NO_PARTS), N(NO_PARTS), Y]),
    ("shortest", [Y; 3]),
    ("progress_cycles", [Y, N(CYCLES), N(ASSERTS)]),
    ("acceptance_cycles", [Y, N(CYCLES), N(ASSERTS)]),
    ("weak_fairness", [Y, N(FAIR), N(ASSERTS)]),
    ("hash_bits", [N(GROWS); 3]),
    (
        "empty_channels",
        [N("end states may have messages in channels"); 3],
    ),
    ("claim", [Y, N("`-p NAME` picks a formula"), N(ASSERTS)]),
    ("por", [N("every interleaving is explored"); 3]),
    ("disk", NOT_YET),
    ("checkpoint", NOT_YET),
    ("resume", NOT_YET),
    ("html", [N("`--json` gives the answer as data"); 3]),
];

const SYMMETRY: &[FlagRow] = &[
    ("define", [Y, N(DEFINE_B), N(DEFINE_CSP)]),
    ("undefine", [Y, N(DEFINE_B), N(DEFINE_CSP)]),
    ("include", [Y; 3]),
    ("language", [Y; 3]),
    ("plain", [Y, N(SPIN), N(SPIN)]),
    ("spin_compat", [Y, N(SPIN), N(SPIN)]),
    ("detect", [Y, N(FOUND), N(BY_HAND)]),
    ("conjugates", [Y, N(FOUND), N(FOUND)]),
    ("seed", [Y, N(FOUND), N(NOT_RANDOM)]),
    ("time", [Y; 3]),
    ("memory", [Y; 3]),
    (
        "diagram",
        [
            Y,
            N("only processes have channels"),
            N("it draws channels of Promela"),
        ],
    ),
    ("suggest", [Y, N(NO_CHANGES), N(NO_CHANGES)]),
    ("set_size", [N(NO_SETS), Y, N(NO_SETS)]),
    ("default_set_size", [N(NO_SETS), Y, N(NO_SETS)]),
    ("maxint", [N(NO_SETS), Y, N(NO_SETS)]),
    ("minint", [N(NO_SETS), Y, N(NO_SETS)]),
    (
        "assert",
        [
            N("a model has one symmetry"),
            N("a machine has one symmetry"),
            Y,
        ],
    ),
    ("leaf_states", [N(NO_PARTS), N(NO_PARTS), Y]),
];

const ONE: &str = "a model is run as a whole; only a CSPM script defines many processes";

const NO_CLASSES: &str = "symmetries of CSPM are about assertions: `orbit check` uses them";

const SIMULATE: &[FlagRow] = &[
    ("define", [Y, N(DEFINE_B), N(DEFINE_CSP)]),
    ("undefine", [Y, N(DEFINE_B), N(DEFINE_CSP)]),
    ("include", [Y; 3]),
    ("language", [Y; 3]),
    ("plain", [Y, N(SPIN), N(SPIN)]),
    ("spin_compat", [Y, N(SPIN), N(SPIN)]),
    ("seed", [Y; 3]),
    ("interactive", [Y; 3]),
    ("symmetry", [Y, Y, N(NO_CLASSES)]),
    ("replay", [Y; 3]),
    ("steps", [Y; 3]),
    ("state", [Y; 3]),
    ("quiet", [Y; 3]),
    ("process", [N(ONE), N(ONE), Y]),
    ("time", [Y; 3]),
    ("memory", [Y; 3]),
    ("set_size", [N(NO_SETS), Y, N(NO_SETS)]),
    ("default_set_size", [N(NO_SETS), Y, N(NO_SETS)]),
    ("maxint", [N(NO_SETS), Y, N(NO_SETS)]),
    ("minint", [N(NO_SETS), Y, N(NO_SETS)]),
];

#[cfg(test)]
mod tried;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flags::Flags;
    use clap::CommandFactory;
    use std::collections::BTreeSet;

    #[test]
    fn every_flag_of_clap_has_one_row_and_no_row_is_left_over() {
        let line = Flags::command();
        for command in ["check", "symmetry", "simulate"] {
            let known = line.find_subcommand(command).expect("a command");
            let flags = known.get_arguments().filter(|arg| !arg.is_positional());
            let flags: BTreeSet<&str> = flags.map(|arg| arg.get_id().as_str()).collect();
            let named: Vec<&str> = rows(command).iter().map(|(name, _)| *name).collect();
            let unique: BTreeSet<&str> = named.iter().copied().collect();
            assert_eq!(unique.len(), named.len(), "{command}: a flag has two rows");
            assert_eq!(unique, flags, "{command}");
        }
    }

    #[test]
    fn a_flag_that_means_nothing_is_refused_with_advice() {
        let given = TypedFlags {
            command: "check".to_owned(),
            flags: vec![("ltl".to_owned(), "--ltl".to_owned())],
        };
        let refused = |language| {
            let mut found = Diagnostics::new();
            given.refuse(language, &mut found);
            let all = found.sorted();
            all.first()
                .map(|why| (why.message.clone(), why.notes.len()))
        };
        assert_eq!(refused(Language::Promela), None);
        let message = "`--ltl` is for Promela and B machines, not for CSPM scripts";
        assert_eq!(refused(Language::Cspm), Some((message.to_owned(), 1)));
    }
}
