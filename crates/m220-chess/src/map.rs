//! The machine programs for the mathematical map: MAP for exchanges, the map and the inequality of hope, EXPERIMENT for
//! the analysis.
//!
//! # The interface
//!
//! A square is a number of the mailbox board, 16 x file + rank. Inputs: `board`, `turn` and `horizon` as in
//! [`crate::trajectories`]; `reading`; for MAP `task` (1 exchanges, 2 map, 3 tests, 5 worth), for task 3 `base`, the
//! position that gains are counted from, for task 5 `nu`; for EXPERIMENT `share`. Outputs: `result`, `full_table`; of
//! MAP `row_count` rows in cube 2 from cell 0001 on. A row is a word: its kind in bits 45-43, a small number in bits
//! 42-37, three addresses. `map/rows.rs` and the head of the program's text explain them. EXPERIMENT leaves `firsts`
//! and `order_sums`, and needs the drum.
//!
//! All output is checked: bad words are a [`NoAnswer::Fault`] that names the cell.

mod analysis;
mod rows;

pub use analysis::{
    AnalysisQuestion, BegunAnalysis, ExperimentProgram, MOST_SHARE, MachineAnalysis, MachineFirstMove, NotResumed,
    compare_choices, refuse_if_store_was_full,
};

use crate::full_table::FullTable;
use crate::interface::{InterfaceCells, Size, Table, interface};
use crate::program::{BuiltIn, MachineProgram, ProgramError, Settings};
use crate::run::{self, ChessProgram, ProgramRun};
use crate::trajectories::{colour_number, number_of, piece_word};
use crate::verdict::{Compared, ComparedLists, Difference, MachineRun, NoAnswer, compare_items, compare_sets};
use chess_reference::Placement;
use chess_reference::map::exchange::Exchanges;
use chess_reference::map::{Gamma, Hope, Interpretation, Map, OwnPieces, Reach, StopWorth, Style, Tests, Weighed};
use m220_isa::{Address, CoreAddress};
use m220_machine::{Machine, Periphery};
use rows::{Rows, exchange_items, map_items, test_items, worth_items};
use shakmaty::{Board, Color, Square};
use std::ops::DerefMut;

/// The greatest horizon of the machine program, in half-moves: attacks of up to two moves of each side.
pub const MOST_HORIZON: u32 = 4;

/// The machine program for the map, with the cells of its interface resolved.
#[derive(Clone, Debug)]
pub struct MapProgram {
    program: MachineProgram,
    cells: MapCells,
}

interface! {
    /// The cells of the interface.
    struct MapCells {
        inputs: board[Size::Cells(64)], base[Size::Cells(64)], task, turn, horizon, reading, nu;
        outputs: result, full_table, row_count;
    }
}

/// The rows: cube 2 from cell 0001 on.
const ROWS: Table = Table { at: CoreAddress::new(2, Address::truncating(1)), cells: 0o7777 };

/// The tables that both map programs can fill, as `full_table` counts them.
const TABLES: &[FullTable] = &[
    FullTable::of_horizon("the machine program's table of attacks and their trajectories"),
    FullTable::of_horizon("the machine program's table of attacks and their trajectories"),
    FullTable::of_horizon("the machine program's table of the moves of one position"),
    FullTable::of_horizon("the machine program's table of the path"),
    FullTable::of_horizon("the machine program's table of the map's rows"),
];

/// Whether the machine programs' lists can hold a position: at most 16 pieces a side.
#[must_use]
pub fn is_held(position: &Placement) -> bool {
    Color::ALL.into_iter().all(|side| position.board.by_color(side).count() <= 16)
}

/// What both programs reject.
const UNSUPPORTED: &str = "the machine program looks 1 to 4 half-moves ahead, and takes at most 16 pieces a side";

/// A question to the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MapQuestion<'a> {
    /// What every move wins, which pieces bear on which square, whose king can be taken.
    Exchanges,
    /// The map: `turn` to move, the horizon in half-moves.
    Map {
        /// The side to move.
        turn: Color,
        /// The horizon, in half-moves.
        horizon: u32,
        /// The effect of own pieces in the way.
        own_pieces: OwnPieces,
        /// How far the attacks of the side not to move count.
        reach: Reach,
    },
    /// The tests of all sensible moves.
    Tests {
        /// Where gains are counted from.
        root: &'a Board,
        /// The side to move.
        turn: Color,
        /// The horizon, in half-moves.
        horizon: u32,
        /// How the book is read.
        interpretation: Interpretation,
        /// Each inequality is also decided as an analysis decides it.
        decides: bool,
    },
    /// What the position is worth by formula (12), also after each move.
    Worth {
        /// The side to move.
        turn: Color,
        /// The horizon, in half-moves.
        horizon: u32,
        /// nu of formula (11).
        nu: u32,
        /// How moves are weighed.
        style: Style,
    },
}

/// Writes a board as the map programs take it.
fn put_board<M, P>(run: &mut ProgramRun<M>, cells: Table, board: &Board) -> Result<(), ProgramError>
where
    M: DerefMut<Target = Machine<P>>,
    P: Periphery,
{
    Square::ALL
        .into_iter()
        .try_for_each(|square| run.put(cells.cell(number_of(square)), piece_word(board.piece_at(square))))
}

/// The bits of `reading` for an interpretation, if the machine program has it.
fn reading(interpretation: Interpretation) -> Result<u32, ProgramError> {
    let Interpretation { hope, stop, gamma, own_pieces, recognition: _ } = interpretation;
    let strict = if hope == Hope::Strict { 0o1 } else { 0 };
    let closed = closed(own_pieces);
    let material = if stop == StopWorth::Material { 0o4 } else { 0 };
    let gamma = match gamma {
        Gamma::FallsOrAlong => 0,
        Gamma::FallsOrOpen => 0o10,
        Gamma::Falls => 0o20,
        Gamma::FallsInAll => return Err(ProgramError::Reading),
    };
    Ok(strict | closed | material | gamma)
}

/// The bits of `reading` for own pieces in the way.
const fn closed(own_pieces: OwnPieces) -> u32 {
    match own_pieces {
        OwnPieces::StepAside => 0,
        OwnPieces::Closed => OWN_PIECES_CLOSED,
    }
}

/// The bits of `reading` for a style.
const fn doubled(style: Style) -> u32 {
    match style {
        Style::Even => 0,
        Style::Active => OWN_DOUBLED,
        Style::Passive => OTHERS_DOUBLED,
    }
}

impl ChessProgram for MapProgram {
    const BUILT_IN: BuiltIn = BuiltIn { name: "map", cubes: 4 };

    const CELLS: &'static [&'static [InterfaceCells]] = &[MapCells::LIST];
    const TABLES: &'static [FullTable] = TABLES;
    const UNSUPPORTED: &'static str = UNSUPPORTED;

    fn new(program: MachineProgram) -> Result<MapProgram, ProgramError> {
        Ok(MapProgram { cells: MapCells::find(&program)?, program })
    }

    fn program(&self) -> &MachineProgram {
        &self.program
    }
}

impl MapProgram {
    /// A fresh machine with the program and a question in core, not yet started.
    ///
    /// # Errors
    /// [`ProgramError::DoesNotFit`] if the machine is too small for the program.
    pub fn prepare(
        &self,
        board: &Board,
        question: MapQuestion<'_>,
        settings: &Settings,
    ) -> Result<ProgramRun, ProgramError> {
        let mut run = ProgramRun::new(&self.program, settings.config)?;
        let cells = &self.cells;
        put_board(&mut run, cells.board, board)?;
        let (task, looked) = match question {
            MapQuestion::Exchanges => (1, None),
            MapQuestion::Map { turn, horizon, own_pieces, reach } => {
                let own_turn = if reach == Reach::OwnTurn { FROM_OWN_TURN } else { 0 };
                (2, Some((turn, horizon, closed(own_pieces) | own_turn)))
            }
            MapQuestion::Tests { root, turn, horizon, interpretation, decides } => {
                put_board(&mut run, cells.base, root)?;
                (3, Some((turn, horizon, reading(interpretation)? | if decides { DECIDES } else { 0 })))
            }
            MapQuestion::Worth { turn, horizon, nu, style } => {
                run.put_number(cells.nu, nu)?;
                (5, Some((turn, horizon, doubled(style))))
            }
        };
        run.put_number(cells.task, task)?;
        if let Some((turn, horizon, reading)) = looked {
            run.put_number(cells.turn, colour_number(turn))?;
            run.put_number(cells.horizon, horizon)?;
            run.put_number(cells.reading, reading)?;
        }
        Ok(run)
    }

    /// The machine's exchanges.
    ///
    /// # Errors
    /// As [`MapProgram::prepare`].
    pub fn exchanges(&self, board: &Board, settings: &Settings) -> Result<MachineRun<Exchanges>, ProgramError> {
        self.ask(board, MapQuestion::Exchanges, settings, |rows| rows.exchanges())
    }

    /// The machine's map.
    ///
    /// # Errors
    /// As [`MapProgram::prepare`].
    pub fn map(
        &self,
        board: &Board,
        turn: Color,
        horizon: u32,
        own_pieces: OwnPieces,
        reach: Reach,
        settings: &Settings,
    ) -> Result<MachineRun<Map>, ProgramError> {
        let question = MapQuestion::Map { turn, horizon, own_pieces, reach };
        self.ask(board, question, settings, |rows| rows.map(board, turn, horizon))
    }

    /// The machine's tests of all moves in `position`, gains counted from `root`.
    ///
    /// # Errors
    /// As [`MapProgram::prepare`].
    pub fn tests(
        &self,
        root: &Board,
        position: &Placement,
        horizon: u32,
        interpretation: Interpretation,
        settings: &Settings,
    ) -> Result<MachineRun<Tests>, ProgramError> {
        let question = MapQuestion::Tests { root, turn: position.turn, horizon, interpretation, decides: false };
        self.ask(&position.board, question, settings, |rows| rows.tests(position.turn, false))
    }

    /// Sets a question, runs the machine, and reads the rows.
    fn ask<T>(
        &self,
        board: &Board,
        question: MapQuestion<'_>,
        settings: &Settings,
        read: impl FnOnce(&mut Rows) -> Result<T, NoAnswer>,
    ) -> Result<MachineRun<T>, ProgramError> {
        let run = self.prepare(board, question, settings)?;
        run::ask(self, run, &settings.limits, |run, ending| {
            ending.expect_done("the result code of an analysis, 2 or 3, for rows")?;
            let mut rows = Rows::new(run.listed(ROWS, ("row_count", self.cells.row_count))?);
            let answer = read(&mut rows)?;
            rows.finish()?;
            Ok(answer)
        })
    }

    /// Asks both engines for the exchanges, and compares them.
    ///
    /// # Errors
    /// As [`MapProgram::prepare`].
    pub fn compare_exchanges(&self, board: &Board, settings: &Settings) -> Result<Compared<Exchanges>, ProgramError> {
        let machine = self.exchanges(board, settings)?;
        Ok(Compared::of(Exchanges::of(board), machine, |native, machine| {
            compare_in_order(exchange_items(native), exchange_items(machine))
        }))
    }

    /// Asks both engines for the map, and compares every row.
    ///
    /// # Errors
    /// As [`MapProgram::prepare`].
    pub fn compare_map(
        &self,
        board: &Board,
        turn: Color,
        horizon: u32,
        own_pieces: OwnPieces,
        reach: Reach,
        settings: &Settings,
    ) -> Result<ComparedLists<Map>, ProgramError> {
        let native = Map::by(board, turn, horizon, reach, own_pieces);
        let machine = self.map(board, turn, horizon, own_pieces, reach, settings)?;
        Ok(Compared::lists(native, machine, compare_maps))
    }

    /// Asks both engines for the tests of all moves in `position`, gains counted from `root`, and compares every number;
    /// if asked, also the program's decision of each inequality by the way that an analysis takes.
    ///
    /// # Errors
    /// As [`MapProgram::prepare`].
    pub fn compare_tests(
        &self,
        root: &Board,
        position: &Placement,
        horizon: u32,
        interpretation: Interpretation,
        decides: bool,
        settings: &Settings,
    ) -> Result<ComparedLists<Tests>, ProgramError> {
        let native = Tests::of(interpretation, root, position, horizon);
        let question = MapQuestion::Tests { root, turn: position.turn, horizon, interpretation, decides };
        let machine = self.ask(&position.board, question, settings, |rows| rows.tests(position.turn, decides))?;
        Ok(Compared::lists(native, machine, |native, machine| {
            compare_in_order(test_items(native), test_items(machine))
        }))
    }

    /// Asks both engines what a position is worth, and each move in it, and compares every number.
    ///
    /// # Errors
    /// As [`MapProgram::prepare`].
    pub fn compare_worth(
        &self,
        position: &Placement,
        horizon: u32,
        nu: u32,
        style: Style,
        settings: &Settings,
    ) -> Result<ComparedLists<Weighed>, ProgramError> {
        let native = Weighed::of(position, horizon, nu, style);
        let question = MapQuestion::Worth { turn: position.turn, horizon, nu, style };
        let machine = self.ask(&position.board, question, settings, |rows| rows.worth(&position.board))?;
        Ok(Compared::lists(native, machine, |native, machine| compare_items(native, machine, worth_items)))
    }
}

/// Compares two maps row by row, and what the rows do not show.
#[must_use]
pub fn compare_maps(native: &Map, machine: &Map) -> Vec<Difference> {
    let items = compare_in_order(map_items(native), map_items(machine));
    if items.is_empty() && native != machine { vec![Difference::machine("another map")] } else { items }
}

/// The bits of `reading`: own pieces in the way close it.
const OWN_PIECES_CLOSED: u32 = 0o2;
/// The attacks of the side not to move are counted from its own next turn (task 2).
const FROM_OWN_TURN: u32 = 0o40;
/// KEEPS is asked as well (task 3).
const DECIDES: u32 = 0o40;
/// Own attacks count double in the weight of a move (task 5).
const OWN_DOUBLED: u32 = 0o100;
/// The other side's attacks count double (task 5).
const OTHERS_DOUBLED: u32 = 0o200;

/// The items that only one of two lists has, or the first that is out of order.
fn compare_in_order(native: Vec<String>, machine: Vec<String>) -> Vec<Difference> {
    let differences = compare_sets(&native, &machine);
    if !differences.is_empty() {
        return differences;
    }
    let moved = native.iter().zip(&machine).find(|(native, machine)| native != machine);
    moved
        .map(|(native, machine)| Difference::machine(format!("{machine}, where {native} belongs")))
        .into_iter()
        .collect()
}
