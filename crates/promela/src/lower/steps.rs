//! From a table to the locations and steps of a process type.
//!
//! Kept are the locations that the start leads to, then those of statements that are written but
//! cannot be reached: a report of what was never executed must name them. Locations are in the
//! order of their numbers, which are those of SPIN (`pc_value`).
//!
//! **Deterministic blocks.** A `d_step` is one step. Its statements are locations of the same
//! process type, which nobody ever rests at: [`DStepBodies`] follows them as the verifier runs
//! them, options in order, `else` always possible because it is last. The first statement of the
//! block decides whether it can be entered.
//!
//! ```text
//! d_step { if :: x > 0 -> y = 1 :: else fi; x = 0 }      location 5: d_step 2..8 → 8
//!    location 2: test x > 0 → 1; skip → 6    location 1: y = 1 → 6    location 6: x = 0 → 8
//! ```

use super::Lower;
use super::flow::{FlowGraph, JumpTarget, LabelMarks, NodeId, NodeKind};
use super::table::{StepTable, TableStep};
use crate::typed::{LabelId, Process, ProcessKind};
use model::processes::program::{Action, Join, Location, LocationId, Step, StepId};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The locations of a process type, and how they are numbered.
pub(super) struct ProcessSteps {
    pub locations: Vec<Location>,
    pub start: LocationId,
    /// The location of each number that has one.
    pub at: HashMap<u32, LocationId>,
    /// A jump inside a `d_step` that leads round in a circle.
    pub circle: Option<NodeId>,
}

/// Turns a table into steps of the model.
pub(super) fn steps(
    lower: &mut Lower,
    process: &Process,
    flow: &FlowGraph,
    table: &StepTable,
) -> ProcessSteps {
    let kept = kept(lower, flow, table);
    let mut program = DStepBodies {
        flow,
        inner: BTreeMap::new(),
        entries: HashMap::new(),
        circle: None,
    };
    for number in &kept {
        for entry in table.steps(*number) {
            if let NodeKind::DStep(_) = flow.node(entry.node).kind {
                program.follow(entry.node, entry.target);
            }
        }
    }
    let numbers = kept.iter().chain(program.inner.keys());
    let mut numbers: Vec<u32> = numbers.copied().collect();
    numbers.sort_unstable();
    numbers.dedup();
    let ids = numbers.iter().enumerate();
    let at: HashMap<u32, LocationId> = ids.map(|(i, n)| (*n, LocationId::new(i))).collect();
    let mut out = Assembler {
        lower,
        labels: labels(process, flow),
        flow,
        program: &program,
        at: &at,
        alone: process.kind == ProcessKind::Deterministic,
    };
    let locations = numbers.iter().map(|n| out.location(*n, table)).collect();
    let compound = numbers
        .iter()
        .map(|n| super::origins::is_compound(flow, *n));
    lower.origins.compound.push(compound.collect());
    ProcessSteps {
        locations,
        start: at[&table.start],
        at,
        circle: program.circle,
    }
}

/// The numbers that are locations.
fn kept(lower: &Lower, flow: &FlowGraph, table: &StepTable) -> BTreeSet<u32> {
    let mut kept = BTreeSet::new();
    let mut seen: HashSet<NodeId> = HashSet::new();
    let mut reach = |from: u32, seen: &mut HashSet<NodeId>| {
        let mut waiting = vec![from];
        while let Some(number) = waiting.pop() {
            if number != 0 && kept.insert(number) {
                waiting.extend(table.steps(number).iter().map(|s| s.target));
                seen.extend(table.steps(number).iter().map(|s| s.node));
            }
        }
    };
    reach(table.start, &mut seen);
    for number in 1..=flow.nodes.len() as u32 {
        let new = |s: &TableStep| {
            let node = flow.node(s.node);
            let written = lower.sites.all[node.site.index()].written;
            // A jump that is followed while lowering is executed although nobody rests at it.
            written && !seen.contains(&s.node) && !matches!(node.kind, NodeKind::Jump(_))
        };
        if table.steps(number).iter().any(new) {
            reach(number, &mut seen);
        }
    }
    kept
}

/// A step inside a `d_step`.
#[derive(Clone)]
struct InnerStep {
    node: NodeId,
    /// The number it leads to.
    target: u32,
    action: Option<Action>,
}

/// The insides of the `d_step`s of a process.
struct DStepBodies<'a> {
    flow: &'a FlowGraph,
    /// The steps at each number.
    inner: BTreeMap<u32, Vec<InnerStep>>,
    /// Where each `d_step` starts; `None` if there is nothing in it.
    entries: HashMap<NodeId, Option<u32>>,
    circle: Option<NodeId>,
}

impl DStepBodies<'_> {
    /// Follows the statements of a `d_step` that leads to `exit`.
    fn follow(&mut self, node: NodeId, exit: u32) {
        let NodeKind::DStep(chain) = self.flow.node(node).kind else {
            return;
        };
        if self.entries.contains_key(&node) {
            return;
        }
        let first = self.resolve(Some(self.flow.first(chain)));
        self.entries
            .insert(node, first.map(|id| self.flow.node(id).number));
        let mut waiting: Vec<NodeId> = first.into_iter().collect();
        while let Some(id) = waiting.pop() {
            let number = self.flow.node(id).number;
            if self.inner.contains_key(&number) {
                continue;
            }
            let mut steps = Vec::new();
            match self.flow.node(id).kind {
                // Alone at the start it looks at what is beside the block.
                NodeKind::Else if Some(id) == first => {
                    let next = self.resolve(self.flow.node(id).next);
                    steps.push((id, Some(Action::Else), next));
                }
                _ => self.option(id, &mut steps),
            }
            let mut inner = Vec::new();
            for (node, action, next) in steps {
                waiting.extend(next);
                let target = next.map_or(exit, |n| self.flow.node(n).number);
                inner.push(InnerStep {
                    node,
                    target,
                    action,
                });
            }
            self.inner.insert(number, inner);
        }
    }

    /// The statement that control comes to next; `None` outside of the block.
    fn resolve(&mut self, from: Option<NodeId>) -> Option<NodeId> {
        let mut at = from;
        for _ in 0..=2 * self.flow.nodes.len() {
            let id = at?;
            let node = self.flow.node(id);
            if !node.d_step {
                return None;
            }
            at = match &node.kind {
                NodeKind::Jump(mark) => self.flow.target(*mark),
                NodeKind::Join | NodeKind::Exit => node.next,
                NodeKind::Block(inner) | NodeKind::Unless(inner, _) => {
                    Some(self.flow.first(*inner))
                }
                _ => return Some(id),
            };
        }
        self.circle = from;
        None
    }

    /// The steps that an option which begins with this node begins with.
    fn option(&mut self, id: NodeId, out: &mut Vec<(NodeId, Option<Action>, Option<NodeId>)>) {
        let node = self.flow.node(id);
        match &node.kind {
            NodeKind::Choice(options) | NodeKind::Loop(options) => {
                // As outside of `d_step` those that begin with `false` are left out.
                for option in options {
                    let first = self.flow.first(*option);
                    if !matches!(self.flow.node(first).kind, NodeKind::False) {
                        self.option(first, out);
                    }
                }
            }
            NodeKind::Block(inner) | NodeKind::Unless(inner, _) => {
                self.option(self.flow.first(*inner), out);
            }
            NodeKind::Join if node.next.is_some_and(|n| self.flow.node(n).d_step) => {
                self.option(node.next.expect("just seen"), out);
            }
            NodeKind::Jump(_) | NodeKind::Exit | NodeKind::Join => {
                let next = self.resolve(Some(id));
                out.push((id, Some(Action::Skip), next));
            }
            NodeKind::Else => {
                let next = self.resolve(node.next);
                out.push((id, Some(Action::Skip), next));
            }
            _ => {
                let next = self.resolve(node.next);
                out.push((id, None, next));
            }
        }
    }
}

struct Assembler<'l, 'a, 'f> {
    lower: &'l mut Lower<'a>,
    labels: HashMap<u32, Vec<String>>,
    flow: &'f FlowGraph,
    program: &'f DStepBodies<'f>,
    at: &'f HashMap<u32, LocationId>,
    /// Whether the process is said to be deterministic.
    alone: bool,
}

impl Assembler<'_, '_, '_> {
    fn location(&mut self, number: u32, table: &StepTable) -> Location {
        let mut steps = Vec::new();
        let mut marks = LabelMarks::default();
        if let Some(inner) = self.program.inner.get(&number) {
            for step in inner.clone() {
                let action = step.action.unwrap_or_else(|| self.action(step.node, None));
                steps.push(self.step(step.node, action, (step.target, number), true));
            }
        } else {
            marks = table.marks[number as usize];
            let (mut rank, mut escape) = (0, 0);
            for entry in table.steps(number) {
                if entry.escape != escape {
                    escape = entry.escape;
                    rank += 1;
                }
                let action = self.action(entry.node, Some(entry.target));
                let id = self.step(entry.node, action, (entry.target, number), entry.keeps);
                if escape != 0 {
                    self.lower.steps[id.index()].rank = rank;
                }
                steps.push(id);
            }
        }
        Location {
            steps,
            end: marks.end,
            progress: marks.progress,
            accept: marks.accept,
            number,
            labels: self.labels.remove(&number).unwrap_or_default(),
        }
    }

    /// `ends` are the number that the step leads to, 0 for none, and the one it starts from.
    fn step(&mut self, node: NodeId, action: Action, ends: (u32, u32), keeps: bool) -> StepId {
        let (to, from) = ends;
        let target = self.at.get(&to).or(self.at.get(&from));
        let id = StepId::new(self.lower.steps.len());
        let origin = super::origins::origin(self.lower, self.flow, node);
        self.lower.origins.steps.push(origin);
        self.lower.steps.push(Step {
            action,
            target: *target.expect("a kept location"),
            keeps_control: keeps,
            alone: self.alone && is_compared(&self.flow.node(node).kind),
            join: Join::Loose,
            rank: 0,
            site: self.flow.node(node).site,
            resets: Vec::new(),
        });
        id
    }

    fn action(&mut self, node: NodeId, target: Option<u32>) -> Action {
        match &self.flow.node(node).kind {
            NodeKind::Act(action) => action.clone(),
            NodeKind::False => Action::Test(self.lower.number(0)),
            NodeKind::Else => Action::Else,
            NodeKind::End => Action::End,
            NodeKind::DStep(_) => {
                let entry = self.program.entries.get(&node).copied().flatten();
                let exit = target.and_then(|t| self.at.get(&t));
                match (entry.and_then(|n| self.at.get(&n)), exit) {
                    (Some(entry), Some(exit)) => Action::Deterministic(*entry, *exit),
                    _ => Action::Skip,
                }
            }
            _ => Action::Skip,
        }
    }
}

/// Whether SPIN's verifiers look, when a `D_proctype` takes such a step, if it could take one that
/// comes before it. At `skip`, jumps, `else` and `d_step` they do not.
fn is_compared(kind: &NodeKind) -> bool {
    matches!(kind, NodeKind::Act(_) | NodeKind::End)
}

/// The names of the labels at each number.
fn labels(process: &Process, flow: &FlowGraph) -> HashMap<u32, Vec<String>> {
    let mut names: HashMap<u32, Vec<String>> = HashMap::new();
    for (i, label) in process.labels.iter().enumerate() {
        if let Some(node) = flow.target(JumpTarget::Label(LabelId::new(i))) {
            let here = names.entry(flow.node(node).number).or_default();
            here.push(label.name.text.to_string());
        }
    }
    names
}
