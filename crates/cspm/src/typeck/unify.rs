//! Making two types equal, dots included.
//!
//! Unification is Robinson's, with more to do where dots are: `c.0.1` and `Event` are made equal
//! by finding that `c`, which needs two numbers to become an event, has got them. The rules for
//! lists of dots are in [`super::dots`]; those for classes in [`super::classes`].
//!
//! The two sides are not alike: the first is what is wanted, the second what is there. A dotted
//! *pattern* must not take a datatype's value apart (`x.y` against `B.0`, where `x` would be a
//! constructor and `y` its field), so while [`Unifier::symmetric`] is off a dot on the first side
//! stays a dot.
//!
//! Worked example: wanted `Event`, there `c.x` with `c : Int => Bool => Event`. Then `c` has to be
//! `x => Event`; the parts of `c` are `Int, Bool` with the result `Event`, so `x`, which alone has
//! to take both, is `Int.Bool`.
//!
//! Cost: nearly linear in the sizes of the types as they are kept. Types share parts, so that what
//! was made equal, or worked out, is not done again; [`FUEL`] bounds the steps and [`DEPTH_MAX`]
//! the nesting.

use super::types::{DEPTH_MAX, TooDeep, Ty, TypeClass, TypeNode, Types, Var};
use crate::resolve::DefId;
use std::collections::{HashMap, HashSet};

/// The most steps of making two types equal.
const FUEL: u32 = 20_000;

/// Why two types cannot be made equal.
#[derive(Clone, Debug)]
pub(crate) enum TypeMismatch {
    /// The innermost pair that differs.
    Differ {
        /// What is wanted.
        wanted: Ty,
        /// What is there.
        there: Ty,
    },
    /// A type is not in a class.
    Not {
        /// The class.
        class: TypeClass,
        /// The innermost type that is not in it.
        ty: Ty,
    },
    /// A type would be a part of itself.
    Infinite(Ty),
    /// A type is too large or too deep.
    TooLarge,
}

impl From<TooDeep> for TypeMismatch {
    fn from(_: TooDeep) -> TypeMismatch {
        TypeMismatch::TooLarge
    }
}

/// A type, or why there is none.
pub(crate) type Unified<T> = Result<T, TypeMismatch>;

/// Types and what is known about datatypes.
pub(crate) struct Unifier {
    /// The types.
    pub types: Types,
    /// Datatypes whose values can be compared.
    pub comparable: HashSet<DefId>,
    /// Whether a dot that is wanted may be taken for a whole value.
    pub symmetric: bool,
    fuel: u32,
    depth: usize,
    /// Types whose dots are worked out, and to what; parts that are shared stay shared.
    pub(super) evaluated: HashMap<Ty, Ty>,
    /// Pairs of types without dots outside that are equal already.
    equal: HashSet<(Ty, Ty)>,
}

impl Unifier {
    /// No types yet.
    pub(crate) fn new() -> Unifier {
        Unifier {
            types: Types::new(),
            comparable: HashSet::new(),
            symmetric: true,
            fuel: FUEL,
            depth: 0,
            evaluated: HashMap::new(),
            equal: HashSet::new(),
        }
    }

    /// Makes two types equal, from outside: with all the steps there are.
    pub(crate) fn equate(&mut self, wanted: Ty, there: Ty) -> Unified<Ty> {
        self.refuel();
        self.unify(wanted, there)
    }

    /// Starts to count steps anew.
    pub(crate) fn refuel(&mut self) {
        self.fuel = FUEL;
        self.depth = 0;
        self.evaluated.clear();
        self.equal.clear();
    }

    /// Counts a step one level down; to be undone by [`Unifier::up`].
    pub(super) fn down(&mut self) -> Unified<()> {
        if self.fuel == 0 || self.depth > DEPTH_MAX {
            return Err(TypeMismatch::TooLarge);
        }
        self.fuel -= 1;
        self.depth += 1;
        Ok(())
    }

    pub(super) fn up(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// Makes two types equal; what comes back is the better known of them.
    pub(super) fn unify(&mut self, wanted: Ty, there: Ty) -> Unified<Ty> {
        self.down()?;
        let result = self.unify_down(wanted, there);
        self.up();
        result
    }

    fn unify_down(&mut self, wanted: Ty, there: Ty) -> Unified<Ty> {
        let (a, b) = (self.types.prune(wanted), self.types.prune(there));
        if a == b {
            return Ok(a);
        }
        match (self.types.shape(a), self.types.shape(b)) {
            (TypeNode::Var(v), TypeNode::Var(w)) => self.two_variables((v, a), (w, b)),
            (TypeNode::Var(v), _) => self.variable(v, a, b, true),
            (_, TypeNode::Var(w)) => self.variable(w, b, a, false),
            (TypeNode::Int, TypeNode::Int)
            | (TypeNode::Bool, TypeNode::Bool)
            | (TypeNode::Char, TypeNode::Char)
            | (TypeNode::Proc, TypeNode::Proc)
            | (TypeNode::Event, TypeNode::Event)
            | (TypeNode::NoDots, TypeNode::NoDots) => Ok(a),
            (TypeNode::Datatype(d), TypeNode::Datatype(e)) if d == e => Ok(a),
            (TypeNode::Set(_), TypeNode::Set(_))
            | (TypeNode::Seq(_), TypeNode::Seq(_))
            | (TypeNode::Map(..), TypeNode::Map(..))
            | (TypeNode::Tuple(_), TypeNode::Tuple(_))
            | (TypeNode::Function(..), TypeNode::Function(..))
                if self.equal.contains(&(a, b)) =>
            {
                Ok(a)
            }
            (TypeNode::Set(x), TypeNode::Set(y)) => {
                let inner = self.unify(x, y)?;
                self.equal.insert((a, b));
                Ok(self.types.set(inner))
            }
            (TypeNode::Seq(x), TypeNode::Seq(y)) => {
                let inner = self.unify(x, y)?;
                self.equal.insert((a, b));
                Ok(self.types.seq(inner))
            }
            (TypeNode::Map(k, v), TypeNode::Map(l, w)) => {
                let (key, value) = (self.unify(k, l)?, self.unify(v, w)?);
                self.equal.insert((a, b));
                Ok(self.types.map(key, value))
            }
            (TypeNode::Tuple(x), TypeNode::Tuple(y)) if x.len() == y.len() => {
                let all = self.unify_all(&x, &y)?;
                self.equal.insert((a, b));
                Ok(self.types.tuple(all))
            }
            (TypeNode::Function(x, r), TypeNode::Function(y, s)) if x.len() == y.len() => {
                let all = self.unify_all(&x, &y)?;
                let result = self.unify(r, s)?;
                self.equal.insert((a, b));
                Ok(self.types.function(all, result))
            }
            (x, y) => self.unify_dots((a, x), (b, y)),
        }
    }

    fn unify_all(&mut self, wanted: &[Ty], there: &[Ty]) -> Unified<Vec<Ty>> {
        let pairs = wanted.iter().zip(there);
        pairs.map(|(&a, &b)| self.unify(a, b)).collect()
    }

    pub(super) fn differ<T>(&self, wanted: Ty, there: Ty) -> Unified<T> {
        Err(TypeMismatch::Differ { wanted, there })
    }

    fn two_variables(&mut self, a: (Var, Ty), b: (Var, Ty)) -> Unified<Ty> {
        let ((v, a), (w, b)) = (a, b);
        // The same variable may stand in the table twice.
        if v == w {
            return Ok(a);
        }
        let is_rigid = |var| self.types.known(var).rigid.is_some();
        let (from, into, kept) = match (is_rigid(v), is_rigid(w)) {
            (true, true) => return self.differ(a, b),
            (_, false) => (w, v, a),
            (false, true) => (v, w, b),
        };
        let classes = self.types.known(from).classes;
        if self.types.known(into).rigid.is_some() {
            for class in classes.iter() {
                self.require(class, kept)?;
            }
        } else {
            self.types.add_classes(into, classes);
        }
        // This levels the two.
        self.types.occurs(from, kept);
        self.types.set_bound(from, kept);
        Ok(kept)
    }

    /// Binds a variable that is wanted, or is there, to a type that is none.
    fn variable(&mut self, var: Var, own: Ty, ty: Ty, is_wanted: bool) -> Unified<Ty> {
        if self.types.known(var).rigid.is_some() {
            // Dots may come out as the very variable: `x.y` where `x : a => b` and `y : a`.
            if let TypeNode::Dot(..) = self.types.shape(ty) {
                let value = self.evaluate(ty)?;
                if !matches!(self.types.shape(value), TypeNode::Dot(..)) {
                    return if is_wanted {
                        self.unify(own, value)
                    } else {
                        self.unify(value, own)
                    };
                }
            }
            return if is_wanted {
                self.differ(own, ty)
            } else {
                self.differ(ty, own)
            };
        }
        for class in self.types.known(var).classes.iter() {
            self.require(class, ty)?;
        }
        self.bind(var, own, ty)
    }

    /// Binds a variable, with its dots worked out if it would be a part of itself otherwise.
    pub(super) fn bind(&mut self, var: Var, own: Ty, ty: Ty) -> Unified<Ty> {
        if self.types.known(var).rigid.is_some() {
            return self.differ(own, ty);
        }
        if self.types.known(var).bound.is_some() {
            return self.unify(own, ty);
        }
        if !self.types.occurs(var, ty) {
            self.types.set_bound(var, ty);
            return Ok(ty);
        }
        let value = self.evaluate(ty)?;
        if self.types.known(var).bound.is_some() {
            return self.unify(own, value);
        }
        if self.types.as_variable(value) == Some(var) {
            return Ok(own);
        }
        if self.types.occurs(var, value) {
            return Err(TypeMismatch::Infinite(value));
        }
        self.types.set_bound(var, value);
        Ok(value)
    }

    /// Says what an extendable type is extended by.
    pub(super) fn extend_by(&mut self, by: Ty, dots: Ty) -> Unified<()> {
        let by = self.types.prune(by);
        match self.types.as_variable(by) {
            Some(var) => self.bind(var, by, dots).map(|_| ()),
            None => self.unify(by, dots).map(|_| ()),
        }
    }

    /// The cases with dots, dotables and extendables.
    fn unify_dots(&mut self, a: (Ty, TypeNode), b: (Ty, TypeNode)) -> Unified<Ty> {
        let ((a, left), (b, right)) = (a, b);
        match (left, right) {
            (TypeNode::Dotable(..), TypeNode::Dotable(..)) => self.two_dotables(a, b),
            (TypeNode::Dot(..), TypeNode::Dot(..)) => {
                let (left, right) = (self.types.dot_list(a), self.types.dot_list(b));
                let all = self.combine(left, right)?;
                Ok(self.types.dots(&all))
            }
            (TypeNode::Dot(..), TypeNode::Extendable { .. }) if self.symmetric => {
                let (head, rest) = self.head_and_rest(a);
                let wanted = self.types.dotable(rest, b);
                let head = self.unify(wanted, head)?;
                Ok(self.types.dot(head, rest))
            }
            (TypeNode::Extendable { .. }, TypeNode::Dot(..)) => self.extendable_of_dots(a, b),
            (
                TypeNode::Dot(..),
                TypeNode::Datatype(_) | TypeNode::Event | TypeNode::Dotable(..),
            ) if self.symmetric => self.whole(b, a),
            (
                TypeNode::Datatype(_) | TypeNode::Event | TypeNode::Dotable(..),
                TypeNode::Dot(..),
            ) => self.whole(a, b),
            (TypeNode::Dotable(argument, rest), TypeNode::Extendable { result, by })
            | (TypeNode::Extendable { result, by }, TypeNode::Dotable(argument, rest)) => {
                let left = self.types.fresh();
                let shorter = self.types.extendable(result, left);
                self.unify(shorter, rest)?;
                let longer = self.types.dotable(argument, left);
                self.extend_by(by, longer)?;
                Ok(self.types.dotable(argument, shorter))
            }
            (
                TypeNode::Extendable { result, by },
                TypeNode::Extendable {
                    result: other,
                    by: also,
                },
            ) => {
                let result = self.unify(result, other)?;
                self.same_extension(by, also)?;
                Ok(self.types.extendable(result, by))
            }
            (TypeNode::Extendable { result, by }, _) => {
                let result = self.unify(result, b)?;
                let nothing = self.types.no_dots();
                self.extend_by(by, nothing)?;
                Ok(result)
            }
            (_, TypeNode::Extendable { result, by }) => {
                let result = self.unify(a, result)?;
                let nothing = self.types.no_dots();
                self.extend_by(by, nothing)?;
                Ok(result)
            }
            _ => self.differ(a, b),
        }
    }

    fn same_extension(&mut self, by: Ty, also: Ty) -> Unified<()> {
        let (by, also) = (self.types.prune(by), self.types.prune(also));
        match (self.types.as_variable(by), self.types.as_variable(also)) {
            (Some(v), Some(w)) if v == w => Ok(()),
            (_, Some(w)) if self.types.known(w).rigid.is_none() => {
                self.bind(w, also, by).map(|_| ())
            }
            (Some(v), _) => self.bind(v, by, also).map(|_| ()),
            (None, _) => self.unify(by, also).map(|_| ()),
        }
    }

    /// The first of the dots, and all others.
    fn head_and_rest(&mut self, dots: Ty) -> (Ty, Ty) {
        let list = self.types.dot_list(dots);
        let rest = self.types.dots(&list[1..]);
        (list[0], rest)
    }

    /// Dots that make up a `whole`: the first becomes one by the others.
    fn whole(&mut self, whole: Ty, dots: Ty) -> Unified<Ty> {
        let (head, rest) = self.head_and_rest(dots);
        let wanted = self.types.dotable(rest, whole);
        self.unify(wanted, head)?;
        Ok(whole)
    }

    /// Here a last variable takes as little as it can: the rest may come later.
    fn extendable_of_dots(&mut self, wanted: Ty, dots: Ty) -> Unified<Ty> {
        let list = self.types.dot_list(dots);
        let list = self.reduce(list, super::dots::DotMatch::Shortest)?;
        if let [one] = list[..] {
            return self.unify(wanted, one);
        }
        let rest = self.types.dots(&list[1..]);
        let longer = self.types.dotable(rest, wanted);
        let head = self.unify(longer, list[0])?;
        Ok(self.types.dot(head, rest))
    }
}
