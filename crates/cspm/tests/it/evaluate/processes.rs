//! Which terms processes become.

use super::{Loaded, load};
use cspm::eval::EvaluatedClaim;
use cspm::process::{Event, Term, TermId, Unfold};
use cspm::value::Value;

impl Loaded {
    /// The term of a process, suspended parts at its top worked out.
    fn term(&mut self, name: &str) -> TermId {
        match self.evaluate(name) {
            Ok(Value::Process(term)) => self.worked_out(term),
            other => panic!("{name} is no process: {other:?}"),
        }
    }

    fn worked_out(&mut self, term: TermId) -> TermId {
        let mut term = term;
        while let Term::Later(later) = self.terms.get(term) {
            let later = *later;
            term = self
                .script
                .unfold(later, &mut self.terms)
                .expect("it is evaluated");
        }
        term
    }

    fn events(&self, events: &[Event]) -> Vec<String> {
        events.iter().map(|e| self.script.event_name(*e)).collect()
    }

    /// A term as text, two prefixes deep.
    fn told(&mut self, term: TermId, depth: usize) -> String {
        let term = self.worked_out(term);
        let term = self.terms.get(term).clone();
        let mut all = |terms: &[TermId]| -> String {
            let all: Vec<String> = terms.iter().map(|t| self.told(*t, depth)).collect();
            all.join(", ")
        };
        match &term {
            Term::Prefix(_) if depth == 0 => "…".into(),
            Term::Prefix(offers) => {
                let offers: Vec<String> = offers
                    .iter()
                    .map(|(e, t)| {
                        format!(
                            "{} -> {}",
                            self.script.event_name(*e),
                            self.told(*t, depth - 1)
                        )
                    })
                    .collect();
                format!("({})", offers.join(" | "))
            }
            Term::External(terms) => format!("[]({})", all(terms)),
            Term::Internal(terms) => format!("|~|({})", all(terms)),
            Term::SyncExternal(set, terms) => {
                let told = all(terms);
                let events = self.terms.events(*set).clone();
                format!("[+{}+]({told})", self.events(&events).join(","))
            }
            Term::Parallel(set, terms) => {
                let told = all(terms);
                let events = self.terms.events(*set).clone();
                format!("[|{}|]({told})", self.events(&events).join(","))
            }
            Term::Hide(process, set) => {
                let told = all(&[*process]);
                let events = self.terms.events(*set).clone();
                format!("{told} \\ {}", self.events(&events).join(","))
            }
            Term::Rename(process, relation) => {
                let told = all(&[*process]);
                let pairs = self.terms.pairs(*relation).clone();
                let pairs: Vec<String> = pairs
                    .iter()
                    .map(|(a, b)| self.events(&[*a, *b]).join(" <- "))
                    .collect();
                format!("{told}[[{}]]", pairs.join(", "))
            }
            Term::Then(a, b) => format!("({})", [all(&[*a]), all(&[*b])].join(" ; ")),
            Term::Run(set) => {
                let events = self.terms.events(*set).clone();
                format!("RUN({})", self.events(&events).join(","))
            }
            Term::Stop => "STOP".into(),
            Term::Skip => "SKIP".into(),
            other => format!("{other:?}"),
        }
    }
}

const CHANNELS: &str = "
datatype T = A.{0..1} | B.{0..1}.Bool
channel a, b
channel c : {0..1}.{0..2}
channel d : T.Bool
channel l, r : {0..1}
";

/// Definitions of `P` with what becomes of them.
const CASES: &[(&str, &str)] = &[
    ("P = a -> b -> STOP", "(a -> (b -> STOP))"),
    (
        "P = c?x!2 -> l!x -> STOP",
        "(c.0.2 -> (l.0 -> STOP) | c.1.2 -> (l.1 -> STOP))",
    ),
    (
        "P = c?x:{1}?y:{x..x+1} -> STOP",
        "(c.1.1 -> STOP | c.1.2 -> STOP)",
    ),
    (
        "P = c.1?y -> STOP",
        "(c.1.0 -> STOP | c.1.1 -> STOP | c.1.2 -> STOP)",
    ),
    (
        "P = c?x:{0.1, 1.2} -> if x == (0.1) then STOP else SKIP",
        "(c.0.1 -> STOP | c.1.2 -> SKIP)",
    ),
    (
        "P = d?A.x!true -> l.x -> STOP",
        "(d.A.0.true -> (l.0 -> STOP) | d.A.1.true -> (l.1 -> STOP))",
    ),
    (
        "P = d?B.0.y?z -> if y == z then STOP else SKIP",
        "(d.B.0.false.false -> STOP | d.B.0.false.true -> SKIP | d.B.0.true.false -> SKIP | \
         d.B.0.true.true -> STOP)",
    ),
    ("P = c$x!0 -> STOP", "|~|((c.0.0 -> STOP), (c.1.0 -> STOP))"),
    (
        "P = l?x -> r$y -> STOP",
        "(l.0 -> |~|((r.0 -> STOP), (r.1 -> STOP)) | l.1 -> |~|((r.0 -> STOP), (r.1 -> STOP)))",
    ),
    ("P = false & a -> STOP", "STOP"),
    (
        "P = [] x : {0..1} @ l.x -> STOP",
        "[]((l.0 -> STOP), (l.1 -> STOP))",
    ),
    ("P = [] x : {} @ l.x -> STOP", "STOP"),
    ("P = ||| x : {} @ l.x -> STOP", "SKIP"),
    (
        "P = ||| x : <0, 0> @ l.x -> STOP",
        "[||]((l.0 -> STOP), (l.0 -> STOP))",
    ),
    (
        "P = ; x : <0, 1> @ l.x -> SKIP",
        "((l.0 -> SKIP) ; (l.1 -> SKIP))",
    ),
    ("P = a -> STOP [| {a} |] STOP", "[|a|]((a -> STOP), STOP)"),
    ("P = (a -> STOP) \\ {| a, l |}", "(a -> STOP) \\ a,l.0,l.1"),
    (
        "P = STOP [[ l <- r, a <- b ]]",
        "STOP[[l.0 <- r.0, l.1 <- r.1, a <- b]]",
    ),
    (
        "P = STOP [[ l.x <- r.(1-x) | x <- {0..1} ]]",
        "STOP[[l.0 <- r.1, l.1 <- r.0]]",
    ),
    (
        "P = STOP [ a <-> b ] SKIP",
        "[|(a, b)|](STOP[[a <- (a, b)]], SKIP[[b <- (a, b)]]) \\ (a, b)",
    ),
    ("P = BUFFER(1, {(a, b)})", "(a -> (b -> …))"),
    ("P = let Q = a -> Q within b -> Q", "(b -> (a -> …))"),
    ("f(x) = \\ y @ l.x -> y\nP = f(1)(STOP)", "(l.1 -> STOP)"),
    (
        "channel tock\nTimed(\\ _ @ 1) {\nP = a -> STOP\n}",
        "(a -> (tock -> RUN(tock)) | tock -> (a -> … | tock -> …))",
    ),
    (
        "channel tock\nTimed {\nP = SKIP [] STOP\n}",
        "[+tock+]([](SKIP, (tock -> [](SKIP, (tock -> [](SKIP, …))))), RUN(tock))",
    ),
];

#[test]
fn processes_become_terms() {
    for (text, expected) in CASES {
        let mut loaded = load(&format!("{CHANNELS}{text}"));
        let term = loaded.term("P");
        assert_eq!(loaded.told(term, 2), *expected, "{text}");
    }
}

/// Definitions of `P` with the number of suspended processes that it comes to.
const CLOSED: &[(&str, usize)] = &[
    ("P = a -> P", 2),
    ("P = a -> Q\nQ = b -> P", 4),
    ("P = C(0)\nC(n) = l!n -> C(1 - n)", 5),
    ("P = let C(n) = l!n -> C(1 - n) within C(0)", 5),
    ("P = let Q = a -> R\n R = b -> Q within Q", 5),
    ("P = W(P)\nW(X) = a -> X", 3),
    (
        "P = S({})\nS(X) = card(X) < 2 & l?x -> S(union(X, {x}))",
        11,
    ),
    (
        "P = M((| 0 => 1 |))\nM(m) = l!mapLookup(m, 0) -> M(mapUpdate(m, 0, 0))",
        5,
    ),
    ("P = F(\\ x @ x)\nF(f) = l!f(0) -> F(\\ x @ f(x))", 100),
    ("P = N(0)\nN(n) = a -> N(n + 1)", 100),
];

#[test]
fn recursion_closes_where_the_calls_come_back() {
    for (text, expected) in CLOSED {
        let mut loaded = load(&format!("{CHANNELS}{text}"));
        let Ok(Value::Process(term)) = loaded.evaluate("P") else {
            panic!("no process: {text}");
        };
        let n = loaded.explore(term, 100).expect("no fault");
        assert_eq!(n, *expected, "{text}");
    }
}

#[test]
fn suspended_processes_have_names() {
    let text = format!("{CHANNELS}P(n)(m) = l?x -> P(n + x)(m)\nQ = P(3)(<1>)");
    let mut loaded = load(&text);
    let Ok(Value::Process(term)) = loaded.evaluate("Q") else {
        panic!("a process");
    };
    let Term::Later(later) = loaded.terms.get(term) else {
        panic!("a definition");
    };
    assert_eq!(loaded.script.later_name(*later, &loaded.terms), "Q");
    let term = loaded.term("Q");
    let Term::Prefix(offers) = loaded.terms.get(term) else {
        panic!("a prefix");
    };
    let Term::Later(later) = loaded.terms.get(offers[1].1) else {
        panic!("what follows is put off");
    };
    let name = loaded.script.later_name(*later, &loaded.terms);
    assert_eq!(name, "part of P with n = 3, x = 1, m = <1>");
}

#[test]
fn a_call_is_named_with_its_arguments() {
    let mut loaded = load(&format!(
        "{CHANNELS}P(n)(m) = l?x -> P(n + x)(m)\nQ = P(3)(<1>) [] STOP"
    ));
    let term = loaded.term("Q");
    let Term::External(parts) = loaded.terms.get(term) else {
        panic!("a choice");
    };
    let Term::Later(later) = loaded.terms.get(parts[0]) else {
        panic!("a call");
    };
    assert_eq!(loaded.script.later_name(*later, &loaded.terms), "P(3)(<1>)");
}

#[test]
fn assertions_and_prints_are_evaluated() {
    let mut loaded = load(&format!(
        "{CHANNELS}P = a -> P\nassert P [T= P\nassert not P :[deadlock free [F]]\n\
         assert P :[has trace]: <a, l.0>\nassert |~| x : {{}} @ P :[divergence free]\n\
         print {{1, 0}}\nprint 1 / 0"
    ));
    let assertions = loaded.script.assertions(&mut loaded.terms);
    let claims: Vec<Option<(bool, EvaluatedClaim)>> = assertions
        .into_iter()
        .map(|(_, a)| a.ok().map(|a| (a.is_negated, a.claim)))
        .collect();
    assert!(matches!(
        &claims[0],
        Some((false, EvaluatedClaim::Refines { spec: a, implementation: b, .. })) if a == b
    ));
    assert!(matches!(
        &claims[1],
        Some((true, EvaluatedClaim::Has { .. }))
    ));
    let Some((false, EvaluatedClaim::HasTrace { trace, .. })) = &claims[2] else {
        panic!("{:?}", claims[2]);
    };
    assert_eq!(loaded.events(trace), ["a", "l.0"]);
    assert!(claims[3].is_none(), "its process has a fault");
    let prints = loaded.script.prints(&mut loaded.terms);
    assert_eq!(prints[0].1.as_deref(), Ok("{0, 1}"));
    assert!(prints[1].1.is_err());
}

#[test]
fn all_events_are_listed_where_they_can_be() {
    let mut loaded = load("channel a\nchannel c : {0..1}.Bool");
    let events = loaded
        .script
        .all_events(&mut loaded.terms)
        .expect("they are few");
    let expected = ["a", "c.0.false", "c.0.true", "c.1.false", "c.1.true"];
    assert_eq!(loaded.events(&events), expected);
    let mut endless = load("channel c : Int");
    let fault = endless
        .script
        .all_events(&mut endless.terms)
        .expect_err("they have no end");
    assert!(fault.message.contains("has no end"), "{}", fault.message);
}
