//! The machine program for small endings: inputs by name, answers read back, both engines compared.
//!
//! # The interface
//!
//! Numbers are in the low bits of the address part; squares are 1 (a1), 2 (b1) to 64 (h8), pieces 1 to 5 from pawn to
//! queen. The program's own text says what the cells hold. The machine counts the positions of the left half of the
//! board; the counts are doubled here.

pub mod layers;

use crate::prelude::*;
use crate::run::DeviceRun;
use chess_reference::endings::{Classes, EndingAnswer, EndingPosition, ForcedResult, Material, Totals};
use layers::Layers;
use m220_machine::devices::drum::Drum;

/// The endings that the machine program classifies.
pub const ON_THE_MACHINE: [Material; 5] = [Material::Krk, Material::Kqk, Material::Kpk, Material::Kbk, Material::Knk];

interface! {
    /// The cells of the interface. `class` is the class on which the round builds.
    struct EndingCells {
        inputs: man, drum, asked, asked_king, asked_black, asked_man, hurry, census;
        outputs: result, rounds, max_class, histogram[Size::Constant("classes_size")], stalemates, drawn_white,
            drawn_black, asked_class, best_count, best[Size::Constant("best_size")], class, queen_label, rook_label;
    }
}

/// The machine's counts for an ending, on the whole board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MachineTable {
    /// The greatest class; `None` if no position has one.
    pub max_class: Option<u32>,
    /// Rounds made.
    pub rounds: u32,
    /// Positions in each class, from 0 to the greatest.
    pub classes: Vec<u64>,
    /// Black to move: stalemates.
    pub stalemate: u64,
    /// White to move: drawn.
    pub drawn_white: u64,
    /// Black to move: drawn, stalemates included.
    pub drawn_black: u64,
}

/// Called at the beginning of each round of the machine with the ending, the class on which the round builds, and the
/// number of positions classified so far on the whole board.
pub type Watcher<'a> = &'a mut dyn FnMut(Material, u64, u64);

chess_program! {
    /// The machine program for small endings, with the cells of its interface resolved.
    pub struct EndingProgram {
        cells: EndingCells,
        .. round: CoreAddress = |program| program.cell("round.begin")?,
    }

    const BUILT_IN: BuiltIn = BuiltIn { name: "endings", cubes: 4 };
    const TABLES: &'static [FullTable] =
        &[FullTable { name: "the machine program's table of classes", remedy: Remedy::NativeReference }];
}

impl EndingProgram {
    /// The word that marks complete layers of an ending on the drum.
    pub(super) fn label(&self, ending: Material) -> Word {
        let at = if ending == Material::Kqk { self.cells.queen_label } else { self.cells.rook_label };
        self.program.image().words.get(&at).copied().unwrap_or(Word::ZERO)
    }

    /// The machine's table of an ending. The layers of the queen and the rook are written to `layers`, if given; for the
    /// pawn they must be complete, see [`EndingProgram::complete`].
    ///
    /// # Errors
    /// [`ProgramError::DoesNotFit`] if the machine lacks the four cubes that the program needs.
    pub fn table(
        &self,
        ending: Material,
        layers: Option<&mut Layers>,
        settings: &Settings,
        watch: Watcher<'_>,
    ) -> MachineResult<MachineTable> {
        let uses_layers = ending == Material::Kpk || Material::Kpk.promotes_to().contains(&ending);
        let drum = layers.as_ref().filter(|_| uses_layers).map(|layers| layers.drum().clone());
        let (machine, written) = self.ask((ending, None), drum, settings, watch, |run| self.read_table(run))?;
        let Some((layers, written)) = layers.zip(written).filter(|_| machine.answer().is_some()) else {
            return Ok(machine);
        };
        let outcome = match Layers::new(self, written) {
            Ok(written) => {
                *layers = written;
                machine.outcome
            }
            Err(error) => Err(NoAnswer::Fault(format!("the machine wrote a drum that is wrong: {error}"))),
        };
        Ok(MachineRun { outcome, ..machine })
    }

    /// Lets the machine write the missing layers, and returns the runs that this took. The layers are complete if the
    /// last run ended normally.
    ///
    /// # Errors
    /// As [`EndingProgram::table`].
    pub fn complete(
        &self,
        layers: &mut Layers,
        settings: &Settings,
        watch: Watcher<'_>,
    ) -> Result<Vec<(Material, MachineRun<MachineTable>)>, ProgramError> {
        let mut runs: Vec<(Material, MachineRun<MachineTable>)> = Vec::new();
        for &ending in Material::Kpk.promotes_to() {
            if !layers.hold(ending) && runs.iter().all(|(_, run)| run.answer().is_some()) {
                runs.push((ending, self.table(ending, Some(layers), settings, watch)?));
            }
        }
        Ok(runs)
    }

    /// The machine's answer for a position, from the round that classifies it.
    ///
    /// # Errors
    /// As [`EndingProgram::table`].
    pub fn answer(
        &self,
        position: &EndingPosition,
        layers: &Layers,
        settings: &Settings,
        watch: Watcher<'_>,
    ) -> MachineResult<EndingAnswer> {
        let ending = position.ending();
        let drum = (ending == Material::Kpk).then(|| layers.drum().clone());
        Ok(self.ask((ending, Some(position)), drum, settings, watch, |run| self.read_answer(run, position))?.0)
    }

    /// Asks for the table of an ending, or for one position of it. Reads the answer, and the drum if there was one.
    fn ask<T>(
        &self,
        (ending, position): (Material, Option<&EndingPosition>),
        drum: Option<Drum>,
        settings: &Settings,
        watch: Watcher<'_>,
        read: impl FnOnce(&DeviceRun) -> Result<T, NoAnswer>,
    ) -> Result<(MachineRun<T>, Option<Drum>), ProgramError> {
        let cells = &self.cells;
        let mut run = self.put((ending, position), drum, settings)?;
        let report = run.run_watched(&settings.limits, self.round, &mut |run| {
            let classified: u64 = self.histogram(run).iter().sum();
            watch(ending, run.number(cells.class), classified);
        });
        let mut answer = run.read(self, report, |run, ending| match ending {
            ResultCode::Done => read(run),
            ResultCode::FirstNo => Err(NoAnswer::Fault(
                "result code 2: the drum does not hold the layers of the queen and the rook".to_owned(),
            )),
            ResultCode::SecondNo => Err(NoAnswer::Fault("result code 3, which does not exist".to_owned())),
        })?;
        if position.is_some() && matches!(answer.outcome, Err(NoAnswer::Refused(Refusal::Unsupported(_)))) {
            answer.outcome = Err(NoAnswer::Fault("result code 5 for a position of the ending".to_owned()));
        }
        let drum = run.machine().periphery().drum(0).cloned();
        Ok((answer, drum))
    }

    /// A machine with the question in core, for watching it at work: the table of an ending, or one position of it.
    ///
    /// # Errors
    /// As [`EndingProgram::table`].
    pub fn prepare(
        &self,
        ending: Material,
        position: Option<&EndingPosition>,
        layers: &Layers,
        settings: &Settings,
    ) -> Result<DeviceRun, ProgramError> {
        self.put((ending, position), (ending == Material::Kpk).then(|| layers.drum().clone()), settings)
    }

    /// A machine with a question in core, and the drum if there is one.
    fn put(
        &self,
        (ending, position): (Material, Option<&EndingPosition>),
        drum: Option<Drum>,
        settings: &Settings,
    ) -> Result<DeviceRun, ProgramError> {
        let cells = &self.cells;
        let mut devices = Devices::new(settings.config.model);
        let with_drum = drum.is_some_and(|drum| devices.fit_drum(0, drum).is_ok());
        let mut run = DeviceRun::with_devices(&self.program, settings.config, devices)?;
        run.put_number(cells.man, piece(ending))?;
        run.put_number(cells.drum, u32::from(with_drum))?;
        run.put_number(cells.census, u32::from(position.is_none()))?;
        if let Some(position) = position {
            let (king, black_king, pieces) = position.squares();
            let squares = [Some(king), Some(black_king), pieces.first().copied()];
            for (cell, square) in [cells.asked_king, cells.asked_black, cells.asked_man].into_iter().zip(squares) {
                run.put_number(cell, square.map_or(0, |square| square as u32 + 1))?;
            }
            run.put_number(cells.asked, if position.white_to_move() { 1 } else { 2 })?;
            run.put_number(cells.hurry, 1)?;
        }
        Ok(run)
    }

    /// The counts of the classes on the whole board so far.
    fn histogram(&self, run: &DeviceRun) -> Vec<u64> {
        run.all(self.cells.histogram).map(|(_, word)| 2 * word.address_part()).collect()
    }

    fn read_table(&self, run: &DeviceRun) -> Result<MachineTable, NoAnswer> {
        let cells = &self.cells;
        let max_class = self.class(run, cells.max_class)?;
        let mut classes = self.histogram(run);
        let beyond = max_class.map_or(0, |class| class as usize + 1);
        if let Some(more) = classes.iter().skip(beyond).position(|&count| count > 0) {
            return Err(NoAnswer::Fault(format!(
                "positions in class {}, and max_class is {max_class:?}",
                beyond + more
            )));
        }
        classes.truncate(beyond);
        let doubled = |cell| 2 * run.number(cell);
        Ok(MachineTable {
            max_class,
            rounds: run.number(cells.rounds) as u32,
            classes,
            stalemate: doubled(cells.stalemates),
            drawn_white: doubled(cells.drawn_white),
            drawn_black: doubled(cells.drawn_black) + doubled(cells.stalemates),
        })
    }

    /// Reads a class, which the machine stores plus 1.
    fn class(&self, run: &DeviceRun, cell: CoreAddress) -> Result<Option<u32>, NoAnswer> {
        match run.number(cell) {
            0 => Ok(None),
            class if class <= u64::from(self.cells.histogram.cells) => Ok(Some(class as u32 - 1)),
            other => Err(NoAnswer::Fault(format!("{other} in {cell}, where a class plus 1 should be"))),
        }
    }

    fn read_answer(&self, run: &DeviceRun, position: &EndingPosition) -> Result<EndingAnswer, NoAnswer> {
        let cells = &self.cells;
        let words = run.listed(cells.best, ("best_count", cells.best_count))?;
        let turned = |Move { from, to, promotion }: Move| {
            // On the board as given.
            Move { from: position.turned(from), to: position.turned(to), promotion }
        };
        let mut best = words.map(|word| read_move(word).map(turned)).collect::<Result<Vec<Move>, NoAnswer>>()?;
        best.sort_unstable();
        let class = self.class(run, cells.asked_class)?;
        Ok(EndingAnswer { class, result: ForcedResult::of_class(class), best })
    }

    /// Compares every count of the machine's table with the native classes.
    ///
    /// # Errors
    /// As [`EndingProgram::table`].
    pub fn compare_table(
        &self,
        native: &Classes,
        layers: Option<&mut Layers>,
        settings: &Settings,
        watch: Watcher<'_>,
    ) -> Result<Compared<MachineTable>, ProgramError> {
        let machine = self.table(native.ending(), layers, settings, watch)?;
        Ok(Compared::of(MachineTable::of(native, &native.totals()), machine, |native, machine| {
            Ok(compare_tables(native, machine))
        }))
    }

    /// Compares the machine's answer for a position with the native one: the class, and the best moves as a set.
    ///
    /// # Errors
    /// As [`EndingProgram::table`].
    pub fn compare_answer(
        &self,
        native: &Classes,
        position: &EndingPosition,
        layers: &Layers,
        settings: &Settings,
        watch: Watcher<'_>,
    ) -> Result<Compared<EndingAnswer>, ProgramError> {
        let machine = self.answer(position, layers, settings, watch)?;
        Ok(Compared::of(native.answer(position), machine, |native, machine| Ok(compare_answers(native, machine))))
    }
}

/// The machine's number for White's piece; 0, which it rejects, if there are two.
fn piece(ending: Material) -> u32 {
    match ending.pieces() {
        [role] => *role as u32,
        _ => 0,
    }
}

impl MachineTable {
    /// The native counts in the form of the machine's.
    #[must_use]
    pub fn of(native: &Classes, totals: &Totals) -> MachineTable {
        MachineTable {
            max_class: native.max_class(),
            rounds: native.rounds(),
            stalemate: totals.stalemate,
            drawn_white: totals.legal_white - totals.won(),
            drawn_black: totals.legal_black - totals.lost(),
            classes: totals.classes.clone(),
        }
    }
}

/// Compares two tables, count by count.
#[must_use]
pub fn compare_tables(native: &MachineTable, machine: &MachineTable) -> Vec<Difference> {
    compare_items(native, machine, items)
}

fn items(table: &MachineTable) -> Vec<String> {
    let MachineTable { max_class, rounds, classes, stalemate, drawn_white, drawn_black } = table;
    let mut items = vec![
        max_class.map_or("no class".to_owned(), |class| format!("greatest class {class}")),
        format!("{rounds} rounds"),
        format!("stalemate: {stalemate} positions"),
        format!("drawn, White to move: {drawn_white} positions"),
        format!("drawn, Black to move: {drawn_black} positions"),
    ];
    items.extend(classes.iter().enumerate().map(|(class, count)| format!("class {class}: {count} positions")));
    items
}

/// Compares two answers: the class, and the best moves as a set.
#[must_use]
pub fn compare_answers(native: &EndingAnswer, machine: &EndingAnswer) -> Vec<Difference> {
    compare_items(native, machine, |answer| {
        let class = answer.class.map_or(ForcedResult::Drawn.name().to_owned(), |class| format!("class {class}"));
        let best = answer.best.iter().map(|half_move| format!("best move {half_move}"));
        std::iter::once(class).chain(best).collect::<Vec<_>>()
    })
}
