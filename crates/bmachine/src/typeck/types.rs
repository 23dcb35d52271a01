//! Types while they are being found: unification with variables.
//!
//! A type is an entry of a table. An entry that nothing is known of is free; when it turns out to
//! be equal to another it becomes a link to it. Expressions of the typed machine have no room for
//! such entries, so while types are being found an expression carries a *ticket*: a member type
//! with a number that no sort has. The last pass ([`super::finish`]) takes the tickets back.
//!
//! Worked example: in `f : 1..n --> S` the left side has a free type `t`; the right side is
//! `POW(POW(INTEGER*S))`; membership makes `t` a link to `POW(INTEGER*S)`.

use crate::typed::{Sort, SortId, Type};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// A type that may not be known yet.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Ty(u32);

/// What is known of a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum TypeInfo {
    /// Nothing.
    Free,
    /// The same as another.
    Link(Ty),
    /// A truth value.
    Bool,
    /// A number.
    Int,
    /// A text.
    Text,
    /// A member of a sort.
    Member(SortId),
    /// A pair.
    Pair(Ty, Ty),
    /// A set.
    Set(Ty),
    /// A record, fields in ascending order of their names.
    Record(Vec<(Arc<str>, Ty)>),
}

/// All types.
pub(super) struct Types {
    all: Vec<TypeInfo>,
}

/// The largest type, in words of its text.
const SIZE_MAX: u64 = 2000;
/// The deepest type.
const DEPTH_MAX: u32 = 100;

/// The first number that is a ticket and no sort.
const TICKETS: usize = 1 << 31;

impl Types {
    pub(super) const BOOL: Ty = Ty(0);
    pub(super) const INT: Ty = Ty(1);
    pub(super) const TEXT: Ty = Ty(2);

    pub(super) fn new() -> Types {
        Types {
            all: vec![TypeInfo::Bool, TypeInfo::Int, TypeInfo::Text],
        }
    }

    fn add(&mut self, known: TypeInfo) -> Ty {
        let ty = Ty(u32::try_from(self.all.len()).expect("fewer types than tickets"));
        self.all.push(known);
        ty
    }

    pub(super) fn free(&mut self) -> Ty {
        self.add(TypeInfo::Free)
    }

    pub(super) fn member(&mut self, sort: SortId) -> Ty {
        self.add(TypeInfo::Member(sort))
    }

    pub(super) fn pair(&mut self, left: Ty, right: Ty) -> Ty {
        self.add(TypeInfo::Pair(left, right))
    }

    pub(super) fn set(&mut self, of: Ty) -> Ty {
        self.add(TypeInfo::Set(of))
    }

    /// Sets of pairs.
    pub(super) fn relation(&mut self, from: Ty, to: Ty) -> Ty {
        let pair = self.pair(from, to);
        self.set(pair)
    }

    /// Sequences are functions from numbers.
    pub(super) fn seq(&mut self, of: Ty) -> Ty {
        self.relation(Types::INT, of)
    }

    pub(super) fn record(&mut self, fields: Vec<(Arc<str>, Ty)>) -> Ty {
        self.add(TypeInfo::Record(fields))
    }

    /// The end of the links.
    pub(super) fn find(&self, mut ty: Ty) -> Ty {
        while let TypeInfo::Link(next) = self.all[ty.0 as usize] {
            ty = next;
        }
        ty
    }

    pub(super) fn known(&self, ty: Ty) -> &TypeInfo {
        &self.all[self.find(ty).0 as usize]
    }

    /// Makes two types equal, if they can be; if not, all is as it was.
    pub(super) fn unify(&mut self, a: Ty, b: Ty) -> bool {
        let mut changed = Vec::new();
        let is_done = self.unified(a, b, &mut changed);
        if !is_done {
            for (ty, known) in changed.into_iter().rev() {
                self.all[ty.0 as usize] = known;
            }
        }
        is_done
    }

    /// Types that are found equal become one entry, so that parts which many types share are
    /// compared once.
    fn unified(&mut self, a: Ty, b: Ty, changed: &mut Vec<(Ty, TypeInfo)>) -> bool {
        let mut open = vec![(a, b)];
        while let Some((a, b)) = open.pop() {
            let (a, b) = (self.find(a), self.find(b));
            if a == b {
                continue;
            }
            match (self.known(a).clone(), self.known(b).clone()) {
                (TypeInfo::Free, _) if self.occurs(a, b) => return false,
                (TypeInfo::Free, _) => {}
                (_, TypeInfo::Free) => {
                    open.push((b, a));
                    continue;
                }
                (TypeInfo::Set(of_a), TypeInfo::Set(of_b)) => open.push((of_a, of_b)),
                (TypeInfo::Pair(a1, a2), TypeInfo::Pair(b1, b2)) => {
                    open.extend([(a2, b2), (a1, b1)]);
                }
                (TypeInfo::Record(left), TypeInfo::Record(right)) => {
                    let names = left.iter().map(|(name, _)| name);
                    if !names.eq(right.iter().map(|(name, _)| name)) {
                        return false;
                    }
                    open.extend(left.iter().zip(&right).map(|((_, a), (_, b))| (*a, *b)));
                }
                (left, right) if left == right => {}
                _ => return false,
            }
            changed.push((a, self.known(a).clone()));
            self.all[a.0 as usize] = TypeInfo::Link(b);
        }
        true
    }

    /// Whether a free type is part of another.
    fn occurs(&self, free: Ty, within: Ty) -> bool {
        let mut open = vec![within];
        let mut seen = HashSet::new();
        while let Some(ty) = open.pop() {
            let ty = self.find(ty);
            if ty == free {
                return true;
            }
            if seen.insert(ty) {
                open.extend(self.parts(ty));
            }
        }
        false
    }

    fn parts(&self, ty: Ty) -> Vec<Ty> {
        match self.known(ty) {
            TypeInfo::Pair(a, b) => vec![*a, *b],
            TypeInfo::Set(a) => vec![*a],
            TypeInfo::Record(fields) => fields.iter().map(|(_, ty)| *ty).collect(),
            _ => Vec::new(),
        }
    }

    /// Whether each type can be written down: equations can make types that are larger than any
    /// text, `x1 = (x0, x0) & x2 = (x1, x1) & …`.
    pub(super) fn all_are_small(&self) -> bool {
        // How large and how deep, by entry; 0 until it is known.
        let mut sizes = vec![(0u64, 0u32); self.all.len()];
        for i in 0..self.all.len() {
            let mut open = vec![Ty(i as u32)];
            while let Some(&top) = open.last() {
                let ty = self.find(top);
                let parts: Vec<Ty> = self.parts(ty).iter().map(|p| self.find(*p)).collect();
                let before = open.len();
                open.extend(parts.iter().filter(|p| sizes[p.0 as usize].0 == 0));
                if open.len() > before {
                    continue;
                }
                let of = |p: &Ty| sizes[p.0 as usize];
                let size = 1 + parts.iter().map(|p| of(p).0).sum::<u64>();
                let depth = 1 + parts.iter().map(|p| of(p).1).max().unwrap_or(0);
                if size > SIZE_MAX || depth > DEPTH_MAX {
                    return false;
                }
                sizes[ty.0 as usize] = (size, depth);
                open.pop();
            }
        }
        true
    }

    /// Whether nothing in it is free.
    pub(super) fn is_whole(&self, ty: Ty) -> bool {
        match self.known(ty) {
            TypeInfo::Free => false,
            TypeInfo::Pair(a, b) => self.is_whole(*a) && self.is_whole(*b),
            TypeInfo::Set(a) => self.is_whole(*a),
            TypeInfo::Record(fields) => fields.iter().all(|(_, ty)| self.is_whole(*ty)),
            _ => true,
        }
    }

    /// The type for the typed machine; what is free stands for truth values, since it has no values
    /// that could be seen: `{}` in `{} = {}`.
    pub(super) fn resolved(&self, ty: Ty) -> Type {
        match self.known(ty) {
            TypeInfo::Free | TypeInfo::Bool => Type::Bool,
            TypeInfo::Int => Type::Int,
            TypeInfo::Text => Type::Text,
            TypeInfo::Member(sort) => Type::Member(*sort),
            TypeInfo::Pair(a, b) => {
                Type::Pair(Arc::new(self.resolved(*a)), Arc::new(self.resolved(*b)))
            }
            TypeInfo::Set(a) => Type::Set(Arc::new(self.resolved(*a))),
            TypeInfo::Record(fields) => {
                let fields = fields.iter();
                Type::Record(
                    fields
                        .map(|(name, ty)| (name.clone(), self.resolved(*ty)))
                        .collect(),
                )
            }
            TypeInfo::Link(_) => unreachable!("links have been followed"),
        }
    }

    /// The type in the notation of B; `_` for what is free.
    pub(super) fn show(&self, ty: Ty, sorts: &[Sort]) -> String {
        let mut names = HashMap::new();
        for (i, sort) in sorts.iter().enumerate() {
            names.insert(i, sort.name.as_str());
        }
        self.shown(ty, &names, 0)
    }

    fn shown(&self, ty: Ty, sorts: &HashMap<usize, &str>, depth: usize) -> String {
        if depth > 6 {
            return "…".into();
        }
        let inner = |ty: Ty| self.shown(ty, sorts, depth + 1);
        match self.known(ty) {
            TypeInfo::Free => "_".into(),
            TypeInfo::Bool => "BOOL".into(),
            TypeInfo::Int => "INTEGER".into(),
            TypeInfo::Text => "STRING".into(),
            TypeInfo::Member(sort) => sorts.get(&sort.index()).map_or("?", |s| s).to_owned(),
            TypeInfo::Pair(a, b) => {
                let right = inner(*b);
                let is_pair = matches!(self.known(*b), TypeInfo::Pair(..));
                if is_pair {
                    format!("{}*({right})", inner(*a))
                } else {
                    format!("{}*{right}", inner(*a))
                }
            }
            TypeInfo::Set(a) => format!("POW({})", inner(*a)),
            TypeInfo::Record(fields) => {
                let fields: Vec<String> = fields
                    .iter()
                    .map(|(name, ty)| format!("{name}:{}", inner(*ty)))
                    .collect();
                format!("struct({})", fields.join(", "))
            }
            TypeInfo::Link(_) => unreachable!("links have been followed"),
        }
    }
}

/// What stands for a type in an expression until all types are known.
pub(super) fn ticket(ty: Ty) -> Type {
    Type::Member(SortId::new(TICKETS + ty.0 as usize))
}

/// The type that a ticket stands for.
pub(super) fn redeemed(ty: &Type) -> Option<Ty> {
    match ty {
        Type::Member(sort) => sort.index().checked_sub(TICKETS).map(|i| Ty(i as u32)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_free_becomes_what_it_meets() {
        let mut types = Types::new();
        let t = types.free();
        let set = types.set(t);
        let seq = types.seq(Types::BOOL);
        assert!(types.unify(set, seq));
        assert_eq!(types.show(set, &[]), "POW(INTEGER*BOOL)");
        assert_eq!(types.show(t, &[]), "INTEGER*BOOL");
        assert!(types.is_whole(t));
        assert!(!types.unify(t, Types::INT));
        let (u, v) = (types.free(), types.free());
        let (a, b) = (types.pair(u, v), types.pair(Types::BOOL, Types::INT));
        let c = types.pair(a, Types::INT);
        let d = types.pair(b, Types::TEXT);
        assert!(!types.unify(c, d));
        assert_eq!(types.show(a, &[]), "_*_", "nothing is left of what failed");
    }

    #[test]
    fn a_type_is_no_part_of_itself() {
        let mut types = Types::new();
        let t = types.free();
        let set = types.set(t);
        assert!(!types.unify(t, set));
        assert!(types.unify(t, t));
    }

    #[test]
    fn types_that_grow_without_end_are_noticed() {
        let mut types = Types::new();
        let mut ty = types.free();
        for i in 0..60 {
            assert_eq!(types.all_are_small(), i < 10, "{i}");
            let next = types.free();
            let pair = types.pair(ty, ty);
            assert!(types.unify(next, pair));
            ty = next;
        }
        let mut types = Types::new();
        let mut ty = types.free();
        for _ in 0..100_000 {
            ty = types.set(ty);
        }
        assert!(!types.all_are_small());
        assert_eq!(types.show(ty, &[]).matches("POW").count(), 7);
    }

    #[test]
    fn records_are_equal_by_name() {
        let mut types = Types::new();
        let t = types.free();
        let a = types.record(vec![("a".into(), t)]);
        let b = types.record(vec![("a".into(), Types::INT)]);
        let c = types.record(vec![("c".into(), Types::INT)]);
        assert!(types.unify(a, b) && !types.unify(a, c));
        assert_eq!(types.show(a, &[]), "struct(a:INTEGER)");
    }

    #[test]
    fn tickets_come_back() {
        let mut types = Types::new();
        let t = types.free();
        assert_eq!(redeemed(&ticket(t)), Some(t));
        assert_eq!(redeemed(&Type::Member(SortId::new(7))), None);
    }
}
