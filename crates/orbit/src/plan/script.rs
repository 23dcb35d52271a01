//! The CSPM script of a command: read with all that it includes, its types checked, made ready to
//! be evaluated.

use super::check::CheckPlan;
use crate::flags::CheckFlags;
use base::{Diagnostic, Diagnostics, Source, SourceId, Sources, Span, quote};
use cspm::ast::{self, DeclKind};
use cspm::eval::Script;
use driver::input;
use driver::plan::SearchOptions;
use driver::trail::Target;
use reduce::network::Algorithm;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// A script that was accepted.
pub struct ReadScript {
    /// Where it was read from, as typed.
    pub path: String,
    /// The script.
    pub script: ast::Script,
}

/// The assertions of a script that are to be checked.
pub struct ScriptPlan {
    /// Where it was read from, as typed.
    pub path: String,
    /// The script, ready to be evaluated.
    pub script: Mutex<Script>,
    /// Its text and those that it includes.
    pub sources: Sources,
    /// Which of them is its own.
    pub main: SourceId,
    /// How.
    pub manner: SearchOptions,
    /// Who stands for pairs of states that are alike.
    pub algorithm: Algorithm,
    /// Its assertions that are to be checked.
    pub asked: Vec<Asked>,
    /// The texts of the others.
    pub not_asked: Vec<String>,
    /// The lines of its `print`s, in order; none if single assertions were asked for.
    pub print_lines: Vec<u32>,
    /// The most states of a component.
    pub leaf_states_max: usize,
    /// The hash of its text with all that it includes.
    pub hash: u64,
    /// Where a counterexample is written to.
    pub trail: Option<Target>,
    /// How long it took to get here.
    pub load: Duration,
}

/// An assertion that is to be checked.
pub struct Asked {
    /// Which of the script's it is, from 0.
    pub index: usize,
    /// Where it stands.
    pub span: Span,
    /// As it is written, without the word `assert`.
    pub text: String,
    /// Its line.
    pub line: u32,
}

/// The most states of a component, where nothing is said.
pub const LEAF_STATES: usize = 200_000;

/// The plan, or `None` if `found` says why not.
pub fn plan(
    flags: CheckFlags,
    manner: SearchOptions,
    sources: &mut Sources,
    found: &mut Diagnostics,
) -> Option<CheckPlan> {
    let start = Instant::now();
    let algorithm = algorithm(&flags, found);
    let path = flags.model.file.clone()?;
    let (main, script) = read(&path, &flags.model.include, sources, found)?;
    let name = path.display().to_string();
    if flags.parse_only {
        return Some(CheckPlan::ParseScript(Box::new(ReadScript {
            path: name,
            script,
        })));
    }
    let live = Script::load(&script).map_err(|why| why.into_iter().for_each(|d| found.push(d)));
    let live = live.ok()?;
    live.remarks().for_each(|remark| found.push(remark));
    let all = assertions(&live, sources);
    let texts: Vec<String> = all.iter().map(|asked| asked.text.clone()).collect();
    let asked = chosen(all, flags.property.as_deref(), found)?;
    let is_asked = |n: usize| asked.iter().any(|asked| asked.index == n);
    let others = texts.into_iter().enumerate();
    let others = others.filter(|(n, _)| !is_asked(*n)).map(|(_, text)| text);
    let not_asked = others.collect();
    let line = |decl: &ast::Decl| {
        matches!(decl.kind, DeclKind::Print(_)).then(|| line(decl.span, sources))
    };
    let print_lines = match flags.property {
        None => script.decls.iter().filter_map(line).collect(),
        Some(_) => Vec::new(),
    };
    let trail = super::check::target(&flags, found).ok()?;
    Some(CheckPlan::SearchScript(Box::new(ScriptPlan {
        path: name,
        script: Mutex::new(live),
        sources: sources.clone(),
        main,
        manner,
        algorithm,
        asked,
        not_asked,
        print_lines,
        leaf_states_max: flags.script.leaf_states.unwrap_or(LEAF_STATES),
        hash: hash(main, sources),
        trail,
        load: start.elapsed(),
    })))
}

/// Who is to stand for pairs of states that are alike.
fn algorithm(flags: &CheckFlags, found: &mut Diagnostics) -> Algorithm {
    match flags.reduce.as_deref() {
        None if flags.no_symmetry => Algorithm::Check,
        None | Some("canonical") => Algorithm::Exact,
        Some(name) => Algorithm::named(name).unwrap_or_else(|| {
            let message = format!("there is no strategy {} for CSPM scripts", quote(name));
            let names = Algorithm::ALL.map(Algorithm::name).join(", ");
            found.push(Diagnostic::unlocated(message).note(format!("there are: {names}")));
            Algorithm::Check
        }),
    }
}

/// Refuses what means nothing for a script.
pub fn refuse(flags: &CheckFlags, found: &mut Diagnostics) {
    algorithm(flags, found);
    if flags.script.leaf_states == Some(0) {
        let message = "`--leaf-states` is 0, and every process has a state";
        found.push(Diagnostic::unlocated(message));
    }
}

/// The script in a file, with those that it includes, its types checked; and its own text.
pub fn read(
    path: &Path,
    folders: &[PathBuf],
    sources: &mut Sources,
    found: &mut Diagnostics,
) -> Option<(SourceId, ast::Script)> {
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
    let script = cspm::read(main, sources, &mut include, found);
    unreadable.into_iter().for_each(|why| found.push(why));
    let script = script?;
    cspm::check(&script, found)?;
    Some((main, script))
}

/// The hash of a script with all that it includes; nothing else was read after its own text.
pub fn hash(main: SourceId, sources: &Sources) -> u64 {
    let texts: Vec<&str> = sources.from(main).iter().map(Source::text).collect();
    base::hash(texts)
}

/// The assertions of a script with their texts.
pub fn assertions(script: &Script, sources: &Sources) -> Vec<Asked> {
    let spans = script.assertion_spans().into_iter().enumerate();
    let asked = spans.map(|(index, span)| {
        let text = without_comments(sources.text(span));
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        Asked {
            index,
            span,
            text: text.strip_prefix("assert ").unwrap_or(&text).to_owned(),
            line: line(span, sources),
        }
    });
    asked.collect()
}

/// A text without its comments, `--` to the end of the line and `{- -}`, which nest.
fn without_comments(text: &str) -> String {
    let mut kept = String::new();
    let (mut left, mut n_open) = (text, 0);
    while let Some(c) = left.chars().next() {
        let (taken, is_kept) = match () {
            () if left.starts_with("{-") => {
                n_open += 1;
                (2, false)
            }
            () if n_open > 0 && left.starts_with("-}") => {
                n_open -= 1;
                (2, false)
            }
            () if n_open == 0 && left.starts_with("--") => {
                (left.find('\n').unwrap_or(left.len()), false)
            }
            () => (c.len_utf8(), n_open == 0),
        };
        if is_kept {
            kept.push(c);
        }
        left = &left[taken..];
    }
    kept
}

fn line(span: Span, sources: &Sources) -> u32 {
    sources.get(span.source).position(span.start as usize).line as u32
}

/// The assertions that `-p`, or `--assert`, asks for: all, the one of a number, or those with a
/// text.
pub fn chosen(
    all: Vec<Asked>,
    property: Option<&str>,
    found: &mut Diagnostics,
) -> Option<Vec<Asked>> {
    let Some(word) = property else {
        return Some(all);
    };
    let n = all.len();
    let number = word.parse::<usize>().ok();
    let plain = word.split_whitespace().collect::<Vec<_>>().join(" ");
    let plain = plain.strip_prefix("assert ").unwrap_or(&plain);
    let is_meant = |asked: &Asked| match number {
        Some(number) => asked.index + 1 == number,
        None => asked.text.contains(plain),
    };
    let names: Vec<String> = all
        .iter()
        .take(LISTED_MAX)
        .map(|asked| format!("{} {}", asked.index + 1, asked.text))
        .collect();
    let meant: Vec<Asked> = all.into_iter().filter(is_meant).collect();
    if meant.is_empty() {
        let message = format!("there is no assertion {}", quote(word));
        let note = match (n, n > LISTED_MAX) {
            (0, _) => "the script has none".to_owned(),
            (_, false) => format!("there are: {}", names.join("; ")),
            (_, true) => format!("there are {n}: {}; …", names.join("; ")),
        };
        found.push(Diagnostic::unlocated(message).note(note));
        return None;
    }
    Some(meant)
}

/// How many assertions a message lists.
const LISTED_MAX: usize = 10;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_left_out() {
        let text = "assert {- a {- b -} -} P -- c\n  [T= Q {- d";
        assert_eq!(without_comments(text), "assert  P \n  [T= Q ");
        assert_eq!(without_comments("--"), "");
    }
}
