//! Parts that are wrong: each of the checks that other tests rely on is seen to fire here.

use crate::explore::{ALL, BY_DEPTH, Sort};
use crate::toy::{Deed, Rule, Test, Toy};
use crate::twin;
use base::memory::{Account, Full};
use check::{
    Broken, Code, CompactStore, Ended, Gap, Guarantee, Identity, Inserted, NodeId, Options,
    Outcome, Parts, Recall, Reducer, StopReason, Store, Symmetry, TreeStore, explore_compact,
    explore_with,
};
use std::ops::ControlFlow;
use system::{Fault, FaultKind, FaultText, Move, Rest, Scratch, StepText, System, Taken};

/// Claims to know one state that it never saw.
struct Forgetful {
    inner: TreeStore,
    dropped: Vec<u8>,
    code: Option<Code>,
}

impl Store for Forgetful {
    fn encode(&mut self, state: &[u8], account: &mut Account) -> Result<Code, Full> {
        let code = self.inner.encode(state, account)?;
        if state == self.dropped {
            self.code = Some(code);
        }
        Ok(code)
    }

    fn insert(&mut self, code: Code, account: &mut Account) -> Result<Inserted, Full> {
        if self.code == Some(code) {
            Ok(Inserted::Known)
        } else {
            self.inner.insert(code, account)
        }
    }

    fn contains(&self, code: Code) -> bool {
        self.inner.contains(code)
    }

    fn len(&self) -> usize {
        self.inner.len()
    }

    fn bytes(&self) -> u64 {
        self.inner.bytes()
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Exact
    }
}

impl Recall for Forgetful {
    fn load(&mut self, node: NodeId, out: &mut Vec<u8>) {
        self.inner.load(node, out);
    }
}

#[test]
fn a_store_that_drops_a_state_is_noticed() {
    let toy = Toy::hanoi(4);
    let (plain, depths) = twin::by_breadth(&toy);
    for dropped in depths.into_keys() {
        for order in [ALL.order, BY_DEPTH.order] {
            let mut store = Forgetful {
                inner: TreeStore::new(),
                dropped: dropped.clone(),
                code: None,
            };
            let parts = Parts {
                reducer: &mut Identity,
                store: &mut store,
            };
            let options = Options { order, ..ALL };
            let outcome = explore_with(&toy, parts, &options, &mut |_| {}).unwrap();
            assert_ne!(twin::said(&outcome).n_states, plain.n_states, "{dropped:?}");
        }
    }
}

/// Forgets what the last byte was, which is no symmetry.
struct Blur;

impl Reducer for Blur {
    fn reduce(&mut self, state: &mut [u8]) {
        if let Some(last) = state.last_mut() {
            *last = 0;
        }
    }

    fn symmetry(&mut self) -> Option<Symmetry> {
        Some(Symmetry::default())
    }

    fn apply(&self, _: &Symmetry, state: &[u8], out: &mut Vec<u8>) {
        *out = state.to_vec();
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Exact
    }
}

/// Three bits; the last may be set after the first, and the second, wrongly, after the last.
fn in_turn() -> Toy {
    let rule = |guards: &[(usize, u8)], set| Rule {
        guards: guards.iter().map(|&(at, v)| (at, Test::Is(v))).collect(),
        deeds: vec![Deed::Set(set, 1)],
        fault: None,
    };
    let mut wrong = rule(&[(2, 1), (1, 0)], 1);
    wrong.fault = Some((0, FaultKind::Assertion));
    Toy {
        initial: vec![vec![0; 3]],
        rules: vec![
            rule(&[(0, 0)], 0),
            rule(&[(0, 1), (2, 0)], 2),
            wrong,
            // Where the last bit is forgotten, this one leads to a state that is none.
            rule(&[(0, 1), (2, 0), (1, 0)], 1),
        ],
        ..Toy::default()
    }
}

fn explore(toy: &dyn System, reducer: &mut dyn Reducer) -> Result<Outcome, Broken> {
    let mut store = TreeStore::new();
    let parts = Parts {
        reducer,
        store: &mut store,
    };
    explore_with(toy, parts, &ALL, &mut |_| {})
}

#[test]
fn a_reducer_that_merges_too_much_is_noticed_by_the_counts() {
    let toy = in_turn();
    let full = twin::said(&explore(&toy, &mut Identity).unwrap());
    assert_eq!(full, twin::by_breadth(&toy).0);
    // Each representative of a reachable state must be found, and what is wrong must be found.
    let blurred = explore(&toy, &mut Blur).map(|outcome| twin::said(&outcome));
    let agrees = blurred.as_ref().is_ok_and(|blurred| {
        blurred.n_states == twin::n_representatives(&toy, &mut Blur)
            && blurred.seen.keys().eq(full.seen.keys())
    });
    assert!(!agrees, "{blurred:?}");
}

/// Takes any first byte for 1, which is no symmetry: leads to states that do not exist.
struct Invent;

impl Reducer for Invent {
    fn reduce(&mut self, state: &mut [u8]) {
        state[0] = 1;
    }

    fn symmetry(&mut self) -> Option<Symmetry> {
        Some(Symmetry::default())
    }

    fn apply(&self, _: &Symmetry, state: &[u8], out: &mut Vec<u8>) {
        *out = state.to_vec();
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Exact
    }
}

#[test]
fn a_reducer_that_invents_states_cannot_have_a_witness() {
    // The first bit is never set, and the fault needs it.
    let toy = Toy {
        initial: vec![vec![0, 0]],
        rules: vec![Rule {
            guards: vec![(0, Test::Is(1))],
            deeds: vec![Deed::Set(1, 1)],
            fault: Some((0, FaultKind::Assertion)),
        }],
        ..Toy::default()
    };
    assert!(explore(&toy, &mut Identity).unwrap().findings.is_empty());
    let broken = explore(&toy, &mut Invent).expect_err("there is no such run");
    assert_eq!((broken.n_moves, broken.missing), (0, Gap::FaultyMove));
}

/// Sorts, and says something else about it.
struct Boast {
    sort: Sort,
    symmetry: Option<Symmetry>,
    guarantee: Guarantee,
}

impl Reducer for Boast {
    fn reduce(&mut self, state: &mut [u8]) {
        self.sort.reduce(state);
    }

    fn symmetry(&mut self) -> Option<Symmetry> {
        self.symmetry.clone()
    }

    fn apply(&self, symmetry: &Symmetry, state: &[u8], out: &mut Vec<u8>) {
        self.sort.apply(symmetry, state, out);
    }

    fn guarantee(&self) -> Guarantee {
        self.guarantee
    }
}

#[test]
fn a_reducer_that_gives_a_wrong_symmetry_or_none_cannot_have_a_witness() {
    // Two counters; something goes wrong when one is 0 and the other 2. The first move, of the
    // first counter, is represented by one of the second, and so are all after it.
    let rule = |guards: &[(usize, u8)], set, fault| Rule {
        guards: guards.iter().map(|&(at, v)| (at, Test::Is(v))).collect(),
        deeds: vec![Deed::Set(set, guards[0].1 + 1)],
        fault,
    };
    let wrong = Some((0, FaultKind::Assertion));
    let rules = [0, 1].map(|at| {
        let steps = [rule(&[(at, 0)], at, None), rule(&[(at, 1)], at, None)];
        let last = rule(&[(at, 0), (1 - at, 2)], at, wrong);
        [steps[0].clone(), steps[1].clone(), last]
    });
    let toy = Toy {
        initial: vec![vec![0; 2]],
        rules: rules.concat(),
        ..Toy::default()
    };
    let found = explore(&toy, &mut Sort::default()).expect("a run");
    assert_eq!(found.findings[0].witness.n_moves(), 3);
    for (symmetry, missing) in [
        (Some(Symmetry::default()), Gap::Image),
        (None, Gap::Initial),
    ] {
        let mut boast = Boast {
            sort: Sort::default(),
            symmetry,
            guarantee: Guarantee::Exact,
        };
        let broken = explore(&toy, &mut boast).expect_err("no such run");
        assert_eq!(broken.missing, missing);
    }
}

#[test]
fn nothing_holds_for_sure_where_states_may_be_missed() {
    let options = Options {
        deadlocks: check::Attention::Ignored,
        ..ALL
    };
    for (guarantee, ended) in [
        (Guarantee::Exact, Ended::Complete),
        (Guarantee::Approximate, Ended::Complete),
        (Guarantee::Lossy, Ended::Stopped(StopReason::Approximate)),
    ] {
        let mut boast = Boast {
            sort: Sort::default(),
            symmetry: None,
            guarantee,
        };
        let outcome = check::explore(&Toy::bits(3), &mut boast, &options, &mut |_| {});
        assert_eq!(outcome.expect("no run to replay").ended, ended);
    }
}

/// What a [`Liar`] lies about.
#[derive(Clone, Copy, PartialEq)]
enum Lie {
    /// Its steps cannot be taken.
    Follow,
    /// Its steps lead elsewhere.
    Elsewhere,
    /// It has other initial states when asked again.
    Initial,
    /// It has no moves when asked again.
    Moves,
    /// It has moves where it had none, when asked again.
    Rest,
}

/// Which scratch memory it is, and the toy's.
type Numbered = (usize, Scratch);

/// A system that gives other answers in a replay than in the search: scratch memory tells it
/// which is which, since each has its own.
struct Liar {
    toy: Toy,
    lie: Lie,
    n_scratches: std::sync::atomic::AtomicUsize,
}

impl Liar {
    fn lies(&self, scratch: &Scratch, lie: Lie) -> bool {
        scratch.as_content::<Numbered>().0 > 0 && self.lie == lie
    }
}

impl System for Liar {
    fn scratch(&self) -> Scratch {
        let number = &self.n_scratches;
        let number = number.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Scratch::new((number, self.toy.scratch()))
    }

    fn initial(&self, scratch: &mut Scratch, out: &mut dyn FnMut(Result<&[u8], Fault>)) {
        if self.lies(scratch, Lie::Initial) {
            out(Ok(&[9, 9, 9]))
        } else {
            self.toy.initial(&mut scratch.content::<Numbered>().1, out)
        }
    }

    fn successors(
        &self,
        state: &[u8],
        scratch: &mut Scratch,
        out: &mut dyn FnMut(Move<'_>) -> ControlFlow<()>,
    ) -> Rest {
        if self.lies(scratch, Lie::Moves) {
            return Rest::End;
        }
        let rest = self
            .toy
            .successors(state, &mut scratch.content::<Numbered>().1, out);
        if rest == Rest::Deadlock && self.lies(scratch, Lie::Rest) {
            Rest::End
        } else {
            rest
        }
    }

    fn follow(
        &self,
        state: &[u8],
        steps: &[Taken],
        scratch: &mut Scratch,
        out: &mut dyn FnMut(Taken, &[u8], &str),
    ) -> bool {
        if self.lies(scratch, Lie::Elsewhere) {
            steps.iter().for_each(|&step| out(step, &[9, 9, 9], ""));
            return true;
        }
        let follows = self
            .toy
            .follow(state, steps, &mut scratch.content::<Numbered>().1, out);
        follows && !self.lies(scratch, Lie::Follow)
    }

    fn step_text(&self, _: &[u8], step: Taken) -> StepText {
        self.toy.step_text(&[], step)
    }

    fn describe(&self, state: &[u8], out: &mut dyn FnMut(&str, &str)) {
        self.toy.describe(state, out);
    }

    fn locations(&self, state: &[u8], out: &mut dyn FnMut(&str, &str)) {
        self.toy.locations(state, out);
    }

    fn fault_text(&self, fault: Fault) -> FaultText {
        self.toy.fault_text(fault)
    }

    fn covered<'a>(&self, scratch: &'a Scratch) -> &'a [bool] {
        self.toy.covered(&scratch.as_content::<Numbered>().1)
    }

    fn not_covered(&self, covered: &[bool]) -> Vec<StepText> {
        self.toy.not_covered(covered)
    }
}

#[test]
fn a_run_that_cannot_be_replayed_is_not_shown() {
    let expected = [
        (Lie::Follow, 0, Gap::Steps),
        (Lie::Elsewhere, 0, Gap::Steps),
        (Lie::Initial, 0, Gap::Initial),
        (Lie::Moves, 0, Gap::NextState),
        (Lie::Rest, 3, Gap::Deadlock),
    ];
    for (lie, n_moves, missing) in expected {
        let liar = Liar {
            toy: Toy::bits(3),
            lie,
            n_scratches: Default::default(),
        };
        let broken = explore(&liar, &mut Identity).expect_err(missing.words());
        assert_eq!((broken.n_moves, broken.missing), (n_moves, missing));
        assert!(broken.to_string().contains(missing.words()), "{broken}");
    }
}

#[test]
fn a_path_that_cannot_be_made_again_is_not_shown() {
    let expected = [
        (Lie::Initial, 0, Gap::FirstMove),
        (Lie::Moves, 0, Gap::FirstMove),
        (Lie::Follow, 0, Gap::Steps),
    ];
    for (lie, n_moves, missing) in expected {
        let liar = Liar {
            toy: Toy::bits(3),
            lie,
            n_scratches: Default::default(),
        };
        let mut store = CompactStore::new(64);
        let outcome = explore_compact(&liar, &mut Identity, &mut store, &ALL, &mut |_| {});
        let broken = outcome.expect_err(missing.words());
        assert_eq!((broken.n_moves, broken.missing), (n_moves, missing));
    }
}
