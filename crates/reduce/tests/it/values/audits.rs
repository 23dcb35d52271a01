//! A toy system of values: symmetric, and with planted faults that the audit must notice.
//!
//! A sort of three; a constant `owner`, any member; a variable `count`, a function from some
//! members to numbers, empty at the start. A move gives a member the number 0, or makes its number
//! 1.

use super::random::{fields, member, pair, set, sort};
use super::texts::agreed;
use super::twin::{State, Value};
use base::{SourceId, Span};
use model::values::{Ground, Signature, SortId, Type};
use reduce::audit::{Audit, What};
use reduce::canonical::Canonical;
use reduce::reducer::{Identity, Reducer};
use reduce::values::CertifiedValues;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::ControlFlow;
use system::{Fault, FaultText, Initial, Move, Rest, Scratch, StepText, System, Taken};

/// What is wrong with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Planted {
    Nothing,
    /// The last member never counts.
    LastIsLeftOut,
    /// The owner is never the first.
    OwnerIsChosen,
}

struct Toy {
    signature: Signature,
    planted: Planted,
}

impl Toy {
    fn new(planted: Planted) -> Toy {
        let mut signature = Signature {
            sorts: vec![sort("S", 3, false)],
            constants: fields(vec![member(0)]),
            variables: fields(vec![set(pair(member(0), Type::Int))]),
        };
        signature.constants[0].name = "owner".to_owned();
        Toy { signature, planted }
    }

    fn certified(&self) -> CertifiedValues {
        agreed(&self.signature, &[Ground::Unnamed])
    }

    fn state(&self, owner: usize, count: Option<&BTreeMap<usize, i64>>) -> Vec<u8> {
        let m = |n: usize| Value::Member(SortId::new(0), n);
        let variables = count.map(|count| {
            let pairs = count.iter();
            let pairs = pairs.map(|(x, n)| Value::Tuple(vec![m(*x), Value::Int(*n)]));
            vec![Value::Set(pairs.collect())]
        });
        let constants = vec![m(owner)];
        State {
            constants,
            variables,
        }
        .bytes(&self.signature)
    }

    fn next(&self, state: &[u8]) -> Vec<Vec<u8>> {
        let owner = usize::from(state[1]);
        if state[0] == 0 {
            return vec![self.state(owner, Some(&BTreeMap::new()))];
        }
        let pairs = state[3..].chunks(2);
        let count: BTreeMap<usize, i64> = pairs
            .map(|pair| (usize::from(pair[0]), i64::from(pair[1]) / 2))
            .collect();
        let mut next = Vec::new();
        for x in 0..3 {
            let n = match count.get(&x) {
                None => 0,
                Some(0) => 1,
                Some(_) => continue,
            };
            if self.planted != Planted::LastIsLeftOut || x < 2 {
                let mut count = count.clone();
                count.insert(x, n);
                next.push(self.state(owner, Some(&count)));
            }
        }
        next
    }

    fn initials(&self) -> Vec<Vec<u8>> {
        let first = usize::from(self.planted == Planted::OwnerIsChosen);
        (first..3).map(|owner| self.state(owner, None)).collect()
    }

    /// All representatives that are reached.
    fn reached(&self, reducer: &mut dyn Reducer) -> BTreeSet<Vec<u8>> {
        let mut waiting: VecDeque<Vec<u8>> = self.initials().into();
        let mut seen = BTreeSet::new();
        while let Some(mut state) = waiting.pop_front() {
            reducer.reduce(&mut state);
            if seen.insert(state.clone()) {
                waiting.extend(self.next(&state));
            }
        }
        seen
    }
}

impl System for Toy {
    fn scratch(&self) -> Scratch {
        Scratch::new(())
    }

    fn initial(&self, _: &mut Scratch, out: &mut dyn FnMut(Initial<'_>)) {
        self.initials().iter().for_each(|state| out(Ok(state)));
    }

    fn successors(
        &self,
        state: &[u8],
        _: &mut Scratch,
        out: &mut dyn FnMut(Move<'_>) -> ControlFlow<()>,
    ) -> Rest {
        let next = self.next(state);
        for state in &next {
            let flow = out(Move {
                steps: &[Taken(0)],
                faults: &[],
                state: Some(state),
                n_alike: 1,
            });
            if flow.is_break() {
                return Rest::Moves;
            }
        }
        if next.is_empty() {
            Rest::Deadlock
        } else {
            Rest::Moves
        }
    }

    fn follow(
        &self,
        _: &[u8],
        _: &[Taken],
        _: &mut Scratch,
        _: &mut dyn FnMut(Taken, &[u8], &str),
    ) -> bool {
        false
    }

    fn step_text(&self, _: &[u8], _: Taken) -> StepText {
        StepText {
            by: String::new(),
            number: 0,
            step: "count".to_owned(),
            span: Span::new(SourceId::new(0), 0..0),
            line: 1,
            within: system::Within::default(),
            parts: Vec::new(),
            message: None,
        }
    }

    fn describe(&self, _: &[u8], _: &mut dyn FnMut(&str, &str)) {}

    fn locations(&self, _: &[u8], _: &mut dyn FnMut(&str, &str)) {}

    fn fault_text(&self, fault: Fault) -> FaultText {
        FaultText {
            message: fault.kind.message().to_owned(),
            step: "count".to_owned(),
            span: Span::new(SourceId::new(0), 0..0),
            line: 1,
            within: system::Within::default(),
        }
    }

    fn covered<'a>(&self, _: &'a Scratch) -> &'a [bool] {
        &[]
    }

    fn not_covered(&self, _: &[bool]) -> Vec<StepText> {
        Vec::new()
    }
}

/// What the audit finds first on initial states and on all states.
fn found(planted: Planted) -> Option<What> {
    let toy = Toy::new(planted);
    let certified = toy.certified();
    let mut audit = Audit::new(&toy, &certified.certified());
    let initial = audit.check_initial();
    let states = toy.reached(&mut Identity);
    let all = states.iter().map(|state| audit.check(state));
    let mut all = std::iter::once(initial).chain(all);
    all.find_map(Result::err).map(|unequal| unequal.what)
}

#[test]
fn what_is_symmetric_passes_and_planted_faults_are_found() {
    assert_eq!(found(Planted::Nothing), None);
    assert_eq!(found(Planted::LastIsLeftOut), Some(What::Moves));
    assert_eq!(found(Planted::OwnerIsChosen), Some(What::Initial));
}

#[test]
fn sizes_of_orbits_sum_to_all_states() {
    let toy = Toy::new(Planted::Nothing);
    let certified = toy.certified();
    let full = toy.reached(&mut Identity);
    // Three owners; without variables, or each member without number, with 0 or with 1.
    assert_eq!(full.len(), 3 * (1 + 27));
    let mut canonical = Canonical::new(&certified.certified());
    let reduced = toy.reached(&mut canonical);
    // The owner has one of three, the other two a multiset of two of three.
    assert_eq!(reduced.len(), 1 + 3 * 6);
    let sizes = reduced.iter().map(|state| canonical.orbit_size(state));
    assert_eq!(sizes.sum::<num_bigint::BigUint>(), full.len().into());
}
