//! Positions from a FEN, and what is put right in one.
//!
//! A castling right without its king and rook, and an en-passant square that no double step can just have passed, are
//! common in published FENs and say nothing about the pieces: they are dropped with a note. Whatever could mean
//! another position is refused.
//!
//! ```
//! use chess_reference::Placement;
//!
//! let (position, notes) = Placement::read_fen("6k1/5ppp/8/8/8/8/8/R5K1 w KQkq - 0 1")?;
//! assert_eq!(position.to_fen(), "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");
//! assert_eq!(notes[0].to_string(), "castling right K dropped: it needs the king on e1 and a rook on h1");
//! # Ok::<(), m220_sentence::Sentence>(())
//! ```

use crate::algorithm50::problem::en_passant_fault;
use crate::legal::may_castle;
use crate::prelude::*;
use shakmaty::fen::{Fen, ParseFenError};

/// The largest half-move clock and move number that are read. No game comes near it.
pub const LARGEST_COUNTER: u32 = 99_999;

/// Which field of the FEN is wrong, and what was expected there.
fn wrong_field(error: &ParseFenError) -> &'static str {
    match error {
        ParseFenError::InvalidFen => "six fields were expected, the first of them the placement",
        ParseFenError::InvalidBoard => {
            "field 1 (placement) should be eight ranks of eight squares, in the letters PNBRQK and pnbrqk and the digits 1 to 8"
        }
        ParseFenError::InvalidPocket => "field 1 (placement) has more than eight ranks",
        ParseFenError::InvalidTurn => "field 2 (side to move) should be w or b",
        ParseFenError::InvalidCastling => "field 3 (castling rights) should be - or letters of KQkq",
        ParseFenError::InvalidEpSquare => "field 4 (en-passant square) should be - or a square",
        ParseFenError::InvalidRemainingChecks => "it belongs to a variant of chess",
        ParseFenError::InvalidHalfmoveClock => "field 5 (half-move clock) should be a number",
        ParseFenError::InvalidFullmoves => "field 6 (move number) should be a number",
    }
}

/// The first error in the placement field of a FEN, checking the ranks from the eighth down; `None` if there is none.
fn placement_fault(placement: &str) -> Option<Sentence> {
    let ranks: Vec<&str> = placement.split('/').collect();
    let of_rank = |(text, rank): (&&str, u32)| -> Option<Sentence> {
        if let Some(wrong) = text.chars().find(|sign| !"PNBRQKpnbrqk12345678".contains(*sign)) {
            return Some(sentence!(
                "rank {rank} (`{text}`): found `{wrong}`, expected pieces (PNBRQK, pnbrqk) and numbers of empty squares (1 to 8)",
                rank,
                text,
                wrong
            ));
        }
        if text.as_bytes().windows(2).any(|pair| pair.iter().all(u8::is_ascii_digit)) {
            return Some(sentence!(
                "rank {rank} (`{text}`) has two numbers side by side, expected their sum",
                rank,
                text
            ));
        }
        let squares: u32 = text.chars().map(|sign| sign.to_digit(10).unwrap_or(1)).sum();
        (squares != 8)
            .then(|| sentence!("rank {rank} (`{text}`) has {squares} squares, expected 8", rank, text, squares))
    };
    if ranks.len() != 8 {
        let plural = if ranks.len() == 1 { "rank" } else { "ranks" };
        return Some(sentence!(
            "it has {count} {plural}, expected 8 with / between them, such as `8/8/8/8/K7/8/8/8`",
            count = ranks.len(),
            plural
        ));
    }
    ranks.iter().zip((1..=8).rev()).find_map(of_rank)
}

impl Placement {
    /// Reads a FEN with any placement, even without kings, as it is written. Missing fields after the placement default
    /// to `w - - 0 1`. What comes from outside is read by [`Placement::read_fen`].
    ///
    /// # Errors
    ///
    /// The text violates the notation, or belongs to a chess variant.
    pub fn from_fen(fen: &str) -> Result<Placement, Sentence> {
        let fields: Vec<&str> = fen.split(|sign: char| sign.is_whitespace() || sign == '_').collect();
        let fields: Vec<&str> = fields.into_iter().filter(|field| !field.is_empty()).collect();
        let read = Fen::from_ascii(fields.join(" ").as_bytes());
        // A pocket after a `[` or a promotion mark is a variant's; otherwise the ranks tell more than the parser does.
        let variant = read.as_ref().is_ok_and(|read| read.as_setup().pockets.is_some());
        if let Some(fault) =
            fields.first().filter(|_| !variant).and_then(|field| placement_fault(&field.replace('~', "")))
        {
            return Err(sentence!("not a FEN: field 1 (placement): {fault}", fault));
        }
        let syntax = |error: ParseFenError| {
            let error = Sentence::from(wrong_field(&error));
            sentence!("not a FEN: {error} (expected for instance `8/8/8/8/K7/8/8/8 w - - 0 1`)", error)
        };
        let setup = read.map_err(syntax)?.into_setup();
        if setup.pockets.is_some() || setup.remaining_checks.is_some() || setup.promoted.any() {
            return Err("not an orthodox FEN: it has pockets, promotion marks or check counters of a variant".into());
        }
        for (field, name, value) in [(5, "half-move clock", setup.halfmoves), (6, "move number", setup.fullmoves.get())]
        {
            if value > LARGEST_COUNTER {
                let text: String = fields[field - 1].chars().take(20).collect();
                let name = Sentence::from(name);
                return Err(sentence!(
                    "not a FEN: field {field} ({name}): `{text}` is above {most}, the largest that is read",
                    field,
                    name,
                    text,
                    most = LARGEST_COUNTER.to_string()
                ));
            }
        }
        Ok(Placement::from_setup(setup))
    }

    /// Reads a FEN from outside: as [`Placement::from_fen`], and puts right what has one meaning all the same.
    ///
    /// # Errors
    ///
    /// The text violates the notation, or belongs to a chess variant or to Chess960.
    pub fn read_fen(fen: &str) -> Result<(Placement, Vec<Sentence>), Sentence> {
        let mut notes = Vec::new();
        let text = fen.trim().trim_matches(['"', '\'', '\u{201c}', '\u{201d}']).trim();
        let text = text.replace(['\u{2013}', '\u{2014}', '\u{2212}'], "-");
        if text != fen.trim() {
            notes.push(sentence!("read as `{text}`", text));
        }
        let mut position = Placement::from_fen(&text)?;
        let field = |index: usize| text.split([' ', '_', '\t']).filter(|field| !field.is_empty()).nth(index);
        let castling = field(2).unwrap_or("-");
        if position.is_chess960(castling) {
            return Err(sentence!(
                "not an orthodox FEN: castling rights {rights} are those of Chess960, which is not played here",
                rights = castling
            ));
        }
        notes.extend(position.drop_castling());
        if let Some(square) = position.ep_square
            && let Some(reason) = en_passant_fault(&position.to_setup(), square)
        {
            position.ep_square = None;
            let (square, reason) = (square.to_string(), Sentence::from(reason));
            notes.push(sentence!("en-passant square {square} dropped: {reason}", square, reason));
        }
        if field(5).is_some_and(|number| number.bytes().all(|digit| digit == b'0')) {
            notes.push("move number 0 read as 1".into());
        }
        Ok((position, notes))
    }

    /// Whether the rights can only be those of Chess960: named by a rook's file that is not a corner's, or both of a side
    /// with its king between two rooks, one of the three not in its place.
    fn is_chess960(&self, castling: &str) -> bool {
        if castling.bytes().any(|letter| matches!(letter.to_ascii_lowercase(), b'b'..=b'g')) {
            return true;
        }
        Color::ALL.into_iter().any(|color| {
            let rank = color.backrank();
            let rooks = self.castling_rights & rank & self.board.by_color(color) & self.board.rooks();
            let king = self.board.king_of(color).filter(|king| king.rank() == rank);
            let (Some(king), Some(first), Some(last)) = (king, rooks.first(), rooks.last()) else { return false };
            let between = first < king && king < last;
            let corners = first.file() == File::A && last.file() == File::H;
            between && !(king.file() == File::E && corners)
        })
    }

    /// Drops the rights whose king or rook is not in its place.
    fn drop_castling(&mut self) -> impl Iterator<Item = Sentence> {
        let mut notes = Vec::new();
        for rook in self.castling_rights {
            if may_castle(&self.board, rook) {
                continue;
            }
            self.castling_rights.toggle(rook);
            let color = Color::from_white(rook.rank() == Rank::First);
            let king = Square::from_coords(File::E, rook.rank());
            let wing = self.board.king_of(color).map_or(File::E, Square::file);
            let is_long = match rook.file() {
                File::A => true,
                File::H => false,
                file => file < wing,
            };
            let (right, file) = if is_long { ('q', File::A) } else { ('k', File::H) };
            let right = color.fold_wb(right.to_ascii_uppercase(), right);
            notes.push((right, king, Square::from_coords(file, rook.rank())));
        }
        // As they are written: King's side before Queen's, White before Black.
        notes.sort_by_key(|(right, ..)| "KQkq".find(*right));
        notes.into_iter().map(|(right, king, rook)| {
            let (king, rook) = (king.to_string(), rook.to_string());
            sentence!(
                "castling right {right} dropped: it needs the king on {king} and a rook on {rook}",
                right,
                king,
                rook
            )
        })
    }
}

/// A position of chess from a FEN from outside, and what was put right in it.
///
/// # Errors
/// The reason if it is not one.
pub fn read_legal(fen: &str) -> Result<(Chess, Vec<Sentence>), Sentence> {
    let (position, notes) = Placement::read_fen(fen)?;
    let legal = Chess::try_from(&position).map_err(|error| sentence!("not a legal position: {error}", error))?;
    Ok((legal, notes))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is put right, with the position that is read and the notes.
    #[test]
    fn what_has_one_meaning_is_put_right() {
        for (fen, read, told) in [
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9", ""),
            ("r3k2r/8/8/8/8/8/8/R3K2R b HAha - 3 9", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 9", ""),
            ("4k3/8/8/8/8/8/8/R3K3 w KQ - 0 1", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "K dropped"),
            ("4k3/8/8/8/8/8/8/4RK2 w Q - 0 1", "4k3/8/8/8/8/8/8/4RK2 w - - 0 1", "Q dropped"),
            ("1r2k2r/8/8/8/8/8/8/4K3 w q - 0 1", "1r2k2r/8/8/8/8/8/8/4K3 w - - 0 1", "rook on a8"),
            (
                "8/8/8/8/8/8/1p6/K1k5 w Q - 0 1",
                "8/8/8/8/8/8/1p6/K1k5 w - - 0 1",
                "Q dropped: it needs the king on e1 and a rook on a1",
            ),
            ("8/8/8/8/8/8/8/R7 w Kq - 0 1", "8/8/8/8/8/8/8/R7 w - - 0 1", "q dropped"),
            (
                "4k3/8/8/8/8/8/8/4K3 w - e3 0 1",
                "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
                "square e3 dropped: with White to move",
            ),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", ""),
            ("4k3/3p4/8/3pP3/8/8/8/4K3 w - d6 0 1", "4k3/3p4/8/3pP3/8/8/8/4K3 w - - 0 1", "way is not empty"),
            ("8/8/8/8/8/8/8/8 b - - 0 0", "8/8/8/8/8/8/8/8 b - - 0 1", "move number 0"),
            (" \u{201c}8/8/8/8/8/8/8/8 w \u{2013} \u{2013} 0 1\u{201d}", "8/8/8/8/8/8/8/8 w - - 0 1", "read as"),
            ("8/8/8/8/8/8/8/K7_w_-_-_0_1", "8/8/8/8/8/8/8/K7 w - - 0 1", ""),
            ("8/8/8/8/8/8/8/K7", "8/8/8/8/8/8/8/K7 w - - 0 1", ""),
        ] {
            let (position, notes) = Placement::read_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
            let notes: Vec<String> = notes.iter().map(ToString::to_string).collect();
            assert_eq!(position.to_fen(), read, "{fen}");
            assert!(notes.join("; ").contains(told) && notes.is_empty() == told.is_empty(), "{fen}: {notes:?}");
        }
    }

    #[test]
    fn what_has_two_meanings_or_none_is_refused() {
        for (fen, told) in [
            ("", "six fields"),
            ("hello", "it has 1 rank"),
            ("44/8/8/8/8/8/8/K6k w - - 0 1", "rank 8 (`44`) has two numbers side by side"),
            ("9/8/8/8/8/8/8/8", "rank 8 (`9`): found `9`"),
            ("8/8/8/8/8/8/8/K8 w", "rank 1 (`K8`) has 9 squares"),
            ("8/8/8/8/8/8/8/K7 x", "field 2"),
            ("8/8/8/8/8/8/8/K7 w - - 99999999999 1", "field 5 (half-move clock): `99999999999` is above 99999"),
            ("8/8/8/8/8/8/8/K7 w - - 0 100000", "field 6 (move number): `100000`"),
            ("8/8/8/8/8/8/8/K7 w - - -1 1", "field 5"),
            ("8/8/8/8/8/8/8/K7 w - - 0 1 2", "six fields"),
            ("nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w KQkq - 0 1", "Chess960"),
            ("nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w GBgb - 0 1", "rights GBgb are those of Chess960"),
            ("8/8/8/8/8/8/8/K7[Qq] w - - 0 1", "of a variant"),
            ("8/8/8/8/8/8/8/KQ~6 w - - 0 1", "of a variant"),
            ("8/8/8/8/8/8/8/K7 w - - 3+3 0 1", "of a variant"),
        ] {
            let refused = Placement::read_fen(fen).map(|(position, _)| position.to_fen());
            assert!(refused.as_ref().is_err_and(|error| error.to_string().contains(told)), "{fen:?}: {refused:?}");
        }
    }
}
