//! The answers of machine programs and references as JSON documents, one for each question.

use crate::record::EngineRecord;
use chess_reference::algorithm50::{Move, SolutionLine};
use chess_reference::book::figures::Figure;
use chess_reference::names::{colour_name, role_name};
use chess_reference::{Attack, Placement, Task, Trajectories, Trajectory, json};
use serde::Serialize;
use shakmaty::Square;

/// The shortest trajectories of one piece.
#[derive(Serialize, Debug)]
pub struct TrajectoriesDocument<'a> {
    /// Version of this layout.
    pub schema: u32,
    /// `m220`, `native` or `both`.
    pub engine: &'static str,
    /// The position.
    pub fen: String,
    /// The moving piece's kind.
    pub piece: &'static str,
    /// The moving piece's colour.
    pub colour: &'static str,
    /// Where it starts.
    #[serde(serialize_with = "json::text")]
    pub from: Square,
    /// Where it goes.
    #[serde(serialize_with = "json::text")]
    pub to: Square,
    /// The moves of each trajectory; null if there are none.
    pub moves: Option<u32>,
    /// How many trajectories there are.
    pub count: usize,
    /// There are trajectories, but only longer ones than were asked for.
    pub limit_reached: bool,
    /// The trajectories, their squares run together, sorted.
    pub trajectories: &'a [Trajectory],
    /// Whether both engines agree, and what the machine's run cost.
    #[serde(flatten)]
    pub engines: EngineRecord,
}

impl TrajectoriesDocument<'_> {
    /// The document of an answer by the named engine or engines.
    #[must_use]
    pub fn new<'a>(
        engine: &'static str,
        position: &Placement,
        task: &Task,
        found: &'a Trajectories,
        engines: EngineRecord,
    ) -> TrajectoriesDocument<'a> {
        TrajectoriesDocument {
            schema: 1,
            engine,
            fen: position.to_fen(),
            piece: role_name(task.piece.role),
            colour: colour_name(task.piece.color),
            from: task.from,
            to: task.to,
            moves: found.moves,
            count: found.list.len(),
            limit_reached: found.limit_reached,
            trajectories: &found.list,
            engines,
        }
    }
}

/// All attacks of both sides within a horizon.
#[derive(Serialize, Debug)]
pub struct AttacksDocument<'a> {
    /// Version of this layout.
    pub schema: u32,
    /// `m220`, `native` or `both`.
    pub engine: &'static str,
    /// The position.
    pub fen: String,
    /// The horizon, in half-moves.
    pub horizon: u32,
    /// The trajectories of all attacks.
    pub trajectory_count: usize,
    /// The attacks, sorted by `from`, then `to`.
    pub attacks: &'a [Attack],
    /// Whether both engines agree, and what the machine's run cost.
    #[serde(flatten)]
    pub engines: EngineRecord,
}

impl AttacksDocument<'_> {
    /// The document of an answer by the named engine or engines.
    #[must_use]
    pub fn new<'a>(
        engine: &'static str,
        position: &Placement,
        horizon: u32,
        attacks: &'a [Attack],
        engines: EngineRecord,
    ) -> AttacksDocument<'a> {
        AttacksDocument {
            schema: 1,
            engine,
            fen: position.to_fen(),
            horizon,
            trajectory_count: attacks.iter().map(|attack| attack.trajectories.len()).sum(),
            attacks,
            engines,
        }
    }
}

/// The keys of a mate problem and their trees.
#[derive(Serialize, Debug)]
pub struct MateDocument {
    /// Version of this layout.
    pub schema: u32,
    /// `m220`, `native` or `both`.
    pub engine: &'static str,
    /// The position.
    pub fen: String,
    /// Mate in how many moves.
    pub moves: u32,
    /// Every first move that forces mate within that number of moves, sorted.
    pub keys: Vec<Move>,
    /// The tree of every key, or of the one asked for.
    pub solution: Vec<SolutionLine>,
    /// Positions visited in the search for the keys.
    pub positions_visited: PositionsVisited,
    /// Whether both engines agree, and the cost of the machine's run, both for the search for the keys: the trees are
    /// separate runs.
    #[serde(flatten)]
    pub engines: EngineRecord,
}

/// Positions visited by each engine; null for an engine that was not asked or did not answer.
#[derive(Serialize, Debug)]
pub struct PositionsVisited {
    /// By the native Algorithm 50.
    pub native: Option<u64>,
    /// By the machine program.
    pub machine: Option<u64>,
}

/// A figure of Botvinnik's book.
#[derive(Serialize, Debug)]
pub struct BookFigureDocument {
    /// Version of this layout.
    pub schema: u32,
    /// Its number.
    pub figure: u32,
    /// The page, one off at most.
    pub page: &'static str,
    /// Its title.
    pub title: &'static str,
    /// What the book says, in short.
    pub says: &'static str,
    /// The position.
    pub fen: String,
    /// The command that shows it, without `m220`.
    pub command: &'static str,
    /// The book's numerical statements, beside what is found; empty in a list of figures.
    pub statements: Vec<BookStatementRecord>,
    /// The machine's run on what the figure shows, compared with the native reference.
    #[serde(flatten)]
    pub engines: EngineRecord,
}

/// A statement of the book in JSON.
#[derive(Serialize, Debug)]
pub struct BookStatementRecord {
    /// What is stated, as the table of statements has it.
    pub quantity: &'static str,
    /// The same in words.
    pub in_words: String,
    /// The half-moves from the figure's position, by their squares.
    pub after: Vec<String>,
    /// The horizon, in half-moves.
    pub horizon: u32,
    /// What is found.
    pub found: String,
    /// What the book says.
    pub book: &'static str,
    /// Whether both are the same.
    pub as_the_book: bool,
    /// The page, one off at most.
    pub page: &'static str,
    /// Why they differ, or the book's own words.
    pub note: &'static str,
}

impl BookFigureDocument {
    /// A figure without the findings.
    #[must_use]
    pub fn of(figure: &Figure) -> BookFigureDocument {
        BookFigureDocument {
            schema: 1,
            figure: figure.number,
            page: figure.page,
            title: figure.title,
            says: figure.says,
            fen: figure.place.position().to_fen(),
            command: figure.command,
            statements: Vec::new(),
            engines: EngineRecord::of(None, None),
        }
    }
}
