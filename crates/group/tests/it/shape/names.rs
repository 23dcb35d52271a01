//! Names: known groups in disguise, and random groups against a model built from the name.

use group::shape::{Shape, classify, columns, describe};
use group::{Group, Perm, Point};
use num_bigint::BigUint;

use super::common::*;

fn name(g: &Group) -> String {
    describe(g).to_string()
}

#[test]
fn known_groups_have_their_names_in_any_disguise() {
    let s = symmetric;
    let elementary = Group::new(8, cube_translations());
    let cases = [
        (Group::new(4, Vec::new()), "trivial"),
        (s(2), "S2"),
        (s(3), "S3"),
        (s(7), "S7"),
        (alternating(5), "A5"),
        (cyclic(5), "C5"),
        (cyclic(3), "C3"),
        (dihedral(6), "D6"),
        (dihedral(4), "D4"),
        (s4_on_14(), "S4"),
        (wreath_of(&s(3), &s(2)), "S3 wr S2"),
        (wreath_of(&s(2), &s(4)), "S2 wr S4"),
        (wreath_of(&s(3), &dihedral(5)), "S3 wr D5"),
        (wreath_of(&wreath_of(&s(2), &s(3)), &s(2)), "S2 wr S3 wr S2"),
        (
            wreath_of(&disjoint_of(&[&s(3), &s(3)]), &s(2)),
            "(S3 x S3) wr S2",
        ),
        (wreath_of(&s(2), &elementary), "S2 wr 2^3"),
        (elementary, "2^3"),
        (hypercube(3), "2^3 : S3"),
        (hypercube(4), "2^4 : S4"),
        (hypercube(5), "2^5 : S5"),
        (disjoint_of(&[&s(5), &s(5), &s(5), &s(5)]), "S5^4"),
        (grid(3, 4), "S3 x S4"),
        (group(6, &[&[&[1, 2, 3, 4], &[5, 6]]]), "C4"),
        (group(7, &[&[&[1, 2, 3], &[4, 5, 6, 7]]]), "C3 x C4"),
        (affine(5), "C5 : C4"),
        (affine(7), "C7 : C6"),
        (frobenius_linear(), "order 168, 1 orbit"),
    ];
    for (g, expected) in cases {
        for seed in 0..3 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let g = if g.generators().is_empty() {
                g.clone()
            } else {
                disguised(&g, &mut rng)
            };
            let mut words: Vec<String> = name(&g).split(" x ").map(str::to_string).collect();
            let mut known: Vec<String> = expected.split(" x ").map(str::to_string).collect();
            words.sort();
            known.sort();
            assert_eq!(words, known, "seed {seed}: {expected}");
        }
    }
}

#[test]
fn factors_are_named_in_order_of_their_points() {
    assert_eq!(name(&three_tiered()), "S3 wr S3 x S2");
    assert_eq!(
        name(&disjoint_of(&[&symmetric(3), &symmetric(4)])),
        "S3 x S4"
    );
    assert_eq!(
        name(&disjoint_of(&[&frobenius_linear(), &symmetric(4)])),
        "(order 168, 1 orbit) x S4"
    );
}

/// The example that the theory page works out by hand, counted from 1.
#[test]
fn the_example_of_the_theory_page() {
    let g = group(
        14,
        &[
            &[&[3, 4], &[9, 10]],
            &[&[1, 2], &[3, 5], &[4, 6], &[7, 8], &[9, 11], &[10, 12]],
            &[&[3, 4], &[9, 10], &[13, 14]],
        ],
    );
    assert_eq!(columns(&g).len(), 3);
    assert_eq!(name(&g), "S2 wr S2 x S2");
    let strategy = classify(&g, 0);
    assert_eq!(
        strategy.to_string(),
        "SEQ(SEQ(MIN(1), MIN(1), MIN(1)), MIN(1))"
    );
}

#[test]
fn a_top_group_in_another_action_is_not_called_a_wreath_product() {
    // S3 on six blocks of two, regularly: 2^6 · 6 elements, where S2 wr S3 has 48.
    let regular = group(
        6,
        &[&[&[1, 2, 3], &[4, 5, 6]], &[&[1, 4], &[2, 6], &[3, 5]]],
    );
    assert_eq!(regular.order(), BigUint::from(6u32));
    assert_eq!(name(&wreath_of(&symmetric(2), &regular)), "S2^6 : S3");
}

#[test]
fn abelian_groups_are_products_of_cyclic_groups() {
    // Each orbit of (Z4 x Z2) regular: indecomposable as a disjoint product.
    let a: Vec<Point> = (0..8).map(|x| (x & 4) | ((x + 1) & 3)).collect();
    let b: Vec<Point> = (0..8).map(|x| x ^ 4).collect();
    let g = Group::new(8, [a, b].map(Perm::from_bijection).to_vec());
    assert_eq!(name(&g), "C4 x C2");
    let sixes = |x: u32| (x / 6, x % 6);
    let a: Vec<Point> = (0..36)
        .map(|x| sixes(x).0 * 6 + (sixes(x).1 + 1) % 6)
        .collect();
    let b: Vec<Point> = (0..36)
        .map(|x| (sixes(x).0 + 1) % 6 * 6 + sixes(x).1)
        .collect();
    let g = Group::new(36, [a, b].map(Perm::from_bijection).to_vec());
    assert_eq!(name(&g), "C6 x C6");
}

/// `servers` servers with `clients` clients each, and for each of them a channel of its own: the
/// same group on processes and channels.
fn tree_with_channels(servers: usize, clients: usize) -> Group {
    let leaves = wreath_of(&symmetric(clients), &symmetric(servers));
    let n = servers + leaves.degree();
    let whole = |g: &Perm| {
        let server = |i: usize| g.at((i * clients) as Point) / clients as Point;
        let below = g.image().iter().map(|y| y + servers as Point);
        Perm::from_bijection((0..servers).map(server).chain(below).collect())
    };
    let tree = Group::new(n, leaves.generators().iter().map(whole).collect());
    on_rows(&tree, 2)
}

/// Rows and columns of a grid permuted independently.
fn grid(m: u32, n: u32) -> Group {
    let image = |f: &dyn Fn(u32, u32) -> (u32, u32)| {
        let move_cell = |x: u32| {
            let (i, j) = f(x / n, x % n);
            i * n + j
        };
        Perm::from_bijection((0..m * n).map(move_cell).collect())
    };
    let swap = |x: u32| if x < 2 { 1 - x } else { x };
    let generators = vec![
        image(&|i, j| ((i + 1) % m, j)),
        image(&|i, j| (swap(i), j)),
        image(&|i, j| (i, (j + 1) % n)),
        image(&|i, j| (i, swap(j))),
    ];
    Group::new((m * n) as usize, generators)
}

/// `x → a x + b` modulo a prime of which 3 is a primitive root, or 2 for 5.
fn affine(p: u32) -> Group {
    let root = if p == 5 { 2 } else { 3 };
    let shift = (0..p).map(|x| (x + 1) % p).collect();
    let scale = (0..p).map(|x| x * root % p).collect();
    Group::new(
        p as usize,
        vec![Perm::from_bijection(shift), Perm::from_bijection(scale)],
    )
}

/// The simple group of the Fano plane.
fn frobenius_linear() -> Group {
    group(7, &[&[&[1, 2, 3, 4, 5, 6, 7]], &[&[2, 3], &[4, 7]]])
}

/// A group that has the given shape beyond doubt, if the shape determines it.
fn model(shape: &Shape) -> Option<Group> {
    let small = |n: &BigUint| usize::try_from(n).ok();
    Some(match shape {
        Shape::Trivial => Group::new(1, Vec::new()),
        Shape::Symmetric(m) => symmetric(*m),
        Shape::Alternating(m) => alternating(*m),
        Shape::Cyclic(n) => cyclic(small(n)?),
        Shape::Dihedral(n) => dihedral(small(n)?),
        Shape::Elementary { prime, rank } => {
            let one = cyclic(*prime);
            disjoint_of(&vec![&one; *rank])
        }
        Shape::Direct(factors) => {
            let models: Option<Vec<Group>> = factors.iter().map(model).collect();
            disjoint_of(&models?.iter().collect::<Vec<_>>())
        }
        Shape::Wreath(a, b) => wreath_of(&model(a)?, &natural_model(b)?),
        _ => return None,
    })
}

/// The model on as many points as a wreath product has copies.
fn natural_model(shape: &Shape) -> Option<Group> {
    match shape {
        Shape::Elementary { prime, rank } => {
            let n = prime.pow(*rank as u32);
            let shift = |i: u32| {
                let place = prime.pow(i);
                let next = |x: usize| {
                    let digit = x / place % prime;
                    (x - digit * place + (digit + 1) % prime * place) as Point
                };
                Perm::from_bijection((0..n).map(next).collect())
            };
            Some(Group::new(n, (0..*rank as u32).map(shift).collect()))
        }
        Shape::Symmetric(_) | Shape::Alternating(_) | Shape::Cyclic(_) | Shape::Dihedral(_) => {
            model(shape)
        }
        Shape::Wreath(a, b) => Some(wreath_of(&natural_model(a)?, &natural_model(b)?)),
        _ => None,
    }
}

#[test]
fn names_of_random_groups_are_right() {
    let (mut n_modelled, mut n_other) = (0, 0);
    for seed in 0..300 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let g = random_group(&mut rng, 8);
        let shape = describe(&g);
        if matches!(shape, Shape::Other { .. }) {
            n_other += 1;
        }
        let Some(model) = model(&shape) else { continue };
        n_modelled += 1;
        let (real, claimed) = (elements_plain(&g), elements_plain(&model));
        let statistics = (order_statistics(&real), order_statistics(&claimed));
        assert_eq!(statistics.0, statistics.1, "seed {seed}: {shape} for {g:?}");
        let commuting = |all: &[Perm]| {
            let is_central = |p: &&Perm| all.iter().all(|q| p.product(q) == q.product(p));
            all.iter().filter(is_central).count()
        };
        if real.len() <= 400 {
            assert_eq!(
                commuting(&real),
                commuting(&claimed),
                "seed {seed}: {shape}"
            );
        }
    }
    assert!(
        n_modelled > 200,
        "only {n_modelled} of 300 names have a model"
    );
    assert!(n_other < 30, "{n_other} of 300 groups without a name");
}

#[test]
fn a_wrong_name_would_be_noticed() {
    let square = elements_plain(&dihedral(4));
    let other = elements_plain(&model(&Shape::Elementary { prime: 2, rank: 3 }).unwrap());
    assert_eq!(square.len(), other.len());
    assert_ne!(order_statistics(&square), order_statistics(&other));
}

#[test]
fn many_points_are_named_quickly() {
    // 50 independent groups of four, each a process with its channel: 400 points.
    let swaps = |c: Point| (0..3).map(move |i| (4 * c + i, 4 * c + i + 1));
    let both = |(a, b): (Point, Point)| {
        Perm::from_cycles(400, &[&[a, b], &[a + 200, b + 200]]).expect("two swaps")
    };
    let g = Group::new(400, (0..50).flat_map(swaps).map(both).collect());
    assert_eq!(name(&g), "S4^50");
    let g = wreath_of(&symmetric(3), &cyclic(70));
    assert_eq!((g.degree(), name(&g)), (210, "S3 wr C70".to_string()));
    let tree = tree_with_channels(20, 4);
    assert_eq!((tree.degree(), name(&tree)), (200, "S4 wr S20".to_string()));
    let rows = on_rows(&symmetric(25), 8);
    assert_eq!((rows.degree(), name(&rows)), (200, "S25".to_string()));
    assert_eq!(name(&dihedral(240)), "D240");
    assert_eq!(name(&cyclic(240)), "C240");
}

/// Groups whose orders have hundreds of digits.
#[test]
fn symmetric_groups_of_two_hundred_points() {
    let mut rng = fastrand::Rng::with_seed(200);
    for (g, expected) in [
        (symmetric(200), "S200"),
        (alternating(200), "A200"),
        (on_rows(&symmetric(100), 3), "S100"),
        (wreath_of(&symmetric(100), &symmetric(2)), "S100 wr S2"),
        (wreath_of(&symmetric(2), &symmetric(100)), "S2 wr S100"),
        (wreath_of(&symmetric(14), &symmetric(15)), "S14 wr S15"),
        (tree_with_channels(20, 20), "S20 wr S20"),
        (grid(15, 14), "S14 x S15"),
        (hypercube(8), "2^8 : S8"),
    ] {
        assert_eq!(name(&disguised(&g, &mut rng)), expected);
    }
}
