//! Groups, what generates them, what they are about and what is none of theirs.

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

/// The symmetry that a search used.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Group {
    /// How many elements the group has: digits, for it may exceed what programs take for a number.
    pub group_order: String,
    /// What the group is, in words; null if nobody worked that out.
    pub structure: Option<String>,
    /// What generates it.
    pub generators: Vec<Generator>,
    /// How representatives were chosen.
    pub strategy: String,
    /// Whether one state of each orbit was stored.
    pub exact: bool,
    /// `exact`; `approximate`: an orbit may have several states; `lossy`: states may be missed.
    pub guarantee: String,
    /// Which strategy fits the group, and why, in words; null where there is no choice.
    pub advice: Option<String>,
    /// How the group is taken apart, if representatives are chosen so: `SEQ` one after another, and
    /// in it `MIN` sorting by so many exchanges, `EVEN` the same by even permutations, `ENUM` by so
    /// many kept elements, `LOCAL` descent by so many generators; null with other strategies.
    pub taken_apart: Option<String>,
    /// What it is about: sets of things that may be interchangeable.
    pub sorts: Vec<Sort>,
    /// What might have been a symmetry and is none.
    pub rejected: Vec<Rejected>,
    /// The lines of loops whose sends are taken not to wait.
    pub assumed_lines: Vec<u32>,
    /// Where only some steps break it: these, and what was counted. The group is that of states to
    /// which none of them led. Null with other strategies.
    pub partial: Option<Partial>,
}

/// A symmetry that some steps break when they are taken.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Partial {
    /// The steps.
    pub steps: Vec<BreakingStep>,
    /// How many elements the group has that all of them leave, digits.
    pub least_order: String,
    /// How many groups there are: one for each set of the steps.
    pub groups: usize,
    /// How many states were stored, those included that others turned out to represent.
    pub generated: u64,
    /// The others, by the steps that led to them.
    pub annotations: Vec<Annotation>,
}

/// A step that breaks a symmetry.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct BreakingStep {
    /// Its line.
    pub line: u32,
    /// Its text.
    pub text: String,
}

/// The states to which the same steps led, of those that break a symmetry.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Annotation {
    /// Which steps, by their places in the list, from 0.
    pub steps: Vec<usize>,
    /// How many states.
    pub states: u64,
}

/// A permutation that generates a group with others.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Generator {
    /// Its cycles, in the names of the model.
    pub cycles: String,
    /// The sort that it is about, if it is about one.
    pub sort: Option<String>,
    /// Why it is a symmetry, for each side of an assertion; empty where nobody works that out.
    pub why: Vec<Why>,
}

impl Generator {
    /// A permutation of which only the cycles are told.
    pub fn new(cycles: String) -> Generator {
        Generator {
            cycles,
            sort: None,
            why: Vec::new(),
        }
    }
}

/// Why a process is symmetric.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Why {
    /// `process` or `specification`.
    pub of: String,
    /// Whether rules of the algebra show it.
    pub derived: bool,
    /// These rules, those for operands behind the one they are for.
    pub rules: Option<Vec<Rule>>,
    /// Why there are none.
    pub reason: Option<String>,
}

/// A rule of the algebra that was applied.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Rule {
    /// How many rules it stands within.
    pub depth: usize,
    /// Its name.
    pub rule: String,
    /// The process.
    pub process: String,
    /// What it becomes, if that is something else.
    pub becomes: Option<String>,
    /// What was looked at.
    pub condition: String,
}

/// A set of things of the model that may be interchangeable.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Sort {
    /// What it is called, or the first place where its members are.
    pub name: String,
    /// `deferred` or `enumerated` if it is declared; `inferred` if it follows from use.
    pub kind: String,
    /// Its members.
    pub members: Vec<String>,
    /// All places where members are, if it is inferred.
    pub origin: Vec<String>,
    /// The lines of its declarations, where these are known.
    pub lines: Vec<u32>,
    /// Whether a symmetry moves one of them; null where that depends on the assertion.
    pub moves: Option<bool>,
    /// Members that are alike, two or more each.
    pub interchangeable: Vec<Exchangeable>,
    /// Members that are like no other.
    pub single: Vec<String>,
    /// Why nothing of it moves although members might be alike.
    pub apart: Option<String>,
    /// Whether states can hold its members, where that was worked out.
    pub in_states: Option<bool>,
    /// Members that are not alike, and what tells them apart.
    pub told_apart: Vec<ToldApart>,
}

impl Sort {
    /// A sort that follows from use, of which no more is known.
    pub fn inferred(name: String, members: Vec<String>) -> Sort {
        Sort {
            name,
            kind: "inferred".to_owned(),
            members,
            origin: Vec::new(),
            lines: Vec::new(),
            moves: None,
            interchangeable: Vec::new(),
            single: Vec::new(),
            apart: None,
            in_states: None,
            told_apart: Vec::new(),
        }
    }
}

/// Members that are alike.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Exchangeable {
    /// The members.
    pub members: Vec<String>,
    /// Why they are.
    pub reason: String,
}

/// Two members that are not alike.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct ToldApart {
    /// The two.
    pub of: [String; 2],
    /// What tells them apart.
    pub by: String,
}

/// What might have been a symmetry and is none.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Rejected {
    /// A permutation as written or in the names of the model, or a set `{a b c}` of which some
    /// cannot be exchanged.
    pub candidate: String,
    /// The sort that it is about, if it is about one.
    pub sort: Option<String>,
    /// Why it is none.
    pub reason: String,
    /// The line of the model that says it, if one line does.
    pub line: Option<u32>,
    /// The file of that line, if it is not that of the model.
    pub file: Option<String>,
    /// What that line does, in words.
    pub words: Option<String>,
    /// What stands in the model, of processes where that is known.
    pub text: Option<String>,
    /// What would have to stand there: the image of the text.
    pub image: Option<String>,
}

impl Rejected {
    /// A candidate with a reason, and a line of the model; 0 if no one line says it.
    pub fn new(candidate: String, reason: String, line: u32) -> Rejected {
        Rejected {
            candidate,
            sort: None,
            reason,
            line: (line > 0).then_some(line),
            file: None,
            words: None,
            text: None,
            image: None,
        }
    }

    /// The same with a part of the model, and its image.
    #[must_use]
    pub fn with_sides(self, sides: Option<(String, String)>) -> Rejected {
        let (text, image) = sides.unzip();
        Rejected {
            text,
            image,
            ..self
        }
    }
}
