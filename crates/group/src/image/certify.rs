//! Is this the canonical image? Answered by looking at every element of a small group.
//!
//! Shares no code with the search: the image is judged by what it promises, over the whole orbit.

use num_bigint::BigUint;

use crate::chain::Group;
use crate::image::least::compare;
use crate::image::object::Object;
use crate::perm::Perm;

/// What is wrong with an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImageFault {
    /// The element used is not in the group.
    NotInGroup(Perm),
    /// This element of the group leads to an object with another image.
    SecondImage(Perm),
    /// So many elements fix the object, not as many as claimed.
    StabiliserOrder { counted: BigUint, claimed: BigUint },
    /// This element leads to a lesser image.
    NotLeast(Perm),
    /// The group has more elements than may be enumerated.
    TooLarge(BigUint),
}

/// Checks `canonical`, which returns the element used and the order of the stabiliser, on `object`
/// and all objects that the group leads it to.
pub fn certify_image(
    group: &Group,
    object: &Object,
    order_max: u64,
    canonical: &mut dyn FnMut(&Object) -> (Perm, BigUint),
) -> Result<(), ImageFault> {
    refuse_large(group, order_max)?;
    let (g, claimed) = canonical(object);
    if !group.contains(&g) {
        return Err(ImageFault::NotInGroup(g));
    }
    let (own, image) = (object.meaning(), object.moved_by(&g).meaning());
    let mut counted = BigUint::ZERO;
    let mut fault = None;
    group.chain().enumerate(&mut |h| {
        let other = object.moved_by(h);
        if other.meaning() == own {
            counted += 1u32;
        }
        let (by, _) = canonical(&other);
        if !group.contains(&by) {
            fault = Some(ImageFault::NotInGroup(by));
        } else if other.moved_by(&by).meaning() != image {
            fault = Some(ImageFault::SecondImage(h.clone()));
        }
        fault.is_none()
    });
    match fault {
        Some(fault) => Err(fault),
        None if counted != claimed => Err(ImageFault::StabiliserOrder { counted, claimed }),
        None => Ok(()),
    }
}

/// Checks that no element of the group leads `object` to a lesser image than `g` does.
pub fn certify_least(
    group: &Group,
    object: &Object,
    order_max: u64,
    g: &Perm,
) -> Result<(), ImageFault> {
    refuse_large(group, order_max)?;
    if !group.contains(g) {
        return Err(ImageFault::NotInGroup(g.clone()));
    }
    let image = object.moved_by(g);
    let mut fault = None;
    group.chain().enumerate(&mut |h| {
        if compare(&object.moved_by(h), &image).is_lt() {
            fault = Some(ImageFault::NotLeast(h.clone()));
        }
        fault.is_none()
    });
    fault.map_or(Ok(()), Err)
}

fn refuse_large(group: &Group, order_max: u64) -> Result<(), ImageFault> {
    let order = group.order();
    if order > BigUint::from(order_max) {
        Err(ImageFault::TooLarge(order))
    } else {
        Ok(())
    }
}
