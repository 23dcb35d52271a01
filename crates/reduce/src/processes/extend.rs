//! Symmetries that are known in part: where some vertices of the structure go is given, the rest is
//! looked for.
//!
//! Worked example: `client(1)` and `client(2)` are to be exchanged, with their links. Both copies
//! of the structure get the same new colours, the second one with the two exchanged; an isomorphism
//! of the copies is an automorphism that does what was asked, and moves numbers, variables and
//! lines along. If there is none, no symmetry of the text does it.

use crate::processes::act::Constants;
use crate::processes::certify::certify;
use crate::processes::detect::{Bearing, Candidates};
use crate::processes::found::Found;
use crate::processes::names::Names;
use crate::processes::structure::Bearer;
use group::graph::{Graph, GraphBuilder, isomorphism_within};
use group::{Budget, NoAnswer, Perm, Point};
use std::collections::HashMap;

/// A permutation of the bearers that sends `x` to `y` for each of `pins` and is an automorphism of
/// the structure; `None` if there is none.
///
/// # Requires
/// No two pins have the same first or the same second part.
pub fn extension(
    found: &Found,
    pins: &[(Point, Point)],
    budget: &Budget,
) -> Result<Option<Perm>, NoAnswer> {
    let colours = &found.structure.colours;
    if pins
        .iter()
        .any(|(x, y)| colours[*x as usize] != colours[*y as usize])
    {
        return Ok(None);
    }
    let from = pinned(found, pins.iter().map(|(x, _)| *x));
    let to = pinned(found, pins.iter().map(|(_, y)| *y));
    let map = isomorphism_within(&from, &to, budget)?;
    Ok(map.map(|map| bearing(found, &map)))
}

/// The symmetry that somebody means who names some bearers and where they go: all others stay, or
/// if there is none such, all other processes; `None` if there is none at all.
pub fn meant(found: &Found, named: &[(Point, Point)]) -> Option<Perm> {
    let bearers = &found.structure.bearers;
    let bearing = Bearing::new(&found.sorts, &found.population, Constants::Move);
    let names = Names::new(&found.sorts, &found.population);
    let moved: HashMap<Point, Point> = named.iter().copied().collect();
    let with = |stays: &dyn Fn(Bearer) -> bool| {
        let mut pins = named.to_vec();
        let others = (0..bearers.len() as Point).filter(|x| !moved.contains_key(x));
        pins.extend(
            others
                .filter(|x| stays(bearers[*x as usize]))
                .map(|x| (x, x)),
        );
        extension(found, &pins, &Budget::unlimited()).ok().flatten()
    };
    let tells = |b: Bearer| bearing.bears(b) && names.tells(b);
    with(&tells).or_else(|| with(&|b| matches!(b, Bearer::Process(_))))
}

/// The structure with a colour of its own for each of some vertices.
fn pinned(found: &Found, pins: impl Iterator<Item = Point>) -> Graph {
    let structure = &found.structure;
    let mut colours = structure.colours.clone();
    let first = structure.keys.len() as u32;
    for (n, x) in pins.enumerate() {
        colours[x as usize] = first + n as u32;
    }
    let mut builder = GraphBuilder::default();
    for colour in colours {
        builder.vertex(colour);
    }
    for link in &structure.links {
        builder.arc(link.from, link.to, link.label);
    }
    builder.build()
}

/// What a map of all vertices does to what bears state.
fn bearing(found: &Found, map: &[Point]) -> Perm {
    let n = found.structure.bearers.len();
    let moves = (0..n).map(|x| (x as Point, map[x]));
    Perm::from_moves(n, moves.filter(|(x, y)| x != y).collect())
}

/// The same model with other candidates, certified; what is rejected has the number of its
/// generator.
pub fn with_candidates(found: Found, generators: Vec<Perm>) -> Found {
    let candidates = Candidates {
        bearers: found.structure.bearers.clone(),
        generators,
        orbits: found.candidates.orbits,
    };
    let certified = certify(&found.sorts, &found.population, &candidates);
    Found {
        candidates,
        certified,
        ..found
    }
}
