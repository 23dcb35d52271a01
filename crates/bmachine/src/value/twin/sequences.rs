//! Operators on sequences against those on vectors.

use fastrand::Rng;

use super::{Twin, pool, random_type, relation, set_of};
use crate::value::{Set, Value, ValueError};

/// The sequence of twins.
fn seq(elements: &[Twin], rng: &mut Rng) -> Set {
    Set::seq_of(elements.iter().map(|element| element.value(rng)))
}

fn some_elements(pool: &[Twin], rng: &mut Rng) -> Vec<Twin> {
    let n = rng.usize(0..12);
    (0..n)
        .map(|_| rng.choice(pool).expect("pools are not empty").clone())
        .collect()
}

#[test]
fn operators_on_sequences_are_those_on_vectors() {
    for seed in 0..1500 {
        let mut rng = Rng::with_seed(seed);
        let ty = random_type(1, &mut rng);
        let pool = pool(&ty, &mut rng);
        let (a, b) = (
            some_elements(&pool, &mut rng),
            some_elements(&pool, &mut rng),
        );
        let (s, t) = (seq(&a, &mut rng), seq(&b, &mut rng));
        let context = format!("seed {seed}, {a:?}, {b:?}");
        let mut same = |set: Result<Set, ValueError>, twin: &[Twin]| {
            assert_eq!(set, Ok(seq(twin, &mut rng)), "{context}");
        };
        let n = a.len();
        assert!(s.is_seq(), "{context}");
        assert_eq!(s.size(), Ok(n as i64), "{context}");
        same(s.concat(&t), &[a.as_slice(), &b].concat());
        let reversed: Vec<Twin> = a.iter().rev().cloned().collect();
        same(s.rev(), &reversed);
        for taken in 0..=n {
            same(s.take(taken as i64), &a[..taken]);
            same(s.drop(taken as i64), &a[taken..]);
        }
        assert_eq!(s.take(n as i64 + 1), Err(ValueError::TooLong("/|\\")));
        assert_eq!(s.drop(n as i64 + 1), Err(ValueError::TooLong("\\|/")));
        assert_eq!(s.take(-1), Err(ValueError::Negative("/|\\")));
        assert_eq!(s.drop(-1), Err(ValueError::Negative("\\|/")));
        let parts = Set::seq_of([s.clone(), t.clone(), s.clone()].map(Value::Set));
        same(parts.conc(), &[a.as_slice(), &b, &a].concat());
        let element = pool[0].clone();
        let mut rng_of_element = Rng::with_seed(seed);
        let value = element.value(&mut rng_of_element);
        let with = [a.as_slice(), std::slice::from_ref(&element)].concat();
        same(s.append(&value), &with);
        let with = [std::slice::from_ref(&element), a.as_slice()].concat();
        same(s.prepend(value), &with);
        if n == 0 {
            assert_eq!(s.first(), Err(ValueError::EmptySequence("first")));
            assert_eq!(s.last(), Err(ValueError::EmptySequence("last")));
            assert_eq!(s.front(), Err(ValueError::EmptySequence("front")));
            assert_eq!(s.tail(), Err(ValueError::EmptySequence("tail")));
            continue;
        }
        same(s.front(), &a[..n - 1]);
        same(s.tail(), &a[1..]);
        let ends = (
            s.first().map(|v| Twin::of(&v)),
            s.last().map(|v| Twin::of(&v)),
        );
        assert_eq!(ends, (Ok(a[0].clone()), Ok(a[n - 1].clone())), "{context}");
    }
}

#[test]
fn a_relation_is_a_sequence_if_its_places_are_the_first_numbers_once_each() {
    let mut n_sequences = 0;
    for seed in 0..1500 {
        let mut rng = Rng::with_seed(seed);
        let ty = random_type(1, &mut rng);
        let pool = pool(&ty, &mut rng);
        let places: Vec<Twin> = (0..rng.i128(1..6)).map(Twin::Int).collect();
        let r = relation(&places, &pool, &mut rng);
        let x = set_of(&r, &mut rng);
        let dom: Vec<&Twin> = r.iter().map(|pair| pair.parts().0).collect();
        let first: Vec<Twin> = (1..=dom.len() as i128).map(Twin::Int).collect();
        let is_seq = dom == first.iter().collect::<Vec<_>>();
        assert_eq!(x.is_seq(), is_seq, "seed {seed}, {r:?}");
        if is_seq {
            n_sequences += usize::from(!r.is_empty());
            continue;
        }
        let error = |what| Err(ValueError::NotSequence(what));
        assert_eq!(x.size(), Err(ValueError::NotSequence("size")));
        assert_eq!(x.first(), Err(ValueError::NotSequence("first")));
        assert_eq!(x.last(), Err(ValueError::NotSequence("last")));
        assert_eq!((x.front(), x.tail()), (error("front"), error("tail")));
        assert_eq!((x.rev(), x.conc()), (error("rev"), error("conc")));
        assert_eq!(
            (x.concat(&x), Set::empty().concat(&x)),
            (error("^"), error("^"))
        );
        let value = Value::Int(1);
        assert_eq!(
            (x.append(&value), x.prepend(value)),
            (error("<-"), error("->"))
        );
        assert_eq!((x.take(0), x.drop(0)), (error("/|\\"), error("\\|/")));
    }
    assert!(n_sequences > 50, "only {n_sequences} sequences were met");
}
