//! The analysis by the machine program EXPERIMENT, with the tree on the drum.

use super::rows::{Rows, choice_items};
use super::{MapProgram, ROWS, TABLES, UNSUPPORTED, compare_in_order, doubled, reading};
use crate::prelude::*;
use crate::record::StoreUse;
use crate::run::DeviceRun;
use crate::trajectories::{colour_number, put_board, square_of};
use crate::verdict::{ComparedLists, NoVerdict, RunReport};
use chess_reference::map::{
    Analysis, Effort, FirstMove, FirstVerdict, Interpretation, LineVerdict, Sense, Step, Style, VerdictChoice,
    analyse_by,
};
use m220_machine::devices::drum::Drum;
use m220_machine::devices::tape::Tape;
use std::io::{self, Write};
use std::ops::DerefMut;
use std::sync::{Arc, Mutex, PoisonError};

/// The most positions looked into for one first move that the machine's store has room for.
pub const MOST_SHARE: u32 = 0o7076;

/// The longest list of first moves.
const MOST_FIRSTS: u16 = 0o77;

/// The machine's analysis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MachineAnalysis {
    /// The sensible first moves in their order.
    pub moves: Vec<MachineFirstMove>,
    /// Its use of the drum and the store.
    pub store: StoreUse,
    /// What the machine printed.
    pub paper: String,
}

/// A first move of the machine's analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MachineFirstMove {
    /// The move, why it is sensible, its verdict, and the positions looked into.
    pub found: FirstVerdict,
    /// The sum of the positions' signatures in their order: [`FirstMove::order_sum`].
    pub order_sum: u64,
}

/// A question for the analysis of a position.
#[derive(Clone, Copy, Debug)]
pub struct AnalysisQuestion<'a> {
    /// The position.
    pub position: &'a Placement,
    /// How far attacks reach: 1 to 4 half-moves; for the choice of a move the farthest of the horizons.
    pub horizon: u32,
    /// How the book is read.
    pub interpretation: Interpretation,
    /// The most positions for one first move.
    pub share: u32,
}

/// An analysis on the machine that has begun. It can be stopped at any instruction.
pub struct BegunAnalysis {
    run: DeviceRun,
    paper: Paper,
}

impl BegunAnalysis {
    /// The machine in its present state, with its drum: [`Machine::to_bytes`] saves it.
    #[must_use]
    pub fn machine(&self) -> &Machine<Devices> {
        self.run.machine()
    }
}

/// A printer's paper that can be read afterwards. It has an end, at which the printer stops the machine: a program
/// other than ours, or a forged checkpoint, may print for ever.
#[derive(Clone, Default)]
struct Paper(Arc<Mutex<Vec<u8>>>);

/// The length of the paper in bytes. An analysis prints some lines for each first move.
const LONGEST_PAPER: usize = 1 << 20;

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut paper = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let left = LONGEST_PAPER - paper.len();
        paper.write(&bytes[..bytes.len().min(left)])
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

interface! {
    /// The cells of the interface.
    struct ExperimentCells {
        inputs: board[Size::Cells(64)], task, turn, horizon, reading, share;
        outputs: result, full_table, firsts[Size::Cells(MOST_FIRSTS)], order_sums[Size::Cells(MOST_FIRSTS)],
            records_used, links_used;
    }
}

/// The tree's positions and links, on the drum and in core.
const STORE: FullTable = FullTable { name: "the machine program's store of positions", remedy: Remedy::SmallerShare };

chess_program! {
    /// The machine program for the analysis, with the cells of its interface resolved.
    pub struct ExperimentProgram {
        cells: ExperimentCells,
        .. map: MapProgram = |_| MapProgram::built_in()?,
    }

    const BUILT_IN: BuiltIn = BuiltIn { name: "experiment", cubes: 4 };
    const TABLES: &'static [FullTable] = TABLES;
    const UNSUPPORTED: &'static str = UNSUPPORTED;
}

impl ExperimentProgram {
    /// A machine with the program and a question in core, not yet started and without the drum that it needs.
    ///
    /// # Errors
    /// [`ProgramError::DoesNotFit`] if the machine is too small for the program.
    pub fn prepare(&self, question: AnalysisQuestion<'_>, settings: &Settings) -> Result<ProgramRun, ProgramError> {
        let mut run = ProgramRun::new(&self.program, settings.config)?;
        self.put(&mut run, question)?;
        Ok(run)
    }

    fn put<M, P>(&self, run: &mut ProgramRun<M>, question: AnalysisQuestion<'_>) -> Result<(), ProgramError>
    where
        M: DerefMut<Target = Machine<P>>,
        P: Periphery,
    {
        let cells = &self.cells;
        let AnalysisQuestion { position, horizon, interpretation, share } = question;
        put_board(run, cells.board, &position.board)?;
        run.put_number(cells.turn, colour_number(position.turn))?;
        run.put_number(cells.horizon, horizon)?;
        run.put_number(cells.reading, reading(interpretation)?)?;
        run.put_number(cells.share, share)
    }

    /// The machine's analysis of a position, with at most `share` positions for one first move.
    ///
    /// # Errors
    /// [`ProgramError::DoesNotFit`] if the machine is too small for the program.
    pub fn analyse(&self, question: AnalysisQuestion<'_>, settings: &Settings) -> MachineResult<MachineAnalysis> {
        Ok(self.go_on(&mut self.begin(question, settings)?, settings))
    }

    /// The machine's analysis of a position, about to start: it can be stopped, saved and resumed.
    ///
    /// # Errors
    /// [`ProgramError::DoesNotFit`] if the machine is too small for the program.
    pub fn begin(&self, question: AnalysisQuestion<'_>, settings: &Settings) -> Result<BegunAnalysis, ProgramError> {
        let paper = Paper::default();
        let devices = devices(settings, paper.clone());
        let mut run = DeviceRun::with_devices(&self.program, settings.config, devices)?;
        self.put(&mut run, question)?;
        run.start();
        Ok(BegunAnalysis { run, paper })
    }

    /// The analysis `begun`, from where the machine was stopped.
    ///
    /// # Errors
    /// The machine in it runs another program, was asked something else, or has ended.
    pub fn resume(&self, begun: BegunAnalysis, stopped: Machine<Devices>) -> Result<BegunAnalysis, &'static str> {
        let BegunAnalysis { mut run, .. } = begun;
        if stopped.config() != run.machine().config() || !self.program.is_in(&stopped) {
            return Err("the machine in it runs another program");
        }
        let inputs =
            ExperimentCells::LIST.iter().filter(|cells| cells.input).filter_map(|cells| cells.find(&self.program).ok());
        let mut inputs = inputs.flat_map(|table| (0..table.cells).map(move |offset| table.cell(offset)));
        if inputs.any(|at| stopped.core(at) != run.machine().core(at)) {
            return Err("the machine in it was asked something else: expected its own position, horizon and share");
        }
        let fresh = std::mem::replace(run.machine_mut(), stopped);
        run.machine_mut().periphery_mut().take_papers(fresh.into_periphery());
        if run.number(self.cells.result) != 0 {
            return Err("the machine in it has finished its analysis: nothing is left to do");
        }
        Ok(BegunAnalysis { run, ..begun })
    }

    /// Runs the machine until the analysis is done or a limit ends it; the limit of instructions counts from here.
    pub fn go_on(&self, begun: &mut BegunAnalysis, settings: &Settings) -> MachineRun<MachineAnalysis> {
        let report = begun.run.go_on(&settings.limits);
        let outcome = self.read_analysis(&begun.run, &report, &begun.paper);
        MachineRun { report, outcome }
    }

    /// This program, with `map` on the tape for the choice of a move; if `map` is watched, the whole run is.
    #[must_use]
    pub fn with_map(mut self, map: MapProgram) -> ExperimentProgram {
        self.program.watcher = map.program.watcher.clone().or(self.program.watcher);
        ExperimentProgram { map, ..self }
    }

    /// A machine with its drum, MAP on its tape and the question of [`ExperimentProgram::choose`] in core, not yet started.
    ///
    /// # Errors
    /// [`ProgramError::DoesNotFit`] if the machine is too small for the program.
    pub fn prepare_choice(
        &self,
        question: AnalysisQuestion<'_>,
        style: Style,
        settings: &Settings,
    ) -> Result<DeviceRun, ProgramError> {
        let mut devices = devices(settings, io::sink());
        // As for the drum.
        let _ = devices.fit_tape(0, self.tape(settings));
        let mut run = DeviceRun::with_devices(&self.program, settings.config, devices)?;
        self.put(&mut run, question)?;
        run.put_number(self.cells.task, TASK_CHOICE)?;
        run.put_number(self.cells.reading, reading(question.interpretation)? | doubled(style))?;
        Ok(run)
    }

    /// The machine's choice of a move: analyses with the horizons up to `horizon`, each first move within `share`, and then
    /// MAP, which the machine itself fetches from the tape.
    ///
    /// # Errors
    /// [`ProgramError::DoesNotFit`] if the machine is too small for the program.
    pub fn choose(
        &self,
        question: AnalysisQuestion<'_>,
        style: Style,
        settings: &Settings,
    ) -> MachineResult<VerdictChoice> {
        let mut run = self.prepare_choice(question, style, settings)?;
        let report = run.run(&settings.limits);
        run.read(&self.map, report, |run, ending| {
            ending.expect_done("the result code of an analysis, 2 or 3, for a choice")?;
            let horizons = (0..question.horizon as u16).map(|index| {
                let first = CoreAddress::new(VERDICTS.cube(), VERDICTS.cell().offset(index * (MOST_FIRSTS + 1)));
                let words = run.words(first, MOST_FIRSTS.into()).take_while(|(_, word)| *word != Word::ZERO);
                words.map(|(at, word)| first_move(at, word, Word::ZERO).map(|first| first.found)).collect()
            });
            let horizons = horizons.collect::<Result<_, NoAnswer>>()?;
            let mut rows = Rows::new(run.listed(ROWS, ("row_count", self.map.cells.row_count))?);
            let choice = rows.choice(&question.position.board, horizons)?;
            rows.finish()?;
            Ok(choice)
        })
    }

    /// The tape with MAP: zone 1 is its cube 0 after the question, zone 2 its cube 1.
    fn tape(&self, settings: &Settings) -> Tape {
        let image = self.map.program().image();
        let mut tape = Tape::blank(settings.config.model);
        for (zone, cube, first) in [(1, 0, BEHIND_QUESTION), (2, 1, 1)] {
            let cells =
                (first..=Address::MAX.get()).map(|cell| CoreAddress::new(cube, Address::truncating(cell.into())));
            let words: Vec<Word> = cells.map(|at| image.words.get(&at).copied().unwrap_or(Word::ZERO)).collect();
            // An M-220's tape has room; any other machine stops at the missing zone.
            let _ = tape.format(zone, &words, None);
        }
        tape
    }

    /// Asks both engines for the choice of a move by verdicts, and compares the verdicts of every horizon, E+, W and
    /// standing of every move, and the choice with its reason.
    ///
    /// # Errors
    /// [`ProgramError::DoesNotFit`] if the machine is too small for the program.
    pub fn compare_choices(
        &self,
        question: AnalysisQuestion<'_>,
        style: Style,
        settings: &Settings,
    ) -> Result<ComparedLists<VerdictChoice>, ProgramError> {
        let AnalysisQuestion { position, horizon, interpretation, share } = question;
        let native = VerdictChoice::of(interpretation, position, horizon, share.into(), style, &settings.limits);
        let mut machine = self.choose(question, style, settings)?;
        if let Ok(native) = &native {
            refuse_if_store_was_full(native, &mut machine);
        }
        Ok(Compared::of(native, machine, |native, machine| Ok(compare_choices(listed(native)?, machine))))
    }

    fn read_analysis(&self, run: &DeviceRun, report: &RunReport, paper: &Paper) -> Result<MachineAnalysis, NoAnswer> {
        let cells = &self.cells;
        // 2 and 3 say that no move wins, 6 that the share was not enough; the first moves are valid all the same.
        match run.number(cells.result) {
            6 => NoAnswer::unless_halted(report)?,
            7 => return Err(NoAnswer::Refused(Refusal::TooLong("a proof number is larger than ten bits hold"))),
            result => {
                run.decode(self, report, result)?;
            }
        }
        let words = run.all(cells.firsts).zip(run.all(cells.order_sums));
        let listed = words.take_while(|((_, word), _)| *word != Word::ZERO);
        let moves = listed.map(|((at, word), (_, sum))| first_move(at, word, sum)).collect::<Result<_, NoAnswer>>()?;
        Ok(MachineAnalysis {
            moves,
            store: StoreUse {
                drum_exchanges: run.machine().periphery().drum_exchanges(),
                records_used: run.number(cells.records_used),
                links_used: run.number(cells.links_used),
            },
            paper: String::from_utf8_lossy(&paper.0.lock().unwrap_or_else(PoisonError::into_inner)).into_owned(),
        })
    }

    /// Asks both engines for the analysis, and compares verdict, positions and order sum of each first move, and what the
    /// machine prints.
    ///
    /// # Errors
    /// [`ProgramError::DoesNotFit`] if the machine is too small for the program.
    pub fn compare_analyses(
        &self,
        question: AnalysisQuestion<'_>,
        settings: &Settings,
    ) -> Result<ComparedLists<Analysis, MachineAnalysis>, ProgramError> {
        let AnalysisQuestion { position, horizon, interpretation, share } = question;
        let effort = Effort { share: share.into(), ..Effort::of(u64::MAX) };
        let native = analyse_by(interpretation, position, horizon, effort, &settings.limits);
        let machine = self.analyse(question, settings)?;
        let mut verdict = match &native {
            Ok(native) => self.judge(native, &machine, question, settings)?,
            Err(_) => Verdict::between::<(), _>(listed(&native).map(|_| &()), &machine.outcome, |(), _| Vec::new()),
        };
        if let (Ok(native), Ok(found), Verdict::Equal) = (&native, &machine.outcome, &verdict) {
            verdict = Verdict::of(compare_in_order(printed(native), found.paper.lines().map(str::to_owned).collect()));
        }
        Ok(Compared { native, machine, verdict })
    }

    /// Whether the machine's analysis is the native one.
    ///
    /// # Errors
    /// As [`ExperimentProgram::compare_analyses`].
    pub fn judge(
        &self,
        native: &Analysis,
        machine: &MachineRun<MachineAnalysis>,
        question: AnalysisQuestion<'_>,
        settings: &Settings,
    ) -> Result<Verdict, ProgramError> {
        let verdict = Verdict::between(Ok(native), &machine.outcome, |native, machine| {
            let native = native.moves.iter().map(|first| item(&first.into()));
            compare_in_order(native.collect(), machine.moves.iter().map(item).collect())
        });
        let (Ok(found), Verdict::Different(mut differences)) = (&machine.outcome, verdict.clone()) else {
            return Ok(verdict);
        };
        if found.store_was_full(native) {
            return Ok(Verdict::NoVerdict(NoVerdict::Machine(Refusal::TableFull(STORE))));
        }
        let again = |share| self.analyse(AnalysisQuestion { share, ..question }, settings);
        differences.extend(first_difference(native, found, again)?);
        Ok(Verdict::Different(differences))
    }
}

/// `task` for the choice of a move.
const TASK_CHOICE: u32 = 5;

/// The first cell of cube 0 that the machine fetches: interface and board stay.
const BEHIND_QUESTION: u16 = 0o140;

/// Where MAP finds the verdicts on the first moves, from horizon 1 on.
const VERDICTS: CoreAddress = CoreAddress::new(3, Address::truncating(1));

impl From<&FirstMove> for MachineFirstMove {
    fn from(first: &FirstMove) -> MachineFirstMove {
        MachineFirstMove { found: first.into(), order_sum: first.order_sum() }
    }
}

/// The drum and the printer.
fn devices(settings: &Settings, paper: impl Write + Send + 'static) -> Devices {
    let mut devices = Devices::new(settings.config.model);
    devices.fit_printer(Box::new(paper), false);
    // A machine without a drum stops with a message that says so.
    let _ = devices.fit_drum(0, Drum::blank(settings.config.model));
    devices
}

impl MachineAnalysis {
    /// Whether the engines differ only in this: the machine left a first move undecided before the native analysis did,
    /// since its store was full, and had looked into the same positions until then.
    fn store_was_full(&self, native: &Analysis) -> bool {
        let left = |native: &FirstMove, machine: &MachineFirstMove| {
            let FirstVerdict { step, verdict, positions, .. } = machine.found;
            native.step == step
                && !verdict.is_settled()
                && positions < native.positions
                && machine.order_sum == native.order_sum_of(positions)
        };
        let mut pairs = native.moves.iter().zip(&self.moves);
        native.moves.len() == self.moves.len()
            && pairs.all(|(native, machine)| MachineFirstMove::from(native) == *machine || left(native, machine))
    }
}

fn first_move(at: CoreAddress, word: Word, sum: Word) -> Result<MachineFirstMove, NoAnswer> {
    let (squares, reasons) = (word.a1().get(), word.a2().get());
    let read = || {
        let place = |number: u16| usize::from(number).checked_sub(1);
        let found = FirstVerdict {
            step: Step { from: square_of(squares >> 6)?, to: square_of(squares & 0o77)? },
            sense: *Sense::ALL.get(place(reasons >> 6)?)?,
            verdict: *LineVerdict::ALL.get(place(reasons & 0o77)?)?,
            positions: word.a3().get().into(),
        };
        Some(MachineFirstMove { found, order_sum: sum.address_part() })
    };
    read().ok_or_else(|| NoAnswer::of_word((at, word), "a first move"))
}

fn item(MachineFirstMove { found, order_sum }: &MachineFirstMove) -> String {
    let FirstVerdict { step, sense, verdict, positions } = found;
    format!("{step} ({}): {verdict:?}, {positions} positions, order sum {order_sum:012o}", sense.name())
}

/// What the machine prints of an analysis, by the characters that Latin and Cyrillic letters share on its printer.
fn printed(analysis: &Analysis) -> Vec<String> {
    let line = |title: String, positions: u64| {
        let number = if positions == 0 { String::new() } else { positions.to_string() };
        format!("{title:<18}{number:>6}").trim_end().to_owned()
    };
    let square = |square: Square| {
        let file = ['А', 'В', 'С', 'D', 'Е', 'F', 'G', 'Н'][square.file() as usize];
        format!("{file}{}", square.rank().char())
    };
    let of_move = |first: &FirstMove| {
        let verdict = match first.verdict {
            LineVerdict::Fails => "БЕЗ НАДЕЖД",
            LineVerdict::Wins => "ВЫИГРЫВАЕТ",
            LineVerdict::Loses => "ПРОИГРЫВАЕТ",
            LineVerdict::Even => "РАВНО",
            LineVerdict::NoWin => "НЕ ВЫИГРАТЬ",
            LineVerdict::NoLoss => "НЕ ПРОИГРАТЬ",
            LineVerdict::Open => "НЕ РЕШЕНО",
        };
        line(format!("{}-{} {verdict}", square(first.step.from), square(first.step.to)), first.positions)
    };
    let mut lines = vec!["ХОД   ИСХОД       ПОЛОЖ.".to_owned()];
    lines.extend(analysis.moves.iter().map(of_move));
    lines.push(line("ВСЕГО".to_owned(), analysis.positions));
    lines
}

/// The first position of a first move that the machine did not look into in its turn, found with shrinking shares.
fn first_difference(
    native: &Analysis,
    machine: &MachineAnalysis,
    again: impl Fn(u32) -> MachineResult<MachineAnalysis>,
) -> Result<Option<Difference>, ProgramError> {
    let differs = native.moves.iter().zip(&machine.moves).position(|(native, machine)| {
        native.step == machine.found.step
            && native.positions.min(machine.found.positions) > 0
            && native.order_sum() != machine.order_sum
    });
    let Some(index) = differs else { return Ok(None) };
    let first = &native.moves[index];
    // Up to `same` positions they are the same, up to `other` they are not.
    let (mut same, mut other) = (0, first.positions);
    while other - same > 1 {
        let middle = same + (other - same) / 2;
        let found = again(middle as u32)?;
        let sum = found.answer().and_then(|found| found.moves.get(index)).map(|found| found.order_sum);
        if sum == Some(first.order_sum_of(middle)) { same = middle } else { other = middle }
    }
    let position = first.looked_into().nth(same as usize).map(|position| position.to_fen()).unwrap_or_default();
    Ok(Some(Difference::native(format!("{}: position {other} looked into, {position}", first.step))))
}

/// Compares two choices by verdicts.
#[must_use]
pub fn compare_choices(native: &VerdictChoice, machine: &VerdictChoice) -> Vec<Difference> {
    compare_items(native, machine, choice_items)
}

/// Takes an answer that differs from the native one for a refusal if the machine's store was full: it then left a first
/// move undecided before the native analysis did.
pub fn refuse_if_store_was_full(native: &VerdictChoice, machine: &mut MachineRun<VerdictChoice>) {
    let Ok(found) = &machine.outcome else { return };
    let mut pairs = native.horizons.iter().flatten().zip(found.horizons.iter().flatten());
    let was_full = pairs.any(|(one, other)| !other.verdict.is_settled() && other.positions < one.positions);
    if was_full && !compare_choices(native, found).is_empty() {
        machine.outcome = Err(NoAnswer::Refused(Refusal::TableFull(STORE)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_paper_has_an_end() {
        let mut paper = Paper::default();
        let page = [b' '; 1000];
        let pages = (0..).take_while(|_| paper.write_all(&page).is_ok()).count();
        assert_eq!(pages, LONGEST_PAPER / page.len());
    }
}
