//! Values of a machine and the bytes of its states.
//!
//! A state holds the constants and then the variables. Constants never change, so a successor has
//! the bytes of its predecessor's, and constants that were read once are not read again as long as
//! states with the same ones are asked about.

use super::Live;
use crate::run::ChosenSetups;
use crate::value::Value;
use model::values::Stage;
use model::values::bytes::Reader;
use std::ops::ControlFlow;
use std::sync::{Arc, PoisonError};
use system::{Fault, FaultKind};

/// Constants as states hold them and as they are computed with. Large ones take long to read and
/// write, and states with the same constants mostly come one after the other.
pub(super) struct PackedConstants {
    /// The bytes of those that states hold.
    bytes: Vec<u8>,
    /// The values of all of them.
    values: Vec<Value>,
}

impl Live {
    /// The state of the first valuation of the constants, if there is one that states can hold.
    pub(crate) fn a_setup(&self) -> Option<Vec<u8>> {
        let mut first = None;
        let _ = self.program.setups(ChosenSetups::Named, &mut |constants| {
            let mut bytes = Vec::new();
            let packed = self.pack(Stage::Constants, constants, &mut bytes);
            first = packed.is_ok().then_some(bytes);
            ControlFlow::Break(())
        });
        first
    }

    /// Calls `out` with the state of each of these valuations of the constants; gives whether that
    /// is all of them.
    pub fn setups(&self, which: ChosenSetups, out: &mut dyn FnMut(&[u8])) -> bool {
        let (mut bytes, mut fits) = (Vec::new(), true);
        let extent = self.program.setups(which, &mut |constants| match self.pack(
            Stage::Constants,
            constants,
            &mut bytes,
        ) {
            Ok(()) => {
                out(&bytes);
                ControlFlow::Continue(())
            }
            Err(_) => {
                fits = false;
                ControlFlow::Break(())
            }
        });
        fits && extent.is_complete()
    }

    /// The state before the variables of `state` had values.
    pub(crate) fn setup_of(&self, state: &[u8]) -> Vec<u8> {
        let mut reader = Reader::new(state.get(1..).unwrap_or(&[]));
        let n_constants = self.signature().constants.len();
        for codec in self.codecs.iter().take(n_constants) {
            codec.decode(&mut reader);
        }
        let mut bytes = state[..=reader.at()].to_vec();
        bytes[0] = Stage::Constants as u8;
        bytes
    }

    /// The values that a state holds: of constants, and of variables if there are any yet.
    pub(super) fn held(&self, state: &[u8]) -> (Stage, Vec<Value>) {
        let signature = self.signature();
        let (stage, n) = match state.first() {
            Some(0) | None => (Stage::Constants, signature.constants.len()),
            Some(_) => (Stage::Running, self.codecs.len()),
        };
        let mut reader = Reader::new(state.get(1..).unwrap_or(&[]));
        let codecs = self.codecs.iter().take(n);
        let values = codecs.map(|codec| codec.decode(&mut reader)).collect();
        (stage, values)
    }

    /// The constants of a state; or what went wrong with one that states do not hold.
    fn constants(&self, state: &[u8]) -> Result<Arc<PackedConstants>, Fault> {
        let bytes = state.get(1..).unwrap_or(&[]);
        let lock = || self.last.lock().unwrap_or_else(PoisonError::into_inner);
        // No bytes of constants are a beginning of others.
        if let Some(last) = &*lock()
            && bytes.starts_with(&last.bytes)
        {
            return Ok(Arc::clone(last));
        }
        let mut reader = Reader::new(bytes);
        let codecs = self.codecs.iter().take(self.signature().constants.len());
        let held: Vec<Value> = codecs.map(|codec| codec.decode(&mut reader)).collect();
        let n = reader.at();
        let values = if self.program.is_stored().iter().all(|stored| *stored) {
            held
        } else {
            let all = self.program.complete(&held);
            all.map_err(|trouble| self.trouble(&trouble))?
        };
        let constants = Arc::new(PackedConstants {
            bytes: bytes[..n].to_vec(),
            values,
        });
        *lock() = Some(Arc::clone(&constants));
        Ok(constants)
    }

    /// The values of all constants, and of variables if there are any yet; or what went wrong with
    /// a constant that states do not hold.
    pub(crate) fn unpack(&self, state: &[u8]) -> Result<(Stage, Vec<Value>), Fault> {
        let constants = self.constants(state)?;
        let mut all = constants.values.clone();
        let stage = match state.first() {
            Some(0) | None => return Ok((Stage::Constants, all)),
            Some(_) => Stage::Running,
        };
        let from = 1 + constants.bytes.len();
        let mut reader = Reader::new(state.get(from..).unwrap_or(&[]));
        let codecs = self.codecs.iter().skip(self.signature().constants.len());
        all.extend(codecs.map(|codec| codec.decode(&mut reader)));
        Ok((stage, all))
    }

    /// The bytes of a state that comes after `state`, which has the same constants.
    pub(super) fn pack_after(
        &self,
        state: &[u8],
        values: &[Value],
        out: &mut Vec<u8>,
    ) -> Result<(), Fault> {
        let constants = self.constants(state)?;
        out.clear();
        out.push(Stage::Running as u8);
        out.extend_from_slice(&constants.bytes);
        let n_constants = self.program.machine().n_constants;
        self.pack_fields(
            self.signature().constants.len(),
            &mut values.iter().skip(n_constants),
            out,
        )
    }

    /// The bytes of a state, or what does not fit into one.
    pub(crate) fn pack(
        &self,
        stage: Stage,
        values: &[Value],
        out: &mut Vec<u8>,
    ) -> Result<(), Fault> {
        out.clear();
        out.push(stage as u8);
        let n_constants = self.program.machine().n_constants;
        let (constants, variables) = values.split_at(n_constants.min(values.len()));
        let stored = constants.iter().zip(self.program.is_stored());
        let stored = stored
            .filter(|(_, stored)| **stored)
            .map(|(value, _)| value);
        self.pack_fields(0, &mut stored.chain(variables), out)
    }

    /// Adds the bytes of values, that of field number `first` and those after it.
    fn pack_fields(
        &self,
        first: usize,
        values: &mut dyn Iterator<Item = &Value>,
        out: &mut Vec<u8>,
    ) -> Result<(), Fault> {
        let signature = self.signature();
        let fields = signature.constants.iter().chain(&signature.variables);
        let fields = fields.zip(&self.codecs).skip(first);
        for ((field, codec), value) in fields.zip(values) {
            if codec.encode(value, out).is_err() {
                let globals = &self.program.machine().globals;
                let global = globals.iter().find(|global| global.name == field.name);
                let span = global.map_or(self.program.machine().initialisation.span, |g| g.span);
                let message = format!("the value of `{}` is not a finite set", field.name);
                return Err(self.fault(FaultKind::Cut, span, Some(message)));
            }
        }
        Ok(())
    }
}
