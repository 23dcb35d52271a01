//! Members that can be exchanged without anything that is known being changed, and one value in
//! place of all that such exchanges make of it.
//!
//! Wherever a machine has a choice, a symmetry that fixes all that is known so far (the state, and
//! what was chosen before) leads from each value that can be chosen to another one, and from what
//! comes of the first to what comes of the other. So one value of each orbit is enough. The group
//! that is used is a product of symmetric groups: [`ExchangeClasses`] are disjoint sets of members,
//! and any permutation within cells fixes what is known. That is a subgroup of all that could be
//! used. It is easy to keep: after a value was chosen, two members stay in a cell if exchanging
//! them fixes the value, which is an equivalence, since `(a c) = (a b)(b c)(a b)`.
//!
//! A value is passed over if exchanging two members of a cell makes a lesser one of it. The least
//! of an orbit is never passed over, so each orbit keeps a value at least. Where values are sets
//! of members, or functions from members, it is exactly one: sorted.
//!
//! Worked example: a set of six members in one cell, constants `a` and `b` with `a /= b`, and a
//! subset `x`. `a` is the first member, and the cell is left with five; `b` is the first of these,
//! and four are left; `x` has any of the first two and none, one, … or all of the four, in this
//! order. That makes 20 valuations in place of 1920.
//!
//! Which cells there are at the start is told by whoever certified that their members can be
//! exchanged: nothing here knows why.

use crate::value::{Set, Value};
use model::values::{SortId, Type};
use std::collections::HashMap;

/// Disjoint sets of members that can be exchanged.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ExchangeClasses {
    /// Those of two or more members, which are in ascending order.
    cells: Vec<ExchangeClass>,
}

/// Members of a sort that can be exchanged.
#[derive(Clone, PartialEq, Eq, Debug)]
struct ExchangeClass {
    sort: SortId,
    members: Vec<u32>,
}

/// An exchange of two members.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exchange {
    sort: SortId,
    first: u32,
    second: u32,
}

impl ExchangeClasses {
    /// These blocks of members, by sort.
    pub(crate) fn of_blocks(blocks: &[Vec<Vec<usize>>]) -> ExchangeClasses {
        let sorts = blocks.iter().enumerate();
        let cells = sorts.flat_map(|(sort, blocks)| {
            blocks.iter().map(move |block| {
                let mut members: Vec<u32> = block.iter().map(|member| *member as u32).collect();
                members.sort_unstable();
                ExchangeClass {
                    sort: SortId::new(sort),
                    members,
                }
            })
        });
        ExchangeClasses {
            cells: cells.filter(|cell| cell.members.len() > 1).collect(),
        }
    }

    /// The cells without these members.
    pub fn without(&self, members: &[(SortId, usize)]) -> ExchangeClasses {
        let is_left = |sort: SortId, member: u32| !members.contains(&(sort, member as usize));
        let cells = self.cells.iter().map(|cell| ExchangeClass {
            sort: cell.sort,
            members: (cell.members.iter().copied())
                .filter(|member| is_left(cell.sort, *member))
                .collect(),
        });
        ExchangeClasses {
            cells: cells.filter(|cell| cell.members.len() > 1).collect(),
        }
    }

    /// Whether nothing can be exchanged.
    pub fn is_trivial(&self) -> bool {
        self.cells.is_empty()
    }

    /// Whether members of a type can be exchanged.
    pub fn moves(&self, ty: &Type) -> bool {
        match ty {
            Type::Bool | Type::Int | Type::Text => false,
            Type::Member(sort) => self.cells.iter().any(|cell| cell.sort == *sort),
            Type::Pair(left, right) => self.moves(left) || self.moves(right),
            Type::Set(element) => self.moves(element),
            Type::Record(fields) => fields.iter().any(|(_, ty)| self.moves(ty)),
        }
    }

    /// Whether no element of a set of this type holds two members, so that
    /// [`ExchangeClasses::canonical`] is for its values.
    pub fn is_simple(&self, ty: &Type) -> bool {
        match ty {
            Type::Bool | Type::Int | Type::Text | Type::Member(_) => true,
            Type::Pair(left, right) => self.is_simple(left) && self.is_simple(right),
            Type::Set(element) => self.n_members(element).is_some_and(|n| n < 2),
            Type::Record(fields) => fields.iter().all(|(_, ty)| self.is_simple(ty)),
        }
    }

    /// How many members that can be exchanged a value of a type holds; `None` if that depends on
    /// the value.
    fn n_members(&self, ty: &Type) -> Option<usize> {
        match ty {
            Type::Bool | Type::Int | Type::Text => Some(0),
            Type::Member(_) => Some(usize::from(self.moves(ty))),
            Type::Pair(left, right) => Some(self.n_members(left)? + self.n_members(right)?),
            Type::Set(element) => (!self.moves(element)).then_some(0),
            Type::Record(fields) => fields.iter().map(|(_, ty)| self.n_members(ty)).sum(),
        }
    }

    /// What is left of the cells if these values must stay as they are.
    pub fn fixing<'v>(&self, values: impl IntoIterator<Item = &'v Value>) -> ExchangeClasses {
        let mut cells = self.clone();
        for value in values {
            if cells.is_trivial() {
                break;
            }
            cells = cells.fixing_one(value);
        }
        cells
    }

    fn fixing_one(&self, value: &Value) -> ExchangeClasses {
        let mut kept = Vec::new();
        for cell in &self.cells {
            let mut classes: Vec<Vec<u32>> = Vec::new();
            for &member in &cell.members {
                let mut known = classes.iter_mut();
                let class = known.find(|class| {
                    let exchange = Exchange {
                        sort: cell.sort,
                        first: class[0],
                        second: member,
                    };
                    exchange.fixes(value)
                });
                match class {
                    Some(class) => class.push(member),
                    None => classes.push(vec![member]),
                }
            }
            kept.extend(classes.into_iter().map(|members| ExchangeClass {
                sort: cell.sort,
                members,
            }));
        }
        kept.retain(|cell| cell.members.len() > 1);
        ExchangeClasses { cells: kept }
    }

    /// Exchanges of two members of a cell: all of them, or those of neighbours if there are many.
    pub fn exchanges(&self) -> impl Iterator<Item = Exchange> + '_ {
        self.cells.iter().flat_map(|cell| {
            let n_after = match cell.members.len() {
                n if n > N_PAIRED_MAX => 1,
                n => n,
            };
            let members = cell.members.iter().enumerate();
            members.flat_map(move |(n, first)| {
                let after = cell.members[n + 1..].iter().take(n_after);
                after.map(move |second| Exchange {
                    sort: cell.sort,
                    first: *first,
                    second: *second,
                })
            })
        })
    }

    /// Whether no exchange makes a lesser value of it. What is not listed has no exchanged value,
    /// and counts as the least.
    pub fn is_least(&self, values: &[&Value]) -> bool {
        if let [Value::Member(member)] = values {
            let here = |cell: &&ExchangeClass| cell.sort == member.sort;
            let mut cells = self.cells.iter().filter(here);
            return cells.all(|cell| !cell.members[1..].contains(&member.index));
        }
        self.exchanges().all(|exchange| {
            let lesser = values.iter().find_map(|value| {
                if exchange.fixes(value) {
                    return None;
                }
                let image = exchange.of(value);
                Some(image.is_some_and(|image| image < **value))
            });
            lesser != Some(true)
        })
    }

    /// A subset of each orbit of subsets of `of`; `None` if that has other elements than members.
    ///
    /// # Requires
    /// Exchanges fix `of`.
    pub fn subsets(&self, of: &Set) -> Option<Vec<Set>> {
        let mut left = of.clone();
        let mut made = vec![Set::empty()];
        for cell in &self.cells {
            let member = |index: &u32| Value::member(cell.sort, *index as usize);
            if !of.contains(&member(&cell.members[0])) {
                continue;
            }
            let mut firsts = vec![Set::empty()];
            for index in &cell.members {
                left = left.remove(&member(index));
                let more = firsts[firsts.len() - 1].insert(member(index));
                firsts.push(more);
            }
            made = made
                .iter()
                .flat_map(|set| firsts.iter().map(|first| set.union(first)))
                .collect();
            if made.len() > N_SUBSETS_MAX {
                return None;
            }
        }
        if left.iter().any(|value| !matches!(value, Value::Member(_))) {
            return None;
        }
        let more = left.len();
        if more >= usize::BITS as usize || (made.len() << more) >> more != made.len() {
            return None;
        }
        if made.len() << more > N_SUBSETS_MAX {
            return None;
        }
        let rest: Vec<Set> = left.pow().collect();
        let all = rest
            .iter()
            .flat_map(|rest| made.iter().map(move |set| rest.union(set)));
        Some(all.collect())
    }

    /// The one of its orbit that stands for a list of values, and how many the orbit has.
    ///
    /// # Requires
    /// The types of the values are [simple](ExchangeClasses::is_simple).
    pub fn canonical(&self, values: &[Value]) -> (Vec<Value>, u64) {
        let mut size = 1u64;
        let mut to: HashMap<(SortId, u32), u32> = HashMap::new();
        for cell in &self.cells {
            let mut facts: Vec<(Vec<MemberFact>, u32)> = Vec::new();
            for &member in &cell.members {
                let mut found = Vec::new();
                for (place, value) in values.iter().enumerate() {
                    collect(value, (cell.sort, member), &[place], &mut found);
                }
                found.sort();
                facts.push((found, member));
            }
            facts.sort();
            size = size.saturating_mul(arrangements(&facts));
            for ((_, member), place) in facts.iter().zip(&cell.members) {
                to.insert((cell.sort, *member), *place);
            }
        }
        let rename = |sort: SortId, index: u32| to.get(&(sort, index)).copied();
        let renamed = values
            .iter()
            .map(|value| renamed(value, &rename).unwrap_or_else(|| value.clone()));
        (renamed.collect(), size)
    }
}

/// In larger cells only neighbours are exchanged.
const N_PAIRED_MAX: usize = 16;
/// More subsets than this are not made beforehand.
const N_SUBSETS_MAX: usize = 1 << 16;

/// What is said of a member: where, and with what beside it.
type MemberFact = (Vec<usize>, Option<Value>);

/// What a value says of a member, other members left aside.
fn collect(value: &Value, member: (SortId, u32), place: &[usize], out: &mut Vec<MemberFact>) {
    let inside = |n: usize| [place, &[n]].concat();
    match value {
        Value::Member(other) if (other.sort, other.index) == member => {
            out.push((place.to_vec(), None));
        }
        Value::Pair(pair) => {
            collect(&pair.0, member, &inside(0), out);
            collect(&pair.1, member, &inside(1), out);
        }
        Value::Record(fields) => {
            for (n, field) in fields.iter().enumerate() {
                collect(field, member, &inside(n), out);
            }
        }
        Value::Set(set) => {
            for element in set.iter() {
                // The place of the member is the same in all elements: there is one.
                let hidden = renamed(&element, &|sort, index| {
                    ((sort, index) == member).then_some(u32::MAX)
                });
                if hidden.as_ref() != Some(&element) {
                    out.push((place.to_vec(), hidden));
                }
            }
        }
        _ => {}
    }
}

/// In how many ways members with these facts can be arranged.
fn arrangements(facts: &[(Vec<MemberFact>, u32)]) -> u64 {
    let mut ways = 1u128;
    let mut n_same = 0u128;
    for (n, (fact, _)) in facts.iter().enumerate() {
        let is_same = n > 0 && facts[n - 1].0 == *fact;
        n_same = if is_same { n_same + 1 } else { 1 };
        // A product of binomials, so that the division leaves nothing.
        ways = ways.saturating_mul(n as u128 + 1) / n_same;
    }
    u64::try_from(ways).unwrap_or(u64::MAX)
}

/// Where members go; `None` for those that stay.
type Rename<'r> = &'r dyn Fn(SortId, u32) -> Option<u32>;

/// The value with other members in it; `None` if it holds a set that is not listed.
fn renamed(value: &Value, rename: Rename<'_>) -> Option<Value> {
    Some(match value {
        Value::Bool(_) | Value::Int(_) | Value::Big(_) | Value::Text(_) => value.clone(),
        Value::Member(member) => match rename(member.sort, member.index) {
            Some(index) => Value::member(member.sort, index as usize),
            None => value.clone(),
        },
        Value::Pair(pair) => Value::pair(renamed(&pair.0, rename)?, renamed(&pair.1, rename)?),
        Value::Record(fields) => {
            let fields = fields.iter().map(|field| renamed(field, rename));
            Value::record(fields.collect::<Option<_>>()?)
        }
        Value::Set(set) => {
            let elements = set.iter().map(|element| renamed(&element, rename));
            Value::Set(Set::from_vec(elements.collect::<Option<_>>()?))
        }
        Value::Symbolic(_) => return None,
    })
}

impl Exchange {
    /// Whether a value stays as it is; not where that is not known.
    pub fn fixes(&self, value: &Value) -> bool {
        match value {
            Value::Bool(_) | Value::Int(_) | Value::Big(_) | Value::Text(_) => true,
            Value::Member(member) => {
                let is_one = member.index == self.first || member.index == self.second;
                member.sort != self.sort || !is_one
            }
            Value::Pair(pair) => self.fixes(&pair.0) && self.fixes(&pair.1),
            Value::Record(fields) => fields.iter().all(|field| self.fixes(field)),
            // An exchange moves as many elements into the set as out of it.
            Value::Set(set) => set.iter().all(|element| {
                let moved = |element: &Value| {
                    let image = self.of(element);
                    image.is_some_and(|image| set.contains(&image))
                };
                self.fixes(&element) || moved(&element)
            }),
            Value::Symbolic(_) => false,
        }
    }

    /// The value with the members exchanged; `None` if it holds a set that is not listed.
    pub fn of(&self, value: &Value) -> Option<Value> {
        let rename = |sort: SortId, index: u32| {
            if sort != self.sort {
                return None;
            }
            match index {
                index if index == self.first => Some(self.second),
                index if index == self.second => Some(self.first),
                _ => None,
            }
        };
        renamed(value, &rename)
    }
}

#[cfg(test)]
#[path = "cells/tests.rs"]
mod tests;
