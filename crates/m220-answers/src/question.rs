//! A question and the way to its answer: the one loop that asks the engines.

use crate::engines::{Engines, built_in, for_model, not_a_program};
use crate::prelude::*;
use crate::refused::Fault;
use m220_asm::Image;
use m220_chess::record::EngineRecord;
use m220_chess::{
    BuiltIn, DeviceRun, MachineProgram, MachineRun, NoVerdict, ProgramError, ProgramQuestion, ProgramRun, Refusal,
    Remedy,
};
use m220_isa::CoreAddress;
use m220_machine::{Machine, Periphery};
use serde::de::DeserializeOwned;
use serde_json::Map;

/// A question: its fields are the options of the command and the members of the page's request.
///
/// Only `native`, `document`, `say` and `show` are demanded of one that no machine program answers.
pub trait Question: Clone + Serialize + DeserializeOwned {
    /// Its name: that of the task, and of the command and the function too, except that the task `bell` is the command
    /// `play best` and the function `play`.
    const NAME: &'static str;
    /// How a page asks it; none if it does not.
    const FORM: Option<Form> = None;
    /// The engine that is asked if none is named.
    const ENGINE: Engine = if has_program::<Self>() { Engine::Both } else { Engine::Native };
    /// Whether its answer is drawn on a board.
    const DRAWN: bool = true;
    /// Whether a terminal shows the board in small beside the words.
    const SMALL_BOARD: bool = false;
    /// Whether its machine can be stopped, kept, and resumed.
    const STOPPABLE: bool = false;
    /// The machine program that answers it; [`NoProgram`] if none does.
    type Program: ChessProgram;
    /// The question understood: its position, and what it left open filled in.
    type Subject;
    /// What an engine finds, whichever it is.
    type Answer;

    /// Understands the question, which may mean another thing to another engine.
    ///
    /// # Errors
    /// What is wrong with it.
    fn subject(&self, engine: Engine, context: &Context<'_>) -> Result<Self::Subject, Refused>;

    /// The native answer.
    ///
    /// # Errors
    /// Why there is none.
    fn native(subject: &Self::Subject, context: &Context<'_>) -> Result<Self::Answer, Refused>;

    /// Whether the machine can be asked at all; if not, both engines are the native reference alone.
    fn is_for_machine(_subject: &Self::Subject) -> bool {
        true
    }

    /// The machine's answer. The native one is known if both engines are asked.
    ///
    /// # Errors
    /// The program cannot be run, or the question is beyond its limits.
    fn machine(_: &Put<'_, Self>) -> Result<Ran<Self::Answer>, Refused> {
        Err(Refused::usage(told!("engine-native-only", question = Self::NAME)))
    }

    /// What only one of two answers has.
    fn differences(_native: &Self::Answer, _machine: &Self::Answer) -> Vec<Difference> {
        Vec::new()
    }

    /// What the native answer takes over from the machine's, such as its counts.
    fn join(_native: &mut Self::Answer, _machine: &Self::Answer) {}

    /// The machine with the question in its cells, for a page or a recording.
    ///
    /// # Errors
    /// The question is beyond the program's limits.
    fn prepare(_: &Put<'_, Self>) -> Result<Prepared, Refused> {
        Err(Refused::usage(told!("engine-native-only", question = Self::NAME)))
    }

    /// Whether an answer settles the question; if not, the exit code tells of no verdict.
    fn is_settled(_answer: &Self::Answer) -> bool {
        true
    }

    /// Whether what was asked about is as it should be; if not, the exit code tells of a difference.
    fn is_right(_answer: &Self::Answer) -> bool {
        true
    }

    /// Whether the question can be asked of every position of a suite.
    const SUITE: bool = false;

    /// The same question about a position of a suite.
    ///
    /// # Errors
    /// [`Refused::usage`] for what makes sense of one position only, [`Refused::no_verdict`] for what is not looked for.
    fn about(&self, _given: &SuitePosition) -> Result<Self, Refused> {
        Ok(self.clone())
    }

    /// What an answer says to a line of a suite.
    fn judged(_subject: &Self::Subject, _answer: &Self::Answer, _given: &SuitePosition, _words: &Words) -> Judged {
        Judged::default()
    }

    /// The document without what all documents have. Without an answer its members are null or empty.
    fn document<'a>(subject: &'a Self::Subject, answer: Option<&'a Self::Answer>) -> impl Serialize + 'a;

    /// The answer in words.
    fn say(subject: &Self::Subject, answer: &Self::Answer, words: &Words) -> Said;

    /// What the board shows.
    fn show(_subject: &Self::Subject, _answer: &Self::Answer, _words: &Words) -> Shown {
        Shown::default()
    }

    /// The answer as an SVG picture, seen from the side `below`.
    ///
    /// # Errors
    /// Too much for a picture.
    fn picture(
        subject: &Self::Subject,
        answer: &Self::Answer,
        below: shakmaty::Color,
        words: &Words,
    ) -> Result<String, Refused> {
        Ok(crate::picture::draw(&Self::show(subject, answer, words), below))
    }
}

/// What an answer says to a line of a suite.
#[derive(Debug, Default)]
pub struct Judged {
    /// The moves found, in UCI notation.
    pub found: Vec<String>,
    /// Whether they are what the suite expects; none if it expects nothing.
    pub as_expected: Option<bool>,
    /// A further remark; may be empty.
    pub note: String,
}

impl Judged {
    /// Of the one move that was found, if any.
    pub(crate) fn of_move(found: Option<String>, given: &SuitePosition, note: String) -> Judged {
        let as_expected = found.as_ref().filter(|_| !given.best.is_empty()).map(|found| given.best.contains(found));
        Judged { found: found.into_iter().collect(), as_expected, note }
    }
}

/// A machine program ready to be asked, its machine, and the context.
pub struct Asking<'c, P> {
    /// The program.
    pub program: P,
    /// The machine.
    pub settings: Settings,
    /// Whether the machine was asked for by name, not only because it usually is.
    pub demanded: bool,
    /// The context.
    pub context: &'c Context<'c>,
}

/// A question put to the machine program.
pub struct Put<'p, Q: Question> {
    /// The question understood.
    pub asked: &'p Q::Subject,
    /// What the native reference found, if it was asked too; for a machine with the question in its cells, any answer.
    pub native: Option<&'p Q::Answer>,
    /// The program, and how it is asked.
    pub machine: &'p Asking<'p, Q::Program>,
}

/// The engine that answers a question if `engines` names none.
#[must_use]
pub fn engine_of<Q: Question>(engines: &Engines) -> Engine {
    engines.engine.map_or(Q::ENGINE, |engine| engine.0)
}

impl<'c, P: ChessProgram> Asking<'c, P> {
    /// The program asked for, its cells found, and the machine.
    ///
    /// # Errors
    /// The file is not a program, has another interface, or is for another machine.
    pub fn new(engines: &Engines, context: &'c Context<'c>) -> Result<Asking<'c, P>, Refused> {
        let (name, program) = match &engines.program {
            None => (P::BUILT_IN.name.to_owned(), built_in(&P::BUILT_IN, engines.model())?),
            Some(path) => (path.display().to_string(), for_model(context.host.program(path)?, engines.model())?),
        };
        let program = P::new(program).map_err(|error| not_a_program(&name, &error))?;
        let demanded = engines.engine.is_some();
        Ok(Asking { program, settings: engines.settings::<P>(&context.limits), demanded, context })
    }
}

impl<P: ChessProgram> Asking<'_, P> {
    /// The machine's answer.
    ///
    /// # Errors
    /// The program cannot be run.
    pub fn ask<Q: ProgramQuestion<Program = P>>(&self, question: &Q) -> Result<Ran<Q::Answer>, Refused> {
        self.program.ask(question, &self.settings).map(Ran::from).map_err(cannot_run)
    }

    /// A machine with the question in its cells.
    ///
    /// # Errors
    /// The program cannot be run.
    pub fn put<Q: ProgramQuestion<Program = P>>(&self, question: &Q) -> Result<ProgramRun, Refused> {
        self.program.prepare(question, &self.settings).map_err(cannot_run)
    }
}

/// A run of a machine program: its cost, and its outcome.
pub struct Ran<A> {
    /// Instructions, times and stop; of several runs the sum.
    pub record: MachineRecord,
    /// The outcome.
    pub outcome: MachineOutcome<A>,
    /// What a further comparison says, beside that of the answers.
    pub also: Option<Verdict>,
}

impl<A> Ran<A> {
    /// The same run with its answer transformed.
    pub fn map<B>(self, change: impl FnOnce(A) -> B) -> Ran<B> {
        Ran { record: self.record, outcome: self.outcome.map(change), also: self.also }
    }

    /// The run with those before it: what they took, and what else was compared. The outcome is its own.
    #[must_use]
    pub fn after(self, before: Option<Ran<A>>) -> Ran<A> {
        let Some(before) = before else { return self };
        let also = [before.also, self.also].into_iter().flatten().reduce(Verdict::and);
        Ran { record: before.record.and(self.record), outcome: self.outcome, also }
    }

    /// Runs one after the other, up to the first without an answer: the outcome is the last one's, the cost that of all.
    ///
    /// # Errors
    /// Those of the runs.
    pub fn in_turn(runs: impl IntoIterator<Item = Result<Ran<A>, Refused>>) -> Result<Option<Ran<A>>, Refused> {
        let mut all: Option<Ran<A>> = None;
        for run in runs {
            let run = run?.after(all.take());
            if all.insert(run).outcome.is_err() {
                break;
            }
        }
        Ok(all)
    }
}

impl<A> From<MachineRun<A>> for Ran<A> {
    fn from(run: MachineRun<A>) -> Ran<A> {
        Ran { record: MachineRecord::of(&run), outcome: run.outcome, also: None }
    }
}

/// The failure when the machine program cannot be put into core.
#[must_use]
pub fn cannot_run(error: ProgramError) -> Refused {
    not_a_program("the machine program", &error)
}

/// The answers of the engines that were asked.
pub struct Found<A> {
    /// Who was asked.
    pub engine: Engine,
    /// The native answer.
    pub native: Option<A>,
    /// The machine's run.
    pub ran: Option<Ran<A>>,
    /// The result of comparing them; none unless both were asked.
    pub verdict: Option<Verdict>,
    /// Why an engine has no answer, if a signal or the time limit ended its work.
    pub cut_short: Option<Message>,
}

/// How a question ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// Answered; if both engines were asked, they agree.
    Done,
    /// The engines differ, or the machine stopped on a fault.
    Different,
    /// No answer within the limits, or an answer that settles nothing.
    NoVerdict,
}

impl<A> Found<A> {
    /// The answer that is shown: the native one if that engine was asked.
    #[must_use]
    pub fn answer(&self) -> Option<&A> {
        self.native.as_ref().or_else(|| self.ran.as_ref()?.outcome.as_ref().ok())
    }

    /// Whether both agree, and what the machine's run cost.
    #[must_use]
    pub fn record(&self) -> EngineRecord {
        EngineRecord::of(self.verdict.as_ref(), self.ran.as_ref().map(|ran| ran.record.clone()))
    }

    /// How it ended.
    #[must_use]
    pub fn ending<Q: Question<Answer = A>>(&self) -> Ending {
        let engines = match (&self.verdict, &self.ran) {
            (None, None) if self.cut_short.is_some() => Ending::NoVerdict,
            (Some(Verdict::Equal), _) | (None, None) => Ending::Done,
            (Some(Verdict::Different(_)), _) => Ending::Different,
            (Some(Verdict::NoVerdict(_)), _) => Ending::NoVerdict,
            (None, Some(ran)) => match &ran.outcome {
                Ok(_) => Ending::Done,
                Err(NoAnswer::Refused(_)) => Ending::NoVerdict,
                Err(NoAnswer::Fault(_)) => Ending::Different,
            },
        };
        match self.answer() {
            Some(answer) if !Q::is_right(answer) => Ending::Different,
            Some(answer) if engines == Ending::Done && !Q::is_settled(answer) => Ending::NoVerdict,
            _ => engines,
        }
    }

    /// The machine's run and the result of the comparison, a line each.
    #[must_use]
    pub fn engine_lines(&self, words: &Words) -> Vec<String> {
        let run = self.ran.iter().map(|ran| run_line(&ran.record, words));
        let verdict = self.verdict.iter().map(|verdict| verdict_line(verdict, words));
        run.chain(verdict).chain(self.cut_short.iter().map(|why| words.say(why))).collect()
    }

    /// Why there is no verdict or no answer, and what can be done about it.
    #[must_use]
    pub fn trouble(&self) -> Option<Message> {
        match (&self.verdict, &self.ran) {
            (Some(Verdict::NoVerdict(reason)), _) => Some(told!("no-verdict-because", reason = with_advice(reason))),
            (None, Some(ran)) => match &ran.outcome {
                Ok(_) => None,
                Err(NoAnswer::Refused(refusal)) => {
                    Some(told!("no-answer-because", reason = with_advice(&NoVerdict::Machine(*refusal))))
                }
                Err(NoAnswer::Fault(fault)) => Some(told!("machine-failed", fault)),
            },
            _ => self.cut_short.clone(),
        }
    }
}

/// The cost of a run in one line.
#[must_use]
pub fn run_line(record: &MachineRecord, words: &Words) -> String {
    let MachineRecord { result, instructions, time_us, .. } = record;
    let [m220, m20, nominal] = [time_us.m220, time_us.m20, time_us.nominal].map(crate::words::time);
    words.say(&told!("machine-line", result, instructions, m220, m20, nominal))
}

/// How many differences are shown in words; documents have all.
const DIFFERENCES_SHOWN: usize = 10;

/// The result of a comparison in words: one line, and one for each of the first differences.
#[must_use]
pub fn verdict_line(verdict: &Verdict, words: &Words) -> String {
    match verdict {
        Verdict::Equal => words.say(&told!("engines-equal")),
        Verdict::NoVerdict(reason) => words.say(&told!("no-verdict-because", reason = reason_of(reason))),
        Verdict::Different(differences) => {
            let mut text = words.say(&told!("engines-differ", count = differences.len()));
            for difference in differences.iter().take(DIFFERENCES_SHOWN) {
                text.push_str(&format!("\n  {difference}"));
            }
            if let Some(more) = differences.len().checked_sub(DIFFERENCES_SHOWN).filter(|&more| more > 0) {
                text.push_str(&format!("\n  {}", words.say(&told!("and-more", count = more))));
            }
            text
        }
    }
}

fn reason_of(reason: &NoVerdict) -> Message {
    match reason {
        NoVerdict::Machine(Refusal::TableFull(table)) => {
            told!("table-full", table = Message::from(Sentence::from(table.name)))
        }
        NoVerdict::Machine(Refusal::Stopped) => told!("machine-stopped"),
        NoVerdict::Machine(Refusal::Limit) => told!("machine-limit"),
        NoVerdict::Machine(Refusal::TooLong(why) | Refusal::Unsupported(why)) => Sentence::from(*why).into(),
        NoVerdict::Native(reason) => told!("native-reason", reason),
    }
}

fn with_advice(reason: &NoVerdict) -> Message {
    let advice = match reason {
        NoVerdict::Machine(Refusal::TableFull(table)) => Some(match table.remedy {
            Remedy::ShorterHorizon => told!("try-shorter-horizon"),
            Remedy::SmallerShare => told!("try-smaller-share"),
            Remedy::FewerMoves => told!("try-fewer-moves"),
            Remedy::NativeReference => told!("try-native-table"),
        }),
        NoVerdict::Machine(Refusal::TooLong(_) | Refusal::Unsupported(_)) => Some(told!("try-native")),
        NoVerdict::Machine(Refusal::Limit | Refusal::Stopped) | NoVerdict::Native(_) => None,
    };
    match advice {
        Some(advice) => told!("with-advice", reason = reason_of(reason), advice),
        None => reason_of(reason),
    }
}

/// Puts a question to the engines asked.
///
/// # Errors
/// Those of the engines.
pub fn ask<Q: Question>(
    subject: &Q::Subject,
    engines: &Engines,
    context: &Context<'_>,
) -> Result<Found<Q::Answer>, Refused> {
    ask_telling::<Q>(subject, engines, context, |_| Ok(()))
}

/// As [`ask`]; of two engines' answers the native one is told as soon as it is there, while the machine is at work.
///
/// # Errors
/// Those of the engines, and of the telling.
pub fn ask_telling<Q: Question>(
    subject: &Q::Subject,
    engines: &Engines,
    context: &Context<'_>,
    tell: impl FnOnce(&Q::Answer) -> Result<(), Refused>,
) -> Result<Found<Q::Answer>, Refused> {
    let engine = match engine_of::<Q>(engines) {
        Engine::Both if !Q::is_for_machine(subject) => Engine::Native,
        engine => engine,
    };
    // A program that cannot be used is told before the native reference takes its time.
    let asking = match engine {
        Engine::Native => None,
        Engine::M220 | Engine::Both => Some(Asking::<Q::Program>::new(engines, context)?),
    };
    let found = |native, cut_short| Found { engine, native, ran: None, verdict: None, cut_short };
    // What was cut short has its document all the same.
    let is_cut = |refused: &Refused| refused.fault == Fault::NoVerdict && context.limits.ended().is_some();
    let mut native = match engine {
        Engine::M220 => None,
        Engine::Native | Engine::Both => match Q::native(subject, context) {
            Err(cut) if is_cut(&cut) => return Ok(found(None, Some(cut.message))),
            native => Some(native?),
        },
    };
    let Some(asking) = asking else { return Ok(found(native, None)) };
    if let Some(native) = &native {
        tell(native)?;
    }
    let ran = match Q::machine(&Put { asked: subject, native: native.as_ref(), machine: &asking }) {
        Err(declined) if declined.fault == Fault::Declined && native.is_some() => {
            context.remark(declined.message);
            return Ok(found(native, None));
        }
        Err(cut) if is_cut(&cut) => return Ok(found(native, Some(cut.message))),
        ran => ran?,
    };
    let verdict = native.as_ref().map(|native| {
        let verdict = Verdict::between(Ok(native), &ran.outcome, Q::differences);
        ran.also.iter().cloned().fold(verdict, Verdict::and)
    });
    if let (Some(native), Ok(machine)) = (&mut native, &ran.outcome) {
        Q::join(native, machine);
    }
    Ok(Found { ran: Some(ran), verdict, ..found(native, None) })
}

/// The document of an answer: what every one has, around that of the question.
///
/// `schema` is the version of the layout, `engine` who was asked; `equal`, `differences` and `machine` are those of
/// [`EngineRecord`]; `interrupted` tells that a signal or a time limit ended the work; `notes` what was put right in the
/// question and what was assumed (`remarks` where the question has notes of its own).
pub fn document<Q: Question>(
    subject: &Q::Subject,
    found: &Found<Q::Answer>,
    context: &Context<'_>,
) -> Map<String, Value> {
    let members = |document: Result<Value, serde_json::Error>| match document {
        Ok(Value::Object(members)) => members,
        // The documents are structures, and serialising them cannot fail.
        _ => Map::new(),
    };
    let english = Words::default();
    let notes: Value = context.notes().iter().map(|note| english.say(note)).collect();
    let mut document = Map::new();
    document.insert("schema".to_owned(), 2.into());
    document.insert("engine".to_owned(), found.engine.choice_name().into());
    document.extend(members(serde_json::to_value(Q::document(subject, found.answer()))));
    document.extend(members(serde_json::to_value(found.record())));
    document.insert("interrupted".to_owned(), context.limits.ended().is_some().into());
    let name = if document.contains_key("notes") { "remarks" } else { "notes" };
    document.insert(name.to_owned(), notes);
    document
}

/// A machine with a question in its cells.
pub struct Prepared {
    /// The task in a few words.
    pub title: Message,
    /// Notes on its run.
    pub notes: Notes,
    /// The program.
    pub image: Image,
    /// The machine.
    pub run: PreparedRun,
}

/// The machine of a prepared question.
pub enum PreparedRun {
    /// Without devices.
    Plain(Box<ProgramRun>),
    /// With the devices that the program needs.
    WithDevices(Box<DeviceRun>),
}

impl Prepared {
    /// A machine without devices.
    pub fn new<P: ChessProgram>(title: Message, notes: Notes, program: &P, run: ProgramRun) -> Prepared {
        Prepared { title, notes, image: program.program().image().clone(), run: PreparedRun::Plain(Box::new(run)) }
    }

    /// A machine with devices.
    pub fn of_devices<P: ChessProgram>(title: Message, notes: Notes, program: &P, run: DeviceRun) -> Prepared {
        let image = program.program().image().clone();
        Prepared { title, notes, image, run: PreparedRun::WithDevices(Box::new(run)) }
    }

    /// The program and the question as the panel loads them.
    #[must_use]
    pub fn program(self, words: &Words) -> Program {
        let (config, cells, tapes) = match &self.run {
            PreparedRun::Plain(run) => (run.machine().config(), self.cells(run.machine()), Vec::new()),
            PreparedRun::WithDevices(run) => {
                let tape = |number| Some((number, run.machine().periphery().tape(number)?.to_bytes()));
                (run.machine().config(), self.cells(run.machine()), (0..4).filter_map(tape).collect())
            }
        };
        let start = self.image.entry.unwrap_or_default();
        Program { title: words.say(&self.title), config, image: self.image, start, cells, tapes, notes: self.notes }
    }

    /// The words of the question: those that differ from the image's.
    fn cells<D: Periphery>(&self, machine: &Machine<D>) -> Vec<(CoreAddress, m220_isa::Word)> {
        let words = machine.core_words().enumerate();
        let cells = words.filter_map(|(index, word)| Some((CoreAddress::from_index(index).ok()?, word)));
        cells.filter(|(cell, word)| self.image.words.get(cell).copied().unwrap_or_default() != *word).collect()
    }
}

/// The program of a question that no machine program answers.
#[derive(Clone)]
pub enum NoProgram {}

impl ChessProgram for NoProgram {
    const BUILT_IN: BuiltIn = BuiltIn { name: "", cubes: 1 };
    const CELLS: &'static [&'static [m220_chess::InterfaceCells]] = &[];

    fn new(_: MachineProgram) -> Result<NoProgram, ProgramError> {
        Err(ProgramError::NoStart)
    }

    fn program(&self) -> &MachineProgram {
        match *self {}
    }
}

/// Whether a machine program answers a question.
#[must_use]
pub const fn has_program<Q: Question>() -> bool {
    !Q::Program::BUILT_IN.name.is_empty()
}
