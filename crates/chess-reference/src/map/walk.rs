//! One way of an attack: the fight for each of its squares, the pieces that can be put in its way, the retreats.

use super::exchange::{
    Exchange, KING, after, arrived, balance_of_move, bearing, bearing_on, best_exchange, by_value, fight, gain,
    hangs_king, king_can_be_taken, least_of_fight, moves_from, moves_of, promotion, value,
};
use super::formulas::{Interference, real_square_function, rho, square_function, tau};
use super::values::{AlphaSquare, Interposition, Negation, Retreat, SecondNegation};
use super::ways::own_pieces_on;
use crate::Trajectory;
use crate::prelude::*;
use shakmaty::attacks::{attacks, between, pawn_attacks};

/// One way of an attack.
pub(crate) struct Walk<'a> {
    /// The attacker.
    pub(crate) piece: Piece,
    pub(crate) to_move: bool,
    /// The square of the piece attacked; `None` for a promotion on an empty square.
    pub(crate) target: Option<Square>,
    pub(crate) squares: &'a [Square],
    /// The own pieces that must leave first.
    pub(crate) stepping_aside: Bitboard,
    board: &'a Board,
}

/// The board without some of its pieces.
pub(crate) fn without(board: &Board, pieces: Bitboard) -> Board {
    let mut board = board.clone();
    for piece in pieces {
        board.discard_piece_at(piece);
    }
    board
}

impl<'a> Walk<'a> {
    pub(crate) fn new(board: &'a Board, turn: Color, attack: &Attack, squares: &'a [Square]) -> Walk<'a> {
        // A way of as many steps as the attack has moves passes no own pieces.
        let stepping_aside = match attack.moves as usize {
            moves if moves + 1 == squares.len() => Bitboard::EMPTY,
            _ => own_pieces_on(board, attack.side, squares),
        };
        Walk { stepping_aside, ..Walk::free(board, turn, attack, squares) }
    }

    /// A way that own pieces do not hinder.
    pub(crate) fn free(board: &'a Board, turn: Color, attack: &Attack, squares: &'a [Square]) -> Walk<'a> {
        Walk {
            piece: attack.piece.of(attack.side),
            to_move: attack.side == turn,
            target: attack.target.is_some().then_some(attack.to),
            squares,
            stepping_aside: Bitboard::EMPTY,
            board,
        }
    }

    /// The board after `steps` steps, with the own pieces in the way lifted off.
    pub(crate) fn board(&self, steps: usize) -> Board {
        let mut board = without(self.board, self.stepping_aside);
        if let [passed @ .., at] = &self.squares[..=steps] {
            passed.iter().for_each(|&square| board.discard_piece_at(square));
            board.set_piece_at(*at, arrived(self.piece, *at));
        }
        board
    }

    /// The squares occupied after `steps` steps.
    fn occupied(&self, steps: usize) -> Bitboard {
        let passed: Bitboard = self.squares[..steps].iter().copied().collect();
        (self.board.occupied() & !self.stepping_aside & !passed).with(self.squares[steps])
    }

    /// What the attacker wins by its step to alpha field `i`: the piece taken, and the promotion.
    #[inline]
    fn gain(&self, i: usize) -> i32 {
        let square = self.squares[i];
        let taken = self.board.role_at(square).filter(|_| !self.stepping_aside.contains(square)).map_or(0, value);
        taken + promotion(self.piece, square)
    }

    /// The moves that own pieces need to leave the way.
    pub(crate) fn waits(&self) -> u32 {
        self.stepping_aside.count() as u32
    }

    /// n_ik: the half-move in which the attacker arrives on alpha field `i`; for the first, the half-move until which
    /// it has to wait there.
    pub(crate) fn arrival(&self, i: usize) -> u32 {
        match i {
            0 => 2 * self.waits(),
            _ => 2 * (i as u32 + self.waits()) - u32::from(self.to_move),
        }
    }

    /// The half-moves that the defence needs for `moves` moves of one piece.
    pub(crate) fn defence(&self, moves: u32) -> u32 {
        2 * moves - u32::from(!self.to_move)
    }

    /// The index of the last alpha field.
    pub(crate) fn last(&self) -> usize {
        self.squares.len() - 1
    }

    /// The pieces that can be put in the way.
    pub(crate) fn all_blocks(&self) -> impl Iterator<Item = Interposition> {
        (1..self.squares.len()).flat_map(|i| self.blocks(i))
    }

    /// Alpha field `i` with its negations.
    pub(crate) fn alpha_square(&self, i: usize) -> AlphaSquare {
        let mut negations = Vec::new();
        let mut contest = Contest { fight: Fight::open(0), list: Some(&mut negations) };
        self.takers(i, &mut contest);
        if contest.fight.f == 1 {
            self.newcomers(i, &mut contest);
        }
        let Fight { gain, rho, m, f } = contest.fight;
        AlphaSquare { square: self.squares[i], arrival: self.arrival(i), gain, negations, rho, m, f }
    }

    /// The fight for alpha field `i` with the pieces that bear on it. If it is closed, m and rho are not final: the
    /// first negation that closes it ends the search.
    pub(crate) fn fight(&self, i: usize) -> Fight {
        let mut contest = Contest { fight: Fight::open(0), list: None };
        self.takers(i, &mut contest);
        contest.fight
    }

    /// Whether a piece that first comes nearer closes alpha field `i`, left open by those that bear on it.
    pub(crate) fn is_closed_by_newcomers(&self, i: usize) -> bool {
        let mut contest = Contest { fight: Fight::open(0), list: None };
        self.newcomers(i, &mut contest);
        contest.is_decided()
    }

    /// The negations of alpha field `i` by the pieces that bear on it.
    fn takers(&self, i: usize, contest: &mut Contest) {
        let (square, half_moves) = (self.squares[i], self.defence(1));
        let controlled = rho(self.arrival(i), half_moves, Interference::Control) == 0;
        if i == 0 && !controlled {
            return;
        }
        let won = if i == 0 { 0 } else { self.gain(i) };
        contest.fight = Fight::open(won);
        if won >= KING || !controlled {
            return;
        }
        let (defender, occupied) = (self.piece.color.other(), self.occupied(i));
        let bearing = bearing(self.board, square, occupied);
        let takers = bearing & self.board.by_color(defender) & occupied.without(square);
        if takers.is_empty() {
            return;
        }
        let standing = arrived(self.piece, square).role;
        let exchange = Exchange { board: self.board, square };
        let piece = |from| self.board.role_at(from).unwrap_or(Role::Pawn).of(defender);
        let king = (self.board.kings() & self.board.by_color(defender) & occupied.without(square)).single_square();
        // Whether the king can be taken after the piece on `from` has taken on the square.
        let hangs_king = |from| {
            king.is_some_and(|king| {
                let (king, occupied) = (if king == from { square } else { king }, occupied.without(from));
                (self.board.attacks_to(king, self.piece.color, occupied) & occupied.without(square)).any()
            })
        };
        let second = |from| match hangs_king(from) {
            true => Some(SecondNegation::King),
            false => self.taken_first(i, from),
        };
        if contest.list.is_none() {
            // In any order: the cheapest, who close most squares, come first. Of a fight that is lost in any case, or
            // costs no less than a known one, only the second negation counts, or nothing.
            for from in by_value(self.board).into_iter().flat_map(|pieces| pieces & takers) {
                let piece = piece(from);
                let most = won - least_of_fight(piece, square, standing);
                let m = match most < 0 {
                    true => most,
                    false => won - exchange.take(occupied, bearing, standing, (from, piece)),
                };
                let known = contest.fight.rho == 0 && m >= contest.fight.m;
                if !(known && tau(m) == 1) {
                    contest.add(self.board, &[from, square], half_moves, m, second(from));
                    if contest.is_decided() {
                        return;
                    }
                }
            }
            return;
        }
        for from in by_name(takers) {
            let m = won - exchange.take(occupied, bearing, standing, (from, piece(from)));
            contest.add(self.board, &[from, square], half_moves, m, second(from));
        }
    }

    /// By formula (3') a defender can be taken on the square it stands on only in one half-move: the attacking side
    /// must be to move, and must use another piece than the one that has come to alpha field `i`.
    #[inline]
    fn taken_first(&self, i: usize, defender: Square) -> Option<SecondNegation> {
        if self.to_move { self.taken_now(i, defender) } else { None }
    }

    fn taken_now(&self, i: usize, defender: Square) -> Option<SecondNegation> {
        let occupied = self.occupied(i);
        let bearing = self.board.attacks_to(defender, self.piece.color, occupied) & occupied;
        if bearing.without(self.squares[i]).is_empty() {
            return None;
        }
        let board = &self.board(i);
        by_name(bearing_on(board, defender, self.piece.color).without(self.squares[i]))
            .filter(|&by| tau(balance_of_move(board, by, defender)) == 1)
            .find_map(|by| Some(SecondNegation::Taken { role: board.role_at(by)?, by, on: defender }))
    }

    /// The negations of alpha field `i` by pieces that first come nearer while the attacker is on its way.
    fn newcomers(&self, i: usize, contest: &mut Contest) {
        // A piece may come nearer only once the attacker has set out.
        let half_moves = self.defence(2);
        if i == 0 || i as u32 + self.waits() == 1 || rho(self.arrival(i), half_moves, Interference::Control) == 1 {
            return;
        }
        let (leaving, square) = (self.squares[i - 1], self.squares[i]);
        let (won, defender) = (self.gain(i), self.piece.color.other());
        if won >= value(arrived(self.piece, square).role) {
            return;
        }
        let (there, occupied) = (self.occupied(i - 1), self.occupied(i));
        let own = self.board.by_color(defender) & there.without(leaving);
        let mut pieces = own & !self.board.attacks_to(square, defender, occupied);
        pieces.discard(square);
        if let Some(target) = self.target {
            pieces.discard(target);
        }
        let passed = between(leaving, square).with(leaving).with(square);
        // Most walks have no such piece: the boards are made when there is one.
        let mut boards = None;
        for from in by_name(pieces) {
            let Some(piece) = self.board.piece_at(from) else { continue };
            let near = moves_of(piece, from, own.without(from), there & !own) & bearing_from(piece, square) & !passed;
            for step in by_name(near) {
                let bears = there.without(from).with(step).without(leaving);
                if !attacks(step, arrived(piece, step), bears).contains(square) {
                    continue;
                }
                let before: &Board = boards.get_or_insert_with(|| self.board(i - 1));
                if hangs_king(before, from, step) {
                    continue;
                }
                let nearer = after(before, from, step);
                let arrived = after(&nearer, leaving, square);
                let mut second = hangs_king(&arrived, step, square).then_some(SecondNegation::King);
                let m = won - fight(&arrived, step, square);
                if tau(m) == 1 {
                    continue;
                }
                if second.is_none() && gain(before, from, step) < best_exchange(&nearer, step, self.piece.color) {
                    second = cheapest_taker(&nearer, step, self.piece.color);
                }
                contest.add(&arrived, &[from, step, square], half_moves, m, second);
                if contest.is_decided() {
                    return;
                }
            }
        }
    }

    /// Pieces that can stand in the way of the step to alpha field `i`.
    fn blocks(&self, i: usize) -> Vec<Interposition> {
        let half_moves = self.defence(1);
        if rho(self.arrival(i), half_moves, Interference::Block) == 1 {
            return Vec::new();
        }
        let (from, to) = (self.squares[i - 1], self.squares[i]);
        let pawn_steps = arrived(self.piece, from).role == Role::Pawn && from.file() == to.file();
        let mut on = between(from, to);
        if pawn_steps {
            on.add(to);
        }
        if on.is_empty() {
            return Vec::new();
        }
        let before = &self.board(i - 1);
        let defender = self.piece.color.other();
        let mut blocks = Vec::new();
        for piece in by_name(before.by_color(defender)) {
            if Some(piece) == self.target {
                continue;
            }
            for step in by_name(moves_from(before, piece) & on) {
                let blocked = after(before, piece, step);
                let m = (!pawn_steps).then(|| balance_of_move(&blocked, from, step));
                let loss = best_exchange(&blocked, step, self.piece.color);
                let second = if king_can_be_taken(&blocked, defender) {
                    Some(SecondNegation::King)
                } else if pawn_steps && loss > 0 {
                    cheapest_taker(&blocked, step, self.piece.color)
                } else {
                    None
                };
                let changed = m.map_or(0, tau);
                blocks.push(Interposition {
                    role: before.role_at(piece).unwrap_or(Role::Pawn),
                    from: piece,
                    on: step,
                    half_moves,
                    m,
                    f: real_square_function(1, changed, [i32::from(second.is_none())]),
                    second,
                });
            }
        }
        blocks
    }

    /// Whether the piece attacked has a safe retreat.
    pub(crate) fn saves_target(&self) -> bool {
        self.retreats().any(|retreat| retreat.f == 1)
    }

    /// Where the piece attacked can go when the attacker stands before its last step; empty if there is no time.
    pub(crate) fn retreats(&self) -> impl Iterator<Item = Retreat> {
        let last = self.last();
        let target = self.target.filter(|_| self.defence(1) < self.arrival(last));
        target.into_iter().flat_map(move |target| {
            let (board, attacker) = (self.board(last - 1), self.squares[last - 1]);
            let king = board.role_at(target) == Some(Role::King);
            by_name(moves_from(&board, target).without(attacker)).map(move |square| {
                let king_falls = !king && hangs_king(&board, target, square);
                let m = if king_falls { -KING } else { fight(&board, target, square) };
                Retreat { square, m, f: tau(m) }
            })
        })
    }
}

/// How the fight for an alpha field ends.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fight {
    /// What the attacker wins by arriving, in pawns.
    pub(crate) gain: i32,
    /// Rho of formula (3').
    pub(crate) rho: i32,
    /// m of formula (3''), in pawns.
    pub(crate) m: i32,
    /// f of formula (3) after all negations.
    pub(crate) f: i32,
}

impl Fight {
    /// Nobody contests the square: the attacker keeps what it took.
    pub(crate) const fn open(gain: i32) -> Fight {
        Fight { gain, rho: 1, m: gain, f: 1 }
    }
}

/// An alpha field while its negations are being found.
struct Contest<'a> {
    fight: Fight,
    list: Option<&'a mut Vec<Negation>>,
}

impl Contest<'_> {
    /// Adds the negation by the piece that goes along `way`; `board` is the one before its last step.
    #[inline]
    fn add(&mut self, board: &Board, way: &[Square], half_moves: u32, m: i32, second: Option<SecondNegation>) {
        let function = real_square_function(1, 0, [i32::from(second.is_some())]);
        if function == 1 {
            // The defence chooses the cheapest fight.
            let fight = &mut self.fight;
            fight.m = if fight.rho == 1 { m } else { fight.m.min(m) };
            fight.rho = 0;
            fight.f *= real_square_function(1, square_function(tau(m), 0), [function]);
        }
        if let Some(list) = &mut self.list {
            let role = board.role_at(way[way.len() - 2]).unwrap_or(Role::Pawn);
            list.push(Negation { role, way: Trajectory::of(way), half_moves, m, function, second });
        }
    }

    /// Whether no further negation can change the function.
    fn is_decided(&self) -> bool {
        self.list.is_none() && self.fight.f == 0
    }
}

/// The squares from which a piece would bear on `square` on an empty board.
fn bearing_from(piece: Piece, square: Square) -> Bitboard {
    if piece.role != Role::Pawn {
        return attacks(square, piece, Bitboard::EMPTY);
    }
    let queens = attacks(square, Role::Queen.of(piece.color), Bitboard::EMPTY);
    let last_rank = Bitboard::from_rank(piece.color.other().backrank());
    (pawn_attacks(piece.color.other(), square) & !last_rank) | (queens & last_rank)
}

fn cheapest_taker(board: &Board, on: Square, side: Color) -> Option<SecondNegation> {
    let cheapest = super::exchange::cheapest(board, bearing_on(board, on, side));
    cheapest.map(|(by, role)| SecondNegation::Taken { role, by, on })
}
