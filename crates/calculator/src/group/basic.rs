//! Order, orbits, generators and base: what a stabiliser chain tells by itself.

use crate::points::PointNotation;
use ::group::{Group, Perm, Point};
use report::page::Page;
use report::words::short_number;
use serde_json::{Value, json};

/// The number of elements and of points.
pub fn order(group: &Group, page: &mut Page) {
    let order = group.order().to_string();
    page.row("order", &short_number(&order));
    page.row("degree", &group.degree().to_string());
    page.field("order", order);
    page.field("degree", group.degree());
}

/// The orbits. Points that no element moves are counted in text; JSON has each as an orbit of one.
pub fn orbits(group: &Group, points: &PointNotation, page: &mut Page) {
    let orbits = group::orbit::orbits(group.degree(), group.generators());
    put_orbits(&orbits, points, page);
}

/// A row and a field for orbits that are at hand.
pub fn put_orbits(orbits: &[Vec<Point>], points: &PointNotation, page: &mut Page) {
    let n_fixed = orbits.iter().filter(|orbit| orbit.len() == 1).count();
    let moved = orbits.iter().filter(|orbit| orbit.len() > 1);
    let mut words: Vec<String> = moved.map(|orbit| set(orbit, points)).collect();
    if n_fixed > 0 {
        words.push(format!("{n_fixed} fixed"));
    }
    page.list("orbits", words);
    let all: Vec<Value> = orbits.iter().map(|orbit| points.json(orbit)).collect();
    page.field("orbits", all);
}

/// The generators as given.
pub fn generators(group: &Group, points: &PointNotation, page: &mut Page) {
    let texts = cycles(group.generators(), points);
    page.column("generators", &texts);
    page.field("generators", texts);
}

/// The base of the stabiliser chain and the length of each basic orbit; the product of the lengths
/// is the order.
pub fn base(group: &Group, points: &PointNotation, page: &mut Page) {
    let chain = group.chain();
    let base = chain.base();
    let lengths: Vec<usize> = (0..chain.n_levels())
        .map(|k| chain.orbit(k).len())
        .collect();
    let pairs = base.iter().zip(&lengths);
    let words: Vec<String> = pairs
        .map(|(&b, n)| format!("{}:{n}", points.word(b)))
        .collect();
    if words.is_empty() {
        page.row("base", "empty")
    } else {
        page.list("base", words)
    }
    page.field("base", points.json(&base));
    page.field("transversals", json!(lengths));
}

/// Permutations in the user's words.
pub fn cycles(perms: &[Perm], points: &PointNotation) -> Vec<String> {
    perms.iter().map(|perm| points.cycles(perm)).collect()
}

/// Points as a set; the first ones and how many there are, if they are many.
pub fn set(of: &[Point], points: &PointNotation) -> String {
    const SHOWN_MAX: usize = 24;
    if of.len() <= SHOWN_MAX {
        return format!("{{{}}}", points.list(of));
    }
    let shown = points.list(&of[..SHOWN_MAX / 2]);
    format!("{{{shown} …}} ({} points)", of.len())
}
