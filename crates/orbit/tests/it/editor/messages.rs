//! Messages are those of `orbit check --parse-only`, at the same places.

use super::{Client, models, rows};
use crate::counts::note;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

/// A message: how bad it is, what it says, and where.
type Message = (String, String, [u64; 2]);

/// What the binary says of a file, by file; places as the protocol counts them.
fn printed(path: &Path) -> BTreeMap<String, Vec<Message>> {
    let output = Command::new(env!("CARGO_BIN_EXE_orbit"))
        .args(["check", "--parse-only", "--json", "--"])
        .arg(path)
        .stderr(Stdio::null())
        .output()
        .expect("it starts");
    let object: Value = serde_json::from_slice(&output.stdout).expect("an object");
    let mut all: BTreeMap<String, Vec<Message>> = BTreeMap::new();
    for said in object["diagnostics"].as_array().expect("a list") {
        let label = &said["labels"][0];
        let file = label["file"]
            .as_str()
            .map_or_else(|| path.display().to_string(), str::to_owned);
        let place = match (label["line"].as_u64(), label["column"].as_u64()) {
            (Some(line), Some(column)) => {
                let text = std::fs::read_to_string(&file).unwrap_or_default();
                place(&text, line, column)
            }
            _ => [0, 0],
        };
        let word = |key: &str| said[key].as_str().expect("a word").to_owned();
        let file = driver::open::plain(Path::new(&file)).display().to_string();
        all.entry(file)
            .or_default()
            .push((word("severity"), word("message"), place));
    }
    all
}

/// A place as the binary counts it, characters and from 1, as the protocol does.
fn place(text: &str, line: u64, column: u64) -> [u64; 2] {
    let row = text.lines().nth(line as usize - 1).unwrap_or("");
    let before = row.chars().take(column as usize - 1);
    [line - 1, before.map(|c| c.len_utf16() as u64).sum()]
}

/// What the server has published.
fn published(client: &Client) -> BTreeMap<String, Vec<Message>> {
    let mut all = BTreeMap::new();
    for (uri, list) in client.told.iter().filter(|(_, list)| !list.is_empty()) {
        let path = uri.strip_prefix("file://").expect("a file");
        let told = list.iter().map(|told| {
            let severity = match told["severity"].as_u64() {
                Some(1) => "error",
                Some(2) => "warning",
                other => panic!("{other:?}"),
            };
            let start = &told["range"]["start"];
            let number = |key: &str| start[key].as_u64().expect("a number");
            let message = told["message"].as_str().expect("words").to_owned();
            (
                severity.to_owned(),
                message,
                [number("line"), number("character")],
            )
        });
        let path = path.replace("%2B", "+").replace("%20", " ");
        all.insert(path, told.collect::<Vec<Message>>());
    }
    all
}

fn compare(all: &[(std::path::PathBuf, String)]) {
    let mut client = Client::new();
    let mut n_told = 0;
    for (path, text) in all {
        // Lines that are told as others, and ends of lines that we do not take for such.
        let is_marked = text.contains("\n#line") || text.contains("\n# ");
        let has_lone_ends = text.replace("\r\n", "\n").contains('\r');
        if is_marked || has_lone_ends {
            continue;
        }
        client.told.clear();
        let uri = client.open(path, text.strip_prefix('\u{feff}').unwrap_or(text));
        client.of(&uri, "documentSymbol");
        let (mut ours, mut theirs) = (published(&client), printed(path));
        for list in ours.values_mut().chain(theirs.values_mut()) {
            list.sort();
            list.dedup();
        }
        assert_eq!(ours, theirs, "{}", path.display());
        n_told += ours.values().map(Vec::len).sum::<usize>();
        client.close(&uri);
    }
    assert!(n_told > 100, "{n_told} messages");
    assert!(client.shown.is_empty(), "{:?}", client.shown);
}

#[test]
fn messages_of_our_models_are_those_of_the_command() {
    compare(&models(false));
}

#[test]
fn messages_of_other_peoples_models_are_those_of_the_command() {
    if crate::counts::corpus("promela").is_none() {
        return note("editor: skipped: there is no corpus beside the project\n");
    }
    let ours = models(false);
    let mut all = models(true);
    all.retain(|(path, _)| ours.iter().all(|(own, _)| own != path));
    compare(&all);
}

#[test]
fn notes_and_further_places_stand_beside_a_message() {
    let mut client = Client::new();
    let text = "#define USE(v) v = w\nbyte x;\nactive proctype P() { USE(x) }\n";
    let uri = client.open(Path::new("/orbit/beside.pml"), text);
    let told = client.messages(&uri);
    assert_eq!(told.len(), 1);
    assert_eq!(told[0]["message"], "`w` is not declared");
    let beside = &told[0]["relatedInformation"][0];
    assert_eq!(beside["message"], "in the definition of `USE`");
    assert_eq!(
        beside["location"]["range"]["start"],
        json!({ "line": 0, "character": 19 })
    );
    client.rewrite(&uri, "byte x;\nactive proctype P() { x = 1 }\n");
    assert_eq!(
        client.messages(&uri),
        Vec::<Value>::new(),
        "they go when the text is right"
    );
}

#[test]
fn a_client_that_shows_no_places_beside_gets_them_as_words() {
    let mut client = Client::silent();
    client
        .ask("initialize", json!({ "capabilities": {} }))
        .expect("it begins");
    let text = "#define USE(v) v = w\nbyte x;\nactive proctype P() { USE(x) }\n";
    let uri = client.open(Path::new("/orbit/words.pml"), text);
    let told = client.messages(&uri);
    assert_eq!(
        told[0]["message"],
        "`w` is not declared\nin the definition of `USE`"
    );
    assert_eq!(told[0]["relatedInformation"], Value::Null);
}

#[test]
fn a_text_that_is_included_counts_as_it_is_in_the_editor() {
    let folder = crate::command::Folder::new("editor-include");
    let part = folder.write("part.h", "byte y;\n");
    let main = folder.write(
        "main.pml",
        "#include \"part.h\"\nactive proctype P() { x = 1 }\n",
    );
    let mut client = Client::new();
    let text = std::fs::read_to_string(&main).expect("it was written");
    let uri = client.open(Path::new(&main), &text);
    let told = client.messages(&uri);
    assert_eq!(told[0]["message"], "`x` is not declared");
    let included = client.open(Path::new(&part), "byte x;\n");
    assert_eq!(client.messages(&uri), Vec::<Value>::new());
    let place = client.at(&uri, "definition", [1, 22]);
    assert_eq!(place["uri"], json!(included));
    client.rewrite(&included, "byte x; wrong\n");
    client.of(&uri, "documentSymbol");
    client.of(&included, "documentSymbol");
    assert!(
        !client.told[&included].is_empty(),
        "the mistake is told where it is"
    );
    let place = client.at(&included, "definition", [0, 6]);
    assert_eq!(
        place["uri"],
        json!(included),
        "of the last text that was understood"
    );
    client.close(&included);
    let told = client.messages(&uri);
    assert_eq!(
        told[0]["message"], "`x` is not declared",
        "the file counts again"
    );
    assert_eq!(client.told.get(&included).map_or(0, Vec::len), 0);
    assert_eq!(rows(&text).len(), 3);
}
