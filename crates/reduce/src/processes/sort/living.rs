//! Where processes can be once the making is over, and which are made later.

use super::loops::Replaced;
use super::walk::blocks;
use model::processes::expr::{Expr, ExprId, operands};
use model::processes::population::Population;
use model::processes::program::{Model, ProctypeId, roots};

/// The locations where a process can be after the making, and the types made later.
pub(super) fn living(
    text: &Model,
    population: &Population,
    replaced: &Replaced,
) -> (Vec<Vec<bool>>, Vec<bool>) {
    let n = text.proctypes.len();
    let mut live: Vec<Vec<bool>> = Vec::new();
    let there = |p: usize| {
        let kind = text.proctypes[p].kind;
        population
            .processes
            .iter()
            .filter(|r| r.kind == kind)
            .count()
    };
    for p in 0..n {
        live.push(vec![there(p) > 0; text.proctypes[p].locations.len()]);
    }
    let made_anywhere = |p: usize| {
        text.exprs
            .iter()
            .any(|e| matches!(e, Expr::Run(q, ..) if q.index() == p))
    };
    let mut made_later = vec![false; n];
    if population.interleaved {
        // If others move, the maker may go another way and make others.
        for (p, live) in live.iter_mut().enumerate() {
            let is_made = made_by(text, population, ProctypeId::new(p));
            live.iter_mut().for_each(|live| *live |= is_made);
        }
    }
    if let Some(creator) = &population.creator {
        let p = creator.proctype.index();
        // If there can be others of its type, they may be anywhere.
        if there(p) == 1 && !made_anywhere(p) {
            live[p].fill(false);
            let after = creator.after.iter().enumerate();
            let after = after.filter(|(l, after)| **after && !replaced.removed[p].contains(l));
            let from: Vec<usize> = after.map(|(l, _)| l).collect();
            from.into_iter()
                .for_each(|l| spread(text, p, l, &mut live[p]));
        }
    }
    for (p, removed) in replaced.removed.iter().enumerate() {
        removed.iter().for_each(|l| live[p][*l] = false);
    }
    loop {
        let mut grown = false;
        for (proctype, live) in text.proctypes.iter().zip(&live) {
            let locations = proctype.locations.iter().zip(live);
            for (location, _) in locations.filter(|(_, live)| **live) {
                for step in &location.steps {
                    let mut made = Vec::new();
                    roots(&text.step(*step).action, &mut |e| runs(text, e, &mut made));
                    grown |= made.iter().any(|q| !made_later[q.index()]);
                    made.iter().for_each(|q| made_later[q.index()] = true);
                }
            }
        }
        for p in 0..n {
            if made_later[p] {
                live[p].fill(true);
                replaced.removed[p].iter().for_each(|l| live[p][*l] = false);
            }
        }
        if !grown {
            return (live, made_later);
        }
    }
}

/// Whether the maker can make processes of a type.
pub(super) fn made_by(text: &Model, population: &Population, p: ProctypeId) -> bool {
    let maker = population
        .creator
        .iter()
        .map(|creator| text.proctype(creator.proctype));
    let mut steps = maker
        .flat_map(|maker| &maker.locations)
        .flat_map(|l| &l.steps);
    steps.any(|step| {
        let mut made = Vec::new();
        roots(&text.step(*step).action, &mut |e| runs(text, e, &mut made));
        made.contains(&p)
    })
}

/// Marks what can be reached from a location.
fn spread(text: &Model, p: usize, at: usize, live: &mut [bool]) {
    let mut waiting = vec![at];
    while let Some(at) = waiting.pop() {
        if std::mem::replace(&mut live[at], true) {
            continue;
        }
        for step in &text.proctypes[p].locations[at].steps {
            let step = text.step(*step);
            waiting.push(step.target.index());
            blocks(&step.action, &mut |from, to| {
                waiting.extend([from.index(), to.index()])
            });
        }
    }
}

fn runs(text: &Model, e: ExprId, out: &mut Vec<ProctypeId>) {
    if let Expr::Run(p, ..) = text.expr(e) {
        out.push(*p);
    }
    operands(text.expr(e), &mut |e| runs(text, e, out));
}
