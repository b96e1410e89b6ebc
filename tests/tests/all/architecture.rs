//! What ARCHITECTURE.md promises of the crates.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The floor of each crate, counted from the top.
fn plan() -> BTreeMap<String, usize> {
    let text = fs::read_to_string(top().join("ARCHITECTURE.md")).unwrap();
    let floors = text.split("```text floors\n").nth(1).unwrap().split("```").next().unwrap();
    let of_line =
        |(floor, line): (usize, &str)| line.split(' ').map(|name| (name.to_owned(), floor)).collect::<Vec<_>>();
    floors.lines().enumerate().flat_map(of_line).collect()
}

/// The names in `[dependencies]` of a crate that stand in the plan.
fn taken(manifest: &Path, plan: &BTreeMap<String, usize>) -> Vec<String> {
    let text = fs::read_to_string(manifest).unwrap();
    let section = text.split("\n[dependencies]\n").nth(1).unwrap_or_default().split("\n[").next().unwrap_or_default();
    let names = section.lines().filter_map(|line| line.split(['.', ' ', '=']).next());
    names.filter(|name| plan.contains_key(*name)).map(str::to_owned).collect()
}

#[test]
fn floors() {
    let plan = plan();
    let mut seen = 0;
    for entry in fs::read_dir(top().join("crates")).unwrap() {
        let folder = entry.unwrap().path();
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        let floor = plan.get(&name).unwrap_or_else(|| panic!("{name} has no floor in ARCHITECTURE.md"));
        for below in taken(&folder.join("Cargo.toml"), &plan) {
            assert!(plan[&below] > *floor, "{name} takes {below}, which is not below it");
        }
        seen += 1;
    }
    // m220-programs stands beside the crates.
    assert_eq!(seen + 1, plan.len());
}

/// A library may have constants, and tables that are the same for everybody; nothing that one call leaves to another. The
/// page's module has one border to JavaScript, and that is all that it has.
#[test]
fn no_state() {
    let mut found = Vec::new();
    let mut waiting = vec![top().join("crates")];
    while let Some(path) = waiting.pop() {
        if path.is_dir() && path.file_name().is_none_or(|name| name != "target" && name != "tests") {
            waiting.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|extension| extension == "rs") && path.iter().any(|part| part == "src") {
            let text = fs::read_to_string(&path).unwrap();
            let changes = ["Mutex<", "RwLock<", "Atomic", "RefCell<", "Cell<"];
            let is_state = |line: &&str| {
                let line = line.trim_start();
                let is_static = ["static ", "pub static ", "pub(crate) static ", "static mut "];
                is_static.iter().any(|begin| line.starts_with(begin)) && changes.iter().any(|name| line.contains(name))
            };
            found.extend(text.lines().filter(is_state).map(|line| format!("{}: {}", path.display(), line.trim())));
        }
    }
    found.retain(|line| !line.contains("m220-web/src/exports.rs"));
    assert_eq!(found, Vec::<String>::new());
}
