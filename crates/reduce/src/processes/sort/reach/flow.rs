//! How values flow through a text.

use super::eval::Context;
use super::{Fact, Known, N_VALUES_MAX, Reach, Values, name};
use crate::processes::sort::loops::{Finder, Replaced};
use crate::processes::sort::neutral::written_by_others;
use crate::processes::sort::unroll::guard;
use crate::processes::sort::walk::blocks;
use model::processes::expr::{Expr, ExprId, Owner, Pattern, Place, Receive, Send, operands};
use model::processes::layout::{FieldId, KindId, MESSAGES_AT, Role};
use model::processes::population::{Population, location_of};
use model::processes::program::{Action, Init, LocationId, Model, ProctypeId, StepId, roots};
use std::collections::{BTreeSet, HashSet};

/// How often a set grows before it counts as all numbers: what grows for so long is counted.
const N_GROWTHS_MAX: u8 = 24;

/// Which sets of values grew.
#[derive(Clone, Default)]
struct Grown {
    fields: BTreeSet<(KindId, FieldId)>,
    messages: bool,
    pids: bool,
}

impl Grown {
    fn is_none(&self) -> bool {
        self.fields.is_empty() && !self.messages && !self.pids
    }
}

/// What the steps of a location depend on.
#[derive(Clone, Default)]
struct Inputs {
    fields: BTreeSet<(KindId, FieldId)>,
    /// Whether messages are received.
    messages: bool,
    /// Whether there is a block: what is known behind it is known from its exit.
    blocks: bool,
}

impl Inputs {
    fn of(text: &Model, p: ProctypeId, steps: &[StepId]) -> Inputs {
        let mut inputs = Inputs::default();
        for step in steps {
            let action = &text.step(*step).action;
            blocks(action, &mut |_, _| inputs.blocks = true);
            inputs.messages |= talks(action);
            roots(action, &mut |e| inputs.expr(text, p, e));
        }
        inputs
    }

    fn expr(&mut self, text: &Model, p: ProctypeId, e: ExprId) {
        if let Expr::Read(place) = text.expr(e) {
            let kind = match place.owner {
                Owner::Globals => KindId::new(0),
                Owner::Own => text.proctype(p).kind,
                Owner::Other(q, _) => text.proctype(q).kind,
            };
            self.fields.insert((kind, place.field));
        }
        operands(text.expr(e), &mut |e| self.expr(text, p, e));
    }

    fn are_in(&self, grown: &Grown) -> bool {
        let fields = || !self.fields.is_disjoint(&grown.fields);
        self.blocks || grown.pids || (self.messages && grown.messages) || fields()
    }
}

/// How a location was visited.
#[derive(Clone, Copy, Default)]
struct Visits {
    /// Whether it waits for its steps to be followed.
    is_waiting: bool,
    /// How often something that is known there grew.
    n_growths: u8,
}

/// The values found so far.
pub(super) struct Flow<'a> {
    text: &'a Model,
    population: &'a Population,
    pub(super) reach: Reach,
    /// By process type: what control is kept by.
    finders: Vec<Finder<'a>>,
    /// Variables of processes that others store into.
    remote: BTreeSet<(KindId, FieldId)>,
    changed: bool,
    /// The sets that grew.
    grown: Grown,
    /// By process type and location: the variables that its steps read.
    inputs: Vec<Vec<Inputs>>,
    /// By kind and field: how often its set grew.
    n_growths: Vec<Vec<u8>>,
    /// By process type and location.
    visits: Vec<Vec<Visits>>,
    /// The locations of the process type in hand whose steps are to be followed again.
    waiting: Vec<usize>,
    /// Whether any process is made by the text.
    makes: bool,
    /// Whether what expressions are is written down.
    noting: bool,
    /// By expression: whether it was met since then.
    is_noted: Vec<bool>,
}

impl<'a> Flow<'a> {
    pub fn new(text: &'a Model, population: &'a Population, replaced: &'a Replaced) -> Flow<'a> {
        let kinds = &text.layout.kinds;
        let empty = || Some(BTreeSet::new());
        let messages = kinds.iter().map(|kind| match &kind.role {
            Role::Channel(buffer) => vec![empty(); buffer.fields.len()],
            _ => Vec::new(),
        });
        let types = 0..text.proctypes.len();
        let ids = types.clone().map(ProctypeId::new);
        let mut remote = BTreeSet::new();
        for p in ids.clone() {
            let kind = text.proctype(p).kind;
            let fields = (0..kinds[kind.index()].fields.len()).map(FieldId::new);
            let others = fields.filter(|f| written_by_others(text, p, *f));
            remote.extend(others.map(|f| (kind, f)));
        }
        Flow {
            text,
            population,
            reach: Reach {
                fields: kinds
                    .iter()
                    .map(|kind| vec![empty(); kind.fields.len()])
                    .collect(),
                messages: messages.collect(),
                pids: vec![empty(); text.proctypes.len()],
                at: types
                    .map(|p| vec![None; text.proctypes[p].locations.len()])
                    .collect(),
                reads: vec![None; text.exprs.len()],
            },
            finders: ids
                .clone()
                .map(|p| Finder::new(text, p, replaced))
                .collect(),
            remote,
            changed: false,
            grown: Grown::default(),
            inputs: ids
                .map(|p| {
                    let locations = text.proctype(p).locations.iter();
                    let inputs = locations.map(|at| Inputs::of(text, p, &at.steps));
                    inputs.collect()
                })
                .collect(),
            n_growths: kinds
                .iter()
                .map(|kind| vec![0; kind.fields.len()])
                .collect(),
            visits: text
                .proctypes
                .iter()
                .map(|proctype| vec![Visits::default(); proctype.locations.len()])
                .collect(),
            waiting: Vec::new(),
            makes: text.exprs.iter().any(|e| matches!(e, Expr::Run(..))),
            noting: false,
            is_noted: vec![false; text.exprs.len()],
        }
    }

    /// Lets sets grow until nothing changes.
    pub fn solve(&mut self) {
        // If others move during the making, what is held after it says little.
        if self.population.before.is_some() || self.population.interleaved {
            self.reach = Reach::open(self.text);
            return;
        }
        self.start();
        // All locations are followed first.
        self.waiting.clear();
        self.pass(None);
        while self.changed || !self.grown.is_none() {
            // Where nothing grew that is read there, nothing more is known.
            let grown = std::mem::take(&mut self.grown);
            self.pass(Some(&grown));
        }
    }

    /// The sets, and what expressions are.
    pub fn finish(mut self) -> Reach {
        self.noting = true;
        self.pass(None);
        self.reach
    }

    /// What is there when the making is over.
    fn start(&mut self) {
        let (text, population) = (self.text, self.population);
        for state in &population.states {
            let globals = std::iter::once((KindId::new(0), 0));
            for (kind, at) in globals.chain(text.layout.records(state)) {
                self.record(state, kind, at);
            }
            for (p, proctype) in text.proctypes.iter().enumerate() {
                let own = population.processes.iter();
                for record in own.filter(|record| record.kind == proctype.kind) {
                    let at = location_of(text, ProctypeId::new(p), state, record);
                    self.arrive(p, at, &Known::new());
                    let number = Some(BTreeSet::from([record.number]));
                    self.grown.pids |= grow(&mut self.reach.pids[p], &number);
                }
            }
        }
        if let Some(last) = text.rules.last {
            self.reach.fields[0][last.index()] = None;
        }
        for proctype in &text.proctypes {
            if let Some((field, _)) = proctype.priority {
                self.reach.fields[proctype.kind.index()][field.index()] = None;
            }
        }
    }

    fn record(&mut self, state: &[u8], kind: KindId, at: usize) {
        let record = self.text.layout.kind(kind);
        for (f, field) in record.fields.iter().enumerate() {
            let offsets = (0..field.n_elements()).map(|n| at + field.element_at(n) as usize);
            let values = offsets
                .map(|at| field.slot.scalar.load(state, at))
                .collect();
            self.grow_field((kind, FieldId::new(f)), &Some(values));
        }
        let Role::Channel(buffer) = &record.role else {
            return;
        };
        for message in 0..usize::from(state[at + 1]) {
            let first = at + MESSAGES_AT as usize + message * buffer.message_size as usize;
            for (n, (offset, slot)) in buffer.fields.iter().enumerate() {
                let value = slot.scalar.load(state, first + *offset as usize);
                let own = &mut self.reach.messages[kind.index()][n];
                self.grown.messages |= grow(own, &Some(BTreeSet::from([value])));
            }
        }
    }

    /// Follows the steps that depend on what grew, and those behind them where more is known; all,
    /// if it is not said what grew.
    fn pass(&mut self, grown: Option<&Grown>) {
        self.changed = false;
        for p in 0..self.text.proctypes.len() {
            let proctype = &self.text.proctypes[p];
            if self.reach.pids[p].is_none() {
                // Processes that are made later.
                self.arrive(p, proctype.start, &Known::new());
                self.made(ProctypeId::new(p));
            }
            proctype
                .provided
                .iter()
                .for_each(|e| self.look(p, *e, &Known::new()));
            for (l, visits) in self.visits[p].iter_mut().enumerate() {
                let inputs = &self.inputs[p][l];
                visits.is_waiting |= grown.is_none_or(|grown| inputs.are_in(grown));
                self.waiting.extend(visits.is_waiting.then_some(l));
            }
            while let Some(l) = self.waiting.pop() {
                self.visits[p][l].is_waiting = false;
                let steps = &proctype.locations[l].steps;
                if let Some(known) = self.reach.at[p][l].clone() {
                    for (n, step) in steps.iter().enumerate() {
                        self.step(p, l, (&steps[..n], *step), &known);
                    }
                }
            }
        }
        let atoms = self.text.atoms.iter();
        atoms.for_each(|e| self.look(0, *e, &Known::new()));
    }

    /// A process that is made starts with its first values.
    fn made(&mut self, p: ProctypeId) {
        let proctype = self.text.proctype(p);
        let zero = Some(BTreeSet::from([0]));
        for f in 0..self.reach.fields[proctype.kind.index()].len() {
            self.grow_field((proctype.kind, FieldId::new(f)), &zero);
        }
        for init in &proctype.prologue {
            let (place, values) = match init {
                Init::Value(place, e) => {
                    let known = Known::new();
                    let values = self.context(p.index(), &known).values(*e);
                    (place, values)
                }
                Init::Channel(place, _) => (place, None),
            };
            self.store(p.index(), place, values);
        }
    }

    fn context<'k>(&'k self, p: usize, known: &'k Known) -> Context<'k> {
        Context {
            text: self.text,
            reach: &self.reach,
            proctype: ProctypeId::new(p),
            known,
            fixed: None,
        }
    }

    /// A process can be at a location, and there something is known.
    fn arrive(&mut self, p: usize, at: LocationId, known: &Known) {
        let here = &mut self.reach.at[p][at.index()];
        let visits = &mut self.visits[p][at.index()];
        let mut is_new = here.is_none();
        let mut grows = false;
        here.get_or_insert_with(|| known.clone())
            .retain(|name, fact| {
                let n_before = fact.values.len();
                let is_kept = known.get(name).is_some_and(|other| {
                    fact.values.extend(&other.values);
                    let is_more = fact.values.len() > n_before;
                    grows |= is_more;
                    fact.values.len() <= N_VALUES_MAX
                        && !(is_more && visits.n_growths >= N_GROWTHS_MAX)
                });
                is_new |= !is_kept || fact.values.len() > n_before;
                is_kept
            });
        visits.n_growths = visits.n_growths.saturating_add(u8::from(grows));
        self.changed |= is_new;
        if is_new && !std::mem::replace(&mut visits.is_waiting, true) {
            self.waiting.push(at.index());
        }
    }

    fn step(&mut self, p: usize, from: usize, (before, id): (&[StepId], StepId), known: &Known) {
        let step = self.text.step(id);
        let mut known = known.clone();
        // In a deterministic block, too, a step is taken if those before it cannot be.
        let block = self.finders[p].in_block(LocationId::new(from));
        if block || matches!(step.action, Action::Else) {
            for other in before {
                if let Some(e) = guard(&self.text.step(*other).action) {
                    match self.context(p, &known).assume(e, false) {
                        Some(less) => known = less,
                        None => return,
                    }
                }
            }
        }
        let Some(mut known) = self.action(p, &step.action, known) else {
            return;
        };
        for reset in &step.resets {
            let place = Place::scalar(Owner::Own, reset.field);
            self.store(p, &place, Some(BTreeSet::from([reset.value])));
            forget(&mut known, self.text.proctypes[p].kind, reset.field);
        }
        if self.is_seen(p, from, id) {
            self.forget_shared(p, &mut known);
        }
        self.arrive(p, step.target, &known);
    }

    /// Whether others can move between a step and the next of its process.
    fn is_seen(&self, p: usize, from: usize, id: StepId) -> bool {
        let finder = &self.finders[p];
        let (from, step) = (LocationId::new(from), self.text.step(id));
        if finder.in_block(from) {
            return false;
        }
        let next = finder.locations()[step.target.index()].steps.iter();
        let sure = |id: &StepId| is_sure(&self.text.step(*id).action);
        !finder.keeps(from, id) || talks(&step.action) || !next.into_iter().any(sure)
    }

    /// Forgets what others could change.
    fn forget_shared(&self, p: usize, known: &mut Known) {
        let kind = self.text.proctypes[p].kind;
        known.retain(|_, fact| {
            let own = |field: &(KindId, FieldId)| field.0 == kind && !self.remote.contains(field);
            fact.mentions.iter().all(own)
        });
    }

    /// What is known after an action; `None` if it cannot be taken.
    fn action(&mut self, p: usize, action: &Action, mut known: Known) -> Option<Known> {
        roots(action, &mut |e| {
            if !matches!(action, Action::All(_)) {
                self.look(p, e, &known);
            }
        });
        match action {
            // A run goes on behind an assertion that is false.
            Action::Test(e) => self.context(p, &known).assume(*e, true),
            Action::Assign(place, e) => {
                let values = self.context(p, &known).values(*e);
                let values = self.store(p, place, values);
                let kind = self.context(p, &known).kind_of(place.owner);
                forget(&mut known, kind, place.field);
                self.learn(p, place, values, &mut known);
                Some(known)
            }
            Action::Send(send) => {
                self.send(p, send, &known);
                Some(known)
            }
            Action::Receive(receive) => {
                self.receive(p, receive, &mut known);
                Some(known)
            }
            Action::All(all) => {
                let mut written = Vec::new();
                for part in all.iter() {
                    if let Action::Deterministic(from, to) = part {
                        self.written(p, *from, *to, &mut written);
                    }
                }
                let is_set = matches!(all.first(), Some(Action::Deterministic(..)));
                if !is_set {
                    return all
                        .iter()
                        .try_fold(known, |known, part| self.action(p, part, known));
                }
                // Blocks in any order: of what they write nothing is known.
                written.iter().for_each(|(k, f)| forget(&mut known, *k, *f));
                for part in all.iter() {
                    if let Action::Deterministic(from, _) = part {
                        self.arrive(p, *from, &known);
                    }
                }
                Some(known)
            }
            Action::Deterministic(from, to) => {
                self.arrive(p, *from, &known);
                self.reach.at[p][to.index()].clone()
            }
            _ => Some(known),
        }
    }

    /// Adds what the steps between two locations write.
    fn written(
        &self,
        p: usize,
        from: LocationId,
        to: LocationId,
        out: &mut Vec<(KindId, FieldId)>,
    ) {
        let kind = self.text.proctypes[p].kind;
        let mut seen = HashSet::new();
        let mut waiting = vec![from];
        while let Some(at) = waiting.pop() {
            if at == to || !seen.insert(at) {
                continue;
            }
            for step in &self.text.proctypes[p].locations[at.index()].steps {
                let step = self.text.step(*step);
                waiting.push(step.target);
                out.extend(step.resets.iter().map(|reset| (kind, reset.field)));
                self.stored(p, &step.action, out);
            }
        }
    }

    fn stored(&self, p: usize, action: &Action, out: &mut Vec<(KindId, FieldId)>) {
        let known = Known::new();
        let context = self.context(p, &known);
        let mut add = |place: &Place| out.push((context.kind_of(place.owner), place.field));
        match action {
            Action::Assign(place, _) => add(place),
            Action::Receive(receive) => receive.fields.iter().for_each(|pattern| {
                if let Pattern::Store(place) = pattern {
                    add(place);
                }
            }),
            Action::All(all) => all.iter().for_each(|part| self.stored(p, part, out)),
            Action::Deterministic(from, to) => self.written(p, *from, *to, out),
            _ => {}
        }
    }

    /// Values come into a variable; gives them as they are stored.
    fn store(&mut self, p: usize, place: &Place, values: Values) -> Values {
        let known = Known::new();
        let kind = self.context(p, &known).kind_of(place.owner);
        let field = &self.text.layout.kind(kind).fields[place.field.index()];
        let values = values.map(|all| all.iter().map(|v| field.slot.scalar.narrow(*v)).collect());
        self.grow_field((kind, place.field), &values);
        values
    }

    fn grow_field(&mut self, (kind, field): (KindId, FieldId), values: &Values) {
        let own = &mut self.reach.fields[kind.index()][field.index()];
        if grow(own, values) {
            let n_growths = &mut self.n_growths[kind.index()][field.index()];
            *n_growths += 1;
            if *n_growths > N_GROWTHS_MAX {
                *own = None;
            }
            self.grown.fields.insert((kind, field));
        }
    }

    /// Notes what a place holds now.
    fn learn(&self, p: usize, place: &Place, values: Values, known: &mut Known) {
        if let (Some(name), Some(values)) = (name(self.text, place), values) {
            let mentions = self.context(p, known).mentions(place);
            known.insert(name, Fact { values, mentions });
        }
    }

    fn send(&mut self, p: usize, send: &Send, known: &Known) {
        for kind in self.kinds(p, send.channel, known) {
            let Role::Channel(buffer) = &self.text.layout.kind(kind).role else {
                continue;
            };
            for (n, (_, slot)) in buffer.fields.iter().enumerate() {
                let values = match send.fields.get(n) {
                    Some(e) => self.context(p, known).values(*e),
                    None => Some(BTreeSet::from([0])),
                };
                let values = values.map(|all| all.iter().map(|v| slot.scalar.narrow(*v)).collect());
                let own = &mut self.reach.messages[kind.index()][n];
                self.grown.messages |= grow(own, &values);
            }
        }
    }

    fn receive(&mut self, p: usize, receive: &Receive, known: &mut Known) {
        let kinds = self.kinds(p, receive.channel, known);
        for (n, pattern) in receive.fields.iter().enumerate() {
            let Pattern::Store(place) = pattern else {
                continue;
            };
            let mut values = Some(BTreeSet::new());
            for kind in &kinds {
                // What a message does not have is 0.
                let zero = Some(BTreeSet::from([0]));
                let sent = self.reach.messages[kind.index()].get(n).unwrap_or(&zero);
                grow(&mut values, sent);
            }
            let kind = self.context(p, known).kind_of(place.owner);
            self.store(p, place, values);
            forget(known, kind, place.field);
        }
    }

    /// The kinds of channel that an expression can name.
    fn kinds(&self, p: usize, channel: ExprId, known: &Known) -> BTreeSet<KindId> {
        let numbers = self.context(p, known).values(channel);
        let made = |n: &i32| {
            let n = usize::try_from(*n).ok()?.checked_sub(1)?;
            Some(self.population.channels.get(n)?.kind)
        };
        let kinds = numbers.and_then(|all| all.iter().map(made).collect());
        kinds.unwrap_or_else(|| {
            let all = self.text.layout.kinds.iter().enumerate();
            let channels = all.filter(|(_, kind)| matches!(kind.role, Role::Channel(_)));
            channels.map(|(k, _)| KindId::new(k)).collect()
        })
    }

    /// Looks at an expression: who is made by it, and what its operands are.
    fn look(&mut self, p: usize, e: ExprId, known: &Known) {
        let text = self.text;
        if !(self.noting || self.makes && makes(text, e)) {
            return;
        }
        if let Expr::Run(q, args, _) = text.expr(e) {
            self.grown.pids |= self.reach.pids[q.index()].take().is_some();
            let parameters = &text.proctype(*q).parameters;
            for (place, e) in parameters.iter().zip(args) {
                let values = self.context(p, known).values(*e);
                self.store(q.index(), place, values);
            }
        }
        if self.noting {
            let values = match text.expr(e) {
                Expr::Read(_) | Expr::Pid => self.context(p, known).leaf(e),
                _ => None,
            };
            // An escape is a step of many locations.
            let earlier = self.reach.reads[e.index()].take();
            let is_first = !std::mem::replace(&mut self.is_noted[e.index()], true);
            self.reach.reads[e.index()] = match (earlier, values) {
                (_, values) if is_first => values,
                (Some(earlier), Some(values)) => Some(&earlier | &values),
                _ => None,
            };
        }
        self.parts(p, e, known);
    }

    /// Looks at the parts of an expression, of which some are evaluated only if others are true.
    fn parts(&mut self, p: usize, e: ExprId, known: &Known) {
        let text = self.text;
        match text.expr(e) {
            Expr::And(all) | Expr::Or(all) => {
                let truth = matches!(text.expr(e), Expr::And(_));
                let mut known = known.clone();
                for e in all {
                    self.look(p, *e, &known);
                    match self.context(p, &known).assume(*e, truth) {
                        Some(more) => known = more,
                        None => return,
                    }
                }
            }
            Expr::Choice([test, a, b]) => {
                self.look(p, *test, known);
                for (branch, truth) in [(*a, true), (*b, false)] {
                    if let Some(known) = self.context(p, known).assume(*test, truth) {
                        self.look(p, branch, &known);
                    }
                }
            }
            expr => {
                let mut all = Vec::new();
                operands(expr, &mut |e| all.push(e));
                all.into_iter().for_each(|e| self.look(p, e, known));
            }
        }
    }
}

/// Whether an expression makes a process.
fn makes(text: &Model, e: ExprId) -> bool {
    let mut found = matches!(text.expr(e), Expr::Run(..));
    operands(text.expr(e), &mut |e| found |= makes(text, e));
    found
}

/// Whether a step with the action can always be taken.
fn is_sure(action: &Action) -> bool {
    match action {
        Action::Skip | Action::Else | Action::Assign(..) | Action::Drop(_) => true,
        Action::Assert(_) | Action::Print(_) => true,
        Action::All(all) => all.first().is_none_or(is_sure),
        _ => false,
    }
}

/// Whether an action sends or receives, after which control can be with who takes part.
fn talks(action: &Action) -> bool {
    match action {
        Action::Send(_) | Action::Receive(_) => true,
        Action::All(all) => all.iter().any(talks),
        _ => false,
    }
}

/// Forgets all that mentions a variable.
fn forget(known: &mut Known, kind: KindId, field: FieldId) {
    known.retain(|_, fact| !fact.mentions.contains(&(kind, field)));
}

/// Lets a set grow; says whether it did.
fn grow(set: &mut Values, more: &Values) -> bool {
    let Some(own) = set else {
        return false;
    };
    let n = own.len();
    let is_small = more.as_ref().is_some_and(|more| {
        own.extend(more);
        own.len() <= N_VALUES_MAX
    });
    let is_more = !is_small || own.len() > n;
    if !is_small {
        *set = None;
    }
    is_more
}
