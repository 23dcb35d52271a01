//! What the making of a population means for its symmetry, with lines.
//!
//! Symmetry is that of the model once all are made. A maker that lets others move in the meantime,
//! or that goes on to make processes, leaves states that are not reduced.

use crate::processes::blockers::{Blocker, advice};
use crate::processes::found::Found;
use model::processes::expr::{Expr, ExprId, operands};
use model::processes::program::{Model, ProctypeId, roots};

/// A `run` in the text.
struct Run {
    by: ProctypeId,
    at: usize,
    of: ProctypeId,
    line: u32,
}

/// What the making breaks; empty if it is over before anybody moves, and nobody is made later.
pub fn making(found: &Found) -> Vec<Blocker> {
    let (text, sorts) = (&found.sorts.text, &found.sorts);
    let runs = runs(text);
    let name = |p: ProctypeId| text.proctype(p).name.clone();
    let mut all = Vec::new();
    if let Some(creator) = found
        .population
        .creator
        .as_ref()
        .filter(|_| found.population.interleaved || found.population.overtaken.is_some())
    {
        let own = runs.iter().filter(|run| run.by == creator.proctype);
        let first = own.map(|run| run.line).filter(|line| *line > 0).min();
        all.push(Blocker {
            of: vec![name(creator.proctype)],
            line: first.unwrap_or(0),
            reason: "processes move before all are made, and states before that are not reduced"
                .to_owned(),
            advice: advice::ATOMIC,
        });
    }
    let is_live = |run: &&Run| {
        let live = &sorts.live[run.by.index()];
        live.get(run.at).copied().unwrap_or(false) && sorts.made_later[run.of.index()]
    };
    for run in runs.iter().filter(is_live) {
        all.push(Blocker {
            of: vec![name(run.of)],
            line: run.line,
            reason: format!(
                "{} makes it while the model runs; such processes are not exchanged",
                name(run.by)
            ),
            advice: advice::LATER,
        });
    }
    all.sort_by_key(|blocker| blocker.line);
    all.dedup();
    all
}

fn runs(text: &Model) -> Vec<Run> {
    let mut all = Vec::new();
    for (p, proctype) in text.proctypes.iter().enumerate() {
        for (at, location) in proctype.locations.iter().enumerate() {
            for step in &location.steps {
                let step = text.step(*step);
                let line = text.sites[step.site.index()].line;
                let by = ProctypeId::new(p);
                roots(&step.action, &mut |e| {
                    made(text, e, &mut |of| all.push(Run { by, at, of, line }));
                });
            }
        }
    }
    all
}

fn made(text: &Model, e: ExprId, out: &mut dyn FnMut(ProctypeId)) {
    if let Expr::Run(p, ..) = text.expr(e) {
        out(*p);
    }
    operands(text.expr(e), &mut |e| made(text, e, out));
}
