//! Which types are in which classes.
//!
//! | class | in it |
//! |---|---|
//! | `Eq` | all but processes, functions and what has such parts; a datatype by its fields |
//! | `Set` | what is in `Eq`, and processes |
//! | `Ord` | numbers, characters, tuples of them; sets and sequences of what is in `Eq` |
//! | `Complete` | all but dotables: nothing is missing |
//! | `Yieldable` | datatypes and events |
//!
//! Sets are ordered by inclusion and sequences by being a prefix, which need no order of elements.
//! To require a class of a variable is to write it down there; it is asked for when the variable is
//! bound. Requiring `Complete` of an extendable says that nothing is missing from it.

use super::types::{Ty, TypeClass, TypeClasses, TypeNode};
use super::unify::{TypeMismatch, Unified, Unifier};

impl Unifier {
    /// Makes sure that a type is in a class.
    pub(crate) fn require(&mut self, class: TypeClass, ty: Ty) -> Unified<()> {
        let mut rest = vec![(class, ty)];
        while let Some((class, ty)) = rest.pop() {
            self.down()?;
            self.up();
            self.require_one(class, ty, &mut rest)?;
        }
        Ok(())
    }

    /// Makes sure of the outermost part, and adds what has to be made sure of inside.
    fn require_one(
        &mut self,
        class: TypeClass,
        ty: Ty,
        rest: &mut Vec<(TypeClass, Ty)>,
    ) -> Unified<()> {
        let ty = self.types.prune(ty);
        let not = Err(TypeMismatch::Not { class, ty });
        match (class, self.types.shape(ty)) {
            (_, TypeNode::Var(var)) => {
                let known = self.types.known(var);
                if known.classes.imply(class) {
                    return Ok(());
                }
                if known.rigid.is_some() {
                    return not;
                }
                self.types.add_classes(var, TypeClasses::of(class));
                Ok(())
            }
            (TypeClass::Eq | TypeClass::Set, TypeNode::Extendable { .. }) => Ok(()),
            (TypeClass::Yieldable, TypeNode::Extendable { by, .. }) => self.closed(by),
            (TypeClass::Complete, TypeNode::Extendable { result, by }) => {
                rest.push((class, result));
                self.closed(by)
            }
            (TypeClass::Complete | TypeClass::Yieldable, TypeNode::Dot(..)) => {
                let value = self.evaluate(ty)?;
                match self.types.shape(value) {
                    TypeNode::Dot(a, b) if class == TypeClass::Complete => {
                        rest.extend([(class, a), (class, b)]);
                        Ok(())
                    }
                    TypeNode::Dot(..) => not,
                    _ => {
                        rest.push((class, value));
                        Ok(())
                    }
                }
            }
            (TypeClass::Yieldable, TypeNode::Datatype(_) | TypeNode::Event) => Ok(()),
            (TypeClass::Yieldable, _) => not,
            (TypeClass::Complete, TypeNode::Dotable(..)) => not,
            (TypeClass::Complete, _) => Ok(()),
            (_, TypeNode::Int | TypeNode::Char) => Ok(()),
            (TypeClass::Set, TypeNode::Proc) => Ok(()),
            (TypeClass::Eq | TypeClass::Set, TypeNode::Bool | TypeNode::Event) => Ok(()),
            (TypeClass::Set, TypeNode::Datatype(_)) => Ok(()),
            (TypeClass::Eq, TypeNode::Datatype(def)) if self.comparable.contains(&def) => Ok(()),
            (_, TypeNode::Seq(inner) | TypeNode::Set(inner)) => {
                let inside = match class {
                    TypeClass::Ord => TypeClass::Eq,
                    class => class,
                };
                rest.push((inside, inner));
                Ok(())
            }
            (_, TypeNode::Tuple(all)) => {
                rest.extend(all.iter().map(|&inner| (class, inner)));
                Ok(())
            }
            (_, TypeNode::Map(a, b))
            | (TypeClass::Eq | TypeClass::Set, TypeNode::Dotable(a, b) | TypeNode::Dot(a, b)) => {
                rest.extend([(class, a), (class, b)]);
                Ok(())
            }
            _ => not,
        }
    }

    /// Nothing is missing from an extendable.
    fn closed(&mut self, by: Ty) -> Unified<()> {
        let nothing = self.types.no_dots();
        self.extend_by(by, nothing)
    }
}
