//! All models of the project.

use crate::both::{model, search};
use model::processes::passes::Setting;
use promela::lower::FullChannels;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The most states of each model that are looked at.
const STATES_MAX: usize = 1_000;

fn is_promela(ending: &OsStr) -> bool {
    let known = ["pml", "p", "pm", "pr", "prm", "promela", "spin"];
    known.iter().any(|other| *other == ending)
}

/// The Promela files of a folder and those in it.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(is_promela) {
                all.push(path);
            }
        }
    }
    all.sort();
    all
}

#[test]
fn machine_code_makes_the_moves_of_all_models() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/promela");
    let (mut n_compared, mut n_moves, mut n_asked) = (0_usize, 0, 0);
    for path in files(&folder) {
        let bytes = std::fs::read(&path).expect("a readable model");
        let text = String::from_utf8_lossy(&bytes);
        let beside = path.parent().expect("a folder");
        let full = if n_compared.is_multiple_of(2) {
            FullChannels::Block
        } else {
            FullChannels::Lose
        };
        for setting in [Setting::Best, Setting::Plain, Setting::Spin] {
            if let Some(model) = model(&text, beside, full) {
                let seen = search(model, setting, STATES_MAX);
                n_compared += usize::from(seen.n_steps > 0);
                n_moves += seen.n_moves as u64;
                n_asked += seen.n_asked;
            }
        }
    }
    assert!(n_compared > 300, "{n_compared} searches with machine code");
    assert!(
        n_asked < n_moves,
        "{n_asked} of {n_moves} moves interpreted"
    );
}
