//! The table of the players: how near the moves of each lie to the map, beside what chance would give.
//!
//! What one game shows is little: a share over forty moves is uncertain by eleven points either way, and at horizon 4 most
//! legal moves are sensible anyhow.

use super::row::{FARTHEST, Row};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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
    /// The moves that the machine program plays too; null if it was not asked.
    pub same: Option<Measure>,
    /// The time that the M-220 took for all of them; null if it was not asked.
    pub m220_seconds: Option<f64>,
}

/// A share of moves, beside chance.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Measure {
    /// The moves that have the property.
    pub count: usize,
    /// Of so many.
    pub of: usize,
    /// The share, 0 to 1.
    pub share: f64,
    /// Wilson's interval of 95 % for it.
    pub interval: [f64; 2],
    /// The share that moves drawn at random would have, exactly.
    pub chance: f64,
    /// The mean by which the moves exceed chance.
    pub excess: f64,
    /// The half-width of its interval of 95 %.
    pub excess_error: f64,
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
        let difference = |&(_, has, chance): &(usize, bool, f64)| f64::from(u8::from(has)) - chance;
        let excess = found.iter().map(difference).sum::<f64>() / n;
        let (mut games, mut squares) = (BTreeMap::<usize, f64>::new(), 0.0);
        for one in found {
            let off = difference(one) - excess;
            *games.entry(one.0).or_default() += off;
            squares += off * off;
        }
        let g = games.len() as f64;
        let excess_error = if games.len() >= ENOUGH_GAMES {
            Z * (g / (g - 1.0) * games.values().map(|sum| sum * sum).sum::<f64>()).sqrt() / n
        } else {
            Z * (squares / (n - 1.0).max(1.0)).sqrt() / n.sqrt()
        };
        Measure {
            count,
            of: found.len(),
            share,
            interval: wilson(share, n),
            chance: found.iter().map(|(_, _, chance)| chance).sum::<f64>() / n,
            excess,
            excess_error,
        }
    }
}

/// Wilson's interval for a share of `n`.
fn wilson(share: f64, n: f64) -> [f64; 2] {
    let z2 = Z * Z;
    let middle = share + z2 / (2.0 * n);
    let half = Z * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt();
    [(middle - half) / (1.0 + z2 / n), (middle + half) / (1.0 + z2 / n)]
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
    machine: Option<CountedMachine>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
struct CountedMachine {
    same: Option<bool>,
    m220_seconds: Option<f64>,
}

impl From<&Row> for Counted {
    fn from(row: &Row) -> Counted {
        Counted {
            game: row.game,
            legal: row.legal,
            off_map: row.off_map.map(str::to_owned),
            first_horizon: row.first_horizon,
            sensible: row.sensible,
            keeps: row.keeps,
            keeping: row.keeping,
            machine: row
                .machine
                .as_ref()
                .map(|machine| CountedMachine { same: machine.same, m220_seconds: machine.m220_seconds }),
        }
    }
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
        // There was a choice, and the map knows the move.
        if row.legal < 2 || row.off_map.is_some() {
            return;
        }
        let legal = row.legal as f64;
        for (index, found) in moves.horizons.iter_mut().enumerate() {
            let has = row.first_horizon.is_some_and(|horizon| horizon as usize <= index + 1);
            found.push((row.game, has, row.sensible[index] as f64 / legal));
        }
        moves.keeps.push((row.game, row.keeps == Some(true), row.keeping as f64 / legal));
        if let Some(same) = row.machine.and_then(|machine| machine.same) {
            moves.same.push((row.game, same, 1.0 / legal));
        }
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

    /// Moves just as good as chance exceed it by nothing; ten games that all exceed it alike leave no doubt.
    #[test]
    fn excess_is_over_chance() {
        let even: Vec<_> = (0..100).map(|index| (0, index % 2 == 0, 0.5)).collect();
        let measure = Measure::of(&even);
        assert!(measure.excess.abs() < 1e-12 && (measure.excess_error - 0.0985).abs() < 1e-3, "{measure:?}");
        let games: Vec<_> = (0..100).map(|index| (index / 10, index % 2 == 0, 0.25)).collect();
        let measure = Measure::of(&games);
        assert!((measure.excess - 0.25).abs() < 1e-12 && measure.excess_error < 1e-9, "{measure:?}");
    }
}
