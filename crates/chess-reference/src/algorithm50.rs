//! Bell's Algorithm 50 natively: mate in two, or in any number of moves, by tables.
//!
//! A. G. Bell's program (ALGOL 60) is known here from the Russian edition of his book on
//! games-playing programs, and only in part: the
//! declarations and the procedure ОБЗОР ХОДОВ ("survey of moves"). What they fix is kept here:
//! the codes of the pieces, the two boards and piece lists, the tables, the one list of moves with a
//! boundary for each level, the interrupt when an enemy king stands on a target, and moves
//! made and taken back from a few words a level. The main program is lost; the rest is ours,
//! and completes the rules: castling, en passant, promotion to four pieces, and stalemate
//! told from mate.
//!
//! ```
//! use chess_reference::algorithm50::{Limits, Problem, solve, solve_key};
//!
//! // Attributed to Paul Morphy as a boy.
//! let problem = Problem::from_fen("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1")?;
//! let solution = solve(&problem, 2, Limits::default())?;
//! assert_eq!(solution.keys, ["a1a6".parse()?]);
//! let tree = solve_key(&problem, 2, solution.keys[0], Limits::default())?;
//! assert!(tree.to_string().starts_with("1.Ra6! (zugzwang) 1...bxa6 2.b7#"));
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
//!
//! # The order of everything
//!
//! Another program of the same algorithm visits the same positions in the same order, and
//! counts the same, if it keeps these rules.
//!
//! **Squares** are numbered a1 = 1, b1 = 2, ..., h8 = 64; square 65 is always empty.
//! **Codes**: 1 pawn, 2 knight, 3 bishop, 4 rook, 5 queen, 6 king, and 7 for castling in the
//! list of moves.
//!
//! **Piece lists** are filled once, from the board in the order of the squares 1 to 64: the
//! piece on the lowest square has index 1. A piece keeps its index. A captured piece's square is 65
//! until the capture is taken back; a promoted piece keeps the pawn's index.
//!
//! **The survey** of a side takes its list from the last index down to 1 (so, before anything
//! has moved, from the highest square down), skips pieces on square 65, and appends a record for
//! each piece that has a target: index, kind, square, targets, square again. Targets by kind:
//!
//! * knight, king: ascending squares (offsets -17 -15 -10 -6 +6 +10 +15 +17; -9 -8 -7 -1 +1 +7
//!   +8 +9);
//! * rook: directions -8 -1 +1 +8, outwards; bishop: -9 -7 +7 +9; queen: as a rook, then as a
//!   bishop;
//! * pawn: one step, two steps (only if the first is free), then the captures, the a-file's
//!   side first (White +7 +9, Black -9 -7). The square of an en-passant capture is a capture
//!   target like any other, at its place in this order. It is the square behind *every* pawn
//!   that has just made a double step, whether or not another pawn stands ready;
//! * a pawn's target on the last rank stands four times: queen, rook, bishop, knight (5 4 3 2);
//! * castling comes last of all: one record of kind 7 with the king's index and square and the
//!   targets g1, c1 (g8, c8), king's side first. It is appended only if the right is there, all
//!   squares between king and rook are empty, and neither the king's square nor the one it
//!   passes is attacked; an attack on the square where it arrives is left to the interrupt.
//!
//! The **interrupt**: a target that holds the enemy king ends the survey at once; the move
//! before was illegal. Castling rights go when a move leaves or reaches e1, a1, h1, e8, a8 or
//! h8.
//!
//! # The search
//!
//! Level 1 is the first move of the mating side, level 2 the defender's reply, and so on; a
//! mate in N has its mating moves at level 2N-1 and its last replies at level 2N. There is no
//! recursion: each level has its boundary in the list, a pointer to its next move, and the
//! words that take its move back.
//!
//! 1. *Survey* the level's side. Interrupted: the move of the level above is illegal; take it
//!    back and go on with that level's next move.
//! 2. *Next move* of the level, in the order of the list: make it and **count one position
//!    visited at this level**, legal or not. Then:
//!    * at a level before 2N-1: go one level deeper, to step 1;
//!    * at level 2N-1 (what may be mate): if the defender's king is not attacked, take the move
//!      back, next move. Otherwise go on to level 2N, to step 1;
//!    * at level 2N (a reply to what may be mate): survey the mating side for the interrupt
//!      alone (the listing's fifth level). The reply is taken back in any case. If it was
//!      illegal, next move. If it was legal, there is no mate: take the move of level 2N-1 back
//!      too, and on to that level's next move. The first legal reply ends it.
//! 3. *No move left*:
//!    * at level 1: the end. All first moves have been tried;
//!    * at another odd level: nothing mates after this reply, so it refutes the move before
//!      it. Take both back; next move of the level two above. The first refutation ends it;
//!    * at an even level: every reply was illegal or met. If none was legal, and the king is
//!      not attacked, it is stalemate: take the move above back, next move there. Otherwise
//!      the move above mates in time: at level 1 it is a key; at a deeper odd level it meets
//!      the reply above it, so take both back, mark that level as having a legal reply, and on
//!      to its next move. The first move that mates ends it.
//!
//! The test whether a king is attacked is our own; surveying all enemy pieces for the interrupt would tell the same, at
//! several times the cost.
//! It is asked at level 2N-1 for every move, as most give no check, at the end of an even level
//! before 2N without a legal reply, and for castling. Neither the test, nor a survey, nor a
//! pass counts as a position visited.
//!
//! All this says in which order positions are visited and counted, not how. Nearly all of them are on levels 2N-1 and
//! 2N, and nearly all of those only show that a move gives no check or that a reply is illegal; here bit boards tell so
//! before the move is made, which counts as if it had been made.
//!
//! # The solution tree
//!
//! [`solve_key`] makes the key (one position at level 1), surveys the replies, and lets the
//! defender *pass* first, unless he is in check: the mating side's moves that mate then are the
//! **threats**. (Passing forgoes en passant; it is not counted.) Then every reply of level 2 is
//! made and counted, and after each *all* the mating side's moves are tried, with the same
//! search as above, its level 1 being level 3 here. For mate in two that is a search of depth
//! one, after the pass and after each reply; the interrupt of its first survey tells that the
//! reply was illegal.
//!
//! For longer problems the depths 1, 2, ... are searched in turn until some move mates: a
//! reply that allows a quick mate is given its quick mates alone, with all duals, and no
//! longer ones. Threats likewise: the fastest ones. A continuation that does not mate at once
//! has a tree of its own.
//!
//! # What it leaves out
//!
//! No ordering of moves by merit, no table of positions seen before, no fifty-move rule and no
//! repetition. [`Limits`] bound the work; a search that reaches one ends in [`Stopped`], never
//! in a wrong answer.

mod bits;
mod boards;
mod castling;
mod codes;
mod half_move;
mod level;
mod limits;
mod mating;
mod notation;
pub mod play;
mod problem;
mod problem_set;
mod search;
mod solution;
mod survey;
mod tables;
mod text;
mod tree;
mod visits;

pub use half_move::{Move, ParseMoveError};
pub use limits::{Limits, Stopped};
pub use problem::{Problem, ProblemError};
pub use problem_set::{KnownProblem, ProblemSetError, TAGS, parse_problem_set, problem_set};
pub use solution::{Solution, solve};
pub use tree::{Defence, KeyTree, NamedMove, Refutation, SolutionLine, TreeError, legal_moves, refutation, solve_key};
pub use visits::Visits;
