//! Replays the inputs in the fuzzing corpora.

#[path = "../fuzz/properties.rs"]
mod properties;

use std::path::Path;

/// Runs `property` on every file of a corpus.
fn replay(corpus: &str, property: impl Fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(corpus);
    let mut count = 0;
    for entry in std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        property(&std::fs::read(entry.unwrap().path()).unwrap());
        count += 1;
    }
    assert!(count >= 50, "{corpus}: only {count} inputs");
}

#[test]
fn texts() {
    replay("assemble_text", |bytes| {
        if let Ok(text) = std::str::from_utf8(bytes) {
            properties::any_text(text);
        }
    });
}

#[test]
fn images() {
    replay("load_image", properties::any_image);
}
