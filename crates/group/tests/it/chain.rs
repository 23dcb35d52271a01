//! Chains against full enumeration, laws, the digest's vectors, and groups of many shapes.

use std::collections::HashSet;

use group::{Chain, Group, Perm, Point};
use num_bigint::BigUint;

use crate::shape::common::{DISJOINT, group};
use group::families::factorial;

/// Every element, by multiplying with generators until nothing new appears.
fn closure(degree: usize, generators: &[Perm]) -> HashSet<Perm> {
    let mut seen = HashSet::from([Perm::identity(degree)]);
    let mut queue: Vec<Perm> = seen.iter().cloned().collect();
    while let Some(p) = queue.pop() {
        for g in generators {
            let q = g.product(&p);
            if seen.insert(q.clone()) {
                queue.push(q);
            }
        }
    }
    seen
}

fn random_perm(degree: usize, rng: &mut fastrand::Rng) -> Perm {
    let mut image: Vec<Point> = (0..degree as Point).collect();
    // Few moved points give small groups more often.
    let n_moved = rng.usize(..=degree);
    rng.shuffle(&mut image[..n_moved]);
    Perm::from_image(image).unwrap()
}

fn random_generators(rng: &mut fastrand::Rng) -> (usize, Vec<Perm>) {
    let degree = rng.usize(1..=8);
    let generators = (0..rng.usize(0..4))
        .map(|_| random_perm(degree, rng))
        .collect();
    (degree, generators)
}

/// Transversals, orbits and stabilisers are what they claim to be.
fn check_laws(chain: &Chain, context: &str) {
    let n_levels = chain.n_levels();
    let mut order = BigUint::from(1u32);
    for k in (0..n_levels).rev() {
        let b = chain.base_point(k);
        let orbit = chain.orbit(k);
        assert_eq!(orbit[0], b, "{context}: base point first");
        for x in 0..chain.degree() as Point {
            assert_eq!(chain.in_orbit(k, x), orbit.contains(&x), "{context}");
        }
        for &x in orbit {
            let u = chain.transversal(k, x);
            assert_eq!(u.at(b), x, "{context}: level {k}");
            assert!((0..k).all(|j| u.at(chain.base_point(j)) == chain.base_point(j)));
            assert!(chain.contains(&u), "{context}: transversal in the group");
        }
        let stabiliser = chain.stabiliser_generators(k);
        let moved = group::orbit::orbit_of(b, chain.degree(), stabiliser);
        assert_eq!(
            moved.iter().collect::<HashSet<_>>(),
            orbit.iter().collect::<HashSet<_>>(),
            "{context}: level {k}"
        );
        order *= orbit.len();
        if k % 7 == 0 {
            assert_eq!(chain.below(k).order(), order, "{context}");
        }
    }
    assert_eq!(chain.order(), order, "{context}: order");
}

#[test]
fn random_groups_agree_with_full_enumeration() {
    for seed in 0..600 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let (degree, generators) = random_generators(&mut rng);
        let elements = closure(degree, &generators);
        let prefix: Vec<Point> = (0..rng.usize(..=degree))
            .map(|_| rng.u32(..degree as u32))
            .collect();
        let chain = Chain::new(degree, &generators, &prefix);
        let context = format!("seed {seed}");
        assert_eq!(chain.order(), BigUint::from(elements.len()), "{context}");
        assert_eq!(chain.base()[..prefix.len()], prefix, "{context}");
        check_laws(&chain, &context);
        let mut listed = HashSet::new();
        chain.enumerate(&mut |p| {
            assert!(elements.contains(p), "{context}: {p:?}");
            assert!(listed.insert(p.clone()), "{context}: {p:?} twice");
            true
        });
        assert_eq!(listed.len(), elements.len(), "{context}");
        for _ in 0..20 {
            let p = random_perm(degree, &mut rng);
            assert_eq!(
                chain.contains(&p),
                elements.contains(&p),
                "{context}: {p:?}"
            );
            assert!(elements.contains(&chain.random(&mut rng)), "{context}");
        }
    }
}

#[test]
fn base_change_and_point_stabilisers_agree_with_full_enumeration() {
    for seed in 0..300 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let (degree, generators) = random_generators(&mut rng);
        let elements = closure(degree, &generators);
        let group = Group::new(degree, generators);
        let points: Vec<Point> = (0..rng.usize(..4))
            .map(|_| rng.u32(..degree as u32))
            .collect();
        let changed = group.chain().with_base(&points);
        check_laws(&changed, &format!("seed {seed}"));
        assert_eq!(changed.order(), group.order(), "seed {seed}");
        assert_eq!(changed.base()[..points.len()], points, "seed {seed}");
        let fixing = elements
            .iter()
            .filter(|p| points.iter().all(|&x| p.at(x) == x));
        let stabiliser = group.stabiliser_of_points(&points);
        assert_eq!(stabiliser.order(), BigUint::from(fixing.clone().count()));
        assert!(
            fixing.clone().all(|p| stabiliser.contains(p)),
            "seed {seed}"
        );
    }
}

#[test]
fn orbitals_agree_with_full_enumeration() {
    for seed in 0..200 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let (degree, generators) = random_generators(&mut rng);
        let elements = closure(degree, &generators);
        let group = Group::new(degree, generators);
        let orbitals = group.orbitals();
        let table = orbitals.table(&group);
        let pairs: Vec<(u32, u32)> = (0..degree as u32)
            .flat_map(|x| (0..degree as u32).map(move |y| (x, y)))
            .collect();
        let id = |(x, y): (u32, u32)| table[x as usize * degree + y as usize];
        let distinct: HashSet<u32> = table.iter().copied().collect();
        assert_eq!(distinct.len(), orbitals.len(), "seed {seed}");
        for &p in &pairs {
            let images: HashSet<(u32, u32)> =
                elements.iter().map(|g| (g.at(p.0), g.at(p.1))).collect();
            let alike: HashSet<(u32, u32)> =
                pairs.iter().copied().filter(|&q| id(q) == id(p)).collect();
            assert_eq!(images, alike, "seed {seed}");
        }
    }
}

#[test]
fn random_elements_are_uniform() {
    // 24 elements, 24000 draws: each count is within six standard deviations of 1000.
    let group = Group::symmetric(4);
    let mut rng = fastrand::Rng::with_seed(1);
    let mut counts: std::collections::HashMap<Perm, u32> = Default::default();
    for _ in 0..24_000 {
        *counts.entry(group.chain().random(&mut rng)).or_default() += 1;
    }
    assert_eq!(counts.len(), 24);
    assert!(
        counts.values().all(|&c| c.abs_diff(1000) < 190),
        "{counts:?}"
    );
}

#[test]
fn random_elements_of_segments_are_uniform_on_pairs_of_points() {
    // S9 with three base points asked for: a segment that ends early, then others.
    let chain = Group::symmetric(9).chain().with_base(&[4, 2]);
    let mut rng = fastrand::Rng::with_seed(2);
    let mut counts = [[0u32; 9]; 9];
    let mut image = vec![0; 9];
    let mut scratch = Vec::new();
    for _ in 0..72_000 {
        chain.random_into(&mut rng, &mut image, &mut scratch);
        counts[image[4] as usize][image[7] as usize] += 1;
    }
    for (x, row) in counts.iter().enumerate() {
        for (y, &count) in row.iter().enumerate() {
            let expected = if x == y { 0 } else { 1000 };
            assert!(count.abs_diff(expected) < 190, "({x}, {y}): {count}");
        }
    }
}

/// `S_m` or `A_m` moving columns of `width` points, rows contiguous.
fn columns(m: usize, width: usize, even: bool) -> Vec<Perm> {
    let group = if even {
        Group::alternating(m)
    } else {
        Group::symmetric(m)
    };
    let degree = m * width;
    let lift = |g: &Perm| {
        let image = (0..degree).map(|x| (x / m * m) as Point + g.at((x % m) as Point));
        Perm::from_image(image.collect()).unwrap()
    };
    group.generators().iter().map(lift).collect()
}

#[test]
fn families_have_their_orders_and_laws() {
    let s = Group::symmetric;
    let big = |n: u32| BigUint::from(n);
    let cases: Vec<(&str, Group, BigUint)> = vec![
        ("trivial", Group::trivial(5), big(1)),
        ("S0", s(0), big(1)),
        ("S1", s(1), big(1)),
        ("S2", s(2), big(2)),
        ("S20", s(20), factorial(20)),
        ("A3", Group::alternating(3), big(3)),
        ("A4", Group::alternating(4), big(12)),
        ("A17", Group::alternating(17), factorial(17) / 2u32),
        ("C12", Group::cyclic(12), big(12)),
        ("D2", Group::dihedral(2), big(2)),
        ("D12", Group::dihedral(12), big(24)),
        (
            "S9×A8",
            s(9).direct_product(&Group::alternating(8)),
            factorial(9) * factorial(8) / 2u32,
        ),
        ("S3≀S2", s(3).wreath(&s(2)), big(72)),
        ("S9≀S3", s(9).wreath(&s(3)), factorial(9).pow(3) * 6u32),
        ("C2≀S10", s(2).wreath(&s(10)), factorial(10) << 10),
        (
            "3 rows S10",
            Group::new(30, columns(10, 3, false)),
            factorial(10),
        ),
        (
            "2 rows A11",
            Group::new(22, columns(11, 2, true)),
            factorial(11) / 2u32,
        ),
    ];
    for (name, group, order) in cases {
        assert_eq!(group.order(), order, "{name}");
        check_laws(group.chain(), name);
    }
}

#[test]
fn a_base_that_jumps_between_rows_and_columns_is_honoured() {
    let group = Group::new(30, columns(10, 3, false));
    let prefix = [13, 3, 25, 7, 7, 0, 19, 29];
    let chain = group.chain().with_base(&prefix);
    assert_eq!(chain.base()[..8], prefix);
    assert_eq!(chain.order(), factorial(10));
    let lengths: Vec<usize> = (0..8).map(|k| chain.orbit(k).len()).collect();
    assert_eq!(lengths, [10, 1, 9, 8, 1, 7, 6, 1]);
    check_laws(&chain, "rows");
}

#[test]
fn two_symmetric_groups_that_share_a_sign_have_half_the_order_of_their_product() {
    // Generators of S12 × S13 multiplied so that both parts are odd or even together.
    let degree = 25;
    let a: Vec<Point> = (0..12).collect();
    let b: Vec<Point> = (12..25).collect();
    let generators = vec![
        Perm::from_cycles(degree, &[&a, &[12, 13]]).unwrap(),
        Perm::from_cycles(degree, &[&[0, 1], &[12, 13]]).unwrap(),
        Perm::from_cycles(degree, &[&b]).unwrap(),
    ];
    let group = Group::new(degree, generators);
    assert_eq!(group.order(), factorial(12) * factorial(13) / 2u32);
    assert!(!group.contains(&Perm::from_cycles(degree, &[&[0, 1]]).unwrap()));
    check_laws(group.chain(), "shared sign");
}

#[test]
fn members_with_a_table_of_pairs_are_one_symmetric_group() {
    // S_m on m members and the m² cells of a table over them.
    for m in [5, 12, 20] {
        let degree = m + m * m;
        let lift = |g: &Perm| {
            let mut image: Vec<Point> = g.image().to_vec();
            for i in 0..m as Point {
                for j in 0..m as Point {
                    image.push((m as Point) + g.at(i) * m as Point + g.at(j));
                }
            }
            Perm::from_image(image).unwrap()
        };
        let generators = Group::symmetric(m).generators().iter().map(lift).collect();
        let group = Group::new(degree, generators);
        assert_eq!(group.order(), factorial(m), "m = {m}");
    }
}

#[test]
fn groups_of_the_digest_have_their_orders() {
    let order = |degree: usize, generators| group(degree, generators).order();
    let cube: &[&[&[Point]]] = &[
        &[&[1, 2], &[3, 4], &[5, 6], &[7, 8]],
        &[&[1, 3], &[2, 4], &[5, 7], &[6, 8]],
        &[&[1, 5], &[2, 6], &[3, 7], &[4, 8]],
        &[&[2, 3, 5], &[4, 7, 6]],
        &[&[2, 3], &[6, 7]],
    ];
    assert_eq!(order(8, cube), BigUint::from(48u32));
    let on_14: &[&[&[Point]]] = &[
        &[&[1, 2], &[5, 6], &[9, 10], &[13, 14]],
        &[&[1, 2, 4, 8], &[3, 6, 12, 9], &[5, 10], &[7, 14, 13, 11]],
    ];
    assert_eq!(order(14, on_14), BigUint::from(24u32));
    assert_eq!(order(21, DISJOINT), BigUint::from(36u32));
}

#[test]
fn classical_groups_have_their_orders() {
    // The Mathieu groups on 11, 12 and 24 points: primitive, no segments, proved by Schreier.
    let m11 = [
        Perm::from_cycles(11, &[&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]]).unwrap(),
        Perm::from_cycles(11, &[&[2, 6, 10, 7], &[3, 9, 4, 5]]).unwrap(),
    ];
    assert_eq!(Group::new(11, m11.to_vec()).order(), BigUint::from(7920u32));
    let cycle: Vec<Point> = (0..23).collect();
    let m24 = [
        Perm::from_cycles(24, &[&cycle]).unwrap(),
        Perm::from_cycles(
            24,
            &[
                &[2, 16, 9, 6, 8],
                &[3, 12, 13, 18, 4],
                &[7, 17, 10, 11, 22],
                &[14, 19, 21, 20, 15],
            ],
        )
        .unwrap(),
        Perm::from_cycles(
            24,
            &[
                &[0, 23],
                &[1, 22],
                &[2, 11],
                &[3, 15],
                &[4, 17],
                &[5, 9],
                &[6, 19],
                &[7, 13],
                &[8, 20],
                &[10, 16],
                &[12, 21],
                &[14, 18],
            ],
        )
        .unwrap(),
    ];
    let group = Group::new(24, m24.to_vec());
    assert_eq!(group.order(), BigUint::from(244_823_040u32));
    check_laws(group.chain(), "M24");
}

#[test]
fn adjacent_products_of_transpositions_need_many_generators() {
    let n = 200;
    let generators: Vec<Perm> = (0..n as Point / 2 - 1)
        .map(|i| Perm::from_cycles(n, &[&[2 * i, 2 * i + 1], &[2 * i + 2, 2 * i + 3]]).unwrap())
        .collect();
    let group = Group::new(n, generators);
    assert_eq!(group.order(), BigUint::from(1u32) << 99);
}

#[test]
fn ten_thousand_points_are_ordinary_input() {
    let n = 10_000;
    let s = Group::symmetric(n);
    assert_eq!(s.order(), factorial(n));
    let p = s.chain().random(&mut fastrand::Rng::with_seed(7));
    assert!(s.contains(&p));
    let a = Group::alternating(n);
    assert_eq!(a.order(), factorial(n) / 2u32);
    assert_eq!(a.contains(&p), p.is_even());
    let pairs: Vec<Perm> = (0..n as Point / 2)
        .map(|i| Perm::from_cycles(n, &[&[2 * i, 2 * i + 1]]).unwrap())
        .collect();
    assert_eq!(Group::new(n, pairs).order(), BigUint::from(1u32) << (n / 2));
    let rows = Group::new(n, columns(n / 4, 4, false));
    assert_eq!(rows.order(), factorial(n / 4));
    let adjacent: Vec<Perm> = (0..n as Point - 1)
        .map(|i| Perm::from_cycles(n, &[&[i, i + 1]]).unwrap())
        .collect();
    assert_eq!(Group::new(n, adjacent).order(), factorial(n));
}

#[test]
fn a_wrong_known_order_is_refused() {
    let s = Group::symmetric(6);
    let known = |order: u32| {
        Chain::from_known_order(6, s.generators(), &[], &BigUint::from(order)).map(|c| c.order())
    };
    assert_eq!(known(720), Some(BigUint::from(720u32)));
    assert_eq!(known(360), None);
    assert_eq!(known(1440), None);
}

#[test]
fn restriction_acts_as_expected() {
    let w = Group::symmetric(3).wreath(&Group::symmetric(2));
    assert!(w.is_transitive());
    assert!(w.restrict_to(&[0, 1, 2]).is_none(), "no union of orbits");
    let p = Group::symmetric(3).direct_product(&Group::cyclic(4));
    assert!(!p.is_transitive());
    assert_eq!(
        p.restrict_to(&[6, 5, 4, 3]).unwrap().order(),
        BigUint::from(4u32)
    );
    assert!(p.restrict_to(&[3, 3]).is_none());
    assert_eq!(p.orbits(), [vec![0, 1, 2], vec![3, 4, 5, 6]]);
}

#[test]
fn the_chain_of_s6_has_the_lengths_of_the_digest() {
    let group = Group::symmetric(6);
    let lengths: Vec<usize> = (0..group.chain().n_levels())
        .map(|k| group.chain().orbit(k).len())
        .collect();
    assert_eq!(lengths, [6, 5, 4, 3, 2]);
}

#[test]
fn the_example_of_the_theory_page_comes_out_as_by_hand() {
    let group = Group::symmetric(3).wreath(&Group::symmetric(2));
    let chain = group.chain().with_base(&[0, 1, 3, 4]);
    let mut orbits: Vec<Vec<Point>> = (0..4).map(|k| chain.orbit(k).to_vec()).collect();
    orbits.iter_mut().for_each(|o| o.sort_unstable());
    assert_eq!(
        orbits,
        [
            vec![0, 1, 2, 3, 4, 5],
            vec![1, 2],
            vec![3, 4, 5],
            vec![4, 5]
        ]
    );
    let p = Perm::from_cycles(6, &[&[0, 4], &[1, 3], &[2, 5]]).unwrap();
    assert!(group.contains(&p));
    let q = Perm::from_cycles(6, &[&[0, 3]]).unwrap();
    assert!(!group.contains(&q));
    let mut image = q.image().to_vec();
    assert_eq!(chain.sift(&mut image, 0), 1, "1 leaves its orbit");
}
