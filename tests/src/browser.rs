//! Headless Chromium for the tests of the page: the DevTools protocol over one WebSocket.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::env;
use std::fs;
use std::io::{BufRead, BufReader, ErrorKind};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

/// With this variable set, a missing browser is a failure.
const REQUIRED: &str = "M220_BROWSER_TESTS";
/// A page that takes longer than this for any single action has failed.
const PATIENCE: Duration = Duration::from_secs(90);

/// The browser of all tests that run at a time: a start takes as long as many a test.
struct Chromium {
    process: Child,
    address: String,
    /// Removed after the browser has ended.
    _profile: TempDir,
}

static RUNNING: Mutex<Weak<Chromium>> = Mutex::new(Weak::new());

/// A page with storage and downloads of its own.
pub struct Browser {
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    session: Option<String>,
    /// The page's frame.
    frame: Value,
    number: u64,
    /// Errors in the page: exceptions, and requests blocked by the browser.
    pub errors: Vec<String>,
    /// The addresses that the page requested, in order.
    pub requests: Vec<String>,
    /// The names of files that the page has offered for saving, and those of them that are complete.
    downloads: (HashMap<String, String>, Vec<String>),
    /// The files offered for saving.
    kept: TempDir,
    _chromium: Arc<Chromium>,
}

/// The browser's program, if there is one.
///
/// # Panics
/// If there is none and `M220_BROWSER_TESTS` is set.
#[must_use]
pub fn installed() -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    // The shell has no windows of its own to draw, and takes two thirds of the time.
    let names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];
    let found = names
        .iter()
        .flat_map(|name| env::split_paths(&path).map(move |folder| folder.join(name)))
        .find(|file| file.is_file());
    assert!(found.is_some() || env::var_os(REQUIRED).is_none(), "{REQUIRED} is set, and no chromium is in PATH");
    if found.is_none() {
        // Written directly, so that the test harness does not capture it.
        use std::io::Write;
        let _ = writeln!(std::io::stderr(), "browser tests left out: no chromium in PATH ({REQUIRED}=1 demands it)");
    }
    found
}

impl Chromium {
    fn start(program: &Path) -> Chromium {
        let profile = tempfile::tempdir().expect("a folder for the profile");
        let mut process = Command::new(program)
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--hide-scrollbars",
            ])
            .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
            // A page that the browser takes for hidden gets no frames.
            .args(["--disable-renderer-backgrounding", "--disable-backgrounding-occluded-windows"])
            .arg("--disable-background-timer-throttling")
            .args(["--remote-debugging-port=0", "--disable-dev-shm-usage"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the browser starts");
        let mut lines = BufReader::new(process.stderr.take().expect("a pipe")).lines().map_while(Result::ok);
        let address = lines.find_map(|line| Some(line.split_once("ws://")?.1.trim().to_owned()));
        let address = address.expect("the browser says where it listens");
        // Its further output must not fill the pipe.
        std::thread::spawn(move || lines.for_each(drop));
        Chromium { process, address: format!("ws://{address}"), _profile: profile }
    }
}

impl Browser {
    /// Opens an empty page of this size, in the browser that another test has started or in a new one.
    ///
    /// # Panics
    /// If the browser does not start.
    #[must_use]
    pub fn start(program: &Path, width: u32, height: u32) -> Browser {
        let chromium = {
            let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
            running.upgrade().unwrap_or_else(|| {
                let started = Arc::new(Chromium::start(program));
                *running = Arc::downgrade(&started);
                started
            })
        };
        let (socket, _) = tungstenite::connect(&chromium.address).expect("the browser listens");
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        }
        let kept = tempfile::tempdir().expect("a folder for what is saved");
        let (session, errors, requests) = (None, Vec::new(), Vec::new());
        let downloads = Default::default();
        let mut browser = Browser {
            socket,
            session,
            frame: Value::Null,
            number: 0,
            errors,
            requests,
            downloads,
            kept,
            _chromium: chromium,
        };
        // It ends with the connection.
        let context = browser.call("Target.createBrowserContext", json!({ "disposeOnDetach": true }));
        let context = &context["browserContextId"];
        let folder = browser.kept.path().to_owned();
        let allowed =
            json!({ "behavior": "allow", "downloadPath": folder, "eventsEnabled": true, "browserContextId": context });
        browser.call("Browser.setDownloadBehavior", allowed);
        let window = json!({ "url": "about:blank", "browserContextId": context, "newWindow": true });
        let target = browser.call("Target.createTarget", window);
        let page = browser.call("Target.attachToTarget", json!({ "targetId": target["targetId"], "flatten": true }));
        browser.frame = target["targetId"].clone();
        browser.session = page["sessionId"].as_str().map(str::to_owned);
        // Each page has the focus, whichever window has it.
        browser.call("Emulation.setFocusEmulationEnabled", json!({ "enabled": true }));
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser.resize(width, height);
        browser
    }

    /// Gives the page another size.
    pub fn resize(&mut self, width: u32, height: u32) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", size);
    }

    /// Shows the page as it is printed, or as on a screen again.
    pub fn print(&mut self, is_printed: bool) {
        self.call("Emulation.setEmulatedMedia", json!({ "media": if is_printed { "print" } else { "" } }));
    }

    /// Opens an address and waits until the console's page has built itself up.
    pub fn open(&mut self, address: &str) {
        // Changing only the fragment would not reload the page.
        self.call("Page.navigate", json!({ "url": "about:blank" }));
        self.call("Page.navigate", json!({ "url": address }));
        self.call("Page.bringToFront", json!({}));
        self.until("document.documentElement.dataset.ready === 'true'");
    }

    /// Opens an address that is not the console's.
    pub fn visit(&mut self, address: &str) {
        self.call("Page.navigate", json!({ "url": address }));
        self.call("Page.bringToFront", json!({}));
        self.until("document.readyState === 'complete'");
    }

    /// The value of an expression in the page; a promise is awaited.
    ///
    /// # Panics
    /// If it throws.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let asked = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let found = self.call("Runtime.evaluate", asked);
        assert!(found.get("exceptionDetails").is_none(), "{expression}: {}", found["exceptionDetails"]);
        found["result"]["value"].clone()
    }

    /// Lets the run that a page's source shows go on as fast as it can, not in the ten seconds in which a visitor sees it.
    pub fn hurry(&mut self, source: &str) {
        self.until(&format!("{source}.state.running || {source}.frame.phase === 'ended'"));
        self.evaluate(&format!("void ({source}.speed = Infinity)"));
    }

    /// Waits until an expression in the page is true. It is checked by a timer: frames may fail to come.
    ///
    /// # Panics
    /// If it does not become true.
    pub fn until(&mut self, condition: &str) {
        let waited = format!(
            "new Promise((resolve) => {{ const end = performance.now() + 5000; const holds = () => {{ \
             try {{ return {condition}; }} catch {{ return false; }} }}; const look = () => {{ \
             if (holds()) resolve(true); else if (performance.now() > end) resolve('not yet'); \
             else setTimeout(look, 10); }}; look(); }})"
        );
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end {
            let asked = json!({ "expression": waited, "awaitPromise": true, "returnByValue": true });
            match &self.call("Runtime.evaluate", asked)["result"]["value"] {
                Value::Bool(true) => return,
                // A page behind another gets no frames.
                Value::String(_) => drop(self.call("Page.bringToFront", json!({}))),
                // Navigation destroys the promise; the new page is asked again.
                _ => {}
            }
        }
        panic!("never came true: {condition}; errors: {:?}", self.errors);
    }

    /// Presses a key: its code as `KeyA`, `ArrowLeft`, `Space`, and what it types.
    pub fn press(&mut self, code: &str, key: &str, shift: bool) {
        let modifiers = if shift { 8 } else { 0 };
        for kind in ["keyDown", "keyUp"] {
            let mut event = json!({ "type": kind, "code": code, "key": key, "modifiers": modifiers });
            if kind == "keyDown" && key.chars().count() == 1 {
                event["text"] = key.into();
            }
            self.call("Input.dispatchKeyEvent", event);
        }
    }

    /// Types a text into the focused element.
    pub fn type_text(&mut self, text: &str) {
        self.call("Input.insertText", json!({ "text": text }));
    }

    /// The middle of an element of the page.
    fn middle(&mut self, selector: &str) -> [f64; 2] {
        let found = self.evaluate(&format!(
            "(() => {{ const box = document.querySelector('{selector}').getBoundingClientRect(); \
             return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
        ));
        [0, 1].map(|place| found[place].as_f64().expect("a number"))
    }

    /// Drops files of the disk on an element. A browser under load may take the files back before the page has said
    /// that it takes them: the page is asked whether it saw them, and they are dropped again.
    ///
    /// # Panics
    /// If the page never sees them.
    pub fn drop_files(&mut self, selector: &str, files: &[PathBuf]) {
        let [x, y] = self.middle(selector);
        let data = json!({ "items": [], "files": files, "dragOperationsMask": 1 });
        for _ in 0..10 {
            self.evaluate(
                "globalThis.dropped = new Promise((resolve) => \
                 document.addEventListener('drop', () => resolve(true), { capture: true, once: true })); true",
            );
            for kind in ["dragEnter", "dragOver", "drop"] {
                self.call("Input.dispatchDragEvent", json!({ "type": kind, "x": x, "y": y, "data": data }));
            }
            let seen = "Promise.race([dropped, new Promise((resolve) => setTimeout(resolve, 3000, false))])";
            if self.evaluate(seen) == true {
                return;
            }
        }
        panic!("the page never saw {files:?} dropped");
    }

    /// Moves a finger from one element to another.
    pub fn drag_by_finger(&mut self, from: &str, to: &str) {
        // Another test's page may be in front: a finger does not reach one behind it.
        self.call("Page.bringToFront", json!({}));
        self.call("Emulation.setTouchEmulationEnabled", json!({ "enabled": true }));
        let (from, to) = (self.middle(from), self.middle(to));
        let half = [0, 1].map(|place| f64::midpoint(from[place], to[place]));
        for (kind, place) in
            [("touchStart", Some(from)), ("touchMove", Some(half)), ("touchMove", Some(to)), ("touchEnd", None)]
        {
            let points: Vec<Value> = place.iter().map(|[x, y]| json!({ "x": x, "y": y })).collect();
            self.call("Input.dispatchTouchEvent", json!({ "type": kind, "touchPoints": points }));
        }
        self.call("Emulation.setTouchEmulationEnabled", json!({ "enabled": false }));
    }

    /// The next file that the page offers for saving: its name and bytes.
    ///
    /// # Panics
    /// If there is none.
    pub fn kept_file(&mut self) -> (String, Vec<u8>) {
        while self.downloads.1.is_empty() {
            self.hear();
        }
        let name = self.downloads.1.remove(0);
        let bytes = fs::read(self.kept.path().join(&name)).expect("the file that was kept");
        (name, bytes)
    }

    /// A picture of the page, as PNG.
    ///
    /// # Panics
    /// If the browser returns none.
    pub fn picture(&mut self) -> Vec<u8> {
        let picture = self.call("Page.captureScreenshot", json!({ "format": "png" }));
        STANDARD.decode(picture["data"].as_str().unwrap_or_default()).expect("base 64")
    }

    fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.number += 1;
        let mut message = json!({ "id": self.number, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            message["sessionId"] = session.clone().into();
        }
        self.socket.send(Message::text(message.to_string())).expect("the browser hears");
        loop {
            let message = self.hear();
            if message["id"] == self.number {
                return message["result"].clone();
            }
        }
    }

    /// The browser's next message; its news are noted.
    fn hear(&mut self) -> Value {
        let text = loop {
            match self.socket.read() {
                // A process that was stopped and goes on: a read with a time limit is not begun again by itself.
                Err(tungstenite::Error::Io(error)) if error.kind() == ErrorKind::Interrupted => {}
                read => {
                    if let Message::Text(text) = read.expect("the browser answers") {
                        break text;
                    }
                }
            }
        };
        let message: Value = serde_json::from_str(&text).expect("JSON");
        let parameters = &message["params"];
        let named = |name: &str| parameters[name].as_str().unwrap_or_default().to_owned();
        match message["method"].as_str() {
            Some("Runtime.exceptionThrown") => self.errors.push(parameters["exceptionDetails"].to_string()),
            Some("Log.entryAdded") if parameters["entry"]["level"] == "error" => {
                self.errors.push(parameters["entry"]["text"].to_string());
            }
            Some("Network.requestWillBeSent") => {
                self.requests.push(parameters["request"]["url"].as_str().unwrap_or_default().to_owned());
            }
            // The browser tells of the other pages' downloads too.
            Some("Browser.downloadWillBegin") if parameters["frameId"] == self.frame => {
                self.downloads.0.insert(named("guid"), named("suggestedFilename"));
            }
            Some("Browser.downloadProgress") if parameters["state"] == "completed" => {
                self.downloads.1.extend(self.downloads.0.remove(&named("guid")));
            }
            _ => {}
        }
        message
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        // Closed properly, the browser ends its child processes; killed, it would leave them.
        let end = json!({ "id": 1, "method": "Browser.close" });
        let asked =
            tungstenite::connect(&self.address).map(|(mut socket, _)| socket.send(Message::text(end.to_string())));
        if !matches!(asked, Ok(Ok(()))) {
            let _ = self.process.kill();
        }
        let _ = self.process.wait();
    }
}
