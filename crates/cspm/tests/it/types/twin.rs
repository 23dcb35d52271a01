//! Random expressions, judged by a plain twin that goes from the leaves up.
//!
//! The twin knows no variables: every expression here has one type, or none. It has no empty set or
//! sequence, and every function has a known type.

use super::check;

#[derive(Clone, PartialEq, Debug)]
enum Ty {
    Int,
    Bool,
    Proc,
    Event,
    T,
    Set(Box<Ty>),
    Seq(Box<Ty>),
    Pair(Box<Ty>, Box<Ty>),
    /// `a => b`
    Dotable(Box<Ty>, Box<Ty>),
}

impl Ty {
    fn shown(&self) -> String {
        match self {
            Ty::Int => "Int".into(),
            Ty::Bool => "Bool".into(),
            Ty::Proc => "Proc".into(),
            Ty::Event => "Event".into(),
            Ty::T => "T".into(),
            Ty::Set(inner) => format!("{{{}}}", inner.shown()),
            Ty::Seq(inner) => format!("<{}>", inner.shown()),
            Ty::Pair(a, b) => format!("({}, {})", a.shown(), b.shown()),
            Ty::Dotable(a, b) => format!("{} => {}", a.shown(), b.shown()),
        }
    }

    fn is_eq(&self) -> bool {
        match self {
            Ty::Proc => false,
            Ty::Set(inner) | Ty::Seq(inner) => inner.is_eq(),
            Ty::Pair(a, b) | Ty::Dotable(a, b) => a.is_eq() && b.is_eq(),
            _ => true,
        }
    }

    fn is_ord(&self) -> bool {
        match self {
            Ty::Int => true,
            Ty::Set(inner) | Ty::Seq(inner) => inner.is_eq(),
            Ty::Pair(a, b) => a.is_ord() && b.is_ord(),
            _ => false,
        }
    }
}

fn dotable(arguments: &[Ty], result: Ty) -> Ty {
    let arguments = arguments.iter().rev();
    arguments.fold(result, |r, a| Ty::Dotable(Box::new(a.clone()), Box::new(r)))
}

/// A text, and its type if it has one.
fn expr(random: &mut fastrand::Rng, depth: u8) -> Typed {
    if depth == 0 || random.u8(0..8) == 0 {
        let all = [
            ("1", Ty::Int),
            ("true", Ty::Bool),
            ("STOP", Ty::Proc),
            ("a", Ty::Event),
            ("A", Ty::T),
            ("B", dotable(&[Ty::Int], Ty::T)),
            ("c", dotable(&[Ty::T, Ty::Bool], Ty::Event)),
        ];
        let (text, ty) = all[random.usize(0..all.len())].clone();
        return (text.into(), Some(ty));
    }
    let (x, y) = (expr(random, depth - 1), expr(random, depth - 1));
    match random.u8(0..14) {
        n @ 0..=6 => joined(n, x, y),
        n @ 7..=12 => applied(n, x, y),
        _ => dot(random),
    }
}

fn same(s: &Option<Ty>, t: &Option<Ty>) -> bool {
    s.is_some() && s == t
}

fn boxed(ty: &Option<Ty>) -> Option<Box<Ty>> {
    ty.clone().map(Box::new)
}

/// A text and its type.
type Typed = (String, Option<Ty>);

/// `ty` if both are `is`.
fn both(s: &Option<Ty>, t: &Option<Ty>, is: Ty, ty: Ty) -> Option<Ty> {
    let is = Some(is);
    (*s == is && *t == is).then_some(ty)
}

/// Operators between two like things, sets, sequences and pairs.
fn joined(n: u8, x: Typed, y: Typed) -> Typed {
    let ((x, s), (y, t)) = (x, y);
    match n {
        0 => (format!("({x} + {y})"), both(&s, &t, Ty::Int, Ty::Int)),
        1 => (format!("({x} and {y})"), both(&s, &t, Ty::Bool, Ty::Bool)),
        2 => {
            let is_good = same(&s, &t) && s.as_ref().is_some_and(Ty::is_eq);
            (format!("(({x}) == ({y}))"), is_good.then_some(Ty::Bool))
        }
        3 => {
            let is_good = same(&s, &t) && s.as_ref().is_some_and(Ty::is_ord);
            (format!("(({x}) <= ({y}))"), is_good.then_some(Ty::Bool))
        }
        4 => {
            let ty = boxed(&s).filter(|_| same(&s, &t)).map(Ty::Set);
            (format!("{{{x}, {y}}}"), ty)
        }
        5 => {
            let ty = boxed(&s).filter(|_| same(&s, &t)).map(Ty::Seq);
            (format!("<({x}), ({y})>"), ty)
        }
        _ => {
            let ty = boxed(&s).zip(boxed(&t)).map(|(a, b)| Ty::Pair(a, b));
            (format!("({x}, {y})"), ty)
        }
    }
}

/// Processes, conditions and functions.
fn applied(n: u8, x: Typed, y: Typed) -> Typed {
    let ((x, s), (y, t)) = (x, y);
    match n {
        7 => (format!("({x} [] {y})"), both(&s, &t, Ty::Proc, Ty::Proc)),
        8 => {
            let is_good = s == Some(Ty::Event) && t == Some(Ty::Proc);
            (format!("(({x}) -> ({y}))"), is_good.then_some(Ty::Proc))
        }
        9 => {
            let ty = t.filter(|_| s == Some(Ty::Bool));
            (format!("(if {x} then {y} else {y})"), ty)
        }
        10 => {
            let inner = match s {
                Some(Ty::Seq(inner)) => Some(*inner),
                _ => None,
            };
            (format!("head({x})"), inner)
        }
        11 => {
            let is_element = match (&s, &t) {
                (Some(s), Some(Ty::Set(inner))) => **inner == *s && s.is_eq(),
                _ => false,
            };
            (
                format!("member(({x}), ({y}))"),
                is_element.then_some(Ty::Bool),
            )
        }
        _ => {
            let is_good = s == Some(Ty::Proc) && t == Some(Ty::Set(Box::new(Ty::Event)));
            (format!("({x} \\ {y})"), is_good.then_some(Ty::Proc))
        }
    }
}

/// A label with the right things behind it, or with one of them wrong.
fn dot(random: &mut fastrand::Rng) -> Typed {
    let whole = [
        ("B.1", Ty::T),
        ("c.A", dotable(&[Ty::Bool], Ty::Event)),
        ("c.A.true", Ty::Event),
        ("c.B.1.false", Ty::Event),
        ("c.B.1", dotable(&[Ty::Bool], Ty::Event)),
        ("c.B", dotable(&[Ty::Int, Ty::Bool], Ty::Event)),
        ("(c.B).1", dotable(&[Ty::Bool], Ty::Event)),
    ];
    let wrong = ["B.true", "c.1", "c.A.1", "c.B.true", "c.B.1.A", "c.a"];
    if random.bool() {
        let (text, ty) = whole[random.usize(0..whole.len())].clone();
        return (format!("({text})"), Some(ty));
    }
    (format!("({})", wrong[random.usize(0..wrong.len())]), None)
}

#[test]
fn the_checker_agrees_with_a_plain_twin() {
    let head = "datatype T = A | B.{0..1}\nchannel a\nchannel c : T.Bool\n";
    let mut counts = [0, 0];
    for seed in 0..2500 {
        let mut random = fastrand::Rng::with_seed(seed);
        let depth = random.u8(1..4);
        let (text, ty) = expr(&mut random, depth);
        let said = check(&format!("{head}v = ({text})\n"));
        assert!(said.is_read, "seed {seed}: {text}\n{}", said.drawn);
        counts[usize::from(ty.is_some())] += 1;
        let found = said.typed.as_ref().and_then(|typed| {
            let mut all = typed.definitions.iter();
            all.find(|d| d.name == "v").map(|d| d.shown.clone())
        });
        let wanted = ty.map(|ty| ty.shown());
        assert_eq!(found, wanted, "seed {seed}: {text}\n{}", said.drawn);
    }
    assert!(counts.iter().all(|&n| n > 200), "{counts:?}");
}
