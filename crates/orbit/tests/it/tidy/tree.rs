//! The files of the repository, or of a planted one.

use std::collections::BTreeMap;
use std::path::Path;

/// Folders of what is made or brought from elsewhere.
const MADE: [&str; 4] = ["target", ".git", "node_modules", "out"];

/// Texts by their paths from the root, and the folders that exist.
#[derive(Default)]
pub struct Tree {
    texts: BTreeMap<String, String>,
}

impl Tree {
    /// This repository, without what is built and what is not text of ours.
    pub fn of_repository() -> Tree {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut tree = Tree::default();
        tree.read_folder(&root, "");
        tree
    }

    /// A tree made of these files.
    pub fn planted(files: &[(&str, &str)]) -> Tree {
        let own = |&(path, text): &(&str, &str)| (path.to_owned(), text.to_owned());
        Tree {
            texts: files.iter().map(own).collect(),
        }
    }

    /// The text at that path.
    pub fn text(&self, path: &str) -> Option<&str> {
        self.texts.get(path).map(String::as_str)
    }

    /// Paths and texts of the files whose path ends so, in order.
    pub fn ending(&self, end: &str) -> impl Iterator<Item = (&str, &str)> {
        self.all().filter(move |(path, _)| path.ends_with(end))
    }

    /// All paths and texts, in order.
    pub fn all(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// Whether there is a file or a folder of that path.
    pub fn exists(&self, path: &str) -> bool {
        let path = path.trim_end_matches('/');
        let inside = format!("{path}/");
        path.is_empty()
            || self.texts.contains_key(path)
            || self.texts.keys().any(|file| file.starts_with(&inside))
    }

    fn read_folder(&mut self, folder: &Path, prefix: &str) {
        for entry in std::fs::read_dir(folder).expect("a readable folder") {
            let entry = entry.expect("a readable entry");
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = format!("{prefix}{name}");
            let is_folder = entry.file_type().expect("a file type").is_dir();
            if is_folder && !MADE.contains(&name.as_str()) {
                self.read_folder(&entry.path(), &format!("{path}/"));
            } else if !is_folder && path != "Cargo.lock" && path != ".git" {
                let bytes = std::fs::read(entry.path()).expect("a readable file");
                // A binary file has no lines to judge, but links may lead to it.
                self.texts
                    .insert(path, String::from_utf8(bytes).unwrap_or_default());
            }
        }
    }
}
