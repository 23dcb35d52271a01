//! nauty as a rival in canonical images: a harness in C, compiled where that is possible.
//!
//! The harness is `bench/rivals/nauty_images.c`. It is compiled twice: as it is, and for at most 64
//! vertices with the library that is made for those and faster on them. Of all methods that it
//! times the fastest counts.

use super::clock::Pace;
use super::drawing::{self, Digraph};
use super::record::RunOutcome;
use super::rival::{Folder, ProgramEnd, WaitLimit, converse, find};
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

const SOURCE: &str = include_str!("../../../bench/rivals/nauty_images.c");

/// The harness, compiled, with a word for each variant.
pub struct Nauty {
    programs: Vec<(&'static str, PathBuf)>,
}

impl Nauty {
    /// Compiles the harness; `None` if there is no compiler or no nauty.
    pub fn compile(folder: &Folder) -> Option<Nauty> {
        let compiler = find("cc")?;
        let source = folder.write("nauty_images.c", SOURCE).ok()?;
        let variants: [(&str, &[&str], &str); 2] = [
            ("any size", &[], "-lnauty"),
            ("64 at most", &["-DMAXN=64"], "-lnautyL1"),
        ];
        let mut programs = Vec::new();
        for (i, (word, flags, library)) in variants.into_iter().enumerate() {
            let program = folder.file(&format!("nauty_images_{i}"));
            let mut command = Command::new(&compiler);
            command
                .args(["-O3", "-w"])
                .args(flags)
                .arg("-o")
                .arg(&program);
            command.arg(&source).arg(library);
            let limit = WaitLimit::Whole(Duration::from_secs(120));
            if converse(&mut command, Vec::new(), limit, &mut |_| {}) == ProgramEnd::Well {
                programs.push((word, program));
            }
        }
        (!programs.is_empty()).then_some(Nauty { programs })
    }

    /// Times canonical labellings of the drawings, in any order, by every method.
    pub fn time(&self, drawings: &[Digraph], seconds: f64, limit: Duration) -> RunOutcome {
        let input = drawing::text(drawings).into_bytes();
        let n_vertices = drawings.iter().map(|d| d.colours.len()).max().unwrap_or(0);
        let mut best: Option<(Pace, String)> = None;
        let mut stopped = RunOutcome::Failed("no method was measured".to_owned());
        for (i, (word, program)) in self.programs.iter().enumerate() {
            if i == 1 && n_vertices > 64 {
                continue;
            }
            let mut command = Command::new(program);
            command.arg("time").arg(seconds.to_string());
            let ended = converse(
                &mut command,
                input.clone(),
                WaitLimit::EachLine(limit),
                &mut |line| {
                    let Some((method, pace)) = parse_line(line) else {
                        return;
                    };
                    if best.as_ref().is_none_or(|(b, _)| pace.each() < b.each()) {
                        best = Some((pace, format!("{method}, {word}")));
                    }
                },
            );
            match ended {
                ProgramEnd::Well => {}
                ProgramEnd::Badly(why) => stopped = RunOutcome::Failed(why),
                ProgramEnd::Stopped(used) => stopped = RunOutcome::Limit(used),
            }
        }
        best.map_or(stopped, |(pace, remark)| RunOutcome::Measured {
            pace,
            remark,
            agrees: None,
        })
    }

    /// A word for each drawing, equal for isomorphic ones.
    #[cfg(test)]
    pub fn classes(&self, drawings: &[Digraph]) -> Vec<String> {
        let mut classes = Vec::new();
        let mut command = Command::new(&self.programs[0].1);
        command.arg("classes");
        let input = drawing::text(drawings).into_bytes();
        let limit = WaitLimit::Whole(Duration::from_secs(120));
        let ended = converse(&mut command, input, limit, &mut |line| {
            classes.push(line.to_owned());
        });
        assert_eq!(ended, ProgramEnd::Well);
        classes
    }
}

/// `METHOD IMAGES CPU_SECONDS`.
fn parse_line(line: &str) -> Option<(&str, Pace)> {
    let mut words = line.split_whitespace();
    let method = words.next()?;
    let times = words.next()?.parse().ok().filter(|&times| times > 0)?;
    let cpu_seconds = words.next()?.parse().ok()?;
    Some((method, Pace { times, cpu_seconds }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::draw;
    use crate::enumerate::flat;
    use crate::structure::{DrawableGroup, StructureKind};
    use group::image::{Canoniser, Scratch};
    use std::collections::{HashMap, HashSet};

    #[test]
    fn lines_of_the_harness() {
        let pace = Pace {
            times: 32,
            cpu_seconds: 0.5,
        };
        assert_eq!(parse_line("dense 32 0.500000"), Some(("dense", pace)));
        assert_eq!(parse_line("dense 0 0.5"), None);
        assert_eq!(parse_line("dense many 0.5"), None);
        assert_eq!(parse_line(""), None);
    }

    /// Among structures and their random images, nauty and we see the same classes.
    #[test]
    fn classes_agree() {
        let folder = Folder::new().expect("a folder");
        let Some(nauty) = Nauty::compile(&folder) else {
            let outcome = RunOutcome::NotInstalled;
            assert_eq!(outcome.each(), None);
            return;
        };
        let mut rng = fastrand::Rng::with_seed(6);
        let mut scratch = Scratch::new();
        let shapes = [
            DrawableGroup::Symmetric(5),
            DrawableGroup::Square(4),
            DrawableGroup::Wreath(3, 4),
            DrawableGroup::Hypercube(3),
            DrawableGroup::Cyclic(8),
        ];
        for shape in shapes {
            let group = shape.group();
            let canoniser = Canoniser::new(&group);
            for kind in StructureKind::ALL {
                let mut structures = Vec::new();
                for _ in 0..40 {
                    let structure = kind.random(group.degree(), &mut rng);
                    let p = group.chain().random(&mut rng);
                    structures.extend([structure.moved_by(&p), structure]);
                }
                let drawings: Vec<Digraph> = structures.iter().map(|s| draw(shape, s)).collect();
                let theirs = nauty.classes(&drawings);
                let mut joint = HashSet::new();
                let mut number = HashMap::new();
                for (structure, class) in structures.iter().zip(&theirs) {
                    let object = structure.object();
                    let p = canoniser.canonical(&object, &mut scratch).perm();
                    let n = number.len();
                    let ours = *number.entry(flat(&structure.moved_by(&p))).or_insert(n);
                    joint.insert((ours, class));
                }
                let n_theirs = theirs.iter().collect::<HashSet<_>>().len();
                let counts = (number.len(), n_theirs);
                assert_eq!(counts, (joint.len(), joint.len()), "{shape:?} {kind:?}");
                assert!(
                    theirs.chunks(2).all(|pair| pair[0] == pair[1]),
                    "{shape:?} {kind:?}"
                );
            }
        }
    }
}
