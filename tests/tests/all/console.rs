//! The console and the replays in a browser: the page must show what the machine did.
//!
//! Without Chromium these tests report that they were skipped, and pass; `.ci/run` requires it.

use crate::command::{PROGRAM, m220_in};
use m220_tests::browser::{Browser, installed};
use m220_tests::live::LiveConsole;
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// The checksum of the core that the page holds.
const CHECKSUM: &str =
    "import('m220/words.js').then((words) => words.octal(words.checksum(m220.source.state.core), 15))";

fn m220(folder: &TempDir, arguments: &[&str]) -> String {
    let ended = m220_in(folder.path(), arguments);
    assert_eq!(ended.err, "", "{arguments:?}");
    ended.out
}

/// The instruction counter that the page shows.
const RVK: &str =
    "[...document.querySelectorAll('.register')].find((row) => row.textContent.startsWith('RVK')).textContent";

/// What `m220 run` says of the king's trajectories a4-h4: the checksum of core, the instructions, and RVK.
fn king_on_the_command_line(folder: &TempDir) -> (String, u64, String) {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../../m220-programs/trajectories.m220");
    m220(folder, &["asm", source, "-o", "trajectories.elf"]);
    let set =
        ["task=000000000000001", "man=000000100060000", "from_square=000000000000003", "to_square=000000000000073"];
    let mut arguments = vec!["run", "trajectories.elf", "--format", "json", "--set", "max_moves=000000000000007"];
    arguments.extend(set.iter().flat_map(|set| ["--set", set]));
    let state: Value = serde_json::from_str(&m220(folder, &arguments)).unwrap();
    assert_eq!(state["stop"]["reason"], "halt");
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    (text(&state["core_checksum"]), state["instructions"].as_u64().unwrap(), text(&state["registers"]["RVK"]))
}

fn king_replay(folder: &TempDir) -> String {
    m220(folder, &["trajectories", "--piece", "king", "--from", "a4", "--to", "h4", "--replay", "king.html"]);
    format!("file://{}", Path::new(&folder.path().join("king.html")).display())
}

/// A page in a browser, in a window of this size; none where no browser is installed.
fn opened(page: &str, width: u32, height: u32) -> Option<Browser> {
    let mut browser = Browser::start(&installed()?, width, height);
    browser.open(page);
    Some(browser)
}

/// The console with these files, in a browser.
fn opened_console(files: &[&str]) -> Option<(LiveConsole, Browser)> {
    installed()?;
    let console = LiveConsole::start(PROGRAM, files);
    let browser = opened(&console.address, 1200, 900)?;
    Some((console, browser))
}

/// The last frame of a replay is the machine's final state; on the way back the first frame is its first.
#[test]
fn a_replay_ends_as_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let page = king_replay(&folder);
    assert!(fs::metadata(folder.path().join("king.html")).unwrap().len() < 1_000_000);
    let Some(mut browser) = opened(&page, 1200, 900) else { return };
    let (checksum, instructions, rvk) = king_on_the_command_line(&folder);
    let before = browser.evaluate(CHECKSUM);
    browser.press("End", "End", false);
    assert_eq!(browser.evaluate(CHECKSUM), checksum.as_str());
    assert_eq!(browser.evaluate("m220.source.state.instructions"), instructions);
    assert_eq!(browser.evaluate("document.querySelector('.found h3').textContent"), "393 trajectories");
    assert_eq!(browser.evaluate(RVK), format!("RVK{rvk}"));
    // Back by one and forward again, and all the way back.
    browser.press("ArrowLeft", "ArrowLeft", false);
    assert_eq!(browser.evaluate("m220.source.state.instructions"), instructions - 1);
    browser.press("ArrowRight", "ArrowRight", false);
    assert_eq!(browser.evaluate(CHECKSUM), checksum.as_str());
    browser.press("Home", "Home", false);
    assert_eq!((browser.evaluate(CHECKSUM), browser.evaluate("m220.source.position")), (before, 0.into()));
    // By labels: each place has a label of its own.
    browser.press("ArrowRight", "ArrowRight", true);
    let label = "m220.source.state.labels.get(m220.source.state.next)";
    assert_eq!(browser.evaluate(&format!("/^[^.]+$/.test({label} ?? '.')")), true);
    assert_eq!(browser.errors, [""; 0]);
    let outside: Vec<&String> =
        browser.requests.iter().filter(|url| !url.starts_with("file:") && !url.starts_with("data:")).collect();
    assert_eq!(outside, Vec::<&String>::new(), "a replay needs nothing from outside");
}

/// Playing at once, by the space bar, comes to the same end; the page works in the narrowest window, dark and light.
#[test]
fn a_replay_plays() {
    let folder = tempfile::tempdir().unwrap();
    let Some(mut browser) = opened(&king_replay(&folder), 320, 700) else { return };
    let (checksum, ..) = king_on_the_command_line(&folder);
    browser.evaluate("m220.page.controls.setSpeed(5)");
    browser.press("Space", " ", false);
    browser.until("m220.source.state.stop !== null");
    assert_eq!(browser.evaluate(CHECKSUM), checksum.as_str());
    assert_eq!(browser.evaluate("document.documentElement.scrollWidth <= innerWidth"), true, "no sideways scrolling");
    let theme = "document.documentElement.dataset.theme";
    let before = browser.evaluate(theme);
    browser.press("KeyT", "t", false);
    assert_ne!(browser.evaluate(theme), before);
    browser.press("Slash", "?", true);
    assert_eq!(browser.evaluate("document.getElementById('help').open"), true);
    assert_eq!(browser.errors, [""; 0]);
}

/// A task chosen on the board by keys and mouse runs to the same core as on the command line.
#[test]
fn the_console_runs_a_chess_task() {
    let Some((console, mut browser)) = opened_console(&[]) else { return };
    let folder = tempfile::tempdir().unwrap();
    let (checksum, instructions, rvk) = king_on_the_command_line(&folder);
    browser.press("KeyC", "c", false);
    browser.until("document.getElementById('setup').open");
    browser.evaluate("document.querySelector('#setup .primary').click()");
    browser
        .until("m220.source.state.stop !== null && !m220.source.state.running && m220.source.state.instructions > 0");
    assert_eq!(browser.evaluate(CHECKSUM), checksum.as_str());
    assert_eq!(browser.evaluate("m220.source.state.instructions"), instructions);
    assert_eq!(browser.evaluate(RVK), format!("RVK{rvk}"));
    // Back by one instruction, and on again.
    browser.press("ArrowLeft", "ArrowLeft", false);
    browser.until(&format!("m220.source.state.instructions === {}", instructions - 1));
    browser.press("ArrowRight", "ArrowRight", false);
    browser.until(&format!("m220.source.state.instructions === {instructions}"));
    assert_eq!(browser.evaluate(CHECKSUM), checksum.as_str());
    // A breakpoint and a word of core by the command line of the debugger.
    browser.press("Slash", "/", false);
    browser.type_text("break join_all");
    browser.press("Enter", "\r", false);
    browser.until("m220.source.frame.breakpoints.length === 1");
    browser.evaluate("document.activeElement.blur()");
    browser.press("Home", "Home", false);
    browser.until("m220.source.state.instructions === 0");
    browser.press("Space", " ", false);
    browser.until("m220.source.state.stop?.reason === 'breakpoint'");
    assert_eq!(browser.evaluate("m220.source.state.labels.get(m220.source.state.next)"), "join_all");
    assert_eq!(browser.errors, [""; 0]);
    let outside: Vec<&String> = browser.requests.iter().filter(|url| !url.starts_with(&console.origin())).collect();
    assert_eq!(outside.iter().filter(|url| !url.starts_with("about:")).count(), 0, "{outside:?}");
}

/// In the dialog of chess tasks another question brings its own example in place of another example, and keeps a
/// position that was entered; the dialog shows it again when it is opened for the next task.
#[test]
fn another_question_keeps_the_position_that_was_entered() {
    let Some((_console, mut browser)) = opened_console(&[]) else { return };
    let form = "document.querySelector('#setup form').elements";
    let ask = |browser: &mut Browser, question: &str| {
        browser.evaluate(&format!(
            "{form}.program.value = '{question}'; {form}.program.dispatchEvent(new Event('change'))"
        ));
        browser.evaluate(&format!("{form}.fen.value")).as_str().unwrap().to_owned()
    };
    browser.press("KeyC", "c", false);
    let examples = ["trajectories", "attacks", "mate", "trajectories"].map(|question| ask(&mut browser, question));
    assert_eq!(examples[0], examples[3]);
    assert!(examples[0] != examples[1] && examples[1] != examples[2], "{examples:?}");
    let fen = "4k3/8/8/3q4/8/8/3R4/4K3 b - - 0 1";
    browser.evaluate(&format!("{form}.fen.select()"));
    browser.type_text(fen);
    for question in ["mate", "bundle", "attacks"] {
        assert_eq!(ask(&mut browser, question), fen, "{question}");
    }
    browser.evaluate("document.querySelector('#setup .primary').click()");
    browser.until("m220.source.state.stop !== null && document.querySelector('.found h3') !== null");
    let folder = tempfile::tempdir().unwrap();
    let attacks: Value =
        serde_json::from_str(&m220(&folder, &["attacks", "--fen", fen, "--engine", "native", "--format", "json"]))
            .unwrap();
    let count = attacks["attacks"].as_array().unwrap().len();
    browser.until(&format!("document.querySelector('.found h3').textContent === '{count} attacks'"));
    browser.until("!document.getElementById('setup').open");
    browser.press("KeyC", "c", false);
    let shown = "[...document.querySelectorAll('.setup-board button')].map((square) => square.ariaLabel)\
                 .filter((label) => !label.endsWith('empty')).join()";
    assert_eq!(browser.evaluate(shown), "e8 black king,d5 black queen,d2 white rook,e1 white king");
    assert_eq!(browser.evaluate(&format!("{form}.turn.value")), "b");
    // A piece put on the board by hand is an entry too.
    browser.evaluate(&format!("{form}.fen.value = ''"));
    let example = ask(&mut browser, "mate");
    assert_eq!(example, examples[2]);
    browser.evaluate("document.querySelector('[data-square=\"h8\"]').click()");
    let edited = ask(&mut browser, "mate");
    assert_ne!(edited, example);
    assert_eq!(ask(&mut browser, "attacks"), edited);
    assert_eq!(browser.errors, [""; 0]);
}

/// The word of a key register can be overwritten; what is not one is reported and stays until the field is left.
#[test]
fn the_keys_of_the_console_can_be_set() {
    let Some((_console, mut browser)) = opened_console(&[]) else { return };
    let key = "document.querySelector('[aria-label=\"Set RPU2\"]')";
    let set = |browser: &mut Browser, text: &str| {
        browser.evaluate(&format!("{key}.focus(); {key}.select()"));
        browser.type_text(text);
        browser.press("Enter", "\r", false);
    };
    set(&mut browser, "0 56 0000 0100 7777");
    browser.until("m220.source.state.register('RPU2') === 0o56000001007777");
    set(&mut browser, "12x");
    browser.until("document.getElementById('notice').textContent.includes('12x')");
    assert_eq!(browser.evaluate(&format!("{key}.value")), "12x");
    browser.evaluate(&format!("{key}.blur()"));
    assert_eq!(browser.evaluate(&format!("{key}.value")), "0 56 0000 0100 7777");
    // A lamp is a switch.
    browser.evaluate("document.querySelectorAll('.keys .register-lamps')[1].querySelector('i:last-child').click()");
    browser.until(&format!("{key}.value !== '0 56 0000 0100 7777'"));
    assert_eq!(browser.errors, [""; 0]);
}

/// The printout of a program appears on the paper.
#[test]
fn the_console_prints() {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/debugger/printing.m220");
    let Some((_console, mut browser)) = opened_console(&[source]) else { return };
    // The printer is slow: not at the speed of the machine.
    browser.evaluate("m220.source.ask({ do: 'speed', factor: null })");
    browser.press("Space", " ", false);
    browser.until("m220.source.state.stop !== null");
    let folder = tempfile::tempdir().unwrap();
    m220(&folder, &["asm", source, "-o", "printing.elf"]);
    let state: Value = serde_json::from_str(&m220(&folder, &["run", "printing.elf", "--format", "json"])).unwrap();
    assert_ne!(state["printer"], "");
    // The sheet is drawn with the next picture.
    browser.until(&format!("document.querySelector('.sheet').textContent === {}", state["printer"]));
}
