//! The server: connections, and answers with their heads.

use crate::Explorer;
use crate::guard::Token;
use crate::routes::{Reply, Router};
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// A head of a request has at most so many bytes.
const HEAD_BYTES_MAX: usize = 64 << 10;
/// The body likewise.
const BODY_BYTES_MAX: usize = 4 << 20;
/// At most so many connections are open; others wait to be taken.
const CONNECTIONS_MAX: usize = 64;
/// A head is there after this time, or the connection is closed.
const HEAD_TIME_MAX: Duration = Duration::from_secs(5);
/// After this time a connection takes no more requests, and after as much again it is closed.
const CONNECTION_TIME_MAX: Duration = Duration::from_secs(20);
/// How often it is looked whether the server has to stop.
const TICK: Duration = Duration::from_millis(50);

/// Why there is no server.
#[derive(Debug)]
pub enum Failure {
    /// The address cannot be had.
    Address(u16, std::io::Error),
    /// The machine has no sockets, or no threads, for it.
    Machine(std::io::Error),
    /// The machine gives no random numbers for a token.
    NoRandomness,
    /// The model cannot be stepped through.
    Model(Box<base::Diagnostic>),
}

/// Serves until it is interrupted; `ready` gets the address, token included, once it listens.
pub fn run(explorer: Explorer, ready: &mut dyn FnMut(&str)) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(8)
        .build()
        .map_err(Failure::Machine)?;
    let stopped = runtime.block_on(serve(explorer, ready));
    // What still runs in a thread is not waited for: the process ends.
    runtime.shutdown_background();
    stopped
}

async fn serve(explorer: Explorer, ready: &mut dyn FnMut(&str)) -> Result<(), Failure> {
    let wanted = explorer.port;
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, wanted));
    let listener = TcpListener::bind(address).await;
    let listener = listener.map_err(|why| Failure::Address(wanted, why))?;
    let port = listener.local_addr().map_err(Failure::Machine)?.port();
    let token = page::nonce().map_err(|_| Failure::NoRandomness)?;
    let interrupted = explorer.interrupted;
    let router = Router::new(explorer, Token::new(token.clone()), port);
    let router = Arc::new(router.map_err(|why| Failure::Model(Box::new(why)))?);
    ready(&format!("http://127.0.0.1:{port}/?token={token}"));
    let connections = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    while !interrupted.load(Ordering::Relaxed) {
        let Ok(permit) = timeout(TICK, Arc::clone(&connections).acquire_owned()).await else {
            continue;
        };
        let Ok(permit) = permit else { break };
        // Errors of one connection, and the tick, are nothing to stop for.
        if let Ok(Ok((stream, _))) = timeout(TICK, listener.accept()).await {
            tokio::spawn(connection(stream, Arc::clone(&router), permit));
        }
    }
    router.stop();
    Ok(())
}

/// One connection, from its first request to its end.
async fn connection(stream: TcpStream, router: Arc<Router>, permit: OwnedSemaphorePermit) {
    let answer = service_fn(move |request| {
        let router = Arc::clone(&router);
        async move { Ok::<_, Infallible>(answer(request, router).await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME_MAX)
        .max_buf_size(HEAD_BYTES_MAX)
        .serve_connection(TokioIo::new(stream), answer);
    let mut connection = pin!(connection);
    if timeout(CONNECTION_TIME_MAX, connection.as_mut())
        .await
        .is_err()
    {
        connection.as_mut().graceful_shutdown();
        // What is not over by then is cut off.
        let _ = timeout(CONNECTION_TIME_MAX, connection).await;
    }
    drop(permit);
}

/// The answer to a request.
async fn answer(request: Request<Incoming>, router: Arc<Router>) -> Response<Full<Bytes>> {
    if let Some(refused) = router.refusal(request.method(), request.uri(), request.headers()) {
        return response(refused);
    }
    let (head, body) = request.into_parts();
    let Ok(body) = Limited::new(body, BODY_BYTES_MAX).collect().await else {
        let words = "the request is too long, or was cut off";
        return response(Reply::error(StatusCode::PAYLOAD_TOO_LARGE, words));
    };
    let body = body.to_bytes();
    // A model may take its time for one answer, and others are not to wait for it.
    let answered =
        tokio::task::spawn_blocking(move || router.answer(&head.method, &head.uri, &body));
    match answered.await {
        Ok(reply) => response(reply),
        Err(_) => {
            let words = "a bug in orbit: what it was is printed where `orbit serve` runs";
            response(Reply::error(StatusCode::INTERNAL_SERVER_ERROR, words))
        }
    }
}

/// Heads that all answers have: nothing is kept, framed, guessed at or told to others.
const HEADS: [(&str, &str); 5] = [
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
    ("content-security-policy", "frame-ancestors 'none'"),
];

fn response(reply: Reply) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(reply.body)));
    *response.status_mut() = reply.status;
    let head = response.headers_mut();
    head.insert(CONTENT_TYPE, HeaderValue::from_static(reply.content));
    head.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    for (name, value) in HEADS {
        let name = HeaderName::from_static(name);
        head.insert(name, HeaderValue::from_static(value));
    }
    response
}
