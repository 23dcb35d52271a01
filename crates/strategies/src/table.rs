//! Every way of choosing representatives in one table: what it is called, what is certain about it,
//! which document has it, whose states it fits.
//!
//! Help, refusals, `--reduce list` and [`Strategy`] itself read it; nothing about a name is said
//! twice. States are of three kinds, and a language has one of them, which its front end says.

use crate::Strategy;
pub use model::frontend::States;
use reduce::reducer::Guarantee;

use Guarantee::{Approximate, Exact, Lossy};
use States::{Pairs, Processes, Values};

/// Who chooses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// One of this crate.
    Ours(Strategy),
    /// The canonical form under a group that shrinks: `reduce::strategy::Adaptive`.
    Adaptive,
    /// One of `reduce::network::Algorithm`, of the same name.
    OfPairs,
}

/// A way of choosing representatives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// As it is typed.
    pub name: &'static str,
    /// Who chooses.
    pub way: Way,
    /// What is certain for every model.
    pub guarantee: Guarantee,
    /// Where it is from.
    pub document: &'static str,
    /// Which states it chooses among.
    pub states: &'static [States],
    /// Which groups it fits, in words.
    pub fits: &'static str,
    /// What it does, in one line.
    pub description: &'static str,
}

const OURS: &str = "Orbit";
const TOPSPIN: &str = "Donaldson 2007 (TopSPIN)";
const LATER_TOPSPIN: &str = "TopSPIN after 2007";
const SYMMSPIN: &str = "Bošnački, Dams, Holenderski 2002 (SymmSpin)";
const PSEUDO: &str = "Derepas, Gastin 2001";
const LABELS: &str = "Turner, Leuschel, Spermann, Butler 2007 (ProB)";
const TURNER: &str = "Turner 2007 (ProB)";
const FLOOD: &str = "Leuschel, Butler, Spermann, Turner 2007 (ProB)";
const MARKERS: &str = "Leuschel, Massart 2007 (ProB)";
const SMC: &str = "Sistla, Gyuris, Emerson 2000 (SMC)";
const WAHL: &str = "Wahl 2007";
const PAIRS: &str = "Moffat, Goldsmith, Roscoe 2008";

const ANY: &str = "every group";
const SWAPS: &str = "processes two of which can be exchanged alone";

const ALL: &[States] = &[Processes, Values, Pairs];
const STATES: &[States] = &[Processes, Values];
const PROCESSES: &[States] = &[Processes];
const VALUES: &[States] = &[Values];
const OF_PAIRS: &[States] = &[Pairs];

/// A row of this crate's own.
const fn ours(strategy: Strategy, name: &'static str, guarantee: Guarantee) -> Row {
    Row {
        name,
        way: Way::Ours(strategy),
        guarantee,
        document: TOPSPIN,
        states: STATES,
        fits: ANY,
        description: "",
    }
}

/// A row for pairs.
const fn of_pairs(name: &'static str, guarantee: Guarantee) -> Row {
    Row {
        name,
        way: Way::OfPairs,
        guarantee,
        document: PAIRS,
        states: OF_PAIRS,
        fits: "groups of up to 50,000 elements",
        description: "",
    }
}

/// All of them: the default after `none`, then exact ones, approximate ones, lossy ones, those for
/// pairs.
pub const ROWS: &[Row] = &[
    Row {
        document: OURS,
        states: ALL,
        description: "every state represents itself",
        ..ours(Strategy::None, "none", Exact)
    },
    Row {
        document: OURS,
        states: ALL,
        description: "the canonical state of the orbit",
        ..ours(Strategy::Canonical, "canonical", Exact)
    },
    Row {
        fits: "groups of up to 10,000,000 elements",
        description: "the least of all images, along a stabiliser chain",
        ..ours(Strategy::Enumerate, "enumerate", Exact)
    },
    Row {
        fits: "groups of up to 100,000 elements",
        description: "the least of all images, from a list of all elements",
        ..ours(Strategy::EnumerateBasic, "enumerate-basic", Exact)
    },
    Row {
        fits: "groups of up to 10,000,000 elements",
        description: "the same along a chain, each element as a row of transpositions",
        ..ours(
            Strategy::EnumerateTranspositions,
            "enumerate-transpositions",
            Exact,
        )
    },
    Row {
        fits: "groups of up to 100,000 elements",
        description: "the same from a list, each element as a row of transpositions",
        ..ours(
            Strategy::EnumerateBasicTranspositions,
            "enumerate-basic-transpositions",
            Exact,
        )
    },
    Row {
        document: "Emerson, Sistla 1996",
        fits: "groups of up to 10,000,000 elements",
        description: "the least of all images, once for points that are alike in the state",
        ..ours(Strategy::EnumerateAlike, "enumerate-alike", Exact)
    },
    Row {
        description: "control data sorted, then the least among equals",
        ..ours(Strategy::Segmented, "segmented", Exact)
    },
    Row {
        document: SYMMSPIN,
        states: PROCESSES,
        description: "locations sorted, then the least among equals",
        ..ours(Strategy::PcSegmented, "pc-segmented", Exact)
    },
    Row {
        document: LABELS,
        description: "the first state with a canonical label",
        ..ours(Strategy::Labels, "labels", Exact)
    },
    Row {
        document: TURNER,
        description: "the same, labels by the search over ties alone",
        ..ours(Strategy::LabelsSearched, "labels-searched", Exact)
    },
    Row {
        document: TURNER,
        fits: "groups of up to 1,000,000 elements",
        description: "the same, the search pruned by the order of labels only",
        ..ours(Strategy::LabelsByOrder, "labels-by-order", Exact)
    },
    Row {
        document: TURNER,
        description: "the same, the search pruned by automorphisms only",
        ..ours(
            Strategy::LabelsByAutomorphisms,
            "labels-by-automorphisms",
            Exact,
        )
    },
    Row {
        document: TURNER,
        fits: "groups of up to 1,000,000 elements",
        description: "the same, the search not pruned at all",
        ..ours(Strategy::LabelsUnpruned, "labels-unpruned", Exact)
    },
    Row {
        document: LABELS,
        description: "as `labels`, with labels only where markers repeat",
        ..ours(Strategy::LabelsMarkers, "labels+markers", Exact)
    },
    Row {
        document: FLOOD,
        fits: "groups of up to 1,000,000 elements",
        description: "the first state of an orbit, all of which is remembered",
        ..ours(Strategy::Flood, "flood", Exact)
    },
    Row {
        description: "control data sorted, then references by single moves",
        ..ours(Strategy::Fast, "fast", Approximate)
    },
    Row {
        document: SYMMSPIN,
        description: "control data sorted, by the shape of the group",
        ..ours(Strategy::Sorted, "sorted", Approximate)
    },
    Row {
        document: "Ip, Dill 1996 (Murphi)",
        description: "control data of the first half of the orbits least, the rest moved along",
        ..ours(Strategy::SplitPoint, "split-point", Approximate)
    },
    Row {
        document: SYMMSPIN,
        states: PROCESSES,
        description: "locations sorted, by the shape of the group, and nothing else",
        ..ours(Strategy::PcSorted, "pc-sorted", Approximate)
    },
    Row {
        document: LATER_TOPSPIN,
        description: "points sorted by what they own and how they are referred to",
        ..ours(Strategy::ExactMarkers, "exact-markers", Approximate)
    },
    Row {
        fits: "all permutations of like columns at once",
        description: "exchanges of columns as long as one helps",
        ..ours(Strategy::MinimisingSets, "minimising-sets", Approximate)
    },
    Row {
        description: "steepest descent by the generators",
        ..ours(Strategy::LocalSearch, "local-search", Approximate)
    },
    Row {
        description: "the same from several random images of the state (`--seed`)",
        ..ours(Strategy::LocalRestarts, "local-restarts", Approximate)
    },
    Row {
        description: "a random walk that cools down, then descent (`--seed`)",
        ..ours(Strategy::Annealing, "annealing", Approximate)
    },
    Row {
        document: PSEUDO,
        states: PROCESSES,
        fits: SWAPS,
        description: "processes sorted by control data, then by their bytes",
        ..ours(Strategy::PseudoSort, "pseudo-sort", Approximate)
    },
    Row {
        document: PSEUDO,
        states: PROCESSES,
        fits: SWAPS,
        description: "processes sorted by their variables as declared, then the location",
        ..ours(
            Strategy::PseudoSortDeclared,
            "pseudo-sort-declared",
            Approximate,
        )
    },
    Row {
        document: PSEUDO,
        states: PROCESSES,
        fits: SWAPS,
        description: "processes sorted by the variable declared first, and nothing else",
        ..ours(Strategy::PseudoSortFirst, "pseudo-sort-first", Approximate)
    },
    Row {
        document: PSEUDO,
        states: PROCESSES,
        fits: SWAPS,
        description: "processes sorted by the location, then their variables as declared",
        ..ours(
            Strategy::PseudoSortLocation,
            "pseudo-sort-location",
            Approximate,
        )
    },
    Row {
        document: PSEUDO,
        states: PROCESSES,
        fits: SWAPS,
        description: "processes sorted by what they refer to, then by control data",
        ..ours(
            Strategy::PseudoSortReferences,
            "pseudo-sort-references",
            Approximate,
        )
    },
    Row {
        document: SMC,
        description: "the first state of an orbit that a quick test finds",
        ..ours(Strategy::FirstSeen, "first-seen", Approximate)
    },
    Row {
        name: "adaptive",
        way: Way::Adaptive,
        guarantee: Approximate,
        document: WAHL,
        states: PROCESSES,
        fits: "every group; questions about states, by breadth",
        description: "the canonical state under a group that shrinks with certain steps",
    },
    Row {
        document: MARKERS,
        description: "the first state with a marker; errors may be missed",
        ..ours(Strategy::Markers, "markers", Lossy)
    },
    Row {
        document: MARKERS,
        description: "the first state with a marker of paths; errors may be missed",
        ..ours(Strategy::PathMarkers, "path-markers", Lossy)
    },
    Row {
        document: LATER_TOPSPIN,
        description: "the first state with a weaker marker; errors may be missed",
        ..ours(Strategy::ApproximateMarkers, "approximate-markers", Lossy)
    },
    Row {
        document: LATER_TOPSPIN,
        description: "the first state with these control data; errors may be missed",
        ..ours(Strategy::Flatten, "flatten", Lossy)
    },
    Row {
        description: "as if all points of an orbit were interchangeable; errors may be missed",
        ..ours(Strategy::SuperGroup, "super-group", Lossy)
    },
    Row {
        document: TURNER,
        states: VALUES,
        description: "the first state with a published graph; errors may be missed",
        ..ours(Strategy::PublishedGraphs, "published-graphs", Lossy)
    },
    Row {
        fits: "components that are interchangeable freely, and a specification that stays",
        description: "states of components sorted",
        ..of_pairs("sym-check-1", Exact)
    },
    Row {
        fits: "groups of up to 50,000 elements, and a specification that stays",
        description: "the least image of the state of the process",
        ..of_pairs("sym-check-2", Exact)
    },
    Row {
        description: "the least image of the state of the process, the other moved along",
        ..of_pairs("sym-check-3", Approximate)
    },
    Row {
        fits: "groups of which one of the three fits",
        description: "that of the three which fits, told with the reason",
        ..of_pairs("sym-check", Approximate)
    },
    Row {
        fits: ANY,
        description: "the pair made less by the generators; an orbit may have several",
        ..of_pairs("descent", Approximate)
    },
    Row {
        document: OURS,
        fits: ANY,
        description: "another name of `canonical`",
        ..of_pairs("exact", Exact)
    },
];

/// The row of that name, if there is one for such states.
pub fn named(name: &str, states: States) -> Option<&'static Row> {
    ROWS.iter()
        .find(|row| row.name == name && row.states.contains(&states))
}

/// The names for such states.
pub fn names(states: States) -> String {
    let rows = ROWS.iter().filter(|row| row.states.contains(&states));
    rows.map(|row| row.name).collect::<Vec<_>>().join(", ")
}

impl Strategy {
    /// What is said of it.
    pub fn row(self) -> &'static Row {
        let found = ROWS.iter().find(|row| row.way == Way::Ours(self));
        found.expect("every strategy has a row")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduce::network::Algorithm;
    use reduce::strategy::{Adaptive, Strategy as _};

    #[test]
    fn every_way_has_one_row_and_every_row_is_a_way() {
        for (n, row) in ROWS.iter().enumerate() {
            let again = ROWS[n + 1..].iter().find(|other| other.name == row.name);
            assert_eq!(again, None);
            assert!(!row.description.is_empty() && !row.states.is_empty());
            match row.way {
                Way::Ours(strategy) => assert!(Strategy::ALL.contains(&strategy)),
                Way::Adaptive => {
                    let (name, guarantee) = (Adaptive.name(), Adaptive.guarantee());
                    assert_eq!((name, guarantee), (row.name, row.guarantee));
                }
                Way::OfPairs => assert!(Algorithm::named(row.name).is_some(), "{}", row.name),
            }
        }
        for strategy in Strategy::ALL {
            assert_eq!(strategy.row().way, Way::Ours(strategy));
        }
        for algorithm in Algorithm::ALL {
            assert!(named(algorithm.name(), States::Pairs).is_some());
        }
        assert!(named("sorted", States::Pairs).is_none());
        assert!(named("pc-sorted", States::Values).is_none());
    }
}
