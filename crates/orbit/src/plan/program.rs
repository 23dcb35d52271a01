//! The model of a command: read, its names looked up, its types checked, made into steps.

use crate::flags::ModelFlags;
use crate::{input, languages};
use base::{Diagnostic, Diagnostics, SourceId, Sources, Span, quote};
use model::Machine;
use model::frontend::{Accepted, Given, IncludeRequest, Lowered};
use model::processes::expr::{Expr, ExprId};
use model::processes::passes::{self, Moves, Setting, Watch};
use model::processes::program::Model;
use model::processes::property::{Body, Kind, Property};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use system::formula::Formula;

/// Whose rules say what a step is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rules {
    /// Ours: as few states as the verdict needs.
    Own,
    /// Every statement is a step.
    Plain,
    /// Those of `spin -a`.
    SpinCompat,
}

/// A model that was accepted.
pub struct ReadModel {
    /// Where it was read from, as typed.
    pub path: String,
    /// The macros that were defined for it, as typed.
    pub defines: Vec<String>,
    /// Its text, with all that it includes, as a number.
    pub hash: u64,
    /// What it is written in.
    pub language: &'static str,
    /// The model.
    pub accepted: Box<dyn Accepted>,
    /// How long it took to get here.
    pub load: Duration,
}

/// A model that can be run.
pub struct RunModel {
    /// Where it was read from, as typed.
    pub path: String,
    /// The macros that were defined for it, as typed.
    pub defines: Vec<String>,
    /// Its text, with all that it includes, as a number.
    pub hash: u64,
    /// What it is written in.
    pub language: &'static str,
    /// Whose rules.
    pub rules: Rules,
    /// The model.
    pub machine: Machine,
    /// The model as it was written, if `machine` is of a rewritten one.
    pub written: Option<Model>,
    /// What is asked of infinite runs.
    pub properties: Vec<Property>,
    /// The model before any rewriting.
    pub lowered: Model,
    /// How long it took to get here.
    pub load: Duration,
}

impl Rules {
    /// The word for programs.
    pub fn word(self) -> &'static str {
        match self {
            Rules::Own => "default",
            Rules::Plain => "plain",
            Rules::SpinCompat => "spin-compat",
        }
    }

    fn setting(self) -> Setting {
        match self {
            Rules::Own => Setting::Best,
            Rules::Plain => Setting::Plain,
            Rules::SpinCompat => Setting::Spin,
        }
    }

    /// The rules that were asked for.
    pub fn of(flags: &ModelFlags) -> Rules {
        match (flags.plain, flags.spin_compat) {
            (true, _) => Rules::Plain,
            (_, true) => Rules::SpinCompat,
            _ => Rules::Own,
        }
    }
}

impl RunModel {
    /// The machine of the model for a search that watches these expressions: nothing that they read
    /// is forgotten, and what changes them is seen. If repeating a state matters, every statement
    /// is a step, and so with all rules but ours: SPIN's joining of statements does not ask what is
    /// watched, nor what is fair.
    pub fn watched(&self, atoms: &[ExprId], stutters: bool, fair: bool) -> Machine {
        let mut model = self.lowered.clone();
        model.atoms = atoms.to_vec();
        let setting = match (stutters, self.rules) {
            (true, Rules::Own) => Setting::Best,
            _ => Setting::Plain,
        };
        let watch = Watch {
            exprs: atoms.to_vec(),
            labels: true,
            fair,
        };
        passes::apply(&mut model, setting, &watch);
        Machine::new(model)
    }

    /// Adds a property that the text does not have: that every cycle has progress, or that none
    /// accepts. It comes last.
    pub fn ask(&mut self, kind: Kind) {
        let model = &mut self.lowered;
        let (expr, text) = match kind {
            Kind::Progress => (Expr::NonProgress, "np_"),
            _ => (Expr::Accepting, "at an accept label"),
        };
        model.exprs.push(expr);
        let (always, eventually) = (Formula::Always, Formula::Eventually);
        let not = Box::new(Formula::Not(Box::new(Formula::Atom(0))));
        let formula = match kind {
            Kind::Progress => always(Box::new(eventually(not))),
            _ => eventually(Box::new(always(not))),
        };
        self.properties.push(Property {
            name: kind.word().to_owned(),
            kind,
            span: Span::new(SourceId::new(0), 0..0),
            line: 0,
            atoms: vec![ExprId::new(model.exprs.len() - 1)],
            texts: vec![text.to_owned()],
            body: Body::Formula(formula),
            index: None,
        });
    }

    /// Properties by number, those that are instances of one written for several members together.
    pub fn families(&self, asked: &[usize]) -> Vec<Vec<usize>> {
        let mut all: Vec<Vec<usize>> = Vec::new();
        for &n in asked {
            let property = &self.properties[n];
            let last = all.last_mut().filter(|family| {
                let first = &self.properties[family[0]];
                first.index.is_some() && property.index.is_some() && first.name == property.name
            });
            match last {
                Some(family) => family.push(n),
                None => all.push(vec![n]),
            }
        }
        all
    }

    /// Whether a process has a location with an accept label.
    pub fn accepts(&self) -> bool {
        let mut all = self.lowered.proctypes.iter().flat_map(|p| &p.locations);
        all.any(|location| location.accept)
    }

    /// The machine of the model for branching time: as [`RunModel::watched`], but no choice is made
    /// earlier than it is written, and if single moves count, none is left out.
    pub fn branching(&self, atoms: &[ExprId], moves: Moves) -> Machine {
        let mut model = self.lowered.clone();
        model.atoms = atoms.to_vec();
        if self.rules == Rules::Own {
            passes::keep_branches(&mut model, moves);
        }
        Machine::new(model)
    }

    /// What programs are told about it.
    pub fn told(&self) -> report::Model {
        report::Model {
            defines: self.defines.clone(),
            rules: Some(self.rules.word().to_owned()),
            ..report::Model::new(&self.path, self.language)
        }
    }
}

/// The model, read and typed, or `None` if `found` says why not.
pub fn read(
    flags: &ModelFlags,
    sources: &mut Sources,
    found: &mut Diagnostics,
) -> Option<ReadModel> {
    read_with(flags, None, sources, found)
}

/// The name that the command line calls the model by, where it adds to it.
const MODEL: &str = "the model";

/// The same with a text of the command line behind it: what it is called, and its lines.
pub fn read_with(
    flags: &ModelFlags,
    added: Option<(&str, &str)>,
    sources: &mut Sources,
    found: &mut Diagnostics,
) -> Option<ReadModel> {
    let start = Instant::now();
    let path = file(flags, found)?;
    let defines: Vec<Option<SourceId>> = flags
        .define
        .iter()
        .map(|define| define_source(define, flags, sources, found))
        .collect();
    let defines: Vec<SourceId> = defines.into_iter().collect::<Option<_>>()?;
    let main = input::read_loosely(path, sources)
        .map_err(|why| found.push(why))
        .ok()?;
    let folders = &flags.include;
    let mut texts = vec![main];
    // What is added is a text that includes the model, so that its places are its own.
    let first = match added {
        None => main,
        Some((name, lines)) => sources.add(name, format!("#include \"{MODEL}\"\n{lines}\n")),
    };
    let mut include = |sources: &mut Sources, request: &IncludeRequest| {
        if request.path == MODEL {
            return Ok(main);
        }
        let id = read_included(request, folders, sources)?;
        texts.push(id);
        Ok(id)
    };
    let frontend = languages::of_model(path);
    let given = Given {
        first,
        main,
        defines: &defines,
    };
    let accepted = frontend.read(&given, sources, &mut include, found);
    let words: Vec<&str> = texts.iter().map(|id| sources.get(*id).text()).collect();
    refuse_directives(&flags.define, &words, found)?;
    let mut hashed: Vec<&str> = flags.define.iter().map(String::as_str).collect();
    hashed.extend(&words);
    Some(ReadModel {
        path: path.display().to_string(),
        defines: flags.define.clone(),
        hash: hash(&hashed),
        language: frontend.language(),
        accepted: accepted?,
        load: start.elapsed(),
    })
}

/// What was said of a text that the command line added, said of what was typed.
pub fn moved(
    told: Diagnostic,
    added: &str,
    sources: &Sources,
    place: &dyn Fn(Span) -> Span,
) -> Diagnostic {
    let mut told = told;
    for label in &mut told.labels {
        if sources.get(label.span.source).name() == added {
            label.span = place(label.span);
        }
    }
    told
}

/// The model as it can be run, or `None` if `found` says why not.
pub fn compile(
    read: ReadModel,
    rules: Rules,
    sources: &Sources,
    found: &mut Diagnostics,
) -> Option<RunModel> {
    let start = Instant::now();
    let lowered = read.accepted.lower(sources, found)?;
    let Lowered {
        mut model,
        properties,
    } = lowered;
    let lowered = model.clone();
    let written = (rules == Rules::Own).then(|| model.clone());
    passes::apply(&mut model, rules.setting(), &Watch::default());
    Some(RunModel {
        properties,
        lowered,
        machine: Machine::new(model),
        written,
        path: read.path,
        defines: read.defines,
        hash: read.hash,
        language: read.language,
        rules,
        load: read.load + start.elapsed(),
    })
}

/// The file that was named.
fn file<'f>(flags: &'f ModelFlags, found: &mut Diagnostics) -> Option<&'f Path> {
    if let Some(file) = &flags.file {
        return Some(file);
    }
    let mut error = Diagnostic::unlocated("no model is given");
    error = match flags.include.iter().find(|path| path.is_file()) {
        Some(path) => error.note(format!(
            "{} was taken for the folder of `-I DIR`; pan's `-I` is not needed, because error \
             runs are shortest already",
            quote(&path.display().to_string())
        )),
        None => error.note("type `orbit check FILE`, or `-` for standard input"),
    };
    found.push(error);
    None
}

/// `NAME=VALUE` as a text that a `#define` could hold.
fn define_source(
    define: &str,
    flags: &ModelFlags,
    sources: &mut Sources,
    found: &mut Diagnostics,
) -> Option<SourceId> {
    let (name, value) = define.split_once('=').unwrap_or((define, "1"));
    if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        let message = format!("`-D` needs a name, not {}", quote(define));
        found.push(Diagnostic::unlocated(message));
        return None;
    }
    if flags
        .undefine
        .iter()
        .any(|other| other == macro_name(define))
    {
        let name = macro_name(define);
        let message = format!("{} is both defined (-D) and undefined (-U)", quote(name));
        found.push(Diagnostic::unlocated(message));
        return None;
    }
    let text = format!("{name} {value}").replace(['\n', '\r'], " ");
    Some(sources.add(format!("-D {define}"), text))
}

/// The name in `NAME`, `NAME=VALUE` or `NAME(A,B)=VALUE`.
fn macro_name(define: &str) -> &str {
    define.split(['=', '(']).next().unwrap_or(define)
}

/// Names that mean something to the C text that SPIN writes, and nothing to a model.
const DIRECTIVES: &[&str] = &[
    "SAFETY",
    "NOREDUCE",
    "NOCLAIM",
    "NOFAIR",
    "NFAIR",
    "NP",
    "BFS",
    "BFS_PAR",
    "BITSTATE",
    "HC",
    "HC4",
    "COLLAPSE",
    "MA",
    "SC",
    "REACH",
    "VECTORSZ",
    "MEMLIM",
    "MEMCNT",
    "NCORE",
    "DUAL_CORE",
    "MULTI_CORE",
    "SET_SEG_SIZE",
    "SET_WQ_SIZE",
    "NOBOUNDCHECK",
    "XUSAFE",
    "CHECK",
    "VERBOSE",
    "SDUMP",
    "FULLSTACK",
    "CNTRSTACK",
    "NOSTUTTER",
    "NIBIS",
    "NXT",
    "PEG",
    "PERMUTED",
    "T_RAND",
    "T_REVERSE",
    "P_RAND",
    "P_REVERSE",
    "RANDOMIZE",
    "RANDOMSTORE",
    "BCS",
    "TMODE",
    "NOVSZ",
    "PRINTF",
    "SVDUMP",
    "NGQS",
    "REVERSE",
    "W_XPT",
    "LC",
    "NSUCC",
    "NOCOMP",
    "ZAPH",
    "BUDGET",
];

/// Refuses `-DSAFETY` and the like: here they would define macros that the model does not use, and
/// what they ask of SPIN's verifiers would be ignored.
fn refuse_directives(defines: &[String], texts: &[&str], found: &mut Diagnostics) -> Option<()> {
    let before = found.n_errors();
    for define in defines {
        let name = macro_name(define);
        let used = texts.iter().any(|text| has_word(text, name));
        if DIRECTIVES.contains(&name) && !used {
            let message = format!("`-D{name}` is an option of SPIN's verifiers");
            let value = define.split_once('=').map_or("512", |(_, value)| value);
            let instead = match name {
                "MEMLIM" => format!("here: `--memory {value}M`"),
                "NP" => "here: `-l`".to_owned(),
                "BFS" | "BFS_PAR" | "REACH" => "here: leave it out; the search is by breadth, \
                                                and error runs are shortest"
                    .to_owned(),
                "BITSTATE" | "HC" | "HC4" | "MA" => {
                    "here: leave it out; states are kept exactly, and compressed".to_owned()
                }
                _ => "here: leave it out; nothing is compiled".to_owned(),
            };
            let unused = "as a macro it does nothing, for the model does not use it";
            found.push(Diagnostic::unlocated(message).note(unused).note(instead));
        }
    }
    (found.n_errors() == before).then_some(())
}

fn has_word(text: &str, word: &str) -> bool {
    let in_word = |c: char| c.is_alphanumeric() || c == '_';
    text.split(|c: char| !in_word(c)).any(|other| other == word)
}

/// Reads a file that a model includes: beside the file that asks, then in the folders of `-I`.
fn read_included(
    request: &IncludeRequest,
    folders: &[PathBuf],
    sources: &mut Sources,
) -> Result<SourceId, Diagnostic> {
    let asked = Path::new(request.path);
    let beside = Path::new(sources.get(request.from).name()).parent();
    let beside = beside.filter(|_| !request.angled).map(Path::to_path_buf);
    let places = beside.into_iter().chain(folders.iter().cloned());
    let mut paths = places.map(|folder| folder.join(asked));
    match paths.find(|path| path.is_file()) {
        Some(path) => input::read(&path, sources),
        None => {
            let message = format!("the file {} is not found", quote(request.path));
            let error = Diagnostic::unlocated(message);
            Err(error.note("it is looked for beside the file that asks, then where `-I` says"))
        }
    }
}

/// A number for texts, the same on every machine (FNV-1a; texts are told apart by their lengths).
pub(super) fn hash(texts: &[&str]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut take = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    for text in texts {
        (text.len() as u64)
            .to_le_bytes()
            .into_iter()
            .for_each(&mut take);
        text.bytes().for_each(&mut take);
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_of_pan_are_told_from_macros_of_the_model() {
        let refused = |define: &str, text: &str| {
            let mut found = Diagnostics::new();
            refuse_directives(&[define.to_owned()], &[text], &mut found).is_none()
        };
        assert!(refused("SAFETY", "init { skip }"));
        assert!(refused("VECTORSZ=2048", "init { skip }"));
        assert!(!refused("SAFETY", "#ifdef SAFETY\n#endif"));
        assert!(!refused("N=3", "init { skip }"));
        assert!(refused("NP", "NPX"), "another word is no use");
    }

    #[test]
    fn hashes_tell_texts_apart() {
        assert_eq!(hash(&[]), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash(&["ab", "c"]), hash(&["ab", "c"]));
        assert_ne!(hash(&["ab", "c"]), hash(&["a", "bc"]));
        assert_ne!(hash(&["ab"]), hash(&["ba"]));
    }

    #[test]
    fn names_of_macros() {
        for define in ["F", "F=1", "F(x)=x+1", "F(x,y)=x==y"] {
            assert_eq!(macro_name(define), "F");
        }
    }
}
