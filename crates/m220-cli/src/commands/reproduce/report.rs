//! `--report`: a reproduction as a page, for an appendix or an artefact evaluation.

use super::program_record;
use crate::prelude::*;
use crate::terminal::html::{escaped, figure, page, table};
use chess_reference::FIG_22;
use m220_answers::attacks::Attacks;
use m220_answers::list::native_picture;
use m220_answers::trajectories::Trajectories;
use m220_compare::PROGRAMS;
use m220_compare::reproduction::record::{CHECKSUM_METHOD, TIMING_MODELS};
use m220_compare::reproduction::{Reproduction, RowShown, Section};
use std::time::{SystemTime, UNIX_EPOCH};

/// The meaning of the tables' columns, as in the text's legend.
const COLUMNS: &str = "native, machine: what the native reference and the machine program found; equal: whether it is \
    the same. instr.: instructions executed. M-220, M-20, nominal: their time by the three models. each: M-220 time an \
    item. book: the book's figure. emulator, native (last): time on this host, the best of the runs.";

/// The page; `record` is the document of `--format json`.
pub fn report(reproduction: &Reproduction, record: &str, session: &Session) -> String {
    let title = "What the machine programs of the M-220 chess laboratory find";
    let (verdict, class) = match (reproduction.failed(), session.cut_short()) {
        (true, _) => ("Some results are not as expected: see the differences below.".to_owned(), "bad"),
        (false, Some(reason)) => (format!("{}: everything that ran is equal.", session.spoken().say(&reason)), "bad"),
        (false, None) if reproduction.no_verdict().is_some() => ("Some tasks have no verdict.".to_owned(), "bad"),
        (false, None) => (
            "On every task the machine program and the native reference give the same, within the book's times."
                .to_owned(),
            "good",
        ),
    };
    let mut body = format!(
        "<h1>{}</h1>\n<p class=\"verdict {class}\">{}</p>\n{}{}{}",
        escaped(title),
        escaped(&verdict),
        table("words", ["This record", ""], facts(session)),
        pictures(),
        programs(reproduction)
    );
    body += &format!("<h2>Results</h2>\n<p class=\"remark\">{COLUMNS}</p>\n");
    // One section per program, in the order of the list; a run cut short has fewer.
    for (entry, section) in PROGRAMS.iter().zip(&reproduction.sections) {
        body += &results(section, entry.source);
    }
    body += "<h2>All tasks</h2>\n<p class=\"remark\">The rows summed up in the tables above.</p>\n";
    for section in &reproduction.sections {
        body += &rows(section, RowShown::InFull);
    }
    body += "<h2>To repeat this</h2>\n<pre>m220 reproduce --report report.html</pre>\n<p>The data is in this \
        file, in the element <code>script#record</code>: the document of <code>m220 reproduce --format json</code>.</p>\n";
    page(Language::English, title, &body, Some(record))
}

/// Who made the record, with what, where and when.
fn facts(session: &Session) -> Vec<Vec<String>> {
    let program = program_record();
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let host =
        format!("{} on {}, {}", std::env::consts::OS, std::env::consts::ARCH, counted(processors as u64, "processor"));
    let pair = |name: &str, value: String| vec![name.to_owned(), value];
    vec![
        pair("program", format!("{} {}, commit {}", program.name, program.version, program.commit)),
        pair("made", humantime::format_rfc3339_seconds(SystemTime::now().max(UNIX_EPOCH)).to_string()),
        pair("host", host),
        pair("command", session.words().collect::<Vec<_>>().join(" ")),
    ]
}

/// The two tasks whose time the book gives, as pictures.
fn pictures() -> String {
    let king =
        native_picture::<Trajectories>(&json!({ "piece": "king", "from": "a4", "to": "h4" })).unwrap_or_default();
    let fig_22 = native_picture::<Attacks>(&json!({ "fen": FIG_22 })).unwrap_or_default();
    format!(
        "<h2>The two results of the book</h2>\n<div class=\"pictures\">{}{}</div>\n",
        figure(&king, "The 393 shortest paths of a king from a4 to h4: about 0.1 s in the book."),
        figure(&fig_22, "All attacks within three half-moves in Fig. 22: 5 s in the book.")
    )
}

/// The machine programs with their checksums, and the models of time.
fn programs(reproduction: &Reproduction) -> String {
    let rows = reproduction.machine_programs.iter().map(|program| {
        let core = format!("{}, {}", program.model, counted(program.cubes.into(), "cube"));
        vec![program.name.clone(), grouped(program.words as u64), program.checksum.clone(), core]
    });
    let models = TIMING_MODELS.iter().map(|model| vec![model.name.to_owned(), model.source.to_owned()]);
    format!(
        "<h2>The programs, and the models of time</h2>\n{}<p class=\"remark\">Checksum: {}.</p>\n{}",
        table("ledger", ["machine program", "words", "checksum", "machine"], rows),
        escaped(CHECKSUM_METHOD),
        table("words", ["model", "source of its times"], models)
    )
}

/// A section: the questions, the table, the differences, and the notes.
fn results(section: &Section, source: &str) -> String {
    let title = section.columns.first().copied().unwrap_or_default();
    let mut text = format!("<h3>{}</h3>\n<p>{}</p>\n", escaped(title), escaped(source));
    text += &rows(section, RowShown::InBrief);
    for task in section.tasks.iter().filter(|task| task.verdict.equal != Some(true)) {
        let reasons = task.verdict.differences.iter().map(ToString::to_string);
        let reasons = reasons.chain(task.verdict.no_verdict.iter().map(|reason| format!("no verdict: {reason}")));
        let reasons: Vec<String> = reasons.collect();
        text += &format!(
            "<p class=\"bad\">{}, <code>{}</code>: {}</p>\n",
            escaped(&task.title),
            escaped(&task.fen),
            escaped(&reasons.join("; "))
        );
    }
    for note in &section.notes {
        text += &format!("<p>Note: {}.</p>\n", escaped(&note.text));
    }
    text
}

/// The rows of a section's table that are always shown together with the brief ones, or only those shown in full.
fn rows(section: &Section, which: RowShown) -> String {
    let wanted = |shown| match which {
        RowShown::InFull => shown == RowShown::InFull,
        _ => shown != RowShown::InFull,
    };
    let rows: Vec<&Vec<String>> = section.rows.iter().filter(|row| wanted(row.shown)).map(|row| &row.cells).collect();
    let filled = |column: usize| rows.iter().any(|cells| !cells[column].is_empty());
    let columns: Vec<usize> = (0..section.columns.len()).filter(|&column| filled(column)).collect();
    let of = |cells: &&Vec<String>| columns.iter().map(|&column| cells[column].clone()).collect();
    match rows.is_empty() {
        true => String::new(),
        false => table("ledger", columns.iter().map(|&column| section.columns[column]), rows.iter().map(of)),
    }
}
