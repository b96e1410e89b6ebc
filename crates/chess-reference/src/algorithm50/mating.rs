//! The last two levels of the search at one go: what may be mate, and the replies to it.
//!
//! Nearly all positions visited are on these levels, and nearly all of them only show that a move gives no check, or
//! that a reply is illegal. Bit boards tell both before a move is made, so that such moves are counted without being
//! made. The order is that of the survey, and so are the counts: every move up to the one that decides.

use shakmaty::{
    Bitboard, File, Rank, Square,
    attacks::{between, bishop_attacks, knight_attacks, pawn_attacks, ray, rook_attacks},
};

use super::{
    bits::{Bits, color},
    codes::{self, BISHOP, EMPTY, KING, KNIGHT, PAWN, QUEEN, ROOK},
    half_move::Move,
    limits::Stopped,
    search::Solver,
    survey::{PROMOTIONS, castlings},
    tables::{self, LINE_STRIDE, LineTable},
};

/// What has become of the level of the mating moves.
pub(super) enum MatingMoves {
    /// The move of the level above was illegal.
    Interrupted,
    /// A move mates, and no other was wanted.
    Found,
    /// All moves were tried.
    Exhausted,
}

/// Both ends of the board, where pawns promote.
const LAST_RANKS: Bitboard = Bitboard::from_rank(Rank::First).with_const(Bitboard::from_rank(Rank::Eighth));

/// The words of a record of the list beside its targets.
const RECORD: usize = 4;

/// A move by which the king of the other side may come under attack, and what the board is after it.
struct CheckCandidate {
    half_move: Move,
    after: Bits,
    /// The square behind the pawn, if it is a double step.
    en_passant: Option<Square>,
}

/// What a side's survey would find.
struct Surveyed {
    side: usize,
    bits: Bits,
    en_passant: Option<Square>,
}

impl Surveyed {
    fn targets(&self, code: u8, from: Square) -> Bitboard {
        self.bits.targets(self.side, code, from, self.en_passant)
    }

    /// The targets of the survey's list: a promotion is four.
    fn count(code: u8, targets: Bitboard) -> usize {
        let promotions = if code == PAWN { (targets & LAST_RANKS).count() } else { 0 };
        targets.count() + (PROMOTIONS.len() - 1) * promotions
    }

    /// Whether a pawn's move to this square takes en passant.
    fn takes_en_passant(&self, code: u8, to: Square) -> bool {
        code == PAWN && self.en_passant == Some(to)
    }

    /// The board after a move that is not castling.
    fn after(&self, code: u8, from: Square, to: Square, placed: u8) -> Bits {
        let captured = if self.takes_en_passant(code, to) { Square::from_coords(to.file(), from.rank()) } else { to };
        self.bits.after(self.side, (from, code), (to, placed), captured)
    }
}

/// Where a move attacks the enemy king.
struct Checks {
    king: Square,
    /// By kind: squares from which a piece attacks the king.
    squares: [Bitboard; 7],
    /// Pieces that attack it by leaving their line.
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
        // A king beside the king is illegal.
        Checks { king, squares, screens: bits.screens(king, by) & bits.sides[by] }
    }

    /// The targets that may attack the king: all that do, and some where it takes the move to tell.
    fn candidates(&self, surveyed: &Surveyed, code: u8, from: Square, targets: Bitboard) -> Bitboard {
        let mut found = targets & self.squares[usize::from(code)];
        if self.screens.contains(from) {
            found |= targets & !ray(self.king, from);
        }
        if code == PAWN {
            // These change more of the board than two squares, or the piece.
            found |= targets & (LAST_RANKS | surveyed.en_passant.map_or(Bitboard::EMPTY, Bitboard::from_square));
        }
        found
    }
}

impl Solver {
    /// Surveys a level of the mating side, tries its moves in order, and counts the replies to each check up to the
    /// first that is legal. `found` is given every move that mates, and says whether more are wanted.
    ///
    /// The list of moves is not written, but a limit to it is kept.
    pub(super) fn mating_moves(
        &mut self,
        level: usize,
        found: &mut dyn FnMut(Move) -> bool,
    ) -> Result<MatingMoves, Stopped> {
        let side = self.side(level);
        let before = &self.levels[level - 1];
        let (rights, boundary) = (before.rights, before.end);
        let en_passant = (before.en_passant != 0).then(|| codes::square(before.en_passant));
        let surveyed = Surveyed { side, bits: self.boards.bits, en_passant };
        let king = codes::square(self.boards.king_square(1 - side));
        if surveyed.bits.attacked(king, side) {
            return Ok(MatingMoves::Interrupted);
        }
        let end = boundary + self.words(&surveyed, rights);
        self.check_list(end)?;
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
                let promotes = code == PAWN && LAST_RANKS.contains(to);
                for &placed in if promotes { &PROMOTIONS[..] } else { std::slice::from_ref(&code) } {
                    let half_move = Move { from, to, promotion: if promotes { codes::role(placed) } else { None } };
                    let double_step = code == PAWN && number.abs_diff(codes::number(to)) == 16;
                    let candidate = CheckCandidate {
                        half_move,
                        after: surveyed.after(code, from, to, placed),
                        en_passant: double_step.then(|| codes::square((number + codes::number(to)) / 2)),
                    };
                    if self.mates(level, &candidate, end)? && !found(half_move) {
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
            if self.mates(level, &candidate, end)? && !found(half_move) {
                return Ok(MatingMoves::Found);
            }
        }
        Ok(MatingMoves::Exhausted)
    }

    /// Visits a candidate and, if it gives check, the replies; whether it is mate. The list of moves ends at `end`.
    fn mates(&mut self, level: usize, candidate: &CheckCandidate, end: usize) -> Result<bool, Stopped> {
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
        // No castling out of check.
        self.check_list(end + self.words(&replies, 0))?;
        let (visited, legal) = self.replies(&replies, king, checkers);
        self.count(level + 1, visited)?;
        Ok(!legal)
    }

    /// How many replies to a check are tried up to the first that is legal, and whether there is one.
    fn replies(&self, replies: &Surveyed, king: Square, checkers: Bitboard) -> (u64, bool) {
        let Surveyed { side, bits, .. } = *replies;
        let occupied = bits.occupied();
        // Where another piece than the king ends the check.
        let defences = checkers.single_square().map_or(Bitboard::EMPTY, |checker| between(king, checker) | checkers);
        let screens = bits.screens(king, 1 - side);
        let is_legal = |code: u8, from: Square, to: Square| {
            if code == KING {
                return bits.attackers(to, 1 - side, occupied.without(from)).is_empty();
            }
            if replies.takes_en_passant(code, to) {
                return !replies.after(code, from, to, code).attacked(king, 1 - side);
            }
            // Who screens the king from one piece cannot end another's check.
            defences.contains(to) && !screens.contains(from)
        };
        let mut visited = 0;
        for index in (1..=usize::from(self.boards.list[side][0])).rev() {
            let number = self.boards.list[side][index];
            let code = self.boards.board[side][usize::from(number)];
            // The move that gives check may have taken him.
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

    /// The words that a survey would append to the list; they are counted only if they are limited.
    fn words(&self, surveyed: &Surveyed, rights: u8) -> usize {
        if self.limits.list.is_none() {
            return 0;
        }
        let record = |targets: usize| if targets == 0 { 0 } else { RECORD + targets };
        let &Surveyed { side, ref bits, .. } = surveyed;
        let pieces: usize = bits.sides[side]
            .into_iter()
            .filter_map(|from| Some((bits.code(from)?, from)))
            .map(|(code, from)| record(Surveyed::count(code, surveyed.targets(code, from))))
            .sum();
        pieces + record(castlings(&self.boards, side, rights).count())
    }
}

/// The squares beyond each square in the four directions of a table of the listing, in its order.
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
    /// Squares that are counted up, or down.
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

    /// A level whose records are the whole list.
    fn level_of(list: &[ListWord]) -> Level {
        let mut level = Level::given(0, 0);
        level.end = list.len();
        level
    }

    /// The moves of a survey, castling aside: kind, from and to, each promotion once.
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

    /// Along random games: the survey and the bit boards list the same moves in the same order, and the survey is
    /// interrupted where the king is attacked; moves taken back leave nothing behind on either.
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
