//! The names of the moves of a variation.

use crate::prelude::*;
use chess_reference::map::exchange::after;
use chess_reference::map::{FirstMove, Letters, Step, move_name};

/// A game being played, for the names of its moves.
#[derive(Clone)]
pub(super) struct NumberedGame {
    board: Board,
    pub(super) turn: Color,
    number: u32,
    letters: Letters,
}

impl NumberedGame {
    pub(super) fn at(position: &Placement, letters: Letters) -> NumberedGame {
        NumberedGame { board: position.board.clone(), turn: position.turn, number: position.fullmoves.get(), letters }
    }

    /// Plays a move and returns its name, such as `30.Ba3` or `30...Qxa3`; a stop ends the variation.
    pub(super) fn play(&mut self, step: Option<Step>, words: &Words) -> String {
        let number = match self.turn {
            Color::White => format!("{}.", self.number),
            Color::Black => format!("{}...", self.number),
        };
        number + &self.name_and_play(step, words)
    }

    /// The names of a first move and of its main line, from a position on.
    pub(super) fn main_line(mut self, first: &FirstMove, line: &[Option<Step>], words: &Words) -> String {
        self.line(std::iter::once(Some(first.step)).chain(line.iter().copied()), words)
    }

    /// Plays moves and returns their names, such as `30.Ba3 Qxa3 31.Nh5+`.
    pub(super) fn line(&mut self, steps: impl Iterator<Item = Option<Step>>, words: &Words) -> String {
        let first = self.turn;
        let named = steps.enumerate().map(|(index, step)| match self.turn {
            Color::Black if index > 0 || first.is_white() => self.name_and_play(step, words),
            Color::White | Color::Black => self.play(step, words),
        });
        named.collect::<Vec<_>>().join(" ")
    }

    /// The same without the number.
    pub(super) fn name_and_play(&mut self, step: Option<Step>, words: &Words) -> String {
        let name = match step {
            None => words.say(&told!("analyse-stop")),
            Some(step) => {
                let name = move_name(&self.board, self.turn, step, self.letters);
                self.board = after(&self.board, step.from, step.to);
                name
            }
        };
        if self.turn.is_black() {
            self.number = self.number.saturating_add(1);
        }
        self.turn = self.turn.other();
        name
    }
}
