//! Expressions that are watched along a run: after each step those are told that have another value
//! than before.
//!
//! Who tells the run and who asks a person look at the same list: an answer may add to it.

use super::SimulatePlan;
use base::{Colour, Diagnostic, Diagnostics, Sources};
use model::frontend::{Expression, Model, Obstacle};
use report::object::Named;
use std::cell::RefCell;

/// The expressions that are watched.
pub struct Watches<'a> {
    model: &'a dyn Model,
    /// The texts of the model, and of expressions.
    sources: RefCell<Sources>,
    all: RefCell<Vec<WatchedExpression<'a>>>,
}

struct WatchedExpression<'a> {
    text: String,
    expression: Box<dyn Expression + 'a>,
    /// Its value, once there is a state.
    last: Option<Result<String, Obstacle>>,
}

/// Sees that all of these are expressions over the states of a model; `None` if `found` says which
/// are not.
pub fn check_watched(
    model: &dyn Model,
    texts: &[String],
    sources: &mut Sources,
    found: &mut Diagnostics,
) -> Option<()> {
    let before = found.n_errors();
    for text in texts {
        let source = sources.add("--watch", text);
        model.expression(source, sources, found);
    }
    (found.n_errors() == before).then_some(())
}

impl<'a> Watches<'a> {
    /// Those that the plan names, or what is wrong with the first that is none.
    pub fn new(plan: &'a SimulatePlan, sources: &Sources) -> Result<Watches<'a>, Diagnostic> {
        let watches = Watches {
            model: &*plan.model,
            sources: RefCell::new(sources.clone()),
            all: RefCell::default(),
        };
        for text in &plan.watched {
            let added = watches.add(text);
            added.map_err(|mut why| why.swap_remove(0))?;
        }
        Ok(watches)
    }

    /// The expression that a text is, or what is wrong with it.
    fn read(&self, text: &str) -> Result<Box<dyn Expression + 'a>, Vec<Diagnostic>> {
        let mut sources = self.sources.borrow_mut();
        let source = sources.add("the expression", text);
        let mut found = Diagnostics::new();
        let read = self.model.expression(source, &mut sources, &mut found);
        read.ok_or_else(|| found.sorted())
    }

    /// Watches one more, from the next state on.
    pub fn add(&self, text: &str) -> Result<(), Vec<Diagnostic>> {
        let expression = self.read(text)?;
        let mut all = self.all.borrow_mut();
        all.retain(|watched| watched.text != text);
        all.push(WatchedExpression {
            text: text.to_owned(),
            expression,
            last: None,
        });
        Ok(())
    }

    /// Watches one no longer; says whether it was watched.
    pub fn remove(&self, text: &str) -> bool {
        let mut all = self.all.borrow_mut();
        let before = all.len();
        all.retain(|watched| watched.text != text);
        all.len() < before
    }

    /// What is watched.
    pub fn texts(&self) -> Vec<String> {
        let all = self.all.borrow();
        all.iter().map(|watched| watched.text.clone()).collect()
    }

    /// The value of an expression in a state, or what is wrong with it, in words.
    pub fn value(&self, text: &str, state: &[u8]) -> String {
        match self.read(text) {
            Ok(expression) => words(&expression.value(state)) + "\n",
            Err(wrong) => self.drawn(&wrong),
        }
    }

    /// Messages about expressions.
    pub fn drawn(&self, wrong: &[Diagnostic]) -> String {
        let sources = self.sources.borrow();
        let drawn = wrong
            .iter()
            .map(|why| base::render(why, &sources, Colour::Never) + "\n");
        drawn.collect()
    }

    /// Evaluates all in a state, and gives a line for each that has another value than before.
    pub fn arrive(&self, state: &[u8]) -> Vec<String> {
        let mut lines = Vec::new();
        for watched in self.all.borrow_mut().iter_mut() {
            let value = watched.expression.value(state);
            let text = &watched.text;
            match &watched.last {
                Some(last) if *last == value => continue,
                Some(last) => {
                    lines.push(format!("{text}: {} → {}", words(last), words(&value)));
                }
                None => lines.push(format!("{text}: {}", words(&value))),
            }
            watched.last = Some(value);
        }
        lines
    }

    /// The values in the last state, for programs; null for those that have none. `None` if
    /// nothing is watched.
    pub fn values(&self) -> Option<Named<Option<String>>> {
        let all = self.all.borrow();
        let value = |watched: &WatchedExpression<'_>| {
            let value = watched.last.clone().and_then(Result::ok);
            (watched.text.clone(), value)
        };
        (!all.is_empty()).then(|| all.iter().map(value).collect())
    }
}

/// A value, or why there is none.
fn words(value: &Result<String, Obstacle>) -> String {
    match value {
        Ok(value) => value.clone(),
        Err(why) => format!("no value ({why})"),
    }
}
