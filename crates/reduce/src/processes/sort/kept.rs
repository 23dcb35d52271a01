//! Loops that count like those of [`super::loops`] and could not be taken in any order.
//!
//! Nothing is decided by them. Whoever asks why a model has so little symmetry is told of them:
//! such a loop makes plain what it counts.

use super::loops::{Finder, Replaced};
use model::processes::layout::FieldId;
use model::processes::program::{LocationId, Model, ProctypeId, StepId};

/// The loops of a text that are left: whose, the variable, and the test.
pub(super) fn kept(text: &Model, replaced: &Replaced) -> Vec<(ProctypeId, FieldId, StepId)> {
    let mut kept = Vec::new();
    for (p, gone) in replaced.removed.iter().enumerate() {
        let finder = Finder {
            text,
            proctype: ProctypeId::new(p),
            unordered: &replaced.unordered,
        };
        let n = text.proctypes[p].locations.len();
        for head in (0..n).filter(|head| !gone.contains(head)) {
            if let Some((test, _, (field, ..))) = finder.counted(LocationId::new(head)) {
                kept.push((finder.proctype, field, test));
            }
        }
    }
    kept
}
