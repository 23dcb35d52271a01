//! Which variables the text uses after the making, and which it changes.
//!
//! A variable that is not used may hold what it likes: it takes part in no symmetry and breaks
//! none. One that is used and never changed holds what it held when the making was over.

use model::processes::expr::{
    Expr, ExprId, Owner, Pattern, Place, Receive, operands, place_operands,
};
use model::processes::layout::KindId;
use model::processes::program::{Action, Model, ProctypeId, roots};

/// What happens to a variable.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Use {
    /// Whether the text has it at all.
    pub used: bool,
    /// Whether the text changes it.
    pub written: bool,
}

/// The uses of all variables, by kind and field.
pub(super) fn uses(text: &Model, live: &[Vec<bool>], made_later: &[bool]) -> Vec<Vec<Use>> {
    let blank = text.layout.kinds.iter();
    let mut finder = Finder {
        text,
        proctype: ProctypeId::new(0),
        uses: blank
            .map(|k| vec![Use::default(); k.fields.len()])
            .collect(),
    };
    for (p, proctype) in text.proctypes.iter().enumerate() {
        finder.proctype = ProctypeId::new(p);
        let kind = proctype.kind;
        let is_live = live[p].iter().any(|live| *live);
        proctype
            .provided
            .iter()
            .filter(|_| is_live)
            .for_each(|e| finder.expr(*e));
        for (location, live) in proctype.locations.iter().zip(&live[p]) {
            for step in location.steps.iter().filter(|_| *live) {
                let step = text.step(*step);
                finder.action(&step.action);
                roots(&step.action, &mut |e| finder.expr(e));
                for reset in &step.resets {
                    finder.write(kind, reset.field.index());
                }
            }
        }
        if made_later[p] {
            (0..finder.uses[kind.index()].len()).for_each(|f| finder.write(kind, f));
        }
        if let Some((field, _)) = proctype.priority {
            finder.write(kind, field.index());
        }
    }
    text.atoms.iter().for_each(|e| finder.expr(*e));
    if let Some(last) = text.rules.last {
        finder.write(KindId::new(0), last.index());
    }
    finder.uses
}

struct Finder<'a> {
    text: &'a Model,
    proctype: ProctypeId,
    uses: Vec<Vec<Use>>,
}

impl Finder<'_> {
    fn write(&mut self, kind: KindId, field: usize) {
        self.uses[kind.index()][field] = Use {
            used: true,
            written: true,
        };
    }

    fn expr(&mut self, e: ExprId) {
        let text = self.text;
        match text.expr(e) {
            Expr::Read(place) => self.place(place, false),
            Expr::Poll(receive) => self.receive(receive, false),
            _ => {}
        }
        operands(text.expr(e), &mut |e| self.expr(e));
    }

    fn place(&mut self, place: &Place, written: bool) {
        let kind = match place.owner {
            Owner::Globals => KindId::new(0),
            Owner::Own => self.text.proctype(self.proctype).kind,
            Owner::Other(p, _) => self.text.proctype(p).kind,
        };
        let known = &mut self.uses[kind.index()][place.field.index()];
        known.used = true;
        known.written |= written;
        place_operands(place, &mut |e| self.expr(e));
    }

    fn receive(&mut self, receive: &Receive, taken: bool) {
        for pattern in &receive.fields {
            if let Pattern::Store(place) = pattern {
                self.place(place, taken);
            }
        }
    }

    fn action(&mut self, action: &Action) {
        match action {
            Action::Assign(place, _) => self.place(place, true),
            Action::Receive(receive) => self.receive(receive, true),
            Action::All(all) => all.iter().for_each(|a| self.action(a)),
            _ => {}
        }
    }
}
