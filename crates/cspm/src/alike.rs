//! Which values of a script might be interchangeable: exchanges of two values, lifted to events.
//!
//! Nothing is decided here. Constructors without fields of one datatype are offered, and numbers
//! that stand in fields of channels: fields that hold the same numbers may hold names of the same
//! things, or of different ones, so that sets of such fields are offered one after another, larger
//! ones first. Whoever uses an exchange certifies it on the processes themselves.
//!
//! Worked example: `channel move : {1..3}.Pole.Pole` with `datatype Pole = A | B | C`. Families:
//! the poles, with the exchanges (A B), (A C), (B C), each of which sends `move.2.A.C` where it
//! belongs; and the first field of `move`, with the exchanges of discs, which no process allows.

use crate::eval::Script;
use crate::process::Event;
use crate::value::{MakerId, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The most fields of which all sets are offered.
const FIELDS_MAX: usize = 5;
/// The most exchanges of a family.
const EXCHANGES_MAX: usize = 300;

/// A field of a channel: which channel, and which of its fields.
pub type Field = (MakerId, usize);

/// Exchanges of the members of one set of values.
#[derive(Clone, Debug)]
pub struct Family {
    /// What it is about: the datatype, or the fields.
    pub name: String,
    /// The fields whose numbers are exchanged; none if it is about constructors.
    pub fields: Vec<Field>,
    /// Each by name and by event: where it goes.
    pub exchanges: Vec<(String, Vec<u32>)>,
}

/// The families of exchanges that the first `n_events` events of a script allow.
pub fn families(script: &Script, n_events: usize) -> Vec<Family> {
    let events: Vec<&Value> = (0..n_events)
        .map(|n| script.event_value(Event::new(n)))
        .collect();
    let numbers: BTreeMap<&Value, u32> = events.iter().copied().zip(0..).collect();
    let mut all = Vec::new();
    for (name, makers) in script.plain_constructors() {
        let pairs = pairs(&makers);
        let exchanges = pairs.filter_map(|(a, b)| {
            let name = format!("({} {})", script.maker_name(a), script.maker_name(b));
            let lifted = lift(&events, &numbers, &|event| renamed(event, a, b));
            Some((name, lifted?))
        });
        all.push(Family {
            name,
            fields: Vec::new(),
            exchanges: exchanges.collect(),
        });
    }
    for fields in field_sets(&events) {
        let members: Vec<i64> = held(&events, &fields[..1]).into_iter().collect();
        let pairs = pairs(&members);
        let exchanges = pairs.filter_map(|(a, b)| {
            let lifted = lift(&events, &numbers, &|event| renumbered(event, &fields, a, b));
            Some((format!("({a} {b})"), lifted?))
        });
        let names = fields
            .iter()
            .map(|(maker, at)| format!("field {} of {}", at + 1, script.maker_name(*maker)));
        all.push(Family {
            name: names.collect::<Vec<_>>().join(", "),
            exchanges: exchanges.collect(),
            fields,
        });
    }
    all.retain(|family| !family.exchanges.is_empty());
    all
}

/// All pairs, each once, up to a limit.
fn pairs<T: Copy>(members: &[T]) -> impl Iterator<Item = (T, T)> + '_ {
    let pairs = members.iter().enumerate();
    let pairs = pairs.flat_map(move |(i, a)| members[i + 1..].iter().map(move |b| (*a, *b)));
    pairs.take(EXCHANGES_MAX)
}

/// Where each event goes, if what an exchange makes of each is an event, and some event moves.
fn lift(
    events: &[&Value],
    numbers: &BTreeMap<&Value, u32>,
    exchange: &dyn Fn(&Value) -> Value,
) -> Option<Vec<u32>> {
    let lifted = events
        .iter()
        .map(|event| numbers.get(&exchange(event)).copied());
    let lifted: Vec<u32> = lifted.collect::<Option<_>>()?;
    let moves = lifted
        .iter()
        .enumerate()
        .any(|(from, to)| from != *to as usize);
    moves.then_some(lifted)
}

/// A value with two constructors exchanged, wherever they are in it.
fn renamed(value: &Value, a: MakerId, b: MakerId) -> Value {
    let all = |parts: &[Value]| parts.iter().map(|part| renamed(part, a, b)).collect();
    match value.seen() {
        Value::Made(maker, parts) => {
            let maker = match *maker {
                maker if maker == a => b,
                maker if maker == b => a,
                maker => maker,
            };
            Value::Made(maker, all(parts))
        }
        Value::Dot(parts) => Value::Dot(all(parts)),
        Value::Tuple(parts) => Value::Tuple(all(parts)),
        other => other.clone(),
    }
}

/// An event with two numbers exchanged in some fields.
fn renumbered(event: &Value, fields: &[Field], a: i64, b: i64) -> Value {
    let Value::Made(channel, parts) = event.seen() else {
        return event.clone();
    };
    let part = |(at, part): (usize, &Value)| match part.seen() {
        Value::Int(n) if fields.contains(&(*channel, at)) => Value::Int(match *n {
            n if n == a => b,
            n if n == b => a,
            n => n,
        }),
        _ => part.clone(),
    };
    Value::Made(*channel, parts.iter().enumerate().map(part).collect())
}

/// The numbers that stand in some fields.
fn held(events: &[&Value], fields: &[Field]) -> BTreeSet<i64> {
    let mut numbers = BTreeSet::new();
    for event in events {
        let Value::Made(channel, parts) = event.seen() else {
            continue;
        };
        for (at, part) in parts.iter().enumerate() {
            if let (Value::Int(n), true) = (part.seen(), fields.contains(&(*channel, at))) {
                numbers.insert(*n);
            }
        }
    }
    numbers
}

/// Sets of fields that hold the same two or more numbers, larger ones first.
fn field_sets(events: &[&Value]) -> Vec<Vec<Field>> {
    let mut numbers: BTreeMap<Field, BTreeSet<i64>> = BTreeMap::new();
    for event in events {
        let Value::Made(channel, parts) = event.seen() else {
            continue;
        };
        for (at, part) in parts.iter().enumerate() {
            if let Value::Int(n) = part.seen() {
                numbers.entry((*channel, at)).or_default().insert(*n);
            }
        }
    }
    let mut alike: BTreeMap<BTreeSet<i64>, Vec<Field>> = BTreeMap::new();
    for (field, numbers) in numbers {
        if numbers.len() > 1 {
            alike.entry(numbers).or_default().push(field);
        }
    }
    let mut sets = Vec::new();
    for fields in alike.into_values() {
        if fields.len() > FIELDS_MAX {
            sets.push(fields);
            continue;
        }
        let mut parts: Vec<Vec<Field>> = (1_u32..1 << fields.len())
            .map(|set| {
                let chosen = fields.iter().enumerate();
                let chosen = chosen.filter(|(i, _)| set >> i & 1 == 1);
                chosen.map(|(_, field)| *field).collect()
            })
            .collect();
        parts.sort_by_key(|part: &Vec<Field>| std::cmp::Reverse(part.len()));
        sets.extend(parts);
    }
    sets
}
