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

use base::quote;
use model::Machine;
use model::frontend::{Model, Purpose, Shape};
use model::processes::expr::ExprId;
use num_bigint::BigUint;

/// Of how many atoms this is worked out.
const ATOMS_MAX: usize = 8;

/// The atoms that not all symmetries keep, in words; `None` if there are none, or if that is not
/// worked out. `texts` are those of all atoms of what the purpose is.
pub fn words(model: &dyn Model, purpose: &Purpose, texts: &[String]) -> Option<String> {
    let subject = model.subject(purpose).ok()?;
    let Shape::Processes(machine) = subject.shape() else {
        return None;
    };
    let atoms = &machine.model().atoms;
    if atoms.len() != texts.len() || atoms.len() > ATOMS_MAX {
        return None;
    }
    let without = order(machine, &[])?;
    let mut named: Vec<String> = Vec::new();
    for (atom, text) in atoms.iter().zip(texts) {
        if order(machine, &[*atom])? < without {
            named.push(quote(text));
        }
    }
    let named = named.join(", ");
    (!named.is_empty()).then(|| format!("not all symmetries keep {named}"))
}

/// How many symmetries keep these atoms.
fn order(machine: &Machine, atoms: &[ExprId]) -> Option<BigUint> {
    let mut model = machine.model().clone();
    model.atoms = atoms.to_vec();
    let found = reduce::processes::find(&Machine::new(model))?;
    Some(found.certified.group().order())
}
