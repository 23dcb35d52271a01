//! What a symmetry is about, and what stands in the way of more, as data: `orbit symmetry` and
//! `orbit check --json` tell the same.
//!
//! Worked example: three clients of which line 41 treats the third in its own way. The sort is
//! `client:me` with the members 1 2 3; rejected is `(client(2) client(3))`, by line 41. Of a B
//! machine, rejected are members of a set that were said to be alike: `(p q)`.

pub mod values;

use reduce::processes::Found;
use reduce::processes::blockers::{self, Blocker, NOT_REFINED, Orbits};
use reduce::processes::names::Names;
use reduce::processes::sort::ClassId;
use reduce::processes::structure::Bearer;
use std::collections::BTreeSet;

/// `orbit check` explains what keeps so many orbits of processes apart, and so many of channels;
/// `orbit symmetry` explains all.
const N_ORBITS_MAX: usize = 16;
/// Sets of numbers, with the class that each is.
pub fn sorts(found: &Found) -> Vec<(ClassId, report::Sort)> {
    let names = Names::new(&found.sorts, &found.population);
    let bearers = found.certified.act().points().bearers.iter();
    let moved: BTreeSet<ClassId> = bearers
        .filter_map(|bearer| match bearer {
            Bearer::Member(class, _) => Some(*class),
            _ => None,
        })
        .collect();
    let classes = found.sorts.classes.iter().enumerate();
    let sorts = classes.filter_map(|(c, class)| {
        let id = ClassId::new(c);
        let members = class.members.as_ref().filter(|m| m.len() > 1)?;
        let origin = names.places(id);
        let names = members.iter().map(i32::to_string).collect();
        let sort = report::Sort {
            moves: Some(moved.contains(&id)),
            ..report::Sort::inferred(origin.first()?.clone(), names)
        };
        let sort = report::Sort { origin, ..sort };
        Some((id, sort))
    });
    sorts.collect()
}

/// What keeps these orbits apart.
pub fn blockers(found: &Found, orbits: &Orbits, is_partial: bool) -> Vec<Blocker> {
    let mut all = blockers::blockers(found, orbits);
    // What was not looked for everywhere may be missing for that reason.
    if is_partial {
        all.retain(|b| b.reason != NOT_REFINED);
    }
    all
}

/// Everything that a program may want to know of it: sorts, and what was refused by certification
/// or by a line of the model.
pub fn all(found: &Found, mut refused: Vec<report::Rejected>, is_partial: bool) -> report::Details {
    let mut orbits = blockers::orbits(found);
    orbits.processes.truncate(N_ORBITS_MAX);
    orbits.channels.truncate(N_ORBITS_MAX);
    refused.extend(
        blockers(found, &orbits, is_partial)
            .into_iter()
            .map(by_line),
    );
    report::Details {
        sorts: sorts(found).into_iter().map(|(_, sort)| sort).collect(),
        rejected: refused,
        assumed_lines: found.certified.homes().lines().to_vec(),
    }
}

/// Two that cannot be exchanged are a permutation, more are a set.
fn by_line(blocker: Blocker) -> report::Rejected {
    let candidate = match &blocker.of[..] {
        [a, b] => format!("({a} {b})"),
        of => format!("{{{}}}", of.join(" ")),
    };
    report::Rejected::new(candidate, blocker.reason, blocker.line)
}
