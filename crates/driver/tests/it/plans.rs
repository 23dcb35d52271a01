//! Plans for tests.

use base::{Clock, Diagnostics, Sources};
use driver::load::{Request, load};
use driver::plan::{CheckPlan, SearchOptions};
use driver::processes::OfProcesses;
use model::frontend::{Frontend, Options};
use promela::frontend::Promela;
use std::path::{Path, PathBuf};

/// A search by breadth with the canonical form, without a limit.
pub fn search_options() -> SearchOptions {
    SearchOptions::exact(Clock::ENDLESS)
}

/// A check of a Promela model of the project.
pub fn of_model(name: &str, options: &Options) -> CheckPlan {
    let file = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/promela"));
    of(&OfProcesses(&Promela), &file.join(name), options)
}

fn of(frontend: &dyn Frontend, file: &Path, options: &Options) -> CheckPlan {
    let (mut sources, mut found) = (Sources::new(), Diagnostics::new());
    let request = Request {
        file,
        folders: &[],
        open: driver::open::OpenTexts::none(),
        options,
        clock: Clock::ENDLESS,
    };
    let loaded = load(&request, frontend, &mut sources, &mut found).expect("a model");
    CheckPlan::of(loaded, search_options(), &mut found).expect("questions")
}
