//! The symmetry of a model, found in the background: the same as `orbit symmetry` prints.

use crate::reading::{Panicked, guarded};
use base::{Clock, Diagnostics, Sources};
use driver::detect::{CosetListener, Words, plan_of};
use driver::explain::{Advice, SymmetryPlan, symmetry};
use driver::load::{Again, Request, load};
use driver::open::OpenTexts;
use driver::plan::Listing;
use model::frontend::{Frontend, Options, Reading};
use serde_json::{Map, Value};
use std::path::PathBuf;

/// What components of a network may take.
const MEMORY_BYTES_MAX: u64 = 1 << 30;

/// Whose symmetry is wanted.
pub struct Wanted {
    /// The file.
    pub path: PathBuf,
    /// Its language.
    pub language: &'static dyn Frontend,
    /// Texts that are open.
    pub open: OpenTexts,
    /// When to stop.
    pub clock: Clock<'static>,
    /// How large the stack is.
    pub stack_bytes: usize,
}

/// What is interchangeable.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct FoundSymmetry {
    /// The group in a few words: `S5, order 120`; of assertions one each.
    pub groups: Vec<FoundGroup>,
    /// What is told of single names.
    pub told: Vec<ToldOfName>,
    /// What stands in the way of more.
    pub blockers: Vec<FoundBlocker>,
}

/// A group.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundGroup {
    /// The assertion that it is of, where there are several, by number.
    pub assertion: Option<u64>,
    /// In a few words.
    pub words: String,
}

/// What is interchangeable with what a name means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ToldOfName {
    /// The name.
    pub name: String,
    /// In words.
    pub words: String,
}

/// A line that tells parts of the model apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundBlocker {
    /// The line, if it is one.
    pub line: Option<usize>,
    /// What it does.
    pub reason: String,
    /// What would help.
    pub advice: Vec<String>,
}

/// The symmetry of a model; nothing, if it is not right, or took too long.
pub fn find(wanted: &Wanted) -> Result<Option<FoundSymmetry>, Panicked> {
    guarded(|| Some(of_object(&object(wanted)?)))
}

fn object(wanted: &Wanted) -> Option<Map<String, Value>> {
    let options = Options {
        reading: Reading::Symmetry,
        memory_bytes_max: Some(MEMORY_BYTES_MAX),
        stack_bytes: wanted.stack_bytes,
        ..Options::default()
    };
    let request = Request {
        file: &wanted.path,
        folders: &[],
        open: &wanted.open,
        options: &options,
        clock: wanted.clock,
    };
    let (mut sources, mut found) = (Sources::new(), Diagnostics::new());
    let loaded = load(&request, wanted.language, &mut sources, &mut found)?;
    let words = Words {
        place: None,
        n_conjugates: None,
        seed: None,
        clock: wanted.clock,
        listener: CosetListener::NOBODY,
    };
    let detect = plan_of(&words, &*loaded.model, &mut sources, &mut found)?;
    let assertions = if loaded.model.is_of_assertions() {
        (0..loaded.model.questions().len()).collect()
    } else {
        Vec::new()
    };
    let again = Again {
        frontend: wanted.language,
        file: wanted.path.clone(),
        text: sources.get(loaded.main).text().to_owned(),
        folders: Vec::new(),
        open: wanted.open.clone(),
        options: options.clone(),
        clock: wanted.clock,
    };
    let plan = SymmetryPlan {
        model: loaded.model,
        detect,
        clock: wanted.clock,
        diagram: None,
        drawings: Listing::Hidden,
        assertions,
        memory_bytes_max: options.memory_bytes_max,
        again: Box::new(again),
        advice: Advice::Named,
    };
    let answer = symmetry(&plan).ok()?;
    // What an interruption leaves is not the whole answer.
    wanted.clock.ask().ok().map(|()| answer.json)
}

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

fn words(value: &Value) -> Vec<&str> {
    let all = value.as_array().into_iter().flatten();
    all.filter_map(Value::as_str).collect()
}

fn of_object(object: &Map<String, Value>) -> FoundSymmetry {
    let object = Value::Object(object.clone());
    let mut found = FoundSymmetry::default();
    found.groups.extend(group(&object, None));
    for asked in list(&object, "properties") {
        found.groups.extend(group(asked, asked["number"].as_u64()));
        for generator in list(asked, "generators") {
            let sort = generator["sort"].as_str().unwrap_or("");
            let cycles = generator["cycles"].as_str().unwrap_or("");
            let name = asked["name"].as_str().unwrap_or("");
            let of = sort.split(|c: char| !(c.is_alphanumeric() || c == '_'));
            let names = of.filter(|word| !matches!(*word, "" | "field" | "of"));
            let names = names.filter(|word| !word.starts_with(|c: char| c.is_ascii_digit()));
            found.told.extend(names.map(|of| ToldOfName {
                name: of.to_owned(),
                words: format!("{cycles} of {sort} keeps `{name}`"),
            }));
        }
    }
    for kind in ["processes", "channels"] {
        for orbit in list(&object["orbits"], kind) {
            let members = words(orbit);
            if let [first, _, ..] = members[..] {
                let end = first.find(['(', '[']).unwrap_or(first.len());
                found.told.push(ToldOfName {
                    name: first[..end].to_owned(),
                    words: format!("{} are interchangeable", members.join(", ")),
                });
            }
        }
    }
    for sort in list(&object, "sorts") {
        for alike in list(sort, "interchangeable") {
            let members = words(&alike["members"]).join(", ");
            let reason = alike["reason"].as_str().unwrap_or("");
            let mut said = format!("{members} are interchangeable");
            if !reason.is_empty() {
                said.push_str(&format!(": {reason}"));
            }
            found.told.push(ToldOfName {
                name: sort["name"].as_str().unwrap_or("").to_owned(),
                words: said,
            });
        }
    }
    found.blockers = list(&object, "blockers").iter().map(blocker).collect();
    found.told.dedup();
    found
}

fn group(object: &Value, assertion: Option<u64>) -> Option<FoundGroup> {
    let order = object["group_order"].as_str()?;
    let words = match object["structure"].as_str() {
        _ if order == "1" => "none".to_owned(),
        Some(structure) => format!("{structure}, order {order}"),
        None => format!("order {order}"),
    };
    Some(FoundGroup { assertion, words })
}

fn blocker(told: &Value) -> FoundBlocker {
    let of = words(&told["of"]).join(", ");
    let reason = told["reason"].as_str().unwrap_or("");
    let advice = told["advice"].as_str().unwrap_or("");
    let tried = told["tried"].as_str();
    let tried = tried.map(|group| format!("tried: a change that does this gives {group}"));
    let advice = [Some(advice.to_owned()), tried].into_iter().flatten();
    FoundBlocker {
        line: told["line"]
            .as_u64()
            .and_then(|line| usize::try_from(line).ok()),
        reason: format!("in the way of symmetry: {of}: {reason}"),
        advice: advice.filter(|words| !words.is_empty()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn groups_orbits_and_blockers_are_told() {
        let object = json!({
            "group_order": "6",
            "structure": "S3",
            "orbits": { "processes": [["P(0)"], ["Q(1)", "Q(2)", "Q(3)"]], "channels": [] },
            "sorts": [],
            "blockers": [
                { "of": ["Q(0)"], "line": 9, "reason": "r", "advice": "a", "tried": "S3" },
            ],
        });
        let found = of_object(object.as_object().expect("an object"));
        assert_eq!(found.groups[0].words, "S3, order 6");
        assert_eq!(found.told.len(), 1);
        assert_eq!(found.told[0].name, "Q");
        assert_eq!(found.told[0].words, "Q(1), Q(2), Q(3) are interchangeable");
        assert_eq!(found.blockers[0].line, Some(9));
        assert_eq!(found.blockers[0].advice.len(), 2);
    }
}
