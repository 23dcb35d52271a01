//! The page in a real browser: Chromium, driven by its driver over WebDriver.
//!
//! Where `chromedriver` is not there, these tests say that they were skipped. With
//! `ORBIT_SCREENS=FOLDER` they leave pictures of the main screens there: those of the guide are
//! made like this.

use super::Explorer;
use super::http::Client;
use crate::command::{Folder, run};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The key of an element's number in WebDriver.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// A browser, which ends with its value.
struct Browser {
    driver: Child,
    client: Client,
    session: String,
    _folder: Folder,
}

impl Browser {
    /// A new browser, if this machine has one.
    fn new(name: &str) -> Option<Browser> {
        let started = Command::new("chromedriver")
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let Ok(mut driver) = started else {
            crate::counts::note("explorer: skipped: there is no chromedriver\n");
            return None;
        };
        let out = driver.stdout.take().expect("a pipe");
        let lines = BufReader::new(out).lines().map_while(Result::ok);
        let mut ports = lines.filter_map(|line| {
            let (_, rest) = line.split_once("successfully on port ")?;
            rest.trim_end_matches('.').parse().ok()
        });
        let client = Client::new(ports.next().expect("a port"));
        let folder = Folder::new(&format!("browser-{name}"));
        let profile = format!("--user-data-dir={}", folder.path("profile"));
        let switches = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--hide-scrollbars",
            "--window-size=1300,950",
            &profile,
        ];
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "browserName": "chrome",
            "goog:chromeOptions": { "args": switches },
            "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
        } } });
        let answer = client.ask("POST", "/session", &[], &wanted.to_string());
        let session = answer.object()["value"]["sessionId"]
            .as_str()
            .map(str::to_owned);
        Some(Browser {
            driver,
            session: session.unwrap_or_else(|| panic!("no session: {}", answer.body)),
            client,
            _folder: folder,
        })
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        let path = format!("/session/{}/{path}", self.session);
        let body = if method == "GET" {
            String::new()
        } else {
            body.to_string()
        };
        let answer = self.client.ask(method, &path, &[], &body);
        assert_eq!(answer.status, 200, "{path} {body}: {}", answer.body);
        answer.object()["value"].clone()
    }

    fn open(&self, address: &str) {
        self.ask("POST", "url", &json!({ "url": address }));
    }

    /// What a script returns.
    fn script(&self, script: &str) -> Value {
        self.ask(
            "POST",
            "execute/sync",
            &json!({ "script": script, "args": [] }),
        )
    }

    /// Waits until a script returns true.
    fn wait(&self, condition: &str) {
        let patience = Instant::now() + Duration::from_secs(60);
        while self.script(&format!("return !!({condition});")) != true {
            let body = || self.script("return document.body.innerText;");
            assert!(Instant::now() < patience, "{condition} in {}", body());
            std::thread::sleep(Duration::from_millis(40));
        }
    }

    fn element(&self, selector: &str) -> String {
        let wanted = json!({ "using": "css selector", "value": selector });
        self.wait(&format!("document.querySelector({})", json!(selector)));
        let found = self.ask("POST", "element", &wanted);
        found[ELEMENT]
            .as_str()
            .unwrap_or_else(|| panic!("{selector}"))
            .to_owned()
    }

    fn click(&self, selector: &str) {
        let element = self.element(selector);
        self.ask("POST", &format!("element/{element}/click"), &json!({}));
    }

    fn write(&self, selector: &str, text: &str) {
        let element = self.element(selector);
        self.ask(
            "POST",
            &format!("element/{element}/value"),
            &json!({ "text": text }),
        );
    }

    /// Presses a key, wherever the page is.
    fn press(&self, key: &str) {
        let actions = json!({ "actions": [{ "type": "key", "id": "keys", "actions": [
            { "type": "keyDown", "value": key }, { "type": "keyUp", "value": key },
        ] }] });
        self.ask("POST", "actions", &actions);
    }

    fn text(&self, selector: &str) -> String {
        let script = format!(
            "return document.querySelector({}).innerText;",
            json!(selector)
        );
        self.script(&script).as_str().unwrap_or_default().to_owned()
    }

    /// What the console says, and which addresses were asked for, since this was asked before.
    fn log(&self, kind: &str) -> Vec<String> {
        let log = self.ask("POST", "se/log", &json!({ "type": kind }));
        let entries = log.as_array().cloned().unwrap_or_default();
        let text = |entry: &Value| entry["message"].as_str().unwrap_or_default().to_owned();
        entries.iter().map(text).collect()
    }

    /// Nothing was complained of, and nothing was asked for but from `own`.
    fn assert_quiet(&self, own: &str) {
        assert_eq!(self.log("browser"), Vec::<String>::new());
        let mut n_asked = 0;
        for entry in self.log("performance") {
            let entry: Value = serde_json::from_str(&entry).expect("JSON");
            let message = &entry["message"];
            if message["method"] == "Network.requestWillBeSent" {
                let address = message["params"]["request"]["url"]
                    .as_str()
                    .unwrap_or_default();
                // What the browser draws its own face with is no request of the page.
                if !address.starts_with("chrome://") && !address.starts_with("data:") {
                    assert!(address.starts_with(own), "{address} was asked for");
                    n_asked += 1;
                }
            }
        }
        assert!(n_asked > 0, "the log of requests is empty");
    }

    /// A picture of the screen, if pictures are wanted.
    fn picture(&self, name: &str) {
        let Some(folder) = std::env::var_os("ORBIT_SCREENS") else {
            return;
        };
        let encoded = self.ask("GET", "screenshot", &Value::Null);
        let bytes = decoded(encoded.as_str().expect("a picture"));
        let path = std::path::Path::new(&folder).join(format!("{name}.png"));
        std::fs::write(path, bytes).expect("written");
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let path = format!("/session/{}", self.session);
        self.client.ask("DELETE", &path, &[], "");
        // It may have ended by itself.
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// The bytes of base 64.
fn decoded(text: &str) -> Vec<u8> {
    let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut n) = (Vec::new(), 0u32, 0);
    for c in text.bytes().filter(|c| *c != b'=') {
        let digit = digits.iter().position(|d| *d == c).expect("a digit");
        bits = bits << 6 | digit as u32;
        n += 6;
        if n >= 8 {
            n -= 8;
            bytes.push((bits >> n) as u8);
            bits &= (1 << n) - 1;
        }
    }
    bytes
}

#[test]
fn a_model_can_be_stepped_through_checked_and_asked() {
    let Some(browser) = Browser::new("explore") else {
        return;
    };
    let explorer = Explorer::new(&["server.pml"]);
    browser.open(&explorer.address());
    // Step forward by a click and by a key, and back.
    browser.click("#tab-explore");
    browser.wait("document.querySelectorAll('#moves button').length == 2");
    browser.wait("document.querySelectorAll('#seen g.node').length == 1");
    browser.click("#moves button");
    browser.wait("document.querySelectorAll('#history li').length >= 2");
    browser.wait("document.querySelectorAll('#history button[aria-current]').length == 1");
    browser.wait("document.querySelectorAll('#seen g.node').length == 2");
    browser.wait("document.querySelector('#source tr.at')");
    browser.press("1");
    browser.wait("document.querySelectorAll('#seen g.node').length == 3");
    browser.picture("explorer");
    browser.click("#back");
    browser.wait("document.querySelector('#seen g.node.current')");
    // Check to a violation, and look at its run.
    browser.click("#tab-result");
    browser.click("#check");
    browser.wait("document.querySelector('#verdict').textContent == 'violated'");
    browser.picture("result");
    browser.click("#tab-run");
    browser.wait("document.querySelectorAll('#chart g.step').length > 3");
    browser.click("#forward");
    browser.wait("document.querySelector('#where').textContent.startsWith('step 1 of')");
    browser.press("\u{E014}");
    browser.wait("document.querySelector('#where').textContent.startsWith('step 2 of')");
    browser.wait("document.querySelectorAll('#steps tr.here').length == 1");
    browser.picture("run");
    // Type a formula, and see the lasso.
    browser.click("#tab-result");
    browser.write("input.formula", "<> (inside == 2)");
    browser.click("#check-formula");
    browser.wait("document.querySelector('#chart g.loop')");
    assert!(browser.text("#panel").contains("again and again"));
    // A wrong formula is told, and nothing breaks.
    browser.click("#tab-result");
    browser.write("input.formula", " &&");
    browser.click("#check-formula");
    browser.wait("document.querySelector('[role=alert]')");
    // The state space, and a node of it.
    browser.click("#tab-views");
    browser.click("#draw");
    browser.wait("document.querySelectorAll('#view g.node').length > 3");
    browser.click("#view g.node");
    browser.wait("document.querySelector('#picked').textContent.length > 0");
    browser.picture("states");
    browser.click("#expand");
    browser.wait("document.querySelectorAll('#view g.node.current').length == 1");
    browser.wait("document.querySelector('select[aria-label=Picture]').options.length == 2");
    // Symmetry, and dark mode.
    browser.click("#tab-symmetry");
    browser.click("#find-symmetry");
    browser.wait("document.querySelector('#panel').innerText.includes('S2')");
    let paper = "return getComputedStyle(document.body).backgroundColor;";
    let before = browser.script(paper);
    browser.click("#theme");
    assert_ne!(browser.script(paper), before);
    browser.picture("symmetry-dark");
    browser.assert_quiet(&format!("http://127.0.0.1:{}/", explorer.port));
}

#[test]
fn scripts_and_machines_can_be_stepped_through_too() {
    let Some(browser) = Browser::new("languages") else {
        return;
    };
    for words in [&["lock.csp"][..], &["phonebook.mch"]] {
        let explorer = Explorer::new(words);
        browser.open(&explorer.address());
        browser.click("#tab-explore");
        browser.click("#moves button");
        browser.wait("document.querySelectorAll('#seen g.node').length == 2");
        browser.click("#tab-result");
        browser.click("#check");
        browser.wait("!document.querySelector('#verdict').hidden");
        browser.assert_quiet(&format!("http://127.0.0.1:{}/", explorer.port));
    }
}

#[test]
fn a_page_works_from_a_file_and_shows_hostile_names_as_text() {
    let Some(browser) = Browser::new("file") else {
        return;
    };
    let folder = Folder::new("hostile");
    let text = "chan c = [1] of {byte}; byte x; active proctype p() { c!1; \
                printf(\"<img src=x onerror=alert(1)>\"); x = 1 } \
                active proctype q() { c?x; assert(x < 1) /* <script>alert(2)</script> */ }";
    let model = folder.write("<b>'&.pml".replace('\'', "").as_str(), text);
    let page = folder.path("page.html");
    let (code, _, err) = run(&format!("check '{model}' --html '{page}'"), b"");
    assert_eq!(code, 1, "{err}");
    let address = format!("file://{page}");
    browser.open(&address);
    browser.wait("document.querySelectorAll('#chart g.message').length == 1");
    browser.wait("document.querySelectorAll('#steps tr').length >= 3");
    assert_eq!(
        browser.script("return document.querySelectorAll('img, b').length;"),
        0
    );
    assert!(
        browser
            .text("#source")
            .contains("<script>alert(2)</script>")
    );
    browser.picture("page");
    browser.assert_quiet("file://");
}
