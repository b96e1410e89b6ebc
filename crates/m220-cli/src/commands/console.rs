//! `m220 console`.

use crate::commands::debug::open_programs;
use crate::exit::{Exit, Failure};
use crate::interrupt;
use crate::laboratory::piece_name;
use crate::load::{SetCell, SetKey, Setup};
use crate::output::{Output, read_file_up_to};
use crate::replay::{book_time_of_attacks, book_time_of_task};
use chess_reference::algorithm50::Problem;
use chess_reference::{Placement, Task};
use m220_chess::program::ChessProgram;
use m220_chess::trajectories::{DEFAULT_MAX_MOVES, Question};
use m220_chess::{MateProgram, ProgramRun, Settings, TrajectoryProgram};
use m220_console::server::Console;
use m220_isa::{CoreAddress, Model};
use m220_panel::description::BookTime;
use m220_panel::emulator::Emulator;
use m220_panel::protocol::{self, TaskRequest, UploadKind};
use serde::Deserialize;
use shakmaty::{Color, Piece, Role, Square};
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

/// Work the machine in a browser
///
/// Starts a server for this computer alone and opens the console in a browser: lamps, listing, core, printer, and the
/// project's chess programs on a board. Without a FILE the king's trajectories a4-h4 are loaded.
#[derive(clap::Args)]
pub struct Args {
    /// ELF images, octal decks (.m20), or sources (.m220), which are assembled first; the last start cell wins
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    setup: Setup,
    /// Listen on this port of 127.0.0.1; by default on any free one
    #[arg(long, value_name = "N", default_value_t = 0)]
    port: u16,
    /// Only print the address, and open no browser
    #[arg(long)]
    no_open: bool,
}

/// The longest file of a device.
const LARGEST_DEVICE_FILE: u64 = 16 << 20;

/// Runs the command.
pub fn run(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    let prepared = prepared(args)?;
    let first = setting_up(args)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .map_err(|error| Failure::Output(format!("the server: {error}")))?;
    let _listening = interrupt::listen();
    runtime.block_on(async {
        let console = Console::open(args.port, prepared, first, Box::new(chess));
        let console = console.await.map_err(|error| Failure::Output(format!("127.0.0.1:{}: {error}", args.port)))?;
        let address = console.address();
        writeln!(out, "{address}")?;
        out.flush()?;
        if !args.no_open && open::that_detached(&address).is_err() {
            // The address has been printed: it can be opened by hand.
            let _ = writeln!(std::io::stderr(), "m220: no browser could be opened; open the address by hand");
        }
        let _ = writeln!(std::io::stderr(), "m220: Ctrl-C ends the console");
        let end = async {
            while !interrupt::is_asked() {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        };
        console.serve(end).await.map_err(|error| Failure::Output(format!("the server: {error}")))
    })?;
    Ok(Exit::Done)
}

/// The program that the machine begins with.
fn prepared(args: &Args) -> Result<protocol::Program, Failure> {
    if args.files.is_empty() {
        let king = serde_json::json!({ "fen": "8/8/8/8/8/8/8/8 w - - 0 1", "from": "a4", "to": "h4", "piece": "king" });
        let king = TaskRequest { task: "trajectories".to_owned(), question: king };
        return chess(&king).map_err(Failure::BadInput);
    }
    let (programs, start) = open_programs(&args.files, &args.setup)?;
    let names: Vec<String> = args
        .files
        .iter()
        .map(|path| path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned()))
        .collect();
    let cell = |SetCell { cell, word }: &SetCell| Ok((programs.cell("--set", cell)?, *word));
    Ok(protocol::Program {
        title: names.join(", "),
        config: programs.config(),
        image: programs.merged(start),
        start,
        cells: args.setup.set.iter().map(cell).collect::<Result<_, Failure>>()?,
        book: None,
    })
}

/// Keys and devices, as the options set them.
fn setting_up(args: &Args) -> Result<impl FnOnce(&mut Emulator) -> Result<(), String> + Send + 'static, Failure> {
    let keys = args.setup.key.clone();
    let mut files = Vec::new();
    let devices = &args.setup.devices;
    let drums = devices.drum.iter().map(|file| (UploadKind::Drum, file.number, &file.path));
    let tapes = devices.tape.iter().map(|file| (UploadKind::Tape, file.number, &file.path));
    let cards = devices.cards.iter().map(|path| (UploadKind::Cards, 0, path));
    for (kind, number, path) in drums.chain(tapes).chain(cards) {
        files.push((kind, number, path.display().to_string(), read_file_up_to(path, LARGEST_DEVICE_FILE)?));
    }
    Ok(move |emulator: &mut Emulator| {
        for (kind, number, name, bytes) in files {
            emulator.upload(kind, &name, number, &bytes)?;
        }
        for SetKey { key, word } in keys {
            emulator.set_key(key, word)?;
        }
        Ok(())
    })
}

/// A machine whose patience has no end: the page stops it.
fn settings() -> Settings {
    Settings::new(Model::M220, u64::MAX)
}

/// What is asked of a chess program; each task needs some of these.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChessQuestion {
    /// The position.
    fen: String,
    /// Where the piece starts, for trajectories.
    #[serde(default)]
    from: Option<String>,
    /// Where it goes.
    #[serde(default)]
    to: Option<String>,
    /// Its kind, if it is not that of the piece on `from`: `king`, `queen`, ...
    #[serde(default)]
    piece: Option<String>,
    /// Half-moves of the horizon, for attacks.
    #[serde(default)]
    horizon: Option<u32>,
    /// The number of moves to mate.
    #[serde(default)]
    moves: Option<u32>,
}

/// A chess program with a task in its cells.
fn chess(request: &TaskRequest) -> Result<protocol::Program, String> {
    let question = ChessQuestion::deserialize(&request.question).map_err(|error| format!("the question: {error}"))?;
    match request.task.as_str() {
        "trajectories" => trajectories(&question, |way| Question::List(way, DEFAULT_MAX_MOVES)),
        "bundle" => trajectories(&question, |way| Question::Bundle(way, DEFAULT_MAX_MOVES)),
        "attacks" => {
            let position = position_of(&question)?;
            let horizon = question.horizon.unwrap_or(3);
            let book = book_time_of_attacks(&position, horizon);
            let title = format!("attacks within {horizon} half-moves");
            survey(title, &position, Question::Attacks(position.turn, horizon), book)
        }
        "mate" => {
            let problem = Problem::from_fen(question.fen.trim()).map_err(|error| format!("the position: {error}"))?;
            let moves = question.moves.unwrap_or(2);
            let program = MateProgram::built_in().map_err(|error| error.to_string())?;
            let run = program.prepare(&problem, moves, None, settings()).map_err(|error| error.to_string())?;
            Ok(in_core(format!("mate in {moves}"), &program, &run, None))
        }
        other => Err(format!("there is no task `{other}`")),
    }
}

fn position_of(task: &ChessQuestion) -> Result<Placement, String> {
    Placement::from_fen(task.fen.trim()).map_err(|error| format!("the position: {error}"))
}

/// The trajectory program with a task for one piece.
fn trajectories(
    task: &ChessQuestion,
    question: impl for<'t> FnOnce(&'t Task) -> Question<'t>,
) -> Result<protocol::Program, String> {
    let position = position_of(task)?;
    let way = way_of(task, &position)?;
    let title = format!("{} {}-{}", piece_name(way.piece), way.from, way.to);
    survey(title, &position, question(&way), book_time_of_task(&position, &way))
}

/// The trajectory program with a question in its cells.
fn survey(
    title: String,
    position: &Placement,
    question: Question<'_>,
    book: Option<BookTime>,
) -> Result<protocol::Program, String> {
    let program = TrajectoryProgram::built_in().map_err(|error| error.to_string())?;
    let run = program.prepare(&position.board, question, settings()).map_err(|error| error.to_string())?;
    Ok(in_core(title, &program, &run, book))
}

/// The piece and its way that a task for the trajectories names.
fn way_of(task: &ChessQuestion, position: &Placement) -> Result<Task, String> {
    let square = |text: &Option<String>, what: &str| -> Result<Square, String> {
        let text = text.as_deref().unwrap_or_default().trim().to_ascii_lowercase();
        text.parse().map_err(|_| format!("the {what}: `{text}` is not a square, expected one such as a4"))
    };
    let (from, to) = (square(&task.from, "start")?, square(&task.to, "target")?);
    if from == to {
        return Err(format!("start and target are both {from}: a trajectory leads elsewhere"));
    }
    let there = position.board.piece_at(from);
    let role = match task.piece.as_deref() {
        None | Some("") => there.map(|piece| piece.role),
        Some("pawn") => Some(Role::Pawn),
        Some("knight") => Some(Role::Knight),
        Some("bishop") => Some(Role::Bishop),
        Some("rook") => Some(Role::Rook),
        Some("queen") => Some(Role::Queen),
        Some("king") => Some(Role::King),
        Some(other) => return Err(format!("`{other}` is not a piece: king, queen, rook, bishop, knight or pawn")),
    };
    let role = role.ok_or_else(|| format!("no piece stands on {from}: put one there, or choose which one moves"))?;
    let color = there.map_or(Color::White, |piece| piece.color);
    Ok(Task { piece: Piece { role, color }, from, to })
}

/// A prepared run as the console loads it.
fn in_core<P: ChessProgram>(title: String, program: &P, run: &ProgramRun, book: Option<BookTime>) -> protocol::Program {
    let image = program.program().image().clone();
    let words = run.machine().core_words().enumerate();
    let cells = words.filter_map(|(index, word)| Some((CoreAddress::from_index(index).ok()?, word)));
    let cells = cells.filter(|(cell, word)| image.words.get(cell).copied().unwrap_or_default() != *word).collect();
    let start = image.entry.unwrap_or_default();
    protocol::Program { title, config: run.machine().config(), image, start, cells, book }
}
