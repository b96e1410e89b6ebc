//! The page: the same modules, served or embedded in one file.
//!
//! The modules import each other as `m220/NAME.js`; an import map resolves these names. When served, they are files of
//! the server; in a replay they are `data:` URLs within the page, which therefore needs nothing from outside.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use m220_panel::PIECES;
use m220_panel::recorder::Recording;
use std::io::{self, Write};

/// One file of the front end.
#[derive(Clone, Copy, Debug)]
pub struct Asset {
    /// Its name.
    pub name: &'static str,
    /// Its content.
    pub text: &'static str,
}

macro_rules! assets {
    ($($name:literal),* $(,)?) => {
        [$(Asset { name: $name, text: include_str!(concat!("../page/", $name)) }),*]
    };
}

/// The modules of the front end.
pub const MODULES: [Asset; 49] = assets![
    "main.js",
    "words.js",
    "state.js",
    "recording.js",
    "replay.js",
    "live.js",
    "backend.js",
    "server.js",
    "resident.js",
    "controls.js",
    "lamps.js",
    "listing.js",
    "core.js",
    "board.js",
    "pieces.js",
    "tables.js",
    "view.js",
    "paper.js",
    "console.js",
    "setup.js",
    "dom.js",
    "embed.js",
    "explain.js",
    "find.js",
    "game.js",
    "settings.js",
    "text.js",
    "text-en.js",
    "text-ru.js",
    "tour.js",
    "units.js",
    "squares.js",
    "answer.js",
    "share.js",
    "sharing.js",
    "play.js",
    "survey.js",
    "editor.js",
    "exercises.js",
    "kept.js",
    "parts.js",
    "reference.js",
    "replay-page.js",
    "door.js",
    "drawing.js",
    "next.js",
    "starts.js",
    "story.js",
    "tabs.js",
];

/// The worker of a page without a server; it is no module.
pub const WORKER: Asset = Asset { name: "worker.js", text: include_str!("../page/worker.js") };

/// What unpacks the module of a page of one file; it stands before the worker's text.
const LZMA: &str = include_str!("../page/lzma.js");

/// The style sheet.
pub const STYLE: Asset = Asset { name: "style.css", text: include_str!("../page/style.css") };

const SKELETON: &str = include_str!("../page/page.html");

/// The policy of a replay: nothing is loaded from outside the page. Replays saved by the page use the same.
const REPLAY_POLICY: &str = "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'";

/// The policy of a page that brings its machine along: nothing comes from elsewhere. Its own scripts are marked;
/// anything that a hostile address might smuggle in is not.
const LABORATORY_POLICY: &str =
    "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data: blob:; worker-src 'self' blob:";

/// Escapes a text for HTML.
#[must_use]
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The import map with an address for each module.
pub fn import_map(address: impl Fn(&Asset) -> String) -> String {
    let imports: serde_json::Map<String, serde_json::Value> =
        MODULES.iter().map(|module| (format!("m220/{}", module.name), address(module).into())).collect();
    serde_json::json!({ "imports": imports }).to_string()
}

/// The text of a script or a style sheet without indentation and the lines that are comments alone, which the repository keeps. No text
/// within it goes over several lines.
fn bare(text: &str) -> String {
    let mut is_comment = false;
    let code = text.lines().map(str::trim_start).filter(|line| {
        let begins = line.starts_with("/*");
        let is_code = !begins && !is_comment && !line.starts_with("//");
        is_comment = (begins || is_comment) && !line.contains("*/");
        is_code
    });
    code.collect::<Vec<_>>().join("\n")
}

/// The style sheet without what no browser reads; no text in it has these signs.
fn bare_style() -> String {
    let spaced = [": ", "; ", ", ", " { ", " }"];
    spaced.iter().fold(bare(STYLE.text), |style, sign| style.replace(sign, sign.trim()))
}

/// A module as an address that holds it, for pages of one file. Its text stays text, which packs better than base64:
/// only what ends an address, a line or a script is written by its number.
fn within(module: &str) -> String {
    let text = bare(module).replace('%', "%25").replace('#', "%23").replace('<', "%3C").replace('\n', "%0A");
    format!("data:text/javascript,{text}")
}

/// Packs bytes for the page: deflate without a header.
fn deflated(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut to = DeflateEncoder::new(Vec::new(), Compression::best());
    to.write_all(bytes)?;
    to.finish()
}

/// A recording as one page. As in the other pages, `maker` names the program that makes it, with version and commit.
///
/// # Errors
/// If packing fails.
pub fn replay(title: &str, maker: &str, recording: &Recording) -> io::Result<String> {
    let map = import_map(|module| within(module.text));
    let header = STANDARD.encode(deflated(&recording.header)?);
    let frames = STANDARD.encode(deflated(&recording.frames)?);
    let data = format!(
        "<script type=\"application/octet-stream\" id=\"recording-header\">{header}</script>\n\
         <script type=\"application/octet-stream\" id=\"recording-frames\">{frames}</script>"
    );
    let parts = PageParts {
        policy: format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{REPLAY_POLICY}\">"),
        maker: escaped(maker),
        title: escaped(title),
        style: format!("<style>\n{}</style>", bare_style()),
        modules: format!("<script type=\"importmap\">{map}</script>"),
        data,
        main: "<script type=\"module\">import \"m220/main.js\";</script>".to_owned(),
    };
    Ok(parts.page())
}

/// The parts of a replay's recording, as its page has them: packed, in base64.
#[derive(Clone, Copy, Debug)]
pub struct PackedRecording<'p> {
    /// The description and the run.
    pub header: &'p str,
    /// The frames.
    pub frames: &'p str,
}

impl PackedRecording<'_> {
    /// The recording of a page that [`replay`] made; none if the page has none.
    #[must_use]
    pub fn of(page: &str) -> Option<PackedRecording<'_>> {
        let part = |name: &str| {
            let begun = page.split_once(&format!("id=\"recording-{name}\">"))?.1;
            Some(begun.split_once("</script>")?.0)
        };
        Some(PackedRecording { header: part("header")?, frames: part("frames")? })
    }
}

/// A page that brings its machine along, as one file: the module, packed as an `.lzma` file, the worker and the recorded
/// Experiment are data within it.
#[must_use]
pub fn laboratory(module: &[u8], experiment: Option<PackedRecording<'_>>, maker: &str) -> String {
    let map = import_map(|module| within(module.text));
    let recorded = experiment.map_or(String::new(), |experiment| {
        format!(
            "\n<script type=\"application/octet-stream\" id=\"experiment-header\">{}</script>\n\
             <script type=\"application/octet-stream\" id=\"experiment-frames\">{}</script>",
            experiment.header, experiment.frames
        )
    });
    let data = format!(
        "<span id=\"machine\" hidden></span>\n\
         <script type=\"application/octet-stream\" id=\"machine-module\">{}</script>\n\
         <script type=\"application/octet-stream\" id=\"machine-worker\">{}</script>{recorded}",
        STANDARD.encode(module),
        bare(&[LZMA, WORKER.text].concat()),
    );
    let policy =
        format!("{LABORATORY_POLICY}; script-src 'nonce-m220' 'wasm-unsafe-eval' data: blob:; style-src 'nonce-m220'");
    let parts = PageParts {
        policy: format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">"),
        maker: escaped(maker),
        title: "M-220".to_owned(),
        style: format!("<style nonce=\"m220\">\n{}</style>", bare_style()),
        modules: format!("<script type=\"importmap\" nonce=\"m220\">{map}</script>"),
        data,
        main: "<script type=\"module\" nonce=\"m220\">import \"m220/main.js\";</script>".to_owned(),
    };
    parts.page()
}

/// The script of the element `<m220-machine>` for other pages: with the page that it shows inside it, or without it, for
/// those that stand beside a laboratory.
#[must_use]
pub fn element(page: Option<&str>) -> String {
    let page = serde_json::Value::from(in_latin(page.unwrap_or_default())).to_string().replace("</", "<\\/");
    // Another page's encoding may be any: what is not ASCII is written by its number.
    let mut text = String::with_capacity(page.len());
    for sign in page.chars() {
        if sign.is_ascii() { text.push(sign) } else { text.extend(sign.escape_unicode()) }
    }
    include_str!("../page/element.js").replace("\"@PAGE@\"", &text)
}

/// Runs of Cyrillic letters as signs of ASCII, each begun and ended by DELETE: by their numbers they would be twice as
/// long, packed. The element's script turns them back.
fn in_latin(text: &str) -> String {
    let (mut latin, mut is_run) = (String::with_capacity(text.len()), false);
    for sign in text.chars() {
        let is_letter = matches!(sign, 'А'..='я');
        if is_letter && !is_run || is_run && matches!(sign, '?'..='~') {
            latin.push('\x7f');
            is_run = !is_run;
        }
        let place = u32::from(sign).wrapping_sub(u32::from('А'));
        let letter = u8::try_from(place).ok().filter(|_| is_letter);
        latin.push(letter.map_or(sign, |place| char::from(b'?' + place)));
    }
    latin
}

/// The same as the files of a site, by their names. Their addresses are relative, so it works under any path of any
/// host of static files. The module is deflated, which a browser unpacks while it comes.
///
/// # Errors
/// If packing fails.
pub fn site(module: &[u8], experiment: PackedRecording<'_>, maker: &str) -> io::Result<Vec<(String, Vec<u8>)>> {
    let map = import_map(|module| format!("./assets/{}", module.name));
    let policy = format!(
        "{LABORATORY_POLICY}; script-src 'self' 'nonce-m220' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'"
    );
    let parts = PageParts {
        policy: format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">"),
        maker: escaped(maker),
        title: "M-220".to_owned(),
        style: format!("<link rel=\"stylesheet\" href=\"assets/{}\">", STYLE.name),
        modules: format!("<script type=\"importmap\" nonce=\"m220\">{map}</script>"),
        data: "<span id=\"machine\" hidden data-module=\"assets/m220.wasm.deflate\" data-worker=\"assets/worker.js\"></span>\n\
               <span id=\"experiment-header\" hidden data-from=\"assets/experiment-header.txt\"></span>\n\
               <span id=\"experiment-frames\" hidden data-from=\"assets/experiment-frames.txt\"></span>"
            .to_owned(),
        main: "<script type=\"module\" src=\"assets/main.js\"></script>".to_owned(),
    };
    let texts = MODULES.into_iter().chain([STYLE, WORKER]);
    let mut files: Vec<(String, Vec<u8>)> =
        texts.map(|asset| (format!("assets/{}", asset.name), asset.text.as_bytes().to_vec())).collect();
    files.push(("assets/m220.wasm.deflate".to_owned(), deflated(module)?));
    files.push(("assets/experiment-header.txt".to_owned(), experiment.header.into()));
    files.push(("assets/experiment-frames.txt".to_owned(), experiment.frames.into()));
    files.push(("index.html".to_owned(), parts.page().into_bytes()));
    Ok(files)
}

/// The page as sent by the server: its modules and styles are files of the server.
#[must_use]
pub fn served(nonce: &str, maker: &str) -> String {
    let map = import_map(|module| format!("/assets/{}", module.name));
    let parts = PageParts {
        policy: String::new(),
        maker: escaped(maker),
        title: "M-220".to_owned(),
        style: format!("<link rel=\"stylesheet\" href=\"/assets/{}\">", STYLE.name),
        modules: format!("<script type=\"importmap\" nonce=\"{nonce}\">{map}</script>"),
        data: String::new(),
        main: "<script type=\"module\" src=\"/assets/main.js\"></script>".to_owned(),
    };
    parts.page()
}

/// The parts that differ between a replay and the page of the server.
struct PageParts {
    policy: String,
    maker: String,
    title: String,
    style: String,
    modules: String,
    data: String,
    main: String,
}

impl PageParts {
    fn page(&self) -> String {
        let parts = [
            ("<!-- POLICY -->", self.policy.as_str()),
            ("<!-- MAKER -->", self.maker.as_str()),
            ("<!-- TITLE -->", self.title.as_str()),
            ("<!-- STYLE -->", self.style.as_str()),
            ("<!-- MODULES -->", self.modules.as_str()),
            ("<!-- PIECES -->", PIECES),
            ("<!-- DATA -->", self.data.as_str()),
            ("<!-- MAIN -->", self.main.as_str()),
        ];
        filled_in(&bare(SKELETON), parts)
    }
}

/// A page with its parts in their places, which come in this order. Only the skeleton is searched for placeholders: a
/// title may look like one.
#[must_use]
pub fn filled_in<'a>(skeleton: &str, parts: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let (mut page, mut rest) = (String::new(), skeleton);
    for (place, part) in parts {
        let (before, after) = rest.split_once(place).unwrap_or((rest, ""));
        page.push_str(before);
        page.push_str(part);
        rest = after;
    }
    page.push_str(rest);
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No file of the front end names an outside address: the SVG namespace is never fetched, and `url(#` is within.
    #[test]
    fn nothing_comes_from_outside() {
        let [skeleton, lzma] = [("page.html", SKELETON), ("lzma.js", LZMA)].map(|(name, text)| Asset { name, text });
        for Asset { name, text } in MODULES.into_iter().chain([STYLE, WORKER, skeleton, lzma]) {
            let rest = text.replace("http://www.w3.org/2000/svg", "");
            for outside in ["http:", "https:", "//cdn", "url(", "@import"] {
                assert!(!rest.replace("url(#", "").contains(outside), "{name}: {outside}");
            }
        }
    }

    /// Every module that another one imports is in the list, and every module of the list is imported.
    #[test]
    fn modules_are_complete() {
        let imported: std::collections::BTreeSet<&str> = MODULES
            .iter()
            .flat_map(|module| module.text.split("\"m220/").skip(1).filter_map(|rest| rest.split('"').next()))
            .chain(["main.js"])
            .collect();
        let listed: std::collections::BTreeSet<&str> = MODULES.iter().map(|module| module.name).collect();
        assert_eq!(imported, listed);
    }

    /// The script of the element can stand in a page of any encoding, even within its text.
    #[test]
    fn the_element_is_ascii() {
        let script = element(Some("<p>«Пешка»</p></script>"));
        assert!(script.is_ascii());
        let page = "\"<p>\\u{ab}\x7fNdwi_\\u{bb}<\\/\x7fp><\\/script>\"";
        assert!(script.contains(page), "{script}");
    }

    /// A replay saved by the page is as closed as one written by the program.
    #[test]
    fn replays_have_one_policy() {
        let saved = MODULES.into_iter().find(|module| module.name == "replay-page.js").unwrap();
        assert!(saved.text.contains(&format!("{REPLAY_POLICY:?}")));
    }

    /// A title that looks like HTML is text.
    #[test]
    fn titles_are_text() {
        let recording = Recording { header: b"{}".to_vec(), frames: Vec::new(), frame_count: 0 };
        let page = replay("<script>alert(1)</script>", "m220", &recording).unwrap();
        assert!(page.contains("<title>&lt;script&gt;alert(1)&lt;/script&gt;</title>"));
    }
}
