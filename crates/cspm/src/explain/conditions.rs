//! The side conditions of the rules: what becomes of events, sets and renamings.
//!
//! *Example.* Under σ = (1 2) on the numbers in events, `{a.1, a.2}` becomes itself and `{a.1}`
//! becomes `{a.2}`. The renaming of `CELL[[c <- in.1]]` becomes that of `CELL[[c <- in.2]]` if
//! inside `c` stays although outside `in.1` becomes `in.2`: row 8 with ρ the identity.

use crate::process::Event;
use std::collections::{BTreeSet, HashMap};

/// What has to be true for a rule to apply. Event `e` becomes `map[e]`.
pub trait Conditions {
    /// Whether an event becomes another.
    fn event(&self, event: Event, other: Event, map: &[u32]) -> bool {
        image(event, map) == Some(other)
    }

    /// Whether a set becomes another; both are sorted.
    fn set(&self, set: &[Event], other: &[Event], map: &[u32]) -> bool {
        let images: Option<Vec<Event>> = set.iter().map(|&event| image(event, map)).collect();
        images.is_some_and(|mut images| {
            images.sort_unstable();
            images == other
        })
    }

    /// Whether a renaming becomes another where events move inside as they do outside.
    fn relation(&self, pairs: &[(Event, Event)], others: &[(Event, Event)], map: &[u32]) -> bool {
        let moved = pairs
            .iter()
            .map(|&(old, new)| Some((image(old, map)?, image(new, map)?)));
        let moved: Option<Vec<(Event, Event)>> = moved.collect();
        moved.is_some_and(|mut moved| {
            moved.sort_unstable();
            moved == others
        })
    }
}

/// The conditions as they have to be.
#[derive(Clone, Copy, Debug)]
pub struct Exact;

impl Conditions for Exact {}

fn image(event: Event, map: &[u32]) -> Option<Event> {
    map.get(event.index())
        .map(|&image| Event::new(image as usize))
}

/// How events move inside two renamings, if outside they move by `map`: each event that the
/// operands can do has one new name, and no two the same. The others move somehow, so that all of
/// it is a permutation.
pub(super) fn inner(
    map: &[u32],
    alphabet: &BTreeSet<Event>,
    pairs: &[(Event, Event)],
    other_alphabet: &BTreeSet<Event>,
    other_pairs: &[(Event, Event)],
) -> Option<Vec<u32>> {
    let mut old_of: HashMap<Event, Event> = HashMap::new();
    for &event in other_alphabet {
        if old_of.insert(renamed(event, other_pairs)?, event).is_some() {
            return None;
        }
    }
    let mut inside: Vec<Option<u32>> = vec![None; map.len()];
    let mut is_image = vec![false; map.len()];
    for &event in alphabet {
        let to = *old_of.get(&image(renamed(event, pairs)?, map)?)?;
        let place = is_image.get_mut(to.index())?;
        if std::mem::replace(place, true) {
            return None;
        }
        *inside.get_mut(event.index())? = Some(to.index() as u32);
    }
    if alphabet.len() != other_alphabet.len() {
        return None;
    }
    for event in 0..map.len() {
        if inside[event].is_none() && !is_image[event] {
            inside[event] = Some(event as u32);
            is_image[event] = true;
        }
    }
    let mut free = (0..map.len() as u32).filter(|&event| !is_image[event as usize]);
    let all = inside.into_iter().map(|to| to.or_else(|| free.next()));
    all.collect()
}

/// The one new name of an event.
fn renamed(event: Event, pairs: &[(Event, Event)]) -> Option<Event> {
    let start = pairs.partition_point(|&(old, _)| old < event);
    let mut new = pairs[start..].iter().take_while(|pair| pair.0 == event);
    match (new.next(), new.next()) {
        (None, _) => Some(event),
        (Some(pair), None) => Some(pair.1),
        (Some(_), Some(_)) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbered(n: u32) -> Event {
        Event::new(n as usize)
    }

    fn events(numbers: &[u32]) -> Vec<Event> {
        numbers.iter().map(|&n| numbered(n)).collect()
    }

    #[test]
    fn sets_and_renamings_become_others() {
        let map = [1, 0, 2];
        assert!(Exact.set(&events(&[0, 1]), &events(&[0, 1]), &map));
        assert!(Exact.set(&events(&[0, 2]), &events(&[1, 2]), &map));
        assert!(!Exact.set(&events(&[0]), &events(&[0]), &map));
        assert!(!Exact.set(&events(&[7]), &events(&[7]), &map));
        let pair = |a, b| vec![(numbered(a), numbered(b))];
        assert!(Exact.relation(&pair(2, 0), &pair(2, 1), &map));
        assert!(!Exact.relation(&pair(2, 0), &pair(2, 0), &map));
    }

    #[test]
    fn events_inside_move_as_renamings_say() {
        // c = 2 is called 0 here and 1 there.
        let (here, there) = ([(numbered(2), numbered(0))], [(numbered(2), numbered(1))]);
        let cell = BTreeSet::from([numbered(2)]);
        let found = inner(&[1, 0, 2], &cell, &here, &cell, &there);
        assert_eq!(found, Some(vec![0, 1, 2]));
        // Under the identity it would have to be called the same.
        let found = inner(&[0, 1, 2], &cell, &here, &cell, &there);
        assert_eq!(found, None);
        // A permutation, whatever else there is: 2 goes to 1, and 1 has to go somewhere.
        let other = BTreeSet::from([numbered(1)]);
        let found = inner(&[1, 0, 2], &cell, &here, &other, &[]);
        assert_eq!(found, Some(vec![0, 2, 1]));
        // Two names for one event.
        let two = [(numbered(2), numbered(0)), (numbered(2), numbered(1))];
        assert_eq!(inner(&[1, 0, 2], &cell, &two, &cell, &two), None);
    }
}
