//! Lists of places tried on random bytes before they are used.
//!
//! For each exchange of neighbours in a segment (these make all arrangements) and some states of
//! random bytes: moving a state by the lists must do what [`Act::apply`] does, and exchange the two
//! keys, leaving the others. The first says that no byte is forgotten or put in a wrong place, the
//! second that keys follow the columns. Both hold of every arrangement if they hold of these.

use super::{Arrangement, Sorting};
use crate::act::Act;
use crate::points::Members;
use fastrand::Rng;
use system::layout::MESSAGES_AT;

/// How many states each exchange is tried on.
const N_STATES: usize = 16;

impl Sorting {
    /// Whether the lists do what the action does.
    pub(super) fn passes_trial(&self, act: &Act) -> bool {
        let mut rng = Rng::with_seed(1);
        self.segments.iter().all(|segment| {
            let last = segment.first + segment.len - 1;
            (segment.first..last).all(|x| {
                (0..N_STATES).all(|_| {
                    let state = self.random_state(act, &mut rng);
                    self.exchanges(act, &state, x)
                })
            })
        })
    }

    /// Whether the exchange of columns `x` and `x + 1` is what it should be in `state`.
    fn exchanges(&self, act: &Act, state: &[u8], x: usize) -> bool {
        let mut found = Arrangement::default();
        if !self.read(state, &mut found) {
            return false;
        }
        for (column, target) in found.targets.iter_mut().enumerate() {
            *target = column as u8;
        }
        found.targets.swap(x, x + 1);
        let (mut element, mut expected) = (Vec::new(), Vec::new());
        self.element(&found, &mut element);
        act.apply(&element, state, &mut expected);
        let mut moved = state.to_vec();
        self.apply(&found, state, &mut moved);
        let mut after = Arrangement::default();
        let is_read = self.read(&moved, &mut after);
        after.keys.swap(x, x + 1);
        is_read && moved == expected && after.keys == found.keys
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
