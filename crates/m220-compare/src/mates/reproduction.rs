//! The mate problems of `m220 reproduce`: the repository's set, solved by both engines.

use crate::prelude::*;
use crate::reproduction::RowShown;
use crate::reproduction::record::{ByEngine, Count, VerdictRecord};
use crate::reproduction::section::{HOST, host, modelled, number, verdict_word};
use chess_reference::algorithm50::{KnownProblem, Move, problem_set, solve};
use m220_chess::MachineRun;
use m220_chess::host_time::best;
use m220_chess::mates::{ComparedTree, MateProgram, TreeAnswer};
use m220_chess::text::counted;

/// A problem, solved by both engines.
#[derive(Serialize, Debug)]
struct ProblemRecord {
    /// Its name in the set.
    name: &'static str,
    /// Its origin.
    origin: &'static str,
    /// The position.
    fen: &'static str,
    /// The number of moves in which to mate.
    moves: u32,
    /// The keys.
    keys: Keys,
    /// Whether every engine that answered gave the keys listed in the set.
    as_known: bool,
    /// Whether both gave the same keys and trees and visited the same number of positions at every level.
    #[serde(flatten)]
    verdict: VerdictRecord,
    /// Positions visited in the search for the keys, at level 1 (the first moves), 2 (the replies) and so on.
    positions_visited: ByEngine<Vec<u64>>,
    /// The machine's search for the keys.
    machine: MachineRecord,
    /// Modelled M-220 time for each position visited, in microseconds; null without an answer.
    time_us_each: Option<f64>,
    /// The solution trees of the keys, which are separate runs.
    trees: Trees,
    /// The search for the keys on this host, the best of several runs, in microseconds; null if not measured.
    host_us: Option<HostTime>,
}

/// The keys of a problem in UCI notation, sorted.
#[derive(Serialize, Debug)]
struct Keys {
    /// Those listed in the set.
    known: Vec<Move>,
    #[serde(flatten)]
    found: ByEngine<Vec<Move>>,
}

/// The solution trees of one problem's keys, or of all.
#[derive(Serialize, Debug, Clone, Copy)]
struct Trees {
    /// The number of trees: one for each native key, if the machine found keys.
    count: u64,
    /// How many of them are equal: threats, replies, and the moves that mate after each.
    equal: u64,
    /// Positions visited in making them.
    positions_visited: Count,
    /// Instructions of the machine.
    instructions: u64,
    /// Modelled time of the machine.
    time_us: TimeUs,
    /// Time on this host, of a single run, in microseconds; null if not measured.
    host_us: Option<HostTime>,
}

/// All problems together. Instructions and times are those of the search for the keys.
#[derive(Serialize, Debug)]
struct Total {
    /// How many problems there are.
    problems: usize,
    /// On how many both engines agree.
    equal: usize,
    /// On how many they differ.
    different: usize,
    /// On how many one of them gave no answer.
    no_verdict: usize,
    /// On how many every engine that answered gave the keys listed in the set.
    as_known: usize,
    /// Keys found; null for an engine that did not answer every problem. The same for the positions.
    keys: Count,
    /// Positions visited.
    positions_visited: Count,
    /// Instructions of the machine.
    instructions: u64,
    /// Modelled time of the machine.
    time_us: TimeUs,
    /// Modelled M-220 time for each position visited, in microseconds; null if not all were answered.
    time_us_each: Option<f64>,
    /// The problem answered in the least M-220 time; null if none was. The same for the two below.
    least: Option<NamedTime>,
    /// The median of those answered.
    middle: Option<NamedTime>,
    /// The one that took the most.
    greatest: Option<NamedTime>,
    /// The trees.
    trees: Trees,
    /// Time on this host, added up problem by problem, in microseconds; null if not measured.
    host_us: Option<HostTime>,
}

/// A problem and the modelled time of the search for its keys.
#[derive(Serialize, Debug, Clone, PartialEq)]
struct NamedTime {
    /// The problem's name in the set.
    name: &'static str,
    /// The time.
    time_us: TimeUs,
}

/// The problems with their own row in the table, and its title.
const NAMED: [(&str, &str); 4] = [
    ("morphy", "Morphy, mate in 2"),
    ("langstaff-castling-allowed", "Langstaff 1922, mate in 2"),
    ("immortal", "Anderssen-Kieseritzky 1851"),
    ("lasker-thomas-17", "Ed. Lasker - Thomas 1912"),
];

impl Reproducible for MateProgram {
    const SOURCE: &'static str = "Algorithm 50 (A. G. Bell, 1970) solves mates in two by tables. Bell's book has no problem set: the problems are \
        famous ones and test cases, and the keys that a brute-force search finds are the known answers.";

    fn reproduce(&self, conditions: &Conditions) -> Result<Section, ReproductionError> {
        // One after another on one thread, so that host times measure work, not waiting for a processor.
        let problems = problem_set().iter().map(|known| solved(self, conditions, known));
        Ok(section(&problems.collect::<Result<Vec<ProblemRecord>, ReproductionError>>()?))
    }
}

fn solved(
    program: &MateProgram,
    &Conditions { ref settings, runs }: &Conditions,
    known: &KnownProblem,
) -> Result<ProblemRecord, ReproductionError> {
    let KnownProblem { problem, moves, .. } = known;
    let compared = program.compare(problem, *moves, |_| true, settings)?;
    let answer = compared.machine.answer();
    let trees = Trees::of(&compared.trees, runs > 0);
    let again = runs.saturating_sub(1);
    let host = compared.host.or_better(
        best(again, &settings.limits, || solve(problem, *moves, &settings.limits)),
        // A run without an answer may be long, so one is enough.
        best(answer.map_or(0, |_| again), &settings.limits, || program.keys(problem, *moves, settings)),
    );
    let native = compared.native.as_ref().ok();
    let found = ByEngine {
        native: native.map(|native| native.keys.clone()),
        machine: answer.map(|answer| answer.keys.clone()),
    };
    let as_known = [&found.native, &found.machine].into_iter().flatten().all(|found| *found == known.keys);
    let positions_visited = ByEngine {
        native: native.map(|native| native.positions_visited.levels().to_vec()),
        machine: answer.map(|answer| answer.visits.clone()),
    };
    let machine = MachineRecord::of(&compared.machine);
    Ok(ProblemRecord {
        name: known.id,
        origin: known.origin,
        fen: known.fen,
        moves: *moves,
        as_known,
        keys: Keys { known: known.keys.clone(), found },
        verdict: VerdictRecord::from(&compared.verdict),
        time_us_each: positions_visited.count(|levels| levels.iter().sum()).time_us_each(machine.time_us),
        positions_visited,
        machine,
        trees,
        host_us: (runs > 0).then_some(host),
    })
}

impl Trees {
    /// Those that the machine was asked for.
    fn of(trees: &[ComparedTree], is_measured: bool) -> Trees {
        let asked = || trees.iter().filter_map(|tree| Some((tree, tree.machine.as_ref()?)));
        let is_equal = |tree: &ComparedTree| tree.verdict.as_ref().and_then(Verdict::equal) == Some(true);
        let visited = |(tree, machine): (&ComparedTree, &MachineRun<TreeAnswer>)| Count {
            native: tree.native.as_ref().ok().map(|tree| tree.positions_visited.total()),
            machine: match machine.answer() {
                Some(TreeAnswer::Tree(tree)) => Some(tree.visits.iter().sum()),
                _ => None,
            },
        };
        Trees {
            count: asked().count() as u64,
            equal: asked().filter(|(tree, _)| is_equal(tree)).count() as u64,
            positions_visited: asked().map(visited).sum(),
            instructions: asked().map(|(_, machine)| machine.report.clock.instructions).sum(),
            time_us: asked().map(|(_, machine)| TimeUs::of(&machine.report.clock)).sum(),
            host_us: is_measured.then(|| asked().map(|(tree, _)| tree.host).sum()),
        }
    }

    fn and(self, other: Trees) -> Trees {
        Trees {
            count: self.count + other.count,
            equal: self.equal + other.equal,
            positions_visited: [self.positions_visited, other.positions_visited].into_iter().sum(),
            instructions: self.instructions + other.instructions,
            time_us: [self.time_us, other.time_us].into_iter().sum(),
            host_us: [self.host_us, other.host_us].into_iter().sum(),
        }
    }
}

impl ProblemRecord {
    /// How many keys each engine found.
    fn key_count(&self) -> Count {
        self.keys.found.count(|keys| keys.len() as u64)
    }

    /// How many positions each engine visited, on all levels.
    fn visited(&self) -> Count {
        self.positions_visited.count(|levels| levels.iter().sum())
    }
}

impl Total {
    fn of(problems: &[ProblemRecord]) -> Total {
        let count = |wanted: &dyn Fn(&ProblemRecord) -> bool| problems.iter().filter(|problem| wanted(problem)).count();
        let mut times: Vec<NamedTime> = problems
            .iter()
            .filter(|problem| problem.keys.found.machine.is_some())
            .map(|problem| NamedTime { name: problem.name, time_us: problem.machine.time_us })
            .collect();
        times.sort_by(|a, b| a.time_us.m220.total_cmp(&b.time_us.m220));
        let positions_visited: Count = problems.iter().map(|problem| problem.visited()).sum();
        let time_us: TimeUs = problems.iter().map(|problem| problem.machine.time_us).sum();
        Total {
            problems: problems.len(),
            equal: count(&|problem| problem.verdict.equal == Some(true)),
            different: count(&|problem| problem.verdict.equal == Some(false)),
            no_verdict: count(&|problem| problem.verdict.equal.is_none()),
            as_known: count(&|problem| problem.as_known),
            keys: problems.iter().map(ProblemRecord::key_count).sum(),
            positions_visited,
            instructions: problems.iter().map(|problem| problem.machine.instructions).sum(),
            time_us,
            time_us_each: positions_visited.time_us_each(time_us),
            least: times.first().cloned(),
            middle: times.get(times.len() / 2).cloned(),
            greatest: times.last().cloned(),
            trees: problems.iter().map(|problem| problem.trees).reduce(Trees::and).unwrap_or(Trees::of(&[], false)),
            host_us: problems.iter().map(|problem| problem.host_us).sum(),
        }
    }
}

fn summary(problems: &[ProblemRecord], total: &Total) -> Note {
    let mut text = match (&total.least, &total.middle, &total.greatest) {
        (Some(least), Some(middle), Some(greatest)) => {
            let time = |named: &NamedTime| format!("{} ({})", duration(named.time_us.m220), named.name);
            format!(
                "the problems: from {} to {} of M-220 time, the median {}",
                time(least),
                time(greatest),
                time(middle)
            )
        }
        _ => "the problems: the machine answered none".to_owned(),
    };
    let items: Vec<String> =
        problems.iter().filter(|problem| !problem.as_known).map(|problem| problem.name.to_owned()).collect();
    if !items.is_empty() {
        text.push_str(&format!("; not the keys listed in the set: {}", items.join(", ")));
    }
    Note { text, items }
}

/// The first columns of the table.
const COLUMNS: [&str; 5] = ["mates, positions visited", "keys", "native", "machine", "equal"];

/// The section: a row for a few problems, or for each of them, and rows for all together.
fn section(problems: &[ProblemRecord]) -> Section {
    let total = Total::of(problems);
    let notes = vec![summary(problems, &total)];
    let mut rows = Vec::new();
    for problem in problems {
        let row_of = |shown, title: &str| {
            let MachineRecord { instructions, time_us, .. } = problem.machine;
            let counts = [problem.key_count(), problem.visited()];
            row(shown, title, counts, verdict_word(problem.verdict.equal), (instructions, time_us), problem.host_us)
        };
        let named = NAMED.iter().find(|(name, _)| *name == problem.name);
        rows.extend(named.map(|(_, title)| row_of(RowShown::InBrief, title)));
        rows.push(row_of(RowShown::InFull, problem.name));
    }
    rows.push(row(
        RowShown::Always,
        &format!("all {}", counted(total.problems as u64, "problem")),
        [total.keys, total.positions_visited],
        format!("{}/{}", total.equal, total.problems),
        (total.instructions, total.time_us),
        total.host_us,
    ));
    let Trees { count, equal, positions_visited, instructions, time_us, host_us } = total.trees;
    rows.push(row(
        RowShown::Always,
        "solution trees of the keys",
        [Count { native: Some(count), machine: Some(count) }, positions_visited],
        format!("{equal}/{count}"),
        (instructions, time_us),
        host_us,
    ));
    let task = |problem: &ProblemRecord| {
        let title = format!("{}, mate in {}", problem.name, problem.moves);
        TaskResult { as_known: problem.as_known, ..TaskResult::new(title, problem.fen, problem.verdict.clone()) }
    };
    Section {
        json_name: Some("mates"),
        json: json!({ "title": "mate problems, positions visited", "problems": problems, "total": total, "notes": notes }),
        columns: [&COLUMNS[..], &MODELLED, &["each"], &HOST].concat(),
        rows,
        tasks: problems.iter().map(task).collect(),
        notes,
    }
}

/// A row: how many keys and positions, whether all is equal, and the machine's and the host's cost.
fn row(
    shown: RowShown,
    title: &str,
    [keys, visited]: [Count; 2],
    equal: String,
    (instructions, time_us): (u64, TimeUs),
    host_us: Option<HostTime>,
) -> TableRow {
    let keys = match keys {
        Count { native, machine } if native == machine => number(native),
        Count { native, machine } => format!("{}/{}", number(native), number(machine)),
    };
    let mut cells = vec![title.to_owned(), keys, number(visited.native), number(visited.machine), equal];
    cells.extend(modelled(instructions, time_us));
    cells.push(visited.time_us_each(time_us).map_or(String::new(), duration));
    cells.extend(host(host_us));
    TableRow { shown, cells }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduction::Reproduction;
    use m220_chess::ChessProgram;
    use m220_isa::Model;

    fn known(id: &str) -> KnownProblem {
        problem_set().iter().find(|known| known.id == id).unwrap().clone()
    }

    fn all_solved(set: &[KnownProblem], max_instructions: u64) -> Vec<ProblemRecord> {
        let settings =
            MateProgram::BUILT_IN.settings(Model::M220, &Limits::default().with_instructions(max_instructions));
        let (program, conditions) = (MateProgram::built_in().unwrap(), Conditions { settings, runs: 0 });
        set.iter().map(|known| solved(&program, &conditions, known).unwrap()).collect()
    }

    fn reproduction(problems: &[ProblemRecord]) -> Reproduction {
        Reproduction { machine_programs: Vec::new(), sections: vec![section(problems)] }
    }

    #[test]
    fn the_named_problems_are_in_the_set() {
        for (name, _) in NAMED {
            assert_eq!(known(name).id, name);
        }
    }

    /// Both engines agree, but on keys other than those listed: not a difference between them, but still a failure.
    #[test]
    fn agreement_on_unknown_keys_is_not_enough() {
        let right = reproduction(&all_solved(&[known("scholar")], 1_000_000));
        assert!(right.equal() && !right.failed());
        let wrong = all_solved(&[KnownProblem { keys: Vec::new(), ..known("scholar") }], 1_000_000);
        assert_eq!(wrong[0].verdict.equal, Some(true));
        let result = reproduction(&wrong);
        assert!(!result.equal() && result.failed() && Total::of(&wrong).as_known == 0);
        assert!(result.sections[0].notes[0].text.ends_with("not the keys listed in the set: scholar"));
    }

    /// A problem without an answer has taken time, but does not count in the spread.
    #[test]
    fn the_spread_is_that_of_the_answers() {
        let set = [known("scholar"), known("immortal"), known("fool"), known("alekhine")];
        let problems = all_solved(&set, 200_000);
        let total = Total::of(&problems);
        let names = [&total.least, &total.middle, &total.greatest].map(|named| named.as_ref().unwrap().name);
        assert_eq!(names, ["fool", "alekhine", "scholar"]);
        assert_eq!((total.equal, total.different, total.no_verdict, total.as_known), (3, 0, 1, 4));
        let result = reproduction(&problems);
        assert!(!result.equal() && !result.failed() && result.no_verdict().is_some());
        assert_eq!(result.tasks().nth(1).unwrap().title, "immortal, mate in 2");
        assert_eq!(total.keys.machine, None);
        assert!(total.instructions > 200_000);
    }
}
