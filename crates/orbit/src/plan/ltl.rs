//! The meaning of `orbit ltl`.

use crate::flags::{AutomatonFormat, LtlFlags};
use base::{Diagnostics, Sources};
use calculator::automaton::{AutomatonNotation, LtlPlan};
use check::ltl::{Pool, parse};
use driver::input;
use std::path::Path;

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
        notation: match flags.format {
            AutomatonFormat::Text => AutomatonNotation::Text,
            AutomatonFormat::Hoa => AutomatonNotation::Hoa,
            AutomatonFormat::Dot => AutomatonNotation::Dot,
            AutomatonFormat::Svg => AutomatonNotation::Svg,
            AutomatonFormat::Never => AutomatonNotation::Never,
        },
    })
}
