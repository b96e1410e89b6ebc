//! What `m220 reproduce` runs: the tasks of every machine program, the record of all, and the result.

pub mod record;
pub(crate) mod section;

pub use section::{RowShown, Section, TableRow, TaskResult};

use crate::prelude::*;
use m220_chess::program::BuiltIn;
use m220_chess::run::ProgramQuestion;
use record::{CHECKSUM_METHOD, MachineProgramRecord, ProgramRecord, ReproductionDocument, TIMING_MODELS};

/// A machine program that takes part in the reproduction.
pub trait Reproducible: ChessProgram {
    /// The tasks, and the book and page that they come from, in whole sentences.
    const SOURCE: &'static str;
    /// Whether the tasks run only on request, since they take much longer than all others.
    const ON_REQUEST: bool = false;

    /// Runs the program's tasks on both engines.
    ///
    /// # Errors
    /// [`ReproductionError`] if nothing can be run.
    fn reproduce(&self, conditions: &Conditions) -> Result<Section, ReproductionError>;
}

/// How the tasks are run.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// The machine, and the limits: the instructions are those of one task.
    pub settings: Settings,
    /// How often each engine is timed on this host, of which the best time counts; 0 for no host times.
    pub runs: u32,
}

/// A machine program in the list, whatever its type.
#[derive(Clone, Copy, Debug)]
pub struct ReproducedProgram {
    /// The program that is built in.
    pub built_in: BuiltIn,
    /// Its tasks and their source.
    pub source: &'static str,
    /// Whether the tasks run only on request.
    pub on_request: bool,
    /// Runs the tasks with this program in place of the one built in.
    pub reproduce: fn(MachineProgram, &Conditions) -> Result<Section, ReproductionError>,
}

/// Why nothing could be run.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReproductionError {
    /// The program cannot be run.
    #[error("{0}")]
    Program(#[from] ProgramError),
    /// A position or problem of the repository is malformed, or the reference does not answer.
    #[error("{0}")]
    Data(String),
}

impl ReproducedProgram {
    /// The program `P`.
    #[must_use]
    pub const fn of<P: Reproducible>() -> ReproducedProgram {
        ReproducedProgram {
            built_in: P::BUILT_IN,
            source: P::SOURCE,
            on_request: P::ON_REQUEST,
            reproduce: |program, conditions| P::new(program)?.reproduce(conditions),
        }
    }
}

/// What both engines answer, and how long they took.
type ComparedInTime<N, M> = (Compared<N, M>, Option<HostTime>);

/// A question to both engines, and the times that they take for it, of which the native one may be too short for a few
/// runs to be meaningful: it has `native_runs` runs for each of the machine's.
pub(crate) fn compared_and_timed<Q: ProgramQuestion>(
    program: &Q::Program,
    question: &Q,
    &Conditions { ref settings, runs }: &Conditions,
    native_runs: u32,
) -> Result<ComparedInTime<Q::Native, Q::Answer>, ReproductionError> {
    let compared = program.compare(question, settings)?;
    let host = HostTime::best_of(
        runs,
        native_runs,
        &settings.limits,
        || question.native(),
        || program.ask(question, settings),
    );
    Ok((compared, host))
}

/// A position from the repository's data.
pub(crate) fn position(fen: &str) -> Result<Placement, ReproductionError> {
    Placement::from_fen(fen).map_err(|error| ReproductionError::Data(format!("{fen}: {error}")))
}

/// The sections of all machine programs, and what ran.
#[derive(Debug)]
pub struct Reproduction {
    /// The machine programs.
    pub machine_programs: Vec<MachineProgramRecord>,
    /// The results of each.
    pub sections: Vec<Section>,
}

impl Reproduction {
    /// All results.
    pub fn tasks(&self) -> impl Iterator<Item = &TaskResult> {
        self.sections.iter().flat_map(|section| &section.tasks)
    }

    /// Whether both engines agree everywhere, with each other and with the known answers.
    #[must_use]
    pub fn equal(&self) -> bool {
        self.tasks().all(|task| task.verdict.equal == Some(true) && task.as_known)
    }

    /// Whether the engines differ somewhere from each other or from the known answers, or exceed the book's time.
    #[must_use]
    pub fn failed(&self) -> bool {
        self.tasks()
            .any(|task| task.verdict.equal == Some(false) || !task.as_known || task.within_book_time == Some(false))
    }

    /// The reason of the first task without a verdict, if there is one.
    #[must_use]
    pub fn no_verdict(&self) -> Option<&str> {
        self.tasks().find_map(|task| task.verdict.no_verdict.as_deref())
    }

    /// Whether every task of the book was answered within the book's time.
    #[must_use]
    pub fn within_book_times(&self) -> bool {
        self.tasks().all(|task| !task.in_book || task.within_book_time == Some(true))
    }

    /// The document for JSON.
    #[must_use]
    pub fn document(&self, program: ProgramRecord) -> ReproductionDocument {
        let listed = self.sections.iter().filter(|section| section.json_name.is_none());
        let named = self.sections.iter().filter_map(|section| Some((section.json_name?, section.json.clone())));
        ReproductionDocument {
            schema: 1,
            program,
            machine_programs: self.machine_programs.clone(),
            checksum_method: CHECKSUM_METHOD,
            timing_models: TIMING_MODELS,
            equal: self.equal(),
            within_book_times: self.within_book_times(),
            within_budgets: self.tasks().all(|task| task.within_budget),
            sections: listed.map(|section| section.json.clone()).collect(),
            named_sections: named.map(|(name, json)| (name.to_owned(), json)).collect(),
        }
    }
}
