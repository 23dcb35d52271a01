//! `orbit symmetry` of a CSPM script: for each assertion the values that are interchangeable, why
//! they are, and what tells others apart.
//!
//! Symmetry is found as `orbit check` finds it: exchanges and turns of values are offered, and
//! certified on the network and the specification. Then the rules of algebra (`cspm::explain`) are
//! applied to the process as it is written, to say why.
//!
//! Worked example: `P(i) = in.i -> P(i)`, `SYSTEM = ||| i : {1..3} @ P(i)` and a specification that
//! names 1. The numbers in field 1 of `in` are a sort; (2 3) is left, row 9 shows it; 1 and 2 are
//! not interchangeable, because of the line of the specification that names 1.

mod mentions;
mod told;

use crate::answer::{Answer, Exit};
use crate::check_cmd::script::reducer::{LIMITS, allowed};
use crate::page::Page;
use crate::plan::{Asked, ScriptSymmetry};
use base::{Clock, Span, quote};
use check::refinement::normal::Normal;
use check::refinement::{self, Model};
use cspm::alike::{Alike, Family};
use cspm::ast::{Property, Semantics};
use cspm::compile::{Compiled, Compiler, called};
use cspm::eval::{Claimed, Fault, Script};
use cspm::explain::{self, Outcome, Step};
use cspm::operate::{Failure, Operator};
use cspm::process::{Term, TermId, Terms};
use group::{Group, Perm};
use mentions::Mentions;
use reduce::network::{Candidate, Certifier, Specification, Symmetry, certify};
use report::object::Symmetries;
use std::panic::resume_unwind;
use std::sync::PoisonError;
use std::time::Duration;
use told::{Apart, Generator, Rule, Sort, Told, Why};

/// How many operands within operands a process may have.
const DEPTH_MAX: usize = 100_000;
/// How many parts the rules of a network may have.
const PARTS_MAX: usize = 20_000_000;
/// How many states a specification may have.
const SPEC_STATES_MAX: u64 = 50_000_000;
/// The stack that scripts are worked on, and how many compressed processes fit into it.
const STACK_BYTES: usize = 1 << 28;
const NESTED_MAX: usize = 2_500;
/// How far derivations go.
const RULES: explain::Limits = explain::Limits {
    pairs_max: 50_000,
    depth_max: 4_000,
};
/// How many pairs of values of a sort are told apart: where some are alike, and where none are.
const N_APART_MAX: usize = 3;
const N_APART_OF_NONE_MAX: usize = 1;

/// The whole page.
pub fn page(plan: &ScriptSymmetry) -> Answer {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(STACK_BYTES);
        let thread = builder.spawn_scoped(scope, || answered(plan));
        match thread {
            Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            Err(_) => {
                let mut page = Page::new();
                let why = "there is no memory for a stack";
                page.row("group", &format!("unknown: {why}"));
                let mut told = Symmetries::new(report::Model::new(&plan.path, "cspm"));
                told.reason = Some(why.to_owned());
                Answer::told(Exit::Unknown, page, &told)
            }
        }
    })
}

fn answered(plan: &ScriptSymmetry) -> Answer {
    let mut page = Page::new();
    let mut script = plan.script.lock().unwrap_or_else(PoisonError::into_inner);
    let mut session = Session::new(plan, &mut script);
    let all: Vec<Told> = plan.asked.iter().map(|asked| session.told(asked)).collect();
    let n_events = session.script.n_events();
    let alike = Alike::new(session.script, n_events);
    let sorts = alike.families().iter().filter(|family| family.is_sort);
    let sorts = sorts.map(|family| {
        let lines = family.declared.iter();
        let mut lines: Vec<_> = lines.map(|span| session.mentions.line(*span)).collect();
        lines.dedup();
        Sort {
            name: family.name.clone(),
            members: family.members.clone(),
            lines,
        }
    });
    let mut object = Symmetries::new(report::Model::new(&plan.path, "cspm"));
    object.sorts = told::sorts(&sorts.collect::<Vec<_>>(), &mut page);
    object.properties = told::assertions(&all, &mut page);
    let is_open = all.iter().any(|told| told.open.is_some());
    let is_cut = is_open && session.is_stopped;
    let exit = if is_cut { Exit::Unknown } else { Exit::Holds };
    if is_cut {
        object.stop_reason = Some(report::answer::stop_word(plan.clock).to_owned());
    }
    Answer::told(exit, page, &object)
}

/// A script while its assertions are looked at.
struct Session<'p> {
    script: &'p mut Script,
    terms: Terms,
    compiler: Compiler,
    mentions: Mentions<'p>,
    clock: Clock<'static>,
    is_stopped: bool,
}

/// What an assertion is about.
struct Sides {
    process: (TermId, Compiled),
    spec: Option<(TermId, Normal)>,
}

/// A permutation that was offered, of which family.
struct Offered {
    family: usize,
    symmetry: Symmetry,
}

impl<'p> Session<'p> {
    fn new(plan: &'p ScriptSymmetry, script: &'p mut Script) -> Session<'p> {
        let mut operator = Operator::new(cspm::operate::Limits {
            states_max: plan.leaf_states_max,
            depth_max: DEPTH_MAX,
        });
        operator.set_clock(plan.clock);
        operator.set_nested_max(NESTED_MAX);
        operator.set_bytes_max(crate::amounts::free_memory().unwrap_or(u64::MAX));
        script.set_clock(plan.clock);
        Session {
            script,
            terms: Terms::default(),
            compiler: Compiler::new(operator, PARTS_MAX),
            mentions: Mentions::new(&plan.ast, &plan.sources, plan.main),
            clock: plan.clock,
            is_stopped: false,
        }
    }

    /// What is known of an assertion.
    fn told(&mut self, asked: &Asked) -> Told {
        let mut told = Told {
            number: asked.index + 1,
            text: asked.text.clone(),
            line: asked.line,
            open: None,
            order: "1".to_owned(),
            structure: "trivial".to_owned(),
            generators: Vec::new(),
            still: Vec::new(),
            apart: Vec::new(),
        };
        match self.sides(asked.index) {
            Ok(sides) => self.look(&sides, asked.span, &mut told),
            Err(why) => told.open = Some(why),
        }
        told
    }

    /// The processes of an assertion, compiled.
    fn sides(&mut self, index: usize) -> Result<Sides, String> {
        let assertion = self.script.assertion(index, &mut self.terms);
        let assertion = assertion.map_err(|fault| fault.diagnostic().message)?;
        let (spec, process) = match assertion.claim {
            Claimed::Refines {
                spec,
                implementation,
                model,
            } => {
                let model = match model {
                    Semantics::Traces => Model::Traces,
                    Semantics::Failures => Model::Failures,
                    Semantics::FailuresDivergences => Model::FailuresDivergences,
                    _ => return Err("the model is not supported".to_owned()),
                };
                (Some((spec, model)), implementation)
            }
            Claimed::Has {
                process, property, ..
            } if property != Property::Deterministic => (None, process),
            Claimed::Has { .. } | Claimed::HasTrace { .. } => {
                return Err("assertions of this kind are checked without symmetry".to_owned());
            }
            Claimed::Truth(_) => return Err("it is about no process".to_owned()),
        };
        let spec = match spec {
            None => None,
            Some((spec, model)) => {
                let compiled = self.compile(spec)?;
                let limits = self.limits();
                let normal = refinement::normalise(&compiled.network, model, limits);
                Some((spec, normal.map_err(|unknown| unknown.to_string())?))
            }
        };
        let compiled = self.compile(process)?;
        Ok(Sides {
            process: (process, compiled),
            spec,
        })
    }

    fn limits(&self) -> refinement::Limits<'static> {
        refinement::Limits {
            spec_states_max: SPEC_STATES_MAX,
            pairs_max: None,
            depth_max: None,
            memory_bytes_max: crate::amounts::free_memory(),
            clock: self.clock,
            progress_every: Duration::from_secs(1),
        }
    }

    fn compile(&mut self, process: TermId) -> Result<Compiled, String> {
        let compiled = self.compiler.compile(process, &mut self.terms, self.script);
        compiled.map_err(|failure| self.failure(&failure))
    }

    /// Why a process could not be compiled.
    fn failure(&mut self, failure: &Failure<Box<Fault>>) -> String {
        let leaf = self.compiler.exploring();
        let leaf = leaf.map(|term| quote(&called(term, &self.terms, self.script)));
        let leaf = leaf.unwrap_or_else(|| "a process".to_owned());
        match failure {
            Failure::Evaluate(fault) => fault.diagnostic().message,
            Failure::Unguarded(later) => {
                let name = quote(&self.script.later_name(*later, &self.terms));
                format!("the first events of {name} depend on themselves")
            }
            Failure::Deep { depth_max, .. } => {
                let n = report::words::grouped(*depth_max as u64);
                format!("{leaf} has more than {n} operators within each other")
            }
            Failure::States { states_max, .. } => {
                let n = report::words::counted(*states_max as u64, "state");
                format!("{leaf} has more than {n}; `--leaf-states N` allows more")
            }
            Failure::Memory { .. } => {
                format!("the states of {leaf} take more memory than there is")
            }
            Failure::Stopped => {
                self.is_stopped = true;
                "a limit came first".to_owned()
            }
        }
    }

    /// Finds the group of an assertion, explains it, and what is not in it.
    fn look(&mut self, sides: &Sides, place: Span, told: &mut Told) {
        let network = &sides.process.1.network;
        let alike = Alike::new(self.script, network.names().len());
        let families = alike.families().to_vec();
        let certifier = Certifier::new(network);
        let (offered, _) = with_spec(sides, |spec| allowed(&certifier, &alike, spec));
        let offered = offered.into_iter();
        let offered = offered.map(|(family, symmetry)| Offered { family, symmetry });
        let (shared, still) = shared(sides, &certifier, offered.collect(), told);
        let still = still.iter().map(|offered| {
            let (name, family) = (offered.symmetry.name(), &families[offered.family].name);
            format!("{name} in {family}")
        });
        told.still = still.collect();
        for offered in generating(&shared) {
            let events = offered.symmetry.events();
            let mut why = vec![Why {
                of: "process",
                derivation: self.derivation(sides.process.0, events),
            }];
            why.extend(sides.spec.as_ref().map(|(spec, _)| Why {
                of: "specification",
                derivation: self.derivation(*spec, events),
            }));
            told.generators.push(Generator {
                name: offered.symmetry.name().to_owned(),
                sort: families[offered.family].name.clone(),
                why,
            });
        }
        for family in families.iter().filter(|family| family.is_sort) {
            self.apart(sides, family, (&shared, place), told);
        }
    }

    /// The rules that show a symmetry, or why none do.
    fn derivation(&mut self, process: TermId, events: &[u32]) -> Result<Vec<Rule>, String> {
        let found = explain::derive(process, events, RULES, &mut self.terms, self.script);
        match found {
            Ok(Outcome::Derived(steps)) => Ok(steps.iter().map(|step| self.rule(step)).collect()),
            Ok(Outcome::Stuck(obstacle)) => Err(match obstacle.within {
                Some((from, to)) => {
                    let [from, to] = [from, to].map(|term| self.name(term));
                    format!("{from} does not become {to}: {}", obstacle.words)
                }
                None => obstacle.words,
            }),
            Ok(Outcome::Long) => Err("it would take too many".to_owned()),
            Err(fault) => Err(fault.diagnostic().message),
        }
    }

    fn rule(&self, step: &Step) -> Rule {
        let becomes = (step.to != step.from).then(|| self.name(step.to));
        let process = self.name(step.from);
        Rule {
            depth: step.depth,
            rule: step.rule.name(),
            becomes: becomes.filter(|becomes| *becomes != process),
            process,
            condition: step.condition.clone(),
        }
    }

    fn name(&self, term: TermId) -> String {
        called(term, &self.terms, self.script)
    }

    /// What tells members of a sort apart: the first, and one of each other class.
    fn apart(
        &mut self,
        sides: &Sides,
        family: &Family,
        (shared, place): (&[Offered], Span),
        told: &mut Told,
    ) {
        let classes = classes(family, shared);
        let n_max = if classes.iter().any(|class| class.len() > 1) {
            N_APART_MAX
        } else {
            N_APART_OF_NONE_MAX
        };
        for class in classes.iter().skip(1).take(n_max) {
            let of = [classes[0][0].clone(), class[0].clone()];
            let name = format!("({} {})", of[0], of[1]);
            let n_events = sides.process.1.network.names().len();
            let alike = Alike::new(self.script, n_events);
            let exchange = alike.exchange_of(family, [&of[0], &of[1]]);
            let mut starts = Vec::new();
            let reason = match exchange {
                None => "events with them exchanged are not all events of the process".to_owned(),
                Some((_, events)) => {
                    let sides_of = [Some(sides.process.0), sides.spec.as_ref().map(|s| s.0)];
                    for process in sides_of.into_iter().flatten() {
                        starts.extend(self.differing(process, &events));
                    }
                    match refused(sides, (name, &events)) {
                        Some(reason) => reason,
                        // A symmetry that moves no state, or one that was not looked for.
                        None => continue,
                    }
                }
            };
            starts.push(place);
            let values = [&*of[0], &*of[1]];
            told.apart.push(Apart {
                mention: self.mentions.of(&values, &starts),
                sort: family.name.clone(),
                reason,
                of,
            });
        }
    }

    /// Where two definitions differ that would have to be alike.
    fn differing(&mut self, process: TermId, events: &[u32]) -> Option<Span> {
        let found = explain::derive(process, events, RULES, &mut self.terms, self.script);
        let Ok(Outcome::Stuck(obstacle)) = found else {
            return None;
        };
        match self.terms.get(obstacle.within?.0) {
            Term::Later(later) => self.script.later_span(*later),
            _ => None,
        }
    }
}

/// What the specification shares of what was offered: what moves states, and what moves none. The
/// group goes into `told`.
fn shared(
    sides: &Sides,
    certifier: &Certifier<'_>,
    offered: Vec<Offered>,
    told: &mut Told,
) -> (Vec<Offered>, Vec<Offered>) {
    if offered.is_empty() {
        return (offered, Vec::new());
    }
    // Names may occur twice; numbers do not.
    let numbered = offered.iter().enumerate();
    let numbered = numbered.map(|(i, offered)| offered.symmetry.clone().called(i.to_string()));
    let certified = certifier.certified(numbered.collect());
    let joint = with_spec(sides, |spec| certified.against(spec));
    let (chosen, _) = joint.choose(LIMITS);
    told.order = chosen.order();
    let names = joint.names();
    let shared = offered.into_iter().enumerate();
    let (shared, others): (Vec<_>, Vec<_>) =
        shared.partition(|(i, _)| names.contains(&i.to_string()));
    let shared: Vec<Offered> = shared.into_iter().map(|(_, offered)| offered).collect();
    // What is neither used nor refused is a symmetry, and moves no state.
    let is_refused = |i: &usize| joint.refused().iter().any(|r| r.name == i.to_string());
    let still = others.into_iter().filter(|(i, _)| !is_refused(i));
    let still: Vec<Offered> = still.map(|(_, offered)| offered).collect();
    let group = group_of(&shared);
    told.structure = if group.order().to_string() == told.order {
        group::shape::name::describe(&group).to_string()
    } else {
        "a group".to_owned()
    };
    (shared, still)
}

fn with_spec<T>(sides: &Sides, work: impl FnOnce(Specification<'_>) -> T) -> T {
    match &sides.spec {
        Some((_, normal)) => work(Specification::Chart(&normal.chart())),
        None => work(refinement::freedom()),
    }
}

/// Why an exchange is no symmetry, if it is none.
fn refused(sides: &Sides, (name, events): (String, &[u32])) -> Option<String> {
    let candidate = Candidate {
        name,
        events: events.to_vec(),
    };
    let certified = certify(&sides.process.1.network, &[candidate]);
    let joint = with_spec(sides, |spec| certified.against(spec));
    joint
        .refused()
        .first()
        .map(|refused| refused.reason.clone())
}

/// The group that permutations of events generate.
fn group_of(shared: &[Offered]) -> Group {
    let degree = shared.first().map_or(0, |one| one.symmetry.events().len());
    let perms = shared.iter();
    let perms = perms.map(|one| Perm::from_bijection(one.symmetry.events().to_vec()));
    Group::new(degree, perms.collect())
}

/// Some of the permutations that generate the same group.
fn generating(shared: &[Offered]) -> Vec<&Offered> {
    let mut chosen: Vec<&Offered> = Vec::new();
    let mut group: Option<Group> = None;
    for one in shared {
        let perm = Perm::from_bijection(one.symmetry.events().to_vec());
        if group.as_ref().is_some_and(|group| group.contains(&perm)) {
            continue;
        }
        chosen.push(one);
        let perms = chosen.iter();
        let perms = perms.map(|one| Perm::from_bijection(one.symmetry.events().to_vec()));
        group = Some(Group::new(one.symmetry.events().len(), perms.collect()));
    }
    chosen
}

/// The members of a sort, those together that permutations lead to each other.
fn classes(family: &Family, shared: &[Offered]) -> Vec<Vec<String>> {
    let mut classes: Vec<Vec<String>> = (family.members.iter())
        .map(|member| vec![member.clone()])
        .collect();
    for offered in shared {
        let cycles = offered.symmetry.name().split(['(', ')']);
        for cycle in cycles.filter(|cycle| !cycle.is_empty()) {
            let names: Vec<&str> = cycle.split(' ').collect();
            let is_in = |class: &Vec<String>| class.iter().any(|m| names.contains(&&**m));
            let (joined, others): (Vec<_>, Vec<_>) = classes.into_iter().partition(is_in);
            let at = others.len();
            classes = others;
            let joined: Vec<String> = joined.into_iter().flatten().collect();
            if !joined.is_empty() {
                classes.insert(at, joined);
            }
        }
    }
    let order = |name: &String| family.members.iter().position(|member| member == name);
    for class in &mut classes {
        class.sort_by_key(order);
    }
    classes.sort_by_key(|class| order(&class[0]));
    classes
}
