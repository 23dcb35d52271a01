//! Plans for tests.

use base::{Clock, Diagnostics, Sources};
use check::Order;
use driver::ask::{self, Words};
use driver::detect::Detect;
use driver::load::{Request, load};
use driver::plan::{CheckPlan, Fairness, Listing, SearchOptions};
use driver::processes::OfProcesses;
use model::frontend::{Frontend, Options};
use promela::frontend::Promela;
use reduce::network::Algorithm;
use reduce::strategy::Exactly;
use std::path::{Path, PathBuf};

/// A search by breadth with the canonical form, without a limit.
pub fn search_options() -> SearchOptions {
    SearchOptions {
        strategy: &Exactly,
        pairs: Algorithm::Exact,
        count_full: false,
        audit: false,
        self_check: false,
        order: Order::Breadth,
        threads: check::Threads::ONE,
        stop_after: Some(1),
        memory_bytes_max: None,
        time_max: None,
        clock: Clock::ENDLESS,
        depth_max: None,
        unreached: Listing::Hidden,
        full: Listing::Hidden,
        progress: Listing::Hidden,
        line_every: None,
        details: Listing::Hidden,
    }
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
    let words = Words {
        property: None,
        claim: None,
        no_deadlock: false,
        no_assertions: false,
        no_invariant: false,
        fairness: Fairness::None,
    };
    let asked = ask::asked(&words, &*loaded.model, &mut found).expect("questions");
    CheckPlan {
        model: loaded.model,
        load: loaded.load,
        how: search_options(),
        detect: Detect::Structure,
        asked,
        fairness: Fairness::None,
        trail: None,
    }
}
