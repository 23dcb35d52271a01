//! What definitions ask for: sizes, bounds, limits, a goal, formulas.
//!
//! Definitions with special names say how a machine is to be checked. Those that only say how it is
//! to be shown (`ANIMATION_…`, `CUSTOM_GRAPH_…`, `VISB_…`), or which states to look at first
//! (`HEURISTIC_FUNCTION`), change no verdict and mean nothing here.

use super::Checker;
use super::scope::{self, Entity};
use crate::ast::{Definition, DefinitionBody, Expr, ExprKind as Ast, Machine};
use crate::typed::{Compare, ExprKind, Formula, Pred, PredKind, Settings, Sort, SortId, Unary};
use base::{Diagnostic, Span, quote};

/// What is asked of a machine.
pub(super) struct MachineDemands {
    pub(super) settings: Settings,
    pub(super) formulas: Vec<Formula>,
}

/// Why a name that nobody declared is not known here, if it is one of the language's.
pub(super) fn left_out(name: &str) -> Option<&'static str> {
    let trees = [
        "tree", "btree", "const", "top", "sons", "prefix", "postfix", "sizet", "mirror", "rank",
        "father", "son", "subtree", "arity", "bin", "left", "right", "infix",
    ];
    let reals = ["real", "floor", "ceiling", "FLOAT", "DOUBLE"];
    let external = [
        "printf",
        "printf1",
        "fprintf",
        "CHOOSE",
        "MU",
        "observe",
        "FORCE",
        "DEC_STRING_TO_INT",
    ];
    if trees.contains(&name) {
        return Some("it is an operator on trees");
    }
    if reals.contains(&name) || name.starts_with("RADD") || name.starts_with("RMUL") {
        return Some("it is about real numbers");
    }
    let is_external = external.contains(&name)
        || name.starts_with("STRING_")
        || name.ends_with("_TO_STRING")
        || name.starts_with("REGEX_");
    is_external.then_some("it is an external function")
}

/// Whether a preference of ProB changes nothing here: it is honoured elsewhere, or is about how
/// something is shown, how constraints are solved, or how long that may take.
fn is_without_effect(name: &str) -> bool {
    let Some(name) = name.strip_prefix("SET_PREF_") else {
        return true;
    };
    let exact = [
        "ALLOW_SIMULTANEOUS_ASSIGNMENTS",
        "TIME_OUT",
        "SYMBOLIC",
        "COMPRESSION",
        "OPERATION_REUSE",
        "BOOL_AS_PREDICATE",
        "PROOF_INFO",
        "ENUMERATION_ORDER_ANALYSIS",
        "RANDOMISE_ENUMERATION_ORDER",
        "MAX_DISPLAY_SET",
    ];
    let kinds = [
        "CLPFD",
        "SMT",
        "CHR",
        "CSE",
        "KODKOD",
        "DISPROVER",
        "CBC",
        "MEMO",
        "USE_",
        "TRACE_",
        "PERFORMANCE",
        "WARN_",
        "PP_",
        "DOT_",
        "TK_",
        "SHOW_",
        "FONT_",
        "GUI_",
        "UNICODE",
        "REPL_",
    ];
    exact.contains(&name) || kinds.iter().any(|start| name.starts_with(start))
}

impl<'a> Checker<'a, '_> {
    /// What the definitions of an instance's machine ask for.
    pub(super) fn settings(&mut self, instance: usize) -> MachineDemands {
        let ast = self.ast_of(instance);
        let mut asked = MachineDemands {
            settings: Settings::default(),
            formulas: Vec::new(),
        };
        for definition in &ast.definitions {
            if definition.parameters.is_empty() {
                self.asked(definition, &mut asked);
            }
        }
        asked
    }

    fn ast_of(&self, instance: usize) -> &'a Machine {
        let project = self.project;
        &project.machines[self.instances[instance].machine].ast
    }

    fn asked(&mut self, definition: &'a Definition, asked: &mut MachineDemands) {
        let name = &*definition.name.text;
        let DefinitionBody::Formula(formula) = &definition.body else {
            return;
        };
        if let Some(set) = name.strip_prefix("scope_") {
            self.scope(definition, set, formula, asked);
        } else if let Some(preference) = name.strip_prefix("SET_PREF_") {
            self.preference(preference, formula, &mut asked.settings);
        }
    }

    /// `scope_S == n` or `scope_S == a..b`
    fn scope(
        &mut self,
        definition: &Definition,
        set: &str,
        formula: &Expr,
        asked: &mut MachineDemands,
    ) {
        let span = definition.name.span;
        let sort = match self.instances[0].entity(set) {
            Some(Entity::Carrier(sort)) if self.sorts[sort.index()].elements.is_none() => sort,
            _ => {
                let message = format!(
                    "there is no deferred set {}, so this has no effect",
                    quote(set)
                );
                self.found.push(Diagnostic::warning(span, message));
                return;
            }
        };
        let size = match &formula.kind {
            Ast::Infix("..", low, high) => {
                let bounds = self.literal(low, 0).zip(self.literal(high, 0));
                bounds.and_then(|(low, high)| high.checked_sub(low)?.checked_add(1))
            }
            _ => self.literal(formula, 0),
        };
        match size
            .and_then(|size| usize::try_from(size).ok())
            .filter(|size| *size > 0)
        {
            Some(size) => asked.settings.sizes.push((sort, size, span)),
            None => {
                let message = format!(
                    "how many elements {} has is not clear from this",
                    quote(set)
                );
                let error = Diagnostic::error(formula.span, message);
                self.report(
                    error.note("a number such as 3, or an interval such as 1..3, tells it"),
                );
            }
        }
    }

    fn preference(&mut self, name: &str, formula: &'a Expr, settings: &mut Settings) {
        let value = self.literal(formula, 0);
        let count = value.and_then(|n| usize::try_from(n).ok());
        let is_known = match name {
            "MAXINT" => {
                settings.maxint = value;
                value.is_some()
            }
            "MININT" => {
                settings.minint = value;
                value.is_some()
            }
            "DEFAULT_SETSIZE" => {
                settings.default_size = count.filter(|n| *n > 0);
                settings.default_size.is_some()
            }
            "MAX_OPERATIONS" => {
                settings.max_operations = count;
                count.is_some()
            }
            "MAX_INITIALISATIONS" => {
                settings.max_initialisations = count;
                count.is_some()
            }
            "SHOW_EVENTB_ANY_VALUES" | "USE_STATIC_SYMMETRY_DETECTION" => {
                return self.switch(name, formula, settings);
            }
            _ => {
                let text = self.text_of(formula);
                let name = format!("SET_PREF_{name}");
                if !is_without_effect(&name) {
                    let message = format!("{name} is not honoured");
                    let note = "verdicts and counts are those without it";
                    let warning = Diagnostic::warning(formula.span, message);
                    self.found.push(warning.note(note));
                }
                settings.others.push((name, text, formula.span));
                true
            }
        };
        if !is_known {
            let message = format!("SET_PREF_{name} takes a number");
            self.error(formula.span, message);
        }
    }

    /// A preference that is on or off.
    fn switch(&mut self, name: &str, formula: &Expr, settings: &mut Settings) {
        let is_on = match &*self.text_of(formula) {
            "TRUE" => true,
            "FALSE" => false,
            _ => {
                let message = format!("SET_PREF_{name} takes TRUE or FALSE");
                self.error(formula.span, message);
                return;
            }
        };
        match name {
            "SHOW_EVENTB_ANY_VALUES" => settings.shows_choices = is_on,
            _ => settings.sets_up_all = !is_on,
        }
    }

    /// The text of a setting: words and numbers.
    fn text_of(&self, formula: &Expr) -> String {
        match &formula.kind {
            Ast::Text(text) => text.to_string(),
            Ast::Word(word) => (*word).to_owned(),
            Ast::Name(name) => name.text.to_string(),
            _ => match self.literal(formula, 0) {
                Some(n) => n.to_string(),
                None => String::from("…"),
            },
        }
    }

    /// The value of a formula that is made of numbers and definitions alone.
    fn literal(&self, formula: &Expr, depth: usize) -> Option<i64> {
        if depth > 50 {
            return None;
        }
        let value = |e: &Expr| self.literal(e, depth + 1);
        match &formula.kind {
            Ast::Int(n) => Some(*n),
            Ast::Minus(operand) => value(operand)?.checked_neg(),
            Ast::Infix(mark, left, right) => {
                let (left, right) = (value(left)?, value(right)?);
                match *mark {
                    "+" => left.checked_add(right),
                    "-" => left.checked_sub(right),
                    "*" => left.checked_mul(right),
                    "**" => left.checked_pow(u32::try_from(right).ok()?),
                    _ => None,
                }
            }
            Ast::Name(name) => match self.instances[0].entity(&name.text)? {
                Entity::Definition(Definition {
                    parameters,
                    body: DefinitionBody::Formula(body),
                    ..
                }) if parameters.is_empty() => value(body),
                _ => None,
            },
            _ => None,
        }
    }

    /// The predicate of the definition `GOAL`.
    pub(super) fn goal(&mut self, instance: usize) -> Option<Pred> {
        let Some(Entity::Definition(goal)) = self.instances[instance].entity("GOAL") else {
            return None;
        };
        let DefinitionBody::Formula(formula) = &goal.body else {
            return None;
        };
        if !goal.parameters.is_empty() {
            return None;
        }
        let scope = scope::of_instance(instance);
        self.pred(formula, &scope).ok()
    }
}

/// `card(S) = n` among the conjuncts: how many elements a deferred set has.
pub(super) fn sizes(properties: &[Pred], sorts: &[Sort]) -> Vec<(SortId, usize, Span)> {
    let mut sizes = Vec::new();
    for pred in properties {
        let PredKind::Compare(Compare::Equal, left, right) = &pred.kind else {
            continue;
        };
        for (card, number) in [(left, right), (right, left)] {
            if let (ExprKind::Unary(Unary::Card, set), ExprKind::Int(n)) =
                (&card.kind, &number.kind)
                && let ExprKind::Carrier(sort) = set.kind
                && sorts[sort.index()].elements.is_none()
                && let Ok(n) = usize::try_from(*n)
            {
                sizes.push((sort, n, pred.span));
            }
        }
    }
    sizes
}
