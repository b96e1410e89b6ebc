//! The names of colours and pieces in texts and in JSON, and numbers for people.

use shakmaty::{Color, Piece, Role};

/// `white` or `black`.
#[must_use]
pub const fn colour_name(colour: Color) -> &'static str {
    match colour {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// `White` or `Black`, the player.
#[must_use]
pub const fn side_name(side: Color) -> &'static str {
    match side {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// `pawn` to `king`.
#[must_use]
pub const fn role_name(role: Role) -> &'static str {
    const NAMES: [&str; 6] = ["pawn", "knight", "bishop", "rook", "queen", "king"];
    NAMES[role as usize - 1]
}

/// The piece with this name, as [`role_name`] gives it.
#[must_use]
pub fn role_named(name: &str) -> Option<Role> {
    Role::ALL.into_iter().find(|&role| role_name(role) == name)
}

/// `white queen`.
#[must_use]
pub fn piece_name(piece: Piece) -> String {
    format!("{} {}", colour_name(piece.color), role_name(piece.role))
}

/// A number with commas between the thousands.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(|group| str::from_utf8(group).unwrap_or_default());
    groups.collect::<Vec<_>>().join(",")
}

/// A count and what is counted: `1 move`, `7 moves`; `noun` takes an s.
#[must_use]
pub fn counted(count: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(count), if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!((counted(1, "move"), counted(1_000, "move")), ("1 move".to_owned(), "1,000 moves".to_owned()));
    }
}
