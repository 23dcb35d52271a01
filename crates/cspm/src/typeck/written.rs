//! Types as the user writes them.

use super::types::{Ty, TypeClass, TypeClasses};
use super::{Checked, Checker, Reported};
use crate::ast::{Scheme, Type, TypeKind};
use crate::resolve::{TypeMeaning, TypeVarId};

impl<'a> Checker<'a> {
    /// The written type; its new variables stand for any type in their classes.
    pub(super) fn scheme(&mut self, scheme: &'a Scheme) -> Checked<Ty> {
        let introduced = self.names.introduced.get(&std::ptr::from_ref(scheme));
        let introduced: Vec<TypeVarId> = introduced.cloned().ok_or(Reported)?;
        for id in introduced {
            let mut classes = TypeClasses::default();
            for (class, variable) in &scheme.constraints {
                let meaning = self.names.of_type.get(&std::ptr::from_ref(variable));
                if meaning == Some(&TypeMeaning::Variable(id)) {
                    let class = TypeClass::named(&class.text).ok_or(Reported)?;
                    classes = classes.and(TypeClasses::of(class));
                }
            }
            let name = self.names.type_variables[id.index()].clone();
            let ty = self.solver.types.rigid(name, classes);
            self.rigid[id.index()] = Some(ty);
        }
        self.written(&scheme.body)
    }

    fn written(&mut self, ty: &'a Type) -> Checked<Ty> {
        match &ty.kind {
            TypeKind::Named(name) | TypeKind::Variable(name) => {
                let meaning = self.names.of_type.get(&std::ptr::from_ref(name));
                let types = &mut self.solver.types;
                match *meaning.ok_or(Reported)? {
                    TypeMeaning::Int => Ok(types.int()),
                    TypeMeaning::Bool => Ok(types.bool()),
                    TypeMeaning::Char => Ok(types.char()),
                    TypeMeaning::Event => Ok(types.event()),
                    TypeMeaning::Proc => Ok(types.proc()),
                    TypeMeaning::Datatype(def) => Ok(types.datatype(def)),
                    TypeMeaning::Variable(id) => self.rigid[id.index()].ok_or(Reported),
                }
            }
            TypeKind::Function(all, result) => {
                let all = self.written_all(all)?;
                let result = self.written(result)?;
                Ok(self.solver.types.function(all, result))
            }
            TypeKind::Tuple(all) => {
                let all = self.written_all(all)?;
                Ok(self.solver.types.tuple(all))
            }
            TypeKind::Sequence(inner) => {
                let inner = self.written(inner)?;
                Ok(self.solver.types.seq(inner))
            }
            TypeKind::Set(inner) => {
                let inner = self.written(inner)?;
                Ok(self.solver.types.set(inner))
            }
            TypeKind::Map(key, value) => {
                let (key, value) = (self.written(key)?, self.written(value)?);
                Ok(self.solver.types.map(key, value))
            }
            TypeKind::Dot(left, right) => {
                let (left, right) = (self.written(left)?, self.written(right)?);
                Ok(self.solver.types.dot(left, right))
            }
            TypeKind::Dotable(left, right) => {
                let (left, right) = (self.written(left)?, self.written(right)?);
                Ok(self.solver.types.dotable(left, right))
            }
            TypeKind::Extendable(left, right) => {
                let (left, right) = (self.written(left)?, self.written(right)?);
                // Anything but a variable was reported.
                self.solver.types.as_variable(left).ok_or(Reported)?;
                Ok(self.solver.types.extendable(right, left))
            }
        }
    }

    fn written_all(&mut self, all: &'a [Type]) -> Checked<Vec<Ty>> {
        all.iter().map(|ty| self.written(ty)).collect()
    }
}
