//! An automaton as a picture: states in columns by their distance from the initial one.
//!
//! Accepting states have a double ring. An edge to another column is a curve with its guard at the
//! middle; edges that go back bend the other way, so that the two of a pair do not cover each
//! other. Worked example: `p U q` has two columns of one state each, a loop on both, and one curve.

use super::{FormulaFacts, guard};
use std::fmt::Write;

/// The distances of columns and rows, and the size of a state.
const COLUMN: i64 = 220;
const ROW: i64 = 150;
const RADIUS: i64 = 20;
const MARGIN: i64 = 90;

/// The picture.
pub fn svg(told: &FormulaFacts) -> String {
    let places = places(told);
    let width = places.iter().map(|(x, _)| x).max().unwrap_or(&0) + MARGIN * 2;
    let height = places.iter().map(|(_, y)| y).max().unwrap_or(&0) + MARGIN;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"monospace\" font-size=\"13\">\n\
         <title>{}</title>\n\
         <defs><marker id=\"head\" viewBox=\"0 0 10 10\" refX=\"10\" refY=\"5\" \
         markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\">\
         <path d=\"M0 0L10 5L0 10z\"/></marker></defs>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        escaped(&told.formula)
    );
    let (x, y) = places[0];
    let start = format!("M{} {y}L{} {y}", x - RADIUS - 40, x - RADIUS);
    put_curve(&mut out, &start, x, y - 1000, "");
    for (source, target, guards) in told.buchi.transitions() {
        let label = guard(&guards, &told.atoms);
        let (from, to) = (places[source], places[target]);
        let (path, (x, y)) = curve(from, to);
        put_curve(&mut out, &path, x, y, &label);
    }
    for (state, (x, y)) in places.iter().enumerate() {
        let _ = writeln!(
            out,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{RADIUS}\" fill=\"#a6cee3\" stroke=\"#333\"/>"
        );
        if told.buchi.accepting[state] {
            let inner = RADIUS - 4;
            let _ = writeln!(
                out,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"{inner}\" fill=\"none\" stroke=\"#333\"/>"
            );
        }
        let _ = writeln!(
            out,
            "<text x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{state}</text>",
            y + 5
        );
    }
    out.push_str("</svg>\n");
    out
}

/// The middle of each state: columns by distance, rows in the order in which states are met.
fn places(told: &FormulaFacts) -> Vec<(i64, i64)> {
    let n = told.buchi.n_states();
    let mut distance: Vec<Option<i64>> = vec![None; n];
    distance[0] = Some(0);
    let mut order = vec![0];
    let mut at = 0;
    while let Some(state) = order.get(at).copied() {
        at += 1;
        for edge in &told.buchi.edges[state] {
            if distance[edge.target].is_none() {
                distance[edge.target] = distance[state].map(|d| d + 1);
                order.push(edge.target);
            }
        }
    }
    let mut used = vec![0; n + 1];
    let mut places = vec![(0, 0); n];
    for state in order {
        let column = distance[state].unwrap_or(0);
        let row = &mut used[column as usize];
        places[state] = (MARGIN + column * COLUMN, MARGIN + *row * ROW);
        *row += 1;
    }
    places
}

/// The path of an edge, and where its label stands.
fn curve((x1, y1): (i64, i64), (x2, y2): (i64, i64)) -> (String, (i64, i64)) {
    if (x1, y1) == (x2, y2) {
        let (left, right, top) = (x1 - 12, x1 + 12, y1 - RADIUS + 4);
        let high = y1 - RADIUS - 42;
        let path = format!(
            "M{left} {top}C{} {high} {} {high} {right} {top}",
            left - 20,
            right + 20
        );
        return (path, (x1, high + 6));
    }
    let (dx, dy) = ((x2 - x1) as f64, (y2 - y1) as f64);
    let length = dx.hypot(dy);
    let (ux, uy) = (dx / length, dy / length);
    // Bent to the left of its direction: the edge back bends to the other side.
    let bend = 30.0;
    let middle = (
        (x1 + x2) as f64 / 2.0 + uy * bend,
        (y1 + y2) as f64 / 2.0 - ux * bend,
    );
    let start = (x1 as f64 + ux * 20.0, y1 as f64 + uy * 20.0);
    let end = (x2 as f64 - ux * 20.0, y2 as f64 - uy * 20.0);
    let path = format!(
        "M{:.0} {:.0}Q{:.0} {:.0} {:.0} {:.0}",
        start.0, start.1, middle.0, middle.1, end.0, end.1
    );
    (path, (middle.0 as i64, middle.1 as i64))
}

fn put_curve(out: &mut String, path: &str, x: i64, y: i64, label: &str) {
    let _ = writeln!(
        out,
        "<path d=\"{path}\" fill=\"none\" stroke=\"#555\" marker-end=\"url(#head)\"/>"
    );
    if !label.is_empty() {
        let label = escaped(label);
        let _ = writeln!(
            out,
            "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{label}</text>"
        );
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
