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
mod seeded;
pub mod table;

mod abreast;
mod alike;
mod enumerate;
mod exchanges;
mod layered;
mod local;
mod minimising;
mod pseudo_sort;
mod segmented;
mod sorted;
mod split;

mod known;
mod marker;

mod first_seen;
mod flood;
mod labels;
mod markers;

pub use seeded::Seeded;

use crate::alike::EnumerateAlike;
use crate::enumerate::{Apply, Basic, Enumerate};
use crate::first_seen::FirstSeen;
use crate::flood::Flood;
use crate::labels::Labels;
use crate::local::{Annealing, LocalSearch, Restarts};
use crate::markers::{Key, Merged};
use crate::minimising::Minimising;
use crate::pseudo_sort::{PseudoSort, SortOrder};
use crate::reading::{StatelessChoice, StatelessReducer};
use crate::segmented::{Segmented, Segments};
use crate::sorted::{ByMarkers, ENUMERATE_MAX, Sorted};
use crate::split::SplitPoint;
use crate::table::States;
use group::image::Pruning;
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
    /// `enumerate-transpositions`
    EnumerateTranspositions,
    /// `enumerate-basic-transpositions`
    EnumerateBasicTranspositions,
    /// `enumerate-alike`
    EnumerateAlike,
    /// `segmented`
    Segmented,
    /// `pc-segmented`
    PcSegmented,
    /// `labels`
    Labels,
    /// `labels-searched`
    LabelsSearched,
    /// `labels-by-order`
    LabelsByOrder,
    /// `labels-by-automorphisms`
    LabelsByAutomorphisms,
    /// `labels-unpruned`
    LabelsUnpruned,
    /// `labels+markers`
    LabelsMarkers,
    /// `flood`
    Flood,
    /// `fast`
    Fast,
    /// `sorted`
    Sorted,
    /// `split-point`
    SplitPoint,
    /// `pc-sorted`
    PcSorted,
    /// `exact-markers`
    ExactMarkers,
    /// `minimising-sets`
    MinimisingSets,
    /// `local-search`
    LocalSearch,
    /// `local-restarts`
    LocalRestarts,
    /// `annealing`
    Annealing,
    /// `pseudo-sort`
    PseudoSort,
    /// `pseudo-sort-declared`
    PseudoSortDeclared,
    /// `pseudo-sort-first`
    PseudoSortFirst,
    /// `pseudo-sort-location`
    PseudoSortLocation,
    /// `pseudo-sort-references`
    PseudoSortReferences,
    /// `first-seen`
    FirstSeen,
    /// `markers`
    Markers,
    /// `path-markers`
    PathMarkers,
    /// `approximate-markers`
    ApproximateMarkers,
    /// `flatten`
    Flatten,
    /// `super-group`
    SuperGroup,
    /// `published-graphs`
    PublishedGraphs,
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
    pub const ALL: [Strategy; 37] = [
        Strategy::None,
        Strategy::Canonical,
        Strategy::Enumerate,
        Strategy::EnumerateBasic,
        Strategy::EnumerateTranspositions,
        Strategy::EnumerateBasicTranspositions,
        Strategy::EnumerateAlike,
        Strategy::Segmented,
        Strategy::PcSegmented,
        Strategy::Labels,
        Strategy::LabelsSearched,
        Strategy::LabelsByOrder,
        Strategy::LabelsByAutomorphisms,
        Strategy::LabelsUnpruned,
        Strategy::LabelsMarkers,
        Strategy::Flood,
        Strategy::Fast,
        Strategy::Sorted,
        Strategy::SplitPoint,
        Strategy::PcSorted,
        Strategy::ExactMarkers,
        Strategy::MinimisingSets,
        Strategy::LocalSearch,
        Strategy::LocalRestarts,
        Strategy::Annealing,
        Strategy::PseudoSort,
        Strategy::PseudoSortDeclared,
        Strategy::PseudoSortFirst,
        Strategy::PseudoSortLocation,
        Strategy::PseudoSortReferences,
        Strategy::FirstSeen,
        Strategy::Markers,
        Strategy::PathMarkers,
        Strategy::ApproximateMarkers,
        Strategy::Flatten,
        Strategy::SuperGroup,
        Strategy::PublishedGraphs,
    ];

    /// What it is called.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The same, to be kept as long as the program runs.
    pub fn as_static(self) -> &'static Strategy {
        let all: &'static [Strategy] = &Strategy::ALL;
        let own = all.iter().find(|other| **other == self);
        own.expect("every strategy is one of all")
    }

    /// What it does, in one line.
    pub fn description(self) -> &'static str {
        self.row().description
    }

    /// What is certain for every model; [`Reducer::guarantee`] may know more of one.
    pub fn guarantee(self) -> Guarantee {
        self.row().guarantee
    }

    /// Whether a path of representatives is a run only if each state is stored when it is first
    /// met, as it is by breadth and in mixed order.
    pub fn needs_breadth(self) -> bool {
        self.guarantee() == Guarantee::Lossy
    }

    /// Whether what it chooses for a state depends on the states that it saw before.
    pub fn needs_order(self) -> bool {
        matches!(
            self,
            Strategy::Labels | Strategy::LabelsMarkers | Strategy::Flood | Strategy::FirstSeen
        ) || self.pruning().is_some()
            || self.guarantee() == Guarantee::Lossy
    }

    /// How its search for labels is pruned, if it uses nothing but that search.
    fn pruning(self) -> Option<Pruning> {
        match self {
            Strategy::LabelsSearched => Some(Pruning::Both),
            Strategy::LabelsByOrder => Some(Pruning::ByOrder),
            Strategy::LabelsByAutomorphisms => Some(Pruning::ByAutomorphisms),
            Strategy::LabelsUnpruned => Some(Pruning::Neither),
            _ => None,
        }
    }

    /// Whether it draws at random, by a seed.
    pub fn uses_seed(self) -> bool {
        matches!(self, Strategy::LocalRestarts | Strategy::Annealing)
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
        self.with_seed(certified, 0)
    }

    /// The same for a seed, where the strategy draws at random.
    fn with_seed(
        self,
        certified: &Certified,
        seed: u64,
    ) -> Result<Box<dyn Reducer>, UnfitStrategy> {
        // Nothing moves, and every strategy comes to the same.
        if self == Strategy::None || certified.group().is_trivial() {
            return Ok(Box::new(Identity));
        }
        if self == Strategy::Canonical {
            return Ok(reduce::exact(certified));
        }
        let made = ReducerMaker { certified, seed }.make(self);
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

    fn taken_apart(&self, group: &group::Group) -> Option<String> {
        use Strategy::{ApproximateMarkers, ExactMarkers, Fast, PcSegmented, PcSorted, Segmented};
        let does = [Fast, Strategy::Sorted, PcSorted, Segmented, PcSegmented];
        let does = does.contains(self) || [ExactMarkers, ApproximateMarkers].contains(self);
        does.then(|| classify(group, ENUMERATE_MAX).to_string())
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
    seed: u64,
}

impl ReducerMaker<'_> {
    fn make(&self, strategy: Strategy) -> Result<Box<dyn Reducer>, Misfit> {
        let (certified, group) = (self.certified, self.certified.group());
        let (canonical, reading) = (|| Canonical::new(certified), || certified.reader());
        let approximate = Guarantee::Approximate;
        self.refuse_other_states(strategy)?;
        Ok(match strategy {
            Strategy::None | Strategy::Canonical => unreachable!("these are no comparison"),
            Strategy::Enumerate => self.by_chain(Apply::AtOnce)?,
            Strategy::EnumerateTranspositions => self.by_chain(Apply::ByTranspositions)?,
            Strategy::EnumerateBasic => self.by_list(Apply::AtOnce)?,
            Strategy::EnumerateBasicTranspositions => self.by_list(Apply::ByTranspositions)?,
            Strategy::EnumerateAlike => {
                self.refuse_above(IMAGES_MAX, Listed::Images)?;
                self.chosen(EnumerateAlike::new(group), Guarantee::Exact)
            }
            Strategy::Segmented => self.segmented(Reader::ranks),
            Strategy::PcSegmented => self.segmented(Reader::locations),
            Strategy::PseudoSort => self.pseudo_sort(SortOrder::ControlFirst)?,
            Strategy::PseudoSortDeclared => self.pseudo_sort(SortOrder::LocationLast)?,
            Strategy::PseudoSortFirst => self.pseudo_sort(SortOrder::FirstDeclared)?,
            Strategy::PseudoSortLocation => self.pseudo_sort(SortOrder::LocationFirst)?,
            Strategy::PseudoSortReferences => self.pseudo_sort(SortOrder::ReferencesFirst)?,
            Strategy::Labels => self.watched(Labels::new(canonical(), reading())),
            Strategy::LabelsSearched
            | Strategy::LabelsByOrder
            | Strategy::LabelsByAutomorphisms
            | Strategy::LabelsUnpruned => {
                let pruning = strategy.pruning().unwrap_or_default();
                if matches!(pruning, Pruning::ByOrder | Pruning::Neither) {
                    self.refuse_above(FLOOD_MAX, Listed::Images)?;
                }
                let canonical = Canonical::by_search(certified, pruning);
                self.watched(Labels::new(canonical, reading()))
            }
            Strategy::LabelsMarkers => {
                self.watched(Labels::with_markers(canonical(), reading(), group))
            }
            Strategy::Flood => {
                self.refuse_above(FLOOD_MAX, Listed::RememberedImages)?;
                self.watched(Flood::new(certified.reads(), group))
            }
            Strategy::Fast | Strategy::Sorted => self.sorted(strategy == Strategy::Fast),
            Strategy::SplitPoint => self.chosen(SplitPoint::new(group), approximate),
            Strategy::PcSorted => {
                let sorted = Sorted::new(classify(group, ENUMERATE_MAX), Reader::locations);
                self.chosen(sorted, approximate)
            }
            Strategy::ExactMarkers => self.chosen(ByMarkers::new(group), approximate),
            Strategy::MinimisingSets => {
                let set = minimising_set(group).ok_or(Misfit::NoColumns)?;
                let guarantee = exact_if(!reading().has_references());
                self.chosen(Minimising::new(&set, group.degree()), guarantee)
            }
            Strategy::LocalSearch => self.chosen(LocalSearch::new(group), approximate),
            Strategy::LocalRestarts => self.chosen(Restarts::new(group, self.seed), approximate),
            Strategy::Annealing => self.chosen(Annealing::new(group, self.seed), approximate),
            Strategy::FirstSeen => self.watched(FirstSeen::new(reading(), group)),
            Strategy::Markers => self.merged(Key::marker(group)),
            Strategy::PathMarkers => self.merged(Key::of_paths(group)),
            Strategy::ApproximateMarkers => self.merged(Key::weaker_marker(group)),
            Strategy::Flatten => self.merged(Key::flattened(group)),
            Strategy::PublishedGraphs => self.merged(Key::published()),
            Strategy::SuperGroup => self.merged(Key::of_super_group(group)),
        })
    }

    /// Says no where the strategy is for states of another kind.
    fn refuse_other_states(&self, strategy: Strategy) -> Result<(), Misfit> {
        let reads = self.certified.reads();
        match strategy.row().states {
            [States::Processes] if reads.records().is_empty() => Err(Misfit::NoProcesses),
            [States::Values] if !reads.has_values() => Err(Misfit::NoValues),
            _ => Ok(()),
        }
    }

    fn by_chain(&self, apply: Apply) -> Result<Box<dyn Reducer>, Misfit> {
        self.refuse_above(IMAGES_MAX, Listed::Images)?;
        let choice = Enumerate::new(self.certified.group(), apply);
        Ok(self.chosen(choice, Guarantee::Exact))
    }

    fn by_list(&self, apply: Apply) -> Result<Box<dyn Reducer>, Misfit> {
        self.refuse_above(LISTED_MAX, Listed::Symmetries)?;
        let choice = Basic::new(self.certified.group(), apply);
        Ok(self.chosen(choice, Guarantee::Exact))
    }

    fn segmented(&self, by: Segments) -> Box<dyn Reducer> {
        let canonical = Canonical::new(self.certified);
        let segmented = Segmented::new(canonical, self.certified.group(), by);
        self.chosen(segmented, Guarantee::Exact)
    }

    fn pseudo_sort(&self, order: SortOrder) -> Result<Box<dyn Reducer>, Misfit> {
        let sort = PseudoSort::new(self.certified, order).ok_or(Misfit::NoExchange)?;
        let guarantee = exact_if(sort.is_layered());
        Ok(self.chosen(sort, guarantee))
    }

    fn sorted(&self, goes_on: bool) -> Box<dyn Reducer> {
        let group = self.certified.group();
        let shape = classify(group, ENUMERATE_MAX);
        let refers = self.certified.reader().has_references();
        let guarantee = exact_if(shape.is_exact() && !refers);
        let sorted = if goes_on && refers {
            Sorted::further(shape, group)
        } else {
            Sorted::new(shape, Reader::ranks)
        };
        self.chosen(sorted, guarantee)
    }

    fn merged(&self, key: Key) -> Box<dyn Reducer> {
        self.watched(Merged::new(self.certified.reader(), key))
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
