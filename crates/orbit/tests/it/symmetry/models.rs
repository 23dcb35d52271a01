//! Every model of `models/promela` keeps all symmetries that its graph has, and they hold on the
//! moves from its first states.

use super::prepare;
use super::random::{N_STATES, states};
use crate::counts::compile;
use model::processes::passes::Setting;
use reduce::audit::Audit;
use reduce::processes::certify::certify;
use reduce::processes::sort::verify;
use std::path::{Path, PathBuf};

/// The models that are accepted.
fn paths() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/promela");
    let mut paths = Vec::new();
    for folder in [folder.clone(), folder.join("constructs")] {
        let entries = std::fs::read_dir(folder).expect("a folder of models");
        let files = entries.map(|entry| entry.expect("an entry").path());
        paths.extend(files.filter(|path| path.extension().is_some_and(|e| e == "pml")));
    }
    paths.sort();
    paths
}

#[test]
fn all_that_the_graph_finds_is_certified() {
    let (mut n_models, mut n_generators, mut faults) = (0, 0, Vec::new());
    for path in paths() {
        let name = path.file_name().unwrap_or_default().display().to_string();
        let text = std::fs::read_to_string(&path).expect("a model");
        let Ok(compiled) = compile(&text, &[]) else {
            continue;
        };
        for setting in [Setting::Plain, Setting::Spin, Setting::Best] {
            let Some(model) = prepare(&compiled, setting) else {
                continue;
            };
            if let Err(misuse) = verify(&model.sorts, &model.population) {
                faults.push(format!("{name} {setting:?}: {misuse:?}"));
                continue;
            }
            let certified = certify(&model.sorts, &model.population, &model.candidates);
            for rejected in certified.rejected() {
                faults.push(format!("{name} {setting:?}: {rejected:?}"));
            }
            let mut audit = Audit::new(&model.machine, &certified.certified());
            let states = if certified.group().is_trivial() {
                Vec::new()
            } else {
                states(&model.machine, N_STATES)
            };
            if let Some(state) = states.iter().find(|state| audit.check(state).is_err()) {
                faults.push(format!(
                    "{name} {setting:?}: {state:?} and its image differ"
                ));
            }
            n_models += 1;
            n_generators += model.candidates.generators.len();
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(
        n_models > 90 && n_generators > 100,
        "{n_models} models, {n_generators} generators"
    );
}
