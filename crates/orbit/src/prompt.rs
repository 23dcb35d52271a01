//! Questions to a person, and answers: standard input and output.
//!
//! Questions go to standard error, so that standard output is the run and nothing else. On a
//! terminal an answer can be edited, earlier ones come back with the arrow keys, and the tab key
//! completes words; anywhere else answers are plain lines.

use crate::output;
use base::Diagnostic;
use driver::simulate::Conversation;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{Behavior, Config, Context, Editor, Helper};
use std::cell::RefCell;
use std::io::{BufRead, IsTerminal};

/// A person, or what stands in for one.
pub struct Terminal {
    /// `None` where standard input is no terminal.
    editor: Option<RefCell<LineEditor>>,
}

struct LineEditor {
    editor: Editor<WordCompleter, MemHistory>,
    /// The line of the question that the answer stands in.
    prompt: String,
}

impl Terminal {
    /// Whoever is at standard input, with answers that can be edited if that is wanted.
    pub fn new(edits: bool) -> Terminal {
        let is_person = edits && std::io::stdin().is_terminal();
        let editor = is_person.then(editor).flatten();
        Terminal {
            editor: editor.map(RefCell::new),
        }
    }
}

/// An editor on the terminal itself, since standard output may lead elsewhere; `None` if there is
/// none.
fn editor() -> Option<LineEditor> {
    let config = Config::builder().behavior(Behavior::PreferTerm).build();
    let mut editor = Editor::with_history(config, MemHistory::new()).ok()?;
    editor.set_helper(Some(WordCompleter::default()));
    Some(LineEditor {
        editor,
        prompt: String::new(),
    })
}

impl Conversation for Terminal {
    fn say(&self, words: &str) -> Result<(), Diagnostic> {
        output::say(words)
    }

    fn ask(&self, words: &str) {
        let Some(editor) = &self.editor else {
            return output::complain(words);
        };
        let (whole, last) = words.split_at(words.rfind('\n').map_or(0, |at| at + 1));
        output::complain(whole);
        last.clone_into(&mut editor.borrow_mut().prompt);
    }

    fn offer(&self, words: Vec<String>) {
        if let Some(editor) = &self.editor
            && let Some(completer) = editor.borrow_mut().editor.helper_mut()
        {
            completer.words = words;
        }
    }

    fn answer(&self) -> Result<Option<String>, Diagnostic> {
        let unreadable = |why: &dyn std::fmt::Display| {
            Diagnostic::unlocated(format!("cannot read standard input: {why}"))
        };
        let Some(editor) = &self.editor else {
            let mut line = String::new();
            let read = std::io::stdin().lock().read_line(&mut line);
            let n_bytes = read.map_err(|why| unreadable(&why))?;
            return Ok((n_bytes > 0).then_some(line));
        };
        let LineEditor { editor, prompt } = &mut *editor.borrow_mut();
        match editor.readline(prompt) {
            Ok(line) => {
                // What cannot be kept is not there to come back.
                let _ = editor.add_history_entry(&line);
                Ok(Some(line))
            }
            Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
            Err(why) => Err(unreadable(&why)),
        }
    }
}

/// Completes the last word of a line.
#[derive(Default)]
struct WordCompleter {
    words: Vec<String>,
}

impl WordCompleter {
    /// Where the last word of a line begins, and the words that begin as it does. Words with a
    /// colon begin a line, and only they do.
    fn completions(&self, line: &str) -> (usize, Vec<String>) {
        let is_command = line.starts_with(':') && !line.contains(' ');
        let is_in_word = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
        let start = if is_command {
            0
        } else {
            line.trim_end_matches(is_in_word).len()
        };
        let word = &line[start..];
        let fits = |w: &&String| w.starts_with(word) && w.starts_with(':') == is_command;
        let words = self.words.iter().filter(fits);
        (start, words.cloned().collect())
    }
}

impl Completer for WordCompleter {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(self.completions(&line[..at]))
    }
}

impl Hinter for WordCompleter {
    type Hint = String;
}

impl Highlighter for WordCompleter {}

impl Validator for WordCompleter {}

impl Helper for WordCompleter {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_state_are_completed_behind_those_with_a_colon() {
        let words = [":eval", ":watch", "inside", "in_all", "locked"];
        let completer = WordCompleter {
            words: words.map(String::from).to_vec(),
        };
        let of = |line: &str| completer.completions(line);
        assert_eq!(of(":e"), (0, vec![":eval".to_owned()]));
        assert_eq!(of(":eval in").1, ["inside", "in_all"]);
        assert_eq!(of(":eval 1+ins"), (8, vec!["inside".to_owned()]));
        assert_eq!(of(":eval é(lo"), (9, vec!["locked".to_owned()]));
        assert!(of(":x").1.is_empty());
    }
}
