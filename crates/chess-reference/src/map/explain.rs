//! A trajectory in words: why each square has its function.

use super::build::Map;
use super::formulas::tau;
use super::values::{AlphaSquare, AttackRoute, Interposition, InvisibleValue, Negation, SecondNegation};
use crate::names::{colour_name, role_name, side_name};
use crate::prelude::*;

/// Why each square of the trajectory along `squares` has its function, a line for each, of several sentences; `None` if
/// the map has no such trajectory.
pub fn explain(map: &Map, squares: &[Square]) -> Option<Vec<Vec<Sentence>>> {
    let (value, route) = map.routes().find(|(_, route)| *route.trajectory == *squares)?;
    let mut lines = vec![vec![heading(value, route)]];
    lines.extend(route.alpha_squares.iter().enumerate().map(|(i, alpha)| square_told(value, alpha, i, map.horizon)));
    lines.extend(route.blocks.iter().map(|block| block_told(value, block)));
    lines.extend(value.attack.target.map(|target| vec![retreats_told(target, route)]));
    lines.push(vec![conclusion(value, route)]);
    Some(lines)
}

fn piece(side: Color, role: Role, square: Square) -> Sentence {
    // In some languages the colour is an adjective.
    let (names, square) = (["side", "colour", "role", "square"], square.to_string());
    let values = [side_name(side), colour_name(side), role_name(role), &square];
    Sentence::new("{side}'s {role} {square}", &names, &values.each_ref().map(|value| value as _))
}

fn listed<T: ToString>(values: impl IntoIterator<Item = T>) -> String {
    values.into_iter().map(|value| value.to_string()).collect::<Vec<_>>().join(", ")
}

fn heading(value: &InvisibleValue, route: &AttackRoute) -> Sentence {
    let attack = &value.attack;
    let attacker = piece(attack.side, attack.piece, attack.from);
    let attack = match attack.target {
        Some(role) => {
            let target = piece(attack.side.other(), role, attack.to);
            sentence!("{attacker} attacks {target}", attacker, target)
        }
        None => sentence!("{attacker} goes to become a queen on {square}", attacker, square = attack.to.to_string()),
    };
    let time = match value.attack.half_moves {
        1 => sentence!("1 half-move"),
        count => sentence!("{count} half-moves", count),
    };
    let (by, aim) = (&route.trajectory[1..route.trajectory.len() - 1], value.aim.to_string());
    match by {
        [] => sentence!("{attack} in {time}; at stake: {aim}.", attack, time, aim),
        by => sentence!("{attack} by {squares} in {time}; at stake: {aim}.", attack, squares = listed(by), time, aim),
    }
}

fn square_told(value: &InvisibleValue, alpha: &AlphaSquare, index: usize, horizon: u32) -> Vec<Sentence> {
    let (square, number, gain) = (alpha.square.to_string(), alpha.arrival, alpha.gain);
    let mut told = vec![match gain {
        _ if index == 0 => sentence!("{square}: the attacker stands here.", square),
        1.. => {
            let gain = gain.to_string();
            sentence!("{square}: reached in half-move {number}, winning {gain}.", square, number, gain)
        }
        _ => sentence!("{square}: reached in half-move {number}.", square, number),
    }];
    if horizon == 1 {
        told.push(sentence!("With a horizon of one half-move nobody has time to answer."));
    } else if alpha.negations.is_empty() {
        told.push(sentence!("Nobody can take here in time: rho = 1."));
    }
    told.extend(alpha.negations.iter().map(|negation| negation_told(value, alpha, negation)));
    told.push(sentence!("f = {f}.", f = alpha.f.to_string()));
    told
}

fn negation_told(value: &InvisibleValue, alpha: &AlphaSquare, negation: &Negation) -> Sentence {
    let taker = piece(value.attack.side.other(), negation.role, negation.way[0]);
    let taker = match &*negation.way {
        [_, step, _] => sentence!("{taker}, first going to {square},", taker, square = step.to_string()),
        _ => taker,
    };
    let (arrival, half_move) = (alpha.arrival, negation.half_moves);
    let sum = format!("{arrival} - {half_move} + 2 = {} > 0", i64::from(arrival) - i64::from(half_move) + 2);
    let (m, tau) = (negation.m.to_string(), tau(negation.m).to_string());
    let claim = sentence!(
        "{taker} can take in half-move {half_move}: {sum}, rho = 0; the fight brings the attacker m = {m}, tau = {tau}",
        taker,
        half_move,
        sum,
        m,
        tau
    );
    unless_negated(value, claim, negation.second)
}

fn unless_negated(value: &InvisibleValue, claim: Sentence, second: Option<SecondNegation>) -> Sentence {
    let second = match second {
        None => return sentence!("{claim}.", claim),
        Some(SecondNegation::Taken { role, by, on }) => {
            let taker = piece(value.attack.side, role, by);
            sentence!("{taker} takes that piece on {square}", taker, square = on.to_string())
        }
        Some(SecondNegation::King) => {
            sentence!("{side}'s own king could then be taken", side = side_name(value.attack.side.other()))
        }
    };
    sentence!("{claim}; but this is negated: {second}.", claim, second)
}

fn block_told(value: &InvisibleValue, block: &Interposition) -> Vec<Sentence> {
    let what = match block.m {
        Some(m) => sentence!("taking it there brings the attacker m = {m}", m = m.to_string()),
        None => sentence!("a pawn cannot take straight ahead"),
    };
    let (square, half_move) = (block.on.to_string(), block.half_moves);
    let blocker = piece(value.attack.side.other(), block.role, block.from);
    let claim = sentence!(
        "{square}: {blocker} can stand in the way here in half-move {half_move}; {what}",
        square,
        blocker,
        half_move,
        what
    );
    vec![unless_negated(value, claim, block.second), sentence!("f = {f}.", f = block.f.to_string())]
}

fn retreats_told(target: Role, route: &AttackRoute) -> Sentence {
    let role = role_name(target);
    let list = |f| {
        let chosen = route.retreats.iter().filter(|retreat| retreat.f == f);
        listed(chosen.map(|retreat| format!("{} (m = {})", retreat.square, retreat.m)))
    };
    let (safe, others) = (list(1), list(0));
    let claim = || sentence!("Retreat: the {role} is safe on {safe}", role, safe);
    match (safe.is_empty(), others.is_empty()) {
        (true, true) => sentence!("Retreat: the {role} has no square to go to in time.", role),
        (true, false) => sentence!("Retreat: not on {others}.", others),
        (false, true) => sentence!("{claim}.", claim = claim()),
        (false, false) => sentence!("{claim}; not on {others}.", claim = claim(), others),
    }
}

fn conclusion(value: &InvisibleValue, route: &AttackRoute) -> Sentence {
    let name = value.attack.side.fold_wb("theta", "F");
    if route.function == 1 {
        let value = route.value.to_string();
        return sentence!(
            "Every square is open and no retreat is safe: {name} = 1; by formula (4) the attack wins {value}.",
            name,
            value
        );
    }
    let closed = listed(route.alpha_squares.iter().filter(|alpha| alpha.f == 0).map(|alpha| alpha.square));
    let is_blocked = route.blocks.iter().any(|block| block.f == 0);
    let goes_away = route.retreats.iter().any(|retreat| retreat.f == 1);
    let reasons = [
        (!closed.is_empty()).then(|| sentence!("closed: {closed}", closed)),
        is_blocked.then(|| sentence!("the way can be blocked")),
        goes_away.then(|| sentence!("the piece attacked can retreat")),
    ];
    let both = |first, second| sentence!("{first}; {second}", first, second);
    let why = reasons.into_iter().flatten().reduce(both).unwrap_or("".into());
    sentence!("{name} = 0 ({why}).", name, why)
}
