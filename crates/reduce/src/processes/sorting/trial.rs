//! Lists of places tried on random bytes before they are used.
//!
//! For each generator of the group and some states of random bytes: moving a state by the lists
//! must do what [`Act::apply`] does, and the key of each column must go where the column goes. The
//! first says that no byte is forgotten or put in a wrong place, the second that keys follow the
//! columns. Both hold of every element if they hold of generators. Besides, what is read of a
//! state after another must be what is read of it alone.

use super::{Arrangement, Changes, Sorting};
use crate::processes::act::Act;
use crate::processes::points::Members;
use fastrand::Rng;
use model::processes::layout::MESSAGES_AT;

/// How many states each generator is tried on.
const N_STATES: usize = 16;
/// How many bytes of a state are changed one after another.
const N_BYTES: usize = 16;

impl Sorting {
    /// Whether the lists do what the action does.
    pub(super) fn passes_trial(&self, act: &Act) -> bool {
        let mut rng = Rng::with_seed(1);
        let follow = self.moves.iter().all(|targets| {
            (0..N_STATES).all(|_| {
                let state = self.random_state(act, &mut rng);
                self.follows(act, &state, targets)
            })
        });
        let mut found = (Arrangement::default(), Arrangement::default());
        follow && (0..N_STATES).all(|_| self.reads_changes(act, &mut rng, &mut found))
    }

    /// Whether moving columns to `targets` is what it should be in `state`.
    fn follows(&self, act: &Act, state: &[u8], targets: &[u8]) -> bool {
        let mut found = Arrangement::default();
        if !self.read(state, Changes::ALL, &mut found) {
            return false;
        }
        found.targets[..targets.len()].copy_from_slice(targets);
        found.moved = u64::MAX >> (64 - targets.len());
        let (mut element, mut expected) = (Vec::new(), Vec::new());
        self.element(&found, &mut element);
        act.apply(&element, state, &mut expected);
        let mut moved = state.to_vec();
        self.apply(&found, state, &mut moved);
        let mut after = Arrangement::default();
        let is_read = self.read(&moved, Changes::ALL, &mut after);
        let mut keys = targets.iter().zip(&found.keys);
        is_read && moved == expected && keys.all(|(&to, key)| after.keys[usize::from(to)] == *key)
    }

    /// Whether a state is read after another, and with single bytes of that one, as it is read
    /// alone.
    fn reads_changes(
        &self,
        act: &Act,
        rng: &mut Rng,
        (before, alone): &mut (Arrangement, Arrangement),
    ) -> bool {
        let mut state = self.random_state(act, rng);
        let other = self.random_state(act, rng);
        (0..N_BYTES).all(|_| {
            let changes = self.follow(&state, before);
            let is_read = self.read(&state, changes, before);
            let is_alike = is_read == self.read(&state, Changes::ALL, alone)
                && before.keys == alone.keys
                && before.refers == alone.refers
                && (before.named, before.referred) == (alone.named, alone.referred);
            // A state may have no bytes at all.
            if let Some(last) = state.len().checked_sub(1) {
                let at = rng.usize(..=last);
                state[at] = other[at];
            }
            is_alike
        })
    }

    /// Random bytes of 0 and 1, which any variable can hold, but for the tags and locations of
    /// records, numbers of messages that there is room for, and names of points where these can be.
    fn random_state(&self, act: &Act, rng: &mut Rng) -> Vec<u8> {
        let mut state: Vec<u8> = (0..self.end).map(|_| rng.u8(..2)).collect();
        for record in &act.records {
            let shape = &act.shapes[record.kind];
            state[record.at] = record.kind as u8;
            if let Some(scalar) = shape.location {
                scalar.store(&mut state, record.at + 1, rng.i32(0..64));
            }
            if shape.is_channel {
                let room = shape.size - MESSAGES_AT as usize;
                let capacity = room.checked_div(shape.messages.size).unwrap_or(0);
                state[record.at + 1] = rng.u8(..=capacity.min(255) as u8);
            }
        }
        let cells = self.segments.iter().flat_map(|segment| &segment.cells);
        for cell in cells.chain(&self.stays) {
            if let Some(value) = random_member(&self.members[cell.members as usize], rng) {
                cell.scalar.store(&mut state, cell.at as usize, value);
            }
        }
        let queues = self.segments.iter().flat_map(|segment| &segment.queues);
        for queue in queues.chain(&self.queues) {
            let messages = &self.messages[queue.kind as usize];
            for n in 0..usize::from(state[queue.at as usize + 1]) {
                let first = queue.at as usize + MESSAGES_AT as usize + n * messages.size;
                for (offset, scalar, sent) in &messages.fields {
                    let class = sent.class(&state, first);
                    let members = class.map(|class| self.class(class));
                    if let Some(value) = members.and_then(|all| random_member(all, rng)) {
                        scalar.store(&mut state, first + offset, value);
                    }
                }
            }
        }
        state
    }
}

/// A random member that is a point, two times in three.
fn random_member(members: &Members, rng: &mut Rng) -> Option<i32> {
    let values: Vec<i32> = members.values().collect();
    let skip = values.is_empty() || rng.u8(..3) == 0;
    (!skip).then(|| values[rng.usize(..values.len())])
}
