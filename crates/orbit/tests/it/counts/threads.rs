//! What comes out of a search does not depend on its threads: our models and those of the corpus,
//! with symmetry and without.

use super::{Compiled, compile, corpus, models, options};
use check::{Begin, Ended, Identity, Options, Order, Outcome, Reducer, Threads};
use model::Machine;
use model::processes::passes::Setting;
use reduce::processes::sort::Sends;

/// The largest models that are searched.
const STATES_MAX: u64 = 5_000;

/// As many threads, from the first state on.
pub fn at_once(n: usize) -> Threads {
    Threads {
        n,
        stack_bytes: 8 << 20,
        begin: Begin::AtOnce,
    }
}

/// All that a search says, but for what is measured. Which steps were taken is known only where all
/// states were seen, since threads look ahead.
pub fn said(outcome: Outcome) -> String {
    let is_complete = outcome.ended == Ended::Complete;
    let taken = is_complete.then_some((outcome.covered, outcome.unreached));
    let (ended, counts) = (outcome.ended, outcome.counts);
    let errors = (outcome.n_errors, outcome.findings);
    format!("{ended:?} {counts:?} {errors:?} {taken:?}")
}

/// What differs between one thread and several, up to the first error or over all.
fn difference(machine: &Machine, reducer: &mut dyn Reducer) -> Option<String> {
    for stop_after in [Some(1), None] {
        let one = Options {
            order: Order::Breadth,
            stop_after,
            ..options()
        };
        let mut search = |threads| {
            let options = Options { threads, ..one };
            let outcome = check::explore(machine, reducer, &options, &mut |_| {});
            said(outcome.unwrap_or_else(|broken| panic!("{broken}")))
        };
        let expected = search(Threads::ONE);
        for n in [1, 2, 3] {
            let got = search(at_once(n));
            if got != expected {
                return Some(format!("{n} threads: {got}, not {expected}"));
            }
        }
    }
    None
}

fn differences(model: &Compiled) -> Vec<String> {
    let machine = model.machine(Setting::Best);
    let mut found = Vec::from_iter(difference(&machine, &mut Identity));
    let symmetry = reduce::processes::find_if(&machine, Sends::Wait, base::Clock::ENDLESS);
    if let Some(symmetry) = symmetry.filter(|found| !found.certified.group().is_trivial()) {
        let mut reducer = reduce::exact(&symmetry.certified.certified());
        found.extend(difference(&machine, &mut *reducer));
    }
    found
}

#[test]
fn models_give_the_same_on_any_number_of_threads() {
    let own = models::all().into_iter();
    let others = corpus::all().into_iter();
    let others = others.map(|(name, text, n)| (name, text, Vec::new(), n));
    let (mut n_searched, mut wrong) = (0, Vec::new());
    for (name, text, defines, n) in own.chain(others) {
        if n > STATES_MAX {
            continue;
        }
        let Ok(model) = compile(&text, &defines) else {
            continue;
        };
        n_searched += 1;
        let found = differences(&model).into_iter();
        wrong.extend(found.map(|what| format!("{name} {defines:?}: {what}")));
    }
    assert!(n_searched > 100, "{n_searched} models");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
