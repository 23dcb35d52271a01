//! Numbers, texts and members as bytes, and back.
//!
//! Who writes values and who walks over them must agree byte by byte, so both come here; the
//! head of [`super`] says what is written. Worked example: 300 without sign is `0xAC 0x02`
//! (the low seven bits with the high bit set, then the rest); −1 is 1 by zigzag, one byte.

/// Writes a number without sign, seven bits a byte, the lowest first.
#[inline]
pub fn put_unsigned(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Writes a number: 0, −1, 1, −2 … are 0, 1, 2, 3 … without sign.
#[inline]
pub fn put_signed(value: i64, out: &mut Vec<u8>) {
    put_unsigned(((value << 1) ^ (value >> 63)) as u64, out);
}

/// Writes a text.
pub fn put_text(text: &str, out: &mut Vec<u8>) {
    put_unsigned(text.len() as u64, out);
    out.extend_from_slice(text.as_bytes());
}

/// Whether a member of a sort of `n` members takes two bytes.
pub fn is_wide(n: usize) -> bool {
    n > 256
}

/// Writes a member of a sort of `n` members.
#[inline]
pub fn put_member(index: usize, n: usize, out: &mut Vec<u8>) {
    debug_assert!(index < n && n <= 1 << 16, "member {index} of {n}");
    out.push(index as u8);
    if is_wide(n) {
        out.push((index >> 8) as u8);
    }
}

/// Goes over bytes that were written as above.
///
/// # Requires
/// The bytes hold what is read; a reader that runs past their end is a bug of its caller, and
/// panics.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    /// From the start.
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { bytes, at: 0 }
    }

    /// How many bytes were read.
    #[inline]
    pub fn at(&self) -> usize {
        self.at
    }

    /// Whether all were read.
    pub fn is_at_end(&self) -> bool {
        self.at == self.bytes.len()
    }

    /// What was read since `start`, which is what [`Reader::at`] was then.
    #[inline]
    pub fn since(&self, start: usize) -> &'a [u8] {
        &self.bytes[start..self.at]
    }

    /// A byte.
    #[inline]
    pub fn byte(&mut self) -> u8 {
        let byte = self.bytes[self.at];
        self.at += 1;
        byte
    }

    /// So many bytes.
    #[inline]
    pub fn take(&mut self, n: usize) -> &'a [u8] {
        let start = self.at;
        self.at += n;
        &self.bytes[start..self.at]
    }

    /// A number without sign.
    #[inline]
    pub fn unsigned(&mut self) -> u64 {
        let (mut value, mut shift) = (0, 0);
        loop {
            let byte = self.byte();
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return value;
            }
            shift += 7;
        }
    }

    /// A number.
    #[inline]
    pub fn signed(&mut self) -> i64 {
        let value = self.unsigned();
        (value >> 1) as i64 ^ -((value & 1) as i64)
    }

    /// The bytes of a number of any size, with sign or without.
    #[inline]
    pub fn number(&mut self) -> &'a [u8] {
        let start = self.at;
        while self.byte() >= 0x80 {}
        self.since(start)
    }

    /// The bytes of a text.
    pub fn text(&mut self) -> &'a [u8] {
        let n = self.unsigned() as usize;
        self.take(n)
    }

    /// A member of a sort of `n` members.
    #[inline]
    pub fn member(&mut self, n: usize) -> usize {
        let low = usize::from(self.byte());
        if is_wide(n) {
            low | usize::from(self.byte()) << 8
        } else {
            low
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let numbers = [0, 1, -1, 63, 64, -64, -65, 300, i64::MAX, i64::MIN];
        let mut bytes = Vec::new();
        for n in numbers {
            put_signed(n, &mut bytes);
            put_unsigned(n as u64, &mut bytes);
        }
        let long = [0xff; 20].into_iter().chain([1]);
        bytes.extend(long.clone());
        put_text("gr\u{fc}n", &mut bytes);
        put_member(255, 256, &mut bytes);
        put_member(256, 257, &mut bytes);
        let mut reader = Reader::new(&bytes);
        for n in numbers {
            assert_eq!((reader.signed(), reader.unsigned()), (n, n as u64));
        }
        assert_eq!(reader.number(), long.collect::<Vec<u8>>());
        assert_eq!(reader.text(), "gr\u{fc}n".as_bytes());
        assert_eq!((reader.member(256), reader.member(257)), (255, 256));
        assert!(reader.is_at_end());
    }

    #[test]
    fn the_examples_of_the_header_hold() {
        let mut bytes = Vec::new();
        put_unsigned(300, &mut bytes);
        put_signed(-1, &mut bytes);
        assert_eq!(bytes, [0xac, 0x02, 1]);
    }
}
