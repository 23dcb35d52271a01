//! `orbit view`: a picture of the states of a model.
//!
//! The model is explored, an abstraction of its states is computed (`driver::states`), and what is
//! asked for is written: words, a drawing, or a graph for other programs. Which abstraction was
//! chosen, and what was left out, is said on standard error.

use crate::answer::{Answer, Exit};
use crate::flags::PictureFormat;
use crate::page::Page;
use crate::plan::ViewPlan;
use crate::{output, watchdog};
use base::{Diagnostic, quote};
use check::states::StatesCut;
use driver::states::pictures::{Pictured, picture};
use driver::states::{Explored, StatesRequest, explore};
use report::object::{VERSION, ViewCounts, ViewEdge, ViewNode, Viewed};
use std::fmt::Write;
use view::{Drawing, Picture, svg};

/// Carries out the plan.
pub fn run(plan: &ViewPlan) -> Result<Answer, Diagnostic> {
    watchdog::phase("states were explored");
    let request = StatesRequest {
        model: &*plan.model,
        has_predicate: plan.has_predicate,
        how: plan.how.clone(),
        n_states_max: plan.n_states_max,
    };
    let mut explored = explore(&request, &mut |_| {})?;
    let unreduced = plan.unreduced.filter(|_| explored.is_unreduced());
    let unreduced = unreduced.map(|why| format!("symmetry is not used: {why}"));
    explored.notes.extend(unreduced);
    watchdog::phase("a picture was made");
    let pictured = picture(&explored, &plan.picture)?;
    let drawn = drawn_in(&pictured.view.picture, plan.format);
    let mut page = Page::new();
    match (&plan.output, &drawn) {
        (Some(path), _) => {
            let text = drawn.clone().unwrap_or_else(|| words(&explored, &pictured));
            std::fs::write(path, text).map_err(|why| {
                let name = quote(&path.display().to_string());
                Diagnostic::unlocated(format!("cannot write {name}: {why}"))
            })?;
            rows(&explored, &pictured, &mut page);
            page.row("written", &path.display().to_string());
        }
        (None, Some(text)) => {
            output::complain(&remarks(&explored, &pictured));
            page.verbatim(text);
        }
        (None, None) => {
            rows(&explored, &pictured, &mut page);
            page.verbatim("\n");
            page.verbatim(&listing(&pictured.view.picture));
        }
    }
    let exit = match explored.cut {
        None => Exit::Holds,
        Some(_) => Exit::Unknown,
    };
    let shown = drawn.filter(|_| plan.output.is_none());
    let shown = if plan.has_page {
        drawn_in(&pictured.view.picture, PictureFormat::Svg)
    } else {
        shown
    };
    let told = told(plan, &explored, &pictured, shown);
    Ok(Answer::told(exit, page, &told))
}

/// The picture in a format for other programs; `None` for words.
fn drawn_in(picture: &Picture, format: PictureFormat) -> Option<String> {
    match format {
        PictureFormat::Text => None,
        PictureFormat::Svg => Some(svg(
            picture,
            &Drawing {
                id: "orbit",
                has_words: true,
            },
        )),
        PictureFormat::Dot => Some(view::draw::dot::dot(picture)),
        PictureFormat::Graphml => Some(view::draw::graphml::graphml(picture)),
        PictureFormat::Json => Some(view::draw::json::json(picture)),
    }
}

/// What was drawn, in two lines.
fn remarks(explored: &Explored<'_>, pictured: &Pictured) -> String {
    let mut text = format!("view: {}\n", view_words(pictured));
    for note in &pictured.view.picture.notes {
        let _ = writeln!(text, "note: {note}");
    }
    if let Some(cut) = explored.cut {
        let _ = writeln!(text, "note: {}", cut_words(cut));
    }
    text
}

fn view_words(pictured: &Pictured) -> String {
    let Pictured { view, kind, .. } = pictured;
    let (title, n_nodes) = (&view.picture.title, view.picture.nodes.len());
    let nodes = if n_nodes == 1 { "node" } else { "nodes" };
    format!("{} ({title}), {n_nodes} {nodes}", kind.word())
}

/// What is told about the picture.
fn rows(explored: &Explored<'_>, pictured: &Pictured, page: &mut Page) {
    let space = &explored.space;
    page.row("view", &view_words(pictured));
    let counted = |n: usize, word: &str| match n {
        1 => format!("1 {word}"),
        n => format!("{n} {word}s"),
    };
    let states = counted(space.n_states(), "state");
    let transitions = counted(space.n_transitions(), "transition");
    page.row("explored", &format!("{states}, {transitions}"));
    if pictured.n_states != space.n_states() {
        let states = counted(pictured.n_states, "state");
        let transitions = counted(pictured.n_transitions, "transition");
        page.row("shown", &format!("{states}, {transitions}"));
    }
    if let Some(order) = explored.order.as_ref().filter(|_| space.has_orbits()) {
        page.row("symmetry", &format!("{order} symmetries"));
    }
    let size = pictured.view.size;
    let edges = counted(size.n_edges, "edge");
    let pairs = if size.n_pairs == size.n_edges {
        String::new()
    } else {
        format!(", {} pairs of a node and a label", size.n_pairs)
    };
    page.row("edges", &format!("{edges}{pairs}"));
    for note in &pictured.view.picture.notes {
        page.row("note", note);
    }
    if let Some(cut) = explored.cut {
        page.row("unknown", &cut_words(cut));
    }
}

fn cut_words(cut: StatesCut) -> String {
    match cut {
        StatesCut::States(n) => {
            format!("there are more than {n} states; `--states N` says how many")
        }
        StatesCut::Stopped(reason) => report::reason_words(reason).to_owned(),
    }
}

/// All that people read.
fn words(explored: &Explored<'_>, pictured: &Pictured) -> String {
    let mut page = Page::new();
    rows(explored, pictured, &mut page);
    let (text, _) = page.finish();
    let text = anstream::adapter::strip_str(&text).to_string();
    format!("{text}\n{}", listing(&pictured.view.picture))
}

/// Nodes and edges, a line each.
fn listing(picture: &Picture) -> String {
    let mut text = String::new();
    let mut edges = picture.edges.iter().peekable();
    for (number, node) in picture.nodes.iter().enumerate() {
        let kinds: Vec<&str> = node.kinds.words().collect();
        let kinds = match &kinds[..] {
            [] => String::new(),
            kinds => format!(" [{}]", kinds.join(", ")),
        };
        let lines: Vec<&str> = node.text.lines().collect();
        let _ = writeln!(text, "node {number}{kinds}  {}", lines.join("; "));
        while let Some(edge) = edges.next_if(|edge| edge.from as usize == number) {
            let arrow = if edge.is_definite { "->" } else { "-->" };
            let _ = writeln!(text, "  {} {arrow} {}", edge.labels.join(" | "), edge.to);
        }
    }
    text
}

/// What programs read.
fn told(
    plan: &ViewPlan,
    explored: &Explored<'_>,
    pictured: &Pictured,
    drawn: Option<String>,
) -> Viewed {
    let space = &explored.space;
    let picture = &pictured.view.picture;
    let stop_reason = explored.cut.map(|cut| match cut {
        StatesCut::States(_) => "states".to_owned(),
        StatesCut::Stopped(reason) => report::reason_word(reason).to_owned(),
    });
    let states = 0..space.n_states() as u32;
    let n_full = states.clone().map(|state| space.orbit(state));
    Viewed {
        orbit: VERSION.to_owned(),
        model: driver::conduct::told(&*plan.model),
        view: pictured.kind.word().to_owned(),
        title: picture.title.clone(),
        notes: picture.notes.clone(),
        counts: ViewCounts {
            states: space.n_states() as u64,
            transitions: space.n_transitions() as u64,
            self_loops: space.n_self_loops() as u64,
            operations: space.operations().len() as u64,
            full_states: space
                .has_orbits()
                .then(|| n_full.fold(0, u64::saturating_add)),
            depth: states.map(|state| space.depth(state)).max().unwrap_or(0),
            shown_states: pictured.n_states as u64,
            nodes: pictured.view.size.n_nodes as u64,
            edges: pictured.view.size.n_edges as u64,
            node_labels: pictured.view.size.n_pairs as u64,
        },
        stop_reason,
        nodes: picture.nodes.iter().map(told_node).collect(),
        edges: picture.edges.iter().map(told_edge).collect(),
        drawing: drawn,
        diagnostics: Vec::new(),
    }
}

fn told_node(node: &view::PictureNode) -> ViewNode {
    ViewNode {
        lines: node.text.lines().map(str::to_owned).collect(),
        kinds: node.kinds.words().map(str::to_owned).collect(),
        depth: node.depth,
        states: node.n_states,
        full_states: node.n_full,
        members: node.members.clone(),
    }
}

fn told_edge(edge: &view::PictureEdge) -> ViewEdge {
    ViewEdge {
        from: edge.from,
        to: edge.to,
        labels: edge.labels.clone(),
        is_definite: edge.is_definite,
        is_back: edge.is_back,
    }
}
