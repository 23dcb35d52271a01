//! Frames: which slot a variable is in, and what an inner frame copies from the one around it.

use super::super::code::{CaptureSite, ExprCode, Lazy};
use super::Compiler;
use crate::value::{BuiltIn, LazyId};
use base::Span;
use std::sync::Arc;

/// The slots of a function, suspended expression or group while it is compiled.
#[derive(Default)]
pub struct SlotFrame {
    /// What it copies: slot around it, own slot, name.
    captures: Vec<(u32, u32, Arc<str>)>,
    bindings: Vec<Binding>,
    n_slots: u32,
}

struct Binding {
    name: Arc<str>,
    place: NameLocation,
    kind: Option<usize>,
}

/// Where a local name is found.
#[derive(Clone, Copy, Debug)]
pub enum NameLocation {
    /// In a slot.
    Slot(u32),
    /// A member of the group in a slot.
    Member(u32, u32),
    /// A function of the language that was declared here.
    BuiltIn(BuiltIn),
}

impl Compiler<'_, '_> {
    /// The innermost frame.
    pub fn frame(&mut self) -> &mut SlotFrame {
        self.frames.last_mut().expect("a frame is open")
    }

    /// A fresh slot of the innermost frame.
    pub fn slot(&mut self) -> u32 {
        let frame = self.frame();
        frame.n_slots += 1;
        frame.n_slots - 1
    }

    /// Makes a name known from here on in the innermost frame.
    pub(crate) fn bind_local(&mut self, name: &Arc<str>, place: NameLocation, kind: Option<usize>) {
        let name = name.clone();
        self.frame().bindings.push(Binding { name, place, kind });
    }

    /// How many names are known, for [`Compiler::forget`].
    pub fn mark(&mut self) -> usize {
        self.frame().bindings.len()
    }

    /// Makes names unknown that came after the mark.
    pub fn forget(&mut self, mark: usize) {
        self.frame().bindings.truncate(mark);
    }

    /// Where a local name is found from the innermost frame; it is copied inwards if need be.
    pub fn local(&mut self, name: &str) -> Option<NameLocation> {
        let (home, place) = self
            .frames
            .iter()
            .enumerate()
            .rev()
            .find_map(|(i, frame)| {
                let found = frame.bindings.iter().rev().find(|b| &*b.name == name);
                found.map(|b| (i, b.place))
            })?;
        let carried = match place {
            NameLocation::Slot(slot) | NameLocation::Member(slot, _) => slot,
            NameLocation::BuiltIn(_) => return Some(place),
        };
        let slot = (home + 1..self.frames.len()).fold(carried, |slot, i| {
            let frame = &mut self.frames[i];
            if let Some((_, own, _)) = frame.captures.iter().find(|(from, ..)| *from == slot) {
                return *own;
            }
            let own = frame.n_slots;
            frame.n_slots += 1;
            frame.captures.push((slot, own, Arc::from(name)));
            own
        });
        Some(match place {
            NameLocation::Member(_, index) => NameLocation::Member(slot, index),
            _ => NameLocation::Slot(slot),
        })
    }

    /// Whether a local name is known.
    pub fn is_local(&self, name: &str) -> bool {
        let mut bindings = self.frames.iter().flat_map(|frame| &frame.bindings);
        bindings.any(|b| &*b.name == name)
    }

    /// The local names with what is known of them, outermost first.
    pub(crate) fn local_kinds(&self) -> Vec<(Arc<str>, Option<usize>)> {
        let bindings = self.frames.iter().flat_map(|frame| &frame.bindings);
        bindings.map(|b| (b.name.clone(), b.kind)).collect()
    }

    /// Opens a frame.
    pub fn open(&mut self) {
        self.frames.push(SlotFrame::default());
    }

    /// Closes the innermost frame: slots around it, own slots, names, and how many slots it has.
    pub fn close(&mut self) -> ClosedFrame {
        let frame = self.frames.pop().expect("a frame is open");
        ClosedFrame {
            from: frame.captures.iter().map(|c| c.0).collect(),
            own: frame.captures.iter().map(|c| c.1).collect(),
            called: frame.captures.into_iter().map(|c| c.2).collect(),
            n_slots: frame.n_slots as usize,
        }
    }

    /// Compiles something in a frame of its own, to be evaluated later.
    pub fn suspended(
        &mut self,
        span: Span,
        make: impl FnOnce(&mut Self) -> ExprCode,
    ) -> CaptureSite<LazyId> {
        self.open();
        let body = make(self);
        let closed = self.close();
        let id = LazyId::new(self.program.lazies.len());
        self.program.lazies.push(Lazy {
            body,
            own: closed.own,
            called: closed.called,
            n_slots: closed.n_slots,
            within: self.within.clone(),
            span,
        });
        CaptureSite {
            id,
            from: closed.from,
        }
    }

    /// Compiles something that sees no local names.
    pub fn closed(&mut self, span: Span, make: impl FnOnce(&mut Self) -> ExprCode) -> LazyId {
        let around = std::mem::take(&mut self.frames);
        let site = self.suspended(span, make);
        self.frames = around;
        site.id
    }
}

/// What is known of a frame once it is compiled.
pub struct ClosedFrame {
    /// The slots around it that it copies.
    pub from: Box<[u32]>,
    /// Where the copies go.
    pub own: Box<[u32]>,
    /// What they are called.
    pub called: Box<[Arc<str>]>,
    /// How many slots it has.
    pub n_slots: usize,
}
