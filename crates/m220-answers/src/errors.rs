//! The errors of the libraries below as messages: which key, and which values of the error stand in it.
//!
//! Those crates speak English alone. An error without values needs no row here: its text is its key.

use crate::prelude::*;
use chess_reference::algorithm50::{Stopped, TreeError};
use chess_reference::endings::EndingError;
use chess_reference::relations::Unfinished;
use chess_reference::sync::{NotAllowed, ParseSyncMoveError};
use m220_chess::ProgramError;
use m220_isa::{AddressError, DeckError, DeckErrors, DeckProblem, WordError};
use m220_machine::devices::drum::DrumFileError;
use m220_machine::{StoppedFileError, UnfittedCube};
use m220_players::{NotPlayable, PgnError, PlayerError};
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

/// The message of an error; none if the error has no values, or is not known here.
pub(crate) fn message(error: &dyn Any) -> Option<Message> {
    messages! { error;
        sentence => Message::Sentence(Sentence::clone(sentence));
        EndingError::Impossible(why) => told!("position-illegal", error = within(why));
        EndingError::Unsupported(why) => why.clone().into();
        Stopped::PositionLimit(positions) => told!("search-limit", count = *positions);
        Stopped::GivenUp(positions) => told!("search-stopped", count = *positions);
        TreeError::Stopped(error) => within(error);
        Unfinished::TooManyMoves(most) => told!("moves-limit", count = *most);
        ParseSyncMoveError { text, .. } => told!("sync-not-a-move", text);
        NotAllowed::NoPiece(square) => told!("sync-no-piece", square = *square);
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
            told!("deck-error", line = *line, column = *column, text, error = within(problem));
        DeckProblem::NotOctal(sign) => told!("deck-not-octal", sign = sign.to_string());
        DeckProblem::DigitCount(count) => told!("word-digits", count = *count);
        DeckProblem::Address(error) => within(error);
        DeckProblem::Number(error) => within(error);
        DeckProblem::Expected(Some(sign), what) =>
            told!("deck-expected", sign = sign.to_string(), expected = Message::from(Sentence::from(*what)));
        DeckProblem::Expected(None, what) => told!("deck-line-ends", expected = Message::from(Sentence::from(*what)));
        DeckProblem::DecimalExponent(exponent) => told!("deck-exponent", exponent = *exponent);
        DeckProblem::Twice(cell, line) => told!("deck-twice", cell = cell.to_string(), line = *line);
        WordError::TooLarge(bits) => told!("word-too-large", word = format!("{bits:o}"));
        WordError::NotOctal(sign) => told!("word-not-octal", sign = sign.to_string());
        WordError::DigitCount(count) => told!("word-digits", count = *count);
        AddressError::NotOctal(text) => told!("address-not-octal", text);
        AddressError::NotInCube(text) => told!("address-not-in-cube", text);
        AddressError::TooLarge(address, most) =>
            told!("address-too-large", address = format!("{address:o}"), most = format!("{most:o}"));
        UnfittedCube(cube) => told!("cube-not-fitted", cube = format!("{cube:o}"));
        DrumFileError::OddLength(bytes) => told!("drum-odd-length", bytes = *bytes);
        DrumFileError::TooLong { words, capacity } => told!("drum-too-long", words = *words, capacity = *capacity);
        DrumFileError::BadWord { index, .. } => told!("drum-bad-word", index = format!("{index:o}"));
        StoppedFileError::Version(version) => told!("machine-version", version = *version);
        StoppedFileError::Impossible { at, .. } => told!("machine-bad-byte", at = *at);
        NotPlayable::Unreadable(text) => told!("move-unreadable", text);
        NotPlayable::Null(text) => told!("move-null", text);
        NotPlayable::Illegal { text, side, legal } =>
            told!("move-illegal", text, side = side.to_lowercase(), legal = in_letters(legal));
        NotPlayable::Ambiguous { text, candidates } => told!("move-ambiguous", text, moves = in_letters(candidates));
        PgnError { stopped: true, reason, .. } | PgnError { line: 0, reason, .. } => reason.clone().into();
        PgnError { game: 0 | 1, line, column, reason, .. } =>
            told!("pgn-place", line = *line, column = *column, error = reason);
        PgnError { game, line, column, reason, .. } =>
            told!("pgn-game-place", game = *game, line = *line, column = *column, error = reason);
        PlayerError::Position(why) | PlayerError::Machine(why) => why.clone().into();
        ProgramError::Unusable(why) => why.clone().into();
    }
    None
}
