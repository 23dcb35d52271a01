//! What comes out of a search does not depend on its threads: our machines, with symmetry and
//! without.

use super::expect::{lines, parse};
use super::{Live, Setting, headers, load, options, symmetry};
use crate::counts::threads::{at_once, said};
use bmachine::run::ChosenSetups;
use check::{Identity, Options, Reducer, Threads};
use reduce::canonical::Canonical;

/// The largest machines that are searched.
const STATES_MAX: u64 = 2_000;

fn difference(live: &Live, reducer: &mut dyn Reducer) -> Option<String> {
    for stop_after in [Some(1), None] {
        let mut search = |threads| {
            let options = Options {
                threads,
                stop_after,
                ..options()
            };
            let outcome = check::explore(live, reducer, &options, &mut |_| {});
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

#[test]
fn machines_give_the_same_on_any_number_of_threads() {
    let (mut n_searched, mut wrong) = (0, Vec::new());
    for path in headers::files() {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let text = std::fs::read_to_string(&path).expect("a readable machine");
        for line in lines(&text, "expect") {
            let expected = parse(line).unwrap_or_else(|| panic!("{name}: {line}"));
            if expected.full.is_none_or(|(n, _)| n > STATES_MAX) {
                continue;
            }
            let setting = Setting {
                default_size: expected.default_size,
                sizes: expected.sizes.clone(),
                work_max: 10_000_000,
                ..Setting::default()
            };
            let live = load(&path, &setting).unwrap_or_else(|why| panic!("{name}: {why}"));
            let named = live.starting_with(ChosenSetups::Named);
            let mut canonical = Canonical::new(&symmetry(&live).certified());
            n_searched += 1;
            let plain = difference(&named, &mut Identity);
            let reduced = difference(&named, &mut canonical);
            wrong.extend(plain.map(|what| format!("{name}, {line}: {what}")));
            wrong.extend(reduced.map(|what| format!("{name}, {line}, reduced: {what}")));
        }
    }
    assert!(n_searched > 20, "{n_searched} lines");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
