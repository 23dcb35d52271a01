//! A machine beside a formula of temporal logic that watches it.
//!
//! Runs begin where the machine is initialised; setting up constants is no step of a run. A state
//! is a state of the machine and behind it, for each kind of steps that the formula speaks of,
//! whether the step that led there was one: what a formula says of steps is then said of states.
//!
//! Worked example: `G([swap] => X e(new))` has the atoms `deadlock`, `after swap` and `e(new)`. A
//! state has one byte more, 1 if `swap` led there; a state that `swap` and `new` lead to is two.
//!
//! A step that goes wrong leads nowhere. In a state with such a step what was not seen to be
//! enabled may be enabled nevertheless, so these atoms have no value there; and since runs are
//! missing, nothing that holds of all runs is known any more ([`LiveWithFormula::lost`]).

use super::{Completeness, Live, LiveSuccessor};
use crate::alike::atom_elements;
use crate::run::watch::{CompiledAtom, OperationSteps, Owed};
use crate::temporal::{Count, Fair};
use crate::typed::{Formula, Machine, Operation};
use crate::value::Value;
use base::Diagnostic;
use model::values::Stage;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use system::{
    Claimed, Fault, FaultKind, FaultText, Initial, Move, MoveLabel, Pulse, Rest, Scratch, StepText,
    System, Taken,
};

/// A machine and one of its formulas.
pub struct LiveWithFormula<'a> {
    live: &'a Live,
    watches: &'a [CompiledAtom],
    /// How many bytes say which steps led to a state.
    n_bytes: usize,
    lost: Mutex<Option<Fault>>,
    /// To what runs have to be fair.
    owed: &'a [Owed],
    kinds: Mutex<FairnessKinds>,
}

/// Those who take steps, as far as fairness is concerned: the conditions of the formula, and after
/// them kinds of steps in the order of being met.
#[derive(Default)]
struct FairnessKinds {
    numbers: HashMap<(u64, [Vec<Value>; 3]), u32>,
    /// The state that was asked about last, and who takes each of its steps.
    last: (Vec<u8>, HashMap<Taken, Vec<u32>>),
}

/// What can be done in a state, as far as atoms ask.
#[derive(Default)]
struct Enabled {
    /// By atom, and by its kinds of steps; or why that is not known.
    found: Vec<Vec<Result<bool, Fault>>>,
    any: bool,
    leads_away: bool,
    /// A step that went wrong.
    wrong: Option<Fault>,
    /// Not all steps were tried.
    cut: Option<Fault>,
}

impl Enabled {
    /// Whether it is so that `count` of the kinds of steps of an atom can be taken.
    fn counts(&self, atom: usize, count: Count) -> Result<bool, Fault> {
        let found = &self.found[atom];
        let n = found.iter().filter(|found| **found == Ok(true)).count();
        let doubt = found.iter().find_map(|found| found.err());
        let n_most = n + found.iter().filter(|found| found.is_err()).count();
        let (least, most) = match count {
            Count::None => (0, 0),
            Count::AtMostOne => (0, 1),
            Count::One => (1, 1),
        };
        match doubt {
            _ if n > most || n_most < least => Ok(false),
            _ if n >= least && n_most <= most => Ok(true),
            Some(fault) => Err(fault),
            None => Ok(false),
        }
    }

    /// Whether no step can be taken. One that goes wrong can be taken.
    fn is_dead(&self) -> Result<bool, Fault> {
        match self.cut {
            _ if self.any || self.wrong.is_some() => Ok(false),
            Some(fault) => Err(fault),
            None => Ok(true),
        }
    }

    /// Whether no step leads to another state.
    fn is_sink(&self) -> Result<bool, Fault> {
        match self.cut.or(self.wrong) {
            _ if self.leads_away => Ok(false),
            Some(fault) => Err(fault),
            None => Ok(true),
        }
    }
}

impl<'a> LiveWithFormula<'a> {
    /// The machine beside its formula of that number; or why that is not checked.
    pub fn new(live: &'a Live, formula: usize) -> Result<LiveWithFormula<'a>, Diagnostic> {
        let asked = &live.program.machine().formulas[formula];
        if let Err(why) = &asked.body {
            return Err(why.clone());
        }
        named_elements_are_there(live, live.program.machine(), asked)?;
        let watches = live.program.watches(formula);
        let is_step = |watch: &&CompiledAtom| matches!(watch, CompiledAtom::Came(_));
        Ok(LiveWithFormula {
            live,
            watches,
            n_bytes: watches.iter().filter(is_step).count().div_ceil(8),
            lost: Mutex::new(None),
            owed: live.program.owed(formula),
            kinds: Mutex::default(),
        })
    }

    /// To whom a run has to be how fair, if to anybody.
    pub fn fairness(&self) -> Option<impl Fn(u32) -> Fair + use<'a>> {
        let owed = self.owed;
        let is_strong = |of: &Owed| of.1.is_none() && of.0 == Fair::Strong;
        let of_kinds = if owed.iter().any(is_strong) {
            Fair::Strong
        } else {
            Fair::Weak
        };
        let of = move |actor: u32| match owed.get(actor as usize) {
            Some((fair, Some(_))) => *fair,
            // Nobody has the number of a condition about each kind of steps.
            Some((_, None)) | None => of_kinds,
        };
        (!owed.is_empty()).then_some(of)
    }

    /// Who takes each step of a state.
    fn takers(
        &self,
        inner: &[u8],
        numbers: &mut FairnessKinds,
    ) -> Option<HashMap<Taken, Vec<u32>>> {
        let (stage, globals) = self.live.unpack(inner).ok()?;
        let mut takers: HashMap<Taken, Vec<u32>> = HashMap::new();
        let asked = self.owed.iter().map(|(_, steps)| match steps {
            Some(steps) => self.live.program.arguments(steps, &globals).ok(),
            None => None,
        });
        let asked: Vec<Option<Vec<Value>>> = asked.collect();
        let of_kinds = self.owed.iter().any(|(_, steps)| steps.is_none());
        self.live.ways(stage, &globals, &mut |way| {
            let mut all = Vec::new();
            for (n, ((_, steps), arguments)) in self.owed.iter().zip(&asked).enumerate() {
                if let (Some(steps), Some(arguments)) = (steps, arguments)
                    && is_one(&way, steps, arguments)
                {
                    all.push(n as u32);
                }
            }
            if of_kinds {
                let label = [way.arguments, way.choices, way.results].map(<[Value]>::to_vec);
                let next = (self.owed.len() + numbers.numbers.len()) as u32;
                let kind = (way.step.operation, label);
                all.push(*numbers.numbers.entry(kind).or_insert(next));
            }
            takers.insert(way.step.taken(), all);
            ControlFlow::Continue(())
        });
        Some(takers)
    }

    /// How many bytes of a state are not the machine's: its last ones.
    pub fn n_bytes(&self) -> usize {
        self.n_bytes
    }

    /// The first thing that went wrong, so that runs are missing.
    pub fn lost(&self) -> Option<Fault> {
        *self.lost.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lose(&self, fault: Fault) {
        let mut lost = self.lost.lock().unwrap_or_else(PoisonError::into_inner);
        lost.get_or_insert(fault);
    }

    fn inner<'s>(&self, state: &'s [u8]) -> &'s [u8] {
        &state[..state.len() - self.n_bytes]
    }

    fn came(&self) -> impl Iterator<Item = &'a OperationSteps> {
        self.watches.iter().filter_map(|watch| match watch {
            CompiledAtom::Came(steps) => Some(steps),
            _ => None,
        })
    }

    /// The arguments that kinds of steps ask for in a state.
    fn arguments<'s>(
        &self,
        all: impl Iterator<Item = &'s OperationSteps>,
        globals: &[Value],
    ) -> Result<Vec<Vec<Value>>, Fault> {
        let program = &self.live.program;
        all.map(|steps| {
            let values = program.arguments(steps, globals);
            values.map_err(|trouble| self.live.trouble(&trouble))
        })
        .collect()
    }

    /// What can be done in a state.
    fn enabled(&self, globals: &[Value]) -> Result<Enabled, Fault> {
        let kinds = |watch: &'a CompiledAtom| -> &'a [OperationSteps] {
            match watch {
                CompiledAtom::Enabled(steps) => std::slice::from_ref(steps),
                CompiledAtom::Count(_, all) => all,
                _ => &[],
            }
        };
        let mut wanted = Vec::new();
        for watch in self.watches {
            wanted.push(self.arguments(kinds(watch).iter(), globals)?);
        }
        let mut enabled = Enabled {
            found: (wanted.iter())
                .map(|all| vec![Ok(false); all.len()])
                .collect(),
            ..Enabled::default()
        };
        let told = self.live.ways(Stage::Running, globals, &mut |way| {
            match way.after {
                Err(fault) if fault.kind == FaultKind::Cut => {
                    enabled.cut = enabled.cut.or(Some(fault));
                }
                Err(fault) => enabled.wrong = enabled.wrong.or(Some(fault)),
                Ok(after) => {
                    enabled.any = true;
                    enabled.leads_away |= after != globals;
                }
            }
            for (n, watch) in self.watches.iter().enumerate() {
                for (k, steps) in kinds(watch).iter().enumerate() {
                    let found = &mut enabled.found[n][k];
                    match way.after {
                        Ok(_) if is_one(&way, steps, &wanted[n][k]) => *found = Ok(true),
                        Err(fault) if *found != Ok(true) && may_be(&way, steps, &wanted[n][k]) => {
                            *found = Err(fault);
                        }
                        _ => {}
                    }
                }
            }
            ControlFlow::Continue(())
        });
        if told == Completeness::Cut {
            return Err(self.late());
        }
        Ok(enabled)
    }

    /// The time was over before an answer was found, so that there is none.
    fn late(&self) -> Fault {
        let span = self.live.program.machine().span;
        let message = "the time was over".to_owned();
        self.live.fault(FaultKind::Cut, span, Some(message))
    }
}

/// Refuses names of elements that deferred sets do not have.
pub(crate) fn named_elements_are_there(
    live: &Live,
    machine: &Machine,
    asked: &Formula,
) -> Result<(), Diagnostic> {
    for (sort, element) in atom_elements(machine, asked) {
        let sort = &live.signature().sorts[sort];
        if element >= sort.members.len() {
            let (name, n) = (&sort.name, sort.members.len());
            let element = element + 1;
            let message = format!("`{name}{element}`: `{name}` has {n} elements");
            return Err(Diagnostic::error(asked.span, message));
        }
    }
    Ok(())
}

/// Whether a way that went wrong may be a step of a kind: where an operation was given up, its
/// arguments are not known.
fn may_be(way: &LiveSuccessor<'_>, steps: &OperationSteps, arguments: &[Value]) -> bool {
    is_one(way, steps, arguments)
        || way.step.operation == steps.operation && way.arguments.is_empty()
}

/// Whether a way is a step of a kind.
fn is_one(way: &LiveSuccessor<'_>, steps: &OperationSteps, arguments: &[Value]) -> bool {
    way.step.operation == steps.operation && way.arguments.starts_with(arguments)
}

impl System for LiveWithFormula<'_> {
    fn scratch(&self) -> Scratch {
        self.live.scratch()
    }

    fn initial(&self, scratch: &mut Scratch, out: &mut dyn FnMut(Initial<'_>)) {
        let mut firsts = Vec::new();
        self.live.initial(scratch, &mut |initial| match initial {
            Ok(state) => firsts.push(state.to_vec()),
            Err(fault) => self.lose(fault),
        });
        let behind = vec![0; self.n_bytes];
        for mut first in firsts {
            if first.first() == Some(&(Stage::Running as u8)) {
                first.extend_from_slice(&behind);
                out(Ok(&first));
                continue;
            }
            self.live.successors(&first, scratch, &mut |mv| {
                match (mv.state, mv.faults.first()) {
                    (Some(state), _) => out(Ok(&[state, &behind].concat())),
                    (None, Some((_, fault))) => self.lose(*fault),
                    (None, None) => {}
                }
                ControlFlow::Continue(())
            });
        }
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
        _: &mut Scratch,
        pulse: Pulse<'_>,
        out: &mut dyn FnMut(Move<'_>) -> ControlFlow<()>,
    ) -> Rest {
        let inner = self.inner(state);
        let asked = self.live.unpack(inner).and_then(|(stage, globals)| {
            let arguments = self.arguments(self.came(), &globals)?;
            Ok((stage, globals, arguments))
        });
        let wrong = |step: Taken, fault: Fault, out: &mut dyn FnMut(Move<'_>) -> _| {
            self.lose(fault);
            out(Move {
                steps: &[step],
                faults: &[(0, fault)],
                state: None,
                n_alike: 1,
            })
        };
        let (stage, globals, wanted) = match asked {
            Ok(asked) => asked,
            Err(fault) => {
                let _ = wrong(Taken(0), fault, out);
                return Rest::Moves;
            }
        };
        let mut bytes = Vec::new();
        let (mut rest, mut stopped) = (Rest::Deadlock, false);
        let told = self.live.ways(stage, &globals, &mut |way| {
            rest = Rest::Moves;
            if pulse(0).is_break() {
                stopped = true;
                return ControlFlow::Break(());
            }
            let packed = way.after;
            let packed = packed.and_then(|after| self.live.pack_after(inner, after, &mut bytes));
            if let Err(fault) = packed {
                return wrong(way.step.taken(), fault, out);
            }
            let first = bytes.len();
            bytes.resize(first + self.n_bytes, 0);
            for (n, (steps, arguments)) in self.came().zip(&wanted).enumerate() {
                let bit = u8::from(is_one(&way, steps, arguments)) << (n % 8);
                bytes[first + n / 8] |= bit;
            }
            out(Move {
                steps: &[way.step.taken()],
                faults: &[],
                state: Some(&bytes),
                n_alike: 1,
            })
        });
        match told {
            Completeness::Complete if !stopped => rest,
            Completeness::Complete => Rest::Moves,
            Completeness::Cut => {
                let _ = wrong(Taken(0), self.late(), out);
                Rest::Moves
            }
        }
    }

    fn atoms(&self, state: &[u8], _: &mut Scratch, out: &mut Vec<bool>) -> Result<(), Fault> {
        out.clear();
        let inner = self.inner(state);
        let behind = &state[inner.len()..];
        let (_, globals) = self.live.unpack(inner)?;
        let about_steps =
            |w: &CompiledAtom| !matches!(w, CompiledAtom::Pred(_) | CompiledAtom::Came(_));
        // What an atom is where something stands in the way is not known.
        let undecided = |fault: Fault| Fault {
            kind: FaultKind::Undecided(Claimed::Atom),
            ..fault
        };
        let of_steps = if self.watches.iter().any(about_steps) {
            self.enabled(&globals).map_err(undecided)?
        } else {
            Enabled::default()
        };
        let mut n_came = 0;
        for (n, watch) in self.watches.iter().enumerate() {
            out.push(match watch {
                CompiledAtom::Pred(pred) => match self.live.program.holds(pred, &globals) {
                    Some(Ok(holds)) => holds,
                    Some(Err(trouble)) => return Err(undecided(self.live.trouble(&trouble))),
                    None => return Err(undecided(self.late())),
                },
                CompiledAtom::Enabled(_) => of_steps.found[n][0].map_err(undecided)?,
                CompiledAtom::Count(count, _) => of_steps.counts(n, *count).map_err(undecided)?,
                CompiledAtom::Dead => of_steps.is_dead().map_err(undecided)?,
                CompiledAtom::Sink => of_steps.is_sink().map_err(undecided)?,
                CompiledAtom::Came(_) => {
                    let bit = behind[n_came / 8] >> (n_came % 8) & 1;
                    n_came += 1;
                    bit == 1
                }
            });
        }
        Ok(())
    }

    fn follow(
        &self,
        state: &[u8],
        steps: &[Taken],
        scratch: &mut Scratch,
        out: &mut dyn FnMut(Taken, &[u8], &str),
    ) -> bool {
        let [step] = steps else {
            return steps.is_empty();
        };
        let mut found = false;
        self.successors(state, scratch, &mut |mv| match mv.state {
            Some(after) if mv.steps == [*step] => {
                found = true;
                out(*step, after, "");
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        });
        found
    }

    fn label(&self, step: Taken) -> Option<u64> {
        self.live.label(step)
    }

    fn actors(&self, state: &[u8], step: Taken, out: &mut Vec<u32>) {
        if self.owed.is_empty() {
            return;
        }
        let inner = self.inner(state);
        let mut kinds = self.kinds.lock().unwrap_or_else(PoisonError::into_inner);
        if kinds.last.0 != inner {
            let takers = self.takers(inner, &mut kinds).unwrap_or_default();
            kinds.last = (inner.to_vec(), takers);
        }
        out.extend(kinds.last.1.get(&step).into_iter().flatten());
    }

    fn step_text(&self, state: &[u8], step: Taken) -> StepText {
        self.live.step_text(self.inner(state), step)
    }

    fn move_label(&self, state: &[u8], steps: &[Taken]) -> MoveLabel {
        self.live.move_label(self.inner(state), steps)
    }

    fn describe(&self, state: &[u8], out: &mut dyn FnMut(&str, &str)) {
        self.live.describe(self.inner(state), out);
    }

    fn locations(&self, _: &[u8], _: &mut dyn FnMut(&str, &str)) {}

    fn fault_text(&self, fault: Fault) -> FaultText {
        self.live.fault_text(fault)
    }

    fn replay(&self) {
        self.live.replay();
    }

    fn gave_up(&self) -> bool {
        self.live.gave_up()
    }

    fn covered<'b>(&self, scratch: &'b Scratch) -> &'b [bool] {
        self.live.covered(scratch)
    }

    fn not_covered(&self, covered: &[bool]) -> Vec<StepText> {
        self.live.not_covered(covered)
    }
}

/// Whether no symmetry carries what runs have to be fair to, to something else: steps that a
/// formula names are kept by the symmetries of its search, but kinds of steps with arguments or
/// results are not.
pub(crate) fn is_fair_to_operations(live: &Live, formula: usize) -> bool {
    let machine = live.program.machine();
    let is_one_kind = |operation: &Operation| {
        let is_plain = operation.parameters.is_empty() && operation.results.is_empty();
        !operation.is_public || is_plain && !machine.settings.shows_choices
    };
    let mut fair = machine.formulas[formula].fair.iter();
    fair.all(|(_, call)| match call {
        Some(_) => true,
        None => machine.operations.iter().all(is_one_kind),
    })
}

/// Whether atoms name elements of sets whose elements have no names in the machine.
pub(crate) fn names_deferred(live: &Live, formula: usize) -> bool {
    let machine = live.program.machine();
    let named = atom_elements(machine, &machine.formulas[formula]);
    let is_deferred = |sort: usize| machine.sorts[sort].elements.is_none();
    named.iter().any(|(sort, _)| is_deferred(*sort))
}
