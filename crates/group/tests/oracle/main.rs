//! Comparison with programs that others wrote: GAP for groups, nauty (`dreadnaut`) and bliss for
//! graphs.
//!
//! The tests run if `ORBIT_ORACLES=1` is set; otherwise each says on standard error that it was
//! skipped. If it is set and a program is missing, they fail and name the package to install.
//! `ORBIT_ORACLE_SEED=n` starts the random cases elsewhere; a failure names the seed of its case.
//!
//! ```text
//! ORBIT_ORACLES=1 cargo test -p group --test oracle
//! ```
//!
//! One process answers all questions of a test. Permutations are given to GAP as lists of images,
//! so that `x^p` there is `p(x)` here; GAP multiplies in the other order, which changes no group,
//! no stabiliser and no orbit. Points are counted from 1 in GAP and in bliss, from 0 in dreadnaut.
//!
//! Reading order: [`compare`] what counts as a difference, [`program`] when and how a program is
//! run, [`gap`] and [`nauty`] how questions are put; [`groups`] and [`graphs`] the random cases;
//! then the tests, `ask_*`.

mod compare;
mod gap;
mod graphs;
mod groups;
mod nauty;
mod program;

mod ask_bliss;
mod ask_gap_blocks;
mod ask_gap_groups;
mod ask_gap_images;
mod ask_gap_large;
mod ask_gap_library;
mod ask_gap_names;
mod ask_gap_stabilisers;
mod ask_nauty_graphs;
mod ask_nauty_images;

// The tests by enumeration have the same needs.
#[path = "../it/sample_groups.rs"]
#[allow(dead_code, reason = "some families serve the other test binary only")]
mod sample_groups;
