//! Promela-Lite: the core of Promela for which the symmetry of channels and processes was proved
//! sound (Donaldson 2007, chapter 6), as a language of its own.
//!
//! A text is static channels, global variables, process types that are one loop over atomic
//! statements, and an `init` that runs processes. It is read ([`read`]) and typed ([`types`]) by
//! the rules of the thesis, each mistake with its place; then it is rewritten to Promela, line by
//! line, and checked as such: types of channels become `chan`, and `null`, which nobody can send to
//! or receive from, becomes a channel that conditions are asked of beside it.
//!
//! | written | becomes |
//! |---|---|
//! | `chan{pid, chan{int}}`, `rec X . chan{X}` | `chan` |
//! | `null` of a type of channels | `null_0`, … : a channel for each such type |
//! | `nfull(c)`, `nempty(c)` of a parameter `c` of such a type | `((c != null_0) && nfull(c))`, … |
//! | `!nfull(c)` | `((c == null_0) \|\| full(c))` |
//!
//! Worked example: `chan a = [1] of {rec X . chan{X}};` becomes `chan a = [1] of {chan};`, and if
//! some `null` has the type of its messages, `chan null_0 = [1] of { chan };` stands in front.

mod outline;
mod read;
mod tree;
mod types;

use base::{Diagnostics, SourceId, Sources, Span};
use model::frontend::IncludeRequest;
use model::outline::Outline;
use model::processes::language::{Accepted, Include, ProcessLanguage, Texts};
use tree::{LiteGuard, LiteModel, LiteType, WrittenType};
use types::Typing;

/// The language Promela-Lite.
pub struct PromelaLite;

impl ProcessLanguage for PromelaLite {
    fn language(&self) -> &'static str {
        "promela-lite"
    }

    fn endings(&self) -> &'static [&'static str] {
        &["plite"]
    }

    fn models(&self) -> &'static str {
        "Promela-Lite"
    }

    fn annotations(&self) -> &'static [&'static str] {
        &["//@", "/*@"]
    }

    fn read(
        &self,
        given: &Texts<'_>,
        sources: &mut Sources,
        include: &mut Include<'_>,
        found: &mut Diagnostics,
    ) -> Option<Box<dyn Accepted>> {
        let text = sources.get(given.main).text().to_owned();
        let model = read::read(&text, given.main, found)?;
        let typing = types::typed(&model, found)?;
        let name = sources.get(given.main).name().to_owned();
        let promela = sources.add(name, Rewriter::of(&model, &typing, &text).rewritten(&text));
        let first = if given.first == given.main {
            promela
        } else {
            given.first
        };
        let main = given.main;
        let mut include = |sources: &mut Sources, request: &IncludeRequest<'_>| {
            let id = include(sources, request)?;
            Ok(if id == main { promela } else { id })
        };
        let mut told = Diagnostics::new();
        let typed = crate::check(first, given.defines, sources, &mut include, &mut told);
        keep(told, promela, found);
        let mut typed = typed?;
        typed.origins.main = Some(promela);
        Some(Box::new(typed))
    }

    fn outline(&self, given: &Texts<'_>, sources: &mut Sources, _: &mut Include<'_>) -> Outline {
        outline::outline(given.main, sources)
    }
}

/// Keeps what is told of formulas beside the model, and errors. What Promela warns of in the
/// rewritten text is settled by the types of Promela-Lite.
fn keep(told: Diagnostics, promela: SourceId, found: &mut Diagnostics) {
    for diagnostic in told.sorted() {
        let is_warning = diagnostic.severity == base::Severity::Warning;
        let is_rewritten = diagnostic
            .labels
            .iter()
            .any(|label| label.span.source == promela);
        if !(is_warning && is_rewritten) {
            found.push(diagnostic);
        }
    }
}

/// Pieces of a text, and what stands there instead.
struct Rewriter {
    edits: Vec<(Span, String)>,
    /// What stands in front.
    first: String,
}

impl Rewriter {
    fn of(model: &LiteModel, typing: &Typing, text: &str) -> Rewriter {
        let kinds = typing.kinds();
        let mut rewriter = Rewriter {
            edits: Vec::new(),
            first: String::new(),
        };
        for (n, kind) in kinds.iter().enumerate() {
            let fields = fields(kind).join(", ");
            rewriter.first += &format!("chan null_{n} = [1] of {{ {fields} }}; ");
        }
        for (span, ty) in &typing.nulls {
            let n = Typing::kind(&kinds, ty).unwrap_or_default();
            rewriter.edits.push((*span, format!("null_{n}")));
        }
        for channel in &model.channels {
            channel.fields.iter().for_each(|field| rewriter.ty(field));
        }
        let probes = Probes {
            statics: model.channels.iter().map(|c| &*c.name.text).collect(),
            typing,
            kinds: &kinds,
            text,
        };
        for process in &model.processes {
            process
                .parameters
                .iter()
                .for_each(|(ty, _)| rewriter.ty(ty));
            for statement in &process.statements {
                rewriter.guard(&statement.guard, &probes);
            }
        }
        // What stands inside of a condition that is rewritten is rewritten there.
        let all = rewriter.edits.clone();
        let is_inside = |span: &Span| {
            let range = span.range();
            all.iter().any(|(other, _)| {
                let other = other.range();
                other != range && other.start <= range.start && range.end <= other.end
            })
        };
        rewriter.edits.retain(|(span, _)| !is_inside(span));
        rewriter.edits.sort_by_key(|(span, _)| span.range().start);
        rewriter
    }

    fn ty(&mut self, written: &WrittenType) {
        if !matches!(*written.ty, LiteType::Int | LiteType::Pid) {
            self.edits.push((written.span, "chan".to_owned()));
        }
    }

    fn guard(&mut self, guard: &LiteGuard, probes: &Probes<'_>) {
        match guard {
            LiteGuard::Compare(..) => {}
            LiteGuard::Joined(_, all) => all.iter().for_each(|g| self.guard(g, probes)),
            LiteGuard::Not(_, span) | LiteGuard::Probe(_, _, span) => {
                self.edits.push((*span, probes.promela(guard, true)));
            }
        }
    }

    /// The text with all of them; lines stay lines.
    fn rewritten(&self, text: &str) -> String {
        let mut out = self.first.clone();
        let mut at = 0;
        for (span, instead) in &self.edits {
            let range = span.range();
            out += &text[at..range.start];
            out += instead;
            out.extend(text[range.clone()].chars().filter(|c| *c == '\n'));
            at = range.end;
        }
        out + &text[at..]
    }
}

/// Conditions in Promela, where what is asked of a channel cannot be negated.
struct Probes<'t> {
    /// Channels that are not `null`.
    statics: Vec<&'t str>,
    typing: &'t Typing,
    /// The types of `null`.
    kinds: &'t [&'t LiteType],
    text: &'t str,
}

impl Probes<'_> {
    /// The condition, or what it denies.
    fn promela(&self, guard: &LiteGuard, is_so: bool) -> String {
        match guard {
            LiteGuard::Compare(.., span) => {
                let sign = if is_so { "" } else { "!" };
                format!("{sign}({})", self.compared(*span))
            }
            LiteGuard::Not(inner, _) => self.promela(inner, !is_so),
            LiteGuard::Joined(is_and, all) => {
                let sign = if *is_and == is_so { " && " } else { " || " };
                let all: Vec<String> = all.iter().map(|g| self.promela(g, is_so)).collect();
                format!("({})", all.join(sign))
            }
            LiteGuard::Probe(is_full, channel, span) => {
                let c = &channel.text;
                let word = match (*is_full, is_so) {
                    (true, true) => "nfull",
                    (true, false) => "full",
                    (false, true) => "nempty",
                    (false, false) => "empty",
                };
                let of = self.typing.probes.iter().find(|(at, _)| at == span);
                let kind = of.and_then(|(_, ty)| Typing::kind(self.kinds, ty));
                match kind.filter(|_| !self.statics.contains(&&**c)) {
                    None => format!("{word}({c})"),
                    Some(n) if is_so => format!("(({c} != null_{n}) && {word}({c}))"),
                    Some(n) => format!("(({c} == null_{n}) || {word}({c}))"),
                }
            }
        }
    }

    /// A comparison as written, each `null` by the name that it has.
    fn compared(&self, span: Span) -> String {
        let range = span.range();
        let (mut out, mut at) = (String::new(), range.start);
        let mut nulls: Vec<&(Span, LiteType)> = self.typing.nulls.iter().collect();
        nulls.sort_by_key(|(null, _)| null.start);
        for (null, ty) in nulls {
            let null = null.range();
            if range.start <= null.start && null.end <= range.end {
                out += &self.text[at..null.start];
                let n = Typing::kind(self.kinds, ty).unwrap_or_default();
                out += &format!("null_{n}");
                at = null.end;
            }
        }
        out += &self.text[at..range.end];
        out.replace('\n', " ")
    }
}

/// The fields of a type of channels in Promela.
fn fields(ty: &LiteType) -> Vec<&'static str> {
    let LiteType::Chan(fields) = ty else {
        return Vec::new();
    };
    let words = fields.iter().map(|field| match **field {
        LiteType::Int => "int",
        LiteType::Pid => "pid",
        _ => "chan",
    });
    words.collect()
}
