//! Functions between two finite sets, one after the other.
//!
//! A function is a choice for each argument: the number of a value, or none if it may be partial.
//! Choices come in dictionary order, the least argument first, values ascending and none last. The
//! caller may look at the choices before a function is complete and give up a beginning: then no
//! function with that beginning comes. Beginnings that cannot be completed are never shown: an
//! injection has no value twice, and an onto function must have arguments left for the values that
//! are still missing.
//!
//! Worked example: the injections from `{a, b}` to `{1, 2}`, in steps: `a = 1`; `a = 1, b = 2`,
//! complete; `a = 2`; `a = 2, b = 1`, complete. Whoever gives up at `a = 1` sees `a = 2` next.
//!
//! Cost: one step for each beginning that is shown, and no memory beyond one function. Counts are
//! those of the textbooks: b^a functions, b!/(b−a)! injections, and by inclusion and exclusion the
//! onto ones; they are not worked out here.

use super::{Builder, Set, Value};

/// What is asked of functions besides having one value for each argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Demands {
    /// Every argument has a value.
    pub is_total: bool,
    /// No two arguments have the same value.
    pub is_injective: bool,
    /// Every value is taken.
    pub is_onto: bool,
}

/// Where a walk over functions is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// So many arguments, at least one, have got their choices; the last of them just now.
    Partial(usize),
    /// A function is complete.
    Complete,
}

/// A walk over all functions from one set to another that meet some demands.
#[derive(Clone, Debug)]
pub struct Functions {
    arguments: Vec<Value>,
    values: Vec<Value>,
    demands: Demands,
    /// The choices so far; `values.len()` is none.
    chosen: Vec<usize>,
    /// How often each value is chosen.
    n_taken: Vec<usize>,
    /// How many values are not chosen yet.
    n_missing: usize,
    /// The choice to try next.
    next: usize,
    /// The choices so far are still to be extended; otherwise the last one is used up.
    is_fresh: bool,
}

impl Functions {
    /// The walk over the functions from `domain` to `range`, before its first step.
    pub fn new(domain: &Set, range: &Set, demands: Demands) -> Functions {
        let values: Vec<Value> = range.iter().collect();
        Functions {
            arguments: domain.iter().collect(),
            demands,
            chosen: Vec::with_capacity(domain.len()),
            n_taken: vec![0; values.len()],
            n_missing: values.len(),
            values,
            next: 0,
            is_fresh: true,
        }
    }

    /// Goes on to the next beginning or function; `None` if there are no more.
    pub fn step(&mut self) -> Option<Step> {
        let n_arguments = self.arguments.len();
        if n_arguments == 0 {
            let is_first = std::mem::take(&mut self.is_fresh);
            return (is_first && self.can_be_completed()).then_some(Step::Complete);
        }
        if !self.is_fresh || self.chosen.len() == n_arguments {
            self.give_up();
        }
        loop {
            if self.next < self.n_choices() {
                let choice = self.next;
                self.next += 1;
                if self.choose(choice) {
                    self.next = 0;
                    self.is_fresh = true;
                    let n = self.chosen.len();
                    return Some(if n == n_arguments {
                        Step::Complete
                    } else {
                        Step::Partial(n)
                    });
                }
            } else {
                self.chosen.last()?;
                self.give_up();
            }
        }
    }

    /// Gives up the beginning that was shown last: no function begins like this any more.
    pub fn prune(&mut self) {
        self.is_fresh = false;
    }

    /// The argument that got its choice last, and the value, if it has one.
    pub fn latest(&self) -> Option<(&Value, Option<&Value>)> {
        let choice = self.chosen.last()?;
        Some((
            &self.arguments[self.chosen.len() - 1],
            self.values.get(*choice),
        ))
    }

    /// The choices so far as a function.
    pub fn function(&self) -> Set {
        let mut function = Builder::new();
        for (choice, argument) in self.chosen.iter().zip(&self.arguments) {
            if let Some(value) = self.values.get(*choice) {
                function.push_pair(argument.clone(), value.clone());
            }
        }
        function.finish()
    }

    fn n_choices(&self) -> usize {
        self.values.len() + usize::from(!self.demands.is_total)
    }

    /// Whether there are enough arguments left for the values that must still be taken.
    fn can_be_completed(&self) -> bool {
        !self.demands.is_onto || self.n_missing <= self.arguments.len() - self.chosen.len()
    }

    /// Takes a choice for the next argument, if the demands allow it.
    fn choose(&mut self, choice: usize) -> bool {
        if let Some(n) = self.n_taken.get_mut(choice) {
            if self.demands.is_injective && *n > 0 {
                return false;
            }
            self.n_missing -= usize::from(*n == 0);
            *n += 1;
        }
        self.chosen.push(choice);
        if self.can_be_completed() {
            return true;
        }
        self.give_up();
        false
    }

    /// Takes back the last choice; the one after it is to be tried next.
    fn give_up(&mut self) {
        let Some(last) = self.chosen.pop() else {
            return;
        };
        if let Some(n) = self.n_taken.get_mut(last) {
            *n -= 1;
            self.n_missing += usize::from(*n == 0);
        }
        self.next = last + 1;
    }
}

impl Iterator for Functions {
    type Item = Set;

    /// The next complete function.
    fn next(&mut self) -> Option<Set> {
        loop {
            if self.step()? == Step::Complete {
                return Some(self.function());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOTAL: Demands = Demands {
        is_total: true,
        is_injective: false,
        is_onto: false,
    };

    fn demands() -> impl Iterator<Item = Demands> {
        (0..8).map(|bits| Demands {
            is_total: bits & 1 == 1,
            is_injective: bits & 2 == 2,
            is_onto: bits & 4 == 4,
        })
    }

    /// All relations, of which those are kept that meet the demands by their definitions.
    fn plainly(domain: &Set, range: &Set, demands: Demands) -> Vec<Set> {
        let mut all: Vec<Set> = domain.product(range).pow().collect();
        all.retain(|relation| {
            relation.is_function()
                && (!demands.is_total || relation.dom() == *domain)
                && (!demands.is_injective || relation.is_injective())
                && (!demands.is_onto || relation.ran() == *range)
        });
        all.sort();
        all
    }

    #[test]
    fn functions_are_the_relations_that_meet_the_demands_once_each() {
        for n_domain in 0..4 {
            for n_range in 0..4 {
                let domain = Set::interval(60, 59 + n_domain);
                let range: Set = (0..n_range).map(|n| Value::Int(n * 50)).collect();
                for demands in demands() {
                    let mut found: Vec<Set> = Functions::new(&domain, &range, demands).collect();
                    found.sort();
                    let expected = plainly(&domain, &range, demands);
                    assert_eq!(found, expected, "{domain:?} to {range:?}, {demands:?}");
                }
            }
        }
    }

    #[test]
    fn choices_come_in_dictionary_order() {
        let demands = Demands {
            is_total: false,
            ..TOTAL
        };
        let (domain, range) = (Set::interval(1, 2), Set::interval(7, 8));
        let found = Functions::new(&domain, &range, demands).map(|function| {
            [1, 2].map(|n| {
                function
                    .apply(&Value::Int(n))
                    .map_or(0, |value| value.as_int())
            })
        });
        let expected = [
            [7, 7],
            [7, 8],
            [7, 0],
            [8, 7],
            [8, 8],
            [8, 0],
            [0, 7],
            [0, 8],
            [0, 0],
        ];
        assert_eq!(found.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_beginning_that_is_given_up_has_no_functions() {
        // Functions of four arguments, none of whose beginnings has two equal neighbours.
        let (domain, range) = (Set::interval(1, 4), Set::interval(0, 2));
        let has_twins = |function: &Set| {
            let values: Vec<Value> = function.pairs().map(|(_, value)| value).collect();
            values.windows(2).any(|two| two[0] == two[1])
        };
        let mut walk = Functions::new(&domain, &range, TOTAL);
        let (mut found, mut n_steps) = (Vec::new(), 0);
        while let Some(step) = walk.step() {
            n_steps += 1;
            if has_twins(&walk.function()) {
                walk.prune();
            } else if step == Step::Complete {
                found.push(walk.function());
            }
        }
        let all = Functions::new(&domain, &range, TOTAL);
        let expected: Vec<Set> = all.filter(|function| !has_twins(function)).collect();
        assert_eq!(found, expected);
        assert_eq!(found.len(), 3 * 2 * 2 * 2);
        // Each of 1 + 3 + 6 + 12 beginnings was tried with three values, and not more.
        assert_eq!(n_steps, 3 * (1 + 3 + 6 + 12));
    }

    #[test]
    fn beginnings_of_onto_functions_that_cannot_be_completed_are_not_shown() {
        let bijection = Demands {
            is_total: true,
            is_injective: true,
            is_onto: true,
        };
        let (three, four) = (Set::interval(1, 3), Set::interval(1, 4));
        assert_eq!(Functions::new(&three, &four, bijection).step(), None);
        assert_eq!(Functions::new(&three, &three, bijection).count(), 6);
        let mut walk = Functions::new(&three, &three, bijection);
        assert_eq!(walk.step(), Some(Step::Partial(1)));
        assert_eq!(walk.latest(), Some((&Value::Int(1), Some(&Value::Int(1)))));
    }
}
