//! An expression of a script, read by itself: it has the value that `print` prints of it.
//!
//! A script says nothing of states, so the value is the same in all of them, and is found once.

use super::obstacle::faulty;
use crate::ast::{Decl, DeclKind, Script as Syntax};
use crate::eval::Script;
use crate::lex::lex;
use crate::parse;
use crate::process::Terms;
use base::{Clock, Diagnostics, SourceId, Sources, Span};
use model::frontend::{Expression, Obstacle};

/// What an expression is worth, in all states.
pub(super) struct ConstantValue(Result<String, Obstacle>);

impl Expression for ConstantValue {
    fn value(&self, _: &[u8]) -> Result<String, Obstacle> {
        self.0.clone()
    }
}

/// `print E`, where the text is `E`; or `None` if `found` says what is wrong with it.
pub(super) fn printed(text: SourceId, sources: &Sources, found: &mut Diagnostics) -> Option<Decl> {
    let words = sources.get(text).text();
    let expr = parse::expression(text, lex(text, words), sources, found)?;
    Some(Decl {
        kind: DeclKind::Print(expr),
        span: Span::new(text, 0..words.len()),
    })
}

/// What `decl` prints behind a script that is right; or `None` if `found` says what is wrong.
pub(super) fn value(
    script: &Syntax,
    decl: Decl,
    clock: Clock<'static>,
    found: &mut Diagnostics,
) -> Option<ConstantValue> {
    let mut longer = script.clone();
    longer.decls.push(decl);
    let mut inside = Diagnostics::new();
    let types = crate::check(&longer, &mut inside);
    // Warnings were shown when the script was read.
    found.extend(inside.into_errors());
    let _ = types?;
    let script = Script::load(&longer);
    let script = script.map_err(|why| why.into_iter().for_each(|why| found.push(why)));
    let mut script = script.ok()?;
    script.set_clock(clock);
    let printed = script.last_printed(&mut Terms::default())?;
    Some(ConstantValue(printed.map_err(|fault| faulty(&fault))))
}
