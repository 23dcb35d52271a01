//! Steps as lists of numbers, with names replaced, so that they can be compared.
//!
//! Each construct is written as a number for what it is, then its parts; names are written as their
//! images. Operands whose order does not matter are written one by one, sorted, and then joined, so
//! `a && b` and `b && a` come out equal. Chains of one operator are one list: two levels would tell
//! their operands apart. Two operands that can both go wrong keep their order, because it decides
//! what is reported; the operands of `&&` and `||` keep it if one can, because it decides whether
//! that one is looked at.
//!
//! Worked example: `flag[1] == 0` under the exchange of the members 0 and 1 of the class of the
//! index: `==`, then two operands: `read flag, member 1 of class 4` and `0`; it comes out as
//! `flag[0] == 0` does without exchange.

use super::Why;
use super::facts::Facts;
use super::sides::Sides;
use super::substitution::Substitution;
use crate::processes::sort::{ClassId, TableId};
use model::processes::expr::{
    Binary, Expr, ExprId, Instance, Owner, Pattern, Place, Receive, Send, operands,
};
use model::processes::layout::{FieldId, KindId};
use model::processes::program::{Action, Init, LocationId, ProctypeId, StepId};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

/// A text as numbers.
type Tokens = Vec<i64>;

/// Numbers for the texts of locations that are in no state: equal texts have equal numbers.
type Inner = RefCell<HashMap<Tokens, i64>>;

/// The steps of a model as they are.
pub(super) struct Texts {
    identity: Substitution,
    inner: Inner,
    /// By step; empty for those that cannot be taken.
    steps: Vec<Tokens>,
    /// By type: what is said of its processes as a whole.
    types: Vec<Tokens>,
    /// What the property in question looks at.
    atoms: Vec<Tokens>,
    /// By type and location: the names whose images its steps are written with. Where all of these
    /// stay, so does the text, and need not be written again.
    names: Vec<Vec<Vec<Name>>>,
}

/// Something that a text mentions and that a permutation can move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Name {
    Kind(KindId),
    Type(ProctypeId),
    Field(KindId, FieldId),
    Location(ProctypeId, LocationId),
    Member(ClassId, i32),
}

impl Name {
    /// Whether it is its own image.
    fn stays(self, images: &Substitution) -> bool {
        match self {
            Name::Kind(kind) => images.kinds[kind.index()] == kind,
            Name::Type(p) => images.types[p.index()] == p,
            Name::Field(kind, field) => images.fields[kind.index()][field.index()] == (kind, field),
            Name::Location(p, at) => images.locations[p.index()][at.index()] == (p, at),
            Name::Member(class, value) => {
                images.class(class) == class && images.number(class, value) == value
            }
        }
    }
}

impl Texts {
    /// Writes all steps down.
    pub fn new(facts: &Facts<'_>) -> Texts {
        let text = &facts.sorts.text;
        let identity = Substitution::identity(facts);
        let inner = Inner::default();
        let mut steps = vec![Tokens::new(); text.steps.len()];
        let (mut types, mut names) = (Vec::new(), Vec::new());
        for p in (0..text.proctypes.len()).map(ProctypeId::new) {
            let writer = Writer {
                facts,
                images: &identity,
                inner: &inner,
                proctype: p,
                names: Some(RefCell::default()),
                written: RefCell::default(),
            };
            types.push(writer.proctype());
            let mut of_type = vec![Vec::new(); text.proctype(p).locations.len()];
            for at in facts.live_locations(p) {
                writer.mentioned();
                for (tokens, step) in writer.steps(at) {
                    steps[step.index()] = tokens;
                }
                writer.mention(Name::Location(p, at));
                of_type[at.index()] = writer.mentioned();
            }
            names.push(of_type);
        }
        let atoms = atoms(facts, &identity, &inner);
        Texts {
            identity,
            inner,
            steps,
            types,
            atoms,
            names,
        }
    }

    /// Whether each location has the steps that its image has; gives where each step goes, and each
    /// list of atoms.
    pub fn compare(
        &self,
        facts: &Facts<'_>,
        images: &Substitution,
    ) -> Result<(Vec<StepId>, Vec<usize>), Why> {
        debug_assert_eq!(self.identity.kinds.len(), images.kinds.len());
        let text = &facts.sorts.text;
        let mut map: Vec<StepId> = (0..text.steps.len()).map(StepId::new).collect();
        for p in (0..text.proctypes.len()).map(ProctypeId::new) {
            let writer = Writer {
                facts,
                images,
                inner: &self.inner,
                proctype: p,
                names: None,
                written: RefCell::default(),
            };
            let q = images.types[p.index()];
            if writer.proctype() != self.types[q.index()] {
                let (from, to) = (&text.proctype(p).name, &text.proctype(q).name);
                return super::no(format!(
                    "the condition or the first values of `{from}` would not be those of `{to}`"
                ));
            }
            for at in facts.live_locations(p) {
                let names = &self.names[p.index()][at.index()];
                if !names.iter().all(|name| name.stays(images)) {
                    self.location(&writer, at, &mut map)?;
                }
            }
        }
        // It is not enough that the property stays the same: each of its atoms must.
        let moved = atoms(facts, images, &self.inner);
        match lists(&moved, &self.atoms, text.n_atom_lists) {
            Some(lists) => Ok((map, lists)),
            None => super::no("what the property looks at would be something else"),
        }
    }

    fn location(&self, writer: &Writer<'_>, at: LocationId, map: &mut [StepId]) -> Result<(), Why> {
        let (facts, p) = (writer.facts, writer.proctype);
        let text = &facts.sorts.text;
        let (q, to) = writer.images.locations[p.index()][at.index()];
        let there = text.proctype(q).locations[to.index()].steps.iter();
        let mut moved = writer.steps(at);
        let mut found: Vec<(&Tokens, StepId)> =
            there.map(|s| (&self.steps[s.index()], *s)).collect();
        let ordered = facts.ordered[p.index()][at.index()] || facts.ordered[q.index()][to.index()];
        if !ordered {
            moved.sort();
            found.sort();
        }
        let n = moved.len().max(found.len());
        for i in 0..n {
            let odd = match (moved.get(i), found.get(i)) {
                (Some((a, from)), Some((b, to))) if a == *b => {
                    map[from.index()] = *to;
                    continue;
                }
                // Of two sorted lists, the lesser of two that differ is missing from the other.
                (Some((a, from)), Some((b, _))) if ordered || a < *b => *from,
                (_, Some((_, to))) => *to,
                (Some((_, from)), None) => *from,
                (None, None) => continue,
            };
            let site = &text.sites[text.step(odd).site.index()];
            let reason = if ordered && moved.len() == found.len() {
                format!("`{}` would be another step, or come elsewhere", site.text)
            } else {
                format!("`{}` would have no step like it", site.text)
            };
            let sides = || {
                let is_there = |tokens: &Tokens| found.iter().any(|(other, _)| *other == tokens);
                let mut lost = moved.iter().filter(|(tokens, _)| !is_there(tokens));
                let lost = lost.find(|(_, step)| *step == odd).or(moved.get(i));
                let (_, step) = lost?;
                Sides::of_step(facts, writer.images, (p, *step))
            };
            return Err(Why {
                reason,
                line: site.line,
                sides: sides(),
            });
        }
        Ok(())
    }
}

/// The atoms of the property in question, in order.
fn atoms(facts: &Facts<'_>, images: &Substitution, inner: &Inner) -> Vec<Tokens> {
    // No process evaluates them, so that it does not matter which type is named.
    let writer = Writer {
        facts,
        images,
        inner,
        proctype: ProctypeId::new(0),
        names: None,
        written: RefCell::default(),
    };
    let all = facts.sorts.text.atoms.iter();
    all.map(|atom| writer.expr(*atom)).collect()
}

/// Where each list of atoms goes, as wholes, if each goes to one that is there: `moved` are the
/// images of `known`, both of so many lists.
fn lists(moved: &[Tokens], known: &[Tokens], n_lists: usize) -> Option<Vec<usize>> {
    let n_each = (known.len() / n_lists.max(1)).max(1);
    let to = |list: &[Tokens]| known.chunks(n_each).position(|other| other == list);
    moved.chunks(n_each).map(to).collect()
}

/// Kinds of constructs; texts start with one.
mod tag {
    pub const MEMBER: i64 = 1;
    pub const NUMBER: i64 = 2;
    pub const READ: i64 = 3;
    pub const UNARY: i64 = 4;
    pub const BINARY: i64 = 5;
    pub const AND: i64 = 6;
    pub const OR: i64 = 7;
    pub const CHOICE: i64 = 8;
    pub const RUN: i64 = 9;
    pub const PROBE: i64 = 10;
    pub const POLL: i64 = 11;
    pub const PID: i64 = 12;
    pub const N_PROCESSES: i64 = 13;
    pub const TIMEOUT: i64 = 14;
    pub const NON_PROGRESS: i64 = 15;
    pub const ENABLED: i64 = 16;
    pub const LOCATION_OF: i64 = 17;
    pub const PRIORITY_OF: i64 = 18;
    pub const AT_LOCATION: i64 = 19;
    pub const TABLE: i64 = 20;
    pub const FAULT: i64 = 21;
    pub const ANY: i64 = 22;
    pub const NUMBERED: i64 = 23;
    pub const STORE: i64 = 24;
    pub const DROP: i64 = 25;
    pub const MATCH: i64 = 26;
    pub const SET: i64 = 27;
    pub const LIST: i64 = 28;
    pub const NOWHERE: i64 = 29;
    pub const INNER: i64 = 30;
    pub const ACCEPTING: i64 = 31;
}

struct Writer<'a> {
    facts: &'a Facts<'a>,
    images: &'a Substitution,
    inner: &'a Inner,
    /// Whose text it is.
    proctype: ProctypeId,
    /// All that was looked up in `images`, if somebody asks.
    names: Option<RefCell<Vec<Name>>>,
    /// The locations that are in no state and were written already.
    written: RefCell<HashMap<(ProctypeId, LocationId), Written>>,
}

/// A location that is in no state: its text, and what was looked up for it.
struct Written {
    tokens: Tokens,
    names: Vec<Name>,
}

/// Joins texts: as they are, or in any order.
fn join(mut parts: Vec<Tokens>, in_order: bool) -> Tokens {
    if !in_order {
        parts.sort();
    }
    let mut all = vec![
        if in_order { tag::LIST } else { tag::SET },
        parts.len() as i64,
    ];
    for part in parts {
        all.push(part.len() as i64);
        all.extend(part);
    }
    all
}

fn after(start: &[i64], parts: &[Tokens]) -> Tokens {
    let mut all = start.to_vec();
    for part in parts {
        all.push(part.len() as i64);
        all.extend(part);
    }
    all
}

impl Writer<'_> {
    /// What is said of the processes of a type as a whole.
    fn proctype(&self) -> Tokens {
        let sorts = self.facts.sorts;
        let proctype = sorts.text.proctype(self.proctype);
        if !sorts.live[self.proctype.index()].contains(&true) {
            return Tokens::new();
        }
        let provided = proctype.provided.map_or_else(Tokens::new, |e| self.expr(e));
        let mut parts = vec![provided];
        if sorts.made_later[self.proctype.index()] {
            parts.extend(proctype.prologue.iter().map(|init| match init {
                Init::Value(place, e) => after(&[0], &[self.place(place), self.expr(*e)]),
                Init::Channel(place, kind) => {
                    let kind = self.kind(*kind);
                    after(&[1, kind], &[self.place(place)])
                }
            }));
        }
        join(parts, true)
    }

    /// The steps from a location, each after the number of its segment.
    fn steps(&self, at: LocationId) -> Vec<(Tokens, StepId)> {
        let proctype = self.facts.sorts.text.proctype(self.proctype);
        let location = &proctype.locations[at.index()];
        let pairs = location
            .steps
            .iter()
            .zip(self.facts.segments(self.proctype, location));
        pairs
            .map(|(step, segment)| (self.step(*step, segment), *step))
            .collect()
    }

    fn step(&self, id: StepId, segment: i64) -> Tokens {
        let sorts = self.facts.sorts;
        let step = sorts.text.step(id);
        let kind = sorts.text.proctype(self.proctype).kind;
        let target = self.location(self.proctype, step.target);
        let resets = step.resets.iter().map(|reset| {
            let class = sorts.fields[kind.index()][reset.field.index()].value;
            let value = if sorts.is_neutral(self.proctype, reset.field, step.target) {
                vec![tag::NUMBER, i64::from(reset.value)]
            } else {
                self.number(class, reset.value)
            };
            after(&self.field(kind, reset.field), &[value])
        });
        let control = i64::from(step.keeps_control) * (1 + step.join as i64);
        let alone = i64::from(step.alone);
        let start = [segment, control, i64::from(step.rank), alone];
        let action = match &step.action {
            // A loop over ids: its rounds may be taken in any order.
            Action::All(all) if sorts.unordered.contains(&id) => {
                let parts = all.iter().map(|action| self.action(action)).collect();
                after(&[12], &[join(parts, false)])
            }
            action => self.action(action),
        };
        after(&start, &[action, target, join(resets.collect(), false)])
    }

    fn action(&self, action: &Action) -> Tokens {
        match action {
            Action::Skip | Action::Print(_) => vec![0],
            Action::Test(e) => after(&[1], &[self.expr(*e)]),
            Action::Else => vec![2],
            Action::Assign(place, e) => after(&[3], &[self.place(place), self.expr(*e)]),
            Action::Drop(e) => after(&[4], &[self.expr(*e)]),
            Action::Send(send) => self.send(send),
            Action::Receive(receive) => self.receive(6, receive),
            Action::Assert(e) => after(&[7], &[self.expr(*e)]),
            Action::SetPriority(p, e, limited) => {
                after(&[8, i64::from(*limited)], &[self.expr(*p), self.expr(*e)])
            }
            Action::Deterministic(from, to) => {
                let at = |at: LocationId| self.location(self.proctype, at);
                after(&[9], &[at(*from), at(*to)])
            }
            Action::All(all) => {
                let parts = all.iter().map(|action| self.action(action)).collect();
                after(&[10], &[join(parts, true)])
            }
            Action::End => vec![11],
        }
    }

    fn send(&self, send: &Send) -> Tokens {
        let mut parts = vec![self.expr(send.channel)];
        parts.extend(send.fields.iter().map(|e| self.expr(*e)));
        after(&[5, i64::from(send.sorted)], &[join(parts, true)])
    }

    fn receive(&self, what: i64, receive: &Receive) -> Tokens {
        let mut parts = vec![self.expr(receive.channel)];
        parts.extend(receive.fields.iter().map(|pattern| match pattern {
            Pattern::Store(place) => after(&[tag::STORE], &[self.place(place)]),
            Pattern::Drop => vec![tag::DROP],
            Pattern::Match(e) => after(&[tag::MATCH], &[self.expr(*e)]),
        }));
        let marks = [what, i64::from(receive.random), i64::from(receive.keep)];
        after(&marks, &[join(parts, true)])
    }

    fn mention(&self, name: Name) {
        if let Some(names) = &self.names {
            names.borrow_mut().push(name);
        }
    }

    /// What was mentioned since the last call, each once.
    fn mentioned(&self) -> Vec<Name> {
        let mut names = self.names.as_ref().map(RefCell::take).unwrap_or_default();
        names.sort_unstable();
        names.dedup();
        names
    }

    fn kind(&self, kind: KindId) -> i64 {
        self.mention(Name::Kind(kind));
        self.images.kinds[kind.index()].index() as i64
    }

    fn proctype_image(&self, p: ProctypeId) -> i64 {
        self.mention(Name::Type(p));
        self.images.types[p.index()].index() as i64
    }

    fn field(&self, kind: KindId, field: FieldId) -> [i64; 2] {
        self.mention(Name::Field(kind, field));
        let (kind, field) = self.images.fields[kind.index()][field.index()];
        [kind.index() as i64, field.index() as i64]
    }

    /// A location; one where nobody can be is like any other such, and one that was put in is
    /// known by its steps, which lead to no circle.
    fn location(&self, p: ProctypeId, at: LocationId) -> Tokens {
        if self.facts.is_live(p, at) {
            self.mention(Name::Location(p, at));
            let (q, to) = self.images.locations[p.index()][at.index()];
            return vec![q.index() as i64, to.index() as i64];
        }
        if at.index() < self.facts.sorts.n_locations[p.index()] {
            return vec![tag::NOWHERE];
        }
        if let Some(written) = self.written.borrow().get(&(p, at)) {
            written.names.iter().for_each(|name| self.mention(*name));
            return written.tokens.clone();
        }
        let before = self.names.as_ref().map(RefCell::take).unwrap_or_default();
        let steps = self.steps(at).into_iter();
        let tokens = join(steps.map(|(tokens, _)| tokens).collect(), true);
        let number = {
            let mut inner = self.inner.borrow_mut();
            let n = inner.len() as i64;
            *inner.entry(tokens).or_insert(n)
        };
        let (tokens, names) = (vec![tag::INNER, number], self.mentioned());
        before
            .iter()
            .chain(&names)
            .for_each(|name| self.mention(*name));
        let written = Written {
            tokens: tokens.clone(),
            names,
        };
        self.written.borrow_mut().insert((p, at), written);
        tokens
    }

    /// A number of a class: the image of a member, or the number.
    fn number(&self, class: ClassId, value: i32) -> Tokens {
        if self.facts.is_member(class, value) {
            self.mention(Name::Member(class, value));
            let image = self.images.number(class, value);
            let class = self.images.class(class);
            vec![tag::MEMBER, class.index() as i64, i64::from(image)]
        } else {
            vec![tag::NUMBER, i64::from(value)]
        }
    }

    fn kind_of(&self, owner: Owner) -> KindId {
        let text = &self.facts.sorts.text;
        match owner {
            Owner::Globals => KindId::new(0),
            Owner::Own => text.proctype(self.proctype).kind,
            Owner::Other(p, _) => text.proctype(p).kind,
        }
    }

    fn place(&self, place: &Place) -> Tokens {
        let owner = match place.owner {
            Owner::Globals => vec![0],
            Owner::Own => vec![1],
            Owner::Other(p, which) => after(&[2], &[self.instance(p, which)]),
        };
        let field = self.field(self.kind_of(place.owner), place.field);
        let mut parts = vec![owner];
        parts.extend(place.indices.iter().map(|e| self.expr(*e)));
        after(&field, &[join(parts, true)])
    }

    fn instance(&self, p: ProctypeId, which: Instance) -> Tokens {
        let p = self.proctype_image(p);
        match which {
            Instance::Numbered(e) => after(&[tag::NUMBERED, p], &[self.expr(e)]),
            Instance::Any => vec![tag::ANY, p],
        }
    }

    fn expr(&self, e: ExprId) -> Tokens {
        let sorts = self.facts.sorts;
        if let Some(table) = sorts.exprs[e.index()]
            .table
            .filter(|id| self.may_tabulate(*id))
        {
            return self.table(table);
        }
        match sorts.text.expr(e) {
            Expr::Const(v) => self.number(sorts.of(e), *v),
            Expr::Read(place) => after(&[tag::READ], &[self.place(place)]),
            Expr::Unary(op, a) => after(&[tag::UNARY, *op as i64], &[self.expr(*a)]),
            Expr::Binary(op, ..) => self.binary(e, *op),
            Expr::And(_) => after(&[tag::AND], &[self.junction(e)]),
            Expr::Or(_) => after(&[tag::OR], &[self.junction(e)]),
            Expr::Choice(all) => {
                let parts = all.iter().map(|e| self.expr(*e)).collect();
                after(&[tag::CHOICE], &[join(parts, true)])
            }
            Expr::Run(p, args, priority) => {
                let p_image = self.proctype_image(*p);
                let (has, priority) = (i64::from(priority.is_some()), priority.unwrap_or(0));
                let start = [tag::RUN, p_image, has, i64::from(priority)];
                after(&start, &[self.arguments(*p, args)])
            }
            Expr::Probe(probe, c) => after(&[tag::PROBE, *probe as i64], &[self.expr(*c)]),
            Expr::Poll(receive) => self.receive(tag::POLL, receive),
            Expr::Pid => vec![tag::PID],
            Expr::NProcesses => vec![tag::N_PROCESSES],
            Expr::Timeout => vec![tag::TIMEOUT],
            Expr::NonProgress => vec![tag::NON_PROGRESS],
            Expr::Accepting => vec![tag::ACCEPTING],
            Expr::Enabled(p) => after(&[tag::ENABLED], &[self.expr(*p)]),
            Expr::LocationOf(p) => after(&[tag::LOCATION_OF], &[self.expr(*p)]),
            Expr::PriorityOf(p) => after(&[tag::PRIORITY_OF], &[self.expr(*p)]),
            Expr::AtLocation(p, which, at) => {
                let parts = [self.instance(*p, *which), self.location(*p, *at)];
                after(&[tag::AT_LOCATION], &parts)
            }
        }
    }

    fn arguments(&self, p: ProctypeId, args: &[ExprId]) -> Tokens {
        let sorts = self.facts.sorts;
        let proctype = sorts.text.proctype(p);
        let pairs = proctype.parameters.iter().zip(args);
        let parts = pairs.map(|(place, e)| {
            let classes = &sorts.fields[proctype.kind.index()][place.field.index()].indices;
            let indices =
                place
                    .indices
                    .iter()
                    .zip(classes)
                    .map(|(i, class)| match sorts.text.expr(*i) {
                        Expr::Const(v) => self.number(*class, *v),
                        _ => self.expr(*i),
                    });
            let mut parts: Vec<Tokens> = indices.collect();
            parts.push(self.expr(*e));
            after(
                &self.field(proctype.kind, place.field),
                &[join(parts, true)],
            )
        });
        join(parts.collect(), self.keeps_order(args))
    }

    /// Whether operands that are all evaluated must keep their order.
    fn keeps_order(&self, all: &[ExprId]) -> bool {
        let faults = all
            .iter()
            .filter(|e| self.facts.can_fault(self.proctype, **e))
            .count();
        faults > 1 || all.iter().any(|e| self.facts.makes(*e))
    }

    fn binary(&self, e: ExprId, op: Binary) -> Tokens {
        let text = &self.facts.sorts.text;
        let mut operands = Vec::new();
        match text.expr(e) {
            _ if chains(op) => self.flatten(e, &mut operands, &|e| match text.expr(e) {
                Expr::Binary(other, a, b) if *other == op => Some(vec![*a, *b]),
                _ => None,
            }),
            Expr::Binary(_, a, b) => operands.extend([*a, *b]),
            _ => {}
        }
        let equal = matches!(op, Binary::Equal | Binary::NotEqual);
        let in_order = !(chains(op) || equal) || self.keeps_order(&operands);
        let parts = operands.iter().map(|e| self.expr(*e)).collect();
        after(&[tag::BINARY, op as i64], &[join(parts, in_order)])
    }

    fn junction(&self, e: ExprId) -> Tokens {
        let text = &self.facts.sorts.text;
        let is_and = matches!(text.expr(e), Expr::And(_));
        let mut operands = Vec::new();
        self.flatten(e, &mut operands, &|e| match text.expr(e) {
            Expr::And(all) if is_and => Some(all.to_vec()),
            Expr::Or(all) if !is_and => Some(all.to_vec()),
            _ => None,
        });
        let in_order = operands
            .iter()
            .any(|e| self.facts.can_fault(self.proctype, *e));
        let in_order = in_order && !self.fault_together(&operands);
        join(operands.iter().map(|e| self.expr(*e)).collect(), in_order)
    }

    /// Whether what can go wrong in each operand is the same reading of variables, which no operand
    /// can leave out: then the first that is looked at decides for all.
    fn fault_together(&self, all: &[ExprId]) -> bool {
        let risks = all.iter().map(|e| {
            let mut risks = BTreeSet::new();
            self.risks(*e, &mut risks).then_some(risks)
        });
        let risks: Option<Vec<BTreeSet<Tokens>>> = risks.collect();
        risks.is_some_and(|risks| risks.windows(2).all(|pair| pair[0] == pair[1]))
    }

    /// Adds what is read and can go wrong; `false` if there is more that can, or may be left out.
    fn risks(&self, e: ExprId, out: &mut BTreeSet<Tokens>) -> bool {
        let expr = self.facts.sorts.text.expr(e);
        let own = match expr {
            Expr::Const(_) | Expr::Pid => return true,
            Expr::Read(place) => {
                if self.facts.can_fault(self.proctype, e) {
                    out.insert(self.expr(e));
                }
                !matches!(place.owner, Owner::Other(..))
            }
            Expr::Unary(..) => true,
            Expr::Binary(op, ..) => !matches!(op, Binary::Divide | Binary::Remainder),
            _ => false,
        };
        let mut all = own;
        operands(expr, &mut |e| all &= self.risks(e, out));
        all
    }

    /// The operands of a chain of one operator.
    fn flatten(
        &self,
        e: ExprId,
        out: &mut Vec<ExprId>,
        inner: &dyn Fn(ExprId) -> Option<Vec<ExprId>>,
    ) {
        let plain = self.facts.sorts.exprs[e.index()].table.is_none();
        match inner(e).filter(|_| plain) {
            Some(all) => all.into_iter().for_each(|e| self.flatten(e, out, inner)),
            None => out.push(e),
        }
    }

    /// Whether a table says all: not where an operand that can go wrong may not be looked at.
    fn may_tabulate(&self, id: TableId) -> bool {
        let table = &self.facts.sorts.tables[id.index()];
        let compares = matches!(
            self.facts.sorts.text.expr(table.expr),
            Expr::Binary(Binary::Equal | Binary::NotEqual, ..) | Expr::Choice(_)
        );
        let faults = |e: &ExprId| self.facts.can_fault(self.proctype, *e);
        !compares || !table.leaves.iter().any(faults)
    }

    /// A table: its operands and its rows, both in any order.
    fn table(&self, id: TableId) -> Tokens {
        let sorts = self.facts.sorts;
        let table = &sorts.tables[id.index()];
        let result = |value: &i32| {
            if table.truth {
                vec![tag::NUMBER, i64::from(*value)]
            } else {
                self.number(sorts.of(table.expr), *value)
            }
        };
        if let ([], [(_, Ok(value))], false) = (&table.leaves[..], &table.rows[..], table.truth) {
            return result(value);
        }
        let leaves: Vec<Tokens> = table.leaves.iter().map(|e| self.expr(*e)).collect();
        let mut columns: Vec<usize> = (0..leaves.len()).collect();
        if !self.keeps_order(&table.leaves) {
            columns.sort_by_key(|column| &leaves[*column]);
        }
        let rows = table.rows.iter().map(|(inputs, value)| {
            let input = |c: &usize| self.number(sorts.of(table.leaves[*c]), inputs[*c]);
            let mut row: Vec<Tokens> = columns.iter().map(input).collect();
            row.push(match value {
                Ok(value) => result(value),
                // Kinds have different messages.
                Err(kind) => {
                    let letters = kind.message().bytes().map(i64::from);
                    [tag::FAULT].into_iter().chain(letters).collect()
                }
            });
            join(row, true)
        });
        let rows = join(rows.collect(), false);
        let leaves = columns
            .iter()
            .map(|column| leaves[*column].clone())
            .collect();
        after(
            &[tag::TABLE, i64::from(table.truth)],
            &[join(leaves, true), rows],
        )
    }
}

/// Whether a chain of an operator may be taken in any order.
fn chains(op: Binary) -> bool {
    use Binary::{Add, BitAnd, BitOr, BitXor, Multiply};
    matches!(op, Add | Multiply | BitAnd | BitOr | BitXor)
}
