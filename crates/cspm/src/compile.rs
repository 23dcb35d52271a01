//! From a process term to a network: the parallel operators, hiding and renaming at the top of the
//! term become the operators of the network, and each process below them a leaf, explored.
//!
//! ```text
//! (P ||| Q) \ {a}        Hide{a}(Interleave(leaf P, leaf Q)): two leaves
//! (P ||| Q) ; R          one leaf: `;` starts R where P and Q have ended, so that the number of
//!                        components would change on the way
//! normal(P ||| Q) ||| R  two leaves: the compressed process is one
//! ```
//!
//! A leaf is explored in full, made smaller by strong bisimulation (or weak, if that is asked for:
//! operators of networks keep it), and kept: the same process in another place, or in another
//! assertion, is not explored again. What follows ✓ is nothing to a network, so states that only ✓
//! leads to are left out.
//!
//! The top part is found first and may be infinite (`P(n) = Q ||| P(n + 1)`). When it grows beyond
//! a bound the whole term is taken as one leaf, whose exploration says what is wrong with it.
//!
//! Moffat, Goldsmith and Roscoe (2008) call the result a structured machine; FDR compiles to the
//! same shape.

use std::collections::HashMap;
use std::sync::Arc;

use crate::compress;
use crate::leaf::{self, Lts};
use crate::operate::{self, Operator, StepFailure};
use crate::process::{Event, LaterId, SetId, Term, TermId, Terms, Unfold};
use model::network::{Bisimulation, Label, Leaf, Network, Tree};

/// How many operators and leaves the top part of a term may have.
const NODES_MAX: usize = 100_000;
/// How many operators within operators.
const LEVELS_MAX: usize = 200;

/// A script as far as it is needed here: what its names are.
pub trait ScriptNames: Unfold {
    /// How a suspended process of `terms` is called.
    fn process(&self, later: LaterId, terms: &Terms) -> String;

    /// How an event is called.
    fn event(&self, event: Event) -> String;

    /// How many events there are so far.
    fn n_events(&self) -> usize;
}

/// A process as a network, with what is known of its parts.
#[derive(Clone, Debug)]
pub struct CompiledProcess {
    /// The network.
    pub network: Network,
    /// Its leaves, in order.
    pub components: Vec<Arc<CompiledLeaf>>,
}

/// A leaf of a network, and what its states were.
#[derive(Debug)]
pub struct CompiledLeaf {
    /// The process.
    pub term: TermId,
    /// Its states, for networks.
    pub leaf: Arc<Leaf>,
    /// A term that each state stands for, among others perhaps.
    pub origin: Vec<TermId>,
}

/// Compiles processes of one table of terms, and remembers their leaves.
#[derive(Debug)]
pub struct Compiler {
    operator: Operator,
    components: HashMap<TermId, Arc<CompiledLeaf>>,
    names: Vec<Arc<str>>,
    parts_max: usize,
    up_to: Bisimulation,
    exploring: Option<TermId>,
}

/// The top part of a term; leaves are terms yet.
#[derive(Debug)]
enum TopPart {
    Leaf(TermId),
    Parallel(SetId, Vec<TopPart>),
    Alphabetised(Vec<(SetId, TopPart)>),
    Hide(SetId, Box<TopPart>),
    Rename(Arc<[(Event, Event)]>, Box<TopPart>),
}

impl Compiler {
    /// One that knows nothing yet. A network has no rules if they would have more parts than so
    /// many.
    pub fn new(operator: Operator, parts_max: usize) -> Compiler {
        Compiler {
            operator,
            components: HashMap::new(),
            names: Vec::new(),
            parts_max,
            up_to: Bisimulation::Strong,
            exploring: None,
        }
    }

    /// Says up to what leaves are the same, before the first is compiled.
    pub fn set_up_to(&mut self, up_to: Bisimulation) {
        debug_assert!(self.components.is_empty());
        self.up_to = up_to;
    }

    /// The network of `root`.
    ///
    /// # Requires
    /// The same `terms` and `script` in all calls.
    pub fn compile<S: ScriptNames>(
        &mut self,
        root: TermId,
        terms: &mut Terms,
        script: &mut S,
    ) -> Result<CompiledProcess, StepFailure<S::Error>> {
        self.exploring = Some(root);
        let mut n_left = NODES_MAX;
        let top = self.top(root, LEVELS_MAX, &mut n_left, terms, script)?;
        let top = top.unwrap_or(TopPart::Leaf(root));
        let mut components = Vec::new();
        let tree = self.tree(&top, &mut components, terms, script)?;
        let n_known = self.names.len();
        let new = (n_known..script.n_events()).map(|e| script.event(Event::new(e)).into());
        self.names.extend(new);
        let leaves = components.iter().map(|part| part.leaf.clone()).collect();
        let mut allowance = self.operator.allowance();
        let names = self.names.clone().into();
        let network = Network::within(names, leaves, tree, self.parts_max, &mut allowance);
        let network = network.map_err(|spent| self.operator.spent(spent))?;
        Ok(CompiledProcess {
            network,
            components,
        })
    }

    /// The process that was explored last, or is being explored: the one that a failure is about.
    pub fn exploring(&self) -> Option<TermId> {
        self.exploring
    }

    /// What was found out about processes.
    pub fn explored(&self) -> &Operator {
        &self.operator
    }

    /// Finds the steps of processes.
    pub fn operator(&mut self) -> &mut Operator {
        &mut self.operator
    }

    /// The top part of a term with so many levels; nothing if it is too large.
    fn top<S: ScriptNames>(
        &mut self,
        term: TermId,
        n_levels: usize,
        n_left: &mut usize,
        terms: &mut Terms,
        script: &mut S,
    ) -> Result<Option<TopPart>, StepFailure<S::Error>> {
        if n_levels == 0 || *n_left == 0 {
            return Ok(None);
        }
        *n_left -= 1;
        let behind = match self.operator.resolve(term, terms, script) {
            Ok(behind) => behind,
            // Its exploration tells where the mistake is.
            Err(StepFailure::Unguarded(_) | StepFailure::Deep { .. }) => {
                return Ok(Some(TopPart::Leaf(term)));
            }
            Err(failure) => return Err(failure),
        };
        let mut operand =
            |term, terms: &mut Terms| self.top(term, n_levels - 1, n_left, terms, script);
        let top = match terms.get(behind).clone() {
            Term::Parallel(set, all) if !all.is_empty() => {
                let mut children = Vec::with_capacity(all.len());
                for &term in all.iter() {
                    let Some(child) = operand(term, terms)? else {
                        return Ok(None);
                    };
                    children.push(child);
                }
                TopPart::Parallel(set, children)
            }
            Term::Alphabetised(all) if !all.is_empty() => {
                let mut children = Vec::with_capacity(all.len());
                for &(set, term) in all.iter() {
                    let Some(child) = operand(term, terms)? else {
                        return Ok(None);
                    };
                    children.push((set, child));
                }
                TopPart::Alphabetised(children)
            }
            Term::Hide(p, set) => match operand(p, terms)? {
                Some(child) => TopPart::Hide(set, Box::new(child)),
                None => return Ok(None),
            },
            Term::Rename(p, relation) => match operand(p, terms)? {
                Some(child) => TopPart::Rename(terms.pairs(relation).clone(), Box::new(child)),
                None => return Ok(None),
            },
            _ => TopPart::Leaf(term),
        };
        Ok(Some(top))
    }

    /// The operators of a network for a top part; its leaves are added to `components`.
    fn tree<S: ScriptNames>(
        &mut self,
        top: &TopPart,
        components: &mut Vec<Arc<CompiledLeaf>>,
        terms: &mut Terms,
        script: &mut S,
    ) -> Result<Tree, StepFailure<S::Error>> {
        Ok(match top {
            TopPart::Leaf(term) => {
                components.push(self.component(*term, terms, script)?);
                Tree::Leaf(components.len() - 1)
            }
            TopPart::Parallel(set, children) => {
                let mut trees = Vec::with_capacity(children.len());
                for child in children {
                    trees.push(self.tree(child, components, terms, script)?);
                }
                Tree::Parallel(events(terms, *set), trees)
            }
            TopPart::Alphabetised(children) => {
                let mut trees = Vec::with_capacity(children.len());
                for (set, child) in children {
                    let tree = self.tree(child, components, terms, script)?;
                    trees.push((events(terms, *set), tree));
                }
                Tree::Alphabetised(trees)
            }
            TopPart::Hide(set, child) => {
                let tree = self.tree(child, components, terms, script)?;
                Tree::Hide(events(terms, *set), Box::new(tree))
            }
            TopPart::Rename(pairs, child) => {
                let tree = self.tree(child, components, terms, script)?;
                let pairs = pairs.iter().map(|&(old, new)| (number(old), number(new)));
                Tree::Rename(pairs.collect(), Box::new(tree))
            }
        })
    }

    /// The leaf of a process.
    fn component<S: ScriptNames>(
        &mut self,
        term: TermId,
        terms: &mut Terms,
        script: &mut S,
    ) -> Result<Arc<CompiledLeaf>, StepFailure<S::Error>> {
        if let Some(known) = self.components.get(&term) {
            return Ok(known.clone());
        }
        self.exploring = Some(term);
        let explored = leaf::explore(term, &mut self.operator, terms, script)?;
        let allowance = &mut self.operator.allowance();
        let small = match self.up_to {
            Bisimulation::Strong => compress::strong(&explored.lts, allowance),
            Bisimulation::Weak => compress::least(&explored.lts, allowance),
        };
        let small = small.map_err(|spent| self.operator.spent(spent))?;
        let (edges, order) = without_ends(&small.lts);
        let name = called(term, terms, script);
        let origin = order.iter().map(|&state| {
            let old = small.origin[state as usize];
            explored.terms[old as usize]
        });
        let component = Arc::new(CompiledLeaf {
            term,
            leaf: Arc::new(Leaf::new(name.into(), 0, &edges)),
            origin: origin.collect(),
        });
        self.components.insert(term, component.clone());
        Ok(component)
    }
}

/// How a process is called in messages.
pub fn called<S: ScriptNames>(term: TermId, terms: &Terms, script: &S) -> String {
    called_within(term, NAME_LEVELS, terms, script)
}

/// How many operators within operators a name shows.
const NAME_LEVELS: usize = 4;

fn called_within<S: ScriptNames>(
    term: TermId,
    n_levels: usize,
    terms: &Terms,
    script: &S,
) -> String {
    if n_levels == 0 {
        return "…".into();
    }
    let inner = |p: &TermId| called_within(*p, n_levels - 1, terms, script);
    match terms.get(term) {
        Term::Later(later) => script.process(*later, terms),
        Term::Stop => "STOP".into(),
        Term::Skip => "SKIP".into(),
        Term::Done => "ended".into(),
        Term::Div => "DIV".into(),
        Term::Chaos(_) => "CHAOS".into(),
        Term::Run(_) => "RUN".into(),
        Term::Compressed(_, p) => inner(p),
        Term::Hide(p, _) => format!("{} \\ …", inner(p)),
        Term::Rename(p, _) => format!("{} [[…]]", inner(p)),
        Term::Then(p, q) => format!("{} ; {}", inner(p), inner(q)),
        Term::Interrupt(p, q) => format!("{} /\\ {}", inner(p), inner(q)),
        Term::Slide(p, q) => format!("{} [> {}", inner(p), inner(q)),
        Term::Exception(p, _, q) => format!("{} [|…|> {}", inner(p), inner(q)),
        Term::External(all) => row(all, "[]", &inner),
        Term::Internal(all) => row(all, "|~|", &inner),
        Term::Parallel(set, all) if terms.events(*set).is_empty() => row(all, "|||", &inner),
        Term::Parallel(_, all) => row(all, "||", &inner),
        Term::Alphabetised(all) => {
            let all: Vec<TermId> = all.iter().map(|part| part.1).collect();
            row(&all, "||", &inner)
        }
        Term::Prefix(branches) => match branches.first() {
            Some((event, _)) => format!("{} -> …", script.event(*event)),
            None => "STOP".into(),
        },
        _ => format!("process {}", term.index()),
    }
}

/// The first two of some processes with an operator between them.
fn row(all: &[TermId], operator: &str, inner: &dyn Fn(&TermId) -> String) -> String {
    let shown: Vec<String> = all.iter().take(2).map(inner).collect();
    let rest = if all.len() > 2 { " …" } else { "" };
    shown.join(&format!(" {operator} ")) + rest
}

fn number(event: Event) -> u32 {
    event.index() as u32
}

fn events(terms: &Terms, set: SetId) -> Arc<[u32]> {
    terms.events(set).iter().copied().map(number).collect()
}

/// The steps of the states that can be reached before ✓, renumbered; and which each was.
fn without_ends(lts: &Lts) -> (Vec<Vec<(Label, u32)>>, Vec<u32>) {
    let mut numbers = vec![u32::MAX; lts.n_states()];
    numbers[0] = 0;
    let mut order = vec![0];
    let mut edges = Vec::new();
    let mut at = 0;
    while let Some(&state) = order.get(at) {
        at += 1;
        let mut steps = Vec::new();
        for &(label, next) in lts.steps(state) {
            let label = match label {
                operate::TermLabel::Tau => Label::TAU,
                operate::TermLabel::Event(event) => Label::event(number(event)),
                operate::TermLabel::Tick => {
                    steps.push((Label::TICK, 0));
                    continue;
                }
            };
            if numbers[next as usize] == u32::MAX {
                numbers[next as usize] = order.len() as u32;
                order.push(next);
            }
            steps.push((label, numbers[next as usize]));
        }
        edges.push(steps);
    }
    (edges, order)
}
