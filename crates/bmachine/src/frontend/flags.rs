//! The flags of the command line that mean something for machines.

use model::frontend::Reading;

/// Flags that mean something for machines that are checked.
const FLAGS_OF_CHECK: &[&str] = &[
    "--no-deadlock",
    "--no-assertions",
    "--all-errors",
    "--stop-after",
    "--search",
    "--ltl",
    "--ctl",
    "--threads",
    "--seed",
    "--to-front",
    "--no-unreached",
    "--machine-limits",
    "--no-invariant",
    "--goal",
    "--refines",
];
/// Flags that say how large sets are, whatever is done with a machine.
const FLAGS_OF_SIZES: &[&str] = &["--set-size", "--default-set-size", "--maxint", "--minint"];

/// Those that mean something where a machine is read for this.
pub fn of(reading: Reading) -> Vec<&'static str> {
    let all = match reading {
        Reading::Only | Reading::Check => FLAGS_OF_CHECK,
        Reading::Symmetry => &[],
        Reading::Run => &["--symmetry"],
        Reading::View => &["--no-symmetry", "--where"],
    };
    all.iter().chain(FLAGS_OF_SIZES).copied().collect()
}

/// What to do instead of typing one that means nothing.
pub fn instead(flag: &str) -> Option<&'static str> {
    Some(match flag {
        "-D" | "-U" => "write a definition into DEFINITIONS of the machine",
        "--fair" | "-f" => {
            "`WF(op)` and `SF(op)` in a formula ask for fairness to an operation, `WEF` and `SEF` \
             to all"
        }
        "-a" | "-l" => "write a formula: `--ltl 'G F {predicate}'`",
        "-N" => "`-p NAME` picks a formula",
        "--detect" | "--conjugates" | "--seed" => {
            "symmetry is found in the text; `orbit symmetry FILE` shows it"
        }
        "--assert" => "a machine has one symmetry",
        _ => return None,
    })
}
