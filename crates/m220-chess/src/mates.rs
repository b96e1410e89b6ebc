//! The machine program for mate problems: inputs by name, answers read back, both engines compared.
//!
//! # The interface
//!
//! Numbers are in the low bits of the address part; squares are 1 (a1), 2 (b1) to 64 (h8), pieces 1 to 6 from pawn to
//! king. `task` is 0 for the keys, 1 for the tree of `key`. The program's own text says what the cells hold.
//!
//! All output of the program is checked: a word of the answers that is not a move is a [`NoAnswer::Fault`] that
//! names the word and its cell.

pub mod tree;

use crate::host_time::{HostTime, timed};
use crate::position_cells::{MOVES, PositionCells, move_of, move_word};
use crate::prelude::*;
use crate::verdict::MachineOutcome;
use chess_reference::algorithm50::{KeyTree, NamedMove, Solution, SolutionLine, Stopped, TreeError, solve, solve_key};

interface! {
    /// The cells of the interface beside those of the position.
    struct MateCells {
        inputs: depth, task, key;
        outputs: result, found, answers[Size::Constant("answers_size")], threat_length, visits[Size::Constant("levels")];
    }
}

/// The table of answers.
const ANSWERS: FullTable = FullTable { name: "the machine program's table of answers", remedy: Remedy::FewerMoves };

/// The machine's keys.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MachineKeys {
    /// Every first move that forces mate, sorted.
    pub keys: Vec<Move>,
    /// Positions visited at level 1, 2 and so on, up to the deepest that was reached.
    pub visits: Vec<u64>,
}

/// The machine's tree of one key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MachineTree {
    /// The moves that mate if the defender passes, sorted; empty if the defender is in check, or if passing would not lose
    /// in time.
    pub threats: Vec<Move>,
    /// The number of moves in which the threats mate; 0 if there are none.
    pub threat_length: u32,
    /// Every legal reply, sorted, with the answers to it.
    pub replies: Vec<MachineReply>,
    /// Positions visited at level 1, 2 and so on, up to the deepest that was reached.
    pub visits: Vec<u64>,
}

/// A reply to the key and the fastest mates after it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct MachineReply {
    /// The defender's move.
    pub reply: Move,
    /// The number of moves in which the answers mate.
    pub length: u32,
    /// The mating moves, sorted.
    pub answers: Vec<Move>,
}

/// The machine's answer when asked for a tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TreeAnswer {
    /// The tree.
    Tree(MachineTree),
    /// The move is not legal.
    Illegal,
    /// The move is not a key.
    NotAKey,
}

impl TreeAnswer {
    /// The tree of a move that is known to be a key.
    ///
    /// # Errors
    /// What the program says of the move instead.
    fn tree_of(&self, key: Move) -> Result<&MachineTree, String> {
        match self {
            TreeAnswer::Tree(tree) => Ok(tree),
            TreeAnswer::Illegal => Err(format!("{key} is reported to be illegal")),
            TreeAnswer::NotAKey => Err(format!("{key} is reported not to be a key")),
        }
    }
}

chess_program! {
    /// The machine program for mate problems, with the cells of its interface resolved.
    pub struct MateProgram {
        position: PositionCells,
        cells: MateCells,
        .. deepest: u32 = |program| u32::try_from(program.image().constant("deepest")?).unwrap_or(u32::MAX),
    }

    const BUILT_IN: BuiltIn = BuiltIn { name: "mate", cubes: 1 };
    const TABLES: &'static [FullTable] = &[MOVES, ANSWERS];
}

impl MateProgram {
    /// The greatest number of moves that the program takes.
    #[must_use]
    pub fn deepest(&self) -> u32 {
        self.deepest
    }

    /// A fresh machine with the program and a problem in core, not yet started: for all keys, or for the tree of one.
    ///
    /// # Errors
    /// [`ProgramError::DoesNotFit`] if the machine is too small for the program.
    pub fn prepare(
        &self,
        problem: &Problem,
        moves: u32,
        key: Option<Move>,
        settings: &Settings,
    ) -> Result<ProgramRun, ProgramError> {
        let cells = &self.cells;
        let mut run = ProgramRun::new(&self.program, settings.config)?;
        self.position.put(&mut run, problem)?;
        run.put_number(cells.depth, moves)?;
        run.put_number(cells.task, u32::from(key.is_some()))?;
        run.put(cells.key, key.map_or(Word::ZERO, move_word))?;
        Ok(run)
    }

    /// The machine's keys.
    ///
    /// # Errors
    /// As [`MateProgram::prepare`].
    pub fn keys(&self, problem: &Problem, moves: u32, settings: &Settings) -> MachineResult<MachineKeys> {
        self.ask(problem, moves, None, settings, |run, ending| {
            ending.expect_done("the result code of a judgement on one key, 2 or 3, for all keys")?;
            let mut keys = self.answers(run)?.map(read_move).collect::<Result<Vec<Move>, NoAnswer>>()?;
            keys.sort_unstable();
            Ok(MachineKeys { keys, visits: self.visits(run) })
        })
    }

    /// The machine's tree of one key.
    ///
    /// # Errors
    /// As [`MateProgram::prepare`].
    pub fn tree(&self, problem: &Problem, moves: u32, key: Move, settings: &Settings) -> MachineResult<TreeAnswer> {
        self.ask(problem, moves, Some(key), settings, |run, ending| match ending {
            ResultCode::Done => self.read_tree(run).map(TreeAnswer::Tree),
            ResultCode::FirstNo => Ok(TreeAnswer::Illegal),
            ResultCode::SecondNo => Ok(TreeAnswer::NotAKey),
        })
    }

    /// Sets a question, runs the machine, and reads the answer.
    fn ask<T>(
        &self,
        problem: &Problem,
        moves: u32,
        key: Option<Move>,
        settings: &Settings,
        read: impl FnOnce(&ProgramRun, ResultCode) -> Result<T, NoAnswer>,
    ) -> MachineResult<T> {
        let mut run = self.prepare(problem, moves, key, settings)?;
        let report = run.run(&settings.limits);
        let mut answer = run.read(self, report, read)?;
        // A problem is a position of chess: only its depth can be refused.
        if let Err(NoAnswer::Refused(Refusal::Unsupported(_))) = answer.outcome
            && (1..=self.deepest()).contains(&moves)
        {
            let fault = format!("result code 5 for a position of chess and a mate in {moves}");
            answer.outcome = Err(NoAnswer::Fault(fault));
        }
        Ok(answer)
    }

    /// The words of the answers, `found` of them.
    fn answers<'a>(
        &self,
        run: &'a ProgramRun,
    ) -> Result<impl Iterator<Item = (CoreAddress, Word)> + use<'a>, NoAnswer> {
        run.listed(self.cells.answers, ("found", self.cells.found))
    }

    fn visits(&self, run: &ProgramRun) -> Vec<u64> {
        let words = run.all(self.cells.visits);
        let mut visits: Vec<u64> = words.skip(1).map(|(_, word)| word.address_part()).collect();
        while visits.last() == Some(&0) {
            visits.pop();
        }
        visits
    }

    fn read_tree(&self, run: &ProgramRun) -> Result<MachineTree, NoAnswer> {
        let threat_length = run.number(self.cells.threat_length) as u32;
        let mut tree =
            MachineTree { threats: Vec::new(), threat_length, replies: Vec::new(), visits: self.visits(run) };
        for (at, word) in self.answers(run)? {
            let bare = Word::truncating(word.address_part());
            let half_move = move_of(bare).ok_or_else(|| NoAnswer::of_word((at, word), "a move"))?;
            match (word.upper(), tree.replies.last_mut()) {
                (0, None) => tree.threats.push(half_move),
                (0, Some(reply)) => reply.answers.push(half_move),
                (upper, _) if upper >> 6 == 4 => {
                    let length = (upper & 0o77) as u32;
                    tree.replies.push(MachineReply { reply: half_move, length, answers: Vec::new() });
                }
                _ => return Err(NoAnswer::of_word((at, word), "a move")),
            }
        }
        tree.threats.sort_unstable();
        for reply in &mut tree.replies {
            reply.answers.sort_unstable();
        }
        tree.replies.sort_unstable();
        Ok(tree)
    }

    /// Asks both engines for the keys and for the tree of each native key that is `wanted`. Compares keys, threats,
    /// replies and answers as sets, and the positions visited level by level.
    ///
    /// The machine is asked first, since its instruction limit bounds the work. If it finds no keys, it is not asked for
    /// trees, and the native search is bounded by [`native_limits`].
    ///
    /// # Errors
    /// As [`MateProgram::prepare`].
    pub fn compare(
        &self,
        problem: &Problem,
        moves: u32,
        wanted: impl Fn(Move) -> bool,
        settings: &Settings,
    ) -> Result<ComparedMates, ProgramError> {
        let (machine, machine_time) = timed(|| self.keys(problem, moves, settings));
        let machine = machine?;
        let limits = &native_limits(&machine.outcome, &settings.limits);
        let (native, native_time) = timed(|| solve(problem, moves, limits));
        let mut verdict = Verdict::between(native.as_ref().map_err(Stopped::to_string), &machine.outcome, compare_keys);
        let mut trees = Vec::new();
        for &key in native.iter().flat_map(|native| &native.keys).filter(|&&key| wanted(key)) {
            let (native, native_time) = timed(|| solve_key(problem, moves, key, limits));
            let answered = machine.answer().is_some();
            let (machine, machine_time) = timed(|| answered.then(|| self.tree(problem, moves, key, settings)));
            let machine = machine.transpose()?;
            let compared = machine.as_ref().map(|machine| {
                let native = native.as_ref().map_err(ToString::to_string);
                Verdict::between(native, &machine.outcome, |native, machine| {
                    compare_trees(&native.line, native.positions_visited.levels(), machine)
                })
            });
            verdict = compared.iter().cloned().fold(verdict, Verdict::and);
            let host = HostTime { native: native_time, machine: machine_time };
            trees.push(ComparedTree { key, native, machine, verdict: compared, host });
        }
        let host = HostTime { native: native_time, machine: machine_time };
        Ok(ComparedMates { native, machine, trees, verdict, host })
    }
}

/// The results of both engines for a problem, and the result of comparing them.
#[derive(Clone, Debug)]
pub struct ComparedMates {
    /// The native keys.
    pub native: Result<Solution, Stopped>,
    /// The machine's keys.
    pub machine: MachineRun<MachineKeys>,
    /// The trees of the native keys that were wanted.
    pub trees: Vec<ComparedTree>,
    /// Whether everything agrees.
    pub verdict: Verdict,
    /// The times of the search for the keys on this host.
    pub host: HostTime,
}

/// The tree of a key from both engines.
#[derive(Clone, Debug)]
pub struct ComparedTree {
    /// The key.
    pub key: Move,
    /// The native tree.
    pub native: Result<KeyTree, TreeError>,
    /// The machine's; `None` if it gave no keys.
    pub machine: Option<MachineRun<TreeAnswer>>,
    /// Whether they agree; `None` if the machine was not asked.
    pub verdict: Option<Verdict>,
    /// Their times on this host.
    pub host: HostTime,
}

impl ComparedMates {
    /// Instructions of all runs of the machine.
    #[must_use]
    pub fn instructions(&self) -> u64 {
        let trees = self.trees.iter().filter_map(|tree| tree.machine.as_ref());
        self.machine.report.clock.instructions + trees.map(|tree| tree.report.clock.instructions).sum::<u64>()
    }
}

/// These limits for the native search, given the machine's outcome.
/// There is no limit if the machine answered: the reference is the faster of the two. If the machine rejected the
/// depth, there is nothing to compare and nothing is searched. In all other cases, above all at the instruction limit,
/// the problem may be too long for the native search as well: it stops after [`POSITIONS_WITHOUT_AN_ANSWER`].
#[must_use]
pub fn native_limits<T>(machine: &MachineOutcome<T>, limits: &Limits) -> Limits {
    limits.with_positions(match machine {
        Ok(_) => u64::MAX,
        Err(NoAnswer::Refused(Refusal::Unsupported(_))) => 0,
        Err(_) => POSITIONS_WITHOUT_AN_ANSWER,
    })
}

/// The most positions that the native search visits if the machine gave no answer: about a second's work.
pub const POSITIONS_WITHOUT_AN_ANSWER: u64 = 10_000_000;

/// Compares keys as sets, and the positions visited level by level.
#[must_use]
pub fn compare_keys(native: &Solution, machine: &MachineKeys) -> Vec<Difference> {
    let mut differences = compare_sets(
        native.keys.iter().map(|key| format!("key {key}")),
        machine.keys.iter().map(|key| format!("key {key}")),
    );
    differences.extend(compare_visits("", native.positions_visited.levels(), &machine.visits));
    differences
}

/// Compares the tree of a key: threats, replies, and the answers to each reply, as sets; and positions visited.
///
/// Continuations longer than a move are compared by their first move.
#[must_use]
pub fn compare_trees(native: &SolutionLine, visits: &[u64], machine: &TreeAnswer) -> Vec<Difference> {
    let key = native.key;
    let machine = match machine.tree_of(key) {
        Ok(tree) => tree,
        Err(reported) => return vec![Difference::machine(reported)],
    };
    let names = |moves: &[NamedMove]| moves.iter().map(|named| named.half_move).collect::<Vec<Move>>();
    let items = |threats: &[Move], replies: &[(Move, u32, Vec<Move>)]| {
        let mut items: Vec<String> = threats.iter().map(|threat| format!("1.{key} threat {threat}")).collect();
        for (reply, length, answers) in replies {
            items.push(format!("1.{key} {reply}, mate in {length}"));
            items.extend(answers.iter().map(|answer| format!("1.{key} {reply} 2.{answer}")));
        }
        items
    };
    let of_native: Vec<_> =
        native.variations.iter().map(|met| (met.reply.half_move, met.length(), met.answers().collect())).collect();
    let of_machine: Vec<_> = machine.replies.iter().map(|met| (met.reply, met.length, met.answers.clone())).collect();
    let mut differences =
        compare_sets(items(&names(&native.threats), &of_native), items(&machine.threats, &of_machine));
    // The native tree goes on below continuations; the machine only names them and visits nothing more.
    if native.variations.iter().all(|variation| variation.continuations.is_empty()) {
        differences.extend(compare_visits(&format!("1.{key} "), visits, &machine.visits));
    }
    differences
}

fn compare_visits(prefix: &str, native: &[u64], machine: &[u64]) -> Vec<Difference> {
    let item = |(level, count): (usize, &u64)| format!("{prefix}{count} positions visited at level {}", level + 1);
    compare_sets(native.iter().enumerate().map(item), machine.iter().enumerate().map(item))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_differ_in_a_threat_a_reply_and_an_answer() {
        let problem = Problem::from_fen("7k/8/4P2K/8/8/8/8/8 w - - 0 1").unwrap();
        let key = "e6e7".parse().unwrap();
        let native = solve_key(&problem, 2, key, &Limits::default()).unwrap();
        let visits = native.positions_visited.levels();
        let program = MateProgram::built_in().unwrap();
        let run = program.tree(&problem, 2, key, &Settings::new(m220_isa::Model::M220, 10_000_000)).unwrap();
        let Ok(TreeAnswer::Tree(mut tree)) = run.outcome else {
            panic!("{:?}", run.outcome);
        };
        assert_eq!(compare_trees(&native.line, visits, &TreeAnswer::Tree(tree.clone())), []);
        tree.threats.pop();
        tree.replies[0].answers.push("e7e8n".parse().unwrap());
        tree.replies[0].length = 2;
        tree.replies.push(MachineReply { reply: "h8h7".parse().unwrap(), length: 1, answers: Vec::new() });
        let differences = compare_trees(&native.line, visits, &TreeAnswer::Tree(tree));
        let texts: Vec<String> = differences.iter().map(ToString::to_string).collect();
        assert_eq!(
            texts,
            [
                "only on the machine: 1.e6e7 h8g8 2.e7e8n",
                "missing on the machine: 1.e6e7 h8g8, mate in 1",
                "only on the machine: 1.e6e7 h8g8, mate in 2",
                "only on the machine: 1.e6e7 h8h7, mate in 1",
                "missing on the machine: 1.e6e7 threat e7e8r",
            ]
        );
    }
}
