//! Symmetries of values that may be used.
//!
//! Only what passes here becomes a [`CertifiedValues`], and only that makes a reducer. Who looked
//! for symmetries says of each sort why its members may be exchanged ([`Ground`]). Grounds are
//! claims: they must fit the signature, and then the text of the model is asked ([`Text`]), which
//! was read by code that does not know how they were found.
//!
//! - *Unnamed*: no formula can tell members without names apart (the permutation theorem,
//!   `docs/theory/values-symmetry.md`). The sort must have no names in the signature, and none of
//!   its members may be named in the text.
//! - *Exchanged*: of each block, the exchange of its first member with each other one is put to the
//!   text. These exchanges generate all permutations of the block. A member whose exchange is
//!   objected to leaves the block; the others stay.
//!
//! Worked example: members `p q r s`, the block `{p, q, r}`, and a text that names `r` in a place
//! of its own. `(p q)` passes, `(p r)` does not: the block is `{p, q}`, and `{p, r}` is rejected.
//!
//! The group is all permutations that keep the blocks of alike members: a product of symmetric
//! groups, one a block. Cost: one question a member.

use super::act::Act;
use super::picture::{Picture, Reading};
use super::points::Points;
use super::published::PublishedPicture;
use crate::certified;
use base::Clock;
use group::{Group, Point};
use model::values::{Ground, Objection, Signature, SortId, Text};
use num_bigint::BigUint;
use std::sync::Arc;

/// A sort whose members stay, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Apart {
    /// Which.
    pub sort: SortId,
    /// Why.
    pub reason: ApartReason,
}

/// Why the members of a sort stay.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ApartReason {
    /// No ground was given.
    Unknown,
    /// The front end says it, in words.
    Told(String),
    /// It has so many members, more than states can hold.
    TooMany(usize),
    /// The model names its members.
    Named,
    /// The ground is about a member that the sort does not have.
    NoMember(usize),
    /// A member is in two blocks of the ground.
    TwoBlocks(usize),
}

/// Members that were said to be alike and are not used as such.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejected {
    /// Of which sort.
    pub sort: SortId,
    /// All that the ground is about, or two of a block that may not be exchanged.
    pub members: Vec<usize>,
    /// Why.
    pub objection: Objection,
}

/// A group of symmetries of states that are made of values.
#[derive(Clone, Debug)]
pub struct CertifiedValues {
    act: Act,
    picture: Picture,
    published: PublishedPicture,
    group: Group,
    names: Vec<String>,
    /// By sort: the blocks of two or more.
    blocks: Vec<Vec<Vec<usize>>>,
    apart: Vec<Apart>,
    rejected: Vec<Rejected>,
}

/// Checks that the grounds fit the signature, and each exchange that follows from them on the text;
/// the members that may be exchanged make the group. Sorts beyond the end of `grounds` stay. What
/// the clock leaves no time for is rejected.
pub fn certify(
    signature: &Signature,
    grounds: &[Ground],
    text: &dyn Text,
    clock: Clock<'_>,
) -> CertifiedValues {
    let (mut blocks, mut apart) = (Vec::new(), Vec::new());
    let mut asking = Asking {
        text,
        clock,
        rejected: Vec::new(),
    };
    for s in 0..signature.sorts.len() {
        let sort = SortId::new(s);
        match claimed(signature, sort, grounds.get(s)) {
            Ok(claimed) => blocks.push(asking.confirmed(sort, claimed)),
            Err(reason) => {
                blocks.push(Vec::new());
                apart.push(Apart { sort, reason });
            }
        }
    }
    let points = Points::new(signature, &blocks);
    let name = |x: Point| {
        let (sort, member) = points.member(x);
        signature.sort(sort).members[member].clone()
    };
    CertifiedValues {
        names: (0..points.len() as Point).map(name).collect(),
        group: points.group(),
        picture: Picture::new(signature, &points),
        published: PublishedPicture::new(signature),
        act: Act::new(signature, points),
        blocks,
        apart,
        rejected: asking.rejected,
    }
}

/// What a ground claims of a sort that it fits.
enum Claimed {
    /// All of so many members are alike, for want of names.
    Unnamed(usize),
    /// Those of each block are.
    Blocks(Vec<Vec<usize>>),
}

/// What is claimed of the members of a sort, or why that does not fit the signature.
fn claimed(
    signature: &Signature,
    sort: SortId,
    ground: Option<&Ground>,
) -> Result<Claimed, ApartReason> {
    let sort = signature.sort(sort);
    let n = sort.members.len();
    if n > 1 << 16 {
        return Err(ApartReason::TooMany(n));
    }
    match ground {
        None => Err(ApartReason::Unknown),
        Some(Ground::Apart(reason)) => Err(ApartReason::Told(reason.clone())),
        Some(Ground::Unnamed) if sort.is_named => Err(ApartReason::Named),
        Some(Ground::Unnamed) => Ok(Claimed::Unnamed(n)),
        Some(Ground::Exchanged(blocks)) => {
            let mut seen = vec![false; n];
            for member in blocks.iter().flatten() {
                match seen.get_mut(*member) {
                    None => return Err(ApartReason::NoMember(*member)),
                    Some(true) => return Err(ApartReason::TwoBlocks(*member)),
                    Some(seen) => *seen = true,
                }
            }
            Ok(Claimed::Blocks(blocks.clone()))
        }
    }
}

/// The text, what is left of the time, and what did not pass.
struct Asking<'a> {
    text: &'a dyn Text,
    clock: Clock<'a>,
    rejected: Vec<Rejected>,
}

impl Asking<'_> {
    /// The blocks of two or more members that the text bears out.
    fn confirmed(&mut self, sort: SortId, claimed: Claimed) -> Vec<Vec<usize>> {
        match claimed {
            Claimed::Unnamed(n) if n < 2 => Vec::new(),
            Claimed::Unnamed(n) => {
                let members: Vec<usize> = (0..n).collect();
                let over = self.clock.ask().map_err(Objection::Unchecked);
                match over.and_then(|()| self.text.unnamed(sort)) {
                    Ok(()) => vec![members],
                    Err(objection) => {
                        self.reject(sort, members, objection);
                        Vec::new()
                    }
                }
            }
            Claimed::Blocks(blocks) => {
                let blocks = blocks.iter().filter(|block| block.len() > 1);
                let kept = blocks.map(|block| self.block(sort, block));
                let kept: Vec<Vec<usize>> = kept.collect();
                kept.into_iter().filter(|block| block.len() > 1).collect()
            }
        }
    }

    /// The first member of a block, and those that may be exchanged with it.
    fn block(&mut self, sort: SortId, block: &[usize]) -> Vec<usize> {
        let first = block[0];
        let mut kept = vec![first];
        for (n, &member) in block.iter().enumerate().skip(1) {
            if let Err(over) = self.clock.ask() {
                let unchecked = [&[first], &block[n..]].concat();
                self.reject(sort, unchecked, Objection::Unchecked(over));
                break;
            }
            match self.text.exchange(sort, first, member) {
                Ok(()) => kept.push(member),
                Err(objection) => self.reject(sort, vec![first, member], objection),
            }
        }
        kept
    }

    fn reject(&mut self, sort: SortId, members: Vec<usize>, objection: Objection) {
        self.rejected.push(Rejected {
            sort,
            members,
            objection,
        });
    }
}

impl CertifiedValues {
    /// How it acts on states.
    pub fn act(&self) -> &Act {
        &self.act
    }

    /// The group, on the points of [`CertifiedValues::act`].
    pub fn group(&self) -> &Group {
        &self.group
    }

    /// Whether nothing moves.
    pub fn is_trivial(&self) -> bool {
        self.act.points().is_empty()
    }

    /// The name of the member that a point is.
    pub fn name(&self, point: Point) -> &str {
        &self.names[point as usize]
    }

    /// A permutation of points as cycles of names: `(Name1 Name2)(Code1 Code3)`.
    pub fn cycles(&self, perm: &group::Perm) -> String {
        let cycle = |cycle: Vec<Point>| {
            let names: Vec<&str> = cycle.iter().map(|x| self.name(*x)).collect();
            format!("({})", names.join(" "))
        };
        perm.cycles().into_iter().map(cycle).collect()
    }

    /// By sort: the blocks of two or more members that are alike, seen in states or not.
    pub fn blocks(&self) -> &[Vec<Vec<usize>>] {
        &self.blocks
    }

    /// The order of the group, which is on members that states can hold: others have no points.
    pub fn order(&self) -> BigUint {
        let moved = self.blocks.iter().enumerate();
        let moved = moved.filter(|(sort, _)| self.act.points().moves(SortId::new(*sort)));
        let sizes = moved.flat_map(|(_, blocks)| blocks.iter().map(Vec::len));
        let factors = sizes.flat_map(|n| 2..=n).map(BigUint::from);
        factors.product()
    }

    /// Sorts whose members stay, and why.
    pub fn apart(&self) -> &[Apart] {
        &self.apart
    }

    /// Members that were said to be alike and are not used as such.
    pub fn rejected(&self) -> &[Rejected] {
        &self.rejected
    }

    /// The group with its action, as it is used for reduction and audited.
    pub fn certified(&self) -> certified::Certified {
        let reading = Reading::new(&self.act, &self.picture, &self.published);
        certified::Certified::new(self.group.clone(), Arc::new(reading))
    }
}
