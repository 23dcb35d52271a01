//! Whether members of given sets may be exchanged, checked on the typed machine.
//!
//! This is what certification asks ([`Text`]), and it shares nothing with [`crate::alike`], which
//! finds the candidates: there a normal form of the machine is written for each name and compared;
//! here two cursors go over the one typed tree side by side, and one of them reads the two members
//! for each other. Where both go through, the machine is a machine with the same meaning after the
//! exchange, so the exchange is a symmetry (`docs/theory/values-symmetry.md`).
//!
//! All of the machine is looked at: properties, invariant, gluing invariant, assertions,
//! initialisation, operations (which keep their names and hence their places), the goal, the same
//! of each machine that is refined, and, where there is a formula, each of its atoms by itself.
//!
//! Order is ignored where it has no meaning, and nowhere else:
//!
//! - Conjuncts, disjuncts, elements of `{…}`, operands of `\/` and of `/\`: neighbours that always
//!   have a value change places. They are looked at from left to right, and one that decides hides
//!   that a later one is undefined.
//! - Sides of `=` and `<=>` change places: both are looked at in any case.
//! - Branches of `SELECT` and `CHOICE` do, and operations that are counted: all are tried.
//! - Alternatives of `CASE` do if all their values are literals, each another one.
//!
//! Worked example: `SETS E = {p, q, r}`, initialisation `v := {p, q}`, an operation
//! `SELECT p : v THEN v := {q} WHEN q : v THEN v := {p} END`. For `p` and `q` the cursors meet
//! `{p, q}` and `{q, p}`, the same set; the first branch and the second, read with `p` for `q`; and
//! the second and the first. For `p` and `r` they meet `{p, q}` and `{r, q}`, and `r` fits nothing.
//!
//! Cost: members that a part does not name cannot change it, so an exchange costs a pass over the
//! parts that name one of the two; lists without order cost at most the product of their lengths.
//! What takes too long is an objection, never a yes.

mod compare;
mod defined;
mod nodes;
mod sorts;
mod substitutions;

#[cfg(test)]
mod tests;

use crate::typed::{
    Atom, AtomKind, CallPattern, ExprKind, Formula, Machine, Operation, Pred, Subst,
};
use base::Span;
use compare::{Compare, Exchange, Miss, Same};
use model::values::{Objection, Part, Place, SortId, Text};
use nodes::{TypedNode, all_nodes, arguments};
use sorts::{ElementName, SortNames};
use std::collections::{HashMap, HashSet};

/// A machine with what it refines and the atoms of a formula, as certification sees it.
pub struct MachineText<'a> {
    sections: Vec<Section<'a>>,
    /// By machine, the main one first.
    sorts: Vec<(&'a Machine, SortNames)>,
}

/// A part of the text.
struct Section<'a> {
    /// Which of the machines it belongs to.
    machine: usize,
    part: Part,
    body: PartContent<'a>,
    /// Members of the main machine that it names, and where first.
    named: HashMap<(SortId, usize), Span>,
    /// Sorts of the main machine of which it names members that these do not have.
    unmatched: HashSet<SortId>,
}

/// What a part is made of.
#[derive(Clone, Copy)]
enum PartContent<'a> {
    Preds(&'a [Pred]),
    Subst(&'a Subst),
    Operation(&'a Operation),
    Atom(&'a Atom),
    Call(&'a CallPattern),
}

impl<'a> MachineText<'a> {
    /// The text of a machine and of all that it refines.
    pub fn new(machine: &'a Machine) -> MachineText<'a> {
        let mut text = MachineText {
            sections: Vec::new(),
            sorts: Vec::new(),
        };
        let mut next = Some(machine);
        while let Some(refined) = next {
            text.sorts.push((refined, SortNames::new(refined, machine)));
            text.add_machine(refined);
            next = refined.refines.as_deref();
        }
        text
    }

    /// The same, and each atom of a formula of the machine is to stay what it is, as is each step
    /// that runs have to be fair to.
    pub fn beside(machine: &'a Machine, formula: &'a Formula) -> MachineText<'a> {
        let mut text = MachineText::new(machine);
        for (n, atom) in formula.atoms.iter().enumerate() {
            text.add(0, Part::Atom(n), PartContent::Atom(atom));
        }
        for (n, (_, call)) in formula.fair.iter().enumerate() {
            if let Some(call) = call {
                text.add(0, Part::Fairness(n), PartContent::Call(call));
            }
        }
        text
    }

    /// Whether exchanging two members makes the atoms of a formula those of another, one by one.
    pub(crate) fn carries(
        &self,
        from: &Formula,
        to: &Formula,
        sort: SortId,
        [a, b]: [usize; 2],
    ) -> bool {
        let (machine, sorts) = &self.sorts[0];
        let mut pairs = from.atoms.iter().zip(&to.atoms);
        from.atoms.len() == to.atoms.len()
            && from.fair.is_empty()
            && to.fair.is_empty()
            && pairs.all(|(x, y)| {
                let mut compare = Compare::new(machine, sorts, Exchange { sort, a, b });
                compare.atom(x, y).is_ok()
            })
    }

    /// Adds the parts of the last machine.
    fn add_machine(&mut self, machine: &'a Machine) {
        // Every field is named, so that none is overlooked that will come.
        let Machine {
            properties,
            invariant,
            gluing,
            assertions,
            initialisation,
            operations,
            goal,
            // Names and types: no member occurs in them.
            name: _,
            span: _,
            sorts: _,
            globals: _,
            n_constants: _,
            n_abstract: _,
            locals: _,
            // Each is looked at beside the machine when it is checked.
            formulas: _,
            // Sizes and limits; who is limited uses no symmetry.
            settings: _,
            // Has its own turn.
            refines: _,
        } = machine;
        let n = self.sorts.len() - 1;
        self.add(n, Part::Properties, PartContent::Preds(properties));
        self.add(n, Part::Invariant, PartContent::Preds(invariant));
        self.add(n, Part::Gluing, PartContent::Preds(gluing));
        self.add(n, Part::Assertions, PartContent::Preds(assertions));
        self.add(n, Part::Initialisation, PartContent::Subst(initialisation));
        for operation in operations {
            let part = Part::Operation(operation.name.clone());
            self.add(n, part, PartContent::Operation(operation));
        }
        if let Some(goal) = goal {
            self.add(
                n,
                Part::Goal,
                PartContent::Preds(std::slice::from_ref(goal)),
            );
        }
    }

    fn add(&mut self, machine: usize, part: Part, body: PartContent<'a>) {
        let mut section = Section {
            machine,
            part,
            body,
            named: HashMap::new(),
            unmatched: HashSet::new(),
        };
        section.find_names(&self.sorts[machine].1);
        self.sections.push(section);
    }

    fn place(&self, section: &Section<'_>, span: Option<Span>) -> Place {
        let refined = (section.machine > 0).then(|| self.sorts[section.machine].0.name.clone());
        Place {
            part: section.part.clone(),
            refined,
            span,
        }
    }

    /// Whether the exchange leaves a part what it is.
    fn keeps(&self, section: &Section<'_>, exchange: Exchange) -> Same {
        let (machine, sorts) = &self.sorts[section.machine];
        let mut compare = Compare::new(machine, sorts, exchange);
        match section.body {
            PartContent::Preds(preds) => compare.preds(preds, preds, machine.span),
            PartContent::Subst(subst) => compare.subst(subst, subst),
            PartContent::Operation(operation) => compare.operation(operation),
            PartContent::Atom(atom) => compare.atom(atom, atom),
            PartContent::Call(call) => compare.called(call, call),
        }
    }
}

impl Section<'_> {
    /// Notes all members that the part names.
    fn find_names(&mut self, sorts: &SortNames) {
        for root in self.body.nodes() {
            all_nodes(root, |node| {
                if let TypedNode::Expr(expr) = node
                    && let ExprKind::Element(sort, element) = expr.kind
                {
                    match sorts.named(sort, element) {
                        ElementName::Main(sort, member) => {
                            let first = self.named.entry((sort, member)).or_insert(expr.span);
                            *first = expr.span.min(*first);
                        }
                        ElementName::Unmatched(sort, ..) => drop(self.unmatched.insert(sort)),
                        ElementName::Foreign(..) => {}
                    }
                }
                true
            });
        }
    }
}

impl<'a> PartContent<'a> {
    fn nodes(self) -> Vec<TypedNode<'a>> {
        match self {
            PartContent::Preds(preds) => preds.iter().map(TypedNode::Pred).collect(),
            PartContent::Subst(subst) => vec![TypedNode::Subst(subst)],
            PartContent::Operation(operation) => vec![TypedNode::Subst(&operation.body)],
            PartContent::Call(call) => arguments(call).collect(),
            PartContent::Atom(atom) => match &atom.kind {
                AtomKind::Pred(pred) => vec![TypedNode::Pred(pred)],
                AtomKind::Enabled(call) | AtomKind::Came(call) => arguments(call).collect(),
                AtomKind::Count(_, calls) => calls.iter().flat_map(arguments).collect(),
                AtomKind::Dead | AtomKind::Sink => Vec::new(),
            },
        }
    }
}

impl Text for MachineText<'_> {
    fn exchange(&self, sort: SortId, a: usize, b: usize) -> Result<(), Objection> {
        for section in &self.sections {
            if section.unmatched.contains(&sort) {
                return Err(Objection::Unmatched(self.place(section, None)));
            }
            // Members that are not named cannot change anything.
            let names = |member: usize| section.named.contains_key(&(sort, member));
            if a == b || !names(a) && !names(b) {
                continue;
            }
            match self.keeps(section, Exchange { sort, a, b }) {
                Ok(()) => {}
                Err(Miss::Differ(span)) => {
                    return Err(Objection::Changed(self.place(section, Some(span))));
                }
                Err(Miss::Limit(limit, span)) => {
                    return Err(Objection::Limit(limit, self.place(section, Some(span))));
                }
            }
        }
        Ok(())
    }

    fn unnamed(&self, sort: SortId) -> Result<(), Objection> {
        for section in &self.sections {
            if section.unmatched.contains(&sort) {
                return Err(Objection::Unmatched(self.place(section, None)));
            }
            let named = section.named.iter().filter(|((of, _), _)| *of == sort);
            // The first place, so that the answer does not depend on the order of a table.
            if let Some(span) = named.map(|(_, span)| *span).min() {
                return Err(Objection::Named(self.place(section, Some(span))));
            }
        }
        Ok(())
    }
}
