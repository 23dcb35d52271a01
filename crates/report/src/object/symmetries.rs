//! What `orbit symmetry` found.

use super::{Diagnostic, Generator, Model, Rejected, Sort, VERSION};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

/// A symmetry that the text declares.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Declared {
    /// What is declared, as in the text.
    pub text: String,
    /// Why it does not hold, in words; null if it holds, or if that is not known.
    pub unmet: Option<String>,
    /// Why that is not known, in words.
    pub unknown: Option<String>,
}

/// What is interchangeable in a model, and what stands in the way of more.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Symmetries {
    /// The version of Orbit.
    pub orbit: String,
    /// The model.
    pub model: Model,
    /// How many elements the group of the model has, digits; null if that is not known, or if the
    /// model has none of its own, as a script of which each assertion has one.
    pub group_order: Option<String>,
    /// What the group is, in words.
    pub structure: Option<String>,
    /// Which strategy (`check --reduce`) fits the group, and why, in words; null where there is no
    /// choice.
    pub advice: Option<String>,
    /// What generates it.
    pub generators: Vec<Generator>,
    /// What the text declares, and whether it holds.
    pub declared: Vec<Declared>,
    /// The lines of loops whose sends are taken not to wait.
    pub assumed_lines: Vec<u32>,
    /// Generators that were given, or found, and are none.
    pub rejected: Vec<Rejected>,
    /// Who can be exchanged with whom, where there are processes.
    pub orbits: Option<Orbits>,
    /// Sets of things that may be interchangeable.
    pub sorts: Vec<Sort>,
    /// Constants and variables with their types, where states hold values; empty elsewhere.
    pub types: Vec<TypedField>,
    /// What the way in which the model sets itself up breaks.
    pub making: Vec<Blocker>,
    /// What stands in the way of more symmetry.
    pub blockers: Vec<Blocker>,
    /// Changes of the text that give more symmetry; null if `--suggest` did not ask for them.
    pub suggestions: Option<Suggestions>,
    /// Settings of the model with which a check may use no symmetry, in words.
    pub limits: Vec<String>,
    /// What a reader has to know of it, a sentence each.
    pub notes: Vec<String>,
    /// The group that each assertion of a script leaves.
    pub properties: Vec<Assertion>,
    /// What the static channel diagram gave, if `--detect` asked for it.
    pub channel_diagram: Option<ChannelDiagram>,
    /// The symmetry of the state graph, if `--detect` asked for it and it was found.
    pub kripke: Option<Kripke>,
    /// Pictures of it; empty if `--drawings` did not ask for them, or if there is nothing to draw.
    pub drawings: Vec<Drawing>,
    /// The file that the diagram was drawn in, if that was asked for.
    pub diagram: Option<String>,
    /// Why something is not known, if a limit was the reason: `time`, `memory`, `interrupted`,
    /// `states`.
    pub stop_reason: Option<String>,
    /// Why the group is not known, in words.
    pub reason: Option<String>,
    /// Errors and warnings about the input.
    pub diagnostics: Vec<Diagnostic>,
}

/// A constant or variable.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct TypedField {
    /// Its name.
    pub name: String,
    /// Whether it is a constant.
    pub constant: bool,
    /// Its type, as B writes it: `POW(Name * Code)`.
    #[serde(rename = "type")]
    pub ty: String,
    /// The sets whose elements it can hold.
    pub sets: Vec<String>,
}

impl Symmetries {
    /// Nothing is known yet of a model.
    pub fn new(model: Model) -> Symmetries {
        Symmetries {
            orbit: VERSION.to_owned(),
            model,
            group_order: None,
            structure: None,
            advice: None,
            generators: Vec::new(),
            declared: Vec::new(),
            assumed_lines: Vec::new(),
            rejected: Vec::new(),
            orbits: None,
            sorts: Vec::new(),
            types: Vec::new(),
            making: Vec::new(),
            blockers: Vec::new(),
            suggestions: None,
            limits: Vec::new(),
            notes: Vec::new(),
            properties: Vec::new(),
            channel_diagram: None,
            kripke: None,
            drawings: Vec::new(),
            diagram: None,
            stop_reason: None,
            reason: None,
            diagnostics: Vec::new(),
        }
    }
}

/// A picture.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Drawing {
    /// What it shows.
    pub title: String,
    /// What a reader has to know, a sentence each.
    pub notes: Vec<String>,
    /// The picture, as SVG.
    pub svg: String,
}

/// Who can be exchanged with whom: each is in one orbit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Orbits {
    /// The orbits of processes.
    pub processes: Vec<Vec<String>>,
    /// The orbits of channels.
    pub channels: Vec<Vec<String>>,
}

/// What keeps some apart.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Blocker {
    /// Whom.
    pub of: Vec<String>,
    /// The line of the model, if one line does.
    pub line: Option<u32>,
    /// What it does.
    pub reason: String,
    /// What would have to change.
    pub advice: String,
    /// What a change of the text that does this gives, tried by detection: the group in words, or
    /// `nothing`; null if no such change was tried.
    pub tried: Option<String>,
}

/// Changes of the text that give more symmetry, each tried on top of those before it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Suggestions {
    /// How many changes were tried.
    pub n_tried: usize,
    /// A short search of the model as it is; null if it could not be searched.
    pub before: Option<ShortSearch>,
    /// The changes that give more.
    pub changes: Vec<Suggestion>,
    /// All of them as a unified diff; null if there are none.
    pub patch: Option<String>,
}

/// A change that gives more symmetry.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Suggestion {
    /// What is changed, in words; several where none of them helps alone.
    pub changes: Vec<String>,
    /// The line at which each begins.
    pub lines: Vec<u32>,
    /// What the modeller has to judge: whether the changed model is still the one that was meant.
    pub judge: Vec<String>,
    /// How many elements the group has afterwards, digits.
    pub group_order: String,
    /// What the group is afterwards, in words.
    pub structure: String,
    /// A short search of the changed model; null if it could not be searched.
    pub search: Option<ShortSearch>,
}

/// What a search came to that stops after some states, or a second or two.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct ShortSearch {
    /// How many states were stored, with the symmetry that was found.
    pub states: u64,
    /// Whether these are all.
    pub is_complete: bool,
    /// Whether an error was met.
    pub is_wrong: bool,
}

/// The symmetry that an assertion of a script leaves.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Assertion {
    /// The assertion as it is written.
    pub name: String,
    /// Which of the script's it is, from 1.
    pub number: usize,
    /// Its line.
    pub line: u32,
    /// Why nothing is known, if so.
    pub reason: Option<String>,
    /// How many elements the group has, digits.
    pub group_order: Option<String>,
    /// What the group is, in words.
    pub structure: Option<String>,
    /// Symmetries that move no state, and so are of no use.
    pub moves_no_state: Vec<String>,
    /// What generates the group, and why these are symmetries.
    pub generators: Vec<Generator>,
    /// Values that are not interchangeable.
    pub rejected: Vec<Rejected>,
}

/// Orders of groups that a channel diagram gave, digits.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct ChannelDiagram {
    /// Which: `SCD`, the static one; `ESCD`, with globals; `CD`, that of runs; `Psi`, without arcs.
    pub diagram: String,
    /// Of all automorphisms of the diagram.
    pub automorphisms: String,
    /// Of what its valid generators make.
    pub valid_generators: String,
    /// Of what these and their conjugates make.
    pub with_conjugates: String,
    /// Of the largest valid subgroup that was found.
    pub largest: String,
    /// Whether there is no larger one.
    pub is_largest: bool,
    /// How many automorphisms were tested.
    pub n_tests: u64,
}

/// The symmetry of the state graph.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Kripke {
    /// How many states there are.
    pub states: usize,
    /// How many automorphisms the graph has, digits.
    pub group_order: String,
    /// What their group is, in words; null if no orbit of states shows it.
    pub structure: Option<String>,
    /// How many orbits of states.
    pub n_orbits: usize,
    /// What the symmetries of the text do to the states; null if some image of a state is not
    /// reached, so that there is nothing to compare.
    pub image: Option<Image>,
    /// How far the larger group of the model without some steps is from being one of symmetries;
    /// null if no step breaks a larger group, or if it is not known.
    pub near: Option<NearSymmetry>,
}

/// A group that some steps break, beside what leads to what.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct NearSymmetry {
    /// How many elements the group has, digits.
    pub group_order: String,
    /// How many states there are, images of those that are reached among them.
    pub states: usize,
    /// How many pairs of a state and where it leads.
    pub relation: usize,
    /// How many with the images of these.
    pub symmetrisation: usize,
    /// How many of the images lack a step to anything alike; virtually symmetric if none does.
    pub violating: usize,
    /// Whether only states that the whole group fixes lack images.
    pub is_near: bool,
}

/// What the symmetries of the text do to the states.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Image {
    /// How many permutations of states they are, digits; null if they are none.
    pub group_order: Option<String>,
    /// How many orbits of states these have.
    pub n_orbits: Option<usize>,
    /// Whether all of them are automorphisms of the graph.
    pub is_subgroup: bool,
}
