//! Columns count units of UTF-16, or bytes where that was agreed.

use super::Client;
use serde_json::json;
use std::path::Path;

/// A text with tabs, accents, and characters that are two units long, ended as on Windows.
const TEXT: &str = "/* é😀 */ byte x;\r\n\tactive proctype P()\r\n{ /* 𝔸𝔹 */ x = y }\r\n";

#[test]
fn columns_count_units_of_utf_16() {
    let mut client = Client::new();
    let uri = client.open(Path::new("/orbit/columns.pml"), TEXT);
    let told = client.messages(&uri);
    let start = &told[0]["range"]["start"];
    assert_eq!(
        *start,
        json!({ "line": 2, "character": 17 }),
        "`y`: two characters of two units"
    );
    let place = client.at(&uri, "definition", [2, 13]);
    assert_eq!(
        place["range"]["start"],
        json!({ "line": 0, "character": 15 })
    );
    assert_eq!(place["range"]["end"], json!({ "line": 0, "character": 16 }));
    let process = client.at(&uri, "hover", [1, 17]);
    assert_eq!(
        process["range"]["start"],
        json!({ "line": 1, "character": 17 })
    );
}

#[test]
fn columns_count_bytes_if_the_client_offers_that() {
    let general = json!({ "positionEncodings": ["utf-32", "utf-8", "utf-16"] });
    let mut client = Client::with(json!({ "symmetry": false }), general);
    let uri = client.open(Path::new("/orbit/bytes.pml"), TEXT);
    let told = client.messages(&uri);
    assert_eq!(
        told[0]["range"]["start"],
        json!({ "line": 2, "character": 21 })
    );
    let place = client.at(&uri, "definition", [2, 17]);
    assert_eq!(
        place["range"]["start"],
        json!({ "line": 0, "character": 18 })
    );
}

#[test]
fn edits_count_in_the_same_way() {
    let mut client = Client::new();
    let uri = client.open(Path::new("/orbit/edits.pml"), TEXT);
    let change = json!({
        "range": {
            "start": { "line": 2, "character": 17 },
            "end": { "line": 2, "character": 18 },
        },
        "text": "x",
    });
    let document = json!({ "uri": uri, "version": 2 });
    let params = json!({ "textDocument": document, "contentChanges": [change] });
    client.tell("textDocument/didChange", params);
    assert!(client.messages(&uri).is_empty(), "`y` has become `x`");
}
