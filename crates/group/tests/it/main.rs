//! The public face of `group`, tested against plain twins.

mod shape;
