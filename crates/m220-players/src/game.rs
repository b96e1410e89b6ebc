//! A game: its start position, the moves played, and its end.

use crate::pgn::NULL_MOVES;
use crate::prelude::*;
use chess_reference::Placement;
use chess_reference::legal::{after, fen, san, to_uci};
use shakmaty::san::{San, SanError};
use shakmaty::uci::UciMove;
use std::fmt;

/// A start position and the moves played from it.
///
/// Every position is kept, so that repetitions are found and moves can be taken back.
#[derive(Clone, Debug)]
pub struct Game {
    /// The start position, then the position after each move: never empty.
    positions: Vec<Chess>,
    moves: Vec<Move>,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameEnd {
    /// The side to move is mated; the other one has won.
    Mate(Color),
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// The same position has occurred for the third time.
    Repetition,
    /// Fifty moves of each side without a capture or a pawn's move.
    FiftyMoves,
    /// Neither side has the pieces to mate.
    InsufficientMaterial,
    /// This side has resigned.
    Resigned(Color),
}

/// Why a text is not a move of this game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotPlayable {
    /// The text is neither in UCI nor in standard algebraic notation.
    #[error("'{0}' is not a move: expected a move such as e2e4, e7e8q, Nf3 or O-O")]
    Unreadable(String),
    /// A null move in one of its spellings.
    #[error("'{0}' is a null move, which no game of chess has")]
    Null(String),
    /// The notation is correct, but the move is not legal here.
    #[error("{text} is not legal here ({side} to move; legal: {legal})")]
    Illegal {
        /// The text.
        text: String,
        /// `White` or `Black`.
        side: &'static str,
        /// The legal moves, in standard algebraic notation.
        legal: String,
    },
    /// Several pieces could make the move.
    #[error("{text} is ambiguous: it could be {candidates}")]
    Ambiguous {
        /// The text.
        text: String,
        /// The legal moves that it could be.
        candidates: String,
    },
}

impl Default for Game {
    fn default() -> Game {
        Game::new(Chess::default())
    }
}

impl Game {
    /// A game from this position on.
    #[must_use]
    pub fn new(start: Chess) -> Game {
        Game { positions: vec![start], moves: Vec::new() }
    }

    /// The position that the game began with.
    #[must_use]
    pub fn start(&self) -> &Chess {
        &self.positions[0]
    }

    /// The position now.
    #[must_use]
    pub fn position(&self) -> &Chess {
        &self.positions[self.positions.len() - 1]
    }

    /// The position before the last move. `None` before the first.
    #[must_use]
    pub fn before_last(&self) -> Option<&Chess> {
        self.positions.iter().nth_back(1)
    }

    /// The number of the first move, as in a game score.
    #[must_use]
    pub fn first_number(&self) -> u32 {
        self.start().fullmoves().get()
    }

    /// How many half-moves have been made before move `number` of the side `turn`. `None` without such a move.
    #[must_use]
    pub fn half_moves_before(&self, number: u32, turn: Color) -> Option<usize> {
        self.positions.iter().position(|position| position.fullmoves().get() == number && position.turn() == turn)
    }

    /// The position before each move, and the move.
    pub fn steps(&self) -> impl Iterator<Item = (&Chess, Move)> {
        self.positions.iter().zip(self.moves.iter().copied())
    }

    /// The moves played.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Whose move it is.
    #[must_use]
    pub fn turn(&self) -> Color {
        self.position().turn()
    }

    /// The number of the next move, as in a game score.
    #[must_use]
    pub fn number(&self) -> u32 {
        self.position().fullmoves().get()
    }

    /// The position now, with all fields of its FEN. It has an en-passant square only if a pawn can be captured there.
    #[must_use]
    pub fn placement(&self) -> Placement {
        Placement::from(self.position().clone())
    }

    /// The position now as a FEN.
    #[must_use]
    pub fn fen(&self) -> String {
        fen(self.position())
    }

    /// Plays a legal move.
    ///
    /// # Errors
    /// [`NotPlayable::Illegal`] if it is not legal; the game stays as it was.
    pub fn play(&mut self, next: Move) -> Result<(), NotPlayable> {
        if !self.position().is_legal(next) {
            return Err(self.illegal(&to_uci(next).to_string()));
        }
        self.positions.push(after(self.position(), next));
        self.moves.push(next);
        Ok(())
    }

    /// Takes the last move back. `None` if there is none.
    pub fn undo(&mut self) -> Option<Move> {
        let last = self.moves.pop()?;
        self.positions.pop();
        Some(last)
    }

    /// Leaves out the moves from half-move number `half_moves` (from 0) on.
    pub fn truncate(&mut self, half_moves: usize) {
        self.moves.truncate(half_moves);
        self.positions.truncate(self.moves.len() + 1);
    }

    /// The legal move that a text denotes, in UCI or in standard algebraic notation.
    ///
    /// # Errors
    /// [`NotPlayable`], which says what was expected.
    pub fn read_move(&self, text: &str) -> Result<Move, NotPlayable> {
        let text = text.trim();
        if NULL_MOVES.contains(&text) {
            return Err(NotPlayable::Null(text.to_owned()));
        }
        if let Ok(uci) = text.parse::<UciMove>() {
            return uci.to_move(self.position()).map_err(|_| self.illegal(text));
        }
        self.read_san(text)
    }

    /// The legal move that a text denotes in UCI notation. `None` if the text is in another one, or a null move.
    #[must_use]
    pub fn read_uci(&self, text: &str) -> Option<Result<Move, NotPlayable>> {
        let uci = text.parse::<UciMove>().ok().filter(|uci| matches!(uci, UciMove::Normal { .. }))?;
        Some(uci.to_move(self.position()).map_err(|_| self.illegal(text)))
    }

    /// The legal move that a text denotes in standard algebraic notation.
    ///
    /// # Errors
    /// As [`Game::read_move`].
    pub fn read_san(&self, text: &str) -> Result<Move, NotPlayable> {
        // Zeros for O and marks such as ! are usual in scores.
        let san = text.trim_end_matches(['!', '?', '+', '#']).replace('0', "O");
        let san: San = san.parse().map_err(|_| NotPlayable::Unreadable(text.to_owned()))?;
        // The standard names the file that a capturing pawn comes from.
        if matches!(san, San::Normal { role: Role::Pawn, file: None, capture: true, .. }) {
            return Err(NotPlayable::Unreadable(text.to_owned()));
        }
        san.to_move(self.position()).map_err(|error| match error {
            SanError::IllegalSan => self.illegal(text),
            SanError::AmbiguousSan => {
                NotPlayable::Ambiguous { text: text.to_owned(), candidates: self.names(|legal| san.matches(legal)) }
            }
        })
    }

    /// As [`Game::read_san`], and spellings of others: `o-o`, `e8Q`, `e2-e4`, `♘f3`, `Кf3` in Russian, an `x` that is missing or too many.
    /// Tells whether the standard has the move so.
    ///
    /// # Errors
    /// As [`Game::read_move`].
    pub fn read_spelling(&self, text: &str) -> Result<(Move, bool), NotPlayable> {
        let plain = plain_spelling(text);
        let is_exact = plain == text.trim_end_matches(['!', '?', '+', '#']).replace('0', "O");
        let error = match self.read_san(&plain) {
            Ok(played) => return Ok((played, is_exact)),
            Err(error) => error,
        };
        let other = match plain.split_once('x') {
            Some((before, behind)) => format!("{before}{behind}"),
            None => {
                let square = plain.rfind(|sign: char| sign.is_ascii_digit()).unwrap_or_default().saturating_sub(1);
                let (before, behind) = plain.split_at_checked(square).unwrap_or((&plain, ""));
                format!("{before}x{behind}")
            }
        };
        let read = self.read_san(&other).map_err(|_| match error {
            NotPlayable::Unreadable(_) => NotPlayable::Unreadable(text.to_owned()),
            NotPlayable::Illegal { .. } => self.illegal(text),
            ambiguous => ambiguous,
        })?;
        Ok((read, false))
    }

    /// The legal move that a person types: as [`Game::read_move`] and [`Game::read_spelling`], and `nf3`, `OO`, `1. e4`.
    ///
    /// # Errors
    /// As [`Game::read_move`]; ambiguous too if `bc4` may be a bishop's move or a pawn's. `bxc4` is a pawn's, as in scores.
    pub fn read_typed(&self, text: &str) -> Result<Move, NotPlayable> {
        if NULL_MOVES.contains(&text.trim()) {
            return Err(NotPlayable::Null(text.trim().to_owned()));
        }
        let bare = text.trim().trim_start_matches(|sign: char| sign.is_ascii_digit());
        let bare = if bare.starts_with(['.', ' ']) { bare.trim_start_matches(['.', ' ']) } else { text.trim() };
        // B1c3 is a bishop's move, b1c3 one in UCI notation.
        let is_small = bare.starts_with(|first: char| first.is_ascii_lowercase());
        if let Some(read) = self.read_uci(&bare.to_ascii_lowercase()).filter(|_| is_small) {
            return read;
        }
        let letters = bare.trim_end_matches(['!', '?', '+', '#']);
        let castling = match letters.to_ascii_lowercase().replace('0', "o").as_str() {
            "oo" => Some("O-O"),
            "ooo" => Some("O-O-O"),
            _ => None,
        };
        let read = self.read_spelling(castling.unwrap_or(bare)).map(|(played, _)| played);
        let is_as_in_scores = |played: &Move| san(self.position(), *played).trim_end_matches(['+', '#']) == letters;
        if read.as_ref().is_ok_and(is_as_in_scores) {
            return read;
        }
        // A small letter may be a piece's.
        let piece = bare.get(..1).filter(|first| "nbrqk".contains(*first)).map(|first| first.to_ascii_uppercase());
        match (piece.map(|piece| self.read_spelling(&(piece + &bare[1..]))), read) {
            (Some(Ok((piece, _))), Ok(pawn)) if piece != pawn => {
                let candidates = self.names(|legal| legal == piece || legal == pawn);
                Err(NotPlayable::Ambiguous { text: bare.to_owned(), candidates })
            }
            (Some(Ok((piece, _))), _) => Ok(piece),
            (Some(Err(ambiguous @ NotPlayable::Ambiguous { .. })), Err(_)) => Err(ambiguous),
            (_, read) => read,
        }
    }

    fn illegal(&self, text: &str) -> NotPlayable {
        let side = side_name(self.turn());
        NotPlayable::Illegal { text: text.to_owned(), side, legal: self.names(|_| true) }
    }

    fn names(&self, wanted: impl Fn(Move) -> bool) -> String {
        let legal = self.position().legal_moves();
        let names: Vec<String> =
            legal.into_iter().filter(|&legal| wanted(legal)).map(|legal| san(self.position(), legal)).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(" ") }
    }

    /// The end of the game, if it has ended. Repetition and the fifty-move rule apply without a claim.
    #[must_use]
    pub fn end(&self) -> Option<GameEnd> {
        let position = self.position();
        let times = self.positions.iter().filter(|earlier| *earlier == position).count();
        match () {
            () if position.is_checkmate() => Some(GameEnd::Mate(position.turn())),
            () if position.is_stalemate() => Some(GameEnd::Stalemate),
            () if position.is_insufficient_material() => Some(GameEnd::InsufficientMaterial),
            () if times >= 3 => Some(GameEnd::Repetition),
            () if position.halfmoves() >= 100 => Some(GameEnd::FiftyMoves),
            () => None,
        }
    }
}

/// A move in the spelling of the standard, as far as the signs alone tell it.
#[must_use]
pub fn plain_spelling(text: &str) -> String {
    let text = text.trim_end_matches(['!', '?', '+', '#']);
    let letter = |sign: char| match sign {
        '\u{2654}' | '\u{265a}' => 'K',
        '\u{2655}' | '\u{265b}' => 'Q',
        '\u{2656}' | '\u{265c}' => 'R',
        '\u{2657}' | '\u{265d}' => 'B',
        '\u{2658}' | '\u{265e}' | 'К' => 'N',
        'Ф' => 'Q',
        'Л' => 'R',
        'С' => 'B',
        '\u{2013}' | '\u{2212}' => '-',
        '\u{d7}' | ':' | 'х' => 'x',
        // The files, where the keyboard's Russian letters look like them.
        'а' => 'a',
        'с' => 'c',
        'е' => 'e',
        other => other,
    };
    let plain: String = text.replace("Кр", "K").chars().map(letter).collect();
    let castling = plain.replace(['0', 'o', 'О', 'о'], "O");
    if castling == "O-O" || castling == "O-O-O" {
        return castling;
    }
    let mut plain = plain.replace('-', "");
    // The piece of a promotion: after nothing, `=`, `/`, or between parentheses.
    if let Some(rank) = plain.rfind(['1', '8'])
        && let promotion = plain[rank + 1..].trim_matches(['=', '/', '(', ')']).to_ascii_uppercase()
        && matches!(promotion.as_str(), "Q" | "R" | "B" | "N")
    {
        plain = format!("{}={promotion}", &plain[..=rank]);
    }
    plain
}

impl GameEnd {
    /// The result as a game score has it: `1-0`, `0-1` or `1/2-1/2`.
    #[must_use]
    pub const fn result(self) -> &'static str {
        match self {
            GameEnd::Mate(Color::White) | GameEnd::Resigned(Color::White) => "0-1",
            GameEnd::Mate(Color::Black) | GameEnd::Resigned(Color::Black) => "1-0",
            GameEnd::Stalemate | GameEnd::Repetition | GameEnd::FiftyMoves | GameEnd::InsufficientMaterial => "1/2-1/2",
        }
    }
}

impl fmt::Display for GameEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameEnd::Mate(Color::White) => f.write_str("White is mated"),
            GameEnd::Mate(Color::Black) => f.write_str("Black is mated"),
            GameEnd::Stalemate => f.write_str("stalemate"),
            GameEnd::Repetition => f.write_str("drawn by threefold repetition"),
            GameEnd::FiftyMoves => f.write_str("drawn by the fifty-move rule"),
            GameEnd::InsufficientMaterial => f.write_str("drawn: neither side can mate"),
            GameEnd::Resigned(side) => write!(f, "{} resigns", side_name(*side)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::CastlingMode;

    fn played(moves: &str) -> Game {
        let mut game = Game::default();
        for text in moves.split_whitespace() {
            game.play(game.read_move(text).unwrap()).unwrap();
        }
        game
    }

    #[test]
    fn moves_are_read_in_both_notations_and_taken_back() {
        let mut game = played("e2e4 e5 Nf3 b8c6 Bb5 Nf6 0-0");
        assert_eq!(game.fen(), "r1bqkb1r/pppp1ppp/2n2n2/1B2p3/4P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4");
        assert_eq!(game.undo().map(|played| to_uci(played).to_string()).as_deref(), Some("e1g1"));
        assert_eq!((game.number(), game.turn()), (4, Color::White));
        let mut begun = game.clone();
        begun.truncate(usize::MAX);
        assert_eq!(begun.moves(), game.moves());
        begun.truncate(1);
        assert_eq!(begun.fen(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    }

    /// Spellings of others have the one move that they can mean, or none.
    #[test]
    fn moves_in_other_spellings() {
        let at = |fen: &str| Game::new(chess_reference::fen::read_legal(fen).unwrap().0);
        let game = at("r3k2r/1P4p1/8/2p5/3N4/1P3B2/3B4/R3K2R w KQkq - 0 1");
        for (text, uci, is_exact) in [
            ("Nc6", "d4c6", true),
            ("0-0", "e1g1", true),
            ("o-o-o", "e1c1", false),
            ("b8Q", "b7b8q", false),
            ("b8=n", "b7b8n", false),
            ("b7-b8/R", "b7b8r", false),
            ("ba8(Q)", "b7a8q", false),
            ("Nd4-c6", "d4c6", false),
            ("Nxc6", "d4c6", false),
            ("\u{265e}c6", "d4c6", false),
            ("Кc6", "d4c6", false),
            ("Крf1", "e1f1", false),
            ("Л:h8", "h1h8", false),
            ("b8Ф", "b7b8q", false),
            ("Кс6", "d4c6", false),
            ("bха8Q", "b7a8q", false),
        ] {
            let (played, exact) = game.read_spelling(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!((to_uci(played).to_string().as_str(), exact), (uci, is_exact), "{text}");
        }
        for text in ["nc6", "xa8=Q", "b8", "-", "N c6", "d4c6", "Oo", "c4\u{e9}", ""] {
            assert!(game.read_spelling(text).is_err(), "{text}");
        }
        let typed = |text: &str| game.read_typed(text).map(|played| to_uci(played).to_string());
        for (text, uci) in [
            ("1. nc6", "d4c6"),
            ("d4c6", "d4c6"),
            ("b7a8q", "b7a8q"),
            ("B7A8Q", ""),
            ("oo", "e1g1"),
            ("0-0-0", "e1c1"),
            ("1...b4", "b3b4"),
            ("Bc1", "d2c1"),
            ("bc1", "d2c1"),
            ("О-О", "e1g1"),
        ] {
            assert_eq!(typed(text).ok().as_deref().unwrap_or_default(), uci, "{text}");
        }
        let game = at("4k3/8/8/8/8/8/8/1N2KB2 w - - 0 1");
        assert!(game.read_typed("B1c3").is_err() && game.read_typed("b1c3").is_ok());
        // The case of a letter counts in the standard's own spelling alone.
        let game = at("4k3/8/2n5/1P6/4B3/8/8/4K3 w - - 0 1");
        assert_eq!(game.read_typed("bxc6").map(|played| to_uci(played).to_string()), Ok("b5c6".to_owned()));
        assert!(matches!(game.read_typed("bc6"), Err(NotPlayable::Ambiguous { .. })));
        assert!(matches!(game.read_typed("0000"), Err(NotPlayable::Null(_))));
        assert!(matches!(game.read_move("--"), Err(NotPlayable::Null(_))));
    }

    #[test]
    fn a_bad_move_names_what_was_expected() {
        let game = Game::new(
            "4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1"
                .parse::<shakmaty::fen::Fen>()
                .unwrap()
                .into_position(CastlingMode::Standard)
                .unwrap(),
        );
        let text = |wrong: &str| game.read_move(wrong).unwrap_err().to_string();
        assert_eq!(text("hello"), "'hello' is not a move: expected a move such as e2e4, e7e8q, Nf3 or O-O");
        assert_eq!(text("Nd2"), "Nd2 is ambiguous: it could be Nbd2 Nfd2");
        assert!(text("e1e8").starts_with("e1e8 is not legal here (White to move; legal: "), "{}", text("e1e8"));
    }

    #[test]
    fn games_end_by_the_rules() {
        assert_eq!(played("f3 e5 g4 Qh4").end(), Some(GameEnd::Mate(Color::White)));
        let there_and_back = "Nf3 Nf6 Ng1 Ng8 ";
        assert_eq!(played(there_and_back).end(), None);
        assert_eq!(played(&there_and_back.repeat(2)).end(), Some(GameEnd::Repetition));
        let at = |fen: &str| {
            let fen: shakmaty::fen::Fen = fen.parse().unwrap();
            Game::new(fen.into_position(CastlingMode::Standard).unwrap()).end()
        };
        assert_eq!(at("7k/5Q2/8/8/8/8/8/K7 b - - 0 1"), Some(GameEnd::Stalemate));
        assert_eq!(at("7k/8/8/8/8/8/8/K7 b - - 0 1"), Some(GameEnd::InsufficientMaterial));
        assert_eq!(at("7k/8/8/8/8/8/8/KR6 b - - 100 80"), Some(GameEnd::FiftyMoves));
        assert_eq!(at("7k/8/8/8/8/8/8/KR6 b - - 99 80"), None);
    }
}
