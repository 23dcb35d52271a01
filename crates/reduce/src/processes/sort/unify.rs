//! Classes that are found to be one.
//!
//! A forest of variables, each with what is known of its class at the root. A class that names
//! channels has the classes of what is sent over them, so making two classes one may make their
//! messages' classes one as well.

/// A class that may yet be found equal to others.
pub(super) type Var = u32;

/// What is known of a class.
#[derive(Clone, Default, Debug)]
pub(super) struct Facts {
    /// The classes of the fields of messages, where its members are channels.
    pub payload: Vec<Var>,
    /// Whether its members are processes.
    pub names_processes: bool,
    /// Whether its members are channels.
    pub names_channels: bool,
    /// Whether numbers that are not known here may be in it, as those of later processes.
    pub open: bool,
    /// Why its numbers cannot be exchanged, if they cannot: an index into a list of reasons.
    pub plain: Option<u32>,
    /// Values that the text treats in a way of their own without writing them.
    pub pinned: Vec<i32>,
}

/// The forest.
#[derive(Default, Debug)]
pub(super) struct Classes {
    parents: Vec<Var>,
    facts: Vec<Facts>,
}

impl Classes {
    /// A class of its own.
    pub fn fresh(&mut self) -> Var {
        self.parents.push(self.parents.len() as Var);
        self.facts.push(Facts::default());
        self.parents.len() as Var - 1
    }

    /// The variable that stands for the class of `x`.
    pub fn find(&self, mut x: Var) -> Var {
        while self.parents[x as usize] != x {
            x = self.parents[x as usize];
        }
        x
    }

    /// What is known of the class of `x`.
    pub fn facts(&mut self, x: Var) -> &mut Facts {
        let root = self.find(x);
        &mut self.facts[root as usize]
    }

    /// Makes two classes one.
    pub fn unify(&mut self, x: Var, y: Var) {
        let mut waiting = vec![(x, y)];
        while let Some((x, y)) = waiting.pop() {
            let (x, y) = (self.find(x), self.find(y));
            if x == y {
                continue;
            }
            // The older one stays, so that answers do not depend on the order of unions.
            let (stays, goes) = (x.min(y), x.max(y));
            self.parents[goes as usize] = stays;
            let gone = std::mem::take(&mut self.facts[goes as usize]);
            let kept = &mut self.facts[stays as usize];
            kept.names_processes |= gone.names_processes;
            kept.names_channels |= gone.names_channels;
            kept.open |= gone.open;
            kept.plain = kept.plain.or(gone.plain);
            kept.pinned.extend(gone.pinned);
            for (i, field) in gone.payload.into_iter().enumerate() {
                match kept.payload.get(i) {
                    Some(known) => waiting.push((*known, field)),
                    None => kept.payload.push(field),
                }
            }
        }
    }

    /// The class of field `i` of what is sent over the channels of `x`.
    pub fn payload(&mut self, x: Var, i: usize) -> Var {
        while self.facts(x).payload.len() <= i {
            let field = self.fresh();
            self.facts(x).payload.push(field);
        }
        self.facts(x).payload[i]
    }
}
