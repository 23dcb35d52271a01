//! The annotated states of a system, as a system that a search can take.

use super::{Annotation, Partial, canonical, split};
use crate::reducer::{Reducer, Symmetry};
use std::collections::HashSet;
use std::ops::{ControlFlow, Range};
use system::fault::FaultText;
use system::{Fault, Initial, Move, Pulse, Rest, Scratch, StepText, System, Taken};

/// Says which step breaks the symmetry, if the one that was taken does.
pub type Breaking<'a> = Box<dyn Fn(Taken) -> Option<usize> + Send + Sync + 'a>;

/// A system whose states are annotated; see [`super`].
///
/// # Requires
/// A step that breaks the symmetry is the first of its move, and nothing is wrong in states
/// themselves.
pub struct Annotated<'a> {
    inner: &'a dyn System,
    partial: &'a Partial,
    breaking: Breaking<'a>,
}

/// Memory of an annotated system.
struct Memory {
    inner: Scratch,
    /// The canonical form under the least group.
    least: Box<dyn Reducer>,
    /// The members of the present state that were looked at, by their canonical forms.
    looked_at: HashSet<Vec<u8>>,
    target: Vec<u8>,
}

/// A move from a member of an annotated state.
struct Found<'m> {
    /// What makes the member of the state.
    by: &'m Symmetry,
    /// The move, to a state without annotation.
    inner: Move<'m>,
    /// The annotation afterwards.
    annotation: Annotation,
}

impl<'a> Annotated<'a> {
    /// The annotated states of `inner`.
    pub fn new(inner: &'a dyn System, partial: &'a Partial, breaking: Breaking<'a>) -> Self {
        Annotated {
            inner,
            partial,
            breaking,
        }
    }

    /// The system without annotations.
    pub fn unfolded(&self) -> &'a dyn System {
        self.inner
    }

    /// The states of a run of the system without annotations along `path`, a path of this one,
    /// whose last state is one of which `ends` is true; `None` if there is none.
    pub fn run(
        &self,
        path: &[Vec<u8>],
        ends: &mut dyn FnMut(&[u8]) -> bool,
    ) -> Option<Vec<Vec<u8>>> {
        let mut all: Vec<Box<dyn Reducer>> = self.partial.certified.iter().map(canonical).collect();
        let mut scratch = self.scratch();
        let first = split(path.first()?);
        let mut run = Vec::new();
        self.inner
            .initial(&mut self.inner.scratch(), &mut |initial| {
                if let (true, Ok(state)) = (run.is_empty(), initial)
                    && let Some(by) = represented(&mut *all[0], state, first.0)
                {
                    run = vec![state.to_vec()];
                    self.carry(&by, &mut run);
                }
            });
        for pair in path.windows(2) {
            let ((from, annotation), (to, wanted)) = (split(&pair[0]), split(&pair[1]));
            let mut found = None;
            let mut look = |mv: Found<'_>| {
                let state = mv.inner.state.filter(|_| mv.annotation == wanted);
                if let Some(state) = state
                    && let Some(then) = represented(&mut *all[usize::from(wanted)], state, to)
                {
                    found = Some((mv.by.clone(), state.to_vec(), then));
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            };
            let memory = scratch.content();
            let mut pulse = |_| ControlFlow::Continue(());
            self.moves((from, annotation), memory, &mut pulse, &mut look);
            let (by, state, then) = found?;
            self.carry(&by, &mut run);
            run.push(state);
            self.carry(&then, &mut run);
        }
        let (last, annotation) = split(path.last()?);
        let cosets = &self.partial.cosets[usize::from(annotation)];
        let by = cosets.iter().find(|by| ends(&self.moved(by, last)))?;
        self.carry(by, &mut run);
        Some(run).filter(|run| !run.is_empty())
    }

    /// Moves all states of a run.
    fn carry(&self, by: &Symmetry, run: &mut [Vec<u8>]) {
        for state in run {
            *state = self.moved(by, state);
        }
    }

    /// A state moved; states before the making is over stay.
    fn moved(&self, by: &Symmetry, state: &[u8]) -> Vec<u8> {
        let act = self.partial.certified[0].reads().act();
        let mut out = state.to_vec();
        if act.is_settled(state) {
            act.move_by(by, state, &mut out);
        }
        out
    }

    /// All moves of an annotated state: those of the state itself, and of other members those that
    /// break the symmetry.
    fn moves(
        &self,
        (state, annotation): (&[u8], Annotation),
        memory: &mut Memory,
        pulse: Pulse<'_>,
        out: &mut dyn FnMut(Found<'_>) -> ControlFlow<()>,
    ) -> Rest {
        let mut rests = Vec::new();
        let mut is_over = false;
        let cosets = &self.partial.cosets[usize::from(annotation)];
        memory.looked_at.clear();
        for (n, by) in cosets.iter().enumerate() {
            let member = self.moved(by, state);
            if cosets.len() > 1 {
                let mut form = member.clone();
                memory.least.reduce(&mut form);
                if !memory.looked_at.insert(form) {
                    continue;
                }
            }
            let mut is_cut = false;
            let mut watched = |held| {
                let flow = pulse(held);
                is_cut |= flow.is_break();
                flow
            };
            let rest = self.inner.successors_while(
                &member,
                &mut memory.inner,
                &mut watched,
                &mut |inner| {
                    let first = inner.steps.first().and_then(|step| (self.breaking)(*step));
                    debug_assert!(self.are_plain(inner.steps), "{:?}", inner.steps);
                    let new = first.filter(|e| annotation >> e & 1 == 0);
                    if n > 0 && new.is_none() {
                        return ControlFlow::Continue(());
                    }
                    let annotation = annotation | new.map_or(0, |e| 1 << e);
                    let flow = out(Found {
                        by,
                        inner,
                        annotation,
                    });
                    is_over |= flow.is_break();
                    flow
                },
            );
            if is_over || is_cut {
                return Rest::Moves;
            }
            rests.push(rest);
        }
        // What is asked is whether one of the members rests where it may not.
        let order = [Rest::Deadlock, Rest::Unfinished, Rest::Moves];
        let found = order.into_iter().find(|rest| rests.contains(rest));
        found.unwrap_or(Rest::End)
    }

    /// Whether no step after the first breaks the symmetry.
    fn are_plain(&self, steps: &[Taken]) -> bool {
        let mut later = steps.iter().skip(1);
        later.all(|step| (self.breaking)(*step).is_none())
    }
}

/// What carries `state` to `wanted`, if that is its representative.
fn represented(reducer: &mut dyn Reducer, state: &[u8], wanted: &[u8]) -> Option<Symmetry> {
    let mut form = state.to_vec();
    reducer.reduce(&mut form);
    reducer.symmetry().filter(|_| form == wanted)
}

impl System for Annotated<'_> {
    fn scratch(&self) -> Scratch {
        Scratch::new(Memory {
            inner: self.inner.scratch(),
            least: canonical(self.partial.certified.last().expect("a group")),
            looked_at: HashSet::new(),
            target: Vec::new(),
        })
    }

    fn hidden(&self) -> &[Range<usize>] {
        self.inner.hidden()
    }

    fn initial(&self, scratch: &mut Scratch, out: &mut dyn FnMut(Initial<'_>)) {
        let Memory { inner, target, .. } = scratch.content();
        self.inner.initial(inner, &mut |initial| {
            out(initial.map(|state| annotated(target, state, 0)));
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
        let memory: &mut Memory = scratch.content();
        let mut target = std::mem::take(&mut memory.target);
        let rest = self.moves(split(state), memory, pulse, &mut |mv| {
            let state = mv.inner.state;
            out(Move {
                state: state.map(|state| annotated(&mut target, state, mv.annotation)),
                ..mv.inner
            })
        });
        memory.target = target;
        rest
    }

    fn actor(&self, step: Taken) -> u32 {
        self.inner.actor(step)
    }

    fn is_idle(&self, step: Taken) -> bool {
        self.inner.is_idle(step)
    }

    /// Moves of annotated states are no moves of one state, step by step: see [`Annotated::run`].
    fn follow(
        &self,
        _: &[u8],
        _: &[Taken],
        _: &mut Scratch,
        _: &mut dyn FnMut(Taken, &[u8], &str),
    ) -> bool {
        false
    }

    fn step_text(&self, state: &[u8], step: Taken) -> StepText {
        self.inner.step_text(split(state).0, step)
    }

    fn describe(&self, state: &[u8], out: &mut dyn FnMut(&str, &str)) {
        self.inner.describe(split(state).0, out);
    }

    fn locations(&self, state: &[u8], out: &mut dyn FnMut(&str, &str)) {
        self.inner.locations(split(state).0, out);
    }

    fn fault_text(&self, fault: Fault) -> FaultText {
        self.inner.fault_text(fault)
    }

    fn replay(&self) {
        self.inner.replay();
    }

    fn gave_up(&self) -> bool {
        self.inner.gave_up()
    }

    fn covered<'a>(&self, scratch: &'a Scratch) -> &'a [bool] {
        self.inner.covered(&scratch.as_content::<Memory>().inner)
    }

    fn not_covered(&self, covered: &[bool]) -> Vec<StepText> {
        self.inner.not_covered(covered)
    }
}

/// A state with its annotation.
fn annotated<'t>(target: &'t mut Vec<u8>, state: &[u8], annotation: Annotation) -> &'t [u8] {
    target.clear();
    target.extend_from_slice(state);
    target.push(annotation);
    target
}
