//! Puts version and commit into `m220 --version`.
#![allow(clippy::disallowed_macros, reason = "cargo reads what a build script prints")]

use std::path::{Path, PathBuf};
use std::process::Command;

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && !text.trim().is_empty()).then(|| text.trim().to_owned())
}

/// Everything that goes into the program, where present: sources and data of all crates, the machine programs, the
/// versions of everything else.
fn ingredients() -> Vec<PathBuf> {
    let mut paths = vec!["../../m220-programs".into(), "../../Cargo.toml".into(), "../../Cargo.lock".into()];
    for folder in std::fs::read_dir("..").into_iter().flatten().flatten() {
        paths.extend(["src", "data", "build.rs", "Cargo.toml"].map(|part| folder.path().join(part)));
    }
    paths.retain(|path: &PathBuf| path.exists());
    paths.sort();
    paths
}

/// Whether an ingredient differs from its committed form. Files unknown to git are ignored.
fn is_modified(ingredients: &[PathBuf]) -> bool {
    let mut arguments = vec!["--no-optional-locks", "status", "--porcelain", "--untracked-files=no", "--"];
    arguments.extend(ingredients.iter().filter_map(|path| path.to_str()));
    git(&arguments).is_some()
}

fn main() {
    let version = std::env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let ingredients = ingredients();
    let commit = match git(&["rev-parse", "--short=12", "HEAD"]) {
        Some(commit) if is_modified(&ingredients) => format!("{commit}-modified"),
        Some(commit) => commit,
        None => "unknown commit".to_owned(),
    };
    println!("cargo::rustc-env=M220_VERSION={version} ({commit})");
    // A changed ingredient rebuilds the program anyway; only then can it become a modified one.
    let watch = |path: &Path| println!("cargo::rerun-if-changed={}", path.display());
    watch(Path::new("build.rs"));
    ingredients.iter().for_each(|path| watch(path));
    // The commit changes when HEAD moves to another branch or the branch gets a commit.
    for file in ["HEAD", "logs/HEAD"] {
        if let Some(path) = git(&["rev-parse", "--path-format=absolute", "--git-path", file]) {
            watch(Path::new(&path));
        }
    }
}
