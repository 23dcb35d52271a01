//! The ways to go on from a state: for each operation those that lead somewhere, then those that
//! went wrong, then whether some were not tried. The order is always the same, so that a step can
//! be called by its operation, the number of its label, and how many of its label came before.

use super::{Completeness, INITIALISATION, LABEL_BITS, Live, LiveSuccessor, StepIndex, Ways};
use crate::cells::ExchangeClasses;
use crate::run::{Execution, Extent, Wrong};
use crate::typed::OperationId;
use crate::value::Value;
use model::values::Stage;
use std::collections::HashMap;
use std::ops::ControlFlow;
use system::Fault;

/// How many ways of one kind a machine asks to be tried, and how many were.
pub(super) struct TransitionLimit {
    pub(super) n_max: Option<usize>,
    n_given: usize,
    pub(super) is_passed: bool,
}

impl TransitionLimit {
    pub(super) fn new(n_max: Option<usize>) -> TransitionLimit {
        TransitionLimit {
            n_max,
            n_given: 0,
            is_passed: false,
        }
    }

    /// Whether one more way is too many; otherwise it is counted.
    pub(super) fn is_reached(&mut self) -> bool {
        self.is_passed = self.n_max.is_some_and(|max| self.n_given >= max);
        self.n_given += usize::from(!self.is_passed);
        self.is_passed
    }
}

impl LabelNumbers {
    /// The same for a label and those that exchanges make of it, and how many these are.
    fn number_class(&mut self, label: [&[Value]; 3], cells: &ExchangeClasses) -> ((u64, u64), u64) {
        let (mut all, n_alike) = cells.canonical(&label.concat());
        let results = all.split_off(label[0].len() + label[1].len());
        let choices = all.split_off(label[0].len());
        (self.number_of([all, choices, results]), n_alike)
    }
}

/// Numbers for labels and for what comes of each, in the order of being met.
#[derive(Default)]
struct LabelNumbers {
    numbers: HashMap<[Vec<Value>; 3], (u64, u64)>,
}

impl LabelNumbers {
    /// The number of a label, and how many times it was met before.
    fn number(&mut self, label: [&[Value]; 3]) -> (u64, u64) {
        self.number_of(label.map(<[Value]>::to_vec))
    }

    fn number_of(&mut self, label: [Vec<Value>; 3]) -> (u64, u64) {
        let next = self.numbers.len() as u64;
        let (number, n_met) = self.numbers.entry(label).or_insert((next, 0));
        *n_met += 1;
        (*number, *n_met - 1)
    }
}

impl Live {
    /// All ways to go on from a state, in a fixed order: for each operation those that lead
    /// somewhere, those that went wrong, and whether some were not tried.
    ///
    /// Where the time is over before all of them were found, the rest is missing.
    pub(crate) fn ways(&self, stage: Stage, globals: &[Value], out: &mut Ways<'_>) -> Completeness {
        if stage == Stage::Constants {
            return self.starts(globals, out);
        }
        let classes = self.classes().and_then(|classes| classes.of_state(globals));
        let operations = self.program.machine().operations.iter().enumerate();
        for (n, _) in operations.filter(|(_, operation)| operation.is_public) {
            let mut labels = LabelNumbers::default();
            let mut limit = TransitionLimit::new(self.settings().max_operations);
            let operation = n as u64;
            let cells = classes.as_ref().and_then(|classes| classes.of_operation(n));
            let mut flow = ControlFlow::Continue(());
            let mut give = |event: Execution| {
                if self.is_late() || limit.is_reached() {
                    return ControlFlow::Break(());
                }
                let key = [event.arguments, event.choices, event.results];
                let ((label, outcome), n_alike) = match cells {
                    Some(cells) => {
                        let (number, n_alike) = labels.number_class(key, cells);
                        if let Some(classes) = self.classes() {
                            classes.note(n_alike);
                        }
                        (number, n_alike)
                    }
                    None => (labels.number(key), 1),
                };
                flow = out(LiveSuccessor {
                    step: StepIndex {
                        operation,
                        label,
                        outcome,
                    },
                    arguments: event.arguments,
                    choices: event.choices,
                    results: event.results,
                    after: Ok(event.globals),
                    n_alike,
                });
                flow
            };
            let id = OperationId::new(n);
            let extent = self.program.events_up_to(id, cells, globals, &mut give);
            self.note_undefined(&extent);
            let limited = self.limited(&limit, operation);
            let mut number = |wrong: &Wrong| labels.number([&wrong.arguments, &wrong.choices, &[]]);
            if self.is_late() {
                return Completeness::Cut;
            }
            if flow.is_break()
                || self
                    .strays(operation, &extent, limited, &mut number, out)
                    .is_break()
            {
                return Completeness::Complete;
            }
        }
        Completeness::Complete
    }

    /// Whether time was over, and nobody waits. Then what was not handed on before is not handed on
    /// at all: asked for a second time, it might be something else.
    pub(super) fn is_late(&self) -> bool {
        self.program.deadline().is_lost()
    }

    /// Tells what went wrong with an operation, and whether not all ways were tried.
    fn strays(
        &self,
        operation: u64,
        extent: &Extent,
        limited: Option<Fault>,
        number: &mut dyn FnMut(&Wrong) -> (u64, u64),
        out: &mut Ways<'_>,
    ) -> ControlFlow<()> {
        for wrong in &extent.wrong {
            let (label, outcome) = number(wrong);
            out(LiveSuccessor {
                step: StepIndex {
                    operation,
                    label,
                    outcome,
                },
                arguments: &wrong.arguments,
                choices: &wrong.choices,
                results: &[],
                after: Err(self.trouble(&wrong.trouble)),
                n_alike: 1,
            })?;
        }
        match limited.or_else(|| self.gap(extent)) {
            None => ControlFlow::Continue(()),
            Some(fault) => out(LiveSuccessor {
                step: StepIndex {
                    operation,
                    label: (1 << LABEL_BITS) - 1,
                    outcome: 0,
                },
                arguments: &[],
                choices: &[],
                results: &[],
                after: Err(fault),
                n_alike: 1,
            }),
        }
    }

    /// The initialisations, as ways to go on from a state that has constants alone.
    fn starts(&self, constants: &[Value], out: &mut Ways<'_>) -> Completeness {
        let mut flow = ControlFlow::Continue(());
        let mut limit = TransitionLimit::new(self.settings().max_initialisations);
        let classes = self.classes();
        let cells = classes.and_then(|classes| classes.at_start(constants));
        let mut give = |globals: &[Value], n_alike: u64| {
            let label = limit.n_given as u64;
            if self.is_late() || limit.is_reached() {
                return ControlFlow::Break(());
            }
            flow = out(LiveSuccessor {
                step: StepIndex {
                    operation: INITIALISATION,
                    label,
                    outcome: 0,
                },
                arguments: &[],
                choices: &[],
                results: &[],
                after: Ok(globals),
                n_alike,
            });
            flow
        };
        let extent = self
            .program
            .initialisations_up_to(constants, cells.as_ref(), &mut give);
        if self.is_late() {
            return Completeness::Cut;
        }
        let limited = self.limited(&limit, INITIALISATION);
        let mut next = limit.n_given as u64;
        let mut number = |_: &Wrong| {
            next += 1;
            (next - 1, 0)
        };
        if flow.is_continue() {
            let _ = self.strays(INITIALISATION, &extent, limited, &mut number, out);
        }
        Completeness::Complete
    }
}
