//! A move of a program that plays.

use crate::context::Context;
use crate::refused::Refused;
use crate::services::legal_position;
use chess_reference::algorithm50::play::{Strategy, StrategyReading};
use chess_reference::legal;
use m220_chess::{ChessProgram, PlayProgram};
use m220_isa::Model;
use m220_players::itep::{Itep, ItepProgram};
use m220_players::{Bell, Game, MapPlayer, Player};
use serde::Deserialize;
use serde_json::{Value, json};

/// Bell's program as it played John Scott's.
pub const BELL: Strategy = Strategy { reading: StrategyReading::SWAP, queen_from: 6, cut_off: true };

/// The most instructions for a move, as on the command line.
const MOST_INSTRUCTIONS: u64 = 10_000_000_000;
/// Half-moves that the institute's program looks ahead: as in one half of its match.
const ITEP_PLIES: u16 = 3;

/// A game so far, and who moves next.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReplyQuestion {
    /// `bell`, `map`, or `itep`.
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
pub fn reply(question: &ReplyQuestion, context: &Context<'_>) -> Result<Value, Refused> {
    let wrong = |error: String| Refused::bad_input(error);
    let limits = context.limits.with_instructions(MOST_INSTRUCTIONS);
    let mut player: Box<dyn Player> = match question.player.as_str() {
        "bell" => {
            let settings = PlayProgram::BUILT_IN.settings(Model::M220, &limits);
            Box::new(Bell::built_in(settings, BELL).map_err(|error| wrong(error.to_string()))?)
        }
        "map" => Box::new(MapPlayer::default()),
        "itep" => {
            let program = ItepProgram::from_deck(question.deck.as_bytes()).map_err(|error| wrong(error.to_string()))?;
            Box::new(Itep::new(program, ITEP_PLIES, MOST_INSTRUCTIONS))
        }
        other => return Err(wrong(format!("no program `{other}` plays here: bell, map or itep"))),
    };
    let mut game = Game::new(legal_position(&question.fen)?);
    for text in &question.moves {
        let played = game.read_move(text).map_err(|error| wrong(error.to_string()))?;
        game.play(played).map_err(|error| wrong(error.to_string()))?;
    }
    if let Some(end) = game.end() {
        return Ok(json!({ "uci": null, "fen": game.fen(), "end": end.to_string() }));
    }
    let choice = player.choose(&game, &limits).map_err(|error| wrong(error.to_string()))?;
    let san = legal::san(game.position(), choice.best);
    game.play(choice.best).map_err(|error| wrong(error.to_string()))?;
    Ok(json!({
        "uci": legal::to_uci(choice.best),
        "san": san,
        "fen": game.fen(),
        "reason": choice.reason,
        "instructions": choice.clock.map(|clock| clock.instructions),
        "half_microseconds": choice.clock.map(|clock| clock.m220.0),
        "end": game.end().map(|end| end.to_string()),
    }))
}
