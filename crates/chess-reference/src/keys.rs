//! The book's interdiction keys (Figs 6, 9, 13, 14, 16, 19, 21).
//!
//! A key is laid on the board together with a code table, and strikes out squares that the piece cannot reach: those
//! held by its own side, those outside the board, and, for pieces that move along lines, those behind any piece. The
//! drawings of the keys are missing from our copy of the book; we take their content from the text of chapter III and
//! from the rules of chess. [`Key::drawing`] draws them anew.
//!
//! The edge of the board needs no key: a code table laid on the board ends there
//! ([`Stamp::ones`](crate::code_tables::Stamp::ones) holds only squares of the board).

use crate::code_tables::Stamp;
use crate::prelude::*;
use shakmaty::attacks::ray;

/// What a key strikes out because of the content of one square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ban {
    /// The square itself.
    pub square: bool,
    /// The squares behind it, seen from the zero cell.
    pub behind: bool,
}

/// Strikes out nothing.
const FREE: Ban = Ban { square: false, behind: false };
/// Strikes out the square.
const SQUARE: Ban = Ban { square: true, behind: false };
/// Strikes out the squares behind the square.
const BEHIND: Ban = Ban { square: false, behind: true };
/// Strikes out the square and those behind it.
const WALL: Ban = Ban { square: true, behind: true };

/// An interdiction key: what an empty square, a piece of the same side and an enemy piece each strike out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    /// What an empty square strikes out: a pawn's capture needs a piece to take.
    pub empty: Ban,
    /// What a piece of the same side strikes out.
    pub own: Ban,
    /// What a piece of the other side strikes out.
    pub enemy: Ban,
}

/// King and knight, Figs 6 and 9: own pieces. The book says that enemy pieces have no effect here.
const STEP: Key = Key { empty: FREE, own: SQUARE, enemy: FREE };
/// Queen, rook, bishop, Figs 16, 19, 21: own pieces, and whatever is behind a piece.
const LINE: Key = Key { empty: FREE, own: WALL, enemy: BEHIND };
/// A pawn's moves, Figs 13 and 14: any piece blocks them, including a double step.
const ADVANCE: Key = Key { empty: FREE, own: WALL, enemy: WALL };
/// A pawn's captures, Figs 13 and 14: only squares with enemy pieces remain.
const CAPTURE: Key = Key { empty: SQUARE, own: SQUARE, enemy: FREE };

impl Key {
    /// The key that belongs to a code table.
    pub const fn of(stamp: Stamp) -> Key {
        match stamp {
            Stamp::King | Stamp::Knight => STEP,
            Stamp::Queen | Stamp::Rook | Stamp::Bishop => LINE,
            Stamp::PawnMove(_) | Stamp::PawnFirstMove(_) => ADVANCE,
            Stamp::PawnCapture(_) => CAPTURE,
        }
    }

    /// The squares that the key leaves of `marked`, given the pieces `own` and `enemy`. `marked` are squares numbered by
    /// a table with its zero cell on `zero`.
    pub fn open(self, marked: Bitboard, zero: Square, own: Bitboard, enemy: Bitboard) -> Bitboard {
        let empty = !(own | enemy);
        let struck = when(self.empty.square, empty) | when(self.own.square, own) | when(self.enemy.square, enemy);
        let mut walls = marked & (when(self.own.behind, own) | when(self.enemy.behind, enemy));
        let mut seen = marked;
        while let Some(wall) = walls.pop_front() {
            let shadow = behind(zero, wall);
            seen &= !shadow;
            walls &= !shadow;
        }
        seen & !struck
    }
}

impl Key {
    /// The sign of what a square does in a drawing.
    #[must_use]
    pub const fn sign(self) -> char {
        match (self.own.behind, self.enemy.square, self.empty.square) {
            (_, _, true) => 'e',
            (true, true, _) => 'X',
            (true, false, _) => 'O',
            (false, ..) => 'o',
        }
    }

    /// What the key says of a square, in words.
    #[must_use]
    pub fn in_words(self) -> Vec<Sentence> {
        let said = [
            (sentence!("a free square"), self.empty),
            (sentence!("a friendly piece"), self.own),
            (sentence!("an enemy piece"), self.enemy),
        ];
        let forbids = |(what, ban): (Sentence, Ban)| match (ban.square, ban.behind) {
            (false, false) => None,
            (true, false) => Some(sentence!("{what} is not entered", what)),
            (false, true) => Some(sentence!("{what} closes what is behind it", what)),
            (true, true) => Some(sentence!("{what} is not entered and closes what is behind it", what)),
        };
        said.into_iter().filter_map(forbids).collect()
    }

    /// The key as it is laid on a code table: rows of 15 cells, the topmost first, the zero cell in the middle, the sign
    /// of the key where the table has a 1, and points.
    #[must_use]
    pub fn drawing(stamp: Stamp) -> Vec<String> {
        let cell = |dx, dy| match (dx, dy, stamp.table().number(dx, dy)) {
            (0, 0, _) => '0',
            (_, _, Some(1)) => Key::of(stamp).sign(),
            _ => '.',
        };
        let row = |dy| (-7..=7).map(|dx| cell(dx, dy).to_string()).collect::<Vec<_>>().join(" ");
        (-7..=7).rev().map(row).collect()
    }
}

/// `squares` if the condition holds, else none.
const fn when(condition: bool, squares: Bitboard) -> Bitboard {
    if condition { squares } else { Bitboard::EMPTY }
}

/// The squares behind `wall`, seen from `zero` along their common line or diagonal; empty if they share none.
pub const fn behind(zero: Square, wall: Square) -> Bitboard {
    SHADOWS[zero.to_usize()][wall.to_usize()]
}

/// See [`behind`]. A table, because the keys' innermost loop waits for each shadow.
static SHADOWS: [[Bitboard; 64]; 64] = {
    let mut shadows = [[Bitboard::EMPTY; 64]; 64];
    let mut pair = 0;
    while pair < 64 * 64 {
        let (zero, wall) = (Square::new(pair / 64), Square::new(pair % 64));
        // Along a line the numbers of the squares only rise, or only fall.
        let above = !1 << wall.to_u32();
        let beyond = if zero.to_u32() < wall.to_u32() { above } else { !above & !(1 << wall.to_u32()) };
        shadows[zero.to_usize()][wall.to_usize()] = Bitboard(ray(zero, wall).0 & beyond);
        pair += 1;
    }
    shadows
};

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Color;

    /// What the key of `stamp` leaves open around d4, with own pieces on d6 and f6, enemy pieces on f4 and e5.
    fn open_around_d4(stamp: Stamp) -> Bitboard {
        let own = squares("d6 f6");
        let enemy = squares("f4 e5");
        let marked = stamp.ones(Square::D4);
        Key::of(stamp).open(marked, Square::D4, own, enemy)
    }

    fn squares(names: &str) -> Bitboard {
        names.split(' ').map(|name| name.parse::<Square>().unwrap()).collect()
    }

    #[test]
    fn a_rook_sees_an_enemy_piece_and_nothing_behind_it() {
        let seen = squares("d5 d3 d2 d1 c4 b4 a4 e4 f4");
        assert_eq!(open_around_d4(Stamp::Rook), seen);
    }

    #[test]
    fn a_bishop_does_not_see_the_own_piece_behind_an_enemy_piece() {
        let seen = squares("e5 e3 f2 g1 c3 b2 a1 c5 b6 a7");
        assert_eq!(open_around_d4(Stamp::Bishop), seen);
    }

    #[test]
    fn a_queen_sees_what_rook_and_bishop_see() {
        let both = open_around_d4(Stamp::Rook) | open_around_d4(Stamp::Bishop);
        assert_eq!(open_around_d4(Stamp::Queen), both);
    }

    #[test]
    fn for_king_and_knight_only_own_pieces_count() {
        assert_eq!(open_around_d4(Stamp::King).count(), 8);
        let own = squares("c3 e6");
        for stamp in [Stamp::King, Stamp::Knight] {
            let marked = stamp.ones(Square::D4);
            let open = Key::of(stamp).open(marked, Square::D4, own, squares("d5 b3"));
            assert_eq!(open, marked & !own);
        }
    }

    #[test]
    fn any_piece_stops_a_pawn_and_only_an_enemy_piece_is_taken() {
        let white = Color::White;
        let advance = |zero, own, enemy| {
            let stamp = Stamp::PawnFirstMove(white);
            Key::of(stamp).open(stamp.ones(zero), zero, own, enemy)
        };
        let none = Bitboard::EMPTY;
        assert_eq!(advance(Square::D2, none, none), squares("d3 d4"));
        for (own, enemy) in [(Square::D3.into(), none), (none, Square::D3.into())] {
            assert_eq!(advance(Square::D2, own, enemy), none);
        }
        for (own, enemy) in [(Square::D4.into(), none), (none, Square::D4.into())] {
            assert_eq!(advance(Square::D2, own, enemy), squares("d3"));
        }
        assert_eq!(open_around_d4(Stamp::PawnCapture(white)), squares("e5"));
        assert_eq!(open_around_d4(Stamp::PawnCapture(Color::Black)), none);
    }

    /// A drawing shows just the squares that the key looks at, and its words what `open` does with them.
    #[test]
    fn drawings_show_what_the_keys_do() {
        let signs = |stamp| Key::drawing(stamp).concat().chars().filter(char::is_ascii_alphabetic).collect::<String>();
        assert_eq!((signs(Stamp::King).as_str(), signs(Stamp::PawnCapture(Color::White)).as_str()), ("oooooooo", "ee"));
        assert_eq!(signs(Stamp::Queen), "O".repeat(56));
        assert_eq!(Key::drawing(Stamp::PawnMove(Color::Black))[8], ". . . . . . . X . . . . . . .");
        for stamp in [Stamp::King, Stamp::Queen, Stamp::PawnMove(Color::White), Stamp::PawnCapture(Color::White)] {
            let (marked, key) = (stamp.ones(Square::D4), Key::of(stamp));
            let said =
                [("a friendly piece", true, false), ("an enemy piece", false, true), ("a free square", false, false)];
            for (what, own, enemy) in said {
                let square = marked.first().unwrap();
                let on = |there: bool| if there { Bitboard::from(square) } else { Bitboard::EMPTY };
                let open = key.open(marked, Square::D4, on(own), on(enemy));
                let begins = format!("{what} is not entered");
                let forbidden = key.in_words().iter().any(|told| told.to_string().starts_with(&begins));
                assert_eq!(!open.contains(square), forbidden, "{stamp:?}: {what}");
            }
        }
    }

    #[test]
    fn shadows_fall_along_lines_and_diagonals_alone() {
        assert_eq!(behind(Square::A1, Square::C3), squares("d4 e5 f6 g7 h8"));
        assert_eq!(behind(Square::D5, Square::D4), squares("d3 d2 d1"));
        assert_eq!(behind(Square::E4, Square::H4), Bitboard::EMPTY);
        assert_eq!(behind(Square::B1, Square::C3), Bitboard::EMPTY);
        assert_eq!(behind(Square::B1, Square::B1), Bitboard::EMPTY);
    }
}
