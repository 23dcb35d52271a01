//! What is handed out: made twice it is the same, and it works where there is nothing else.

use crate::command::Folder;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Whether a program can be started; says so if not.
fn is_there(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok();
    if !found {
        let words = format!("skipped: {program} is not installed\n");
        let written = std::io::Write::write_all(&mut std::io::stderr(), words.as_bytes());
        assert!(written.is_ok());
    }
    found
}

/// Packs the binary under test into a folder.
fn pack(out: &str) {
    let build = Command::new(root().join("release/build"))
        .args(["--binary", env!("CARGO_BIN_EXE_orbit"), "--out", out])
        .output()
        .expect("a shell");
    let err = String::from_utf8_lossy(&build.stderr);
    assert!(build.status.success(), "{err}");
}

/// The files of a folder, by name.
fn files(folder: &str) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let read = entries.map(|entry| {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy();
        (name.into_owned(), std::fs::read(&path).expect("a file"))
    });
    let mut all: Vec<_> = read.collect();
    all.sort();
    all
}

/// Runs an unpacked program with no other program to be found.
fn alone(tree: &Path, args: &[&str]) -> Output {
    Command::new(tree.join("bin/orbit"))
        .args(args)
        .current_dir(tree)
        .env_clear()
        .env("PATH", "")
        .output()
        .expect("the program")
}

#[test]
fn a_package_is_the_same_twice_and_works_alone() {
    if !is_there("bash") || !is_there("tar") {
        return;
    }
    let folder = Folder::new("package");
    let (first, second) = (folder.path("first"), folder.path("second"));
    pack(&first);
    pack(&second);
    let (one, other) = (files(&first), files(&second));
    let names = |all: &[(String, Vec<u8>)]| -> Vec<String> {
        all.iter().map(|(name, _)| name.clone()).collect()
    };
    assert_eq!(names(&one), names(&other));
    for ((name, bytes), (_, again)) in one.iter().zip(&other) {
        assert!(bytes == again, "{name} is another file the second time");
    }
    let archive = names(&one)
        .into_iter()
        .find(|name| name.ends_with(".tar.gz"));
    let archive = archive.expect("an archive");
    let unpacked = Command::new("tar")
        .args([
            "-xzf",
            &format!("{first}/{archive}"),
            "-C",
            &folder.path(""),
        ])
        .status();
    assert!(unpacked.expect("tar").success());
    let tree = PathBuf::from(folder.path(archive.trim_end_matches(".tar.gz")));
    for file in [
        "LICENSE-MIT",
        "LICENSE-APACHE",
        "man/orbit.1",
        "completions/_orbit",
    ] {
        assert!(tree.join(file).is_file(), "{file}");
    }
    assert!(tree.join("models/promela/mutex.pml").is_file());
    assert!(tree.join("guide/README.md").is_file());
    if is_there("mandoc") {
        let pages = std::fs::read_dir(tree.join("man")).expect("pages");
        let pages = pages.map(|page| page.expect("an entry").path());
        let lint = Command::new("mandoc")
            .args(["-T", "lint", "-W", "error"])
            .args(pages)
            .output();
        let words = String::from_utf8_lossy(&lint.expect("mandoc").stdout).into_owned();
        assert!(words.is_empty(), "{words}");
    }
    let example = alone(&tree, &["example", "broken"]);
    std::fs::write(tree.join("broken.pml"), &example.stdout).expect("a file");
    let check = alone(&tree, &["check", "broken.pml"]);
    assert_eq!(check.status.code(), Some(1));
    let check = alone(&tree, &["check", "models/promela/mutex.pml"]);
    assert_eq!(check.status.code(), Some(0));
    let completions = alone(&tree, &["completions", "bash"]).stdout;
    let packed = std::fs::read(tree.join("completions/orbit.bash")).expect("a script");
    assert!(
        completions == packed,
        "completions differ from those packed"
    );
}

#[test]
fn a_debian_package_has_no_errors() {
    if !is_there("bash") || !is_there("dpkg-deb") {
        return;
    }
    let folder = Folder::new("debian");
    let out = folder.path("out");
    pack(&out);
    let deb = files(&out)
        .into_iter()
        .find(|(name, _)| name.ends_with(".deb"));
    let deb = format!("{out}/{}", deb.expect("a package").0);
    let into = folder.path("unpacked");
    let unpacked = Command::new("dpkg-deb").args(["-x", &deb, &into]).status();
    assert!(unpacked.expect("dpkg-deb").success());
    let program = Path::new(&into).join("usr/bin/orbit");
    let version = Command::new(program).arg("--version").output();
    assert!(version.expect("the program").status.success());
    assert!(
        Path::new(&into)
            .join("usr/share/man/man1/orbit-check.1.gz")
            .is_file()
    );
    if is_there("lintian") {
        let lint = Command::new("lintian")
            .args(["--allow-root", &deb])
            .output();
        let words = String::from_utf8_lossy(&lint.expect("lintian").stdout).into_owned();
        let errors: Vec<&str> = words
            .lines()
            .filter(|line| line.starts_with("E:"))
            .collect();
        assert!(errors.is_empty(), "{errors:#?}");
    }
}

/// The highest version of the C library that the package may ask for: Debian 12's.
const LIBC: &str = "2.36";

#[test]
fn the_program_asks_for_no_newer_c_library() {
    if !is_there("bash") || cfg!(not(target_os = "linux")) {
        return;
    }
    let asked = Command::new(root().join("release/needs"))
        .arg(env!("CARGO_BIN_EXE_orbit"))
        .output();
    let asked = String::from_utf8(asked.expect("a shell").stdout).expect("a version");
    let number = |version: &str| -> Vec<u32> {
        let parts = version.trim().split('.');
        parts.map(|part| part.parse().expect("a number")).collect()
    };
    assert!(number(&asked) <= number(LIBC), "{asked}");
    assert!(number(&asked) >= number("2.2"), "{asked}");
}
