//! The book's statements about positions in its variations, read from `data/book-figures.tsv`.

use chess_reference::map::exchange::material;
use chess_reference::map::{AfterLine, AttackRoute, Effort, InvisibleValue, LineVerdict, Map, Step, Test, analyse};
use chess_reference::{Placement, book_positions};
use m220_limits::Limits;
use shakmaty::Color;
use std::collections::HashMap;

const DATA: &str = include_str!("../data/book-figures.tsv");

/// The maximum number of positions that one verdict may examine.
const LIMIT: u64 = 20_000;

struct Row<'a> {
    /// Its line in the file.
    number: usize,
    position: &'a str,
    line: &'a str,
    horizon: u32,
    quantity: &'a str,
    expected: &'a str,
    book: &'a str,
    page: &'a str,
    note: &'a str,
}

fn rows() -> Vec<Row<'static>> {
    let numbered = (1..).zip(DATA.lines()).filter(|(_, line)| !line.starts_with('#'));
    numbered
        .map(|(number, line)| {
            let columns: Vec<&str> = line.split('\t').collect();
            let [position, moves, horizon, quantity, expected, book, page, note] = columns[..] else {
                panic!("line {number}: eight columns expected")
            };
            let horizon = match horizon.parse() {
                Ok(horizon) => horizon,
                Err(_) if quantity == "name" => 0,
                Err(_) => panic!("line {number}: {horizon:?} is not a horizon"),
            };
            Row { number, position, line: moves.trim_matches('-'), horizon, quantity, expected, book, page, note }
        })
        .collect()
}

/// Where an analysis starts, and the half-moves played since.
#[derive(Clone)]
struct Place {
    root: Placement,
    line: Vec<Step>,
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

    fn look(&self, horizon: u32, limit: u64) -> AfterLine {
        let mut analysis = analyse(&self.root, horizon, Effort::of(0), &Limits::default()).unwrap();
        analysis.after_line(&self.line, limit, &Limits::default()).unwrap()
    }

    fn map(&self, horizon: u32) -> Map {
        Map::new(&self.look(horizon, 0).position, horizon).unwrap()
    }
}

fn sorted(mut names: Vec<String>) -> String {
    names.sort();
    names.join(" ")
}

fn name(step: Option<Step>) -> String {
    step.map_or("stop".to_owned(), |step| step.to_string())
}

fn tested(place: &Place, horizon: u32, wanted: &str) -> Option<Test> {
    place.look(horizon, 0).tested.into_iter().find(|each| name(each.step) == wanted).map(|each| each.test)
}

/// The attack with this trajectory, and its route along the trajectory.
fn route<'a>(map: &'a Map, trajectory: &str) -> Option<(&'a InvisibleValue, &'a AttackRoute)> {
    let routes = map.values.iter().flat_map(|value| value.routes.iter().map(move |route| (value, route)));
    routes.into_iter().find(|(_, route)| route.trajectory.to_string() == trajectory)
}

/// The program's value for a quantity; `None` if the quantity is unknown or absent from this position.
fn computed(place: &Place, horizon: u32, quantity: &str) -> Option<String> {
    let (what, of) = quantity.split_once(' ').unwrap_or((quantity, ""));
    let number = |found: Option<i32>| found.map(|number| number.to_string());
    let test = || tested(place, horizon, of);
    let map = || place.map(horizon);
    match (what, of) {
        ("sensible", "") => {
            Some(sorted(map().sensible_moves().into_iter().map(|(step, _)| step.to_string()).collect()))
        }
        ("kept", "") => {
            let kept = place.look(horizon, 0).tested.into_iter().filter(|each| each.test.holds);
            Some(sorted(kept.map(|each| name(each.step)).collect()))
        }
        ("balance", _) => number(test().map(|test| test.balance())),
        ("takes", _) => number(test().map(|test| test.takes)),
        ("threatened", _) => number(test().map(|test| test.threatened)),
        ("doomed", "by White") => number(Some(map().doomed_by(Color::White))),
        ("doomed", "by Black") => number(Some(map().doomed_by(Color::Black))),
        ("doomed", _) => number(test().map(|test| test.doomed)),
        ("hoped", _) => number(test().map(|test| test.hoped)),
        ("keeps", _) => test().map(|test| if test.holds { "yes" } else { "no" }.to_owned()),
        ("verdict", "") => {
            let verdict = place.look(horizon, LIMIT).verdict;
            let name = match verdict {
                LineVerdict::Wins => "wins",
                LineVerdict::Loses => "loses",
                LineVerdict::Even => "even",
                LineVerdict::Fails => "fails",
                _ => return Some(format!("{verdict:?}")),
            };
            Some(name.to_owned())
        }
        ("material", "") => {
            let board = place.look(horizon, 0).position.board;
            number(Some(material(&board, Color::White) - material(&board, Color::Black)))
        }
        ("irresistible", "") => Some(map().values.iter().filter(|value| value.function() == 1).count().to_string()),
        ("half-moves", _) => route(&map(), of).map(|(value, _)| value.attack.half_moves.to_string()),
        ("closed", _) => route(&map(), of).map(|(_, route)| route.closed_squares().to_string()),
        ("retreats", _) => route(&map(), of).map(|(_, route)| {
            let safe = route.retreats.iter().filter(|retreat| retreat.f == 1);
            sorted(safe.map(|retreat| retreat.square.to_string()).collect())
        }),
        ("negations", _) => {
            let (square, way) = of.split_once(' ')?;
            let (map, square) = (map(), square.parse().ok()?);
            let (_, route) = route(&map, way)?;
            let alpha = route.alpha_squares.iter().find(|alpha| alpha.square == square)?;
            Some(alpha.negations.len().to_string())
        }
        ("wins", _) => route(&map(), of).map(|(_, route)| match route.function {
            1 => route.value.to_string(),
            _ => "nothing".to_owned(),
        }),
        ("q", _) => {
            let (from, to) = of.split_once('-')?;
            let (from, to) = (from.parse().ok()?, to.parse().ok()?);
            let map = map();
            let value = map.values.iter().find(|value| (value.attack.from, value.attack.to) == (from, to))?;
            Some(value.closed_squares().to_string())
        }
        ("freest", _) => {
            let from = of.parse().ok()?;
            let map = map();
            let own = map.values.iter().filter(|value| value.attack.from == from);
            let best = own.map(|value| (value.closed_squares(), -value.function(), -value.aim)).min();
            Some(best.map_or("none".to_owned(), |(q, function, aim)| format!("{q} {} {}", -function, -aim)))
        }
        _ => None,
    }
}

#[test]
fn every_figure_comes_out() {
    let mut named: HashMap<&str, Place> = HashMap::new();
    let (mut wrong, mut figures) = (Vec::new(), 0);
    for row in rows() {
        let number = row.number;
        let start = named.get(row.position).cloned().or_else(|| Place::root(row.position));
        let start = start.unwrap_or_else(|| panic!("line {number}: no position {:?}", row.position));
        let place = start.after(row.line).unwrap_or_else(|| panic!("line {number}: no moves {:?}", row.line));
        if row.quantity == "name" {
            named.insert(row.expected, place);
            continue;
        }
        figures += 1;
        match computed(&place, row.horizon, row.quantity) {
            Some(found) if found == row.expected => {}
            Some(found) => wrong.push(format!("line {number}: {} is {found}, not {}", row.quantity, row.expected)),
            None => wrong.push(format!("line {number}: there is no {:?} in this position", row.quantity)),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(figures > 100, "{figures}");
}

/// Every row names the book's page, and gives the reason where our figure differs from the book's.
#[test]
fn every_difference_is_explained() {
    for row in rows() {
        assert!(!row.page.is_empty(), "line {}: no page", row.number);
        assert_ne!(row.book, row.expected, "line {}: write = for the same", row.number);
        assert!(row.book == "=" || !row.note.is_empty(), "line {}: why does the book differ?", row.number);
    }
}
