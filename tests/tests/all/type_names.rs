//! No two types of the workspace share a name, so that a name in a message, a comment or a search means one thing. The
//! exception is `Args`, as clap's users call the options of each command.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.extension() {
            _ if path.is_dir() => sources(&path, found),
            Some(extension) if extension == "rs" => found.push(path),
            _ => {}
        }
    }
}

/// The type that a line declares; associated types (`type Item = ...` in a trait) are none.
fn declared(line: &str) -> Option<&str> {
    let words: Vec<&str> = line.split_whitespace().skip_while(|word| word.starts_with("pub")).collect();
    let [kind, name, ..] = words[..] else { return None };
    let declares = matches!(kind, "struct" | "enum" | "trait" | "union") || kind == "type" && !line.starts_with(' ');
    let name = name.split(|c: char| !c.is_alphanumeric()).next()?;
    (declares && !name.is_empty()).then_some(name)
}

#[test]
fn type_names_are_unique() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut files = Vec::new();
    for folder in ["tests", "tools"] {
        sources(&root.join(folder), &mut files);
    }
    for crate_ in fs::read_dir(root.join("crates")).unwrap() {
        sources(&crate_.unwrap().path().join("src"), &mut files);
    }
    let mut places = BTreeMap::<String, Vec<&Path>>::new();
    for file in &files {
        for name in fs::read_to_string(file).unwrap().lines().filter_map(declared) {
            places.entry(name.to_owned()).or_default().push(file.strip_prefix(root).unwrap());
        }
    }
    assert!(places["Args"].len() > 1 && places["Verdict"].len() == 1, "the sources are read");
    places.retain(|name, places| places.len() > 1 && name != "Args");
    assert!(places.is_empty(), "declared more than once: {places:#?}");
}
