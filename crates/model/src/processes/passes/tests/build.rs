//! Models by hand, and all there is to know about their runs.

use crate::processes::expr::{Binary, Expr, ExprId, Owner, Pattern, Place, Receive, Send};
use crate::processes::layout::{
    Buffer, Dimension, Field, FieldId, KindId, Meaning, RecordKind, Scalar, Slot,
};
use crate::processes::machine::Machine;
use crate::processes::program::{
    Action, Init, Location, LocationId, Model, Proctype, ProctypeId, Rules, Site, Step, StepId,
};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use system::SiteId;
use system::fault::FaultKind;
use system::{Rest, System};

const BYTE: Slot = Slot {
    scalar: Scalar::U8,
    meaning: Meaning::Number,
};

/// A step in the making: from, action, to.
pub type Line = (usize, Action, usize);

/// A model in the making.
pub struct Build {
    pub model: Model,
}

impl Build {
    pub fn new() -> Build {
        let model = Model {
            rules: Rules {
                ends_are_steps: true,
                ..Rules::default()
            },
            ..Model::empty()
        };
        Build { model }
    }

    pub fn expr(&mut self, e: Expr) -> ExprId {
        self.model.exprs.push(e);
        ExprId::new(self.model.exprs.len() - 1)
    }

    pub fn number(&mut self, value: i32) -> ExprId {
        self.expr(Expr::Const(value))
    }

    pub fn read(&mut self, place: &Place) -> ExprId {
        self.expr(Expr::Read(place.clone()))
    }

    pub fn compare(&mut self, place: &Place, op: Binary, value: i32) -> ExprId {
        let (a, b) = (self.read(place), self.number(value));
        self.expr(Expr::Binary(op, a, b))
    }

    pub fn test(&mut self, place: &Place, value: i32) -> Action {
        Action::Test(self.compare(place, Binary::Equal, value))
    }

    pub fn set(&mut self, place: &Place, value: i32) -> Action {
        Action::Assign(place.clone(), self.number(value))
    }

    pub fn copy(&mut self, to: &Place, from: &Place) -> Action {
        Action::Assign(to.clone(), self.read(from))
    }

    /// Adds 1 and drops all but the lowest bit.
    pub fn flip(&mut self, place: &Place) -> Action {
        let (a, b) = (self.read(place), self.number(1));
        let sum = self.expr(Expr::Binary(Binary::Add, a, b));
        Action::Assign(
            place.clone(),
            self.expr(Expr::Binary(Binary::BitAnd, sum, b)),
        )
    }

    pub fn global(&mut self) -> Place {
        Place::scalar(Owner::Globals, self.field(KindId::new(0), None))
    }

    pub fn channel(&mut self, capacity: u32) -> Place {
        let place = self.global();
        let kinds = &mut self.model.layout.kinds;
        kinds.push(RecordKind::channel("c", Buffer::new(capacity, &[BYTE])));
        let kind = KindId::new(kinds.len() - 1);
        (self.model.prologue).push(Init::Channel(place.clone(), kind));
        place
    }

    pub fn send(&mut self, channel: &Place, from: &Place) -> Action {
        Action::Send(Send {
            channel: self.read(channel),
            fields: [self.read(from)].into(),
            sorted: false,
        })
    }

    pub fn receive(&mut self, channel: &Place, to: &Place) -> Action {
        Action::Receive(Receive {
            channel: self.read(channel),
            fields: [Pattern::Store(to.clone())].into(),
            random: false,
            keep: false,
        })
    }

    fn field(&mut self, kind: KindId, count: Option<u32>) -> FieldId {
        let record = &mut self.model.layout.kinds[kind.index()];
        let at = record.reserve(count.unwrap_or(1));
        let dimensions = count.map(|count| Dimension { count, stride: 1 });
        record.add(Field {
            name: format!("f{at}"),
            at,
            slot: BYTE,
            dimensions: dimensions.into_iter().collect(),
            declared: true,
        })
    }

    /// A process type without steps, so that its variables can be named.
    pub fn declare(&mut self) -> ProctypeId {
        let kinds = &mut self.model.layout.kinds;
        kinds.push(RecordKind::process("P", 200));
        let kind = KindId::new(kinds.len() - 1);
        self.model.proctypes.push(Proctype::new("P", kind));
        ProctypeId::new(self.model.proctypes.len() - 1)
    }

    /// A variable of a process type.
    pub fn local(&mut self, p: ProctypeId) -> Place {
        let kind = self.model.proctype(p).kind;
        Place::scalar(Owner::Own, self.field(kind, None))
    }

    /// A variable of a process type that holds a channel.
    pub fn local_channel(&mut self, p: ProctypeId) -> Place {
        let kind = self.model.proctype(p).kind;
        let field = self.field(kind, None);
        let fields = &mut self.model.layout.kinds[kind.index()].fields;
        fields[field.index()].slot.meaning = Meaning::Channel;
        Place::scalar(Owner::Own, field)
    }

    /// Gives the processes of a type a priority.
    pub fn prioritise(&mut self, p: ProctypeId, priority: i32) {
        let field = self.local(p).field;
        self.model.rules.priorities = true;
        self.model.proctypes[p.index()].priority = Some((field, priority));
    }

    /// Element 1 of a new array of two.
    pub fn element(&mut self, p: ProctypeId) -> Place {
        let kind = self.model.proctype(p).kind;
        Place {
            indices: [self.number(1)].into(),
            ..Place::scalar(Owner::Own, self.field(kind, Some(2)))
        }
    }

    /// What a variable of a process type starts as.
    pub fn starts(&mut self, p: ProctypeId, place: &Place, value: i32) {
        let value = self.number(value);
        let init = Init::Value(place.clone(), value);
        self.model.proctypes[p.index()].prologue.push(init);
    }

    /// The steps of a process type; each has a site of its own. The last location is an end.
    pub fn define(&mut self, p: ProctypeId, lines: Vec<Line>) {
        let n = 1 + lines.iter().map(|s| s.0.max(s.2)).max().unwrap_or(0);
        let mut locations = vec![Location::default(); n];
        let mut sources = base::Sources::new();
        let source = sources.add("m", "text");
        for (from, action, to) in lines {
            let site = SiteId::new(self.model.sites.len());
            self.model.sites.push(Site {
                text: format!("{action:?}"),
                span: base::Span::new(source, 0..4),
                line: 1,
                within: system::Within::default(),
                written: true,
            });
            (locations[from].steps).push(StepId::new(self.model.steps.len()));
            let step = Step::new(action, LocationId::new(to), site);
            self.model.steps.push(step);
        }
        for (l, location) in locations.iter_mut().enumerate() {
            location.number = l as u32;
        }
        locations[n - 1].end = true;
        self.model.proctypes[p.index()].locations = locations;
    }
}

/// What a search finds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    pub n_states: usize,
    /// What goes wrong, and at which site.
    pub faults: BTreeSet<(FaultKind, usize)>,
    /// Where nothing moves: whether it may rest there, and the bytes of the globals.
    pub rests: BTreeSet<(bool, Vec<u8>)>,
}

/// All states, up to a number of them.
pub fn explore(model: &Model, n_max: usize) -> Option<Found> {
    let n_globals = model.layout.globals().size as usize;
    let machine = Machine::new(model.clone());
    let mut scratch = machine.scratch();
    let mut open: Vec<Vec<u8>> = Vec::new();
    machine.initial(&mut scratch, &mut |s| {
        open.extend(s.ok().map(<[u8]>::to_vec));
    });
    let mut seen: BTreeSet<Vec<u8>> = open.iter().cloned().collect();
    let (mut faults, mut rests) = (BTreeSet::new(), BTreeSet::new());
    while let Some(state) = open.pop() {
        if seen.len() > n_max {
            return None;
        }
        let rest = machine.successors(&state, &mut scratch, &mut |m| {
            faults.extend(m.faults.iter().map(|f| (f.1.kind, f.1.site.index())));
            if let Some(next) = m.state
                && seen.insert(next.to_vec())
            {
                open.push(next.to_vec());
            }
            ControlFlow::Continue(())
        });
        if rest != Rest::Moves {
            rests.insert((rest == Rest::End, state[..n_globals].to_vec()));
        }
    }
    Some(Found {
        n_states: seen.len(),
        faults,
        rests,
    })
}
