//! Watches a search, and stops it after so many states.
//!
//! ```sh
//! cargo run -p driver --example progress models/promela/dining.pml 1000
//! ```

// A program of its own, which prints.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use base::{Clock, Colour, Diagnostics, Sources};
use driver::conduct::check;
use driver::listener::Nobody;
use driver::load::{Loaded, Request, load};
use driver::open::OpenTexts;
use driver::plan::{CheckPlan, SearchOptions};
use driver::processes::OfProcesses;
use model::frontend::Options;
use promela::frontend::Promela;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// Set when the search is to end with what it knows.
static ENOUGH: AtomicBool = AtomicBool::new(false);

fn main() {
    let mut words = std::env::args().skip(1);
    let file = words.next().expect("the name of a model");
    let n_max: u64 = words
        .next()
        .and_then(|word| word.parse().ok())
        .unwrap_or(1000);
    let mut found = Diagnostics::new();
    let how = SearchOptions::exact(Clock::ENDLESS.interrupted_by(&ENOUGH));
    let plan = CheckPlan::of(model(&file), how, &mut found).expect("questions that are right");
    let conducted = check(&plan, &Nobody, &mut |progress| {
        println!("{}", report::progress(progress));
        ENOUGH.store(progress.n_states >= n_max, Ordering::Relaxed);
    });
    let summary = conducted.expect("a model that can be searched").summary;
    // Stopped is unknown: it neither holds nor is it violated.
    let n_states = summary.counts.map_or(0, |counts| counts.n_states);
    println!("{:?} after {n_states} states", summary.verdict);
}

/// The model of a file.
fn model(file: &str) -> Loaded {
    let (mut sources, mut found) = (Sources::new(), Diagnostics::new());
    let request = Request {
        file: Path::new(file),
        folders: &[],
        open: OpenTexts::none(),
        options: &Options::default(),
        clock: Clock::ENDLESS,
    };
    let loaded = load(&request, &OfProcesses(&Promela), &mut sources, &mut found);
    loaded.unwrap_or_else(|| {
        for one in found.sorted() {
            eprintln!("{}", base::render(&one, &sources, Colour::Never));
        }
        std::process::exit(2)
    })
}
