//! How a net was solved, so that a net believed to be isomorphic can be solved the same way.
//!
//! A plan is a tree in an arena: at a branching, the trace to reproduce and the plan for what is
//! left; at a net that fell apart, the classes of its pieces with a plan each. Plans also name
//! vertices: those that were fixed, and the members of the classes. A follower who does the same to
//! the same vertices wherever possible ends with a labelling that differs from the planned one in
//! few places, and the automorphism between the two moves few vertices. It also ends early: a piece
//! with the vertices of a planned piece needs no solving, its labels are those of the plan.
//!
//! Worked example: in the graph of `n` columns of equal shape, the plan fixes columns 1, 2, 3, … in
//! turn. The probe that fixes column 4 in place of 1 fixes 2 and 3 as planned, then 1 in place of
//! 4; from there on both have the same columns left, and the automorphism found exchanges two
//! columns instead of permuting all of them.

use std::collections::HashMap;
use std::rc::Rc;

use super::net::{Net, NetText, Share};
use crate::perm::Point;

/// The index of a plan in the arena of a search.
pub(super) type PlanId = usize;

pub(super) enum NetPlan {
    Pieces(PiecesPlan),
    Branch(BranchPlan),
}

/// What kind of frame solves a net; the order is part of the order of solutions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum FrameKind {
    Branch,
    /// A single piece that is not discrete.
    OnePiece,
    Pieces,
}

impl FrameKind {
    pub(crate) fn of_pieces<'a>(mut pieces: impl Iterator<Item = &'a Rc<Net>>) -> FrameKind {
        match (pieces.next(), pieces.next()) {
            (Some(piece), None) if !piece.is_discrete() => FrameKind::OnePiece,
            _ => FrameKind::Pieces,
        }
    }
}

impl NetPlan {
    pub fn shape(&self) -> FrameKind {
        match self {
            NetPlan::Branch(_) => FrameKind::Branch,
            NetPlan::Pieces(plan) => {
                let members = plan.classes.iter().flat_map(|class| &class.members);
                FrameKind::of_pieces(members.map(|(net, _)| net))
            }
        }
    }
}

pub(super) struct BranchPlan {
    /// The cell branched on: where it starts and how many vertices it has.
    pub cell: (u32, u32),
    /// The vertex of the graph that was fixed.
    pub vertex: Point,
    pub trace: Rc<[u64]>,
    pub then: PlanId,
    /// The text to reach, if not all vertices with this trace lead to it.
    pub text: Option<NetText>,
}

#[derive(Default)]
pub(super) struct PiecesPlan {
    pub classes: Vec<PlannedClass>,
    pub index: PieceIndex,
    /// The cells without links, in order: their vertices of the graph, in order of places.
    pub free: Vec<Vec<Point>>,
    /// For the least vertex of each member, its class and its number there.
    pub by_least: HashMap<Point, (usize, usize)>,
}

/// Where to find the class of a piece.
#[derive(Default)]
pub(super) struct PieceIndex {
    pub by_text: HashMap<NetText, usize>,
    /// Classes of pieces that are not discrete, by their cells.
    pub by_head: HashMap<Vec<Share>, Vec<usize>>,
}

/// One class of isomorphic pieces.
pub(super) struct PlannedClass {
    pub text: NetText,
    pub plan: PlanId,
    pub members: Vec<(Rc<Net>, Vec<u32>)>,
}

/// A piece that has the vertices of a planned one.
pub(super) struct PieceMatch {
    pub class: usize,
    pub seat: usize,
    pub labels: Vec<u32>,
}

impl PiecesPlan {
    pub fn new(classes: Vec<PlannedClass>, index: PieceIndex, free: Vec<Vec<Point>>) -> PiecesPlan {
        let mut by_least = HashMap::new();
        for (c, class) in classes.iter().enumerate() {
            for (m, (net, _)) in class.members.iter().enumerate() {
                by_least.insert(least(net), (c, m));
            }
        }
        PiecesPlan {
            classes,
            index,
            free,
            by_least,
        }
    }

    /// The number of pieces.
    pub(crate) fn n_pieces(&self) -> usize {
        self.by_least.len()
    }

    /// The planned member that has exactly the vertices of `piece`, if it labels it with the text
    /// of its class. `slot` is scratch, zero before and after.
    pub(crate) fn find_same(&self, piece: &Net, slot: &mut [u32]) -> Option<PieceMatch> {
        let &(class, seat) = self.by_least.get(&least(piece))?;
        let (member, places) = &self.classes[class].members[seat];
        if member.len() != piece.len() || member.head != piece.head {
            return None;
        }
        for (&x, &place) in member.origin.iter().zip(places) {
            slot[x as usize] = place + 1;
        }
        let labels: Option<Vec<u32>> = (piece.origin.iter())
            .map(|&x| slot[x as usize].checked_sub(1))
            .collect();
        for &x in &member.origin {
            slot[x as usize] = 0;
        }
        let labels = labels?;
        if !keeps_cells(piece, &labels) {
            return None;
        }
        (self.classes[class].text == piece.text(&labels)).then_some(PieceMatch {
            class,
            seat,
            labels,
        })
    }
}

/// Whether the labels of each cell are the places of that cell.
fn keeps_cells(net: &Net, labels: &[u32]) -> bool {
    let mut start = 0;
    net.head.iter().all(|share| {
        let cell = start..start + share.size;
        start = cell.end;
        cell.clone().all(|x| cell.contains(&labels[x as usize]))
    })
}

fn least(net: &Net) -> Point {
    *net.origin.iter().min().expect("a piece has vertices")
}
