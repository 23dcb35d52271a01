//! Infinite runs of processes that are alike: the search on representatives against a plain search
//! of the whole product, with and without fairness; and faults that must be noticed.
//!
//! A crowd has some processes with a small local state each, and one reference to a process. What
//! each may do is given by rules that treat all alike, so that every permutation is a symmetry.

use crate::explore::ALL;
use check::temporal::{
    Beside, Carry, Claim, ClaimEdge, ClaimState, Fairness, MOVES_MAX, Product, Wanted, search,
};
use check::{Ended, Guarantee, Identity, Reducer, Symmetry};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use system::SiteId;
use system::{Fault, FaultKind, FaultText, Initial, Move, Rest, Scratch, StepText, System, Taken};

/// Processes with a byte each; behind them the number of one of them.
#[derive(Clone, Debug)]
pub struct Crowd {
    pub n: usize,
    pub rules: Vec<Rule>,
    pub atoms: Vec<Atom>,
}

#[derive(Clone, Debug)]
pub struct Rule {
    /// The local state before and after.
    pub from: u8,
    pub to: u8,
    /// What must hold of the one referred to.
    pub holder: Holder,
    /// Whether another process must be, or must not be, in that local state.
    pub other: Option<(u8, bool)>,
    pub refer: Refer,
}

#[derive(Clone, Copy, Debug)]
pub enum Holder {
    Any,
    Me,
    Other,
}

#[derive(Clone, Copy, Debug)]
pub enum Refer {
    Keep,
    Me,
    /// The next in the ring: no symmetry but rotations, so for planted faults only.
    Next,
    /// Any other in that local state, one move each.
    Like(u8),
}

#[derive(Clone, Copy, Debug)]
pub enum Atom {
    Some(u8),
    Two(u8),
    Holder(u8),
    /// The local state of the first process: no symmetry keeps it.
    First(u8),
}

/// A process goes from 0 to 1 and back, or to 3, from where it can go on only while another is at
/// 1: it can again and again, and not always.
fn waiting() -> [Rule; 4] {
    [
        (0, 1, None),
        (1, 0, None),
        (0, 3, None),
        (3, 2, Some((1, true))),
    ]
    .map(|(from, to, other)| Rule {
        from,
        to,
        holder: Holder::Any,
        other,
        refer: Refer::Keep,
    })
}

impl Crowd {
    pub fn random(rng: &mut fastrand::Rng) -> Crowd {
        let n = rng.usize(2..4);
        let top = rng.u8(2..5);
        let rule = |rng: &mut fastrand::Rng| Rule {
            from: rng.u8(0..top),
            to: rng.u8(0..top),
            holder: [Holder::Any, Holder::Any, Holder::Me, Holder::Other][rng.usize(0..4)],
            other: (rng.u8(0..3) == 0).then(|| (rng.u8(0..top), rng.bool())),
            refer: match rng.u8(0..6) {
                0 => Refer::Me,
                1 => Refer::Like(rng.u8(0..top)),
                _ => Refer::Keep,
            },
        };
        let atom = |rng: &mut fastrand::Rng| match rng.u8(0..3) {
            0 => Atom::Some(rng.u8(0..top)),
            1 => Atom::Two(rng.u8(0..top)),
            _ => Atom::Holder(rng.u8(0..top)),
        };
        let rules = (0..rng.usize(3..10)).map(|_| rule(rng)).collect();
        Crowd {
            n,
            rules,
            atoms: (0..2).map(|_| atom(rng)).collect(),
        }
    }

    /// What process `i` can do by a rule: the states after it.
    fn after(&self, state: &[u8], i: usize, rule: &Rule) -> Vec<Vec<u8>> {
        let holder = state[self.n] as usize;
        let fits = match rule.holder {
            Holder::Any => true,
            Holder::Me => holder == i,
            Holder::Other => holder != i,
        };
        let others = |value: u8| (0..self.n).any(|j| j != i && state[j] == value);
        let other = rule.other.is_none_or(|(value, is)| others(value) == is);
        if state[i] != rule.from || !fits || !other {
            return Vec::new();
        }
        let holders = match rule.refer {
            Refer::Keep => vec![holder],
            Refer::Me => vec![i],
            Refer::Next => vec![(i + 1) % self.n],
            Refer::Like(value) => (0..self.n)
                .filter(|&j| j != i && state[j] == value)
                .collect(),
        };
        let mut next = state.to_vec();
        next[i] = rule.to;
        let refer = |holder: usize| {
            let mut next = next.clone();
            next[self.n] = holder as u8;
            next
        };
        holders.into_iter().map(refer).collect()
    }

    pub fn all(&self, state: &[u8]) -> Vec<(Taken, Vec<u8>)> {
        let mut all = Vec::new();
        for i in 0..self.n {
            for (r, rule) in self.rules.iter().enumerate() {
                for (k, after) in self.after(state, i, rule).into_iter().enumerate() {
                    all.push((Taken((i << 16 | r << 8 | k) as u64), after));
                }
            }
        }
        all
    }

    pub fn letter(&self, state: &[u8]) -> Vec<bool> {
        let locals = &state[..self.n];
        let count = |value: u8| locals.iter().filter(|x| **x == value).count();
        let atom = |atom: &Atom| match *atom {
            Atom::Some(value) => count(value) > 0,
            Atom::Two(value) => count(value) > 1,
            Atom::Holder(value) => locals[state[self.n] as usize] == value,
            Atom::First(value) => locals[0] == value,
        };
        self.atoms.iter().map(atom).collect()
    }
}

impl System for Crowd {
    fn scratch(&self) -> Scratch {
        Scratch::new(())
    }

    fn initial(&self, _: &mut Scratch, out: &mut dyn FnMut(Initial<'_>)) {
        // Nobody is singled out: each may be the one referred to.
        for holder in 0..self.n {
            let mut state = vec![0; self.n];
            state.push(holder as u8);
            out(Ok(&state));
        }
    }

    fn successors(
        &self,
        state: &[u8],
        _: &mut Scratch,
        out: &mut dyn FnMut(Move<'_>) -> ControlFlow<()>,
    ) -> Rest {
        let all = self.all(state);
        for (step, after) in &all {
            let mv = Move {
                steps: &[*step],
                faults: &[],
                state: Some(after),
                n_alike: 1,
            };
            if out(mv).is_break() {
                return Rest::Moves;
            }
        }
        if all.is_empty() {
            Rest::End
        } else {
            Rest::Moves
        }
    }

    fn atoms(&self, state: &[u8], _: &mut Scratch, out: &mut Vec<bool>) -> Result<(), Fault> {
        *out = self.letter(state);
        Ok(())
    }

    fn actor(&self, step: Taken) -> u32 {
        (step.0 >> 16) as u32
    }

    fn follow(
        &self,
        state: &[u8],
        steps: &[Taken],
        _: &mut Scratch,
        out: &mut dyn FnMut(Taken, &[u8], &str),
    ) -> bool {
        let all = self.all(state);
        let found = all.iter().find(|(step, _)| steps == [*step]);
        found
            .inspect(|(step, after)| out(*step, after, ""))
            .is_some()
    }

    fn step_text(&self, _: &[u8], step: Taken) -> StepText {
        StepText {
            by: format!("process {}", self.actor(step)),
            number: self.actor(step),
            step: format!("rule {}", step.0 >> 8 & 0xff),
            span: base::Span::new(base::SourceId::new(0), 0..0),
            line: 1,
            within: system::Within::default(),
            parts: Vec::new(),
            message: None,
        }
    }

    fn describe(&self, state: &[u8], out: &mut dyn FnMut(&str, &str)) {
        out("all", &format!("{state:?}"));
    }

    fn locations(&self, _: &[u8], _: &mut dyn FnMut(&str, &str)) {}

    fn fault_text(&self, fault: Fault) -> FaultText {
        FaultText {
            message: fault.kind.message().to_owned(),
            step: String::new(),
            span: base::Span::new(base::SourceId::new(0), 0..0),
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

/// All permutations, tried one by one: the least image stands for its orbit.
pub struct Least {
    pub n: usize,
    pub last: Vec<u32>,
}

fn act(image: &[u32], n: usize, state: &[u8]) -> Vec<u8> {
    let mut out = state.to_vec();
    for (at, to) in image.iter().enumerate() {
        out[*to as usize] = state[at];
    }
    out[n] = image
        .get(state[n] as usize)
        .map_or(state[n], |to| *to as u8);
    out
}

fn permutations(n: usize) -> Vec<Vec<u32>> {
    if n == 0 {
        return vec![Vec::new()];
    }
    let shorter = permutations(n - 1);
    let put = |at: usize| {
        shorter.iter().map(move |image| {
            let mut image = image.clone();
            image.insert(at, n as u32 - 1);
            image
        })
    };
    (0..n).flat_map(put).collect()
}

impl Reducer for Least {
    fn reduce(&mut self, state: &mut [u8]) {
        let images = permutations(self.n).into_iter();
        let least = images.min_by_key(|image| act(image, self.n, state));
        self.last = least.expect("a permutation");
        let moved = act(&self.last, self.n, state);
        state.copy_from_slice(&moved);
    }

    fn symmetry(&mut self) -> Option<Symmetry> {
        Some(Symmetry::new(&self.last))
    }

    fn apply(&self, symmetry: &Symmetry, state: &[u8], out: &mut Vec<u8>) {
        *out = act(symmetry.image(), self.n, state);
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Exact
    }
}

pub fn carry(symmetry: &Symmetry, actor: u32) -> u32 {
    let image = symmetry.image().get(actor as usize);
    image.copied().unwrap_or(actor)
}

fn random_claim(rng: &mut fastrand::Rng, n_atoms: u32) -> Claim {
    let n = rng.u16(1..4);
    let state = |rng: &mut fastrand::Rng| ClaimState {
        edges: (0..rng.usize(1..4))
            .map(|_| ClaimEdge {
                literals: (0..n_atoms)
                    .filter_map(|atom| {
                        [None, Some((atom, true)), Some((atom, false))][rng.usize(0..3)]
                    })
                    .collect(),
                target: rng.u16(0..n),
            })
            .collect(),
        is_accepting: rng.bool(),
        is_bad: false,
    };
    Claim {
        states: (0..n).map(|_| state(rng)).collect(),
        initial: 0,
    }
}

/// The whole product as a graph, and whether it has a run that is wrong: by definition.
struct Plain {
    edges: Vec<Vec<(usize, Option<u32>)>>,
    enabled: Vec<BTreeSet<u32>>,
    accepting: Vec<bool>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Fair {
    Any,
    Weakly,
    Strongly,
}

impl Plain {
    fn of(crowd: &Crowd, claim: &Claim) -> Plain {
        let mut numbers: BTreeMap<(Vec<u8>, u16), usize> = BTreeMap::new();
        let mut open = Vec::new();
        crowd.initial(&mut crowd.scratch(), &mut |state| {
            let state = (state.expect("no faults").to_vec(), claim.initial);
            numbers.insert(state.clone(), numbers.len());
            open.push(state);
        });
        let mut plain = Plain {
            edges: Vec::new(),
            enabled: Vec::new(),
            accepting: Vec::new(),
        };
        let mut at = 0;
        while let Some((state, q)) = open.get(at).cloned() {
            at += 1;
            let moves = crowd.all(&state);
            let here = &claim.states[q as usize];
            plain.accepting.push(here.is_accepting);
            let letter = crowd.letter(&state);
            let mut edges = Vec::new();
            for edge in here.edges.iter().filter(|edge| edge.fits(&letter)) {
                let stay = (None, state.clone());
                let each = moves
                    .iter()
                    .map(|(step, to)| (Some(crowd.actor(*step)), to.clone()));
                let each: Vec<_> = if moves.is_empty() {
                    vec![stay]
                } else {
                    each.collect()
                };
                for (actor, to) in each {
                    let n = numbers.len();
                    let key = (to, edge.target);
                    let number = *numbers.entry(key.clone()).or_insert_with(|| {
                        open.push(key);
                        n
                    });
                    edges.push((number, actor));
                }
            }
            plain.edges.push(edges);
            let enabled = moves.iter().map(|(step, _)| crowd.actor(*step));
            plain.enabled.push(enabled.collect());
        }
        plain
    }

    fn reach(&self, from: usize, kept: &BTreeSet<usize>) -> BTreeSet<usize> {
        let mut seen = BTreeSet::new();
        let mut open = vec![from];
        while let Some(at) = open.pop() {
            for (to, _) in self.edges[at].iter().filter(|(to, _)| kept.contains(to)) {
                if seen.insert(*to) {
                    open.push(*to);
                }
            }
        }
        seen
    }

    fn is_wrong(&self, kept: &BTreeSet<usize>, fair: Fair) -> bool {
        let reach: BTreeMap<usize, BTreeSet<usize>> =
            kept.iter().map(|&at| (at, self.reach(at, kept))).collect();
        kept.iter().any(|at| {
            if !reach[at].contains(at) {
                return false;
            }
            let part: BTreeSet<usize> = reach[at]
                .iter()
                .copied()
                .filter(|to| reach[to].contains(at))
                .collect();
            // Each part is looked at once, by its first state.
            part.first() == Some(at)
                && part.iter().any(|at| self.accepting[*at])
                && self.is_fair(&part, fair)
        })
    }

    fn is_fair(&self, part: &BTreeSet<usize>, fair: Fair) -> bool {
        let inside = part.iter().flat_map(|at| &self.edges[*at]);
        let inside = inside.filter(|(to, _)| part.contains(to));
        let took: BTreeSet<u32> = inside.filter_map(|(_, actor)| *actor).collect();
        match fair {
            Fair::Any => true,
            Fair::Weakly => (0..4).all(|actor| {
                took.contains(&actor) || part.iter().any(|at| !self.enabled[*at].contains(&actor))
            }),
            Fair::Strongly => {
                let calm = |at: &usize| self.enabled[*at].is_subset(&took);
                let smaller: BTreeSet<usize> = part.iter().copied().filter(calm).collect();
                smaller == *part || self.is_wrong(&smaller, fair)
            }
        }
    }

    fn all(&self) -> BTreeSet<usize> {
        (0..self.edges.len()).collect()
    }
}

/// Whether a run that is wrong was found, and how many states were stored; what it shows is checked
/// once more here.
fn found(
    crowd: &Crowd,
    claim: &Claim,
    reducer: &mut dyn Reducer,
    fair: Fair,
    carry: Carry<'_>,
) -> Result<(bool, u64), String> {
    let fairness = match fair {
        Fair::Any => Fairness::None,
        Fair::Weakly => Fairness::Weak(carry),
        Fair::Strongly => Fairness::Strong(carry),
    };
    let product = Product::new(crowd, claim);
    let accepting = |state: &[u8]| product.is_accepting(state);
    let mut beside = Beside::new(reducer);
    let wanted = Wanted {
        accepting: &accepting,
        fairness: &fairness,
        moves_max: MOVES_MAX,
    };
    let outcome = search(&product, &mut beside, &wanted, &ALL, &mut |_| {});
    let outcome = outcome.map_err(|broken| broken.to_string())?;
    let Some(lasso) = &outcome.lasso else {
        assert_eq!(outcome.ended, Ended::Complete);
        return Ok((false, outcome.counts.n_states));
    };
    assert_eq!(outcome.ended, Ended::AtError);
    let word: Vec<Vec<bool>> = lasso
        .states
        .iter()
        .map(|state| crowd.letter(state))
        .collect();
    if !claim.accepts(&word, lasso.loop_state) {
        return Err("the run is none that the claim accepts".to_owned());
    }
    Ok((true, outcome.counts.n_states))
}

#[test]
fn the_quotient_has_a_wrong_run_exactly_if_the_system_has() {
    let (mut n_wrong, mut n_right, mut n_smaller) = ([0; 3], [0; 3], 0);
    for seed in 0..2000 {
        let rng = &mut fastrand::Rng::with_seed(seed);
        let crowd = Crowd::random(rng);
        let claim = random_claim(rng, 2);
        let plain = Plain::of(&crowd, &claim);
        for (i, fair) in [Fair::Any, Fair::Weakly, Fair::Strongly]
            .into_iter()
            .enumerate()
        {
            let wrong = plain.is_wrong(&plain.all(), fair);
            let n = if wrong { &mut n_wrong } else { &mut n_right };
            n[i] += 1;
            let (full, n_full) =
                found(&crowd, &claim, &mut Identity, fair, &carry).unwrap_or_else(|broken| {
                    panic!("seed {seed} {fair:?}: {broken}");
                });
            assert_eq!(full, wrong, "seed {seed} {fair:?}, no reduction");
            let mut least = Least {
                n: crowd.n,
                last: Vec::new(),
            };
            let (reduced, n_reduced) = found(&crowd, &claim, &mut least, fair, &carry)
                .unwrap_or_else(|broken| {
                    panic!("seed {seed} {fair:?}, reduced: {broken}");
                });
            assert_eq!(reduced, wrong, "seed {seed} {fair:?}, reduced");
            n_smaller += usize::from(n_reduced < n_full);
        }
    }
    // Fairness takes wrong runs away.
    assert!(n_wrong[0] > n_wrong[1], "{n_wrong:?}");
    assert!(
        n_wrong[2] > 200 && n_right[0] > 200,
        "{n_wrong:?} {n_right:?}"
    );
    assert!(n_smaller > 1000, "{n_smaller}");
}

#[test]
fn who_can_move_again_and_again_is_served_under_strong_fairness_only() {
    let crowd = Crowd {
        n: 2,
        rules: waiting().to_vec(),
        atoms: vec![Atom::Some(1), Atom::Some(3)],
    };
    let edge = |first, target| ClaimEdge {
        literals: vec![(0, first), (1, true)],
        target,
    };
    let anything = ClaimEdge {
        literals: Vec::new(),
        target: 0,
    };
    // From some moment on somebody is at 3 always, and somebody at 1 again and again.
    let both = vec![edge(false, 1), edge(true, 2)];
    let claim = Claim {
        states: vec![
            ClaimState {
                edges: vec![anything, edge(false, 1)],
                ..ClaimState::default()
            },
            ClaimState {
                edges: both.clone(),
                ..ClaimState::default()
            },
            ClaimState {
                edges: both,
                is_accepting: true,
                is_bad: false,
            },
        ],
        initial: 0,
    };
    let plain = Plain::of(&crowd, &claim);
    for (fair, wrong) in [
        (Fair::Any, true),
        (Fair::Weakly, true),
        (Fair::Strongly, false),
    ] {
        assert_eq!(plain.is_wrong(&plain.all(), fair), wrong, "{fair:?}");
        let full = found(&crowd, &claim, &mut Identity, fair, &carry);
        assert_eq!(full.map(|found| found.0), Ok(wrong), "{fair:?}");
        let mut least = Least {
            n: 2,
            last: Vec::new(),
        };
        let reduced = found(&crowd, &claim, &mut least, fair, &carry);
        assert_eq!(reduced.map(|found| found.0), Ok(wrong), "{fair:?}, reduced");
    }
}

/// Over random crowds, whether a change is noticed: by another verdict or by a replay that fails.
fn notices(change: impl Fn(&mut Crowd), carry: Carry<'_>, fair: Fair) -> bool {
    (0..400).any(|seed| {
        let rng = &mut fastrand::Rng::with_seed(seed);
        let mut crowd = Crowd::random(rng);
        change(&mut crowd);
        let claim = random_claim(rng, 2);
        let plain = Plain::of(&crowd, &claim);
        let mut least = Least {
            n: crowd.n,
            last: Vec::new(),
        };
        let wrong = plain.is_wrong(&plain.all(), fair);
        found(&crowd, &claim, &mut least, fair, carry).map(|found| found.0) != Ok(wrong)
    })
}

#[test]
fn an_atom_that_symmetries_change_is_noticed() {
    assert!(notices(
        |crowd| crowd.atoms[0] = Atom::First(1),
        &carry,
        Fair::Any
    ));
}

#[test]
fn a_rule_that_symmetries_change_is_noticed() {
    let change = |crowd: &mut Crowd| {
        crowd.n = 3;
        crowd.rules[0].refer = Refer::Next;
    };
    assert!(notices(change, &carry, Fair::Any));
}

#[test]
fn processes_that_are_not_followed_through_symmetries_are_noticed() {
    let stays = |_: &Symmetry, actor: u32| actor;
    assert!(notices(|_| {}, &stays, Fair::Weakly));
    assert!(notices(|_| {}, &stays, Fair::Strongly));
    assert!(!notices(|_| {}, &carry, Fair::Weakly));
}

/// Two processes take turns for ever; each waits while the other is at it.
pub fn taking_turns() -> (Crowd, Claim) {
    let rule = |from, to, holder, refer| Rule {
        from,
        to,
        holder,
        other: None,
        refer,
    };
    let crowd = Crowd {
        n: 2,
        rules: vec![
            rule(0, 1, Holder::Me, Refer::Keep),
            rule(1, 0, Holder::Me, Refer::Like(0)),
        ],
        atoms: vec![Atom::Some(1)],
    };
    let edge = |value, target| ClaimEdge {
        literals: vec![(0, value)],
        target,
    };
    // Somebody is at it again and again.
    let claim = Claim {
        states: vec![
            ClaimState {
                edges: vec![edge(false, 0), edge(true, 1)],
                ..ClaimState::default()
            },
            ClaimState {
                edges: vec![edge(false, 0), edge(true, 1)],
                is_accepting: true,
                is_bad: false,
            },
        ],
        initial: 0,
    };
    (crowd, claim)
}

#[test]
fn a_loop_that_is_too_long_is_shown_for_one_turn() {
    let (crowd, claim) = taking_turns();
    let product = Product::new(&crowd, &claim);
    let accepting = |state: &[u8]| product.is_accepting(state);
    let mut least = Least {
        n: 2,
        last: Vec::new(),
    };
    let mut beside = Beside::new(&mut least);
    let wanted = Wanted {
        accepting: &accepting,
        fairness: &Fairness::Weak(&carry),
        moves_max: 1,
    };
    let outcome = search(&product, &mut beside, &wanted, &ALL, &mut |_| {});
    let lasso = outcome.expect("a replay").lasso.expect("a run");
    assert!(!lasso.closes);
    // Half of the loop that closes, and its word is still one that the claim accepts.
    let loop_from = lasso.witness.loop_from().expect("a loop");
    assert_eq!(lasso.witness.steps().len() - loop_from, 4);
    let word = lasso.states.iter().map(|state| crowd.letter(state));
    let word: Vec<Vec<bool>> = word.collect();
    assert!(claim.accepts(&word, lasso.loop_state));
}

#[test]
fn a_loop_of_representatives_is_gone_round_until_it_closes() {
    let (crowd, claim) = taking_turns();
    let product = Product::new(&crowd, &claim);
    let accepting = |state: &[u8]| product.is_accepting(state);
    let mut least = Least {
        n: 2,
        last: Vec::new(),
    };
    let mut beside = Beside::new(&mut least);
    let wanted = Wanted {
        accepting: &accepting,
        fairness: &Fairness::Weak(&carry),
        moves_max: MOVES_MAX,
    };
    let outcome = search(&product, &mut beside, &wanted, &ALL, &mut |_| {});
    let outcome = outcome.expect("a replay");
    let lasso = outcome.lasso.expect("a run");
    // One turn of the quotient is one process at it and gone again; the run needs two.
    assert_eq!(lasso.n_turns, 2);
    let steps = lasso.witness.steps();
    let loop_from = lasso.witness.loop_from().expect("a loop");
    let actors = steps[loop_from..]
        .iter()
        .filter(|step| step.text.by != "claim");
    let actors: Vec<u32> = actors.map(|step| step.text.number).collect();
    assert_eq!(actors.len(), 4, "{actors:?}");
    assert!(actors.contains(&0) && actors.contains(&1), "{actors:?}");
    assert_eq!(steps.len() - loop_from, 8);
    assert!(lasso.closes);
}

#[test]
fn a_bad_state_of_a_claim_is_an_error_with_a_shortest_run() {
    let (crowd, mut claim) = taking_turns();
    claim.states[1] = ClaimState {
        is_bad: true,
        ..ClaimState::default()
    };
    assert!(claim.is_safety());
    let product = Product::new(&crowd, &claim);
    let outcome = check::explore(&product, &mut Identity, &ALL, &mut |_| {}).expect("a replay");
    let finding = &outcome.findings[0];
    let bad = Fault {
        kind: FaultKind::Claim,
        site: SiteId::new(0),
    };
    assert_eq!(finding.violation, check::Violation::Fault(bad));
    // The first is at it after one move, and the claim sees it there.
    assert_eq!(finding.witness.n_moves(), 1);
}
