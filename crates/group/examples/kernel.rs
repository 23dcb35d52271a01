use group::image::*;
use group::*;
use std::time::Instant;
fn main() {
    let gs = vec![
        ("S3wrS20", Group::symmetric(3).wreath(&Group::symmetric(20))),
        ("S5wrS40", Group::symmetric(5).wreath(&Group::symmetric(40))),
        (
            "S2wrS500",
            Group::symmetric(2).wreath(&Group::symmetric(500)),
        ),
    ];
    for (nm, g) in &gs {
        let n = g.degree();
        let t = Instant::now();
        let c = Canoniser::new(g);
        let a = t.elapsed();
        let mut s = Scratch::new();
        let mut rng = fastrand::Rng::with_seed(1);
        for kind in 0..3 {
            let mut o = Object::new(n);
            for x in 0..n as u32 {
                if kind > 0 {
                    o.set_colour(x, rng.u64(..3));
                }
                if kind == 1 {
                    o.add_arc(x, rng.u32(..n as u32), 0);
                }
            }
            let t = Instant::now();
            let l = c.canonical(&o, &mut s).n_leaves();
            println!(
                "{nm} setup {a:?} kind {kind} image {:?} leaves {l} segs {:?} rest {}",
                t.elapsed(),
                c.segment_sizes(),
                c.n_chain_columns()
            );
        }
    }
}
