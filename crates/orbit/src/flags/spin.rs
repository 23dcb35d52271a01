//! What the fingers of SPIN's users type, and what to type here instead.
//!
//! SPIN's long flags start with one dash, so our own reading of the command line would take `-run`
//! for `-r -u -n`. The words are therefore looked at before they are read: a word that is SPIN's
//! and not ours is answered with what does the same here. Words that mean the same in both are not
//! in these lists.
//!
//! Example: `orbit -run -E model.pml` is answered with "`-run` is SPIN's: `orbit check FILE`
//! compiles nothing and searches at once".

/// The answer to a command line that has words of SPIN's in it, or `None` if it has none.
///
/// `words` are those after the name of the program.
pub fn advice(words: &[String]) -> Option<String> {
    // Flags with two dashes are ours and may stand before the command.
    let at = words.iter().position(|word| !word.starts_with("--"))?;
    let words = &words[at..];
    match words[0].as_str() {
        "check" => told(&words[1..], CHECK),
        "simulate" => told(&words[1..], SIMULATE),
        word if word.starts_with('-') && word.len() > 1 => told(words, &[TOP, CHECK].concat()),
        word if is_model(word) => Some(format!(
            "`orbit {word}` lacks a command; type `orbit check {word}` to check it, or \
             `orbit simulate {word}` to run it"
        )),
        _ => None,
    }
}

/// A word of SPIN's and the answer to it. A word that ends in `*` stands for all that start so.
type SpinWord = (&'static str, &'static str);

/// Without a command.
const TOP: &[SpinWord] = &[
    ("-a", "`orbit check FILE` searches at once"),
    ("-t", REPLAY),
    ("-t*", REPLAY),
    ("-k", REPLAY),
    ("-p", "`orbit simulate FILE` shows every step"),
    ("-g", "`orbit simulate FILE` shows what every step changes"),
    ("-l", "`orbit simulate FILE` shows what every step changes"),
    ("-r", "`orbit simulate FILE` shows every step"),
    ("-s", "`orbit simulate FILE` shows every step"),
    ("-c", "`orbit simulate FILE` shows every step"),
    ("-i", "`orbit simulate -i FILE`"),
    ("-u*", "`orbit simulate -n N FILE` stops after N steps"),
    ("-n*", "`orbit simulate --seed N FILE`"),
    ("-o*", "`--plain` after `orbit check` is all of -o1 -o2 -o3"),
    ("-f", "`orbit check --ltl FORMULA FILE` checks a formula"),
    (
        "-D*",
        "macros are defined after the command: `orbit check -D NAME=VALUE FILE`",
    ),
    (
        "-m",
        "sends to full channels block here; losing them (`spin -m`) is not there yet",
    ),
];

/// After `check`.
const CHECK: &[SpinWord] = &[
    (
        "-run",
        "`orbit check FILE` compiles nothing and searches at once",
    ),
    (
        "-search",
        "`orbit check FILE` compiles nothing and searches at once",
    ),
    ("-replay", REPLAY),
    ("-bfs", "the search is by breadth already; leave it out"),
    ("-dfs", "`--search dfs`"),
    (
        "-bfspar",
        "a search by breadth uses all cores; `--threads N` says how many",
    ),
    (
        "-bitstate",
        "states are kept exactly; a lossy store is not there yet",
    ),
    (
        "-biterate",
        "states are kept exactly; a lossy store is not there yet",
    ),
    ("-swarm*", "it is not there yet"),
    ("-bcs", "it is not there yet"),
    (
        "-collapse",
        "states are always kept compressed; leave it out",
    ),
    (
        "-hc*",
        "states are kept exactly; hash compaction is not there yet",
    ),
    (
        "-noclaim",
        "`-p deadlock` or `-p assertions` leaves claims out",
    ),
    (
        "-noreduce",
        "there is no partial-order reduction yet; leave it out",
    ),
    ("-o1", "`--plain` is all of -o1 -o2 -o3"),
    ("-o2", "`--plain` is all of -o1 -o2 -o3"),
    ("-o3", "`--plain` is all of -o1 -o2 -o3"),
    (
        "-ltl",
        "`-p NAME` checks one formula of the model, `--ltl FORMULA` another",
    ),
    ("-link", "C code cannot be linked"),
    ("-t", REPLAY),
    ("-g", "`orbit simulate FILE` shows runs"),
    ("-r", REPLAY),
    (
        "-C",
        "`orbit simulate --replay FILE MODEL` shows the run of a trail",
    ),
    ("-d", "`orbit check --parse-only FILE` shows what was read"),
    (
        "-b",
        "beyond `--depth N` the verdict is unknown, never an error",
    ),
    ("-J", "it is not there"),
    (
        "-M",
        "`--depth N` bounds the depth, `--memory SIZE` the memory",
    ),
    ("-Q*", "`--time LIMIT` stops the search: `--time 5m`"),
    ("-x", "trails are written only where `--trail FILE` says"),
    ("-T", "trails are written only where `--trail FILE` says"),
];

/// After `simulate`.
const SIMULATE: &[SpinWord] = &[
    ("-t", REPLAY),
    ("-k", REPLAY),
    (
        "-p",
        "every step is shown; leave it out, or `--quiet` to see only what the model prints",
    ),
    ("-l", "what a step changes is shown beside it; leave it out"),
    ("-r", "every step is shown; leave it out"),
    ("-s", "every step is shown; leave it out"),
    ("-v", "every step is shown; leave it out"),
    ("-c", "every step is shown; leave it out"),
    (
        "-b",
        "what the model prints is part of the run; `--json` gives it apart",
    ),
    (
        "-B",
        "the final state is shown with `--state` only; leave it out",
    ),
    ("-T", "output is not indented by process; leave it out"),
    (
        "-j*",
        "a run is shown from its start; skipping steps is not there",
    ),
    (
        "-run",
        "`orbit check FILE` searches; `orbit simulate FILE` runs at random",
    ),
    (
        "-search",
        "`orbit check FILE` searches; `orbit simulate FILE` runs at random",
    ),
];

const REPLAY: &str = "`orbit simulate --replay FILE.trail MODEL` follows a trail";

/// The answer to the first word that is in the list. Values of flags are not words of their own,
/// but none of them starts with a dash.
fn told(words: &[String], answers: &[SpinWord]) -> Option<String> {
    let is = |word: &str, (typed, _): &SpinWord| match typed.strip_suffix('*') {
        Some(start) => word.starts_with(start) && !word.starts_with("--"),
        None => word == *typed,
    };
    words
        .iter()
        .take_while(|word| *word != "--")
        .find_map(|word| {
            let answer = answers.iter().find(|answer| is(word, answer))?;
            let typed = answer.0.trim_end_matches('*');
            Some(format!("`{typed}` is SPIN's; here: {}", answer.1))
        })
}

fn is_model(word: &str) -> bool {
    [".pml", ".promela", ".prm", ".spin"]
        .iter()
        .any(|end| word.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(line: &str) -> Option<String> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        advice(&words)
    }

    #[test]
    fn words_of_spin_are_answered() {
        for (line, part) in [
            (
                "-run -E m.pml",
                "`-run` is SPIN's; here: `orbit check FILE`",
            ),
            ("-a m.pml", "`orbit check FILE`"),
            ("-t3 m.pml", "--replay"),
            ("check -bfs m.pml", "leave it out"),
            ("check m.pml -noclaim", "leaves claims out"),
            ("check -dfs m.pml", "`--search dfs`"),
            ("simulate -t m.pml", "--replay"),
            ("m.pml", "`orbit check m.pml`"),
        ] {
            let said = said(line).unwrap_or_else(|| panic!("no answer to {line}"));
            assert!(said.contains(part), "{line}: {said}");
        }
    }

    #[test]
    fn our_own_words_are_not() {
        let ours = [
            "check m.pml -m100 -c0 -e -E -A -n -D N=3 -DN=3 -U N -I dir -i --ltl x",
            "check - --search dfs",
            "check m.pml -- -run",
            "simulate -i -n 5 --seed 7 m.pml -u5 -g",
            "group (1,2)",
            "--help",
            "-h",
            "-V",
            "--json check m.pml -p deadlock",
            "check -h",
        ];
        for line in ours {
            assert_eq!(said(line), None, "{line}");
        }
    }
}
