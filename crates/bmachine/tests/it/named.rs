//! Of valuations of constants that differ in the names of elements only, enough are set up.
//!
//! The twin is the definition: each valuation of all is carried by exchanges of members to one that
//! is set up. Where constants are elements and nothing else, exactly one of each orbit is.

use crate::plain::{Setting, exchanges, program, swapped};
use crate::run::machine;
use bmachine::run::{ChosenSetups, Program};
use bmachine::value::Value;
use std::collections::HashSet;
use std::ops::ControlFlow;

type Valuation = Vec<Value>;

/// Machines with more valuations are left out.
const N_MAX: usize = 3000;

/// The valuations; no more than so many.
fn setups(program: &Program, which: ChosenSetups) -> Vec<Valuation> {
    let mut all = Vec::new();
    let extent = program.setups(which, &mut |constants| {
        all.push(constants.to_vec());
        if all.len() > N_MAX {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    assert!(extent.is_complete());
    all
}

/// The orbits of valuations under all exchanges of members.
fn orbits(program: &Program, all: &[Valuation]) -> Vec<HashSet<Valuation>> {
    let exchanges = exchanges(program);
    let mut orbits: Vec<HashSet<Valuation>> = Vec::new();
    for valuation in all {
        if orbits.iter().any(|orbit| orbit.contains(valuation)) {
            continue;
        }
        let mut orbit = HashSet::from([valuation.clone()]);
        let mut open = vec![valuation.clone()];
        while let Some(valuation) = open.pop() {
            for (a, b) in &exchanges {
                let image = valuation.iter().map(|value| swapped(value, *a, *b));
                let image: Valuation = image.collect();
                if orbit.insert(image.clone()) {
                    open.push(image);
                }
            }
        }
        orbits.push(orbit);
    }
    orbits
}

/// How many of the named valuations each orbit has; `None` if there are others, or repetitions.
fn shares(all: &[HashSet<Valuation>], named: &[Valuation]) -> Option<Vec<usize>> {
    let distinct: HashSet<&Valuation> = named.iter().collect();
    let shares = all
        .iter()
        .map(|orbit| named.iter().filter(|v| orbit.contains(*v)).count());
    let shares: Vec<usize> = shares.collect();
    let is_right = distinct.len() == named.len() && shares.iter().sum::<usize>() == named.len();
    is_right.then_some(shares)
}

/// A machine with constants over two deferred sets, and whether all of them are elements.
fn random(rng: &mut fastrand::Rng) -> (String, bool) {
    let (n, m) = (rng.usize(1..=4), rng.usize(1..=3));
    let mut names: Vec<String> = Vec::new();
    let mut properties: Vec<String> = Vec::new();
    let mut is_plain = true;
    let mut sets: Vec<&str> = Vec::new();
    for k in 0..rng.usize(0..=3) {
        let set = ["S", "S", "T"][rng.usize(0..3)];
        properties.push(format!("c{k} : {set}"));
        for (j, other) in sets.iter().enumerate() {
            if rng.bool() && *other == set {
                properties.push(format!("c{j} /= c{k}"));
            }
        }
        names.push(format!("c{k}"));
        sets.push(set);
    }
    let more = [
        ("P, Q", "P \\/ Q = S & P /\\ Q = {}"),
        ("R", "R <: S"),
        ("f", "f : S >->> T"),
        ("g", "g : T +-> S"),
        (
            "A, B, C",
            "T = A \\/ B \\/ C & A /\\ B = {} & B /\\ C = {} & C /\\ A = {}",
        ),
    ];
    for (constants, property) in more {
        if rng.usize(0..3) == 0 {
            is_plain = false;
            names.push(constants.to_owned());
            properties.push(property.to_owned());
        }
    }
    if names.is_empty() {
        return random(rng);
    }
    let text = format!(
        "MACHINE m SETS S; T DEFINITIONS scope_S == {n}; scope_T == {m}
         CONSTANTS {} PROPERTIES {} END",
        names.join(", "),
        properties.join(" & ")
    );
    (text, is_plain)
}

#[test]
fn every_valuation_is_carried_to_one_that_is_set_up() {
    let (mut n_fewer, mut n_plain) = (0, 0);
    for seed in 0..400 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let (text, is_plain) = random(&mut rng);
        let program = program(&machine(&text), &Setting::default()).expect("a program");
        let all = setups(&program, ChosenSetups::All);
        if all.len() > N_MAX {
            continue;
        }
        let named = setups(&program, ChosenSetups::Named);
        let orbits = orbits(&program, &all);
        let shares = shares(&orbits, &named);
        let shares = shares.unwrap_or_else(|| panic!("seed {seed}: {text}\n{named:?}"));
        assert!(!shares.contains(&0), "seed {seed}: {text}\n{named:?}");
        n_fewer += usize::from(named.len() < all.len());
        if is_plain {
            n_plain += 1;
            let is_one = shares.iter().all(|share| *share == 1);
            assert!(is_one, "seed {seed}: {text}\n{shares:?}");
        }
    }
    assert!(n_fewer > 100, "{n_fewer} machines have fewer set-ups");
    assert!(n_plain > 20, "{n_plain} machines have elements alone");
}

#[test]
fn a_valuation_that_is_missing_or_made_up_is_found_out() {
    let text =
        "MACHINE m SETS S DEFINITIONS scope_S == 3 CONSTANTS a, b PROPERTIES a : S & b : S END";
    let program = program(&machine(text), &Setting::default()).expect("a program");
    let all = setups(&program, ChosenSetups::All);
    let mut named = setups(&program, ChosenSetups::Named);
    let orbits = orbits(&program, &all);
    assert_eq!((all.len(), orbits.len()), (9, 2));
    assert_eq!(shares(&orbits, &named), Some(vec![1, 1]));
    let last = named.pop().expect("one of two");
    assert_eq!(shares(&orbits, &named), Some(vec![1, 0]));
    named.extend([last.clone(), last]);
    assert_eq!(shares(&orbits, &named), None);
}

/// How many valuations there are, and how many of them are set up.
fn counts(text: &str) -> (usize, usize) {
    let program = program(&machine(text), &Setting::default()).expect("a program");
    let count = |which| setups(&program, which).len();
    (count(ChosenSetups::All), count(ChosenSetups::Named))
}

#[test]
fn the_worked_example() {
    let text = "MACHINE m SETS D DEFINITIONS scope_D == 6 CONSTANTS a, b, c, d
        PROPERTIES {a, b, c, d} <: D & a /= b END";
    assert_eq!(counts(text), (1080, 10));
}

#[test]
fn functions_and_subsets_alone_name_nothing() {
    let text = "MACHINE m SETS S; T CONSTANTS r, f, g PROPERTIES r <: S & f : S --> T & g : S >-> T
        END";
    assert_eq!(counts(text), (32, 32));
    let text = "MACHINE m SETS S CONSTANTS f PROPERTIES f : S >->> S END";
    assert_eq!(counts(text), (2, 2));
}

#[test]
fn a_definition_asks_for_all_valuations() {
    let text = "MACHINE m SETS S DEFINITIONS SET_PREF_USE_STATIC_SYMMETRY_DETECTION == FALSE
        CONSTANTS a PROPERTIES a : S END";
    assert_eq!(counts(text), (2, 2));
    assert_eq!(counts(&text.replace("FALSE", "TRUE")), (2, 1));
    let said = crate::run::check(&text.replace("FALSE", "3"));
    assert!(
        said.errors[0].contains("takes TRUE or FALSE"),
        "{:?}",
        said.errors
    );
}
