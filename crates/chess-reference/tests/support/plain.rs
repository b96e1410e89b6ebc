//! The procedure one position at a time. Tests and benchmarks compare the sets of squares with it, in result and in time.
//!
//! It keeps two tables of flags, *won with White to move* and *lost with Black to move*. Each round goes through all
//! positions without a class and looks at their moves one by one. It shares with [`chess_reference::endings::Classes`] only
//! the squares that a piece attacks. It handles endings with one piece other than a pawn.

use shakmaty::{Bitboard, Role, Square, attacks};

/// The number of positions in each class, from 0 to M. Empty if no position has a class.
#[must_use]
pub fn histogram(role: Role) -> Vec<u64> {
    let mut table = Table { role, won: vec![false; 1 << 18], lost: vec![false; 1 << 18] };
    let mut classes = Vec::new();
    let all = || (0..1 << 18).map(ThreePieces::of);
    loop {
        let class = classes.len();
        let fresh: Vec<ThreePieces> = match class % 2 {
            0 => all().filter(|at| !table.lost[at.index()] && table.is_lost(*at)).collect(),
            _ => all().filter(|at| !table.won[at.index()] && table.is_won(*at)).collect(),
        };
        if fresh.is_empty() {
            return classes;
        }
        let known = if class % 2 == 0 { &mut table.lost } else { &mut table.won };
        fresh.iter().for_each(|at| known[at.index()] = true);
        classes.push(fresh.len() as u64);
    }
}

/// White's king and piece, and Black's king.
#[derive(Clone, Copy)]
struct ThreePieces {
    king: Square,
    piece: Square,
    black_king: Square,
}

impl ThreePieces {
    fn of(index: usize) -> ThreePieces {
        let square = |shift: usize| Square::new((index >> shift & 63) as u32);
        ThreePieces { king: square(12), piece: square(6), black_king: square(0) }
    }

    fn index(self) -> usize {
        (self.king as usize) << 12 | (self.piece as usize) << 6 | self.black_king as usize
    }
}

struct Table {
    role: Role,
    won: Vec<bool>,
    lost: Vec<bool>,
}

impl Table {
    fn attacked(&self, at: ThreePieces) -> Bitboard {
        let occupied = Bitboard::from(at.king).with(at.black_king).with(at.piece);
        attacks::attacks(at.piece, self.role.of(shakmaty::Color::White), occupied)
    }

    fn is_apart(at: ThreePieces) -> bool {
        at.king != at.piece
            && at.king != at.black_king
            && at.piece != at.black_king
            && !attacks::king_attacks(at.king).contains(at.black_king)
    }

    /// Whether this is a legal position in which a move of White's leads to a lost one.
    fn is_won(&self, at: ThreePieces) -> bool {
        let targets = self.attacked(at);
        let legal = Table::is_apart(at) && !targets.contains(at.black_king);
        let by_king = attacks::king_attacks(at.king).into_iter().map(|king| ThreePieces { king, ..at });
        let by_piece = targets.into_iter().filter(|&to| to != at.king).map(|piece| ThreePieces { piece, ..at });
        legal && by_king.chain(by_piece).any(|after| self.lost[after.index()])
    }

    /// Whether this is a legal position in which Black is mated, or every move of his leads to a won one.
    fn is_lost(&self, at: ThreePieces) -> bool {
        let mut moves = attacks::king_attacks(at.black_king)
            .into_iter()
            .map(|black_king| ThreePieces { black_king, ..at })
            .filter(|&to| to.black_king == at.piece || !self.attacked(to).contains(to.black_king))
            .filter(|&to| !attacks::king_attacks(at.king).contains(to.black_king) && to.black_king != at.king)
            .peekable();
        Table::is_apart(at)
            && (moves.peek().is_some() || self.attacked(at).contains(at.black_king))
            && moves.all(|to| self.won[to.index()])
    }
}
