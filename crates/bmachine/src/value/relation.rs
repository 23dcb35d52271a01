//! Sets of pairs: B's operators on relations and functions.

use super::{ApplyError, Set, Value, ValueError};

impl Set {
    /// `dom(self)`.
    pub fn dom(&self) -> Set {
        self.pairs().map(|(left, _)| left).collect()
    }

    /// `ran(self)`.
    pub fn ran(&self) -> Set {
        self.pairs().map(|(_, right)| right).collect()
    }

    /// `self~`.
    pub fn inverse(&self) -> Set {
        self.pairs()
            .map(|(left, right)| Value::pair(right, left))
            .collect()
    }

    /// `self[arguments]`.
    pub fn image(&self, arguments: &Set) -> Set {
        let related = self.pairs().filter(|(left, _)| arguments.contains(left));
        related.map(|(_, right)| right).collect()
    }

    /// `self(argument)`.
    pub fn apply(&self, argument: &Value) -> Result<Value, ApplyError> {
        let mut values = self.pairs().filter(|(left, _)| left == argument);
        let (_, value) = values.next().ok_or(ApplyError::Outside)?;
        match values.next() {
            None => Ok(value),
            Some(_) => Err(ApplyError::NotFunction),
        }
    }

    /// `domain <| self`.
    pub fn domain_restrict(&self, domain: &Set) -> Set {
        self.keep(|pair| domain.contains(pair.as_pair().0))
    }

    /// `domain <<| self`.
    pub fn domain_subtract(&self, domain: &Set) -> Set {
        self.keep(|pair| !domain.contains(pair.as_pair().0))
    }

    /// `self |> range`.
    pub fn range_restrict(&self, range: &Set) -> Set {
        self.keep(|pair| range.contains(pair.as_pair().1))
    }

    /// `self |>> range`.
    pub fn range_subtract(&self, range: &Set) -> Set {
        self.keep(|pair| !range.contains(pair.as_pair().1))
    }

    /// `self <+ other`.
    pub fn override_with(&self, other: &Set) -> Set {
        self.domain_subtract(&other.dom()).union(other)
    }

    /// `self <+ {argument |-> value}`, what `f(argument) := value` does.
    pub fn override_at(&self, argument: &Value, value: Value) -> Set {
        let rest = self.keep(|pair| pair.as_pair().0 != argument);
        rest.insert(Value::pair(argument.clone(), value))
    }

    /// `self ; other`: first self.
    pub fn compose(&self, other: &Set) -> Set {
        let mut made = Vec::new();
        for (left, middle) in self.pairs() {
            let related = other.pairs().filter(|(from, _)| *from == middle);
            made.extend(related.map(|(_, right)| Value::pair(left.clone(), right)));
        }
        Set::from_vec(made)
    }

    /// `self >< other`: `a |-> (b |-> c)` for `a |-> b` in self and `a |-> c` in other.
    pub fn direct_product(&self, other: &Set) -> Set {
        let mut made = Vec::new();
        for (argument, left) in self.pairs() {
            let related = other.pairs().filter(|(from, _)| *from == argument);
            made.extend(
                related.map(|(_, right)| {
                    Value::pair(argument.clone(), Value::pair(left.clone(), right))
                }),
            );
        }
        Set::from_vec(made)
    }

    /// `self || other`: `(a |-> b) |-> (c |-> d)` for `a |-> c` in self and `b |-> d` in other.
    pub fn parallel_product(&self, other: &Set) -> Set {
        let mut made = Vec::new();
        for (a, c) in self.pairs() {
            for (b, d) in other.pairs() {
                made.push(Value::pair(
                    Value::pair(a.clone(), b),
                    Value::pair(c.clone(), d),
                ));
            }
        }
        Set::from_vec(made)
    }

    /// `closure1(self)`: the least transitive relation around it.
    pub fn closure1(&self) -> Set {
        let mut all = self.clone();
        loop {
            let next = all.union(&all.compose(self));
            if next == all {
                return all;
            }
            all = next;
        }
    }

    /// `closure(self)`, reflexive on `carrier`, all values of the type.
    pub fn closure(&self, carrier: &Set) -> Set {
        self.closure1().union(&carrier.id())
    }

    /// `iterate(self, n)`; `iterate(self, 0)` is the identity on `carrier`, all values of the type.
    pub fn iterate(&self, n: i64, carrier: &Set) -> Result<Set, ValueError> {
        if n < 0 {
            return Err(ValueError::Negative("iterate"));
        }
        if n == 0 {
            return Ok(carrier.id());
        }
        let mut all = self.clone();
        for _ in 1..n {
            all = all.compose(self);
        }
        Ok(all)
    }

    /// `id(self)`.
    pub fn id(&self) -> Set {
        self.iter()
            .map(|element| Value::pair(element.clone(), element))
            .collect()
    }

    /// `prj1(self, other)`: `(a |-> b) |-> a`.
    pub fn prj1(&self, other: &Set) -> Set {
        let pairs = self.product(other);
        pairs
            .iter()
            .map(|pair| Value::pair(pair.clone(), pair.as_pair().0.clone()))
            .collect()
    }

    /// `prj2(self, other)`: `(a |-> b) |-> b`.
    pub fn prj2(&self, other: &Set) -> Set {
        let pairs = self.product(other);
        pairs
            .iter()
            .map(|pair| Value::pair(pair.clone(), pair.as_pair().1.clone()))
            .collect()
    }

    /// `fnc(self)`: each argument with the set of its values.
    pub fn fnc(&self) -> Set {
        let dom = self.dom();
        dom.iter()
            .map(|argument| {
                let values = self.image(&Set::singleton(argument.clone()));
                Value::pair(argument, Value::Set(values))
            })
            .collect()
    }

    /// `rel(self)` of a function to sets: each argument with each of its values.
    pub fn rel(&self) -> Result<Set, ValueError> {
        let mut made = Vec::new();
        for (argument, values) in self.pairs() {
            let values = values.as_set().ok_or(ValueError::Symbolic("rel"))?;
            made.extend(
                values
                    .iter()
                    .map(|value| Value::pair(argument.clone(), value)),
            );
        }
        Ok(Set::from_vec(made))
    }

    /// Whether no argument has several values.
    pub fn is_function(&self) -> bool {
        self.dom().len() == self.len()
    }

    /// Whether no value has several arguments.
    pub fn is_injective(&self) -> bool {
        self.ran().len() == self.len()
    }
}
