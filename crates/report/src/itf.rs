//! Runs in the Informal Trace Format, which Apalache and other programs read and write.
//!
//! A run is a list of states, each with the typed values of its variables. What is known of the
//! step that leads to a state, who took it and where it is written, stands in its `#meta`. `loop`
//! is the state that follows the last one, if the run goes round for ever.
//!
//! **Values.** States are told in the notation of their language. From that a value is read: whole
//! numbers are `#bigint`, `true` and `FALSE` are truth values, `{…}` is a `#set`, `(a|->b)` and
//! `(a,b)` are a `#tup`, `[…]` a list, `rec(a:1)` a record, `<1><2>` the messages of a channel;
//! everything else is text. A variable that is a list somewhere is one where it is `empty`, too.
//!
//! Worked example: `book = {(Name1|->Code2)}` is
//! `{"#set":[{"#tup":["Name1","Code2"]}]}`.

use crate::object::{Simulation, Step, VERSION};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// How the names of such files end.
pub const ENDING: &str = ".itf.json";

/// What is kept of a run that somebody recorded: the values of some variables in each state.
#[derive(Clone, PartialEq, Debug)]
pub struct Log {
    /// The variables that it tells.
    pub variables: Vec<String>,
    /// By state: their values, by name.
    pub states: Vec<BTreeMap<String, Value>>,
    /// The state that follows the last, if the run goes round.
    pub loop_from: Option<usize>,
    /// The process of a script that was run, if it says so.
    pub process: Option<String>,
    /// The assertion of a script whose process was run, from 0, if it says so.
    pub assertion: Option<usize>,
}

/// Why a text is no log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoLog {
    /// It is no JSON: the line, and why.
    Json(usize, String),
    /// Something that it needs is missing, or is something else.
    Needs(&'static str),
    /// A state, counted from 0, has no value for a variable that is promised.
    State(usize, String),
}

impl NoLog {
    /// In words.
    pub fn words(&self) -> String {
        match self {
            NoLog::Json(line, why) => format!("line {line} is no JSON: {why}"),
            NoLog::Needs(what) => format!("a log needs {what}"),
            NoLog::State(n, name) => format!("state {n} has no value for `{name}`"),
        }
    }
}

/// A run as text; of a script, the assertion whose process was run, from 0.
pub fn text(run: &Simulation, assertion: Option<usize>) -> String {
    let mut values: BTreeMap<String, String> = run.initial_state.0.iter().cloned().collect();
    let mut states = vec![values.clone()];
    for step in &run.steps {
        for (name, value) in &step.changes.0 {
            match value {
                Some(value) => values.insert(name.clone(), value.clone()),
                None => values.remove(name),
            };
        }
        states.push(values.clone());
    }
    let mut names: Vec<String> = states.iter().flat_map(|s| s.keys().cloned()).collect();
    names.sort();
    names.dedup();
    let doubled = doubled(run);
    names.retain(|name| !doubled.contains(name));
    let columns: BTreeMap<&String, Vec<Value>> = names
        .iter()
        .map(|name| (name, column(states.iter().map(|state| state.get(name)))))
        .collect();
    let all = (0..states.len()).map(|n| {
        let mut state = Map::new();
        let step = n.checked_sub(1).map(|before| &run.steps[before]);
        state.insert("#meta".to_owned(), meta(n, step));
        for (name, values) in &columns {
            state.insert((*name).clone(), values[n].clone());
        }
        Value::Object(state)
    });
    let mut object = json!({
        "#meta": {
            "format": "ITF",
            "description": format!("a run of {} by Orbit {VERSION}", run.model.path),
            "language": run.model.language,
            "ended": run.ended,
            "message": run.message,
        },
        "vars": names,
        "states": all.collect::<Vec<Value>>(),
    });
    if let Some(process) = &run.model.process {
        object["#meta"]["process"] = json!(process);
    }
    if let Some(assertion) = assertion {
        object["#meta"]["assertion"] = json!((assertion + 1).to_string());
    }
    // After its last step a run that goes round is where the loop begins.
    if let Some(from) = run.loop_from.and_then(|from| usize::try_from(from).ok()) {
        object["loop"] = json!(from);
        if let Some(states) = object["states"].as_array_mut() {
            states.pop();
        }
    }
    let text = serde_json::to_string_pretty(&object).expect("texts and numbers");
    text + "\n"
}

/// Names that several variables have at once: what is said of one may be meant of another.
fn doubled(run: &Simulation) -> BTreeSet<String> {
    let (mut known, mut doubled) = (BTreeSet::new(), BTreeSet::new());
    for state in [&run.initial_state, &run.state] {
        known.clear();
        for (name, _) in &state.0 {
            if !known.insert(name) {
                doubled.insert(name.clone());
            }
        }
    }
    doubled
}

/// What is told of the step that leads to a state: texts, since other readers expect nothing else.
fn meta(index: usize, step: Option<&Step>) -> Value {
    let mut meta = Map::new();
    meta.insert("index".to_owned(), json!(index));
    if let Some(step) = step {
        meta.insert("action".to_owned(), json!(step.step));
        if let Some(by) = &step.by {
            meta.insert("actor".to_owned(), json!(by));
        } else if let Some((name, arguments)) = call(&step.step) {
            meta.insert("operation".to_owned(), json!(name));
            meta.insert("arguments".to_owned(), json!(arguments.join(", ")));
        }
        if !step.parts.is_empty() {
            let names = step.parts.iter().map(|part| part.component.clone());
            let names: Vec<String> = names.collect();
            meta.insert("actors".to_owned(), json!(names.join(", ")));
        }
        if let Some(line) = step.line {
            meta.insert("line".to_owned(), json!(line.to_string()));
        }
        if let Some(file) = &step.file {
            meta.insert("file".to_owned(), json!(file));
        }
    }
    Value::Object(meta)
}

/// An operation and its arguments: `add(Name1, Code2)`, or an event: `enter.2`.
fn call(step: &str) -> Option<(&str, Vec<&str>)> {
    let is_name = |name: &str| name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if let Some((name, rest)) = step.split_once('(')
        && let Some(inner) = rest.strip_suffix(')')
        && is_name(name)
    {
        return Some((name, parts(inner, ',')?));
    }
    let all = parts(step, '.')?;
    let (name, fields) = all.split_first()?;
    is_name(name).then(|| (*name, fields.to_vec()))
}

/// The values of a variable, state by state.
fn column<'a>(texts: impl Iterator<Item = Option<&'a String>>) -> Vec<Value> {
    let values: Vec<Value> = texts
        .map(|text| match text {
            Some(text) => value(text),
            None => json!({"#unserializable": "not there"}),
        })
        .collect();
    let is_list = values.iter().any(Value::is_array);
    let listed = |value: Value| {
        if is_list && value == "empty" {
            json!([])
        } else {
            value
        }
    };
    values.into_iter().map(listed).collect()
}

/// The value that a text tells.
pub fn value(text: &str) -> Value {
    let text = text.trim();
    let inside = |open: char, close: char| {
        let rest = text.strip_prefix(open)?.strip_suffix(close)?;
        parts(rest, ',')
    };
    let digits = text.strip_prefix('-').unwrap_or(text);
    if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) {
        return json!({"#bigint": text});
    }
    if text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false") {
        return json!(text.eq_ignore_ascii_case("true"));
    }
    if let Some(all) = inside('{', '}') {
        let mut all: Vec<Value> = all.into_iter().map(value).collect();
        all.sort_by_key(Value::to_string);
        all.dedup();
        return json!({"#set": all});
    }
    if let Some(all) = inside('[', ']') {
        return all.into_iter().map(value).collect();
    }
    if let Some(rest) = text
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'))
    {
        let pair = pair(rest).map(|(a, b)| vec![a, b]);
        if let Some(all) = pair.or_else(|| parts(rest, ',').filter(|all| all.len() > 1)) {
            let all: Vec<Value> = all.into_iter().map(value).collect();
            return json!({"#tup": all});
        }
    }
    if let Some(rest) = text
        .strip_prefix("rec(")
        .and_then(|rest| rest.strip_suffix(')'))
    {
        let fields = parts(rest, ',').unwrap_or_default().into_iter();
        let fields = fields.map(|field| {
            let (name, of) = field.split_once(':').unwrap_or((field, ""));
            (name.trim().to_owned(), value(of))
        });
        return Value::Object(fields.collect());
    }
    if let Some(all) = messages(text) {
        return all;
    }
    let quoted = text
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    json!(quoted.unwrap_or(text))
}

/// The messages of a channel: `<1,a><2,b>`, or with commas between.
fn messages(text: &str) -> Option<Value> {
    let mut left = text;
    let mut all = Vec::new();
    while !left.is_empty() {
        let rest = left.trim_start_matches([' ', ',']).strip_prefix('<')?;
        let (message, rest) = rest.split_once('>')?;
        let fields = parts(message, ',')?.into_iter().map(value);
        let fields: Vec<Value> = fields.collect();
        all.push(json!(fields));
        left = rest;
    }
    (!all.is_empty()).then(|| json!(all))
}

/// The two sides of the last `|->` outside of brackets: `a|->b|->c` is `(a|->b)|->c`.
fn pair(text: &str) -> Option<(&str, &str)> {
    let mut last = None;
    let mut depth = 0_i32;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => depth -= 1,
            '|' if depth == 0 && text[at..].starts_with("|->") => last = Some(at),
            _ => {}
        }
    }
    last.map(|at| (&text[..at], &text[at + 3..]))
}

/// What stands between separators outside of brackets and quotes; nothing if there is nothing.
/// `None` if brackets do not fit.
fn parts(text: &str, separator: char) -> Option<Vec<&str>> {
    if text.trim().is_empty() {
        return Some(Vec::new());
    }
    let (mut all, mut from, mut depth, mut quoted) = (Vec::new(), 0, 0_i32, false);
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => depth -= 1,
            c if c == separator && depth == 0 => {
                all.push(text[from..at].trim());
                from = at + c.len_utf8();
            }
            _ => {}
        }
        if depth < 0 {
            return None;
        }
    }
    all.push(text[from..].trim());
    (depth == 0 && !quoted).then_some(all)
}

/// Reads a log.
pub fn read(text: &str) -> Result<Log, NoLog> {
    let object: Value =
        serde_json::from_str(text).map_err(|why| NoLog::Json(why.line(), why.to_string()))?;
    let variables = object["vars"].as_array();
    let variables = variables.ok_or(NoLog::Needs("`vars`, a list of names"))?;
    let names = variables
        .iter()
        .map(|name| name.as_str().map(str::to_owned));
    let variables: Option<Vec<String>> = names.collect();
    let variables = variables.ok_or(NoLog::Needs("`vars`, a list of names"))?;
    let states = object["states"].as_array();
    let states = states.filter(|all| !all.is_empty());
    let states = states.ok_or(NoLog::Needs("`states`, a list with one at least"))?;
    let mut all = Vec::new();
    for (n, state) in states.iter().enumerate() {
        let mut values = BTreeMap::new();
        for name in &variables {
            let value = state.get(name);
            let value = value.ok_or_else(|| NoLog::State(n, name.clone()))?;
            values.insert(name.clone(), plain(value));
        }
        all.push(values);
    }
    let loop_from = object["loop"].as_u64().map(|from| from as usize);
    if loop_from.is_some_and(|from| from >= all.len()) {
        return Err(NoLog::Needs("a `loop` that is the number of a state"));
    }
    Ok(Log {
        variables,
        states: all,
        loop_from,
        process: object["#meta"]["process"].as_str().map(str::to_owned),
        assertion: object["#meta"]["assertion"]
            .as_str()
            .and_then(|number| number.parse::<usize>().ok()?.checked_sub(1)),
    })
}

/// A value in the form that ours have: numbers as `#bigint`, sets and maps in order.
fn plain(value: &Value) -> Value {
    match value {
        Value::Number(number) => json!({"#bigint": number.to_string()}),
        Value::Array(all) => all.iter().map(plain).collect(),
        Value::Object(object) => {
            if let Some(all) = object.get("#set").and_then(Value::as_array) {
                let mut all: Vec<Value> = all.iter().map(plain).collect();
                all.sort_by_key(Value::to_string);
                all.dedup();
                return json!({"#set": all});
            }
            if let Some(all) = object.get("#map").and_then(Value::as_array) {
                let pairs = all.iter().map(|pair| json!({"#tup": plain(pair)}));
                let mut pairs: Vec<Value> = pairs.collect();
                pairs.sort_by_key(Value::to_string);
                return json!({"#set": pairs});
            }
            let fields = object.iter();
            Value::Object(fields.map(|(name, v)| (name.clone(), plain(v))).collect())
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_types() {
        for (text, expected) in [
            ("-7", json!({"#bigint": "-7"})),
            ("TRUE", json!(true)),
            ("{}", json!({"#set": []})),
            (
                "{(Name1|->Code2),(Name2|->{1,2})}",
                json!({"#set": [
                    {"#tup": ["Name1", "Code2"]},
                    {"#tup": ["Name2", {"#set": [{"#bigint": "1"}, {"#bigint": "2"}]}]}
                ]}),
            ),
            (
                "((a|->b)|->c)",
                json!({"#tup": [{"#tup": ["a", "b"]}, "c"]}),
            ),
            ("(a,b,c)", json!({"#tup": ["a", "b", "c"]})),
            ("[1,x]", json!([{"#bigint": "1"}, "x"])),
            (
                "rec(a:1,b:{})",
                json!({"a": {"#bigint": "1"}, "b": {"#set": []}}),
            ),
            (
                "<1,req><2,ack>",
                json!([[{"#bigint": "1"}, "req"], [{"#bigint": "2"}, "ack"]]),
            ),
            ("\"a, b\"", json!("a, b")),
            ("part of USER with i = 2", json!("part of USER with i = 2")),
            ("{a", json!("{a")),
            ("", json!("")),
        ] {
            assert_eq!(value(text), expected, "{text}");
        }
        assert_eq!(value("{b,a,a}"), value("{a,b}"));
    }

    #[test]
    fn logs_that_are_none_are_refused() {
        for (text, words) in [
            ("[", "is no JSON"),
            ("{}", "`vars`"),
            (r#"{"vars":[1],"states":[{}]}"#, "`vars`"),
            (r#"{"vars":["x"],"states":[]}"#, "`states`"),
            (r#"{"vars":["x"],"states":[{"y":1}]}"#, "no value for `x`"),
            (r#"{"vars":[],"states":[{}],"loop":1}"#, "`loop`"),
        ] {
            let why = read(text).expect_err(text).words();
            assert!(why.contains(words), "{text}: {why}");
        }
    }

    #[test]
    fn numbers_and_maps_of_others_are_read() {
        let text = r##"{"vars":["x","f"],"states":[
            {"x":3,"f":{"#map":[["b",2],["a",{"#bigint":"1"}]]}}]}"##;
        let log = read(text).expect("a log");
        assert_eq!(log.states[0]["x"], value("3"));
        assert_eq!(log.states[0]["f"], value("{(a|->1),(b|->2)}"));
    }
}
