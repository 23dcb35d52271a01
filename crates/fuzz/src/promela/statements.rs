//! Statements with statements in them: choices, loops, blocks, escapes.

use super::{Aim, Author, Block, Feature, InfiniteQuestion, StatementContext};

/// How deep statements are nested.
const DEPTH_MAX: u32 = 4;

impl Author {
    /// Statements one after another.
    pub(super) fn sequence(&mut self, around: StatementContext, n_max: u32) -> String {
        let n = self.rng.u32(1..=n_max);
        let mut parts = Vec::new();
        for i in 0..n {
            // SPIN does not want a label at the start of a block or option.
            let may_have_label = (i > 0 || around.depth == 0) && around.block != Block::Inline;
            let label = may_have_label && self.has(Feature::Label) && self.chance(25);
            parts.push(if label {
                self.labelled(around)
            } else {
                self.statement(around)
            });
        }
        parts.join(";\n")
    }

    fn labelled(&mut self, around: StatementContext) -> String {
        self.n_labels += 1;
        // Of `accept` labels beside a claim SPIN takes those of the claim only.
        let names = ["L", "L", "L", "L", "end", "progress", "accept"];
        let n = names.len() - usize::from(self.question != InfiniteQuestion::Labels);
        let name = self.pick(&names[..n]);
        let label = format!("{name}{}", self.n_labels);
        let statement = match self.rng.u32(..8) {
            0 if self.may_escape(around) => self.unless(around, Main::Block),
            1 if self.may_jump(around) => "goto @".to_owned(),
            _ => self.plain(around),
        };
        if !around.is_d_step() {
            self.labels.push(label.clone());
        }
        format!("{label}: {statement}")
    }

    fn statement(&mut self, around: StatementContext) -> String {
        match self.rng.u32(..8) {
            0 if self.may_escape(around) => self.unless(around, Main::Any),
            _ => self.plain(around),
        }
    }

    /// Whether `unless` may stand here. In a `d_step` SPIN ignores it.
    fn may_escape(&mut self, around: StatementContext) -> bool {
        let here = !around.is_d_step() || self.aim == Aim::Structure || self.chance(10);
        self.has(Feature::Unless) && around.depth < DEPTH_MAX && here
    }

    fn plain(&mut self, around: StatementContext) -> String {
        let inner = around.deeper();
        if around.depth >= DEPTH_MAX {
            return self.simple(around);
        }
        match self.rng.u32(..18) {
            0..=2 => format!("if\n{}\nfi", self.options(inner)),
            3 | 4 => self.repetition(around),
            5 if self.has(Feature::Atomic) => self.atomic(inner, 4),
            // SPIN refuses a jump that comes to rest at a `d_step`.
            6 | 7 if self.may_d_step(around) => format!("skip;\n{}", self.d_step(inner, 3)),
            8 => format!("{{ {} }}", self.sequence(inner, 3)),
            9 if self.has(Feature::For) => self.iteration(inner),
            10 if self.has(Feature::Select) => {
                let all = [
                    "select (i : 0 .. 2)",
                    "select (i : 0 .. x)",
                    "select (i : x .. x + 1)",
                ];
                self.pick(&all).to_owned()
            }
            _ => self.simple(around),
        }
    }

    fn repetition(&mut self, around: StatementContext) -> String {
        let inside = around.deeper().looped();
        let must_end = self.aim != Aim::Structure && around.block != Block::None;
        if must_end {
            let round = self.sequence(inside, 2);
            format!("i = 0;\ndo\n:: i < 2 -> i++;\n{round}\n:: else -> break\nod")
        } else {
            format!("do\n{}\nod", self.options(inside))
        }
    }

    fn iteration(&mut self, inner: StatementContext) -> String {
        let mut heads = vec!["for (i : 0 .. 2)", "for (j : 1 .. 2)", "for (i in a)"];
        if self.has(Feature::Record) {
            heads.push("for (i in ts)");
        }
        let head = self.pick(&heads);
        format!("{head} {{\n{}\n}}", self.sequence(inner.looped(), 2))
    }

    fn may_d_step(&self, around: StatementContext) -> bool {
        self.has(Feature::DStep) && !around.is_d_step()
    }

    fn atomic(&mut self, around: StatementContext, n_max: u32) -> String {
        format!("atomic {{ {} }}", self.sequence(around.atomic(), n_max))
    }

    fn d_step(&mut self, around: StatementContext, n_max: u32) -> String {
        let inside = around.d_step();
        let body = match self.aim {
            Aim::Structure => self.sequence(inside, n_max),
            _ => {
                let head = self.head(inside);
                match self.rng.u32(..n_max) {
                    0 => head,
                    n => format!("{head};\n{}", self.sequence(inside, n)),
                }
            }
        };
        format!("d_step {{ {body} }}")
    }

    /// A statement that a `d_step` may begin with in a program that is compared with SPIN's.
    fn head(&mut self, around: StatementContext) -> String {
        match self.rng.u32(..6) {
            0 if self.has(Feature::Buffer) => self.send(),
            1 if self.has(Feature::Buffer) => self.receive(),
            2 | 3 => self.comparison(),
            _ => self.assignment(around),
        }
    }

    fn options(&mut self, around: StatementContext) -> String {
        let n = self.rng.usize(1..=3);
        let with_else = self.rng.usize(..n + 2);
        let mut options = Vec::new();
        for i in 0..n {
            let option = if i == with_else {
                self.otherwise(around)
            } else if with_else < n || i > 0 {
                // A verifier does not start where two `else` meet in one state: that of a choice
                // and those of choices that its options begin with.
                self.guarded(around)
            } else {
                self.option(around)
            };
            options.push(format!(":: {option}"));
        }
        options.join("\n")
    }

    fn option(&mut self, around: StatementContext) -> String {
        let no_choice_first = around.is_d_step() && self.aim != Aim::Structure;
        if no_choice_first || self.rng.bool() {
            self.guarded(around)
        } else {
            self.sequence(around, 3)
        }
    }

    /// An option that does not begin with a choice.
    fn guarded(&mut self, around: StatementContext) -> String {
        let then = self.sequence(around, 2);
        match self.rng.u32(..8) {
            0 if self.may_d_step(around) => format!("{};\n{then}", self.d_step(around, 2)),
            1 if self.has(Feature::Atomic) => {
                let (first, inside) = (self.condition(), self.sequence(around.atomic(), 2));
                format!("atomic {{ {first} -> {inside} }};\n{then}")
            }
            2 | 3 => format!("{};\n{then}", self.head(around)),
            4 if !around.is_d_step() => format!("{};\n{then}", self.simple(around)),
            _ => format!("{} -> {then}", self.condition()),
        }
    }

    /// An option with `else` at its head, or at the head of the blocks that it begins with.
    fn otherwise(&mut self, around: StatementContext) -> String {
        let (in_d_step, open) = (around.d_step(), !around.is_d_step());
        match self.rng.u32(..12) {
            0 if self.may_d_step(around) => {
                format!("d_step {{ else -> {} }}", self.sequence(in_d_step, 2))
            }
            1 if self.may_d_step(around) => {
                format!("d_step {{ {{ else -> {} }} }}", self.sequence(in_d_step, 2))
            }
            2 if self.may_d_step(around) => {
                let (first, then) = (self.assignment(in_d_step), self.sequence(around, 2));
                format!("atomic {{ d_step {{ else; {first} }};\n{then} }}")
            }
            3 if self.has(Feature::Atomic) => {
                format!("atomic {{ else -> {} }}", self.sequence(around.atomic(), 2))
            }
            4 => format!("{{ else -> {} }}", self.sequence(around, 2)),
            5 if open => format!("if\n:: else -> {}\nfi", self.sequence(around, 2)),
            6 if open && self.has(Feature::Unless) => {
                let (main, escape) = (self.sequence(around, 2), self.sequence(around, 1));
                format!("{{ {{ else -> {main} }} unless {{ {escape} }} }}")
            }
            7 => "else".to_owned(),
            8 | 9 => format!("else;\n{}", self.sequence(around, 2)),
            _ => format!("else -> {}", self.sequence(around, 2)),
        }
    }

    fn unless(&mut self, around: StatementContext, main: Main) -> String {
        let inner = around.deeper();
        let main = match self.rng.u32(..5) {
            0 if main == Main::Any => self.simple(inner),
            1 if self.has(Feature::Atomic) => self.atomic(inner, 3),
            2 if self.may_d_step(around) && main == Main::Any => self.d_step(inner, 3),
            _ => format!("{{ {} }}", self.sequence(inner, 3)),
        };
        let escape = match self.rng.u32(..8) {
            0 => self.simple(inner),
            1 if self.has(Feature::Atomic) => self.atomic(inner, 3),
            2 if self.may_d_step(around) => self.d_step(inner, 3),
            3..=5 => format!("{{ {} }}", self.guarded(inner)),
            _ => format!("{{ {} }}", self.sequence(inner, 3)),
        };
        // SPIN makes something else of an `unless` that is a statement of the `d_step` itself.
        if around.is_d_step() || self.chance(40) {
            format!("{{ {main} unless {escape} }}")
        } else {
            format!("{main} unless {escape}")
        }
    }
}

/// What may stand before `unless`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Main {
    /// Any statement.
    Any,
    /// A block: what a label is put in front of.
    Block,
}
