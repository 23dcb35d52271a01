//! Stabilisers of sets and partitions, intersections and transporters, against GAP.

use fastrand::Rng;
use group::backtrack::{
    intersection, partition_stabiliser, set_stabiliser, transporter_of_partitions,
    transporter_of_sets, transporter_of_unordered_partitions, unordered_partition_stabiliser,
};
use group::{Group, Perm, Point};

use crate::gap::{Batch, list_text, lists_text, sets_text};
use crate::groups::{
    element_or_not, moved_cells, random_cells, random_group, random_group_of_degree, random_set,
};
use crate::program::GAP;

const N_CASES: u64 = 1000;

#[test]
fn stabilisers_of_sets_and_partitions() {
    let Some(start) = GAP.seed_of("stabilisers_of_sets_and_partitions") else {
        return;
    };
    let mut batch = Batch::new();
    for seed in start..start + N_CASES {
        let rng = &mut Rng::with_seed(seed);
        let group = random_group(rng, 14);
        let n = group.degree();
        let case = format!("seed {seed}, degree {n}");
        batch.set_group("g", &group);
        let set = random_set(rng, n);
        let of_set = format!("Stabilizer(g, {}, OnSets)", list_text(&set));
        batch.ask_subgroup(&case, &of_set, &set_stabiliser(&group, &set));
        let cells = random_cells(rng, n, 3);
        let ordered = format!("Stabilizer(g, {}, OnTuplesSets)", lists_text(&cells));
        batch.ask_subgroup(&case, &ordered, &partition_stabiliser(&group, &cells));
        let unordered = format!("Stabilizer(g, {}, OnSetsDisjointSets)", sets_text(&cells));
        let ours = unordered_partition_stabiliser(&group, &cells);
        batch.ask_subgroup(&case, &unordered, &ours);
    }
    batch.check("stabilisers_of_sets_and_partitions");
}

#[test]
fn intersections() {
    let Some(start) = GAP.seed_of("intersections") else {
        return;
    };
    let mut batch = Batch::new();
    for seed in start..start + N_CASES {
        let rng = &mut Rng::with_seed(seed);
        let a = random_group(rng, 14);
        let n = a.degree();
        let b = if rng.bool() {
            random_group_of_degree(rng, n)
        } else {
            // Conjugates meet in more than the identity more often.
            let by = element_or_not(rng, &Group::symmetric(n));
            Group::new(n, a.generators().iter().map(|g| g.conjugate(&by)).collect())
        };
        let case = format!("seed {seed}, degree {n}");
        batch.set_group("g", &a);
        batch.set_group("h", &b);
        batch.ask_subgroup(&case, "Intersection(g, h)", &intersection(&a, &b));
    }
    batch.check("intersections");
}

#[test]
fn transporters() {
    let Some(start) = GAP.seed_of("transporters") else {
        return;
    };
    let mut batch = Batch::new();
    for seed in start..start + N_CASES {
        let rng = &mut Rng::with_seed(seed);
        let group = random_group(rng, 12);
        let n = group.degree();
        let case = format!("seed {seed}, degree {n}");
        batch.set_group("g", &group);
        let p = element_or_not(rng, &group);
        let set = random_set(rng, n);
        let from = [set];
        let to = moved_cells(&from, &p);
        let found = transporter_of_sets(&group, &from[0], &to[0]);
        assert_leads(&case, &group, found.as_ref(), &from, &to);
        ask(
            &mut batch,
            &case,
            [&list_text(&from[0]), &list_text(&to[0])],
            "OnSets",
            &found,
        );

        let from = random_cells(rng, n, 3);
        let to = moved_cells(&from, &p);
        let found = transporter_of_partitions(&group, &from, &to);
        assert_leads(&case, &group, found.as_ref(), &from, &to);
        ask(
            &mut batch,
            &case,
            [&lists_text(&from), &lists_text(&to)],
            "OnTuplesSets",
            &found,
        );

        let found = transporter_of_unordered_partitions(&group, &from, &to);
        assert!(found.as_ref().is_none_or(|g| group.contains(g)), "{case}");
        let ends = [&sets_text(&from), &sets_text(&to)];
        ask(&mut batch, &case, ends, "OnSetsDisjointSets", &found);
    }
    batch.check("transporters");
}

fn ask(batch: &mut Batch, case: &str, ends: [&String; 2], action: &str, found: &Option<Perm>) {
    let [from, to] = ends;
    let expression = format!("RepresentativeAction(g, {from}, {to}, {action}) <> fail");
    batch.ask(case, &expression, found.is_some());
}

fn assert_leads(
    case: &str,
    group: &Group,
    found: Option<&Perm>,
    from: &[Vec<Point>],
    to: &[Vec<Point>],
) {
    if let Some(g) = found {
        assert!(group.contains(g), "{case}: {g:?} is no element");
        assert_eq!(moved_cells(from, g), to, "{case}: {g:?} leads elsewhere");
    }
}
