//! Labels in words: operations and arguments, each kept once.

use super::LabelId;
use std::collections::HashMap;

/// What a label says without its arguments: they stand between `head` and `tail`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Operation {
    /// What stands before the arguments: `add`, or who moves, as `User`.
    pub head: String,
    /// What stands after them, as `: turn = 1`; often nothing.
    pub tail: String,
    /// What its arguments are called, as far as that is known.
    pub parameters: Vec<String>,
}

impl Operation {
    /// An operation whose name says all.
    pub fn named(head: &str) -> Operation {
        Operation {
            head: head.to_owned(),
            tail: String::new(),
            parameters: Vec::new(),
        }
    }

    /// In words, without arguments.
    pub fn text(&self) -> String {
        format!("{}{}", self.head, self.tail)
    }

    /// Whether somebody who writes this means it: all of it, or its head.
    pub fn is_meant(&self, word: &str) -> bool {
        self.head == word || self.text() == word
    }
}

/// How arguments are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LabelNotation {
    /// `add(Name1, Code2)`.
    Call,
    /// `left.1.2`.
    Dots,
}

/// The words of all labels.
#[derive(Clone, Debug)]
pub(super) struct LabelWords {
    notation: LabelNotation,
    operations: Vec<Operation>,
    arguments: Vec<String>,
    labels: Vec<LabelParts>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct LabelParts {
    operation: u32,
    arguments: Vec<u32>,
}

/// Where words are found again while labels are entered.
#[derive(Default)]
pub(super) struct LabelIndex {
    operations: HashMap<Operation, u32>,
    arguments: HashMap<String, u32>,
    labels: HashMap<LabelParts, LabelId>,
}

impl LabelWords {
    /// None yet.
    pub fn new(notation: LabelNotation) -> LabelWords {
        LabelWords {
            notation,
            operations: Vec::new(),
            arguments: Vec::new(),
            labels: Vec::new(),
        }
    }

    /// The number of a label, a new one if it was not met before.
    pub fn enter(
        &mut self,
        index: &mut LabelIndex,
        operation: &Operation,
        arguments: &[&str],
    ) -> LabelId {
        let number = match index.operations.get(operation) {
            Some(number) => *number,
            None => {
                let number = self.operations.len() as u32;
                self.operations.push(operation.clone());
                index.operations.insert(operation.clone(), number);
                number
            }
        };
        let mut places = Vec::with_capacity(arguments.len());
        for text in arguments {
            let place = match index.arguments.get(*text) {
                Some(place) => *place,
                None => {
                    let place = self.arguments.len() as u32;
                    self.arguments.push((*text).to_owned());
                    index.arguments.insert((*text).to_owned(), place);
                    place
                }
            };
            places.push(place);
        }
        let parts = LabelParts {
            operation: number,
            arguments: places,
        };
        if let Some(label) = index.labels.get(&parts) {
            return *label;
        }
        let label = LabelId::new(self.labels.len());
        self.labels.push(parts.clone());
        index.labels.insert(parts, label);
        label
    }

    pub fn n_labels(&self) -> usize {
        self.labels.len()
    }

    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    pub fn operation(&self, label: LabelId) -> usize {
        self.labels[label.index()].operation as usize
    }

    pub fn arguments(&self, label: LabelId) -> impl Iterator<Item = &str> {
        let places = self.labels[label.index()].arguments.iter();
        places.map(|place| self.arguments[*place as usize].as_str())
    }

    /// A label with the arguments that are kept, by place.
    pub fn text(&self, label: LabelId, is_kept: &dyn Fn(usize) -> bool) -> String {
        let operation = &self.operations[self.operation(label)];
        let shown: Vec<&str> = self.arguments(label).collect();
        if !(0..shown.len()).any(is_kept) {
            return operation.text();
        }
        let shown = shown.iter().enumerate();
        let shown = shown.map(|(i, text)| if is_kept(i) { *text } else { "_" });
        let shown: Vec<&str> = shown.collect();
        let Operation { head, tail, .. } = operation;
        match self.notation {
            LabelNotation::Call => format!("{head}({}){tail}", shown.join(", ")),
            LabelNotation::Dots => format!("{head}.{}{tail}", shown.join(".")),
        }
    }
}
