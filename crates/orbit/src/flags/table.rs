//! Which flag means something in every language, in some, or in none; and one loop that refuses
//! what means nothing for the language of the model.
//!
//! A flag is honoured or refused, never ignored. Each command that takes a model has a row for each
//! of its flags, by the name that clap gives it. Where a flag means something in some languages
//! only, their front ends say so ([`Frontend::flags`]); nothing here names a language. What to do
//! instead of a flag is said by the front end that does not know it, or by the row. A test compares
//! the rows with clap's own list of arguments, so that a new flag without a row is noticed.
//!
//! Example: `--ltl` has a meaning in some languages. The front end of CSPM does not name it, and
//! says that a script asserts a refinement instead. So `orbit check lock.csp --ltl '[] p'` is
//! refused with that advice, and with the languages that do name it.

use crate::languages;
use base::{Diagnostic, Diagnostics};
use clap::ArgMatches;
use clap::parser::ValueSource;
use model::frontend::{Frontend, Reading};

/// Where a flag means something.
#[derive(Clone, Copy, Debug)]
pub enum FlagScope {
    /// In every language.
    Every,
    /// In those whose front ends name it; in others this is what to do instead, if their front ends
    /// have no advice.
    Some(&'static str),
    /// In none; what to do instead.
    None(&'static str),
}

use FlagScope::{Every, None as Never, Some as Named};

/// A flag, by clap's name of it, and where it means something.
type FlagRow = (&'static str, FlagScope);

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
            let flag = as_typed(arg).unwrap_or_default();
            (arg.get_id().to_string(), flag)
        });
        Some(TypedFlags {
            command: command.to_owned(),
            flags: named.collect(),
        })
    }

    /// Refuses what means nothing for the language, and everything that `--parse-only` leaves
    /// without a meaning.
    pub fn refuse(&self, language: &dyn Frontend, found: &mut Diagnostics) {
        let parses_only = self.flags.iter().any(|(id, _)| id == "parse_only");
        for (id, flag) in &self.flags {
            let row = rows(&self.command).iter().find(|(name, _)| name == id);
            let use_ = row.map(|row| FlagUse::of(row, flag, reading(&self.command)));
            if let Some(instead) = use_.as_ref().and_then(|use_| use_.refusal(language)) {
                let honouring = use_.map_or(Vec::new(), |use_| use_.honouring());
                found.push(refused(flag, &honouring, language, instead));
            } else if parses_only && !READING.contains(&id.as_str()) {
                let message = format!("`{flag}` and `--parse-only` do not go together");
                let note = "`--parse-only` reads the model and checks nothing";
                found.push(Diagnostic::unlocated(message).note(note));
            }
        }
    }
}

/// A flag as it is typed: by its long name, if it has one.
fn as_typed(arg: &clap::Arg) -> Option<String> {
    let long = arg.get_long().map(|long| format!("--{long}"));
    long.or(arg.get_short().map(|short| format!("-{short}")))
}

/// A flag as it is typed, where it is typed, and where it means something.
#[derive(Clone, Copy)]
pub struct FlagUse<'a> {
    flag: &'a str,
    scope: FlagScope,
    reading: Reading,
}

impl<'a> FlagUse<'a> {
    /// The use of a flag of this row, typed like that.
    pub fn of(row: &FlagRow, flag: &'a str, reading: Reading) -> FlagUse<'a> {
        FlagUse {
            flag,
            scope: row.1,
            reading,
        }
    }

    /// What to do instead, if the flag means nothing in a language.
    pub fn refusal(&self, language: &dyn Frontend) -> Option<&'static str> {
        match self.scope {
            Every => None,
            Never(instead) => Some(instead),
            Named(_) if language.flags(self.reading).contains(&self.flag) => None,
            Named(instead) => Some(language.instead(self.flag).unwrap_or(instead)),
        }
    }

    /// What the models are called of the languages in which it means something.
    fn honouring(&self) -> Vec<&'static str> {
        let all = languages::all();
        let honouring = all.filter(|language| self.refusal(*language).is_none());
        honouring.map(Frontend::models).collect()
    }
}

/// Some words in a row.
fn listed(words: &[&str]) -> String {
    match words {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        words => words.concat(),
    }
}

/// What a command reads a model for.
pub fn reading(command: &str) -> Reading {
    match command {
        "symmetry" => Reading::Symmetry,
        "simulate" | "serve" => Reading::Run,
        "view" => Reading::View,
        _ => Reading::Check,
    }
}

/// The rows of a command.
pub fn rows(command: &str) -> &'static [FlagRow] {
    match command {
        "check" => CHECK,
        "symmetry" => SYMMETRY,
        "simulate" => SIMULATE,
        "serve" => SERVE,
        "view" => VIEW,
        _ => &[],
    }
}

/// What is said of a flag that means nothing for this language.
fn refused(flag: &str, honouring: &[&str], language: &dyn Frontend, instead: &str) -> Diagnostic {
    let message = match honouring {
        [] => format!("`{flag}` is not there"),
        _ => {
            let (models, not) = (listed(honouring), language.models());
            format!("`{flag}` is for {models}, not for {not}")
        }
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

const DEFINED: &str = "write a definition into the model";
const SPIN: &str = "it is about the steps of SPIN's verifiers; leave it out";
const FOUND: &str = "symmetry is found in the text; `orbit symmetry FILE` shows it";
const NO_CHANGES: &str = "`orbit symmetry FILE` names the line that tells parts apart";
const SAID: &str = "the model says what is checked; `-p NAME` picks a part of that";
const WITHOUT: &str = "leave it out";
const NO_SETS: &str = "only B machines have deferred sets and bounded integers";
const INTERPRETED: &str = "only steps of processes, as in Promela, become machine code";
const NO_PARTS: &str = "only CSPM scripts are compiled to components";
const FORMULA: &str = "write a formula: `--ltl FORMULA`";
const NO_CHANNELS: &str = "only processes have channels";
const ONE: &str = "a model is run as a whole; only a CSPM script defines many processes";
const ONE_SYMMETRY: &str = "a model has one symmetry";
const GROWS: &str = "the table of states grows by itself; `--memory SIZE` says how far";
const IN_MEMORY: &str = "a search runs in memory, from its start to its end";
const ENDS: &str = "end states may have messages in channels";
const ALL_ORDERS: &str = "every interleaving is explored";

const NO_PREDICATES: &str = "nothing is said of its states; `--around` and `--between` choose some";
const NO_SYMMETRY: &str = "a process that is explored by itself has no symmetry; leave it out";

const CHECK: &[FlagRow] = &[
    ("define", Named(DEFINED)),
    ("undefine", Named(DEFINED)),
    ("include", Every),
    ("language", Every),
    ("plain", Named(SPIN)),
    ("spin_compat", Named(SPIN)),
    ("parse_only", Every),
    ("property", Every),
    ("no_deadlock", Named(SAID)),
    ("no_assertions", Named(SAID)),
    ("all_errors", Named(WITHOUT)),
    ("stop_after", Named(WITHOUT)),
    ("search", Named(WITHOUT)),
    ("ltl", Named(SAID)),
    ("ctl", Named(SAID)),
    ("fair", Named(SAID)),
    ("depth", Every),
    ("memory", Every),
    ("time", Every),
    ("threads", Named(WITHOUT)),
    ("trail", Every),
    ("seed", Named(WITHOUT)),
    ("to_front", Named(WITHOUT)),
    ("no_unreached", Named(WITHOUT)),
    ("progress", Every),
    ("quiet", Every),
    ("full", Every),
    ("no_symmetry", Every),
    ("reduce", Every),
    ("detect", Named(FOUND)),
    ("conjugates", Named(FOUND)),
    ("count_full", Every),
    ("self_check", Every),
    ("no_native", Named(INTERPRETED)),
    ("check_native", Named(INTERPRETED)),
    ("audit", Every),
    ("set_size", Named(NO_SETS)),
    ("default_set_size", Named(NO_SETS)),
    ("maxint", Named(NO_SETS)),
    ("minint", Named(NO_SETS)),
    ("machine_limits", Named(NO_SETS)),
    ("no_invariant", Named(SAID)),
    ("goal", Named(SAID)),
    ("refines", Named(SAID)),
    ("leaf_states", Named(NO_PARTS)),
    ("weak_leaves", Named(NO_PARTS)),
    ("shortest", Every),
    ("progress_cycles", Named(FORMULA)),
    ("acceptance_cycles", Named(FORMULA)),
    ("weak_fairness", Named(FORMULA)),
    ("hash_bits", Never(GROWS)),
    ("empty_channels", Never(ENDS)),
    ("claim", Named(FORMULA)),
    ("por", Never(ALL_ORDERS)),
    ("disk", Never(IN_MEMORY)),
    ("checkpoint", Never(IN_MEMORY)),
    ("resume", Never(IN_MEMORY)),
    ("html", Every),
];

const SYMMETRY: &[FlagRow] = &[
    ("define", Named(DEFINED)),
    ("undefine", Named(DEFINED)),
    ("include", Every),
    ("language", Every),
    ("plain", Named(SPIN)),
    ("spin_compat", Named(SPIN)),
    ("detect", Named(FOUND)),
    ("conjugates", Named(FOUND)),
    ("seed", Named(FOUND)),
    ("time", Every),
    ("memory", Every),
    ("diagram", Named(NO_CHANNELS)),
    ("suggest", Named(NO_CHANGES)),
    ("set_size", Named(NO_SETS)),
    ("default_set_size", Named(NO_SETS)),
    ("maxint", Named(NO_SETS)),
    ("minint", Named(NO_SETS)),
    ("drawings", Every),
    ("assert", Named(ONE_SYMMETRY)),
    ("leaf_states", Named(NO_PARTS)),
    ("weak_leaves", Named(NO_PARTS)),
    ("html", Every),
];

const SIMULATE: &[FlagRow] = &[
    ("define", Named(DEFINED)),
    ("undefine", Named(DEFINED)),
    ("include", Every),
    ("language", Every),
    ("plain", Named(SPIN)),
    ("spin_compat", Named(SPIN)),
    ("seed", Every),
    ("interactive", Every),
    ("symmetry", Named(WITHOUT)),
    ("replay", Every),
    ("follow", Every),
    ("trail", Every),
    ("runs", Every),
    ("steps", Every),
    ("watch", Every),
    ("state", Every),
    ("quiet", Every),
    ("process", Named(ONE)),
    ("time", Every),
    ("memory", Every),
    ("set_size", Named(NO_SETS)),
    ("default_set_size", Named(NO_SETS)),
    ("maxint", Named(NO_SETS)),
    ("minint", Named(NO_SETS)),
    ("html", Every),
];

const SERVE: &[FlagRow] = &[
    ("define", Named(DEFINED)),
    ("undefine", Named(DEFINED)),
    ("include", Every),
    ("language", Every),
    ("plain", Named(SPIN)),
    ("spin_compat", Named(SPIN)),
    ("port", Every),
    ("open", Every),
    ("process", Named(ONE)),
    ("time", Every),
    ("memory", Every),
    ("set_size", Named(NO_SETS)),
    ("default_set_size", Named(NO_SETS)),
    ("maxint", Named(NO_SETS)),
    ("minint", Named(NO_SETS)),
];

const VIEW: &[FlagRow] = &[
    ("define", Named(DEFINED)),
    ("undefine", Named(DEFINED)),
    ("include", Every),
    ("language", Every),
    ("plain", Named(SPIN)),
    ("spin_compat", Named(SPIN)),
    ("kind", Every),
    ("nodes", Every),
    ("steps", Every),
    ("keep", Every),
    ("only", Every),
    ("similar", Every),
    ("rename", Every),
    ("on", Every),
    ("where_true", Named(NO_PREDICATES)),
    ("around", Every),
    ("distance", Every),
    ("between", Every),
    ("hide", Every),
    ("hide_self_loops", Every),
    ("minimise", Every),
    ("no_symmetry", Named(NO_SYMMETRY)),
    ("format", Every),
    ("output", Every),
    ("states", Every),
    ("process", Named(ONE)),
    ("time", Every),
    ("memory", Every),
    ("set_size", Named(NO_SETS)),
    ("default_set_size", Named(NO_SETS)),
    ("maxint", Named(NO_SETS)),
    ("minint", Named(NO_SETS)),
    ("html", Every),
];

#[cfg(test)]
#[path = "../../tests/flags/tried.rs"]
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
        for command in ["check", "symmetry", "simulate", "serve", "view"] {
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
        let refused = |name: &str| {
            let mut found = Diagnostics::new();
            given.refuse(languages::named(name).expect("a language"), &mut found);
            let all = found.sorted();
            all.first()
                .map(|why| (why.message.clone(), why.notes.len()))
        };
        assert_eq!(refused("promela"), None);
        let message = "`--ltl` is for Promela, Promela-Lite and B machines, not for CSPM scripts";
        assert_eq!(refused("cspm"), Some((message.to_owned(), 1)));
    }

    /// The flags of a command that mean something in some languages, as they are typed.
    fn named(command: &str) -> BTreeSet<String> {
        let line = Flags::command();
        let known = line.find_subcommand(command).expect("a command");
        let is_named = |id: &str| {
            let row = rows(command).iter().find(|(name, _)| *name == id);
            row.is_some_and(|row| matches!(row.1, Named(_)))
        };
        let flags = known
            .get_arguments()
            .filter(|arg| is_named(arg.get_id().as_str()));
        flags.filter_map(as_typed).collect()
    }

    #[test]
    fn front_ends_name_flags_that_exist_and_each_flag_is_named_by_one() {
        let mut of_all = BTreeSet::new();
        for command in ["check", "symmetry", "simulate", "view"] {
            of_all.append(&mut named(command));
        }
        for command in ["check", "symmetry", "simulate", "view"] {
            let mut open = named(command);
            for language in languages::all() {
                for flag in language.flags(reading(command)) {
                    // What a language has for all commands need not be in each.
                    assert!(of_all.contains(flag), "{} {flag}", language.language());
                    open.remove(flag);
                }
            }
            assert!(open.is_empty(), "{command}: no language names {open:?}");
        }
    }
}
