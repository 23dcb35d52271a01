use crate::plans::of_model;
use base::Clock;
use driver::conduct::{Conducted, check};
use driver::detect::n_looks;
use driver::listener::Nobody;
use driver::plan::{CheckPlan, Listing};
use model::frontend::{Options, Rules};
use reduce::strategy::Unreduced;
use report::Verdict;
use report::reasons::Uncounted;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

fn conducted(plan: &CheckPlan) -> Conducted {
    check(plan, &Nobody, &mut |_| ()).unwrap_or_else(|why| panic!("{}", why.message))
}

/// How often symmetry is looked for in a check.
fn looks(plan: &CheckPlan) -> usize {
    let before = n_looks();
    conducted(plan);
    n_looks() - before
}

fn spins_rules() -> Options {
    Options {
        rules: Rules::SpinCompat,
        ..Options::default()
    }
}

#[test]
fn symmetry_is_looked_for_once_for_each_system_and_assumption() {
    let mut plan = of_model("mutex.pml", &Options::default());
    assert_eq!(looks(&plan), 1);
    (plan.how.audit, plan.how.count_full) = (true, true);
    assert_eq!(looks(&plan), 1);
    plan.how.strategy = &Unreduced;
    assert_eq!(looks(&plan), 0);
    // A formula has a system of its own.
    let formula = Options {
        linear: Some("[]<>true".to_owned()),
        ..Options::default()
    };
    assert_eq!(looks(&of_model("mutex.pml", &formula)), 2);
    // Where loops send, with and without the assumption that nobody waits.
    assert!(looks(&of_model("email.pml", &Options::default())) <= 2);
}

#[test]
fn an_audit_that_was_cut_short_leaves_the_verdict_open() {
    let mut plan = of_model("mutex.pml", &spins_rules());
    (plan.how.audit, plan.how.count_full) = (true, true);
    let whole = conducted(&plan).summary;
    assert_eq!(whole.verdict, Verdict::Holds);
    let symmetry = whole.symmetry.expect("a group");
    assert_eq!(symmetry.full_states, Some(Ok("113".to_owned())));
    plan.how.clock = Clock::of(Some(Duration::ZERO));
    let cut = conducted(&plan).summary;
    assert_eq!(cut.verdict, Verdict::Unknown);
    let full = cut.symmetry.and_then(|symmetry| symmetry.full_states);
    assert_eq!(full, Some(Err(Uncounted::NotAllSeen)));
    let audit = cut.properties.iter().find(|p| p.name == "audit");
    let reason = audit.and_then(|audit| audit.reason.as_deref());
    assert!(
        reason.is_some_and(|reason| reason.starts_with("the time limit came first")),
        "{reason:?}"
    );
}

#[test]
fn an_interruption_ends_an_audit() {
    static INTERRUPTED: AtomicBool = AtomicBool::new(true);
    let mut plan = of_model("mutex.pml", &spins_rules());
    plan.how.audit = true;
    plan.how.clock = Clock::ENDLESS.interrupted_by(&INTERRUPTED);
    let summary = conducted(&plan).summary;
    let audit = summary.properties.iter().find(|p| p.name == "audit");
    let reason = audit.and_then(|audit| audit.reason.as_deref());
    assert_eq!(reason, Some("it was interrupted, after 0 of 1 states"));
}

#[test]
fn details_are_made_only_for_who_reads_them() {
    let mut plan = of_model("mutex.pml", &Options::default());
    let details = |plan: &CheckPlan| conducted(plan).summary.symmetry.expect("a group").details;
    assert!(details(&plan).is_none());
    plan.how.details = Listing::Shown;
    assert!(details(&plan).is_some_and(|details| !details.sorts.is_empty()));
}
