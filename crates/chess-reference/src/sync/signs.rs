//! The signs of a record: the players' intentions (column P) and the results (column R).

use super::doublet::{Doublet, SyncEvent};
use super::game::intention;
use super::moves::SyncMove;
use super::outcome::SyncResult;
use super::state::{SyncState, attacked_king};
use crate::prelude::*;

named! {
    /// A sign of the columns P and R.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum Sign {
        /// `:` takes.
        Takes = ":",
        /// `+` check.
        Check = "+",
        /// `(+)` an unannounced check; this project's sign.
        QuietCheck = "(+)",
        /// `x` mate.
        Mate = "x",
        /// `Ф` promotion to a queen (or another piece).
        SetUp = "Ф",
        /// `.:.` fire on oneself (column P).
        Fire = ".:.",
        /// `=` a friendly piece is lost to it (column R).
        OwnLoss = "=",
        /// `-:` a piece escapes an attack.
        Leaves = "-:",
        /// `-+` a piece interposes against a check.
        Interposes = "-+",
        /// `О` defence (column P).
        Defence = "О",
        /// `З` ambush (column P).
        Ambush = "З",
        /// `:-` a miss (column R).
        Miss = ":-",
        /// `::` a collision (column R).
        Collision = "::",
        /// `. .` an inversion (column R).
        Inversion = ". .",
        /// `:О` the capture was held by the defence; this project's sign, as the source shows none.
        Held = ":О",
        /// `:З` the capture fell into an ambush; this project's sign.
        Ambushed = ":З",
    }
}

impl Sign {
    /// Whether signs are those of a printed column; an unannounced check may be printed or not.
    #[must_use]
    pub fn agree(signs: &[Sign], printed: &[Sign]) -> bool {
        let quiet: Vec<Sign> = signs.iter().copied().filter(|&sign| sign != Sign::QuietCheck).collect();
        let loud = |&sign: &Sign| if sign == Sign::QuietCheck { Sign::Check } else { sign };
        quiet == printed || signs.iter().map(loud).eq(printed.iter().copied())
    }

    /// Reads a column: signs with `/` between; empty places are skipped. `None` if a sign is unknown.
    #[must_use]
    pub fn read_column(text: &str) -> Option<Vec<Sign>> {
        text.split('/').map(str::trim).filter(|sign| !sign.is_empty()).map(Sign::named).collect()
    }
}

/// Signs as a column shows them, `/` between.
#[must_use]
pub fn column(signs: &[Sign]) -> String {
    signs.iter().map(|sign| sign.name()).collect::<Vec<_>>().join("/")
}

/// The signs of column P that follow from the board: capture or fire, promotion, check. Only the player knows whether a
/// piece escapes an attack or interposes.
#[must_use]
pub fn plain_intentions(state: &SyncState, side: Color, written: Option<SyncMove>) -> Vec<Sign> {
    match written {
        None => Vec::new(),
        Some(SyncMove::Defence) => vec![Sign::Defence],
        Some(SyncMove::Ambush(_)) => vec![Sign::Ambush],
        Some(SyncMove::Piece(written)) => {
            let intends = intention(state, side, written);
            let mut signs = Vec::new();
            signs.extend(intends.takes.then_some(Sign::Takes));
            signs.extend(intends.fires.then_some(Sign::Fire));
            signs.extend(written.promotion.map(|_| Sign::SetUp));
            signs.extend(intends.checks.then_some(Sign::Check));
            signs
        }
    }
}

/// Column R: the results of the signs that the players wrote, White's first.
///
/// `:` becomes `:`, `:-`, `::` or one `. .` for both; `.:.` becomes `=` or `::`; `Ф` stays if the new piece survives; `+`
/// if there is a check; `-+` if without the piece on its new square the king would be in check; `x` comes last. An
/// unannounced check is added in brackets.
#[must_use]
pub fn realised(
    written: ByColor<Option<SyncMove>>,
    intended: &ByColor<Vec<Sign>>,
    doublet: &Doublet,
    result: Option<SyncResult>,
) -> Vec<Sign> {
    let mut signs = Vec::new();
    for side in Color::ALL {
        let events = &doublet.events[side];
        let happened = |event| events.contains(&event);
        let check = doublet.after.in_check(side.other());
        for &sign in &intended[side] {
            let sign = match sign {
                Sign::Takes if happened(SyncEvent::Inversion) => {
                    (!signs.contains(&Sign::Inversion)).then_some(Sign::Inversion)
                }
                Sign::Takes if happened(SyncEvent::Miss) => Some(Sign::Miss),
                Sign::Takes | Sign::Fire if happened(SyncEvent::Collision) => Some(Sign::Collision),
                Sign::Takes if happened(SyncEvent::Held) => Some(Sign::Held),
                Sign::Takes if happened(SyncEvent::Ambushed) => Some(Sign::Ambushed),
                Sign::Fire => Some(Sign::OwnLoss),
                Sign::SetUp => happened(SyncEvent::Promotion).then_some(Sign::SetUp),
                Sign::Check => check.then_some(Sign::Check),
                Sign::Interposes => interposes(doublet, side, written[side]).then_some(Sign::Interposes),
                Sign::Mate => None,
                other => Some(other),
            };
            signs.extend(sign);
        }
        // Two movers that meet on a square at which neither aimed get no sign.
        if intended[side].is_empty() && happened(SyncEvent::Collision) && !signs.contains(&Sign::Collision) {
            signs.push(Sign::Collision);
        }
        if check && !intended[side].contains(&Sign::Check) {
            signs.push(Sign::QuietCheck);
        }
    }
    signs.extend(result.filter(|result| result.is_mate()).map(|_| Sign::Mate));
    signs
}

/// Whether the king would be in check without the piece that has just moved.
fn interposes(doublet: &Doublet, side: Color, written: Option<SyncMove>) -> bool {
    let Some(SyncMove::Piece(written)) = written else { return false };
    let mut without = doublet.after.board.clone();
    if without.color_at(written.to) == Some(side) {
        without.discard_piece_at(written.to);
    }
    !doublet.after.in_check(side) && attacked_king(&without, side)
}
