//! Which members of the given sets of a machine are alike, and why.
//!
//! **Deferred sets.** No formula of B can tell the elements of a deferred set apart: the value of
//! an expression for permuted variables and constants is the permuted value. So all of them are
//! alike, unless something that is no formula of B names them: a formula of temporal logic.
//!
//! **Enumerated sets.** Elements have names, and are alike only if the machine uses them alike. Two
//! elements are exchanged in the whole machine by substitution, each for the other, and the result
//! must be the machine again, up to the order of what has no order: elements of set extensions,
//! conjuncts and disjuncts, parallel substitutions, branches of `SELECT` and `CHOICE`, alternatives
//! of `CASE`, and up to names of bound variables ([`mod@form`]). Exchanges that pass generate all
//! permutations of a block. Elements that are never named pass, since there is nothing to replace.
//!
//! Worked example: `PROC = {p, q, r}` and the initialisation `flag := {p |-> FALSE, q |-> FALSE}`.
//! Exchanging `p` and `q` gives `{q |-> FALSE, p |-> FALSE}`, the same set; `r` is not named there,
//! so exchanging it with `p` gives another one. The blocks are `{p, q}` and `{r}`.
//!
//! Sources: the permutation theorem is in Leuschel, Butler, Spermann and Turner 2007. Cost: the
//! machine is written out once for each named element, and once more for each two that look alike.

mod form;

#[cfg(test)]
mod tests;

use crate::typed::{Machine, SortId};
use form::{Form, Names, form};
use system::values::Ground;

/// What is known about the members of each sort, by [`SortId`].
///
/// Whoever runs the machine and does not enumerate all solutions of a choice, but the first so
/// many, must not use these grounds: what comes first is no matter of B
/// ([`crate::live::Live::is_limited`]).
pub fn grounds(machine: &Machine) -> Vec<Ground> {
    let named = named_elements(machine);
    let sorts = (0..machine.sorts.len()).map(SortId::new);
    sorts
        .map(|sort| match &machine.sorts[sort.index()].elements {
            Some(_) => Ground::Exchanged(blocks(machine, sort, &named[sort.index()])),
            None => deferred(machine, sort, &named[sort.index()]),
        })
        .collect()
}

fn deferred(machine: &Machine, sort: SortId, named: &[usize]) -> Ground {
    let name = &machine.sorts[sort.index()].name;
    if !named.is_empty() {
        return Ground::Apart("the machine names its elements".to_owned());
    }
    let is_member = |word: &str| {
        let number = word.strip_prefix(name.as_str());
        number.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
    };
    let formulas = machine.formulas.iter();
    let names = formulas.filter(|formula| words(&formula.text).any(is_member));
    match names.map(|formula| &formula.name).next() {
        Some(formula) => Ground::Apart(format!("`{formula}` names its elements")),
        None => Ground::Unnamed,
    }
}

/// The blocks of elements of an enumerated set that may be exchanged in the text.
fn blocks(machine: &Machine, sort: SortId, named: &[usize]) -> Vec<Vec<usize>> {
    let elements = machine.sorts[sort.index()].elements.as_deref();
    let elements = elements.unwrap_or_default();
    let in_formula = |e: &usize| {
        let mut formulas = machine.formulas.iter();
        formulas.any(|formula| words(&formula.text).any(|word| word == elements[*e]))
    };
    let all = (0..elements.len()).filter(|e| !in_formula(e));
    let (named, unnamed): (Vec<usize>, Vec<usize>) = all.partition(|e| named.contains(e));
    let mut blocks = vec![unnamed];
    let own = form(machine, &Names::AsWritten);
    // Elements that are alike look alike when all others are called the same.
    let mut found: Vec<(Form, Vec<usize>)> = Vec::new();
    for element in named {
        let look = form(machine, &Names::Only(sort, element));
        let fits = |(other, block): &&mut (Form, Vec<usize>)| {
            *other == look && form(machine, &Names::Exchanged(sort, block[0], element)) == own
        };
        match found.iter_mut().find(fits) {
            Some((_, block)) => block.push(element),
            None => found.push((look, vec![element])),
        }
    }
    blocks.extend(found.into_iter().map(|(_, block)| block));
    blocks.retain(|block| block.len() > 1);
    blocks
}

/// The first part of the machine that is another one when two elements of an enumerated set are
/// exchanged in it, in words; `None` if there is none.
pub fn told_apart(machine: &Machine, sort: SortId, (a, b): (usize, usize)) -> Option<String> {
    let elements = machine.sorts[sort.index()].elements.as_deref()?;
    let is_meant = |word: &str| {
        [a, b]
            .iter()
            .any(|e| elements.get(*e).is_some_and(|n| n == word))
    };
    let mut formulas = machine.formulas.iter();
    if let Some(formula) = formulas.find(|formula| words(&formula.text).any(is_meant)) {
        return Some(format!("the formula `{}`", formula.name));
    }
    let own = form(machine, &Names::AsWritten);
    let exchanged = form(machine, &Names::Exchanged(sort, a, b));
    let at = own.first_difference(&exchanged)?;
    Some(match at[..] {
        [0, 0, ..] => "the properties".to_owned(),
        [0, 1, ..] => "the invariant".to_owned(),
        [0, 2, ..] => "the gluing invariant".to_owned(),
        [0, 3, ..] => "the assertions".to_owned(),
        [0, 4, ..] => "the initialisation".to_owned(),
        [0, 5, n, ..] => {
            let operation = machine.operations.get(n);
            format!("the operation `{}`", operation.map_or("", |o| &o.name))
        }
        [0, ..] => "the goal".to_owned(),
        _ => "what the machine refines".to_owned(),
    })
}

/// By sort: the elements that occur in the text.
pub fn named_elements(machine: &Machine) -> Vec<Vec<usize>> {
    let mut named = vec![Vec::new(); machine.sorts.len()];
    let form = form(machine, &Names::AsWritten);
    form.visit_elements(&mut |sort, element| {
        let named: &mut Vec<usize> = &mut named[sort];
        if !named.contains(&element) {
            named.push(element);
        }
    });
    named
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
}
