//! The mate problems of `m220 reproduce`: the repository's set, solved by both engines.

use super::record::{Count, HostUs, Note, TaskRecord};
use super::tasks::best;
use crate::exit::Failure;
use crate::laboratory::{MachineRecord, TimeUs, counted, duration, grouped, not_a_program};
use chess_reference::algorithm50::{KnownProblem, Limits, Move, problem_set, solve, solve_key};
use differential::mates::{compare_keys, compare_trees};
use differential::{Difference, MateProgram, Report, Settings, Verdict};
use serde::Serialize;
use std::fmt::Write;
use std::time::Instant;

/// The problem set: what both engines found, and what it took.
///
/// The problems run one after another on one thread, so that the times of the host are those of an engine that has a
/// processor to itself; sums of them are sums of work, not of waiting.
#[derive(Serialize, Debug)]
pub struct Section {
    /// What the problems have in common.
    pub title: &'static str,
    /// All problems, in the order of the set.
    pub problems: Vec<ProblemRecord>,
    /// All problems together.
    pub total: Total,
    /// What else there is to say.
    pub notes: Vec<Note>,
}

/// A problem, solved by both engines.
#[derive(Serialize, Debug)]
pub struct ProblemRecord {
    /// Its name in the set.
    pub name: String,
    /// Where it comes from.
    pub origin: String,
    /// The position.
    pub fen: String,
    /// Mate in how many moves.
    pub moves: u32,
    /// The keys.
    pub keys: Keys,
    /// Every engine that answered gave the keys that the set names.
    pub as_known: bool,
    /// Whether both gave the same keys, the same trees, and visited as many positions at every level; null without a
    /// verdict.
    pub equal: Option<bool>,
    /// Why there is no verdict.
    pub no_verdict: Option<String>,
    /// What only one of them gave.
    pub differences: Vec<Difference>,
    /// Positions visited in the search for the keys, at level 1 (the first moves), 2 (the replies) and so on.
    pub positions_visited: Levels,
    /// The machine's search for the keys.
    pub machine: MachineRecord,
    /// Modelled M-220 time for each position visited, in microseconds; null without an answer.
    pub time_us_each: Option<f64>,
    /// The solution trees of the keys, which are runs of their own.
    pub trees: Trees,
    /// The search for the keys on this host, the best of several runs, in microseconds.
    pub host_us: HostUs,
}

/// The keys of a problem in UCI notation, sorted.
#[derive(Serialize, Debug)]
pub struct Keys {
    /// Those that the set names.
    pub known: Vec<Move>,
    /// Those of the native reference; null if it gave up.
    pub native: Option<Vec<Move>>,
    /// The machine's; null if it gave no answer.
    pub machine: Option<Vec<Move>>,
}

/// Positions visited, level by level; null for an engine without an answer.
#[derive(Serialize, Debug)]
pub struct Levels {
    /// By the native reference.
    pub native: Option<Vec<u64>>,
    /// By the machine.
    pub machine: Option<Vec<u64>>,
}

/// The solution trees of one problem's keys, or of all.
#[derive(Serialize, Debug, Clone, Copy)]
pub struct Trees {
    /// How many trees: one for each native key, if the machine found keys at all.
    pub count: u64,
    /// How many of them are equal: threats, replies, and the moves that mate after each.
    pub equal: u64,
    /// Positions visited in making them.
    pub positions_visited: Count,
    /// Instructions of the machine.
    pub instructions: u64,
    /// Modelled time of the machine.
    pub time_us: TimeUs,
    /// Time on this host, of a single run, in microseconds.
    pub host_us: HostUs,
}

/// All problems together. Instructions and times are those of the search for the keys.
#[derive(Serialize, Debug)]
pub struct Total {
    /// How many problems there are.
    pub problems: usize,
    /// Of these, on how many both engines gave the same.
    pub equal: usize,
    /// On how many they did not.
    pub different: usize,
    /// On how many one of them gave no answer.
    pub no_verdict: usize,
    /// On how many every engine that answered gave the keys that the set names.
    pub as_known: usize,
    /// Keys found; null for an engine that did not answer every problem. The same for the positions.
    pub keys: Count,
    /// Positions visited.
    pub positions_visited: Count,
    /// Instructions of the machine.
    pub instructions: u64,
    /// Modelled time of the machine.
    pub time_us: TimeUs,
    /// Modelled M-220 time for each position visited, in microseconds; null if not all were answered.
    pub time_us_each: Option<f64>,
    /// The problem answered in the least M-220 time; null if none was. The same for the two below.
    pub least: Option<NamedTime>,
    /// The one in the middle of those answered.
    pub middle: Option<NamedTime>,
    /// The one that took longest.
    pub greatest: Option<NamedTime>,
    /// The trees.
    pub trees: Trees,
    /// Time on this host, added up problem by problem, in microseconds.
    pub host_us: HostUs,
}

/// A problem and the modelled time of the search for its keys.
#[derive(Serialize, Debug, Clone, PartialEq)]
pub struct NamedTime {
    /// The problem's name in the set.
    pub name: String,
    /// The time.
    pub time_us: TimeUs,
}

/// The problems that have a row of their own, and what it says.
const NAMED: [(&str, &str); 4] = [
    ("morphy", "Morphy, mate in 2"),
    ("langstaff-castling-allowed", "Langstaff 1922, mate in 2"),
    ("immortal", "Anderssen - Kieseritzky 1851"),
    ("lasker-thomas-17", "Ed. Lasker - Thomas 1912"),
];

/// Runs of an engine that are timed, for the best of them.
const RUNS: u32 = 3;

/// Solves the problem set.
///
/// # Errors
/// [`Failure::BadInput`] if the program cannot be loaded.
pub fn section(program: &MateProgram, settings: Settings) -> Result<Section, Failure> {
    let set = problem_set().map_err(|error| Failure::BadInput(format!("the problem set: {error}")))?;
    let problems =
        set.iter().map(|known| solved(program, settings, known)).collect::<Result<Vec<ProblemRecord>, Failure>>()?;
    let total = Total::of(&problems);
    let notes = vec![summary(&problems, &total)];
    Ok(Section { title: "mate problems, positions visited", problems, total, notes })
}

fn solved(program: &MateProgram, settings: Settings, known: &KnownProblem) -> Result<ProblemRecord, Failure> {
    let KnownProblem { problem, moves, .. } = known;
    let cannot_run = |error| not_a_program("the machine program", &error);
    let native_search = || solve(problem, *moves, Limits::default());
    let machine_search = || program.keys(problem, *moves, settings);
    let (native, native_us) = timed(native_search);
    let (machine, machine_us) = timed(machine_search);
    let machine = machine.map_err(cannot_run)?;
    let answer = machine.outcome.answer();
    let mut verdict = Verdict::between(native.as_ref().map_err(ToString::to_string), &machine.outcome, compare_keys);
    let mut trees = Trees::NONE;
    // Without an answer to the first question there is none to hope for to the second.
    for &key in native.iter().filter(|_| answer.is_some()).flat_map(|native| &native.keys) {
        let (native, native_us) = timed(|| solve_key(problem, *moves, key, Limits::default()));
        let (machine, machine_us) = timed(|| program.tree(problem, *moves, key, settings));
        let machine = machine.map_err(cannot_run)?;
        let compared =
            Verdict::between(native.as_ref().map_err(ToString::to_string), &machine.outcome, |native, machine| {
                compare_trees(&native.line, native.positions_visited.levels(), machine)
            });
        let visited = Count {
            native: native.ok().map(|tree| tree.positions_visited.total()),
            machine: machine.outcome.answer().and_then(|answer| match answer {
                differential::mates::TreeAnswer::Tree(tree) => Some(tree.visits.iter().sum()),
                _ => None,
            }),
        };
        let host_us = HostUs { native: native_us, machine: machine_us };
        trees = trees.and(Trees::one(&compared, visited, &machine.report, host_us));
        verdict = verdict.and(compared);
    }
    let host_us = HostUs {
        native: native_us.min(best(RUNS, native_search)),
        // A machine that gives no answer may take long to do so: once is enough.
        machine: if answer.is_some() { machine_us.min(best(RUNS - 1, machine_search)) } else { machine_us },
    };
    let (equal, no_verdict, differences) = TaskRecord::judged(&verdict);
    let native = native.ok();
    let keys = Keys {
        known: known.keys.clone(),
        native: native.as_ref().map(|native| native.keys.clone()),
        machine: answer.map(|answer| answer.keys.clone()),
    };
    let as_known = [&keys.native, &keys.machine].into_iter().flatten().all(|found| *found == keys.known);
    let visited: Option<u64> = answer.map(|answer| answer.visits.iter().sum());
    let machine_record = MachineRecord::of(&machine);
    Ok(ProblemRecord {
        name: known.id.clone(),
        origin: known.origin.clone(),
        fen: known.fen.clone(),
        moves: *moves,
        as_known,
        keys,
        equal,
        no_verdict,
        differences,
        positions_visited: Levels {
            native: native.map(|native| native.positions_visited.levels().to_vec()),
            machine: answer.map(|answer| answer.visits.clone()),
        },
        time_us_each: each(machine_record.time_us, visited),
        machine: machine_record,
        trees,
        host_us,
    })
}

/// What some work gives, and what it took, in microseconds.
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let begun = Instant::now();
    let result = work();
    (result, begun.elapsed().as_secs_f64() * 1e6)
}

/// M-220 time for each of the positions visited, in microseconds.
fn each(time: TimeUs, visited: Option<u64>) -> Option<f64> {
    visited.filter(|&visited| visited > 0).map(|visited| time.m220 / visited as f64)
}

fn sum_of_times(times: impl Iterator<Item = TimeUs>) -> TimeUs {
    times.fold(TimeUs { m20: 0.0, m220: 0.0, nominal: 0.0 }, |sum, time| TimeUs {
        m20: sum.m20 + time.m20,
        m220: sum.m220 + time.m220,
        nominal: sum.nominal + time.nominal,
    })
}

fn sum_of_counts(counts: impl Iterator<Item = Count> + Clone) -> Count {
    Count { native: counts.clone().map(|count| count.native).sum(), machine: counts.map(|count| count.machine).sum() }
}

fn sum_of_host(times: impl Iterator<Item = HostUs> + Clone) -> HostUs {
    HostUs { native: times.clone().map(|time| time.native).sum(), machine: times.map(|time| time.machine).sum() }
}

impl Trees {
    /// No tree at all.
    const NONE: Trees = Trees {
        count: 0,
        equal: 0,
        positions_visited: Count { native: Some(0), machine: Some(0) },
        instructions: 0,
        time_us: TimeUs { m20: 0.0, m220: 0.0, nominal: 0.0 },
        host_us: HostUs { native: 0.0, machine: 0.0 },
    };

    fn one(verdict: &Verdict, positions_visited: Count, report: &Report, host_us: HostUs) -> Trees {
        Trees {
            count: 1,
            equal: u64::from(verdict.equal() == Some(true)),
            positions_visited,
            instructions: report.clock.instructions,
            time_us: TimeUs::of(report),
            host_us,
        }
    }

    fn and(self, other: Trees) -> Trees {
        let both = [self, other];
        Trees {
            count: self.count + other.count,
            equal: self.equal + other.equal,
            positions_visited: sum_of_counts(both.iter().map(|trees| trees.positions_visited)),
            instructions: self.instructions + other.instructions,
            time_us: sum_of_times(both.iter().map(|trees| trees.time_us)),
            host_us: sum_of_host(both.iter().map(|trees| trees.host_us)),
        }
    }
}

impl ProblemRecord {
    /// How many keys each engine found.
    fn key_count(&self) -> Count {
        let count = |keys: &Option<Vec<Move>>| keys.as_ref().map(|keys| keys.len() as u64);
        Count { native: count(&self.keys.native), machine: count(&self.keys.machine) }
    }

    /// Positions visited on all levels together.
    fn visited(&self) -> Count {
        let count = |levels: &Option<Vec<u64>>| levels.as_ref().map(|levels| levels.iter().sum());
        Count { native: count(&self.positions_visited.native), machine: count(&self.positions_visited.machine) }
    }
}

impl Total {
    fn of(problems: &[ProblemRecord]) -> Total {
        let count = |wanted: &dyn Fn(&ProblemRecord) -> bool| problems.iter().filter(|problem| wanted(problem)).count();
        let mut times: Vec<NamedTime> = problems
            .iter()
            .filter(|problem| problem.keys.machine.is_some())
            .map(|problem| NamedTime { name: problem.name.clone(), time_us: problem.machine.time_us })
            .collect();
        times.sort_by(|a, b| a.time_us.m220.total_cmp(&b.time_us.m220));
        let positions_visited = sum_of_counts(problems.iter().map(ProblemRecord::visited));
        let time_us = sum_of_times(problems.iter().map(|problem| problem.machine.time_us));
        Total {
            problems: problems.len(),
            equal: count(&|problem| problem.equal == Some(true)),
            different: count(&|problem| problem.equal == Some(false)),
            no_verdict: count(&|problem| problem.equal.is_none()),
            as_known: count(&|problem| problem.as_known),
            keys: sum_of_counts(problems.iter().map(ProblemRecord::key_count)),
            positions_visited,
            instructions: problems.iter().map(|problem| problem.machine.instructions).sum(),
            time_us,
            time_us_each: each(time_us, positions_visited.machine),
            least: times.first().cloned(),
            middle: times.get(times.len() / 2).cloned(),
            greatest: times.last().cloned(),
            trees: problems.iter().fold(Trees::NONE, |sum, problem| sum.and(problem.trees)),
            host_us: sum_of_host(problems.iter().map(|problem| problem.host_us)),
        }
    }
}

impl Section {
    /// Both engines gave the same on every problem, and the keys that are known.
    pub fn equal(&self) -> bool {
        self.problems.iter().all(|problem| problem.equal == Some(true) && problem.as_known)
    }

    /// On some problem the engines differ, or a key is missing or wrong.
    pub fn different(&self) -> bool {
        self.problems.iter().any(|problem| problem.equal == Some(false) || !problem.as_known)
    }

    /// Why there is no verdict on the first problem without one.
    pub fn no_verdict(&self) -> Option<&String> {
        self.problems.iter().find_map(|problem| problem.no_verdict.as_ref())
    }
}

fn summary(problems: &[ProblemRecord], total: &Total) -> Note {
    let mut text = match (&total.least, &total.middle, &total.greatest) {
        (Some(least), Some(middle), Some(greatest)) => {
            let time = |named: &NamedTime| format!("{} ({})", duration(named.time_us.m220), named.name);
            format!(
                "the problems: from {} to {} of M-220 time, the middle one {}",
                time(least),
                time(greatest),
                time(middle)
            )
        }
        _ => "the problems: the machine answered none".to_owned(),
    };
    let items: Vec<String> =
        problems.iter().filter(|problem| !problem.as_known).map(|problem| problem.name.clone()).collect();
    if !items.is_empty() {
        text.push_str(&format!("; not the keys that the set names: {}", items.join(", ")));
    }
    Note { text, items }
}

/// How many problems that are not equal the text explains, and how many differences of each.
const TROUBLES_SHOWN: usize = 5;

/// The section for people: a few problems, or all of them, and all together.
pub fn text(section: &Section, all: bool) -> String {
    let Section { problems, total, .. } = section;
    let mut text = line(&[
        section.title,
        "keys",
        "native",
        "machine",
        "equal",
        "instruct.",
        "M-220",
        "M-20",
        "nominal",
        "each",
        "emulator",
        "native",
    ]);
    for problem in problems {
        let title = match NAMED.iter().find(|(name, _)| *name == problem.name) {
            _ if all => &problem.name,
            Some((_, title)) => *title,
            None => continue,
        };
        let equal = match problem.equal {
            Some(true) => "yes",
            Some(false) => "NO",
            None => "none",
        };
        text.push_str(&row(Row {
            title,
            keys: problem.key_count(),
            visited: problem.visited(),
            equal: equal.to_owned(),
            instructions: problem.machine.instructions,
            time_us: problem.machine.time_us,
            host_us: problem.host_us,
        }));
    }
    text.push_str(&row(Row {
        title: &format!("all {}", counted(total.problems as u64, "problem")),
        keys: total.keys,
        visited: total.positions_visited,
        equal: format!("{}/{}", total.equal, total.problems),
        instructions: total.instructions,
        time_us: total.time_us,
        host_us: total.host_us,
    }));
    let Trees { count, equal, positions_visited, instructions, time_us, host_us } = total.trees;
    text.push_str(&row(Row {
        title: "the solution trees of their keys",
        keys: Count { native: Some(count), machine: Some(count) },
        visited: positions_visited,
        equal: format!("{equal}/{count}"),
        instructions,
        time_us,
        host_us,
    }));
    troubles(problems, &mut text);
    for note in &section.notes {
        text.push_str(&format!("\nNote: {}.\n", note.text));
    }
    text
}

fn troubles(problems: &[ProblemRecord], text: &mut String) {
    let not_equal: Vec<&ProblemRecord> = problems.iter().filter(|problem| problem.equal != Some(true)).collect();
    for problem in not_equal.iter().take(TROUBLES_SHOWN) {
        text.push_str(&format!("\n{}, mate in {}: {}\n", problem.name, problem.moves, problem.fen));
        for difference in problem.differences.iter().take(TROUBLES_SHOWN) {
            text.push_str(&format!("  {difference}\n"));
        }
        if let Some(reason) = &problem.no_verdict {
            text.push_str(&format!("  no verdict: {reason}\n"));
        }
    }
    if not_equal.len() > TROUBLES_SHOWN {
        text.push_str(&format!("\nand {} more; JSON has all\n", not_equal.len() - TROUBLES_SHOWN));
    }
}

struct Row<'a> {
    title: &'a str,
    keys: Count,
    visited: Count,
    equal: String,
    instructions: u64,
    time_us: TimeUs,
    host_us: HostUs,
}

fn row(row: Row) -> String {
    let number = |count: Option<u64>| count.map_or("-".to_owned(), grouped);
    let keys = match row.keys {
        Count { native, machine } if native == machine => number(native),
        Count { native, machine } => format!("{}/{}", number(native), number(machine)),
    };
    line(&[
        row.title,
        &keys,
        &number(row.visited.native),
        &number(row.visited.machine),
        &row.equal,
        &grouped(row.instructions),
        &duration(row.time_us.m220),
        &duration(row.time_us.m20),
        &duration(row.time_us.nominal),
        &each(row.time_us, row.visited.machine).map_or(String::new(), duration),
        &duration(row.host_us.machine),
        &duration(row.host_us.native),
    ])
}

/// The widths of the columns behind the first.
const WIDTHS: [usize; 11] = [5, 9, 9, 9, 12, 9, 8, 8, 9, 9, 8];

fn line(columns: &[&str; 12]) -> String {
    let mut text = format!("{:<33}", columns[0]);
    for (column, width) in columns[1..].iter().zip(WIDTHS) {
        // Writing to a string cannot fail.
        let _ = write!(text, "{column:>width$}");
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use differential::ChessProgram;
    use m220_isa::Model;

    fn known(id: &str) -> KnownProblem {
        problem_set().unwrap().into_iter().find(|known| known.id == id).unwrap()
    }

    fn section_of(known: &[KnownProblem], most_instructions: u64) -> Section {
        let settings = Settings::new(Model::M220, most_instructions);
        let program = MateProgram::built_in().unwrap();
        let problems: Vec<ProblemRecord> =
            known.iter().map(|known| solved(&program, settings, known).ok().unwrap()).collect();
        let total = Total::of(&problems);
        Section { title: "", notes: vec![summary(&problems, &total)], problems, total }
    }

    #[test]
    fn the_named_problems_are_in_the_set() {
        for (name, _) in NAMED {
            assert_eq!(known(name).id, name);
        }
    }

    /// Both engines agree, but on other keys than the set has: not a difference between them, yet something is wrong.
    #[test]
    fn agreement_on_unknown_keys_is_not_enough() {
        let right = section_of(&[known("scholar")], 1_000_000);
        assert!(right.equal() && !right.different());
        let wrong = section_of(&[KnownProblem { keys: Vec::new(), ..known("scholar") }], 1_000_000);
        assert_eq!(wrong.problems[0].equal, Some(true));
        assert!(!wrong.equal() && wrong.different() && wrong.total.as_known == 0);
        assert!(wrong.notes[0].text.ends_with("not the keys that the set names: scholar"));
    }

    /// A problem that was given up has taken time, but is not one of those that the spread is about.
    #[test]
    fn the_spread_is_that_of_the_answers() {
        let set = [known("scholar"), known("immortal"), known("fool"), known("alekhine")];
        let section = section_of(&set, 200_000);
        let total = &section.total;
        let names = [&total.least, &total.middle, &total.greatest].map(|named| named.as_ref().unwrap().name.as_str());
        assert_eq!(names, ["fool", "alekhine", "scholar"]);
        assert_eq!((total.equal, total.different, total.no_verdict, total.as_known), (3, 0, 1, 4));
        assert!(!section.equal() && !section.different() && section.no_verdict().is_some());
        assert!(text(&section, true).contains("immortal, mate in 2: "));
        assert_eq!(total.keys.machine, None);
        assert!(total.instructions > 200_000);
    }
}
