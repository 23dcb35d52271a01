//! What images are taken of: random structures over the points of a group, and the groups.
//!
//! A structure gives each point a colour and, for each label, at most one target. The same
//! structure is handed to every program in the form that it likes: an [`Object`] for us, flat
//! arrays for the enumeration, a coloured digraph for nauty (see [`super::drawing`]). Seeds are
//! fixed.
//!
//! Worked example: `ring` on three points in the order 2, 0, 1 with a token at 0 has colours
//! (1, 0, 0) and targets 0→1, 1→2, 2→0.

use fastrand::Rng;
use group::image::Object;
use group::{Group, Perm, Point};

/// Colours and references; `None` where a label has no target.
#[derive(Clone, Debug, PartialEq)]
pub struct LabelledStructure {
    /// By point.
    pub colours: Vec<u32>,
    /// By label, then by point.
    pub targets: Vec<Vec<Option<Point>>>,
}

/// A way to make structures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StructureKind {
    /// Four colours; two labels, each with a target at three points of four.
    References,
    /// A directed ring through all points in random order; an eighth of them holds a token.
    Ring,
    /// Seven eighths of the points blank, the others as in `References`.
    Idle,
    /// Four colours, no references.
    Plain,
    /// All points in pairs that refer to each other.
    Pairs,
    /// Nothing at all.
    Blank,
}

impl StructureKind {
    /// All kinds.
    pub const ALL: [StructureKind; 6] = [
        StructureKind::References,
        StructureKind::Ring,
        StructureKind::Idle,
        StructureKind::Plain,
        StructureKind::Pairs,
        StructureKind::Blank,
    ];

    /// The word that users see.
    pub fn name(self) -> &'static str {
        match self {
            StructureKind::References => "references",
            StructureKind::Ring => "ring",
            StructureKind::Idle => "idle",
            StructureKind::Plain => "plain",
            StructureKind::Pairs => "pairs",
            StructureKind::Blank => "blank",
        }
    }

    /// A random structure on `n` points.
    pub fn random(self, n: usize, rng: &mut Rng) -> LabelledStructure {
        let mut order: Vec<Point> = (0..n as Point).collect();
        rng.shuffle(&mut order);
        let none = vec![None; n];
        let mut colours = vec![0; n];
        let mut targets = Vec::new();
        match self {
            StructureKind::References | StructureKind::Idle => {
                let n_busy = if self == StructureKind::Idle {
                    (n / 8).max(1)
                } else {
                    n
                };
                targets = vec![none; 2];
                for &x in &order[..n_busy] {
                    let least = u32::from(self == StructureKind::Idle);
                    colours[x as usize] = least + rng.u32(..4);
                    for row in &mut targets {
                        let target = rng.u32(..n as Point);
                        row[x as usize] = (rng.u32(..4) > 0).then_some(target);
                    }
                }
            }
            StructureKind::Ring => {
                targets.push(none);
                for (i, &x) in order.iter().enumerate() {
                    targets[0][x as usize] = Some(order[(i + 1) % n]);
                }
                for _ in 0..(n / 8).max(1) {
                    colours[rng.usize(..n)] = 1;
                }
            }
            StructureKind::Plain => colours.fill_with(|| rng.u32(..4)),
            StructureKind::Pairs => {
                targets.push(none);
                for pair in order.chunks_exact(2) {
                    targets[0][pair[0] as usize] = Some(pair[1]);
                    targets[0][pair[1] as usize] = Some(pair[0]);
                }
            }
            StructureKind::Blank => {}
        }
        LabelledStructure { colours, targets }
    }
}

impl LabelledStructure {
    /// The number of points.
    pub fn n_points(&self) -> usize {
        self.colours.len()
    }

    /// All references: from, label, to.
    pub fn references(&self) -> impl Iterator<Item = (Point, u32, Point)> + '_ {
        self.targets.iter().enumerate().flat_map(|(label, row)| {
            let given = row.iter().enumerate();
            given.filter_map(move |(x, y)| Some((x as Point, label as u32, (*y)?)))
        })
    }

    /// The structure for our own images.
    pub fn object(&self) -> Object {
        let mut object = Object::new(self.n_points());
        for (x, &colour) in self.colours.iter().enumerate() {
            object.set_colour(x as Point, u64::from(colour));
        }
        for (from, label, to) in self.references() {
            object.add_arc(from, to, label);
        }
        object
    }

    /// The structure moved by `p`.
    #[cfg(test)]
    pub fn moved_by(&self, p: &Perm) -> LabelledStructure {
        let moved_row = |row: &Vec<Option<Point>>| {
            let renamed: Vec<_> = row.iter().map(|y| y.map(|y| p.at(y))).collect();
            p.move_values(&renamed)
        };
        LabelledStructure {
            colours: p.move_values(&self.colours),
            targets: self.targets.iter().map(moved_row).collect(),
        }
    }
}

/// A group whose empty structure can be drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DrawableGroup {
    /// All permutations of so many points.
    Symmetric(usize),
    /// Two symmetric groups of so many points each, side by side.
    Square(usize),
    /// Blocks of the first size, interchangeable, as many as the second.
    Wreath(usize, usize),
    /// The corners of a cube of that dimension.
    Hypercube(usize),
    /// The rotations of so many points.
    Cyclic(usize),
}

impl DrawableGroup {
    /// The name that users see.
    pub fn name(self) -> String {
        match self {
            DrawableGroup::Symmetric(n) => format!("S{n}"),
            DrawableGroup::Square(n) => format!("S{n}xS{n}"),
            DrawableGroup::Wreath(a, b) => format!("S{a} wr S{b}"),
            DrawableGroup::Hypercube(d) => format!("hypercube {d}d"),
            DrawableGroup::Cyclic(n) => format!("C{n}"),
        }
    }

    /// The group.
    pub fn group(self) -> Group {
        match self {
            DrawableGroup::Symmetric(n) => Group::symmetric(n),
            DrawableGroup::Square(n) => Group::symmetric(n).direct_product(&Group::symmetric(n)),
            DrawableGroup::Wreath(a, b) => Group::symmetric(a).wreath(&Group::symmetric(b)),
            DrawableGroup::Hypercube(d) => Group::new(1 << d, hypercube(d)),
            DrawableGroup::Cyclic(n) => Group::cyclic(n),
        }
    }
}

/// Generators of the symmetries of a cube on its corners: one reflection, one swap and one rotation
/// of the axes.
pub fn hypercube(d: usize) -> Vec<Perm> {
    let lift = |corner: &dyn Fn(usize) -> usize| {
        Perm::from_bijection((0..1 << d).map(|x| corner(x) as Point).collect())
    };
    let rotate = |x: usize| (x << 1 | x >> (d - 1)) & ((1 << d) - 1);
    let swap = |x: usize| x & !3 | (x & 1) << 1 | (x & 2) >> 1;
    vec![lift(&|x| x ^ 1), lift(&rotate), lift(&swap)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_what_they_say() {
        let mut rng = Rng::with_seed(1);
        let of = |kind: StructureKind, rng: &mut Rng| kind.random(64, rng);
        let ring = of(StructureKind::Ring, &mut rng);
        let mut x = 0;
        for _ in 0..64 {
            x = ring.targets[0][x as usize].expect("a successor");
        }
        assert_eq!((x, ring.references().count()), (0, 64));
        let idle = of(StructureKind::Idle, &mut rng);
        assert_eq!(idle.colours.iter().filter(|&&c| c == 0).count(), 56);
        let pairs = of(StructureKind::Pairs, &mut rng);
        assert!(
            pairs
                .references()
                .all(|(x, _, y)| pairs.targets[0][y as usize] == Some(x))
        );
        assert_eq!(of(StructureKind::Blank, &mut rng).references().count(), 0);
        assert!(of(StructureKind::References, &mut rng).references().count() > 64);
        assert!(of(StructureKind::Plain, &mut rng).colours.contains(&3));
    }

    #[test]
    fn groups_have_their_orders() {
        let order = |shape: DrawableGroup| shape.group().order().to_string();
        assert_eq!(order(DrawableGroup::Wreath(3, 4)), "31104");
        assert_eq!(order(DrawableGroup::Hypercube(4)), "384");
        assert_eq!(order(DrawableGroup::Hypercube(5)), "3840");
        assert_eq!(order(DrawableGroup::Cyclic(64)), "64");
        assert_eq!(order(DrawableGroup::Square(3)), "36");
    }

    #[test]
    fn moving_agrees_with_objects() {
        let mut rng = Rng::with_seed(2);
        let group = DrawableGroup::Wreath(3, 4).group();
        for kind in StructureKind::ALL {
            let structure = kind.random(12, &mut rng);
            let p = group.chain().random(&mut rng);
            let moved = structure.moved_by(&p).object().meaning();
            assert_eq!(moved, structure.object().moved_by(&p).meaning(), "{kind:?}");
        }
    }
}
