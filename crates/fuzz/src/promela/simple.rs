//! Statements without statements in them.

use super::{Aim, Author, Block, Feature, StatementContext};

impl Author {
    /// A statement without others in it.
    pub(super) fn simple(&mut self, around: StatementContext) -> String {
        // A statement that waits in the middle of a `d_step` is an error: seldom.
        let may_wait = !around.is_d_step() || self.aim == Aim::Structure || self.chance(10);
        match self.rng.u32(..28) {
            0..=5 => self.assignment(around),
            6..=8 if may_wait => self.condition(),
            9 => "skip".to_owned(),
            10 => self.print(),
            11 | 12 if self.has(Feature::Rendezvous) && !around.is_d_step() => self.rendezvous(),
            13 | 14 if self.has(Feature::Buffer) && may_wait => self.send(),
            15 | 16 if self.has(Feature::Buffer) && may_wait => self.receive(),
            17 if self.has(Feature::Assertion) => format!("assert({})", self.comparison()),
            18 => format!("assert({} < 9)", self.pick(&["x", "y", "b"])),
            19 | 20 if around.in_loop => "break".to_owned(),
            21 | 22 if self.may_jump(around) => "goto @".to_owned(),
            23 if self.may_run(around) => self.run(),
            24 if self.has(Feature::Inline) && around.block != Block::Inline => self.call(),
            25 if self.has(Feature::Macro) => {
                let (v, e) = (self.target(around.block), self.expression(1));
                format!("SET({v}, {e})")
            }
            26 if self.has(Feature::Symbol) => self
                .pick(&["m = red", "m = green", "m = q", "q = m"])
                .to_owned(),
            27 if self.has(Feature::ChannelArray) && may_wait => {
                let all = [
                    "cs[0]!1",
                    "cs[1]!x",
                    "cs[x % 2]!2",
                    "cs[0]?y",
                    "cs[1]?1",
                    "cs[y % 2]?_",
                ];
                self.pick(&all).to_owned()
            }
            _ => self.step(),
        }
    }

    /// A step that can always be taken.
    fn step(&mut self) -> String {
        let all = [
            "x++",
            "y++",
            "x--",
            "x = 1",
            "y = 1 - y",
            "a[1] = (a[1] + 1) % 3",
            "b = !b",
        ];
        self.pick(&all).to_owned()
    }

    pub(super) fn assignment(&mut self, around: StatementContext) -> String {
        let target = self.target(around.block);
        let depth = self.rng.u32(..3);
        match self.rng.u32(..6) {
            0 => format!("{target}{}", self.pick(&["++", "--"])),
            1 | 2 => format!("{target} = {}", self.number()),
            _ => format!("{target} = {}", self.expression(depth)),
        }
    }

    fn print(&mut self) -> String {
        let all = [
            "printf(\"x\\n\")",
            "printf(\"%d\\n\", x)",
            "printf(\"%d %d\\n\", _pid, y)",
        ];
        self.pick(&all).to_owned()
    }

    pub(super) fn rendezvous(&mut self) -> String {
        let n = self.number();
        match self.rng.u32(..8) {
            0..=2 => format!("r!{n}"),
            3 => "r!x".to_owned(),
            _ => self.pick(&["r?y", "r?1", "r?eval(x)", "r?_"]).to_owned(),
        }
    }

    pub(super) fn send(&mut self) -> String {
        let n = self.number();
        if self.has(Feature::Symbol) && self.chance(25) {
            return self.pick(&["mc!red,1", "mc!m,x", "mc!green(2)"]).to_owned();
        }
        match self.rng.u32(..6) {
            0 | 1 => format!("c!{n}"),
            2 if self.has(Feature::Sorted) => self.pick(&["c!!x", "d!!x,2", "c!!1"]).to_owned(),
            3 => format!("d!{n},y"),
            4 => format!("d!{n}(x)"),
            _ => "c!x".to_owned(),
        }
    }

    pub(super) fn receive(&mut self) -> String {
        if self.has(Feature::Symbol) && self.chance(25) {
            return self
                .pick(&["mc?red,x", "mc?m,_", "mc?green(y)", "mc?eval(m),1"])
                .to_owned();
        }
        let plain = [
            "c?y",
            "c?1",
            "c?eval(y)",
            "d?x,y",
            "d?1,y",
            "c?_",
            "d?2(y)",
            "c?x",
        ];
        let odd = ["c??2", "c?<y>", "c??<x>", "d??_,2", "c??eval(x)", "d?<x,1>"];
        if self.has(Feature::Sorted) && self.chance(40) {
            self.pick(&odd).to_owned()
        } else {
            self.pick(&plain).to_owned()
        }
    }

    /// The use of an inline.
    fn call(&mut self) -> String {
        self.pick(&["f(x)", "f(y)", "g()", "put(x, 1)", "put(y, x)"])
            .to_owned()
    }

    fn may_run(&self, around: StatementContext) -> bool {
        let once = self.n_runs < 2 && !around.repeated;
        self.has(Feature::Run) && once && !around.is_d_step()
    }

    fn run(&mut self) -> String {
        self.n_runs += 1;
        self.pick(&["run Q(1)", "run Q(x)", "run Q(_pid)"])
            .to_owned()
    }

    /// Whether a jump may stand here; those inside `atomic` may make a loop that no state ends.
    pub(super) fn may_jump(&mut self, around: StatementContext) -> bool {
        let here = match around.block {
            Block::None => true,
            Block::Atomic => self.aim == Aim::Structure || self.chance(15),
            Block::DStep | Block::Inline => false,
        };
        here && self.has(Feature::Jump)
    }
}
