//! Wrong grounds of every kind, planted: certification rejects them, and where they are believed
//! an audit of the moves of states finds those that are wrong about moves.

use super::{audit, options};
use base::{Clock, Diagnostics, Sources};
use bmachine::alike;
use bmachine::exchange::MachineText;
use bmachine::live::Live;
use bmachine::run::{Program, RunOptions};
use bmachine::typed::SortId;
use model::values::{Ground, Objection, Part, Text};
use reduce::values::{CertifiedValues, certify};

/// A text that has no objections, whatever it is asked.
struct Gullible;

impl Text for Gullible {
    fn exchange(&self, _: SortId, _: usize, _: usize) -> Result<(), Objection> {
        Ok(())
    }

    fn unnamed(&self, _: SortId) -> Result<(), Objection> {
        Ok(())
    }
}

/// A machine over `E = {a, b, c}` that is symmetric in all of `E` but for what is given.
fn live(invariant: &str, start: &str, operation: &str) -> Live {
    let text = format!(
        "MACHINE M SETS E = {{a, b, c}}; D\n\
         DEFINITIONS ASSERT_LTL_1 == \"G {{D1 : w}}\"\n\
         VARIABLES v, w INVARIANT v <: E & w <: D & {invariant}\n\
         INITIALISATION v, w := {start}, {{}}\n\
         OPERATIONS op(l) = PRE l : E THEN {operation} END;\n\
         add(d) = PRE d : D THEN w := w \\/ {{d}} END\nEND"
    );
    let (mut sources, mut found) = (Sources::new(), Diagnostics::new());
    let main = sources.add("M.mch", text);
    let machine = bmachine::read(main, &mut sources, &mut |_| None, &mut found);
    let machine = machine.unwrap_or_else(|| panic!("{:?}", found.sorted()));
    let options = RunOptions {
        sizes: vec![3, 3],
        maxint: 3,
        minint: -1,
        work_max: 1 << 20,
        deadline: Default::default(),
    };
    let program = Program::new(machine, &options).unwrap_or_else(|why| panic!("{why:?}"));
    Live::new(program, &sources)
}

/// What is certified if it is claimed that all of `E` are alike.
fn claimed(live: &Live, text: &dyn Text) -> CertifiedValues {
    let grounds = [Ground::Exchanged(vec![vec![0, 1, 2]]), Ground::Unnamed];
    certify(live.signature(), &grounds, text, Clock::ENDLESS)
}

#[test]
fn exchanges_that_are_none_are_rejected_and_audits_say_so_where_they_are_believed() {
    let operation = || Part::Operation("op".to_owned());
    for (invariant, start, body, part) in [
        ("a /: v", "{}", "v := {l}", Part::Invariant),
        ("0 = 0", "{a}", "v := {l}", Part::Initialisation),
        ("0 = 0", "{}", "v := {a}", operation()),
        ("0 = 0", "{}", "PRE l /= a THEN v := {l} END", operation()),
        (
            "0 = 0",
            "{}",
            "CASE l OF EITHER a THEN v := {} OR b, c THEN v := {l} END END",
            operation(),
        ),
    ] {
        let live = live(invariant, start, body);
        let machine = live.program().machine();
        let certified = claimed(&live, &MachineText::new(machine));
        let [first, second] = certified.rejected() else {
            panic!("{body}: {:?}", certified.rejected());
        };
        assert_eq!(
            (&first.members[..], &second.members[..]),
            (&[0, 1][..], &[0, 2][..])
        );
        let place = first.objection.place().expect("a place");
        assert_eq!((&place.part, place.span.is_some()), (&part, true));
        assert_eq!(certified.order(), 6u32.into(), "D alone");
        assert_eq!(audit(&live, &certified, &options()), None);
        // The rest of the block is found where `a` does not stand at its head.
        let grounds = alike::grounds(machine);
        assert_eq!(grounds[0], Ground::Exchanged(vec![vec![1, 2]]));
        let believed = claimed(&live, &Gullible);
        assert_eq!(believed.order(), 36u32.into());
        // An audit compares moves; what is said of single states it does not see.
        let is_seen = part != Part::Invariant;
        let unequal = audit(&live, &believed, &options());
        assert_eq!(unequal.is_some(), is_seen, "{body}: {unequal:?}");
    }
}

#[test]
fn names_are_not_overlooked() {
    let live = live("0 = 0", "{}", "v := {l}");
    let machine = live.program().machine();
    let grounds = [Ground::Exchanged(Vec::new()), Ground::Unnamed];
    let text = MachineText::new(machine);
    let certified = certify(live.signature(), &grounds, &text, Clock::ENDLESS);
    assert_eq!(certified.order(), 6u32.into());
    // A formula names an element of the deferred set.
    let text = MachineText::beside(machine, &machine.formulas[0]);
    let certified = certify(live.signature(), &grounds, &text, Clock::ENDLESS);
    assert!(certified.is_trivial());
    let [rejected] = certified.rejected() else {
        panic!("{:?}", certified.rejected());
    };
    assert_eq!(rejected.members, [0, 1, 2]);
    let Objection::Named(place) = &rejected.objection else {
        panic!("{rejected:?}");
    };
    assert_eq!(place.part, Part::Atom(0));
    let sizes = [3, 3];
    let grounds = alike::grounds_beside(machine, &sizes, &machine.formulas[0]);
    let certified = certify(live.signature(), &grounds, &text, Clock::ENDLESS);
    assert_eq!(certified.rejected(), []);
    assert_eq!(certified.blocks()[1], [vec![1, 2]]);
}
