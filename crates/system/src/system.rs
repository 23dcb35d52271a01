//! The seam: what a search needs of a model, and nothing about languages.
//!
//! A state is a slice of bytes. A *move* leads from one stored state to another; it is made of one
//! or more *steps*, because what is atomic, and both halves of a rendezvous, pass through states
//! that are not stored. A search asks for moves; who replays or simulates asks for the steps of a
//! move and the states between them.

use crate::fault::Fault;
use crate::structure::Structure;
use std::any::Any;
use std::ops::{ControlFlow, Range};

/// A step as taken: which one, and by whom. What the number means is the system's business.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Taken(pub u64);

/// An initial state, or what went wrong on the way to it.
pub type Initial<'a> = Result<&'a [u8], Fault>;

/// A move from a state.
#[derive(Clone, Copy, Debug)]
pub struct Move<'a> {
    /// Its steps, at least one.
    pub steps: &'a [Taken],
    /// What went wrong, with the index of the step.
    pub faults: &'a [(usize, Fault)],
    /// Where it leads; `None` if a fault left no state to go on from. A step that went wrong and
    /// then could not be completed, as a send that nobody receives, is told so too, and does not
    /// count as a move where it is asked whether there are any.
    pub state: Option<&'a [u8]>,
    /// How many moves it stands for, itself among them: others with the same faults into states
    /// that a symmetry makes of this one are left out. 1 unless the system was asked for that.
    pub n_alike: u64,
}

/// What a state without moves is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rest {
    /// It has moves.
    Moves,
    /// None, and every process may rest where it is.
    End,
    /// None, and some process may not rest where it is.
    Deadlock,
    /// None, and every process may rest where it is, but a trace of what they send may not.
    Unfinished,
}

/// A step in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StepText {
    /// Who took it: `P (1)`.
    pub by: String,
    /// The number of the process, or of what else took it.
    pub number: u32,
    /// What it was, as written.
    pub step: String,
    /// Where that is.
    pub span: base::Span,
    /// The line, from 1.
    pub line: u32,
    /// The file, and what uses it there.
    pub within: Within,
    /// The components that take part, where there are components.
    pub parts: Vec<PartText>,
    /// What it sends or receives, where there are channels.
    pub message: Option<MessageText>,
}

/// A message that a step sends or receives, in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MessageText {
    /// Whether it goes into the channel or comes out of it.
    pub transfer: Transfer,
    /// The channel.
    pub channel: String,
    /// The values, with commas between them. `None` for the receiving half of a rendezvous, which
    /// gets what the step before it sends.
    pub content: Option<String>,
    /// Whether the channel hands messages over and keeps none.
    pub is_rendezvous: bool,
    /// Whether it stays in the channel, as a receive can leave it there.
    pub stays: bool,
}

/// Which way a message goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Transfer {
    /// Into a channel.
    Send,
    /// Out of one.
    Receive,
}

/// What a component does in a step, in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartText {
    /// The component.
    pub component: String,
    /// What it does.
    pub event: String,
    /// The line of the text that it executes, from 1, where that is known.
    pub line: Option<u32>,
    /// The file, if it is not that of the model.
    pub file: Option<String>,
}

/// A move as the label of an edge in a graph of states.
#[derive(Clone, Default, PartialEq, Eq, Hash, Debug)]
pub struct MoveLabel {
    /// What stands before the arguments: an operation, a channel, the type of a process.
    pub head: String,
    /// What stands after them: of a process, what it does.
    pub tail: String,
    /// What the arguments are called, as far as that is known.
    pub parameters: Vec<String>,
    /// The arguments; of a process, its number.
    pub arguments: Vec<String>,
}

/// A move with its label, which is made when it is asked for.
pub type LabelledOut<'a> =
    &'a mut dyn FnMut(Move<'_>, &mut dyn FnMut() -> MoveLabel) -> ControlFlow<()>;

/// Where a statement stands, beside its line.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Within {
    /// The file, if it is not that of the model.
    pub file: Option<String>,
    /// The uses of inlines and macros that brought the statement into the program, from inside out:
    /// `lock(a) in line 30`.
    pub calls: Vec<String>,
}

impl Within {
    /// A statement with its uses: `x = 1, in lock(a) in line 30`.
    pub fn shown(&self, step: &str) -> String {
        let calls = self.calls.iter().map(|call| format!(", in {call}"));
        std::iter::once(step.to_owned()).chain(calls).collect()
    }

    /// A statement after its place: `line 7: x = 1, in lock(a) in line 30`.
    pub fn at(&self, line: u32, step: &str) -> String {
        let word = if self.file.is_some() { "" } else { "line " };
        format!("{word}{}: {}", self.place(line), self.shown(step))
    }

    /// A line with its file: `lock.h:7`.
    pub fn place(&self, line: u32) -> String {
        match &self.file {
            Some(file) => format!("{file}:{line}"),
            None => line.to_string(),
        }
    }
}

/// Memory of a system that is reused from call to call. What is in it is the system's business.
pub struct Scratch(Box<dyn Any + Send>);

impl Scratch {
    /// With this in it.
    pub fn new<T: Any + Send>(content: T) -> Scratch {
        Scratch(Box::new(content))
    }

    /// What is in it, to be changed.
    ///
    /// # Requires
    /// It was made with a `T`, that is, by the same kind of system.
    #[inline]
    pub fn content<T: Any>(&mut self) -> &mut T {
        self.0
            .downcast_mut()
            .expect("scratch memory of this system")
    }

    /// What is in it; the same requirement.
    pub fn as_content<T: Any>(&self) -> &T {
        self.0
            .downcast_ref()
            .expect("scratch memory of this system")
    }
}

/// Who is asked, from time to time and given the bytes that are held, whether to go on.
pub type Pulse<'a> = &'a mut dyn FnMut(u64) -> ControlFlow<()>;

/// How much a run that counts owes to somebody.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strength {
    /// A step, if one can be taken always from some time on.
    Weak,
    /// A step, if one can be taken again and again.
    Strong,
}

/// A compiled model.
///
/// All answers depend on the arguments only, not on what the scratch memory was used for before.
pub trait System: Sync {
    /// New scratch memory: reused from call to call, one a thread, and good for this system only.
    fn scratch(&self) -> Scratch;

    /// The bytes of a state that do not count where states are counted.
    fn hidden(&self) -> &[Range<usize>] {
        &[]
    }

    /// The initial states, or what went wrong on the way to them.
    fn initial(&self, scratch: &mut Scratch, out: &mut dyn FnMut(Initial<'_>));

    /// The same, with the number of initial states that each stands for, as [`Move::n_alike`].
    fn initial_classes(&self, scratch: &mut Scratch, out: &mut dyn FnMut(Initial<'_>, u64)) {
        self.initial(scratch, &mut |initial| out(initial, 1));
    }

    /// All moves from `state`, always in the same order, until `out` breaks; then the answer is
    /// [`Rest::Moves`].
    fn successors(
        &self,
        state: &[u8],
        scratch: &mut Scratch,
        out: &mut dyn FnMut(Move<'_>) -> ControlFlow<()>,
    ) -> Rest;

    /// As [`System::successors`], and `pulse` is called from time to time on the way, with the
    /// bytes that are held for moves not yet complete; if it breaks, the answer is [`Rest::Moves`].
    /// A system whose moves are short need not call it.
    fn successors_while(
        &self,
        state: &[u8],
        scratch: &mut Scratch,
        _pulse: Pulse<'_>,
        out: &mut dyn FnMut(Move<'_>) -> ControlFlow<()>,
    ) -> Rest {
        self.successors(state, scratch, out)
    }

    /// As [`System::successors_while`], each move with its label.
    fn labelled_successors(
        &self,
        state: &[u8],
        scratch: &mut Scratch,
        pulse: Pulse<'_>,
        out: LabelledOut<'_>,
    ) -> Rest {
        self.successors_while(state, scratch, pulse, &mut |mv| {
            out(mv, &mut || self.move_label(state, mv.steps))
        })
    }

    /// The label of a move from `state` with these steps.
    fn move_label(&self, state: &[u8], steps: &[Taken]) -> MoveLabel {
        let texts = steps.iter().map(|step| self.step_text(state, *step).step);
        MoveLabel {
            head: texts.collect::<Vec<String>>().join("; "),
            ..MoveLabel::default()
        }
    }

    /// Whether the label of a move depends on its steps only, whatever the state.
    fn labels_are_of_steps(&self) -> bool {
        false
    }

    /// What is wrong in a state itself, whatever led to it: always the same, in the same order.
    fn wrong(&self, _state: &[u8], _scratch: &mut Scratch, _out: &mut dyn FnMut(Fault)) {}

    /// Which atoms of the property in question are true in `state`, by number, or what went wrong
    /// in evaluating one. A system without properties has none.
    fn atoms(
        &self,
        _state: &[u8],
        _scratch: &mut Scratch,
        out: &mut Vec<bool>,
    ) -> Result<(), Fault> {
        out.clear();
        Ok(())
    }

    /// Who takes a step, as far as fairness is concerned: the number of a process.
    fn actor(&self, _step: Taken) -> u32 {
        0
    }

    /// The same for a step from `state`, where one step may be taken by several: each of them can
    /// take a step there.
    fn actors(&self, _state: &[u8], step: Taken, out: &mut Vec<u32>) {
        out.push(self.actor(step));
    }

    /// Whether a step only takes away what has ended, so that a reader does not miss it.
    fn is_idle(&self, _step: Taken) -> bool {
        false
    }

    /// The label of a move that is this step. Moves from one state with equal labels that lead to
    /// one stored state count as one; those without a label count each.
    fn label(&self, _step: Taken) -> Option<u64> {
        None
    }

    /// Takes the steps of a move one by one: `out` gets each step with the state after it, also
    /// where that state is not stored, and what was printed. After a fault that leaves no state
    /// the last state is the one before. Gives `false` if the steps cannot be taken.
    fn follow(
        &self,
        state: &[u8],
        steps: &[Taken],
        scratch: &mut Scratch,
        out: &mut dyn FnMut(Taken, &[u8], &str),
    ) -> bool;

    /// A step in words; `state` is where it is taken.
    fn step_text(&self, state: &[u8], step: Taken) -> StepText;

    /// The variables and channels of a state in words: name and value, in order, always the same
    /// for equal states.
    fn describe(&self, state: &[u8], out: &mut dyn FnMut(&str, &str));

    /// Where each part that moves is, in words: name and next statement, in order.
    fn locations(&self, state: &[u8], out: &mut dyn FnMut(&str, &str));

    /// Where a fault is and what it says.
    fn fault_text(&self, fault: Fault) -> crate::fault::FaultText;

    /// What is wrong in `state` by the values it depends on: name or text, and value.
    fn explain(&self, _state: &[u8], _fault: Fault) -> Vec<(String, String)> {
        Vec::new()
    }

    /// Is told when a search is over and what it found is to be replayed: from now on the same
    /// answers are wanted again, however long they take.
    fn replay(&self) {}

    /// Whether an answer was given up since time was over, so that something is missing that is not
    /// reported as a fault.
    fn gave_up(&self) -> bool {
        false
    }

    /// What each step reads and writes, whatever the state, if the system knows.
    fn structure(&self) -> Option<&Structure> {
        None
    }

    /// Which steps were taken in searches with this scratch memory; `covered[i]` is step `i`.
    fn covered<'a>(&self, scratch: &'a Scratch) -> &'a [bool];

    /// The steps among those not covered that the modeller wrote: in words, in order of the text.
    fn not_covered(&self, covered: &[bool]) -> Vec<StepText>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scratch_memory_holds_what_was_put_in() {
        let mut scratch = Scratch::new(vec![1u8]);
        scratch.content::<Vec<u8>>().push(2);
        assert_eq!(scratch.as_content::<Vec<u8>>(), &[1, 2]);
    }

    #[test]
    #[should_panic(expected = "scratch memory of this system")]
    fn scratch_memory_of_another_system_is_our_bug() {
        Scratch::new(0u8).content::<Vec<u8>>();
    }
}
