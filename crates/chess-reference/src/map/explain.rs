//! A trajectory in words: why each square has its function.

use super::build::Map;
use super::formulas::tau;
use super::values::{AlphaSquare, AttackRoute, Interposition, InvisibleValue, Negation, SecondNegation};
use crate::names::{role_name, side_name};
use shakmaty::Square;

/// Why each square of the trajectory along `squares` has its function; `None` if the map has no such trajectory.
pub fn explain(map: &Map, squares: &[Square]) -> Option<String> {
    let (value, route) = map.routes().find(|(_, route)| *route.trajectory == *squares)?;
    let mut lines = vec![heading(value, route)];
    lines
        .extend(route.alpha_squares.iter().enumerate().map(|(i, alpha)| square_in_words(value, alpha, i, map.horizon)));
    lines.extend(route.blocks.iter().map(|block| block_in_words(value, block)));
    lines.extend(retreats_in_words(value, route));
    lines.push(conclusion(value, route));
    Some(lines.join("\n") + "\n")
}

fn heading(value: &InvisibleValue, route: &AttackRoute) -> String {
    let attack = &value.attack;
    let aim = match attack.target {
        Some(role) => format!("attacks {}'s {} {}", side_name(attack.side.other()), role_name(role), attack.to),
        None => format!("goes to become a queen on {}", attack.to),
    };
    let by: Vec<String> = route.trajectory[1..route.trajectory.len() - 1].iter().map(Square::to_string).collect();
    let by = if by.is_empty() { String::new() } else { format!(" by {}", by.join(", ")) };
    let count = attack.half_moves;
    format!(
        "{}'s {} {} {aim}{by} in {count} half-move{}; at stake: {}.",
        side_name(attack.side),
        role_name(attack.piece),
        attack.from,
        if count == 1 { "" } else { "s" },
        value.aim
    )
}

fn square_in_words(value: &InvisibleValue, alpha: &AlphaSquare, index: usize, horizon: u32) -> String {
    let arrival = match index {
        0 => "the attacker stands here".to_owned(),
        _ => format!("reached in half-move {}", alpha.arrival),
    };
    let gain = if alpha.gain > 0 { format!(", winning {}", alpha.gain) } else { String::new() };
    let mut text = format!("{}: {arrival}{gain}.", alpha.square);
    if horizon == 1 {
        text += " With a horizon of one half-move nobody has time to answer.";
    } else if alpha.negations.is_empty() {
        text += " Nobody can take here in time: rho = 1.";
    }
    for negation in &alpha.negations {
        text += &negation_in_words(value, alpha, negation);
    }
    format!("{text} f = {}.", alpha.f)
}

fn negation_in_words(value: &InvisibleValue, alpha: &AlphaSquare, negation: &Negation) -> String {
    let defender = side_name(value.attack.side.other());
    let way = match &*negation.way {
        [_, step, _] => format!(", first going to {step},"),
        _ => String::new(),
    };
    let margin = i64::from(alpha.arrival) - i64::from(negation.half_moves) + 2;
    let mut text = format!(
        " {defender}'s {} {}{way} can take in half-move {}: {} - {} + 2 = {margin} > 0, rho = 0; the fight brings the \
         attacker m = {}, tau = {}",
        role_name(negation.role),
        negation.way[0],
        negation.half_moves,
        alpha.arrival,
        negation.half_moves,
        negation.m,
        tau(negation.m)
    );
    if let Some(second) = negation.second {
        text += &format!("; but this is negated: {}", second_in_words(value, second));
    }
    text + "."
}

fn second_in_words(value: &InvisibleValue, second: SecondNegation) -> String {
    match second {
        SecondNegation::Taken { role, by, on } => {
            format!("{}'s {} {by} takes that piece on {on}", side_name(value.attack.side), role_name(role))
        }
        SecondNegation::King => format!("{}'s own king could then be taken", side_name(value.attack.side.other())),
    }
}

fn block_in_words(value: &InvisibleValue, block: &Interposition) -> String {
    let what = match block.m {
        Some(m) => format!("taking it there brings the attacker m = {m}"),
        None => "a pawn cannot take straight ahead".to_owned(),
    };
    let negated = block
        .second
        .map_or(String::new(), |second| format!("; but this is negated: {}", second_in_words(value, second)));
    format!(
        "{}: {}'s {} {} can stand in the way here in half-move {}; {what}{negated}. f = {}.",
        block.on,
        side_name(value.attack.side.other()),
        role_name(block.role),
        block.from,
        block.half_moves,
        block.f
    )
}

fn retreats_in_words(value: &InvisibleValue, route: &AttackRoute) -> Option<String> {
    let piece = role_name(value.attack.target?);
    if route.retreats.is_empty() {
        return Some(format!("Retreat: the {piece} has no square to go to in time."));
    }
    let list = |f| -> Vec<String> {
        let chosen = route.retreats.iter().filter(|retreat| retreat.f == f);
        chosen.map(|retreat| format!("{} (m = {})", retreat.square, retreat.m)).collect()
    };
    let (safe, unsafe_) = (list(1), list(0));
    let mut parts = Vec::new();
    if !safe.is_empty() {
        parts.push(format!("the {piece} is safe on {}", safe.join(", ")));
    }
    if !unsafe_.is_empty() {
        parts.push(format!("not on {}", unsafe_.join(", ")));
    }
    Some(format!("Retreat: {}.", parts.join("; ")))
}

fn conclusion(value: &InvisibleValue, route: &AttackRoute) -> String {
    let name = value.attack.side.fold_wb("theta", "F");
    let closed: Vec<String> =
        route.alpha_squares.iter().filter(|alpha| alpha.f == 0).map(|alpha| alpha.square.to_string()).collect();
    if route.function == 1 {
        return format!(
            "Every square is open and no retreat is safe: {name} = 1; by formula (4) the attack wins {}.",
            route.value
        );
    }
    let mut why = Vec::new();
    if !closed.is_empty() {
        why.push(format!("closed: {}", closed.join(", ")));
    }
    if route.blocks.iter().any(|block| block.f == 0) {
        why.push("the way can be blocked".to_owned());
    }
    if route.retreats.iter().any(|retreat| retreat.f == 1) {
        why.push("the piece attacked can retreat".to_owned());
    }
    format!("{name} = 0 ({}).", why.join("; "))
}
