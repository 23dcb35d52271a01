//! Typed indices.
//!
//! An index into one table must not be used in another, and 32 bits are enough for every table we
//! have. [`crate::define_id!`] makes a type for one table: `SourceId` is the first. The constructor
//! checks the range, so a table of more than 2³² entries stops the program instead of wrapping.
//!
//! ```
//! base::define_id!(CityId, "Which city of the map.");
//! let bonn = CityId::new(3);
//! assert_eq!(bonn.index(), 3);
//! assert_eq!(format!("{bonn:?}"), "CityId(3)");
//! ```

/// Defines a `u32` index type with a checked constructor `new(usize)` and `index() -> usize`.
#[macro_export]
macro_rules! define_id {
    ($name:ident, $doc:literal) => {
        #[doc = $doc]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(u32);

        impl $name {
            /// The id of entry `index`; panics if the table has outgrown 32 bits.
            pub fn new(index: usize) -> $name {
                assert!(
                    index <= u32::MAX as usize,
                    "{} {index} exceeds 32 bits",
                    stringify!($name)
                );
                $name(index as u32)
            }

            /// The place in the table.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

#[cfg(test)]
mod tests {
    define_id!(DoorId, "Which door.");

    #[test]
    fn an_id_gives_back_its_index_and_orders_like_it() {
        let (first, last) = (DoorId::new(0), DoorId::new(u32::MAX as usize));
        assert_eq!((first.index(), last.index()), (0, u32::MAX as usize));
        assert!(first < last);
    }

    #[test]
    #[should_panic(expected = "DoorId 4294967296 exceeds 32 bits")]
    fn an_index_beyond_32_bits_stops_the_program() {
        DoorId::new(1 << 32);
    }
}
