//! Mating a bare king: its room is made smaller, move by move.

use crate::json;
use crate::prelude::*;
use shakmaty::attacks;

/// How good a position is after a move of the stronger side: the least is best.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct DriveKey {
    /// 0 mate, 1 the game goes on, 2 the bare king can take, 3 stalemate.
    pub state: u32,
    /// The squares that the bare king can reach; 0 if the game is over.
    pub space: u32,
    /// The distance of the kings; 0 if the game is over.
    pub apart: u32,
}

impl Serialize for DriveKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        [self.state, self.space, self.apart].serialize(serializer)
    }
}

const STALEMATE: DriveKey = DriveKey { state: 3, space: 0, apart: 0 };

impl DriveKey {
    /// The key of a position with the bare king to move.
    fn of(position: &Chess) -> DriveKey {
        let moves = position.legal_moves();
        if moves.is_empty() {
            let state = if position.is_check() { 0 } else { STALEMATE.state };
            return DriveKey { state, ..STALEMATE };
        }
        let board = position.board();
        let kings = board.king_of(Color::White).zip(board.king_of(Color::Black));
        DriveKey {
            state: if moves.iter().any(|legal| legal.is_capture()) { 2 } else { 1 },
            space: room_of_king(board, position.turn()),
            apart: kings.map_or(0, |(white, black)| white.distance(black)),
        }
    }
}

/// The move that shrinks a bare king's room.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Drive {
    /// The move.
    #[serde(rename = "uci", serialize_with = "json::text")]
    pub written: Move,
    /// The worst, over the replies, of the best key after the next own move; the move's own key if the game is over or the
    /// king can take.
    pub after_reply: DriveKey,
    /// The key after the move.
    pub after_move: DriveKey,
}

/// The squares that a king can reach while all else stands still, its own among them: none that is attacked, the king not
/// being in the way, or that has a piece of its side. An unguarded enemy piece can be taken, and the way ends there.
#[must_use]
pub fn room_of_king(board: &Board, side: Color) -> u32 {
    let Some(king) = board.king_of(side) else { return 0 };
    let occupied = board.occupied().without(king);
    let attacked: Bitboard = board
        .by_color(side.other())
        .into_iter()
        .filter_map(|from| Some(attacks::attacks(from, board.piece_at(from)?, occupied)))
        .fold(Bitboard::EMPTY, |all, those| all | those);
    let allowed = !attacked & !board.by_color(side).without(king);
    let (mut reached, mut new) = (Bitboard::from(king), Bitboard::from(king));
    while new.any() {
        let next = new.into_iter().fold(Bitboard::EMPTY, |all, from| all | attacks::king_attacks(from));
        let next = next & allowed & !reached;
        reached |= next;
        new = next & !board.by_color(side.other());
    }
    reached.count() as u32
}

/// The move by which the side to move shrinks the room of a bare king, if it has a queen or a rook.
///
/// A placement of `seen`, those after own moves of the game, comes last unless it is mate: otherwise the play could go
/// round for ever.
#[must_use]
pub fn drive(position: &Chess, seen: &[&Board]) -> Option<Drive> {
    let (board, side) = (position.board(), position.turn());
    let strong = board.by_piece(side.queen()) | board.by_piece(side.rook());
    if board.by_color(side.other()).count() != 1 || strong.is_empty() {
        return None;
    }
    let drives = legal_moves(position).into_iter().map(|(written, legal)| {
        let position = after(position, legal);
        let after_move = DriveKey::of(&position);
        let after_reply = if after_move.state == 1 { worst_after_replies(&position) } else { after_move };
        let again = after_move.state != 0 && seen.contains(&position.board());
        (again, Drive { written, after_reply, after_move })
    });
    let best = drives.min_by_key(|(again, drive)| (*again, drive.after_reply, drive.after_move, drive.written));
    best.map(|(_, drive)| drive)
}

fn worst_after_replies(position: &Chess) -> DriveKey {
    let replies = position.legal_moves().into_iter().map(|reply| {
        let position = after(position, reply);
        let next = position.legal_moves().into_iter().map(|next| DriveKey::of(&after(&position, next)));
        next.min().unwrap_or(STALEMATE)
    });
    replies.max().unwrap_or(STALEMATE)
}
