//! Clocks: two ways to measure who has thought longer.

use crate::prelude::*;
use crate::spans::{lines, place_of};
use std::ops::Range;

/// The seconds that White and Black thought over a doublet.
pub type Thought = [u64; 2];

/// A side, or both of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FlagSide {
    /// White.
    White,
    /// Black.
    Black,
    /// Both at once.
    Both,
}

/// A fallen flag.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Flag {
    /// The doublet after which it fell, from 1.
    pub doublet: usize,
    /// Whose.
    pub side: FlagSide,
}

/// What the clocks show at the end of a game, in seconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clocks {
    /// Both clocks run, and each side stops its own: all that White and Black thought.
    pub a: Thought,
    /// The first to write starts the other's clock: what White and Black thought longer than the other.
    pub b: Thought,
    /// The clock of the game: the longer thought of each doublet.
    pub duration: u64,
    /// Who has thought longer, the same by both ways; none if nobody.
    pub longer: Option<Color>,
    /// The first doublet after which a clock of the first way passes the limit.
    pub flag: Option<Flag>,
}

impl Clocks {
    /// The clocks after these doublets. A thought of more than thirty years counts as one of a thousand million seconds.
    #[must_use]
    pub fn after(doublets: &[Thought], limit: Option<u64>) -> Clocks {
        let mut clocks = Clocks { a: [0; 2], b: [0; 2], duration: 0, longer: None, flag: None };
        for (doublet, thoughts) in (1..).zip(doublets) {
            let [white, black] = thoughts.map(|thought| thought.min(LONGEST));
            clocks.a = [clocks.a[0] + white, clocks.a[1] + black];
            clocks.b = [clocks.b[0] + white.saturating_sub(black), clocks.b[1] + black.saturating_sub(white)];
            clocks.duration += white.max(black);
            let side = match clocks.a.map(|clock| limit.is_some_and(|limit| clock > limit)) {
                [false, false] => continue,
                [true, false] => FlagSide::White,
                [false, true] => FlagSide::Black,
                [true, true] => FlagSide::Both,
            };
            clocks.flag = clocks.flag.or(Some(Flag { doublet, side }));
        }
        clocks.longer = match clocks.a[0].cmp(&clocks.a[1]) {
            std::cmp::Ordering::Greater => Some(Color::White),
            std::cmp::Ordering::Less => Some(Color::Black),
            std::cmp::Ordering::Equal => None,
        };
        clocks
    }
}

/// The longest thought: more than thirty years.
const LONGEST: u64 = 1_000_000_000;

/// Reads the thoughts of a game: a doublet a line, White's and Black's seconds; `#` begins a comment.
///
/// # Errors
/// The place of the first line that is not two whole numbers.
pub fn read_thoughts(text: &str) -> Result<Vec<Thought>, Range<usize>> {
    let line = |line: &str| {
        let number = |word: &str| {
            let digits = word.bytes().all(|byte| byte.is_ascii_digit());
            word.parse().ok().filter(|&seconds| digits && seconds <= LONGEST)
        };
        let words: Vec<Option<u64>> = line.split_whitespace().map(number).collect();
        match words[..] {
            [Some(white), Some(black)] => Ok([white, black]),
            _ => Err(place_of(text, line)),
        }
    };
    lines(text).map(line).collect()
}
