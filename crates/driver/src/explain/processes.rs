//! The sections of the page: group, orbits, sorts, making, and what stands in the way.

use super::suggested::Tryout;
use super::{rejected_section, wrapped};
use crate::detect::Detected;
use crate::{advice, details};
use base::Clock;
use model::processes::layout::Role;
use model::processes::program::Arrangement;
use reduce::processes::Found;
use reduce::processes::blockers::{self, Blocker};
use reduce::processes::declared::unmet;
use reduce::processes::diagram::ByDiagram;
use reduce::processes::names::Names;
use reduce::processes::structure::Bearer;
use report::answer::Exit;
use report::object::{self, ChannelDiagram, Generator, Orbits, Symmetries};
use report::page::Page;
use report::words::short_number;
use std::collections::BTreeSet;

/// How many reasons are shown; JSON has all.
const N_SHOWN_MAX: usize = 12;
/// How many of those that a reason keeps apart are shown.
const N_OF_MAX: usize = 8;
/// How many members of a sort are shown.
const N_MEMBERS_MAX: usize = 16;

/// The group and its generators.
pub fn group(found: &Found, page: &mut Page, told: &mut Symmetries) {
    let group = found.certified.group();
    let order = group.order().to_string();
    let shape = group::shape::name::describe(group);
    let structure = shape.to_string();
    let names = Names::new(&found.sorts, &found.population);
    let bearers = &found.certified.act().points().bearers;
    let generators: Vec<String> = group
        .generators()
        .iter()
        .map(|g| names.cycles(bearers, g))
        .collect();
    if group.is_trivial() {
        page.row("group", "trivial: nothing is interchangeable")
    } else {
        page.row(
            "group",
            &format!("{structure}, order {}", short_number(&order)),
        );
        page.column("generators", &generators);
    }
    let advice = advice::strategy(group, &shape);
    page.row("advice", &advice);
    told.advice = Some(advice);
    told.group_order = Some(order);
    told.structure = Some(structure);
    told.generators = generators.into_iter().map(Generator::new).collect();
}

/// What the text declares, and whether it holds.
pub fn declared(found: &Found, clock: Clock<'static>, page: &mut Page, told: &mut Symmetries) {
    let known = unmet(found, clock);
    let unknown = known
        .is_none()
        .then(|| "time ran out before this was known".to_owned());
    let unmet = known.unwrap_or_default();
    let all = found.sorts.text.declared_symmetries.iter();
    let all = all.map(|declared| {
        let name = &found.sorts.text.proctype(declared.proctype).name;
        let unmet = unmet.iter().find(|unmet| unmet.declared == *declared);
        object::Declared {
            text: match declared.arrangement {
                Arrangement::Symmetric => format!("symmetric {name}"),
                Arrangement::Ring => format!("ring {name}"),
                Arrangement::Blocks(size) => format!("blocks {name} of {size}"),
            },
            unmet: unmet.map(|unmet| unmet.reason.clone()),
            unknown: unknown.clone(),
        }
    });
    told.declared = all.collect();
    let rows = told.declared.iter().map(|declared| {
        let words = match (&declared.unknown, &declared.unmet) {
            (Some(why), _) => format!("unknown: {why}"),
            (None, Some(why)) => format!("does not hold: {why}"),
            (None, None) => "holds".to_owned(),
        };
        format!("{}: {words}", declared.text)
    });
    let rows: Vec<String> = rows.collect();
    if !rows.is_empty() {
        page.column("declared", &rows);
    }
}

/// What the group rests on: sends in loops that are taken not to wait.
pub fn assumed(found: &Found, page: &mut Page, told: &mut Symmetries) {
    let lines = found.certified.homes().lines();
    if !lines.is_empty() {
        let numbers: Vec<String> = lines.iter().map(u32::to_string).collect();
        let words = format!(
            "no send or receive of the loops with line {} waits in the middle, and those that \
             copy from an element find one at most; `orbit check` looks at that, and goes on with \
             less symmetry if it is not so",
            numbers.join(", ")
        );
        page.listing("assumed", &wrapped(&words));
    }
    told.assumed_lines = lines.to_vec();
}

/// Generators that were given, or found, and are none.
pub fn rejected(detected: &Detected, page: &mut Page, told: &mut Symmetries) {
    let all = detected.rejected.iter().map(|r| r.told.clone());
    rejected_section(all.collect(), page, told);
}

/// Who can be exchanged with whom.
pub fn orbits(found: &Found, page: &mut Page, told: &mut Symmetries) {
    let names = Names::new(&found.sorts, &found.population);
    let orbits = blockers::orbits(found);
    let named = |all: &[Vec<i32>], bearer: &dyn Fn(i32) -> Bearer| -> Vec<Vec<String>> {
        let name = |n: &i32| names.name(bearer(*n));
        all.iter()
            .map(|orbit| orbit.iter().map(name).collect())
            .collect()
    };
    let processes = named(&orbits.processes, &Bearer::Process);
    let channels = named(&orbits.channels, &Bearer::Channel);
    put_orbits("processes", &processes, page);
    if !channels.is_empty() {
        put_orbits("channels", &channels, page);
    }
    told.orbits = Some(Orbits {
        processes,
        channels,
    });
}

fn put_orbits(label: &str, orbits: &[Vec<String>], page: &mut Page) {
    let set = |orbit: &Vec<String>| match orbit.len() {
        n if n > N_MEMBERS_MAX => {
            let shown = orbit[..N_MEMBERS_MAX / 2].join(" ");
            format!("{{{shown} … {}}} ({n})", orbit[n - 1])
        }
        _ => format!("{{{}}}", orbit.join(" ")),
    };
    page.list(label, orbits.iter().map(set));
}

/// Sets of numbers that are only passed on and compared. In text those that something moves.
pub fn sorts(found: &Found, page: &mut Page, told: &mut Symmetries) {
    let names = Names::new(&found.sorts, &found.population);
    let n_channels = found.population.channels.len() as i32;
    let mut lines = Vec::new();
    for (class, sort) in details::sorts(found) {
        if sort.moves == Some(true) {
            let class = &found.sorts.classes[class.index()];
            let member = |value: &i32| match class.names_channels {
                true if (1..=n_channels).contains(value) => names.name(Bearer::Channel(*value)),
                _ => value.to_string(),
            };
            let members = class.members.iter().flatten();
            let shown: Vec<String> = members.take(N_MEMBERS_MAX).map(member).collect();
            let more = if sort.members.len() > N_MEMBERS_MAX {
                " …"
            } else {
                ""
            };
            let line = format!("{{{}{more}}}: {}", shown.join(" "), sort.origin.join(", "));
            lines.extend(wrapped(&line));
        }
        told.sorts.push(sort);
    }
    if !lines.is_empty() {
        page.listing("sorts", &lines);
    }
}

/// What the making of processes breaks.
pub fn making(found: &Found, tryout: &mut Tryout<'_>, page: &mut Page, told: &mut Symmetries) {
    let all = reduce::processes::making::making(found);
    let is_trivial = found.certified.group().is_trivial();
    let advice = if is_trivial {
        pieces_of_advice(&all, tryout)
    } else {
        Vec::new()
    };
    told.making = put_blockers("making", &all, &advice, page);
    put_advice("", &advice, page);
}

/// What stands in the way of more.
pub fn blockers(
    detected: &Detected,
    tryout: &mut Tryout<'_>,
    page: &mut Page,
    told: &mut Symmetries,
) {
    let found = &detected.found;
    let all = details::blockers(found, &blockers::orbits(found), detected.is_partial);
    let is_trivial = found.certified.group().is_trivial();
    let advice = if is_trivial {
        pieces_of_advice(&all, tryout)
    } else {
        Vec::new()
    };
    told.blockers = put_blockers("blockers", &all, &advice, page);
    if is_trivial && all.is_empty() {
        page.row("blockers", &lonely(found));
    }
    put_advice("to change", &advice, page);
}

/// A piece of advice.
struct Piece {
    words: &'static str,
    lines: BTreeSet<u32>,
    /// What following it gives, if that was tried.
    tried: Option<String>,
}

/// What would have to change, each piece of advice once, with its lines.
fn pieces_of_advice(all: &[Blocker], tryout: &mut Tryout<'_>) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for blocker in all {
        let words = blocker.advice;
        let n = pieces.iter().position(|piece| piece.words == words);
        let n = n.unwrap_or_else(|| {
            pieces.push(Piece {
                words,
                lines: BTreeSet::new(),
                tried: None,
            });
            pieces.len() - 1
        });
        pieces[n].lines.insert(blocker.line);
    }
    for piece in &mut pieces {
        piece.tried = tryout.tried(piece.words, &piece.lines);
        piece.lines.remove(&0);
    }
    pieces
}

fn put_advice(label: &str, advice: &[Piece], page: &mut Page) {
    let mut shown = Vec::new();
    for piece in advice {
        let lines: Vec<String> = piece.lines.iter().map(u32::to_string).collect();
        let place = match lines.len() {
            0 => String::new(),
            1 => format!(" (line {})", lines[0]),
            _ => format!(" (lines {})", lines.join(", ")),
        };
        let tried = match &piece.tried {
            Some(structure) => format!("; tried: gives {structure}"),
            None => "; not tried".to_owned(),
        };
        shown.extend(wrapped(&format!("{}{place}{tried}", piece.words)));
    }
    if !shown.is_empty() {
        page.listing(label, &shown);
    }
}

/// Why there is nothing to say about a model without symmetry.
fn lonely(found: &Found) -> String {
    let processes = &found.population.processes;
    let mut kinds: Vec<usize> = processes.iter().map(|r| r.kind.index()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let has_buffers = found.population.channels.iter().any(|r| {
        let role = &found.sorts.text.layout.kind(r.kind).role;
        matches!(role, Role::Channel(buffer) if buffer.capacity > 0)
    });
    match (kinds.len() == processes.len(), has_buffers) {
        (true, _) => "every process has a type of its own, so there is nobody to exchange it with",
        (false, true) => "no two channels are alike, and processes of one type move nothing",
        (false, false) => "processes of one type are alike, but no state shows which is which",
    }
    .to_owned()
}

fn put_blockers(
    key: &str,
    all: &[Blocker],
    advice: &[Piece],
    page: &mut Page,
) -> Vec<object::Blocker> {
    let mut told: Vec<(String, Vec<u32>, &str)> = Vec::new();
    for blocker in all {
        let who = match &blocker.of[..] {
            [a, b] => format!("{a} and {b}"),
            of if of.len() > N_OF_MAX => format!("{}, …", of[..N_OF_MAX].join(", ")),
            of => of.join(", "),
        };
        let mut same = told
            .iter_mut()
            .filter(|(by, _, reason)| *by == who && *reason == blocker.reason);
        match same.next() {
            Some((_, lines, _)) => lines.push(blocker.line),
            None => told.push((who, vec![blocker.line], &blocker.reason)),
        }
    }
    let mut lines = Vec::new();
    for (who, at, reason) in told.iter().take(N_SHOWN_MAX) {
        let numbers: Vec<String> = at.iter().map(u32::to_string).collect();
        let place = match &at[..] {
            [0] => String::new(),
            [line] => format!("line {line}: "),
            _ => format!("lines {}: ", numbers.join(", ")),
        };
        lines.extend(wrapped(&format!("{who}: {place}{reason}")));
    }
    if told.len() > N_SHOWN_MAX {
        lines.push(format!("… and {} more", told.len() - N_SHOWN_MAX));
    }
    if !lines.is_empty() {
        page.listing(key, &lines);
    }
    let objects = all.iter().map(|blocker| object::Blocker {
        of: blocker.of.clone(),
        line: (blocker.line > 0).then_some(blocker.line),
        reason: blocker.reason.clone(),
        advice: blocker.advice.to_owned(),
        tried: (advice.iter())
            .find(|piece| piece.words == blocker.advice)
            .and_then(|piece| piece.tried.clone()),
    });
    objects.collect()
}

/// What the channel diagram gave: the orders of its group, of what its valid generators make, and
/// of the largest valid subgroup.
pub fn diagram(by: &ByDiagram, page: &mut Page, told: &mut Symmetries) -> Exit {
    let automorphisms = by.automorphisms.order();
    let valid = &automorphisms / &by.largest.n_cosets_at_first;
    let conjugated = by.with_conjugates();
    let largest = by.largest.group.order();
    let [aut, h, g] = [&automorphisms, &valid, &largest].map(|n| short_number(&n.to_string()));
    page.row(&format!("|Aut({})|", by.kind.letters()), &aut);
    page.row("|H|", &format!("{h}, from the valid generators alone"));
    if conjugated != valid {
        let order = short_number(&conjugated.to_string());
        page.row("", &format!("{order}, with their conjugates"));
    }
    let tests = by.largest.n_tests;
    let end = if by.largest.is_largest {
        format!("{g}, after {tests} tests")
    } else {
        let left = short_number(&by.largest.n_cosets_left.to_string());
        format!("at least {g}: {tests} tests, {left} cosets left")
    };
    page.row("|G|", &end);
    told.channel_diagram = Some(ChannelDiagram {
        diagram: by.kind.letters().to_owned(),
        automorphisms: automorphisms.to_string(),
        valid_generators: valid.to_string(),
        with_conjugates: conjugated.to_string(),
        largest: largest.to_string(),
        is_largest: by.largest.is_largest,
        n_tests: tests,
    });
    if by.largest.is_largest {
        Exit::Holds
    } else {
        Exit::Unknown
    }
}
