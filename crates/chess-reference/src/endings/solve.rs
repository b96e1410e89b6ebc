//! The procedure on sets of squares.

use super::Material;
use super::keys::PieceKey;
use crate::parallel::*;
use m220_limits::{End, Limits};
use shakmaty::{Bitboard, Color, Rank, Role, Square, attacks};

/// The stored value for a placement without a class: drawn, or not a legal position.
const NO_CLASS: u8 = u8::MAX;

/// The classes of all positions of an ending.
#[derive(Clone, Debug)]
pub struct Classes {
    ending: Material,
    rounds: u32,
    max_class: Option<u32>,
    /// The class with White to move and with Black to move: one byte for each key and square of the black king.
    white: Vec<u8>,
    black: Vec<u8>,
    pub(super) keys: Vec<KeyState>,
    /// The endings that a promotion can lead to.
    promoted: Vec<Classes>,
}

/// Facts about all black kings under one key. Each set contains squares of the black king, unless stated otherwise.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct KeyState {
    /// Legal positions with White to move; also the squares that the black king may step to.
    pub legal_white: Bitboard,
    /// Legal positions with Black to move.
    pub legal_black: Bitboard,
    /// Stalemates.
    pub stalemate: Bitboard,
    /// White to move, not yet classified.
    pub open_white: Bitboard,
    /// Black to move, not yet classified; stalemates never are.
    pub open_black: Bitboard,
    /// White's pieces that the black king can take.
    loose: Bitboard,
    /// Black to move, classified by the last round.
    fresh: Bitboard,
}

impl KeyState {
    fn new(ending: Material, key: &PieceKey) -> KeyState {
        let (free, beside, loose) = (key.free(ending), key.beside(), key.loose(ending));
        let stuck = beside & !king_steps(free | loose);
        let mated = stuck & !free;
        KeyState {
            legal_white: free,
            legal_black: beside,
            stalemate: stuck & free,
            open_white: free,
            open_black: beside & !stuck,
            loose,
            fresh: mated,
        }
    }
}

/// The squares one king move away from a member of the set.
fn king_steps(set: Bitboard) -> Bitboard {
    let (left, right) = (Bitboard::from_file(shakmaty::File::A), Bitboard::from_file(shakmaty::File::H));
    let beside = Bitboard((set & !right).0 << 1 | (set & !left).0 >> 1);
    let row = set | beside;
    beside | Bitboard(row.0 << 8 | row.0 >> 8)
}

impl Classes {
    /// Classifies an ending, after those that its pawn can be promoted into.
    #[must_use]
    pub fn of(ending: Material) -> Classes {
        let promoted = ending.promotes_to().iter().map(|&promoted| Classes::of(promoted)).collect();
        Classes::with_promotions(ending, promoted)
    }

    /// As [`Classes::of`], within limits of time, which are checked before each round.
    ///
    /// # Errors
    /// What ended the work.
    pub fn within(ending: Material, limits: &Limits) -> Result<Classes, End> {
        let promoted = ending.promotes_to().iter().map(|&promoted| Classes::within(promoted, limits));
        let mut classes = Classes::unclassified(ending, promoted.collect::<Result<_, End>>()?);
        classes.run(limits)?;
        Ok(classes)
    }

    /// Classifies an ending whose pawn can be promoted only into these endings.
    #[must_use]
    pub fn with_promotions(ending: Material, promoted: Vec<Classes>) -> Classes {
        let mut classes = Classes::unclassified(ending, promoted);
        // Without limits nothing ends it.
        let _ = classes.run(&Limits::default());
        classes
    }

    fn unclassified(ending: Material, promoted: Vec<Classes>) -> Classes {
        let places = PieceKey::places(ending);
        let at = |index| PieceKey::at(ending, index).map_or_else(KeyState::default, |key| KeyState::new(ending, &key));
        Classes {
            ending,
            rounds: 0,
            max_class: None,
            white: vec![NO_CLASS; 64 * places],
            black: vec![NO_CLASS; 64 * places],
            keys: (0..places).into_par_iter().map(at).collect(),
            promoted,
        }
    }

    /// Runs rounds until one classifies nothing and no promotion can still add a position.
    fn run(&mut self, limits: &Limits) -> Result<(), End> {
        let (ending, promoted) = (self.ending, std::mem::take(&mut self.promoted));
        let last_promoted = promoted.iter().filter_map(Classes::max_class).max();
        note_all(&mut self.black, &self.keys, 0);
        let mut fresh: Vec<Bitboard> = self.keys.iter().map(|key| key.fresh).collect();
        self.max_class = fresh.iter().any(|set| set.any()).then_some(0);
        for class in (0..u32::from(NO_CLASS)).step_by(2) {
            if fresh.iter().all(|set| set.is_empty()) && last_promoted.is_none_or(|last| class > last) {
                break;
            }
            limits.reached().map_or(Ok(()), Err)?;
            self.rounds += 1;
            let found = self.keys.par_iter_mut().zip(self.white.par_chunks_mut(64)).enumerate();
            let any_won = found.map(|(index, (key, bytes))| {
                if key.open_white.is_empty() {
                    return false;
                }
                let won = PieceKey::at(ending, index)
                    .map_or(Bitboard::EMPTY, |at| lost_after_a_move(ending, &at, &fresh, &promoted, class))
                    & key.open_white;
                key.open_white ^= won;
                note(bytes, won, class + 1);
                won.any()
            });
            // Counted, so that every key is looked at.
            let any_won = any_won.filter(|&won| won).count() > 0;
            self.keys.par_iter_mut().for_each(|key| {
                key.fresh = key.open_black & !king_steps(key.open_white | key.loose);
                key.open_black ^= key.fresh;
            });
            note_all(&mut self.black, &self.keys, class + 2);
            fresh = self.keys.par_iter().map(|key| key.fresh).collect();
            if any_won {
                self.max_class = Some(class + 1);
            }
            if fresh.iter().any(|set| set.any()) {
                self.max_class = Some(class + 2);
            }
        }
        self.promoted = promoted;
        Ok(())
    }

    /// The ending.
    #[must_use]
    pub fn ending(&self) -> Material {
        self.ending
    }

    /// The greatest class, M, in half-moves; `None` if no position has a class.
    #[must_use]
    pub fn max_class(&self) -> Option<u32> {
        self.max_class
    }

    /// How many rounds the procedure took, including the last one, which found nothing for Black. A round first classifies
    /// the positions from which White can reach the previous class, then those in which Black cannot avoid them.
    #[must_use]
    pub fn rounds(&self) -> u32 {
        self.rounds
    }

    /// The classes of the endings that the pawn can be promoted into.
    #[must_use]
    pub fn promoted(&self) -> &[Classes] {
        &self.promoted
    }

    /// The class of a placement with a side to move, where White has the pieces. `None` if it is drawn or not a legal
    /// position.
    #[must_use]
    pub fn class(&self, king: Square, pieces: &[Square], black_king: Square, turn: Color) -> Option<u32> {
        let place = 64 * self.index(king, pieces)? + black_king as usize;
        let class = turn.fold_wb(&self.white, &self.black)[place];
        (class != NO_CLASS).then_some(u32::from(class))
    }

    /// Whether a placement is a legal position: no two pieces share a square, and the side not to move is not in check.
    #[must_use]
    pub fn is_position(&self, king: Square, pieces: &[Square], black_king: Square, turn: Color) -> bool {
        self.index(king, pieces).is_some_and(|index| {
            let key = &self.keys[index];
            turn.fold_wb(key.legal_white, key.legal_black).contains(black_king)
        })
    }

    /// The index of a key; `None` for another number of pieces than the ending has.
    fn index(&self, king: Square, pieces: &[Square]) -> Option<usize> {
        (pieces.len() == self.ending.pieces().len()).then(|| PieceKey::new(self.ending, king, pieces).index())
    }

    pub(super) fn bytes(&self, turn: Color) -> &[u8] {
        turn.fold_wb(&self.white, &self.black)
    }

    /// The squares from which a black king to move loses in exactly `class` half-moves.
    fn lost_in(&self, class: u32, king: Square, piece: Square) -> Bitboard {
        let lost = |&square: &Square| self.class(king, &[piece], square, Color::Black) == Some(class);
        Square::ALL.into_iter().filter(lost).collect()
    }
}

fn note(bytes: &mut [u8], set: Bitboard, class: u32) {
    for square in set {
        bytes[square as usize] = class as u8;
    }
}

fn note_all(bytes: &mut [u8], keys: &[KeyState], class: u32) {
    bytes.par_chunks_mut(64).zip(keys).for_each(|(bytes, key)| note(bytes, key.fresh, class));
}

/// The black kings that a move of White's makes lost with `class` half-moves to go. A move cannot pass over the black
/// king. If he stands on its target square, he is in check with White to move, which is not a legal position.
fn lost_after_a_move(
    ending: Material,
    key: &PieceKey,
    fresh: &[Bitboard],
    promoted: &[Classes],
    class: u32,
) -> Bitboard {
    let to = |king: Square, pieces: &[Square]| fresh[PieceKey::new(ending, king, pieces).index()];
    let mut lost = Bitboard::EMPTY;
    for king in attacks::king_attacks(key.king) & !key.occupied() {
        lost |= to(king, key.pieces());
    }
    for (number, (&role, &from)) in ending.pieces().iter().zip(key.pieces()).enumerate() {
        let mut pieces = [Square::A1; 2];
        let pieces = &mut pieces[..key.pieces().len()];
        pieces.copy_from_slice(key.pieces());
        if role == Role::Pawn {
            lost |= lost_after_a_pawn_move(key.king, from, class, promoted, |target| to(key.king, &[target]));
            continue;
        }
        for target in PieceKey::attacked_by(role, from, key.occupied()) & !key.occupied() {
            pieces[number] = target;
            lost |= to(key.king, pieces) & !attacks::between(from, target);
        }
    }
    lost
}

/// The same for a pawn move: one step, two steps, or a promotion into an ending classified before.
fn lost_after_a_pawn_move(
    king: Square,
    from: Square,
    class: u32,
    promoted: &[Classes],
    to: impl Fn(Square) -> Bitboard,
) -> Bitboard {
    let Some(one) = from.offset(8).filter(|&one| one != king) else { return Bitboard::EMPTY };
    if one.rank() == Rank::Eighth {
        let sets = promoted.iter().map(|classes| classes.lost_in(class, king, one));
        return sets.fold(Bitboard::EMPTY, |all, set| all | set);
    }
    let two = one.offset(8).filter(|&two| from.rank() == Rank::Second && two != king);
    to(one) | two.map_or(Bitboard::EMPTY, |two| to(two).without(one))
}
