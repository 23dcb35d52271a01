//! `orbit symmetry`: what it shows, and that what breaks symmetry is named with its line.

use crate::command::{Folder, json, run};
use crate::counts::compile;
use group::graph::{automorphisms, preserves};
use group::largest::{CosetProgress, Effort};
use group::{Budget, Group, Perm, Point};
use model::processes::passes::Setting;
use reduce::processes::detect::graph_of;
use reduce::processes::diagram::{Diagram, largest, vertex};
use reduce::processes::extend::extension;
use serde_json::{Value, json};

/// The path of a model, from the folder of the guide.
fn model(name: &str) -> String {
    format!("../../models/promela/{name}.pml")
}

/// A model of three clients with a part of each kind that can be broken.
fn clients(globals: &str, body: &str, start: &str) -> String {
    format!(
        "byte x; {globals}\n\
         proctype client(byte id)\n\
         {{ end: do :: x == 0 -> x = id; {body} x = 0 od }}\n\
         init {{ atomic {{ run client(1); run client(2); run client(3) {start} }} }}\n"
    )
}

/// The blockers of a model, those of its processes first.
#[track_caller]
fn blockers(text: &str, flags: &str) -> Vec<Value> {
    let told = json(&format!("symmetry - {flags}"), text.as_bytes());
    told["blockers"].as_array().expect("a list").clone()
}

#[test]
fn a_model_without_faults_has_no_blockers() {
    let text = clients("", "", "");
    assert_eq!(blockers(&text, ""), [] as [Value; 0]);
    let told = json("symmetry -", text.as_bytes());
    assert_eq!(told["group_order"], "6");
    assert_eq!(told["structure"], "S3");
    let orbits = json!([["init(0)"], ["client(1)", "client(2)", "client(3)"]]);
    assert_eq!(told["orbits"]["processes"], orbits);
    let sorts = told["sorts"].as_array().expect("a list");
    let ids = sorts
        .iter()
        .find(|sort| sort["moves"] == true)
        .expect("a sort that moves");
    assert_eq!(ids["members"], json!(["0", "1", "2", "3"]));
    assert_eq!(ids["origin"], json!(["x", "client:id"]));
}

/// A fault is planted, and the first blocker must have this line, these words and this advice.
#[track_caller]
fn told_of(text: &str, flags: &str, line: Option<u32>, parts: &[&str]) {
    let all = blockers(text, flags);
    let first = all
        .first()
        .unwrap_or_else(|| panic!("nothing is told of\n{text}"));
    assert_eq!(first["line"], json!(line), "{first}");
    let words = format!("{} {} {}", first["of"], first["reason"], first["advice"]);
    for part in parts {
        assert!(words.contains(part), "{part:?} is not in {words}");
    }
}

#[test]
fn a_literal_is_told_with_its_line() {
    let text = clients("", "\nif :: id == 2 -> x = 0 :: else fi;", "");
    told_of(
        &text,
        "",
        Some(4),
        &[
            "client(1)",
            "client(2)",
            "`id == 2` names 2",
            "say the same",
        ],
    );
}

#[test]
fn a_first_value_is_told() {
    let text = clients(
        "bit ready[4];",
        "ready[id]; ready[id] = 1;",
        "; ready[3] = 1",
    );
    told_of(
        &text,
        "",
        None,
        &["`ready[1]` is 0 and `ready[3]` is 1", "start alike"],
    );
}

#[test]
fn an_argument_is_told() {
    let text = "byte x; proctype p(byte id; bool fast) { end: do :: fast -> x = id :: x = 0 od }\n\
                init { atomic { run p(1, false); run p(2, true) } }\n";
    told_of(
        text,
        "",
        None,
        &[
            "`p(1).fast` is false and `p(2).fast` is true",
            "start alike",
        ],
    );
}

#[test]
fn arithmetic_is_told_with_its_line() {
    let text = clients("int sum;", "\nsum = sum + id; sum < 9;", "");
    told_of(
        &text,
        "",
        Some(4),
        &[
            "`client(1).id` is 1",
            "count as numbers",
            "`sum = sum + id`",
        ],
    );
}

#[test]
fn a_loop_in_order_is_told_with_its_line() {
    let text = "byte seen[3];\nactive [3] proctype p() { byte i;\n\
                do ::\nfor (i : 0 .. 2) { seen[i] = 1 }; seen[_pid] = 0 od }\n";
    let all = blockers(text, "");
    let told = all
        .iter()
        .find(|b| b["reason"].as_str().is_some_and(|r| r.contains("the loop")));
    let told = told.unwrap_or_else(|| panic!("{all:?}"));
    assert_eq!(told["line"], 4);
    // Inside an atomic block its rounds may be taken in any order, and nothing is in the way.
    let atomic = text.replace("for", "atomic { for").replace("};", "} };");
    assert_eq!(blockers(&atomic, ""), [] as [Value; 0]);
}

#[test]
fn the_order_of_ends_is_told_under_the_rules_of_spin() {
    let text = "byte n; active [2] proctype p() { n = 1 }\n";
    assert_eq!(blockers(text, ""), [] as [Value; 0]);
    told_of(
        text,
        "--plain",
        None,
        &["goes away only after", "default rules"],
    );
    // Where somebody could see it, also under ours, with the reason.
    let counts = text.replace("n = 1", "_nr_pr == 2; n = 1");
    let asks = &["goes away only after", "somebody asks", "end: false"];
    told_of(&counts, "", None, asks);
}

/// One of `i < 3` and `i >= 3` always holds, so that the maker never waits for others.
#[test]
fn processes_made_in_a_loop_with_two_conditions_are_made_in_one_go() {
    let text = "byte n; proctype p() { n = 1 } init { byte i; atomic { i = 0;\n\
                do :: i < 3 -> run p(); i++ :: i >= 3 -> break od } }\n";
    let order = |text: &str| json("symmetry -", text.as_bytes())["group_order"].clone();
    assert_eq!(order(text), "6");
    // Where neither need hold, others go on before all are made.
    let late = text.replace("i >= 3", "i > 3");
    assert_eq!(order(&late), "1");
    told_of(&late, "", None, &["goes away only after", "made after"]);
    assert_eq!(order(&text.replace("i >= 3", "i >= 3 && n")), "1");
}

#[test]
fn what_the_making_breaks_is_told_with_its_line() {
    let making = |text: &str| json("symmetry - --plain", text.as_bytes())["making"].clone();
    let text = "byte x; proctype p() { end: do :: x = 1 - x od }\ninit {\nrun p(); run p() }\n";
    let told = making(text);
    assert_eq!(told[0]["line"], 3, "{told}");
    assert!(
        told[0]["reason"]
            .as_str()
            .is_some_and(|r| r.contains("before all are made"))
    );
    let atomic = text.replace("run p(); run p()", "atomic { run p(); run p() }");
    assert_eq!(making(&atomic), json!([]));
    let later = "byte x; proctype q() { x = 1 }\n\
                 active [2] proctype p() { end: do :: x == 0 ->\nrun q() od }\n";
    let told = making(later);
    assert_eq!(
        (&told[0]["line"], &told[0]["of"]),
        (&json!(3), &json!(["q"])),
        "{told}"
    );
}

#[test]
fn a_model_without_symmetry_says_what_would_have_to_change() {
    let text = clients("int sum;", "\nsum = sum + id; sum < 9;", "");
    let (code, out, _) = run("symmetry -", text.as_bytes());
    assert_eq!(code, 0);
    for part in [
        "trivial",
        "to change",
        "compare ids with == and != only",
        "(line 4)",
    ] {
        assert!(out.contains(part), "{part:?} is not in\n{out}");
    }
    let alone = "byte x; active proctype p() { x = 1 } active proctype q() { x = 2; x = 3 }";
    let (_, out, _) = run("symmetry -", alone.as_bytes());
    assert!(out.contains("every process has a type of its own"), "{out}");
}

/// The orders of the automorphisms of the channel diagram, and of those that are valid.
#[track_caller]
fn diagram(line: &str) -> [String; 2] {
    let told = json(&format!("symmetry {line} --detect channel-diagram"), b"");
    let orders = &told["channel_diagram"];
    assert_eq!(orders["is_largest"], true, "{line}: {orders}");
    ["automorphisms", "largest"].map(|key| orders[key].as_str().unwrap_or("").to_owned())
}

#[test]
fn channel_diagrams_have_the_orders_of_the_thesis() {
    let allocator = model("allocator");
    let tiers = model("three_tiered");
    let cases = [
        (format!("{} -D N=5", model("mutex")), "120", "120"),
        (
            format!("{} -D N=20", model("mutex")),
            "2432902008176640000",
            "2432902008176640000",
        ),
        (format!("{} -D N=6", model("peterson_n")), "720", "720"),
        (
            format!("{allocator} -D L0=3 -D L1=4 -D L2=0"),
            "5040",
            "144",
        ),
        (format!("{allocator} -D L0=2 -D L1=2 -D L2=3"), "5040", "24"),
        (
            format!("{allocator} -D L0=5 -D L1=5 -D L2=0"),
            "3628800",
            "14400",
        ),
        (model("allocator_sharing"), "864", "12"),
        (format!("{tiers} -D A=3 -D B=3 -D C=2"), "144", "144"),
        (format!("{tiers} -D A=3 -D B=3 -D C=2 -D MIXED"), "72", "72"),
        (format!("{tiers} -D A=4 -D B=4 -D C=3"), "6912", "6912"),
        // Whom a node sends to is worked out from its number and the values of a variable.
        (format!("{} -D D=3", model("hypercube")), "48", "48"),
        (format!("{} -D D=4", model("hypercube")), "384", "384"),
    ];
    for (line, automorphisms, valid) in cases {
        assert_eq!(diagram(&line), [automorphisms, valid], "{line}");
    }
}

#[test]
fn conjugates_connect_what_generators_leave_apart() {
    let line = format!(
        "{} -D L0=10 -D L1=0 -D L2=0 -D ALTERNATING",
        model("allocator")
    );
    let orders = diagram(&format!("{line} --conjugates 10 --seed 1"));
    assert_eq!(orders, ["3628800", "17280"]);
    let told = json(
        &format!("symmetry {line} --detect channel-diagram --conjugates 10 --seed 1"),
        b"",
    );
    assert_eq!(told["channel_diagram"]["valid_generators"], "32");
    assert_eq!(told["group_order"], "17280");
}

#[test]
fn a_diagram_that_takes_too_long_is_unknown() {
    let line = format!(
        "{} -D L0=14 -D L1=0 -D L2=0 -D ALTERNATING",
        model("allocator")
    );
    let (code, out, _) = run(
        &format!("symmetry {line} --detect channel-diagram --time 10ms"),
        b"",
    );
    assert_eq!(code, 3);
    assert!(
        out.contains("at least") && out.contains("cosets left"),
        "{out}"
    );
}

#[test]
fn the_parameters_of_a_hypercube_change_places() {
    // Comparing texts line by line finds the 8 translations; here parameters may change places.
    assert_eq!(diagram(&model("hypercube_table")), ["48", "48"]);
    assert_eq!(
        diagram(&format!("{} -D FIXED", model("hypercube_table"))),
        ["6", "6"]
    );
}

#[test]
fn generators_of_a_file_are_tested() {
    let folder = Folder::new("symmetry-given");
    let allocator = model("allocator");
    let good = folder.write(
        "good.txt",
        "# two of a level\n(client(1) client(2))(link[1] link[2])\n\n\
         (client(3) client(4) client(5)) # links follow\n()\n",
    );
    let told = json(&format!("symmetry {allocator} --detect {good}"), b"");
    assert_eq!(
        (&told["group_order"], &told["rejected"]),
        (&json!("6"), &json!([]))
    );
    let check = |line: &str| json(&format!("check {allocator} {line}"), b"");
    let told = check(&format!("--detect {good} --count-full --audit"));
    assert_eq!(told["symmetry"]["group_order"], "6");
    assert_eq!(told["counts"]["full_states"], 1921);
    let bad = folder.write("bad.txt", "(client(1) client(2))\n(client(2) client(3))\n");
    let told = json(&format!("symmetry {allocator} --detect {bad}"), b"");
    assert_eq!(told["group_order"], "2");
    let rejected = &told["rejected"][0];
    assert_eq!(rejected["candidate"], "(client(2) client(3))");
    let reason = rejected["reason"].as_str().unwrap_or("");
    assert!(
        reason.contains("`priorities[2]` is 0 and `priorities[3]` is 1"),
        "{reason}"
    );
    // No search, but a program can read why.
    let checked = check(&format!("--detect {bad}"));
    assert_eq!(checked["symmetry"]["rejected"], told["rejected"]);
    assert_eq!(checked["verdict"], "unknown");
    assert_eq!(checked["counts"]["states"], 0);
    assert_eq!(checked["diagnostics"][0]["severity"], "error");
    let (code, _, err) = run(&format!("check {allocator} --detect {bad}"), b"");
    assert_eq!(code, 2);
    assert!(
        err.contains("bad.txt:2:1") && err.contains("no symmetry of the model"),
        "{err}"
    );
}

#[test]
fn a_check_tells_what_its_symmetry_is_about() {
    for name in ["allocator", "peterson_n", "email", "railway"] {
        // Under these rules both look for symmetries of the start.
        let line = format!("{} --spin-compat", model(name));
        let shown = json(&format!("symmetry {line}"), b"");
        let used = &json(&format!("check {line}"), b"")["symmetry"];
        for key in ["group_order", "structure", "generators", "sorts"] {
            assert_eq!(used[key], shown[key], "{key} of {name}");
        }
        // A line that keeps two apart is a candidate that was rejected.
        let blockers = shown["blockers"].as_array().expect("a list").iter();
        let lines: Vec<&Value> = blockers.map(|blocker| &blocker["line"]).collect();
        let rejected = used["rejected"].as_array().expect("a list").iter();
        let found: Vec<&Value> = rejected.clone().map(|r| &r["line"]).collect();
        assert_eq!(found, lines, "{name}");
        assert!(
            rejected
                .clone()
                .all(|r| r["candidate"].is_string() && r["reason"].is_string())
        );
    }
    let used = &json(&format!("check {}", model("allocator")), b"")["symmetry"];
    let first = &used["rejected"][0];
    let candidate = first["candidate"].as_str().unwrap_or("");
    assert!(candidate.contains("client(1) client(3)"), "{used}");
    assert!(first["line"].as_u64().is_some(), "{first}");
}

#[test]
fn every_generator_that_is_shown_can_be_given() {
    let folder = Folder::new("symmetry-shown");
    for name in [
        "allocator",
        "allocator_sharing",
        "dining",
        "loadbalancer",
        "railway",
        "telephone",
    ] {
        let shown = json(&format!("symmetry {}", model(name)), b"");
        let lines = shown["generators"].as_array().expect("a list").iter();
        let lines: Vec<&str> = lines.filter_map(|line| line["cycles"].as_str()).collect();
        let path = folder.write("shown.txt", lines.join("\n"));
        let given = json(&format!("symmetry {} --detect {path}", model(name)), b"");
        assert_eq!(given["rejected"], json!([]), "{name}");
        assert_eq!(given["group_order"], shown["group_order"], "{name}");
    }
}

#[test]
fn the_state_graph_has_the_symmetry_found() {
    for (name, of_graph, of_text) in [
        ("mutex", "120", "120"),
        ("allocator", "24", "24"),
        ("hypercube_table", "48", "48"),
        ("swap", "32", "2"),
    ] {
        let told = json(&format!("symmetry {} --detect kripke", model(name)), b"");
        let kripke = &told["kripke"];
        assert_eq!(kripke["group_order"], of_graph, "{name}");
        assert_eq!(kripke["image"]["group_order"], of_text, "{name}");
        assert_eq!(kripke["image"]["is_subgroup"], true, "{name}");
    }
    let (code, out, _) = run(&format!("symmetry {} --detect kripke", model("email")), b"");
    assert_eq!(code, 3);
    assert!(out.contains("more than 20000 states"), "{out}");
}

#[test]
fn wrong_command_lines_are_refused() {
    for (line, part) in [
        (
            "symmetry mutex.pml --detect nowhere",
            "channel-diagram, extended-diagram, dynamic-diagram, psi-diagram, kripke, or a file",
        ),
        (
            "symmetry mutex.pml --conjugates 3",
            "needs `--detect channel-diagram`",
        ),
        (
            "symmetry mutex.pml --seed 3",
            "`--seed` needs `--conjugates`",
        ),
        (
            "symmetry mutex.pml --diagram picture.png",
            "ends in .dot or .svg",
        ),
        (
            "symmetry mutex.pml --diagram nowhere/picture.svg",
            "cannot write",
        ),
        ("check mutex.pml --detect kripke", "looks at all states"),
        (
            "check mutex.pml --detect structure --no-symmetry",
            "do not go together",
        ),
        ("symmetry", "no model is given"),
    ] {
        let (code, out, err) = run(line, b"");
        assert_eq!((code, out.as_str()), (2, ""), "{line}");
        assert!(err.contains(part), "{line}: {part:?} is not in\n{err}");
    }
}

#[test]
fn wrong_generators_are_located() {
    let folder = Folder::new("symmetry-wrong");
    for (text, parts) in [
        (
            "(client(1) client(99))",
            &["has no `client(99)`", "wrong.txt:1:12"][..],
        ),
        (
            "\n(client(1) client(2) client(1))",
            &["stands twice", "wrong.txt:2:22", "first here"],
        ),
        ("(client(1) client(2)", &["not closed", "wrong.txt:1:1"]),
        ("client(1) client(2)", &["starts with `(`", "wrong.txt:1:1"]),
        ("(x)\n(y)", &["no `x`", "no `y`", "wrong.txt:2:2"]),
        ("(client(1)) é", &["starts with `(`"]),
        ("(é é)", &["no `é`"]),
    ] {
        let path = folder.write("wrong.txt", text);
        let (code, out, err) = run(
            &format!("symmetry {} --detect {path}", model("allocator")),
            b"",
        );
        assert_eq!((code, out.as_str()), (2, ""), "{text}");
        for part in parts {
            assert!(err.contains(part), "{text}: {part:?} is not in\n{err}");
        }
    }
}

/// The numbers in attributes of this name, in order.
fn numbers(line: &str, name: &str) -> Option<f64> {
    let (_, rest) = line.split_once(&format!(" {name}=\""))?;
    rest.split('"').next()?.parse().ok()
}

#[test]
fn pictures_show_every_vertex_and_arc_and_no_boxes_overlap() {
    let folder = Folder::new("symmetry-drawn");
    for (name, n_vertices, n_arcs) in [("railway", 20, 19), ("allocator_sharing", 15, 57)] {
        let (dot, svg) = (folder.path("a.dot"), folder.path("a.svg"));
        for path in [&dot, &svg] {
            let (code, _, err) = run(&format!("symmetry {} --diagram {path}", model(name)), b"");
            assert_eq!((code, err.as_str()), (0, ""));
        }
        let dot = std::fs::read_to_string(dot).expect("a file");
        assert_eq!(dot.matches("label=").count(), n_vertices, "{name}");
        assert_eq!(dot.matches(" -> ").count(), n_arcs, "{name}");
        let svg = std::fs::read_to_string(svg).expect("a file");
        let heads = svg.matches("marker-end").count() + svg.matches("marker-start").count();
        assert_eq!(heads, n_arcs, "{name}");
        let first = svg.lines().next().unwrap_or("");
        let (width, height) = (numbers(first, "width"), numbers(first, "height"));
        let boxes: Vec<[f64; 4]> = svg
            .lines()
            .filter(|line| line.starts_with("<rect x="))
            .filter_map(|l| {
                let corner = (numbers(l, "x")?, numbers(l, "y")?);
                let end = (
                    corner.0 + numbers(l, "width")?,
                    corner.1 + numbers(l, "height")?,
                );
                Some([corner.0, corner.1, end.0, end.1])
            })
            .collect();
        assert_eq!(boxes.len(), n_vertices, "{name}");
        for (n, a) in boxes.iter().enumerate() {
            assert!(Some(a[2]) <= width && Some(a[3]) <= height, "{name}: {a:?}");
            for b in &boxes[..n] {
                let apart = a[2] < b[0] || b[2] < a[0] || a[3] < b[1] || b[3] < a[1];
                assert!(apart, "{name}: {a:?} and {b:?}");
            }
        }
    }
}

/// The group of the structure as it acts on the vertices of the diagram, and where these are.
fn projected(found: &reduce::processes::Found, diagram: &Diagram) -> (Group, Vec<Point>) {
    let at: Vec<Point> = diagram.vertices.iter().map(|v| vertex(found, *v)).collect();
    let of = |x: Point| at.iter().position(|y| *y == x).expect("diagrams are kept") as Point;
    let all = automorphisms(&graph_of(&found.structure)).generators;
    let project = |g: &Perm| Perm::from_bijection(at.iter().map(|x| of(g.at(*x))).collect());
    (Group::new(at.len(), all.iter().map(project).collect()), at)
}

#[test]
fn what_extends_is_what_the_group_of_the_structure_does() {
    let mut n_no = 0;
    for (name, seed) in [
        "allocator_sharing",
        "railway",
        "loadbalancer_blocked",
        "pool",
    ]
    .iter()
    .zip(1..)
    {
        let path = format!(
            "{}/../../models/promela/{name}.pml",
            env!("CARGO_MANIFEST_DIR")
        );
        let text = std::fs::read_to_string(path).expect("a model");
        let machine = compile(&text, &[]).expect("a model").machine(Setting::Best);
        let found = reduce::processes::find(&machine).expect("a population");
        let diagram = Diagram::new(&found);
        let graph = diagram.graph();
        let (valid, at) = projected(&found, &diagram);
        assert!(
            valid.generators().iter().all(|g| preserves(&graph, g)),
            "{name}"
        );
        let group = Group::new(at.len(), automorphisms(&graph).generators);
        let mut rng = fastrand::Rng::with_seed(seed);
        for _ in 0..20 {
            for from in [&group, &valid] {
                let g = from.chain().random(&mut rng);
                let pins = at
                    .iter()
                    .enumerate()
                    .map(|(x, y)| (*y, at[g.at(x as Point) as usize]));
                let pins: Vec<(Point, Point)> = pins.collect();
                let extends = extension(&found, &pins, &Budget::unlimited()).expect("no limit");
                assert_eq!(extends.is_some(), valid.contains(&g), "{name}, seed {seed}");
                n_no += usize::from(extends.is_none());
            }
        }
        let effort = Effort {
            n_tests_max: 100_000,
            n_conjugators: 0,
            seed,
        };
        let mut told = Vec::new();
        let budget = Budget::unlimited();
        let mut tell = |progress: &CosetProgress| told.push(progress.clone());
        let by = largest(&found, &diagram, &effort, (&budget, &mut tell));
        // Each test is told, and cosets go down as long as the group stays.
        assert_eq!(told.len() as u64, by.largest.n_tests, "{name}");
        for pair in told.windows(2) {
            assert_eq!(pair[0].n_tests + 1, pair[1].n_tests, "{name}");
            assert!(pair[0].order <= pair[1].order, "{name}");
            let left = |at: &CosetProgress| at.n_cosets_left.clone();
            if let (Some(before), Some(after)) = (left(&pair[0]), left(&pair[1])) {
                assert!(after < before, "{name}: {before} then {after}");
            }
        }
        assert_eq!(by.largest.group.order(), valid.order(), "{name}");
    }
    assert!(n_no > 0, "nothing was refused");
}

#[test]
fn variants_of_the_channel_diagram_have_the_orders_of_the_thesis() {
    let models = "../../models/promela";
    let orders = |words: &str, diagram: &str| {
        let told = json(
            &format!("symmetry {models}/{words} --detect {diagram}-diagram"),
            b"",
        );
        let found = &told["channel_diagram"];
        assert!(
            found["is_largest"].is_boolean(),
            "{words} {diagram}: {told}"
        );
        let order = |key: &str| found[key].as_str().unwrap_or_default().to_owned();
        (order("diagram"), order("automorphisms"), order("largest"))
    };
    let found = |letters: &str, all: &str, valid: &str| {
        (letters.to_owned(), all.to_owned(), valid.to_owned())
    };
    // Who is sent to is decided by guards on `_pid`, which the text does not show: 24 * 6 * 6
    // automorphisms of the static diagram, 24 * 6 of that of the runs.
    let sharing = "allocator_sharing.pml";
    assert_eq!(orders(sharing, "channel"), found("SCD", "864", "12"));
    assert_eq!(orders(sharing, "dynamic"), found("CD", "144", "12"));
    // Two of three globals are used alike: the extended diagram exchanges these, and no other has
    // them. The third is read for an update of the first two.
    let text =
        "bit x, y, z; active [2] proctype p() { do :: x = z :: y = z :: x && y -> z = 1 - z od }";
    let of_text = |diagram: &str| {
        let told = json(
            &format!("symmetry - --detect {diagram}-diagram"),
            text.as_bytes(),
        );
        let order = |key: &str| told["channel_diagram"][key].as_str().map(str::to_owned);
        [order("automorphisms"), order("largest")].map(Option::unwrap_or_default)
    };
    assert_eq!(of_text("channel"), ["2", "2"]);
    assert_eq!(of_text("extended"), ["4", "4"]);
    // Without arcs there are as many automorphisms as there can be, and the same valid ones:
    // 3! servers and 3! of their channels, as many balancers, 6! clients.
    let psi = orders("loadbalancer_blocked.pml -D CLIENTS=6 --time 1ms", "psi");
    assert_eq!((psi.0.as_str(), psi.1.as_str()), ("Psi", "671846400"));
    let small = "allocator.pml -D L0=2 -D L1=1 -D L2=0";
    let [all, arcs] = ["psi", "channel"].map(|diagram| orders(small, diagram));
    assert_eq!(all.2, arcs.2, "the largest valid subgroup is the same");
    let (code, _, err) = run(&format!("symmetry {models}/mutex.pml --detect chart"), b"");
    assert!(
        code == 2 && err.contains("dynamic-diagram, psi-diagram"),
        "{err}"
    );
}

/// A loop that sends is taken in any order, and it is said what that rests on.
#[test]
fn what_is_assumed_of_sends_is_told() {
    let text = "chan box[3] = [1] of { bit };
        active proctype p() {
            byte j;
            atomic { for (j : 0 .. 2) {
                box[j]!1
            } }
        }
        active proctype q() { do :: box[0]?_ :: box[1]?_ :: box[2]?_ od }";
    let (_, said, _) = run("symmetry -", text.as_bytes());
    assert!(said.contains("S3, order 6"), "{said}");
    let wanted = "no send or receive of the loops with line 5 waits in the middle";
    assert!(said.contains(wanted), "{said}");
    let found = json("symmetry -", text.as_bytes());
    assert_eq!(found["assumed_lines"], serde_json::json!([5]));
    let block = text.replace("atomic", "d_step");
    let found = json("symmetry -", block.as_bytes());
    assert_eq!(found["assumed_lines"], serde_json::json!([]));
    assert_eq!(found["group_order"], "6");
}

#[test]
fn what_two_processes_start_with_is_told_of_both() {
    let first = |text: &str| json("symmetry -", text.as_bytes())["blockers"][0]["reason"].clone();
    let text = "byte pr[4]; byte x;
        proctype user() { do :: pr[_pid]==1 -> x=1 :: pr[_pid]==0 -> x=0 od }
        init { atomic { run user(); run user(); run user(); pr[1]=1 } }";
    let wanted = "`pr[1]` is 1 and `pr[2]` is 0 once all are made";
    assert_eq!(first(text), wanted);
    let text = "byte st[4];
        proctype user(byte pri) {
            do :: st[_pid]==0 -> st[_pid]=1+pri :: st[_pid]>0 -> st[_pid]=0 od
        }
        init { atomic { run user(0); run user(1); run user(0) } }";
    let wanted = "`user(1).pri` is 0 and `user(2).pri` is 1 once all are made";
    assert_eq!(first(text), wanted);
}

#[test]
fn who_waits_for_ever_does_not_end() {
    let text = "byte x[3]; active [3] proctype A() { x[_pid] = 1; end: false }";
    for rules in ["", " --plain", " --spin-compat"] {
        let told = json(&format!("symmetry -{rules}"), text.as_bytes());
        assert_eq!(told["group_order"], "6", "{rules}");
    }
    let ends = "byte x[3]; active [3] proctype A() { x[_pid] = 1 }";
    let told = json("symmetry - --plain", ends.as_bytes());
    assert_eq!(told["group_order"], "1");
}

/// Both sides of what a generator breaks: the model's part, and what would have to stand there.
#[test]
fn what_is_rejected_has_both_sides() {
    let cases = [
        // A literal, in a condition and in an assignment.
        ("byte t;", "t == 1 -> t = _pid", "t == 1", "t == 0"),
        (
            "byte t = 9;",
            "t == 9 -> t = 1 :: t == _pid -> t = 9",
            "t = 1",
            "t = 0",
        ),
        // A condition that is known by its table.
        (
            "byte t = 9;",
            "_pid < 1 -> t = _pid",
            "_pid < 1",
            "_pid == 1",
        ),
        (
            "byte t = 9;",
            "_pid != 1 -> t = _pid",
            "_pid != 1",
            "_pid != 0",
        ),
        // An index, and a channel.
        (
            "byte a[3];",
            "a[_pid] == 0 -> a[1] = 1",
            "a[1] = 1",
            "a[0] = 1",
        ),
        (
            "chan c = [1] of {byte};",
            "c!_pid :: c?eval(1)",
            "c?eval(1)",
            "c?eval(0)",
        ),
        // A condition of several parts.
        (
            "byte a[3], t;",
            "a[_pid] == 2 && t != 1 -> t = _pid",
            "(t != 1)",
            "(t != 0)",
        ),
        // What variables start with.
        ("byte t = 1;", "t == _pid -> t = 7", "t = 1", "t = 0"),
    ];
    let folder = Folder::new("both-sides");
    let file = folder.write("generators", "(P(0) P(1))\n");
    for (global, body, text, image) in cases {
        let model = format!("{global}\nactive [3] proctype P() {{ end: do :: {body} od }}\n");
        let told = json(&format!("symmetry - --detect {file}"), model.as_bytes());
        let rejected = &told["rejected"][0];
        let sides = [&rejected["text"], &rejected["image"]].map(|side| side.as_str().unwrap_or(""));
        assert!(
            sides[0].contains(text) && sides[1].contains(image),
            "{model}{rejected}"
        );
        let (_, out, _) = run(&format!("symmetry - --detect {file}"), model.as_bytes());
        let words = out.split_whitespace().collect::<Vec<_>>().join(" ");
        let wanted = format!(
            "there is `{}`, and there would have to be `{}`",
            sides[0], sides[1]
        );
        assert!(words.contains(&wanted), "{words}");
    }
}
