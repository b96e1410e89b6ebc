//! Measures the page as a visitor meets it: how soon it is there, how fast it runs, how much it asks of the eye. Run
//! with nothing else at work: `tools/web/build`, then `cargo run -p m220-tests --example page-marks`.
//! Prints the least, the median and the most of ten visits, each in a browser of its own.

use m220_tests::browser::{Browser, installed};
use std::error::Error;
use std::fs;
use std::path::Path;

const VISITS: usize = 10;
const PAGE: &str = "target/m220-laboratory.html";

/// What is measured in one visit: its name with the unit, the fragment of the address, and the expression. Those of a
/// fragment are measured one after the other in the same page.
const MARKS: &[(&str, &str, &str)] = &[
    // The first thing that is asked of the page, up to ten milliseconds late.
    ("door ready, ms", "door", "performance.now()"),
    ("first paint of the door, ms", "door", "performance.getEntriesByName('first-contentful-paint')[0].startTime"),
    ("393 listed after Play at full speed, ms", "door", LISTED),
    ("loop, million instructions a second", "door", LOOP),
    ("frames a second at 1/100", "start=king", FRAMES),
    ("controls on the first screen at 1400 px", "start=king", CONTROLS),
];

const LISTED: &str = "(async () => { m220.source.speed = Infinity; const begun = performance.now(); m220.source.play(); \
     while (document.querySelectorAll('.found button').length < 393) await new Promise(requestAnimationFrame); \
     return performance.now() - begun; })()";
const LOOP: &str = "(async () => { const { source } = m220; const files = [{ name: 'a.m220', text: \
     'origin 0100\\nstart a\\na: ADD one, sum, sum\\n JMP 0, a\\none: number 1\\nsum: reserve 1\\n' }]; \
     await source.ask({ do: 'task', task: 'source', question: { root: 'a.m220', files } }); \
     source.speed = Infinity; await source.play(); const wait = (ms) => new Promise((done) => setTimeout(done, ms)); \
     await wait(500); const seen = () => [source.state.instructions, performance.now()]; const [first, from] = seen(); \
     await wait(2000); const [last, to] = seen(); await source.pause(); return (last - first) / (to - from) / 1000; })()";
const FRAMES: &str = "(async () => { m220.source.speed = 0.01; await m220.source.ask({ do: 'restart' }); await m220.source.play(); \
     const wait = (ms) => new Promise((done) => setTimeout(done, ms)); await wait(500); \
     const [pictures, from] = [m220.page.pictures, performance.now()]; await wait(3000); \
     return (m220.page.pictures - pictures) / (performance.now() - from) * 1000; })()";
const CONTROLS: &str = "[...document.querySelectorAll('button, select, input, a, summary')].filter((control) => \
     control.checkVisibility({ visibilityProperty: true }) && control.closest('.found, dialog') === null).length";

fn main() -> Result<(), Box<dyn Error>> {
    let program = installed().ok_or("no chromium in PATH")?;
    let page = Path::new(PAGE).canonicalize().map_err(|error| format!("{PAGE}: {error}; tools/web/build makes it"))?;
    println!("the page as one file, bytes: {}", fs::metadata(&page)?.len());
    let mut found = vec![Vec::new(); MARKS.len()];
    for _ in 0..VISITS {
        let mut browser = Browser::start(&program, 1400, 900);
        let mut at = "";
        for ((_, fragment, expression), values) in MARKS.iter().zip(&mut found) {
            if *fragment != at {
                browser.open(&format!("file://{}#{fragment}", page.display()));
                at = fragment;
            }
            values.push(browser.evaluate(expression).as_f64().unwrap_or(f64::NAN));
        }
    }
    for ((name, ..), values) in MARKS.iter().zip(&mut found) {
        values.sort_by(f64::total_cmp);
        println!("{name}: {:.1} least, {:.1} median, {:.1} most", values[0], values[VISITS / 2], values[VISITS - 1]);
    }
    Ok(())
}
