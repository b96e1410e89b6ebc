//! The format of positions and moves in the core of the ITEP program.
//!
//! ```text
//! board       bit 32 of the first word: a1, then b1 ... h4; bit 32 of the second: a5 ... h8
//! piece       1 ee tt00 0000 0000    ee = 77 - square (a1 = 0, b1 = 1, ... h8 = 77), tt = 4 x type:
//!                                    knight 3, bishop 4, rook 5, queen 6, king 7
//! no piece    1 77 7777 7777 7777
//! move        0 00 0000 ffgg 0000    ff = 77 - from, gg = 77 - to; 7777 castles short, 0000 long
//! ```

use chess_reference::names::{role_name, side_name};
use m220_isa::{Address, Word};
use m220_sentence::{Sentence, sentence};
use shakmaty::{Bitboard, CastlingSide, Chess, Color, Move, Position, Role, Square};

/// The first cell of White's area; Black's is 4000 (octal) further on.
const WHITE: u16 = 0o3000;
/// The distance from White's cells to Black's.
const BLACK: u16 = 0o4000;
/// The cell of a side that says whether it has castled and may castle.
const CASTLING: u16 = 0o40;
/// Cells of a side's area that a position fills; the rest keep the listing's words.
const AREA: u16 = 0o41;
/// The word for an absent piece.
const NO_PIECE: Word = Word::truncating(0o177_7777_7777_7777);

/// The cells of the pieces of a kind, each in the first of two cells: cell, kind, type code, room.
const PIECES: [(u16, Role, u64, usize); 5] = [
    (0o16, Role::King, 7, 1),
    (0o20, Role::Queen, 6, 2),
    (0o24, Role::Rook, 5, 2),
    (0o30, Role::Bishop, 4, 2),
    (0o34, Role::Knight, 3, 2),
];

/// The words of a position, all cells of the two areas. They cannot express an en-passant right.
///
/// # Errors
/// A side has more pieces of a kind than the program has room for.
pub fn position_words(position: &Chess) -> Result<Vec<(Address, Word)>, Sentence> {
    let mut words = Vec::new();
    for (color, base) in [(Color::White, WHITE), (Color::Black, WHITE + BLACK)] {
        let mut area = [Word::ZERO; AREA as usize];
        let board = position.board();
        let side = board.by_color(color);
        area[..2].copy_from_slice(&board_words(side));
        area[2..4].copy_from_slice(&board_words(side & board.pawns()));
        let castles = position.castles();
        for (cell, role, code, room) in PIECES {
            let squares = side & board.by_role(role);
            if squares.count() > room {
                return Err(sentence!(
                    "{side} has {count} {role}s: the program has room for {room}",
                    side = side_name(color),
                    count = squares.count(),
                    role = role_name(role),
                    room
                ));
            }
            let mut places: Vec<Option<Square>> = squares.into_iter().map(Some).collect();
            places.resize(room, None);
            if role == Role::Rook {
                order_rooks(&mut places, castles.rook(color, CastlingSide::QueenSide));
            }
            for (place, square) in places.into_iter().enumerate() {
                area[usize::from(cell) + 2 * place] = square.map_or(NO_PIECE, |square| piece_word(square, code));
            }
        }
        let right = |side, bit| if castles.has(color, side) { bit } else { 0 };
        let castling = 4 + right(CastlingSide::KingSide, 1) + right(CastlingSide::QueenSide, 2);
        area[usize::from(CASTLING)] = Word::from_parts(0, castling);
        words.extend((base..).zip(area).map(|(cell, word)| (Address::truncating(u64::from(cell)), word)));
    }
    Ok(words)
}

/// Puts the rook on the h file first, and a rook that may castle long second, even if it is the only one. Other pieces
/// are in the order of their squares, a1 first. This order reproduces the known instruction counts for the initial
/// position.
fn order_rooks(places: &mut [Option<Square>], long: Option<Square>) {
    places.sort_by_key(|place| std::cmp::Reverse(place.map(|square| square.file())));
    let last = places.len() - 1;
    if let Some(at) = places.iter().position(|&place| place.is_some() && place == long) {
        places.swap(at, last);
    }
}

/// A set of squares as two words, a1 the highest of the 32 bits of the first.
fn board_words(set: Bitboard) -> [Word; 2] {
    let half = |half: u64| Word::truncating(u64::from((half as u32).reverse_bits()));
    [half(u64::from(set)), half(u64::from(set) >> 32)]
}

fn piece_word(square: Square, code: u64) -> Word {
    Word::truncating((0o177 - u64::from(square)) << 36 | code << 32)
}

/// A move as entered by the console keys; `None` for underpromotions, which the program does not know.
#[must_use]
pub fn move_word(m: Move) -> Option<Word> {
    let code = match m {
        Move::Castle { .. } => match m.castling_side() {
            Some(CastlingSide::KingSide) => 0o7777,
            _ => 0,
        },
        _ if m.promotion().is_some_and(|role| role != Role::Queen) => return None,
        _ => (0o77 - u64::from(m.from()?)) << 6 | (0o77 - u64::from(m.to())),
    };
    Some(Word::truncating(code << 12))
}

/// The legal move that the program's word denotes, if there is one. A pawn that promotes becomes a queen.
#[must_use]
pub fn chosen_move(word: Word, position: &Chess) -> Option<Move> {
    position.legal_moves().into_iter().find(|&m| move_word(m).is_some_and(|own| own.a2() == word.a2()))
}
