//! The transitive groups of degrees 2 to 12 and the primitive groups of degrees up to 40 in GAP's
//! libraries: generators from there, answers from here, compared there.

use fastrand::Rng;
use group::backtrack::{intersection, set_stabiliser};
use group::blocks::{all_block_systems, is_primitive};
use group::image::{Canoniser, Object, Scratch};
use group::{Group, Perm, Point};

use crate::gap::{Batch, list_text, values};
use crate::groups::random_set;
use crate::program::{GAP, say};
use crate::sample_groups::random_perm;

/// The groups `i` of degree `n` for all `n` of a range, of each `n` at most 150, evenly spread.
const ALL: &str = "Concatenation(List([2..MAX], n -> \
    List(Filtered([1..COUNT(n)], i -> i mod (1 + QuoInt(COUNT(n), 150)) = 0 or i < 3), \
    i -> [n, List(GeneratorsOfGroup(GROUP(n, i)), p -> ListPerm(p, n))])))";

/// GAP takes minutes for two conjugates of `M24`.
const INTERSECTION_DEGREE_MAX: usize = 16;

#[test]
fn transitive_groups() {
    let text = ALL.replace("MAX", "12");
    let text = text.replace("COUNT", "NrTransitiveGroups");
    check(
        "transitive_groups",
        "NrTransitiveGroups",
        &text.replace("GROUP", "TransitiveGroup"),
    );
}

#[test]
fn primitive_groups() {
    let text = ALL.replace("MAX", "40");
    let text = text.replace("COUNT", "NrPrimitiveGroups");
    check(
        "primitive_groups",
        "NrPrimitiveGroups",
        &text.replace("GROUP", "PrimitiveGroup"),
    );
}

fn check(test: &str, needs: &str, expression: &str) {
    let Some(start) = GAP.seed_of(test) else {
        return;
    };
    let is_bound = format!("IsBoundGlobal(\"{needs}\")");
    if values(&[is_bound])[0] != "true" {
        say(&format!(
            "{test}: skipped: this GAP has no {needs}; packages gap-transgrp, gap-primgrp"
        ));
        return;
    }
    let groups = parse_groups(&values(&[expression.to_owned()])[0]);
    assert!(groups.len() > 100, "only {} groups", groups.len());
    let mut batch = Batch::new();
    let mut scratch = Scratch::new();
    for (i, group) in groups.iter().enumerate() {
        let n = group.degree();
        let rng = &mut Rng::with_seed(start + i as u64);
        let case = format!("seed {start}, group {i} of the list, degree {n}");
        batch.set_group("g", group);
        batch.ask(&case, "Size(g)", group.order());
        batch.ask(
            &case,
            &format!("IsPrimitive(g, [1..{n}])"),
            is_primitive(group),
        );
        let systems = all_block_systems(group, 0, 1000).expect("few systems");
        batch.ask(&case, "Length(AllBlocks(g))", systems.len());
        batch.ask(
            &case,
            &format!("RankAction(g, [1..{n}])"),
            group.orbitals().len(),
        );
        let set = random_set(rng, n);
        let of_set = format!("Stabilizer(g, {}, OnSets)", list_text(&set));
        batch.ask_subgroup(&case, &of_set, &set_stabiliser(group, &set));
        let image = Canoniser::new(group)
            .canonical(&Object::set(n, &set), &mut scratch)
            .stabiliser_order();
        batch.ask(&case, &format!("Size({of_set})"), image);
        if n <= INTERSECTION_DEGREE_MAX {
            let by = random_perm(rng, n, n);
            let conjugates = group.generators().iter().map(|g| g.conjugate(&by));
            let other = Group::new(n, conjugates.collect());
            batch.set_group("h", &other);
            batch.ask_subgroup(&case, "Intersection(g, h)", &intersection(group, &other));
        }
    }
    batch.check(test);
}

/// Reads `[[n, [[images], …]], …]`.
fn parse_groups(text: &str) -> Vec<Group> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let mut groups = Vec::new();
    for part in text
        .trim_start_matches('[')
        .split("]],[")
        .filter(|p| !p.is_empty())
    {
        let (degree, images) = part.split_once(",[").expect("a degree and generators");
        let degree: usize = degree.trim_matches(['[', ']']).parse().expect("a degree");
        let images = images.split("],[").map(|i| i.trim_matches(['[', ']']));
        let perm = |i: &str| {
            let image = i
                .split(',')
                .map(|x| x.parse::<Point>().expect("a point") - 1);
            Perm::from_image(image.collect()).expect("a bijection")
        };
        let generators = images.filter(|i| !i.is_empty()).map(perm).collect();
        groups.push(Group::new(degree, generators));
    }
    groups
}

#[test]
fn lists_of_groups_are_read() {
    let groups = parse_groups("[ [ 2, [ [ 2, 1 ] ] ], [ 3, [ [ 2, 3, 1 ], [ 2, 1, 3 ] ] ] ]");
    let orders: Vec<String> = groups.iter().map(|g| g.order().to_string()).collect();
    assert_eq!(orders, ["2", "6"]);
    assert_eq!(groups[1].degree(), 3);
}
