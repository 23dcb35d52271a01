//! Comparison with SPIN: the tables of steps that its verifiers print (`pan -d`), and what they say
//! of traces. States, transitions and verdicts of random programs are compared by
//! `cargo run -p fuzz -- --pan 500`, with programs of the same generator.
//!
//! The tests run if `ORBIT_ORACLES=1` is set; otherwise each says on standard error that it was
//! skipped. If it is set and `spin` or `gcc` is missing, they fail and name the package.
//! `ORBIT_ORACLE_SEED=n` starts the random programs elsewhere; `ORBIT_CORPUS` names the folder of
//! models by other people, if it is not beside the project.
//!
//! ```text
//! ORBIT_ORACLES=1 cargo test -p promela --test oracle
//! ```
//!
//! Reading order: [`table`] what is compared, [`spin`] how SPIN is asked, then the tests,
//! `ask_tables` and `ask_traces`.

mod ask_tables;
mod ask_traces;
mod spin;
mod table;
