//! All functions of a set of functions, built argument by argument.
//!
//! Each argument is a cell that takes the values of the range in turn, or none if the function may
//! be partial. A value that an injection has already taken is skipped, and so is a beginning which
//! leaves fewer cells than an onto function still has values to reach. Predicates that speak of the
//! function at single arguments are asked as soon as these have values: in
//! `q : 1..8 >-> 1..8 & !(i,j).(i : 1..8 & j : 1..8 & i < j => q(i) - q(j) /= i - j)`
//! two queens on a diagonal end the attempt when the second is placed, not when the eighth is.
//!
//! Worked example: `{a, b} >-> {1, 2}` tries `a = 1`, `b = 1` (taken), `b = 2` (a solution),
//! `a = 2`, `b = 1` (a solution), `b = 2` (taken).

use std::collections::HashMap;
use std::ops::ControlFlow;

use base::Span;

use crate::cells::ExchangeClasses;
use crate::eval::code::Pr;
use crate::eval::list::{EnumerationFlow, GO_ON};
use crate::eval::relations::Demands;
use crate::eval::{Context, Eval, Fault, PartialFunction};
use crate::value::{Set, Value};

/// A set of functions.
pub struct FunctionSpace {
    domain: Set,
    cells: Vec<Value>,
    values: Vec<Value>,
    demands: Demands,
    /// By cell: the only value it may take, if that is known.
    said: Vec<Option<usize>>,
    /// What makes a function of another one that is to be left out, if it is lesser.
    exchanges: Vec<Exchanged>,
}

/// An exchange of members: where it leads cells and values, by number.
struct Exchanged {
    cells: Vec<usize>,
    values: Vec<usize>,
}

/// What is asked of functions that are not finished.
#[derive(Clone, Copy)]
pub struct Pruning<'p> {
    /// The slot that the function will be in.
    pub slot: usize,
    /// What must not be false.
    pub conjuncts: &'p [Pr],
    /// Which of them.
    pub which: &'p [usize],
}

impl FunctionSpace {
    /// Functions from `domain` to `range` that have the values that are said, which are in the
    /// range.
    pub fn new(
        domain: Set,
        range: Set,
        demands: Demands,
        said: &HashMap<Value, Value>,
    ) -> FunctionSpace {
        let values: Vec<Value> = range.iter().collect();
        // Cells with one choice come first: they cost nothing and prune the others.
        let (mut cells, rest): (Vec<Value>, Vec<Value>) =
            domain.iter().partition(|cell| said.contains_key(cell));
        cells.extend(rest);
        let said = cells.iter().map(|cell| {
            let value = said.get(cell)?;
            values.iter().position(|v| v == value)
        });
        FunctionSpace {
            said: said.collect(),
            domain,
            cells,
            values,
            demands,
            exchanges: Vec::new(),
        }
    }

    /// Leaves out functions of which an exchange within these cells makes a lesser one: in the
    /// first cell in which both differ it takes an earlier value.
    ///
    /// # Requires
    /// Exchanges fix the domain, the range and what is said.
    pub fn up_to(&mut self, cells: &ExchangeClasses) {
        let numbers = |all: &[Value]| -> HashMap<Value, usize> {
            let numbered = all.iter().cloned().enumerate();
            numbered.map(|(n, value)| (value, n)).collect()
        };
        let (of_cells, of_values) = (numbers(&self.cells), numbers(&self.values));
        for exchange in cells.exchanges() {
            let image = |all: &[Value], numbers: &HashMap<Value, usize>| {
                let images = all
                    .iter()
                    .map(|value| numbers.get(&exchange.of(value)?).copied());
                images.collect::<Option<Vec<usize>>>()
            };
            // A set that was listed in part may not have the image.
            if let Some(cells) = image(&self.cells, &of_cells)
                && let Some(values) = image(&self.values, &of_values)
            {
                self.exchanges.push(Exchanged { cells, values });
            }
        }
    }

    /// Whether an exchange makes a lesser function of every one that begins like that.
    fn is_passed_over(&self, chosen: &[usize]) -> bool {
        self.exchanges.iter().any(|exchange| {
            for (choice, from) in chosen.iter().zip(&exchange.cells) {
                let Some(moved) = chosen.get(*from) else {
                    return false;
                };
                let moved = exchange.values.get(*moved).unwrap_or(moved);
                if moved != choice {
                    return moved < choice;
                }
            }
            false
        })
    }

    /// Calls `out` with each function.
    pub fn each(
        &self,
        context: &mut Context,
        pruning: Option<Pruning>,
        span: Span,
        out: &mut dyn FnMut(&mut Context, Set) -> Eval<EnumerationFlow>,
    ) -> Eval<EnumerationFlow> {
        if let Some(pruning) = pruning {
            context.partial.push(PartialFunction {
                slot: pruning.slot,
                known: HashMap::new(),
                is_total: self.demands.is_total,
                domain: self.domain.clone(),
            });
        }
        let depth = context.partial.len();
        let result = self.search(context, pruning, span, out);
        if pruning.is_some() {
            context.partial.truncate(depth - 1);
        }
        result
    }

    /// The choice of each cell is an index into the values, `values.len()` for none. `chosen` holds
    /// the choices so far; the last one is the one to change next.
    fn search(
        &self,
        context: &mut Context,
        pruning: Option<Pruning>,
        span: Span,
        out: &mut dyn FnMut(&mut Context, Set) -> Eval<EnumerationFlow>,
    ) -> Eval<EnumerationFlow> {
        let n = self.values.len();
        let n_choices = if self.demands.is_total { n } else { n + 1 };
        let mut chosen: Vec<usize> = Vec::with_capacity(self.cells.len());
        let mut taken = vec![0u32; n + 1];
        let mut n_missing = n;
        let mut next = 0;
        loop {
            if next < n_choices && chosen.len() < self.cells.len() {
                context.count_work(span)?;
                if let Some(only) = self.said[chosen.len()]
                    && next != only
                {
                    next = if next < only { only } else { n_choices };
                    continue;
                }
                if self.demands.is_injective && next < n && taken[next] > 0 {
                    next += 1;
                    continue;
                }
                n_missing -= usize::from(next < n && taken[next] == 0);
                taken[next] += 1;
                chosen.push(next);
                if self.goes_on(context, pruning, &chosen, n_missing)? {
                    if chosen.len() < self.cells.len() {
                        next = 0;
                        continue;
                    }
                } else {
                    next = self.undo(context, pruning, &mut chosen, &mut taken, &mut n_missing);
                    continue;
                }
            }
            if chosen.len() == self.cells.len() && !(self.demands.is_onto && n_missing > 0) {
                let partial = pruning.and_then(|_| context.partial.pop());
                let flow = out(context, self.function(&chosen));
                context.partial.extend(partial);
                if flow?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            if chosen.is_empty() {
                return Ok(GO_ON);
            }
            next = self.undo(context, pruning, &mut chosen, &mut taken, &mut n_missing);
            // Cells whose choices are used up are left, until one has a choice left.
            while next >= n_choices {
                if chosen.is_empty() {
                    return Ok(GO_ON);
                }
                next = self.undo(context, pruning, &mut chosen, &mut taken, &mut n_missing);
            }
        }
    }

    /// Takes back the last choice; returns the one to try next.
    fn undo(
        &self,
        context: &mut Context,
        pruning: Option<Pruning>,
        chosen: &mut Vec<usize>,
        taken: &mut [u32],
        n_missing: &mut usize,
    ) -> usize {
        let last = chosen.pop().expect("there is a choice to take back");
        taken[last] -= 1;
        *n_missing += usize::from(last < self.values.len() && taken[last] == 0);
        if pruning.is_some() {
            let partial = context.partial.last_mut().expect("pushed by `each`");
            partial.known.remove(&self.cells[chosen.len()]);
        }
        last + 1
    }

    /// Whether the choices so far can be part of a function that is sought.
    fn goes_on(
        &self,
        context: &mut Context,
        pruning: Option<Pruning>,
        chosen: &[usize],
        n_missing: usize,
    ) -> Eval<bool> {
        if self.demands.is_onto && n_missing > self.cells.len() - chosen.len() {
            return Ok(false);
        }
        if self.is_passed_over(chosen) {
            return Ok(false);
        }
        let (Some(pruning), Some(last)) = (pruning, chosen.last()) else {
            return Ok(true);
        };
        let Some(value) = self.values.get(*last) else {
            return Ok(true);
        };
        let cell = self.cells[chosen.len() - 1].clone();
        let partial = context.partial.last_mut().expect("pushed by `each`");
        partial.known.insert(cell, value.clone());
        for which in pruning.which {
            match context.holds(&pruning.conjuncts[*which]) {
                Ok(true) => {}
                Ok(false) => return Ok(false),
                // What is undefined may be protected by what is not known yet. What is cut is asked
                // again of the whole function.
                Err(Fault::Unknown) => {}
                Err(fault) if fault.is_undefined() => {}
                Err(fault) if fault.is_cut() && !fault.is_end() => {}
                Err(fault) => return Err(fault),
            }
        }
        Ok(true)
    }

    fn function(&self, chosen: &[usize]) -> Set {
        let pairs = chosen.iter().zip(&self.cells);
        let pairs = pairs.filter_map(|(choice, cell)| {
            let value = self.values.get(*choice)?;
            Some(Value::pair(cell.clone(), value.clone()))
        });
        Set::from_vec(pairs.collect())
    }
}
