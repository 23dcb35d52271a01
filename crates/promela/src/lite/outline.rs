//! What an editor is told of a text of Promela-Lite. All names are those of channels, globals and
//! process types, which are known everywhere, and of the parameters of a process.

use super::read::{self, WORDS};
use super::tree::{
    LiteExpr, LiteExprKind, LiteGuard, LiteModel, LiteName, LiteProcess, LiteUpdate,
};
use crate::lex::lex;
use crate::outline::classified;
use base::{Diagnostics, SourceId, Sources, Span};
use model::outline::{Outline, OutlineBuilder, Symbol, SymbolId, SymbolKind};
use std::collections::HashMap;

/// What a text declares and uses.
pub fn outline(main: SourceId, sources: &Sources) -> Outline {
    let text = sources.get(main).text();
    let tokens = classified(&lex(main, text), |name| WORDS.contains(&name));
    let builder = OutlineBuilder::new(&WORDS, tokens);
    let Some(model) = read::read(text, main, &mut Diagnostics::new()) else {
        return builder.broken();
    };
    let mut walk = Walk {
        builder,
        names: HashMap::new(),
        processes: HashMap::new(),
    };
    walk.model(&model);
    walk.builder.finish(sources)
}

struct Walk {
    builder: OutlineBuilder,
    /// Channels, globals and parameters.
    names: HashMap<String, SymbolId>,
    processes: HashMap<String, SymbolId>,
}

impl Walk {
    fn model(&mut self, model: &LiteModel) {
        for channel in &model.channels {
            let end = channel.fields.last().map_or(channel.capacity.1, |f| f.span);
            let id = self.declare(
                &channel.name,
                SymbolKind::Channel,
                channel.name.span.to(end),
            );
            self.names.insert(channel.name.text.clone(), id);
        }
        for global in &model.globals {
            let whole = global.ty.span.to(global.value.1);
            let id = self.declare(&global.name, SymbolKind::Variable, whole);
            self.names.insert(global.name.text.clone(), id);
        }
        for process in &model.processes {
            let id = self.declare(&process.name, SymbolKind::Process, process.name.span);
            self.processes.insert(process.name.text.clone(), id);
        }
        for process in &model.processes {
            self.process(process);
        }
        for run in &model.runs {
            if let Some(&id) = self.processes.get(&run.process.text) {
                self.builder.refer(run.process.span, id);
            }
            run.arguments.iter().for_each(|value| self.expr(value));
        }
    }

    fn process(&mut self, process: &LiteProcess) {
        let outside = self.names.clone();
        let id = self.processes[&process.name.text];
        for (ty, name) in &process.parameters {
            let whole = ty.span.to(name.span);
            let parameter = self.declare(name, SymbolKind::Parameter, whole);
            self.builder.symbol(parameter).parent = Some(id);
            self.names.insert(name.text.clone(), parameter);
        }
        for statement in &process.statements {
            self.guard(&statement.guard);
            statement
                .updates
                .iter()
                .for_each(|update| self.update(update));
        }
        self.names = outside;
    }

    fn guard(&mut self, guard: &LiteGuard) {
        match guard {
            LiteGuard::Compare(a, _, b, _) => {
                self.expr(a);
                self.expr(b);
            }
            LiteGuard::Probe(_, channel, _) => self.name(channel),
            LiteGuard::Not(inner, _) => self.guard(inner),
            LiteGuard::Joined(_, all) => all.iter().for_each(|part| self.guard(part)),
        }
    }

    fn update(&mut self, update: &LiteUpdate) {
        match update {
            LiteUpdate::Skip => {}
            LiteUpdate::Assign(name, value) => {
                self.name(name);
                self.expr(value);
            }
            LiteUpdate::Receive(channel, names, _) => {
                self.name(channel);
                names.iter().for_each(|name| self.name(name));
            }
            LiteUpdate::Send(channel, values, _) => {
                self.name(channel);
                values.iter().for_each(|value| self.expr(value));
            }
        }
    }

    fn expr(&mut self, value: &LiteExpr) {
        match &value.kind {
            LiteExprKind::Number(_) | LiteExprKind::Pid | LiteExprKind::Null => {}
            LiteExprKind::Name(text) => self.refer(text, value.span),
            LiteExprKind::Length(channel) => self.name(channel),
            LiteExprKind::Arithmetic(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            LiteExprKind::Enclosed(inner) => self.expr(inner),
        }
    }

    fn name(&mut self, name: &LiteName) {
        self.refer(&name.text, name.span);
    }

    fn refer(&mut self, text: &str, span: Span) {
        if let Some(&id) = self.names.get(text) {
            self.builder.refer(span, id);
        }
    }

    fn declare(&mut self, name: &LiteName, kind: SymbolKind, whole: Span) -> SymbolId {
        self.builder.declare(Symbol {
            name: name.text.clone(),
            kind,
            span: name.span,
            whole,
            parent: None,
            scope: None,
            about: String::new(),
        })
    }
}
