//! What is shown only when a flag asks for it.

use super::basic::{cycles, set, short_number};
use crate::answer::Exit;
use crate::page::Page;
use crate::plan::{GroupPlan, RandomPlan};
use crate::points::Points;
use base::Diagnostic;
use group::{Chain, Group, Perm, Point};
use serde_json::json;

/// The most elements that are listed.
const ELEMENTS_MAX: usize = 100_000;

/// The most images (elements times points) that are listed; more would fill the memory.
const IMAGES_MAX: usize = 20_000_000;

/// Refuses `--elements` and `--random` where the list would be too long for anyone.
pub fn refuse_long_listings(plan: &GroupPlan, group: &Group) -> Result<(), Diagnostic> {
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
pub fn stabiliser(group: &Group, held: &[Point], points: &Points, page: &mut Page) {
    let chain = Chain::new(group.degree(), group.generators(), held);
    let generators = chain.stabiliser_generators(held.len()).to_vec();
    let stabiliser = Group::new(group.degree(), generators);
    let label = ("stabiliser", format!("of {}", points.list(held)));
    put_subgroup(label, held, &stabiliser, points, page);
}

/// The elements that map the set `held` to itself.
pub fn set_stabiliser(group: &Group, held: &[Point], points: &Points, page: &mut Page) {
    let mut held: Vec<Point> = held.to_vec();
    held.sort_unstable();
    let stabiliser = by_enumeration(group, |p| {
        held.iter().all(|&x| held.binary_search(&p.at(x)).is_ok())
    });
    let label = ("set stabiliser", format!("of {}", set(&held, points)));
    put_subgroup(label, &held, &stabiliser, points, page);
}

fn by_enumeration(group: &Group, keeps: impl Fn(&Perm) -> bool) -> Group {
    let mut kept = Group::new(group.degree(), Vec::new());
    group.chain().enumerate(&mut |p| {
        if keeps(p) && !kept.contains(p) {
            let mut generators = kept.generators().to_vec();
            generators.push(p.clone());
            kept = Group::new(group.degree(), generators);
        }
        true
    });
    kept
}

fn put_subgroup(
    (label, of): (&str, String),
    held: &[Point],
    subgroup: &Group,
    points: &Points,
    page: &mut Page,
) {
    let order = subgroup.order().to_string();
    let generators = cycles(subgroup.generators(), points);
    page.row(label, &format!("{of}: order {}", short_number(&order)));
    page.column("", &generators);
    page.field(
        &label.replace(' ', "_"),
        json!({ "points": points.json(held), "order": order, "generators": generators }),
    );
}

/// The canonical and the least image of a tuple of values.
pub fn image(group: &Group, values: &[i64], points: &Points, page: &mut Page) {
    let mut least: Option<(Vec<i64>, Perm)> = None;
    group.chain().enumerate(&mut |p| {
        let moved = p.move_values(values);
        if least.as_ref().is_none_or(|(best, _)| moved < *best) {
            least = Some((moved, p.clone()));
        }
        true
    });
    let (least, by) = least.expect("a group has an element");
    let stabiliser = by_enumeration(group, |p| p.move_values(values) == values);
    let words: Vec<String> = least.iter().map(i64::to_string).collect();
    page.row(
        "least image",
        &format!("{}  by {}", words.join(","), points.cycles(&by)),
    );
    let order = stabiliser.order().to_string();
    page.field(
        "image",
        json!({ "least": least, "by": points.cycles(&by), "stabiliser": order }),
    );
}

/// Random elements.
pub fn random(group: &Group, random: &RandomPlan, points: &Points, page: &mut Page) {
    let mut rng = fastrand::Rng::with_seed(random.seed);
    let elements: Vec<Perm> = (0..random.n_elements)
        .map(|_| group.chain().random(&mut rng))
        .collect();
    let texts = cycles(&elements, points);
    page.listing("random", &texts);
    page.field("random", json!({ "seed": random.seed, "elements": texts }));
}

/// All elements.
pub fn elements(group: &Group, points: &Points, page: &mut Page) {
    let mut texts = Vec::new();
    group.chain().enumerate(&mut |p| {
        texts.push(points.cycles(p));
        true
    });
    page.listing("elements", &texts);
    page.field("elements", texts);
}

/// Whether `perm` is an element, as text and as the exit code.
pub fn contains(group: &Group, perm: &Perm, points: &Points, page: &mut Page) -> Exit {
    let yes = group.contains(perm);
    let text = points.cycles(perm);
    page.row(
        "contains",
        &format!("{}: {text}", if yes { "yes" } else { "no" }),
    );
    page.field("contains", json!({ "perm": text, "answer": yes }));
    Exit::of_answer(yes)
}
