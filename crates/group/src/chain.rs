//! Stabiliser chains: what makes a group of any size answer questions.
//!
//! A base is a list of points `b1, b2, …` that no element but the identity fixes all of. The chain
//! is `G = G0 ≥ G1 ≥ …`, where `Gk` fixes `b1..bk`. Level `k` (counted from 0) holds the orbit of
//! `b(k+1)` under `Gk` and, for each point `x` of it, a way to an element `u` of `Gk` with
//! `u(b(k+1)) = x`, the *transversal*. Every element of `G` is one product `u1 ∘ u2 ∘ …` of
//! transversal elements, one a level, so the order is the product of the orbit lengths.
//!
//! Worked example: `S3` on `0..3` with base `0, 1`. Level 0 has the orbit `{0,1,2}` (three ways to
//! send 0), level 1 the orbit `{1,2}` (two ways to send 1 once 0 is fixed), and 3·2 = 6.
//!
//! A group on ten thousand points is ordinary input, so the generators are first split into
//! factors that move disjoint points, each with a chain over its own points ([`local`]); within
//! one, levels are Schreier trees ([`level`]) or symmetric segments that store no tables at all
//! ([`segment`]). Chains are built from random elements ([`build`]) and then proved ([`verify`]),
//! so the result does not depend on luck. `docs/theory/chains.md` tells the whole story.
//! Source: Seress, *Permutation Group Algorithms* (2003), chapter 4.

mod bound;
mod build;
mod group;
mod level;
mod lift;
mod local;
mod random;
mod recognise;
mod segment;
mod verify;
mod walk;

use std::sync::OnceLock;

use num_bigint::BigUint;

use crate::numbers::product;
use crate::orbit::DisjointSets;
use crate::perm::{Perm, Point};
use build::KnownOrder;
use level::ImagePositions;
use local::{ChainStage, LocalChain};

pub use group::Group;

/// The part of points that no generator moves.
const FIXED: u32 = u32::MAX;

/// A base with transversals for the stabiliser of each of its prefixes.
#[derive(Clone, Debug)]
pub struct Chain {
    degree: usize,
    parts: Vec<DisjointFactor>,
    /// The part of each point, and its number among the points of that part.
    part_of: Vec<u32>,
    local_of: Vec<u32>,
    levels: Vec<LevelPlace>,
    strong: OnceLock<StrongGenerators>,
    /// Millions of digits where there are a million points, so it is worked out once.
    order: OnceLock<BigUint>,
}

/// A factor of the group that moves points which no other factor moves.
#[derive(Clone, Debug)]
struct DisjointFactor {
    points: Vec<Point>,
    /// Whether the local points are the points.
    is_whole: bool,
    chain: LocalChain,
    /// The points of each stage, orbit or cells, by their global numbers; empty if `is_whole`.
    stage_points: Vec<Vec<Point>>,
}

#[derive(Clone, Debug)]
struct LevelPlace {
    base: Point,
    part: u32,
    level: u32,
    /// The first level after this one that does not go on with the next level of the same part.
    run_end: u32,
}

/// Sorted by the first level whose base point they move.
#[derive(Clone, Debug)]
struct StrongGenerators {
    perms: Vec<Perm>,
    /// For each level, the number of those that move an earlier base point.
    starts: Vec<usize>,
}

impl Chain {
    /// The chain of the group that `generators` generate, with a base that starts with `prefix`.
    /// Points of `prefix` stay in the base even where the group already fixes them.
    pub fn new(degree: usize, generators: &[Perm], prefix: &[Point]) -> Chain {
        Chain::build(degree, generators, prefix, KnownOrder::Unknown)
    }

    /// As [`Chain::new`], for a group whose order is known: nothing needs to be proved once the
    /// chain reaches it. `None` if the group has fewer elements.
    ///
    /// # Requires
    /// The group has no more than `order` elements. A number that is too small may be reached by
    /// an unfinished chain, and nobody would notice.
    pub fn from_known_order(
        degree: usize,
        generators: &[Perm],
        prefix: &[Point],
        order: &BigUint,
    ) -> Option<Chain> {
        let chain = Chain::build(degree, generators, prefix, KnownOrder::Known(order));
        (chain.order() == *order).then_some(chain)
    }

    /// A chain of the same group with a base that starts with `prefix`, proved by its order: random
    /// elements of this chain fill the other until the orders are equal.
    pub fn with_base(&self, prefix: &[Point]) -> Chain {
        let mut prefixes = vec![Vec::new(); self.parts.len()];
        self.split_prefix(prefix, &mut prefixes);
        let parts = self.parts.iter().zip(&prefixes).map(|(part, prefix)| {
            if prefix.is_empty() {
                return part.clone();
            }
            let chain = build::rebase(&part.chain, prefix);
            DisjointFactor::new(self.degree, part.points.clone(), chain)
        });
        self.with_parts(parts.collect(), prefix)
    }

    fn build(degree: usize, generators: &[Perm], prefix: &[Point], order: KnownOrder) -> Chain {
        for g in generators {
            assert_eq!(g.degree(), degree, "generator of another degree");
        }
        let mut chain = Chain {
            degree,
            parts: Vec::new(),
            part_of: vec![FIXED; degree],
            local_of: vec![0; degree],
            levels: Vec::new(),
            strong: OnceLock::new(),
            order: OnceLock::new(),
        };
        let all_points = disjoint_parts(degree, generators);
        for (i, points) in all_points.iter().enumerate() {
            for (local, &x) in points.iter().enumerate() {
                chain.part_of[x as usize] = i as u32;
                chain.local_of[x as usize] = local as u32;
            }
        }
        let mut acting: Vec<Vec<Perm>> = vec![Vec::new(); all_points.len()];
        for g in generators.iter().filter(|g| !g.is_identity()) {
            let part = chain.part_of[g.support()[0] as usize] as usize;
            let local = |x: Point| chain.local_of[x as usize];
            let moves = g.moves().map(|(x, y)| (local(x), local(y))).collect();
            acting[part].push(Perm::from_moves(all_points[part].len(), moves));
        }
        // A known order is that of the product; it tells nothing about one of several factors.
        let order = if all_points.len() == 1 {
            order
        } else {
            KnownOrder::Unknown
        };
        let mut prefixes = vec![Vec::new(); all_points.len()];
        chain.split_prefix(prefix, &mut prefixes);
        for (i, points) in all_points.into_iter().enumerate() {
            let local = build::build(points.len(), &acting[i], &prefixes[i], order);
            chain.parts.push(DisjointFactor::new(degree, points, local));
        }
        chain.place_levels(prefix);
        chain
    }

    /// The number of points, moved or not.
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// The number of levels, one a base point.
    pub fn n_levels(&self) -> usize {
        self.levels.len()
    }

    /// The base point of a level.
    pub fn base_point(&self, level: usize) -> Point {
        self.levels[level].base
    }

    /// The base.
    pub fn base(&self) -> Vec<Point> {
        self.levels.iter().map(|l| l.base).collect()
    }

    /// The orbit of a level's base point under the stabiliser of the earlier ones, base point
    /// first.
    pub fn orbit(&self, level: usize) -> &[Point] {
        let place = &self.levels[level];
        match self.parts.get(place.part as usize) {
            Some(part) => part.orbit(place.level as usize),
            None => std::slice::from_ref(&place.base),
        }
    }

    /// Whether `x` is in the orbit of that level.
    pub fn in_orbit(&self, level: usize, x: Point) -> bool {
        let place = &self.levels[level];
        match self.parts.get(place.part as usize) {
            Some(part) => {
                self.part_of[x as usize] == place.part
                    && part
                        .chain
                        .in_orbit(place.level as usize, self.local_of[x as usize])
            }
            None => x == place.base,
        }
    }

    /// Generators of the stabiliser of the first `level` base points.
    ///
    /// They are made on the first call; large symmetric groups have many, each moving few points.
    pub fn stabiliser_generators(&self, level: usize) -> &[Perm] {
        let strong = self.strong.get_or_init(|| self.strong_generators());
        let start = strong.starts.get(level).copied();
        &strong.perms[start.unwrap_or(strong.perms.len())..]
    }

    /// The chain of the stabiliser of the first `level` base points, whose base is the rest.
    pub fn below(&self, level: usize) -> Chain {
        let mut first = vec![0; self.parts.len()];
        for place in &self.levels[..level] {
            if let Some(n) = first.get_mut(place.part as usize) {
                *n += 1;
            }
        }
        let parts = self.parts.iter().zip(first).map(|(part, n)| {
            DisjointFactor::new(self.degree, part.points.clone(), part.chain.below(n))
        });
        self.with_parts(parts.collect(), &self.base()[level..])
    }

    /// The number of elements.
    pub fn order(&self) -> BigUint {
        let of_parts = || product(self.parts.iter().map(|p| p.chain.order()).collect());
        self.order.get_or_init(of_parts).clone()
    }

    /// Divides `image` on the left by transversal elements, from level `from` on, until it shows
    /// that it is not in the group, and returns the level where that happened, or the number of
    /// levels. It shows when a base point leaves its orbit, or when a point leaves the points of
    /// the independent factor that the level belongs to.
    ///
    /// # Requires
    /// `image` is a permutation that fixes the base points of the levels before `from`.
    pub fn sift(&self, image: &mut [Point], from: usize) -> usize {
        assert_eq!(image.len(), self.degree, "image of another length");
        let mut level = from;
        while let Some(place) = self.levels.get(level) {
            let end = place.run_end as usize;
            let Some(part) = self.parts.get(place.part as usize) else {
                if image[place.base as usize] != place.base {
                    return level;
                }
                level = end;
                continue;
            };
            if !self.enter(place.part, image) {
                return level;
            }
            let lo = place.level as usize;
            let stopped = part
                .chain
                .sift(image, part.positions(), lo, lo + end - level);
            self.leave(place.part, image);
            level += stopped - lo;
            if level < end {
                return level;
            }
        }
        level
    }

    /// Whether `g` is an element of the group.
    pub fn contains(&self, g: &Perm) -> bool {
        g.degree() == self.degree && {
            let mut image = vec![0; self.degree];
            g.write_image(&mut image);
            self.contains_image(&mut image)
        }
    }

    /// Whether the permutation `image` is an element of the group; `image` is left changed.
    pub fn contains_image(&self, image: &mut [Point]) -> bool {
        self.sift(image, 0) == self.levels.len() && local::is_identity(image)
    }

    /// Other chains over the same points, part by part; the base starts with `prefix`.
    fn with_parts(&self, parts: Vec<DisjointFactor>, prefix: &[Point]) -> Chain {
        let mut chain = Chain {
            degree: self.degree,
            parts,
            part_of: self.part_of.clone(),
            local_of: self.local_of.clone(),
            levels: Vec::new(),
            strong: OnceLock::new(),
            order: OnceLock::new(),
        };
        chain.place_levels(prefix);
        chain
    }

    /// Turns values of a part's positions into local ones; `false`, and nothing done, if a value
    /// is outside the part.
    fn enter(&self, part_index: u32, image: &mut [Point]) -> bool {
        let part = &self.parts[part_index as usize];
        if part.is_whole {
            return true;
        }
        let stays = |&x: &Point| self.part_of[image[x as usize] as usize] == part_index;
        if !part.points.iter().all(stays) {
            return false;
        }
        for &x in &part.points {
            image[x as usize] = self.local_of[image[x as usize] as usize];
        }
        true
    }

    /// Undoes [`Chain::enter`].
    fn leave(&self, part: u32, image: &mut [Point]) {
        let part = &self.parts[part as usize];
        if !part.is_whole {
            for &x in &part.points {
                image[x as usize] = part.points[image[x as usize] as usize];
            }
        }
    }

    /// Gives each part its points of a base, by their local numbers.
    fn split_prefix(&self, prefix: &[Point], prefixes: &mut [Vec<u32>]) {
        for &b in prefix {
            if let Some(prefix) = prefixes.get_mut(self.part_of[b as usize] as usize) {
                prefix.push(self.local_of[b as usize]);
            }
        }
    }

    /// Lists the levels: those of `prefix` in its order, then the others, part by part.
    fn place_levels(&mut self, prefix: &[Point]) {
        let mut next = vec![0; self.parts.len()];
        let mut places = Vec::new();
        for &base in prefix {
            let part = self.part_of[base as usize];
            let level = next.get_mut(part as usize).map_or(0, |next| {
                *next += 1;
                *next - 1
            });
            places.push((base, part, level));
        }
        for (i, part) in self.parts.iter().enumerate() {
            for level in next[i]..part.chain.n_levels() as u32 {
                let base = part.points[part.chain.base_point(level as usize) as usize];
                places.push((base, i as u32, level));
            }
        }
        let mut run_end = places.len() as u32;
        for i in (0..places.len()).rev() {
            let (base, part, level) = places[i];
            if let Some(&(_, next_part, _)) = places.get(i + 1)
                && (next_part != part || part == FIXED)
            {
                run_end = i as u32 + 1;
            }
            self.levels.push(LevelPlace {
                base,
                part,
                level,
                run_end,
            });
        }
        self.levels.reverse();
    }

    fn strong_generators(&self) -> StrongGenerators {
        let mut by_level: Vec<(usize, Perm)> = Vec::new();
        for (k, place) in self.levels.iter().enumerate() {
            let Some(part) = self.parts.get(place.part as usize) else {
                continue;
            };
            let (stage, i) = part.chain.place(place.level as usize);
            let mut push = |moves: Vec<(u32, u32)>| {
                let global =
                    |(x, y): (u32, u32)| (part.points[x as usize], part.points[y as usize]);
                let perm = Perm::from_moves(self.degree, moves.into_iter().map(global).collect());
                by_level.push((k, perm));
            };
            match &part.chain.stages()[stage] {
                ChainStage::Tree(tree) => {
                    for e in 0..tree.n_edges() {
                        push((0..).zip(tree.edge(e)).collect());
                    }
                }
                ChainStage::Segment(segment) => push(segment.three_cycle(i)),
            }
        }
        let starts = (0..=self.levels.len())
            .map(|k| by_level.partition_point(|(level, _)| *level < k))
            .collect();
        let perms = by_level.into_iter().map(|(_, perm)| perm).collect();
        StrongGenerators { perms, starts }
    }
}

impl DisjointFactor {
    fn new(degree: usize, points: Vec<Point>, mut chain: LocalChain) -> DisjointFactor {
        chain.settle();
        let is_whole = points.len() == degree;
        let mut part = DisjointFactor {
            points,
            is_whole,
            chain,
            stage_points: Vec::new(),
        };
        if !is_whole {
            let global = |x: &u32| part.points[*x as usize];
            let stages = part.chain.stages().iter();
            part.stage_points = stages
                .map(|stage| match stage {
                    ChainStage::Tree(tree) => tree.orbit.iter().map(global).collect(),
                    ChainStage::Segment(segment) => segment.cells.iter().map(global).collect(),
                })
                .collect();
        }
        part
    }

    fn positions(&self) -> ImagePositions<'_> {
        if self.is_whole {
            ImagePositions::All
        } else {
            ImagePositions::At(&self.points)
        }
    }

    fn orbit(&self, level: usize) -> &[Point] {
        if self.is_whole {
            return self.chain.orbit(level);
        }
        let (stage, i) = self.chain.place(level);
        match &self.chain.stages()[stage] {
            ChainStage::Tree(_) => &self.stage_points[stage],
            ChainStage::Segment(segment) => &self.stage_points[stage][segment.orbit(i)],
        }
    }
}

/// The sets of points that generators connect, single points left out, each sorted.
fn disjoint_parts(degree: usize, generators: &[Perm]) -> Vec<Vec<Point>> {
    let mut sets = DisjointSets::new(degree);
    for g in generators {
        for w in g.support().windows(2) {
            sets.join(w[0], w[1]);
        }
    }
    let mut parts = sets.sets();
    parts.retain(|p| p.len() > 1);
    parts
}
