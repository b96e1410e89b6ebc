//! The geometry of endings: the square of a pawn, opposition, the pawns' rules.

use super::space::{Drive, drive, room_of_king};
use crate::json::{self, BySide};
use crate::plans::steps_to_promotion;
use crate::prelude::*;
use crate::relations::CENTRE;
use shakmaty::attacks;

/// A pawn's race against the enemy king, as if the two were alone.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PawnSquare {
    /// The pawn.
    #[serde(serialize_with = "json::text")]
    pub pawn: Square,
    /// Its moves to promotion: the side of its square.
    pub moves: u32,
    /// The king's moves to the promotion square.
    pub king_moves: u32,
    /// The corners: the pawn's (on the third rank if it has not moved), the promotion square, and the two on the king's
    /// side; with the king on the pawn's file, on the roomier side.
    #[serde(serialize_with = "json::texts")]
    pub corners: Vec<Square>,
    /// Whether the king is in time.
    pub caught: bool,
    /// Whether no piece stands ahead of the pawn on its file.
    pub free: bool,
}

impl PawnSquare {
    /// That of a pawn of this side; `None` if the other side has no king.
    #[must_use]
    pub fn of(board: &Board, pawn: Square, side: Color, turn: Color) -> Option<PawnSquare> {
        let king = board.king_of(side.other())?;
        let promotion = Square::from_coords(pawn.file(), side.relative_rank(Rank::Eighth));
        let moves = steps_to_promotion(pawn, side);
        let first = pawn.rank() == side.relative_rank(Rank::Second);
        let rank = if first { side.relative_rank(Rank::Third) } else { pawn.rank() };
        let file = pawn.file() as i32;
        let towards = match (king.file() as i32 - file).signum() {
            0 if file < 4 => 1,
            0 => -1,
            side => side,
        };
        // A square that is cut off by the edge ends there.
        let across = File::new((file + towards * moves as i32).clamp(0, 7) as u32);
        let king_moves = king.distance(promotion);
        Some(PawnSquare {
            pawn,
            moves,
            king_moves,
            corners: vec![
                Square::from_coords(pawn.file(), rank),
                promotion,
                Square::from_coords(across, promotion.rank()),
                Square::from_coords(across, rank),
            ],
            caught: king_moves <= moves + u32::from(turn != side),
            free: (ahead(pawn, side) & board.occupied()).is_empty(),
        })
    }

    /// Whether the pawn gets through: nothing is ahead of it, and the king is too late.
    pub(super) fn runs(board: &Board, pawn: Square, side: Color, turn: Color) -> bool {
        PawnSquare::of(board, pawn, side, turn).is_some_and(|square| square.free && !square.caught)
    }
}

/// The squares of a pawn's file that it has before it.
fn ahead(pawn: Square, side: Color) -> Bitboard {
    Bitboard::from(pawn.file())
        .into_iter()
        .filter(|square| side.fold_wb(square.rank() > pawn.rank(), square.rank() < pawn.rank()))
        .collect()
}

named! {
    /// How the kings stand to each other.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum OppositionKind {
        /// Two squares on a line.
        Direct = "direct",
        /// Four or six on a line.
        Distant = "distant",
        /// Two on a diagonal.
        Diagonal = "diagonal",
        /// Four or six on a diagonal.
        DistantDiagonal = "distant-diagonal",
        /// Otherwise, both differences even.
        Rectangular = "rectangular",
    }
}

impl OppositionKind {
    /// The opposition of kings on these squares; `None` unless both differences are even.
    #[must_use]
    pub fn of(one: Square, other: Square) -> Option<OppositionKind> {
        let apart = [one.file().distance(other.file()), one.rank().distance(other.rank())];
        if one == other || apart.iter().any(|apart| apart % 2 == 1) {
            return None;
        }
        Some(match apart {
            [0, 2] | [2, 0] => OppositionKind::Direct,
            [0, _] | [_, 0] => OppositionKind::Distant,
            [2, 2] => OppositionKind::Diagonal,
            [files, ranks] if files == ranks => OppositionKind::DistantDiagonal,
            _ => OppositionKind::Rectangular,
        })
    }
}

/// The opposition of a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Opposition {
    /// Which one; null if there is none.
    pub kind: Option<OppositionKind>,
    /// Who has it: the side that is not to move.
    #[serde(serialize_with = "json::colour_if_any")]
    pub side: Option<Color>,
    /// The king moves that take one.
    pub take: Vec<Move>,
}

impl Opposition {
    fn of(position: &Chess) -> Opposition {
        let (board, turn) = (position.board(), position.turn());
        let enemy = board.king_of(turn.other());
        let kind = board.king_of(turn).zip(enemy).and_then(|(own, enemy)| OppositionKind::of(own, enemy));
        let takes = |written: Move| enemy.is_some_and(|enemy| OppositionKind::of(written.to, enemy).is_some());
        let of_king = |(written, legal): (Move, shakmaty::Move)| (legal.role() == Role::King).then_some(written);
        let take = legal_moves(position).into_iter().filter_map(of_king).filter(|&written| takes(written)).collect();
        Opposition { kind, side: kind.map(|_| turn.other()), take }
    }
}

/// What pawns and kings can do for each other.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PawnAims {
    /// Pawns with no pawn ahead on their file.
    #[serde(serialize_with = "json::squares")]
    pub unopposed: Bitboard,
    /// Pawns that hold two enemy pawns: the next square of each is the pawn's own, or attacked by it.
    #[serde(serialize_with = "json::squares")]
    pub holds_two: Bitboard,
    /// Pawns whose king is further on, at most one file away.
    #[serde(serialize_with = "json::squares")]
    pub led: Bitboard,
    /// Each king's moves to the nearest square of the centre.
    pub king_to_centre: BySide<u32>,
}

impl PawnAims {
    fn of(board: &Board) -> PawnAims {
        let those = |is: &dyn Fn(Square, Color) -> bool| -> Bitboard {
            let of = |side: Color| board.by_piece(side.pawn()).into_iter().filter(move |&pawn| is(pawn, side));
            of(Color::White).chain(of(Color::Black)).collect()
        };
        let held = |pawn: Square, side: Color, enemy: &Square| {
            let next = enemy.offset(side.fold_wb(-8, 8));
            next.is_some_and(|next| next == pawn || attacks::pawn_attacks(side, pawn).contains(next))
        };
        let leads = |pawn: Square, side: Color| {
            board.king_of(side).is_some_and(|king| {
                let further = side.fold_wb(king.rank() > pawn.rank(), king.rank() < pawn.rank());
                further && king.file().distance(pawn.file()) <= 1
            })
        };
        let to_centre = |side: Color| {
            let king = board.king_of(side);
            king.and_then(|king| CENTRE.iter().map(|&square| king.distance(square)).min()).unwrap_or(0)
        };
        PawnAims {
            unopposed: those(&|pawn, side| (ahead(pawn, side) & board.pawns()).is_empty()),
            holds_two: those(&|pawn, side| {
                board.by_piece(side.other().pawn()).into_iter().filter(|enemy| held(pawn, side, enemy)).count() >= 2
            }),
            led: those(&leads),
            king_to_centre: ByColor::new_with(to_centre).into(),
        }
    }
}

/// All of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Geometry {
    /// The square of each pawn, by the pawns' squares.
    pub squares: Vec<PawnSquare>,
    /// The opposition of the kings.
    pub opposition: Opposition,
    /// The squares that each king can reach while all else stands still.
    pub space: BySide<u32>,
    /// What the pawns can do.
    pub pawns: PawnAims,
    /// The move that shrinks a bare king's room; null if the stage does not apply.
    pub drive: Option<Drive>,
}

/// The geometry of a position.
#[must_use]
pub fn geometry(position: &Chess) -> Geometry {
    let board = position.board();
    let square = |pawn: Square| PawnSquare::of(board, pawn, board.color_at(pawn)?, position.turn());
    Geometry {
        squares: by_name(board.pawns()).filter_map(square).collect(),
        opposition: Opposition::of(position),
        space: ByColor::new_with(|side| room_of_king(board, side)).into(),
        pawns: PawnAims::of(board),
        drive: drive(position, &[]),
    }
}
