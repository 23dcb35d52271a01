//! Properties that are asked of several members: for which of them the answer is the same.
//!
//! The atoms of all members are put into the model as it was lowered, one list a member, and its
//! symmetries are looked for that exchange such lists as wholes
//! ([`model::processes::program::Model::n_atom_lists`]). One that carries the list of member `i` to
//! that of member `j` carries each run that violates the property of `i` to one that violates that
//! of `j`, if it also keeps where runs start. So it is enough to check one member of each class,
//! and that with all symmetries that keep its own atoms.
//!
//! **Where runs start.** Symmetries are those that keep the state in which the model has set itself
//! up; what comes before need not be symmetric. So that must be a single way without choices, on
//! which the atoms of both members are the same moment by moment. Otherwise each member is checked.
//!
//! Worked example: five clients, `waiting[i]` and `inside[i]`, all alike: the group of order 120
//! carries every list to every other, so that one class is left, and its first member is checked
//! with the 24 symmetries that keep it. If client 0 has a text of its own there are two classes,
//! {0} and {1, 2, 3, 4}.

use group::Point;
use group::orbit::DisjointSets;
use model::Machine;
use model::frontend::Classes;
use model::processes::expr::{Binary, Expr, ExprId, Instance, Owner, Place, operands};
use model::processes::layout::KindId;
use model::processes::population::{Population, populate};
use model::processes::program::Model;
use std::ops::ControlFlow;
use system::{Rest, System};

/// How many moves of the way to the start are followed.
const N_MOVES_MAX: usize = 10_000;
/// For how many members a formula that names one is tried.
const N_OTHERS_MAX: usize = 300;

/// Each member by itself.
fn alone(n: usize) -> Classes {
    Classes {
        all: (0..n).map(|member| vec![member]).collect(),
        order: None,
    }
}

/// The classes of members whose atoms are these, lists of equal length; `model` has no passes yet.
pub fn classes(model: &Model, lists: &[&[ExprId]]) -> Classes {
    let n = lists.len();
    let mut model = model.clone();
    model.atoms = lists.concat();
    model.n_atom_lists = n;
    let machine = Machine::new(model);
    let Some(found) = reduce::processes::find(&machine) else {
        return alone(n);
    };
    let group = found.certified.group();
    let Some(before) = before_start(&machine, &found.population) else {
        return alone(n);
    };
    let n_each = lists.first().map_or(0, |list| list.len());
    let alike = |i: usize, j: usize| {
        let of = |letter: &[bool], at: usize| letter[at * n_each..(at + 1) * n_each].to_vec();
        before.iter().all(|letter| of(letter, i) == of(letter, j))
    };
    let mut sets = DisjointSets::new(n);
    for to in found.certified.lists() {
        for (i, &j) in to.iter().enumerate().filter(|(i, j)| alike(*i, **j)) {
            sets.join(i as Point, j as Point);
        }
    }
    let mut all: Vec<Vec<usize>> = Vec::new();
    for member in 0..n {
        let leader = sets.find(member as Point);
        let class = all
            .iter_mut()
            .find(|class| sets.find(class[0] as Point) == leader);
        match class {
            Some(class) => class.push(member),
            None => all.push(vec![member]),
        }
    }
    Classes {
        all,
        order: (!group.is_trivial()).then(|| group.order().to_string()),
    }
}

/// The atoms of the states before the one in which the model has set itself up; `None` if runs do
/// not all go the same way there, or an atom has no value on it.
fn before_start(machine: &Machine, population: &Population) -> Option<Vec<Vec<bool>>> {
    let [start] = &population.states[..] else {
        return None;
    };
    let mut scratch = machine.scratch();
    let mut initial = Vec::new();
    machine.initial(&mut scratch, &mut |state| {
        initial.push(state.ok().map(<[u8]>::to_vec));
    });
    let [Some(state)] = &mut initial[..] else {
        return None;
    };
    let mut letters = Vec::new();
    while state != start {
        let mut letter = Vec::new();
        machine.atoms(state, &mut scratch, &mut letter).ok()?;
        letters.push(letter);
        let mut moves = Vec::new();
        let rest = machine.successors(state, &mut scratch, &mut |mv| {
            moves.push(
                mv.state
                    .filter(|_| mv.faults.is_empty())
                    .map(<[u8]>::to_vec),
            );
            match moves.len() {
                1 => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            }
        });
        let [Some(next)] = &mut moves[..] else {
            return None;
        };
        if rest != Rest::Moves || letters.len() > N_MOVES_MAX || population.interleaved {
            return None;
        }
        *state = std::mem::take(next);
    }
    Some(letters)
}

/// The member that a property names, if it names one, and the others for which the answer is the
/// same; `model` has no passes yet.
///
/// What is named is a number that stands as an index or as the number of a process; all such
/// numbers must be the same one. Numbers that are compared with something may be meant, too, or may
/// not, so both is tried.
pub fn named(model: &Model, atoms: &[ExprId]) -> Option<(i32, Vec<i32>)> {
    let population = populate(&Machine::new(model.clone()))?;
    let mut looked = Looked {
        model,
        n_processes: population.processes.len(),
        values: Vec::new(),
        n_max: N_OTHERS_MAX,
    };
    atoms.iter().for_each(|atom| looked.look(*atom));
    let (value, n) = (*looked.values.first()?, looked.n_max as i32);
    if looked.values.iter().any(|other| *other != value) || !(0..n).contains(&value) {
        return None;
    }
    [false, true].into_iter().find_map(|compared| {
        let mut model = model.clone();
        let mut lists = Vec::new();
        for to in 0..n {
            let change = Change {
                from: value,
                to,
                compared,
            };
            let list = atoms.iter().map(|e| change.expr(&mut model.exprs, *e));
            lists.push(list.collect::<Vec<ExprId>>());
        }
        let lists: Vec<&[ExprId]> = lists.iter().map(Vec::as_slice).collect();
        let classes = classes(&model, &lists);
        let class = classes
            .all
            .iter()
            .find(|class| class.contains(&(value as usize)));
        let class = class.map_or(&[][..], Vec::as_slice).iter();
        let others = class.map(|member| *member as i32).filter(|m| *m != value);
        let others: Vec<i32> = others.collect();
        (!others.is_empty()).then_some((value, others))
    })
}

/// The numbers that name members in expressions, and how many members there can be.
struct Looked<'m> {
    model: &'m Model,
    n_processes: usize,
    values: Vec<i32>,
    n_max: usize,
}

impl Looked<'_> {
    fn look(&mut self, e: ExprId) {
        let model = self.model;
        let expr = &model.exprs[e.index()];
        match expr {
            Expr::Read(place) => {
                let kind = match place.owner {
                    Owner::Other(p, which) => {
                        self.instance(which);
                        model.proctype(p).kind
                    }
                    _ => KindId::new(0),
                };
                let field = &model.layout.kind(kind).fields[place.field.index()];
                for (e, dimension) in place.indices.iter().zip(&field.dimensions) {
                    self.number(*e, dimension.count as usize);
                }
            }
            Expr::AtLocation(_, which, _) => self.instance(*which),
            _ => {}
        }
        let mut inside = Vec::new();
        operands(expr, &mut |e| inside.push(e));
        inside.into_iter().for_each(|e| self.look(e));
    }

    fn instance(&mut self, which: Instance) {
        if let Instance::Numbered(e) = which {
            self.number(e, self.n_processes);
        }
    }

    fn number(&mut self, e: ExprId, n: usize) {
        if let Expr::Const(value) = self.model.exprs[e.index()] {
            self.values.push(value);
            self.n_max = self.n_max.min(n);
        }
    }
}

/// One number in the place of another, where it names a member.
#[derive(Clone, Copy)]
struct Change {
    from: i32,
    to: i32,
    /// Also where it is compared with something.
    compared: bool,
}

impl Change {
    /// The expression after the change. What is not looked into stays, which at worst makes it the
    /// expression of no member.
    fn expr(self, exprs: &mut Vec<Expr>, e: ExprId) -> ExprId {
        let all = |list: &[ExprId], exprs: &mut Vec<Expr>| {
            let all = list.iter().map(|e| self.expr(exprs, *e));
            all.collect::<Box<[ExprId]>>()
        };
        let changed = match exprs[e.index()].clone() {
            Expr::Read(place) => Expr::Read(self.place(exprs, place)),
            Expr::AtLocation(p, which, at) => Expr::AtLocation(p, self.which(exprs, which), at),
            Expr::Unary(op, a) => Expr::Unary(op, self.expr(exprs, a)),
            Expr::Binary(op @ (Binary::Equal | Binary::NotEqual), a, b) if self.compared => {
                Expr::Binary(op, self.number(exprs, a), self.number(exprs, b))
            }
            Expr::Binary(op, a, b) => Expr::Binary(op, self.expr(exprs, a), self.expr(exprs, b)),
            Expr::And(list) => Expr::And(all(&list, exprs)),
            Expr::Or(list) => Expr::Or(all(&list, exprs)),
            Expr::Choice(parts) => Expr::Choice(parts.map(|e| self.expr(exprs, e))),
            Expr::Probe(probe, channel) => Expr::Probe(probe, self.expr(exprs, channel)),
            _ => return e,
        };
        if changed == exprs[e.index()] {
            return e;
        }
        exprs.push(changed);
        ExprId::new(exprs.len() - 1)
    }

    fn place(self, exprs: &mut Vec<Expr>, place: Place) -> Place {
        let owner = match place.owner {
            Owner::Other(p, which) => Owner::Other(p, self.which(exprs, which)),
            owner => owner,
        };
        let indices = place.indices.iter().map(|e| self.number(exprs, *e));
        Place {
            owner,
            field: place.field,
            indices: indices.collect(),
        }
    }

    fn which(self, exprs: &mut Vec<Expr>, which: Instance) -> Instance {
        match which {
            Instance::Numbered(e) => Instance::Numbered(self.number(exprs, e)),
            Instance::Any => Instance::Any,
        }
    }

    /// An expression that names a member if it is a number.
    fn number(self, exprs: &mut Vec<Expr>, e: ExprId) -> ExprId {
        match exprs[e.index()] {
            Expr::Const(value) if value == self.from => {
                exprs.push(Expr::Const(self.to));
                ExprId::new(exprs.len() - 1)
            }
            _ => self.expr(exprs, e),
        }
    }
}
