//! The meaning of `orbit view`.

use super::model::{options, request};
use super::{limit, time};
use crate::flags::{BetweenWord, PictureFormat, ViewFlags, ViewWord};
use crate::{amounts, watchdog};
use base::{Diagnostic, Diagnostics, Sources, quote};
use driver::load::load;
use driver::plan::SearchOptions;
use driver::states::STATES_MAX;
use driver::states::pictures::{Near, On, PictureRequest, SCREEN, Towards, ViewKind};
use model::frontend::{Frontend, Model, Options, Reading};
use reduce::strategy::{Strategy, Unreduced};
use std::path::{Path, PathBuf};
use view::abstraction::AlphaRules;
use view::abstraction::alpha::{ChosenValues, KeptArgument, RenamedOperation};

/// A picture to make.
pub struct ViewPlan {
    /// Of what.
    pub model: Box<dyn Model>,
    /// How it is explored.
    pub how: SearchOptions,
    /// The most states.
    pub n_states_max: usize,
    /// Whether a predicate was typed.
    pub has_predicate: bool,
    /// Which picture.
    pub picture: PictureRequest,
    /// Why symmetry is not used although nobody said so.
    pub unreduced: Option<&'static str>,
    /// What is written.
    pub format: PictureFormat,
    /// Whether a page shows it, too.
    pub has_page: bool,
    /// Where, if not on standard output.
    pub output: Option<PathBuf>,
}

/// How far a neighbourhood reaches if nobody says it.
const DISTANCE: usize = 2;

/// The plan, or `None` if `found` says why not.
pub fn plan(
    flags: ViewFlags,
    language: &'static dyn Frontend,
    sources: &mut Sources,
    found: &mut Diagnostics,
) -> Option<ViewPlan> {
    let before = found.n_errors();
    let clock = watchdog::clock(time(&flags.time, found));
    let memory = limit(
        "--memory",
        "512M or 4G",
        &flags.memory,
        amounts::bytes,
        found,
    );
    let on = flags.on.as_deref().map(seen);
    let predicate = predicate(&flags, on.as_ref(), found);
    let kept = flags.keep.as_deref().map(|words| kept(words, found));
    let only = flags.only.as_deref().map(|words| only(words, found));
    let renamed = renamed(&flags.rename, found);
    let format = format(&flags, found);
    refuse_together(&flags, found);
    let always = predicate.map(|text| always(language, text, found));
    if found.n_errors() > before {
        return None;
    }
    let kind = flags
        .kind
        .map(kind)
        .or(on.as_ref().map(|_| ViewKind::Projection));
    let unreduced = unreduced(kind, on.as_ref(), kept.is_some() || only.is_some());
    let options = Options {
        reading: Reading::View,
        process: flags.process.clone(),
        branching: always.flatten(),
        memory_bytes_max: memory,
        ..options(&flags.model, &flags.sizes)
    };
    let has_predicate = options.branching.is_some();
    let request = request(&flags.model, &options, clock, found)?;
    let model = load(&request, language, sources, found)?.model;
    let strategy: &'static dyn Strategy = if flags.no_symmetry || unreduced.is_some() {
        &Unreduced
    } else {
        super::simulate::exactly(clock).strategy
    };
    let how = SearchOptions {
        strategy,
        memory_bytes_max: memory.or_else(amounts::free_memory),
        ..super::simulate::exactly(clock)
    };
    let unreduced = unreduced.filter(|_| !flags.no_symmetry);
    let (has_page, output) = (flags.html.is_some(), flags.output.clone());
    Some(ViewPlan {
        model,
        how,
        n_states_max: flags.states.unwrap_or(STATES_MAX),
        has_predicate,
        picture: PictureRequest {
            kind,
            on,
            only: only.unwrap_or_default(),
            ..picture(flags, kept.unwrap_or_default(), renamed)
        },
        unreduced,
        format,
        has_page,
        output,
    })
}

/// Which picture is asked for, but for the abstraction.
fn picture(
    flags: ViewFlags,
    kept: Vec<KeptArgument>,
    renamed: Vec<RenamedOperation>,
) -> PictureRequest {
    PictureRequest {
        kind: None,
        n_fitting: flags.nodes.unwrap_or(SCREEN),
        n_steps: flags.steps.unwrap_or(1),
        labels: AlphaRules {
            keeps_all: false,
            kept,
            hidden: flags.hide,
            renamed,
        },
        where_true: flags.where_true.is_some(),
        only: Vec::new(),
        n_differing: flags.similar,
        on: None,
        around: flags.around.map(|state| Near {
            state,
            n_steps: flags.distance.unwrap_or(DISTANCE),
        }),
        towards: flags.between.map(|word| match word {
            BetweenWord::Error => Towards::Errors,
            BetweenWord::NearestError => Towards::NearestErrors,
        }),
        hides_loops: flags.hide_self_loops,
        is_minimised: flags.minimise,
    }
}

fn kind(word: ViewWord) -> ViewKind {
    match word {
        ViewWord::Signature => ViewKind::Signature,
        ViewWord::Dfa => ViewKind::Dfa,
        ViewWord::Bisimulation => ViewKind::Bisimulation,
        ViewWord::Projection => ViewKind::Projection,
        ViewWord::Quotient => ViewKind::Quotient,
        ViewWord::Full => ViewKind::Full,
        ViewWord::Levels => ViewKind::Levels,
    }
}

/// Why symmetry cannot be used, if so.
fn unreduced(kind: Option<ViewKind>, on: Option<&On>, keeps: bool) -> Option<&'static str> {
    match (kind, on) {
        (Some(ViewKind::Full), _) => Some("all states are shown"),
        (_, Some(On::Variables(_))) => Some("values differ within orbits"),
        _ if keeps => Some("arguments differ within orbits"),
        _ => None,
    }
}

/// Variables, if these words are names and places in arrays; otherwise a predicate.
fn seen(words: &str) -> On {
    let names: Vec<String> = words
        .split(',')
        .map(|name| name.trim().to_owned())
        .collect();
    let is_name = |name: &String| {
        let starts = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let goes_on = |c: char| c.is_alphanumeric() || "_[].():$#'".contains(c);
        starts && name.chars().all(goes_on)
    };
    if names.iter().all(is_name) {
        On::Variables(names)
    } else {
        On::Predicate(words.to_owned())
    }
}

/// The predicate that was typed, with `--where` or `--on`.
fn predicate<'f>(
    flags: &'f ViewFlags,
    on: Option<&'f On>,
    found: &mut Diagnostics,
) -> Option<&'f str> {
    let of_on = match on {
        Some(On::Predicate(text)) => Some(text.as_str()),
        _ => None,
    };
    match (flags.where_true.as_deref(), of_on) {
        (Some(a), Some(b)) if a != b => {
            let message = "`--where` and `--on` have different predicates";
            let note = "one predicate can be asked for at a time";
            found.push(Diagnostic::unlocated(message).note(note));
            None
        }
        (a, b) => a.or(b),
    }
}

/// The predicate as a formula of the language.
fn always(language: &dyn Frontend, predicate: &str, found: &mut Diagnostics) -> Option<String> {
    let formula = language.always(predicate);
    if formula.is_none() {
        let message = format!("{} have no predicates over states", language.models());
        let note = "`--on` takes names too: `orbit simulate --state` shows them";
        found.push(Diagnostic::unlocated(message).note(note));
    }
    formula
}

/// The arguments that are kept.
fn kept(words: &str, found: &mut Diagnostics) -> Vec<KeptArgument> {
    let mut all = Vec::new();
    for word in words.split(',').map(str::trim) {
        match word.rsplit_once(':') {
            Some((operation, argument)) if !operation.is_empty() && !argument.is_empty() => {
                all.push(KeptArgument {
                    operation: operation.trim().to_owned(),
                    argument: argument.trim().to_owned(),
                });
            }
            _ => {
                let message = format!("`--keep` needs OP:ARG, as add:nn, not {}", quote(word));
                found.push(Diagnostic::unlocated(message));
            }
        }
    }
    all
}

/// The values of arguments that are chosen.
fn only(words: &str, found: &mut Diagnostics) -> Vec<ChosenValues> {
    let mut all: Vec<ChosenValues> = Vec::new();
    // Values may have commas in them, as pairs and sets have: a part without `=` belongs to the
    // part before it.
    let mut parts: Vec<String> = Vec::new();
    for part in words.split(',') {
        match parts.last_mut() {
            Some(last) if !part.contains('=') => {
                last.push(',');
                last.push_str(part);
            }
            _ => parts.push(part.to_owned()),
        }
    }
    for part in &parts {
        let read = part.split_once('=').and_then(|(name, value)| {
            let (operation, argument) = name.rsplit_once(':')?;
            let argument = KeptArgument {
                operation: operation.trim().to_owned(),
                argument: argument.trim().to_owned(),
            };
            Some((argument, value.trim().to_owned()))
        });
        let Some((argument, value)) = read else {
            let message = format!(
                "`--only` needs OP:ARG=VALUE, as add:nn=Name1, not {}",
                quote(part)
            );
            found.push(Diagnostic::unlocated(message));
            continue;
        };
        match all.iter_mut().find(|chosen| chosen.argument == argument) {
            Some(chosen) => chosen.values.push(value),
            None => all.push(ChosenValues {
                argument,
                values: vec![value],
            }),
        }
    }
    all
}

/// The operations that get other names.
fn renamed(words: &[String], found: &mut Diagnostics) -> Vec<RenamedOperation> {
    let mut all = Vec::new();
    for word in words {
        match word.split_once('=') {
            Some((name, operation)) if !name.trim().is_empty() && !operation.trim().is_empty() => {
                all.push(RenamedOperation {
                    operation: operation.trim().to_owned(),
                    name: name.trim().to_owned(),
                });
            }
            _ => {
                let message = format!(
                    "`--rename` needs NAME=OP, as change=add, not {}",
                    quote(word)
                );
                found.push(Diagnostic::unlocated(message));
            }
        }
    }
    all
}

/// What is written: as said, or as the file is named.
fn format(flags: &ViewFlags, found: &mut Diagnostics) -> PictureFormat {
    let by_name = flags.output.as_deref().map(of_name);
    match (flags.format, by_name) {
        (Some(format), _) => format,
        (None, None) => PictureFormat::Text,
        (None, Some(Some(format))) => format,
        (None, Some(None)) => {
            let name = flags.output.as_deref().unwrap_or(Path::new(""));
            let name = quote(&name.display().to_string());
            let message = format!("what to write into {name} is not known by its name");
            let note = "end it in .svg, .dot, .graphml, .json or .txt, or say `--format`";
            let page = "`--html FILE` writes a page";
            found.push(Diagnostic::unlocated(message).note(note).note(page));
            PictureFormat::Text
        }
    }
}

fn of_name(path: &Path) -> Option<PictureFormat> {
    Some(match path.extension()?.to_str()? {
        "svg" => PictureFormat::Svg,
        "dot" | "gv" => PictureFormat::Dot,
        "graphml" => PictureFormat::Graphml,
        "json" => PictureFormat::Json,
        "txt" => PictureFormat::Text,
        _ => return None,
    })
}

/// Refuses flags that mean nothing beside each other.
fn refuse_together(flags: &ViewFlags, found: &mut Diagnostics) {
    let mut refuse = |is: bool, message: &str| {
        if is {
            found.push(Diagnostic::unlocated(message));
        }
    };
    let is = |word| flags.kind == Some(word);
    let is_other = |word| flags.kind.is_some_and(|kind| kind != word);
    refuse(
        flags.steps == Some(0),
        "`--steps` needs a number of at least 1",
    );
    refuse(
        flags.steps.is_some() && !is(ViewWord::Signature),
        "`--steps` needs `--as signature`",
    );
    refuse(
        flags.similar.is_some() && !is(ViewWord::Signature),
        "`--similar` needs `--as signature`",
    );
    refuse(
        flags.similar.is_some() && flags.steps.is_some_and(|steps| steps > 1),
        "`--similar` is about signatures of one step: leave out `--steps`",
    );
    refuse(
        is(ViewWord::Quotient) && flags.only.is_some(),
        "`--only` needs arguments as they are, `--as quotient` has them up to symmetry",
    );
    refuse(
        flags.minimise && !is(ViewWord::Dfa),
        "`--minimise` needs `--as dfa`",
    );
    refuse(
        flags.on.is_some() && is_other(ViewWord::Projection),
        "`--on` needs `--as projection`",
    );
    refuse(
        is(ViewWord::Projection) && flags.on.is_none(),
        "`--as projection` needs `--on VARIABLES` or `--on PREDICATE`",
    );
    refuse(
        is(ViewWord::Quotient) && flags.no_symmetry,
        "`--as quotient` needs symmetry: leave out `--no-symmetry`",
    );
    refuse(
        is(ViewWord::Quotient) && flags.keep.is_some(),
        "`--keep` shows arguments as they are, `--as quotient` up to symmetry",
    );
    refuse(
        flags.nodes == Some(0),
        "`--nodes` needs a number of at least 1",
    );
    refuse(
        flags.states == Some(0),
        "`--states` needs a number of at least 1",
    );
}
