//! A picture as SVG: one element, without scripts, that stands alone or in a page.
//!
//! A node is a group of class `node` with its kinds (`initial`, `deadlock`, `violation`, `current`,
//! `unexpanded`, `accepting`), its number in `data-node`, and its text in full as its title. An
//! edge is a group of class `edge`, with `dashed` and `back`, and the numbers of its ends in
//! `data-from` and `data-to`. Colours are variables (`--ink`, `--paper`, `--edge`, `--back`,
//! `--initial`, `--deadlock`, `--violation`, `--current`) that a page may set; otherwise they are
//! those given here, by day or by night. Programs that know no variables draw by day.

use super::text::{self, escaped, shortened, width};
use crate::layout::{
    self, BoxSize, EdgeRoute, Layout, LayoutEdge, LayoutGraph, LayoutNode, PlacedBox, PlacedPoint,
    RoutePiece,
};
use crate::picture::{LINE_MAX, NodeKinds, Picture, PictureEdge, PictureNode, few_lines};
use std::fmt::Write;

/// How a picture is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Drawing<'a> {
    /// What the names of its parts begin with: different for two pictures of one page.
    pub id: &'a str,
    /// Whether title and notes are drawn too.
    pub has_words: bool,
}

/// How many lines of an edge's label are shown.
pub(super) const LABELS_MAX: usize = 6;
/// How many characters of a label stand in a line, about, and in how many lines.
const LABEL_WIDTH: usize = 24;
const LABEL_LINES: usize = 3;
/// What is free within a box.
const PADDING: f64 = 8.0;
/// The least width of a box.
const WIDTH_MIN: f64 = 44.0;

const STYLE: &str = "\
svg.picture{--v-ink:var(--ink,#1f2328);--v-paper:var(--paper,#ffffff);\
--v-edge:var(--edge,#57606a);--v-back:var(--back,#8250df);\
--v-initial:var(--initial,#0969da);--v-deadlock:var(--deadlock,#bc4c00);\
--v-violation:var(--violation,#cf222e);--v-current:var(--current,#1a7f37)}
@media (prefers-color-scheme:dark){svg.picture{--v-ink:var(--ink,#e6edf3);\
--v-paper:var(--paper,#0d1117);--v-edge:var(--edge,#9198a1);--v-back:var(--back,#b392f0);\
--v-initial:var(--initial,#58a6ff);--v-deadlock:var(--deadlock,#f0883e);\
--v-violation:var(--violation,#ff7b72);--v-current:var(--current,#56d364)}}
svg.picture .sheet{fill:var(--v-paper)}
svg.picture text{fill:var(--v-ink)}
svg.picture .box{fill:var(--v-paper);stroke:var(--v-ink)}
svg.picture .ring{stroke:var(--v-ink)}
svg.picture .start{stroke:var(--v-initial);fill:var(--v-initial)}
svg.picture .initial .box,svg.picture .initial .ring{stroke:var(--v-initial)}
svg.picture .deadlock .box,svg.picture .deadlock .ring{stroke:var(--v-deadlock)}
svg.picture .violation .box,svg.picture .violation .ring{stroke:var(--v-violation)}
svg.picture .current .box{stroke:var(--v-current);fill:var(--v-current);fill-opacity:.18}
svg.picture .node:focus .box{stroke-width:3}
svg.picture .line{stroke:var(--v-edge)}
svg.picture .tip{fill:var(--v-edge)}
svg.picture .back .line{stroke:var(--v-back)}
svg.picture .back-tip{fill:var(--v-back)}";

/// A picture as SVG.
pub fn svg(picture: &Picture, drawing: &Drawing<'_>) -> String {
    let labels: Vec<LabelLines> = picture
        .edges
        .iter()
        .map(|edge| LabelLines::of(picture, edge))
        .collect();
    let layout = layout::place(&graph(picture, &labels));
    let words = if drawing.has_words {
        words(picture)
    } else {
        Vec::new()
    };
    let widest = words.iter().map(|line| width(line)).fold(0.0, f64::max);
    let size = BoxSize {
        width: layout.size.width.max(widest + 32.0).max(80.0),
        height: (layout.size.height + words.len() as f64 * text::LINE + 8.0).max(60.0),
    };
    let mut out = String::new();
    head(&mut out, picture, size, drawing);
    for (n, edge) in picture.edges.iter().enumerate() {
        put_edge(&mut out, edge, &layout.edges[n], &labels[n], drawing);
    }
    for (number, node) in picture.nodes.iter().enumerate() {
        put_node(&mut out, number, node, &layout.nodes[number]);
    }
    for (i, line) in words.iter().enumerate() {
        let y = layout.size.height + (i as f64 + 0.7) * text::LINE;
        let weight = if i == 0 { " font-weight=\"bold\"" } else { "" };
        let _ = writeln!(
            out,
            "<text class=\"words\" x=\"16\" y=\"{}\" fill=\"#1f2328\"{weight}>{}</text>",
            short(y),
            escaped(line)
        );
    }
    out.push_str("</svg>\n");
    out
}

/// The layout of a picture, as it is drawn.
pub fn layout_of(picture: &Picture) -> Layout {
    let edges = picture.edges.iter();
    let labels: Vec<LabelLines> = edges.map(|edge| LabelLines::of(picture, edge)).collect();
    layout::place(&graph(picture, &labels))
}

/// What is written beneath.
fn words(picture: &Picture) -> Vec<String> {
    let title = std::iter::once(picture.title.clone());
    let mut words: Vec<String> = title.chain(picture.notes.iter().cloned()).collect();
    if picture.edges.iter().any(|edge| !edge.is_definite) {
        words.push("dashed: not always possible, or it may lead to several nodes".to_owned());
    }
    words.iter().map(|line| shortened(line, 160)).collect()
}

/// The label of an edge: lines, and the line that says where a stub leads.
struct LabelLines {
    lines: Vec<String>,
    stub: String,
}

impl LabelLines {
    fn of(picture: &Picture, edge: &PictureEdge) -> LabelLines {
        let target = &picture.nodes[edge.to as usize];
        let name = target.lines.first().map_or("", String::as_str);
        LabelLines {
            lines: label_lines(&edge.labels),
            stub: shortened(&format!("→ {name}"), LINE_MAX),
        }
    }
}

/// The lines of a label: long ones are wrapped, some left out.
fn label_lines(labels: &[String]) -> Vec<String> {
    let shown = few_lines(labels, LABELS_MAX);
    if shown.len() < labels.len() {
        return shown;
    }
    let lines = labels.iter();
    lines
        .flat_map(|label| text::wrapped(label, LABEL_WIDTH, LABEL_LINES))
        .collect()
}

fn graph(picture: &Picture, labels: &[LabelLines]) -> LayoutGraph {
    let nodes = picture.nodes.iter().map(|node| {
        let size = size_of(&node.lines);
        LayoutNode {
            size: BoxSize {
                width: (size.width + 2.0 * PADDING).max(WIDTH_MIN),
                height: size.height + 2.0 * PADDING,
            },
            layer: node.depth,
        }
    });
    let edges = picture.edges.iter().zip(labels).map(|(edge, label)| {
        let own = size_of(&label.lines);
        LayoutEdge {
            from: edge.from,
            to: edge.to,
            label: own,
            stub: BoxSize {
                width: own.width.max(width(&label.stub)),
                height: own.height + text::LINE,
            },
        }
    });
    LayoutGraph {
        nodes: nodes.collect(),
        edges: edges.collect(),
    }
}

fn size_of(lines: &[String]) -> BoxSize {
    BoxSize {
        width: lines.iter().map(|line| width(line)).fold(0.0, f64::max),
        height: lines.len() as f64 * text::LINE,
    }
}

fn head(out: &mut String, picture: &Picture, size: BoxSize, drawing: &Drawing<'_>) {
    let (width, height) = (short(size.width), short(size.height));
    let (id, title) = (escaped(drawing.id), escaped(&picture.title));
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"picture\" width=\"{width}\" \
         height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         aria-label=\"{title}\" font-size=\"12\" font-family=\"ui-monospace, 'DejaVu Sans Mono', \
         Menlo, Consolas, monospace\">\n<title>{title}</title>\n<style>{STYLE}</style>\n<defs>"
    );
    for (name, class, fill) in [
        ("tip", "tip", "#57606a"),
        ("back-tip", "back-tip", "#8250df"),
        ("start-tip", "start", "#0969da"),
    ] {
        let _ = write!(
            out,
            "<marker id=\"{id}-{name}\" viewBox=\"0 0 10 10\" refX=\"9.5\" refY=\"5\" \
             markerWidth=\"8\" markerHeight=\"8\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">\
             <path class=\"{class}\" fill=\"{fill}\" d=\"M0 1L10 5L0 9z\"/></marker>"
        );
    }
    let _ = writeln!(
        out,
        "</defs>\n<rect class=\"sheet\" width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>"
    );
}

fn put_edge(
    out: &mut String,
    edge: &PictureEdge,
    route: &EdgeRoute,
    label: &LabelLines,
    drawing: &Drawing<'_>,
) {
    let mut class = "edge".to_owned();
    let dashed = !edge.is_definite;
    let is_back = edge.is_back && edge.from != edge.to;
    class.push_str(if dashed { " dashed" } else { "" });
    class.push_str(if is_back { " back" } else { "" });
    let (tip, colour) = if is_back {
        ("back-tip", "#8250df")
    } else {
        ("tip", "#57606a")
    };
    let dashes = if dashed {
        " stroke-dasharray=\"5 3\""
    } else {
        ""
    };
    let _ = writeln!(
        out,
        "<g class=\"{class}\" data-from=\"{}\" data-to=\"{}\"><title>{}</title>\
         <path class=\"line\" d=\"{}\" fill=\"none\" stroke=\"{colour}\"{dashes} \
         marker-end=\"url(#{}-{tip})\"/>",
        edge.from,
        edge.to,
        escaped(&edge.labels.join("\n")),
        path(route),
        escaped(drawing.id)
    );
    let stub = route.is_stub.then_some(&label.stub);
    let lines = label.lines.iter().chain(stub);
    let corner = route.label.corner;
    for (i, line) in lines.enumerate() {
        let y = corner.y + (i as f64 + 0.75) * text::LINE;
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" fill=\"#1f2328\">{}</text>",
            short(corner.x),
            short(y),
            escaped(line)
        );
    }
    out.push_str("</g>\n");
}

fn put_node(out: &mut String, number: usize, node: &PictureNode, place: &PlacedBox) {
    let kinds: Vec<&str> = node.kinds.words().collect();
    let class = kinds
        .iter()
        .fold("node".to_owned(), |class, kind| class + " " + kind);
    let mut title = node.text.clone();
    if !kinds.is_empty() {
        let _ = write!(title, "\n{}", kinds.join(", "));
    }
    let _ = write!(
        out,
        "<g class=\"{class}\" data-node=\"{number}\" tabindex=\"0\"><title>{}</title>",
        escaped(&title)
    );
    let has = |kind| node.kinds.has(kind);
    let stroke = match () {
        () if has(NodeKinds::CURRENT) => "#1a7f37",
        () if has(NodeKinds::VIOLATION) => "#cf222e",
        () if has(NodeKinds::DEADLOCK) => "#bc4c00",
        () if has(NodeKinds::INITIAL) => "#0969da",
        () => "#1f2328",
    };
    let is_wrong = has(NodeKinds::VIOLATION) || has(NodeKinds::DEADLOCK);
    let thick = if is_wrong || has(NodeKinds::CURRENT) {
        2
    } else {
        1
    };
    let fill = if has(NodeKinds::CURRENT) {
        "#dafbe1"
    } else {
        "#ffffff"
    };
    let dashes = if has(NodeKinds::UNEXPANDED) {
        " stroke-dasharray=\"2 3\""
    } else {
        ""
    };
    put_box(
        out,
        place,
        &format!(
            "class=\"box\" fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"{thick}\"{dashes}"
        ),
    );
    if has(NodeKinds::ACCEPTING) || has(NodeKinds::DEADLOCK) {
        let inner = inset(place, 3.0);
        put_box(
            out,
            &inner,
            &format!("class=\"ring\" fill=\"none\" stroke=\"{stroke}\""),
        );
    }
    if has(NodeKinds::INITIAL) {
        put_start(out, place);
    }
    let middle = place.middle();
    for (i, line) in node.lines.iter().enumerate() {
        let y = place.corner.y + PADDING + (i as f64 + 0.75) * text::LINE;
        let _ = write!(
            out,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"#1f2328\">{}</text>",
            short(middle.x),
            short(y),
            escaped(line)
        );
    }
    out.push_str("</g>\n");
}

/// The arrow that says that runs begin here.
fn put_start(out: &mut String, place: &PlacedBox) {
    let PlacedPoint { x, y } = place.corner;
    let x = x + 5.0;
    let _ = write!(
        out,
        "<path class=\"start\" d=\"M{0} {1}L{0} {2}M{3} {4}L{0} {2}L{5} {4}z\" \
         fill=\"#0969da\" stroke=\"#0969da\"/><circle class=\"start\" cx=\"{0}\" cy=\"{1}\" \
         r=\"3\" fill=\"#0969da\"/>",
        short(x),
        short(y - 17.0),
        short(y - 1.0),
        short(x - 3.5),
        short(y - 8.0),
        short(x + 3.5),
    );
}

fn put_box(out: &mut String, place: &PlacedBox, attributes: &str) {
    let _ = write!(
        out,
        "<rect {attributes} x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"6\"/>",
        short(place.corner.x),
        short(place.corner.y),
        short(place.size.width),
        short(place.size.height)
    );
}

fn inset(place: &PlacedBox, by: f64) -> PlacedBox {
    PlacedBox {
        corner: PlacedPoint {
            x: place.corner.x + by,
            y: place.corner.y + by,
        },
        size: BoxSize {
            width: place.size.width - 2.0 * by,
            height: place.size.height - 2.0 * by,
        },
    }
}

/// The way of an edge as the data of a path.
fn path(route: &EdgeRoute) -> String {
    let point = |p: &PlacedPoint| format!("{} {}", short(p.x), short(p.y));
    let mut out = format!("M{}", point(&route.start));
    for piece in &route.pieces {
        let _ = match piece {
            RoutePiece::Line(to) => write!(out, "L{}", point(to)),
            RoutePiece::Curve([a, b, to]) => {
                write!(out, "C{} {} {}", point(a), point(b), point(to))
            }
        };
    }
    out
}

/// A number with one digit behind the point, if it needs one.
fn short(number: f64) -> String {
    let text = format!("{number:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}
