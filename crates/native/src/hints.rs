//! Which kinds of channels to expect in a variable.
//!
//! A variable that gets a new channel of one kind when it is made, and that no step stores to,
//! holds a channel of that kind. Machine code then looks for that kind alone. Nothing depends on
//! this being right: any other kind asks.

use model::processes::machine::code::{
    ActCode, At, Base, Cell, Code, Element, InitCode, KindCode, PatternCode, Program, Spot,
};

/// Whose bytes: those of the globals, or of processes of that type.
type Owner = Option<u32>;

/// Some bytes of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Bytes {
    owner: Owner,
    from: u32,
    to: u32,
}

impl Bytes {
    fn meets(&self, other: &Bytes) -> bool {
        self.owner == other.owner && self.from <= other.to && other.from <= self.to
    }
}

/// The channels that variables hold from the start, and the variables that are stored to.
pub struct Hints {
    made: Vec<(Bytes, Vec<u8>)>,
    stored: Vec<Bytes>,
}

impl Hints {
    /// Of a program.
    pub fn of(program: &Program) -> Hints {
        let mut hints = Hints {
            made: Vec::new(),
            stored: Vec::new(),
        };
        hints.inits(program, None, &program.prologue);
        for (n, proc) in program.procs.iter().enumerate() {
            let owner = Some(n as u32);
            hints.inits(program, owner, &proc.prologue);
            for spot in &proc.parameters {
                hints.stored.push(bytes(program, owner, spot));
            }
            for (from, to) in &proc.steps {
                for s in &program.order[*from as usize..*to as usize] {
                    hints.act(program, owner, &program.steps[*s as usize].act);
                }
            }
        }
        hints
    }

    fn inits(&mut self, program: &Program, owner: Owner, inits: &[InitCode]) {
        for init in inits {
            match init {
                InitCode::Value(spot, _) => self.stored.push(bytes(program, owner, spot)),
                InitCode::Channel(spot, kind) => {
                    let bytes = bytes(program, owner, spot);
                    self.made.push((bytes, vec![kind.index() as u8]));
                }
            }
        }
    }

    fn act(&mut self, program: &Program, owner: Owner, act: &ActCode) {
        match act {
            ActCode::Assign(spot, _) => self.stored.push(bytes(program, owner, spot)),
            ActCode::Receive(receive) => {
                for field in &receive.fields {
                    if let PatternCode::Store(spot) = field {
                        self.stored.push(bytes(program, owner, spot));
                    }
                }
            }
            ActCode::All(all) => all.iter().for_each(|act| self.act(program, owner, act)),
            _ => {}
        }
    }

    /// The kinds to expect of a channel; `None` if it may be any.
    pub fn kinds(&self, program: &Program, proc: u32, channel: At) -> Option<Vec<u8>> {
        let bytes = match &program.codes[channel as usize] {
            Code::Global(cell) => of_cell(None, *cell),
            Code::Own(cell) => of_cell(Some(proc), *cell),
            Code::Element(e) => of_element(program, Some(proc), e),
            _ => return None,
        };
        if self.stored.iter().any(|other| other.meets(&bytes)) {
            return None;
        }
        let made = self.made.iter().filter(|(other, _)| other.meets(&bytes));
        let kinds: Vec<u8> = made.flat_map(|(_, kinds)| kinds.clone()).collect();
        Some(kinds).filter(|kinds| !kinds.is_empty())
    }
}

fn bytes(program: &Program, owner: Owner, spot: &Spot) -> Bytes {
    match spot {
        Spot::Global(cell) => of_cell(None, *cell),
        Spot::Own(cell) => of_cell(owner, *cell),
        Spot::Element(e) => of_element(program, owner, e),
    }
}

fn of_cell(owner: Owner, cell: Cell) -> Bytes {
    Bytes {
        owner,
        from: cell.at,
        to: cell.at,
    }
}

fn of_element(program: &Program, owner: Owner, e: &Element) -> Bytes {
    let owner = match e.base {
        Base::Globals => None,
        Base::Own => owner,
        Base::Numbered(kind, _) | Base::First(kind) => match program.kinds[kind.index()] {
            KindCode::Process(p) => Some(p),
            _ => None,
        },
    };
    let reach = e
        .indices
        .iter()
        .map(|(_, bound, stride)| (bound - 1) * stride);
    Bytes {
        owner,
        from: e.cell.at,
        to: e.cell.at + reach.sum::<u32>(),
    }
}
