//! The meaning of `orbit group`.

use crate::flags::GroupFlags;
use crate::watchdog;
use base::{Diagnostic, Diagnostics, SourceId, Sources, Span, quote};
use calculator::group::{GroupPlan, RandomPlan};
use calculator::lists;
use calculator::perms::{self, WrittenPerm};
use calculator::points::{DEGREE_MAX, PointNotation};
use driver::input;
use group::Perm;
use group::cycles::PointNames;
use std::path::Path;

/// Generators that together have more images than this fill the memory.
const IMAGES_MAX: usize = 100_000_000;

/// The plan, or `None` if `found` says why not.
pub fn plan(
    flags: GroupFlags,
    sources: &mut Sources,
    found: &mut Diagnostics,
) -> Option<GroupPlan> {
    let points = match &flags.names {
        Some(text) => PointNotation::Names(names(text, sources, found)?),
        None => PointNotation::Numbers,
    };
    let typed = generators(&flags, sources, &points, found)?;
    let degree = degree(&flags, &points, &typed, found)?;
    if typed.len().saturating_mul(degree) > IMAGES_MAX {
        found.push(Diagnostic::unlocated(format!(
            "{} generators on {degree} points are more than fits: the product may be {IMAGES_MAX}",
            typed.len()
        )));
        return None;
    }
    let before = found.n_errors();
    let generators: Vec<Perm> = typed
        .iter()
        .filter_map(|typed| typed.perm(degree, sources, &points, found))
        .collect();
    let mut point_list = |text: &Option<String>, flag: &str, found: &mut Diagnostics| {
        let text = text.as_deref()?;
        let source = sources.add(flag, text);
        lists::points(text, source, &points, degree, found)
    };
    let stabiliser = point_list(&flags.stabiliser, "--stabiliser", found);
    let set_stabiliser = point_list(&flags.set_stabiliser, "--set-stabiliser", found);
    let image = flags.image.as_deref().and_then(|text| {
        let source = sources.add("--image", text);
        values(text, source, degree, found)
    });
    let contains = flags.contains.as_deref().and_then(|text| {
        let source = sources.add("--contains", text);
        perms::read(sources, source, 0..text.len(), &points, found)?
            .perm(degree, sources, &points, found)
    });
    let random = flags.random.map(|n_elements| RandomPlan {
        n_elements,
        seed: flags.seed,
    });
    let elements = flags.elements;
    let clock = watchdog::clock(super::time(&flags.time, found));
    let sound = found.n_errors() == before;
    sound.then_some(GroupPlan {
        degree,
        points,
        generators,
        stabiliser,
        set_stabiliser,
        image,
        contains,
        random,
        enumerate_max: flags.taken_apart,
        elements,
        clock,
    })
}

/// The table of names in `--names`.
fn names(text: &str, sources: &mut Sources, found: &mut Diagnostics) -> Option<PointNames> {
    let source = sources.add("--names", text);
    let before = found.n_errors();
    let mut names: Vec<String> = Vec::new();
    let mut start = 0;
    for word in text.split(',') {
        let span = Span::new(source, start..start + word.len());
        start += word.len() + 1;
        let name = word.trim();
        if name.is_empty() {
            let note = "names stand between commas: a,b,c";
            found.push(Diagnostic::error(span, "an empty name").note(note));
        } else if name.contains(|c: char| c.is_whitespace() || c.is_control() || "()#".contains(c))
        {
            let message = format!("{} cannot be a name", quote(name));
            let note = "names have no spaces, brackets or `#`, so that cycles can be read";
            found.push(Diagnostic::error(span, message).note(note));
        } else if names.iter().any(|earlier| earlier == name) {
            let message = format!("the name {} stands twice", quote(name));
            found.push(Diagnostic::error(span, message));
        } else {
            names.push(name.to_owned());
        }
    }
    (found.n_errors() == before).then(|| PointNames::new(names).expect("no name stands twice"))
}

/// The generators of the arguments and of the file, in that order; at least one.
fn generators(
    flags: &GroupFlags,
    sources: &mut Sources,
    points: &PointNotation,
    found: &mut Diagnostics,
) -> Option<Vec<WrittenPerm>> {
    let before = found.n_errors();
    let mut typed = Vec::new();
    let n_inputs = flags.generators.iter().filter(|text| *text == "-").count()
        + usize::from(flags.file.as_deref() == Some(Path::new("-")));
    if n_inputs > 1 {
        found.push(Diagnostic::unlocated(
            "standard input is given twice; it can be read once",
        ));
        return None;
    }
    for (i, text) in flags.generators.iter().enumerate() {
        if text == "-" {
            typed.extend(generators_of_file(Path::new("-"), sources, points, found));
        } else {
            let source = sources.add(format!("generator {}", i + 1), text.as_str());
            typed.extend(perms::read(sources, source, 0..text.len(), points, found));
        }
    }
    if let Some(path) = &flags.file {
        typed.extend(generators_of_file(path, sources, points, found));
    }
    if typed.is_empty() && found.n_errors() == before {
        let message = "no generators are given";
        let note = "write permutations as arguments, such as \"(1 2 3)(4 5)\", or use --file";
        found.push(Diagnostic::unlocated(message).note(note));
    }
    (found.n_errors() == before).then_some(typed)
}

/// The generators of a file: one a line, `#` before a comment. An empty line is a mistake, because
/// it may be a permutation that got lost.
fn generators_of_file(
    path: &Path,
    sources: &mut Sources,
    points: &PointNotation,
    found: &mut Diagnostics,
) -> Vec<WrittenPerm> {
    let mut typed = Vec::new();
    let source = match input::read(path, sources) {
        Ok(source) => source,
        Err(diagnostic) => {
            found.push(diagnostic);
            return typed;
        }
    };
    let before = found.n_errors();
    for (range, line) in sources.get(source).lines() {
        let code = line.split('#').next().unwrap_or("");
        if code.len() < line.len() && code.trim().is_empty() {
            continue;
        }
        if found.n_errors() - before >= ERRORS_MAX {
            let span = Span::new(source, range);
            found.push(Diagnostic::error(
                span,
                "too many errors; the rest was not read",
            ));
            break;
        }
        if line.trim().is_empty() {
            found.push(empty_line(Span::new(source, range)));
            continue;
        }
        let code = range.start..range.start + code.len();
        typed.extend(perms::read(sources, source, code, points, found));
    }
    if typed.is_empty() && found.n_errors() == before {
        let start = Span::new(source, 0..0);
        found.push(Diagnostic::error(start, "the file has no generators"));
    }
    typed
}

/// After this many mistakes a file is probably something else.
const ERRORS_MAX: usize = 100;

fn empty_line(span: Span) -> Diagnostic {
    Diagnostic::error(span, "an empty line")
        .saying("a generator is expected here")
        .note("`()` is the identity; a line that starts with `#` is a comment")
}

/// The number of points that the group acts on.
fn degree(
    flags: &GroupFlags,
    points: &PointNotation,
    typed: &[WrittenPerm],
    found: &mut Diagnostics,
) -> Option<usize> {
    if let Some(degree) = flags.degree {
        if degree > DEGREE_MAX {
            let message = format!("--degree {degree} is beyond the limit of {DEGREE_MAX}");
            found.push(Diagnostic::unlocated(message));
            return None;
        }
        return Some(degree);
    }
    match points {
        PointNotation::Names(names) => Some(names.len()),
        PointNotation::Numbers => Some(typed.iter().map(WrittenPerm::n_points).max().unwrap_or(0)),
    }
}

/// The whole numbers of `--image`, one a point.
fn values(
    text: &str,
    source: SourceId,
    degree: usize,
    found: &mut Diagnostics,
) -> Option<Vec<i64>> {
    let before = found.n_errors();
    let mut values = Vec::new();
    for (range, word) in lists::list(text) {
        match word.parse() {
            Ok(value) => values.push(value),
            Err(_) => {
                let message = format!("{} is not a whole number of 64 bits", quote(word));
                found.push(Diagnostic::error(Span::new(source, range), message));
            }
        }
    }
    if found.n_errors() == before && values.len() != degree {
        let whole = Span::new(source, 0..text.len());
        let message = format!("{} values for {degree} points", values.len());
        found.push(Diagnostic::error(whole, message).note("give one value for each point"));
    }
    (found.n_errors() == before).then_some(values)
}
