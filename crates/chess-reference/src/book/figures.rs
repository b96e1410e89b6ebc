//! The book's figures and its numerical statements about positions, beside what this crate finds.
//!
//! `data/book-pictures.tsv` has the figures that show a position, a code table or the moves of a piece;
//! `data/book-figures.tsv` has the statements, with pages. Rows may be added to both.

use super::book_positions;
use crate::code_tables::Stamp;
use crate::map::exchange::balance;
use crate::map::{AfterLine, AttackRoute, Effort, InvisibleValue, LineVerdict, Map, Step, Test, analyse};
use crate::names::role_named;
use crate::prelude::*;
use crate::rows::rows;
use crate::{Task, bundle, shortest_trajectories};
use std::collections::HashMap;
use std::sync::LazyLock;

const PICTURES: &str = include_str!("../../data/book-pictures.tsv");
// The columns of book-figures.tsv:
//
// position: fig22, a number of the book (1 to 60), a FEN, or a name that an earlier row gives. Gains are counted from the
//   position that a named one came from.
// line: half-moves from there, by their squares; "-" none.
// horizon: in half-moves.
// quantity:
//   name                 the position after the line is called so from here on
//   sensible             the sensible moves
//   kept                 those of them, and "stop", that keep their inequality
//   balance M            White's gains less Black's before the half-move M (or "stop"), in pawns
//   takes M, threatened M, doomed M, hoped M   the other numbers of its inequality, in pawns
//   keeps M              yes or no
//   verdict              of the line's last move, for its mover: wins, loses, even, fails (at once)
//   material             White's men less Black's, kings left out, in pawns
//   irresistible         how many attacks have the function 1
//   doomed by White, doomed by Black   the first sum of (9)
//   half-moves T, closed T, retreats T   of the trajectory T (alpha fields run together): how long it takes, how many of its
//                        squares are closed, where the man attacked is safe
//   negations S T        how many men can take on the square S of the trajectory T
//   wins T               what T wins if its function is 1, by (4), in pawns; "nothing" if it is 0
//   q F-T                the fewest closed squares on the ways of the man on F to T
//   code P S             the moves that the piece P needs from S to every square, rank 8 first; "-" unreachable
//   ways F-T             the shortest trajectories of the man on F to T
//   freest F             the best attack of the man on F: closed squares, function, aim in pawns; "none"
// expected: what the program finds.
// book: what the book says, "=" the same, "~" no such figure, which follows from what it says there.
// page: of the book, one off at most.
// note: why they differ, or what the book's words are.
const STATEMENTS: &str = include_str!("../../data/book-figures.tsv");
/// The quantities of the statements in words.
const QUANTITIES: &str = include_str!("../../data/book-quantities.tsv");

/// The most positions that one verdict may look into.
const LIMIT: u64 = 20_000;

/// A position of the book, and half-moves from there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The position that the gains are counted from.
    pub root: Placement,
    /// The half-moves played since.
    pub line: Vec<Step>,
}

/// What a figure shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shown {
    /// A position.
    Position,
    /// The number of moves that a white piece needs from a square to every other one.
    Code(Role, Square),
    /// Code tables.
    Tables(Vec<Stamp>),
    /// Keys of interdiction, each with the code table that it is laid upon.
    Keys(Vec<Stamp>),
}

/// A figure of the book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Figure {
    /// Its number.
    pub number: u32,
    /// The page, one off at most.
    pub page: &'static str,
    /// What it shows.
    pub shown: Shown,
    /// Where; the empty board for tables.
    pub place: Place,
    /// Its title.
    pub title: &'static str,
    /// What the book says, in short.
    pub says: &'static str,
    /// The command that shows it, without `m220`.
    pub command: &'static str,
    /// The only quantity whose statements belong to the figure; `None` if all those of its position do.
    quantity: Option<&'static str>,
}

/// A statement of the book about a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// Its line in the table.
    pub row: usize,
    /// The position.
    pub place: Place,
    /// The horizon, in half-moves.
    pub horizon: u32,
    /// What is stated, as the table has it.
    pub quantity: &'static str,
    /// What this crate finds.
    pub expected: &'static str,
    /// What the book says; `None` if it is the same, or nothing.
    pub differs: Option<&'static str>,
    /// The book gives no such figure: this one follows from what it says there.
    pub derived: bool,
    /// The page, one off at most.
    pub page: &'static str,
    /// Why they differ, or the book's own words.
    pub note: &'static str,
}

fn step(text: &str) -> Option<Step> {
    Some(Step { from: text.get(..2)?.parse().ok()?, to: text.get(2..)?.parse().ok()? })
}

impl Place {
    fn root(name: &str) -> Option<Place> {
        let number = if name == "fig22" { Some(0) } else { name.parse::<usize>().ok() };
        let fen = number.map_or(Some(name), |number| Some(book_positions().get(number)?.fen))?;
        Some(Place { root: Placement::from_fen(fen).ok()?, line: Vec::new() })
    }

    fn after(mut self, moves: &str) -> Option<Place> {
        for text in moves.split_whitespace() {
            self.line.push(step(text)?);
        }
        Some(self)
    }

    fn look(&self, horizon: u32, limit: u64, limits: &Limits) -> Option<AfterLine> {
        let mut analysis = analyse(&self.root, horizon, Effort::of(0), limits).ok()?;
        analysis.after_line(&self.line, limit, limits).ok()
    }

    /// The position after the line.
    #[must_use]
    pub fn position(&self) -> Placement {
        let looked = (!self.line.is_empty()).then(|| self.look(1, 0, &Limits::default())).flatten();
        looked.map_or_else(|| self.root.clone(), |after| after.position)
    }
}

/// The figures, by their numbers.
///
/// # Panics
/// If the table is malformed; a test reads it.
pub fn figures() -> &'static [Figure] {
    static FIGURES: LazyLock<Vec<Figure>> = LazyLock::new(|| rows("book-pictures.tsv", PICTURES, figure));
    &FIGURES
}

fn figure([number, page, shows, position, line, title, says, command, quantity]: [&'static str; 9]) -> Option<Figure> {
    let root = if position == "-" { "8/8/8/8/8/8/8/8 w - - 0 1" } else { position };
    let words: Vec<&str> = shows.split(' ').collect();
    let shown = match words[..] {
        ["position"] => Shown::Position,
        ["code", piece, square] => Shown::Code(role_named(piece)?, square.parse().ok()?),
        ["table", piece] => Shown::Tables(tables(piece)?),
        ["key", "all"] => {
            Shown::Keys(["king", "queen", "white-pawn"].into_iter().filter_map(tables).flatten().collect())
        }
        ["key", piece] => Shown::Keys(tables(piece)?),
        _ => return None,
    };
    Some(Figure {
        number: number.parse().ok()?,
        page,
        shown,
        place: Place::root(root)?.after(line)?,
        title,
        says,
        command,
        quantity: (!quantity.is_empty()).then_some(quantity),
    })
}

fn tables(piece: &str) -> Option<Vec<Stamp>> {
    let pawn = |colour| vec![Stamp::PawnMove(colour), Stamp::PawnCapture(colour)];
    Some(match piece {
        "white-pawn" => pawn(Color::White),
        "black-pawn" => pawn(Color::Black),
        "king" => vec![Stamp::King],
        "queen" => vec![Stamp::Queen],
        "rook" => vec![Stamp::Rook],
        "bishop" => vec![Stamp::Bishop],
        "knight" => vec![Stamp::Knight],
        _ => return None,
    })
}

/// The statements, in the order of the table.
///
/// # Panics
/// If the table is malformed; a test reads it.
pub fn statements() -> &'static [Statement] {
    static READ: LazyLock<Vec<Statement>> = LazyLock::new(|| {
        let mut named: HashMap<&str, Place> = HashMap::new();
        let rows = (1..).zip(STATEMENTS.lines()).filter(|(_, line)| !line.starts_with('#'));
        let read = rows.filter_map(|(number, line)| {
            let malformed = || -> ! { panic!("book-figures.tsv, line {number}: malformed row: {line}") };
            let columns: Vec<&'static str> = line.split('\t').collect();
            let [position, moves, horizon, quantity, expected, book, page, note] = columns[..] else { malformed() };
            let start = named.get(position).cloned().or_else(|| Place::root(position));
            let Some(place) = start.and_then(|start| start.after(moves.trim_matches('-'))) else { malformed() };
            if quantity == "name" {
                named.insert(expected, place);
                return None;
            }
            let Ok(horizon) = horizon.parse() else { malformed() };
            let derived = book == "~";
            let differs = (book != "=" && !derived).then_some(book);
            Some(Statement { row: number, place, horizon, quantity, expected, differs, derived, page, note })
        });
        read.collect()
    });
    &READ
}

impl Figure {
    /// The statements that belong to the figure: those about its position, and about later ones up to the next figure.
    pub fn statements(&self) -> impl Iterator<Item = &'static Statement> + '_ {
        statements().iter().filter(|statement| self.has(statement))
    }

    fn has(&self, statement: &Statement) -> bool {
        let begins =
            |place: &Place| place.root == statement.place.root && statement.place.line.starts_with(&place.line);
        let positions = || figures().iter().filter(|figure| figure.shown == Shown::Position);
        match (self.quantity, &self.shown) {
            (Some(quantity), _) => begins(&self.place) && statement.quantity == quantity,
            (None, Shown::Position)
                if figures().iter().any(|figure| {
                    figure.quantity == Some(statement.quantity) && figure.place.root == statement.place.root
                }) =>
            {
                false
            }
            (None, Shown::Position) => {
                let nearest = positions().filter(|figure| begins(&figure.place)).max_by_key(|f| f.place.line.len());
                nearest.is_some_and(|figure| figure.number == self.number)
            }
            _ => false,
        }
    }
}

/// The number of moves that a white piece needs from a square to every square, rank 8 first; 0 for the start, `None`
/// for squares out of reach.
#[must_use]
pub fn code_of_moves(position: &Placement, role: Role, from: Square) -> Vec<(Square, Option<u32>)> {
    let piece = role.of(Color::White);
    let squares = Rank::ALL.into_iter().rev().flat_map(|rank| File::ALL.map(|file| Square::from_coords(file, rank)));
    let moves = |to| if to == from { Some(0) } else { bundle(&position.board, &Task { piece, from, to }, None).moves };
    squares.map(|to| (to, moves(to))).collect()
}

fn sorted(mut names: Vec<String>) -> String {
    names.sort();
    names.join(" ")
}

fn name(step: Option<Step>) -> String {
    step.map_or("stop".to_owned(), |step| step.to_string())
}

/// The attack with this trajectory, and its route along the trajectory.
fn route<'a>(map: &'a Map, trajectory: &str) -> Option<(&'a InvisibleValue, &'a AttackRoute)> {
    map.routes().find(|(_, route)| route.trajectory.to_string() == trajectory)
}

impl Statement {
    /// Whether what is found is what the book says.
    #[must_use]
    pub fn is_met_by(&self, found: &str) -> bool {
        self.differs.is_none() && found == self.expected
    }

    /// The statement in words.
    #[must_use]
    pub fn in_words(&self) -> Sentence {
        let (what, of) = self.quantity.split_once(' ').unwrap_or((self.quantity, ""));
        let what = if ["doomed by White", "doomed by Black"].contains(&self.quantity) { self.quantity } else { what };
        let (first, rest) = of.split_once(' ').unwrap_or((of, ""));
        let words = QUANTITIES.lines().filter_map(|line| line.split_once('\t')).find(|(known, _)| *known == what);
        let template = words.map_or(self.quantity, |(_, words)| words);
        Sentence::new(template, &["of", "first", "rest"], &[&of, &first, &rest])
    }

    fn map(&self, limits: &Limits) -> Option<Map> {
        Map::new(&self.place.look(self.horizon, 0, limits)?.position, self.horizon).ok()
    }

    /// What this crate finds; `None` if the quantity is unknown or absent from the position.
    #[must_use]
    pub fn found(&self, limits: &Limits) -> Option<String> {
        let (what, of) = self.quantity.split_once(' ').unwrap_or((self.quantity, ""));
        let number = |found: Option<i32>| found.map(|number| number.to_string());
        let look = |limit| self.place.look(self.horizon, limit, limits);
        let test =
            || -> Option<Test> { look(0)?.tested.into_iter().find(|each| name(each.step) == of).map(|each| each.test) };
        let map = || self.map(limits);
        match (what, of) {
            ("sensible", "") => {
                Some(sorted(map()?.sensible_moves().into_iter().map(|(step, _)| step.to_string()).collect()))
            }
            ("kept", "") => {
                let kept = look(0)?.tested.into_iter().filter(|each| each.test.holds);
                Some(sorted(kept.map(|each| name(each.step)).collect()))
            }
            ("balance", _) => number(test().map(|test| test.balance())),
            ("takes", _) => number(test().map(|test| test.takes)),
            ("threatened", _) => number(test().map(|test| test.threatened)),
            ("doomed", "by White") => number(Some(map()?.doomed_by(Color::White))),
            ("doomed", "by Black") => number(Some(map()?.doomed_by(Color::Black))),
            ("doomed", _) => number(test().map(|test| test.doomed)),
            ("hoped", _) => number(test().map(|test| test.hoped)),
            ("keeps", _) => test().map(|test| if test.holds { "yes" } else { "no" }.to_owned()),
            ("verdict", "") => Some(match look(LIMIT)?.verdict {
                verdict @ (LineVerdict::NoWin | LineVerdict::NoLoss | LineVerdict::Open) => format!("{verdict:?}"),
                verdict => verdict.to_string(),
            }),
            ("material", "") => number(Some(balance(&look(0)?.position.board))),
            ("irresistible", "") => {
                Some(map()?.values.iter().filter(|value| value.function() == 1).count().to_string())
            }
            ("half-moves", _) => route(&map()?, of).map(|(value, _)| value.attack.half_moves.to_string()),
            ("closed", _) => route(&map()?, of).map(|(_, route)| route.closed_squares.to_string()),
            ("retreats", _) => route(&map()?, of).map(|(_, route)| {
                let safe = route.retreats.iter().filter(|retreat| retreat.f == 1);
                sorted(safe.map(|retreat| retreat.square.to_string()).collect())
            }),
            ("negations", _) => {
                let (square, way) = of.split_once(' ')?;
                let (map, square) = (map()?, square.parse().ok()?);
                let (_, route) = route(&map, way)?;
                let alpha = route.alpha_squares.iter().find(|alpha| alpha.square == square)?;
                Some(alpha.negations.len().to_string())
            }
            ("wins", _) => route(&map()?, of).map(|(_, route)| match route.function {
                1 => route.value.to_string(),
                _ => "nothing".to_owned(),
            }),
            ("q", _) => {
                let (from, to) = of.split_once('-')?;
                let (from, to) = (from.parse().ok()?, to.parse().ok()?);
                let map = map()?;
                let value = map.values.iter().find(|value| (value.attack.from, value.attack.to) == (from, to))?;
                Some(value.closed_squares().to_string())
            }
            ("freest", _) => {
                let from = of.parse().ok()?;
                let map = map()?;
                let own = map.values.iter().filter(|value| value.attack.from == from);
                let best = own.map(|value| (value.closed_squares(), -value.function(), -value.aim)).min();
                Some(best.map_or("none".to_owned(), |(q, function, aim)| format!("{q} {} {}", -function, -aim)))
            }
            ("code", _) => {
                let (piece, from) = of.split_once(' ')?;
                let code = code_of_moves(&self.place.position(), role_named(piece)?, from.parse().ok()?);
                let number = |&(_, moves): &(Square, Option<u32>)| moves.map_or("-".to_owned(), |n| n.to_string());
                let rank = |rank: &[_]| rank.iter().map(number).collect::<Vec<_>>().join(" ");
                Some(code.chunks(8).map(rank).collect::<Vec<_>>().join("/"))
            }
            ("ways", _) => {
                let (from, to) = of.split_once('-')?;
                let (from, to) = (from.parse().ok()?, to.parse().ok()?);
                let board = self.place.position().board;
                let found = shortest_trajectories(&board, &Task { piece: board.piece_at(from)?, from, to }, None);
                Some(found.ok()?.list.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every statement belongs to one figure, or to a code figure and no other.
    #[test]
    fn every_statement_has_its_figure() {
        for statement in statements() {
            let of: Vec<u32> = figures().iter().filter(|figure| figure.has(statement)).map(|f| f.number).collect();
            assert_eq!(of.len(), 1, "line {}: {of:?}", statement.row);
        }
        assert!(figures().is_sorted_by_key(|figure| figure.number));
    }

    /// The figures of the main line stand where the book's captions say.
    #[test]
    fn captions_name_the_last_move() {
        for figure in figures().iter().filter(|figure| figure.number > 25) {
            let last = figure.place.line.last().map(|step| step.to.to_string()).unwrap_or_default();
            assert!(figure.title.trim_end_matches('+').ends_with(&last), "{}: {last}", figure.title);
        }
    }
}
