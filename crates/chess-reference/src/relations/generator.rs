//! The document's generator of moves, in its order.

use super::coding::square_at;
use super::relation::directions;
use crate::prelude::*;
use shakmaty::CastlingSide;

/// The legal moves in the document's order: squares from the eighth rank down and from the a-file on; on each the
/// directions in their order, each from the piece outwards; pawns straight ahead, then captures towards the h-file and the
/// a-file, then in passing, a promotion to queen, rook, bishop, knight; castling last, short before long.
#[must_use]
pub fn generated_moves(position: &Chess) -> Vec<Move> {
    let (board, turn) = (position.board(), position.turn());
    let legal: Vec<(Move, shakmaty::Move)> =
        position.legal_moves().into_iter().map(|legal| (to_uci(legal), legal)).collect();
    let mut list = Vec::with_capacity(legal.len());
    for (i, j) in (1..=8).flat_map(|i| (1..=8).map(move |j| (i, j))) {
        let Some((from, piece)) = square_at(i, j).and_then(|from| Some((from, board.piece_at(from)?))) else {
            continue;
        };
        if piece.color != turn {
            continue;
        }
        let targets = if piece.role == Role::Pawn { pawn_targets(position, i, j) } else { targets(piece, i, j) };
        for to in targets {
            let here = |(written, move_): &&(Move, shakmaty::Move)| {
                (written.from, written.to) == (from, to) && !move_.is_castle()
            };
            let mut found: Vec<Move> = legal.iter().filter(here).map(|(written, _)| *written).collect();
            // The pieces of a promotion in the order of their codes.
            found.sort_by_key(|written| written.promotion.map(super::piece_code));
            list.extend(found);
        }
    }
    for side in [CastlingSide::KingSide, CastlingSide::QueenSide] {
        list.extend(legal.iter().filter(|(_, legal)| legal.castling_side() == Some(side)).map(|(written, _)| *written));
    }
    list
}

/// The squares on the lines of a piece, up to the edge of the board.
fn targets(piece: Piece, i: i8, j: i8) -> Vec<Square> {
    let longest = if matches!(piece.role, Role::King | Role::Knight) { 1 } else { 7 };
    let along = |&(p, q): &(i8, i8)| (1..=longest).filter_map(move |k| square_at(i + k * p, j + k * q));
    directions(piece).iter().flat_map(along).collect()
}

fn pawn_targets(position: &Chess, i: i8, j: i8) -> Vec<Square> {
    let ahead = position.turn().fold_wb(-1, 1);
    let mut places = vec![(i + ahead, j), (i + 2 * ahead, j)];
    let (takes, passing): (Vec<_>, Vec<_>) = [(i + ahead, j + 1), (i + ahead, j - 1)]
        .into_iter()
        .partition(|&(i, j)| square_at(i, j).is_some_and(|square| position.board().piece_at(square).is_some()));
    places.extend(takes);
    places.extend(passing);
    places.into_iter().filter_map(|(i, j)| square_at(i, j)).collect()
}

/// The document's exceptions: 0 where castling is still possible, 1 where it is not. The number is 1 for short castling
/// and 2 for long, the sign the side's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Exceptions {
    /// White, short.
    #[serde(rename = "R1+")]
    pub white_short: u8,
    /// Black, short.
    #[serde(rename = "R1-")]
    pub black_short: u8,
    /// White, long.
    #[serde(rename = "R2+")]
    pub white_long: u8,
    /// Black, long.
    #[serde(rename = "R2-")]
    pub black_long: u8,
}

impl Exceptions {
    /// Those of a position.
    #[must_use]
    pub fn of(position: &Chess) -> Exceptions {
        let lost = |side: Color, castling| u8::from(!position.castles().has(side, castling));
        Exceptions {
            white_short: lost(Color::White, CastlingSide::KingSide),
            black_short: lost(Color::Black, CastlingSide::KingSide),
            white_long: lost(Color::White, CastlingSide::QueenSide),
            black_long: lost(Color::Black, CastlingSide::QueenSide),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_the_documents() {
        let texts = |fen: &str| {
            let list = generated_moves(&crate::legal::of_fen(fen).unwrap());
            list.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
        };
        let files = ["a2a3 a2a4", "b2b3 b2b4", "c2c3 c2c4", "d2d3 d2d4", "e2e3 e2e4", "f2f3 f2f4", "g2g3 g2g4"];
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(texts(start), format!("{} h2h3 h2h4 b1c3 b1a3 g1h3 g1f3", files.join(" ")));
        assert_eq!(
            texts("r3k2r/1P6/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1"),
            "b7b8q b7b8r b7b8b b7b8n b7a8q b7a8r b7a8b b7a8n e5e6 e5d6 a1b1 a1c1 a1d1 a1a2 a1a3 a1a4 a1a5 a1a6 a1a7 \
             a1a8 e1f2 e1d2 e1f1 e1e2 e1d1 h1h2 h1h3 h1h4 h1h5 h1h6 h1h7 h1h8 h1g1 h1f1 e1g1 e1c1"
        );
    }

    /// A pawn may take both ways and in passing; the list is the legal moves whatever the position.
    #[test]
    fn nothing_is_missing_and_nothing_comes_twice() {
        for given in crate::book_positions() {
            let position = crate::legal::of_fen(given.fen).unwrap();
            let mut list = generated_moves(&position);
            list.sort_unstable();
            let all: Vec<Move> = crate::legal::legal_moves(&position).into_iter().map(|(written, _)| written).collect();
            assert_eq!(list, all, "{}", given.fen);
        }
    }

    #[test]
    fn exceptions_tell_what_castling_is_left() {
        let of = |fen: &str| Exceptions::of(&crate::legal::of_fen(fen).unwrap());
        let found = of("r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1");
        assert_eq!((found.white_short, found.black_short, found.white_long, found.black_long), (0, 1, 1, 0));
    }
}
