//! The rows that the map program leaves, read back.

use crate::prelude::*;
use crate::trajectories::square_in_mailbox;
use chess_reference::map::exchange::{Exchanges, MoveBalance};
use chess_reference::map::formulas::tau;
use chess_reference::map::{
    AlphaSquare, Assessment, AttackRoute, FirstVerdict, Interposition, InvisibleValue, Map, Negation, Retreat,
    SecondNegation, Sense, Standing, Step, Test, Tests, TypedPiece, VerdictChoice, Weighed, WeighedMove, Won,
    closed_squares,
};
use chess_reference::{Attack, Trajectory};
use num_rational::Rational64;
use std::cmp::Reverse;
use std::iter::Peekable;
use std::vec::IntoIter;

/// The rows, one after another.
pub(super) struct Rows {
    rows: Peekable<IntoIter<Row>>,
}

/// One row: its kind (bits 45-43), the small number (bits 42-37) and the addresses.
///
/// | kind | small number | A1 | A2 | A3 |
/// |---|---|---|---|---|
/// | exchanges: 1 move | 1: its king can be taken | from | to | balance |
/// | 2 taker | | piece | square | |
/// | 3 king | | 1 White's, 2 Black's | | 1: it can be taken |
/// | map: 1 attack | moves | from | to | aim |
/// | 2 way | squares | 0, or 1000 + own piece that steps aside | first square | second, or 0 |
/// | 4 negation, before its alpha square | 4 x half-moves + second: 0 none, 1 taken, 2 king | from | 0, or 400 + step | m |
/// | 0 by: after a negation or block that is taken | | 1000 + the taker | | |
/// | 3 alpha square | 4 x arrival + 2 rho + f | square | gain | m |
/// | 5 block | as 4; + 40: no m | from | on | m |
/// | 6 retreat | f | square | | m |
/// | 7 end of the way | function | | | value |
/// | tests: 1 move (the stop: from = to = 0) | reason, + 10 holds, + 20 king lost | from | to | takes |
/// | 2 after each | | threatened | doomed | hoped |
/// | 3 at the end | | White has won | Black has won | worth of the stop |
/// | worth: 2, 3, 4 a piece attacked, by its type | 1 White's, 2 Black's | square | what is lost | closed squares |
/// | 5 at the end | | E+ | White's closed squares | Black's |
/// | 6 | | 12 P of White | 12 P of Black | balance |
/// | 1 a move | | from | to | E+ after it |
/// | 0 behind it | | | 12 W: 24 bits with A3 | |
/// | 2 behind it after analyses | | 8 x (1 loses, 2 neither, 3 wins) + the horizon if it wins | horizons that agree | 7777 - positions |
/// | 7 the best, unless there is no move | | from | to | |
#[derive(Clone, Copy)]
struct Row {
    at: CoreAddress,
    word: Word,
    kind: u64,
    small: u32,
    a: [u16; 3],
}

impl Row {
    fn of((at, word): (CoreAddress, Word)) -> Row {
        let upper = word.upper();
        let a = [word.a1(), word.a2(), word.a3()].map(Address::get);
        Row { at, word, kind: upper >> 6, small: (upper & 0o77) as u32, a }
    }

    fn wrong(&self, why: &str) -> NoAnswer {
        NoAnswer::Fault(format!("the word {} in {} is not the row expected here: {why}", self.word.grouped(), self.at))
    }

    fn square(&self, field: usize) -> Result<Square, NoAnswer> {
        square_in_mailbox(self.a[field]).ok_or_else(|| self.wrong("a field is no square"))
    }

    fn step(&self) -> Result<Step, NoAnswer> {
        Ok(Step { from: self.square(0)?, to: self.square(1)? })
    }

    /// The square after a mark that says that there is one; 0 says that there is none.
    fn marked_square(&self, field: usize, mark: u16) -> Result<Option<Square>, NoAnswer> {
        if self.a[field] == 0 {
            return Ok(None);
        }
        let square = self.a[field].checked_sub(mark).and_then(square_in_mailbox);
        square.map(Some).ok_or_else(|| self.wrong("a field is no square"))
    }

    /// A field as 12 bits in two's complement.
    fn signed(&self, field: usize) -> i32 {
        i32::from(((self.a[field] << 4) as i16) >> 4)
    }

    fn flag(&self, number: u32) -> Result<bool, NoAnswer> {
        match number {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(self.wrong("neither 0 nor 1")),
        }
    }
}

/// A way under reading: its attack, and its squares.
struct Road<'a> {
    board: &'a Board,
    attack: &'a Attack,
    squares: &'a [Square],
}

/// An assessment, each move with something about it, and the best.
type Weighing<T> = (Assessment, Vec<(WeighedMove, T)>, Option<Step>);

impl Rows {
    pub(super) fn new(rows: impl Iterator<Item = (CoreAddress, Word)>) -> Rows {
        Rows { rows: rows.map(Row::of).collect::<Vec<_>>().into_iter().peekable() }
    }

    /// The next row if it is of this kind.
    fn next_if(&mut self, kind: u64) -> Option<Row> {
        self.rows.next_if(|row| row.kind == kind)
    }

    /// All rows of a kind from here on, each read with those that belong to it.
    fn all<T>(&mut self, kind: u64, read: impl Fn(&mut Rows, Row) -> Result<T, NoAnswer>) -> Result<Vec<T>, NoAnswer> {
        std::iter::from_fn(|| self.next_if(kind).map(|row| read(self, row))).collect()
    }

    /// The next row, which must be of this kind.
    fn expect(&mut self, kind: u64) -> Result<Row, NoAnswer> {
        match self.rows.next() {
            Some(row) if row.kind == kind => Ok(row),
            Some(row) => Err(row.wrong(&format!("its kind is not {kind}"))),
            None => Err(NoAnswer::Fault(format!("the rows end where one of kind {kind} is expected"))),
        }
    }

    /// Checks that no row is left.
    pub(super) fn finish(&mut self) -> Result<(), NoAnswer> {
        self.rows.next().map_or(Ok(()), |row| Err(row.wrong("nothing should follow")))
    }

    /// The rows of task 1.
    pub(super) fn exchanges(&mut self) -> Result<Exchanges, NoAnswer> {
        let moves = self.all(1, |_, row| {
            let (from, to, exposes_king) = (row.square(0)?, row.square(1)?, row.flag(row.small)?);
            Ok(MoveBalance { from, to, balance: row.signed(2), exposes_king })
        })?;
        let takers = self.all(2, |_, row| Ok((row.square(0)?, row.square(1)?)))?;
        let mut found = Exchanges { moves, takers, kings_attacked: [false; 2] };
        for (number, attacked) in (1..).zip(&mut found.kings_attacked) {
            let row = self.expect(3)?;
            if row.a[0] != number {
                return Err(row.wrong("the other king is expected"));
            }
            *attacked = row.flag(row.a[2].into())?;
        }
        Ok(found)
    }

    /// The rows of task 2.
    pub(super) fn map(&mut self, board: &Board, turn: Color, horizon: u32) -> Result<Map, NoAnswer> {
        let values = self.all(1, |rows, row| {
            let (from, to) = (row.square(0)?, row.square(1)?);
            let piece = board.piece_at(from).ok_or_else(|| row.wrong("no piece stands there"))?;
            if row.small == 0 {
                return Err(row.wrong("an attack of no moves"));
            }
            let mut attack = Attack::new(board, piece, (from, to), row.small, piece.color == turn);
            let aim = attack.aim();
            if row.signed(2) != aim {
                return Err(row.wrong(&format!("its aim is {aim}")));
            }
            let routes = rows.all(2, |rows, way| rows.route(board, &attack, way))?;
            if routes.is_empty() {
                return Err(row.wrong("no way follows"));
            }
            attack.trajectories = routes.iter().map(|route| route.trajectory).collect();
            Ok(InvisibleValue { attack, aim, routes })
        })?;
        Ok(Map { board: board.clone(), turn, horizon, values })
    }

    /// The rows of task 3; if the program was asked to decide as well, each decision is that of the numbers.
    pub(super) fn tests(&mut self, turn: Color, decides: bool) -> Result<Tests, NoAnswer> {
        let mut found = self.all(1, |rows, row| {
            let numbers = rows.expect(2)?;
            let sensible = match row.small & 0o7 {
                0 if row.a[..2] == [0, 0] => None,
                reason => {
                    let sense = Sense::ALL.get((reason as usize).wrapping_sub(1)).copied();
                    let sense = sense.ok_or_else(|| row.wrong("no such reason"))?;
                    Some((row.step()?, sense))
                }
            };
            let holds = row.small & 0o10 != 0;
            if (row.small & 0o40 != 0) != (decides && holds) {
                return Err(row.wrong("its decision is another than that of its numbers"));
            }
            let test = Test {
                mover: turn,
                white_won: 0,
                black_won: 0,
                takes: row.signed(2),
                threatened: numbers.signed(0),
                doomed: numbers.signed(1),
                hoped: numbers.signed(2),
                king_lost: row.small & 0o20 != 0,
                holds,
            };
            Ok((sensible, test))
        })?;
        let end = self.expect(3)?;
        let won = Won { white: end.signed(0), black: end.signed(1) };
        for (_, test) in &mut found {
            (test.white_won, test.black_won) = (won.white, won.black);
        }
        Ok(Tests { won, moves: found, worth: end.signed(2) })
    }

    /// The rows of task 5.
    pub(super) fn worth(&mut self, board: &Board) -> Result<Weighed, NoAnswer> {
        let (position, moves, best) = self.weighed(board, |_| Ok(()))?;
        Ok(Weighed { position, moves: moves.into_iter().map(|(each, ())| each).collect(), best })
    }

    /// The rows of task 6; the first moves of each horizon are read elsewhere.
    pub(super) fn choice(
        &mut self,
        board: &Board,
        horizons: Vec<Vec<FirstVerdict>>,
    ) -> Result<VerdictChoice, NoAnswer> {
        let (position, moves, best) = self.weighed(board, |rows| {
            let row = rows.expect(2)?;
            match (row.a[0] >> 3, row.a[0] & 7, row.a[1], row.a[2]) {
                (1, 0, 0, 0) => Ok(Standing::Loses),
                (2, 0, 0, 0) => Ok(Standing::Holds),
                (3, horizon @ 1.., agreeing @ 1.., rest) => Ok(Standing::Wins {
                    horizon: horizon.into(),
                    agreeing: agreeing.into(),
                    positions: Reverse(u64::from(Address::MAX.get() - rest)),
                }),
                _ => Err(row.wrong("no such standing")),
            }
        })?;
        Ok(VerdictChoice { horizons, position, moves, best })
    }

    /// The rows of an assessment and of each move with what `more` reads about it; the best move.
    fn weighed<T>(
        &mut self,
        board: &Board,
        more: impl Fn(&mut Rows) -> Result<T, NoAnswer>,
    ) -> Result<Weighing<T>, NoAnswer> {
        let mut pieces = Vec::new();
        while let Some(row) = self.rows.next_if(|row| (2..=4).contains(&row.kind)) {
            let square = row.square(0)?;
            let color = match row.small {
                1 => Color::White,
                2 => Color::Black,
                _ => return Err(row.wrong("no such side")),
            };
            pieces.push(TypedPiece {
                square,
                role: board.piece_at(square).filter(|piece| piece.color == color).map(|piece| piece.role),
                color,
                value_type: row.kind as u8,
                pawns: row.a[1].into(),
                closed_squares: row.a[2].into(),
            });
        }
        let sums = self.expect(5)?;
        let end = self.expect(6)?;
        let freedom = |field: usize| Rational64::new(end.a[field].into(), 12);
        let found = Assessment {
            balance: end.signed(2),
            pieces,
            closed_squares: [sums.a[1].into(), sums.a[2].into()],
            freedom: [freedom(0), freedom(1)],
        };
        if found.e_plus() != sums.signed(0) {
            return Err(sums.wrong("E+ is not the sum of the rows"));
        }
        let moves = self.all(1, |rows, row| {
            let twelfths = (rows.expect(0)?.word.address_part() << 40) as i64 >> 40;
            let step = row.step()?;
            let weighed = WeighedMove { step, e_plus: row.signed(2), weight: Rational64::new(twelfths, 12) };
            Ok((weighed, more(rows)?))
        })?;
        let best = self.next_if(7).map(|row| row.step()).transpose()?;
        Ok((found, moves, best))
    }

    fn route(&mut self, board: &Board, attack: &Attack, way: Row) -> Result<AttackRoute, NoAnswer> {
        let squares: Vec<Square> = match way.small {
            1 => vec![attack.from, way.square(1)?],
            2 => vec![attack.from, way.square(1)?, way.square(2)?],
            _ => return Err(way.wrong("one square or two are expected")),
        };
        if squares.last() != Some(&attack.to) {
            return Err(way.wrong("it does not end on the target"));
        }
        let stepping_aside = way.marked_square(0, 0o1000)?.map_or(Bitboard::EMPTY, Bitboard::from);
        let road = &Road { board, attack, squares: &squares };
        let alpha_squares =
            (0..squares.len()).map(|i| self.alpha_square(road, i)).collect::<Result<Vec<_>, NoAnswer>>()?;
        let blocks = self.all(5, |rows, row| rows.block(road, row))?;
        let retreat =
            |row: Row| Ok(Retreat { square: row.square(0)?, m: row.signed(2), f: row.flag(row.small)?.into() });
        let retreats = self.all(6, |_, row| retreat(row))?;
        let end = self.expect(7)?;
        Ok(AttackRoute {
            trajectory: trajectory(&squares, way)?,
            stepping_aside,
            closed_squares: closed_squares(&alpha_squares),
            alpha_squares,
            blocks,
            retreats,
            function: end.flag(end.small)?.into(),
            value: end.signed(2),
        })
    }

    /// Alpha square `i` with its negations, which precede it.
    fn alpha_square(&mut self, road: &Road<'_>, i: usize) -> Result<AlphaSquare, NoAnswer> {
        let square = road.squares[i];
        let negations = self.all(4, |rows, row| {
            let (from, step) = (row.square(0)?, row.marked_square(1, 0o400)?);
            let piece = road.board.piece_at(from).ok_or_else(|| row.wrong("no piece stands there"))?;
            let queens = |step: Square| piece.role == Role::Pawn && step.rank() == piece.color.other().backrank();
            let squares_of_way: Vec<Square> = [from].into_iter().chain(step).chain([square]).collect();
            let second = rows.second(row, road, i, step.unwrap_or(from))?;
            Ok(Negation {
                role: if step.is_some_and(queens) { Role::Queen } else { piece.role },
                way: trajectory(&squares_of_way, row)?,
                half_moves: row.small >> 2,
                m: row.signed(2),
                function: i32::from(second.is_none()),
                second,
            })
        })?;
        let row = self.expect(3)?;
        if row.square(0)? != square {
            return Err(row.wrong(&format!("{square} is expected")));
        }
        let (gain, m) = (i32::from(row.a[1]), row.signed(2));
        let (rho, f) = ((row.small >> 1 & 1) as i32, (row.small & 1) as i32);
        Ok(AlphaSquare { square, arrival: row.small >> 2, gain, negations, rho, m, f })
    }

    fn block(&mut self, road: &Road<'_>, row: Row) -> Result<Interposition, NoAnswer> {
        let (from, on) = (row.square(0)?, row.square(1)?);
        let role = road.board.role_at(from).ok_or_else(|| row.wrong("no piece stands there"))?;
        let second = self.second(row, road, road.squares.len() - 1, on)?;
        let m = (row.small & 0o40 == 0).then(|| row.signed(2));
        let f = if second.is_some() { 1 } else { m.map_or(0, tau) };
        Ok(Interposition { role, from, on, half_moves: row.small >> 2 & 0o7, m, f, second })
    }

    /// Why a negation or a block does not work: the low bits of its row, and the row after it. The attacker itself may
    /// take, from one of the `reached` squares of its way.
    fn second(
        &mut self,
        row: Row,
        road: &Road<'_>,
        reached: usize,
        on: Square,
    ) -> Result<Option<SecondNegation>, NoAnswer> {
        match row.small & 0o3 {
            0 => Ok(None),
            1 => {
                let next = self.expect(0)?;
                let by = next.marked_square(0, 0o1000)?.ok_or_else(|| next.wrong("no piece is named"))?;
                let is_attacker = road.squares[..reached].contains(&by);
                let role = if is_attacker { Some(road.attack.piece) } else { road.board.role_at(by) };
                let role = role.ok_or_else(|| next.wrong("no piece stands there"))?;
                Ok(Some(SecondNegation::Taken { role, by, on }))
            }
            2 => Ok(Some(SecondNegation::King)),
            _ => Err(row.wrong("no such reason")),
        }
    }
}

fn trajectory(squares: &[Square], row: Row) -> Result<Trajectory, NoAnswer> {
    Trajectory::try_from(squares).map_err(|error| row.wrong(&error.to_string()))
}

/// One line for each row of the exchanges.
pub(super) fn exchange_items(found: &Exchanges) -> Vec<String> {
    let moves = found.moves.iter().map(|each| {
        let king = if each.exposes_king { ", its king can be taken" } else { "" };
        format!("{}{} {:+}{king}", each.from, each.to, each.balance)
    });
    let takers = found.takers.iter().map(|(by, on)| format!("{by} bears on {on}"));
    let attacked = [Color::White, Color::Black].into_iter().zip(found.kings_attacked).filter(|&(_, attacked)| attacked);
    let kings = attacked.map(|(side, _)| format!("the {} king can be taken", colour_name(side)));
    moves.chain(takers).chain(kings).collect()
}

/// One line for each row of the map; the lines of a way begin with its squares.
pub(super) fn map_items(map: &Map) -> Vec<String> {
    let mut items = Vec::new();
    for value in &map.values {
        for route in &value.routes {
            let (way, moves) = (route.trajectory, value.attack.moves);
            let aside: String = route.stepping_aside.into_iter().map(|at| format!(" past {at}")).collect();
            items.push(format!("{way}{aside}: {moves} moves, F = {}, value {}", route.function, route.value));
            for alpha in &route.alpha_squares {
                let AlphaSquare { square, arrival, gain, rho, m, f, .. } = alpha;
                items.push(format!("{way} on {square}: n = {arrival}, gain {gain}, rho = {rho}, m = {m}, f = {f}"));
                items.extend(alpha.negations.iter().map(|negation| {
                    let Negation { way: by, half_moves, m, second, .. } = negation;
                    format!("{way} on {square}: {by} in {half_moves}, m = {m}{}", second_item(*second))
                }));
            }
            items.extend(route.blocks.iter().map(|block| {
                let m = block.m.map_or("none".to_owned(), |m| m.to_string());
                let (from, on, half_moves, f) = (block.from, block.on, block.half_moves, block.f);
                format!("{way}: block {from}{on} in {half_moves}, m = {m}, f = {f}{}", second_item(block.second))
            }));
            items.extend(route.retreats.iter().map(|retreat| {
                let Retreat { square, m, f } = retreat;
                format!("{way}: retreat to {square}, m = {m}, f = {f}")
            }));
        }
    }
    items
}

/// One line for each test, and one for the worth of the stop.
pub(super) fn test_items(tests: &Tests) -> Vec<String> {
    let item = |(sensible, test): &(Option<(Step, Sense)>, Test)| {
        let name = sensible.map_or("stop".to_owned(), |(step, sense)| format!("{step} ({})", sense.name()));
        let Test { takes, threatened, doomed, hoped, king_lost, holds, .. } = test;
        let end = if *king_lost {
            "void"
        } else if *holds {
            "holds"
        } else {
            "fails"
        };
        format!("{name}: takes {takes}, threatened {threatened}, doomed {doomed}, hoped {hoped}: {end}")
    };
    let Won { white, black } = tests.won;
    let worth = format!("won {white} and {black}, the stop is worth {}", tests.worth);
    tests.moves.iter().map(item).chain([worth]).collect()
}

/// One line for each piece attacked, one for the sums, one for each move, one for the best.
pub(super) fn worth_items(Weighed { position, moves, best }: &Weighed) -> Vec<String> {
    let best = best.map_or("no move".to_owned(), |step| format!("best {step}"));
    assessment_items(position).into_iter().chain(moves.iter().map(move_item)).chain([best]).collect()
}

/// One line for each first move of each horizon, those of [`worth_items`] with the standings, one for the choice.
pub(super) fn choice_items(choice: &VerdictChoice) -> Vec<String> {
    let first = |horizon: usize, FirstVerdict { step, sense, verdict, positions }: &FirstVerdict| {
        format!("horizon {}: {step} ({}): {verdict:?}, {positions} positions", horizon + 1, sense.name())
    };
    let firsts = choice.horizons.iter().enumerate();
    let mut items: Vec<String> =
        firsts.flat_map(|(horizon, firsts)| firsts.iter().map(move |each| first(horizon, each))).collect();
    items.extend(assessment_items(&choice.position));
    items.extend(choice.moves.iter().map(|(each, standing)| format!("{}: {standing:?}", move_item(each))));
    items.push(match choice.best {
        Some(step) => format!("chosen {step}: {:?}", choice.reason()),
        None => "no move".to_owned(),
    });
    items
}

fn assessment_items(position: &Assessment) -> Vec<String> {
    let piece = |each: &TypedPiece| {
        let TypedPiece { square, color, value_type, pawns, closed_squares, .. } = each;
        format!("{} on {square}: type {value_type}, {pawns} lost, {closed_squares} closed", colour_name(*color))
    };
    let Assessment { balance, closed_squares: [white, black], freedom: [white_p, black_p], .. } = position;
    let sums = format!(
        "balance {balance}, E+ {}, closed squares {white} and {black}, P {white_p} and {black_p}",
        position.e_plus()
    );
    position.pieces.iter().map(piece).chain([sums]).collect()
}

fn move_item(WeighedMove { step, e_plus, weight }: &WeighedMove) -> String {
    format!("{step}: E+ {e_plus}, W {weight}")
}

fn second_item(second: Option<SecondNegation>) -> String {
    match second {
        None => String::new(),
        Some(SecondNegation::Taken { by, on, .. }) => format!(", taken by {by} on {on}"),
        Some(SecondNegation::King) => ", its king can be taken".to_owned(),
    }
}
