//! Values as text, in the notation of the language: what `show` and `print` give.
//!
//! `<1, 2>`, `{A, B.1}`, `(1, true)`, `"text"`, `(| 1 => 2 |)`, `c.1.true`. Functions and processes
//! have no notation and are named in words.

use super::sequence::SequencePart;
use super::symbolic::Symbolic;
use super::{Function, MakerId, Seq, Set, Value};
use std::fmt::Write;

/// How constructors, channels and processes are called.
pub trait ValueNames {
    /// The name of a constructor or channel.
    fn maker(&self, maker: MakerId) -> &str;

    /// The name of a process.
    fn process(&self, term: crate::process::TermId) -> String;

    /// The name of a function of the script.
    fn function(&self, code: super::FnId) -> &str;
}

/// Values longer than this are cut in messages.
const MESSAGE_MAX: usize = 120;

/// The value as text.
pub fn show(value: &Value, names: &dyn ValueNames) -> String {
    let mut text = String::new();
    write_value(value, names, &mut text);
    text
}

/// The value as text for a message: cut if it is long.
pub fn short(value: &Value, names: &dyn ValueNames) -> String {
    let text = show(value, names);
    match text.char_indices().nth(MESSAGE_MAX) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text,
    }
}

fn write_value(value: &Value, names: &dyn ValueNames, out: &mut String) {
    match value.seen() {
        Value::Int(n) => put(out, n),
        Value::Bool(b) => put(out, b),
        Value::Char(c) => write_char(*c, '\'', out),
        Value::Seq(seq) => write_seq(seq, names, out),
        Value::Tuple(parts) => write_list("(", parts, ")", names, out),
        Value::Set(set) => write_set(set, names, out),
        Value::Map(map) => {
            out.push_str("(|");
            for (i, (key, value)) in map.iter().enumerate() {
                out.push_str(if i == 0 { " " } else { ", " });
                write_value(key, names, out);
                out.push_str(" => ");
                write_value(value, names, out);
            }
            out.push_str(" |)");
        }
        Value::Dot(parts) => write_joined(parts, ".", names, out),
        Value::Made(maker, fields) => {
            out.push_str(names.maker(*maker));
            if !fields.is_empty() {
                out.push('.');
                write_joined(fields, ".", names, out);
            }
        }
        Value::Function(function) => match &**function {
            Function::Closure { code, .. } => {
                put(out, &format_args!("<function {}>", names.function(*code)))
            }
            Function::BuiltIn(_) | Function::Image(_) => out.push_str("<function>"),
        },
        Value::Process(term) => out.push_str(&names.process(*term)),
        Value::Group(_) | Value::Thunk(_) => out.push('…'),
    }
}

fn put(out: &mut String, shown: &dyn std::fmt::Display) {
    write!(out, "{shown}").expect("writing to a string");
}

fn write_char(c: char, quote: char, out: &mut String) {
    out.push(quote);
    push_escaped(c, quote, out);
    out.push(quote);
}

fn push_escaped(c: char, quote: char, out: &mut String) {
    match c {
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\t' => out.push_str("\\t"),
        '\r' => out.push_str("\\r"),
        c if c == quote => {
            out.push('\\');
            out.push(c);
        }
        c => out.push(c),
    }
}

fn write_seq(seq: &Seq, names: &dyn ValueNames, out: &mut String) {
    let parts: Vec<SequencePart<'_>> = seq.known().collect();
    let is_text = !parts.is_empty()
        && parts.iter().all(
            |part| matches!(part, SequencePart::Element(v) if matches!(v.seen(), Value::Char(_))),
        );
    if is_text {
        out.push('"');
        for part in parts {
            if let SequencePart::Element(Value::Char(c)) = part {
                push_escaped(*c, '"', out);
            } else if let SequencePart::Element(value) = part
                && let Value::Char(c) = value.seen()
            {
                push_escaped(*c, '"', out);
            }
        }
        out.push('"');
        return;
    }
    out.push('<');
    for (i, part) in parts.iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        match part {
            SequencePart::Element(value) => write_value(value, names, out),
            SequencePart::Rest(_) => out.push('…'),
        }
    }
    out.push('>');
}

fn write_set(set: &Set, names: &dyn ValueNames, out: &mut String) {
    match set {
        Set::Listed(elements) => write_list("{", elements, "}", names, out),
        Set::Symbolic(symbolic) => write_symbolic(symbolic, names, out),
    }
}

fn write_symbolic(symbolic: &Symbolic, names: &dyn ValueNames, out: &mut String) {
    let mut call = |name: &str, sets: &[&Set]| {
        out.push_str(name);
        out.push('(');
        for (i, set) in sets.iter().enumerate() {
            out.push_str(if i == 0 { "" } else { ", " });
            write_set(set, names, out);
        }
        out.push(')');
    };
    match symbolic {
        Symbolic::Sequences(set) => call("Seq", &[set]),
        Symbolic::Subsets(set) => call("Set", &[set]),
        Symbolic::Maps(keys, values) => call("Map", &[keys, values]),
        Symbolic::Tuples(sets) => call("", &sets.iter().collect::<Vec<_>>()),
        Symbolic::Union(sets) => {
            out.push_str("Union({");
            for (i, set) in sets.iter().enumerate() {
                out.push_str(if i == 0 { "" } else { ", " });
                write_set(set, names, out);
            }
            out.push_str("})");
        }
        Symbolic::Integers => out.push_str("Int"),
        Symbolic::From(first) => put(out, &format_args!("{{{first}..}}")),
        Symbolic::Characters => out.push_str("Char"),
        Symbolic::Processes => out.push_str("Proc"),
        Symbolic::Datatype(name, _) => out.push_str(name),
        Symbolic::Dots(sets) => write_dotted_sets(sets, names, out),
        Symbolic::Made(maker, sets) => {
            out.push_str("{| ");
            out.push_str(names.maker(*maker));
            if !sets.is_empty() {
                out.push('.');
                write_dotted_sets(sets, names, out);
            }
            out.push_str(" |}");
        }
    }
}

fn write_dotted_sets(sets: &[Set], names: &dyn ValueNames, out: &mut String) {
    for (i, set) in sets.iter().enumerate() {
        out.push_str(if i == 0 { "" } else { "." });
        write_set(set, names, out);
    }
}

fn write_list(open: &str, parts: &[Value], close: &str, names: &dyn ValueNames, out: &mut String) {
    out.push_str(open);
    write_joined(parts, ", ", names, out);
    out.push_str(close);
}

fn write_joined(parts: &[Value], between: &str, names: &dyn ValueNames, out: &mut String) {
    for (i, part) in parts.iter().enumerate() {
        if i > 0 {
            out.push_str(between);
        }
        write_value(part, names, out);
    }
}
