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
    AnalysisQuestion, BegunAnalysis, ExperimentProgram, MOST_SHARE, MachineAnalysis, MachineFirstMove, compare_choices,
    refuse_if_store_was_full,
};

use crate::prelude::*;
use crate::trajectories::{colour_number, put_board};
use chess_reference::map::exchange::Exchanges;
use chess_reference::map::{Gamma, Hope, Interpretation, Map, OwnPieces, Reach, StopWorth, Style, Tests, Weighed};
use rows::{Rows, exchange_items, map_items, test_items, worth_items};

/// The greatest horizon of the machine program, in half-moves: attacks of up to two moves of each side.
pub const MOST_HORIZON: u32 = 4;

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
    FullTable::of_horizon("the machine program's table for the path"),
    FullTable::of_horizon("the machine program's table of rows or of blocks"),
];

/// Whether the machine programs' lists can hold a position: at most 16 pieces a side.
#[must_use]
pub fn is_held(position: &Placement) -> bool {
    Color::ALL.into_iter().all(|side| position.board.by_color(side).count() <= 16)
}

/// What both programs reject.
const UNSUPPORTED: &str = "the machine program looks 1 to 4 half-moves ahead, and takes at most 16 pieces a side";

/// What every move wins, which pieces bear on which square, whose king can be taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExchangeQuestion<'a> {
    /// The board.
    pub board: &'a Board,
}

/// The map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MapQuestion<'a> {
    /// The position.
    pub position: &'a Placement,
    /// The horizon, in half-moves.
    pub horizon: u32,
    /// The effect of own pieces in the way.
    pub own_pieces: OwnPieces,
    /// How far the attacks of the side not to move count.
    pub reach: Reach,
}

/// The tests of all sensible moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TestsQuestion<'a> {
    /// Where gains are counted from.
    pub root: &'a Board,
    /// The position.
    pub position: &'a Placement,
    /// The horizon, in half-moves.
    pub horizon: u32,
    /// How the book is read.
    pub interpretation: Interpretation,
    /// Each inequality is also decided as an analysis decides it.
    pub decides: bool,
}

/// What the position is worth by formula (12), also after each move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WorthQuestion<'a> {
    /// The position.
    pub position: &'a Placement,
    /// The horizon, in half-moves.
    pub horizon: u32,
    /// nu of formula (11).
    pub nu: u32,
    /// How moves are weighed.
    pub style: Style,
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
        Gamma::FallsInAll => {
            return Err(Sentence::from("the machine program does not count q over all trajectories").into());
        }
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

chess_program! {
    /// The machine program for the map, with the cells of its interface resolved.
    pub struct MapProgram {
        cells: MapCells,
    }

    const BUILT_IN: BuiltIn = BuiltIn { name: "map", cubes: 3 };
    const TABLES: &'static [FullTable] = TABLES;
    const UNSUPPORTED: &'static str = UNSUPPORTED;
}

impl MapProgram {
    /// Writes the number of a task about a position, how far to look, and the bits of `reading`.
    fn put(
        &self,
        run: &mut ProgramRun,
        (task, position, horizon): (u32, &Placement, u32),
        reading: u32,
    ) -> Result<(), ProgramError> {
        let cells = &self.cells;
        put_board(run, cells.board, &position.board)?;
        run.put_number(cells.task, task)?;
        run.put_number(cells.turn, colour_number(position.turn))?;
        run.put_number(cells.horizon, horizon)?;
        run.put_number(cells.reading, reading)
    }

    /// Reads the rows, all of them.
    fn rows<T>(
        &self,
        run: &ProgramRun,
        ending: ResultCode,
        read: impl FnOnce(&mut Rows) -> Result<T, NoAnswer>,
    ) -> Result<T, NoAnswer> {
        ending.expect_done("the result code of an analysis, 2 or 3, for rows")?;
        let mut rows = Rows::new(run.listed(ROWS, ("row_count", self.cells.row_count))?);
        let answer = read(&mut rows)?;
        rows.finish()?;
        Ok(answer)
    }
}

impl ProgramQuestion for ExchangeQuestion<'_> {
    type Program = MapProgram;
    type Answer = Exchanges;
    type Native = Exchanges;

    fn put(&self, MapProgram { cells, .. }: &MapProgram, run: &mut ProgramRun) -> Result<(), ProgramError> {
        put_board(run, cells.board, self.board)?;
        run.put_number(cells.task, 1)
    }

    fn read(&self, program: &MapProgram, run: &ProgramRun, ending: ResultCode) -> Result<Exchanges, NoAnswer> {
        program.rows(run, ending, Rows::exchanges)
    }

    fn native(&self) -> Exchanges {
        Exchanges::of(self.board)
    }

    fn differences(native: &Exchanges, machine: &Exchanges) -> Result<Vec<Difference>, String> {
        Ok(compare_in_order(exchange_items(native), exchange_items(machine)))
    }
}

impl ProgramQuestion for MapQuestion<'_> {
    type Program = MapProgram;
    type Answer = Map;
    type Native = Result<Map, TooMany>;

    fn put(&self, program: &MapProgram, run: &mut ProgramRun) -> Result<(), ProgramError> {
        let own_turn = if self.reach == Reach::OwnTurn { FROM_OWN_TURN } else { 0 };
        program.put(run, (2, self.position, self.horizon), closed(self.own_pieces) | own_turn)
    }

    fn read(&self, program: &MapProgram, run: &ProgramRun, ending: ResultCode) -> Result<Map, NoAnswer> {
        let Placement { board, turn, .. } = self.position;
        program.rows(run, ending, |rows| rows.map(board, *turn, self.horizon))
    }

    fn native(&self) -> Self::Native {
        let Placement { board, turn, .. } = self.position;
        Map::by(board, *turn, self.horizon, self.reach, self.own_pieces)
    }

    fn differences(native: &Self::Native, machine: &Map) -> Result<Vec<Difference>, String> {
        Ok(compare_maps(listed(native)?, machine))
    }
}

impl ProgramQuestion for TestsQuestion<'_> {
    type Program = MapProgram;
    type Answer = Tests;
    type Native = Result<Tests, TooMany>;

    fn put(&self, program: &MapProgram, run: &mut ProgramRun) -> Result<(), ProgramError> {
        put_board(run, program.cells.base, self.root)?;
        let decides = if self.decides { DECIDES } else { 0 };
        program.put(run, (3, self.position, self.horizon), reading(self.interpretation)? | decides)
    }

    /// If asked to decide as well, each decision is that of the numbers.
    fn read(&self, program: &MapProgram, run: &ProgramRun, ending: ResultCode) -> Result<Tests, NoAnswer> {
        program.rows(run, ending, |rows| rows.tests(self.position.turn, self.decides))
    }

    fn native(&self) -> Self::Native {
        Tests::of(self.interpretation, self.root, self.position, self.horizon)
    }

    fn differences(native: &Self::Native, machine: &Tests) -> Result<Vec<Difference>, String> {
        Ok(compare_in_order(test_items(listed(native)?), test_items(machine)))
    }
}

impl ProgramQuestion for WorthQuestion<'_> {
    type Program = MapProgram;
    type Answer = Weighed;
    type Native = Result<Weighed, TooMany>;

    fn put(&self, program: &MapProgram, run: &mut ProgramRun) -> Result<(), ProgramError> {
        run.put_number(program.cells.nu, self.nu)?;
        program.put(run, (5, self.position, self.horizon), doubled(self.style))
    }

    fn read(&self, program: &MapProgram, run: &ProgramRun, ending: ResultCode) -> Result<Weighed, NoAnswer> {
        program.rows(run, ending, |rows| rows.worth(&self.position.board))
    }

    fn native(&self) -> Self::Native {
        Weighed::of(self.position, self.horizon, self.nu, self.style)
    }

    fn differences(native: &Self::Native, machine: &Weighed) -> Result<Vec<Difference>, String> {
        Ok(compare_items(listed(native)?, machine, worth_items))
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
