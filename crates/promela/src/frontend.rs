//! The door of Promela.

use crate::lower::{Ends, FullChannels, Options, lower_all};
use crate::typed::{ProcessKind, Type, Typed};
use base::{Diagnostics, Sources};
use model::frontend::Signs;
use model::outline::Outline;
use model::processes::language::{Accepted, Include, Lowered, ProcessLanguage, Texts};
use model::proposal::Proposal;

/// The language Promela.
pub struct Promela;

impl ProcessLanguage for Promela {
    fn language(&self) -> &'static str {
        "promela"
    }

    fn endings(&self) -> &'static [&'static str] {
        &["pml", "promela", "prm", "spin", "pr"]
    }

    fn models(&self) -> &'static str {
        "Promela"
    }

    fn flags(&self) -> &'static [&'static str] {
        &["-D", "-U", "--spin-compat", "-a", "-l", "-N"]
    }

    fn signs(&self) -> Signs {
        Signs {
            words: &WORDS,
            marks: &["#define", "#include", "#if", "#undef"],
            ..Signs::default()
        }
    }

    fn annotations(&self) -> &'static [&'static str] {
        &["//@", "/*@"]
    }

    fn read(
        &self,
        given: &Texts<'_>,
        sources: &mut Sources,
        include: &mut Include<'_>,
        found: &mut Diagnostics,
    ) -> Option<Box<dyn Accepted>> {
        let mut typed = crate::check(given.first, given.defines, sources, include, found)?;
        typed.origins.main = Some(given.main);
        Some(Box::new(typed))
    }

    fn proposals(&self, text: &str, lines: &[u32]) -> Option<Vec<Proposal>> {
        Some(crate::proposals::proposals(text, lines))
    }

    fn outline(
        &self,
        given: &Texts<'_>,
        sources: &mut Sources,
        include: &mut Include<'_>,
    ) -> Outline {
        crate::outline::outline(given, sources, include)
    }
}

/// Words that only Promela has.
const WORDS: [&str; 16] = [
    "proctype",
    "D_proctype",
    "init",
    "never",
    "active",
    "mtype",
    "ltl",
    "chan",
    "typedef",
    "inline",
    "bool",
    "bit",
    "byte",
    "short",
    "int",
    "unsigned",
];

impl Accepted for Typed {
    fn parts(&self) -> Vec<(&'static str, usize)> {
        let count = |kinds: &[ProcessKind]| {
            let all = self.processes.iter();
            all.filter(|process| kinds.contains(&process.kind)).count()
        };
        let types = count(&[ProcessKind::Proctype, ProcessKind::Deterministic]);
        let inits = count(&[ProcessKind::Init]);
        let n_active: u32 = self.processes.iter().map(|p| p.n_active).sum();
        let channels = self.variables.iter().filter(|v| v.kind == Type::Chan);
        vec![
            ("processes", types),
            ("running first", n_active as usize + inits),
            ("globals", self.globals.len()),
            ("channels", channels.count()),
            ("claims", count(&[ProcessKind::Never])),
            ("traces", count(&[ProcessKind::Trace, ProcessKind::NoTrace])),
            ("formulas", self.formulas.len()),
        ]
    }

    fn lower(&self, sources: &Sources, found: &mut Diagnostics) -> Option<Lowered> {
        let options = Options {
            ends: Ends::Step,
            full: FullChannels::Block,
        };
        let (model, properties) = lower_all(self, sources, &options, found)?;
        Some(Lowered { model, properties })
    }
}
