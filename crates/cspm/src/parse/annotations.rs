//! Which declaration an annotation `f, g :: T` belongs to.
//!
//! A name has at most one annotation in its list of declarations, and the list defines it: as a
//! function, a plain name, a channel, a nametype or a constructor. Channels that are declared
//! together have one type, so annotations of two of them are refused.

use super::{Parsed, Parser, Reported};
use crate::ast::{Decl, DeclKind, Name, PatternKind, Scheme};
use base::Diagnostic;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

impl Parser<'_> {
    /// Hands the types of annotations to channels and nametypes, and checks where they belong.
    pub(super) fn annotate(&mut self, decls: &mut [Decl]) -> Parsed<()> {
        let mut annotated: HashMap<Arc<str>, (Name, Scheme)> = HashMap::new();
        let mut outcome = Ok(());
        for decl in decls.iter() {
            let DeclKind::Annotation { names, scheme } = &decl.kind else {
                continue;
            };
            for name in names {
                let known = annotated.insert(name.text.clone(), (name.clone(), scheme.clone()));
                if let Some((first, _)) = known {
                    let message = format!("{} has two types", base::quote(&name.text));
                    let error = Diagnostic::error(name.span, message);
                    outcome = Err(self.report(error.and(first.span, "the first is here")));
                }
            }
        }
        if annotated.is_empty() {
            return Ok(());
        }
        let all_defined = self.all_defined(decls, &annotated);
        outcome.and(all_defined)?;
        for decl in decls {
            match &mut decl.kind {
                DeclKind::Nametype { name, scheme, .. } => {
                    *scheme = annotated.get(&name.text).map(|(_, s)| s.clone());
                }
                DeclKind::Channel { names, scheme, .. } => {
                    let all: Vec<&(Name, Scheme)> = names
                        .iter()
                        .filter_map(|n| annotated.get(&n.text))
                        .collect();
                    if let [first, .., last] = all.as_slice()
                        && first.1.span != last.1.span
                    {
                        let message = "channels that are declared together have one type";
                        let error = Diagnostic::error(last.0.span, message);
                        return Err(self.report(error.and(first.0.span, "another is here")));
                    }
                    *scheme = all.first().map(|(_, s)| s.clone());
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn all_defined(
        &mut self,
        decls: &[Decl],
        annotated: &HashMap<Arc<str>, (Name, Scheme)>,
    ) -> Parsed<()> {
        let defined: HashSet<&Arc<str>> = decls.iter().flat_map(defined_by).collect();
        let missing = annotated.iter().filter(|(text, _)| !defined.contains(text));
        let mut missing: Vec<&Name> = missing.map(|(_, (name, _))| name).collect();
        missing.sort_by_key(|name| name.span);
        let mut outcome = Ok(());
        for name in missing {
            let message = "has a type here, but no definition beside it";
            let Reported = self.at_name(name, message);
            outcome = Err(Reported);
        }
        outcome
    }
}

/// The names that a declaration defines and an annotation may speak of.
fn defined_by(decl: &Decl) -> Vec<&Arc<str>> {
    match &decl.kind {
        DeclKind::Function(function) => vec![&function.name.text],
        DeclKind::Let { pattern, .. } => match &pattern.kind {
            PatternKind::Name(name) => vec![&name.text],
            _ => Vec::new(),
        },
        DeclKind::Nametype { name, .. } => vec![&name.text],
        DeclKind::Channel { names, .. } => names.iter().map(|n| &n.text).collect(),
        DeclKind::Datatype(datatype) => {
            let names = datatype.constructors.iter();
            names.map(|(name, _)| &name.text).collect()
        }
        _ => Vec::new(),
    }
}
