//! Where names are declared and used.

use super::{Client, LITE, covered, models};
use crate::counts::note;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// So many names of a model are asked for.
const NAMES_MAX: usize = 40;

/// Numbers of the colours that are no names.
const N_PLAIN: u64 = 3;

/// The places of names in a document, by its colours.
fn names(client: &mut Client, uri: &str) -> Vec<[u64; 3]> {
    let colours = client.of(uri, "semanticTokens/full");
    let data = colours["data"].as_array().cloned().unwrap_or_default();
    let data: Vec<u64> = data.iter().map(|n| n.as_u64().expect("a number")).collect();
    let (mut line, mut column) = (0, 0);
    let mut all = Vec::new();
    for five in data.chunks(5) {
        column = if five[0] == 0 {
            column + five[1]
        } else {
            five[1]
        };
        line += five[0];
        if five[3] >= N_PLAIN {
            all.push([line, column, five[2]]);
        }
    }
    all
}

fn each_use_leads_to_its_name(all: &[(PathBuf, String)]) {
    let mut client = Client::new();
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    let mut n_asked = 0;
    for (path, text) in all {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let uri = client.open(path, text);
        texts.insert(uri.clone(), text.to_owned());
        let all = names(&mut client, &uri);
        let every = all.len().div_ceil(NAMES_MAX).max(1);
        for [line, column, length] in all.into_iter().step_by(every) {
            let range = json!({
                "start": { "line": line, "character": column },
                "end": { "line": line, "character": column + length },
            });
            let name = covered(text, &range);
            let place = client.at(&uri, "definition", [line, column]);
            let at = place["uri"].as_str();
            let at = at
                .unwrap_or_else(|| panic!("{}:{line}: {name}", path.display()))
                .to_owned();
            let file = at
                .strip_prefix("file://")
                .expect("a file")
                .replace("%2B", "+");
            let declared = texts
                .entry(at)
                .or_insert_with(|| std::fs::read_to_string(&file).expect("a file that was read"));
            let found = covered(declared, &place["range"]);
            // A name that a macro puts together stands nowhere as a whole.
            n_asked += 1;
            if text.contains("##") {
                continue;
            }
            assert_eq!(found, name, "{}:{}", path.display(), line + 1);
        }
        client.close(&uri);
    }
    assert!(n_asked > 3000, "{n_asked} names");
    assert!(client.shown.is_empty(), "{:?}", client.shown);
}

#[test]
fn each_use_in_our_models_leads_to_a_symbol_of_its_name() {
    each_use_leads_to_its_name(&models(false));
}

#[test]
fn each_use_in_other_peoples_models_leads_to_a_symbol_of_its_name() {
    if crate::counts::corpus("promela").is_none() {
        return note("editor: skipped: there is no corpus beside the project\n");
    }
    each_use_leads_to_its_name(&models(true));
}

/// The place of the `n`-th occurrence of some words.
fn find(text: &str, words: &str, n: usize) -> [u64; 2] {
    let at = text.match_indices(words).nth(n).expect("it is there").0;
    let line = text[..at].matches('\n').count() as u64;
    let column = text[..at].chars().rev().take_while(|c| *c != '\n').count();
    [line, column as u64]
}

/// Asserts that an occurrence of a name is declared by another.
#[track_caller]
fn leads(client: &mut Client, uri: &str, text: &str, [words, to]: [(&str, usize); 2]) {
    let place = client.at(uri, "definition", find(text, words.0, words.1));
    let [line, column] = find(text, to.0, to.1);
    let start = json!({ "line": line, "character": column });
    assert_eq!(place["range"]["start"], start, "{words:?}");
}

#[test]
fn names_of_promela_mean_what_the_blocks_say() {
    let text = "#define INC(v) v = v + step\n\
                mtype = { red, green };\n\
                typedef Pair { byte one; byte two };\n\
                byte step = 1;\n\
                inline twice(t) { byte help; help = t; t = help * 2 }\n\
                active [2] proctype P() {\n\
                Pair pair; mtype m = red;\n\
                { byte x; x = 1 };\n\
                { byte x; twice(x); INC(x) };\n\
                again: pair.two = step;\n\
                goto again\n\
                }\n\
                ltl done { [] (P[0]@again -> P[0]:m == red) }\n";
    let mut client = Client::new();
    let uri = client.open(Path::new("/orbit/names.pml"), text);
    assert_eq!(client.messages(&uri), Vec::<Value>::new());
    leads(&mut client, &uri, text, [("x = 1", 0), ("x; x = 1", 0)]);
    leads(&mut client, &uri, text, [("x); INC", 0), ("x; twice", 0)]);
    leads(&mut client, &uri, text, [("x) };", 0), ("x; twice", 0)]);
    leads(&mut client, &uri, text, [("INC(x)", 0), ("INC(v)", 0)]);
    leads(&mut client, &uri, text, [("twice(x)", 0), ("twice(t)", 0)]);
    leads(&mut client, &uri, text, [("t = help", 0), ("t) {", 0)]);
    leads(&mut client, &uri, text, [("help * 2", 0), ("help; ", 0)]);
    leads(&mut client, &uri, text, [("v + step", 0), ("v) v", 0)]);
    leads(&mut client, &uri, text, [("step\n", 0), ("step = 1", 0)]);
    leads(&mut client, &uri, text, [("two = step", 0), ("two }", 0)]);
    leads(&mut client, &uri, text, [("again\n", 0), ("again:", 0)]);
    leads(&mut client, &uri, text, [("again ->", 0), ("again:", 0)]);
    leads(&mut client, &uri, text, [("m == red", 0), ("m = red", 0)]);
    leads(&mut client, &uri, text, [("red) }", 0), ("red, ", 0)]);
    leads(&mut client, &uri, text, [("P[0]@", 0), ("P() {", 0)]);
    leads(&mut client, &uri, text, [("Pair pair", 0), ("Pair {", 0)]);
    let uses = client.at(&uri, "references", find(text, "step = 1", 0));
    assert_eq!(uses.as_array().map(Vec::len), Some(3));
}

#[test]
fn names_of_b_mean_what_is_bound() {
    let text = "MACHINE M(n)\nCONSTRAINTS n : NAT\nSETS S; T = {t1, t2}\n\
                CONSTANTS k\nPROPERTIES k : S\n\
                DEFINITIONS D(x) == x : S & x = k; ASSERT_LTL_a == \"G {v <= 1}\"\n\
                VARIABLES v, w\n\
                INVARIANT v : 0..1 & w <: S & !x.(x : w => D(x))\n\
                INITIALISATION v := 0 || w := {}\n\
                OPERATIONS\n\
                out <-- op(x) = PRE x : S THEN w := {x} || out := v END;\n\
                set = ANY v WHERE v : w THEN w := w - {v} END\n\
                END\n";
    let mut client = Client::new();
    let uri = client.open(Path::new("/orbit/names.mch"), text);
    assert_eq!(client.messages(&uri), Vec::<Value>::new());
    leads(&mut client, &uri, text, [("x : w =>", 0), ("x.(", 0)]);
    leads(&mut client, &uri, text, [("x = k", 0), ("x) ==", 0)]);
    leads(&mut client, &uri, text, [("D(x))", 0), ("D(x) ==", 0)]);
    leads(&mut client, &uri, text, [("v <= 1", 0), ("v, w", 0)]);
    leads(&mut client, &uri, text, [("v : w", 0), ("v WHERE", 0)]);
    leads(&mut client, &uri, text, [("v} END", 0), ("v WHERE", 0)]);
    leads(&mut client, &uri, text, [("v END;", 0), ("v, w", 0)]);
    leads(&mut client, &uri, text, [("x} ||", 0), ("x) = PRE", 0)]);
    leads(&mut client, &uri, text, [("out := v", 0), ("out <--", 0)]);
    leads(&mut client, &uri, text, [("n : NAT", 0), ("n)", 0)]);
    let told = client.at(&uri, "hover", find(text, "w := {x}", 0));
    let told = told["contents"]["value"].as_str().expect("words");
    assert!(told.contains("of type POW(S)"), "{told}");
}

#[test]
fn names_of_other_machines_are_in_their_files() {
    let folder = crate::command::Folder::new("editor-machines");
    let other = folder.write(
        "N.mch",
        "MACHINE N\nSETS S\nVARIABLES x\nINVARIANT x : 0..3\nINITIALISATION x := 0\n\
         OPERATIONS inc = PRE x < 3 THEN x := x + 1 END\nEND\n",
    );
    let text = "MACHINE M\nINCLUDES a.N, b.N\nPROMOTES a.inc\nINVARIANT a.x <= 3\n\
                OPERATIONS both = BEGIN a.inc || b.inc END\nEND\n";
    let main = folder.write("M.mch", text);
    let mut client = Client::new();
    let uri = client.open(Path::new(&main), text);
    client.messages(&uri);
    for (words, line) in [("N, b", 0), ("x <=", 2), ("inc\nINV", 5), ("inc END", 5)] {
        let place = client.at(&uri, "definition", find(text, words, 0));
        assert_eq!(place["uri"], json!(format!("file://{other}")), "{words}");
        assert_eq!(place["range"]["start"]["line"], json!(line), "{words}");
    }
}

#[test]
fn names_of_cspm_mean_what_the_scopes_say() {
    let text = "datatype T = A | B.Bool\n\
                channel c : T\n\
                module M\nexports\nput(x) = x + 1\nendmodule\n\
                f(0) = 1\nf(n) = n * f(n - 1)\n\
                P(x) = let y = M::put(x) within c?x -> (if x == A then STOP else Q(y))\n\
                Q(z) = [] z : T @ c.z -> STOP\n\
                assert STOP [T= P(f(2))\n";
    let mut client = Client::new();
    let uri = client.open(Path::new("/orbit/names.csp"), text);
    assert_eq!(client.messages(&uri), Vec::<Value>::new());
    leads(&mut client, &uri, text, [("x == A", 0), ("x -> (if", 0)]);
    leads(&mut client, &uri, text, [("x) within", 0), ("x) = let", 0)]);
    leads(
        &mut client,
        &uri,
        text,
        [("put(x) within", 0), ("put(x) =", 0)],
    );
    leads(&mut client, &uri, text, [("z -> STOP", 0), ("z : T", 0)]);
    leads(&mut client, &uri, text, [("f(n) =", 0), ("f(0)", 0)]);
    leads(&mut client, &uri, text, [("f(2)", 0), ("f(0)", 0)]);
    leads(&mut client, &uri, text, [("A then", 0), ("A |", 0)]);
    leads(&mut client, &uri, text, [("T @", 0), ("T =", 0)]);
    let told = client.at(&uri, "hover", find(text, "f(2)", 0));
    let told = told["contents"]["value"].as_str().expect("words");
    assert!(told.contains("of type (Int) -> Int"), "{told}");
}

#[test]
fn names_of_promela_lite_lead_to_their_declarations() {
    let text = LITE;
    let mut client = Client::new();
    let uri = client.open(Path::new("/orbit/names.plite"), text);
    client.messages(&uri);
    let symbols = client.of(&uri, "documentSymbol");
    assert!(
        symbols.as_array().is_some_and(|all| all.len() == 3),
        "{symbols}"
    );
    leads(&mut client, &uri, text, [("a!x", 0), ("a =", 0)]);
    leads(&mut client, &uri, text, [("x; n", 0), ("x) {", 0)]);
    leads(&mut client, &uri, text, [("p(1)", 0), ("p(pid", 0)]);
}

#[test]
fn a_text_that_does_not_parse_keeps_its_symbols() {
    let text = "byte first;\nbyte second;\nactive proctype P() { second = first }\n";
    let mut client = Client::new();
    let uri = client.open(Path::new("/orbit/kept.pml"), text);
    client.messages(&uri);
    let broken = text.replace("byte second", "byte extra;\nbyte = ; byte second");
    client.rewrite(&uri, &broken);
    assert!(!client.messages(&uri).is_empty());
    leads(&mut client, &uri, &broken, [("first }", 0), ("first;", 0)]);
    let symbols = client.of(&uri, "documentSymbol");
    let names: Vec<&str> = symbols
        .as_array()
        .expect("a list")
        .iter()
        .map(|symbol| symbol["name"].as_str().expect("a name"))
        .collect();
    assert!(
        names.contains(&"first") && names.contains(&"P"),
        "{names:?}"
    );
}

#[test]
fn completion_offers_what_can_be_named_here() {
    let text = "byte outer;\nactive proctype P() { byte inner; inner = 1 }\n\
                active proctype Q() { byte other; other = 1 }\n";
    let mut client = Client::new();
    let uri = client.open(Path::new("/orbit/complete.pml"), text);
    client.messages(&uri);
    let offered = client.at(&uri, "completion", find(text, "inner = 1", 0));
    let labels: Vec<&str> = offered
        .as_array()
        .expect("a list")
        .iter()
        .map(|item| item["label"].as_str().expect("a label"))
        .collect();
    for name in ["outer", "inner", "P", "Q", "proctype", "atomic"] {
        assert!(labels.contains(&name), "{name} is missing from {labels:?}");
    }
    assert!(
        !labels.contains(&"other"),
        "it is a name of another process"
    );
}
