//! What is asked of infinite runs: formulas and claims.

use super::Author;

impl Author {
    /// What is true or false of a state.
    fn atom(&mut self) -> String {
        let all = [
            "x == 0",
            "x == 1",
            "y != 2",
            "x < y",
            "a[0] == 1",
            "a[0] == a[1]",
            "b",
            "x + y > 2",
            "_last == 0",
            "y == 1",
        ];
        match self.rng.u32(..12) {
            0 | 1 => self.place(),
            2 => {
                let n = self.asked[0].n_instances;
                format!("P0[{}]:i == {}", self.rng.u32(..n), self.rng.u32(..3))
            }
            _ => self.pick(&all).to_owned(),
        }
    }

    /// Whether a process is at a label.
    fn place(&mut self) -> String {
        // Processes are numbered in the order of the text.
        let mut first = 0;
        let mut places = Vec::new();
        for asked in &self.asked {
            for k in first..first + asked.n_instances {
                let of = |label: &String| format!("{}[{k}]@{label}", asked.name);
                places.extend(asked.labels.iter().map(of));
            }
            first += asked.n_instances;
        }
        if places.is_empty() {
            "x == 2".to_owned()
        } else {
            places.swap_remove(self.rng.usize(..places.len()))
        }
    }

    /// A formula of that depth.
    pub(super) fn formula(&mut self, depth: u32) -> String {
        if depth == 0 {
            return format!("({})", self.atom());
        }
        let (p, q) = (self.formula(depth - 1), self.formula(depth - 1));
        match self.rng.u32(..12) {
            0 | 1 => format!("([] <> {p})"),
            2 => format!("(<> [] {p})"),
            3 => format!("([] ({p} -> <> {q}))"),
            4 => format!("(<> {p})"),
            5 => format!("([] {p})"),
            6 => format!("({p} U {q})"),
            7 => format!("({p} W {q})"),
            8 => format!("(!{p})"),
            9 => format!("({p} && {q})"),
            10 => format!("({p} -> {q})"),
            _ => format!("({p} || {q})"),
        }
    }

    /// A claim of two or three places.
    pub(super) fn claim(&mut self) -> String {
        let (p, q, r) = (self.atom(), self.atom(), self.atom());
        let forever = |what: &str| format!("accept0: do\n:: ({what})\nod");
        let body = match self.rng.u32(..5) {
            0 => format!("do\n:: ({p}) -> break\n:: true\nod;\n{}", forever(&q)),
            1 => format!("do\n:: ({p}) && ({q}) -> break\n:: else\nod"),
            2 => format!(
                "T0: if\n:: ({p}) -> goto accept1\n:: true -> goto T0\nfi;\naccept1: if\n:: ({q}) \
                 -> goto accept1\n:: ({r}) -> goto T0\nfi"
            ),
            3 => format!(
                "do\n:: np_ && ({p}) -> break\n:: true\nod;\n{}",
                forever("np_")
            ),
            _ => format!(
                "({p});\ndo\n:: ({q}) -> break\n:: ({r})\nod;\n{}",
                forever("true")
            ),
        };
        format!("never {{\n{body}\n}}\n")
    }
}
