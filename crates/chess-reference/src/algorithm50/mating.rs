//! The last two levels of the search in one step: the moves that may mate, and the replies to them.
//!
//! Nearly all positions visited are on these levels, and nearly all of them only show that a move gives no check, or
//! that a reply is illegal. Bit boards establish both before a move is made, so that such moves are counted without being
//! made. Order and counts are those of the survey: every move up to the one that decides.

use shakmaty::{
    Bitboard, File, Square,
    attacks::{between, bishop_attacks, knight_attacks, pawn_attacks, ray, rook_attacks},
};

use super::{
    bits::{Bits, color},
    codes::{self, BISHOP, EMPTY, KING, KNIGHT, PAWN, QUEEN, ROOK},
    half_move::Move,
    search::{MatingMoves, Solver},
    stopped::Stopped,
    survey::{PROMOTIONS, castlings},
    tables::{self, LINE_STRIDE, LineTable},
};

/// A move that may give check, and the board after it.
struct CheckCandidate {
    half_move: Move,
    after: Bits,
    /// The square behind the pawn, if it is a double step.
    en_passant: Option<Square>,
}

/// The data from which a side's survey can be derived.
struct Surveyed {
    side: usize,
    bits: Bits,
    en_passant: Option<Square>,
}

impl Surveyed {
    fn targets(&self, code: u8, from: Square) -> Bitboard {
        self.bits.targets(self.side, code, from, self.en_passant)
    }

    /// The number of targets in the survey's list, where a promotion counts as four.
    fn count(code: u8, targets: Bitboard) -> usize {
        let promotions = if code == PAWN { (targets & Bitboard::BACKRANKS).count() } else { 0 };
        targets.count() + (PROMOTIONS.len() - 1) * promotions
    }

    /// Whether a move to this square is a capture en passant.
    fn takes_en_passant(&self, code: u8, to: Square) -> bool {
        code == PAWN && self.en_passant == Some(to)
    }

    /// The board after a move that is not castling.
    fn after(&self, code: u8, from: Square, to: Square, placed: u8) -> Bits {
        let captured = if self.takes_en_passant(code, to) { Square::from_coords(to.file(), from.rank()) } else { to };
        self.bits.after(self.side, (from, code), (to, placed), captured)
    }
}

/// Which moves may give check.
struct Checks {
    king: Square,
    /// For each kind, the squares from which a piece attacks the king.
    squares: [Bitboard; 7],
    /// Pieces that give a discovered check by leaving their line.
    screens: Bitboard,
}

impl Checks {
    fn on(king: Square, bits: &Bits, by: usize) -> Checks {
        let mut squares = [Bitboard::EMPTY; 7];
        let (files, diagonals) = (rook_attacks(king, bits.occupied()), bishop_attacks(king, bits.occupied()));
        squares[usize::from(PAWN)] = pawn_attacks(color(1 - by), king);
        squares[usize::from(KNIGHT)] = knight_attacks(king);
        squares[usize::from(BISHOP)] = diagonals;
        squares[usize::from(ROOK)] = files;
        squares[usize::from(QUEEN)] = files | diagonals;
        // A king next to the enemy king is illegal.
        Checks { king, squares, screens: bits.screens(king, by) & bits.sides[by] }
    }

    /// The targets of moves that may give check: all that do, and some for which the move must be made to find out.
    fn candidates(&self, surveyed: &Surveyed, code: u8, from: Square, targets: Bitboard) -> Bitboard {
        let mut found = targets & self.squares[usize::from(code)];
        if self.screens.contains(from) {
            found |= targets & !ray(self.king, from);
        }
        if code == PAWN {
            // Promotions and captures en passant change the piece, or more than two squares.
            found |=
                targets & (Bitboard::BACKRANKS | surveyed.en_passant.map_or(Bitboard::EMPTY, Bitboard::from_square));
        }
        found
    }
}

impl Solver {
    /// Surveys a level of the mating side, tries its moves in order, and counts the replies to each check up to the
    /// first legal one. `found` receives every move that mates, and returns whether more are wanted.
    ///
    /// The list of moves is not written.
    pub(super) fn mating_moves(
        &mut self,
        level: usize,
        found: &mut dyn FnMut(Move) -> bool,
    ) -> Result<MatingMoves, Stopped> {
        let side = self.side(level);
        let before = &self.levels[level - 1];
        let rights = before.rights;
        let en_passant = (before.en_passant != 0).then(|| codes::square(before.en_passant));
        let surveyed = Surveyed { side, bits: self.boards.bits, en_passant };
        let king = codes::square(self.boards.king_square(1 - side));
        if surveyed.bits.attacked(king, side) {
            return Ok(MatingMoves::Interrupted);
        }
        let checks = Checks::on(king, &surveyed.bits, side);
        for index in (1..=usize::from(self.boards.list[side][0])).rev() {
            let number = self.boards.list[side][index];
            let code = self.boards.board[side][usize::from(number)];
            if code == EMPTY {
                continue;
            }
            let from = codes::square(number);
            let targets = surveyed.targets(code, from);
            let candidates = checks.candidates(&surveyed, code, from, targets);
            if candidates.is_empty() {
                self.count(level, Surveyed::count(code, targets) as u64)?;
                continue;
            }
            for to in in_order(side, code, from, targets) {
                if !candidates.contains(to) {
                    self.count(level, 1)?;
                    continue;
                }
                let promotes = code == PAWN && Bitboard::BACKRANKS.contains(to);
                for &placed in if promotes { &PROMOTIONS[..] } else { std::slice::from_ref(&code) } {
                    let half_move = Move { from, to, promotion: if promotes { codes::role(placed) } else { None } };
                    let double_step = code == PAWN && number.abs_diff(codes::number(to)) == 16;
                    let candidate = CheckCandidate {
                        half_move,
                        after: surveyed.after(code, from, to, placed),
                        en_passant: double_step.then(|| codes::square((number + codes::number(to)) / 2)),
                    };
                    if self.mates(level, &candidate)? && !found(half_move) {
                        return Ok(MatingMoves::Found);
                    }
                }
            }
        }
        let castlings: Vec<_> = castlings(&self.boards, side, rights).collect();
        for way in castlings {
            let half_move =
                Move { from: codes::square(way.king_from), to: codes::square(way.king_to), promotion: None };
            let candidate = CheckCandidate { half_move, after: surveyed.bits.castled(side, way), en_passant: None };
            if self.mates(level, &candidate)? && !found(half_move) {
                return Ok(MatingMoves::Found);
            }
        }
        Ok(MatingMoves::Exhausted)
    }

    /// Visits a candidate and, if it gives check, the replies; returns whether it is mate.
    fn mates(&mut self, level: usize, candidate: &CheckCandidate) -> Result<bool, Stopped> {
        self.count(level, 1)?;
        let side = self.side(level);
        let CheckCandidate { after, en_passant, half_move } = candidate;
        let king = codes::square(self.boards.king_square(1 - side));
        let checkers = after.attackers(king, side, after.occupied());
        if checkers.is_empty() {
            return Ok(false);
        }
        let own = codes::square(self.boards.king_square(side));
        let own = if half_move.from == own { half_move.to } else { own };
        if after.attacked(own, 1 - side) {
            return Ok(false);
        }
        let replies = Surveyed { side: 1 - side, bits: *after, en_passant: *en_passant };
        let (visited, legal) = self.replies(&replies, king, checkers);
        self.count(level + 1, visited)?;
        Ok(!legal)
    }

    /// How many replies to a check are tried up to and including the first legal one, and whether there is one.
    fn replies(&self, replies: &Surveyed, king: Square, checkers: Bitboard) -> (u64, bool) {
        let Surveyed { side, bits, .. } = *replies;
        let occupied = bits.occupied();
        // The squares on which a piece other than the king ends the check.
        let defences = checkers.single_square().map_or(Bitboard::EMPTY, |checker| between(king, checker) | checkers);
        let screens = bits.screens(king, 1 - side);
        let is_legal = |code: u8, from: Square, to: Square| {
            if code == KING {
                return bits.attackers(to, 1 - side, occupied.without(from)).is_empty();
            }
            if replies.takes_en_passant(code, to) {
                return !replies.after(code, from, to, code).attacked(king, 1 - side);
            }
            // A pinned piece cannot end another piece's check.
            defences.contains(to) && !screens.contains(from)
        };
        let mut visited = 0;
        for index in (1..=usize::from(self.boards.list[side][0])).rev() {
            let number = self.boards.list[side][index];
            let code = self.boards.board[side][usize::from(number)];
            // The move that gives check may have captured this piece.
            if code == EMPTY || !bits.sides[side].contains(codes::square(number)) {
                continue;
            }
            let from = codes::square(number);
            let targets = replies.targets(code, from);
            let mut legal = targets;
            legal.into_iter().filter(|&to| !is_legal(code, from, to)).for_each(|to| legal.discard(to));
            if legal.is_empty() {
                visited += Surveyed::count(code, targets);
                continue;
            }
            let illegal = in_order(side, code, from, targets).take_while(|&to| !legal.contains(to)).collect();
            return ((visited + Surveyed::count(code, illegal) + 1) as u64, true);
        }
        (visited as u64, false)
    }
}

/// The squares beyond each square in the four directions of one of the listing's tables, in its order.
const fn rays(table: &LineTable) -> [[u64; 4]; 64] {
    let mut rays = [[0; 4]; 64];
    let mut square = 1;
    while square <= 64 {
        let mut direction = 0;
        while direction < 4 {
            let mut at = square as i16;
            while at != table[LINE_STRIDE * square + direction] {
                at += table[direction];
                rays[square - 1][direction] |= 1 << (at - 1);
            }
            direction += 1;
        }
        square += 1;
    }
    rays
}

static ROOK_RAYS: [[u64; 4]; 64] = rays(&tables::ROOK);
static BISHOP_RAYS: [[u64; 4]; 64] = rays(&tables::BISHOP);

/// Targets of a piece in the order in which the survey appends them.
fn in_order(side: usize, code: u8, from: Square, targets: Bitboard) -> impl Iterator<Item = Square> {
    /// A set of squares, and whether they are taken in descending order.
    type Run = (Bitboard, bool);
    let mut runs: [Run; 8] = [(Bitboard::EMPTY, false); 8];
    // The first two directions of each table go down the board.
    let line = |runs: &mut [Run], rays: &[[u64; 4]; 64]| {
        for (direction, (run, &ray)) in runs.iter_mut().zip(&rays[usize::from(from)]).enumerate() {
            *run = (targets & Bitboard(ray), direction < 2);
        }
    };
    match code {
        PAWN => {
            let file = Bitboard::from_file(File::new(u32::from(from) % 8));
            runs[0] = (targets & file, side == 1);
            runs[1] = (targets & !file, false);
        }
        KNIGHT | KING => runs[0] = (targets, false),
        BISHOP => line(&mut runs, &BISHOP_RAYS),
        ROOK => line(&mut runs, &ROOK_RAYS),
        _ => {
            line(&mut runs[..4], &ROOK_RAYS);
            line(&mut runs[4..], &BISHOP_RAYS);
        }
    }
    runs.into_iter().flat_map(|(mut squares, down)| {
        std::iter::from_fn(move || if down { squares.pop_back() } else { squares.pop_front() })
    })
}

#[cfg(test)]
mod tests {
    use super::super::{
        boards::Boards,
        level::Level,
        survey::{self, ListWord},
    };
    use super::*;
    use rand::{RngExt, SeedableRng, rngs::StdRng};

    /// A level whose records make up the whole list.
    fn level_of(list: &[ListWord]) -> Level {
        let mut level = Level::given(0, 0);
        level.end = list.len();
        level
    }

    /// The moves of a survey, without castling: kind, start and target, each promotion once.
    fn surveyed(list: &[ListWord]) -> Vec<(u8, Square, Square)> {
        let mut level = level_of(list);
        let mut moves = Vec::new();
        while level.advance(list) {
            moves.push((level.kind, codes::square(level.back_to), codes::square(level.target)));
        }
        moves.retain(|&(kind, ..)| kind != codes::CASTLING);
        moves.dedup();
        moves
    }

    /// The same by bit boards.
    fn by_bits(boards: &Boards, side: usize, en_passant: Option<Square>) -> Vec<(u8, Square, Square)> {
        let survey = Surveyed { side, bits: boards.bits, en_passant };
        let mut moves = Vec::new();
        for &number in boards.list[side][1..=usize::from(boards.list[side][0])].iter().rev() {
            let code = boards.board[side][usize::from(number)];
            if code != EMPTY {
                let from = codes::square(number);
                moves.extend(in_order(side, code, from, survey.targets(code, from)).map(|to| (code, from, to)));
            }
        }
        moves
    }

    /// Along random games, the survey and the bit boards list the same moves in the same order, and the survey is
    /// interrupted exactly when the king is attacked; moves taken back restore both.
    #[test]
    fn bit_boards_tell_what_the_survey_tells() {
        let mut random = StdRng::seed_from_u64(1);
        let mut interrupted = 0;
        for _ in 0..200 {
            let position = shakmaty::Setup::initial();
            let mut boards = Boards::new(&position.board);
            let mut before = Level::given(0, 0b1111);
            for half_move in 0..120 {
                let side = half_move % 2;
                let mut list = Vec::new();
                let result = survey::survey(&boards, side, before.en_passant, before.rights, &mut list);
                assert_eq!(result.is_err(), boards.in_check(1 - side));
                if result.is_err() {
                    interrupted += 1;
                    break;
                }
                let en_passant = (before.en_passant != 0).then(|| codes::square(before.en_passant));
                assert_eq!(surveyed(&list), by_bits(&boards, side, en_passant));
                let mut level = level_of(&list);
                let mut count = 0;
                while level.advance(&list) {
                    let untouched = boards.clone();
                    level.make(&mut boards, side, &before);
                    level.take_back(&mut boards, side);
                    assert_eq!(boards, untouched);
                    count += 1;
                }
                if count == 0 {
                    break;
                }
                level.rewind();
                for _ in 0..random.random_range(1..=count) {
                    level.advance(&list);
                }
                level.make(&mut boards, side, &before);
                before = level;
            }
        }
        assert!(interrupted > 50, "{interrupted}");
    }
}
