//! What every name of a script means.
//!
//! Each declared name gets a number, a [`DefId`]; each name that is used is mapped to the number it
//! stands for. Declarations of one list see each other whatever their order, so a list is gone over
//! several times: modules and labels first ([`declare`]), because whether a name in a pattern is
//! new depends on them, then all other names, then instances ([`instances`]), and last the
//! right-hand sides ([`walk`]). A *label* is a constructor or a channel: in a pattern it stands for
//! itself, any other name is new there.
//!
//! Worked example: in `datatype T = A | B` and `f(A, x) = x`, the `A` of the pattern is the
//! constructor, `x` is a new variable, and the declaration of `f` uses `A`. Which declarations use
//! which is written down beside, so that types can be found in the order of use.
//!
//! The tree is not changed: tables are keyed by the places of names and declarations in memory,
//! which stay where they are while the script is borrowed.

mod declare;
mod instances;
mod scope;
mod types;
mod walk;

pub(crate) use declare::names as pattern_names;
use scope::Visibility;

use crate::ast::{Decl, Name, Scheme, Script};
use crate::typeck::prelude;
use base::{Diagnostic, Span};
use scope::{FrameId, ScopeFrame};
use std::collections::HashMap;
use std::sync::Arc;

base::define_id!(DefId, "Which definition of a script.");
base::define_id!(TypeVarId, "Which type variable of the annotations.");

/// A thing with a name.
#[derive(Clone, Debug)]
pub(crate) struct Def {
    /// Its name, with the modules that lead to it.
    pub name: Arc<str>,
    /// Where it is declared; built-in ones are nowhere.
    pub span: Option<Span>,
    /// Where its name can be used; everywhere in its module, if that is not said.
    pub scope: Option<Span>,
    /// What it is.
    pub kind: DefKind,
}

/// What a name can stand for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DefKind {
    /// Entry of [`prelude::ALL`].
    BuiltIn(usize),
    /// A channel.
    Channel,
    /// A constructor of that datatype.
    Constructor(DefId),
    /// The set of all values of a datatype; also a type.
    Datatype,
    /// The set of some values of a datatype.
    Subtype,
    /// A named set.
    Nametype,
    /// A function, process or other value with an equation.
    Value,
    /// A variable of a pattern.
    Variable,
    /// A module or an instance of one.
    Module,
}

/// What is known of a module.
#[derive(Clone, Debug)]
pub(crate) struct Module {
    /// The names in it.
    pub(crate) frame: FrameId,
    /// Whether it is only a pattern for instances.
    pub is_parametrised: bool,
}

/// What an instance is made of.
#[derive(Clone, Debug)]
pub(crate) struct InstanceParts {
    /// The module.
    pub of: DefId,
    /// The names in the module, and those in the instance that stand for them.
    pub copies: Vec<(DefId, DefId)>,
}

/// What a written name of a type means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TypeMeaning {
    /// `Int` and the like.
    Int,
    /// `Bool`
    Bool,
    /// `Char`
    Char,
    /// `Event`
    Event,
    /// `Proc`
    Proc,
    /// A datatype.
    Datatype(DefId),
    /// A type variable.
    Variable(TypeVarId),
}

/// The meaning of all names of a script.
#[derive(Default)]
pub(crate) struct ResolvedNames<'a> {
    /// All definitions.
    pub defs: Vec<Def>,
    /// Modules by their names.
    pub modules: HashMap<DefId, Module>,
    /// What a name, used or declared, stands for.
    pub of: HashMap<*const Name, DefId>,
    /// Where these names stand, and those of types and further clauses.
    pub places: Vec<(Span, DefId)>,
    /// Where all of a definition stands.
    pub wholes: HashMap<DefId, Span>,
    /// What a name in a type stands for.
    pub of_type: HashMap<*const Name, TypeMeaning>,
    /// The type variables that an annotation introduces.
    pub introduced: HashMap<*const Scheme, Vec<TypeVarId>>,
    /// The names of type variables.
    pub type_variables: Vec<Arc<str>>,
    /// Definitions that a declaration uses.
    pub uses: HashMap<*const Decl, Vec<DefId>>,
    /// Definitions that a declaration makes.
    pub binds: HashMap<*const Decl, Vec<DefId>>,
    /// Written types of definitions.
    pub annotations: HashMap<DefId, &'a Scheme>,
    /// Instances by the declaration that makes them.
    pub instances: HashMap<*const Decl, InstanceParts>,
    /// The event `tock` of timed sections.
    pub tocks: HashMap<*const Decl, DefId>,
    frames: Vec<ScopeFrame>,
}

/// The meaning of all names of `script`; what has none is reported, and left out of the tables.
pub(crate) fn resolve<'a>(script: &'a Script, found: &mut Vec<Diagnostic>) -> ResolvedNames<'a> {
    let mut resolver = Resolver {
        names: ResolvedNames::default(),
        scopes: Vec::new(),
        extents: Vec::new(),
        type_scopes: Vec::new(),
        uses: vec![Vec::new()],
        waiting: HashMap::new(),
        path: Vec::new(),
        found,
    };
    let built_in = resolver.push_scope();
    for (index, entry) in prelude::ALL.iter().enumerate() {
        if entry.place == prelude::BuiltinScope::Everywhere {
            let def = resolver.new_def(entry.name.into(), None, DefKind::BuiltIn(index));
            resolver.put(built_in, entry.name.into(), def, Visibility::Public);
        }
    }
    let frame = resolver.push_scope();
    resolver.list(&script.decls, frame);
    resolver.names
}

/// The walk over a script.
struct Resolver<'a, 'd> {
    names: ResolvedNames<'a>,
    /// The scopes we are inside of, outermost first.
    scopes: Vec<FrameId>,
    /// Where those of them reach that are no modules, outermost first.
    extents: Vec<Span>,
    /// Type variables that are in scope.
    type_scopes: Vec<HashMap<Arc<str>, TypeVarId>>,
    /// What the declarations that we are inside of use.
    uses: Vec<Vec<DefId>>,
    /// Instances that are not made yet, or just being made.
    waiting: HashMap<DefId, instances::PendingInstance<'a>>,
    /// The modules we are inside of.
    path: Vec<Arc<str>>,
    found: &'d mut Vec<Diagnostic>,
}

impl<'a> ResolvedNames<'a> {
    /// From now on the name stands for that definition.
    fn stand(&mut self, name: &Name, def: DefId) {
        self.of.insert(name, def);
        self.places.push((name.span, def));
    }

    /// The definition a name stands for, if it has one.
    pub(crate) fn def(&self, name: &Name) -> Option<DefId> {
        self.of.get(&std::ptr::from_ref(name)).copied()
    }

    /// What a definition is.
    pub(crate) fn kind(&self, def: DefId) -> DefKind {
        self.defs[def.index()].kind
    }

    /// The name of a definition.
    pub(crate) fn name(&self, def: DefId) -> &Arc<str> {
        &self.defs[def.index()].name
    }

    /// What a declaration uses.
    pub(crate) fn uses(&self, decl: &Decl) -> &[DefId] {
        let all = self.uses.get(&std::ptr::from_ref(decl));
        all.map_or(&[], Vec::as_slice)
    }

    /// What a declaration declares.
    pub(crate) fn binds(&self, decl: &Decl) -> &[DefId] {
        let all = self.binds.get(&std::ptr::from_ref(decl));
        all.map_or(&[], Vec::as_slice)
    }

    /// The names in a module with what they stand for.
    pub(crate) fn members(&self, module: DefId) -> Vec<DefId> {
        let Some(module) = self.modules.get(&module) else {
            return Vec::new();
        };
        let frame = &self.frames[module.frame.index()];
        let mut all: Vec<DefId> = frame.names.values().map(|entry| entry.def).collect();
        all.sort_unstable();
        all
    }
}

impl<'a> Resolver<'a, '_> {
    /// A new definition; its full name has the modules we are inside of.
    fn new_def(&mut self, name: Arc<str>, span: Option<Span>, kind: DefKind) -> DefId {
        let full = if self.path.is_empty() || kind == DefKind::Variable {
            name
        } else {
            format!("{}::{name}", self.path.join("::")).into()
        };
        self.names.defs.push(Def {
            name: full,
            span,
            scope: self.extents.last().copied(),
            kind,
        });
        DefId::new(self.names.defs.len() - 1)
    }

    fn error(&mut self, diagnostic: Diagnostic) {
        self.found.push(diagnostic);
    }

    /// Notes that the declaration we are inside of uses `def`.
    fn used(&mut self, def: DefId) {
        if let Some(uses) = self.uses.last_mut() {
            uses.push(def);
        }
    }
}
