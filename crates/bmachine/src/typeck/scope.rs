//! What names mean where.
//!
//! Scopes are frames that know the one around them: the machine, what is bound, and the use of a
//! definition. A definition is looked into where it is used: its free names mean what they mean
//! there, its parameters mean the arguments *in the scope of the use*, so that nothing bound inside
//! the definition captures them. Parameters of a definition are seen by its own text only, not by
//! that of definitions it uses.
//!
//! Worked example: with `D(x) == #y.(y : x)`, the use `D({y})` under a variable `y` looks into
//! `#y.(y : x)`; there `x` leads to `{y}` in the scope around the use, where `y` is the variable.

use crate::ast::{Definition, Expr};
use crate::typed::{LocalId, SortId};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// A frame and those around it.
pub(super) type NameScope<'a> = Rc<NameFrame<'a>>;

/// Names that come into being together.
pub(super) struct NameFrame<'a> {
    around: Option<NameScope<'a>>,
    names: Bindings<'a>,
}

enum Bindings<'a> {
    /// Those of a machine, by its instance.
    Instance(usize),
    /// What is bound.
    Bound(HashMap<Arc<str>, Entity<'a>>),
    /// The parameters of a definition in use.
    Use(&'a Definition, HashMap<Arc<str>, Entity<'a>>),
}

/// What a name stands for.
#[derive(Clone)]
pub(super) enum Entity<'a> {
    /// A constant or variable, numbered as found.
    Global(usize),
    /// What is bound.
    Local(LocalId),
    /// An element of an enumerated set.
    Element(SortId, usize),
    /// A given set.
    Carrier(SortId),
    /// A definition.
    Definition(&'a Definition),
    /// What a parameter of a definition or machine was given, and where that has its meaning.
    Argument(&'a Expr, NameScope<'a>),
}

/// The scope of a machine.
pub(super) fn of_instance<'a>(instance: usize) -> NameScope<'a> {
    Rc::new(NameFrame {
        around: None,
        names: Bindings::Instance(instance),
    })
}

/// A scope with more names.
pub(super) fn with<'a>(
    around: &NameScope<'a>,
    names: HashMap<Arc<str>, Entity<'a>>,
) -> NameScope<'a> {
    Rc::new(NameFrame {
        around: Some(around.clone()),
        names: Bindings::Bound(names),
    })
}

/// The scope inside a definition that is used.
pub(super) fn using<'a>(
    around: &NameScope<'a>,
    definition: &'a Definition,
    arguments: &'a [Expr],
) -> NameScope<'a> {
    let given = definition.parameters.iter().zip(arguments);
    let names = given
        .map(|(name, argument)| {
            let entity = Entity::Argument(argument, around.clone());
            (name.text.clone(), entity)
        })
        .collect();
    Rc::new(NameFrame {
        around: Some(around.clone()),
        names: Bindings::Use(definition, names),
    })
}

impl<'a> NameFrame<'a> {
    /// What a name stands for among what is bound, or in which machine to look.
    pub(super) fn find(&self, name: &str) -> Result<Entity<'a>, usize> {
        let mut frame = self;
        let mut is_own = true;
        loop {
            match &frame.names {
                Bindings::Instance(instance) => return Err(*instance),
                Bindings::Bound(names) => {
                    if let Some(entity) = names.get(name) {
                        return Ok(entity.clone());
                    }
                }
                Bindings::Use(_, names) => {
                    if let Some(entity) = names.get(name).filter(|_| is_own) {
                        return Ok(entity.clone());
                    }
                    is_own = false;
                }
            }
            frame = frame.around.as_ref().expect("a machine is around all");
        }
    }

    /// Whether this is the text of that definition, or of one that it uses.
    pub(super) fn is_inside(&self, definition: &Definition) -> bool {
        let mut frame = Some(self);
        while let Some(this) = frame {
            if let Bindings::Use(used, _) = &this.names
                && std::ptr::eq(*used, definition)
            {
                return true;
            }
            frame = this.around.as_deref();
        }
        false
    }

    /// Whether a name is a parameter of the definition whose text this is.
    pub(super) fn is_parameter(&self, name: &str) -> bool {
        let mut frame = Some(self);
        while let Some(this) = frame {
            match &this.names {
                Bindings::Use(_, names) => return names.contains_key(name),
                Bindings::Bound(names) if names.contains_key(name) => return false,
                _ => frame = this.around.as_deref(),
            }
        }
        false
    }
}
