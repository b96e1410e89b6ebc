//! A row in one sentence, for somebody who plays chess: what the move does, from how far away it is sensible, whether
//! hope remains, and what the machine plays.

use super::row::{Aim, MachineMove, Row};
use crate::prelude::*;
use chess_reference::map::Sense;

/// The longest sentence, in characters.
pub const LONGEST: usize = 160;

/// A row in words. Nothing in it praises or blames a move: that is not for the map to say.
#[must_use]
pub fn sentence(row: &Row, words: &Words) -> String {
    let whole = |with_closed| {
        let played = name(row, &row.san, words);
        let said = match row.off_map {
            Some(off) => told!("game-off", played, off),
            None => match does(row, with_closed) {
                Some(does) => told!("game-does", played, does),
                None => told!("game-nothing", played),
            },
        };
        let machine = row.machine.as_ref().map(|machine| words.say(&plays(row, machine, words)));
        let choice = row.choice.as_ref().map(|choice| match choice.uci == row.uci {
            true => words.say(&told!("game-choice-same")),
            false => words.say(&told!("game-choice", played = name(row, &choice.san, words))),
        });
        [Some(words.say(&said)), machine, choice].into_iter().flatten().collect::<Vec<_>>().join(" ")
    };
    let said = whole(true);
    if said.chars().count() <= LONGEST { said } else { whole(false) }
}

/// What the move does; none if the map has no reason for it.
fn does(row: &Row, with_closed: bool) -> Option<Message> {
    if row.san.ends_with('#') {
        return Some(told!("game-mates"));
    }
    if row.closed.own_after.is_none() {
        return Some(told!("game-stalemates"));
    }
    if row.legal == 1 {
        return Some(told!("game-only"));
    }
    let horizon = row.first_horizon?;
    let aim = row.aim.as_ref().or(row.against.as_ref()).or(row.opens.as_ref());
    let does = match (row.why?, aim) {
        (Sense::Attack, Some(aim)) => attacks(aim, with_closed),
        (Sense::Clearing, Some(aim)) => told!("game-opens", role = role_name(aim.piece), from = aim.from, to = aim.to),
        (Sense::Retreat, Some(aim)) => {
            told!("game-retreats", square = aim.to, role = role_name(aim.piece), from = aim.from)
        }
        (Sense::Block, Some(aim)) => told!("game-blocks", role = role_name(aim.piece), from = aim.from, to = aim.to),
        (Sense::Control, Some(aim)) if aim.target.is_none() => told!("game-parries-promotion", to = aim.to),
        (Sense::Control, Some(aim)) => {
            told!("game-parries", target = aim.target.map_or("none", role_name), to = aim.to)
        }
        (_, None) => told!("game-serves"),
    };
    let hope = match row.keeps {
        Some(true) => told!("game-hope"),
        _ => told!("game-no-hope"),
    };
    Some(told!("game-sensible", does, horizon, hope))
}

fn attacks(aim: &Aim, with_closed: bool) -> Message {
    let target = aim.target.map_or("none", role_name);
    let goes = if aim.way.len() == 2 {
        told!("game-takes", target, to = aim.to)
    } else {
        told!("game-goes-for", target, to = aim.to)
    };
    // Where it comes from does not matter to the one who has just moved.
    let closed: Vec<Message> = aim.closed.iter().map(Square::to_string).map(Message::Plain).collect();
    if closed.is_empty() || !with_closed { goes } else { told!("game-though", goes, closed) }
}

fn plays(row: &Row, machine: &MachineMove, words: &Words) -> Message {
    let time = machine.m220_seconds.map(|seconds| crate::words::time(seconds * 1e6));
    match (&machine.san, time) {
        (Some(_), Some(time)) if machine.same == Some(true) => told!("game-machine-same", time),
        (Some(san), Some(time)) => told!("game-machine", time, played = name(row, san, words)),
        (_, Some(time)) => told!("game-machine-none", time),
        (_, None) => told!("game-machine-not-asked"),
    }
}

/// `30.Ba3`, `9...b6`, in the letters of the language.
fn name(row: &Row, san: &str, words: &Words) -> String {
    let dots = if row.side == Color::White { "." } else { "..." };
    format!("{}{dots}{}", row.number, words.moves(san))
}
