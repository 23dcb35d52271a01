//! The order of places in each row, with few crossings.
//!
//! Sweeps downwards and upwards put each place near the median of its neighbours in the row before
//! (Gansner and others 1993); swaps of neighbours remove crossings that are left. The best order
//! met is kept. Worked example: `a, b` above `x, y` with lines `a–y`, `b–x`: the medians of `x` and
//! `y` are 1 and 0, so the row becomes `y, x`, and nothing crosses.

use super::rows::Rows;

/// How often all rows are swept.
const SWEEPS: usize = 24;
/// Beyond this many places neighbours are not swapped, and there are fewer sweeps.
const SWAPS_MAX: usize = 4_000;

/// Where each place stands in its row.
pub(super) struct Orders {
    rank: Vec<u32>,
}

impl Orders {
    /// As they were made, but for walks from the top: what hangs together stands together.
    pub fn new(rows: &Rows) -> Orders {
        Orders {
            rank: vec![0; rows.places.len()],
        }
    }

    /// Puts each row in a good order.
    pub fn improve(mut self, rows: &mut Rows) {
        self.walk(rows);
        let mut best = rows.rows.clone();
        let mut fewest = self.n_crossings(rows);
        let is_small = rows.places.len() <= SWAPS_MAX;
        let n_sweeps = if is_small { SWEEPS } else { SWEEPS / 3 };
        let mut n_worse = 0;
        for sweep in 0..n_sweeps {
            if fewest == 0 || n_worse > 8 {
                break;
            }
            self.sweep(rows, sweep);
            if is_small {
                self.swap(rows);
            }
            let n = self.n_crossings(rows);
            if n < fewest {
                fewest = n;
                best.clone_from(&rows.rows);
                n_worse = 0;
            } else {
                n_worse += 1;
            }
        }
        rows.rows = best;
    }

    /// Orders rows by a walk in depth from the top.
    fn walk(&mut self, rows: &mut Rows) {
        let mut is_met = vec![false; rows.places.len()];
        let mut new_rows: Vec<Vec<u32>> = vec![Vec::new(); rows.rows.len()];
        let starts: Vec<u32> = rows.rows.iter().flatten().copied().collect();
        for start in starts {
            let mut stack = vec![start];
            while let Some(place) = stack.pop() {
                if std::mem::replace(&mut is_met[place as usize], true) {
                    continue;
                }
                new_rows[rows.places[place as usize].row as usize].push(place);
                stack.extend(rows.below[place as usize].iter().rev());
            }
        }
        rows.rows = new_rows;
        for row in 0..rows.rows.len() {
            self.number(rows, row);
        }
    }

    fn number(&mut self, rows: &Rows, row: usize) {
        for (i, place) in rows.rows[row].iter().enumerate() {
            self.rank[*place as usize] = i as u32;
        }
    }

    fn sweep(&mut self, rows: &mut Rows, sweep: usize) {
        let n = rows.rows.len();
        let downwards = sweep.is_multiple_of(2);
        for i in 0..n {
            let row = if downwards { i } else { n - 1 - i };
            let mut keyed: Vec<(f64, u32)> = rows.rows[row]
                .iter()
                .map(|place| {
                    let side = if downwards { &rows.above } else { &rows.below };
                    let key = self.median(&side[*place as usize]);
                    (key.unwrap_or(f64::NAN), *place)
                })
                .collect();
            // Places without neighbours stay where they are; the others are sorted around them.
            let mut moved: Vec<(f64, u32)> =
                keyed.iter().copied().filter(|(k, _)| !k.is_nan()).collect();
            let is_second = sweep % 4 >= 2;
            moved.sort_by(|a, b| {
                let ties = self.rank[a.1 as usize].cmp(&self.rank[b.1 as usize]);
                // Every other pair of sweeps equal places change sides.
                let ties = if is_second { ties.reverse() } else { ties };
                a.0.total_cmp(&b.0).then(ties)
            });
            let mut moved = moved.into_iter();
            for entry in keyed.iter_mut().filter(|(k, _)| !k.is_nan()) {
                *entry = moved.next().expect("as many as there were");
            }
            rows.rows[row] = keyed.into_iter().map(|(_, place)| place).collect();
            self.number(rows, row);
        }
    }

    /// The weighted median of where neighbours stand.
    fn median(&self, neighbours: &[u32]) -> Option<f64> {
        let mut ranks: Vec<u32> = neighbours.iter().map(|n| self.rank[*n as usize]).collect();
        ranks.sort_unstable();
        let n = ranks.len();
        let at = |i: usize| f64::from(ranks[i]);
        match n {
            0 => None,
            2 => Some((at(0) + at(1)) / 2.0),
            _ if n % 2 == 1 => Some(at(n / 2)),
            _ => {
                let (left, right) = (at(n / 2 - 1) - at(0), at(n - 1) - at(n / 2));
                let (low, high) = (at(n / 2 - 1), at(n / 2));
                if left + right == 0.0 {
                    Some((low + high) / 2.0)
                } else {
                    Some((low * right + high * left) / (left + right))
                }
            }
        }
    }

    /// Swaps neighbours as long as that removes crossings.
    fn swap(&mut self, rows: &mut Rows) {
        for _ in 0..8 {
            let mut improved = false;
            for row in 0..rows.rows.len() {
                for i in 1..rows.rows[row].len() {
                    let (a, b) = (rows.rows[row][i - 1], rows.rows[row][i]);
                    let now = self.crossings_of(rows, a, b);
                    let then = self.crossings_of(rows, b, a);
                    if then < now {
                        rows.rows[row].swap(i - 1, i);
                        self.rank[a as usize] = i as u32;
                        self.rank[b as usize] = i as u32 - 1;
                        improved = true;
                    }
                }
            }
            if !improved {
                break;
            }
        }
    }

    /// How many lines of two neighbours cross, if `a` stands left of `b`.
    fn crossings_of(&self, rows: &Rows, a: u32, b: u32) -> usize {
        let of = |side: &[Vec<u32>]| {
            let (of_a, of_b) = (&side[a as usize], &side[b as usize]);
            let pairs = of_a.iter().flat_map(|x| of_b.iter().map(move |y| (x, y)));
            pairs
                .filter(|(x, y)| self.rank[**x as usize] > self.rank[**y as usize])
                .count()
        };
        of(&rows.above) + of(&rows.below)
    }

    /// How many lines cross.
    pub fn n_crossings(&self, rows: &Rows) -> usize {
        let mut n = 0;
        for row in &rows.rows {
            let mut ends: Vec<u32> = Vec::new();
            for place in row {
                let from = ends.len();
                let below = rows.below[*place as usize].iter();
                ends.extend(below.map(|b| self.rank[*b as usize]));
                ends[from..].sort_unstable();
            }
            n += n_inversions(&ends);
        }
        n
    }
}

/// How many pairs stand in the wrong order.
fn n_inversions(values: &[u32]) -> usize {
    let size = values.iter().max().map_or(0, |most| *most as usize + 1);
    // By value, how many were met that are not larger: sums of a binary indexed tree.
    let mut tree = vec![0_usize; size + 1];
    let mut n = 0;
    for (n_met, value) in values.iter().enumerate() {
        let mut at = *value as usize + 1;
        let mut not_larger = 0;
        while at > 0 {
            not_larger += tree[at];
            at &= at - 1;
        }
        n += n_met - not_larger;
        let mut at = *value as usize + 1;
        while at <= size {
            tree[at] += 1;
            at += at & at.wrapping_neg();
        }
    }
    n
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inversions_are_counted_as_by_their_definition() {
        let mut rng = fastrand::Rng::with_seed(5);
        for _ in 0..200 {
            let n = rng.usize(0..20);
            let values: Vec<u32> = (0..n).map(|_| rng.u32(0..8)).collect();
            let mut plain = 0;
            for i in 0..n {
                plain += values[..i].iter().filter(|v| **v > values[i]).count();
            }
            assert_eq!(n_inversions(&values), plain, "{values:?}");
        }
    }
}
