//! What is shown only when a flag asks for it.

use super::basic::{cycles, set};
use super::{GroupPlan, RandomPlan};
use crate::points::PointNotation;
use ::group::{Budget, Group, Perm, Point};
use base::Diagnostic;
use group::backtrack::set_stabiliser_within;
use group::image::{Canoniser, LeastImages, Object, Scratch};
use group::shape::classify;
use report::answer::Exit;
use report::page::Page;
use report::words::short_number;
use serde_json::{Value, json};

/// The most elements that are listed.
const ELEMENTS_MAX: usize = 100_000;

/// The most images (elements times points) that are listed; more would fill the memory.
const IMAGES_MAX: usize = 20_000_000;

/// The largest factor of a group whose elements are tried one by one for a least image.
const ENUMERATE_MAX: u64 = 10_000;

/// Refuses `--elements` and `--random` where the list would be too long for anyone.
pub(crate) fn refuse_long_listings(plan: &GroupPlan, group: &Group) -> Result<(), Diagnostic> {
    let n_max = ELEMENTS_MAX.min(IMAGES_MAX / plan.degree.max(1));
    let too_many = |n: &str, flag: &str| {
        let message = format!("{flag} would list {n} elements on {} points", plan.degree);
        Err(Diagnostic::unlocated(message)
            .note(format!("at most {n_max} are listed for that many points")))
    };
    let order = group.order();
    if plan.elements && usize::try_from(&order).map_or(true, |order| order > n_max) {
        return too_many(&short_number(&order.to_string()), "--elements");
    }
    match &plan.random {
        Some(random) if random.n_elements > n_max => {
            too_many(&random.n_elements.to_string(), "--random")
        }
        _ => Ok(()),
    }
}

/// The elements that fix each of the points `held`.
pub fn stabiliser(group: &Group, held: &[Point], points: &PointNotation, page: &mut Page) {
    let stabiliser = group.stabiliser_of_points(held);
    let found = Stabiliser {
        label: "stabiliser",
        of: format!("of {}", points.list(held)),
        held,
        group: &stabiliser,
    };
    put_stabiliser(found, points, page);
}

/// The elements that map the set `held` to itself; says whether they were found in time.
pub fn set_stabiliser(
    group: &Group,
    held: &[Point],
    budget: &Budget,
    points: &PointNotation,
    page: &mut Page,
) -> bool {
    let (label, of) = ("set stabiliser", format!("of {}", set(held, points)));
    match set_stabiliser_within(group, held, budget) {
        Ok(stabiliser) => {
            let found = Stabiliser {
                label,
                of,
                held,
                group: &stabiliser,
            };
            put_stabiliser(found, points, page);
            true
        }
        Err(reason) => {
            page.row(label, &format!("{of}: unknown, {reason}"));
            page.field("set_stabiliser", Value::Null);
            false
        }
    }
}

/// The elements that keep the points `held` in some way.
struct Stabiliser<'a> {
    label: &'a str,
    of: String,
    held: &'a [Point],
    group: &'a Group,
}

fn put_stabiliser(found: Stabiliser<'_>, points: &PointNotation, page: &mut Page) {
    let Stabiliser {
        label,
        of,
        held,
        group,
    } = found;
    let order = group.order().to_string();
    let generators = cycles(group.generators(), points);
    page.row(label, &format!("{of}: order {}", short_number(&order)));
    page.column("", &generators);
    page.field(
        &label.replace(' ', "_"),
        json!({ "points": points.json(held), "order": order, "generators": generators }),
    );
}

/// The canonical and the least image of a tuple of values, and how large its orbit is.
pub fn image(group: &Group, values: &[i64], points: &PointNotation, page: &mut Page) {
    let object = Object::tuple(&ranks(values));
    let mut scratch = Scratch::default();
    let found = Canoniser::new(group).canonical(&object, &mut scratch);
    let orbit_length = (group.order() / found.stabiliser_order()).to_string();
    let stabiliser_order = found.stabiliser_order().to_string();
    let moved = |perm: Perm| (perm.move_values(values), perm);
    let canonical = moved(found.perm());
    // Sorting is instant where it gives the least image; the search is not.
    let strategy = classify(group, ENUMERATE_MAX);
    let least = if strategy.is_lexicographic() {
        strategy.representative(values)
    } else {
        moved(LeastImages::new(group).least(&object))
    };

    page.row("canonical", &image_text(&canonical, points));
    page.row("least", &image_text(&least, points));
    page.row(
        "its orbit",
        &format!("length {}", short_number(&orbit_length)),
    );
    page.row(
        "its stabiliser",
        &format!("order {}", short_number(&stabiliser_order)),
    );
    let json_of =
        |(values, by): &(Vec<i64>, Perm)| json!({ "values": values, "by": points.cycles(by) });
    page.field(
        "image",
        json!({
            "values": values,
            "canonical": json_of(&canonical),
            "least": json_of(&least),
            "stabiliser_order": stabiliser_order,
            "orbit_length": orbit_length,
        }),
    );
}

fn image_text((values, by): &(Vec<i64>, Perm), points: &PointNotation) -> String {
    let words: Vec<String> = values.iter().map(i64::to_string).collect();
    format!("{} by {}", words.join(","), points.cycles(by))
}

/// The place of each value among the different values: what the search compares.
fn ranks(values: &[i64]) -> Vec<u64> {
    let mut different = values.to_vec();
    different.sort_unstable();
    different.dedup();
    values
        .iter()
        .map(|v| different.partition_point(|d| d < v) as u64)
        .collect()
}

/// Random elements.
pub fn random(group: &Group, random: &RandomPlan, points: &PointNotation, page: &mut Page) {
    let mut rng = fastrand::Rng::with_seed(random.seed);
    let elements: Vec<Perm> = (0..random.n_elements)
        .map(|_| group.chain().random(&mut rng))
        .collect();
    let texts = cycles(&elements, points);
    page.listing("random", &texts);
    page.field("random", json!({ "seed": random.seed, "elements": texts }));
}

/// All elements.
pub fn elements(group: &Group, points: &PointNotation, page: &mut Page) {
    let mut texts = Vec::new();
    group.chain().enumerate(&mut |p| {
        texts.push(points.cycles(p));
        true
    });
    page.listing("elements", &texts);
    page.field("elements", texts);
}

/// Whether `perm` is an element, as text and as the exit code.
pub fn contains(group: &Group, perm: &Perm, points: &PointNotation, page: &mut Page) -> Exit {
    let yes = group.contains(perm);
    let text = points.cycles(perm);
    page.row(
        "contains",
        &format!("{}: {text}", if yes { "yes" } else { "no" }),
    );
    page.field("contains", json!({ "perm": text, "answer": yes }));
    Exit::of_answer(yes)
}
