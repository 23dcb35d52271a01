//! What a formula is the conjunction of: a run violates it if and only if it violates a part.

use check::temporal::Asked;
use model::processes::property::Body;
use system::formula::Formula;

const N_ATOMS: u32 = 3;

fn random(rng: &mut fastrand::Rng, depth: u32) -> Formula {
    let part = |rng: &mut fastrand::Rng| Box::new(random(rng, depth.saturating_sub(1)));
    match rng.u8(0..if depth == 0 { 1 } else { 10 }) {
        0 => Formula::Atom(rng.u32(0..N_ATOMS)),
        1 => Formula::Not(part(rng)),
        2 => Formula::And(vec![*part(rng), *part(rng)]),
        3 => Formula::Or(vec![*part(rng), *part(rng)]),
        4 => Formula::Next(part(rng)),
        5 => Formula::Always(part(rng)),
        6 => Formula::Eventually(part(rng)),
        7 => Formula::Until(part(rng), part(rng)),
        8 => Formula::WeakUntil(part(rng), part(rng)),
        _ => Formula::Release(part(rng), part(rng)),
    }
}

#[test]
fn a_run_violates_a_formula_if_it_violates_a_part() {
    let (mut n_parts, mut n_wrong) = (0, 0);
    for seed in 0..600 {
        let rng = &mut fastrand::Rng::with_seed(seed);
        let whole = random(rng, 4);
        let parts = whole.conjuncts(50);
        if parts.len() == 1 {
            continue;
        }
        n_parts += parts.len();
        let asked = |formula: Formula, n: usize| Asked::of(&Body::Formula(formula), n).ok();
        let n_atoms = N_ATOMS as usize;
        let Some(whole_asked) = asked(whole.clone(), n_atoms) else {
            continue;
        };
        let renumbered = parts.iter().map(Formula::renumbered);
        let parts = renumbered.map(|(atoms, part)| (asked(part, atoms.len()), atoms));
        let parts: Vec<(Option<Asked>, Vec<u32>)> = parts.collect();
        for _ in 0..20 {
            let n = rng.usize(1..7);
            let letters: Vec<Vec<bool>> = (0..n)
                .map(|_| (0..n_atoms).map(|_| rng.bool()).collect())
                .collect();
            let loop_from = rng.usize(0..n);
            let wrong = whole_asked.is_wrong(&letters, loop_from);
            n_wrong += usize::from(wrong);
            let some_part = parts.iter().any(|(part, atoms)| {
                let own = |letter: &Vec<bool>| atoms.iter().map(|a| letter[*a as usize]).collect();
                let own: Vec<Vec<bool>> = letters.iter().map(own).collect();
                let part = part.as_ref().expect("a part is no larger than the whole");
                part.is_wrong(&own, loop_from)
            });
            assert_eq!(
                some_part, wrong,
                "seed {seed}: {whole:?} {letters:?} {loop_from}"
            );
        }
    }
    assert!(n_parts > 300 && n_wrong > 500, "{n_parts} {n_wrong}");
}
