//! The document's notation of moves: `e2-e4`, `e7:d8D`, `e8-g8R`, `g4:f3P`.

use crate::prelude::*;
use crate::spans::TextError;
use std::ops::Range;

/// The mark of a promotion: D queen, T rook, N bishop, C knight.
const PROMOTIONS: [(Role, char); 4] = [(Role::Queen, 'D'), (Role::Rook, 'T'), (Role::Bishop, 'N'), (Role::Knight, 'C')];

/// Writes a legal move; always with `-` or `:`.
#[must_use]
pub fn write_rau(position: &Chess, written: Move) -> Option<String> {
    let legal = of_uci(position, written)?;
    let separator = if legal.is_capture() { ':' } else { '-' };
    let mark = match (legal.promotion(), legal.is_castle(), legal.is_en_passant()) {
        (Some(role), ..) => PROMOTIONS.iter().find(|(of, _)| *of == role).map(|(_, letter)| *letter),
        (_, true, _) => Some('R'),
        (_, _, true) => Some('P'),
        _ => None,
    };
    Some(format!("{}{separator}{}{}", written.from, written.to, mark.map_or(String::new(), String::from)))
}

/// Reads a legal move of a position. The separator may be a blank in place of `-` or `:`.
///
/// # Errors
/// [`TextError`] if the notation is malformed, the move is not legal, or a sign does not fit the move: a capture, a
/// promotion, castling, a capture in passing.
pub fn read_rau(position: &Chess, text: &str) -> Result<Move, TextError> {
    let end = text.len();
    let letters: Vec<(usize, char)> = text.char_indices().collect();
    let at = |place: usize| letters.get(place).map_or(end, |(at, _)| *at);
    let error =
        |places: Range<usize>, message: Sentence| Err(TextError { span: at(places.start)..at(places.end), message });
    let square = |place: usize| text.get(at(place)..at(place + 2)).and_then(|square| square.parse::<Square>().ok());
    let Some(from) = square(0) else {
        return error(0..2, "expected the square from which the piece moves, such as e2".into());
    };
    let separator = letters.get(2).map(|(_, letter)| *letter);
    if !matches!(separator, Some('-' | ' ' | ':')) {
        return error(2..3, "expected -, a blank, or : for a capture".into());
    }
    let Some(to) = square(3) else {
        return error(3..5, "expected the square to which the piece moves, such as e4".into());
    };
    let mark = letters.get(5).map(|(_, letter)| *letter);
    let promotion = match mark {
        None | Some(' ' | 'P' | 'R') => None,
        Some(letter) => match PROMOTIONS.iter().find(|(_, of)| *of == letter) {
            Some((role, _)) => Some(*role),
            None => {
                let message =
                    "expected the end, or one of D, T, N, C (promotion), P (capture in passing), R (castling)";
                return error(5..6, message.into());
            }
        },
    };
    if letters.len() > 6 {
        return error(6..letters.len(), "expected nothing after the mark".into());
    }
    let found: Vec<shakmaty::Move> = position
        .legal_moves()
        .into_iter()
        .filter(|&legal| (to_uci(legal).from, to_uci(legal).to) == (from, to))
        .collect();
    let Some(&first) = found.first() else {
        return error(0..5, why_not_legal(position, from, to));
    };
    match (first.is_capture(), separator) {
        (true, Some('-')) => return error(2..3, "a piece is captured: expected : or a blank".into()),
        (false, Some(':')) => return error(2..3, "nothing is captured: expected - or a blank".into()),
        _ => {}
    }
    match (first.is_castle(), first.is_en_passant(), mark) {
        (true, _, Some('R')) | (_, true, Some('P')) | (false, false, None | Some(' ')) => {}
        (true, ..) => return error(5..6, "castling is marked R".into()),
        (_, true, _) => return error(5..6, "a capture in passing is marked P".into()),
        (_, _, Some('R')) => return error(5..6, "the move is not castling".into()),
        (_, _, Some('P')) => return error(5..6, "the move is not a capture in passing".into()),
        _ => {}
    }
    match found.into_iter().find(|legal| legal.promotion() == promotion) {
        Some(legal) => Ok(to_uci(legal)),
        None if promotion.is_none() => {
            error(5..6, "the pawn is promoted: expected D queen, T rook, N bishop or C knight".into())
        }
        None => error(5..6, "nothing is promoted".into()),
    }
}

/// Why no legal move goes from one square to another: the common reasons.
fn why_not_legal(position: &Chess, from: Square, to: Square) -> Sentence {
    let board = position.board();
    let side = crate::names::colour_name(position.turn());
    match board.piece_at(from) {
        None => sentence!("no piece stands on {from}", from = from.to_string()),
        Some(piece) if piece.color != position.turn() => {
            sentence!("the piece on {from} is not {side}'s, who is to move", from = from.to_string(), side)
        }
        Some(piece) if piece.role == Role::King && from == to => {
            "castling is written with the squares that the king leaves and reaches, such as e8-c8R".into()
        }
        Some(piece) if piece.role == Role::Pawn && from.file() == to.file() && board.piece_at(to).is_some() => {
            "a pawn does not capture straight ahead".into()
        }
        Some(_) => sentence!("{text} is not a legal move of {side}", text = format!("{from}{to}"), side),
    }
}
