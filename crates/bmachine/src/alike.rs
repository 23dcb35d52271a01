//! Which members of the given sets of a machine are alike, and why.
//!
//! **Deferred sets.** No formula of B can tell the elements of a deferred set apart: the value of
//! an expression for permuted variables and constants is the permuted value. So all of them are
//! alike, unless something that is no formula of B names them: a formula of temporal logic, which
//! is looked at beside the machine ([`grounds_beside`]).
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

use crate::typed::{Formula, Machine, SortId};
use form::{ElementNames, NormalForm, atoms, form};
use model::values::Ground;

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
            Some(elements) => {
                let text = NamedText {
                    machine,
                    formula: None,
                };
                Ground::Exchanged(text.blocks(sort, elements.len(), &named[sort.index()]))
            }
            None if named[sort.index()].is_empty() => Ground::Unnamed,
            None => Ground::Apart("the machine names its elements".to_owned()),
        })
        .collect()
}

/// The same for whoever asks something of single states as well, which must stay what it is: the
/// atoms of a formula, each. Sorts have so many members.
pub fn grounds_beside(machine: &Machine, sizes: &[usize], formula: &Formula) -> Vec<Ground> {
    let own = grounds(machine);
    let mut named = named_elements(machine);
    for (sort, element) in atom_elements(machine, formula) {
        if !named[sort].contains(&element) {
            named[sort].push(element);
        }
    }
    let sorts = own.into_iter().enumerate();
    let beside = sorts.map(|(sort, ground)| match ground {
        Ground::Apart(reason) => Ground::Apart(reason),
        ground if named[sort].is_empty() => ground,
        _ => {
            let text = NamedText {
                machine,
                formula: Some(formula),
            };
            Ground::Exchanged(text.blocks(SortId::new(sort), sizes[sort], &named[sort]))
        }
    });
    beside.collect()
}

/// The elements that the atoms of a formula name: sort and index.
pub(crate) fn atom_elements(machine: &Machine, formula: &Formula) -> Vec<(usize, usize)> {
    let mut all = Vec::new();
    let form = atoms(machine, &formula.said(), &ElementNames::AsWritten);
    form.visit_elements(&mut |sort, element| all.push((sort, element)));
    all
}

/// A machine, and a formula about it.
struct NamedText<'a> {
    machine: &'a Machine,
    formula: Option<&'a Formula>,
}

/// The normal forms of a text.
#[derive(PartialEq)]
struct Forms {
    machine: NormalForm,
    formula: Option<NormalForm>,
}

impl NamedText<'_> {
    fn forms(&self, names: &ElementNames) -> Forms {
        let atoms = |formula: &Formula| atoms(self.machine, &formula.said(), names);
        Forms {
            machine: form(self.machine, names),
            formula: self.formula.map(atoms),
        }
    }

    /// The blocks of elements of a set of so many that may be exchanged in the text.
    fn blocks(&self, sort: SortId, n_elements: usize, named: &[usize]) -> Vec<Vec<usize>> {
        let all = 0..n_elements;
        let (named, unnamed): (Vec<usize>, Vec<usize>) = all.partition(|e| named.contains(e));
        let mut blocks = vec![unnamed];
        let own = self.forms(&ElementNames::AsWritten);
        // Interchangeable elements have equal forms when all others have one name.
        let mut found: Vec<(Forms, Vec<usize>)> = Vec::new();
        for element in named {
            let forms = self.forms(&ElementNames::Only(sort, element));
            let fits = |(other, block): &&mut (Forms, Vec<usize>)| {
                *other == forms
                    && self.forms(&ElementNames::Exchanged(sort, block[0], element)) == own
            };
            match found.iter_mut().find(fits) {
                Some((_, block)) => block.push(element),
                None => found.push((forms, vec![element])),
            }
        }
        blocks.extend(found.into_iter().map(|(_, block)| block));
        blocks.retain(|block| block.len() > 1);
        blocks
    }
}

/// The first part of the machine that is another one when two elements of an enumerated set are
/// exchanged in it, in words; `None` if there is none.
pub fn told_apart(machine: &Machine, sort: SortId, a: usize, b: usize) -> Option<String> {
    machine.sorts[sort.index()].elements.as_ref()?;
    let own = form(machine, &ElementNames::AsWritten);
    let exchanged = form(machine, &ElementNames::Exchanged(sort, a, b));
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
pub(crate) fn named_elements(machine: &Machine) -> Vec<Vec<usize>> {
    let mut named = vec![Vec::new(); machine.sorts.len()];
    let form = form(machine, &ElementNames::AsWritten);
    form.visit_elements(&mut |sort, element| {
        let named: &mut Vec<usize> = &mut named[sort];
        if !named.contains(&element) {
            named.push(element);
        }
    });
    named
}
