//! The four castlings, and the rights to them.

use shakmaty::Color;

/// One way to castle. Squares are numbered as on the boards (e1 = 5).
#[derive(Debug)]
pub(super) struct Castling {
    pub(super) king_from: u8,
    pub(super) king_to: u8,
    pub(super) rook_from: u8,
    /// Where the rook goes, which is the square that the king passes.
    pub(super) rook_to: u8,
    /// The first and the last square between king and rook.
    pub(super) between: (u8, u8),
    /// Its bit in the rights.
    pub(super) right: u8,
}

const fn castling(color: Color, king_side: bool) -> Castling {
    let (first, bit) = match color {
        Color::White => (0, 1),
        Color::Black => (56, 4),
    };
    if king_side {
        Castling {
            king_from: first + 5,
            king_to: first + 7,
            rook_from: first + 8,
            rook_to: first + 6,
            between: (first + 6, first + 7),
            right: bit,
        }
    } else {
        Castling {
            king_from: first + 5,
            king_to: first + 3,
            rook_from: first + 1,
            rook_to: first + 4,
            between: (first + 2, first + 4),
            right: bit << 1,
        }
    }
}

/// Indexed by side; king's side before queen's side.
pub(super) static CASTLINGS: [[Castling; 2]; 2] = [
    [castling(Color::White, true), castling(Color::White, false)],
    [castling(Color::Black, true), castling(Color::Black, false)],
];

/// The rights that remain after a move to or from each square: leaving the king's square, and leaving
/// or capturing on a rook's corner, forfeits rights.
pub(super) static RIGHTS_LEFT: [u8; 66] = rights_left();

const fn rights_left() -> [u8; 66] {
    let mut left = [0b1111; 66];
    left[5] = 0b1100;
    left[8] = 0b1110;
    left[1] = 0b1101;
    left[61] = 0b0011;
    left[64] = 0b1011;
    left[57] = 0b0111;
    left
}
