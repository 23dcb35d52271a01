//! Reading files and standard input into sources.

use base::{Diagnostic, SourceId, Sources, Span};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The longest input; spans could address four times as much.
const BYTES_MAX: u64 = 1 << 30;

/// The text of the file at `path`, or of standard input if `path` is `-`.
pub fn read(path: &Path, sources: &mut Sources) -> Result<SourceId, Diagnostic> {
    let (name, bytes) = named_bytes(path)?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(sources.add(name, text)),
        Err(error) => Err(not_text(name, &error, sources)),
    }
}

/// As [`read`], but bytes that are not UTF-8 are taken for Latin-1, as older tools write it.
pub fn read_loosely(path: &Path, sources: &mut Sources) -> Result<SourceId, Diagnostic> {
    let (name, bytes) = named_bytes(path)?;
    let text = String::from_utf8(bytes).unwrap_or_else(|error| {
        let bytes = error.as_bytes().iter();
        bytes.map(|byte| char::from(*byte)).collect()
    });
    Ok(sources.add(name, text))
}

/// The bytes of a file, without the mark that some editors put before UTF-8, and what the file is
/// called in messages.
fn named_bytes(path: &Path) -> Result<(String, Vec<u8>), Diagnostic> {
    let (name, bytes) = if path == Path::new("-") {
        ("standard input".to_owned(), standard_input())
    } else {
        (path.display().to_string(), open(path).and_then(bytes_of))
    };
    let mut bytes = bytes.map_err(|error| {
        let why = reason(&error);
        Diagnostic::unlocated(format!("cannot read {}: {why}", base::quote(&name)))
    })?;
    if bytes.starts_with(BYTE_ORDER_MARK) {
        bytes.drain(..BYTE_ORDER_MARK.len());
    }
    Ok((name, bytes))
}

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// What standard input held. It can be read once only, and is asked for twice where its text has
/// to tell its language.
fn standard_input() -> std::io::Result<Vec<u8>> {
    static BYTES: Mutex<Option<Vec<u8>>> = Mutex::new(None);
    let mut bytes = BYTES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(bytes) = &*bytes {
        return Ok(bytes.clone());
    }
    let read = bytes_of(std::io::stdin().lock())?;
    *bytes = Some(read.clone());
    Ok(read)
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
