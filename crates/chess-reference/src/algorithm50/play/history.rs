//! The two games that Bell's program played against John Scott's.

use super::super::{half_move::Move, problem::Problem};
use crate::legal::to_uci;
use shakmaty::san::San;
use shakmaty::{Chess, Color, EnPassantMode, Position};

/// A game of Bell's program (Atlas) against John Scott's (ICL 1900), as far as it is printed.
///
/// Neither program learns, so that only two games are possible, one with each colour. The source does not say why they
/// stop where they do, or how they ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BellGame {
    /// 1 or 2.
    pub number: u32,
    /// The side of Bell's program.
    pub atlas: Color,
    /// The moves in standard algebraic notation, with misprints corrected so that every move is legal.
    pub moves: &'static str,
    /// A remark on them.
    pub note: &'static str,
}

/// The two games.
pub static BELL_GAMES: [BellGame; 2] = [
    BellGame {
        number: 1,
        atlas: Color::Black,
        moves: "d4 Nc6 e4 e6 d5 Bb4+ c3 Bc5 b4 Nxb4 cxb4 Qf6 bxc5 Qxa1 Bd3 Qxa2 Nf3 exd5 exd5 Qxd5 Nc3 Qxc5 Bd2",
        note: "At move 4 the author changed the strategy by hand.",
    },
    BellGame {
        number: 2,
        atlas: Color::White,
        moves: "e4 d5 exd5 Qxd5 d4 Nf6 Bf4 Qe4+ Be3 Bd7 d5 Qxd5 Qxd5 Nxd5 Bc5 e5 Bxf8 Kxf8 Bd3 Nf4 Bc4 Nxg2+ Kd2 h5 \
                Nc3 Rh6",
        note: "At move 11 the table prints g7, but the check printed with it shows that g2 is meant.",
    },
];

/// A move that Bell's program made.
#[derive(Clone, Debug)]
pub struct HistoricalMove {
    /// Game 1 or 2.
    pub game: u32,
    /// The number of the move in the game.
    pub number: u32,
    /// The position in which it was made.
    pub problem: Problem,
    /// The move.
    pub half_move: Move,
    /// The move in standard algebraic notation.
    pub san: &'static str,
}

/// The 24 moves of Bell's program: 11 of game 1 and 13 of game 2.
///
/// # Panics
/// Never: a test plays both games through.
#[must_use]
pub fn historical_moves() -> Vec<HistoricalMove> {
    BELL_GAMES.iter().flat_map(|game| moves_of(game).expect("every move of the two games is legal")).collect()
}

fn moves_of(game: &BellGame) -> Option<Vec<HistoricalMove>> {
    let mut position = Chess::default();
    let mut found = Vec::new();
    for san in game.moves.split_whitespace() {
        let legal = san.trim_end_matches('+').parse::<San>().ok()?.to_move(&position).ok()?;
        if position.turn() == game.atlas {
            found.push(HistoricalMove {
                game: game.number,
                number: position.fullmoves().get(),
                problem: Problem::from_setup(position.to_setup(EnPassantMode::Legal)).ok()?,
                half_move: to_uci(legal),
                san,
            });
        }
        position.play_unchecked(legal);
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_games_are_legal_to_their_last_printed_position() {
        let last = BELL_GAMES.map(|game| {
            let mut position = Chess::default();
            for san in game.moves.split_whitespace() {
                let legal = san.trim_end_matches('+').parse::<San>().unwrap().to_move(&position).unwrap();
                position.play_unchecked(legal);
            }
            shakmaty::fen::Fen::from_position(&position, EnPassantMode::Legal).to_string()
        });
        assert_eq!(
            last,
            [
                "r1b1k1nr/pppp1ppp/8/2q5/8/2NB1N2/3B1PPP/3QK2R b Kkq - 1 12",
                "rn3k2/pppb1pp1/7r/4p2p/2B5/2N5/PPPK1PnP/R5NR w - - 2 14",
            ]
        );
        assert_eq!(historical_moves().iter().filter(|played| played.game == 1).count(), 11);
        assert_eq!(historical_moves().len(), 24);
    }
}
