//! The text, use by use.

use super::{Checked, Verifier};
use crate::processes::sort::ClassId;
use crate::processes::sort::start::said;
use model::processes::expr::{
    Binary, Expr, ExprId, Instance, Owner, Pattern, Place, Probe, Receive, Send, Unary,
};
use model::processes::layout::{FieldId, KindId};
use model::processes::program::{Action, Init, ProctypeId, StepId};

/// How an expression is used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum As {
    Value,
    Truth,
}

impl<'a> Verifier<'a> {
    /// All that can happen.
    pub(super) fn texts(&mut self) -> Checked {
        let text = &self.sorts.text;
        (0..text.proctypes.len()).try_for_each(|p| self.text(ProctypeId::new(p)))?;
        self.line = 0;
        text.atoms.iter().try_for_each(|e| self.expr(*e, As::Truth))
    }

    fn text(&mut self, p: ProctypeId) -> Checked {
        let sorts = self.sorts;
        let proctype = sorts.text.proctype(p);
        self.proctype = p;
        self.line = 0;
        if let Some(provided) = proctype.provided
            && sorts.live[p.index()].iter().any(|live| *live)
        {
            self.expr(provided, As::Truth)?;
        }
        if self.is_made(p) {
            self.zeros(p)?;
            proctype
                .prologue
                .iter()
                .try_for_each(|init| self.init(init))?;
        }
        for (at, location) in proctype.locations.iter().enumerate() {
            if self.is_walked(p, at) {
                location
                    .steps
                    .iter()
                    .try_for_each(|step| self.step(*step))?;
            }
        }
        Ok(())
    }

    /// Variables of a process that is made start as 0, unless something else is said.
    fn zeros(&self, p: ProctypeId) -> Checked {
        let sorts = self.sorts;
        let kind = sorts.text.proctype(p).kind;
        let said = said(&sorts.text, p);
        for (f, classes) in sorts.fields[kind.index()].iter().enumerate() {
            let class = classes.value;
            let start = sorts.text.proctype(p).start;
            let neutral = sorts.is_neutral(p, FieldId::new(f), start);
            if !sorts.uses[kind.index()][f].used || said[f] {
                continue;
            }
            let known = match sorts.made_later[p.index()] {
                true if neutral => true,
                true => self.keeps(class, 0),
                false => self.admits(class, 0),
            };
            self.demand(known, "a variable starts as 0, which is not pinned")?;
        }
        Ok(())
    }

    fn step(&mut self, step: StepId) -> Checked {
        let sorts = self.sorts;
        let step = sorts.text.step(step);
        self.line = sorts.text.sites[step.site.index()].line;
        self.action(&step.action)?;
        let kind = sorts.text.proctype(self.proctype).kind;
        for reset in &step.resets {
            let class = sorts.fields[kind.index()][reset.field.index()].value;
            if sorts.is_neutral(self.proctype, reset.field, step.target) {
                continue;
            }
            let known = self.admits(class, reset.value);
            self.demand(known, "a variable is reset to what is no member")?;
            self.computed[class.index()] |= reset.value != 0;
        }
        Ok(())
    }

    fn init(&mut self, init: &Init) -> Checked {
        match init {
            Init::Value(place, e) => {
                let class = self.place(place)?;
                self.flow(*e, class)
            }
            Init::Channel(place, _) => {
                let class = self.place(place)?;
                let open = self.sorts.class(class).open || self.is_plain(class);
                self.demand(open, "later channels have numbers that are no members")
            }
        }
    }

    fn action(&mut self, action: &Action) -> Checked {
        match action {
            Action::Test(e) | Action::Assert(e) => self.expr(*e, As::Truth),
            Action::Assign(place, e) => {
                let class = self.place(place)?;
                self.flow(*e, class)
            }
            Action::Drop(e) => self.expr(*e, As::Value),
            Action::Send(send) => self.send(send),
            Action::Receive(receive) => self.receive(receive),
            Action::SetPriority(p, e, _) => {
                self.process(*p)?;
                self.expr(*e, As::Value)?;
                let plain = self.is_plain(self.sorts.of(*e));
                self.demand(plain, "priorities are compared by size")
            }
            Action::All(all) => all.iter().try_for_each(|action| self.action(action)),
            Action::Skip | Action::Else | Action::Print(_) => Ok(()),
            Action::Deterministic(..) | Action::End => Ok(()),
        }
    }

    /// The value of `e` comes into the class, or is compared with what is in it.
    fn flow(&mut self, e: ExprId, class: ClassId) -> Checked {
        let joined = self.sorts.of(e) == class;
        self.demand(joined, "numbers of two classes come together")?;
        self.expr(e, As::Value)
    }

    fn process(&mut self, e: ExprId) -> Checked {
        let names = self.sorts.class(self.sorts.of(e)).names_processes;
        self.demand(
            names,
            "a number is that of a process, and its class says nothing of it",
        )?;
        self.expr(e, As::Value)
    }

    fn instance(&mut self, which: Instance) -> Checked {
        match which {
            Instance::Numbered(e) => self.process(e),
            Instance::Any => Ok(()),
        }
    }

    /// The kinds of channel that `e` can give.
    fn channel(&mut self, e: ExprId) -> Result<Vec<KindId>, super::Misuse> {
        let class = self.sorts.of(e);
        let names = self.sorts.class(class).names_channels;
        self.demand(
            names,
            "a number is that of a channel, and its class says nothing of it",
        )?;
        self.expr(e, As::Value)?;
        let kinds = self.kinds.as_ref().map(|kinds| &kinds[class.index()]);
        Ok(kinds.into_iter().flatten().copied().collect())
    }

    fn send(&mut self, send: &Send) -> Checked {
        let kinds = self.channel(send.channel)?;
        send.fields
            .iter()
            .try_for_each(|e| self.expr(*e, As::Value))?;
        for kind in kinds {
            let Some(classes) = self.sent(kind, send) else {
                return self.misuse("a message is sent with another tag");
            };
            for (i, class) in classes.iter().enumerate() {
                match send.fields.get(i) {
                    Some(e) => self.flow(*e, *class)?,
                    None => self.demand(self.keeps(*class, 0), "a missing field is 0")?,
                }
                let plain = !send.sorted || self.is_plain(*class);
                self.demand(plain, "messages are sorted by a sort")?;
            }
        }
        Ok(())
    }

    fn receive(&mut self, receive: &Receive) -> Checked {
        let kinds = self.channel(receive.channel)?;
        for (i, pattern) in receive.fields.iter().enumerate() {
            let classes = kinds
                .iter()
                .flat_map(|kind| self.received(*kind, receive, i));
            let classes: Vec<ClassId> = classes.collect();
            let class = match pattern {
                Pattern::Drop => continue,
                Pattern::Store(place) => self.place(place)?,
                Pattern::Match(e) => {
                    self.expr(*e, As::Value)?;
                    self.sorts.of(*e)
                }
            };
            let joined = classes.into_iter().all(|other| other == class);
            self.demand(joined, "a message has another class than who receives it")?;
        }
        Ok(())
    }

    /// The classes of what is sent to channels of a kind; `None` if it has a tag that is none.
    fn sent(&self, kind: KindId, send: &Send) -> Option<&'a [ClassId]> {
        let sorts = self.sorts;
        let classes = &sorts.messages[kind.index()];
        let variant = match &classes.tag {
            None => 0,
            Some(tag) => match sorts.text.expr(*send.fields.get(tag.field)?) {
                Expr::Const(v) => tag.variant(*v)?,
                _ => return None,
            },
        };
        classes.variants.get(variant).map(Vec::as_slice)
    }

    /// The classes of a field of the messages that a receive can take from channels of a kind.
    fn received(&self, kind: KindId, receive: &Receive, field: usize) -> Vec<ClassId> {
        let text = &self.sorts.text;
        let classes = &self.sorts.messages[kind.index()];
        let variants = classes.variants.iter();
        let all: Vec<ClassId> = variants.filter_map(|one| one.get(field).copied()).collect();
        let Some(tag) = classes.tag.as_ref().filter(|tag| tag.field != field) else {
            return all;
        };
        // Fields are compared in order: what goes wrong before the tag was compared could go wrong
        // for messages with another tag, whatever class their fields have.
        let sure = |pattern: &Pattern| match pattern {
            Pattern::Match(e) => match text.expr(*e) {
                Expr::Const(_) | Expr::Pid => true,
                Expr::Read(place) => place.indices.is_empty() && self.is_near(place),
                _ => false,
            },
            _ => true,
        };
        let Some(Pattern::Match(e)) = receive.fields.get(tag.field) else {
            return all;
        };
        match text.expr(*e) {
            Expr::Const(v) if receive.fields[..tag.field].iter().all(sure) => {
                let found = tag.variant(*v).and_then(|n| all.get(n));
                found.into_iter().copied().collect()
            }
            _ => all,
        }
    }

    fn is_near(&self, place: &Place) -> bool {
        !matches!(place.owner, Owner::Other(..))
    }

    /// A poll may ask for more fields than messages have; if they have one, the others are 0.
    fn long_poll(&mut self, receive: &Receive) -> Checked {
        let kinds = self.channel(receive.channel)?;
        if !kinds
            .iter()
            .any(|kind| self.sorts.messages[kind.index()].n_fields() == 1)
        {
            return Ok(());
        }
        receive
            .fields
            .iter()
            .skip(1)
            .try_for_each(|pattern| match pattern {
                Pattern::Match(e) => {
                    let kept = self.keeps(self.sorts.of(*e), 0);
                    self.demand(kept, "a field that is not there is 0")
                }
                _ => Ok(()),
            })
    }

    /// Checks indices; gives the class of what is in a place.
    fn place(&mut self, place: &Place) -> Result<ClassId, super::Misuse> {
        if let Owner::Other(_, which) = place.owner {
            self.instance(which)?;
        }
        let sorts = self.sorts;
        let classes = &sorts.fields[self.kind_of(place.owner).index()][place.field.index()];
        for (e, class) in place.indices.iter().zip(&classes.indices) {
            self.flow(*e, *class)?;
        }
        Ok(classes.value)
    }

    fn expr(&mut self, e: ExprId, met: As) -> Checked {
        let sorts = self.sorts;
        let class = sorts.of(e);
        let value = met == As::Value;
        if let Some(table) = sorts.exprs[e.index()].table {
            self.table(e, table)?;
            let truth = sorts.tables[table.index()].truth;
            let bit = match sorts.text.expr(e) {
                // What is compared may be looked at without the table, too.
                Expr::Binary(Binary::Equal | Binary::NotEqual, ..) => {
                    self.truth(e)?;
                    true
                }
                Expr::Binary(op, ..) => is_order(*op),
                Expr::Choice(parts) => {
                    self.choice(parts, class, met)?;
                    false
                }
                _ => false,
            };
            self.demand(!truth || !value || bit, "a table of truth alone")?;
            return if truth && value {
                self.bit(class)
            } else {
                Ok(())
            };
        }
        match sorts.text.expr(e) {
            Expr::Const(v) => {
                self.computed[class.index()] |= value && *v != 0;
                self.demand(!value || self.admits(class, *v), "a literal is no member")
            }
            Expr::Read(_) | Expr::Pid | Expr::Run(..) => {
                self.leaf(e)?;
                self.demand(value || self.keeps(class, 0), "truth is not being 0")
            }
            Expr::Choice(parts) => self.choice(parts, class, met),
            Expr::NProcesses
            | Expr::LocationOf(_)
            | Expr::PriorityOf(_)
            | Expr::Probe(Probe::Length, _) => self.count(e),
            Expr::Binary(op, ..) if !matches!(op, Binary::Equal | Binary::NotEqual) => {
                self.operands(e)?;
                match (value, is_order(*op)) {
                    (false, _) => Ok(()),
                    (true, true) => self.bit(class),
                    (true, false) => self.number(class),
                }
            }
            Expr::Unary(Unary::Complement | Unary::Minus, _) => {
                self.operands(e)?;
                if value { self.number(class) } else { Ok(()) }
            }
            _ => {
                self.truth(e)?;
                if value { self.bit(class) } else { Ok(()) }
            }
        }
    }

    /// The branches of a choice have its class.
    fn choice(&mut self, [test, a, b]: &[ExprId; 3], class: ClassId, met: As) -> Checked {
        self.expr(*test, As::Truth)?;
        [*a, *b].into_iter().try_for_each(|branch| match met {
            As::Value => self.flow(branch, class),
            As::Truth => self.expr(branch, As::Truth),
        })
    }

    /// 0 and 1 come into the class, whatever members are called.
    fn bit(&mut self, class: ClassId) -> Checked {
        self.computed[class.index()] = true;
        let kept = self.keeps(class, 0) && self.keeps(class, 1);
        self.demand(kept, "a truth is a number")
    }

    /// Any number can come into the class.
    fn number(&mut self, class: ClassId) -> Checked {
        self.computed[class.index()] = true;
        self.demand(self.is_plain(class), "arithmetic gives a member of a sort")
    }

    fn count(&mut self, e: ExprId) -> Checked {
        match self.sorts.text.expr(e) {
            Expr::LocationOf(p) | Expr::PriorityOf(p) => self.process(*p)?,
            Expr::Probe(_, channel) => {
                self.channel(*channel)?;
            }
            _ => {}
        }
        self.number(self.sorts.of(e))
    }

    /// The operands of arithmetic or order without a table are plain.
    fn operands(&mut self, e: ExprId) -> Checked {
        match self.sorts.text.expr(e) {
            Expr::Const(_) => Ok(()),
            Expr::Binary(op, a, b) if !matches!(op, Binary::Equal | Binary::NotEqual) => {
                self.operands(*a)?;
                self.operands(*b)
            }
            Expr::Unary(Unary::Complement | Unary::Minus, a) => self.operands(*a),
            _ => {
                self.expr(e, As::Value)?;
                let plain = self.is_plain(self.sorts.of(e));
                self.demand(plain, "arithmetic or order on a sort")
            }
        }
    }

    /// A variable, `_pid`, or a new process.
    pub(super) fn leaf(&mut self, e: ExprId) -> Checked {
        let (sorts, class) = (self.sorts, self.sorts.of(e));
        let held = match sorts.text.expr(e) {
            Expr::Read(place) => {
                let held = self.place(place)?;
                if matches!(place.owner, Owner::Other(..)) {
                    let kept = self.keeps(class, 0);
                    self.demand(kept, "a process that is not there has 0 in all variables")?;
                }
                held
            }
            Expr::Pid => sorts.pids[self.proctype.index()],
            Expr::Run(p, args, _) => {
                self.arguments(*p, args)?;
                sorts.pids[p.index()]
            }
            _ => class,
        };
        self.demand(
            held == class,
            "a variable and what is read from it differ in class",
        )
    }

    fn arguments(&mut self, p: ProctypeId, args: &[ExprId]) -> Checked {
        let sorts = self.sorts;
        let class = sorts.pids[p.index()];
        self.demand(self.keeps(class, 0), "a process that cannot be made is 0")?;
        let proctype = sorts.text.proctype(p);
        let pairs = proctype.parameters.iter().zip(args);
        for (place, e) in pairs {
            let fixed = |i: &ExprId| matches!(sorts.text.expr(*i), Expr::Const(_));
            let fixed = Self::is_own(place) && place.indices.iter().all(fixed);
            self.demand(fixed, "a parameter whose place is not fixed")?;
            let class = sorts.fields[proctype.kind.index()][place.field.index()].value;
            self.flow(*e, class)?;
        }
        self.demand(
            proctype.parameters.len() <= args.len(),
            "a parameter without a value",
        )
    }

    /// What is 0 or 1.
    fn truth(&mut self, e: ExprId) -> Checked {
        let sorts = self.sorts;
        match sorts.text.expr(e) {
            Expr::Unary(_, a) => self.expr(*a, As::Truth),
            Expr::Binary(_, a, b) => {
                self.expr(*a, As::Value)?;
                self.flow(*b, sorts.of(*a))
            }
            Expr::And(all) | Expr::Or(all) => all.iter().try_for_each(|a| self.expr(*a, As::Truth)),
            Expr::Probe(_, channel) => self.channel(*channel).map(|_| ()),
            Expr::Poll(receive) => {
                self.receive(receive)?;
                self.long_poll(receive)
            }
            Expr::Enabled(p) => self.process(*p),
            Expr::AtLocation(_, which, _) => self.instance(*which),
            _ => Ok(()),
        }
    }
}

fn is_order(op: Binary) -> bool {
    use Binary::{Greater, GreaterEqual, Less, LessEqual};
    matches!(op, Less | LessEqual | Greater | GreaterEqual)
}
