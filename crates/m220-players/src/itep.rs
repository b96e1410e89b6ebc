//! The chess program of the Institute of Theoretical and Experimental Physics (ITEP) of the 1960s, from the reader's own
//! copy of its listing.
//! The program runs on the model `itep` and keeps the game in its own core: the host writes a position before the
//! start; afterwards it only turns the console keys and reads the move that the program has written down. Its operation
//! (cells, halts) was found by running it; see the [overlay](listing) and the page on the program.

pub mod listing;
pub mod words;

use crate::prelude::*;
use listing::Overlay;
use m220_isa::octal_deck::OctalDeck;
use m220_isa::{Address, CoreAddress, Word};
use m220_machine::{Config, Machine, Stop, StopReason};
use shakmaty::{CastlingMode, EnPassantMode};
use std::collections::BTreeMap;
use words::{chosen_move, move_word, position_words};

/// Start: White, or Black, is to move.
const START: [(Color, u16); 2] = [(Color::White, 0o5001), (Color::Black, 0o5000)];
/// Reached after each move, by the program or by the operator.
const MOVED: u16 = 0o5112;
/// The cell that then holds the move.
const MOVE: u16 = 0o5211;
/// The program waits here for the operator's keys.
const KEYS: u16 = 0o5014;
/// It halts here if the operator's move is illegal.
const ILLEGAL: u16 = 0o5072;
/// The exit at the end of a game: the side to move has no move.
const EXIT: u16 = 0o7730;
/// Who plays a side: the program, or the operator.
const BY_PROGRAM: u64 = 4;
const BY_OPERATOR: u64 = 1;
/// Cells of White; Black's follow: who plays the side, and its depth in plies.
const WHO: u16 = 0o5061;
const PLIES: u16 = 0o5063;
/// The console key register for the operator's move.
const MOVE_KEY: usize = 4;

/// The program, corrected and ready to be loaded.
#[derive(Clone, Debug)]
pub struct ItepProgram {
    cells: BTreeMap<Address, Word>,
}

impl ItepProgram {
    /// Checks that a deck is the known listing, and corrects it.
    ///
    /// # Errors
    /// It is not an octal deck, or another text.
    pub fn from_deck(bytes: &[u8]) -> Result<ItepProgram, Sentence> {
        // The published copy gives some cells twice.
        let deck = OctalDeck::parse_overlapping(bytes).map_err(Sentence::of)?;
        Ok(ItepProgram { cells: Overlay::built_in()?.corrected(&deck)? })
    }
}

/// A game in the program's core.
#[derive(Clone)]
pub struct ItepGame {
    machine: Machine,
    game: Game,
    plies: u16,
}

impl ItepGame {
    /// Puts a position into core. The operator plays both sides until [`ItepGame::choose`].
    ///
    /// A position with an en-passant right is reached by its double step, since the program keeps that right itself.
    ///
    /// # Errors
    /// [`PlayerError::Position`] if its core has no room for it.
    pub fn new(program: &ItepProgram, position: &Chess, plies: u16) -> Result<ItepGame, PlayerError> {
        match position.maybe_ep_square() {
            None => ItepGame::at(program, position, plies),
            Some(square) => {
                let no_step =
                    "the ITEP program cannot take this position: no double step leads to its en-passant square";
                let (before, step) =
                    before_double_step(position, square).ok_or_else(|| PlayerError::Position(no_step.into()))?;
                let mut made = ItepGame::at(program, &before, plies)?;
                made.enter(step, &Limits::default())?;
                Ok(ItepGame { game: Game::new(position.clone()), ..made })
            }
        }
    }

    fn at(program: &ItepProgram, position: &Chess, plies: u16) -> Result<ItepGame, PlayerError> {
        let mut machine = Machine::new(Config::new(Model::Itep));
        let given = position_words(position).map_err(refused_position)?;
        for (at, word) in program.cells.iter().map(|(&at, &word)| (at, word)).chain(given) {
            put(&mut machine, at, word);
        }
        for cell in [MOVED, EXIT] {
            machine.add_breakpoint(cell_of(cell), 1);
        }
        let mut game = ItepGame { machine, game: Game::new(position.clone()), plies };
        game.assign(Color::White, BY_OPERATOR);
        game.assign(Color::Black, BY_OPERATOR);
        let start = START.iter().find(|start| start.0 == position.turn()).map_or(START[0].1, |start| start.1);
        game.machine.start(cell_of(start));
        Ok(game)
    }

    /// The position in the program's core.
    #[must_use]
    pub fn position(&self) -> &Chess {
        self.game.position()
    }

    /// Instructions and modelled time since the start.
    #[must_use]
    pub fn clock(&self) -> Clock {
        self.machine.clock()
    }

    /// Lets the program choose the next move and make it.
    ///
    /// # Errors
    /// [`PlayerError`]; the game has to be set up again after a limit.
    pub fn choose(&mut self, limits: &Limits) -> Result<Move, PlayerError> {
        self.assign(self.game.turn(), BY_PROGRAM);
        let stop = self.run(limits)?;
        if stop.reason != StopReason::Breakpoint {
            return Err(stopped(&stop));
        }
        if stop.at == cell_of(EXIT) {
            return Err(no_move());
        }
        let word = self.machine.core(cell_of(MOVE)).unwrap_or(Word::ZERO);
        let chosen = chosen_move(word, self.position()).ok_or_else(|| {
            PlayerError::Machine(sentence!(
                "the ITEP program has chosen {word}, not a legal move",
                word = word.grouped()
            ))
        })?;
        self.played(chosen)?;
        Ok(chosen)
    }

    /// Makes a legal move of the operator's by the console keys.
    ///
    /// # Errors
    /// [`PlayerError`]; the game stands as it was after [`PlayerError::Position`].
    pub fn enter(&mut self, m: Move, limits: &Limits) -> Result<(), PlayerError> {
        let word = move_word(m).ok_or_else(underpromotion)?;
        self.assign(self.game.turn(), BY_OPERATOR);
        // The program reads the keys until it has seen the same value twice.
        self.machine.set_key(MOVE_KEY, word);
        loop {
            let stop = self.run(limits)?;
            match stop.reason {
                StopReason::Halt if stop.at == cell_of(KEYS) => {}
                StopReason::Halt if stop.at == cell_of(ILLEGAL) => {
                    return Err(PlayerError::Machine("the ITEP program considers the move illegal".into()));
                }
                StopReason::Breakpoint if stop.at == cell_of(MOVED) => break,
                StopReason::Breakpoint => return Err(no_move()),
                _ => return Err(stopped(&stop)),
            }
        }
        self.played(m)
    }

    fn played(&mut self, m: Move) -> Result<(), PlayerError> {
        self.game.play(m).map_err(|error| PlayerError::Machine(Sentence::of(error)))
    }

    /// Sets who plays a side, and how deep the program searches for it.
    fn assign(&mut self, side: Color, who: u64) {
        let offset = side.fold_wb(0, 1);
        put(&mut self.machine, Address::truncating(u64::from(WHO + offset)), Word::from_parts(0, who << 12));
        let plies = u64::from(self.plies);
        put(&mut self.machine, Address::truncating(u64::from(PLIES + offset)), Word::from_parts(0, plies << 12));
    }

    /// Runs to the next stop that the program or a breakpoint makes.
    fn run(&mut self, limits: &Limits) -> Result<Stop, PlayerError> {
        match self.machine.run_within(limits) {
            Ok(stop) if stop.reason == StopReason::InstructionLimit => {
                Err(PlayerError::Machine("the instruction limit was reached".into()))
            }
            Ok(stop) => Ok(stop),
            Err(_) => Err(PlayerError::Interrupted),
        }
    }
}

fn refused_position(why: Sentence) -> PlayerError {
    PlayerError::Position(sentence!("the ITEP program cannot accept this position: {why}", why))
}

fn underpromotion() -> PlayerError {
    PlayerError::Position("the ITEP program can promote only to a queen".into())
}

fn no_move() -> PlayerError {
    PlayerError::Machine("the ITEP program has ended the game".into())
}

fn stopped(stop: &Stop) -> PlayerError {
    PlayerError::Machine(sentence!(
        "the ITEP program stopped at {at} ({word}): {message}",
        at = stop.at.to_string(),
        word = stop.word.grouped(),
        message = stop.message
    ))
}

fn cell_of(cell: u16) -> CoreAddress {
    CoreAddress::from(Address::truncating(u64::from(cell)))
}

/// The machine has one cube, and all cells of this program are in it.
fn put(machine: &mut Machine, at: Address, word: Word) {
    let fitted = machine.set_core(CoreAddress::from(at), word);
    debug_assert!(fitted.is_ok(), "{at} is in cube 0");
}

/// The position before the double step that gave an en-passant right, and the step.
fn before_double_step(position: &Chess, square: Square) -> Option<(Chess, Move)> {
    let mover = !position.turn();
    let from = square.offset(mover.fold_wb(-8, 8))?;
    let to = square.offset(mover.fold_wb(8, -8))?;
    let mut setup = position.to_setup(EnPassantMode::Always);
    let pawn = setup.board.remove_piece_at(to)?;
    setup.board.set_piece_at(from, pawn);
    setup.ep_square = None;
    setup.turn = mover;
    let before = setup.position::<Chess>(CastlingMode::Standard).ok()?;
    let step = before.legal_moves().into_iter().find(|m| m.from() == Some(from) && m.to() == to)?;
    Some((before, step))
}

/// Whether the program can continue after a legal move of the operator's.
///
/// # Errors
/// [`PlayerError::Position`] for an underpromotion, and for a third queen.
pub fn takes(position: &Chess, played: Move) -> Result<(), PlayerError> {
    move_word(played).ok_or_else(underpromotion)?;
    let mut next = position.clone();
    next.play_unchecked(played);
    position_words(&next).map(drop).map_err(refused_position)
}

/// The program as a [`Player`]: its machine keeps the game from move to move; the game is replayed through the console
/// keys when moves were taken back or another game has begun. If a run is cut short, the answer is the program's choice
/// at one half-move, if that comes at once, and the next run starts from the position.
pub struct Itep {
    program: ItepProgram,
    plies: u16,
    max_instructions: u64,
    kept: Option<ItepGame>,
}

impl Itep {
    /// A player that looks `plies` half-moves deep (3 and 5 in the match) and spends at most `max_instructions` on a move.
    #[must_use]
    pub fn new(program: ItepProgram, plies: u16, max_instructions: u64) -> Itep {
        Itep { program, plies, max_instructions, kept: None }
    }

    /// The game in core, if it is this one so far.
    fn kept(&mut self, game: &Game) -> Option<ItepGame> {
        self.kept.take().filter(|ItepGame { game: kept, .. }| {
            kept.start() == game.start() && game.moves().starts_with(kept.moves())
        })
    }

    /// The program's choice at one half-move, if it takes a tenth of a second at most: captures and checks go on, from
    /// 200,000 instructions at the start of a game to 130 million in its middle.
    fn at_once(&self, game: &Game) -> Option<(Move, Clock)> {
        const A_TENTH_OF_A_SECOND: u64 = 20_000_000;
        let mut machine = ItepGame::new(&self.program, game.position(), 1).ok()?;
        let best = machine.choose(&Limits::default().with_instructions(A_TENTH_OF_A_SECOND)).ok()?;
        Some((best, machine.clock()))
    }

    /// Starts anew from the position of the game.
    fn begin_here(&mut self, game: &Game) {
        let begun = ItepGame::new(&self.program, game.position(), self.plies).ok();
        self.kept = begun.map(|begun| ItepGame { game: game.clone(), ..begun });
    }

    fn advance(&mut self, game: &Game, limits: &Limits) -> Result<(Move, Clock), PlayerError> {
        let mut kept = match self.kept(game) {
            Some(kept) => kept,
            None => ItepGame::new(&self.program, game.start(), self.plies)?,
        };
        for &played in &game.moves()[kept.game.moves().len()..] {
            kept.enter(played, limits)?;
        }
        let before = kept.clock();
        let best = kept.choose(limits)?;
        let clock = kept.clock().since(before);
        self.kept = Some(kept);
        Ok((best, clock))
    }

    /// The answer of a complete run at `plies` half-moves.
    fn choice(&self, best: Move, plies: u16, clock: Clock) -> Choice {
        let noun = if plies == 1 { "ply" } else { "plies" };
        let reason = sentence!("chosen at {plies} {noun}", noun = noun, plies = u32::from(plies));
        let choice = Choice::new(best, reason, 0, u32::from(plies));
        Choice { clock: Some(clock), model: Model::Itep, ..choice }
    }
}

impl Player for Itep {
    fn name(&self) -> String {
        format!("ITEP 1960s, {} plies", self.plies)
    }

    fn answer(&mut self, game: &Game, question: &Question<'_>) -> Result<Choice, PlayerError> {
        let limits = question.limits.with_instructions(self.max_instructions);
        let found = self.advance(game, &limits);
        if found == Err(PlayerError::Interrupted) {
            self.begin_here(game);
            if let Some((best, clock)) = self.at_once(game) {
                return Ok(Choice { complete: false, ..self.choice(best, 1, clock) });
            }
        }
        let (best, clock) = found?;
        Ok(self.choice(best, self.plies, clock))
    }

    fn accepts(&self, game: &Game, played: Move) -> Result<(), String> {
        takes(game.position(), played).map_err(|error| error.to_string())
    }

    fn new_game(&mut self) {
        self.kept = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess_reference::legal::of_fen;

    /// Moves that the program cannot express are refused before they are played: a knight, and a third queen.
    #[test]
    fn promotions_that_it_cannot_take_are_refused() {
        let refused = |fen: &str, text: &str| {
            let game = Game::new(of_fen(fen).unwrap());
            takes(game.position(), game.read_move(text).unwrap()).err().map(|error| error.to_string())
        };
        let pawn = "4k3/P5pp/8/8/8/8/6PP/4K2R w K - 0 10";
        assert_eq!(refused(pawn, "a8=N").as_deref(), Some("the ITEP program can promote only to a queen"));
        assert_eq!(refused(pawn, "a8=Q"), None);
        let third = refused("4k3/P5pp/8/8/8/8/1Q4PP/Q3K2R w K - 0 10", "a8=Q");
        assert!(third.as_deref().is_some_and(|reason| reason.contains("White has 3 queens")), "{third:?}");
    }
}
