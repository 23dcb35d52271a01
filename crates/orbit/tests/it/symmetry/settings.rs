//! Protocols in many spellings (`models/promela/symmetry`): the group of each in each setting, and
//! the page `docs/theory/settings.md` about them.
//!
//! The header of a model has lines `// setting: FLAGS order N`: the order of the group that a
//! reader would expect, worked out by hand and compared with the group of the state graph; then
//! `, found M` if another one is found. `SNAPSHOTS=overwrite` writes the page anew.

use crate::command::json;
use crate::counts::compile;
use crate::counts::symmetry::all_wrong;
use std::path::{Path, PathBuf};

/// The most orbits of models that are searched in all ways.
const N_STATES_MAX: u64 = 1000;

/// A model with its flags, and the orders of groups.
struct Setting {
    name: String,
    text: String,
    flags: String,
    expected: String,
    found: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All settings, by name.
fn settings() -> Vec<Setting> {
    let entries = std::fs::read_dir(root().join("models/promela/symmetry")).expect("the models");
    let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    paths.sort();
    let mut all = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a readable model");
        let name = path.file_stem().unwrap_or_default().display().to_string();
        for line in text.lines().filter_map(|l| l.strip_prefix("// setting: ")) {
            let (flags, orders) = line.split_once(" order ").expect("an order");
            let (expected, found) = orders.split_once(", found ").unwrap_or((orders, orders));
            all.push(Setting {
                name: name.clone(),
                text: text.clone(),
                flags: flags.to_owned(),
                expected: expected.to_owned(),
                found: found.to_owned(),
            });
        }
    }
    all
}

/// The first thing that tells like parts apart.
fn blocker(setting: &Setting) -> String {
    let told = json(
        &format!("symmetry - {}", setting.flags),
        setting.text.as_bytes(),
    );
    let loops =
        |one: &&serde_json::Value| one["reason"].as_str().is_some_and(|r| r.contains("loop"));
    let all = told["blockers"].as_array().cloned().unwrap_or_default();
    let first = all.iter().find(loops).or(all.first());
    first.map_or(String::new(), |one| {
        let reason = one["reason"].as_str().unwrap_or("").replace('|', "\\|");
        match one["line"].as_u64() {
            Some(line) => format!("line {line}: {reason}"),
            None => reason,
        }
    })
}

#[test]
fn nine_in_ten_settings_have_the_group_that_a_reader_expects() {
    let all = settings();
    let mut page = "# Settings

Protocols as engineers write them (`models/promela/symmetry`), in several sizes and spellings, \
traps among them: the order of the group that a reader would expect, worked out by hand and \
compared with the group of the state graph, and of the one that `orbit check` uses. Where they \
differ, the first line that is in the way. A test writes this page and compares it with what is \
found; it also \
searches each model with symmetry and without.

| model | setting | expected | found | in the way |
|---|---|---|---|---|
"
    .to_owned();
    let (mut n_exact, mut wrong) = (0, Vec::new());
    for setting in &all {
        let line = format!("check - -E -e {}", setting.flags);
        let told = json(&line, setting.text.as_bytes());
        let found = told["symmetry"]["group_order"].as_str().unwrap_or("1");
        let is_exact = found == setting.expected;
        n_exact += usize::from(is_exact);
        if found != setting.found {
            wrong.push(format!("{} {}: {found}", setting.name, setting.flags));
        }
        let (name, flags, expected) = (&setting.name, &setting.flags, &setting.expected);
        let why = if is_exact {
            String::new()
        } else {
            blocker(setting)
        };
        page += &format!("| `{name}` | {flags} | {expected} | {found} | {why} |\n");
    }
    page += &format!("\n{n_exact} of {} are exact.\n", all.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        all.len() >= 100 && n_exact * 10 >= all.len() * 9,
        "{n_exact}"
    );
    let path = root().join("docs/theory/settings.md");
    if std::env::var_os("SNAPSHOTS").is_some_and(|how| how == "overwrite") {
        std::fs::write(&path, &page).expect("a page that can be written");
    }
    let written = std::fs::read_to_string(&path).expect("the page");
    assert!(written == page, "SNAPSHOTS=overwrite rewrites it");
}

#[test]
fn searches_with_and_without_symmetry_agree_in_all_settings() {
    let (mut wrong, mut n) = (Vec::new(), 0);
    for setting in settings() {
        let defines = setting.flags.split(" ").map(|d| d.replace("-D", ""));
        let defines: Vec<String> = defines.collect();
        let name = format!("{} {}", setting.name, setting.flags);
        let line = format!("check - -E -e {}", setting.flags);
        let told = json(&line, setting.text.as_bytes());
        if told["counts"]["states"].as_u64() > Some(N_STATES_MAX) {
            continue;
        }
        let model = compile(&setting.text, &defines).unwrap_or_else(|why| panic!("{name}: {why}"));
        all_wrong(&name, &model, &mut wrong);
        n += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(n >= 100, "only {n}");
}
