//! How many members given sets have.
//!
//! A size is, in this order of precedence: the number of names of an enumerated set; what the
//! caller asks for; what a definition or property of the machine says (`scope_S == 3`, `card(S) =
//! 3`, `card(S) = n` where `n = 3` is a property, `card(S) = card(T)` where the size of `T` is
//! known); the default, or more if properties need more (`card(S) > 3`, three constants of `S` of
//! which no two are equal, disjoint parts that are not empty), or less if they allow less (`card(S)
//! < 2`, `S = {a}`). `S = {a, b}` says that there are at most two: with a default of 2 there are
//! two, and `a` and `b` differ.
//!
//! A size that is asked for and contradicts a property is not a mistake here: the property then has
//! no solution.

use base::Diagnostic;

use crate::typed::{
    self, Binary, Compare, Expr, ExprKind, GlobalId, Pred, PredKind, SortId, Type, Unary,
};

/// Larger sets are refused: a state with a set over them would be unwieldy, and so would search.
const SIZE_MAX: usize = 1 << 16;

/// The size of each given set of a machine.
pub fn sizes(
    machine: &typed::Machine,
    asked: &[(SortId, usize)],
    default: usize,
) -> Result<Vec<usize>, Vec<Diagnostic>> {
    let mut facts = SizeFacts {
        machine,
        exact: vec![None; machine.sorts.len()],
        least: vec![0; machine.sorts.len()],
        most: vec![usize::MAX; machine.sorts.len()],
    };
    for (sort, size) in asked {
        facts.exact[sort.index()].get_or_insert(*size);
    }
    for (index, sort) in machine.sorts.iter().enumerate() {
        if let Some(elements) = &sort.elements {
            facts.exact[index] = Some(elements.len());
        }
    }
    for (sort, size, _) in &machine.settings.sizes {
        facts.exact[sort.index()].get_or_insert(*size);
    }
    // Equal sizes may lead from one set to the next.
    for _ in 0..=machine.sorts.len() {
        for pred in &machine.properties {
            facts.learn(pred);
        }
    }
    facts.count_distinct();
    let mut sizes = Vec::new();
    let mut found = Vec::new();
    for (index, sort) in machine.sorts.iter().enumerate() {
        // Where properties contradict each other, no size is right.
        let size = default.min(facts.most[index]).max(facts.least[index]);
        let size = facts.exact[index].unwrap_or(size);
        if size > SIZE_MAX {
            let message = format!(
                "`{}` has {size} elements; at most {SIZE_MAX} can be",
                sort.name
            );
            found.push(Diagnostic::error(sort.span, message));
        }
        sizes.push(size);
    }
    if found.is_empty() {
        Ok(sizes)
    } else {
        Err(found)
    }
}

/// Where the size of each given set comes from, in a word: `enumerated`, `flag`, `definition`,
/// `property` or `default`; `sizes` are what [`sizes`] made of the same.
pub fn origins(
    machine: &typed::Machine,
    asked: &[(SortId, usize)],
    default: usize,
    sizes: &[usize],
) -> Vec<&'static str> {
    let origin = |(index, sort): (usize, &typed::Sort)| {
        let is_own = |of: &SortId| of.index() == index;
        let said = machine.settings.sizes.iter();
        let mut said = said.filter(|(of, ..)| is_own(of));
        match said.next() {
            _ if sort.elements.is_some() => "enumerated",
            _ if asked.iter().any(|(of, _)| is_own(of)) => "flag",
            Some((_, _, span)) if machine.properties.iter().all(|p| p.span != *span) => {
                "definition"
            }
            Some(_) => "property",
            None if sizes[index] != default => "property",
            None => "default",
        }
    };
    machine.sorts.iter().enumerate().map(origin).collect()
}

/// Whether properties speak of the sizes of given sets.
pub(crate) fn speaks_of_sizes(machine: &typed::Machine) -> bool {
    fn speaks(pred: &Pred) -> bool {
        match &pred.kind {
            PredKind::And(all) => all.iter().any(speaks),
            PredKind::Compare(_, left, right) => [left, right].iter().any(|e| card_of(e).is_some()),
            _ => false,
        }
    }
    machine.properties.iter().any(speaks)
}

struct SizeFacts<'m> {
    machine: &'m typed::Machine,
    exact: Vec<Option<usize>>,
    least: Vec<usize>,
    most: Vec<usize>,
}

impl SizeFacts<'_> {
    fn learn(&mut self, pred: &Pred) {
        match &pred.kind {
            PredKind::And(all) => all.iter().for_each(|p| self.learn(p)),
            PredKind::Compare(compare, left, right) => {
                match compare {
                    Compare::Equal => {
                        self.within(left, right);
                        self.within(right, left);
                    }
                    Compare::Subset => self.within(left, right),
                    _ => {}
                }
                if let Some(sort) = card_of(left) {
                    self.compare(sort, *compare, right);
                }
                if let Some(sort) = card_of(right) {
                    self.compare(sort, mirrored(*compare), left);
                }
            }
            _ => {}
        }
    }

    /// `set <: other`.
    fn within(&mut self, set: &Expr, other: &Expr) {
        if let ExprKind::Carrier(sort) = &set.kind {
            let most = self.most_of(other, 8);
            let known = &mut self.most[sort.index()];
            *known = most.min(*known);
        }
    }

    /// `card(sort) compare value`.
    fn compare(&mut self, sort: SortId, compare: Compare, value: &Expr) {
        let index = sort.index();
        let Some(n) = self.number(value, 8) else {
            return;
        };
        match compare {
            Compare::Equal => {
                self.exact[index].get_or_insert(n);
            }
            Compare::Greater => self.least[index] = self.least[index].max(n + 1),
            Compare::GreaterEqual => self.least[index] = self.least[index].max(n),
            Compare::Less => self.most[index] = self.most[index].min(n.saturating_sub(1)),
            Compare::LessEqual => self.most[index] = self.most[index].min(n),
            _ => {}
        }
    }

    /// The number that an expression is in all valuations, if that is easily seen.
    fn number(&self, expr: &Expr, depth: usize) -> Option<usize> {
        let depth = depth.checked_sub(1)?;
        if let Some(sort) = card_of(expr) {
            return self.exact[sort.index()];
        }
        match &expr.kind {
            ExprKind::Int(int) => usize::try_from(*int).ok(),
            ExprKind::Global(id) => {
                let mut found = None;
                for pred in &self.machine.properties {
                    found = found.or_else(|| self.definition(pred, *id, depth));
                }
                found
            }
            ExprKind::Binary(op, left, right) => {
                let (a, b) = (self.number(left, depth)?, self.number(right, depth)?);
                match op {
                    Binary::Add => a.checked_add(b),
                    Binary::Subtract => a.checked_sub(b),
                    Binary::Multiply => a.checked_mul(b),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// How many elements a set has at most, as far as its text says.
    fn most_of(&self, set: &Expr, depth: usize) -> usize {
        let Some(depth) = depth.checked_sub(1) else {
            return usize::MAX;
        };
        match &set.kind {
            ExprKind::Empty => 0,
            ExprKind::SetOf(elements) => elements.len(),
            ExprKind::Carrier(sort) => self.exact[sort.index()].unwrap_or(usize::MAX),
            ExprKind::Binary(Binary::Union, a, b) => {
                let (a, b) = (self.most_of(a, depth), self.most_of(b, depth));
                a.saturating_add(b)
            }
            ExprKind::Binary(Binary::Intersection, a, b) => {
                self.most_of(a, depth).min(self.most_of(b, depth))
            }
            ExprKind::Binary(Binary::Difference, a, _) => self.most_of(a, depth),
            ExprKind::Global(id) => {
                let is_it = |e: &Expr| matches!(e.kind, ExprKind::Global(found) if found == *id);
                let mut most = usize::MAX;
                for pred in self.machine.properties.iter().flat_map(conjuncts) {
                    if let PredKind::Compare(Compare::Equal, left, right) = &pred.kind {
                        for (name, other) in [(left, right), (right, left)] {
                            if is_it(name) {
                                most = most.min(self.most_of(other, depth));
                            }
                        }
                    }
                }
                most
            }
            _ => usize::MAX,
        }
    }

    /// The number `n` of a property `id = n`.
    fn definition(&self, pred: &Pred, id: GlobalId, depth: usize) -> Option<usize> {
        match &pred.kind {
            PredKind::And(all) => all.iter().find_map(|p| self.definition(p, id, depth)),
            PredKind::Compare(Compare::Equal, left, right) => {
                let is_it = |e: &Expr| matches!(e.kind, ExprKind::Global(found) if found == id);
                if is_it(left) {
                    self.number(right, depth)
                } else if is_it(right) {
                    self.number(left, depth)
                } else {
                    None
                }
            }
            _ => None,
        }
    }

    /// Constants of which no two are equal need as many members, and so do parts.
    fn count_distinct(&mut self) {
        for index in 0..self.machine.sorts.len() {
            let sort = SortId::new(index);
            let n_different = different(self.machine, sort).len();
            let carrier = |e: &Expr| matches!(e.kind, ExprKind::Carrier(found) if found == sort);
            let n = n_different.max(self.least_size(&carrier, 8));
            self.least[index] = self.least[index].max(n);
        }
    }

    /// How many elements a set has at least: none, or one if a property says it is not empty, or as
    /// many as the disjoint parts that it is the union of.
    fn least_size(&self, is_it: &dyn Fn(&Expr) -> bool, depth: usize) -> usize {
        let mut least = 0;
        for pred in self.machine.properties.iter().flat_map(conjuncts) {
            if let PredKind::Not(inner) = &pred.kind
                && let PredKind::Compare(Compare::Equal, left, right) = &inner.kind
                && [(left, right), (right, left)]
                    .iter()
                    .any(|(set, other)| is_it(set) && matches!(other.kind, ExprKind::Empty))
            {
                least = least.max(1);
            }
            if let Some(depth) = depth.checked_sub(1)
                && let Some(parts) = union(pred, is_it)
                && self.are_disjoint(&parts)
            {
                let sizes = parts.iter().map(|part| {
                    let is_part =
                        |e: &Expr| matches!(e.kind, ExprKind::Global(found) if found == *part);
                    self.least_size(&is_part, depth)
                });
                least = least.max(sizes.sum());
            }
        }
        least
    }

    fn are_disjoint(&self, parts: &[GlobalId]) -> bool {
        let properties = self.machine.properties.iter().flat_map(conjuncts);
        let pairs: Vec<(GlobalId, GlobalId)> = properties.filter_map(disjoint).collect();
        let known = |a: GlobalId, b: GlobalId| pairs.contains(&(a, b)) || pairs.contains(&(b, a));
        let mut all = (0..parts.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        all.all(|(i, j)| known(parts[i], parts[j]))
    }
}

/// The constants that are elements of a given set.
pub(super) fn elements(machine: &typed::Machine, sort: SortId) -> Vec<GlobalId> {
    let ty = Type::Member(sort);
    let ids = (0..machine.n_constants).map(GlobalId::new);
    ids.filter(|id| machine.globals[id.index()].ty == ty)
        .collect()
}

/// Constants that are elements of a given set, of which properties say that no two are equal: as
/// many as are easily found, and at least one if there are any.
pub(super) fn different(machine: &typed::Machine, sort: SortId) -> Vec<GlobalId> {
    let mut unequal = Vec::new();
    for pred in &machine.properties {
        each_unequal(pred, &mut unequal);
    }
    let mut ids = elements(machine, sort);
    let degree = |id: &GlobalId| unequal.iter().filter(|(a, b)| a == id || b == id).count();
    ids.sort_by_key(|id| std::cmp::Reverse(degree(id)));
    let mut chosen: Vec<GlobalId> = Vec::new();
    for id in ids {
        let differs =
            |other: &GlobalId| unequal.contains(&(id, *other)) || unequal.contains(&(*other, id));
        if chosen.iter().all(differs) {
            chosen.push(id);
        }
    }
    chosen
}

/// The constants whose union is a given set, if that is what a property says.
pub(super) fn union_of(pred: &Pred, sort: SortId) -> Option<Vec<GlobalId>> {
    union(
        pred,
        &|e| matches!(e.kind, ExprKind::Carrier(found) if found == sort),
    )
}

/// The constants whose union is a set, if that is what a property says.
fn union(pred: &Pred, is_it: &dyn Fn(&Expr) -> bool) -> Option<Vec<GlobalId>> {
    let PredKind::Compare(Compare::Equal, left, right) = &pred.kind else {
        return None;
    };
    let sides = [(left, right), (right, left)];
    let (_, parts) = sides.into_iter().find(|(set, _)| is_it(set))?;
    let mut found = Vec::new();
    let mut open = vec![&**parts];
    while let Some(part) = open.pop() {
        match &part.kind {
            ExprKind::Binary(Binary::Union, a, b) => open.extend([&**b, &**a]),
            ExprKind::Global(id) if !found.contains(id) => found.push(*id),
            _ => return None,
        }
    }
    Some(found)
}

/// Two constants that have no element in common, if that is what a property says.
pub(super) fn disjoint(pred: &Pred) -> Option<(GlobalId, GlobalId)> {
    let PredKind::Compare(Compare::Equal, left, right) = &pred.kind else {
        return None;
    };
    for (set, other) in [(left, right), (right, left)] {
        if let ExprKind::Binary(Binary::Intersection, a, b) = &set.kind
            && let (ExprKind::Global(a), ExprKind::Global(b)) = (&a.kind, &b.kind)
            && matches!(other.kind, ExprKind::Empty)
        {
            return Some((*a, *b));
        }
    }
    None
}

/// The conjuncts of a predicate.
pub(super) fn conjuncts(pred: &Pred) -> Vec<&Pred> {
    match &pred.kind {
        PredKind::And(all) => all.iter().flat_map(conjuncts).collect(),
        _ => vec![pred],
    }
}

/// The given set of `card(S)`.
fn card_of(expr: &Expr) -> Option<SortId> {
    match &expr.kind {
        ExprKind::Unary(Unary::Card, set) => match set.kind {
            ExprKind::Carrier(sort) => Some(sort),
            _ => None,
        },
        _ => None,
    }
}

fn mirrored(compare: Compare) -> Compare {
    match compare {
        Compare::Less => Compare::Greater,
        Compare::LessEqual => Compare::GreaterEqual,
        Compare::Greater => Compare::Less,
        Compare::GreaterEqual => Compare::LessEqual,
        other => other,
    }
}

/// Collects the pairs of constants that a property says are not equal.
fn each_unequal(pred: &Pred, out: &mut Vec<(GlobalId, GlobalId)>) {
    match &pred.kind {
        PredKind::And(all) => all.iter().for_each(|p| each_unequal(p, out)),
        PredKind::Not(inner) => {
            if let PredKind::Compare(Compare::Equal, left, right) = &inner.kind
                && let (ExprKind::Global(a), ExprKind::Global(b)) = (&left.kind, &right.kind)
            {
                out.push((*a, *b));
            }
        }
        // `card({a, b, c}) = 3`.
        PredKind::Compare(Compare::Equal, left, right) => {
            for (card, number) in [(left, right), (right, left)] {
                if let ExprKind::Unary(Unary::Card, set) = &card.kind
                    && let (ExprKind::SetOf(elements), ExprKind::Int(n)) = (&set.kind, &number.kind)
                    && *n == elements.len() as i64
                {
                    let ids = elements.iter().filter_map(|e| match e.kind {
                        ExprKind::Global(id) => Some(id),
                        _ => None,
                    });
                    let ids: Vec<GlobalId> = ids.collect();
                    for (i, a) in ids.iter().enumerate() {
                        out.extend(ids[i + 1..].iter().map(|b| (*a, *b)));
                    }
                }
            }
        }
        _ => {}
    }
}
