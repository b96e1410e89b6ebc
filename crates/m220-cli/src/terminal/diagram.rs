//! The board in the terminal.

use m220_answers::picture::seen_from;
use shakmaty::{Board, Color, Square};

/// A diagram's mark on a square, beside the piece there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// A short text, at most [`ROOM`] letters.
    pub text: String,
    /// The square is highlighted where the terminal has colours.
    pub strong: bool,
}

/// Letters between the borders of a square: one for the piece, the rest for the mark.
const WIDTH: usize = 6;
/// Letters that a mark may have.
pub const ROOM: usize = WIDTH - 1;

/// Whether standard output shows colours: a terminal, and `NO_COLOR` not set.
pub fn colours() -> bool {
    crate::terminal::has_colours(&crate::terminal::stdout())
}

/// Draws a board with marks, `below` the side at the bottom: pieces as in a FEN, capitals for White.
pub fn draw(board: &Board, mark: impl Fn(Square) -> Mark, below: Color, colours: bool) -> String {
    let (ranks, files) = seen_from(below);
    let line = format!("  +{}\n", format!("{}+", "-".repeat(WIDTH)).repeat(8));
    let mut text = line.clone();
    for rank in ranks {
        text.push_str(&format!("{} |", rank.char()));
        for &file in &files {
            let square = Square::from_coords(file, rank);
            let Mark { text: mark, strong } = mark(square);
            let piece = board.piece_at(square).map_or(' ', shakmaty::Piece::char);
            let cell = format!("{piece}{mark:>ROOM$}");
            // Reversed video: it needs no palette.
            text.push_str(&if strong && colours { format!("\x1b[7m{cell}\x1b[0m|") } else { format!("{cell}|") });
        }
        text.push('\n');
        text.push_str(&line);
    }
    text.push_str("  ");
    for file in files {
        text.push_str(&format!("{:^width$}", file.char(), width = WIDTH + 1));
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

/// Draws a board in the least space, `below` the side at the bottom: pieces as in a FEN, a point for an empty square.
/// Squares in `marked` stand in brackets.
pub fn small(board: &Board, below: Color, marked: &[Square]) -> String {
    let (ranks, files) = seen_from(below);
    let mut text = String::new();
    for rank in ranks {
        text.extend([rank.char(), ' ']);
        let mut open = false;
        for &file in &files {
            let square = Square::from_coords(file, rank);
            let piece = board.piece_at(square).map_or('.', shakmaty::Piece::char);
            let here = marked.contains(&square);
            let between = match (open, here) {
                (false, false) => ' ',
                (false, true) => '(',
                (true, true) => '|',
                (true, false) => ')',
            };
            text.extend([between, piece]);
            open = here;
        }
        text.push_str(if open { ")\n" } else { "\n" });
    }
    text.push_str("  ");
    for file in files {
        text.extend([' ', file.char()]);
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Role;

    #[test]
    fn a_diagram_from_both_sides() {
        let mut board = Board::empty();
        board.set_piece_at(Square::A1, Role::King.of(Color::White));
        board.set_piece_at(Square::H7, Role::Queen.of(Color::Black));
        let mark = |square| match square {
            Square::B2 => Mark { text: "1+6".to_owned(), strong: true },
            _ => Mark::default(),
        };
        let white = draw(&board, mark, Color::White, false);
        let lines: Vec<&str> = white.lines().collect();
        assert_eq!(lines[3], "7 |      |      |      |      |      |      |      |q     |");
        assert_eq!(lines[13], "2 |      |  1+6|".replace("  1+6", "   1+6") + &"      |".repeat(6));
        assert_eq!(lines[15], "1 |K     |      |      |      |      |      |      |      |");
        assert!(lines[17].trim_start().starts_with('a') && lines[17].ends_with('h'));
        let black = draw(&board, mark, Color::Black, false);
        assert_eq!(black.lines().nth(1).unwrap(), "1 |      |      |      |      |      |      |      |K     |");
        assert!(
            small(&board, Color::White, &[])
                .ends_with("\n2  . . . . . . . .\n1  K . . . . . . .\n   a b c d e f g h\n")
        );
        assert!(
            small(&board, Color::Black, &[])
                .ends_with("\n7  q . . . . . . .\n8  . . . . . . . .\n   h g f e d c b a\n")
        );
        let marked = small(&board, Color::White, &[Square::H7, Square::A1, Square::B1, Square::D1]);
        assert!(marked.contains("\n7  . . . . . . .(q)\n") && marked.contains("\n1 (K|.).(.). . . .\n"), "{marked}");
        let coloured = draw(&board, mark, Color::White, true);
        assert_eq!(coloured.matches("\x1b[7m").count(), 1);
        assert_eq!(coloured.replace("\x1b[7m", "").replace("\x1b[0m", ""), white);
    }
}
