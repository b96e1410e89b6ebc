//! Shortest trajectories and attacks, straight from their definitions: the oracle for the real programs.
//!
//! The oracle is simple on purpose: coordinates, the rules of each piece word for word, a breadth-first search, and an
//! enumeration. There are no tables, no bit sets and no chess library for the moves. It is slow.
//!
//! The terms are Botvinnik's (*Algoritm igry v shakhmaty*, 1968). A *trajectory* is the sequence of *alpha fields* a
//! piece stands on, its start included; the squares it only passes over are its *beta fields*. While one piece X
//! travels, everything else stands still: the *static board* is the position with X lifted off it. A *shortest*
//! trajectory has the least possible number of moves. Whose turn it is, checks and pins play no part in movement.
//!
//! ```
//! use m220_tests::trajectory_oracle::{OraclePiece, Placement, Square, shortest};
//!
//! let board = Placement::parse("8/8/8/8/8/8/8/8")?;
//! let [a1, b8] = ["a1", "b8"].map(|name| Square::parse(name).expect("a square"));
//! let found = shortest(&board, OraclePiece::from_letter('R').expect("a rook"), a1, b8, 10)?;
//! assert_eq!(found.moves, Some(2));
//! assert_eq!(found.texts(), ["a1a8b8", "a1b1b8"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;

/// White or Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// Moves its pawns from rank 2 towards rank 8.
    White,
    /// Moves its pawns from rank 7 towards rank 1.
    Black,
}

impl Side {
    /// The rank its pawns stand on at the start of a game, 0 for the first rank, 7 for the eighth.
    fn second_rank(self) -> i32 {
        match self {
            Side::White => 1,
            Side::Black => 6,
        }
    }

    /// The rank its pawns promote on, counted like [`Side::second_rank`].
    fn last_rank(self) -> i32 {
        match self {
            Side::White => 7,
            Side::Black => 0,
        }
    }

    /// What one pawn step adds to the rank.
    fn forward(self) -> i32 {
        match self {
            Side::White => 1,
            Side::Black => -1,
        }
    }
}

/// The six kinds of pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PieceKind {
    /// K
    King,
    /// Q
    Queen,
    /// R
    Rook,
    /// B
    Bishop,
    /// N
    Knight,
    /// P
    Pawn,
}

/// A piece: its kind and its side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OraclePiece {
    /// Its side.
    pub side: Side,
    /// Its kind.
    pub kind: PieceKind,
}

impl OraclePiece {
    /// The piece of a FEN letter: capitals are White's. `None` for any other character.
    pub fn from_letter(letter: char) -> Option<OraclePiece> {
        let kind = match letter.to_ascii_uppercase() {
            'K' => PieceKind::King,
            'Q' => PieceKind::Queen,
            'R' => PieceKind::Rook,
            'B' => PieceKind::Bishop,
            'N' => PieceKind::Knight,
            'P' => PieceKind::Pawn,
            _ => return None,
        };
        let side = if letter.is_ascii_uppercase() { Side::White } else { Side::Black };
        Some(OraclePiece { side, kind })
    }

    /// The FEN letter of this piece.
    pub fn letter(self) -> char {
        let letter = match self.kind {
            PieceKind::King => 'K',
            PieceKind::Queen => 'Q',
            PieceKind::Rook => 'R',
            PieceKind::Bishop => 'B',
            PieceKind::Knight => 'N',
            PieceKind::Pawn => 'P',
        };
        match self.side {
            Side::White => letter,
            Side::Black => letter.to_ascii_lowercase(),
        }
    }
}

/// A square by its coordinates; displayed as "a4".
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Square {
    /// 0 for the a file, 7 for the h file.
    pub file: i32,
    /// 0 for the first rank, 7 for the eighth.
    pub rank: i32,
}

impl Square {
    /// Reads "a4"; `None` for anything that is not a square.
    pub fn parse(text: &str) -> Option<Square> {
        Square::all().into_iter().find(|square| square.to_string() == text)
    }

    /// All 64 squares, a1 b1 .. h8.
    pub fn all() -> Vec<Square> {
        let mut squares = Vec::new();
        for rank in 0..8 {
            for file in 0..8 {
                squares.push(Square { file, rank });
            }
        }
        squares
    }

    /// The square this many files and ranks away, if it is on the board.
    fn offset(self, files: i32, ranks: i32) -> Option<Square> {
        let there = Square { file: self.file + files, rank: self.rank + ranks };
        ((0..8).contains(&there.file) && (0..8).contains(&there.rank)).then_some(there)
    }

    fn index(self) -> usize {
        (self.rank * 8 + self.file) as usize
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = ["a", "b", "c", "d", "e", "f", "g", "h"][self.file as usize];
        write!(f, "{file}{}", self.rank + 1)
    }
}

/// The placement of the pieces. Anything is allowed: no kings, ten queens, pawns on the last rank.
#[derive(Clone, PartialEq, Eq)]
pub struct Placement([Option<OraclePiece>; 64]);

/// Why a text is not the placement field of a FEN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacementError(String);

impl fmt::Display for PlacementError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for PlacementError {}

impl Placement {
    /// The empty board.
    pub fn empty() -> Placement {
        Placement([None; 64])
    }

    /// Reads the placement field of a FEN, "8/8/8/8/8/8/8/8" for the empty board.
    ///
    /// # Errors
    ///
    /// If there are not eight ranks of eight squares, or a character is unknown.
    pub fn parse(text: &str) -> Result<Placement, PlacementError> {
        let ranks: Vec<&str> = text.split('/').collect();
        if ranks.len() != 8 {
            return Err(PlacementError(format!("{} ranks instead of 8 in \"{text}\"", ranks.len())));
        }
        let mut board = Placement::empty();
        for (from_top, row) in ranks.into_iter().enumerate() {
            let rank = 7 - from_top as i32;
            let mut file = 0;
            for letter in row.chars() {
                if let Some(piece) = OraclePiece::from_letter(letter) {
                    if file < 8 {
                        board.put(Square { file, rank }, Some(piece));
                    }
                    file += 1;
                } else if let Some(empty @ 1..=8) = letter.to_digit(10) {
                    file += empty as i32;
                } else {
                    return Err(PlacementError(format!("\"{letter}\" in \"{row}\" is neither a piece nor 1 to 8")));
                }
            }
            if file != 8 {
                return Err(PlacementError(format!("{file} squares instead of 8 in \"{row}\"")));
            }
        }
        Ok(board)
    }

    /// The piece on a square.
    pub fn at(&self, square: Square) -> Option<OraclePiece> {
        self.0[square.index()]
    }

    /// Puts a piece on a square, or clears it.
    pub fn put(&mut self, square: Square, piece: Option<OraclePiece>) {
        self.0[square.index()] = piece;
    }

    fn is_empty(&self, square: Square) -> bool {
        self.at(square).is_none()
    }

    fn holds(&self, square: Square, side: Side) -> bool {
        self.at(square).is_some_and(|piece| piece.side == side)
    }
}

/// Shows the FEN, because sixty-four options would be unreadable.
impl fmt::Debug for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Placement({self})")
    }
}

/// The placement field of a FEN.
impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            let mut empty = 0;
            for file in 0..8 {
                match self.at(Square { file, rank }) {
                    None => empty += 1,
                    Some(piece) => {
                        if empty > 0 {
                            write!(f, "{empty}")?;
                        }
                        empty = 0;
                        write!(f, "{}", piece.letter())?;
                    }
                }
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            if rank > 0 {
                f.write_str("/")?;
            }
        }
        Ok(())
    }
}

const STRAIGHT: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const KNIGHT: [(i32, i32); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// The squares that `piece`, standing on `from`, can reach in one move. `from` counts as empty whatever the board says.
///
/// A move ends on an empty square or on an enemy piece; a pawn takes only diagonally and moves straight only onto empty
/// squares. There is neither castling nor en-passant capture, and a pawn on its last rank stays there.
pub fn moves(static_board: &Placement, piece: OraclePiece, from: Square) -> Vec<Square> {
    match piece.kind {
        PieceKind::King => {
            [steps(static_board, piece, from, &STRAIGHT), steps(static_board, piece, from, &DIAGONAL)].concat()
        }
        PieceKind::Queen => {
            [lines(static_board, piece, from, &STRAIGHT), lines(static_board, piece, from, &DIAGONAL)].concat()
        }
        PieceKind::Rook => lines(static_board, piece, from, &STRAIGHT),
        PieceKind::Bishop => lines(static_board, piece, from, &DIAGONAL),
        PieceKind::Knight => steps(static_board, piece, from, &KNIGHT),
        PieceKind::Pawn => pawn_moves(static_board, piece.side, from),
    }
}

/// One step in each direction, unless a friendly piece stands there.
fn steps(board: &Placement, piece: OraclePiece, from: Square, directions: &[(i32, i32)]) -> Vec<Square> {
    let mut reached = Vec::new();
    for &(files, ranks) in directions {
        if let Some(to) = from.offset(files, ranks)
            && !board.holds(to, piece.side)
        {
            reached.push(to);
        }
    }
    reached
}

/// Along each line while the beta fields are empty, up to and including the first enemy.
fn lines(board: &Placement, piece: OraclePiece, from: Square, directions: &[(i32, i32)]) -> Vec<Square> {
    let mut reached = Vec::new();
    for &(files, ranks) in directions {
        for distance in 1..8 {
            let Some(to) = from.offset(files * distance, ranks * distance) else {
                break;
            };
            if !board.holds(to, piece.side) {
                reached.push(to);
            }
            if !board.is_empty(to) {
                break;
            }
        }
    }
    reached
}

fn pawn_moves(board: &Placement, side: Side, from: Square) -> Vec<Square> {
    let mut reached = Vec::new();
    // There is no rank beyond the last, so this changes nothing; it is stated because it is one of the rules.
    if from.rank == side.last_rank() {
        return reached;
    }
    if let Some(one) = from.offset(0, side.forward())
        && board.is_empty(one)
    {
        reached.push(one);
        if from.rank == side.second_rank()
            && let Some(two) = from.offset(0, 2 * side.forward())
            && board.is_empty(two)
        {
            reached.push(two);
        }
    }
    for sideways in [-1, 1] {
        if let Some(to) = from.offset(sideways, side.forward())
            && board.at(to).is_some_and(|other| other.side != side)
        {
            reached.push(to);
        }
    }
    reached
}

/// The alpha fields of one trajectory, its start first; displayed as "a4b4c4".
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OracleTrajectory(pub Vec<Square>);

impl fmt::Display for OracleTrajectory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|square| write!(f, "{square}"))
    }
}

/// All shortest trajectories between two squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OracleShortest {
    /// The length of each, in moves; `None` when no trajectory exists.
    pub moves: Option<u32>,
    /// Sorted by their text, each once.
    pub list: Vec<OracleTrajectory>,
}

impl OracleShortest {
    /// The trajectories as texts, sorted.
    pub fn texts(&self) -> Vec<String> {
        self.list.iter().map(OracleTrajectory::to_string).collect()
    }

    /// The bundle: each square on any of them, with its number along the way (0 for the start, the length for the target).
    /// A square has the same number in all shortest trajectories.
    pub fn bundle(&self) -> BTreeMap<Square, u32> {
        let mut bundle = BTreeMap::new();
        for OracleTrajectory(alpha_squares) in &self.list {
            for (&square, number) in alpha_squares.iter().zip(0..) {
                bundle.insert(square, number);
            }
        }
        bundle
    }
}

/// The list is longer than the caller allowed, so the trajectories were only counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooManyTrajectories {
    /// How many trajectories there are.
    pub count: u128,
    /// How many were allowed.
    pub allowed: u128,
}

impl fmt::Display for TooManyTrajectories {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} trajectories, more than {}", self.count, self.allowed)
    }
}

impl Error for TooManyTrajectories {}

/// The static board: everything but the travelling piece, which started from `from`.
///
/// No shortest trajectory returns to its start or passes over it (a single move from the start would have been shorter),
/// so leaving the piece on the board would give the same lists; it is lifted because the definition says so.
fn lift(board: &Placement, from: Square) -> Placement {
    let mut static_board = board.clone();
    static_board.put(from, None);
    static_board
}

/// The least number of moves from `from` to every square that can be reached at all; `from` itself has 0.
///
/// Whatever stands on `from` is lifted off, so `piece` may be a different piece.
pub fn distances(board: &Placement, piece: OraclePiece, from: Square) -> BTreeMap<Square, u32> {
    let static_board = lift(board, from);
    let mut distances = BTreeMap::from([(from, 0)]);
    let mut frontier = vec![from];
    let mut length = 0;
    while !frontier.is_empty() {
        length += 1;
        let mut next = Vec::new();
        for square in frontier {
            for to in moves(&static_board, piece, square) {
                if distances.contains_key(&to) {
                    continue;
                }
                distances.insert(to, length);
                next.push(to);
            }
        }
        frontier = next;
    }
    distances
}

/// The squares a shortest trajectory can stand on one move before `to`.
fn last_but_one(
    static_board: &Placement,
    piece: OraclePiece,
    distances: &BTreeMap<Square, u32>,
    to: Square,
) -> Vec<Square> {
    let length = distances[&to];
    let one_less = distances.iter().filter(|&(_, &moves)| moves + 1 == length).map(|(&square, _)| square);
    one_less.filter(|&square| moves(static_board, piece, square).contains(&to)).collect()
}

/// The least number of moves from `from` to `to`; `None` if `to` cannot be reached or equals `from`.
pub fn distance(board: &Placement, piece: OraclePiece, from: Square, to: Square) -> Option<u32> {
    distances(board, piece, from).get(&to).copied().filter(|&moves| moves > 0)
}

/// How many shortest trajectories lead from `from` to `to`, without writing them out.
pub fn count(board: &Placement, piece: OraclePiece, from: Square, to: Square) -> u128 {
    fn ways(
        static_board: &Placement,
        piece: OraclePiece,
        distances: &BTreeMap<Square, u32>,
        known: &mut BTreeMap<Square, u128>,
        to: Square,
    ) -> u128 {
        if let Some(&count) = known.get(&to) {
            return count;
        }
        let before = last_but_one(static_board, piece, distances, to);
        let count = before.into_iter().map(|square| ways(static_board, piece, distances, known, square)).sum();
        known.insert(to, count);
        count
    }

    let distances = distances(board, piece, from);
    if from == to || !distances.contains_key(&to) {
        return 0;
    }
    ways(&lift(board, from), piece, &distances, &mut BTreeMap::from([(from, 1)]), to)
}

/// All shortest trajectories of `piece` from `from` to `to`, whatever stands on `from`. None lead from a square to itself.
///
/// # Errors
///
/// [`TooManyTrajectories`] when there are more than `allowed`.
pub fn shortest(
    board: &Placement,
    piece: OraclePiece,
    from: Square,
    to: Square,
    allowed: u128,
) -> Result<OracleShortest, TooManyTrajectories> {
    fn all_ways(
        static_board: &Placement,
        piece: OraclePiece,
        distances: &BTreeMap<Square, u32>,
        to: Square,
    ) -> Vec<OracleTrajectory> {
        if distances[&to] == 0 {
            return vec![OracleTrajectory(vec![to])];
        }
        let mut list = Vec::new();
        for square in last_but_one(static_board, piece, distances, to) {
            for OracleTrajectory(mut alpha_squares) in all_ways(static_board, piece, distances, square) {
                alpha_squares.push(to);
                list.push(OracleTrajectory(alpha_squares));
            }
        }
        list
    }

    let Some(length) = distance(board, piece, from, to) else {
        return Ok(OracleShortest { moves: None, list: Vec::new() });
    };
    let count = count(board, piece, from, to);
    if count > allowed {
        return Err(TooManyTrajectories { count, allowed });
    }
    let mut list = all_ways(&lift(board, from), piece, &distances(board, piece, from), to);
    list.sort_by_cached_key(OracleTrajectory::to_string);
    Ok(OracleShortest { moves: Some(length), list })
}

/// A piece's trajectories to an enemy piece, or a pawn's to a promotion square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OracleAttack {
    /// The piece that travels.
    pub piece: OraclePiece,
    /// Its start.
    pub from: Square,
    /// Its target.
    pub to: Square,
    /// The enemy piece on `to`; `None` for a pawn that promotes on an empty square.
    pub target: Option<OraclePiece>,
    /// The length of the trajectories, in moves.
    pub moves: u32,
    /// The number of half-moves until the last of these moves is made: 2n - 1 for the side to move, 2n for the other.
    pub half_moves: u32,
    /// Whether a pawn ends on its last rank, by taking or not.
    pub promotes: bool,
    /// All shortest trajectories, sorted by their text.
    pub trajectories: Vec<OracleTrajectory>,
}

impl OracleAttack {
    /// The trajectories as "Q e5e2c4", with "promotes" or "promotion" after those of a promoting pawn that does or does not
    /// take on its last move: one line of a case file each.
    pub fn texts(&self) -> Vec<String> {
        let mark = match (self.promotes, self.target) {
            (false, _) => "",
            (true, Some(_)) => " promotes",
            (true, None) => " promotion",
        };
        self.trajectories.iter().map(|trajectory| format!("{} {trajectory}{mark}", self.piece.letter())).collect()
    }
}

/// All attacks of both sides within `horizon` half-moves when it is the turn of `to_move`: the shortest trajectories of
/// every piece to every enemy piece, and of every pawn to every empty square of its last rank. In the order of squares from, then to.
///
/// # Errors
///
/// [`TooManyTrajectories`] when one attack alone has more than `allowed` trajectories.
pub fn attacks(
    board: &Placement,
    to_move: Side,
    horizon: u32,
    allowed: u128,
) -> Result<Vec<OracleAttack>, TooManyTrajectories> {
    let mut attacks = Vec::new();
    for from in Square::all() {
        let Some(piece) = board.at(from) else { continue };
        for to in Square::all() {
            let target = board.at(to);
            let on_last_rank = piece.kind == PieceKind::Pawn && to.rank == piece.side.last_rank();
            let wanted = match target {
                Some(other) => other.side != piece.side,
                None => on_last_rank,
            };
            if !wanted {
                continue;
            }
            let Some(moves) = distance(board, piece, from, to) else {
                continue;
            };
            let half_moves = if piece.side == to_move { 2 * moves - 1 } else { 2 * moves };
            if half_moves > horizon {
                continue;
            }
            let trajectories = shortest(board, piece, from, to, allowed)?.list;
            attacks.push(OracleAttack {
                piece,
                from,
                to,
                target,
                moves,
                half_moves,
                promotes: on_last_rank,
                trajectories,
            });
        }
    }
    Ok(attacks)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Every sequence of exactly `length` moves, whether it arrives or not: even simpler than the oracle.
    fn every_walk(
        static_board: &Placement,
        piece: OraclePiece,
        walked: Vec<Square>,
        length: usize,
    ) -> Vec<Vec<Square>> {
        if length == 0 {
            return vec![walked];
        }
        let last = walked[walked.len() - 1];
        let further = moves(static_board, piece, last).into_iter().map(|to| [walked.as_slice(), &[to]].concat());
        further.flat_map(|longer| every_walk(static_board, piece, longer, length - 1)).collect()
    }

    fn any_piece() -> impl Strategy<Value = OraclePiece> {
        prop::sample::select("KQRBNPkqrbnp".chars().collect::<Vec<_>>())
            .prop_map(|letter| OraclePiece::from_letter(letter).expect("a FEN letter"))
    }

    fn any_placement() -> impl Strategy<Value = Placement> {
        (1u8..=90).prop_flat_map(|percent| {
            let square = prop::option::weighted(f64::from(percent) / 100.0, any_piece());
            prop::collection::vec(square, 64).prop_map(|pieces| {
                let mut board = Placement::empty();
                Square::all().into_iter().zip(pieces).for_each(|(square, piece)| board.put(square, piece));
                board
            })
        })
    }

    proptest! {
        /// The shortest trajectories are the walks that arrive, at the first length at which any arrives.
        #[test]
        fn shortest_trajectories_are_the_shortest_walks(board in any_placement(), piece in any_piece(), from in 0usize..64) {
            let from = Square::all()[from];
            let static_board = lift(&board, from);
            let mut arrived_earlier = vec![from];
            for length in 1..=3 {
                let mut arrivals: BTreeMap<Square, Vec<String>> = BTreeMap::new();
                for walk in every_walk(&static_board, piece, vec![from], length) {
                    arrivals.entry(walk[length]).or_default().push(OracleTrajectory(walk).to_string());
                }
                for (to, mut walks) in arrivals {
                    if arrived_earlier.contains(&to) {
                        continue;
                    }
                    walks.sort();
                    let found = shortest(&board, piece, from, to, u128::MAX)?;
                    prop_assert_eq!(found.moves, Some(length as u32));
                    prop_assert_eq!(found.texts(), walks);
                    arrived_earlier.push(to);
                }
            }
            for to in Square::all() {
                if !arrived_earlier.contains(&to) {
                    prop_assert!(distance(&board, piece, from, to).is_none_or(|moves| moves > 3), "{} too near", to);
                }
            }
        }

        #[test]
        fn count_is_the_length_of_the_list(board in any_placement(), piece in any_piece(), from in 0usize..64, to in 0usize..64) {
            let (from, to) = (Square::all()[from], Square::all()[to]);
            let count = count(&board, piece, from, to);
            match shortest(&board, piece, from, to, 2000) {
                Ok(found) => prop_assert_eq!(found.list.len() as u128, count),
                Err(too_many) => prop_assert!(count > 2000 && too_many.count == count),
            }
        }

        #[test]
        fn a_placement_survives_its_text(board in any_placement()) {
            prop_assert_eq!(Placement::parse(&board.to_string()), Ok(board));
        }
    }

    #[test]
    fn bad_placements_are_refused() {
        for text in
            ["", "8/8/8/8/8/8/8", "8/8/8/8/8/8/8/8/8", "8/8/8/8/8/8/8/7", "8/8/8/8/8/8/8/9", "8/8/8/8/8/8/8/QQQQQQQQQ"]
        {
            assert!(Placement::parse(text).is_err(), "{text}");
        }
        assert!(Placement::parse("8/8/8/8/8/8/8/7x").is_err());
        assert!(Placement::parse("8/8/8/8/8/8/8/08").is_err());
    }
}
