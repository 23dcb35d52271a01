//! Requests that nobody should get an answer to, and more of them than there should be.

use super::Explorer;
use super::http::Client;
use std::io::{Read, Write};
use std::time::Duration;

const PATHS: [&str; 5] = [
    "/",
    "/api/start",
    "/api/state/0",
    "/api/seen?current=0",
    "/api/job/1",
];

#[test]
fn without_the_token_there_is_no_answer() {
    let explorer = Explorer::new(&["mutex.pml"]);
    let client = Client::new(explorer.port);
    for path in PATHS {
        let wrong = "0".repeat(32);
        for fields in [vec![], vec![format!("X-Orbit-Token: {wrong}")]] {
            let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
            let answer = client.ask("GET", path, &fields, "");
            assert_eq!(answer.status, 403, "{path}");
            assert!(!answer.body.contains(&explorer.token));
        }
    }
    let answer = client.ask("GET", "/?token=wrong", &[], "");
    assert_eq!(answer.status, 403);
    for path in ["/api/check", "/api/follow", "/api/job/1/stop"] {
        assert_eq!(client.ask("POST", path, &[], "{}").status, 403, "{path}");
    }
    // The token in the address opens the page only.
    let path = format!("/api/start?token={}", explorer.token);
    assert_eq!(client.ask("GET", &path, &[], "").status, 403);
}

#[test]
fn other_hosts_and_other_origins_get_no_answer() {
    let explorer = Explorer::new(&["mutex.pml"]);
    let client = Client::new(explorer.port);
    let own = format!("Host: 127.0.0.1:{}", explorer.port);
    let token = format!("X-Orbit-Token: {}", explorer.token);
    let page = format!("/?token={}", explorer.token);
    let right = client.send("GET", "/api/start", &[&own, &token], "");
    assert_eq!(right.status, 200);
    for host in [
        "Host: evil.example",
        "Host: 127.0.0.1",
        "Host: localhost",
        "X-Host: a",
    ] {
        assert_eq!(
            client.send("GET", "/api/start", &[host, &token], "").status,
            403
        );
        assert_eq!(client.send("GET", &page, &[host], "").status, 403);
    }
    let foreign = [
        "Origin: http://evil.example",
        "Origin: null",
        "Sec-Fetch-Site: cross-site",
    ];
    for origin in foreign {
        let answer = client.send("GET", "/api/start", &[&own, &token, origin], "");
        assert_eq!(answer.status, 403, "{origin}");
        assert!(!answer.head.contains("access-control-allow"));
    }
    let origin = format!("Origin: http://127.0.0.1:{}", explorer.port);
    let answer = client.send("GET", "/api/start", &[&own, &token, &origin], "");
    assert_eq!(answer.status, 200);
}

#[test]
fn no_file_is_read_for_a_request() {
    let explorer = Explorer::new(&["mutex.pml"]);
    let paths = [
        "/etc/passwd",
        "/../../../etc/passwd",
        "/mutex.pml",
        "/api/../mutex.pml",
        "/api/state/../../mutex.pml",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/api",
        "/api/state/x",
        "/api/state/-1",
        "/api/state/99999999999999999999",
    ];
    for path in paths {
        let answer = explorer.ask("GET", path, "");
        assert!(
            [400, 404].contains(&answer.status),
            "{path}: {}",
            answer.status
        );
        assert!(!answer.body.contains("proctype") && !answer.body.contains("root:"));
    }
    let beyond = explorer.ask("GET", "/api/state/4000000000", "");
    assert_eq!(beyond.status, 400);
    assert!(beyond.body.contains("no such state"));
}

#[test]
fn what_is_asked_of_a_check_is_no_other_flag() {
    let explorer = Explorer::new(&["mutex.pml"]);
    let folder = crate::command::Folder::new("asked");
    let file = folder.path("written");
    for body in [
        format!("{{\"trail\":\"{file}\"}}"),
        format!("{{\"args\":[\"--trail\",\"{file}\"]}}"),
        "[1]".to_owned(),
        "{".to_owned(),
        String::new(),
    ] {
        assert_eq!(
            explorer.ask("POST", "/api/check", &body).status,
            400,
            "{body}"
        );
    }
    let body = format!("{{\"property\":\"--trail={file}\"}}");
    let job = explorer.job("/api/check", &body);
    assert!(job["error"].is_string(), "{job}");
    assert!(!std::path::Path::new(&file).exists());
}

#[test]
fn long_requests_are_refused() {
    let explorer = Explorer::new(&["mutex.pml"]);
    let client = Client::new(explorer.port);
    let host = format!("Host: 127.0.0.1:{}", explorer.port);
    let token = format!("X-Orbit-Token: {}", explorer.token);
    let long = "x".repeat(1 << 20);
    let head = client.send(
        "GET",
        "/api/start",
        &[&host, &token, &format!("A: {long}")],
        "",
    );
    assert!([0, 400, 431].contains(&head.status), "{}", head.status);
    let path = client.send("GET", &format!("/{long}"), &[&host, &token], "");
    assert!([0, 400, 414, 431].contains(&path.status), "{}", path.status);
    let body = "x".repeat(5 << 20);
    let answer = client.send("POST", "/api/follow", &[&host, &token], &body);
    assert!([0, 413].contains(&answer.status), "{}", answer.status);
    // It serves on.
    assert!(explorer.get("/api/start")["starts"].is_array());
}

#[test]
fn a_hundred_open_connections_do_not_stop_it() {
    let explorer = Explorer::new(&["mutex.pml"]);
    let client = Client::new(explorer.port);
    let mut open: Vec<_> = (0..100).map(|_| client.connect()).collect();
    for stream in &mut open {
        stream.write_all(b"GET / HT").expect("written");
    }
    // Those that say no more are closed after some seconds, and others get their turn.
    assert!(explorer.get("/api/start")["starts"].is_array());
    let first = &mut open[0];
    first
        .set_read_timeout(Some(Duration::from_secs(60)))
        .expect("a time-out");
    let mut rest = Vec::new();
    let _ = first.read_to_end(&mut rest);
    assert!(!String::from_utf8_lossy(&rest).contains("200"));
}

#[test]
fn too_many_checks_wait_for_nobody() {
    // Thirteen counters to 9: long enough that it is still under way.
    let folder = crate::command::Folder::new("long");
    let text = "byte x[9]; active [9] proctype p() { do :: x[_pid] < 200 -> x[_pid]++ od }";
    let file = folder.write("long.pml", text);
    let explorer = Explorer::new(&[&file, "--time", "60s", "--memory", "400M"]);
    let begin = || explorer.ask("POST", "/api/check", "{\"no_symmetry\":true}");
    let (first, second, third) = (begin(), begin(), begin());
    assert_eq!((first.status, second.status), (200, 200));
    assert_eq!(third.status, 429, "{}", third.body);
    for job in [&first, &second] {
        let number = job.object()["job"].clone();
        let stopped = explorer.ask("POST", &format!("/api/job/{number}/stop"), "{}");
        assert_eq!(stopped.status, 200);
        let ended = explorer.ended(&number);
        assert_eq!(ended["result"]["verdict"], "unknown", "{ended}");
        assert_eq!(ended["result"]["stop_reason"], "interrupted", "{ended}");
    }
    assert_eq!(begin().status, 200);
}

#[test]
fn answers_say_that_they_are_for_nobody_else() {
    let explorer = Explorer::new(&["mutex.pml"]);
    let page =
        Client::new(explorer.port).ask("GET", &format!("/?token={}", explorer.token), &[], "");
    assert_eq!(page.status, 200);
    for field in [
        "cache-control: no-store",
        "x-content-type-options: nosniff",
        "x-frame-options: deny",
        "referrer-policy: no-referrer",
        "cross-origin-resource-policy: same-origin",
        "content-type: text/html; charset=utf-8",
    ] {
        assert!(page.head.contains(field), "{field} is not in {}", page.head);
    }
}
