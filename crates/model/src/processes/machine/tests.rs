//! The machine on models built by hand: small enough to list all moves on paper.

use super::Machine;
use crate::processes::expr::{Binary, Expr, ExprId, Owner, Pattern, Place, Receive, Send};
use crate::processes::layout::{
    Buffer, Dimension, Field, FieldId, KindId, Layout, Meaning, RecordKind, Scalar, Slot,
};
use crate::processes::program::{
    Action, Init, Join, Location, LocationId, Model, Origins, Proctype, ProctypeId, Rules, Site,
    Step, StepId,
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

/// A model in the making.
pub(super) struct Build {
    pub model: Model,
}

impl Build {
    pub fn new() -> Build {
        let mut sources = base::Sources::new();
        let source = sources.add("m", "text");
        let rules = Rules {
            ends_are_steps: true,
            ..Rules::default()
        };
        let site = Site {
            text: "text".into(),
            span: base::Span::new(source, 0..4),
            line: 1,
            within: system::Within::default(),
            written: true,
        };
        let layout = Layout {
            kinds: vec![RecordKind::globals()],
            name_sets: Vec::new(),
            hidden: Vec::new(),
        };
        Build {
            model: Model {
                layout,
                exprs: Vec::new(),
                proctypes: Vec::new(),
                steps: Vec::new(),
                sites: vec![site],
                prologue: Vec::new(),
                population: Vec::new(),
                trace: None,
                rules,
                origins: Origins::default(),
                declared_sorts: Vec::new(),
                declared_keys: Vec::new(),
                declared_symmetries: Vec::new(),
                atoms: Vec::new(),
                n_atom_lists: 1,
            },
        }
    }

    pub fn expr(&mut self, e: Expr) -> ExprId {
        self.model.exprs.push(e);
        ExprId::new(self.model.exprs.len() - 1)
    }

    pub fn number(&mut self, value: i32) -> ExprId {
        self.expr(Expr::Const(value))
    }

    /// A field of a record; `count` elements if that is given.
    fn field(&mut self, kind: usize, count: Option<u32>) -> FieldId {
        let record = &mut self.model.layout.kinds[kind];
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

    pub fn global(&mut self) -> Place {
        let field = self.field(0, None);
        place(Owner::Globals, field)
    }

    pub fn read(&mut self, place: &Place) -> ExprId {
        self.expr(Expr::Read(place.clone()))
    }

    pub fn is(&mut self, place: &Place, value: i32) -> ExprId {
        let (a, b) = (self.read(place), self.number(value));
        self.expr(Expr::Binary(Binary::Equal, a, b))
    }

    pub fn set(&mut self, place: &Place, value: i32) -> Action {
        Action::Assign(place.clone(), self.number(value))
    }

    /// A global that holds a channel of one byte a message.
    pub fn channel(&mut self, capacity: u32) -> Place {
        let place = self.global();
        let kinds = &mut self.model.layout.kinds;
        kinds.push(RecordKind::channel("c", Buffer::new(capacity, &[BYTE])));
        let kind = KindId::new(kinds.len() - 1);
        (self.model.prologue).push(Init::Channel(place.clone(), kind));
        place
    }

    pub fn send(&mut self, channel: &Place, value: i32) -> Action {
        Action::Send(Send {
            channel: self.read(channel),
            fields: [self.number(value)].into(),
            sorted: false,
        })
    }

    pub fn receive(&mut self, channel: &Place, pattern: Pattern) -> Action {
        Action::Receive(Receive {
            channel: self.read(channel),
            fields: [pattern].into(),
            random: false,
            keep: false,
        })
    }

    /// A process type; each step is from, action, target, whether it keeps control, rank. The
    /// last location has no steps and is an end.
    fn proctype(&mut self, steps: Vec<(usize, Action, usize, bool, u16)>) -> ProctypeId {
        let n = 1 + steps.iter().map(|s| s.0.max(s.2)).max().unwrap_or(0);
        let name = format!("P{}", self.model.proctypes.len());
        let kinds = &mut self.model.layout.kinds;
        kinds.push(RecordKind::process(&name, n));
        let kind = KindId::new(kinds.len() - 1);
        let mut locations = vec![Location::default(); n];
        for (from, action, target, keeps_control, rank) in steps {
            locations[from]
                .steps
                .push(StepId::new(self.model.steps.len()));
            self.model.steps.push(Step {
                action,
                target: LocationId::new(target),
                keeps_control,
                alone: false,
                join: Join::Loose,
                rank,
                site: SiteId::new(0),
                resets: Vec::new(),
            });
        }
        locations[n - 1].end = true;
        self.model.proctypes.push(Proctype {
            name,
            kind,
            parameters: Vec::new(),
            prologue: Vec::new(),
            locations,
            start: LocationId::new(0),
            provided: None,
            priority: None,
        });
        ProctypeId::new(self.model.proctypes.len() - 1)
    }

    /// A process of a new type, there from the start.
    pub fn active(&mut self, steps: Vec<(usize, Action, usize, bool, u16)>) {
        let id = self.proctype(steps);
        self.model.population.push(id);
    }

    pub fn done(self) -> Machine {
        Machine::new(self.model)
    }
}

fn place(owner: Owner, field: FieldId) -> Place {
    Place {
        owner,
        field,
        indices: [].into(),
    }
}

pub(super) fn initial(machine: &Machine) -> Vec<u8> {
    let mut found = None;
    machine.initial(&mut machine.scratch(), &mut |s| {
        found = s.ok().map(<[u8]>::to_vec);
    });
    found.expect("an initial state")
}

/// The moves from a state: how many steps, which faults, where to.
pub(super) type Moves = Vec<(usize, Vec<FaultKind>, Option<Vec<u8>>)>;

pub(super) fn moves(machine: &Machine, state: &[u8]) -> (Moves, Rest) {
    let mut all = Vec::new();
    let rest = machine.successors(state, &mut machine.scratch(), &mut |m| {
        let faults = m.faults.iter().map(|f| f.1.kind).collect();
        all.push((m.steps.len(), faults, m.state.map(<[u8]>::to_vec)));
        ControlFlow::Continue(())
    });
    (all, rest)
}

/// All states that are stored, how many moves there are between them, and how many are stuck.
fn explore(machine: &Machine) -> (usize, usize, usize) {
    let mut seen = BTreeSet::from([initial(machine)]);
    let mut open: Vec<Vec<u8>> = seen.iter().cloned().collect();
    let (mut n_moves, mut stuck) = (0, 0);
    while let Some(state) = open.pop() {
        let (found, rest) = moves(machine, &state);
        stuck += usize::from(rest == Rest::Deadlock);
        for (_, _, next) in found {
            n_moves += 1;
            let next = next.expect("no faults here");
            if seen.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    (seen.len(), n_moves, stuck)
}

#[test]
fn an_atomic_chain_is_one_move_unless_it_blocks() {
    let mut b = Build::new();
    let (x, go) = (b.global(), b.global());
    let first = b.set(&x, 1);
    let wait = Action::Test(b.is(&go, 1));
    let second = b.set(&x, 2);
    b.active(vec![
        (0, first, 1, true, 0),
        (1, wait, 2, true, 0),
        (2, second, 3, false, 0),
    ]);
    let machine = b.done();
    let mut state = initial(&machine);
    let (found, _) = moves(&machine, &state);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].0, 1, "control is lost where the chain blocks");
    assert_eq!(found[0].2.as_ref().map(|s| s[0]), Some(1));
    state[1] = 1;
    let (found, _) = moves(&machine, &state);
    assert_eq!((found.len(), found[0].0), (1, 3));
    assert_eq!(found[0].2.as_ref().map(|s| s[0]), Some(2));
}

#[test]
fn a_handshake_inside_a_handshake_keeps_both_messages() {
    // P0 sends 7 on c. P1 and P2 both can take it; P1 keeps control and sends 9 on d to P3.
    let mut b = Build::new();
    let (c, d) = (b.channel(0), b.channel(0));
    let (x, y, z) = (b.global(), b.global(), b.global());
    let offer = b.send(&c, 7);
    let first = b.receive(&c, Pattern::Store(x.clone()));
    let inner = b.send(&d, 9);
    let second = b.receive(&c, Pattern::Store(y.clone()));
    let third = b.receive(&d, Pattern::Store(z.clone()));
    // Latest first: the one with the inner handshake is tried before the other receiver.
    b.active(vec![(0, third, 1, false, 0)]);
    b.active(vec![(0, second, 1, false, 0)]);
    b.active(vec![(0, first, 1, true, 0), (1, inner, 2, false, 0)]);
    b.active(vec![(0, offer, 1, false, 0)]);
    let machine = b.done();
    let (found, _) = moves(&machine, &initial(&machine));
    let states: Vec<Vec<u8>> = found.iter().filter_map(|m| m.2.clone()).collect();
    assert_eq!(found.iter().map(|m| m.0).collect::<Vec<_>>(), [4, 2]);
    assert_eq!(states[0][2..5], [7, 0, 9]);
    assert_eq!(states[1][2..5], [0, 7, 0], "the outer message is still 7");
}

#[test]
fn a_deterministic_block_takes_part_in_a_handshake() {
    // P1 sends 7. P0: d_step { if :: x == 0 -> skip :: c?5 :: c?x fi; y = 1 }: its first option
    // waits while the message is on its way, its second does not match.
    let mut b = Build::new();
    let c = b.channel(0);
    let (x, y) = (b.global(), b.global());
    let (offer, five) = (b.send(&c, 7), b.number(5));
    let free = Action::Test(b.is(&x, 0));
    let wrong = b.receive(&c, Pattern::Match(five));
    let right = b.receive(&c, Pattern::Store(x.clone()));
    let after = b.set(&y, 1);
    let block = Action::Deterministic(LocationId::new(1), LocationId::new(3));
    b.active(vec![
        (0, block, 3, false, 0),
        (1, free, 2, true, 0),
        (1, wrong, 2, true, 0),
        (1, right, 2, true, 0),
        (2, after, 3, true, 0),
    ]);
    b.active(vec![(0, offer, 1, false, 0)]);
    let machine = b.done();
    let (found, _) = moves(&machine, &initial(&machine));
    let states: Vec<Vec<u8>> = found.iter().filter_map(|m| m.2.clone()).collect();
    assert_eq!(found.iter().map(|m| m.0).collect::<Vec<_>>(), [2, 1]);
    assert_eq!(states[0][1..3], [7, 1], "the handshake");
    assert_eq!(states[1][1..3], [0, 1], "the block on its own");
}

#[test]
fn a_send_without_a_receiver_is_no_step_and_leaves_the_else() {
    let mut b = Build::new();
    let c = b.channel(0);
    let (offer, five) = (b.send(&c, 7), b.number(5));
    let take = b.receive(&c, Pattern::Match(five));
    b.active(vec![(0, take, 1, false, 0)]);
    b.active(vec![
        (0, offer, 1, false, 0),
        (0, Action::Else, 1, false, 0),
    ]);
    let machine = b.done();
    let (found, _) = moves(&machine, &initial(&machine));
    assert_eq!(
        found.iter().map(|m| m.0).collect::<Vec<_>>(),
        [1],
        "only the else"
    );

    let mut b = Build::new();
    let c = b.channel(0);
    let offer = b.send(&c, 7);
    let take = b.receive(&c, Pattern::Drop);
    b.active(vec![(0, take, 1, false, 0)]);
    b.active(vec![
        (0, offer, 1, false, 0),
        (0, Action::Else, 1, false, 0),
    ]);
    let machine = b.done();
    let (found, _) = moves(&machine, &initial(&machine));
    assert_eq!(
        found.iter().map(|m| m.0).collect::<Vec<_>>(),
        [2],
        "only the handshake"
    );
}

#[test]
fn timeout_is_true_only_where_nothing_else_moves() {
    let mut b = Build::new();
    let go = b.global();
    let wait = Action::Test(b.is(&go, 1));
    let timeout = Action::Test(b.expr(Expr::Timeout));
    let set = b.set(&go, 1);
    b.active(vec![(0, wait, 1, false, 0)]);
    b.active(vec![(0, timeout, 1, false, 0), (1, set, 2, false, 0)]);
    let machine = b.done();
    let (found, rest) = moves(&machine, &initial(&machine));
    assert_eq!((found.len(), rest), (1, Rest::Moves));
    let (n_states, _, stuck) = explore(&machine);
    assert_eq!((n_states, stuck), (4, 0));
}

#[test]
fn escapes_come_before_what_they_escape_from() {
    let mut b = Build::new();
    let x = b.global();
    let escape = Action::Test(b.is(&x, 1));
    let (body, other) = (b.set(&x, 1), b.set(&x, 3));
    b.active(vec![
        (0, escape, 1, false, 1),
        (0, body, 0, false, 0),
        (0, other, 0, false, 0),
    ]);
    let machine = b.done();
    let mut state = initial(&machine);
    assert_eq!(moves(&machine, &state).0.len(), 2);
    state[0] = 1;
    let (found, _) = moves(&machine, &state);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].2.as_ref().map(|s| s[0]), Some(1));
}

#[test]
fn a_deterministic_block_takes_the_first_step_and_must_not_block() {
    let mut b = Build::new();
    let x = b.global();
    let (one, two) = (b.set(&x, 1), b.set(&x, 2));
    let never = Action::Test(b.is(&x, 9));
    let block = Action::Deterministic(LocationId::new(1), LocationId::new(3));
    b.active(vec![
        (0, block, 3, false, 0),
        (1, one, 2, false, 0),
        (1, two, 3, false, 0),
        (2, never, 3, false, 0),
    ]);
    let machine = b.done();
    let (found, _) = moves(&machine, &initial(&machine));
    assert_eq!(found, [(1, vec![FaultKind::Blocked], None)]);
}

#[test]
fn processes_end_in_reverse_order_of_creation() {
    let mut b = Build::new();
    b.active(vec![(0, Action::End, 0, false, 0)]);
    b.active(vec![(0, Action::End, 0, false, 0)]);
    let machine = b.done();
    let (n_states, n_moves, stuck) = explore(&machine);
    assert_eq!((n_states, n_moves, stuck), (3, 2, 0));
}

#[test]
fn a_process_that_runs_another_adds_its_record() {
    let mut b = Build::new();
    let child = b.proctype(vec![(0, Action::End, 0, false, 0)]);
    let run = b.expr(Expr::Run(child, [].into(), None));
    b.active(vec![
        (0, Action::Test(run), 1, false, 0),
        (1, Action::End, 1, false, 0),
    ]);
    let machine = b.done();
    let before = initial(&machine);
    let (found, _) = moves(&machine, &before);
    let after = found[0].2.clone().expect("a state");
    assert_eq!(after.len(), before.len() + 2);
    assert_eq!(explore(&machine), (4, 3, 0));
}

#[test]
fn faults_are_reported_and_only_assertions_go_on() {
    let mut b = Build::new();
    let x = b.global();
    let array = b.field(0, Some(2));
    let (zero, two) = (b.number(0), b.number(2));
    let wrong = b.is(&x, 9);
    let divide = b.expr(Expr::Binary(Binary::Divide, two, zero));
    let outside = Place {
        indices: [two].into(),
        ..place(Owner::Globals, array)
    };
    b.active(vec![
        (0, Action::Assert(wrong), 1, false, 0),
        (0, Action::Assign(x.clone(), divide), 1, false, 0),
        (0, Action::Assign(outside, zero), 1, false, 0),
    ]);
    let machine = b.done();
    let (found, _) = moves(&machine, &initial(&machine));
    let kinds: Vec<(Vec<FaultKind>, bool)> =
        found.into_iter().map(|m| (m.1, m.2.is_some())).collect();
    let expected = [
        (vec![FaultKind::Assertion], true),
        (vec![FaultKind::Division], false),
        (vec![FaultKind::Index], false),
    ];
    assert_eq!(kinds, expected);
}

/// `a[i] = 5; assert(a[i] == 5 && a[i] != 4 && _pid == 0)` with `i` written as a constant and read
/// from a variable: the same states, and the same fault where the index is out of its bound.
#[test]
fn a_constant_index_does_what_a_variable_one_does() {
    let run = |index: i32, constant: bool, wanted: i32| {
        let mut build = Build::new();
        let variable = build.global();
        let field = build.field(0, Some(3));
        let set = build.set(&variable, index);
        let index = if constant {
            build.number(index)
        } else {
            build.read(&variable)
        };
        let mut element = place(Owner::Globals, field);
        element.indices = [index].into();
        let store = build.set(&element, 5);
        let (value, other) = (build.read(&element), build.number(4));
        let pid = build.expr(Expr::Pid);
        let zero = build.number(0);
        let all = [
            build.is(&element, wanted),
            build.expr(Expr::Binary(Binary::NotEqual, value, other)),
            build.expr(Expr::Binary(Binary::Equal, pid, zero)),
        ];
        let claim = build.expr(Expr::And(all.into()));
        build.active(vec![
            (0, set, 1, false, 0),
            (1, store, 2, false, 0),
            (2, Action::Assert(claim), 3, false, 0),
        ]);
        let machine = build.done();
        let mut state = initial(&machine);
        let mut seen = Vec::new();
        loop {
            let (found, _) = moves(&machine, &state);
            let next = found.first().and_then(|found| found.2.clone());
            seen.push((state, found));
            match next {
                Some(next) => state = next,
                None => return seen,
            }
        }
    };
    for index in [-1, 0, 2, 3] {
        for wanted in [5, 6] {
            assert_eq!(
                run(index, true, wanted),
                run(index, false, wanted),
                "{index}"
            );
        }
    }
    assert_ne!(run(0, true, 5), run(2, true, 5));
    assert_ne!(run(0, true, 5), run(0, true, 6));
}

#[test]
fn a_condition_of_a_process_that_goes_wrong_is_a_fault() {
    let mut b = Build::new();
    let (zero, two) = (b.number(0), b.number(2));
    let divide = b.expr(Expr::Binary(Binary::Divide, two, zero));
    b.active(vec![(0, Action::Skip, 1, false, 0)]);
    b.model.proctypes[0].provided = Some(divide);
    let machine = b.done();
    let (found, _) = moves(&machine, &initial(&machine));
    assert_eq!(found, [(1, vec![FaultKind::Division], None)]);
}

#[test]
fn following_a_move_shows_the_states_between() {
    let mut b = Build::new();
    let x = b.global();
    let (one, two) = (b.set(&x, 1), b.set(&x, 2));
    b.active(vec![(0, one, 1, true, 0), (1, two, 2, false, 0)]);
    let machine = b.done();
    let state = initial(&machine);
    let mut scratch = machine.scratch();
    let mut steps = Vec::new();
    machine.successors(&state, &mut scratch, &mut |m| {
        steps = m.steps.to_vec();
        ControlFlow::Continue(())
    });
    let mut between = Vec::new();
    let done = machine.follow(&state, &steps, &mut scratch, &mut |_, s, _| {
        between.push(s[0])
    });
    assert!(done);
    assert_eq!(between, [1, 2]);
    steps.reverse();
    assert!(!machine.follow(&state, &steps, &mut scratch, &mut |_, _, _| ()));
}

#[test]
fn messages_are_sorted_and_picked() {
    let mut b = Build::new();
    let (c, x) = (b.channel(3), b.global());
    let mut sends = Vec::new();
    for (n, value) in [5, 3, 4].into_iter().enumerate() {
        let Action::Send(send) = b.send(&c, value) else {
            unreachable!("a send")
        };
        let sorted = Action::Send(Send {
            sorted: true,
            ..send
        });
        sends.push((n, sorted, n + 1, true, 0));
    }
    let five = b.number(5);
    let Action::Receive(receive) = b.receive(&c, Pattern::Match(five)) else {
        unreachable!("a receive")
    };
    let pick = Action::Receive(Receive {
        random: true,
        ..receive
    });
    let take = b.receive(&c, Pattern::Store(x));
    sends.push((3, pick, 4, true, 0));
    sends.push((4, take, 5, false, 0));
    b.active(sends);
    let machine = b.done();
    let (found, _) = moves(&machine, &initial(&machine));
    let after = found[0].2.clone().expect("a state");
    assert_eq!(after[1], 3, "the least was taken first");
    // Globals, then the record of the channel: tag, one message left, its value, and zeros.
    assert_eq!(after[2..7], [1, 1, 4, 0, 0]);
}

#[test]
fn numbers_are_kept_as_their_type_says() {
    let cases = [
        (Scalar::Bit, 3, 1),
        (Scalar::U8, 257, 1),
        (Scalar::I16, 40_000, -25_536),
        (Scalar::I32, -5, -5),
        (Scalar::Bits(3), 9, 1),
        (Scalar::Bits(12), -1, 4095),
        (Scalar::Bits(32), -1, -1),
    ];
    for (scalar, value, kept) in cases {
        let mut bytes = [0xaa; 6];
        scalar.store(&mut bytes, 1, value);
        assert_eq!(scalar.load(&bytes, 1), kept, "{scalar:?} of {value}");
        assert_eq!(scalar.narrow(value), kept);
        assert_eq!((bytes[0], bytes[5]), (0xaa, 0xaa));
    }
}

#[test]
fn elements_of_fields_have_offsets_and_names() {
    let field = Field {
        name: "p[].b[]".into(),
        at: 4,
        slot: BYTE,
        dimensions: vec![
            Dimension {
                count: 2,
                stride: 10,
            },
            Dimension {
                count: 3,
                stride: 1,
            },
        ],
        declared: true,
    };
    let all: Vec<(u32, String)> = field.elements().collect();
    assert_eq!(all.len(), 6);
    assert_eq!(all[5], (16, "p[1].b[2]".to_string()));
}
