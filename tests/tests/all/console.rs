//! The console and the replays in a browser: the page must show what the machine did.
//!
//! Without Chromium these tests report that they were skipped, and pass; `.ci/run` requires it.

use crate::command::{PROGRAM, m220_in};
use m220_isa::{Model, Word};
use m220_machine::devices::drum::Drum;
use m220_machine::devices::tape::Tape;
use m220_tests::browser::{Browser, installed};
use m220_tests::live::LiveConsole;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;
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

/// The page saves the run of the program in core as a replay: it ends like the run on the command line and needs
/// nothing from outside. The browser shows the replay afterwards.
pub fn saves_a_replay(browser: &mut Browser) {
    // The browser's own download is bypassed: the test takes the file's would-be content.
    let saved = browser.evaluate(
        "(async () => { \
           const question = { fen: '8/8/8/8/8/8/8/8 w - - 0 1', from: 'a4', to: 'h4', piece: 'king' }; \
           await m220.source.ask({ do: 'task', task: 'trajectories', question }); \
           const kept = new Promise((resolve) => { \
             URL.createObjectURL = (blob) => (resolve(blob.text()), 'data:,'); }); \
           const menu = document.getElementById('keep'); \
           menu.value = 'replay'; \
           menu.nextElementSibling.click(); \
           return kept; })()",
    );
    assert!(browser.errors.is_empty(), "{:?}", browser.errors);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("replay.html");
    fs::write(&file, saved.as_str().unwrap()).unwrap();
    let before = browser.requests.len();
    browser.open(&format!("file://{}", file.display()));
    browser.until("globalThis.m220?.source.kind === 'replay'");
    let about = browser.evaluate("document.getElementById('about').textContent");
    assert!(about.as_str().unwrap().contains("Saved from the page of m220 0."), "{about}");
    let (checksum, instructions, rvk) = king_on_the_command_line(&folder);
    browser.press("End", "End", false);
    assert_eq!(browser.evaluate(CHECKSUM), checksum.as_str());
    assert_eq!(browser.evaluate("m220.source.state.instructions"), instructions);
    assert_eq!(browser.evaluate(RVK), format!("RVK{rvk}"));
    assert_eq!(browser.evaluate("document.querySelector('.found h3').textContent"), "393 trajectories");
    assert!(browser.errors.is_empty(), "{:?}", browser.errors);
    let outside: Vec<&String> = browser.requests[before..]
        .iter()
        .filter(|url| !url.starts_with("file:") && !url.starts_with("data:"))
        .collect();
    assert_eq!(outside, Vec::<&String>::new(), "a replay needs nothing from outside");
}

/// Files dropped on the page go where their names say, and the files that the page offers for saving hold the same.
pub fn takes_and_gives_files(browser: &mut Browser) {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, content: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        path
    };
    let kept = |browser: &mut Browser, what: &str| {
        browser.evaluate(&format!(
            "{{ const menu = document.getElementById('keep'); menu.value = '{what}'; \
             menu.nextElementSibling.click(); }}"
        ));
        browser.kept_file()
    };
    // Loaded, and run to the end: two and two are four.
    let adds = |browser: &mut Browser, title: &str| {
        browser.until(&format!("m220.source.state.description.title === '{title}'"));
        browser.evaluate("m220.source.speed = Infinity; m220.source.play().then(() => true)");
        browser.until("m220.source.frame.phase === 'ended'");
        browser.until("m220.source.state.word(0o200) === m220.source.state.word(0o201)");
        assert_ne!(browser.evaluate("m220.source.state.word(0o200)"), 0);
        assert_eq!(browser.evaluate("document.getElementById('notice').textContent"), "");
    };
    // Two texts, one of which includes the other.
    let texts = [
        file("part.m220", b"two: number 2.0\norigin 0201\nfour: number 4.0\n"),
        file("adds.m220", b"origin 0100\nstart a\na: ADD two, two, 0200\n STOP\n include \"part.m220\"\n"),
    ];
    browser.drop_files("body", &texts);
    adds(browser, "adds.m220");
    for (what, name, again) in [("image", "program.elf", "again.elf"), ("deck", "program.m20", "again.m20")] {
        let (suggested, bytes) = kept(browser, what);
        assert_eq!(suggested, name);
        browser.drop_files("body", &[file(again, &bytes)]);
        adds(browser, again);
    }
    // A text without its include is refused with the cause only.
    browser.drop_files("body", &[file("alone.m220", &fs::read(&texts[1]).unwrap())]);
    browser.until("document.getElementById('notice').textContent.includes('part.m220')");
    assert_eq!(browser.evaluate("document.getElementById('notice').textContent.includes('two')"), false);
    // Drum, tape and cards, together with their program.
    let (mut drum, mut tape) = (Drum::blank(Model::M220), Tape::blank(Model::M220));
    drum.write(0o17, Word::truncating(0o1234));
    tape.format(3, &[Word::truncating(0o4321); 0o20], None).unwrap();
    let cards = include_bytes!("../../../m220-programs/examples/onto-itself.cdr");
    let whole = [file(
        "adds.m220",
        b"origin 0100\nstart a\na: ADD two, two, 0200\n STOP\ntwo: number 2.0\norigin 0201\n number 4.0\n",
    )];
    let media = [file("a.drum", &drum.to_bytes()), file("a.tape", &tape.to_bytes()), file("a.cdr", cards)];
    browser.drop_files("body", &[&whole[..], &media].concat());
    adds(browser, "adds.m220");
    assert_eq!(kept(browser, "drum:0"), ("drum-0.drum".to_owned(), drum.to_bytes()));
    assert_eq!(kept(browser, "tape:0"), ("tape-0.tape".to_owned(), tape.to_bytes()));
    browser.until("document.querySelector('.devices').textContent.startsWith('card reader:')");
    // A folder is refused in a sentence.
    browser.drop_files("body", &[folder.path().to_path_buf()]);
    browser.until("document.getElementById('notice').textContent === 'Only files can be read.'");
    // The printout too.
    let prints = include_bytes!("../../../tests/debugger/printing.m220");
    browser.drop_files("body", &[file("prints.m220", prints)]);
    browser.until("m220.source.state.description.title === 'prints.m220'");
    browser.evaluate("m220.source.play().then(() => true)");
    browser.until("m220.source.frame.phase === 'ended'");
    browser.until("document.querySelector('.sheet').textContent !== ''");
    browser.evaluate("document.querySelector('.paper-panel button').click()");
    let (name, printout) = browser.kept_file();
    assert_eq!(browser.evaluate("m220.source.state.printed"), String::from_utf8(printout).unwrap());
    assert_eq!(name, "printer.txt");
    assert!(browser.errors.is_empty(), "{:?}", browser.errors);
}

/// A page in a browser, in a window of this size; none if no browser is installed.
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

/// Playing at once, by the space bar, ends the same way; the page works in the narrowest window, dark and light.
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
    browser.hurry("m220.source");
    browser
        .until("m220.source.state.stop !== null && !m220.source.state.running && m220.source.state.instructions > 0");
    assert_eq!(browser.evaluate(CHECKSUM), checksum.as_str());
    assert_eq!(browser.evaluate("m220.source.state.instructions"), instructions);
    browser.until(&format!("{RVK} === 'RVK{rvk}'"));
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

/// In the dialog of chess tasks another question replaces an example by its own, but keeps a position that was entered;
/// the dialog shows it again when it is opened for the next task.
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
    browser.until("document.getElementById('setup').open");
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
    browser.until(&format!("document.querySelector('.found h3').textContent.startsWith('{count} attacks,')"));
    browser.until("!document.getElementById('setup').open");
    browser.press("KeyC", "c", false);
    browser.until("document.getElementById('setup').open");
    let shown = "[...document.querySelectorAll('#setup .setup-board button')].map((square) => square.ariaLabel)\
                 .filter((label) => !label.endsWith('empty')).join()";
    assert_eq!(browser.evaluate(shown), "e8 black king,d5 black queen,d2 white rook,e1 white king");
    assert_eq!(browser.evaluate(&format!("{form}.turn.value")), "b");
    // An emptied field is also an entry, and so is a piece put on the board by hand.
    browser.evaluate(&format!("{form}.fen.value = ''"));
    assert_eq!(ask(&mut browser, "mate"), "");
    browser.evaluate(&format!("{form}.fen.value = '{fen}'"));
    ask(&mut browser, "mate");
    browser.evaluate("document.querySelector('#setup [data-square=\"h8\"]').click()");
    let edited = ask(&mut browser, "mate");
    assert_ne!(edited, fen);
    assert_eq!(ask(&mut browser, "attacks"), edited);
    assert_eq!(browser.errors, [""; 0]);
}

/// The word of a key register can be overwritten; an invalid word is reported and stays until the field is left.
#[test]
fn the_keys_of_the_console_can_be_set() {
    let Some((_console, mut browser)) = opened_console(&[]) else { return };
    let key = "document.querySelector('[aria-label=\"Set RPU2\"]')";
    browser.evaluate("document.querySelector('.keys-fold').open = true");
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
    // The printer is slow, so not at the speed of the machine.
    browser.evaluate("m220.source.ask({ do: 'speed', factor: null })");
    browser.press("Space", " ", false);
    browser.until("m220.source.state.stop !== null");
    let folder = tempfile::tempdir().unwrap();
    m220(&folder, &["asm", source, "-o", "printing.elf"]);
    // It prints a binary number as it is, which the command remarks on.
    let ran = m220_in(folder.path(), &["run", "printing.elf", "--format", "json"]);
    let state: Value = serde_json::from_str(&ran.out).unwrap();
    assert_ne!(state["printer"], "");
    // The sheet is drawn with the next picture.
    browser.until(&format!("document.querySelector('.sheet').textContent === {}", state["printer"]));
}

/// The pure modules and the rules of the house, by node's own test runner; skipped without node.
#[test]
fn the_modules_of_the_page_pass_their_own_tests() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../m220-console/page");
    let Ok(ended) = Command::new("node").args(["--test", "tests/"]).current_dir(page).output() else {
        assert!(std::env::var_os("M220_BROWSER_TESTS").is_none(), "node is needed for the tests of the page");
        return;
    };
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stdout));
}

/// Whether an element lies within the window.
fn in_view(selector: &str) -> String {
    format!(
        "(() => {{ const box = document.querySelector('{selector}').getBoundingClientRect(); \
         return box.height > 0 && box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth; }})()"
    )
}

/// No window makes the page scroll sideways; a window of 1280 x 720 shows every panel without scrolling at all.
#[test]
fn the_page_fits_its_window() {
    let Some((_console, mut browser)) = opened_console(&[]) else { return };
    for (width, height) in [(1280, 720), (1400, 900), (2200, 1200), (800, 600), (360, 740)] {
        browser.resize(width, height);
        browser.until(&format!("innerWidth === {width}"));
        let wide = browser.evaluate("document.documentElement.scrollWidth");
        assert!(wide.as_u64().unwrap() <= u64::from(width), "{width} x {height}: {wide} wide");
        // A word stands beside its lamps.
        if width >= 1280 {
            let wrapped =
                "[...document.querySelectorAll('#lamps > .register')].filter((row) => row.offsetHeight > 24).length";
            browser.until(&format!("{wrapped} === 0"));
            for panel in ["board", "lamps", "listing", "core", "paper", "debugger"] {
                assert_eq!(
                    browser.evaluate(&in_view(&format!(".{panel}-panel"))),
                    true,
                    "{panel} at {width} x {height}"
                );
            }
        }
        // Where there is room, core is large, and no panel is empty in the lower half of its column.
        if width >= 1900 {
            let core = browser.evaluate("document.querySelector('.core-maps canvas').clientHeight / innerHeight");
            assert!(core.as_f64() > Some(0.45), "{width} x {height}: core takes {core} of the height");
        }
    }
}

/// The first visit: the king is ready at a speed that shows the whole run, described in plain words; the large button plays. While the machine
/// runs slowly the listing always shows the current instruction. Played again after its end, it starts over.
#[test]
fn a_first_visit_plays_the_king() {
    let Some((_console, mut browser)) = opened_console(&[]) else { return };
    let state = "document.querySelector('[data-counter=state]').textContent";
    assert_eq!(browser.evaluate(state), "ready at 0123 begin");
    browser.until("m220.source.fit && m220.source.speed === 0.005");
    assert_eq!(browser.evaluate("document.querySelector('[data-counter=book]').textContent"), "about 0.1 s");
    browser.evaluate("document.getElementById('welcome-play').click()");
    browser.until("m220.source.state.running");
    browser.until("m220.source.state.instructions > 300");
    let missed = browser.evaluate(
        "new Promise((resolve) => { let [seen, missed] = [0, 0]; const look = () => { \
         if (document.querySelector('.listing .next') === null) missed++; \
         if (++seen < 60) requestAnimationFrame(look); else resolve(missed); }; look(); })",
    );
    assert_eq!(missed, 0, "pictures without the current instruction, of 60");
    browser.until("m220.source.state.stop !== null");
    browser.until(&format!("{state}.startsWith('halt at')"));
    assert_eq!(browser.evaluate("document.getElementById('welcome').hidden"), true);
    browser.evaluate("m220.source.ask({ do: 'speed', factor: null })");
    browser.press("Space", " ", false);
    browser.until("m220.source.state.stop !== null && !m220.source.state.running");
    browser.until("document.querySelector('.found h3').textContent === '393 trajectories'");
    // At rest the lamps show the digits beside them.
    let lit = "[...document.querySelectorAll('.register')].find((row) => row.textContent.startsWith('RVK'))\
               .querySelectorAll('i')";
    let lamps = format!("parseInt([...{lit}].map((lamp) => Number(lamp.dataset.lit === '10')).join(''), 2)");
    assert_eq!(browser.evaluate(&lamps), browser.evaluate("m220.source.state.register('RVK')"));
    assert_eq!(browser.errors, [""; 0]);
}

/// Dropped and saved files, with the local server.
#[test]
fn the_console_takes_and_gives_files() {
    let Some((_console, mut browser)) = opened_console(&[]) else { return };
    takes_and_gives_files(&mut browser);
}

/// Pieces follow a finger, in a game and in the dialog of tasks; dragged off the board a piece is gone.
#[test]
fn pieces_are_dragged_by_finger() {
    let Some((_console, mut browser)) = opened_console(&[]) else { return };
    browser.resize(420, 900);
    let square = |name: &str| format!("#play [data-square={name}]");
    browser
        .evaluate("document.getElementById('play-button').click(); document.getElementById('play').scrollIntoView()");
    browser.until("m220.play.legal?.moves.length === 20");
    browser.evaluate("document.getElementById('play-seconds').value = '0'");
    browser.until("m220.play.isFree");
    browser.drag_by_finger(&square("e2"), &square("e4"));
    browser.until("m220.play.sans[0] === 'e4'");
    browser.until("m220.play.thinking === null && m220.play.moves.length === 2");
    browser.evaluate("document.getElementById('play-close').click(); document.getElementById('chess-button').click()");
    browser.until("document.getElementById('setup').open");
    let fen = "document.querySelector('#setup form').elements.fen.value";
    browser.evaluate("document.querySelector('#setup form').elements.start.click()");
    browser.drag_by_finger("#setup [data-square=g1]", "#setup [data-square=f3]");
    assert_eq!(browser.evaluate(fen), "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R w - - 0 1");
    browser.drag_by_finger("#setup [data-square=d2]", "#setup [name=fen]");
    assert_eq!(browser.evaluate(fen), "rnbqkbnr/pppppppp/8/8/8/5N2/PPP1PPPP/RNBQKB1R w - - 0 1");
    assert_eq!(browser.errors, [""; 0]);
}

/// By keyboard alone: a breakpoint in the listing, an explanation of a register, one stop of the tab key for hundreds of
/// trajectories. Keys count by their character.
#[test]
fn the_keyboard_reaches_everything() {
    let Some((_console, mut browser)) = opened_console(&[]) else { return };
    browser.evaluate("document.querySelector('.listing-box').focus()");
    browser.press("ArrowDown", "ArrowDown", false);
    browser.press("ArrowUp", "ArrowUp", false);
    browser.press("Enter", "\r", false);
    browser.until("m220.source.frame.breakpoints.join() === '83'");
    browser.until("document.querySelector('.listing .stop .cell').textContent === '0123'");
    browser.press("Enter", "\r", false);
    browser.until("m220.source.frame.breakpoints.length === 0");
    browser.press("Escape", "Escape", false);
    browser.evaluate("document.activeElement.blur()");
    // `-` of a German keyboard; a Cyrillic letter in the place of T.
    browser.press("Slash", "-", false);
    browser.until("m220.source.speed === 0.001");
    let theme = "document.documentElement.dataset.theme";
    let before = browser.evaluate(theme);
    browser.press("KeyT", "е", false);
    assert_ne!(browser.evaluate(theme), before);
    browser.press("Slash", "/", false);
    for line in ["print RA", "print RR"] {
        browser.type_text(line);
        browser.press("Enter", "\r", false);
        browser.until(&format!("document.querySelector('.said').textContent.includes('> {line}')"));
    }
    assert_eq!(browser.evaluate("document.querySelector('.said').textContent.includes('> print RA')"), true);
    browser.evaluate("document.activeElement.blur(); m220.source.ask({ do: 'speed', factor: null })");
    browser.press("Space", " ", false);
    browser.until("document.querySelectorAll('.found button').length === 393");
    assert_eq!(browser.evaluate("document.querySelectorAll('.found button[tabindex=\"0\"]').length"), 1);
    browser.evaluate("document.querySelector('.found button').focus()");
    browser.press("ArrowDown", "ArrowDown", false);
    let second = "document.activeElement === document.querySelectorAll('.found button')[1]";
    assert_eq!(browser.evaluate(second), true);
    let name = "document.querySelector('.register-name')";
    browser.evaluate(&format!(
        "{name}.focus(); {name}.dispatchEvent(new PointerEvent('pointerover', {{ bubbles: true }}))"
    ));
    assert_eq!(
        browser.evaluate("document.getElementById('explanation').textContent"),
        "RVK, the instruction counter: the cell of the current instruction."
    );
    assert_eq!(browser.errors, [""; 0]);
}

/// The switch turns the whole page to Russian, the state and the lists with it, and back; the tour has six steps.
#[test]
fn the_page_speaks_russian() {
    let Some((_console, mut browser)) = opened_console(&[]) else { return };
    let heading = "document.getElementById('listing-heading').textContent";
    browser.evaluate("document.getElementById('language-button').click()");
    browser.until("document.querySelector('[data-counter=state]').textContent === 'готова: 0123 begin'");
    assert_eq!(
        (browser.evaluate(heading), browser.evaluate("document.documentElement.lang")),
        ("Листинг".into(), "ru".into())
    );
    browser.evaluate("document.getElementById('tour-button').click()");
    for step in 1..=6 {
        let said = browser.evaluate("document.getElementById('tour-text').textContent");
        assert!(said.as_str().unwrap().starts_with(&format!("{step} из 6.")), "{said}");
        assert_eq!(browser.evaluate("document.querySelectorAll('.toured').length"), 1);
        browser.evaluate("document.getElementById('tour-next').click()");
    }
    assert_eq!(browser.evaluate("document.getElementById('tour').hidden"), true);
    // A program with several cubes has every register. It has no board, and the tour no step for one, from the moment
    // at which its page is built.
    browser.evaluate(
        "{ const rebuild = m220.source.onprogram; \
           m220.source.onprogram = () => { rebuild(); document.getElementById('tour-button').click(); }; \
           m220.source.ask({ do: 'task', task: 'source', question: \
           { root: 'a.m220', files: [{ name: 'a.m220', text: 'origin 0100\\nstart a\\na: STOP\\n' }] } }) }",
    );
    browser.until("document.querySelectorAll('.register').length > 12");
    let unexplained = "[...document.querySelectorAll('[data-explain]')].map(({ dataset }) => dataset.explain)\
                       .filter((said) => !/[а-я]/.test(said)).join()";
    assert_eq!(browser.evaluate(unexplained), "");
    let said = browser.evaluate("document.getElementById('tour-text').textContent");
    assert!(said.as_str().unwrap().starts_with("1 из 5."), "{said}");
    browser.evaluate("document.getElementById('tour-close').click()");
    browser.evaluate("document.getElementById('language-button').click()");
    assert_eq!(browser.evaluate(heading), "Listing");
    assert_eq!(browser.errors, [""; 0]);
}

/// Every text has the contrast of WCAG 2, level AA, in both themes: the console before and after a run, its dialogs.
#[test]
fn texts_have_contrast() {
    let Some((_console, mut browser)) = opened_console(&[]) else { return };
    for state in [
        "",
        "m220.source.speed = Infinity; document.getElementById('welcome-play').click()",
        "document.getElementById('chess-button').click()",
        "document.querySelector('#setup [name=ask]').click()",
        "document.getElementById('setup').close(); document.getElementById('editor-button').click()",
        "document.getElementById('editor').close(); document.getElementById('share-button').click()",
        "document.getElementById('share').close(); document.getElementById('help-button').click()",
        "document.getElementById('help').close(); document.getElementById('tour-button').click()",
        "document.getElementById('tour-close').click(); document.getElementById('play-button').click()",
    ] {
        browser.evaluate(state);
        if state.contains("welcome-play") {
            browser.until("m220.source.frame.phase === 'ended'");
        }
        if state.contains("chess-button") {
            browser.until("document.getElementById('setup').open && m220.source.tasks !== undefined");
        }
        if state.contains("ask") {
            browser.until("document.querySelector('.answer .equal') !== null");
        }
        for theme in ["light", "dark"] {
            browser.evaluate(&format!(
                "document.documentElement.dataset.theme = '{theme}'; document.dispatchEvent(new Event('m220-theme'))"
            ));
            let found = browser.evaluate(include_str!("contrast.js"));
            assert!(found["looked"].as_u64() > Some(40), "{state}: {found}");
            assert_eq!(found["faint"], serde_json::json!([]), "{theme}, {state}");
        }
    }
    assert_eq!(browser.errors, [""; 0]);
}

/// A replay saved by the live console is a replay.
#[test]
fn the_console_saves_a_replay() {
    let Some((_console, mut browser)) = opened_console(&[]) else { return };
    saves_a_replay(&mut browser);
}

/// A link chooses the colours, and one click changes them; the address of a replay follows its slider, and its first
/// frame already shows its registers.
#[test]
fn the_address_of_a_replay_tells_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let page = king_replay(&folder);
    let Some(mut browser) = opened(&format!("{page}#theme=light&frame=0"), 1200, 900) else { return };
    let theme = "document.documentElement.dataset.theme";
    assert_eq!(browser.evaluate(theme), "light");
    let about = browser.evaluate("document.getElementById('about').textContent");
    let version = m220(&folder, &["--version"]);
    let command = "m220 trajectories --piece king --from a4 --to h4 --replay king.html";
    let made = format!("Made by {} with {command}", version.lines().next().unwrap());
    assert!(about.as_str().unwrap().ends_with(&made), "{about}: {made}");
    assert_eq!(browser.evaluate("document.querySelector('[data-counter=book]').textContent"), "about 0.1 s");
    browser.press("KeyT", "t", false);
    assert_eq!(browser.evaluate(theme), "dark");
    browser.until("document.querySelector('.register [data-lit=\"10\"]') !== null");
    browser.press("ArrowRight", "ArrowRight", false);
    browser.until("location.hash.includes('frame=1')");
    browser.press("End", "End", false);
    browser.until("document.querySelector('[data-counter=state]').textContent.startsWith('halt at')");
    browser.press("Space", " ", false);
    browser.until("m220.source.position < m220.source.length");
    assert_eq!(browser.errors, [""; 0]);
}
