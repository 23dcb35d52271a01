//! Formulas of linear temporal logic over numbered atoms, and the conjunctions that they are.
//!
//! All runs satisfy a conjunction if all satisfy each part, so parts can be checked one by one; and
//! where a symmetry makes one part of another, one of them is enough. What is a conjunction need
//! not be written as one: `[]`, `X`, `V` and `W` to the side that must hold all along, and `||`,
//! have the parts of what is inside, and what is negated has those of a disjunction.
//!
//! Worked example: `[] ((p -> <> q) && (r -> <> s))` is the conjunction of `[] (p -> <> q)` and
//! `[] (r -> <> s)`; `<> (p && <> q)` is none.

/// A formula of linear temporal logic over the atoms of a property.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Formula {
    /// An atom, by number.
    Atom(u32),
    /// `!f`
    Not(Box<Formula>),
    /// `f && g`
    And(Vec<Formula>),
    /// `f || g`
    Or(Vec<Formula>),
    /// `X f`
    Next(Box<Formula>),
    /// `[] f`
    Always(Box<Formula>),
    /// `<> f`
    Eventually(Box<Formula>),
    /// `f U g`
    Until(Box<Formula>, Box<Formula>),
    /// `f W g`
    WeakUntil(Box<Formula>, Box<Formula>),
    /// `f V g`
    Release(Box<Formula>, Box<Formula>),
    /// At the moment before, if there is one.
    Yesterday(Box<Formula>),
    /// Now or at some moment before.
    Once(Box<Formula>),
    /// Now and at every moment before.
    Historically(Box<Formula>),
    /// The second now or before, and the first from the moment after that on.
    Since(Box<Formula>, Box<Formula>),
}

/// What a list of formulas is joined by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Joint {
    And,
    Or,
}

impl Formula {
    /// Formulas whose conjunction this is, each once: only itself if it is none, or one of more
    /// than `n_max`.
    pub fn conjuncts(&self, n_max: usize) -> Vec<Formula> {
        let mut all = Vec::new();
        for part in self.joined(Joint::And, n_max).into_iter().flatten() {
            if !all.contains(&part) {
                all.push(part);
            }
        }
        if all.is_empty() {
            vec![self.clone()]
        } else {
            all
        }
    }

    /// Formulas that this is when they are joined; `None` if they are more than `n_max`.
    fn joined(&self, joint: Joint, n_max: usize) -> Option<Vec<Formula>> {
        use Formula::{Always, And, Eventually, Next, Not, Or, Release, Until, WeakUntil};
        let is_and = joint == Joint::And;
        let inside = |f: &Formula| f.joined(joint, n_max);
        let of = |f: &Formula, make: &dyn Fn(Box<Formula>) -> Formula| {
            let parts = inside(f)?.into_iter();
            Some(parts.map(|part| make(Box::new(part))).collect::<Vec<_>>())
        };
        let other = if is_and { Joint::Or } else { Joint::And };
        let parts = match self {
            Not(f) => {
                let parts = f.joined(other, n_max)?.into_iter();
                parts.map(|part| Not(Box::new(part))).collect()
            }
            And(list) | Or(list) if matches!(self, And(_)) == is_and => {
                let mut all = Vec::new();
                for f in list {
                    all.extend(inside(f)?);
                }
                all
            }
            And(list) | Or(list) => chosen(list, joint, n_max)?,
            Next(f) => of(f, &Next)?,
            Always(f) if is_and => of(f, &Always)?,
            Eventually(f) if !is_and => of(f, &Eventually)?,
            Until(f, g) if is_and => of(f, &|f| Until(f, g.clone()))?,
            Until(f, g) => of(g, &|g| Until(f.clone(), g))?,
            WeakUntil(f, g) if is_and => of(f, &|f| WeakUntil(f, g.clone()))?,
            WeakUntil(f, g) => of(g, &|g| WeakUntil(f.clone(), g))?,
            Release(f, g) if is_and => of(g, &|g| Release(f.clone(), g))?,
            Release(f, g) => of(f, &|f| Release(f, g.clone()))?,
            Formula::Yesterday(f) => of(f, &Formula::Yesterday)?,
            Formula::Historically(f) if is_and => of(f, &Formula::Historically)?,
            Formula::Once(f) if !is_and => of(f, &Formula::Once)?,
            Formula::Atom(_)
            | Always(_)
            | Eventually(_)
            | Formula::Historically(_)
            | Formula::Once(_)
            | Formula::Since(..) => vec![self.clone()],
        };
        (parts.len() <= n_max).then_some(parts)
    }

    /// The atoms in it, in the order in which they come first, and the formula with these numbered.
    pub fn renumbered(&self) -> (Vec<u32>, Formula) {
        let mut atoms = Vec::new();
        let formula = self.with_atoms(&mut atoms);
        (atoms, formula)
    }

    fn with_atoms(&self, atoms: &mut Vec<u32>) -> Formula {
        let mut go = |f: &Formula| Box::new(f.with_atoms(atoms));
        match self {
            Formula::Atom(atom) => {
                let known = atoms.iter().position(|a| a == atom);
                Formula::Atom(known.unwrap_or_else(|| {
                    atoms.push(*atom);
                    atoms.len() - 1
                }) as u32)
            }
            Formula::Not(f) => Formula::Not(go(f)),
            Formula::And(all) => Formula::And(all.iter().map(|f| *go(f)).collect()),
            Formula::Or(all) => Formula::Or(all.iter().map(|f| *go(f)).collect()),
            Formula::Next(f) => Formula::Next(go(f)),
            Formula::Always(f) => Formula::Always(go(f)),
            Formula::Eventually(f) => Formula::Eventually(go(f)),
            Formula::Until(f, g) => Formula::Until(go(f), go(g)),
            Formula::WeakUntil(f, g) => Formula::WeakUntil(go(f), go(g)),
            Formula::Release(f, g) => Formula::Release(go(f), go(g)),
            Formula::Yesterday(f) => Formula::Yesterday(go(f)),
            Formula::Once(f) => Formula::Once(go(f)),
            Formula::Historically(f) => Formula::Historically(go(f)),
            Formula::Since(f, g) => Formula::Since(go(f), go(g)),
        }
    }

    /// The formulas that it is made of, in order.
    pub fn parts(&self) -> Vec<&Formula> {
        match self {
            Formula::Atom(_) => Vec::new(),
            Formula::Not(f)
            | Formula::Next(f)
            | Formula::Always(f)
            | Formula::Eventually(f)
            | Formula::Yesterday(f)
            | Formula::Once(f)
            | Formula::Historically(f) => vec![f],
            Formula::And(all) | Formula::Or(all) => all.iter().collect(),
            Formula::Until(f, g)
            | Formula::WeakUntil(f, g)
            | Formula::Release(f, g)
            | Formula::Since(f, g) => vec![f, g],
        }
    }

    /// Whether it speaks of moments before.
    pub fn has_past(&self) -> bool {
        match self {
            Formula::Yesterday(_)
            | Formula::Once(_)
            | Formula::Historically(_)
            | Formula::Since(..) => true,
            other => other.parts().into_iter().any(Formula::has_past),
        }
    }

    /// Whether it counts single moments.
    pub fn counts_moments(&self) -> bool {
        match self {
            Formula::Next(_) | Formula::Yesterday(_) => true,
            other => other.parts().into_iter().any(Formula::counts_moments),
        }
    }
}

/// The parts of a list that is joined the other way: one part of each member of the list.
fn chosen(list: &[Formula], joint: Joint, n_max: usize) -> Option<Vec<Formula>> {
    let mut all: Vec<Vec<Formula>> = vec![Vec::new()];
    for f in list {
        let parts = f.joined(joint, n_max)?;
        if all.len() * parts.len() > n_max {
            return None;
        }
        let longer = all.iter().flat_map(|before| {
            parts.iter().map(move |part| {
                let mut more = before.clone();
                more.push(part.clone());
                more
            })
        });
        all = longer.collect();
    }
    let join = |list| match joint {
        Joint::And => Formula::Or(list),
        Joint::Or => Formula::And(list),
    };
    Some(all.into_iter().map(join).collect())
}

#[cfg(test)]
mod tests {
    use super::Formula::{self, Always, And, Atom, Eventually, Not, Or, Until};

    fn always(f: Formula) -> Formula {
        Always(Box::new(f))
    }

    #[test]
    fn what_must_always_hold_is_a_conjunction_of_its_parts() {
        let owed = |p, q| {
            let q = Eventually(Box::new(Atom(q)));
            Or(vec![Not(Box::new(Atom(p))), q])
        };
        let whole = always(And(vec![owed(0, 1), owed(2, 3)]));
        let parts = [always(owed(0, 1)), always(owed(2, 3))];
        assert_eq!(whole.conjuncts(10), parts);
        assert_eq!(whole.conjuncts(1), vec![whole]);
        let (atoms, second) = parts[1].renumbered();
        assert_eq!((atoms, &second), (vec![2, 3], &parts[0]));
    }

    #[test]
    fn what_is_owed_together_stays_together() {
        let both = And(vec![Atom(0), always(Atom(1))]);
        let owed = Eventually(Box::new(both.clone()));
        assert_eq!(owed.conjuncts(10), vec![owed.clone()]);
        let until = Until(Box::new(Atom(2)), Box::new(both));
        assert_eq!(until.conjuncts(10), vec![until]);
        // Under a negation it is the other way round.
        let parts = Not(Box::new(Or(vec![Atom(0), owed.clone()])));
        assert_eq!(
            parts.conjuncts(10),
            [Not(Box::new(Atom(0))), Not(Box::new(owed))]
        );
    }

    #[test]
    fn an_empty_conjunction_is_itself() {
        assert_eq!(And(Vec::new()).conjuncts(10), [And(Vec::new())]);
    }
}
