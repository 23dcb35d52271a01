use super::ours::{Asked, Ours, SETTINGS, Setting, Verdict, read};
use super::{Because, among_ours, difference};
use crate::spin::{self, Answer, Kind, Said};
use std::collections::BTreeMap;

/// What a verifier prints, as far as it is read.
const PRINTED: &str = "pan:1: assertion violated (x<1) (at depth 3)\n\
    pan:2: invalid end state (at depth 5)\n\
    State-vector 28 byte, depth reached 8, errors: 2\n\
    \x20      61 states, stored\n\
    \x20      51 states, matched\n\
    \x20     112 transitions (= stored+matched)\n";

fn said() -> Said {
    match spin::read(PRINTED) {
        Answer::Full(said) => said,
        Answer::Cut(why) => panic!("cut: {why}"),
    }
}

fn ours() -> Ours {
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
        Asked::Answered(ours) => ours,
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
    let kinds: Vec<Kind> = said.kinds.into_iter().collect();
    assert_eq!(kinds, [Kind::Assertion, Kind::EndState]);
    let index = PRINTED.replace(
        "assertion violated (x<1)",
        "assertion violated - invalid array index",
    );
    let Answer::Full(said) = spin::read(&index) else {
        panic!("cut");
    };
    assert!(said.kinds.contains(&Kind::Index) && !said.kinds.contains(&Kind::Assertion));
    let cut = format!("error: max search depth too small\n{PRINTED}");
    assert!(matches!(spin::read(&cut), Answer::Cut(_)));
    assert!(matches!(spin::read("no counts"), Answer::Cut(_)));
}

#[test]
fn every_wrong_answer_is_a_difference() {
    let (right, said) = (ours(), said());
    assert_eq!(difference(&said, &right, false), None);
    for name in ["deadlock", "assertions", "faults"] {
        let mut wrong = right.clone();
        let flipped = match wrong.verdicts[name] {
            Verdict::Holds => Verdict::Violated,
            _ => Verdict::Holds,
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
fn all() -> BTreeMap<Setting, Asked> {
    let of = |setting: Setting| {
        let mut ours = ours();
        ours.full_states = setting.is_reduced().then_some(61);
        (setting, Asked::Answered(ours))
    };
    SETTINGS.into_iter().map(of).collect()
}

#[test]
fn settings_that_disagree_are_found() {
    assert!(among_ours(&all()).is_ok());
    let with = |setting: Setting, wrong: Asked| {
        let asked = all().into_iter().chain([(setting, wrong)]).collect();
        among_ours(&asked).map(|_| ())
    };
    for setting in SETTINGS {
        let mut wrong = ours();
        wrong.verdicts.insert("deadlock".to_owned(), Verdict::Holds);
        let found = with(setting, Asked::Answered(wrong));
        assert!(matches!(found, Err(Because::Wrong(_))), "{setting:?}");
        let mut wrong = ours();
        if setting.is_reduced() {
            wrong.full_states = Some(60)
        } else {
            wrong.n_states += 1
        }
        let found = with(setting, Asked::Answered(wrong));
        // Nothing that is compared is beside SPIN's steps but SPIN.
        assert_eq!(found.is_err(), setting != Setting::Spin, "{setting:?}");
        let found = with(setting, Asked::Refused("no".to_owned()));
        assert!(matches!(found, Err(Because::Wrong(_))), "{setting:?}");
    }
}
