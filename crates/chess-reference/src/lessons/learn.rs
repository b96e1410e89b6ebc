//! Values of relations learned from decisive moves, and from a game.

use super::opening::read_move;
use crate::legal::of_fen;
use crate::prelude::*;
use crate::relations::{MOST_VALUE, Relation, RelationKind, Tables, Type, all_types, change, relations, type_name};
use crate::spans::{TextError, lines, place_of, words};
use m220_limits::End;
use num_rational::BigRational;
use std::collections::BTreeMap;

/// What was learned from cases.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Learned {
    /// The cases that had another move to compare with.
    pub used: usize,
    /// The values that are not 0, in hundredths, by the names of their types: `at Q P`.
    pub values: Vec<(String, i64)>,
    /// The weights of attack, defence and control in thousandths; none if no sum is positive.
    pub weights: Option<[i64; 3]>,
}

fn type_of(relation: &Relation) -> Type {
    (relation.kind, relation.piece, relation.target)
}

/// What a move changes of the own counts of each type less the enemy's.
fn changes(position: &Chess, legal: shakmaty::Move) -> BTreeMap<Type, i64> {
    let change = change(position.board(), after(position, legal).board());
    let mut changes = BTreeMap::new();
    let mut add = |list: &[Relation], sign: i64| {
        for relation in list {
            let own = if relation.side == position.turn() { sign } else { -sign };
            *changes.entry(type_of(relation)).or_insert(0) += own;
        }
    };
    add(&change.gained, 1);
    add(&change.lost, -1);
    changes
}

/// A type counts what a decisive move changes of it more than the other moves do, on the mean over the cases.
///
/// # Errors
/// The limits ended it before the last case.
pub fn learn_from_cases(cases: &[(Chess, Move)], limits: &Limits) -> Result<Learned, End> {
    let mut sums: BTreeMap<Type, BigRational> = BTreeMap::new();
    let whole = |number: i64| BigRational::from_integer(number.into());
    let mut add = |of: Type, value: BigRational| {
        let sum = sums.entry(of).or_insert_with(|| whole(0));
        *sum += value;
    };
    let mut used = 0;
    for (position, decisive) in cases {
        limits.reached().map_or(Ok(()), Err)?;
        let moves = position.legal_moves();
        let Some(others) = moves.len().checked_sub(1).filter(|&others| others > 0) else { continue };
        used += 1;
        let mut total = BTreeMap::new();
        for &legal in &moves {
            let is_decisive = to_uci(legal) == *decisive;
            for (of, count) in changes(position, legal) {
                match is_decisive {
                    true => add(of, whole(count)),
                    false => *total.entry(of).or_insert(0) += count,
                }
            }
        }
        for (of, count) in total {
            add(of, -whole(count) / whole(others as i64));
        }
    }
    let mean = |of: &Type| sums.get(of).map_or(whole(0), |sum| sum / whole(used.max(1) as i64));
    let types = || RelationKind::ALL.into_iter().flat_map(all_types);
    // Rounding is away from zero in the middle.
    let hundredths = |value: BigRational| i64::try_from((value * whole(100)).round().to_integer()).unwrap_or(0);
    let values = types().map(|of| (type_name(of), hundredths(mean(&of)))).filter(|(_, value)| *value != 0);
    let values = values.collect();
    let of_kind = |kind| all_types(kind).map(|of| mean(&of)).fold(whole(0), |sum, value| sum + value).max(whole(0));
    Ok(Learned { used, values, weights: weights(RelationKind::ALL.map(of_kind)) })
}

/// Shares in thousandths, rounded down but at least one; the largest takes the rest.
fn weights(sums: [BigRational; 3]) -> Option<[i64; 3]> {
    let whole = |number: i64| BigRational::from_integer(number.into());
    let total = sums.iter().fold(whole(0), |sum, part| sum + part);
    if total == whole(0) {
        return None;
    }
    let share = |sum: &BigRational| i64::try_from((sum * whole(1000) / &total).to_integer()).unwrap_or(0).max(1);
    let mut shares = sums.each_ref().map(share);
    let largest = (0..3).rev().max_by(|&one, &other| sums[one].cmp(&sums[other]))?;
    shares[largest] += 1000 - shares.iter().sum::<i64>();
    Some(shares)
}

/// What was learned from a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judged {
    /// The own moves that were answered.
    pub judged: usize,
    /// Those after which the answer left no more than before.
    pub failed: usize,
    /// The values: 1 unless a failure has changed them.
    pub tables: Tables,
}

/// Plays a game through: after an own move and its reply without a gain of E, the relations that the move added count
/// `step` hundredths less, those that it removed as much more.
#[must_use]
pub fn learn_from_game(start: &Chess, played: &[Move], side: Color, step: i64) -> Judged {
    let mut found = Judged { judged: 0, failed: 0, tables: Tables::unit() };
    // A longer step ends at the same bound.
    let step = step.clamp(-100 * MOST_VALUE, 100 * MOST_VALUE);
    let mut position = start.clone();
    let next = |position: &Chess, written: Option<&Move>| Some(after(position, of_uci(position, *written?)?));
    let mut moves = played.iter().peekable();
    while let Some(moved) = next(&position, moves.next()) {
        if position.turn() == side {
            let Some(replied) = next(&moved, moves.peek().copied()) else { break };
            let value = |at: &Chess, tables: &Tables| tables.sum(&relations(at.board()), side);
            found.judged += 1;
            if value(&replied, &found.tables) <= value(&position, &found.tables) {
                found.failed += 1;
                let change = change(position.board(), moved.board());
                let own = |relation: &&Relation| relation.side == side;
                // What a move adds and removes of a type is set off before the bounds count.
                let mut steps: BTreeMap<Type, i64> = BTreeMap::new();
                for relation in change.gained.iter().filter(own) {
                    *steps.entry(type_of(relation)).or_insert(0) -= step;
                }
                for relation in change.lost.iter().filter(own) {
                    *steps.entry(type_of(relation)).or_insert(0) += step;
                }
                steps.into_iter().for_each(|(of, step)| found.tables.adjust(of, step));
            }
        }
        position = moved;
    }
    found
}

/// Reads cases, one a line: a FEN, `;`, and the decisive move in UCI notation; `#` begins a comment.
///
/// # Errors
/// [`TextError`] with the place of the first line that is none.
pub fn read_cases(text: &str) -> Result<Vec<(Chess, Move)>, TextError> {
    let case = |content: &str| {
        let wrong = |message: Sentence| TextError { span: place_of(text, content), message };
        let (fen, written) =
            content.split_once(';').ok_or_else(|| wrong("expected a FEN, ; and a move in UCI notation".into()))?;
        let position = of_fen(fen.trim()).map_err(wrong)?;
        let legal = read_move(&position, written.trim()).map_err(wrong)?;
        Ok((position, to_uci(legal)))
    };
    lines(text).map(case).collect()
}

/// Reads a game: UCI moves, with a FEN on a line before them if it does not begin in the initial position; `#` begins a
/// comment.
///
/// # Errors
/// [`TextError`] with the place of the first word that is not what it should be.
pub fn read_game(text: &str) -> Result<(Chess, Vec<Move>), TextError> {
    let mut lines = lines(text).peekable();
    let start = match lines.next_if(|line| line.contains('/')) {
        None => Chess::default(),
        Some(fen) => of_fen(fen).map_err(|message| TextError { span: place_of(text, fen), message })?,
    };
    let mut played = Vec::new();
    let mut position = start.clone();
    for line in lines {
        played.extend(moves_of(&mut position, text, line)?);
    }
    Ok((start, played))
}

/// Reads UCI moves, and plays them.
///
/// # Errors
/// [`TextError`] with the place of the first word that is not a legal move.
pub fn read_moves(position: &mut Chess, text: &str) -> Result<Vec<Move>, TextError> {
    moves_of(position, text, text)
}

/// The moves in a part of a text.
fn moves_of(position: &mut Chess, text: &str, part: &str) -> Result<Vec<Move>, TextError> {
    let mut played = Vec::new();
    for (span, word) in words(text, part) {
        let legal = read_move(position, word).map_err(|message| TextError { span, message })?;
        position.play_unchecked(legal);
        played.push(to_uci(legal));
    }
    Ok(played)
}
