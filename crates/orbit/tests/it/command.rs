//! Starting the binary.

use crate::schema;
use snapbox::cmd::Command;

/// `orbit` with the words of `line`; single quotes keep words together.
pub fn orbit(line: &str) -> Command {
    let quoted = line.split('\'').enumerate();
    let words = quoted.flat_map(|(i, part)| match i % 2 {
        0 => part.split_whitespace().collect(),
        _ => vec![part],
    });
    let command = Command::new(env!("CARGO_BIN_EXE_orbit")).current_dir(guide());
    command
        .env_remove("CLICOLOR_FORCE")
        .env_remove("RUST_BACKTRACE")
        .args(words)
}

/// `orbit` with these words and input: its exit code, standard output and standard error.
pub fn run(line: &str, input: &[u8]) -> (i32, String, String) {
    let output = orbit(line)
        .stdin(input)
        .output()
        .expect("the binary starts");
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    let code = output.status.code().expect("no signal ended it");
    (code, text(output.stdout), text(output.stderr))
}

/// What is printed, without what is measured, and the exit code.
pub fn printed(line: &str) -> (i32, String) {
    let (code, out, err) = run(line, b"");
    assert_eq!(err, "", "{line}");
    let is_measured = |line: &&str| line.starts_with("time  ") || line.starts_with("memory  ");
    let lines = out.lines().filter(|line| !is_measured(line));
    (code, lines.map(|line| format!("{line}\n")).collect())
}

/// The object printed with `--json`.
pub fn json(line: &str, input: &[u8]) -> serde_json::Value {
    let (_, out, err) = run(&format!("{line} --json"), input);
    object(line, &out).unwrap_or_else(|why| panic!("{line}: {why}\n{out}\n{err}"))
}

/// What `orbit` printed for the words of `line` and `--json`, if that is an object of the shape
/// that `docs/schema/` promises for the command; or what is wrong with it.
pub fn object(line: &str, out: &str) -> Result<serde_json::Value, String> {
    let object = serde_json::from_str(out).map_err(|why| why.to_string())?;
    let command = line.split_whitespace().next().unwrap_or("");
    if let Some(schema) = schema::of(command) {
        schema::validate(&schema, &object)?;
    }
    Ok(object)
}

/// The folder of example files.
pub fn guide() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide")
}

/// A folder of its own, gone with its value.
pub struct Folder(std::path::PathBuf);

impl Folder {
    /// A new folder; `name` tells it from those of other tests.
    pub fn new(name: &str) -> Folder {
        let folder = format!("orbit-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        Folder(folder)
    }

    /// The path of a file in it.
    pub fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    /// Writes a file; its path.
    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        std::fs::write(self.0.join(name), text).expect("a file");
        self.path(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left behind harms nobody.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
