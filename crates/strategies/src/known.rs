//! States that a strategy remembers.

/// States in the order in which they came.
#[derive(Default)]
pub(crate) struct SeenStates {
    states: Vec<Box<[u8]>>,
    n_bytes: u64,
}

/// What an entry of a table takes beside what it holds.
pub(crate) const ENTRY_BYTES: u64 = 48;

impl SeenStates {
    /// Adds a state; gives its number.
    pub fn add(&mut self, state: &[u8]) -> u32 {
        self.states.push(state.into());
        self.n_bytes += state.len() as u64 + ENTRY_BYTES;
        self.states.len() as u32 - 1
    }

    pub fn get(&self, number: u32) -> &[u8] {
        &self.states[number as usize]
    }

    /// What they take.
    pub fn bytes(&self) -> u64 {
        self.n_bytes
    }
}
