//! Compares the maps of Fig. 22, the machine's and the native ones, value by value with the three that the book prints;
//! and both engines in every position on which the book makes a statement.

use chess_reference::book::figures::statements;
use chess_reference::map::{AttackRoute, InvisibleValue, Map, Negation, OwnPieces, Reach};
use chess_reference::{Placement, book_positions};
use m220_chess::map::{MOST_HORIZON, MapProgram, MapQuestion, TestsQuestion};
use m220_chess::program::Settings;
use m220_chess::run::ChessProgram;
use m220_chess::verdict::Verdict;
use m220_isa::Model;
use m220_limits::Limits;
use shakmaty::Color;
use std::collections::BTreeSet;

const DATA: &str = include_str!("../../../crates/chess-reference/data/printed-maps.tsv");

struct Row<'a> {
    horizon: u32,
    trajectory: &'a str,
    alpha: &'a str,
    printed: &'a str,
    computed: &'a str,
    verdict: &'a str,
    why: &'a str,
}

fn rows() -> Vec<Row<'static>> {
    DATA.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let columns: Vec<&str> = line.split('\t').collect();
            let [horizon, trajectory, alpha, printed, computed, verdict, why] = columns[..] else {
                panic!("seven columns expected: {line}")
            };
            Row { horizon: horizon.parse().unwrap(), trajectory, alpha, printed, computed, verdict, why }
        })
        .collect()
}

fn negation(negation: &Negation, attacker: Color) -> String {
    let steps: Vec<String> = negation.way[..negation.way.len() - 1].iter().map(ToString::to_string).collect();
    let mark = if negation.function == 0 { "!" } else { "" };
    format!("{}{}{}{mark}", attacker.fold_wb("j", ""), negation.role.upper_char(), steps.join("-"))
}

fn alpha(value: &InvisibleValue, route: &AttackRoute, name: &str) -> String {
    let alpha = route.alpha_squares.iter().find(|alpha| alpha.square.to_string() == name).unwrap();
    let harmful = alpha.negations.iter().filter(|negation| negation.m < 0);
    joined(harmful.map(|each| negation(each, value.attack.side)).collect(), "+")
}

fn retreats(route: &AttackRoute) -> String {
    let safe = route.retreats.iter().filter(|retreat| retreat.f == 1);
    joined(safe.map(|retreat| retreat.square.to_string()).collect(), " ")
}

fn joined(mut names: Vec<String>, by: &str) -> String {
    names.sort();
    if names.is_empty() { "-".to_owned() } else { names.join(by) }
}

fn whole(value: &InvisibleValue, route: &AttackRoute) -> String {
    let names = route.alpha_squares.iter().map(|alpha| alpha.square.to_string());
    let all: Vec<String> = names.map(|name| format!("{name}:{}", alpha(value, route, &name))).collect();
    all.into_iter().filter(|each| !each.ends_with(":-")).collect::<Vec<_>>().join(";")
}

fn fig_22() -> Placement {
    Placement::from_fen(book_positions()[0].fen).unwrap()
}

fn settings() -> Settings {
    MapProgram::BUILT_IN.settings(Model::M220, &Limits::default().with_instructions(100_000_000))
}

#[test]
fn every_value_of_the_native_maps_is_as_the_table_says() {
    are_as_the_table_says(|horizon| Map::new(&fig_22(), horizon).unwrap());
}

#[test]
fn every_value_of_the_machine_is_as_the_table_says() {
    let program = MapProgram::built_in().unwrap();
    are_as_the_table_says(|horizon| {
        let (own_pieces, reach) = (OwnPieces::StepAside, Reach::FromNow);
        let run = program.ask(&MapQuestion { position: &fig_22(), horizon, own_pieces, reach }, &settings()).unwrap();
        run.answer().unwrap_or_else(|| panic!("horizon {horizon}: {:?}", run.outcome)).clone()
    });
}

/// The maps and the tests of moves of both engines are equal wherever a statement of the book has a horizon.
#[test]
fn both_engines_agree_where_the_book_says_something() {
    let program = MapProgram::built_in().unwrap();
    let settings = settings();
    let mut asked = BTreeSet::new();
    for statement in statements() {
        let (position, horizon) = (&statement.place.position(), statement.horizon);
        if !(1..=MOST_HORIZON).contains(&horizon) || !asked.insert((position.to_fen(), horizon)) {
            continue;
        }
        let (own_pieces, reach) = (OwnPieces::StepAside, Reach::FromNow);
        let map = program.compare(&MapQuestion { position, horizon, own_pieces, reach }, &settings).unwrap();
        let (root, interpretation) = (&statement.place.root.board, Default::default());
        let tests = TestsQuestion { root, position, horizon, interpretation, decides: true };
        let tests = program.compare(&tests, &settings).unwrap();
        for verdict in [map.verdict, tests.verdict] {
            assert_eq!(verdict, Verdict::Equal, "row {}: {}", statement.row, position.to_fen());
        }
    }
    assert!(asked.len() > 20, "{}", asked.len());
}

fn are_as_the_table_says(map_within: impl Fn(u32) -> Map) {
    let maps = [1, 2, 3].map(map_within);
    let mut seen = BTreeSet::new();
    for row in rows() {
        let map = &maps[row.horizon as usize - 1];
        let all = map.values.iter().flat_map(|value| value.routes.iter().map(move |route| (value, route)));
        let (value, route) = all
            .into_iter()
            .find(|(_, route)| route.trajectory.to_string() == row.trajectory)
            .unwrap_or_else(|| panic!("horizon {}: no {}", row.horizon, row.trajectory));
        let computed = match row.alpha {
            "whole" => whole(value, route),
            "retreat" => retreats(route),
            name => alpha(value, route, name),
        };
        assert_eq!(computed, row.computed, "horizon {}, {}, {}", row.horizon, row.trajectory, row.alpha);
        seen.insert((row.horizon, row.trajectory));
    }
    for map in &maps {
        for route in map.values.iter().flat_map(|value| &value.routes) {
            let (horizon, name) = (map.horizon, route.trajectory.to_string());
            assert!(seen.contains(&(horizon, name.as_str())), "horizon {horizon}: {name} is not in the table");
        }
    }
}

#[test]
fn agreement_is_claimed_where_there_is_agreement_and_nowhere_else() {
    let mut differences = 0;
    for row in rows() {
        let agrees = row.printed == row.computed || (row.printed == "..." && row.computed != "-");
        assert_eq!(row.verdict == "agree", agrees, "{} {}", row.trajectory, row.alpha);
        assert_eq!(row.why.is_empty(), agrees, "{} {}", row.trajectory, row.alpha);
        assert!(["agree", "scan", "omission", "rule"].contains(&row.verdict), "{}", row.verdict);
        differences += usize::from(!agrees);
    }
    assert_eq!((rows().len(), differences), (111, 28));
}
