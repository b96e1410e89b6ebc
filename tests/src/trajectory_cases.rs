//! Trajectory cases in text files, and one way to ask any engine about them.
//!
//! A file of `tests/trajectories` is read line by line. The first word of a line is its keyword, and `#` starts a comment.
//! A case asks for the trajectories of one piece, or for all attacks of a position:
//!
//! ```text
//! case   a rook goes round its own pawn
//! board  8/8/8/8/8/8/P7/R1B5
//! route  R a1 a8              # who, from, to: capitals are White, small letters Black
//! moves  3                    # or: none; or: over limit
//! trajectory a1b1b8a8
//!
//! case   a pawn takes and promotes
//! board  3r4/4P3/8/8/8/8/8/8
//! attacks white 1             # whose turn it is, how many half-moves
//! attack P e7d8 promotes      # it takes the rook on its last rank
//! attack P e7e8 promotion     # it goes to an empty square there
//! ```
//!
//! `limit 5` under a route asks for trajectories of at most five moves. The piece named by a route travels, even if its
//! first square is empty or another piece stands there. All trajectories are listed, in any order. `trajectories 393`
//! instead of a list gives only their number, and `trajectories 0` in a case of attacks means that there are none.

use crate::lines::{CaseError, numbered};
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
/// If a file cannot be read or has a malformed line, if a case is incomplete or contradicts itself, if two cases have the
/// same title, or if the folder has no files or a file has no cases.
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
    let at = |line: usize| move |message: String| CaseError { file: file.to_path_buf(), line: Some(line), message };
    let mut cases = Vec::new();
    let mut open: Option<CaseDraft> = None;
    for (number, line) in numbered(text) {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        if word == "case" {
            if let Some(draft) = open.take() {
                cases.push(draft.finish(file)?);
            }
            if rest.is_empty() {
                return Err(at(number)("a case without a title".to_owned()));
            }
            open = Some(CaseDraft::new(rest, number));
        } else if let Some(draft) = &mut open {
            draft.read(number, word, rest).map_err(at(number))?;
        } else {
            return Err(at(number)(format!("\"{word}\" before the first \"case\"")));
        }
    }
    if let Some(draft) = open {
        cases.push(draft.finish(file)?);
    }
    if cases.is_empty() {
        return Err(CaseError { file: file.to_path_buf(), line: None, message: "no cases".to_owned() });
    }
    Ok(cases)
}

/// A case while its lines are being read.
struct CaseDraft {
    title: String,
    line: usize,
    board: Option<Placement>,
    question: Option<CaseQuestion>,
    length: Option<Length>,
    count: Option<usize>,
    /// The listed trajectories: line, piece (of an attack), alpha fields, mark.
    listed: Vec<ListedTrajectory>,
}

struct ListedTrajectory {
    line: usize,
    /// The first word of the line.
    word: &'static str,
    /// The rest of it, in the form of [`CaseOutcome`].
    text: String,
    piece: Option<OraclePiece>,
    alpha_squares: Vec<Square>,
}

impl CaseDraft {
    fn new(title: &str, line: usize) -> CaseDraft {
        CaseDraft {
            title: title.to_owned(),
            line,
            board: None,
            question: None,
            length: None,
            count: None,
            listed: Vec::new(),
        }
    }

    fn read(&mut self, line: usize, word: &str, rest: &str) -> Result<(), String> {
        let words: Vec<&str> = rest.split_whitespace().collect();
        match (word, words.as_slice()) {
            ("board", [placement]) => {
                once(&mut self.board, Placement::parse(placement).map_err(|error| error.to_string())?, word)
            }
            ("route", [piece, from, to]) => {
                let (piece, from, to) = (piece_in(piece)?, square_in(from)?, square_in(to)?);
                if from == to {
                    return Err(format!("a route from {from} to itself"));
                }
                once(&mut self.question, CaseQuestion::Route { piece, from, to, limit: None }, "question")
            }
            ("attacks", [side, horizon]) => {
                let to_move = match *side {
                    "white" => Side::White,
                    "black" => Side::Black,
                    other => return Err(format!("\"{other}\" is neither white nor black")),
                };
                once(&mut self.question, CaseQuestion::Attacks { to_move, horizon: number_in(horizon)? }, "question")
            }
            ("limit", [moves]) => match &mut self.question {
                Some(CaseQuestion::Route { limit, .. }) => once(limit, number_in(moves)?, word),
                _ => Err("\"limit\" belongs under a \"route\"".to_owned()),
            },
            ("moves", ["none"]) => once(&mut self.length, Length::NoWay, word),
            ("moves", ["over", "limit"]) => once(&mut self.length, Length::OverLimit, word),
            ("moves", [moves]) => once(&mut self.length, Length::Moves(number_in(moves)?), word),
            ("trajectories", [count]) => once(&mut self.count, number_in(count)? as usize, word),
            ("trajectory", [squares]) => {
                let text = (*squares).to_owned();
                self.listed.push(ListedTrajectory {
                    line,
                    word: "trajectory",
                    text,
                    piece: None,
                    alpha_squares: squares_in(squares)?,
                });
                Ok(())
            }
            ("attack", [piece, squares] | [piece, squares, "promotes" | "promotion"]) => {
                let (piece, alpha_squares) = (Some(piece_in(piece)?), squares_in(squares)?);
                self.listed.push(ListedTrajectory {
                    line,
                    word: "attack",
                    text: words.join(" "),
                    piece,
                    alpha_squares,
                });
                Ok(())
            }
            ("board" | "route" | "attacks" | "limit" | "moves" | "trajectories" | "trajectory" | "attack", _) => {
                Err(format!("\"{rest}\" is not what follows \"{word}\""))
            }
            _ => Err(format!("unknown word \"{word}\"")),
        }
    }

    fn finish(self, file: &Path) -> Result<TrajectoryCase, CaseError> {
        let fault = |line: usize, message: String| CaseError { file: file.to_path_buf(), line: Some(line), message };
        let here = |message: &str| fault(self.line, format!("the case \"{}\" {message}", self.title));
        let board = self.board.clone().ok_or_else(|| here("has no \"board\""))?;
        let question = self.question.ok_or_else(|| here("has neither \"route\" nor \"attacks\""))?;
        for listed in &self.listed {
            self.agrees(listed, &board, question).map_err(|message| fault(listed.line, message))?;
        }
        match (question, self.length) {
            (CaseQuestion::Route { .. }, None) => return Err(here("has a route but no \"moves\"")),
            (CaseQuestion::Attacks { .. }, Some(_)) => {
                return Err(here("has attacks, so no \"moves\""));
            }
            (CaseQuestion::Route { limit: None, .. }, Some(Length::OverLimit)) => {
                return Err(here("has no \"limit\" to go over"));
            }
            _ => {}
        }
        let pointless = matches!(self.length, Some(Length::NoWay | Length::OverLimit));
        if pointless && !(self.listed.is_empty() && self.count.is_none_or(|count| count == 0)) {
            return Err(here("has trajectories though no way leads there"));
        }
        let trajectories = match (self.count, self.listed.len()) {
            (None, 0) if pointless => ExpectedList::Counted(0),
            (None, 0) => return Err(here("lists no trajectories (none is \"trajectories 0\")")),
            (Some(count), 0) => ExpectedList::Counted(count),
            (Some(count), length) if count != length => {
                return Err(here(&format!("lists {length} trajectories and says {count}")));
            }
            _ => ExpectedList::Listed(sorted(self.listed.iter().map(|listed| listed.text.clone()).collect())),
        };
        let expected = ExpectedTrajectories { length: self.length, trajectories };
        Ok(TrajectoryCase { title: self.title, file: file.to_path_buf(), line: self.line, board, question, expected })
    }

    /// Checks that a listed trajectory fits its question, to tell mistakes in a case from faults of an engine.
    fn agrees(&self, listed: &ListedTrajectory, board: &Placement, question: CaseQuestion) -> Result<(), String> {
        let ListedTrajectory { text, alpha_squares, .. } = listed;
        if self.listed.iter().filter(|other| other.text == *text).count() > 1 {
            return Err(format!("\"{text}\" is listed twice"));
        }
        match (question, listed.word) {
            (CaseQuestion::Route { from, to, .. }, "trajectory") => {
                if (alpha_squares.first(), alpha_squares.last()) != (Some(&from), Some(&to)) {
                    return Err(format!("\"{text}\" does not lead from {from} to {to}"));
                }
                if let Some(Length::Moves(moves)) = self.length
                    && alpha_squares.len() != moves as usize + 1
                {
                    return Err(format!("\"{text}\" is not of {moves} moves"));
                }
                Ok(())
            }
            (CaseQuestion::Attacks { .. }, "attack") => {
                if board.at(alpha_squares[0]) != listed.piece {
                    return Err(format!("\"{text}\" starts where that piece does not stand"));
                }
                Ok(())
            }
            (_, word) => Err(format!("\"{word}\" does not answer this question")),
        }
    }
}

fn once<T>(slot: &mut Option<T>, value: T, word: &str) -> Result<(), String> {
    if slot.is_some() {
        return Err(format!("a second {word}"));
    }
    *slot = Some(value);
    Ok(())
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
