//! Building the map: attacks, the fight for each field, retreats, values.

use super::exchange::{
    KING, PROMOTION, after, arriving, balance_of_move, bearing_on, best_exchange, fight, gain, hangs_king,
    king_can_be_taken, moves_from, value,
};
use super::formulas::{
    Interference, attacked_value, field_function, real_field_function, rho, tau, trajectory_function,
};
use super::ways::{OwnMen, attacks_of, own_men_on};
use crate::trajectories::text_order;
use crate::{Attack, Position, TooMany, Trajectory};
use shakmaty::{Bitboard, Board, Color, Role, Square, attacks::between};

/// The mathematical map of a position: the invisible values of all attacks within a horizon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Map {
    /// The men and their squares.
    pub board: Board,
    /// The side to move.
    pub turn: Color,
    /// The horizon, in half-moves.
    pub horizon: u32,
    /// The invisible values, in the order of the attacks: by start, then by target.
    pub values: Vec<InvisibleValue>,
}

/// The invisible value of one man's attack on one enemy man, or on a square of promotion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvisibleValue {
    /// Who attacks whom, in how many half-moves.
    pub attack: Attack,
    /// What the attack is aimed at, in pawns: the man's value, queen less pawn for a promotion, both for a capture
    /// that promotes.
    pub aim: i32,
    /// The shortest trajectories with their functions, in order.
    pub routes: Vec<Route>,
}

/// One trajectory of an attack with the functions of its fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    /// The alpha fields, start and target included.
    pub trajectory: Trajectory,
    /// The own men that must first leave the way, each by a move of its own.
    pub stepping_aside: Bitboard,
    /// The fields in the same order.
    pub fields: Vec<Field>,
    /// Men that can be put in the way, on beta fields.
    pub blocks: Vec<Block>,
    /// Where the man attacked can go before it is taken; empty if there is no time.
    pub retreats: Vec<Retreat>,
    /// Theta (White attacks) or F (Black attacks) by formula (1): 0 or 1.
    pub function: i32,
    /// The attacked value by formula (4), in pawns: what the attack wins if its function is 1.
    pub value: i32,
}

/// The function of one alpha field and the reasons for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The field.
    pub square: Square,
    /// n_ik: the half-move in which the attacker arrives; 0 for the field it stands on.
    pub arrival: u32,
    /// What the attacker wins by arriving, in pawns.
    pub gain: i32,
    /// The men that can take the attacker here in time.
    pub negations: Vec<Negation>,
    /// Rho of formula (3').
    pub rho: i32,
    /// m of formula (3''): the attacker's gain here if the defence fights for the field, in pawns.
    pub m: i32,
    /// f of formula (3) after all negations.
    pub f: i32,
}

/// A first negation: a man that takes the attacker on a field of its way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Negation {
    /// The negating man.
    pub role: Role,
    /// Its trajectory to the field: start, one field on the way if it must first come nearer, the field.
    pub way: Trajectory,
    /// n_rk: the half-moves it needs.
    pub half_moves: u32,
    /// The attacker's gain on the field if this man takes first, in pawns.
    pub m: i32,
    /// The real function of the negating trajectory: 0 if it is itself negated.
    pub function: i32,
    /// Why the function is 0, if it is.
    pub second: Option<SecondNegation>,
}

/// A second negation: why a defender cannot do what it seems to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecondNegation {
    /// The man on `by` takes the defender first, and loses nothing by it.
    Taken {
        /// The taking man.
        role: Role,
        /// Where it stands.
        by: Square,
        /// Where the defender is taken.
        on: Square,
    },
    /// If the defender moves, its own king can be taken.
    King,
}

/// A man put in the attacker's way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The blocking man.
    pub role: Role,
    /// Where it comes from.
    pub from: Square,
    /// The field on which it stands in the way: a beta field that becomes an alpha field, or the field before a pawn.
    pub on: Square,
    /// n_rk: the half-moves it needs.
    pub half_moves: u32,
    /// The attacker's gain if it takes the man there, in pawns. `None` for a pawn, which cannot take straight ahead.
    pub m: Option<i32>,
    /// The function that the attack's field takes through this block: 0 stops the attack.
    pub f: i32,
    /// Why the block does not work, if it does not.
    pub second: Option<SecondNegation>,
}

/// A field to which the attacked man can go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retreat {
    /// The field.
    pub square: Square,
    /// What the defence wins or loses there, in pawns.
    pub m: i32,
    /// f_k: 1 if the man is safe there.
    pub f: i32,
}

impl InvisibleValue {
    /// 1 if the attack cannot be resisted on one of its trajectories.
    pub fn function(&self) -> i32 {
        i32::from(self.routes.iter().any(|route| route.function == 1))
    }

    /// The most that an irresistible trajectory of this attack wins, in pawns; 0 if there is none.
    pub fn doomed(&self) -> i32 {
        self.routes.iter().filter(|route| route.function == 1).map(|route| route.value.max(0)).max().unwrap_or(0)
    }

    /// The least number of closed alpha fields on any trajectory: the q of this attack.
    pub fn closed_fields(&self) -> u32 {
        self.routes.iter().map(Route::closed_fields).min().unwrap_or(0)
    }
}

impl Route {
    /// The number of alpha fields with f = 0.
    pub fn closed_fields(&self) -> u32 {
        self.fields.iter().filter(|field| field.f == 0).count() as u32
    }
}

impl Field {
    /// The negations that do change the function from 1 to 0.
    pub fn decisive(&self) -> impl Iterator<Item = &Negation> {
        self.negations.iter().filter(|negation| negation.function == 1 && tau(negation.m) == 0)
    }
}

/// Up to which horizon the attacks of the side not to move enter the map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reach {
    /// Of 2n half-moves within the horizon: for finding moves, as the book prints its maps.
    #[default]
    FromNow,
    /// Of as many moves as those of the side to move: each side's horizon is taken at its own turn. So the hope of a
    /// side that has just moved is counted.
    OwnTurn,
}

/// The most moves within `horizon` half-moves, counted from the attacker's own turn.
pub(crate) const fn moves_at_own_turn(horizon: u32) -> u32 {
    horizon.div_ceil(2)
}

impl Map {
    /// The map of a position for a horizon of `horizon` half-moves.
    ///
    /// # Errors
    ///
    /// [`TooMany`] if there are too many trajectories to list.
    pub fn new(position: &Position, horizon: u32) -> Result<Map, TooMany> {
        Map::of(&position.board, position.turn, horizon)
    }

    /// The map of a placement with `turn` to move.
    ///
    /// # Errors
    ///
    /// [`TooMany`] if there are too many trajectories to list.
    pub fn of(board: &Board, turn: Color, horizon: u32) -> Result<Map, TooMany> {
        Map::by(board, turn, horizon, Reach::FromNow, OwnMen::StepAside)
    }

    /// The map of a placement with other attacks than those of [`Map::of`].
    ///
    /// # Errors
    ///
    /// [`TooMany`] if there are too many trajectories to list.
    pub fn by(board: &Board, turn: Color, horizon: u32, reach: Reach, own_men: OwnMen) -> Result<Map, TooMany> {
        let mut values = Vec::new();
        for side in Color::ALL {
            let attacks = attacks_in_reach(board, turn, horizon, side, reach, own_men)?;
            values.extend(attacks.into_iter().map(|attack| InvisibleValue::new(board, turn, horizon, attack)));
        }
        values.sort_by_key(|value| (text_order(value.attack.from), text_order(value.attack.to)));
        Ok(Map { board: board.clone(), turn, horizon, values })
    }

    /// The invisible values of one side's attacks.
    pub fn of_side(&self, side: Color) -> impl Iterator<Item = &InvisibleValue> + Clone {
        self.values.iter().filter(move |value| value.attack.side == side)
    }
}

/// The attacks of `side` that enter the map.
pub(crate) fn attacks_in_reach(
    board: &Board,
    turn: Color,
    horizon: u32,
    side: Color,
    reach: Reach,
    own_men: OwnMen,
) -> Result<Vec<Attack>, TooMany> {
    attacks_worth_more(board, turn, horizon, side, reach, own_men, 0)
}

/// Those of them that are aimed at more than `least` pawns.
pub(crate) fn attacks_worth_more(
    board: &Board,
    turn: Color,
    horizon: u32,
    side: Color,
    reach: Reach,
    own_men: OwnMen,
    least: i32,
) -> Result<Vec<Attack>, TooMany> {
    let most = if side == turn || reach == Reach::OwnTurn { moves_at_own_turn(horizon) } else { horizon / 2 };
    attacks_of(board, side, side == turn, most, own_men, least)
}

/// What an attack is aimed at, in pawns.
pub(crate) fn aim(attack: &Attack) -> i32 {
    attack.target.map_or(0, value) + if attack.promotes { PROMOTION } else { 0 }
}

impl InvisibleValue {
    pub(crate) fn new(board: &Board, turn: Color, horizon: u32, attack: Attack) -> InvisibleValue {
        let aim = aim(&attack);
        let routes = attack
            .trajectories
            .iter()
            .map(|trajectory| match horizon {
                1 => Route::unopposed(board, trajectory, aim),
                _ => Walk::new(board, turn, &attack, trajectory).route(trajectory, aim),
            })
            .collect();
        InvisibleValue { attack, aim, routes }
    }
}

/// What the attack along `way` wins if its function is 1, by formula (4); `None` if its function is 0. The same as
/// [`Route::function`] and [`Route::value`], found without looking further than needed.
pub(crate) fn doomed_by_way(
    board: &Board,
    turn: Color,
    horizon: u32,
    attack: &Attack,
    way: &Trajectory,
) -> Option<i32> {
    match horizon {
        1 => Some(aim(attack)),
        _ => Walk::new(board, turn, attack, way).doomed(aim(attack)),
    }
}

/// The number of closed alpha fields on `way`, as [`Route::closed_fields`].
pub(crate) fn closed_on_way(board: &Board, turn: Color, horizon: u32, attack: &Attack, way: &Trajectory) -> u32 {
    match horizon {
        1 => 0,
        _ => Walk::new(board, turn, attack, way).fields().filter(|field| field.f == 0).count() as u32,
    }
}

impl Route {
    /// With a horizon of one half-move there is no time to answer: every function is 1, there is no retreat.
    fn unopposed(board: &Board, trajectory: &Trajectory, aim: i32) -> Route {
        let last = trajectory.len() - 1;
        let fields = trajectory
            .iter()
            .enumerate()
            .map(|(i, &square)| Field {
                square,
                arrival: if i == 0 { 0 } else { 2 * i as u32 - 1 },
                gain: if i == last { aim } else { 0 },
                negations: Vec::new(),
                rho: 1,
                m: if i == last { aim } else { 0 },
                f: 1,
            })
            .collect();
        let side = board.color_at(trajectory[0]).unwrap_or(Color::White);
        let stepping_aside = own_men_on(board, side, trajectory);
        Route {
            trajectory: *trajectory,
            stepping_aside,
            fields,
            blocks: Vec::new(),
            retreats: Vec::new(),
            function: 1,
            value: aim,
        }
    }
}

/// One way of an attack, with the boards on it.
pub(crate) struct Walk<'a> {
    pub(crate) attacker: Color,
    pub(crate) to_move: bool,
    /// The square of the man attacked; none for a promotion on an empty square.
    pub(crate) target: Option<Square>,
    pub(crate) squares: &'a [Square],
    /// The own men that must leave first.
    stepping_aside: Bitboard,
    /// The board before each step, those men lifted off, and after the last.
    pub(crate) boards: Vec<Board>,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(board: &Board, turn: Color, attack: &Attack, squares: &'a [Square]) -> Walk<'a> {
        let stepping_aside = own_men_on(board, attack.side, squares);
        let mut boards = Vec::with_capacity(squares.len());
        let mut start = board.clone();
        for man in stepping_aside {
            start.discard_piece_at(man);
        }
        boards.push(start);
        for step in squares.windows(2) {
            boards.push(after(&boards[boards.len() - 1], step[0], step[1]));
        }
        Walk {
            attacker: attack.side,
            to_move: attack.side == turn,
            target: attack.target.is_some().then_some(attack.to),
            squares,
            stepping_aside,
            boards,
        }
    }

    /// The moves that own men need to leave the way.
    fn waits(&self) -> u32 {
        self.stepping_aside.count() as u32
    }

    /// n_ik: the half-move in which the attacker arrives on alpha field `i`, for the first the one up to which it has to
    /// wait there.
    pub(crate) fn arrival(&self, i: usize) -> u32 {
        match i {
            0 => 2 * self.waits(),
            _ => 2 * (i as u32 + self.waits()) - u32::from(self.to_move),
        }
    }

    /// The half-moves that the defence needs for `moves` moves of one man.
    pub(crate) fn defence(&self, moves: u32) -> u32 {
        2 * moves - u32::from(!self.to_move)
    }

    fn last(&self) -> usize {
        self.squares.len() - 1
    }

    fn fields(&self) -> impl Iterator<Item = Field> {
        (0..self.squares.len()).map(|i| self.field(i))
    }

    pub(crate) fn all_blocks(&self) -> impl Iterator<Item = Block> {
        (1..self.squares.len()).flat_map(|i| self.blocks(i))
    }

    fn route(&self, trajectory: &Trajectory, aim: i32) -> Route {
        let fields: Vec<Field> = self.fields().collect();
        let blocks: Vec<Block> = self.all_blocks().collect();
        let retreats: Vec<Retreat> = self.retreats().collect();
        let function = trajectory_function(
            retreats.iter().map(|retreat| retreat.f),
            fields.iter().map(|field| field.f).chain(blocks.iter().map(|block| block.f)),
        );
        let value = value_of_fights(aim, &fields, &blocks);
        let stepping_aside = self.stepping_aside;
        Route { trajectory: *trajectory, stepping_aside, value, fields, blocks, retreats, function }
    }

    /// The value by formula (4) if the function is 1.
    fn doomed(&self, aim: i32) -> Option<i32> {
        if self.retreats().any(|retreat| retreat.f == 1) {
            return None;
        }
        let mut fields = Vec::with_capacity(self.squares.len());
        for field in self.fields() {
            if field.f == 0 {
                return None;
            }
            fields.push(field);
        }
        let mut blocks = Vec::new();
        for block in self.all_blocks() {
            if block.f == 0 {
                return None;
            }
            blocks.push(block);
        }
        Some(value_of_fights(aim, &fields, &blocks))
    }

    /// The fight for alpha field `i`.
    pub(crate) fn field(&self, i: usize) -> Field {
        let (board, square) = (&self.boards[i], self.squares[i]);
        let before = (i > 0).then(|| &self.boards[i - 1]);
        let arrival = self.arrival(i);
        let won = before.map_or(0, |before| gain(before, self.squares[i - 1], square));
        let king_falls = won >= KING;
        let mut negations = Vec::new();
        if !king_falls {
            let takers = bearing_on(board, square, self.attacker.other());
            for from in takers {
                let half_moves = self.defence(1);
                if rho(arrival, half_moves, Interference::Control) == 0 {
                    negations.push(self.taker(board, square, won, &[from, square], half_moves));
                }
            }
            let closed = |negation: &Negation| negation.function == 1 && tau(negation.m) == 0;
            // A man may come nearer only once the attacker has set out.
            if let Some(before) = before
                && i as u32 + self.waits() > 1
                && rho(arrival, self.defence(2), Interference::Control) == 0
                && won < board.role_at(square).map_or(0, value)
                && !negations.iter().any(closed)
            {
                self.newcomers(before, i, won, takers, &mut negations);
            }
        }
        let contested = negations.iter().filter(|negation| negation.function == 1);
        // The defence chooses the cheapest fight; without a fight the attacker keeps what it took.
        let m = contested.clone().map(|negation| negation.m).min().unwrap_or(won);
        let rho = i32::from(contested.clone().next().is_none());
        let f = contested.fold(1, |f, negation| {
            let changed = field_function(tau(negation.m), 0);
            f * real_field_function(1, changed, [negation.function])
        });
        Field { square, arrival, gain: won, negations, rho, m, f }
    }

    /// The negation by the man that takes on `square` along `way`; it stands on the last field of the way but one.
    fn taker(&self, board: &Board, square: Square, won: i32, way: &[Square], half_moves: u32) -> Negation {
        let from = way[way.len() - 2];
        let second = if hangs_king(board, from, square) {
            Some(SecondNegation::King)
        } else if way.len() == 2 {
            self.taken_first(board, square, from)
        } else {
            None
        };
        Negation {
            role: board.role_at(from).unwrap_or(Role::Pawn),
            m: won - fight(board, from, square),
            way: squares_of(way),
            half_moves,
            function: real_field_function(1, 0, [i32::from(second.is_some())]),
            second,
        }
    }

    /// By formula (3') a defender can be taken on the field it stands on only in one half-move: the attacking side
    /// must be to move, and must use another man.
    fn taken_first(&self, board: &Board, attacker_on: Square, defender: Square) -> Option<SecondNegation> {
        if !self.to_move {
            return None;
        }
        bearing_on(board, defender, self.attacker)
            .without(attacker_on)
            .into_iter()
            .filter(|&by| tau(balance_of_move(board, by, defender)) == 1)
            .find_map(|by| Some(SecondNegation::Taken { role: board.role_at(by)?, by, on: defender }))
    }

    /// Men that first come nearer while the attacker is on its way, and then take on alpha field `i`.
    fn newcomers(&self, before: &Board, i: usize, won: i32, takers: Bitboard, negations: &mut Vec<Negation>) {
        let (leaving, square) = (self.squares[i - 1], self.squares[i]);
        let defender = self.attacker.other();
        // On an empty board it would bear on the field: this is cheap to see, and most moves fail it.
        let mut men = before.by_color(defender) & !takers;
        men.discard(square);
        if let Some(target) = self.target {
            men.discard(target);
        }
        for from in men {
            for step in moves_from(before, from) {
                if step == square || step == leaving || between(leaving, square).contains(step) {
                    continue;
                }
                if !could_bear(before, from, step, square) {
                    continue;
                }
                let nearer = after(before, from, step);
                if !bears(&nearer, step, square, leaving) || king_can_be_taken(&nearer, defender) {
                    continue;
                }
                let arrived = after(&nearer, leaving, square);
                let mut negation = self.taker(&arrived, square, won, &[from, step, square], self.defence(2));
                if tau(negation.m) == 1 {
                    continue;
                }
                if negation.second.is_none() && gain(before, from, step) < best_exchange(&nearer, step, self.attacker) {
                    negation.second = cheapest_taker(&nearer, step, self.attacker);
                    negation.function = real_field_function(1, 0, [1]);
                }
                negations.push(negation);
            }
        }
    }

    /// Men that can stand in the way of the step to alpha field `i`.
    fn blocks(&self, i: usize) -> Vec<Block> {
        let half_moves = self.defence(1);
        if rho(self.arrival(i), half_moves, Interference::Block) == 1 {
            return Vec::new();
        }
        let (before, from, to) = (&self.boards[i - 1], self.squares[i - 1], self.squares[i]);
        let pawn_steps = before.role_at(from) == Some(Role::Pawn) && from.file() == to.file();
        let mut on = match before.role_at(from) {
            Some(Role::Knight | Role::King) | None => Bitboard::EMPTY,
            _ => between(from, to),
        };
        if pawn_steps {
            on.add(to);
        }
        if on.is_empty() {
            return Vec::new();
        }
        let defender = self.attacker.other();
        let mut blocks = Vec::new();
        for man in before.by_color(defender) {
            if Some(man) == self.target {
                continue;
            }
            for step in moves_from(before, man) & on {
                let blocked = after(before, man, step);
                let m = (!pawn_steps).then(|| balance_of_move(&blocked, from, step));
                let loss = best_exchange(&blocked, step, self.attacker);
                let second = if king_can_be_taken(&blocked, defender) {
                    Some(SecondNegation::King)
                } else if pawn_steps && loss > 0 {
                    cheapest_taker(&blocked, step, self.attacker)
                } else {
                    None
                };
                let changed = m.map_or(0, tau);
                blocks.push(Block {
                    role: before.role_at(man).unwrap_or(Role::Pawn),
                    from: man,
                    on: step,
                    half_moves,
                    m,
                    f: real_field_function(1, changed, [i32::from(second.is_none())]),
                    second,
                });
            }
        }
        blocks
    }

    /// Where the man attacked can go when the attacker stands before its last step; nowhere if there is no time.
    pub(crate) fn retreats(&self) -> impl Iterator<Item = Retreat> {
        let last = self.last();
        let (board, attacker) = (&self.boards[last - 1], self.squares[last - 1]);
        let target = self.target.filter(|_| self.defence(1) < self.arrival(last));
        target.into_iter().flat_map(move |target| {
            let king = board.role_at(target) == Some(Role::King);
            moves_from(board, target).without(attacker).into_iter().map(move |square| {
                let king_falls = !king && hangs_king(board, target, square);
                let m = if king_falls { -KING } else { fight(board, target, square) };
                Retreat { square, m, f: tau(m) }
            })
        })
    }
}

/// A negating trajectory; it has two or three fields.
fn squares_of(way: &[Square]) -> Trajectory {
    let mut squares = Trajectory::starting_at(way[0], way.len() as u32 - 1);
    for (step, &square) in way.iter().enumerate() {
        squares.set(step, square);
    }
    squares
}

/// Whether the man on `from` can take on `square` once the attacker has gone there from `leaving`.
fn bears(board: &Board, from: Square, square: Square, leaving: Square) -> bool {
    let occupied = board.occupied().without(leaving);
    board.piece_at(from).is_some_and(|man| shakmaty::attacks::attacks(from, man, occupied).contains(square))
}

/// Whether the man on `from` would bear on `square` from `step`, were the board empty.
fn could_bear(board: &Board, from: Square, step: Square, square: Square) -> bool {
    arriving(board, from, step)
        .is_some_and(|man| shakmaty::attacks::attacks(step, man, Bitboard::EMPTY).contains(square))
}

/// Formula (4): the value of an attack with these fights on its way.
fn value_of_fights(aim: i32, fields: &[Field], blocks: &[Block]) -> i32 {
    let Some((target, earlier)) = fields.split_last() else {
        return aim;
    };
    let cheaper: Vec<(i32, i32)> = earlier
        .iter()
        .map(|field| (field.m, field.rho))
        .chain(blocks.iter().filter(|block| block.second.is_none()).filter_map(|block| Some((block.m?, 0))))
        .collect();
    attacked_value(target.m.min(aim), &cheaper)
}

fn cheapest_taker(board: &Board, on: Square, side: Color) -> Option<SecondNegation> {
    super::exchange::cheapest(board, bearing_on(board, on, side))
        .and_then(|by| Some(SecondNegation::Taken { role: board.role_at(by)?, by, on }))
}
