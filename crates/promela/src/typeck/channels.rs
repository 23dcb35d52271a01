//! What channels carry, found by unification.
//!
//! A channel variable without an initial value, a parameter, a field: nothing in its declaration
//! says what it carries. Every flow says something: an assignment, a `run` argument, a message that
//! is itself a channel, a send or receive. Each place that holds a channel belongs to a class;
//! flows merge classes, and a class knows the fields of its messages as soon as one member does.
//! SPIN does not ask, so a clash is a warning. A channel that is sent over itself makes a class
//! whose field is the class: there is no check against that, such types are wanted.
//!
//! Worked example: `chan a = [1] of {chan}; chan b = [1] of {byte, int}`; after `a!b` the field of
//! `a` is the class of `b`; after `a?c` so is `c`, and `c!1` is a clash: two fields, one value.
//!
//! Source: type reconstruction for Promela (A. Donaldson, 2007, section 8.2), without its subtypes
//! of numbers. Cost: almost linear in the number of flows. All elements of an array share a class,
//! and so do all records of a type: finer classes would not change what is reported.

use crate::place::{Origins, Place};
use crate::typed::{
    Access, Initial, RecordId, Signature, SortId, Type, Value, Variable, VariableId,
};
use base::Diagnostic;
use std::collections::HashMap;

/// What flows somewhere.
#[derive(Clone, Copy, Debug)]
pub enum Flow {
    /// A channel of that class.
    Channel(usize),
    /// A value that is no channel, with its type.
    Plain(Type),
    /// A number as written.
    Literal(i32),
    /// The undefined reference.
    Undefined,
    /// Anything: a field that is dropped.
    Any,
}

/// Classes of channels.
pub struct Channels {
    parents: Vec<usize>,
    /// The fields of the messages, where known.
    contents: Vec<Option<Vec<Flow>>>,
    /// Whether a declaration says so; else a use does, and a declaration is believed more.
    declared: Vec<bool>,
    of_variable: HashMap<VariableId, usize>,
    of_field: HashMap<(RecordId, usize), usize>,
    clashes: Vec<(Place, String)>,
    /// Where a member of a sort meets what it must not meet.
    mixtures: Vec<(Place, String)>,
    /// By sort: its name in messages, and the number that may be written for no member.
    sorts: Vec<(String, Option<i32>)>,
}

impl Channels {
    /// No channels.
    pub fn new() -> Channels {
        Channels {
            parents: Vec::new(),
            contents: Vec::new(),
            declared: Vec::new(),
            of_variable: HashMap::new(),
            of_field: HashMap::new(),
            clashes: Vec::new(),
            mixtures: Vec::new(),
            sorts: Vec::new(),
        }
    }

    /// Takes a variable in.
    pub fn add_variable(&mut self, variable: &Variable, id: VariableId) {
        if variable.kind != Type::Chan {
            return;
        }
        let class = self.fresh();
        self.of_variable.insert(id, class);
        self.fill(class, variable);
    }

    /// Takes the field of a record in.
    pub fn add_field(&mut self, record: RecordId, field: usize, variable: &Variable) {
        if variable.kind == Type::Chan {
            let class = self.fresh();
            self.of_field.insert((record, field), class);
            self.fill(class, variable);
        }
    }

    /// Takes a sort in.
    pub fn add_sort(&mut self, words: String, undefined: Option<i32>) {
        self.sorts.push((words, undefined));
    }

    fn fill(&mut self, class: usize, variable: &Variable) {
        if let Initial::Channel(channel) = &variable.initial {
            let fields = channel.signature.fields.clone();
            let fields = fields.into_iter().map(|kind| self.of_type(kind)).collect();
            self.contents[class] = Some(fields);
            self.declared[class] = true;
        }
    }

    /// What a value of this type is: a channel of which nothing is known, or a plain value.
    pub fn of_type(&mut self, kind: Type) -> Flow {
        match kind {
            Type::Chan => Flow::Channel(self.fresh()),
            kind => Flow::Plain(kind),
        }
    }

    fn fresh(&mut self) -> usize {
        self.parents.push(self.parents.len());
        self.contents.push(None);
        self.declared.push(false);
        self.parents.len() - 1
    }

    fn root(&mut self, mut class: usize) -> usize {
        while self.parents[class] != class {
            self.parents[class] = self.parents[self.parents[class]];
            class = self.parents[class];
        }
        class
    }

    /// What an access holds; `record` is the record that holds its last field.
    pub fn of_access(&mut self, access: &Access, record: Option<RecordId>) -> Flow {
        if access.kind != Type::Chan {
            return Flow::Plain(access.kind);
        }
        let class = match (record, access.fields.last()) {
            (Some(record), Some(last)) => self.of_field.get(&(record, last.field)).copied(),
            _ => self.of_variable.get(&access.variable).copied(),
        };
        match class {
            Some(class) => Flow::Channel(class),
            None => self.of_type(Type::Chan),
        }
    }

    /// What a computed value is.
    pub fn of_value(&mut self, value: Value) -> Flow {
        match value {
            Value::Number => Flow::Plain(Type::Int),
            Value::Truth => Flow::Plain(Type::Bool),
            Value::Pid => Flow::Plain(Type::Pid),
            Value::Name(set) => Flow::Plain(Type::Mtype(set)),
            Value::Channel => self.of_type(Type::Chan),
            Value::Member(sort) => Flow::Plain(Type::Member(sort)),
            Value::Undefined => Flow::Undefined,
        }
    }

    /// `a` and `b` are the same from now on.
    pub fn unify(&mut self, a: Flow, b: Flow, place: Place) {
        let mut work = vec![(a, b)];
        while let Some((a, b)) = work.pop() {
            match (a, b) {
                (Flow::Channel(a), Flow::Channel(b)) => {
                    let (a, b) = (self.root(a), self.root(b));
                    if a != b {
                        self.merge(a, b, place, &mut work);
                    }
                }
                (Flow::Plain(Type::Member(sort)), other)
                | (other, Flow::Plain(Type::Member(sort))) => self.meet(sort, other, place),
                (Flow::Undefined | Flow::Any, Flow::Undefined | Flow::Any) => {}
                (Flow::Undefined, _) | (_, Flow::Undefined) => {
                    let message = "the undefined reference meets what is no reference here";
                    self.mixtures.push((place, message.to_owned()));
                }
                (Flow::Channel(_), Flow::Plain(_) | Flow::Literal(_))
                | (Flow::Plain(_) | Flow::Literal(_), Flow::Channel(_)) => {
                    let message = "a channel meets a number here".to_owned();
                    self.clashes.push((place, message));
                }
                _ => {}
            }
        }
    }

    /// A member of `sort` meets something else.
    fn meet(&mut self, sort: SortId, other: Flow, place: Place) {
        let (words, undefined) = &self.sorts[sort.index()];
        let fits = match other {
            Flow::Plain(Type::Member(other)) => sort == other,
            Flow::Literal(n) => *undefined == Some(n),
            Flow::Undefined => undefined.is_none(),
            Flow::Any => true,
            Flow::Plain(_) | Flow::Channel(_) => false,
        };
        if fits {
            return;
        }
        let what = match other {
            Flow::Plain(Type::Member(other)) => self.sorts[other.index()].0.clone(),
            Flow::Channel(_) => "a channel".to_owned(),
            Flow::Undefined => "the undefined reference".to_owned(),
            _ => "a number".to_owned(),
        };
        let message = format!("{words} meets {what} here");
        self.mixtures.push((place, message));
    }

    fn merge(&mut self, a: usize, b: usize, place: Place, work: &mut Vec<(Flow, Flow)>) {
        // The root is the class that knows more: what is declared is believed first.
        let (a, b) = if self.declared[b] && !self.declared[a] {
            (b, a)
        } else {
            (a, b)
        };
        self.parents[b] = a;
        let (known, other) = (self.contents[a].take(), self.contents[b].take());
        let (Some(mut known), Some(other)) = (known.clone(), other.clone()) else {
            self.contents[a] = known.or(other);
            return;
        };
        let differ = |(a, b): (&Flow, &Flow)| match (a, b) {
            (Flow::Plain(Type::Member(_)), _) | (_, Flow::Plain(Type::Member(_))) => false,
            (Flow::Plain(a), Flow::Plain(b)) => a != b,
            _ => false,
        };
        let both_declared = self.declared[a] && self.declared[b];
        if known.len() == other.len() {
            if both_declared && known.iter().zip(&other).any(differ) {
                let message = "channels with messages of different types meet here";
                self.clashes.push((place, message.to_owned()));
            }
            work.extend(known.iter().copied().zip(other.iter().copied()));
        } else {
            let (n, m) = (known.len(), other.len());
            let message = format!("channels with messages of {n} and of {m} fields meet here");
            self.clashes.push((place, message));
        }
        for (mine, theirs) in known.iter_mut().zip(other) {
            if is_vague(*mine) {
                *mine = theirs;
            }
        }
        self.contents[a] = Some(known);
    }

    /// A message with these fields goes over a channel.
    pub fn message(&mut self, channel: Flow, fields: &[Flow], place: Place) {
        let Flow::Channel(class) = channel else {
            let message = "this is used as a channel, but it is none".to_owned();
            self.clashes.push((place, message));
            return;
        };
        let root = self.root(class);
        let Some(content) = self.contents[root].clone() else {
            self.contents[root] = Some(fields.to_vec());
            return;
        };
        if content.len() != fields.len() {
            let (n, m) = (content.len(), fields.len());
            let message = format!("the messages of this channel have {n} fields, here are {m}");
            self.clashes.push((place, message));
        }
        for (i, (&has, &gets)) in content.iter().zip(fields).enumerate() {
            if is_vague(has) {
                let root = self.root(root);
                if let Some(content) = &mut self.contents[root] {
                    content[i] = gets;
                }
            }
            self.unify(has, gets, place);
        }
    }

    /// What each variable carries.
    pub fn signatures(&mut self, variables: &[Variable]) -> Vec<Option<Signature>> {
        let mut all = Vec::with_capacity(variables.len());
        for i in 0..variables.len() {
            let class = self.of_variable.get(&VariableId::new(i)).copied();
            let content = class
                .map(|c| self.root(c))
                .and_then(|c| self.contents[c].clone());
            all.push(content.map(|fields| {
                let kind = |flow: Flow| match flow {
                    Flow::Channel(_) => Type::Chan,
                    Flow::Plain(kind) => kind,
                    Flow::Any | Flow::Literal(_) | Flow::Undefined => Type::Int,
                };
                let fields = fields.into_iter().map(kind).collect();
                Signature { fields }
            }));
        }
        all
    }

    /// The clashes as warnings, the mixtures of members with other things as errors.
    pub fn clashes(&self, origins: &Origins) -> Vec<Diagnostic> {
        let warning = |(place, message): &(Place, String)| origins.warning(*place, message.clone());
        let error = |(place, message): &(Place, String)| origins.error(*place, message.clone());
        let mixtures = self.mixtures.iter().map(error);
        self.clashes.iter().map(warning).chain(mixtures).collect()
    }
}

/// Whether a use says nothing of the type: another one is believed more.
fn is_vague(flow: Flow) -> bool {
    matches!(flow, Flow::Any | Flow::Literal(_) | Flow::Undefined)
}
