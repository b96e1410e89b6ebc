//! `m220 book`: the book's figures.

use crate::command::m220;
use crate::fixtures::{folder, path};

/// Every figure of the book gives the table's results, and the machine agrees on what it shows.
#[test]
fn the_figures_of_the_book_are_a_page() {
    let folder = folder();
    let page = folder.path().join("book.html");
    let document = m220(&["book", "--html", path(&page), "--format", "json"]).code(0).json();
    let page = std::fs::read_to_string(&page).unwrap();
    let figures = document["figures"].as_array().unwrap();
    assert!(figures.len() >= 24, "{}", figures.len());
    for figure in figures {
        let number = figure["figure"].as_u64().unwrap();
        assert!(page.contains(&format!("<h2 id=\"fig{number}\">")), "{number}");
        assert_ne!(figure["equal"], serde_json::json!(false), "{number}");
    }
    let of = |number: u64| figures.iter().find(|figure| figure["figure"] == number).unwrap();
    assert_eq!(of(31)["fen"], "6k1/p3P2p/1p3Q2/3p3p/2pP4/qnP5/6PP/6K1 b - - 0 34");
    assert_eq!(of(10)["equal"], true);
    let knight = of(10)["statements"][0].clone();
    assert_eq!((knight["as_the_book"].clone(), knight["page"].as_str()), (false.into(), Some("62")));
}

#[test]
fn a_figure_is_shown_by_its_number() {
    let text = m220(&["book", "25"]).code(0).out;
    assert!(
        text.starts_with("Fig. 25, page 73") && text.contains("shortest paths e5-e7: e5c7e7 e5d6e7 e5f6e7"),
        "{text}"
    );
    assert!(text.contains("equal: machine and native reference give the same"), "{text}");
    let table = m220(&["book", "8"]).code(0).out;
    assert!(table.contains("\n6 5 4 5 4 5 4 5 4 5 4 5 4 5 6\n"), "{table}");
    assert!(m220(&["book", "1"]).code(3).err.contains("m220 book lists"));
    assert!(m220(&["book", "--svg", "-"]).code(2).err.contains("expected its number"));
}
