//! Symmetries that a text declares: whether they are among those that were certified.
//!
//! Nothing is taken from a declaration. What it says is a set of permutations of the processes of
//! one type; each has to be what some certified symmetry does to these processes, whatever that
//! symmetry does to everything else.
//!
//! Worked example: `ring node` with three nodes, of which `(node(0) node(1) node(2))` is certified
//! together with a turn of their channels. What is declared is the turn by one, which the group
//! has. For `symmetric node` the exchange of the first two would be needed, which it has not.

use super::found::{Found, free};
use super::names::Names;
use super::structure::Bearer;
use base::Clock;
use group::{Chain, Perm, Point};
use model::processes::program::{Arrangement, DeclaredSymmetry};

/// A declaration that does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unmet {
    /// Which.
    pub declared: DeclaredSymmetry,
    /// What cannot be done, in words.
    pub reason: String,
}

/// The declarations of a model that do not hold; `None` if the clock is over before that is known.
/// They are about what processes do, and not about which of them starts with the token.
pub fn unmet(found: &Found, clock: Clock<'static>) -> Option<Vec<Unmet>> {
    let kept = unmet_by(found);
    if kept.is_empty() {
        return Some(kept);
    }
    let free = free(found, clock);
    let last = free.as_ref().unwrap_or(found);
    let is_known = last.over.is_none() && clock.ask().is_ok();
    is_known.then(|| unmet_by(last))
}

fn unmet_by(found: &Found) -> Vec<Unmet> {
    let all = found.sorts.text.declared_symmetries.iter();
    let unmet = all.filter_map(|declared| {
        Some(Unmet {
            declared: *declared,
            reason: Members::new(found, declared).unmet(declared.arrangement)?,
        })
    });
    unmet.collect()
}

/// The processes of a type, and what the group does to them.
struct Members {
    names: Vec<String>,
    chain: Chain,
}

impl Members {
    fn new(found: &Found, declared: &DeclaredSymmetry) -> Members {
        let kind = found.sorts.text.proctype(declared.proctype).kind;
        let processes = found.population.processes.iter();
        let numbers: Vec<i32> = processes
            .filter(|record| record.kind == kind)
            .map(|record| record.number)
            .collect();
        let words = Names::new(&found.sorts, &found.population);
        let names = numbers.iter().map(|n| words.name(Bearer::Process(*n)));
        let bearers = &found.certified.act().points().bearers;
        let member = |bearer: &Bearer| match bearer {
            Bearer::Process(n) => numbers.iter().position(|own| own == n),
            _ => None,
        };
        let generators = found.certified.group().generators().iter();
        let generators: Vec<Perm> = generators
            .filter_map(|g| {
                let mut moves = Vec::new();
                for (x, y) in g.moves() {
                    let pair = [x, y].map(|x| member(&bearers[x as usize]));
                    match pair {
                        [Some(from), Some(to)] => moves.push((from as Point, to as Point)),
                        [None, None] => {}
                        // Processes of other types come in between: of no use here.
                        _ => return None,
                    }
                }
                Some(Perm::from_moves(numbers.len(), moves))
            })
            .collect();
        Members {
            names: names.collect(),
            chain: Chain::new(numbers.len(), &generators, &[]),
        }
    }

    /// What is declared and cannot be done.
    fn unmet(&self, arrangement: Arrangement) -> Option<String> {
        let n = self.names.len();
        match arrangement {
            Arrangement::Symmetric => (1..n).find_map(|i| self.exchange(i - 1..i, i..i + 1)),
            Arrangement::Ring => {
                let moves = (0..n).map(|i| (i as Point, ((i + 1) % n) as Point));
                let turn = Perm::from_moves(n, moves.filter(|(x, y)| x != y).collect());
                let reason = "they cannot be turned by one".to_owned();
                (!self.chain.contains(&turn)).then_some(reason)
            }
            Arrangement::Blocks(size) => {
                let size = size as usize;
                if !n.is_multiple_of(size) {
                    return Some(format!("{n} processes are not blocks of {size}"));
                }
                let mut inside = (1..n).filter(|i| i % size != 0);
                let mut blocks = (1..n / size).map(|b| b * size);
                inside
                    .find_map(|i| self.exchange(i - 1..i, i..i + 1))
                    .or_else(|| blocks.find_map(|i| self.exchange(i - size..i, i..i + size)))
            }
        }
    }

    /// Why some processes and as many others cannot be exchanged, if they cannot.
    fn exchange(
        &self,
        some: std::ops::Range<usize>,
        others: std::ops::Range<usize>,
    ) -> Option<String> {
        let pairs = some.clone().zip(others.clone());
        let moves = pairs.flat_map(|(x, y)| [(x as Point, y as Point), (y as Point, x as Point)]);
        let exchange = Perm::from_moves(self.names.len(), moves.collect());
        let of = |range: std::ops::Range<usize>| self.names[range].join(", ");
        let reason = || format!("{} and {} cannot be exchanged", of(some), of(others));
        (!self.chain.contains(&exchange)).then(reason)
    }
}
