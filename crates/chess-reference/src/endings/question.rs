//! Questions about single positions, and their answers.

use super::{Classes, Material};
use crate::prelude::*;

/// A legal position of one of the endings of [`Material`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EndingPosition {
    chess: Chess,
    ending: Material,
}

/// Why a position cannot be asked about.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EndingError {
    /// It breaks the rules of chess.
    #[error("not a legal position: {0}")]
    Impossible(#[from] Sentence),
    /// It is legal, but not of one of the endings of [`Material`].
    #[error("{0}")]
    Unsupported(Sentence),
}

named! {
    /// What the side to move can force.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum ForcedResult {
        /// Mate.
        Won = "won",
        /// Nothing: the other side can force mate, or it is mated already.
        Lost = "lost",
        /// Neither side can force mate.
        Drawn = "drawn",
    }
}

impl ForcedResult {
    /// The result that a class means for the side to move.
    #[must_use]
    pub fn of_class(class: Option<u32>) -> ForcedResult {
        match class {
            Some(class) if class % 2 == 1 => ForcedResult::Won,
            Some(_) => ForcedResult::Lost,
            None => ForcedResult::Drawn,
        }
    }
}

/// The class of a position and the best moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EndingAnswer {
    /// The class in half-moves to mate; `None` if the position is drawn (the document's class M + 1).
    pub class: Option<u32>,
    /// What the class means for the side to move.
    pub result: ForcedResult,
    /// All best moves, sorted: those into the next lower class, or from a drawn position into a drawn one. Empty if the
    /// side to move has no legal move.
    pub best: Vec<Move>,
}

impl EndingPosition {
    /// Checks that a position can be asked about.
    ///
    /// # Errors
    /// [`EndingError`] if it breaks the rules of chess, or is not of one of the endings of [`Material`].
    pub fn new(position: &Placement) -> Result<EndingPosition, EndingError> {
        let chess = Chess::try_from(position)?;
        if chess.castles().any() {
            return Err(EndingError::Unsupported("the tables know no castling: take the right out".into()));
        }
        let ending = ending_of(chess.board()).ok_or_else(|| {
            EndingError::Unsupported(sentence!(
                "{pieces}: expected a king and one of queen, rook, pawn, bishop, knight, two bishops, two knights, or bishop and knight, against a king",
                pieces = material(chess.board())
            ))
        })?;
        Ok(EndingPosition { chess, ending })
    }

    /// The ending.
    #[must_use]
    pub fn ending(&self) -> Material {
        self.ending
    }

    /// The position.
    #[must_use]
    pub fn position(&self) -> Placement {
        Placement::from(self.chess.clone())
    }

    /// The position, with the rules of chess.
    #[must_use]
    pub fn chess(&self) -> &Chess {
        &self.chess
    }

    /// The side to move.
    #[must_use]
    pub fn turn(&self) -> Color {
        self.chess.turn()
    }

    /// The side with the extra pieces.
    #[must_use]
    pub fn strong_side(&self) -> Color {
        strong_side(self.chess.board())
    }

    /// Whether the side to move is the one with the extra pieces, which is White in the White game.
    #[must_use]
    pub fn white_to_move(&self) -> bool {
        self.turn() == self.strong_side()
    }

    /// The squares in the White game: White's king, Black's king, and White's pieces in the order of [`Material::pieces`].
    /// If Black has the pieces, the board is mirrored top to bottom (rank 1 becomes rank 8).
    #[must_use]
    pub fn squares(&self) -> (Square, Square, Vec<Square>) {
        let (board, strong) = (self.chess.board(), self.strong_side());
        let king = |colour| board.king_of(colour).map_or(Square::A1, |square| self.turned(square));
        let mut left = board.by_color(strong) & !board.kings();
        let pieces = self.ending.pieces().iter().map(|&role| {
            let square = (left & board.by_role(role)).first().unwrap_or(Square::A1);
            left.discard(square);
            self.turned(square)
        });
        let pieces = pieces.collect();
        (king(strong), king(!strong), pieces)
    }

    /// Converts a square of the White game to this board, or back.
    #[must_use]
    pub fn turned(&self, square: Square) -> Square {
        self.strong_side().fold_wb(square, square.flip_vertical())
    }

    /// Every legal move with the position it leads to. The position is `None` if only the kings are left, or the pawn was
    /// promoted to a piece that cannot win.
    fn moves(&self) -> impl Iterator<Item = (Move, Option<EndingPosition>)> + '_ {
        self.chess.legal_moves().into_iter().map(|legal| {
            let chess = after(&self.chess, legal);
            let ending = ending_of(chess.board());
            (to_uci(legal), ending.map(|ending| EndingPosition { chess, ending }))
        })
    }

    /// The position after a move. `None` if the move is illegal or leads out of the endings of [`Material`].
    #[must_use]
    pub fn after(&self, half_move: Move) -> Option<EndingPosition> {
        self.moves().find(|(legal, _)| *legal == half_move)?.1
    }
}

impl Classes {
    /// The class of a position and the best moves. The position must be of this ending or of one that its pawn can be
    /// promoted into; for any other position the answer is a draw.
    #[must_use]
    pub fn answer(&self, position: &EndingPosition) -> EndingAnswer {
        let class = self.class_of(position);
        let wanted = class.map_or(Some(None), |class| class.checked_sub(1).map(Some));
        let leads_there = |after: &Option<EndingPosition>| {
            wanted.is_some_and(|wanted| after.as_ref().and_then(|after| self.class_of(after)) == wanted)
        };
        let mut best: Vec<Move> =
            position.moves().filter(|(_, after)| leads_there(after)).map(|(half_move, _)| half_move).collect();
        best.sort_unstable();
        EndingAnswer { class, result: ForcedResult::of_class(class), best }
    }

    fn class_of(&self, position: &EndingPosition) -> Option<u32> {
        let classes = std::iter::once(self).chain(self.promoted()).find(|known| known.ending() == position.ending)?;
        let (king, black_king, pieces) = position.squares();
        classes.class(king, &pieces, black_king, Color::from_white(position.white_to_move()))
    }
}

/// The side with the extra pieces; White if there are only kings.
fn strong_side(board: &Board) -> Color {
    if board.white().count() == 1 && board.black().count() > 1 { Color::Black } else { Color::White }
}

fn ending_of(board: &Board) -> Option<Material> {
    let strong = strong_side(board);
    let extra = (board.by_color(strong) & !board.kings()).into_iter().filter_map(|square| board.role_at(square));
    let mut extra: Vec<Role> = extra.collect();
    extra.sort_unstable();
    let has = |ending: &Material| {
        let mut pieces = ending.pieces().to_vec();
        pieces.sort_unstable();
        pieces == extra
    };
    let alone = board.by_color(!strong).count() == 1;
    Material::ALL.into_iter().find(|ending| alone && has(ending))
}

/// `KQR against KN`
fn material(board: &Board) -> String {
    let side = |colour: Color| {
        let of = |role: Role| board.by_piece(role.of(colour)).count();
        let roles = [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];
        roles.iter().map(|&role| role.upper_char().to_string().repeat(of(role))).collect::<String>()
    };
    format!("{} against {}", side(Color::White), side(Color::Black))
}
