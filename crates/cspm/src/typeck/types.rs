//! Types while they are being found.
//!
//! Types stand in one table and are numbers into it, so that parts are shared and copied freely. A
//! variable is free or bound to a type; [`Types::prune`] looks through bound ones. What is said of
//! a free variable: the classes its type must be in, the level of the group of declarations that
//! made it (a variable of a deeper level than the group around can be generalised when the group is
//! done; Rémy 1992), and whether it is *rigid*, that is, was written by the user and stands for any
//! type.
//!
//! Three kinds of type are about dots. `Dot(a, b)` is a pair joined by a dot, in any bracketing.
//! `Dotable(a, b)`, written `a => b`, becomes a `b` when an `a` is put behind it: constructors and
//! channels. `Extendable`, written `a =>* b`, becomes a `b` when *something* is put behind it,
//! perhaps nothing: `a` is a variable that stands for the list of what is missing, and is bound to
//! [`TypeNode::NoDots`] (nothing) or to `Dotable(first, rest)`.

use crate::resolve::DefId;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

base::define_id!(Ty, "Which type of the table.");
base::define_id!(Var, "Which type variable.");

/// The level of variables that each use of a definition replaces by new ones.
const GENERIC: u32 = u32::MAX;
/// The deepest type that is copied; deeper ones are reported.
pub(crate) const DEPTH_MAX: usize = 200;

/// What a type is made of.
#[derive(Clone, Debug)]
pub(crate) enum TypeNode {
    Var(Var),
    Int,
    Bool,
    Char,
    Proc,
    Event,
    Datatype(DefId),
    Set(Ty),
    Seq(Ty),
    Map(Ty, Ty),
    Tuple(Rc<[Ty]>),
    Function(Rc<[Ty]>, Ty),
    Dot(Ty, Ty),
    Dotable(Ty, Ty),
    /// Becomes a `result` by what `by` stands for.
    Extendable {
        result: Ty,
        by: Ty,
    },
    /// The end of what an extendable type still needs.
    NoDots,
}

/// What a type must be able to do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum TypeClass {
    /// Values can be compared for equality.
    Eq,
    /// Values can be compared by `<`.
    Ord,
    /// Values have all their dots: none is missing.
    Complete,
    /// Values can be in sets.
    Set,
    /// It can stand to the right of `=>`.
    Yieldable,
}

/// A set of classes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct TypeClasses(u8);

/// What is known of a variable.
#[derive(Clone, Debug)]
pub(crate) struct VariableInfo {
    pub bound: Option<Ty>,
    pub classes: TypeClasses,
    pub rigid: Option<Arc<str>>,
    level: u32,
}

/// All types of a script.
pub(crate) struct Types {
    nodes: Vec<TypeNode>,
    vars: Vec<VariableInfo>,
    /// How deep the group is that we are in.
    level: u32,
    /// Old states of variables, while what is done may have to be undone.
    trail: Option<Vec<(Var, VariableInfo)>>,
}

/// A type is nested too deeply.
#[derive(Debug)]
pub(crate) struct TooDeep;

impl TypeClass {
    /// All of them.
    pub(crate) const ALL: [TypeClass; 5] = [
        TypeClass::Eq,
        TypeClass::Ord,
        TypeClass::Complete,
        TypeClass::Set,
        TypeClass::Yieldable,
    ];

    /// The class of that name.
    pub(crate) fn named(name: &str) -> Option<TypeClass> {
        match name {
            // Its older name.
            "Inputable" => Some(TypeClass::Complete),
            _ => TypeClass::ALL
                .into_iter()
                .find(|class| class.name() == name),
        }
    }

    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            TypeClass::Eq => "Eq",
            TypeClass::Ord => "Ord",
            TypeClass::Complete => "Complete",
            TypeClass::Set => "Set",
            TypeClass::Yieldable => "Yieldable",
        }
    }
}

impl TypeClasses {
    /// That class alone.
    pub(crate) fn of(class: TypeClass) -> TypeClasses {
        TypeClasses(1 << class as u8)
    }

    /// Both.
    pub(crate) fn and(self, other: TypeClasses) -> TypeClasses {
        TypeClasses(self.0 | other.0)
    }

    /// The classes in order.
    pub(crate) fn iter(self) -> impl Iterator<Item = TypeClass> {
        let all = TypeClass::ALL.into_iter();
        all.filter(move |&class| self.0 & TypeClasses::of(class).0 != 0)
    }

    /// Whether what is in all these classes is in `class`: what can be compared can be in sets.
    pub(crate) fn imply(self, class: TypeClass) -> bool {
        let mut all = self.iter();
        all.any(|c| c == class || (class == TypeClass::Set && c == TypeClass::Eq))
    }
}

impl Types {
    /// No types but the simple ones.
    pub(crate) fn new() -> Types {
        let nodes = vec![
            TypeNode::Int,
            TypeNode::Bool,
            TypeNode::Char,
            TypeNode::Proc,
            TypeNode::Event,
            TypeNode::NoDots,
        ];
        Types {
            nodes,
            vars: Vec::new(),
            level: 0,
            trail: None,
        }
    }

    pub(crate) fn int(&self) -> Ty {
        Ty::new(0)
    }

    pub(crate) fn bool(&self) -> Ty {
        Ty::new(1)
    }

    pub(crate) fn char(&self) -> Ty {
        Ty::new(2)
    }

    pub(crate) fn proc(&self) -> Ty {
        Ty::new(3)
    }

    pub(crate) fn event(&self) -> Ty {
        Ty::new(4)
    }

    pub(crate) fn no_dots(&self) -> Ty {
        Ty::new(5)
    }

    fn add(&mut self, node: TypeNode) -> Ty {
        self.nodes.push(node);
        Ty::new(self.nodes.len() - 1)
    }

    pub(crate) fn datatype(&mut self, def: DefId) -> Ty {
        self.add(TypeNode::Datatype(def))
    }

    pub(crate) fn set(&mut self, inner: Ty) -> Ty {
        self.add(TypeNode::Set(inner))
    }

    pub(crate) fn events(&mut self) -> Ty {
        let event = self.event();
        self.set(event)
    }

    pub(crate) fn seq(&mut self, inner: Ty) -> Ty {
        self.add(TypeNode::Seq(inner))
    }

    pub(crate) fn map(&mut self, key: Ty, value: Ty) -> Ty {
        self.add(TypeNode::Map(key, value))
    }

    /// A tuple; one alone is itself.
    pub(crate) fn tuple(&mut self, all: Vec<Ty>) -> Ty {
        match all[..] {
            [one] => one,
            _ => self.add(TypeNode::Tuple(all.into())),
        }
    }

    pub(crate) fn function(&mut self, arguments: Vec<Ty>, result: Ty) -> Ty {
        self.add(TypeNode::Function(arguments.into(), result))
    }

    pub(crate) fn dot(&mut self, left: Ty, right: Ty) -> Ty {
        self.add(TypeNode::Dot(left, right))
    }

    /// All joined by dots.
    ///
    /// # Requires
    /// There is at least one.
    pub(crate) fn dots(&mut self, all: &[Ty]) -> Ty {
        let (&last, front) = all.split_last().expect("something to join");
        let front = front.iter().rev();
        front.fold(last, |right, &left| self.dot(left, right))
    }

    pub(crate) fn dotable(&mut self, argument: Ty, result: Ty) -> Ty {
        self.add(TypeNode::Dotable(argument, result))
    }

    /// What needs all of `arguments` to become a `result`.
    pub(crate) fn dotables(&mut self, arguments: &[Ty], result: Ty) -> Ty {
        let arguments = arguments.iter().rev();
        arguments.fold(result, |result, &argument| self.dotable(argument, result))
    }

    pub(crate) fn extendable(&mut self, result: Ty, by: Ty) -> Ty {
        self.add(TypeNode::Extendable { result, by })
    }

    /// A new variable.
    pub(crate) fn fresh(&mut self) -> Ty {
        self.fresh_with(TypeClasses::default())
    }

    /// A new variable whose type is in those classes.
    pub(crate) fn fresh_with(&mut self, classes: TypeClasses) -> Ty {
        self.variable(classes, None)
    }

    /// A new variable that stands for any type, under the name the user gave it.
    pub(crate) fn rigid(&mut self, name: Arc<str>, classes: TypeClasses) -> Ty {
        self.variable(classes, Some(name))
    }

    fn variable(&mut self, classes: TypeClasses, rigid: Option<Arc<str>>) -> Ty {
        self.vars.push(VariableInfo {
            bound: None,
            classes,
            rigid,
            level: self.level,
        });
        self.add(TypeNode::Var(Var::new(self.vars.len() - 1)))
    }

    /// What is known of a variable.
    pub(crate) fn known(&self, var: Var) -> &VariableInfo {
        &self.vars[var.index()]
    }

    /// The same type with no bound variable in front, and extendables that are known drawn out.
    pub(crate) fn prune(&mut self, ty: Ty) -> Ty {
        let mut ty = ty;
        loop {
            match self.nodes[ty.index()] {
                TypeNode::Var(var) => match self.vars[var.index()].bound {
                    Some(next) => ty = next,
                    None => return ty,
                },
                TypeNode::Extendable { result, by } => {
                    let by = self.prune(by);
                    match self.nodes[by.index()] {
                        TypeNode::Var(_) => return ty,
                        TypeNode::NoDots => ty = result,
                        TypeNode::Dotable(argument, rest) => {
                            let rest = self.extendable(result, rest);
                            return self.dotable(argument, rest);
                        }
                        _ => return self.dotable(by, result),
                    }
                }
                _ => return ty,
            }
        }
    }

    /// What the type is, seen through variables.
    pub(crate) fn shape(&mut self, ty: Ty) -> TypeNode {
        let ty = self.prune(ty);
        self.nodes[ty.index()].clone()
    }

    /// The free variable that a type is, if it is one.
    pub(crate) fn as_variable(&mut self, ty: Ty) -> Option<Var> {
        match self.shape(ty) {
            TypeNode::Var(var) => Some(var),
            _ => None,
        }
    }

    pub(crate) fn is_dotable(&mut self, ty: Ty) -> bool {
        matches!(self.shape(ty), TypeNode::Dotable(..))
    }

    /// What is joined by dots, in order; one type alone is a list of one.
    pub(crate) fn dot_list(&mut self, ty: Ty) -> Vec<Ty> {
        let mut list = Vec::new();
        let mut rest = vec![ty];
        while let Some(ty) = rest.pop() {
            let ty = self.prune(ty);
            match self.nodes[ty.index()] {
                TypeNode::Dot(left, right) => rest.extend([right, left]),
                _ => list.push(ty),
            }
        }
        list
    }

    /// What a type needs behind it, and what it becomes then; nothing and itself for most.
    pub(crate) fn parts(&mut self, ty: Ty) -> (Vec<Ty>, Ty) {
        let mut arguments = Vec::new();
        let mut ty = self.prune(ty);
        while let TypeNode::Dotable(argument, result) = self.nodes[ty.index()] {
            arguments.extend(self.dot_list(argument));
            ty = self.prune(result);
        }
        (arguments, ty)
    }

    /// Binds a free variable.
    ///
    /// # Requires
    /// The variable is free and does not occur in `ty`.
    pub(crate) fn set_bound(&mut self, var: Var, ty: Ty) {
        self.keep(var);
        let known = &mut self.vars[var.index()];
        debug_assert!(known.bound.is_none(), "{var:?} is bound twice");
        known.bound = Some(ty);
    }

    /// Adds to what the type of a variable must be able to do.
    pub(crate) fn add_classes(&mut self, var: Var, classes: TypeClasses) {
        self.keep(var);
        let known = &mut self.vars[var.index()];
        known.classes = known.classes.and(classes);
    }

    fn keep(&mut self, var: Var) {
        if let Some(trail) = &mut self.trail {
            trail.push((var, self.vars[var.index()].clone()));
        }
    }

    /// Whether `var` occurs in `ty`; if it does not, no variable of `ty` is deeper than it from
    /// now.
    pub(crate) fn occurs(&mut self, var: Var, ty: Ty) -> bool {
        let variables = self.free(ty);
        if variables.contains(&var) {
            return true;
        }
        let level = self.vars[var.index()].level;
        for other in variables {
            self.lower(other, level);
        }
        false
    }

    fn lower(&mut self, var: Var, level: u32) {
        if self.vars[var.index()].level > level {
            self.keep(var);
            self.vars[var.index()].level = level;
        }
    }

    /// The free variables of a type, in the order in which they are met.
    pub(crate) fn free(&self, ty: Ty) -> Vec<Var> {
        let mut variables = Vec::new();
        let mut seen = HashSet::new();
        let mut rest = vec![ty];
        while let Some(ty) = rest.pop() {
            if !seen.insert(ty) {
                continue;
            }
            match &self.nodes[ty.index()] {
                TypeNode::Var(var) => match self.vars[var.index()].bound {
                    Some(next) => rest.push(next),
                    None => variables.push(*var),
                },
                TypeNode::Set(inner) | TypeNode::Seq(inner) => rest.push(*inner),
                TypeNode::Map(a, b) | TypeNode::Dot(a, b) | TypeNode::Dotable(a, b) => {
                    rest.extend([*b, *a])
                }
                TypeNode::Extendable { result, by } => rest.extend([*result, *by]),
                TypeNode::Tuple(all) => rest.extend(all.iter().rev()),
                TypeNode::Function(all, result) => {
                    rest.push(*result);
                    rest.extend(all.iter().rev());
                }
                TypeNode::Int | TypeNode::Bool | TypeNode::Char | TypeNode::Proc => {}
                TypeNode::Event | TypeNode::Datatype(_) | TypeNode::NoDots => {}
            }
        }
        let mut seen = HashSet::new();
        variables.retain(|&var| seen.insert(var));
        variables
    }

    /// Enters a group whose variables can be generalised.
    pub(crate) fn enter(&mut self) {
        self.level += 1;
    }

    /// Leaves it.
    pub(crate) fn leave(&mut self) {
        self.level -= 1;
    }

    /// Makes the variables of `ty` that belong to groups we have left stand for any type.
    pub(crate) fn generalise(&mut self, ty: Ty) {
        for var in self.free(ty) {
            if self.vars[var.index()].level > self.level {
                self.keep(var);
                self.vars[var.index()].level = GENERIC;
            }
        }
    }

    /// Makes the variables of `ty` belong to the group around, so that they are not generalised.
    pub(crate) fn hold(&mut self, ty: Ty) {
        for var in self.free(ty) {
            if self.vars[var.index()].level != GENERIC {
                self.lower(var, self.level);
            }
        }
    }

    /// Whether `ty` stands for many types.
    pub(crate) fn is_generic(&self, ty: Ty) -> bool {
        let free = self.free(ty);
        free.into_iter()
            .any(|var| self.vars[var.index()].level == GENERIC)
    }

    /// Starts to remember how variables were.
    pub(crate) fn mark(&mut self) -> Option<Vec<(Var, VariableInfo)>> {
        self.trail.replace(Vec::new())
    }

    /// Ends what [`Types::mark`] began, which gave `outer`, and undoes all since if `undo`.
    pub(crate) fn release(&mut self, outer: Option<Vec<(Var, VariableInfo)>>, undo: bool) {
        let trail = std::mem::replace(&mut self.trail, outer).unwrap_or_default();
        if undo {
            for (var, known) in trail.into_iter().rev() {
                self.vars[var.index()] = known;
            }
        } else if let Some(outer) = &mut self.trail {
            outer.extend(trail);
        }
    }

    /// The type of one use: generic variables are replaced by new ones. `replaced` keeps which, for
    /// types that belong together; `datatypes` says which datatypes become others.
    pub(crate) fn instantiate(
        &mut self,
        ty: Ty,
        replaced: &mut HashMap<Var, Ty>,
        datatypes: &HashMap<DefId, DefId>,
    ) -> Result<Ty, TooDeep> {
        if datatypes.is_empty() && !self.is_generic(ty) {
            return Ok(ty);
        }
        let mut copy = Instantiation {
            types: self,
            replaced,
            datatypes,
            done: HashMap::new(),
        };
        copy.of(ty, 0)
    }
}

/// The making of one instance of a type.
struct Instantiation<'t> {
    types: &'t mut Types,
    replaced: &'t mut HashMap<Var, Ty>,
    datatypes: &'t HashMap<DefId, DefId>,
    done: HashMap<Ty, Ty>,
}

impl Instantiation<'_> {
    fn of(&mut self, ty: Ty, depth: usize) -> Result<Ty, TooDeep> {
        if depth > DEPTH_MAX {
            return Err(TooDeep);
        }
        let ty = self.types.prune(ty);
        if let Some(&done) = self.done.get(&ty) {
            return Ok(done);
        }
        let depth = depth + 1;
        let node = match self.types.nodes[ty.index()].clone() {
            TypeNode::Var(var) => return Ok(self.variable(var, ty)),
            TypeNode::Datatype(def) => match self.datatypes.get(&def) {
                Some(&copy) => TypeNode::Datatype(copy),
                None => return Ok(ty),
            },
            TypeNode::Set(inner) => TypeNode::Set(self.of(inner, depth)?),
            TypeNode::Seq(inner) => TypeNode::Seq(self.of(inner, depth)?),
            TypeNode::Map(a, b) => TypeNode::Map(self.of(a, depth)?, self.of(b, depth)?),
            TypeNode::Dot(a, b) => TypeNode::Dot(self.of(a, depth)?, self.of(b, depth)?),
            TypeNode::Dotable(a, b) => TypeNode::Dotable(self.of(a, depth)?, self.of(b, depth)?),
            TypeNode::Extendable { result, by } => TypeNode::Extendable {
                result: self.of(result, depth)?,
                by: self.of(by, depth)?,
            },
            TypeNode::Tuple(all) => TypeNode::Tuple(self.all(&all, depth)?),
            TypeNode::Function(all, result) => {
                TypeNode::Function(self.all(&all, depth)?, self.of(result, depth)?)
            }
            TypeNode::Int | TypeNode::Bool | TypeNode::Char | TypeNode::Proc => return Ok(ty),
            TypeNode::Event | TypeNode::NoDots => return Ok(ty),
        };
        let copy = self.types.add(node);
        self.done.insert(ty, copy);
        Ok(copy)
    }

    fn all(&mut self, all: &[Ty], depth: usize) -> Result<Rc<[Ty]>, TooDeep> {
        let copies: Result<Vec<Ty>, TooDeep> = all.iter().map(|&t| self.of(t, depth)).collect();
        Ok(copies?.into())
    }

    fn variable(&mut self, var: Var, ty: Ty) -> Ty {
        let known = &self.types.vars[var.index()];
        if known.level != GENERIC {
            return ty;
        }
        let classes = known.classes;
        let types = &mut *self.types;
        let new = self.replaced.entry(var);
        *new.or_insert_with(|| types.fresh_with(classes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extendables_are_drawn_out_as_far_as_they_are_known() {
        let mut types = Types::new();
        let by = types.fresh();
        let event = types.event();
        let ty = types.extendable(event, by);
        assert!(matches!(types.shape(ty), TypeNode::Extendable { .. }));
        let rest = types.fresh();
        let int = types.int();
        let more = types.dotable(int, rest);
        let var = types.as_variable(by).expect("free");
        types.set_bound(var, more);
        let (arguments, result) = types.parts(ty);
        assert_eq!(arguments, [int]);
        assert!(matches!(types.shape(result), TypeNode::Extendable { .. }));
        let var = types.as_variable(rest).expect("free");
        let nothing = types.no_dots();
        types.set_bound(var, nothing);
        assert_eq!(types.parts(ty), (vec![int], event));
    }

    #[test]
    fn only_variables_of_the_group_are_generalised() {
        let mut types = Types::new();
        let outer = types.fresh();
        types.enter();
        let inner = types.fresh();
        let joined = types.fresh();
        let var = types.as_variable(outer).expect("free");
        assert!(!types.occurs(var, joined));
        types.set_bound(var, joined);
        let pair = types.tuple(vec![inner, joined]);
        types.leave();
        types.generalise(pair);
        let mut replaced = HashMap::new();
        let copy = types.instantiate(pair, &mut replaced, &HashMap::new());
        let TypeNode::Tuple(parts) = types.shape(copy.expect("shallow")) else {
            panic!("no pair");
        };
        assert_ne!(types.prune(parts[0]), types.prune(inner));
        assert_eq!(types.prune(parts[1]), types.prune(outer));
    }

    #[test]
    fn what_is_undone_is_as_before() {
        let mut types = Types::new();
        let a = types.fresh();
        let var = types.as_variable(a).expect("free");
        let outer = types.mark();
        types.add_classes(var, TypeClasses::of(TypeClass::Eq));
        let int = types.int();
        types.set_bound(var, int);
        types.release(outer, true);
        assert!(types.as_variable(a).is_some());
        assert!(!types.known(var).classes.imply(TypeClass::Set));
    }
}
