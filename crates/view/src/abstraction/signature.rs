//! Signature-merge: one node for all states in which the same can be done.
//!
//! **Problem.** A state space that a person can read, whatever its size.
//!
//! **Idea** (Turner 2007). The signature of a state is the set of classes of labels that are
//! enabled in it; states with equal signatures are one node. Every run of the space is a run of the
//! picture, so that what is impossible in the picture is impossible in the model; what a node
//! offers is exactly what its states offer. With `k` steps, two states are one node if the same
//! sequences of at most `k` classes are possible from both; with one step that is the signature.
//!
//! A state that is not expanded has no signature that is known: such states are a node of their
//! own, and within a sequence they are like nothing else.
//!
//! **How.** The sequences of at most `k` classes that are possible from a state are a tree: a list
//! of classes, each with the tree of what can follow. Equal trees get one number. The tree of a
//! state has, for each class, the union of the trees of `k - 1` steps of all states that it leads
//! to. Unions are made once for each pair of trees.
//!
//! **Worked example.** In the phone book of three names and codes, 65 states have four signatures:
//! nothing but the set-up, `{add}`, `{add, delete, lookup}`, `{delete, lookup}`.
//!
//! **Similar signatures.** Signatures that differ in few classes can be merged, too: two that
//! differ in at most `d`, and so on from one to the next. Then a node may offer what only some of
//! its states do: its words say *sometimes*, and its edges are dashed.
//!
//! **Cost.** `k` walks over all transitions, and the unions. Similar signatures: all pairs.

use super::{Alpha, Blocks, NoView, Quotient, View};
use crate::picture::NodeKinds;
use crate::space::Space;
use std::collections::HashMap;

/// The most trees that are kept.
const TREES_MAX: usize = 4_000_000;

/// The blocks of equal signatures of `k` steps.
pub fn blocks(space: &Space, alpha: &Alpha, k: usize) -> Result<Blocks, NoView> {
    let mut trees = Trees::default();
    let unknown = trees.enter(vec![(Alpha::HIDDEN, Trees::LEAF)]);
    let mut before = vec![Trees::LEAF; space.n_states()];
    let mut after = before.clone();
    for _ in 0..k.max(1) {
        trees.fill(space, alpha, &before, &mut after, unknown);
        if trees.all.len() > TREES_MAX || trees.unions.len() > TREES_MAX {
            return Err(NoView::TooMuchWork(trees.all.len()));
        }
        std::mem::swap(&mut before, &mut after);
    }
    let blocks = Blocks {
        of_state: before,
        n: trees.all.len(),
    };
    Ok(blocks.in_order())
}

/// The picture of signatures of `k` steps.
pub fn view(space: &Space, alpha: &Alpha, k: usize) -> Result<View, NoView> {
    let blocks = blocks(space, alpha, k)?;
    let quotient = Quotient::new(space, alpha, &blocks);
    let title = match k {
        0 | 1 => "States by what is enabled in them".to_owned(),
        k => format!("States by what is possible in {k} steps"),
    };
    Ok(quotient.view(title, &|block| words(space, alpha, &quotient, block)))
}

/// The most signatures of which all pairs are compared.
const COMPARED_MAX: usize = 5_000;

/// The blocks of signatures of one step that differ in at most `n_differing` classes, or are
/// connected by such.
pub fn similar(space: &Space, alpha: &Alpha, n_differing: usize) -> Result<Blocks, NoView> {
    let blocks = blocks(space, alpha, 1)?;
    if blocks.n > COMPARED_MAX {
        return Err(NoView::TooMuchWork(blocks.n));
    }
    let quotient = Quotient::new(space, alpha, &blocks);
    let all = 0..blocks.n as u32;
    let signatures: Vec<Option<Vec<u32>>> = all
        .map(|block| {
            let first = quotient.members(block)[0];
            let is_known = !space.kinds(first).has(NodeKinds::UNEXPANDED);
            is_known.then(|| quotient.enabled(first))
        })
        .collect();
    let mut merged: Vec<u32> = (0..blocks.n as u32).collect();
    for (a, one) in signatures.iter().enumerate() {
        for (b, other) in signatures.iter().enumerate().take(a) {
            let (Some(one), Some(other)) = (one, other) else {
                continue;
            };
            let n_shared = one.iter().filter(|class| other.contains(class)).count();
            if one.len() + other.len() - 2 * n_shared <= n_differing {
                let (from, to) = (root(&merged, a as u32), root(&merged, b as u32));
                merged[from.max(to) as usize] = from.min(to);
            }
        }
    }
    let of_state = blocks.of_state.iter().map(|block| root(&merged, *block));
    let of_state: Vec<u32> = of_state.collect();
    Ok(Blocks {
        of_state,
        n: blocks.n,
    }
    .in_order())
}

fn root(merged: &[u32], mut block: u32) -> u32 {
    while merged[block as usize] != block {
        block = merged[block as usize];
    }
    block
}

/// The picture of similar signatures.
pub fn similar_view(space: &Space, alpha: &Alpha, n_differing: usize) -> Result<View, NoView> {
    let blocks = similar(space, alpha, n_differing)?;
    let quotient = Quotient::new(space, alpha, &blocks);
    let title = format!("States by what is enabled in them, up to {n_differing} differences");
    Ok(quotient.view(title, &|block| {
        similar_words(space, alpha, &quotient, block)
    }))
}

/// The lines of a block of similar signatures: what is enabled in all of its states, and in some.
fn similar_words(space: &Space, alpha: &Alpha, quotient: &Quotient<'_>, block: u32) -> Vec<String> {
    let members = quotient.members(block);
    let mut n_having = vec![0_usize; alpha.n_classes()];
    for state in members {
        for class in quotient.enabled(*state) {
            n_having[class as usize] += 1;
        }
    }
    let sometimes = (0..alpha.n_classes()).filter(|c| (1..members.len()).contains(&n_having[*c]));
    let sometimes: Vec<u32> = sometimes.map(|class| class as u32).collect();
    if sometimes.is_empty() {
        return words(space, alpha, quotient, block);
    }
    let always = (0..alpha.n_classes()).filter(|class| n_having[*class] == members.len());
    let mut lines: Vec<String> = always.map(|c| alpha.text(c as u32).to_owned()).collect();
    lines.extend(
        sometimes
            .iter()
            .map(|class| format!("sometimes {}", alpha.text(*class))),
    );
    lines.push(how_many(space, members));
    lines
}

/// The lines of a block: what is enabled, and how many states there are.
pub fn words(space: &Space, alpha: &Alpha, quotient: &Quotient<'_>, block: u32) -> Vec<String> {
    let members = quotient.members(block);
    let kinds = space.kinds(members[0]);
    let mut lines = Vec::new();
    if kinds.has(NodeKinds::UNEXPANDED) {
        lines.push("not expanded".to_owned());
    } else {
        let enabled = quotient.enabled(members[0]);
        lines.extend(enabled.iter().map(|class| alpha.text(*class).to_owned()));
        if lines.is_empty() {
            lines.push("nothing enabled".to_owned());
        }
    }
    lines.push(how_many(space, members));
    lines
}

/// How many states these are.
pub fn how_many(space: &Space, members: &[u32]) -> String {
    let orbits = members.iter().map(|state| space.orbit(*state));
    let n_full = orbits.fold(0_u64, u64::saturating_add);
    let n = members.len();
    let states = if n == 1 { "state" } else { "states" };
    if space.has_orbits() {
        format!("{n} {states} for {n_full}")
    } else {
        format!("{n} {states}")
    }
}

/// A tree: classes, sorted, each with the tree of what can follow.
type Tree = Vec<(u32, u32)>;

/// Trees by number.
struct Trees {
    all: Vec<Tree>,
    numbers: HashMap<Tree, u32>,
    unions: HashMap<(u32, u32), u32>,
}

impl Default for Trees {
    fn default() -> Trees {
        Trees {
            all: vec![Vec::new()],
            numbers: HashMap::from([(Vec::new(), Trees::LEAF)]),
            unions: HashMap::new(),
        }
    }
}

impl Trees {
    /// Nothing can follow, or nothing is asked.
    const LEAF: u32 = 0;

    fn enter(&mut self, tree: Tree) -> u32 {
        if let Some(number) = self.numbers.get(&tree) {
            return *number;
        }
        let number = self.all.len() as u32;
        self.all.push(tree.clone());
        self.numbers.insert(tree, number);
        number
    }

    /// By state its tree, from the trees with a step less.
    fn fill(
        &mut self,
        space: &Space,
        alpha: &Alpha,
        before: &[u32],
        after: &mut [u32],
        unknown: u32,
    ) {
        let (labels, targets) = (space.all_labels(), space.all_targets());
        let mut steps: Tree = Vec::new();
        for state in 0..space.n_states() as u32 {
            if space.kinds(state).has(NodeKinds::UNEXPANDED) {
                after[state as usize] = unknown;
                continue;
            }
            steps.clear();
            for i in space.range(state) {
                let class = alpha.classes()[labels[i] as usize];
                if class != Alpha::HIDDEN {
                    steps.push((class, before[targets[i] as usize]));
                }
            }
            steps.sort_unstable();
            steps.dedup();
            let united = self.united(&steps);
            after[state as usize] = match self.numbers.get(&united) {
                Some(number) => *number,
                None => self.enter(united),
            };
        }
    }

    /// One entry for each class.
    fn united(&mut self, steps: &[(u32, u32)]) -> Tree {
        let mut tree: Tree = Vec::new();
        for (class, child) in steps {
            match tree.last().copied() {
                Some((last, other)) if last == *class => {
                    let both = self.union(other, *child);
                    *tree.last_mut().expect("an entry") = (last, both);
                }
                _ => tree.push((*class, *child)),
            }
        }
        tree
    }

    /// The tree of what is possible in either.
    fn union(&mut self, a: u32, b: u32) -> u32 {
        if a == b || b == Trees::LEAF {
            return a;
        }
        if a == Trees::LEAF {
            return b;
        }
        let key = (a.min(b), a.max(b));
        if let Some(known) = self.unions.get(&key) {
            return *known;
        }
        let mut both = self.all[a as usize].clone();
        both.extend_from_slice(&self.all[b as usize]);
        both.sort_unstable();
        both.dedup();
        let united = self.united(&both);
        let number = self.enter(united);
        self.unions.insert(key, number);
        number
    }
}
