//! The machine behind the page: a debugging session that runs at a given speed and can be shown at any moment. It knows
//! nothing of threads or the network.

use crate::description::{Description, index_of};
use crate::lights::{Lights, Seen};
use crate::protocol::{FittedDevice, Frame, MOST_STEPS, Phase, Program, Request, SavedFile, UploadKind};
use crate::recorder::{Every, Recorder};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use m220_asm::{Image, assemble_text, deck, elf};
use m220_debugger::{LoadedProgram, Papers, Pause, Roll, Session, Trouble};
use m220_isa::card_deck::CardDeck;
use m220_isa::octal_deck::{DEFAULT_ORIGIN, OctalDeck};
use m220_isa::{CoreAddress, DeckProblem, HalfMicroseconds, Model, Word};
use m220_limits::{Instant, Limits};
use m220_machine::devices::Devices;
use m220_machine::devices::drum::Drum;
use m220_machine::devices::tape::Tape;
use m220_machine::{Config, Machine, Slice, Stop, StopReason, StoppedFileError};
use m220_sentence::{Sentence, cause, sentence};
use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::ops::ControlFlow::{Break, Continue};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Half-microseconds in a second.
const SECOND: f64 = 2e6;
/// The most modelled time that a machine behind schedule catches up: a page that comes back from the background must
/// not find hours of work.
const MOST_OWED: f64 = 0.1 * SECOND;
/// Instructions in each sample of a run that is too fast to observe completely.
const LOOKED_AT: u64 = 600;
/// The most instructions observed singly in a turn.
const MOST_LOOKED_AT: u64 = 20_000;
/// Device operations in one turn: a printed line takes the host far longer than an instruction.
const MOST_DEVICE_OPERATIONS: u64 = 8;
/// The time of one turn: requests are handled between turns.
const TURN: Duration = Duration::from_millis(8);
/// The most bytes of printed text kept until a page fetches it.
const MOST_TEXT: usize = 1 << 16;
/// The most instructions that one debugger command may run, and for how long: breakpoints with conditions are slow.
const MOST_OF_COMMAND: u64 = 50_000_000;
const MOST_TIME_OF_COMMAND: Duration = Duration::from_secs(10);
/// The most frames of a replay saved from the page, which waits for them.
const MOST_SAVED_FRAMES: u64 = 250_000;

/// What is kept; a poisoned value is still whole.
fn kept(media: &Mutex<Media>) -> MutexGuard<'_, Media> {
    media.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The content of the devices.
#[derive(Clone, Default)]
struct Media {
    cards: Option<CardDeck>,
    /// By number, as `tapes`.
    drums: BTreeMap<u8, Vec<u8>>,
    tapes: BTreeMap<u8, Vec<u8>>,
}

impl Media {
    /// All devices of the model with their content, and the program's `own` tapes; the others are blank.
    fn devices(&self, program: &Program, printed: &Roll, punched: &Roll) -> Result<Devices, Sentence> {
        let (model, own) = (program.config.model, &program.tapes);
        let mut devices = Devices::new(model);
        for (number, bytes) in &self.drums {
            let drum = Drum::from_bytes(model, bytes)
                .map_err(|error| sentence!("drum {number}: {error}", number, error = cause(error)))?;
            devices.fit_drum(*number, drum)?;
        }
        for (number, bytes) in self.tapes.iter().chain(own.iter().map(|(number, bytes)| (number, bytes))) {
            let tape =
                Tape::from_bytes(model, bytes).map_err(|error| sentence!("tape {number}: {error}", number, error))?;
            devices.fit_tape(*number, tape)?;
        }
        // Blank ones where the model has room.
        for number in 0..4 {
            if devices.drum(number).is_none() {
                let _ = devices.fit_drum(number, Drum::blank(model));
            }
            if devices.tape(number).is_none() {
                let _ = devices.fit_tape(number, Tape::blank(model));
            }
        }
        if let Some(cards) = &self.cards {
            devices.fit_card_reader(cards.clone());
        }
        devices.fit_printer(Box::new(printed.clone()), false);
        devices.fit_punch(Box::new(punched.clone()));
        Ok(devices)
    }
}

/// Paper of limited length: the text, and whether its beginning is lost.
#[derive(Default)]
struct PaperSheet {
    roll: Roll,
    /// What no page has been sent yet.
    text: String,
    /// What pages have been sent, for a page that is opened anew.
    sent: String,
}

impl PaperSheet {
    fn gather(&mut self) {
        append(&mut self.text, &String::from_utf8_lossy(&self.roll.take()));
    }

    /// What a frame brings: what is new, or all for a page that has nothing. A program that is `loaded` prints on new
    /// paper.
    fn part(&mut self, loaded: bool, whole: bool) -> String {
        if loaded {
            self.sent.clear();
        }
        let new = std::mem::take(&mut self.text);
        append(&mut self.sent, &new);
        if whole { self.sent.clone() } else { new }
    }
}

/// Appends to a text of which only the end is kept.
fn append(text: &mut String, more: &str) {
    text.push_str(more);
    if text.len() > MOST_TEXT {
        let from = (text.len() - MOST_TEXT..).find(|&at| text.is_char_boundary(at)).unwrap_or_default();
        text.replace_range(..from, "[...]\n");
    }
}

/// A machine that a page shows.
pub struct Emulator {
    session: Session,
    prepared: Program,
    media: Arc<Mutex<Media>>,
    lights: Lights,
    shadow: Vec<Word>,
    sheets: [PaperSheet; 2],
    /// The most instructions of one debugger command.
    limits: Limits,
    running: bool,
    factor: Option<f64>,
    /// Half-microseconds by which the machine is behind.
    owed: f64,
    /// Instructions of a step still to be executed; the machine pauses after them.
    steps: Option<u64>,
    /// Where a run to the next label began.
    to_label: bool,
    stop: Option<Stop>,
    said: String,
    whole: bool,
    loaded: bool,
    sequence: u64,
    counted: (Instant, u64),
    changed: bool,
}

fn session(
    prepared: &Program,
    media: &Arc<Mutex<Media>>,
    sheets: &[PaperSheet; 2],
    limits: &Limits,
) -> Result<Session, Sentence> {
    let image = Image { model: prepared.config.model, ..prepared.image.clone() };
    let (program, media) = (prepared.clone(), Arc::clone(media));
    let rolls = sheets.each_ref().map(|sheet| sheet.roll.clone());
    let load = move |_: &Papers| machine(&program, &kept(&media), &rolls);
    let mut session = Session::new(LoadedProgram::new(image), prepared.start, load, limits.clone())?;
    session.bound_commands(MOST_TIME_OF_COMMAND);
    Ok(session)
}

/// A machine with a program in core; printer and punch write to the rolls.
fn machine(program: &Program, media: &Media, [printed, punched]: &[Roll; 2]) -> Result<Machine<Devices>, Sentence> {
    let devices = media.devices(program, printed, punched)?;
    let mut machine = Machine::with_periphery(program.config, devices);
    let words = program.image.words.iter().map(|(&cell, &word)| (cell, word));
    for (cell, word) in words.chain(program.cells.iter().copied()) {
        machine
            .set_core(cell, word)
            .map_err(|error| sentence!("cell {cell}: {error}", cell = cell.to_string(), error = cause(error)))?;
    }
    Ok(machine)
}

impl Emulator {
    /// A machine with a program, at its start.
    ///
    /// # Errors
    /// Why the program cannot be loaded.
    pub fn new(prepared: Program) -> Result<Emulator, Sentence> {
        Emulator::within(prepared, &Limits::default())
    }

    /// As [`Emulator::new`]; a command of the debugger ends when the interrupt of `limits` is raised, which a pause
    /// clears, and runs no more of their instructions than [`Emulator::new`] allows.
    ///
    /// # Errors
    /// As [`Emulator::new`].
    pub fn within(prepared: Program, limits: &Limits) -> Result<Emulator, Sentence> {
        let limits = limits.with_instructions(limits.instructions.min(MOST_OF_COMMAND));
        let media = Arc::default();
        let sheets = [PaperSheet::default(), PaperSheet::default()];
        let session = session(&prepared, &media, &sheets, &limits)?;
        let lights = Lights::new(prepared.config.model, usize::from(prepared.config.cubes) << 12);
        Ok(Emulator {
            session,
            prepared,
            media,
            lights,
            shadow: Vec::new(),
            sheets,
            limits,
            running: false,
            factor: Some(1.0),
            owed: 0.0,
            steps: None,
            to_label: false,
            stop: None,
            said: String::new(),
            whole: true,
            loaded: true,
            sequence: 0,
            counted: (Instant::now(), 0),
            changed: true,
        })
    }

    /// The description of the program for the page.
    #[must_use]
    pub fn description(&self) -> Description {
        let image = &self.session.program().image;
        let mut description = Description::new(&self.prepared.title, self.session.machine().config(), image);
        description.notes.clone_from(&self.prepared.notes);
        description
    }

    /// Whether the machine runs.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.running
    }

    /// Whether anything has changed since the last frame.
    #[must_use]
    pub fn has_news(&self) -> bool {
        self.changed || self.running
    }

    /// Makes the next frame show everything, for a new page.
    pub fn show_all(&mut self) {
        self.whole = true;
        self.changed = true;
    }

    /// Loads another program into a new machine. Drums and tapes stay as the previous program left them, if the machine
    /// is of the same model; breakpoints stay at their labels if the program is a new version of the same.
    ///
    /// # Errors
    /// As [`Emulator::new`]; the old program stays.
    pub fn load(&mut self, prepared: Program) -> Result<(), Sentence> {
        if prepared.config.model == self.prepared.config.model {
            self.keep_media();
        }
        let program = self.session.program();
        let place = |cell: CoreAddress| program.label(cell).unwrap_or_else(|| cell.to_string());
        let is_same = prepared.title == self.prepared.title;
        let stops: Vec<String> = self.session.stops().filter(|_| is_same).map(place).collect();
        self.session = session(&prepared, &self.media, &self.sheets, &self.limits)?;
        self.lights = Lights::new(prepared.config.model, usize::from(prepared.config.cubes) << 12);
        self.prepared = prepared;
        for place in stops {
            // What the new version has no more is no place to stop.
            let _ = self.debugger(&format!("break {place}"));
        }
        self.fresh();
        Ok(())
    }

    fn keep_media(&mut self) {
        let devices = self.session.machine().periphery();
        let mut media = kept(&self.media);
        for number in 0..4 {
            if let Some(drum) = devices.drum(number) {
                media.drums.insert(number, drum.to_bytes());
            }
            let is_own = self.prepared.tapes.iter().any(|&(own, _)| own == number);
            if let Some(tape) = devices.tape(number).filter(|_| !is_own) {
                media.tapes.insert(number, tape.to_bytes());
            }
        }
    }

    /// Resets the state after a program was loaded.
    fn fresh(&mut self) {
        self.running = false;
        self.stop = None;
        self.said.clear();
        self.whole = true;
        self.loaded = true;
        self.changed = true;
        for sheet in &mut self.sheets {
            let _ = sheet.roll.take();
            sheet.text.clear();
        }
    }

    /// The page's name for this state of the machine.
    fn phase(&self) -> Phase {
        match &self.stop {
            _ if self.running => Phase::Running,
            Some(_) => Phase::Ended,
            None if !self.said.is_empty() => Phase::Breakpoint,
            None if self.session.machine().clock().instructions == 0 => Phase::Ready,
            None => Phase::Paused,
        }
    }

    /// Carries out a request of the page, except for loading the program of a task.
    ///
    /// # Errors
    /// Why the machine does not do it.
    pub fn carry_out(&mut self, request: &Request) -> Result<String, Sentence> {
        self.changed = true;
        match request {
            Request::Run => {
                // What follows a halt is not the program, so it starts over.
                if self.stop.is_some() {
                    self.restart()?;
                }
                self.start(false);
            }
            Request::Label | Request::Step { .. } if self.stop.is_some() => {
                return Err("the program has ended; play starts it again".into());
            }
            Request::Label => self.start(true),
            Request::Pause => {
                self.limits.interrupt().clear();
                self.running = false;
            }
            Request::Step { count } => {
                // Steps that are still to be taken come first.
                let left = self.steps.filter(|_| self.running).unwrap_or(0);
                self.start(false);
                self.take_steps(left.saturating_add((*count).min(MOST_STEPS)));
            }
            Request::Back { count } => {
                self.running = false;
                self.session.go_back(*count)?;
                self.moved();
            }
            Request::Speed { factor: Some(factor) } if !(factor.is_finite() && *factor > 0.0) => {
                return Err("a speed is greater than 0".into());
            }
            Request::Speed { factor } => {
                self.factor = *factor;
                self.owed = 0.0;
            }
            Request::Breakpoint { cell } => {
                let cell = CoreAddress::from_index(usize::from(*cell)).map_err(Sentence::of)?;
                self.session.toggle_stop(cell)?;
            }
            Request::Key { key, word } => {
                let bits = word.parse::<Word>();
                let bits = bits.map_err(|error| sentence!("`{word}`: {error}", word, error = cause(error)))?;
                self.set_key(*key, bits)?;
            }
            Request::Restart => return self.restart(),
            Request::Input => {
                self.stop = None;
                let stop = self.session.press_input();
                self.ended(stop.map(|stop| Pause::Stop(stop, Vec::new())));
            }
            Request::Debugger { line } => {
                self.running = false;
                let stood = |session: &Session| (session.machine().clock().instructions, session.machine().next_cell());
                let before = stood(&self.session);
                let said = self.debugger(line);
                // A command that only looks at an ended program leaves it ended.
                if stood(&self.session) != before {
                    self.moved();
                }
                return said;
            }
            Request::Task(_) => return Err("no tasks are known here".into()),
            Request::Save { file, number } => return self.saved(*file, *number).map(|bytes| STANDARD.encode(bytes)),
        }
        Ok(String::new())
    }

    /// The bytes of a file that the page keeps.
    fn saved(&self, file: SavedFile, number: u8) -> Result<Vec<u8>, Sentence> {
        let program = || {
            let mut image = self.session.program().image.clone();
            image.words.extend(self.prepared.cells.iter().copied());
            // A file cannot hold a cell both as a word and as part of a reserved run.
            image.reserved.retain(|start, count| {
                let run = start.index()..start.index() + *count;
                !self.prepared.cells.iter().any(|(cell, _)| run.contains(&cell.index()))
            });
            image.entry = Some(self.prepared.start);
            image
        };
        let devices = self.session.machine().periphery();
        match file {
            SavedFile::Image => Ok(elf::write(&program())),
            SavedFile::Deck => deck::to_deck(&program()).map(|deck| deck.to_text().into_bytes()).map_err(Sentence::of),
            SavedFile::Drum => {
                let drum = devices.drum(number).map(Drum::to_bytes);
                drum.ok_or_else(|| sentence!("there is no drum {number}", number))
            }
            SavedFile::Tape => {
                let tape = devices.tape(number).map(Tape::to_bytes);
                tape.ok_or_else(|| sentence!("there is no tape {number}", number))
            }
            SavedFile::Replay => self.recording(),
            SavedFile::Machine => Ok(self.session.machine().to_bytes()),
        }
    }

    /// The program's run from its start to its end, or to [`MOST_OF_COMMAND`]: the header, a line feed, the frames.
    fn recording(&self) -> Result<Vec<u8>, Sentence> {
        let rolls = [Roll::default(), Roll::default()];
        let ready = || -> Result<Machine<Devices>, Sentence> {
            let mut machine = machine(&self.prepared, &kept(&self.media), &rolls)?;
            for key in 1..=4 {
                machine.set_key(key, self.session.machine().key(key));
            }
            machine.start(self.prepared.start);
            Ok(machine)
        };
        // The length of the run decides how many instructions make a frame.
        let mut run = ready()?;
        run.run_slice(Slice::of_instructions(MOST_OF_COMMAND));
        let frame = run.clock().instructions.div_ceil(MOST_SAVED_FRAMES);
        let [printed, _] = &rolls;
        let _ = printed.take();
        let every = Every { instructions: NonZeroU64::new(frame).unwrap_or(NonZeroU64::MIN), ..Every::default() };
        let mut recorder = Recorder::new(self.prepared.config.model, every).with_printer(printed.clone());
        let mut run = ready()?;
        let stop = recorder.run(&mut run, Slice::of_instructions(MOST_OF_COMMAND));
        let recording = recorder.finish(&self.description(), &run, stop.as_ref()).map_err(Sentence::of)?;
        Ok([recording.header.as_slice(), b"\n", &recording.frames].concat())
    }

    /// Loads the program again and goes to its start.
    fn restart(&mut self) -> Result<String, Sentence> {
        self.debugger("restart").map(|_| {
            self.fresh();
            String::new()
        })
    }

    /// The machine stands elsewhere than where it stopped: perhaps at a breakpoint.
    fn moved(&mut self) {
        self.stop = None;
        let next = self.session.machine().next_cell();
        self.said = if self.session.stops().any(|cell| cell == next) { "breakpoint".to_owned() } else { String::new() };
    }

    fn start(&mut self, to_label: bool) {
        self.running = true;
        self.steps = None;
        self.to_label = to_label;
        self.stop = None;
        self.said.clear();
        self.owed = 0.0;
        self.counted = (Instant::now(), self.session.machine().clock().instructions);
    }

    /// Sets a key register of the console.
    ///
    /// # Errors
    /// If there is no such register.
    pub fn set_key(&mut self, key: usize, word: Word) -> Result<(), Sentence> {
        if !(1..=4).contains(&key) {
            return Err(sentence!("there is no key register {key}: 1 to 4", key));
        }
        self.session.set_key(key, word);
        Ok(())
    }

    /// The debugger's help is told in this language from here on, `en` or `ru`.
    pub fn explain_in(&mut self, language: &str) {
        self.session.explain_in(language);
    }

    fn debugger(&mut self, line: &str) -> Result<String, Sentence> {
        let mut said = Vec::new();
        match self.session.execute(line, &mut said) {
            Ok(Continue(())) => Ok(String::from_utf8_lossy(&said).into_owned()),
            Ok(Break(())) => Err("close the window to leave; a console ends where it was started".into()),
            Err(Trouble::Refused(why)) => Err(why),
            Err(Trouble::Output(error)) => Err(Sentence::of(error)),
        }
    }

    /// Takes an uploaded file.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn upload(&mut self, kind: UploadKind, name: &str, number: u8, bytes: &[u8]) -> Result<Sentence, Sentence> {
        self.changed = true;
        let bad = |error: Sentence| sentence!("{name}: {error}", name, error);
        let mut media = kept(&self.media).clone();
        match kind {
            UploadKind::Program => match Machine::from_bytes(bytes) {
                Ok(machine) => return self.go_on_from(name, machine),
                Err(StoppedFileError::NotAMachine) => {
                    let prepared = program(name, bytes).map_err(bad)?;
                    self.load(prepared)?;
                    return Ok(sentence!("{name} is in core", name));
                }
                Err(error) => return Err(bad(Sentence::of(error))),
            },
            UploadKind::Cards => {
                let deck = CardDeck::parse(bytes).map_err(|error| bad(Sentence::of(error)))?;
                if deck.cards.is_empty() {
                    return Err(bad("there is no card in this file".into()));
                }
                media.cards = Some(deck);
            }
            UploadKind::Drum => drop(media.drums.insert(number, bytes.to_vec())),
            UploadKind::Tape => drop(media.tapes.insert(number, bytes.to_vec())),
        }
        media.devices(&self.prepared, &Roll::default(), &Roll::default()).map_err(bad)?;
        *kept(&self.media) = media;
        // Devices are changed while the machine is at rest, and it restarts with them.
        self.debugger("restart")?;
        self.fresh();
        Ok(sentence!("{name} is in its device; the program stands at its start again", name))
    }

    /// Puts the stopped machine of a file in the place of this one. Its program is the one in core if that is of the same
    /// words, or else the words of the file, without names, which is told.
    fn go_on_from(&mut self, name: &str, machine: Machine<Devices>) -> Result<Sentence, Sentence> {
        let config = machine.config();
        let is = |cell: CoreAddress, word: Word| machine.core(cell).is_ok_and(|other| other == word);
        // A program changes some of its own instructions, so most of its words must be there, not all.
        let words = &self.prepared.image.words;
        let same = words.iter().filter(|&(&cell, &word)| is(cell, word)).count();
        let is_known = config == self.prepared.config && 2 * same > words.len();
        if !is_known {
            let cells = (0..).map_while(|index| CoreAddress::from_index(index).ok()).zip(machine.core_words());
            let words = cells.filter(|&(_, word)| word != Word::ZERO).collect();
            let image = Image { model: config.model, words, ..Image::default() };
            let (title, start) = (name.to_owned(), machine.next_cell());
            self.load(Program::new(title, config, image, start))?;
        }
        self.fresh();
        // What stands behind its counter has halted; the program starts over when it is played.
        let at = CoreAddress::new(machine.next_cell().cube(), machine.registers().rvk);
        self.stop = (at != machine.next_cell()).then(|| {
            let word = machine.core(at).unwrap_or_default();
            let reason = match word.decode().code.bits() {
                0o35 => StopReason::Mismatch,
                0o10 | 0o70 => StopReason::Checksum,
                _ => StopReason::Halt,
            };
            Stop { reason, at, word, message: reason.to_string() }
        });
        self.session.put(machine);
        self.keep_media();
        Ok(if is_known { Sentence::from("") } else { sentence!("{name} is in core", name) })
    }

    /// Works for one turn, `passed` after the previous turn or the start; returns how long the thread may sleep.
    pub fn work(&mut self, passed: Duration) -> Duration {
        if !self.running {
            return TURN;
        }
        if let Some(left) = self.steps {
            self.take_steps(left);
            return Duration::ZERO;
        }
        let Some(factor) = self.factor else {
            self.full_speed();
            return Duration::ZERO;
        };
        self.owed = (self.owed + passed.as_secs_f64() * factor * SECOND).min(MOST_OWED.max(MOST_OWED * factor));
        if self.owed >= 1.0 {
            let before = self.session.machine().clock().m220;
            let time = HalfMicroseconds(self.owed as u64);
            let looked =
                self.look(Slice { instructions: MOST_LOOKED_AT, time, device_operations: MOST_DEVICE_OPERATIONS });
            let mut done = self.session.machine().clock().m220.0.saturating_sub(before.0);
            if looked && self.running && done < time.0 {
                let rest = Slice { time: HalfMicroseconds(time.0 - done), ..Slice::RESPONSIVE };
                let end = self.session.run_slice(rest);
                self.ended(end);
                done = self.session.machine().clock().m220.0.saturating_sub(before.0);
            }
            self.owed -= done as f64;
        }
        Duration::from_millis(2)
    }

    /// Executes some of the instructions of a step, leaving the others to the next turns, so that requests are answered
    /// in between, however slow the devices are.
    fn take_steps(&mut self, count: u64) {
        let before = self.session.machine().clock().instructions;
        let instructions = count.min(MOST_LOOKED_AT);
        self.look(Slice { device_operations: MOST_DEVICE_OPERATIONS, ..Slice::of_instructions(instructions) });
        let left = count.saturating_sub(self.session.machine().clock().instructions - before);
        self.steps = (self.running && left > 0).then_some(left);
        self.running = self.steps.is_some();
        self.changed = true;
    }

    /// One turn at full speed: some instructions are observed, the rest are not.
    fn full_speed(&mut self) {
        let begun = Instant::now();
        self.look(Slice {
            instructions: LOOKED_AT,
            time: HalfMicroseconds(SECOND as u64),
            device_operations: MOST_DEVICE_OPERATIONS,
        });
        while self.running && begun.elapsed() < TURN {
            let slice = Slice { instructions: 400_000, ..Slice::RESPONSIVE };
            let end = self.session.run_slice(slice);
            self.ended(end);
        }
    }

    /// Runs and observes every instruction; returns whether the slice was completed.
    fn look(&mut self, slice: Slice) -> bool {
        let lights = &mut self.lights;
        let labels = if self.to_label { label_cells(&self.session.program().image) } else { Vec::new() };
        let end = self.session.run_slice_observed(slice, &mut |machine, step| {
            lights.see(machine, step);
            labels.get(machine.next_cell().index()).copied().unwrap_or_default()
        });
        let whole = end.is_none();
        self.ended(end);
        whole
    }

    fn ended(&mut self, end: Option<Pause>) {
        let Some(end) = end else { return };
        self.running = false;
        self.steps = None;
        self.changed = true;
        match end {
            Pause::Stop(stop, said) => (self.stop, self.said) = (Some(stop), said.join("; ")),
            Pause::Breakpoints(said) => self.said = said.join("; "),
            Pause::Asked => {}
        }
    }

    /// The machine's state now, and its work since the last frame.
    pub fn frame(&mut self) -> Frame {
        let machine = self.session.machine();
        let words: Vec<Word> = machine.core_words().collect();
        let whole = std::mem::take(&mut self.whole) || words.len() != self.shadow.len();
        let mut cells = Vec::new();
        for (index, &word) in words.iter().enumerate() {
            let before = if whole { Word::ZERO } else { self.shadow[index] };
            if word != before {
                cells.extend([index as u64, word.bits()]);
                if !whole {
                    self.lights.changed(index as u16);
                }
            }
        }
        self.shadow = words;
        let clock = machine.clock();
        if !self.running {
            // A machine at rest shows its registers, not their averages.
            self.lights.hold();
        }
        let Seen { lamps, read, written, executed } = self.lights.take(machine);
        for sheet in &mut self.sheets {
            sheet.gather();
        }
        let loaded = std::mem::take(&mut self.loaded);
        let [printed, punched] = self.sheets.each_mut().map(|sheet| sheet.part(loaded, whole));
        let now = Instant::now();
        let elapsed = now.duration_since(self.counted.0).as_secs_f64().max(1e-6);
        let rate = clock.instructions.saturating_sub(self.counted.1) as f64 / elapsed;
        self.counted = (now, clock.instructions);
        self.sequence += 1;
        self.changed = false;
        let stop = match (&self.stop, self.said.is_empty()) {
            (Some(stop), _) => Some((stop.reason.name().to_owned(), index_of(stop.at), stop.message.clone())),
            (None, false) => Some(("breakpoint".to_owned(), index_of(machine.next_cell()), self.said.clone())),
            (None, true) => None,
        };
        Frame {
            sequence: self.sequence,
            running: self.running,
            phase: self.phase(),
            speed: self.factor,
            instructions: clock.instructions,
            half_microseconds: clock.m220.0,
            rate,
            at: self.session.last_executed().map_or(index_of(machine.next_cell()), index_of),
            next: index_of(machine.next_cell()),
            registers: m220_machine::Register::ALL.into_iter().map(|register| register.read(machine)).collect(),
            lamps,
            whole,
            loaded,
            cells,
            read,
            written,
            executed,
            printed,
            punched,
            stop,
            breakpoints: self.session.stops().map(index_of).collect(),
            devices: self.devices(),
            back: self.session.can_go_back(),
        }
    }

    fn devices(&self) -> Vec<FittedDevice> {
        let devices = self.session.machine().periphery();
        let fitted = |device, number, holds| FittedDevice { device, number, holds };
        let cards = fitted("cards", 0, devices.card_reader().map_or(0, |reader| reader.cards_left()));
        let written = |drum: &Drum| (0..drum.capacity()).filter(|&at| drum.read(at).is_some()).count();
        let drums = (0..4).filter_map(|number| Some(fitted("drum", number, written(devices.drum(number)?))));
        let tapes = (0..4).filter_map(|number| Some(fitted("tape", number, devices.tape(number)?.zones().count())));
        std::iter::once(cards).chain(drums).chain(tapes).collect()
    }
}

/// The cells with a plain label, not a local one.
fn label_cells(image: &Image) -> Vec<bool> {
    let mut cells = vec![false; 1 << 14];
    for (cell, names) in image.labels() {
        if let Some(place) = cells.get_mut(cell.index()) {
            *place = names.iter().any(|name| !name.contains('.'));
        }
    }
    cells
}

/// A program from the bytes of a file: an image or a deck by its content, or by its name a source text without includes.
///
/// # Errors
/// What is wrong with it.
pub fn program(name: &str, bytes: &[u8]) -> Result<Program, Sentence> {
    let image = if elf::is_elf(bytes) {
        elf::load(bytes, 4)?
    } else if name.ends_with(".m220") {
        let text = std::str::from_utf8(bytes).map_err(|_| Sentence::from("not UTF-8 text"))?;
        assemble_text(name, text, Model::default()).map_err(|errors| errors.first())?.image
    } else {
        let deck = OctalDeck::parse(bytes).map_err(|error| match error.first().problem {
            DeckProblem::Twice(..) => Sentence::of(error),
            _ => sentence!("neither an ELF image nor an octal deck: {error}", error = cause(error)),
        })?;
        deck::from_deck(&deck, Model::default())
    };
    of_image(name, image)
}

/// The program of an image, on the usual machine of its model; without a start cell it begins where sources do.
///
/// # Errors
/// That the image has no word.
pub fn of_image(name: &str, image: Image) -> Result<Program, Sentence> {
    if image.words.is_empty() {
        return Err("there is no word in this file".into());
    }
    let config = Config::new(image.model);
    let start = image.entry.unwrap_or(DEFAULT_ORIGIN.into());
    Ok(Program::new(name.to_owned(), config, image, start))
}
