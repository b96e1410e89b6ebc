//! Whole games through the eyes of the map: a row for each half-move, its sentence, and the table of the players.
//!
//! Chapter VI of the book proposes to compare the masters by their horizon, as a machine whose method is known sees their
//! moves. Botvinnik 1968, p. 49 and 89; nothing was computed then.

pub mod annotate;
pub mod row;
pub mod sentence;
pub mod table;

pub use annotate::annotated;
pub use row::{Effort, HalfMove, Looking, Machine, Row};
pub use sentence::sentence;
pub use table::{Counted, Player, Tally};

use crate::prelude::*;
use crate::words::Value;
use chess_reference::names::side_name;
use m220_players::game::Game;
use m220_players::pgn::GameRecord;
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// The most positions that the machine looks into for one first move if nothing is said: it then takes minutes for a move.
pub const USUAL_SHARE: u32 = 5;

/// The name of a player, as the tags have it.
#[must_use]
pub fn player(record: &GameRecord, side: Color) -> Option<&str> {
    record.tag(side_name(side)).filter(|name| !name.is_empty() && *name != "?")
}

/// Who played, and how it ended.
#[must_use]
pub fn title(record: &GameRecord) -> Message {
    let [white, black] = Color::ALL.map(|side| match player(record, side) {
        Some(name) => Value::Text(name.to_owned()),
        None => Value::Said(Box::new(told!("side", side))),
    });
    told!("game-title", white, black, result = record.result.as_str())
}

/// The identity of a game: the first 16 hexadecimal digits of SHA-256 over its first position and its moves in UCI
/// notation, with blanks between.
#[must_use]
pub fn game_id(game: &Game) -> String {
    let mut text = fen(game.start());
    for &played in game.moves() {
        // Writing to a string cannot fail.
        let _ = write!(text, " {}", to_uci(played));
    }
    Sha256::digest(text).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}
