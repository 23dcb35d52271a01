//! Orders, elements, orbits and point stabilisers of small random groups, against GAP.

use fastrand::Rng;
use group::Group;

use crate::gap::{Batch, list_text, perm_text, sets_text};
use crate::groups::{element_or_not, random_group, random_set};
use crate::program::GAP;

const N_CASES: u64 = 1500;

#[test]
fn orders_elements_and_orbits() {
    let Some(start) = GAP.seed_of("orders_elements_and_orbits") else {
        return;
    };
    let mut batch = Batch::new();
    for seed in start..start + N_CASES {
        let rng = &mut Rng::with_seed(seed);
        let group = random_group(rng, 16);
        let n = group.degree();
        let case = format!("seed {seed}, degree {n}");
        batch.set_group("g", &group);
        batch.ask(&case, "Size(g)", group.order());
        for _ in 0..3 {
            let p = element_or_not(rng, &group);
            batch.ask(
                &case,
                &format!("{} in g", perm_text(&p)),
                group.contains(&p),
            );
            batch.ask(&case, &format!("Order({})", perm_text(&p)), p.order());
        }
        let orbits = format!("AsSets(Orbits(g, [1..{n}]))");
        batch.ask(&case, &orbits, sets_text(&group.orbits()));
        let orbitals = format!("Length(Orbits(g, Tuples([1..{n}], 2), OnTuples))");
        batch.ask(&case, &orbitals, group.orbitals().len());
        if n > 1 {
            let transitive = format!("IsTransitive(g, [1..{n}])");
            batch.ask(&case, &transitive, group.is_transitive());
        }
    }
    batch.check("orders_elements_and_orbits");
}

#[test]
fn point_stabilisers_and_actions() {
    let Some(start) = GAP.seed_of("point_stabilisers_and_actions") else {
        return;
    };
    let mut batch = Batch::new();
    for seed in start..start + N_CASES / 2 {
        let rng = &mut Rng::with_seed(seed);
        let group = random_group(rng, 16);
        let n = group.degree();
        let case = format!("seed {seed}, degree {n}");
        batch.set_group("g", &group);
        let x = rng.u32(0..n as u32);
        let of_point = format!("Stabilizer(g, {})", x + 1);
        batch.ask_subgroup(&case, &of_point, &group.stabiliser_of_points(&[x]));
        let mut points = random_set(rng, n);
        rng.shuffle(&mut points);
        points.truncate(4);
        let stabiliser = group.stabiliser_of_points(&points);
        let of_points = format!("Stabilizer(g, {}, OnTuples)", list_text(&points));
        batch.ask_subgroup(&case, &of_points, &stabiliser);
        // The cosets of the stabiliser are as many as the images of the points.
        let n_cosets = group.order() / stabiliser.order();
        let index = format!("Index(g, {of_points})");
        batch.ask(&case, &index, n_cosets);
        let orbit = group.orbit_of(x);
        let on_orbit = group.restrict_to(&orbit).expect("an orbit");
        let action = format!("Action(g, {})", list_text(&orbit));
        batch.ask_subgroup(&case, &action, &on_orbit);
    }
    batch.check("point_stabilisers_and_actions");
}

#[test]
fn chains_with_known_order_and_families() {
    let Some(start) = GAP.seed_of("chains_with_known_order_and_families") else {
        return;
    };
    let mut batch = Batch::new();
    for n in 1..=12 {
        let case = format!("{n} points");
        batch.ask_subgroup(&case, &format!("SymmetricGroup({n})"), &Group::symmetric(n));
        batch.ask_subgroup(
            &case,
            &format!("AlternatingGroup({n})"),
            &Group::alternating(n),
        );
        let cyclic = format!("Group([PermList(Concatenation([2..{n}], [1]))], ())");
        batch.ask_subgroup(&case, &cyclic, &Group::cyclic(n));
        if n > 2 {
            let dihedral = format!("DihedralGroup(IsPermGroup, {})", 2 * n);
            batch.ask(
                &case,
                &format!("Size({dihedral})"),
                Group::dihedral(n).order(),
            );
        }
    }
    for seed in start..start + 200 {
        let rng = &mut Rng::with_seed(seed);
        let (a, b) = (random_group(rng, 5), random_group(rng, 4));
        let case = format!("seed {seed}, degrees {} and {}", a.degree(), b.degree());
        batch.set_group("a", &a);
        batch.set_group("b", &b);
        batch.set_group("w", &a.wreath(&b));
        batch.set_group("d", &a.direct_product(&b));
        // GAP's own constructions forget fixed points, so orders are computed.
        let order = format!("Size(a)^{} * Size(b)", b.degree());
        batch.ask(&case, &order, a.wreath(&b).order());
        batch.ask(&case, "Size(w)", a.wreath(&b).order());
        batch.ask(&case, "Size(d) = Size(a) * Size(b)", true);
        batch.ask(&case, "Size(d)", a.direct_product(&b).order());
        let known = Group::from_known_order(a.degree(), a.generators().to_vec(), &a.order());
        batch.ask_subgroup(&case, "a", &known.expect("its order is right"));
    }
    batch.check("chains_with_known_order_and_families");
}
