//! The questions that a page can ask, and how they are read.

use chess_reference::algorithm50::Problem;
use chess_reference::names::role_named;
use chess_reference::sync::{SyncMove, SyncState};
use chess_reference::{FIG_22, Placement, Task};
use serde::{Deserialize, Serialize};
use shakmaty::{ByColor, Chess, Color, Piece, Square};

/// A task as a page offers it.
#[derive(Serialize)]
pub struct TaskRow {
    /// Its name in a request.
    name: &'static str,
    /// What is asked, for people.
    title: &'static str,
    /// Whether it can be put to the machine that the page shows.
    on_machine: bool,
    /// Whether it can be answered beside that machine.
    answered: bool,
    /// The fields of its question.
    fields: &'static [Field],
    /// A position to begin with.
    example: &'static str,
}

/// A field of a task's question.
#[derive(Serialize)]
struct Field {
    name: &'static str,
    /// `fen`, `square`, `piece`, `number`, `text`.
    kind: &'static str,
    /// The label for people.
    label: &'static str,
    /// The usual value.
    value: &'static str,
    /// The least and the greatest number.
    range: Option<(u32, u32)>,
}

const FREE: &str = "8/8/8/8/8/8/8/8 w - - 0 1";
const OPERA: &str = "4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 1 16";
const POSITION: Field = Field { name: "fen", kind: "fen", label: "Position (FEN)", value: "", range: None };
const WAY: &[Field] = &[
    POSITION,
    Field { name: "from", kind: "square", label: "From", value: "a4", range: None },
    Field { name: "to", kind: "square", label: "To", value: "h4", range: None },
    Field { name: "piece", kind: "piece", label: "Piece", value: "king", range: None },
];
/// Half-moves of an attack's horizon.
const HORIZONS: (u32, u32) = (1, 9);
/// Half-moves of a map on the machine.
const MACHINE_HORIZONS: (u32, u32) = (1, 4);
/// Moves to mate.
const MOVES: (u32, u32) = (1, 8);
const HORIZON: &[Field] =
    &[POSITION, Field { name: "horizon", kind: "number", label: "Half-moves", value: "3", range: Some(HORIZONS) }];

/// A task that is put to the machine, and answered beside it.
const fn task(name: &'static str, title: &'static str, fields: &'static [Field], example: &'static str) -> TaskRow {
    TaskRow { name, title, on_machine: true, answered: true, fields, example }
}

/// The tasks that a page can ask for.
pub const TASKS: [TaskRow; 10] = [
    task("trajectories", "all shortest trajectories of a piece", WAY, FREE),
    TaskRow { answered: false, ..task("bundle", "their bundle and number", WAY, FREE) },
    task("attacks", "all attacks of both sides", HORIZON, FIG_22),
    task(
        "mate",
        "a mate problem",
        &[POSITION, Field { name: "moves", kind: "number", label: "Moves", value: "2", range: Some(MOVES) }],
        "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1",
    ),
    task("endings", "a small ending, classified exactly", &[POSITION], "8/8/8/8/8/2k5/1R6/K7 w - - 0 1"),
    task("relations", "what every piece attacks, defends and controls", &[POSITION], OPERA),
    task(
        "doublets",
        "a doublet of synchronous chess: both sides move at once",
        &[
            POSITION,
            Field { name: "white", kind: "text", label: "White's move", value: "e4d5", range: None },
            Field { name: "black", kind: "text", label: "Black's move", value: "d5e4", range: None },
        ],
        "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1",
    ),
    task("map", "the mathematical map", HORIZON, FIG_22),
    task("analyse", "the analysis of the map's sensible moves", HORIZON, FIG_22),
    TaskRow { on_machine: false, ..task("best", "the move that the mathematical map chooses", &[POSITION], OPERA) },
];

/// A question to a chess program; each task needs some of these fields.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChessQuestion {
    /// The position.
    pub fen: String,
    /// Where the piece starts, for trajectories.
    #[serde(default)]
    from: Option<String>,
    /// Where it goes.
    #[serde(default)]
    to: Option<String>,
    /// Its kind, if not that of the piece on `from`: `king`, `queen`, ...
    #[serde(default)]
    piece: Option<String>,
    /// Half-moves of the horizon, for attacks.
    #[serde(default)]
    horizon: Option<u32>,
    /// The number of moves to mate.
    #[serde(default)]
    moves: Option<u32>,
    /// What White writes in a doublet.
    #[serde(default)]
    white: Option<String>,
    /// What Black writes.
    #[serde(default)]
    black: Option<String>,
}

impl ChessQuestion {
    /// The horizon of attacks.
    pub fn horizon(&self) -> Result<u32, String> {
        within("half-moves", self.horizon.unwrap_or(3), HORIZONS)
    }

    /// The horizon of a map on the machine, whose lists hold shorter attacks than the native ones.
    pub fn machine_horizon(&self) -> Result<u32, String> {
        within("half-moves on the machine", self.horizon.unwrap_or(3), MACHINE_HORIZONS)
    }

    /// The number of moves to mate.
    pub fn moves(&self) -> Result<u32, String> {
        within("moves", self.moves.unwrap_or(2), MOVES)
    }

    /// The position of synchronous chess; an orthodox one counts without its side to move.
    pub fn doublet_position(&self) -> Result<SyncState, String> {
        SyncState::from_position(&position_of(self)?).map_err(|error| format!("the position: {error}"))
    }

    /// What both sides write; an empty text is no move.
    pub fn doublet(&self) -> Result<ByColor<Option<SyncMove>>, String> {
        let read = |text: &Option<String>| match text.as_deref().map(str::trim) {
            None | Some("") => Ok(None),
            Some(text) => text.parse::<SyncMove>().map(Some).map_err(|error| format!("`{text}`: {error}")),
        };
        Ok(ByColor { white: read(&self.white)?, black: read(&self.black)? })
    }

    /// The mate problem.
    pub fn problem(&self) -> Result<Problem, String> {
        Problem::from_fen(self.fen.trim()).map_err(|error| format!("the position: {error}"))
    }

    /// The piece and its way in a task for trajectories.
    pub fn way(&self, position: &Placement) -> Result<Task, String> {
        let square = |text: &Option<String>, what: &str| -> Result<Square, String> {
            let text = text.as_deref().unwrap_or_default().trim().to_ascii_lowercase();
            text.parse().map_err(|_| format!("the {what}: `{text}` is not a square, expected one such as a4"))
        };
        let (from, to) = (square(&self.from, "start")?, square(&self.to, "target")?);
        if from == to {
            return Err(format!("start and target are both {from}: a trajectory leads elsewhere"));
        }
        let there = position.board.piece_at(from);
        let role = match self.piece.as_deref() {
            None | Some("") => there.map(|piece| piece.role),
            Some(name) => {
                let role = role_named(name);
                Some(role.ok_or_else(|| format!("`{name}` is not a piece: king, queen, rook, bishop, knight or pawn"))?)
            }
        };
        let role =
            role.ok_or_else(|| format!("no piece stands on {from}: put one there, or choose which one moves"))?;
        let color = there.map_or(Color::White, |piece| piece.color);
        Ok(Task { piece: Piece { role, color }, from, to })
    }
}

fn within(what: &str, number: u32, (least, most): (u32, u32)) -> Result<u32, String> {
    if (least..=most).contains(&number) {
        Ok(number)
    } else {
        Err(format!("{number} {what}: expected {least} to {most}"))
    }
}

/// The pieces of a question, legal or not.
pub fn position_of(question: &ChessQuestion) -> Result<Placement, String> {
    position(&question.fen)
}

fn position(fen: &str) -> Result<Placement, String> {
    Placement::from_fen(fen.trim()).map_err(|error| format!("the position: {error}"))
}

/// A position of a game.
pub fn legal_position(fen: &str) -> Result<Chess, String> {
    Chess::try_from(&position(fen)?).map_err(|error| format!("not a legal position: {error}"))
}
