//! The book's statements about positions in its variations: `data/book-figures.tsv`.

use chess_reference::book::figures::statements;
use m220_limits::Limits;

#[test]
fn every_figure_comes_out() {
    let mut wrong = Vec::new();
    for statement in statements() {
        match statement.found(&Limits::default()) {
            Some(found) if found == statement.expected => {}
            Some(found) => {
                wrong.push(format!(
                    "line {}: {} is {found}, not {}",
                    statement.row, statement.quantity, statement.expected
                ));
            }
            None => wrong.push(format!("line {}: there is no {:?} here", statement.row, statement.quantity)),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(statements().len() > 110, "{}", statements().len());
}

/// Every row names the book's page, and gives the reason where our figure differs from the book's.
#[test]
fn every_difference_is_explained() {
    for statement in statements() {
        let row = statement.row;
        assert!(!statement.page.is_empty(), "line {row}: no page");
        assert!(!(statement.derived && statement.differs.is_some()), "line {row}");
        assert_ne!(statement.differs, Some(statement.expected), "line {row}: write = for the same");
        assert!(statement.differs.is_none() || !statement.note.is_empty(), "line {row}: why does the book differ?");
    }
}
