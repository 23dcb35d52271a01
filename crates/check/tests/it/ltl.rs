//! Temporal logic: formulas, words and automata held against each other.
//!
//! - `random`: formulas and words for a seed.
//! - `agree`: automata, simplified formulas and monitors against the plain meaning on words.
//! - `dwyer`: formulas that people write.
//! - `faults`: the same comparisons on automata and formulas that are wrong, and that they notice.
//! - `reading`: text to formulas and back.
//! - `sizes`: how large automata become, beside what is known of the usual formulas.

mod agree;
mod dwyer;
mod faults;
mod random;
mod reading;
mod sizes;

use base::{Diagnostics, Sources};
use check::ltl::{FormulaId, Limits, Pool, parse};

/// More than any formula of these tests needs.
const LIMITS: Limits = Limits {
    n_states_max: 5_000,
    n_edges_max: 200_000,
    n_steps_max: 20_000_000,
};

/// The formula that a text says.
#[track_caller]
fn read(pool: &mut Pool, text: &str) -> FormulaId {
    let mut sources = Sources::new();
    let source = sources.add("formula", text);
    let mut found = Diagnostics::new();
    let parsed = parse(&sources, source, pool, &mut found);
    let shown = || format!("{text}: {:?}", std::mem::take(&mut found).sorted());
    parsed.map(|parsed| parsed.formula).unwrap_or_else(|| {
        let mut shown = shown;
        panic!("{}", shown())
    })
}
