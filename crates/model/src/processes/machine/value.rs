//! The value of an atom in words: as a variable with such a value is shown.
//!
//! An atom is a number; what it stands for follows from what it is made of. Worked example: with
//! `mtype m` and `bool b`, the value of `(b -> m : 0)` is a name, as that of `m`, and that of
//! `m == red` is true or false, as that of `b`.

use super::Machine;
use super::code::At;
use super::eval::Env;
use super::expand::Memory;
use super::words::UNDEFINED;
use crate::processes::expr::{Binary, Expr, ExprId, Owner, Place, Probe, Unary};
use crate::processes::layout::{KindId, Meaning, Scalar, Slot};
use system::System;
use system::fault::FaultKind;

impl Machine {
    /// The value of an atom in a state, or what goes wrong. A variable of a process that is not
    /// there has no value here; in formulas it is 0, as in SPIN.
    ///
    /// # Requires
    /// The state is one of this machine, and the atom one of its model's.
    pub fn atom_value(&self, atom: usize, state: &[u8]) -> Result<String, FaultKind> {
        let at: At = self.program.atoms[atom];
        let mut scratch = self.scratch();
        let frame = &mut scratch.content::<Memory>().frames[0];
        frame.load(state, &self.program);
        let mut env = Env::new(&self.program, frame, usize::MAX);
        let value = env.eval(at)?;
        if env.read_absent {
            return Err(FaultKind::NoProcess);
        }
        if let Some(kind) = env.frame.noted.first() {
            return Err(*kind);
        }
        let expr = self.model.atoms[atom];
        if self.undefined_of(expr) == Some(value) {
            return Ok(UNDEFINED.to_owned());
        }
        let slot = Slot {
            scalar: Scalar::I32,
            meaning: self.meaning(expr),
        };
        Ok(self.value(&self.named(state), slot, value))
    }

    /// What the value of an expression stands for.
    fn meaning(&self, id: ExprId) -> Meaning {
        match &self.model.exprs[id.index()] {
            Expr::Read(place) => self.slot_of(place).map_or(Meaning::Number, |s| s.meaning),
            Expr::Unary(Unary::Not, _)
            | Expr::And(_)
            | Expr::Or(_)
            | Expr::Poll(_)
            | Expr::Timeout
            | Expr::Enabled(_)
            | Expr::AtLocation(..)
            | Expr::NonProgress
            | Expr::Accepting => Meaning::Truth,
            Expr::Binary(op, ..) if is_comparison(*op) => Meaning::Truth,
            Expr::Probe(probe, _) if *probe != Probe::Length => Meaning::Truth,
            Expr::Choice([_, yes, no]) => match self.meaning(*yes) {
                Meaning::Number => self.meaning(*no),
                meaning => meaning,
            },
            _ => Meaning::Number,
        }
    }

    /// The number that stands for no member, where the expression reads a member of a sort.
    fn undefined_of(&self, id: ExprId) -> Option<i32> {
        match &self.model.exprs[id.index()] {
            Expr::Read(place) => self.undefined(self.kind_of(place)?, place.field),
            Expr::Choice([_, yes, no]) => {
                let yes = self.undefined_of(*yes);
                yes.or_else(|| self.undefined_of(*no))
            }
            _ => None,
        }
    }

    fn kind_of(&self, place: &Place) -> Option<KindId> {
        match place.owner {
            Owner::Globals => Some(KindId::new(0)),
            Owner::Other(proctype, _) => Some(self.model.proctypes[proctype.index()].kind),
            Owner::Own => None,
        }
    }

    fn slot_of(&self, place: &Place) -> Option<Slot> {
        let kind = self.model.layout.kind(self.kind_of(place)?);
        Some(kind.fields[place.field.index()].slot)
    }
}

fn is_comparison(op: Binary) -> bool {
    matches!(
        op,
        Binary::Less
            | Binary::LessEqual
            | Binary::Greater
            | Binary::GreaterEqual
            | Binary::Equal
            | Binary::NotEqual
    )
}
