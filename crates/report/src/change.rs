//! What a step changed, element by element.
//!
//! A set or function that changes in one of many elements is told by that element: of
//! `st: {(b1|->in),(b2|->in)} → {(b1|->in),(b2|->out)}` only `st(b2): in → out` is told. Values are
//! read as they are written: a set stands between braces, its elements apart by commas that are in
//! no other bracket; a set of pairs `(key|->value)` whose keys differ is a function. What is not of
//! that form, or short, is told whole.

use crate::words::plain;
use check::Change;
use std::collections::HashMap;

/// Variables and their values, in order.
pub type VariableValues = Vec<(String, String)>;
/// Variables with their new values; those that are gone have none.
pub type ChangedValues = Vec<(String, Option<String>)>;

/// What is in `after` and was not so in `before`, and what is gone.
pub fn changed_values(before: &VariableValues, after: &VariableValues) -> ChangedValues {
    let map =
        |parts: &VariableValues| -> HashMap<String, String> { parts.iter().cloned().collect() };
    let (old, new) = (map(before), map(after));
    let changed = after
        .iter()
        .filter(|(name, now)| old.get(name) != Some(now));
    let gone = before.iter().filter(|(name, _)| !new.contains_key(name));
    let gone = gone.map(|(name, _)| (name.clone(), None));
    let changed = changed.map(|(name, value)| (name.clone(), Some(value.clone())));
    changed.chain(gone).collect()
}

/// A change that fits into this many characters is told whole.
const SHORT: usize = 30;

/// The changes of a step in words, one or more for each variable.
pub fn changes(all: &[Change]) -> Vec<String> {
    all.iter().flat_map(of).collect()
}

fn of(change: &Change) -> Vec<String> {
    let name = plain(&change.name);
    let (before, after) = match (&change.before, &change.after) {
        (Some(before), Some(after)) => (plain(before), plain(after)),
        (None, Some(after)) => return vec![format!("{name} = {}", plain(after))],
        (_, None) => return vec![format!("{name} is gone")],
    };
    let whole = format!("{name}: {before} → {after}");
    if whole.chars().count() <= SHORT {
        return vec![whole];
    }
    by_element(&name, &before, &after).unwrap_or_else(|| vec![whole])
}

/// What comes, goes or changes, if both values are sets and less is told so.
fn by_element(name: &str, before: &str, after: &str) -> Option<Vec<String>> {
    let (old, new) = (elements(before)?, elements(after)?);
    if old.is_empty() || new.is_empty() {
        return None;
    }
    if let (Some(old), Some(new)) = (pairs(&old), pairs(&new)) {
        return Some(of_function(name, &old, &new));
    }
    let come = new.iter().filter(|element| !old.contains(element));
    let gone = old.iter().filter(|element| !new.contains(element));
    let come = come.map(|element| format!("{name}: + {element}"));
    Some(
        come.chain(gone.map(|element| format!("{name}: − {element}")))
            .collect(),
    )
}

fn of_function(name: &str, old: &[(&str, &str)], new: &[(&str, &str)]) -> Vec<String> {
    let value = |all: &[(&str, &str)], key: &str| {
        let pair = all.iter().find(|(other, _)| *other == key);
        pair.map(|(_, value)| (*value).to_owned())
    };
    let mut told = Vec::new();
    for (key, after) in new {
        match value(old, key) {
            None => told.push(format!("{name}({key}) = {after}")),
            Some(before) if before != *after => {
                told.push(format!("{name}({key}): {before} → {after}"));
            }
            Some(_) => {}
        }
    }
    let gone = old.iter().filter(|(key, _)| value(new, key).is_none());
    told.extend(gone.map(|(key, _)| format!("{name}({key}) is gone")));
    told
}

/// The elements of a set, as they are written.
fn elements(set: &str) -> Option<Vec<&str>> {
    let inside = set.strip_prefix('{')?.strip_suffix('}')?;
    if inside.trim().is_empty() {
        Some(Vec::new())
    } else {
        apart(inside, ",")
    }
}

/// The pairs of a function: keys that differ, and values.
fn pairs<'t>(elements: &[&'t str]) -> Option<Vec<(&'t str, &'t str)>> {
    let mut all: Vec<(&str, &str)> = Vec::new();
    for element in elements {
        let inside = element.strip_prefix('(')?.strip_suffix(')')?;
        let parts = apart(inside, "|->")?;
        // `a|->b|->c` is the pair of `a|->b` and `c`.
        let (value, keys) = parts.split_last()?;
        if keys.is_empty() {
            return None;
        }
        let key = inside.strip_suffix(value)?.strip_suffix("|->")?;
        if all.iter().any(|(other, _)| *other == key) {
            return None;
        }
        all.push((key, value));
    }
    Some(all)
}

/// The parts of a text between separators that stand in no bracket; `None` if brackets do not fit.
fn apart<'t>(text: &'t str, separator: &str) -> Option<Vec<&'t str>> {
    let (mut parts, mut from, mut depth, mut in_text) = (Vec::new(), 0, 0_usize, false);
    for (at, c) in text.char_indices() {
        match c {
            '"' => in_text = !in_text,
            _ if in_text => {}
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => depth = depth.checked_sub(1)?,
            _ if depth == 0 && text[at..].starts_with(separator) => {
                parts.push(text[from..at].trim());
                from = at + separator.len();
            }
            _ => {}
        }
    }
    parts.push(text[from..].trim());
    (depth == 0 && !in_text).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(before: &str, after: &str) -> Vec<String> {
        changes(&[Change {
            name: "st".to_owned(),
            before: Some(before.to_owned()),
            after: Some(after.to_owned()),
        }])
    }

    #[test]
    fn functions_change_by_argument() {
        let before = "{(BOOK1|->in),(BOOK2|->in),(BOOK3|->in)}";
        let after = "{(BOOK1|->in),(BOOK3|->out),(BOOK4|->in)}";
        let expected = ["st(BOOK3): in → out", "st(BOOK4) = in", "st(BOOK2) is gone"];
        assert_eq!(told(before, after), expected);
        let before = "{(a|->b|->1),(a|->c|->{1,2}),(d|->d|->{})}";
        let after = "{(a|->b|->1),(a|->c|->{2}),(d|->d|->{})}";
        assert_eq!(told(before, after), ["st(a|->c): {1,2} → {2}"]);
    }

    #[test]
    fn sets_change_by_element() {
        let before = "{PROCESS1,PROCESS2,PROCESS3}";
        assert_eq!(
            told(before, "{PROCESS1,PROCESS3,PROCESS4}"),
            ["st: + PROCESS4", "st: − PROCESS2"]
        );
        // A relation with two values for one argument is no function.
        let before = "{(PROCESS1|->1),(PROCESS1|->2)}";
        assert_eq!(told(before, "{(PROCESS1|->2)}"), ["st: − (PROCESS1|->1)"]);
    }

    #[test]
    fn other_values_are_told_whole() {
        assert_eq!(told("{}", "{a}"), ["st: {} → {a}"]);
        let (before, after) = ("[first,second,third,fourth]", "[second,third,fourth]");
        assert_eq!(told(before, after), [format!("st: {before} → {after}")]);
        let (before, after) = ("{\"a,}\",\"b\",\"some text\"}", "{\"b\",\"some text\"}");
        assert_eq!(told(before, after), ["st: − \"a,}\""]);
        let odd = ("{((a),b,c,d,e,f,g,h,i,j,k}", "{b,c,d,e,f,g,h,i,j}");
        assert_eq!(told(odd.0, odd.1), [format!("st: {} → {}", odd.0, odd.1)]);
    }
}
