//! What channels carry, found by unification.
//!
//! A channel variable without an initial value, a parameter, a field: nothing in its declaration
//! says what it carries. Every flow says something: an assignment, a `run` argument, a message that
//! is itself a channel, a send or receive. Each place that holds a channel belongs to a class;
//! flows merge classes, and a class knows the fields of its messages as soon as one member does.
//! SPIN does not ask, so a clash is a warning. A channel that is sent over itself makes a class
//! whose field is the class: there is no check against that, such types are wanted.
//!
//! Warnings show what channels carry, such classes included, in finite form ([`super::carried`]).
//!
//! Worked example: `chan a = [1] of {chan}; chan b = [1] of {byte, int}`; after `a!b` the field of
//! `a` is the class of `b`; after `a?c` so is `c`, and `c!1` is a clash: two fields, one value.
//!
//! Source: type reconstruction for Promela (A. Donaldson, 2007, section 8.2), without its subtypes
//! of numbers. Cost: almost linear in the number of flows. All elements of an array share a class,
//! and so do all records of a type: finer classes would not change what is reported.

use super::carried::{Carried, MessageField};
use crate::place::{Origins, Place};
use crate::typed::{
    Access, Initial, MessageFields, RecordId, SortId, Type, Value, Variable, VariableId,
};
use base::Diagnostic;
use std::collections::HashMap;

/// Of more classes of channels it is not shown what they carry.
const NODES_MAX: usize = 100;

/// What flows somewhere.
#[derive(Clone, Copy, Debug)]
pub enum FieldFlow {
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
pub struct ChannelClasses {
    parents: Vec<usize>,
    /// The fields of the messages, where known.
    contents: Vec<Option<Vec<FieldFlow>>>,
    /// Whether a declaration says so; else a use does, and a declaration is believed more.
    declared: Vec<bool>,
    of_variable: HashMap<VariableId, usize>,
    of_field: HashMap<(RecordId, usize), usize>,
    clashes: Vec<ChannelClash>,
    /// Where a member of a sort meets what it must not meet.
    mixtures: Vec<(Place, String)>,
    /// By sort: its name in messages, and the number that may be written for no member.
    sorts: Vec<(String, Option<i32>)>,
}

/// What does not fit.
struct ChannelClash {
    place: Place,
    message: String,
    /// What the channels carry.
    note: Option<String>,
}

impl ChannelClasses {
    /// No channels.
    pub fn new() -> ChannelClasses {
        ChannelClasses {
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
    pub(crate) fn add_variable(&mut self, variable: &Variable, id: VariableId) {
        if variable.kind != Type::Chan {
            return;
        }
        let class = self.fresh();
        self.of_variable.insert(id, class);
        self.fill(class, variable);
    }

    /// Takes the field of a record in.
    pub(crate) fn add_field(&mut self, record: RecordId, field: usize, variable: &Variable) {
        if variable.kind == Type::Chan {
            let class = self.fresh();
            self.of_field.insert((record, field), class);
            self.fill(class, variable);
        }
    }

    /// Takes a sort in.
    pub(crate) fn add_sort(&mut self, words: String, undefined: Option<i32>) {
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
    pub fn of_type(&mut self, kind: Type) -> FieldFlow {
        match kind {
            Type::Chan => FieldFlow::Channel(self.fresh()),
            kind => FieldFlow::Plain(kind),
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
    pub(crate) fn of_access(&mut self, access: &Access, record: Option<RecordId>) -> FieldFlow {
        if access.kind != Type::Chan {
            return FieldFlow::Plain(access.kind);
        }
        let class = match (record, access.fields.last()) {
            (Some(record), Some(last)) => self.of_field.get(&(record, last.field)).copied(),
            _ => self.of_variable.get(&access.variable).copied(),
        };
        match class {
            Some(class) => FieldFlow::Channel(class),
            None => self.of_type(Type::Chan),
        }
    }

    /// What a computed value is.
    pub fn of_value(&mut self, value: Value) -> FieldFlow {
        match value {
            Value::Number => FieldFlow::Plain(Type::Int),
            Value::Truth => FieldFlow::Plain(Type::Bool),
            Value::Pid => FieldFlow::Plain(Type::Pid),
            Value::Name(set) => FieldFlow::Plain(Type::Mtype(set)),
            Value::Channel => self.of_type(Type::Chan),
            Value::Member(sort) => FieldFlow::Plain(Type::Member(sort)),
            Value::Undefined => FieldFlow::Undefined,
        }
    }

    /// `a` and `b` are the same from now on.
    pub fn unify(&mut self, a: FieldFlow, b: FieldFlow, place: Place) {
        let mut work = vec![(a, b)];
        while let Some((a, b)) = work.pop() {
            match (a, b) {
                (FieldFlow::Channel(a), FieldFlow::Channel(b)) => {
                    let (a, b) = (self.root(a), self.root(b));
                    if a != b {
                        self.merge(a, b, place, &mut work);
                    }
                }
                (FieldFlow::Plain(Type::Member(sort)), other)
                | (other, FieldFlow::Plain(Type::Member(sort))) => self.meet(sort, other, place),
                (FieldFlow::Undefined | FieldFlow::Any, FieldFlow::Undefined | FieldFlow::Any) => {}
                (FieldFlow::Undefined, _) | (_, FieldFlow::Undefined) => {
                    let message = "the undefined reference meets what is no reference here";
                    self.mixtures.push((place, message.to_owned()));
                }
                (FieldFlow::Channel(class), FieldFlow::Plain(_) | FieldFlow::Literal(_))
                | (FieldFlow::Plain(_) | FieldFlow::Literal(_), FieldFlow::Channel(class)) => {
                    let known = self.known(class);
                    let note = known.map(|text| format!("the messages of the channel are {text}"));
                    self.clash(place, "a channel meets a number here", note);
                }
                _ => {}
            }
        }
    }

    /// A member of `sort` meets something else.
    fn meet(&mut self, sort: SortId, other: FieldFlow, place: Place) {
        let (words, undefined) = &self.sorts[sort.index()];
        let fits = match other {
            FieldFlow::Plain(Type::Member(other)) => sort == other,
            FieldFlow::Literal(n) => *undefined == Some(n),
            FieldFlow::Undefined => undefined.is_none(),
            FieldFlow::Any => true,
            FieldFlow::Plain(_) | FieldFlow::Channel(_) => false,
        };
        if fits {
            return;
        }
        let what = match other {
            FieldFlow::Plain(Type::Member(other)) => self.sorts[other.index()].0.clone(),
            FieldFlow::Channel(_) => "a channel".to_owned(),
            FieldFlow::Undefined => "the undefined reference".to_owned(),
            _ => "a number".to_owned(),
        };
        let message = format!("{words} meets {what} here");
        self.mixtures.push((place, message));
    }

    fn merge(&mut self, a: usize, b: usize, place: Place, work: &mut Vec<(FieldFlow, FieldFlow)>) {
        // The root is the class that knows more: what is declared is believed first.
        let (a, b) = if self.declared[b] && !self.declared[a] {
            (b, a)
        } else {
            (a, b)
        };
        let both_declared = self.declared[a] && self.declared[b];
        let clash = match (&self.contents[a], &self.contents[b]) {
            (Some(mine), Some(theirs)) if mine.len() != theirs.len() => {
                let (n, m) = (mine.len(), theirs.len());
                format!("channels with messages of {n} and of {m} fields meet here")
            }
            (Some(mine), Some(theirs))
                if both_declared && mine.iter().zip(theirs).any(|(a, b)| differ(a, b)) =>
            {
                "channels with messages of different types meet here".to_owned()
            }
            _ => String::new(),
        };
        if !clash.is_empty() {
            let [first, second] = [a, b].map(|c| self.known(c).unwrap_or_default());
            self.clash(
                place,
                &clash,
                Some(format!("they are {first} and {second}")),
            );
        }
        self.parents[b] = a;
        let (known, other) = (self.contents[a].take(), self.contents[b].take());
        let (Some(mut known), Some(other)) = (known.clone(), other.clone()) else {
            self.contents[a] = known.or(other);
            return;
        };
        if known.len() == other.len() {
            work.extend(known.iter().copied().zip(other.iter().copied()));
        }
        for (mine, theirs) in known.iter_mut().zip(other) {
            if is_vague(*mine) {
                *mine = theirs;
            }
        }
        self.contents[a] = Some(known);
    }

    /// A message with these fields goes over a channel.
    pub fn message(&mut self, channel: FieldFlow, fields: &[FieldFlow], place: Place) {
        let FieldFlow::Channel(class) = channel else {
            self.clash(place, "this is used as a channel, but it is none", None);
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
            let note = self.known(root).map(|text| format!("they are {text}"));
            self.clash(place, &message, note);
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
    pub fn signatures(&mut self, variables: &[Variable]) -> Vec<Option<MessageFields>> {
        let mut all = Vec::with_capacity(variables.len());
        for i in 0..variables.len() {
            let class = self.of_variable.get(&VariableId::new(i)).copied();
            let content = class
                .map(|c| self.root(c))
                .and_then(|c| self.contents[c].clone());
            all.push(content.map(|fields| {
                let kind = |flow: FieldFlow| match flow {
                    FieldFlow::Channel(_) => Type::Chan,
                    FieldFlow::Plain(kind) => kind,
                    FieldFlow::Any | FieldFlow::Literal(_) | FieldFlow::Undefined => Type::Int,
                };
                let fields = fields.into_iter().map(kind).collect();
                MessageFields { fields }
            }));
        }
        all
    }

    /// The clashes as warnings, the mixtures of members with other things as errors.
    pub fn clashes(&self, origins: &Origins) -> Vec<Diagnostic> {
        let warning = |clash: &ChannelClash| {
            let warning = origins.warning(clash.place, clash.message.clone());
            match &clash.note {
                Some(note) => warning.note(note.clone()),
                None => warning,
            }
        };
        let error = |(place, message): &(Place, String)| origins.error(*place, message.clone());
        let mixtures = self.mixtures.iter().map(error);
        self.clashes.iter().map(warning).chain(mixtures).collect()
    }

    fn clash(&mut self, place: Place, message: &str, note: Option<String>) {
        let message = message.to_owned();
        self.clashes.push(ChannelClash {
            place,
            message,
            note,
        });
    }

    /// The messages of a class in words; `None` if nothing is known of them.
    fn known(&mut self, class: usize) -> Option<String> {
        let root = self.root(class);
        self.contents[root].as_ref()?;
        let mut graph = Carried::new();
        let mut numbers: HashMap<usize, usize> = HashMap::from([(root, 0)]);
        let mut waiting = vec![root];
        // Classes get numbers in the order in which they are met, the root the first.
        while let Some(class) = waiting.get(graph.len()).copied() {
            let fields = self.contents[class]
                .clone()
                .filter(|_| graph.len() < NODES_MAX);
            let mut field = |flow: FieldFlow| match flow {
                FieldFlow::Any | FieldFlow::Literal(_) | FieldFlow::Undefined => MessageField::Open,
                FieldFlow::Plain(kind) => MessageField::Plain(kind),
                FieldFlow::Channel(class) => {
                    let class = self.root(class);
                    let next = numbers.len();
                    MessageField::Channel(*numbers.entry(class).or_insert_with(|| {
                        waiting.push(class);
                        next
                    }))
                }
            };
            let fields = fields.map(|all| all.into_iter().map(&mut field).collect());
            graph.add(fields);
        }
        Some(graph.text())
    }
}

/// Whether two fields are of different types, neither of them a channel.
fn differ(a: &FieldFlow, b: &FieldFlow) -> bool {
    let is_member = |flow: &FieldFlow| matches!(flow, FieldFlow::Plain(Type::Member(_)));
    // Members that meet others are mixtures, told apart from clashes.
    if is_member(a) || is_member(b) {
        return false;
    }
    matches!((a, b), (FieldFlow::Plain(a), FieldFlow::Plain(b)) if a != b)
}

/// Whether a use says nothing of the type: another one is believed more.
fn is_vague(flow: FieldFlow) -> bool {
    matches!(
        flow,
        FieldFlow::Any | FieldFlow::Literal(_) | FieldFlow::Undefined
    )
}
