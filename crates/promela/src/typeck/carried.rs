//! What channels carry, in words, and in one way only.
//!
//! **Problem.** A channel can carry channels, itself among them. Such a type is a graph: a node for
//! each class of channels, with its fields in order. Graphs that unfold to the same tree are the
//! same type, and have to be shown alike, in finite form.
//!
//! **Idea.** Nodes get equal colours as long as nothing tells them apart: at first those with
//! fields of the same kinds; then those whose channels have different colours part, until none do.
//! The colours are the nodes of the least graph of the type. It is written from its root on; a node
//! that is met again inside itself is called by a letter.
//!
//! **Worked example.** `A = {chan B, int}` and `B = {chan A, int}` have the same kinds of fields,
//! and their channels the same colour: one node, which carries itself. Both are written
//! `A = {chan A, int}`, as is a channel that is sent over itself with a number.
//!
//! **Source.** Minimisation of automata (Moore 1956), for recursive types as in Donaldson 2007,
//! section 8.2. **Cost.** Quadratic in the number of nodes; they are few.

use crate::typed::Type;
use std::collections::{HashMap, HashSet};

/// The graph of a type; node 0 is what is shown.
pub(super) struct Carried {
    /// The fields of each node; `None` if nothing is known of them.
    nodes: Vec<Option<Vec<MessageField>>>,
}

/// A field of messages.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum MessageField {
    /// A value that is no channel.
    Plain(Type),
    /// A channel of that node.
    Channel(usize),
    /// Nobody says what it is.
    Open,
}

/// More than this many characters are not shown.
const TEXT_MAX: usize = 200;

impl Carried {
    pub fn new() -> Carried {
        Carried { nodes: Vec::new() }
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Takes a node in; its fields may name nodes that are still to come.
    pub fn add(&mut self, fields: Option<Vec<MessageField>>) {
        self.nodes.push(fields);
    }

    /// The type of node 0 in words: equal for equal types.
    pub fn text(&self) -> String {
        let colours = self.colours();
        let mut writer = TypeWriter {
            graph: self,
            colours: &colours,
            open: Vec::new(),
            seen: HashSet::new(),
            letters: HashMap::new(),
        };
        writer.find_letters(0);
        writer.seen.clear();
        let mut text = String::new();
        writer.write(0, &mut text);
        text
    }

    /// A colour a node, equal for nodes of equal types.
    fn colours(&self) -> Vec<usize> {
        let mut colours = vec![0; self.nodes.len()];
        let mut n_before = 0;
        loop {
            let mut known: HashMap<(usize, Option<Vec<MessageField>>), usize> = HashMap::new();
            let mut next = Vec::with_capacity(colours.len());
            for (node, fields) in self.nodes.iter().enumerate() {
                let painted = |field: &MessageField| match *field {
                    MessageField::Channel(to) => MessageField::Channel(colours[to]),
                    field => field,
                };
                let seen = fields.as_ref().map(|all| all.iter().map(painted).collect());
                let n = known.len();
                next.push(*known.entry((colours[node], seen)).or_insert(n));
            }
            let n = known.len();
            colours = next;
            if n == n_before {
                return colours;
            }
            n_before = n;
        }
    }
}

/// Writes a type down.
struct TypeWriter<'a> {
    graph: &'a Carried,
    colours: &'a [usize],
    /// The colours of the nodes around.
    open: Vec<usize>,
    /// The colours that were met.
    seen: HashSet<usize>,
    /// The colours that are met inside themselves, and their letters.
    letters: HashMap<usize, String>,
}

impl TypeWriter<'_> {
    /// Gives letters to nodes that are met inside themselves. Every circle has one: the node of it
    /// that is met first.
    fn find_letters(&mut self, node: usize) {
        let colour = self.colours[node];
        if self.open.contains(&colour) {
            let next = letter(self.letters.len());
            self.letters.entry(colour).or_insert(next);
        }
        if !self.seen.insert(colour) {
            return;
        }
        self.open.push(colour);
        for field in self.graph.nodes[node].iter().flatten() {
            if let MessageField::Channel(to) = field {
                self.find_letters(*to);
            }
        }
        self.open.pop();
    }

    fn write(&mut self, node: usize, out: &mut String) {
        let colour = self.colours[node];
        if let Some(letter) = self.letters.get(&colour) {
            out.push_str(letter);
            if !self.seen.insert(colour) {
                return;
            }
            out.push_str(" = ");
        }
        out.push('{');
        for (n, field) in self.graph.nodes[node].iter().flatten().enumerate() {
            if n > 0 {
                out.push_str(", ");
            }
            if out.len() > TEXT_MAX {
                out.push('…');
                break;
            }
            match *field {
                MessageField::Open => out.push('_'),
                MessageField::Plain(kind) => out.push_str(word(kind)),
                MessageField::Channel(to) if self.graph.nodes[to].is_none() => out.push_str("chan"),
                MessageField::Channel(to) => {
                    out.push_str("chan ");
                    self.write(to, out);
                }
            }
        }
        out.push('}');
    }
}

/// A, B, …, Z, A1, …
fn letter(n: usize) -> String {
    let first = char::from(b'A' + (n % 26) as u8);
    match n / 26 {
        0 => first.to_string(),
        round => format!("{first}{round}"),
    }
}

fn word(kind: Type) -> &'static str {
    match kind {
        Type::Member(_) => "ref",
        Type::Bit => "bit",
        Type::Bool => "bool",
        Type::Byte => "byte",
        Type::Pid => "pid",
        Type::Short => "short",
        Type::Int => "int",
        Type::Unsigned(_) => "unsigned",
        Type::Mtype(_) => "mtype",
        Type::Chan => "chan",
        Type::Record(_) => "record",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INT: MessageField = MessageField::Plain(Type::Int);

    fn text(nodes: &[Option<&[MessageField]>]) -> String {
        let mut graph = Carried::new();
        for node in nodes {
            graph.add(node.map(<[MessageField]>::to_vec));
        }
        graph.text()
    }

    #[test]
    fn forms_of_a_type_that_unfold_alike_are_written_alike() {
        use MessageField::Channel;
        // A channel of itself and a number: as it is, with one step unfolded, with two, and as two
        // that carry each other.
        let forms: [&[Option<&[MessageField]>]; 4] = [
            &[Some(&[Channel(0), INT])],
            &[Some(&[Channel(1), INT]), Some(&[Channel(1), INT])],
            &[
                Some(&[Channel(1), INT]),
                Some(&[Channel(2), INT]),
                Some(&[Channel(2), INT]),
            ],
            &[Some(&[Channel(1), INT]), Some(&[Channel(0), INT])],
        ];
        for form in forms {
            assert_eq!(text(form), "A = {chan A, int}");
        }
    }

    #[test]
    fn what_differs_somewhere_is_written_differently() {
        use MessageField::{Channel, Open, Plain};
        assert_eq!(text(&[Some(&[Plain(Type::Byte), Open])]), "{byte, _}");
        assert_eq!(text(&[Some(&[Channel(1)]), None]), "{chan}");
        assert_eq!(
            text(&[Some(&[Channel(1)]), Some(&[Channel(0), INT])]),
            "A = {chan {chan A, int}}"
        );
        let crossed: [Option<&[MessageField]>; 3] = [
            Some(&[Channel(1), Channel(2)]),
            Some(&[Channel(2)]),
            Some(&[Channel(1), INT]),
        ];
        assert_eq!(
            text(&crossed),
            "{chan A = {chan {chan A, int}}, chan {chan A, int}}"
        );
    }

    #[test]
    fn large_types_are_cut() {
        let mut graph = Carried::new();
        for n in 1..100 {
            graph.add(Some(vec![
                MessageField::Channel(n),
                MessageField::Channel(n),
            ]));
        }
        graph.add(None);
        let text = graph.text();
        assert!(text.len() < 4 * TEXT_MAX, "{text}");
    }
}
