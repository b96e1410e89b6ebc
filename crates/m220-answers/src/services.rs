//! What a page asks beside questions: the tasks, the positions, the legal moves, the assembler, a move of a player.

use crate::exercises::exercises;
use crate::fields::unreadable;
use crate::game::{self, Effort, HalfMove, Looking, Machine, USUAL_SHARE, sentence};
use crate::list;
use crate::opcodes;
use crate::prelude::*;
use crate::reply;
use crate::texts::{self, SourceFiles};
use chess_reference::book_positions;
use chess_reference::fen::read_legal;
use chess_reference::gallery::{NamedPosition, PositionsDocument, named_positions};
use m220_panel::protocol::TaskRequest;
use m220_players::pgn::{self, Reading};
use shakmaty::{CastlingMode, Position};

/// Answers a service by its name; none if there is no such service.
///
/// # Errors
/// What is wrong with the request, or why there is no answer.
pub fn answer(service: &str, request: &Value, words: &Words, context: &Context<'_>) -> Option<Result<Value, Refused>> {
    Some(match service {
        "tasks" => document(&list::tasks(words)),
        "title" => asked(request)
            .and_then(|TaskRequest { task, question }| list::prepare(&task, &question, words, context))
            .map(|program| program.title.into()),
        "positions" => {
            let positions: Vec<&NamedPosition> = named_positions().iter().collect();
            document(&PositionsDocument::of(&positions, |position| words.say(&title_of(position)).into()))
        }
        "legal" => asked(request).and_then(|request: FenRequest| legal(&request, words)),
        "assemble" => asked(request).map(|sources: SourceFiles| texts::assembled(&sources, words)),
        "sources" => document(&texts::built_in()),
        "opcodes" => asked(request).and_then(|OpcodesRequest { model }| document(&opcodes::table(model.0, words))),
        "comments" => Ok(match words.language() {
            Language::Russian => m220_programs::comments_in_russian().map(|(en, ru)| (en, Value::from(ru))).collect(),
            Language::English => json!({}),
        }),
        "exercises" => Ok(exercises().iter().map(|exercise| exercise.page(words.language())).collect()),
        "check" => asked(request).and_then(|request: CheckRequest| check(&request, words)),
        "score" => asked(request).and_then(|request: ScoreRequest| score(&request, words)),
        "half-move" => asked(request).and_then(|request: HalfMoveRequest| half_move(&request, context)),
        "reply" => asked(request).and_then(|game| reply::reply(&game, words, context)),
        _ => return None,
    })
}

fn document(document: &impl Serialize) -> Result<Value, Refused> {
    serde_json::to_value(document).map_err(Refused::wrong)
}

/// Reads a request of a page.
///
/// # Errors
/// [`Refused::bad_input`].
pub fn asked<'q, T: Deserialize<'q>>(request: &'q Value) -> Result<T, Refused> {
    T::deserialize(request).map_err(unreadable)
}

/// A position, and moves made from it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FenRequest {
    fen: String,
}

/// The legal moves of a position, each with the position after it.
fn legal(request: &FenRequest, words: &Words) -> Result<Value, Refused> {
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
        "notes": noted(&notes, words),
    }))
}

/// Of which machine the instructions are asked for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OpcodesRequest {
    model: Text<Model>,
}

/// A program that is to solve an exercise.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CheckRequest {
    name: String,
    text: String,
}

/// What still fails in it; nothing if it passes.
fn check(request: &CheckRequest, words: &Words) -> Result<Value, Refused> {
    let all = exercises();
    let Some(exercise) = all.iter().find(|exercise| exercise.name == request.name) else {
        return Err(Refused::bad_input(told!("field-choice", text = request.name.as_str())));
    };
    let failures = exercise.check(&format!("{}.m220", exercise.name), &request.text);
    Ok(json!({ "failures": failures.iter().map(|failure| words.say(failure)).collect::<Vec<_>>() }))
}

/// A game of a score.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ScoreRequest {
    pgn: String,
    /// Which of its games, from 1.
    #[serde(default = "first_game")]
    game: usize,
}

const fn first_game() -> usize {
    1
}

/// The most games of a score that are named, so that a list of them can be shown.
const MOST_TITLES: usize = 500;

/// The title of a position, for people; generated ones are told by their sort.
fn title_of(position: &NamedPosition) -> Message {
    const SORTS: [&str; 7] =
        ["castling", "en-passant", "promotion", "underpromotion", "stalemate", "zugzwang", "no-solution"];
    let (name, title) = (position.name.as_str(), position.title.as_str());
    let book = book_positions().iter().find(|book| name.parse() == Ok(book.number));
    let made = name.rsplit_once('-').filter(|(sort, number)| SORTS.contains(sort) && number.parse::<u32>().is_ok());
    let bell = name.strip_prefix("bell-").and_then(|place| place.split_once('.'));
    match (book, made, bell) {
        (Some(book), ..) => told!("position-of-book", number = name, section = book.section),
        (_, Some((sort, _)), _) => {
            let (moves, is_mate) =
                (position.mate_in.unwrap_or_default(), if sort == "no-solution" { "no" } else { "yes" });
            told!("position-made", sort, title, moves, is_mate)
        }
        (.., Some((game, number))) => {
            let dots = if position.fen.contains(" b ") { "..." } else { "." };
            told!("position-of-bell", game, played = in_letters(format!("{number}{dots}{}", position.line)))
        }
        _ => told!("position-title", name, title),
    }
}

/// The half-moves of a game of a score, those before a damaged place; and the titles of all its games.
fn score(request: &ScoreRequest, words: &Words) -> Result<Value, Refused> {
    let mut games = pgn::games(request.pgn.as_bytes(), Reading::default());
    let (mut titles, mut asked) = (Vec::new(), None);
    while titles.len() < MOST_TITLES.max(request.game)
        && let Some(read) = games.next()
    {
        let (record, damage) = match read {
            Ok(record) => (record, None),
            Err(error) => (games.take_damaged().unwrap_or_default(), Some(Message::of(error))),
        };
        titles.push(words.say(&game::title(&record)));
        if titles.len() == request.game {
            asked = Some((record, damage));
        }
    }
    let (record, damage) = asked.ok_or_else(|| Refused::bad_input(told!("score-empty")))?;
    let damage = match damage {
        Some(why) if record.game.moves().is_empty() => return Err(Refused::bad_input(why)),
        damage => damage.map(|why| words.say(&why)),
    };
    let mut notes = noted(&record.put_right, words);
    if request.game == 1 && titles.len() > 1 {
        notes.push(words.say(&told!("score-first-of-several")));
    }
    let moves = record.game.steps().map(|(position, played)| {
        json!({
            "fen": fen(position),
            "uci": to_uci(played).to_string(),
            "san": san(position, played),
            "after": fen(&after(position, played)),
        })
    });
    Ok(json!({
        "title": titles[request.game - 1],
        "titles": titles,
        "tags": record.tags,
        "start": fen(record.game.start()),
        "result": record.result,
        "moves": moves.collect::<Vec<_>>(),
        "damage": damage,
        "notes": notes,
    }))
}

/// A half-move of a game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HalfMoveRequest {
    fen: String,
    uci: String,
    /// Whether the machine is asked for its own move.
    #[serde(default)]
    machine: bool,
}

/// A half-move through the eyes of the map.
fn half_move(request: &HalfMoveRequest, context: &Context<'_>) -> Result<Value, Refused> {
    let (position, _) = legal_position(&request.fen)?;
    let played = request.uci.parse().ok().and_then(|written| of_uci(&position, written));
    let played = played.ok_or_else(|| Refused::bad_input(told!("score-no-move", text = request.uci.as_str())))?;
    let machine = request.machine.then(|| Machine::new(USUAL_SHARE, context)).transpose()?;
    let looking = Looking {
        effort: if request.machine { Effort::Machine } else { Effort::Map },
        machine: machine.as_ref(),
        positions: 0,
        style: false,
        version: env!("CARGO_PKG_VERSION"),
        limits: &context.limits,
    };
    let row = looking.at(&HalfMove { game: 1, game_id: "", ply: 1, position: &position, played })?;
    let way: Vec<String> = match &row.aim {
        Some(aim) => aim.way.iter().map(ToString::to_string).collect(),
        None => vec![row.uci[..2].to_owned(), row.uci[2..4].to_owned()],
    };
    let told = |language| sentence(&row, &Words::of_page(language));
    Ok(json!({
        // The page keeps its rows when its language is changed.
        "sentences": { "en": told(Language::English), "ru": told(Language::Russian) },
        "fen": row.fen_after,
        "way": way,
        "m220_seconds": row.machine.as_ref().and_then(|machine| machine.m220_seconds),
        "san": row.san,
    }))
}

/// A position of a game by its FEN, and what was put right in that.
///
/// # Errors
/// [`Refused::bad_input`] if it is not a FEN, or breaks the rules of chess.
pub fn legal_position(fen: &str) -> Result<(Chess, Vec<Sentence>), Refused> {
    read_legal(fen).map_err(|error| Refused::bad_input(told!("position-wrong", given = told!("given-fen", fen), error)))
}

/// What was put right, in words.
pub(crate) fn noted<E: Failure + Clone + 'static>(notes: &[E], words: &Words) -> Vec<String> {
    notes.iter().map(|note| words.say(&Message::of(note.clone()))).collect()
}
