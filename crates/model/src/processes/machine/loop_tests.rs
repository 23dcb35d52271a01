//! Loops inside one chain of steps.

use super::Machine;
use super::tests::{Build, initial, moves};
use crate::processes::expr::{Binary, Expr, Pattern, Place};
use crate::processes::program::{Action, LocationId};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use system::fault::FaultKind;
use system::{Rest, System};

impl Build {
    /// `place = value - place`
    fn flip(&mut self, place: &Place, value: i32) -> Action {
        let (a, b) = (self.number(value), self.read(place));
        let e = self.expr(Expr::Binary(Binary::Subtract, a, b));
        Action::Assign(place.clone(), e)
    }
}

/// The states that moves lead to, and the faults.
fn reached(machine: &Machine) -> (BTreeSet<Vec<u8>>, Vec<FaultKind>, Rest) {
    let (found, rest) = moves(machine, &initial(machine));
    let faults = found.iter().flat_map(|m| m.1.clone()).collect();
    let states = found.into_iter().filter_map(|m| m.2).collect();
    (states, faults, rest)
}

#[test]
fn a_loop_that_can_leave_leads_to_every_state_it_passes() {
    // atomic { do :: x = 1 - x :: break od }
    let mut b = Build::new();
    let x = b.global();
    let flip = b.flip(&x, 1);
    b.active(vec![(0, flip, 0, true, 0), (0, Action::Skip, 1, false, 0)]);
    let machine = b.done();
    let (found, rest) = moves(&machine, &initial(&machine));
    let ends: Vec<u8> = found
        .iter()
        .map(|m| m.2.as_ref().expect("a state")[0])
        .collect();
    // Flipped twice and left, flipped once and left, left at once.
    assert_eq!(ends, [0, 1, 0]);
    assert_eq!(rest, Rest::Moves);
}

#[test]
fn a_loop_that_cannot_leave_has_no_move_and_is_no_deadlock() {
    let mut b = Build::new();
    b.active(vec![(0, Action::Skip, 0, true, 0)]);
    let machine = b.done();
    assert_eq!(moves(&machine, &initial(&machine)), (vec![], Rest::Moves));
}

#[test]
fn a_false_assertion_in_a_loop_that_cannot_leave_is_told() {
    let mut b = Build::new();
    let x = b.global();
    let claim = Action::Assert(b.is(&x, 1));
    b.active(vec![(0, claim, 0, true, 0)]);
    let (states, faults, rest) = reached(&b.done());
    assert!(states.is_empty());
    assert_eq!(rest, Rest::Moves);
    assert!(!faults.is_empty() && faults.iter().all(|f| *f == FaultKind::Assertion));
}

#[test]
fn control_that_is_handed_round_for_ever_is_a_loop() {
    // P1: atomic { do :: c!1; d?_ od }; P0: atomic { do :: c?_; d!1 od }
    let mut b = Build::new();
    let (c, d) = (b.channel(0), b.channel(0));
    let (ask, answer) = (b.send(&c, 1), b.send(&d, 1));
    let (asked, answered) = (b.receive(&c, Pattern::Drop), b.receive(&d, Pattern::Drop));
    b.active(vec![(0, asked, 1, true, 0), (1, answer, 0, true, 0)]);
    b.active(vec![(0, ask, 1, true, 0), (1, answered, 0, true, 0)]);
    let machine = b.done();
    assert_eq!(moves(&machine, &initial(&machine)), (vec![], Rest::Moves));
}

#[test]
fn the_paths_of_a_cube_are_not_all_followed() {
    // Twelve bits, each of which can be flipped: 4096 states, and more paths than can be listed.
    let mut b = Build::new();
    let bits: Vec<Place> = (0..12).map(|_| b.global()).collect();
    let mut steps = Vec::new();
    for bit in &bits {
        steps.push((0, b.flip(bit, 1), 0, true, 0));
    }
    steps.push((0, Action::Skip, 1, false, 0));
    b.active(steps);
    let (states, faults, _) = reached(&b.done());
    assert_eq!((states.len(), faults.len()), (4096, 0));
}

#[test]
fn a_chain_that_neither_ends_nor_repeats_is_given_up() {
    // x counts in a number of four bytes.
    let mut b = Build::new();
    let wide = crate::processes::layout::Scalar::I32;
    let x = b.global();
    b.global();
    b.global();
    b.global();
    b.model.layout.kinds[0].fields[0].slot.scalar = wide;
    let (one, old) = (b.number(1), b.read(&x));
    let sum = b.expr(Expr::Binary(Binary::Add, old, one));
    b.active(vec![(0, Action::Assign(x, sum), 0, true, 0)]);
    let machine = b.done();
    let (found, rest) = moves(&machine, &initial(&machine));
    assert_eq!(found.len(), 1);
    assert_eq!(
        (found[0].0, &found[0].1[..]),
        (100, &[FaultKind::Endless][..])
    );
    assert_eq!((found[0].2.as_ref(), rest), (None, Rest::Moves));
}

#[test]
fn a_deterministic_block_that_goes_round_is_given_up() {
    let mut b = Build::new();
    let x = b.global();
    let flip = b.flip(&x, 1);
    let block = Action::Deterministic(LocationId::new(1), LocationId::new(3));
    b.active(vec![
        (0, block, 3, false, 0),
        (1, flip, 2, true, 0),
        (2, Action::Skip, 1, true, 0),
    ]);
    let (states, faults, _) = reached(&b.done());
    assert_eq!((states.len(), faults), (0, vec![FaultKind::Endless]));
}

/// A random process whose steps are of the given lines; with `keep` they keep control as they say.
type Line = (usize, i32, i32, usize, bool);

fn random_machine(lines: &[Line], keep: bool) -> Machine {
    let mut b = Build::new();
    let (x, y) = (b.global(), b.global());
    let mut steps = Vec::new();
    for &(from, kind, value, to, keeps) in lines {
        let action = match kind {
            0 => Action::Test(b.is(&x, value)),
            1 => b.set(&x, value),
            2 => b.flip(&y, value),
            _ => b.flip(&x, value),
        };
        steps.push((from, action, to, keep && keeps, 0));
    }
    b.active(steps);
    b.done()
}

#[test]
fn moves_of_loops_are_those_of_a_plain_search() {
    for seed in 0..3000 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let lines: Vec<Line> = (0..rng.usize(1..9))
            .map(|_| {
                (
                    rng.usize(0..4),
                    rng.i32(0..4),
                    rng.i32(0..3),
                    rng.usize(0..4),
                    rng.u8(0..4) > 0,
                )
            })
            .chain([(4, 1, 0, 4, false)])
            .collect();
        let (states, faults, rest) = reached(&random_machine(&lines, true));
        assert!(faults.is_empty(), "seed {seed}: {faults:?}");
        let plain = random_machine(&lines, false);
        let start = initial(&plain);
        let (mut met, mut open, mut stored) =
            (BTreeSet::new(), vec![start.clone()], BTreeSet::new());
        let mut moved = false;
        while let Some(state) = open.pop() {
            let mut any = false;
            plain.successors(&state, &mut plain.scratch(), &mut |m| {
                any = true;
                let (_, step) = plain.taken(m.steps[0]);
                let next = m.state.expect("no faults").to_vec();
                match lines[step.index()].4 {
                    true if met.insert(next.clone()) => open.push(next),
                    true => {}
                    false => drop(stored.insert(next)),
                }
                ControlFlow::Continue(())
            });
            moved |= any;
            // Who cannot go on loses control, but for the first state, which was stored before.
            if !any && met.contains(&state) {
                stored.insert(state);
            }
        }
        assert_eq!(states, stored, "seed {seed}: {lines:?}");
        assert_eq!(rest == Rest::Moves, moved, "seed {seed}: {lines:?}");
    }
}
