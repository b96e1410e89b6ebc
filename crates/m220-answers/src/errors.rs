//! The errors of the libraries below as messages: which key, and which values of the error stand in it.
//!
//! Those crates speak English alone. An error without values needs no row here: its text is its key.

use crate::prelude::*;
use chess_reference::algorithm50::{ProblemError, Stopped, TreeError};
use chess_reference::endings::{EndingError, UnknownMaterial};
use chess_reference::fen::wrong_field;
use chess_reference::sync::{NotAllowed, ParseSyncMoveError, ScoreError, ScoreErrorKind, SyncFenError};
use chess_reference::{FenError, FenNote, IllegalPosition};
use m220_asm::deck::BeyondCubeZero;
use m220_asm::elf::ElfError;
use m220_isa::number::NumberError;
use m220_isa::{AddressError, DeckError, DeckErrors, DeckProblem, WordError};
use m220_machine::devices::FitError;
use m220_machine::devices::drum::DrumFileError;
use m220_machine::devices::tape::TapeFileError;
use m220_machine::{StoppedFileError, UnfittedCube};
use m220_players::itep::listing::{ListingError, SumError};
use m220_players::{NotPlayable, PgnError, PlayerError, PlayerTrouble};
use std::any::Any;

/// The message of the first pattern that the error fits.
macro_rules! messages {
    ($error:ident; $($pattern:pat => $message:expr;)*) => {
        $(if let Some($pattern) = $error.downcast_ref() {
            return Some($message);
        })*
    };
}

/// An error within another.
fn within(error: &(impl Failure + Clone + 'static)) -> Message {
    Message::of(error.clone())
}

/// What an error gives as one of its own constant texts.
fn constant(text: &'static str) -> Message {
    Sentence::from(text).into()
}

/// The message of an error; none if the error has no values, or is not known here.
pub(crate) fn message(error: &dyn Any) -> Option<Message> {
    messages! { error;
        sentence => Message::Sentence(Sentence::clone(sentence));
        FenError::Syntax(field) => told!("fen-syntax", error = constant(wrong_field(field)));
        FenError::Placement(fault) => told!("fen-placement", error = fault);
        FenError::Counter(field, name, text) =>
            told!("fen-counter", field = *field, name = constant(name), text = text);
        FenError::Chess960(rights) => told!("fen-chess960", rights = rights);
        FenNote::Castling { right, king, rook } =>
            told!("fen-castling-dropped", right = right.to_string(), king = *king, rook = *rook);
        FenNote::EnPassant { square, reason } =>
            told!("fen-passing-dropped", square = *square, reason = constant(reason));
        FenNote::Spelling(text) => told!("fen-read-as", text = text);
        IllegalPosition(why) => why.clone().into();
        ProblemError::Fen(error) => within(error);
        ProblemError::NoKing(side) => told!("problem-no-king", side = *side);
        ProblemError::SeveralKings(side, count) => told!("problem-kings", side = *side, count = *count);
        ProblemError::TooManyPieces(side, count) => told!("problem-pieces", side = *side, count = *count);
        ProblemError::TooManyPawns(side, count) => told!("problem-pawns", side = *side, count = *count);
        ProblemError::PawnOnEdge(side, square) => told!("problem-pawn", side = *side, square = *square);
        ProblemError::OpponentInCheck(side) => told!("problem-check", side = *side);
        ProblemError::Castling { color, king, rook } =>
            told!("problem-castling", side = *color, king = *king, rook = *rook);
        ProblemError::EnPassant { square, reason } =>
            told!("problem-passing", square = *square, reason = constant(reason));
        EndingError::Impossible(why) => told!("position-illegal", error = within(why));
        EndingError::Unsupported(_) => told!("ending-unsupported");
        UnknownMaterial(name) => told!("ending-unknown", name = name);
        Stopped::PositionLimit { positions, .. } => told!("search-limit", count = *positions);
        Stopped::GivenUp { positions, .. } => told!("search-stopped", count = *positions);
        TreeError::Stopped(error) => within(error);
        ParseSyncMoveError { text, .. } => told!("sync-not-a-move", text = text);
        NotAllowed::NoPiece(square) => told!("sync-no-piece", square = *square);
        ScoreError { kind, .. } => within(kind);
        ScoreErrorKind::Move(error) => within(error);
        ScoreErrorKind::Fen(error) => within(error);
        SyncFenError::Fen(error) => within(error);
        SyncFenError::Turn => told!("sync-turn");
        SyncFenError::Passing(text) => told!("sync-passing", text = text);
        SyncFenError::PassingPawn { passing, side, pawn } =>
            told!("sync-passing-pawn", passing = *passing, side = side.to_lowercase(), pawn = *pawn);
        SyncFenError::Kings { side, count } => told!("problem-kings", side = side.to_lowercase(), count = *count);
        SyncFenError::Pawn(square) => told!("sync-pawn", square = *square);
        SyncFenError::Castling(rook) => told!("sync-castling", rook = *rook);
    }
    of_file(error)
}

/// The message of an error in a file, or in a game.
fn of_file(error: &dyn Any) -> Option<Message> {
    if let Some(errors) = error.downcast_ref::<DeckErrors>() {
        return Some(within(errors.first()));
    }
    messages! { error;
        DeckError { line, column, text, problem } =>
            told!("deck-error", line = *line, column = *column, text = text, error = within(problem));
        DeckProblem::NotOctal(sign) => told!("deck-not-octal", sign = sign.to_string());
        DeckProblem::DigitCount(count) => told!("word-digits", count = *count);
        DeckProblem::Address(error) => within(error);
        DeckProblem::Number(error) => within(error);
        DeckProblem::Twice(cell, line) => told!("deck-twice", cell = cell.to_string(), line = *line);
        WordError::TooLarge(bits) => told!("word-too-large", word = format!("{bits:o}"));
        WordError::NotOctal(sign) => told!("word-not-octal", sign = sign.to_string());
        WordError::DigitCount(count) => told!("word-digits", count = *count);
        NumberError::NotDecimal(text) => told!("number-not-decimal", text = text);
        NumberError::TooLarge(text) => told!("number-too-large", text = text);
        AddressError::NotOctal(text) => told!("address-not-octal", text = text);
        AddressError::TooLarge(address, most) =>
            told!("address-too-large", address = format!("{address:o}"), most = format!("{most:o}"));
        ElfError::Truncated { .. } => told!("elf-cut-short");
        BeyondCubeZero(cell) => told!("deck-cube", cell = cell.to_string(), cube = cell.cube().to_string());
        UnfittedCube(cube) => told!("cube-not-fitted", cube = format!("{cube:o}"));
        FitError::NoSuchDrum { number, .. } => told!("fit-no-drum", number = *number);
        FitError::DrumSize(words) => told!("fit-drum-size", words = *words);
        FitError::NoSuchTape(number) => told!("fit-no-tape", number = *number);
        DrumFileError::OddLength(bytes) => told!("drum-odd-length", bytes = *bytes);
        DrumFileError::TooLong { words, capacity } => told!("drum-too-long", words = *words, capacity = *capacity);
        DrumFileError::BadWord { index, .. } => told!("drum-bad-word", index = format!("{index:o}"));
        TapeFileError::Version(version) => told!("tape-version", version = *version);
        TapeFileError::Truncated(bytes) => told!("tape-cut-short", bytes = *bytes);
        TapeFileError::Trailing(bytes) => told!("tape-trailing", bytes = *bytes);
        TapeFileError::Damaged { .. } => told!("tape-damaged");
        TapeFileError::BadZone { number, .. } => told!("tape-bad-zone", number = *number);
        TapeFileError::BadWord { zone, index, .. } => told!("tape-bad-word", zone = *zone, index = *index);
        TapeFileError::TooLarge { .. } => told!("tape-too-large");
        StoppedFileError::Version(version) => told!("machine-version", version = *version);
        StoppedFileError::Impossible { at, .. } => told!("machine-bad-byte", at = *at);
        NotPlayable::Unreadable(text) => told!("move-unreadable", text = text);
        NotPlayable::Illegal { text, side, legal } =>
            told!("move-illegal", text = text, side = side.to_lowercase(), legal = legal);
        NotPlayable::Ambiguous { text, candidates } => told!("move-ambiguous", text = text, moves = candidates);
        PgnError { stopped: true, reason, .. } | PgnError { line: 0, reason, .. } => reason.clone().into();
        PgnError { game: 0 | 1, line, column, reason, .. } =>
            told!("pgn-place", line = *line, column = *column, error = reason);
        PgnError { game, line, column, reason, .. } =>
            told!("pgn-game-place", game = *game, line = *line, column = *column, error = reason);
        PlayerTrouble::Deck(why) | PlayerTrouble::Program(why) => why.clone().into();
        PlayerError::Position(why) | PlayerError::Machine(why) => why.clone().into();
        ListingError::Deck(error) => within(error);
        ListingError::Sum(error) => within(error);
        ListingError::OtherText { cell, .. } => told!("listing-other", cell = cell.to_string());
        SumError { first, last, .. } => told!("listing-sum", first = first.to_string(), last = last.to_string());
    }
    None
}
