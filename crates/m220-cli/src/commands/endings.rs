//! `m220 endings`.

mod document;
mod picture;
mod text;

use crate::exit::{Exit, Failure};
use crate::laboratory::{self, EngineOptions, EngineReport, MachineRecord, cannot_run, counted, position};
use crate::messages;
use crate::options::{Engine, Format};
use crate::output::{Output, ResultFile, Staged, commit};
use crate::picture::{Arrow, arrows};
use crate::picture_options::PictureOptions;
use crate::position_options::PositionOptions;
use crate::progress;
use crate::replay::ReplayOptions;
use chess_reference::algorithm50::Move;
use chess_reference::endings::{Classes, EndingAnswer, EndingError, EndingPosition, Material};
use m220_chess::endings::{MachineTable, ON_THE_MACHINE};
use m220_chess::{EndingProgram, Layers, MachineRun, Settings};
use m220_isa::Model;
use m220_machine::devices::drum::Drum;
use m220_panel::description::Notes;
use std::io::Write;
use std::path::Path;

/// Classify small endings exactly: the table of an ending, or the class and the best moves of a position
///
/// A class is the distance to mate in half-moves: odd for a side that wins, even for one that loses. The machine
/// program has KRK, KQK, KPK, KBK and KNK; the others are classified only natively.
#[derive(clap::Args)]
pub struct Args {
    /// The ending, "White" being the side with the pieces [default: KRK]
    #[arg(value_name = "ENDING", conflicts_with = "PositionOptions", value_parser = material)]
    ending: Option<Material>,
    #[command(flatten)]
    position: PositionOptions,
    /// Play the position to its end: the first best move each time, in the order of their names
    #[arg(long, requires = "PositionOptions")]
    line: bool,
    /// Keep what KPK needs of KQK and KRK in this drum image; created if absent
    #[arg(long, value_name = "FILE")]
    drum: Option<ResultFile>,
    #[command(flatten)]
    engine: EngineOptions,
    #[command(flatten)]
    picture: PictureOptions,
    #[command(flatten)]
    replay: ReplayOptions,
}

fn material(name: &str) -> Result<Material, String> {
    name.parse().map_err(|error: chess_reference::endings::UnknownMaterial| error.to_string())
}

/// A table from the engines asked.
struct FoundTable {
    ending: Material,
    native: Option<Classes>,
    machine: Option<MachineTable>,
    /// Runs for the layers that the pawn needs.
    before: Vec<(Material, MachineRun<MachineTable>)>,
    report: EngineReport,
}

/// An answer from the engines asked.
struct FoundAnswer {
    position: EndingPosition,
    native: Option<Classes>,
    /// The greatest class of the ending, which the native engine knows.
    max_class: Option<u32>,
    /// The native answer if that engine was asked.
    answer: Option<EndingAnswer>,
    line: Option<Vec<Move>>,
    report: EngineReport,
}

/// The machine program, its machine, and the drum.
struct Laboratory {
    program: EndingProgram,
    settings: Settings,
    layers: Layers,
    drum_file: Option<DrumFile>,
}

/// The file that keeps the drum.
struct DrumFile {
    /// Its previous content.
    before: Layers,
    staged: Staged,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    let _search = args.engine.time.search();
    match args.position.given()? {
        Some(fen) => {
            let asked = EndingPosition::new(&position(&fen)?).map_err(|error| match error {
                EndingError::Impossible(_) => laboratory::not_taken(&fen, error),
                EndingError::Unsupported(_) => Failure::NoVerdict(format!("{fen}: unsupported: {error}")),
            })?;
            let found = answer(args, asked)?;
            let drawn = args.picture.svg.write(found.answer.is_some(), out, || draw_answer(args, &found));
            match args.engine.format {
                Format::Json => out.json(&document::PositionDocument::of(args, &found))?,
                Format::Text => text::position(args, &found, out)?,
            }
            out.flush()?;
            drawn.map(|()| found.report.exit)
        }
        None => {
            let found = table(args, args.ending.unwrap_or(Material::Krk))?;
            let drawn = args.picture.svg.write(found.native.is_some(), out, || {
                found.native.as_ref().map(picture::whole_ending).unwrap_or_default()
            });
            match args.engine.format {
                Format::Json => out.json(&document::TableDocument::of(args, &found))?,
                Format::Text => text::table(args, &found, out)?,
            }
            out.flush()?;
            drawn.map(|()| found.report.exit)
        }
    }
}

fn table(args: &Args, ending: Material) -> Result<FoundTable, Failure> {
    let mut found =
        FoundTable { ending, native: None, machine: None, before: Vec::new(), report: EngineReport::default() };
    let mut laboratory = laboratory_for(args, ending)?;
    if args.engine.engine != Engine::M220 {
        found.native = Some(Classes::of(ending));
    }
    let Some(laboratory) = &mut laboratory else { return Ok(found) };
    if ending.has_pawn() {
        found.before = laboratory.complete()?;
    }
    let Laboratory { program, settings, layers, drum_file } = laboratory;
    // Without a file for them the layers of the queen and the rook are not needed.
    let layers = Some(layers).filter(|_| ending.has_pawn() || drum_file.is_some());
    match &found.native {
        Some(native) => {
            let compared = program.compare_table(native, layers, settings, &mut progress()).map_err(cannot_run)?;
            found.report = EngineReport::compared(&compared.machine, compared.verdict);
        }
        None => {
            let run = program.table(ending, layers, settings, &mut progress()).map_err(cannot_run)?;
            found.report = EngineReport::machine(&run);
            found.machine = run.outcome.answer().cloned();
        }
    }
    laboratory.keep_drum()?;
    record(args, laboratory, ending, None)?;
    Ok(found)
}

/// The page of `--replay`: the machine at work on the table of an ending, or on a position of it.
fn record(
    args: &Args,
    laboratory: &Laboratory,
    ending: Material,
    position: Option<&EndingPosition>,
) -> Result<(), Failure> {
    if args.replay.replay.is_none() {
        return Ok(());
    }
    let Laboratory { program, settings, layers, .. } = laboratory;
    let run = program.prepare(ending, position, layers, settings).map_err(cannot_run)?;
    let what = position.map_or("every position".to_owned(), |position| position.position().to_fen());
    args.replay.record(&format!("{ending}, {what}"), Notes::default(), program, run, settings.limits.instructions)
}

fn answer(args: &Args, position: EndingPosition) -> Result<FoundAnswer, Failure> {
    let ending = position.ending();
    let mut laboratory = laboratory_for(args, ending)?;
    let native = (args.engine.engine != Engine::M220).then(|| Classes::of(ending));
    if let Some(laboratory) = &mut laboratory
        && ending.has_pawn()
    {
        laboratory.complete()?;
        laboratory.keep_drum()?;
    }
    let mut found = FoundAnswer {
        position: position.clone(),
        max_class: native.as_ref().and_then(Classes::max_class),
        native,
        answer: None,
        line: None,
        report: EngineReport::default(),
    };
    found.step(laboratory.as_ref(), &position)?;
    if let Some(laboratory) = &laboratory {
        record(args, laboratory, ending, Some(&position))?;
    }
    if args.line {
        found.play(laboratory.as_ref())?;
    }
    if let Some(verdict) = &found.report.verdict {
        found.report.exit = laboratory::exit_of(verdict);
    }
    Ok(found)
}

impl FoundAnswer {
    /// Asks the engines about a position: the first one, or one further down the line. Returns the best moves; none if
    /// only the machine was asked and gave no answer.
    fn step(
        &mut self,
        laboratory: Option<&Laboratory>,
        position: &EndingPosition,
    ) -> Result<Option<EndingAnswer>, Failure> {
        let mut answer = self.native.as_ref().map(|native| native.answer(position));
        if let Some(Laboratory { program, settings, layers, .. }) = laboratory {
            let run = match &self.native {
                Some(native) => {
                    let compared = program.compare_answer(native, position, layers, settings, &mut progress());
                    let compared = compared.map_err(cannot_run)?;
                    let verdict = match self.report.verdict.take() {
                        Some(verdict) => verdict.and(compared.verdict),
                        None => compared.verdict,
                    };
                    self.report.verdict = Some(verdict);
                    compared.machine
                }
                None => {
                    let run = program.answer(position, layers, settings, &mut progress()).map_err(cannot_run)?;
                    answer = run.outcome.answer().cloned();
                    self.report.exit = EngineReport::machine(&run).exit;
                    run
                }
            };
            self.report.machine.get_or_insert_with(|| MachineRecord::of(&run));
        }
        if self.answer.is_none() {
            self.answer.clone_from(&answer);
        }
        Ok(answer)
    }

    /// Best play to the end, asking about every position.
    fn play(&mut self, laboratory: Option<&Laboratory>) -> Result<(), Failure> {
        let Some(mut answer) = self.answer.clone() else { return Ok(()) };
        let (mut line, mut position) = (Vec::new(), self.position.clone());
        while answer.class.is_some()
            && let Some(&first) = answer.best.first()
            && let Some(after) = position.after(first)
        {
            line.push(first);
            position = after;
            // A promoted pawn leads to another ending, which needs no layers.
            let other = (position.ending() != self.position.ending()).then(|| Classes::of(position.ending()));
            if let (Some(native), Some(other)) = (&mut self.native, other) {
                *native = other;
            }
            match self.step(laboratory, &position)? {
                Some(next) => answer = next,
                None => break,
            }
        }
        self.line = Some(line);
        Ok(())
    }
}

/// What the machine needs for an ending, if it is asked at all.
fn laboratory_for(args: &Args, ending: Material) -> Result<Option<Laboratory>, Failure> {
    if args.engine.engine == Engine::Native {
        args.replay.refuse_without_machine()?;
        return match &args.drum {
            Some(_) => Err(Failure::Usage("--drum: the native engine has no drum".to_owned())),
            None => Ok(None),
        };
    }
    if !ON_THE_MACHINE.contains(&ending) {
        let list: Vec<&str> = ON_THE_MACHINE.iter().map(|ending| ending.name()).collect();
        let refused = format!("{ending}: unsupported by the machine program, which has {}", list.join(", "));
        let of_machine = args.engine.engine == Engine::M220 || args.drum.is_some() || args.replay.replay.is_some();
        if of_machine {
            return Err(Failure::NoVerdict(format!("{refused}; --engine native classifies it")));
        }
        messages::warn(&format!("{refused}: classified natively only"));
        return Ok(None);
    }
    let model = args.engine.model;
    let program: EndingProgram = args.engine.read()?;
    let settings = args.engine.settings::<EndingProgram>();
    let (layers, drum_file) = match &args.drum {
        Some(path) => {
            let (before, staged) = drum(&program, model, path)?;
            (before.clone(), Some(DrumFile { before, staged }))
        }
        None => (Layers::blank(), None),
    };
    Ok(Some(Laboratory { program, settings, layers, drum_file }))
}

/// The drum in a file, which stays as it is unless the machine writes a valid one.
fn drum(program: &EndingProgram, model: Model, path: &Path) -> Result<(Layers, Staged), Failure> {
    let bytes = 8 * Drum::capacity_of(model) as u64;
    let (before, staged) = Staged::update(path, bytes)?;
    let bad = |error: &dyn std::fmt::Display| Failure::BadInput(format!("{}: {error}", path.display()));
    let drum = Drum::from_bytes(model, &before.unwrap_or_default()).map_err(|error| bad(&error))?;
    Ok((Layers::new(program, drum).map_err(|error| bad(&error))?, staged))
}

impl Laboratory {
    /// Makes the machine write the missing layers.
    fn complete(&mut self) -> Result<Vec<(Material, MachineRun<MachineTable>)>, Failure> {
        let runs = self.program.complete(&mut self.layers, &self.settings, &mut progress()).map_err(cannot_run)?;
        match runs.last().filter(|(_, run)| run.outcome.answer().is_none()) {
            Some((ending, run)) => Err(Failure::NoVerdict(format!(
                "{ending}, which KPK needs first: {} after {}",
                run.outcome.name(),
                counted(run.report.clock.instructions, "instruction")
            ))),
            None => Ok(runs),
        }
    }

    /// Writes the drum to its file, if it has one and the machine has written layers.
    fn keep_drum(&mut self) -> Result<(), Failure> {
        match self.drum_file.take().filter(|file| file.before != self.layers) {
            Some(file) => commit(vec![file.staged.filled(&self.layers.drum().to_bytes())?]),
            None => Ok(()),
        }
    }
}

/// Shows the rounds while the user waits.
fn progress() -> impl FnMut(Material, u64, u64) {
    |ending, class, classified| {
        let positions = counted(classified, "position");
        progress::at(format!("{ending}: {positions} classified, the round starts from class {class}"));
    }
}

fn draw_answer(args: &Args, found: &FoundAnswer) -> String {
    let best = found.answer.as_ref().map(|answer| answer.best.as_slice()).unwrap_or_default();
    let heading = found.answer.as_ref().map(|answer| text::heading(found, answer)).unwrap_or_default();
    let side = found.position.turn();
    let moves: Vec<Arrow> =
        best.iter().map(|half_move| Arrow { side, from: half_move.from, to: half_move.to, wide: true }).collect();
    arrows(&found.position.position().board, &heading, &[], &moves, args.picture.below())
}
