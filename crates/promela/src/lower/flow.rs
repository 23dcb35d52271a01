//! The flow of control of one process: nodes in chains, numbered as SPIN numbers them.
//!
//! **Problem.** States and steps are to be counted as SPIN counts them, so it has to be known which
//! statements are steps and which (`goto`, `break`, the end of an `if`) are jumped over, where a
//! process keeps control, and what an `unless` reaches. SPIN decides this on a graph of elements
//! whose shape follows from the order in which its parser meets them.
//!
//! **Idea.** Make the same graph. A [`FlowNode`] is a statement, or a point that SPIN adds: the
//! *join* behind an `if` or `unless` and before a `do`, the *exit* behind a `do`. A [`NodeChain`]
//! is a list of nodes linked by `next`; the join of an `if` is the last node of each of its options
//! and of the chain around it, so all options flow together there. Numbers are given in the order
//! in which nodes are made: what is inside comes before what is around it.
//!
//! **Worked example.** `do :: a -> b :: break od; c` has the nodes a 1, b 2, jump 3, loop 4, join
//! 5, exit 6, c 7. The chains are 1→2→5, 3→5 and 5→4→6→7; the join leads to the loop.
//!
//! **Atomic blocks.** All nodes inside are marked `inside`; the last is marked `last` instead,
//! since control is given up after it. Where the last is a block, this holds for its last node.
//!
//! **Source.** Behaviour of SPIN 6.5.2, as seen in `pan -d` and the tables it prints.
//!
//! **Cost.** Linear, but for `unless` inside `unless`, which visits the inner statements again.

use crate::typed::LabelId;
use model::processes::program::{Action, Leaves};
use std::collections::HashMap;
use system::SiteId;

base::define_id!(NodeId, "Which node of a [`Flow`].");
base::define_id!(ChainId, "Which chain of a [`Flow`].");

/// Where a jump leads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum JumpTarget {
    /// A label of the modeller.
    Label(LabelId),
    /// The exit of that loop.
    Exit(u32),
}

/// What the name of a label says.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct LabelMarks {
    pub end: bool,
    pub progress: bool,
    pub accept: bool,
}

/// A label at a node.
#[derive(Debug)]
pub(super) struct Labelled {
    pub marks: LabelMarks,
    pub node: NodeId,
}

/// What a node is.
#[derive(Clone, Debug)]
pub(super) enum NodeKind {
    /// A statement.
    Act(Action),
    /// A send or receive that a trace lists.
    Event(model::processes::trace::Event),
    /// `skip`, or a condition that is 1.
    True,
    /// A condition that is 0.
    False,
    /// `else`
    Else,
    /// `goto` or `break`.
    Jump(JumpTarget),
    /// Where options flow together.
    Join,
    /// What follows a loop.
    Exit,
    /// `if`
    Choice(Vec<ChainId>),
    /// `do`
    Loop(Vec<ChainId>),
    /// `unless`: the statement, what escapes from it.
    Unless(ChainId, ChainId),
    /// `atomic`
    Atomic(ChainId),
    /// A block, or an `atomic` inside of one.
    Block(ChainId),
    /// `d_step`
    DStep(ChainId),
    /// The end of the process.
    End,
}

/// A statement or a point between statements.
#[derive(Debug)]
pub(super) struct FlowNode {
    pub kind: NodeKind,
    pub site: SiteId,
    pub number: u32,
    pub next: Option<NodeId>,
    /// What can interrupt it, the outermost first.
    pub escapes: Vec<ChainId>,
    /// Inside an atomic block, not at its end.
    pub inside: bool,
    /// At the end of an atomic block.
    pub last: bool,
    /// Inside a `d_step`.
    pub d_step: bool,
    /// Whether someone asks if a process is here (`p@label`).
    pub asked: bool,
    /// Whether it jumps out of the middle of an atomic block.
    pub leaves: Leaves,
    /// Its labels, as indices into those of the flow.
    labels: Vec<usize>,
}

/// Nodes one after another.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct NodeChain {
    pub first: Option<NodeId>,
    pub last: Option<NodeId>,
    /// The last of its own nodes: joins are added after it.
    pub extent: Option<NodeId>,
}

/// The nodes and chains of one process.
#[derive(Debug)]
pub(super) struct FlowGraph {
    pub nodes: Vec<FlowNode>,
    pub chains: Vec<NodeChain>,
    /// In the order of the text.
    pub labels: Vec<Labelled>,
    pub body: ChainId,
    targets: HashMap<JumpTarget, usize>,
    n_loops: u32,
}

impl FlowGraph {
    /// One chain, nothing in it.
    pub fn new() -> FlowGraph {
        FlowGraph {
            nodes: Vec::new(),
            chains: vec![NodeChain::default()],
            labels: Vec::new(),
            body: ChainId::new(0),
            targets: HashMap::new(),
            n_loops: 0,
        }
    }

    pub fn node(&self, id: NodeId) -> &FlowNode {
        &self.nodes[id.index()]
    }

    pub(crate) fn node_mut(&mut self, id: NodeId) -> &mut FlowNode {
        &mut self.nodes[id.index()]
    }

    pub fn chain(&self, id: ChainId) -> NodeChain {
        self.chains[id.index()]
    }

    /// The first node of a chain that is closed.
    pub fn first(&self, id: ChainId) -> NodeId {
        self.chain(id).first.expect("a closed chain")
    }

    pub(crate) fn new_chain(&mut self) -> ChainId {
        self.chains.push(NodeChain::default());
        ChainId::new(self.chains.len() - 1)
    }

    pub(crate) fn new_loop(&mut self) -> u32 {
        self.n_loops += 1;
        self.n_loops
    }

    /// A new node with the next number, in no chain.
    pub(crate) fn new_node(&mut self, kind: NodeKind, site: SiteId) -> NodeId {
        let id = NodeId::new(self.nodes.len());
        self.nodes.push(FlowNode {
            kind,
            site,
            number: id.index() as u32 + 1,
            next: None,
            escapes: Vec::new(),
            inside: false,
            last: false,
            d_step: false,
            asked: false,
            leaves: Leaves::No,
            labels: Vec::new(),
        });
        id
    }

    /// Puts a label on a node.
    pub(crate) fn set_label(&mut self, mark: JumpTarget, marks: LabelMarks, node: NodeId) {
        let at = self.labels.len();
        self.labels.push(Labelled { marks, node });
        self.targets.insert(mark, at);
        self.node_mut(node).labels.push(at);
    }

    /// The node that a jump leads to.
    pub fn target(&self, mark: JumpTarget) -> Option<NodeId> {
        let at = self.targets.get(&mark)?;
        Some(self.labels[*at].node)
    }

    /// Whether the node has a label, and whether that says something.
    pub(crate) fn has_label(&self, node: NodeId) -> (bool, bool) {
        let here = &self.node(node).labels;
        let special = here
            .iter()
            .any(|&l| self.labels[l].marks != LabelMarks::default());
        (!here.is_empty(), special)
    }

    /// Adds a node at the end of a chain. A jump with a label that says something gets a step of
    /// its own before it, which takes over the label: else nobody could be there.
    pub fn append(&mut self, chain: ChainId, node: NodeId) {
        if matches!(self.node(node).kind, NodeKind::Jump(_)) && self.has_label(node).1 {
            let skip = self.new_node(NodeKind::True, self.node(node).site);
            let label = self.node_mut(node).labels.pop().expect("a labelled jump");
            self.labels[label].node = skip;
            self.node_mut(skip).labels.push(label);
            self.append(chain, skip);
        }
        let last = self.chain(chain).last;
        match last {
            None => self.chains[chain.index()].first = Some(node),
            Some(last) => self.node_mut(last).next = Some(node),
        }
        self.chains[chain.index()].last = Some(node);
    }

    /// Ends a chain; an empty one gets a step that does nothing.
    pub fn close(&mut self, chain: ChainId, site: SiteId) {
        if self.chain(chain).last.is_none() {
            let skip = self.new_node(NodeKind::True, site);
            self.append(chain, skip);
        }
        self.chains[chain.index()].extent = self.chain(chain).last;
    }

    /// Adds an `if`; `site` is that of the point after it.
    pub(crate) fn add_choice(
        &mut self,
        chain: ChainId,
        options: Vec<ChainId>,
        site: SiteId,
    ) -> NodeId {
        let options = self.else_last(options);
        let choice = self.new_node(NodeKind::Choice(options.clone()), site);
        let join = self.new_node(NodeKind::Join, site);
        for option in options {
            self.append(option, join);
        }
        self.append(chain, choice);
        self.append(chain, join);
        choice
    }

    /// Adds a `do`, whose number is `id`.
    pub(crate) fn add_loop(
        &mut self,
        chain: ChainId,
        options: Vec<ChainId>,
        id: u32,
        site: SiteId,
    ) -> NodeId {
        let options = self.else_last(options);
        let node = self.new_node(NodeKind::Loop(options.clone()), site);
        let join = self.new_node(NodeKind::Join, site);
        for option in options {
            self.append(option, join);
        }
        self.append(chain, join);
        let exit = self.new_node(NodeKind::Exit, site);
        self.set_label(JumpTarget::Exit(id), LabelMarks::default(), exit);
        self.append(chain, node);
        self.append(chain, exit);
        node
    }

    /// Adds an `unless`.
    pub(crate) fn add_unless(
        &mut self,
        chain: ChainId,
        main: ChainId,
        escape: ChainId,
        site: SiteId,
    ) -> NodeId {
        let node = self.new_node(NodeKind::Unless(main, escape), site);
        let join = self.new_node(NodeKind::Join, site);
        self.append(main, join);
        self.append(escape, join);
        self.attach(main, escape);
        self.append(chain, node);
        self.append(chain, join);
        node
    }

    /// The option that starts with `else` is tried after all others.
    fn else_last(&self, mut options: Vec<ChainId>) -> Vec<ChainId> {
        let is_else = |c: &ChainId| matches!(self.node(self.first(*c)).kind, NodeKind::Else);
        if let Some(at) = options.iter().position(is_else) {
            let option = options.remove(at);
            options.push(option);
        }
        options
    }

    /// Takes out of an option those steps without effect and label that follow another step
    /// without effect, its first and last excepted: SPIN does so.
    pub fn prune(&mut self, option: ChainId) {
        let NodeChain { first, last, .. } = self.chain(option);
        let mut n_skips = 0;
        let mut before = None;
        let mut at = first;
        while let Some(id) = at {
            let node = self.node(id);
            let next = node.next;
            let prints = matches!(node.kind, NodeKind::Act(Action::Print(_)));
            let idle = prints || matches!(node.kind, NodeKind::True);
            let mut removed = false;
            if idle && !self.has_label(id).0 {
                n_skips += 1;
                let inner = Some(id) != last;
                if let (true, true, false, Some(before)) = (n_skips > 1, inner, prints, before) {
                    self.node_mut(before).next = next;
                    removed = true;
                }
            } else {
                n_skips = 0;
            }
            if !removed {
                before = Some(id);
            }
            at = next;
        }
    }

    /// Lets `escape` interrupt all nodes of `chain`.
    fn attach(&mut self, chain: ChainId, escape: ChainId) {
        let NodeChain { first, extent, .. } = self.chain(chain);
        let mut at = first;
        while let Some(id) = at {
            self.attach_to(id, escape);
            if at == extent {
                break;
            }
            at = self.node(id).next;
        }
    }

    fn attach_to(&mut self, id: NodeId, escape: ChainId) {
        if self.node(id).escapes.contains(&escape) {
            return;
        }
        for inner in self.node(id).escapes.clone() {
            self.attach(inner, escape);
        }
        self.node_mut(id).escapes.insert(0, escape);
        match self.node(id).kind.clone() {
            NodeKind::Unless(main, _) => self.attach(main, escape),
            NodeKind::Choice(options) | NodeKind::Loop(options) => {
                for option in options {
                    self.attach(option, escape);
                }
            }
            // What a `d_step` has begun is not interrupted.
            NodeKind::DStep(inner) => self.attach_to(self.first(inner), escape),
            NodeKind::Atomic(inner) | NodeKind::Block(inner) => self.attach(inner, escape),
            _ => {}
        }
    }

    /// Marks the nodes of an `atomic` or `d_step` that has been closed.
    pub(crate) fn make_atomic(&mut self, chain: ChainId, d_step: bool) {
        self.walk_atomic(chain, d_step);
        let last = self.chain(chain).last.expect("a closed chain");
        match self.node(last).kind {
            NodeKind::Block(inner) | NodeKind::Atomic(inner) => self.make_atomic(inner, d_step),
            _ => {
                let node = self.node_mut(last);
                node.inside = false;
                node.last = true;
            }
        }
    }

    fn walk_atomic(&mut self, chain: ChainId, d_step: bool) {
        let NodeChain { first, last, .. } = self.chain(chain);
        let mut at = first;
        while let Some(id) = at {
            let node = self.node_mut(id);
            node.inside = true;
            node.d_step |= d_step;
            match node.kind.clone() {
                NodeKind::Atomic(inner) | NodeKind::Block(inner) => {
                    node.kind = NodeKind::Block(inner);
                    self.walk_atomic(inner, d_step);
                }
                NodeKind::DStep(inner) if d_step => {
                    node.kind = NodeKind::Block(inner);
                    self.walk_atomic(inner, d_step);
                }
                NodeKind::Choice(options) | NodeKind::Loop(options) => {
                    for option in options {
                        self.walk_atomic(option, d_step);
                    }
                }
                NodeKind::Unless(main, escape) => {
                    self.walk_atomic(main, d_step);
                    self.walk_atomic(escape, d_step);
                }
                _ => {}
            }
            if at == last {
                break;
            }
            at = self.node(id).next;
        }
    }

    /// Leads the last node of each block to what follows the block.
    pub(crate) fn tie_blocks(&mut self) {
        for i in (0..self.nodes.len()).rev() {
            let node = &self.nodes[i];
            let (NodeKind::Atomic(inner) | NodeKind::Block(inner) | NodeKind::DStep(inner)) =
                node.kind
            else {
                continue;
            };
            let mut after = node.next;
            if after.is_none() {
                continue;
            }
            while let Some(id) = after {
                match self.node(id).kind {
                    NodeKind::Join => after = self.node(id).next,
                    _ => break,
                }
            }
            let last = self.chain(inner).last.expect("a closed chain");
            match self.node(last).next {
                None => self.node_mut(last).next = after,
                Some(next) if matches!(self.node(next).kind, NodeKind::Jump(_)) => {
                    self.chains[inner.index()].last = Some(next);
                }
                Some(_) => {}
            }
        }
    }

    /// Makes a jump that others ask about (`p@label`) a step of its own, with the jump after it.
    pub(crate) fn make_visible(&mut self, mark: JumpTarget) {
        let Some(node) = self.target(mark) else {
            return;
        };
        self.node_mut(node).asked = true;
        let NodeKind::Jump(to) = self.node(node).kind else {
            return;
        };
        let jump = self.new_node(NodeKind::Jump(to), self.node(node).site);
        self.node_mut(jump).next = self.node(node).next;
        let node = self.node_mut(node);
        node.kind = NodeKind::True;
        node.next = Some(jump);
    }
}
