//! The certificate of chains: right ones pass, each planted fault is named.

use group::certify_chain::{ChainFault, PlainChain, certify_chain};
use group::{Chain, Group, Perm, Point};
use num_bigint::BigUint;

fn certify(group: &Group) -> Result<(), ChainFault> {
    certify_chain(group.generators(), &PlainChain::from_chain(group.chain()))
}

fn subject() -> (Group, PlainChain) {
    // Trees and, over nine points, a segment.
    let group = Group::symmetric(9).wreath(&Group::symmetric(2));
    let plain = PlainChain::from_chain(group.chain());
    (group, plain)
}

#[test]
fn right_chains_pass() {
    let s = Group::symmetric;
    let groups = [
        Group::trivial(4),
        s(2),
        s(12),
        Group::alternating(9),
        Group::cyclic(30),
        Group::dihedral(15),
        s(4).wreath(&s(3)),
        s(9).wreath(&s(2)),
        s(8).direct_product(&Group::cyclic(5)),
        Group::from_chain(s(10).chain().with_base(&[7, 3, 3, 1])),
        s(10).stabiliser_of_points(&[2, 5]),
    ];
    for group in &groups {
        assert_eq!(certify(group), Ok(()), "{:?}", group.generators());
    }
}

#[test]
fn random_chains_pass() {
    for seed in 0..150 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let degree = rng.usize(2..14);
        let generators = (0..rng.usize(1..4)).map(|_| {
            let mut image: Vec<Point> = (0..degree as Point).collect();
            let n_moved = rng.usize(..=degree);
            rng.shuffle(&mut image[..n_moved]);
            Perm::from_image(image).unwrap()
        });
        let group = Group::new(degree, generators.collect());
        assert_eq!(certify(&group), Ok(()), "seed {seed}");
    }
}

#[test]
fn a_dropped_level_is_found() {
    for level in 0..subject().1.levels.len() {
        let (group, mut plain) = subject();
        plain.levels.remove(level);
        assert!(
            certify_chain(group.generators(), &plain).is_err(),
            "level {level}"
        );
    }
}

#[test]
fn an_altered_transversal_is_found() {
    let (group, plain) = subject();
    for level in 0..plain.levels.len() {
        let mut changed = plain.clone();
        let last = changed.levels[level].transversal.len() - 1;
        let (point, u) = &mut changed.levels[level].transversal[last];
        let point = *point;
        *u = Perm::identity(18);
        assert_eq!(
            certify_chain(group.generators(), &changed),
            Err(ChainFault::Transversal { level, point })
        );
    }
}

#[test]
fn a_dropped_point_is_found() {
    let (group, plain) = subject();
    for level in 0..plain.levels.len() {
        let mut changed = plain.clone();
        changed.levels[level].transversal.pop();
        assert!(
            certify_chain(group.generators(), &changed).is_err(),
            "level {level}"
        );
    }
}

#[test]
fn a_transversal_element_from_outside_is_found() {
    // (0 1) instead of (0 1 2): same shape, another element.
    let c3 = Group::cyclic(3);
    let mut plain = PlainChain::from_chain(c3.chain());
    let swap = Perm::from_cycles(3, &[&[0, 1]]).unwrap();
    let entry = plain.levels[0]
        .transversal
        .iter_mut()
        .find(|(x, _)| *x == 1);
    entry.unwrap().1 = swap;
    let fault = certify_chain(c3.generators(), &plain);
    assert_eq!(fault, Err(ChainFault::NotClosed { level: 0 }));
}

#[test]
fn a_chain_of_a_smaller_group_lacks_a_generator() {
    let (group, _) = subject();
    let without = Group::new(18, group.generators()[1..].to_vec());
    let plain = PlainChain::from_chain(without.chain());
    let fault = certify_chain(group.generators(), &plain);
    assert_eq!(fault, Err(ChainFault::GeneratorMissing { index: 0 }));
}

#[test]
fn a_chain_with_an_extra_generator_is_too_large() {
    let a = Group::alternating(9);
    let plain = PlainChain::from_chain(Group::symmetric(9).chain());
    let reached = a.order();
    let fault = certify_chain(a.generators(), &plain);
    assert_eq!(fault, Err(ChainFault::TooLarge { reached }));
    let trivial = certify_chain(&[], &plain);
    let reached = BigUint::from(1u32);
    assert_eq!(trivial, Err(ChainFault::TooLarge { reached }));
}

/// A group put together from known ones, with its points renamed, on at most 30 points.
fn composed(rng: &mut fastrand::Rng) -> (usize, Vec<Perm>) {
    let mut group = match rng.u8(..5) {
        0 => Group::symmetric(rng.usize(7..12)),
        1 => Group::alternating(rng.usize(7..12)),
        2 => Group::dihedral(rng.usize(3..10)),
        3 => Group::symmetric(rng.usize(2..4)).wreath(&Group::symmetric(rng.usize(2..5))),
        _ => Group::symmetric(rng.usize(8..10)).wreath(&Group::cyclic(2)),
    };
    let m = group.degree();
    match rng.u8(..4) {
        0 => group = group.direct_product(&Group::symmetric(rng.usize(1..10))),
        1 => {
            // The same group on a second row of points.
            let twice = |g: &Perm| {
                let moves = g.moves().flat_map(|(x, y)| {
                    let shift = m as Point;
                    [(x, y), (x + shift, y + shift)]
                });
                Perm::from_moves(2 * m, moves.collect())
            };
            group = Group::new(2 * m, group.generators().iter().map(twice).collect());
        }
        _ => {}
    }
    let degree = group.degree();
    let mut renaming: Vec<Point> = (0..degree as Point).collect();
    rng.shuffle(&mut renaming);
    let renaming = Perm::from_image(renaming).unwrap();
    let mut generators = group.conjugate(&renaming).generators().to_vec();
    // Now and then products of all generators, which generate a part of the group only.
    if rng.u8(..3) == 0 {
        for i in 0..generators.len() {
            let j = rng.usize(..generators.len());
            generators[i] = generators[i].product(&generators[j]);
        }
    }
    (degree, generators)
}

#[test]
fn composed_groups_pass_with_any_base() {
    for seed in 0..150 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let (degree, generators) = composed(&mut rng);
        let prefix: Vec<Point> = (0..rng.usize(..8))
            .map(|_| rng.u32(..degree as u32))
            .collect();
        let chain = Chain::new(degree, &generators, &prefix);
        let plain = PlainChain::from_chain(&chain);
        assert_eq!(certify_chain(&generators, &plain), Ok(()), "seed {seed}");
        let plain = PlainChain::from_chain(&chain.with_base(&[prefix.as_slice(), &[0]].concat()));
        assert_eq!(
            certify_chain(&generators, &plain),
            Ok(()),
            "seed {seed}, new base"
        );
    }
}
