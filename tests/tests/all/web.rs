//! The web edition in a browser: as one file, and as a site under some path of a static host.
//!
//! `tools/web/build` makes both. Without them, or without Chromium, these tests report that they were skipped, and
//! pass; `.ci/run` requires them.

use crate::browser::console::{saves_a_replay, takes_and_gives_files};
use chess_reference::legal::to_uci;
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
pub fn built(name: &str) -> Option<(PathBuf, Browser)> {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../target")).join(name);
    if !path.exists() {
        assert!(env::var_os(REQUIRED).is_none(), "{REQUIRED} is set, and tools/web/build has not made {name}");
        // Written directly, so that the test harness does not capture it.
        let _ = writeln!(std::io::stderr(), "tests of {name} left out: tools/web/build makes it");
        return None;
    }
    Some((path.canonicalize().unwrap(), Browser::start(&installed()?, 1280, 800)))
}

/// Waits for the end of the run; the frame reports it before the state of the machine is there.
fn halted(browser: &mut Browser) {
    browser.until("m220.source.frame.phase === 'ended' && m220.source.state.stop");
    assert_eq!(browser.evaluate("m220.source.state.stop.reason"), "halt");
}

/// The king's 393 trajectories on the machine in the page, then the same question beside it, and a visitor's program.
fn king_in(browser: &mut Browser) {
    assert_eq!(browser.evaluate("m220.source.frame.phase"), "ready");
    browser.evaluate("m220.source.speed = Infinity; m220.source.play().then(() => true)");
    halted(browser);
    assert_eq!(browser.evaluate("m220.source.state.word(m220.source.state.exported('count'))"), 393);
    let question = json!({ "fen": "8/8/8/8/8/8/8/8 w - - 0 1", "from": "a4", "to": "h4", "piece": "king" });
    let asked = browser.evaluate(&format!("m220.source.call('trajectories', {question})"));
    assert_eq!(asked["error"], Value::Null);
    assert_eq!(asked["document"]["count"], 393);
    assert_eq!(asked["document"]["equal"], true);
    assert_eq!(asked["engines"][1], "equal: machine and native reference give the same");
    let refused = browser.evaluate("m220.source.call('fly')");
    assert_eq!(refused["error"], "there is no question `fly`");
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

/// Opens the page with a fragment. Another query makes it another page, so that the fragment is read as it is loaded.
fn open_anew(browser: &mut Browser, address: &str, visit: u32, fragment: &str) {
    browser.open(&format!("{address}?{visit}#{fragment}"));
}

/// Opens the page with a fragment made by the page itself.
fn open_shared(browser: &mut Browser, address: &str, visit: u32, place: &Value) {
    let packed = format!("import('m220/share.js').then((share) => share.packed({place}))");
    let fragment = browser.evaluate(&packed).as_str().unwrap().to_owned();
    open_anew(browser, address, visit, &fragment);
}

/// A link holds a task or a program, speed and place; opening it runs nothing; play goes to the place and waits.
fn shared_in(browser: &mut Browser, address: &str) {
    let knight = json!({ "fen": "8/8/8/8/8/8/8/8 w - - 0 1", "from": "b1", "to": "g8", "piece": "knight" });
    open_shared(browser, address, 1, &json!({ "task": "trajectories", "question": knight, "speed": 0.1, "at": 150 }));
    browser.until("m220.source.state.description.title === 'white knight b1-g8'");
    browser.until("m220.source.speed === 0.1 && m220.source.frame.phase === 'ready'");
    assert_eq!(browser.evaluate("m220.source.state.instructions"), 0);
    browser.until("document.getElementById('notice').textContent.includes('150')");
    browser.evaluate("m220.source.play().then(() => true)");
    browser.until("m220.source.state.instructions === 150 && m220.source.frame.phase === 'paused'");
    // The dialog's link leads back to the same place.
    browser.evaluate("document.getElementById('share-button').click(); document.getElementById('share-place').click()");
    browser.until("document.getElementById('share-link').value.includes('#share=')");
    let back = "import('m220/share.js').then((share) => \
                share.unpacked(document.getElementById('share-link').value.split('#')[1]))";
    browser.until(&format!("{back}.then(({{ at }}) => at === 150)"));
    assert_eq!(browser.evaluate(&format!("{back}.then(({{ question }}) => question.to)")), "g8");
    // A whole program, with a name that looks like markup.
    let text = "origin 0100\nstart a\na: STOP\n";
    let name = "<img src=x onerror=document.title=1>.m220";
    let question = json!({ "root": name, "files": [{ "name": name, "text": text }] });
    open_shared(browser, address, 2, &json!({ "task": "source", "question": question, "speed": null, "at": 0 }));
    browser.until("m220.source.state.description.files.length === 1");
    assert_eq!(browser.evaluate("document.querySelectorAll('img').length"), 0);
    assert_eq!(browser.evaluate("m220.source.frame.phase"), "ready");
    // Damaged links are refused in one sentence, and the page shows what it would show without them.
    for (visit, fragment, sentence) in [
        (3, "share=%3Cimg", "The link is damaged: nothing was loaded."),
        (4, "share=AAAA", "The link is damaged: nothing was loaded."),
    ] {
        open_anew(browser, address, visit, fragment);
        browser.until(&format!("document.getElementById('notice').textContent === '{sentence}'"));
        assert_eq!(browser.evaluate("m220.source.frame.phase"), "ready");
    }
    // 2,000 mutants of a good fragment: none is an uncaught exception, none runs anything.
    let mutants = "(async () => { \
        const { packed, unpacked, Refused } = await import('m220/share.js'); \
        const good = await packed({ task: 'mate', question: { fen: '8/8/8/8/8/5k2/8/4K2R w K - 0 1', moves: 2 }, speed: 1, at: 0 }); \
        let [state, odd] = [7, 0]; \
        const random = (below) => (state = (state * 48271) % 2147483647) % below; \
        for (let mutant = 0; mutant < 2000; mutant++) { \
          const text = [...good]; \
          for (let change = random(3); change >= 0; change--) text[6 + random(text.length - 6)] = String.fromCharCode(33 + random(94)); \
          try { await unpacked(text.join('')); } catch (error) { if (!(error instanceof Refused)) odd++; } \
        } \
        return odd; })()";
    assert_eq!(browser.evaluate(mutants), 0);
    assert_eq!(browser.evaluate("m220.source.state.instructions"), 0);
    assert!(browser.errors.is_empty(), "{:?}", browser.errors);
}

/// Every task is answered beside the machine, with its native reference where the machine has a program for it; each is
/// drawn on a board of its own, and those of the machine can be loaded into it.
fn tasks_in(browser: &mut Browser) {
    browser.evaluate("document.getElementById('chess-button').click()");
    browser.until("document.getElementById('setup').open");
    let form = "document.querySelector('#setup form').elements";
    let tasks = browser.evaluate("m220.source.tasks.map(({ name }) => name)");
    let expected = [
        ("trajectories", "393 shortest trajectories"),
        ("attacks", "28 attack trajectories"),
        ("mate", "1 key"),
        ("endings", "won in 16 moves"),
        ("relations", "relations"),
        ("sync doublet", "at once"),
        ("map", "15 attacks"),
        ("analyse", "comes out ahead"),
        ("best", "by the rules of 1968"),
    ];
    assert_eq!(tasks.as_array().unwrap().len(), expected.len(), "{tasks}");
    for (task, title) in expected {
        // Natively first, and then the machine; a far horizon would take it long.
        let follows = ["analyse", "best"].contains(&task);
        let question = if follows {
            let horizon = if task == "best" { "horizon_limit" } else { "horizon" };
            format!("{form}.fen.value = '6k1/8/2n5/8/8/5n2/8/2R2R1K w - - 0 1'; {form}.{horizon}.value = 2;")
        } else {
            String::new()
        };
        browser.evaluate(&format!(
            "{form}.program.value = '{task}'; {form}.program.dispatchEvent(new Event('change')); {question} \
             {form}.ask.click()"
        ));
        browser.until(&format!(
            "document.querySelector('.answer .headline')?.textContent.includes('{title}') || \
             document.querySelector('.setup-error').textContent !== ''"
        ));
        assert_eq!(browser.evaluate("document.querySelector('.setup-error').textContent"), "", "{task}");
        // The machine's cost stands above the result of the comparison.
        browser.until("document.querySelectorAll('.answer .equal').length === 2");
        let equal = browser.evaluate("document.querySelectorAll('.answer .equal')[1].textContent");
        assert_eq!(equal, "equal: machine and native reference give the same", "{task}");
        assert!(
            browser.evaluate("document.querySelectorAll('.answer .board .piece').length").as_u64()
                >= Some(u64::from(task != "trajectories"))
        );
        browser.until("m220.page.panels.some((panel) => panel.picture)");
        let picture = "new DOMParser().parseFromString(m220.page.panels.find((panel) => panel.picture).picture(), \
                       'image/svg+xml').documentElement.nodeName";
        assert_eq!(browser.evaluate(picture), "svg");
        if follows {
            continue;
        }
        // The frame of the task before has ended too.
        browser
            .evaluate(&format!("m220.source.frame.phase = 'before'; {form}.run.checked = true; {form}.load.click()"));
        browser.until("!document.getElementById('setup').open");
        halted(browser);
        // The machine's board, by the view in the program's own source; its last sentence is the outcome.
        browser.until("document.querySelector('#board .captions').textContent.endsWith('done')");
        browser.evaluate("document.getElementById('chess-button').click()");
        browser.until("document.getElementById('setup').open");
    }
    // A long question can be stopped, and says so.
    browser.evaluate(&format!(
        "{form}.program.value = 'mate'; {form}.program.dispatchEvent(new Event('change')); \
         {form}.fen.value = '8/8/8/3k4/8/8/8/R3K2R w - - 0 1'; {form}.fen.dispatchEvent(new Event('input')); \
         {form}.moves.value = 8; {form}.ask.click()"
    ));
    browser.until("document.querySelector('.answer-stop') !== null");
    browser.evaluate("document.querySelector('.answer-stop').click()");
    browser.until("document.querySelector('.setup-error').textContent === 'Stopped.'");
    browser.evaluate("document.getElementById('setup').close()");
    assert!(browser.errors.is_empty(), "{:?}", browser.errors);
}

/// What is in the machine can be saved as files, and comes back from them.
fn files_in(browser: &mut Browser) {
    let names = browser.evaluate("[...document.getElementById('keep').options].map(({ value }) => value).slice(0, 5)");
    assert_eq!(names, json!(["image", "deck", "replay", "machine", "drum:0"]));
    let back = "import('m220/dom.js').then(async ({ bytesOf }) => { \
        const { source } = m220; \
        await source.ask({ do: 'task', task: 'trajectories', question: \
          { fen: '8/8/8/8/8/8/8/8 w - - 0 1', from: 'a4', to: 'h4', piece: 'king' } }); \
        const kept = async (file) => bytesOf((await source.ask({ do: 'save', file, number: 0 })).text); \
        const [image, deck, drum] = [await kept('image'), await kept('deck'), await kept('drum')]; \
        const said = [await source.upload('drum', 0, new File([drum], 'drum-0.drum'))]; \
        for (const [name, bytes] of [['program.elf', image], ['program.m20', deck]]) { \
          said.push(await source.upload('program', 0, new File([bytes], name))); \
          await source.play(); \
          await new Promise((resolve) => { const look = () => source.frame.phase === 'ended' && \
            source.state.stop && source.state.description.title === name ? resolve() : setTimeout(look, 20); look(); }); \
          said.push({ error: source.state.stop.reason }); \
        } \
        return said.map(({ error }) => error); })";
    browser.evaluate("m220.source.speed = Infinity");
    assert_eq!(browser.evaluate(back), json!([null, null, "halt", null, "halt"]));
    let none = browser.evaluate("m220.source.ask({ do: 'save', file: 'tape', number: 9 })");
    assert_eq!(none["error"], "there is no tape 9");
    assert!(browser.errors.is_empty(), "{:?}", browser.errors);
}

/// Goes on with the game by random legal moves until it has `most` half-moves or is over, with the side and the program
/// changed, and moves taken back; then the page is opened anew, and has the same game.
fn play_on(browser: &mut Browser, page: &str, programs: &Value, most: u32, seed: u32) -> Value {
    browser.evaluate(
        "globalThis.playing = async (programs, most) => { \
           const { play } = m220; \
           const pause = performance.now() + 30_000; \
           const set = (id, value) => { const menu = document.getElementById(id); menu.value = value; \
             menu.dispatchEvent(new Event('change')); }; \
           const rest = async () => { while (play.thinking !== null) await new Promise((r) => setTimeout(r, 5)); }; \
           let idle = 0; \
           const random = (most) => { seed = (seed * 48_271) % 2_147_483_647; return seed % most; }; \
           document.getElementById('play-seconds').value = '0'; \
           while (play.over === null && play.moves.length < most) { \
             if (performance.now() > pause) return null; \
             set('play-against', programs[random(programs.length)]); \
             if (random(8) === 0) set('play-side', play.white ? 'black' : 'white'); \
             await rest(); \
             if (play.over !== null) break; \
             if (random(9) === 0) { if (random(2) === 0) await play.takeBack(); else play.takeBack(); await rest(); } \
             if (play.over !== null || !play.isFree) { \
               if (++idle > 5000) throw new Error(`no move: ${document.getElementById('play-said').textContent}`); \
               await new Promise((r) => setTimeout(r, 2)); continue; } \
             idle = 0; \
             const { uci } = play.legal.moves[random(play.legal.moves.length)]; \
             play.move(uci.slice(0, 2), uci.slice(2, 4)); \
             document.querySelector('#play-promotion:not([hidden]) button')?.click(); \
             await new Promise((r) => setTimeout(r, 5)); \
             await rest(); \
           } \
           return play.shared(); }; true",
    );
    browser.evaluate(&format!("globalThis.seed = {seed}"));
    // No call may take longer than a browser is waited for.
    let played = || browser.evaluate(&format!("playing({programs}, {most})"));
    let game = std::iter::repeat_with(played).find(|game| !game.is_null()).unwrap();
    let moves = json!(game["moves"]);
    browser.open(page);
    browser.evaluate("document.getElementById('play-button').click()");
    // The program's answer may have come since.
    browser.until(&format!("m220.play.moves.join(' ').startsWith({moves}) && m220.play.thinking === null"));
    browser.evaluate("m220.play.shared()")
}

/// A new game with White, at once.
fn begin_game(browser: &mut Browser) {
    browser.evaluate(
        "document.getElementById('play-seconds').value = '0'; document.getElementById('play-side').value = 'white'; \
         m220.play.begin().then(() => true)",
    );
    browser.until("m220.play.moves.length === 0 && m220.play.isFree");
}

/// Whole games, each to its end, as many as the variable says against each program that it names, or against all:
/// `M220_WHOLE_GAMES=20`, `M220_WHOLE_GAMES='20 map'`.
#[test]
fn whole_games_are_played_to_their_ends() {
    let Ok(asked) = env::var("M220_WHOLE_GAMES") else { return };
    let mut words = asked.split_whitespace();
    let count: u32 = words.next().and_then(|count| count.parse().ok()).expect("a number of games");
    let named: Vec<_> = words.collect();
    let Some((folder, mut browser)) = built("site") else { return };
    let page = hosted(&folder) + "index.html";
    browser.open(&page);
    browser.evaluate("document.getElementById('play-button').click()");
    browser.until("m220.play.legal !== undefined && m220.play.thinking === null");
    for program in ["bell", "map", "lessons"].into_iter().filter(|&it| named.is_empty() || named.contains(&it)) {
        let mut ends = std::collections::BTreeMap::new();
        for game in 1..=count {
            begin_game(&mut browser);
            let mut played = Value::Null;
            for most in (20..=200).step_by(20) {
                played = play_on(&mut browser, &page, &json!([program]), most, 1000 * game + most);
                if played["over"] != "" {
                    break;
                }
            }
            let over = played["over"].to_string();
            let _ = writeln!(std::io::stderr(), "{program}, game {game}: {over}");
            *ends.entry(over).or_insert(0) += 1;
        }
        let _ = writeln!(std::io::stderr(), "{count} games against {program}: {ends:?}");
    }
    assert!(browser.errors.is_empty(), "{:?}", browser.errors);
}

/// Games of random legal moves against all programs: the game is never lost, and its score is one of the same moves.
fn whole_games_in(browser: &mut Browser, page: &str) {
    browser.evaluate("document.getElementById('play-button').click()");
    browser.until("m220.play.legal !== undefined && m220.play.thinking === null");
    begin_game(browser);
    let game = play_on(browser, page, &json!(["lessons", "bell", "map"]), 30, 20_261_125);
    let moves = game["moves"].as_str().unwrap().to_owned();
    assert!(moves.split(' ').count() >= 20 || game["over"] != "", "{game}");
    // Opened anew, and by a link, it is the same game; a link with another sign is none.
    let link = browser.evaluate(
        "document.getElementById('share-button').click(), new Promise((resolve) => { const look = () => { \
           const { value } = document.getElementById('share-link'); \
           value === '' ? setTimeout(look, 10) : resolve(value); }; look(); })",
    );
    let link = link.as_str().unwrap().to_owned();
    let same = format!("m220.play.moves.join(' ') === {}", json!(moves));
    // Another window's game, kept since, is for windows to come.
    browser.evaluate(
        "localStorage.setItem('m220-game', JSON.stringify({ moves: 'd2d4', player: 'bell', side: 'white' }))",
    );
    browser.open(page);
    browser.evaluate("document.getElementById('play-button').click()");
    browser.until(&same);
    assert_eq!(browser.evaluate("document.getElementById('play-seconds').value"), "0");
    browser.evaluate("[localStorage, sessionStorage].forEach((storage) => storage.removeItem('m220-game'))");
    browser.open(&link);
    browser.until(&same);
    browser.until("m220.play.isShown && m220.play.thinking === null");
    // The score that is saved is read as the same game; after a move taken back it is shorter.
    browser.evaluate("document.getElementById('play-save').click()");
    let (name, score) = browser.kept_file();
    assert_eq!(name, "game.pgn");
    let mut games = m220_players::pgn::games(&score[..], m220_players::pgn::Reading::default());
    let record = games.next().unwrap().unwrap();
    let read: Vec<String> = record.game.moves().iter().map(|&played| to_uci(played).to_string()).collect();
    assert_eq!(read.join(" "), moves);
    assert!(record.put_right.is_empty(), "{:?}", record.put_right);
    // With White: the program's first move would come at once.
    begin_game(browser);
    let opened =
        format!("m220.play.read(new File([{}], 'g.pgn')).then(() => true)", json!(String::from_utf8_lossy(&score)));
    browser.evaluate(&opened);
    // If the program is to move, it may have done so already.
    browser.until(&format!("m220.play.moves.join(' ').startsWith({})", json!(moves)));
    // Drawn and promoted positions by their rules.
    for (fens, drawn, claim) in [
        ("Array(3).fill('8/8/8/8/4k3/8/4P3/4K3 w - - 0 1')", Value::Null, "threefold".into()),
        ("Array(5).fill('8/8/8/8/4k3/8/4P3/4K3 w - - 0 1')", "fivefold".into(), "threefold".into()),
        ("['8/8/8/8/4k3/8/4P3/4K3 w - - 100 90']", Value::Null, "fifty".into()),
        ("['8/8/8/8/4k3/8/4P3/4K3 w - - 150 120']", "seventy-five".into(), "fifty".into()),
        ("['8/8/2b5/8/4k3/8/4B3/4K3 w - - 0 1']", "material".into(), Value::Null),
        ("['8/8/3b4/8/4k3/8/4B3/4K3 w - - 0 1']", Value::Null, Value::Null),
        ("['8/8/8/8/4k3/8/4N3/4K3 w - - 0 1']", "material".into(), Value::Null),
    ] {
        let found = browser.evaluate(&format!(
            "import('m220/game.js').then((game) => [game.drawnBy({fens}), game.claimable({fens})])"
        ));
        assert_eq!(found, json!([drawn, claim]), "{fens}");
    }
    browser.evaluate("document.getElementById('play-new').click()");
    browser.until("m220.play.moves.length === 0");
    browser.evaluate("document.getElementById('play-close').click()");
    assert!(browser.errors.is_empty(), "{:?}", browser.errors);
}

/// A game: the visitor's moves, Bell's replies with the same question in the machine, the clock, a move taken back.
fn game_in(browser: &mut Browser) {
    // A game works whatever program is in core, even one that shows no board.
    browser.evaluate(
        "m220.source.speed = Infinity; m220.source.ask({ do: 'task', task: 'source', question: \
         { root: 'a.m220', files: [{ name: 'a.m220', text: 'origin 0100\\nstart a\\na: STOP\\n' }] } })",
    );
    // A program that comes after the click would close the game.
    browser.until("m220.source.state.description.title === 'a.m220' && !m220.source.isNew");
    browser.until("document.getElementById('board-panel').hidden");
    browser.evaluate("document.getElementById('play-button').click()");
    browser.until("m220.play.legal?.moves.length === 20");
    browser.until("document.getElementById('play').getClientRects().length === 1");
    let at_once = "document.getElementById('play-seconds').value = '0'";
    browser.evaluate(at_once);
    browser.until("m220.play.isFree");
    let square = |name: &str| format!("document.querySelector('#play [data-square={name}]').click()");
    let said = "document.getElementById('play-said').textContent";
    assert_eq!(browser.evaluate(said), "Your move.");
    // The board is turned by its key, wherever the focus is.
    browser.evaluate("document.activeElement.blur()");
    for corner in ["h1", "a8"] {
        browser.press("KeyF", "f", false);
        browser.until(&format!("document.querySelector('#play [data-square]').dataset.square === '{corner}'"));
    }
    // The program that plays is beside the board before it plays.
    browser.until("m220.source.state.description.title === \"Bell's program\"");
    browser.evaluate(&square("e2"));
    // The choice is heard, too.
    let heard = "[...document.querySelectorAll('#play :is([aria-pressed], [data-square][aria-label*=here])')] \
                 .map(({ ariaLabel, ariaPressed }) => ariaLabel + (ariaPressed ?? ''))";
    let choice = ["e4 empty, can go here", "e3 empty, can go here", "e2 white pawntrue"];
    assert_eq!(browser.evaluate(heard), json!(choice));
    browser.evaluate(&square("e4"));
    browser.until("m220.play.moves.length === 2 && m220.play.thinking === null");
    assert_eq!(browser.evaluate(heard), json!([]));
    browser.until(&format!("{said}.endsWith(' Your move.')"));
    assert_eq!(browser.evaluate("m220.play.sans[0]"), "e4");
    assert_eq!(browser.evaluate("m220.play.clock > 0"), true);
    browser.until("m220.source.state.description.title === \"Bell's program\" && m220.source.frame.phase === 'ended'");
    // A new game begun by mistake gives the last one back.
    let back = "document.getElementById('play-back')";
    for _ in 0..2 {
        browser.evaluate("document.getElementById('play-new').click()");
    }
    browser.until(&format!("m220.play.moves.length === 0 && {back}.disabled"));
    browser.evaluate("document.getElementById('play-return').click()");
    browser.until(&format!("m220.play.moves.length === 2 && m220.play.isFree && !{back}.disabled"));
    // Giving up is taken back without the moves.
    browser.evaluate("document.getElementById('play-resign').click()");
    browser.until("m220.play.over !== null");
    browser.evaluate(&format!("{back}.click()"));
    browser.until("m220.play.over === null && m220.play.moves.length === 2 && m220.play.isFree");
    browser.evaluate("document.getElementById('play-back').click()");
    browser.until("m220.play.moves.length === 0 && m220.play.isFree");
    // The map thinks in the machine, too.
    let choose = |menu: &str, value: &str| {
        format!(
            "(() => {{ const menu = document.getElementById('{menu}'); menu.value = '{value}'; \
             menu.dispatchEvent(new Event('change')); }})()"
        )
    };
    browser.evaluate(&choose("play-against", "map"));
    browser.evaluate(&square("e2"));
    browser.evaluate(&square("e4"));
    browser.until("m220.play.moves.length === 2 && m220.play.thinking === null");
    browser.until("m220.source.loaded.task === 'best' && m220.source.frame.phase === 'ended'");
    browser.until("document.getElementById('play-said').textContent.includes(\"The machine's own move\")");
    // The run ends with the move that was made: MAP has come from the tape.
    browser.evaluate("import('m220/tables.js').then(({ decode }) => { globalThis.decoded = decode; })");
    browser.until("decoded(m220.source.state).captions.join() === `the machine plays ${m220.play.sans[1]}`");
    browser.evaluate("document.getElementById('play-back').click()");
    browser.until("m220.play.moves.length === 0 && m220.play.isFree");
    // An illegal move changes nothing.
    browser.evaluate(&square("e2"));
    browser.evaluate(&square("e5"));
    assert_eq!(browser.evaluate("m220.play.moves.length"), 0);
    assert_eq!(browser.evaluate(said), "e2-e5 is not a legal move.");
    // Nothing is said of a thought that has ended because the turn is the visitor's.
    browser.evaluate("document.getElementById('play-seconds').value = '20'");
    browser.evaluate(&choose("play-side", "black"));
    browser.until(&format!("{said}.startsWith('The machine is looking for its move 1:')"));
    browser.evaluate(&choose("play-side", "white"));
    assert_eq!(browser.evaluate(said), "Your move.");
    browser.evaluate(at_once);
    // The institute's program needs the visitor's own listing; another text is refused in a sentence.
    browser.evaluate("m220.play.read(new File(['no listing'], 'deck.txt')).then(() => true)");
    browser.until("m220.play.isFree");
    browser.evaluate(&square("e2"));
    browser.evaluate(&square("e4"));
    browser.until("m220.play.moves.length === 1 && m220.play.thinking === null");
    browser.until(&format!("!['', 'Your move.', 'The program is thinking.'].includes({said})"));
    // A score that begins elsewhere leaves the game as it is; one with a result is over, and says who played.
    let open = |score: &str| format!("m220.play.openScore({score:?}).then(() => true)");
    browser.evaluate(&open("[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n*"));
    assert_eq!(browser.evaluate("m220.play.moves.length"), 1);
    let morphy = "[Event \"Paris\"]\n[White \"A \\\"B\\\" C\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n";
    browser.evaluate(&open(morphy));
    assert_eq!(browser.evaluate("m220.play.score()"), morphy);
    assert_eq!(
        browser.evaluate("[m220.play.over, document.getElementById('play-side').disabled]"),
        json!([
            { "result": "1-0", "reason": "scored" },
            true
        ])
    );
    // The visitor's own game is kept until the opened one is gone on with.
    let kept = "JSON.parse(localStorage.getItem('m220-game')).moves";
    assert_eq!(browser.evaluate(kept).as_str().map(|moves| moves.split(' ').next()), Some(Some("e2e4")));
    assert_ne!(browser.evaluate(kept), "e2e4 e7e5 g1f3");
    // A draw that was claimed stays one, and a second game is not passed over in silence.
    browser.evaluate(&open("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 1/2-1/2\n\n1. e4 *"));
    assert_eq!(browser.evaluate("m220.play.over"), json!({ "result": "1/2-1/2", "reason": "scored" }));
    let ended = browser.evaluate(said);
    assert!(ended.as_str().unwrap().ends_with("½–½. Only the first game of several is shown."), "{ended}");
    // The program claims the draw that it may claim. Taken back, the move that allowed it goes.
    browser.evaluate(&choose("play-against", "bell"));
    browser.evaluate(&open("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 *"));
    browser.until("m220.play.isFree");
    browser.evaluate(&square("g1"));
    browser.evaluate(&square("f3"));
    browser.until("m220.play.over !== null");
    assert_eq!(browser.evaluate("m220.play.over"), json!({ "result": "1/2-1/2", "reason": "threefold" }));
    assert_eq!(browser.evaluate("m220.play.takeBack().then(() => m220.play.moves.length)"), 8);
    // In check, a piece that cannot help and its move are answered.
    browser.evaluate(&open("1. e4 e5 2. f4 Qh4+ *"));
    browser.until("m220.play.isFree");
    browser.evaluate(&square("g1"));
    assert_eq!(browser.evaluate(said), "The piece on g1 has no legal move. You are in check.");
    browser.evaluate(&square("f3"));
    assert_eq!(browser.evaluate(said), "g1-f3 is not a legal move. You are in check.");
    // The choice of a piece for a pawn can be left.
    browser.evaluate(&open("1. a4 b5 2. axb5 Nf6 3. b6 Ng8 4. bxa7 Nf6 *"));
    browser.until("m220.play.isFree");
    browser.evaluate(&square("a7"));
    browser.evaluate(&square("b8"));
    let choice = "document.getElementById('play-promotion')";
    assert_eq!(browser.evaluate(&format!("{choice}.hidden")), false);
    let escape = "new KeyboardEvent('keydown', { key: 'Escape', bubbles: true })";
    browser.evaluate(&format!("{choice}.firstChild.dispatchEvent({escape})"));
    assert_eq!(browser.evaluate(&format!("{choice}.hidden && m220.play.moves.length")), 8);
    browser.evaluate(&square("h2"));
    browser.evaluate(&square("h3"));
    browser.until(&format!("{kept}.endsWith('h2h3')"));
    browser.evaluate("m220.play.takeBack().then(() => true)");
    // While its program thinks, another task takes the machine and the panel, and the door ends the thought.
    let think = "m220.play.takeBack().then(() => { m220.play.thinking = new AbortController(); })";
    browser.evaluate(think);
    let way = "{ fen: '8/8/8/8/8/8/8/8 w - - 0 1', from: 'a4', to: 'h4', piece: 'king' }";
    browser.evaluate(&format!("m220.source.ask({{ do: 'task', task: 'trajectories', question: {way} }})"));
    browser.until("document.getElementById('play').hidden");
    browser.evaluate("m220.play.show(true).then(() => { m220.play.thinking = new AbortController(); })");
    browser.evaluate("location.hash = 'door'");
    browser.until("m220.door.open && m220.play.thinking === null && document.title === 'M-220'");
    browser.evaluate("m220.play.show(true).then(() => true)");
    browser.until("!m220.door.open");
    // The board keeps the focus when it is turned round.
    let focused = "(document.querySelector('#play [data-square=e2]').focus(), m220.play.flip(), \
                   document.activeElement.dataset.square)";
    assert_eq!(browser.evaluate(focused), "e2");
    browser.evaluate("document.getElementById('play-close').click()");
    assert_eq!(browser.evaluate("document.getElementById('play').hidden"), true);
    assert!(browser.errors.is_empty(), "{:?}", browser.errors);
}

/// The editor: an error stands at its line while it is typed; a good program is loaded and runs.
fn editor_in(browser: &mut Browser) {
    browser.evaluate("document.getElementById('editor-button').click()");
    browser.until("document.getElementById('editor-load').disabled === false");
    let text = "document.getElementById('editor-text')";
    browser.evaluate(&format!("{text}.focus(); {text}.setSelectionRange(0, 0)"));
    browser.type_text("nonsense 1\n");
    browser.until("document.querySelector('#editor-marks .error span') !== null");
    assert_eq!(browser.evaluate("document.getElementById('editor-load').disabled"), true);
    assert_eq!(
        browser.evaluate(
            "[...document.querySelectorAll('#editor-marks div')].findIndex((line) => line.className === 'error')"
        ),
        0
    );
    browser.evaluate(&format!(
        "{text}.value = {text}.value.split('\\n').slice(1).join('\\n'); {text}.dispatchEvent(new Event('input'))"
    ));
    browser.until("document.getElementById('editor-load').disabled === false");
    browser.until("[...document.getElementById('editor-labels').options].map(({ text }) => text).includes('begin')");
    browser.evaluate("document.getElementById('editor-load').click()");
    browser.until("m220.source.state.description.title === 'program.m220'");
    browser.evaluate("m220.source.play().then(() => true)");
    halted(browser);
    // A built-in source is an example, and can be included.
    browser.evaluate(
        "document.getElementById('editor-button').click(); \
         m220.editor.put('own.m220', 'origin 0100\\nstart a\\na: STOP\\n include \"decimal.m220\"\\n')",
    );
    browser.until("document.getElementById('editor-said').textContent !== ''");
    // Every example can be loaded as it is.
    browser.until("document.getElementById('editor-examples').options.length > 25");
    let refused = browser.evaluate(
        "Promise.all([...document.getElementById('editor-examples').options].slice(1).map(async ({ value }) => { \
         const files = m220.editor.sources.filter(({ name }) => name === value); \
         const { document: made, error } = await m220.source.call('assemble', { root: value, files }); \
         return error ?? (made.errors.length > 0 ? value : null); })).then((all) => all.filter(Boolean))",
    );
    assert_eq!(refused, json!([]));
    browser.evaluate("document.getElementById('editor').close()");
    assert!(browser.errors.is_empty(), "{:?}", browser.errors);
}

/// A game of the past: its moves are looked at one by one, and damage is told. Stopped, what is there stays.
fn survey_in(browser: &mut Browser) {
    browser.evaluate("document.getElementById('survey-button').click()");
    let look = |pgn: &str, machine: bool| {
        let pgn = json!(pgn);
        format!(
            "(() => {{ document.getElementById('survey-machine').checked = {machine}; \
             document.getElementById('survey-score').value = {pgn}; return m220.survey.look().then(() => true); }})()"
        )
    };
    let said = "document.getElementById('survey-said').textContent";
    browser.evaluate(&look("1. e4 e5 2. Nf3 Nc6 3. Nxe5 Nxe5 4. Qh9", false));
    assert_eq!(browser.evaluate("m220.survey.rows.map(({ san }) => san).join(' ')"), "e4 e5 Nf3 Nc6 Nxe5 Nxe5");
    let damage = browser.evaluate(said);
    assert!(damage.as_str().unwrap().contains("'Qh9' is not a move"), "{damage}");
    let told = browser.evaluate("document.querySelectorAll('#survey-rows button')[4].textContent");
    assert_eq!(told, "3.Nxe5 takes the pawn on e5; sensible at once, and hope remains.");
    // The rows follow the language of the page, which is behind the dialog.
    let switch = "document.getElementById('language-button').click(); document.querySelectorAll('#survey-rows button')[4].textContent";
    assert_eq!(browser.evaluate(switch).as_str().map(|row| row.starts_with("3.Кxe5 берёт")), Some(true));
    assert_eq!(browser.evaluate(switch), told);
    // A row that is chosen shows its position.
    browser.evaluate("document.querySelectorAll('#survey-rows button')[0].click()");
    assert_eq!(browser.evaluate("m220.survey.squares.letters[m220.survey.squares.index('e4')]"), "P");
    // The games of a collection can be chosen, also behind a damaged one.
    browser.evaluate(&look("[White \"A\"]\n\n1. e4 e9 *\n\n[White \"B\"]\n\n1. d4 d5 2. c4 *\n", false));
    let games = "[...document.getElementById('survey-game').options].map(({ text }) => text[0] + text[3]).join(' ')";
    assert_eq!(browser.evaluate(games), "1A 2B");
    let second = "(() => { const games = document.getElementById('survey-game'); games.selectedIndex = 1; \
                  games.dispatchEvent(new Event('change')); })()";
    browser.evaluate(second);
    browser.until("m220.survey.rows.map(({ san }) => san).join(' ') === 'd4 d5 c4'");
    browser.evaluate(&look("no game", false));
    assert_eq!(browser.evaluate("document.getElementById('survey-game').checkVisibility()"), false);
    assert!(browser.evaluate(said).as_str().unwrap().contains("line 1, column 1"));
    let game = include_str!("../../../crates/m220-answers/tests/games/botvinnik-capablanca.pgn");
    browser.evaluate(&format!("void {}", look(game, true)));
    browser.until("m220.survey.rows.length > 1");
    browser.evaluate("document.getElementById('survey-stop').click()");
    browser.until("document.getElementById('survey-stop').hidden");
    assert_eq!(browser.evaluate("m220.survey.rows.length > 1 && m220.survey.rows.length < 81"), true);
    assert_eq!(browser.evaluate("m220.survey.rows[0].m220_seconds > 0"), true);
    browser.evaluate("document.getElementById('survey').close()");
    assert!(browser.errors.is_empty(), "{:?}", browser.errors);
}

/// One file, opened from the disk: it requests nothing else.
#[test]
fn the_laboratory_is_one_file() {
    let Some((file, mut browser)) = built("m220-laboratory.html") else { return };
    let address = format!("file://{}", file.display());
    browser.open(&address);
    king_in(&mut browser);
    shared_in(&mut browser, &address);
    let outside: Vec<&String> = browser
        .requests
        .iter()
        .filter(|request| !["file:", "data:", "blob:", "about:"].iter().any(|own| request.starts_with(own)))
        .collect();
    assert!(outside.is_empty(), "{outside:?}");
    takes_and_gives_files(&mut browser);
    saves_a_replay(&mut browser);
}

/// Does in a chapter what its tasks ask, machine by machine; returns how many tasks there were. A machine begins in view
/// and pauses out of view, and no task is done before the machine has done it.
const CHAPTER: &str = r#"(async () => {
  const until = async (what, holds) => {
    for (const end = performance.now() + 60_000; !holds(); await new Promise((again) => setTimeout(again, 20))) {
      if (performance.now() > end) throw new Error(`never: ${what}`);
    }
  };
  const not = (what, holds) => { if (holds) throw new Error(`too early: ${what}`); };
  document.body.style.paddingBottom = "300vh";
  let tasks = 0;
  for (const figure of document.querySelectorAll(".machine")) {
    const machine = figure.querySelector("m220-machine");
    const heard = [];
    const passed = new Set();
    machine.addEventListener("step", ({ detail }) => passed.add(detail.instructions));
    for (const name of ["step", "running", "paused", "chosen"]) {
      machine.addEventListener(name, ({ detail }) => heard.push([name, detail.instructions]));
    }
    const has = (name, value) => heard.some((event) => event[0] === name && (value === undefined || event[1] === value));
    const after = async (name, act) => {
      heard.length = 0;
      act();
      await until(name, () => has(name));
    };
    const frame = machine.shadowRoot.querySelector("iframe");
    not("a machine out of view", figure.getBoundingClientRect().top > innerHeight && frame.src !== "");
    machine.scrollIntoView({ block: "center" });
    await until("ready", () => frame.contentWindow?.document?.documentElement?.dataset.ready === "true");
    const page = frame.contentWindow;
    const source = page.m220.page.source;
    machine.pause();
    await until("paused", () => !source.state.running && !machine.running);
    // On a slow host it may have come to its end by now, where it would not play on.
    if (source.frame?.phase === "ended") {
      machine.seek(0);
      await until("begin", () => source.frame?.phase !== "ended");
    }
    if (source.kind === "replay" || !page.document.getElementById("setup").open) {
      await after("running", () => machine.play());
      await after("paused", () => scrollTo(0, document.body.scrollHeight));
      await after("running", () => machine.scrollIntoView({ block: "center" }));
      await after("paused", () => machine.pause());
    }
    const asked = page.document.querySelector("dialog[open] [name=program]");
    not("the machine of another question", asked !== null && page.m220.source.loaded.task !== asked.value);
    for (const task of figure.querySelectorAll("[data-task]")) {
      tasks += 1;
      const [what, ...rest] = task.dataset.task.split(" ");
      const wanted = rest.join(" ");
      const isDone = () => "done" in task.dataset;
      if (what === "halt") {
        not(task.textContent, isDone());
        source.speed = Infinity;
        machine.play();
      } else if (what === "back") {
        not(task.textContent, isDone());
        machine.step(-1);
      } else if (what === "at") {
        const at = Number(wanted);
        machine.seek(at - 1);
        await until(`at ${at - 1}`, () => has("step", at - 1));
        // The machine may have been seen there as it ran.
        not(task.textContent, isDone() && !passed.has(at));
        machine.step(1);
      } else if (what === "row") {
        await until("rows", () => page.document.querySelector(".found li button") !== null);
        const rows = [...page.document.querySelectorAll(".found li button")];
        await after("chosen", () => rows.find((row) => !row.textContent.includes(wanted)).click());
        not(task.textContent, isDone());
        rows.find((row) => row.textContent.includes(wanted)).click();
      } else if (what === "answer") {
        await until("an answer", () => page.document.querySelector(".answer .headline") !== null);
        not(task.textContent, isDone());
        const { turn, ask } = page.document.querySelector("dialog[open] form").elements;
        turn.value = "b";
        turn.onchange();
        ask.click();
      } else throw new Error(`no such task: ${what}`);
      await until(task.textContent, isDone);
    }
    const setup = page.document.getElementById("setup");
    if (setup.open) {
      setup.querySelector("[value=close]").click();
      await until("the form closed", () => !setup.open);
    }
  }
  return tasks;
})()"#;

/// Every chapter does what it asks, on a telephone in one language and on a desk in the other; axe-core finds nothing.
#[test]
fn every_chapter_does_what_it_asks() {
    let Some((site, mut browser)) = built("site") else { return };
    let address = hosted(&site);
    let axe = fs::read_to_string(crate::browser::door::AXE).ok();
    let mut chapters = [Vec::new(), Vec::new()];
    for (language, names) in ["en", "ru"].into_iter().zip(&mut chapters) {
        for entry in fs::read_dir(site.join("essay").join(language)).unwrap() {
            let path = entry.unwrap().path();
            names.push(path.file_name().unwrap().to_str().unwrap().to_owned());
            let page = fs::read_to_string(&path).unwrap();
            assert!(page.contains("<noscript>"), "{}", path.display());
            for link in
                page.split("href=\"").chain(page.split("src=\"")).skip(1).filter_map(|rest| rest.split('"').next())
            {
                let target = link.split('#').next().unwrap();
                let is_page = target.ends_with(".html");
                assert!(!is_page || path.parent().unwrap().join(target).exists(), "{}: {link}", path.display());
            }
        }
        names.sort();
    }
    assert_eq!(chapters[0], chapters[1]);
    assert_eq!(chapters[0].len(), 8);
    for (language, width, height) in [("en", 390, 844), ("ru", 1400, 900)] {
        browser.resize(width, height);
        let mut tasks = 0;
        for name in &chapters[0] {
            browser.visit(&format!("{address}essay/{language}/{name}"));
            browser.until("document.querySelector('m220-machine')?.shadowRoot?.querySelector('iframe') != null");
            assert_eq!(browser.evaluate("document.documentElement.scrollWidth <= innerWidth"), true, "{name} {width}");
            tasks += browser.evaluate(CHAPTER).as_u64().unwrap();
            if let Some(axe) = &axe {
                browser.evaluate(&format!("{axe}; true"));
                assert_eq!(browser.evaluate(crate::browser::door::VIOLATIONS), json!([]), "{language}, {name}");
            }
        }
        assert!(tasks >= 4, "{tasks} tasks");
    }
    assert!(browser.errors.is_empty(), "{:?}", browser.errors);
}

/// The element in a foreign page: one machine runs at a time and not out of view, what happens is told as events, and a
/// damaged link is told in its place.
#[test]
fn the_element_stands_in_any_page() {
    let Some((script, mut browser)) = built("m220-machine.js") else { return };
    let folder = tempfile::tempdir().unwrap();
    let page = format!(
        "<!doctype html><title>foreign</title><style>m220-machine {{ height: 110vh !important; }}</style><p>A page of somebody.</p>\
         <m220-machine id=king start=king panels=board,lamps watch=0200 speed=0.00001></m220-machine>\
         <m220-machine id=knight start=knight panels=core></m220-machine>\
         <m220-machine id=damaged share=AAAA lang=ru></m220-machine>\
         <script>globalThis.heard = []; for (const machine of document.querySelectorAll('m220-machine')) \
         for (const name of ['ready', 'running', 'paused', 'halt', 'step', 'error']) machine.addEventListener(name, \
         ({{ detail }}) => heard.push([machine.id, name, detail]));</script><script src='file://{}'></script>",
        script.display()
    );
    let file = folder.path().join("foreign.html");
    fs::write(&file, page).unwrap();
    browser.visit(&format!("file://{}", file.display()));
    let heard = |id: &str, name: &str| format!("heard.some(([id, name]) => id === '{id}' && name === '{name}')");
    // It plays by itself; the knight below is watched to its end.
    browser.until(&heard("king", "running"));
    // At its own speed, an instruction in some four seconds.
    browser.evaluate("new Promise((resolve) => setTimeout(resolve, 1000))");
    let seen = "heard.filter(([id, name]) => id === 'king' && name === 'step').every(([, , detail]) => detail.instructions < 9)";
    assert_eq!(browser.evaluate(seen), true);
    browser.evaluate("king.step(1e6)");
    browser.until(&heard("king", "halt"));
    // The other ones are not in view, and have not begun.
    assert_eq!(browser.evaluate(&heard("knight", "ready")), false);
    let end = browser.evaluate("heard.find(([id, name]) => id === 'king' && name === 'halt')[2]");
    assert_eq!((&end["reason"], end["cells"].as_array().map(Vec::len)), (&json!("halt"), Some(1)));
    browser.evaluate("heard.length = 0; king.step(-1)");
    browser.until(&format!(
        "heard.some(([id, name, detail]) => name === 'step' && detail.instructions === {})",
        end["instructions"].as_u64().unwrap() - 1
    ));
    browser.evaluate("heard.length = 0; king.seek(5)");
    browser.until("heard.some(([id, name, detail]) => name === 'step' && detail.instructions === 5)");
    browser.evaluate("damaged.scrollIntoView()");
    browser.until(&heard("damaged", "error"));
    let told = browser.evaluate("heard.find(([id, name]) => id === 'damaged' && name === 'error')[2].message");
    assert!(told.as_str().unwrap().contains("испорчена"), "{told}");
    browser.evaluate("knight.scrollIntoView()");
    browser.until(&heard("knight", "halt"));
    // Both in view, the second to start stops the first.
    browser.evaluate(
        "for (const machine of [king, knight]) machine.style.setProperty('height', '45vh', 'important'); \
         scrollTo(0, 0); heard.length = 0; king.seek(0); king.play()",
    );
    browser.until(&heard("king", "running"));
    browser.evaluate("heard.length = 0; knight.seek(0); knight.play()");
    browser.until(&format!("{} && {}", heard("knight", "running"), heard("king", "paused")));
    assert_eq!(browser.evaluate(&heard("king", "halt")), false);
    assert!(browser.requests.iter().all(|url| !url.starts_with("http")), "{:?}", browser.requests);
    assert!(browser.errors.is_empty(), "{:?}", browser.errors);
}

/// The site works under any path of a host of static files.
#[test]
fn the_site_works_under_a_path() {
    let Some((folder, mut browser)) = built("site") else { return };
    let prefix = hosted(&folder);
    let page = format!("{prefix}index.html");
    browser.open(&page);
    king_in(&mut browser);
    tasks_in(&mut browser);
    files_in(&mut browser);
    game_in(&mut browser);
    whole_games_in(&mut browser, &page);
    survey_in(&mut browser);
    editor_in(&mut browser);
    let outside: Vec<&String> = browser
        .requests
        .iter()
        .filter(|request| {
            request.starts_with("http") && !request.starts_with(&prefix) && !request.ends_with("/favicon.ico")
        })
        .collect();
    assert!(outside.is_empty(), "{outside:?}");
    takes_and_gives_files(&mut browser);
    saves_a_replay(&mut browser);
}

/// Serves a folder under some path; returns its address.
fn hosted(folder: &std::path::Path) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let host = listener.local_addr().unwrap();
    let folder = folder.to_owned();
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let folder = folder.clone();
            std::thread::spawn(move || serve(stream, &folder));
        }
    });
    format!("http://{host}/some/where/")
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
