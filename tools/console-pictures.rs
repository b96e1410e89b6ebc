//! Makes the pictures of the page on the console: `cargo run -p m220-tests --example console-pictures [FOLDER]`.
//!
//! Needs Chromium. FOLDER is `crates/m220-console/docs` by default. The runs are always the same; the fonts depend on the
//! computer.

use m220_tests::browser::{Browser, installed};
use m220_tests::live::LiveConsole;
use std::process::{Command, ExitCode};
use std::{env, fs, path::PathBuf};

fn main() -> ExitCode {
    let folder = env::args().nth(1).map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/m220-console/docs")),
        PathBuf::from,
    );
    let Some(chromium) = installed() else { return ExitCode::FAILURE };
    // The command is beside the examples' folder.
    let program = env::current_exe().ok().and_then(|own| Some(own.parent()?.parent()?.join("m220")));
    let program = program.filter(|program| program.is_file()).expect("cargo build -p m220-cli makes the command");
    let scratch = tempfile::tempdir().expect("a folder");
    let page = scratch.path().join("king.html");
    let made = Command::new(&program)
        .args(["trajectories", "--piece", "king", "--from", "a4", "--to", "h4", "--replay"])
        .arg(&page)
        .output()
        .expect("the command runs");
    assert!(made.status.success());
    let mut browser = Browser::start(&chromium, 1400, 900);
    let address = format!("file://{}", page.display());
    let take = |browser: &mut Browser, name: &str| {
        let bytes = browser.picture();
        fs::write(folder.join(name), bytes).expect("the picture is written");
        println!("{}", folder.join(name).display());
    };
    browser.open(&format!("{address}#frame=1500&theme=dark"));
    take(&mut browser, "replay-dark.png");
    browser.open(&format!("{address}#end&theme=light"));
    take(&mut browser, "replay-light.png");
    let mut browser = Browser::start(&chromium, 1400, 900);
    let console = LiveConsole::start(&program.display().to_string(), &[]);
    browser.open(&console.address);
    while browser.evaluate("document.documentElement.dataset.theme") != "dark" {
        browser.press("KeyT", "t", false);
    }
    browser.evaluate("m220.source.speed = Infinity; m220.source.play()");
    browser.until("m220.source.state.stop !== null");
    take(&mut browser, "console-dark.png");
    ExitCode::SUCCESS
}
