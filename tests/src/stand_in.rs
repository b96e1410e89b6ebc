//! Stand-ins for the machine program of trajectories: small programs with the same interface and answers chosen by the
//! test, right or wrong.

use std::fmt::Write;

use chess_reference::{Attack, Bundle, Trajectory};
use shakmaty::Square;

/// The cell where the stand-ins keep their trajectories.
pub const TRAJECTORIES: u64 = 0o2000;

/// The outputs of a stand-in.
#[derive(Clone, Debug, Default)]
pub struct StandIn {
    /// `moves`.
    pub moves: u64,
    /// `count`; the number of words in `trajectories` if not given.
    pub count: Option<u64>,
    /// `attack_count`; the number of words in `attacks` if not given.
    pub attack_count: Option<u64>,
    /// The words from `trajectories` on.
    pub trajectories: Vec<u64>,
    /// The words from `bundle` on, 16 per file; all zero if empty.
    pub bundle: Vec<u64>,
    /// The words from `attacks` on, downwards.
    pub attacks: Vec<u64>,
    /// The instructions; `answer 1` if empty. `one` to `seven` are cells that hold these numbers.
    pub code: String,
}

/// The machine's number of a square: 8 x file + rank.
pub fn number(square: Square) -> u64 {
    square.file() as u64 * 8 + square.rank() as u64
}

/// A trajectory as a word: its number of moves in the first octal digit, two digits for every square after the start.
pub fn trajectory_word(trajectory: &Trajectory) -> u64 {
    let digits: String = trajectory.iter().skip(1).map(|&square| format!("{:02o}", number(square))).collect();
    let text = format!("{}{digits:0<14}", trajectory.len() - 1);
    u64::from_str_radix(&text, 8).expect("fifteen octal digits")
}

/// An attack as a word: its squares in the first and second field, the cell of its first trajectory in the third.
pub fn attack_word(from: Square, to: Square, first: u64) -> u64 {
    number(from) << 24 | number(to) << 12 | first
}

impl StandIn {
    /// A stand-in that answers a question about one piece with this list and bundle.
    pub fn answering_task(list: &[Trajectory], bundle: &Bundle) -> StandIn {
        let mut cells = vec![0; 128];
        for place in &bundle.squares {
            cells[16 * place.square.file() as usize + place.square.rank() as usize] =
                1 << 24 | u64::from(place.from_start) << 12 | u64::from(place.to_target);
        }
        StandIn {
            moves: bundle.moves.unwrap_or(0).into(),
            trajectories: list.iter().map(trajectory_word).collect(),
            bundle: cells,
            ..StandIn::default()
        }
    }

    /// A stand-in that answers a question about attacks with these.
    pub fn answering_attacks(attacks: &[Attack]) -> StandIn {
        let mut stand_in = StandIn::default();
        for attack in attacks {
            let first = TRAJECTORIES + stand_in.trajectories.len() as u64;
            stand_in.attacks.push(attack_word(attack.from, attack.to, first));
            stand_in.trajectories.extend(attack.trajectories.iter().map(trajectory_word));
        }
        stand_in
    }

    /// A stand-in that only sets this result code.
    pub fn with_result(name: &str) -> StandIn {
        StandIn { code: format!("MOV {name}, 0, result\nSTOP\n"), ..StandIn::default() }
    }

    /// The program's text.
    pub fn source(&self) -> String {
        let code = if self.code.is_empty() { "MOV one, 0, result\nSTOP\n" } else { &self.code };
        let mut text = "\
; a stand-in
model m220
start begin
export board, task, man, from_square, to_square, max_moves, turn, horizon
export result, moves, count, trajectories, bundle, attack_count, attacks
export one, two, three, four, five, six, seven
"
        .to_owned();
        let mut section = |name: &str, origin: u64, words: &[u64], least: u64| {
            let _ = writeln!(text, "origin {origin:04o}\n{name}:");
            for word in words {
                let _ = writeln!(text, "octal {word:015o}");
            }
            let reserved = least.saturating_sub(words.len() as u64);
            if reserved > 0 {
                let _ = writeln!(text, "reserve {reserved:o}");
            }
        };
        for (cell, name) in
            (0o200..).zip(["result", "task", "man", "from_square", "to_square", "max_moves", "turn", "horizon"])
        {
            section(name, cell, &[], 1);
        }
        for (cell, name) in (0o210..).zip(["zero", "one", "two", "three", "four", "five", "six", "seven"]) {
            section(name, cell, &[cell - 0o210], 1);
        }
        section("moves", 0o220, &[self.moves], 1);
        section("count", 0o221, &[self.count.unwrap_or(self.trajectories.len() as u64)], 1);
        section("attack_count", 0o222, &[self.attack_count.unwrap_or(self.attacks.len() as u64)], 1);
        section("board", 0o300, &[], 64);
        section("bundle", 0o400, &self.bundle, 128);
        // The first attack stands in the last cell of its table.
        let (first, rest) = self.attacks.split_at(self.attacks.len().min(1));
        let rest: Vec<u64> = rest.iter().rev().copied().collect();
        section("attacks_behind", 0o1777 - rest.len() as u64, &rest, 0);
        section("attacks", 0o1777, first, 1);
        section("trajectories", TRAJECTORIES, &self.trajectories, 1);
        let _ = write!(text, "origin 0100\nbegin:\n{code}");
        text
    }
}
