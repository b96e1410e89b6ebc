//! The repository's set of problems with known keys.

use super::problem::Problem;
use crate::prelude::*;

/// The data file; the comment at its head says how to add a problem.
const TEXT: &str = include_str!("../../data/problems.txt");

/// A problem of the set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownProblem {
    /// A short name, unique in the set.
    pub id: String,
    /// The position as written in the file.
    pub fen: String,
    /// The position, validated.
    pub problem: Problem,
    /// The number of moves in which to mate.
    pub moves: u32,
    /// All keys, sorted; empty if there is no such mate.
    pub keys: Vec<Move>,
    /// What the problem shows (`castling`, `stalemate`, ...); see [`TAGS`].
    pub tags: Vec<String>,
    /// Its source.
    pub origin: String,
}

/// The tags in use, each with its meaning.
pub const TAGS: [(&str, &str); 10] = [
    ("composed", "a chess problem by a known author"),
    ("game", "a position from a game that was played, or that handbooks give as played"),
    ("castling", "castling is a key, a defence or a mating move, or the right to it decides"),
    ("en-passant", "a capture en passant is a key, a defence or a mating move, or the right to it decides"),
    ("promotion", "a promotion is a key or a mating move"),
    ("underpromotion", "a promotion to rook, bishop or knight is a key or mates where the queen does not"),
    ("stalemate", "a first move that leaves the defender no reply is not a key: it stalemates"),
    ("no-solution", "there is no mate in so many moves"),
    ("zugzwang", "the key threatens nothing"),
    ("smothered", "a knight mates a king shut in by its own pieces"),
];

/// An error in the data file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct ProblemSetError {
    /// The line, from 1; for a problem as a whole, its first line.
    pub line: usize,
    /// What is wrong, and what was expected.
    pub reason: String,
}

/// The repository's problems.
///
/// # Errors
///
/// [`ProblemSetError`] if the built-in data file is malformed.
pub fn problem_set() -> Result<Vec<KnownProblem>, ProblemSetError> {
    parse_problem_set(TEXT)
}

/// Reads a set of problems: paragraphs of `name: value` lines, `#` before a comment.
///
/// # Errors
///
/// [`ProblemSetError`]: unknown, missing or repeated names, a bad position, an empty set.
pub fn parse_problem_set(text: &str) -> Result<Vec<KnownProblem>, ProblemSetError> {
    let lines = (1..).zip(text.lines().map(str::trim)).filter(|(_, line)| !line.starts_with('#'));
    let lines: Vec<(usize, &str)> = lines.collect();
    let mut problems: Vec<KnownProblem> = Vec::new();
    for paragraph in lines.split(|(_, line)| line.is_empty()).filter(|paragraph| !paragraph.is_empty()) {
        let problem = known_problem(paragraph)?;
        if problems.iter().any(|other| other.id == problem.id) {
            return Err(error(paragraph[0].0, format!("a second problem {:?}", problem.id)));
        }
        problems.push(problem);
    }
    if problems.is_empty() {
        return Err(error(1, "no problem at all".to_owned()));
    }
    Ok(problems)
}

fn error(line: usize, reason: String) -> ProblemSetError {
    ProblemSetError { line, reason }
}

/// The value of a line of a paragraph, and its number.
#[derive(Clone, Copy)]
struct RecordField<'a> {
    line: usize,
    value: &'a str,
}

/// The names of the lines, all required and in this order.
const NAMES: [&str; 6] = ["id", "fen", "moves", "keys", "tags", "origin"];

fn known_problem(paragraph: &[(usize, &str)]) -> Result<KnownProblem, ProblemSetError> {
    let (mut names, mut fields) = (Vec::new(), Vec::new());
    for &(line, text) in paragraph {
        let (name, value) =
            text.split_once(':').ok_or_else(|| error(line, format!("expected `name: value`, found {text:?}")))?;
        if !NAMES.contains(&name.trim()) {
            let known = NAMES.join(", ");
            return Err(error(line, format!("unknown name {:?}; the names are {known}", name.trim())));
        }
        names.push(name.trim());
        fields.push(RecordField { line, value: value.trim() });
    }
    if names != NAMES {
        let (expected, found) = (NAMES.join(", "), names.join(", "));
        return Err(error(paragraph[0].0, format!("expected the lines {expected}, in this order; found {found}")));
    }
    let [id, fen, moves, keys, tags, origin] = [0, 1, 2, 3, 4, 5].map(|index| fields[index]);
    Ok(KnownProblem {
        id: id.value.to_owned(),
        fen: fen.value.to_owned(),
        problem: Problem::from_fen(fen.value).map_err(|reason| error(fen.line, reason.to_string()))?,
        moves: moves
            .value
            .parse()
            .map_err(|_| error(moves.line, format!("{:?} is not a number of moves", moves.value)))?,
        keys: parse_keys(keys)?,
        tags: parse_tags(tags)?,
        origin: origin.value.to_owned(),
    })
}

fn parse_keys(field: RecordField) -> Result<Vec<Move>, ProblemSetError> {
    if field.value == "none" {
        return Ok(Vec::new());
    }
    let keys = field
        .value
        .split_whitespace()
        .map(str::parse)
        .collect::<Result<Vec<Move>, _>>()
        .map_err(|reason| error(field.line, reason.to_string()))?;
    if keys.is_empty() || !keys.is_sorted() {
        let reason = "expected `none`, or the keys in alphabetical order".to_owned();
        return Err(error(field.line, reason));
    }
    Ok(keys)
}

fn parse_tags(field: RecordField) -> Result<Vec<String>, ProblemSetError> {
    field
        .value
        .split_whitespace()
        .map(|tag| {
            if TAGS.iter().any(|&(known, _)| known == tag) {
                Ok(tag.to_owned())
            } else {
                let known = TAGS.map(|(known, _)| known).join(", ");
                Err(error(field.line, format!("unknown tag {tag:?}; the tags are {known}")))
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str =
        "# comment\nid: a\nfen: 7k/8/6K1/8/8/8/8/R7 w - - 0 1\nmoves: 1\nkeys: a1a8\ntags: zugzwang\norigin: test\n";

    #[test]
    fn a_good_paragraph_is_read() {
        let set = parse_problem_set(GOOD).unwrap();
        assert_eq!(set.len(), 1);
        assert_eq!(set[0].id, "a");
        assert_eq!(set[0].moves, 1);
        assert_eq!(set[0].keys, ["a1a8".parse().unwrap()]);
        assert_eq!(set[0].tags, ["zugzwang"]);
        assert_eq!(set[0].origin, "test");
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let doubled = format!("{GOOD}\n{GOOD}");
        let cases = [
            ("# nothing\n".to_owned(), "line 1: no problem at all"),
            (GOOD.replace("keys", "kyes"), "line 5: unknown name \"kyes\""),
            (GOOD.replace("moves: 1\n", ""), "line 2: expected the lines"),
            (GOOD.replace("moves: 1", "moves: one"), "line 4: \"one\" is not a number"),
            (GOOD.replace("a1a8", ""), "line 5: expected `none`"),
            (GOOD.replace("a1a8", "a1a8 a1a7"), "line 5: expected `none`"),
            (GOOD.replace("a1a8", "Ra8"), "line 5: \"Ra8\" is not a move"),
            (GOOD.replace("zugzwang", "zugzwnag"), "line 6: unknown tag \"zugzwnag\""),
            (GOOD.replace("6K1", "7"), "line 3: not a FEN"),
            (GOOD.replace("moves: 1", "moves 1"), "line 4: expected `name: value`"),
            (doubled, "line 10: a second problem \"a\""),
        ];
        for (text, expected) in cases {
            let message = parse_problem_set(&text).unwrap_err().to_string();
            assert!(message.starts_with(expected), "{message}\nexpected {expected}");
        }
    }
}
