//! Solving a net that fell apart: piece by piece, and the pieces sorted.
//!
//! Pieces are put into classes of isomorphic ones. Before a piece is solved in full, it is tried
//! along the plan of a known class with the same cells; if that reproduces the text of the class,
//! the piece belongs to it, and neither generators nor order need to be found again. A piece that
//! fits no plan tried is solved, and its canonical text decides.
//!
//! The labelling of the net: classes in the order of their texts, pieces of a class one after the
//! other, each vertex at the next free place of its cell. The group: the generators of one piece
//! of each class, and for a class of `m` pieces the `m - 1` swaps of neighbours in the list. A
//! swap and the group of one piece give, by conjugation, the groups of all.
//!
//! Worked example: three pieces, two of them triangles that cannot be told apart and one vertex
//! pair; the triangles have order 6, so the order is 2!·6² times 2 for the pair.
//!
//! Cost: one plan followed per piece, plus one full solution per class (two plans at most are
//! tried, so many classes with equal cells do not make it quadratic).

use std::rc::Rc;

use super::components::NetParts;
use super::net::{Net, NetText};
use super::plan::{FrameKind, NetPlan, PieceIndex, PiecesPlan, PlanId, PlannedClass};
use super::search::{FrameResult, FrameStep, LabellingSearch, NetGroup, NetSolution, SolveMode};
use crate::perm::{Perm, Point};

/// How many known classes with the same cells a piece is tried against before it is solved.
const PLANS_TRIED_MAX: usize = 2;

/// The pieces of a net, solved one after the other.
pub(super) struct Pieces {
    parts: NetParts,
    /// The plan to follow.
    guide: Option<PlanId>,
    /// The way to solve a piece that fits no known class.
    way: SolveMode,
    beats: bool,
    at: usize,
    /// How many plans have been tried for the piece at hand.
    n_tried: usize,
    solving: bool,
    classes: Vec<PieceClass>,
    /// Without a plan, the index of the classes; with a plan, the plan has it.
    index: PieceIndex,
    misfit: bool,
}

struct PieceClass {
    text: NetText,
    plan: PlanId,
    symmetry: NetGroup,
    /// Without a plan, the first is the one that was solved.
    members: Vec<PieceMember>,
}

struct PieceMember {
    net: Rc<Net>,
    labels: Vec<u32>,
    /// The number of the planned member with the same vertices.
    seat: Option<usize>,
}

impl Pieces {
    /// # Requires
    /// A bound has the shape of `parts`.
    pub fn new(
        parts: NetParts,
        way: SolveMode,
        beats: bool,
        search: &mut LabellingSearch,
    ) -> Pieces {
        let (guide, way) = match way {
            SolveMode::Free => (None, way),
            SolveMode::Follow(plan) => (Some(plan), way),
            SolveMode::Bound(plan) => match &search.plans[plan] {
                NetPlan::Pieces(p) if search.plans[plan].shape() == FrameKind::OnePiece => {
                    (None, SolveMode::Bound(p.classes[0].plan))
                }
                _ => (None, SolveMode::Free),
            },
        };
        let mut pieces = Pieces {
            parts,
            guide,
            way,
            beats,
            at: 0,
            n_tried: 0,
            solving: false,
            classes: Vec::new(),
            index: PieceIndex::default(),
            misfit: false,
        };
        if let Some(NetPlan::Pieces(plan)) = guide.map(|g| &search.plans[g]) {
            pieces.misfit = plan.n_pieces() != pieces.parts.pieces.len();
            pieces.parts.follow(&plan.free, &mut search.slot);
            pieces.classes = (plan.classes.iter())
                .map(|class| PieceClass {
                    text: class.text.clone(),
                    plan: class.plan,
                    symmetry: NetGroup::default(),
                    members: Vec::new(),
                })
                .collect();
        }
        pieces
    }

    pub fn step(&mut self, search: &mut LabellingSearch, answer: Option<FrameResult>) -> FrameStep {
        if self.misfit {
            return FrameStep::Return(FrameResult::Rejected);
        }
        match answer {
            Some(FrameResult::Solved(solved)) if self.solving => {
                self.beats |= solved.beats;
                self.keep(solved);
            }
            Some(FrameResult::Rejected) if self.solving => {
                return FrameStep::Return(FrameResult::Rejected);
            }
            Some(FrameResult::Solved(solved)) => self.keep_if_planned(solved, search),
            Some(FrameResult::Rejected) | None => {}
        }
        while let Some(piece) = self.parts.pieces.get(self.at).cloned() {
            if self.keep_same(&piece, search) {
                continue;
            }
            if piece.is_discrete() {
                if !self.keep_discrete(piece, search) {
                    return FrameStep::Return(FrameResult::Rejected);
                }
                continue;
            }
            if let Some(class) = self.next_class(&piece, search) {
                self.n_tried += 1;
                let plan = self.classes[class].plan;
                return FrameStep::Call(search.enter(piece, SolveMode::Follow(plan)));
            }
            if self.guide.is_some() {
                return FrameStep::Return(FrameResult::Rejected);
            }
            self.solving = true;
            return FrameStep::Call(search.enter(piece, self.way));
        }
        FrameStep::Return(self.conclude(search))
    }

    fn index<'a>(&'a self, search: &'a LabellingSearch) -> &'a PieceIndex {
        match self.guide.map(|g| &search.plans[g]) {
            Some(NetPlan::Pieces(plan)) => &plan.index,
            _ => &self.index,
        }
    }

    /// The next class to try the piece at hand against: the youngest first, as likes come in runs.
    fn next_class(&self, piece: &Net, search: &LabellingSearch) -> Option<usize> {
        let alike = self.index(search).by_head.get(&piece.head)?;
        if self.guide.is_none() && self.n_tried >= PLANS_TRIED_MAX {
            return None;
        }
        alike.iter().rev().nth(self.n_tried).copied()
    }

    /// Adds the solved piece at hand to the class of its text.
    fn keep(&mut self, solved: NetSolution) {
        let piece = self.parts.pieces[self.at].clone();
        let text = match solved.text {
            Some(text) => text,
            None => piece.text(&solved.labels),
        };
        let class = match self.index.by_text.get(&text) {
            Some(&class) => class,
            None => self.add_class(text, solved.plan, &piece, solved.symmetry),
        };
        self.add_member(class, solved.labels, None);
    }

    /// Adds the piece at hand to the class whose plan was followed, if it led to the same text.
    fn keep_if_planned(&mut self, solved: NetSolution, search: &LabellingSearch) {
        let piece = &self.parts.pieces[self.at];
        let alike = &self.index(search).by_head[&piece.head];
        let class = alike[alike.len() - self.n_tried];
        if self.classes[class].text == piece.text(&solved.labels) {
            self.add_member(class, solved.labels, None);
        }
    }

    /// Adds the piece if the plan has one with the same vertices.
    fn keep_same(&mut self, piece: &Net, search: &mut LabellingSearch) -> bool {
        let Some(NetPlan::Pieces(plan)) = self.guide.map(|g| &search.plans[g]) else {
            return false;
        };
        match plan.find_same(piece, &mut search.slot) {
            Some(same) => {
                self.add_member(same.class, same.labels, Some(same.seat));
                true
            }
            None => false,
        }
    }

    /// Adds a piece whose cells are single vertices; there is nothing to solve.
    fn keep_discrete(&mut self, piece: Rc<Net>, search: &mut LabellingSearch) -> bool {
        let labels: Vec<u32> = (0..piece.len() as u32).collect();
        let text = piece.text(&labels);
        let class = match self.index(search).by_text.get(&text) {
            Some(&class) => class,
            None if self.guide.is_some() => return false,
            None => {
                let plan = search.remember(NetPlan::Pieces(PiecesPlan::default()));
                self.add_class(text, plan, &piece, NetGroup::default())
            }
        };
        self.add_member(class, labels, None);
        true
    }

    fn add_class(
        &mut self,
        text: NetText,
        plan: PlanId,
        example: &Net,
        symmetry: NetGroup,
    ) -> usize {
        let class = self.classes.len();
        self.index.by_text.insert(text.clone(), class);
        if !example.is_discrete() {
            let alike = self.index.by_head.entry(example.head.clone()).or_default();
            alike.push(class);
        }
        self.classes.push(PieceClass {
            text,
            plan,
            symmetry,
            members: Vec::new(),
        });
        class
    }

    fn add_member(&mut self, class: usize, labels: Vec<u32>, seat: Option<usize>) {
        let net = self.parts.pieces[self.at].clone();
        self.classes[class]
            .members
            .push(PieceMember { net, labels, seat });
        self.at += 1;
        self.n_tried = 0;
        self.solving = false;
    }

    fn conclude(&mut self, search: &mut LabellingSearch) -> FrameResult {
        let mut classes = std::mem::take(&mut self.classes);
        let mut order: Vec<usize> = (0..classes.len()).collect();
        order.sort_by(|&a, &b| classes[a].text.cmp(&classes[b].text));
        for c in order {
            let class = &mut classes[c];
            if self.guide.is_some() && !seat_members(&mut class.members) {
                return FrameResult::Rejected;
            }
            for member in &class.members {
                self.parts.place(&member.net, &member.labels);
            }
        }
        let labels = std::mem::take(&mut self.parts.labels);
        let (symmetry, plan) = match self.guide {
            Some(guide) => (NetGroup::default(), guide),
            None => (
                self.symmetry(&mut classes, search),
                self.make_plan(classes, search),
            ),
        };
        FrameResult::Solved(NetSolution {
            labels,
            symmetry,
            plan,
            text: None,
            beats: self.beats,
        })
    }

    fn make_plan(&mut self, classes: Vec<PieceClass>, search: &mut LabellingSearch) -> PlanId {
        let planned = |class: PieceClass| PlannedClass {
            text: class.text,
            plan: class.plan,
            members: (class.members.into_iter())
                .map(|m| (m.net, m.labels))
                .collect(),
        };
        let classes = classes.into_iter().map(planned).collect();
        let free = self.parts.free.iter().map(|c| c.origin.clone()).collect();
        let index = std::mem::take(&mut self.index);
        search.remember(NetPlan::Pieces(PiecesPlan::new(classes, index, free)))
    }

    fn symmetry(&self, classes: &mut [PieceClass], search: &mut LabellingSearch) -> NetGroup {
        let mut whole = NetGroup::default();
        for cell in &self.parts.free {
            for pair in cell.origin.windows(2) {
                let (x, y) = (pair[0], pair[1]);
                let swap = Perm::from_pairs(search.slot.len(), &[(x, y), (y, x)]);
                whole.generators.push(swap.expect("two distinct vertices"));
            }
            whole.base.extend(&cell.origin[1..]);
            push_factorial(&mut whole.factors, cell.origin.len());
        }
        for class in classes {
            add_class_symmetry(class, &mut whole, search);
        }
        whole
    }
}

/// Puts members in the order of their seats, those without one in the seats left over; says
/// whether there is a seat for each.
fn seat_members(members: &mut [PieceMember]) -> bool {
    let n = members.len();
    let mut taken = vec![false; n];
    for seat in members.iter().filter_map(|m| m.seat) {
        match taken.get_mut(seat) {
            Some(taken) => *taken = true,
            None => return false,
        }
    }
    let mut left = (0..n).filter(|&seat| !taken[seat]);
    for member in members.iter_mut().filter(|m| m.seat.is_none()) {
        member.seat = left.next();
    }
    members.sort_by_key(|m| m.seat);
    true
}

fn push_factorial(factors: &mut Vec<(u32, u64)>, n: usize) {
    factors.extend((2..=n as u32).map(|k| (k, 1)));
}

/// The wreath product of the group of one member with the symmetric group on the members.
fn add_class_symmetry(class: &mut PieceClass, whole: &mut NetGroup, search: &mut LabellingSearch) {
    let m = class.members.len();
    let in_place: Vec<Vec<Point>> = (class.members.iter())
        .map(|member| in_order_of_labels(&member.net, &member.labels))
        .collect();
    for pair in in_place.windows(2) {
        let pairs: Vec<(Point, Point)> = (pair[0].iter().zip(&pair[1]))
            .flat_map(|(&x, &y)| [(x, y), (y, x)])
            .collect();
        let swap = Perm::from_pairs(search.slot.len(), &pairs);
        let swap = swap.expect("pieces are disjoint");
        whole.generators.push(swap);
    }
    push_factorial(&mut whole.factors, m);
    let inner = std::mem::take(&mut class.symmetry);
    whole.generators.extend(inner.generators);
    let to_the_m = |&(k, e): &(u32, u64)| (k, e * m as u64);
    whole.factors.extend(inner.factors.iter().map(to_the_m));
    if inner.base.is_empty() {
        whole.base.extend(in_place.iter().skip(1).map(|v| v[0]));
        return;
    }
    for (place, &x) in in_place[0].iter().enumerate() {
        search.slot[x as usize] = place as u32;
    }
    for vertices in &in_place {
        let image = |&b: &Point| vertices[search.slot[b as usize] as usize];
        whole.base.extend(inner.base.iter().map(image));
    }
    for &x in &in_place[0] {
        search.slot[x as usize] = 0;
    }
}

fn in_order_of_labels(piece: &Net, labels: &[u32]) -> Vec<Point> {
    let mut vertices = vec![0; piece.len()];
    for (x, &place) in labels.iter().enumerate() {
        vertices[place as usize] = piece.origin[x];
    }
    vertices
}
