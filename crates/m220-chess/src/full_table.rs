//! Which table of a machine program is full, by what the program left in core.

use crate::program::{MachineProgram, ProgramRun};
use m220_isa::{Address, Word};
use m220_machine::{Machine, Periphery};
use std::fmt;
use std::ops::DerefMut;

/// A table of a machine program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FullTable {
    /// `pool` of the program for trajectories: the halves of the trajectories of one piece.
    HalfTrajectories,
    /// `chain` of the same: what is left of a list that does not stand in one piece.
    Chain,
    /// `trajectories` and, towards them, `attacks`: what has been found.
    Trajectories,
    /// The list of moves of the programs that play chess.
    Moves,
    /// `answers` of the mate search.
    Answers,
    /// The map's attacks and their trajectories.
    MapAttacks,
    /// The moves of one position that keep their inequality.
    KeptMoves,
    /// The path to the position that is looked into.
    Path,
    /// The tree's positions and links, on the drum and in core.
    Store,
    /// The map's rows, as the machine tells them.
    Rows,
    /// `histogram` of the endings.
    Classes,
    /// A program that stands in for one of ours did not say which.
    Unnamed,
}

impl FullTable {
    /// Finds out which it is, after the program has stopped with result 4.
    pub(crate) fn left_by<M, P>(program: &MachineProgram, run: &ProgramRun<M>) -> FullTable
    where
        M: DerefMut<Target = Machine<P>>,
        P: Periphery,
    {
        let word = |name: &str| program.cell(name).ok().map(|at| run.word(at));
        let address = |name: &str| word(name).map(Word::a3).map(Address::get);
        if let Some(which) = address("full_table") {
            if program.cell("row_count").is_ok() {
                return match which {
                    1 | 2 => FullTable::MapAttacks,
                    3 => FullTable::KeptMoves,
                    4 => FullTable::Path,
                    5 => FullTable::Rows,
                    _ => FullTable::Unnamed,
                };
            }
            return match which {
                1 => FullTable::Moves,
                2 => FullTable::Answers,
                _ => FullTable::Unnamed,
            };
        }
        let chain = address("link_next").zip(address("link_last"));
        let output = address("output").zip(address("output_last"));
        match (chain, output) {
            (Some((next, last)), _) if next > last => FullTable::Chain,
            (_, Some((last, most))) if last > most => FullTable::Trajectories,
            (Some(_), Some(_)) => FullTable::HalfTrajectories,
            _ if program.cell("histogram").is_ok() => FullTable::Classes,
            _ => FullTable::Unnamed,
        }
    }

    /// What the command line can do about it.
    #[must_use]
    pub const fn advice(self) -> &'static str {
        match self {
            FullTable::HalfTrajectories
            | FullTable::Chain
            | FullTable::Trajectories
            | FullTable::MapAttacks
            | FullTable::KeptMoves
            | FullTable::Path
            | FullTable::Rows => "try a shorter --horizon, or --engine native, which has no such table",
            FullTable::Store => "try a smaller --share, or --engine native, which has no such table",
            FullTable::Moves | FullTable::Answers => "try fewer --moves, or --engine native, which has no such table",
            FullTable::Classes | FullTable::Unnamed => "--engine native has no such table",
        }
    }
}

impl fmt::Display for FullTable {
    /// `the machine program's list of moves`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FullTable::HalfTrajectories => "the machine program's table of half trajectories (`pool`)",
            FullTable::Chain => "the machine program's table of scattered lists (`chain`)",
            FullTable::Trajectories => "the machine program's table of trajectories and attacks",
            FullTable::Moves => "the machine program's list of moves",
            FullTable::Answers => "the machine program's table of answers",
            FullTable::MapAttacks => "the machine program's table of attacks and their trajectories",
            FullTable::KeptMoves => "the machine program's table of the moves of one position",
            FullTable::Path => "the machine program's table of the path",
            FullTable::Store => "the machine program's store of positions",
            FullTable::Rows => "the machine program's table of the map's rows",
            FullTable::Classes => "the machine program's table of classes",
            FullTable::Unnamed => "a table of the machine program",
        })
    }
}
