//! Whole games: the worked examples, and the sentences.

use m220_answers::game::sentence::LONGEST;
use m220_answers::game::{Effort, HalfMove, Looking, Machine, Row, annotated, game_id, sentence};
use m220_answers::{Bare, Context, Engine, Engines, Language, Words};
use m220_limits::Limits;
use m220_players::pgn::{GameRecord, Reading, Remark, games};
use shakmaty::{Position, Square};
use std::fmt::Write;

const GAMES: [(&str, &str); 3] = [
    ("botvinnik-capablanca", include_str!("games/botvinnik-capablanca.pgn")),
    ("morphy-allies", include_str!("games/morphy-allies.pgn")),
    ("moscow-stanford", chess_reference::relations::MOSCOW_STANFORD),
];

fn record(name: &str) -> GameRecord {
    let (_, text) = GAMES.into_iter().find(|(known, _)| *known == name).unwrap();
    games(text.as_bytes(), Reading::default()).next().unwrap().unwrap()
}

/// The rows of a game whose moves have these names, `30.Ba3` or `8...O-O`; all of them without names.
fn rows_of(record: &GameRecord, effort: Effort, names: &[&str]) -> Vec<Row> {
    let (limits, id) = (Limits::default(), game_id(&record.game));
    let context = Context::new(limits.clone(), &Bare);
    let machine = (effort != Effort::Map).then(|| Machine::new(5, &context).unwrap());
    let (machine, limits) = (machine.as_ref(), &limits);
    let looking = Looking { effort, machine, positions: 20_000, style: false, version: "test", limits };
    let steps = record.game.steps().enumerate();
    let wanted = steps.filter(|(_, (position, played))| {
        let dots = if position.turn().is_white() { "." } else { "..." };
        let san = chess_reference::legal::san(position, *played);
        names.is_empty() || names.contains(&format!("{}{dots}{san}", position.fullmoves()).as_str())
    });
    wanted
        .map(|(index, (position, played))| HalfMove { game: 1, game_id: &id, ply: index + 1, position, played })
        .map(|half_move| looking.at(&half_move).unwrap())
        .collect()
}

fn told(row: &Row) -> String {
    let dots = if row.side.is_white() { "." } else { "..." };
    let mut text = format!("{}{dots}{}\t{}\t", row.number, row.san, row.legal);
    let sensible: Vec<String> = row.sensible.iter().map(ToString::to_string).collect();
    let first = match (row.off_map, row.first_horizon, row.why) {
        (Some(off), ..) => off.to_owned(),
        (None, Some(horizon), Some(why)) => format!("{horizon} {}", why.name()),
        _ => "-".to_owned(),
    };
    let keeps = row.keeps.map_or("-", |keeps| if keeps { "yes" } else { "no" });
    let way = row
        .aim
        .as_ref()
        .map_or("-".to_owned(), |aim| aim.way.iter().map(Square::to_string).collect::<Vec<_>>().join("-"));
    let closed = &row.closed;
    write!(text, "{}\t{first}\t{keeps} {}\t{way}\t", sensible.join(" "), row.keeping).unwrap();
    let (own, enemy) = (closed.own_after.unwrap(), closed.enemy_after.unwrap());
    write!(text, "{} {} {own} {enemy}", closed.own_before, closed.enemy_before).unwrap();
    let machine = row.machine.as_ref().unwrap();
    let minutes = machine.m220_seconds.unwrap() / 60.0;
    write!(text, "\t{}\t{minutes:.1}", machine.san.as_deref().unwrap_or("-")).unwrap();
    text
}

#[test]
fn the_worked_examples_come_out() {
    let lines = include_str!("games/worked.tsv").lines().filter(|line| !line.starts_with('#'));
    for line in lines {
        let (game, expected) = line.split_once('\t').unwrap();
        let name = expected.split('\t').next().unwrap();
        let found: Vec<String> = rows_of(&record(game), Effort::Machine, &[name]).iter().map(told).collect();
        assert_eq!(found, [expected]);
    }
}

/// Each row is a sentence in both languages, none longer than a line of print holds.
#[test]
fn sentences_are_short_and_need_no_theory() {
    let rows = rows_of(&record("morphy-allies"), Effort::Map, &[]);
    let said = |language| {
        let words = Words::new(language);
        rows.iter().map(|row| sentence(row, &words)).collect::<Vec<_>>()
    };
    for text in Language::ALL.into_iter().flat_map(said) {
        assert!(text.chars().count() <= LONGEST && text.ends_with('.') && !text.contains('{'), "{text}");
        assert!(!["best", "mistake", "won", "лучш", "ошиб"].iter().any(|word| text.contains(word)), "{text}");
    }
    insta::assert_snapshot!(said(Language::English)[24..].join("\n"));
    insta::assert_snapshot!(said(Language::Russian)[24..].join("\n"));
}

/// Each set of sensible moves lies in the next, as each horizon sees all that a nearer one does.
#[test]
fn a_farther_horizon_sees_no_less() {
    for row in rows_of(&record("morphy-allies"), Effort::Map, &[]) {
        assert!(row.sensible.is_sorted() && row.sensible[3] <= row.legal, "{row:?}");
        assert!(row.keeping <= row.sensible[3], "{row:?}");
    }
}

/// What stood in a score stays; what is added is read as what it is, and the moves are the same.
#[test]
fn an_annotated_score_is_still_the_game() {
    let text =
        include_str!("games/botvinnik-capablanca.pgn").replace("30. Ba3", "30. Ba3 $1 {[%clk 0:10:00] seen} (30. h4)");
    let before = games(text.as_bytes(), Reading::default()).next().unwrap().unwrap();
    let rows = rows_of(&before, Effort::Machine, &["30.Ba3", "33...Kg8"]);
    let written = annotated(before.clone(), &rows, true, &Words::default()).to_pgn();
    let after = games(written.as_bytes(), Reading { strict: true, ..Reading::default() }).next().unwrap().unwrap();
    assert_eq!(after.game.moves(), before.game.moves());
    assert!(written.contains("[Annotator \"m220 "));
    let remarks: Vec<&str> = after.notes[58].remarks.iter().map(Remark::text).collect();
    assert_eq!(remarks[..3], ["$1", "[%clk 0:10:00] seen", "(30. h4)"]);
    assert!(remarks[3].starts_with("30.Ba3 goes for the queen on e7, though a3 can be guarded"));
    assert_eq!(remarks[4..], ["[%cal Ga3e7,Re7a3] [%csl Ya3] [%eval -4.00,3]", "(30. Nh5+)"]);
    // One legal move, the only thing that the map can mark.
    let morphy = record("morphy-allies");
    let only = rows_of(&morphy, Effort::Map, &["16...Nxb8"]);
    assert_eq!(annotated(morphy, &only, false, &Words::default()).notes[31].remarks[0], Remark::Mark("$7".to_owned()));
}

/// What the page is told after these moves from a position, with the map to move.
fn reply_of_map(fen: &str, moves: &[&str]) -> serde_json::Value {
    let context = Context::new(Limits::default(), &Bare);
    let request = serde_json::json!({ "player": "map", "fen": fen, "moves": moves });
    m220_answers::services::answer("reply", &request, &Words::default(), &context).unwrap().unwrap()
}

/// On the page the value of a move is a sentence without the program's own words.
#[test]
fn bells_program_gives_its_reason_in_plain_words() {
    let context = Context::new(Limits::default(), &Bare);
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let request = serde_json::json!({ "player": "bell", "fen": start });
    let reply = m220_answers::services::answer("reply", &request, &Words::default(), &context).unwrap().unwrap();
    assert_eq!(reply["reason"], "exchanges win nothing, 29 moves are left after the worst answer");
}

/// The map's move on the page is the machine's. Ahead, it does not repeat a position, as the native choice does not; where
/// the machine knows no move, the reply says so.
#[test]
fn the_map_replies_from_the_machine() {
    let start = "7k/8/8/8/8/8/8/K2R4 w - - 0 1";
    let first = reply_of_map(start, &[]);
    assert!(first["half_microseconds"].as_u64().unwrap() > 0, "{first}");
    let question = serde_json::json!({ "fen": start, "share": first["share"], "horizon_limit": first["horizon"] });
    let (engines, context) = (Engines::only(Engine::M220), Context::new(Limits::default(), &Bare));
    let shown = m220_answers::list::answer("best", &question, &engines, &Words::default(), &context).unwrap();
    assert_eq!((&first["uci"], &first["native"]), (&shown.document["move"], &serde_json::Value::Null));
    let there = first["uci"].as_str().unwrap();
    let back = format!("{}{}", &there[2..], &there[..2]);
    let again = reply_of_map(start, &[there, "h8g8", &back, "g8h8"]);
    assert_ne!(again["uci"], first["uci"], "{again}");
    assert_eq!(again["reason"], "the best of the moves that do not repeat a position (a rule of ours)");
    let passing = reply_of_map("k7/8/1Q6/8/3Pp3/4K3/8/8 b - d3 0 1", &[]);
    assert_eq!(passing["uci"], "e4d3");
    assert!(passing["native"].as_str().unwrap().contains("knows none of the legal moves"), "{passing}");
}

/// A game kept by the page is read at once, from its moves in UCI notation; what is no move is damage.
#[test]
fn a_kept_game_is_read_as_a_score() {
    let context = Context::new(Limits::default(), &Bare);
    let score = |pgn: &str| {
        let request = serde_json::json!({ "pgn": pgn });
        m220_answers::services::answer("score", &request, &Words::default(), &context).unwrap().unwrap()
    };
    let read = score("e2e4 a7a5 e4e5 d7d5 e5d6 g8f6 d6c7 f6g8 c7b8n");
    let moves = read["moves"].as_array().unwrap();
    let sans: Vec<&str> = moves.iter().map(|played| played["san"].as_str().unwrap()).collect();
    assert_eq!(sans.join(" "), "e4 a5 e5 d5 exd6 Nf6 dxc7 Ng8 cxb8=N");
    assert!(moves.windows(2).all(|pair| pair[0]["after"] == pair[1]["fen"]), "{read}");
    assert!(score("e2e4 e7e4")["damage"].is_string());
    assert_eq!(score("1. e4 e5 *")["notes"].as_array().unwrap().len(), 0);
    let several = score("1. e4 e5 *\n\n1. d4 d5 *");
    assert_eq!(several["notes"][0], "Only the first game of several is shown.");
    assert_eq!(several["titles"].as_array().unwrap().len(), 2);
}
