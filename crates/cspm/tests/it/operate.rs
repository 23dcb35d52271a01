//! What terms do is what they mean, in all three models.

use cspm::leaf::{Lts, explore};
use cspm::operate::{Operator, StateLimits, StepFailure, TermLabel};
use cspm::process::{Compression, Event, LaterId, Term, TermId, Terms, Unfold};

use crate::denote::{FAULTS, Fault, MODELS, Model};
use crate::observe::observe;
use crate::sample::{
    Bodies, COMPRESSIONS, MIXES, Mix, N_EVENTS, Sample, operands, random, refines,
};

/// How a sample compared.
enum Compared {
    /// Meaning and behaviour are the same up to a depth.
    Same(i32),
    /// They differ; both, for people.
    Differ(String),
    /// There are too many states.
    Skipped,
}

fn compare(seed: u64, mix: Mix, strict: bool, fault: Option<Fault>) -> Compared {
    let mut sample = random(seed, mix);
    let root = sample.root;
    let Some(leaf) = sample.leaf(root) else {
        return Compared::Skipped;
    };
    let Some(meaning) = sample.meaning(root, strict, fault) else {
        return Compared::Skipped;
    };
    let seen = observe(&leaf.lts, N_EVENTS, strict, meaning.depth);
    if meaning == seen {
        return Compared::Same(meaning.depth);
    }
    let differs = |s: &&Vec<u8>| meaning.at.get(*s) != seen.at.get(*s);
    let trace = meaning.at.keys().chain(seen.at.keys()).find(differs);
    let trace = trace.expect("depths are equal, so some trace differs");
    Compared::Differ(format!(
        "after {trace:?} means {:?}, does {:?}",
        meaning.at.get(trace),
        seen.at.get(trace)
    ))
}

#[test]
fn terms_do_what_they_mean() {
    for mix in MIXES {
        for strict in [false, true] {
            let (mut deep, mut skipped) = (0, 0);
            for seed in 0..2000 {
                match compare(seed, mix, strict, None) {
                    Compared::Same(depth) => deep += usize::from(depth >= 3),
                    Compared::Skipped => skipped += 1,
                    Compared::Differ(how) => panic!("{mix:?} seed {seed} strict {strict}: {how}"),
                }
            }
            assert!(
                deep > 1000,
                "{mix:?}: {deep} of 2000 compared to depth 3, {skipped} skipped"
            );
        }
    }
}

#[test]
fn wrong_clauses_are_found() {
    for fault in FAULTS {
        let differs = |seed| {
            let compared = |strict| compare(seed, Mix::All, strict, Some(fault));
            [false, true]
                .map(compared)
                .iter()
                .any(|c| matches!(c, Compared::Differ(_)))
        };
        assert!((0..2000).any(differs), "{fault:?} makes no difference");
    }
}

/// A wrong rule, used at the top of a term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rule {
    /// τ of an operand decides `[]`.
    ExternalByTau,
    /// τ of the right side interrupts.
    InterruptByTau,
    /// `[>` has no τ to its right side.
    SlideStays,
    /// ✓ of the left side of `;` is seen.
    ThenTicks,
    /// A parallel composition ends with the first of its processes.
    ParallelEnds,
    /// The exception is taken by every event.
    ExceptionAlways,
    /// Hidden events are not done at all.
    HideBlocks,
}

const RULES: [Rule; 7] = [
    Rule::ExternalByTau,
    Rule::InterruptByTau,
    Rule::SlideStays,
    Rule::ThenTicks,
    Rule::ParallelEnds,
    Rule::ExceptionAlways,
    Rule::HideBlocks,
];

/// The steps of a term whose top operator follows the wrong rule.
fn wrongly(
    operator: &mut Operator,
    sample: &mut Sample,
    rule: Rule,
    term: TermId,
) -> Vec<(TermLabel, TermId)> {
    let root = operator.resolve(term, &mut sample.terms, &mut sample.bodies);
    let root = root.expect("recursion is guarded");
    let whole = sample.terms.get(root).clone();
    let mut steps = |term| {
        let steps = operator.steps(term, &mut sample.terms, &mut sample.bodies);
        steps.expect("recursion is guarded").to_vec()
    };
    let right = steps(root);
    let visible = right
        .iter()
        .copied()
        .filter(|step| step.0 != TermLabel::Tau);
    match (rule, &whole) {
        (Rule::ExternalByTau, Term::External(all)) => all.iter().flat_map(|&p| steps(p)).collect(),
        (Rule::InterruptByTau, Term::Interrupt(_, q)) => {
            right.into_iter().chain(steps(*q)).collect()
        }
        (Rule::SlideStays, Term::Slide(_, q)) => right
            .into_iter()
            .filter(|step| *step != (TermLabel::Tau, *q))
            .collect(),
        (Rule::ThenTicks, Term::Then(p, _)) => {
            let ticks = steps(*p)
                .into_iter()
                .filter(|step| step.0 == TermLabel::Tick);
            right.into_iter().chain(ticks).collect()
        }
        (Rule::ParallelEnds, Term::Parallel(_, all)) => {
            let ticks = all
                .iter()
                .flat_map(|&p| steps(p))
                .filter(|step| step.0 == TermLabel::Tick);
            right
                .iter()
                .copied()
                .chain(ticks.collect::<Vec<_>>())
                .collect()
        }
        (Rule::ExceptionAlways, Term::Exception(_, _, q)) => {
            visible.map(|(label, _)| (label, *q)).collect()
        }
        (Rule::HideBlocks, Term::Hide(..)) => visible.collect(),
        _ => right,
    }
}

/// All states, with the wrong rule.
fn wrong_system(sample: &mut Sample, rule: Rule) -> Option<Lts> {
    let mut operator = Operator::new(StateLimits {
        states_max: 100_000,
        depth_max: 1000,
    });
    let mut order = vec![sample.root];
    let mut states: Vec<Vec<(TermLabel, u32)>> = Vec::new();
    while let Some(&term) = order.get(states.len()) {
        let mut steps = Vec::new();
        for (label, next) in wrongly(&mut operator, sample, rule, term) {
            let known = order.iter().position(|&other| other == next);
            steps.push((label, known.unwrap_or(order.len()) as u32));
            if known.is_none() {
                order.push(next);
            }
        }
        states.push(steps);
        if order.len() > 200 {
            return None;
        }
    }
    Some(Lts::new(states))
}

#[test]
fn wrong_rules_are_found() {
    for rule in RULES {
        let differs = |seed: u64| {
            let mut sample = random(seed, Mix::All);
            let root = sample.root;
            let Some(lts) = wrong_system(&mut sample, rule) else {
                return false;
            };
            [false, true].into_iter().any(|strict| {
                let meaning = sample.meaning(root, strict, None);
                meaning.is_some_and(|m| observe(&lts, N_EVENTS, strict, m.depth) != m)
            })
        };
        assert!((0..500).any(differs), "{rule:?} makes no difference");
    }
}

#[test]
fn refinement_is_inclusion_of_what_is_seen() {
    let mut found = [[0; 2]; 3];
    for seed in 0..600 {
        let (mut sample, terms, _) = operands(seed, Mix::Choices, 2);
        let choice = sample.terms.term(Term::Internal(terms[..].into()));
        for (i, model) in MODELS.into_iter().enumerate() {
            let strict = model == Model::Divergences;
            let of = |sample: &mut Sample, term| sample.meaning(term, strict, None);
            let [Some(p), Some(q), Some(either)] =
                [terms[0], terms[1], choice].map(|term| of(&mut sample, term))
            else {
                continue;
            };
            assert!(
                refines(model, &p, &p) && refines(model, &either, &p),
                "seed {seed}"
            );
            assert!(refines(model, &either, &q), "seed {seed}");
            // A choice adds nothing to its operand exactly if the other refines it.
            let adds_nothing = refines(model, &p, &either);
            assert_eq!(
                refines(model, &p, &q),
                adds_nothing,
                "{model:?} seed {seed}"
            );
            found[i][usize::from(adds_nothing)] += 1;
        }
    }
    assert!(found.iter().flatten().all(|&n| n > 10), "{found:?}");
}

/// A term with one suspended process, and what it is.
fn recursive(body: impl FnOnce(&mut Terms, TermId) -> TermId) -> (Terms, Bodies, TermId) {
    let mut terms = Terms::default();
    let later = terms.term(Term::Later(LaterId::new(0)));
    let body = body(&mut terms, later);
    (terms, Bodies(vec![body]), later)
}

const LIMITS: StateLimits = StateLimits {
    states_max: 50,
    depth_max: 40,
};

#[test]
fn unguarded_recursion_is_an_error_that_names_the_process() {
    let stop = |terms: &mut Terms| terms.term(Term::Stop);
    let bodies: [fn(&mut Terms, TermId) -> Term; 5] = [
        |_, p| Term::External([p].into()),
        |_, p| Term::Then(p, p),
        |terms, p| Term::Hide(p, terms.set(vec![])),
        |_, p| Term::Interrupt(p, p),
        |_, p| Term::Compressed(Compression::Strong, p),
    ];
    for body in bodies {
        let (mut terms, mut bodies, root) = recursive(|terms, later| {
            let body = body(terms, later);
            terms.term(body)
        });
        let found = explore(root, &mut Operator::new(LIMITS), &mut terms, &mut bodies);
        assert_eq!(found, Err(StepFailure::Unguarded(LaterId::new(0))));
    }
    let (mut terms, mut bodies, root) = recursive(|_, later| later);
    let found = explore(root, &mut Operator::new(LIMITS), &mut terms, &mut bodies);
    assert_eq!(found, Err(StepFailure::Unguarded(LaterId::new(0))), "P = P");
    let (mut terms, mut bodies, root) = recursive(|terms, later| {
        let stop = stop(terms);
        terms.term(Term::Internal([later, stop].into()))
    });
    let leaf = explore(root, &mut Operator::new(LIMITS), &mut terms, &mut bodies)
        .expect("P = P |~| STOP is guarded");
    assert_eq!(
        leaf.lts.steps(0),
        [(TermLabel::Tau, 0), (TermLabel::Tau, 1)]
    );
}

/// `P(n) = … P(n + 1) …`, each number a process of its own.
struct Counting(fn(&mut Terms, TermId) -> Term);

impl Unfold for Counting {
    type Error = &'static str;

    fn unfold(&mut self, later: LaterId, terms: &mut Terms) -> Result<TermId, &'static str> {
        if later.index() == 1000 {
            return Err("a thousand is too much");
        }
        let next = terms.term(Term::Later(LaterId::new(later.index() + 1)));
        let body = (self.0)(terms, next);
        Ok(terms.term(body))
    }
}

#[test]
fn infinitely_many_states_reach_a_limit_that_names_the_process() {
    let after = |_: &mut Terms, next| Term::Prefix([(Event::new(0), next)].into());
    let explored = |counting: &mut Counting, states_max| {
        let mut terms = Terms::default();
        let root = terms.term(Term::Later(LaterId::new(0)));
        let limits = StateLimits {
            states_max,
            ..LIMITS
        };
        explore(root, &mut Operator::new(limits), &mut terms, counting)
    };
    let limit = StepFailure::States {
        states_max: 50,
        process: Some(LaterId::new(50)),
    };
    assert_eq!(explored(&mut Counting(after), 50), Err(limit));
    let error = StepFailure::Evaluate("a thousand is too much");
    assert_eq!(explored(&mut Counting(after), 5000), Err(error));
    let deep = StepFailure::Deep {
        depth_max: 40,
        process: Some(LaterId::new(20)),
    };
    let choice = |terms: &mut Terms, next| {
        let stop = terms.term(Term::Stop);
        Term::External([next, stop].into())
    };
    assert_eq!(explored(&mut Counting(choice), 50), Err(deep));
}

#[test]
fn terms_nested_deeper_than_the_stack_have_steps() {
    let mut terms = Terms::default();
    let mut term = terms.term(Term::Skip);
    let none = terms.set(vec![]);
    for _ in 0..300_000 {
        term = terms.term(Term::Hide(term, none));
    }
    let limits = StateLimits {
        states_max: 10,
        depth_max: 1_000_000,
    };
    let leaf = explore(
        term,
        &mut Operator::new(limits),
        &mut terms,
        &mut Bodies(vec![]),
    )
    .expect("it has two states");
    assert_eq!(leaf.lts.steps(0), [(TermLabel::Tick, 1)]);
    assert_eq!(leaf.lts.n_states(), 2);
}

#[test]
fn processes_of_a_parallel_composition_end_one_by_one() {
    let mut terms = Terms::default();
    let (skip, done) = (terms.term(Term::Skip), terms.term(Term::Done));
    let a = Event::new(0);
    let (none, only) = (terms.set(vec![]), terms.set(vec![a]));
    let after = terms.term(Term::Prefix([(a, skip)].into()));
    let both = terms.term(Term::Parallel(none, [skip, after].into()));
    let leaf = explore(
        both,
        &mut Operator::new(LIMITS),
        &mut terms,
        &mut Bodies(vec![]),
    )
    .expect("few states");
    let half = terms.term(Term::Parallel(none, [done, after].into()));
    assert_eq!(leaf.terms[1], half);
    assert_eq!(leaf.lts.steps(1).len(), 1);
    assert_eq!(leaf.terms.last(), Some(&done));
    // Who has ended does not do its part any more.
    let blocked = terms.term(Term::Parallel(only, [skip, after].into()));
    let leaf = explore(
        blocked,
        &mut Operator::new(LIMITS),
        &mut terms,
        &mut Bodies(vec![]),
    )
    .expect("few states");
    assert_eq!(leaf.lts.n_states(), 2);
    assert_eq!(leaf.lts.steps(1), []);
}

#[test]
fn a_compressed_process_has_the_states_of_the_smaller_system() {
    let mut terms = Terms::default();
    let (skip, none) = (terms.term(Term::Skip), terms.set(vec![]));
    let after = |terms: &mut Terms| terms.term(Term::Prefix([(Event::new(0), skip)].into()));
    let one = after(&mut terms);
    let hidden = terms.term(Term::Hide(one, none));
    let either = terms.term(Term::Internal([one, hidden].into()));
    let count = |terms: &mut Terms, p: TermId| {
        let all = terms.term(Term::Parallel(none, [p; 3].into()));
        let limits = StateLimits {
            states_max: 1000,
            depth_max: 40,
        };
        let mut operator = Operator::new(limits);
        let leaf = explore(all, &mut operator, terms, &mut Bodies(vec![])).expect("few states");
        leaf.lts.n_states()
    };
    let small = terms.term(Term::Compressed(Compression::Weak, either));
    let (plain, smaller) = (count(&mut terms, either), count(&mut terms, small));
    assert!(smaller < plain, "{smaller} of {plain}");
    // `a -> SKIP`, `SKIP` and what has ended, three times beside each other; and the end of all.
    assert_eq!(smaller, 3 * 3 * 3 + 1);
}

#[test]
fn a_compressed_process_within_itself_is_taken_as_it_is() {
    for kind in COMPRESSIONS {
        let (mut terms, mut bodies, root) = recursive(|terms, later| {
            let next = terms.term(Term::Prefix([(Event::new(0), later)].into()));
            terms.term(Term::Compressed(kind, next))
        });
        let mut operator = Operator::new(LIMITS);
        let leaf = explore(root, &mut operator, &mut terms, &mut bodies).expect("few states");
        let seen = observe(&leaf.lts, N_EVENTS, true, 5);
        assert!(seen.at.contains_key(&vec![0; 5]), "{kind:?}");
        if let Term::State(system, state) = *terms.get(leaf.terms[0]) {
            let origin = operator.origin(system, state);
            assert!(matches!(terms.get(origin), Term::Prefix(_)), "{kind:?}");
        }
    }
}

#[test]
fn compressions_nested_without_end_reach_a_limit() {
    let body = |_: &mut Terms, next| Term::Compressed(Compression::Strong, next);
    let mut terms = Terms::default();
    let root = terms.term(Term::Later(LaterId::new(0)));
    let mut operator = Operator::new(LIMITS);
    let found = explore(root, &mut operator, &mut terms, &mut Counting(body));
    assert!(matches!(found, Err(StepFailure::Deep { .. })), "{found:?}");
}
