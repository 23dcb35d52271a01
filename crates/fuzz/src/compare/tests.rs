use super::ours::{AskResult, CheckSetting, OrbitResult, SETTINGS, Truth, read};
use super::{Because, among_ours, difference};
use crate::spin::{self, ErrorKind, VerifierAnswer, VerifierResult};
use std::collections::BTreeMap;

/// What a verifier prints, as far as it is read.
const PRINTED: &str = "pan:1: assertion violated (x<1) (at depth 3)\n\
    pan:2: invalid end state (at depth 5)\n\
    State-vector 28 byte, depth reached 8, errors: 2\n\
    \x20      61 states, stored\n\
    \x20      51 states, matched\n\
    \x20     112 transitions (= stored+matched)\n";

fn said() -> VerifierResult {
    match spin::read(PRINTED) {
        VerifierAnswer::Full(said) => said,
        VerifierAnswer::Cut(why) => panic!("cut: {why}"),
    }
}

fn ours() -> OrbitResult {
    let object = serde_json::json!({
        "verdict": "violated",
        "stop_reason": null,
        "properties": [
            { "name": "deadlock", "verdict": "violated" },
            { "name": "assertions", "verdict": "violated" },
            { "name": "faults", "verdict": "holds" },
        ],
        "counts": { "states": 61, "transitions": 112, "full_states": null, "visible": null },
    });
    match read(&object) {
        AskResult::Answered(ours) => ours,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_verifier_is_understood() {
    let said = said();
    assert_eq!(
        (said.n_states, said.n_transitions, said.n_errors),
        (61, 112, 2)
    );
    let kinds: Vec<ErrorKind> = said.kinds.into_iter().collect();
    assert_eq!(kinds, [ErrorKind::Assertion, ErrorKind::EndState]);
    let index = PRINTED.replace(
        "assertion violated (x<1)",
        "assertion violated - invalid array index",
    );
    let VerifierAnswer::Full(said) = spin::read(&index) else {
        panic!("cut");
    };
    assert!(said.kinds.contains(&ErrorKind::Index) && !said.kinds.contains(&ErrorKind::Assertion));
    let cut = format!("error: max search depth too small\n{PRINTED}");
    assert!(matches!(spin::read(&cut), VerifierAnswer::Cut(_)));
    assert!(matches!(spin::read("no counts"), VerifierAnswer::Cut(_)));
}

#[test]
fn every_wrong_answer_is_a_difference() {
    let (right, said) = (ours(), said());
    assert_eq!(difference(&said, &right, false), None);
    for name in ["deadlock", "assertions", "faults"] {
        let mut wrong = right.clone();
        let flipped = match wrong.verdicts[name] {
            Truth::Holds => Truth::Violated,
            _ => Truth::Holds,
        };
        wrong.verdicts.insert(name.to_owned(), flipped);
        assert!(difference(&said, &wrong, false).is_some(), "{name}");
    }
    let mut wrong = right.clone();
    wrong.n_states += 1;
    assert!(difference(&said, &wrong, false).is_some());
    let mut wrong = right;
    wrong.n_transitions += 1;
    assert!(difference(&said, &wrong, false).is_some());
}

/// All settings with the same answer.
fn all() -> BTreeMap<CheckSetting, AskResult> {
    let of = |setting: CheckSetting| {
        let mut ours = ours();
        ours.full_states = setting.is_reduced().then_some(61);
        (setting, AskResult::Answered(ours))
    };
    SETTINGS.into_iter().map(of).collect()
}

#[test]
fn settings_that_disagree_are_found() {
    assert!(among_ours(&all()).is_ok());
    let with = |setting: CheckSetting, wrong: AskResult| {
        let asked = all().into_iter().chain([(setting, wrong)]).collect();
        among_ours(&asked).map(|_| ())
    };
    for setting in SETTINGS {
        let mut wrong = ours();
        wrong.verdicts.insert("deadlock".to_owned(), Truth::Holds);
        let found = with(setting, AskResult::Answered(wrong));
        assert!(matches!(found, Err(Because::Wrong(_))), "{setting:?}");
        let mut wrong = ours();
        if setting.is_reduced() {
            wrong.full_states = Some(60)
        } else {
            wrong.n_states += 1
        }
        let found = with(setting, AskResult::Answered(wrong));
        // Nothing that is compared is beside SPIN's steps but SPIN.
        assert_eq!(found.is_err(), setting != CheckSetting::Spin, "{setting:?}");
        let found = with(setting, AskResult::Refused("no".to_owned()));
        assert!(matches!(found, Err(Because::Wrong(_))), "{setting:?}");
    }
}
