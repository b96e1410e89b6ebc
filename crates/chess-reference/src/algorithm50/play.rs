//! Play by the strategy that Bell's text describes for his program, in several readings.
//!
//! According to the text, the program looked three half-moves ahead, agreed to exchanges for pieces of equal or higher
//! rank (the more powerful the better: it always took queen for queen), and if there was nothing to exchange or take it
//! tried to control as many squares as it could. That is all it says. The rest was found by trying which reading best
//! reproduces the 24 moves of the two printed games: see [`StrategyReading`] and [`READINGS`].
//!
//! ```
//! use chess_reference::algorithm50::{Problem, play};
//!
//! let start = Problem::from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")?;
//! let found = play::evaluate(&start, &play::Strategy::default());
//! let choice = found.choice().ok_or("there are legal moves")?;
//! assert_eq!(choice.half_move.to_string(), "e2e4");
//! assert_eq!(choice.value, play::Value { swing: 0, rank: 0, control: 29 });
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```

mod history;
mod reading;

pub use history::{BELL_GAMES, BellGame, HistoricalMove, historical_moves};
pub use reading::{Control, NamedReading, Order, READINGS, StrategyReading, Swing};

use super::problem::Problem;
use super::search::Solver;
use crate::prelude::*;

/// How the program chooses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Strategy {
    /// How the text is read.
    pub reading: StrategyReading,
    /// The first move number at which the queen may move; before that she moves only if nothing else can. With 1 she
    /// may always move. (According to a public encyclopaedia, a small change kept her from moving in the first five
    /// moves.)
    pub queen_from: u32,
    /// Whether to skip further replies to a move once its value falls below the best so far. The choice stays the same,
    /// but the values of other moves may be too high.
    pub cut_off: bool,
}

impl Default for Strategy {
    fn default() -> Strategy {
        Strategy { reading: StrategyReading::SWAP, queen_from: 6, cut_off: false }
    }
}

/// The value of a move. Values compare lexicographically: the first number that differs decides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize)]
pub struct Value {
    /// The gain by exchanges, in ranks (pawn 1, knight 2, bishop 3, rook 4, queen 5), after the worst reply.
    pub swing: i32,
    /// The rank of the piece taken, less one, which favours exchanges of powerful pieces.
    pub rank: i32,
    /// The moves left to the side after the worst reply.
    pub control: i32,
}

impl fmt::Display for Value {
    /// `0 0 29`: swing, rank, control.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.swing, self.rank, self.control)
    }
}

named! {
    /// How a move ends the game.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
    #[serde(rename_all = "lowercase")]
    pub enum MoveOutcome {
        /// The other side has no legal move and is not in check: worth (0, 0, 0).
        Stalemate = "stalemate",
        /// The other side is mated: better than every value.
        Mate = "mate",
    }
}

/// A legal move and what it is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ValuedMove {
    /// The move.
    pub half_move: Move,
    /// Its value; with [`Strategy::cut_off`] it may be too high for any move but the chosen one.
    pub value: Value,
    /// How it ends the game, if it does.
    pub outcome: Option<MoveOutcome>,
    /// Whether it is a queen move that is still barred; such a move is chosen only if there is no other.
    pub barred: bool,
}

impl ValuedMove {
    /// The sort key of candidates: first moves that are not barred, then mates, then the value.
    fn merit(&self) -> (bool, bool, Value) {
        (!self.barred, self.outcome == Some(MoveOutcome::Mate), self.value)
    }
}

/// The evaluation of a position: all legal moves with their values, and the choice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evaluation {
    /// Every legal move, in the order of the survey.
    pub candidates: Vec<ValuedMove>,
    /// Legal first half-moves, legal replies, and third half-moves listed (each promotion piece counted).
    pub visits: [u64; 3],
    /// The index of the choice among the candidates; `None` if there are none.
    pub chosen: Option<usize>,
    /// Mate or stalemate, if the side to move has no legal move.
    pub stuck: Option<MoveOutcome>,
}

impl Evaluation {
    /// The best candidate, or of equal ones the last listed. `None` if the side to move is mated or stalemated.
    #[must_use]
    pub fn choice(&self) -> Option<&ValuedMove> {
        self.chosen.map(|chosen| &self.candidates[chosen])
    }

    /// The candidates, best first, in the order in which they would be chosen.
    #[must_use]
    pub fn ranking(&self) -> Vec<&ValuedMove> {
        let mut ranking: Vec<&ValuedMove> = self.candidates.iter().rev().collect();
        ranking.sort_by_key(|candidate| std::cmp::Reverse(candidate.merit()));
        ranking
    }

    /// The rank of a move: 1 plus the number of better moves. `None` if it is not legal.
    #[must_use]
    pub fn place(&self, half_move: Move) -> Option<usize> {
        let merit = self.candidates.iter().find(|candidate| candidate.half_move == half_move)?.merit();
        Some(1 + self.candidates.iter().filter(|candidate| candidate.merit() > merit).count())
    }
}

/// Evaluates every legal move and chooses one.
///
/// The third half-move is only listed, never made, so it may leave its own king in check. With the default reading a
/// capture there counts only after a reply that won something: exchanges are played out, threats are not.
#[must_use]
pub fn evaluate(problem: &Problem, strategy: &Strategy) -> Evaluation {
    let mut search = Search { solver: Solver::new(problem, &Limits::default()), reading: strategy.reading };
    let mut found = Evaluation { candidates: Vec::new(), visits: [0; 3], chosen: None, stuck: None };
    let early = problem.setup().fullmoves.get() < strategy.queen_from;
    // Never interrupted: the side not to move is not in check.
    let _ = search.solver.survey(1);
    while search.solver.advance(1) {
        let mut candidate = ValuedMove {
            half_move: search.solver.current(1),
            value: Value::default(),
            outcome: None,
            barred: early && search.solver.played(1).role() == Role::Queen,
        };
        let gain = search.gain(1);
        search.solver.make(1);
        if search.solver.survey(2).is_ok() {
            found.visits[0] += 1;
            let floor = found.choice().filter(|_| strategy.cut_off).copied();
            search.value(&mut candidate, gain, floor.as_ref(), &mut found.visits);
            if found.choice().is_none_or(|best| candidate.merit() >= best.merit()) {
                found.chosen = Some(found.candidates.len());
            }
            found.candidates.push(candidate);
        }
    }
    if found.candidates.is_empty() {
        found.stuck = Some(search.ending(1));
    }
    found
}

/// The solver's boards and levels, used for playing.
struct Search {
    solver: Solver,
    reading: StrategyReading,
}

/// The rank of a piece: pawn 1, knight 2, bishop 3, rook 4, queen 5.
fn rank(role: Role) -> i32 {
    role as i32
}

/// The moves of the side to move in a position that is only surveyed.
struct SurveyCount {
    /// The number of moves, each promotion counted once.
    control: i32,
    /// The number of moves, each promotion piece counted.
    moves: u64,
    /// The highest rank of a piece that one of them takes; 0 for none.
    best: i32,
    /// The same, on the square where the last reply ended.
    best_there: i32,
}

impl Search {
    /// The rank of the piece that the current move of a level takes; 0 if it takes none.
    fn taken(&self, level: usize) -> i32 {
        self.solver.played(level).capture().map_or(0, rank)
    }

    /// What a move wins at once: the rank of the piece taken, plus for a promotion the new piece's rank less the pawn's.
    fn gain(&self, level: usize) -> i32 {
        let promoted = self.solver.played(level).promotion();
        self.taken(level) + promoted.map_or(0, |role| rank(role) - rank(Role::Pawn))
    }

    /// Gives a candidate its value; the move of level 1 has been made and level 2 surveyed.
    fn value(&mut self, candidate: &mut ValuedMove, gain: i32, floor: Option<&ValuedMove>, visits: &mut [u64; 3]) {
        let before_replies = self.reading.control.before_replies().then(|| self.control_at_once());
        let mut worst: Option<(i32, i32)> = None;
        while self.solver.advance(2) {
            let reply_gain = self.gain(2);
            let there = self.solver.current(2).to;
            self.solver.make(2);
            let legal = self.solver.survey(3).is_ok();
            if legal {
                let listed = self.listed(3, Some(there));
                visits[1] += 1;
                visits[2] += listed.moves;
                let control = before_replies.unwrap_or(listed.control);
                let result = self.reading.result(gain, reply_gain, &[listed.best, listed.best_there], control);
                let smaller = worst.map_or(result, |worst| worst.min(result));
                worst = Some(smaller);
                candidate.value = Value { swing: smaller.0, rank: self.reading.rank(gain), control: smaller.1 };
            }
            if legal && floor.is_some_and(|floor| candidate.merit() < floor.merit()) {
                return;
            }
        }
        if worst.is_none() {
            candidate.outcome = Some(self.ending(2));
        }
    }

    /// Mate or stalemate, for a side without legal moves.
    fn ending(&self, level: usize) -> MoveOutcome {
        if self.solver.in_check(level) { MoveOutcome::Mate } else { MoveOutcome::Stalemate }
    }

    /// Counts the survey of a level; `there` is the square where the last reply ended.
    fn listed(&mut self, level: usize, there: Option<Square>) -> SurveyCount {
        let mut listed = SurveyCount { control: 0, moves: 0, best: 0, best_there: 0 };
        while self.solver.advance(level) {
            let Move { to, promotion, .. } = self.solver.current(level);
            let taken = self.taken(level);
            listed.moves += 1;
            listed.control += i32::from(promotion.is_none_or(|role| role == Role::Queen));
            listed.best = listed.best.max(taken);
            if Some(to) == there {
                listed.best_there = listed.best_there.max(taken);
            }
        }
        listed
    }

    /// The side's own moves directly after its move, as if the other side passed, less the other side's moves if the
    /// reading says so. A check is not an interrupt here: the enemy king counts as a piece like any other.
    fn control_at_once(&mut self) -> i32 {
        let theirs = self.listed(2, None).control;
        self.solver.levels[2].rewind();
        self.solver.pass(2);
        self.solver.survey_all(3);
        let own = self.listed(3, None).control;
        if self.reading.control == Control::AtOnceLessTheirs { own - theirs } else { own }
    }
}
