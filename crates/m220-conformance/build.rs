//! Lists the case files, so that a new file in `cases` needs no other change.

use std::error::Error;
use std::fmt::Write;
use std::path::PathBuf;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=cases");
    let folder = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("cases");
    let mut names = Vec::new();
    for entry in fs::read_dir(&folder)? {
        let name = entry?.file_name().into_string().map_err(|_| "a file name that is not Unicode")?;
        names.extend(name.strip_suffix(".txt").map(str::to_owned));
    }
    names.sort();
    let mut list = "&[\n".to_owned();
    for name in names {
        writeln!(list, "    ({name:?}, include_str!({:?})),", folder.join(format!("{name}.txt")))?;
    }
    list.push_str("]\n");
    Ok(fs::write(PathBuf::from(env::var("OUT_DIR")?).join("cases.rs"), list)?)
}
