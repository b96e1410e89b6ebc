//! Rows as remarks in a game score, in the forms that viewers of games know.

use super::row::Row;
use super::sentence::sentence;
use crate::prelude::*;
use m220_players::pgn::{GameRecord, Remark};

/// The most arrows on one board: more cannot be told apart.
const MOST_ARROWS: usize = 8;

/// The mark of an only move, the one mark that the map can give.
const ONLY_MOVE: &str = "$7";

/// The score with the rows as remarks, after those that it has: the sentence, the machine's other move as a variation,
/// arrows, and with `eval` E+ as viewers write a modern engine's value.
#[must_use]
pub fn annotated(mut record: GameRecord, rows: &[Row], eval: bool, words: &Words) -> GameRecord {
    if record.tag("Annotator").is_none() {
        record.set_tag("Annotator", rows.first().map_or("m220".to_owned(), |row| format!("m220 {}", row.version)));
    }
    let moves = record.game.moves().len();
    record.notes.resize_with(moves, Default::default);
    for row in rows {
        let remarks = &mut record.notes[row.ply - 1].remarks;
        if row.legal == 1 && !remarks.contains(&Remark::Mark(ONLY_MOVE.to_owned())) {
            // A mark stands before the comments on its move.
            let marks = remarks.iter().take_while(|remark| matches!(remark, Remark::Mark(_))).count();
            remarks.insert(marks, Remark::Mark(ONLY_MOVE.to_owned()));
        }
        remarks.push(Remark::Comment(sentence(row, words)));
        let drawn = drawn(row, eval);
        if !drawn.is_empty() {
            remarks.push(Remark::Comment(drawn));
        }
        let other = row.machine.as_ref().filter(|machine| machine.same != Some(true));
        if let Some(san) = other.and_then(|machine| machine.san.as_ref()) {
            let dots = if row.side == Color::White { "." } else { "..." };
            remarks.push(Remark::Variation(format!("({}{dots} {san})", row.number)));
        }
    }
    record
}

/// Arrows and marked squares: green, where the attack goes on; red, the attacks of the other side that nothing stops;
/// yellow, what is closed on the way.
fn drawn(row: &Row, eval: bool) -> String {
    let mut arrows: Vec<String> = Vec::new();
    let mut closed: Vec<Square> = Vec::new();
    if let Some(aim) = &row.aim {
        arrows.extend(aim.way[1..].windows(2).map(|step| format!("G{}{}", step[0], step[1])));
        closed.clone_from(&aim.closed);
    }
    arrows.extend(row.threats.iter().filter_map(|way| Some(format!("R{}{}", way.first()?, way.last()?))));
    arrows.truncate(MOST_ARROWS);
    let mut drawn = Vec::new();
    if !arrows.is_empty() {
        drawn.push(format!("[%cal {}]", arrows.join(",")));
    }
    if !closed.is_empty() {
        let closed: Vec<String> = closed.iter().map(|square| format!("Y{square}")).collect();
        drawn.push(format!("[%csl {}]", closed.join(",")));
    }
    if let Some(worth) = row.e_plus.filter(|_| eval) {
        drawn.push(format!("[%eval {worth}.00,{}]", row.tested_at));
    }
    drawn.join(" ")
}
