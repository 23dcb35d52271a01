//! The sets of a B machine, as what its symmetry is about.
//!
//! Worked example: `Mode = {idle, busy, broken}`, where only the operation `repair` names one of
//! them, `broken`. Then `idle` and `busy` are interchangeable, for they are used alike; `broken` is
//! single, and told from `idle` by `repair`.

use bmachine::alike;
use bmachine::run::Program;
use model::values::SortId;
use reduce::values::CertifiedValues;
use report::object::{Exchangeable, Sort, ToldApart};

/// How many pairs of elements of a set are compared, to say what tells them apart.
const N_PAIRS_MAX: usize = 64;

/// The sets of a machine, which of their elements are alike, and why.
pub fn sorts(program: &Program, certified: &CertifiedValues) -> Vec<Sort> {
    let all = 0..program.signature().sorts.len();
    all.map(|s| known(program, certified, SortId::new(s)))
        .collect()
}

fn known(program: &Program, certified: &CertifiedValues, sort: SortId) -> Sort {
    let machine = program.machine();
    let own = program.signature().sort(sort);
    let is_deferred = machine.sorts[sort.index()].elements.is_none();
    let named = alike::named_elements(machine);
    let name = |e: &usize| own.members[*e].clone();
    let blocks = &certified.blocks()[sort.index()];
    let is_named = |e: &usize| named[sort.index()].contains(e);
    let why = |block: &[usize]| {
        if is_deferred {
            "no formula of B can tell them apart"
        } else if block.iter().any(is_named) {
            "they are used alike"
        } else {
            "they are never named"
        }
    };
    let single = (0..own.members.len()).filter(|e| !blocks.iter().any(|b| b.contains(e)));
    let single: Vec<usize> = single.collect();
    let stays = certified.apart().iter().find(|apart| apart.sort == sort);
    let classes = blocks.iter().map(|block| block[0]).chain(single.clone());
    let classes: Vec<usize> = classes.collect();
    let pairs = classes.iter().skip(1).take(N_PAIRS_MAX);
    let told_apart = pairs.filter_map(|other| {
        let by = alike::told_apart(machine, sort, (classes[0], *other))?;
        Some(ToldApart {
            of: [name(&classes[0]), name(other)],
            by,
        })
    });
    let alike = blocks.iter().map(|block| Exchangeable {
        members: block.iter().map(name).collect(),
        reason: why(block).to_owned(),
    });
    let moves = certified.act().points().moves(sort);
    Sort {
        kind: if is_deferred {
            "deferred"
        } else {
            "enumerated"
        }
        .to_owned(),
        moves: Some(!blocks.is_empty() && moves),
        interchangeable: alike.collect(),
        single: single.iter().map(name).collect(),
        apart: stays.map(|apart| apart.reason.clone()),
        in_states: Some(blocks.is_empty() || moves),
        told_apart: told_apart.collect(),
        ..Sort::inferred(own.name.clone(), own.members.clone())
    }
}
