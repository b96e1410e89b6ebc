//! Solutions as problemists print them.

use shakmaty::Color;
use std::fmt::{self, Display, Formatter};

use super::tree::{Defence, KeyTree, SolutionLine};

/// Writes `1.Qg6! (2.Qg7#) 1...fxg6 2.Nxg6#`; with `{:#}` one indented line for each variation.
///
/// The key is marked `!`. Threats are in parentheses; `(zugzwang)` stands for no threat and no
/// check. Replies that a threat meets are left out. Equivalent moves (threats, duals, replies that
/// allow the same mates) are separated by a slash. On a single line the variations of a continuation
/// are in square brackets.
impl Display for SolutionLine {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.numbered(1, Color::White).fmt(f)
    }
}

impl<'s> NumberedSolution<'s> {
    /// With another language's word for zugzwang.
    #[must_use]
    pub fn with_zugzwang(mut self, word: &'s str) -> NumberedSolution<'s> {
        self.at.zugzwang = word;
        self
    }
}

impl Display for NumberedSolution<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let bang = if self.line.variations.is_empty() { "" } else { "!" };
        write!(f, "{}{}{bang}", self.at.own(), self.line.san)?;
        self.line.rest(f, self.at)
    }
}

/// A solution with the numbers that its moves have in the game. Problemists count from 1, whoever has the key.
#[derive(Clone, Copy, Debug)]
pub struct NumberedSolution<'s> {
    line: &'s SolutionLine,
    at: At<'s>,
}

/// A move of the mating side: how many of its moves there are with this one, and its number.
#[derive(Clone, Copy, Debug)]
struct At<'s> {
    depth: usize,
    number: u32,
    side: Color,
    zugzwang: &'s str,
}

impl<'s> At<'s> {
    fn next(self) -> At<'s> {
        At { depth: self.depth + 1, number: self.number + 1, ..self }
    }

    fn own(self) -> String {
        format!("{}{}", self.number, self.side.fold_wb(".", "..."))
    }

    /// The number before the reply, and before the move that follows it on the same line.
    fn reply(self) -> [String; 2] {
        let next = self.number + 1;
        match self.side {
            Color::White => [format!("{}...", self.number), format!("{next}.")],
            Color::Black => [format!("{next}."), String::new()],
        }
    }
}

impl Display for KeyTree {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.line.fmt(f)
    }
}

impl SolutionLine {
    /// With the numbers of a game, in which `side` makes the first move of the line as number `first`.
    #[must_use]
    pub fn numbered(&self, first: u32, side: Color) -> NumberedSolution<'_> {
        NumberedSolution { line: self, at: At { depth: 1, number: first, side, zugzwang: "zugzwang" } }
    }

    /// Writes what follows the name of a move.
    fn rest(&self, f: &mut Formatter<'_>, at: At<'_>) -> fmt::Result {
        let [reply, answer] = at.reply();
        if !self.threats.is_empty() {
            let sans = self.threats.iter().map(|threat| threat.san.as_str());
            write!(f, " ({}{})", at.next().own(), slashed(sans))?;
        } else if !self.variations.is_empty() && !self.san.ends_with('+') {
            write!(f, " ({})", at.zugzwang)?;
        }
        for replies in self.grouped() {
            let variation = replies[0];
            separate(f, 2 * at.depth - 1)?;
            write!(f, "{reply}{}", slashed(replies.iter().map(|variation| variation.reply.san.as_str())))?;
            if variation.continuations.is_empty() {
                let sans = variation.mates.iter().map(|mate| mate.san.as_str());
                write!(f, " {answer}{}", slashed(sans))?;
            }
            for continuation in &variation.continuations {
                continuation.nested(f, at.next())?;
            }
        }
        Ok(())
    }

    /// Writes a continuation within a variation.
    fn nested(&self, f: &mut Formatter<'_>, at: At<'_>) -> fmt::Result {
        let own = at.own();
        if f.alternate() {
            separate(f, 2 * at.depth - 2)?;
            write!(f, "{own}{}", self.san)?;
            self.rest(f, at)
        } else {
            write!(f, " [{own}{}", self.san)?;
            self.rest(f, at)?;
            write!(f, "]")
        }
    }

    /// The variations to print, with replies that allow the same mates grouped.
    fn grouped(&self) -> Vec<Vec<&Defence>> {
        let mut groups: Vec<Vec<&Defence>> = Vec::new();
        for variation in self.variations.iter().filter(|variation| self.defends(variation)) {
            let same =
                |group: &&mut Vec<&Defence>| variation.continuations.is_empty() && group[0].mates == variation.mates;
            match groups.iter_mut().find(same) {
                Some(group) => group.push(variation),
                None => groups.push(vec![variation]),
            }
        }
        groups
    }

    /// Whether the reply parries all threats, so that it is worth printing.
    fn defends(&self, variation: &Defence) -> bool {
        let meets = |answer| self.threats.iter().any(|threat| threat.half_move == answer);
        !variation.answers().any(meets)
    }
}

fn separate(f: &mut Formatter<'_>, depth: usize) -> fmt::Result {
    if f.alternate() { write!(f, "\n{:width$}", "", width = 4 * depth) } else { write!(f, " ") }
}

fn slashed<'a>(sans: impl Iterator<Item = &'a str>) -> String {
    sans.collect::<Vec<_>>().join(" / ")
}
