//! What the typed words mean, with every mistake in them found.
//!
//! A [`Plan`] is complete and sound: files have been read, permutations parsed, points resolved,
//! limits checked, and a combination of flags that cannot be honoured has been refused. Whatever
//! runs afterwards looks at the plan only. Mistakes are collected, so that one run shows them all.

mod check;
mod graph;
mod group;
mod language;
mod ltl;
mod model;
mod serve;
pub(crate) mod simulate;
mod symmetry;
mod test;
mod view;

pub use calculator::automaton::LtlPlan;
pub use calculator::graph::GraphPlan;
pub use calculator::group::GroupPlan;
pub use check::{CheckPlan, ParsedModel};
pub use driver::explain::SymmetryPlan;
pub use driver::plan::{Listing, SearchOptions};
pub use language::guessed as guessed_language;
pub use serve::ServePlan;
pub use simulate::SimulatePlan;
pub use test::TestPlan;
pub use view::ViewPlan;

use crate::flags::table::TypedFlags as Typed;
use crate::flags::{Command, Flags, ModelFlags};
use crate::itf_cmd::ItfPlan;
use crate::{amounts, page_cmd};
use ::model::frontend::Frontend;
use base::{Diagnostic, Diagnostics, Sources, quote};
use clap::Parser;
use clap_complete::Shell;
use driver::trail::Target;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What to do.
pub enum Plan {
    /// `orbit check`.
    Check(CheckPlan),
    /// `orbit symmetry`.
    Symmetry(SymmetryPlan),
    /// `orbit simulate`.
    Simulate(Box<SimulatePlan>),
    /// `orbit view`.
    View(Box<ViewPlan>),
    /// `orbit group`.
    Group(GroupPlan),
    /// `orbit graph`.
    Graph(GraphPlan),
    /// `orbit ltl`.
    Ltl(Box<LtlPlan>),
    /// `orbit test`.
    Test(TestPlan),
    /// `orbit completions`.
    Completions(Shell),
    /// `orbit man`.
    Man(PathBuf),
    /// `orbit example`.
    Example(Option<String>),
    /// `orbit serve`.
    Serve(Box<ServePlan>),
    /// A check, whose counterexample is written in the Informal Trace Format, too.
    Recorded(Box<Plan>, Box<ItfPlan>),
    /// One of these, whose answer is written as a page, too.
    Paged(Box<Plan>, Target),
}

/// The meaning of `flags`, or `None` if `found` holds the reasons why there is none.
///
/// `typed` says which flags were typed, whatever they say.
pub fn plan(
    flags: Flags,
    typed: &Typed,
    sources: &mut Sources,
    found: &mut Diagnostics,
) -> Option<Plan> {
    let json = flags.json;
    match flags.command {
        Command::Check(flags) => {
            let language = allowed(&flags.model, typed, found)?;
            let page = page_file(&flags.html, &flags.model, found)?;
            let mut flags = *flags;
            let itf = check::itf(&mut flags, language, found)?;
            let plan = Plan::Check(check::plan(flags, language, json, sources, found)?);
            let plan = match itf {
                Some(itf) => Plan::Recorded(Box::new(plan), Box::new(itf)),
                None => plan,
            };
            Some(paged(plan, page))
        }
        Command::Symmetry(flags) => {
            let language = allowed(&flags.model, typed, found)?;
            let page = page_file(&flags.html, &flags.model, found)?;
            let plan = symmetry::plan(flags, language, sources, found)?;
            Some(paged(Plan::Symmetry(plan), page))
        }
        Command::Simulate(flags) => {
            let language = allowed(&flags.model, typed, found)?;
            let page = page_file(&flags.html, &flags.model, found)?;
            let plan = simulate::plan(flags, language, json, sources, found)?;
            Some(paged(Plan::Simulate(Box::new(plan)), page))
        }
        Command::Serve(flags) => {
            serve::refuse_input(&flags, found)?;
            let language = allowed(&flags.model, typed, found)?;
            let plan = serve::plan(&flags, language, sources, found)?;
            Some(Plan::Serve(Box::new(plan)))
        }
        Command::View(flags) => {
            let language = allowed(&flags.model, typed, found)?;
            let page = page_file(&flags.html, &flags.model, found)?;
            let plan = view::plan(*flags, language, sources, found)?;
            Some(paged(Plan::View(Box::new(plan)), page))
        }
        Command::Test(flags) => test::plan(&flags, sources, found).map(Plan::Test),
        Command::Completions(flags) => Some(Plan::Completions(flags.shell)),
        Command::Man(flags) => Some(Plan::Man(flags.folder)),
        Command::Example(flags) => Some(Plan::Example(flags.name)),
        Command::Group(flags) => group::plan(flags, sources, found).map(Plan::Group),
        Command::Graph(flags) => graph::plan(flags, sources, found).map(Plan::Graph),
        Command::Ltl(flags) => {
            let plan = ltl::plan(flags, sources, found)?;
            Some(Plan::Ltl(Box::new(plan)))
        }
        Command::Bench(_) => unreachable!("it is a program of its own"),
        Command::Lsp(_) => unreachable!("it has a plan for each document"),
    }
}

/// The file that a page goes into, if one was asked for; `None` if `found` says why it cannot be
/// written.
fn page_file(
    path: &Option<PathBuf>,
    model: &ModelFlags,
    found: &mut Diagnostics,
) -> Option<Option<Target>> {
    let Some(path) = path else {
        return Some(None);
    };
    if path == Path::new("-") {
        let message = "`--html` needs a file: standard output has the answer";
        found.push(Diagnostic::unlocated(message));
        return None;
    }
    Target::open(&page_cmd::PAGE, path, model.file.as_deref(), found).map(Some)
}

/// The plan, with a page if there is a file for it.
fn paged(plan: Plan, page: Option<Target>) -> Plan {
    match page {
        Some(target) => Plan::Paged(Box::new(plan), target),
        None => plan,
    }
}

/// Why words after `orbit check` are no plan.
#[derive(Debug)]
pub enum NoCheck {
    /// The words are wrong.
    Usage(clap::Error),
    /// The model is refused.
    Refused(Vec<Diagnostic>),
}

impl NoCheck {
    /// In words.
    pub fn words(&self) -> String {
        match self {
            NoCheck::Usage(why) => why.to_string(),
            NoCheck::Refused(_) => "the model is refused".to_owned(),
        }
    }
}

/// What `orbit check` would do with these words, for those who measure or test it.
pub fn of_check(words: &[String]) -> Result<CheckPlan, NoCheck> {
    let start = ["orbit", "check", "--quiet"].map(str::to_owned);
    let words = start.into_iter().chain(words.iter().cloned());
    let flags = Flags::try_parse_from(words).map_err(NoCheck::Usage)?;
    let mut found = Diagnostics::new();
    match plan(flags, &Default::default(), &mut Sources::new(), &mut found) {
        Some(Plan::Check(plan)) => Ok(plan),
        _ => Err(NoCheck::Refused(found.sorted())),
    }
}

/// What `orbit view` would do with these words, for those who measure it.
pub fn of_view(words: &[String]) -> Result<ViewPlan, NoCheck> {
    let start = ["orbit", "view"].map(str::to_owned);
    let words = start.into_iter().chain(words.iter().cloned());
    let flags = Flags::try_parse_from(words).map_err(NoCheck::Usage)?;
    let mut found = Diagnostics::new();
    match plan(flags, &Default::default(), &mut Sources::new(), &mut found) {
        Some(Plan::View(plan)) => Ok(*plan),
        _ => Err(NoCheck::Refused(found.sorted())),
    }
}

/// What `orbit symmetry` would do with these words, for those who measure it.
pub fn of_symmetry(words: &[String]) -> Result<SymmetryPlan, NoCheck> {
    let start = ["orbit", "symmetry"].map(str::to_owned);
    let words = start.into_iter().chain(words.iter().cloned());
    let flags = Flags::try_parse_from(words).map_err(NoCheck::Usage)?;
    let mut found = Diagnostics::new();
    match plan(flags, &Default::default(), &mut Sources::new(), &mut found) {
        Some(Plan::Symmetry(plan)) => Ok(plan),
        _ => Err(NoCheck::Refused(found.sorted())),
    }
}

/// The language of the model, where all flags that were typed mean something for it.
fn allowed(
    model: &ModelFlags,
    typed: &Typed,
    found: &mut Diagnostics,
) -> Option<&'static dyn Frontend> {
    let before = found.n_errors();
    let language = language::decide(model, found)?;
    typed.refuse(language, found);
    (found.n_errors() == before).then_some(language)
}

/// A limit as written.
pub fn limit<T>(
    flag: &str,
    examples: &str,
    written: &Option<String>,
    parse: impl Fn(&str) -> Option<T>,
    found: &mut Diagnostics,
) -> Option<T> {
    let written = written.as_deref()?;
    let limit = parse(written);
    if limit.is_none() {
        let message = format!(
            "`{flag}` needs something like {examples}, not {}",
            quote(written)
        );
        found.push(Diagnostic::unlocated(message));
    }
    limit
}

/// The time that `--time` gives.
pub fn time(written: &Option<String>, found: &mut Diagnostics) -> Option<Duration> {
    limit("--time", "30s, 5m or 2h", written, amounts::time, found)
}
