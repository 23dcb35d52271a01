//! Block systems against a search over all subsets, with their action and kernel.

use group::blocks::{
    BlockSystem, TooManyBlockSystems, all_block_systems, block_action, block_kernel, is_primitive,
    is_primitive_on_orbit, minimal_block, minimal_block_systems, some_block_systems,
};
use group::{Group, Perm, Point};
use num_bigint::BigUint;

use crate::sample_groups::{
    alternating, cyclic, dihedral, direct_product, elements, hypercube, on_pairs, projective_line,
    random_group, symmetric, wreath,
};

fn group_of(generators: Vec<Perm>) -> Group {
    Group::new(generators[0].degree(), generators)
}

fn block_lengths(systems: &[BlockSystem]) -> Vec<usize> {
    systems.iter().map(|s| s.blocks()[0].len()).collect()
}

/// By definition: each image of the block is the block or has no point in common with it.
fn is_block(all: &[Perm], block: &[Point]) -> bool {
    all.iter().all(|g| {
        let n_common = block.iter().filter(|&&x| block.contains(&g.at(x))).count();
        n_common == 0 || n_common == block.len()
    })
}

/// All blocks that hold `point`, from the definition, neither one point nor the orbit.
fn plain_blocks(all: &[Perm], point: Point) -> Vec<Vec<Point>> {
    let mut orbit: Vec<Point> = all.iter().map(|g| g.at(point)).collect();
    orbit.sort_unstable();
    orbit.dedup();
    let mut blocks = Vec::new();
    for mask in 0u32..1 << orbit.len() {
        let block: Vec<Point> = (0..orbit.len())
            .filter(|i| mask >> i & 1 == 1)
            .map(|i| orbit[i])
            .collect();
        let is_proper = block.len() > 1 && block.len() < orbit.len() && block.contains(&point);
        if is_proper && is_block(all, &block) {
            blocks.push(block);
        }
    }
    blocks.sort_unstable_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    blocks
}

fn blocks_at(systems: &[BlockSystem], point: Point) -> Vec<Vec<Point>> {
    let at = |s: &BlockSystem| s.blocks()[s.block_of(point).unwrap()].clone();
    systems.iter().map(at).collect()
}

/// What is wrong with a list of block systems, if anything: their blocks at `point` must be those
/// of `plain`, in that order, and each system must be the images of its block.
fn fault_of_systems(
    systems: &[BlockSystem],
    all: &[Perm],
    plain: &[Vec<Point>],
    point: Point,
) -> Option<String> {
    let at = blocks_at(systems, point);
    if at != plain {
        return Some(format!("{at:?} in place of {plain:?}"));
    }
    let images = |block: &Vec<Point>| {
        let image = |g: &Perm| {
            let mut image: Vec<Point> = block.iter().map(|&x| g.at(x)).collect();
            image.sort_unstable();
            image
        };
        let mut images: Vec<Vec<Point>> = all.iter().map(image).collect();
        images.sort_unstable();
        images.dedup();
        images
    };
    let wrong = |(system, block): &(&BlockSystem, &Vec<Point>)| system.blocks() != images(block);
    let found = systems.iter().zip(plain).find(wrong);
    found.map(|(system, block)| format!("{:?} at {block:?}", system.blocks()))
}

fn minimal_of(plain: &[Vec<Point>]) -> Vec<Vec<Point>> {
    let inside = |a: &Vec<Point>, b: &Vec<Point>| a != b && a.iter().all(|x| b.contains(x));
    let least = plain.iter().filter(|b| !plain.iter().any(|a| inside(a, b)));
    least.cloned().collect()
}

#[test]
fn block_systems_agree_with_the_definition() {
    let mut n_imprimitive = 0;
    for seed in 0..1200 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let degree = if seed % 12 == 0 { 8 } else { rng.usize(1..8) };
        let group = random_group(&mut rng, degree);
        let all = elements(&group);
        let point = rng.u32(0..degree as u32);
        let plain = plain_blocks(&all, point);
        let systems = all_block_systems(&group, point, 1000).unwrap();
        let fault = fault_of_systems(&systems, &all, &plain, point);
        assert_eq!(fault, None, "seed {seed}");
        let minimal = minimal_block_systems(&group, point);
        let fault = fault_of_systems(&minimal, &all, &minimal_of(&plain), point);
        assert_eq!(fault, None, "minimal, seed {seed}");
        assert_eq!(
            is_primitive_on_orbit(&group, point),
            plain.is_empty(),
            "seed {seed}"
        );
        n_imprimitive += usize::from(!plain.is_empty());
    }
    assert!(
        n_imprimitive > 100,
        "only {n_imprimitive} groups had blocks"
    );
}

#[test]
fn wrong_block_systems_are_noticed() {
    let ring = group_of(cyclic(12));
    let all = elements(&ring);
    let plain = plain_blocks(&all, 0);
    let right = all_block_systems(&ring, 0, 10).unwrap();
    let fault = |systems: &[BlockSystem]| fault_of_systems(systems, &all, &plain, 0).is_some();
    assert!(!fault(&right));
    assert!(fault(&right[1..]), "one is missing");
    assert!(
        fault(&[&right[..], &right[3..]].concat()),
        "one stands twice"
    );
    let swapped = [&right[1..2], &right[..1], &right[2..]].concat();
    assert!(fault(&swapped), "in another order");
    // The right block at 0, and other blocks elsewhere.
    let mut blocks = right[0].blocks().to_vec();
    assert_eq!(blocks[1..3], [[1, 7], [2, 8]]);
    (blocks[1], blocks[2]) = (vec![1, 8], vec![2, 7]);
    let torn = BlockSystem::from_blocks(12, blocks).unwrap();
    assert!(
        fault(&[&[torn], &right[1..]].concat()),
        "no images of the block"
    );
    let not_minimal = fault_of_systems(&right, &all, &minimal_of(&plain), 0);
    assert!(not_minimal.is_some(), "4 and 6 are no minimal lengths");
}

#[test]
fn minimal_blocks_agree_with_a_plain_closure() {
    for seed in 0..800 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let n = rng.usize(1..9);
        let group = random_group(&mut rng, n);
        let seed_points: Vec<Point> = (0..rng.usize(1..4)).map(|_| rng.u32(0..n as u32)).collect();
        let found = minimal_block(&group, &seed_points);
        let mut related = vec![vec![false; n]; n];
        (0..n).for_each(|x| related[x][x] = true);
        for &x in &seed_points {
            related[seed_points[0] as usize][x as usize] = true;
        }
        close(&mut related, group.generators());
        for (x, row) in related.iter().enumerate() {
            for (y, &is_related) in row.iter().enumerate() {
                let together = found.block_of(x as Point) == found.block_of(y as Point);
                assert_eq!(together, is_related, "{x} {y}, seed {seed}");
            }
        }
    }
}

/// Symmetry, transitivity and the generators, until nothing changes.
fn close(related: &mut [Vec<bool>], generators: &[Perm]) {
    let n = related.len();
    let mut changed = true;
    while changed {
        changed = false;
        for x in 0..n {
            for y in (0..n).filter(|&y| related[x][y]).collect::<Vec<_>>() {
                let mut pairs = vec![(y, x)];
                pairs.extend((0..n).filter(|&z| related[y][z]).map(|z| (x, z)));
                let image = |g: &Perm, x: usize| g.at(x as Point) as usize;
                pairs.extend(generators.iter().map(|g| (image(g, x), image(g, y))));
                for (a, b) in pairs {
                    changed |= !std::mem::replace(&mut related[a][b], true);
                }
            }
        }
    }
}

#[test]
fn action_and_kernel_share_the_order() {
    for seed in 0..600 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let degree = rng.usize(2..9);
        let group = random_group(&mut rng, degree);
        let point = rng.u32(0..degree as u32);
        for system in all_block_systems(&group, point, 1000).unwrap() {
            let action = block_action(&group, &system).unwrap();
            let kernel = block_kernel(&group, &system);
            assert_eq!(
                action.order() * kernel.order(),
                group.order(),
                "seed {seed}"
            );
            let keeps = |g: &Perm, x: Point| system.block_of(g.at(x)) == system.block_of(x);
            for g in kernel.generators() {
                assert!(group.contains(g), "seed {seed}");
                assert!((0..degree as Point).all(|x| keeps(g, x)), "seed {seed}");
            }
        }
    }
}

#[test]
fn known_block_systems() {
    let cube = group_of(hypercube(3));
    let systems = all_block_systems(&cube, 0, 10).unwrap();
    assert_eq!(blocks_at(&systems, 0), [vec![0, 7], vec![0, 3, 5, 6]]);
    assert_eq!(
        block_action(&cube, &systems[0]).unwrap().order(),
        BigUint::from(24u32)
    );
    assert_eq!(
        block_kernel(&cube, &systems[0]).order(),
        BigUint::from(2u32)
    );

    let ring = group_of(cyclic(12));
    assert_eq!(
        block_lengths(&all_block_systems(&ring, 0, 10).unwrap()),
        [2, 3, 4, 6]
    );
    assert_eq!(block_lengths(&minimal_block_systems(&ring, 5)), [2, 3]);

    assert!(is_primitive(&group_of(symmetric(6))));
    assert!(is_primitive(&group_of(alternating(7))));
    assert!(is_primitive(&group_of(projective_line(23))));
    assert!(is_primitive(&group_of(on_pairs(&symmetric(7)))));
    assert!(is_primitive(&group_of(dihedral(7))));
    assert!(!is_primitive(&group_of(dihedral(8))));
    assert!(!is_primitive(&group_of(wreath(
        3,
        &symmetric(3),
        &symmetric(4)
    ))));
    let product = group_of(direct_product(&symmetric(3), &cyclic(4)));
    assert!(!is_primitive(&product), "not transitive");
    assert!(is_primitive_on_orbit(&product, 0) && !is_primitive_on_orbit(&product, 3));
    assert!(is_primitive(&Group::new(1, vec![])) && !is_primitive(&Group::new(2, vec![])));
}

#[test]
fn degree_one_thousand() {
    let ring = group_of(dihedral(1000));
    let lengths = block_lengths(&all_block_systems(&ring, 0, 100).unwrap());
    // Every proper divisor of 1000 but 1.
    assert_eq!(
        lengths,
        [2, 4, 5, 8, 10, 20, 25, 40, 50, 100, 125, 200, 250, 500]
    );
    let cube = group_of(hypercube(10));
    let systems = all_block_systems(&cube, 0, 100).unwrap();
    assert_eq!(
        block_lengths(&systems),
        [2, 512],
        "antipodes and the two colours"
    );
    let kernel = block_kernel(&cube, &systems[1]);
    assert_eq!(kernel.order() * 2u32, cube.order());
}

#[test]
fn the_limit_is_an_error() {
    // The block systems of a regular group are its subgroups: here the subspaces of dimensions 1
    // to 4 of a space of dimension 5 over two elements.
    let n_systems = 31 + 155 + 155 + 31;
    let translations = (0..5).map(|i| Perm::from_image((0..32).map(|x| x ^ (1 << i)).collect()));
    let group = group_of(translations.map(Option::unwrap).collect());
    let all = all_block_systems(&group, 0, n_systems).unwrap();
    assert_eq!(all.len(), n_systems);
    let n_max = n_systems - 1;
    let stopped = all_block_systems(&group, 0, n_max);
    assert_eq!(stopped, Err(TooManyBlockSystems { n_max }));
    // Where some are enough, the shortest of those found come.
    let some = some_block_systems(&group, 0, 40);
    assert_eq!(some.len(), 40);
    assert_eq!(block_lengths(&some)[..31], [2; 31]);
    assert!(some.iter().all(|system| all.contains(system)));
}

#[test]
fn foreign_blocks_are_refused() {
    let systems = all_block_systems(&group_of(dihedral(6)), 0, 10).unwrap();
    assert!(block_action(&group_of(symmetric(6)), &systems[0]).is_none());
    // Blocks of unequal lengths that a generator seems to exchange.
    let uneven = BlockSystem::from_blocks(3, vec![vec![0, 1], vec![2]]).unwrap();
    assert!(block_action(&group_of(symmetric(3)), &uneven).is_none());
}

#[test]
fn blocks_given_by_hand_are_checked() {
    let given = |blocks: &[&[Point]]| {
        BlockSystem::from_blocks(4, blocks.iter().map(|b| b.to_vec()).collect())
    };
    let system = given(&[&[3, 1], &[2, 0]]).unwrap();
    assert_eq!(system.blocks(), [vec![0, 2], vec![1, 3]]);
    assert_eq!(
        block_action(&group_of(cyclic(4)), &system).unwrap().order(),
        BigUint::from(2u32)
    );
    assert!(given(&[&[0, 2], &[]]).is_none(), "an empty block");
    assert!(given(&[&[0, 2], &[2, 3]]).is_none(), "overlapping blocks");
    assert!(given(&[&[0, 0]]).is_none(), "a point twice");
    assert!(given(&[&[0, 4]]).is_none(), "a point beyond the degree");
}
