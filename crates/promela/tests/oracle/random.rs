//! Random programs, made of the constructs that decide what is a step.
//!
//! Statements are drawn with all the blocks of the language around them. SPIN refuses some of what
//! comes out (a circle of jumps, say); most it accepts.

use fastrand::Rng;

/// Where a statement stands.
#[derive(Clone, Copy)]
struct Around {
    depth: u32,
    in_loop: bool,
    atomic: bool,
    d_step: bool,
}

/// What may go round and round without a stored state.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Loops {
    /// Anything.
    Any,
    /// Loops that end, so that the program can be run.
    Short,
}

struct Author {
    rng: Rng,
    /// The labels that jumps can lead to.
    labels: Vec<String>,
    n_labels: u32,
    loops: Loops,
}

/// A model with that many process types.
pub fn program(seed: u64, n_processes: usize, loops: Loops) -> String {
    let mut rng = Rng::with_seed(seed);
    let mut text = String::from(
        "unsigned x : 2, y : 2;\nchan c = [1] of { byte };\nchan r = [0] of { byte };\n",
    );
    for i in 0..n_processes {
        let mut author = Author {
            rng: Rng::with_seed(rng.u64(..)),
            labels: Vec::new(),
            n_labels: 0,
            loops,
        };
        let around = Around {
            depth: 0,
            in_loop: false,
            atomic: false,
            d_step: false,
        };
        let body = author.sequence(around, 5);
        let body = author.settle(&body);
        text.push_str(&format!(
            "active proctype P{i}() {{ byte i, j;\n{body}\n}}\n"
        ));
    }
    text
}

impl Author {
    /// Replaces the jumps to nowhere by jumps to labels.
    fn settle(&mut self, body: &str) -> String {
        let mut out = String::new();
        for (i, piece) in body.split("goto @").enumerate() {
            if i > 0 {
                let label = match self.labels.is_empty() {
                    true => "skip".to_owned(),
                    false => format!("goto {}", self.labels[self.rng.usize(..self.labels.len())]),
                };
                out.push_str(&label);
            }
            out.push_str(piece);
        }
        out
    }

    fn sequence(&mut self, around: Around, n_max: u32) -> String {
        let n = self.rng.u32(1..=n_max);
        let mut parts = Vec::new();
        for i in 0..n {
            let statement = match i > 0 && self.rng.u32(..100) < 30 {
                true => self.labelled(around),
                false => self.statement(around),
            };
            parts.push(statement);
        }
        parts.join(";\n")
    }

    /// A statement with a label, which SPIN does not want at the start of a block.
    fn labelled(&mut self, around: Around) -> String {
        self.n_labels += 1;
        let prefixes = ["L", "L", "L", "L", "end", "progress", "accept"];
        let label = format!("{}{}", prefixes[self.rng.usize(..7)], self.n_labels);
        let statement = match self.rng.u32(..10) {
            0 if !around.d_step => self.unless(around, true),
            1 if !around.d_step && !self.must_end(around) => "goto @".to_owned(),
            _ => self.plain(around),
        };
        if !around.d_step {
            self.labels.push(label.clone());
        }
        format!("{label}: {statement}")
    }

    fn statement(&mut self, around: Around) -> String {
        match self.rng.u32(..12) {
            0 if !around.d_step && around.depth < 4 => self.unless(around, false),
            _ => self.plain(around),
        }
    }

    fn plain(&mut self, around: Around) -> String {
        let inner = Around {
            depth: around.depth + 1,
            ..around
        };
        if around.depth >= 4 {
            return self.simple(around);
        }
        match self.rng.u32(..16) {
            0 | 1 => format!("if\n{}\nfi", self.options(inner)),
            2 | 3 => {
                let inside = Around {
                    in_loop: true,
                    ..inner
                };
                match self.must_end(around) {
                    true => {
                        let round = self.sequence(inside, 2);
                        format!("i = 0; do :: i < 3 -> i++; {round} :: else -> break od")
                    }
                    false => format!("do\n{}\nod", self.options(inside)),
                }
            }
            4 | 5 => self.atomic(inner, 4),
            // SPIN refuses a jump that comes to rest at a `d_step`.
            6 if !around.d_step => format!("skip; {}", self.d_step(inner)),
            7 => format!("{{ {} }}", self.sequence(inner, 3)),
            8 => {
                let inside = Around {
                    in_loop: true,
                    ..inner
                };
                format!("for (i : 1 .. 3) {{ {} }}", self.sequence(inside, 3))
            }
            9 => "select (j : 0 .. 2)".to_owned(),
            10 => "select (j : 0 .. x)".to_owned(),
            _ => self.simple(around),
        }
    }

    /// Whether a loop here must end by itself.
    fn must_end(&self, around: Around) -> bool {
        self.loops == Loops::Short && (around.atomic || around.d_step)
    }

    fn atomic(&mut self, around: Around, n_max: u32) -> String {
        let inside = Around {
            atomic: true,
            ..around
        };
        format!("atomic {{ {} }}", self.sequence(inside, n_max))
    }

    /// Not inside another one: that confuses SPIN.
    fn d_step(&mut self, around: Around) -> String {
        let inside = Around {
            in_loop: false,
            d_step: true,
            ..around
        };
        format!("d_step {{ {} }}", self.sequence(inside, 3))
    }

    fn simple(&mut self, around: Around) -> String {
        let n = self.rng.u32(..4);
        match self.rng.u32(..16) {
            0 | 1 => format!("x = {n}"),
            2 => self.condition(),
            3 | 4 => "skip".to_owned(),
            5 => "printf(\"x\\n\")".to_owned(),
            6 if !around.d_step => format!("r!{n}"),
            7 => "c?y".to_owned(),
            8 => "assert(x < 9)".to_owned(),
            9 if around.in_loop => "break".to_owned(),
            10 if !around.d_step && !self.must_end(around) => "goto @".to_owned(),
            11 => "false".to_owned(),
            12 => format!("c!{n}"),
            13 => self.condition(),
            14 if !around.d_step => ["r?y", "r?1", "r?_"][self.rng.usize(..3)].to_owned(),
            _ => "y++".to_owned(),
        }
    }

    fn options(&mut self, around: Around) -> String {
        let n = self.rng.usize(1..=3);
        let with_else = self.rng.usize(..n + 2);
        let mut options = Vec::new();
        for i in 0..n {
            let text = match i == with_else {
                true => self.otherwise(around),
                false if !around.d_step && self.rng.u32(..7) == 0 => {
                    format!("{}; {}", self.d_step(around), self.sequence(around, 2))
                }
                false => self.sequence(around, 3),
            };
            options.push(format!(":: {text}"));
        }
        options.join("\n")
    }

    /// An option with `else` at its head, or at the head of the blocks that it begins with.
    fn otherwise(&mut self, around: Around) -> String {
        let atomic = Around {
            atomic: true,
            ..around
        };
        let d_step = Around {
            d_step: true,
            in_loop: false,
            ..around
        };
        match self.rng.u32(..10) {
            0 if !around.d_step => format!("d_step {{ else -> {} }}", self.sequence(d_step, 2)),
            1 if !around.d_step => {
                format!("d_step {{ {{ else -> {} }} }}", self.sequence(d_step, 2))
            }
            2 => format!("atomic {{ else -> {} }}", self.sequence(atomic, 2)),
            3 => format!("{{ else -> {} }}", self.sequence(around, 2)),
            4 if !around.d_step => format!("if :: else -> {} fi", self.sequence(around, 2)),
            5 if !around.d_step => {
                let (main, escape) = (self.sequence(around, 2), self.simple(around));
                format!("{{ {{ else -> {main} }} unless {{ {escape} }} }}")
            }
            _ => format!("else -> {}", self.sequence(around, 2)),
        }
    }

    /// A condition: comparisons, channels, `timeout`, all that can never or always hold.
    fn condition(&mut self) -> String {
        let n = self.rng.u32(..4);
        let fixed = [
            "c?[1]",
            "!(c??[2])",
            "full(c)",
            "nfull(c)",
            "empty(c)",
            "nempty(c)",
            "len(c) == 1",
            "empty(r)",
            "timeout",
            "(x -> y : 1)",
            "(x & 1) == (y >> 1)",
            "((x ^ y) | 1) != 3",
            "x * 2 - y % 2 > 1 && !y",
        ];
        match self.rng.usize(..2 * fixed.len()) {
            i if i < fixed.len() => fixed[i].to_owned(),
            i if i % 2 == 0 => format!("(y == {n})"),
            _ => format!("x < {n} || y == {n}"),
        }
    }

    fn unless(&mut self, around: Around, block: bool) -> String {
        let inner = Around {
            depth: around.depth + 1,
            ..around
        };
        let main = match self.rng.u32(..4) {
            0 if !block => self.plain(inner),
            1 => self.atomic(inner, 3),
            _ => format!("{{ {} }}", self.sequence(inner, 3)),
        };
        let escape = match self.rng.u32(..4) {
            0 => self.plain(inner),
            1 => self.atomic(inner, 3),
            _ => format!("{{ {} }}", self.sequence(inner, 3)),
        };
        format!("{main} unless {escape}")
    }
}
