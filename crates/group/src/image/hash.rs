//! Mixing for invariants. Collisions cost time, never exactness: ties are searched and leaves are
//! compared in full.

const SECRET: u64 = 0x9e37_79b9_7f4a_7c15;
const FACTOR: u64 = 0xd6e8_feb8_6659_fd93;

/// A number that looks unrelated to `x`: the folded product of Wyhash.
#[inline(always)]
pub(super) fn mix(x: u64) -> u64 {
    let product = u128::from(x ^ SECRET) * u128::from(FACTOR);
    (product as u64) ^ (product >> 64) as u64
}
