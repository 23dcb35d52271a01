//! Declarations in groups that use each other.
//!
//! A list of declarations is a graph: one points to those that it uses. Each strongly connected
//! component is a group; groups are checked after those that they use (Tarjan 1972, without
//! recursion, because chains of definitions can be long). Modules without parameters are flattened
//! into the list around them, so that they and what is outside may use each other.
//!
//! Worked example: `f(x) = g(x)`, `g(x) = f(x)`, `h = f(1)`: the groups are `{f, g}` and `{h}`, in
//! this order; `f` has one type while its group is checked, and any instance of it in `h`.
//!
//! Whether values of a datatype can be compared depends on its fields, which may be of that very
//! datatype. So a group with datatypes is checked as if they could be, and once more as if they
//! could not if that fails.

use super::types::Ty;
use super::{Checked, Checker, Reported};
use crate::ast::{Decl, DeclKind};
use crate::resolve::{DefId, DefKind};
use base::{Diagnostic, quote};
use std::collections::HashMap;

/// Where a list of declarations stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DeclarationScope {
    /// The script itself: all is generalised, and labels have one type.
    Script,
    /// A module with parameters: labels may have many types, one for each instance.
    Module,
    /// `let`: only what has a written type is generalised.
    Let,
}

impl<'a> Checker<'a> {
    /// Checks a list of declarations; goes on behind mistakes where it can.
    pub(super) fn declarations(
        &mut self,
        decls: &[&'a Decl],
        scope: DeclarationScope,
    ) -> Checked<()> {
        let mut all = Vec::new();
        for decl in decls {
            flatten(decl, &mut all);
        }
        let mut makers: HashMap<DefId, usize> = HashMap::new();
        for (index, decl) in all.iter().enumerate() {
            makers.extend(self.names.binds(decl).iter().map(|&def| (def, index)));
        }
        let uses = |decl: &Decl| -> Vec<usize> {
            let defs = self.names.uses(decl).iter();
            defs.filter_map(|def| makers.get(def).copied()).collect()
        };
        let edges: Vec<Vec<usize>> = all.iter().map(|decl| uses(decl)).collect();
        let mut has_failed = vec![false; all.len()];
        for group in components(&edges) {
            let used = group.iter().flat_map(|&node| &edges[node]);
            let is_lost = used.into_iter().any(|&node| has_failed[node]);
            let decls: Vec<&'a Decl> = group.iter().map(|&node| all[node]).collect();
            if is_lost || self.group(&decls, scope).is_err() {
                for node in group {
                    has_failed[node] = true;
                }
            }
        }
        if has_failed.contains(&true) {
            return Err(Reported);
        }
        Ok(())
    }

    /// Checks one group.
    fn group(&mut self, decls: &[&'a Decl], scope: DeclarationScope) -> Checked<()> {
        self.no_module_in_its_instance(decls)?;
        let mut decls = decls.to_vec();
        // In a group of datatypes and sets of their values, the datatypes say more.
        decls.sort_by_key(|decl| !matches!(decl.kind, DeclKind::Datatype(_)));
        let binds = decls.iter().flat_map(|decl| self.names.binds(decl));
        let binds: Vec<DefId> = binds.copied().collect();
        let datatypes: Vec<DefId> = decls.iter().filter_map(|d| self.datatype_of(d)).collect();
        if datatypes.is_empty() {
            return self.attempt(&decls, &binds, scope);
        }
        self.solver.comparable.extend(&datatypes);
        let n_found = self.found.len();
        let outer = self.solver.types.mark();
        if self.attempt(&decls, &binds, scope).is_ok() {
            self.solver.types.release(outer, false);
            return Ok(());
        }
        self.solver.types.release(outer, true);
        let first = self.found.split_off(n_found);
        for def in &datatypes {
            self.solver.comparable.remove(def);
        }
        self.attempt(&decls, &binds, scope).inspect_err(|_| {
            // What went wrong while they could be compared is the plainer message.
            self.found.truncate(n_found);
            self.found.extend(first);
        })
    }

    fn datatype_of(&self, decl: &Decl) -> Option<DefId> {
        match &decl.kind {
            DeclKind::Datatype(datatype) => self.names.def(&datatype.name),
            _ => None,
        }
    }

    /// Finds the types of a group and generalises them.
    fn attempt(
        &mut self,
        decls: &[&'a Decl],
        binds: &[DefId],
        scope: DeclarationScope,
    ) -> Checked<()> {
        let is_annotated = |def: &DefId| self.names.annotations.contains_key(def);
        let is_generalised = scope != DeclarationScope::Let || binds.iter().any(is_annotated);
        if is_generalised {
            self.solver.types.enter();
        }
        for def in binds {
            let ty = self.solver.types.fresh();
            self.types_of[def.index()] = Some(ty);
        }
        let symmetric = self.solver.symmetric;
        let result = decls.iter().try_for_each(|decl| self.decl(decl, scope));
        self.solver.symmetric = symmetric;
        if is_generalised {
            self.solver.types.leave();
        }
        if result.is_err() {
            for def in binds {
                self.types_of[def.index()] = None;
            }
            return result;
        }
        if is_generalised {
            self.generalise(binds, scope);
        }
        match scope {
            DeclarationScope::Script => self.labels_have_one_type(decls),
            DeclarationScope::Module | DeclarationScope::Let => Ok(()),
        }
    }

    fn generalise(&mut self, binds: &[DefId], scope: DeclarationScope) {
        let of = |def: &DefId| -> Option<(DefId, Ty)> {
            self.types_of[def.index()].map(|ty| (*def, ty))
        };
        let all: Vec<(DefId, Ty)> = binds.iter().filter_map(of).collect();
        let is_free = |def: &DefId| {
            scope != DeclarationScope::Let || self.names.annotations.contains_key(def)
        };
        for (def, ty) in &all {
            if !is_free(def) {
                self.solver.types.hold(*ty);
            }
        }
        for (def, ty) in &all {
            if is_free(def) {
                self.solver.types.generalise(*ty);
            }
            for ty in self.parameters.get(def).cloned().unwrap_or_default() {
                self.solver.types.generalise(ty);
            }
            self.generalise_members(*def);
        }
    }

    /// The types inside a module with parameters speak of the parameters' types.
    fn generalise_members(&mut self, module: DefId) {
        if !self.names.modules.contains_key(&module) {
            return;
        }
        for member in self.names.members(module) {
            if let Some(ty) = self.types_of[member.index()] {
                self.solver.types.generalise(ty);
            }
            for ty in self.parameters.get(&member).cloned().unwrap_or_default() {
                self.solver.types.generalise(ty);
            }
            self.generalise_members(member);
        }
    }

    /// A channel or constructor has one type, or nobody knows what its events are.
    fn labels_have_one_type(&mut self, decls: &[&'a Decl]) -> Checked<()> {
        for decl in decls {
            for &def in self.names.binds(decl) {
                let what = match self.names.kind(def) {
                    DefKind::Channel => "channel",
                    DefKind::Constructor(_) => "constructor",
                    _ => continue,
                };
                let Some(ty) = self.types_of[def.index()] else {
                    continue;
                };
                if !self.solver.types.is_generic(ty) || self.is_in_pattern_for_instances(decl, def)
                {
                    continue;
                }
                let name = quote(self.names.name(def));
                let shown = self.show(ty);
                let message = format!("the fields of the {what} {name} have no definite type");
                let span = match decl.kind {
                    DeclKind::Instance { .. } => None,
                    _ => self.names.defs[def.index()].span,
                };
                let error = Diagnostic::error(span.unwrap_or(decl.span), message);
                let error = error.note(format!("its type is `{shown}`: many types fit"));
                return Err(self.report(error));
            }
        }
        Ok(())
    }

    /// Whether an instance has `def` inside a module that still has parameters.
    fn is_in_pattern_for_instances(&self, decl: &Decl, def: DefId) -> bool {
        let DeclKind::Instance { name, .. } = &decl.kind else {
            return false;
        };
        let Some(mut at) = self.names.def(name) else {
            return false;
        };
        let mut rest: Vec<DefId> = vec![at];
        while let Some(module) = rest.pop() {
            at = module;
            let known = self.names.modules.get(&at);
            if known.is_none_or(|m| m.is_parametrised) {
                continue;
            }
            let members = self.names.members(at);
            if members.contains(&def) {
                return false;
            }
            rest.extend(members);
        }
        true
    }

    /// A module may not use an instance of itself.
    fn no_module_in_its_instance(&mut self, decls: &[&'a Decl]) -> Checked<()> {
        let modules: Vec<DefId> = decls
            .iter()
            .filter_map(|decl| match &decl.kind {
                DeclKind::Module(module) => self.names.def(&module.name),
                _ => None,
            })
            .collect();
        for decl in decls {
            let instance = self.names.instances.get(&std::ptr::from_ref(*decl));
            let Some(of) = instance.map(|instance| instance.of) else {
                continue;
            };
            if modules.contains(&of) {
                let module = quote(self.names.name(of));
                let message = format!("the module {module} uses this instance of itself");
                let mut error = Diagnostic::error(decl.span, message);
                if let Some(span) = self.names.defs[of.index()].span {
                    error = error.and(span, "the module");
                }
                return Err(self.report(error));
            }
        }
        Ok(())
    }
}

/// A declaration with those inside that see, and are seen by, the list around.
fn flatten<'a>(decl: &'a Decl, out: &mut Vec<&'a Decl>) {
    out.push(decl);
    match &decl.kind {
        DeclKind::Module(module) if module.parameters.is_empty() => {
            for inner in module.private.iter().chain(&module.exports) {
                flatten(inner, out);
            }
        }
        DeclKind::Timed { decls, .. } => {
            for inner in decls {
                flatten(inner, out);
            }
        }
        _ => {}
    }
}

/// The strongly connected components of a graph, each after those that it points to.
fn components(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    const NEW: usize = usize::MAX;
    let n = edges.len();
    let (mut order, mut low) = (vec![NEW; n], vec![0; n]);
    let mut is_open = vec![false; n];
    let (mut open, mut found, mut next) = (Vec::new(), Vec::new(), 0);
    for root in 0..n {
        if order[root] != NEW {
            continue;
        }
        // Each entry: a node, and how many of its edges have been followed.
        let mut path = vec![(root, 0)];
        while let Some((node, at)) = path.pop() {
            if at == 0 {
                (order[node], low[node]) = (next, next);
                next += 1;
                open.push(node);
                is_open[node] = true;
            }
            if let Some(&target) = edges[node].get(at) {
                path.push((node, at + 1));
                if order[target] == NEW {
                    path.push((target, 0));
                } else if is_open[target] {
                    low[node] = low[node].min(order[target]);
                }
                continue;
            }
            if low[node] == order[node] {
                let start = open.iter().rposition(|&o| o == node).unwrap_or(0);
                let mut component = open.split_off(start);
                for &member in &component {
                    is_open[member] = false;
                }
                component.sort_unstable();
                found.push(component);
            }
            if let Some(&(parent, _)) = path.last() {
                low[parent] = low[parent].min(low[node]);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::components;

    /// The plain twin: two nodes are together if each reaches the other.
    fn by_reaching(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
        let n = edges.len();
        let mut reach = vec![vec![false; n]; n];
        for (i, row) in reach.iter_mut().enumerate() {
            let mut rest = vec![i];
            while let Some(node) = rest.pop() {
                if !std::mem::replace(&mut row[node], true) {
                    rest.extend(&edges[node]);
                }
            }
        }
        let mut all: Vec<Vec<usize>> = (0..n)
            .map(|i| (0..n).filter(|&j| reach[i][j] && reach[j][i]).collect())
            .collect();
        all.sort();
        all.dedup();
        all
    }

    #[test]
    fn components_agree_with_reaching_and_come_after_what_they_use() {
        for seed in 0..500 {
            let mut random = fastrand::Rng::with_seed(seed);
            let n = random.usize(1..9);
            let edges: Vec<Vec<usize>> = (0..n)
                .map(|_| {
                    (0..random.usize(0..4))
                        .map(|_| random.usize(0..n))
                        .collect()
                })
                .collect();
            let found = components(&edges);
            let place = |node: usize| found.iter().position(|c| c.contains(&node));
            for (node, targets) in edges.iter().enumerate() {
                for &target in targets {
                    assert!(place(target) <= place(node), "seed {seed}");
                }
            }
            let mut sorted = found.clone();
            sorted.sort();
            assert_eq!(sorted, by_reaching(&edges), "seed {seed}");
        }
    }

    #[test]
    fn a_long_chain_needs_no_deep_stack() {
        let edges: Vec<Vec<usize>> = (0..200_000)
            .map(|i| if i == 0 { vec![] } else { vec![i - 1] })
            .collect();
        assert_eq!(components(&edges).len(), 200_000);
    }
}
