//! The built-in names and their types.
//!
//! Types are written as in annotations: `Set a => ({a}, {a}) -> {a}`. [`instance`] reads them into
//! types with new variables each time a name is used.

use super::types::{Ty, TypeClass, TypeClasses, Types};
use std::collections::HashMap;

/// Where a built-in name is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BuiltinScope {
    /// In every script.
    Everywhere,
    /// Once it is declared `transparent`.
    Transparent,
    /// Once it is declared `external`.
    External,
    /// Once it is declared, in either way.
    Either,
    /// In timed sections.
    Timed,
}

/// A built-in name.
pub(crate) struct BuiltIn {
    /// The name.
    pub name: &'static str,
    pub ty: &'static str,
    /// Where it is known.
    pub place: BuiltinScope,
    /// What to write instead, if the name is an old one.
    pub instead: Option<&'static str>,
}

const fn known(name: &'static str, ty: &'static str) -> BuiltIn {
    BuiltIn {
        name,
        ty,
        place: BuiltinScope::Everywhere,
        instead: None,
    }
}

const fn asked(place: BuiltinScope, name: &'static str, ty: &'static str) -> BuiltIn {
    BuiltIn {
        name,
        ty,
        place,
        instead: None,
    }
}

const fn old(built_in: BuiltIn, instead: &'static str) -> BuiltIn {
    BuiltIn {
        instead: Some(instead),
        ..built_in
    }
}

const COMPRESSION: &str = "(Proc) -> Proc";

/// All built-in names. What asks a set something (`member`, `card`, `seq`, …) needs `Eq`: with it,
/// processes could be compared; what only builds sets needs `Set`.
pub(crate) const ALL: &[BuiltIn] = &[
    known("union", "Set a => ({a}, {a}) -> {a}"),
    known("inter", "Set a => ({a}, {a}) -> {a}"),
    known("diff", "Set a => ({a}, {a}) -> {a}"),
    known("Union", "Set a => ({{a}}) -> {a}"),
    known("Inter", "Set a => ({{a}}) -> {a}"),
    known("member", "Eq a => (a, {a}) -> Bool"),
    known("card", "Eq a => ({a}) -> Int"),
    known("empty", "Eq a => ({a}) -> Bool"),
    known("set", "Set a => (<a>) -> {a}"),
    known("Set", "Set a => ({a}) -> {{a}}"),
    known("Seq", "Set a => ({a}) -> {<a>}"),
    known("seq", "Eq a => ({a}) -> <a>"),
    known("length", "(<a>) -> Int"),
    known("null", "(<a>) -> Bool"),
    known("head", "(<a>) -> a"),
    known("tail", "(<a>) -> <a>"),
    known("concat", "(<<a>>) -> <a>"),
    known("elem", "Eq a => (a, <a>) -> Bool"),
    known("emptyMap", "Set k => (| k => v |)"),
    known("mapFromList", "Set k => (<(k, v)>) -> (| k => v |)"),
    known("mapLookup", "Set k => ((| k => v |), k) -> v"),
    known("mapMember", "Set k => ((| k => v |), k) -> Bool"),
    known("mapToList", "Set k => ((| k => v |)) -> <(k, v)>"),
    known("mapUpdate", "Set k => ((| k => v |), k, v) -> (| k => v |)"),
    known(
        "mapUpdateMultiple",
        "Set k => ((| k => v |), <(k, v)>) -> (| k => v |)",
    ),
    known("mapDelete", "Set k => ((| k => v |), k) -> (| k => v |)"),
    known("Map", "(Set k, Set v) => ({k}, {v}) -> {(| k => v |)}"),
    known("extensions", "Yieldable b => (a => b) -> {a}"),
    known("productions", "Yieldable b => (a =>* b) -> {b}"),
    known("error", "(<Char>) -> a"),
    known("show", "(a) -> <Char>"),
    known("Int", "{Int}"),
    known("Bool", "{Bool}"),
    known("Char", "{Char}"),
    known("Proc", "{Proc}"),
    known("Events", "{Event}"),
    known("true", "Bool"),
    known("false", "Bool"),
    old(known("True", "Bool"), "true"),
    old(known("False", "Bool"), "false"),
    known("STOP", "Proc"),
    known("SKIP", "Proc"),
    known("DIV", "Proc"),
    known("CHAOS", "({Event}) -> Proc"),
    known("RUN", "({Event}) -> Proc"),
    known("BUFFER", "(Int, {(Event, Event)}) -> Proc"),
    known("WEAK_BUFFER", "(Int, Event, {(Event, Event)}) -> Proc"),
    asked(BuiltinScope::Transparent, "normal", COMPRESSION),
    old(
        asked(BuiltinScope::Transparent, "normalise", COMPRESSION),
        "normal",
    ),
    asked(BuiltinScope::Transparent, "sbisim", COMPRESSION),
    asked(BuiltinScope::Transparent, "dbisim", COMPRESSION),
    asked(BuiltinScope::Transparent, "wbisim", COMPRESSION),
    asked(BuiltinScope::Transparent, "diamond", COMPRESSION),
    asked(BuiltinScope::Transparent, "explicate", COMPRESSION),
    asked(BuiltinScope::Transparent, "lazyenumerate", COMPRESSION),
    asked(BuiltinScope::Transparent, "lazynorm", COMPRESSION),
    asked(BuiltinScope::Transparent, "model_compress", COMPRESSION),
    asked(BuiltinScope::Transparent, "tau_loop_factor", COMPRESSION),
    asked(BuiltinScope::Either, "chase", COMPRESSION),
    asked(BuiltinScope::Either, "chase_nocache", COMPRESSION),
    asked(BuiltinScope::External, "deter", COMPRESSION),
    asked(BuiltinScope::External, "loop", COMPRESSION),
    asked(
        BuiltinScope::External,
        "failure_watchdog",
        "(Proc, {Event}, Event) -> Proc",
    ),
    asked(
        BuiltinScope::External,
        "trace_watchdog",
        "(Proc, {Event}, Event) -> Proc",
    ),
    asked(
        BuiltinScope::External,
        "prioritise",
        "(Proc, <{Event}>) -> Proc",
    ),
    asked(
        BuiltinScope::External,
        "prioritise_nocache",
        "(Proc, <{Event}>) -> Proc",
    ),
    asked(
        BuiltinScope::External,
        "prioritisepo",
        "(Proc, {Event}, {(Event, Event)}, {Event}) -> Proc",
    ),
    asked(
        BuiltinScope::External,
        "mtransclose",
        "Eq a => ({(a, a)}, {a}) -> {(a, a)}",
    ),
    asked(
        BuiltinScope::External,
        "relational_image",
        "(Eq a, Set b) => ({(a, b)}) -> (a) -> {b}",
    ),
    asked(
        BuiltinScope::External,
        "relational_inverse_image",
        "(Set a, Eq b) => ({(a, b)}) -> (b) -> {a}",
    ),
    asked(
        BuiltinScope::External,
        "transpose",
        "(Set a, Set b) => ({(a, b)}) -> {(b, a)}",
    ),
    asked(BuiltinScope::Timed, "WAIT", "(Int) -> Proc"),
    asked(BuiltinScope::Timed, "timed_priority", COMPRESSION),
];

/// The type of entry `index` of [`ALL`], with new variables.
pub(crate) fn instance(index: usize, types: &mut Types) -> Ty {
    let text = ALL[index].ty;
    let mut reader = TypeReader {
        rest: text,
        types,
        variables: HashMap::new(),
    };
    if let Some((constraints, _)) = constraints(text) {
        reader.constraints(constraints);
    }
    let body = constraints(text).map_or(text, |(_, body)| body);
    reader.rest = body;
    let ty = reader.ty();
    assert!(reader.rest.trim().is_empty(), "bad built-in type: {text}");
    ty
}

/// What stands before `=>` at the front, if classes do.
fn constraints(text: &'static str) -> Option<(&'static str, &'static str)> {
    let (front, body) = text.split_once("=>")?;
    let bare = front.trim().trim_start_matches('(');
    let word = bare.split(' ').next().unwrap_or_default();
    TypeClass::named(word).map(|_| (front, body))
}

/// Reads a type from a text that we wrote ourselves.
struct TypeReader<'t> {
    rest: &'static str,
    types: &'t mut Types,
    variables: HashMap<&'static str, Ty>,
}

impl TypeReader<'_> {
    fn constraints(&mut self, text: &'static str) {
        let bare = text.trim().trim_start_matches('(').trim_end_matches(')');
        for pair in bare.split(',') {
            let (class, name) = pair.trim().split_once(' ').expect("a class and a variable");
            let class = TypeClass::named(class).expect("a class");
            let variable = self.types.fresh_with(TypeClasses::of(class));
            self.variables.insert(name, variable);
        }
    }

    /// `t -> u`, `t => u`, `t =>* u`, or what binds more tightly.
    fn ty(&mut self) -> Ty {
        if self.eat("(|") {
            let map = self.map();
            return map;
        }
        if self.eat("(") {
            let all = self.list(")");
            if self.eat("->") {
                let result = self.ty();
                return self.types.function(all, result);
            }
            return self.types.tuple(all);
        }
        let front = self.atom();
        if self.eat("=>*") {
            let result = self.ty();
            return self.types.extendable(result, front);
        }
        if self.eat("=>") {
            let result = self.ty();
            return self.types.dotable(front, result);
        }
        front
    }

    fn map(&mut self) -> Ty {
        let key = self.atom();
        assert!(self.eat("=>"), "bad built-in map type at {}", self.rest);
        let value = self.atom();
        assert!(self.eat("|)"), "bad built-in map type at {}", self.rest);
        self.types.map(key, value)
    }

    fn list(&mut self, close: &str) -> Vec<Ty> {
        let mut all = Vec::new();
        loop {
            all.push(self.ty());
            if self.eat(close) {
                return all;
            }
            assert!(self.eat(","), "bad built-in type at {}", self.rest);
        }
    }

    fn atom(&mut self) -> Ty {
        if self.eat("{") {
            let inner = self.ty();
            assert!(self.eat("}"), "bad built-in type at {}", self.rest);
            return self.types.set(inner);
        }
        if self.eat("<") {
            let inner = self.ty();
            assert!(self.eat(">"), "bad built-in type at {}", self.rest);
            return self.types.seq(inner);
        }
        self.rest = self.rest.trim_start();
        let end = self.rest.find(|c: char| !c.is_alphanumeric());
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        match word {
            "Int" => self.types.int(),
            "Bool" => self.types.bool(),
            "Char" => self.types.char(),
            "Event" => self.types.event(),
            "Proc" => self.types.proc(),
            _ => match self.variables.get(word) {
                Some(&variable) => variable,
                None => {
                    let variable = self.types.fresh();
                    self.variables.insert(word, variable);
                    variable
                }
            },
        }
    }

    fn eat(&mut self, token: &str) -> bool {
        self.rest = self.rest.trim_start();
        let after = self.rest.strip_prefix(token);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::typeck::show::Shower;

    #[test]
    fn every_built_in_type_is_read_as_it_is_written() {
        for (index, entry) in ALL.iter().enumerate() {
            let mut types = Types::new();
            let ty = instance(index, &mut types);
            let shown = Shower::new(&[]).scheme(&mut types, ty);
            let (Some(front), back) = (entry.ty.find("=> "), shown.find("=> ")) else {
                continue;
            };
            assert_eq!(back.is_some(), front > 0, "{}: {shown}", entry.name);
        }
        let mut types = Types::new();
        let index = ALL.iter().position(|e| e.name == "relational_image");
        let ty = instance(index.expect("there"), &mut types);
        let shown = Shower::new(&[]).scheme(&mut types, ty);
        assert_eq!(shown, "(Eq a, Set b) => ({(a, b)}) -> (a) -> {b}");
    }

    #[test]
    fn no_name_is_there_twice() {
        let mut names: Vec<&str> = ALL.iter().map(|entry| entry.name).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|w| w[0] != w[1]), "{names:?}");
    }
}
