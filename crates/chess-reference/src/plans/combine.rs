//! One king move for several plans: the aims of a king, and the moves that bring it closer to each.

use super::grammar::PlanReader;
use crate::prelude::*;
use crate::spans::TextError;

/// An aim of a king.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aim {
    /// `reach(s)`: to stand there.
    Reach(Square),
    /// `attack(s)`: to stand beside it.
    Attack(Square),
    /// `catch(s)`: to be in time before the enemy pawn there.
    Catch(Square),
    /// `guard(s)`: to guard the square in front of the own pawn there.
    Guard(Square),
}

impl fmt::Display for Aim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Aim::Reach(square) => write!(f, "reach({square})"),
            Aim::Attack(square) => write!(f, "attack({square})"),
            Aim::Catch(square) => write!(f, "catch({square})"),
            Aim::Guard(square) => write!(f, "guard({square})"),
        }
    }
}

impl Serialize for Aim {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Aim {
    /// Reads the aims of the side to move, such as `catch(g6) & attack(b5)`.
    ///
    /// # Errors
    /// [`TextError`] with the place of the first mistake: an unknown aim, or a pawn that does not stand there.
    pub fn read_all(text: &str, position: &Chess) -> Result<Vec<Aim>, TextError> {
        let mut reader = PlanReader::new(text);
        let mut aims = vec![Aim::read(&mut reader, position)?];
        while reader.takes('&') {
            aims.push(Aim::read(&mut reader, position)?);
        }
        match reader.next() {
            None => Ok(aims),
            Some(_) => Err(reader.wrong("expected `&` before the next aim, or the end")),
        }
    }

    fn read(reader: &mut PlanReader<'_>, position: &Chess) -> Result<Aim, TextError> {
        let word = reader.word();
        let span = reader.at - word.len()..reader.at;
        let aim: fn(Square) -> Aim = match word {
            "reach" => Aim::Reach,
            "attack" => Aim::Attack,
            "catch" => Aim::Catch,
            "guard" => Aim::Guard,
            "" => return Err(reader.wrong("expected an aim: reach, attack, catch or guard")),
            _ => return Err(TextError { span, message: "expected reach, attack, catch or guard".into() }),
        };
        reader.expect('(')?;
        let start = reader.at;
        let square = reader.square()?;
        let pawn = |of: Color| position.board().piece_at(square) == Some(of.pawn());
        let (aim, side) = (aim(square), position.turn());
        match aim {
            Aim::Catch(square) if !pawn(side.other()) => {
                Err(sentence!("no enemy pawn stands on {square}", square = square.to_string()))
            }
            Aim::Guard(square) if !pawn(side) => {
                Err(sentence!("no own pawn stands on {square}", square = square.to_string()))
            }
            _ => Ok(()),
        }
        .map_err(|message| TextError { span: start..reader.at, message })?;
        reader.expect(')')?;
        Ok(aim)
    }

    /// The king moves that a king of this side on a square still needs. Pieces in the way are ignored.
    #[must_use]
    pub fn missing(self, king: Square, side: Color) -> u32 {
        match self {
            Aim::Reach(square) => king.distance(square),
            Aim::Attack(square) => king.distance(square).saturating_sub(1),
            Aim::Catch(pawn) => {
                let last = Square::from_coords(pawn.file(), side.backrank());
                king.distance(last).saturating_sub(steps_to_promotion(pawn, side.other()))
            }
            Aim::Guard(pawn) => {
                let before = pawn.offset(side.fold_wb(8, -8)).unwrap_or(pawn);
                let guards = shakmaty::attacks::king_attacks(before).without(pawn);
                guards.into_iter().map(|square| king.distance(square)).min().unwrap_or(0)
            }
        }
    }

    /// To catch each enemy pawn and to guard each own one.
    #[must_use]
    pub fn of_pawns(board: &Board, side: Color) -> Vec<Aim> {
        let catch = board.by_piece(side.other().pawn()).into_iter().map(Aim::Catch);
        catch.chain(board.by_piece(side.pawn()).into_iter().map(Aim::Guard)).collect()
    }
}

/// The moves that a pawn of this side needs to promote.
pub(crate) fn steps_to_promotion(pawn: Square, side: Color) -> u32 {
    let steps = pawn.rank().distance(side.relative_rank(Rank::Eighth));
    if pawn.rank() == side.relative_rank(Rank::Second) { steps - 1 } else { steps }
}

/// An aim of the king of the side to move, and what is missing to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct MissingMoves {
    /// The aim.
    pub aim: Aim,
    /// King moves.
    pub missing: u32,
}

/// Aims, and the moves that serve all of them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Served {
    /// The aims as they were given.
    pub aims: Vec<MissingMoves>,
    /// The king moves that lower every number, sorted as texts.
    pub serve: Vec<Move>,
}

/// What is missing to these aims of the side to move, and the moves that serve all of them: moves of the king that take
/// nothing and are no castling.
#[must_use]
pub fn serve(position: &Chess, aims: &[Aim]) -> Served {
    let moves = legal_moves(position);
    let serves = |written: &Move, legal: shakmaty::Move| {
        let lowered = lowered(position, legal, written.to, aims);
        lowered.len() == aims.len() && !aims.is_empty()
    };
    let missing = |&aim: &Aim| MissingMoves { aim, missing: missing_to(position, aim) };
    Served {
        aims: aims.iter().map(missing).collect(),
        serve: moves.iter().filter(|(written, legal)| serves(written, *legal)).map(|(written, _)| *written).collect(),
    }
}

/// By how many king moves a move lowers each of the aims that it lowers.
pub(crate) fn lowered(position: &Chess, legal: shakmaty::Move, to: Square, aims: &[Aim]) -> Vec<u32> {
    if legal.role() != Role::King || legal.is_capture() || legal.is_castle() {
        return Vec::new();
    }
    let steps = |&aim: &Aim| missing_to(position, aim).checked_sub(aim.missing(to, position.turn()));
    aims.iter().filter_map(steps).filter(|&steps| steps > 0).collect()
}

fn missing_to(position: &Chess, aim: Aim) -> u32 {
    let (side, board) = (position.turn(), position.board());
    board.king_of(side).map_or(0, |king| aim.missing(king, side))
}

/// The two plans of the side to move, in king moves still missing, and the moves that advance both.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Combined {
    /// P1: to catch the enemy pawn.
    pub p1: u32,
    /// P2: to guard the square in front of its own pawn.
    pub p2: u32,
    /// The king moves that lower both numbers, sorted as texts.
    pub serve_both: Vec<Move>,
}

/// The position does not consist of kings and one pawn each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected a position with kings and one pawn each; this one has other pieces: name the aims")]
pub struct CombineError;

/// P1 and P2 of the side to move, and the moves that serve both.
///
/// # Errors
/// [`CombineError`] unless there are just kings and one pawn each.
pub fn combine(position: &Chess) -> Result<Combined, CombineError> {
    let (side, board) = (position.turn(), position.board());
    let pawn = |of: Color| -> Result<Square, CombineError> {
        let pawns = board.by_piece(of.pawn());
        pawns.single_square().filter(|_| board.by_color(of).count() == 2).ok_or(CombineError)
    };
    let aims = [Aim::Catch(pawn(side.other())?), Aim::Guard(pawn(side)?)];
    let [p1, p2] = aims.map(|aim| missing_to(position, aim));
    Ok(Combined { p1, p2, serve_both: serve(position, &aims).serve })
}
