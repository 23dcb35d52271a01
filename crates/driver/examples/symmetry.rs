//! Prints what is interchangeable in a Promela model.
//!
//! ```sh
//! cargo run -p driver --example symmetry models/promela/mutex.pml
//! ```

// A program of its own, which prints.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use base::{Clock, Colour, Diagnostics, Sources};
use driver::detect::Detect;
use driver::load::{Loaded, Request, load};
use driver::open::OpenTexts;
use driver::plan::SearchOptions;
use driver::processes::OfProcesses;
use driver::reduction::{Reduction, Wanted};
use model::frontend::{Options, Purpose};
use promela::frontend::Promela;
use reduce::processes::sort::Sends;
use std::path::Path;

fn main() {
    let file = std::env::args().nth(1).expect("the name of a model");
    let loaded = model(&file);
    let subject = loaded.model.subject(&Purpose::Errors).expect("a system");
    let how = SearchOptions::exact(Clock::ENDLESS);
    let wanted = Wanted {
        how: &how,
        detect: &Detect::Structure,
        keeps_start: true,
        sends: Sends::Wait,
    };
    let reduction = Reduction::of(&*subject, &wanted).unwrap_or_else(|refusal| {
        println!("{}", refusal.why.message);
        std::process::exit(3)
    });
    match reduction.order() {
        Some(order) => println!("{order} symmetries"),
        None => println!("nothing is interchangeable"),
    }
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
