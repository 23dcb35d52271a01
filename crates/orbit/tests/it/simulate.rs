//! `orbit simulate`: at random, by hand, along recorded runs of ours and of SPIN's.

use crate::command::{Folder, json, run};

/// Two processes take a lock; one says so.
const LOCK: &str = "bool locked;\nactive [2] proctype user() {\n\tatomic { !locked -> \
                    locked = true };\n\tprintf(\"%d is in\\n\", _pid);\n\tlocked = false\n}\n";

/// A rendezvous, a choice, a `d_step`, and an assertion that fails on one way.
const WAYS: &str = "\
byte x;
chan c = [0] of { byte };
proctype P(byte n) {
  do
  :: x < 3 -> x++
  :: atomic { x == 3 -> x = 5; x = 4 }
  :: x == 4 -> c!n; break
  od;
  assert(n != 2)
}
active proctype Q() {
  byte z;
  c?z;
  d_step { z = z + 1; x = z }
}
init { atomic { run P(1); run P(2) } }
";

#[test]
fn a_seed_decides_a_run() {
    let (code, out, err) = run("simulate --seed 5 -", LOCK.as_bytes());
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert_eq!(run("simulate --seed 5 -", LOCK.as_bytes()).1, out);
    let runs = (0..8).map(|seed| run(&format!("simulate --seed {seed} -"), LOCK.as_bytes()).1);
    let different: std::collections::BTreeSet<String> = runs
        .map(|text| text.split_once('\n').expect("a seed line").1.to_owned())
        .collect();
    assert!(different.len() > 1, "{different:?}");
    for part in [
        "seed            5",
        "locked = true",
        "       | 0 is in",
        "end ",
    ] {
        assert!(out.contains(part), "{part}\n{out}");
    }
}

#[test]
fn a_run_without_a_seed_prints_the_one_it_drew() {
    let (_, out, _) = run("simulate -", LOCK.as_bytes());
    let seed = out
        .lines()
        .next()
        .and_then(|line| line.strip_prefix("seed"))
        .expect("a seed");
    let again = run(
        &format!("simulate --seed {} -", seed.trim()),
        LOCK.as_bytes(),
    )
    .1;
    assert_eq!(again, out);
}

#[test]
fn limits_and_what_is_shown() {
    let (code, out, _) = run("simulate --seed 1 -n 3 -g -", LOCK.as_bytes());
    assert_eq!(code, 0);
    assert!(out.contains("stopped         after 3 steps"), "{out}");
    assert!(out.contains("state           locked = "), "{out}");
    assert_eq!(
        run("simulate --seed 1 -u3 -g -", LOCK.as_bytes()).1,
        out,
        "spin's letter"
    );
    let (_, out, _) = run("simulate --quiet --seed 1 -", LOCK.as_bytes());
    assert!(
        out.contains("\n0 is in\n") && !out.contains("locked"),
        "{out}"
    );
}

#[test]
fn errors_end_a_run() {
    for (text, parts) in [
        (
            "init { assert(false) }",
            vec!["error", "assertion violated", "assert(false)"],
        ),
        (
            "byte a[2]; byte i = 2; init { a[i] = 1 }",
            vec!["error", "index out of bounds"],
        ),
        (
            "byte x; init { x = 1 / x }",
            vec!["error", "division by zero"],
        ),
        (
            "byte x; init { x == 1 }",
            vec!["deadlock", "waiting", "init(0) at line 1: x == 1"],
        ),
    ] {
        let (code, out, err) = run("simulate -", text.as_bytes());
        assert_eq!((code, err.as_str()), (1, ""), "{text}");
        for part in parts {
            assert!(out.contains(part), "{text}: {part}\n{out}");
        }
    }
}

#[test]
fn an_assertion_in_an_atomic_block_ends_a_run_where_it_stands() {
    let text = "byte x; init { atomic { x = 1; assert(x == 2); x = 3 } }";
    let (code, out, _) = run("simulate -", text.as_bytes());
    assert!(code == 1 && !out.contains("x = 3"), "{out}");
    let found = json("check -", text.as_bytes());
    let steps = &found["properties"][1]["witness"]["steps"];
    assert_eq!(steps.as_array().map(Vec::len), Some(3), "{steps}");
}

#[test]
fn json_is_one_object() {
    let object = json("simulate --seed 3 -", LOCK.as_bytes());
    assert_eq!(
        (&object["seed"], &object["ended"]),
        (&3.into(), &"end".into())
    );
    let steps = object["steps"].as_array().expect("steps");
    assert_eq!(
        steps.len() as u64,
        object["n_steps"].as_u64().expect("a number")
    );
    assert!(
        steps.iter().any(|step| step["printed"] == "0 is in\n"),
        "{object}"
    );
    assert_eq!(object["initial_state"]["locked"], "false");
    assert_eq!(object["state"]["locked"], "false");
}

#[test]
fn a_person_chooses_by_number() {
    let folder = Folder::new("by-hand");
    let text = "byte x = 7;\nactive [2] proctype user() {\n\tdo :: x = _pid od\n}\n";
    let path = folder.write("m.pml", text);
    let line = format!("simulate -i '{path}'");
    let (code, out, err) = run(&line, b"2\nx\ns\nq\n");
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains("    1  user(0)"), "{out}");
    assert!(
        err.contains("choice (1-2, r, s, u, q)") && err.contains("a number from 1 to"),
        "{err}"
    );
    assert!(
        err.contains("x = 0") && err.contains("user(1) at line 3"),
        "{err}"
    );
    let (_, out, _) = run(&line, b"2\nu\n1\n");
    assert!(
        out.contains("taken back      to step 0") && out.contains("    1  user(1)"),
        "{out}"
    );
    let (code, out, _) = run(&line, b"");
    assert!(
        code == 0 && out.contains("stopped         after 0 steps"),
        "the input ends: {out}"
    );
    let (code, _, err) = run("simulate -i -", b"init { skip }");
    assert!(
        code == 2 && err.contains("standard input cannot be both"),
        "{err}"
    );
}

#[test]
fn our_trails_are_replayed() {
    let folder = Folder::new("ours");
    let (model, trail) = (folder.write("ways.pml", WAYS), folder.path("run.jsonl"));
    for rules in ["", "--plain", "--spin-compat", "--search dfs"] {
        let (code, _, err) = run(
            &format!("check -E {rules} --trail '{trail}' '{model}'"),
            b"",
        );
        assert_eq!(code, 1, "{rules}: {err}");
        let (code, out, err) = run(&format!("simulate --replay '{trail}' '{model}'"), b"");
        assert_eq!(code, 1, "{rules}: {out}{err}");
        assert!(out.contains("assertion violated"), "{rules}: {out}");
    }
    let (code, _, err) = run(
        &format!("simulate --replay '{trail}' -D X=1 '{model}'"),
        b"",
    );
    assert!(
        code == 2 && err.contains("recorded on another text"),
        "{err}"
    );
    folder.write("ways.pml", WAYS.replace("n != 2", "n != 3"));
    let (code, _, err) = run(&format!("simulate --replay '{trail}' '{model}'"), b"");
    assert!(
        code == 2 && err.contains("recorded on another text"),
        "{err}"
    );
}

#[test]
fn trails_of_deadlocks_end_in_them() {
    let text = "chan c = [1] of { byte };\nactive proctype P() { c!1 }\n\
                active proctype Q() { byte x; c?x; c?x }\nactive proctype R() { skip }\n";
    let folder = Folder::new("deadlock");
    let (model, trail) = (folder.write("m.pml", text), folder.path("run.jsonl"));
    let (code, _, err) = run(&format!("check --trail '{trail}' '{model}'"), b"");
    assert_eq!(code, 1, "{err}");
    let (code, out, err) = run(&format!("simulate --replay '{trail}' '{model}'"), b"");
    assert_eq!(code, 1, "{out}{err}");
    assert!(
        out.contains("deadlock ") && out.contains("Q(1) at line 3: c?x"),
        "{out}"
    );
}

/// What SPIN 6.5.2 writes for [`WAYS`] with `-o1 -o2 -o3`, and by default, run with `pan -E`.
const OF_SPIN: [&str; 2] = [
    "1:1:19\n2:1:20\n3:3:0\n4:3:1\n5:3:0\n6:3:1\n7:3:0\n8:3:1\n9:3:2\n\
     10:3:3\n11:3:4\n12:3:6\n13:3:7\n14:0:14\n15:3:12\n",
    "-4:-4:-4\n1:1:19\n2:1:20\n3:3:0\n4:3:1\n5:3:0\n6:3:1\n7:3:0\n8:3\
     :1\n9:3:2\n10:3:6\n11:3:7\n12:0:14\n13:3:12\n",
];

#[test]
fn trails_of_spin_are_replayed() {
    let folder = Folder::new("spin");
    let model = folder.write("ways.pml", WAYS);
    for text in OF_SPIN {
        let trail = folder.write("ways.pml.trail", text);
        let (code, out, err) = run(&format!("simulate --replay '{trail}' '{model}'"), b"");
        assert_eq!(code, 1, "{text}: {out}{err}");
        assert!(out.contains("assertion violated"), "{text}: {out}");
    }
    let trail = folder.write("wrong.trail", "1:1:19\n2:1:99\n");
    let (code, _, err) = run(&format!("simulate --replay '{trail}' '{model}'"), b"");
    assert_eq!(code, 2);
    assert!(
        err.contains("wrong.trail:2:1") && err.contains("cannot take this step here"),
        "{err}"
    );
    // A loop that does not come back to where it began is shown, and not said to go round.
    let trail = folder.write("cycle.trail", "-1:-1:-1\n1:1:19\n");
    let (code, out, err) = run(&format!("simulate --replay '{trail}' '{model}'"), b"");
    assert_eq!(code, 0, "{out}{err}");
    assert!(
        out.contains("again and again") && out.contains("recorded run is over"),
        "{out}"
    );
    let trail = folder.write("noise.trail", "hello\n");
    let (code, _, err) = run(&format!("simulate --replay '{trail}' '{model}'"), b"");
    assert!(code == 2 && err.contains("no line of a trail"), "{err}");
}

/// The numbers are those with which `spin -t` follows the trail to the failed assertion.
#[test]
fn our_trails_are_written_in_spins_form() {
    let folder = Folder::new("to-spin");
    let (model, trail) = (
        folder.write("ways.pml", WAYS),
        folder.path("ways.pml.trail"),
    );
    let (code, _, err) = run(
        &format!("check -E --plain --trail '{trail}' '{model}'"),
        b"",
    );
    assert_eq!(code, 1, "{err}");
    let written = std::fs::read_to_string(&trail).expect("a trail");
    assert_eq!(written, OF_SPIN[0]);
    let (code, _, err) = run(
        &format!("check -E --spin-compat --trail '{trail}' '{model}'"),
        b"",
    );
    assert!(
        code == 2 && err.contains("merged statements cannot be written"),
        "{err}"
    );
}

/// `pan -e` goes on after a false assertion, so that its trails may pass through some.
#[test]
fn a_trail_may_pass_through_false_assertions() {
    let text = "byte x; init { assert(x == 1); x = 2; assert(x == 3) }";
    let folder = Folder::new("through");
    let model = folder.write("m.pml", text);
    let trail = folder.write("m.pml.trail", "1:0:0\n2:0:1\n3:0:2\n");
    let (code, out, err) = run(&format!("simulate --replay '{trail}' '{model}'"), b"");
    assert_eq!(code, 1, "{err}");
    assert!(out.contains("       ! assertion violated"), "{out}");
    assert!(out.contains("after 3 steps: assertion violated"), "{out}");
}

#[test]
fn steps_out_of_inlines_have_their_calls() {
    let text = "byte a;\ninline set(v) { a = v; assert(a == 0) }\nactive proctype P() { set(3) }";
    let object = json("simulate --seed 1 -", text.as_bytes());
    let step = &object["steps"][0];
    assert_eq!(
        (&step["step"], &step["line"]),
        (&"a = v".into(), &2.into()),
        "{step}"
    );
    assert_eq!(step["called_from"][0], "set(3) in line 3", "{step}");
    let message = object["message"].as_str().unwrap_or_default();
    assert!(message.contains("in set(3) in line 3"), "{message}");
}

#[test]
fn a_move_of_one_process_is_offered_for_those_of_others() {
    let folder = Folder::new("classes");
    let text = "byte n;\nactive [3] proctype P() { do :: n < 2 -> n++ :: n > 0 -> n-- od }\n";
    let path = folder.write("m.pml", text);
    let (_, out, err) = run(&format!("simulate -i --symmetry {path}"), b"2\nq\n");
    let part = "   2  P(1) 2: n < 2\n      stands for 1 other: P(0) n < 2\n";
    assert!(err.contains(part), "{err}");
    assert!(err.contains("choice (1-2, r, s, u, q)"), "{err}");
    assert!(out.contains("~ stands for 2 others"), "{out}");
}
