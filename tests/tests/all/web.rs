//! The web edition in a browser: as one file, and as a site under some path of a static host.
//!
//! `tools/web/build` makes both. Without them, or without Chromium, these tests report that they were left out, and pass;
//! `.ci/run` demands them.

use m220_tests::browser::{Browser, installed};
use serde_json::{Value, json};
use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;

/// With this variable set, a missing site is a failure.
const REQUIRED: &str = "M220_SITE_TESTS";

/// A part of what `tools/web/build` makes, and a browser to open it in.
fn built(name: &str) -> Option<(PathBuf, Browser)> {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../target")).join(name);
    if !path.exists() {
        assert!(env::var_os(REQUIRED).is_none(), "{REQUIRED} is set, and tools/web/build has not made {name}");
        // Written directly, so that the test harness does not capture it.
        let _ = writeln!(std::io::stderr(), "tests of {name} left out: tools/web/build makes it");
        return None;
    }
    Some((path.canonicalize().unwrap(), Browser::start(&installed()?, 1280, 800)))
}

/// The king's 393 trajectories on the machine in the page, then the same question beside it, and a program of a visitor.
fn king_in(browser: &mut Browser) {
    assert_eq!(browser.evaluate("m220.source.frame.phase"), "ready");
    browser.evaluate("m220.source.speed = Infinity; m220.source.play().then(() => true)");
    browser.until("m220.source.frame.phase === 'ended'");
    assert_eq!(browser.evaluate("m220.source.state.stop.reason"), "halt");
    assert_eq!(browser.evaluate("m220.source.state.word(m220.source.state.exported('count'))"), 393);
    let question = json!({ "fen": "8/8/8/8/8/8/8/8 w - - 0 1", "from": "a4", "to": "h4", "piece": "king" });
    let asked = browser.evaluate(&format!("m220.source.call('trajectories', {question})"));
    assert_eq!(asked["error"], Value::Null);
    assert_eq!(asked["document"]["count"], 393);
    assert_eq!(asked["equal"], "equal: machine and native reference give the same");
    let refused = browser.evaluate("m220.source.call('fly')");
    assert_eq!(refused["error"], "there is no service `fly`");
    // A question that takes long is stopped, and the next one is answered.
    let stopped = browser.evaluate(
        "(() => { const stop = new AbortController(); \
         const asked = m220.source.call('mate', { fen: '8/8/8/8/8/5k2/8/4K2R w K - 0 1', moves: 8 }, { signal: stop.signal }); \
         stop.abort(); return asked; })()",
    );
    assert_eq!(stopped["error"], "stopped");
    let source =
        json!({ "root": "a.m220", "files": [{ "name": "a.m220", "text": "origin 0100\nstart a\na: STOP\n" }] });
    let loaded = browser.evaluate(&format!("m220.source.ask({{ do: 'task', task: 'source', question: {source} }})"));
    assert_eq!(loaded["error"], Value::Null);
    browser.until("m220.source.state.description.title === 'a.m220'");
    assert!(browser.errors.is_empty(), "{:?}", browser.errors);
}

/// One file, opened from the disk: it asks for nothing else.
#[test]
fn the_laboratory_is_one_file() {
    let Some((file, mut browser)) = built("m220-laboratory.html") else { return };
    let address = format!("file://{}", file.display());
    browser.open(&address);
    king_in(&mut browser);
    let outside: Vec<&String> = browser
        .requests
        .iter()
        .filter(|request| !["file:", "data:", "blob:", "about:"].iter().any(|own| request.starts_with(own)))
        .collect();
    assert!(outside.is_empty(), "{outside:?}");
}

/// The site works under any path of a host of static files.
#[test]
fn the_site_works_under_a_path() {
    let Some((folder, mut browser)) = built("site") else { return };
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let host = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let folder = folder.clone();
            std::thread::spawn(move || serve(stream, &folder));
        }
    });
    browser.open(&format!("http://{host}/some/where/index.html"));
    king_in(&mut browser);
    let prefix = format!("http://{host}/some/where/");
    let outside: Vec<&String> = browser
        .requests
        .iter()
        .filter(|request| {
            request.starts_with("http") && !request.starts_with(&prefix) && !request.ends_with("/favicon.ico")
        })
        .collect();
    assert!(outside.is_empty(), "{outside:?}");
}

/// A static host, with the site under `/some/where/`.
fn serve(mut stream: TcpStream, folder: &std::path::Path) {
    let mut head = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
    let path = head.next().and_then(|line| line.split(' ').nth(1).map(str::to_owned)).unwrap_or_default();
    head.take_while(|line| !line.is_empty()).for_each(drop);
    let file = path.strip_prefix("/some/where/").and_then(|name| fs::read(folder.join(name)).ok());
    let kind = match path.rsplit('.').next() {
        Some("js") => "text/javascript",
        Some("css") => "text/css",
        Some("html") => "text/html",
        _ => "application/octet-stream",
    };
    let (status, body) = file.map_or(("404 Not Found", Vec::new()), |body| ("200 OK", body));
    let length = body.len();
    let head =
        format!("HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
}
