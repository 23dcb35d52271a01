//! Checks at the click of a mouse, and symmetry in the background.

use super::{Client, LANGUAGES, PATIENCE, models};
use crate::command::guide;
use base::{Clock, Diagnostics, Sources};
use driver::ask::{Words, asked};
use driver::load::{Request, load};
use driver::open::OpenTexts;
use driver::plan::Fairness;
use model::frontend::Options;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn file(name: &str) -> (PathBuf, String) {
    let path = guide()
        .canonicalize()
        .expect("the guide is there")
        .join(name);
    let text = std::fs::read_to_string(&path).expect("a file of the guide");
    (path, text)
}

/// The titles of the lenses of a document, with their lines.
fn titles(client: &mut Client, uri: &str) -> Vec<(u64, String)> {
    let lenses = client.of(uri, "codeLens");
    let lenses = lenses.as_array().expect("a list").iter().map(|lens| {
        let line = lens["range"]["start"]["line"].as_u64().expect("a line");
        let title = lens["command"]["title"].as_str().expect("a title");
        (line, title.to_owned())
    });
    lenses.collect()
}

/// Takes what the server says until something is so.
fn wait(client: &mut Client, mut until: impl FnMut(&mut Client) -> bool) {
    let begun = Instant::now();
    while !until(client) {
        assert!(begun.elapsed() < PATIENCE, "it does not come about");
        client.take(Duration::from_millis(50));
    }
}

fn check(client: &mut Client, uri: &str, property: Option<&str>) {
    let arguments: Vec<&str> = [Some(uri), property].into_iter().flatten().collect();
    let params = json!({ "command": "orbit.check", "arguments": arguments });
    client
        .ask("workspace/executeCommand", params)
        .expect("there is such a command");
}

fn violated(client: &Client, uri: &str) -> Vec<Value> {
    let told = client.told.get(uri).into_iter().flatten();
    told.filter(|told| told["code"] == "violated")
        .cloned()
        .collect()
}

#[test]
fn a_violated_run_stands_beside_the_assertion() {
    let mut client = Client::new();
    let (path, text) = file("broken.pml");
    let uri = client.open(&path, &text);
    let line = text
        .lines()
        .position(|line| line.contains("assert("))
        .expect("it asserts") as u64;
    let before = titles(&mut client, &uri);
    assert!(before.contains(&(line, "check".to_owned())), "{before:?}");
    check(&mut client, &uri, Some("assertions"));
    wait(&mut client, |client| !violated(client, &uri).is_empty());
    let told = violated(&client, &uri);
    assert_eq!(
        told[0]["message"],
        "assertion violated: assert(inside == 1)"
    );
    assert_eq!(told[0]["range"]["start"]["line"], line);
    let steps = told[0]["relatedInformation"].as_array().expect("steps");
    assert_eq!(steps.len(), 9);
    assert_eq!(steps[8]["message"], "step 9: user(1): assert(inside == 1)");
    let after = titles(&mut client, &uri);
    assert!(
        after.contains(&(line, "violated — check again".to_owned())),
        "{after:?}"
    );
    client.rewrite(&uri, &text.replace("inside == 1", "inside >= 1"));
    assert!(
        client.messages(&uri).is_empty(),
        "it was about another text"
    );
    assert!(titles(&mut client, &uri).contains(&(line, "check".to_owned())));
}

#[test]
fn all_is_checked_at_once_and_each_property_has_its_verdict() {
    let mut client = Client::new();
    let (path, text) = file("lock.csp");
    let uri = client.open(&path, &text);
    let before = titles(&mut client, &uri);
    assert_eq!(
        before.iter().filter(|(_, title)| title == "check").count(),
        3,
        "{before:?}"
    );
    check(&mut client, &uri, None);
    wait(&mut client, |client| !violated(client, &uri).is_empty());
    let after = titles(&mut client, &uri);
    let has = |title: &str| after.iter().filter(|(_, t)| t.starts_with(title)).count();
    assert_eq!(has("check"), 0, "{after:?}");
    assert!(has("violated") >= 2 && has("holds") >= 1, "{after:?}");
}

#[test]
fn a_text_that_is_not_saved_is_not_checked() {
    let mut client = Client::new();
    let (path, text) = file("broken.pml");
    let uri = client.open(&path, &format!("{text}\n"));
    check(&mut client, &uri, None);
    assert_eq!(client.shown.len(), 1);
    assert!(client.shown[0].contains("save"), "{:?}", client.shown);
    check(&mut client, "file:///orbit/none.pml", None);
    assert!(client.shown[1].contains("not open"), "{:?}", client.shown);
}

#[test]
fn a_mistake_that_only_a_check_finds_is_shown() {
    let mut client = Client::with(
        json!({ "symmetry": false, "checkFlags": ["--ltl", "[] nothing"] }),
        json!({}),
    );
    let (path, text) = file("broken.pml");
    let uri = client.open(&path, &text);
    check(&mut client, &uri, None);
    wait(&mut client, |client| !client.shown.is_empty());
    assert!(
        client.shown[0].contains("`nothing` is not declared"),
        "{:?}",
        client.shown
    );
    let after = titles(&mut client, &uri);
    assert!(
        after.contains(&(1, "check all".to_owned())),
        "nothing is running: {after:?}"
    );
}

#[test]
fn a_check_can_be_stopped() {
    let mut client = Client::new();
    let models = guide()
        .join("../../models/promela")
        .canonicalize()
        .expect("the models");
    let path = models.join("hypercube.pml");
    let text = std::fs::read_to_string(&path).expect("a model");
    let uri = client.open(&path, &text);
    check(&mut client, &uri, None);
    let during = titles(&mut client, &uri);
    let is_running = during
        .iter()
        .any(|(_, title)| title.starts_with("checking"));
    let params = json!({ "command": "orbit.stop", "arguments": [uri] });
    client
        .ask("workspace/executeCommand", params)
        .expect("there is such a command");
    let running = |client: &mut Client| {
        let now = titles(client, &uri);
        now.iter().any(|(_, title)| title.starts_with("checking"))
    };
    assert!(is_running || !running(&mut client), "{during:?}");
    wait(&mut client, |client| !running(client));
}

#[test]
fn symmetry_is_found_in_the_background() {
    let mut client = Client::with(json!({}), json!({}));
    let (path, text) = file("scan.pml");
    let uri = client.open(&path, &text);
    wait(&mut client, |client| {
        client.told.get(&uri).is_some_and(|told| !told.is_empty())
    });
    let told = client.told[&uri][0].clone();
    assert_eq!(told["severity"], 3, "an information");
    assert_eq!(told["code"], "symmetry");
    assert!(
        told["message"]
            .as_str()
            .is_some_and(|words| words.contains("names 0")),
        "{told}"
    );
    let titles = titles(&mut client, &uri);
    assert!(
        titles.iter().any(|(_, title)| title == "symmetry: none"),
        "{titles:?}"
    );
}

#[test]
fn a_hover_says_what_is_interchangeable() {
    let mut client = Client::with(json!({}), json!({}));
    let (path, text) = file("mutex.pml");
    let uri = client.open(&path, &text);
    wait(&mut client, |client| {
        let titles = titles(client, &uri);
        titles
            .iter()
            .any(|(_, title)| title == "symmetry: S2, order 2")
    });
    let at = text.find("proctype user").expect("a process") + "proctype ".len();
    let line = text[..at].matches('\n').count() as u64;
    let column = at - text[..at].rfind('\n').map_or(0, |start| start + 1);
    let told = client.at(&uri, "hover", [line, column as u64]);
    let told = told["contents"]["value"].as_str().expect("words");
    assert!(told.contains("are interchangeable"), "{told}");
}

/// Whether the command knows a property of a file by this word.
fn is_known(path: &Path, word: &str) -> Option<bool> {
    let ending = path
        .extension()
        .and_then(|ending| ending.to_str())
        .unwrap_or("");
    let mut languages = LANGUAGES.iter();
    let language = languages.find(|language| language.endings().contains(&ending))?;
    let (options, mut sources) = (Options::default(), Sources::new());
    let mut found = Diagnostics::new();
    let request = Request {
        file: path,
        folders: &[],
        open: OpenTexts::none(),
        options: &options,
        clock: Clock::of(Some(Duration::from_secs(20))),
    };
    let loaded = load(&request, *language, &mut sources, &mut found)?;
    let words = Words {
        property: Some(word),
        claim: None,
        no_deadlock: false,
        no_assertions: false,
        no_invariant: false,
        fairness: Fairness::None,
    };
    let mut found = Diagnostics::new();
    Some(asked(&words, &*loaded.model, &mut found).is_some() && !found.has_errors())
}

#[test]
fn each_lens_asks_for_a_property_that_the_command_knows() {
    let mut client = Client::new();
    let mut n_known = 0;
    for (path, text) in models(false) {
        let uri = client.open(&path, &text);
        let lenses = client.of(&uri, "codeLens");
        let lenses = lenses.as_array().cloned().unwrap_or_default();
        let words = lenses
            .iter()
            .filter_map(|lens| lens["command"]["arguments"][1].as_str());
        let words: BTreeSet<String> = words.map(str::to_owned).collect();
        // Of a long list the first and the last show how it is counted.
        let ends = words.first().into_iter().chain(words.last());
        for word in ends {
            match is_known(&path, word) {
                Some(is_known) => assert!(is_known, "{}: {word}", path.display()),
                // Only a part of what is asked for can be right where the model is wrong.
                None => continue,
            }
            n_known += 1;
        }
        client.close(&uri);
    }
    assert!(n_known > 200, "{n_known} properties");
}
