//! All attacks of both sides within a horizon.
//!
//! An attack consists of all shortest trajectories of a piece to an enemy piece. The horizon is counted in half-moves:
//! a trajectory of n moves takes 2n - 1 of them for the side to move and 2n for the other side. A pawn's trajectories
//! to an empty square of its last rank count too: the book treats promotion as an attack that gains the difference
//! between queen and pawn (chapter II).

use crate::json;
use crate::prelude::*;
use crate::static_board::StaticBoard;
use crate::trajectories::{LIST_LIMIT, TooMany};
use crate::trajectory::Trajectory;
use crate::web::Web;

/// The shortest trajectories of one piece to one enemy piece or to a promotion square.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Attack {
    /// The attacking side.
    #[serde(serialize_with = "json::colour")]
    pub side: Color,
    /// The attacking piece.
    #[serde(serialize_with = "json::role")]
    pub piece: Role,
    /// Where it stands.
    #[serde(serialize_with = "json::text")]
    pub from: Square,
    /// The square attacked.
    #[serde(serialize_with = "json::text")]
    pub to: Square,
    /// The piece attacked; `None` for a promotion on an empty square.
    #[serde(serialize_with = "json::role_if_any")]
    pub target: Option<Role>,
    /// The number of moves.
    pub moves: u32,
    /// The number of half-moves from now up to and including the last of these moves.
    pub half_moves: u32,
    /// Whether the attacking piece is a pawn that becomes a queen on the square attacked.
    pub promotes: bool,
    /// The shortest trajectories, in order.
    pub trajectories: Vec<Trajectory>,
}

impl Attack {
    /// The attack of a piece, without its trajectories; `to_move` says that its side is to move.
    #[inline]
    #[must_use]
    pub fn new(board: &Board, piece: Piece, (from, to): (Square, Square), moves: u32, to_move: bool) -> Attack {
        let Piece { color: side, role } = piece;
        Attack {
            side,
            piece: role,
            from,
            to,
            target: board.role_at(to).filter(|_| !board.by_color(side).contains(to)),
            moves,
            half_moves: moves.saturating_mul(2).saturating_sub(u32::from(to_move)),
            promotes: role == Role::Pawn && to.rank() == side.other().backrank(),
            trajectories: Vec::new(),
        }
    }
}

/// All attacks of both sides within `horizon` half-moves, with `turn` to move, ordered by the names of their squares
/// (`from`, then `to`).
///
/// The horizon may be any number; no shortest trajectory is longer than 62 moves.
///
/// # Errors
///
/// [`TooMany`] if there are more than [`LIST_LIMIT`] trajectories in all.
pub fn attacks(board: &Board, turn: Color, horizon: u32) -> Result<Vec<Attack>, TooMany> {
    attacks_up_to(LIST_LIMIT, board, turn, horizon)
}

fn attacks_up_to(limit: u128, board: &Board, turn: Color, horizon: u32) -> Result<Vec<Attack>, TooMany> {
    let mut attacks = Vec::new();
    let mut count = 0;
    for from in by_name(board.occupied()) {
        let Some(piece) = board.piece_at(from) else {
            continue;
        };
        let to_move = piece.color == turn;
        let most = moves_within(horizon, to_move);
        if most == 0 {
            continue;
        }
        let static_board = StaticBoard::new(board, piece, from);
        let goals = board.by_color(piece.color.other());
        let promotions = match piece.role {
            Role::Pawn => Bitboard::from_rank(piece.color.other().backrank()),
            _ => Bitboard::EMPTY,
        };
        for to in by_name(goals | (promotions & !board.occupied())) {
            let Some(web) = Web::find(&static_board, to, most) else {
                continue;
            };
            count += web.count();
            let mut attack = Attack::new(board, piece, (from, to), web.moves, to_move);
            // Above the limit, only counting goes on, for the error.
            if count <= limit {
                web.list(&mut attack.trajectories);
            }
            attacks.push(attack);
        }
    }
    if count > limit {
        return Err(TooMany { count, limit });
    }
    Ok(attacks)
}

/// The largest number of moves that take at most `horizon` half-moves.
pub(crate) const fn moves_within(horizon: u32, to_move: bool) -> u32 {
    if to_move { horizon.div_ceil(2) } else { horizon / 2 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn above_the_limit_the_number_is_told_instead() {
        let fig_22 = crate::Placement::from_fen(crate::book_positions()[0].fen).unwrap();
        let survey = |limit| attacks_up_to(limit, &fig_22.board, fig_22.turn, 3);
        assert!(survey(28).is_ok());
        let refused = Err(TooMany { count: 28, limit: 5 });
        assert_eq!(survey(5), refused);
        let king = Role::King.of(Color::White);
        let attack = |moves| Attack::new(&fig_22.board, king, (Square::A1, Square::A2), moves, true);
        assert_eq!((attack(0).half_moves, attack(u32::MAX).half_moves), (0, u32::MAX - 1));
    }
}
