//! Checks a Promela model: loads it, asks all that it asks, and prints each verdict.
//!
//! ```sh
//! cargo run -p driver --example check models/promela/mutex.pml
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
use report::Verdict;
use std::path::Path;

fn main() {
    let file = std::env::args().nth(1).expect("the name of a model");
    let mut found = Diagnostics::new();
    let how = SearchOptions::exact(Clock::ENDLESS);
    let plan = CheckPlan::of(model(&file), how, &mut found).expect("questions that are right");
    let conducted = check(&plan, &Nobody, &mut |_| ()).expect("a model that can be searched");
    let summary = conducted.summary;
    for property in &summary.properties {
        println!("{}: {:?}", property.name, property.verdict);
        for violated in &property.violations {
            println!("  {}", violated.message);
        }
    }
    println!("{:?}", summary.verdict);
    let holds = summary.verdict == Verdict::Holds;
    std::process::exit(i32::from(!holds));
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
