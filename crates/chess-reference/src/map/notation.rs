//! The map as the book writes it.
//!
//! `Qe5 - jNf6·0(1)·1(e5)·[1(f6) + (0-1)·1(jQe7)·1(f6)]` is the invisible value of White's queen e5 against the knight
//! f6: psi is 0 and one half-move is missing; the function of e5 is 1; that of f6 is 1 as long as Black's queen e7 does
//! not take there, then 0. Several negations of one square stand in braces, separated by semicolons; the book prints
//! them one below the other. `[1-1(f8, g8)]` are safe retreats, `[1-0]` means that none is safe; where the piece
//! attacked has no square to go to, or no time, nothing is written. A piece put in the way on a square that is only
//! passed over, which the book omits, is written in angle brackets.

use super::build::Map;
use super::formulas::tau;
use super::sensible::Step;
use super::values::{AlphaSquare, AttackRoute, Interposition, InvisibleValue, Negation, Retreat, SecondNegation};
use crate::legal::san;
use shakmaty::{Board, CastlingMode, Chess, Color, Rank, Role, Setup, Square};

/// The letters for the pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Letters {
    /// K, Q, R, B, N, P.
    #[default]
    English,
    /// The book's: Кр, Ф, Л, С, К, П.
    Russian,
}

impl Letters {
    /// The letter of a piece.
    ///
    /// ```
    /// use chess_reference::map::Letters;
    /// use shakmaty::Role;
    /// assert_eq!(Letters::Russian.of(Role::King), "Кр");
    /// ```
    pub const fn of(self, role: Role) -> &'static str {
        const LETTERS: [[&str; 6]; 2] = [["P", "N", "B", "R", "Q", "K"], ["П", "К", "С", "Л", "Ф", "Кр"]];
        LETTERS[self as usize][role as usize - 1]
    }

    /// The letter of a piece in a game score: none for a pawn.
    pub const fn in_score(self, role: Role) -> &'static str {
        if matches!(role, Role::Pawn) { "" } else { self.of(role) }
    }

    /// Moves of a game score, written in English, with these letters; the Russian score has zeros for castling.
    ///
    /// ```
    /// use chess_reference::map::Letters;
    /// assert_eq!(Letters::Russian.score("1.Nf3 O-O"), "1.Кf3 0-0");
    /// ```
    #[must_use]
    pub fn score(self, english: &str) -> String {
        let lettered = |sign: char| match Role::from_char(sign).filter(|_| sign.is_ascii_uppercase()) {
            Some(role) => self.of(role).to_owned(),
            None if sign == 'O' && self == Letters::Russian => "0".to_owned(),
            None => sign.to_string(),
        };
        english.chars().map(lettered).collect()
    }

    /// A piece of one side on a square: Black's values are imaginary.
    fn piece(self, side: Color, role: Role, square: Square) -> String {
        format!("{}{}{square}", side.fold_wb("", "j"), self.of(role))
    }
}

/// The whole map, one line per trajectory; the lines of a piece's further trajectories are indented.
pub fn notation(map: &Map, letters: Letters) -> String {
    let mut text = String::new();
    let mut last = None;
    for value in &map.values {
        let attacker = letters.piece(value.attack.side, value.attack.piece, value.attack.from);
        for route in &value.routes {
            let head =
                if last == Some(value.attack.from) { " ".repeat(attacker.chars().count()) } else { attacker.clone() };
            last = Some(value.attack.from);
            text += &format!("{head} {}\n", route_notation(value, route, letters));
        }
    }
    text
}

/// One trajectory of an attack, without the attacker's own value.
pub fn route_notation(value: &InvisibleValue, route: &AttackRoute, letters: Letters) -> String {
    let attack = &value.attack;
    let (side, to) = (attack.side, attack.to);
    let queen = |role| letters.piece(side, role, to);
    let promotion = format!("+ ({} - {})", queen(Role::Queen), queen(Role::Pawn));
    let aim = match attack.target {
        Some(role) if attack.promotes => format!("- {} {promotion}", letters.piece(side.other(), role, to)),
        Some(role) => format!("- {}", letters.piece(side.other(), role, to)),
        None => promotion,
    };
    let mut text = format!("{aim}·0({})", attack.half_moves);
    for alpha in &route.alpha_squares {
        text += &format!("·{}", square_notation(alpha, side, letters));
    }
    let blocks: Vec<&Interposition> = route.blocks.iter().filter(|block| block.m.is_none_or(|m| tau(m) == 0)).collect();
    if !blocks.is_empty() {
        let each: Vec<String> = blocks.iter().map(|block| block_notation(block, side, letters)).collect();
        text += &format!("·<1 + (0-1)·{}>", braced(&each));
    }
    text + &retreat_notation(&route.retreats)
}

/// The name of a move of the map: in standard algebraic notation with its check or mate, or with both squares,
/// `Qe5xf6`, if it is not legal, such as one that leaves the king in check.
pub fn move_name(board: &Board, turn: Color, step: Step, letters: Letters) -> String {
    let setup = Setup { board: board.clone(), turn, ..Setup::empty() };
    let legal = setup
        .position::<Chess>(CastlingMode::Standard)
        .ok()
        .and_then(|position| Some(san(&position, step.in_game(&position)?)));
    let Some(san) = legal else {
        let role = board.role_at(step.from).unwrap_or(Role::Pawn);
        let sign = if board.role_at(step.to).is_some() { "x" } else { "-" };
        let promoted = role == Role::Pawn && matches!(step.to.rank(), Rank::First | Rank::Eighth);
        return format!(
            "{}{}{sign}{}{}",
            letters.in_score(role),
            step.from,
            step.to,
            if promoted { letters.of(Role::Queen) } else { "" }
        );
    };
    letters.score(&san)
}

fn square_notation(alpha: &AlphaSquare, attacker: Color, letters: Letters) -> String {
    let harmful: Vec<String> = alpha
        .negations
        .iter()
        .filter(|negation| tau(negation.m) == 0)
        .map(|negation| negation_notation(negation, attacker, letters))
        .collect();
    if harmful.is_empty() {
        return format!("1({})", alpha.square);
    }
    format!("[1({}) + (0-1)·{}]", alpha.square, braced(&harmful))
}

fn negation_notation(negation: &Negation, attacker: Color, letters: Letters) -> String {
    let start = letters.piece(attacker.other(), negation.role, negation.way[0]);
    let way: String = negation.way[1..].iter().map(|square| format!("·1({square})")).collect();
    nested(&start, negation.second, attacker, letters) + &way
}

fn block_notation(block: &Interposition, attacker: Color, letters: Letters) -> String {
    let start = letters.piece(attacker.other(), block.role, block.from);
    format!("{}·1({})", nested(&start, block.second, attacker, letters), block.on)
}

/// The first square of a negating trajectory, with the second negation if there is one.
fn nested(piece: &str, second: Option<SecondNegation>, attacker: Color, letters: Letters) -> String {
    match second {
        None => format!("1({piece})"),
        Some(SecondNegation::Taken { role, by, on }) => {
            format!("[1({piece}) + (0-1)·1({})·1({on})]", letters.piece(attacker, role, by))
        }
        // Whichever piece could then take the king, only the king is named.
        Some(SecondNegation::King) => {
            format!("[1({piece}) + (0-1)·1({}{})]", attacker.fold_wb("j", ""), letters.of(Role::King))
        }
    }
}

fn braced(each: &[String]) -> String {
    match each {
        [one] => one.clone(),
        several => format!("{{{}}}", several.join("; ")),
    }
}

fn retreat_notation(retreats: &[Retreat]) -> String {
    let safe: Vec<String> =
        retreats.iter().filter(|retreat| retreat.f == 1).map(|retreat| retreat.square.to_string()).collect();
    if retreats.is_empty() {
        String::new()
    } else if safe.is_empty() {
        "·[1-0]".to_owned()
    } else {
        format!("·[1-1({})]", safe.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Placement;

    #[test]
    fn the_nested_negation_of_the_book() {
        // After 1.Qxd5 in Fig. 22 the pawn e6 is guarded by the queen d5, which the knight can take.
        let position = Placement::from_fen("8/p3q1kp/1p2Pnp1/3Q4/2pP4/1nP3N1/1B4PP/6K1 b - - 0 30").unwrap();
        let map = Map::new(&position, 1).unwrap();
        assert!(notation(&map, Letters::English).contains("jQe7 - Pe6·0(1)·1(e7)·1(e6)\n"));
        let map = Map::new(&position, 2).unwrap();
        let text = notation(&map, Letters::English);
        let expected = "jQe7 - Pe6·0(1)·1(e7)·[1(e6) + (0-1)·[1(Qd5) + (0-1)·1(jNf6)·1(d5)]·1(e6)]\n";
        assert!(text.contains(expected), "{text}");
        let russian = notation(&map, Letters::Russian);
        assert!(russian.contains("jФe7 - Пe6·0(1)·1(e7)·[1(e6) + (0-1)·[1(Фd5) + (0-1)·1(jКf6)·1(d5)]·1(e6)]\n"));
    }
}
