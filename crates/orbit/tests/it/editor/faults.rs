//! Planted faults: a language that panics, and one that does not end.

use super::{Client, LANGUAGES};
use base::{Diagnostic, Diagnostics, Sources};
use model::frontend::{Files, Frontend, Given, Model, OnlyRead, Reading, States};
use serde_json::{Value, json};
use std::path::Path;

/// A language whose texts say what goes wrong.
struct Planted;

impl Frontend for Planted {
    fn language(&self) -> &'static str {
        "planted"
    }

    fn endings(&self) -> &'static [&'static str] {
        &["planted"]
    }

    fn models(&self) -> &'static str {
        "planted faults"
    }

    fn flags(&self, _: Reading) -> Vec<&'static str> {
        Vec::new()
    }

    fn states(&self) -> States {
        States::Values
    }

    fn load(
        &self,
        given: &Given<'_>,
        sources: &mut Sources,
        _: &mut dyn Files,
        found: &mut Diagnostics,
    ) -> Option<Box<dyn Model>> {
        match sources.get(given.main).text() {
            "panic" => panic!("a planted fault"),
            "endless" => {
                while !given.clock.is_over() {
                    std::thread::yield_now();
                }
                None
            }
            "wrong" => {
                found.push(Diagnostic::unlocated("it is wrong"));
                None
            }
            _ => Some(Box::new(OnlyRead(Vec::new()))),
        }
    }
}

fn client() -> Client {
    let mut languages = LANGUAGES.to_vec();
    languages.push(&Planted);
    let mut client = Client::reading(languages);
    let options = json!({ "symmetry": false });
    let params = json!({ "capabilities": {}, "initializationOptions": options });
    client.ask("initialize", params).expect("it begins");
    client
}

#[test]
fn a_panic_is_told_as_a_bug_of_ours_and_the_server_goes_on() {
    let mut client = client();
    let uri = client.open(Path::new("/orbit/m.planted"), "panic");
    client.of(&uri, "documentSymbol");
    assert_eq!(client.shown.len(), 1);
    for part in ["a bug in orbit", "a planted fault", "Please send us"] {
        assert!(client.shown[0].contains(part), "{part}: {:?}", client.shown);
    }
    client.rewrite(&uri, "wrong");
    let told = client.messages(&uri);
    assert_eq!(told[0]["message"], "it is wrong");
    client.rewrite(&uri, "panic");
    client.rewrite(&uri, "right");
    assert_eq!(client.messages(&uri), Vec::<Value>::new());
    assert_eq!(client.shown.len(), 1, "one bug is told once");
    assert_eq!(client.end(), lsp::Ended::InOrder);
}

#[test]
fn an_edit_ends_what_is_under_way() {
    const MODIFIED: i32 = -32801;
    let mut client = client();
    let uri = client.open(Path::new("/orbit/m.planted"), "endless");
    let asked = json!({ "textDocument": { "uri": uri } });
    let waiting = client.begin("textDocument/documentSymbol", asked);
    client.rewrite(&uri, "wrong");
    assert_eq!(client.answer(&waiting), Err(MODIFIED));
    assert_eq!(client.messages(&uri)[0]["message"], "it is wrong");
    client.rewrite(&uri, "endless");
    client.close(&uri);
    assert_eq!(client.end(), lsp::Ended::InOrder);
}

#[test]
fn a_server_whose_client_goes_away_ends_what_is_under_way() {
    let mut client = client();
    client.open(Path::new("/orbit/m.planted"), "endless");
    let server = client.server.take().expect("it runs");
    drop(client);
    assert_eq!(server.join().expect("no panic"), lsp::Ended::Abruptly);
}
