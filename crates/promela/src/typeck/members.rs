//! What may be done with members of sorts: references to instances, values of scalarsets.
//!
//! Members are interchangeable, so nothing may tell them apart but what was stored in them. They
//! can be assigned, sent, received and passed where the same sort is declared, compared by `==` and
//! `!=` with others of their sort, and used to index what is declared to be indexed by them. Beside
//! members there is one more value, undefined: `_undef_ref` for references, the number of members
//! for scalarsets. There is no order, no arithmetic and no literal.
//!
//! A value is plain unless a place asks for members: [`Checker::value`] refuses members, so that a
//! place nobody thought of refuses them too; [`Checker::term`] and [`Checker::any_value`] let them
//! pass. What goes through channels is checked where channels are ([`super::channels`]), because
//! what a channel carries may be known only later.
//!
//! Worked example, inside `active [2] proctype client()` with `ref client c; ref server s; int n`:
//! `c == _lid`, `c = _undef_ref`, `s = anyRef(server)` pass; `c == n`, `c = 1`, `c < _lid`,
//! `s == c` and `c + 1` do not.
//!
//! Source: F. Derepas and P. Gastin, Model Checking Systems of Replicated Processes with Spin
//! (2001), section 2.3; C. N. Ip and D. Dill, Better Verification through Symmetry (1993), for
//! scalarsets.

use super::Checker;
use crate::ast::{self, Binary};
use crate::place::Place;
use crate::typed::{Expr, ExprKind, Initial, ProcessKind, SortId, SortKind, Type, Value};
use base::quote;

impl Checker<'_> {
    /// An expression whose value is no member; `None` after an error.
    pub(super) fn value(&mut self, expr: ast::Expr) -> Option<Expr> {
        let value = self.any_value(expr)?;
        let what = match value.value {
            Value::Member(sort) => self.sort_words(sort),
            Value::Undefined => "the undefined reference".to_owned(),
            _ => return Some(value),
        };
        let message = format!("{what} is no number and no truth value");
        let error = self.origins.error(value.place, message);
        self.report(error.note(RULES));
        None
    }

    /// An expression that can be a member, but not one that is still to be chosen.
    pub(super) fn term(&mut self, expr: ast::Expr) -> Option<Expr> {
        let value = self.any_value(expr)?;
        self.no_choice(&value)?;
        Some(value)
    }

    fn no_choice(&mut self, value: &Expr) -> Option<()> {
        if let ExprKind::Chosen(_) = value.kind {
            let error = self
                .origins
                .error(value.place, "`anyRef` cannot stand here");
            self.report(error.note("what it chooses can be assigned, sent, or used as an index"));
            return None;
        }
        Some(())
    }

    /// What a member of a sort is called.
    pub(super) fn sort_words(&self, sort: SortId) -> String {
        let sort = &self.sorts[sort.index()];
        let name = quote(&sort.name.text);
        match sort.kind {
            SortKind::Instances(_) => format!("a reference to {name}"),
            SortKind::Scalarset => format!("a member of {name}"),
        }
    }

    /// Whether `value` can be where members of `sort` are.
    fn fits(&self, sort: SortId, value: &Expr) -> bool {
        let declared = &self.sorts[sort.index()];
        match (value.value, &value.kind) {
            (Value::Member(other), _) => other == sort,
            (Value::Undefined, _) => declared.kind != SortKind::Scalarset,
            (Value::Number, ExprKind::Number(n)) => {
                declared.kind == SortKind::Scalarset && *n == declared.undefined()
            }
            _ => false,
        }
    }

    /// Reports what is there instead of a member of `sort`.
    fn misfit(&mut self, sort: SortId, value: &Expr) {
        let wanted = self.sort_words(sort);
        let message = match value.value {
            Value::Member(other) => {
                let is = self.sort_words(other);
                format!("this is {is}; {wanted} is needed")
            }
            _ => format!("this is not {wanted}"),
        };
        let declared = &self.sorts[sort.index()];
        let note = match declared.kind {
            SortKind::Instances(_) => "`_undef_ref` stands for no instance".to_owned(),
            SortKind::Scalarset => {
                let n = declared.n_members;
                format!("its members have no names; {n} stands for none of them")
            }
        };
        let error = self.origins.error(value.place, message);
        self.report(error.note(note));
    }

    /// Checks a value that is stored where members are, or a member that is stored; tells whether
    /// it was one of these.
    pub(super) fn check_member(&mut self, kind: Type, value: &Expr) -> Option<bool> {
        match (kind, value.value) {
            (Type::Member(sort), _) if self.fits(sort, value) => Some(true),
            (Type::Member(sort), _) => {
                self.misfit(sort, value);
                None
            }
            (_, Value::Member(_) | Value::Undefined) => {
                let what = match value.value {
                    Value::Member(sort) => self.sort_words(sort),
                    _ => "the undefined reference".to_owned(),
                };
                let message = format!("{what} cannot be stored as something else");
                self.error(value.place, message);
                None
            }
            _ => Some(false),
        }
    }

    /// Checks an operator one of whose operands is a member.
    pub(super) fn check_compared(
        &mut self,
        operator: Binary,
        a: &Expr,
        b: &Expr,
        place: Place,
    ) -> Option<()> {
        let is_one = |e: &Expr| matches!(e.value, Value::Member(_) | Value::Undefined);
        if !is_one(a) && !is_one(b) {
            return Some(());
        }
        self.no_choice(a)?;
        self.no_choice(b)?;
        if !matches!(operator, Binary::Equal | Binary::NotEqual) {
            let first = if is_one(a) { a.value } else { b.value };
            self.no_arithmetic(first, place);
            return None;
        }
        let (sort, other) = match (a.value, b.value) {
            (Value::Member(sort), _) => (sort, b),
            (_, Value::Member(sort)) => (sort, a),
            _ => {
                let message = "the undefined reference is compared with what is no reference";
                self.error(place, message);
                return None;
            }
        };
        if !self.fits(sort, other) {
            self.misfit(sort, other);
            return None;
        }
        Some(())
    }

    /// Reports that an operator other than equality is applied to a member.
    pub(super) fn no_arithmetic(&mut self, value: Value, place: Place) {
        let what = match value {
            Value::Member(sort) => self.sort_words(sort),
            _ => "the undefined reference".to_owned(),
        };
        let message = format!("{what} has no order and no arithmetic");
        let error = self.origins.error(place, message);
        self.report(error.note(RULES));
    }

    /// Checks the index of an array.
    pub(super) fn check_index(
        &mut self,
        array: &ast::Name,
        sort: Option<SortId>,
        index: &Expr,
    ) -> Option<()> {
        match (sort, index.value) {
            (Some(sort), Value::Member(other)) if other == sort => Some(()),
            // A formula may name an instance, as it may name a process: by its number.
            (Some(sort), _) if self.names_instance(sort, index) => Some(()),
            (Some(sort), _) => {
                let wanted = self.sort_words(sort);
                let name = quote(&array.text);
                let message = format!("{name} is indexed by {wanted}, and by nothing else");
                self.error(index.place, message);
                None
            }
            (None, Value::Member(_) | Value::Undefined) => {
                let name = quote(&array.text);
                let what = match index.value {
                    Value::Member(sort) => self.sort_words(sort),
                    _ => "the undefined reference".to_owned(),
                };
                let message = format!("{name} is indexed by numbers, not by {what}");
                let error = self.origins.error(index.place, message);
                let note = "what belongs to an instance is declared `public` in its process; what \
                            belongs to a member of a scalarset `t` is an array `x[t]`";
                self.report(error.note(note));
                None
            }
            (None, _) => Some(()),
        }
    }

    /// Whether an index is the number of an instance, in a formula or claim.
    fn names_instance(&self, sort: SortId, index: &Expr) -> bool {
        let asks = self.body.is_formula || self.body.kind == Some(ProcessKind::Never);
        let known = &self.sorts[sort.index()];
        let is_instance = matches!(known.kind, SortKind::Instances(_));
        let n = match index.kind {
            ExprKind::Number(n) => u32::try_from(n).ok(),
            _ => None,
        };
        asks && is_instance && n.is_some_and(|n| n < known.n_members)
    }

    /// Messages that are kept in order of their fields must not hold members.
    pub(super) fn check_sorted(&mut self, fields: &[Expr]) -> Option<()> {
        let is_one = |e: &&Expr| matches!(e.value, Value::Member(_) | Value::Undefined);
        if let Some(place) = fields.iter().find(is_one).map(|e| e.place) {
            self.error(place, "`!!` puts messages in order, and members have none");
            return None;
        }
        Some(())
    }

    /// What a variable starts as that is declared without a value.
    pub(super) fn default_initial(&self, kind: Type, size: Option<u32>) -> Initial {
        let Type::Member(id) = kind else {
            return Initial::Zero;
        };
        let sort = &self.sorts[id.index()];
        let (kind, value) = (ExprKind::Number(sort.undefined()), Value::Undefined);
        let place = sort.name.place;
        let undefined = Expr { kind, value, place };
        self.member_initial(Type::Member(id), size, undefined)
    }

    /// The initial value of a variable. A list is there from the start in all elements, also where
    /// the declaration is a step of its own, which sets the first element only.
    pub(super) fn member_initial(&self, kind: Type, size: Option<u32>, value: Expr) -> Initial {
        match (kind, size, &value.kind) {
            (Type::Member(_), Some(_), ExprKind::Number(n)) => Initial::List(vec![*n]),
            _ => Initial::Value(value),
        }
    }

    /// A list of values names members by number.
    pub(super) fn no_list_of_members(&mut self, kind: Type, place: Place) -> Option<()> {
        if let Type::Member(sort) = kind {
            let message = format!("a list of numbers is no list of {}", plural(self, sort));
            self.error(place, message);
            return None;
        }
        Some(())
    }

    /// The elements of an array that is indexed by members start alike.
    pub(super) fn check_alike(&mut self, sort: Option<SortId>, initial: &Initial, place: Place) {
        let (Some(sort), Initial::List(values)) = (sort, initial) else {
            return;
        };
        if values.iter().any(|v| *v != values[0]) {
            let what = plural(self, sort);
            self.error(
                place,
                format!("an array that is indexed by {what} starts alike in all elements"),
            );
        }
    }

    /// Whether a value of this type holds members.
    pub(super) fn holds_members(&self, kind: Type) -> bool {
        match kind {
            Type::Member(_) => true,
            Type::Record(record) => {
                let fields = &self.records[record.index()].fields;
                fields.iter().any(|f| self.holds_members(f.kind))
            }
            _ => false,
        }
    }

    /// Parameters of processes that run from the start are 0, which would be a member.
    pub(super) fn check_started_parameters(&mut self) {
        for id in self.body.parameters.clone() {
            let (kind, name) = (self.variable(id).kind, self.variable(id).name.clone());
            if self.holds_members(kind) {
                let name_text = quote(&name.text);
                let message = format!(
                    "nothing says what the parameter {name_text} of a process that runs from the \
                     start is"
                );
                self.error(name.place, message);
            }
        }
    }

    /// The value of a variable of another process is a number to who asks for it.
    pub(super) fn check_remote_member(
        &mut self,
        found: Option<crate::typed::VariableId>,
        remote: usize,
    ) {
        let Some(found) = found else {
            return;
        };
        if let Type::Member(_) = self.variable(found).kind {
            let name = self.remotes[remote].name.clone();
            let text = quote(&name.text);
            let error = self.origins.error(
                name.place,
                format!("{text} holds references or members, which cannot be read from outside"),
            );
            self.report(error.note("declare it `public` and read it as `p[r].x`"));
        }
    }
}

/// What members can be used for.
const RULES: &str = "it can be assigned, sent, compared by `==` and `!=` with others of its kind, \
                     and used as an index where that is declared";

fn plural(checker: &Checker, sort: SortId) -> String {
    let sort = &checker.sorts[sort.index()];
    let name = quote(&sort.name.text);
    match sort.kind {
        SortKind::Instances(_) => format!("references to {name}"),
        SortKind::Scalarset => format!("members of {name}"),
    }
}
