//! A game on a page: its board, what is said of each move, the curve of E+, and the M-220's minutes.

use super::escaped;
use crate::prelude::*;
use m220_answers::game::{Row, sentence};
use m220_answers::words::time;
use std::fmt::Write;

/// The style and the script of such a page.
pub const STYLE: &str = include_str!("game.css");
pub const SCRIPT: &str = include_str!("game.js");

/// Pawns beyond which the curve is cut off.
const MOST_PAWNS: i32 = 10;
/// The size of the curve, in units of its picture.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 150.0;
/// The height of the bar of the longest time.
const TALLEST: f64 = 45.0;
/// What a player had for forty moves, in seconds: two hours and a half.
const CLOCK: f64 = 9000.0;

/// Where the middle of a half-move stands on the curve.
fn across(index: usize, all: usize) -> f64 {
    30.0 + (WIDTH - 40.0) * (index as f64 + 0.5) / all.max(1) as f64
}

/// The half-moves for the script.
pub fn record(rows: &[Row]) -> Value {
    let one = |(index, row): (usize, &Row)| {
        let steps = |kind, way: &[Square]| {
            way.windows(2).map(|step| (kind, step[0].to_string(), step[1].to_string())).collect::<Vec<_>>()
        };
        let aims = row.aim.iter().flat_map(|aim| steps("aim", &aim.way[1..]));
        let threats = row.threats.iter().flat_map(|way| steps("threat", way));
        let arrows: Vec<_> = aims.chain(threats).take(8).collect();
        let closed: Vec<String> = row.aim.iter().flat_map(|aim| &aim.closed).map(ToString::to_string).collect();
        json!({ "fen": row.fen_after, "arrows": arrows, "closed": closed, "x": across(index, rows.len()) })
    };
    rows.iter().enumerate().map(one).collect()
}

/// The game for a reader.
pub fn section(title: &str, rows: &[Row], words: &Words) -> String {
    let mut text = format!("<h2>{}</h2>\n", escaped(title));
    text.push_str("<div class=\"game\" tabindex=\"0\">\n<div class=\"side\"><svg class=\"board\" viewBox=\"0 0 360 360\" role=\"img\"></svg>\n");
    text.push_str("<div class=\"controls\">");
    for (go, sign) in [("first", "|◂"), ("back", "◂"), ("on", "▸"), ("last", "▸|")] {
        let name = words.say(&told!("game-button", go));
        let _ =
            write!(text, "<button type=\"button\" data-go=\"{go}\" aria-label=\"{}\">{sign}</button>", escaped(&name));
    }
    text.push_str("</div>\n<p class=\"told\" role=\"status\"></p></div>\n<ol>\n");
    for row in rows {
        let _ = writeln!(text, "<li><a href=\"#\">{}</a></li>", escaped(&sentence(row, words)));
    }
    text + "</ol>\n</div>\n" + &curve(rows, words)
}

/// E+ after each half-move, with gaps where a king is doomed, over the machine's minutes for each.
fn curve(rows: &[Row], words: &Words) -> String {
    let all = rows.len();
    let y = |pawns: i32| 75.0 - 6.0 * f64::from(pawns.clamp(-MOST_PAWNS, MOST_PAWNS));
    let mut text = format!("<svg class=\"curve\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"E+\">\n");
    for pawns in [-MOST_PAWNS, 0, MOST_PAWNS] {
        let at = y(pawns);
        let _ = writeln!(
            text,
            "<line class=\"axis\" x1=\"30\" x2=\"{WIDTH}\" y1=\"{at}\" y2=\"{at}\"/><text x=\"0\" y=\"{}\">{pawns}</text>",
            at + 4.0
        );
    }
    let seconds = |row: &Row| row.machine.as_ref().and_then(|machine| machine.m220_seconds);
    let longest = rows.iter().filter_map(seconds).fold(1.0, f64::max);
    if rows.iter().any(|row| seconds(row).is_some()) {
        let at = HEIGHT - TALLEST;
        let _ = writeln!(
            text,
            "<line class=\"axis\" x1=\"30\" x2=\"{WIDTH}\" y1=\"{at}\" y2=\"{at}\"/>\
             <text x=\"{WIDTH}\" y=\"{}\" text-anchor=\"end\">{}</text>",
            at - 3.0,
            escaped(&words.time(1e6 * longest))
        );
    }
    let width = (WIDTH - 40.0) / all.max(1) as f64;
    for (index, row) in rows.iter().enumerate() {
        if let Some(seconds) = seconds(row) {
            let (high, class) = (TALLEST * seconds / longest, if row.side == Color::White { "w" } else { "b" });
            let x = across(index, all) - width / 2.0;
            let (top, wide) = (HEIGHT - high, width * 0.85);
            let _ = write!(
                text,
                "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{top:.1}\" width=\"{wide:.1}\" height=\"{high:.1}\"/>"
            );
        }
    }
    let mut pen = "M";
    text.push_str("\n<path class=\"worth\" d=\"");
    for (index, row) in rows.iter().enumerate() {
        match row.e_plus {
            Some(pawns) => {
                let _ = write!(text, "{pen}{:.1} {:.1}", across(index, all), y(pawns));
                pen = "L";
            }
            None => pen = "M",
        }
    }
    text.push_str("\"/>\n<line class=\"at\" x1=\"0\" x2=\"0\" y1=\"0\" y2=\"150\"/></svg>\n");
    let legend = told!("game-curve", most = MOST_PAWNS.to_string());
    let _ = write!(text, "<p class=\"remark\">{}", escaped(&words.say(&legend)));
    for side in [Color::White, Color::Black] {
        let own = rows.iter().filter(|row| row.side == side);
        let taken: f64 = own.clone().filter_map(seconds).sum();
        if taken > 0.0 {
            let (time, clock) = (time(1e6 * taken), time(1e6 * CLOCK * own.count() as f64 / 40.0));
            let _ = write!(text, " {}", escaped(&words.say(&told!("game-clock", side, time, clock))));
        }
    }
    text + "</p>\n"
}
