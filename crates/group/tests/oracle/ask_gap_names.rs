//! The names of groups, against GAP.
//!
//! A shape that says all about a group is built by GAP from its parts, and GAP is asked whether
//! there is an isomorphism. Of a shape that says less, such as `N : K`, the order is compared.

use fastrand::Rng;
use group::Group;
use group::shape::{NaturalFamily, Shape, describe, recognise};
use num_bigint::BigUint;

use crate::gap::Batch;
use crate::groups::random_group;
use crate::program::GAP;

const N_CASES: u64 = 800;
/// Searching an isomorphism takes long in large groups, and GAP without further packages stops with
/// an error of its own on some insoluble ones (`D4 x A5`, order 480).
const ISOMORPHISM_ORDER_MAX: u32 = 240;

#[test]
fn names_of_groups() {
    let Some(start) = GAP.seed_of("names_of_groups") else {
        return;
    };
    let mut batch = Batch::new();
    for seed in start..start + N_CASES {
        let rng = &mut Rng::with_seed(seed);
        let group = random_group(rng, 14);
        let shape = describe(&group);
        let case = format!("seed {seed}, degree {}, {shape}", group.degree());
        batch.set_group("g", &group);
        ask_shape(&mut batch, &case, &group, &shape);
        ask_kind(&mut batch, &case, &group);
    }
    batch.check("names_of_groups");
}

fn ask_shape(batch: &mut Batch, case: &str, group: &Group, shape: &Shape) {
    match shape {
        Shape::Cyclic(_) => batch.ask(case, "IsCyclic(g)", true),
        Shape::Dihedral(_) => batch.ask(case, "IsDihedralGroup(g)", true),
        Shape::Elementary { .. } => batch.ask(case, "IsElementaryAbelian(g)", true),
        Shape::Symmetric(_) => batch.ask(case, "IsSymmetricGroup(g)", true),
        Shape::Alternating(_) => batch.ask(case, "IsAlternatingGroup(g)", true),
        _ => {}
    }
    match built(shape) {
        Some(text) => {
            batch.run(&format!("h := {text};;"));
            batch.ask(case, "Size(h)", group.order());
            if group.order() <= BigUint::from(ISOMORPHISM_ORDER_MAX) {
                batch.ask(case, "IsomorphismGroups(g, h) <> fail", true);
            } else {
                batch.ask(case, "AbelianInvariants(g) = AbelianInvariants(h)", true);
            }
        }
        None => batch.ask(case, "Size(g)", order(shape)),
    }
}

/// The group that a shape states, if it states one.
fn built(shape: &Shape) -> Option<String> {
    Some(match shape {
        Shape::Trivial => "Group(())".to_owned(),
        Shape::Symmetric(n) => format!("SymmetricGroup({n})"),
        Shape::Alternating(n) => format!("AlternatingGroup({n})"),
        Shape::Cyclic(n) => format!("CyclicGroup(IsPermGroup, {n})"),
        Shape::Dihedral(n) => format!("DihedralGroup(IsPermGroup, {})", n * 2u32),
        Shape::Elementary { prime, rank } => {
            format!("ElementaryAbelianGroup(IsPermGroup, {prime}^{rank})")
        }
        Shape::Direct(factors) => {
            let factors: Option<Vec<String>> = factors.iter().map(built).collect();
            format!("DirectProduct({})", factors?.join(", "))
        }
        Shape::Wreath(inner, outer) => {
            let outer = natural(outer)?;
            format!("WreathProduct({}, {outer})", built(inner)?)
        }
        Shape::Permuted { .. } | Shape::Semidirect(..) | Shape::Other { .. } => return None,
    })
}

/// The group of a shape in its natural action, if there is one for the shape.
fn natural(shape: &Shape) -> Option<String> {
    match shape {
        // The symmetries of a polygon, not the regular action that GAP's constructor may choose.
        Shape::Dihedral(n) => Some(format!(
            "Group(PermList(Concatenation([2..{n}], [1])), PermList(Reversed([1..{n}])))"
        )),
        Shape::Cyclic(n) => Some(format!("Group(PermList(Concatenation([2..{n}], [1])))")),
        Shape::Symmetric(_) | Shape::Alternating(_) => built(shape),
        Shape::Wreath(inner, outer) => Some(format!(
            "WreathProduct({}, {})",
            natural(inner)?,
            natural(outer)?
        )),
        _ => None,
    }
}

/// The order that a shape states.
fn order(shape: &Shape) -> BigUint {
    match shape {
        Shape::Trivial => BigUint::from(1u32),
        Shape::Symmetric(n) => group::families::factorial(*n),
        Shape::Alternating(n) => group::families::factorial(*n) / 2u32,
        Shape::Cyclic(n) => n.clone(),
        Shape::Dihedral(n) => n * 2u32,
        Shape::Elementary { prime, rank } => BigUint::from(*prime).pow(*rank as u32),
        Shape::Direct(factors) => factors.iter().map(order).product(),
        Shape::Wreath(inner, outer) => order(inner).pow(n_permuted(outer)) * order(outer),
        Shape::Permuted {
            base,
            n_copies,
            top,
        } => order(base).pow(*n_copies as u32) * order(top),
        Shape::Semidirect(normal, complement) => order(normal) * order(complement),
        Shape::Other { order, .. } => order.clone(),
    }
}

/// How many things a shape permutes naturally.
fn n_permuted(shape: &Shape) -> u32 {
    match shape {
        Shape::Symmetric(n) | Shape::Alternating(n) => *n as u32,
        Shape::Cyclic(n) | Shape::Dihedral(n) => u32::try_from(n).expect("few points"),
        Shape::Wreath(inner, outer) => n_permuted(inner) * n_permuted(outer),
        other => panic!("{other} has no natural action"),
    }
}

fn ask_kind(batch: &mut Batch, case: &str, group: &Group) {
    let Some(found) = recognise(group) else {
        return;
    };
    let on_row = format!(
        "Action(g, {})",
        crate::gap::list_text(&found.table.rows()[0])
    );
    let question = match found.kind {
        NaturalFamily::Symmetric => format!("IsNaturalSymmetricGroup({on_row})"),
        NaturalFamily::Alternating => format!("IsNaturalAlternatingGroup({on_row})"),
        NaturalFamily::Cyclic => "IsCyclic(g)".to_owned(),
        NaturalFamily::Dihedral => "IsDihedralGroup(g)".to_owned(),
    };
    batch.ask(case, &question, true);
    batch.ask(case, &format!("Size({on_row}) = Size(g)"), true);
}
