//! `orbit-bench`: the form of what it prints. No test judges a time.

use snapbox::cmd::Command;

/// `orbit-bench` with the words of `line`; single quotes keep words together.
fn bench(line: &str) -> Command {
    let quoted = line.split('\'').enumerate();
    let words = quoted.flat_map(|(i, part)| match i % 2 {
        0 => part.split_whitespace().collect(),
        _ => vec![part],
    });
    let command = Command::new(env!("CARGO_BIN_EXE_orbit-bench"));
    command.env_remove("CLICOLOR_FORCE").args(words)
}

/// Its exit code, standard output and standard error.
fn run(line: &str) -> (i32, String, String) {
    let output = bench(line).output().expect("the binary starts");
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    let code = output.status.code().expect("no signal ended it");
    (code, text(output.stdout), text(output.stderr))
}

/// The object printed with `--json`.
fn json(line: &str) -> serde_json::Value {
    let (_, out, err) = run(&format!("{line} --json"));
    serde_json::from_str(&out).unwrap_or_else(|why| panic!("{line}: {why}\n{out}\n{err}"))
}

const KEYS: [&str; 17] = [
    "suite",
    "case",
    "tool",
    "outcome",
    "times",
    "cpu_seconds",
    "seconds_each",
    "ratio",
    "remark",
    "agrees",
    "states",
    "transitions",
    "states_per_second",
    "transitions_per_second",
    "bytes_per_state",
    "representatives_share",
    "successors_share",
];

fn assert_runs(answer: &serde_json::Value, suite: &str, tools: &[&str]) {
    assert_eq!(answer["suite"], suite);
    let runs = answer["runs"].as_array().expect("runs");
    let found: Vec<_> = runs.iter().map(|run| run["tool"].as_str()).collect();
    assert_eq!(
        found,
        tools.iter().map(|&tool| Some(tool)).collect::<Vec<_>>()
    );
    for run in runs {
        let keys: Vec<&String> = run.as_object().expect("an object").keys().collect();
        assert_eq!(keys, KEYS);
        assert_ne!(run["agrees"], false, "{run}");
    }
    assert_eq!(runs[0]["tool"], "orbit");
    assert_eq!(runs[0]["outcome"], "measured");
    assert!(runs[0]["times"].as_u64().is_some_and(|times| times > 0));
}

/// The runs of a case of `thesis` that stands in three of its tables.
const OF_THESIS: [&str; 10] = [
    "orbit",
    "topspin",
    "topspin enum",
    "topspin fast",
    "orbit",
    "orbit fast",
    "orbit local-search",
    "orbit",
    "orbit segmented",
    "topspin segmented",
];

#[test]
fn one_case_of_growth_and_of_views() {
    let short = "--seconds 0.01 --limit 20";
    let growth = json(&format!("growth --only 'growth mutex N=4' {short}"));
    assert_runs(&growth, "growth", &["orbit", "orbit none", "pan"]);
    assert_eq!(
        (&growth["runs"][0]["states"], &growth["runs"][1]["states"]),
        (&10.into(), &49.into())
    );
    let views = json(&format!("view --only 'printed phonebook' {short}"));
    let tools = ["", " signature", " dfa", " dfa minimal", " bisimulation"];
    let tools = tools.map(|tool| format!("orbit{tool}"));
    let tools: Vec<&str> = tools.iter().map(String::as_str).collect();
    assert_runs(&views, "view", &tools);
    assert_eq!(views["runs"][2]["agrees"], true);
}

/// The runs of a case of `replicated`.
const REPLICATED: [&str; 9] = [
    "orbit",
    "orbit none",
    "orbit pseudo-sort",
    "orbit sorted",
    "orbit pseudo-sort-declared",
    "orbit pseudo-sort-first",
    "printed states",
    "printed first",
    "printed last",
];

#[test]
fn one_case_of_each_suite() {
    let short = "--seconds 0.01 --limit 20";
    let images = json(&format!("images --only 'S3 wr S4 idle' {short}"));
    assert_runs(&images, "images", &["orbit", "enumeration", "nauty"]);
    let chains = json(&format!("chains --only 'm24 scrambled' {short}"));
    assert_runs(&chains, "chains", &["orbit", "gap", "gap unproved"]);
    let graphs = json(&format!("graphs --only 'rook' {short}"));
    assert_runs(&graphs, "graphs", &["orbit", "bliss", "nauty", "traces"]);
    let thesis = json(&format!("thesis --only 'email 3' {short}"));
    assert_runs(&thesis, "thesis", &OF_THESIS);
    let share = |key: &str| thesis["runs"][4][key].as_f64().expect("a share");
    let (images, moves) = (share("representatives_share"), share("successors_share"));
    assert!(images > 0.0 && moves > 0.0 && images + moves <= 1.0);
    assert_eq!(thesis["runs"][5]["states"], 3914);
    assert_eq!(thesis["runs"][0]["states"], 3902);
    assert_eq!(thesis["runs"][1]["agrees"], true);
    let told = json(&format!("replicated --only 'matching 2' {short}"));
    assert_runs(&told, "replicated", &REPLICATED);
    assert_eq!(told["runs"][6]["agrees"], true);
    let told = json(&format!("symmspin --only '3 simpler' {short}"));
    assert_eq!(told["runs"][0]["states"], 1976);
    let prob = json(&format!("prob --only 'prob phonebook 2' {short}"));
    assert_eq!(prob["runs"].as_array().map(Vec::len), Some(10));
    assert_eq!(prob["runs"][1]["tool"], "orbit");
    assert_eq!(prob["runs"][1]["states"], 5);
    assert_eq!(prob["runs"][1]["agrees"], true);
    let csp = json(&format!("csp --only 'csp hanoi 5-4' {short}"));
    let ours = [
        "",
        " none",
        " sym-check-1",
        " sym-check-2",
        " sym-check-3",
        " descent",
    ];
    let ours = ours.map(|name| format!("orbit{name}"));
    let printed = ["none", "sym-check-1", "sym-check-2"].map(|name| format!("printed {name}"));
    let tools: Vec<&str> = ours.iter().chain(&printed).map(String::as_str).collect();
    assert_runs(&csp, "csp", &tools);
    assert_eq!(
        (&csp["runs"][0]["states"], &csp["runs"][1]["states"]),
        (&52.into(), &625.into())
    );
    let promela = json(&format!("promela --only 'leader N=3' {short}"));
    let plain = ["orbit", "orbit", "spin", "pan"];
    let default = ["orbit", "orbit", "spin", "pan", "spin po", "pan po"];
    let tools = [&plain[..], &default[..]].concat();
    assert_runs(&promela, "promela", &tools);
    let runs = promela["runs"].as_array().expect("runs");
    let (whole, search) = (&runs[0], &runs[1]);
    assert_eq!(
        (&whole["suite"], &search["suite"]),
        (&"promela".into(), &"search".into())
    );
    let counts = (search["states"].as_u64(), search["transitions"].as_u64());
    assert_eq!(counts, (Some(1120), Some(2542)));
    assert!(
        search["bytes_per_state"]
            .as_f64()
            .is_some_and(|bytes| bytes > 8.0)
    );
    if runs[2]["outcome"] == "measured" {
        assert_eq!(
            (&runs[2]["agrees"], &runs[3]["agrees"]),
            (&true.into(), &true.into())
        );
        assert_eq!(runs[3]["states"], 1120);
    }
}

#[test]
fn an_answer_of_the_language_server_is_measured() {
    // The program may not have been built.
    let lsp = json("lsp --only 'long.pml hover' --seconds 0.01 --limit 20");
    assert_runs(&lsp, "lsp", &["orbit"]);
}

#[test]
fn the_text_is_a_table_and_the_file_has_a_line_a_run() {
    let file = std::env::temp_dir().join(format!("orbit-bench-test-{}.jsonl", std::process::id()));
    let line = format!(
        "kernels --only 'C16 idle' --seconds 0.01 --output {}",
        file.display()
    );
    let (code, out, err) = run(&line);
    let lines = std::fs::read_to_string(&file);
    std::fs::remove_file(&file).expect("a file was written");
    assert_eq!(code, 0, "{err}");
    let rows: Vec<&str> = out.lines().collect();
    assert_eq!(rows.len(), 2, "{out}");
    assert!(rows[0].starts_with("images "), "{out}");
    assert!(rows[1].starts_with("C16 idle "), "{out}");
    assert!(err.contains("C16 idle"), "progress: {err}");
    let lines = lines.expect("a readable file");
    let tools: Vec<serde_json::Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(tools.len(), 3);
    assert_eq!(tools[1]["tool"], "enumeration");
}

#[test]
fn rivals_may_be_absent() {
    for (suite, case, n_rivals) in [
        ("images", "S3 wr S4 plain", 1),
        ("chains", "S3 wr S4 scrambled", 2),
        ("graphs", "rook", 3),
        ("promela", "railway", 6),
    ] {
        let line = format!("{suite} --seconds 0.01 --json --only '{case}'");
        let output = bench(&line).env("PATH", "").output().expect("it starts");
        assert_eq!(output.status.code(), Some(0));
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let runs = answer["runs"].as_array().expect("runs");
        let absent = runs.iter().filter(|run| run["outcome"] == "not installed");
        assert_eq!(absent.count(), n_rivals, "{answer}");
        assert_eq!(runs[0]["outcome"], "measured");
    }
}

#[test]
fn mistakes() {
    let (code, out, err) = run("haste");
    assert_eq!((code, out.as_str()), (2, ""));
    for word in [
        "there is no suite `haste`",
        "kernels",
        "images",
        "chains",
        "graphs",
        "promela",
    ] {
        assert!(err.contains(word), "{word} is missing from {err}");
    }
    let (code, _, err) = run("images --only nothing-like-it");
    assert_eq!(code, 2);
    assert!(err.contains("no case of images"), "{err}");
    let (code, _, err) = run("images --seconds=-1 --limit nan");
    assert_eq!(code, 2);
    assert!(
        err.contains("--seconds is -1") && err.contains("--limit is NaN"),
        "{err}"
    );
    let (code, _, err) = run("images --only 'C16' --output /no/such/folder/x");
    assert_eq!(code, 2);
    assert!(err.contains("cannot write"), "{err}");
}
