//! Random expressions over random states: every operator, every width, indices that may be wrong.

use fastrand::Rng;
use model::Machine;
use model::processes::expr::{Binary, Expr, ExprId, Instance, Owner, Place, Unary};
use model::processes::layout::{Dimension, Field, FieldId, KindId, Meaning, RecordKind};
use model::processes::layout::{Scalar, Slot};
use model::processes::machine::Running;
use model::processes::program::{
    Action, Location, LocationId, Model, Proctype, ProctypeId, Site, Step, StepId,
};
use std::ops::ControlFlow;
use system::{SiteId, System};

const SCALARS: [Scalar; 10] = [
    Scalar::Bit,
    Scalar::U8,
    Scalar::I16,
    Scalar::I32,
    Scalar::Bits(3),
    Scalar::Bits(8),
    Scalar::Bits(12),
    Scalar::Bits(16),
    Scalar::Bits(20),
    Scalar::Bits(32),
];
const COUNT: u32 = 3;
const N_LOCATIONS: usize = 50;
const N_STATES: usize = 2_000;

const BINARY: [Binary; 16] = [
    Binary::Add,
    Binary::Subtract,
    Binary::Multiply,
    Binary::Divide,
    Binary::Remainder,
    Binary::BitAnd,
    Binary::BitXor,
    Binary::BitOr,
    Binary::ShiftLeft,
    Binary::ShiftRight,
    Binary::Less,
    Binary::LessEqual,
    Binary::Greater,
    Binary::GreaterEqual,
    Binary::Equal,
    Binary::NotEqual,
];

/// A record with a variable and an array of each width: field `2 * i` and `2 * i + 1`.
fn with_fields(mut kind: RecordKind) -> RecordKind {
    for scalar in SCALARS {
        let slot = Slot {
            scalar,
            meaning: Meaning::Number,
        };
        let dimension = Dimension {
            count: COUNT,
            stride: scalar.n_bytes(),
        };
        for dimensions in [Vec::new(), vec![dimension]] {
            let n: u32 = dimensions.iter().map(|d: &Dimension| d.count).product();
            let at = kind.reserve(scalar.n_bytes() * n);
            kind.add(Field {
                name: "v".to_owned(),
                at,
                slot,
                dimensions,
                declared: true,
            });
        }
    }
    kind
}

struct Random {
    rng: Rng,
    model: Model,
}

impl Random {
    fn number(&mut self) -> i32 {
        let edges = [0, 1, -1, 2, 3, 31, 32, 255, 256, -32768, i32::MIN, i32::MAX];
        match self.rng.u8(0..4) {
            0 => self.rng.i32(..),
            1 => self.rng.i32(-4..8),
            _ => edges[self.rng.usize(..edges.len())],
        }
    }

    fn add(&mut self, expr: Expr) -> ExprId {
        self.model.exprs.push(expr);
        ExprId::new(self.model.exprs.len() - 1)
    }

    fn place(&mut self, depth: u32) -> Place {
        let owner = match self.rng.u8(0..5) {
            0 | 1 => Owner::Globals,
            2 | 3 => Owner::Own,
            _ => {
                let pid = self.expr(0);
                Owner::Other(ProctypeId::new(0), Instance::Numbered(pid))
            }
        };
        let field = self.rng.usize(..2 * SCALARS.len());
        let indices: Box<[ExprId]> = if field.is_multiple_of(2) {
            Box::default()
        } else {
            let wide = self.rng.u8(0..4) == 0;
            let index = if wide {
                self.expr(depth)
            } else {
                let value = self.rng.i32(0..3);
                self.add(Expr::Const(value))
            };
            Box::new([index])
        };
        Place {
            owner,
            field: FieldId::new(field),
            indices,
        }
    }

    fn list(&mut self, depth: u32) -> Box<[ExprId]> {
        let n = self.rng.usize(1..4);
        (0..n).map(|_| self.expr(depth)).collect()
    }

    fn expr(&mut self, depth: u32) -> ExprId {
        let expr = if depth == 0 {
            match self.rng.u8(0..5) {
                0 => Expr::Pid,
                1 => Expr::Timeout,
                2 => Expr::NProcesses,
                _ => Expr::Const(self.number()),
            }
        } else {
            match self.rng.u8(0..12) {
                0..=3 => Expr::Read(self.place(depth - 1)),
                4..=7 => {
                    let op = BINARY[self.rng.usize(..BINARY.len())];
                    Expr::Binary(op, self.expr(depth - 1), self.expr(depth - 1))
                }
                8 => {
                    let all = [Unary::Not, Unary::Complement, Unary::Minus];
                    Expr::Unary(all[self.rng.usize(..3)], self.expr(depth - 1))
                }
                9 => Expr::And(self.list(depth - 1)),
                10 => Expr::Or(self.list(depth - 1)),
                _ => {
                    let three = [(); 3].map(|()| self.expr(depth - 1));
                    if self.rng.bool() {
                        Expr::Choice(three)
                    } else {
                        Expr::AtLocation(
                            ProctypeId::new(0),
                            Instance::Numbered(three[0]),
                            LocationId::new(self.rng.usize(..N_LOCATIONS)),
                        )
                    }
                }
            }
        };
        self.add(expr)
    }
}

/// Processes of one type, with one random step at each location.
fn random_model(seed: u64) -> Model {
    let mut model = Model::empty();
    let mut sources = base::Sources::new();
    let source = sources.add("m", "text");
    model.sites.push(Site {
        text: "text".to_owned(),
        span: base::Span::new(source, 0..4),
        line: 1,
        within: system::Within::default(),
        written: true,
    });
    model.layout.kinds = vec![
        with_fields(RecordKind::globals()),
        with_fields(RecordKind::process("p", N_LOCATIONS)),
    ];
    let mut random = Random {
        rng: Rng::with_seed(seed),
        model,
    };
    let mut proctype = Proctype::new("p", KindId::new(1));
    for n in 0..N_LOCATIONS {
        let depth = random.rng.u32(1..5);
        let action = match random.rng.u8(0..4) {
            0 => Action::Test(random.expr(depth)),
            1 => Action::Assert(random.expr(depth)),
            _ => Action::Assign(random.place(depth), random.expr(depth)),
        };
        // All locations follow one another, so all can be reached.
        let target = LocationId::new((n + 1) % N_LOCATIONS);
        let step = Step::new(action, target, SiteId::new(0));
        random.model.steps.push(step);
        proctype.locations.push(Location {
            steps: vec![StepId::new(n)],
            ..Location::default()
        });
    }
    random.model.proctypes.push(proctype);
    random.model.population = vec![ProctypeId::new(0); 3];
    random.model
}

/// Gives all variables random values, and processes random locations.
fn scramble(state: &mut [u8], model: &Model, random: &mut Random) {
    let records: Vec<(KindId, usize)> = model.layout.records(state).collect();
    let globals = std::iter::once((KindId::new(0), 0));
    for (kind, at) in globals.chain(records) {
        if kind.index() == 1 {
            state[at + 1] = random.rng.u8(..N_LOCATIONS as u8);
        }
        for field in &model.layout.kind(kind).fields {
            for n in 0..field.n_elements() {
                let value = random.number();
                let to = at + field.element_at(n) as usize;
                field.slot.scalar.store(state, to, value);
            }
        }
    }
}

#[test]
fn expressions_have_the_values_that_the_interpreter_gives() {
    for seed in 0..24 {
        let model = random_model(seed);
        let machine = Machine::running(model.clone(), Running::Both(&native::Cranelift));
        let mut scratch = machine.scratch();
        let mut state = Vec::new();
        machine.initial(&mut scratch, &mut |first| {
            state.extend_from_slice(first.expect("a state"));
        });
        let mut random = Random {
            rng: Rng::with_seed(seed),
            model: Model::empty(),
        };
        for _ in 0..N_STATES {
            scramble(&mut state, &model, &mut random);
            machine.successors(&state, &mut scratch, &mut |_| ControlFlow::Continue(()));
        }
        let n_asked = machine.n_asked(&scratch);
        let n_all = 3 * N_STATES as u64;
        assert!(
            n_asked < n_all / 2,
            "seed {seed}: asked {n_asked} of {n_all}"
        );
        let compiled = machine.compilation().expect("compiled").n_steps;
        assert_eq!(compiled, Ok(N_LOCATIONS), "seed {seed}");
    }
}
