//! Near and virtual symmetry, decided by their definitions on the states of a small model.
//!
//! `G` is the group of the model without the steps that break it, `R` what leads to what among the
//! states that are reached and all that `G` makes of them. The *symmetrisation* of `R` has with
//! each pair all its images. `R` is *virtually symmetric* if from whichever state the
//! symmetrisation leads somewhere, `R` leads to something that `G` makes of it; then the quotient
//! by `G` has the runs of the model. It is *nearly symmetric* if only states that `G` fixes lack
//! images of pairs. Neither is used by a search.
//!
//! Worked example: users try, and whoever tries goes in if nobody is in; if all try, the first goes
//! in. In the state where all try the others lack a step. But `G` fixes that state, and what the
//! others lack is what `G` makes of the step of the first. So this is nearly symmetric.
//!
//! Source: Emerson and Trefler 1999 (near), Emerson, Havlicek and Trefler 2000 (virtual).

use super::{N_STATES_MAX, Numbered};
use base::Clock;
use group::Point;
use group::orbit::DisjointSets;
use model::Machine;
use reduce::processes::Found;
use reduce::processes::partial::find_broken;
use report::object::NearSymmetry;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use system::System;

/// The most pairs of the symmetrisation that are listed.
const N_PAIRS_MAX: usize = 2_000_000;

/// What is decided; `None` if no step breaks a larger group. An error says why it is not known.
pub fn decide(
    machine: &Machine,
    clock: Clock<'static>,
) -> Result<Option<NearSymmetry>, &'static str> {
    let Ok(broken) = find_broken(machine, clock) else {
        return Ok(None);
    };
    let all = Closed::new(machine, &broken.whole)?;
    let generators = broken.whole.certified.group().generators().iter();
    let images: Option<Vec<Vec<Point>>> = generators
        .map(|generator| all.known.images(&broken.whole, generator))
        .collect();
    let images = images.ok_or("an image of a state is no state")?;
    all.decided(&images, broken.whole.certified.group())
        .map(Some)
}

/// States, closed under steps and symmetries.
struct Closed {
    known: Numbered,
    /// By state: where it leads.
    next: Vec<BTreeSet<Point>>,
}

impl Closed {
    fn new(machine: &Machine, found: &Found) -> Result<Closed, &'static str> {
        let mut all = Closed {
            known: Numbered::default(),
            next: Vec::new(),
        };
        let mut scratch = machine.scratch();
        all.known.start(machine, &mut scratch);
        let mut image = Vec::new();
        while all.next.len() < all.known.states.len() {
            if all.known.states.len() > N_STATES_MAX {
                return Err("there are too many states with their images");
            }
            let state = all.known.states[all.next.len()].clone();
            let mut targets = Vec::new();
            let mut is_wrong = false;
            machine.successors(&state, &mut scratch, &mut |mv| {
                is_wrong |= !mv.faults.is_empty();
                targets.extend(mv.state.map(<[u8]>::to_vec));
                ControlFlow::Continue(())
            });
            if is_wrong {
                return Err("something goes wrong in a step");
            }
            let next = targets
                .into_iter()
                .map(|target| all.known.add(target))
                .collect();
            all.next.push(next);
            for generator in found.certified.group().generators() {
                let act = found.certified.act();
                if act.is_settled(&state) {
                    act.apply(generator.image(), &state, &mut image);
                    all.known.add(image.clone());
                }
            }
        }
        Ok(all)
    }

    fn decided(
        &self,
        images: &[Vec<Point>],
        group: &group::Group,
    ) -> Result<NearSymmetry, &'static str> {
        let mut orbits = DisjointSets::new(self.known.states.len());
        for image in images {
            for (from, to) in image.iter().enumerate() {
                orbits.join(from as Point, *to);
            }
        }
        let orbit: Vec<Point> = (0..self.known.states.len() as Point)
            .map(|x| orbits.find(x))
            .collect();
        let is_fixed = |x: Point| images.iter().all(|image| image[x as usize] == x);
        let relation = self.next.iter().enumerate();
        let relation = relation.flat_map(|(x, next)| next.iter().map(move |y| (x as Point, *y)));
        let relation: BTreeSet<(Point, Point)> = relation.collect();
        let mut symmetrised = relation.clone();
        let mut waiting: Vec<(Point, Point)> = relation.iter().copied().collect();
        while let Some((x, y)) = waiting.pop() {
            if symmetrised.len() > N_PAIRS_MAX {
                return Err("there are too many images of steps");
            }
            for image in images {
                let pair = (image[x as usize], image[y as usize]);
                if symmetrised.insert(pair) {
                    waiting.push(pair);
                }
            }
        }
        let lacks = |(x, y): &(Point, Point)| {
            let next = &self.next[*x as usize];
            next.iter()
                .all(|z| orbit[*z as usize] != orbit[*y as usize])
        };
        let added = || symmetrised.difference(&relation);
        Ok(NearSymmetry {
            group_order: group.order().to_string(),
            states: self.known.states.len(),
            relation: relation.len(),
            symmetrisation: symmetrised.len(),
            violating: added().filter(|pair| lacks(pair)).count(),
            is_near: added().all(|(x, _)| is_fixed(*x)),
        })
    }
}
