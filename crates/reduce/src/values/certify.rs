//! Symmetries of values that may be used.
//!
//! Only what passes here becomes a [`Certified`], and only that makes a reducer. Who read the model
//! says of each sort why its members may be exchanged ([`Ground`]); here it is checked that the
//! grounds fit the signature: members without names are alike because no formula can tell them
//! apart (the permutation theorem, `docs/theory/values-symmetry.md`), so that ground is refused for
//! a sort whose members have names; lists of members that were exchanged must name members, each
//! once. What does not fit moves nothing, and is told.
//!
//! The group is all permutations that keep the blocks of alike members: a product of symmetric
//! groups, one a block.

use super::act::Act;
use super::picture::{Picture, Reading};
use super::points::Points;
use crate::certified;
use group::{Group, Point};
use model::values::{Ground, Signature, SortId};
use num_bigint::BigUint;
use std::sync::Arc;

/// A sort whose members stay, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Apart {
    /// Which.
    pub sort: SortId,
    /// In words.
    pub reason: String,
}

/// A group of symmetries of states that are made of values.
#[derive(Clone, Debug)]
pub struct Certified {
    act: Act,
    picture: Picture,
    group: Group,
    names: Vec<String>,
    /// By sort: the blocks of two or more.
    blocks: Vec<Vec<Vec<usize>>>,
    apart: Vec<Apart>,
}

/// Checks that the grounds fit the signature; the members that they allow to exchange make the
/// group.
///
/// # Requires
/// The grounds are true of the model. Sorts beyond the end of `grounds` stay.
pub fn certify(signature: &Signature, grounds: &[Ground]) -> Certified {
    let (mut blocks, mut apart) = (Vec::new(), Vec::new());
    for s in 0..signature.sorts.len() {
        let sort = SortId::new(s);
        match blocks_of(signature, sort, grounds.get(s)) {
            Ok(found) => blocks.push(found),
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
    Certified {
        names: (0..points.len() as Point).map(name).collect(),
        group: points.group(),
        picture: Picture::new(signature, &points),
        act: Act::new(signature, points),
        blocks,
        apart,
    }
}

/// The blocks of two or more members of a sort.
fn blocks_of(
    signature: &Signature,
    sort: SortId,
    ground: Option<&Ground>,
) -> Result<Vec<Vec<usize>>, String> {
    let sort = signature.sort(sort);
    let n = sort.members.len();
    if n > 1 << 16 {
        return Err(format!("it has {n} members, more than states can hold"));
    }
    match ground {
        None => Err("nothing is known about its members".to_owned()),
        Some(Ground::Apart(reason)) => Err(reason.clone()),
        Some(Ground::Unnamed) if sort.is_named => Err("the model names its members".to_owned()),
        Some(Ground::Unnamed) if n < 2 => Ok(Vec::new()),
        Some(Ground::Unnamed) => Ok(vec![(0..n).collect()]),
        Some(Ground::Exchanged(blocks)) => {
            let mut seen = vec![false; n];
            for member in blocks.iter().flatten() {
                match seen.get_mut(*member) {
                    None => return Err(format!("it has no member {member}")),
                    Some(true) => return Err(format!("member {member} is in two blocks")),
                    Some(seen) => *seen = true,
                }
            }
            let large = blocks.iter().filter(|block| block.len() > 1);
            Ok(large.cloned().collect())
        }
    }
}

impl Certified {
    /// How it acts on states.
    pub fn act(&self) -> &Act {
        &self.act
    }

    /// The group, on the points of [`Certified::act`].
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

    /// The group with its action, as it is used for reduction and audited.
    pub fn certified(&self) -> certified::Certified {
        let reading = Reading::new(&self.act, &self.picture);
        certified::Certified::new(self.group.clone(), Arc::new(reading))
    }
}
