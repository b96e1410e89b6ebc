//! The small endings: totals, single positions, and properties against an independent generator of moves.

use chess_reference::endings::{Classes, Longest, Material, plain};
use shakmaty::Role;
use std::collections::BTreeMap;
use std::sync::LazyLock;

static ALL: LazyLock<BTreeMap<Material, Classes>> =
    LazyLock::new(|| Material::ALL.into_iter().map(|ending| (ending, Classes::of(ending))).collect());

fn number(text: &str) -> Option<u64> {
    (text != "-").then(|| text.parse().unwrap())
}

fn check_longest(text: &str, longest: Option<Longest>, row: &str) {
    let Some(longest) = longest else { return assert_eq!(text, "-", "{row}") };
    let expected: Vec<Option<u64>> = text.split(' ').map(number).collect();
    let moves = u64::from(longest.class.div_ceil(2));
    assert_eq!((Some(moves), Some(longest.positions)), (expected[0], expected[1]), "{row}");
    if expected[2].is_some() {
        assert_eq!(Some(longest.up_to_symmetry), expected[2], "{row}");
    }
}

#[test]
fn the_totals_are_those_of_the_table() {
    let rows: Vec<&str> = include_str!("../data/endings.tsv").lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(rows.len(), Material::ALL.len());
    for row in rows {
        let cells: Vec<&str> = row.split('\t').collect();
        let classes = &ALL[&cells[0].parse::<Material>().unwrap()];
        let totals = classes.totals();
        let found = [classes.max_class().map(u64::from), Some(totals.legal_white), Some(totals.won())]
            .into_iter()
            .chain([totals.legal_black, totals.lost()].map(Some));
        assert_eq!(found.collect::<Vec<_>>(), cells[1..6].iter().map(|cell| number(cell)).collect::<Vec<_>>(), "{row}");
        if let Some(stalemate) = number(cells[6]) {
            assert_eq!(totals.stalemate, stalemate, "{row}");
        }
        check_longest(cells[7], totals.longest_white, row);
        check_longest(cells[8], totals.longest_black, row);
        if cells[9] != "-" {
            let expected: Vec<u64> = cells[9].split(' ').filter_map(number).collect();
            assert_eq!(totals.classes, expected, "{row}");
        }
    }
}

#[test]
fn one_position_at_a_time_gives_the_same() {
    for (role, ending) in [(Role::Rook, Material::Krk), (Role::Queen, Material::Kqk), (Role::Bishop, Material::Kbk)] {
        assert_eq!(plain::histogram(role), ALL[&ending].totals().classes, "{ending}");
    }
}
