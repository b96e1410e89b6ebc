//! The machine program for doublets: inputs by name, the new position read back, both engines compared.
//!
//! # The interface
//!
//! A square is 16 x rank + file, both from 0, in the second address of its word. A piece has a bit for each way of
//! moving, the queen the bishop's and the rook's. The boards and `castling` are inputs and outputs. The head of the
//! program's text says what the cells hold.
//!
//! All output of the program is checked.

use crate::position_cells::{RIGHTS, rights_number};
use crate::prelude::*;
use chess_reference::sync::{Doublet, SyncEvent, SyncMove, SyncState, resolve};
use shakmaty::{ByColor, Piece};

/// Cells from a1 to h8: sixteen to a rank.
const BOARD: Size = Size::Cells(7 * 16 + 8);

interface! {
    /// The cells of the interface. The boards and `castling` are read back, too.
    struct SyncCells {
        inputs: white_board[BOARD], black_board[BOARD], white_move, black_move, castling;
        outputs: result, white_events, black_events, white_check, black_check, white_passing, black_passing,
            white_barred, black_barred;
    }
}

impl SyncCells {
    fn board(&self, side: Color, square: Square) -> CoreAddress {
        side.fold_wb(self.white_board, self.black_board).cell(number(square))
    }
}

/// A doublet carried out, with all that the machine reports of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MachineDoublet {
    /// The position after it, and what happened to each side's move.
    pub doublet: Doublet,
    /// Whose king is in check.
    pub check: ByColor<bool>,
}

impl From<Doublet> for MachineDoublet {
    fn from(doublet: Doublet) -> MachineDoublet {
        let check = ByColor::new_with(|side| doublet.after.in_check(side));
        MachineDoublet { doublet, check }
    }
}

chess_program! {
    /// The machine program for doublets, with the cells of its interface resolved.
    pub struct SyncProgram {
        cells: SyncCells,
    }

    const BUILT_IN: BuiltIn = BuiltIn { name: "doublet", cubes: 1 };
}

/// A doublet to be carried out.
#[derive(Clone, Copy, Debug)]
pub struct SyncQuestion<'a> {
    /// The position.
    pub state: &'a SyncState,
    /// The move written by each side that moves.
    pub written: ByColor<Option<SyncMove>>,
}

impl ProgramQuestion for SyncQuestion<'_> {
    type Program = SyncProgram;
    type Answer = MachineDoublet;
    type Native = MachineDoublet;

    fn put(&self, SyncProgram { cells, .. }: &SyncProgram, run: &mut ProgramRun) -> Result<(), ProgramError> {
        for (square, piece) in self.state.board.iter() {
            run.put(cells.board(piece.color, square), piece_word(piece.role))?;
        }
        run.put_number(cells.castling, rights_number(self.state.castling))?;
        Color::ALL.into_iter().try_for_each(|side| {
            let word = self.written[side].map_or(Word::ZERO, move_word);
            run.put(side.fold_wb(cells.white_move, cells.black_move), word)
        })
    }

    fn read(&self, program: &SyncProgram, run: &ProgramRun, ending: ResultCode) -> Result<MachineDoublet, NoAnswer> {
        match ending {
            // A captured king shows on the board.
            ResultCode::Done | ResultCode::FirstNo => {}
            ResultCode::SecondNo => {
                return Err(NoAnswer::Fault("result code 3, which this program does not have".to_owned()));
            }
        }
        let cells = &program.cells;
        let castling = run.number(cells.castling);
        let after = SyncState {
            board: program.read_board(run)?,
            castling: rights_of(castling)
                .ok_or_else(|| NoAnswer::Fault(format!("the castling rights are {castling:o}, expected 17 at most")))?,
            passing: squares(run, [cells.white_passing, cells.black_passing])?,
            barred: squares(run, [cells.white_barred, cells.black_barred])?,
        };
        let mut events = ByColor::<Vec<SyncEvent>>::default();
        let mut check = ByColor::<bool>::default();
        for side in Color::ALL {
            let bits = run.number(side.fold_wb(cells.white_events, cells.black_events));
            if bits >= 1 << SyncEvent::ALL.len() {
                return Err(NoAnswer::Fault(format!("{}'s events are {bits:o}: an unknown bit", colour_name(side))));
            }
            events[side] = (0..).zip(SyncEvent::ALL).filter(|(bit, _)| bits >> bit & 1 == 1).map(|(_, e)| e).collect();
            check[side] = match run.word(side.fold_wb(cells.white_check, cells.black_check)).bits() {
                0 => false,
                1 => true,
                _ => return Err(NoAnswer::Fault(format!("{}'s check is neither 0 nor 1", colour_name(side)))),
            };
        }
        let captured = Color::ALL.into_iter().any(|side| after.board.king_of(side).is_none());
        if captured != (ending == ResultCode::FirstNo) {
            return Err(NoAnswer::Fault(format!("{ending:?}: a king is missing: {captured}")));
        }
        Ok(MachineDoublet { doublet: Doublet { after, events }, check })
    }

    fn native(&self) -> MachineDoublet {
        resolve(self.state, self.written).into()
    }

    fn differences(native: &MachineDoublet, machine: &MachineDoublet) -> Result<Vec<Difference>, String> {
        Ok(compare_doublets(native, machine))
    }
}

impl SyncProgram {
    fn read_board(&self, run: &ProgramRun) -> Result<Board, NoAnswer> {
        let mut board = Board::empty();
        for side in Color::ALL {
            for square in Square::ALL {
                let word = run.word(self.cells.board(side, square));
                if word == Word::ZERO {
                    continue;
                }
                let role = Role::ALL.into_iter().find(|&role| piece_word(role) == word).ok_or_else(|| {
                    let word = word.grouped();
                    NoAnswer::Fault(format!("the word {word} of {side}'s board on {square} is not a piece"))
                })?;
                if board.occupied().contains(square) {
                    return Err(NoAnswer::Fault(format!("pieces of both sides stand on {square}")));
                }
                board.set_piece_at(square, Piece { color: side, role });
            }
        }
        Ok(board)
    }
}

/// The squares in a cell of each side, White's first.
fn squares(run: &ProgramRun, cells: [CoreAddress; 2]) -> Result<ByColor<Option<Square>>, NoAnswer> {
    let mut squares = ByColor::<Option<Square>>::default();
    for (side, at) in Color::ALL.into_iter().zip(cells) {
        let word = run.word(at);
        squares[side] = match Square::ALL.into_iter().find(|&square| marked(square) == word) {
            None if word != Word::ZERO => return Err(NoAnswer::of_word((at, word), "a square")),
            found => found,
        };
    }
    Ok(squares)
}

/// Compares the position after a doublet, what is barred, the events and the checks.
#[must_use]
pub fn compare_doublets(native: &MachineDoublet, machine: &MachineDoublet) -> Vec<Difference> {
    compare_items(native, machine, items)
}

/// The result of a doublet, in words.
fn items(MachineDoublet { doublet, check }: &MachineDoublet) -> Vec<String> {
    let mut items = vec![format!("after: {}", doublet.after.to_fen())];
    for side in Color::ALL {
        let name = colour_name(side);
        items.extend(doublet.after.barred[side].map(|square| format!("{square} barred to the {name} king")));
        items.extend(doublet.events[side].iter().map(|event| format!("{name}: {}", event.name())));
        items.extend(check[side].then(|| format!("{name} in check")));
    }
    items
}

/// The number of a square: sixteen to a rank.
fn number(square: Square) -> u16 {
    16 * square.rank() as u16 + square.file() as u16
}

/// The word of a piece: a bit for each way of moving.
fn piece_word(role: Role) -> Word {
    Word::from_parts(0, u64::from(piece_bits(role)))
}

/// From pawn to king.
fn piece_bits(role: Role) -> u16 {
    [0o1, 0o2, 0o4, 0o10, 0o14, 0o20][role as usize - 1]
}

/// The word of a square that is present: A1 = 1.
fn marked(square: Square) -> Word {
    Word::instruction(0, Address::truncating(1), Address::truncating(number(square).into()), Address::ZERO)
}

fn move_word(written: SyncMove) -> Word {
    let at = |square: Square| Address::truncating(number(square).into());
    match written {
        SyncMove::Piece(piece) => {
            let becomes = piece.promotion.map_or(0, piece_bits);
            Word::instruction(0, at(piece.from), at(piece.to), Address::truncating(becomes.into()))
        }
        SyncMove::Defence => Word::instruction(1, Address::ZERO, Address::ZERO, Address::ZERO),
        SyncMove::Ambush(square) => Word::instruction(2, at(square), Address::ZERO, Address::ZERO),
    }
}

fn rights_of(number: u64) -> Option<Bitboard> {
    let rooks = (0..).zip(RIGHTS).filter(|(bit, _)| number >> bit & 1 == 1).map(|(_, rook)| rook).collect();
    (number < 16).then_some(rooks)
}
