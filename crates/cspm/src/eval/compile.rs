//! From the syntax tree to a [`Program`]: scopes, modules, and the order of the work.
//!
//! All names of the script are declared first, those of modules and of their instances too; then
//! the bodies are compiled, so that definitions may be in any order. A module without parameters is
//! a scope of its own. An instance of a module is a fresh copy of its declarations, compiled where
//! the module stands, with the arguments as definitions: `instance N = M(3)` of `module M(x) …`
//! gives `N::x = 3` (seen inside only) and `N::f` for every `f` of `M`. So every channel and
//! constructor is known before anything is evaluated.

mod expr;
mod frame;
mod kinds;
mod locals;
mod pattern;
mod process;
mod uses;

use super::builtin;
use super::code::{AssertCode, Datatype, ExprCode, Global, GlobalKind, Maker, Program};
use crate::ast::{self, Claim, Decl, DeclKind, Expr, ExprKind, Name, Pattern};
use crate::value::{BuiltIn, LazyId, MakerId};
use base::{Diagnostic, Diagnostics, Span};
use frame::SlotFrame;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The most instances of modules that are made.
const INSTANCES_MAX: usize = 10_000;

/// Compiles a script; what is wrong with its names goes to `found`.
pub fn compile(script: &ast::Script, found: &mut Diagnostics) -> Program {
    let mut compiler = Compiler {
        program: Program::default(),
        scopes: vec![ModuleScope::default()],
        bodies: Vec::new(),
        instances: Vec::new(),
        kinds: Vec::new(),
        frames: Vec::new(),
        hidden: Vec::new(),
        scope: 0,
        timed: None,
        within: Arc::from("script"),
        found,
    };
    compiler.declare(&script.decls, 0, None);
    compiler.make_instances();
    compiler.find_kinds();
    for body in std::mem::take(&mut compiler.bodies) {
        compiler.body(body);
    }
    compiler.list_names();
    compiler.program
}

/// What a name of the script stands for.
#[derive(Clone, Copy, Debug)]
enum Item {
    Global(u32),
    Maker(MakerId),
    Datatype(u32),
    BuiltIn(BuiltIn),
}

/// The names of the script, of a module or of an instance.
#[derive(Default)]
struct ModuleScope<'a> {
    parent: Option<usize>,
    /// The modules it stands in: `M::N::`.
    path: String,
    items: HashMap<Arc<str>, Item>,
    modules: HashMap<Arc<str>, Module<'a>>,
    /// The names of modules and instances, made yet or not; each hides what it means further out.
    hidden: HashSet<Arc<str>>,
}

/// A module as a template, and the scope of its names if it has no parameters or is an instance.
#[derive(Clone, Copy)]
struct Module<'a> {
    template: Option<(&'a ast::Module, usize)>,
    inside: Option<usize>,
}

/// A timed section: the hidden name of its function, and `tock`.
#[derive(Clone, Debug)]
struct Timed {
    durations: Option<Arc<str>>,
    tock: Option<MakerId>,
}

/// Something to compile once all names are known.
struct PendingBody<'a> {
    scope: usize,
    timed: Option<Timed>,
    kind: BodyKind<'a>,
}

enum BodyKind<'a> {
    Function(u32, &'a ast::Function),
    Value(u32, &'a Expr),
    Type(u32, &'a Expr),
    Select(u32, u32, &'a Pattern, Arc<str>),
    Fields(Vec<MakerId>, &'a Expr),
    Subtype(u32, &'a ast::Datatype),
    Assert(&'a ast::Assertion, Span),
    Print(&'a Expr),
}

struct ModuleInstance<'a> {
    scope: usize,
    name: &'a Name,
    of: &'a Name,
    arguments: &'a [Expr],
}

struct Compiler<'a, 'd> {
    program: Program,
    scopes: Vec<ModuleScope<'a>>,
    bodies: Vec<PendingBody<'a>>,
    instances: Vec<ModuleInstance<'a>>,
    /// For each global, after how many lists of arguments it is a process.
    kinds: Vec<Option<usize>>,
    frames: Vec<SlotFrame>,
    /// Names that definitions of the `let`s around have, compiled yet or not.
    hidden: Vec<Arc<str>>,
    scope: usize,
    timed: Option<Timed>,
    within: Arc<str>,
    found: &'d mut Diagnostics,
}

impl<'a> Compiler<'a, '_> {
    fn wrong(&mut self, span: Span, message: impl Into<String>) {
        self.found.push(Diagnostic::error(span, message));
    }

    fn full_name(&self, scope: usize, name: &str) -> Arc<str> {
        Arc::from(format!("{}{name}", self.scopes[scope].path))
    }

    fn bind(&mut self, scope: usize, name: &Arc<str>, item: Item) {
        self.scopes[scope].items.insert(name.clone(), item);
    }

    fn new_global(&mut self, scope: usize, name: &Arc<str>, span: Span) -> u32 {
        let id = self.program.globals.len() as u32;
        let full = self.full_name(scope, name);
        self.program.globals.push(Global {
            name: full,
            span,
            kind: GlobalKind::Pending,
            is_process: false,
        });
        self.kinds.push(None);
        self.bind(scope, name, Item::Global(id));
        id
    }

    fn new_maker(&mut self, scope: usize, name: &Name, is_channel: bool) -> MakerId {
        let id = MakerId::new(self.program.makers.len());
        self.program.makers.push(Maker {
            name: self.full_name(scope, &name.text),
            span: name.span,
            is_channel,
            fields: Vec::new(),
        });
        self.bind(scope, &name.text, Item::Maker(id));
        id
    }

    fn later(&mut self, scope: usize, timed: Option<&Timed>, kind: BodyKind<'a>) {
        let timed = timed.cloned();
        self.bodies.push(PendingBody { scope, timed, kind });
    }

    /// Declares the names of `decls` in `scope` and notes the bodies.
    fn declare(&mut self, decls: &'a [Decl], scope: usize, timed: Option<&Timed>) {
        for decl in decls {
            if let DeclKind::Module(ast::Module { name, .. }) | DeclKind::Instance { name, .. } =
                &decl.kind
            {
                self.scopes[scope].hidden.insert(name.text.clone());
            }
        }
        // Constructors and channels first: whether a name in a pattern is one depends on them.
        let is_maker =
            |d: &Decl| matches!(d.kind, DeclKind::Channel { .. } | DeclKind::Datatype(_));
        for first in [true, false] {
            for decl in decls.iter().filter(|decl| is_maker(decl) == first) {
                self.declare_one(decl, scope, timed);
            }
        }
    }

    fn declare_one(&mut self, decl: &'a Decl, scope: usize, timed: Option<&Timed>) {
        match &decl.kind {
            DeclKind::Function(function) => {
                let id = self.new_global(scope, &function.name.text, function.name.span);
                self.later(scope, timed, BodyKind::Function(id, function));
            }
            DeclKind::Let { pattern, value } => self.declare_pattern(pattern, value, scope, timed),
            DeclKind::Channel { names, fields, .. } => {
                let makers: Vec<MakerId> = names
                    .iter()
                    .map(|n| self.new_maker(scope, n, true))
                    .collect();
                if let Some(fields) = fields {
                    self.later(scope, timed, BodyKind::Fields(makers, fields));
                }
            }
            DeclKind::Datatype(datatype) => self.declare_datatype(datatype, scope, timed),
            DeclKind::Subtype(datatype) => {
                let id = self.new_datatype(datatype, scope);
                self.later(scope, timed, BodyKind::Subtype(id, datatype));
            }
            DeclKind::Nametype { name, value, .. } => {
                let id = self.new_global(scope, &name.text, name.span);
                self.later(scope, timed, BodyKind::Type(id, value));
            }
            DeclKind::Transparent(names) | DeclKind::External(names) => {
                for name in names {
                    if let Some(found) = builtin::find(&name.text, true) {
                        self.bind(scope, &name.text, Item::BuiltIn(found));
                        self.remark_on(found, name);
                    }
                }
            }
            DeclKind::Assert(assertion) => {
                self.later(scope, timed, BodyKind::Assert(assertion, decl.span));
            }
            DeclKind::Print(value) => self.later(scope, timed, BodyKind::Print(value)),
            DeclKind::Module(module) => self.declare_module(module, scope),
            DeclKind::Instance {
                name,
                of,
                arguments,
            } => self.instances.push(ModuleInstance {
                scope,
                name,
                of,
                arguments,
            }),
            DeclKind::Timed { durations, decls } => {
                self.declare_timed(durations.as_ref(), decls, scope);
            }
            DeclKind::Annotation { .. } => {}
        }
    }

    /// Notes that a function of the language is taken as the identity.
    fn remark_on(&mut self, which: BuiltIn, name: &Name) {
        use crate::process::Compression;
        if builtin::entry(which).op == builtin::Op::Compress(Compression::Identity) {
            let words = format!("`{}` is taken as leaving its process as it is", name.text);
            self.program.remarks.push((name.span, words));
        }
    }

    fn declare_pattern(
        &mut self,
        pattern: &'a Pattern,
        value: &'a Expr,
        scope: usize,
        timed: Option<&Timed>,
    ) {
        let hidden: Arc<str> = Arc::from(format!("%value {}", self.program.globals.len()));
        let whole = self.new_global(scope, &hidden, pattern.span);
        self.later(scope, timed, BodyKind::Value(whole, value));
        let mut names = Vec::new();
        uses::candidates(pattern, &mut names);
        for name in names {
            if matches!(self.find(scope, name), Some(Item::Maker(_))) {
                continue;
            }
            let id = self.new_global(scope, &name.text, name.span);
            self.later(
                scope,
                timed,
                BodyKind::Select(id, whole, pattern, name.text.clone()),
            );
        }
    }

    fn new_datatype(&mut self, datatype: &ast::Datatype, scope: usize) -> u32 {
        let id = self.program.datatypes.len() as u32;
        self.program.datatypes.push(Datatype {
            name: self.full_name(scope, &datatype.name.text),
            span: datatype.name.span,
            makers: Vec::new(),
        });
        self.bind(scope, &datatype.name.text, Item::Datatype(id));
        id
    }

    fn declare_datatype(
        &mut self,
        datatype: &'a ast::Datatype,
        scope: usize,
        timed: Option<&Timed>,
    ) {
        let id = self.new_datatype(datatype, scope);
        for (name, fields) in &datatype.constructors {
            let maker = self.new_maker(scope, name, false);
            self.program.datatypes[id as usize]
                .makers
                .push((maker, None));
            if let Some(fields) = fields {
                self.later(scope, timed, BodyKind::Fields(vec![maker], fields));
            }
        }
    }

    fn declare_timed(&mut self, durations: Option<&'a Expr>, decls: &'a [Decl], scope: usize) {
        let hidden = durations.map(|value| {
            let name: Arc<str> = Arc::from(format!("%timed {}", self.program.globals.len()));
            let id = self.new_global(scope, &name, value.span);
            self.later(scope, None, BodyKind::Value(id, value));
            name
        });
        let timed = Timed {
            durations: hidden,
            tock: None,
        };
        self.declare(decls, scope, Some(&timed));
    }

    fn declare_module(&mut self, module: &'a ast::Module, scope: usize) {
        let template = Some((module, scope));
        let inside = module
            .parameters
            .is_empty()
            .then(|| self.new_scope(scope, scope, &module.name.text));
        let known = Module { template, inside };
        self.scopes[scope]
            .modules
            .insert(module.name.text.clone(), known);
        if let Some(inside) = inside {
            self.declare(&module.private, inside, None);
            self.declare(&module.exports, inside, None);
        }
    }

    /// A scope inside `parent`, whose names are shown behind those of `shown`.
    fn new_scope(&mut self, parent: usize, shown: usize, name: &str) -> usize {
        let path = format!("{}{name}::", self.scopes[shown].path);
        self.scopes.push(ModuleScope {
            parent: Some(parent),
            path,
            ..ModuleScope::default()
        });
        self.scopes.len() - 1
    }

    /// Makes instances until there are none left to make; an instance may bring modules and
    /// further instances that others are waiting for.
    fn make_instances(&mut self) {
        let mut n = 0;
        loop {
            let waiting = std::mem::take(&mut self.instances);
            let mut stuck = Vec::new();
            let before = n;
            for instance in waiting {
                match self
                    .find_module(instance.scope, instance.of)
                    .and_then(|m| m.template)
                {
                    Some(template) if n < INSTANCES_MAX => {
                        n += 1;
                        self.make_instance(&instance, template);
                    }
                    Some(_) => {
                        let words = "instances of modules within each other have no end";
                        self.wrong(instance.name.span, words);
                        return;
                    }
                    None => stuck.push(instance),
                }
            }
            if n == before {
                for instance in stuck {
                    let name = &instance.of.text;
                    self.wrong(instance.of.span, format!("there is no module `{name}`"));
                }
                return;
            }
            self.instances.extend(stuck);
        }
    }

    fn make_instance(&mut self, instance: &ModuleInstance<'a>, template: (&'a ast::Module, usize)) {
        let (module, home) = template;
        let inside = self.new_scope(home, instance.scope, &instance.name.text);
        let known = Module {
            template: None,
            inside: Some(inside),
        };
        let text = instance.name.text.clone();
        self.scopes[instance.scope].modules.insert(text, known);
        if instance.arguments.len() != module.parameters.len() {
            let (n, m) = (module.parameters.len(), instance.arguments.len());
            let name = &module.name.text;
            let words = format!("module `{name}` takes {n} arguments and is given {m}");
            self.wrong(instance.of.span, words);
            return;
        }
        for (pattern, value) in module.parameters.iter().zip(instance.arguments) {
            let hidden: Arc<str> = Arc::from(format!("%value {}", self.program.globals.len()));
            let whole = self.new_global(inside, &hidden, pattern.span);
            self.later(instance.scope, None, BodyKind::Value(whole, value));
            let mut names = Vec::new();
            uses::candidates(pattern, &mut names);
            for name in names {
                if matches!(self.find(home, name), Some(Item::Maker(_))) {
                    continue;
                }
                let id = self.new_global(inside, &name.text, name.span);
                self.later(
                    inside,
                    None,
                    BodyKind::Select(id, whole, pattern, name.text.clone()),
                );
            }
        }
        self.declare(&module.private, inside, None);
        self.declare(&module.exports, inside, None);
    }

    fn find_module(&self, scope: usize, name: &Name) -> Option<Module<'a>> {
        let mut scopes = self.outwards(scope);
        scopes.find_map(|scope| {
            let inside = self.descend(scope, &name.modules)?;
            self.scopes[inside].modules.get(&name.text).copied()
        })
    }

    /// A scope and those around it.
    fn outwards(&self, scope: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(scope), |&scope| self.scopes[scope].parent)
    }

    /// The scope that a path of modules leads to from `scope`.
    fn descend(&self, scope: usize, path: &[Arc<str>]) -> Option<usize> {
        let mut path = path.iter();
        path.try_fold(scope, |scope, name| {
            self.scopes[scope].modules.get(name).and_then(|m| m.inside)
        })
    }

    /// What a name stands for among the definitions of the script. A name with modules before it
    /// is looked up as a whole, scope by scope.
    fn find(&self, scope: usize, name: &Name) -> Option<Item> {
        for scope in self.outwards(scope) {
            let inside = self.descend(scope, &name.modules);
            let item = inside.and_then(|inside| self.scopes[inside].items.get(&name.text));
            if let Some(&item) = item {
                return Some(item);
            }
            if name.modules.is_empty() && self.scopes[scope].hidden.contains(&name.text) {
                return None;
            }
        }
        None
    }

    /// The constructor or channel that a name in a pattern is; nothing if it is a new variable,
    /// as a name is that a definition of a `let` hides.
    fn label(&self, name: &Name) -> Option<MakerId> {
        let is_hidden = self.is_local(&name.text) || self.hidden.contains(&name.text);
        if name.modules.is_empty() && is_hidden {
            return None;
        }
        match self.find(self.scope, name)? {
            Item::Maker(maker) => Some(maker),
            _ => None,
        }
    }

    fn body(&mut self, body: PendingBody<'a>) {
        self.scope = body.scope;
        self.timed = body.timed.map(|timed| self.with_tock(timed));
        match body.kind {
            BodyKind::Function(id, function) => self.global_function(id, function),
            BodyKind::Value(id, value) => {
                let lazy = self.closed(value.span, |c| c.expr(value));
                self.program.globals[id as usize].kind = GlobalKind::Value(lazy);
            }
            BodyKind::Type(id, value) => {
                let lazy = self.closed(value.span, |c| c.type_expr(value));
                self.program.globals[id as usize].kind = GlobalKind::Value(lazy);
            }
            BodyKind::Select(id, whole, pattern, name) => {
                let lazy = self.closed(pattern.span, |c| {
                    c.select(ExprCode::Global(whole), pattern, &name)
                });
                self.program.globals[id as usize].kind = GlobalKind::Value(lazy);
            }
            BodyKind::Fields(makers, fields) => {
                let parts = self.field_parts(fields);
                for maker in makers {
                    self.program.makers[maker.index()].fields = parts.clone();
                }
            }
            BodyKind::Subtype(id, datatype) => self.subtype(id, datatype),
            BodyKind::Assert(assertion, span) => self.assertion(assertion, span),
            BodyKind::Print(value) => {
                let lazy = self.closed(value.span, |c| c.expr(value));
                self.program.prints.push((value.span, lazy));
            }
        }
    }

    /// The section with `tock` looked up.
    fn with_tock(&self, timed: Timed) -> Timed {
        let mut scopes = self.outwards(self.scope);
        let tock = scopes.find_map(|scope| match self.scopes[scope].items.get("tock") {
            Some(&Item::Maker(tock)) => Some(tock),
            _ => None,
        });
        Timed { tock, ..timed }
    }

    fn global_function(&mut self, id: u32, function: &'a ast::Function) {
        self.within = self.program.globals[id as usize].name.clone();
        let plain = function.clauses.iter().all(|c| c.parameters.is_empty());
        if let (true, Some(clause)) = (plain, function.clauses.first()) {
            let lazy = self.closed(clause.span, |c| c.expr(&clause.body));
            let global = &mut self.program.globals[id as usize];
            global.kind = GlobalKind::Value(lazy);
            global.is_process = self.kinds[id as usize] == Some(0);
            return;
        }
        let name = self.within.clone();
        let site = self.function(&name, &function.clauses);
        self.program.globals[id as usize].kind = GlobalKind::Function(site.id);
    }

    /// The parts of the type of fields, each suspended.
    fn field_parts(&mut self, fields: &'a Expr) -> Vec<LazyId> {
        let mut parts = Vec::new();
        flatten_dots(fields, &mut parts);
        parts
            .into_iter()
            .map(|part| self.closed(part.span, |c| c.type_expr(part)))
            .collect()
    }

    fn subtype(&mut self, id: u32, datatype: &'a ast::Datatype) {
        for (name, fields) in &datatype.constructors {
            let Some(Item::Maker(maker)) = self.find(self.scope, name) else {
                let words = format!("`{}` is no constructor of a datatype", name.text);
                self.wrong(name.span, words);
                continue;
            };
            let parts = fields.as_ref().map(|f| self.field_parts(f));
            let entry = (maker, Some(parts.unwrap_or_default()));
            self.program.datatypes[id as usize].makers.push(entry);
        }
    }

    fn assertion(&mut self, assertion: &'a ast::Assertion, span: Span) {
        self.within = Arc::from("assert");
        let (exprs, model): (Vec<&Expr>, _) = match &assertion.claim {
            Claim::Refines {
                spec,
                implementation,
                model,
            } => (vec![spec, implementation], Some(*model)),
            Claim::Has { process, model, .. } => (vec![process], *model),
            Claim::HasTrace {
                process,
                trace,
                model,
            } => (vec![process, trace], *model),
            Claim::Truth(value) => (vec![value], None),
        };
        let parts = exprs
            .into_iter()
            .map(|e| self.closed(e.span, |c| c.expr(e)))
            .collect();
        self.program.assertions.push(AssertCode {
            span,
            ast: assertion.clone(),
            parts,
            model,
        });
    }

    /// Lists definitions by name, for those who ask for one.
    fn list_names(&mut self) {
        for scope in 0..self.scopes.len() {
            let items: Vec<(Arc<str>, Item)> = self.scopes[scope]
                .items
                .iter()
                .map(|(n, i)| (n.clone(), *i))
                .collect();
            for (name, item) in items {
                if !name.starts_with('%') {
                    let full = self.full_name(scope, &name).to_string();
                    let code = self.item(item);
                    self.program.names.insert(full, code);
                }
            }
        }
    }
}

/// The parts of a type with dots.
fn flatten_dots<'a>(expr: &'a Expr, parts: &mut Vec<&'a Expr>) {
    match &expr.kind {
        ExprKind::Dot(left, right) => {
            flatten_dots(left, parts);
            flatten_dots(right, parts);
        }
        ExprKind::Brackets(inner) if matches!(inner.kind, ExprKind::Dot(..)) => {
            flatten_dots(inner, parts);
        }
        _ => parts.push(expr),
    }
}
