//! What is certified, and what is not.

use super::random::{fields, member, set, sort};
use super::texts::{Naming, Silent, agreed};
use base::{Clock, Over};
use model::values::{Ground, Objection, Part, Signature, SortId};
use num_bigint::BigUint;
use reduce::values::{ApartReason, CertifiedValues, certify};

fn signature() -> Signature {
    Signature {
        sorts: vec![sort("A", 3, false), sort("B", 4, true), sort("C", 2, false)],
        constants: fields(vec![member(0)]),
        variables: fields(vec![set(member(1))]),
    }
}

fn certified(b: Ground) -> CertifiedValues {
    agreed(&signature(), &[Ground::Unnamed, b, Ground::Unnamed])
}

#[track_caller]
fn assert_apart(ground: Ground, reason: ApartReason) {
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
    assert_apart(Ground::Unnamed, ApartReason::Named);
    assert_apart(
        Ground::Apart("it is counted off".to_owned()),
        ApartReason::Told("it is counted off".to_owned()),
    );
    let blocks = |blocks: &[&[usize]]| {
        Ground::Exchanged(blocks.iter().map(|block| block.to_vec()).collect())
    };
    assert_apart(blocks(&[&[0, 4]]), ApartReason::NoMember(4));
    assert_apart(blocks(&[&[0, 1], &[1, 2]]), ApartReason::TwoBlocks(1));
    assert_apart(blocks(&[&[2, 2]]), ApartReason::TwoBlocks(2));
    let nothing = agreed(&signature(), &[]);
    assert!(nothing.is_trivial());
    assert_eq!(nothing.apart()[0].reason, ApartReason::Unknown);
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
    let certified = agreed(&signature, &grounds);
    assert_eq!(certified.group().order(), BigUint::from(6u32));
    assert_eq!(certified.apart(), []);
}

/// What is left of grounds of which the text says that these members of a sort are named.
fn against(sort: usize, named: &[usize]) -> CertifiedValues {
    let grounds = [
        Ground::Unnamed,
        Ground::Exchanged(vec![vec![3, 0, 1]]),
        Ground::Unnamed,
    ];
    let named = named.iter().map(|member| (SortId::new(sort), *member));
    let text = Naming(named.collect());
    certify(&signature(), &grounds, &text, Clock::ENDLESS)
}

#[test]
fn a_sort_said_to_be_unnamed_stays_if_the_text_names_a_member() {
    let certified = against(0, &[2]);
    assert_eq!(certified.order(), BigUint::from(6u32), "B alone");
    assert_eq!(certified.blocks()[0], Vec::<Vec<usize>>::new());
    assert_eq!(certified.apart(), []);
    let [rejected] = certified.rejected() else {
        panic!("{:?}", certified.rejected());
    };
    assert_eq!(rejected.sort, SortId::new(0));
    assert_eq!(rejected.members, [0, 1, 2]);
    let place = rejected.objection.place().expect("a place");
    assert_eq!(place.part, Part::Invariant);
    assert_eq!(
        rejected.objection.to_string(),
        "the invariant names one of them"
    );
}

#[test]
fn members_leave_a_block_one_by_one() {
    let certified = against(1, &[0]);
    assert_eq!(certified.blocks()[1], [vec![3, 1]]);
    let [rejected] = certified.rejected() else {
        panic!("{:?}", certified.rejected());
    };
    assert_eq!(rejected.members, [3, 0]);
    let words = rejected.objection.to_string();
    assert_eq!(words, "the invariant would not stay the same");
    // Who is like no other is in no block.
    let certified = against(1, &[0, 1]);
    assert_eq!(certified.blocks()[1], Vec::<Vec<usize>>::new());
    assert_eq!(certified.rejected().len(), 2);
    assert_eq!(certified.order(), BigUint::from(6u32), "A alone");
    assert_eq!(against(1, &[2]).rejected(), [], "2 is in no block");
}

#[test]
fn what_there_is_no_time_to_check_is_not_used() {
    let over = Clock::of(Some(std::time::Duration::ZERO));
    let grounds = [Ground::Unnamed, Ground::Exchanged(vec![vec![3, 0, 1]])];
    let certified = certify(&signature(), &grounds, &Silent, over);
    assert!(certified.is_trivial());
    let [a, b] = certified.rejected() else {
        panic!("{:?}", certified.rejected());
    };
    assert_eq!(
        (&a.members[..], &b.members[..]),
        (&[0, 1, 2][..], &[3, 0, 1][..])
    );
    assert_eq!(a.objection, Objection::Unchecked(Over::Time));
    assert_eq!(b.objection, Objection::Unchecked(Over::Time));
}
