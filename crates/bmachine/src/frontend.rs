//! The door of B: a machine is read, its sets get sizes, and it is given as subjects.

mod expression;
mod flags;
mod sized;

use crate::Additions;
use crate::alike;
use crate::eval::deadline::Deadline;
use crate::exchange::MachineText;
use crate::live::Live;
use crate::live::watch::{LiveWithFormula, is_fair_to_operations, names_deferred};
use crate::project::Project;
use crate::refine::{PreconditionReading, Refinement};
use crate::run::members::carried;
use crate::run::{ChosenSetups, Program};
use crate::temporal::Fair;
use crate::temporal::meaning::{branching, linear};
use crate::typeck::typecheck;
use crate::typed::{self, SortId};
use base::{Diagnostic, Diagnostics, SourceId, Sources, Span, quote};
use model::frontend::{
    About, Asks, Bound, Branching, BranchingInstance, Classes, Contents, Expression, Files,
    Frontend, Given, Linear, LinearInstance, Model, Notation, OnlyRead, Options, Preconditions,
    Purpose, Question, SetContents, Shape, Signs, SortWords, Starts, States, Subject, Telling,
};
use model::outline::Outline;
use model::processes::property::Body;
use model::refinement;
use sized::{SizedMachine, compile};
use std::ops::ControlFlow;
use std::sync::Arc;
use system::{Fault, Strength, System};

/// The language B.
pub struct B;

impl Frontend for B {
    fn language(&self) -> &'static str {
        "b"
    }

    fn endings(&self) -> &'static [&'static str] {
        &["mch", "ref", "imp", "sys"]
    }

    fn models(&self) -> &'static str {
        "B machines"
    }

    fn flags(&self, reading: model::frontend::Reading) -> Vec<&'static str> {
        flags::of(reading)
    }

    fn instead(&self, flag: &str) -> Option<&'static str> {
        flags::instead(flag)
    }

    fn states(&self) -> States {
        States::Values
    }

    fn always(&self, predicate: &str) -> Option<String> {
        Some(format!("AG {{{predicate}}}"))
    }

    fn signs(&self) -> Signs {
        Signs {
            first: &["MACHINE", "REFINEMENT", "IMPLEMENTATION", "MODEL", "SYSTEM"],
            relative: Some(("Event-B", &["CONTEXT", "EVENTS", "<org.eventb"])),
            ..Signs::default()
        }
    }

    fn load(
        &self,
        given: &Given<'_>,
        sources: &mut Sources,
        files: &mut dyn Files,
        found: &mut Diagnostics,
    ) -> Option<Box<dyn Model>> {
        let (project, machine) = read(given, sources, files, found)?;
        let reading = given.options.reading;
        if reading == model::frontend::Reading::Only {
            return Some(Box::new(OnlyRead(parts(&machine))));
        }
        if given.options.refines.is_some() && machine.refines.is_none() {
            found.push(refines_nothing(&machine.name));
            return None;
        }
        let deadline = Arc::new(Deadline::new(given.clock));
        let SizedMachine { program, origins } = compile(machine, given.options, deadline, found)?;
        let questions = questions(program.machine(), given.options, sources);
        // A run says itself that there is no initial state; symmetry does not ask for one.
        if is_explored(reading) && is_inconsistent(&program) {
            found.push(inconsistent(&program));
            return None;
        }
        let live = Live::new(program, sources);
        let refinement = match given.options.refines {
            None => None,
            Some(reading) => Some(refined(&live, reading, found)?),
        };
        Some(Box::new(LoadedMachine {
            path: given.path.to_owned(),
            hash: hash(&live, sources),
            starts: [ChosenSetups::All, ChosenSetups::Named]
                .map(|setups| live.starting_with(setups)),
            live,
            project,
            origins,
            questions,
            refinement,
        }))
    }

    fn outline(&self, given: &Given<'_>, sources: &mut Sources, files: &mut dyn Files) -> Outline {
        crate::outline::outline(given.main, sources, files)
    }
}

const TELLING: Telling = Telling {
    shows_start: true,
    stuck: "no operation can be taken",
    set_up: Some("INITIALISATION"),
    arguments: model::frontend::ArgumentStyle::Call,
};

fn parts(machine: &typed::Machine) -> Vec<(&'static str, usize)> {
    vec![
        ("sets", machine.sorts.len()),
        ("constants", machine.n_constants),
        ("variables", machine.globals.len() - machine.n_constants),
        ("operations", machine.operations.len()),
        ("assertions", machine.assertions.len()),
        ("formulas", machine.formulas.len()),
    ]
}

/// A machine that can be run.
struct LoadedMachine {
    path: String,
    live: Live,
    /// The syntax of the machine and of those that belong to it.
    project: Project,
    /// The same, started with all set-ups and with named ones.
    starts: [Live; 2],
    hash: u64,
    /// By set: where its size comes from.
    origins: Vec<&'static str>,
    questions: Vec<Question>,
    refinement: Option<Refinement>,
}

impl Model for LoadedMachine {
    fn parts(&self) -> Vec<(&'static str, usize)> {
        parts(self.live.program().machine())
    }

    fn about(&self) -> About {
        let sorts = self.live.signature().sorts.iter();
        About {
            path: self.path.clone(),
            language: B.language(),
            set_sizes: sorts
                .map(|sort| (sort.name.clone(), sort.members.len()))
                .collect(),
            numbers: Some(self.live.program().numbers()),
            ..About::default()
        }
    }

    fn hash(&self) -> u64 {
        self.hash
    }

    fn questions(&self) -> &[Question] {
        &self.questions
    }

    fn subject(&self, purpose: &Purpose) -> Result<Box<dyn Subject + '_>, Diagnostic> {
        // From now on answers are given up when the time is over.
        self.live.program().deadline().enforce();
        let question = match *purpose {
            Purpose::Errors | Purpose::Run => return Ok(Box::new(SearchSubject { of: self })),
            Purpose::Linear {
                question, instance, ..
            }
            | Purpose::Branching {
                question, instance, ..
            } => [question, instance],
        };
        let formula = self.formula(question);
        let watched = |live| LiveWithFormula::new(live, formula);
        Ok(Box::new(FormulaSubject {
            of: self,
            formula,
            watched: [watched(&self.starts[0])?, watched(&self.starts[1])?],
        }))
    }

    fn classes(&self, question: usize, instances: &[usize]) -> Option<Classes> {
        let formulas: Vec<usize> = (instances.iter())
            .map(|instance| self.formula([question, *instance]))
            .collect();
        let settings = &self.live.program().machine().settings;
        let is_limited = settings.max_operations.or(settings.max_initialisations);
        is_limited.is_none().then(|| Classes {
            all: carried(self.live.program(), &formulas),
            order: None,
        })
    }

    fn contents(&self) -> Contents {
        let sorts = self.live.signature().sorts.iter().zip(&self.origins);
        let sets = sorts.map(|(sort, from)| SetContents {
            name: sort.name.clone(),
            size_from: from,
            elements: sort.members.clone(),
        });
        let mut constants = Vec::new();
        // Finding some must not take longer than the search was allowed to.
        self.live.program().deadline().enforce();
        if let Some(state) = self.live.a_setup() {
            self.live.describe(&state, &mut |name, value| {
                constants.push((name.to_owned(), value.to_owned()));
            });
        }
        Contents {
            sets: sets.collect(),
            constants,
        }
    }

    fn refinement(&self, limits: refinement::Limits<'_>) -> Option<(String, refinement::Outcome)> {
        let refinement = self.refinement.as_ref()?;
        self.live.program().deadline().enforce();
        let outcome = refinement.check(&self.live, limits);
        Some((refinement.refined().to_owned(), outcome))
    }

    fn expression(
        &self,
        text: SourceId,
        sources: &mut Sources,
        found: &mut Diagnostics,
    ) -> Option<Box<dyn Expression + '_>> {
        expression::read(self, text, sources, found)
    }

    fn telling(&self) -> Telling {
        if self.live.program().has_setup() {
            Telling {
                set_up: Some("SETUP_CONSTANTS"),
                ..TELLING
            }
        } else {
            TELLING
        }
    }
}

impl LoadedMachine {
    /// The formula of the machine that an instance of a question is.
    fn formula(&self, [question, instance]: [usize; 2]) -> usize {
        let asked = question - N_SEARCHED;
        let formula = &self.live.program().machine().formulas[asked];
        match (&formula.members, instance) {
            (Some(_), n) => formula.parts.start + n,
            (None, 0) => asked,
            (None, n) => formula.parts.start + n - 1,
        }
    }

    fn live(&self, starts: Starts) -> &Live {
        &self.starts[usize::from(starts == Starts::Distinct)]
    }
}

impl SortWords for LoadedMachine {
    fn named(&self, sort: SortId) -> Vec<usize> {
        alike::named_elements(self.live.program().machine())[sort.index()].clone()
    }

    fn told_apart(&self, sort: SortId, [a, b]: [usize; 2]) -> Option<String> {
        alike::told_apart(self.live.program().machine(), sort, a, b)
    }

    fn line(&self, place: Span) -> u32 {
        if self.live.is_typed(place) {
            0
        } else {
            self.live.line_of(place)
        }
    }

    fn limits(&self) -> Vec<(&'static str, usize)> {
        let settings = &self.live.program().machine().settings;
        let all = [
            (MAX_OPERATIONS, settings.max_operations),
            (MAX_INITIALISATIONS, settings.max_initialisations),
        ];
        let given = all.into_iter().filter_map(|(name, n)| Some((name, n?)));
        given.collect()
    }
}

const MAX_OPERATIONS: &str = "SET_PREF_MAX_OPERATIONS";
const MAX_INITIALISATIONS: &str = "SET_PREF_MAX_INITIALISATIONS";

/// A machine that is searched for errors, or run.
struct SearchSubject<'m> {
    of: &'m LoadedMachine,
}

impl Subject for SearchSubject<'_> {
    fn system(&self, starts: Starts) -> &dyn System {
        self.of.live(starts)
    }

    fn system_up_to(
        &self,
        starts: Starts,
        blocks: &[Vec<Vec<usize>>],
    ) -> Option<Box<dyn System + '_>> {
        let live = self.of.live(starts).up_to(blocks)?;
        Some(Box::new(live))
    }

    fn shape(&self) -> Shape<'_> {
        let machine = self.of.live.program().machine();
        Shape::Values {
            signature: self.of.live.signature(),
            grounds: alike::grounds(machine),
            text: Box::new(MachineText::new(machine)),
            words: self.of,
        }
    }

    fn broken_symmetry(&self) -> Option<&'static str> {
        self.of.live.is_limited().then_some(LIMITED)
    }

    fn remarks(&self) -> Vec<Diagnostic> {
        self.of.live.undefined()
    }

    fn operations(&self, covered: &[bool]) -> Vec<(String, bool)> {
        let all = self.of.live.program().machine().operations.iter();
        let public = all
            .zip(covered)
            .filter(|(operation, _)| operation.is_public);
        public
            .map(|(operation, taken)| (operation.name.clone(), *taken))
            .collect()
    }

    fn setups(&self) -> Option<&dyn model::frontend::Setups> {
        let has_names = self.of.live.program().has_names();
        has_names.then_some(self.of)
    }
}

/// Why no symmetry is used after all.
const LIMITED: &str = "the machine asks for only some of the ways to go on";
/// Why no symmetry is used where a formula asks for fairness.
const FAIR_TO_KINDS: &str =
    "runs have to be fair to single kinds of steps, which symmetries carry to others";

impl model::frontend::Setups for LoadedMachine {
    fn each(&self, out: &mut dyn FnMut(&[u8])) {
        self.live.setups(ChosenSetups::Named, out);
    }

    fn of(&self, state: &[u8]) -> Vec<u8> {
        self.live.setup_of(state)
    }
}

/// A machine beside one of its formulas.
struct FormulaSubject<'m> {
    of: &'m LoadedMachine,
    formula: usize,
    /// From all set-ups, and from named ones.
    watched: [LiveWithFormula<'m>; 2],
}

impl Subject for FormulaSubject<'_> {
    fn system(&self, starts: Starts) -> &dyn System {
        &self.watched[usize::from(starts == Starts::Distinct)]
    }

    fn shape(&self) -> Shape<'_> {
        let machine = self.of.live.program().machine();
        let formula = &machine.formulas[self.formula];
        let sorts = self.of.live.signature().sorts.iter();
        let sizes: Vec<usize> = sorts.map(|sort| sort.members.len()).collect();
        Shape::Values {
            signature: self.of.live.signature(),
            grounds: alike::grounds_beside(machine, &sizes, formula),
            text: Box::new(MachineText::beside(machine, formula)),
            words: self.of,
        }
    }

    fn n_still_bytes(&self) -> usize {
        self.watched[0].n_bytes()
    }

    fn fairness(&self) -> Option<Box<dyn Fn(u32) -> Strength + '_>> {
        let owed = self.watched[0].fairness()?;
        Some(Box::new(move |actor| match owed(actor) {
            Fair::Strong => Strength::Strong,
            Fair::Weak => Strength::Weak,
        }))
    }

    fn needs_all_starts(&self) -> bool {
        names_deferred(&self.of.live, self.formula)
    }

    fn asymmetry(&self) -> Option<&'static str> {
        let settings = &self.of.live.program().machine().settings;
        let is_limited = settings.max_operations.or(settings.max_initialisations);
        if is_limited.is_some() {
            return Some(LIMITED);
        }
        let is_fair = is_fair_to_operations(&self.of.live, self.formula);
        (!is_fair).then_some(FAIR_TO_KINDS)
    }

    fn lost(&self) -> Option<Fault> {
        self.watched.iter().find_map(LiveWithFormula::lost)
    }
}

/// What can be asked of every machine, in the order in which it is numbered.
const N_SEARCHED: usize = 6;

/// What can be asked of a machine: these, then its formulas.
fn questions(machine: &typed::Machine, options: &Options, sources: &Sources) -> Vec<Question> {
    let has_goal = machine.goal.is_some() && options.goal.is_some();
    let searched: [(&'static str, Asks); N_SEARCHED] = [
        ("invariant", Asks::Invariants),
        ("deadlock", Asks::Deadlock),
        ("assertions", Asks::Assertions),
        ("goal", Asks::Goal(has_goal)),
        ("faults", Asks::Faults),
        ("refinement", Asks::Refinement(options.refines.is_some())),
    ];
    let searched = searched.into_iter().map(|(name, asks)| Question {
        name: name.to_owned(),
        kind: name,
        asks,
        is_typed: false,
    });
    let asked = machine.formulas.iter().filter(|formula| !formula.is_part);
    let formulas = asked.map(|formula| {
        let source = sources.get(formula.span.source);
        let is_typed = source.name().starts_with("--");
        let line = if is_typed {
            0
        } else {
            source.line_of(formula.span.range().start) as u32
        };
        question(machine, formula, is_typed, line)
    });
    let formulas: Vec<Question> = formulas.collect();
    searched.chain(formulas).collect()
}

/// A formula as a question.
fn question(
    machine: &typed::Machine,
    formula: &typed::Formula,
    is_typed: bool,
    line: u32,
) -> Question {
    let place = Some((formula.text.clone(), line));
    let name = formula.name.clone();
    let parts = &machine.formulas[formula.parts.clone()];
    if !formula.is_linear {
        let instances = match &formula.members {
            Some(_) => parts.iter().map(branching_instance).collect(),
            None => vec![branching_instance(formula)],
        };
        return Question {
            asks: Asks::Branching(Branching {
                bound: formula.members.as_ref().map(|members| Bound {
                    all: members.all,
                    name: members.name.clone(),
                    values: (1..=parts.len() as i32).collect(),
                    text: formula.name.clone(),
                }),
                instances,
                place,
            }),
            name,
            kind: "ctl",
            is_typed,
        };
    }
    let is_strong = formula.fair.iter().any(|(fair, _)| *fair == Fair::Strong);
    let whole = LinearInstance {
        parts: if parts.is_empty() {
            0..0
        } else {
            1..1 + parts.len()
        },
        ..linear_instance(formula)
    };
    let instances = std::iter::once(whole).chain(parts.iter().map(linear_instance));
    Question {
        asks: Asks::Linear(Linear {
            instances: instances.collect(),
            n_asked: 1,
            member: None,
            place,
            message: format!("{name} violated: the formula is false of this run"),
            notation: Notation::Prob,
            stutters: true,
            fairness: (!formula.fair.is_empty()).then_some(if is_strong {
                "strong"
            } else {
                "weak"
            }),
        }),
        name,
        kind: "ltl",
        is_typed,
    }
}

fn linear_instance(formula: &typed::Formula) -> LinearInstance {
    LinearInstance {
        body: (formula.body.as_ref())
            .map(|body| Body::Formula(linear(body)))
            .map_err(Clone::clone),
        atoms: atoms(formula),
        value: None,
        parts: 0..0,
    }
}

fn branching_instance(formula: &typed::Formula) -> BranchingInstance {
    BranchingInstance {
        formula: formula.body.as_ref().map(branching).map_err(Clone::clone),
        atoms: atoms(formula),
    }
}

fn atoms(formula: &typed::Formula) -> Vec<String> {
    formula.atoms.iter().map(|atom| atom.text.clone()).collect()
}

/// The hash of all that decides what the steps of a machine are.
fn hash(live: &Live, sources: &Sources) -> u64 {
    let machine = live.program().machine();
    let mut texts = vec![sources.get(machine.span.source).text().to_owned()];
    let sorts = live.signature().sorts.iter();
    texts.extend(sorts.map(|sort| format!("{} {}", sort.name, sort.members.len())));
    let (minint, maxint) = live.program().numbers();
    texts.push(format!("{minint}..{maxint}"));
    base::hash(texts.iter().map(String::as_str))
}

/// The machine with all that it includes, and with what the command line says of its goal, its
/// formulas and its limits.
fn read(
    given: &Given<'_>,
    sources: &mut Sources,
    files: &mut dyn Files,
    found: &mut Diagnostics,
) -> Option<(Project, typed::Machine)> {
    let options = given.options;
    let added = added(options, sources);
    let mut unreadable = Vec::new();
    let mut include = |name: &str| {
        let text = files.find(name)?;
        text.map_err(|why| unreadable.push(why)).ok()
    };
    let project = crate::read_project(given.main, &added, sources, &mut include, found);
    unreadable.into_iter().for_each(|why| found.push(why));
    let project = project?;
    let mut machine = typecheck(&project, found)?;
    if options.goal.is_some() && machine.goal.is_none() {
        let message = "`--goal` needs a predicate over the machine's variables and constants";
        let note = "`--goal GOAL` means the machine's definition of that name, if it has one";
        found.push(Diagnostic::unlocated(message).note(note));
        return None;
    }
    if !options.within_limits && is_explored(options.reading) {
        ignore_limits(&mut machine, found);
    }
    Some((project, machine))
}

/// Whether all states are wanted.
fn is_explored(reading: model::frontend::Reading) -> bool {
    use model::frontend::Reading;
    matches!(reading, Reading::Check | Reading::View)
}

/// Takes out the limits of ways to go on, and says so.
fn ignore_limits(machine: &mut typed::Machine, found: &mut Diagnostics) {
    let limits = [
        (MAX_OPERATIONS, machine.settings.max_operations.take()),
        (
            MAX_INITIALISATIONS,
            machine.settings.max_initialisations.take(),
        ),
    ];
    for (name, _) in limits.iter().filter(|(_, limit)| limit.is_some()) {
        let message = format!("{name} is not honoured: all ways to go on are tried");
        let warning = Diagnostic::warning(machine.span, message);
        found.push(warning.note("`--machine-limits` asks for no more than it says"));
    }
}

/// Says that there is nothing to compare with.
fn refines_nothing(name: &str) -> Diagnostic {
    let message = format!("`--refines`: {} refines nothing", quote(name));
    let note = "a refinement says so itself: REFINEMENT … REFINES …";
    Diagnostic::unlocated(message).note(note)
}

/// What the command line adds to the text of the machine.
fn added(options: &Options, sources: &mut Sources) -> Additions {
    let goal = options.goal.as_deref().filter(|goal| *goal != "GOAL");
    let goal = goal.map(|goal| sources.add("--goal", format!("DEFINITIONS GOAL == {goal}")));
    let typed = [
        (true, "--ltl", &options.linear),
        (false, "--ctl", &options.branching),
    ];
    let typed = typed
        .into_iter()
        .filter_map(|(is_linear, flag, text)| Some((is_linear, sources.add(flag, text.clone()?))));
    Additions {
        definitions: goal,
        formulas: typed.collect(),
    }
}

/// What the machine refines, to be compared with it.
fn refined(live: &Live, reading: Preconditions, found: &mut Diagnostics) -> Option<Refinement> {
    let reading = match reading {
        Preconditions::Guards => PreconditionReading::Guards,
        Preconditions::Classical => PreconditionReading::Classical,
    };
    let made = Refinement::new(live, reading);
    made.map_err(|why| why.into_iter().for_each(|why| found.push(why)))
        .ok()
}

/// Whether it is certain that no constants, or none at all, have the properties.
fn is_inconsistent(program: &Program) -> bool {
    let machine = program.machine();
    if machine.n_constants == 0 && machine.properties.is_empty() {
        return false;
    }
    let mut is_empty = true;
    let extent = program.setups(ChosenSetups::All, &mut |_| {
        is_empty = false;
        ControlFlow::Break(())
    });
    is_empty && extent.is_complete()
}

/// Says that constants have no values, and where their properties are.
fn inconsistent(program: &Program) -> Diagnostic {
    let machine = program.machine();
    let message = match machine.n_constants {
        0 => "the properties do not hold",
        _ => "no values of the constants have all properties",
    };
    let span = machine.properties.iter().map(|property| property.span);
    let span = span.reduce(|all, next| {
        if all.source == next.source {
            all.to(next)
        } else {
            all
        }
    });
    let sorts = program.signature().sorts.iter();
    let sizes: Vec<String> = sorts
        .map(|sort| format!("{} has {}", sort.name, sort.members.len()))
        .collect();
    let error = match span {
        Some(span) => Diagnostic::error(span, message),
        None => Diagnostic::unlocated(message),
    };
    if sizes.is_empty() {
        error
    } else {
        error
            .note(format!("of the sets, {} elements", sizes.join(", ")))
            .note("`--set-size SET=N` gives a set another size")
    }
}
