//! The shortest trajectories of one piece.

use crate::prelude::*;
use chess_reference::{BOOK_KING_US, BundleSquare, Task, Trajectory, bundle, shortest_trajectories};
use m220_chess::TrajectoryProgram;
use m220_chess::trajectories::{BundleQuestion, DEFAULT_MAX_MOVES, ListQuestion, PieceTask, compare_lists};
use m220_panel::description::BookTime;

/// Find the shortest trajectories of one piece
///
/// Without a position the board is empty. Other pieces stand still: own ones block the way, enemy ones can be captured.
/// A trajectory is printed as its squares in order.
///
/// Limits: the machine program finds trajectories of at most 7 moves and has tables for several hundred of them; a full
/// table ends it with exit code 4 and a message that names the table. --engine native has neither limit.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(
    feature = "clap",
    command(after_help = "\
Examples:
  m220 trajectories --piece king --from a4 --to h4
  m220 trajectories --position fig22 --from e5 --to g7 --board")
)]
pub struct Trajectories {
    /// The moving piece; the piece on --from if not given
    #[cfg_attr(feature = "clap", arg(long, value_name = "PIECE"))]
    piece: Option<Text<Role>>,
    /// The colour of the moving piece; that of the piece on --from if not given, else white
    #[cfg_attr(feature = "clap", arg(long, value_name = "COLOUR"))]
    colour: Option<Text<Color>>,
    /// The square it starts from
    #[cfg_attr(feature = "clap", arg(long, value_name = "SQUARE"))]
    from: Text<Square>,
    /// The square it has to reach
    #[cfg_attr(feature = "clap", arg(long, value_name = "SQUARE"))]
    to: Text<Square>,
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    position: GivenPosition,
    /// Look no further than this many moves [default: 7, none for --engine native]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    max_moves: Option<Within<1, 64>>,
}

/// A piece on its way in a position.
#[derive(Debug)]
pub struct Way {
    position: Placement,
    task: Task,
    /// One for both engines, and none for the native one alone.
    max_moves: Option<u32>,
}

impl Way {
    /// The task for the machine, its limit included.
    fn on_machine(&self) -> PieceTask<'_> {
        let max_moves = self.max_moves.unwrap_or(DEFAULT_MAX_MOVES);
        PieceTask { board: &self.position.board, task: &self.task, max_moves }
    }
}

impl Question for Trajectories {
    const NAME: &'static str = "trajectories";
    const FORM: Option<Form> = Some(Form {
        fields: &[
            FormField::new(FieldKind::Square, "from", "a4"),
            FormField::new(FieldKind::Square, "to", "h4"),
            FormField::new(FieldKind::Piece, "piece", "king"),
        ],
        example: "8/8/8/8/8/8/8/8 w - - 0 1",
    });
    type Program = TrajectoryProgram;
    type Subject = Way;
    type Answer = chess_reference::Trajectories;

    fn subject(&self, engine: Engine, context: &Context<'_>) -> Result<Way, Refused> {
        let position = match self.position.read(context)? {
            Some(position) => position.placement,
            None => Placement::new(Board::empty(), Color::White),
        };
        let (from, to) = (self.from.0, self.to.0);
        let there = position.board.piece_at(from);
        let role = self.piece.map(|piece| piece.0).or(there.map(|piece| piece.role));
        let role = role.ok_or_else(|| Refused::usage(told!("trajectories-no-piece", square = from)))?;
        let color = self.colour.map(|colour| colour.0).or(there.map(|piece| piece.color)).unwrap_or(Color::White);
        let piece = Piece { role, color };
        if from == to {
            return Err(Refused::usage(told!("trajectories-same-square", square = to)));
        }
        if let Some(there) = there.filter(|there| *there != piece) {
            context.remark(told!("trajectories-other-piece", piece, there, square = from));
        }
        if let Some(assumed) = assumed_of_pawn(piece, from) {
            context.remark(assumed);
        }
        let max_moves = self.max_moves.map(Within::small);
        let max_moves = max_moves.or((engine != Engine::Native).then_some(DEFAULT_MAX_MOVES));
        Ok(Way { position, task: Task { piece, from, to }, max_moves })
    }

    fn native(way: &Way, _: &Context<'_>) -> Result<Self::Answer, Refused> {
        shortest_trajectories(&way.position.board, &way.task, way.max_moves).map_err(Refused::unanswered)
    }

    fn machine(&Put { asked: way, native, machine }: &Put<'_, Self>) -> Result<Ran<Self::Answer>, Refused> {
        let mut ran = machine.ask(&ListQuestion(way.on_machine()))?;
        if native.is_some() {
            let bundles = machine.program.compare(&BundleQuestion(way.on_machine()), &machine.settings);
            ran.also = Some(bundles.map_err(cannot_run)?.verdict);
        }
        Ok(ran)
    }

    fn differences(native: &Self::Answer, machine: &Self::Answer) -> Vec<Difference> {
        compare_lists(native, machine)
    }

    fn prepare(&Put { asked: way, machine, .. }: &Put<'_, Self>) -> Result<Prepared, Refused> {
        let Way { position, task, .. } = way;
        let run = machine.put(&ListQuestion(way.on_machine()))?;
        let title = told!("trajectories-way", piece = task.piece, from = task.from, to = task.to);
        Ok(Prepared::new(title, notes(position, task), &machine.program, run))
    }

    fn document<'a>(way: &'a Way, found: Option<&'a Self::Answer>) -> impl Serialize + 'a {
        let Task { piece, from, to } = way.task;
        let list: &[Trajectory] = found.map_or(&[], |found| &found.list);
        json!({
            "fen": way.position.to_fen(),
            "piece": role_name(piece.role),
            "colour": colour_name(piece.color),
            "from": from.to_string(),
            "to": to.to_string(),
            // Those of each trajectory; null if there are none.
            "moves": found.and_then(|found| found.moves),
            "count": list.len(),
            // There are trajectories, but only longer ones than were asked for.
            "limit_reached": found.is_some_and(|found| found.limit_reached),
            // Each a list of squares, sorted.
            "trajectories": list,
        })
    }

    fn say(way: &Way, found: &Self::Answer, words: &Words) -> Said {
        let items = found.list.iter().map(|trajectory| Item::new(trajectory.to_string(), [&**trajectory]));
        Said::new(words, &headline(way, found)).with_list("", items)
    }

    fn show(way: &Way, found: &Self::Answer, words: &Words) -> Shown {
        let Task { piece, from, to } = way.task;
        let mut board = way.position.board.clone();
        board.set_piece_at(from, piece);
        let mut shown = Shown::new(&board, words.say(&headline(way, found)));
        let squares = squares_of(&found.list);
        for place in &squares {
            let shade = match place.square {
                square if square == from => Shade::Start,
                square if square == to => Shade::Target,
                _ => Shade::Way,
            };
            shown.mark(place.square, format!("{}+{}", place.from_start, place.to_target), shade);
        }
        if squares.is_empty() {
            shown.mark(from, "", Shade::Start);
            shown.mark(to, "", Shade::Target);
            return shown;
        }
        let mut moves: BTreeMap<(Square, Square), usize> = BTreeMap::new();
        for step in found.list.iter().flat_map(|trajectory| trajectory.windows(2)) {
            *moves.entry((step[0], step[1])).or_default() += 1;
        }
        for ((start, end), count) in moves {
            // From a hair's width to a finger's: the width follows the share of all trajectories.
            let width = 1.0 + 5.0 * count as f64 / found.list.len() as f64;
            shown.arrows.push(Arrow { side: None, way: vec![start, end], width, faint: false });
        }
        shown.legend = vec![words.say(&told!("trajectories-numbers")), words.say(&told!("trajectories-lines"))];
        if let Some(example) = squares.iter().find(|place| place.from_start > 0) {
            let BundleSquare { square, from_start, to_target } = *example;
            shown.below = words.say(&told!("trajectories-example", square, passed = from_start, left = to_target));
        }
        shown
    }
}

/// The assumption about a pawn on a square where no game has one.
fn assumed_of_pawn(piece: Piece, from: Square) -> Option<Message> {
    match from.rank() {
        _ if piece.role != Role::Pawn => None,
        rank if rank == piece.color.backrank() => Some(told!("trajectories-pawn-first-rank", piece, square = from)),
        rank if rank == piece.color.other().backrank() => {
            Some(told!("trajectories-pawn-last-rank", piece, square = from))
        }
        _ => None,
    }
}

/// The book's time for the king's way a4-h4 on a free board.
fn notes(position: &Placement, task: &Task) -> Notes {
    let king = Task { piece: Role::King.of(Color::White), from: Square::A4, to: Square::H4 };
    let free = position.board.occupied().without(task.from).is_empty();
    Notes { book: (free && *task == king).then(|| BookTime::botvinnik(BOOK_KING_US)), ..Notes::default() }
}

fn headline(way: &Way, found: &chess_reference::Trajectories) -> Message {
    let Way { position, task, .. } = way;
    let way = told!("trajectories-way", piece = task.piece, from = task.from, to = task.to);
    match (found.moves, found.limit_reached) {
        (Some(moves), _) => told!("trajectories-found", way, count = found.list.len(), moves),
        (None, true) => told!("trajectories-longer", way),
        (None, false) if position.board.color_at(task.to) == Some(task.piece.color) => {
            told!("trajectories-own-piece", way, square = task.to)
        }
        (None, false) if bundle(&Board::empty(), task, None).moves.is_some() => {
            told!("trajectories-blocked", way)
        }
        (None, false) if task.piece.role == Role::Pawn => told!("trajectories-pawn", way),
        (None, false) => told!("trajectories-never", way),
    }
}

/// The squares of the trajectories with their two numbers. All trajectories pass a square after the same number of
/// moves: a shorter way to it would shorten the whole.
fn squares_of(list: &[Trajectory]) -> Vec<BundleSquare> {
    let mut squares: Vec<BundleSquare> = Vec::new();
    for trajectory in list {
        for (step, &square) in (0..).zip(trajectory.iter()) {
            if !squares.iter().any(|place| place.square == square) {
                squares.push(BundleSquare { square, from_start: step, to_target: trajectory.moves() - step });
            }
        }
    }
    squares
}
