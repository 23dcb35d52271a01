//! SPIN's verifiers: made, compiled, run, and what they say.
//!
//! `spin -a` writes a verifier in C, `gcc` compiles it (most of the time goes there, so without
//! optimisation), and it is run over all states with a limit of depth and of time. What it did not
//! search to the end is [`VerifierAnswer::Cut`]: nothing is concluded from that.

use crate::limited;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The CPU time that SPIN, the compiler and a verifier may take, each.
const CPU_MAX: Duration = Duration::from_secs(5);

/// Whether SPIN joins statements and resets variables.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Passes {
    /// `-o1 -o2 -o3`
    Off,
    /// SPIN's default.
    On,
}

/// What a verifier is compiled for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CompiledFor {
    /// Assertions, invalid end states and run-time errors, without claims.
    Safety,
    /// Cycles through `accept` labels, those of a claim if there is one.
    Acceptance,
    /// Cycles without `progress` labels.
    Progress,
}

impl CompiledFor {
    fn compiler_flags(self) -> &'static [&'static str] {
        match self {
            CompiledFor::Safety => &["-DSAFETY", "-DNOCLAIM"],
            CompiledFor::Acceptance => &[],
            CompiledFor::Progress => &["-DNP", "-DNOCLAIM"],
        }
    }

    fn flags(self) -> &'static [&'static str] {
        match self {
            CompiledFor::Safety => &[],
            CompiledFor::Acceptance => &["-a"],
            CompiledFor::Progress => &["-l"],
        }
    }
}

/// Why there is no verifier.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unmade {
    /// SPIN refuses the program, with its words.
    Refused(String),
    /// The C that SPIN wrote does not compile.
    NotC(String),
    /// SPIN or the compiler could not be run, or did not end.
    Broken(String),
}

/// A kind of error that a verifier reports.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ErrorKind {
    Assertion,
    EndState,
    AcceptanceCycle,
    ProgressCycle,
    /// A claim came to its end.
    ClaimEnded,
    /// A rendezvous channel was polled; the run goes on.
    Poll,
    /// A bad index; the run goes on with it.
    Index,
    /// Something else, after which the verifier may stop.
    Other,
}

/// What a verifier says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum VerifierAnswer {
    /// All states were searched.
    Full(VerifierResult),
    /// Not all states were searched, or nothing can be read from what was said.
    Cut(String),
}

/// What a verifier says of all states.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct VerifierResult {
    pub n_states: u64,
    pub n_transitions: u64,
    pub n_errors: u64,
    pub kinds: BTreeSet<ErrorKind>,
    /// Whether it stopped at an error that no run goes on after.
    pub stopped: bool,
    /// The lines with errors, up to a few.
    pub lines: Vec<String>,
}

/// The programs among `spin` and `gcc` that are not installed.
pub fn missing() -> Vec<&'static str> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let is_found = |name: &str| std::env::split_paths(&path).any(|f| f.join(name).is_file());
    let mut missing = vec!["spin", "gcc"];
    missing.retain(|name| !is_found(name));
    missing
}

/// A verifier that SPIN made, in a folder that goes away with it.
pub struct PanVerifier {
    folder: PathBuf,
    purpose: CompiledFor,
}

impl Drop for PanVerifier {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl PanVerifier {
    /// The verifier of a program. Folders are told apart by `name`.
    pub fn new(
        text: &[u8],
        name: &str,
        passes: Passes,
        purpose: CompiledFor,
    ) -> Result<PanVerifier, Unmade> {
        let folder = std::env::temp_dir().join(format!("orbit-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let broken = |why: std::io::Error| Unmade::Broken(why.to_string());
        std::fs::create_dir_all(&folder).map_err(broken)?;
        let verifier = PanVerifier { folder, purpose };
        std::fs::write(verifier.folder.join("m.pml"), text).map_err(broken)?;
        let (is_accepted, said) = verifier.spin(passes)?;
        // After some errors it goes on and writes a verifier, perhaps of another program.
        if !is_accepted || !verifier.folder.join("pan.t").is_file() {
            let why = said.lines().rfind(|l| l.contains("rror")).unwrap_or(&said);
            return Err(Unmade::Refused(why.trim().to_owned()));
        }
        verifier.compile(text)?;
        Ok(verifier)
    }

    fn run(&self, program: &Path, flags: &[&str]) -> Result<limited::RunEnd, String> {
        limited::run(Command::new(program).args(flags), &self.folder, CPU_MAX)
    }

    /// Whether SPIN is content, and what it prints.
    fn spin(&self, passes: Passes) -> Result<(bool, String), Unmade> {
        let flags: &[&str] = match passes {
            Passes::Off => &["-o1", "-o2", "-o3", "-a", "m.pml"],
            Passes::On => &["-a", "m.pml"],
        };
        let ended = self.run(Path::new("spin"), flags);
        let ended = ended.map_err(|why| Unmade::Broken(format!("spin: {why}")))?;
        let said = String::from_utf8_lossy(&ended.out).into_owned() + &ended.err;
        Ok((ended.status.success(), said))
    }

    fn compile(&self, text: &[u8]) -> Result<(), Unmade> {
        let mut flags = vec!["-O0", "-w", "-DNOREDUCE"];
        flags.extend(self.purpose.compiler_flags());
        // With priorities pan takes some states for one, if it may leave out the ends of records.
        if String::from_utf8_lossy(text).contains("priority") {
            flags.push("-DNOCOMP");
        }
        flags.extend(["-o", "pan", "pan.c"]);
        let ended = self.run(Path::new("gcc"), &flags);
        let ended = ended.map_err(|why| Unmade::Broken(format!("gcc: {why}")))?;
        if self.folder.join("pan").is_file() {
            Ok(())
        } else {
            let why = ended.err.lines().find(|l| l.contains("error"));
            Err(Unmade::NotC(why.unwrap_or(&ended.err).to_owned()))
        }
    }

    /// What the verifier prints with these flags.
    pub fn printed(&self, flags: &[&str]) -> Result<String, String> {
        let ended = self.run(&self.folder.join("pan"), flags)?;
        Ok(String::from_utf8_lossy(&ended.out).into_owned() + &ended.err)
    }

    /// The text of a file that SPIN wrote.
    pub fn file(&self, name: &str) -> String {
        let bytes = std::fs::read(self.folder.join(name)).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Whether SPIN lost the first statement of an escape.
    ///
    /// Where all that can be escaped from is a jump, as in `{ goto L } unless { x = 1 }`, SPIN's
    /// joining of statements takes the escape for one that cannot be reached, and the verifier
    /// never takes it. In the table of steps it has action 0 then.
    pub(crate) fn loses_escapes(&self) -> bool {
        let table = self.printed(&["-d"]).unwrap_or_default();
        let lost = |line: &str| line.contains("-(tr   0)->") && line.contains(" org ");
        table.lines().any(lost)
    }

    /// What the verifier finds in all states, going on after errors.
    pub fn answer(&self) -> VerifierAnswer {
        let mut flags = vec!["-c0", "-m50000", "-w18"];
        flags.extend(self.purpose.flags());
        match self.printed(&flags) {
            Ok(printed) => read(&printed),
            Err(why) => VerifierAnswer::Cut(why),
        }
    }
}

/// Reads what a verifier prints.
pub fn read(printed: &str) -> VerifierAnswer {
    let cut = [
        "max search depth too small",
        "aborting",
        "interrupted",
        "out of memory",
        "reached -DMEMLIM",
        "VECTORSZ",
        "too many processes",
    ];
    if let Some(words) = cut.iter().find(|words| printed.contains(**words)) {
        return VerifierAnswer::Cut((*words).to_owned());
    }
    let number = |words: &str| {
        let line = printed.lines().find(|l| l.contains(words))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    let errors = printed.split("errors: ").nth(1);
    let errors = errors.and_then(|rest| rest.split_whitespace().next()?.parse().ok());
    let (Some(n_states), Some(n_transitions), Some(n_errors)) =
        (number("states, stored"), number("transitions (="), errors)
    else {
        let last = printed.lines().rfind(|line| !line.trim().is_empty());
        return VerifierAnswer::Cut(format!("nothing said: {}", last.unwrap_or("")));
    };
    let mut said = VerifierResult {
        n_states,
        n_transitions,
        n_errors,
        stopped: printed.contains("Search not completed"),
        ..VerifierResult::default()
    };
    for line in printed.lines() {
        let Some((_, what)) = line
            .strip_prefix("pan:")
            .and_then(|rest| rest.split_once(": "))
            .filter(|(n, _)| !n.is_empty() && n.chars().all(|c| c.is_ascii_digit()))
        else {
            continue;
        };
        said.kinds.insert(kind(what));
        if said.lines.len() < 5 {
            said.lines.push(what.to_owned());
        }
    }
    VerifierAnswer::Full(said)
}

/// The kind of an error, by its words.
fn kind(what: &str) -> ErrorKind {
    let words = [
        ("invalid end state", ErrorKind::EndState),
        ("acceptance cycle", ErrorKind::AcceptanceCycle),
        ("accept stutter", ErrorKind::AcceptanceCycle),
        ("non-progress cycle", ErrorKind::ProgressCycle),
        ("end state in claim reached", ErrorKind::ClaimEnded),
        ("claim violated", ErrorKind::ClaimEnded),
        ("poll", ErrorKind::Poll),
        ("invalid array index", ErrorKind::Index),
        ("indexing", ErrorKind::Index),
        // Last, since a bad index is called an assertion too.
        ("assertion violated", ErrorKind::Assertion),
    ];
    let found = words.iter().find(|(start, _)| what.contains(start));
    found.map_or(ErrorKind::Other, |(_, kind)| *kind)
}
