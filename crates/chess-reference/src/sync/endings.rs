//! King and queen, or king and rook, against a king: who is mated for sure, and who almost surely.

use super::doublet::resolve;
use super::moves::{SyncMove, sync_moves};
use super::outcome::{SyncResult, result};
use super::rules::{RuleSet, SyncRules};
use super::state::SyncState;
use crate::parallel::*;
use crate::prelude::*;
use m220_limits::{End, Limits};

/// An ending decided for all its placements.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct SyncEnding {
    /// Placements of three pieces on three squares, whatever checks there are.
    pub states: u32,
    /// Black is mated.
    pub mated: u32,
    /// A side is stalemated.
    pub stalemated: u32,
    /// White has a way to mate whatever Black writes; the mated ones are among them.
    pub sure: u32,
    /// The most doublets that it takes.
    pub longest: u32,
    /// White mates with probability 1 if it mixes its moves; the sure ones are among them.
    pub almost_sure: u32,
}

/// A placement: white king, piece, black king.
type Three = [Square; 3];

fn index([king, piece, enemy]: Three) -> usize {
    (king as usize * 64 + piece as usize) * 64 + enemy as usize
}

/// The number of indices, those of pieces on one square among them.
const PLACES: usize = 64 * 64 * 64;

/// Where a doublet leads that mates Black, and one that ends the game otherwise: places of their own behind the others.
const MATED: usize = PLACES;
const OVER: usize = PLACES + 1;

fn all() -> impl Iterator<Item = Three> {
    let squares = || Square::ALL.into_iter();
    squares()
        .flat_map(move |king| squares().flat_map(move |piece| squares().map(move |enemy| [king, piece, enemy])))
        .filter(|[king, piece, enemy]| king != piece && king != enemy && piece != enemy)
}

/// The same placement with the white king in the triangle a1, d1, d4: without pawns the board can be turned and mirrored.
fn turned(mut three: Three) -> Three {
    if three[0].file() as u32 > 3 {
        three = three.map(Square::flip_horizontal);
    }
    if three[0].rank() as u32 > 3 {
        three = three.map(Square::flip_vertical);
    }
    if three[0].rank() as u32 > three[0].file() as u32 {
        three = three.map(Square::flip_diagonal);
    }
    three
}

fn state([king, piece, enemy]: Three, role: Role) -> SyncState {
    let mut board = Board::empty();
    board.set_piece_at(king, Color::White.king());
    board.set_piece_at(piece, role.of(Color::White));
    board.set_piece_at(enemy, Color::Black.king());
    SyncState { board, castling: Bitboard::EMPTY, passing: ByColor::default(), barred: ByColor::default() }
}

/// The placement of a board; none if the piece is gone.
fn three(board: &Board) -> Option<Three> {
    let piece = (board.white() & !board.kings()).single_square()?;
    Some([board.king_of(Color::White)?, piece, board.king_of(Color::Black)?])
}

/// Decides the ending of a king and this piece against a king, by the second rule set without repetition. Both sides may
/// write the defence if `defence` is set; nobody lies in ambush.
///
/// # Errors
/// What ended the work.
pub fn sync_ending(role: Role, defence: bool, limits: &Limits) -> Result<SyncEnding, End> {
    let go_on = || limits.reached().map_or(Ok(()), Err);
    let rules = SyncRules { pauses: defence, ..RuleSet::Second.rules() };
    let distinct: Vec<Three> = all().filter(|&three| turned(three) == three).collect();
    let mut results = vec![None; PLACES];
    for &three in &distinct {
        go_on()?;
        results[index(three)] = result(&state(three, role), rules, 0);
    }
    let outcome = |after: &SyncState| {
        let place = three(&after.board).map_or(OVER, |three| index(turned(three)));
        match results.get(place) {
            Some(None) => place,
            Some(Some(SyncResult::WhiteMates)) => MATED,
            _ => OVER,
        }
    };
    let open: Vec<Three> = distinct.into_iter().filter(|&three| results[index(three)].is_none()).collect();
    let game = |three| go_on().map(|()| (index(three), game(&state(three, role), rules, outcome)));
    let games = open.into_par_iter().map(game).collect::<Result<Vec<(usize, Game)>, End>>()?;
    let (sure, longest) = surely(&games, go_on)?;
    let almost = almost_surely(&games, go_on)?;
    let mut found = SyncEnding { states: 0, mated: 0, stalemated: 0, sure: 0, longest, almost_sure: 0 };
    for place in all().map(|three| index(turned(three))) {
        found.states += 1;
        let mated = results[place] == Some(SyncResult::WhiteMates);
        found.mated += u32::from(mated);
        found.stalemated += u32::from(results[place] == Some(SyncResult::DrawStalemate));
        found.sure += u32::from(mated || sure[place]);
        found.almost_sure += u32::from(mated || almost[place]);
    }
    Ok(found)
}

/// What each pair of moves leads to: for every move of White, the places after all of Black's.
type Game = Vec<Vec<usize>>;

fn game(state: &SyncState, rules: SyncRules, outcome: impl Fn(&SyncState) -> usize) -> Game {
    let moves = |side| {
        let all = sync_moves(state, side, rules).into_iter();
        all.filter(|written| !matches!(written, SyncMove::Ambush(_))).collect::<Vec<_>>()
    };
    let [white, black] = [Color::White, Color::Black].map(moves);
    let row = |&white: &SyncMove| {
        let written = |&black: &SyncMove| ByColor { white: Some(white), black: Some(black) };
        black.iter().map(|black| outcome(&resolve(state, written(black)).after)).collect()
    };
    white.iter().map(row).collect()
}

/// A set of places with those in which Black is mated, or with all in which the game is not over.
fn places(all: bool) -> Vec<bool> {
    let mut places = vec![all; PLACES + 2];
    (places[MATED], places[OVER]) = (true, false);
    places
}

/// The placements in which one move after the other leads to mate whatever Black writes, and the most doublets.
fn surely(games: &[(usize, Game)], go_on: impl Fn() -> Result<(), End>) -> Result<(Vec<bool>, u32), End> {
    let mut won = places(false);
    for doublets in 0.. {
        go_on()?;
        let wins = |game: &Game| game.iter().any(|row| row.iter().all(|&place| won[place]));
        let new: Vec<usize> =
            games.iter().filter(|(place, game)| !won[*place] && wins(game)).map(|(place, _)| *place).collect();
        if new.is_empty() {
            return Ok((won, doublets));
        }
        new.into_iter().for_each(|place| won[place] = true);
    }
    Ok((won, 0))
}

/// The placements in which a mixture of moves mates with probability 1: the greatest set in which White can stay for ever by
/// moves that, whatever Black writes, lead nearer to mate with a chance above 0.
fn almost_surely(games: &[(usize, Game)], go_on: impl Fn() -> Result<(), End>) -> Result<Vec<bool>, End> {
    let mut safe = places(true);
    loop {
        let mut near = places(false);
        loop {
            go_on()?;
            let comes_nearer = |game: &Game| {
                let staying = || game.iter().filter(|row| row.iter().all(|&place| safe[place]));
                let replies = game.first().map_or(0, Vec::len);
                (0..replies).all(|reply| staying().any(|row| near[row[reply]]))
            };
            let new: Vec<usize> = games
                .par_iter()
                .filter(|(place, game)| safe[*place] && !near[*place] && comes_nearer(game))
                .map(|(place, _)| *place)
                .collect();
            if new.is_empty() {
                break;
            }
            new.into_iter().for_each(|place| near[place] = true);
        }
        if near == safe {
            return Ok(near);
        }
        safe = near;
    }
}
