//! What can be asked.
//!
//! | request | answer |
//! |---|---|
//! | `GET /?token=…` | the page |
//! | `GET /api/start` | the initial states |
//! | `GET /api/state/N` | state N, with what can happen there |
//! | `GET /api/seen?current=N` | a picture of the states that were visited |
//! | `POST /api/follow` | the states of a run that a check found |
//! | `POST /api/check`, `/api/symmetry`, `/api/view` | the number of a job |
//! | `GET /api/job/N` | how far it is, or what came of it |
//! | `POST /api/job/N/stop` | stops it |

use crate::Explorer;
use crate::guard::{self, Refused, Token};
use crate::jobs::{Jobs, Request};
use crate::session::{Problem, Session, WantedStep};
use base::Diagnostic;
use hyper::header::HeaderMap;
use hyper::{Method, StatusCode, Uri};
use page::{Bundle, Live};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// An answer.
pub struct Reply {
    /// How it went.
    pub status: StatusCode,
    /// What the body is.
    pub content: &'static str,
    /// The body.
    pub body: String,
}

impl Reply {
    /// An object.
    pub fn object(object: &impl Serialize) -> Reply {
        Reply {
            status: StatusCode::OK,
            content: "application/json; charset=utf-8",
            body: serde_json::to_string(object).expect("an object of plain data"),
        }
    }

    /// What is wrong, in words.
    pub fn error(status: StatusCode, words: &str) -> Reply {
        Reply {
            status,
            ..Reply::object(&json!({ "error": words }))
        }
    }

    fn unknown() -> Reply {
        Reply::error(StatusCode::NOT_FOUND, "there is nothing at this address")
    }
}

impl From<Problem> for Reply {
    fn from(problem: Problem) -> Reply {
        Reply::error(StatusCode::BAD_REQUEST, &problem.words())
    }
}

/// Who answers.
pub struct Router {
    explorer: Explorer,
    session: Session,
    jobs: Jobs,
    token: Token,
    port: u16,
}

/// The steps of a run that is followed.
#[derive(Deserialize)]
struct WantedRun {
    steps: Vec<WantedStep>,
}

impl Router {
    /// Answers for a model; an error says why it cannot be stepped through.
    pub fn new(explorer: Explorer, token: Token, port: u16) -> Result<Router, Diagnostic> {
        Ok(Router {
            session: Session::new(explorer.model, explorer.stack_bytes)?,
            jobs: Jobs::new(&explorer),
            explorer,
            token,
            port,
        })
    }

    /// Ends what is under way.
    pub fn stop(&self) {
        self.jobs.stop_all();
    }

    /// The answer to those who may not ask.
    pub fn refusal(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Option<Reply> {
        let refused = |why: Refused| Some(Reply::error(StatusCode::FORBIDDEN, why.words()));
        if let Err(why) = guard::admitted(headers, self.port) {
            return refused(why);
        }
        let is_page = uri.path() == "/" && method == Method::GET;
        // The page itself is opened by its address, which no head can be added to.
        let shown = value_of(uri, "token").filter(|_| is_page);
        match shown {
            Some(shown) if self.token.is(shown) => None,
            _ => guard::has_token(headers, &self.token)
                .err()
                .and_then(refused),
        }
    }

    /// The answer to those who may.
    pub fn answer(&self, method: &Method, uri: &Uri, body: &[u8]) -> Reply {
        let parts: Vec<&str> = uri.path().trim_start_matches('/').split('/').collect();
        match (method, &parts[..]) {
            (&Method::GET, [""]) => self.page(),
            (&Method::GET, ["api", "start"]) => {
                let starts = self.session.starts();
                starts.map_or_else(Reply::from, |starts| {
                    Reply::object(&json!({ "starts": starts }))
                })
            }
            (&Method::GET, ["api", "state", number]) => match number.parse() {
                Ok(number) => {
                    let state = self.session.state(number);
                    state.map_or_else(Reply::from, |state| Reply::object(&state))
                }
                Err(_) => Reply::unknown(),
            },
            (&Method::GET, ["api", "seen"]) => {
                let current = value_of(uri, "current").and_then(|n| n.parse().ok());
                let picture = self.session.picture(current);
                picture.map_or_else(Reply::from, |(svg, n)| {
                    Reply::object(&json!({ "svg": svg, "n": n }))
                })
            }
            (&Method::POST, ["api", "follow"]) => match serde_json::from_slice(body) {
                Ok(WantedRun { steps }) => {
                    let path = self.session.follow(steps);
                    path.map_or_else(Reply::from, |path| Reply::object(&path))
                }
                Err(why) => wrong(&why),
            },
            (&Method::POST, ["api", what @ ("check" | "symmetry" | "view")]) => {
                self.begin(what, body)
            }
            (&Method::GET, ["api", "job", number]) => {
                let job = number
                    .parse()
                    .ok()
                    .and_then(|number| self.jobs.state(number));
                job.map_or_else(Reply::unknown, |job| Reply::object(&job))
            }
            (&Method::POST, ["api", "job", number, "stop"]) => match number.parse() {
                Ok(number) if self.jobs.stop(number) => Reply::object(&json!({})),
                _ => Reply::unknown(),
            },
            _ => Reply::unknown(),
        }
    }

    fn begin(&self, what: &str, body: &[u8]) -> Reply {
        let request = match what {
            "check" => serde_json::from_slice(body).map(Request::Check),
            "view" => serde_json::from_slice(body).map(Request::View),
            _ => Ok(Request::Symmetry),
        };
        match request.map(|request| self.jobs.begin(&request)) {
            Ok(Ok(number)) => Reply::object(&json!({ "job": number })),
            Ok(Err(why)) => Reply::error(StatusCode::TOO_MANY_REQUESTS, why.words()),
            Err(why) => wrong(&why),
        }
    }

    fn page(&self) -> Reply {
        let bundle = Bundle {
            model: self.explorer.told.clone(),
            questions: self.explorer.questions.clone(),
            sources: self.explorer.sources.clone(),
            live: Some(Live {
                token: self.token.text().to_owned(),
                formulas: self.explorer.formulas,
            }),
            ..Bundle::default()
        };
        match page::nonce() {
            Ok(nonce) => Reply {
                status: StatusCode::OK,
                content: "text/html; charset=utf-8",
                body: page::html(&bundle, &nonce),
            },
            Err(page::NoRandomness) => {
                let words = "this machine gives no random numbers";
                Reply::error(StatusCode::INTERNAL_SERVER_ERROR, words)
            }
        }
    }
}

fn wrong(why: &serde_json::Error) -> Reply {
    let words = format!("the request is not understood: {why}");
    Reply::error(StatusCode::BAD_REQUEST, &words)
}

/// The value of a name behind the `?` of an address.
fn value_of<'u>(uri: &'u Uri, name: &str) -> Option<&'u str> {
    let pairs = uri.query()?.split('&');
    let mut pairs = pairs.filter_map(|pair| pair.split_once('='));
    pairs.find(|(own, _)| *own == name).map(|(_, value)| value)
}
