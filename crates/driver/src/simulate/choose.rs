//! Who chooses the next move: chance, a person, or a recorded run.

use super::classes::OfferedMoves;
use super::commands::{obeyed, offered_words};
use super::follow::{LogEnd, follow};
use super::stepped::SteppedSystem;
use super::watch::Watches;
use super::{ChoiceMaker, Conversation, KeptMove, SimulatePlan};
use crate::trail::{Trail, TrailStep};
use base::Diagnostic;
use model::frontend::Rules;
use report::itf::Log;
use std::fmt::Write;
use std::ops::ControlFlow;
use system::{FaultKind, Move, Rest, Scratch, Taken};

/// What was chosen.
pub enum StepChoice {
    /// This move, without a question.
    Take(KeptMove),
    /// This move, by a person.
    Asked(KeptMove),
    /// To go back to the last question.
    Back,
    /// To stop.
    Stop,
    /// The recorded run is over.
    Over,
    /// There is no move.
    None,
}

/// A person, and chance for when that is the answer.
pub struct Asker<'a, 'w> {
    conversation: &'a dyn Conversation,
    watches: &'a Watches<'w>,
    rng: fastrand::Rng,
}

/// Who chooses.
pub enum Chooser<'a, 'w> {
    /// Chance: every move is equally likely.
    Random(fastrand::Rng),
    /// A person, who is asked; chance if the person says so.
    Hand(Asker<'a, 'w>),
    /// A recorded run, and how much of it was taken.
    Replay(&'a Trail, usize),
    /// A run that a log tells, once it was looked for.
    Follow(&'a SimulatePlan, &'a Log, Option<FollowedRun>),
}

/// A run that was found, and how much of it is left.
pub struct FollowedRun {
    /// In reverse.
    left: Vec<KeptMove>,
    end: LogEnd,
}

impl<'a, 'w> Chooser<'a, 'w> {
    /// Whoever the plan says.
    pub fn new(
        plan: &'a SimulatePlan,
        conversation: &'a dyn Conversation,
        watches: &'a Watches<'w>,
    ) -> Chooser<'a, 'w> {
        match &plan.chosen {
            ChoiceMaker::Random(seed) => Chooser::Random(fastrand::Rng::with_seed(*seed)),
            ChoiceMaker::ByHand => Chooser::Hand(Asker {
                conversation,
                watches,
                rng: fastrand::Rng::with_seed(0),
            }),
            ChoiceMaker::Replay(trail) => Chooser::Replay(trail, 0),
            ChoiceMaker::Follow(log) => Chooser::Follow(plan, log, None),
        }
    }

    /// Whether the loop of a recorded run begins here.
    pub(crate) fn is_at_loop(&self) -> bool {
        match self {
            Chooser::Replay(trail, at) => trail.loop_from.is_some_and(|from| *at >= from),
            Chooser::Random(_) | Chooser::Hand(_) | Chooser::Follow(..) => false,
        }
    }

    /// How following a log ended, if a log is followed.
    pub(crate) fn log_end(&self) -> Option<LogEnd> {
        match self {
            Chooser::Follow(_, _, Some(run)) => Some(run.end),
            _ => None,
        }
    }

    /// A choice among states to start from, of which there is at least one.
    pub fn start(
        &mut self,
        machine: &SteppedSystem<'_>,
        starts: &[Vec<u8>],
    ) -> Result<usize, Diagnostic> {
        if let Chooser::Follow(plan, log, run) = self {
            let found = follow(machine, plan, log)?;
            let mut left = found.moves;
            left.reverse();
            *run = Some(FollowedRun {
                left,
                end: found.end,
            });
            return Ok(found.start);
        }
        match self {
            _ if starts.len() == 1 => Ok(0),
            Chooser::Random(rng) => Ok(rng.usize(..starts.len())),
            Chooser::Hand(asker) => asker.start(machine, starts),
            Chooser::Replay(trail, _) => Ok(trail.start),
            Chooser::Follow(..) => Ok(0),
        }
    }

    /// A choice among the moves from `state`, and what the state is if it has none.
    pub fn choose(
        &mut self,
        machine: &SteppedSystem<'_>,
        state: &[u8],
        scratch: &mut Scratch,
    ) -> Result<(StepChoice, Rest), Diagnostic> {
        match self {
            Chooser::Random(rng) if machine.classes.is_some() => {
                let (mut moves, rest) = offered(machine, state, scratch);
                let choice = match moves.len() {
                    0 => StepChoice::None,
                    n => StepChoice::Take(moves.swap_remove(rng.usize(..n))),
                };
                Ok((choice, rest))
            }
            Chooser::Random(rng) => {
                let mut kept = None;
                let mut n_moves = 0_u64;
                // Each move replaces the one kept with the right probability, so that only those
                // that were kept for a while are copied.
                let rest = machine.successors(state, scratch, &mut |mv| {
                    if is_no_move(&mv) {
                        return ControlFlow::Continue(());
                    }
                    n_moves += 1;
                    if rng.u64(0..n_moves) == 0 {
                        kept = Some(KeptMove::of(&mv));
                    }
                    ControlFlow::Continue(())
                });
                Ok((kept.map_or(StepChoice::None, StepChoice::Take), rest))
            }
            Chooser::Hand(asker) => {
                let (mut moves, rest) = offered(machine, state, scratch);
                let choice = match moves.len() {
                    0 => StepChoice::None,
                    1 => StepChoice::Take(moves.remove(0)),
                    _ => asker.ask(machine, state, moves)?,
                };
                Ok((choice, rest))
            }
            Chooser::Replay(trail, at) => replay(machine, state, scratch, trail, at),
            Chooser::Follow(_, _, run) => {
                let next = run.as_mut().and_then(|run| run.left.pop());
                let choice = next.map_or(StepChoice::Over, StepChoice::Take);
                Ok((choice, Rest::Moves))
            }
        }
    }
}

/// The moves of a state from which one is chosen.
fn offered(
    machine: &SteppedSystem<'_>,
    state: &[u8],
    scratch: &mut Scratch,
) -> (Vec<KeptMove>, Rest) {
    let mut moves = OfferedMoves::new(machine, state);
    let rest = machine.successors(state, scratch, &mut |mv| {
        if !is_no_move(&mv) {
            moves.add(&mv);
        }
        ControlFlow::Continue(())
    });
    (moves.into_moves(), rest)
}

/// Whether this says that not all moves were found, and is none.
fn is_no_move(mv: &Move<'_>) -> bool {
    let cut = |(_, fault): &(usize, system::Fault)| fault.kind == FaultKind::Cut;
    mv.state.is_none() && mv.faults.iter().any(cut)
}

impl Asker<'_, '_> {
    /// Asks where to start; who stops has the first.
    fn start(
        &mut self,
        machine: &SteppedSystem<'_>,
        starts: &[Vec<u8>],
    ) -> Result<usize, Diagnostic> {
        let mut text = String::new();
        for (n, start) in starts.iter().take(N_SHOWN_MAX).enumerate() {
            let mut parts = Vec::new();
            machine.describe(start, &mut |name, value| {
                parts.push(format!("{name} = {value}"))
            });
            let _ = writeln!(text, "{:>4}  {}", n + 1, shortened(parts.join(", ")));
        }
        if starts.len() > N_SHOWN_MAX {
            let _ = writeln!(text, "      … and {} more", starts.len() - N_SHOWN_MAX);
        }
        self.conversation.ask(&text);
        loop {
            let prompt = format!("start (1-{}, r): ", starts.len());
            self.conversation.ask(&prompt);
            let line = self.answer()?;
            if let Some(said) = line.as_ref().and_then(|l| obeyed(l, self.watches, None)) {
                self.conversation.ask(&said);
                continue;
            }
            match line.as_deref().map(str::trim) {
                None | Some("q") => return Ok(0),
                Some("r") => return Ok(self.rng.usize(..starts.len())),
                Some(word) => match word.parse::<usize>() {
                    Ok(n) if (1..=starts.len()).contains(&n) => return Ok(n - 1),
                    _ => {
                        let words = format!("a number from 1 to {}, or r\n", starts.len());
                        self.conversation.ask(&words);
                    }
                },
            }
        }
    }

    /// A line of the answer; the line of the question is ended if there is none.
    fn answer(&self) -> Result<Option<String>, Diagnostic> {
        let line = self.conversation.answer()?;
        if line.is_none() {
            self.conversation.ask("\n");
        }
        Ok(line)
    }

    /// Asks until there is an answer.
    fn ask(
        &mut self,
        machine: &SteppedSystem<'_>,
        state: &[u8],
        mut moves: Vec<KeptMove>,
    ) -> Result<StepChoice, Diagnostic> {
        self.conversation.ask(&question(machine, state, &moves));
        self.conversation.offer(offered_words(machine, state));
        loop {
            let prompt = format!("choice (1-{}, r, s, u, q): ", moves.len());
            self.conversation.ask(&prompt);
            let Some(line) = self.answer()? else {
                return Ok(StepChoice::Stop);
            };
            if let Some(said) = obeyed(&line, self.watches, Some(state)) {
                self.conversation.ask(&said);
                continue;
            }
            match line.trim() {
                "q" => return Ok(StepChoice::Stop),
                "u" => return Ok(StepChoice::Back),
                "r" => {
                    let n = self.rng.usize(..moves.len());
                    return Ok(StepChoice::Asked(moves.swap_remove(n)));
                }
                "s" => self.conversation.ask(&state_text(machine, state)),
                word => match word.parse::<usize>() {
                    Ok(n) if (1..=moves.len()).contains(&n) => {
                        return Ok(StepChoice::Asked(moves.swap_remove(n - 1)));
                    }
                    _ => self.conversation.ask(&format!(
                        "a number from 1 to {}, or r: at random, s: show the state, u: take the \
                         last choice back, q: stop, :help: all answers\n",
                        moves.len()
                    )),
                },
            }
        }
    }
}

/// How many choices are shown at once; numbers beyond are accepted all the same.
const N_SHOWN_MAX: usize = 50;

fn question(machine: &SteppedSystem<'_>, state: &[u8], moves: &[KeptMove]) -> String {
    let mut text = String::new();
    for (n, kept) in moves.iter().take(N_SHOWN_MAX).enumerate() {
        let first = machine.step_text(state, kept.steps[0]);
        let by = &first.by;
        let words = shortened(words(machine, state, &kept.steps));
        let space = if by.is_empty() { "" } else { " " };
        let _ = writeln!(text, "{:>4}  {by}{space}{}: {words}", n + 1, first.line);
        let others = others(machine, state, kept);
        if !others.is_empty() {
            let _ = writeln!(text, "      {}", stands_for(&others));
        }
    }
    if moves.len() > N_SHOWN_MAX {
        let _ = writeln!(text, "      … and {} more", moves.len() - N_SHOWN_MAX);
    }
    text
}

/// The steps of a move.
fn words(machine: &SteppedSystem<'_>, state: &[u8], steps: &[Taken]) -> String {
    let first = machine.step_text(state, steps[0]);
    let mut words = first.step;
    for step in &steps[1..] {
        let next = machine.step_text(state, *step);
        let by = if next.by == first.by {
            ""
        } else {
            &format!("{}: ", next.by)
        };
        let _ = write!(words, "; {by}{}", next.step);
    }
    words
}

/// The moves that a move stands for, each with who takes it.
pub fn others(machine: &SteppedSystem<'_>, state: &[u8], kept: &KeptMove) -> Vec<String> {
    let others = kept.others.iter().map(|steps| {
        let by = machine.step_text(state, steps[0]).by;
        let space = if by.is_empty() { "" } else { " " };
        format!("{by}{space}{}", words(machine, state, steps))
    });
    others.collect()
}

/// How many of the moves that one stands for are shown.
const N_OTHERS_MAX: usize = 6;

/// The same in a line.
pub(crate) fn stands_for(others: &[String]) -> String {
    let shown = others.iter().take(N_OTHERS_MAX).cloned();
    let mut shown: Vec<String> = shown.map(shortened).collect();
    if others.len() > N_OTHERS_MAX {
        shown.push("…".to_owned());
    }
    let word = if others.len() == 1 { "other" } else { "others" };
    let n = others.len();
    format!("stands for {n} {word}: {}", shown.join(", "))
}

/// How many characters of a move are shown.
const WIDTH_MAX: usize = 100;

fn shortened(words: String) -> String {
    match words.char_indices().nth(WIDTH_MAX) {
        Some((cut, _)) => words[..cut].to_owned() + "…",
        None => words,
    }
}

fn state_text(machine: &SteppedSystem<'_>, state: &[u8]) -> String {
    let mut text = String::new();
    let mut values = Vec::new();
    machine.describe(state, &mut |name, value| {
        let _ = writeln!(text, "      {name} = {value}");
        values.push((name.to_owned(), value.to_owned()));
    });
    machine.locations(state, &mut |name, place| {
        // A process of CSP has no values but where its components are.
        if !values.iter().any(|(n, v)| n == name && v == place) {
            let _ = writeln!(text, "      {name} at {place}");
        }
    });
    text
}

/// The move that the recorded run takes next.
fn replay(
    machine: &SteppedSystem<'_>,
    state: &[u8],
    scratch: &mut Scratch,
    trail: &Trail,
    at: &mut usize,
) -> Result<(StepChoice, Rest), Diagnostic> {
    let left = &trail.steps[*at..];
    // The move that takes most of what is left: where statements were merged, several fit.
    let mut best: Option<(usize, KeptMove)> = None;
    let (mut n_moves, mut furthest, mut ends) = (0, 0, Vec::new());
    let rest = machine.successors(state, scratch, &mut |mv| {
        n_moves += 1;
        if machine.is_end(mv.steps) {
            ends.push(KeptMove::of(&mv));
        }
        match n_matched(machine, mv.steps, left, trail.merged) {
            Ok(n) if n > 0 && best.as_ref().is_none_or(|(most, _)| n > *most) => {
                best = Some((n, KeptMove::of(&mv)));
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
            Ok((StepChoice::Take(kept), rest))
        }
        None if goes && (!left.is_empty() || ends.len() == n_moves) => {
            Ok((StepChoice::Take(ends.swap_remove(0)), rest))
        }
        None if left.is_empty() => Ok((StepChoice::Over, rest)),
        None => Err(trail.stuck(*at + furthest)),
    }
}

/// How many recorded steps a move takes; if it is another move, how many come before the first
/// that differs. A run may end within a move, at the step that goes wrong. Where statements were
/// merged, steps after the first need not be recorded.
fn n_matched(
    machine: &SteppedSystem<'_>,
    steps: &[Taken],
    left: &[(TrailStep, base::Span)],
    merged: bool,
) -> Result<usize, usize> {
    let mut n = 0;
    for (i, taken) in steps.iter().enumerate() {
        match left.get(n) {
            Some((step, _)) if machine.is(*taken, step) => n += 1,
            Some(_) if !merged || i == 0 => return Err(n),
            _ => {}
        }
    }
    Ok(n)
}
