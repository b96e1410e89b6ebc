//! The positional horizon: types of value, assessment by formula (12), and how free the attacks are.
//!
//! In the game of annihilation a piece takes part on a square if it can be there in time. The positional horizon adds
//! the pieces that need one move more, as long as they need no more half-moves than the horizon has and their own way
//! is safe. A piece that is lost even so is of type 3; one that is lost without them, of type 2; any other attacked
//! piece, of type 4; pieces already taken are of type 1.
//!
//! Where several pieces meet on a square, the exchange is played out cheapest first, whatever order their lines would
//! allow, and without promotions. A piece may make at most two moves to come nearer.

use super::build::{Map, Reach};
use super::exchange::{
    KING, after, balance, balance_of_move, bearing_on, fight, gain, hangs_king, king_can_be_taken, moves_from, value,
};
use super::formulas::{attacked_value, few_enough_closed_squares, tau};
use super::sensible::Step;
use super::values::{AlphaSquare, Interposition, InvisibleValue, Retreat};
use super::walk::Walk;
use super::ways::{Lookout, OwnPieces};
use crate::attacks::moves_within;
use crate::json;
use crate::prelude::*;
use crate::trajectory::text_order;
use num_rational::Rational64;
use shakmaty::attacks::{attacks, between};
use std::cell::OnceCell;

/// What an attacked king of type 3 costs, in pawns: the attack can be answered by a move.
const KING_OF_TYPE_3: i32 = 9;

/// The value of a king in the weight of a move, in pawns.
const KING_IN_WEIGHT: i64 = 10;

/// How the positional weight of a move is made up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Style {
    /// Own attacks count double.
    Active,
    /// The enemy's attacks count double.
    Passive,
    /// Both count the same.
    #[default]
    Even,
}

impl Style {
    /// The factors of own attacks and of the enemy's.
    pub(super) const fn factors(self) -> (i64, i64) {
        match self {
            Style::Active => (2, 1),
            Style::Passive => (1, 2),
            Style::Even => (1, 1),
        }
    }
}

/// A piece that is attacked within the horizon, with its type of value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct TypedPiece {
    /// Where it stands; the square of promotion if the attack is a pawn's way there.
    #[serde(serialize_with = "json::text")]
    pub square: Square,
    /// The piece; `None` for a square of promotion.
    #[serde(serialize_with = "json::role_if_any")]
    pub role: Option<Role>,
    /// The side that would lose it.
    #[serde(serialize_with = "json::text")]
    pub color: Color,
    /// 2, 3 or 4.
    pub value_type: u8,
    /// What is lost there, in pawns; 0 for type 4.
    pub pawns: i32,
    /// q of the freest trajectory to it.
    #[serde(rename = "closed_fields")]
    pub closed_squares: u32,
}

/// A position assessed by formula (12).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assessment {
    /// B over the whole board: White's material less Black's, kings left out, in pawns (type 1).
    pub balance: i32,
    /// The attacked pieces, by square.
    pub pieces: Vec<TypedPiece>,
    /// q of each side's attacks, White's first: the closed squares on the freest trajectory of each attack, summed.
    pub closed_squares: [u32; 2],
    /// P of each side, White's first: the value of each target weighted by how free the way to it is.
    pub freedom: [Rational64; 2],
}

impl Assessment {
    /// Assesses a placement with `turn` to move. Both sides' attacks are counted as from their own turns. `nu` limits
    /// the search for positional pieces by formula (11).
    ///
    /// # Errors
    ///
    /// [`TooMany`] if there are too many trajectories to list.
    pub fn new(board: &Board, turn: Color, horizon: u32, nu: u32) -> Result<Assessment, TooMany> {
        let map = Map::by(board, turn, horizon, Reach::OwnTurn, OwnPieces::StepAside)?;
        let closed_squares =
            [Color::White, Color::Black].map(|side| map.of_side(side).map(InvisibleValue::closed_squares).sum::<u32>());
        let reserves = Reserves::new(board);
        let mut pieces: Vec<TypedPiece> = Vec::new();
        for value in &map.values {
            let side = value.attack.side;
            let positional = few_enough_closed_squares(closed_squares[side.fold_wb(0, 1)], nu);
            let found = typed(&map, value, positional.then_some(&reserves));
            match pieces.iter_mut().find(|piece| piece.square == found.square && piece.color == found.color) {
                None => pieces.push(found),
                Some(known) => {
                    known.closed_squares = known.closed_squares.min(found.closed_squares);
                    // The lowest type number counts, and of equal ones the greater loss.
                    if (found.value_type, -found.pawns) < (known.value_type, -known.pawns) {
                        (known.value_type, known.pawns) = (found.value_type, found.pawns);
                    }
                }
            }
        }
        pieces.sort_by_key(|piece| text_order(piece.square));
        let freedom = [Color::White, Color::Black].map(|side| freedom(&pieces, side));
        Ok(Assessment { balance: balance(board), pieces, closed_squares, freedom })
    }

    /// E+ = B + D+ of White's attacks - D+ of Black's, types 2 and 3 together, in pawns: formula (12) holds for White
    /// if it is not negative.
    pub fn e_plus(&self) -> i32 {
        self.pieces.iter().fold(self.balance, |sum, piece| sum + piece.color.fold_wb(-piece.pawns, piece.pawns))
    }

    /// W of the move of `mover` that led here from `before`, as the mover sees it: `own` weighs how much freer its own
    /// attacks are, `others` how much less free the enemy's.
    pub fn weight_since(&self, before: &Assessment, mover: Color, (own, others): (i64, i64)) -> Rational64 {
        let (s, o) = mover.fold_wb((0, 1), (1, 0));
        (self.freedom[s] - before.freedom[s]) * own + (before.freedom[o] - self.freedom[o]) * others
    }
}

/// A position assessed, with the assessment after every move in it: the choice where no analysis helps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weighed {
    /// The position itself.
    pub position: Assessment,
    /// The moves that do not leave the king to be taken, by the names of their squares; promotion to a queen.
    pub moves: Vec<WeighedMove>,
    /// The best of them for the mover: by E+, then by weight, then by name.
    pub best: Option<Step>,
}

/// A move with the assessment after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WeighedMove {
    /// The move.
    pub step: Step,
    /// E+ after it, as White sees it, in pawns.
    pub e_plus: i32,
    /// W, as the mover sees it.
    pub weight: Rational64,
}

impl Weighed {
    /// Assesses a position and every move of the side to move.
    ///
    /// # Errors
    ///
    /// [`TooMany`] if there are too many trajectories to list.
    pub fn of(position: &Placement, horizon: u32, nu: u32, style: Style) -> Result<Weighed, TooMany> {
        let Placement { board, turn, .. } = position;
        let before = Assessment::new(board, *turn, horizon, nu)?;
        let mut moves = Vec::new();
        for from in by_name(board.by_color(*turn)) {
            for to in by_name(moves_from(board, from)).filter(|&to| !hangs_king(board, from, to)) {
                let assessment = Assessment::new(&after(board, from, to), turn.other(), horizon, nu)?;
                let weight = assessment.weight_since(&before, *turn, style.factors());
                moves.push(WeighedMove { step: Step { from, to }, e_plus: assessment.e_plus(), weight });
            }
        }
        let key = |each: &WeighedMove| (turn.fold_wb(each.e_plus, -each.e_plus), each.weight);
        // Of equal moves, the first.
        let best = moves.iter().rev().max_by_key(|each| key(each)).map(|each| each.step);
        Ok(Weighed { position: before, moves, best })
    }
}

/// P of one side: the sum of the targets' values, each over 1 + q of the freest trajectory.
fn freedom(pieces: &[TypedPiece], side: Color) -> Rational64 {
    let worth = |role: Option<Role>| match role {
        None => i64::from(super::exchange::PROMOTION),
        Some(Role::King) => KING_IN_WEIGHT,
        Some(role) => i64::from(value(role)),
    };
    let attacked = pieces.iter().filter(|piece| piece.color != side);
    attacked.map(|piece| Rational64::new(worth(piece.role), 1 + i64::from(piece.closed_squares))).sum()
}

/// The type of one piece by one attack on it.
fn typed(map: &Map, value: &InvisibleValue, reserves: Option<&Reserves>) -> TypedPiece {
    let attack = &value.attack;
    let piece = TypedPiece {
        square: attack.to,
        role: attack.target,
        color: attack.side.other(),
        value_type: 4,
        pawns: 0,
        closed_squares: value.closed_squares(),
    };
    if value.function() == 1 {
        return TypedPiece { value_type: 2, pawns: value.doomed(), ..piece };
    }
    let lost = reserves.filter(|_| map.horizon > 1).and_then(|reserves| {
        let routes = value.routes.iter();
        let plus = routes.filter_map(|route| {
            let walk = Walk::new(&map.board, map.turn, attack, &route.trajectory);
            Positional { walk: &walk, reserves, horizon: map.horizon }.lost(value.aim)
        });
        plus.max()
    });
    match lost {
        Some(pawns) if attack.target == Some(Role::King) => {
            TypedPiece { value_type: 3, pawns: pawns.clamp(0, KING_OF_TYPE_3), ..piece }
        }
        Some(pawns) => TypedPiece { value_type: 3, pawns: pawns.max(0), ..piece },
        None => piece,
    }
}

/// The pieces that can still join the fight: where each can go safely.
struct Reserves<'a> {
    board: &'a Board,
    near: [OnceCell<Bitboard>; 64],
    far: [OnceCell<Vec<(Square, Bitboard)>>; 64],
}

impl<'a> Reserves<'a> {
    fn new(board: &'a Board) -> Reserves<'a> {
        Reserves { board, near: [const { OnceCell::new() }; 64], far: [const { OnceCell::new() }; 64] }
    }

    /// Where `piece` can go safely in one move.
    fn near(&self, piece: Square) -> Bitboard {
        *self.near[piece.to_usize()].get_or_init(|| safe_moves(self.board, piece))
    }

    /// Where `piece` can go safely in two moves, keyed by the first.
    fn far(&self, piece: Square) -> &[(Square, Bitboard)] {
        self.far[piece.to_usize()].get_or_init(|| {
            let first = self.near(piece).into_iter();
            first.map(|step| (step, safe_moves(&after(self.board, piece, step), step))).collect()
        })
    }

    /// The first moves of `piece` on its shortest safe ways, of at most `moves` moves, to a square where `there` is
    /// true.
    fn first_moves(&self, piece: Square, moves: u32, there: impl Fn(Square) -> bool) -> Bitboard {
        if moves == 0 {
            return Bitboard::EMPTY;
        }
        let near: Bitboard = self.near(piece).into_iter().filter(|&step| there(step)).collect();
        if near.any() || moves == 1 {
            return near;
        }
        let far = self.far(piece).iter();
        far.filter(|(_, steps)| steps.into_iter().any(&there)).map(|&(step, _)| step).collect()
    }
}

/// The moves of `piece` that lose nothing on arrival and do not expose its king.
fn safe_moves(board: &Board, piece: Square) -> Bitboard {
    moves_from(board, piece)
        .into_iter()
        .filter(|&to| !hangs_king(board, piece, to) && fight(board, piece, to) >= 0)
        .collect()
}

/// What a square's function becomes with the positional pieces of both sides.
struct Contested {
    m: i32,
    rho: i32,
    f: i32,
}

/// One way of an attack with the positional pieces.
struct Positional<'a> {
    walk: &'a Walk<'a>,
    reserves: &'a Reserves<'a>,
    horizon: u32,
}

impl Positional<'_> {
    fn defender(&self) -> Color {
        self.walk.piece.color.other()
    }

    /// The most moves of a piece of `side` within `bound` half-moves and the horizon.
    fn moves_within(&self, side: Color, bound: u32) -> u32 {
        moves_within(bound.min(self.horizon), (side == self.walk.piece.color) == self.walk.to_move)
    }

    /// What the attack wins if it is irresistible with the positional pieces: F+ and formula (4).
    fn lost(&self, aim: i32) -> Option<i32> {
        if self.walk.retreats().any(|retreat| self.retreat(&retreat) == 1) {
            return None;
        }
        let mut fights = Vec::with_capacity(self.walk.squares.len());
        for i in 0..self.walk.squares.len() {
            let contested = self.contested(i, &self.walk.alpha_square(i));
            if contested.f == 0 {
                return None;
            }
            fights.push((contested.m, contested.rho));
        }
        let blocks: Vec<Interposition> = self.walk.all_blocks().collect();
        if blocks.iter().any(|block| block.f == 0) || self.can_block() {
            return None;
        }
        let (last, _) = fights.pop()?;
        fights.extend(blocks.iter().filter(|block| block.second.is_none()).filter_map(|block| Some((block.m?, 0))));
        Some(attacked_value(last.min(aim), &fights))
    }

    /// The positional pieces of `side` for a square: those that bear on it from where they stand or can safely go in
    /// time, and are not in the exchange there already.
    fn newcomers(&self, side: Color, board: &Board, square: Square, bound: u32, known: Bitboard) -> Vec<Square> {
        let moves = self.moves_within(side, bound);
        if moves == 0 {
            return Vec::new();
        }
        let mut pieces = board.by_color(side) & self.reserves.board.by_color(side) & !known;
        pieces.discard(square);
        pieces
            .into_iter()
            .filter(|&piece| {
                bears_from(board, piece, piece, square) || self.approach(side, board, piece, square, bound).any()
            })
            .collect()
    }

    /// The first moves by which `piece` comes to bear on `square` in time.
    fn approach(&self, side: Color, board: &Board, piece: Square, square: Square, bound: u32) -> Bitboard {
        let moves = self.moves_within(side, bound);
        let walked = self.walk.squares;
        self.reserves.first_moves(piece, moves.saturating_sub(1), |from| {
            from != square && !walked.contains(&from) && bears_from(board, piece, from, square)
        })
    }

    /// f+ of an alpha field.
    fn contested(&self, i: usize, alpha: &AlphaSquare) -> Contested {
        let plain = Contested { m: alpha.m, rho: alpha.rho, f: alpha.f };
        if alpha.gain >= KING {
            return plain;
        }
        let (board, attacker, defender) = (&self.walk.board(i), self.walk.piece.color, self.defender());
        let bound = self.walk.arrival(i) + 3;
        let against = bearers(board, alpha.square, defender);
        // Second negations stand: a piece that cannot take there now cannot take later.
        let negating = |function| -> Bitboard {
            alpha.negations.iter().filter(|each| each.function == function).map(|each| each.way[0]).collect()
        };
        let (stopped, counted) = (negating(0), negating(1));
        let ours = bearers(board, alpha.square, attacker);
        let on_time = if i == 0 { counted } else { counted | (against & !stopped) };
        let more_against = self.newcomers(defender, board, alpha.square, bound, on_time | stopped);
        let more_ours = self.newcomers(attacker, board, alpha.square, bound, ours);
        if more_against.is_empty() && (more_ours.is_empty() || on_time.is_empty()) {
            return plain;
        }
        let standing = board.role_at(alpha.square).map_or(0, value);
        let against = values(board, on_time.into_iter().chain(more_against));
        if against.is_empty() {
            return plain;
        }
        let m = alpha.gain - contest(standing, &against, &values(board, ours.into_iter().chain(more_ours)));
        Contested { m, rho: 0, f: tau(m) }
    }

    /// f+ of a square of retreat.
    fn retreat(&self, retreat: &Retreat) -> i32 {
        let last = self.walk.squares.len() - 2;
        let Some(target) = self.walk.target.filter(|_| retreat.m > -KING) else {
            return retreat.f;
        };
        let board = after(&self.walk.board(last), target, retreat.square);
        let bound = self.walk.defence(1) + 3;
        let (attacker, defender) = (self.walk.piece.color, self.defender());
        let (takers, guards) = (bearers(&board, retreat.square, attacker), bearers(&board, retreat.square, defender));
        let more_takers = self.newcomers(attacker, &board, retreat.square, bound, takers);
        let more_guards = self.newcomers(defender, &board, retreat.square, bound, guards);
        if more_takers.is_empty() && more_guards.is_empty() {
            return retreat.f;
        }
        let takers = values(&board, takers.into_iter().chain(more_takers));
        let guards = values(&board, guards.into_iter().chain(more_guards));
        let standing = board.role_at(retreat.square).map_or(0, value);
        tau(gain(&self.walk.board(last), target, retreat.square) - contest(standing, &takers, &guards))
    }

    /// Whether a positional piece of the defence can stand in the way of some step so that taking it there loses.
    fn can_block(&self) -> bool {
        let defender = self.defender();
        (1..self.walk.squares.len()).any(|i| {
            let (from, to) = (self.walk.squares[i - 1], self.walk.squares[i]);
            let board = &self.walk.board(i - 1);
            let on = between(from, to);
            let moves = self.moves_within(defender, self.walk.arrival(i) + 1).min(2);
            if on.is_empty() || moves == 0 {
                return false;
            }
            let pieces = (board.by_color(defender) & self.reserves.board.by_color(defender)).into_iter();
            pieces.filter(|&piece| Some(piece) != self.walk.target).any(|piece| {
                let reached = match moves {
                    1 => moves_from(board, piece),
                    _ => self.reserves.far(piece).iter().fold(moves_from(board, piece), |all, (_, steps)| all | *steps),
                };
                (reached & on).into_iter().any(|square| {
                    let blocked = after(board, piece, square);
                    !king_can_be_taken(&blocked, defender) && balance_of_move(&blocked, from, square) < 0
                })
            })
        })
    }
}

/// Whether the piece that stands on `at` would bear on `target` from `from`.
fn bears_from(board: &Board, at: Square, from: Square, target: Square) -> bool {
    let occupied = board.occupied().without(at);
    board.piece_at(at).is_some_and(|piece| attacks(from, piece, occupied).contains(target))
}

/// The pieces of `side` that bear on a square, also through the pieces in front of them.
fn bearers(board: &Board, square: Square, side: Color) -> Bitboard {
    let mut found = Bitboard::EMPTY;
    let mut occupied = board.occupied();
    loop {
        let all =
            Color::ALL.into_iter().fold(Bitboard::EMPTY, |all, side| all | board.attacks_to(square, side, occupied));
        let next = all & occupied.without(square);
        if next.is_empty() {
            return found & board.by_color(side);
        }
        found |= next;
        occupied &= !next;
    }
}

/// The values of pieces, the cheapest first.
fn values(board: &Board, pieces: impl Iterator<Item = Square>) -> Vec<i32> {
    let mut values: Vec<i32> = pieces.filter_map(|piece| board.role_at(piece)).map(value).collect();
    values.sort_unstable();
    values
}

/// What `takers` win by taking on a square where `standing` stands and `guards` take back; each side takes with its
/// cheapest piece first and stops when it likes.
fn contest(standing: i32, takers: &[i32], guards: &[i32]) -> i32 {
    match takers.split_first() {
        None => 0,
        Some(_) if standing >= KING => KING,
        Some((&first, rest)) => (standing - contest(first, guards, rest)).max(0),
    }
}

/// The positional moves of the side to move: the first moves of pieces that can still join the fight for a square that
/// matters, and the moves to safety of pieces that the assessment counts as lost.
///
/// # Errors
///
/// [`TooMany`] if there are too many trajectories to list.
pub(crate) fn positional_moves(board: &Board, turn: Color, horizon: u32, nu: u32) -> Result<Vec<Step>, TooMany> {
    let assessment = Assessment::new(board, turn, horizon, nu)?;
    let reserves = Reserves::new(board);
    let mut first = [Bitboard::EMPTY; 64];
    for piece in
        assessment.pieces.iter().filter(|piece| piece.color == turn && piece.value_type <= 3 && piece.role.is_some())
    {
        first[piece.square.to_usize()] |= safe_moves(board, piece.square);
    }
    for side in Color::ALL {
        if horizon == 1 || !few_enough_closed_squares(assessment.closed_squares[side.fold_wb(0, 1)], nu) {
            continue;
        }
        for attack in Lookout::new(board, turn, horizon, side, Reach::FromNow, OwnPieces::StepAside, 0).attacks()? {
            for way in &attack.trajectories {
                let walk = Walk::new(board, turn, &attack, way);
                let positional = Positional { walk: &walk, reserves: &reserves, horizon };
                positional.wanted(&attack, turn, &mut first);
            }
        }
    }
    let steps =
        by_name(Bitboard::FULL).flat_map(|from| by_name(first[from.to_usize()]).map(move |to| Step { from, to }));
    Ok(steps.collect())
}

impl Positional<'_> {
    /// Collects the first moves of `turn`'s pieces that would improve a function on this way.
    fn wanted(&self, attack: &Attack, turn: Color, first: &mut [Bitboard; 64]) {
        let own = attack.side == turn;
        for i in 0..self.walk.squares.len() {
            let alpha = self.walk.alpha_square(i);
            let (board, bound) = (&self.walk.board(i), self.walk.arrival(i) + 3);
            // Own ways that are closed, and enemy ways that are open.
            if alpha.f != i32::from(!own) || alpha.gain >= KING {
                continue;
            }
            let known = bearers(board, alpha.square, turn);
            for piece in board.by_color(turn) & self.reserves.board.by_color(turn) & !known {
                if piece == alpha.square {
                    continue;
                }
                let steps = self.approach(turn, board, piece, alpha.square, bound);
                if steps.any() && self.changes(board, &alpha, piece, turn) {
                    first[piece.to_usize()] |= steps;
                }
            }
        }
        if own {
            self.wanted_against_retreats(turn, first);
        }
    }

    /// Whether the piece of `turn` on `piece`, added to the fight for a square, changes its function.
    fn changes(&self, board: &Board, alpha: &AlphaSquare, piece: Square, turn: Color) -> bool {
        let (attacker, defender) = (self.walk.piece.color, self.defender());
        let with = |side| {
            let more = (side == turn).then_some(piece);
            values(board, bearers(board, alpha.square, side).into_iter().chain(more))
        };
        let standing = board.role_at(alpha.square).map_or(0, value);
        tau(alpha.gain - contest(standing, &with(defender), &with(attacker))) != alpha.f
    }

    fn wanted_against_retreats(&self, turn: Color, first: &mut [Bitboard; 64]) {
        let Some(target) = self.walk.target else {
            return;
        };
        let bound = self.walk.defence(1) + 3;
        let before = &self.walk.board(self.walk.squares.len() - 2);
        for retreat in self.walk.retreats().filter(|retreat| retreat.f == 1) {
            let board = after(before, target, retreat.square);
            let known = bearing_on(&board, retreat.square, turn);
            let takers = bearers(&board, retreat.square, turn);
            let guards = values(&board, bearers(&board, retreat.square, turn.other()).into_iter());
            let standing = board.role_at(retreat.square).map_or(0, value);
            for piece in board.by_color(turn) & self.reserves.board.by_color(turn) & !known {
                let steps = self.approach(turn, &board, piece, retreat.square, bound);
                let with = values(&board, takers.into_iter().chain([piece]));
                if steps.any() && gain(before, target, retreat.square) < contest(standing, &with, &guards) {
                    first[piece.to_usize()] |= steps;
                }
            }
        }
    }
}
