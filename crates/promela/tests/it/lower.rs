//! Lowered models: listings of each construct, and what is refused.
//!
//! `tests/golden` has a model and its listing for each construct; `SNAPSHOTS=overwrite` writes the
//! listings anew. That the listings are right is seen by comparing them with SPIN, which
//! `tests/oracle` does for these models too.

use base::{Diagnostic, Diagnostics, Severity, Sources};
use model::processes::listing::listing;
use model::processes::program::Model;
use model::processes::property::{Kind, Property};
use promela::lower::{Ends, FullChannels, Options, lower_all};
use promela::preprocess::IncludeRequest;
use std::path::{Path, PathBuf};

/// What lowering says and makes.
pub struct Lowered {
    pub model: Option<Model>,
    pub errors: Vec<String>,
    warnings: Vec<String>,
    properties: Vec<Property>,
}

/// Lowers a text.
pub fn lowered(text: &str, ends: Ends) -> Lowered {
    let mut sources = Sources::new();
    let mut found = Diagnostics::new();
    let main = sources.add("m.pml", text);
    let mut include =
        |_: &mut Sources, _: &IncludeRequest| Err(Diagnostic::unlocated("there is no such file"));
    let typed = promela::check(main, &[], &mut sources, &mut include, &mut found);
    let options = Options {
        ends,
        full: FullChannels::Block,
    };
    let both = typed.and_then(|t| lower_all(&t, &sources, &options, &mut found));
    let (model, properties) = both.unzip();
    let (mut errors, mut warnings) = (Vec::new(), Vec::new());
    for d in found.sorted() {
        let at = d.labels.first().map(|label| {
            let source = sources.get(label.span.source);
            source.position(label.span.start as usize)
        });
        let at = at.map_or(String::new(), |p| format!("{}:{}: ", p.line, p.column));
        match d.severity {
            Severity::Error => errors.push(at + &d.message),
            Severity::Warning => warnings.push(at + &d.message),
        }
    }
    Lowered {
        model,
        errors,
        warnings,
        properties: properties.unwrap_or_default(),
    }
}

/// The model of a text that has no errors.
#[track_caller]
pub fn model(text: &str) -> Model {
    let lowered = lowered(text, Ends::Step);
    let errors = lowered.errors.join("\n");
    lowered.model.unwrap_or_else(|| panic!("{text}\n{errors}"))
}

#[track_caller]
fn refused(text: &str, message: &str) {
    let lowered = lowered(text, Ends::Step);
    assert_eq!(lowered.errors, [message], "{text}");
    assert!(lowered.model.is_none(), "{text}");
}

fn golden() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let entries = std::fs::read_dir(folder).expect("the golden models");
    let paths = entries.map(|e| e.expect("an entry").path());
    let mut paths: Vec<PathBuf> = paths
        .filter(|p| p.extension().is_some_and(|e| e == "pml"))
        .collect();
    paths.sort();
    paths
}

#[test]
fn listings_are_as_expected() {
    let paths = golden();
    assert!(paths.len() >= 10, "{} models", paths.len());
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a readable model");
        let lowered = lowered(&text, Ends::Step);
        assert!(
            lowered.errors.is_empty(),
            "{}: {:?}",
            path.display(),
            lowered.errors
        );
        let mut made = lowered.model.map(|m| listing(&m)).expect("no errors");
        for warning in lowered.warnings {
            made.push_str(&format!("warning {warning}\n"));
        }
        let beside = path.with_extension("txt");
        if std::env::var("SNAPSHOTS").is_ok_and(|s| s == "overwrite") {
            std::fs::write(&beside, &made).expect("a writable listing");
        }
        let expected = std::fs::read_to_string(&beside).unwrap_or_default();
        assert_eq!(made, expected, "{}", path.display());
    }
}

#[test]
fn steps_are_called_by_their_own_text_with_the_uses_around_it() {
    let text = "byte x;\n#define TWICE x = x + 1; \\\n x = x * 2\n\
        inline set(v) { v = 7 }\n\
        active proctype P() { x = /* why */ 3   + 1\n TWICE;\n set(x); if :: x == 1 fi }";
    let model = model(text);
    let texts: Vec<(&str, u32, Option<&str>, bool)> = model.proctypes[0]
        .locations
        .iter()
        .flat_map(|l| &l.steps)
        .map(|s| &model.sites[model.step(*s).site.index()])
        .map(|s| {
            let call = s.within.calls.first().map(String::as_str);
            (&*s.text, s.line, call, s.written)
        })
        .collect();
    let expected = [
        ("x = 3 + 1", 5, None, true),
        ("x = x + 1", 2, Some("TWICE in line 6"), true),
        ("x = x * 2", 3, Some("TWICE in line 6"), true),
        ("v = 7", 4, Some("set(x) in line 7"), true),
        ("x == 1", 7, None, true),
        ("-end-", 7, None, false),
    ];
    for step in expected {
        assert!(texts.contains(&step), "{step:?} in {texts:?}");
    }
    assert_eq!(texts.len(), expected.len(), "{texts:?}");
}

#[test]
fn statements_that_cannot_be_reached_are_kept() {
    let model = model("byte x; active proctype P() { goto on; x = 1; x = 2; on: x = 3 }");
    let all = model.proctypes[0].locations.iter().flat_map(|l| &l.steps);
    let texts: Vec<&str> = all
        .map(|s| &*model.sites[model.step(*s).site.index()].text)
        .collect();
    assert_eq!(texts, ["x = 1", "x = 2", "x = 3", "-end-"]);
}

#[test]
fn large_states_are_refused() {
    refused(
        "int x[300000]; init { x[1] = 1 }",
        "1:5: `x` makes the state larger than 1048576 bytes",
    );
    refused(
        "typedef A { int v[100] }; typedef B { A v[100] }; B b[30]; init { skip }",
        "1:53: `b` makes the state larger than 1048576 bytes",
    );
    refused(
        "active [200] proctype P() { int x[2000]; x[0] = 1 }",
        "1:23: `P` makes the state larger than 1048576 bytes",
    );
}

#[test]
fn too_many_of_a_kind_are_refused() {
    let procs: String = (0..3)
        .map(|i| format!("active [100] proctype P{i}() {{ skip }}\n"))
        .collect();
    refused(&procs, "3:23: more than 255 processes run from the start");
    refused(
        "chan c[300] = [1] of { byte }; init { c[0]!1 }",
        "1:6: more than 255 channels",
    );
    let types: String = (0..256)
        .map(|i| format!("proctype P{i}() {{ skip }} "))
        .collect();
    let found = lowered(&(types + "init { skip }"), Ends::Step);
    assert_eq!(found.errors.len(), 1);
    let message = "more than 255 process types and channel declarations";
    assert!(found.errors[0].ends_with(message), "{:?}", found.errors);
}

#[test]
fn channel_declarations_share_kinds_when_there_are_too_many() {
    let mut text = String::new();
    for i in 0..254 {
        let capacity = i % 5;
        text.push_str(&format!("chan c{i} = [{capacity}] of {{ byte }};\n"));
    }
    for i in 0..40 {
        text.push_str(&format!("proctype P{i}() {{ skip }}\n"));
    }
    let model = model(&(text + "init { c0!1 }"));
    assert_eq!(model.layout.kinds.len(), 256);
    assert_eq!(model.prologue.len(), 254);
}

#[test]
fn jumps_in_a_circle_are_refused() {
    refused(
        "active proctype P() { skip; a: goto b; b: goto a }",
        "1:32: jumps that lead round in a circle, with no statement between",
    );
    refused(
        "active proctype P() { d_step { skip; a: goto b; b: goto a } }",
        "1:41: jumps that lead round in a circle, with no statement between",
    );
}

#[test]
fn many_locations_take_more_room() {
    let body: String = (0..300).map(|i| format!("x = {i};\n")).collect();
    let model = model(&format!(
        "int x; active proctype P() {{ int y; {body} y = 1 }}"
    ));
    let kind = &model.layout.kinds[model.proctypes[0].kind.index()];
    assert_eq!((kind.size, kind.fields[0].at), (7, 3));
    assert_eq!(model.proctypes[0].locations.len(), 302);
}

#[test]
fn claims_and_formulas_become_properties() {
    let text = "byte x;\nactive proctype P() { x = 1 }\n\
        ltl safe { [] (x < 2) }\nnever { do :: x > 1 od }\n";
    let lowered = lowered(text, Ends::Stay);
    let told = |p: &Property| (p.name.clone(), p.kind, p.line, p.texts.clone());
    let told: Vec<_> = lowered.properties.iter().map(told).collect();
    let atoms = |text: &str| vec![text.to_owned()];
    assert_eq!(
        told,
        [
            ("never".to_owned(), Kind::Never, 4, atoms("x > 1")),
            ("safe".to_owned(), Kind::Ltl, 3, atoms("x < 2")),
        ]
    );
    let model = lowered.model.expect("no errors");
    assert_eq!(model.proctypes.len(), 1);
    assert!(!model.rules.ends_are_steps);
}

#[test]
fn constants_beyond_32_bits_are_compared_as_in_c() {
    let comparison = |text: &str| {
        let listing = listing(&model(&format!("int x; init {{ {text} }}")));
        let line = listing.lines().find(|line| line.contains(" -> "));
        let line = line.unwrap_or_else(|| panic!("{listing}")).to_owned();
        let (from, to) = (
            line.find('(').expect("a test"),
            line.find(") ->").expect("its end"),
        );
        line[from + 1..to].to_owned()
    };
    assert_eq!(comparison("x < -2147483648"), "x <= 2147483647");
    assert_eq!(comparison("-2147483648 > x"), "x <= 2147483647");
    assert_eq!(comparison("x == -2147483648"), "x > 2147483647");
    assert_eq!(comparison("x <= 2147483648 - 1"), "x < -2147483648");
    assert_eq!(comparison("x != 2147483648 - 1"), "x >= -2147483648");
    // Within 32 bits nothing changes, nor where the literal is not there.
    assert_eq!(comparison("x < 2147483648"), "x < -2147483648");
    assert_eq!(comparison("x < -2147483647 - 2"), "x < (-2147483647 - 2)");
}
