//! The table of the players: how near the moves of each lie to the map, beside what chance would give.
//!
//! What one game shows is little: a share over forty moves is uncertain by eleven points either way, and at horizon 4 most
//! legal moves are sensible anyhow.

use super::row::{Closed, FARTHEST, MeanClosed, Row};
use crate::prelude::*;

/// The quantile of the normal distribution for an interval of 95 %.
const Z: f64 = 1.96;

/// From this number of games on the scatter is that between games: moves of one game resemble each other.
const ENOUGH_GAMES: usize = 10;

/// What the moves of one player have in common.
#[derive(Clone, Debug, Serialize)]
pub struct Player {
    /// The name, as the games have it.
    pub player: String,
    /// The games.
    pub games: usize,
    /// The moves that count: those with a choice that the map knows.
    pub moves: usize,
    /// For each horizon, 1 to 4: the moves that are sensible within it.
    pub horizons: [Measure; FARTHEST],
    /// The moves that keep hope.
    pub keeps: Measure,
    /// The moves that the machine program plays too, of those with a choice, castling and all; null if it was not asked.
    pub same: Option<Measure>,
    /// The time that the M-220 took for all of them; null if it was not asked.
    pub m220_seconds: Option<f64>,
    /// What the moves do to the ways of both sides; null if it was not measured.
    pub style: Option<PlayerStyle>,
}

/// What a player's moves do to q, the closed squares of each side's attacks. The words are the book's, Botvinnik 1968,
/// p. 49; that they are counted so is ours.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PlayerStyle {
    /// The moves that count, but for those that end the game.
    pub moves: usize,
    /// The change of q of the player's own attacks.
    pub own: Change,
    /// The change of q of the other side's attacks.
    pub enemy: Change,
    /// The moves after which both are smaller.
    pub active: StyleShare,
    /// Those after which the other side's is larger, and the player's own not smaller.
    pub passive: StyleShare,
    /// Those after which the other side's is larger and the player's own smaller.
    pub both_better: StyleShare,
    /// The rest.
    pub other: StyleShare,
}

/// How a number changes by a move, in squares.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Change {
    /// The mean change.
    pub mean: f64,
    /// By how much it exceeds the mean change over all legal moves.
    pub excess: f64,
    /// The half-width of the interval of 95 % of the excess; null for one move.
    pub excess_error: Option<f64>,
}

/// A share of a player's moves.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct StyleShare {
    /// The share, 0 to 1.
    pub share: f64,
    /// The half-width of its interval of 95 %; null for one move.
    pub error: Option<f64>,
}

/// A move's changes of q.
#[derive(Clone, Copy, Debug)]
struct Changes {
    game: usize,
    /// Of the player's own q, and by how much it exceeds the mean over the legal moves.
    own: (f64, f64),
    /// Of the other side's.
    enemy: (f64, f64),
}

impl PlayerStyle {
    fn of(found: &[Changes]) -> PlayerStyle {
        let n = found.len() as f64;
        let change = |of: fn(&Changes) -> (f64, f64)| {
            let excesses: Vec<_> = found.iter().map(|one| (one.game, of(one).1)).collect();
            let (excess, excess_error) = mean_and_error(&excesses);
            Change { mean: found.iter().map(|one| of(one).0).sum::<f64>() / n, excess, excess_error }
        };
        let share = |is: &dyn Fn(f64, f64) -> bool| {
            let has = |one: &Changes| f64::from(u8::from(is(one.own.0, one.enemy.0)));
            let (share, error) = mean_and_error(&found.iter().map(|one| (one.game, has(one))).collect::<Vec<_>>());
            StyleShare { share, error }
        };
        let active = |own: f64, enemy: f64| own < 0.0 && enemy < 0.0;
        let passive = |own: f64, enemy: f64| own >= 0.0 && enemy > 0.0;
        let both_better = |own: f64, enemy: f64| own < 0.0 && enemy > 0.0;
        PlayerStyle {
            moves: found.len(),
            own: change(|one| one.own),
            enemy: change(|one| one.enemy),
            active: share(&active),
            passive: share(&passive),
            both_better: share(&both_better),
            other: share(&|own, enemy| !active(own, enemy) && !passive(own, enemy) && !both_better(own, enemy)),
        }
    }
}

/// The mean of what was found in games, and the half-width of its interval of 95 %, of which one case tells nothing.
fn mean_and_error(found: &[(usize, f64)]) -> (f64, Option<f64>) {
    let n = found.len() as f64;
    let mean = found.iter().map(|(_, value)| value).sum::<f64>() / n;
    let (mut games, mut squares) = (BTreeMap::<usize, f64>::new(), 0.0);
    for (game, value) in found {
        *games.entry(*game).or_default() += value - mean;
        squares += (value - mean).powi(2);
    }
    let g = games.len() as f64;
    let error = if games.len() >= ENOUGH_GAMES {
        Z * (g / (g - 1.0) * games.values().map(|sum| sum * sum).sum::<f64>()).sqrt() / n
    } else {
        Z * (squares / (n - 1.0)).sqrt() / n.sqrt()
    };
    (mean, (found.len() > 1).then_some(error))
}

/// A share of moves, beside chance.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Measure {
    /// The moves that have the property.
    pub count: usize,
    /// Of so many.
    pub of: usize,
    /// The share, 0 to 1; like what follows null without moves.
    pub share: Option<f64>,
    /// Wilson's interval of 95 % for it.
    pub interval: Option<[f64; 2]>,
    /// The share that moves drawn at random would have, exactly.
    pub chance: Option<f64>,
    /// The mean by which the moves exceed chance.
    pub excess: Option<f64>,
    /// The half-width of its interval of 95 %; null for one move.
    pub excess_error: Option<f64>,
}

impl Measure {
    /// Of moves in games, each with whether it has the property and the chance that it would.
    fn of(found: &[(usize, bool, f64)]) -> Measure {
        let n = found.len() as f64;
        if found.is_empty() {
            return Measure::default();
        }
        let count = found.iter().filter(|(_, has, _)| *has).count();
        let share = count as f64 / n;
        let differences: Vec<_> =
            found.iter().map(|&(game, has, chance)| (game, f64::from(u8::from(has)) - chance)).collect();
        let (excess, excess_error) = mean_and_error(&differences);
        Measure {
            count,
            of: found.len(),
            share: Some(share),
            interval: Some(wilson(share, n)),
            chance: Some(found.iter().map(|(_, _, chance)| chance).sum::<f64>() / n),
            excess: Some(excess),
            excess_error,
        }
    }
}

/// Wilson's interval for a share of `n`.
fn wilson(share: f64, n: f64) -> [f64; 2] {
    let z2 = Z * Z;
    let middle = share + z2 / (2.0 * n);
    let half = Z * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt();
    // Rounding leads a little below zero.
    [middle - half, middle + half].map(|end| (end / (1.0 + z2 / n)).clamp(0.0, 1.0))
}

/// What the table takes of a row, also of one that was written earlier.
#[derive(Clone, Debug, Deserialize)]
pub struct Counted {
    /// The game in the file.
    pub game: usize,
    legal: usize,
    off_map: Option<String>,
    first_horizon: Option<u32>,
    sensible: [usize; FARTHEST],
    keeps: Option<bool>,
    keeping: usize,
    closed: Closed,
    machine: Option<CountedMachine>,
    /// See [`Row::style`].
    pub style: Option<MeanClosed>,
}

impl Counted {
    /// That of a row, as if its document had been read.
    ///
    /// # Errors
    /// None in practice: a document has all of it.
    pub fn of(row: &Row) -> serde_json::Result<Counted> {
        serde_json::from_value(serde_json::to_value(row)?)
    }

    /// What the move does to q; none if it was not measured, or if the game is over.
    fn changes(&self) -> Option<Changes> {
        let change = |before: u32, after: Option<u32>, mean: Option<f64>| {
            let after = f64::from(after?);
            Some((after - f64::from(before), after - mean?))
        };
        let (closed, style) = (&self.closed, self.style?);
        Some(Changes {
            game: self.game,
            own: change(closed.own_before, closed.own_after, style.own)?,
            enemy: change(closed.enemy_before, closed.enemy_after, style.enemy)?,
        })
    }
}

#[derive(Clone, Copy, Debug, Deserialize)]
struct CountedMachine {
    same: Option<bool>,
    m220_seconds: Option<f64>,
}

/// The rows that have been seen, by the names of the players.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    players: BTreeMap<String, Moves>,
    /// The players in the order in which they came.
    order: Vec<String>,
}

#[derive(Clone, Debug, Default)]
struct Moves {
    games: BTreeMap<usize, ()>,
    horizons: [Vec<(usize, bool, f64)>; FARTHEST],
    keeps: Vec<(usize, bool, f64)>,
    same: Vec<(usize, bool, f64)>,
    m220_seconds: Option<f64>,
    changes: Vec<Changes>,
}

impl Tally {
    /// Adds a row of this player.
    pub fn add(&mut self, player: &str, row: &Counted) {
        if !self.players.contains_key(player) {
            self.order.push(player.to_owned());
        }
        let moves = self.players.entry(player.to_owned()).or_default();
        moves.games.insert(row.game, ());
        if let Some(seconds) = row.machine.and_then(|machine| machine.m220_seconds) {
            *moves.m220_seconds.get_or_insert(0.0) += seconds;
        }
        if row.legal < 2 {
            return;
        }
        let legal = row.legal as f64;
        if let Some(same) = row.machine.and_then(|machine| machine.same) {
            moves.same.push((row.game, same, 1.0 / legal));
        }
        if row.off_map.is_some() {
            return;
        }
        for (index, found) in moves.horizons.iter_mut().enumerate() {
            let has = row.first_horizon.is_some_and(|horizon| horizon as usize <= index + 1);
            found.push((row.game, has, row.sensible[index] as f64 / legal));
        }
        moves.keeps.push((row.game, row.keeps == Some(true), row.keeping as f64 / legal));
        moves.changes.extend(row.changes());
    }

    /// The table, in the order in which the players came.
    #[must_use]
    pub fn players(&self) -> Vec<Player> {
        let named = self.order.iter().filter_map(|name| Some((name, self.players.get(name)?)));
        named
            .map(|(name, moves)| Player {
                player: name.clone(),
                games: moves.games.len(),
                moves: moves.keeps.len(),
                horizons: std::array::from_fn(|index| Measure::of(&moves.horizons[index])),
                keeps: Measure::of(&moves.keeps),
                same: (!moves.same.is_empty()).then(|| Measure::of(&moves.same)),
                m220_seconds: moves.m220_seconds,
                style: (!moves.changes.is_empty()).then(|| PlayerStyle::of(&moves.changes)),
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 26 of 100: the textbook interval is 18.4 to 35.4 %.
    #[test]
    fn the_interval_is_wilsons() {
        let [low, high] = wilson(0.26, 100.0);
        assert!((low - 0.1840).abs() < 5e-4 && (high - 0.3537).abs() < 5e-4, "{low} {high}");
    }

    /// Of ten moves two are active, one passive and three better for both ways; each opens a square more than chance.
    #[test]
    fn styles_are_shares_and_changes() {
        let changes = [(-1, -1), (-2, -3), (0, 2), (-1, 1), (-1, 4), (-3, 1), (1, -1), (0, 0), (2, 0), (-1, 0)];
        let found = changes.map(|(own, enemy)| {
            let (own, enemy) = (f64::from(own), f64::from(enemy));
            Changes { game: 1, own: (own, own - 1.0), enemy: (enemy, 0.5) }
        });
        let style = PlayerStyle::of(&found);
        let shares = [style.active, style.passive, style.both_better, style.other];
        assert_eq!(shares.map(|found| found.share), [0.2, 0.1, 0.3, 0.4]);
        // 1.96 * sqrt(0.1 * 0.9 / 9).
        assert!((style.passive.error.unwrap() - 0.196).abs() < 1e-9, "{style:?}");
        assert!((style.own.mean + 0.6).abs() < 1e-12 && (style.own.excess + 1.6).abs() < 1e-12, "{style:?}");
        assert!((style.enemy.excess, style.enemy.excess_error) == (0.5, Some(0.0)), "{style:?}");
    }

    /// Moves just as good as chance exceed it by nothing; ten games that all exceed it alike leave no doubt.
    #[test]
    fn excess_is_over_chance() {
        let even: Vec<_> = (0..100).map(|index| (0, index % 2 == 0, 0.5)).collect();
        let excess = |found: &[_]| {
            let measure = Measure::of(found);
            (measure.excess.unwrap(), measure.excess_error.unwrap())
        };
        let (mean, error) = excess(&even);
        assert!(mean.abs() < 1e-12 && (error - 0.0985).abs() < 1e-3, "{mean} {error}");
        let games: Vec<_> = (0..100).map(|index| (index / 10, index % 2 == 0, 0.25)).collect();
        let (mean, error) = excess(&games);
        assert!((mean - 0.25).abs() < 1e-12 && error < 1e-9, "{mean} {error}");
        // One move leaves every doubt, and none has no share.
        assert_eq!(Measure::of(&games[..1]).excess_error, None);
        assert_eq!(Measure::of(&[]).share, None);
    }
}
