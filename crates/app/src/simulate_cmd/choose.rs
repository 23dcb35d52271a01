//! Who chooses the next move: chance, a person, or a recorded run.

use super::Kept;
use crate::output;
use crate::plan::{Chosen, Rules, SimulatePlan};
use crate::trail::{Trail, TrailStep};
use base::Diagnostic;
use std::fmt::Write;
use std::io::BufRead;
use std::ops::ControlFlow;
use system::model::Action;
use system::{Machine, Rest, System, Taken};

/// What was chosen.
pub enum Choice {
    /// This move, without a question.
    Take(Kept),
    /// This move, by a person.
    Asked(Kept),
    /// To go back to the last question.
    Back,
    /// To stop.
    Stop,
    /// The recorded run is over.
    Over,
    /// There is no move.
    None,
}

/// Who chooses.
pub enum Chooser<'a> {
    /// Chance: every move is equally likely.
    Random(fastrand::Rng),
    /// A person, who answers on standard input; chance if the person says so.
    Hand(fastrand::Rng),
    /// A recorded run, and how much of it was taken.
    Replay(&'a Trail, usize),
}

impl<'a> Chooser<'a> {
    /// Whoever the plan says.
    pub fn new(plan: &'a SimulatePlan) -> Chooser<'a> {
        match &plan.chosen {
            Chosen::Random(seed) => Chooser::Random(fastrand::Rng::with_seed(*seed)),
            Chosen::ByHand => Chooser::Hand(fastrand::Rng::with_seed(0)),
            Chosen::Replay(trail) => Chooser::Replay(trail, 0),
        }
    }

    /// Whether the loop of a recorded run begins here.
    pub fn is_at_loop(&self) -> bool {
        match self {
            Chooser::Replay(trail, at) => trail.loop_from.is_some_and(|from| *at >= from),
            Chooser::Random(_) | Chooser::Hand(_) => false,
        }
    }

    /// A choice among the moves from `state`, and what the state is if it has none.
    pub fn choose(
        &mut self,
        machine: &Machine,
        state: &[u8],
        scratch: &mut <Machine as System>::Scratch,
    ) -> Result<(Choice, Rest), Diagnostic> {
        match self {
            Chooser::Random(rng) => {
                let mut kept = None;
                let mut n_moves = 0_u64;
                // Each move replaces the one kept with the right probability, so that only those
                // that were kept for a while are copied.
                let rest = machine.successors(state, scratch, &mut |mv| {
                    n_moves += 1;
                    if rng.u64(0..n_moves) == 0 {
                        kept = Some(Kept::of(&mv));
                    }
                    ControlFlow::Continue(())
                });
                Ok((kept.map_or(Choice::None, Choice::Take), rest))
            }
            Chooser::Hand(rng) => {
                let mut moves = Vec::new();
                let rest = machine.successors(state, scratch, &mut |mv| {
                    moves.push(Kept::of(&mv));
                    ControlFlow::Continue(())
                });
                let choice = match moves.len() {
                    0 => Choice::None,
                    1 => Choice::Take(moves.remove(0)),
                    _ => ask(machine, state, moves, rng)?,
                };
                Ok((choice, rest))
            }
            Chooser::Replay(trail, at) => follow(machine, state, scratch, (trail, at)),
        }
    }
}

/// How many choices are shown at once; numbers beyond are accepted all the same.
const N_SHOWN_MAX: usize = 50;

/// Asks until there is an answer. Questions go to standard error, so that standard output is the
/// run and nothing else.
fn ask(
    machine: &Machine,
    state: &[u8],
    mut moves: Vec<Kept>,
    rng: &mut fastrand::Rng,
) -> Result<Choice, Diagnostic> {
    output::complain(&question(machine, &moves));
    loop {
        output::complain(&format!("choice (1-{}, r, s, u, q): ", moves.len()));
        let mut line = String::new();
        let read = std::io::stdin().lock().read_line(&mut line);
        let n_bytes = read
            .map_err(|why| Diagnostic::unlocated(format!("cannot read standard input: {why}")))?;
        if n_bytes == 0 {
            output::complain("\n");
            return Ok(Choice::Stop);
        }
        match line.trim() {
            "q" => return Ok(Choice::Stop),
            "u" => return Ok(Choice::Back),
            "r" => return Ok(Choice::Asked(moves.swap_remove(rng.usize(..moves.len())))),
            "s" => output::complain(&state_text(machine, state)),
            word => match word.parse::<usize>() {
                Ok(n) if (1..=moves.len()).contains(&n) => {
                    return Ok(Choice::Asked(moves.swap_remove(n - 1)));
                }
                _ => output::complain(&format!(
                    "a number from 1 to {}, or r: at random, s: show the state, u: take the last \
                     choice back, q: stop\n",
                    moves.len()
                )),
            },
        }
    }
}

fn question(machine: &Machine, moves: &[Kept]) -> String {
    let mut text = String::new();
    for (n, kept) in moves.iter().take(N_SHOWN_MAX).enumerate() {
        let first = machine.words(kept.steps[0]);
        let mut words = first.step;
        for step in &kept.steps[1..] {
            let next = machine.words(*step);
            let by = if next.by == first.by {
                ""
            } else {
                &format!("{}: ", next.by)
            };
            let _ = write!(words, "; {by}{}", next.step);
        }
        let words: String = match words.char_indices().nth(WIDTH_MAX) {
            Some((cut, _)) => words[..cut].to_owned() + "…",
            None => words,
        };
        let _ = writeln!(text, "{:>4}  {} {}: {words}", n + 1, first.by, first.line);
    }
    if moves.len() > N_SHOWN_MAX {
        let _ = writeln!(text, "      … and {} more", moves.len() - N_SHOWN_MAX);
    }
    text
}

/// How many characters of a move are shown.
const WIDTH_MAX: usize = 100;

fn state_text(machine: &Machine, state: &[u8]) -> String {
    let mut text = String::new();
    machine.describe(state, &mut |name, value| {
        let _ = writeln!(text, "      {name} = {value}");
    });
    machine.locations(state, &mut |name, place| {
        let _ = writeln!(text, "      {name} at {place}");
    });
    text
}

/// The move that the recorded run takes next.
fn follow(
    machine: &Machine,
    state: &[u8],
    scratch: &mut <Machine as System>::Scratch,
    (trail, at): (&Trail, &mut usize),
) -> Result<(Choice, Rest), Diagnostic> {
    let left = &trail.steps[*at..];
    // The move that takes most of what is left: where statements were merged, several fit.
    let mut best: Option<(usize, Kept)> = None;
    let (mut n_moves, mut furthest, mut ends) = (0, 0, Vec::new());
    let rest = machine.successors(state, scratch, &mut |mv| {
        n_moves += 1;
        if is_end(machine, mv.steps) {
            ends.push(Kept::of(&mv));
        }
        match n_matched(machine, mv.steps, left, trail.merged) {
            Ok(n) if n > 0 && best.as_ref().is_none_or(|(most, _)| n > *most) => {
                best = Some((n, Kept::of(&mv)));
            }
            Ok(_) => {}
            Err(n) => furthest = furthest.max(n),
        }
        ControlFlow::Continue(())
    });
    // Where a process that has ended stays, the step in which it goes away is not recorded.
    let goes = !ends.is_empty() && trail.rules == Rules::Own;
    match best {
        Some((n, mut kept)) => {
            *at += n;
            let goes_on = |(_, fault): &(usize, system::Fault)| fault.kind.goes_on();
            if *at < trail.steps.len() && kept.fault.as_ref().is_some_and(goes_on) {
                kept.passed = kept.fault.take().map(|(_, fault)| fault);
            }
            Ok((Choice::Take(kept), rest))
        }
        None if goes && (!left.is_empty() || ends.len() == n_moves) => {
            Ok((Choice::Take(ends.swap_remove(0)), rest))
        }
        None if left.is_empty() => Ok((Choice::Over, rest)),
        None => Err(trail.stuck(*at + furthest)),
    }
}

/// Whether a move is that a process which has ended goes away.
fn is_end(machine: &Machine, steps: &[Taken]) -> bool {
    let action = |taken: &Taken| &machine.model().step(machine.taken(*taken).1).action;
    steps
        .iter()
        .all(|taken| matches!(action(taken), Action::End))
}

/// How many recorded steps a move takes; if it is another move, how many come before the first
/// that differs. A run may end within a move, at the step that goes wrong. Where statements were
/// merged, steps after the first need not be recorded.
fn n_matched(
    machine: &Machine,
    steps: &[Taken],
    left: &[(TrailStep, base::Span)],
    merged: bool,
) -> Result<usize, usize> {
    let mut n = 0;
    for (i, taken) in steps.iter().enumerate() {
        match left.get(n) {
            Some((step, _)) if is(machine, *taken, step) => n += 1,
            Some(_) if !merged || i == 0 => return Err(n),
            _ => {}
        }
    }
    Ok(n)
}

/// Whether a step is the one that was recorded.
fn is(machine: &Machine, taken: Taken, step: &TrailStep) -> bool {
    match step {
        TrailStep::Ours(recorded) => taken == *recorded,
        TrailStep::Spin { process, statement } => {
            crate::trail::numbers(machine, taken) == (*process, Some(*statement))
        }
    }
}
