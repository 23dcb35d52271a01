//! Finding columns on which a group acts with every even permutation.
//!
//! Given some elements `P` of a group `G`, look for orbits `D1, …, Dw` of `⟨P⟩`, all of length `m`,
//! such that a power of an element of `P` moves just these and is one cycle of prime length `q`,
//! `m/2 < q < m - 2`, on each; and for bijections between them that every element of `P` respects:
//! the columns. Then `⟨P⟩` acts transitively on the columns and contains a `q`-cycle of columns
//! that fixes everything else. A transitive group with a cycle of prime length above half its
//! degree is primitive, and a primitive group with a cycle of prime length below `m - 2` contains
//! the alternating group (Jordan 1873). The conjugates of the `q`-cycle generate a normal subgroup
//! that is not trivial, hence all even permutations of the columns, and they too fix every other
//! point. So `G` contains them: no luck is involved once a candidate has been found.
//!
//! Worked example: on 16 points let `g = (0 1 2 3 4)(8 9 10 11 12)` be among the elements, with
//! orbits `0..8` and `8..16` and every element respecting `x ↦ x + 8`. Then `m = 8`, `q = 5` lies
//! between 4 and 6, and the group contains all even permutations of the eight columns
//! `{x, x + 8}`.
//!
//! The power that leaves only the `q`-cycle exists when `q` divides the length of no other cycle;
//! it need not be computed. A random element of `S_m` has such a cycle with probability near
//! `ln 2 / ln m`. Cost: one pass over the elements, and `m` look-ups for each element and row.

use std::collections::HashMap;

use crate::orbit::DisjointSets;

/// Below this number of columns trees are as good.
const COLUMNS_MIN: usize = 8;

/// Columns with every even permutation: row by row, `n_columns` points each.
pub(super) struct AlternatingColumns {
    pub(super) n_columns: usize,
    pub(super) cells: Vec<u32>,
}

/// Columns that hold `wanted`, if asked for, on which the group of `elements` contains every even
/// permutation that fixes all other points. The orbits of `elements` are `sets`.
pub(super) fn find_columns(
    elements: &[Vec<u32>],
    sets: &mut DisjointSets,
    wanted: Option<u32>,
) -> Option<AlternatingColumns> {
    let n = elements.first()?.len();
    let n_long = match wanted {
        Some(b) => sets.size_of(b),
        None => (0..n as u32).map(|x| sets.size_of(x)).max().unwrap_or(0),
    };
    if n_long < COLUMNS_MIN {
        return None;
    }
    let cycles: Vec<Vec<u32>> = elements.iter().map(|e| cycle_lengths(e)).collect();
    for (element, lengths) in elements.iter().zip(&cycles) {
        for (q, roots) in single_prime_cycles(element, lengths, sets) {
            if wanted.is_some_and(|b| !roots.contains(&sets.find(b))) {
                continue;
            }
            if let Some(columns) = match_columns(elements, &cycles, sets, &roots) {
                debug_assert!(q > columns.n_columns / 2);
                return Some(columns);
            }
        }
    }
    None
}

/// The length of each point's cycle.
fn cycle_lengths(image: &[u32]) -> Vec<u32> {
    let mut lengths = vec![0; image.len()];
    for start in 0..image.len() {
        if lengths[start] != 0 {
            continue;
        }
        let mut length = 0;
        let mut x = start;
        loop {
            length += 1;
            x = image[x] as usize;
            if x == start {
                break;
            }
        }
        loop {
            lengths[x] = length;
            x = image[x] as usize;
            if x == start {
                break;
            }
        }
    }
    lengths
}

/// The primes `q` such that a power of the element is a single `q`-cycle, `m/2 < q < m - 2`, on
/// each of some orbits of one length `m` and moves nothing else; with the roots of these orbits.
fn single_prime_cycles(
    image: &[u32],
    lengths: &[u32],
    sets: &mut DisjointSets,
) -> Vec<(usize, Vec<u32>)> {
    // For each cycle length that occurs, one entry for each cycle: the root of its orbit.
    let mut roots_of: HashMap<u32, Vec<u32>> = HashMap::new();
    let mut seen = vec![false; image.len()];
    for start in 0..image.len() {
        if seen[start] {
            continue;
        }
        let mut x = start;
        while !std::mem::replace(&mut seen[x], true) {
            x = image[x] as usize;
        }
        let root = sets.find(start as u32);
        roots_of.entry(lengths[start]).or_default().push(root);
    }
    let mut found = Vec::new();
    for (&q, roots) in &roots_of {
        let m = sets.size_of(roots[0]);
        let q_fits = 2 * q as usize > m && (q as usize) + 2 < m && m >= COLUMNS_MIN && is_prime(q);
        if !q_fits || roots.iter().any(|&r| sets.size_of(r) != m) {
            continue;
        }
        let mut distinct = roots.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let alone = roots_of.keys().all(|&l| l == q || l % q != 0);
        if alone && distinct.len() == roots.len() {
            found.push((q as usize, distinct));
        }
    }
    // Long orbits first; the order of a hash table must not show.
    found.sort_by_key(|(q, roots)| (usize::MAX - q, roots[0]));
    found
}

/// Bijections between the orbits that all elements respect.
fn match_columns(
    elements: &[Vec<u32>],
    cycles: &[Vec<u32>],
    sets: &mut DisjointSets,
    roots: &[u32],
) -> Option<AlternatingColumns> {
    let n = elements[0].len();
    let row_of: HashMap<u32, usize> = roots.iter().copied().zip(0..).collect();
    let mut rows: Vec<Vec<u32>> = vec![Vec::new(); roots.len()];
    for x in 0..n as u32 {
        if let Some(&row) = row_of.get(&sets.find(x)) {
            rows[row].push(x);
        }
    }
    rows.sort_by_key(|row| row[0]);
    let signature = |x: u32| cycles.iter().map(move |c| c[x as usize]);
    // A point whose signature is rare has few possible partners.
    let mut count: HashMap<Vec<u32>, (usize, u32)> = HashMap::new();
    if rows.len() > 1 {
        for &x in &rows[0] {
            let entry = count.entry(signature(x).collect()).or_insert((0, x));
            entry.0 += 1;
        }
    }
    let start = count.values().min().map_or(rows[0][0], |&(_, first)| first);
    let mut cells = rows[0].clone();
    let mut map = vec![NONE; n];
    for row in &rows[1..] {
        row.iter()
            .filter(|&&y| signature(y).eq(signature(start)))
            .find(|&&y| extend_match(elements, start, y, &mut map))?;
        cells.extend(rows[0].iter().map(|&x| map[x as usize]));
        rows[0].iter().for_each(|&x| map[x as usize] = NONE);
    }
    Some(AlternatingColumns {
        n_columns: rows[0].len(),
        cells,
    })
}

/// Where a map is not given yet.
const NONE: u32 = u32::MAX;

/// Writes the map with `start ↦ partner` that all elements respect, on the orbit of `start`, to
/// `map`; says whether there is one. Between orbits of equal length it is a bijection.
///
/// # Requires
/// `map` is `NONE` everywhere.
///
/// # Ensures
/// If there is none, `map` is as before.
fn extend_match(elements: &[Vec<u32>], start: u32, partner: u32, map: &mut [u32]) -> bool {
    map[start as usize] = partner;
    let mut queue = vec![start];
    let mut next = 0;
    while next < queue.len() {
        let x = queue[next];
        next += 1;
        for e in elements {
            let (y, wanted) = (e[x as usize], e[map[x as usize] as usize]);
            if map[y as usize] == NONE {
                map[y as usize] = wanted;
                queue.push(y);
            } else if map[y as usize] != wanted {
                queue.iter().for_each(|&x| map[x as usize] = NONE);
                return false;
            }
        }
    }
    true
}

pub(super) fn is_prime(q: u32) -> bool {
    q >= 2
        && (2..)
            .take_while(|d| d * d <= q)
            .all(|d| !q.is_multiple_of(d))
}
