//! What is printed of views, and the models that ours are made of.
//!
//! Tables 3.1 and B.1 of E. N. Turner's thesis (2007) have 47 state spaces; the texts of three
//! machines are printed there. Five further machines, of ProB's public examples, have the sizes of
//! a row exactly (states, transitions, loops, labels), so they are taken for its machine.

/// A row of the tables, as printed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PrintedView {
    /// The machine.
    pub case: &'static str,
    /// Where its text is.
    pub text: ViewText,
    /// States and transitions.
    pub space: [u64; 2],
    /// Of signatures: nodes, and pairs of a node and a label.
    pub signature: [u64; 2],
    /// Of the automaton: nodes with the empty set, and edges without those to it.
    pub dfa: [u64; 2],
}

/// Where a text is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ViewText {
    /// Here; its sets have three elements.
    Own(&'static str),
    /// In the folder that `--corpus` names; its sets have two elements if it does not say.
    Corpus(&'static str),
}

use ViewText::{Corpus, Own};

/// The rows whose machines there are.
pub const PRINTED: [PrintedView; 8] = [
    PrintedView {
        case: "phonebook",
        text: Own(include_str!("../../../models/b/phonebook.mch")),
        space: [65, 433],
        signature: [4, 7],
        dfa: [6, 10],
    },
    PrintedView {
        case: "scheduler",
        text: Own(include_str!("../../../models/b/scheduler.mch")),
        space: [36, 121],
        signature: [8, 17],
        dfa: [12, 25],
    },
    PrintedView {
        case: "RussianPostalPuzzle",
        text: Own(include_str!("../../../models/b/russian_postal_puzzle.mch")),
        space: [441, 1227],
        signature: [9, 21],
        dfa: [120, 274],
    },
    PrintedView {
        case: "bibliotheque",
        text: Corpus("B__B_Day__bibliotheque.mch"),
        space: [15, 53],
        signature: [11, 31],
        dfa: [14, 40],
    },
    PrintedView {
        case: "Fermat",
        text: Corpus("B__Demo__Fermat.mch"),
        space: [17, 81],
        signature: [2, 3],
        dfa: [10, 17],
    },
    PrintedView {
        case: "FunLaws",
        text: Corpus("B__Benchmarks__FunLawsWithLambda.mch"),
        space: [257, 2049],
        signature: [5, 13],
        dfa: [38, 133],
    },
    PrintedView {
        case: "monitor",
        text: Corpus("B__Demo__monitor2.mch"),
        space: [81, 529],
        signature: [8, 19],
        dfa: [32, 100],
    },
    PrintedView {
        case: "Teletext",
        text: Corpus("B__Benchmarks__Teletext_bench.mch"),
        space: [14, 122],
        signature: [3, 12],
        dfa: [15, 122],
    },
];

/// A model whose views are measured.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ViewModel {
    /// The name of its file.
    pub file: &'static str,
    /// Its text.
    pub text: &'static str,
    /// What is said of its sizes.
    pub flags: &'static str,
}

macro_rules! models {
    ($($folder:literal $file:literal $flags:literal),* $(,)?) => {
        &[$(ViewModel {
            file: $file,
            text: include_str!(concat!("../../../models/", $folder, "/", $file)),
            flags: $flags,
        }),*]
    };
}

/// Models of every language.
pub const MODELS: &[ViewModel] = models![
    "promela" "mutex.pml" "",
    "promela" "peterson_n.pml" "",
    "promela" "dining.pml" "",
    "promela" "readers_writers.pml" "",
    "promela" "barrier.pml" "",
    "promela" "leader_cr.pml" "",
    "promela" "telephone.pml" "",
    "promela" "twophase.pml" "",
    "promela" "semaphore.pml" "",
    "promela" "railway.pml" "",
    "b" "phonebook.mch" "--default-set-size=4",
    "b" "scheduler0.mch" "--default-set-size=4",
    "b" "scheduler.mch" "--default-set-size=4",
    "b" "russian_postal_puzzle.mch" "--default-set-size=4",
    "b" "file_system.mch" "--default-set-size=2",
    "b" "petersons.mch" "",
    "b" "binary_relations.mch" "--default-set-size=3",
    "cspm/classics" "alternating_bit.csp" "",
    "cspm/classics" "philosophers.csp" "",
    "cspm/classics" "token_ring.csp" "",
    "cspm/classics" "needham_schroeder.csp" "",
];
