//! What a visitor meets: the door, its starts, the next step after a run, explanations, and narrow screens.

use crate::browser::web::built;
use crate::command::m220_in;
use m220_tests::browser::Browser;
use serde_json::{Value, json};
use std::io::Write;

/// Where npm puts axe-core.
pub const AXE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/axe/node_modules/axe-core/axe.min.js");

/// What axe-core objects to on a page, and where. It names the elements of nothing else, which takes most of its time.
pub(crate) const VIOLATIONS: &str = "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => \
                                     violations.map(({ id, nodes }) => \
                                     id + nodes.map(({ target }) => ' ' + target.join(' '))))";

/// The page as one file, opened at a fragment.
fn opened(fragment: &str, width: u32, height: u32) -> Option<(String, Browser)> {
    let (file, mut browser) = built("m220-laboratory.html")?;
    browser.resize(width, height);
    let address = format!("file://{}", file.display());
    browser.open(&format!("{address}#{fragment}"));
    Some((address, browser))
}

fn go(browser: &mut Browser, fragment: &str) {
    browser.evaluate(&format!("void (location.hash = '{fragment}')"));
}

/// Without a fragment the door opens: two sentences, a drawing, six starts, and nothing runs. Each start is one click
/// away, and the door one click from each; what a start of another name would be, is told.
#[test]
fn the_door_leads_to_six_starts_and_back() {
    let Some((_, mut browser)) = opened("theme=light", 1400, 900) else { return };
    assert_eq!(browser.evaluate("m220.door.open"), true);
    assert_eq!(browser.evaluate("document.querySelectorAll('a.start').length"), 6);
    assert_eq!(browser.evaluate("document.querySelector('.drawing').getAttribute('role')"), "img");
    assert_eq!(browser.evaluate("getComputedStyle(document.getElementById('panels')).display"), "none");
    assert_eq!(browser.evaluate("m220.source.state.instructions"), 0);
    for (place, (title, shown)) in [
        ("Read how a machine was to play chess", "document.querySelectorAll('#story p').length > 4"),
        ("white king a4-h4", "m220.source.state.running || m220.source.state.stop !== null"),
        ("The machine finds 30.Ba3", "m220.page.source.kind === 'replay' && m220.page.source.position > 0"),
        ("Play chess", "m220.play.legal?.moves.length === 20 && !document.getElementById('play').hidden"),
        ("Chess task", "document.getElementById('setup').open"),
        ("Program", "document.getElementById('editor').open"),
    ]
    .into_iter()
    .enumerate()
    {
        browser.evaluate(&format!("document.querySelectorAll('a.start')[{place}].click()"));
        browser.until(shown);
        assert_eq!(browser.evaluate("m220.door.open"), false, "{shown}");
        browser.until(&format!(
            "document.title === '{title} · M-220' && document.getElementById('title').textContent === '{title}'"
        ));
        // The book's figure stands with its program alone.
        let has_figure = "document.querySelector('[data-counter=book]')?.getClientRects().length > 0";
        assert_eq!(browser.evaluate(has_figure), place == 1, "{title}");
        // The address keeps the colours that it began with.
        assert_eq!(browser.evaluate("location.hash.startsWith('#theme=light&start=')"), true);
        browser.evaluate("document.getElementById('model').click()");
        browser.until("m220.door.open && document.querySelector('dialog[open]') === null");
    }
    // A game does not stay over the Experiment.
    go(&mut browser, "start=play");
    browser.until("m220.play.isShown");
    go(&mut browser, "start=experiment");
    browser.until("m220.page.source.kind === 'replay' && !m220.play.isShown");
    // At its end it says what was found and where to go on, as every run does, until one goes back.
    let next = "document.getElementById('next')";
    browser.evaluate("m220.page.source.seek(m220.page.source.length)");
    browser.until(&format!("!{next}.hidden"));
    let told = browser.evaluate(&format!("{next}.textContent"));
    assert!(told.as_str().unwrap().starts_with(
            "a move wins; 14 of 14 first moves; the analysis within 3 half-moves. The M-220 took 12 h 11 min, 1,703,045,394 \
             instructions. Of the fourteen"
        ), "{told}");
    let story = format!("{next}.querySelector('a').getAttribute('href')");
    assert_eq!(browser.evaluate(&story), "#start=story");
    assert_eq!(browser.evaluate("document.querySelector('input[type=range]').ariaValueText"), "12 h 11 min");
    browser.evaluate(
        "const slider = document.querySelector('input[type=range]'); slider.value = 3; slider.dispatchEvent(new Event('input'))",
    );
    browser.until(&format!("{next}.hidden"));
    go(&mut browser, "start=nothing");
    browser.until("document.getElementById('notice').textContent.includes('nothing')");
    assert_eq!(browser.evaluate("m220.door.open"), true);
    assert!(browser.errors.is_empty(), "{:?}", browser.errors);
}

/// The visitor's controls are few; the operator's are in one menu, and the full panel is remembered.
#[test]
fn the_operators_controls_are_in_one_menu() {
    let Some((address, mut browser)) = opened("start=king", 1400, 900) else { return };
    let controls = "[...document.querySelectorAll('button, select, input, a, summary')].filter((control) => \
                    control.checkVisibility({ visibilityProperty: true }) && control.closest('.found, dialog') === null).length";
    browser.until("m220.source.state.instructions > 0");
    let shown = browser.evaluate(controls).as_u64().unwrap();
    assert!((8..=16).contains(&shown), "{shown}");
    let wide = "document.querySelector('.head').getBoundingClientRect().height < 60";
    assert_eq!(browser.evaluate(wide), true);
    let debugger = "getComputedStyle(document.querySelector('.debugger-panel')).display !== 'none'";
    assert_eq!(browser.evaluate(debugger), false);
    browser.evaluate("document.getElementById('menu').open = true; document.getElementById('layer-button').click()");
    assert_eq!(browser.evaluate(debugger), true);
    assert_eq!(browser.evaluate("document.getElementById('menu').open"), false);
    browser.open(&format!("{address}?again#start=king"));
    assert_eq!(browser.evaluate(debugger), true);
}

/// The king's run takes about ten seconds and says how fast that is; then it says what was found and where to go on, and
/// a link goes there.
#[test]
fn a_run_is_shown_whole_and_has_a_next_step() {
    let Some((_, mut browser)) = opened("start=king", 1400, 900) else { return };
    browser.until("m220.source.state.running");
    let speed = browser.evaluate("m220.source.speed").as_f64().unwrap();
    // 56.66 ms of the machine's time.
    assert!((9.0..11.0).contains(&(0.05666 / speed)), "{speed}");
    assert_eq!(browser.evaluate("document.querySelector('.pace').textContent"), "1/180 of the M-220");
    assert_eq!(browser.evaluate("document.getElementById('next').hidden"), true);
    browser.hurry("m220.source");
    browser.until("!document.getElementById('next').hidden");
    let found = browser.evaluate("document.querySelector('#next strong').textContent");
    assert_eq!(found, "king a4-h4: all shortest trajectories; 393 trajectories.");
    assert_eq!(browser.evaluate("document.querySelectorAll('#next a').length"), 3);
    assert_eq!(browser.evaluate("document.getElementById('status').textContent.includes('393')"), true);
    browser.evaluate("document.querySelector('#next a').click()");
    browser.until("m220.source.state.description.title === 'white knight a1-h8'");
    browser.hurry("m220.source");
    browser.until("m220.source.state.stop !== null");
    assert!(browser.errors.is_empty(), "{:?}", browser.errors);
}

/// The whole machine in one file: saved on the page and continued by the command, saved by the command and continued on
/// the page, with the same print; over a reload it is kept by itself, with its breakpoints.
#[test]
fn the_whole_machine_is_one_file() {
    let Some((address, mut browser)) = opened("lang=en", 1400, 900) else { return };
    let folder = tempfile::tempdir().unwrap();
    let text = include_bytes!("../../../m220-programs/examples/sine.m220");
    std::fs::write(folder.path().join("sine.m220"), text).unwrap();
    let whole = m220_in(folder.path(), &["run", "sine.m220", "--format", "json"]).json();
    let same = |other: Value| {
        for part in ["printer", "core_checksum", "instructions", "time_us"] {
            assert_eq!(other[part], whole[part], "{part}");
        }
    };
    // The page stops in the middle, the command goes on.
    browser.drop_files("body", &[folder.path().join("sine.m220")]);
    browser.until("m220.source.state.description.title === 'sine.m220'");
    browser.evaluate("m220.source.step(20).then(() => true)");
    browser.until("m220.source.state.instructions === 20 && !m220.source.state.running");
    browser.evaluate(
        "{ const menu = document.getElementById('keep'); menu.value = 'machine'; menu.nextElementSibling.click(); }",
    );
    let (name, bytes) = browser.kept_file();
    assert_eq!(name, "stopped.m220-machine");
    std::fs::write(folder.path().join("night"), bytes).unwrap();
    same(m220_in(folder.path(), &["run", "--resume", "night", "--format", "json"]).json());
    // The command stops in the middle, the page goes on, with the program's names and without.
    m220_in(folder.path(), &["run", "sine.m220", "--checkpoint", "day", "--max-instructions", "7"]).code(4);
    for title in ["sine.m220", "day"] {
        browser.drop_files("body", &[folder.path().join("day")]);
        browser.until(&format!(
            "m220.source.state.instructions === 7 && m220.source.state.description.title === '{title}'"
        ));
        browser.evaluate("m220.source.speed = Infinity; m220.source.play().then(() => true)");
        browser.until("m220.source.frame.phase === 'ended' && m220.source.state.printed !== ''");
        assert_eq!(browser.evaluate("m220.source.state.printed"), whole["printer"]);
        assert_eq!(browser.evaluate("m220.source.state.instructions"), whole["instructions"]);
        browser.evaluate("m220.source.ask({ do: 'task', task: 'trajectories', question: { from: 'a1', to: 'a2', piece: 'king' } }).then(() => true)");
        browser.until("m220.source.state.instructions === 0");
    }
    // Reloaded in the middle of a run; the paper, the breakpoint and the program's name are there again.
    browser.open(&format!("{address}?again#start=king"));
    browser.until("m220.source.state.running");
    browser.evaluate("m220.source.pause()");
    browser.until("m220.source.frame.phase === 'paused'");
    let before = browser.evaluate("m220.source.state.instructions").as_u64().unwrap();
    browser.evaluate("m220.source.step(100).then(() => true)");
    let stands = format!("m220.source.state.instructions === {}", before + 100);
    browser.until(&stands);
    browser.evaluate("m220.source.ask({ do: 'breakpoint', cell: m220.source.state.exported('count') })");
    browser.until("JSON.parse(sessionStorage.getItem('m220-machine')).stops.length === 1");
    browser.evaluate("globalThis.old = true; void location.reload()");
    browser.until(&format!(
        "globalThis.old === undefined && document.documentElement.dataset.ready === 'true' && {stands}"
    ));
    assert_eq!(browser.evaluate("m220.source.state.running"), false);
    assert_eq!(browser.evaluate("m220.door.open"), false);
    browser.until("m220.source.frame.breakpoints.length === 1");
    browser.evaluate("m220.source.speed = Infinity; m220.source.play().then(() => true)");
    browser.until("document.querySelector('.found h3')?.textContent === '393 trajectories'");
    // Why it stopped is kept, too; played, it begins anew.
    let text = "start a\norigin 0100\na: ADD b, b, b\nJMP 0, a\nb: number 1.0\n";
    let question = json!({ "root": "over.m220", "files": [{ "name": "over.m220", "text": text }] });
    let task = json!({ "do": "task", "task": "source", "question": question });
    browser.evaluate(&format!("m220.source.ask({task}).then(() => m220.source.play()).then(() => true)"));
    let overflow = "document.querySelector('[data-counter=state]').textContent === 'overflow of a sum at 0100 a'";
    browser.until(overflow);
    browser.until("JSON.parse(sessionStorage.getItem('m220-machine')).stood.phase === 'ended'");
    browser.evaluate("globalThis.old = true; void location.reload()");
    browser.until(&format!(
        "globalThis.old === undefined && document.documentElement.dataset.ready === 'true' && {overflow}"
    ));
    let ended = browser.evaluate("m220.source.state.instructions");
    browser.evaluate("m220.source.play().then(() => true)");
    browser.until("m220.source.stood === null && m220.source.frame.phase === 'ended'");
    assert_eq!(browser.evaluate("m220.source.state.instructions"), ended);
    // A link that is opened, not reloaded, begins anew.
    browser.open(&format!("{address}?another#start=king"));
    browser.until("m220.source.state.running");
    assert!(browser.errors.is_empty(), "{:?}", browser.errors);
}

/// A step is opened into its parts, before and after it; back to a breakpoint that was passed.
#[test]
fn a_step_has_parts_and_a_breakpoint_is_gone_back_to() {
    let Some((_, mut browser)) = opened("lang=en", 1400, 900) else { return };
    let text = "origin 0100\nstart a\na: SETR 0, 2\n ADD one, table[RA], sum\n STOP\n\
                one: number 1\ntable: number 5, 6, 7\nsum: reserve 1\n";
    let question = json!({ "root": "a.m220", "files": [{ "name": "a.m220", "text": text }] });
    let loading = format!("m220.source.ask({{ do: 'task', task: 'source', question: {question} }}).then(() => true)");
    browser.evaluate(&loading);
    browser.until("m220.source.state.description.title === 'a.m220'");
    let parts = "[...document.querySelectorAll('#parts li')].map((part) => part.textContent)";
    browser.evaluate("document.querySelector('#parts summary').click()");
    browser.until(&format!("{parts}.length === 6"));
    browser.evaluate("m220.source.ask({ do: 'breakpoint', cell: 0o101 })");
    browser.evaluate("m220.source.step(1).then(() => true)");
    browser.until("m220.source.state.instructions === 1");
    browser.until("document.querySelector('#parts p').textContent.startsWith('Instruction 1, which was just')");
    browser.evaluate("m220.source.step(1).then(() => true)");
    browser.until("m220.source.state.instructions === 2");
    browser.until("document.querySelector('#parts p').textContent.startsWith('Instruction 2, which was just')");
    let told = browser.evaluate(parts);
    assert_eq!(
        told,
        json!([
            "Fetch: 2 01 0103 0104 0107 from cell 0101",
            "Modify: the address register is 0002: 0104 + 0002 = 0106",
            "Operands: 0103: 1 01 4000 0000 0000; 0106: 1 03 7000 0000 0000",
            "Operation: ADD: r = x + y, rounded and normalised",
            "Store: 1 04 4000 0000 0000 to cell 0107",
            "Omega: 0 before, 0 after"
        ])
    );
    // The button is there as soon as there is a breakpoint.
    browser.until("m220.source.frame.breakpoints.length === 1");
    let back = "document.querySelector('[data-explain^=\"back to the last breakpoint\"]')";
    browser.until(&format!("{back}.checkVisibility()"));
    browser.evaluate(&format!("{back}.click()"));
    browser.until("m220.source.state.instructions === 1 && m220.source.frame.phase === 'breakpoint'");
    browser.evaluate(&format!("{back}.click()"));
    browser.until("document.getElementById('notice').textContent.startsWith('No breakpoint was passed')");
    browser.evaluate("m220.source.ask({ do: 'breakpoint', cell: 0o101 })");
    browser.until(&format!("!{back}.checkVisibility()"));
    assert!(browser.errors.is_empty(), "{:?}", browser.errors);
}

/// A term of an answer is explained where it stands, a row that is pointed at is drawn, a square marks its rows, a move
/// of the proof shows its position; another question takes the old answer away.
#[test]
fn answers_explain_themselves() {
    let Some((_, mut browser)) = opened("start=map", 1400, 900) else { return };
    let form = "document.querySelector('#setup form').elements";
    browser.until("document.getElementById('setup').open");
    browser.evaluate(&format!("{form}.ask.click()"));
    browser.until("document.querySelector('.answer .term') !== null");
    browser.evaluate(
        "document.querySelector('.answer .term').dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))",
    );
    // The machine says the same, and no sentence stands twice.
    browser.until("document.querySelector('.answer .answer-stop') === null");
    assert_eq!(browser.evaluate("document.querySelectorAll('.answer .headline').length"), 1);
    let explained = browser.evaluate("document.getElementById('explanation').textContent");
    assert_eq!(explained, "attack: a trajectory that ends on an enemy piece, or for a pawn on the last rank.");
    let row = "document.querySelector('.answer .found button')";
    let chosen = "document.querySelectorAll('.answer .arrow.chosen').length > 0";
    browser.evaluate(&format!("{row}.dispatchEvent(new PointerEvent('pointerenter'))"));
    assert_eq!(browser.evaluate(chosen), true);
    browser.evaluate(&format!("{row}.dispatchEvent(new PointerEvent('pointerleave'))"));
    assert_eq!(browser.evaluate(chosen), false);
    // The white queen's square, from which most ways begin.
    browser.evaluate(
        "{ const board = document.querySelector('.answer .board'); const { x, y, width } = board.getBoundingClientRect(); \
         const unit = width / 374; board.dispatchEvent(new PointerEvent('pointermove', \
         { clientX: x + unit * (14 + 4.5 * 45), clientY: y + unit * 3.5 * 45 })); }",
    );
    assert!(browser.evaluate("document.querySelectorAll('.answer .met').length").as_u64() > Some(5));
    browser.evaluate(&format!(
        "{form}.program.value = 'mate'; {form}.program.dispatchEvent(new Event('change')); \
         {form}.fen.value = 'kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1'; {form}.fen.dispatchEvent(new Event('input'))"
    ));
    assert_eq!(browser.evaluate("document.querySelector('.answer').childElementCount"), 0);
    browser.evaluate(&format!("{form}.ask.click()"));
    browser.until("document.querySelectorAll('.proof button').length === 3");
    let label = "document.querySelector('.answer .board').getAttribute('aria-label')";
    assert_eq!(browser.evaluate(&format!("{label}.includes('white rook a1')")), true);
    browser.evaluate("document.querySelector('.proof button').click()");
    assert_eq!(browser.evaluate(&format!("{label}.includes('white rook a6')")), true);
    browser.evaluate("document.querySelector('.proof button').click()");
    assert_eq!(browser.evaluate(&format!("{label}.includes('white rook a1')")), true);
    // The number on a piece, white or black, has a light edge, and is no number of moves.
    browser.evaluate(&format!(
        "{form}.program.value = 'best'; {form}.program.dispatchEvent(new Event('change')); {form}.ask.click()"
    ));
    browser.until("document.querySelector('.answer .bundle-numbers') !== null");
    let edge = "(({ paintOrder, stroke }) => [paintOrder, stroke])(getComputedStyle(document.querySelector('.answer .bundle-numbers')))";
    assert_eq!(browser.evaluate(edge), json!(["stroke", "rgb(255, 255, 255)"]));
    assert_eq!(browser.evaluate("document.querySelector('.answer .legend').textContent"), "");
    assert!(browser.errors.is_empty(), "{:?}", browser.errors);
}

/// Nothing lies beyond the edge of a telephone or a tablet, what is touched is large enough, and the panels are a tap away.
#[test]
fn narrow_screens_hold_the_page() {
    let Some((_, mut browser)) = opened("start=king", 390, 844) else { return };
    for (width, height) in [(390, 844), (820, 1180)] {
        browser.resize(width, height);
        for fragment in ["start=king", "door", "start=story", "start=mate", "start=program"] {
            go(&mut browser, fragment);
            let is_there = json!({ "door": "m220.door.open", "start=mate": "document.getElementById('setup').open",
                "start=program": "document.getElementById('editor').open" });
            browser.until(is_there[fragment].as_str().unwrap_or("!m220.door.open"));
            assert_eq!(browser.evaluate("document.documentElement.scrollWidth"), width, "{fragment}");
            let small = "[...document.querySelectorAll('.head button, .head summary, .transport button, .tabs button, .onward a, #editor-name, #reference > summary, .palette button, .setup-fields label:not(.check) input')] \
                         .filter((target) => target.checkVisibility() && target.getBoundingClientRect().height < 44) \
                         .map(({ id, textContent }) => id + textContent)";
            assert_eq!(browser.evaluate(small), json!([]), "{fragment}");
        }
        go(&mut browser, "start=king");
        browser.until("!m220.door.open && document.querySelector('dialog[open]') === null");
        for panel in ["core", "lamps", "listing", "paper"] {
            browser.evaluate(&format!("document.querySelector('[data-tab={panel}]').click()"));
            let shown = "[...document.querySelectorAll('main > .panel')].filter((panel) => panel.checkVisibility()) \
                         .map(({ className }) => className.split(' ')[1])";
            assert_eq!(browser.evaluate(shown), json!(["board-panel", format!("{panel}-panel")]), "{width}");
            let parts = "document.querySelector('#parts summary')";
            let is_large = format!("!{parts}.checkVisibility() || {parts}.getBoundingClientRect().height >= 44");
            assert_eq!(browser.evaluate(&is_large), true, "{width}");
        }
        let tiny = "[...document.querySelectorAll('body *')].filter((element) => element.checkVisibility() \
                    && [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '') \
                    && !(element instanceof SVGElement) && parseFloat(getComputedStyle(element).fontSize) < 12) \
                    .map(({ className, textContent }) => className + textContent)";
        assert_eq!(browser.evaluate(tiny), json!([]));
    }
}

/// In Russian: the comments of the program that the page shows first, as the king's run passes them; the numbers, the
/// debugger's help, and the positions, of which one is found in spite of a typing error.
#[test]
fn russian_is_whole() {
    let Some((_, mut browser)) = opened("lang=ru&start=king", 1400, 900) else { return };
    // The Russian comments come a little after the page.
    browser.until(
        "m220.source.state.instructions > 0 \
         && m220.page.panels.some(({ comments }) => comments && Object.keys(comments).length > 0)",
    );
    let english = browser.evaluate(
        "new Promise((resolve) => { const found = new Set(); const look = () => { \
         for (const { textContent: said } of document.querySelectorAll('.listing .comment')) \
         if (/[a-z]/.test(said) && !/[а-я]/.test(said)) found.add(said); \
         if (m220.source.frame.phase === 'ended') resolve([...found]); else requestAnimationFrame(look); }; \
         look(); })",
    );
    assert_eq!(english, json!([]));
    let counter = |name: &str| format!("document.querySelector('[data-counter={name}]').textContent");
    browser.until(&format!("{}.replace(/\\s/, ' ') === '2 331'", counter("instructions")));
    assert_eq!(browser.evaluate(&counter("time")), "56,66 мс");
    // The title of the task is said in the language of the page; the run stays as it is.
    let language = "document.getElementById('language-button').click()";
    let is_russian = "/[а-я]/.test(document.getElementById('title').textContent + document.title)";
    browser.until(is_russian);
    browser.evaluate(language);
    browser.until(&format!("!{is_russian} && m220.source.state.instructions === 2331"));
    browser.evaluate(language);
    browser.until(is_russian);
    // Once the reader has chosen, the address says nothing of a language.
    let choose = "(document.getElementById('language-button').click(), location.hash)";
    assert_eq!([browser.evaluate(choose), browser.evaluate(choose)], ["#start=king", "#start=king"]);
    let said = "document.querySelector('.said').textContent";
    for (line, answer) in [("help", "Ход программы"), ("help br", "break [ЯЧЕЙКА]"), ("help RA", "регистр адреса")]
    {
        browser.evaluate(&format!("m220.page.console.command('{line}').then(() => true)"));
        browser.until(&format!("{said}.toLowerCase().includes('{}')", answer.to_lowercase()));
    }
    assert_eq!(browser.evaluate(&format!("/\\b(execute|list|stop)\\b [a-z]+ [a-z]+/.test({said})")), false);
    go(&mut browser, "start=mate");
    browser.until("document.getElementById('setup').open && m220.source.positions.length === 217");
    let latin = "m220.source.positions.filter(({ title }) => !/[а-я]/.test(title)).map(({ title }) => title)";
    assert_eq!(browser.evaluate(latin), json!([]));
    let named = "document.querySelector('#setup form').elements.named";
    let hits = "[...document.querySelectorAll('.hits button')]";
    for (typed, title) in [("Морфи", "Морфи"), ("Реги", "Рети"), ("morphy", "Морфи")] {
        browser.evaluate(&format!("{named}.value = '{typed}'; {named}.dispatchEvent(new Event('input'))"));
        assert_eq!(
            browser.evaluate(&format!("{hits}.some(({{ textContent }}) => textContent.includes('{title}'))")),
            true
        );
    }
    browser.evaluate(&format!("{hits}[0].click()"));
    assert_eq!(browser.evaluate("document.querySelector('#setup form').elements.fen.value !== ''"), true);
    assert_eq!(browser.evaluate("document.querySelector('.hits').childElementCount"), 0);
    go(&mut browser, "start=program");
    browser.until("m220.editor.area.value.includes('; Омега = 1')");
    // Another address brings its own language and theme.
    go(&mut browser, "start=mate&lang=en&theme=light");
    browser.until("document.getElementById('setup').open && document.documentElement.lang === 'en'");
    assert_eq!(browser.evaluate("document.documentElement.dataset.theme"), "light");
    browser.until("document.getElementById('setup-heading').textContent === 'Chess task'");
    assert!(browser.errors.is_empty(), "{:?}", browser.errors);
}

/// The key of the command line shows it wherever it is, and what is said there can be read; on a Russian page the machine
/// behind a form is named in Russian.
#[test]
fn the_command_line_is_one_key_away() {
    let Some((_, mut browser)) = opened("lang=ru&start=mate", 1280, 720) else { return };
    browser.until("document.getElementById('setup').open");
    browser.evaluate("document.getElementById('setup').close()");
    browser.until("document.getElementById('title').textContent === 'белый король a4–h4'");
    let focused = "document.activeElement.id === 'command' && document.activeElement.checkVisibility()";
    for (width, height) in [(1280, 720), (1366, 768), (1024, 700)] {
        browser.resize(width, height);
        browser.evaluate(
            "document.activeElement.blur(); delete document.documentElement.dataset.panel; \
             if (document.documentElement.dataset.layer === 'operator') document.getElementById('layer-button').click()",
        );
        browser.press("Slash", "/", false);
        assert_eq!(browser.evaluate(focused), true, "{width}");
        browser.evaluate("m220.page.console.command('help').then(() => true)");
        let said = "(({ clientWidth, clientHeight }) => [clientWidth > 350, clientHeight > 120])(document.querySelector('.said'))";
        assert_eq!(browser.evaluate(said), json!([true, true]), "{width}");
    }
    assert!(browser.errors.is_empty(), "{:?}", browser.errors);
}

/// Printed, a page is the board, the answer and the listing in black on white, and nothing that can only be pressed.
#[test]
fn paper_has_what_is_read() {
    let Some((_, mut browser)) = opened("start=king", 760, 1000) else { return };
    browser.until("m220.source.frame.phase === 'ended'");
    browser.print(true);
    let seen = "((selector) => [...document.querySelectorAll(selector)].filter((it) => it.checkVisibility()).length)";
    let pressed = "'button:not(.found *, .proof *, .setup-board *, #play-moves *, #editor-errors *), select, input, summary, canvas'";
    let colour = "getComputedStyle(document.documentElement).backgroundColor";
    assert_eq!(browser.evaluate(colour), "rgb(255, 255, 255)");
    assert_eq!(browser.evaluate(&format!("{seen}({pressed})")), 0);
    assert_eq!(browser.evaluate(&format!("{seen}('#board .board, #listing .listing')")), 2);
    browser.print(false);
    go(&mut browser, "start=mate");
    browser.until("document.getElementById('setup').open");
    browser.evaluate("document.querySelector('#setup [name=ask]').click()");
    browser.until("document.querySelector('.answer .board') !== null");
    browser.print(true);
    assert_eq!(browser.evaluate(&format!("{seen}({pressed})")), 0);
    assert_eq!(browser.evaluate(&format!("{seen}('.answer .headline, .answer .board, main')")), 2);
    // A program is whole, and what is wrong with it.
    browser.print(false);
    go(&mut browser, "start=program");
    browser.until("m220.editor?.sources !== undefined");
    browser.evaluate("m220.editor.put('long.m220', `wrong\\n${'; a line\\n'.repeat(99)}`)");
    browser.until("document.querySelector('#editor-errors button') !== null");
    browser.print(true);
    let name = "getComputedStyle(document.getElementById('editor-marks'), '::before').content";
    assert_eq!(browser.evaluate(name), "\"long.m220\"");
    assert_eq!(browser.evaluate(&format!("{seen}({pressed})")), 0);
    assert_eq!(browser.evaluate(&format!("{seen}('#editor-errors button, #editor-text')")), 1);
    let lines = "document.getElementById('editor-marks').getBoundingClientRect().height > 1500";
    assert_eq!(browser.evaluate(lines), true);
    assert!(browser.errors.is_empty(), "{:?}", browser.errors);
}

/// What has nothing in it is told, and what was written is not lost: an empty drum and card reader, a file without cards,
/// breakpoints over another assembly, a position over a reload. The legend keeps its place beside four cubes of core, and
/// a long task says how far it has come.
#[test]
fn small_things_are_told_and_kept() {
    let Some((_, mut browser)) = opened("lang=en&layer=operator&start=program", 1400, 900) else { return };
    let notice = "document.getElementById('notice').textContent";
    browser.until("m220.editor?.sources !== undefined && !document.getElementById('editor-load').disabled");
    browser.evaluate("document.getElementById('editor-load').click()");
    browser.until("m220.source.state.description.title === 'program.m220'");
    // What is next stands flush with the panels, of which the board is none here.
    browser.evaluate("m220.source.play()");
    browser.hurry("m220.source");
    browser.until("!document.getElementById('next').hidden");
    let lefts = "['#next', '.lamps-panel'].map((panel) => document.querySelector(panel).getBoundingClientRect().x)";
    let lefts = browser.evaluate(lefts);
    assert_eq!(lefts[0], lefts[1]);
    browser.evaluate("m220.source.restart()");
    browser.until("m220.source.state.instructions === 0");
    browser.evaluate("m220.source.ask({ do: 'breakpoint', cell: m220.source.state.next })");
    browser.until("m220.source.frame.breakpoints.length === 1");
    browser.evaluate(
        "document.getElementById('editor-button').click(); \
         m220.editor.area.value = m220.editor.area.value.replace('origin', '\\n origin'); m220.editor.typed()",
    );
    browser.until("m220.editor.asking === null && !document.getElementById('editor-load').disabled");
    browser.evaluate("m220.source.frame.sequence = 0; document.getElementById('editor-load').click()");
    browser.until("m220.source.frame.sequence > 0 && m220.source.frame.breakpoints.length === 1");
    let empty =
        "Promise.resolve(m220.page.console.upload('cards', [new File(['no cards'], 'a.cdr')])).then(() => true)";
    browser.evaluate(empty);
    browser.until(&format!("{notice}.startsWith('a.cdr:')"));
    browser.evaluate("document.getElementById('input-button').click()");
    browser.until(&format!("{notice}.startsWith('The card reader is empty')"));
    browser.evaluate(
        "{ const menu = document.getElementById('keep'); menu.value = 'drum:0'; menu.nextElementSibling.click(); }",
    );
    browser.until(&format!("{notice} === 'drum 0 is empty: there is nothing to save.'"));
    assert_eq!(browser.evaluate("document.querySelector('.devices').textContent"), "");
    let analyse = json!({ "do": "task", "task": "analyse", "question": { "fen": "8/8/8/3k4/8/8/3R4/3K4 w - - 0 1", "horizon": 1 } });
    browser.evaluate(&format!("m220.source.ask({analyse}).then(() => true)"));
    browser.until("document.querySelectorAll('.core-maps canvas').length > 1");
    let inside = "(() => { const [panel, legend] = ['.core-panel', '.core-panel .legend'].map((name) => \
                  document.querySelector(name).getBoundingClientRect()); return legend.height > 0 && legend.bottom <= panel.bottom; })()";
    assert_eq!(browser.evaluate(inside), true);
    // A task of the machine says how far it has come.
    browser.evaluate("m220.source.speed = 0.1; m220.source.play().then(() => true)");
    browser.until("[...document.querySelectorAll('.pace')].some(({ textContent }) => textContent === '0 of 1')");
    browser.evaluate("m220.source.pause()");
    let fen = "document.querySelector('#setup form').elements.fen";
    browser.evaluate("document.getElementById('chess-button').click()");
    browser.until("document.getElementById('setup').open");
    browser.evaluate(&format!(
        "{fen}.value = '8/8/8/3k4/8/8/3R4/3K4 w - - 0 1'; globalThis.old = true; void location.reload()"
    ));
    browser.until("globalThis.old === undefined && document.documentElement.dataset.ready === 'true'");
    assert_eq!(browser.evaluate(&format!("{fen}.value")), "8/8/8/3k4/8/8/3R4/3K4 w - - 0 1");
    assert!(browser.errors.is_empty(), "{:?}", browser.errors);
}

/// A hidden field keeps nobody from loading, what was entered in it stays; the lists of the board follow their texts; the
/// editor sends only what its program includes.
#[test]
fn fields_lists_and_files_are_what_is_meant() {
    let Some((_, mut browser)) = opened("start=king", 1400, 900) else { return };
    browser.evaluate("m220.source.setup.open('attacks', { horizon: 99 }).then(() => true)");
    let elements = "m220.source.setup.form.elements";
    browser.evaluate(&format!(
        "{elements}.program.value = 'trajectories'; {elements}.program.onchange(); {elements}.load.click()"
    ));
    browser.until("!document.getElementById('setup').open");
    browser.evaluate("m220.source.setup.open('attacks').then(() => true)");
    assert_eq!(browser.evaluate(&format!("{elements}.horizon.value")), "99");
    browser.evaluate("document.getElementById('setup').close()");
    let counts = "origin 0100\nstart a\na: ADD one, i, i\nJMP 0, a\none: number 1\ni: reserve 1\n;~ list \"numbers\"\n;~ row \"i is {[i]}\"";
    let task = json!({ "do": "task", "task": "source",
        "question": { "root": "a.m220", "files": [{ "name": "a.m220", "text": counts }] } });
    browser.evaluate(&format!("m220.source.ask({task}).then(() => true)"));
    let row = "document.querySelector('#board .found button')?.textContent";
    browser.until(&format!("{row} === 'i is 0'"));
    browser.evaluate("m220.source.step(1).then(() => true)");
    browser.until(&format!("{row} !== 'i is 0'"));
    let sent = "(() => { const { editor } = m220; editor.files = new Map([['a.m220', ''], ['c.m220', '']]); \
                editor.put('b.m220', 'include \"c.m220\"'); return editor.question().files.map(({ name }) => name); })()";
    assert_eq!(browser.evaluate(sent), json!(["b.m220", "c.m220"]));
    assert!(browser.errors.is_empty(), "{:?}", browser.errors);
}

/// The registers are no live region; one line says what the machine is at.
#[test]
fn one_line_is_read_aloud() {
    let Some((_, mut browser)) = opened("start=king", 1400, 900) else { return };
    browser.hurry("m220.source");
    browser.until("m220.source.state.stop !== null");
    let live = "[...document.querySelectorAll('[aria-live]:not([aria-live=off]), [role=status], output:not([aria-live=off])')] \
                .filter((element) => element.checkVisibility() && element.closest('dialog, #play, #tour') === null).map(({ id }) => id)";
    assert_eq!(browser.evaluate(live), json!(["status"]));
}

/// What was written in the editor is there after a reload; an example that takes its place is undone; Ctrl+Enter runs.
#[test]
fn what_was_written_is_kept() {
    let Some((address, mut browser)) = opened("start=program", 1400, 900) else { return };
    let text = "document.getElementById('editor-text')";
    browser.until("m220.editor.sources !== undefined");
    browser.evaluate(&format!("{text}.focus(); {text}.select()"));
    browser.type_text("origin 0100\nstart a\na: STOP ; mine\n");
    browser.until("document.getElementById('editor-load').disabled === false");
    let example = browser.evaluate("document.getElementById('editor-examples').options[1].value");
    browser.evaluate(&format!("m220.editor.example({example})"));
    assert_eq!(browser.evaluate(&format!("{text}.value.includes('; mine')")), false);
    browser.evaluate("document.execCommand('undo')");
    assert_eq!(browser.evaluate(&format!("{text}.value.includes('; mine')")), true);
    browser.open(&format!("{address}?again#start=program"));
    browser.until(&format!("{text}.value.includes('; mine')"));
    browser.evaluate(&format!(
        "{text}.dispatchEvent(new KeyboardEvent('keydown', {{ key: 'Enter', ctrlKey: true, bubbles: true }}))"
    ));
    browser.until("m220.source.state.stop?.reason === 'halt' && !document.getElementById('editor').open");
    // What is in core is an earlier state of it, and another window has another program.
    browser.evaluate("document.getElementById('editor-button').click()");
    browser.evaluate(&format!("{text}.focus(); {text}.setSelectionRange(0, 0)"));
    browser.type_text("; later\n");
    browser.evaluate("localStorage.setItem('m220-program', JSON.stringify({ name: 'other.m220', text: 'STOP' }))");
    browser.until("sessionStorage.getItem('m220-machine') !== null");
    browser.evaluate("globalThis.isOld = true; void setTimeout(() => location.reload())");
    browser.until("globalThis.isOld === undefined && m220.source.loaded?.task === 'source'");
    browser.evaluate("document.getElementById('editor-button').click()");
    browser.until(&format!("{text}.value.startsWith('; later')"));
    // Each example can be assembled.
    let wrong = "(async () => { const wrong = []; for (const { value } of [...document.getElementById('editor-examples').options].slice(1)) { \
                 const files = m220.editor.sources; const { document: found } = await m220.source.call('assemble', { root: value, files }); \
                 if (found.words === null) wrong.push(value); } return wrong; })()";
    browser.evaluate("document.getElementById('editor-button').click()");
    browser.until("m220.editor.sources !== undefined && document.getElementById('editor-examples').options.length > 1");
    assert_eq!(browser.evaluate(wrong), json!([]));
    assert_ne!(example, Value::Null);
}

/// Every exercise fails as it begins, says why, and is solved by its solution; then the next one is offered. English on
/// a desk, Russian on a telephone.
#[test]
fn exercises_check_themselves() {
    for (language, width) in [("en", 1400), ("ru", 390)] {
        let fragment = format!("lang={language}&start=program");
        let Some((address, mut browser)) = opened(&fragment, width, 900) else { return };
        browser.until("m220.editor?.exercises.all?.length === 10");
        for number in 0..10 {
            browser.evaluate(&format!("m220.editor.exercises.choose(m220.editor.exercises.all[{number}].name)"));
            let said = "[...document.querySelectorAll('#exercise-said li')].map((line) => line.textContent)";
            browser.until("m220.editor.exercises.failures !== null");
            let failures = browser.evaluate(said);
            assert!(!failures.as_array().unwrap().is_empty(), "{number} is solved as it begins");
            assert_eq!(browser.evaluate("document.getElementById('exercise-next').hidden"), true);
            assert_eq!(browser.evaluate("document.querySelectorAll('#exercise-hints li').length"), 0);
            browser.evaluate("document.getElementById('exercise-hint').click()");
            assert_eq!(browser.evaluate("document.querySelectorAll('#exercise-hints li').length"), 1);
            browser.evaluate("document.getElementById('exercise-solution').click()");
            browser.until("document.getElementById('exercise').classList.contains('solved')");
            assert_eq!(browser.evaluate("document.getElementById('exercise-next').hidden"), number == 9);
        }
        let solved = "[...document.getElementById('editor-exercises').options].filter(({ text }) => text.startsWith('\\u2713')).length";
        // What was only shown is not solved by the visitor.
        assert_eq!(browser.evaluate(solved), 0);
        let end = "m220.editor.area.focus(); m220.editor.area.setSelectionRange(1e6, 1e6)";
        browser.evaluate(end);
        browser.type_text("\nspare: number 1\n");
        browser.until(&format!("{solved} === 1"));
        assert_eq!(browser.evaluate("document.documentElement.scrollWidth <= innerWidth"), true);
        browser.until("m220.editor.sources !== undefined");
        the_exercise_is_that_of_the_text(&mut browser);
        browser.open(&format!("{address}?again#{fragment}"));
        browser.until("!document.getElementById('exercise').hidden && m220.editor.exercises.failures?.length > 0");
        assert_eq!(browser.evaluate("document.getElementById('editor-exercises').value"), "01-sum");
        assert_eq!(browser.evaluate("m220.editor.area.value.startsWith('; mine')"), true);
        browser.evaluate("document.getElementById('exercise-end').click()");
        assert_eq!(browser.evaluate("document.getElementById('exercise').hidden"), true);
        assert_eq!(browser.evaluate("m220.editor.area.value.startsWith('; mine')"), true);
    }
}

/// The panel goes with another program and comes again by undoing it, with a verdict on the text that is there; what was
/// written for an exercise waits for its return.
fn the_exercise_is_that_of_the_text(browser: &mut Browser) {
    let click = |id: &str| format!("document.getElementById('exercise-{id}').click()");
    let choose = |number: u32| format!("m220.editor.exercises.choose(m220.editor.exercises.all[{number}].name)");
    let type_first = |browser: &mut Browser, text: &str| {
        browser.evaluate("m220.editor.area.focus(); m220.editor.area.setSelectionRange(0, 0)");
        browser.type_text(text);
    };
    let solved = "!document.getElementById('exercise').hidden \
                  && document.getElementById('exercise').classList.contains('solved')";
    browser.evaluate(&choose(0));
    type_first(browser, "; mine\n");
    browser.evaluate(&click("solution"));
    browser.until(solved);
    browser.evaluate("m220.editor.example('greeting.m220')");
    assert_eq!(browser.evaluate("document.getElementById('exercise').hidden"), true);
    browser.evaluate("document.execCommand('undo')");
    browser.until(solved);
    assert_eq!(browser.evaluate("m220.editor.name"), "01-sum.m220");
    browser.evaluate(&click("start"));
    browser.until("m220.editor.exercises.failures?.length > 0");
    assert_eq!(browser.evaluate(solved), false);
    browser.evaluate(&choose(1));
    browser.evaluate(&choose(0));
    assert_eq!(browser.evaluate("m220.editor.area.value.startsWith('; mine')"), true);
    // An error is told once, with its place in the text.
    type_first(browser, "nonsense\n");
    browser.until("document.querySelector('#editor-errors li') !== null && m220.editor.exercises.failures === null");
    assert_eq!(browser.evaluate("document.querySelectorAll('#exercise-said li').length"), 0);
    browser.evaluate("document.execCommand('undo')");
    browser.until("m220.editor.exercises.failures?.length > 0");
}

/// The instruction at the cursor is told, a name is completed from its beginning, and the table has every code.
#[test]
fn instructions_are_told_beside_the_editor() {
    let Some((_, mut browser)) = opened("lang=en&start=program", 1400, 900) else { return };
    browser.until("m220.editor?.reference.rows.length === 64");
    assert_eq!(browser.evaluate("document.querySelectorAll('#reference-table tbody tr').length"), 64);
    browser.evaluate("const area = document.getElementById('editor-text'); area.focus(); area.select(); true");
    browser.type_text("origin 0100\nbegin: SETR");
    browser.until(
        "document.getElementById('reference-here').textContent.startsWith('SETR (УРА), code 52, addresses n, n, r:')",
    );
    browser.until("document.getElementById('reference-offered').textContent === 'SETRW'");
    browser.evaluate("document.querySelector('#reference-offered button').click()");
    assert_eq!(browser.evaluate("area.value"), "origin 0100\nbegin: SETRW ");
    browser.until("document.getElementById('reference-offered').textContent === ''");
    let cells =
        "[...document.querySelectorAll('#reference-table td:nth-child(n + 5)')].map(({ textContent }) => textContent)";
    assert_eq!(browser.evaluate(&format!("{cells}.includes('28.5')")), true);
    browser
        .evaluate("document.getElementById('language-button').click(); m220.editor.reference.open().then(() => true)");
    assert_eq!(browser.evaluate(&format!("{cells}.includes('28,5') && !{cells}.join().includes('.')")), true);
}

/// axe-core, which `npm ci --prefix tests/axe` installs, finds nothing in any state: door, story, a run, a form with its
/// answer, the editor, a game, the recording with the menu open, on a desk and on a telephone.
#[test]
fn axe_finds_nothing() {
    let Ok(axe) = std::fs::read_to_string(AXE) else {
        let _ = writeln!(std::io::stderr(), "axe-core left out: npm ci --prefix tests/axe installs it");
        return;
    };
    let Some((_, mut browser)) = opened("theme=dark", 1400, 900) else { return };
    browser.evaluate(&format!("{axe}; true"));
    for (fragment, is_there, then) in [
        ("door", "m220.door.open", ""),
        ("start=story", "!document.getElementById('story').hidden", ""),
        ("start=king", "!document.getElementById('next').hidden", ""),
        ("start=map", "document.getElementById('setup').open", "document.querySelector('#setup [name=ask]').click()"),
        ("start=program", "document.getElementById('editor').open", ""),
        ("start=king", "m220.source.frame.phase === 'ended'", "document.querySelector('#parts summary').click()"),
        ("door", "m220.door.open", "document.getElementById('survey-button').click()"),
        (
            "start=mate",
            "document.getElementById('setup').open",
            "{ const { named } = document.querySelector('#setup form').elements; \
         named.value = 'Morphy'; named.dispatchEvent(new Event('input')); }",
        ),
        ("door", "m220.door.open", "document.getElementById('share-button').click()"),
        ("door", "m220.door.open", "document.getElementById('help-button').click()"),
        ("start=king", "m220.source.frame.phase === 'ended'", "document.getElementById('layer-button').click()"),
        ("start=king", "m220.source.frame.phase === 'ended'", "document.getElementById('tour-button').click()"),
        ("start=play", "m220.play.legal?.moves.length === 20", "document.getElementById('tour-close').click()"),
        (
            "start=experiment",
            "m220.page.source.position === m220.page.source.length",
            "document.getElementById('menu').open = true",
        ),
    ] {
        go(&mut browser, fragment);
        if fragment == "start=king" {
            browser.hurry("m220.source");
        }
        browser.until(is_there);
        browser.evaluate(then);
        if then.contains("ask") {
            browser.until("document.querySelector('.answer .term') !== null");
        }
        for (width, height) in [(1400, 900), (390, 844)] {
            browser.resize(width, height);
            assert_eq!(browser.evaluate(VIOLATIONS), json!([]), "{fragment}, {width}");
        }
    }
}

/// The texts of door, story, next step and an explained answer have the contrast of WCAG 2, level AA, in both themes.
#[test]
fn what_a_visitor_reads_has_contrast() {
    let Some((_, mut browser)) = opened("lang=ru", 1400, 900) else { return };
    for (fragment, is_there) in [
        ("door", "m220.door.open"),
        ("start=story", "!document.getElementById('story').hidden"),
        ("start=king", "!document.getElementById('next').hidden"),
    ] {
        go(&mut browser, fragment);
        if fragment == "start=king" {
            browser.hurry("m220.source");
        }
        browser.until(is_there);
        for theme in ["light", "dark"] {
            browser.evaluate(&format!("document.documentElement.dataset.theme = '{theme}'"));
            let found = browser.evaluate(include_str!("contrast.js"));
            assert!(found["looked"].as_u64() > Some(8), "{fragment}: {found}");
            assert_eq!(found["faint"], json!([]), "{theme}, {fragment}");
        }
    }
}
