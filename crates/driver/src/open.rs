//! Texts that are open in an editor: each comes before the text of the file of its name.

use crate::input;
use base::{Diagnostic, SourceId, Sources};
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// Texts by the paths of their files.
#[derive(Clone, Debug)]
pub struct OpenTexts {
    texts: BTreeMap<PathBuf, Arc<str>>,
}

impl OpenTexts {
    /// No text is open.
    pub const fn new() -> OpenTexts {
        OpenTexts {
            texts: BTreeMap::new(),
        }
    }

    /// The same, for whoever has no editor.
    pub fn none() -> &'static OpenTexts {
        static NONE: OpenTexts = OpenTexts::new();
        &NONE
    }

    /// From now on this is the text of the file.
    pub fn open(&mut self, path: &Path, text: Arc<str>) {
        self.texts.insert(plain(path), text);
    }

    /// From now on the file has its own text.
    pub fn close(&mut self, path: &Path) {
        self.texts.remove(&plain(path));
    }

    /// The text that is open for a file.
    pub fn text(&self, path: &Path) -> Option<&Arc<str>> {
        if self.texts.is_empty() {
            return None;
        }
        self.texts.get(&plain(path))
    }

    /// Whether there is a text of that name, open or in a file.
    pub fn is_file(&self, path: &Path) -> bool {
        self.text(path).is_some() || path.is_file()
    }

    /// As [`input::read`].
    pub fn read(&self, path: &Path, sources: &mut Sources) -> Result<SourceId, Diagnostic> {
        match self.text(path) {
            Some(text) => Ok(sources.add(path.display().to_string(), &**text)),
            None => input::read(path, sources),
        }
    }

    /// As [`input::read_loosely`].
    pub fn read_loosely(&self, path: &Path, sources: &mut Sources) -> Result<SourceId, Diagnostic> {
        match self.text(path) {
            Some(text) => Ok(sources.add(path.display().to_string(), &**text)),
            None => input::read_loosely(path, sources),
        }
    }
}

impl Default for OpenTexts {
    fn default() -> OpenTexts {
        OpenTexts::new()
    }
}

/// A path without `.` and without `x/..`: one name for one file, as far as names say it.
pub fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(out.components().next_back(), Some(Component::Normal(_))) =>
            {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_open_text_comes_before_its_file_under_any_name_of_it() {
        let mut open = OpenTexts::new();
        open.open(Path::new("/a/./b/../m.pml"), "new".into());
        let mut sources = Sources::new();
        let id = open.read(Path::new("/a/c/../m.pml"), &mut sources);
        let id = id.expect("it is open");
        assert_eq!(sources.get(id).text(), "new");
        assert!(open.is_file(Path::new("/a/m.pml")));
        open.close(Path::new("/a/m.pml"));
        assert!(!open.is_file(Path::new("/a/m.pml")));
        assert_eq!(plain(Path::new("../x/../../y")), Path::new("../../y"));
    }
}
