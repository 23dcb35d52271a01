//! What there is to say about a permutation group.
//!
//! Worked example: `(1 2 3)(4 5)` and `(1 2)`. The cube of the first is `(4 5)`, so the group is
//! all permutations of `{1 2 3}` times those of `{4 5}`, of order 6 · 2 = 12.

mod asked;
mod basic;
mod inner;

pub use basic::put_orbits;

use crate::points::PointNotation;
use ::group::{Budget, Group, Perm, Point};
use base::{Clock, Diagnostic};
use report::answer::{Answer, Exit};
use report::page::Page;

/// A group and what to say about it.
pub struct GroupPlan {
    /// The number of points.
    pub degree: usize,
    /// How points are written.
    pub points: PointNotation,
    /// The generators, all of that degree.
    pub generators: Vec<Perm>,
    /// Points to hold, each by itself.
    pub stabiliser: Option<Vec<Point>>,
    /// Points to hold as a set.
    pub set_stabiliser: Option<Vec<Point>>,
    /// A value for each point.
    pub image: Option<Vec<i64>>,
    /// A permutation that may be an element.
    pub contains: Option<Perm>,
    /// Random elements to show.
    pub random: Option<RandomPlan>,
    /// Up to how many elements a part is enumerated, if it is to be shown how the group is taken
    /// apart.
    pub enumerate_max: Option<u64>,
    /// Whether to list all elements.
    pub elements: bool,
    /// How long it may take.
    pub clock: Clock<'static>,
}

/// Random elements to show.
pub struct RandomPlan {
    /// How many.
    pub n_elements: usize,
    /// From which seed.
    pub seed: u64,
}

/// Carries out the plan; what cannot be honoured is refused with a message.
pub fn run(plan: &GroupPlan) -> Result<Answer, Diagnostic> {
    let budget = Budget::until(plan.clock);
    let group = Group::new(plan.degree, plan.generators.clone());
    let points = &plan.points;
    asked::refuse_long_listings(plan, &group)?;
    let mut page = Page::new();
    let mut is_open = false;

    basic::order(&group, &mut page);
    basic::orbits(&group, points, &mut page);
    inner::blocks(&group, points, &mut page);
    inner::structure(&group, &mut page);
    inner::minimising_set(&group, points, &mut page);
    basic::generators(&group, points, &mut page);
    basic::base(&group, points, &mut page);

    if let Some(enumerate_max) = plan.enumerate_max {
        inner::taken_apart(&group, enumerate_max, &mut page);
    }
    if let Some(held) = &plan.stabiliser {
        asked::stabiliser(&group, held, points, &mut page);
    }
    if let Some(held) = &plan.set_stabiliser {
        is_open |= !asked::set_stabiliser(&group, held, &budget, points, &mut page);
    }
    if let Some(values) = &plan.image {
        asked::image(&group, values, points, &mut page);
    }
    if let Some(random) = &plan.random {
        asked::random(&group, random, points, &mut page);
    }
    if plan.elements {
        asked::elements(&group, points, &mut page);
    }
    let exit = match &plan.contains {
        Some(perm) => asked::contains(&group, perm, points, &mut page),
        None => Exit::Holds,
    };
    if is_open {
        page.field("stop_reason", report::answer::stop_word(plan.clock));
        return Ok(Answer::new(Exit::Unknown, page));
    }
    Ok(Answer::new(exit, page))
}
