//! A machine beside a formula of temporal logic that watches it.
//!
//! Runs begin where the machine is initialised; setting up constants is no step of a run. A state
//! is a state of the machine and behind it, for each kind of steps that the formula speaks of,
//! whether the step that led there was one: what a formula says of steps is then said of states.
//!
//! Worked example: `G([swap] => X e(new))` has the atoms `deadlock`, `after swap` and `e(new)`. A
//! state has one byte more, 1 if `swap` led there; a state that `swap` and `new` lead to is two.
//!
//! A step that goes wrong leads nowhere. In a state with such a step nothing can be said about what
//! is enabled, so these atoms have no value there; and since runs are missing, nothing that holds
//! of all runs is known any more ([`Watched::lost`]).

use super::{Live, Scratch, Told, Way};
use crate::alike::atom_elements;
use crate::run::watch::{Steps, Watch};
use crate::temporal::Count;
use crate::value::Value;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use system::values::Stage;
use system::{Fault, FaultKind, FaultText, Initial, Move, Pulse, Rest, StepText, System, Taken};

/// A machine and one of its formulas.
pub struct Watched<'a> {
    live: &'a Live,
    watches: &'a [Watch],
    /// How many bytes say which steps led to a state.
    n_bytes: usize,
    lost: Mutex<Option<Fault>>,
}

/// What can be done in a state, as far as atoms ask.
struct Enabled {
    /// By atom, and by its kinds of steps.
    found: Vec<Vec<bool>>,
    any: bool,
    leads_away: bool,
}

impl<'a> Watched<'a> {
    /// The machine beside its formula of that number; or why that is not checked.
    pub fn new(live: &'a Live, formula: usize) -> Result<Watched<'a>, String> {
        let asked = &live.program.machine().formulas[formula];
        if let Err(why) = &asked.body {
            return Err(why.clone());
        }
        for (sort, element) in atom_elements(live.program.machine(), asked) {
            let sort = &live.signature().sorts[sort];
            if element >= sort.members.len() {
                let (name, n) = (&sort.name, sort.members.len());
                let element = element + 1;
                return Err(format!("`{name}{element}`: `{name}` has {n} elements"));
            }
        }
        let watches = live.program.watches(formula);
        let is_step = |watch: &&Watch| matches!(watch, Watch::Came(_));
        Ok(Watched {
            live,
            watches,
            n_bytes: watches.iter().filter(is_step).count().div_ceil(8),
            lost: Mutex::new(None),
        })
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

    fn came(&self) -> impl Iterator<Item = &'a Steps> {
        self.watches.iter().filter_map(|watch| match watch {
            Watch::Came(steps) => Some(steps),
            _ => None,
        })
    }

    /// The arguments that kinds of steps ask for in a state.
    fn arguments<'s>(
        &self,
        all: impl Iterator<Item = &'s Steps>,
        globals: &[Value],
    ) -> Result<Vec<Vec<Value>>, Fault> {
        let program = &self.live.program;
        all.map(|steps| {
            let values = program.arguments(steps, globals);
            values.map_err(|trouble| self.live.trouble(&trouble))
        })
        .collect()
    }

    /// What can be done in a state, or what goes wrong there.
    fn enabled(&self, globals: &[Value]) -> Result<Enabled, Fault> {
        let kinds = |watch: &'a Watch| -> &'a [Steps] {
            match watch {
                Watch::Enabled(steps) => std::slice::from_ref(steps),
                Watch::Count(_, all) => all,
                _ => &[],
            }
        };
        let mut wanted = Vec::new();
        for watch in self.watches {
            wanted.push(self.arguments(kinds(watch).iter(), globals)?);
        }
        let mut enabled = Enabled {
            found: wanted.iter().map(|all| vec![false; all.len()]).collect(),
            any: false,
            leads_away: false,
        };
        let mut wrong = None;
        let told = self.live.ways((Stage::Running, globals), &mut |way| {
            match way {
                Err((_, fault)) => wrong = Some(fault),
                Ok(way) => {
                    enabled.any = true;
                    enabled.leads_away |= way.globals != globals;
                    for (n, watch) in self.watches.iter().enumerate() {
                        for (k, steps) in kinds(watch).iter().enumerate() {
                            enabled.found[n][k] |= is_one(&way, steps, &wanted[n][k]);
                        }
                    }
                }
            }
            ControlFlow::Continue(())
        });
        match (wrong, told) {
            (Some(fault), _) => Err(fault),
            (None, Told::Part) => Err(self.late()),
            (None, Told::All) => Ok(enabled),
        }
    }

    /// The time was over before an answer was found, so that there is none.
    fn late(&self) -> Fault {
        let span = self.live.program.machine().span;
        let message = "the time was over".to_owned();
        self.live.fault(FaultKind::Cut, span, Some(message))
    }
}

/// Whether a way is a step of a kind.
fn is_one(way: &Way<'_>, steps: &Steps, arguments: &[Value]) -> bool {
    way.step.operation == steps.operation && way.arguments.starts_with(arguments)
}

impl System for Watched<'_> {
    type Scratch = Scratch;

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
        let told = self.live.ways((stage, &globals), &mut |way| {
            rest = Rest::Moves;
            if pulse(0).is_break() {
                stopped = true;
                return ControlFlow::Break(());
            }
            let way = match way {
                Ok(way) => way,
                Err((step, fault)) => return wrong(step.taken(), fault, out),
            };
            if let Err(fault) = self.live.pack_after(inner, way.globals, &mut bytes) {
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
            })
        });
        match told {
            Told::All if !stopped => rest,
            Told::All => Rest::Moves,
            Told::Part => {
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
        let about_steps = |w: &Watch| !matches!(w, Watch::Pred(_) | Watch::Came(_));
        let enabled = match self.watches.iter().any(about_steps) {
            true => Some(self.enabled(&globals)?),
            false => None,
        };
        let enabled = enabled.as_ref();
        let mut n_came = 0;
        for (n, watch) in self.watches.iter().enumerate() {
            let found = enabled.map_or(&[][..], |enabled| &enabled.found[n]);
            out.push(match watch {
                Watch::Pred(pred) => match self.live.program.holds(pred, &globals) {
                    Some(Ok(holds)) => holds,
                    Some(Err(trouble)) => return Err(self.live.trouble(&trouble)),
                    None => return Err(self.late()),
                },
                Watch::Enabled(_) => found.contains(&true),
                Watch::Count(count, _) => {
                    let n_enabled = found.iter().filter(|found| **found).count();
                    match count {
                        Count::None => n_enabled == 0,
                        Count::AtMostOne => n_enabled <= 1,
                        Count::One => n_enabled == 1,
                    }
                }
                Watch::Dead => enabled.is_some_and(|enabled| !enabled.any),
                Watch::Sink => enabled.is_some_and(|enabled| !enabled.leads_away),
                Watch::Came(_) => {
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

    fn step_text(&self, state: &[u8], step: Taken) -> StepText {
        self.live.step_text(self.inner(state), step)
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

    fn covered<'b>(&self, scratch: &'b Scratch) -> &'b [bool] {
        self.live.covered(scratch)
    }

    fn not_covered(&self, covered: &[bool]) -> Vec<StepText> {
        self.live.not_covered(covered)
    }
}

/// Whether atoms name elements of sets whose elements have no names in the machine.
pub fn names_deferred(live: &Live, formula: usize) -> bool {
    let machine = live.program.machine();
    let named = atom_elements(machine, &machine.formulas[formula]);
    let is_deferred = |sort: usize| machine.sorts[sort].elements.is_none();
    named.iter().any(|(sort, _)| is_deferred(*sort))
}
