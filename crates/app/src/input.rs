//! Reading files and standard input into sources.

use base::{Diagnostic, SourceId, Sources, Span};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The longest input; spans could address four times as much.
const BYTES_MAX: u64 = 1 << 30;

/// The text of the file at `path`, or of standard input if `path` is `-`.
pub fn read(path: &Path, sources: &mut Sources) -> Result<SourceId, Diagnostic> {
    let (name, bytes) = if path == Path::new("-") {
        (
            "standard input".to_owned(),
            bytes_of(std::io::stdin().lock()),
        )
    } else {
        let bytes = open(path).and_then(bytes_of);
        (path.display().to_string(), bytes)
    };
    let bytes = bytes.map_err(|error| {
        Diagnostic::unlocated(format!(
            "cannot read {}: {}",
            base::quote(&name),
            reason(&error)
        ))
    })?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(sources.add(name, text)),
        Err(error) => Err(not_text(name, &error, sources)),
    }
}

/// As [`read`], but bytes that are not UTF-8 are taken for Latin-1, as older tools write it.
pub fn read_loosely(path: &Path, sources: &mut Sources) -> Result<SourceId, Diagnostic> {
    let name = path.display().to_string();
    let latin = open(path).and_then(bytes_of).ok();
    let latin = latin.filter(|bytes| std::str::from_utf8(bytes).is_err());
    match latin {
        Some(bytes) => {
            let text: String = bytes.iter().map(|byte| char::from(*byte)).collect();
            Ok(sources.add(name, text))
        }
        None => read(path, sources),
    }
}

fn open(path: &Path) -> std::io::Result<File> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(std::io::ErrorKind::IsADirectory.into());
    }
    Ok(file)
}

fn bytes_of(from: impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(BYTES_MAX + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > BYTES_MAX {
        return Err(std::io::ErrorKind::FileTooLarge.into());
    }
    Ok(bytes)
}

/// The commonest reasons in our words, without the numbers of the operating system.
fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
        std::io::ErrorKind::IsADirectory => "it is a directory".to_owned(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        std::io::ErrorKind::FileTooLarge => "it is larger than 1 GiB".to_owned(),
        _ => error.to_string(),
    }
}

/// How much of a line is kept to show where it stops being text.
const REST_BYTES_MAX: usize = 1024;

/// Points at the first bytes that are not UTF-8. The source kept for it is the text before them
/// and the rest of their line, in which they are shown as `�`.
fn not_text(name: String, error: &std::string::FromUtf8Error, sources: &mut Sources) -> Diagnostic {
    let valid = error.utf8_error().valid_up_to();
    let bytes = error.as_bytes();
    let rest = &bytes[valid..bytes.len().min(valid + REST_BYTES_MAX)];
    let rest = rest.split(|&b| b == b'\n').next().unwrap_or(rest);
    let mut text = String::from_utf8_lossy(&bytes[..valid]).into_owned();
    text.push_str(&String::from_utf8_lossy(rest));
    let id = sources.add(name, text);
    let bad = valid..valid + '\u{FFFD}'.len_utf8();
    Diagnostic::error(Span::new(id, bad), "this is not text")
        .saying(format!("byte 0x{:02X} is not UTF-8", bytes[valid]))
}
