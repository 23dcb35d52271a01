//! How a machine starts: valuations of its constants, and initial states.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::execute::{Executor, Wrongs};
use super::{ChosenSetups, Extent, Program, extent, has_symbolic, last};
use crate::cells::ExchangeClasses;
use crate::eval::code::Storage;
use crate::eval::list::GO_ON;
use crate::eval::{Context, Fault, TroubleKind};
use crate::solve::{self, ConstraintProblem};
use crate::value::Value;

impl Program {
    /// Calls `out` with each of these valuations of the constants, infinite ones among them.
    pub fn setups(
        &self,
        which: ChosenSetups,
        out: &mut dyn FnMut(&[Value]) -> ControlFlow<()>,
    ) -> Extent {
        self.setups_up_to(which, None, &mut |constants, _| out(constants))
    }

    /// The same for one valuation of those that exchanges within cells make of each other, and how
    /// many these are.
    pub(crate) fn setups_up_to(
        &self,
        which: ChosenSetups,
        cells: Option<&ExchangeClasses>,
        out: &mut dyn FnMut(&[Value], u64) -> ControlFlow<()>,
    ) -> Extent {
        let named = self.named.as_ref().filter(|_| which == ChosenSetups::Named);
        let problem = named.unwrap_or(&self.properties);
        let constants = &self.machine.globals[..self.machine.n_constants];
        // Of infinite values it is not known what an exchange makes of them.
        let is_simple = |cells: &&ExchangeClasses| {
            self.derived.is_none() && constants.iter().all(|c| cells.is_simple(&c.ty))
        };
        let cells = cells.filter(is_simple).map(|cells| match named {
            // What names elements tells these apart.
            Some(_) => Arc::new(cells.without(&self.naming)),
            None => Arc::new(cells.clone()),
        });
        let cells = cells.filter(|cells| !cells.is_trivial());
        let mut given = HashSet::new();
        self.each_setup(problem, cells.as_ref(), &mut |constants| match &cells {
            None => out(constants, 1),
            Some(cells) => {
                let (canonical, n_alike) = cells.canonical(constants);
                if given.insert(canonical.clone()) {
                    out(&canonical, n_alike)
                } else {
                    GO_ON
                }
            }
        })
    }

    fn each_setup(
        &self,
        problem: &ConstraintProblem,
        cells: Option<&Arc<ExchangeClasses>>,
        out: &mut dyn FnMut(&[Value]) -> ControlFlow<()>,
    ) -> Extent {
        let mut context = self.context(Vec::new());
        context.cells = cells.cloned();
        let mut stored = HashSet::new();
        let wrongs = Wrongs::new(&[], &[], problem.span);
        let mut undefined = |context: &Context, fault| wrongs.note(context, fault);
        let flow = solve::each_noting(&mut context, problem, &mut undefined, &mut |context| {
            let constants = self.constants_in(context);
            let pairs = || constants.iter().zip(&self.is_stored);
            let unstorable =
                pairs().position(|(value, is_stored)| *is_stored && has_symbolic(value));
            // States must tell which infinite values go with what they hold: there is one way only.
            let is_new = self.derived.is_none() || {
                let held = pairs().filter(|(_, is_stored)| **is_stored);
                stored.insert(held.map(|(value, _)| value.clone()).collect::<Vec<Value>>())
            };
            let left_out = || self.is_stored.iter().position(|is_stored| !is_stored);
            match unstorable.or_else(|| left_out().filter(|_| !is_new)) {
                Some(constant) => {
                    let constant = &self.machine.globals[constant];
                    let kind = TroubleKind::NotStorable(constant.name.clone());
                    wrongs.note(context, Fault::new(kind, constant.span));
                    Ok(GO_ON)
                }
                None => Ok(out(&constants)),
            }
        });
        extent(context, flow, wrongs)
    }

    /// Calls `out` with the constants and variables of each initial state.
    pub fn initialisations(
        &self,
        constants: &[Value],
        out: &mut dyn FnMut(&[Value]) -> ControlFlow<()>,
    ) -> Extent {
        self.initialisations_up_to(constants, None, &mut |globals, _| out(globals))
    }

    /// The same for one initial state of those that exchanges within cells make of each other, and
    /// how many these are.
    ///
    /// # Requires
    /// The exchanges fix the constants, and the types of the variables are
    /// [simple](crate::cells::ExchangeClasses::is_simple).
    pub(crate) fn initialisations_up_to(
        &self,
        constants: &[Value],
        cells: Option<&Arc<ExchangeClasses>>,
        out: &mut dyn FnMut(&[Value], u64) -> ControlFlow<()>,
    ) -> Extent {
        // Variables are slots here, because they have no values at first.
        let mut context = self.context(constants.to_vec());
        context.cells = cells.cloned();
        let wrongs = Wrongs::new(&[], &[], self.machine.initialisation.span);
        let executor = Executor {
            called: &self.called_initially,
            name: "INITIALISATION",
            wrongs: &wrongs,
        };
        let n_constants = self.machine.n_constants;
        let first = self.machine.locals.len();
        let mut found = HashSet::new();
        let writes = &mut Vec::new();
        let flow = executor.execute(
            &mut context,
            &self.initialisation,
            writes,
            &mut |context, writes| {
                let mut globals = constants.to_vec();
                for global in n_constants..self.n_globals() {
                    let place = Storage::Slot(first + global);
                    match self.storable(global, last(writes, place)) {
                        Ok(value) => globals.push(value),
                        Err(fault) => return executor.caught(context, Err(fault)),
                    }
                }
                let n_alike = match cells {
                    Some(cells) => {
                        let (canonical, n_alike) = cells.canonical(&globals[n_constants..]);
                        globals.splice(n_constants.., canonical);
                        n_alike
                    }
                    None => 1,
                };
                if !found.insert(globals.clone()) {
                    return Ok(GO_ON);
                }
                Ok(out(&globals, n_alike))
            },
        );
        extent(context, flow, wrongs)
    }
}
