//! The suite `images`: canonical images of random structures, beside enumeration and nauty.

use super::Bench;
use super::clock::pace;
use super::drawing::draw;
use super::enumerate::{Enumeration, PartialImages, flat};
use super::nauty::Nauty;
use super::record::RunOutcome;
use super::structure::{DrawableGroup, LabelledStructure, StructureKind};
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
        let structures: Vec<LabelledStructure> = (0..N_STRUCTURES).map(random).collect();
        let seconds = bench.seconds;
        bench.add(SUITE, &case, "orbit", ours(&group, &structures, seconds));
        if group.order() <= ENUMERATED_MAX.into() {
            let outcome = enumeration(&group, &structures, seconds);
            bench.add(SUITE, &case, "enumeration", outcome);
        }
        let nauty = nauty.get_or_insert_with(|| Nauty::compile(&bench.folder));
        let outcome = match nauty {
            None => RunOutcome::NotInstalled,
            Some(nauty) => {
                let drawings: Vec<_> = structures.iter().map(|s| draw(shape, s)).collect();
                nauty.time(&drawings, seconds, bench.limit)
            }
        };
        bench.add(SUITE, &case, "nauty", outcome);
    }
}

fn cases() -> Vec<(DrawableGroup, StructureKind)> {
    let mut cases = Vec::new();
    for n in [8, 16, 32, 64] {
        cases.extend(StructureKind::ALL.map(|kind| (DrawableGroup::Symmetric(n), kind)));
    }
    let some: [(DrawableGroup, &[StructureKind]); 7] = [
        (
            DrawableGroup::Square(8),
            &[StructureKind::References, StructureKind::Idle],
        ),
        (
            DrawableGroup::Square(32),
            &[StructureKind::References, StructureKind::Idle],
        ),
        (
            DrawableGroup::Wreath(3, 4),
            &[
                StructureKind::References,
                StructureKind::Plain,
                StructureKind::Idle,
            ],
        ),
        (
            DrawableGroup::Hypercube(4),
            &[
                StructureKind::References,
                StructureKind::Plain,
                StructureKind::Idle,
            ],
        ),
        (
            DrawableGroup::Hypercube(5),
            &[
                StructureKind::References,
                StructureKind::Plain,
                StructureKind::Idle,
            ],
        ),
        (
            DrawableGroup::Cyclic(16),
            &[StructureKind::References, StructureKind::Idle],
        ),
        (
            DrawableGroup::Cyclic(64),
            &[StructureKind::References, StructureKind::Idle],
        ),
    ];
    for (shape, kinds) in some {
        cases.extend(kinds.iter().map(|&kind| (shape, kind)));
    }
    cases
}

fn ours(group: &Group, structures: &[LabelledStructure], seconds: f64) -> RunOutcome {
    let objects: Vec<Object> = structures.iter().map(LabelledStructure::object).collect();
    let canoniser = Canoniser::new(group);
    let mut scratch = Scratch::new();
    let image = |i: u64| {
        let object = &objects[i as usize % objects.len()];
        black_box(canoniser.canonical(object, &mut scratch).points());
    };
    RunOutcome::of(pace(seconds, image))
}

fn enumeration(group: &Group, structures: &[LabelledStructure], seconds: f64) -> RunOutcome {
    let flats: Vec<Vec<u32>> = structures.iter().map(flat).collect();
    let enumeration = Enumeration::new(group);
    let mut images = PartialImages::default();
    let image = |i: u64| {
        black_box(enumeration.least(&flats[i as usize % flats.len()], &mut images));
    };
    RunOutcome::of(pace(seconds, image))
}
