//! Scripts by other people are evaluated.

use super::Loaded;
use crate::corpus::{include, scripts, skipped};
use crate::script::read_with;
use cspm::eval::Script;
use cspm::process::Terms;
use cspm::value::Value;

#[test]
fn scripts_of_the_corpus_are_evaluated() {
    let Some(scripts) = scripts() else {
        return skipped();
    };
    let mut wrong = Vec::new();
    for found in &scripts {
        let start = std::time::Instant::now();
        let mut include = |asked: &str| include(&found.name, asked);
        let said = read_with(&found.name, &found.text, &mut include);
        let Some(script) = said.script else {
            continue;
        };
        let mut script = match Script::load(&script) {
            Ok(script) => script,
            Err(found_) => {
                let all: Vec<_> = found_.iter().map(|d| d.message.clone()).collect();
                wrong.push(format!("{}: LOAD {all:?}", found.name));
                continue;
            }
        };
        let names: Vec<String> = script.names().map(str::to_owned).collect();
        let mut terms = Terms::default();
        for (span, print) in script.prints(&mut terms) {
            if let Err(fault) = print {
                wrong.push(format!("{}: print {span:?} {}", found.name, fault.message));
            }
        }
        for (span, assertion) in script.assertions(&mut terms) {
            if let Err(fault) = assertion {
                wrong.push(format!("{}: assert {span:?} {}", found.name, fault.message));
            }
        }
        let mut loaded = Loaded { script, terms };
        for name in names {
            if loaded.script.is_function(&name) {
                continue;
            }
            let result = match loaded.evaluate(&name) {
                Ok(Value::Process(term)) => loaded.explore(term, 300).map(|n| Value::Int(n as i64)),
                other => other,
            };
            match result {
                Err(fault) => wrong.push(format!("{}: {name}: {:?} {}", found.name, fault.span, fault.message)),
                Ok(value) if name.starts_with("test") && value != Value::Bool(true) => {
                    wrong.push(format!("{}: {name} = {}", found.name, loaded.script.show(&value)));
                }
                Ok(_) => {}
            }
        }
        if start.elapsed().as_millis() > 200 { wrong.push(format!("SLOW {} {:?}", found.name, start.elapsed())); }
    }
    let n = wrong.len();
    assert!(n == 0, "{n} of {}:\n{}", scripts.len(), wrong.join("\n"));
}
