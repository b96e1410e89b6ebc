//! Shared by the commands that put chess tasks to the engines: the machine program, the engines' results, exit codes.

pub use chess_reference::names::side_name;
pub use m220_chess::record::{EngineRecord, MachineRecord};
pub use m220_chess::text::{counted, duration, grouped};

use crate::exit::{Exit, Failure};
use crate::interrupt;
use crate::messages::warn;
use crate::options::{DEFAULT_INSTRUCTION_LIMIT, Engine, Format, TimeOptions, models};
use crate::output::{Output, read_file_up_to};
use crate::page;
use crate::position_options::GivenFen;
use chess_reference::Placement;
use m220_asm::{Disk, elf};
use m220_chess::{
    BuiltIn, ChessProgram, Compared, MachineOutcome, MachineProgram, MachineRun, NoVerdict, ProgramError, Refusal,
    Remedy, Settings, TrajectoryProgram, Verdict,
};
use m220_isa::Model;
use serde::Serialize;
use shakmaty::{Board, ByColor, Color, Role};
use std::fmt::Display;
use std::io::Write;
use std::path::PathBuf;

/// Which machine program runs.
#[derive(clap::Args, Debug, Clone)]
pub struct ProgramOption {
    /// Run this machine program instead of the built-in one: a source or an ELF image with the same interface
    #[arg(long, value_name = "FILE")]
    pub program: Option<PathBuf>,
}

impl ProgramOption {
    /// The program asked for, its cells found: the one named, or the one built in.
    ///
    /// # Errors
    /// As [`ProgramOption::load`]; [`Failure::BadInput`] also if the file has another interface.
    pub fn read<P: ChessProgram>(&self, model: Model) -> Result<P, Failure> {
        P::new(self.load(&P::BUILT_IN, model)?).map_err(|error| not_a_program(&self.name(), &error))
    }

    /// The machine program named, or otherwise the one built in.
    ///
    /// # Errors
    /// [`Failure::BadInput`] if the file is not a program, [`Failure::Usage`] if it is one for another machine.
    pub fn load(&self, built_in: &BuiltIn, model: Model) -> Result<MachineProgram, Failure> {
        let name = self.name();
        let program = match &self.program {
            None => built_in.load(),
            Some(path) => {
                let bytes = read_file_up_to(path, LONGEST_PROGRAM)?;
                match path.to_str() {
                    // A source may include others, which are found relative to it.
                    Some(path) if !elf::is_elf(&bytes) && str::from_utf8(&bytes).is_ok() => {
                        MachineProgram::from_texts(&name, path, &Disk::new(path, &[]))
                    }
                    _ => MachineProgram::from_bytes(&name, &bytes),
                }
            }
        };
        let program = program.map_err(|error| not_a_program(&name, &error))?;
        refuse_another_model(&program, model)?;
        Ok(program)
    }

    /// The program's name in messages.
    pub fn name(&self) -> String {
        self.program.as_ref().map_or("the built-in program".to_owned(), |path| path.display().to_string())
    }
}

/// The longest source or image of a machine program, in bytes: far more than fills the core.
const LONGEST_PROGRAM: u64 = 1 << 26;

/// Rejects a program written for a machine other than `model`: its results there would mean nothing, and it might run
/// for ever.
fn refuse_another_model(program: &MachineProgram, model: Model) -> Result<(), Failure> {
    let meant = program.image().model;
    if meant == model {
        return Ok(());
    }
    let (meant, model) = (meant.name(), model.name());
    Err(Failure::Usage(format!(
        "--model {model}: the machine program is written for the {meant}; on the {model} some of its codes mean something else"
    )))
}

/// The failure for a program that cannot be run.
pub fn not_a_program(name: &str, error: &ProgramError) -> Failure {
    match error {
        ProgramError::Source(report) if report.contains('\n') => Failure::Diagnostics(report.clone()),
        _ => Failure::BadInput(format!("{name}: {error}")),
    }
}

/// What every command that puts a chess task to the engines has in common.
#[derive(clap::Args, Debug, Clone)]
pub struct EngineOptions {
    /// Which implementation computes the result
    #[arg(long, value_enum, default_value_t)]
    pub engine: Engine,
    /// Stop the machine after this many instructions
    #[arg(long, value_name = "N", default_value_t = DEFAULT_INSTRUCTION_LIMIT)]
    pub max_instructions: u64,
    /// The machine that runs the machine program; the built-in programs are for the m220 and are rejected elsewhere
    #[arg(long, default_value = "m220", value_parser = models())]
    pub model: Model,
    #[command(flatten)]
    pub time: TimeOptions,
    /// How the result is written
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    #[command(flatten)]
    pub program: ProgramOption,
}

impl EngineOptions {
    /// The machine program asked for, as [`ProgramOption::read`].
    ///
    /// # Errors
    /// As there.
    pub fn read<P: ChessProgram>(&self) -> Result<P, Failure> {
        self.program.read(self.model)
    }

    /// The machine for a run of `P`.
    pub fn settings<P: ChessProgram>(&self) -> Settings {
        let limits = interrupt::limits().with_instructions(self.max_instructions);
        P::BUILT_IN.settings(self.model, &limits)
    }

    /// Puts a question to the engines asked; `both` gives the native answer, the machine's run and the verdict.
    ///
    /// # Errors
    /// Those of [`EngineOptions::read`] and of the native engine.
    pub fn ask<P: ChessProgram, T: Default>(
        &self,
        native: impl FnOnce() -> Result<T, Failure>,
        machine: impl FnOnce(&P, &Settings) -> Result<MachineRun<T>, ProgramError>,
        both: impl FnOnce(&P, &Settings) -> Result<Compared<Result<T, Failure>, T>, ProgramError>,
    ) -> Result<Found<T>, Failure> {
        let settings = &self.settings::<P>();
        match self.engine {
            Engine::Native => Ok(Found { result: native()?, report: EngineReport::default() }),
            Engine::M220 => Ok(Found::machine(machine(&self.read()?, settings).map_err(cannot_run)?)),
            Engine::Both => {
                let Compared { native, machine, verdict } = both(&self.read()?, settings).map_err(cannot_run)?;
                Ok(Found { result: native?, report: EngineReport::compared(&machine, verdict) })
            }
        }
    }

    /// The engine's name on the command line.
    pub fn engine_name(&self) -> &'static str {
        self.engine.name()
    }
}

impl Engine {
    /// The engine's name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Engine::M220 => "m220",
            Engine::Native => "native",
            Engine::Both => "both",
        }
    }
}

/// Reads a position given on the command line.
///
/// # Errors
/// [`Failure::BadInput`] if it is not a FEN.
pub fn position(fen: &GivenFen<'_>) -> Result<Placement, Failure> {
    Placement::from_fen(fen).map_err(|error| not_taken(fen, error))
}

/// Why a position is rejected.
pub fn not_taken(fen: &GivenFen<'_>, why: impl Display) -> Failure {
    Failure::BadInput(format!("{fen}: {why}"))
}

/// The failure when the native engine came to no verdict.
pub fn no_verdict(error: impl Display) -> Failure {
    Failure::NoVerdict(error.to_string())
}

/// One thing for each side, in JSON.
#[derive(Serialize, Debug, Clone, PartialEq)]
pub struct BySide<T> {
    /// White's.
    pub white: T,
    /// Black's.
    pub black: T,
}

impl<T> From<ByColor<T>> for BySide<T> {
    fn from(ByColor { black, white }: ByColor<T>) -> BySide<T> {
        BySide { white, black }
    }
}

/// Facts beside the answer once the engines have been asked. The default is the native engine alone.
#[derive(Default)]
pub struct EngineReport {
    /// The machine's run.
    pub machine: Option<MachineRecord>,
    /// The result of comparing both.
    pub verdict: Option<Verdict>,
    /// How the command ends.
    pub exit: Exit,
}

impl EngineReport {
    /// Of the machine alone, with a warning if it gave no answer.
    pub fn machine<T>(run: &MachineRun<T>) -> EngineReport {
        EngineReport { machine: Some(MachineRecord::of(run)), verdict: None, exit: exit_of_run(run) }
    }

    /// Of both engines, with a warning if there is no verdict.
    pub fn compared<T>(run: &MachineRun<T>, verdict: Verdict) -> EngineReport {
        EngineReport { machine: Some(MachineRecord::of(run)), exit: exit_of(&verdict), verdict: Some(verdict) }
    }

    /// Two reports combined: the machine's runs added up (with the last one's end), all differences, the more serious
    /// exit code.
    #[must_use]
    pub fn and(self, next: EngineReport) -> EngineReport {
        let machine = match (self.machine, next.machine) {
            (Some(one), Some(other)) => Some(one.and(other)),
            (one, other) => one.or(other),
        };
        let verdict = match (self.verdict, next.verdict) {
            (Some(one), Some(other)) => Some(one.and(other)),
            (one, other) => one.or(other),
        };
        let exit = if next.exit == Exit::Different || self.exit == Exit::Done { next.exit } else { self.exit };
        EngineReport { machine, verdict, exit }
    }

    /// The report in JSON.
    pub fn record(&self) -> EngineRecord {
        EngineRecord::of(self.verdict.as_ref(), self.machine.clone())
    }

    /// Writes the run and the verdict, one line each.
    ///
    /// # Errors
    /// [`Failure::Output`] if they cannot be written.
    pub fn write(&self, out: &mut Output) -> Result<(), Failure> {
        if let Some(machine) = &self.machine {
            writeln!(out, "{}", machine.line())?;
        }
        if let Some(verdict) = &self.verdict {
            writeln!(out, "{}", verdict.line())?;
        }
        Ok(())
    }
}

/// The result of the engines asked, before it is written.
pub struct Found<T> {
    /// The result shown: the native one if that engine was asked.
    pub result: T,
    /// The report on the engines.
    pub report: EngineReport,
}

impl<T> Found<T> {
    /// The result of the native engine alone.
    pub fn native(result: T) -> Found<T> {
        Found { result, report: EngineReport::default() }
    }

    /// Whether there is a result to show: there is none when only the machine was asked and gave none.
    pub fn answered(&self) -> bool {
        let EngineReport { machine, verdict, .. } = &self.report;
        verdict.is_some() || machine.as_ref().is_none_or(|machine| machine.result == "ok")
    }
}

impl<T: Default> Found<T> {
    /// The result of the machine alone; without an answer the default.
    pub fn machine(run: MachineRun<T>) -> Found<T> {
        let report = EngineReport::machine(&run);
        let result = match run.outcome {
            MachineOutcome::Answer(answer) => answer,
            MachineOutcome::Refused(_) | MachineOutcome::Fault(_) => T::default(),
        };
        Found { result, report }
    }
}

/// The failure when the machine program cannot be put into core.
pub fn cannot_run(error: ProgramError) -> Failure {
    not_a_program("the machine program", &error)
}

/// The letter of a piece in a game score: none for a pawn.
pub fn letter(role: Role) -> String {
    if role == Role::Pawn { String::new() } else { role.upper_char().to_string() }
}

/// The exit code of a comparison, with a warning if there is no verdict.
pub fn exit_of(verdict: &Verdict) -> Exit {
    match verdict {
        Verdict::Equal => Exit::Done,
        Verdict::Different(_) => Exit::Different,
        Verdict::NoVerdict(reason) => {
            warn(&format!("no verdict: {}", with_advice(reason)));
            Exit::NoVerdict
        }
    }
}

/// The exit code of a run of the machine alone, with a warning if it gave no answer.
fn exit_of_run<T>(run: &MachineRun<T>) -> Exit {
    match &run.outcome {
        MachineOutcome::Answer(_) => Exit::Done,
        MachineOutcome::Refused(refusal) => {
            warn(&format!("no answer: {}", with_advice(&NoVerdict::Machine(*refusal))));
            Exit::NoVerdict
        }
        MachineOutcome::Fault(fault) => {
            warn(&format!("the machine program failed: {fault}"));
            Exit::Different
        }
    }
}

/// Why there is no verdict, and what can be done about it.
fn with_advice(reason: &NoVerdict) -> String {
    let advice = match reason {
        NoVerdict::Machine(Refusal::TableFull(table)) => Some(match table.remedy {
            Remedy::ShorterHorizon => "try a shorter --horizon, or --engine native, which has no such table",
            Remedy::SmallerShare => "try a smaller --share, or --engine native, which has no such table",
            Remedy::FewerMoves => "try fewer --moves, or --engine native, which has no such table",
            Remedy::NativeReference => "--engine native has no such table",
        }),
        NoVerdict::Machine(Refusal::TooLong(_) | Refusal::Unsupported(_)) => Some("--engine native has no such limit"),
        NoVerdict::Machine(Refusal::Limit | Refusal::Stopped) | NoVerdict::Native(_) => None,
    };
    [Some(reason.in_words().as_str()), advice].into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// The horizon of the machine's survey, in half-moves: that of the book's own run.
const SURVEY_HORIZON: u32 = 3;

/// The M-220's estimated time for the first step of an analysis that looks into `positions` positions; none if the
/// machine program gave no answer.
pub fn survey(board: &Board, turn: Color, positions: u64) -> Option<String> {
    let settings = &TrajectoryProgram::BUILT_IN
        .settings(Model::M220, &interrupt::limits().with_instructions(DEFAULT_INSTRUCTION_LIMIT));
    let run = TrajectoryProgram::built_in().ok()?.attacks(board, turn, SURVEY_HORIZON, settings).ok()?;
    let survey_us = run.outcome.answer().map(|_| run.report.clock.m220.microseconds())?;
    Some(page::fill(
        &format!(
            "An M-220 finds all attacks of this position within {SURVEY_HORIZON} half-moves in {}, those of as many \
             positions in {}. The analysis that follows is worked out natively here; `m220 analyse --engine both` \
             does it on the machine too.",
            duration(survey_us),
            duration(survey_us * positions as f64)
        ),
        0,
    ))
}
