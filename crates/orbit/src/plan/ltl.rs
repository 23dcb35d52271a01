//! The meaning of `orbit ltl`.

use crate::flags::{AutomatonFormat, LtlFlags};
use base::{Diagnostics, Sources};
use check::ltl::{FormulaId, Pool, parse};
use driver::input;
use std::path::Path;

/// A formula and what to show of it.
pub struct LtlPlan {
    /// Where the formula is.
    pub pool: Pool,
    /// What is translated: the formula as read, or its negation.
    pub formula: FormulaId,
    /// The atoms as they are printed.
    pub atoms: Vec<String>,
    /// How the automaton is shown.
    pub format: AutomatonFormat,
}

/// The plan, or `None` if `found` says why not.
pub fn plan(flags: LtlFlags, sources: &mut Sources, found: &mut Diagnostics) -> Option<LtlPlan> {
    let source = match flags.formula.as_str() {
        "-" => match input::read(Path::new("-"), sources) {
            Ok(source) => source,
            Err(diagnostic) => {
                found.push(diagnostic);
                return None;
            }
        },
        text => sources.add("formula", text),
    };
    let mut pool = Pool::new();
    let parsed = parse(sources, source, &mut pool, found)?;
    let formula = if flags.negate {
        pool.not(parsed.formula)
    } else {
        parsed.formula
    };
    Some(LtlPlan {
        pool,
        formula,
        atoms: parsed.atoms,
        format: flags.format,
    })
}
