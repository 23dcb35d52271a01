//! The door of CSPM: a script is read and evaluated, and its assertions are given as claims about
//! networks.

mod chased;
mod claims;
mod explained;
mod expression;
mod mentions;
mod obstacle;
mod offers;
mod running;

use crate::ast::{self, DeclKind};
use crate::eval::Script;
use base::{Clock, Diagnostic, Diagnostics, Source, SourceId, Sources, Span};
use claims::ScriptSession;
use explained::ExplainedAssertion;
use model::frontend::{
    About, Asks, AssertedText, AssertionQuestion, CheckClaim, ExplainClaim, Files, Frontend, Given,
    Model, Obstacle, OnlyRead, Options, Printed, Purpose, Question, Reading, Signs, States,
    Subject, Telling,
};
use model::network::Bisimulation;
use model::outline::Outline;
use std::sync::{Mutex, PoisonError};

/// The language CSPM.
pub struct Cspm;

impl Frontend for Cspm {
    fn language(&self) -> &'static str {
        "cspm"
    }

    fn endings(&self) -> &'static [&'static str] {
        &["csp", "cspm", "fdr2", "fdr3"]
    }

    fn models(&self) -> &'static str {
        "CSPM scripts"
    }

    fn flags(&self, reading: Reading) -> Vec<&'static str> {
        match reading {
            Reading::Only | Reading::Check => vec!["--detect", "--leaf-states", "--weak-leaves"],
            Reading::Symmetry => vec!["--assert", "--leaf-states", "--weak-leaves"],
            Reading::Run | Reading::View => vec!["--process"],
        }
    }

    fn instead(&self, flag: &str) -> Option<&'static str> {
        Some(match flag {
            "-D" | "-U" => "write a definition into the script",
            "--all-errors" | "--stop-after" | "--search" => {
                "an assertion is answered by its first counterexample, which is a shortest one"
            }
            "--no-deadlock" | "--no-assertions" | "--ltl" | "--ctl" | "--fair" | "--goal"
            | "--no-invariant" | "--refines" | "-a" | "-f" | "-l" | "-N" => {
                "a script says what is checked: `assert SPEC [FD= P`, or \
                 `assert P :[deadlock free]`; `-p N` picks one of its assertions"
            }
            "--threads" => "assertions about processes are searched with one thread",
            "--seed" | "--to-front" => "nothing about a script is drawn at random",
            "--no-unreached" => "scripts have no such list",
            "--detect" => {
                "`orbit check --detect FILE` tries generators over events, for each assertion"
            }
            "--conjugates" => "symmetry is found in the text; `orbit symmetry FILE` shows it",
            "--diagram" => "it draws channels of processes as in Promela",
            "--symmetry" => "symmetries of CSPM are about assertions: `orbit check` uses them",
            _ => return None,
        })
    }

    fn states(&self) -> States {
        States::Pairs
    }

    fn signs(&self) -> Signs {
        Signs {
            words: &["channel", "datatype", "nametype", "subtype", "within"],
            marks: &["[T=", "[F=", "[FD=", "|~|", ":["],
            ..Signs::default()
        }
    }

    fn load(
        &self,
        given: &Given<'_>,
        sources: &mut Sources,
        files: &mut dyn Files,
        found: &mut Diagnostics,
    ) -> Option<Box<dyn Model>> {
        let ast = read(given.main, sources, files, found)?;
        let parts = parts(&ast);
        if given.options.reading == Reading::Only {
            return Some(Box::new(OnlyRead(parts)));
        }
        let script = Script::load(&ast);
        let script = script.map_err(|why| why.into_iter().for_each(|d| found.push(d)));
        let script = script.ok()?;
        script.remarks().for_each(|remark| found.push(remark));
        let print_lines = print_lines(&ast, sources);
        let texts = ScriptTexts {
            ast,
            hash: base::hash(sources.from(given.main).iter().map(Source::text)),
            sources: sources.clone(),
            main: given.main,
        };
        let limits = EvaluationLimits::of(given.options, given.clock);
        let notes = match limits.components_up_to {
            Bisimulation::Strong => Vec::new(),
            Bisimulation::Weak => vec![UP_TO_TAU.to_owned()],
        };
        let about = About {
            path: given.path.to_owned(),
            language: self.language(),
            notes,
            ..About::default()
        };
        if matches!(given.options.reading, Reading::Run | Reading::View) {
            let running = running::running(script, &limits, given.options, texts, about);
            let running = running.map_err(|why| found.push(why)).ok()?;
            return Some(Box::new(running));
        }
        Some(Box::new(LoadedScript {
            about,
            parts,
            questions: questions(&script, sources),
            print_lines,
            session: Mutex::new(ScriptSession::new(script, limits)),
            texts,
        }))
    }

    fn outline(&self, given: &Given<'_>, sources: &mut Sources, files: &mut dyn Files) -> Outline {
        crate::outline::outline(given.main, sources, files)
    }
}

/// What a reader has to know of components that are the same up to τ.
const UP_TO_TAU: &str = "components that differ only in τ are taken for the same \
     (`--weak-leaves`): runs leave out steps with τ that decide nothing";

/// The texts of a script.
struct ScriptTexts {
    /// What they say.
    ast: ast::Script,
    sources: Sources,
    /// Which of them is its own.
    main: SourceId,
    hash: u64,
}

/// How far evaluation and compilation go.
#[derive(Clone, Copy)]
struct EvaluationLimits {
    clock: Clock<'static>,
    /// The most states of a component.
    leaf_states_max: usize,
    /// Up to what components are the same.
    components_up_to: Bisimulation,
    /// What components may take.
    bytes_max: u64,
    /// How many compressed processes may be explored one within the other.
    nested_max: usize,
}

/// The most states of a component, where nothing is said.
const LEAF_STATES: usize = 200_000;
/// How much stack a compressed process takes that is explored within another, and how many fit into
/// any stack.
const NESTED_BYTES: usize = (1 << 30) / 10_000;
const FEW_NESTED_MAX: usize = 50;

impl EvaluationLimits {
    fn of(options: &Options, clock: Clock<'static>) -> EvaluationLimits {
        EvaluationLimits {
            clock,
            leaf_states_max: options.component_states_max.unwrap_or(LEAF_STATES),
            components_up_to: options.components_up_to,
            bytes_max: options.memory_bytes_max.unwrap_or(u64::MAX),
            nested_max: (options.stack_bytes / NESTED_BYTES).max(FEW_NESTED_MAX),
        }
    }
}

/// The script with those that it includes, its types checked.
fn read(
    main: SourceId,
    sources: &mut Sources,
    files: &mut dyn Files,
    found: &mut Diagnostics,
) -> Option<ast::Script> {
    let mut unreadable = Vec::new();
    let mut include = |name: &str| {
        let text = files.find(name)?;
        text.map_err(|why| unreadable.push(why)).ok()
    };
    let script = crate::read(main, sources, &mut include, found);
    unreadable.into_iter().for_each(|why| found.push(why));
    let script = script?;
    crate::check(&script, found)?;
    Some(script)
}

fn parts(script: &ast::Script) -> Vec<(&'static str, usize)> {
    let count = |n_meant: fn(&DeclKind) -> usize| -> usize {
        let kinds = script.decls.iter().map(|decl| &decl.kind);
        kinds.map(n_meant).sum()
    };
    let definitions =
        count(|kind| usize::from(matches!(kind, DeclKind::Function(_) | DeclKind::Let { .. })));
    let channels = count(|kind| match kind {
        DeclKind::Channel { names, .. } => names.len(),
        _ => 0,
    });
    let datatypes = count(|kind| usize::from(matches!(kind, DeclKind::Datatype(_))));
    let modules = count(|kind| usize::from(matches!(kind, DeclKind::Module(_))));
    let assertions = count(|kind| usize::from(matches!(kind, DeclKind::Assert(_))));
    vec![
        ("definitions", definitions),
        ("channels", channels),
        ("datatypes", datatypes),
        ("modules", modules),
        ("assertions", assertions),
    ]
}

/// The lines of the `print`s of a script, in order.
fn print_lines(script: &ast::Script, sources: &Sources) -> Vec<u32> {
    let decls = script.decls.iter();
    let prints = decls.filter(|decl| matches!(decl.kind, DeclKind::Print(_)));
    prints.map(|decl| line(decl.span, sources)).collect()
}

/// The assertions of a script.
fn questions(script: &Script, sources: &Sources) -> Vec<Question> {
    let spans = script.assertion_spans().into_iter();
    let questions = spans.map(|span| {
        let text = without_comments(sources.text(span));
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let name = text.strip_prefix("assert ").unwrap_or(&text).to_owned();
        Question {
            asks: Asks::Assertion(AssertionQuestion {
                line: line(span, sources),
                is_negated: name.starts_with("not "),
                span,
            }),
            name,
            kind: "assertion",
            is_typed: false,
        }
    });
    questions.collect()
}

/// A text without its comments, `--` to the end of the line and `{- -}`, which nest.
fn without_comments(text: &str) -> String {
    let mut kept = String::new();
    let (mut left, mut n_open) = (text, 0);
    while let Some(c) = left.chars().next() {
        let (taken, is_kept) = if left.starts_with("{-") {
            n_open += 1;
            (2, false)
        } else if n_open > 0 && left.starts_with("-}") {
            n_open -= 1;
            (2, false)
        } else if n_open == 0 && left.starts_with("--") {
            (left.find('\n').unwrap_or(left.len()), false)
        } else {
            (c.len_utf8(), n_open == 0)
        };
        if is_kept {
            kept.push(c);
        }
        left = &left[taken..];
    }
    kept
}

fn line(span: Span, sources: &Sources) -> u32 {
    sources.get(span.source).position(span.start as usize).line as u32
}

/// A script that was accepted.
struct LoadedScript {
    about: About,
    parts: Vec<(&'static str, usize)>,
    questions: Vec<Question>,
    print_lines: Vec<u32>,
    /// What evaluates it.
    session: Mutex<ScriptSession>,
    texts: ScriptTexts,
}

const TELLING: Telling = Telling {
    shows_start: true,
    stuck: "no event can be done",
    set_up: None,
    arguments: model::frontend::ArgumentStyle::Dots,
};

impl LoadedScript {
    /// Does something with what evaluates the script.
    fn with<T>(&self, work: impl FnOnce(&mut ScriptSession) -> T) -> T {
        work(&mut self.session.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Model for LoadedScript {
    fn parts(&self) -> Vec<(&'static str, usize)> {
        self.parts.clone()
    }

    fn about(&self) -> About {
        self.about.clone()
    }

    fn hash(&self) -> u64 {
        self.texts.hash
    }

    fn questions(&self) -> &[Question] {
        &self.questions
    }

    fn subject(&self, _: &Purpose) -> Result<Box<dyn Subject + '_>, Diagnostic> {
        Err(Diagnostic::unlocated(
            "a script has a system for each assertion",
        ))
    }

    fn is_of_assertions(&self) -> bool {
        true
    }

    fn assertion(
        &self,
        question: usize,
        told: &mut AssertedText,
        check: &mut CheckClaim<'_>,
    ) -> Result<Option<bool>, Obstacle> {
        self.with(|session| session.answer(question, told, &self.texts, check))
    }

    fn explain(&self, question: usize, explain: &mut ExplainClaim<'_>) -> Result<(), Obstacle> {
        self.with(|session| {
            let mut explained = ExplainedAssertion::of(session, question, &self.texts)?;
            explain(&mut explained);
            Ok(())
        })
    }

    fn prints(&self) -> Vec<Printed> {
        if self.print_lines.is_empty() {
            return Vec::new();
        }
        let values = self.with(ScriptSession::prints);
        let lines = self.print_lines.iter();
        let prints = lines
            .zip(values)
            .map(|(line, value)| Printed { line: *line, value });
        prints.collect()
    }

    fn telling(&self) -> Telling {
        TELLING
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_left_out() {
        let text = "assert {- a {- b -} -} P -- c\n  [T= Q {- d";
        assert_eq!(without_comments(text), "assert  P \n  [T= Q ");
        assert_eq!(without_comments("--"), "");
    }
}
