//! Clauses of the operators that combine traces: interrupts, hiding, renaming, parallel.

use super::*;

impl Plain<'_> {
    pub(super) fn interrupt(&self, p: &Meaning, q: &Meaning) -> Meaning {
        let late = self.fault == Some(Fault::LateInterrupt);
        let mut out = self.out(&[p, q]);
        let begin = q.first();
        for (s, point) in p.unfinished() {
            out.add(s.clone(), point.refusals & begin.refusals);
            if point.diverges || begin.diverges {
                out.diverge(s.clone());
            }
            if p.ends_after(s) || q.ends_after(&[]) {
                out.add(s.clone(), out.without_tick());
            }
            if p.ends_after(s) {
                out.add(extended(s, self.n as u8), out.all());
            }
            for (t, point) in q.at.iter().filter(|(t, _)| !t.is_empty()) {
                if !(late && s.is_empty()) {
                    out.put(joined(s, t), *point);
                }
            }
        }
        out
    }

    pub(super) fn exception(&self, p: &Meaning, set: Subset, q: &Meaning) -> Meaning {
        let mut out = self.out(&[p, q]);
        let thrown = |&e: &u8| set >> e & 1 == 1;
        for (s, point) in &p.at {
            match s.iter().position(thrown) {
                _ if self.fault == Some(Fault::ExceptionIgnored) => out.put(s.clone(), *point),
                None => out.put(s.clone(), *point),
                Some(at) if at + 1 == s.len() => {
                    for (t, point) in &q.at {
                        out.put(joined(s, t), *point);
                    }
                }
                Some(_) => {}
            }
        }
        out
    }

    pub(super) fn hide(&self, p: &Meaning, set: Subset, n_states: usize) -> Meaning {
        let hidden = |e: &u8| set >> e & 1 == 1;
        let mut out = Meaning::new(self.n, p.depth);
        for (s, point) in &p.at {
            let run = longest_run(s, &hidden);
            let seen: Trace = s.iter().copied().filter(|e| !hidden(e)).collect();
            if run.length >= n_states {
                if self.strict && self.fault != Some(Fault::HiddenEnds) {
                    let before = s[..run.start].iter().copied().filter(|e| !hidden(e));
                    out.diverge(before.collect());
                }
                continue;
            }
            // What could follow is not known: not even whether more of it is hidden.
            let open = s.len() as i32 == p.depth && s.last() != Some(&(self.n as u8));
            if open && !point.diverges {
                out.depth = out.depth.min(seen.len() as i32 - 1);
            }
            let refused = |y: &Subset| match self.fault {
                Some(Fault::HiddenRefused) => point.refusals >> y & 1 == 1,
                _ => point.refusals >> (y | set) & 1 == 1,
            };
            let refusals = members(all(self.n))
                .filter(refused)
                .fold(0, |f, y| f | 1 << y);
            out.put(seen, Point { refusals, ..*point });
        }
        out.cut(out.depth)
    }

    pub(super) fn rename(&self, p: &Meaning, relation: RelationId) -> Meaning {
        let pairs = self.terms.pairs(relation);
        let images = |e: u8| -> Vec<u8> {
            let of = pairs.iter().filter(|pair| pair.0.index() == e as usize);
            let of: Vec<u8> = of.map(|pair| pair.1.index() as u8).collect();
            if of.is_empty() { vec![e] } else { of }
        };
        let before = |x: Subset| -> Subset {
            let wrong = self.fault == Some(Fault::RenameRefuses);
            let mapped = |e: &u8| {
                let mut of = images(*e).into_iter();
                if wrong {
                    of.all(|b| x >> b & 1 == 1)
                } else {
                    of.any(|b| x >> b & 1 == 1)
                }
            };
            let events = (0..self.n as u8)
                .filter(mapped)
                .fold(0, |bits, e| bits | 1 << e);
            events | x & 1 << self.n
        };
        let mut out = self.out(&[p]);
        for (s, point) in &p.at {
            let refused = |x: &Subset| point.refusals >> before(*x) & 1 == 1;
            let refusals = members(all(self.n))
                .filter(refused)
                .fold(0, |f, x| f | 1 << x);
            let mut renamed: Vec<Trace> = vec![vec![]];
            for &e in s {
                let each = |t: &Trace| {
                    images(e)
                        .into_iter()
                        .map(|b| extended(t, b))
                        .collect::<Vec<_>>()
                };
                renamed = renamed.iter().flat_map(each).collect();
            }
            for t in renamed {
                out.put(t, Point { refusals, ..*point });
            }
        }
        out
    }

    pub(super) fn parallel(&self, p: &Meaning, q: &Meaning, set: Subset) -> Meaning {
        let mut out = self.out(&[p, q]);
        let tick = self.n as u8;
        let shared = set | 1 << tick;
        let mut level = BTreeSet::new();
        if out.depth >= 0 {
            level.insert((vec![], vec![], vec![]));
        }
        while !level.is_empty() {
            let mut next = BTreeSet::new();
            for (u, s, t) in level {
                let (mine, other) = (p.at[&s], q.at[&t]);
                if mine.diverges || other.diverges {
                    out.diverge(u);
                    continue;
                }
                out.add(
                    u.clone(),
                    self.together(mine.refusals, other.refusals, shared),
                );
                for e in (0..=tick).filter(|&e| e == tick || (u.len() as i32) < out.depth) {
                    let (se, te) = (extended(&s, e), extended(&t, e));
                    let (can, may) = (p.has(&se), q.has(&te));
                    let alone = e == tick && self.fault == Some(Fault::EarlyEnd);
                    if shared >> e & 1 == 1 && !alone {
                        if can && may {
                            next.insert((extended(&u, e), se, te));
                        }
                        continue;
                    }
                    if can {
                        next.insert((extended(&u, e), se, t.clone()));
                    }
                    if may {
                        next.insert((extended(&u, e), s.clone(), te));
                    }
                }
            }
            level = next;
        }
        out
    }

    /// Unions of refusals that agree outside `shared`.
    fn together(&self, mine: Family, other: Family, shared: Subset) -> Family {
        let mut family = 0;
        for y in members(mine) {
            for z in members(other) {
                if y & !shared == z & !shared || self.fault == Some(Fault::ParallelBlocks) {
                    family |= 1 << (y | z);
                }
            }
        }
        family
    }

    pub(super) fn alphabetised(&self, parts: &[(Subset, Meaning)]) -> Meaning {
        if parts.is_empty() {
            return self.skip();
        }
        let mut out = self.out(&parts.iter().map(|part| &part.1).collect::<Vec<_>>());
        let tick = 1 << self.n;
        let whole = parts.iter().fold(tick, |bits, part| bits | part.0);
        let mut level: Vec<Trace> = vec![vec![]];
        while !level.is_empty() {
            let mut next = Vec::new();
            for u in level {
                let own = |set: Subset| -> Trace {
                    u.iter()
                        .copied()
                        .filter(|e| (set | tick) >> e & 1 == 1)
                        .collect()
                };
                let points = parts.iter().map(|(set, m)| m.at.get(&own(*set)));
                let Some(points) = points.collect::<Option<Vec<_>>>() else {
                    continue;
                };
                if points.iter().any(|point| point.diverges) {
                    out.diverge(u);
                    continue;
                }
                let mut family = 1;
                for ((set, _), point) in parts.iter().zip(points) {
                    let blocked = members(point.refusals).map(|y| y & (set | tick));
                    let blocked: BTreeSet<Subset> = blocked.collect();
                    let unions = members(family).flat_map(|x| blocked.iter().map(move |y| x | y));
                    family = unions.fold(0, |f, x| f | 1 << x);
                }
                let fits = |z: &Subset| family >> (z & whole) & 1 == 1;
                let refusals = members(all(self.n)).filter(fits).fold(0, |f, z| f | 1 << z);
                if u.last() != Some(&(self.n as u8)) {
                    let longer = events(whole).map(|e| extended(&u, e));
                    next.extend(longer.filter(|u| out.length(u) <= out.depth));
                }
                out.add(u, refusals);
            }
            level = next;
        }
        out
    }

    pub(super) fn sync_external(&self, set: Subset, parts: &[Meaning]) -> Meaning {
        let mut out = self.out(&parts.iter().collect::<Vec<_>>());
        if parts.is_empty() {
            return self.stop();
        }
        let undecided = |s: &Trace| s.iter().all(|e| set >> e & 1 == 1);
        for s in parts[0].at.keys().filter(|s| undecided(s)) {
            let points = parts.iter().map(|m| m.at.get(s));
            let Some(points) = points.collect::<Option<Vec<_>>>() else {
                continue;
            };
            if points.iter().any(|point| point.diverges) {
                out.diverge(s.clone());
                continue;
            }
            let families = points.iter().map(|point| point.refusals);
            let refusals = families.reduce(|f, g| self.together(f, g, set));
            out.add(s.clone(), refusals.unwrap_or(0));
            if parts.iter().any(|m| m.ends_after(s)) {
                out.add(s.clone(), out.without_tick());
            }
            for m in parts {
                let decided =
                    |t: &Trace| t.len() > s.len() && t.starts_with(s) && set >> t[s.len()] & 1 == 0;
                for (t, point) in m.at.iter().filter(|(t, _)| decided(t)) {
                    out.put(t.clone(), *point);
                }
            }
        }
        out
    }

    pub(super) fn sync_interrupt(&self, p: &Meaning, set: Subset, q: &Meaning) -> Meaning {
        let mut out = self.out(&[p, q]);
        let both = |e: &u8| set >> e & 1 == 1;
        for (s, point) in p.unfinished() {
            let told: Trace = s.iter().copied().filter(|e| both(e)).collect();
            let Some(other) = q.at.get(&told) else {
                continue;
            };
            if point.diverges || other.diverges {
                out.diverge(s.clone());
                continue;
            }
            out.add(
                s.clone(),
                self.together(point.refusals, other.refusals, set),
            );
            if p.ends_after(s) || q.ends_after(&told) {
                out.add(s.clone(), out.without_tick());
            }
            if p.ends_after(s) {
                out.add(extended(s, self.n as u8), out.all());
            }
            let decided =
                |t: &Trace| t.len() > told.len() && t.starts_with(&told) && !both(&t[told.len()]);
            for (t, point) in q.at.iter().filter(|(t, _)| decided(t)) {
                out.put(joined(s, &t[told.len()..]), *point);
            }
        }
        out
    }
}

/// Where the first of the longest runs of hidden events starts, and how long it is.
struct Run {
    start: usize,
    length: usize,
}

fn longest_run(trace: &[u8], hidden: &dyn Fn(&u8) -> bool) -> Run {
    let mut best = Run {
        start: 0,
        length: 0,
    };
    let mut start = 0;
    for (at, event) in trace.iter().enumerate() {
        if !hidden(event) {
            start = at + 1;
        } else if at + 1 - start > best.length {
            best = Run {
                start,
                length: at + 1 - start,
            };
        }
    }
    best
}
