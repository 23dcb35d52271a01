//! Sets that are kept by what defines them, because listing them is impossible or dear.
//!
//! Most of them serve as types of channel fields: `channel c : Int.Seq(Bool)`. Membership is always
//! answered. Listing works for those that are finite, such as `Set(S)` of a listed `S`.
//!
//! A datatype whose values cannot be listed, as `datatype Tree = Leaf | Node.Tree.Tree`, is kept by
//! its constructors alone: fields are checked when a value is made, so a complete value of one of
//! its constructors is an element.

use super::set::{ELEMENTS_MAX, SetRefusal};
use super::{MakerId, Seq, Set, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What defines a set.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Symbolic {
    /// `Int`
    Integers,
    /// `{n..}`
    From(i64),
    /// `Char`
    Characters,
    /// `Proc`
    Processes,
    /// `Seq(S)`
    Sequences(Set),
    /// `Set(S)`
    Subsets(Set),
    /// `Map(K, V)`: all maps from some of the keys.
    Maps(Set, Set),
    /// `(S, T)` as a type.
    Tuples(Vec<Set>),
    /// `S.T` as a type.
    Dots(Vec<Set>),
    /// A constructor or channel with the sets of its fields.
    Made(MakerId, Vec<Set>),
    /// A datatype by name and constructors.
    Datatype(Arc<str>, Arc<[MakerId]>),
    /// The elements of any of them.
    Union(Vec<Set>),
}

impl Symbolic {
    /// Whether it has no elements.
    pub fn is_empty(&self) -> bool {
        match self {
            Symbolic::Tuples(sets) | Symbolic::Dots(sets) | Symbolic::Made(_, sets) => {
                sets.iter().any(Set::is_empty)
            }
            Symbolic::Union(sets) => sets.iter().all(Set::is_empty),
            _ => false,
        }
    }

    /// Whether it has surely no end.
    pub(crate) fn is_surely_infinite(&self) -> bool {
        self.n_at_most().is_none() && self.elements().is_err()
    }

    /// A bound on the number of elements, where there is a plain one.
    pub(crate) fn n_at_most(&self) -> Option<usize> {
        let of = |set: &Set| match set {
            Set::Listed(elements) => Some(elements.len()),
            Set::Symbolic(symbolic) => symbolic.n_at_most(),
        };
        match self {
            Symbolic::Characters => Some(0x11_0000),
            Symbolic::Sequences(set) => set.is_empty().then_some(1),
            Symbolic::Subsets(set) => 1usize.checked_shl(u32::try_from(of(set)?).ok()?),
            Symbolic::Maps(keys, values) => of(values)?
                .checked_add(1)?
                .checked_pow(u32::try_from(of(keys)?).ok()?),
            Symbolic::Tuples(sets) | Symbolic::Dots(sets) | Symbolic::Made(_, sets) => {
                let mut product = 1usize;
                for set in sets {
                    product = product.checked_mul(of(set)?)?;
                }
                Some(product)
            }
            Symbolic::Union(sets) => {
                let mut sum = 0usize;
                for set in sets {
                    sum = sum.checked_add(of(set)?)?;
                }
                Some(sum)
            }
            Symbolic::Integers | Symbolic::From(_) | Symbolic::Processes => None,
            Symbolic::Datatype(..) => None,
        }
    }

    /// Whether `value`, worked out in full, is an element.
    pub fn contains(&self, value: &Value) -> bool {
        match (self, value.seen()) {
            (Symbolic::Integers, Value::Int(_)) => true,
            (Symbolic::From(first), Value::Int(n)) => n >= first,
            (Symbolic::Characters, Value::Char(_)) => true,
            (Symbolic::Processes, Value::Process(_)) => true,
            (Symbolic::Sequences(set), Value::Seq(seq)) => {
                seq.is_whole() && seq.chunk().iter().all(|v| set.contains(v))
            }
            (Symbolic::Subsets(set), Value::Set(sub)) => sub.is_subset(set).unwrap_or(false),
            (Symbolic::Maps(keys, values), Value::Map(map)) => map
                .iter()
                .all(|(k, v)| keys.contains(k) && values.contains(v)),
            (Symbolic::Tuples(sets), Value::Tuple(parts)) => all_in(parts, sets),
            (Symbolic::Dots(sets), Value::Dot(parts)) => all_in(parts, sets),
            (Symbolic::Dots(sets), other) => sets.len() == 1 && sets[0].contains(other),
            (Symbolic::Made(maker, sets), Value::Made(other, fields)) => {
                maker == other && all_in(fields, sets)
            }
            (Symbolic::Datatype(_, makers), Value::Made(maker, _)) => makers.contains(maker),
            (Symbolic::Union(sets), value) => sets.iter().any(|set| set.contains(value)),
            _ => false,
        }
    }

    /// All elements in ascending order.
    pub fn elements(&self) -> Result<Arc<[Value]>, SetRefusal> {
        match self {
            Symbolic::Integers | Symbolic::From(_) => Err(SetRefusal::EndlessNumbers),
            Symbolic::Processes => Err(SetRefusal::Processes),
            Symbolic::Characters => Ok((char::MIN..=char::MAX).map(Value::Char).collect()),
            Symbolic::Sequences(set) if set.is_empty() => {
                Ok(Arc::from([Value::Seq(Seq::from(Vec::new()))]))
            }
            Symbolic::Sequences(_) => Err(SetRefusal::EndlessSequences),
            Symbolic::Datatype(name, _) => Err(SetRefusal::Datatype(name.to_string())),
            Symbolic::Subsets(set) => subsets(&set.elements()?),
            Symbolic::Maps(keys, values) => maps(&keys.elements()?, &values.elements()?),
            Symbolic::Tuples(sets) => product(sets, Value::tuple),
            Symbolic::Dots(sets) => product(sets, dotted),
            Symbolic::Made(maker, sets) => product(sets, |p| Value::Made(*maker, p.into())),
            Symbolic::Union(sets) => {
                let mut all = Vec::new();
                for set in sets {
                    all.extend_from_slice(&set.elements()?);
                }
                all.sort();
                all.dedup();
                Ok(all.into())
            }
        }
    }

    /// Whether all elements are in `other`, where that is plain.
    pub(crate) fn is_plain_subset(&self, other: &Symbolic) -> Option<bool> {
        match (self, other) {
            (Symbolic::From(a), Symbolic::From(b)) => Some(a >= b),
            (Symbolic::From(_), Symbolic::Integers) => Some(true),
            (Symbolic::Integers, Symbolic::From(_)) => Some(false),
            (Symbolic::Sequences(a), Symbolic::Sequences(b))
            | (Symbolic::Subsets(a), Symbolic::Subsets(b)) => a.is_subset(b).ok(),
            _ => None,
        }
    }

    /// What is in both, where that is plain.
    pub(crate) fn plain_inter(&self, other: &Symbolic) -> Option<Set> {
        match (self, other) {
            (a, b) if a == b => Some(a.clone().into()),
            (Symbolic::From(a), Symbolic::From(b)) => Some(Symbolic::From(*a.max(b)).into()),
            (Symbolic::Integers, from @ Symbolic::From(_))
            | (from @ Symbolic::From(_), Symbolic::Integers) => Some(from.clone().into()),
            _ => None,
        }
    }

    /// What is left without `other`, where that is plain; a refusal where there is no answer.
    pub(crate) fn plain_diff(&self, other: &Set) -> Option<Result<Set, SetRefusal>> {
        match (self, other) {
            (Symbolic::From(a), Set::Symbolic(b)) => match **b {
                Symbolic::From(b) => Some(Set::range(*a, b.saturating_sub(1))),
                Symbolic::Integers => Some(Ok(Set::empty())),
                _ => None,
            },
            (Symbolic::From(first), Set::Listed(taken)) => {
                let taken: Vec<&Value> = taken.iter().filter(|v| self.contains(v)).collect();
                let gone = taken
                    .iter()
                    .zip(*first..)
                    .all(|(v, n)| **v == Value::Int(n));
                let next = first.checked_add(taken.len() as i64)?;
                gone.then(|| Ok(Symbolic::From(next).into()))
            }
            (_, Set::Listed(taken)) if !taken.iter().any(|v| self.contains(v)) => {
                Some(Ok(self.clone().into()))
            }
            _ => None,
        }
    }
}

/// What is in either, at least one being symbolic.
pub fn union(a: &Set, b: &Set) -> Set {
    if let (Set::Symbolic(x), Set::Symbolic(y)) = (a, b) {
        match (&**x, &**y) {
            (Symbolic::From(p), Symbolic::From(q)) => return Symbolic::From(*p.min(q)).into(),
            (Symbolic::Integers, Symbolic::From(_)) => return a.clone(),
            (Symbolic::From(_), Symbolic::Integers) => return b.clone(),
            _ if x == y => return a.clone(),
            _ => {}
        }
    }
    let mut parts = Vec::new();
    for set in [a, b] {
        match set {
            Set::Symbolic(symbolic) if matches!(**symbolic, Symbolic::Union(_)) => {
                if let Symbolic::Union(inner) = &**symbolic {
                    parts.extend(inner.iter().cloned());
                }
            }
            _ => parts.push(set.clone()),
        }
    }
    let listed = parts.iter().filter(|s| matches!(s, Set::Listed(_)));
    let listed = listed.fold(Set::empty(), |all, set| all.union(set));
    parts.retain(|set| matches!(set, Set::Symbolic(_)));
    if !listed.is_empty() {
        parts.push(listed);
    }
    parts.sort();
    parts.dedup();
    Symbolic::Union(parts).into()
}

/// Parts as one dotted value: plain dotted values among them are taken apart, one part stays as
/// it is.
pub fn dotted(parts: Vec<Value>) -> Value {
    let mut fields = Vec::with_capacity(parts.len());
    for part in parts {
        match part {
            Value::Dot(inner) => fields.extend(inner.iter().cloned()),
            other => fields.push(other),
        }
    }
    if fields.len() == 1 {
        return fields.remove(0);
    }
    Value::Dot(fields.into())
}

fn all_in(parts: &[Value], sets: &[Set]) -> bool {
    parts.len() == sets.len() && parts.iter().zip(sets).all(|(part, set)| set.contains(part))
}

/// All ways to take one element of each set, put together by `make`.
fn product(sets: &[Set], make: impl Fn(Vec<Value>) -> Value) -> Result<Arc<[Value]>, SetRefusal> {
    let lists: Vec<Arc<[Value]>> = sets.iter().map(Set::elements).collect::<Result<_, _>>()?;
    let n = lists
        .iter()
        .try_fold(1usize, |n, list| n.checked_mul(list.len()));
    let n = n
        .filter(|&n| n <= ELEMENTS_MAX)
        .ok_or(SetRefusal::TooLarge)?;
    let mut all = Vec::with_capacity(n);
    for i in 0..n {
        // The last set turns fastest, so the list comes out in dictionary order.
        let mut left = i;
        let mut parts: Vec<Value> = lists
            .iter()
            .rev()
            .map(|list| {
                let value = list[left % list.len()].clone();
                left /= list.len();
                value
            })
            .collect();
        parts.reverse();
        all.push(make(parts));
    }
    if !all.is_sorted() {
        all.sort();
    }
    Ok(all.into())
}

fn subsets(elements: &[Value]) -> Result<Arc<[Value]>, SetRefusal> {
    if elements.len() > 22 {
        return Err(SetRefusal::TooLarge);
    }
    let pick = |mask: usize| {
        let chosen = elements
            .iter()
            .enumerate()
            .filter(|(i, _)| mask >> i & 1 == 1);
        Value::Set(Set::Listed(chosen.map(|(_, v)| v.clone()).collect()))
    };
    let mut all: Vec<Value> = (0..1usize << elements.len()).map(pick).collect();
    all.sort();
    Ok(all.into())
}

fn maps(keys: &[Value], values: &[Value]) -> Result<Arc<[Value]>, SetRefusal> {
    let mut all = vec![BTreeMap::new()];
    for key in keys {
        if all.len().saturating_mul(values.len() + 1) > ELEMENTS_MAX {
            return Err(SetRefusal::TooLarge);
        }
        let mut more = Vec::new();
        for map in &all {
            more.push(map.clone());
            more.extend(values.iter().map(|value| {
                let mut map = map.clone();
                map.insert(key.clone(), value.clone());
                map
            }));
        }
        all = more;
    }
    let mut all: Vec<Value> = all.into_iter().map(|m| Value::Map(Arc::new(m))).collect();
    all.sort();
    Ok(all.into())
}
