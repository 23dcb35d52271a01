//! Lists of types joined by dots.
//!
//! `c.0.B.x` is a list of four types. A dotable takes what stands behind it, so a list can often be
//! made shorter ([`Unifier::reduce`]). Three rules decide what a dotable takes:
//!
//! - A type that is no dotable is one argument.
//! - A dotable behind it has to be completed first, by what follows: `c.B.0` where `c : T => Event`
//!   and `B : Int => T` is `c` with `T` still needing an `Int`, then the `0`.
//! - A variable takes one argument if something stands behind it, and all that are missing if it is
//!   the last (*longest match*): `f(B.x) = x` with `B : Int => Bool => T` has `x : Int.Bool`. Where
//!   an extendable is wanted the last variable takes one argument too ([`DotMatch::Shortest`]),
//!   because what is missing may come later.
//!
//! Worked example: `d.x.1` with `d : T => Int => Event` is `[T => Int => Event, a, Int]`. The
//! variable `a` is not the last, so `a` is `T` and the list is `[Int => Event, Int]`, then
//! `[Event]`.

use super::types::{Ty, TypeNode};
use super::unify::{TypeMismatch, Unified, Unifier};
use std::collections::VecDeque;

/// How much a variable at the end of a list takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DotMatch {
    /// One argument.
    Shortest,
    /// All that are missing.
    Longest,
}

impl Unifier {
    /// The same type with dotables joined to their arguments wherever they are.
    pub(crate) fn evaluate(&mut self, ty: Ty) -> Unified<Ty> {
        self.down()?;
        let result = self.evaluate_down(ty);
        self.up();
        result
    }

    fn evaluate_down(&mut self, ty: Ty) -> Unified<Ty> {
        let ty = self.types.prune(ty);
        if let Some(&done) = self.evaluated.get(&ty) {
            return Ok(done);
        }
        let value = match self.types.shape(ty) {
            TypeNode::Set(inner) => match self.evaluate(inner)? {
                same if same == inner => ty,
                inner => self.types.set(inner),
            },
            TypeNode::Seq(inner) => match self.evaluate(inner)? {
                same if same == inner => ty,
                inner => self.types.seq(inner),
            },
            TypeNode::Map(key, value) => match (self.evaluate(key)?, self.evaluate(value)?) {
                same if same == (key, value) => ty,
                (key, value) => self.types.map(key, value),
            },
            TypeNode::Tuple(all) => match self.evaluate_all(&all)? {
                same if same[..] == all[..] => ty,
                all => self.types.tuple(all),
            },
            TypeNode::Function(all, result) => {
                match (self.evaluate_all(&all)?, self.evaluate(result)?) {
                    same if same.0[..] == all[..] && same.1 == result => ty,
                    (all, result) => self.types.function(all, result),
                }
            }
            TypeNode::Dot(..) => {
                let list = self.types.dot_list(ty);
                let list = self.reduce(list, DotMatch::Longest)?;
                self.types.dots(&list)
            }
            _ => ty,
        };
        self.evaluated.insert(ty, value);
        Ok(value)
    }

    fn evaluate_all(&mut self, all: &[Ty]) -> Unified<Vec<Ty>> {
        all.iter().map(|&ty| self.evaluate(ty)).collect()
    }

    /// The list made as short as it gets.
    pub(super) fn reduce(&mut self, list: Vec<Ty>, mode: DotMatch) -> Unified<Vec<Ty>> {
        let mut rest: VecDeque<Ty> = list.into();
        let mut done = Vec::new();
        while let Some(head) = self.take_front(&mut rest) {
            self.step()?;
            let Some(next) = self.take_front(&mut rest) else {
                done.push(head);
                break;
            };
            match self.types.shape(head) {
                TypeNode::Dotable(..) => {
                    let is_last = rest.is_empty();
                    if self.types.as_variable(next).is_some() && is_last {
                        done.push(self.last_variable(head, next, mode)?);
                        break;
                    }
                    let taken = self.take_one(head, next)?;
                    rest.push_front(taken);
                }
                TypeNode::Extendable { result, by } if mode == DotMatch::Longest => {
                    rest.push_front(next);
                    let all = self.reduce(rest.into(), mode)?;
                    let nothing = self.types.no_dots();
                    let all = self.types.dotables(&all, nothing);
                    self.extend_by(by, all)?;
                    done.push(result);
                    return Ok(done);
                }
                TypeNode::Extendable { result, by } => {
                    let nothing = self.types.no_dots();
                    let one = self.types.dotable(next, nothing);
                    self.extend_by(by, one)?;
                    rest.push_front(result);
                }
                _ => {
                    done.push(head);
                    rest.push_front(next);
                }
            }
        }
        Ok(done)
    }

    /// A step that is not one level down.
    fn step(&mut self) -> Unified<()> {
        self.down()?;
        self.up();
        Ok(())
    }

    /// The first of a list, which is no dot.
    fn take_front(&mut self, list: &mut VecDeque<Ty>) -> Option<Ty> {
        let front = list.pop_front()?;
        let mut all = self.types.dot_list(front);
        while all.len() > 1 {
            list.push_front(all.pop()?);
        }
        all.pop()
    }

    /// What is left of a dotable with a variable at the end of the list behind it.
    fn last_variable(&mut self, dotable: Ty, variable: Ty, mode: DotMatch) -> Unified<Ty> {
        let (arguments, result) = self.types.parts(dotable);
        match mode {
            DotMatch::Longest => {
                let all = self.types.dots(&arguments);
                self.unify(variable, all)?;
                Ok(result)
            }
            DotMatch::Shortest => {
                self.unify(arguments[0], variable)?;
                Ok(self.types.dotables(&arguments[1..], result))
            }
        }
    }

    /// What is left of a dotable with `next` behind it.
    fn take_one(&mut self, dotable: Ty, next: Ty) -> Unified<Ty> {
        let (arguments, result) = self.types.parts(dotable);
        let rest = self.types.dotables(&arguments[1..], result);
        match self.types.shape(next) {
            TypeNode::Extendable { result, by } => {
                self.unify(arguments[0], result)?;
                Ok(self.types.extendable(rest, by))
            }
            TypeNode::Dotable(..) if !self.types.is_dotable(arguments[0]) => {
                let (needs, becomes) = self.types.parts(next);
                self.unify(arguments[0], becomes)?;
                Ok(self.types.dotables(&needs, rest))
            }
            _ => {
                self.unify(arguments[0], next)?;
                Ok(rest)
            }
        }
    }

    /// Makes two lists of dots equal, and gives what both are.
    pub(super) fn combine(&mut self, left: Vec<Ty>, right: Vec<Ty>) -> Unified<Vec<Ty>> {
        let (mut left, mut right): (VecDeque<Ty>, VecDeque<Ty>) = (left.into(), right.into());
        let mut done = Vec::new();
        loop {
            self.step()?;
            self.flatten_front(&mut left);
            self.flatten_front(&mut right);
            match (left.len(), right.len()) {
                (0, 0) => return Ok(done),
                // Lists of two or more lose one each, so that neither ends before the other.
                (0, _) | (_, 0) => return Err(TypeMismatch::TooLarge),
                (_, 1) => {
                    let all = self.types.dots(left.make_contiguous());
                    done.push(self.unify(all, right[0])?);
                    return Ok(done);
                }
                (1, _) => {
                    let all = self.types.dots(right.make_contiguous());
                    done.push(self.unify(left[0], all)?);
                    return Ok(done);
                }
                _ => {}
            }
            let is_left = self.types.is_dotable(left[0]);
            if !is_left && !self.types.is_dotable(right[0]) {
                done.push(self.unify(left[0], right[0])?);
                left.pop_front();
                right.pop_front();
                continue;
            }
            let (longer, other) = if is_left {
                (&mut left, &mut right)
            } else {
                (&mut right, &mut left)
            };
            if let Some(end) = self.combine_dotable(longer, other)? {
                done.extend(end);
                return Ok(done);
            }
        }
    }

    fn flatten_front(&mut self, list: &mut VecDeque<Ty>) {
        if let Some(front) = self.take_front(list) {
            list.push_front(front);
        }
    }

    /// A dotable at the front of `list` takes an argument; at the end, all that is left of both.
    fn combine_dotable(
        &mut self,
        list: &mut VecDeque<Ty>,
        other: &mut VecDeque<Ty>,
    ) -> Unified<Option<Vec<Ty>>> {
        let (Some(head), Some(next)) = (list.pop_front(), self.take_front(list)) else {
            return Err(TypeMismatch::TooLarge);
        };
        let (arguments, result) = self.types.parts(head);
        let is_last = list.is_empty() && self.types.as_variable(next).is_some();
        if !is_last || self.types.is_dotable(arguments[0]) {
            let taken = self.take_one(head, next)?;
            list.push_front(taken);
            return Ok(None);
        }
        // The last variable takes what the dotable needs, and what the other list has beyond.
        let other: Vec<Ty> = other.drain(..).collect();
        let other = self.reduce(other, DotMatch::Longest)?;
        let first = self.unify(result, other[0])?;
        let mut all = arguments;
        all.extend(&other[1..]);
        let all = self.types.dots(&all);
        self.unify(next, all)?;
        let mut both = vec![first];
        both.extend(&other[1..]);
        Ok(Some(both))
    }

    /// Two dotables: they become the same, and need the same.
    pub(super) fn two_dotables(&mut self, a: Ty, b: Ty) -> Unified<Ty> {
        let ((left, to), (right, towards)) = (self.types.parts(a), self.types.parts(b));
        let is_open = |node: TypeNode| matches!(node, TypeNode::Extendable { .. });
        let (open, also) = (self.types.shape(to), self.types.shape(towards));
        match (is_open(open), is_open(also)) {
            (false, false) => {
                let result = self.unify(to, towards)?;
                let all = self.combine(left, right)?;
                Ok(self.types.dotables(&all, result))
            }
            (true, true) => {
                self.unify(to, towards)?;
                let (left, right) = (self.ultimate(left)?, self.ultimate(right)?);
                let n = left.len().min(right.len());
                let mut all = self.unify_front(&left[..n], &right[..n], true)?;
                all.extend(&left[n..]);
                all.extend(&right[n..]);
                Ok(self.types.dotables(&all, to))
            }
            (true, false) => self.open_and_closed((left, to), (right, towards), true),
            (false, true) => self.open_and_closed((right, towards), (left, to), false),
        }
    }

    /// An open dotable takes the first arguments of a closed one, and its result the others.
    fn open_and_closed(
        &mut self,
        open: (Vec<Ty>, Ty),
        closed: (Vec<Ty>, Ty),
        is_wanted: bool,
    ) -> Unified<Ty> {
        let ((open, to), (closed, result)) = (open, closed);
        let open = self.ultimate(open)?;
        let closed = self.reduce(closed, DotMatch::Longest)?;
        let mut open = open;
        if open.len() > closed.len() {
            // The last argument has to be all that is left.
            let last = open.split_off(closed.len() - 1);
            open.push(self.types.dots(&last));
        }
        let n = open.len();
        let mut all = self.unify_front(&open, &closed[..n], is_wanted)?;
        let rest = self.types.dotables(&closed[n..], result);
        if is_wanted {
            self.unify(to, rest)?;
        } else {
            self.unify(rest, to)?;
        }
        all.extend(&closed[n..]);
        Ok(self.types.dotables(&all, result))
    }

    fn unify_front(&mut self, left: &[Ty], right: &[Ty], is_wanted: bool) -> Unified<Vec<Ty>> {
        let mut all = Vec::new();
        for (&a, &b) in left.iter().zip(right) {
            all.push(if is_wanted {
                self.unify(a, b)?
            } else {
                self.unify(b, a)?
            });
        }
        Ok(all)
    }

    /// What each of the arguments becomes in the end.
    fn ultimate(&mut self, list: Vec<Ty>) -> Unified<Vec<Ty>> {
        let list = self.reduce(list, DotMatch::Longest)?;
        Ok(list.into_iter().map(|ty| self.types.parts(ty).1).collect())
    }
}
