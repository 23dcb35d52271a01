//! The symmetry of a model of processes, looked for where the plan says.

use crate::given::GivenText;
use crate::{given, input};
use base::{Clock, Diagnostic, Diagnostics, SourceId, Sources, Span, Ticker};
use group::Budget;
use group::largest::{CosetProgress, Effort};
use model::Machine;
use model::frontend::{Model, Purpose, Shape};
use reduce::processes::Found;
use reduce::processes::blockers::{Blocker, objection};
use reduce::processes::certify::sides;
use reduce::processes::detect::Candidates;
use reduce::processes::diagram::{ByDiagram, ChannelUses, Diagram, DiagramKind, largest};
use reduce::processes::extend::{meant, with_candidates};
use reduce::processes::names::Names;
use reduce::processes::sort::Sends;
use reduce::processes::structure::Bearer;
use std::cell::Cell;
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};
use system::{System, Transfer};

/// Where symmetry is looked for.
pub enum Detect {
    /// In the structure of the text.
    Structure,
    /// In a channel diagram.
    Diagram(DiagramSearch),
    /// In the state graph.
    Kripke(Clock<'static>),
    /// These are tried.
    Given(Vec<Given>),
    /// These are tried, over names that each assertion has.
    OfAssertions(GivenText),
}

/// How a channel diagram is searched.
pub struct DiagramSearch {
    /// Which.
    pub kind: DiagramKind,
    /// Who hears how far the search has come.
    pub listener: CosetListener,
    /// How many random conjugates are tried.
    pub n_conjugators: usize,
    /// Their seed.
    pub seed: u64,
    /// When it has to stop.
    pub clock: Clock<'static>,
}

/// Hears how far a search of cosets has come.
#[derive(Clone, Copy)]
pub struct CosetListener {
    /// How often.
    pub every: Duration,
    /// What it does then.
    pub hear: fn(&CosetProgress),
}

impl CosetListener {
    /// It does nothing.
    pub const NOBODY: CosetListener = CosetListener {
        every: Duration::MAX,
        hear: |_| {},
    };
}

/// A generator given by hand.
pub struct Given {
    /// As written.
    pub text: String,
    /// Where.
    pub span: Span,
    /// Which bearer goes where, by vertices of the structure.
    pub named: Vec<(u32, u32)>,
}

/// What `--detect` says.
pub struct Words<'a> {
    /// `structure`, `channel-diagram` or one of its variants, `kripke`, or a file of generators.
    pub place: Option<&'a str>,
    /// How many random conjugates are tried.
    pub n_conjugates: Option<usize>,
    /// Their seed.
    pub seed: Option<u64>,
    /// When to stop looking.
    pub clock: Clock<'static>,
    /// Who hears how far a search of cosets has come.
    pub listener: CosetListener,
}

/// The channel diagram of a name.
fn diagram_named(word: &str) -> Option<DiagramKind> {
    match word {
        "channel-diagram" => Some(DiagramKind::Static),
        "extended-diagram" => Some(DiagramKind::Extended),
        "dynamic-diagram" => Some(DiagramKind::Dynamic),
        "psi-diagram" => Some(DiagramKind::Psi),
        _ => None,
    }
}

/// Where symmetry is to be looked for, or `None` if `found` says why that cannot be. Only of
/// processes more is known than the structure of their text.
pub fn plan(
    words: &Words<'_>,
    machine: Option<&Machine>,
    sources: &mut Sources,
    found: &mut Diagnostics,
) -> Option<Detect> {
    let word = words.place.unwrap_or("structure");
    let diagram = diagram_named(word);
    if diagram.is_none() && words.n_conjugates.is_some() {
        let message = "`--conjugates` needs `--detect channel-diagram`";
        found.push(Diagnostic::unlocated(message));
        return None;
    }
    if let (Some(kind), Some(_)) = (diagram, machine) {
        return Some(Detect::Diagram(DiagramSearch {
            kind,
            listener: words.listener,
            n_conjugators: words.n_conjugates.unwrap_or(0),
            seed: words.seed.unwrap_or(0),
            clock: words.clock,
        }));
    }
    match (word, machine) {
        ("structure", _) | (_, None) => Some(Detect::Structure),
        ("kripke", _) => Some(Detect::Kripke(words.clock)),
        (path, Some(machine)) => in_file(path, machine, sources, found),
    }
}

/// The same for a model.
pub fn plan_of(
    words: &Words<'_>,
    model: &dyn Model,
    sources: &mut Sources,
    found: &mut Diagnostics,
) -> Option<Detect> {
    // A model of assertions has no subject of its own.
    if model.is_of_assertions() {
        return match words.place {
            None | Some("structure") => Some(Detect::Structure),
            Some(word) if word == "kripke" || diagram_named(word).is_some() => {
                let message = format!("`--detect {word}` is for models of processes");
                found
                    .push(Diagnostic::unlocated(message).note("a file of generators can be given"));
                None
            }
            Some(path) => {
                let source = read(path, sources, found)?;
                Some(Detect::OfAssertions(GivenText::new(source, sources)))
            }
        };
    }
    let subject = model.subject(&Purpose::Errors).ok();
    let machine = subject
        .as_deref()
        .and_then(|subject| match subject.shape() {
            Shape::Processes(machine) => Some(machine),
            Shape::Values { .. } | Shape::Opaque => None,
        });
    plan(words, machine, sources, found)
}

/// The generators in a file.
fn in_file(
    path: &str,
    machine: &Machine,
    sources: &mut Sources,
    found: &mut Diagnostics,
) -> Option<Detect> {
    let source = read(path, sources, found)?;
    let Some(symmetry) = reduce::processes::find(machine) else {
        found.push(Diagnostic::unlocated(
            "no symmetry is looked for: the model has a trace, or its start goes wrong",
        ));
        return None;
    };
    given::generators(&symmetry, source, sources, found).map(Detect::Given)
}

/// The text of a file of generators.
fn read(path: &str, sources: &mut Sources, found: &mut Diagnostics) -> Option<SourceId> {
    let is_known = Path::new(path).exists() || path == "-";
    let source = input::read(Path::new(path), sources).map_err(|why| {
        if is_known {
            why
        } else {
            why.note(
                "`--detect` takes structure, channel-diagram, extended-diagram, dynamic-diagram, \
                 psi-diagram, kripke, or a file of generators",
            )
        }
    });
    source.map_err(|why| found.push(why)).ok()
}

/// After so many tests the channel diagram is left as it is.
const N_TESTS_MAX: u64 = 1_000_000;

/// What was found.
pub struct Detected {
    /// The symmetry.
    pub found: Found,
    /// What the channel diagram gave, if that was looked at.
    pub by_diagram: Option<ByDiagram>,
    /// Generators that were given, or found, and are none.
    pub rejected: Vec<Rejected>,
    /// Whether there may be more symmetry than was looked for.
    pub is_partial: bool,
}

/// A generator that is none.
pub struct Rejected {
    /// Which, why, and the line of the model that says it.
    pub told: report::Rejected,
    /// Where, if somebody gave it.
    pub span: Option<Span>,
}

impl Rejected {
    /// The reason with its line.
    pub fn words(&self) -> String {
        rejection_words(&self.told)
    }
}

/// Why something is no symmetry, with the line that says it.
pub fn rejection_words(told: &report::Rejected) -> String {
    let report::Rejected { reason, line, .. } = told;
    let words = match line {
        None => reason.clone(),
        Some(line) => format!("line {line}: {reason}"),
    };
    match (&told.text, &told.image) {
        (Some(text), Some(image)) => {
            format!("{words}; there is `{text}`, and there would have to be `{image}`")
        }
        _ => words,
    }
}

impl Detected {
    /// The first generator that was given and is none, as a mistake.
    pub fn refusal(&self) -> Option<Diagnostic> {
        self.rejected.iter().find_map(|rejected| {
            let error = Diagnostic::error(rejected.span?, "this is no symmetry of the model");
            Some(error.note(rejected.words()))
        })
    }
}

/// Looks for the largest symmetry, that of the start or not; `None` as for [`detect`].
pub fn detect_largest(machine: &Machine, sends: Sends, clock: Clock<'static>) -> Option<Detected> {
    let find = |sends| reduce::processes::find_largest_if(machine, sends, clock);
    Some(of_structure(larger(sends, find)?))
}

/// Looks for symmetry in the structure of the text; `None` as for [`detect`].
pub fn detect_if(machine: &Machine, sends: Sends, clock: Clock<'static>) -> Option<Detected> {
    let find = |sends| reduce::processes::find_if(machine, sends, clock);
    Some(of_structure(larger(sends, find)?))
}

thread_local! {
    static N_LOOKS: Cell<usize> = const { Cell::new(0) };
}

/// How often symmetry was looked for on this thread, for tests.
pub fn n_looks() -> usize {
    N_LOOKS.get()
}

/// What rests on an assumption is used only if it gives more.
fn larger(sends: Sends, find: impl Fn(Sends) -> Option<Found>) -> Option<Found> {
    let find = |sends| {
        N_LOOKS.with(|n| n.set(n.get() + 1));
        find(sends)
    };
    let found = find(sends)?;
    // If no loop sends, nothing was assumed.
    if found.sorts.waits.is_empty() && found.sorts.exclusive.is_empty() {
        return Some(found);
    }
    let certain = find(Sends::Wait)?;
    let order = |found: &Found| found.certified.group().order();
    let pays = order(&found) > order(&certain);
    Some(if pays { found } else { certain })
}

fn of_structure(found: Found) -> Detected {
    Detected {
        rejected: not_certified(&found, &[]),
        found,
        by_diagram: None,
        is_partial: false,
    }
}

/// Looks for symmetry; `None` if the start of the model goes wrong, or it has a trace.
pub fn detect(plan: &Detect, machine: &Machine) -> Option<Detected> {
    let found = reduce::processes::find(machine)?;
    Some(match plan {
        Detect::Structure | Detect::Kripke(_) | Detect::OfAssertions(_) => of_structure(found),
        Detect::Diagram(search) => by_diagram(found, search, machine),
        Detect::Given(given) => by_hand(found, given),
    })
}

/// What certification refused; `given` are the generators that somebody gave, in order.
fn not_certified(found: &Found, given: &[&Given]) -> Vec<Rejected> {
    let names = Names::new(&found.sorts, &found.population);
    let Candidates {
        bearers,
        generators,
        ..
    } = &found.candidates;
    let rejected = found.certified.rejected().iter();
    rejected
        .map(|rejected| {
            let given = given.get(rejected.generator);
            let candidate = match given {
                Some(given) => given.text.clone(),
                None => names.cycles(bearers, &generators[rejected.generator]),
            };
            let sides = rejected.sides.clone();
            let sides = sides.map(|sides| (sides.text, sides.image));
            let told = report::Rejected::new(candidate, rejected.reason.clone(), rejected.line);
            Rejected {
                told: told.with_sides(sides),
                span: given.map(|given| given.span),
            }
        })
        .collect()
}

/// The diagram that is searched.
fn drawn(found: &Found, search: &DiagramSearch, machine: &Machine) -> Diagram {
    match search.kind {
        DiagramKind::Static => Diagram::new(found),
        DiagramKind::Extended => Diagram::extended(found),
        DiagramKind::Dynamic => Diagram::of_uses(found, &uses_of_runs(machine, search.clock)),
        DiagramKind::Psi => Diagram::new(found).without_arcs(),
    }
}

/// Who uses which channel in some run; what was seen of it until time was over. A channel of a step
/// within a move is read before the move and after it, and counts for both.
fn uses_of_runs(machine: &Machine, clock: Clock<'static>) -> ChannelUses {
    let mut uses = ChannelUses::default();
    let mut scratch = machine.scratch();
    let mut seen: HashSet<Vec<u8>> = HashSet::new();
    let mut waiting = Vec::new();
    machine.initial(&mut scratch, &mut |state| {
        waiting.extend(state.ok().map(<[u8]>::to_vec));
    });
    seen.extend(waiting.iter().cloned());
    let mut ticker = Ticker::new(clock, 256);
    while let Some(state) = waiting.pop() {
        if ticker.tick().is_err() {
            break;
        }
        machine.successors(&state, &mut scratch, &mut |mv| {
            for step in mv.steps {
                let ends = [Some(&state[..]), mv.state];
                for used in ends.into_iter().flatten() {
                    machine.channel_uses(used, *step, &mut |used| {
                        let all = match used.transfer {
                            Transfer::Send => &mut uses.sends,
                            Transfer::Receive => &mut uses.receives,
                        };
                        all.insert((used.process, used.channel));
                    });
                }
            }
            if let Some(next) = mv.state.filter(|next| !seen.contains(*next)) {
                seen.insert(next.to_vec());
                waiting.push(next.to_vec());
            }
            ControlFlow::Continue(())
        });
    }
    uses
}

fn by_diagram(found: Found, search: &DiagramSearch, machine: &Machine) -> Detected {
    let effort = Effort {
        n_tests_max: N_TESTS_MAX,
        n_conjugators: search.n_conjugators,
        seed: search.seed,
    };
    let diagram = drawn(&found, search, machine);
    let mut last = Instant::now();
    let mut tell = |progress: &CosetProgress| {
        if last.elapsed() >= search.listener.every {
            last = Instant::now();
            (search.listener.hear)(progress);
        }
    };
    let budget = Budget::until(search.clock);
    let by_diagram = ByDiagram {
        kind: search.kind,
        ..largest(&found, &diagram, &effort, (&budget, &mut tell))
    };
    let found = with_candidates(found, by_diagram.generators.clone());
    Detected {
        rejected: not_certified(&found, &[]),
        found,
        by_diagram: Some(by_diagram),
        is_partial: true,
    }
}

fn by_hand(found: Found, given: &[Given]) -> Detected {
    let (mut generators, mut kept) = (Vec::new(), Vec::new());
    let mut rejected = Vec::new();
    for given in given {
        match meant(&found, &given.named) {
            Some(generator) => {
                generators.push(generator);
                kept.push(given);
            }
            None => {
                let Blocker {
                    of, line, reason, ..
                } = objection(&found, &given.named);
                let reason = format!("{}: {reason}", of.join(" and "));
                let bearer = |x: u32| found.structure.bearers[x as usize];
                let moved = given.named.iter().map(|(x, y)| (bearer(*x), bearer(*y)));
                let moved: Vec<(Bearer, Bearer)> = moved.collect();
                let sides = sides(&found.sorts, &found.population, &moved, line);
                let sides = sides.map(|sides| (sides.text, sides.image));
                let told = report::Rejected::new(given.text.clone(), reason, line);
                rejected.push(Rejected {
                    told: told.with_sides(sides),
                    span: Some(given.span),
                });
            }
        }
    }
    let found = with_candidates(found, generators);
    rejected.extend(not_certified(&found, &kept));
    Detected {
        found,
        by_diagram: None,
        rejected,
        is_partial: true,
    }
}
