//! Which of some points can be exchanged in pairs while the others stay, and by which elements.

use crate::enumerate::image;
use group::{Group, Perm, Point};
use std::collections::HashMap;

/// Points any two of which can be exchanged.
pub(crate) struct Exchanges {
    /// All points that were asked about, by class, in the order given.
    pub classes: Vec<Vec<Point>>,
    /// By two points of a class, the earlier first.
    pub by_pair: HashMap<(Point, Point), Vec<Point>>,
}

impl Exchanges {
    /// Those of `points` under `group`.
    pub fn new(group: &Group, points: &[Point]) -> Exchanges {
        let mut found: Vec<(Vec<Point>, Vec<Perm>)> = Vec::new();
        for point in points {
            // Being exchangeable carries over, so that one of each class is enough to ask.
            let fitting = found.iter_mut().find_map(|(class, swaps)| {
                let swap = exchange(group, points, class[0], *point)?;
                Some((class, swaps, swap))
            });
            match fitting {
                Some((class, swaps, swap)) => {
                    class.push(*point);
                    swaps.push(swap);
                }
                None => found.push((vec![*point], Vec::new())),
            }
        }
        let mut by_pair = HashMap::new();
        for (class, swaps) in &found {
            for j in 1..class.len() {
                let first = &swaps[j - 1];
                by_pair.insert((class[0], class[j]), image(first));
                for i in 1..j {
                    // Through the first of the class: (i j) = (0 i) (0 j) (0 i).
                    let swap = first.conjugate(&swaps[i - 1]);
                    by_pair.insert((class[i], class[j]), image(&swap));
                }
            }
        }
        Exchanges {
            classes: found.into_iter().map(|(class, _)| class).collect(),
            by_pair,
        }
    }
}

/// An element that exchanges `x` and `y` and fixes the other points.
fn exchange(group: &Group, points: &[Point], x: Point, y: Point) -> Option<Perm> {
    let others = points.iter().copied().filter(|z| *z != x && *z != y);
    let others: Vec<Point> = others.collect();
    let stabiliser = group.stabiliser_of_points(&others);
    if !stabiliser.orbit_of(x).contains(&y) {
        return None;
    }
    let chain = stabiliser.chain().with_base(&[x]);
    // It fixes the others and sends `x` to `y`, so it sends `y` to `x`.
    let swap = chain.transversal(0, y);
    (swap.at(x) == y && swap.at(y) == x).then_some(swap)
}
