//! Groups on 30 to 200 points, against GAP.

use fastrand::Rng;
use group::backtrack::{intersection, partition_stabiliser, set_stabiliser, transporter_of_sets};
use group::blocks::all_block_systems;
use group::image::{Canoniser, Object, Scratch};
use group::{Group, Perm, Point};

use crate::gap::{Batch, list_text, lists_text, perm_text, sets_text};
use crate::groups::{
    element_or_not, moved_cells, random_cells, random_group_of_degree, random_set,
};
use crate::program::GAP;
use crate::sample_groups::{
    alternating, cyclic, dihedral, direct_product, hypercube, on_pairs, projective_line,
    random_perm, symmetric, wreath,
};

const N_CASES: u64 = 60;

#[test]
fn random_groups_of_large_degree() {
    let Some(start) = GAP.seed_of("random_groups_of_large_degree") else {
        return;
    };
    let mut batch = Batch::new();
    for seed in start..start + N_CASES {
        let rng = &mut Rng::with_seed(seed);
        let degree = rng.usize(30..=200);
        let group = random_group_of_degree(rng, degree);
        let case = format!("seed {seed}, degree {degree}");
        ask_all(&mut batch, rng, &case, &group);
    }
    batch.check("random_groups_of_large_degree");
}

#[test]
fn known_groups_of_large_degree() {
    let Some(start) = GAP.seed_of("known_groups_of_large_degree") else {
        return;
    };
    let groups: Vec<(&str, Vec<Perm>)> = vec![
        ("S10 wr S20", wreath(10, &symmetric(10), &symmetric(20))),
        ("S20 wr S10", wreath(20, &symmetric(20), &symmetric(10))),
        ("D10 wr C20", wreath(10, &dihedral(10), &cyclic(20))),
        ("A5 wr A40", wreath(5, &alternating(5), &alternating(40))),
        ("PSL(2,199)", projective_line(199)),
        ("PSL(2,61)", projective_line(61)),
        ("S20 on pairs", on_pairs(&symmetric(20))),
        ("the 7-cube", hypercube(7)),
        ("D200", dihedral(200)),
        (
            "A100 x D100",
            direct_product(&alternating(100), &dihedral(100)),
        ),
    ];
    let mut batch = Batch::new();
    for (i, (name, generators)) in groups.iter().enumerate() {
        let rng = &mut Rng::with_seed(start + i as u64);
        let degree = generators[0].degree();
        let rename = random_perm(rng, degree, degree);
        let shuffled = generators.iter().map(|g| g.conjugate(&rename)).collect();
        let case = format!("seed {start}, {name}");
        ask_all(&mut batch, rng, &case, &Group::new(degree, shuffled));
    }
    batch.check("known_groups_of_large_degree");
}

fn ask_all(batch: &mut Batch, rng: &mut Rng, case: &str, group: &Group) {
    let n = group.degree();
    batch.set_group("g", group);
    batch.ask(case, "Size(g)", group.order());
    let p = element_or_not(rng, group);
    batch.ask(case, &format!("{} in g", perm_text(&p)), group.contains(&p));
    let orbits = format!("AsSets(Orbits(g, [1..{n}]))");
    batch.ask(case, &orbits, sets_text(&group.orbits()));
    let x = rng.u32(0..n as Point);
    let of_point = format!("Stabilizer(g, {})", x + 1);
    batch.ask_subgroup(case, &of_point, &group.stabiliser_of_points(&[x]));

    let set = random_set(rng, n);
    let of_set = format!("Stabilizer(g, {}, OnSets)", list_text(&set));
    batch.ask_subgroup(case, &of_set, &set_stabiliser(group, &set));
    let moved = moved_cells(&[set.clone()], &group.chain().random(rng));
    let found = transporter_of_sets(group, &set, &moved[0]).expect("it was moved by an element");
    assert_eq!(moved_cells(&[set], &found), moved, "{case}");
    batch.ask(case, &format!("{} in g", perm_text(&found)), true);

    let cells = random_cells(rng, n, 4);
    let of_cells = format!("Stabilizer(g, {}, OnTuplesSets)", lists_text(&cells));
    let stabiliser = partition_stabiliser(group, &cells);
    batch.ask_subgroup(case, &of_cells, &stabiliser);
    let object = Object::ordered_partition(n, &cells);
    let mut scratch = Scratch::new();
    let image = Canoniser::new(group)
        .canonical(&object, &mut scratch)
        .stabiliser_order();
    batch.ask(case, &format!("Size({of_cells})"), image);

    let by = random_perm(rng, n, 6);
    let other = Group::new(
        n,
        group
            .generators()
            .iter()
            .map(|g| g.conjugate(&by))
            .collect(),
    );
    batch.set_group("h", &other);
    batch.ask_subgroup(case, "Intersection(g, h)", &intersection(group, &other));

    let orbit = group.orbit_of(x);
    if orbit.len() > 1
        && let Ok(systems) = all_block_systems(group, x, 100)
    {
        let n_systems = format!("Length(AllBlocks(Action(g, {})))", list_text(&orbit));
        batch.ask(case, &n_systems, systems.len());
    }
}
