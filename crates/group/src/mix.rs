//! Scrambling of words, for keys that tell things apart.
//!
//! Two different things with one key cost time, never exactness: whoever uses keys compares in full
//! what they leave equal.

/// A bijective scrambling of 64 bits, so that sums of keys rarely agree by chance.
/// Source: Steele, Lea and Flood 2014 (SplitMix), with the constants of Stafford's variant 13.
pub(crate) fn mix(word: u64) -> u64 {
    let mut z = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
