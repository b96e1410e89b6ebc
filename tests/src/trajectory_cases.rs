//! Trajectory cases in text files, and one way to ask any engine about them.
//!
//! Each line of a file of `tests/trajectories` is a case, a row of five columns; `#` starts a comment:
//!
//! ```text
//! # case | board | question | moves | trajectories
//! a rook goes round its own pawn | 8/8/8/8/8/8/P7/R1B5 | R a1 a8 | 3 | a1b1b8a8
//! a pawn takes and promotes | 3r4/4P3/8/8/8/8/8/8 | attacks white 1 | - | P e7d8 promotes, P e7e8 promotion
//! ```
//!
//! `tests/trajectories/how-to-write-a-case.txt` says what the columns hold.

use m220_conformance::lines::{CaseError, numbered};
use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use crate::trajectory_oracle::{OraclePiece, Placement, Side, Square};

/// A question with the expected answer.
#[derive(Clone, Debug)]
pub struct TrajectoryCase {
    /// The title after `case`.
    pub title: String,
    /// The file it comes from.
    pub file: PathBuf,
    /// The line of its title, from 1.
    pub line: usize,
    /// The placement of the pieces.
    pub board: Placement,
    /// What is asked.
    pub question: CaseQuestion,
    expected: ExpectedTrajectories,
}

/// The question of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaseQuestion {
    /// All shortest trajectories of one piece.
    Route {
        /// The travelling piece, whatever stands on `from`.
        piece: OraclePiece,
        /// The first alpha field.
        from: Square,
        /// The last, another square.
        to: Square,
        /// The greatest length to look for, in moves.
        limit: Option<u32>,
    },
    /// All attacks of both sides.
    Attacks {
        /// Whose turn it is.
        to_move: Side,
        /// In half-moves.
        horizon: u32,
    },
}

/// An engine's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CaseOutcome {
    /// To a [`CaseQuestion::Route`].
    Route {
        /// The length of the shortest trajectories.
        length: Length,
        /// As "a1b1b8a8", in any order.
        trajectories: Vec<String>,
    },
    /// To a [`CaseQuestion::Attacks`]: trajectories as "Q e5e2c4", "P e7d8 promotes" or "P e7e8 promotion", in any order.
    Attacks(Vec<String>),
    /// The question is too large for the engine. This is neither agreement nor a difference.
    NoVerdict(String),
}

/// The length of the shortest trajectories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// In moves.
    Moves(u32),
    /// The target cannot be reached.
    NoWay,
    /// Every way is longer than the limit of the question.
    OverLimit,
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Length::Moves(moves) => write!(f, "{moves}"),
            Length::NoWay => f.write_str("none"),
            Length::OverLimit => f.write_str("over limit"),
        }
    }
}

#[derive(Clone, Debug)]
struct ExpectedTrajectories {
    /// Of a route; nothing for attacks.
    length: Option<Length>,
    trajectories: ExpectedList,
}

#[derive(Clone, Debug)]
enum ExpectedList {
    /// Sorted.
    Listed(Vec<String>),
    Counted(usize),
}

/// Reads all `*.txt` files of a folder, in the order of their names.
///
/// # Errors
///
/// If a file cannot be read or has a malformed line, if a case contradicts itself, if two cases have the same title, or if
/// the folder has no files or a file has no cases.
pub fn load(folder: &Path) -> Result<Vec<TrajectoryCase>, CaseError> {
    let fault = |file: &Path, message: String| CaseError { file: file.to_path_buf(), line: None, message };
    let entries = fs::read_dir(folder).map_err(|error| fault(folder, error.to_string()))?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| fault(folder, error.to_string()))?.path();
        if path.extension().is_none_or(|extension| extension != "txt") {
            return Err(fault(&path, "not a .txt file, so nothing would read it".to_owned()));
        }
        files.push(path);
    }
    files.sort();
    if files.is_empty() {
        return Err(fault(folder, "no case files".to_owned()));
    }
    let mut cases: Vec<TrajectoryCase> = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).map_err(|error| fault(&file, error.to_string()))?;
        cases.extend(parse(&file, &text)?);
    }
    let mut titles = BTreeSet::new();
    for case in &cases {
        if !titles.insert(&case.title) {
            let message = format!("a second case \"{}\"", case.title);
            return Err(CaseError { file: case.file.clone(), line: Some(case.line), message });
        }
    }
    Ok(cases)
}

/// Reads the cases of one file; `file` only names it in errors.
///
/// # Errors
///
/// As [`load`].
pub fn parse(file: &Path, text: &str) -> Result<Vec<TrajectoryCase>, CaseError> {
    let fault = |line, message| CaseError { file: file.to_path_buf(), line, message };
    let row = |(line, row)| case_in(file, line, row).map_err(|message| fault(Some(line), message));
    let cases = numbered(text).map(row).collect::<Result<Vec<TrajectoryCase>, CaseError>>()?;
    if cases.is_empty() { Err(fault(None, "no cases".to_owned())) } else { Ok(cases) }
}

/// Reads one row, and tells mistakes in it from faults of an engine.
fn case_in(file: &Path, line: usize, row: &str) -> Result<TrajectoryCase, String> {
    let columns: Vec<&str> = row.split('|').map(str::trim).collect();
    let [title, placement, question, moves, list] = columns[..] else {
        return Err(format!("{} columns instead of five", columns.len()));
    };
    if title.is_empty() {
        return Err("a case without a title".to_owned());
    }
    let board = Placement::parse(placement).map_err(|error| error.to_string())?;
    let question = question_in(question)?;
    let length = match moves {
        "-" => None,
        "none" => Some(Length::NoWay),
        "over limit" => Some(Length::OverLimit),
        moves => Some(Length::Moves(number_in(moves)?)),
    };
    match (question, length) {
        (CaseQuestion::Route { .. }, None) => return Err("the moves are missing".to_owned()),
        (CaseQuestion::Attacks { .. }, Some(_)) => return Err("attacks have no moves".to_owned()),
        (CaseQuestion::Route { limit: None, .. }, Some(Length::OverLimit)) => {
            return Err("no limit to go over".to_owned());
        }
        _ => {}
    }
    let leads_there = !matches!(length, Some(Length::NoWay | Length::OverLimit));
    let trajectories = match list.parse::<usize>() {
        _ if list == "-" && !leads_there => ExpectedList::Counted(0),
        _ if !leads_there => return Err("trajectories though no way leads there".to_owned()),
        Ok(count) => ExpectedList::Counted(count),
        Err(_) => {
            let list: Vec<&str> = list.split(',').map(str::trim).collect();
            for (index, trajectory) in list.iter().enumerate() {
                if list[..index].contains(trajectory) {
                    return Err(format!("\"{trajectory}\" is listed twice"));
                }
                check_listed(trajectory, &board, question, length)?;
            }
            ExpectedList::Listed(sorted(list.into_iter().map(str::to_owned).collect()))
        }
    };
    let expected = ExpectedTrajectories { length, trajectories };
    Ok(TrajectoryCase { title: title.to_owned(), file: file.to_path_buf(), line, board, question, expected })
}

fn question_in(text: &str) -> Result<CaseQuestion, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let (piece, from, to, limit) = match words[..] {
        ["attacks", side, horizon] => {
            let to_move = match side {
                "white" => Side::White,
                "black" => Side::Black,
                other => return Err(format!("\"{other}\" is neither white nor black")),
            };
            return Ok(CaseQuestion::Attacks { to_move, horizon: number_in(horizon)? });
        }
        [piece, from, to] => (piece, from, to, None),
        [piece, from, to, "at", "most", moves] => (piece, from, to, Some(number_in(moves)?)),
        _ => return Err(format!("\"{text}\" is not a question")),
    };
    let (piece, from, to) = (piece_in(piece)?, square_in(from)?, square_in(to)?);
    if from == to {
        Err(format!("a route from {from} to itself"))
    } else {
        Ok(CaseQuestion::Route { piece, from, to, limit })
    }
}

/// Checks that a listed trajectory fits its question.
fn check_listed(text: &str, board: &Placement, question: CaseQuestion, length: Option<Length>) -> Result<(), String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    match (question, &words[..]) {
        (CaseQuestion::Route { from, to, .. }, [way]) => {
            let squares = squares_in(way)?;
            if (squares.first(), squares.last()) != (Some(&from), Some(&to)) {
                return Err(format!("\"{text}\" does not lead from {from} to {to}"));
            }
            match length {
                Some(Length::Moves(moves)) if squares.len() != moves as usize + 1 => {
                    Err(format!("\"{text}\" is not of {moves} moves"))
                }
                _ => Ok(()),
            }
        }
        (CaseQuestion::Attacks { .. }, [piece, way] | [piece, way, "promotes" | "promotion"]) => {
            if board.at(squares_in(way)?[0]) != Some(piece_in(piece)?) {
                return Err(format!("\"{text}\" starts where that piece does not stand"));
            }
            Ok(())
        }
        _ => Err(format!("\"{text}\" does not answer this question")),
    }
}

fn piece_in(text: &str) -> Result<OraclePiece, String> {
    let mut letters = text.chars();
    match (letters.next().and_then(OraclePiece::from_letter), letters.next()) {
        (Some(piece), None) => Ok(piece),
        _ => Err(format!("\"{text}\" is not one of K Q R B N P k q r b n p")),
    }
}

fn square_in(text: &str) -> Result<Square, String> {
    Square::parse(text).ok_or_else(|| format!("\"{text}\" is not a square"))
}

fn squares_in(text: &str) -> Result<Vec<Square>, String> {
    let characters: Vec<char> = text.chars().collect();
    if characters.len() < 4 {
        return Err(format!("\"{text}\" is not two squares or more"));
    }
    characters.chunks(2).map(|square| square_in(&square.iter().collect::<String>())).collect()
}

fn number_in(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| format!("\"{text}\" is not a number"))
}

fn sorted(mut list: Vec<String>) -> Vec<String> {
    list.sort();
    list
}

/// The results of an engine on a set of cases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CaseReport {
    /// The number of cases it answered as expected.
    pub agreed: usize,
    /// The cases without a verdict, and why.
    pub no_verdict: Vec<String>,
    /// The cases with another answer: file, line, title, and the difference.
    pub differences: Vec<String>,
}

impl fmt::Display for CaseReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CaseReport { agreed, no_verdict, differences } = self;
        write!(f, "{agreed} cases agree, {} differ, {} without a verdict", differences.len(), no_verdict.len())?;
        differences.iter().chain(no_verdict).try_for_each(|case| write!(f, "\n{case}"))
    }
}

/// Asks an engine every question and compares the length, then the trajectories, each exactly once, in any order.
pub fn check(cases: &[TrajectoryCase], engine: impl Fn(&TrajectoryCase) -> CaseOutcome) -> CaseReport {
    let mut report = CaseReport::default();
    for case in cases {
        let place = format!("{}:{}: {}", case.file.display(), case.line, case.title);
        match compare(case, engine(case)) {
            CaseVerdict::Agrees => report.agreed += 1,
            CaseVerdict::None(why) => report.no_verdict.push(format!("{place}: no verdict: {why}")),
            CaseVerdict::Differs(how) => report.differences.push(format!("{place}: {how}")),
        }
    }
    report
}

enum CaseVerdict {
    Agrees,
    None(String),
    Differs(String),
}

fn compare(case: &TrajectoryCase, outcome: CaseOutcome) -> CaseVerdict {
    let found = match (outcome, case.expected.length) {
        (CaseOutcome::NoVerdict(why), _) => return CaseVerdict::None(why),
        (CaseOutcome::Route { length, .. }, Some(expected)) if length != expected => {
            return CaseVerdict::Differs(format!("moves {length} instead of {expected}"));
        }
        (CaseOutcome::Route { trajectories, .. }, Some(_)) | (CaseOutcome::Attacks(trajectories), None) => {
            sorted(trajectories)
        }
        (CaseOutcome::Route { .. } | CaseOutcome::Attacks(_), _) => {
            return CaseVerdict::Differs("an answer to another kind of question".to_owned());
        }
    };
    match &case.expected.trajectories {
        ExpectedList::Counted(count) if found.len() != *count => {
            CaseVerdict::Differs(format!("{} trajectories instead of {count}", found.len()))
        }
        ExpectedList::Counted(_) if found.windows(2).any(|pair| pair[0] == pair[1]) => {
            CaseVerdict::Differs("a trajectory is listed twice".to_owned())
        }
        ExpectedList::Listed(expected) if found != *expected => {
            let only_in = |some: &[String], others: &[String]| {
                some.iter().filter(|text| !others.contains(text)).cloned().collect::<Vec<_>>().join(", ")
            };
            let (missing, surplus) = (only_in(expected, &found), only_in(&found, expected));
            CaseVerdict::Differs(format!("missing [{missing}], too many [{surplus}], {} in all", found.len()))
        }
        _ => CaseVerdict::Agrees,
    }
}
