//! Sets that are infinite or too large to be written down.

/// A set that is kept by what defines it. What it is made of is the business of evaluation; here it
/// is a thing with an identity: two are equal if they bear the same number.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Symbolic {
    identity: u64,
}

impl Symbolic {
    /// The symbolic set with this number.
    pub fn new(identity: u64) -> Symbolic {
        Symbolic { identity }
    }
}
