//! Assembles the programs: every text of this folder that no other text includes.

use m220_asm::{Disk, assemble, elf};
use m220_isa::Model;
use std::error::Error;
use std::fmt::Write;
use std::path::PathBuf;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=.");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let texts = texts_of(".", "m220")?;
    let included = |file: &str| {
        let line = format!("include \"{file}\"");
        texts.iter().any(|(_, text)| text.lines().any(|written| written.trim_start().starts_with(&line)))
    };
    // Statics: a constant's content would be in the binary once for each place that uses it.
    let mut images =
        "/// The images by their names, in alphabetical order.\npub static IMAGES: &[(&str, &[u8])] = &[\n".to_owned();
    for (file, _) in texts.iter().filter(|(file, _)| !included(file)) {
        let name = file.trim_end_matches(".m220");
        let mut assembly =
            assemble(file, &Disk::new(file, &[]), Model::M220).map_err(|diagnostics| diagnostics.render(false))?;
        // Several programs include the same texts, which are stored once.
        assembly.image.files.iter_mut().for_each(|file| file.text.clear());
        let path = out.join(name).with_extension("elf");
        fs::write(&path, elf::write(&assembly.image))?;
        writeln!(images, "    ({name:?}, include_bytes!({path:?})),")?;
    }
    images.push_str("];\n\n/// All source texts by the names of their files, in alphabetical order.\npub static TEXTS: &[(&str, &str)] = &[\n");
    for (file, text) in &texts {
        writeln!(images, "    ({file:?}, {text:?}),")?;
    }
    images.push_str("];\n\n/// The texts of the example programs, by the names of their files, in alphabetical order.\npub static EXAMPLES: &[(&str, &str)] = &[\n");
    for (file, text) in texts_of("examples", "m220")? {
        writeln!(images, "    ({file:?}, {text:?}),")?;
    }
    images.push_str("];\n\n/// The exercises, by the names of their files, in their order.\npub static EXERCISES: &[(&str, &str)] = &[\n");
    for (file, text) in texts_of("lessons", "txt")? {
        writeln!(images, "    ({file:?}, {text:?}),")?;
    }
    images.push_str("];\n");
    Ok(fs::write(out.join("images.rs"), images)?)
}

/// The texts of a folder whose names end so, by name.
fn texts_of(folder: &str, ending: &str) -> Result<Vec<(String, String)>, Box<dyn Error>> {
    let mut texts = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == ending) {
            let file = path.file_name().and_then(|name| name.to_str()).ok_or("a file name that is not Unicode")?;
            texts.push((file.to_owned(), fs::read_to_string(&path)?));
        }
    }
    texts.sort();
    Ok(texts)
}
