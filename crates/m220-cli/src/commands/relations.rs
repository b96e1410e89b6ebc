//! `m220 relations`.

use crate::caret::point_at;
use crate::diagram::{self, Mark};
use crate::exit::{Exit, Failure};
use crate::laboratory::{self, BySide, EngineOptions, EngineRecord, Found, piece_name, side_name};
use crate::options::Format;
use crate::output::{Output, read_file_up_to};
use crate::picture::{Arrow, Canvas, Shade, colours, sentences};
use crate::picture_options::PictureOptions;
use crate::position_options::{GamePlace, PositionSelector};
use chess_reference::Placement;
use chess_reference::algorithm50::Move;
use chess_reference::legal::{after, of_uci};
use chess_reference::relations::{
    Change, DynamicValue, LevelChoice, NoteLevel, NotedMove, Points, Relation, RelationCounts, RelationKind, Tables,
    change, choose, counts, noted_moves, read_rau, relations, signature, write_rau,
};
use m220_chess::RelationsProgram;
use m220_chess::relations::MachineRelations;
use m220_chess::text::{counted, grouped};
use serde::Serialize;
use shakmaty::{Chess, Color, Piece, Position, Role, Square};
use std::io::Write;
use std::path::PathBuf;

/// Count what every piece attacks, defends and controls
///
/// After the lessons of P. Rau (1985-86). The relations: `at`, a piece attacks an enemy piece; `ap`, it protects a piece of its
/// own side; `co`, it controls a free square. E sums their values, of the side to move less those of the other; a note is what
/// a move changes of E. Both are for the side to move.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    position: PositionSelector,
    /// The position before this move of the PGN file (--move of the other commands): 16, or 16... for Black's
    #[arg(long, value_name = "N", requires = "pgn", conflicts_with_all = ["fen", "position"])]
    before: Option<GamePlace>,
    /// Show the dynamic value of the piece on this square
    #[arg(long, alias = "man", value_name = "SQUARE")]
    piece: Option<Square>,
    /// Show what this move changes: in Rau's notation (e2-e4, e7:d8D, e8-g8R, g4:f3P) or in UCI notation
    #[arg(long = "move", value_name = "MOVE", conflicts_with_all = ["notes", "level"])]
    written: Option<String>,
    /// Show all legal moves by note
    #[arg(long)]
    notes: bool,
    /// Choose a move: keep the N best notes at every node, look M half-moves deep
    #[arg(long, value_name = "N,M", value_parser = level, requires = "notes")]
    level: Option<NoteLevel>,
    /// Read the values of relations from this file: lines `at R B 1.5`, `ap K P 0.2`, `co N 0.5`, `weights 0.5 0.3 0.2`
    #[arg(long, value_name = "FILE")]
    tables: Option<PathBuf>,
    /// Count the relations by kind and pieces only
    #[arg(long)]
    signature: bool,
    #[command(flatten)]
    engine: EngineOptions,
    #[command(flatten)]
    picture: PictureOptions,
}

/// The longest file of values, in bytes.
const LONGEST_TABLES: u64 = 1 << 20;

/// The most moves that a level's search makes: about ten seconds.
const MOST_MOVES: u64 = 1_000_000;

fn level(text: &str) -> Result<NoteLevel, String> {
    let read = || {
        let (width, depth) = text.split_once(',')?;
        Some(NoteLevel { width: width.trim().parse().ok()?, depth: depth.trim().parse().ok()? })
    };
    let level = read().filter(|level| level.width > 0 && (1..=100).contains(&level.depth));
    level.ok_or_else(|| "expected two numbers such as 40,2: moves kept, half-moves (1 to 100)".to_owned())
}

/// The command's JSON.
#[derive(Serialize, Debug)]
struct RelationsDocument {
    /// Version of this layout.
    schema: u32,
    /// `m220`, `native` or `both`.
    engine: &'static str,
    /// The position.
    fen: String,
    /// Relations of each side by kind.
    counts: BySide<RelationCounts>,
    /// E for the side to move.
    evaluation: Points,
    /// All relations, sorted by `from`, then `to`.
    relations: Vec<Relation>,
    /// By kind and pieces only, with --signature.
    #[serde(skip_serializing_if = "Option::is_none")]
    signature: Option<Vec<ClassRecord>>,
    /// The piece of --piece.
    #[serde(rename = "man", skip_serializing_if = "Option::is_none")]
    piece: Option<PieceRecord>,
    /// What the move of --move changes; null without it.
    #[serde(rename = "move")]
    change: Option<RelationsMoveRecord>,
    /// All legal moves, best first, with --notes.
    #[serde(skip_serializing_if = "Option::is_none")]
    notes: Option<Vec<NotedMove>>,
    /// The move that --level chose.
    #[serde(skip_serializing_if = "Option::is_none")]
    choice: Option<LevelChoice>,
    #[serde(flatten)]
    engines: EngineRecord,
}

/// Relations that differ only in their squares.
#[derive(Serialize, Debug)]
struct ClassRecord {
    /// Attack, defence or control.
    kind: RelationKind,
    /// The piece's code: 1 king to 6 pawn, negative for Black.
    #[serde(rename = "man")]
    piece: i8,
    /// Its target's code, 0 for a free square.
    target: i8,
    /// How many there are.
    count: usize,
}

/// A piece and its dynamic value.
#[derive(Serialize, Debug)]
struct PieceRecord {
    /// Where it stands.
    square: String,
    /// `white rook`.
    name: String,
    /// The five parts.
    #[serde(flatten)]
    value: DynamicValue,
}

/// A move and what it changes.
#[derive(Serialize, Debug)]
struct RelationsMoveRecord {
    /// In UCI notation.
    uci: Move,
    /// The same in standard algebraic notation, for people.
    #[serde(skip)]
    san: String,
    /// In Rau's.
    rau: String,
    /// Relations that vanish.
    lost: Vec<Relation>,
    /// Relations that appear.
    gained: Vec<Relation>,
    /// The note of the move for its side.
    note: Points,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    let _search = args.engine.time.search();
    let fen = args.position.fen(args.before)?;
    let position = laboratory::position(&fen)?;
    let tables = tables(args)?;
    let piece = args.piece.map(|square| piece_on(&position, square)).transpose()?;
    let wants_moves = args.written.is_some() || args.notes;
    let legal = match wants_moves {
        true => Some(
            Chess::try_from(&position)
                .map_err(|error| laboratory::not_taken(&fen, format_args!("moves need a legal position: {error}")))?,
        ),
        false => None,
    };
    let changed = match (&args.written, &legal) {
        (Some(text), Some(legal)) => Some(move_record(legal, text, &tables)?),
        _ => None,
    };
    let notes = legal.as_ref().filter(|_| args.notes).map(|legal| noted_moves(legal, &tables));
    let choice = match (args.level, &legal) {
        (Some(level), Some(legal)) => Some(
            choose(legal, &tables, level, &crate::interrupt::limits().with_positions(MOST_MOVES))
                .map_err(|error| Failure::NoVerdict(format!("--level: {error}")))?,
        ),
        _ => None,
    };
    let found = ask(args, &position, &tables)?;
    let list = &found.result.relations;
    let drawn =
        args.picture.svg.write(found.answered(), out, || picture(args, &position, &found.result, changed.as_ref()));
    let document = RelationsDocument {
        schema: 1,
        engine: args.engine.engine_name(),
        fen: position.to_fen(),
        counts: counts(list).into(),
        evaluation: found.result.evaluation,
        relations: list.clone(),
        signature: args.signature.then(|| classes(list)),
        piece: piece.map(|(square, piece)| PieceRecord {
            square: square.to_string(),
            name: piece_name(piece),
            value: DynamicValue::of(square, list),
        }),
        change: changed,
        notes,
        choice,
        engines: found.report.record(),
    };
    match args.engine.format {
        Format::Json => out.json(&document)?,
        Format::Text => text(args, &position, &document, &found, out)?,
    }
    out.flush()?;
    drawn.map(|()| found.report.exit)
}

fn tables(args: &Args) -> Result<Tables, Failure> {
    let Some(path) = &args.tables else { return Ok(Tables::unit()) };
    let name = path.display().to_string();
    let text = String::from_utf8(read_file_up_to(path, LONGEST_TABLES)?)
        .map_err(|_| Failure::BadInput(format!("{name}: not UTF-8 text, expected lines such as `at R B 1.5`")))?;
    Tables::read(&text).map_err(|error| point_at(&name, &text, error.span.clone(), &error.message))
}

fn piece_on(position: &Placement, square: Square) -> Result<(Square, Piece), Failure> {
    let piece = position.board.piece_at(square);
    piece
        .map(|piece| (square, piece))
        .ok_or_else(|| Failure::BadInput(format!("--piece {square}: no piece stands there")))
}

fn move_record(position: &Chess, text: &str, tables: &Tables) -> Result<RelationsMoveRecord, Failure> {
    let text = text.trim();
    let by_uci = text.parse::<Move>().ok();
    let known = by_uci.and_then(|written| Some((written, write_rau(position, written)?)));
    let (uci, rau) = match (known, by_uci) {
        (Some(known), _) => known,
        (None, Some(written)) => {
            return Err(point_at("--move", text, 0..text.len(), &format!("{written} is not a legal move")));
        }
        (None, None) => {
            let written = read_rau(position, text)
                .map_err(|error| point_at("--move", text, error.span.clone(), &error.message))?;
            (written, write_rau(position, written).unwrap_or_default())
        }
    };
    let played = of_uci(position, uci).ok_or_else(|| Failure::BadInput(format!("--move {text}: not a legal move")))?;
    let san = chess_reference::legal::san(position, played);
    let changed = change(position.board(), after(position, played).board());
    let note = changed.note(tables, position.turn());
    let Change { lost, gained } = changed;
    Ok(RelationsMoveRecord { uci, san, rau, lost, gained, note })
}

fn ask(args: &Args, position: &Placement, tables: &Tables) -> Result<Found<MachineRelations>, Failure> {
    let (board, turn) = (&position.board, position.turn);
    args.engine.ask(
        || {
            let list = relations(board);
            Ok(MachineRelations { evaluation: tables.sum(&list, turn), relations: list })
        },
        |program: &RelationsProgram, settings| program.relations(board, turn, tables, settings),
        |program, settings| Ok(program.compare(board, turn, tables, settings)?.map_native(Ok)),
    )
}

fn classes(list: &[Relation]) -> Vec<ClassRecord> {
    let class = |((kind, piece, target), count)| ClassRecord { kind, piece, target, count };
    signature(list).into_iter().map(class).collect()
}

/// The board with relations; for a move, its squares and the relations before it.
fn picture(
    args: &Args,
    position: &Placement,
    found: &MachineRelations,
    change: Option<&RelationsMoveRecord>,
) -> String {
    let drawn: Vec<&Relation> = found.relations.iter().filter(|relation| shown(args, relation)).collect();
    let of = |kind: RelationKind| drawn.iter().filter(|relation| relation.kind == kind).count() as u64;
    let (attacks, defences, controls) = (of(RelationKind::At), of(RelationKind::Ap), of(RelationKind::Co));
    let meaning = sentences(&[
        (true, &colours("relations", |side| drawn.iter().any(|relation| relation.side == side))),
        (attacks > 0, "Wide: an attack."),
        (defences > 0 && controls == 0, "Thin: a defence."),
        (defences > 0 && controls > 0, "Thin: a defence, or the control of a free square."),
        (defences == 0 && controls > 0, "Thin: the control of a free square."),
        (args.piece.is_none(), "Controls of free squares are not drawn."),
    ]);
    let choice = match args.piece {
        Some(square) => format!("those of {square}"),
        None => format!("{}, {}", counted(attacks, "attack"), counted(defences, "defence")),
    };
    let title = format!("{}; drawn: {choice}", heading(position, found));
    let made = change
        .map(|RelationsMoveRecord { san, rau, .. }| format!("Orange to ring: the move {rau} ({san}), not yet made."));
    let legend = [meaning.as_str(), made.as_deref().unwrap_or_default()];
    let mut canvas = Canvas::new(args.picture.below(), &title, &legend);
    if let Some(RelationsMoveRecord { uci, .. }) = change {
        canvas.shade(uci.from, Shade::Start);
        canvas.shade(uci.to, Shade::Target);
    }
    canvas.arrows(&position.board, &drawn.into_iter().map(arrow).collect::<Vec<_>>());
    canvas.finish()
}

/// The relations of a picture: those of the piece of --piece, otherwise attacks and defences.
fn shown(args: &Args, relation: &Relation) -> bool {
    match args.piece {
        Some(square) => relation.from == square || (relation.to == square && relation.target.is_some()),
        None => relation.kind != RelationKind::Co,
    }
}

fn arrow(relation: &Relation) -> Arrow {
    Arrow { side: relation.side, from: relation.from, to: relation.to, wide: relation.kind == RelationKind::At }
}

fn heading(position: &Placement, found: &MachineRelations) -> String {
    let side = side_name(position.turn);
    format!("{}, E = {} for {side}", counted(found.relations.len() as u64, "relation"), found.evaluation)
}

fn text(
    args: &Args,
    position: &Placement,
    document: &RelationsDocument,
    found: &Found<MachineRelations>,
    out: &mut Output,
) -> Result<(), Failure> {
    if found.answered() {
        writeln!(out, "{}", heading(position, &found.result))?;
        for (side, counts) in [("White", document.counts.white), ("Black", document.counts.black)] {
            writeln!(out, "{side}: {} at, {} ap, {} co", counts.at, counts.ap, counts.co)?;
        }
    }
    found.report.write(out)?;
    if args.picture.board {
        let mark = |square| mark(&document.relations, square);
        write!(out.styled(), "\n{}", diagram::draw(&position.board, mark, args.picture.below(), diagram::colours()))?;
        writeln!(out, "  beside a piece or square: how many pieces of White and of Black bear on it")?;
    }
    if let Some(record) = &document.change {
        writeln!(out, "\n{} ({}), note {:+}", record.rau, record.san, record.note)?;
        writeln!(out, "lost {}:{}", record.lost.len(), wrapped(&record.lost))?;
        writeln!(out, "gained {}:{}", record.gained.len(), wrapped(&record.gained))?;
    }
    if let Some(piece) = &document.piece {
        let parts = [
            ("attacks", &piece.value.attacks),
            ("is attacked by", &piece.value.attacked_by),
            ("defends", &piece.value.defends),
            ("is defended by", &piece.value.defended_by),
            ("controls", &piece.value.controls),
        ];
        writeln!(out, "\n{} {}", piece.name, piece.square)?;
        for (name, part) in parts {
            writeln!(out, "  {name} {}{}{}", part.len(), if part.is_empty() { "" } else { ":" }, wrapped(part))?;
        }
    }
    if let Some(classes) = &document.signature {
        writeln!(out, "\nsignature: {}", counted(classes.len() as u64, "class").replace("classs", "classes"))?;
        for ClassRecord { kind, piece, target, count } in classes {
            writeln!(out, "  {} {:<6} {:<6} {count:>3}", kind.name(), coded(*piece), coded(*target))?;
        }
    }
    if let Some(notes) = &document.notes {
        writeln!(out, "\n{} by note", counted(notes.len() as u64, "move"))?;
        for line in notes.chunks(6) {
            let line: Vec<String> = line
                .iter()
                .map(|noted| format!("{} {:+}", noted.written, noted.note))
                .map(|t| format!("{t:<12}"))
                .collect();
            writeln!(out, "  {}", line.concat().trim_end())?;
        }
    }
    if let (Some(choice), Some(level)) = (&document.choice, args.level) {
        let written = choice.written.map_or("no move".to_owned(), |written| written.to_string());
        let made = grouped(choice.moves_made);
        writeln!(
            out,
            "\nlevel ({},{}): {written}, value {}, {made} moves made",
            level.width, level.depth, choice.value
        )?;
    }
    let plain = document.change.is_none() && document.piece.is_none() && document.notes.is_none();
    if plain && !args.signature && found.answered() {
        writeln!(out, "\nrelations:{}", wrapped(&document.relations))?;
    }
    Ok(())
}

/// `king`, `-pawn` for Black, `-` for a free square.
fn coded(code: i8) -> String {
    let roles = [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];
    let name = code.unsigned_abs().checked_sub(1).and_then(|index| roles.get(usize::from(index)));
    match name {
        Some(role) if code < 0 => role.char().to_string(),
        Some(role) => role.upper_char().to_string(),
        None => "-".to_owned(),
    }
}

/// Relations on lines of their own, five to a line.
fn wrapped(list: &[Relation]) -> String {
    let line = |line: &[Relation]| {
        let line: String = line.iter().map(|relation| format!("{:<14}", relation.to_string())).collect();
        format!("\n  {}", line.trim_end())
    };
    list.chunks(5).map(line).collect()
}

/// How many pieces of each side bear on a square.
fn mark(list: &[Relation], square: Square) -> Mark {
    let here = |side: Color| list.iter().filter(|relation| relation.to == square && relation.side == side).count();
    match (here(Color::White), here(Color::Black)) {
        (0, 0) => Mark::default(),
        (white, black) => Mark { text: format!("{white}:{black}"), strong: false },
    }
}
