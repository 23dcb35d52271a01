//! Expressions and conditions.

use super::{Aim, Author, Block, Feature};

impl Author {
    /// Variables that can be read: globals, and those of the process.
    fn readable(&self) -> Vec<&'static str> {
        let mut all = vec!["x", "y", "x", "y", "a[0]", "a[1]", "b"];
        all.extend(&self.locals);
        let more: [(Feature, &[&'static str]); 4] = [
            (Feature::Record, &["t.u", "t.w[1]", "ts[1].w[0]", "ts[0].u"]),
            (Feature::Wide, &["s", "n", "k"]),
            (Feature::Hidden, &["h"]),
            (Feature::Count, &["_nr_pr"]),
        ];
        for (feature, names) in more {
            if self.has(feature) {
                all.extend(names);
            }
        }
        all
    }

    /// A variable, or an element whose index is computed.
    pub(super) fn variable(&mut self) -> String {
        let all = self.readable();
        if self.has(Feature::BadIndex) && self.chance(4) {
            return self.pick(&["a[x + 4]", "a[n - 1]", "a[y * 2]"]).to_owned();
        }
        match self.rng.u32(..10) {
            0 => "a[x]".to_owned(),
            1 if self.has(Feature::Record) => {
                self.pick(&["t.w[y % 2]", "ts[x % 2].w[1]"]).to_owned()
            }
            2 | 3 if self.has(Feature::Several) => "a[_pid]".to_owned(),
            _ => self.pick(&all).to_owned(),
        }
    }

    /// What can be assigned to, in a block.
    pub(super) fn target(&mut self, block: Block) -> String {
        let mut all = vec!["x", "y", "x", "y", "a[0]", "a[1]", "b"];
        all.extend(self.locals.iter().filter(|name| **name != "_pid"));
        if self.has(Feature::Record) {
            all.extend(["t.u", "t.w[1]", "t.w[x % 2]", "ts[y % 2].w[0]"]);
        }
        if self.has(Feature::Wide) {
            all.extend(["s", "n", "k"]);
        }
        if self.has(Feature::Several) {
            all.extend(["a[_pid]"; 3]);
        }
        let in_d_step = matches!(block, Block::DStep | Block::Inline);
        if self.has(Feature::Hidden) && !(in_d_step && self.aim != Aim::Structure) {
            all.push("h");
        }
        if self.has(Feature::BadIndex) && self.chance(4) {
            return self.pick(&["a[x + 3]", "a[n + 3]"]).to_owned();
        }
        self.pick(&all).to_owned()
    }

    /// An expression of limited depth without side effects.
    pub(super) fn expression(&mut self, depth: u32) -> String {
        let n = self.rng.u32(..if depth == 0 { 5 } else { 16 });
        match n {
            0 | 1 => self.number().to_string(),
            2 => self.variable(),
            3 => self.variable(),
            4 => match self.rng.u32(..5) {
                0 if self.has(Feature::Buffer) => self.pick(&["len(c)", "len(d)"]).to_owned(),
                1 if self.has(Feature::Wide) => self
                    .pick(&["255", "-1", "65535", "32767", "256"])
                    .to_owned(),
                2 if self.has(Feature::Macro) => self.pick(&["LIMIT", "LESS(x, y)"]).to_owned(),
                3 => "_pid".to_owned(),
                _ => self.variable(),
            },
            5..=10 => {
                let signs = [
                    "+", "-", "*", "&", "|", "^", "==", "!=", "<", "<=", ">", ">=", "&&",
                ];
                let sign = match self.rng.u32(..8) {
                    0 => "||",
                    _ => self.pick(&signs),
                };
                let (a, b) = (self.expression(depth - 1), self.expression(depth - 1));
                format!("({a} {sign} {b})")
            }
            11 => {
                let (a, n) = (self.expression(depth - 1), self.rng.u32(..3));
                format!("({a} {} {n})", self.pick(&["<<", ">>"]))
            }
            12 => {
                let (a, n) = (self.expression(depth - 1), self.rng.u32(1..4));
                format!("({a} {} {n})", self.pick(&["/", "%"]))
            }
            13 => {
                let sign = self.pick(&["!", "~", "-"]);
                format!("{sign}({})", self.expression(depth - 1))
            }
            _ => {
                let (a, b) = (self.expression(depth - 1), self.expression(depth - 1));
                format!("({a} -> {b} : {})", self.expression(depth - 1))
            }
        }
    }

    /// A comparison of a variable with a small number.
    pub(super) fn comparison(&mut self) -> String {
        let (a, n) = (self.variable(), self.number());
        format!("{a} {} {n}", self.pick(&["==", "!=", "<", ">", "<=", ">="]))
    }

    /// A condition that can stand as a statement.
    pub(super) fn condition(&mut self) -> String {
        match self.rng.u32(..18) {
            0 if self.has(Feature::Poll) => self.poll(),
            1 if self.has(Feature::Buffer) => {
                let all = [
                    "full(c)",
                    "nfull(c)",
                    "empty(c)",
                    "nempty(d)",
                    "len(c) == 1",
                    "full(d)",
                ];
                self.pick(&all).to_owned()
            }
            2 if self.has(Feature::Timeout) => "timeout".to_owned(),
            3 => self
                .pick(&["false", "0", "true", "1", "skip", "(1)"])
                .to_owned(),
            4 if self.has(Feature::Rendezvous) => self
                .pick(&["len(r) == 0", "empty(r)", "nfull(r)", "full(r)"])
                .to_owned(),
            5 => format!("!({})", self.comparison()),
            6 => format!("({} && {})", self.comparison(), self.comparison()),
            7 => format!("{} || {}", self.comparison(), self.comparison()),
            8 if self.has(Feature::Symbol) => self
                .pick(&["m == red", "m != green", "m == q", "m"])
                .to_owned(),
            9 if self.has(Feature::Macro) => self.pick(&["LESS(x, 2)", "BOTH(x, y)"]).to_owned(),
            10 | 11 => format!("({})", self.expression(2)),
            _ => self.comparison(),
        }
    }

    /// A question about the next message.
    fn poll(&mut self) -> String {
        let buffered = [
            "c?[1]",
            "c??[2]",
            "c?[eval(x)]",
            "d?[1,_]",
            "!(c?[0])",
            "d??[_,2]",
        ];
        let rendezvous = ["r?[1]", "!(r?[1])", "r??[2] || x == 1", "x == 2 && r?[1]"];
        if self.has(Feature::Rendezvous) && self.chance(15) {
            self.pick(&rendezvous).to_owned()
        } else if self.has(Feature::Buffer) {
            self.pick(&buffered).to_owned()
        } else {
            self.comparison()
        }
    }
}
