//! Guards: sets of letters that are given by atoms that must hold and atoms that must not.
//!
//! A *cube* is a conjunction of literals, two words of 64 bits. Worked example: `p && !q` holds for
//! the letters `{p}`, `{p, r}` and so on; it is contained in the cube `p`. A set of letters that is
//! no cube is a list of them; [`covered`] says whether a list contains a cube, by splitting the
//! cube along an atom until one member of the list contains it or none meets it.

/// A conjunction of literals: atoms that hold, atoms that do not. No atom is in both.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Cube {
    /// Bit `i`: atom `i` holds.
    pub yes: u64,
    /// Bit `i`: atom `i` does not hold.
    pub no: u64,
}

impl Cube {
    /// All letters.
    pub const ALL: Cube = Cube { yes: 0, no: 0 };

    /// One atom, or its negation.
    pub fn literal(atom: usize, value: bool) -> Cube {
        if value {
            Cube {
                yes: 1 << atom,
                no: 0,
            }
        } else {
            Cube {
                yes: 0,
                no: 1 << atom,
            }
        }
    }

    /// Whether a letter is in it.
    pub fn holds(self, letter: u64) -> bool {
        letter & self.yes == self.yes && letter & self.no == 0
    }

    /// Letters in both, if there are any.
    pub fn and(self, other: Cube) -> Option<Cube> {
        let (yes, no) = (self.yes | other.yes, self.no | other.no);
        (yes & no == 0).then_some(Cube { yes, no })
    }

    /// Whether all its letters are in `other`.
    pub fn within(self, other: Cube) -> bool {
        self.yes & other.yes == other.yes && self.no & other.no == other.no
    }

    /// The atoms it speaks of.
    pub fn atoms(self) -> u64 {
        self.yes | self.no
    }

    /// The letters of it that are not in `other`, if these are a cube.
    pub fn without(self, other: Cube) -> Option<Cube> {
        let yes = other.yes & !self.yes;
        let no = other.no & !self.no;
        match (yes.count_ones(), no.count_ones()) {
            (1, 0) => self.and(Cube { yes: 0, no: yes }),
            (0, 1) => self.and(Cube { yes: no, no: 0 }),
            _ => None,
        }
    }

    /// The letters of either, if these are a cube.
    pub fn or(self, other: Cube) -> Option<Cube> {
        if self.within(other) {
            return Some(other);
        }
        if other.within(self) {
            return Some(self);
        }
        let differ = (self.yes & other.no) | (self.no & other.yes);
        let same_atoms = self.atoms() == other.atoms();
        (same_atoms && differ.count_ones() == 1).then_some(Cube {
            yes: self.yes & !differ,
            no: self.no & !differ,
        })
    }
}

/// Whether every letter of `cube` is in one of `list`.
pub fn covered(cube: Cube, list: &[Cube]) -> bool {
    let mut open = vec![cube];
    while let Some(cube) = open.pop() {
        if list.iter().any(|member| cube.within(*member)) {
            continue;
        }
        // A member that it meets speaks of an atom that it does not.
        let met = list.iter().find(|member| cube.and(**member).is_some());
        let Some(met) = met else {
            return false;
        };
        let atom = (met.atoms() & !cube.atoms()).trailing_zeros() as usize;
        for value in [false, true] {
            open.extend(cube.and(Cube::literal(atom, value)));
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The letters over four atoms.
    fn letters(cubes: &[Cube]) -> Vec<u64> {
        let all = 0..16;
        all.filter(|l| cubes.iter().any(|c| c.holds(*l))).collect()
    }

    fn random(rng: &mut fastrand::Rng) -> Cube {
        let (yes, no) = (rng.u64(..16), rng.u64(..16));
        Cube { yes, no: no & !yes }
    }

    #[test]
    fn operations_are_those_of_sets_of_letters() {
        for seed in 0..3000 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let (a, b) = (random(&mut rng), random(&mut rng));
            let (in_a, in_b) = (letters(&[a]), letters(&[b]));
            let both: Vec<u64> = in_a.iter().copied().filter(|l| b.holds(*l)).collect();
            let rest: Vec<u64> = in_a.iter().copied().filter(|l| !b.holds(*l)).collect();
            let and = a.and(b).map_or(Vec::new(), |c| letters(&[c]));
            assert_eq!(and, both, "seed {seed}");
            assert_eq!(a.within(b), rest.is_empty(), "seed {seed}");
            if let Some(cube) = a.without(b) {
                assert_eq!(letters(&[cube]), rest, "seed {seed}");
            }
            if let Some(cube) = a.or(b) {
                assert_eq!(letters(&[cube]), letters(&[a, b]), "seed {seed}");
            }
            assert!(!in_b.is_empty(), "seed {seed}: a cube has letters");
        }
    }

    #[test]
    fn a_list_covers_what_it_contains_letter_by_letter() {
        for seed in 0..3000 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let cube = random(&mut rng);
            let list: Vec<Cube> = (0..rng.usize(..6)).map(|_| random(&mut rng)).collect();
            let plain = letters(&[cube])
                .iter()
                .all(|l| list.iter().any(|c| c.holds(*l)));
            assert_eq!(covered(cube, &list), plain, "seed {seed}");
        }
    }
}
