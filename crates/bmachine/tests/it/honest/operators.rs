//! The operators of B on what is known of their operands.

use super::formula::{Binding, E, P};
use super::meaning::{Answer, FAR, Known, Map, Scene, Stop, V, both, contrary, grown, part, whole};
use std::collections::BTreeSet;
use std::rc::Rc;

type Pairs<'a> = Vec<(&'a V, &'a V)>;

impl Scene {
    /// What an expression is worth.
    pub fn value(&self, e: &E) -> Answer<V> {
        match e {
            E::Int(n) => Ok(V::Int(i128::from(*n))),
            E::Var(v) => Ok(self.values[*v].clone().expect("variables are bound")),
            E::Known(name) => Ok(self.known(name)),
            E::One(op, e) => {
                let value = self.value(e)?;
                self.one(op, &value)
            }
            E::Two("|->", a, b) => Ok(V::pair(self.value(a)?, self.value(b)?)),
            E::Two(op, a, b) | E::Call(op, a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                match (&a, &b) {
                    (V::Int(x), V::Int(y)) => self.arithmetic(op, *x, *y),
                    _ => self.two(op, a, b),
                }
            }
            E::Apply(function, argument) => {
                let (function, argument) = (self.value(function)?, self.value(argument)?);
                self.apply(function.set(), &argument)
            }
            E::Image(relation, set) => {
                let (relation, set) = (self.value(relation)?, self.value(set)?);
                self.image(&relation, &set)
            }
            E::SetOf(all) => self.listed(self.all(all)?),
            E::SeqOf(all) => self.listed(sequence(self.all(all)?)),
            E::Such(bound, p) => self.comprehension(bound, p, None),
            E::Lambda(bound, p, value) => self.comprehension(bound, p, Some(value)),
            E::Each(op, bound, p, value) => self.each(op, bound, p, value),
            E::BoolOf(p) => Ok(V::Bool(self.holds(p)?)),
            E::If(p, a, b) => {
                if self.holds(p)? {
                    self.value(a)
                } else {
                    self.value(b)
                }
            }
        }
    }

    fn all(&self, all: &[E]) -> Answer<Vec<V>> {
        all.iter().map(|e| self.value(e)).collect()
    }

    fn known(&self, name: &str) -> V {
        let infinite = |low: i128, least: Option<i128>| {
            self.met.infinite.set(true);
            let some = (low..=FAR).map(V::Int).collect();
            part(
                some,
                move |v| Ok(least.is_none_or(|least| v.int() >= least)),
            )
        };
        match name {
            "NATURAL" => infinite(0, Some(0)),
            "NATURAL1" => infinite(1, Some(1)),
            "INTEGER" => infinite(-FAR, None),
            "NAT" => whole((0..=3).map(V::Int)),
            "INT" => whole((-1..=3).map(V::Int)),
            "BOOL" => whole([V::Bool(false), V::Bool(true)]),
            "TRUE" => V::Bool(true),
            "FALSE" => V::Bool(false),
            "(1..0)" | "((1..0) * (1..0))" => whole([]),
            other => panic!("{other} is not known"),
        }
    }

    fn arithmetic(&self, op: &str, a: i128, b: i128) -> Answer<V> {
        let made = match op {
            "+" => a.checked_add(b),
            "-" => a.checked_sub(b),
            "*" => a.checked_mul(b),
            "/" if b != 0 => Some(a / b),
            "mod" if a >= 0 && b > 0 => Some(a % b),
            "**" if b >= 0 => u32::try_from(b).ok().and_then(|b| a.checked_pow(b)),
            ".." if b - a <= 4000 => return Ok(whole((a..=b).map(V::Int))),
            ".." => {
                let some = (a..=a + FAR).map(V::Int).collect();
                return Ok(part(some, move |v| Ok(a <= v.int() && v.int() <= b)));
            }
            _ => return Err(self.undefined()),
        };
        made.map(V::Int).ok_or_else(|| self.unknown())
    }

    fn one(&self, op: &str, value: &V) -> Answer<V> {
        if let V::Int(n) = value {
            return Ok(V::Int(-n));
        }
        let set = value.set();
        let some = || set.some.iter().map(V::parts);
        let is_whole = set.is_whole();
        match op {
            "card" => Ok(V::Int(self.whole_of(set)?.len() as i128)),
            "min" => self
                .whole_of(set)?
                .first()
                .cloned()
                .ok_or_else(|| self.undefined()),
            "max" => self
                .whole_of(set)?
                .last()
                .cloned()
                .ok_or_else(|| self.undefined()),
            "dom" => Ok(grown(some().map(|p| p.0.clone()).collect(), is_whole)),
            "ran" => Ok(grown(some().map(|p| p.1.clone()).collect(), is_whole)),
            "~" => {
                let turned = some().map(|(a, b)| V::pair(b.clone(), a.clone()));
                Ok(grown(turned.collect(), is_whole))
            }
            "id" => {
                let pairs = set.some.iter().map(|v| V::pair(v.clone(), v.clone()));
                Ok(grown(pairs.collect(), is_whole))
            }
            "closure1" => Ok(whole(self.closed(set)?)),
            "union" | "inter" => self.merged(op, set),
            "POW" | "POW1" | "FIN" | "FIN1" => Ok(self.subsets(op, value)),
            "seq" | "seq1" | "iseq" | "iseq1" | "perm" => Ok(self.sequences(op, value)),
            _ => self.of_sequence(op, set),
        }
    }

    fn whole_of<'k>(&self, set: &'k Known) -> Answer<&'k BTreeSet<V>> {
        set.all().map_err(|_| self.unknown())
    }

    fn closed(&self, set: &Known) -> Answer<BTreeSet<V>> {
        let mut all = self.whole_of(set)?.clone();
        loop {
            let more: BTreeSet<V> = all.union(&composed(&all, &all)).cloned().collect();
            if more == all {
                return Ok(all);
            }
            all = more;
        }
    }

    fn merged(&self, op: &str, sets: &Known) -> Answer<V> {
        let mut all: Option<BTreeSet<V>> = None;
        for set in self.whole_of(sets)? {
            let set = self.whole_of(set.set())?;
            all = Some(match all {
                None => set.clone(),
                Some(all) if op == "union" => all.union(set).cloned().collect(),
                Some(all) => all.intersection(set).cloned().collect(),
            });
        }
        match (all, op) {
            (Some(all), _) => Ok(whole(all)),
            (None, "union") => Ok(whole([])),
            (None, _) => Err(self.undefined()),
        }
    }

    fn subsets(&self, op: &str, value: &V) -> V {
        let set = value.set();
        let few: Vec<V> = set.some.iter().take(3).cloned().collect();
        let mut some = BTreeSet::new();
        for bits in 0..1u32 << few.len() {
            let chosen = (0..few.len()).filter(|n| bits >> n & 1 == 1);
            some.insert(whole(chosen.map(|n| few[n].clone())));
        }
        let is_proper = op.ends_with('1');
        some.retain(|s| !is_proper || !s.set().some.is_empty());
        if set.is_whole() && set.some.len() <= 3 {
            return whole(some);
        }
        let (scene, value, is_finite) = (self.clone(), value.clone(), op.starts_with('F'));
        part(some, move |v| {
            let finite = if is_finite && !v.set().is_whole() {
                Err(scene.unknown())
            } else {
                Ok(true)
            };
            let filled = if !v.set().some.is_empty() || !is_proper {
                Ok(true)
            } else if v.set().is_whole() {
                Ok(false)
            } else {
                Err(scene.unknown())
            };
            both(filled, || both(finite, || scene.is_within(v, &value)))
        })
    }

    fn sequences(&self, op: &str, value: &V) -> V {
        let set = value.set();
        let (is_once, is_filled) = (op != "seq" && op != "seq1", op.ends_with('1'));
        let few: Vec<V> = set.some.iter().take(3).cloned().collect();
        let mut some: Vec<Vec<V>> = vec![Vec::new()];
        let mut last = 0;
        for _ in 0..few.len().max(2) {
            let longer = some[last..].to_vec();
            last = some.len();
            for one in longer {
                for v in few.iter().filter(|v| !is_once || !one.contains(v)) {
                    some.push(one.iter().cloned().chain([v.clone()]).collect());
                }
            }
        }
        let is_all = set.is_whole() && (set.some.is_empty() || is_once && set.some.len() <= 3);
        if op == "perm" && !is_all {
            some.clear();
        }
        some.retain(|s| !is_filled || !s.is_empty());
        some.retain(|s| op != "perm" || s.len() == few.len());
        let some = some.into_iter().map(|s| whole(sequence(s))).collect();
        if is_all {
            return whole(some);
        }
        let (scene, value, op) = (self.clone(), value.clone(), op.to_owned());
        part(some, move |v| {
            let Ok(all) = v.set().all() else {
                return Err(scene.unknown());
            };
            let Some(elements) = elements(all) else {
                return Ok(false);
            };
            let distinct: BTreeSet<&V> = elements.iter().copied().collect();
            if is_once && distinct.len() < elements.len() || is_filled && elements.is_empty() {
                return Ok(false);
            }
            let range = whole(distinct.into_iter().cloned());
            let within = scene.is_within(&range, &value);
            if op != "perm" {
                return within;
            }
            both(within, || scene.is_within(&value, &range))
        })
    }

    fn of_sequence(&self, op: &str, set: &Known) -> Answer<V> {
        let elements = elements(self.whole_of(set)?).ok_or_else(|| self.undefined())?;
        if op == "size" {
            return Ok(V::Int(elements.len() as i128));
        }
        if op == "rev" {
            return Ok(whole(sequence(elements.into_iter().rev().cloned())));
        }
        let (Some(first), Some(last)) = (elements.first(), elements.last()) else {
            return Err(self.undefined());
        };
        let n = elements.len();
        Ok(match op {
            "first" => (*first).clone(),
            "last" => (*last).clone(),
            "front" => whole(sequence(elements[..n - 1].iter().copied().cloned())),
            "tail" => whole(sequence(elements[1..].iter().copied().cloned())),
            other => panic!("{other} is no operator"),
        })
    }

    pub fn apply(&self, function: &Known, argument: &V) -> Answer<V> {
        if let Some(map) = &function.map {
            return map(argument);
        }
        let pairs = function.some.iter().map(V::parts);
        let values: Vec<&V> = pairs.filter(|p| p.0 == argument).map(|p| p.1).collect();
        match values.as_slice() {
            _ if !function.is_whole() => Err(self.unknown()),
            [only] => Ok((*only).clone()),
            _ => Err(self.undefined()),
        }
    }

    fn image(&self, relation: &V, set: &V) -> Answer<V> {
        let mut is_whole = relation.set().is_whole();
        let mut some = BTreeSet::new();
        for (a, b) in relation.set().some.iter().map(V::parts) {
            match set.set().has(a) {
                Ok(true) => drop(some.insert(b.clone())),
                Ok(false) => {}
                Err(_) => is_whole = false,
            }
        }
        Ok(grown(some, is_whole))
    }

    /// A comprehension, or a lambda if there is a value.
    fn comprehension(&self, bound: &Binding, p: &P, value: Option<&E>) -> Answer<V> {
        let (scenes, is_whole) = self.such(bound, p)?;
        let mut some = BTreeSet::new();
        for scene in &scenes {
            let parts = bound.iter().map(|(v, _)| scene.values[*v].clone());
            let tuple = parts
                .flatten()
                .reduce(V::pair)
                .expect("a variable is bound");
            some.insert(match value {
                Some(value) => V::pair(tuple, scene.value(value)?),
                None => tuple,
            });
        }
        if is_whole {
            return Ok(whole(some));
        }
        let (scene, bound, p) = (self.clone(), bound.clone(), p.clone());
        let bind = move |tuple: &V| -> Answer<(Scene, bool)> {
            let mut scene = scene.clone();
            scene.values.resize(64, None);
            let mut rest = tuple.clone();
            for (n, (variable, _)) in bound.iter().enumerate().rev() {
                let value = match n {
                    0 => rest.clone(),
                    _ => rest.parts().1.clone(),
                };
                if n > 0 {
                    rest = rest.parts().0.clone();
                }
                scene.values[*variable] = Some(value);
            }
            let mut is_in = Ok(true);
            for (variable, range) in &bound {
                let value = scene.values[*variable].clone().expect("bound above");
                let range = scene.value(range)?;
                is_in = both(is_in, || range.set().has(&value));
            }
            let is_in = both(is_in, || scene.holds(&p))?;
            Ok((scene, is_in))
        };
        let Some(value) = value.cloned() else {
            return Ok(part(some, move |v| Ok(bind(v)?.1)));
        };
        let map = move |argument: &V| match bind(argument)? {
            (scene, true) => scene.value(&value),
            (scene, false) => Err(scene.undefined()),
        };
        let map: Map = Rc::new(map);
        let test = map.clone();
        Ok(V::Set(Rc::new(Known {
            some,
            test: Some(Rc::new(move |v| match test(v.parts().0) {
                Ok(value) => Ok(value == *v.parts().1),
                Err(_) => Err(Stop::Unknown),
            })),
            map: Some(map),
        })))
    }

    fn each(&self, op: &str, bound: &Binding, p: &P, value: &E) -> Answer<V> {
        let (scenes, is_whole) = self.such(bound, p)?;
        let values: Answer<Vec<V>> = scenes.iter().map(|scene| scene.value(value)).collect();
        let values = values?;
        if !is_whole {
            return Err(self.unknown());
        }
        match op {
            "SIGMA" => values
                .iter()
                .try_fold(V::Int(0), |sum, v| self.arithmetic("+", sum.int(), v.int())),
            "PI" => values.iter().try_fold(V::Int(1), |product, v| {
                self.arithmetic("*", product.int(), v.int())
            }),
            _ => {
                let sets = self.listed(values)?;
                let op = if op == "UNION" { "union" } else { "inter" };
                self.merged(op, sets.set())
            }
        }
    }
}

impl Scene {
    fn two(&self, op: &str, a: V, b: V) -> Answer<V> {
        match op {
            "\\/" | "/\\" | "-" => Ok(self.combined(op, a, b)),
            "*" => Ok(self.product(&a, &b)),
            "<|" | "<<|" => self.restricted(op, &b, &a, |p| p.0),
            "|>" | "|>>" => self.restricted(op, &a, &b, |p| p.1),
            "<+" => {
                let (x, y) = (self.whole_of(a.set())?, self.whole_of(b.set())?);
                let is_over = |v: &V| y.iter().any(|p| p.parts().0 == v.parts().0);
                let kept = x.iter().filter(|v| !is_over(v));
                Ok(whole(kept.chain(y).cloned()))
            }
            ";" => {
                let is_whole = a.set().is_whole() && b.set().is_whole();
                Ok(grown(composed(&a.set().some, &b.set().some), is_whole))
            }
            "><" | "||" => Ok(self.paired(op, &a, &b)),
            "^" | "<-" | "->" | "/|\\" | "\\|/" => self.on_sequences(op, &a, &b),
            "iterate" => {
                let relation = self.whole_of(a.set())?;
                let n = b.int();
                if n < 0 {
                    return Err(self.undefined());
                }
                let field = relation.iter().flat_map(|p| [p.parts().0, p.parts().1]);
                let mut all = field.map(|v| V::pair(v.clone(), v.clone())).collect();
                for _ in 0..n {
                    all = composed(&all, relation);
                }
                Ok(whole(all))
            }
            "prj1" | "prj2" => {
                let product = self.product(&a, &b);
                let pairs = product.set().some.iter().map(|p| {
                    let (x, y) = p.parts();
                    let chosen = if op == "prj1" { x } else { y };
                    V::pair(p.clone(), chosen.clone())
                });
                Ok(grown(pairs.collect(), product.set().is_whole()))
            }
            arrow => Ok(self.relations(arrow, a, b)),
        }
    }

    fn combined(&self, op: &str, a: V, b: V) -> V {
        let (x, y) = (a.set(), b.set());
        let test = {
            let (a, b, op) = (a.clone(), b.clone(), op.to_owned());
            move |v: &V| match op.as_str() {
                "\\/" => contrary(both(contrary(a.set().has(v)), || contrary(b.set().has(v)))),
                "/\\" => both(a.set().has(v), || b.set().has(v)),
                _ => both(a.set().has(v), || contrary(b.set().has(v))),
            }
        };
        let all: Vec<V> = x.some.union(&y.some).cloned().collect();
        let answers: Vec<Answer<bool>> = all.iter().map(&test).collect();
        let is_decided = answers.iter().all(Result::is_ok);
        let pairs = all.into_iter().zip(answers);
        let some = pairs
            .filter(|(_, is_in)| *is_in == Ok(true))
            .map(|(v, _)| v);
        let some: BTreeSet<V> = some.collect();
        let (x, y) = (x.is_whole(), y.is_whole());
        let is_whole = match op {
            "\\/" => x && y,
            "/\\" => x || y,
            _ => x,
        };
        if is_whole && is_decided {
            whole(some)
        } else {
            part(some, test)
        }
    }

    fn product(&self, a: &V, b: &V) -> V {
        let mut some = BTreeSet::new();
        let most = if a.set().is_whole() && b.set().is_whole() {
            100
        } else {
            8
        };
        for x in a.set().some.iter().take(most) {
            for y in b.set().some.iter().take(most) {
                some.insert(V::pair(x.clone(), y.clone()));
            }
        }
        let is_empty = |v: &V| v.set().is_whole() && v.set().some.is_empty();
        let is_whole = |v: &V| v.set().is_whole() && v.set().some.len() <= most;
        if is_whole(a) && is_whole(b) || is_empty(a) || is_empty(b) {
            return whole(some);
        }
        let (a, b) = (a.clone(), b.clone());
        part(some, move |v| {
            let (x, y) = v.parts();
            both(a.set().has(x), || b.set().has(y))
        })
    }

    fn restricted(
        &self,
        op: &str,
        relation: &V,
        set: &V,
        side: for<'v> fn((&'v V, &'v V)) -> &'v V,
    ) -> Answer<V> {
        let is_kept = matches!(op, "<|" | "|>");
        let mut is_whole = relation.set().is_whole();
        let mut some = BTreeSet::new();
        for pair in &relation.set().some {
            match set.set().has(side(pair.parts())) {
                Ok(is_in) if is_in == is_kept => drop(some.insert(pair.clone())),
                Ok(_) => {}
                Err(_) => is_whole = false,
            }
        }
        Ok(grown(some, is_whole))
    }

    fn paired(&self, op: &str, a: &V, b: &V) -> V {
        let mut some = BTreeSet::new();
        for (x, u) in a.set().some.iter().map(V::parts) {
            for (y, v) in b.set().some.iter().map(V::parts) {
                let right = V::pair(u.clone(), v.clone());
                if op == "||" {
                    some.insert(V::pair(V::pair(x.clone(), y.clone()), right));
                } else if x == y {
                    some.insert(V::pair(x.clone(), right));
                }
            }
        }
        grown(some, a.set().is_whole() && b.set().is_whole())
    }

    fn on_sequences(&self, op: &str, a: &V, b: &V) -> Answer<V> {
        let of = |v: &V| -> Answer<Vec<V>> {
            let all = elements(self.whole_of(v.set())?).ok_or_else(|| self.undefined())?;
            Ok(all.into_iter().cloned().collect())
        };
        let made = match op {
            "^" => [of(a)?, of(b)?].concat(),
            "<-" => [of(a)?, vec![b.clone()]].concat(),
            "->" => [vec![a.clone()], of(b)?].concat(),
            _ => {
                let all = of(a)?;
                let n = usize::try_from(b.int()).ok().filter(|n| *n <= all.len());
                let n = n.ok_or_else(|| self.undefined())?;
                match op {
                    "/|\\" => all[..n].to_vec(),
                    _ => all[n..].to_vec(),
                }
            }
        };
        self.listed(sequence(made))
    }

    fn relations(&self, arrow: &str, a: V, b: V) -> V {
        let (scene, arrow) = (self.clone(), arrow.to_owned());
        let test = {
            let (a, b) = (a.clone(), b.clone());
            move |v: &V| scene.is_relation(&arrow, v, &a, &b)
        };
        let product = self.product(&a, &b);
        let few: Vec<V> = product.set().some.iter().take(6).cloned().collect();
        let mut some = BTreeSet::new();
        for bits in 0..1u32 << few.len() {
            let chosen = (0..few.len()).filter(|n| bits >> n & 1 == 1);
            let one = whole(chosen.map(|n| few[n].clone()));
            if test(&one) == Ok(true) {
                some.insert(one);
            }
        }
        match product.set().is_whole() && product.set().some.len() <= 6 {
            true if a.set().is_whole() && b.set().is_whole() => whole(some),
            _ => part(some, test),
        }
    }

    fn is_relation(&self, arrow: &str, v: &V, a: &V, b: &V) -> Answer<bool> {
        let all = v.set().all().map_err(|_| self.unknown())?;
        let pairs: Pairs = all.iter().map(V::parts).collect();
        let dom: BTreeSet<&V> = pairs.iter().map(|p| p.0).collect();
        let ran: BTreeSet<&V> = pairs.iter().map(|p| p.1).collect();
        let is_function = !arrow.starts_with('<') && dom.len() == pairs.len();
        let is_injective = ran.len() == pairs.len();
        if !arrow.starts_with('<') && !is_function || arrow.starts_with('>') && !is_injective {
            return Ok(false);
        }
        let (dom, ran) = (
            whole(dom.into_iter().cloned()),
            whole(ran.into_iter().cloned()),
        );
        let is_total = matches!(arrow, "-->" | ">->" | "-->>" | ">->>");
        let is_onto = arrow.ends_with(">>");
        let within = both(self.is_within(&dom, a), || self.is_within(&ran, b));
        let unless = |is_asked: bool, set: &V, other: &V| {
            if is_asked {
                self.is_within(set, other)
            } else {
                Ok(true)
            }
        };
        let total = both(within, || unless(is_total, a, &dom));
        both(total, || unless(is_onto, b, &ran))
    }
}

/// The pairs of a sequence.
fn sequence(elements: impl IntoIterator<Item = V>) -> Vec<V> {
    let places = elements.into_iter().zip(1..);
    places.map(|(v, n)| V::pair(V::Int(n), v)).collect()
}

/// The elements of a sequence, if the relation is one.
fn elements(pairs: &BTreeSet<V>) -> Option<Vec<&V>> {
    let mut places = pairs.iter().map(V::parts).zip(1..);
    let all: Vec<&V> = pairs.iter().map(|p| p.parts().1).collect();
    places.all(|(p, n)| *p.0 == V::Int(n)).then_some(all)
}

fn composed(a: &BTreeSet<V>, b: &BTreeSet<V>) -> BTreeSet<V> {
    let mut all = BTreeSet::new();
    for (x, y) in a.iter().map(V::parts) {
        for (u, v) in b.iter().map(V::parts) {
            if y == u {
                all.insert(V::pair(x.clone(), v.clone()));
            }
        }
    }
    all
}
