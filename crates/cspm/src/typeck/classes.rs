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

use super::types::{Class, Classes, Node, Ty};
use super::unify::{Clash, Solved, Solver};

impl Solver {
    /// Makes sure that a type is in a class.
    pub(crate) fn require(&mut self, class: Class, ty: Ty) -> Solved<()> {
        let mut rest = vec![(class, ty)];
        while let Some((class, ty)) = rest.pop() {
            self.down()?;
            self.up();
            self.require_one(class, ty, &mut rest)?;
        }
        Ok(())
    }

    /// Makes sure of the outermost part, and adds what has to be made sure of inside.
    fn require_one(&mut self, class: Class, ty: Ty, rest: &mut Vec<(Class, Ty)>) -> Solved<()> {
        let ty = self.types.prune(ty);
        let not = Err(Clash::Not { class, ty });
        match (class, self.types.shape(ty)) {
            (_, Node::Var(var)) => {
                let known = self.types.known(var);
                if known.classes.imply(class) {
                    return Ok(());
                }
                if known.rigid.is_some() {
                    return not;
                }
                self.types.add_classes(var, Classes::of(class));
                Ok(())
            }
            (Class::Eq | Class::Set, Node::Extendable { .. }) => Ok(()),
            (Class::Yieldable, Node::Extendable { by, .. }) => self.closed(by),
            (Class::Complete, Node::Extendable { result, by }) => {
                rest.push((class, result));
                self.closed(by)
            }
            (Class::Complete | Class::Yieldable, Node::Dot(..)) => {
                let value = self.evaluate(ty)?;
                match self.types.shape(value) {
                    Node::Dot(a, b) if class == Class::Complete => {
                        rest.extend([(class, a), (class, b)]);
                        Ok(())
                    }
                    Node::Dot(..) => not,
                    _ => {
                        rest.push((class, value));
                        Ok(())
                    }
                }
            }
            (Class::Yieldable, Node::Datatype(_) | Node::Event) => Ok(()),
            (Class::Yieldable, _) => not,
            (Class::Complete, Node::Dotable(..)) => not,
            (Class::Complete, _) => Ok(()),
            (_, Node::Int | Node::Char) => Ok(()),
            (Class::Set, Node::Proc) => Ok(()),
            (Class::Eq | Class::Set, Node::Bool | Node::Event) => Ok(()),
            (Class::Set, Node::Datatype(_)) => Ok(()),
            (Class::Eq, Node::Datatype(def)) if self.comparable.contains(&def) => Ok(()),
            (_, Node::Seq(inner) | Node::Set(inner)) => {
                let inside = match class {
                    Class::Ord => Class::Eq,
                    class => class,
                };
                rest.push((inside, inner));
                Ok(())
            }
            (_, Node::Tuple(all)) => {
                rest.extend(all.iter().map(|&inner| (class, inner)));
                Ok(())
            }
            (_, Node::Map(a, b)) => {
                rest.extend([(class, a), (class, b)]);
                Ok(())
            }
            (Class::Eq | Class::Set, Node::Dotable(a, b) | Node::Dot(a, b)) => {
                rest.extend([(class, a), (class, b)]);
                Ok(())
            }
            _ => not,
        }
    }

    /// Nothing is missing from an extendable.
    fn closed(&mut self, by: Ty) -> Solved<()> {
        let nothing = self.types.no_dots();
        self.extend_by(by, nothing)
    }
}
