//! Writes the pages that bring their machine along: a folder `site` of static files, one file, `m220-laboratory.html`, and
//! the script of the element `<m220-machine>` with its engine, `m220-machine.js`.
//!
//! `web-pages MODULE.wasm FOLDER`; `tools/web/build` makes the module and runs this.

#[path = "essay.rs"]
mod essay;

use flate2::Compression;
use flate2::write::GzEncoder;
use lzma_rust2::{LzmaOptions, LzmaWriter};
use m220_console::page::{self, PackedRecording};
use std::error::Error;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;

/// The largest packed module, script of the element by gzip, and page, in bytes: with all engines and the words of all
/// answers in two languages, what another page asks of its visitors, and what can be mailed.
const LARGEST_MODULE: usize = 950_000;
const LARGEST_ELEMENT: usize = 1_050_000;
const LARGEST_PAGE: usize = 2_100_000;
const LARGEST_RECORDING: usize = 500_000;

/// The head of the site's page, which has the essay beside it.
const ESSAY_BESIDE: &str = "<head>\n<meta name=\"essay\" content=\"essay/\">";

/// The recorded run of the Experiment, which the page shows.
const EXPERIMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../m220-cli/docs/recordings/experiment.html");

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [module, folder] = arguments.as_slice() else { return Err("expected MODULE.wasm FOLDER".into()) };
    let module = fs::read(module).map_err(|error| format!("{module}: {error}"))?;
    let packed = packed(&module)?;
    println!("module: {} bytes, {} packed", module.len(), packed.len());
    if packed.len() > LARGEST_MODULE {
        return Err(format!("the module is too large: at most {LARGEST_MODULE} bytes packed").into());
    }
    let recorded = fs::read_to_string(EXPERIMENT).map_err(|error| format!("{EXPERIMENT}: {error}"))?;
    let experiment = PackedRecording::of(&recorded).ok_or("no recording in the page of the Experiment")?;
    let size = experiment.header.len() + experiment.frames.len();
    println!("recording of the Experiment: {size} bytes");
    if size > LARGEST_RECORDING {
        return Err(format!("the recording is too large: at most {LARGEST_RECORDING} bytes").into());
    }
    let maker = maker();
    let folder = Path::new(folder);
    for (name, content) in essay::pages()? {
        let path = folder.join("site").join(name);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        fs::write(path, content)?;
    }
    for (name, content) in page::site(&module, experiment, &maker)? {
        let path = folder.join("site").join(name);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        // The single file has no essay beside it.
        let content = match path.extension().is_some_and(|extension| extension == "html") {
            true => String::from_utf8(content)?.replacen("<head>", ESSAY_BESIDE, 1).into_bytes(),
            false => content,
        };
        fs::write(path, content)?;
    }
    fs::write(folder.join("site/m220-element.js"), page::element(None))?;
    let element = page::element(Some(&page::laboratory(&packed, None, &maker)));
    let mut sent = GzEncoder::new(Vec::new(), Compression::best());
    sent.write_all(element.as_bytes())?;
    let sent = sent.finish()?.len();
    println!("m220-machine.js: {} bytes, {sent} by gzip", element.len());
    if sent > LARGEST_ELEMENT {
        return Err(format!("the element is too large: at most {LARGEST_ELEMENT} bytes by gzip").into());
    }
    fs::write(folder.join("m220-machine.js"), element)?;
    let page = page::laboratory(&packed, Some(experiment), &maker);
    println!("m220-laboratory.html: {} bytes", page.len());
    if page.len() > LARGEST_PAGE {
        return Err(format!("the page is too large: at most {LARGEST_PAGE} bytes").into());
    }
    fs::write(folder.join("m220-laboratory.html"), page)?;
    Ok(())
}

/// Version and commit, as the pages name them.
fn maker() -> String {
    let described =
        Command::new("git").args(["describe", "--always", "--exclude=*", "--abbrev=12", "--dirty=-modified"]).output();
    let commit = described.ok().filter(|output| output.status.success()).map(|output| output.stdout);
    let commit =
        commit.map_or_else(|| "unknown commit".to_owned(), |name| String::from_utf8_lossy(&name).trim().to_owned());
    format!("m220 {} ({commit})", env!("CARGO_PKG_VERSION"))
}

/// The module packed as small as possible in a few seconds, as an `.lzma` file: it is packed once and sent to every
/// visitor. Instructions of WebAssembly have no alignment, so the place within a word says nothing.
fn packed(module: &[u8]) -> std::io::Result<Vec<u8>> {
    let options = LzmaOptions {
        lc: 4,
        pb: 0,
        nice_len: LzmaOptions::NICE_LEN_MAX,
        depth_limit: 1000,
        ..LzmaOptions::with_preset(9)
    };
    let mut to = LzmaWriter::new_use_header(Vec::new(), &options, Some(module.len() as u64))?;
    to.write_all(module)?;
    to.finish()
}
