//! From a flow to steps: which steps start where, and where they lead.
//!
//! **Problem.** A [`FlowGraph`] has a node for each statement and for each point between
//! statements. Wanted are locations with steps, as in the table that SPIN's verifier prints with
//! `-d`.
//!
//! **Idea.** Each node becomes an entry under its number. A statement is one step; its target is
//! the node after it, followed through jumps and joins by [`StepTable::settle`]. A choice, loop or
//! block is a list of numbers, those of the first statements of its options, and in the end gets a
//! copy of their steps. Then, for `unless`, the steps of what can escape are put before those of a
//! location.
//!
//! **Worked example.** `do :: a -> b :: break od; c`, numbered as in [`super::flow`]: entry 4 is
//! the list 1, 3 and becomes `a → 2`, `break → 7`; entry 2 is `b → 4`; entry 7 is c. Nobody is ever
//! at 1, 3, 5 or 6.
//!
//! **Atomic blocks.** A step out of a node that is `inside` is not followed beyond the last point
//! inside: there the process must stop to give up control, so a join or jump can be a step.
//!
//! **Labels.** What a label says of a node moves with the steps that are copied away from it: to
//! their targets. This is SPIN's rule.
//!
//! **Source.** Behaviour of SPIN 6.5.2, as printed by `pan -d`.
//!
//! **Cost.** Linear in the size of the table, which is at most quadratic in that of the text:
//! nested choices repeat their steps at each level.

use super::flow::{ChainId, FlowGraph, LabelMarks, NodeChain, NodeId, NodeKind};
use model::processes::program::Leaves;
use std::collections::HashMap;

/// One step.
#[derive(Clone, Debug)]
pub(super) struct TableStep {
    /// The statement.
    pub node: NodeId,
    /// The number of the node it leads to; 0 for the end.
    pub target: u32,
    /// Whether the process keeps control.
    pub keeps: bool,
    /// The node it escapes to, or 0.
    pub escape: u32,
    escapes: Vec<u32>,
}

/// What is at a number.
#[derive(Clone, Debug)]
enum TableRow {
    Nothing,
    Options(Vec<u32>),
    Steps(Vec<TableStep>),
}

/// The steps of one process, by the number of the node they start from.
pub(super) struct StepTable {
    rows: Vec<TableRow>,
    /// What labels say of each number.
    pub marks: Vec<LabelMarks>,
    /// Where the process starts.
    pub start: u32,
    /// A jump that leads round in a circle.
    pub circle: Option<NodeId>,
    done: Vec<bool>,
    /// Where steps to a node, from inside of `atomic` or not, come to rest, as far as is known.
    settled: HashMap<(NodeId, bool), NodeId>,
}

impl StepTable {
    /// The table of a flow that is complete.
    pub fn new(flow: &mut FlowGraph) -> StepTable {
        let n = flow.nodes.len() + 1;
        let mut table = StepTable {
            rows: vec![TableRow::Nothing; n],
            marks: vec![LabelMarks::default(); n],
            start: 0,
            circle: None,
            done: vec![false; n],
            settled: HashMap::new(),
        };
        let body = flow.chain(flow.body);
        let first = body.first.expect("a closed chain");
        let start = table.settle(flow, first, flow.node(first).inside);
        table.start = flow.node(start).number;
        for label in &flow.labels {
            let marks = &mut table.marks[flow.node(label.node).number as usize];
            *marks = join(*marks, label.marks);
        }
        let end = flow.node(body.last.expect("a closed chain")).number;
        table.marks[end as usize].end = true;
        table.fill(flow, flow.body);
        table.flatten();
        table.pull();
        table.add_escapes();
        table.pass_ends(flow);
        table
    }

    /// The steps from a number, in order.
    pub fn steps(&self, number: u32) -> &[TableStep] {
        match &self.rows[number as usize] {
            TableRow::Steps(steps) => steps,
            _ => &[],
        }
    }

    /// The node that a step to `from` comes to rest at.
    fn settle(&mut self, flow: &FlowGraph, from: NodeId, inside: bool) -> NodeId {
        // A program with a circle is refused, wherever other steps lead.
        if self.circle.is_some() {
            return from;
        }
        let (mut at, mut passed) = (from, Vec::new());
        for _ in 0..=2 * flow.nodes.len() {
            if let Some(known) = self.settled.get(&(at, inside)) {
                at = *known;
                break;
            }
            let next = match &flow.node(at).kind {
                NodeKind::Jump(mark) => flow.target(*mark),
                NodeKind::Join | NodeKind::Exit => flow.node(at).next,
                NodeKind::Unless(main, _) => Some(self.settle(flow, flow.first(*main), inside)),
                _ => None,
            };
            passed.push(at);
            match next.filter(|next| !inside || flow.node(*next).inside) {
                None => break,
                Some(next) => at = next,
            }
        }
        if passed.len() > 2 * flow.nodes.len() {
            self.circle = Some(from);
            return from;
        }
        let known = passed.into_iter().map(|node| ((node, inside), at));
        self.settled.extend(known);
        at
    }

    /// Has an inner chain end where its block ends: what was said of where steps come to rest is
    /// forgotten.
    fn close(&mut self, flow: &mut FlowGraph, inner: ChainId, id: NodeId) {
        tie(flow, inner, id);
        self.settled.clear();
    }

    /// The node that an option which begins with `from` begins with.
    fn start_of(&self, flow: &FlowGraph, from: NodeId) -> NodeId {
        let mut at = from;
        loop {
            let next = match &flow.node(at).kind {
                NodeKind::Join => flow.node(at).next,
                NodeKind::Unless(main, _) => Some(flow.first(*main)),
                _ => None,
            };
            match next {
                Some(next) => at = next,
                None => return at,
            }
        }
    }

    fn fill(&mut self, flow: &mut FlowGraph, chain: ChainId) {
        let mut at = flow.chain(chain).first;
        while let Some(id) = at {
            let number = flow.node(id).number as usize;
            if !std::mem::replace(&mut self.done[number], true) {
                self.fill_node(flow, id);
            }
            if at == flow.chain(chain).last {
                break;
            }
            at = flow.node(id).next;
        }
    }

    fn fill_node(&mut self, flow: &mut FlowGraph, id: NodeId) {
        let number = flow.node(id).number as usize;
        match flow.node(id).kind.clone() {
            NodeKind::Unless(main, _) => self.fill(flow, main),
            NodeKind::Choice(options) | NodeKind::Loop(options) => {
                let mut numbers = Vec::new();
                for option in &options {
                    let start = flow.node(self.start_of(flow, flow.first(*option)));
                    let never = matches!(start.kind, NodeKind::False) && start.escapes.is_empty();
                    if !never {
                        numbers.push(start.number);
                    }
                }
                self.rows[number] = TableRow::Options(numbers);
                for option in options {
                    self.fill(flow, option);
                }
            }
            NodeKind::Atomic(inner) | NodeKind::Block(inner) => {
                break_atomic(flow, inner);
                let start = self.start_of(flow, flow.first(inner));
                self.rows[number] = TableRow::Options(vec![flow.node(start).number]);
                self.close(flow, inner, id);
                self.fill(flow, inner);
            }
            NodeKind::DStep(inner) => {
                break_atomic(flow, inner);
                self.close(flow, inner, id);
                self.fill_step(flow, id);
            }
            _ => self.fill_step(flow, id),
        }
    }

    fn fill_step(&mut self, flow: &mut FlowGraph, id: NodeId) {
        let node = flow.node(id);
        let next = match &node.kind {
            NodeKind::Jump(mark) => flow.target(*mark),
            _ => node.next,
        };
        let (number, inside) = (node.number, node.inside);
        let chains = match node.kind {
            NodeKind::Join => Vec::new(),
            _ => node.escapes.clone(),
        };
        let target = next.map_or(0, |next| {
            let target = self.settle(flow, next, inside);
            flow.node(target).number
        });
        let mut escapes = Vec::new();
        for escape in &chains {
            let first = self.settle(flow, flow.first(*escape), inside);
            escapes.push(flow.node(first).number);
        }
        self.rows[number as usize] = TableRow::Steps(vec![TableStep {
            node: id,
            target,
            keeps: inside,
            escape: 0,
            escapes,
        }]);
        for escape in chains {
            self.fill(flow, escape);
        }
    }

    fn mark(&mut self, target: u32, from: u32) {
        let marks = self.marks[from as usize];
        let at = &mut self.marks[target as usize];
        *at = join(*at, marks);
    }

    /// Options that are choices become their options.
    fn flatten(&mut self) {
        let mut changed = true;
        while changed {
            changed = false;
            for i in 1..self.rows.len() {
                let TableRow::Options(options) = &self.rows[i] else {
                    continue;
                };
                let mut flat = Vec::new();
                let mut deeper = Vec::new();
                for &option in options {
                    match &self.rows[option as usize] {
                        TableRow::Options(inner) if !inner.is_empty() => {
                            flat.extend(inner);
                            deeper.extend(inner.iter().map(|&target| (target, option)));
                        }
                        _ => flat.push(option),
                    }
                }
                changed |= !deeper.is_empty();
                for (target, from) in deeper {
                    self.mark(target, from);
                }
                self.rows[i] = TableRow::Options(flat);
            }
        }
    }

    /// Choices get the steps of their options.
    fn pull(&mut self) {
        for i in 1..self.rows.len() {
            let TableRow::Options(options) = &self.rows[i] else {
                continue;
            };
            let mut steps = Vec::new();
            for option in options.clone() {
                // A choice of which no option is left has none.
                let Some(step) = self.steps(option).first().cloned() else {
                    continue;
                };
                self.mark(step.target, option);
                steps.push(step);
            }
            self.rows[i] = TableRow::Steps(steps);
        }
    }

    /// Puts the steps of escapes before those they can interrupt.
    fn add_escapes(&mut self) {
        for i in 1..self.rows.len() {
            let TableRow::Steps(own) = self.rows[i].clone() else {
                continue;
            };
            let mut all = own.clone();
            for &escape in own.iter().flat_map(|step| step.escapes.iter().rev()) {
                let from = if escape as usize == i {
                    all.clone()
                } else {
                    self.steps(escape).to_vec()
                };
                for mut step in from {
                    if !all.iter().any(|s| s.node == step.node) {
                        step.escape = escape;
                        all.insert(0, step);
                    }
                }
            }
            self.rows[i] = TableRow::Steps(all);
        }
    }

    /// A process that may rest at a join may rest where it leads.
    fn pass_ends(&mut self, flow: &FlowGraph) {
        for i in 1..self.rows.len() {
            if let [only] = self.steps(i as u32) {
                let target = only.target as usize;
                if matches!(flow.node(only.node).kind, NodeKind::Join) && self.marks[i].end {
                    self.marks[target].end = true;
                }
            }
        }
    }
}

fn join(a: LabelMarks, b: LabelMarks) -> LabelMarks {
    LabelMarks {
        end: a.end | b.end,
        progress: a.progress | b.progress,
        accept: a.accept | b.accept,
    }
}

/// Leads the end of a block to what follows it.
fn tie(flow: &mut FlowGraph, inner: ChainId, block: NodeId) {
    let next = flow.node(block).next;
    let last = flow.chain(inner).last.expect("a closed chain");
    flow.node_mut(last).next = next;
}

/// Jumps that leave an atomic block give up control, those that lead into one keep it.
fn break_atomic(flow: &mut FlowGraph, chain: ChainId) {
    let NodeChain { first, extent, .. } = flow.chain(chain);
    let mut at = first;
    while let Some(id) = at {
        match flow.node(id).kind.clone() {
            NodeKind::Jump(mark) => {
                let target = flow.target(mark).map(|t| flow.node(t));
                let atomic = target.is_some_and(|t| t.inside || t.last);
                let point = target.is_some_and(|t| {
                    use NodeKind::{Exit, Join, Jump, Unless};
                    matches!(t.kind, Exit | Join | Jump(_) | Unless(..))
                });
                let node = flow.node_mut(id);
                if node.inside && !atomic {
                    node.leaves = if point {
                        Leaves::ToPoint
                    } else {
                        Leaves::ToStatement
                    };
                }
                if (node.inside || node.last) && !atomic {
                    node.inside = false;
                    node.last = true;
                }
                if node.last && atomic {
                    node.last = false;
                    node.inside = true;
                }
            }
            NodeKind::Choice(options) | NodeKind::Loop(options) => {
                for option in options {
                    break_atomic(flow, option);
                }
            }
            NodeKind::Unless(main, escape) => {
                break_atomic(flow, main);
                break_atomic(flow, escape);
            }
            _ => {}
        }
        if at == extent {
            break;
        }
        at = flow.node(id).next;
    }
}
