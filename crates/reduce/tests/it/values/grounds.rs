//! What is certified, and what is not.

use super::random::{fields, member, set, sort};
use model::values::{Ground, Signature, SortId};
use num_bigint::BigUint;
use reduce::values::{Certified, certify};

fn signature() -> Signature {
    Signature {
        sorts: vec![sort("A", 3, false), sort("B", 4, true), sort("C", 2, false)],
        constants: fields(vec![member(0)]),
        variables: fields(vec![set(member(1))]),
    }
}

fn certified(b: Ground) -> Certified {
    certify(&signature(), &[Ground::Unnamed, b, Ground::Unnamed])
}

#[track_caller]
fn assert_apart(ground: Ground, reason: &str) {
    let certified = certified(ground);
    let [apart] = certified.apart() else {
        panic!("{:?}", certified.apart());
    };
    assert_eq!(apart.sort, SortId::new(1));
    assert_eq!(apart.reason, reason);
    assert_eq!(certified.group().order(), BigUint::from(6u32));
}

#[test]
fn blocks_make_a_product_of_symmetric_groups_on_what_states_show() {
    let certified = certified(Ground::Exchanged(vec![vec![3, 0], vec![1, 2]]));
    assert_eq!(certified.apart(), []);
    // No state holds members of C.
    assert_eq!(certified.group().order(), BigUint::from(24u32));
    assert_eq!(certified.order(), BigUint::from(24u32));
    let generators = certified.group().generators().iter();
    let cycles: Vec<String> = generators.map(|g| certified.cycles(g)).collect();
    assert_eq!(cycles, ["(A1 A2)", "(A1 A2 A3)", "(B1 B4)", "(B2 B3)"]);
}

#[test]
fn grounds_that_do_not_fit_move_nothing_and_say_why() {
    assert_apart(Ground::Unnamed, "the model names its members");
    assert_apart(
        Ground::Apart("it is counted off".to_owned()),
        "it is counted off",
    );
    let blocks = |blocks: &[&[usize]]| {
        Ground::Exchanged(blocks.iter().map(|block| block.to_vec()).collect())
    };
    assert_apart(blocks(&[&[0, 4]]), "it has no member 4");
    assert_apart(blocks(&[&[0, 1], &[1, 2]]), "member 1 is in two blocks");
    assert_apart(blocks(&[&[2, 2]]), "member 2 is in two blocks");
    let nothing = certify(&signature(), &[]);
    assert!(nothing.is_trivial());
    assert_eq!(
        nothing.apart()[0].reason,
        "nothing is known about its members"
    );
}

#[test]
fn what_follows_from_a_sort_alone_is_little() {
    let signature = signature();
    assert_eq!(Ground::of(&signature.sorts[0]), Ground::Unnamed);
    assert_eq!(
        Ground::of(&signature.sorts[1]),
        Ground::Exchanged(Vec::new())
    );
    let grounds: Vec<Ground> = signature.sorts.iter().map(Ground::of).collect();
    let certified = certify(&signature, &grounds);
    assert_eq!(certified.group().order(), BigUint::from(6u32));
    assert_eq!(certified.apart(), []);
}
