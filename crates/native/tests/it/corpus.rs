//! Models by other people.

use crate::both::{model, search};
use crate::models::files;
use model::processes::passes::Setting;
use promela::lower::FullChannels;
use std::path::{Path, PathBuf};

/// The most states of each model that are looked at.
const STATES_MAX: usize = 300;

/// The folder of the models, if it is on this machine.
fn folder() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let named = std::env::var_os("ORBIT_CORPUS").map(PathBuf::from);
    let corpus = named.unwrap_or(root.join("../shared/corpus"));
    Some(corpus.join("promela")).filter(|folder| folder.is_dir())
}

#[test]
fn machine_code_makes_the_moves_of_models_by_other_people() {
    let Some(folder) = folder() else {
        let words = "skipped: there is no corpus beside the project, and ORBIT_CORPUS names none\n";
        let written = std::io::Write::write_all(&mut std::io::stderr(), words.as_bytes());
        assert!(written.is_ok());
        return;
    };
    let mut n_compared = 0;
    for path in files(&folder) {
        let bytes = std::fs::read(&path).expect("a readable model");
        let text = String::from_utf8_lossy(&bytes);
        let beside = path.parent().expect("a folder");
        for setting in [Setting::Best, Setting::Plain] {
            if let Some(model) = model(&text, beside, FullChannels::Block) {
                let seen = search(model, setting, STATES_MAX);
                n_compared += usize::from(seen.n_steps > 0);
            }
        }
    }
    assert!(n_compared > 100, "{n_compared} searches with machine code");
}
