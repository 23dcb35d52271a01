//! The integration tests of `orbit`, as one binary.
//!
//! - `check`, `symmetry`, `simulate`, `group`, `graph`, `ltl`: what the commands print, as text and
//!   as JSON.
//! - `ctl`: branching time: verdicts, runs, mistakes, random models.
//! - `counts`: the states and verdicts of many models, beside those that SPIN gives.
//! - `editor`: `orbit lsp`: every request, over all models, and broken texts.
//! - `explorer`: `orbit serve` and `--html`: answers, hostile requests, the page in a browser.
//! - `lite`: Promela-Lite beside an interpreter, and its rules of types.
//! - `machines`: B machines: what is printed of them, counts, verdicts, with and without symmetry.
//! - `mistakes`: every kind of wrong input, with its message and exit code.
//! - `noise`: arbitrary bytes never make a panic.
//! - `pages`: the console blocks of the README and the guide are what the binary prints.
//! - `refinement`: whether B machines refine each other.
//! - `schema`: objects beside the schema in `docs/schema/`.
//! - `scripts`: CSPM scripts: what is printed of them, verdicts, counts, mistakes.
//! - `status`: the page of what works says what is so.
//! - `start`: examples, completions, manual pages.
//! - `strategies`: ways of choosing representatives, beside a plain count of orbits.
//! - `suite`: `orbit test`: models beside what their comments expect, and planted mistakes.
//! - `survey`: the examples of the survey, as its headers promise.
//! - `symmetry`: what is found interchangeable, and what is not accepted as such.
//! - `temporal`: verdicts about infinite runs, beside each other and beside those of SPIN.
//! - `tidy`: the rules of the house that a program can check.
//! - `time`: commands with a limit of time.
//! - `view`: state spaces as graphs: sizes, formats, parts, mistakes.

mod check;
mod command;
mod counts;
mod ctl;
mod editor;
mod explorer;
mod graph;
mod group;
mod ill_models;
mod itf;
mod limits;
mod lite;
mod ltl;
mod machines;
mod mistakes;
mod noise;
mod package;
mod pages;
mod refinement;
mod retold;
mod schema;
mod scripts;
mod simulate;
mod start;
mod status;
mod strategies;
mod suggest;
mod suite;
mod survey;
mod symmetry;
mod symmetry_cmd;
mod symmetry_pictures;
mod temporal;
mod tidy;
mod time;
mod view;
