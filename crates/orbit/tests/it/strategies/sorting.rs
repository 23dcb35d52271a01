//! Representatives by sorting beside those by drawing, and beside enumeration, on whole models.

use super::{Plain, model, reachable, search};
use check::{Order, Reducer};
use model::processes::passes::Setting;
use reduce::canonical::Canonical;
use reduce::processes::Found;
use std::collections::HashMap;

/// Models whose groups are all arrangements of columns, and what part of their states is sorted
/// at least, in hundredths. The rest has symmetries that do not come from exchanging two columns.
const SORTED: &[(&str, &[&str], usize)] = &[
    ("agents.pml", &[], 90),
    ("allocator.pml", &[], 99),
    ("email.pml", &["N=3", "CAP=1"], 99),
    ("loadbalancer_blocked.pml", &[], 90),
    ("mutex.pml", &[], 99),
    ("peterson_n.pml", &[], 99),
    ("readers_writers.pml", &[], 99),
];

/// By least image of all: the representative.
type Orbits = HashMap<Vec<u8>, Vec<u8>>;

/// The representatives of states, or two of one orbit.
fn orbits(states: &[Vec<u8>], found: &Found, reducer: &mut dyn Reducer) -> Result<Orbits, String> {
    let (act, mut moved) = (found.certified.act(), Vec::new());
    let mut elements = Vec::new();
    let chain = found.certified.group().chain();
    chain.enumerate_images(&mut |image| {
        elements.push(image.to_vec());
        true
    });
    let mut orbits = Orbits::new();
    for state in states {
        let mut least = state.clone();
        for image in elements.iter().filter(|_| act.is_settled(state)) {
            act.apply(image, state, &mut moved);
            least = least.min(moved.clone());
        }
        let mut representative = state.clone();
        reducer.reduce(&mut representative);
        let known = orbits
            .entry(least)
            .or_insert_with(|| representative.clone());
        if *known != representative {
            return Err(format!(
                "{known:?} and {representative:?} stand for one orbit"
            ));
        }
    }
    Ok(orbits)
}

#[test]
fn most_states_are_sorted_and_each_orbit_to_one_state() {
    SORTED.iter().for_each(compare);
}

/// Checks that so many states are not drawn, and that each orbit has one representative.
fn compare(&(name, defines, percent): &(&str, &[&str], usize)) {
    let machine = model(name, defines).machine(Setting::Best);
    let found = reduce::processes::find(&machine).expect("the making goes well");
    let mut canonical = Canonical::new(&found.certified.certified());
    assert!(canonical.can_sort(), "{name}");
    let states: Vec<Vec<u8>> = reachable(&machine).into_iter().collect();
    let settled = states.iter().filter(|state| canonical.is_settled(state));
    let settled: Vec<Vec<u8>> = settled.cloned().collect();
    let mut n_sorted = 0;
    for state in &settled {
        canonical.reduce(&mut state.clone());
        n_sorted += usize::from(canonical.has_sorted());
    }
    let n = settled.len();
    assert!(100 * n_sorted >= percent * n, "{name}: {n_sorted} of {n}");
    let sorted = orbits(&states, &found, &mut canonical);
    let sorted = sorted.unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
    let mut drawing = Canonical::by_drawing(&found.certified.certified());
    let drawn = orbits(&states, &found, &mut drawing).expect("one state an orbit");
    assert_eq!(sorted.len(), drawn.len(), "{name}");
    let outcome = search(&machine, &mut canonical, Order::Breadth);
    assert_eq!(outcome.counts.n_states, sorted.len() as u64, "{name}");
}

/// Models with other groups, in which keys lead down the chain, likewise.
const LED: &[(&str, &[&str], usize)] = &[
    ("hypercube.pml", &["D=2"], 90),
    ("hypercube.pml", &["D=3"], 90),
    ("hypercube_table.pml", &[], 90),
    ("three_tiered.pml", &[], 90),
    ("three_tiered.pml", &["A=2", "B=2", "C=0", "BUFFERED"], 90),
    ("three_tiered.pml", &["A=2", "B=2", "C=3"], 90),
];

#[test]
fn under_other_groups_most_states_are_led_and_each_orbit_to_one_state() {
    LED.iter().for_each(compare);
}

/// A reducer that draws one state of two, so that an orbit has two representatives.
struct Fickle(Canonical, Canonical, bool);

impl Reducer for Fickle {
    fn reduce(&mut self, state: &mut [u8]) {
        self.2 = !self.2;
        if self.2 {
            self.0.reduce(state)
        } else {
            self.1.reduce(state)
        }
    }

    fn symmetry(&mut self) -> Option<check::Symmetry> {
        self.0.symmetry()
    }

    fn apply(&self, symmetry: &check::Symmetry, state: &[u8], out: &mut Vec<u8>) {
        self.0.apply(symmetry, state, out);
    }

    fn guarantee(&self) -> check::Guarantee {
        check::Guarantee::Exact
    }
}

#[test]
fn a_choice_between_sorting_and_drawing_that_depends_on_more_than_the_orbit_is_caught() {
    let plain = Plain::new(model("peterson_n.pml", &[]).machine(Setting::Best));
    let certified = &plain.found.certified;
    let (sorts, draws) = (
        Canonical::new(&certified.certified()),
        Canonical::by_drawing(&certified.certified()),
    );
    let states: Vec<Vec<u8>> = reachable(&plain.machine).into_iter().collect();
    let mut fickle = Fickle(sorts, draws, false);
    let wrong = orbits(&states, &plain.found, &mut fickle).expect_err("two for one orbit");
    assert!(wrong.contains("stand for one orbit"), "{wrong}");
}
