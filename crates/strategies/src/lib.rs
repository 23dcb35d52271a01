//! Ways of choosing representatives, by name.
//!
//! All but `none` are made from a [`Certified`] and nothing else; they move states by its lean
//! action, which leaves out what never changes. What they mean by the least state
//! is said in `reading`; what each does, in its file; all of them side by side, in
//! `docs/theory/strategies.md`. The default is [`Strategy::Canonical`]; the others are here because
//! tools have them, because people will compare, and because each is a test of the others.
//!
//! Worked example: `"sorted".parse()` is [`Strategy::Sorted`]; for two processes with a location
//! each and nothing else it makes a reducer that is exact, and says so.

mod reading;

mod enumerate;
mod local;
mod minimising;
mod pseudo_sort;
mod segmented;
mod sorted;

mod known;
mod marker;

mod first_seen;
mod flood;
mod labels;
mod markers;

use crate::enumerate::{Basic, Enumerate};
use crate::first_seen::FirstSeen;
use crate::flood::Flood;
use crate::labels::Labels;
use crate::local::LocalSearch;
use crate::markers::Markers;
use crate::minimising::Minimising;
use crate::pseudo_sort::PseudoSort;
use crate::reading::{StatelessChoice, StatelessReducer};
use crate::segmented::Segmented;
use crate::sorted::{ENUMERATE_MAX, Sorted};
use group::shape::classify;
use group::shape::minimise::minimising_set;
use num_bigint::BigUint;
use reduce::action::Reader;
use reduce::canonical::Canonical;
use reduce::certified::Certified;
use reduce::reducer::{Guarantee, Identity, Reducer, Reducers};
use reduce::strategy::{Listed, Misfit};
use reduce::watched::Watched;
use std::fmt;
use std::str::FromStr;

/// How the state that stands for an orbit is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Strategy {
    /// `none`
    None,
    /// `canonical`
    Canonical,
    /// `enumerate`
    Enumerate,
    /// `enumerate-basic`
    EnumerateBasic,
    /// `segmented`
    Segmented,
    /// `pc-segmented`
    PcSegmented,
    /// `labels`
    Labels,
    /// `labels+markers`
    LabelsMarkers,
    /// `flood`
    Flood,
    /// `fast`
    Fast,
    /// `sorted`
    Sorted,
    /// `minimising-sets`
    MinimisingSets,
    /// `local-search`
    LocalSearch,
    /// `pseudo-sort`
    PseudoSort,
    /// `first-seen`
    FirstSeen,
    /// `markers`
    Markers,
}

/// A strategy that does not fit a group, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnfitStrategy {
    /// Which.
    pub strategy: Strategy,
    /// Why.
    pub reason: Misfit,
}

/// Makes reducers of a strategy that fits.
#[derive(Clone, Copy)]
pub struct Workers<'a> {
    strategy: Strategy,
    certified: &'a Certified,
}

impl Reducers for Workers<'_> {
    fn worker(&self) -> Box<dyn Reducer> {
        let made = self.strategy.reducer(self.certified);
        made.unwrap_or_else(|refusal| panic!("{refusal:?}, though it fitted before"))
    }

    fn needs_order(&self) -> bool {
        self.strategy.needs_order()
    }
}

/// The most elements that are kept in a list.
const LISTED_MAX: u32 = 100_000;
/// The most images of a state that are looked at.
const IMAGES_MAX: u32 = 10_000_000;
/// The most states that an orbit may have to be remembered.
const FLOOD_MAX: u32 = 1_000_000;

impl Strategy {
    /// All of them: the default after `none`, then exact ones, approximate ones, lossy ones.
    pub const ALL: [Strategy; 16] = [
        Strategy::None,
        Strategy::Canonical,
        Strategy::Enumerate,
        Strategy::EnumerateBasic,
        Strategy::Segmented,
        Strategy::PcSegmented,
        Strategy::Labels,
        Strategy::LabelsMarkers,
        Strategy::Flood,
        Strategy::Fast,
        Strategy::Sorted,
        Strategy::MinimisingSets,
        Strategy::LocalSearch,
        Strategy::PseudoSort,
        Strategy::FirstSeen,
        Strategy::Markers,
    ];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Strategy::None => "none",
            Strategy::Canonical => "canonical",
            Strategy::Enumerate => "enumerate",
            Strategy::EnumerateBasic => "enumerate-basic",
            Strategy::Segmented => "segmented",
            Strategy::PcSegmented => "pc-segmented",
            Strategy::Labels => "labels",
            Strategy::LabelsMarkers => "labels+markers",
            Strategy::Flood => "flood",
            Strategy::Fast => "fast",
            Strategy::Sorted => "sorted",
            Strategy::MinimisingSets => "minimising-sets",
            Strategy::LocalSearch => "local-search",
            Strategy::PseudoSort => "pseudo-sort",
            Strategy::FirstSeen => "first-seen",
            Strategy::Markers => "markers",
        }
    }

    /// The same, to be kept as long as the program runs.
    pub fn as_static(self) -> &'static Strategy {
        let all: &'static [Strategy] = &Strategy::ALL;
        let own = all.iter().find(|other| **other == self);
        own.expect("every strategy is one of all")
    }

    /// What it does, in one line.
    pub fn description(self) -> &'static str {
        match self {
            Strategy::None => "every state stands for itself",
            Strategy::Canonical => "the canonical state of the orbit, for any group",
            Strategy::Enumerate => "the least of all images, along a stabiliser chain",
            Strategy::EnumerateBasic => "the least of all images, from a list of all elements",
            Strategy::Segmented => "control data sorted, then the least among equals",
            Strategy::PcSegmented => "locations sorted, then the least among equals",
            Strategy::Labels => "the first state with a canonical label",
            Strategy::LabelsMarkers => "the same, with labels only where markers repeat",
            Strategy::Flood => "the first state of an orbit, all of which is remembered",
            Strategy::Fast => "control data sorted, then references by single moves",
            Strategy::Sorted => "control data sorted, by the shape of the group",
            Strategy::MinimisingSets => "exchanges of columns as long as one helps",
            Strategy::LocalSearch => "steepest descent by the generators",
            Strategy::PseudoSort => "processes sorted by their variables, references included",
            Strategy::FirstSeen => "the first state of an orbit that a quick test finds",
            Strategy::Markers => "the first state with a marker; errors may be missed",
        }
    }

    /// What is certain for every model; [`Reducer::guarantee`] may know more of one.
    pub fn guarantee(self) -> Guarantee {
        match self {
            Strategy::None
            | Strategy::Canonical
            | Strategy::Enumerate
            | Strategy::EnumerateBasic
            | Strategy::Segmented
            | Strategy::PcSegmented
            | Strategy::Labels
            | Strategy::LabelsMarkers
            | Strategy::Flood => Guarantee::Exact,
            Strategy::Fast
            | Strategy::Sorted
            | Strategy::MinimisingSets
            | Strategy::LocalSearch
            | Strategy::PseudoSort
            | Strategy::FirstSeen => Guarantee::Approximate,
            Strategy::Markers => Guarantee::Lossy,
        }
    }

    /// Whether a path of representatives is a run only if each state is stored when it is first
    /// met, as it is by breadth and in mixed order.
    pub fn needs_breadth(self) -> bool {
        self == Strategy::Markers
    }

    /// Whether what it chooses for a state depends on the states that it saw before.
    pub fn needs_order(self) -> bool {
        matches!(
            self,
            Strategy::Labels
                | Strategy::LabelsMarkers
                | Strategy::Flood
                | Strategy::FirstSeen
                | Strategy::Markers
        )
    }

    /// Makes reducers for the states that `certified` moves, one for each worker of a search.
    pub fn reducers(self, certified: &Certified) -> Result<Workers<'_>, UnfitStrategy> {
        self.reducer(certified)?;
        Ok(Workers {
            strategy: self,
            certified,
        })
    }

    /// A reducer for the states that `certified` moves, watched in development builds.
    pub fn reducer(self, certified: &Certified) -> Result<Box<dyn Reducer>, UnfitStrategy> {
        // Nothing moves, and every strategy comes to the same.
        if self == Strategy::None || certified.group().is_trivial() {
            return Ok(Box::new(Identity));
        }
        if self == Strategy::Canonical {
            return Ok(reduce::exact(certified));
        }
        let made = ReducerMaker { certified }.make(self);
        let made = made.map_err(|reason| UnfitStrategy {
            strategy: self,
            reason,
        })?;
        Ok(reduce::assumed(made, certified))
    }
}

impl reduce::strategy::Strategy for Strategy {
    fn name(&self) -> &'static str {
        Strategy::name(*self)
    }

    fn guarantee(&self) -> Guarantee {
        Strategy::guarantee(*self)
    }

    fn uses_symmetry(&self) -> bool {
        *self != Strategy::None
    }

    fn reducer(&self, certified: &Certified) -> Result<Box<dyn Reducer>, Misfit> {
        Strategy::reducer(*self, certified).map_err(|refusal| refusal.reason)
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Strategy {
    type Err = ();

    fn from_str(name: &str) -> Result<Strategy, ()> {
        let found = Strategy::ALL.into_iter().find(|s| s.name() == name);
        found.ok_or(())
    }
}

struct ReducerMaker<'a> {
    certified: &'a Certified,
}

impl ReducerMaker<'_> {
    fn make(&self, strategy: Strategy) -> Result<Box<dyn Reducer>, Misfit> {
        let (certified, group) = (self.certified, self.certified.group());
        let (canonical, reading) = (|| Canonical::new(certified), || certified.reader());
        let exact = Guarantee::Exact;
        Ok(match strategy {
            Strategy::None | Strategy::Canonical => unreachable!("these are no comparison"),
            Strategy::Enumerate => {
                self.refuse_above(IMAGES_MAX, Listed::Images)?;
                self.chosen(Enumerate::new(group), exact)
            }
            Strategy::EnumerateBasic => {
                self.refuse_above(LISTED_MAX, Listed::Symmetries)?;
                self.chosen(Basic::new(group), exact)
            }
            Strategy::Segmented => {
                let segmented = Segmented::new(canonical(), group, Reader::ranks);
                self.chosen(segmented, exact)
            }
            Strategy::PcSegmented => {
                self.refuse_without_processes()?;
                self.chosen(Segmented::new(canonical(), group, Reader::locations), exact)
            }
            Strategy::PseudoSort => {
                self.refuse_without_processes()?;
                let sort =
                    PseudoSort::new(&reading().records(), group).ok_or(Misfit::NoExchange)?;
                self.chosen(sort, Guarantee::Approximate)
            }
            Strategy::Labels => self.watched(Labels::new(canonical(), reading())),
            Strategy::LabelsMarkers => {
                self.watched(Labels::with_markers(canonical(), reading(), group))
            }
            Strategy::Flood => {
                self.refuse_above(FLOOD_MAX, Listed::RememberedImages)?;
                self.watched(Flood::new(certified.reads(), group))
            }
            Strategy::Fast | Strategy::Sorted => {
                let shape = classify(group, ENUMERATE_MAX);
                let refers = reading().has_references();
                let guarantee = exact_if(shape.is_exact() && !refers);
                let sorted = if strategy == Strategy::Fast && refers {
                    Sorted::further(shape, group)
                } else {
                    Sorted::new(shape)
                };
                self.chosen(sorted, guarantee)
            }
            Strategy::MinimisingSets => {
                let set = minimising_set(group).ok_or(Misfit::NoColumns)?;
                let guarantee = exact_if(!reading().has_references());
                self.chosen(Minimising::new(&set, group.degree()), guarantee)
            }
            Strategy::LocalSearch => self.chosen(LocalSearch::new(group), Guarantee::Approximate),
            Strategy::FirstSeen => self.watched(FirstSeen::new(reading(), group)),
            Strategy::Markers => self.watched(Markers::new(reading(), group)),
        })
    }

    fn chosen(
        &self,
        choice: impl StatelessChoice + 'static,
        guarantee: Guarantee,
    ) -> Box<dyn Reducer> {
        self.watched(StatelessReducer::new(
            choice,
            self.certified.reader(),
            guarantee,
        ))
    }

    fn watched(&self, reducer: impl Reducer + 'static) -> Box<dyn Reducer> {
        if cfg!(debug_assertions) {
            Box::new(Watched::new(Box::new(reducer), self.certified))
        } else {
            Box::new(reducer)
        }
    }

    fn refuse_without_processes(&self) -> Result<(), Misfit> {
        if self.certified.reads().records().is_empty() {
            return Err(Misfit::NoProcesses);
        }
        Ok(())
    }

    fn refuse_above(&self, order_max: u32, listed: Listed) -> Result<(), Misfit> {
        let order = self.certified.group().order();
        if order <= BigUint::from(order_max) {
            Ok(())
        } else {
            Err(Misfit::TooLarge {
                listed,
                order,
                order_max,
            })
        }
    }
}

fn exact_if(yes: bool) -> Guarantee {
    if yes {
        Guarantee::Exact
    } else {
        Guarantee::Approximate
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_differ() {
        for strategy in Strategy::ALL {
            assert_eq!(strategy.name().parse(), Ok(strategy));
            assert!(!strategy.description().is_empty());
        }
        assert_eq!("fastest".parse::<Strategy>(), Err(()));
    }
}
