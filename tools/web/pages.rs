//! Writes the pages that bring their machine along: a folder `site` of static files and one file, `m220-laboratory.html`.
//!
//! `web-pages MODULE.wasm FOLDER`; `tools/web/build` makes the module and runs this.

use m220_console::page;
use std::error::Error;
use std::fs;
use std::num::NonZeroU64;
use std::path::Path;
use zopfli::{Format, Options};

/// The largest module, deflated, and the largest page, in bytes: what is sent to a visitor, and what can be mailed.
const LARGEST_MODULE: usize = 900_000;
const LARGEST_PAGE: usize = 3_000_000;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [module, folder] = arguments.as_slice() else { return Err("expected MODULE.wasm FOLDER".into()) };
    let module = fs::read(module).map_err(|error| format!("{module}: {error}"))?;
    let packed = packed(&module)?;
    println!("module: {} bytes, {} deflated", module.len(), packed.len());
    if packed.len() > LARGEST_MODULE {
        return Err(format!("the module is too large: at most {LARGEST_MODULE} bytes deflated").into());
    }
    let folder = Path::new(folder);
    for (name, content) in page::site(&packed) {
        let path = folder.join("site").join(name);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        fs::write(path, content)?;
    }
    let page = page::laboratory(&packed);
    println!("m220-laboratory.html: {} bytes", page.len());
    if page.len() > LARGEST_PAGE {
        return Err(format!("the page is too large: at most {LARGEST_PAGE} bytes").into());
    }
    fs::write(folder.join("m220-laboratory.html"), page)?;
    Ok(())
}

/// The module deflated as small as a few seconds allow: it is packed once and sent to every visitor.
fn packed(module: &[u8]) -> std::io::Result<Vec<u8>> {
    let options = Options { iteration_count: NonZeroU64::MIN.saturating_add(4), ..Options::default() };
    let mut packed = Vec::new();
    zopfli::compress(options, Format::Deflate, module, &mut packed)?;
    Ok(packed)
}
