//! Compressed processes: explored once, made smaller, and then a process like any other.

use super::{ChaseReading, Operator, StepFailure, TermLabel, TermSteps, Unsettled};
use crate::compress::chase::{ChaseResult, settle};
use crate::compress::{Compressed, compress};
use crate::leaf::{Leaf, Lts, explore};
use crate::process::{Compression, SystemId, Term, TermId, Terms, Unfold};
use base::{Allowance, Spent};

/// How many compressed processes may be explored one within the other, where nothing is said.
/// Exploring is a recursion of the machine here.
pub(super) const NESTED_MAX: usize = 100;

/// The system of a compressed process.
#[derive(Debug)]
pub(super) struct CompressedSystem {
    lts: Lts,
    /// A term that each state stands for.
    origin: Vec<TermId>,
}

impl Operator {
    /// A term that a state of a compressed process stands for, itself perhaps of that kind.
    pub fn origin(&self, system: SystemId, state: u32) -> TermId {
        self.systems[system.index()].origin[state as usize]
    }

    /// The system of a compressed process. None, where it is to be taken as it is.
    pub(super) fn system<U: Unfold>(
        &mut self,
        key: (Compression, TermId),
        terms: &mut Terms,
        unfold: &mut U,
    ) -> Result<Option<SystemId>, StepFailure<U::Error>> {
        if let Some(&system) = self.compiled.get(&key) {
            return Ok(system);
        }
        let (kind, operand) = key;
        if matches!(kind, Compression::Identity | Compression::Explicate) {
            return Ok(None);
        }
        if self.n_nested >= self.nested_max {
            return Err(StepFailure::Deep {
                depth_max: self.nested_max,
                process: self.last,
            });
        }
        // Whoever asks for it in the meantime is within it.
        self.compiled.insert(key, None);
        self.n_nested += 1;
        let leaf = explore(operand, self, terms, unfold);
        self.n_nested -= 1;
        let leaf = leaf?;
        let made = match kind {
            Compression::Chase => self.chased(operand, &leaf).map(Some),
            _ => {
                let mut allowance = self.allowance();
                compress(kind, &leaf.lts, self.limits.states_max, &mut allowance)
            }
        };
        let Some(made) = made.map_err(|spent| self.spent(spent))? else {
            return Ok(None);
        };
        let id = SystemId::new(self.systems.len());
        let origin = made.origin.iter().map(|&s| leaf.terms[s as usize]);
        self.systems.push(CompressedSystem {
            origin: origin.collect(),
            lts: made.lts,
        });
        self.compiled.insert(key, Some(id));
        Ok(Some(id))
    }

    /// A chased process, as it is to be read if that matters.
    fn chased(&mut self, process: TermId, leaf: &Leaf) -> Result<Compressed, Spent> {
        let (state, is_endless, chase) = match settle(&leaf.lts, &mut self.allowance())? {
            ChaseResult::Same(made) => return Ok(made),
            ChaseResult::Matters(state, chase) => (state, false, chase),
            ChaseResult::Endless(state, chase) => (state, true, chase),
        };
        self.unsettled.push(Unsettled {
            process,
            state: leaf.terms[state as usize],
            is_endless,
        });
        Ok(match &self.reading {
            ChaseReading::Nothing => chase.nothing(),
            ChaseReading::Chosen(numbers) if !is_endless => chase.chosen(&mut |n| {
                let number = numbers.get(self.choices.len()).copied().unwrap_or(0);
                self.choices.push((number, n));
                number
            }),
            ChaseReading::Every | ChaseReading::Chosen(_) => chase.every(),
        })
    }

    /// What may still be spent on one piece of work.
    pub(crate) fn allowance(&self) -> Allowance<'static> {
        Allowance::new(
            self.clock,
            Some(self.bytes_max.saturating_sub(self.n_bytes)),
        )
    }

    /// What to say if that is spent.
    pub(crate) fn spent<E>(&self, spent: Spent) -> StepFailure<E> {
        match spent {
            Spent::Clock(_) => StepFailure::Stopped,
            Spent::Memory => StepFailure::Memory {
                bytes_max: self.bytes_max,
                process: self.last,
            },
        }
    }

    pub(super) fn steps_of(&self, system: SystemId, state: u32, terms: &mut Terms) -> TermSteps {
        let done = terms.term(Term::Done);
        let step = |&(label, next): &(TermLabel, u32)| match label {
            TermLabel::Tick => (label, done),
            _ => (label, terms.term(Term::State(system, next))),
        };
        let steps = self.systems[system.index()].lts.steps(state).iter();
        let mut steps: Vec<(TermLabel, TermId)> = steps.map(step).collect();
        steps.sort_unstable();
        steps.dedup();
        steps.into()
    }
}
