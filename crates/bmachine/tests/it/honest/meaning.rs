//! What a formula means, by the definitions: the plain twin of evaluation.
//!
//! A set is what is known of it: some of its elements, whether these are all, and a way to ask
//! whether something else is an element. Infinite sets are known by some of their elements. An
//! answer is true or false only if what is known decides it; otherwise it is unknown. Nothing is
//! reasoned: a quantifier looks at the elements that are known, one after the other.
//!
//! Conjunction and the like ask the left side first. What is undefined there is undefined, as long
//! as the sides before it are known.

use super::formula::{Binding, E, P};
use std::cell::Cell;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Why there is no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    Undefined,
    Unknown,
}

pub type Answer<T> = Result<T, Stop>;

/// A value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum V {
    Bool(bool),
    Int(i128),
    Pair(Rc<(V, V)>),
    Set(Rc<Known>),
}

type Test = Rc<dyn Fn(&V) -> Answer<bool>>;
pub type Map = Rc<dyn Fn(&V) -> Answer<V>>;

/// What is known of a set.
pub struct Known {
    /// Some of its elements.
    pub some: BTreeSet<V>,
    /// Whether something is an element; `None` if all elements are known.
    pub test: Option<Test>,
    /// What a function gives for an argument, where not all pairs are known.
    pub map: Option<Map>,
}

impl PartialEq for Known {
    fn eq(&self, other: &Known) -> bool {
        self.some == other.some
    }
}

impl Eq for Known {}

impl PartialOrd for Known {
    fn partial_cmp(&self, other: &Known) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Known {
    /// Only sets of which all is known are elements of others.
    fn cmp(&self, other: &Known) -> Ordering {
        self.some.cmp(&other.some)
    }
}

impl Known {
    pub fn is_whole(&self) -> bool {
        self.test.is_none()
    }

    pub fn has(&self, value: &V) -> Answer<bool> {
        match &self.test {
            _ if value.is_whole() && self.some.contains(value) => Ok(true),
            None if value.is_whole() || self.some.is_empty() => Ok(false),
            None => Err(Stop::Unknown),
            Some(test) => test(value),
        }
    }

    /// All elements, if they are known.
    pub fn all(&self) -> Answer<&BTreeSet<V>> {
        if self.is_whole() {
            Ok(&self.some)
        } else {
            Err(Stop::Unknown)
        }
    }
}

impl V {
    pub fn pair(a: V, b: V) -> V {
        V::Pair(Rc::new((a, b)))
    }

    pub fn int(&self) -> i128 {
        match self {
            V::Int(int) => *int,
            _ => panic!("a number is needed"),
        }
    }

    pub fn parts(&self) -> (&V, &V) {
        match self {
            V::Pair(pair) => (&pair.0, &pair.1),
            _ => panic!("a pair is needed"),
        }
    }

    pub fn set(&self) -> &Known {
        match self {
            V::Set(set) => set,
            _ => panic!("a set is needed"),
        }
    }

    /// Whether it may be an element: sets of which not all is known are not compared.
    fn is_whole(&self) -> bool {
        match self {
            V::Bool(_) | V::Int(_) => true,
            V::Pair(pair) => pair.0.is_whole() && pair.1.is_whole(),
            V::Set(set) => set.is_whole(),
        }
    }
}

/// A set all of whose elements are known.
pub fn whole(elements: impl IntoIterator<Item = V>) -> V {
    V::Set(Rc::new(Known {
        some: elements.into_iter().collect(),
        test: None,
        map: None,
    }))
}

/// A set of which some elements are known.
pub fn part(some: BTreeSet<V>, test: impl Fn(&V) -> Answer<bool> + 'static) -> V {
    V::Set(Rc::new(Known {
        some,
        test: Some(Rc::new(test)),
        map: None,
    }))
}

/// A set of which nothing but some elements is known, or all.
pub fn grown(some: BTreeSet<V>, is_whole: bool) -> V {
    if is_whole {
        whole(some)
    } else {
        part(some, |_| Err(Stop::Unknown))
    }
}

/// What was met on the way to an answer.
#[derive(Default)]
pub struct Met {
    pub undefined: Cell<bool>,
    pub infinite: Cell<bool>,
    pub n_steps: Cell<u64>,
}

/// Values of variables, and what was met.
#[derive(Clone)]
pub struct Scene {
    pub values: Vec<Option<V>>,
    pub met: Rc<Met>,
}

/// How many steps an answer may take.
const N_STEPS_MAX: u64 = 60_000;

/// How far numbers are looked at where there is no end.
pub const FAR: i128 = 40;

impl Scene {
    pub fn new(values: Vec<V>) -> Scene {
        Scene {
            values: values.into_iter().map(Some).collect(),
            met: Rc::new(Met::default()),
        }
    }

    fn step(&self) -> Answer<()> {
        self.met.n_steps.set(self.met.n_steps.get() + 1);
        if self.met.n_steps.get() > N_STEPS_MAX {
            Err(self.unknown())
        } else {
            Ok(())
        }
    }

    pub fn undefined(&self) -> Stop {
        self.met.undefined.set(true);
        Stop::Undefined
    }

    pub fn unknown(&self) -> Stop {
        self.met.infinite.set(true);
        Stop::Unknown
    }

    fn with(&self, variable: usize, value: V) -> Scene {
        let mut scene = self.clone();
        scene
            .values
            .resize(scene.values.len().max(variable + 1), None);
        scene.values[variable] = Some(value);
        scene
    }

    /// Whether a predicate holds.
    pub fn holds(&self, p: &P) -> Answer<bool> {
        self.step()?;
        match p {
            P::Compare(op, a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                self.compare(op, &a, &b)
            }
            P::Join("&", p, q) => both(self.holds(p), || self.holds(q)),
            P::Join("or", p, q) => {
                let neither = both(contrary(self.holds(p)), || contrary(self.holds(q)));
                contrary(neither)
            }
            P::Join("=>", p, q) => contrary(both(self.holds(p), || contrary(self.holds(q)))),
            P::Join(_, p, q) => Ok(self.holds(p)? == self.holds(q)?),
            P::Not(p) => contrary(self.holds(p)),
            P::Forall(bound, p) => contrary(self.is_met(bound, &|scene| contrary(scene.holds(p)))),
            P::Exists(bound, p) => self.is_met(bound, &|scene| scene.holds(p)),
        }
    }

    /// Whether there are values of bound variables of which something holds.
    fn is_met(&self, bound: &[(usize, E)], asked: &dyn Fn(&Scene) -> Answer<bool>) -> Answer<bool> {
        let Some(((variable, range), rest)) = bound.split_first() else {
            return asked(self);
        };
        let range = self.value(range)?;
        let mut stop = (!range.set().is_whole()).then(|| self.unknown());
        let mut is_met = false;
        for value in &range.set().some {
            self.step()?;
            // After one that decides the others are asked as well: one may be undefined.
            match self.with(*variable, value.clone()).is_met(rest, asked) {
                Ok(holds) => is_met |= holds,
                Err(Stop::Undefined) if !is_met => return Err(Stop::Undefined),
                Err(Stop::Undefined) => return Ok(true),
                Err(Stop::Unknown) => stop = Some(Stop::Unknown),
            }
        }
        match stop {
            Some(stop) if !is_met => Err(stop),
            _ => Ok(is_met),
        }
    }

    /// All values of bound variables that satisfy a predicate, and whether these are all.
    pub fn such(&self, bound: &Binding, p: &P) -> Answer<(Vec<Scene>, bool)> {
        let mut scenes = vec![self.clone()];
        let mut is_whole = true;
        for (variable, range) in bound {
            let mut next = Vec::new();
            for scene in scenes {
                let range = scene.value(range)?;
                if !range.set().is_whole() {
                    self.met.infinite.set(true);
                    is_whole = false;
                }
                for value in &range.set().some {
                    self.step()?;
                    next.push(scene.with(*variable, value.clone()));
                }
            }
            scenes = next;
        }
        let mut kept = Vec::new();
        for scene in scenes {
            match scene.holds(p) {
                Ok(true) => kept.push(scene),
                Ok(false) => {}
                Err(Stop::Unknown) => is_whole = false,
                Err(Stop::Undefined) => return Err(Stop::Undefined),
            }
        }
        Ok((kept, is_whole))
    }

    fn compare(&self, op: &str, a: &V, b: &V) -> Answer<bool> {
        match op {
            "<" => Ok(a.int() < b.int()),
            "<=" => Ok(a.int() <= b.int()),
            ">" => Ok(a.int() > b.int()),
            ">=" => Ok(a.int() >= b.int()),
            "=" => self.is_equal(a, b),
            "/=" => contrary(self.is_equal(a, b)),
            ":" => self.has(b, a),
            "/:" => contrary(self.has(b, a)),
            "<:" => self.is_within(a, b),
            "/<:" => contrary(self.is_within(a, b)),
            "<<:" => both(self.is_within(a, b), || contrary(self.is_equal(a, b))),
            other => panic!("{other} is no comparison"),
        }
    }

    fn has(&self, set: &V, element: &V) -> Answer<bool> {
        set.set()
            .has(element)
            .inspect_err(|_| self.met.infinite.set(true))
    }

    pub fn is_within(&self, a: &V, b: &V) -> Answer<bool> {
        let mut stop = (!a.set().is_whole()).then(|| self.unknown());
        for element in &a.set().some {
            match self.has(b, element) {
                Ok(true) => {}
                Ok(false) => return Ok(false),
                Err(found) => stop = Some(found),
            }
        }
        stop.map_or(Ok(true), Err)
    }

    pub fn is_equal(&self, a: &V, b: &V) -> Answer<bool> {
        match (a, b) {
            (V::Set(x), V::Set(y)) if x.is_whole() && y.is_whole() => Ok(x.some == y.some),
            (V::Set(_), V::Set(_)) => both(self.is_within(a, b), || self.is_within(b, a)),
            (V::Pair(x), V::Pair(y)) => {
                both(self.is_equal(&x.0, &y.0), || self.is_equal(&x.1, &y.1))
            }
            _ => Ok(a == b),
        }
    }

    /// A set of values, of which all have to be known.
    pub fn listed(&self, values: Vec<V>) -> Answer<V> {
        if values.iter().all(V::is_whole) {
            Ok(whole(values))
        } else {
            Err(self.unknown())
        }
    }
}

/// Both; the second is asked only if the first does not decide.
pub fn both(first: Answer<bool>, second: impl FnOnce() -> Answer<bool>) -> Answer<bool> {
    match first {
        Ok(true) => second(),
        Err(Stop::Unknown) => match second() {
            Ok(false) => Ok(false),
            _ => Err(Stop::Unknown),
        },
        decided => decided,
    }
}

pub fn contrary(answer: Answer<bool>) -> Answer<bool> {
    answer.map(|holds| !holds)
}
