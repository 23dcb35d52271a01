//! Types made by hand, against plain twins.

use super::dots::DotMatch;
use super::show::Shower;
use super::types::{Ty, TypeClass, TypeClasses, TypeNode};
use super::unify::{TypeMismatch, Unifier};
use std::collections::HashMap;

/// A type as a tree, with numbered variables.
#[derive(Clone, PartialEq, Debug)]
enum TypeTree {
    Var(usize),
    Int,
    Bool,
    Set(Box<TypeTree>),
    Pair(Box<TypeTree>, Box<TypeTree>),
    Function(Box<TypeTree>, Box<TypeTree>),
}

const N_VARIABLES: usize = 4;

fn random_tree(random: &mut fastrand::Rng, depth: u8) -> TypeTree {
    let part = |random: &mut fastrand::Rng| Box::new(random_tree(random, depth - 1));
    match random.u8(0..if depth == 0 { 4 } else { 8 }) {
        0 | 1 => TypeTree::Var(random.usize(0..N_VARIABLES)),
        2 => TypeTree::Int,
        3 => TypeTree::Bool,
        4 | 5 => TypeTree::Set(part(random)),
        6 => TypeTree::Pair(part(random), part(random)),
        _ => TypeTree::Function(part(random), part(random)),
    }
}

/// Robinson's unification by substitution in whole trees: slow and plain.
fn unify(pairs: Vec<(TypeTree, TypeTree)>) -> Option<HashMap<usize, TypeTree>> {
    let mut rest = pairs;
    let mut found: HashMap<usize, TypeTree> = HashMap::new();
    while let Some((a, b)) = rest.pop() {
        match (a, b) {
            (a, b) if a == b => {}
            (TypeTree::Var(v), t) | (t, TypeTree::Var(v)) => {
                if contains(&t, v) {
                    return None;
                }
                for (a, b) in &mut rest {
                    (*a, *b) = (substitute(a, v, &t), substitute(b, v, &t));
                }
                for bound in found.values_mut() {
                    *bound = substitute(bound, v, &t);
                }
                found.insert(v, t);
            }
            (TypeTree::Set(a), TypeTree::Set(b)) => rest.push((*a, *b)),
            (TypeTree::Pair(a, b), TypeTree::Pair(c, d))
            | (TypeTree::Function(a, b), TypeTree::Function(c, d)) => {
                rest.extend([(*a, *c), (*b, *d)]);
            }
            _ => return None,
        }
    }
    Some(found)
}

fn contains(tree: &TypeTree, v: usize) -> bool {
    match tree {
        TypeTree::Var(w) => v == *w,
        TypeTree::Int | TypeTree::Bool => false,
        TypeTree::Set(a) => contains(a, v),
        TypeTree::Pair(a, b) | TypeTree::Function(a, b) => contains(a, v) || contains(b, v),
    }
}

fn substitute(tree: &TypeTree, v: usize, by: &TypeTree) -> TypeTree {
    let part = |t: &TypeTree| Box::new(substitute(t, v, by));
    match tree {
        TypeTree::Var(w) if v == *w => by.clone(),
        TypeTree::Var(_) | TypeTree::Int | TypeTree::Bool => tree.clone(),
        TypeTree::Set(a) => TypeTree::Set(part(a)),
        TypeTree::Pair(a, b) => TypeTree::Pair(part(a), part(b)),
        TypeTree::Function(a, b) => TypeTree::Function(part(a), part(b)),
    }
}

fn made(solver: &mut Unifier, variables: &[Ty], tree: &TypeTree) -> Ty {
    match tree {
        TypeTree::Var(v) => variables[*v],
        TypeTree::Int => solver.types.int(),
        TypeTree::Bool => solver.types.bool(),
        TypeTree::Set(a) => {
            let a = made(solver, variables, a);
            solver.types.set(a)
        }
        TypeTree::Pair(a, b) => {
            let all = vec![made(solver, variables, a), made(solver, variables, b)];
            solver.types.tuple(all)
        }
        TypeTree::Function(a, b) => {
            let a = vec![made(solver, variables, a)];
            let b = made(solver, variables, b);
            solver.types.function(a, b)
        }
    }
}

#[test]
fn unification_agrees_with_substitution_in_trees() {
    let mut counts = [0, 0];
    for seed in 0..4000 {
        let mut random = fastrand::Rng::with_seed(seed);
        let (a, b) = (random_tree(&mut random, 3), random_tree(&mut random, 3));
        let plain = unify(vec![(a.clone(), b.clone())]);
        let mut solver = Unifier::new();
        let variables: Vec<Ty> = (0..N_VARIABLES).map(|_| solver.types.fresh()).collect();
        let (left, right) = (
            made(&mut solver, &variables, &a),
            made(&mut solver, &variables, &b),
        );
        let found = solver.equate(left, right);
        counts[usize::from(plain.is_some())] += 1;
        assert_eq!(
            found.is_ok(),
            plain.is_some(),
            "seed {seed}: {a:?} and {b:?}"
        );
        let Some(plain) = plain else {
            continue;
        };
        // Both sides now are what the substitution makes of them, up to names of variables.
        let mut whole = a.clone();
        for (v, by) in &plain {
            whole = substitute(&whole, *v, by);
        }
        let fresh: Vec<Ty> = (0..N_VARIABLES).map(|_| solver.types.fresh()).collect();
        let wanted = made(&mut solver, &fresh, &whole);
        let mut show = |ty| Shower::new(&[]).ty(&mut solver.types, ty);
        let wanted = show(wanted);
        assert_eq!(show(left), wanted, "seed {seed}");
        assert_eq!(show(right), wanted, "seed {seed}");
    }
    assert!(counts.iter().all(|&n| n > 500), "{counts:?}");
}

/// A random list of labels and values: `Int`, `Bool`, `Event`, and dotables of them.
fn random_list(random: &mut fastrand::Rng) -> Vec<(Vec<u8>, u8)> {
    let n = random.usize(1..6);
    let one = |random: &mut fastrand::Rng| {
        let needs = (0..random.usize(0..3)).map(|_| random.u8(0..2)).collect();
        (needs, random.u8(0..2))
    };
    (0..n).map(|_| one(random)).collect()
}

/// The plain twin of `reduce` where nothing is unknown: the first takes the others in turn.
fn reduced(list: &[(Vec<u8>, u8)]) -> Option<Vec<(Vec<u8>, u8)>> {
    let mut done = Vec::new();
    let mut rest = list.to_vec();
    while !rest.is_empty() {
        let (needs, is) = rest.remove(0);
        if needs.is_empty() || rest.is_empty() {
            done.push((needs, is));
            continue;
        }
        let (inner, becomes) = rest.remove(0);
        if becomes != needs[0] {
            return None;
        }
        let needs = [&inner[..], &needs[1..]].concat();
        rest.insert(0, (needs, is));
    }
    Some(done)
}

#[test]
fn lists_of_dots_agree_with_a_plain_twin() {
    let mut counts = [0, 0];
    for seed in 0..4000 {
        let mut random = fastrand::Rng::with_seed(seed);
        let list = random_list(&mut random);
        let mut solver = Unifier::new();
        let atoms = [solver.types.int(), solver.types.event()];
        let atom = |i: &u8| atoms[usize::from(*i)];
        let mut types = Vec::new();
        for (needs, is) in &list {
            let needs: Vec<Ty> = needs.iter().map(atom).collect();
            types.push(solver.types.dotables(&needs, atom(is)));
        }
        let found = solver.reduce(types, DotMatch::Longest);
        let plain = reduced(&list);
        counts[usize::from(plain.is_some())] += 1;
        let found = found.ok().map(|all| {
            let parts = all.into_iter().map(|ty| solver.types.parts(ty));
            let number = |ty: &Ty| u8::from(*ty == atoms[1]);
            let one = |(needs, is): (Vec<Ty>, Ty)| -> (Vec<u8>, u8) {
                (needs.iter().map(number).collect(), number(&is))
            };
            parts.map(one).collect::<Vec<_>>()
        });
        assert_eq!(found, plain, "seed {seed}: {list:?}");
    }
    assert!(counts.iter().all(|&n| n > 500), "{counts:?}");
}

#[test]
fn a_variable_keeps_its_classes_until_it_is_bound() {
    let mut solver = Unifier::new();
    let a = solver.types.fresh_with(TypeClasses::of(TypeClass::Eq));
    let b = solver.types.fresh();
    let pair = solver.types.tuple(vec![b, b]);
    solver.equate(a, pair).expect("a pair can be compared");
    let proc = solver.types.proc();
    let clash = solver.equate(b, proc);
    assert!(
        matches!(
            clash,
            Err(TypeMismatch::Not {
                class: TypeClass::Eq,
                ..
            })
        ),
        "{clash:?}"
    );
}

#[test]
fn a_rigid_variable_is_equal_to_itself_alone() {
    let mut solver = Unifier::new();
    let a = solver
        .types
        .rigid("a".into(), TypeClasses::of(TypeClass::Set));
    let b = solver.types.rigid("b".into(), TypeClasses::default());
    let int = solver.types.int();
    assert!(solver.equate(a, b).is_err());
    assert!(solver.equate(a, int).is_err());
    assert!(solver.equate(int, a).is_err());
    assert!(solver.equate(a, a).is_ok());
    assert!(solver.require(TypeClass::Set, a).is_ok());
    assert!(solver.require(TypeClass::Eq, a).is_err());
    let c = solver.types.fresh();
    assert!(solver.equate(c, b).is_ok());
    assert!(solver.require(TypeClass::Set, c).is_err());
}

#[test]
fn extendables_with_the_same_variable_are_extended_alike() {
    let mut solver = Unifier::new();
    let event = solver.types.event();
    let by = solver.types.fresh();
    let one = solver.types.extendable(event, by);
    let other = solver.types.extendable(event, by);
    let int = solver.types.int();
    let channel = solver.types.dotable(int, event);
    solver.equate(one, channel).expect("a channel");
    let (needs, result) = solver.types.parts(other);
    assert_eq!((needs, result), (vec![int], event));
    assert!(matches!(solver.types.shape(other), TypeNode::Dotable(..)));
}

#[test]
fn a_type_is_no_part_of_itself() {
    let mut solver = Unifier::new();
    let a = solver.types.fresh();
    let set = solver.types.set(a);
    assert!(matches!(
        solver.equate(a, set),
        Err(TypeMismatch::Infinite(_))
    ));
    // But dots may come out as the variable itself.
    let b = solver.types.fresh();
    let label = solver.types.dotable(b, a);
    let dots = solver.types.dot(label, b);
    assert!(solver.equate(a, dots).is_ok());
}
