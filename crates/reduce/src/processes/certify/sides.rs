//! What stands in a model, and what a permutation would put in its place, as text.
//!
//! Only a step for which there is none like it is written, so this may take its time. Names are
//! those of the model, numbers their images; a condition that is known by its table is written by
//! the values for which it holds.
//!
//! Worked example: `_pid == 3` under the exchange of processes 2 and 3 is `_pid == 2`; `_pid < 2`
//! under the exchange of 1 and 2 is `_pid in {0, 2}`.

use super::facts::Facts;
use super::substitution::Substitution;
use crate::processes::sort::{ClassId, Table};
use model::processes::expr::{
    Binary, Expr, ExprId, Instance, Owner, Pattern, Place, Probe, Receive, Send, Unary,
};
use model::processes::layout::{FieldId, KindId, Meaning, Role};
use model::processes::program::{Action, ProctypeId, StepId};

/// What stands in a model, and what would have to stand in its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sides {
    /// The model's part.
    pub text: String,
    /// Its image, which is not there.
    pub image: String,
}

/// The longest text.
const N_CHARS_MAX: usize = 160;

impl Sides {
    /// Two texts, if they differ.
    pub(super) fn new(text: String, image: String) -> Option<Sides> {
        let [text, image] = [text, image].map(|words| {
            let cut = words.char_indices().nth(N_CHARS_MAX).map(|(at, _)| at);
            cut.map_or(words.clone(), |at| format!("{}…", &words[..at]))
        });
        (text != image).then_some(Sides { text, image })
    }

    /// Those of a step of a process type.
    pub(super) fn of_step(
        facts: &Facts<'_>,
        images: &Substitution,
        (p, step): (ProctypeId, StepId),
    ) -> Option<Sides> {
        let identity = Substitution::identity(facts);
        let written = |images: &Substitution| {
            let proctype = images.types[p.index()];
            let name = &facts.sorts.text.proctype(proctype).name;
            let says = Says {
                facts,
                images,
                proctype: p,
            };
            let action = &facts.sorts.text.step(step).action;
            (name.clone(), says.action(action))
        };
        let ((from, text), (to, image)) = (written(&identity), written(images));
        if text == image && from != to {
            return Sides::new(format!("{text} in {from}"), format!("{image} in {to}"));
        }
        Sides::new(text, image)
    }
}

/// Writes with the images of names.
struct Says<'a> {
    facts: &'a Facts<'a>,
    images: &'a Substitution,
    proctype: ProctypeId,
}

impl Says<'_> {
    fn action(&self, action: &Action) -> String {
        match action {
            Action::Skip => "skip".to_owned(),
            Action::Print(_) => "printf".to_owned(),
            Action::Test(e) => self.bare(*e),
            Action::Else => "else".to_owned(),
            Action::Assign(place, e) => format!("{} = {}", self.place(place), self.bare(*e)),
            Action::Drop(e) => self.expr(*e),
            Action::Send(send) => self.send(send),
            Action::Receive(receive) => self.receive(receive),
            Action::Assert(e) => format!("assert({})", self.bare(*e)),
            Action::SetPriority(p, e, _) => {
                format!("set_priority({}, {})", self.expr(*p), self.expr(*e))
            }
            Action::Deterministic(..) => "d_step".to_owned(),
            Action::All(all) => {
                let all: Vec<String> = all.iter().map(|action| self.action(action)).collect();
                all.join("; ")
            }
            Action::End => "the end".to_owned(),
        }
    }

    fn send(&self, send: &Send) -> String {
        let sign = if send.sorted { "!!" } else { "!" };
        format!(
            "{}{sign}{}",
            self.expr(send.channel),
            self.list(&send.fields)
        )
    }

    fn receive(&self, receive: &Receive) -> String {
        let sign = if receive.random { "??" } else { "?" };
        let fields = receive.fields.iter().map(|pattern| match pattern {
            Pattern::Store(place) => self.place(place),
            Pattern::Drop => "_".to_owned(),
            Pattern::Match(e) => format!("eval({})", self.bare(*e)),
        });
        let fields = fields.collect::<Vec<_>>().join(",");
        let fields = if receive.keep {
            format!("<{fields}>")
        } else {
            fields
        };
        format!("{}{sign}{fields}", self.expr(receive.channel))
    }

    fn list(&self, all: &[ExprId]) -> String {
        let all = all.iter().map(|e| self.bare(*e));
        all.collect::<Vec<_>>().join(",")
    }

    fn joined(&self, all: &[ExprId], sign: &str) -> String {
        let all = all.iter().map(|e| self.expr(*e));
        all.collect::<Vec<_>>().join(sign)
    }

    fn kind_of(&self, owner: Owner) -> KindId {
        let text = &self.facts.sorts.text;
        match owner {
            Owner::Globals => KindId::new(0),
            Owner::Own => text.proctype(self.proctype).kind,
            Owner::Other(p, _) => text.proctype(p).kind,
        }
    }

    fn place(&self, place: &Place) -> String {
        let owner = match place.owner {
            Owner::Globals | Owner::Own => String::new(),
            Owner::Other(p, which) => format!("{}:", self.instance(p, which)),
        };
        let kind = self.kind_of(place.owner);
        let name = self.field(kind, place.field);
        let classes = &self.facts.sorts.fields[kind.index()][place.field.index()].indices;
        let mut pieces = name.split("[]");
        let mut out = owner + pieces.next().unwrap_or("");
        for (n, piece) in pieces.enumerate() {
            let index = match (place.indices.get(n), classes.get(n)) {
                (Some(e), Some(class)) => match self.facts.sorts.text.expr(*e) {
                    Expr::Const(v) => self.number(*class, *v),
                    _ => self.bare(*e),
                },
                _ => String::new(),
            };
            out += &format!("[{index}]{piece}");
        }
        out
    }

    fn field(&self, kind: KindId, field: FieldId) -> &str {
        let (kind, field) = self.images.fields[kind.index()][field.index()];
        let kind = self.facts.sorts.text.layout.kind(kind);
        &kind.fields[field.index()].name
    }

    fn type_name(&self, p: ProctypeId) -> &str {
        let p = self.images.types[p.index()];
        &self.facts.sorts.text.proctype(p).name
    }

    fn instance(&self, p: ProctypeId, which: Instance) -> String {
        let name = self.type_name(p);
        match which {
            Instance::Numbered(e) => format!("{name}[{}]", self.bare(e)),
            Instance::Any => name.to_owned(),
        }
    }

    /// The image of a number, by the name that it has where it is one of a set of names.
    fn number(&self, class: ClassId, value: i32) -> String {
        let sorts = self.facts.sorts;
        let (class, value) = if self.facts.is_member(class, value) {
            (self.images.class(class), self.images.number(class, value))
        } else {
            (class, value)
        };
        let kinds = sorts.text.layout.kinds.iter().enumerate();
        let slots = kinds.flat_map(|(k, kind)| {
            let fields = sorts.fields[k].iter().zip(&kind.fields);
            let fields = fields.map(|(classes, field)| (classes.value, field.slot));
            let messages = match &kind.role {
                Role::Channel(buffer) => &buffer.fields[..],
                _ => &[],
            };
            let messages = (sorts.messages[k].all())
                .filter_map(|(i, class)| messages.get(i).map(|(_, slot)| (class, *slot)));
            fields.chain(messages).collect::<Vec<_>>()
        });
        let mut meanings = slots
            .filter(|(c, _)| *c == class)
            .map(|(_, slot)| slot.meaning);
        let name = meanings.find_map(|meaning| match meaning {
            Meaning::Name(set) => {
                let names = &sorts.text.layout.name_sets[set.index()].names;
                let n = usize::try_from(value - 1).ok()?;
                names.get(n).cloned()
            }
            _ => None,
        });
        name.unwrap_or_else(|| value.to_string())
    }

    /// An expression without brackets around it.
    fn bare(&self, e: ExprId) -> String {
        let text = self.expr(e);
        let inside = text
            .strip_prefix('(')
            .and_then(|rest| rest.strip_suffix(')'));
        match (inside, self.facts.sorts.text.expr(e)) {
            (Some(inside), Expr::Binary(..) | Expr::And(_) | Expr::Or(_) | Expr::Choice(_)) => {
                inside.to_owned()
            }
            _ => text,
        }
    }

    fn expr(&self, e: ExprId) -> String {
        let sorts = self.facts.sorts;
        let table = sorts.exprs[e.index()].table;
        if let Some(text) = table.and_then(|id| self.table(&sorts.tables[id.index()])) {
            return text;
        }
        match sorts.text.expr(e) {
            Expr::Const(v) => self.number(sorts.of(e), *v),
            Expr::Read(place) => self.place(place),
            Expr::Unary(op, a) => format!("{}{}", unary(*op), self.expr(*a)),
            Expr::Binary(op, a, b) => {
                format!("({} {} {})", self.expr(*a), binary(*op), self.expr(*b))
            }
            Expr::And(all) => format!("({})", self.joined(all, " && ")),
            Expr::Or(all) => format!("({})", self.joined(all, " || ")),
            Expr::Choice([a, b, c]) => {
                format!(
                    "({} -> {} : {})",
                    self.expr(*a),
                    self.expr(*b),
                    self.expr(*c)
                )
            }
            Expr::Run(p, args, _) => format!("run {}({})", self.type_name(*p), self.list(args)),
            Expr::Probe(probe, c) => format!("{}({})", probe_name(*probe), self.bare(*c)),
            Expr::Poll(receive) => format!("({})", self.receive(receive)),
            Expr::Pid => "_pid".to_owned(),
            Expr::NProcesses => "_nr_pr".to_owned(),
            Expr::Timeout => "timeout".to_owned(),
            Expr::NonProgress => "np_".to_owned(),
            Expr::Accepting => "at an accept label".to_owned(),
            Expr::Enabled(p) => format!("enabled({})", self.bare(*p)),
            Expr::LocationOf(p) => format!("pc_value({})", self.bare(*p)),
            Expr::PriorityOf(p) => format!("get_priority({})", self.bare(*p)),
            Expr::AtLocation(p, which, at) => {
                let (q, to) = self.images.locations[p.index()][at.index()];
                let location = &self.facts.sorts.text.proctype(q).locations[to.index()];
                let label = location.labels.first().cloned();
                let label = label.unwrap_or_else(|| location.number.to_string());
                format!("{}@{label}", self.instance(*p, *which))
            }
        }
    }

    /// A condition on one operand that is a member, by the values for which it holds.
    fn table(&self, table: &Table) -> Option<String> {
        let ([leaf], true) = (&table.leaves[..], table.truth) else {
            return None;
        };
        let class = self.facts.sorts.of(*leaf);
        let moves = |v: i32| {
            self.facts.is_member(class, v)
                && (self.images.number(class, v) != v || self.images.class(class) != class)
        };
        let rows = table.rows.iter();
        if !rows.clone().any(|(inputs, _)| moves(inputs[0])) {
            return None;
        }
        let of = |truth: i32| -> Option<Vec<String>> {
            let rows = rows.clone().map(|(inputs, value)| (inputs[0], value));
            let rows = rows.map(|(input, value)| Some((input, *value.as_ref().ok()?)));
            let rows: Option<Vec<(i32, i32)>> = rows.collect();
            let rows = rows?.into_iter().filter(|(_, value)| *value == truth);
            Some(rows.map(|(input, _)| self.number(class, input)).collect())
        };
        let leaf = self.expr(*leaf);
        Some(match (&of(1)?[..], &of(0)?[..]) {
            ([one], _) => format!("({leaf} == {one})"),
            (_, [one]) => format!("({leaf} != {one})"),
            (all, _) => {
                let mut all = all.to_vec();
                all.sort_by_key(|v| (v.len(), v.clone()));
                format!("({leaf} in {{{}}})", all.join(", "))
            }
        })
    }
}

fn unary(op: Unary) -> &'static str {
    match op {
        Unary::Not => "!",
        Unary::Complement => "~",
        Unary::Minus => "-",
    }
}

fn binary(op: Binary) -> &'static str {
    match op {
        Binary::Add => "+",
        Binary::Subtract => "-",
        Binary::Multiply => "*",
        Binary::Divide => "/",
        Binary::Remainder => "%",
        Binary::BitAnd => "&",
        Binary::BitXor => "^",
        Binary::BitOr => "|",
        Binary::ShiftLeft => "<<",
        Binary::ShiftRight => ">>",
        Binary::Less => "<",
        Binary::LessEqual => "<=",
        Binary::Greater => ">",
        Binary::GreaterEqual => ">=",
        Binary::Equal => "==",
        Binary::NotEqual => "!=",
    }
}

fn probe_name(probe: Probe) -> &'static str {
    match probe {
        Probe::Length => "len",
        Probe::Empty => "empty",
        Probe::Full => "full",
        Probe::NotEmpty => "nempty",
        Probe::NotFull => "nfull",
    }
}
