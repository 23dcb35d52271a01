//! Which of the questions of a model are meant.

use crate::plan::{Asked, Fairness};
use base::{Diagnostic, Diagnostics, quote};
use check::Attention;
use model::frontend::{Asks, Model, Question};
use report::Unchecked;

/// What the command line says of questions.
#[derive(Clone, Copy)]
pub struct Words<'a> {
    /// The one that is asked alone, by name or number (`-p`).
    pub property: Option<&'a str>,
    /// The one of the model that is asked, of those about runs (`-N`).
    pub claim: Option<&'a str>,
    /// Whether deadlocks are ignored.
    pub no_deadlock: bool,
    /// Whether false assertions are ignored.
    pub no_assertions: bool,
    /// Whether false invariants are ignored.
    pub no_invariant: bool,
    /// Which runs count.
    pub fairness: Fairness,
}

impl Words<'_> {
    /// The flag that switches a question off, if it was given.
    fn off(&self, asks: &Asks) -> Option<&'static str> {
        let (is_off, flag) = match asks {
            Asks::Deadlock => (self.no_deadlock, "`--no-deadlock`"),
            Asks::Assertions => (self.no_assertions, "`--no-assertions`"),
            Asks::Invariants => (self.no_invariant, "`--no-invariant`"),
            _ => (false, ""),
        };
        is_off.then_some(flag)
    }
}

fn is_formula(question: &Question) -> bool {
    matches!(question.asks, Asks::Linear(_) | Asks::Branching(_))
}

/// What is asked, or `None` if `found` says why that makes no sense.
pub fn asked(words: &Words<'_>, model: &dyn Model, found: &mut Diagnostics) -> Option<Asked> {
    let questions = model.questions();
    if model.is_of_assertions() {
        return asserted(words, questions, found);
    }
    let all = 0..questions.len();
    let formulas = all.filter(|n| is_formula(&questions[*n]));
    let formulas: Vec<usize> = formulas.collect();
    let only = match words.property {
        None => None,
        Some(word) => Some(named(word, questions, found)?),
    };
    let asked = match (only, words.claim) {
        (Some(only), _) if is_formula(&questions[only]) => vec![only],
        (Some(_), _) => Vec::new(),
        (None, Some(word)) => {
            let claim = claim(word, questions, found)?;
            let is_asked = |n: &usize| *n == claim || questions[*n].is_typed;
            formulas.iter().copied().filter(is_asked).collect()
        }
        (None, None) => formulas.clone(),
    };
    let alone = only.is_some_and(|only| is_formula(&questions[only]));
    if let (Some(word), Some(only), false) = (words.property, only, alone) {
        fits(word, words, questions, only, found)?;
    }
    refuse_fairness(words, questions, &asked, found)?;
    let attention = |is_this: fn(&Asks) -> bool| {
        let question = questions.iter().position(|q| is_this(&q.asks));
        let is_reported = question.is_some_and(|n| match only {
            Some(only) => only == n,
            None => words.off(&questions[n].asks).is_none() && is_there(&questions[n].asks),
        });
        if is_reported {
            Attention::Reported
        } else {
            Attention::Ignored
        }
    };
    Some(Asked {
        deadlocks: attention(|asks| matches!(asks, Asks::Deadlock)),
        assertions: attention(|asks| matches!(asks, Asks::Assertions)),
        invariants: attention(|asks| matches!(asks, Asks::Invariants)),
        goals: attention(|asks| matches!(asks, Asks::Goal(_))),
        refinement: attention(|asks| matches!(asks, Asks::Refinement(_))) == Attention::Reported,
        alone,
        switched_off: switched_off(words, questions, only, &asked),
        formulas: asked,
        not_asked: Vec::new(),
    })
}

/// The assertions that are asked.
fn asserted(words: &Words<'_>, questions: &[Question], found: &mut Diagnostics) -> Option<Asked> {
    let chosen = chosen_assertions(words.property, questions, found)?;
    let others = questions.iter().enumerate();
    let others = others.filter(|(n, _)| !chosen.contains(n));
    Some(Asked {
        deadlocks: Attention::Ignored,
        assertions: Attention::Ignored,
        invariants: Attention::Ignored,
        goals: Attention::Ignored,
        refinement: false,
        alone: false,
        switched_off: Vec::new(),
        not_asked: others.map(|(_, other)| other.name.clone()).collect(),
        formulas: chosen,
    })
}

/// The assertions that a word means: all, the one of a number, or those with a text.
pub fn chosen_assertions(
    property: Option<&str>,
    questions: &[Question],
    found: &mut Diagnostics,
) -> Option<Vec<usize>> {
    let Some(word) = property else {
        return Some((0..questions.len()).collect());
    };
    let number = word.parse::<usize>().ok();
    let plain = word.split_whitespace().collect::<Vec<_>>().join(" ");
    let plain = plain.strip_prefix("assert ").unwrap_or(&plain);
    let is_meant = |n: &usize| match number {
        Some(number) => *n + 1 == number,
        None => questions[*n].name.contains(plain),
    };
    let meant: Vec<usize> = (0..questions.len()).filter(is_meant).collect();
    if meant.is_empty() {
        let names = questions.iter().enumerate().take(LISTED_MAX);
        let names = names.map(|(n, question)| format!("{} {}", n + 1, question.name));
        let names = names.collect::<Vec<String>>().join("; ");
        let message = format!("there is no assertion {}", quote(word));
        let n = questions.len();
        let note = match (n, n > LISTED_MAX) {
            (0, _) => "the script has none".to_owned(),
            (_, false) => format!("there are: {names}"),
            (_, true) => format!("there are {n}: {names}; …"),
        };
        found.push(Diagnostic::unlocated(message).note(note));
        return None;
    }
    Some(meant)
}

/// How many assertions a message lists.
const LISTED_MAX: usize = 10;

/// Whether there is something to ask.
fn is_there(asks: &Asks) -> bool {
    !matches!(asks, Asks::Goal(false) | Asks::Refinement(false))
}

/// The question that a name or number means.
fn named(word: &str, questions: &[Question], found: &mut Diagnostics) -> Option<usize> {
    let number = word.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
    let number = number.filter(|n| *n < questions.len());
    let by_name = questions.iter().position(|question| question.name == word);
    let meant = by_name.or(number);
    if meant.is_none() {
        found.push(unknown(word, questions));
    }
    meant
}

/// The same, of questions about runs only.
fn claim(word: &str, questions: &[Question], found: &mut Diagnostics) -> Option<usize> {
    let meant = named(word, questions, &mut Diagnostics::new());
    let meant = meant.filter(|n| is_formula(&questions[*n]));
    if meant.is_none() {
        found.push(unknown(word, questions));
    }
    meant
}

fn unknown(word: &str, questions: &[Question]) -> Diagnostic {
    let names = questions.iter().enumerate();
    let names = names.map(|(n, question)| format!("{} {}", n + 1, question.name));
    let names: Vec<String> = names.collect();
    Diagnostic::unlocated(format!("there is no property {}", quote(word)))
        .note(format!("there are: {}", names.join(", ")))
}

/// Refuses a question of the search for errors that something else switches off.
fn fits(
    word: &str,
    words: &Words<'_>,
    questions: &[Question],
    only: usize,
    found: &mut Diagnostics,
) -> Option<()> {
    let asks = &questions[only].asks;
    let refines = questions
        .iter()
        .any(|q| matches!(q.asks, Asks::Refinement(true)));
    let is_refinement = matches!(asks, Asks::Refinement(_));
    let why = if words.off(asks).is_some() || matches!(asks, Asks::Goal(false)) {
        " and the flag that ignores it do not go together"
    } else if is_refinement && !refines {
        " needs `--refines`"
    } else if refines && !is_refinement {
        " and `--refines` do not go together"
    } else {
        return Some(());
    };
    let message = format!("`--property {word}`{why}");
    found.push(Diagnostic::unlocated(message));
    None
}

/// Refuses fairness where nothing is asked of infinite runs.
fn refuse_fairness(
    words: &Words<'_>,
    questions: &[Question],
    asked: &[usize],
    found: &mut Diagnostics,
) -> Option<()> {
    let is_of_runs = |n: &usize| matches!(questions[*n].asks, Asks::Linear(_) | Asks::Branching(_));
    if words.fairness == Fairness::None || asked.iter().any(is_of_runs) {
        return Some(());
    }
    let message = "`--fair` is about infinite runs, and nothing is asked of them";
    let note = "`--ltl FORMULA`, `-l` or `-a` asks something; so do formulas of the model";
    found.push(Diagnostic::unlocated(message).note(note));
    None
}

/// What the user switched off, each with the flag.
fn switched_off(
    words: &Words<'_>,
    questions: &[Question],
    only: Option<usize>,
    asked: &[usize],
) -> Vec<Unchecked> {
    let alone = only.is_some_and(|only| is_formula(&questions[only]));
    let mut off = Vec::new();
    for (n, question) in questions.iter().enumerate() {
        let flag = match &question.asks {
            Asks::Goal(_) | Asks::Refinement(_) | Asks::Assertion(_) => None,
            Asks::Linear(_) | Asks::Branching(_) if asked.contains(&n) => None,
            Asks::Linear(_) | Asks::Branching(_) => match words.property {
                Some(_) => Some("`-p`"),
                None => Some("`-N`"),
            },
            // Faults are seen in any search for errors.
            Asks::Faults => alone.then_some("`-p`"),
            asks => match only {
                Some(only) if only != n => words.off(asks).or(Some("`-p`")),
                _ => words.off(asks),
            },
        };
        off.extend(flag.map(|flag| Unchecked {
            name: question.name.clone(),
            kind: question.kind.to_owned(),
            reason: format!("switched off by {flag}"),
        }));
    }
    off
}
