//! The suite `images`: canonical images of random structures, beside enumeration and nauty.

use super::Bench;
use super::clock::pace;
use super::drawing::draw;
use super::enumerate::{Enumeration, Images, flat};
use super::nauty::Nauty;
use super::record::Outcome;
use super::structure::{Kind, Shape, Structure};
use group::Group;
use group::image::{Canoniser, Object, Scratch};
use std::hint::black_box;

/// The structures of one case; all are prepared before the clock starts.
const N_STRUCTURES: usize = 500;
/// The largest group that is enumerated.
const ENUMERATED_MAX: u32 = 50_000;

/// The name of the suite.
pub const SUITE: &str = "images";

/// Measures every case that was asked for.
pub fn run(bench: &mut Bench) {
    let mut nauty: Option<Option<Nauty>> = None;
    for (shape, kind) in cases() {
        let case = format!("{} {}", shape.name(), kind.name());
        if !bench.wants(SUITE, &case) {
            continue;
        }
        let group = shape.group();
        let mut rng = fastrand::Rng::with_seed(2024);
        let random = |_| kind.random(group.degree(), &mut rng);
        let structures: Vec<Structure> = (0..N_STRUCTURES).map(random).collect();
        let seconds = bench.seconds;
        bench.add(SUITE, &case, "orbit", ours(&group, &structures, seconds));
        if group.order() <= ENUMERATED_MAX.into() {
            let outcome = enumeration(&group, &structures, seconds);
            bench.add(SUITE, &case, "enumeration", outcome);
        }
        let nauty = nauty.get_or_insert_with(|| Nauty::compile(&bench.folder));
        let outcome = match nauty {
            None => Outcome::NotInstalled,
            Some(nauty) => {
                let drawings: Vec<_> = structures.iter().map(|s| draw(shape, s)).collect();
                nauty.time(&drawings, seconds, bench.limit)
            }
        };
        bench.add(SUITE, &case, "nauty", outcome);
    }
}

fn cases() -> Vec<(Shape, Kind)> {
    let mut cases = Vec::new();
    for n in [8, 16, 32, 64] {
        cases.extend(Kind::ALL.map(|kind| (Shape::Symmetric(n), kind)));
    }
    let some: [(Shape, &[Kind]); 7] = [
        (Shape::Square(8), &[Kind::References, Kind::Idle]),
        (Shape::Square(32), &[Kind::References, Kind::Idle]),
        (
            Shape::Wreath(3, 4),
            &[Kind::References, Kind::Plain, Kind::Idle],
        ),
        (
            Shape::Hypercube(4),
            &[Kind::References, Kind::Plain, Kind::Idle],
        ),
        (
            Shape::Hypercube(5),
            &[Kind::References, Kind::Plain, Kind::Idle],
        ),
        (Shape::Cyclic(16), &[Kind::References, Kind::Idle]),
        (Shape::Cyclic(64), &[Kind::References, Kind::Idle]),
    ];
    for (shape, kinds) in some {
        cases.extend(kinds.iter().map(|&kind| (shape, kind)));
    }
    cases
}

fn ours(group: &Group, structures: &[Structure], seconds: f64) -> Outcome {
    let objects: Vec<Object> = structures.iter().map(Structure::object).collect();
    let canoniser = Canoniser::new(group);
    let mut scratch = Scratch::new();
    let image = |i: u64| {
        let object = &objects[i as usize % objects.len()];
        black_box(canoniser.canonical(object, &mut scratch).points());
    };
    Outcome::of(pace(seconds, image))
}

fn enumeration(group: &Group, structures: &[Structure], seconds: f64) -> Outcome {
    let flats: Vec<Vec<u32>> = structures.iter().map(flat).collect();
    let enumeration = Enumeration::new(group);
    let mut images = Images::default();
    let image = |i: u64| {
        black_box(enumeration.least(&flats[i as usize % flats.len()], &mut images));
    };
    Outcome::of(pace(seconds, image))
}
