//! What SPIN's own optimisations ask of the text, and steps do not show.
//!
//! Whether two statements are joined depends on labels, on blocks, and on what is said of channels
//! (`xr`, `xs`) and variables (`local`); see `model::processes::passes::spin`. All of it is noted
//! beside the steps, so that a model stays free of it.

use super::Lower;
use super::build::Built;
use super::flow::{FlowGraph, NodeId, NodeKind};
use super::places::VariableFields;
use super::uses::{Visited, visit_expr, visit_sequence};
use crate::ast::{Exclusive, Visibility};
use crate::typed::{
    Expr, ExprKind, Initial, Process, ProcessId, ProcessKind, StmtKind, Typed, VariableId,
};
use model::processes::layout::{FieldId, KindId};
use model::processes::program::{Origin, ProctypeId};

/// What is said of the statement at a node.
pub(super) fn origin(lower: &Lower, flow: &FlowGraph, id: NodeId) -> Origin {
    let node = flow.node(id);
    let text = lower.sites.all[node.site.index()].text.trim_end();
    Origin {
        in_atomic: node.inside || node.last,
        labelled: flow.has_label(id).0,
        escapable: !node.escapes.is_empty(),
        asked: node.asked,
        jump: matches!(
            node.kind,
            NodeKind::Jump(_) | NodeKind::Join | NodeKind::Exit
        ),
        leaves: node.leaves,
        counts: text.ends_with("++") || text.ends_with("--"),
        statement: statement(lower, node.number),
    }
}

/// The number of a node among those of all processes, as SPIN's parser makes them.
fn statement(lower: &Lower, number: u32) -> Option<u32> {
    let (first, n_nodes) = lower.statements[lower.context.checked_sub(1)?];
    // Nodes that were added later have numbers that depend on everything else.
    (number <= n_nodes).then_some(first? + number - 1)
}

/// Forgets the numbers of all processes after one to which nodes were added later: SPIN adds them
/// where it reads who asks for them, and numbers go on from there.
pub(super) fn recount(lower: &mut Lower, built: &[Built]) {
    let sizes = built.iter().map(|b| b.flow.nodes.len() as u32);
    let grown = sizes
        .zip(&lower.statements)
        .position(|(now, (_, before))| now > *before);
    if let Some(at) = grown {
        lower.statements[at + 1..]
            .iter_mut()
            .for_each(|(first, _)| *first = None);
    }
}

/// Notes where the numbers of each process start. Claims take numbers too, but how many is not
/// known here, so the numbers of what comes after them are not either.
pub(super) fn count(lower: &mut Lower, processes: &[(ProcessId, KindId)], built: &[Built]) {
    lower.statements = vec![(None, 0); built.len()];
    let mut next = Some(0);
    for i in 0..lower.typed.processes.len() {
        match processes.iter().position(|(id, _)| id.index() == i) {
            None => {
                let trace = lower.trace_nodes.filter(|(at, _)| *at == i);
                next = next.zip(trace).map(|(first, (_, n))| first + n);
            }
            Some(at) => {
                let n_nodes = built[at].flow.nodes.len() as u32;
                lower.statements[at] = (next, n_nodes);
                next = next.map(|first| first + n_nodes);
            }
        }
    }
}

/// Whether more than one statement is at a number.
pub(super) fn is_compound(flow: &FlowGraph, number: u32) -> bool {
    matches!(
        flow.nodes[number as usize - 1].kind,
        NodeKind::Choice(_)
            | NodeKind::Loop(_)
            | NodeKind::Unless(..)
            | NodeKind::Atomic(_)
            | NodeKind::Block(_)
            | NodeKind::DStep(_)
    )
}

/// Notes what is said of variables and process types.
pub(super) fn facts(lower: &mut Lower, processes: &[(ProcessId, KindId)]) {
    let typed = lower.typed;
    for id in &typed.globals {
        let variable = &typed.variables[id.index()];
        if variable.visibility == Some(Visibility::Local) {
            let fields = field_of(lower, *id);
            lower.origins.local.extend(fields);
        }
    }
    for (p, (process, kind)) in processes.iter().enumerate() {
        let process = &typed.processes[process.index()];
        if is_computed(typed, process) {
            lower.origins.computed.push(ProctypeId::new(p));
        }
        exclusive(lower, process, *kind);
    }
    let mut read = Vec::new();
    let mut remote = false;
    for process in &typed.processes {
        let claim = matches!(
            process.kind,
            ProcessKind::Never | ProcessKind::Trace | ProcessKind::NoTrace
        );
        visit_sequence(&process.body, &mut |node| {
            if let Visited::Expr(expr) = node {
                look(expr, claim, &mut read, &mut remote);
            }
        });
    }
    for formula in &typed.formulas {
        visit_expr(&formula.formula, &mut |e| {
            look(e, true, &mut read, &mut remote);
        });
    }
    let fields: Vec<FieldId> = read.iter().flat_map(|id| field_of(lower, *id)).collect();
    lower.origins.read = fields;
    lower.origins.remote = remote;
}

fn look(expr: &Expr, claim: bool, read: &mut Vec<VariableId>, remote: &mut bool) {
    match &expr.kind {
        ExprKind::Read(access) if claim => read.push(access.variable),
        ExprKind::RemoteVariable(..) => *remote = true,
        _ => {}
    }
}

/// The field of a variable that is a number or an array of numbers, and global if it is read.
fn field_of(lower: &Lower, id: VariableId) -> Option<FieldId> {
    let global = lower.typed.variables[id.index()].owner.is_none();
    match &lower.places.shapes[id.index()] {
        Some(VariableFields::Number(field)) if global => Some(*field),
        _ => None,
    }
}

/// Whether SPIN takes the creation of such a process for something others could notice: the last
/// of its variables that starts as something does not start as a number or a variable.
fn is_computed(typed: &Typed, process: &Process) -> bool {
    let mut computed = false;
    for id in &process.locals {
        computed = match &typed.variables[id.index()].initial {
            Initial::Zero | Initial::Instance => computed,
            Initial::Value(e) => match &e.kind {
                ExprKind::Number(_) => false,
                ExprKind::Read(access) => typed.variables[access.variable.index()].owner.is_none(),
                _ => true,
            },
            Initial::List(_) | Initial::Channel(_) => true,
        };
    }
    computed
}

fn exclusive(lower: &mut Lower, process: &Process, kind: KindId) {
    let mut found = Vec::new();
    visit_sequence(&process.body, &mut |node| {
        if let Visited::Stmt(statement) = node
            && let StmtKind::Exclusive(which, channels) = &statement.kind
        {
            found.extend(channels.iter().map(|c| (*which, c.variable)));
        }
    });
    for (which, id) in found {
        let Some(VariableFields::Number(field)) = lower.places.shapes[id.index()] else {
            continue;
        };
        let kind = match lower.typed.variables[id.index()].owner {
            None => KindId::new(0),
            Some(_) => kind,
        };
        match which {
            Exclusive::Send => lower.origins.sole_senders.push((kind, field)),
            Exclusive::Receive => lower.origins.sole_receivers.push((kind, field)),
        }
    }
}
