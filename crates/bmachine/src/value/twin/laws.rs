//! One representation for each set, and bytes that can be read back and tell values apart.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use fastrand::Rng;
use model::values::bytes::{Reader, put_member, put_text, put_unsigned};
use model::values::shape::Shape;
use model::values::{Signature, SortId, Type};

use super::{
    SIZES, Twin, TwinSet, pool, random_type, random_value, set_of, signature, subset, twin_of,
};
use crate::value::bytes::{Codec, NotFinite};
use crate::value::set::Repr;
use crate::value::show::Sequences;
use crate::value::{Set, SetBuilder, Symbolic, Value};

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// The set of a tree, made in many ways.
fn made_in_many_ways(a: &TwinSet, extra: &TwinSet, rng: &mut Rng) -> Vec<Set> {
    let mut values: Vec<Value> = a.iter().map(|element| element.value(rng)).collect();
    rng.shuffle(&mut values);
    let one_by_one = values
        .iter()
        .fold(Set::empty(), |set, value| set.insert(value.clone()));
    let (some, rest) = values.split_at(values.len() / 2);
    let halves = [some, rest].map(|half| Set::from_vec(half.to_vec()));
    let more: TwinSet = a.union(extra).cloned().collect();
    let gone: TwinSet = more.difference(a).cloned().collect();
    let (more, gone) = (set_of(&more, rng), set_of(&gone, rng));
    let removed = gone
        .iter()
        .fold(more.clone(), |set, element| set.remove(&element));
    let mut built = SetBuilder::new();
    built.extend(values.iter().cloned());
    built.extend(values.iter().cloned());
    let kept = more.keep(|element| !gone.contains(element));
    let first = set_of(a, rng);
    vec![
        one_by_one,
        halves[0].union(&halves[1]),
        more.difference(&gone),
        more.intersection(&first),
        first.intersection(&more),
        removed,
        built.finish(),
        kept,
        first,
    ]
}

#[test]
fn a_set_has_one_representation_however_it_was_made() {
    let mut met = [0; 5];
    for seed in 0..3000 {
        let mut rng = Rng::with_seed(seed);
        let mut ty = random_type(2, &mut rng);
        if rng.bool() {
            // Relations between atoms, which have the most ways to be kept.
            let atom = |rng: &mut Rng| Arc::new(random_type(0, rng));
            ty = Type::Pair(atom(&mut rng), atom(&mut rng));
        }
        let pool = pool(&ty, &mut rng);
        let (a, extra) = (subset(&pool, &mut rng), subset(&pool, &mut rng));
        let ways = made_in_many_ways(&a, &extra, &mut rng);
        for (way, set) in ways.iter().enumerate() {
            let context = format!("seed {seed}, way {way}, {a:?}");
            assert_eq!(twin_of(set), a, "{context}");
            assert_eq!(*set, ways[0], "{context}");
            assert_eq!(hash(set), hash(&ways[0]), "{context}");
            assert!(set.cmp(&ways[0]).is_eq(), "{context}");
        }
        met[match ways[0].repr() {
            Repr::Empty => 0,
            Repr::Word(_) => 1,
            Repr::Interval(..) => 2,
            Repr::Codes(..) => 3,
            Repr::List(_) => 4,
        }] += 1;
    }
    assert!(met.iter().all(|n| *n > 10), "{met:?}");
}

#[test]
fn values_are_ordered_as_their_twins_are() {
    for seed in 0..3000 {
        let mut rng = Rng::with_seed(seed);
        let ty = random_type(3, &mut rng);
        let (a, b) = (random_value(&ty, &mut rng), random_value(&ty, &mut rng));
        let (x, y) = (a.value(&mut rng), b.value(&mut rng));
        assert_eq!(x.cmp(&y), a.cmp(&b), "seed {seed}, {a:?}, {b:?}");
        assert_eq!(x == y, a == b, "seed {seed}, {a:?}, {b:?}");
        assert_eq!(Twin::of(&x), a, "seed {seed}");
    }
}

/// The number of a value of a small type, and how many the type has.
fn plain_number(ty: &Type, twin: &Twin) -> (usize, usize) {
    match (ty, twin) {
        (Type::Bool, Twin::Bool(bool)) => (usize::from(*bool), 2),
        (Type::Member(sort), Twin::Member(_, index)) => (*index as usize, SIZES[sort.index()]),
        (Type::Pair(left, right), Twin::Pair(pair)) => {
            let (a, n_a) = plain_number(left, &pair.0);
            let (b, n_b) = plain_number(right, &pair.1);
            (a * n_b + b, n_a * n_b)
        }
        (Type::Record(types), Twin::Record(fields)) => {
            let fields = types.iter().zip(fields);
            fields.fold((0, 1), |(a, n_a), ((_, ty), field)| {
                let (b, n_b) = plain_number(ty, field);
                (a * n_b + b, n_a * n_b)
            })
        }
        (ty, twin) => panic!("{twin:?} is no value of {ty:?}, or that is not small"),
    }
}

/// The bytes of a value, by the table that defines them.
fn plain_bytes(signature: &Signature, ty: &Type, twin: &Twin) -> Vec<u8> {
    let bytes = |ty: &Type, twin: &Twin| plain_bytes(signature, ty, twin);
    let mut out = Vec::new();
    match (ty, twin) {
        (Type::Bool, Twin::Bool(bool)) => out.push(u8::from(*bool)),
        (Type::Int, Twin::Int(int)) => {
            let mut rest = ((int << 1) ^ (int >> 127)) as u128;
            while rest >= 0x80 {
                out.push(rest as u8 | 0x80);
                rest >>= 7;
            }
            out.push(rest as u8);
        }
        (Type::Text, Twin::Text(text)) => put_text(text, &mut out),
        (Type::Member(sort), Twin::Member(_, index)) => {
            put_member(*index as usize, SIZES[sort.index()], &mut out);
        }
        (Type::Pair(left, right), Twin::Pair(pair)) => {
            out = [bytes(left, &pair.0), bytes(right, &pair.1)].concat();
        }
        (Type::Record(types), Twin::Record(fields)) => {
            let fields = types.iter().zip(fields);
            out = fields
                .flat_map(|((_, ty), field)| bytes(ty, field))
                .collect();
        }
        (Type::Set(element), Twin::Set(set)) => match signature.n_small(element) {
            Some(n) => {
                out.resize(n.div_ceil(8), 0);
                for twin in set {
                    let (number, _) = plain_number(element, twin);
                    out[number / 8] |= 1 << (number % 8);
                }
            }
            None => {
                let mut all: Vec<Vec<u8>> = set.iter().map(|twin| bytes(element, twin)).collect();
                all.sort();
                put_unsigned(all.len() as u64, &mut out);
                out.extend(all.concat());
            }
        },
        (ty, twin) => panic!("{twin:?} is no value of {ty:?}"),
    }
    out
}

#[test]
fn bytes_are_those_of_the_table_are_read_back_and_tell_values_apart() {
    let signature = signature();
    for seed in 0..2000 {
        let mut rng = Rng::with_seed(seed);
        let mut ty = random_type(3, &mut rng);
        if rng.bool() {
            ty = Type::Set(Arc::new(ty));
        }
        let shape = Shape::of(&signature, &ty);
        let mut by_bytes: BTreeMap<Vec<u8>, Twin> = BTreeMap::new();
        for _ in 0..12 {
            let twin = random_value(&ty, &mut rng);
            let value = twin.value(&mut rng);
            let mut bytes = Vec::new();
            let codec = Codec::of(&signature, &ty);
            assert_eq!(codec.encode(&value, &mut bytes), Ok(()));
            let context = format!("seed {seed}, {ty:?}, {twin:?}, {bytes:?}");
            assert_eq!(bytes, plain_bytes(&signature, &ty, &twin), "{context}");
            let mut reader = Reader::new(&bytes);
            shape.skip(&mut reader);
            assert!(
                reader.is_at_end(),
                "the walk by shape ends elsewhere: {context}"
            );
            let more = [bytes.as_slice(), &[7]].concat();
            let mut reader = Reader::new(&more);
            assert_eq!(codec.decode(&mut reader), value, "{context}");
            assert_eq!(more[reader.at()..], [7], "{context}");
            let first = by_bytes.entry(bytes).or_insert_with(|| twin.clone());
            assert_eq!(*first, twin, "two values with equal bytes: {context}");
        }
    }
}

#[test]
fn the_bytes_of_the_examples_are_those_of_the_header() {
    let mut signature = signature();
    signature.sorts[0].members = ["p1", "p2", "p3"].map(str::to_owned).to_vec();
    let sort = SortId::new(0);
    let p = |n: usize| Value::member(sort, n - 1);
    let member = Arc::new(Type::Member(sort));
    let bytes = |element: Type, elements: Vec<Value>| {
        let mut bytes = Vec::new();
        let set = Value::Set(Set::from_vec(elements));
        let ty = Type::Set(Arc::new(element));
        let codec = Codec::of(&signature, &ty);
        codec.encode(&set, &mut bytes).expect("it is finite");
        bytes
    };
    let to_int = Type::Pair(member.clone(), Arc::new(Type::Int));
    let pairs = vec![
        Value::pair(p(3), Value::Int(2)),
        Value::pair(p(1), Value::Int(5)),
    ];
    assert_eq!(bytes(to_int, pairs), [2, 0, 10, 2, 4]);
    assert_eq!(bytes((*member).clone(), vec![p(3), p(1)]), [0b101]);
    let sets = vec![Value::Set(Set::empty()), Value::Set(Set::singleton(p(2)))];
    assert_eq!(bytes(Type::Set(member.clone()), sets), [2, 0b000, 0b010]);
    let numbers = vec![Value::Int(-1), Value::Int(0)];
    assert_eq!(bytes(Type::Int, numbers), [2, 0, 1]);
    let to_bool = Type::Pair(member, Arc::new(Type::Bool));
    let pairs = vec![
        Value::pair(p(3), Value::Bool(false)),
        Value::pair(p(1), Value::Bool(true)),
    ];
    assert_eq!(bytes(to_bool, pairs), [0b01_0010]);
}

#[test]
fn symbolic_sets_have_no_bytes() {
    let signature = signature();
    let symbolic = Value::Symbolic(Arc::new(Symbolic::Texts));
    let ty = Type::Set(Arc::new(Type::Int));
    let mut bytes = Vec::new();
    let encode = |ty: &Type, value: &Value, bytes: &mut Vec<u8>| {
        Codec::of(&signature, ty).encode(value, bytes)
    };
    assert_eq!(encode(&ty, &symbolic, &mut bytes), Err(NotFinite));
    let nested = Value::Set(Set::singleton(symbolic));
    let ty = Type::Set(Arc::new(ty));
    assert_eq!(encode(&ty, &nested, &mut bytes), Err(NotFinite));
}

#[test]
fn values_are_written_in_the_notation_of_b() {
    let signature = signature();
    let show = |value: &Value, ty: &Type| {
        let text = |sequences| value.show(&signature, ty, sequences).to_string();
        (text(Sequences::AsSets), text(Sequences::AsLists))
    };
    let both = |text: &str| (text.to_owned(), text.to_owned());
    let sort = SortId::new(1);
    let (m1, m2) = (Value::member(sort, 0), Value::member(sort, 1));
    let member = Type::Member(sort);
    let pair = Type::Pair(Arc::new(Type::Int), Arc::new(member.clone()));
    let seq = Value::Set(Set::seq_of([m2.clone(), m1.clone()]));
    let set = Type::Set(Arc::new(pair.clone()));
    let lists = (
        "{(1|->m2_2),(2|->m2_1)}".to_owned(),
        "[m2_2,m2_1]".to_owned(),
    );
    assert_eq!(show(&seq, &set), lists);
    assert_eq!(show(&Value::Set(Set::empty()), &set), both("{}"));
    let no_seq = Value::Set(Set::singleton(Value::pair(Value::Int(-2), m1.clone())));
    assert_eq!(show(&no_seq, &set), both("{(-2|->m2_1)}"));
    let triple = Type::Pair(Arc::new(pair), Arc::new(Type::Bool));
    let value = Value::tuple([Value::Int(3), m1, Value::Bool(true)]);
    assert_eq!(show(&value, &triple), both("((3|->m2_1)|->TRUE)"));
    let fields = vec![(Arc::from("a"), Type::Text), (Arc::from("b"), member)];
    let record = Value::record(vec![Value::text("x\"\\\n"), m2]);
    assert_eq!(
        show(&record, &Type::Record(Arc::from(fields))),
        both(r#"rec(a:"x\"\\\n",b:m2_2)"#)
    );
    let ints = Type::Set(Arc::new(Type::Int));
    assert_eq!(
        show(&Value::Set(Set::interval(-1, 2)), &ints),
        both("{-1,0,1,2}")
    );
    assert_eq!(
        show(&Value::Set(Set::interval(0, 1000)), &ints),
        both("(0..1000)")
    );
}
