//! Systems made of rules over bytes.
//!
//! A rule can be taken if its guards hold. It then does its deeds one by one, each of them a step;
//! in one of them something may go wrong. The states between are not seen by a search. A state of
//! no enabled rule is an end if its first byte is 0, else a deadlock.

use std::ops::ControlFlow;
use system::SiteId;
use system::{Fault, FaultKind, FaultText, Move, Rest, Scratch, StepText, System, Taken};

#[derive(Clone, Default, Debug)]
pub struct Toy {
    pub initial: Vec<Vec<u8>>,
    /// What goes wrong on the way to a further initial state.
    pub false_start: Option<FaultKind>,
    pub rules: Vec<Rule>,
    /// How many rules side by side come from one place in the text; 0 for one.
    pub n_copies: usize,
    /// Which states are wrong in themselves.
    pub wrong: Option<(Vec<(usize, Test)>, FaultKind)>,
    /// Whether all moves have one label.
    pub is_labelled: bool,
}

#[derive(Clone, Default, Debug)]
pub struct Rule {
    pub guards: Vec<(usize, Test)>,
    pub deeds: Vec<Deed>,
    /// In which step what goes wrong.
    pub fault: Option<(usize, FaultKind)>,
}

#[derive(Clone, Copy, Debug)]
pub enum Test {
    Is(u8),
    Below(u8),
    /// Less than that other byte.
    Less(usize),
}

#[derive(Clone, Copy, Debug)]
pub enum Deed {
    Set(usize, u8),
    Add(usize, u8),
    Push(u8),
    Pop,
}

impl Toy {
    /// `n` bits, each of which can be set once: 2ⁿ states, n · 2ⁿ⁻¹ moves, depth n.
    pub fn bits(n: usize) -> Toy {
        let set = |i| Rule {
            guards: vec![(i, Test::Is(0))],
            deeds: vec![Deed::Set(i, 1)],
            fault: None,
        };
        Toy {
            initial: vec![vec![0; n]],
            rules: (0..n).map(set).collect(),
            ..Toy::default()
        }
    }

    /// The towers of Hanoi with `n` discs: 3ⁿ states, three moves from each but the three in which
    /// all discs are on one peg, which have two; depth 2ⁿ - 1.
    pub fn hanoi(n: usize) -> Toy {
        let mut rules = Vec::new();
        for disc in 0..n {
            for (from, to) in [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)] {
                // All smaller discs must be on the third peg.
                let third = 3 - from - to;
                let mut guards = vec![(disc, Test::Is(from))];
                guards.extend((0..disc).map(|smaller| (smaller, Test::Is(third))));
                rules.push(Rule {
                    guards,
                    deeds: vec![Deed::Set(disc, to)],
                    fault: None,
                });
            }
        }
        Toy {
            initial: vec![vec![0; n]],
            rules,
            ..Toy::default()
        }
    }

    /// Random rules over a few small bytes, states of several lengths, faults here and there.
    pub fn random(rng: &mut fastrand::Rng) -> Toy {
        let n = rng.usize(1..6);
        let top = rng.u8(2..5);
        let start = |rng: &mut fastrand::Rng| (0..n).map(|_| rng.u8(0..top)).collect();
        let rules = (0..rng.usize(1..10)).map(|_| Rule::random(rng, n, top));
        Toy {
            rules: rules.collect(),
            initial: (0..rng.usize(1..4)).map(|_| start(rng)).collect(),
            false_start: (rng.u8(0..20) == 0).then_some(FaultKind::Division),
            ..Toy::default()
        }
    }

    /// Random rules over two bytes each, for all pairs of bytes alike: every permutation of the
    /// bytes is a symmetry, but for which states may rest.
    pub fn symmetric(rng: &mut fastrand::Rng) -> Toy {
        let n = rng.usize(2..6);
        let top = rng.u8(2..4);
        let templates: Vec<Rule> = (0..rng.usize(1..5))
            .map(|_| Rule::random_pair(rng, top))
            .collect();
        let pairs = (0..n).flat_map(|i| (0..n).map(move |j| [i, j]));
        let pairs: Vec<[usize; 2]> = pairs.filter(|[i, j]| i != j).collect();
        let rules = templates
            .iter()
            .flat_map(|template| pairs.iter().map(|&pair| template.at(pair)));
        Toy {
            initial: vec![vec![0; n]],
            rules: rules.collect(),
            n_copies: pairs.len(),
            ..Toy::default()
        }
    }

    /// All that can be done in `state`, rule by rule.
    fn enabled<'a>(&'a self, state: &'a [u8]) -> impl Iterator<Item = (usize, &'a Rule)> + 'a {
        let rules = self.rules.iter().enumerate();
        rules.filter(|(_, rule)| rule.is_enabled(state))
    }
}

impl Rule {
    fn random(rng: &mut fastrand::Rng, n: usize, top: u8) -> Rule {
        let mut guards = Vec::new();
        for _ in 0..rng.usize(0..3) {
            let test = match rng.u8(0..3) {
                0 => Test::Is(rng.u8(0..top)),
                1 => Test::Below(rng.u8(0..top)),
                _ => Test::Less(rng.usize(0..n)),
            };
            guards.push((rng.usize(0..n), test));
        }
        let mut deeds = Vec::new();
        for _ in 0..rng.usize(1..4) {
            deeds.push(match rng.u8(0..8) {
                0 => Deed::Push(rng.u8(0..top)),
                1 => Deed::Pop,
                2..5 => Deed::Set(rng.usize(0..n), rng.u8(0..top)),
                _ => Deed::Add(rng.usize(0..n), rng.u8(1..top)),
            });
        }
        let kinds = [FaultKind::Assertion, FaultKind::Index, FaultKind::Endless];
        let fault = (rng.usize(0..deeds.len()), kinds[rng.usize(0..3)]);
        let fault = (rng.u8(0..6) == 0).then_some(fault);
        Rule {
            guards,
            deeds,
            fault,
        }
    }

    /// A rule about bytes 0 and 1.
    fn random_pair(rng: &mut fastrand::Rng, top: u8) -> Rule {
        let test = |rng: &mut fastrand::Rng, other| match rng.u8(0..3) {
            0 => Test::Is(rng.u8(0..top)),
            1 => Test::Below(rng.u8(1..top + 1)),
            _ => Test::Less(other),
        };
        let deed = |rng: &mut fastrand::Rng, at| {
            if rng.bool() {
                Deed::Set(at, rng.u8(0..top))
            } else {
                Deed::Add(at, rng.u8(1..top))
            }
        };
        Rule {
            guards: vec![(0, test(rng, 1)), (1, test(rng, 0))],
            deeds: vec![deed(rng, 0), deed(rng, 1)],
            fault: (rng.u8(0..4) == 0).then_some((rng.usize(0..2), FaultKind::Assertion)),
        }
    }

    /// The same rule about other bytes.
    fn at(&self, pair: [usize; 2]) -> Rule {
        let mut rule = self.clone();
        for (at, test) in &mut rule.guards {
            *at = pair[*at];
            if let Test::Less(other) = test {
                *other = pair[*other];
            }
        }
        for deed in &mut rule.deeds {
            if let Deed::Set(at, _) | Deed::Add(at, _) = deed {
                *at = pair[*at];
            }
        }
        rule
    }

    fn is_enabled(&self, state: &[u8]) -> bool {
        hold(&self.guards, state)
    }

    /// What goes wrong, as a move gives it.
    fn faults(&self, site: usize) -> Vec<(usize, Fault)> {
        let fault = self.fault.map(|(at, kind)| (at, fault(kind, site)));
        fault.into_iter().collect()
    }

    /// How many steps can be taken: up to a fault after which nothing goes on.
    fn n_steps(&self) -> usize {
        match self.fault {
            Some((at, kind)) if !kind.goes_on() => at,
            _ => self.deeds.len(),
        }
    }
}

fn hold(guards: &[(usize, Test)], state: &[u8]) -> bool {
    guards.iter().all(|&(at, test)| match test {
        Test::Is(value) => state[at] == value,
        Test::Below(value) => state[at] < value,
        Test::Less(other) => state[at] < state[other],
    })
}

fn fault(kind: FaultKind, site: usize) -> Fault {
    Fault {
        kind,
        site: SiteId::new(site),
    }
}

/// States grow and shrink between these lengths.
const LENGTH_MIN: usize = 5;
const LENGTH_MAX: usize = 7;
/// Where bytes wrap.
const WRAP: u8 = 5;

fn perform(deed: Deed, state: &mut Vec<u8>) {
    match deed {
        Deed::Set(at, value) => state[at] = value,
        Deed::Add(at, value) => state[at] = (state[at] + value) % WRAP,
        Deed::Push(value) if state.len() < LENGTH_MAX => state.push(value),
        Deed::Pop if state.len() > LENGTH_MIN => drop(state.pop()),
        Deed::Push(_) | Deed::Pop => {}
    }
}

fn taken(rule: usize, step: usize) -> Taken {
    Taken((rule as u64) << 8 | step as u64)
}

impl System for Toy {
    fn scratch(&self) -> Scratch {
        Scratch::new(vec![false; self.rules.len()])
    }

    fn initial(&self, _: &mut Scratch, out: &mut dyn FnMut(Result<&[u8], Fault>)) {
        if let Some(kind) = self.false_start {
            out(Err(fault(kind, 0)));
        }
        self.initial.iter().for_each(|state| out(Ok(state)));
    }

    fn successors(
        &self,
        state: &[u8],
        scratch: &mut Scratch,
        out: &mut dyn FnMut(Move<'_>) -> ControlFlow<()>,
    ) -> Rest {
        let mut rest = match state.first() {
            Some(1..) => Rest::Deadlock,
            _ => Rest::End,
        };
        for (number, rule) in self.enabled(state) {
            rest = Rest::Moves;
            scratch.content::<Vec<bool>>()[number] = true;
            let mut after = state.to_vec();
            for &deed in &rule.deeds[..rule.n_steps()] {
                perform(deed, &mut after);
            }
            let n_taken = (rule.n_steps() + 1).min(rule.deeds.len());
            let steps: Vec<Taken> = (0..n_taken).map(|i| taken(number, i)).collect();
            let goes_on = rule.n_steps() == rule.deeds.len();
            let flow = out(Move {
                steps: &steps,
                faults: &rule.faults(number / self.n_copies.max(1)),
                state: goes_on.then_some(&after),
                n_alike: 1,
            });
            if flow.is_break() {
                break;
            }
        }
        rest
    }

    fn wrong(&self, state: &[u8], _: &mut Scratch, out: &mut dyn FnMut(Fault)) {
        if let Some((guards, kind)) = &self.wrong
            && hold(guards, state)
        {
            out(fault(*kind, 0));
        }
    }

    fn label(&self, _: Taken) -> Option<u64> {
        self.is_labelled.then_some(7)
    }

    fn explain(&self, state: &[u8], _: Fault) -> Vec<(String, String)> {
        vec![("sum".into(), state.iter().sum::<u8>().to_string())]
    }

    fn follow(
        &self,
        state: &[u8],
        steps: &[Taken],
        _: &mut Scratch,
        out: &mut dyn FnMut(Taken, &[u8], &str),
    ) -> bool {
        let Some(number) = steps.first().map(|step| (step.0 >> 8) as usize) else {
            return true;
        };
        let rule = &self.rules[number];
        let mut after = state.to_vec();
        for (i, &step) in steps.iter().enumerate() {
            if step != taken(number, i) || i >= rule.n_steps() || !rule.is_enabled(state) {
                return false;
            }
            perform(rule.deeds[i], &mut after);
            out(step, &after, if i == 0 { "taken" } else { "" });
        }
        true
    }

    fn step_text(&self, _: &[u8], step: Taken) -> StepText {
        let (rule, i) = (step.0 >> 8, step.0 & 0xff);
        StepText {
            by: format!("rule {rule}"),
            number: rule as u32,
            step: format!("{:?}", self.rules[rule as usize].deeds[i as usize]),
            span: span(),
            line: rule as u32 + 1,
            within: system::Within::default(),
            parts: Vec::new(),
            message: None,
        }
    }

    fn describe(&self, state: &[u8], out: &mut dyn FnMut(&str, &str)) {
        for (i, byte) in state.iter().enumerate() {
            out(&format!("x{i}"), &byte.to_string());
        }
    }

    fn locations(&self, state: &[u8], out: &mut dyn FnMut(&str, &str)) {
        out("toy", &format!("a state of {} bytes", state.len()));
    }

    fn fault_text(&self, fault: Fault) -> FaultText {
        FaultText {
            message: fault.kind.message().to_owned(),
            step: format!("rule {}", fault.site.index()),
            span: span(),
            line: fault.site.index() as u32 + 1,
            within: system::Within::default(),
        }
    }

    fn covered<'a>(&self, scratch: &'a Scratch) -> &'a [bool] {
        scratch.as_content::<Vec<bool>>()
    }

    fn not_covered(&self, covered: &[bool]) -> Vec<StepText> {
        let rules = covered.iter().enumerate().filter(|(_, covered)| !**covered);
        rules
            .map(|(rule, _)| self.step_text(&[], taken(rule, 0)))
            .collect()
    }
}

fn span() -> base::Span {
    base::Span::new(base::SourceId::new(0), 0..0)
}
