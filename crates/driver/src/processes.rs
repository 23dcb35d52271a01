//! Languages of processes behind the door: what such a front end lowers becomes a model with
//! questions and subjects, the same way for all of them.
//!
//! Formulas of the command line are added in the language itself, as lines `ltl NAME { FORMULA }`
//! in a text that includes the model, so that names, macros and types are those of the model, and
//! so that places in it are those of what was typed.

mod declared;
mod directives;
mod expression;
mod members;
mod quantified;
mod typed;

use base::{Diagnostic, Diagnostics, Severity, SourceId, Sources, Span, quote};
use directives::{macro_name, refuse_directives};
use expression::{ModelTexts, TextRequest};
use model::Machine;
use model::frontend::{
    About, Asks, Classes, Expression, Files, Frontend, Given, IncludeRequest, Linear,
    LinearInstance, Model, Notation, OnlyRead, Options, Purpose, Question, Reading, Rules, Shape,
    Signs, Starts, States, Steps, Subject, Telling,
};
use model::outline::Outline;
use model::processes::expr::{Expr, ExprId};
use model::processes::language::{Lowered, ProcessLanguage, Texts};
use model::processes::machine::Running;
use model::processes::passes::{self, Moves, Setting, Watch};
use model::processes::program;
use model::processes::property::{Body, Kind, Property};
use model::proposal::Proposal;
use std::sync::OnceLock;
use system::System;
use system::formula::Formula;
use typed::{Added, COMMAND_LINE};

/// A language of processes, as the door wants it.
pub struct OfProcesses(pub &'static dyn ProcessLanguage);

impl Frontend for OfProcesses {
    fn language(&self) -> &'static str {
        self.0.language()
    }

    fn endings(&self) -> &'static [&'static str] {
        self.0.endings()
    }

    fn models(&self) -> &'static str {
        self.0.models()
    }

    fn flags(&self, reading: Reading) -> Vec<&'static str> {
        let all = match reading {
            Reading::Only | Reading::Check => FLAGS_OF_CHECK,
            Reading::Symmetry => FLAGS_OF_SYMMETRY,
            Reading::Run => FLAGS_OF_RUN,
            Reading::View => FLAGS_OF_VIEW,
        };
        all.iter().chain(self.0.flags()).copied().collect()
    }

    fn instead(&self, flag: &str) -> Option<&'static str> {
        Some(match flag {
            "--no-invariant" => "`--no-assertions`",
            "--goal" => "`--ltl '[] !goal'`",
            "--refines" => "`--ltl FORMULA`",
            "--assert" => "a model has one symmetry",
            _ => return None,
        })
    }

    fn states(&self) -> States {
        States::Processes
    }

    fn always(&self, predicate: &str) -> Option<String> {
        Some(format!("AG ({predicate})"))
    }

    fn signs(&self) -> Signs {
        self.0.signs()
    }

    fn load(
        &self,
        given: &Given<'_>,
        sources: &mut Sources,
        files: &mut dyn Files,
        found: &mut Diagnostics,
    ) -> Option<Box<dyn Model>> {
        let added = Added::of(given.options, sources, found)?;
        let mut inside = Diagnostics::new();
        let read = self.read(given, &added, (sources, files), &mut inside);
        let all = inside.sorted().into_iter();
        found.extend(all.map(|told| added.moved(told, sources)));
        let mut loaded = match read? {
            Read::Parts(parts) => return Some(Box::new(OnlyRead(parts))),
            Read::Whole(loaded) => loaded,
        };
        let branching = added.branching(&loaded.properties, sources, found)?;
        loaded.ask(given.options, branching, found);
        Some(loaded)
    }

    fn proposals(&self, text: &str, lines: &[u32]) -> Option<Vec<Proposal>> {
        self.0.proposals(text, lines)
    }

    fn outline(&self, given: &Given<'_>, sources: &mut Sources, files: &mut dyn Files) -> Outline {
        let texts = Texts {
            first: given.main,
            main: given.main,
            defines: &[],
        };
        let mut include =
            |sources: &mut Sources, request: &IncludeRequest<'_>| files.include(request, sources);
        self.0.outline(&texts, sources, &mut include)
    }
}

/// Flags that mean something in every language of processes.
const FLAGS_OF_CHECK: &[&str] = &[
    "--plain",
    "--no-deadlock",
    "--no-assertions",
    "--all-errors",
    "--stop-after",
    "--search",
    "--ltl",
    "--ctl",
    "--fair",
    "-f",
    "--threads",
    "--seed",
    "--to-front",
    "--no-unreached",
    "--detect",
    "--conjugates",
    "--no-native",
    "--check-native",
];
const FLAGS_OF_SYMMETRY: &[&str] = &[
    "--plain",
    "--detect",
    "--conjugates",
    "--seed",
    "--diagram",
    "--suggest",
];
const FLAGS_OF_RUN: &[&str] = &["--plain", "--symmetry"];
const FLAGS_OF_VIEW: &[&str] = &["--plain", "--no-symmetry", "--where"];

/// What was read.
enum Read {
    Parts(Vec<(&'static str, usize)>),
    Whole(Box<Loaded>),
}

/// The name that the command line calls the model by, where it adds to it.
const MODEL: &str = "the model";

impl OfProcesses {
    fn read(
        &self,
        given: &Given<'_>,
        added: &Added,
        (sources, files): (&mut Sources, &mut dyn Files),
        found: &mut Diagnostics,
    ) -> Option<Read> {
        let options = given.options;
        let defines: Vec<Option<SourceId>> = (options.defines.iter())
            .map(|define| define_source(define, options, sources, found))
            .collect();
        let defines: Vec<SourceId> = defines.into_iter().collect::<Option<_>>()?;
        let main = given.main;
        let first = added.first(main, sources);
        let mut included = Vec::new();
        let mut include = |sources: &mut Sources, request: &IncludeRequest<'_>| {
            if request.path == MODEL {
                return Ok(main);
            }
            let id = files.include(request, sources)?;
            included.push((TextRequest::of(request), id));
            Ok(id)
        };
        let asked = Texts {
            first,
            main,
            defines: &defines,
        };
        let accepted = self.0.read(&asked, sources, &mut include, found);
        let texts = included.iter().map(|(_, id)| *id);
        let texts: Vec<SourceId> = std::iter::once(main).chain(texts).collect();
        let words: Vec<&str> = texts.iter().map(|id| sources.get(*id).text()).collect();
        refuse_directives(&options.defines, &words, found)?;
        let defined = options.defines.iter().map(String::as_str);
        let hash = base::hash(defined.chain(words));
        let accepted = accepted?;
        if options.reading == Reading::Only {
            return Some(Read::Parts(accepted.parts()));
        }
        let parts = accepted.parts();
        let mut lowered = accepted.lower(sources, found)?;
        let n_errors = found.n_errors();
        let (marks, model) = (self.0.annotations(), &lowered.model);
        let declared = declared::declared(&texts, marks, (model, sources), found);
        if found.n_errors() > n_errors {
            return None;
        }
        lowered.model.declared_symmetries = declared;
        let about = About {
            path: given.path.to_owned(),
            language: self.0.language(),
            defines: options.defines.clone(),
            rules: Some(options.rules),
            ..About::default()
        };
        let texts = ModelTexts {
            language: self.0,
            main,
            defines,
            n_properties: lowered.properties.len(),
            included,
        };
        Some(Read::Whole(Box::new(Loaded {
            parts,
            hash,
            ..Loaded::new(about, texts, lowered, running(options.steps))
        })))
    }
}

/// `NAME=VALUE` as a text that a `#define` could hold.
fn define_source(
    define: &str,
    options: &Options,
    sources: &mut Sources,
    found: &mut Diagnostics,
) -> Option<SourceId> {
    let (name, value) = define.split_once('=').unwrap_or((define, "1"));
    if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        let message = format!("`-D` needs a name, not {}", quote(define));
        found.push(Diagnostic::unlocated(message));
        return None;
    }
    let name_of = macro_name(define);
    if options.undefines.iter().any(|other| other == name_of) {
        let message = format!("{} is both defined (-D) and undefined (-U)", quote(name_of));
        found.push(Diagnostic::unlocated(message));
        return None;
    }
    let text = format!("{name} {value}").replace(['\n', '\r'], " ");
    Some(sources.add(format!("-D {define}"), text))
}

const TELLING: Telling = Telling {
    shows_start: false,
    stuck: "no process can go on",
    set_up: None,
    arguments: model::frontend::ArgumentStyle::Call,
};

/// After how many states a search compiles its steps: that takes as long as some thousand states.
const COMPILED_AFTER: u64 = 8192;

/// How machines run that are searched.
fn running(steps: Steps) -> Running {
    match steps {
        Steps::Interpreted => Running::Interpreted,
        Steps::Compiled => Running::Compiled(&native::Cranelift, COMPILED_AFTER),
        Steps::Compared => Running::Both(&native::Cranelift),
    }
}

/// The passes that rules ask for.
fn setting(rules: Option<Rules>) -> Setting {
    match rules {
        Some(Rules::Plain) => Setting::Plain,
        Some(Rules::SpinCompat) => Setting::Spin,
        Some(Rules::Own) | None => Setting::Best,
    }
}

/// A model that can be run.
struct Loaded {
    about: About,
    texts: ModelTexts,
    parts: Vec<(&'static str, usize)>,
    hash: u64,
    machine: Machine,
    /// The model before any rewriting.
    lowered: program::Model,
    /// The same as a machine, where runs are shown on it.
    written: OnceLock<Machine>,
    properties: Vec<Property>,
    running: Running,
    questions: Vec<Question>,
    /// By question and instance: what its atoms are.
    atoms: Vec<Vec<Vec<ExprId>>>,
}

impl Loaded {
    fn new(about: About, texts: ModelTexts, lowered: Lowered, running: Running) -> Loaded {
        let Lowered {
            mut model,
            properties,
        } = lowered;
        let lowered = model.clone();
        passes::apply(&mut model, setting(about.rules), &Watch::default());
        Loaded {
            about,
            texts,
            parts: Vec::new(),
            hash: 0,
            machine: Machine::running(model, running),
            lowered,
            written: OnceLock::new(),
            properties,
            running,
            questions: Vec::new(),
            atoms: Vec::new(),
        }
    }

    fn rules(&self) -> Rules {
        self.about.rules.unwrap_or_default()
    }

    /// Makes the questions: what every search answers, the properties of the model, and what was
    /// typed.
    fn ask(&mut self, options: &Options, branching: Option<typed::Asked>, found: &mut Diagnostics) {
        if options.progress_cycles {
            self.ask_cycles(Kind::Progress);
        }
        let accepts = self.accepts();
        if options.acceptance_cycles && accepts {
            self.ask_cycles(Kind::Acceptance);
        } else if options.acceptance_cycles && self.properties.is_empty() {
            found.push(no_acceptance());
        }
        if accepts && !options.acceptance_cycles {
            let words = "cycles through accept labels were not looked for; `-a` asks for that";
            self.about.notes.push(words.to_owned());
        }
        for (name, asks) in [
            ("deadlock", Asks::Deadlock),
            ("assertions", Asks::Assertions),
            ("faults", Asks::Faults),
        ] {
            self.questions.push(Question {
                name: name.to_owned(),
                kind: name,
                asks,
                is_typed: false,
            });
            self.atoms.push(Vec::new());
        }
        let own = self.properties.iter().filter(|p| !typed::is_atom(p));
        for family in families(own) {
            let (question, atoms) = question(&family);
            self.atoms.push(atoms);
            self.questions.push(question);
        }
        if let Some(asked) = branching {
            self.questions.push(asked.question);
            self.atoms.push(asked.atoms);
        }
    }

    /// Adds a property that the text does not have: that every cycle has progress, or that none
    /// accepts.
    fn ask_cycles(&mut self, kind: Kind) {
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

    /// Whether a process has a location with an accept label.
    fn accepts(&self) -> bool {
        let mut all = self.lowered.proctypes.iter().flat_map(|p| &p.locations);
        all.any(|location| location.accept)
    }

    /// The machine for a search that watches these expressions: nothing that they read is
    /// forgotten, and what changes them is seen. If repeating a state matters, every statement is a
    /// step, and so with all rules but ours: SPIN's joining of statements does not ask what is
    /// watched, nor what is fair.
    fn watched(&self, atoms: &[ExprId], stutters: bool, fair: bool) -> Machine {
        let mut model = self.with_atoms(atoms);
        let setting = match (stutters, self.rules()) {
            (true, Rules::Own) => Setting::Best,
            _ => Setting::Plain,
        };
        let watch = Watch {
            exprs: atoms.to_vec(),
            labels: true,
            fair,
        };
        passes::apply(&mut model, setting, &watch);
        Machine::running(model, self.running)
    }

    /// The machine for branching time: as [`Loaded::watched`], but no choice is made earlier than
    /// it is written, and if single moves count, none is left out. What is asked of how states are
    /// reached is asked of the model as it was written: a pass keeps what follows states, and may
    /// make one of two that were reached in different ways.
    fn branching(&self, atoms: &[ExprId], moves: Option<Moves>) -> Machine {
        let mut model = self.with_atoms(atoms);
        if let (Rules::Own, Some(moves)) = (self.rules(), moves) {
            passes::keep_branches(&mut model, moves);
        }
        Machine::running(model, self.running)
    }

    fn with_atoms(&self, atoms: &[ExprId]) -> program::Model {
        let mut model = self.lowered.clone();
        model.atoms = atoms.to_vec();
        model
    }

    /// The atoms of a question that has one instance.
    fn single(&self, question: usize) -> Option<&[ExprId]> {
        let n_asked = match &self.questions[question].asks {
            Asks::Linear(asked) => asked.n_asked,
            _ => self.atoms[question].len(),
        };
        let atoms = self.atoms[question].first().filter(|_| n_asked == 1);
        atoms.map(Vec::as_slice)
    }
}

/// Says that nothing is asked of infinite runs.
fn no_acceptance() -> Diagnostic {
    let message = "`-a` looks for cycles through accept labels, and there are none";
    let note = "nor are there formulas or claims, so that nothing is asked of infinite runs";
    Diagnostic {
        severity: Severity::Warning,
        ..Diagnostic::unlocated(message).note(note)
    }
}

/// Properties, those that are instances of one written for several members together.
fn families<'p>(all: impl Iterator<Item = &'p Property>) -> Vec<Vec<&'p Property>> {
    let mut families: Vec<Vec<&Property>> = Vec::new();
    for property in all {
        let last = families.last_mut().filter(|family| {
            let first = family[0];
            first.index.is_some() && property.index.is_some() && first.name == property.name
        });
        match last {
            Some(family) => family.push(property),
            None => families.push(vec![property]),
        }
    }
    families
}

/// The most parts of a formula that are looked at one by one.
const PARTS_MAX: usize = 300;

/// The instances of a family, behind them the parts of those that are conjunctions, and the atoms
/// of all.
fn instances(family: &[&Property]) -> (Vec<LinearInstance>, Vec<Vec<ExprId>>) {
    let mut all: Vec<LinearInstance> = Vec::new();
    let mut atoms: Vec<Vec<ExprId>> = family.iter().map(|p| p.atoms.clone()).collect();
    let mut parts = Vec::new();
    for property in family {
        let conjuncts = match &property.body {
            Body::Formula(formula) => formula.conjuncts(PARTS_MAX),
            Body::Claim(_) => Vec::new(),
        };
        let from = family.len() + parts.len();
        for part in conjuncts.iter().filter(|_| conjuncts.len() > 1) {
            let (own, formula) = part.renumbered();
            let texts = own.iter().map(|n| property.texts[*n as usize].clone());
            parts.push(LinearInstance {
                body: Ok(Body::Formula(formula)),
                atoms: texts.collect(),
                value: None,
                parts: 0..0,
            });
            let own = own.iter().map(|n| property.atoms[*n as usize]);
            atoms.push(own.collect());
        }
        all.push(LinearInstance {
            body: Ok(property.body.clone()),
            atoms: property.texts.clone(),
            value: property.index.as_ref().map(|index| index.value),
            parts: from..family.len() + parts.len(),
        });
    }
    all.extend(parts);
    (all, atoms)
}

/// A family of properties as a question, and the atoms of its instances.
fn question(family: &[&Property]) -> (Question, Vec<Vec<ExprId>>) {
    let first = family[0];
    let (name, is_typed) = (&first.name, is_typed(first));
    let (instances, atoms) = instances(family);
    let message = match first.kind {
        Kind::Ltl => format!("{name} violated: the formula is false of this run"),
        Kind::Never => "claim violated: it accepts this run".to_owned(),
        Kind::Progress => "a cycle without progress".to_owned(),
        Kind::Acceptance => "a cycle through accept labels".to_owned(),
    };
    // What was typed has no line in the model.
    let is_written = matches!(first.kind, Kind::Ltl | Kind::Never) && name != COMMAND_LINE;
    let question = Question {
        name: name.clone(),
        kind: first.kind.word(),
        asks: Asks::Linear(Linear {
            instances,
            n_asked: family.len(),
            member: first.index.as_ref().map(|index| index.name.clone()),
            place: is_written.then(|| (name.clone(), first.line)),
            message,
            notation: Notation::Spin,
            stutters: first.kind.stutters(),
            fairness: None,
        }),
        is_typed,
    };
    (question, atoms)
}

/// Whether a property was asked for on the command line.
fn is_typed(property: &Property) -> bool {
    match property.kind {
        Kind::Ltl => property.name == COMMAND_LINE,
        Kind::Progress | Kind::Acceptance => true,
        Kind::Never => false,
    }
}

impl Model for Loaded {
    fn parts(&self) -> Vec<(&'static str, usize)> {
        self.parts.clone()
    }

    fn about(&self) -> About {
        self.about.clone()
    }

    fn hash(&self) -> u64 {
        self.hash
    }

    fn questions(&self) -> &[Question] {
        &self.questions
    }

    fn subject(&self, purpose: &Purpose) -> Result<Box<dyn Subject + '_>, Diagnostic> {
        Ok(match *purpose {
            Purpose::Errors | Purpose::Run => Box::new(AsLoaded { of: self }),
            Purpose::Linear {
                question,
                instance,
                stutters,
                fair,
            } => {
                let atoms = &self.atoms[question][instance];
                Box::new(Watched {
                    of: self,
                    machine: self.watched(atoms, stutters, fair),
                    atoms,
                    written: OnceLock::new(),
                })
            }
            Purpose::Branching {
                question,
                instance,
                fair,
            } => {
                let atoms = &self.atoms[question][instance];
                // Who can move, and does, is what fairness is about.
                let moves = match &self.questions[question].asks {
                    _ if fair => Some(Moves::Count),
                    Asks::Branching(asked) => match &asked.instances[instance].formula {
                        Ok(formula) if formula.has_past() => None,
                        Ok(formula) if formula.has_next() => Some(Moves::Count),
                        _ => Some(Moves::Leave),
                    },
                    _ => Some(Moves::Leave),
                };
                Box::new(Watched {
                    of: self,
                    machine: self.branching(atoms, moves),
                    atoms,
                    written: OnceLock::new(),
                })
            }
        })
    }

    fn classes(&self, question: usize, instances: &[usize]) -> Option<Classes> {
        let lists = instances.iter().map(|n| &self.atoms[question][*n][..]);
        let lists: Vec<&[ExprId]> = lists.collect();
        Some(members::classes(&self.lowered, &lists))
    }

    fn same_answer(&self, question: usize) -> Option<(i32, Vec<i32>)> {
        members::named(&self.lowered, self.single(question)?)
    }

    fn expression(
        &self,
        text: SourceId,
        sources: &mut Sources,
        found: &mut Diagnostics,
    ) -> Option<Box<dyn Expression + '_>> {
        let expression = self.state_expression(text, sources, found)?;
        Some(Box::new(expression))
    }

    fn telling(&self) -> Telling {
        TELLING
    }
}

/// A model that is searched for errors, or run.
struct AsLoaded<'m> {
    of: &'m Loaded,
}

impl AsLoaded<'_> {
    /// The model as it was written, if it was rewritten.
    fn written(&self) -> Option<&Machine> {
        let written = || Machine::new(self.of.lowered.clone());
        let is_rewritten = self.of.rules() == Rules::Own;
        is_rewritten.then(|| self.of.written.get_or_init(written))
    }
}

impl Subject for AsLoaded<'_> {
    fn system(&self, _: Starts) -> &dyn System {
        &self.of.machine
    }

    fn shape(&self) -> Shape<'_> {
        Shape::Processes(&self.of.machine)
    }

    fn as_written(&self) -> Option<&dyn System> {
        self.written().map(|machine| machine as &dyn System)
    }

    fn shape_as_written(&self) -> Shape<'_> {
        Shape::Processes(self.written().unwrap_or(&self.of.machine))
    }
}

/// A model beside what is asked of its runs.
struct Watched<'m> {
    of: &'m Loaded,
    machine: Machine,
    atoms: &'m [ExprId],
    written: OnceLock<Machine>,
}

impl Subject for Watched<'_> {
    fn system(&self, _: Starts) -> &dyn System {
        &self.machine
    }

    fn shape(&self) -> Shape<'_> {
        Shape::Processes(&self.machine)
    }

    fn as_written(&self) -> Option<&dyn System> {
        let written = || Machine::new(self.of.with_atoms(self.atoms));
        let is_rewritten = self.of.rules() == Rules::Own;
        is_rewritten.then(|| self.written.get_or_init(written) as &dyn System)
    }
}
