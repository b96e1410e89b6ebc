//! A position of the search with its piece lists, and the survey of moves (ОБЗОР ХОДОВ).

use crate::legal::{checkers, may_castle, pawn_steps};
use shakmaty::attacks::{attacks, between, pawn_attacks};
use shakmaty::{Bitboard, Board, ByColor, CastlingSide, Color, File, Move, Role, Setup, Square};
use std::ops::ControlFlow;

/// The most pieces of a side: the piece lists are `[0:16]`.
pub(super) const PIECES: usize = 16;

/// Where the pieces stand, and which pawn can be taken in passing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Stand {
    pub(super) board: Board,
    /// НА ПРОХОДЕ: the square behind a pawn that has just made a double step.
    pub(super) en_passant: Option<Square>,
}

impl Stand {
    /// Whether the king of `side` is in check.
    pub(super) fn in_check(&self, side: Color) -> bool {
        checkers(&self.board, side).any()
    }

    /// The squares to which a piece of `side` may go by the survey's rules: the safety of its own king is ignored, and
    /// the enemy king is a target like any other. Castling is not included.
    pub(super) fn targets(&self, side: Color, role: Role, from: Square) -> Bitboard {
        let occupied = self.board.occupied();
        if role == Role::Pawn {
            let prey = self.board.by_color(!side) | Bitboard::from_iter(self.en_passant);
            return pawn_steps(side, from, occupied) | pawn_attacks(side, from) & prey;
        }
        attacks(from, role.of(side), occupied) & !self.board.by_color(side)
    }

    /// The move of a piece to one of its targets.
    pub(super) fn move_to(&self, role: Role, from: Square, to: Square, promotion: Option<Role>) -> Move {
        match role == Role::Pawn && self.en_passant == Some(to) {
            true => Move::EnPassant { from, to },
            false => Move::Normal { role, from, capture: self.board.role_at(to), to, promotion },
        }
    }

    /// The stand after a move of `side`.
    pub(super) fn after(&self, side: Color, played: Move) -> Stand {
        let Stand { mut board, mut en_passant } = Stand { board: self.board.clone(), en_passant: None };
        match played {
            Move::Normal { role, from, to, promotion, .. } => {
                board.discard_piece_at(from);
                board.set_piece_at(to, promotion.unwrap_or(role).of(side));
                if role == Role::Pawn && from.distance(to) == 2 {
                    en_passant = from.offset(side.fold_wb(8, -8));
                }
            }
            Move::EnPassant { from, to } => {
                board.discard_piece_at(from);
                board.discard_piece_at(Square::from_coords(to.file(), from.rank()));
                board.set_piece_at(to, side.pawn());
            }
            Move::Castle { king, rook } => {
                board.discard_piece_at(king);
                board.discard_piece_at(rook);
                for (square, role) in castled(king, rook) {
                    board.set_piece_at(square, role.of(side));
                }
            }
            // No piece comes from outside the board.
            Move::Put { .. } => {}
        }
        Stand { board, en_passant }
    }
}

/// What a piece may become on a target: nothing else, or a promotion's four by descending codes.
pub(super) fn becomes(role: Role, to: Square) -> &'static [Option<Role>] {
    const PROMOTIONS: [Option<Role>; 4] = [Some(Role::Queen), Some(Role::Rook), Some(Role::Bishop), Some(Role::Knight)];
    if role == Role::Pawn && Bitboard::BACKRANKS.contains(to) { &PROMOTIONS } else { &[None] }
}

/// Where king and rook arrive by castling.
fn castled(king: Square, rook: Square) -> [(Square, Role); 2] {
    let wing = if king < rook { CastlingSide::KingSide } else { CastlingSide::QueenSide };
    let on = |file| Square::from_coords(file, king.rank());
    [(on(wing.king_to_file()), Role::King), (on(wing.rook_to_file()), Role::Rook)]
}

/// A position, with each side's pieces in the order of their indices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Situation {
    pub(super) stand: Stand,
    /// Each side's pieces and their squares; none in the place of a captured one.
    lists: ByColor<[Option<(Square, Role)>; PIECES]>,
    /// The rooks that may still castle.
    rights: Bitboard,
}

impl Situation {
    /// Fills the lists in the order of the squares, a1, b1, ..., h8.
    ///
    /// The caller has checked that each side has one king and at most 16 pieces.
    pub(super) fn new(setup: &Setup) -> Situation {
        let list = |side| {
            let mut squares = setup.board.by_color(side).into_iter();
            std::array::from_fn(|_| squares.next().and_then(|square| Some((square, setup.board.role_at(square)?))))
        };
        Situation {
            stand: Stand { board: setup.board.clone(), en_passant: setup.ep_square },
            lists: ByColor::new_with(list),
            rights: setup.castling_rights,
        }
    }

    /// The pieces of a side in the order of the survey, from the last index down.
    pub(super) fn pieces(&self, side: Color) -> impl Iterator<Item = (Square, Role)> {
        self.lists[side].iter().rev().copied().flatten()
    }

    /// Appends all moves of `side` in the order of the survey, castling last. They are legal except that they may leave
    /// the king attacked; for castling, only the square where the king arrives is unchecked.
    pub(super) fn survey(&self, side: Color, list: &mut Vec<Move>) {
        for (from, role) in self.pieces(side) {
            let targets = self.stand.targets(side, role, from);
            let _ = in_order((side, role, from), targets, |to| {
                for &promotion in becomes(role, to) {
                    list.push(self.stand.move_to(role, from, to, promotion));
                }
                ControlFlow::<()>::Continue(())
            });
        }
        list.extend(self.castlings(side));
    }

    /// The castlings that the survey appends, in its order. The listing does this in a procedure that is lost; this one
    /// is ours. An attack on the square where the king arrives is left to the interrupt.
    pub(super) fn castlings(&self, side: Color) -> impl Iterator<Item = Move> {
        let (board, at) = (&self.stand.board, move |file| Square::from_coords(file, side.backrank()));
        let king = at(File::E);
        let attacked = move |square| board.attacks_to(square, !side, board.occupied()).any();
        // The rook's file, and the file that the king passes.
        [(File::H, File::F), (File::A, File::D)].into_iter().filter_map(move |(rook, passed)| {
            let rook = at(rook);
            let may_castle = self.rights.contains(rook)
                && (between(king, rook) & board.occupied()).is_empty()
                && !attacked(king)
                && !attacked(at(passed));
            may_castle.then_some(Move::Castle { king, rook })
        })
    }

    /// The position after a move of `side`.
    pub(super) fn after(&self, side: Color, played: Move) -> Situation {
        let stand = self.stand.after(side, played);
        let mut lists = self.lists;
        // A moved piece keeps its index; that of a captured one stays empty.
        let mut put = |side, from, to| {
            if let Some(place) = lists[side].iter_mut().find(|place| place.is_some_and(|(at, _)| at == from)) {
                *place = to;
            }
        };
        match played {
            Move::Castle { king, rook } => {
                [king, rook].into_iter().zip(castled(king, rook)).for_each(|(from, to)| put(side, from, Some(to)));
            }
            Move::EnPassant { from, to } => {
                put(!side, Square::from_coords(to.file(), from.rank()), None);
                put(side, from, Some((to, Role::Pawn)));
            }
            Move::Normal { role, from, capture, to, promotion } => {
                if capture.is_some() {
                    put(!side, to, None);
                }
                put(side, from, Some((to, promotion.unwrap_or(role))));
            }
            // No piece comes from outside the board.
            Move::Put { .. } => {}
        }
        let rights = self.rights.into_iter().filter(|&rook| may_castle(&stand.board, rook)).collect();
        Situation { stand, lists, rights }
    }
}

/// Shows the targets of a piece in the order in which the survey appends them, until `visit` breaks off.
#[inline]
pub(super) fn in_order<B>(
    (side, role, from): (Color, Role, Square),
    targets: Bitboard,
    mut visit: impl FnMut(Square) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let below = Bitboard((1 << from.to_u32()) - 1);
    let (file, rank) = (Bitboard::from_file(from.file()), Bitboard::from_rank(from.rank()));
    let mut run = |mut squares: Bitboard, down: bool| {
        while let Some(square) = if down { squares.pop_back() } else { squares.pop_front() } {
            visit(square)?;
        }
        ControlFlow::Continue(())
    };
    match role {
        Role::Pawn => {
            run(targets & file, side.is_black())?;
            return run(targets & !file, false);
        }
        Role::Knight | Role::King => return run(targets, false),
        Role::Bishop | Role::Rook | Role::Queen => {}
    }
    // A queen is a rook followed by a bishop.
    let slanting = targets & !(file | rank);
    let west = Bitboard(0x0101_0101_0101_0101 * ((1 << from.file() as u32) - 1));
    let rising = (below & west) | !(below | west);
    for (line, other) in [(targets & file, targets & rank), (slanting & rising, slanting & !rising)] {
        run(line & below, true)?;
        run(other & below, true)?;
        run(other & !below, false)?;
        run(line & !below, false)?;
    }
    ControlFlow::Continue(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::legal::to_uci;
    use rand::seq::IndexedRandom;
    use rand::{SeedableRng, rngs::StdRng};
    use shakmaty::{Chess, Position};
    use std::collections::{BTreeMap, BTreeSet};

    /// The documented order of a queen's targets, first as a rook's: down, left, right, up, outwards.
    #[test]
    fn a_queen_goes_along_lines_before_diagonals() {
        let board = "8/8/8/8/3Q4/8/8/8".parse::<Board>().unwrap();
        let situation = Situation::new(&Setup { board, ..Setup::empty() });
        let targets = situation.stand.targets(Color::White, Role::Queen, Square::D4);
        let mut order = Vec::new();
        let _ = in_order((Color::White, Role::Queen, Square::D4), targets, |square| {
            order.push(square.to_string());
            ControlFlow::<()>::Continue(())
        });
        let lines = "d3 d2 d1 c4 b4 a4 e4 f4 g4 h4 d5 d6 d7 d8";
        let diagonals = "c3 b2 a1 e3 f2 g1 c5 b6 a7 e5 f6 g7 h8";
        assert_eq!(order.join(" "), format!("{lines} {diagonals}"));
    }

    /// Along random games, the surveyed moves that leave the king safe are the legal ones, and make the same boards.
    #[test]
    fn the_survey_has_the_legal_moves() {
        let mut random = StdRng::seed_from_u64(1);
        let (mut castled, mut passed, mut promoted) = (0, 0, 0);
        for _ in 0..60 {
            let mut position = Chess::default();
            let mut situation = Situation::new(&Setup::initial());
            for _ in 0..120 {
                let side = position.turn();
                let mut list = Vec::new();
                situation.survey(side, &mut list);
                list.retain(|&played| !situation.stand.after(side, played).in_check(side));
                let sorted = |moves: &[Move]| moves.iter().map(|&one| to_uci(one)).collect::<BTreeSet<_>>();
                assert_eq!(sorted(&list), sorted(&position.legal_moves()), "{}", position.board());
                let Some(&played) = list.choose(&mut random) else { break };
                castled += u32::from(played.is_castle());
                passed += u32::from(played.is_en_passant());
                promoted += u32::from(played.is_promotion());
                situation = situation.after(side, played);
                position.play_unchecked(played);
                assert_eq!(&situation.stand.board, position.board());
                let listed: BTreeMap<_, _> = [Color::White, Color::Black]
                    .into_iter()
                    .flat_map(|side| situation.pieces(side).map(move |(square, role)| (square, role.of(side))))
                    .collect();
                assert_eq!(listed, position.board().iter().collect());
            }
        }
        assert!(castled > 0 && passed > 0 && promoted > 0, "{castled} {passed} {promoted}");
    }

    /// Pawns: the steps, then the captures from the a-file on; a captured piece leaves its index empty.
    #[test]
    fn pawns_step_before_they_take() {
        let board = "7k/8/8/8/3p4/2P1P3/8/K7".parse::<Board>().unwrap();
        let setup = Setup { board, turn: Color::Black, ..Setup::empty() };
        let mut list = Vec::new();
        Situation::new(&setup).survey(Color::Black, &mut list);
        let texts: Vec<String> = list.iter().map(|played| to_uci(*played).to_string()).collect();
        assert_eq!(texts, ["h8g7", "h8h7", "h8g8", "d4d3", "d4c3", "d4e3"]);
        let after = Situation::new(&setup).after(Color::Black, list[4]);
        assert_eq!(after.pieces(Color::White).map(|(square, _)| square).collect::<Vec<_>>(), [Square::E3, Square::A1]);
    }
}
