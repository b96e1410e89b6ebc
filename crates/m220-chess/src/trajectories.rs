//! The machine program for trajectories: inputs by name, answers read back, both engines compared.
//!
//! # The interface
//!
//! A square is the octal number FR, file and rank from 0: a1 = 00, a2 = 01, b1 = 10, h8 = 77. Numbers are in the low
//! bits of the address part. `board` holds a word for each square (empty: zero; a piece: A1 its colour, 1 for White and
//! 2 for Black, A2 its kind, 1 to 6 from pawn to king), `man` such a word. The inputs `man` to `max_moves` belong to the
//! tasks 1 (list) and 2 (bundle), `turn` and `horizon` to task 3 (attacks). The head of the program's text says what the
//! outputs hold.
//!
//! All output of the program is checked: an address beyond the table, bits that are not a trajectory or an impossible
//! count is a [`NoAnswer::Fault`] that names the word and its cell.

use crate::prelude::*;
use chess_reference::names::role_name;
use chess_reference::{Attack, Bundle, BundleSquare, Task, Trajectories, Trajectory};
use shakmaty::{File, Piece, Rank};
use std::ops::DerefMut;

/// The greatest length of a trajectory in the machine program: a word holds seven squares of six bits and their number.
pub const MOST_MOVES: u32 = 7;
/// The default bound on the search of the machine program.
pub const DEFAULT_MAX_MOVES: u32 = MOST_MOVES;

interface! {
    /// The cells of the interface. `attacks` grows downwards, towards cell 0001.
    struct TrajectoryCells {
        inputs: board[Size::Cells(64)], task, man, from_square, to_square, max_moves, turn, horizon;
        outputs: result, moves, count, trajectories[Size::Rest], bundle[Size::Cells(BUNDLE_CELLS)], attack_count, attacks;
    }
}

const HALF_TRAJECTORIES: FullTable = FullTable::of_horizon("the machine program's table of half trajectories (`pool`)");
const CHAIN: FullTable = FullTable::of_horizon("the machine program's table of scattered lists (`chain`)");
/// `trajectories` and, towards them, `attacks`.
const FOUND: FullTable = FullTable::of_horizon("the machine program's table of trajectories and attacks");

/// In `task`: all attacks.
const ATTACKS: u32 = 3;

chess_program! {
    /// The machine program for trajectories, with the cells of its interface resolved.
    pub struct TrajectoryProgram {
        cells: TrajectoryCells,
    }

    const BUILT_IN: BuiltIn = BuiltIn { name: "trajectories", cubes: 1 };
    const TABLES: &'static [FullTable] = &[HALF_TRAJECTORIES, CHAIN, FOUND];
    const TOO_LONG: &'static str = "the path is longer than the 7 moves that fit into a word of the machine program";

    /// The program does not say which; its cursors and limits show it.
    fn full_table(&self, word: &dyn Fn(&str) -> Option<Word>) -> FullTable {
        let address = |name| word(name).map(Word::a3).map(Address::get);
        let chain = address("link_next").zip(address("link_last"));
        let output = address("output").zip(address("output_last"));
        let full = match (chain, output) {
            (Some((next, last)), _) if next > last => CHAIN,
            (_, Some((last, most))) if last > most => FOUND,
            (Some(_), Some(_)) => HALF_TRAJECTORIES,
            _ => FullTable::UNNAMED,
        };
        // The way of one piece has no horizon.
        match word("task").map(|word| word.a3().get().into()) {
            Some(ATTACKS) => full,
            _ => FullTable { remedy: Remedy::NativeReference, ..full },
        }
    }
}

/// A piece whose shortest trajectories are asked for, and the most moves allowed.
#[derive(Clone, Copy, Debug)]
pub struct PieceTask<'a> {
    /// The board.
    pub board: &'a Board,
    /// The piece and its squares.
    pub task: &'a Task,
    /// The most moves.
    pub max_moves: u32,
}

/// The list of the shortest trajectories of a piece.
#[derive(Clone, Copy, Debug)]
pub struct ListQuestion<'a>(pub PieceTask<'a>);

/// Their bundle: the squares of the shortest trajectories, and the number of these.
#[derive(Clone, Copy, Debug)]
pub struct BundleQuestion<'a>(pub PieceTask<'a>);

/// All attacks of both sides, in the order of their squares' names.
#[derive(Clone, Copy, Debug)]
pub struct AttacksQuestion<'a> {
    /// The position.
    pub position: &'a Placement,
    /// How far to look, in half-moves.
    pub horizon: u32,
}

impl PieceTask<'_> {
    fn put(&self, cells: &TrajectoryCells, number: u32, run: &mut ProgramRun) -> Result<(), ProgramError> {
        put_board(run, cells.board, self.board)?;
        run.put_number(cells.task, number)?;
        run.put(cells.man, piece_word(Some(self.task.piece)))?;
        run.put_number(cells.from_square, u32::from(number_of(self.task.from)))?;
        run.put_number(cells.to_square, u32::from(number_of(self.task.to)))?;
        run.put_number(cells.max_moves, self.max_moves)
    }
}

impl ProgramQuestion for ListQuestion<'_> {
    type Program = TrajectoryProgram;
    type Answer = Trajectories;
    type Native = Result<Trajectories, TooMany>;

    fn put(&self, program: &TrajectoryProgram, run: &mut ProgramRun) -> Result<(), ProgramError> {
        self.0.put(&program.cells, 1, run)
    }

    fn read(
        &self,
        program: &TrajectoryProgram,
        run: &ProgramRun,
        ending: ResultCode,
    ) -> Result<Trajectories, NoAnswer> {
        let limit_reached = ending == ResultCode::SecondNo;
        if ending != ResultCode::Done {
            return Ok(Trajectories { moves: None, limit_reached, list: Vec::new() });
        }
        let moves = Some(program.moves(run)?);
        let mut list = Vec::new();
        for (at, word) in run.listed(program.cells.trajectories, ("count", program.cells.count))? {
            push_trajectory(&mut list, self.0.task.from, at, word)?;
        }
        list.sort_unstable();
        Ok(Trajectories { moves, limit_reached, list })
    }

    fn native(&self) -> Self::Native {
        chess_reference::shortest_trajectories(self.0.board, self.0.task, Some(self.0.max_moves))
    }

    fn differences(native: &Self::Native, machine: &Trajectories) -> Result<Vec<Difference>, String> {
        Ok(compare_lists(listed(native)?, machine))
    }
}

impl ProgramQuestion for BundleQuestion<'_> {
    type Program = TrajectoryProgram;
    type Answer = Bundle;
    type Native = Bundle;

    fn put(&self, program: &TrajectoryProgram, run: &mut ProgramRun) -> Result<(), ProgramError> {
        self.0.put(&program.cells, 2, run)
    }

    fn read(&self, program: &TrajectoryProgram, run: &ProgramRun, ending: ResultCode) -> Result<Bundle, NoAnswer> {
        let limit_reached = ending == ResultCode::SecondNo;
        if ending != ResultCode::Done {
            return Ok(Bundle { moves: None, limit_reached, count: 0, squares: Vec::new() });
        }
        let moves = Some(program.moves(run)?);
        let mut squares = Vec::new();
        for square in (0..64).filter_map(square_of) {
            // 16 cells per file, as in the program's mailbox board.
            let at = program.cells.bundle.cell(16 * square.file() as u16 + square.rank() as u16);
            squares.extend(bundle_square(square, at, run.word(at))?);
        }
        Ok(Bundle { moves, limit_reached, count: u128::from(run.number(program.cells.count)), squares })
    }

    fn native(&self) -> Bundle {
        chess_reference::bundle(self.0.board, self.0.task, Some(self.0.max_moves))
    }

    fn differences(native: &Bundle, machine: &Bundle) -> Result<Vec<Difference>, String> {
        Ok(compare_bundles(native, machine))
    }
}

impl ProgramQuestion for AttacksQuestion<'_> {
    type Program = TrajectoryProgram;
    type Answer = Vec<Attack>;
    type Native = Result<Vec<Attack>, TooMany>;

    fn put(
        &self,
        TrajectoryProgram { cells, .. }: &TrajectoryProgram,
        run: &mut ProgramRun,
    ) -> Result<(), ProgramError> {
        put_board(run, cells.board, &self.position.board)?;
        run.put_number(cells.task, ATTACKS)?;
        run.put_number(cells.turn, colour_number(self.position.turn))?;
        run.put_number(cells.horizon, self.horizon)
    }

    fn read(&self, program: &TrajectoryProgram, run: &ProgramRun, ending: ResultCode) -> Result<Vec<Attack>, NoAnswer> {
        ending.expect_done("the result code of a single piece's task, 2 or 3, for a survey of attacks")?;
        program.read_attacks(run, &self.position.board, self.position.turn)
    }

    fn native(&self) -> Self::Native {
        chess_reference::attacks(&self.position.board, self.position.turn, self.horizon)
    }

    fn differences(native: &Self::Native, machine: &Vec<Attack>) -> Result<Vec<Difference>, String> {
        Ok(compare_attacks(listed(native)?, machine))
    }
}

impl TrajectoryProgram {
    fn moves(&self, run: &ProgramRun) -> Result<u32, NoAnswer> {
        let moves = run.number(self.cells.moves);
        u32::try_from(moves)
            .ok()
            .filter(|moves| (1..=MOST_MOVES).contains(moves))
            .ok_or_else(|| NoAnswer::Fault(format!("{moves} moves, where 1 to {MOST_MOVES} are possible")))
    }

    /// Reads the table of attacks and the trajectories it points to.
    fn read_attacks(&self, run: &ProgramRun, board: &Board, turn: Color) -> Result<Vec<Attack>, NoAnswer> {
        let words: Vec<(CoreAddress, Word)> =
            run.listed(self.cells.trajectories, ("count", self.cells.count))?.collect();
        // This table grows downwards, towards cell 0001.
        let last = self.cells.attacks;
        let (count, room) = (run.number(self.cells.attack_count), last.cell().get());
        let count = u16::try_from(count)
            .ok()
            .filter(|&count| count <= room)
            .ok_or_else(|| NoAnswer::Fault(format!("`attack_count` is {count}, and there is room for {room}")))?;
        let cell = |index| CoreAddress::new(last.cube(), Address::truncating(u64::from(last.cell().get() - index)));
        let entries: Vec<(CoreAddress, Word)> = (0..count).map(cell).map(|at| (at, run.word(at))).collect();
        // The index of each attack's first trajectory; the end follows the last attack.
        let mut starts = Vec::with_capacity(entries.len() + 1);
        for &(at, word) in &entries {
            let base = usize::from(self.cells.trajectories.at.cell().get());
            let index = usize::from(word.a3().get()).checked_sub(base).filter(|&index| index < words.len());
            starts.push(index.ok_or_else(|| no_attack(at, word, "its third field is outside the trajectories"))?);
        }
        starts.push(words.len());
        if starts[0] != 0 {
            return Err(NoAnswer::Fault(format!("{} trajectories before those of the first attack", starts[0])));
        }
        let mut attacks = Vec::with_capacity(entries.len());
        for (&(at, word), bounds) in entries.iter().zip(starts.windows(2)) {
            let Some(range) = words.get(bounds[0]..bounds[1]).filter(|range| !range.is_empty()) else {
                return Err(no_attack(at, word, "it has no trajectories before those of the next"));
            };
            attacks.push(attack(board, turn, at, word, range)?);
        }
        attacks.sort_by_key(|attack| (number_of(attack.from), number_of(attack.to)));
        Ok(attacks)
    }
}

/// Compares attacks, trajectory by trajectory.
#[must_use]
pub fn compare_attacks(native: &Vec<Attack>, machine: &Vec<Attack>) -> Vec<Difference> {
    compare_items(native, machine, |attacks| attack_items(attacks).collect())
}

/// Compares lists of trajectories: their length, whether longer ones exist, and the trajectories as a set.
#[must_use]
pub fn compare_lists(native: &Trajectories, machine: &Trajectories) -> Vec<Difference> {
    let mut differences =
        compare_sets([length(native.moves, native.limit_reached)], [length(machine.moves, machine.limit_reached)]);
    differences.extend(compare_sets(&native.list, &machine.list));
    differences
}

/// Compares bundles: length, number of trajectories, and the squares with their two numbers.
#[must_use]
pub fn compare_bundles(native: &Bundle, machine: &Bundle) -> Vec<Difference> {
    let mut differences =
        compare_sets([length(native.moves, native.limit_reached)], [length(machine.moves, machine.limit_reached)]);
    differences.extend(compare_items(native, machine, |bundle| {
        let count = format!("a bundle of {} trajectories", bundle.count);
        let square = |place: &BundleSquare| format!("bundle {} {}+{}", place.square, place.from_start, place.to_target);
        std::iter::once(count).chain(bundle.squares.iter().map(square)).collect()
    }));
    differences
}

fn length(moves: Option<u32>, limit_reached: bool) -> String {
    match (moves, limit_reached) {
        (Some(moves), _) => format!("a shortest route of {moves} moves"),
        (None, true) => "a route, but a longer one than allowed".to_owned(),
        (None, false) => "no route at all".to_owned(),
    }
}

/// One line for every trajectory of every attack: side, piece, squares, trajectory.
fn attack_items(attacks: &[Attack]) -> impl Iterator<Item = String> + '_ {
    attacks.iter().flat_map(|attack| {
        let head = format!("{} {} {}-{}", colour_name(attack.side), role_name(attack.piece), attack.from, attack.to);
        attack.trajectories.iter().map(move |trajectory| format!("{head}: {trajectory}"))
    })
}

/// The machine's number of a square, 8 x file + rank.
pub(crate) fn number_of(square: Square) -> u16 {
    u16::from(square.file() as u8) * 8 + u16::from(square.rank() as u8)
}

/// The square of that number, if there is one.
pub(crate) fn square_of(number: u16) -> Option<Square> {
    // The machine counts file by file, shakmaty rank by rank.
    (number < 64).then(|| Square::new(u32::from(number)).flip_diagonal())
}

pub(crate) fn colour_number(colour: Color) -> u32 {
    colour.fold_wb(1, 2)
}

/// The square in a place of the program's mailbox board, 16 x file + rank, if there is one.
pub(crate) fn square_in_mailbox(place: u16) -> Option<Square> {
    (place & 0o10 == 0 && place < 8 * 16)
        .then(|| Square::from_coords(File::new(u32::from(place >> 4)), Rank::new(u32::from(place & 7))))
}

/// The cells of the bundle, the last file without its margin.
const BUNDLE_CELLS: u16 = 7 * 16 + 8;

/// Writes a board.
pub(crate) fn put_board<M, P>(run: &mut ProgramRun<M>, cells: Table, board: &Board) -> Result<(), ProgramError>
where
    M: DerefMut<Target = Machine<P>>,
    P: Periphery,
{
    Square::ALL
        .into_iter()
        .try_for_each(|square| run.put(cells.cell(number_of(square)), piece_word(board.piece_at(square))))
}

/// A piece as it stands in the machine's board: A1 its colour, A2 its kind.
pub(crate) fn piece_word(piece: Option<Piece>) -> Word {
    piece.map_or(Word::ZERO, |piece| {
        let (colour, kind) = (colour_number(piece.color), piece.role as u64);
        Word::instruction(0, Address::truncating(u64::from(colour)), Address::truncating(kind), Address::ZERO)
    })
}

/// Adds a trajectory to a list, read from its word: the number of moves in bits 45-43, then six bits for every square
/// after the start.
fn push_trajectory(list: &mut Vec<Trajectory>, from: Square, at: CoreAddress, word: Word) -> Result<(), NoAnswer> {
    let bits = word.bits();
    let moves = (bits >> 42) as usize;
    if moves == 0 || bits & ((1 << (42 - 6 * moves)) - 1) != 0 {
        return Err(no_trajectory(at, word));
    }
    // Built in the list: a copy made right after its squares were stored would make the host wait.
    let trajectory = list.push_mut(Trajectory::starting_at(from, moves as u32));
    for step in 1..=moves {
        trajectory.set(step, Square::new((bits >> (42 - 6 * step) & 0o77) as u32).flip_diagonal());
    }
    Ok(())
}

#[cold]
fn no_trajectory(at: CoreAddress, word: Word) -> NoAnswer {
    let what = if word.bits() >> 42 == 0 { "it has no moves" } else { "there are bits after its last square" };
    NoAnswer::Fault(format!("the word {word} in {at} is not a trajectory: {what}"))
}

/// Reads a square of the bundle from its cell; `None` for a zero word.
fn bundle_square(square: Square, at: CoreAddress, word: Word) -> Result<Option<BundleSquare>, NoAnswer> {
    if word == Word::ZERO {
        return Ok(None);
    }
    match (word.upper(), word.a1().get()) {
        (0, 1) => Ok(Some(BundleSquare {
            square,
            from_start: u32::from(word.a2().get()),
            to_target: u32::from(word.a3().get()),
        })),
        _ => Err(NoAnswer::of_word((at, word), "a square of a bundle")),
    }
}

fn no_attack(at: CoreAddress, word: Word, why: &str) -> NoAnswer {
    NoAnswer::of_word((at, word), &format!("an attack: {why}"))
}

/// Reads an attack from its word and those of its trajectories, at least one.
fn attack(
    board: &Board,
    turn: Color,
    at: CoreAddress,
    word: Word,
    words: &[(CoreAddress, Word)],
) -> Result<Attack, NoAnswer> {
    let square = |place: Address| square_of(place.get()).ok_or_else(|| no_attack(at, word, "a field is not a square"));
    let (from, to) = (square(word.a1())?, square(word.a2())?);
    let Some(piece) = board.piece_at(from) else {
        return Err(no_attack(at, word, &format!("no piece stands on {from}")));
    };
    let mut trajectories = Vec::with_capacity(words.len());
    for &(at, word) in words {
        push_trajectory(&mut trajectories, from, at, word)?;
    }
    trajectories.sort_unstable();
    // A trajectory has a move at least.
    let moves = trajectories.first().map_or(1, Trajectory::moves);
    Ok(Attack { trajectories, ..Attack::new(board, piece, (from, to), moves, piece.color == turn) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_counted_file_by_file() {
        for (square, number) in [(Square::A1, 0), (Square::A2, 0o1), (Square::B1, 0o10), (Square::H8, 0o77)] {
            assert_eq!((number_of(square), square_of(number)), (number, Some(square)));
        }
        assert_eq!(square_of(64), None);
        assert!(Square::ALL.into_iter().all(|square| square_of(number_of(square)) == Some(square)));
    }

    #[test]
    fn pieces_are_colour_and_kind() {
        assert_eq!(piece_word(None), Word::ZERO);
        assert_eq!(piece_word(Some(Role::Pawn.of(Color::White))).grouped(), "0 00 0001 0001 0000");
        assert_eq!(piece_word(Some(Role::King.of(Color::Black))).grouped(), "0 00 0002 0006 0000");
    }

    fn read(word: &str) -> Result<String, String> {
        let mut list = Vec::new();
        match push_trajectory(&mut list, Square::A4, CoreAddress::default(), word.parse().unwrap()) {
            Ok(()) => Ok(list[0].to_string()),
            Err(NoAnswer::Fault(fault)) => Err(fault),
            Err(NoAnswer::Refused(refusal)) => Err(refusal.name().to_owned()),
        }
    }

    #[test]
    fn trajectories_are_words() {
        assert_eq!(read("7 13 2333 4353 6373").as_deref(), Ok("a4b4c4d4e4f4g4h4"));
        assert_eq!(read("2 14 2300 0000 0000").as_deref(), Ok("a4b5c4"));
        // A last square a1 is all zeros.
        assert_eq!(read("1 00 0000 0000 0000").as_deref(), Ok("a4a1"));
        assert!(read("0 00 0000 0000 0000").unwrap_err().contains("no moves"));
        assert!(read("1 14 0000 0000 0001").unwrap_err().contains("after its last square"));
    }
}
