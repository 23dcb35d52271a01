//! Questions to GAP: one script with a marked answer for each question.

use std::fmt::{Display, Write};

use group::{Group, Perm, Point};

use crate::compare::{Claim, assert_agreement};
use crate::program::{GAP, marked_answers};

/// Turns off line breaks in answers and makes `Say` and `Of`, the group of a list of images.
const PROLOGUE: &str = r#"
out := OutputTextUser();; SetPrintFormattingStatus(out, false);;
Say := function(i, x) AppendTo(out, "\n@", i, " ", String(x), "\n"); end;;
Of := function(images) return Group(List(images, PermList), ()); end;;
AsSets := function(lists) return Set(List(lists, Set)); end;;
"#;

/// Questions and what we think the answers are.
pub struct Batch {
    script: String,
    claims: Vec<Claim>,
}

impl Batch {
    pub fn new() -> Batch {
        Batch {
            script: PROLOGUE.to_owned(),
            claims: Vec::new(),
        }
    }

    /// Adds statements to the script.
    pub fn run(&mut self, statements: &str) {
        writeln!(self.script, "{statements}").expect("a string grows");
    }

    /// Gives GAP the group under a name. Trivial and repeated generators are passed on as they are.
    pub fn set_group(&mut self, name: &str, group: &Group) {
        self.run(&format!("{name} := {};;", group_text(group)));
    }

    /// Asks for the value of an expression that we hold to be `ours`.
    pub fn ask(&mut self, case: &str, expression: &str, ours: impl Display) {
        let i = self.claims.len();
        self.run(&format!("Say({i}, {expression});;"));
        self.claims.push(Claim {
            case: format!("{case}: {expression}"),
            ours: ours.to_string(),
        });
    }

    /// Asks whether our subgroup is what the expression says: the same order and the same elements.
    pub fn ask_subgroup(&mut self, case: &str, expression: &str, ours: &Group) {
        self.run(&format!("s := {expression};; t := {};;", group_text(ours)));
        let case = format!("{case}: {expression}");
        self.ask(
            &case,
            "[Size(s), s = t]",
            format!("[{},true]", ours.order()),
        );
    }

    /// As [`Batch::ask_subgroup`], but GAP need not work out the order of our subgroup, which takes
    /// it long at large degrees: it confirms our order and that our generators are elements.
    pub fn ask_large_subgroup(&mut self, case: &str, expression: &str, ours: &Group) {
        let generators = group_text(ours);
        self.run(&format!("s := {expression};; t := {generators};;"));
        let case = format!("{case}: {expression}");
        let question = "[Size(s), ForAll(GeneratorsOfGroup(t), p -> p in s)]";
        self.ask(&case, question, format!("[{},true]", ours.order()));
    }

    /// Puts all questions to GAP and fails if an answer is not ours.
    pub fn check(self, test: &str) {
        let (answers, log) = answers_of(&self.script, self.claims.len());
        assert_agreement(test, &self.claims, &answers, &log);
    }
}

/// The values of expressions.
pub fn values(expressions: &[String]) -> Vec<String> {
    let mut script = PROLOGUE.to_owned();
    for (i, expression) in expressions.iter().enumerate() {
        writeln!(script, "Say({i}, {expression});;").expect("a string grows");
    }
    let (answers, log) = answers_of(&script, expressions.len());
    let all: Option<Vec<String>> = answers.into_iter().collect();
    all.unwrap_or_else(|| panic!("GAP did not answer:\n{log}"))
}

/// Answers, and what GAP printed about errors.
fn answers_of(script: &str, n: usize) -> (Vec<Option<String>>, String) {
    // Quiet, no banner, no break loop: after an error it goes on with the next statement.
    let output = GAP.output(&["-q", "-b", "-T"], script);
    let answers = marked_answers(&output, n);
    let errors = output.lines().filter(|l| l.contains("rror")).take(5);
    (answers, errors.collect::<Vec<_>>().join("\n"))
}

/// A group as an expression.
pub fn group_text(group: &Group) -> String {
    let images = group.generators().iter().map(|g| list_text(g.image()));
    format!("Of([{}])", images.collect::<Vec<_>>().join(","))
}

/// A permutation as an expression.
pub fn perm_text(perm: &Perm) -> String {
    format!("PermList({})", list_text(perm.image()))
}

/// Points, counted from 1, as a list in their order.
pub fn list_text(points: &[Point]) -> String {
    let numbers: Vec<String> = points.iter().map(|x| (x + 1).to_string()).collect();
    format!("[{}]", numbers.join(","))
}

/// A list of lists of points in their order.
pub fn lists_text(lists: &[Vec<Point>]) -> String {
    let lists: Vec<String> = lists.iter().map(|l| list_text(l)).collect();
    format!("[{}]", lists.join(","))
}

/// Disjoint sets as a set of sets, in the order that GAP gives them.
pub fn sets_text(sets: &[Vec<Point>]) -> String {
    let mut sets: Vec<Vec<Point>> = sets.iter().map(|s| sorted(s)).collect();
    sets.sort();
    lists_text(&sets)
}

/// The points in increasing order, each once.
pub fn sorted(points: &[Point]) -> Vec<Point> {
    let mut points = points.to_vec();
    points.sort_unstable();
    points.dedup();
    points
}

#[test]
fn gap_contradicts_a_planted_fault() {
    if GAP.seed_of("gap_contradicts_a_planted_fault").is_none() {
        return;
    }
    let mut batch = Batch::new();
    batch.set_group("g", &Group::symmetric(5));
    batch.ask("right", "Size(g)", 120);
    batch.ask("wrong", "Size(g)", 60);
    batch.ask("no such function", "NoSuchFunction(g)", 60);
    batch.ask_subgroup("wrong subgroup", "Stabilizer(g, 1)", &Group::trivial(5));
    // Of the right order, but fixing the wrong point.
    let other = Group::symmetric(5).stabiliser_of_points(&[1]);
    batch.ask_subgroup(
        "wrong subgroup of the right order",
        "Stabilizer(g, 1)",
        &other,
    );
    let (answers, log) = answers_of(&batch.script, batch.claims.len());
    let found = crate::compare::differences(&batch.claims, &answers);
    assert_eq!(found.len(), 4, "{found:?}\n{log}");
    assert!(found[0].starts_with("wrong:"), "{found:?}");
    assert!(found[1].ends_with("missing"), "{found:?}");
}
