//! Which values of a script might be interchangeable: permutations of values, lifted to events.
//!
//! Nothing is decided here. A *sort* is the constructors without fields of one datatype, or the
//! numbers at some places of events: fields of channels, and what stands inside of sets, sequences,
//! tuples and constructors there. Places that hold the same numbers may hold names of the same
//! things, or of different ones, so that sets of such places are offered one after another, larger
//! ones first. Places that hold more besides ("nobody" as 0 beside the names 1 to 5) are offered
//! together with those that hold the names alone, and the rest stays. Of each sort all exchanges of
//! two members are offered, and, should none of them be a symmetry, its turns and mirrorings in the
//! order of the members, for rings. Sorts of one size are offered together as well, member by
//! member; and exchanges of channels that carry the same. Whoever uses a permutation certifies it
//! on the processes themselves.
//!
//! Worked example: `channel move : {1..3}.Pole.Pole` with `datatype Pole = A | B | C`. Families:
//! the poles, with the exchanges (A B), (A C), (B C), each of which sends `move.2.A.C` where it
//! belongs; the first field of `move`, with the exchanges of discs, which no process allows; and
//! both together, with (A B)(1 2) and so on. The turns of the poles are (A B C) and its powers,
//! of which one for each divisor of 3 below it is offered.

mod places;

use crate::eval::Script;
use crate::process::Event;
use crate::value::{MakerId, Value};
use base::Span;
use places::{HeldMember, NumberPlaces, ValuePermutation};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The most places of which all sets are offered.
const FIELDS_MAX: usize = 5;
/// The most exchanges of a family.
const EXCHANGES_MAX: usize = 300;
/// The most members of a sort that is turned and mirrored.
const TURNED_MAX: usize = 64;
/// The most sets of sorts that are offered together.
const TIED_MAX: usize = 10;
/// The most sets of places of which some hold more than the members that move.
const WIDE_MAX: usize = 20;

/// A place of numbers in events of a channel, by number; or a datatype, by its first constructor.
pub type ValueField = (MakerId, u32);

/// The place that a datatype counts as.
const DATATYPE: u32 = u32::MAX;

/// A permutation of values: its name, and by event where it goes.
pub type NamedPermutation = (String, Vec<u32>);

/// Permutations of the members of one set of values. They are carried over to events by
/// [`Alike`], when they are asked for: there may be many, and events too.
#[derive(Clone, Debug)]
pub struct Family {
    /// What it is about: the datatype, or the fields.
    pub name: String,
    /// The places whose values are exchanged.
    pub fields: Vec<ValueField>,
    /// The members in order; of the first sort, if there are several.
    pub members: Vec<String>,
    /// Where the datatypes, or the channels, are declared.
    pub declared: Vec<Span>,
    /// Whether it is a sort of its own, and not a part of one or several together.
    pub is_sort: bool,
    /// Whether rotations and reflections of its members are offered.
    is_turned: bool,
    sorts: Vec<ValueSort>,
}

/// The members of a sort.
#[derive(Clone, Debug)]
enum SortMembers {
    Makers(Vec<MakerId>),
    Numbers(Vec<ValueField>, Vec<i64>),
}

#[derive(Clone, Debug)]
struct ValueSort {
    name: String,
    members: SortMembers,
    declared: Vec<Span>,
}

impl ValueSort {
    fn len(&self) -> usize {
        match &self.members {
            SortMembers::Makers(makers) => makers.len(),
            SortMembers::Numbers(_, numbers) => numbers.len(),
        }
    }

    fn name_of(&self, member: usize, script: &Script) -> String {
        match &self.members {
            SortMembers::Makers(all) => script.maker_name(all[member]).into(),
            SortMembers::Numbers(_, all) => all[member].to_string(),
        }
    }

    fn names(&self, script: &Script) -> Vec<String> {
        let members = 0..self.len();
        members.map(|member| self.name_of(member, script)).collect()
    }

    /// What events hold that hold a member.
    fn held_as(&self, member: usize) -> HeldMember<'_> {
        match &self.members {
            SortMembers::Makers(all) => HeldMember::Maker(all[member]),
            SortMembers::Numbers(fields, all) => HeldMember::Number(fields, all[member]),
        }
    }

    fn fields(&self) -> Vec<ValueField> {
        match &self.members {
            SortMembers::Makers(all) => all.first().map(|m| (*m, DATATYPE)).into_iter().collect(),
            SortMembers::Numbers(fields, _) => fields.clone(),
        }
    }
}

/// The families of a script, and the events that permutations are carried over to.
pub struct Alike<'a> {
    families: Vec<Family>,
    events: EventTable<'a>,
}

struct EventTable<'a> {
    script: &'a Script,
    all: Vec<&'a Value>,
    numbers: HashMap<&'a Value, u32>,
    places: NumberPlaces,
}

impl<'a> Alike<'a> {
    /// The families that the first `n_events` events of a script allow.
    pub fn new(script: &'a Script, n_events: usize) -> Alike<'a> {
        let all: Vec<&Value> = (0..n_events)
            .map(|n| script.event_value(Event::new(n)))
            .collect();
        let events = EventTable {
            script,
            numbers: all.iter().copied().zip(0..).collect(),
            places: NumberPlaces::new(&all),
            all,
        };
        let mut sorts: Vec<ValueSort> = script
            .plain_constructors()
            .into_iter()
            .map(|(name, makers, span)| ValueSort {
                name,
                members: SortMembers::Makers(makers),
                declared: vec![span],
            })
            .filter(|sort| sort.len() > 1)
            .collect();
        let mut families: Vec<Family> = sorts
            .iter()
            .map(|sort| events.family(&[sort], true))
            .collect();
        for (fields, numbers) in alike(&events.places) {
            let sort = events.sort(fields.clone(), &numbers);
            families.push(events.family(&[&sort], true));
            sorts.push(sort);
            if fields.len() <= FIELDS_MAX {
                let parts = parts(&fields).into_iter();
                let parts = parts.map(|part| events.sort(part, &numbers));
                families.extend(parts.map(|part| events.family(&[&part], false)));
            }
        }
        for (fields, numbers) in wide(&events.places) {
            let sort = events.sort(fields, &numbers);
            families.push(Family {
                is_turned: true,
                ..events.family(&[&sort], false)
            });
        }
        let channels = channels(&events.all).into_iter().map(|makers| ValueSort {
            declared: makers.iter().map(|m| script.maker_span(*m)).collect(),
            name: "channels".to_owned(),
            members: SortMembers::Makers(makers),
        });
        families.extend(channels.map(|sort| events.family(&[&sort], false)));
        families.extend(tied(&sorts).iter().map(|tied| events.family(tied, false)));
        Alike { families, events }
    }

    /// The families, those to be tried first before others.
    pub fn families(&self) -> &[Family] {
        &self.families
    }

    /// All pairs of members of a family, up to a limit.
    pub fn pairs(&self, family: &Family) -> Vec<(usize, usize)> {
        pairs(family.members.len())
    }

    /// The exchange of two members, if it leads events to events, and those of `alphabet` to
    /// events of `alphabet`.
    ///
    /// Only the events that hold one of the members are looked at, those of `alphabet` first.
    pub fn exchange(
        &self,
        family: &Family,
        i: usize,
        j: usize,
        alphabet: &dyn Fn(u32) -> bool,
    ) -> Option<NamedPermutation> {
        let mut perm: Vec<usize> = (0..family.members.len()).collect();
        perm.swap(i, j);
        self.events.lift(&family.sorts, &perm, alphabet)
    }

    /// What the exchange of two members is called.
    pub fn exchange_name(&self, family: &Family, i: usize, j: usize) -> String {
        let name = |sort: &ValueSort| {
            let [a, b] = [i, j].map(|member| sort.name_of(member, self.events.script));
            format!("({a} {b})")
        };
        family.sorts.iter().map(name).collect()
    }

    /// Whether some event of `used` holds one of two members.
    pub fn is_held(&self, family: &Family, i: usize, j: usize, used: &dyn Fn(u32) -> bool) -> bool {
        let mut sorts = family.sorts.iter();
        sorts.any(|sort| {
            let mut members = [i, j].into_iter();
            members.any(|member| {
                let mut holding = self.events.places.holding(sort.held_as(member));
                holding.any(used)
            })
        })
    }

    /// A few exchanges that lie apart.
    pub fn probes(&self, family: &Family, n_probes: usize) -> Vec<NamedPermutation> {
        let all = |_: u32| true;
        let pairs = self.pairs_apart(family, n_probes);
        let exchanges = pairs.into_iter();
        let exchanges = exchanges.filter_map(|(i, j)| self.exchange(family, i, j, &all));
        exchanges.take(n_probes).collect()
    }

    /// Pairs of members that lie apart, first those that lie far apart: [`N_TRIES`] for each of
    /// `n_probes` that are wanted.
    pub fn pairs_apart(&self, family: &Family, n_probes: usize) -> Vec<(usize, usize)> {
        let pairs = pairs(family.members.len());
        let n_tries = n_probes * N_TRIES;
        let step = pairs.len().div_ceil(n_tries).max(1);
        // From both ends and the middle inwards, so that few of them lie far apart.
        let mut order: Vec<usize> = (0..pairs.len()).step_by(step).collect();
        order.extend(pairs.len().checked_sub(1));
        order.dedup();
        let n = order.len();
        let spread = (0..n_probes).flat_map(|i| (i..n).step_by(n_probes).collect::<Vec<_>>());
        spread.map(|at| pairs[order[at]]).collect()
    }

    /// Turns and mirrorings of all members that lead events to events, and those of `alphabet` to
    /// events of `alphabet`. Only what is no part of a sort is turned.
    pub fn turns(&self, family: &Family, alphabet: &dyn Fn(u32) -> bool) -> Vec<NamedPermutation> {
        let turns = turned(family).into_iter();
        turns
            .filter_map(|perm| self.events.lift(&family.sorts, &perm, alphabet))
            .collect()
    }
}

impl Family {
    /// How many exchanges there are at most.
    pub fn n_exchanges(&self) -> usize {
        let n = self.members.len();
        (n * (n - 1) / 2).min(EXCHANGES_MAX)
    }
}

/// The turns and mirrorings of a family.
fn turned(family: &Family) -> Vec<Vec<usize>> {
    if family.is_turned {
        turns(family.members.len())
    } else {
        Vec::new()
    }
}

/// How many exchanges are looked at for one that leads events to events, where few are wanted.
const N_TRIES: usize = 4;

/// All pairs of `n` members, each once, up to a limit.
fn pairs(n: usize) -> Vec<(usize, usize)> {
    let pairs = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
    pairs.take(EXCHANGES_MAX).collect()
}

impl EventTable<'_> {
    /// The numbers at some places as a sort.
    fn sort(&self, fields: Vec<ValueField>, numbers: &BTreeSet<i64>) -> ValueSort {
        let name = |(maker, place): &ValueField| {
            let channel = self.script.maker_name(*maker);
            self.places.name(*place, channel, self.script)
        };
        let names: Vec<String> = fields.iter().map(name).collect();
        let mut declared: Vec<Span> = Vec::new();
        for (maker, _) in &fields {
            let span = self.script.maker_span(*maker);
            if !declared.contains(&span) {
                declared.push(span);
            }
        }
        ValueSort {
            name: names.join(", "),
            members: SortMembers::Numbers(fields, numbers.iter().copied().collect()),
            declared,
        }
    }

    /// The family of sorts of one size, moved together.
    fn family(&self, sorts: &[&ValueSort], is_sort: bool) -> Family {
        let names: Vec<&str> = sorts.iter().map(|sort| &*sort.name).collect();
        Family {
            name: names.join(" with "),
            fields: sorts.iter().flat_map(|sort| sort.fields()).collect(),
            members: sorts[0].names(self.script),
            declared: sorts.iter().flat_map(|s| s.declared.clone()).collect(),
            is_sort,
            is_turned: is_sort || sorts.len() > 1,
            sorts: sorts.iter().map(|sort| (*sort).clone()).collect(),
        }
    }

    /// Where each event goes, if what the permutation makes of each is an event, of `alphabet` if
    /// it was, and some event moves.
    fn lift(
        &self,
        sorts: &[ValueSort],
        perm: &[usize],
        alphabet: &dyn Fn(u32) -> bool,
    ) -> Option<NamedPermutation> {
        let moved = || perm.iter().enumerate().filter(|(from, to)| from != *to);
        let mut how = ValuePermutation {
            makers: HashMap::new(),
            numbers: HashMap::new(),
        };
        let mut holding: Vec<u32> = Vec::new();
        for sort in sorts {
            match &sort.members {
                SortMembers::Makers(all) => {
                    how.makers
                        .extend(moved().map(|(from, to)| (all[from], all[*to])));
                }
                SortMembers::Numbers(fields, all) => {
                    let pairs = moved().map(|(from, to)| (all[from], all[*to]));
                    let numbers: HashMap<i64, i64> = pairs.collect();
                    how.numbers
                        .extend(fields.iter().map(|field| (*field, numbers.clone())));
                }
            }
            let members = moved().map(|(from, _)| sort.held_as(from));
            members.for_each(|held| holding.extend(self.places.holding(held)));
        }
        holding.sort_unstable();
        holding.dedup();
        let (first, last): (Vec<u32>, Vec<u32>) = holding.into_iter().partition(|e| alphabet(*e));
        let mut images: Vec<(u32, u32)> = Vec::with_capacity(first.len() + last.len());
        for &event in first.iter().chain(&last) {
            let image = how.of(self.all[event as usize], &self.places);
            let image = *self.numbers.get(&image)?;
            if alphabet(event) != alphabet(image) {
                return None;
            }
            images.push((event, image));
        }
        if images.iter().all(|(event, image)| event == image) {
            return None;
        }
        let mut events: Vec<u32> = (0..self.all.len() as u32).collect();
        for (event, image) in images {
            events[event as usize] = image;
        }
        let names = sorts
            .iter()
            .map(|sort| cycles(perm, &|member| sort.name_of(member, self.script)));
        Some((names.collect(), events))
    }
}

/// Turns of `n` things in a row by each divisor of `n`, and mirrorings; not those that are
/// exchanges.
fn turns(n: usize) -> Vec<Vec<usize>> {
    if !(3..=TURNED_MAX).contains(&n) {
        return Vec::new();
    }
    let turns = (1..n).filter(|by| n.is_multiple_of(*by));
    let turns = turns.map(|by| (0..n).map(|i| (i + by) % n).collect());
    let mirrored = (0..n).map(|sum| (0..n).map(|i| (sum + n - i) % n).collect());
    turns
        .chain(mirrored)
        .filter(|perm: &Vec<usize>| perm.iter().enumerate().filter(|(i, j)| i != *j).count() > 2)
        .collect()
}

/// A permutation in cycles of names.
fn cycles(perm: &[usize], name: &dyn Fn(usize) -> String) -> String {
    let mut text = String::new();
    let mut is_seen = vec![false; perm.len()];
    for start in 0..perm.len() {
        if is_seen[start] || perm[start] == start {
            continue;
        }
        let mut cycle = Vec::new();
        let mut at = start;
        while !std::mem::replace(&mut is_seen[at], true) {
            cycle.push(name(at));
            at = perm[at];
        }
        text.push_str(&format!("({})", cycle.join(" ")));
    }
    text
}

/// Places that hold the same two or more numbers, with the numbers.
fn alike(places: &NumberPlaces) -> Vec<(Vec<ValueField>, BTreeSet<i64>)> {
    let mut alike: BTreeMap<BTreeSet<i64>, Vec<ValueField>> = BTreeMap::new();
    for (field, numbers) in places.held() {
        if numbers.len() > 1 {
            alike.entry(numbers.clone()).or_default().push(*field);
        }
    }
    alike
        .into_iter()
        .map(|(numbers, fields)| (fields, numbers))
        .collect()
}

/// Places that hold some numbers, of which not all hold the same: these numbers, two or more, are
/// what two places have in common. Larger sets of numbers first.
fn wide(places: &NumberPlaces) -> Vec<(Vec<ValueField>, BTreeSet<i64>)> {
    let sets: BTreeSet<&BTreeSet<i64>> = places.held().values().collect();
    let mut common: BTreeSet<BTreeSet<i64>> = BTreeSet::new();
    for one in &sets {
        for other in sets.iter().filter(|other| *other > one) {
            let both: BTreeSet<i64> = one.intersection(other).copied().collect();
            if both.len() > 1 {
                common.insert(both);
            }
        }
        if common.len() > WIDE_MAX {
            break;
        }
    }
    let mut common: Vec<BTreeSet<i64>> = common.into_iter().collect();
    common.sort_by_key(|numbers| std::cmp::Reverse(numbers.len()));
    common.truncate(WIDE_MAX);
    let of = |numbers: BTreeSet<i64>| {
        let fields = places.held().iter();
        let fields = fields.filter(|(_, held)| held.is_superset(&numbers));
        (fields.map(|(field, _)| *field).collect(), numbers)
    };
    common.into_iter().map(of).collect()
}

/// Channels that carry the same values, two or more.
fn channels(events: &[&Value]) -> Vec<Vec<MakerId>> {
    let mut carried: BTreeMap<MakerId, HashSet<&[Value]>> = BTreeMap::new();
    for event in events {
        if let Value::Made(channel, parts) = event.seen() {
            carried.entry(*channel).or_default().insert(parts);
        }
    }
    let mut alike: Vec<(HashSet<&[Value]>, Vec<MakerId>)> = Vec::new();
    for (channel, parts) in carried {
        match alike.iter_mut().find(|(known, _)| *known == parts) {
            Some((_, all)) => all.push(channel),
            None => alike.push((parts, vec![channel])),
        }
    }
    let channels = alike.into_iter().map(|(_, channels)| channels);
    channels.filter(|channels| channels.len() > 1).collect()
}

/// Sets of some of the places, not of all, larger ones first.
fn parts(fields: &[ValueField]) -> Vec<Vec<ValueField>> {
    let all = (1_u32 << fields.len()) - 1;
    let mut parts: Vec<Vec<ValueField>> = (1..all)
        .map(|set| {
            let chosen = fields.iter().enumerate();
            let chosen = chosen.filter(|(i, _)| set >> i & 1 == 1);
            chosen.map(|(_, field)| *field).collect()
        })
        .collect();
    parts.sort_by_key(|part: &Vec<ValueField>| std::cmp::Reverse(part.len()));
    parts
}

/// Sorts of one size, all of them together and two at a time.
fn tied(sorts: &[ValueSort]) -> Vec<Vec<&ValueSort>> {
    let mut by_size: BTreeMap<usize, Vec<&ValueSort>> = BTreeMap::new();
    for sort in sorts {
        by_size.entry(sort.len()).or_default().push(sort);
    }
    let mut found = Vec::new();
    for same in by_size.into_values().filter(|same| same.len() > 1) {
        if same.len() > 2 {
            found.push(same.clone());
        }
        for (i, one) in same.iter().enumerate() {
            found.extend(same[i + 1..].iter().map(|other| vec![*one, *other]));
        }
    }
    found.truncate(TIED_MAX);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rings_are_turned_and_mirrored() {
        assert!(turns(2).is_empty());
        // (0 1 2); its mirrorings are exchanges.
        assert_eq!(turns(3), [[1, 2, 0]]);
        let four = turns(4);
        // By one and by two; mirrorings that exchange two pairs.
        assert_eq!(four.len(), 4, "{four:?}");
        let name = |n: usize| format!("f{n}");
        assert_eq!(cycles(&four[0], &name), "(f0 f1 f2 f3)");
        assert_eq!(cycles(&four[1], &name), "(f0 f2)(f1 f3)");
        assert_eq!(cycles(&four[2], &name), "(f0 f1)(f2 f3)");
    }
}
