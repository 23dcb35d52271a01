//! Why two parts of a model are not interchangeable: the first line that tells them apart.
//!
//! Colours of the structure are refined in rounds: a vertex is told from another if it has other
//! neighbours. Two bearers that end with different colours were told apart in some round, because
//! one of them has a neighbour that the other lacks; that neighbour was told apart earlier, and so
//! on back to two vertices of different colours to begin with. The lines of the text on that way
//! are the explanation, the last of them first.
//!
//! Worked example: users 1 and 2 with `if :: _pid == 1 -> …`. Round 1 tells the member 1 from the
//! member 2, because a literal refers to it; round 2 tells user 1 from user 2, because it has
//! member 1. The way back: user 1, member 1, the literal in line 7.

use crate::processes::structure::Structure;
use std::collections::HashMap;

/// A neighbour: the label of the arc, whether it leads there, and the vertex or its colour.
type Seen = (u32, bool, u32);

/// Why two bearers differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The line of the text that tells them apart; 0 if it is no line of the text.
    pub line: u32,
    /// The vertices on the way there, in pairs; one may be missing where the other has more.
    pub path: Vec<(Option<u32>, Option<u32>)>,
}

/// The rounds of refinement of a structure.
pub struct Explain<'a> {
    structure: &'a Structure,
    /// The neighbours of each vertex: label, direction, vertex.
    neighbours: Vec<Vec<Seen>>,
    /// The colours after each round.
    rounds: Vec<Vec<u32>>,
}

/// After so many rounds nobody is told apart any more who can be explained.
const N_ROUNDS_MAX: usize = 200;

impl<'a> Explain<'a> {
    /// Refines the colours of a structure.
    pub fn new(structure: &'a Structure) -> Explain<'a> {
        let mut neighbours = vec![Vec::new(); structure.colours.len()];
        for link in &structure.links {
            neighbours[link.from as usize].push((link.label, true, link.to));
            neighbours[link.to as usize].push((link.label, false, link.from));
        }
        let mut explain = Explain {
            structure,
            neighbours,
            rounds: vec![structure.colours.clone()],
        };
        explain.refine();
        explain
    }

    fn refine(&mut self) {
        let mut n_classes = 0;
        for _ in 0..N_ROUNDS_MAX {
            let last = &self.rounds[self.rounds.len() - 1];
            let mut sizes: HashMap<u32, u32> = HashMap::new();
            last.iter()
                .for_each(|colour| *sizes.entry(*colour).or_default() += 1);
            let mut numbers: HashMap<(u32, Vec<Seen>), u32> = HashMap::new();
            let mut next = Vec::with_capacity(last.len());
            let mut n = 0;
            for (x, colour) in last.iter().enumerate() {
                // Who is told apart from all others stays so.
                let number = if sizes[colour] == 1 {
                    n
                } else {
                    let key = (*colour, self.seen(x as u32, last));
                    *numbers.entry(key).or_insert(n)
                };
                next.push(number);
                n = n.max(number + 1);
            }
            if n == n_classes {
                return;
            }
            n_classes = n;
            self.rounds.push(next);
        }
    }

    /// The neighbours of a vertex by colour.
    fn seen(&self, x: u32, colours: &[u32]) -> Vec<Seen> {
        let all = self.neighbours[x as usize].iter();
        let mut seen: Vec<_> = all
            .map(|(l, d, y)| (*l, *d, colours[*y as usize]))
            .collect();
        seen.sort_unstable();
        seen
    }

    /// Why `x` and `y` differ; `None` if refinement does not tell them apart.
    pub fn difference(&self, x: u32, y: u32) -> Option<Difference> {
        let round = self
            .rounds
            .iter()
            .position(|c| c[x as usize] != c[y as usize])?;
        let mut path = vec![(Some(x), Some(y))];
        let (mut x, mut y) = (x, y);
        for round in (0..round).rev() {
            let (a, b) = self.step(x, y, &self.rounds[round])?;
            path.push((a, b));
            let (Some(a), Some(b)) = (a, b) else {
                break;
            };
            (x, y) = (a, b);
            if round > 0 && self.rounds[round - 1][x as usize] == self.rounds[round - 1][y as usize]
            {
                continue;
            }
        }
        let lines = &self.structure.lines;
        let line = |v: &Option<u32>| v.map_or(0, |v| lines[v as usize]);
        let told = path.iter().rev().map(|(a, b)| line(a).max(line(b)));
        let line = told.into_iter().find(|line| *line > 0).unwrap_or(0);
        Some(Difference { line, path })
    }

    /// Neighbours of `x` and `y` in one place that differ under `colours`.
    fn step(&self, x: u32, y: u32, colours: &[u32]) -> Option<(Option<u32>, Option<u32>)> {
        let mut counts: HashMap<Seen, i32> = HashMap::new();
        for (label, out, z) in &self.neighbours[x as usize] {
            *counts
                .entry((*label, *out, colours[*z as usize]))
                .or_default() += 1;
        }
        for (label, out, z) in &self.neighbours[y as usize] {
            *counts
                .entry((*label, *out, colours[*z as usize]))
                .or_default() -= 1;
        }
        let more = |of: u32, sign: i32, place: Option<(u32, bool)>| {
            let all = self.neighbours[of as usize].iter();
            let mut found = all.filter(|(label, out, z)| {
                let count = counts[&(*label, *out, colours[*z as usize])];
                count * sign > 0 && place.is_none_or(|p| p == (*label, *out))
            });
            found.next().copied()
        };
        match more(x, 1, None) {
            Some((label, out, a)) => {
                Some((Some(a), more(y, -1, Some((label, out))).map(|(_, _, b)| b)))
            }
            None => Some((None, Some(more(y, -1, None)?.2))),
        }
    }
}
