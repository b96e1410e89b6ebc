//! Carries out a doublet.

use super::moves::{SyncMove, castling, is_in_passing};
use super::state::{SyncState, behind};
use crate::legal::may_castle;
use crate::prelude::*;

named! {
    /// What happened to a side's move, in the order in which the machine program numbers the bits.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum SyncEvent {
        /// The move captured an enemy piece.
        Capture = "capture",
        /// The target moved away in the same doublet.
        Miss = "miss",
        /// The two movers aimed at each other and exchanged places.
        Inversion = "inversion",
        /// The two movers met on one square.
        Collision = "collision",
        /// The move captured a friendly piece that was not attacked (fire on oneself).
        OwnLoss = "own-loss",
        /// A pawn was promoted, and the new piece survived.
        Promotion = "promotion",
        /// The target lay in ambush: the attacker is lost, or a king is thrown back.
        Ambushed = "ambushed",
        /// The enemy defended: the attacker is lost with its victim.
        Held = "held",
    }
}

/// A doublet carried out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Doublet {
    /// The position after it.
    pub after: SyncState,
    /// What happened to each side's move, in the order of [`SyncEvent::ALL`].
    pub events: ByColor<Vec<SyncEvent>>,
}

/// A side's move as seen from the board before the doublet.
struct Mover {
    piece: Piece,
    written: Move,
    /// The square of the enemy piece at which it aims.
    victim: Option<Square>,
    in_passing: bool,
    fires: bool,
}

/// The fate of a mover.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// It ends on its target.
    Arrives,
    /// It is off the board.
    Vanishes,
    /// A king thrown back by an ambush.
    Stays,
}

impl Mover {
    fn new(board: &Board, side: Color, written: Option<SyncMove>) -> Option<Mover> {
        let Some(SyncMove::Piece(written)) = written else { return None };
        let piece = board.piece_at(written.from).filter(|piece| piece.color == side)?;
        let in_passing = is_in_passing(board, piece, written);
        let target = if in_passing { behind(written.to, side) } else { written.to };
        let victim = board.by_color(side.other()).contains(target).then_some(target);
        let fires = board.by_color(side).contains(written.to);
        Some(Mover { piece, written, victim, in_passing, fires })
    }

    fn is_king(&self) -> bool {
        self.piece.role == Role::King
    }
}

/// Carries out what both sides have written: White's and Black's pieces move at once.
///
/// `None` stands for a side that does not move (the first rule set has single moves). Legality is not checked; a move
/// without its piece is ignored.
#[must_use]
pub fn resolve(state: &SyncState, written: ByColor<Option<SyncMove>>) -> Doublet {
    let movers = ByColor::new_with(|side| Mover::new(&state.board, side, written[side]));
    let mut board = state.board.clone();
    // The squares vacated in this doublet.
    let mut gone = Bitboard::EMPTY;
    for mover in movers.iter().flatten() {
        gone.add(mover.written.from);
        if let Some(castled) = castling(mover.piece, mover.written) {
            gone.add(castled.rook_from);
        }
    }

    let mut events = ByColor::<Vec<SyncEvent>>::default();
    let mut fates = ByColor { white: Fate::Arrives, black: Fate::Arrives };
    let mut taken = Bitboard::EMPTY;
    let mut barred = ByColor::<Option<Square>>::default();
    let met = match (&movers.white, &movers.black) {
        (Some(white), Some(black)) if white.written.to == black.written.to => true,
        (Some(white), Some(black)) => {
            let (w, b) = (white.written, black.written);
            if w.to == b.from && b.to == w.from {
                events = ByColor::new_with(|_| vec![SyncEvent::Inversion]);
            }
            false
        }
        _ => false,
    };
    for side in Color::ALL {
        let Some(mover) = &movers[side] else { continue };
        if met {
            events[side].push(SyncEvent::Collision);
            fates[side] = if mover.is_king() { Fate::Arrives } else { Fate::Vanishes };
            continue;
        }
        let event = match mover.victim {
            None if mover.fires => {
                taken.add(mover.written.to);
                Some(SyncEvent::OwnLoss)
            }
            None => None,
            Some(_) if events[side] == [SyncEvent::Inversion] => None,
            Some(victim) if gone.contains(victim) => Some(SyncEvent::Miss),
            Some(victim) => Some(match written[side.other()] {
                Some(SyncMove::Defence) if !mover.is_king() && !mover.in_passing => {
                    taken.add(victim);
                    fates[side] = Fate::Vanishes;
                    SyncEvent::Held
                }
                Some(SyncMove::Ambush(square)) if square == victim => {
                    fates[side] = if mover.is_king() { Fate::Stays } else { Fate::Vanishes };
                    barred[side] = mover.is_king().then_some(victim);
                    SyncEvent::Ambushed
                }
                _ => {
                    taken.add(victim);
                    SyncEvent::Capture
                }
            }),
        };
        events[side].extend(event);
        if mover.written.promotion.is_some() && fates[side] == Fate::Arrives {
            events[side].push(SyncEvent::Promotion);
        }
    }

    for square in gone | taken {
        board.discard_piece_at(square);
    }
    let castling_rights = state.castling & !(gone | taken);
    let mut passing = ByColor::<Option<Square>>::default();
    for side in Color::ALL {
        let Some(mover) = &movers[side] else { continue };
        let Move { from, to, promotion } = mover.written;
        match fates[side] {
            Fate::Vanishes => {}
            Fate::Stays => {
                board.set_piece_at(from, mover.piece);
                continue;
            }
            Fate::Arrives => {
                board.set_piece_at(to, Piece { role: promotion.unwrap_or(mover.piece.role), ..mover.piece });
                if let Some(castled) = castling(mover.piece, mover.written) {
                    board.set_piece_at(castled.rook_to, side.rook());
                }
                if mover.piece.role == Role::Pawn && from.distance(to) == 2 {
                    passing[side.other()] = from.offset(side.fold_wb(8, -8));
                }
            }
        }
    }
    // A king that has moved or been captured can no longer castle.
    let castling = castling_rights.into_iter().filter(|&rook| may_castle(&board, rook)).collect();
    Doublet { after: SyncState { board, castling, passing, barred }, events }
}
