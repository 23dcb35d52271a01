//! Connectives of answers that may be missing.
//!
//! An answer is true, false, or a fault. What is not known yet, and what was cut, may be either of
//! the two: `P & Q` with `P` cut is false if `Q` is, and else cut. What is undefined is an answer
//! of its own as long as all to the left of it is known; after a part that is cut it is not looked
//! at, because that part may turn out to protect it. This is Kleene's strong logic for the first
//! kind, and the logic of evaluation from left to right for the second.
//!
//! Worked example: with `C` cut and `U` undefined, `C & false` is false, `C & U` is cut,
//! `U & false` is undefined, `C or true` is true.

use super::{Context, Eval, Fault};

impl Fault {
    /// Whether the answer is there, but was not found.
    pub(super) fn is_open(&self) -> bool {
        match self {
            Fault::Unknown => true,
            fault => fault.is_cut() && !fault.is_end(),
        }
    }
}

/// The one of two missing answers that is told: what is not known yet is asked again later.
pub(super) fn more_open(old: Option<Fault>, new: Fault) -> Option<Fault> {
    match (old, new) {
        (Some(Fault::Unknown), _) | (_, Fault::Unknown) => Some(Fault::Unknown),
        (Some(old), _) if old.is_cut() => Some(old),
        (_, new) => Some(new),
    }
}

impl Context<'_> {
    /// `decisive` if one of the answers is that, else the contrary if all are there.
    pub fn decide<T>(
        &mut self,
        all: impl IntoIterator<Item = T>,
        decisive: bool,
        mut ask: impl FnMut(&mut Self, T) -> Eval<bool>,
    ) -> Eval<bool> {
        let mut open: Option<Fault> = None;
        let mut is_protected = false;
        for part in all {
            match ask(self, part) {
                Ok(value) if value == decisive => return Ok(decisive),
                Ok(_) => {}
                Err(fault) if fault.is_open() => {
                    is_protected = true;
                    open = more_open(open, fault);
                }
                Err(fault) if fault.is_end() => return Err(fault),
                Err(_) if is_protected => {}
                Err(fault) if decisive && self.is_lenient && fault.is_undefined() => {
                    open = Some(fault);
                }
                Err(fault) => return Err(fault),
            }
        }
        match open {
            Some(fault) => Err(fault),
            None => Ok(!decisive),
        }
    }

    /// Both answers, the second asked only if the first does not decide.
    pub fn both(
        &mut self,
        first: Eval<bool>,
        second: impl FnOnce(&mut Self) -> Eval<bool>,
    ) -> Eval<bool> {
        match first {
            Ok(true) => second(self),
            Err(fault) if fault.is_open() => match second(self) {
                Ok(false) => Ok(false),
                Err(Fault::Unknown) => Err(Fault::Unknown),
                _ => Err(fault),
            },
            decided => decided,
        }
    }

    /// One of two answers, the second asked only if the first does not decide.
    pub fn either(
        &mut self,
        first: Eval<bool>,
        second: impl FnOnce(&mut Self) -> Eval<bool>,
    ) -> Eval<bool> {
        let contrary = self.both(first.map(|holds| !holds), |context| {
            second(context).map(|holds| !holds)
        });
        contrary.map(|holds| !holds)
    }
}
