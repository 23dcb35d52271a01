//! What inputs are made from: our own models, and a few formulas, permutations, graphs and trails.

use std::path::{Path, PathBuf};

/// What kind of thing an input is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InputKind {
    Promela,
    B,
    Cspm,
    Group,
    Graph,
    Trail,
    Generators,
}

/// A text to start from.
#[derive(Clone, Debug)]
pub struct Seed {
    pub kind: InputKind,
    pub name: String,
    pub text: Vec<u8>,
}

/// A model that trails and generators are about, and that is not mutated with them.
pub const MODEL: &str = "byte x; bool in[2];\nactive [2] proctype user() {\n  do\n  :: in[_pid] = \
                         true; x++; assert(x < 2); x--; in[_pid] = false\n  od\n}\n";

/// The models of the project, and the other texts.
pub fn all(root: &Path) -> Vec<Seed> {
    let mut seeds = Vec::new();
    for folder in ["models", "docs/guide"] {
        for path in files(&root.join(folder)) {
            let ending = path.extension().and_then(|ending| ending.to_str());
            let kind = match ending.unwrap_or("") {
                "pml" => InputKind::Promela,
                "mch" | "ref" | "imp" => InputKind::B,
                "csp" => InputKind::Cspm,
                "col" => InputKind::Graph,
                _ => continue,
            };
            let name = path.file_name().and_then(|name| name.to_str());
            if let (Ok(text), Some(name)) = (std::fs::read(&path), name) {
                let name = name.to_owned();
                seeds.push(Seed { kind, name, text });
            }
        }
    }
    let others: [(InputKind, &str, &str); 5] = [
        (
            InputKind::Group,
            "group.txt",
            "(1 2 3)(4 5)\n(1 2)\n# a comment\n(6 7 8 9)\n",
        ),
        (InputKind::Group, "group.txt", "(1 2)(3 4)\n(1 3)(2 4)\n"),
        (InputKind::Trail, "run.json", TRAIL),
        (
            InputKind::Trail,
            "run.trail",
            "-4:-4:-4\n1:0:1\n2:1:1\n3:0:2\n4:1:2\n5:0:3\n",
        ),
        (
            InputKind::Generators,
            "generators.txt",
            "(user(0) user(1))\n# who\n(user(1) user(0))\n",
        ),
    ];
    seeds.extend(others.into_iter().map(|(kind, name, text)| Seed {
        kind,
        name: name.to_owned(),
        text: text.as_bytes().to_vec(),
    }));
    seeds
}

/// A recorded run as `orbit check --trail` writes it.
const TRAIL: &str = "{\"orbit_trail\":1,\"orbit\":\"0.1.0\",\"model\":\"m.pml\",\"defines\":[],\
    \"rules\":\"plain\",\"hash\":\"0000000000000000\",\"error\":\"assertion violated\"}\n\
    {\"process\":1,\"id\":4294967301,\"by\":\"user(1)\",\"line\":4,\"step\":\"in[_pid] = true\"}\n\
    {\"process\":0,\"id\":5,\"by\":\"user(0)\",\"line\":4,\"step\":\"x++\",\"loop\":true}\n";

/// All files below a folder, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let mut all = Vec::new();
    for path in paths {
        if path.is_dir() {
            all.extend(files(&path))
        } else {
            all.push(path)
        }
    }
    all
}
