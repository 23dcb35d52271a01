//! Makes a random run of a Promela model, and prints it as a log for other programs.
//!
//! ```sh
//! cargo run -p driver --example run models/promela/mutex.pml 7
//! ```

// A program of its own, which prints.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use base::{Clock, Colour, Diagnostic, Diagnostics, Sources};
use driver::listener::Nobody;
use driver::load::{Loaded, Request, load};
use driver::open::OpenTexts;
use driver::processes::OfProcesses;
use driver::simulate::{ChoiceMaker, Conversation, Detail, SimulatePlan, Simulator, run};
use model::frontend::Options;
use promela::frontend::Promela;
use std::path::Path;

/// Nobody to talk to: the run is told when it is over.
struct Silent;

impl Conversation for Silent {
    fn say(&self, _: &str) -> Result<(), Diagnostic> {
        Ok(())
    }

    fn ask(&self, _: &str) {}

    fn answer(&self) -> Result<Option<String>, Diagnostic> {
        Ok(None)
    }
}

fn main() {
    let mut words = std::env::args().skip(1);
    let file = words.next().expect("the name of a model");
    let seed = words.next().and_then(|word| word.parse().ok()).unwrap_or(0);
    let plan = SimulatePlan {
        model: model(&file).model,
        chosen: ChoiceMaker::Random(seed),
        steps_max: 20,
        clock: Clock::ENDLESS,
        detail: Detail::Steps,
        state: false,
        json: false,
        records: true,
        symmetry: None,
    };
    let made = run(&Simulator {
        plan: &plan,
        sources: &Sources::new(),
        conversation: &Silent,
        listener: &Nobody,
    });
    print!("{}", report::itf::text(&made.expect("a run").run, None));
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
