//! Solutions as problemists print them.

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
        let bang = if self.variations.is_empty() { "" } else { "!" };
        write!(f, "1.{}{bang}", self.san)?;
        self.rest(f, 1)
    }
}

impl Display for KeyTree {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.line.fmt(f)
    }
}

impl SolutionLine {
    /// Writes what follows the name of move number `number`.
    fn rest(&self, f: &mut Formatter<'_>, number: usize) -> fmt::Result {
        let next = number + 1;
        if !self.threats.is_empty() {
            let sans = self.threats.iter().map(|threat| threat.san.as_str());
            write!(f, " ({next}.{})", slashed(sans))?;
        } else if !self.variations.is_empty() && !self.san.ends_with('+') {
            write!(f, " (zugzwang)")?;
        }
        for replies in self.grouped() {
            let variation = replies[0];
            separate(f, 2 * number - 1)?;
            write!(f, "{number}...{}", slashed(replies.iter().map(|variation| variation.reply.san.as_str())))?;
            if variation.continuations.is_empty() {
                let sans = variation.mates.iter().map(|mate| mate.san.as_str());
                write!(f, " {next}.{}", slashed(sans))?;
            }
            for continuation in &variation.continuations {
                continuation.nested(f, next)?;
            }
        }
        Ok(())
    }

    /// Writes a continuation within a variation.
    fn nested(&self, f: &mut Formatter<'_>, number: usize) -> fmt::Result {
        if f.alternate() {
            separate(f, 2 * number - 2)?;
            write!(f, "{number}.{}", self.san)?;
            self.rest(f, number)
        } else {
            write!(f, " [{number}.{}", self.san)?;
            self.rest(f, number)?;
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
