//! A system and a claim that watches it, as one system.
//!
//! A state of the product is a state of the system, and behind it the state of the claim in two
//! bytes. In a move the claim goes first, by an edge that fits the state, then the system. Where
//! the system rests, it stutters: it stays, and the claim goes on, unless runs that end do not
//! count ([`Product::of_endless_runs`]). The claim's part of a move is its first step, so that the
//! steps of a move say all that happened.
//!
//! What goes wrong in the system itself is not looked at here; a search for errors does that. But
//! an atom that has no value is a fault, and so is a bad state of the claim.
//!
//! Worked example. A light that is off and can be switched on, once; the claim that it is off for
//! ever (`off → 0` in its only state, which accepts). Product states: (off, 0), (on, 0). From
//! (off, 0) the claim takes its edge and the light goes on; from (on, 0) the claim has no edge.
//! So nothing is accepted: a light that can do something does it, unless something else moves.

use super::Claim;
use crate::Reducer;
use base::Clock;
use reduce::reducer::{GivenUp, Guarantee, Symmetry};
use std::ops::{ControlFlow, Range};
use system::SiteId;
use system::{
    Fault, FaultKind, FaultText, Initial, Move, Pulse, Rest, Scratch, StepText, System, Taken,
};

/// How many bytes the claim's state takes.
pub const CLAIM_BYTES: usize = 2;
/// The mark of a step of the claim.
const OF_CLAIM: u64 = 1 << 63;

/// A system and a claim.
pub struct Product<'a> {
    system: &'a dyn System,
    claim: &'a Claim,
    /// Whether a run that ends goes on in its last state.
    stutters: bool,
}

/// Memory of a product.
struct Memory {
    inner: Scratch,
    atoms: Vec<bool>,
    targets: Vec<u16>,
    steps: Vec<Taken>,
    state: Vec<u8>,
}

/// A step of the claim into `state`.
fn of_claim(state: u16) -> Taken {
    Taken(OF_CLAIM | u64::from(state))
}

/// The state that a step of the claim leads to; `None` for a step of the system.
fn claimed(step: Taken) -> Option<u16> {
    (step.0 & OF_CLAIM != 0).then_some(step.0 as u16)
}

/// Whether a step is the claim's.
pub fn is_of_claim(step: Taken) -> bool {
    claimed(step).is_some()
}

/// A state of the product, taken apart.
fn apart(state: &[u8]) -> (&[u8], u16) {
    let (inner, claim) = state.split_at(state.len() - CLAIM_BYTES);
    (inner, u16::from_le_bytes([claim[0], claim[1]]))
}

fn join(inner: &[u8], claim: u16, out: &mut Vec<u8>) {
    out.clear();
    out.extend_from_slice(inner);
    out.extend_from_slice(&claim.to_le_bytes());
}

impl<'a> Product<'a> {
    /// The product.
    ///
    /// # Requires
    /// The atoms of the claim are those of the system, and no step of the system has the highest
    /// bit of its number set.
    pub fn new(system: &'a dyn System, claim: &'a Claim) -> Product<'a> {
        Product {
            system,
            claim,
            stutters: true,
        }
    }

    /// The same if only runs count that do not end.
    pub fn of_endless_runs(self) -> Product<'a> {
        Product {
            stutters: false,
            ..self
        }
    }

    /// Whether the claim accepts in a state of the product.
    pub fn is_accepting(&self, state: &[u8]) -> bool {
        self.claim.states[apart(state).1 as usize].is_accepting
    }

    /// The atoms of a state of the product.
    pub fn letter(&self, state: &[u8], scratch: &mut Scratch) -> Vec<bool> {
        let (mut atoms, scratch) = (Vec::new(), scratch.content::<Memory>());
        // A run that was taken has atoms with values.
        let _ = (self.system).atoms(apart(state).0, &mut scratch.inner, &mut atoms);
        atoms
    }

    /// Where the claim can go from `state`, or what went wrong in finding out.
    fn look(&self, state: &[u8], scratch: &mut Memory) -> Result<(), Fault> {
        let (inner, at) = apart(state);
        scratch.targets.clear();
        let here = &self.claim.states[at as usize];
        if here.is_bad || here.edges.is_empty() {
            return Ok(());
        }
        self.system
            .atoms(inner, &mut scratch.inner, &mut scratch.atoms)?;
        for edge in here.edges.iter().filter(|edge| edge.fits(&scratch.atoms)) {
            if !scratch.targets.contains(&edge.target) {
                scratch.targets.push(edge.target);
            }
        }
        Ok(())
    }
}

/// The fault of a claim that has come to a bad state.
fn bad() -> Fault {
    Fault {
        kind: FaultKind::Claim,
        site: SiteId::new(0),
    }
}

impl System for Product<'_> {
    fn scratch(&self) -> Scratch {
        Scratch::new(Memory {
            inner: self.system.scratch(),
            atoms: Vec::new(),
            targets: Vec::new(),
            steps: Vec::new(),
            state: Vec::new(),
        })
    }

    fn hidden(&self) -> &[Range<usize>] {
        self.system.hidden()
    }

    fn initial(&self, scratch: &mut Scratch, out: &mut dyn FnMut(Initial<'_>)) {
        let mut joined = Vec::new();
        let memory = scratch.content::<Memory>();
        self.system.initial(&mut memory.inner, &mut |initial| {
            if let Ok(state) = initial {
                join(state, self.claim.initial, &mut joined);
                out(Ok(&joined));
            }
        });
    }

    fn successors(
        &self,
        state: &[u8],
        scratch: &mut Scratch,
        out: &mut dyn FnMut(Move<'_>) -> ControlFlow<()>,
    ) -> Rest {
        self.successors_while(state, scratch, &mut |_| ControlFlow::Continue(()), out)
    }

    fn successors_while(
        &self,
        state: &[u8],
        scratch: &mut Scratch,
        pulse: Pulse<'_>,
        out: &mut dyn FnMut(Move<'_>) -> ControlFlow<()>,
    ) -> Rest {
        let own = scratch.content::<Memory>();
        if let Err(fault) = self.look(state, own) {
            let steps = [of_claim(apart(state).1)];
            let faults = [(0, fault)];
            let _ = out(Move {
                steps: &steps,
                faults: &faults,
                state: None,
                n_alike: 1,
            });
            return Rest::Moves;
        }
        let Memory {
            inner: memory,
            targets,
            steps,
            state: next,
            ..
        } = own;
        if targets.is_empty() {
            return Rest::End;
        }
        let (inner, _) = apart(state);
        let mut is_over = false;
        let mut each = |taken: &[Taken], after: &[u8]| {
            for &target in targets.iter() {
                steps.clear();
                steps.push(of_claim(target));
                steps.extend_from_slice(taken);
                join(after, target, next);
                out(Move {
                    steps,
                    faults: &[],
                    state: Some(next),
                    n_alike: 1,
                })?;
            }
            ControlFlow::Continue(())
        };
        let rest = self
            .system
            .successors_while(inner, memory, pulse, &mut |mv| {
                let Some(after) = mv.state else {
                    return ControlFlow::Continue(());
                };
                let flow = each(mv.steps, after);
                is_over |= flow.is_break();
                flow
            });
        if rest != Rest::Moves && !is_over && self.stutters {
            let _ = each(&[], inner);
        }
        Rest::Moves
    }

    fn wrong(&self, state: &[u8], scratch: &mut Scratch, out: &mut dyn FnMut(Fault)) {
        // That the claim will come to a bad state is known before the system moves on.
        let is_bad = |at: &u16| self.claim.states[*at as usize].is_bad;
        let memory = scratch.content::<Memory>();
        let looked = self.look(state, memory).is_ok();
        if is_bad(&apart(state).1) || (looked && memory.targets.iter().any(is_bad)) {
            out(bad());
        }
    }

    fn atoms(&self, state: &[u8], scratch: &mut Scratch, out: &mut Vec<bool>) -> Result<(), Fault> {
        let memory = scratch.content::<Memory>();
        self.system.atoms(apart(state).0, &mut memory.inner, out)
    }

    fn actor(&self, step: Taken) -> u32 {
        self.system.actor(step)
    }

    fn actors(&self, state: &[u8], step: Taken, out: &mut Vec<u32>) {
        self.system.actors(apart(state).0, step, out);
    }

    fn follow(
        &self,
        state: &[u8],
        steps: &[Taken],
        scratch: &mut Scratch,
        out: &mut dyn FnMut(Taken, &[u8], &str),
    ) -> bool {
        let Some((&first, rest)) = steps.split_first() else {
            return true;
        };
        let Some(target) = claimed(first) else {
            return false;
        };
        let memory = scratch.content::<Memory>();
        if self.look(state, memory).is_err() || !memory.targets.contains(&target) {
            return false;
        }
        let (inner, mut joined) = (apart(state).0, Vec::new());
        join(inner, target, &mut joined);
        out(first, &joined, "");
        if rest.is_empty() {
            // It may stay where it is only if it must.
            let mut moves = false;
            let rest = self.system.successors(inner, &mut memory.inner, &mut |mv| {
                moves |= mv.state.is_some();
                ControlFlow::Continue(())
            });
            return rest != Rest::Moves && !moves && self.stutters;
        }
        let mut each = |taken: Taken, after: &[u8], printed: &str| {
            join(after, target, &mut joined);
            out(taken, &joined, printed);
        };
        self.system
            .follow(inner, rest, &mut memory.inner, &mut each)
    }

    fn step_text(&self, state: &[u8], step: Taken) -> StepText {
        match claimed(step) {
            None => self.system.step_text(apart(state).0, step),
            Some(target) => StepText {
                by: "claim".to_owned(),
                number: 0,
                step: format!("to state {target}"),
                span: base::Span::new(base::SourceId::new(0), 0..0),
                line: 0,
                within: system::Within::default(),
                parts: Vec::new(),
                message: None,
            },
        }
    }

    fn describe(&self, state: &[u8], out: &mut dyn FnMut(&str, &str)) {
        self.system.describe(apart(state).0, out);
    }

    fn locations(&self, state: &[u8], out: &mut dyn FnMut(&str, &str)) {
        self.system.locations(apart(state).0, out);
    }

    fn gave_up(&self) -> bool {
        self.system.gave_up()
    }

    fn fault_text(&self, fault: Fault) -> FaultText {
        self.system.fault_text(fault)
    }

    fn covered<'b>(&self, scratch: &'b Scratch) -> &'b [bool] {
        self.system.covered(&scratch.as_content::<Memory>().inner)
    }

    fn not_covered(&self, covered: &[bool]) -> Vec<StepText> {
        self.system.not_covered(covered)
    }
}

/// Represents the system's part of a state and leaves the claim's alone.
///
/// # Requires
/// The symmetries of the inner reducer fix the atoms of the claim.
pub struct Beside<'a> {
    inner: &'a mut dyn Reducer,
    /// How many bytes at the end of a state are left alone.
    n_bytes: usize,
}

impl<'a> Beside<'a> {
    /// Beside a claim.
    pub fn new(inner: &'a mut dyn Reducer) -> Beside<'a> {
        Beside::bytes_of(inner, CLAIM_BYTES)
    }

    /// Beside so many bytes at the end of a state, which no symmetry changes.
    pub fn bytes_of(inner: &'a mut dyn Reducer, n_bytes: usize) -> Beside<'a> {
        Beside { inner, n_bytes }
    }
}

impl Reducer for Beside<'_> {
    fn reduce(&mut self, state: &mut [u8]) {
        let n = state.len() - self.n_bytes;
        self.inner.reduce(&mut state[..n]);
    }

    fn symmetry(&mut self) -> Option<Symmetry> {
        self.inner.symmetry()
    }

    fn apply(&self, symmetry: &Symmetry, state: &[u8], out: &mut Vec<u8>) {
        let (inner, claim) = state.split_at(state.len() - self.n_bytes);
        self.inner.apply(symmetry, inner, out);
        out.extend_from_slice(claim);
    }

    fn guarantee(&self) -> Guarantee {
        self.inner.guarantee()
    }

    fn given_up(&self) -> Option<GivenUp> {
        self.inner.given_up()
    }

    fn limit_time(&mut self, clock: Clock<'static>) {
        self.inner.limit_time(clock);
    }

    fn bytes(&self) -> u64 {
        self.inner.bytes()
    }

    fn limit_bytes(&mut self, bytes_max: u64) {
        self.inner.limit_bytes(bytes_max);
    }
}
