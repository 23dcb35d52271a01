//! Names of documents: addresses of files, and paths.

use gen_lsp_types::Uri;
use std::path::{Path, PathBuf};

/// The path of a document; what is in no file is known by its whole address.
pub fn path(uri: &Uri) -> PathBuf {
    let Some(rest) = uri.0.strip_prefix("file://") else {
        return PathBuf::from(&uri.0);
    };
    // What stands before the first slash is the name of a machine.
    let rest = rest.find('/').map_or(rest, |at| &rest[at..]);
    let text = decoded(rest);
    let drive = text.as_bytes();
    let has_drive = drive.len() > 2 && drive[1].is_ascii_alphabetic() && drive[2] == b':';
    PathBuf::from(if has_drive { &text[1..] } else { &text })
}

/// Whether a document is a file.
pub fn is_file(uri: &Uri) -> bool {
    uri.0.starts_with("file://")
}

/// The address of a file.
pub fn of_path(path: &Path) -> Uri {
    let text = path.display().to_string().replace('\\', "/");
    let mut out = String::from("file://");
    if !text.starts_with('/') {
        out.push('/');
    }
    for byte in text.bytes() {
        let is_plain = byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte);
        if is_plain {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    Uri(out)
}

/// `%20` is a blank; what is no text then stays as it is.
fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let digits = text.get(at + 1..at + 3).filter(|_| bytes[at] == b'%');
        let code = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        out.push(code.unwrap_or(bytes[at]));
        at += if code.is_some() { 3 } else { 1 };
    }
    String::from_utf8(out).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_paths_lead_to_each_other() {
        for name in ["/a/b c.pml", "/é/😀%.mch", "/x/#y?.csp"] {
            let address = of_path(Path::new(name));
            assert_eq!(path(&address), Path::new(name), "{address}");
        }
        assert_eq!(of_path(Path::new("/a b")).0, "file:///a%20b");
        assert_eq!(path(&Uri("file://host/a".into())), Path::new("/a"));
        assert_eq!(path(&Uri("file:///c%3A/x".into())), Path::new("c:/x"));
        assert_eq!(path(&Uri("file:///a%zz%é".into())), Path::new("/a%zz%é"));
        assert_eq!(path(&Uri("untitled:U-1".into())), Path::new("untitled:U-1"));
    }
}
