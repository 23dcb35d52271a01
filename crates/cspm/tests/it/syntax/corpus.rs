//! Scripts by other people are read, or refused where their origin says so.

use crate::corpus::{include, scripts, skipped};
use crate::script::read_with;

/// Scripts that are not as their origin says, with words of the reason.
const LEFT_OUT: &[(&str, &str)] = &[];

#[test]
fn scripts_of_the_corpus_are_read_or_refused_as_they_should_be() {
    let Some(scripts) = scripts() else {
        return skipped();
    };
    assert!(scripts.len() > 100, "{} scripts", scripts.len());
    let mut wrong = Vec::new();
    for found in &scripts {
        let mut include = |asked: &str| include(&found.name, asked);
        let said = read_with(&found.name, &found.text, &mut include);
        let should_fail = found.should == "fail" && found.name.contains("__parser__");
        let left_out = LEFT_OUT.iter().find(|(name, _)| *name == found.name);
        let as_listed = match left_out {
            Some((_, why)) => said.errors.iter().any(|error| error.contains(why)),
            None => said.script.is_none() == should_fail,
        };
        let is_judged = said.script.is_some() == said.errors.is_empty();
        if !as_listed || !is_judged {
            wrong.push(format!("{}\n{}", found.name, said.drawn));
        }
    }
    let n = wrong.len();
    assert!(n == 0, "{n} of {}:\n{}", scripts.len(), wrong.join("\n\n"));
}
