//! Suites of positions in Extended Position Description: one position per line, followed by operations.
//!
//! Example: `4k2r/8/5B1P/5KpP/8/8/8/3R4 w k g6 bm hxg6; dm 2; id "Langstaff";`. The operations `bm` (best moves), `dm`
//! (mate in that many moves) and `id` are read, others are ignored. The two counters of a FEN may precede them.

use crate::Placement;
use crate::legal::to_uci;
use shakmaty::Chess;
use shakmaty::fen::Fen;
use shakmaty::san::San;

/// A position of a suite, with its expected result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SuitePosition {
    /// The line of the file, from 1.
    pub line: usize,
    /// The position as a FEN of six fields.
    pub fen: String,
    /// `id`: its name; empty if it has none.
    pub id: String,
    /// `bm`: the best moves, in UCI notation.
    pub best: Vec<String>,
    /// `dm`: the number of moves in which the side to move mates.
    pub mate_in: Option<u32>,
}

/// What is wrong with a suite.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct SuiteError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there, and what was expected.
    pub reason: String,
}

/// Reads a suite; empty lines and lines that begin with `#` are skipped.
///
/// # Errors
/// [`SuiteError`] for the first line that is not a legal position with well-formed operations, or for an empty suite.
pub fn read_suite(text: &str) -> Result<Vec<SuitePosition>, SuiteError> {
    let mut positions = Vec::new();
    for (line, text) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        let text = text.trim();
        if !text.is_empty() && !text.starts_with('#') {
            positions.push(read_line(line, text).map_err(|reason| SuiteError { line, reason })?);
        }
    }
    match positions.is_empty() {
        true => Err(SuiteError { line: 1, reason: "no positions; expected one in EPD per line".to_owned() }),
        false => Ok(positions),
    }
}

fn read_line(line: usize, text: &str) -> Result<SuitePosition, String> {
    let mut rest = text;
    let mut fields = Vec::new();
    while fields.len() < 4 {
        let (field, behind) = next_word(rest);
        if field.is_empty() {
            return Err(format!("'{text}': expected placement, side to move, castling and en-passant square"));
        }
        fields.push(field);
        rest = behind;
    }
    for default in ["0", "1"] {
        let (counter, behind) = next_word(rest);
        let is_counter = !counter.is_empty() && counter.bytes().all(|byte| byte.is_ascii_digit());
        fields.push(if is_counter { counter } else { default });
        rest = if is_counter { behind } else { rest };
    }
    let fen = fields.join(" ");
    let parsed: Fen = fen.parse().map_err(|error| format!("'{fen}': {error}"))?;
    let position = Chess::try_from(&Placement::from_setup(parsed.into_setup()))
        .map_err(|error| format!("'{fen}' is not a legal position: {error}"))?;
    let mut found = SuitePosition { line, fen, id: String::new(), best: Vec::new(), mate_in: None };
    for operation in operations(rest)? {
        let (name, operand) = next_word(&operation);
        match name {
            "bm" => {
                for san in operand.split_whitespace() {
                    found.best.push(uci(&position, san)?);
                }
                if found.best.is_empty() {
                    return Err("bm: expected a move".to_owned());
                }
            }
            "dm" => {
                let moves = operand.trim().parse().ok().filter(|&moves| moves > 0);
                found.mate_in = Some(moves.ok_or_else(|| format!("dm {operand}: expected a number of moves"))?);
            }
            "id" if operand.trim().is_empty() => return Err("id: expected a name".to_owned()),
            "id" => found.id = operand.trim().trim_matches('"').to_owned(),
            _ => {}
        }
    }
    Ok(found)
}

/// The first word, and the rest without leading blanks.
fn next_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    (&text[..end], text[end..].trim_start())
}

/// Splits the text into operations, each ended by a semicolon outside quotation marks.
fn operations(text: &str) -> Result<Vec<String>, String> {
    let (mut found, mut operation, mut quoted) = (Vec::new(), String::new(), false);
    for letter in text.chars() {
        match letter {
            '"' => {
                quoted = !quoted;
                operation.push(letter);
            }
            ';' if !quoted => found.push(std::mem::take(&mut operation)),
            _ => operation.push(letter),
        }
    }
    match (quoted, operation.trim()) {
        (true, _) => Err("a quotation mark is not closed".to_owned()),
        (false, "") => Ok(found),
        (false, rest) => Err(format!("'{rest}': expected ; at the end of an operation")),
    }
}

fn uci(position: &Chess, san: &str) -> Result<String, String> {
    let parsed: San =
        san.trim_end_matches(['+', '#', '!', '?']).parse().map_err(|_| format!("bm {san}: not a move"))?;
    let legal = parsed.to_move(position).map_err(|error| format!("bm {san}: {error}"))?;
    Ok(to_uci(legal).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_with_operations_are_read() {
        let text = "# mates\n\n4k2r/8/5B1P/5KpP/8/8/8/3R4 w k g6 bm hxg6; dm 2; id \"Lang; staff\"; c0 \"x\";\n\
            6k1/8/8/3n4/4P3/8/8/6K1 w - - 3 9 bm exd5 Kf2;\n7k/8/8/8/8/8/8/K7 b - -\n";
        let found = read_suite(text).unwrap();
        assert_eq!(
            found[0],
            SuitePosition {
                line: 3,
                fen: "4k2r/8/5B1P/5KpP/8/8/8/3R4 w k g6 0 1".to_owned(),
                id: "Lang; staff".to_owned(),
                best: vec!["h5g6".to_owned()],
                mate_in: Some(2),
            }
        );
        assert_eq!(
            (found[1].fen.as_str(), &found[1].best[..]),
            ("6k1/8/8/3n4/4P3/8/8/6K1 w - - 3 9", &["e4d5".to_owned(), "g1f2".to_owned()][..])
        );
        assert_eq!((found[2].line, found[2].mate_in, found[2].best.len()), (5, None, 0));
    }

    #[test]
    fn damage_is_named_with_its_line() {
        let error = |text: &str| read_suite(text).unwrap_err().to_string();
        assert_eq!(error("\n"), "line 1: no positions; expected one in EPD per line");
        assert!(error("# a\n8/8 w").starts_with("line 2: '8/8 w': expected placement"));
        assert!(error("8/8/8/8/8/8/8/K7 w - -").starts_with("line 1: "));
        let knight = "6k1/8/8/3n4/4P3/8/8/6K1 w - - ";
        assert_eq!(error(&format!("{knight}bm Qa1;")), "line 1: bm Qa1: illegal san");
        assert_eq!(error(&format!("{knight}bm ;")), "line 1: bm: expected a move");
        assert_eq!(error(&format!("{knight}id;")), "line 1: id: expected a name");
        assert!(error(&format!("{knight}dm soon;")).contains("expected a number of moves"));
        assert!(error(&format!("{knight}bm exd5")).contains("expected ; at the end"));
        assert!(error(&format!("{knight}id \"x;")).contains("not closed"));
    }
}
