//! Measures how long chains take: `cargo run --release -p group --example chain_times [filter |
//! =name]`.
//!
//! Prints one line a group: degree, processor seconds to build (generators given), the same for one
//! base change to the last point, microseconds for one membership test, and the number of levels.

#![allow(clippy::print_stdout, reason = "an example reports to whoever runs it")]

use std::time::Instant;

use group::{Chain, Perm, Point};

type Case = (String, usize, Box<dyn Fn() -> Vec<Perm>>);

fn main() {
    let filter = std::env::args().nth(1).unwrap_or_default();
    println!(
        "{:<28} {:>6} {:>9} {:>9} {:>9} {:>7}",
        "group", "points", "build s", "rebase s", "test µs", "levels"
    );
    for (name, degree, generators) in cases() {
        let is_wanted = match filter.strip_prefix('=') {
            Some(exact) => name == exact,
            None => name.contains(&filter),
        };
        if !is_wanted {
            continue;
        }
        let generators = generators();
        let start = Clock::start();
        let chain = Chain::new(degree, &generators, &[]);
        let built = start.seconds();
        let start = Clock::start();
        let changed = chain.with_base(&[degree as Point - 1]);
        let rebased = start.seconds();
        assert_eq!(changed.order(), chain.order());
        let element = chain.random(&mut fastrand::Rng::with_seed(1));
        let start = Clock::start();
        let mut rounds = 0;
        while rounds < 5 || start.seconds() < 0.05 {
            // Reading the clock takes longer than a test on few points.
            let batch = if degree <= 200 { 500 } else { 5 };
            for _ in 0..batch {
                assert!(chain.contains(&element));
            }
            rounds += batch;
        }
        let test = start.seconds() / f64::from(rounds) * 1e6;
        let levels = chain.n_levels();
        println!("{name:<28} {degree:>6} {built:>9.3} {rebased:>9.3} {test:>9.1} {levels:>7}");
    }
}

/// Time spent by this process, where the system tells it; else time on the wall.
struct Clock {
    wall: Instant,
    cpu: Option<f64>,
}

impl Clock {
    fn start() -> Clock {
        Clock {
            wall: Instant::now(),
            cpu: cpu_seconds(),
        }
    }

    fn seconds(&self) -> f64 {
        match (self.cpu, cpu_seconds()) {
            (Some(start), Some(now)) => now - start,
            _ => self.wall.elapsed().as_secs_f64(),
        }
    }
}

fn cpu_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds / 1e9)
}

fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for n in [64, 200, 1000, 10_000] {
        cases.extend(families(n));
    }
    cases.push((
        "S10 wr S100".into(),
        1000,
        Box::new(|| wreath(10, &symmetric(100))),
    ));
    cases.push((
        "S100 wr S20".into(),
        2000,
        Box::new(|| wreath(100, &symmetric(20))),
    ));
    cases.push((
        "S10 wr S1000".into(),
        10_000,
        Box::new(|| wreath(10, &symmetric(1000))),
    ));
    for m in [7, 14, 31, 99] {
        let name = format!("S{m} with table of pairs");
        cases.push((name, m + m * m, Box::new(move || pairs(m))));
    }
    cases
}

/// The groups that exist at every degree.
fn families(n: usize) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut add = |name: String, make: Box<dyn Fn() -> Vec<Perm>>| cases.push((name, n, make));
    add(format!("S{n}"), Box::new(move || symmetric(n)));
    add(format!("A{n}"), Box::new(move || alternating(n)));
    add(format!("S{n} adjacent"), Box::new(move || adjacent(n)));
    add(format!("C{n}"), Box::new(move || vec![rotation(n)]));
    add(
        format!("D{n}"),
        Box::new(move || vec![rotation(n), reflection(n)]),
    );
    add(format!("C2^{}", n / 2), Box::new(move || transpositions(n)));
    add(
        format!("C2^{} adjacent", n / 2 - 1),
        Box::new(move || adjacent_pairs(n)),
    );
    let (m, d) = (n / 4, n / 8);
    add(format!("S{m} on 4 rows"), Box::new(move || rows(m, 4)));
    add(format!("S{m}^4"), Box::new(move || wreath(m, &identity(4))));
    add(
        format!("S8 wr S{d}"),
        Box::new(move || wreath(8, &symmetric(d))),
    );
    add(
        format!("S{d} wr S8"),
        Box::new(move || wreath(d, &symmetric(8))),
    );
    add(
        format!("C2 wr S{}", n / 2),
        Box::new(move || wreath(2, &symmetric(n / 2))),
    );
    cases
}

fn cycle(degree: usize, points: std::ops::Range<usize>) -> Perm {
    let points: Vec<Point> = points.map(|x| x as Point).collect();
    Perm::from_cycles(degree, &[&points]).expect("distinct points")
}

fn rotation(n: usize) -> Perm {
    cycle(n, 0..n)
}

fn reflection(n: usize) -> Perm {
    Perm::from_bijection((0..n).map(|x| ((n - x) % n) as Point).collect())
}

fn symmetric(n: usize) -> Vec<Perm> {
    vec![cycle(n, 0..2), rotation(n)]
}

fn identity(n: usize) -> Vec<Perm> {
    vec![Perm::identity(n)]
}

fn alternating(n: usize) -> Vec<Perm> {
    vec![cycle(n, 0..3), cycle(n, (n + 1) % 2..n)]
}

fn adjacent(n: usize) -> Vec<Perm> {
    (0..n - 1).map(|i| cycle(n, i..i + 2)).collect()
}

fn transpositions(n: usize) -> Vec<Perm> {
    (0..n / 2).map(|i| cycle(n, 2 * i..2 * i + 2)).collect()
}

fn adjacent_pairs(n: usize) -> Vec<Perm> {
    let pairs = transpositions(n);
    pairs.windows(2).map(|w| w[0].product(&w[1])).collect()
}

fn rows(m: usize, width: usize) -> Vec<Perm> {
    let lift = |g: &Perm| {
        let image = (0..m * width).map(|x| (x / m * m) as Point + g.at((x % m) as Point));
        Perm::from_bijection(image.collect())
    };
    symmetric(m).iter().map(lift).collect()
}

/// `S_m` on each block and `top` on the blocks; where `top` is the identity, one copy a block.
fn wreath(m: usize, top: &[Perm]) -> Vec<Perm> {
    let d = top[0].degree();
    let n_copies = if top[0].is_identity() { d } else { 1 };
    let mut generators = Vec::new();
    for block in 0..n_copies {
        generators.push(cycle(m * d, block * m..block * m + 2));
        generators.push(cycle(m * d, block * m..block * m + m));
    }
    for t in top {
        let image = (0..m * d).map(|x| t.at((x / m) as Point) * m as Point + (x % m) as Point);
        generators.push(Perm::from_bijection(image.collect()));
    }
    generators
}

fn pairs(m: usize) -> Vec<Perm> {
    let lift = |g: &Perm| {
        let mut image: Vec<Point> = g.image().to_vec();
        for i in 0..m * m {
            let (x, y) = ((i / m) as Point, (i % m) as Point);
            image.push(m as Point + g.at(x) * m as Point + g.at(y));
        }
        Perm::from_bijection(image)
    };
    symmetric(m).iter().map(lift).collect()
}
