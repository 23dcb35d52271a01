//! Blocks, structure and minimising set: what takes more than the chain.

use crate::page::Page;
use crate::points::Points;
use group::Group;

/// The block systems.
pub fn blocks(_group: &Group, _points: &Points, _page: &mut Page) {}

/// The name of the group.
pub fn structure(_group: &Group, _page: &mut Page) {}

/// A set of elements that finds least images.
pub fn minimising_set(_group: &Group, _points: &Points, _page: &mut Page) {}
