//! A picture for Graphviz.

use super::svg::LABELS_MAX;
use crate::picture::{NodeKinds, Picture, PictureNode, few_lines};
use std::fmt::Write;

/// A picture in the language of Graphviz.
pub fn dot(picture: &Picture) -> String {
    let mut out = String::from("digraph orbit {\n");
    let _ = writeln!(
        out,
        "  label={};\n  node [shape=box, style=rounded, fontname=monospace];\n  \
         edge [fontname=monospace];",
        quoted(&picture.title)
    );
    for (number, node) in picture.nodes.iter().enumerate() {
        let _ = writeln!(
            out,
            "  n{number} [label={}, tooltip={}{}];",
            quoted(&node.lines.join("\n")),
            quoted(&node.text),
            look(node)
        );
        if node.kinds.has(NodeKinds::INITIAL) {
            let _ = writeln!(out, "  i{number} [shape=point]; i{number} -> n{number};");
        }
    }
    for edge in &picture.edges {
        let style = if edge.is_definite {
            ""
        } else {
            ", style=dashed"
        };
        // What leads up takes no part in the ranks, so that levels stay levels.
        let rank = if edge.is_back && edge.from != edge.to {
            ", constraint=false"
        } else {
            ""
        };
        let _ = writeln!(
            out,
            "  n{} -> n{} [label={}{style}{rank}];",
            edge.from,
            edge.to,
            quoted(&few_lines(&edge.labels, LABELS_MAX).join("\n"))
        );
    }
    out.push_str("}\n");
    out
}

fn look(node: &PictureNode) -> &'static str {
    let has = |kind| node.kinds.has(kind);
    match () {
        () if has(NodeKinds::CURRENT) => ", color=green4, penwidth=2",
        () if has(NodeKinds::VIOLATION) => ", color=red, penwidth=2",
        () if has(NodeKinds::DEADLOCK) => ", color=orangered, peripheries=2",
        () if has(NodeKinds::ACCEPTING) => ", peripheries=2",
        () if has(NodeKinds::UNEXPANDED) => ", style=\"rounded,dotted\"",
        () if has(NodeKinds::INITIAL) => ", color=blue",
        () => "",
    }
}

/// A text as Graphviz reads it.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out + "\""
}
