//! Columns, natural groups, disjoint and wreath products against plain twins.

use std::collections::HashSet;

use group::shape::disjoint::{disjoint_factors, factors_by_generators, factors_by_partitions};
use group::shape::minimise::minimising_set;
use group::shape::wreath::wreath_on;
use group::shape::{GroupFactor, NaturalFamily, columns, moved_orbits, recognise, wreath};
use group::{Group, Perm, Point};
use num_bigint::BigUint;

use super::common::*;

fn points_of(parts: &[GroupFactor]) -> Vec<Vec<Point>> {
    parts.iter().map(|p| p.points.clone()).collect()
}

/// Two orbits belong together exactly if they have points with the same stabiliser.
fn columns_plain(group: &Group) -> Vec<Vec<usize>> {
    let elements = elements_plain(group);
    let orbits = moved_orbits(group.degree(), group.generators());
    let stabiliser = |x: Point| -> Vec<bool> { elements.iter().map(|g| g.at(x) == x).collect() };
    let mut classes: Vec<Vec<usize>> = Vec::new();
    for (i, orbit) in orbits.iter().enumerate() {
        let own: Vec<Vec<bool>> = orbit.iter().map(|&x| stabiliser(x)).collect();
        let class = classes
            .iter_mut()
            .find(|c| own.contains(&stabiliser(orbits[c[0]][0])));
        match class {
            Some(class) => class.push(i),
            None => classes.push(vec![i]),
        }
    }
    classes
}

#[test]
fn columns_agree_with_equal_stabilisers() {
    for seed in 0..200 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let g = random_group(&mut rng, 8);
        let orbits = moved_orbits(g.degree(), g.generators());
        let tables = columns(&g);
        let index = |row: &Vec<Point>| {
            let mut row = row.clone();
            row.sort_unstable();
            orbits
                .iter()
                .position(|o| *o == row)
                .expect("a row is an orbit")
        };
        let found: Vec<Vec<usize>> = tables
            .iter()
            .map(|t| t.rows().iter().map(index).collect())
            .collect();
        assert_eq!(found, columns_plain(&g), "seed {seed}: {g:?}");
        for p in elements_plain(&g) {
            for t in &tables {
                let all: HashSet<Vec<Point>> = (0..t.width()).map(|c| t.column(c)).collect();
                for column in &all {
                    let image: Vec<Point> = column.iter().map(|&x| p.at(x)).collect();
                    assert!(all.contains(&image), "seed {seed}: {p:?} tears {column:?}");
                }
            }
        }
    }
}

#[test]
fn inequivalent_actions_are_not_merged() {
    let g = s4_on_14();
    let lengths: Vec<(usize, usize)> = columns(&g)
        .iter()
        .map(|t| (t.width(), t.rows().len()))
        .collect();
    // Weights 1 and 3 are alike (complements), weight 2 is not.
    assert_eq!(lengths, [(4, 2), (6, 1)]);
    assert!(minimising_set(&g).is_none());
    // The two ways of S6 on six points, joined by its outer automorphism.
    let twisted = group(
        12,
        &[
            &[&[1, 2], &[7, 8], &[9, 10], &[11, 12]],
            &[&[2, 3], &[7, 9], &[8, 11], &[10, 12]],
            &[&[3, 4], &[7, 8], &[9, 12], &[10, 11]],
            &[&[4, 5], &[7, 9], &[8, 10], &[11, 12]],
            &[&[5, 6], &[7, 8], &[9, 11], &[10, 12]],
        ],
    );
    assert_eq!(twisted.order(), BigUint::from(720u32));
    assert_eq!(columns(&twisted).len(), 2);
    assert!(recognise(&twisted).is_none());
}

#[test]
fn columns_prefer_increasing_rows() {
    let swap = group(6, &[&[&[1, 2], &[3, 4], &[5, 6]]]);
    let rows = columns(&swap)[0].rows().to_vec();
    assert_eq!(rows, [vec![0, 1], vec![2, 3], vec![4, 5]]);
    let ring = group(8, &[&[&[1, 2, 3, 4], &[8, 5, 6, 7]]]);
    assert_eq!(columns(&ring)[0].rows()[1], [4, 5, 6, 7]);
}

#[test]
fn natural_groups_are_recognised_in_disguise() {
    for seed in 0..10 {
        let mut rng = fastrand::Rng::with_seed(seed);
        for m in 2..=9 {
            let cases = [
                (symmetric(m), Some(NaturalFamily::Symmetric)),
                (cyclic(m), (m > 2).then_some(NaturalFamily::Cyclic)),
                (dihedral(m), (m > 3).then_some(NaturalFamily::Dihedral)),
                (
                    alternating(m.max(3)),
                    (m > 3).then_some(NaturalFamily::Alternating),
                ),
            ];
            for (g, kind) in cases {
                let g = disguised(&g, &mut rng);
                let found = recognise(&g);
                let Some(kind) = kind else { continue };
                let found = found.unwrap_or_else(|| panic!("seed {seed}: {kind:?} {m}"));
                assert_eq!((found.kind, found.table.width()), (kind, m), "seed {seed}");
            }
        }
    }
}

#[test]
fn rings_list_their_columns_around() {
    let mut rng = fastrand::Rng::with_seed(3);
    for m in 4..=9 {
        let ring = on_rows(&dihedral(m), 2);
        let ring = disguised(&ring, &mut rng);
        let found = recognise(&ring).expect("a ring");
        assert_eq!(found.kind, NaturalFamily::Dihedral);
        let turn: Vec<Point> = (0..m as Point).map(|c| (c + 1) % m as Point).collect();
        let turn = found.table.lift(&Perm::from_bijection(turn), ring.degree());
        assert!(ring.contains(&turn), "turning the columns of D{m} by one");
    }
}

/// The conditions of Theorem 16 word by word.
fn theorem_16_plain(group: &Group) -> bool {
    let elements = elements_plain(group);
    let orbits = moved_orbits(group.degree(), group.generators());
    let Some(m) = orbits.first().map(Vec::len) else {
        return false;
    };
    let fixed = |i: Point| -> Vec<Point> {
        let stabiliser: Vec<&Perm> = elements.iter().filter(|g| g.at(i) == i).collect();
        let is_fixed = |&x: &Point| stabiliser.iter().all(|g| g.at(x) == x);
        let moved = orbits.iter().flatten().copied();
        moved.filter(is_fixed).collect()
    };
    let all: Vec<Point> = orbits.concat();
    elements.len() == (2..=m).product::<usize>()
        && orbits.iter().all(|o| o.len() == m)
        && all.iter().all(|&i| {
            let fixed = fixed(i);
            let once = |o: &Vec<Point>| o.iter().filter(|x| fixed.contains(x)).count() == 1;
            orbits.iter().all(once)
        })
        && orbits.iter().all(|o| {
            o.iter().all(|&i| {
                let shares = |&&j: &&Point| fixed(i).iter().any(|x| fixed(j).contains(x));
                o.iter().filter(shares).count() == 1
            })
        })
}

#[test]
fn minimising_sets_exist_where_theorem_16_says() {
    let mut n_positive = 0;
    for seed in 0..300 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let g = random_group(&mut rng, 8);
        let found = minimising_set(&g);
        // The theorem as worded excludes S2, whose point stabilisers fix two points of an orbit.
        if found.as_ref().is_some_and(|s| s.table().width() == 2) {
            continue;
        }
        n_positive += usize::from(found.is_some());
        assert_eq!(found.is_some(), theorem_16_plain(&g), "seed {seed}: {g:?}");
    }
    assert!(n_positive > 20, "only {n_positive} symmetric groups");
}

/// The finest disjoint product by listing elements: every union of orbits on which each element
/// can act alone is a union of factors.
fn disjoint_plain(group: &Group) -> Vec<Vec<Point>> {
    let elements: HashSet<Perm> = elements_plain(group).into_iter().collect();
    let orbits = moved_orbits(group.degree(), group.generators());
    let splits = |mask: u32| {
        elements.iter().all(|g| {
            let mut image: Vec<Point> = (0..group.degree() as Point).collect();
            for (i, orbit) in orbits.iter().enumerate() {
                for &x in orbit.iter().filter(|_| mask >> i & 1 == 1) {
                    image[x as usize] = g.at(x);
                }
            }
            elements.contains(&Perm::from_bijection(image))
        })
    };
    let good: Vec<u32> = (1..1 << orbits.len()).filter(|&m| splits(m)).collect();
    let is_least = |m: &&u32| good.iter().all(|k| k & **m != *k || k == *m);
    let mut factors: Vec<Vec<Point>> = good
        .iter()
        .filter(is_least)
        .map(|&m| {
            let taken = orbits.iter().enumerate().filter(|(i, _)| m >> i & 1 == 1);
            let mut points: Vec<Point> = taken.flat_map(|(_, o)| o.clone()).collect();
            points.sort_unstable();
            points
        })
        .collect();
    factors.sort();
    factors
}

#[test]
fn disjoint_factors_are_the_finest() {
    let mut n_hidden = 0;
    for seed in 0..300 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let g = random_group(&mut rng, 8);
        let factors = disjoint_factors(&g);
        assert_eq!(
            points_of(&factors),
            disjoint_plain(&g),
            "seed {seed}: {g:?}"
        );
        let orders: BigUint = factors.iter().map(|f| f.group.order()).product();
        assert_eq!(orders, g.order(), "seed {seed}");
        let cut = factors_by_partitions(&g).expect("few orbits");
        assert_eq!(points_of(&cut), points_of(&factors), "seed {seed}: {g:?}");
        let by_generators = factors_by_generators(&g);
        let orders: BigUint = by_generators.iter().map(|f| f.group.order()).product();
        assert_eq!(orders, g.order(), "seed {seed}: sound but coarse");
        n_hidden += usize::from(by_generators.len() < factors.len());
    }
    assert!(n_hidden > 10, "only {n_hidden} hidden decompositions");
}

#[test]
fn disjoint_vectors() {
    let g = group(21, DISJOINT);
    assert_eq!(g.order(), BigUint::from(36u32));
    assert_eq!(factors_by_generators(&g).len(), 1);
    let expected = vec![(0..12).collect::<Vec<Point>>(), (12..21).collect()];
    assert_eq!(points_of(&disjoint_factors(&g)), expected);
    assert_eq!(points_of(&factors_by_partitions(&g).unwrap()), expected);

    let tiered = three_tiered();
    assert_eq!(tiered.order(), BigUint::from(2592u32));
    assert_eq!(disjoint_factors(&tiered).len(), 2);
    let mut generators = tiered.generators().to_vec();
    generators[0] = perm(16, &[&[1, 2], &[10, 11]]);
    let hidden = Group::new(16, generators);
    assert_eq!(hidden.order(), BigUint::from(2592u32));
    assert_eq!(factors_by_generators(&hidden).len(), 1);
    let factors = disjoint_factors(&hidden);
    assert_eq!(factors[1].points, [9, 10]);
    assert_eq!(factors[0].group.order(), BigUint::from(1296u32));
}

/// `(1 2)(3 4), (3 4)(5 6), …`: no two orbits depend on each other, and nothing splits.
fn adjacent_products(n: usize) -> Group {
    let pair = |i: Point| perm(n, &[&[i, i + 1], &[i + 2, i + 3]]);
    Group::new(n, (1..n as Point - 2).step_by(2).map(pair).collect())
}

#[test]
fn adjacent_products_never_split() {
    for n in (4..=20).step_by(2) {
        let g = adjacent_products(n);
        assert_eq!(g.order(), BigUint::from(2u32).pow(n as u32 / 2 - 1));
        assert_eq!(disjoint_factors(&g).len(), 1, "degree {n}");
        if n <= 16 {
            assert_eq!(factors_by_partitions(&g).unwrap().len(), 1, "degree {n}");
        }
    }
    assert_eq!(disjoint_factors(&adjacent_products(200)).len(), 1);
    assert!(factors_by_partitions(&adjacent_products(60)).is_none());
}

/// Whether some partition of the moved points makes the group a wreath product, by trying all.
fn is_wreath_plain(group: &Group) -> bool {
    let elements = elements_plain(group);
    let points: Vec<Point> = moved_orbits(group.degree(), group.generators()).concat();
    let n = points.len();
    (2..=n / 2).filter(|m| n.is_multiple_of(*m)).any(|m| {
        partitions(&points, m)
            .iter()
            .any(|p| is_wreath_on(&elements, p))
    })
}

fn partitions(points: &[Point], m: usize) -> Vec<Vec<Vec<Point>>> {
    let Some((&first, rest)) = points.split_first() else {
        return vec![Vec::new()];
    };
    let mut all = Vec::new();
    for mask in (0..1u32 << rest.len()).filter(|k| k.count_ones() as usize == m - 1) {
        let pick = |want| {
            let chosen = rest
                .iter()
                .enumerate()
                .filter(move |(i, _)| (mask >> i & 1 == 1) == want);
            chosen.map(|(_, &x)| x)
        };
        let block: Vec<Point> = [first].into_iter().chain(pick(true)).collect();
        for mut tail in partitions(&pick(false).collect::<Vec<_>>(), m) {
            tail.push(block.clone());
            all.push(tail);
        }
    }
    all
}

fn is_wreath_on(elements: &[Perm], blocks: &[Vec<Point>]) -> bool {
    let sets: Vec<HashSet<Point>> = blocks.iter().map(|b| b.iter().copied().collect()).collect();
    let image =
        |g: &Perm, s: &HashSet<Point>| -> HashSet<Point> { s.iter().map(|&x| g.at(x)).collect() };
    if !elements
        .iter()
        .all(|g| sets.iter().all(|s| sets.contains(&image(g, s))))
    {
        return false;
    }
    let reached: HashSet<usize> = elements
        .iter()
        .map(|g| sets.iter().position(|s| *s == image(g, &sets[0])).unwrap())
        .collect();
    let top: HashSet<Vec<usize>> = elements
        .iter()
        .map(|g| {
            let place = |s| sets.iter().position(|t| *t == image(g, s)).unwrap();
            sets.iter().map(place).collect()
        })
        .collect();
    let inside: HashSet<Vec<Point>> = elements
        .iter()
        .filter(|g| image(g, &sets[0]) == sets[0])
        .map(|g| blocks[0].iter().map(|&x| g.at(x)).collect())
        .collect();
    reached.len() == sets.len()
        && inside.len() > 1
        && inside.len().pow(sets.len() as u32) * top.len() == elements.len()
}

#[test]
fn wreath_products_are_found_exactly_where_they_are() {
    let mut n_found = 0;
    for seed in 0..500 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let g = random_group(&mut rng, 8);
        let found = wreath(&g);
        assert_eq!(found.is_some(), is_wreath_plain(&g), "seed {seed}: {g:?}");
        let Some(w) = found else { continue };
        n_found += 1;
        assert!(is_wreath_on(&elements_plain(&g), &w.blocks), "seed {seed}");
        check_wreath(&g, &w, seed);
    }
    assert!(n_found > 30, "only {n_found} wreath products");
}

/// The copies and the top group lie in the group and generate it.
fn check_wreath(g: &Group, w: &group::shape::Wreath, seed: u64) {
    let n = g.degree();
    let mut generators = Vec::new();
    for i in 0..w.blocks.len() {
        generators.extend(w.inner.generators().iter().map(|h| w.lift_inner(i, h, n)));
    }
    generators.extend(w.outer.generators().iter().map(|k| w.lift_outer(k, n)));
    assert!(
        generators.iter().all(|p| g.contains(p)),
        "seed {seed}: {w:?}"
    );
    assert_eq!(Group::new(n, generators).order(), g.order(), "seed {seed}");
    let sorted = w.blocks.iter().all(|b| b.is_sorted());
    assert_eq!(w.monotone, sorted, "seed {seed}: {w:?}");
}

#[test]
fn wreath_products_of_known_groups_are_found_in_disguise() {
    for seed in 0..20 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let small = [
            symmetric(2),
            symmetric(3),
            cyclic(3),
            dihedral(4),
            alternating(4),
        ];
        let inner = &small[rng.usize(..small.len())];
        let outer = &small[rng.usize(..small.len())];
        let g = disguised(&wreath_of(inner, outer), &mut rng);
        let w = wreath(&g).unwrap_or_else(|| panic!("seed {seed}"));
        check_wreath(&g, &w, seed);
    }
}

#[test]
fn wreath_vectors() {
    let factors = disjoint_factors(&three_tiered());
    let w = wreath(&factors[0].group).expect("a wreath product");
    let named = |b: &Vec<Point>| -> Vec<Point> {
        b.iter()
            .map(|&i| factors[0].points[i as usize] + 1)
            .collect()
    };
    let blocks: Vec<Vec<Point>> = w.blocks.iter().map(named).collect();
    assert_eq!(blocks, [[1, 2, 3, 12], [4, 5, 6, 13], [7, 8, 9, 14]]);
    assert!(w.monotone);
    assert_eq!(w.inner.order(), BigUint::from(6u32));
    assert_eq!(w.outer.order(), BigUint::from(6u32));
    assert!(wreath(&symmetric(6)).is_none());
    assert!(wreath(&hypercube(3)).is_none());
}

#[test]
fn blocks_that_cannot_be_increasing_are_aligned_by_the_group() {
    // C3 inside, C2 across, with the second block turning against the first.
    let g = group(6, &[&[&[1, 2, 3]], &[&[1, 4], &[2, 6], &[3, 5]]]);
    assert_eq!(g.order(), BigUint::from(18u32));
    let w = wreath(&g).expect("a wreath product");
    assert!(!w.monotone);
    check_wreath(&g, &w, 0);
}

#[test]
fn the_trivial_group_is_no_wreath_product() {
    assert!(wreath(&Group::trivial(3)).is_none());
    assert!(wreath_on(&Group::trivial(3), &[0, 0, 0]).is_none());
}

#[test]
fn the_plain_checks_reject_planted_faults() {
    let g = wreath_of(&symmetric(2), &symmetric(3));
    let elements = elements_plain(&g);
    assert!(is_wreath_on(
        &elements,
        &[vec![0, 1], vec![2, 3], vec![4, 5]]
    ));
    assert!(!is_wreath_on(
        &elements,
        &[vec![0, 2], vec![1, 3], vec![4, 5]]
    ));
    let even: Vec<Perm> = elements.into_iter().filter(Perm::is_even).collect();
    assert!(!is_wreath_on(&even, &[vec![0, 1], vec![2, 3], vec![4, 5]]));
    assert!(theorem_16_plain(&symmetric(4)));
    assert!(!theorem_16_plain(&s4_on_14()));
    assert_eq!(disjoint_plain(&adjacent_products(6)).len(), 1);
    assert_eq!(columns_plain(&s4_on_14()), [vec![0, 2], vec![1]]);
}
