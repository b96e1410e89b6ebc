//! The legal moves that serve a condition, rule by rule.

use super::grammar::{PlanCondition, Wanted};
use crate::prelude::*;
use shakmaty::attacks;

/// The moves of one rule, sorted as texts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Refinement {
    /// The rule: `move`, `capture`, `attack`, `offer`, `go there`, `detour attack`.
    pub rule: &'static str,
    /// The moves.
    pub moves: Vec<Move>,
}

/// The state of a condition in a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refined {
    /// It holds: no move is needed.
    Holds,
    /// It is only verified, and does not hold.
    Fails,
    /// The moves that serve it, by rule.
    Moves(Vec<Refinement>),
}

/// A legal move and the position after it.
struct Made {
    written: Move,
    legal: shakmaty::Move,
    after: Chess,
}

fn made(position: &Chess) -> Vec<Made> {
    let play = |(written, legal)| Made { written, legal, after: after(position, legal) };
    legal_moves(position).into_iter().map(play).collect()
}

/// Whether a state holds, for the side to move. Captures and moves hold only by being made.
#[must_use]
pub fn holds(position: &Chess, wanted: Wanted) -> bool {
    let there = |square: Square| position.board().piece_at(square);
    let is = |square, color: Color, role: Option<Role>| {
        there(square).is_some_and(|piece| piece.color == color && role.is_none_or(|role| role == piece.role))
    };
    match wanted {
        Wanted::Vacant(square) => there(square).is_none(),
        Wanted::Own(role, square) => is(square, position.turn(), role),
        Wanted::Enemy(role, square) => is(square, position.turn().other(), role),
        Wanted::Capture(_) | Wanted::Go(..) => false,
    }
}

/// The moves that serve a condition for the side to move. A condition with an asterisk takes only checks; if there are
/// none, it takes the detour: an attack on the enemy king.
#[must_use]
pub fn refine(position: &Chess, condition: PlanCondition) -> Refined {
    match (holds(position, condition.wanted), condition.verify) {
        (true, _) => return Refined::Holds,
        (false, true) => return Refined::Fails,
        (false, false) => {}
    }
    let list = made(position);
    let mut rules = by_rule(position, condition.wanted, &list);
    if condition.star {
        let checks = |written: &Move| list.iter().any(|made| made.written == *written && made.after.is_check());
        for rule in &mut rules {
            rule.moves.retain(checks);
        }
        if rules.iter().all(|rule| rule.moves.is_empty()) {
            let moves = list.iter().filter(|made| made.after.is_check()).map(|made| made.written).collect();
            rules.push(Refinement { rule: "detour attack", moves });
        }
    }
    Refined::Moves(rules)
}

fn by_rule(position: &Chess, wanted: Wanted, list: &[Made]) -> Vec<Refinement> {
    let board = position.board();
    let own = |square| board.color_at(square) == Some(position.turn());
    match wanted {
        Wanted::Vacant(square) if own(square) => vec![leave(list, square)],
        Wanted::Vacant(square) => {
            vec![
                rule("capture", list, |made| captures_on(made, square)),
                attack(position, list, square),
                offer(list, square),
            ]
        }
        // A friendly piece of another kind has to leave first.
        Wanted::Own(_, square) if own(square) => vec![leave(list, square)],
        Wanted::Own(role, square) => vec![rule("go there", list, |made| {
            made.written.to == square && role.is_none_or(|role| made.legal.role() == role)
        })],
        Wanted::Enemy(role, square) => vec![rule("offer", list, |made| {
            made.written.to == square && may_be_taken(made, |taker, _| role.is_none_or(|role| role == taker))
        })],
        Wanted::Capture(square) => vec![rule("capture", list, |made| captures_on(made, square))],
        Wanted::Go(from, to) => {
            vec![rule("move", list, |made| (made.written.from, made.written.to) == (from, to))]
        }
    }
}

fn rule(name: &'static str, list: &[Made], fits: impl Fn(&Made) -> bool) -> Refinement {
    Refinement { rule: name, moves: list.iter().filter(|made| fits(made)).map(|made| made.written).collect() }
}

fn leave(list: &[Made], square: Square) -> Refinement {
    rule("move", list, |made| made.written.from == square)
}

fn captures_on(made: &Made, square: Square) -> bool {
    made.legal.is_capture() && made.written.to == square
}

/// Moves after which a piece newly attacks the square; for the king's square, moves that give check.
fn attack(position: &Chess, list: &[Made], square: Square) -> Refinement {
    let side = position.turn();
    let bearing = |on: &Chess| on.board().attacks_to(square, side, on.board().occupied());
    let king = position.board().role_at(square) == Some(Role::King);
    rule("attack", list, |made| {
        let Move { from, to, .. } = made.written;
        let mut before = bearing(position);
        if before.contains(from) {
            before.add(to);
        }
        match king {
            true => made.after.is_check(),
            false => to != square && (bearing(&made.after) & !before).any(),
        }
    })
}

/// Moves after which the piece on the square may legally capture the piece that moved, a pawn also in passing.
fn offer(list: &[Made], square: Square) -> Refinement {
    let passing = |made: &Made| {
        let replies = made.after.legal_moves();
        replies.iter().any(|legal| legal.is_en_passant() && legal.from() == Some(square))
    };
    rule("offer", list, |made| {
        made.written.to != square && (may_be_taken(made, |_, from| from == square) || passing(made))
    })
}

/// Whether a piece of this kind may legally capture the piece that moved, from this square to where that one stands.
fn may_be_taken(made: &Made, by: impl Fn(Role, Square) -> bool) -> bool {
    let takes = |legal: &shakmaty::Move| legal.to() == made.written.to && !legal.is_en_passant() && legal.is_capture();
    made.after.legal_moves().iter().any(|legal| takes(legal) && legal.from().is_some_and(|from| by(legal.role(), from)))
}

/// One way to prevent a capture: the condition that it makes true, and its moves by rule.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Device {
    /// The condition: `V(e2)`, `A(e5)`, `E(e5)`.
    pub condition: String,
    /// The rule.
    pub rule: &'static str,
    /// The moves, sorted as texts.
    pub moves: Vec<Move>,
}

/// The ways to prevent the capture of the piece on `victim` by the piece on `taker`: move it away; interpose a piece,
/// friendly or enemy; remove the threatening piece.
///
/// # Errors
/// A sentence if there is no such threat.
pub fn prevent(position: &Chess, taker: Square, victim: Square) -> Result<Vec<Device>, Sentence> {
    let board = position.board();
    let side = position.turn();
    let attackers = board.attacks_to(victim, side.other(), board.occupied());
    let (from, to) = (taker.to_string(), victim.to_string());
    if board.color_at(taker) != Some(side.other()) {
        return Err(sentence!("no enemy piece stands on {from}", from));
    }
    if board.color_at(victim) != Some(side) {
        return Err(sentence!("no piece of the side to move stands on {to}", to));
    }
    if !attackers.contains(taker) {
        return Err(sentence!("the piece on {from} does not attack {to}", from, to));
    }
    let list = made(position);
    let device = |wanted: Wanted, found: Refinement| Device {
        condition: PlanCondition { wanted, verify: false, star: false }.to_string(),
        rule: found.rule,
        moves: found.moves,
    };
    let mut devices = vec![device(Wanted::Vacant(victim), leave(&list, victim))];
    // The squares between the two; there are none if the taker is a knight, a king or a pawn.
    let between = match board.role_at(taker) {
        Some(Role::Queen | Role::Rook | Role::Bishop) => attacks::between(taker, victim),
        _ => Bitboard::EMPTY,
    };
    for square in between {
        let others = |made: &Made| made.written.to == square && made.written.from != victim;
        devices.push(device(Wanted::Own(None, square), rule("go there", &list, others)));
        let offered = |made: &Made| others(made) && may_be_taken(made, |_, from| from != taker);
        devices.push(device(Wanted::Enemy(None, square), rule("offer", &list, offered)));
    }
    let remove = by_rule(position, Wanted::Vacant(taker), &list);
    devices.extend(remove.into_iter().map(|found| device(Wanted::Vacant(taker), found)));
    Ok(devices)
}
