//! Fewer labels: which arguments are kept, which operations are hidden.
//!
//! An abstraction of labels maps each label of a space to a class, or to none if its operation is
//! hidden. By default a class is an operation without its arguments; several operations may be
//! given one name.
//!
//! Worked example: with the first argument of `add` kept, `add(Name1, Code1)` and
//! `add(Name1, Code2)` are both `add(Name1, _)`, and `delete(Name1)` is `delete`.

use crate::space::{LabelId, Space};
use std::collections::HashMap;

/// What becomes of labels.
#[derive(Clone, Default, Debug)]
pub struct AlphaRules {
    /// Whether all arguments are kept.
    pub keeps_all: bool,
    /// Arguments that are kept, if not all are.
    pub kept: Vec<KeptArgument>,
    /// Operations that are hidden, by their words.
    pub hidden: Vec<String>,
    /// Operations with other names, their arguments dropped.
    pub renamed: Vec<RenamedOperation>,
}

/// An operation with another name; several may get one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RenamedOperation {
    /// The operation, by its words.
    pub operation: String,
    /// Its name.
    pub name: String,
}

/// Values of an argument of an operation: of that operation only transitions with one of these.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChosenValues {
    /// The argument.
    pub argument: KeptArgument,
    /// What it may be, as written.
    pub values: Vec<String>,
}

impl ChosenValues {
    /// Whether a transition with this label is left out.
    pub fn leaves_out(&self, space: &Space, label: LabelId) -> bool {
        let operation = &space.operations()[space.operation(label)];
        if !operation.is_meant(&self.argument.operation) {
            return false;
        }
        let place = self.argument.place(&operation.parameters);
        let value = place.and_then(|place| space.arguments(label).nth(place));
        value.is_none_or(|value| !self.values.iter().any(|one| one == value))
    }
}

/// An argument of an operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeptArgument {
    /// The operation, by its words.
    pub operation: String,
    /// What the argument is called, or its place from 1.
    pub argument: String,
}

impl KeptArgument {
    /// Its place among the arguments of an operation with these parameters, from 0.
    pub fn place(&self, parameters: &[String]) -> Option<usize> {
        let named = parameters.iter().position(|name| *name == self.argument);
        let number = self.argument.parse::<usize>().ok();
        named.or(number.and_then(|n| n.checked_sub(1)))
    }
}

/// The classes of labels.
#[derive(Clone, Debug)]
pub struct Alpha {
    /// By label; [`Alpha::HIDDEN`] if it has none.
    classes: Vec<u32>,
    texts: Vec<String>,
}

impl Alpha {
    /// The class of what is hidden.
    pub const HIDDEN: u32 = u32::MAX;

    /// The classes that rules make.
    pub fn new(space: &Space, rules: &AlphaRules) -> Alpha {
        let operations = space.operations();
        let is_hidden: Vec<bool> = operations
            .iter()
            .map(|operation| rules.hidden.iter().any(|word| operation.is_meant(word)))
            .collect();
        let kept: Vec<Vec<usize>> = operations
            .iter()
            .map(|operation| {
                let of_it = rules.kept.iter();
                let of_it = of_it.filter(|kept| operation.is_meant(&kept.operation));
                of_it
                    .filter_map(|kept| kept.place(&operation.parameters))
                    .collect()
            })
            .collect();
        let new_name: Vec<Option<&String>> = operations
            .iter()
            .map(|operation| {
                let mut of_it = rules.renamed.iter();
                let renamed = of_it.find(|renamed| operation.is_meant(&renamed.operation));
                renamed.map(|renamed| &renamed.name)
            })
            .collect();
        let mut numbers: HashMap<(usize, String), u32> = HashMap::new();
        let mut alpha = Alpha {
            classes: Vec::with_capacity(space.n_labels()),
            texts: Vec::new(),
        };
        for label in (0..space.n_labels()).map(LabelId::new) {
            let operation = space.operation(label);
            if is_hidden[operation] {
                alpha.classes.push(Alpha::HIDDEN);
                continue;
            }
            let kept = &kept[operation];
            let is_kept = |i: usize| rules.keeps_all || kept.contains(&i);
            let key = match new_name[operation] {
                Some(name) => (usize::MAX, name.clone()),
                None => (operation, space.partial_text(label, &is_kept)),
            };
            let texts = &mut alpha.texts;
            let class = numbers.entry(key).or_insert_with_key(|key| {
                texts.push(key.1.clone());
                texts.len() as u32 - 1
            });
            alpha.classes.push(*class);
        }
        alpha
    }

    /// The class of a label; [`Alpha::HIDDEN`] if it has none.
    pub fn class(&self, label: LabelId) -> u32 {
        self.classes[label.index()]
    }

    /// The classes of all labels, by number of the label.
    pub fn classes(&self) -> &[u32] {
        &self.classes
    }

    /// A class in words.
    pub fn text(&self, class: u32) -> &str {
        &self.texts[class as usize]
    }

    /// How many classes there are.
    pub fn n_classes(&self) -> usize {
        self.texts.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::NodeKinds;
    use crate::space::{LabelNotation, Operation, SpaceBuilder};

    fn space() -> Space {
        let mut builder = SpaceBuilder::new(LabelNotation::Call);
        let mut add = Operation::named("add");
        add.parameters = vec!["nn".to_owned(), "cc".to_owned()];
        builder.label(&add, &["Name1", "Code1"]);
        builder.label(&add, &["Name1", "Code2"]);
        builder.label(&Operation::named("delete"), &["Name1"]);
        builder.state(0, NodeKinds::INITIAL);
        builder.expanded();
        builder.finish()
    }

    fn classes(rules: &AlphaRules) -> (Vec<u32>, Vec<String>) {
        let alpha = Alpha::new(&space(), rules);
        (alpha.classes, alpha.texts)
    }

    #[test]
    fn by_default_arguments_are_dropped() {
        let (classes, texts) = classes(&AlphaRules::default());
        assert_eq!(classes, [0, 0, 1]);
        assert_eq!(texts, ["add", "delete"]);
    }

    #[test]
    fn arguments_are_kept_by_name_and_by_place() {
        for argument in ["cc", "2"] {
            let (classes, texts) = classes(&AlphaRules {
                kept: vec![KeptArgument {
                    operation: "add".to_owned(),
                    argument: argument.to_owned(),
                }],
                ..AlphaRules::default()
            });
            assert_eq!(classes, [0, 1, 2]);
            assert_eq!(texts, ["add(_, Code1)", "add(_, Code2)", "delete"]);
        }
    }

    #[test]
    fn operations_of_one_name_are_one_class() {
        let renamed = ["add", "delete"].map(|operation| RenamedOperation {
            operation: operation.to_owned(),
            name: "change".to_owned(),
        });
        let (classes, texts) = classes(&AlphaRules {
            renamed: renamed.to_vec(),
            ..AlphaRules::default()
        });
        assert_eq!(classes, [0, 0, 0]);
        assert_eq!(texts, ["change"]);
    }

    #[test]
    fn all_arguments_are_kept_and_operations_hidden() {
        let (classes, texts) = classes(&AlphaRules {
            keeps_all: true,
            hidden: vec!["delete".to_owned()],
            ..AlphaRules::default()
        });
        assert_eq!(classes, [0, 1, Alpha::HIDDEN]);
        assert_eq!(texts, ["add(Name1, Code1)", "add(Name1, Code2)"]);
    }
}
