//! What a symmetry is about, and what stands in the way of more, as data: `orbit symmetry` and
//! `orbit check --json` tell the same.
//!
//! Worked example: three clients of which line 41 treats the third in its own way. The sort is
//! `client:me` with the members 1 2 3; rejected is `(client(2) client(3))`, by line 41. Of a B
//! machine, rejected are members of a set that were said to be alike: `(p q)`.

pub mod machine;

use base::Span;
use model::values::Signature;
use reduce::processes::Found;
use reduce::processes::blockers::{self, Blocker, NOT_REFINED, Orbits};
use reduce::processes::names::Names;
use reduce::processes::sort::ClassId;
use reduce::processes::structure::Bearer;
use std::collections::BTreeSet;

/// `orbit check` explains what keeps so many orbits of processes apart, and so many of channels;
/// `orbit symmetry` explains all.
const N_ORBITS_MAX: usize = 16;
/// How many members of a set are shown.
const N_MEMBERS_MAX: usize = 16;

/// Members of a set that were said to be alike and were not certified; `line` says where places
/// are, 0 for those that are in no file.
pub fn rejected_members(
    rejected: &reduce::values::Rejected,
    signature: &Signature,
    line: &dyn Fn(Span) -> u32,
) -> report::Rejected {
    let members = &signature.sort(rejected.sort).members;
    let names = rejected.members.iter().map(|member| &*members[*member]);
    let names: Vec<&str> = names.collect();
    let candidate = match &names[..] {
        [a, b] => format!("({a} {b})"),
        [first @ .., last] if names.len() > N_MEMBERS_MAX => {
            let (shown, n) = (first[..N_MEMBERS_MAX / 2].join(" "), names.len());
            format!("{{{shown} … {last}}} ({n})")
        }
        names => format!("{{{}}}", names.join(" ")),
    };
    let place = rejected.objection.place().and_then(|place| place.span);
    let reason = rejected.objection.to_string();
    report::Rejected::new(candidate, reason, place.map_or(0, line))
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use base::SourceId;
    use model::values::{Objection, Part, Place, Sort, SortId};

    #[test]
    fn members_that_are_rejected_are_told_with_the_place_that_says_so() {
        let sort = Sort {
            name: "E".to_owned(),
            members: (0..20).map(|n| format!("e{n}")).collect(),
            is_named: true,
        };
        let signature = Signature {
            sorts: vec![sort],
            ..Signature::default()
        };
        let place = Place {
            part: Part::Operation("put".to_owned()),
            refined: None,
            span: Some(Span::new(SourceId::new(0), 7..9)),
        };
        let told = |members: Vec<usize>| {
            let rejected = reduce::values::Rejected {
                sort: SortId::new(0),
                members,
                objection: Objection::Changed(place.clone()),
            };
            rejected_members(&rejected, &signature, &|span| span.start)
        };
        let two = told(vec![3, 5]);
        assert_eq!(two.candidate, "(e3 e5)");
        assert_eq!(two.reason, "the operation `put` would not stay the same");
        assert_eq!(two.line, Some(7));
        assert_eq!(told(vec![3, 5, 6]).candidate, "{e3 e5 e6}");
        let all = told((0..20).collect()).candidate;
        assert_eq!(all, "{e0 e1 e2 e3 e4 e5 e6 e7 … e19} (20)");
    }
}
