//! What changes of the text give: a few beside the advice, all where they were asked for.

use super::SymmetryPlan;
use crate::suggest::Trials;
use model::proposal::ProposalKind;
use num_bigint::BigUint;
use reduce::processes::Found;
use reduce::processes::blockers::advice;
use report::object::{ShortSearch, Suggestion, Symmetries};
use report::page::Page;
use report::words::short_number;
use std::collections::BTreeSet;

/// Beside advice changes are tried as long as that takes about as long as looking for symmetry in
/// this many vertices of a structure. It is a number of changes, not a time: what is shown must not
/// depend on how fast the machine is.
const N_VERTICES_MAX: usize = 20_000;
/// The most changes that are tried beside advice.
const N_TRIES_MAX: usize = 12;

/// Tries the changes that a piece of advice means.
pub struct Tryout<'a> {
    trials: Trials<'a>,
    order: BigUint,
    n_max: usize,
}

impl<'a> Tryout<'a> {
    /// Nothing was tried yet.
    pub fn new(plan: &'a SymmetryPlan, found: &Found) -> Tryout<'a> {
        let n_vertices = found.structure.colours.len().max(1);
        Tryout {
            trials: Trials::new(&plan.again, plan.clock),
            order: found.certified.group().order(),
            n_max: (N_VERTICES_MAX / n_vertices).clamp(1, N_TRIES_MAX),
        }
    }

    /// What following a piece of advice at these lines gives, in words; `None` if it was not tried.
    pub fn tried(&mut self, words: &str, lines: &BTreeSet<u32>) -> Option<String> {
        let kinds: &[ProposalKind] = match words {
            advice::LOOP | advice::ROUNDS | advice::ATOMIC => &[ProposalKind::Undivided],
            advice::LITERAL | advice::START | advice::NUMBERS => &[ProposalKind::Value],
            advice::ENDS => &[ProposalKind::Stays],
            _ => return None,
        };
        let lines: Vec<u32> = lines.iter().copied().collect();
        let best = (self.trials).best(&lines, kinds, (&self.order, self.n_max))?;
        Some(best.map_or("nothing alone".to_owned(), |tried| tried.structure))
    }
}

/// The changes that give more symmetry, and their patch.
pub fn suggestions(plan: &SymmetryPlan, found: &Found, page: &mut Page, told: &mut Symmetries) {
    if plan.again.frontend.proposals("", &[]).is_none() {
        let language = plan.again.frontend.language();
        let file = plan.again.file.display();
        let words = format!("none: no changes are known for texts of {language}, as {file}");
        page.row("suggested", &words);
        return;
    }
    let mut trials = Trials::new(&plan.again, plan.clock);
    let all = trials.suggestions();
    if all.changes.is_empty() {
        let words = match all.n_tried {
            0 => "none: no change of the text is known that could help".to_owned(),
            n => format!("none: {n} changes were tried, and none gives more symmetry"),
        };
        page.row("suggested", &words);
    }
    let group = found.certified.group();
    let mut before = group::shape::name::describe(group).to_string();
    let mut searched = all.before;
    let mut rows = Vec::new();
    for change in &all.changes {
        rows.extend(super::wrapped(&change_words(change)));
        let gives = gives_words(change, (&before, searched));
        rows.extend(super::wrapped(&gives));
        rows.extend(super::wrapped(&format!(
            "judge: {}",
            change.judge.join("; ")
        )));
        before.clone_from(&change.structure);
        searched = change.search;
    }
    if !rows.is_empty() {
        page.listing("suggested", &rows);
    }
    if let Some(patch) = &all.patch {
        page.verbatim(patch);
    }
    told.suggestions = Some(all);
}

/// What is changed, and where.
fn change_words(change: &Suggestion) -> String {
    let each = change.changes.iter().zip(&change.lines);
    let each: Vec<String> = each
        .map(|(words, line)| format!("line {line}: {words}"))
        .collect();
    each.join(", and ")
}

/// What a change gives, beside what there was.
fn gives_words(change: &Suggestion, (structure, before): (&str, Option<ShortSearch>)) -> String {
    let order = short_number(&change.group_order);
    let mut words = format!(
        "with this change: {} (order {order}) instead of {structure}",
        change.structure
    );
    if let (Some(after), Some(before)) = (change.search, before) {
        if after.is_complete || before.is_complete {
            words += &format!(", {} instead of {} states", count(after), count(before));
        }
        match (before.is_wrong, after.is_wrong) {
            (false, true) => words += "; an error is found that was not found before",
            (true, false) => words += "; no error is found any more",
            _ => {}
        }
    }
    words
}

fn count(search: ShortSearch) -> String {
    if search.is_complete {
        search.states.to_string()
    } else {
        format!("more than {}", search.states)
    }
}
