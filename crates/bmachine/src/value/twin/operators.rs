//! Operators on sets and relations against their definitions.

use std::collections::BTreeSet;

use fastrand::Rng;

use super::{Twin, TwinSet, pool, random_type, relation, set_of, subset, twin_of};
use crate::value::{ApplyError, Set, Value, ValueError};

const N_CASES: u64 = 900;

/// `{ f(x) | x : set }`.
fn map(set: &TwinSet, f: impl Fn(&Twin) -> Twin) -> TwinSet {
    set.iter().map(f).collect()
}

fn keep(set: &TwinSet, is_kept: impl Fn(&Twin) -> bool) -> TwinSet {
    set.iter()
        .filter(|element| is_kept(element))
        .cloned()
        .collect()
}

fn dom(r: &TwinSet) -> TwinSet {
    map(r, |pair| pair.parts().0.clone())
}

fn ran(r: &TwinSet) -> TwinSet {
    map(r, |pair| pair.parts().1.clone())
}

fn id(set: &TwinSet) -> TwinSet {
    map(set, |element| Twin::pair(element.clone(), element.clone()))
}

fn product(a: &TwinSet, b: &TwinSet) -> TwinSet {
    let pairs = a
        .iter()
        .flat_map(|x| b.iter().map(move |y| Twin::pair(x.clone(), y.clone())));
    pairs.collect()
}

fn compose(r: &TwinSet, s: &TwinSet) -> TwinSet {
    let mut made = TwinSet::new();
    for (x, y) in r.iter().map(Twin::parts) {
        let related = s.iter().map(Twin::parts).filter(|(from, _)| *from == y);
        made.extend(related.map(|(_, z)| Twin::pair(x.clone(), z.clone())));
    }
    made
}

fn closure1(r: &TwinSet) -> TwinSet {
    let mut all = r.clone();
    loop {
        let more: TwinSet = all.union(&compose(&all, r)).cloned().collect();
        if more == all {
            return all;
        }
        all = more;
    }
}

/// A case: its generator, and what to say if it fails.
fn cases(n: u64) -> impl Iterator<Item = (u64, Rng)> {
    (0..n).map(|seed| (seed, Rng::with_seed(seed)))
}

#[test]
fn operators_on_sets_are_those_on_trees() {
    for (seed, mut rng) in cases(N_CASES) {
        let ty = random_type(2, &mut rng);
        let pool = pool(&ty, &mut rng);
        let (a, b) = (subset(&pool, &mut rng), subset(&pool, &mut rng));
        let (x, y) = (set_of(&a, &mut rng), set_of(&b, &mut rng));
        let context = format!("seed {seed}, {a:?} and {b:?}");
        let same = |set: Set, twin: TwinSet| assert_eq!(twin_of(&set), twin, "{context}");
        same(x.clone(), a.clone());
        same(x.union(&y), a.union(&b).cloned().collect());
        same(x.intersection(&y), a.intersection(&b).cloned().collect());
        same(x.difference(&y), a.difference(&b).cloned().collect());
        assert_eq!(x.is_subset(&y), a.is_subset(&b), "{context}");
        assert_eq!(x.is_disjoint(&y), a.is_disjoint(&b), "{context}");
        assert_eq!(x.is_empty(), a.is_empty(), "{context}");
        assert_eq!(x.card(), Ok(a.len() as i64), "{context}");
        assert_eq!(x.cmp(&y), a.cmp(&b), "{context}");
        assert_eq!(x == y, a == b, "{context}");
        assert_eq!(
            x.least().map(|least| Twin::of(&least)),
            a.first().cloned(),
            "{context}"
        );
        same(x.id(), id(&a));
        for element in &pool {
            let value = element.value(&mut rng);
            assert_eq!(x.contains(&value), a.contains(element), "{context}");
            let mut more = a.clone();
            more.insert(element.clone());
            same(x.insert(value.clone()), more);
            let mut less = a.clone();
            less.remove(element);
            same(x.remove(&value), less);
            same(
                x.keep(|other| *other > value),
                keep(&a, |other| other > element),
            );
            same(Set::singleton(value), TwinSet::from([element.clone()]));
        }
    }
}

#[test]
fn operators_on_relations_are_their_definitions() {
    for (seed, mut rng) in cases(N_CASES) {
        let (left, right) = (random_type(1, &mut rng), random_type(1, &mut rng));
        let (left, right) = (pool(&left, &mut rng), pool(&right, &mut rng));
        let (r, s) = (
            relation(&left, &right, &mut rng),
            relation(&left, &right, &mut rng),
        );
        let (a, b) = (subset(&left, &mut rng), subset(&right, &mut rng));
        let (x, y) = (set_of(&r, &mut rng), set_of(&s, &mut rng));
        let (u, v) = (set_of(&a, &mut rng), set_of(&b, &mut rng));
        let context = format!("seed {seed}, {r:?}, {s:?}, {a:?}, {b:?}");
        let same = |set: Set, twin: TwinSet| assert_eq!(twin_of(&set), twin, "{context}");
        let l = |pair: &Twin| pair.parts().0.clone();
        same(x.dom(), dom(&r));
        same(x.ran(), ran(&r));
        same(
            x.inverse(),
            map(&r, |p| Twin::pair(p.parts().1.clone(), l(p))),
        );
        same(x.domain_restrict(&u), keep(&r, |p| a.contains(&l(p))));
        same(x.domain_subtract(&u), keep(&r, |p| !a.contains(&l(p))));
        same(x.range_restrict(&v), keep(&r, |p| b.contains(p.parts().1)));
        same(x.range_subtract(&v), keep(&r, |p| !b.contains(p.parts().1)));
        same(x.image(&u), ran(&keep(&r, |p| a.contains(&l(p)))));
        let overridden = keep(&r, |p| !dom(&s).contains(&l(p)));
        same(x.override_with(&y), overridden.union(&s).cloned().collect());
        same(u.product(&v), product(&a, &b));
        assert_eq!(x.is_function(), dom(&r).len() == r.len(), "{context}");
        assert_eq!(x.is_injective(), ran(&r).len() == r.len(), "{context}");
        let pairs = x.pairs().map(|(left, right)| Value::pair(left, right));
        assert_eq!(pairs.collect::<Set>(), x, "{context}");
        let fnc = map(&dom(&r), |argument| {
            let values = keep(&r, |p| p.parts().0 == argument);
            Twin::pair(argument.clone(), Twin::Set(ran(&values)))
        });
        same(x.fnc(), fnc);
        assert_eq!(x.fnc().rel(), Ok(x.clone()), "{context}");
        for argument in &left {
            let value = argument.value(&mut rng);
            let values = ran(&keep(&r, |p| p.parts().0 == argument));
            same(x.image_of(&value), values.clone());
            let expected = match values.len() {
                0 => Err(ApplyError::Outside),
                1 => Ok(values.first().cloned().expect("there is one")),
                _ => Err(ApplyError::NotFunction),
            };
            assert_eq!(
                x.apply(&value).map(|value| Twin::of(&value)),
                expected,
                "{context}"
            );
            let new = rng.choice(&right).expect("pools are not empty");
            let mut changed = keep(&r, |p| p.parts().0 != argument);
            changed.insert(Twin::pair(argument.clone(), new.clone()));
            let new_value = new.value(&mut rng);
            same(x.override_at(&value, &new_value), changed);
            let mut more = r.clone();
            more.insert(Twin::pair(argument.clone(), new.clone()));
            same(x.insert_pair(&value, &new_value), more);
        }
    }
}

#[test]
fn products_and_compositions_of_relations_are_their_definitions() {
    for (seed, mut rng) in cases(N_CASES / 3) {
        let types = [0, 1, 2].map(|_| random_type(1, &mut rng));
        let pools = types.map(|ty| {
            let mut pool = pool(&ty, &mut rng);
            pool.truncate(15);
            pool
        });
        let r = relation(&pools[0], &pools[1], &mut rng);
        let s = relation(&pools[1], &pools[2], &mut rng);
        let t = relation(&pools[0], &pools[2], &mut rng);
        let [x, y, z] = [&r, &s, &t].map(|set| set_of(set, &mut rng));
        let context = format!("seed {seed}, {r:?}, {s:?}, {t:?}");
        let same = |set: Set, twin: TwinSet| assert_eq!(twin_of(&set), twin, "{context}");
        same(x.compose(&y), compose(&r, &s));
        let mut direct = TwinSet::new();
        let mut parallel = TwinSet::new();
        for (a, b) in r.iter().map(Twin::parts) {
            for (c, d) in t.iter().map(Twin::parts) {
                let values = Twin::pair(b.clone(), d.clone());
                if a == c {
                    direct.insert(Twin::pair(a.clone(), values.clone()));
                }
                parallel.insert(Twin::pair(Twin::pair(a.clone(), c.clone()), values));
            }
        }
        same(x.direct_product(&z), direct);
        same(x.parallel_product(&z), parallel);
        let (a, b) = (dom(&r), ran(&r));
        let all = product(&a, &b);
        let (u, v) = (x.dom(), x.ran());
        same(
            u.prj1(&v),
            map(&all, |p| Twin::pair(p.clone(), p.parts().0.clone())),
        );
        same(
            u.prj2(&v),
            map(&all, |p| Twin::pair(p.clone(), p.parts().1.clone())),
        );
    }
}

#[test]
fn closures_and_iterations_are_their_definitions() {
    for (seed, mut rng) in cases(N_CASES / 5) {
        let ty = random_type(1, &mut rng);
        let mut pool = pool(&ty, &mut rng);
        pool.truncate(12);
        let r = relation(&pool, &pool, &mut rng);
        let x = set_of(&r, &mut rng);
        let context = format!("seed {seed}, {r:?}");
        let same = |set: Set, twin: TwinSet| assert_eq!(twin_of(&set), twin, "{context}");
        let field = id(&dom(&r).union(&ran(&r)).cloned().collect());
        same(x.closure1(), closure1(&r));
        same(x.closure(), closure1(&r).union(&field).cloned().collect());
        let mut power = field;
        for n in 0..7 {
            same(x.iterate(n).expect("n is not negative"), power.clone());
            power = if n == 0 {
                r.clone()
            } else {
                compose(&power, &r)
            };
        }
        assert_eq!(x.iterate(-1), Err(ValueError::Negative("iterate")));
    }
}

#[test]
fn subsets_come_once_each_in_counting_order() {
    for (seed, mut rng) in cases(300) {
        let ty = random_type(1, &mut rng);
        let mut pool = pool(&ty, &mut rng);
        pool.truncate(7);
        let a = TwinSet::from_iter(pool);
        let elements: Vec<Twin> = a.iter().cloned().collect();
        let subsets: Vec<TwinSet> = set_of(&a, &mut rng)
            .pow()
            .map(|subset| twin_of(&subset))
            .collect();
        assert_eq!(subsets.len(), 1 << a.len(), "seed {seed}, {a:?}");
        for (number, subset) in subsets.iter().enumerate() {
            let digits = elements
                .iter()
                .enumerate()
                .filter(|(i, _)| number >> i & 1 == 1);
            let expected: TwinSet = digits.map(|(_, element)| element.clone()).collect();
            assert_eq!(*subset, expected, "seed {seed}, {a:?}, number {number}");
        }
    }
}

#[test]
fn sets_of_sets_are_joined_and_met() {
    for (seed, mut rng) in cases(N_CASES / 3) {
        let ty = random_type(1, &mut rng);
        let pool = pool(&ty, &mut rng);
        let n = rng.usize(0..5);
        let sets: BTreeSet<TwinSet> = (0..n).map(|_| subset(&pool, &mut rng)).collect();
        let all = set_of(&sets.iter().cloned().map(Twin::Set).collect(), &mut rng);
        let context = format!("seed {seed}, {sets:?}");
        let union: TwinSet = sets.iter().flatten().cloned().collect();
        let joined = all.general_union().expect("all sets are explicit");
        assert_eq!(twin_of(&joined), union, "{context}");
        let inter = keep(&union, |element| {
            sets.iter().all(|set| set.contains(element))
        });
        match all.general_intersection() {
            Ok(set) => assert_eq!(twin_of(&set), inter, "{context}"),
            Err(error) => {
                assert_eq!(
                    (error, sets.len()),
                    (ValueError::EmptySet("inter"), 0),
                    "{context}"
                );
            }
        }
    }
}

#[test]
fn the_ends_of_a_set_of_numbers_are_its_least_and_its_greatest() {
    for (seed, mut rng) in cases(N_CASES) {
        let pool = pool(&model::values::Type::Int, &mut rng);
        let a = subset(&pool, &mut rng);
        let x = set_of(&a, &mut rng);
        let context = format!("seed {seed}, {a:?}");
        let least = a.first().map(|n| n.value(&mut rng));
        let greatest = a.last().map(|n| n.value(&mut rng));
        assert_eq!(x.minimum().ok(), least, "{context}");
        assert_eq!(x.maximum().ok(), greatest, "{context}");
    }
    assert_eq!(Set::empty().minimum(), Err(ValueError::EmptySet("min")));
    assert_eq!(Set::empty().maximum(), Err(ValueError::EmptySet("max")));
}

#[test]
fn intervals_are_the_sets_of_their_numbers() {
    for low in -3..70 {
        for high in low - 2..72 {
            let numbers = (low..=high).map(Value::Int).collect();
            assert_eq!(
                Set::interval(low, high),
                Set::from_vec(numbers),
                "{low}..{high}"
            );
        }
    }
    let all = Set::interval(i64::MIN, i64::MAX);
    assert_eq!(all.len(), usize::MAX);
    assert_eq!(all.card(), Err(ValueError::TooLarge));
    assert!(all.contains(&Value::Int(-1)) && !all.contains(&Value::Bool(true)));
    assert!(Set::interval(5, 90).is_subset(&all));
    assert_eq!(
        all.intersection(&Set::interval(60, 80)),
        Set::interval(60, 80)
    );
    assert_eq!(Set::interval(60, 80).difference(&all), Set::empty());
}
