//! A machine program's part of a reproduction: results, rows of a table, JSON.

use super::record::{Count, Note, RunsRecord, TaskRecord, VerdictRecord};
use crate::prelude::*;
use m220_chess::text::grouped;
use serde_json::Value;

/// The results of one machine program.
#[derive(Debug)]
pub struct Section {
    /// The key of the section in JSON; `None` to put it in the list `sections`.
    pub json_name: Option<&'static str>,
    /// The section in JSON.
    pub json: Value,
    /// The headings of the table's columns; the first is the subject of the rows.
    pub columns: Vec<&'static str>,
    /// The table's rows.
    pub rows: Vec<TableRow>,
    /// The result of every task.
    pub tasks: Vec<TaskResult>,
    /// Further findings.
    pub notes: Vec<Note>,
}

/// A row of a section's table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableRow {
    /// When it is shown.
    pub shown: RowShown,
    /// A cell for each column.
    pub cells: Vec<String>,
}

impl TableRow {
    /// A row that is always shown: a name, a count, whether it is equal, and the machine's cost.
    pub(crate) fn of_runs(name: &str, count: u64, runs: &RunsRecord) -> TableRow {
        let mut cells = vec![name.to_owned(), grouped(count), verdict_word(runs.verdict.equal)];
        cells.extend(modelled(runs.instructions, runs.time_us));
        TableRow { shown: RowShown::Always, cells }
    }
}

/// When a row is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RowShown {
    /// In every table.
    Always,
    /// If all tasks are requested.
    InFull,
    /// If not all tasks are requested.
    InBrief,
}

/// The result of any task.
#[derive(Clone, PartialEq, Debug)]
pub struct TaskResult {
    /// For people.
    pub title: String,
    /// The position.
    pub fen: String,
    /// Whether both engines agree.
    pub verdict: VerdictRecord,
    /// Whether every engine that answered gave the known answer, if there is one.
    pub as_known: bool,
    /// Whether the book gives a time for the task.
    pub in_book: bool,
    /// Whether the modelled M-220 took no longer than that; `None` without an answer or a time.
    pub within_book_time: Option<bool>,
    /// Whether it stayed within the program's budget, if there is one.
    pub within_budget: bool,
}

impl TaskResult {
    /// The result of a task that has neither a known answer nor a time to keep.
    #[must_use]
    pub fn new(title: impl Into<String>, fen: impl Into<String>, verdict: VerdictRecord) -> TaskResult {
        TaskResult {
            title: title.into(),
            fen: fen.into(),
            verdict,
            as_known: true,
            in_book: false,
            within_book_time: None,
            within_budget: true,
        }
    }
}

impl Section {
    /// A section of tasks. `counted` names the items counted, in the plural; `details` is the title of the row that
    /// sums up all [details](TaskRecord::detail).
    #[must_use]
    pub fn of_tasks(
        title: &'static str,
        counted: &'static str,
        tasks: &[TaskRecord],
        notes: Vec<Note>,
        details: &str,
    ) -> Section {
        let (many, few): (Vec<&TaskRecord>, Vec<&TaskRecord>) = tasks.iter().partition(|task| task.detail);
        let row = |task: &TaskRecord, shown| TableRow { shown, cells: cells(task) };
        let mut rows: Vec<TableRow> = few.into_iter().map(|task| row(task, RowShown::Always)).collect();
        rows.extend(many.iter().map(|task| row(task, RowShown::InFull)));
        if !many.is_empty() {
            rows.push(TableRow { shown: RowShown::InBrief, cells: total(details, &many) });
        }
        let result = |task: &TaskRecord| TaskResult {
            in_book: task.book.is_some(),
            within_book_time: task.book.and_then(|book| book.within),
            within_budget: task.within_budget(),
            ..TaskResult::new(&task.title, &task.fen, task.verdict.clone())
        };
        Section {
            json_name: None,
            json: json!({ "title": title, "counted": counted, "tasks": tasks, "notes": notes }),
            columns: [&[title, "native", "machine", "equal"][..], &MODELLED, &["each", "book"], &HOST].concat(),
            rows,
            tasks: tasks.iter().map(result).collect(),
            notes,
        }
    }
}

/// `yes`, `NO` or `none`.
pub(crate) fn verdict_word(equal: Option<bool>) -> String {
    match equal {
        Some(true) => "yes",
        Some(false) => "NO",
        None => "none",
    }
    .to_owned()
}

/// A count, or a dash for an engine that gave none.
pub(crate) fn number(count: Option<u64>) -> String {
    count.map_or("-".to_owned(), grouped)
}

/// The columns of [`modelled`].
pub(crate) const MODELLED: [&str; 4] = ["instr.", "M-220", "M-20", "nominal"];

/// The columns of [`host`].
pub(crate) const HOST: [&str; 2] = ["emulator", "native"];

/// The cells of a run's instructions and modelled times.
pub(crate) fn modelled(instructions: u64, time_us: TimeUs) -> [String; 4] {
    [grouped(instructions), duration(time_us.m220), duration(time_us.m20), duration(time_us.nominal)]
}

/// The cells of the times on this host, the emulator's first.
pub(crate) fn host(host_us: Option<HostTime>) -> [String; 2] {
    [host_us.map(|us| us.machine), host_us.map(|us| us.native)].map(|us| us.map_or(String::new(), duration))
}

fn cells(task: &TaskRecord) -> Vec<String> {
    let mut cells = vec![
        task.title.clone(),
        number(task.count.native),
        number(task.count.machine),
        verdict_word(task.verdict.equal),
    ];
    cells.extend(modelled(task.machine.instructions, task.machine.time_us));
    cells.push(task.time_us_each.map_or(String::new(), duration));
    cells.push(task.book.map_or(String::new(), |book| duration(book.time_us)));
    cells.extend(host(task.host_us));
    cells
}

/// One row for many tasks: counts and times added up.
fn total(title: &str, tasks: &[&TaskRecord]) -> Vec<String> {
    let count: Count = tasks.iter().map(|task| task.count).sum();
    let equal = tasks.iter().filter(|task| task.verdict.equal == Some(true)).count();
    let time_us: TimeUs = tasks.iter().map(|task| task.machine.time_us).sum();
    let mut cells =
        vec![title.to_owned(), number(count.native), number(count.machine), format!("{equal}/{}", tasks.len())];
    cells.extend(modelled(tasks.iter().map(|task| task.machine.instructions).sum(), time_us));
    cells.extend([count.time_us_each(time_us).map_or(String::new(), duration), String::new()]);
    cells.extend(host(tasks.iter().map(|task| task.host_us).sum()));
    cells
}
