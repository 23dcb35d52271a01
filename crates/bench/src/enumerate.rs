//! The least image by enumeration along a stabiliser chain: what one does without better ideas.
//!
//! Every element of a group is a product of one representative for each level of a stabiliser
//! chain, so nested loops over the representatives visit every element once. Each loop applies its
//! representative to the image that the loop outside left, so that an element costs about one
//! application, and only the sum of the orbit lengths is stored, not the product.
//!
//! Structures are flat arrays of numbers: colours, then for each point and label the target plus 1,
//! or 0. Comparing arrays is comparing structures in the order of [`group::image::least`]. In the
//! innermost loop the colours are made and compared first, and references only if those tie.
//!
//! Worked example: `S3` has levels of 3 and 2 representatives; colours (2, 1, 0) are applied to in
//! 3 + 3·2 steps and end as (0, 1, 2). Source: Donaldson 2007, Algorithm 5. Cost: the order of the
//! group times the size of a structure.

use super::structure::LabelledStructure;
use group::Group;

/// A group made ready for enumeration.
pub struct Enumeration {
    n_points: usize,
    /// By level, all representatives one after the other.
    levels: Vec<Vec<u32>>,
}

/// Images half done, one for each level; made once and used again.
#[derive(Default)]
pub struct PartialImages {
    partial: Vec<Vec<u32>>,
    trial: Vec<u32>,
    least: Vec<u32>,
}

impl Enumeration {
    /// Writes down the representatives of every level.
    pub fn new(group: &Group) -> Enumeration {
        let chain = group.chain();
        let level = |i: usize| {
            let to_base = |&x: &u32| chain.transversal(i, x).inverse().image().to_vec();
            chain.orbit(i).iter().flat_map(to_base).collect()
        };
        Enumeration {
            n_points: group.degree(),
            levels: (0..chain.n_levels()).map(level).collect(),
        }
    }

    /// The least image of a flat structure, by trying all.
    pub fn least<'s>(&self, flat: &[u32], images: &'s mut PartialImages) -> &'s [u32] {
        images.least.clear();
        images.least.extend_from_slice(flat);
        images.trial.resize(flat.len(), 0);
        images.partial.resize_with(self.levels.len() + 1, Vec::new);
        images.partial[0].clear();
        images.partial[0].extend_from_slice(flat);
        for image in &mut images.partial[1..] {
            image.resize(flat.len(), 0);
        }
        self.descend(0, images);
        &images.least
    }

    fn descend(&self, level: usize, images: &mut PartialImages) {
        let Some(representatives) = self.levels.get(level) else {
            return;
        };
        let is_last = level + 1 == self.levels.len();
        for p in representatives.chunks_exact(self.n_points) {
            if is_last {
                let from = &images.partial[level];
                if improve(p, from, &mut images.trial, &images.least) {
                    std::mem::swap(&mut images.trial, &mut images.least);
                }
            } else {
                let (before, after) = images.partial.split_at_mut(level + 1);
                move_colours(p, &before[level], &mut after[0]);
                move_references(p, &before[level], &mut after[0]);
                self.descend(level + 1, images);
            }
        }
    }
}

/// Makes the image of `from` and says whether it is less than `least`; stops early if it is not.
fn improve(p: &[u32], from: &[u32], trial: &mut [u32], least: &[u32]) -> bool {
    let n = p.len();
    move_colours(p, from, trial);
    let order = trial[..n].cmp(&least[..n]);
    if order.is_gt() {
        return false;
    }
    move_references(p, from, trial);
    order.is_lt() || trial[n..] < least[n..]
}

fn move_colours(p: &[u32], from: &[u32], to: &mut [u32]) {
    for (&y, &colour) in p.iter().zip(from) {
        to[y as usize] = colour;
    }
}

fn move_references(p: &[u32], from: &[u32], to: &mut [u32]) {
    let n = p.len();
    let n_labels = from.len() / n - 1;
    if n_labels == 0 {
        return;
    }
    for (&y, row) in p.iter().zip(from[n..].chunks_exact(n_labels)) {
        let start = n + y as usize * n_labels;
        for (slot, &target) in to[start..start + n_labels].iter_mut().zip(row) {
            *slot = match target {
                0 => 0,
                t => p[t as usize - 1] + 1,
            };
        }
    }
}

/// The structure as one array.
pub fn flat(structure: &LabelledStructure) -> Vec<u32> {
    let mut all = structure.colours.clone();
    for x in 0..structure.n_points() {
        let own = structure.targets.iter().map(|row| row[x]);
        all.extend(own.map(|target| target.map_or(0, |y| y + 1)));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::structure::{DrawableGroup, StructureKind};
    use group::image::LeastImages;

    #[test]
    fn least_images_are_those_of_the_library() {
        let mut rng = fastrand::Rng::with_seed(3);
        let shapes = [
            DrawableGroup::Symmetric(5),
            DrawableGroup::Square(3),
            DrawableGroup::Wreath(2, 3),
            DrawableGroup::Hypercube(3),
            DrawableGroup::Cyclic(8),
        ];
        let mut images = PartialImages::default();
        for shape in shapes {
            let group = shape.group();
            let (enumeration, library) = (Enumeration::new(&group), LeastImages::new(&group));
            for kind in StructureKind::ALL {
                for _ in 0..10 {
                    let structure = kind.random(group.degree(), &mut rng);
                    let best = library.least(&structure.object());
                    let expected = flat(&structure.moved_by(&best));
                    let least = enumeration.least(&flat(&structure), &mut images);
                    assert_eq!(least, expected, "{shape:?} {kind:?} {structure:?}");
                }
            }
        }
    }

    #[test]
    fn every_element_is_tried() {
        let group = DrawableGroup::Wreath(3, 4).group();
        let enumeration = Enumeration::new(&group);
        let n_points = enumeration.n_points;
        let lengths = enumeration
            .levels
            .iter()
            .map(|level| level.len() / n_points);
        assert_eq!(lengths.product::<usize>(), 31104);
    }
}
