//! Bell's Algorithm 50 in Rust: mate in two, or in any number of moves, by tables.
//!
//! We know A. G. Bell's ALGOL 60 program from the Russian edition of his book on games-playing
//! programs, and only in part: the declarations and the procedure ОБЗОР ХОДОВ ("survey of
//! moves"). Whatever they determine of the order of the search is kept here: the piece lists, the
//! survey, the single list of moves with a boundary for each level, and the interrupt when an enemy
//! king stands on a target. Its codes, boards and tables are those of the machine program; here bit
//! boards stand in their place. The main program is lost. The rest is this project's own and
//! completes the rules: castling, en passant, promotion to four pieces, and stalemate as distinct
//! from mate.
//!
//! ```
//! use chess_reference::algorithm50::{Problem, solve, solve_key};
//! use m220_limits::Limits;
//!
//! // Attributed to Paul Morphy as a boy.
//! let problem = Problem::from_fen("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1")?;
//! let solution = solve(&problem, 2, &Limits::default())?;
//! assert_eq!(solution.keys, ["a1a6".parse()?]);
//! let tree = solve_key(&problem, 2, solution.keys[0], &Limits::default())?;
//! assert!(tree.to_string().starts_with("1.Ra6! (zugzwang) 1...bxa6 2.b7#"));
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
//!
//! # The order of everything
//!
//! Any program of the same algorithm that follows these rules visits the same positions in the
//! same order, with the same counts.
//!
//! **Squares** are numbered a1 = 1, b1 = 2, ..., h8 = 64. **Codes**: 1 pawn, 2 knight, 3 bishop,
//! 4 rook, 5 queen, 6 king.
//!
//! **Piece lists** are filled once from the board, in the order of the squares 1 to 64: the
//! piece on the lowest square has index 1. A piece keeps its index, a promoted one the pawn's. A
//! captured piece has no square until the capture is taken back.
//!
//! **The survey** of a side goes through its list from the last index down to 1 (so before any
//! move from the highest square down), skips captured pieces, and appends the moves to each
//! target. Targets by kind:
//!
//! * knight, king: ascending squares (offsets -17 -15 -10 -6 +6 +10 +15 +17; -9 -8 -7 -1 +1 +7
//!   +8 +9);
//! * rook: directions -8 -1 +1 +8, outwards; bishop: -9 -7 +7 +9; queen: as a rook, then as a
//!   bishop;
//! * pawn: one step, two steps (only if the first is free), then the captures, the a-file's
//!   side first (White +7 +9, Black -9 -7). The square of an en-passant capture is a capture
//!   target like any other, at its place in this order. It is the square behind *every* pawn
//!   that has just made a double step, whether or not an enemy pawn could capture it;
//! * a pawn's target on the last rank is listed four times: queen, rook, bishop, knight (5 4 3 2);
//! * castling comes last of all, king's side first. It is appended only if the right exists, all
//!   squares between king and rook are empty, and neither the king's square nor the one it
//!   passes is attacked; an attack on the square where it arrives is left to the interrupt.
//!
//! The **interrupt**: a target that holds the enemy king ends the survey at once, because the
//! previous move was illegal. Castling rights are lost when a move leaves or reaches e1, a1, h1,
//! e8, a8 or h8.
//!
//! # The search
//!
//! Level 1 is the first move of the mating side, level 2 the defender's reply, and so on; a
//! mate in N has its mating moves at level 2N-1 and its last replies at level 2N. There is no
//! recursion: each level has its boundary in the list, a pointer to its next move, and the
//! position after its current one.
//!
//! 1. *Survey* the level's side. If interrupted, the move of the level above is illegal; take it
//!    back and go on with that level's next move.
//! 2. *Next move* of the level, in the order of the list: make it and **count one position
//!    visited at this level**, legal or not. Then:
//!    * at a level before 2N-1: go one level deeper, to step 1;
//!    * at level 2N-1 (what may be mate): if the defender's king is not attacked, take the move
//!      back, next move. Otherwise go on to level 2N, to step 1;
//!    * at level 2N (a reply to what may be mate): survey the mating side only for the interrupt
//!      (the listing's fifth level). The reply is taken back in any case. If it was
//!      illegal, go on with the next move. If it was legal, there is no mate: take the move of
//!      level 2N-1 back too, and go on with that level's next move. So the first legal reply
//!      decides.
//! 3. *No move left*:
//!    * at level 1: the end. All first moves have been tried;
//!    * at another odd level: nothing mates after this reply, so it refutes the move before
//!      it. Take both back, and go on with the next move two levels above. So the first refutation
//!      decides;
//!    * at an even level: every reply was illegal or met. If none was legal and the king is
//!      not attacked, it is stalemate: take the move above back and go on with the next move
//!      there. Otherwise the move above mates in time. At level 1 it is a key. At a deeper odd
//!      level it meets the reply above it: take both back, mark the reply's level as having a
//!      legal reply, and go on with its next move. So the first mating move decides.
//!
//! Bell's listing has no test for an attacked king; this one is ours. Surveying all enemy pieces
//! for the interrupt would give the same answer at several times the cost. The test is made at
//! level 2N-1 for every move (most give no check), at the end of an even level before 2N without
//! a legal reply, and for castling. Neither the test, nor a survey, nor a pass counts as a
//! position visited.
//!
//! All this determines the order in which positions are visited and counted, not how. Nearly all
//! of them are on levels 2N-1 and 2N, and nearly all of those only show that a move gives no check
//! or that a reply is illegal. Here bit boards establish this before the move is made, and the move
//! counts as if it had been made.
//!
//! # The solution tree
//!
//! [`solve_key`] makes the key (one position at level 1), surveys the replies, and first lets the
//! defender *pass*, unless in check: the moves that then mate are the **threats**. (Passing
//! forgoes en passant; it is not counted.) Then every reply of level 2 is made and counted, and
//! after each *all* the mating side's moves are tried, by the search described above, whose level 1
//! is level 3 here. For mate in two that is a search of depth one, after the pass and after each
//! reply; an interrupt of its first survey means that the reply was illegal.
//!
//! For longer problems the depths 1, 2, ... are searched in turn until some move mates: for a
//! reply that allows a quick mate only its quickest mates are given, with all duals. Likewise only
//! the fastest threats are given. A continuation that does not mate at once has a tree of its own.
//!
//! # What it leaves out
//!
//! There is no ordering of moves by merit, no transposition table, no fifty-move rule and no
//! repetition rule. [`Limits`](m220_limits::Limits) bound the work; a search that reaches one ends in [`Stopped`], never
//! in a wrong answer.

mod half_move;
mod mating;
pub mod play;
pub(crate) mod problem;
mod problem_set;
mod search;
mod situation;
mod solution;
mod stopped;
mod text;
mod tree;
mod visits;

pub use half_move::{Move, NamedMove, ParseMoveError};
pub use problem::Problem;
pub use problem_set::{KnownProblem, problem_set};
pub use solution::{Solution, solve, solve_shortest};
pub use stopped::Stopped;
pub use text::NumberedSolution;
pub use tree::{Defence, KeyTree, Refutation, SolutionLine, TreeError, legal_moves, refutation, solve_key};
pub use visits::Visits;
