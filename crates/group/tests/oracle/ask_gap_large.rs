//! Groups on 30 to 200 points, against GAP.
//!
//! GAP lists no orbit here, but some questions still take it minutes: a random set under
//! `S10 wr S20` is one. There orbits of pairs are listed, and for large sets there is a formula.

use fastrand::Rng;
use group::backtrack::{intersection, partition_stabiliser, set_stabiliser, transporter_of_sets};
use group::blocks::all_block_systems;
use group::families::factorial;
use group::image::{Canoniser, Object, Scratch};
use group::{Group, Perm, Point};
use num_bigint::BigUint;

use crate::gap::{Batch, list_text, lists_text, perm_text, sets_text};
use crate::groups::{
    element_or_not, moved_cells, random_cells, random_group_of_degree, random_set,
};
use crate::program::GAP;
use crate::sample_groups::{
    alternating, cyclic, dihedral, direct_product, hypercube, on_pairs, projective_line,
    random_perm, symmetric, wreath,
};

const N_CASES: u64 = 20;

#[test]
fn random_groups_of_large_degree() {
    let Some(start) = GAP.seed_of("random_groups_of_large_degree") else {
        return;
    };
    let mut batch = Batch::new();
    for seed in start..start + N_CASES {
        let rng = &mut Rng::with_seed(seed);
        let degree = rng.usize(30..=100);
        let group = random_group_of_degree(rng, degree);
        let case = format!("seed {seed}, degree {degree}");
        ask_structure(&mut batch, rng, &case, &group);
        let mut set = random_set(rng, degree);
        set.truncate(5);
        ask_stabilisers(&mut batch, rng, &case, &group, &set);
    }
    batch.check("random_groups_of_large_degree");
}

#[test]
fn groups_of_degree_200_and_pairs() {
    let groups: [(&str, Vec<Perm>); 4] = [
        ("S10 wr S20", wreath(10, &symmetric(10), &symmetric(20))),
        ("S20 wr S10", wreath(20, &symmetric(20), &symmetric(10))),
        ("D10 wr C20", wreath(10, &dihedral(10), &cyclic(20))),
        ("A5 wr C40", wreath(5, &alternating(5), &cyclic(40))),
    ];
    check_known("groups_of_degree_200_and_pairs", &groups, ask_pair);
}

#[test]
fn groups_of_large_degree_and_large_sets() {
    let groups: [(&str, Vec<Perm>); 6] = [
        ("PSL(2,199)", projective_line(199)),
        ("PSL(2,61)", projective_line(61)),
        ("S20 on pairs", on_pairs(&symmetric(20))),
        ("the 7-cube", hypercube(7)),
        ("D200", dihedral(200)),
        ("A40 x D40", direct_product(&alternating(40), &dihedral(40))),
    ];
    let ask = |batch: &mut Batch, rng: &mut Rng, case: &str, group: &Group| {
        let set = random_set(rng, group.degree());
        ask_stabilisers(batch, rng, case, group, &set);
        ask_searches(batch, rng, case, group);
    };
    check_known("groups_of_large_degree_and_large_sets", &groups, ask);
}

/// `m` of 10 points in a block can be arranged in `m!·(10-m)!` ways, and equal blocks exchanged.
#[test]
fn sets_under_a_large_wreath_product_follow_the_formula() {
    let group = Group::symmetric(10).wreath(&Group::symmetric(20));
    for seed in 0..3 {
        let rng = &mut Rng::with_seed(seed);
        let set = random_set(rng, 200);
        let mut n_in = [0; 20];
        set.iter().for_each(|&x| n_in[x as usize / 10] += 1);
        let mut order: BigUint = n_in
            .iter()
            .map(|&m| factorial(m) * factorial(10 - m))
            .product();
        for m in 0..=10 {
            order *= factorial(n_in.iter().filter(|&&k| k == m).count());
        }
        assert_eq!(set_stabiliser(&group, &set).order(), order, "seed {seed}");
    }
}

fn check_known(
    test: &str,
    groups: &[(&str, Vec<Perm>)],
    ask: impl Fn(&mut Batch, &mut Rng, &str, &Group),
) {
    let Some(start) = GAP.seed_of(test) else {
        return;
    };
    let mut batch = Batch::new();
    for (i, (name, generators)) in groups.iter().enumerate() {
        let rng = &mut Rng::with_seed(start + i as u64);
        let degree = generators[0].degree();
        let rename = random_perm(rng, degree, degree);
        let shuffled = generators.iter().map(|g| g.conjugate(&rename)).collect();
        let group = Group::new(degree, shuffled);
        let case = format!("seed {start}, {name}");
        ask_structure(&mut batch, rng, &case, &group);
        ask(&mut batch, rng, &case, &group);
    }
    batch.check(test);
}

fn ask_structure(batch: &mut Batch, rng: &mut Rng, case: &str, group: &Group) {
    let n = group.degree();
    batch.set_group("g", group);
    batch.ask(case, "Size(g)", group.order());
    let p = element_or_not(rng, group);
    batch.ask(case, &format!("{} in g", perm_text(&p)), group.contains(&p));
    let orbits = format!("AsSets(Orbits(g, [1..{n}]))");
    batch.ask(case, &orbits, sets_text(&group.orbits()));
    let x = rng.u32(0..n as Point);
    let of_point = format!("Stabilizer(g, {})", x + 1);
    batch.ask_large_subgroup(case, &of_point, &group.stabiliser_of_points(&[x]));
    let orbit = group.orbit_of(x);
    if orbit.len() > 1
        && let Ok(systems) = all_block_systems(group, x, 100)
    {
        let n_systems = format!("Length(AllBlocks(Action(g, {})))", list_text(&orbit));
        batch.ask(case, &n_systems, systems.len());
    }
}

fn ask_pair(batch: &mut Batch, rng: &mut Rng, case: &str, group: &Group) {
    let n = group.degree();
    let mut pair = random_set(rng, n);
    while pair.len() < 2 {
        pair = random_set(rng, n);
    }
    pair.truncate(2);
    let stabiliser = set_stabiliser(group, &pair);
    batch.set_group("t", &stabiliser);
    batch.run(&format!("a := {};;", list_text(&pair)));
    let order = "Size(g) / OrbitLength(g, a, OnSets)";
    batch.ask(case, order, stabiliser.order());
    let fixes = "ForAll(GeneratorsOfGroup(t), p -> p in g and OnSets(a, p) = a)";
    batch.ask(case, fixes, true);
    let mut scratch = Scratch::new();
    let object = Object::set(n, &pair);
    let image = Canoniser::new(group)
        .canonical(&object, &mut scratch)
        .stabiliser_order();
    batch.ask(case, order, image);
}

fn ask_stabilisers(batch: &mut Batch, rng: &mut Rng, case: &str, group: &Group, set: &[Point]) {
    let of_set = format!("Stabilizer(g, {}, OnSets)", list_text(set));
    let stabiliser = set_stabiliser(group, set);
    batch.ask_large_subgroup(case, &of_set, &stabiliser);
    let object = Object::set(group.degree(), set);
    let mut scratch = Scratch::new();
    let image = Canoniser::new(group)
        .canonical(&object, &mut scratch)
        .stabiliser_order();
    batch.ask(case, "Size(s)", image);
    let moved = moved_cells(&[set.to_vec()], &group.chain().random(rng));
    let found = transporter_of_sets(group, set, &moved[0]).expect("it was moved by an element");
    assert_eq!(moved_cells(&[set.to_vec()], &found), moved, "{case}");
    batch.ask(case, &format!("{} in g", perm_text(&found)), true);
}

fn ask_searches(batch: &mut Batch, rng: &mut Rng, case: &str, group: &Group) {
    let n = group.degree();
    let cells = random_cells(rng, n, 4);
    let of_cells = format!("Stabilizer(g, {}, OnTuplesSets)", lists_text(&cells));
    batch.ask_large_subgroup(case, &of_cells, &partition_stabiliser(group, &cells));
    // Two large groups would take GAP minutes.
    let by = random_perm(rng, n, 6);
    let around = dihedral(n).iter().map(|g| g.conjugate(&by)).collect();
    let other = Group::new(n, around);
    batch.set_group("h", &other);
    batch.ask_large_subgroup(case, "Intersection(g, h)", &intersection(group, &other));
}
