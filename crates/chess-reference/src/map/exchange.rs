//! Material: what the pieces are worth, moves on the board, and the exchange on one square.

use crate::legal::pawn_steps;
use crate::prelude::*;
use shakmaty::attacks::{attacks, bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks};

/// The least value that can only be the king's, and the king's own.
pub const KING: i32 = 200;

/// The gain of a promotion: queen less pawn.
pub const PROMOTION: i32 = value(Role::Queen) - value(Role::Pawn);

/// The mean value of a piece in pawns, as the book takes it from Shannon.
pub const fn value(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => KING,
    }
}

/// The material of one side in pawns, without the king, which never leaves the board in play.
pub fn material(board: &Board, side: Color) -> i32 {
    let roles = board.by_color(side).into_iter().filter_map(|square| board.role_at(square));
    roles.filter(|&role| role != Role::King).map(value).sum()
}

/// White's material less Black's, in pawns.
pub fn balance(board: &Board) -> i32 {
    material(board, Color::White) - material(board, Color::Black)
}

/// The squares to which the piece on `from` can move, as trajectories are defined: checks and pins do not matter. Empty
/// if `from` is.
pub(crate) fn moves_from(board: &Board, from: Square) -> Bitboard {
    board.piece_at(from).map_or(Bitboard::EMPTY, |piece| {
        moves_of(piece, from, board.by_color(piece.color).without(from), board.by_color(piece.color.other()))
    })
}

/// The squares to which `piece` can move from `from` among own and enemy pieces; it stands on neither.
pub(crate) fn moves_of(piece: Piece, from: Square, own: Bitboard, enemy: Bitboard) -> Bitboard {
    let occupied = own | enemy;
    match piece.role {
        Role::Pawn => pawn_steps(piece.color, from, occupied) | (pawn_attacks(piece.color, from) & enemy),
        _ => attacks(from, piece, occupied) & !own,
    }
}

/// The piece that stands on `to` after the move: a pawn on its last rank is a queen.
pub(crate) fn arriving(board: &Board, from: Square, to: Square) -> Option<Piece> {
    board.piece_at(from).map(|piece| arrived(piece, to))
}

/// The piece once it stands on `to`.
pub(crate) const fn arrived(piece: Piece, to: Square) -> Piece {
    let promotes = matches!(piece.role, Role::Pawn) && to.rank() as u32 == piece.color.other().backrank() as u32;
    if promotes { Piece { role: Role::Queen, ..piece } } else { piece }
}

/// What the piece gains by becoming a queen on `to`.
pub(crate) const fn promotion(piece: Piece, to: Square) -> i32 {
    if arrived(piece, to).role as u32 == piece.role as u32 { 0 } else { PROMOTION }
}

/// What the move wins at once: the piece taken, and the promotion.
pub(crate) fn gain(board: &Board, from: Square, to: Square) -> i32 {
    board.role_at(to).map_or(0, value) + board.piece_at(from).map_or(0, |piece| promotion(piece, to))
}

/// The board after the move; a pawn on its last rank becomes a queen.
pub fn after(board: &Board, from: Square, to: Square) -> Board {
    let mut board = board.clone();
    if let Some(piece) = board.remove_piece_at(from) {
        board.set_piece_at(to, arrived(piece, to));
    }
    board
}

/// Whether the king of `color` can be taken in the next half-move. False unless `color` has exactly one king.
pub(crate) fn king_can_be_taken(board: &Board, color: Color) -> bool {
    checkers(board, color).any()
}

/// Pieces of `side` that can take on `square` in one move.
pub(crate) fn bearing_on(board: &Board, square: Square, side: Color) -> Bitboard {
    board.attacks_to(square, side, board.occupied())
}

/// Whether the move leaves the mover's king to be taken. False unless there is exactly one king.
pub(crate) fn hangs_king(board: &Board, from: Square, to: Square) -> bool {
    let Some(side) = board.color_at(from) else {
        return false;
    };
    let Some(king) = board.king_of(side) else {
        return false;
    };
    let king = if king == from { to } else { king };
    let occupied = board.occupied().without(from).with(to);
    board.attacks_to(king, side.other(), occupied).without(to).any()
}

/// The most that `side`, to move, can win by taking on `square`, when both sides take with their cheapest piece first and
/// may stop when they like. Never negative. The fall of a king ends the exchange.
pub fn best_exchange(board: &Board, square: Square, side: Color) -> i32 {
    let bearing = || bearing(board, square, board.occupied());
    let exchange = Exchange { board, square };
    board.role_at(square).map_or(0, |standing| exchange.best(board.occupied(), bearing(), standing, side))
}

/// The pieces of both sides that bear on `square` when only those in `occupied` are left; some may be missing there.
pub(crate) fn bearing(board: &Board, square: Square, occupied: Bitboard) -> Bitboard {
    let pawns = Color::ALL.map(|side| pawn_attacks(side.other(), square) & board.by_color(side));
    (rook_attacks(square, occupied) & board.rooks_and_queens())
        | (bishop_attacks(square, occupied) & board.bishops_and_queens())
        | (knight_attacks(square) & board.knights())
        | (king_attacks(square) & board.kings())
        | ((pawns[0] | pawns[1]) & board.pawns())
}

/// The fight for a square, piece by piece.
pub(crate) struct Exchange<'a> {
    pub(crate) board: &'a Board,
    pub(crate) square: Square,
}

impl Exchange<'_> {
    /// The most that `side`, to move, can win with the pieces left in `occupied`; `bearing` includes at least those of
    /// them that bear on the square. The piece of role `standing` on it is the other side's.
    fn best(&self, occupied: Bitboard, bearing: Bitboard, standing: Role, side: Color) -> i32 {
        let takers = bearing & self.board.by_color(side) & occupied.without(self.square);
        match cheapest(self.board, takers) {
            None => 0,
            Some(_) if standing == Role::King => KING,
            Some((from, role)) => self.take(occupied, bearing, standing, (from, role.of(side))).max(0),
        }
    }

    /// What a piece wins for its side by taking on the square.
    pub(crate) fn take(
        &self,
        occupied: Bitboard,
        bearing: Bitboard,
        standing: Role,
        (from, piece): (Square, Piece),
    ) -> i32 {
        let (board, square) = (self.board, self.square);
        let occupied = occupied.without(from);
        // A piece behind this one on its line now bears on the square.
        let behind = match piece.role {
            Role::Knight => Bitboard::EMPTY,
            Role::Pawn | Role::Bishop => bishop_attacks(square, occupied) & board.bishops_and_queens(),
            Role::Rook => rook_attacks(square, occupied) & board.rooks_and_queens(),
            Role::Queen | Role::King => {
                (bishop_attacks(square, occupied) & board.bishops_and_queens())
                    | (rook_attacks(square, occupied) & board.rooks_and_queens())
            }
        };
        let reply = self.best(occupied, bearing | behind, arrived(piece, square).role, piece.color.other());
        value(standing) + promotion(piece, square) - reply
    }
}

/// What `from` taking or stepping on `to` wins for its side, the exchange there included.
pub(crate) fn fight(board: &Board, from: Square, to: Square) -> i32 {
    board.piece_at(from).map_or(0, |piece| {
        let occupied = board.occupied().with(to).without(from);
        let exchange = Exchange { board, square: to };
        let reply = exchange.best(occupied, bearing(board, to, occupied), arrived(piece, to).role, piece.color.other());
        gain(board, from, to) - reply
    })
}

/// A bound that [`Exchange::take`] never falls below.
pub(crate) fn least_of_fight(piece: Piece, square: Square, taken: Role) -> i32 {
    // The piece falls, to a pawn that is promoted at best.
    let reply = if square.rank() == piece.color.backrank() { PROMOTION } else { 0 };
    value(taken) + promotion(piece, square) - value(arrived(piece, square).role) - reply
}

/// What the move wins for its side, with the exchange on its square: the book's m. Taking the king ends everything.
pub fn balance_of_move(board: &Board, from: Square, to: Square) -> i32 {
    if board.role_at(to) == Some(Role::King) { KING } else { fight(board, from, to) }
}

/// The results of the fights in a placement, for both sides: all that the map asks of exchanges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchanges {
    /// Every move of every piece, by the names of its squares.
    pub moves: Vec<MoveBalance>,
    /// Which piece could take on which square, own squares included: by the names of the squares, for each White's
    /// pieces before Black's.
    pub takers: Vec<(Square, Square)>,
    /// Whether the king can be taken in the next half-move, White's first; false unless the side has exactly one king.
    pub kings_attacked: [bool; 2],
}

/// A move and what it wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveBalance {
    /// The piece's square.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
    /// What it wins with the exchange that follows, in pawns: [`balance_of_move`].
    pub balance: i32,
    /// Whether the mover's king can be taken after it.
    pub exposes_king: bool,
}

impl Exchanges {
    /// The exchanges of a placement.
    pub fn of(board: &Board) -> Exchanges {
        let moves = by_name(board.occupied()).flat_map(|from| {
            by_name(moves_from(board, from)).map(move |to| MoveBalance {
                from,
                to,
                balance: balance_of_move(board, from, to),
                exposes_king: hangs_king(board, from, to),
            })
        });
        let takers = by_name(Bitboard::FULL).flat_map(|on| {
            [Color::White, Color::Black]
                .into_iter()
                .flat_map(move |side| by_name(bearing_on(board, on, side)).map(move |by| (by, on)))
        });
        Exchanges {
            moves: moves.collect(),
            takers: takers.collect(),
            kings_attacked: [Color::White, Color::Black].map(|side| king_can_be_taken(board, side)),
        }
    }
}

/// The pieces by value, the cheapest first.
#[inline]
pub(crate) fn by_value(board: &Board) -> [Bitboard; 5] {
    [board.pawns(), board.knights() | board.bishops(), board.rooks(), board.queens(), board.kings()]
}

/// The cheapest of the pieces on `squares`; of several, the first by name.
pub(crate) fn cheapest(board: &Board, squares: Bitboard) -> Option<(Square, Role)> {
    let cheapest = by_value(board).into_iter().map(|pieces| pieces & squares).find(|pieces| pieces.any())?;
    let square = cheapest.single_square().or_else(|| by_name(cheapest).next())?;
    Some((square, board.role_at(square)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Placement;

    fn board(fen: &str) -> Board {
        Placement::from_fen(fen).unwrap().board
    }

    /// Knight and rook against a pawn that knight and queen guard: 1 - 3 + 3 - 5.
    const DEFENDED: &str = "3q2k1/8/5n2/3p4/8/2N5/8/3R2K1 w - - 0 1";

    #[test]
    fn the_best_of_an_exchange_stops_in_time() {
        assert_eq!(best_exchange(&board(DEFENDED), Square::D5, Color::White), 0, "1 - 3: better not begun");
        assert_eq!(balance_of_move(&board(DEFENDED), Square::C3, Square::D5), -2);
        // Without the queen: 1 - 3 + 3.
        let queenless = board("6k1/8/5n2/3p4/8/2N5/8/3R2K1 w - - 0 1");
        assert_eq!(best_exchange(&queenless, Square::D5, Color::White), 1);
    }

    #[test]
    fn material_and_promotion() {
        assert_eq!(material(&board(DEFENDED), Color::White), 8);
        assert_eq!(material(&board(DEFENDED), Color::Black), 13);
        let pawn = board("3r2k1/2P5/8/8/8/8/8/6K1 w - - 0 1");
        assert_eq!((gain(&pawn, Square::C7, Square::C8), gain(&pawn, Square::C7, Square::D8)), (8, 13));
        assert_eq!(after(&pawn, Square::C7, Square::C8).role_at(Square::C8), Some(Role::Queen));
        assert_eq!(balance_of_move(&pawn, Square::C7, Square::C8), 8 - 9, "the rook takes the queen");
    }
}
