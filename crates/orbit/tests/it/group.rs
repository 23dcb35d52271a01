//! `orbit group`, as text and as JSON.

use crate::command::{json, orbit, run};
use serde_json::json as value;
use snapbox::str;

#[test]
fn the_example_of_the_readme() {
    orbit("group '(1 2 3)(4 5)' '(1 2)'")
        .assert()
        .success()
        .stderr_eq(str![])
        .stdout_eq(str![[r#"
order           12
degree          5
orbits          {1 2 3}  {4 5}
blocks          none
structure       S3 x S2
minimising set  none
generators      (1 2 3)(4 5)
                (1 2)
base            4:2  1:3  2:2

"#]]);
}

#[test]
fn the_example_of_the_readme_for_programs() {
    let object = json("group '(1 2 3)(4 5)' '(1 2)'", b"");
    assert_eq!(object["orbit"], env!("CARGO_PKG_VERSION"));
    assert_eq!(object["order"], "12");
    assert_eq!(object["degree"], 5);
    assert_eq!(object["orbits"], value!([[1, 2, 3], [4, 5]]));
    assert_eq!(object["generators"], value!(["(1 2 3)(4 5)", "(1 2)"]));
    assert_eq!(object["diagnostics"], value!([]));
    let lengths = object["transversals"].as_array().expect("a list");
    let product: u64 = lengths
        .iter()
        .filter_map(serde_json::Value::as_u64)
        .product();
    assert_eq!(product, 12);
}

#[test]
fn points_by_name() {
    let object = json(
        "group --names N,E,S,W,centre '(N E S W)' --stabiliser N",
        b"",
    );
    assert_eq!(object["order"], "4");
    assert_eq!(object["orbits"], value!([["N", "E", "S", "W"], ["centre"]]));
    assert_eq!(object["generators"], value!(["(N E S W)"]));
    assert_eq!(object["stabiliser"]["order"], "1");
}

#[test]
fn generators_from_files_and_arguments_together() {
    let from_both = json("group '(5 6)' --file square.txt", b"");
    assert_eq!(
        from_both["generators"],
        value!(["(5 6)", "(1 2 3 4)", "(1 3)"])
    );
    assert_eq!(from_both["order"], "16");
    let crlf = json("group -", b"(1 2 3 4)\r\n(1 3)\r\n");
    assert_eq!(crlf["order"], "8");
}

#[test]
fn the_identity_and_fixed_points() {
    let trivial = json("group '()' --degree 3", b"");
    assert_eq!(
        (&trivial["order"], &trivial["degree"]),
        (&value!("1"), &value!(3))
    );
    assert_eq!(trivial["orbits"], value!([[1], [2], [3]]));
    let (code, out, _) = run("group '()'", b"");
    assert_eq!(code, 0, "{out}");
}

#[test]
fn membership_decides_the_exit_code() {
    assert_eq!(run("group '(1 2 3)' --contains '(1 3 2)'", b"").0, 0);
    let (code, out, _) = run("group '(1 2 3)' --contains '(1 2)'", b"");
    assert_eq!(code, 1);
    assert!(out.contains("no: (1 2)"), "{out}");
    assert_eq!(
        json("group '(1 2 3)' --contains '(1 2)'", b"")["contains"]["answer"],
        false
    );
}

#[test]
fn random_elements_depend_on_the_seed_only() {
    let line = |seed| format!("group '(1 2 3 4 5 6 7)' '(1 2)' --random 5 --seed {seed}");
    let elements = |seed| json(&line(seed), b"")["random"]["elements"].clone();
    assert_eq!(elements(1), elements(1));
    assert_ne!(elements(1), elements(2));
    assert_eq!(elements(1).as_array().map(Vec::len), Some(5));
}

#[test]
fn every_element_is_listed_once() {
    let object = json("group '(1 2 3 4)' '(1 3)' --elements", b"");
    let elements = object["elements"].as_array().expect("a list");
    let mut texts: Vec<&str> = elements.iter().filter_map(|e| e.as_str()).collect();
    texts.sort_unstable();
    texts.dedup();
    assert_eq!(texts.len(), 8);
}

#[test]
fn stabilisers_of_points_and_sets() {
    let square = "group '(1 2 3 4)' '(1 3)'";
    let held = json(
        &format!("{square} --stabiliser 1,2 --set-stabiliser 1,2"),
        b"",
    );
    assert_eq!(held["stabiliser"]["order"], "1");
    assert_eq!(held["set_stabiliser"]["order"], "2");
    assert_eq!(held["set_stabiliser"]["generators"], value!(["(1 2)(3 4)"]));
    let diagonal = json(&format!("{square} --set-stabiliser 1,3"), b"");
    assert_eq!(diagonal["set_stabiliser"]["order"], "4");
}

#[test]
fn ten_thousand_points_stay_readable() {
    let cycle: Vec<String> = (1..=10_000).map(|i| i.to_string()).collect();
    let input = format!("({})\n(1 2)\n", cycle.join(" "));
    let (code, out, err) = run("group -", input.as_bytes());
    assert_eq!((code, err.as_str()), (0, ""));
    let order = "order           28462596809170545189… (35660 digits)\n";
    assert!(out.starts_with(order), "{out}");
    assert!(out.contains("S10000"), "{out}");
    assert!(out.lines().count() < 40, "{out}");
    assert!(out.lines().all(|line| line.chars().count() <= 100), "{out}");
    let object = json("group -", input.as_bytes());
    assert_eq!(object["orbits"][0].as_array().map(Vec::len), Some(10_000));
    assert_eq!(object["order"].as_str().map(str::len), Some(35_660));
}

#[test]
fn blocks_structure_and_minimising_sets() {
    let square = json("group '(1 2 3 4)' '(1 3)'", b"");
    assert_eq!(square["blocks"], value!([[[1, 3], [2, 4]]]));
    assert_eq!(square["blocks_complete"], true);
    assert_eq!(square["structure"], "D4");
    assert_eq!(square["minimising_set"], value!(null));
    let columns = json("group '(1 2 3)(4 5 6)' '(1 2)(4 5)'", b"");
    assert_eq!(columns["structure"], "S3");
    assert_eq!(
        columns["minimising_set"]["columns"],
        value!([[1, 4], [2, 5], [3, 6]])
    );
    let swaps = value!(["(1 2)(4 5)", "(1 3)(4 6)", "(2 3)(5 6)"]);
    assert_eq!(columns["minimising_set"]["elements"], swaps);
}

#[test]
fn images_are_equal_exactly_within_an_orbit() {
    let image = |values: &str| {
        let object = json(&format!("group '(1 2 3 4)' --image {values}"), b"");
        object["image"].clone()
    };
    let (a, b, c) = (image("5,-1,-1,0"), image("-1,-1,0,5"), image("5,-1,0,-1"));
    assert_eq!(a["canonical"]["values"], b["canonical"]["values"]);
    assert_ne!(a["canonical"]["values"], c["canonical"]["values"]);
    assert_eq!(a["least"]["values"], value!([-1, -1, 0, 5]));
    assert_eq!(
        (&a["stabiliser_order"], &a["orbit_length"]),
        (&value!("1"), &value!("4"))
    );
    let even = image("3,3,3,3");
    assert_eq!(
        (&even["stabiliser_order"], &even["orbit_length"]),
        (&value!("4"), &value!("1"))
    );
    assert_eq!(even["least"]["values"], value!([3, 3, 3, 3]));
}

/// The plain twin: all images of the tuple, listed by the binary itself.
#[test]
fn the_least_image_is_the_least_of_all() {
    let groups = [
        ("'(1 2 3 4 5)' '(2 5)(3 4)'", "3,1,4,1,5"),
        ("'(1 2)' '(1 3)(2 4)' '(5 6)'", "2,1,0,1,9,8"),
        ("'(1 2 3)(4 5 6)' '(1 2)(4 5)'", "1,1,0,0,7,7"),
        ("'(1 4)(2 5)' '(1 2 3)(4 5 6)'", "2,2,1,0,1,2"),
        ("'(6 1)(2 5)' '(3 2 1)(4 5 6)'", "0,2,1,0,1,2"),
    ];
    for (generators, values) in groups {
        let object = json(
            &format!("group {generators} --image {values} --elements"),
            b"",
        );
        let values: Vec<i64> = serde_json::from_value(object["image"]["values"].clone()).unwrap();
        let images = object["elements"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|element| {
                let mut moved = values.clone();
                for cycle in element.as_str().expect("text").split(['(', ')']) {
                    let cycle: Vec<usize> =
                        cycle.split(' ').filter_map(|x| x.parse().ok()).collect();
                    for (i, x) in cycle.iter().enumerate() {
                        moved[cycle[(i + 1) % cycle.len()] - 1] = values[x - 1];
                    }
                }
                moved
            });
        let least = images.min().expect("an element");
        assert_eq!(
            object["image"]["least"]["values"],
            value!(least),
            "{generators}"
        );
    }
}

/// A flag is honoured whatever stands beside it.
#[test]
fn every_pair_of_questions_is_answered() {
    let questions = [
        ("--stabiliser 1", "stabiliser"),
        ("--set-stabiliser 1,2", "set_stabiliser"),
        ("--image 1,2,3", "image"),
        ("--contains '(1 2 3)'", "contains"),
        ("--random 2 --seed 1", "random"),
        ("--elements", "elements"),
        ("--degree 3", "degree"),
    ];
    for (i, (first, first_key)) in questions.iter().enumerate() {
        for (second, second_key) in &questions[i + 1..] {
            let object = json(&format!("group '(1 2 3)' {first} {second}"), b"");
            let answered = |key| !object[key].is_null();
            assert!(
                answered(first_key) && answered(second_key),
                "{first} {second}: {object}"
            );
        }
    }
}

#[test]
fn colour_is_for_terminals() {
    let plain = orbit("group '(1 2)'").output().expect("it runs").stdout;
    assert!(!plain.contains(&0x1b));
    let forced = orbit("group '(1 2)'")
        .env("CLICOLOR_FORCE", "1")
        .output()
        .expect("it runs");
    assert!(forced.stdout.contains(&0x1b));
}

#[test]
fn a_closed_pipe_is_no_error() {
    let binary = env!("CARGO_BIN_EXE_orbit");
    let line = format!("{binary} group '(1 2 3 4 5 6 7 8)' '(1 2)' --elements; echo $? >&2");
    let output = std::process::Command::new("sh")
        .args(["-c", &format!("{{ {line}; }} | head -n 1")])
        .output()
        .expect("sh starts");
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        err.trim(),
        "0",
        "the exit code is that of the answer, and nothing is said"
    );
    assert_eq!(output.stdout, b"order           40320\n");
}

#[test]
fn how_a_group_is_taken_apart_is_shown() {
    for (line, tree) in [
        (
            "'(1 2 3)' '(1 2)' '(4 5 6 7)' '(4 5)' --taken-apart",
            "SEQ(MIN(3), MIN(6))",
        ),
        ("'(1 2 3 4 5)' --taken-apart", "ENUM(5)"),
        ("'(1 2 3 4 5)' --taken-apart 3", "LOCAL(1)"),
    ] {
        let (code, out, _) = run(&format!("group {line}"), b"");
        assert_eq!(code, 0);
        assert!(
            out.contains(&format!("taken apart     {tree}\n")),
            "{line}\n{out}"
        );
        assert_eq!(json(&format!("group {line}"), b"")["taken_apart"], tree);
    }
    // A search says the same of the group that it uses.
    let told = json(
        "check --reduce fast ../../models/promela/email.pml -D N=3",
        b"",
    );
    assert_eq!(told["symmetry"]["taken_apart"], "MIN(3)");
    let told = json("check ../../models/promela/email.pml -D N=3", b"");
    assert!(told["symmetry"]["taken_apart"].is_null());
}
