//! Pictures of symmetry: one colour for what can be exchanged, in every language.

use crate::command::json;
use std::collections::{BTreeMap, BTreeSet};

/// Boxes by their fill, white ones left aside, with the names in them.
fn boxes(svg: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut boxes: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for part in svg.split("<rect ").skip(2) {
        let fill = part
            .split("fill=\"")
            .nth(1)
            .and_then(|rest| rest.split('"').next());
        let name = part
            .split("middle\">")
            .nth(1)
            .and_then(|rest| rest.split('<').next());
        let (Some(fill), Some(name)) = (fill, name) else {
            panic!("a box without a name: {part}");
        };
        if fill != "#ffffff" {
            boxes
                .entry(fill.to_owned())
                .or_default()
                .insert(name.to_owned());
        }
    }
    boxes
}

#[test]
fn pictures_have_one_colour_for_what_can_be_exchanged() {
    let drawn = |line: &str| {
        let told = json(line, b"");
        let all = told["drawings"].as_array().expect("pictures").clone();
        let svg = |n: usize| all[n]["svg"].as_str().expect("a picture").to_owned();
        assert_eq!(all.len(), 2, "{line}");
        let sets: BTreeSet<Vec<String>> = boxes(&svg(0))
            .into_values()
            .map(|set| set.into_iter().collect())
            .collect();
        let merged = boxes(&svg(1));
        assert_eq!(merged.len(), sets.len(), "{line}");
        assert!(merged.values().all(|set| set.len() == 1), "{line}");
        sets
    };
    let sets = |all: &[&[&str]]| -> BTreeSet<Vec<String>> {
        let names = all
            .iter()
            .map(|set| set.iter().map(|name| (*name).to_owned()));
        names.map(Iterator::collect).collect()
    };
    assert_eq!(
        drawn("symmetry phonebook.mch --drawings"),
        sets(&[&["Name1", "Name2"], &["Code1", "Code2"]])
    );
    assert_eq!(
        drawn("symmetry shifts.mch --drawings"),
        sets(&[&["Worker1", "Worker2"], &["evening", "morning"]])
    );
    assert_eq!(
        drawn("symmetry lock.csp --assert 1 --drawings"),
        sets(&[
            &["USER(1)", "USER(2)"],
            &["enter.1", "enter.2"],
            &["leave.1", "leave.2"]
        ])
    );
}
