//! How far from the left each place is, and how far from the top each row.
//!
//! **Problem.** Each place wants to be where its neighbours in other rows are; in its row, order
//! and distances have to be kept.
//!
//! **Idea.** For one row this is a problem of least squares with an exact answer: take off the
//! distances, and what is left has to be a sequence that does not fall and is near the wishes. Such
//! a sequence is found by pooling neighbours that are in the wrong order (Ayer and others 1955).
//! All rows are visited downwards and upwards several times. Lines pull harder than boxes, so long
//! edges become straight.
//!
//! **Worked example.** Two places that both want 10, with distance 4: pooled, they are at 8 and 12.
//!
//! **Cost.** Linear for a row.

use super::rows::Rows;

/// How often all rows are visited.
const VISITS: usize = 24;
/// Beyond this many places there are fewer visits.
const PLACES_OFTEN: usize = 8_000;

/// Where places and rows are.
pub(super) struct Positions {
    /// By place.
    pub x: Vec<f64>,
    /// By row, where it begins.
    pub top: Vec<f64>,
    /// By row, how high it is.
    pub height: Vec<f64>,
    /// How far to the right things reach, and down.
    pub width: f64,
    pub bottom: f64,
}

/// The least distance of two rows.
const ROW_GAP: f64 = 18.0;
/// How much more there is for lines that go far aside.
const ROW_GAP_MORE: f64 = 44.0;
/// How much is free around the picture.
const MARGIN: f64 = 16.0;
/// How much is free above the first row, for the mark of an initial node.
const HEAD: f64 = 26.0;

impl Positions {
    pub fn new(rows: &Rows) -> Positions {
        let x = columns(rows);
        let gaps: Vec<f64> = (0..rows.rows.len()).map(|row| gap(rows, row, &x)).collect();
        let mut positions = Positions {
            x,
            top: Vec::new(),
            height: Vec::new(),
            width: 0.0,
            bottom: 0.0,
        };
        let mut y = MARGIN + HEAD;
        for (row, gap) in rows.rows.iter().zip(gaps) {
            let heights = row.iter().map(|place| rows.places[*place as usize].height);
            let height = heights.fold(0.0, f64::max);
            positions.top.push(y);
            positions.height.push(height);
            y += height + gap;
        }
        let reach = |place: u32| positions.x[place as usize] + rows.places[place as usize].right;
        let reaches = rows.rows.iter().flatten().map(|place| reach(*place));
        positions.width = reaches.fold(0.0, f64::max) + MARGIN;
        let ends = positions.top.iter().zip(&positions.height);
        positions.bottom = ends.map(|(y, height)| y + height).fold(0.0, f64::max) + MARGIN;
        positions
    }
}

/// How much is free below a row: none below the last one that has something.
fn gap(rows: &Rows, row: usize, x: &[f64]) -> f64 {
    let lines = rows.rows[row].iter().flat_map(|upper| {
        let below = rows.below[*upper as usize].iter();
        below.map(|lower| (x[*upper as usize] - x[*lower as usize]).abs())
    });
    match lines.reduce(f64::max) {
        None => 0.0,
        Some(aside) => ROW_GAP + (aside * 0.08).min(ROW_GAP_MORE),
    }
}

fn columns(rows: &Rows) -> Vec<f64> {
    let mut x = vec![0.0; rows.places.len()];
    for row in &rows.rows {
        for pair in row.windows(2) {
            x[pair[1] as usize] = x[pair[0] as usize] + rows.distance(pair[0], pair[1]);
        }
    }
    let n = rows.rows.len();
    let n_visits = if rows.places.len() > PLACES_OFTEN {
        VISITS / 3
    } else {
        VISITS
    };
    for visit in 0..n_visits {
        // First by one side, so that news travels; at last by both.
        let side = match visit {
            v if v + 6 >= n_visits => Side::Both,
            v if v % 2 == 0 => Side::Above,
            _ => Side::Below,
        };
        for i in 0..n {
            let upwards = side == Side::Below || (side == Side::Both && visit % 2 == 1);
            let row = if upwards { n - 1 - i } else { i };
            settle(rows, row, side, &mut x);
        }
    }
    let places = rows.rows.iter().flatten();
    let left = places.map(|p| x[*p as usize] - rows.places[*p as usize].left);
    let shift = MARGIN - left.reduce(f64::min).unwrap_or(0.0);
    x.iter_mut().for_each(|x| *x += shift);
    x
}

/// Whose places count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Above,
    Below,
    Both,
}

/// Puts the places of a row where they want to be, as near as order and distances allow.
fn settle(rows: &Rows, row: usize, side: Side, x: &mut [f64]) {
    let row = &rows.rows[row];
    let mut distances = Vec::with_capacity(row.len());
    let mut total = 0.0;
    for (i, place) in row.iter().enumerate() {
        if i > 0 {
            total += rows.distance(row[i - 1], *place);
        }
        distances.push(total);
    }
    let wishes: Vec<Wish> = row
        .iter()
        .zip(&distances)
        .map(|(place, distance)| {
            let (wish, weight) = wish(rows, *place, side, x);
            Wish {
                value: wish - distance,
                weight,
            }
        })
        .collect();
    for ((place, distance), value) in row.iter().zip(&distances).zip(not_falling(&wishes)) {
        x[*place as usize] = value + distance;
    }
}

/// Where a place wants to be, and how much.
fn wish(rows: &Rows, place: u32, side: Side, x: &[f64]) -> (f64, f64) {
    let of_above = rows.above[place as usize].iter();
    let of_below = rows.below[place as usize].iter();
    let above = of_above.filter(|_| side != Side::Below);
    let below = of_below.filter(|_| side != Side::Above);
    let is_line = rows.places[place as usize].is_line();
    let (mut sum, mut weight) = (0.0, 0.0);
    for neighbour in above.chain(below) {
        let both = is_line && rows.places[*neighbour as usize].is_line();
        let pull = if both { 8.0 } else { 1.0 };
        sum += pull * x[*neighbour as usize];
        weight += pull;
    }
    if weight == 0.0 {
        (x[place as usize], 0.05)
    } else {
        (sum / weight, weight)
    }
}

/// A value that is wished, and how much.
#[derive(Clone, Copy, Debug)]
struct Wish {
    value: f64,
    weight: f64,
}

/// The sequence that does not fall and is nearest to what is wished, by weighted squares.
fn not_falling(wishes: &[Wish]) -> Vec<f64> {
    let mut pools: Vec<(Wish, usize)> = Vec::new();
    for wish in wishes {
        let mut pool = (*wish, 1);
        while let Some((before, n)) = pools.last().copied() {
            if before.value <= pool.0.value {
                break;
            }
            pools.pop();
            let weight = before.weight + pool.0.weight;
            let sum = before.value * before.weight + pool.0.value * pool.0.weight;
            pool = (
                Wish {
                    value: sum / weight,
                    weight,
                },
                n + pool.1,
            );
        }
        pools.push(pool);
    }
    let values = pools.iter();
    values
        .flat_map(|(pool, n)| std::iter::repeat_n(pool.value, *n))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_falls_is_pooled() {
        let wishes = [(3.0, 1.0), (1.0, 3.0), (5.0, 1.0)];
        let wishes = wishes.map(|(value, weight)| Wish { value, weight });
        assert_eq!(not_falling(&wishes), [1.5, 1.5, 5.0]);
    }

    #[test]
    fn no_sequence_on_a_grid_is_nearer() {
        let mut rng = fastrand::Rng::with_seed(11);
        for _ in 0..100 {
            let wishes: Vec<Wish> = (0..4)
                .map(|_| Wish {
                    value: f64::from(rng.u32(0..6)),
                    weight: f64::from(rng.u32(1..4)),
                })
                .collect();
            let cost = |values: &[f64]| {
                let both = wishes.iter().zip(values);
                both.map(|(w, v)| w.weight * (w.value - v).powi(2))
                    .sum::<f64>()
            };
            let ours = cost(&not_falling(&wishes));
            for code in 0..6_u32.pow(4) {
                let digits = [0, 1, 2, 3].map(|i| f64::from(code / 6_u32.pow(i) % 6));
                if digits.is_sorted() {
                    assert!(ours <= cost(&digits) + 1e-9, "{wishes:?} {digits:?}");
                }
            }
        }
    }
}
