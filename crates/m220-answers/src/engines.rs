//! Which engines answer a question, and the machine that runs the program.

use crate::prelude::*;
use m220_chess::{BuiltIn, MachineProgram, ProgramError};

/// Which implementation computes a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Engine {
    /// The machine program, on the emulated machine.
    M220,
    /// The native reference.
    Native,
    /// Both, compared.
    #[default]
    Both,
}

impl Field for Engine {
    const CHOICES: Choices<Engine> = &[
        (Engine::M220, "m220", "The machine program, on the emulated machine"),
        (Engine::Native, "native", "The native reference"),
        (Engine::Both, "both", "Both, compared"),
    ];
}

/// The instruction limit of every question to the machine.
pub const MOST_INSTRUCTIONS: u64 = 10_000_000_000;

/// Who is asked.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Engines {
    /// Which implementation computes the result
    #[cfg_attr(feature = "clap", arg(long))]
    pub engine: Option<Text<Engine>>,
    /// Stop the machine after this many instructions
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value = "10000000000"))]
    pub max_instructions: Option<u64>,
    /// The machine that runs the machine program; the built-in programs are for the m220 and are rejected elsewhere
    #[cfg_attr(feature = "clap", arg(long, default_value = "m220"))]
    pub model: Option<Text<Model>>,
    /// Run this machine program instead of the built-in one: a source or an ELF image with the same interface
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub program: Option<PathBuf>,
}

impl Engines {
    /// One engine with all else as usual.
    #[must_use]
    pub fn only(engine: Engine) -> Engines {
        Engines { engine: Some(Text(engine)), ..Engines::default() }
    }

    /// The model of the machine.
    #[must_use]
    pub fn model(&self) -> Model {
        self.model.map_or(Model::M220, |model| model.0)
    }

    /// The machine for a run of `P`, within these limits.
    #[must_use]
    pub fn settings<P: ChessProgram>(&self, limits: &Limits) -> Settings {
        let most = self.max_instructions.unwrap_or(MOST_INSTRUCTIONS);
        P::BUILT_IN.settings(self.model(), &limits.with_instructions(most))
    }
}

/// The failure for a program that cannot be run.
#[must_use]
pub fn not_a_program(name: &str, error: &ProgramError) -> Refused {
    match error {
        // A report of the assembler stands by itself, over several lines.
        ProgramError::Source(report) if report.contains('\n') => Refused::bad_input(report.clone()),
        _ => Refused::bad_input(told!("program-unusable", name, error = Message::of(error.clone()))),
    }
}

/// Rejects a program written for another machine: its results there would mean nothing, and it might run for ever.
///
/// # Errors
/// [`Refused::usage`].
pub fn for_model(program: MachineProgram, model: Model) -> Result<MachineProgram, Refused> {
    let meant = program.image().model;
    if meant == model {
        return Ok(program);
    }
    Err(Refused::usage(told!("program-model", meant = meant.name(), model = model.name())))
}

/// The program that is built in, for the machine asked for.
///
/// # Errors
/// As [`for_model`].
pub fn built_in(program: &BuiltIn, model: Model) -> Result<MachineProgram, Refused> {
    for_model(program.load().map_err(|error| not_a_program(program.name, &error))?, model)
}

impl Default for Words {
    fn default() -> Words {
        Words::new(crate::words::Language::English)
    }
}
