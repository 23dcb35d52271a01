//! A picture as GraphML, with all its words, and places.

use super::svg::layout_of;
use super::text::escaped;
use crate::picture::Picture;
use std::fmt::Write;

/// What is said of nodes and edges: name, of what, and type.
const KEYS: [(&str, &str, &str); 10] = [
    ("text", "node", "string"),
    ("kinds", "node", "string"),
    ("states", "node", "long"),
    ("full", "node", "long"),
    ("depth", "node", "int"),
    ("x", "node", "double"),
    ("y", "node", "double"),
    ("label", "edge", "string"),
    ("definite", "edge", "boolean"),
    ("back", "edge", "boolean"),
];

/// A picture as GraphML.
pub fn graphml(picture: &Picture) -> String {
    let layout = layout_of(picture);
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n",
    );
    for (name, of, kind) in KEYS {
        let _ = writeln!(
            out,
            "  <key id=\"{name}\" for=\"{of}\" attr.name=\"{name}\" attr.type=\"{kind}\"/>"
        );
    }
    let _ = writeln!(out, "  <graph id=\"orbit\" edgedefault=\"directed\">");
    let title = escaped(&picture.title);
    let _ = writeln!(out, "    <desc>{title}</desc>");
    for (number, node) in picture.nodes.iter().enumerate() {
        let kinds: Vec<&str> = node.kinds.words().collect();
        let middle = layout.nodes[number].middle();
        let data = [
            ("text", escaped(&node.text)),
            ("kinds", kinds.join(" ")),
            ("states", node.n_states.to_string()),
            ("full", node.n_full.to_string()),
            ("depth", node.depth.to_string()),
            ("x", format!("{:.1}", middle.x)),
            ("y", format!("{:.1}", middle.y)),
        ];
        let _ = write!(out, "    <node id=\"n{number}\">");
        put(&mut out, &data);
        out.push_str("</node>\n");
    }
    for edge in &picture.edges {
        let data = [
            ("label", escaped(&edge.labels.join("\n"))),
            ("definite", edge.is_definite.to_string()),
            ("back", edge.is_back.to_string()),
        ];
        let (from, to) = (edge.from, edge.to);
        let _ = write!(out, "    <edge source=\"n{from}\" target=\"n{to}\">");
        put(&mut out, &data);
        out.push_str("</edge>\n");
    }
    out.push_str("  </graph>\n</graphml>\n");
    out
}

fn put(out: &mut String, data: &[(&str, String)]) {
    for (key, value) in data {
        let _ = write!(out, "<data key=\"{key}\">{value}</data>");
    }
}
