//! What the functions of the language do.

use super::builtin::{self, Op};
use super::code::ExprCode;
use super::fault::{Fault, Result};
use super::machine::Evaluator;
use super::sequences::union_of;
use super::state::{StateNames, Suspended};
use crate::process::Term;
use crate::value::symbolic::Symbolic;
use crate::value::{BuiltIn, Function, Seq, Set, Value, show};
use base::Span;
use std::collections::BTreeMap;
use std::sync::Arc;

type Map = BTreeMap<Value, Value>;

impl<'p> Evaluator<'p> {
    /// A function of the language applied to arguments.
    pub(crate) fn call_built_in(
        &mut self,
        which: BuiltIn,
        arguments: Vec<Value>,
        span: Span,
    ) -> Result<Value> {
        let entry = builtin::entry(which);
        if arguments.len() != entry.n_arguments {
            let (name, n) = (entry.name, entry.n_arguments);
            let words = format!(
                "`{name}` takes {n} arguments and is given {}",
                arguments.len()
            );
            return self.fault(span, words);
        }
        let mut call = CallArguments {
            arguments: arguments.into_iter(),
            span,
            name: entry.name,
        };
        match entry.op {
            Op::Union
            | Op::Inter
            | Op::Diff
            | Op::Unions
            | Op::Inters
            | Op::Member
            | Op::Card
            | Op::Empty
            | Op::SetOf
            | Op::SeqOf
            | Op::Subsets
            | Op::Sequences => self.on_sets(entry.op, &mut call),
            Op::Length | Op::Null | Op::Head | Op::Tail | Op::Concat | Op::Elem => {
                self.on_sequences(entry.op, &mut call)
            }
            Op::MapFromList
            | Op::MapLookup
            | Op::MapMember
            | Op::MapToList
            | Op::MapUpdate
            | Op::MapUpdateMultiple
            | Op::MapDelete
            | Op::Maps => self.on_maps(entry.op, &mut call),
            Op::Transpose | Op::RelationalImage | Op::RelationalInverseImage | Op::Transclose => {
                self.on_relations(entry.op, &mut call)
            }
            Op::Show | Op::Error | Op::Extensions | Op::Productions => {
                self.on_any(entry.op, &mut call)
            }
            Op::Chaos
            | Op::Run
            | Op::Loop
            | Op::Buffer
            | Op::Compress(_)
            | Op::Wait
            | Op::TimedStop
            | Op::TimedSkip => self.on_processes(entry.op, &mut call),
            Op::Missing(why) => Err(Fault::missing(span, format!("`{}`: {why}", entry.name))),
        }
    }

    fn on_any(&mut self, op: Op, call: &mut CallArguments) -> Result<Value> {
        let value = call.whole(self)?;
        match op {
            Op::Show => {
                let names = StateNames(self.program, self.state, &self.state.terms);
                Ok(Value::text(&show::show(&value, &names)))
            }
            Op::Error => {
                let text = text_of(&value).unwrap_or_else(|| self.shown(&value));
                self.fault(call.span, format!("error: {text}"))
            }
            Op::Extensions => self.extensions(&value, call.span).map(Value::Set),
            _ => self.productions(&value, call.span).map(Value::Set),
        }
    }

    fn on_sets(&mut self, op: Op, call: &mut CallArguments) -> Result<Value> {
        let span = call.span;
        if let Op::SetOf = op {
            let seq = call.seq(self)?;
            let elements = self.elements(&seq, span)?;
            let elements: Result<Vec<Value>> = elements.into_iter().map(|v| self.deep(v)).collect();
            return Ok(Value::Set(Set::from(elements?)));
        }
        if let Op::Member = op {
            let value = call.whole(self)?;
            let set = call.set(self)?;
            return Ok(Value::Bool(self.is_member(&value, &set)));
        }
        let set = call.set(self)?;
        Ok(match op {
            Op::Union => Value::Set(set.union(&call.set(self)?)),
            Op::Inter => {
                let other = call.set(self)?;
                Value::Set(self.refused(set.inter(&other), span)?)
            }
            Op::Diff => {
                let other = call.set(self)?;
                Value::Set(self.refused(set.diff(&other), span)?)
            }
            Op::Unions => Value::Set(union_of(self.inner_sets(&set, span)?)),
            Op::Inters => {
                let mut sets = self.inner_sets(&set, span)?.into_iter();
                let Some(first) = sets.next() else {
                    return self.fault(span, "`Inter` of no sets");
                };
                let mut all = first;
                for next in sets {
                    all = self.refused(all.inter(&next), span)?;
                }
                Value::Set(all)
            }
            Op::Card => Value::Int(self.refused(set.card(), span)? as i64),
            Op::Empty => Value::Bool(set.is_empty()),
            Op::SeqOf => self.seq_of(&set, span)?,
            Op::Subsets => Value::Set(Set::from(Symbolic::Subsets(set)).listed_if_few()),
            Op::Sequences => Value::Set(Set::from(Symbolic::Sequences(set)).listed_if_few()),
            _ => unreachable!("a function on sets"),
        })
    }

    fn seq_of(&mut self, set: &Set, span: Span) -> Result<Value> {
        if let Set::Symbolic(symbolic) = set
            && let Symbolic::From(first) = **symbolic
        {
            return self.numbers_from(first).map(Value::Seq);
        }
        let elements = self.refused(set.elements(), span)?;
        Ok(Value::Seq(Seq::from(elements.to_vec())))
    }

    /// Whether a value is in a set; one that lacks fields is in none.
    fn is_member(&mut self, value: &Value, set: &Set) -> bool {
        set.contains(value)
    }

    fn inner_sets(&mut self, set: &Set, span: Span) -> Result<Vec<Set>> {
        let elements = self.refused(set.elements(), span)?;
        let sets = elements.iter().map(|value| match value {
            Value::Set(set) => Ok(set.clone()),
            other => self.fault(span, format!("{} is no set", self.shown(other))),
        });
        sets.collect()
    }

    fn on_sequences(&mut self, op: Op, call: &mut CallArguments) -> Result<Value> {
        let span = call.span;
        match op {
            Op::Concat => {
                let all = call.next();
                return self.concat(all, span).map(Value::Seq);
            }
            Op::Elem => {
                let value = call.next();
                let mut left = call.seq(self)?;
                while let Some(first) = self.take_first(&mut left)? {
                    if self.equal(value.clone(), first, span)? {
                        return Ok(Value::Bool(true));
                    }
                }
                return Ok(Value::Bool(false));
            }
            _ => {}
        }
        let seq = call.seq(self)?;
        match op {
            Op::Length => Ok(Value::Int(self.elements(&seq, span)?.len() as i64)),
            Op::Null => Ok(Value::Bool(!self.has_front(&seq)?)),
            Op::Head | Op::Tail => match self.front(&seq)? {
                Some((first, _)) if op == Op::Head => self.force(first),
                Some((_, others)) => Ok(Value::Seq(others)),
                None => self.fault(span, format!("`{}` of the empty sequence", call.name)),
            },
            _ => unreachable!("a function on sequences"),
        }
    }

    fn on_maps(&mut self, op: Op, call: &mut CallArguments) -> Result<Value> {
        match op {
            Op::MapFromList => {
                let seq = call.seq(self)?;
                let map = self.with_pairs(Map::new(), &seq, call.span)?;
                return Ok(Value::Map(Arc::new(map)));
            }
            Op::Maps => {
                let (keys, values) = (call.set(self)?, call.set(self)?);
                return Ok(Value::Set(
                    Set::from(Symbolic::Maps(keys, values)).listed_if_few(),
                ));
            }
            _ => {}
        }
        let map = call.map(self)?;
        match op {
            Op::MapToList => {
                let pairs = map
                    .iter()
                    .map(|(k, v)| Value::tuple([k.clone(), v.clone()]));
                Ok(Value::Seq(Seq::from(pairs.collect::<Vec<_>>())))
            }
            Op::MapUpdateMultiple => {
                let seq = call.seq(self)?;
                let map = self.with_pairs((*map).clone(), &seq, call.span)?;
                Ok(Value::Map(Arc::new(map)))
            }
            _ => {
                let key = call.whole(self)?;
                match op {
                    Op::MapMember => Ok(Value::Bool(map.contains_key(&key))),
                    Op::MapLookup => match map.get(&key) {
                        Some(value) => Ok(value.clone()),
                        None => self.fault(
                            call.span,
                            format!("{} is no key of this map", self.shown(&key)),
                        ),
                    },
                    Op::MapUpdate => {
                        let value = call.whole(self)?;
                        let mut map = (*map).clone();
                        map.insert(key, value);
                        Ok(Value::Map(Arc::new(map)))
                    }
                    Op::MapDelete => {
                        let mut map = (*map).clone();
                        map.remove(&key);
                        Ok(Value::Map(Arc::new(map)))
                    }
                    _ => unreachable!("a function on maps"),
                }
            }
        }
    }

    fn with_pairs(&mut self, map: Map, seq: &Seq, span: Span) -> Result<Map> {
        let mut map = map;
        for pair in self.elements(seq, span)? {
            let pair = self.deep(pair)?;
            let (key, value) = self.pair(&pair, span)?;
            map.insert(key, value);
        }
        Ok(map)
    }

    /// The two parts of a pair.
    pub fn pair(&mut self, value: &Value, span: Span) -> Result<(Value, Value)> {
        match value {
            Value::Tuple(parts) if parts.len() == 2 => Ok((parts[0].clone(), parts[1].clone())),
            other => self.fault(span, format!("{} is no pair", self.shown(other))),
        }
    }

    /// `(| k => v |)`
    pub(crate) fn eval_map(
        &mut self,
        pairs: &'p [(ExprCode, ExprCode)],
        base: usize,
    ) -> Result<Value> {
        let mut map = Map::new();
        for (key, value) in pairs {
            let (key, value) = (self.eval(key, base)?, self.eval(value, base)?);
            map.insert(self.deep(key)?, self.deep(value)?);
        }
        Ok(Value::Map(Arc::new(map)))
    }

    fn pairs_of(&mut self, set: &Set, span: Span) -> Result<Vec<(Value, Value)>> {
        let elements = self.refused(set.elements(), span)?;
        elements.iter().map(|pair| self.pair(pair, span)).collect()
    }

    fn on_relations(&mut self, op: Op, call: &mut CallArguments) -> Result<Value> {
        let span = call.span;
        let set = call.set(self)?;
        let pairs = self.pairs_of(&set, span)?;
        let image = |pairs: Vec<(Value, Value)>| {
            let mut by_first: BTreeMap<Value, Vec<Value>> = BTreeMap::new();
            for (a, b) in pairs {
                by_first.entry(a).or_default().push(b);
            }
            let image = by_first
                .into_iter()
                .map(|(a, all)| (a, Set::from(all)))
                .collect();
            Value::Function(Arc::new(Function::Image(Arc::new(image))))
        };
        let turned = |pairs: Vec<(Value, Value)>| pairs.into_iter().map(|(a, b)| (b, a)).collect();
        Ok(match op {
            Op::Transpose => {
                let turned: Vec<(Value, Value)> = turned(pairs);
                let turned = turned.into_iter().map(|(a, b)| Value::tuple([a, b]));
                Value::Set(Set::from(turned.collect::<Vec<_>>()))
            }
            Op::RelationalImage => image(pairs),
            Op::RelationalInverseImage => image(turned(pairs)),
            _ => {
                let among = call.set(self)?;
                Value::Set(representatives(&pairs, &among))
            }
        })
    }

    /// `relational_image(R)(x)`
    pub fn image(
        &mut self,
        map: &BTreeMap<Value, Set>,
        arguments: Vec<Value>,
        span: Span,
    ) -> Result<Set> {
        let mut arguments = arguments.into_iter();
        let (Some(value), None) = (arguments.next(), arguments.next()) else {
            return self.fault(span, "the image of a relation takes one argument");
        };
        let value = self.deep(value)?;
        Ok(map.get(&value).cloned().unwrap_or_else(Set::empty))
    }

    fn on_processes(&mut self, op: Op, call: &mut CallArguments) -> Result<Value> {
        let span = call.span;
        let term = match op {
            Op::Chaos | Op::Run => {
                let set = call.set(self)?;
                let events = self.event_set(&set, span)?;
                let term = if op == Op::Run {
                    Term::Run(events)
                } else {
                    Term::Chaos(events)
                };
                self.state.terms.term(term)
            }
            Op::Compress(compression) => {
                let process = call.process(self)?;
                self.state
                    .terms
                    .term(Term::Compressed(compression, process))
            }
            Op::Loop => {
                let process = call.process(self)?;
                self.state.later(Suspended::Loop(process))
            }
            Op::Buffer => {
                let capacity = call.int(self)?;
                let set = call.set(self)?;
                return self.buffer(capacity, &set, span);
            }
            _ => {
                let tock = call.whole(self)?;
                let tock = self.event(&tock, span)?;
                match op {
                    Op::TimedStop => {
                        let events = self.state.terms.set(vec![tock]);
                        self.state.terms.term(Term::Run(events))
                    }
                    Op::TimedSkip => self.state.later(Suspended::TimedSkip(tock)),
                    _ => {
                        let n = call.int(self)?;
                        let skip = self.state.later(Suspended::TimedSkip(tock));
                        self.wait(tock, n, skip, span)?
                    }
                }
            }
        };
        Ok(Value::Process(term))
    }

    fn buffer(&mut self, capacity: i64, set: &Set, span: Span) -> Result<Value> {
        let Some(capacity) = usize::try_from(capacity).ok().filter(|&n| n > 0) else {
            return self.fault(span, format!("a buffer cannot hold {capacity} events"));
        };
        let mut pairs = Vec::new();
        let mut seen = std::collections::HashSet::new();
        for (input, output) in self.pairs_of(set, span)? {
            let pair = (self.event(&input, span)?, self.event(&output, span)?);
            for (event, value) in [(pair.0, input), (pair.1, output)] {
                if !seen.insert(event) {
                    let shown = self.shown(&value);
                    return self.fault(
                        span,
                        format!("{shown} is twice among the events of a buffer"),
                    );
                }
            }
            pairs.push(pair);
        }
        let held = Suspended::Buffer(capacity, pairs.into(), Arc::from([]));
        Ok(Value::Process(self.state.later(held)))
    }
}

/// The arguments of a call.
struct CallArguments {
    arguments: std::vec::IntoIter<Value>,
    span: Span,
    name: &'static str,
}

impl CallArguments {
    /// The next argument as it is.
    fn next(&mut self) -> Value {
        self.arguments.next().expect("their number was checked")
    }

    /// The next argument, worked out in full.
    fn whole(&mut self, machine: &mut Evaluator<'_>) -> Result<Value> {
        machine.deep(self.next())
    }

    fn wrong<T>(&self, machine: &Evaluator<'_>, value: &Value, kind: &str) -> Result<T> {
        let (name, shown) = (self.name, machine.shown(value));
        machine.fault(
            self.span,
            format!("`{name}` needs {kind}, and {shown} is none"),
        )
    }

    fn set(&mut self, machine: &mut Evaluator<'_>) -> Result<Set> {
        match machine.force(self.next())? {
            Value::Set(set) => Ok(set),
            other => self.wrong(machine, &other, "a set"),
        }
    }

    fn seq(&mut self, machine: &mut Evaluator<'_>) -> Result<Seq> {
        match machine.force(self.next())? {
            Value::Seq(seq) => Ok(seq),
            other => self.wrong(machine, &other, "a sequence"),
        }
    }

    fn map(&mut self, machine: &mut Evaluator<'_>) -> Result<Arc<Map>> {
        match machine.force(self.next())? {
            Value::Map(map) => Ok(map),
            other => self.wrong(machine, &other, "a map"),
        }
    }

    fn int(&mut self, machine: &mut Evaluator<'_>) -> Result<i64> {
        match machine.force(self.next())? {
            Value::Int(n) => Ok(n),
            other => self.wrong(machine, &other, "a number"),
        }
    }

    fn process(&mut self, machine: &mut Evaluator<'_>) -> Result<crate::process::TermId> {
        match machine.force(self.next())? {
            Value::Process(term) => Ok(term),
            other => self.wrong(machine, &other, "a process"),
        }
    }
}

/// The characters of a text.
fn text_of(value: &Value) -> Option<String> {
    let Value::Seq(seq) = value else {
        return None;
    };
    let chars = seq.chunk().iter().map(|v| match v {
        Value::Char(c) => Some(*c),
        _ => None,
    });
    chars.collect()
}

/// Pairs of a least member and another of each class of the equivalence that `pairs` generate,
/// among those in `among`: FDR's `mtransclose`.
fn representatives(pairs: &[(Value, Value)], among: &Set) -> Set {
    let mut leader: BTreeMap<&Value, &Value> = BTreeMap::new();
    fn find<'v>(leader: &BTreeMap<&'v Value, &'v Value>, value: &'v Value) -> &'v Value {
        let mut at = value;
        while let Some(&next) = leader.get(at) {
            if next == at {
                break;
            }
            at = next;
        }
        at
    }
    for (a, b) in pairs {
        let (a, b) = (find(&leader, a), find(&leader, b));
        leader.insert(a, a.min(b));
        leader.insert(b, a.min(b));
    }
    let members: Vec<&Value> = pairs.iter().flat_map(|(a, b)| [a, b]).collect();
    let chosen = members.into_iter().filter_map(|value| {
        let least = find(&leader, value);
        let is_meant = least != value && among.contains(least) && among.contains(value);
        is_meant.then(|| Value::tuple([least.clone(), value.clone()]))
    });
    Set::from(chosen.collect::<Vec<_>>())
}
