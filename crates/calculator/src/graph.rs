//! Automorphisms, canonical form and isomorphism of a coloured graph.
//!
//! Worked example: the path 1–2–3 has two automorphisms, the identity and `(1 3)`; its orbits are
//! `{1 3}` and `{2}`. Every graph that is a path of three vertices has the same canonical form.

use crate::group::put_orbits;
use crate::points::PointNotation;
use ::group::graph::dimacs::{self, DimacsGraph};
use ::group::graph::{analyse_within, isomorphism_within};
use ::group::{Budget, NoAnswer, Point};
use base::Clock;
use report::answer::{Answer, Exit};
use report::page::Page;
use report::words::short_number;
use serde_json::Value;

/// A graph and what to do with it.
pub struct GraphPlan {
    /// The graph.
    pub graph: DimacsGraph,
    /// What to do.
    pub task: GraphTask,
    /// How long it may take.
    pub clock: Clock<'static>,
}

/// What to do with a graph.
pub enum GraphTask {
    /// Show its automorphism group.
    Automorphisms,
    /// Print its canonical form.
    Canonical,
    /// Compare it with another.
    Isomorphism(DimacsGraph),
}

/// Carries out the plan.
pub fn run(plan: &GraphPlan) -> Answer {
    let budget = Budget::until(plan.clock);
    let answer = match &plan.task {
        GraphTask::Automorphisms => symmetry(&plan.graph, &budget),
        GraphTask::Canonical => canonical_form(&plan.graph, &budget),
        GraphTask::Isomorphism(other) => compare(&plan.graph, other, &budget),
    };
    answer.unwrap_or_else(|reason| {
        let words = reason.to_string();
        report::answer::unknown(stop_reason(reason), &words)
    })
}

/// The same reason, as searches of states have it.
fn stop_reason(reason: NoAnswer) -> check::StopReason {
    match reason {
        NoAnswer::Interrupted => check::StopReason::Interrupted,
        NoAnswer::Time | NoAnswer::Steps => check::StopReason::Time,
    }
}

/// The automorphism group.
fn symmetry(lines: &DimacsGraph, budget: &Budget) -> Result<Answer, NoAnswer> {
    let (found, _) = analyse_within(&lines.graph(), budget)?;
    let points = PointNotation::Numbers;
    let mut page = Page::new();
    let order = found.order.to_string();
    page.row("order", &short_number(&order));
    page.row("vertices", &lines.colours.len().to_string());
    page.field("order", order);
    page.field("degree", lines.colours.len());
    page.field("n_edges", lines.edges.len());
    page.field("n_arcs", lines.arcs.len());
    put_orbits(&found.orbits, &points, &mut page);
    let texts: Vec<String> = found
        .generators
        .iter()
        .map(|g| points.text(&g.cycles()))
        .collect();
    page.column("generators", &texts);
    page.field("generators", texts);
    let base: Vec<String> = found.base.iter().map(|&x| points.word(x)).collect();
    page.list("base", base);
    page.field("base", points.json(&found.base));
    Ok(Answer::new(Exit::Holds, page))
}

/// The canonical form, as a graph that can be read again.
fn canonical_form(lines: &DimacsGraph, budget: &Budget) -> Result<Answer, NoAnswer> {
    let graph = lines.graph();
    let (_, labelling) = analyse_within(&graph, budget)?;
    let form = DimacsGraph::of_graph(&graph.renamed(labelling.places()));
    let text = dimacs::print(&form);
    let mut page = Page::new();
    page.verbatim(&text);
    page.field("canonical", text);
    page.field("labelling", PointNotation::Numbers.json(labelling.places()));
    Ok(Answer::new(Exit::Holds, page))
}

/// Whether two graphs are isomorphic, and by which map.
fn compare(lines: &DimacsGraph, other: &DimacsGraph, budget: &Budget) -> Result<Answer, NoAnswer> {
    let map = isomorphism_within(&lines.graph(), &other.graph(), budget)?;
    let mut page = Page::new();
    page.row("isomorphic", if map.is_some() { "yes" } else { "no" });
    page.field("isomorphic", map.is_some());
    if let Some(map) = &map {
        let pairs = map.iter().enumerate();
        page.list("by", pairs.map(|(x, y)| format!("{}→{}", x + 1, y + 1)));
    }
    let points = |map: &Vec<Point>| PointNotation::Numbers.json(map);
    page.field("mapping", map.as_ref().map_or(Value::Null, points));
    Ok(Answer::new(Exit::of_answer(map.is_some()), page))
}
