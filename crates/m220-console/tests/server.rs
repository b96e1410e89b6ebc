//! The server from outside: its answers to its own page and to other clients.

use m220_asm::assemble_text;
use m220_console::server::Console;
use m220_isa::Model;
use m220_machine::Config;
use m220_panel::protocol::Program;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Adds one to a cell forever.
const ENDLESS: &str =
    "origin 0100\nstart begin\nbegin: ADDA one, sum, sum\n JMP 0, begin\none: octal 000000000000001\nsum: reserve 1\n";

/// The port and the token of a console shared by all tests.
fn console() -> (u16, &'static str) {
    static CONSOLE: OnceLock<(u16, String)> = OnceLock::new();
    let (port, token) = CONSOLE.get_or_init(|| {
        let (ready, address) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let console = Console::open(
                    0,
                    "m220",
                    prepared(),
                    |_| Ok(()),
                    Box::new(|task, _| match task.task.as_str() {
                        "good" => Ok(prepared()),
                        _ => Err("no such position".to_owned()),
                    }),
                    |sentence, _| sentence.to_string(),
                    Arc::new(|service, question, _| match service {
                        "echo" => Ok(question.clone()),
                        other => Err(format!("no service {other}")),
                    }),
                );
                let console = console.await.unwrap();
                ready.send(console.address()).unwrap();
                console.serve(std::future::pending()).await;
            });
        });
        let address = address.recv().unwrap();
        let (origin, token) = address.split_once("/#").unwrap();
        (origin.rsplit(':').next().unwrap().parse().unwrap(), token.to_owned())
    });
    (*port, token)
}

fn prepared() -> Program {
    let image = assemble_text("endless.m220", ENDLESS, Model::M220).map(|program| program.image).unwrap();
    let start = image.entry.unwrap();
    let config = Config { cubes: 1, ..Config::new(Model::M220) };
    Program::new("endless".to_owned(), config, image, start)
}

/// Sends raw bytes; returns the status and the whole answer. Unless `whole`, the sending side is then closed, since
/// the server would wait for the rest of an incomplete request.
fn raw(request: &[u8], whole: bool) -> (u16, String) {
    let mut stream = TcpStream::connect(("127.0.0.1", console().0)).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    // The server may close a rejected connection before it has read everything.
    let _ = stream.write_all(request);
    if !whole {
        let _ = stream.shutdown(Shutdown::Write);
    }
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let status = answer.split_whitespace().nth(1).and_then(|status| status.parse().ok());
    (status.unwrap_or_default(), answer)
}

/// A request with these headers besides `Connection: close`.
fn request(method: &str, path: &str, headers: &[(&str, String)], body: &[u8]) -> (u16, String) {
    let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let length = body.len();
    let head = format!("{method} {path} HTTP/1.1\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n");
    raw(&[head.as_bytes(), body].concat(), true)
}

fn host() -> (&'static str, String) {
    ("Host", format!("127.0.0.1:{}", console().0))
}

fn token() -> (&'static str, String) {
    ("Authorization", format!("Bearer {}", console().1))
}

fn json() -> (&'static str, String) {
    ("Content-Type", "application/json".to_owned())
}

/// A request in the page's form.
fn ask(body: &str) -> (u16, String) {
    request("POST", "/api/v1/request", &[host(), token(), json()], body.as_bytes())
}

/// Another name for this computer, another site's page, a missing or wrong token: none of them gets anything.
#[test]
fn strangers_get_nothing() {
    let (port, secret) = console();
    let own = host().1;
    let case = |host: &str, more: &[(&'static str, &str)]| -> Vec<(&'static str, String)> {
        let more = more.iter().map(|(name, value)| (*name, (*value).to_owned()));
        std::iter::once(("Host", host.to_owned())).chain([token(), json()]).chain(more).collect()
    };
    let pause = br#"{"do":"pause"}"#;
    for (what, headers, expected) in [
        ("the page itself", case(&own, &[]), 200),
        ("the page by its other name", case(&format!("localhost:{port}"), &[]), 200),
        ("the page with its origin", case(&own, &[("Origin", &format!("http://{own}"))]), 200),
        ("a name that leads here", case("rebound.example", &[]), 403),
        ("a name that leads here, with the port", case(&format!("rebound.example:{port}"), &[]), 403),
        ("a name that begins like this", case(&format!("127.0.0.1:{port}.example"), &[]), 403),
        ("another port", case("127.0.0.1:1", &[]), 403),
        ("two hosts", case(&own, &[("Host", "rebound.example")]), 403),
        ("another site's page", case(&own, &[("Origin", "https://site.example")]), 403),
        ("a page from a file", case(&own, &[("Origin", "null")]), 403),
        ("this port over TLS", case(&own, &[("Origin", &format!("https://{own}"))]), 403),
        ("two origins", case(&own, &[("Origin", &format!("http://{own}")), ("Origin", "https://site.example")]), 403),
        (
            "a form of another site",
            case(&own, &[("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate")]),
            403,
        ),
        ("another port of this computer", case(&own, &[("Sec-Fetch-Site", "same-site")]), 403),
    ] {
        let (status, answer) = request("POST", "/api/v1/request", &headers, pause);
        // A malformed head is rejected before the checks.
        let refused = status == expected || expected == 403 && status == 400;
        assert!(refused, "{what}: {status}, {answer}");
    }
    let wrong = [
        "".to_owned(),
        "Bearer ".to_owned(),
        format!("Bearer {}", &secret[1..]),
        format!("Basic {secret}"),
        format!("Bearer {}", "0".repeat(32)),
    ];
    for given in wrong {
        for (method, path) in [
            ("GET", "/api/v1/events"),
            ("POST", "/api/v1/request"),
            ("POST", "/api/v1/acknowledge"),
            ("POST", "/api/v1/upload?kind=cards&name=a"),
        ] {
            let (status, answer) = request(method, path, &[host(), json(), ("Authorization", given.clone())], pause);
            assert_eq!(status, 401, "{path} {given}: {answer}");
        }
    }
    let (status, _) = raw(b"GET / HTTP/1.0\r\n\r\n", true);
    assert!(status == 403 || status == 400, "a request without a host: {status}");
}

/// Every answer, including rejections, forbids what the page does not need.
#[test]
fn every_answer_is_strict() {
    for (path, headers) in [
        ("/", vec![host()]),
        ("/assets/main.js", vec![host()]),
        ("/nowhere", vec![host()]),
        ("/", vec![("Host", "rebound.example".to_owned())]),
    ] {
        let (_, answer) = request("GET", path, &headers, b"");
        let head = answer.split("\r\n\r\n").next().unwrap_or_default().to_lowercase();
        for line in [
            "x-content-type-options: nosniff",
            "x-frame-options: deny",
            "referrer-policy: no-referrer",
            "content-security-policy: default-src 'none'",
            "cross-origin-resource-policy: same-origin",
        ] {
            assert!(head.contains(line), "{path} without {line}: {head}");
        }
        assert!(!head.contains("access-control-allow"), "{path}: {head}");
        assert!(!head.contains("unsafe-inline"), "{path}: {head}");
    }
}

/// Only the files of the front end are served, whatever the path looks like.
#[test]
fn no_path_leads_out() {
    for path in [
        "/assets/../Cargo.toml",
        "/assets/%2e%2e%2fCargo.toml",
        "/assets/..%5c..%5cetc%5cpasswd",
        "/assets//etc/passwd",
        "/assets/",
        "/etc/passwd",
        "/%00",
        "/assets/main.js%00.css",
    ] {
        let (status, answer) = request("GET", path, &[host()], b"");
        assert!(status == 404 || status == 400, "{path}: {status}, {answer}");
    }
    // An uploaded source cannot include other files of this computer.
    let folder = env!("CARGO_MANIFEST_DIR");
    for name in ["a.m220", "../../etc/passwd.m220"] {
        let source = format!("include \"{folder}/Cargo.toml\"\n");
        let (status, answer) =
            request("POST", &format!("/api/v1/upload?kind=program&name={name}"), &[host(), token()], source.as_bytes());
        assert_eq!(status, 200, "{answer}");
        assert!(answer.contains("\"error\":\"") && !answer.contains("[package]"), "{answer}");
    }
}

/// A request that is too long is rejected before it is read completely.
#[test]
fn sizes_are_bounded() {
    let long = vec![b' '; (4 << 20) + 1];
    let (status, answer) = request("POST", "/api/v1/request", &[host(), token(), json()], &long);
    assert_eq!(status, 413, "{answer}");
    // Only announced: the server does not wait for it.
    let (name, value) = token();
    let head = format!(
        "POST /api/v1/upload?kind=cards&name=a HTTP/1.1\r\nHost: {}\r\n{name}: {value}\r\nContent-Length: 99999999999\r\nConnection: close\r\n\r\n",
        host().1
    );
    let (status, answer) = raw(head.as_bytes(), true);
    assert_eq!(status, 413, "{answer}");
    // As long as a source or a score may be.
    let line = "x".repeat(1 << 20);
    let (status, answer) = ask(&format!(r#"{{"do":"debugger","line":"{line}"}}"#));
    assert!(status == 200 && answer.contains("there is no command"), "{status}");
}

/// Malformed requests are rejected, and the console goes on.
#[test]
fn malformed_requests_are_refused() {
    for body in [
        "",
        "{",
        "[]",
        "null",
        r#"{"do":"fly"}"#,
        r#"{"do":"step"}"#,
        r#"{"do":"step","count":-1}"#,
        r#"{"do":"step","count":1,"more":2}"#,
        r#"{"do":"key","key":1,"word":8}"#,
        r#"{"do":"speed"}{}"#,
        "\u{0}",
    ] {
        let (status, answer) = ask(body);
        assert!((400..500).contains(&status), "{body}: {status}, {answer}");
    }
    for body in [
        r#"{"do":"key","key":9,"word":"000000000000000"}"#,
        r#"{"do":"key","key":1,"word":"8"}"#,
        r#"{"do":"speed","factor":-1}"#,
        r#"{"do":"breakpoint","cell":65535}"#,
        r#"{"do":"debugger","line":"quit"}"#,
        r#"{"do":"task","task":"none","question":{}}"#,
    ] {
        let (status, answer) = ask(body);
        assert!(status == 200 && !answer.contains("\"error\":null"), "{body}: {status}, {answer}");
    }
}

/// A stream of events, read line by line.
struct Events(BufReader<TcpStream>);

impl Events {
    fn open() -> Events {
        let mut stream = TcpStream::connect(("127.0.0.1", console().0)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let (name, value) = token();
        write!(stream, "GET /api/v1/events HTTP/1.1\r\nHost: {}\r\n{name}: {value}\r\n\r\n", host().1).unwrap();
        Events(BufReader::new(stream))
    }

    /// The data of the next event of this name; `None` at the end of the stream.
    fn next(&mut self, name: &str) -> Option<String> {
        let wanted = format!("event: {name}");
        let mut line = String::new();
        let mut found = false;
        loop {
            line.clear();
            // The last chunk of a body is empty.
            if self.0.read_line(&mut line).expect("the stream goes on or ends") == 0 || line == "0\r\n" {
                return None;
            }
            if line.trim_end() == wanted {
                found = true;
            } else if found && let Some(data) = line.strip_prefix("data: ") {
                return Some(data.trim_end().to_owned());
            }
        }
    }

    /// The number of the next frame.
    fn frame(&mut self) -> Option<u64> {
        let data = self.next("frame")?;
        let number = data.split("\"sequence\":").nth(1)?.split(',').next()?;
        number.parse().ok()
    }
}

fn acknowledge(sequence: u64) {
    let (status, _) = request(
        "POST",
        "/api/v1/acknowledge",
        &[host(), token(), json()],
        format!(r#"{{"sequence":{sequence}}}"#).as_bytes(),
    );
    assert_eq!(status, 204);
}

/// A page gets the program and one frame, and the next frame only after acknowledging the last: nothing is queued
/// meanwhile. A later page replaces the one before.
#[test]
fn frames_come_at_the_pace_of_the_page() {
    let mut page = Events::open();
    assert!(page.next("program").unwrap().contains("\"protocol\":1"));
    let first = page.frame().unwrap();
    for _ in 0..200 {
        assert_eq!(ask(r#"{"do":"step","count":1}"#).0, 200);
    }
    acknowledge(first);
    assert_eq!(page.frame().unwrap(), first + 1, "the 200 steps are one frame");
    let mut other = Events::open();
    assert!(other.next("program").is_some());
    let sequence = other.frame().unwrap();
    assert_eq!(sequence, first + 2);
    acknowledge(sequence);
    assert_eq!(page.frame(), None, "the first page's stream has ended");
}

/// Random bytes and heads, as bodies, paths and whole requests: the console still answers the next page.
#[test]
fn noise_does_not_end_it() {
    let mut state = 1u64;
    let mut random = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    let bytes =
        |length: usize, random: &mut dyn FnMut() -> usize| -> Vec<u8> { (0..length).map(|_| random() as u8).collect() };
    for round in 0..150 {
        let length = random() % 600;
        let body = bytes(length, &mut random);
        let kind = ["program", "cards", "drum", "tape", "nothing"][random() % 5];
        let number = random() % 300;
        let (status, answer) = match round % 3 {
            0 => request(
                "POST",
                &format!("/api/v1/upload?kind={kind}&name=noise&number={number}"),
                &[host(), token()],
                &body,
            ),
            1 => request("POST", "/api/v1/request", &[host(), token(), json()], &body),
            _ => raw(&body, false),
        };
        assert!(status < 500, "round {round}: {status}, {answer}");
    }
    let (status, answer) = ask(r#"{"do":"debugger","line":"registers"}"#);
    assert!(status == 200 && answer.contains("RVK"), "{answer}");
}

/// A question is answered beside the machine, for any client with the token.
#[test]
fn questions_are_answered() {
    let answer =
        |headers: &[(&'static str, String)], body: &str| request("POST", "/api/v1/answer", headers, body.as_bytes());
    let own = [host(), token(), json()];
    let (status, echo) = answer(&own, r#"{"service":"echo","question":{"fen":"x"}}"#);
    assert!(status == 200 && echo.contains("\r\n{\"fen\":\"x\"}"), "{echo}");
    let (status, none) = answer(&own, r#"{"service":"other"}"#);
    assert!(status == 200 && none.contains(r#"{"error":"no service other"}"#), "{none}");
    assert_eq!(answer(&[host(), json()], r#"{"service":"echo"}"#).0, 401);
}

/// Clients that send ever more requests and never read take all places, but not for long.
#[test]
fn clients_that_do_not_read_are_cut_off() {
    let asked = format!("GET /assets/style.css HTTP/1.1\r\nHost: {}\r\n\r\n", host().1).repeat(1_000);
    let idle: Vec<TcpStream> = (0..64)
        .map(|_| {
            let mut stream = TcpStream::connect(("127.0.0.1", console().0)).unwrap();
            stream.set_nonblocking(true).unwrap();
            // As much as the server accepts.
            let _ = stream.write_all(asked.as_bytes());
            stream
        })
        .collect();
    assert_eq!(ask(r#"{"do":"pause"}"#).0, 200);
    drop(idle);
}
