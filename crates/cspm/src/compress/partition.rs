//! The coarsest bisimulation that is finer than a given partition.
//!
//! The signature of a state is the set of its steps, targets replaced by their classes. States of a
//! class whose signatures differ are parted, until none do. Only states that have a step into a
//! class that changed its number are looked at again, and when a class is parted its largest piece
//! keeps the number: so a state is looked at for each of its steps at most log n times, and the
//! cost is m log n signatures (Hopcroft 1971; signatures by Blom and Orzan 2003).
//!
//! ```text
//! 0: a 1   1: a 2   2: b 3   3:
//! {0,1,2,3}: signatures {a0} {a0} {b0} {}     0 and 1 keep class 0, 2 is 1, 3 is 2
//! 1 leads to 2, which moved:  {a0} {a1}       0 keeps 0, 1 is 3. Nothing leads to a moved one.
//! ```

use std::collections::HashMap;

use super::Compressed;
use crate::leaf::Lts;
use crate::operate::TermLabel;
use base::{Allowance, Spent};

/// The classes of the coarsest bisimulation of `lts` that is finer than `initial`.
///
/// # Ensures
/// States of one class have steps with the same labels into the same classes.
pub(super) fn refine(
    lts: &Lts,
    initial: Vec<u32>,
    allowance: &mut Allowance<'_>,
) -> Result<Vec<u32>, Spent> {
    // Classes, places, blocks, what is dirty, and steps backwards.
    let n_bytes = 40 * lts.n_states() + 8 * lts.n_steps();
    allowance.take(n_bytes)?;
    let mut partition = StatePartition::new(lts, initial);
    let mut queue: Vec<u32> = (0..partition.blocks.len() as u32).collect();
    let mut dirty: Vec<Vec<u32>> = partition.blocks.clone();
    let mut is_dirty = vec![true; lts.n_states()];
    while let Some(block) = queue.pop() {
        let states = std::mem::take(&mut dirty[block as usize]);
        for &state in &states {
            allowance.tick()?;
            is_dirty[state as usize] = false;
        }
        for moved in partition.part(lts, block, &states) {
            for &before in &partition.before[moved as usize] {
                if std::mem::replace(&mut is_dirty[before as usize], true) {
                    continue;
                }
                let home = partition.class[before as usize];
                dirty.resize_with(partition.blocks.len(), Vec::new);
                if dirty[home as usize].is_empty() {
                    queue.push(home);
                }
                dirty[home as usize].push(before);
            }
        }
    }
    allowance.give(n_bytes);
    Ok(partition.class)
}

/// One state a class, with the steps of all its states; τ within a class is kept.
pub(super) fn quotient(
    lts: &Lts,
    classes: &[u32],
    allowance: &mut Allowance<'_>,
) -> Result<Compressed, Spent> {
    let n_classes = classes.iter().max().map_or(0, |&most| most as usize + 1);
    let mut states: Vec<Vec<(TermLabel, u32)>> = vec![Vec::new(); n_classes];
    let mut origin = vec![u32::MAX; n_classes];
    for state in lts.states() {
        allowance.tick()?;
        let class = classes[state as usize];
        let steps = lts.steps(state).iter();
        states[class as usize].extend(steps.map(|&(label, next)| (label, classes[next as usize])));
        origin[class as usize] = origin[class as usize].min(state);
    }
    // The first state's class becomes the first.
    let first = classes[0];
    let renamed = |class: u32| match class {
        0 => first,
        class if class == first => 0,
        class => class,
    };
    states.swap(0, first as usize);
    origin.swap(0, first as usize);
    for step in states.iter_mut().flatten() {
        step.1 = renamed(step.1);
    }
    Ok(Compressed::reachable(&Lts::new(states), &origin))
}

struct StatePartition {
    class: Vec<u32>,
    blocks: Vec<Vec<u32>>,
    /// Where in its block a state is.
    place: Vec<u32>,
    /// The states with a step to a state.
    before: Vec<Vec<u32>>,
}

impl StatePartition {
    fn new(lts: &Lts, class: Vec<u32>) -> StatePartition {
        let n_blocks = class.iter().max().map_or(0, |&most| most as usize + 1);
        let mut blocks = vec![Vec::new(); n_blocks];
        let mut place = Vec::with_capacity(class.len());
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); class.len()];
        for state in lts.states() {
            let block: &mut Vec<u32> = &mut blocks[class[state as usize] as usize];
            place.push(block.len() as u32);
            block.push(state);
            for &(_, next) in lts.steps(state) {
                // Steps are visited by state, so repetitions stand together.
                if before[next as usize].last() != Some(&state) {
                    before[next as usize].push(state);
                }
            }
        }
        StatePartition {
            class,
            blocks,
            place,
            before,
        }
    }

    fn signature(&self, lts: &Lts, state: u32) -> Vec<(TermLabel, u32)> {
        let steps = lts.steps(state).iter();
        let mut signature: Vec<_> = steps
            .map(|&(l, next)| (l, self.class[next as usize]))
            .collect();
        signature.sort_unstable();
        signature.dedup();
        signature
    }

    /// Parts a block of which only `states` may have changed; gives the states that moved.
    fn part(&mut self, lts: &Lts, block: u32, states: &[u32]) -> Vec<u32> {
        let mut groups: Vec<Vec<u32>> = Vec::new();
        let mut known: HashMap<Vec<(TermLabel, u32)>, usize> = HashMap::new();
        let n_others = self.blocks[block as usize].len() - states.len();
        for &state in states {
            self.take(state);
        }
        // The others have one signature between them.
        let others = self.blocks[block as usize].first().copied();
        debug_assert_eq!(others.is_some(), n_others > 0);
        if let Some(other) = others {
            known.insert(self.signature(lts, other), 0);
            groups.push(Vec::new());
        }
        for &state in states {
            let group = *known.entry(self.signature(lts, state)).or_insert_with(|| {
                groups.push(Vec::new());
                groups.len() - 1
            });
            groups[group].push(state);
        }
        let size = |i: usize| groups[i].len() + if i == 0 { n_others } else { 0 };
        let largest = (0..groups.len())
            .rev()
            .max_by_key(|&i| size(i))
            .unwrap_or(0);
        let mut moved = Vec::new();
        if n_others > 0 && largest != 0 {
            let rest = std::mem::take(&mut self.blocks[block as usize]);
            groups[0].extend(rest);
        }
        for (i, group) in groups.into_iter().enumerate() {
            if i == largest {
                self.put(block, group);
            } else {
                moved.extend_from_slice(&group);
                self.blocks.push(Vec::new());
                self.put(self.blocks.len() as u32 - 1, group);
            }
        }
        moved
    }

    /// Takes a state out of its block; its class stays written for signatures.
    fn take(&mut self, state: u32) {
        let block = &mut self.blocks[self.class[state as usize] as usize];
        let place = self.place[state as usize];
        block.swap_remove(place as usize);
        if let Some(&filler) = block.get(place as usize) {
            self.place[filler as usize] = place;
        }
    }

    fn put(&mut self, block: u32, states: Vec<u32>) {
        for state in states {
            self.class[state as usize] = block;
            self.place[state as usize] = self.blocks[block as usize].len() as u32;
            self.blocks[block as usize].push(state);
        }
    }
}
