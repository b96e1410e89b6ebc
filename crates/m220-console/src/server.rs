//! The local server: the page, the events of the machine, and the page's requests.
//!
//! Only this computer can reach it, and only a program that has the token can use it. A page of another site may send
//! requests to 127.0.0.1, but with another `Origin`, or, through a name that resolves here, with another `Host`.

use crate::page;
use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, Query, Request as HttpRequest, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::middleware::{self, Next};
use axum::response::sse::{self, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use futures_util::future::select;
use futures_util::stream::{self, Stream};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use m220_limits::{Interrupt, Limits};
use m220_panel::emulator::Emulator;
use m220_panel::host::Host;
use m220_panel::protocol::{Event, Program, Reply, Request, Say, Tasks, UploadKind};
use m220_sentence::Sentence;
use serde::Deserialize;
use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TrySendError};
use std::time::{Duration, Instant};
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, oneshot, watch};
use tokio_io_timeout::TimeoutStream;

/// The largest body of a request: it may hold a score of a megabyte, or the sources of a program, as JSON.
const LARGEST_REQUEST: usize = 4 << 20;
/// The largest upload: twice a full tape of the M-220.
const LARGEST_UPLOAD: usize = 16 << 20;
/// The path of questions.
const ANSWER: &str = "/api/v1/answer";
/// Concurrent requests; further ones are rejected.
const MOST_REQUESTS: usize = 32;
/// Concurrent connections; further ones wait.
const MOST_CONNECTIONS: usize = 256;
/// Messages that may wait for the machine; further ones are rejected.
const MOST_MESSAGES: usize = 64;
/// The time in which the head of a request must have come: a page on this computer sends it at once, and who sends it
/// letter by letter must not keep others waiting.
const HEAD: Duration = Duration::from_secs(3);
/// How long the console waits after a connection that it could not take.
const REFUSED: Duration = Duration::from_millis(100);
/// The port that a browser leaves out of an address.
const HTTP: u16 = 80;
/// The time after which an incomplete request is aborted.
const PATIENCE: Duration = Duration::from_secs(20);
/// The time after which a client that does not read is cut off, so that another page can have its place.
const WRITING: Duration = Duration::from_secs(1);
/// The least time between frames, however fast a page asks for them.
const BETWEEN_FRAMES: Duration = Duration::from_millis(15);
/// The interval of keep-alive messages, which also detect closed connections.
const HEARTBEAT: Duration = Duration::from_secs(5);

/// The machine behind the page, on its thread.
type Machine = Host<Box<Tasks>>;

/// A message to the machine's thread.
enum Message {
    /// The machine is to do something.
    Do(Box<dyn FnOnce(&mut Machine) -> Reply + Send>, oneshot::Sender<Reply>),
    /// A page wants the next frame. A new page replaces the one before.
    Frame { viewer: u64, reply: oneshot::Sender<Vec<Event>> },
}

/// Answers questions beside the machine, within limits: a service, and its question.
pub type Answers = dyn Fn(&str, &serde_json::Value, &Limits) -> Result<serde_json::Value, String> + Send + Sync;

/// State shared by all requests.
struct ServerState {
    port: u16,
    maker: &'static str,
    token: String,
    machine: SyncSender<Message>,
    answers: Arc<Answers>,
    viewers: AtomicU64,
    acknowledged: watch::Sender<u64>,
    in_work: AtomicUsize,
    /// Ends a running command of the debugger; the pause sent afterwards clears it.
    interrupt: Interrupt,
}

/// A listening console.
pub struct Console {
    listener: TcpListener,
    shared: Arc<ServerState>,
}

impl Console {
    /// Listens on 127.0.0.1; port 0 picks a free one. The machine's thread starts with this program and carries out
    /// `first`. The page names `maker` as the program that it comes from.
    ///
    /// # Errors
    /// If the port is taken, or the program cannot be loaded.
    pub async fn open(
        port: u16,
        maker: &'static str,
        prepared: Program,
        first: impl FnOnce(&mut Emulator) -> Result<(), Sentence> + Send + 'static,
        tasks: Box<Tasks>,
        say: Say,
        answers: Arc<Answers>,
    ) -> io::Result<Console> {
        let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).await?;
        let port = listener.local_addr()?.port();
        let (machine, messages) = mpsc::sync_channel(MOST_MESSAGES);
        let (ready, loaded) = oneshot::channel();
        let interrupt = Interrupt::default();
        let limits = Limits::default().with_interrupt(&interrupt);
        std::thread::Builder::new().name("machine".to_owned()).spawn(move || {
            // The devices write to paper owned by the machine's thread, so the machine is made there.
            let emulator =
                Emulator::within(prepared, &limits).and_then(|mut emulator| first(&mut emulator).map(|()| emulator));
            match emulator {
                Ok(emulator) => {
                    let _ = ready.send(Ok(()));
                    run_machine(Host::new(emulator, tasks, say), &messages);
                }
                Err(error) => {
                    let _ = ready.send(Err(error));
                }
            }
        })?;
        loaded.await.map_err(|_| io::Error::other("the machine's thread has ended"))?.map_err(io::Error::other)?;
        let shared = ServerState {
            port,
            maker,
            token: secret(),
            machine,
            answers,
            viewers: AtomicU64::new(0),
            acknowledged: watch::Sender::new(0),
            in_work: AtomicUsize::new(0),
            interrupt,
        };
        Ok(Console { listener, shared: Arc::new(shared) })
    }

    /// The address for a browser. The token after `#` is the key to the console; a browser does not send it.
    #[must_use]
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/#{}", self.shared.port, self.shared.token)
    }

    /// Serves until `end` completes. `axum::serve` would wait for a request's header without end, so the connections
    /// are served here.
    pub async fn serve(self, end: impl Future<Output = ()> + Send + 'static) {
        let service = TowerToHyperService::new(router(self.shared));
        let connections = Arc::new(Semaphore::new(MOST_CONNECTIONS));
        let serve = async {
            loop {
                // When all places are taken, new connections wait.
                let Ok(place) = Arc::clone(&connections).acquire_owned().await else { return };
                let Ok((stream, _)) = self.listener.accept().await else {
                    // Most likely there are too many open files: a connection that ends gives one back.
                    tokio::time::sleep(REFUSED).await;
                    continue;
                };
                // A frame is one small packet, and the page waits for it.
                let _ = stream.set_nodelay(true);
                let mut stream = TimeoutStream::new(stream);
                stream.set_write_timeout(Some(WRITING));
                let service = service.clone();
                tokio::spawn(async move {
                    let mut http = http1::Builder::new();
                    http.timer(TokioTimer::new()).header_read_timeout(HEAD);
                    // An error on a connection concerns only its other end.
                    let _ = http.serve_connection(TokioIo::new(Box::pin(stream)), service).await;
                    drop(place);
                });
            }
        };
        select(pin!(serve), pin!(end)).await;
    }
}

/// 128 random bits as hexadecimal digits.
fn secret() -> String {
    format!("{:032x}", rand::random::<u128>())
}

fn router(shared: Arc<ServerState>) -> Router {
    let api = Router::new()
        .route("/events", get(events))
        .route("/acknowledge", post(acknowledge))
        .route("/request", post(request))
        .route("/answer", post(answer))
        .route("/upload", post(upload).layer(DefaultBodyLimit::max(LARGEST_UPLOAD)))
        .layer(middleware::from_fn_with_state(Arc::clone(&shared), with_token));
    Router::new()
        .route("/", get(index))
        .route("/assets/{name}", get(asset))
        .nest("/api/v1", api)
        .layer(DefaultBodyLimit::max(LARGEST_REQUEST))
        .layer(middleware::from_fn_with_state(Arc::clone(&shared), guarded))
        .with_state(shared)
}

/// Counts a request while it is handled.
struct InWork<'a>(&'a AtomicUsize);

impl Drop for InWork<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Checks every request: it must come from this console's own page, and there must not be too many.
async fn guarded(State(shared): State<Arc<ServerState>>, request: HttpRequest, next: Next) -> Response {
    let in_work = InWork(&shared.in_work);
    let busy = in_work.0.fetch_add(1, Ordering::Relaxed) >= MOST_REQUESTS;
    let refused = if busy {
        Some((StatusCode::SERVICE_UNAVAILABLE, "too many requests at once"))
    } else {
        let stranger = refusal(request.method(), request.headers(), shared.port);
        let long = is_announced_longer(request.headers(), LARGEST_UPLOAD);
        let long = long.then_some((StatusCode::PAYLOAD_TOO_LARGE, "the request is longer than the largest upload"));
        stranger.map(|reason| (StatusCode::FORBIDDEN, reason)).or(long)
    };
    let mut response = match refused {
        Some(refused) => refused.into_response(),
        // A question may take as long as its client waits.
        None if request.uri().path() == ANSWER => next.run(request).await,
        None => match tokio::time::timeout(PATIENCE, next.run(request)).await {
            Ok(response) => response,
            Err(_) => (StatusCode::REQUEST_TIMEOUT, "the request was not completed in time").into_response(),
        },
    };
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    // Only the page itself has a policy of its own.
    let policy = response.headers_mut().entry(header::CONTENT_SECURITY_POLICY);
    policy.or_insert(HeaderValue::from_static("default-src 'none'"));
    response
}

/// Whether the declared length of a request's body exceeds a limit.
fn is_announced_longer(headers: &HeaderMap, limit: usize) -> bool {
    let length = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    length.is_some_and(|length| length > limit as u64)
}

/// Why a request is rejected by its host and origin.
fn refusal(method: &Method, headers: &HeaderMap, port: u16) -> Option<&'static str> {
    let own = ["127.0.0.1", "localhost"];
    let mut names = own.map(|name| format!("{name}:{port}")).to_vec();
    if port == HTTP {
        names.extend(own.map(str::to_owned));
    }
    let mut hosts = headers.get_all(header::HOST).iter();
    let host = hosts.next().and_then(|host| host.to_str().ok());
    // DNS rebinding: a foreign name that resolves to this computer differs.
    if hosts.next().is_some() || !host.is_some_and(|host| names.iter().any(|name| name == host)) {
        return Some("the Host is not this console");
    }
    for origin in headers.get_all(header::ORIGIN) {
        let own = origin.to_str().ok().and_then(|origin| origin.strip_prefix("http://"));
        if !own.is_some_and(|own| names.iter().any(|name| name == own)) {
            return Some("the Origin is not this console");
        }
    }
    let site = headers.get("sec-fetch-site").and_then(|site| site.to_str().ok());
    // Typing the address or following a link may open the page; nothing else may come from elsewhere.
    let navigates = headers.get("sec-fetch-mode").is_some_and(|mode| mode == "navigate") && method == Method::GET;
    match site {
        None | Some("same-origin" | "none") => None,
        Some(_) if navigates => None,
        Some(_) => Some("the request comes from another site"),
    }
}

/// Requests that change or show the machine need the token.
async fn with_token(State(shared): State<Arc<ServerState>>, request: HttpRequest, next: Next) -> Response {
    let given = request.headers().get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let given = given.and_then(|value| value.strip_prefix("Bearer ")).unwrap_or_default();
    // All bytes are compared, so the time says nothing about the token.
    let differs = given.bytes().zip(shared.token.bytes()).fold(0, |differs, (a, b)| differs | (a ^ b));
    if given.len() != shared.token.len() || differs != 0 {
        return (StatusCode::UNAUTHORIZED, "open the console with the address that it printed").into_response();
    }
    next.run(request).await
}

async fn index(State(shared): State<Arc<ServerState>>) -> Response {
    let nonce = secret();
    let policy = format!(
        "default-src 'none'; script-src 'self' 'nonce-{nonce}'; style-src 'self'; connect-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    let headers =
        [(header::CONTENT_TYPE, "text/html; charset=utf-8".to_owned()), (header::CONTENT_SECURITY_POLICY, policy)];
    (headers, page::served(&nonce, shared.maker)).into_response()
}

async fn asset(Path(name): Path<String>) -> Response {
    let found = page::MODULES.iter().chain([&page::STYLE]).find(|asset| asset.name == name);
    match found {
        Some(asset) => {
            let kind = if asset.name.ends_with(".js") { "text/javascript" } else { "text/css" };
            ([(header::CONTENT_TYPE, format!("{kind}; charset=utf-8"))], asset.text).into_response()
        }
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// The events: one frame after the other, the next only when the page has acknowledged the one before.
async fn events(State(shared): State<Arc<ServerState>>) -> Sse<impl Stream<Item = Result<sse::Event, Infallible>>> {
    struct Viewing {
        shared: Arc<ServerState>,
        viewer: u64,
        acknowledged: watch::Receiver<u64>,
        shown: u64,
        ready: Vec<Event>,
    }
    let viewer = shared.viewers.fetch_add(1, Ordering::Relaxed) + 1;
    let acknowledged = shared.acknowledged.subscribe();
    let viewing = Viewing { shared, viewer, acknowledged, shown: 0, ready: Vec::new() };
    let events = stream::unfold(viewing, |mut viewing| async move {
        loop {
            if !viewing.ready.is_empty() {
                let event = viewing.ready.remove(0);
                if let Event::Frame(frame) = &event {
                    viewing.shown = frame.sequence;
                }
                return Some((Ok(sse_event(&event)), viewing));
            }
            let shown = viewing.shown;
            let seen = viewing.acknowledged.wait_for(|acknowledged| *acknowledged >= shown);
            if tokio::time::timeout(HEARTBEAT, seen).await.is_err() {
                return Some((Ok(sse::Event::default().comment("waiting")), viewing));
            }
            let (reply, frame) = oneshot::channel();
            let message = Message::Frame { viewer: viewing.viewer, reply };
            match viewing.shared.machine.try_send(message) {
                Ok(()) => {}
                Err(TrySendError::Full(_)) => {
                    tokio::time::sleep(BETWEEN_FRAMES).await;
                    continue;
                }
                Err(TrySendError::Disconnected(_)) => return None,
            }
            // Another page has replaced this one.
            viewing.ready = frame.await.ok()?;
        }
    });
    Sse::new(events).keep_alive(KeepAlive::new().interval(HEARTBEAT))
}

fn sse_event(event: &Event) -> sse::Event {
    let (name, data) = match event {
        Event::Program(description) => ("program", serde_json::to_string(description)),
        Event::Frame(frame) => ("frame", serde_json::to_string(frame)),
    };
    sse::Event::default().event(name).data(data.unwrap_or_default())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Acknowledgement {
    sequence: u64,
}

async fn acknowledge(State(shared): State<Arc<ServerState>>, body: axum::Json<Acknowledgement>) -> StatusCode {
    shared.acknowledged.send_replace(body.sequence);
    StatusCode::NO_CONTENT
}

/// The language of the page.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Spoken {
    #[serde(default)]
    lang: String,
}

async fn request(
    State(shared): State<Arc<ServerState>>,
    Query(Spoken { lang }): Query<Spoken>,
    body: axum::Json<Request>,
) -> Response {
    if body.0 == Request::Pause {
        // Otherwise a running command of the debugger would be completed first.
        shared.interrupt.raise();
    }
    ask(&shared, move |host| host.request(&body.0, &lang)).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    service: String,
    #[serde(default)]
    question: serde_json::Value,
}

/// Raised when nobody waits for the answer any more: the page has closed the connection.
struct Waiting(Interrupt);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.raise();
    }
}

/// A question answered beside the machine, on its own thread. It ends when the page closes the connection.
async fn answer(State(shared): State<Arc<ServerState>>, body: axum::Json<Asked>) -> Response {
    let waiting = Waiting(Interrupt::default());
    let limits = Limits::default().with_interrupt(&waiting.0);
    let answers = Arc::clone(&shared.answers);
    let done = tokio::task::spawn_blocking(move || answers(&body.service, &body.question, &limits)).await;
    match done {
        Ok(Ok(answer)) => axum::Json(answer).into_response(),
        Ok(Err(error)) => axum::Json(serde_json::json!({ "error": error })).into_response(),
        Err(_) => (StatusCode::INTERNAL_SERVER_ERROR, "the question has no answer").into_response(),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Upload {
    kind: UploadKind,
    name: String,
    #[serde(default)]
    number: u8,
    #[serde(default)]
    lang: String,
}

async fn upload(State(shared): State<Arc<ServerState>>, Query(what): Query<Upload>, bytes: Bytes) -> Response {
    // The name is only quoted in the answer: it opens nothing on the disk.
    let name: String = what.name.chars().filter(|c| !c.is_control()).take(80).collect();
    ask(&shared, move |host| host.upload(what.kind, &name, what.number, &bytes, &what.lang)).await
}

async fn ask(shared: &ServerState, what: impl FnOnce(&mut Machine) -> Reply + Send + 'static) -> Response {
    let (reply, answer) = oneshot::channel();
    if shared.machine.try_send(Message::Do(Box::new(what), reply)).is_err() {
        return (StatusCode::SERVICE_UNAVAILABLE, "the machine has not caught up with earlier requests")
            .into_response();
    }
    match answer.await {
        Ok(reply) => axum::Json(reply).into_response(),
        Err(_) => (StatusCode::INTERNAL_SERVER_ERROR, "the machine has ended").into_response(),
    }
}

/// The machine's thread: handles messages between turns of work, and sends a frame when a page waits for one.
fn run_machine(mut host: Machine, messages: &Receiver<Message>) {
    let mut waiting: Option<(u64, oneshot::Sender<Vec<Event>>)> = None;
    // The page that was served last.
    let mut last = 0;
    let mut shown = Instant::now();
    let mut worked = Instant::now();
    let mut rest = Duration::ZERO;
    loop {
        // Wakes up every half second even if idle, so that the clock advances.
        let was_running = host.is_running();
        let patience = if was_running { rest } else { Duration::from_millis(500) };
        let patience = if waiting.is_some() && host.has_news() { patience.min(BETWEEN_FRAMES) } else { patience };
        match messages.recv_timeout(patience) {
            Ok(Message::Do(what, reply)) => {
                let _ = reply.send(what(&mut host));
            }
            Ok(Message::Frame { viewer, reply }) => {
                if viewer >= waiting.as_ref().map_or(last, |(viewer, _)| *viewer) {
                    waiting = Some((viewer, reply));
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        let now = Instant::now();
        // The machine need not catch up on the time before the start.
        rest = host.work(if was_running { now.duration_since(worked) } else { Duration::ZERO });
        worked = now;
        let another = waiting.as_ref().is_some_and(|(viewer, _)| *viewer != last);
        if another || (host.has_news() && shown.elapsed() >= BETWEEN_FRAMES) {
            let Some((viewer, reply)) = waiting.take() else { continue };
            let _ = reply.send(host.events(another));
            (shown, last) = (Instant::now(), viewer);
        }
    }
}
