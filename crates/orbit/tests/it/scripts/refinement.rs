//! The checker says what the plain denotational semantics says, on thousands of random pairs of
//! processes, in all three models.
//!
//! The plain semantics knows traces up to a length. What it finds wrong must be found wrong; what
//! it finds right may be found wrong only by a longer trace.

use super::denote::{MODELS, Model};
use super::sample::{MIXES, Mix, Operands, Sample, operands, refines};
use check::refinement::twist::Untwisted;
use check::refinement::{self, Limits, Outcome, Setting, Verdict};
use cspm::compile::{CompiledProcess, Compiler};
use cspm::operate::{Operator, StepFailure};
use cspm::process::{Term, TermId};
use model::network::{Bisimulation, Label};
use std::time::Duration;

const LIMITS: Limits<'static> = Limits {
    spec_states_max: 10_000,
    pairs_max: Some(100_000),
    depth_max: None,
    memory_bytes_max: None,
    clock: base::Clock::ENDLESS,
    progress_every: Duration::MAX,
};

/// How checker and semantics compare on a pair of processes.
enum Compared {
    /// They agree, and it holds.
    Holds,
    /// They agree, and it does not.
    Violated,
    /// A trace that is too long for the semantics tells.
    Beyond,
    /// There are too many states.
    Skipped,
    /// They do not agree.
    Differ(String),
}

fn compile(sample: &mut Sample, term: TermId, up_to: Bisimulation) -> Option<CompiledProcess> {
    let limits = cspm::operate::StateLimits {
        states_max: 400,
        depth_max: 1000,
    };
    let mut compiler = Compiler::new(Operator::new(limits), usize::MAX);
    compiler.set_up_to(up_to);
    match compiler.compile(term, &mut sample.terms, &mut sample.bodies) {
        Ok(compiled) => Some(compiled),
        Err(StepFailure::States { .. }) => None,
        Err(failure) => panic!("{failure:?}"),
    }
}

fn check(spec: &CompiledProcess, process: &CompiledProcess, model: refinement::Model) -> Outcome {
    let mut setting = Setting {
        reducer: &mut Untwisted,
        limits: LIMITS,
        observer: &mut |_| {},
    };
    let outcome = refinement::refines(&spec.network, &process.network, model, &mut setting);
    outcome.expect("a replay")
}

/// A pair of processes, of which the second often refines the first.
fn pair(sample: &mut Sample, terms: &[TermId], seed: u64) -> (TermId, TermId) {
    let both: std::sync::Arc<[TermId]> = [terms[0], terms[1]].into();
    match seed % 4 {
        0 => (terms[0], terms[1]),
        1 => (sample.terms.term(Term::Internal(both)), terms[0]),
        2 => {
            let spec = sample.terms.term(Term::Internal(both.clone()));
            (spec, sample.terms.term(Term::External(both)))
        }
        _ => {
            let spec = sample.terms.term(Term::External(both.clone()));
            (spec, sample.terms.term(Term::Slide(terms[0], terms[1])))
        }
    }
}

fn compare(seed: u64, mix: Mix, models: (Model, refinement::Model)) -> Compared {
    let (mut sample, terms, _): (Sample, Vec<TermId>, Operands) = operands(seed, mix, 2);
    let (spec, process) = pair(&mut sample, &terms, seed);
    let strict = models.0 == Model::Divergences;
    let meanings = sample.meaning(spec, strict, None);
    let meanings = meanings.zip(sample.meaning(process, strict, None));
    let up_to = if seed % 8 < 4 {
        Bisimulation::Strong
    } else {
        Bisimulation::Weak
    };
    let networks = compile(&mut sample, spec, up_to).zip(compile(&mut sample, process, up_to));
    let (Some((spec, process)), Some((left, right))) = (meanings, networks) else {
        return Compared::Skipped;
    };
    let depth = spec.depth.min(process.depth);
    let expected = refines(models.0, &spec, &process);
    match (expected, check(&left, &right, models.1).verdict) {
        (_, Verdict::Unknown(_)) => Compared::Skipped,
        (true, Verdict::Holds(_)) => Compared::Holds,
        (false, Verdict::Violated(_)) => Compared::Violated,
        (true, Verdict::Violated(shown)) => {
            let events = shown.run.trace().into_iter();
            let n = events.filter(|&label| label != Label::TICK).count();
            if n as i32 > depth {
                Compared::Beyond
            } else {
                Compared::Differ(format!("{shown:?} within depth {depth}"))
            }
        }
        (false, Verdict::Holds(_)) => Compared::Differ(format!("held within depth {depth}")),
    }
}

/// The model of the checker that goes with one of the semantics.
fn beside(model: Model) -> refinement::Model {
    match model {
        Model::Traces => refinement::Model::Traces,
        Model::Failures => refinement::Model::Failures,
        Model::Divergences => refinement::Model::FailuresDivergences,
    }
}

#[test]
fn the_checker_agrees_with_the_semantics() {
    for mix in MIXES {
        for model in MODELS {
            let (mut n_holds, mut n_violated, mut n_beyond) = (0, 0, 0);
            for seed in 0..400 {
                match compare(seed, mix, (model, beside(model))) {
                    Compared::Holds => n_holds += 1,
                    Compared::Violated => n_violated += 1,
                    Compared::Beyond => n_beyond += 1,
                    Compared::Skipped => {}
                    Compared::Differ(how) => panic!("{mix:?} seed {seed} {model:?}: {how}"),
                }
            }
            let told = format!("{mix:?} {model:?}: {n_holds} hold, {n_violated} do not");
            assert!(n_holds > 80 && n_violated > 40, "{told}");
            assert!(n_beyond < 60, "{told}, {n_beyond} beyond");
        }
    }
}

#[test]
fn a_check_in_the_wrong_model_is_noticed() {
    for (meant, checked) in [
        (Model::Failures, refinement::Model::Traces),
        (Model::Divergences, refinement::Model::Failures),
        (Model::Traces, refinement::Model::Failures),
    ] {
        let differs = |seed| {
            matches!(
                compare(seed, Mix::All, (meant, checked)),
                Compared::Differ(_)
            )
        };
        let n = (0..400).filter(|&seed| differs(seed)).count();
        assert!(n > 5, "{meant:?} by {checked:?}: {n}");
    }
}
