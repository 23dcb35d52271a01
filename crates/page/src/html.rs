//! A bundle as a file.

use crate::Bundle;
use std::fmt::Write;

const PAGE: &str = include_str!("assets/page.html");
const STYLE: &str = include_str!("assets/page.css");
const SCRIPT: &str = include_str!("assets/page.js");

/// The machine gave no random bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoRandomness;

/// 128 random bits in hexadecimal, which nobody can guess.
pub fn nonce() -> Result<String, NoRandomness> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|_| NoRandomness)?;
    Ok(bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("writing to a string");
        text
    }))
}

/// The page of a bundle; its scripts and styles run because they show `nonce`.
///
/// # Requires
/// `nonce` is made of letters and digits, and new for each page.
pub fn html(bundle: &Bundle, nonce: &str) -> String {
    let title = bundle.model.get("path").and_then(serde_json::Value::as_str);
    let title = format!("{} – Orbit", title.unwrap_or("model"));
    let data = serde_json::to_string(bundle).expect("a bundle is made of plain data");
    let parts = [
        ("@STYLE@", STYLE.to_owned()),
        ("@SCRIPT@", SCRIPT.to_owned()),
        ("@NONCE@", nonce.to_owned()),
        ("@TITLE@", escaped(&title)),
        ("@DATA@", inert(&data)),
    ];
    filled(PAGE, &parts)
}

/// The template with each mark replaced once, from left to right: what is put in is not looked at
/// for marks again.
fn filled(template: &str, parts: &[(&str, String)]) -> String {
    let mut out = String::with_capacity(template.len() + SCRIPT.len() + STYLE.len());
    let mut rest = template;
    loop {
        let next = parts
            .iter()
            .filter_map(|(mark, text)| rest.find(mark).map(|at| (at, *mark, text)));
        let Some((at, mark, text)) = next.min_by_key(|(at, ..)| *at) else {
            out.push_str(rest);
            return out;
        };
        out.push_str(&rest[..at]);
        out.push_str(text);
        rest = &rest[at + mark.len()..];
    }
}

/// JSON that can stand in an element `script`: nothing in it ends that element, begins a comment or
/// ends a line of the script.
fn inert(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' => out.push_str("\\u003c"),
            '>' => out.push_str("\\u003e"),
            '&' => out.push_str("\\u0026"),
            '\u{2028}' => out.push_str("\\u2028"),
            '\u{2029}' => out.push_str("\\u2029"),
            c => out.push(c),
        }
    }
    out
}

/// Text as it stands in HTML and SVG.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // XML has no such characters.
            c if c < ' ' && !"\t\n\r".contains(c) => out.push('\u{FFFD}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SourceText;
    use serde_json::{Value, json};

    const HOSTILE: &str = "</script><script>alert(1)</script><!-- @SCRIPT@ \u{2028} & \" '";

    fn bundle() -> Bundle {
        Bundle {
            model: json!({ "path": HOSTILE }),
            sources: vec![SourceText {
                name: HOSTILE.to_owned(),
                text: HOSTILE.to_owned(),
            }],
            check: Some(json!({ "verdict": HOSTILE })),
            ..Bundle::default()
        }
    }

    #[test]
    fn what_is_in_a_model_ends_no_element() {
        let page = html(&bundle(), "0123");
        assert_eq!(page.matches("<script").count(), 2);
        assert_eq!(page.matches("</script").count(), 2);
        assert!(!page.contains("<!-- @"));
        // Each mark is filled once, also where the data holds the same word.
        assert_eq!(page.matches("\"use strict\"").count(), 1);
    }

    #[test]
    fn the_data_can_be_read_again() {
        let page = html(&bundle(), "0123");
        let (_, rest) = page.split_once("id=\"data\">").expect("data");
        let (data, _) = rest.split_once("</script>").expect("its end");
        let read: Value = serde_json::from_str(data).expect("JSON");
        assert_eq!(read["sources"][0]["text"], HOSTILE);
        assert_eq!(read["check"]["verdict"], HOSTILE);
    }

    #[test]
    fn nothing_is_loaded_from_elsewhere() {
        let page = html(&bundle(), "0123");
        for word in ["http://", "https://", "src=", "@import", "url("] {
            let own = page.replace("http://www.w3.org/", "");
            assert!(!own.contains(word), "{word} is in the page");
        }
        assert!(page.contains("default-src 'none'"));
        assert!(page.contains("script-src 'nonce-0123'"));
    }

    #[test]
    fn nonces_differ() {
        let (a, b) = (nonce(), nonce());
        assert!(a.is_ok() && a != b);
        assert!(a.is_ok_and(|a| a.len() == 32));
    }
}
