//! Where numbers stand in events, and events with some of their values replaced.
//!
//! A place is a way from a channel to a number: through its fields, through constructors, tuples
//! and dotted values by position, and into sets and sequences, whose elements are one place.
//!
//! *Example.* `channel c : {0..1}.Set({5..6})` has the places `field 1 of c`, which holds 0 and 1,
//! and `elements of field 2 of c`, which holds 5 and 6.

use super::ValueField;
use crate::eval::Script;
use crate::value::{MakerId, Seq, Set, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// One step into a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Hop {
    /// A field of the channel, a part of a tuple or a dotted value.
    Part(usize),
    /// A field of what a constructor made.
    Made(MakerId, usize),
    /// An element of a set or sequence.
    Element,
}

/// All places of numbers in some events.
pub(super) struct NumberPlaces {
    ways: Vec<Vec<Hop>>,
    numbers: HashMap<Vec<Hop>, u32>,
    held: BTreeMap<ValueField, BTreeSet<i64>>,
    /// By number at a place, and by constructor: the events that hold it, ascending.
    of_number: HashMap<(ValueField, i64), Vec<u32>>,
    of_maker: HashMap<MakerId, Vec<u32>>,
}

/// A member of a sort as it stands in events.
pub(super) enum HeldMember<'a> {
    /// A constructor, or a channel.
    Maker(MakerId),
    /// A number at one of these places.
    Number(&'a [ValueField], i64),
}

impl NumberPlaces {
    /// Those of some events.
    pub fn new(events: &[&Value]) -> NumberPlaces {
        let mut places = NumberPlaces {
            ways: Vec::new(),
            numbers: HashMap::new(),
            held: BTreeMap::new(),
            of_number: HashMap::new(),
            of_maker: HashMap::new(),
        };
        for event in events {
            if let Value::Made(channel, parts) = event.seen() {
                for (i, part) in parts.iter().enumerate() {
                    places.add(*channel, &mut vec![Hop::Part(i)], part);
                }
            }
        }
        // Places are those of plain events; pairs of events hold what their parts hold.
        for (number, event) in (0..).zip(events) {
            places.index(number, event);
        }
        places
    }

    /// The events that hold something, some of them twice.
    pub fn holding<'p>(&'p self, held: HeldMember<'p>) -> Box<dyn Iterator<Item = u32> + 'p> {
        match held {
            HeldMember::Maker(maker) => {
                Box::new(self.of_maker.get(&maker).into_iter().flatten().copied())
            }
            HeldMember::Number(fields, number) => {
                let at = fields
                    .iter()
                    .filter_map(move |field| self.of_number.get(&(*field, number)));
                Box::new(at.flatten().copied())
            }
        }
    }

    /// Notes what an event holds.
    fn index(&mut self, number: u32, event: &Value) {
        match event.seen() {
            Value::Made(channel, parts) => {
                note(number, self.of_maker.entry(*channel).or_default());
                for (i, part) in parts.iter().enumerate() {
                    self.index_value(number, *channel, &mut vec![Hop::Part(i)], part);
                }
            }
            Value::Tuple(parts) => parts.iter().for_each(|part| self.index(number, part)),
            _ => {}
        }
    }

    fn index_value(&mut self, number: u32, channel: MakerId, way: &mut Vec<Hop>, value: &Value) {
        match value.seen() {
            Value::Int(n) => {
                let place = self.numbers.get(way).copied();
                if let Some(place) = place {
                    let at = self.of_number.entry(((channel, place), *n)).or_default();
                    note(number, at);
                }
                return;
            }
            Value::Made(maker, _) => note(number, self.of_maker.entry(*maker).or_default()),
            _ => {}
        }
        for (hop, part) in inside(value) {
            way.push(hop);
            self.index_value(number, channel, way, part);
            way.pop();
        }
    }

    /// By place: the numbers that stand there.
    pub fn held(&self) -> &BTreeMap<ValueField, BTreeSet<i64>> {
        &self.held
    }

    fn add(&mut self, channel: MakerId, way: &mut Vec<Hop>, value: &Value) {
        if let Value::Int(n) = value.seen() {
            let next = self.ways.len() as u32;
            let place = *self.numbers.entry(way.clone()).or_insert_with(|| {
                self.ways.push(way.clone());
                next
            });
            self.held.entry((channel, place)).or_default().insert(*n);
            return;
        }
        for (hop, part) in inside(value) {
            way.push(hop);
            self.add(channel, way, part);
            way.pop();
        }
    }

    /// What a place is called.
    pub fn name(&self, place: u32, channel: &str, script: &Script) -> String {
        let mut name = channel.to_owned();
        for (i, hop) in self.ways[place as usize].iter().enumerate() {
            name = match (hop, i) {
                (Hop::Part(at), 0) => format!("field {} of {name}", at + 1),
                (Hop::Part(at), _) => format!("part {} of {name}", at + 1),
                (Hop::Made(maker, at), _) => {
                    format!(
                        "field {} of {} in {name}",
                        at + 1,
                        script.maker_name(*maker)
                    )
                }
                (Hop::Element, _) => format!("elements of {name}"),
            };
        }
        name
    }
}

/// Adds a number that is not less than those before, once.
fn note(number: u32, to: &mut Vec<u32>) {
    if to.last() != Some(&number) {
        to.push(number);
    }
}

/// The values directly inside of a value.
fn inside(value: &Value) -> Vec<(Hop, &Value)> {
    match value.seen() {
        Value::Made(maker, all) => {
            let hop = |(at, part)| (Hop::Made(*maker, at), part);
            all.iter().enumerate().map(hop).collect()
        }
        Value::Tuple(all) | Value::Dot(all) => {
            let all = all.iter().enumerate();
            all.map(|(at, part)| (Hop::Part(at), part)).collect()
        }
        Value::Set(Set::Listed(all)) => all.iter().map(|part| (Hop::Element, part)).collect(),
        Value::Seq(all) if all.rest().is_none() => {
            let all = all.chunk().iter();
            all.map(|part| (Hop::Element, part)).collect()
        }
        _ => Vec::new(),
    }
}

/// A permutation of values.
pub(super) struct ValuePermutation {
    /// Where constructors and channels go.
    pub makers: HashMap<MakerId, MakerId>,
    /// By place: where numbers go.
    pub numbers: HashMap<ValueField, HashMap<i64, i64>>,
}

impl ValuePermutation {
    /// An event with its values replaced.
    pub fn of(&self, event: &Value, places: &NumberPlaces) -> Value {
        match event.seen() {
            Value::Made(channel, parts) => {
                let parts = parts.iter().enumerate().map(|(i, part)| {
                    let mut way = vec![Hop::Part(i)];
                    self.value(part, *channel, &mut way, places)
                });
                let channel = self.makers.get(channel).unwrap_or(channel);
                Value::Made(*channel, parts.collect())
            }
            // The inside of a linked parallel: two events.
            Value::Tuple(parts) => {
                Value::Tuple(parts.iter().map(|part| self.of(part, places)).collect())
            }
            other => other.clone(),
        }
    }

    fn value(
        &self,
        value: &Value,
        channel: MakerId,
        way: &mut Vec<Hop>,
        places: &NumberPlaces,
    ) -> Value {
        if let Value::Int(n) = value.seen() {
            let place = places.numbers.get(way);
            let to = place.and_then(|place| self.numbers.get(&(channel, *place)));
            return Value::Int(*to.and_then(|to| to.get(n)).unwrap_or(n));
        }
        let mut parts = Vec::new();
        for (hop, part) in inside(value) {
            way.push(hop);
            parts.push(self.value(part, channel, way, places));
            way.pop();
        }
        match value.seen() {
            Value::Made(maker, _) => {
                let maker = self.makers.get(maker).unwrap_or(maker);
                Value::Made(*maker, parts.into())
            }
            Value::Tuple(_) => Value::Tuple(parts.into()),
            Value::Dot(_) => Value::Dot(parts.into()),
            Value::Set(Set::Listed(_)) => Value::Set(Set::from(parts)),
            Value::Seq(all) if all.rest().is_none() => Value::Seq(Seq::from(parts)),
            other => other.clone(),
        }
    }
}
