//! The suite as files: JSON by machine and operation code, metadata, checksums, and what a reader needs to use them.

use crate::json;
use crate::specification::{Covered, TEXT};
use crate::vector::Vector;
use m220_isa::opcode::rows;
use m220_isa::{Model, OpcodeRow};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The version of the form of the files; it grows when a reader must change.
pub const VERSION: u32 = 1;

/// Files that are the same whatever the cases are.
const FIXED: [(&str, &str); 4] = [
    ("specification.md", TEXT),
    ("README.md", include_str!("../suite/README.md")),
    ("LICENSE", include_str!("../suite/LICENSE")),
    ("run.py", include_str!("../suite/run.py")),
];

/// Cases that were withdrawn, with the reason.
const REVOCATIONS: &str = include_str!("../suite/revocations.json");

/// Codes that use devices; their cases stand in a folder of their own.
const DEVICES: [&str; 4] = ["10", "30", "50", "70"];

/// How many cases of a rule are named.
const NAMED: usize = 3;

/// The files of the exported suite: paths with `/` and their content. `rules` are those of the specification with their
/// cases.
///
/// # Errors
/// A revocations list that is not JSON.
pub fn files(vectors: &[Vector], rules: &[Covered<'_>]) -> serde_json::Result<Vec<(String, String)>> {
    let mut by_file: BTreeMap<String, Vec<&Vector>> = BTreeMap::new();
    for vector in vectors {
        let model = vector.question.model.name();
        let devices = if DEVICES.contains(&vector.group.as_str()) { "devices/" } else { "" };
        by_file.entry(format!("{model}/{devices}{}.json", vector.group)).or_default().push(vector);
    }
    let mut files: Vec<(String, String)> = FIXED.map(|(path, text)| (path.to_owned(), text.to_owned())).into();
    files.push(("metadata.json".to_owned(), pretty(&metadata(&by_file, rules)?)?));
    for (path, vectors) in &by_file {
        // One case a line: a change of one case is a change of one line.
        let lines = vectors.iter().map(|vector| json::line_of(vector)).collect::<Result<Vec<_>, _>>()?;
        files.push((path.clone(), format!("[\n{}\n]\n", lines.join(",\n"))));
    }
    let mut sums = String::new();
    for (path, text) in &files {
        let digest: String = Sha256::digest(text).iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"));
        let _ = writeln!(sums, "{digest}  {path}");
    }
    files.push(("SHA256SUMS".to_owned(), sums));
    Ok(files)
}

fn pretty(value: &Value) -> serde_json::Result<String> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}

fn metadata(by_file: &BTreeMap<String, Vec<&Vector>>, rules: &[Covered<'_>]) -> serde_json::Result<Value> {
    let files: Map<String, Value> = by_file.iter().map(|(path, cases)| (path.clone(), json!(cases.len()))).collect();
    let codes = |model: Model| rows(model).map(code_metadata).to_vec();
    let models: Map<String, Value> =
        Model::ALL.map(|model| (model.name().to_owned(), json!(codes(model)))).into_iter().collect();
    let rule = |covered: &Covered<'_>| {
        let named: Vec<String> =
            covered.cases.iter().take(NAMED).map(|case| format!("{}: {}", case.place, case.name)).collect();
        json!({ "rule": covered.name(), "line": covered.rule.line, "cases": covered.cases.len(), "such as": named })
    };
    Ok(json!({
        "suite": "conformance cases for the M-20, the ITEP M-20 and the M-220",
        "version": VERSION,
        "release": env!("CARGO_PKG_VERSION"),
        "licence": "CC0-1.0",
        "revocations": serde_json::from_str::<Value>(REVOCATIONS)?,
        "files": files,
        "codes": models,
        "rules of specification.md": rules.iter().map(rule).collect::<Vec<_>>(),
    }))
}

fn code_metadata(row: &OpcodeRow) -> Value {
    json!({
        "code": row.code.to_string(),
        "latin": row.latin,
        "cyrillic": row.cyrillic,
        "does": row.summary,
        "addresses": row.roles.map(|role| format!("{role:?}").to_lowercase()),
        "omega": format!("{:?}", row.omega),
        "cycles": { "m20": row.timing.m20.0, "m220": row.timing.m220.0, "each place shifted": row.timing.per_place.0 },
        "cycles from": row.timing.source,
    })
}
