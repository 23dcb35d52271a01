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
fn expr(random: &mut fastrand::Rng, depth: u8) -> (String, Option<Ty>) {
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
    let (x, s) = expr(random, depth - 1);
    let (y, t) = expr(random, depth - 1);
    let same = |s: &Option<Ty>, t: &Option<Ty>| s.is_some() && s == t;
    let both = |ty: Ty, is: &Ty| (s.as_ref() == Some(is) && t.as_ref() == Some(is)).then_some(ty);
    let boxed = |ty: &Option<Ty>| ty.clone().map(Box::new);
    match random.u8(0..14) {
        0 => (format!("({x} + {y})"), both(Ty::Int, &Ty::Int)),
        1 => (format!("({x} and {y})"), both(Ty::Bool, &Ty::Bool)),
        2 => {
            let is_good = same(&s, &t) && s.as_ref().is_some_and(Ty::is_eq);
            (format!("(({x}) == ({y}))"), is_good.then_some(Ty::Bool))
        }
        3 => {
            let is_good = same(&s, &t) && s.as_ref().is_some_and(Ty::is_ord);
            (format!("(({x}) <= ({y}))"), is_good.then_some(Ty::Bool))
        }
        4 => (
            format!("{{{x}, {y}}}"),
            same(&s, &t).then(|| boxed(&s).map(Ty::Set)).flatten(),
        ),
        5 => (
            format!("<({x}), ({y})>"),
            same(&s, &t).then(|| boxed(&s).map(Ty::Seq)).flatten(),
        ),
        6 => {
            let ty = boxed(&s).zip(boxed(&t)).map(|(a, b)| Ty::Pair(a, b));
            (format!("({x}, {y})"), ty)
        }
        7 => (format!("({x} [] {y})"), both(Ty::Proc, &Ty::Proc)),
        8 => {
            let is_good = s == Some(Ty::Event) && t == Some(Ty::Proc);
            (format!("(({x}) -> ({y}))"), is_good.then_some(Ty::Proc))
        }
        9 => {
            let is_good = s == Some(Ty::Bool) && t.is_some();
            (
                format!("(if {x} then {y} else {y})"),
                if is_good { t } else { None },
            )
        }
        10 => {
            let inner = match s {
                Some(Ty::Seq(inner)) => Some(*inner),
                _ => None,
            };
            (format!("head({x})"), inner)
        }
        11 => {
            let element = match (&s, &t) {
                (Some(s), Some(Ty::Set(inner))) => **inner == *s && s.is_eq(),
                _ => false,
            };
            (format!("member(({x}), ({y}))"), element.then_some(Ty::Bool))
        }
        12 => {
            let is_good = s == Some(Ty::Proc) && t == Some(Ty::Set(Box::new(Ty::Event)));
            (format!("({x} \\ {y})"), is_good.then_some(Ty::Proc))
        }
        _ => dot(random),
    }
}

/// A label with the right things behind it, or with one of them wrong.
fn dot(random: &mut fastrand::Rng) -> (String, Option<Ty>) {
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
