//! The model of a file, by the front end of its language.

use crate::open::OpenTexts;
use base::{Clock, Diagnostic, Diagnostics, SourceId, Sources, quote};
use model::frontend::{Files, Frontend, Given, IncludeRequest, Model, Options};
use model::outline::Outline;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A model, and how long it took to read it.
pub struct Loaded {
    /// The model.
    pub model: Box<dyn Model>,
    /// Its path as typed.
    pub path: String,
    /// How long it took.
    pub load: Duration,
    /// The text that was read.
    pub main: SourceId,
}

/// What to load.
pub struct Request<'a> {
    /// The file, `-` for standard input.
    pub file: &'a Path,
    /// Folders in which files are looked for that it asks for.
    pub folders: &'a [PathBuf],
    /// Texts that come before those of files.
    pub open: &'a OpenTexts,
    /// What the command line says of it.
    pub options: &'a Options,
    /// When evaluation has to stop.
    pub clock: Clock<'static>,
}

impl Request<'_> {
    fn files(&self) -> Beside<'_> {
        Beside {
            file: self.file,
            folders: self.folders,
            open: self.open,
        }
    }
}

/// The model of a file, or `None` if `found` says what is wrong with it.
pub fn load(
    request: &Request<'_>,
    frontend: &dyn Frontend,
    sources: &mut Sources,
    found: &mut Diagnostics,
) -> Option<Loaded> {
    let start = Instant::now();
    let main = request.open.read_loosely(request.file, sources);
    let main = main.map_err(|why| found.push(why)).ok()?;
    let path = request.file.display().to_string();
    let given = Given {
        path: &path,
        main,
        options: request.options,
        clock: request.clock,
    };
    let model = frontend.load(&given, sources, &mut request.files(), found)?;
    Some(Loaded {
        model,
        path,
        load: start.elapsed(),
        main,
    })
}

/// What a file declares and uses; nothing, if it cannot be read.
pub fn outline(request: &Request<'_>, frontend: &dyn Frontend, sources: &mut Sources) -> Outline {
    let Ok(main) = request.open.read_loosely(request.file, sources) else {
        return Outline::default();
    };
    let path = request.file.display().to_string();
    let given = Given {
        path: &path,
        main,
        options: request.options,
        clock: request.clock,
    };
    frontend.outline(&given, sources, &mut request.files())
}

/// What it takes to read a model once more, from a text that is not in its file.
pub struct Again {
    /// The language.
    pub frontend: &'static dyn Frontend,
    /// The file, as typed.
    pub file: PathBuf,
    /// The text that it has.
    pub text: String,
    /// Folders in which files are looked for that it asks for.
    pub folders: Vec<PathBuf>,
    /// Texts that come before those of files.
    pub open: OpenTexts,
    /// What the command line says of it.
    pub options: Options,
    /// When evaluation has to stop.
    pub clock: Clock<'static>,
}

impl Again {
    /// The model of another text in the place of the file, if it is right.
    pub fn model(&self, text: &str) -> Option<Box<dyn Model>> {
        let (mut sources, mut found) = (Sources::new(), Diagnostics::new());
        let path = self.file.display().to_string();
        let given = Given {
            main: sources.add(path.clone(), text),
            path: &path,
            options: &self.options,
            clock: self.clock,
        };
        let mut files = Beside {
            file: &self.file,
            folders: &self.folders,
            open: &self.open,
        };
        let frontend = self.frontend;
        frontend.load(&given, &mut sources, &mut files, &mut found)
    }
}

/// Files beside a model, then in the folders that the user named.
struct Beside<'a> {
    file: &'a Path,
    folders: &'a [PathBuf],
    open: &'a OpenTexts,
}

impl Files for Beside<'_> {
    fn include(
        &mut self,
        request: &IncludeRequest<'_>,
        sources: &mut Sources,
    ) -> Result<SourceId, Diagnostic> {
        let asked = Path::new(request.path);
        let beside = Path::new(sources.get(request.from).name()).parent();
        let beside = beside.filter(|_| !request.angled).map(Path::to_path_buf);
        let places = beside.into_iter().chain(self.folders.iter().cloned());
        let mut paths = places.map(|folder| folder.join(asked));
        match paths.find(|path| self.open.is_file(path)) {
            Some(path) => self.open.read(&path, sources),
            None => {
                let message = format!("the file {} is not found", quote(request.path));
                let error = Diagnostic::unlocated(message);
                Err(error.note("it is looked for beside the file that asks, then where `-I` says"))
            }
        }
    }

    fn find(&mut self, name: &str) -> Option<Result<(String, String), Diagnostic>> {
        let beside = self.file.parent().map(Path::to_path_buf);
        let folders = beside.into_iter().chain(self.folders.iter().cloned());
        let mut paths = folders.map(|folder| folder.join(name));
        let path = paths.find(|path| self.open.is_file(path))?;
        let mut own = Sources::new();
        Some(match self.open.read_loosely(&path, &mut own) {
            Ok(id) => Ok((path.display().to_string(), own.get(id).text().to_owned())),
            Err(why) => {
                // Its place is in a text that nobody keeps.
                let message = format!("{}: {}", path.display(), why.message);
                Err(Diagnostic::unlocated(message))
            }
        })
    }
}
