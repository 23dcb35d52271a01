//! The control data of sixteen images compared at a time, so that vector instructions can do it.
//!
//! Of the images of a state under a list of elements only those can be the least whose control data
//! are not greater than those of the best so far. The elements are kept by their inverses, sixteen
//! abreast: for each place the sixteen points that come there. A loop over sixteen bytes without a
//! branch compares what these own with what the best has there, and ends where all sixteen are
//! decided. Whoever is left is looked at one by one.
//!
//! Worked example, all permutations of three points with ranks `2 0 1`, the best so far `1 0 2`: at
//! the first place 2, 2, 0, 0, 1 and 1 come; the two with 2 are greater, the two with 0 less, and
//! of those with 1 the second place decides.
//!
//! It is plain code that a compiler may turn into vector instructions; what that is worth is in
//! `docs/theory/measurements.md`. Source: Donaldson and Miller after 2007 (`vectorise` in TopSPIN).

use group::Point;

/// How many elements are compared at a time.
const LANES: usize = 16;

/// Elements by inverses, abreast.
pub(crate) struct Abreast {
    degree: usize,
    /// By block and place: the points that come there.
    blocks: Vec<[u8; LANES]>,
    ranks: Vec<u8>,
    best: Vec<u8>,
}

impl Abreast {
    /// The whole blocks of a list; `None` if points do not fit into bytes.
    pub fn new(degree: usize, elements: &[Vec<Point>]) -> Option<Abreast> {
        if degree > usize::from(u8::MAX) {
            return None;
        }
        let mut blocks = Vec::new();
        for block in elements.chunks_exact(LANES) {
            let first = blocks.len();
            blocks.resize(first + degree, [0; LANES]);
            for (lane, element) in block.iter().enumerate() {
                for (x, y) in element.iter().enumerate() {
                    blocks[first + *y as usize][lane] = x as u8;
                }
            }
        }
        Some(Abreast {
            degree,
            blocks,
            ranks: Vec::new(),
            best: Vec::new(),
        })
    }

    /// How many blocks there are.
    pub fn n_blocks(&self) -> usize {
        self.blocks.len() / self.degree.max(1)
    }

    /// The elements of a block, by their places in the list.
    pub fn elements(block: usize) -> std::ops::Range<usize> {
        block * LANES..(block + 1) * LANES
    }

    /// Sets the ranks of the state.
    pub fn start(&mut self, ranks: &[u32]) {
        self.ranks.clear();
        self.ranks.extend(ranks.iter().map(|rank| *rank as u8));
    }

    /// Which elements of a block lead to ranks that are not greater than those of the best.
    pub fn not_greater(&mut self, block: usize, best: &[u32]) -> [bool; LANES] {
        self.best.clear();
        self.best.extend(best.iter().map(|rank| *rank as u8));
        let places = &self.blocks[block * self.degree..(block + 1) * self.degree];
        let (mut is_less, mut is_open) = ([0_u8; LANES], [1_u8; LANES]);
        for (points, best) in places.iter().zip(&self.best) {
            let here = points.map(|x| self.ranks[usize::from(x)]);
            for lane in 0..LANES {
                is_less[lane] |= is_open[lane] & u8::from(here[lane] < *best);
                is_open[lane] &= u8::from(here[lane] == *best);
            }
            if is_open == [0; LANES] {
                break;
            }
        }
        std::array::from_fn(|lane| is_less[lane] | is_open[lane] != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enumerate::image;
    use group::Group;

    #[test]
    fn sixteen_at_a_time_say_what_one_at_a_time_does() {
        let mut rng = fastrand::Rng::with_seed(5);
        let group = Group::symmetric(5);
        let mut elements = Vec::new();
        group.chain().enumerate(&mut |element| {
            elements.push(image(element));
            true
        });
        let mut abreast = Abreast::new(5, &elements).expect("few points");
        assert_eq!(abreast.n_blocks(), 120 / LANES);
        let (mut n_left, mut n_out) = (0, 0);
        for _ in 0..100 {
            let ranks: Vec<u32> = (0..5).map(|_| rng.u32(0..3)).collect();
            let mut best = ranks.clone();
            rng.shuffle(&mut best);
            abreast.start(&ranks);
            for block in 0..abreast.n_blocks() {
                let found = abreast.not_greater(block, &best);
                for (element, is_left) in Abreast::elements(block).zip(found) {
                    let mut moved = vec![0; 5];
                    for (x, y) in elements[element].iter().enumerate() {
                        moved[*y as usize] = ranks[x];
                    }
                    assert_eq!(is_left, moved <= best, "{ranks:?} {best:?} {moved:?}");
                    n_left += usize::from(is_left);
                    n_out += usize::from(!is_left);
                }
            }
        }
        assert!(n_left > 100 && n_out > 100, "{n_left} {n_out}");
    }
}
