//! Random Promela programs, drawn from the grammar of the language.
//!
//! A program draws first what it may use ([`Feature`]), so that programs differ in kind and not
//! only in detail, then its declarations, its processes and, if asked for, a formula or a claim.
//! What SPIN refuses whatever the rest of the program is (labels in front of options, a `d_step`
//! within another) is not drawn; some of what is drawn it refuses nevertheless.
//!
//! [`Aim::Run`] leaves out what SPIN's verifier and `orbit` are known to treat differently
//! (`docs/theory/promela.md`, "What is not as in SPIN"): a `d_step` that begins with a choice, with
//! an assertion or with a print, options of a choice in a `d_step` that begin with a choice, writes
//! of hidden variables in a `d_step`, `_nr_pr` beside a claim, numbers greater than 1 in messages
//! of bits, and arrays of bits.
//!
//! The same seed gives the same program, on every machine.

mod declarations;
mod expressions;
mod formulas;
mod simple;
mod statements;

use fastrand::Rng;
use std::collections::BTreeSet;

/// What a program is drawn for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aim {
    /// To look at its steps: anything goes.
    Structure,
    /// To be explored: few states, loops in `atomic` end, and nothing that SPIN does otherwise.
    Run,
    /// To be explored, with interchangeable processes.
    Symmetric,
    /// To be explored, with labels, a formula or a claim about infinite runs.
    Cycles,
}

/// Something that a program may use.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Feature {
    Unless,
    Atomic,
    DStep,
    Rendezvous,
    Buffer,
    Poll,
    Sorted,
    ChannelArray,
    Exclusive,
    Hidden,
    Run,
    Init,
    Inline,
    Macro,
    Timeout,
    Jump,
    Label,
    For,
    Select,
    Provided,
    Priority,
    Symbol,
    Record,
    Wide,
    Assertion,
    Several,
    Count,
    BadIndex,
}

/// All, with how many of a hundred programs may use each.
const FEATURES: [(Feature, u8); 28] = [
    (Feature::Unless, 45),
    (Feature::Atomic, 60),
    (Feature::DStep, 50),
    (Feature::Rendezvous, 40),
    (Feature::Buffer, 60),
    (Feature::Poll, 25),
    (Feature::Sorted, 30),
    (Feature::ChannelArray, 20),
    (Feature::Exclusive, 12),
    (Feature::Hidden, 8),
    (Feature::Run, 35),
    (Feature::Init, 30),
    (Feature::Inline, 25),
    (Feature::Macro, 25),
    (Feature::Timeout, 30),
    (Feature::Jump, 45),
    (Feature::Label, 50),
    (Feature::For, 35),
    (Feature::Select, 30),
    (Feature::Provided, 8),
    (Feature::Priority, 8),
    (Feature::Symbol, 25),
    (Feature::Record, 35),
    (Feature::Wide, 25),
    (Feature::Assertion, 50),
    (Feature::Several, 40),
    (Feature::Count, 20),
    (Feature::BadIndex, 6),
];

/// The program of a seed.
pub fn program(seed: u64, aim: Aim) -> String {
    let mut author = Author::new(seed, aim);
    let mut text = author.globals();
    text += &author.routines();
    text += &author.processes();
    match author.question {
        InfiniteQuestion::Labels => {}
        InfiniteQuestion::Claim => text += &author.claim(),
        InfiniteQuestion::Formula => text += &format!("ltl p {{ {} }}\n", author.formula(2)),
    }
    text
}

/// A process type that a formula may ask about.
struct AskedProcess {
    name: String,
    labels: Vec<String>,
    n_instances: u32,
}

/// What is asked of infinite runs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum InfiniteQuestion {
    /// Whether there are cycles through `accept` labels, or without `progress` labels.
    Labels,
    Claim,
    Formula,
}

/// Where a statement stands.
#[derive(Clone, Copy)]
struct StatementContext {
    depth: u32,
    block: Block,
    /// Whether `break` leads somewhere.
    in_loop: bool,
    /// Whether the statement may be taken again and again.
    repeated: bool,
}

/// The innermost block that joins steps.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    None,
    Atomic,
    DStep,
    /// The body of an inline, which may be used in a `d_step`.
    Inline,
}

impl StatementContext {
    /// The start of a process.
    const START: StatementContext = StatementContext {
        depth: 0,
        block: Block::None,
        in_loop: false,
        repeated: false,
    };

    fn deeper(self) -> StatementContext {
        StatementContext {
            depth: self.depth + 1,
            ..self
        }
    }

    fn atomic(self) -> StatementContext {
        let block = match self.block {
            Block::None => Block::Atomic,
            other => other,
        };
        StatementContext { block, ..self }
    }

    fn d_step(self) -> StatementContext {
        StatementContext {
            block: Block::DStep,
            in_loop: false,
            ..self
        }
    }

    fn looped(self) -> StatementContext {
        StatementContext {
            in_loop: true,
            repeated: true,
            ..self
        }
    }

    /// Whether a `d_step` is around, or may be.
    fn is_d_step(self) -> bool {
        matches!(self.block, Block::DStep | Block::Inline)
    }
}

/// What has been drawn so far.
struct Author {
    rng: Rng,
    aim: Aim,
    features: BTreeSet<Feature>,
    /// The variables of the process that is drawn, beside the globals.
    locals: Vec<&'static str>,
    /// The labels that jumps of this process can lead to.
    labels: Vec<String>,
    n_labels: u32,
    n_runs: u32,
    /// What a formula may ask about.
    asked: Vec<AskedProcess>,
    question: InfiniteQuestion,
}

impl Author {
    fn new(seed: u64, aim: Aim) -> Author {
        let mut rng = Rng::with_seed(seed);
        let mut features = BTreeSet::new();
        for (feature, percent) in FEATURES {
            if rng.u8(..100) < percent {
                features.insert(feature);
            }
        }
        match aim {
            Aim::Symmetric => {
                features.insert(Feature::Several);
                features.remove(&Feature::Hidden);
            }
            Aim::Cycles => {
                features.insert(Feature::Label);
                features.remove(&Feature::Count);
                features.remove(&Feature::Hidden);
                features.remove(&Feature::BadIndex);
            }
            Aim::Structure | Aim::Run => {}
        }
        // SPIN writes no C that compiles for priorities beside rendezvous.
        if features.contains(&Feature::Priority) {
            features.remove(&Feature::Rendezvous);
        }
        let question = match (aim, rng.u32(..5)) {
            (Aim::Cycles, 0) => InfiniteQuestion::Claim,
            (Aim::Cycles, 1..=3) => InfiniteQuestion::Formula,
            _ => InfiniteQuestion::Labels,
        };
        Author {
            rng,
            aim,
            question,
            features,
            locals: Vec::new(),
            labels: Vec::new(),
            n_labels: 0,
            n_runs: 0,
            asked: Vec::new(),
        }
    }

    fn has(&self, feature: Feature) -> bool {
        self.features.contains(&feature)
    }

    fn chance(&mut self, percent: u8) -> bool {
        self.rng.u8(..100) < percent
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.rng.usize(..from.len())]
    }

    /// A small number.
    fn number(&mut self) -> u32 {
        self.rng.u32(..4)
    }
}

#[cfg(test)]
mod tests {
    use super::{Aim, Author, FEATURES, program};

    #[test]
    fn a_seed_gives_one_program() {
        for aim in [Aim::Structure, Aim::Run, Aim::Symmetric, Aim::Cycles] {
            assert_eq!(program(7, aim), program(7, aim));
            assert_ne!(program(7, aim), program(8, aim));
        }
    }

    #[test]
    fn every_feature_is_drawn() {
        let authors: Vec<Author> = (0..200).map(|seed| Author::new(seed, Aim::Run)).collect();
        for (feature, _) in FEATURES {
            let n = authors.iter().filter(|a| a.has(feature)).count();
            assert!(n > 0, "{feature:?} in {n} of {}", authors.len());
        }
    }

    #[test]
    fn every_construct_is_drawn() {
        let texts = |aim| (0..300).map(move |seed| program(seed, aim));
        let all: String = texts(Aim::Run).chain(texts(Aim::Cycles)).collect();
        let words = [
            "unless",
            "atomic {",
            "d_step {",
            "else ->",
            "else;",
            "timeout",
            "goto ",
            "break",
            "for (",
            "select (",
            "run ",
            "init",
            "provided (",
            "priority ",
            "inline ",
            "#define ",
            "mtype",
            "typedef ",
            "hidden ",
            "xr ",
            "xs ",
            "!!",
            "??",
            "?<",
            "eval(",
            "_pid",
            "_nr_pr",
            "printf(",
            "assert(",
            "end",
            "accept",
            "progress",
            "ltl ",
            "never ",
            "@",
            "np_",
            "_last",
            "full(",
            "nempty(",
            "len(",
            "?[",
            " in ",
            "->",
            "active [",
        ];
        for word in words {
            assert!(all.contains(word), "no `{word}`");
        }
    }
}
