//! A move of a program that plays.

use crate::best::verdict_reason;
use crate::engines::MOST_INSTRUCTIONS;
use crate::game::row::MACHINE_HORIZON;
use crate::game::{Machine, USUAL_SHARE};
use crate::prelude::*;
use crate::services::{legal_position, noted};
use chess_reference::algorithm50::play::Value as Bells;
use chess_reference::legal;
use chess_reference::map::{Standing, Step};
use m220_chess::{MachineRun, Refusal};
use m220_machine::Clock;
use m220_players::{Game, PLAYERS, PlayerSettings, player_named};
use shakmaty::{Move, Position};

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
    let mut player = (row.make)(&settings).map_err(Refused::wrong)?;
    let (start, notes) = legal_position(&question.fen)?;
    let mut game = Game::new(start);
    for text in &question.moves {
        let played = game.read_move(text).map_err(Refused::wrong)?;
        game.play(played).map_err(Refused::wrong)?;
    }
    if let Some(end) = game.end() {
        return Ok(
            json!({ "uci": null, "fen": game.fen(), "end": words.whole(end.to_string()), "notes": noted(&notes, words) }),
        );
    }
    let by_machine = if row.name == "map" { from_map(&game, words, context)?.map_err(Some) } else { Err(None) };
    let (best, reason, clock, native) = match by_machine {
        Ok(OnMachine { best, reason, clock }) => (best, reason, Some(clock), None),
        Err(why) => {
            let choice = player.choose(&game, &limits).map_err(Refused::wrong)?;
            let reason =
                choice.bells.map_or_else(|| words.sentence(&choice.reason), |value| words.say(&bells_reason(value)));
            (choice.best, reason, choice.clock, why.map(|why| words.say(&why)))
        }
    };
    let san = legal::san(game.position(), best);
    game.play(best).map_err(Refused::wrong)?;
    Ok(json!({
        "uci": legal::to_uci(best),
        "san": san,
        "fen": game.fen(),
        "reason": reason,
        "native": native,
        "share": USUAL_SHARE,
        "horizon": MACHINE_HORIZON,
        "instructions": clock.map(|clock| clock.instructions),
        "half_microseconds": clock.map(|clock| clock.m220.0),
        "end": game.end().map(|end| words.whole(end.to_string())),
        "notes": noted(&notes, words),
    }))
}

/// The value of a move of Bell's program, for whoever does not know its numbers.
fn bells_reason(value: Bells) -> Message {
    let exchanges = ["lose", "even", "win"][(1 + value.swing.signum()) as usize];
    told!("reply-bell", exchanges, moves = value.control.unsigned_abs())
}

/// A move of the map from the machine.
struct OnMachine {
    best: Move,
    reason: String,
    clock: Clock,
}

/// The map's move by EXPERIMENT and MAP on the machine, or why the machine has none.
///
/// The machine knows nothing of the game before. As in the native choice, and as there by a rule of ours, whoever is ahead
/// does not repeat a position unless every other move loses.
fn from_map(game: &Game, words: &Words, context: &Context<'_>) -> Result<Result<OnMachine, Message>, Refused> {
    let position = game.position();
    let run = Machine::new(USUAL_SHARE, context)?.chooses(&Placement::from(position.clone()))?;
    let Some(MachineRun { report, outcome }) = run else { return Ok(Err(told!("reply-many-pieces"))) };
    let mut found = match outcome {
        Ok(found) => found,
        Err(NoAnswer::Refused(Refusal::TableFull(_))) => return Ok(Err(told!("reply-no-room"))),
        _ => return Ok(Err(told!("reply-no-answer"))),
    };
    let earlier: Vec<&Chess> = game.steps().map(|(position, _)| position).collect();
    let repeats = |step: Step| step.in_game(position).is_some_and(|played| earlier.contains(&&after(position, played)));
    let own = |e_plus: i32| position.turn().fold_wb(e_plus, -e_plus);
    let mut reason = verdict_reason(&found);
    if own(found.position.e_plus()) > 0 && found.best.is_some_and(repeats) {
        let new = found.moves.iter().filter(|(each, standing)| *standing != Standing::Loses && !repeats(each.step));
        let best = new.rev().max_by_key(|(each, standing)| (*standing, own(each.e_plus), each.weight));
        if let Some((best, _)) = best {
            (found.best, reason) = (Some(best.step), told!("best-new-position"));
        }
    }
    let best = found.best.and_then(|step| step.in_game(position));
    Ok(best.map_or(Err(told!("reply-unknown")), |best| {
        Ok(OnMachine { best, reason: words.say(&reason), clock: report.clock })
    }))
}
