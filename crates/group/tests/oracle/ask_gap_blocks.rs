//! Block systems and the action on them, against GAP.

use fastrand::Rng;
use group::blocks::{
    all_block_systems, block_action, block_kernel, is_primitive, minimal_block,
    minimal_block_systems,
};
use group::{Group, Point};

use crate::gap::{Batch, list_text, lists_text, sets_text, sorted};
use crate::groups::random_group;
use crate::program::GAP;

const N_CASES: u64 = 1000;
const N_SYSTEMS_MAX: usize = 1000;

#[test]
fn block_systems() {
    let Some(start) = GAP.seed_of("block_systems") else {
        return;
    };
    let mut batch = Batch::new();
    // All systems of the orbit `o` of `g`, from one block of each.
    batch.run(
        "Systems := function(g, o) local h; h := Action(g, o); \
         return Set(List(AllBlocks(h), b -> \
         Set(List(Orbit(h, Set(b), OnSets), c -> Set(o{c}))))); end;;",
    );
    batch.run(
        "Least := systems -> Filtered(systems, s -> ForAll(systems, t -> s = t or \
         not ForAll(t, b -> ForAny(s, c -> IsSubset(c, b)))));;",
    );
    for seed in start..start + N_CASES {
        let rng = &mut Rng::with_seed(seed);
        let group = random_group(rng, 16);
        let n = group.degree();
        let case = format!("seed {seed}, degree {n}");
        batch.set_group("g", &group);
        let x = rng.u32(0..n as Point);
        let orbit = sorted(&group.orbit_of(x));
        if orbit.len() > 1 {
            ask_systems(&mut batch, &case, &group, &orbit);
            let seed_block = [x, orbit[rng.usize(0..orbit.len())]];
            ask_minimal_block(&mut batch, &case, &group, &orbit, &sorted(&seed_block));
        }
        if n > 1 {
            let primitive = format!("IsPrimitive(g, [1..{n}])");
            batch.ask(&case, &primitive, is_primitive(&group));
        }
    }
    batch.check("block_systems");
}

fn ask_systems(batch: &mut Batch, case: &str, group: &Group, orbit: &[Point]) {
    let all = all_block_systems(group, orbit[0], N_SYSTEMS_MAX).expect("few systems");
    let text = |systems: &[group::blocks::BlockSystem]| {
        let mut systems: Vec<&[Vec<Point>]> = systems.iter().map(|s| s.blocks()).collect();
        systems.sort();
        let texts: Vec<String> = systems.iter().map(|s| sets_text(s)).collect();
        format!("[{}]", texts.join(","))
    };
    let systems = format!("Systems(g, {})", list_text(orbit));
    batch.ask(case, &systems, text(&all));
    let minimal = minimal_block_systems(group, orbit[0]);
    batch.ask(case, &format!("Least({systems})"), text(&minimal));
    for system in all.iter().take(3) {
        let blocks = lists_text(system.blocks());
        let action = format!("Action(g, {blocks}, OnSets)");
        batch.ask_subgroup(
            case,
            &action,
            &block_action(group, system).expect("blocks of the group"),
        );
        let kernel = format!("Stabilizer(g, {blocks}, OnTuplesSets)");
        batch.ask_subgroup(case, &kernel, &block_kernel(group, system));
    }
}

fn ask_minimal_block(
    batch: &mut Batch,
    case: &str,
    group: &Group,
    orbit: &[Point],
    seed: &[Point],
) {
    let system = minimal_block(group, seed);
    let inside = |b: &&Vec<Point>| orbit.contains(&b[0]);
    let blocks: Vec<Vec<Point>> = system.blocks().iter().filter(inside).cloned().collect();
    if seed.len() < 2 {
        assert!(blocks.iter().all(|b| b.len() == 1), "{case}");
        return;
    }
    let (orbit, seed) = (list_text(orbit), list_text(seed));
    let expression = format!("AsSets(Blocks(g, {orbit}, {seed}))");
    batch.ask(case, &expression, sets_text(&blocks));
}
