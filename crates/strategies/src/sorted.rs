//! Control data sorted, by the shape of the group; and the same with a look at references.
//!
//! The group is taken apart once ([`group::shape::classify`]): columns that are permuted freely are
//! sorted, the factors of a disjoint product go one after another, the blocks of a wreath product
//! before their places, small groups are enumerated, and what is left is searched locally. `sorted`
//! does that to the control data and applies the element found. `fast` goes on: of the moves that
//! the parts are made of, those that keep the control data where they are are taken as long as they
//! make the references lesser.
//!
//! `pc-sorted` looks at locations only. `exact-markers` sorts by descriptions of points
//! (see [`super::marker`]), which know how a point is referred to: all that is left open is who is
//! who among points with the same description.
//!
//! Worked example: two pairs of processes, each pair with its server, locations `3 1 | 2 1`. Within
//! pairs: `1 3 | 1 2`; then the pairs: `1 2 | 1 3`.
//!
//! Exact where states have control data only and nothing had to be searched locally. Otherwise
//! processes with the same control data stay in the order they came in (`sorted`), or as far as
//! single moves lead (`fast`), and an orbit may keep several states. Sources: `sorted` Bošnački,
//! Dams and Holenderski 2002, there for full symmetry; `fast` Donaldson 2007, §9.6; markers TopSPIN
//! after 2007, there for all permutations of one proctype. Cost: sorting.

use crate::enumerate::image;
use crate::marker::Marking;
use crate::reading::{Least, StatelessChoice, TrackedState};
use crate::segmented::{Form, Segments};
use base::Over;
use group::shape::RepresentativeMethod as Shape;
use group::{Group, Point};
use reduce::action::Reader;
use reduce::reducer::Work;

/// How many elements of a part are enumerated rather than searched locally.
pub(crate) const ENUMERATE_MAX: u64 = 5_040;

/// Moves on from sorted control data.
struct Further {
    moves: Vec<Vec<Point>>,
    from: TrackedState,
    spare: TrackedState,
    least: Least,
}

/// `sorted`, `pc-sorted` and `fast`.
pub(crate) struct Sorted {
    shape: Shape,
    by: Segments,
    ranks: Vec<u32>,
    /// Not there where nothing is left to do.
    further: Option<Further>,
}

impl Sorted {
    /// By control data alone, or by locations.
    pub fn new(shape: Shape, by: Segments) -> Sorted {
        Sorted {
            shape,
            by,
            ranks: Vec::new(),
            further: None,
        }
    }

    /// By control data, then by references as far as single moves lead.
    pub fn further(shape: Shape, group: &Group) -> Sorted {
        let moves = shape.moves(group.degree());
        Sorted {
            further: Some(Further {
                moves: moves.iter().map(image).collect(),
                from: TrackedState::default(),
                spare: TrackedState::default(),
                least: Least::new((0..group.degree() as Point).collect()),
            }),
            ..Sorted::new(shape, Reader::ranks)
        }
    }
}

impl StatelessChoice for Sorted {
    fn choose(
        &mut self,
        reading: &mut Reader,
        state: &[u8],
        element: &mut Vec<Point>,
    ) -> Result<(), Over> {
        (self.by)(reading, state, &mut self.ranks);
        let (_, perm) = self.shape.representative(&self.ranks);
        *element = image(&perm);
        let Some(further) = &mut self.further else {
            return Ok(());
        };
        let act = reading.act();
        further.from.start(element.len(), state);
        further.from.ranks.clone_from(&self.ranks);
        further.from.go(act, element, &mut further.spare);
        further.least.start(&further.from);
        let ranks = &further.from.ranks;
        let keeps = |by: &Vec<Point>| {
            (0..)
                .zip(by)
                .all(|(x, y): (usize, _)| ranks[x] == ranks[*y as usize])
        };
        let moves: Vec<Vec<Point>> = further
            .moves
            .iter()
            .filter(|by| keeps(by))
            .cloned()
            .collect();
        further.least.descend_in_place(act, &moves);
        element.clone_from(&further.least.best.element);
        Ok(())
    }

    fn work(&self) -> Work {
        let further = self.further.as_ref();
        further.map_or(Work::default(), |further| {
            Work::of_perms(further.least.n_tried)
        })
    }
}

/// `exact-markers`.
pub(crate) struct ByMarkers {
    marking: Marking,
    form: Form,
    /// Descriptions that occur, in order.
    occurring: Vec<u64>,
}

impl ByMarkers {
    pub fn new(group: &Group) -> ByMarkers {
        ByMarkers {
            marking: Marking::new(group),
            form: Form::new(group),
            occurring: Vec::new(),
        }
    }
}

impl StatelessChoice for ByMarkers {
    fn choose(
        &mut self,
        reading: &mut Reader,
        state: &[u8],
        element: &mut Vec<Point>,
    ) -> Result<(), Over> {
        let described = self.marking.describe(reading, state);
        self.occurring.clear();
        self.occurring.extend_from_slice(described);
        self.occurring.sort_unstable();
        self.occurring.dedup();
        let rank = |d: &u64| self.occurring.binary_search(d).unwrap_or(0) as u32;
        let ranks: Vec<u32> = described.iter().map(rank).collect();
        *element = self.form.element(&ranks);
        Ok(())
    }
}
