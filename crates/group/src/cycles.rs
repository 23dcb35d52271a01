//! Cycle notation, in and out.
//!
//! `(1 2)(3 4 5)` is the permutation that exchanges 1 and 2 and sends 3 to 4, 4 to 5 and 5 to 3;
//! commas may stand for spaces, `()` is the identity. Points are numbers from 1 on (in here they
//! count from 0) or names that the caller knows. A name is any run of characters but spaces, commas
//! and parentheses.
//!
//! Worked example: with the names `a b c` the text `(a c)` is the permutation `2 1 0`, and writing
//! that permutation with the same names gives `(a c)` back.
//!
//! Texts come from users and files: nothing here panics, every error has the place it is about, and
//! numbers have a limit because `(1 4000000000)` would otherwise ask for gigabytes.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;

use crate::perm::{Perm, Point};

/// The greatest number that a text may use for a point.
pub(crate) const POINT_MAX: usize = 10_000_000;

/// Names of points: the list of names in order of their points, with a way back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PointNames {
    names: Vec<String>,
    point_of: HashMap<String, Point>,
}

impl PointNames {
    /// The names of the points `0, 1, …`; `None` if one occurs twice.
    pub fn new<S: Into<String>>(names: impl IntoIterator<Item = S>) -> Option<PointNames> {
        let mut table = PointNames::default();
        for name in names {
            let name = name.into();
            if table.point_of.contains_key(&name) {
                return None;
            }
            table.add(name);
        }
        Some(table)
    }

    /// The number of names.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is no name.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The point of a name.
    pub fn point(&self, name: &str) -> Option<Point> {
        self.point_of.get(name).copied()
    }

    /// The name of a point.
    pub fn name(&self, x: Point) -> Option<&str> {
        self.names.get(x as usize).map(String::as_str)
    }

    fn add(&mut self, name: String) -> Point {
        let point = self.names.len() as Point;
        self.point_of.insert(name.clone(), point);
        self.names.push(name);
        point
    }
}

/// What is wrong with a text, and where: bytes of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CycleError {
    /// There is nothing but spaces. The identity is written `()`.
    Empty { span: Range<usize> },
    /// A point occurs twice.
    Repeated {
        first: Range<usize>,
        second: Range<usize>,
    },
    /// A name is not in the table.
    UnknownName { name: String, span: Range<usize> },
    /// Points count from 1.
    Zero { span: Range<usize> },
    /// A number above [`POINT_MAX`].
    TooLarge { span: Range<usize> },
    /// A parenthesis that is never closed.
    NotClosed { span: Range<usize> },
    /// A closing parenthesis without an opening one.
    NotOpened { span: Range<usize> },
    /// An opening parenthesis within a cycle.
    Nested { span: Range<usize> },
    /// Text outside parentheses.
    Outside { span: Range<usize> },
}

impl CycleError {
    /// The place of the error; for a repeated point, the second occurrence.
    pub fn span(&self) -> Range<usize> {
        match self {
            CycleError::Repeated { second, .. } => second.clone(),
            CycleError::Empty { span }
            | CycleError::UnknownName { span, .. }
            | CycleError::Zero { span }
            | CycleError::TooLarge { span }
            | CycleError::NotClosed { span }
            | CycleError::NotOpened { span }
            | CycleError::Nested { span }
            | CycleError::Outside { span } => span.clone(),
        }
    }
}

impl fmt::Display for CycleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CycleError::Empty { .. } => write!(f, "no cycle; the identity is written ()"),
            CycleError::Repeated { .. } => write!(f, "a point occurs twice"),
            CycleError::UnknownName { name, .. } => write!(f, "unknown name {name:?}"),
            CycleError::Zero { .. } => write!(f, "points count from 1"),
            CycleError::TooLarge { .. } => write!(f, "points go up to {POINT_MAX}"),
            CycleError::NotClosed { .. } => write!(f, "this parenthesis is never closed"),
            CycleError::NotOpened { .. } => write!(f, "nothing to close here"),
            CycleError::Nested { .. } => write!(f, "a cycle within a cycle"),
            CycleError::Outside { .. } => write!(f, "text outside parentheses"),
        }
    }
}

impl std::error::Error for CycleError {}

/// Reads one permutation of `0..names.len()` whose points are given by name.
///
/// # Errors
/// The first error in the text.
pub fn parse_named(text: &str, names: &PointNames) -> Result<Perm, CycleError> {
    let moves = moves_of(&split(text)?, &mut |w| {
        names.point(w.text).ok_or_else(|| CycleError::UnknownName {
            name: w.text.to_string(),
            span: w.span(),
        })
    })?;
    Ok(Perm::from_moves(names.len(), moves))
}

/// Reads one permutation whose points are numbers from 1 on; its degree is the largest number, or
/// `degree_min` if that is more.
///
/// # Errors
/// The first error in the text; a word that is no number counts as an unknown name.
pub fn parse_numbered(text: &str, degree_min: usize) -> Result<Perm, CycleError> {
    let moves = moves_of(&split(text)?, &mut |w| w.number())?;
    let degree = moves.iter().map(|m| m.0 as usize + 1).max().unwrap_or(0);
    Ok(Perm::from_moves(degree.max(degree_min), moves))
}

/// Writes a permutation in cycle notation, points by `name`; the identity is `()`.
pub fn write_cycles(p: &Perm, name: &dyn Fn(Point) -> String) -> String {
    if p.is_identity() {
        return "()".to_string();
    }
    let mut text = String::new();
    for cycle in p.cycles() {
        let words: Vec<String> = cycle.into_iter().map(name).collect();
        text.push('(');
        text.push_str(&words.join(" "));
        text.push(')');
    }
    text
}

/// Writes a permutation in cycle notation, points counted from 1.
pub fn write_numbered(p: &Perm) -> String {
    write_cycles(p, &|x| (u64::from(x) + 1).to_string())
}

#[derive(Clone, Copy)]
struct CycleWord<'a> {
    text: &'a str,
    start: usize,
}

impl CycleWord<'_> {
    fn span(&self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }

    fn is_number(&self) -> bool {
        self.text.bytes().all(|b| b.is_ascii_digit())
    }

    fn number(&self) -> Result<Point, CycleError> {
        if !self.is_number() {
            return Err(CycleError::UnknownName {
                name: self.text.to_string(),
                span: self.span(),
            });
        }
        // Too many digits to parse is too large as well, leading zeros apart.
        match self.text.trim_start_matches('0').parse::<usize>() {
            Ok(n) if n <= POINT_MAX => Ok(n as Point - 1),
            Err(e) if *e.kind() == std::num::IntErrorKind::Empty => {
                Err(CycleError::Zero { span: self.span() })
            }
            _ => Err(CycleError::TooLarge { span: self.span() }),
        }
    }
}

type Cycles<'a> = Vec<Vec<CycleWord<'a>>>;
type PointMoves = Vec<(Point, Point)>;

/// The words of each cycle.
fn split(text: &str) -> Result<Cycles<'_>, CycleError> {
    let mut cycles: Cycles = Vec::new();
    let mut open: Option<usize> = None;
    let mut rest = text.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        let span = at..at + c.len_utf8();
        match c {
            '(' if open.is_some() => return Err(CycleError::Nested { span }),
            '(' => {
                open = Some(at);
                cycles.push(Vec::new());
            }
            ')' if open.is_none() => return Err(CycleError::NotOpened { span }),
            ')' => open = None,
            _ if is_gap(c) && (open.is_some() || c != ',') => {}
            _ => {
                let is_end = |c: char| is_gap(c) || c == '(' || c == ')';
                let mut end = span.end;
                while let Some((at, c)) = rest.next_if(|&(_, c)| !is_end(c)) {
                    end = at + c.len_utf8();
                }
                let word = CycleWord {
                    text: &text[at..end],
                    start: at,
                };
                match cycles.last_mut() {
                    Some(cycle) if open.is_some() => cycle.push(word),
                    _ => return Err(CycleError::Outside { span: at..end }),
                }
            }
        }
    }
    match open {
        Some(at) => Err(CycleError::NotClosed { span: at..at + 1 }),
        None if cycles.is_empty() => Err(CycleError::Empty {
            span: 0..text.len(),
        }),
        None => Ok(cycles),
    }
}

fn is_gap(c: char) -> bool {
    c.is_whitespace() || c == ','
}

fn moves_of(
    cycles: &Cycles,
    point: &mut dyn FnMut(&CycleWord) -> Result<Point, CycleError>,
) -> Result<PointMoves, CycleError> {
    let mut seen: HashMap<Point, Range<usize>> = HashMap::new();
    let mut moves = Vec::new();
    for cycle in cycles {
        let mut points = Vec::with_capacity(cycle.len());
        for word in cycle {
            let x = point(word)?;
            if let Some(first) = seen.insert(x, word.span()) {
                let second = word.span();
                return Err(CycleError::Repeated { first, second });
            }
            points.push(x);
        }
        for (i, &x) in points.iter().enumerate() {
            moves.push((x, points[(i + 1) % points.len()]));
        }
    }
    Ok(moves)
}
