//! The survey of moves (ОБЗОР ХОДОВ), as in the listing.

use super::{
    boards::Boards,
    castling::{CASTLINGS, Castling},
    codes::{BISHOP, CASTLING, EMPTY, KING, KNIGHT, PAWN, QUEEN, ROOK},
    tables::{self, LEAPER_STRIDE, LINE_STRIDE, LeaperTable, LineTable, PawnTable},
};

/// A word of the list of moves: an index, a kind, a square, or a target. A target on which a
/// pawn promotes has the new piece's code above [`SQUARE_BITS`].
pub(super) type ListWord = u16;

/// The number of bits of a target's square (1..=65).
pub(super) const SQUARE_BITS: u32 = 7;

/// The promotion pieces in the order in which they are tried, by descending codes.
pub(super) const PROMOTIONS: [u8; 4] = [QUEEN, ROOK, BISHOP, KNIGHT];

/// The listing's ПРЕРЫВАНИЕ (interrupt): an enemy king stands on a target, so the previous move was
/// illegal.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct KingOnTarget;

/// A survey in progress: the side, and the list that receives its moves.
struct Survey<'a> {
    boards: &'a Boards,
    side: usize,
    /// The square behind a pawn that has just made a double step; 0 if none.
    en_passant: u8,
    list: &'a mut Vec<ListWord>,
}

/// Appends to `list` the records of all moves of `side`, castling last.
///
/// A record is the piece's index in its piece list, its kind, its square, its targets, and its
/// square again as end mark; a piece without moves has no record. Moves are legal except that they
/// may leave the king attacked; for castling, only the square where the king arrives is unchecked.
/// After an interrupt the contents of the list are unspecified.
pub(super) fn survey(
    boards: &Boards,
    side: usize,
    en_passant: u8,
    rights: u8,
    list: &mut Vec<ListWord>,
) -> Result<(), KingOnTarget> {
    for index in (1..=usize::from(boards.list[side][0])).rev() {
        let square = boards.list[side][index];
        let kind = boards.board[side][usize::from(square)];
        if kind == EMPTY {
            continue;
        }
        let start = list.len();
        list.extend([index as ListWord, ListWord::from(kind), ListWord::from(square)]);
        Survey { boards, side, en_passant, list }.targets(kind, square)?;
        if list.len() == start + 3 {
            list.truncate(start);
        } else {
            list.push(ListWord::from(square));
        }
    }
    castling(boards, side, rights, list);
    Ok(())
}

impl Survey<'_> {
    fn own(&self, square: u8) -> u8 {
        self.boards.board[self.side][usize::from(square)]
    }

    fn enemy(&self, square: u8) -> u8 {
        self.boards.board[1 - self.side][usize::from(square)]
    }

    fn targets(&mut self, kind: u8, square: u8) -> Result<(), KingOnTarget> {
        match kind {
            PAWN => self.pawn(&tables::PAWN[self.side], square),
            KNIGHT => self.leaper(&tables::KNIGHT, square),
            KING => self.leaper(&tables::KING, square),
            BISHOP => self.line(&tables::BISHOP, square),
            ROOK => self.line(&tables::ROOK, square),
            // A queen is a rook followed by a bishop.
            _ => {
                self.line(&tables::ROOK, square)?;
                self.line(&tables::BISHOP, square)
            }
        }
    }

    fn leaper(&mut self, table: &LeaperTable, square: u8) -> Result<(), KingOnTarget> {
        let end = LEAPER_STRIDE * usize::from(square);
        for &target in &table[end - usize::from(table[end])..end] {
            if self.own(target) == EMPTY {
                if self.enemy(target) == KING {
                    return Err(KingOnTarget);
                }
                self.list.push(ListWord::from(target));
            }
        }
        Ok(())
    }

    fn line(&mut self, table: &LineTable, square: u8) -> Result<(), KingOnTarget> {
        for direction in 0..4 {
            let step = table[direction];
            let last = table[LINE_STRIDE * usize::from(square) + direction];
            let mut at = i16::from(square);
            while at != last {
                at += step;
                if self.own(at as u8) != EMPTY {
                    break;
                }
                self.list.push(at as ListWord);
                match self.enemy(at as u8) {
                    EMPTY => (),
                    KING => return Err(KingOnTarget),
                    _ => break,
                }
            }
        }
        Ok(())
    }

    fn pawn(&mut self, table: &PawnTable, square: u8) -> Result<(), KingOnTarget> {
        let cell = LINE_STRIDE * usize::from(square);
        for &target in &table[cell..cell + 2] {
            if self.own(target) != EMPTY || self.enemy(target) != EMPTY {
                break;
            }
            self.keep_pawn(target);
        }
        for &target in &table[cell + 2..cell + 4] {
            let victim = self.enemy(target);
            if victim == KING {
                return Err(KingOnTarget);
            }
            if victim != EMPTY || target == self.en_passant {
                self.keep_pawn(target);
            }
        }
        Ok(())
    }

    /// Appends a pawn's target, four times on the last rank.
    fn keep_pawn(&mut self, target: u8) {
        if (9..=56).contains(&target) {
            self.list.push(ListWord::from(target));
        } else {
            for code in PROMOTIONS {
                self.list.push(ListWord::from(code) << SQUARE_BITS | ListWord::from(target));
            }
        }
    }
}

/// Appends castling. The listing does this in a procedure that is lost; this one is ours.
fn castling(boards: &Boards, side: usize, rights: u8, list: &mut Vec<ListWord>) {
    let start = list.len();
    for way in castlings(boards, side, rights) {
        if list.len() == start {
            let index = boards.index_of(side, way.king_from);
            list.extend([index as ListWord, ListWord::from(CASTLING), ListWord::from(way.king_from)]);
        }
        list.push(ListWord::from(way.king_to));
    }
    if list.len() > start {
        list.push(ListWord::from(CASTLINGS[side][0].king_from));
    }
}

/// The castlings that the survey appends, in its order. An attack on the square where the king arrives is left to the
/// interrupt.
pub(super) fn castlings(boards: &Boards, side: usize, rights: u8) -> impl Iterator<Item = &'static Castling> {
    CASTLINGS[side].iter().filter(move |way| {
        let free = |square: u8| boards.board.iter().all(|b| b[usize::from(square)] == EMPTY);
        rights & way.right != 0
            && (way.between.0..=way.between.1).all(free)
            && !boards.attacked(way.king_from, 1 - side)
            && !boards.attacked(way.rook_to, 1 - side)
    })
}
