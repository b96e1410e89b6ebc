//! What a page asks beside questions: the tasks, the positions, the legal moves, the assembler, a move of a player.

use crate::context::Context;
use crate::fields::message_in;
use crate::list;
use crate::refused::Refused;
use crate::reply;
use crate::texts::{self, SourceFiles};
use crate::told;
use crate::words::Words;
use chess_reference::fen::read_legal;
use chess_reference::gallery::{NamedPosition, PositionsDocument, named_positions};
use chess_reference::legal::{after, fen, san};
use chess_reference::names::colour_name;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use shakmaty::{CastlingMode, Chess, Position};

/// Answers a service by its name; none if there is no such service.
///
/// # Errors
/// What is wrong with the request, or why there is no answer.
pub fn answer(service: &str, request: &Value, words: &Words, context: &Context<'_>) -> Option<Result<Value, Refused>> {
    Some(match service {
        "tasks" => document(&list::tasks(words)),
        "positions" => document(&PositionsDocument::of(&named_positions().iter().collect::<Vec<&NamedPosition>>())),
        "legal" => asked(request).and_then(|request: FenRequest| legal(&request)),
        "assemble" => asked(request).and_then(|sources: SourceFiles| document(&texts::assembled(&sources))),
        "sources" => document(&texts::built_in()),
        "reply" => asked(request).and_then(|game| document(&reply::reply(&game, context)?)),
        _ => return None,
    })
}

fn document(document: &impl Serialize) -> Result<Value, Refused> {
    serde_json::to_value(document).map_err(|error| Refused::bad_input(error.to_string()))
}

/// Reads a request of a page.
///
/// # Errors
/// [`Refused::bad_input`].
pub fn asked<'q, T: Deserialize<'q>>(request: &'q Value) -> Result<T, Refused> {
    T::deserialize(request).map_err(|error| {
        let text = error.to_string();
        Refused::bad_input(message_in(&text).unwrap_or_else(|| told!("question-unreadable", error = text)))
    })
}

/// A position, and moves made from it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FenRequest {
    fen: String,
}

/// The legal moves of a position, each with the position after it.
fn legal(request: &FenRequest) -> Result<Value, Refused> {
    let (chess, notes) = legal_position(&request.fen)?;
    let moves: Vec<Value> = chess
        .legal_moves()
        .into_iter()
        .map(|played| {
            json!({
                "uci": played.to_uci(CastlingMode::Standard).to_string(),
                "san": san(&chess, played),
                "fen": fen(&after(&chess, played)),
            })
        })
        .collect();
    let end = match (moves.is_empty(), chess.is_check()) {
        (false, _) => None,
        (true, true) => Some("checkmate"),
        (true, false) => Some("stalemate"),
    };
    Ok(json!({
        "fen": fen(&chess),
        "turn": colour_name(chess.turn()),
        "check": chess.is_check(),
        "moves": moves,
        "end": end,
        "notes": notes,
    }))
}

/// A position of a game by its FEN, and what was put right in that.
///
/// # Errors
/// [`Refused::bad_input`] if it is not a FEN, or breaks the rules of chess.
pub fn legal_position(fen: &str) -> Result<(Chess, Vec<String>), Refused> {
    let (chess, notes) = read_legal(fen).map_err(|error| {
        Refused::bad_input(told!("position-wrong", given = told!("given-fen", fen = fen), error = error))
    })?;
    Ok((chess, notes.iter().map(ToString::to_string).collect()))
}
