//! A number for texts that is the same on every machine.

/// The number of these texts (FNV-1a). Lengths count, so that `ab`, `c` is not `a`, `bc`.
pub fn hash<'t>(texts: impl IntoIterator<Item = &'t str>) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut take = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    for text in texts {
        (text.len() as u64)
            .to_le_bytes()
            .into_iter()
            .for_each(&mut take);
        text.bytes().for_each(&mut take);
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_differ_for_different_texts() {
        assert_eq!(hash([]), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash(["ab", "c"]), hash(["ab", "c"]));
        assert_ne!(hash(["ab", "c"]), hash(["a", "bc"]));
        assert_ne!(hash(["ab"]), hash(["ba"]));
    }
}
