//! A move of a program that plays.

use crate::context::Context;
use crate::engines::MOST_INSTRUCTIONS;
use crate::refused::Refused;
use crate::services::{legal_position, noted};
use crate::told;
use crate::words::{Message, Words};
use chess_reference::legal;
use m220_players::{Game, PLAYERS, PlayerSettings, player_named};
use serde::Deserialize;
use serde_json::{Value, json};

/// A game so far, and who moves next.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReplyQuestion {
    /// `bell`, `map`, `lessons`, or `itep`.
    player: String,
    /// The position at the start of the game.
    fen: String,
    /// The moves since, in UCI notation or SAN.
    #[serde(default)]
    moves: Vec<String>,
    /// The institute's listing as an octal deck, for `itep`.
    #[serde(default)]
    deck: String,
}

/// The move that a program makes in a game.
///
/// # Errors
/// Why there is no move, for people.
pub fn reply(question: &ReplyQuestion, words: &Words, context: &Context<'_>) -> Result<Value, Refused> {
    let limits = context.limits.with_instructions(MOST_INSTRUCTIONS);
    let names = || PLAYERS.iter().map(|row| row.name).collect::<Vec<_>>().join(", ");
    let row = player_named(&question.player)
        .ok_or_else(|| Refused::bad_input(told!("no-such-player", name = &question.player, names = names())))?;
    let deck = (!question.deck.is_empty()).then(|| question.deck.clone().into_bytes());
    let settings = PlayerSettings { deck, max_instructions: MOST_INSTRUCTIONS, ..PlayerSettings::default() };
    let mut player = (row.make)(&settings).map_err(|error| Refused::bad_input(Message::of(error)))?;
    let (start, notes) = legal_position(&question.fen)?;
    let mut game = Game::new(start);
    for text in &question.moves {
        let played = game.read_move(text).map_err(|error| Refused::bad_input(Message::of(error)))?;
        game.play(played).map_err(|error| Refused::bad_input(Message::of(error)))?;
    }
    if let Some(end) = game.end() {
        return Ok(
            json!({ "uci": null, "fen": game.fen(), "end": words.whole(end.to_string()), "notes": noted(&notes, words) }),
        );
    }
    let choice = player.choose(&game, &limits).map_err(|error| Refused::bad_input(Message::of(error)))?;
    let san = legal::san(game.position(), choice.best);
    game.play(choice.best).map_err(|error| Refused::bad_input(Message::of(error)))?;
    Ok(json!({
        "uci": legal::to_uci(choice.best),
        "san": san,
        "fen": game.fen(),
        "reason": words.sentence(&choice.reason),
        "instructions": choice.clock.map(|clock| clock.instructions),
        "half_microseconds": choice.clock.map(|clock| clock.m220.0),
        "end": game.end().map(|end| words.whole(end.to_string())),
        "notes": noted(&notes, words),
    }))
}
