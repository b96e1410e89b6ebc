//! Suites of positions in Extended Position Description: one position per line, followed by operations.
//!
//! Example: `4k2r/8/5B1P/5KpP/8/8/8/3R4 w k g6 bm hxg6; dm 2; id "Langstaff";`. The operations `bm` (best moves), `dm`
//! (mate in that many moves) and `id` are read, others are ignored. The two counters of a FEN may precede them. Bytes that
//! are not UTF-8 are shown as `\xfc`.

use crate::prelude::*;
use shakmaty::san::San;
use shakmaty::uci::UciMove;
use std::fmt::Write;
use std::io::{self, BufRead, Read};

/// The longest line, in bytes.
const LONGEST_LINE: usize = 1 << 16;

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
    /// What was put right in the line.
    pub put_right: Vec<Sentence>,
}

/// What is wrong with a suite.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// A line is wrong; the next ones can be read.
    #[error("line {line}: {reason}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What is wrong there, and what was expected.
        reason: Sentence,
    },
    /// The suite cannot be read on.
    #[error("cannot be read: {0}")]
    Unreadable(#[from] io::Error),
}

/// The positions of a suite as they come; empty lines and those that begin with `#` or `%` are skipped. A line that has to
/// be put right is an error if the reading is `strict`.
///
/// Each item is an error for a line that is not a legal position with well-formed operations, and for an empty suite.
pub fn suite(mut from: impl BufRead, strict: bool) -> impl Iterator<Item = Result<SuitePosition, SuiteError>> {
    let (mut line, mut is_empty, mut is_over) = (0, true, false);
    std::iter::from_fn(move || {
        while !is_over {
            line += 1;
            let text = match next_line(&mut from) {
                Ok(Some(text)) => text,
                Ok(None) => {
                    is_over = true;
                    let reason = Sentence::from("no positions; expected one in EPD per line");
                    return is_empty.then_some(Err(SuiteError::Line { line: 1, reason }));
                }
                Err(error) => {
                    is_over = true;
                    return Some(Err(error.into()));
                }
            };
            let read = text.and_then(|bytes| match shown(&bytes).trim_start_matches('\u{feff}').trim() {
                "" => Ok(None),
                text if text.starts_with(['#', '%']) => Ok(None),
                text => read_line(line, text).map(Some),
            });
            let read = read.and_then(|read| match read.as_ref().and_then(|read| read.put_right.first()) {
                Some(note) if strict => Err(note.clone()),
                _ => Ok(read),
            });
            match read {
                Ok(None) => {}
                Ok(Some(position)) => {
                    is_empty = false;
                    return Some(Ok(position));
                }
                Err(reason) => {
                    is_empty = false;
                    return Some(Err(SuiteError::Line { line, reason }));
                }
            }
        }
        None
    })
}

/// The next line, or that it is too long.
fn next_line(from: &mut impl BufRead) -> io::Result<Option<Result<Vec<u8>, Sentence>>> {
    let mut line = Vec::new();
    let read = from.by_ref().take(LONGEST_LINE as u64 + 1).read_until(b'\n', &mut line)?;
    if line.len() > LONGEST_LINE {
        if !line.ends_with(b"\n") {
            from.skip_until(b'\n')?;
        }
        return Ok(Some(Err(sentence!("more than {most} bytes", most = LONGEST_LINE.to_string()))));
    }
    Ok((read > 0).then_some(Ok(line)))
}

/// Bytes as text, those that are not UTF-8 as `\xfc`.
#[must_use]
pub fn shown(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    text
}

fn read_line(line: usize, text: &str) -> Result<SuitePosition, Sentence> {
    let mut rest = text;
    let mut fields = Vec::new();
    while fields.len() < 4 {
        let (field, behind) = next_word(rest);
        if field.is_empty() {
            let text: String = text.chars().take(100).collect();
            return Err(sentence!("'{text}': expected placement, side to move, castling and en-passant square", text));
        }
        fields.push(field);
        rest = behind;
    }
    let given = fields.join(" ");
    for default in ["0", "1"] {
        let (counter, behind) = next_word(rest);
        let is_counter = !counter.is_empty() && counter.bytes().all(|byte| byte.is_ascii_digit());
        fields.push(if is_counter { counter } else { default });
        rest = if is_counter { behind } else { rest };
    }
    let fen = fields.join(" ");
    let (placement, notes) =
        Placement::read_fen(&fen).map_err(|error| sentence!("'{given}': {error}", given, error))?;
    let position = Chess::try_from(&placement)
        .map_err(|error| sentence!("'{given}' is not a legal position: {error}", given, error))?;
    let fen = placement.to_fen();
    let mut found = SuitePosition { line, fen, id: String::new(), best: Vec::new(), mate_in: None, put_right: notes };
    let (operations, is_ended) = operations(rest)?;
    if !is_ended {
        found.put_right.push("no ; after the last operation".into());
    }
    for operation in operations {
        let (name, operand) = next_word(&operation);
        match name {
            "bm" => {
                for text in operand.split_whitespace() {
                    let (best, is_san) = read_move(&position, text)?;
                    found.best.push(best);
                    if !is_san {
                        found.put_right.push(sentence!("bm {text} is in UCI notation", text));
                    }
                }
                if found.best.is_empty() {
                    return Err("bm: expected a move".into());
                }
            }
            "dm" => {
                let moves: i64 = operand
                    .trim()
                    .parse()
                    .map_err(|_| sentence!("dm {operand}: expected a number of moves", operand))?;
                // 0 and less tell of a mate on the board, or of being mated: nothing to look for.
                found.mate_in = u32::try_from(moves).ok().filter(|&moves| moves > 0);
                if found.mate_in.is_none() {
                    found.put_right.push(sentence!("dm {moves} asks nothing", moves = moves.to_string()));
                }
            }
            "id" if operand.trim().is_empty() => return Err("id: expected a name".into()),
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

/// Splits the text into operations, each ended by a semicolon outside quotation marks. Tells whether the last one is.
fn operations(text: &str) -> Result<(Vec<String>, bool), Sentence> {
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
    let is_ended = operation.trim().is_empty();
    if !is_ended {
        found.push(operation);
    }
    if quoted { Err("a quotation mark is not closed".into()) } else { Ok((found, is_ended)) }
}

/// A move in UCI notation, and whether it was given in standard algebraic notation.
fn read_move(position: &Chess, text: &str) -> Result<(String, bool), Sentence> {
    let illegal = || sentence!("bm {text}: not a legal move", text);
    if let Ok(uci) = text.parse::<UciMove>() {
        let legal = uci.to_move(position).map_err(|_| illegal())?;
        return Ok((to_uci(legal).to_string(), false));
    }
    let san = text.trim_end_matches(['+', '#', '!', '?']).replace('0', "O");
    let san: San = san.parse().map_err(|_| sentence!("bm {text}: not a move", text))?;
    let legal = san.to_move(position).map_err(|_| illegal())?;
    Ok((to_uci(legal).to_string(), true))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8]) -> Vec<Result<SuitePosition, String>> {
        suite(text, false).map(|line| line.map_err(|error| error.to_string())).collect()
    }

    #[test]
    fn positions_with_operations_are_read() {
        let text = "\u{feff}# mates\n\n4k2r/8/5B1P/5KpP/8/8/8/3R4 w k g6 bm hxg6; dm 2; id \"Lang; staff\"; c0 \"x\";\n\
            % no position\r\n6k1/8/8/3n4/4P3/8/8/6K1 w - - 3 9 bm exd5 Kf2;\r\n7k/8/8/8/8/8/8/K7 b - -\n";
        let found: Vec<SuitePosition> = read(text.as_bytes()).into_iter().map(Result::unwrap).collect();
        assert_eq!(
            found[0],
            SuitePosition {
                line: 3,
                fen: "4k2r/8/5B1P/5KpP/8/8/8/3R4 w k g6 0 1".to_owned(),
                id: "Lang; staff".to_owned(),
                best: vec!["h5g6".to_owned()],
                mate_in: Some(2),
                put_right: Vec::new(),
            }
        );
        assert_eq!(
            (found[1].fen.as_str(), &found[1].best[..]),
            ("6k1/8/8/3n4/4P3/8/8/6K1 w - - 3 9", &["e4d5".to_owned(), "g1f2".to_owned()][..])
        );
        assert_eq!((found[2].line, found[2].mate_in, found[2].best.len()), (6, None, 0));
    }

    /// A form with one meaning is read and told; `strict` refuses it.
    #[test]
    fn what_has_one_meaning_is_put_right() {
        let knight = "6k1/8/8/3n4/4P3/8/8/6K1 w - - ";
        for (operations, told, best, mate_in) in [
            ("bm exd5; ce 9; acs1; acn 77; rc 3", "no ; after the last operation", Some("e4d5"), None),
            ("bm e4d5;", "bm e4d5 is in UCI notation", Some("e4d5"), None),
            ("dm 0;", "dm 0 asks nothing", None, None),
            ("dm -9;", "dm -9 asks nothing", None, None),
            ("dm 3; acs; c9", "no ; after", None, Some(3)),
        ] {
            let line = format!("{knight}{operations}");
            let found = read(line.as_bytes()).remove(0).unwrap();
            assert_eq!((found.best.first().map(String::as_str), found.mate_in), (best, mate_in), "{operations}");
            assert!(
                found.put_right.iter().any(|note| note.to_string().contains(told)),
                "{operations}: {:?}",
                found.put_right
            );
            assert!(suite(line.as_bytes(), true).next().unwrap().unwrap_err().to_string().contains(told));
        }
        let castling = read(b"6k1/5ppp/8/8/8/8/8/R5K1 w KQ - dm 1; id \"Gr\xfcn\";").remove(0).unwrap();
        assert_eq!((castling.fen.as_str(), castling.put_right.len()), ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 2));
        assert_eq!(castling.id, "Gr\\xfcn");
    }

    #[test]
    fn damage_is_named_with_its_line_and_the_other_lines_are_read() {
        let error = |text: &str| read(text.as_bytes()).into_iter().find_map(Result::err).unwrap_or_default();
        assert_eq!(error("\n"), "line 1: no positions; expected one in EPD per line");
        assert!(error("# a\n8/8 w").starts_with("line 2: '8/8 w': expected placement"));
        assert!(error("8/8/8/8/8/8/8/K7 w - -").starts_with("line 1: "));
        let knight = "6k1/8/8/3n4/4P3/8/8/6K1 w - - ";
        assert_eq!(error(&format!("{knight}bm Qa1;")), "line 1: bm Qa1: not a legal move");
        assert!(error(&format!("{knight}bm a1a8;")).starts_with("line 1: bm a1a8: "));
        assert_eq!(error(&format!("{knight}bm ;")), "line 1: bm: expected a move");
        assert_eq!(error(&format!("{knight}id;")), "line 1: id: expected a name");
        assert!(error(&format!("{knight}dm soon;")).contains("expected a number of moves"));
        assert!(error(&format!("{knight}id \"x;")).contains("not closed"));
        assert!(error(&"x".repeat(1 << 20)).contains("more than 65536 bytes"));
        let text = format!("{knight}\nbroken\n{}\n{knight}\n", "x".repeat(1 << 17));
        let lines: Vec<bool> = read(text.as_bytes()).iter().map(Result::is_ok).collect();
        assert_eq!(lines, [true, false, false, true]);
    }
}
