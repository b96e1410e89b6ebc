//! Faulty sources and their diagnostics: one snapshot for each file in `tests/gallery`.

use m220_asm::{Loader, assemble};
use m220_isa::Model;
use m220_sentence::Sentence;
use std::path::Path;

/// Loads files of the gallery by their bare names, so that no path of the host gets into a snapshot.
struct Gallery<'a>(&'a Path);

impl Loader for Gallery<'_> {
    fn load(&self, name: &str) -> Result<String, Sentence> {
        std::fs::read_to_string(self.0.join(name)).map_err(|_| "there is no such file".into())
    }
}

#[test]
fn each_wrong_source_is_told_what_to_do() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gallery");
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".m220"))
        .collect();
    names.sort();
    assert!(names.len() >= 25, "the gallery has shrunk to {}", names.len());
    for name in names {
        let told = match assemble(&name, &Gallery(&folder), Model::M220) {
            Ok(program) => program.warnings,
            Err(diagnostics) => diagnostics,
        };
        assert!(!told.list.is_empty(), "{name}: nothing is said about it");
        for line in told.brief().lines() {
            assert!(line.starts_with(&format!("{name}:")), "{name}: no place in `{line}`");
        }
        insta::with_settings!({
            snapshot_path => "gallery",
            prepend_module_to_snapshot => false,
            omit_expression => true,
        }, {
            insta::assert_snapshot!(name.trim_end_matches(".m220"), told.render(false));
        });
    }
}
