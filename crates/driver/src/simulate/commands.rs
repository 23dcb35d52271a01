//! Answers that begin with a colon: a person asks, or says what is to be watched, and is asked
//! again.

use super::stepped::SteppedSystem;
use super::watch::Watches;

/// The words, with what stands behind them and what they do.
const COMMANDS: [(&str, &str, &str); 4] = [
    (":eval", "E", "the value of an expression here"),
    (":watch", "E", "tell it whenever a step changes it"),
    (":unwatch", "E", "no more of that"),
    (":help", "", "this list"),
];

/// The answers of one letter or number.
const ANSWERS: [(&str, &str); 5] = [
    ("1, 2, …", "that choice"),
    ("r", "one at random"),
    ("s", "show the state"),
    ("u", "take the last choice back"),
    ("q", "stop"),
];

/// What is said to a line that begins with a colon, asked in this state; `None` if it does not
/// begin so.
pub fn obeyed(line: &str, watches: &Watches<'_>, state: Option<&[u8]>) -> Option<String> {
    let line = line.trim();
    if !line.starts_with(':') {
        return None;
    }
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let expression = rest.trim();
    Some(match (word, state) {
        (":help", _) => help(),
        (":watch", _) if expression.is_empty() => listed(watches),
        (":unwatch", _) if watches.remove(expression) => String::new(),
        (":unwatch", _) => format!("not watched; {}", listed(watches)),
        (":eval", _) if expression.is_empty() => "`:eval` needs an expression\n".to_owned(),
        (":eval", None) => "there is no state yet: choose where to start\n".to_owned(),
        (":eval", Some(state)) => watches.value(expression, state),
        (":watch", state) => match watches.add(expression) {
            Ok(()) => state.map_or(String::new(), |state| {
                let lines = watches.arrive(state).into_iter();
                lines.map(|line| format!("       = {line}\n")).collect()
            }),
            Err(wrong) => watches.drawn(&wrong),
        },
        _ => format!("`{word}` is no answer; `:help` lists all\n"),
    })
}

fn listed(watches: &Watches<'_>) -> String {
    match watches.texts() {
        all if all.is_empty() => "nothing is watched\n".to_owned(),
        all => format!("watched: {}\n", all.join(", ")),
    }
}

fn help() -> String {
    let answers = ANSWERS.map(|(word, what)| format!("  {word:<14}{what}\n"));
    let commands = COMMANDS.map(|(word, argument, what)| {
        let word = format!("{word} {argument}");
        format!("  {word:<14}{what}\n")
    });
    answers.concat() + &commands.concat()
}

/// The words that an answer may be made of: those with a colon, and what is in the state.
pub fn offered_words(machine: &SteppedSystem<'_>, state: &[u8]) -> Vec<String> {
    let words = COMMANDS.map(|(word, argument, _)| {
        let space = if argument.is_empty() { "" } else { " " };
        format!("{word}{space}")
    });
    let mut words = Vec::from(words);
    machine.describe(state, &mut |name, _| words.push(name.to_owned()));
    words
}
