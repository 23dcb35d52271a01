//! Whether an exchange is a symmetry, by trying it: what a machine says of states and does in them,
//! beside what it says of their images.
//!
//! Any states will do, reached or not: two texts with one meaning agree in all of them.

use crate::plain::swapped;
use bmachine::eval::Trouble;
use bmachine::run::{Execution, Extent, Program};
use bmachine::typed::OperationId;
use bmachine::value::{Member, Value};
use std::collections::BTreeSet;
use std::mem::{Discriminant, discriminant};
use std::ops::ControlFlow;

/// What is wrong, without the words and the place.
type Kind = Discriminant<bmachine::eval::TroubleKind>;

/// A way to go on.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Way {
    /// Arguments, choices, results and the next state.
    To(Vec<Value>, Vec<Value>, Vec<Value>, Vec<Value>),
    /// Arguments and choices of one that goes wrong.
    Wrong(Vec<Value>, Vec<Value>, Kind),
    /// Not all were tried.
    Cut,
}

/// Two members of a set.
#[derive(Clone, Copy)]
pub struct Pair {
    pub a: Member,
    pub b: Member,
}

impl Pair {
    pub fn image(&self, values: &[Value]) -> Vec<Value> {
        values.iter().map(|v| swapped(v, self.a, self.b)).collect()
    }

    fn of_way(&self, way: &Way) -> Way {
        match way {
            Way::To(arguments, choices, results, next) => Way::To(
                self.image(arguments),
                self.image(choices),
                self.image(results),
                self.image(next),
            ),
            Way::Wrong(arguments, choices, kind) => {
                Way::Wrong(self.image(arguments), self.image(choices), *kind)
            }
            Way::Cut => Way::Cut,
        }
    }
}

/// Whether the two lists have the same elements.
fn are_equal(xs: &[Way], ys: &[Way]) -> bool {
    xs.iter().all(|x| ys.contains(x)) && ys.iter().all(|y| xs.contains(y))
}

fn wrong(extent: Extent, out: &mut Vec<Way>) {
    out.extend(extent.cut.is_some().then_some(Way::Cut));
    let wrong = extent.wrong.into_iter();
    out.extend(wrong.map(|w| Way::Wrong(w.arguments, w.choices, discriminant(&w.trouble.kind))));
}

fn ways(program: &Program, operation: usize, state: &[Value]) -> Vec<Way> {
    let mut all = Vec::new();
    let mut out = |event: Execution| {
        all.push(Way::To(
            event.arguments.to_vec(),
            event.choices.to_vec(),
            event.results.to_vec(),
            event.globals.to_vec(),
        ));
        ControlFlow::Continue(())
    };
    let extent = program.events(OperationId::new(operation), state, &mut out);
    wrong(extent, &mut all);
    all
}

/// Ways to start.
pub fn starts(program: &Program) -> (Vec<Vec<Value>>, bool) {
    let mut all = Vec::new();
    let extent = program.initialisations(&[], &mut |globals| {
        all.push(globals.to_vec());
        ControlFlow::Continue(())
    });
    (all, extent.is_complete())
}

/// What is said of a state: which kinds of answers invariants, assertions and the goal have.
fn said(program: &Program, state: &[Value]) -> Vec<String> {
    let word = |what: &str, trouble: Option<&Trouble>| match trouble {
        None => format!("{what} false"),
        Some(trouble) => format!("{what} {:?}", discriminant(&trouble.kind)),
    };
    let mut all = Vec::new();
    program.invariant(state, &mut |_, trouble| {
        all.push(word("invariant", trouble))
    });
    program.assertions(state, &mut |_, trouble| {
        all.push(word("assertion", trouble))
    });
    all.push(match program.goal(state) {
        None => "no goal".to_owned(),
        Some(Ok(holds)) => format!("goal {holds}"),
        Some(Err(trouble)) => word("goal", Some(&trouble)),
    });
    all.sort();
    all
}

/// What differs between states and their images, if anything does.
pub fn difference(program: &Program, pair: Pair, states: &[Vec<Value>]) -> Option<String> {
    let (own, _) = starts(program);
    let images: BTreeSet<String> = own.iter().map(|s| format!("{:?}", pair.image(s))).collect();
    let own: BTreeSet<String> = own.iter().map(|s| format!("{s:?}")).collect();
    if own != images {
        return Some("initial states".to_owned());
    }
    for state in states {
        let image = pair.image(state);
        if said(program, state) != said(program, &image) {
            return Some(format!("what is said of {state:?}"));
        }
        for n in 0..program.machine().operations.len() {
            let moved = ways(program, n, state);
            let moved: Vec<Way> = moved.iter().map(|way| pair.of_way(way)).collect();
            let own = ways(program, n, &image);
            if !are_equal(&moved, &own) {
                return Some(format!("op{n} in {state:?}: {moved:?} and {own:?}"));
            }
        }
    }
    None
}
