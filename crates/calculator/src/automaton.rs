//! The automaton of a formula, and what kind of property the formula is.
//!
//! Worked example: `p U q` has two states. The first waits under `p && !q` and leaves under `q` for
//! the second, which is accepting and stays.

mod drawing;
mod formats;

use check::ltl::print::{self, print};
use check::ltl::{
    Buchi, Cube, FormulaId, Known, Limits, Pool, TooLarge, Traits, automaton_of, classify, monitor,
    simplify,
};
use report::answer::{Answer, Exit};
use report::page::Page;
use serde_json::{Value, json};

/// What a translation may spend: a second or two on most machines.
const LIMITS: Limits = Limits {
    n_states_max: 4_096,
    n_edges_max: 100_000,
    n_steps_max: 200_000_000,
};
/// What questions about a formula may spend; they are of less use than the automaton itself.
const LIMITS_OF_QUESTIONS: Limits = Limits {
    n_states_max: 512,
    n_edges_max: 20_000,
    n_steps_max: 20_000_000,
};
/// How much of a formula is shown.
const FORMULA_MAX: usize = 2_000;

/// A formula and what to show of it.
pub struct LtlPlan {
    /// Where the formula is.
    pub pool: Pool,
    /// What is translated: the formula as read, or its negation.
    pub formula: FormulaId,
    /// The atoms as they are printed.
    pub atoms: Vec<String>,
    /// How the automaton is shown.
    pub notation: AutomatonNotation,
}

/// How an automaton is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AutomatonNotation {
    /// For people.
    Text,
    /// The Hanoi omega-automata format.
    Hoa,
    /// For Graphviz.
    Dot,
    /// A picture.
    Svg,
    /// A never claim.
    Never,
}

/// What is known of a formula.
pub struct FormulaFacts {
    /// The formula as read, or its negation.
    pub formula: String,
    /// Simplified.
    pub simplified: String,
    /// The atoms as they are printed.
    pub atoms: Vec<String>,
    /// Its automaton.
    pub buchi: Buchi,
    /// What kind of property it is.
    pub traits: Traits,
    /// How many states a monitor has, if it is a safety property.
    pub n_monitor_states: Option<usize>,
}

/// Carries out the plan.
pub fn run(plan: LtlPlan) -> Answer {
    let notation = plan.notation;
    match told(plan) {
        Ok(told) => answer(&told, notation),
        Err(why) => {
            let mut page = Page::new();
            page.row("unknown", &format!("the formula is too large: {why}"));
            page.field("stop_reason", "size");
            Answer::new(Exit::Unknown, page)
        }
    }
}

fn told(plan: LtlPlan) -> Result<FormulaFacts, TooLarge> {
    let LtlPlan {
        mut pool,
        formula,
        atoms,
        ..
    } = plan;
    let simple = simplify(&mut pool, formula);
    let buchi = automaton_of(&mut pool, formula, &LIMITS)?;
    let not = pool.not(formula);
    let other = automaton_of(&mut pool, not, &LIMITS_OF_QUESTIONS).ok();
    let traits = classify(&pool, simple, &buchi, other.as_ref(), &LIMITS_OF_QUESTIONS);
    let n_monitor_states = match traits.safety {
        Known::Yes => monitor(&buchi, &LIMITS_OF_QUESTIONS)
            .ok()
            .map(|monitor| monitor.n_states()),
        _ => None,
    };
    Ok(FormulaFacts {
        formula: print(&pool, formula, &atoms, print::Notation::Spin, FORMULA_MAX),
        simplified: print(&pool, simple, &atoms, print::Notation::Spin, FORMULA_MAX),
        atoms,
        buchi,
        traits,
        n_monitor_states,
    })
}

fn answer(told: &FormulaFacts, notation: AutomatonNotation) -> Answer {
    let mut page = Page::new();
    fields(told, &mut page);
    let text = match notation {
        AutomatonNotation::Text => None,
        AutomatonNotation::Hoa => Some(formats::hoa(told)),
        AutomatonNotation::Dot => Some(formats::dot(told)),
        AutomatonNotation::Svg => Some(drawing::svg(told)),
        AutomatonNotation::Never => Some(formats::never(told)),
    };
    match text {
        None => rows(told, &mut page),
        Some(text) => {
            page.verbatim(&text);
            page.field("text", text);
        }
    }
    Answer::new(Exit::Holds, page)
}

fn yes_or_no(yes: bool) -> &'static str {
    if yes { "yes" } else { "no" }
}

fn word(known: Known) -> &'static str {
    match known {
        Known::Yes => "yes",
        Known::No => "no",
        Known::Unknown => "unknown: the formula is too large to ask",
    }
}

/// What people read.
fn rows(told: &FormulaFacts, page: &mut Page) {
    let buchi = &told.buchi;
    page.row("formula", &told.formula);
    page.row("simplified", &told.simplified);
    let n_accepting = buchi.accepting.iter().filter(|a| **a).count();
    page.row(
        "states",
        &format!("{}, {n_accepting} accepting", buchi.n_states()),
    );
    page.row("transitions", &buchi.n_transitions().to_string());
    page.row("deterministic", yes_or_no(buchi.is_deterministic()));
    page.row("weak", yes_or_no(buchi.is_weak()));
    let safety = match told.n_monitor_states {
        Some(n) => format!("yes; a monitor has {n} states"),
        None => word(told.traits.safety).to_owned(),
    };
    page.row("safety", &safety);
    page.row("co-safety", word(told.traits.co_safety));
    page.row(
        "stutter",
        match told.traits.stutter_invariant {
            Known::Yes => "invariant: it does not count repeated states",
            Known::No => "sensitive: it counts repeated states",
            Known::Unknown => word(Known::Unknown),
        },
    );
    page.verbatim("\n");
    let transitions = buchi.transitions();
    for state in 0..buchi.n_states() {
        let kinds = [
            (state == 0, "initial"),
            (buchi.accepting[state], "accepting"),
        ];
        let kinds = kinds.iter().filter(|(is, _)| *is).map(|(_, kind)| *kind);
        let kinds = kinds.collect::<Vec<_>>().join(", ");
        page.verbatim(format!("state {state}  {kinds}").trim_end());
        page.verbatim("\n");
        for (_, target, guards) in transitions.iter().filter(|(s, ..)| *s == state) {
            let guard = guard(guards, &told.atoms);
            page.verbatim(&format!("  {guard} -> {target}\n"));
        }
    }
}

/// What programs read.
fn fields(told: &FormulaFacts, page: &mut Page) {
    let buchi = &told.buchi;
    let known = |known| match known {
        Known::Yes => json!(true),
        Known::No => json!(false),
        Known::Unknown => Value::Null,
    };
    page.field("formula", told.formula.clone());
    page.field("simplified", told.simplified.clone());
    page.field("atoms", told.atoms.clone());
    page.field("n_states", buchi.n_states());
    page.field("n_transitions", buchi.n_transitions());
    page.field("deterministic", buchi.is_deterministic());
    page.field("complete", buchi.is_complete());
    page.field("weak", buchi.is_weak());
    page.field("empty", buchi.is_empty());
    page.field("safety", known(told.traits.safety));
    page.field("co_safety", known(told.traits.co_safety));
    page.field("stutter_invariant", known(told.traits.stutter_invariant));
    page.field("n_monitor_states", told.n_monitor_states);
    page.field("accepting", buchi.accepting.clone());
    let transitions = buchi.transitions().into_iter().map(|(from, to, guards)| {
        json!({ "from": from, "to": to, "guard": guard(&guards, &told.atoms) })
    });
    page.field("transitions", transitions.collect::<Vec<_>>());
}

/// A list of cubes in words.
pub fn guard(guards: &[Cube], atoms: &[String]) -> String {
    let words: Vec<String> = guards.iter().map(|g| cube(*g, atoms)).collect();
    words.join(" || ")
}

fn cube(cube: Cube, atoms: &[String]) -> String {
    let literals: Vec<String> = (0..atoms.len())
        .filter_map(|i| match (cube.yes >> i & 1, cube.no >> i & 1) {
            (1, _) => Some(atoms[i].clone()),
            (_, 1) => Some(format!("!{}", atoms[i])),
            _ => None,
        })
        .collect();
    if literals.is_empty() {
        "true".to_owned()
    } else {
        literals.join(" && ")
    }
}
