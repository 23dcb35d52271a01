//! Declarations: variables, inlines and macros, processes.

use super::{Aim, AskedProcess, Author, Block, Feature, StatementContext};

impl Author {
    /// The globals, and the macros.
    pub(super) fn globals(&mut self) -> String {
        let mut text = String::new();
        if self.has(Feature::Macro) {
            text += "#define SET(v, e) v = e\n#define LESS(p, q) ((p) < (q))\n";
            text += "#define BOTH(p, q) (p != 0 && q != 0)\n#define LIMIT 2\n";
        }
        if self.has(Feature::Symbol) {
            text += "mtype = { red, green };\nmtype m = red, q;\n";
            text += "chan mc = [1] of { mtype, byte };\n";
        }
        text += "unsigned x : 2, y : 2;\nbyte a[5];\nbool b;\n";
        if self.has(Feature::Record) {
            text += "typedef T { bit u; byte w[2] };\nT t;\nT ts[2];\n";
        }
        if self.has(Feature::Wide) || self.has(Feature::BadIndex) {
            text += "short s = 3;\nint n = 1;\nbit k;\n";
        }
        if self.has(Feature::Hidden) {
            text += "hidden byte h;\n";
        }
        if self.has(Feature::Buffer) {
            let size = self.rng.u32(1..3);
            text += &format!("chan c = [{size}] of {{ byte }};\n");
            text += "chan d = [2] of { byte, byte };\n";
        }
        if self.has(Feature::ChannelArray) {
            text += "chan cs[2] = [1] of { byte };\n";
        }
        if self.has(Feature::Rendezvous) {
            text += "chan r = [0] of { byte };\n";
        }
        if self.has(Feature::Exclusive) {
            text += "chan e = [2] of { byte };\n";
        }
        text
    }

    /// The inlines.
    pub(super) fn routines(&mut self) -> String {
        if !self.has(Feature::Inline) {
            return String::new();
        }
        let around = StatementContext {
            depth: 3,
            block: Block::Inline,
            ..StatementContext::START
        };
        self.locals = vec!["z"];
        let f = self.sequence(around, 2);
        self.locals = Vec::new();
        let g = self.sequence(around, 2);
        let otherwise = self.pick(&[":: else", ":: else -> y = 2", ":: atomic { else -> y = 0 }"]);
        let f = format!("inline f(z) {{\n{f}\n}}\n");
        let put = "inline put(v, e) { v = e; b = 1 }\n";
        let choice = format!("if\n:: x == 1 -> y = 1\n{otherwise}\nfi");
        format!("{f}{put}inline g() {{\n{choice};\n{g};\nput(y, 0)\n}}\n")
    }

    /// The processes, and where they come from.
    pub(super) fn processes(&mut self) -> String {
        let mut text = String::new();
        let n = match self.aim {
            Aim::Symmetric => self.rng.u32(1..3),
            _ => self.rng.u32(1..=2),
        };
        for k in 0..n {
            text += &self.process(k);
        }
        if self.has(Feature::Init) && self.chance(60) {
            text += &self.init();
        }
        if text.contains("run Q") {
            self.n_runs = u32::MAX;
            let body = self.body(&["i", "z", "_pid"], 3);
            text += &format!("proctype Q(byte z) {{ byte i, j;\n{body}\n}}\n");
        }
        text
    }

    /// One process type that is there from the start.
    fn process(&mut self, k: u32) -> String {
        let several = self.has(Feature::Several) && (k == 0 || self.chance(30));
        let n = match (several, self.aim) {
            (true, Aim::Symmetric) => self.rng.u32(2..4),
            (true, _) => 2,
            (false, _) => 1,
        };
        let mut body = self.body(&["i", "_pid"], if n > 1 { 3 } else { 5 });
        if self.has(Feature::Exclusive) && n == 1 {
            let way = match k {
                0 => "xs e;\ne!1",
                _ => "xr e;\ne?x",
            };
            body = format!("{way};\n{body}");
        }
        let count = if n > 1 {
            format!(" [{n}]")
        } else {
            String::new()
        };
        let name = format!("P{k}");
        self.asked.push(AskedProcess {
            name: name.clone(),
            labels: self.labels.clone(),
            n_instances: n,
        });
        let mut rules = String::new();
        if self.has(Feature::Priority) {
            rules += &format!(" priority {}", self.rng.u32(1..4));
        }
        if self.has(Feature::Provided) && self.chance(60) {
            rules += self.pick(&[" provided (x != 3)", " provided (_pid == 0 || y < 2)"]);
        }
        format!("active{count} proctype {name}(){rules} {{ byte i, j;\n{body}\n}}\n")
    }

    fn init(&mut self) -> String {
        let start = if self.has(Feature::Run) {
            self.pick(&[
                "atomic { run Q(1); run Q(1) };\n",
                "run Q(0);\n",
                "run Q(y);\n",
            ])
        } else {
            ""
        };
        let body = self.body(&["i"], 2);
        format!("init {{ byte i, j;\n{start}{body}\n}}\n")
    }

    /// The statements of a process with these variables.
    fn body(&mut self, locals: &[&'static str], n_max: u32) -> String {
        self.locals = locals.to_vec();
        self.labels = Vec::new();
        let body = self.sequence(StatementContext::START, n_max);
        self.settle(&body)
    }

    /// Replaces the jumps to nowhere by jumps to labels.
    fn settle(&mut self, body: &str) -> String {
        let mut out = String::new();
        for (i, piece) in body.split("goto @").enumerate() {
            if i > 0 {
                let label = if self.labels.is_empty() {
                    "skip".to_owned()
                } else {
                    format!("goto {}", self.labels[self.rng.usize(..self.labels.len())])
                };
                out.push_str(&label);
            }
            out.push_str(piece);
        }
        out
    }
}
