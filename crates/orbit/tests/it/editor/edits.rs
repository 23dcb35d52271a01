//! Texts that are changed at random: the server goes on, and ends up with the text of the client.

use super::{Client, LITE, models};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// How many edits are made of texts of each language.
const EDITS: usize = 1250;
/// The longest text that is changed.
const BYTES_MAX: usize = 900;

/// What is put in, of all languages.
const PIECES: [&str; 48] = [
    "{", "}", "(", ")", "[", "]", "<", ">", ";", ",", ".", ":", "::", "->", "=", "==", "||", "|||",
    "[|", "|]", "|~|", "\\", "#", "@", "!", "?", "&", "$", "\"", "'", "/*", "*/", "//", "--", "{-",
    "-}", "\n", "\r\n", "\r", "\t", " ", "é", "😀", "𝔸", "END", "byte ", "let ", "0",
];

/// The column of a byte in a line, counted in UTF-16, and the line.
fn place(text: &str, at: usize) -> [usize; 2] {
    let (mut line, mut start) = (0, 0);
    for (i, byte) in text.bytes().enumerate().take(at) {
        let ends = byte == b'\n' || byte == b'\r' && text.as_bytes().get(i + 1) != Some(&b'\n');
        if ends {
            (line, start) = (line + 1, i + 1);
        }
    }
    [line, text[start..at].encode_utf16().count()]
}

/// A random stretch of a text, between characters and not inside of a line end.
fn stretch(text: &str, rng: &mut fastrand::Rng) -> [usize; 2] {
    let cut = |rng: &mut fastrand::Rng| {
        let at = text.floor_char_boundary(rng.usize(0..=text.len()));
        let is_inside = text[..at].ends_with('\r') && text[at..].starts_with('\n');
        at - usize::from(is_inside)
    };
    let from = cut(rng);
    let to = if rng.bool() {
        let near = (from + rng.usize(0..12)).min(text.len());
        let near = text.floor_char_boundary(near);
        let is_inside = text[..near].ends_with('\r') && text[near..].starts_with('\n');
        near - usize::from(is_inside)
    } else {
        from
    };
    [from, to.max(from)]
}

/// What is put in its place.
fn piece(text: &str, rng: &mut fastrand::Rng) -> String {
    if rng.u8(0..3) == 0 {
        let [from, to] = stretch(text, rng);
        return text[from..to].to_owned();
    }
    let n = rng.usize(0..3);
    (0..n).map(|_| PIECES[rng.usize(..PIECES.len())]).collect()
}

struct Edited {
    path: PathBuf,
    original: String,
    text: String,
    uri: String,
}

impl Edited {
    fn edit(&mut self, client: &mut Client, rng: &mut fastrand::Rng) {
        if rng.u8(0..20) == 0 {
            self.text.clone_from(&self.original);
            client.rewrite(&self.uri, &self.text);
            return;
        }
        let [from, to] = stretch(&self.text, rng);
        let put = piece(&self.text, rng);
        let [start, end] = [from, to].map(|at| {
            let [line, character] = place(&self.text, at);
            json!({ "line": line, "character": character })
        });
        let change = json!({ "range": { "start": start, "end": end }, "text": put });
        let document = json!({ "uri": self.uri, "version": 3 });
        let params = json!({ "textDocument": document, "contentChanges": [change] });
        client.tell("textDocument/didChange", params);
        self.text.replace_range(from..to, &put);
    }
}

/// Edits texts that end like this, and asks of them.
fn torture(endings: &[&str], seed: u64) {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut texts: Vec<(PathBuf, String)> = models(false);
    texts.retain(|(path, text)| {
        let ending = path
            .extension()
            .and_then(|ending| ending.to_str())
            .unwrap_or("");
        endings.contains(&ending) && text.len() <= BYTES_MAX && !text.contains('\r')
    });
    rng.shuffle(&mut texts);
    texts.truncate(25);
    assert!(!texts.is_empty(), "{endings:?}");
    let n_each = EDITS.div_ceil(texts.len());
    let mut client = Client::new();
    for (path, original) in texts {
        let uri = client.open(&path, &original);
        let text = original.clone();
        let mut edited = Edited {
            path,
            original,
            text,
            uri,
        };
        for n in 0..n_each {
            edited.edit(&mut client, &mut rng);
            look(&mut client, &edited, &mut rng);
            let shown = client.shown.join("\n");
            assert!(
                shown.is_empty(),
                "seed {seed}, edit {n}: {shown}\n{}",
                edited.text
            );
        }
        compare(&mut client, &edited, seed);
        client.close(&edited.uri);
    }
    assert_eq!(client.end(), lsp::Ended::InOrder, "seed {seed}");
}

/// Asks something now and then.
fn look(client: &mut Client, edited: &Edited, rng: &mut fastrand::Rng) {
    const OF: [&str; 3] = ["documentSymbol", "semanticTokens/full", "codeLens"];
    const AT: [&str; 5] = [
        "definition",
        "references",
        "hover",
        "completion",
        "documentHighlight",
    ];
    match rng.usize(0..16) {
        n if n < OF.len() => {
            client.of(&edited.uri, OF[n]);
        }
        n if n < OF.len() + AT.len() => {
            let at = edited
                .text
                .floor_char_boundary(rng.usize(0..=edited.text.len()));
            let [line, column] = place(&edited.text, at);
            client.at(&edited.uri, AT[n - OF.len()], [line as u64, column as u64]);
        }
        _ => {}
    }
}

/// The messages of an edited document are those of one that was opened with the same text.
fn compare(client: &mut Client, edited: &Edited, seed: u64) {
    let ours = client.messages(&edited.uri);
    let mut fresh = Client::new();
    let uri = fresh.open(&edited.path, &edited.text);
    let theirs: Vec<Value> = fresh.messages(&uri);
    assert_eq!(
        ours,
        theirs,
        "seed {seed}: {}\n{}",
        edited.path.display(),
        edited.text
    );
}

#[test]
fn promela_survives_random_edits() {
    torture(&["pml"], 11);
}

#[test]
fn promela_lite_survives_random_edits() {
    let mut client = Client::new();
    let path = Path::new("/orbit/random.plite");
    let mut edited = Edited {
        path: path.to_path_buf(),
        original: LITE.to_owned(),
        text: LITE.to_owned(),
        uri: client.open(path, LITE),
    };
    let seed = 12;
    let mut rng = fastrand::Rng::with_seed(seed);
    for n in 0..EDITS {
        edited.edit(&mut client, &mut rng);
        look(&mut client, &edited, &mut rng);
        assert!(
            client.shown.is_empty(),
            "seed {seed}, edit {n}: {:?}\n{}",
            client.shown,
            edited.text
        );
    }
    compare(&mut client, &edited, seed);
}

#[test]
fn b_survives_random_edits() {
    torture(&["mch", "ref"], 13);
}

#[test]
fn cspm_survives_random_edits() {
    torture(&["csp", "cspm"], 14);
}
