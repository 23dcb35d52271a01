//! Which atoms of a formula cost symmetry.
//!
//! A symmetry of a formula's search must keep each of its atoms. An atom by itself costs symmetry
//! if the model has fewer symmetries that keep it than it has without any atom; all such atoms are
//! named, so that the modeller sees what to write for all members.
//!
//! Worked example: of three clients that are alike, `[] (free -> <> inside[1])` keeps 2 of 6
//! symmetries: all 6 keep `free`, and 2 keep `inside[1]`.
//!
//! **Cost.** One search for symmetries an atom, so that formulas of many atoms are left out.

use base::{Clock, quote};
use model::Machine;
use model::frontend::{Model, Purpose, Shape};
use model::processes::expr::ExprId;
use num_bigint::BigUint;
use reduce::processes::find_if;
use reduce::processes::sort::Sends;

/// Of how many atoms this is worked out.
const ATOMS_MAX: usize = 8;

/// The atoms that not all symmetries keep, in words; `None` if there are none, or if that is not
/// worked out. `texts` are those of all atoms of what the purpose is.
pub fn words(
    model: &dyn Model,
    purpose: &Purpose,
    texts: &[String],
    clock: Clock<'static>,
) -> Option<String> {
    let subject = model.subject(purpose).ok()?;
    let Shape::Processes(machine) = subject.shape() else {
        return None;
    };
    let atoms = &machine.model().atoms;
    if atoms.len() != texts.len() || atoms.len() > ATOMS_MAX {
        return None;
    }
    let without = order(machine, &[], clock)?;
    let mut named: Vec<String> = Vec::new();
    for (atom, text) in atoms.iter().zip(texts) {
        if order(machine, &[*atom], clock)? < without {
            named.push(quote(text));
        }
    }
    let named = named.join(", ");
    (!named.is_empty()).then(|| format!("not all symmetries keep {named}"))
}

/// How many symmetries keep these atoms; `None` if that is not known in time.
fn order(machine: &Machine, atoms: &[ExprId], clock: Clock<'static>) -> Option<BigUint> {
    let mut model = machine.model().clone();
    model.atoms = atoms.to_vec();
    let found = find_if(&Machine::new(model), Sends::Wait, clock)?;
    let is_known = found.over.is_none();
    is_known.then(|| found.certified.group().order())
}
