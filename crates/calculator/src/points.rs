//! How the user calls points: by numbers from 1, or by names given with `--names`.

use ::group::cycles::PointNames;
use ::group::{Perm, Point};
use base::quote;
use serde_json::{Value, json};

/// The most points a permutation may have. The algorithms keep whole images of permutations, so
/// that a larger number would fill the memory before it said anything.
pub const DEGREE_MAX: usize = 1_000_000;

/// Why a word calls no point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoPoint {
    /// No point has this name.
    Unnamed,
    /// Points count from 1.
    Zero,
    /// The number is larger than any point's.
    Beyond,
    /// It is no number.
    NoNumber,
}

impl NoPoint {
    /// What is said of the word.
    pub fn words(self, word: &str) -> String {
        let word = quote(word);
        match self {
            NoPoint::Unnamed => format!("there is no point {word}"),
            NoPoint::Zero => "points count from 1".to_owned(),
            NoPoint::Beyond => format!("point {word} is beyond the limit of {DEGREE_MAX}"),
            NoPoint::NoNumber => format!("{word} is not a point"),
        }
    }
}

/// How points are written.
#[derive(Debug)]
pub enum PointNotation {
    /// By numbers, the first point being 1.
    Numbers,
    /// By names.
    Names(PointNames),
}

impl PointNotation {
    /// The point that `word` calls, or why there is none.
    pub fn resolve(&self, word: &str) -> Result<Point, NoPoint> {
        match self {
            PointNotation::Names(names) => names.point(word).ok_or(NoPoint::Unnamed),
            PointNotation::Numbers => match word.parse::<usize>() {
                Ok(0) => Err(NoPoint::Zero),
                Ok(n) if n <= DEGREE_MAX => Ok(n as Point - 1),
                _ if word.bytes().all(|b| b.is_ascii_digit()) => Err(NoPoint::Beyond),
                _ => Err(NoPoint::NoNumber),
            },
        }
    }

    /// What would have been right, for a note below the mistake.
    pub fn advice(&self) -> String {
        match self {
            PointNotation::Numbers => {
                "points are numbers from 1; --names gives them names".to_owned()
            }
            PointNotation::Names(names) => {
                let shown = (0..names.len().min(10)).map(|x| self.word(x as Point));
                let shown: Vec<String> = shown.collect();
                let more = if names.len() > 10 { ", …" } else { "" };
                format!("the points are {}{more}", shown.join(", "))
            }
        }
    }

    /// The user's word for a point.
    pub fn word(&self, point: Point) -> String {
        match self {
            PointNotation::Numbers => (point + 1).to_string(),
            PointNotation::Names(names) => {
                names.name(point).expect("a point has a name").to_owned()
            }
        }
    }

    /// A permutation in cycle notation.
    pub fn cycles(&self, perm: &Perm) -> String {
        self.text(&perm.cycles())
    }

    /// Cycles as text; none at all are the identity.
    pub fn text(&self, cycles: &[Vec<Point>]) -> String {
        if cycles.is_empty() {
            return "()".to_owned();
        }
        let texts = cycles.iter().map(|cycle| format!("({})", self.list(cycle)));
        texts.collect()
    }

    /// Points with a space between each two.
    pub fn list(&self, points: &[Point]) -> String {
        let words: Vec<String> = points.iter().map(|&x| self.word(x)).collect();
        words.join(" ")
    }

    /// Points for a program: numbers from 1, or strings if points have names.
    pub fn json(&self, points: &[Point]) -> Value {
        let one = |&x: &Point| match self {
            PointNotation::Numbers => json!(x + 1),
            PointNotation::Names(_) => json!(self.word(x)),
        };
        points.iter().map(one).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_count_from_one() {
        assert_eq!(PointNotation::Numbers.resolve("1"), Ok(0));
        assert_eq!(PointNotation::Numbers.resolve("1000000"), Ok(999_999));
        for bad in [
            "0",
            "1000001",
            "99999999999999999999999",
            "-1",
            "x",
            "",
            "1.5",
        ] {
            assert!(PointNotation::Numbers.resolve(bad).is_err(), "{bad:?}");
        }
        assert_eq!(PointNotation::Numbers.word(0), "1");
    }

    #[test]
    fn names_are_found_and_given_back() {
        let points = PointNotation::Names(PointNames::new(["a", "b", "c"]).expect("three names"));
        assert_eq!(points.resolve("b"), Ok(1));
        assert_eq!(points.resolve("d"), Err(NoPoint::Unnamed));
        let p = Perm::from_cycles(3, &[&[0, 2]]).expect("a permutation");
        assert_eq!(points.cycles(&p), "(a c)");
        assert_eq!(points.json(&[2, 0]), json!(["c", "a"]));
    }
}
