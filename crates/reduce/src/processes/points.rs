//! The points that a group of symmetries moves, and where their numbers are in a state.
//!
//! A point is a bearer that some symmetry moves. The rest of the model is left alone, so states are
//! looked at through points only: a value of a sort is either the number of a point or stays.

use crate::processes::sort::{ClassId, Sorts};
use crate::processes::structure::Bearer;
use group::{Group, Perm, Point};
use model::processes::layout::{FieldId, KindId};
use model::processes::program::{LocationId, ProctypeId};
use std::collections::HashMap;

/// No point.
pub const NONE: Point = Point::MAX;

/// The members of a class that are points.
#[derive(Clone, Debug, Default)]
pub struct Members {
    /// The point of value `first + i`.
    points: Vec<Point>,
    first: i32,
}

impl Members {
    /// The point of a value, or [`NONE`].
    #[inline]
    pub fn point(&self, value: i32) -> Point {
        let index = value.wrapping_sub(self.first) as u32 as usize;
        self.points.get(index).copied().unwrap_or(NONE)
    }

    /// The members whose values count from 0, each with its point or [`NONE`].
    pub fn from_zero(points: Vec<Point>) -> Members {
        Members { points, first: 0 }
    }

    /// The values that are points.
    pub fn values(&self) -> impl Iterator<Item = i32> {
        let values = self.first..;
        let points = self.points.iter().zip(values);
        points.filter(|(p, _)| **p != NONE).map(|(_, value)| value)
    }

    /// Whether no member is a point.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    fn add(&mut self, value: i32, point: Point) {
        if self.points.is_empty() {
            self.first = value;
        }
        // Members come in ascending order.
        let index = (value - self.first) as usize;
        self.points.resize(index + 1, NONE);
        self.points[index] = point;
    }
}

/// What moves.
#[derive(Clone, Debug)]
pub struct Points {
    /// The bearers, by point.
    pub bearers: Vec<Bearer>,
    /// By point: the number, value or index that it is known by.
    pub values: Vec<i32>,
    /// By class.
    pub classes: Vec<Members>,
    at: HashMap<Bearer, Point>,
}

impl Points {
    /// The points moved by `generators` of all `bearers`, and the group on these.
    pub fn new(sorts: &Sorts, bearers: &[Bearer], generators: &[Perm]) -> (Points, Group) {
        let moved = group::shape::moved_points(bearers.len(), generators);
        let mut points = Points::none(sorts.classes.len());
        let mut new = vec![NONE; bearers.len()];
        for x in moved {
            let (bearer, point) = (bearers[x as usize], points.bearers.len() as Point);
            new[x as usize] = point;
            points.add(bearer, point);
        }
        let degree = points.bearers.len();
        let generators = generators.iter().map(|generator| {
            let moves = generator.moves();
            let moves = moves.map(|(x, y)| (new[x as usize], new[y as usize]));
            Perm::from_moves(degree, moves.collect())
        });
        let group = Group::new(degree, generators.collect());
        (points, group)
    }

    /// No points, of so many classes.
    fn none(n_classes: usize) -> Points {
        Points {
            bearers: Vec::new(),
            values: Vec::new(),
            classes: vec![Members::default(); n_classes],
            at: HashMap::new(),
        }
    }

    /// The points that bearers are, in their order.
    #[cfg(test)]
    pub fn of_bearers(bearers: &[Bearer], n_classes: usize) -> Points {
        let mut points = Points::none(n_classes);
        for (bearer, point) in bearers.iter().zip(0..) {
            points.add(*bearer, point);
        }
        points
    }

    fn add(&mut self, bearer: Bearer, point: Point) {
        self.bearers.push(bearer);
        self.at.insert(bearer, point);
        self.values.push(match bearer {
            Bearer::Process(n) | Bearer::Channel(n) => n,
            Bearer::Member(class, value) => {
                self.classes[class.index()].add(value, point);
                value
            }
            Bearer::Field(_, field) => field.index() as i32,
            Bearer::Location(_, at) => at.index() as i32,
        });
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.bearers.len()
    }

    /// Whether nothing moves.
    pub fn is_empty(&self) -> bool {
        self.bearers.is_empty()
    }

    /// The point of a bearer, or [`NONE`].
    pub fn of(&self, bearer: Bearer) -> Point {
        self.at.get(&bearer).copied().unwrap_or(NONE)
    }

    /// The point of a process.
    pub fn process(&self, number: i32) -> Point {
        self.of(Bearer::Process(number))
    }

    /// The point of a channel.
    pub fn channel(&self, number: i32) -> Point {
        self.of(Bearer::Channel(number))
    }

    /// The point of a variable.
    pub fn field(&self, kind: KindId, field: FieldId) -> Point {
        self.of(Bearer::Field(kind, field))
    }

    /// The point of a location.
    pub fn location(&self, proctype: ProctypeId, at: LocationId) -> Point {
        self.of(Bearer::Location(proctype, at))
    }

    /// The members of a class that are points.
    pub fn members(&self, class: ClassId) -> &Members {
        &self.classes[class.index()]
    }
}
