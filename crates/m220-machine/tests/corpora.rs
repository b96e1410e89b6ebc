//! Replays the inputs in the fuzzing corpus.

#[path = "../fuzz/properties.rs"]
mod properties;

#[test]
fn cores() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/corpus/run_any_core");
    let inputs = std::fs::read_dir(folder).unwrap().map(|entry| std::fs::read(entry.unwrap().path()).unwrap());
    assert!(inputs.inspect(|bytes| properties::any_core(bytes)).count() >= 50);
}
