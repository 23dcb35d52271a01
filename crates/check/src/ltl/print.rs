//! Formulas as text that can be read again, with as few parentheses as the grammar of
//! [`super::parse()`] allows and a few more where readers of other tools could be misled: below an
//! operator with two sides, another one of the same strength gets parentheses unless both are `&&`
//! or both are `||`.
//!
//! Worked example: `[](p -> (q U r))` is printed `[] (p -> q U r)`, and `(p U q) U r` as it stands.
//!
//! Formulas are shared graphs, and written out some are astronomically long: what goes beyond a
//! number of characters is cut.

use super::formula::{FormulaId, Node, Pool};

/// How operators are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notation {
    /// As SPIN does: `[] (p -> <> q)`.
    Spin,
    /// As ProB does: `G (p => F q)`; and, or are of one strength.
    Prob,
}

/// How strongly the outermost operator binds; more is stronger.
fn strength(node: Node, notation: Notation) -> u8 {
    match node {
        Node::Iff(..) => 0,
        Node::Implies(..) => 1,
        Node::Or(..) => 2,
        Node::And(..) if notation == Notation::Prob => 2,
        Node::And(..) => 3,
        Node::Until(..) | Node::WeakUntil(..) | Node::Release(..) | Node::StrongRelease(..) => 4,
        Node::Not(_) | Node::Next(_) | Node::Always(_) | Node::Eventually(_) => 5,
        Node::True | Node::False | Node::Atom(_) => 6,
    }
}

/// The operator between two sides, or before one.
fn word(node: Node, notation: Notation) -> &'static str {
    match node {
        Node::Iff(..) if notation == Notation::Prob => " <=> ",
        Node::Implies(..) if notation == Notation::Prob => " => ",
        Node::Or(..) if notation == Notation::Prob => " or ",
        Node::And(..) if notation == Notation::Prob => " & ",
        Node::Release(..) if notation == Notation::Prob => " R ",
        Node::Not(_) if notation == Notation::Prob => "not ",
        Node::Always(_) if notation == Notation::Prob => "G ",
        Node::Eventually(_) if notation == Notation::Prob => "F ",
        Node::Iff(..) => " <-> ",
        Node::Implies(..) => " -> ",
        Node::Or(..) => " || ",
        Node::And(..) => " && ",
        Node::Until(..) => " U ",
        Node::WeakUntil(..) => " W ",
        Node::Release(..) => " V ",
        Node::StrongRelease(..) => " M ",
        Node::Not(_) => "!",
        Node::Next(_) => "X ",
        Node::Always(_) => "[] ",
        Node::Eventually(_) => "<> ",
        Node::True => "true",
        Node::False => "false",
        Node::Atom(_) => "",
    }
}

/// What is still to be written: a formula, perhaps in parentheses, or a word.
enum Task {
    Formula(FormulaId),
    Inside(FormulaId),
    Word(&'static str),
}

/// The formula as text; `names` gives the text of each atom. After `n_characters_max` bytes or a
/// little more it ends with `…`.
pub fn print(
    pool: &Pool,
    f: FormulaId,
    names: &[String],
    notation: Notation,
    n_characters_max: usize,
) -> String {
    let mut out = String::new();
    let mut tasks = vec![Task::Formula(f)];
    while let Some(task) = tasks.pop() {
        if out.len() > n_characters_max {
            out.push('…');
            break;
        }
        let f = match task {
            Task::Word(word) => {
                out.push_str(word);
                continue;
            }
            Task::Inside(f) => {
                out.push('(');
                tasks.push(Task::Word(")"));
                f
            }
            Task::Formula(f) => f,
        };
        let node = pool.node(f);
        let part = |part| {
            if needs_parentheses(node, pool.node(part), notation) {
                Task::Inside(part)
            } else {
                Task::Formula(part)
            }
        };
        let parts: Vec<FormulaId> = node.parts().collect();
        match (node, &parts[..]) {
            (Node::Atom(atom), _) => match names.get(atom.index()) {
                Some(name) => out.push_str(name),
                None => out.push_str(&format!("p{}", atom.index())),
            },
            (_, [a, b]) => tasks.extend([part(*b), Task::Word(word(node, notation)), part(*a)]),
            (_, [a]) => tasks.extend([part(*a), Task::Word(word(node, notation))]),
            _ => out.push_str(word(node, notation)),
        }
    }
    out
}

fn needs_parentheses(outer: Node, inner: Node, notation: Notation) -> bool {
    let strength = |node: Node| strength(node, notation);
    let unary = strength(outer) == 5;
    match (outer, inner) {
        (Node::And(..), Node::And(..)) | (Node::Or(..), Node::Or(..)) => false,
        _ if unary => strength(inner) < 5,
        _ => strength(inner) <= strength(outer),
    }
}
