//! How many members given sets have.
//!
//! A size is, in this order of precedence: the number of names of an enumerated set; what the
//! caller asks for; what a definition or property of the machine says (`scope_S == 3`, `card(S) =
//! 3`, `card(S) = n` where `n = 3` is a property, `card(S) = card(T)` where the size of `T` is
//! known); the default, or more if properties need more (`card(S) > 3`, three constants of `S` of
//! which no two are equal).
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
    let mut facts = Facts {
        machine,
        exact: vec![None; machine.sorts.len()],
        least: vec![0; machine.sorts.len()],
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
        let size = facts.exact[index].unwrap_or(default.max(facts.least[index]));
        if size > SIZE_MAX {
            let message = format!(
                "`{}` has {size} elements; at most {SIZE_MAX} can be",
                sort.name
            );
            found.push(Diagnostic::error(sort.span, message));
        }
        sizes.push(size);
    }
    match found.is_empty() {
        true => Ok(sizes),
        false => Err(found),
    }
}

/// Whether properties speak of the sizes of given sets.
pub fn speaks_of_sizes(machine: &typed::Machine) -> bool {
    fn speaks(pred: &Pred) -> bool {
        match &pred.kind {
            PredKind::And(all) => all.iter().any(speaks),
            PredKind::Compare(_, left, right) => [left, right].iter().any(|e| card_of(e).is_some()),
            _ => false,
        }
    }
    machine.properties.iter().any(speaks)
}

struct Facts<'m> {
    machine: &'m typed::Machine,
    exact: Vec<Option<usize>>,
    least: Vec<usize>,
}

impl Facts<'_> {
    fn learn(&mut self, pred: &Pred) {
        match &pred.kind {
            PredKind::And(all) => all.iter().for_each(|p| self.learn(p)),
            PredKind::Compare(compare, left, right) => {
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

    /// Constants of which no two are equal need as many members.
    fn count_distinct(&mut self) {
        let mut unequal = Vec::new();
        for pred in &self.machine.properties {
            each_unequal(pred, &mut unequal);
        }
        for index in 0..self.machine.sorts.len() {
            let ty = Type::Member(SortId::new(index));
            let ids = (0..self.machine.n_constants).map(GlobalId::new);
            let ids = ids.filter(|id| self.machine.globals[id.index()].ty == ty);
            let mut ids: Vec<GlobalId> = ids.collect();
            let degree = |id: &GlobalId| unequal.iter().filter(|(a, b)| a == id || b == id).count();
            ids.sort_by_key(|id| std::cmp::Reverse(degree(id)));
            let mut chosen: Vec<GlobalId> = Vec::new();
            for id in ids {
                let differs = |other: &GlobalId| {
                    unequal.contains(&(id, *other)) || unequal.contains(&(*other, id))
                };
                if chosen.iter().all(differs) {
                    chosen.push(id);
                }
            }
            self.least[index] = self.least[index].max(chosen.len());
        }
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
