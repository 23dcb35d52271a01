//! Blocks, structure and minimising set: what takes more than the chain.

use super::basic::{cycles, set};
use crate::points::PointNotation;
use ::group::{Group, Point};
use group::blocks::{BlockSystem, all_block_systems, minimal_block_systems};
use group::shape::minimise::minimising_set as find_minimising_set;
use report::page::Page;
use serde_json::{Value, json};

/// The longest orbit whose blocks are looked for. The search takes the square of the length, about
/// a second for so many points.
const BLOCKS_ORBIT_MAX: usize = 4_000;

/// The most block systems of one orbit that are listed; beyond it only the minimal ones are.
const SYSTEMS_MAX: usize = 50;

/// The most exchanges of a minimising set that JSON lists.
const EXCHANGES_MAX: usize = 1_000;

/// The block systems of each orbit, without the two that every orbit has.
pub fn blocks(group: &Group, points: &PointNotation, page: &mut Page) {
    let mut rows: Vec<String> = Vec::new();
    let mut systems: Vec<Value> = Vec::new();
    let mut all_listed = true;
    for orbit in group.orbits().iter().filter(|orbit| orbit.len() > 3) {
        if orbit.len() > BLOCKS_ORBIT_MAX {
            rows.push(format!(
                "not looked for in an orbit of {} points",
                orbit.len()
            ));
            all_listed = false;
            continue;
        }
        let found = all_block_systems(group, orbit[0], SYSTEMS_MAX).unwrap_or_else(|too_many| {
            rows.push(format!("{too_many} of one orbit; the minimal ones are"));
            all_listed = false;
            minimal_block_systems(group, orbit[0])
        });
        rows.extend(found.iter().map(|system| system_text(system, points)));
        systems.extend(
            found
                .iter()
                .map(|system| sets_json(system.blocks(), points)),
        );
    }
    if rows.is_empty() {
        rows.push("none".to_owned());
    }
    page.column("blocks", &rows);
    page.field("blocks", systems);
    page.field("blocks_complete", all_listed);
}

/// The blocks; the first ones and how many there are, if they are many.
fn system_text(system: &BlockSystem, points: &PointNotation) -> String {
    const SHOWN_MAX: usize = 6;
    let blocks = system.blocks();
    let shown = blocks
        .iter()
        .take(SHOWN_MAX)
        .map(|block| set(block, points));
    let mut words: Vec<String> = shown.collect();
    if blocks.len() > SHOWN_MAX {
        words.insert(
            0,
            format!("{} blocks of {}:", blocks.len(), blocks[0].len()),
        );
        words.push("…".to_owned());
    }
    words.join(" ")
}

fn sets_json(sets: &[Vec<Point>], points: &PointNotation) -> Value {
    sets.iter().map(|one| points.json(one)).collect()
}

/// The name of the group.
pub fn structure(group: &Group, page: &mut Page) {
    let name = group::shape::describe(group).to_string();
    page.row("structure", &name);
    page.field("structure", name);
}

/// The tree of methods by which least tuples are found.
pub fn taken_apart(group: &Group, enumerate_max: u64, page: &mut Page) {
    let tree = group::shape::classify(group, enumerate_max).to_string();
    page.row("taken apart", &tree);
    page.field("taken_apart", tree);
}

/// The exchanges of two columns that lead every tuple to a least one, if all permutations of the
/// columns are in the group and nothing else is.
pub fn minimising_set(group: &Group, points: &PointNotation, page: &mut Page) {
    let Some(found) = find_minimising_set(group) else {
        page.row("minimising set", "none");
        page.field("minimising_set", Value::Null);
        return;
    };
    let table = found.table();
    let columns: Vec<Vec<Point>> = (0..table.width()).map(|c| table.column(c)).collect();
    let n = found.n_swaps();
    let listed = if n <= EXCHANGES_MAX {
        found.swaps(group.degree())
    } else {
        Vec::new()
    };
    let exchanges = cycles(&listed, points);
    let what = format!("{n} exchanges of two of {} columns", columns.len());
    let words = if exchanges.is_empty() {
        vec![what]
    } else {
        exchanges.clone()
    };
    page.list("minimising set", words);
    page.field(
        "minimising_set",
        json!({
            "n_elements": n,
            "elements": if listed.is_empty() { Value::Null } else { json!(exchanges) },
            "columns": sets_json(&columns, points),
            "lexicographic": found.is_lexicographic(),
        }),
    );
}
