//! The errors of the libraries below as messages: which key, and which values of the error stand in it.
//!
//! Those crates speak English alone. An error without values needs no entry here: its text is its key.

use crate::told;
use crate::words::Message;
use chess_reference::algorithm50::{ProblemError, Stopped, TreeError};
use chess_reference::endings::{EndingError, UnknownMaterial};
use chess_reference::fen::wrong_field;
use chess_reference::map::NoChoice;
use chess_reference::sync::{NotAllowed, ParseSyncMoveError, ScoreError, ScoreErrorKind, SyncFenError};
use chess_reference::trajectories::TooMany;
use chess_reference::{FenError, FenNote, IllegalPosition};
use m220_asm::deck::BeyondCubeZero;
use m220_asm::elf::ElfError;
use m220_isa::number::NumberError;
use m220_isa::{AddressError, DeckError, DeckErrors, DeckProblem, WordError};
use m220_machine::devices::FitError;
use m220_machine::devices::drum::DrumFileError;
use m220_machine::devices::tape::TapeFileError;
use m220_machine::{StoppedFileError, UnfittedCube};
use m220_players::itep::ItepError;
use m220_players::itep::listing::{ListingError, SumError};
use m220_players::{NotPlayable, PgnError, PlayerError, PlayerTrouble};
use m220_sentence::{Failure, Sentence};
use std::any::Any;

/// The message of an error; none if the error has no values, or is not known here.
pub(crate) fn message(error: &dyn Any) -> Option<Message> {
    if let Some(sentence) = error.downcast_ref::<Sentence>() {
        return Some(sentence.clone().into());
    }
    position(error).or_else(|| synchronous(error)).or_else(|| file(error)).or_else(|| player(error))
}

/// An error within another.
fn within(error: &(impl Failure + Clone + 'static)) -> Message {
    Message::of(error.clone())
}

fn position(error: &dyn Any) -> Option<Message> {
    if let Some(error) = error.downcast_ref::<FenError>() {
        return match error {
            FenError::Syntax(field) => Some(told!("fen-syntax", error = Sentence::from(wrong_field(field)))),
            FenError::Placement(fault) => Some(told!("fen-placement", error = fault.clone())),
            FenError::Counter(field, name, text) => {
                Some(told!("fen-counter", field = *field, name = Sentence::from(*name), text = text))
            }
            FenError::Chess960(rights) => Some(told!("fen-chess960", rights = rights)),
            _ => None,
        };
    }
    if let Some(note) = error.downcast_ref::<FenNote>() {
        return match note {
            FenNote::Castling { right, king, rook } => {
                Some(told!("fen-castling-dropped", right = right.to_string(), king = *king, rook = *rook))
            }
            FenNote::EnPassant { square, reason } => {
                Some(told!("fen-passing-dropped", square = *square, reason = Sentence::from(*reason)))
            }
            FenNote::Spelling(text) => Some(told!("fen-read-as", text = text)),
            FenNote::MoveNumber => None,
        };
    }
    if let Some(IllegalPosition(why)) = error.downcast_ref() {
        return Some(why.clone().into());
    }
    if let Some(error) = error.downcast_ref::<ProblemError>() {
        return Some(match error {
            ProblemError::Fen(error) => within(error),
            ProblemError::NoKing(side) => told!("problem-no-king", side = *side),
            ProblemError::SeveralKings(side, count) => told!("problem-kings", side = *side, count = *count),
            ProblemError::TooManyPieces(side, count) => told!("problem-pieces", side = *side, count = *count),
            ProblemError::TooManyPawns(side, count) => told!("problem-pawns", side = *side, count = *count),
            ProblemError::PawnOnEdge(side, square) => told!("problem-pawn", side = *side, square = *square),
            ProblemError::OpponentInCheck(side) => told!("problem-check", side = *side),
            ProblemError::Castling { color, king, rook } => {
                told!("problem-castling", side = *color, king = *king, rook = *rook)
            }
            ProblemError::EnPassant { square, reason } => {
                told!("problem-passing", square = *square, reason = Sentence::from(*reason))
            }
        });
    }
    if let Some(error) = error.downcast_ref::<EndingError>() {
        return Some(match error {
            EndingError::Impossible(why) => told!("position-illegal", error = within(why)),
            EndingError::Unsupported(_) => told!("ending-unsupported"),
        });
    }
    if let Some(UnknownMaterial(name)) = error.downcast_ref() {
        return Some(told!("ending-unknown", name = name));
    }
    if let Some(error) = error.downcast_ref::<Stopped>() {
        return Some(match error {
            Stopped::PositionLimit { positions, .. } => told!("search-limit", count = *positions),
            Stopped::GivenUp { positions, .. } => told!("search-stopped", count = *positions),
        });
    }
    if let Some(TreeError::Stopped(error)) = error.downcast_ref() {
        return Some(within(error));
    }
    if let Some(NoChoice::TooMany(error)) = error.downcast_ref() {
        return Some(within(error));
    }
    if let Some(TooMany { count, limit }) = error.downcast_ref() {
        return Some(told!("trajectories-too-many", count = count.to_string(), limit = limit.to_string()));
    }
    None
}

fn synchronous(error: &dyn Any) -> Option<Message> {
    if let Some(ParseSyncMoveError { text, .. }) = error.downcast_ref() {
        return Some(told!("sync-not-a-move", text = text));
    }
    if let Some(NotAllowed::NoPiece(square)) = error.downcast_ref() {
        return Some(told!("sync-no-piece", square = *square));
    }
    if let Some(ScoreError { kind, .. }) = error.downcast_ref() {
        return Some(within(kind));
    }
    if let Some(error) = error.downcast_ref::<ScoreErrorKind>() {
        return match error {
            ScoreErrorKind::Move(error) => Some(within(error)),
            ScoreErrorKind::Fen(error) => Some(within(error)),
            _ => None,
        };
    }
    if let Some(error) = error.downcast_ref::<SyncFenError>() {
        return match error {
            SyncFenError::Fen(error) => Some(within(error)),
            SyncFenError::Passing(text) => Some(told!("sync-passing", text = text)),
            SyncFenError::PassingPawn { passing, side, pawn } => {
                Some(told!("sync-passing-pawn", passing = *passing, side = side.to_lowercase(), pawn = *pawn))
            }
            SyncFenError::Kings { side, count } => {
                Some(told!("problem-kings", side = side.to_lowercase(), count = *count))
            }
            SyncFenError::Pawn(square) => Some(told!("sync-pawn", square = *square)),
            SyncFenError::Castling(rook) => Some(told!("sync-castling", rook = *rook)),
            _ => None,
        };
    }
    None
}

fn file(error: &dyn Any) -> Option<Message> {
    if let Some(errors) = error.downcast_ref::<DeckErrors>() {
        return Some(within(errors.first()));
    }
    if let Some(DeckError { line, column, text, problem }) = error.downcast_ref() {
        return Some(told!("deck-error", line = *line, column = *column, text = text, error = within(problem)));
    }
    if let Some(error) = error.downcast_ref::<DeckProblem>() {
        return match error {
            DeckProblem::NotOctal(sign) => Some(told!("deck-not-octal", sign = sign.to_string())),
            DeckProblem::DigitCount(count) => Some(told!("word-digits", count = *count)),
            DeckProblem::Address(error) => Some(within(error)),
            DeckProblem::Number(error) => Some(within(error)),
            DeckProblem::Twice(cell, line) => Some(told!("deck-twice", cell = cell.to_string(), line = *line)),
            _ => None,
        };
    }
    if let Some(error) = error.downcast_ref::<WordError>() {
        return Some(match error {
            WordError::TooLarge(bits) => told!("word-too-large", word = format!("{bits:o}")),
            WordError::NotOctal(sign) => told!("word-not-octal", sign = sign.to_string()),
            WordError::DigitCount(count) => told!("word-digits", count = *count),
        });
    }
    if let Some(error) = error.downcast_ref::<NumberError>() {
        return Some(match error {
            NumberError::NotDecimal(text) => told!("number-not-decimal", text = text),
            NumberError::TooLarge(text) => told!("number-too-large", text = text),
        });
    }
    if let Some(error) = error.downcast_ref::<AddressError>() {
        return Some(match error {
            AddressError::NotOctal(text) => told!("address-not-octal", text = text),
            AddressError::TooLarge(address, most) => {
                told!("address-too-large", address = format!("{address:o}"), most = format!("{most:o}"))
            }
        });
    }
    if let Some(ElfError::Truncated { .. }) = error.downcast_ref() {
        return Some(told!("elf-cut-short"));
    }
    if let Some(BeyondCubeZero(cell)) = error.downcast_ref() {
        return Some(told!("deck-cube", cell = cell.to_string(), cube = cell.cube().to_string()));
    }
    if let Some(UnfittedCube(cube)) = error.downcast_ref() {
        return Some(told!("cube-not-fitted", cube = format!("{cube:o}")));
    }
    if let Some(error) = error.downcast_ref::<FitError>() {
        return match error {
            FitError::NoSuchDrum { number, .. } => Some(told!("fit-no-drum", number = *number)),
            FitError::DrumSize(words) => Some(told!("fit-drum-size", words = *words)),
            FitError::NoSuchTape(number) => Some(told!("fit-no-tape", number = *number)),
            FitError::FourthDrum => None,
        };
    }
    if let Some(error) = error.downcast_ref::<DrumFileError>() {
        return Some(match error {
            DrumFileError::OddLength(bytes) => told!("drum-odd-length", bytes = *bytes),
            DrumFileError::TooLong { words, capacity } => told!("drum-too-long", words = *words, capacity = *capacity),
            DrumFileError::BadWord { index, .. } => told!("drum-bad-word", index = format!("{index:o}")),
        });
    }
    if let Some(error) = error.downcast_ref::<StoppedFileError>() {
        return match error {
            StoppedFileError::NotAMachine | StoppedFileError::Damaged => None,
            StoppedFileError::Version(version) => Some(told!("machine-version", version = *version)),
            StoppedFileError::Impossible { at, .. } => Some(told!("machine-bad-byte", at = *at)),
        };
    }
    if let Some(error) = error.downcast_ref::<TapeFileError>() {
        return match error {
            TapeFileError::NotATape => None,
            TapeFileError::Version(version) => Some(told!("tape-version", version = *version)),
            TapeFileError::Truncated(bytes) => Some(told!("tape-cut-short", bytes = *bytes)),
            TapeFileError::Trailing(bytes) => Some(told!("tape-trailing", bytes = *bytes)),
            TapeFileError::Damaged { .. } => Some(told!("tape-damaged")),
            TapeFileError::BadZone { number, .. } => Some(told!("tape-bad-zone", number = *number)),
            TapeFileError::BadWord { zone, index, .. } => Some(told!("tape-bad-word", zone = *zone, index = *index)),
            TapeFileError::TooLarge { .. } => Some(told!("tape-too-large")),
        };
    }
    None
}

fn player(error: &dyn Any) -> Option<Message> {
    if let Some(error) = error.downcast_ref::<NotPlayable>() {
        return Some(match error {
            NotPlayable::Unreadable(text) => told!("move-unreadable", text = text),
            NotPlayable::Illegal { text, side, legal } => {
                told!("move-illegal", text = text, side = side.to_lowercase(), legal = legal)
            }
            NotPlayable::Ambiguous { text, candidates } => told!("move-ambiguous", text = text, moves = candidates),
        });
    }
    if let Some(PgnError { game, line, column, reason, stopped }) = error.downcast_ref() {
        let reason = reason.clone();
        return Some(match (stopped, game, line) {
            (true, ..) | (_, _, 0) => reason.into(),
            (_, 0 | 1, _) => told!("pgn-place", line = *line, column = *column, error = reason),
            _ => told!("pgn-game-place", game = *game, line = *line, column = *column, error = reason),
        });
    }
    if let Some(PlayerTrouble::Deck(why) | PlayerTrouble::Program(why)) = error.downcast_ref() {
        return Some(why.clone().into());
    }
    if let Some(PlayerError::Position(why) | PlayerError::Machine(why)) = error.downcast_ref() {
        return Some(why.clone().into());
    }
    if let Some(error) = error.downcast_ref::<ListingError>() {
        return Some(match error {
            ListingError::Deck(error) => within(error),
            ListingError::Overlay(error) => error.to_string().into(),
            ListingError::Sum(error) => within(error),
            ListingError::OtherText { cell, .. } => told!("listing-other", cell = cell.to_string()),
        });
    }
    if let Some(SumError { first, last, .. }) = error.downcast_ref() {
        return Some(told!("listing-sum", first = first.to_string(), last = last.to_string()));
    }
    if let Some(ItepError::Position(why)) = error.downcast_ref() {
        return Some(told!("itep-position", error = why.to_string()));
    }
    if let Some(ItepError::NotAMove(word)) = error.downcast_ref() {
        return Some(told!("itep-not-a-move", word = word.grouped()));
    }
    if let Some(ItepError::Stopped(stop)) = error.downcast_ref() {
        return Some(told!("itep-stopped", cell = stop.at.to_string(), stop = stop.message.as_str()));
    }
    None
}
