//! What N. Moffat, M. Goldsmith and A. W. Roscoe print (2008, table 2), and which of our scripts
//! that is.
//!
//! Their scripts are not printed. Hanoi is told in words, and ours has their numbers of states.
//! Dijkstra's algorithm can be written down in many ways: ours has other numbers, and what can be
//! compared are the ratios. Times are seconds of a program in Perl on a machine of that time.

/// The towers of Hanoi.
pub const HANOI: &str = include_str!("../../../models/cspm/classics/hanoi.csp");
/// Dijkstra's mutual exclusion.
pub const DIJKSTRA: &str = include_str!("../../../models/cspm/classics/dijkstra.csp");

/// Case; script with its constants; number of the assertion; words. `long` takes minutes, and
/// `vast` has so many pairs without symmetry that they are not searched.
pub const CASES: &str = "
hanoi 4-4      | hanoi poles=4 discs=4   | 1 |
hanoi 5-4      | hanoi poles=5 discs=4   | 1 |
hanoi 6-4      | hanoi poles=6 discs=4   | 1 |
hanoi 7-4      | hanoi poles=7 discs=4   | 1 |
dijkstra 2 run | dijkstra n=2            | 1 |
dijkstra 3 run | dijkstra n=3            | 1 |
dijkstra 4 run | dijkstra n=4            | 1 |
dijkstra 2     | dijkstra n=2            | 2 |
dijkstra 3     | dijkstra n=3            | 2 |
dijkstra 4     | dijkstra n=4            | 2 |
hanoi 3-6      | hanoi poles=3 discs=6   | 1 |
hanoi 4-6      | hanoi poles=4 discs=6   | 1 |
hanoi 5-6      | hanoi poles=5 discs=6   | 1 |
hanoi 6-6      | hanoi poles=6 discs=6   | 1 |
hanoi 7-6      | hanoi poles=7 discs=6   | 1 |
hanoi 8-8      | hanoi poles=8 discs=8   | 1 | vast
hanoi 12-8     | hanoi poles=12 discs=8  | 1 | vast
hanoi 16-8     | hanoi poles=16 discs=8  | 1 | vast
dijkstra 5 run | dijkstra n=5            | 1 | vast
dijkstra 5     | dijkstra n=5            | 2 | vast
dijkstra 6     | dijkstra n=6            | 2 | vast long
";

/// Case; algorithm; states; seconds of the search alone.
pub const PRINTED: &str = "
hanoi 4-4      | none        | 256     | 3.58
hanoi 4-4      | sym-check-1 | 51      | 0.73
hanoi 4-4      | sym-check-2 | 51      | 0.73
hanoi 5-4      | none        | 625     | 19.14
hanoi 5-4      | sym-check-1 | 52      | 1.53
hanoi 5-4      | sym-check-2 | 52      | 1.72
hanoi 6-4      | none        | 1296    | 82.29
hanoi 6-4      | sym-check-1 | 52      | 3.11
hanoi 6-4      | sym-check-2 | 52      | 4.20
hanoi 7-4      | none        | 2401    | 246.83
hanoi 7-4      | sym-check-1 | 52      | 5.09
hanoi 7-4      | sym-check-2 | 52      | 15.38
dijkstra 2 run | none        | 445     | 0.16
dijkstra 2 run | sym-check-2 | 224     | 0.11
dijkstra 3 run | none        | 19161   | 11.77
dijkstra 3 run | sym-check-2 | 3269    | 2.94
dijkstra 4 run | none        | 1189379 | 1103.00
dijkstra 4 run | sym-check-2 | 51571   | 118.95
dijkstra 2     | none        | 445     | 0.13
dijkstra 2     | sym-check-3 | 224     | 0.12
dijkstra 3     | none        | 19161   | 8.82
dijkstra 3     | sym-check-3 | 3269    | 2.96
dijkstra 4     | none        | 1189379 | 861.12
dijkstra 4     | sym-check-3 | 51571   | 133.88
";

/// A case.
#[derive(Clone, Debug)]
pub struct CspCase {
    /// What it is called.
    pub name: &'static str,
    /// The script, its constants set.
    pub text: String,
    /// The constants.
    pub constants: Vec<(&'static str, u32)>,
    /// Which assertion.
    pub number: &'static str,
    words: Vec<&'static str>,
}

/// What is printed of a case and an algorithm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrintedRow {
    /// Algorithm.
    pub algorithm: &'static str,
    /// States.
    pub n_states: u64,
    /// Seconds of the search.
    pub seconds: f64,
}

fn cells(line: &'static str) -> Vec<&'static str> {
    line.split('|').map(str::trim).collect()
}

impl CspCase {
    /// All of them.
    ///
    /// # Panics
    /// If the table above, or a script, is not what it was.
    pub fn all() -> Vec<CspCase> {
        let lines = CASES.lines().filter(|line| !line.is_empty());
        lines.map(|line| CspCase::new(&cells(line))).collect()
    }

    fn new(cells: &[&'static str]) -> CspCase {
        let mut words = cells[1].split(' ');
        let mut text = match words.next() {
            Some("hanoi") => HANOI.to_owned(),
            _ => DIJKSTRA.to_owned(),
        };
        let mut constants = Vec::new();
        for word in words {
            let (name, value) = word.split_once('=').expect("a constant");
            let start = text.find(&format!("\n{name} = ")).expect("a constant") + 1;
            let end = start + text[start..].find('\n').expect("a line");
            text.replace_range(start..end, &format!("{name} = {value}"));
            constants.push((name, value.parse().expect("a number")));
        }
        CspCase {
            name: cells[0],
            text,
            constants,
            number: cells[2],
            words: cells[3].split(' ').collect(),
        }
    }

    /// Whether it has this word.
    pub fn is(&self, word: &str) -> bool {
        self.words.contains(&word)
    }

    /// What is printed of it.
    pub fn printed(&self) -> Vec<PrintedRow> {
        let lines = PRINTED.lines().filter(|line| !line.is_empty()).map(cells);
        let own = lines.filter(|cells| cells[0] == self.name);
        let printed = own.map(|cells| PrintedRow {
            algorithm: cells[1],
            n_states: cells[2].parse().expect("a number"),
            seconds: cells[3].parse().expect("a number"),
        });
        printed.collect()
    }

    /// How many pairs there are without reduction, and with one of each orbit, where a formula
    /// tells: any arrangement of discs on poles; and with the first pole apart, the parts that the
    /// others are in, without an order.
    pub fn known(&self) -> Option<(u128, u128)> {
        let &[("poles", poles), ("discs", discs)] = &self.constants[..] else {
            return None;
        };
        let (p, d) = (u128::from(poles), u128::from(discs));
        let away = |k| (0..p).map(|j| parts(k, j)).sum::<u128>();
        let orbits = (0..=d).map(|k| choose(d, k) * away(k)).sum();
        Some((p.pow(discs), orbits))
    }
}

/// Ways to part `n` things into `k` sets.
fn parts(n: u128, k: u128) -> u128 {
    match (n, k) {
        (0, 0) => 1,
        (0, _) | (_, 0) => 0,
        _ => k * parts(n - 1, k) + parts(n - 1, k - 1),
    }
}

/// Ways to choose `k` of `n`.
fn choose(n: u128, k: u128) -> u128 {
    (0..k).fold(1, |c, i| c * (n - i) / (i + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_are_the_scripts_with_other_constants() {
        let cases = CspCase::all();
        let case = |name: &str| cases.iter().find(|case| case.name == name).expect("a case");
        assert!(case("hanoi 7-6").text.contains("\npoles = 7\ndiscs = 6\n"));
        assert!(case("dijkstra 4").text.contains("\nn = 4\n"));
        assert_eq!(case("dijkstra 4").number, "2");
        assert!(case("dijkstra 6").is("long") && !case("dijkstra 4").is("long"));
        // Every printed line belongs to a case.
        let n_printed: usize = cases.iter().map(|case| case.printed().len()).sum();
        assert_eq!(n_printed, PRINTED.lines().filter(|l| !l.is_empty()).count());
    }

    #[test]
    fn the_formula_has_the_printed_numbers() {
        for case in CspCase::all() {
            let Some((full, orbits)) = case.known() else {
                continue;
            };
            for printed in case.printed() {
                let expected = match printed.algorithm {
                    "none" => full,
                    _ => orbits,
                };
                assert_eq!(u128::from(printed.n_states), expected, "{}", case.name);
            }
        }
        let known = |poles, discs| {
            let mut case = CspCase::all().remove(0);
            case.constants = vec![("poles", poles), ("discs", discs)];
            case.known()
        };
        // The two smallest, by hand: 2 discs are together or apart, with the first pole or not.
        assert_eq!(known(3, 2), Some((9, 5)));
        assert_eq!(known(2, 1), Some((2, 2)));
        assert_eq!(known(7, 6), Some((117_649, 877)));
    }
}
