//! Permutations by hand: the right ones are accepted, each wrong one is refused for its reason.

use super::{Model, model};
use crate::counts::compile;
use group::Perm;
use model::processes::passes::Setting;
use model::processes::population::Start;
use model::processes::program::StepId;
use reduce::processes::certify::{CertifiedProcesses, Rejected, certify, certify_given};
use reduce::processes::structure::Bearer;

/// Processes that take turns by hand, with a special one.
const MUTEX: &str = "
    byte turn = 9, special;
    bool flag[3];
    byte left, right;
    proctype P(byte me) {
        do
        :: turn == 9 -> turn = me
        :: turn == me -> flag[me] = 1; left = 5; turn = 9; flag[me] = 0
        :: turn == me -> right = 5; turn = 9
        :: left = 0
        :: right = 0
        od
    }
    proctype Boss(byte me) {
        do
        :: turn == 9 -> turn = me
        :: turn == me -> special++; turn = 9
        od
    }
    init { atomic { run P(0); run P(1); run Boss(2) } }";

/// All that bears state and could move.
fn bearers(model: &Model) -> Vec<Bearer> {
    model.candidates.bearers.clone()
}

/// A variable by name.
fn field(model: &Model, name: &str) -> Bearer {
    let is = |bearer: &&Bearer| match bearer {
        Bearer::Field(kind, field) => {
            model.sorts.text.layout.kind(*kind).fields[field.index()].name == name
        }
        _ => false,
    };
    *model
        .candidates
        .bearers
        .iter()
        .find(is)
        .unwrap_or_else(|| panic!("no variable {name}"))
}

/// A member of the class of a variable.
fn member(model: &Model, name: &str, value: i32) -> Bearer {
    let Bearer::Field(kind, f) = field(model, name) else {
        panic!("{name} is no variable")
    };
    Bearer::Member(model.sorts.fields[kind.index()][f.index()].value, value)
}

/// The permutation that exchanges these.
fn swaps(model: &Model, pairs: &[(Bearer, Bearer)]) -> Perm {
    let bearers = bearers(model);
    let at = |bearer: Bearer| {
        let found = bearers.iter().position(|other| *other == bearer);
        found.unwrap_or_else(|| panic!("{bearer:?} is not there")) as u32
    };
    let moves = pairs
        .iter()
        .flat_map(|(a, b)| [(at(*a), at(*b)), (at(*b), at(*a))]);
    Perm::from_moves(bearers.len(), moves.collect())
}

fn given(model: &Model, pairs: &[(Bearer, Bearer)]) -> CertifiedProcesses {
    let generator = swaps(model, pairs);
    certify_given(
        &model.sorts,
        &model.population,
        &bearers(model),
        &[generator],
    )
}

/// Exchanges these, and looks for `wanted` in the reason that is given against it.
#[track_caller]
fn refused(model: &Model, pairs: &[(Bearer, Bearer)], wanted: &str) -> Rejected {
    let certified = given(model, pairs);
    assert!(certified.group().is_trivial());
    let [rejected] = certified.rejected() else {
        panic!("accepted instead of {wanted}")
    };
    assert!(
        rejected.reason.contains(wanted),
        "{rejected:?} instead of {wanted}"
    );
    rejected.clone()
}

fn processes(a: i32, b: i32) -> (Bearer, Bearer) {
    (Bearer::Process(a), Bearer::Process(b))
}

#[test]
fn an_exchange_of_processes_with_their_ids_is_accepted() {
    let model = model(MUTEX);
    let ids = (member(&model, "turn", 0), member(&model, "turn", 1));
    let certified = given(&model, &[processes(1, 2), ids]);
    assert_eq!(certified.rejected(), []);
    assert_eq!(certified.group().order(), 2u32.into());
}

#[test]
fn the_order_of_bearers_does_not_matter() {
    let model = model(MUTEX);
    let mut bearers = bearers(&model);
    bearers.reverse();
    let n = bearers.len();
    let ids = (member(&model, "turn", 0), member(&model, "turn", 1));
    let at = |b: Bearer| bearers.iter().position(|other| *other == b).expect("there") as u32;
    let pairs = [processes(1, 2), ids];
    let moves = pairs
        .iter()
        .flat_map(|(a, b)| [(at(*a), at(*b)), (at(*b), at(*a))]);
    let generator = Perm::from_moves(n, moves.collect());
    let certified = certify_given(&model.sorts, &model.population, &bearers, &[generator]);
    assert_eq!(certified.rejected(), []);
    assert_eq!(certified.group().order(), 2u32.into());
}

#[test]
fn a_process_is_not_a_special_one() {
    let model = model(MUTEX);
    let ids = (member(&model, "turn", 0), member(&model, "turn", 2));
    refused(&model, &[processes(1, 3), ids], "would not go with it");
}

#[test]
fn ids_go_with_their_processes() {
    let model = model(MUTEX);
    refused(
        &model,
        &[processes(1, 2)],
        "`me` is 0 after the making and would be 1",
    );
    let ids = (member(&model, "turn", 0), member(&model, "turn", 1));
    refused(&model, &[ids], "`me` is 0 after the making");
}

#[test]
fn a_literal_tells_members_apart() {
    let model = model(MUTEX);
    let ids = (member(&model, "turn", 0), member(&model, "turn", 9));
    let rejected = refused(&model, &[ids], "do not hold the same");
    assert_eq!(rejected.line, 0);
    let text = "
        byte turn = 9;
        active [3] proctype P() {
            do
            :: turn == 9 -> turn = _pid
            :: turn == 2 -> turn = 9
            od
        }";
    let model = super::model(text);
    let ids = (member(&model, "turn", 1), member(&model, "turn", 2));
    let rejected = refused(&model, &[processes(1, 2), ids], "`turn == 2`");
    assert_eq!(rejected.line, 6);
    let ids = (member(&model, "turn", 0), member(&model, "turn", 1));
    assert_eq!(given(&model, &[processes(0, 1), ids]).rejected(), []);
}

#[test]
fn variables_of_different_use_are_not_exchanged() {
    let model = model(MUTEX);
    refused(
        &model,
        &[(field(&model, "turn"), field(&model, "special"))],
        "do not hold the same",
    );
    refused(
        &model,
        &[(field(&model, "left"), field(&model, "right"))],
        "hold the same",
    );
    let text = "
        byte a, b;
        active proctype P() { do :: a++ :: b++ :: a = 3 od }";
    let model = super::model(text);
    let rejected = refused(
        &model,
        &[(field(&model, "a"), field(&model, "b"))],
        "step like it",
    );
    assert_eq!(rejected.line, 3);
}

#[test]
fn variables_of_equal_use_are_exchanged() {
    let text = "
        byte a, b;
        active proctype P() { do :: a++ :: b++ od }";
    let model = model(text);
    let certified = given(&model, &[(field(&model, "a"), field(&model, "b"))]);
    assert_eq!(certified.rejected(), []);
    // The steps are exchanged: who has taken one has taken both, as far as coverage goes.
    let map = &certified.steps()[0];
    let (from, to) = map
        .iter()
        .enumerate()
        .find(|(n, to)| *n != to.index())
        .expect("a move");
    assert_eq!(map[to.index()], StepId::new(from));
    let mut covered = vec![false; map.len()];
    covered[from] = true;
    certified.close_coverage(&mut covered);
    let n_covered = covered.iter().filter(|covered| **covered).count();
    assert_eq!((covered[to.index()], n_covered), (true, 2));
}

#[test]
fn steps_that_were_put_in_do_not_disturb_coverage() {
    let text = "
        bool flag[2]; byte n;
        active [2] proctype P() {
            byte j;
            do
            :: atomic { n = 0; j = 0; do :: j < 2 -> n = n + flag[j]; j++ :: else -> break od }
            :: flag[_pid] = 1
            od
        }";
    let model = model(text);
    assert_eq!(model.sorts.unordered.len(), 1, "a loop is replaced");
    let certified = certify(&model.sorts, &model.population, &model.candidates);
    assert_eq!(certified.group().order(), 2u32.into());
    let n_steps = model.machine.model().steps.len();
    assert!(certified.steps()[0].len() > n_steps);
    let mut covered: Vec<bool> = (0..n_steps).map(|n| n % 2 == 0).collect();
    let before = covered.clone();
    certified.close_coverage(&mut covered);
    assert_eq!(covered, before, "one type: every step goes to itself");
}

#[test]
fn locations_are_not_exchanged_against_the_text() {
    let model = model(MUTEX);
    let is_location = |b: &&Bearer| matches!(b, Bearer::Location(..));
    let all: Vec<Bearer> = bearers(&model)
        .iter()
        .filter(is_location)
        .copied()
        .collect();
    let mut n = 0;
    for (i, a) in all.iter().enumerate() {
        for b in &all[..i] {
            let certified = given(&model, &[(*a, *b)]);
            n += certified.rejected().len();
            assert!(certified.group().is_trivial(), "{a:?} {b:?}");
        }
    }
    assert!(n > 10, "{n} were refused");
}

#[test]
fn init_stays() {
    let model = model(MUTEX);
    refused(&model, &[processes(0, 1)], "");
}

#[test]
fn channels_of_another_size_are_not_exchanged() {
    let text = "
        chan a = [1] of { byte }, b = [2] of { byte };
        byte n;
        active proctype P() { do :: a!n :: b!n :: a?n :: b?n od }";
    let model = model(text);
    let channels = (Bearer::Channel(1), Bearer::Channel(2));
    let variables = (field(&model, "a"), field(&model, "b"));
    refused(
        &model,
        &[channels, variables],
        "what names it would not go with it",
    );
    let numbers = (member(&model, "a", 1), member(&model, "b", 2));
    refused(&model, &[channels, variables, numbers], "hold the same");
}

#[test]
fn natures_do_not_mix() {
    let model = model(MUTEX);
    let pair = (Bearer::Process(1), field(&model, "left"));
    refused(&model, &[pair], "another nature");
    let bearers = [Bearer::Process(1), Bearer::Process(77)];
    let generator = Perm::from_moves(2, vec![(0, 1), (1, 0)]);
    let certified = certify_given(&model.sorts, &model.population, &bearers, &[generator]);
    assert!(certified.rejected()[0].reason.contains("not there"));
    let twice = [Bearer::Process(1), Bearer::Process(2), Bearer::Process(1)];
    let generator = Perm::from_moves(3, vec![(0, 1), (1, 0)]);
    let certified = certify_given(&model.sorts, &model.population, &twice, &[generator]);
    assert!(certified.rejected()[0].reason.contains("twice"));
}

/// Whether `a` and `b` can be exchanged, together with some two locations.
fn a_and_b_are_alike(model: &Model) -> bool {
    let fields = (field(model, "a"), field(model, "b"));
    let zeros = (member(model, "a", 0), member(model, "b", 0));
    let ones = (member(model, "a", 1), member(model, "b", 1));
    let mut locations = bearers(model);
    locations.retain(|bearer| matches!(bearer, Bearer::Location(..)));
    let mut accepted = given(model, &[fields, zeros, ones]).rejected().is_empty();
    for (i, from) in locations.iter().enumerate() {
        for to in &locations[..i] {
            let certified = given(model, &[fields, zeros, ones, (*from, *to)]);
            accepted |= certified.rejected().is_empty();
        }
    }
    assert_eq!(
        accepted,
        !model.candidates.generators.is_empty(),
        "the graph knows as well"
    );
    accepted
}

#[test]
fn the_order_of_options_matters_in_a_deterministic_block() {
    let alike = |block: &str| {
        let text = format!(
            "byte a, b;
             active proctype P() {{ do :: {block} {{ if :: a == 0 -> a = 1 \
             :: b == 0 -> b = 1 :: else fi }} :: a = 0 :: b = 0 od }}"
        );
        a_and_b_are_alike(&model(&text))
    };
    assert!(alike("atomic"));
    assert!(!alike("d_step"));
}

#[test]
fn else_tells_what_is_before_it_from_what_is_after_it() {
    let alike = |order: &str| {
        let text = format!(
            "byte a, b;
             active proctype P() {{ do {order} :: a = 1 :: b = 1 od }}"
        );
        a_and_b_are_alike(&model(&text))
    };
    // The steps of the inner choice start where those of the outer one do.
    assert!(alike(
        ":: if :: a == 1 -> a = 0 :: b == 1 -> b = 0 :: else fi"
    ));
    assert!(!alike(
        ":: if :: a == 1 -> a = 0 :: else fi :: b == 1 -> b = 0"
    ));
}

#[test]
fn a_trace_leaves_no_symmetry() {
    let text = |trace: &str| {
        format!(
            "chan a = [1] of {{ byte }}, b = [1] of {{ byte }};
             {trace}
             active proctype P() {{ do :: a!1 :: b!1 :: a?1 :: b?1 od }}"
        )
    };
    let mut model = model(&text(""));
    let certified = certify(&model.sorts, &model.population, &model.candidates);
    assert!(!certified.group().is_trivial());
    let bound = compile(&text("trace { do :: a!1 :: a?1 od }"), &[]).expect("a model");
    model.sorts.text.trace = bound.machine(Setting::Plain).model().trace.clone();
    assert!(model.sorts.text.trace.is_some());
    let certified = certify(&model.sorts, &model.population, &model.candidates);
    assert!(certified.group().is_trivial());
    assert!(certified.rejected()[0].reason.contains("trace"));
    assert!(super::prepare(&bound, Setting::Plain).is_none());
}

#[test]
fn processes_that_end_keep_their_order() {
    let text = "
        byte n;
        active [2] proctype P() { n = 1; n = 0; (_nr_pr < 2); assert(n < 2) }";
    let compiled = compile(text, &[]).expect("a model");
    let model = super::prepare(&compiled, Setting::Plain).expect("a making");
    refused(&model, &[processes(0, 1)], "");
    let class = model.sorts.pids[0];
    let ids = (Bearer::Member(class, 0), Bearer::Member(class, 1));
    refused(&model, &[processes(0, 1), ids], "latest must end first");
}

#[test]
fn what_never_changes_stays_also_where_the_start_need_not() {
    let mut model = model(MUTEX);
    // The ids of the processes are left behind: they would be those of each other.
    let bearers = bearers(&model);
    let at = |bearer: Bearer| bearers.iter().position(|b| *b == bearer).expect("a bearer") as u32;
    let (a, b) = (at(Bearer::Process(1)), at(Bearer::Process(2)));
    let alone = Perm::from_moves(bearers.len(), vec![(a, b), (b, a)]);
    for start in [Start::Kept, Start::Free] {
        model.population.start = start;
        let generators = std::slice::from_ref(&alone);
        let certified = certify_given(&model.sorts, &model.population, &bearers, generators);
        let reasons: Vec<&str> = certified.rejected().iter().map(|r| &*r.reason).collect();
        assert!(certified.group().is_trivial(), "{start:?}");
        assert!(
            matches!(reasons[..], [why] if why.contains("`me`")),
            "{start:?}: {reasons:?}"
        );
    }
}
