use group::image::*;
use group::*;
use std::time::Instant;
fn cyc(n: usize, c: &[&[u32]]) -> Perm {
    Perm::from_cycles(n, c).unwrap()
}
fn sym(n: usize) -> Group {
    let all: Vec<u32> = (0..n as u32).collect();
    Group::new(n, vec![cyc(n, &[&[0, 1]]), cyc(n, &[&all])])
}
fn cyclic(n: usize) -> Group {
    let all: Vec<u32> = (0..n as u32).collect();
    Group::new(n, vec![cyc(n, &[&all])])
}
fn cube(d: usize) -> Group {
    let n = 1usize << d;
    let mut g = vec![];
    g.push(Perm::from_bijection((0..n as u32).map(|x| x ^ 1).collect()));
    for i in 0..d - 1 {
        g.push(Perm::from_bijection(
            (0..n as u32)
                .map(|x| {
                    let a = (x >> i) & 1;
                    let b = (x >> (i + 1)) & 1;
                    (x & !(3 << i)) | (b << i) | (a << (i + 1))
                })
                .collect(),
        ));
    }
    Group::new(n, g)
}
fn wreath() -> Group {
    Group::new(
        12,
        vec![
            cyc(12, &[&[0, 1]]),
            cyc(12, &[&[0, 1, 2]]),
            cyc(12, &[&[0, 3], &[1, 4], &[2, 5]]),
            cyc(12, &[&[0, 3, 6, 9], &[1, 4, 7, 10], &[2, 5, 8, 11]]),
        ],
    )
}
fn object(n: usize, colours: u64, refs: usize, idle: bool, rng: &mut fastrand::Rng) -> Object {
    let mut o = Object::new(n);
    for x in 0..n as u32 {
        let i = idle && rng.u32(..8) != 0;
        o.set_colour(x, if i { 0 } else { rng.u64(..colours) });
        if !i {
            for l in 0..refs {
                if rng.u32(..4) != 0 {
                    o.add_arc(x, rng.u32(..n as u32), l as u32);
                }
            }
        }
    }
    o
}
fn ring(n: usize, rng: &mut fastrand::Rng) -> Object {
    let mut o = Object::new(n);
    for x in 0..n as u32 {
        o.set_colour(x, u64::from(rng.u32(..8) == 0));
        o.add_arc(x, (x + 1) % n as u32, 0);
    }
    o
}
fn run(name: &str, g: &Group, objs: &[Object]) {
    let c = Canoniser::new(g);
    let mut s = Scratch::new();
    let mut leaves = 0;
    let mut sum = 0u64;
    for o in objs {
        leaves += c.canonical(o, &mut s).n_leaves();
    }
    let reps = (40_000 / objs.len()).max(1);
    let t = Instant::now();
    for _ in 0..reps {
        for o in objs {
            sum += u64::from(c.canonical(o, &mut s).points()[0]);
        }
    }
    let e = t.elapsed().as_secs_f64() / (reps * objs.len()) as f64;
    println!(
        "{name:30} {:8.3} us  leaves {:.2} {}",
        e * 1e6,
        leaves as f64 / objs.len() as f64,
        sum % 2
    );
}
fn cycles(n: usize, c: usize, two: bool) -> Object {
    let mut o = Object::new(n);
    for x in 0..n {
        let b = x / c * c;
        o.add_arc(x as u32, (b + (x - b + 1) % c) as u32, 0);
        if two {
            o.add_arc((b + (x - b + 1) % c) as u32, x as u32, 0);
        }
    }
    o
}
fn torus(a: usize) -> Object {
    let n = a * a;
    let mut o = Object::new(n);
    for x in 0..n {
        let (i, j) = (x / a, x % a);
        for y in [((i + 1) % a) * a + j, i * a + (j + 1) % a] {
            o.add_arc(x as u32, y as u32, 0);
            o.add_arc(y as u32, x as u32, 0);
        }
    }
    o
}
fn rook(a: usize) -> Object {
    let n = a * a;
    let mut o = Object::new(n);
    for x in 0..n {
        for y in 0..n {
            if x != y && (x / a == y / a || x % a == y % a) {
                o.add_arc(x as u32, y as u32, 0);
            }
        }
    }
    o
}
fn shuffled(o: &Object, rng: &mut fastrand::Rng) -> Object {
    let mut v: Vec<u32> = (0..o.n_points() as u32).collect();
    rng.shuffle(&mut v);
    o.moved_by(&Perm::from_bijection(v))
}
fn hard(rng: &mut fastrand::Rng) {
    for n in [8, 16, 18, 20, 22, 24] {
        let g = sym(n);
        for (c, t) in [
            (2, false),
            (4, false),
            (4, true),
            (8, false),
            (8, true),
            (n, true),
        ] {
            if n % c != 0 {
                continue;
            }
            let base = cycles(n, c, t);
            let o: Vec<_> = (0..100).map(|_| shuffled(&base, rng)).collect();
            run(&format!("S{n} cycles of {c} {t}"), &g, &o);
        }
    }
    for a in [4, 6, 8] {
        let g = sym(a * a);
        for (nm, base) in [("torus", torus(a)), ("rook", rook(a))] {
            let o: Vec<_> = (0..100).map(|_| shuffled(&base, rng)).collect();
            run(&format!("S{} {nm}", a * a), &g, &o);
        }
    }
}
fn main() {
    if let Some(a) = std::env::args().nth(1) {
        let n = 16;
        let g = sym(n);
        let mut rng = fastrand::Rng::with_seed(1);
        let base = if a == "pairs" {
            cycles(n, 2, false)
        } else {
            cycles(n, 8, true)
        };
        let o: Vec<_> = (0..100).map(|_| shuffled(&base, &mut rng)).collect();
        for _ in 0..20 {
            run(&a, &g, &o);
        }
        return;
    }
    let mut rng = fastrand::Rng::with_seed(1);
    hard(&mut rng);
    for n in [8, 16, 32, 64] {
        let g = sym(n);
        let o: Vec<_> = (0..1000)
            .map(|_| object(n, 4, 2, false, &mut rng))
            .collect();
        run(&format!("S{n} random"), &g, &o);
        let o: Vec<_> = (0..1000).map(|_| object(n, 4, 2, true, &mut rng)).collect();
        run(&format!("S{n} idle"), &g, &o);
        let o: Vec<_> = (0..1000).map(|_| ring(n, &mut rng)).collect();
        run(&format!("S{n} ring"), &g, &o);
        let o: Vec<_> = (0..1000).map(|_| Object::new(n)).collect();
        run(&format!("S{n} blank"), &g, &o);
        let g = cyclic(n);
        let o: Vec<_> = (0..1000)
            .map(|_| object(n, 4, 2, false, &mut rng))
            .collect();
        run(&format!("C{n} random"), &g, &o);
        let o: Vec<_> = (0..1000).map(|_| object(n, 4, 2, true, &mut rng)).collect();
        run(&format!("C{n} idle"), &g, &o);
    }
    for (nm, g) in [
        ("S3wrS4", wreath()),
        ("cube4", cube(4)),
        ("cube5", cube(5)),
        ("cube6", cube(6)),
    ] {
        let n = g.degree();
        let o: Vec<_> = (0..1000)
            .map(|_| object(n, 4, 2, false, &mut rng))
            .collect();
        run(&format!("{nm} random"), &g, &o);
        let o: Vec<_> = (0..1000)
            .map(|_| object(n, 4, 0, false, &mut rng))
            .collect();
        run(&format!("{nm} tuples"), &g, &o);
        let o: Vec<_> = (0..1000).map(|_| object(n, 4, 2, true, &mut rng)).collect();
        run(&format!("{nm} idle"), &g, &o);
        let o: Vec<_> = (0..1000).map(|_| Object::new(n)).collect();
        run(&format!("{nm} blank"), &g, &o);
    }
}
