//! Hash compaction: of a state only a hash is kept.
//!
//! Two states with the same hash are taken for one, and what only the second leads to is not seen.
//! So a search with this store finds errors, each with a counterexample that is replayed as always,
//! and never says that something holds. States do not come back: a frontier has to keep those that
//! wait (`crates/check/src/frontier/kept.rs`).
//!
//! Worked example. With 8 bits there are 256 hashes: of a thousand states at most 256 are stored.
//! With 64 bits, a million states have two with the same hash with probability
//! `10¹² / 2 / 2⁶⁴`, about 1 in 37 million.
//!
//! After P. Wolper, D. Leroy, *Reliable hashing without collision detection* (CAV 1993).
//!
//! Cost: 8 bytes and 5 to 7.5 for the index a state, whatever its length.

use crate::Guarantee;
use crate::store::table::Table;
use crate::store::{Code, Inserted, Store};
use base::memory::{Account, Full};
use xxhash_rust::xxh3::xxh3_64;

/// A store of hashes.
pub struct CompactStore {
    hashes: Table<u64>,
    /// How many bits of a hash are left out.
    n_left_out: u32,
}

impl CompactStore {
    /// No states; of a hash so many bits are kept.
    ///
    /// # Requires
    /// 1 to 64 bits.
    pub fn new(n_bits: u32) -> CompactStore {
        assert!((1..=64).contains(&n_bits), "a hash of {n_bits} bits");
        CompactStore {
            hashes: Table::new(),
            n_left_out: 64 - n_bits,
        }
    }
}

impl Store for CompactStore {
    fn encode(&mut self, state: &[u8], _: &mut Account) -> Result<Code, Full> {
        Ok(Code(xxh3_64(state) >> self.n_left_out))
    }

    fn insert(&mut self, code: Code, account: &mut Account) -> Result<Inserted, Full> {
        self.hashes.put(code.0, account)
    }

    fn contains(&self, code: Code) -> bool {
        self.hashes.find(code.0).is_some()
    }

    fn len(&self) -> usize {
        self.hashes.len()
    }

    fn bytes(&self) -> u64 {
        self.hashes.bytes()
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Lossy
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_bits_take_states_for_others_and_many_do_not() {
        let n_stored = |n_bits| {
            let (mut store, mut account) = (CompactStore::new(n_bits), Account::new(None));
            for i in 0..1000_u32 {
                let code = store.encode(&i.to_le_bytes(), &mut account).unwrap();
                let known = store.contains(code);
                let inserted = store.insert(code, &mut account).unwrap();
                assert_eq!(inserted == Inserted::Known, known);
                assert!(store.contains(code));
            }
            assert_eq!(store.bytes(), account.used());
            store.len()
        };
        assert_eq!(n_stored(64), 1000);
        assert!((200..=256).contains(&n_stored(8)));
        assert_eq!(n_stored(1), 2);
    }
}
