//! `--html`: the answer of a command as a page.

use crate::answer::Answer;
use crate::output;
use base::{Diagnostic, Sources};
use driver::trail::{FileKind, Target, warning};
use page::{Bundle, SourceText};
use serde_json::Value;

/// A page of ours.
pub const PAGE: FileKind = FileKind {
    flag: "--html",
    word: "page of orbit's",
    lost: "the page is not written",
    is_one: is_page,
};

/// Whether a text begins as our pages do.
fn is_page(text: &str) -> bool {
    text.contains("<meta name=\"generator\" content=\"orbit\">")
}

/// Writes the page of an answer; a failure is a warning, for the answer does not depend on it.
pub fn write(answer: &Answer, target: &Target, sources: &Sources) -> Result<(), Diagnostic> {
    let Ok(nonce) = page::nonce() else {
        let why = "the page is not written: this machine gives no random numbers";
        return Err(warning(why.to_owned()));
    };
    target.write(&page::html(&bundle(answer, sources), &nonce))
}

/// What the page of an answer shows.
fn bundle(answer: &Answer, sources: &Sources) -> Bundle {
    let told = output::with_frame(answer.json.clone(), &answer.found, sources);
    let has = |key: &str| answer.json.contains_key(key);
    let (is_check, is_run) = (has("properties") && has("counts"), has("n_steps"));
    let view = page::view(&answer.json);
    let only = |is: bool| is.then(|| told.clone());
    Bundle {
        model: answer.json.get("model").cloned().unwrap_or(Value::Null),
        sources: texts(sources, answer.json.get("model")),
        check: only(is_check),
        simulation: only(is_run),
        symmetry: only(!is_check && !is_run && view.is_none()),
        views: view.into_iter().collect(),
        charts: page::charts(&answer.json),
        ..Bundle::default()
    }
}

/// The texts of a model, each once, the main one first.
pub fn texts(sources: &Sources, model: Option<&Value>) -> Vec<SourceText> {
    let mut texts: Vec<SourceText> = Vec::new();
    for source in sources.all() {
        if texts.iter().all(|text| text.name != source.name()) {
            texts.push(SourceText {
                name: source.name().to_owned(),
                text: source.text().to_owned(),
            });
        }
    }
    let main = model
        .and_then(|model| model.get("path"))
        .and_then(Value::as_str);
    // Sorting is stable: the others stay as they are.
    texts.sort_by_key(|text| main != Some(text.name.as_str()));
    texts
}
