//! The machine program that plays: inputs by name, answers read back, both engines compared.
//!
//! # The interface
//!
//! The inputs are the position's cells and the numbers `move_number`, `queen_from` and `cut_off` (1 or 0). The program's
//! own text says what the cells hold.
//!
//! All output of the program is checked: a word that is not a move or not a value is a
//! [`NoAnswer::Fault`] with a text that says what and where.

use crate::position_cells::{MOVES, PositionCells, move_of};
use crate::prelude::*;
use chess_reference::algorithm50::play::{Evaluation, MoveOutcome, Strategy, Value, ValuedMove, evaluate};

interface! {
    /// The cells of the interface beside those of the position.
    struct PlayCells {
        inputs: move_number, queen_from, cut_off;
        outputs: result, choice, found, candidates[CANDIDATES], values[CANDIDATES], visits[Size::Cells(4)];
    }
}

/// The size of the two tables of candidates.
const CANDIDATES: Size = Size::Constant("candidates_size");

/// The machine's state when it was interrupted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartialEvaluation {
    /// The best move so far; `None` if no move has been valued.
    pub best: Option<Move>,
    /// The counts so far, as [`Evaluation::visits`].
    pub visits: [u64; 3],
    /// The instructions executed, and their time.
    pub clock: Clock,
}

chess_program! {
    /// The machine program that plays, with the cells of its interface resolved.
    pub struct PlayProgram {
        position: PositionCells,
        cells: PlayCells,
    }

    const BUILT_IN: BuiltIn = BuiltIn { name: "play", cubes: 1 };
    const TABLES: &'static [FullTable] = &[MOVES];
}

/// The values of all legal moves, and the choice among them. The machine program knows only the default reading of the
/// strategy.
#[derive(Clone, Copy, Debug)]
pub struct PlayQuestion<'a> {
    /// The position.
    pub problem: &'a Problem,
    /// How moves are valued.
    pub strategy: &'a Strategy,
}

impl ProgramQuestion for PlayQuestion<'_> {
    type Program = PlayProgram;
    type Answer = Evaluation;
    type Native = Evaluation;

    fn put(&self, PlayProgram { position, cells, .. }: &PlayProgram, run: &mut ProgramRun) -> Result<(), ProgramError> {
        position.put(run, self.problem)?;
        run.put_number(cells.move_number, self.problem.setup().fullmoves.get())?;
        run.put_number(cells.queen_from, self.strategy.queen_from)?;
        run.put_number(cells.cut_off, u32::from(self.strategy.cut_off))
    }

    fn read(&self, program: &PlayProgram, run: &ProgramRun, ending: ResultCode) -> Result<Evaluation, NoAnswer> {
        let cells = &program.cells;
        let listed = |table| run.listed(table, ("found", cells.found));
        let candidates = listed(cells.candidates)?
            .zip(listed(cells.values)?)
            .map(|(candidate, value)| candidate_of(candidate, value))
            .collect::<Result<Vec<ValuedMove>, NoAnswer>>()?;
        let choice = move_of(run.word(cells.choice));
        let chosen = candidates.iter().position(|candidate| Some(candidate.half_move) == choice);
        let stuck = match ending {
            ResultCode::Done => None,
            ResultCode::FirstNo => Some(MoveOutcome::Mate),
            ResultCode::SecondNo => Some(MoveOutcome::Stalemate),
        };
        if chosen.is_none() != stuck.is_some() || stuck.is_some() != candidates.is_empty() {
            let choice = run.word(cells.choice).grouped();
            let count = candidates.len();
            return Err(NoAnswer::Fault(format!("the choice {choice} is not among the {count} candidates")));
        }
        Ok(Evaluation { candidates, visits: program.visits(run), chosen, stuck })
    }

    fn native(&self) -> Evaluation {
        evaluate(self.problem, self.strategy)
    }

    fn differences(native: &Evaluation, machine: &Evaluation) -> Result<Vec<Difference>, String> {
        Ok(compare_evaluations(native, machine))
    }
}

impl PlayProgram {
    /// As [`ChessProgram::ask`]; if the run was ended from outside, the best move so far.
    ///
    /// # Errors
    /// As [`ChessProgram::prepare`].
    pub fn ask_or_partly(
        &self,
        question: &PlayQuestion<'_>,
        settings: &Settings,
    ) -> Result<Result<MachineRun<Evaluation>, PartialEvaluation>, ProgramError> {
        let mut run = self.prepare(question, settings)?;
        let report = run.run(&settings.limits);
        match report.ended {
            None => run.read(self, report, |run, ending| question.read(self, run, ending)).map(Ok),
            Some(_) => Ok(Err(PartialEvaluation {
                best: move_of(run.word(self.cells.choice)),
                visits: self.visits(&run),
                clock: run.machine().clock(),
            })),
        }
    }

    fn visits(&self, run: &ProgramRun) -> [u64; 3] {
        let mut words = run.all(self.cells.visits).skip(1).map(|(_, word)| word.address_part());
        std::array::from_fn(|_| words.next().unwrap_or(0))
    }
}

/// Compares candidates with their places and values, the choice, and the counts.
#[must_use]
pub fn compare_evaluations(native: &Evaluation, machine: &Evaluation) -> Vec<Difference> {
    compare_items(native, machine, |found| {
        let mut items: Vec<String> = (1..)
            .zip(&found.candidates)
            .map(|(place, candidate)| {
                let ValuedMove { half_move, value: Value { swing, rank, control }, outcome, barred } = *candidate;
                let outcome = outcome.map_or("", MoveOutcome::name);
                let barred = if barred { "barred" } else { "" };
                let text = format!("candidate {place} {half_move} value {swing} {rank} {control} {outcome} {barred}");
                text.trim_end().to_owned()
            })
            .collect();
        items.extend(found.choice().map(|choice| format!("choice {}", choice.half_move)));
        items.extend(found.stuck.map(|stuck| format!("{} to begin with", stuck.name())));
        items.extend((1..).zip(found.visits).map(|(level, count)| format!("{count} half-moves at level {level}")));
        items
    })
}

/// The candidate that a move's word and a value's word encode.
fn candidate_of(candidate: (CoreAddress, Word), value: (CoreAddress, Word)) -> Result<ValuedMove, NoAnswer> {
    let half_move = read_move(candidate)?;
    let no_value = || NoAnswer::of_word(value, "a value");
    let marks = value.1.a1().get();
    let (free, mate, swing) = (marks & 0o4000 != 0, marks & 0o2000 != 0, i32::from(marks & 0o177) - 0o100);
    let outcome = match (value.1.upper(), mate) {
        (0, false) => None,
        (0o400, true) => Some(MoveOutcome::Mate),
        (0o400, false) => Some(MoveOutcome::Stalemate),
        _ => return Err(no_value()),
    };
    if marks & 0o1600 != 0 {
        return Err(no_value());
    }
    let value = Value { swing, rank: i32::from(value.1.a2().get()), control: i32::from(value.1.a3().get()) };
    Ok(ValuedMove { half_move, value, outcome, barred: !free })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(value: &str) -> Result<ValuedMove, NoAnswer> {
        let at = CoreAddress::from_index(0o6000).unwrap();
        candidate_of((at, "0 00 0015 0035 0000".parse().unwrap()), (at, value.parse().unwrap()))
    }

    #[test]
    fn values_are_read_from_their_words() {
        let text = |word: &str| {
            let ValuedMove { half_move, value: Value { swing, rank, control }, outcome, barred } = read(word).unwrap();
            format!("{half_move} {swing} {rank} {control} {outcome:?} {barred}")
        };
        assert_eq!(text("0 00 4100 0000 0035"), "e2e4 0 0 29 None false");
        assert_eq!(text("0 00 0077 0004 0007"), "e2e4 -1 4 7 None true");
        assert_eq!(text("4 00 6100 0000 0000"), "e2e4 0 0 0 Some(Mate) false");
        assert_eq!(text("4 00 4100 0000 0000"), "e2e4 0 0 0 Some(Stalemate) false");
    }

    #[test]
    fn other_words_are_not_values() {
        for word in ["0 00 6100 0000 0000", "4 01 4100 0000 0000", "0 00 5100 0000 0000", "0 56 4100 0000 0035"] {
            assert!(read(word).is_err(), "{word}");
        }
    }
}
