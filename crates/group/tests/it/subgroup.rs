//! Subgroups and cosets against full enumeration.

use std::collections::HashSet;

use group::{Group, Perm, Point};
use num_bigint::BigUint;

fn elements(group: &Group) -> HashSet<Perm> {
    let mut all = HashSet::new();
    group.chain().enumerate(&mut |p| all.insert(p.clone()));
    all
}

fn random_perm(degree: usize, rng: &mut fastrand::Rng) -> Perm {
    let mut image: Vec<Point> = (0..degree as Point).collect();
    let n_moved = rng.usize(..=degree);
    rng.shuffle(&mut image[..n_moved]);
    Perm::from_image(image).unwrap()
}

/// A group and a subgroup of it.
fn random_pair(rng: &mut fastrand::Rng) -> (Group, Group) {
    let degree = rng.usize(1..=6);
    let generators = (0..rng.usize(0..4)).map(|_| random_perm(degree, rng));
    let group = Group::new(degree, generators.collect());
    let inside = (0..rng.usize(0..3)).map(|_| group.chain().random(rng));
    let subgroup = Group::new(degree, inside.collect());
    (group, subgroup)
}

#[test]
fn cosets_partition_the_group() {
    for seed in 0..300 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let (group, subgroup) = random_pair(&mut rng);
        let (all, inside) = (elements(&group), elements(&subgroup));
        let index = all.len() / inside.len();
        assert_eq!(
            group.index_of(&subgroup),
            Some(BigUint::from(index)),
            "seed {seed}"
        );
        let left = group.left_cosets_of(&subgroup, 720).unwrap();
        let right = group.right_cosets_of(&subgroup, 720).unwrap();
        assert_eq!((left.len(), right.len()), (index, index), "seed {seed}");
        let pairs = |reps: &[Perm], mul: &dyn Fn(&Perm, &Perm) -> Perm| -> HashSet<Perm> {
            let products = reps.iter().flat_map(|g| inside.iter().map(move |h| (g, h)));
            products.map(|(g, h)| mul(g, h)).collect()
        };
        assert_eq!(pairs(&left, &|g, h| g.product(h)), all, "seed {seed}");
        assert_eq!(pairs(&right, &|g, h| h.product(g)), all, "seed {seed}");
        assert!(group.left_cosets_of(&subgroup, index - 1).is_none());
    }
}

#[test]
fn representatives_depend_on_the_coset_alone() {
    for seed in 0..200 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let (_, subgroup) = random_pair(&mut rng);
        let g = random_perm(subgroup.degree(), &mut rng);
        let left = subgroup.left_coset_representative(&g);
        assert!(
            subgroup.contains(&g.inverse().product(&left)),
            "seed {seed}"
        );
        for h in elements(&subgroup) {
            assert_eq!(subgroup.left_coset_representative(&g.product(&h)), left);
        }
    }
}

#[test]
fn conjugate_groups_have_conjugate_elements() {
    for seed in 0..100 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let (group, _) = random_pair(&mut rng);
        let g = random_perm(group.degree(), &mut rng);
        let moved: HashSet<Perm> = elements(&group).iter().map(|h| h.conjugate(&g)).collect();
        assert_eq!(elements(&group.conjugate(&g)), moved, "seed {seed}");
    }
}

#[test]
fn comparison_knows_order_and_degree() {
    let (s, a) = (Group::symmetric(8), Group::alternating(8));
    assert!(a.is_subgroup_of(&s) && !s.is_subgroup_of(&a));
    assert!(s.is_equal_to(&s.clone()) && !a.is_equal_to(&s));
    assert_eq!(s.index_of(&Group::cyclic(8)), Some(BigUint::from(5040u32)));
    assert_eq!(s.index_of(&Group::trivial(7)), None);
    let point = s.stabiliser_of_points(&[3]);
    assert_eq!(s.left_cosets_of(&point, 8).unwrap().len(), 8);
}
