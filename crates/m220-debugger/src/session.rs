//! A session: the machine, its breakpoints, and the commands.

mod breakpoints;
mod calls;
mod changing;
mod displays;
mod free_run;
mod history;
mod looking;

use crate::help::Help;
use crate::loaded_program::LoadedProgram;
use crate::show::{self, View};
use crate::words::{count_of, refuse};
use breakpoints::StopPoint;
use calls::{Calls, is_call};
pub use free_run::{Look, Pause};
use history::History;
use m220_isa::{CoreAddress, Word};
use m220_limits::{End, Limits};
use m220_machine::devices::Devices;
use m220_machine::devices::roll::Roll;
use m220_machine::{Clock, Machine, Register, Slice, StepReport, Stop, StopReason};
use m220_sentence::{Sentence, sentence};
use std::collections::VecDeque;
use std::io::{self, Write};
use std::ops::ControlFlow::{self, Break, Continue};
use std::time::Duration;

/// How many executed instructions are remembered.
const REMEMBERED: usize = 10_000;

/// A command with a help that [`Session`] has forgotten; a test sees that there is none.
const NOT_CARRIED_OUT: &str = "this command is not there yet";

/// The most executed instructions that `step N` shows.
const SHOWN_STEPS: u64 = 16;

/// The output of the printer and the punch.
#[derive(Clone, Default)]
pub struct Papers {
    /// The printer's output.
    pub printed: Roll,
    /// The punch's output.
    pub punched: Roll,
}

/// Why a run ended.
enum RunEnd {
    /// The requested number of instructions was executed.
    Count,
    Interrupted,
    /// The time for one command is over.
    OutOfTime,
    /// As asked, the cell to run to was reached; or something stopped it on its way.
    Paused(Pause),
}

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// It cannot be carried out.
    #[error(transparent)]
    Refused(#[from] Sentence),
    /// Its output cannot be written.
    #[error(transparent)]
    Output(#[from] io::Error),
}

type Done = Result<(), Trouble>;

/// Makes a machine with the program loaded, again at every restart, or says why it cannot.
type Load = Box<dyn Fn(&Papers) -> Result<Machine<Devices>, Sentence> + Send>;

/// A debugging session: a machine with a program loaded, and the commands that control it.
pub struct Session {
    program: LoadedProgram,
    load: Load,
    start: CoreAddress,
    machine: Machine<Devices>,
    papers: Papers,
    breakpoints: Vec<StopPoint>,
    last_number: usize,
    remembered: VecDeque<StepReport>,
    history: History,
    calls: Calls,
    /// Whether a command is running, rather than a slice, which must end soon because a page waits for it.
    in_command: bool,
    /// Instructions since the start that slices have rerun when a device was used.
    retraced: u64,
    /// What to display at every stop, each item with its number.
    displays: Vec<(usize, String)>,
    mark: Option<Clock>,
    limits: Limits,
    /// How long one command may run, if its limits do not say.
    most_time: Option<Duration>,
    help: &'static Help,
}

impl Session {
    /// A session at the program's start. `load` makes the machine with the program in core, now and at every restart;
    /// each command runs within `limits` and ends when their interrupt is raised, which the raiser must also reset.
    ///
    /// # Errors
    /// Those of `load`.
    pub fn new<E: Into<Sentence>>(
        program: LoadedProgram,
        start: CoreAddress,
        load: impl Fn(&Papers) -> Result<Machine<Devices>, E> + Send + 'static,
        limits: Limits,
    ) -> Result<Session, E> {
        let papers = Papers::default();
        let mut machine = load(&papers)?;
        machine.start(start);
        let history = History::new(&machine, history::START);
        let calls = Calls::new(machine.config().model, 0);
        Ok(Session {
            program,
            load: Box::new(move |papers| load(papers).map_err(Into::into)),
            start,
            machine,
            papers,
            breakpoints: Vec::new(),
            last_number: 0,
            remembered: VecDeque::new(),
            history,
            calls,
            in_command: false,
            retraced: 0,
            displays: Vec::new(),
            mark: None,
            limits,
            most_time: None,
            help: Help::of("en"),
        })
    }

    /// Ends each further command after this time of the host. Conditions that rarely hold make one slow.
    pub fn bound_commands(&mut self, time: Duration) {
        self.most_time = Some(time);
    }

    /// Sets key register 1 to 4 of the console.
    ///
    /// # Panics
    /// For any other key.
    pub fn set_key(&mut self, key: usize, word: Word) {
        self.keep_the_past();
        self.machine.set_key(key, word);
        self.begin_history(history::SET);
        self.refresh_traps(false);
    }

    /// Puts a word into a cell.
    ///
    /// # Errors
    /// If the machine does not have the cell.
    pub fn set_core(&mut self, cell: CoreAddress, word: Word) -> Result<(), Sentence> {
        self.keep_the_past();
        let done = self.machine.set_core(cell, word).map_err(Sentence::of);
        self.begin_history(history::SET);
        self.refresh_traps(false);
        done
    }

    /// Another machine in the place of this one, which hands on its printer and punch. Breakpoints stay.
    pub fn put(&mut self, machine: Machine<Devices>) {
        let before = std::mem::replace(&mut self.machine, machine);
        self.machine.periphery_mut().take_papers(before.into_periphery());
        self.remembered.clear();
        self.begin_history(history::SET);
        self.calls = Calls::new(self.machine.config().model, self.machine.clock().instructions);
        self.refresh_traps(true);
    }

    /// The loaded program.
    pub fn program(&self) -> &LoadedProgram {
        &self.program
    }

    /// Writes the greeting: what was loaded, and the first instruction.
    ///
    /// # Errors
    /// The machine cannot be loaded.
    pub fn greet(&self, name: &str, out: &mut dyn Write) -> io::Result<()> {
        let image = &self.program.image;
        let config = self.machine.config();
        let cubes = if config.cubes == 1 { "1 cube".to_owned() } else { format!("{} cubes", config.cubes) };
        let count = |n: usize, what: &str| if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") };
        writeln!(
            out,
            "{name}: {}, {}, start {}; {} with {cubes} of core. `help` explains.",
            count(image.words.len(), "word"),
            count(image.symbols.len(), "name"),
            self.program.place(self.start),
            config.model.name(),
        )?;
        self.show_next(out)
    }

    /// Tells the help in this language from here on, `en` or `ru`.
    pub fn explain_in(&mut self, language: &str) {
        self.help = Help::of(language);
    }

    /// Executes one command line; the session ends with `quit`.
    ///
    /// # Errors
    /// A command that cannot be carried out, or output that cannot be written.
    pub fn execute(&mut self, line: &str, out: &mut dyn Write) -> Result<ControlFlow<()>, Trouble> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let entry = self.help.find(&word.to_lowercase())?;
        let rest = rest.trim();
        if entry.usage.is_empty() && !rest.is_empty() {
            return refuse(sentence!("`{name}` takes no argument, but `{rest}` was given", name = entry.name, rest));
        }
        if entry.name == "quit" {
            return Ok(Break(()));
        }
        self.in_command = true;
        let done = self.carry_out(entry.name, rest, out);
        self.in_command = false;
        self.show_papers(out)?;
        done.map(Continue)
    }

    fn carry_out(&mut self, command: &str, rest: &str, out: &mut dyn Write) -> Done {
        match command {
            "step" => self.step(rest, out),
            "next" => self.next(out),
            "finish" => self.finish(out),
            "continue" => self.go_on(None, out),
            "to" => {
                let cell = self.lookup().cell(rest)?;
                self.go_on(Some(cell), out)
            }
            "back" => self.back(rest, out),
            "reverse" => self.reverse(out),
            "restart" => self.restart(out),
            "input" => self.input(out),
            "where" => Ok(self.show_next(out)?),
            "operands" => Ok(self.operands(out)?),
            "list" => self.list(rest, out),
            "disassemble" => self.disassemble(rest, out),
            "last" => {
                self.recall();
                self.last(rest, out)
            }
            "backtrace" => Ok(self.backtrace(out)?),
            "print" => self.print(rest, out),
            "display" => self.display(rest, out),
            "undisplay" => Ok(self.undisplay(rest)?),
            "registers" => Ok(self.registers(out)?),
            "keys" => (1..=4).try_for_each(|key| Ok(self.show_register(Register::Key(key), View::Likely, out)?)),
            "set" => self.set(rest, out),
            "symbols" => self.symbols(rest, out),
            "info" => self.info(rest, out),
            "break" if !rest.is_empty() => self.set_break(rest, false, out),
            "tbreak" => self.set_break(rest, true, out),
            "break" | "breakpoints" => Ok(self.list_breakpoints(out)?),
            "watch" => self.set_watch(rest, out),
            "delete" => Ok(self.delete(rest)?),
            "disable" => Ok(self.enable(rest, false)?),
            "enable" => Ok(self.enable(rest, true)?),
            "mark" => {
                self.mark = Some(self.machine.clock());
                Ok(())
            }
            "time" => Ok(self.time(out)?),
            "help" if rest.is_empty() => Ok(out.write_all(self.help.overview().as_bytes())?),
            "help" => Ok(out.write_all(self.help.about(&rest.to_lowercase())?.as_bytes())?),
            _ => refuse(NOT_CARRIED_OUT),
        }
    }

    fn step(&mut self, rest: &str, out: &mut dyn Write) -> Done {
        let count = if rest.is_empty() { 1 } else { count_of(rest)? };
        if count == 0 {
            return refuse("0 instructions: at least one is expected");
        }
        let before = self.machine.clock().instructions;
        let end = self.run(count.min(self.limits.instructions), None);
        let executed = self.machine.clock().instructions - before;
        let shown = executed.min(SHOWN_STEPS) as usize;
        self.recall();
        if executed > SHOWN_STEPS {
            writeln!(out, "   {executed} instructions, the last {shown}:")?;
        }
        for step in self.remembered.iter().skip(self.remembered.len() - shown) {
            writeln!(out, "{}", show::executed_line(&self.program, step))?;
        }
        Ok(self.show_end(&end, count > self.limits.instructions, out)?)
    }

    fn next(&mut self, out: &mut dyn Write) -> Done {
        let (at, word) = self.next_instruction();
        let [back, called, _] = word.decode().effective(self.machine.registers().ra, [at.cube(); 3]);
        if !is_call(self.machine.config().model, word, back) {
            return self.step("", out);
        }
        let before = self.machine.clock().instructions;
        let end = self.run(self.limits.instructions, Some(back));
        let executed = self.machine.clock().instructions - before;
        let executed = if executed == 1 { "1 instruction".to_owned() } else { format!("{executed} instructions") };
        writeln!(out, "   {at}  call of {}: {executed}", self.program.place(called))?;
        Ok(self.show_end(&end, true, out)?)
    }

    fn go_on(&mut self, to: Option<CoreAddress>, out: &mut dyn Write) -> Done {
        let end = self.run(self.limits.instructions, to);
        Ok(self.show_end(&end, true, out)?)
    }

    fn restart(&mut self, out: &mut dyn Write) -> Done {
        let keys: Vec<Word> = (1..=4).map(|key| self.machine.key(key)).collect();
        self.machine = (self.load)(&self.papers)?;
        for (index, key) in keys.into_iter().enumerate() {
            self.machine.set_key(index + 1, key);
        }
        self.machine.start(self.start);
        self.remembered.clear();
        self.begin_history(history::START);
        self.retraced = 0;
        self.calls = Calls::new(self.machine.config().model, 0);
        self.mark = None;
        self.refresh_traps(true);
        Ok(self.show_stand(out)?)
    }

    /// Presses INPUT; returns the stop, if it ended in one.
    pub fn press_input(&mut self) -> Option<Stop> {
        self.keep_the_past();
        let remembered = &mut self.remembered;
        let stop = self.machine.press_input_observed(&mut |step: &StepReport| remember(remembered, step));
        self.begin_history(history::DEVICE);
        self.refresh_traps(false);
        stop
    }

    fn input(&mut self, out: &mut dyn Write) -> Done {
        match self.press_input() {
            Some(stop) => self.show_stop(&stop, out)?,
            None => self.show_stand(out)?,
        }
        Ok(())
    }

    /// Runs at most `count` instructions, to the cell `to`, a breakpoint, a stop or an interrupt.
    fn run(&mut self, count: u64, to: Option<CoreAddress>) -> RunEnd {
        let limits = self.most_time.map_or(self.limits.clone(), |time| self.limits.afresh().with_timeout(time));
        match self.run_freely(Slice::of_instructions(count), to, &|| limits.is_over()) {
            RunEnd::Interrupted if limits.ended() == Some(End::Deadline) => RunEnd::OutOfTime,
            end => end,
        }
    }

    fn show_end(&self, end: &RunEnd, limited: bool, out: &mut dyn Write) -> io::Result<()> {
        self.show_papers(out)?;
        match end {
            RunEnd::Count if limited => {
                writeln!(
                    out,
                    "{} instructions executed, the most for one command: `continue` goes on",
                    self.limits.instructions
                )?;
            }
            RunEnd::Count | RunEnd::Paused(Pause::Asked) => {}
            RunEnd::Paused(Pause::Breakpoints(said) | Pause::Stop(_, said)) => {
                said.iter().try_for_each(|line| writeln!(out, "{line}"))?;
            }
            RunEnd::Interrupted => writeln!(out, "interrupted")?,
            RunEnd::OutOfTime => writeln!(out, "the time for one command is over: `continue` goes on")?,
        }
        match end {
            RunEnd::Paused(Pause::Stop(stop, _)) => self.show_stop(stop, out),
            _ => self.show_stand(out),
        }
    }

    /// Shows a stop of the machine and the next instruction. After a halt only its cell is shown, since usually no
    /// code follows.
    fn show_stop(&self, stop: &Stop, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "stop: {stop}")?;
        if stop.reason != StopReason::Halt {
            return self.show_stand(out);
        }
        let next = self.machine.next_cell();
        // After a halt in the last cell there is no next one.
        let goes_on =
            if next == stop.at { "past cell 7777".to_owned() } else { format!("on at {}", self.program.place(next)) };
        writeln!(out, "   halted: `restart` starts over, `continue` would go {goes_on}")?;
        self.show_displays(out)
    }
}

fn remember(remembered: &mut VecDeque<StepReport>, step: &StepReport) {
    if remembered.len() == REMEMBERED {
        remembered.pop_front();
    }
    remembered.push_back(*step);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::{BreakCondition, Lookup};
    use m220_asm::{Image, SymbolKind};
    use m220_isa::octal_deck::OctalDeck;
    use m220_limits::Interrupt;
    use m220_machine::Config;
    use m220_machine::devices::drum::Drum;

    fn session(deck: &str, limits: Limits) -> Session {
        session_of(Config::new(m220_isa::Model::M220), deck, limits)
    }

    fn session_of(config: Config, deck: &str, limits: Limits) -> Session {
        let image = m220_asm::deck::from_deck(&OctalDeck::parse(deck.as_bytes()).unwrap(), config.model);
        let start = image.entry.unwrap();
        let words = image.words.clone();
        let load = move |_: &Papers| -> Result<_, String> {
            let mut devices = Devices::new(config.model);
            devices.fit_drum(0, Drum::blank(config.model)).unwrap();
            let mut machine = Machine::with_periphery(config, devices);
            for (cell, word) in &words {
                machine.set_core(*cell, *word).unwrap();
            }
            Ok(machine)
        };
        Session::new(LoadedProgram::new(image), start, load, limits).unwrap()
    }

    fn said(session: &mut Session, command: &str) -> String {
        let mut out = Vec::new();
        match session.execute(command, &mut out) {
            Ok(_) => String::from_utf8(out).unwrap(),
            Err(Trouble::Refused(refused)) => refused.to_string(),
            Err(Trouble::Output(error)) => panic!("{error}"),
        }
    }

    /// A command that conditions make slow ends after its time, and can be gone on with.
    #[test]
    fn a_command_has_its_time() {
        let mut session = session(":0100\n0 56 0000 0100 0000\n@0100\n", Limits::default().with_instructions(u64::MAX));
        session.bound_commands(Duration::from_millis(1));
        let text = said(&mut session, "continue");
        assert!(text.starts_with("the time for one command is over: `continue` goes on\n=> 0100"), "{text}");
        assert!(session.machine.clock().instructions > 0);
    }

    #[test]
    fn every_command_of_the_help_is_carried_out() {
        let mut session = session(":0100\n0 56 0000 0100 0000\n@0100\n", Limits::default().with_instructions(10));
        session.explain_in("ru");
        assert!(said(&mut session, "help").starts_with("Ход программы\n"));
        for entry in Help::of("en").entries() {
            let text = said(&mut session, entry.name);
            assert!(!text.contains(NOT_CARRIED_OUT), "{}: {text}", entry.name);
        }
    }

    /// An interrupt at any moment of a run ends the run, and the session continues.
    #[test]
    fn an_interrupt_ends_the_run_alone() {
        let interrupt = Interrupt::default();
        let limits = Limits::default().with_instructions(u64::MAX).with_interrupt(&interrupt);
        let mut session = session(":0100\n0 56 0000 0100 0000\n@0100\n", limits);
        let raised = interrupt.clone();
        let keyboard = std::thread::spawn(move || raised.raise());
        let text = said(&mut session, "continue");
        keyboard.join().unwrap();
        assert!(text.starts_with("interrupted\n=> 0100"), "{text}");
        interrupt.clear();
        assert!(said(&mut session, "step").contains("JMP"));
    }

    /// What was passed once is found behind many checkpoints, unless an interrupt ends the search.
    #[test]
    fn reverse_finds_what_is_long_ago() {
        let interrupt = Interrupt::default();
        let limits = Limits::default().with_interrupt(&interrupt);
        let mut session = session(":0100\n0 52 0000 0000 0000\n0 56 0000 0101 0000\n@0100\n", limits);
        for command in ["step 3000000", "break 0100"] {
            said(&mut session, command);
        }
        interrupt.raise();
        assert_eq!(said(&mut session, "reverse"), "interrupted: it stands where it stood");
        assert_eq!(session.machine.clock().instructions, 3_000_000);
        interrupt.clear();
        assert!(said(&mut session, "reverse").starts_with("=> 0100"));
        assert_eq!(session.machine.clock().instructions, 0);
        assert!(said(&mut session, "reverse").starts_with("no breakpoint was passed"));
        said(&mut session, "step 3000000");
        said(&mut session, "break 0101");
        assert!(said(&mut session, "reverse").starts_with("=> 0101"));
        assert_eq!(session.machine.clock().instructions, 2_999_999);
    }

    /// Sums 512 cells 16 times, by incrementing the address in the adding instruction, and reads the drum after each sum.
    const SUMS: &str = ":0020\n0 00 0001 0000 0000\n0 00 0000 0000 0001\n0 00 0000 0000 0000\n0 00 0000 0000 0000\n\
        0 00 0000 0000 0020\n:0030\n0 13 1000 0022 0022\n:0100\n0 00 0030 0000 0104\n0 00 0000 0000 0022\n\
        0 52 0000 0000 0000\n0 13 0104 0020 0104\n0 13 1000 0022 0022\n1 12 0777 0103 0001\n0 13 0023 0021 0023\n\
        0 50 0010 0005 0025\n0 70 0025 0000 0000\n0 15 0023 0024 0000\n0 76 0000 0100 0000\n0 77 0000 0000 0000\n\
        @0100\n";

    /// With every pair of these traps a run stops where single steps stop, with the same message and history.
    #[test]
    fn a_run_stops_where_single_steps_do() {
        let traps = [
            "break 0106",
            "break 0104 100",
            "break 0104 if RA = 0700",
            "break 0103 7 if OMEGA = 0",
            "break if RA = 0333",
            "break if OMEGA = 1 and RA > 0770",
            "break if word 0023 = 5",
            "break if RA = 12 and word 0023 = 3",
            "break if RR = 0",
            "watch 0022 if word 0023 = 7",
            "watch 0023",
            "watch 0104 if RA = 0543",
            "watch 0025",
            "watch 0400",
        ];
        let anything = Slice::of_instructions(100_000);
        let mut stops = 0;
        for (first, one) in traps.iter().enumerate() {
            for other in &traps[first..] {
                let [mut freely, mut singly] = [(); 2].map(|()| {
                    let mut session = session(SUMS, Limits::default().with_instructions(100_000));
                    said(&mut session, one);
                    said(&mut session, other);
                    session
                });
                for round in 0..12 {
                    let pause = freely.run_slice(anything);
                    assert_eq!(pause, singly.run_slice_observed(anything, &mut |_, _| false), "{one}, {other}");
                    let whole = matches!(pause, Some(Pause::Stop(..)));
                    if !whole && round % 3 == 2 {
                        for session in [&mut freely, &mut singly] {
                            let back = session.can_go_back().min(50);
                            session.go_back(back).unwrap();
                        }
                    }
                    for command in ["time", "registers", "last 600", "print 0020-0113"] {
                        let expected = said(&mut singly, command);
                        assert_eq!(said(&mut freely, command), expected, "{command} after {one}, {other}");
                    }
                    if whole {
                        break;
                    }
                    stops += 1;
                }
            }
        }
        assert!(stops > 400, "{stops}");
    }

    /// Where memory mode II reads registers, watches and conditions read them too, and a lost store is none.
    #[test]
    fn watches_and_conditions_read_what_the_processor_reads() {
        let mode_ii = Config { memory_mode: m220_machine::MemoryMode::II, ..Config::new(m220_isa::Model::M20) };
        let deck = ":0100\n0 00 0107 0000 7771\n0 52 0000 0002 0000\n0 00 0107 0000 0300\n0 77 0000 0000 0000\n\
            :0107\n0 00 0000 0000 0003\n@0100\n";
        let ra = "watch 1: 7776 changed by 0101: 0 00 0000 0002 0000, was 0 00 0000 0000 0000\n=> 0102";
        for (config, command, expected) in [
            (mode_ii, "watch 7771", "stop: halt at 0103"),
            (mode_ii, "break if word 7771 = 3", "stop: halt at 0103"),
            (mode_ii, "break if word 7775 = 3", "breakpoint 1: word 7775 = 3 after 0100\n=> 0101"),
            (mode_ii, "watch 7775 if RA = 2", "watch 1: 7775 changed by 0101: 0 52 0000 0000 0000, was"),
            (Config::new(m220_isa::Model::Itep), "watch 7776", ra),
            (
                Config::new(m220_isa::Model::Itep),
                "break if word 7776 = 0 00 0000 0002 0000",
                "breakpoint 1: word 7776 = 0 00 0000 0002 0000 after 0101\n=> 0102",
            ),
        ] {
            let mut session = session_of(config, deck, Limits::default().with_instructions(100));
            said(&mut session, command);
            let text = said(&mut session, "continue");
            assert!(text.starts_with(expected), "{command}: {text}");
        }
    }

    /// A long run in slices does not rerun everything at its uses of the drum; a command does.
    #[test]
    fn slices_forget_what_is_long_ago() {
        let long = SUMS.replace("0 00 0000 0000 0020\n:0030", "0 00 0000 0000 4000\n:0030");
        // Written, not read: the drum is blank.
        let long = long.replace("0 50 0010", "0 50 0014");
        let open = |command: Option<&str>| {
            let mut session = session(&long, Limits::default().with_instructions(10_000_000));
            match command {
                Some(command) => drop(said(&mut session, command)),
                None => while session.run_slice(Slice::of_instructions(1_000_000)).is_none() {},
            }
            assert!(session.machine().clock().instructions > 3_000_000);
            assert_eq!(said(&mut session, "last 3").lines().count(), 3);
            said(&mut session, "backtrace").contains("are not known")
        };
        assert_eq!((open(None), open(Some("continue"))), (true, false));
    }

    /// Conditions in the state after `set RA = 12`, `set OMEGA = 1`, and 1.5 in cell 0020.
    #[test]
    fn conditions() {
        let mut session = session(":0100\n0 00 0000 0000 0000\n@0100\n", Limits::default().with_instructions(10));
        for command in ["set RA = 12", "set OMEGA = 1", "set 0020 = 1.5"] {
            said(&mut session, command);
        }
        for (text, expected) in [
            ("RA = 12", true),
            ("RA == 12", true),
            ("RA = 10d", true),
            ("RA = 12d", false),
            ("RA != 12", false),
            ("RA <> 11", true),
            ("RA < 12", false),
            ("RA <= 12", true),
            ("RA > 11", true),
            ("RA >= 13", false),
            ("12 = RA", true),
            ("RVK = 0100", true),
            ("RVK = .", true),
            ("omega = 1 and ra = 12", true),
            ("OMEGA = 1 and RA = 13", false),
            ("OMEGA = 0 and RA = 12", false),
            ("word 0020 = =1.5", true),
            ("word 0020 = 1 01 6000 0000 0000", true),
            ("word 0020 > =1.25", true),
            ("word 0017+1 = =1.5", true),
            ("word 0021 = 0", true),
        ] {
            let condition = BreakCondition::parse(text, &session.lookup()).map_err(|refused| refused.to_string());
            assert_eq!(condition.map(|condition| condition.holds(&session.machine)), Ok(expected), "{text}");
        }
    }

    /// Every way of naming cells, with the first and the last cell, or part of the error message.
    #[test]
    fn cells() {
        let session = session(":0100\n0 00 0000 0000 0000\n@0100\n", Limits::default().with_instructions(10));
        let program = LoadedProgram::new(Image {
            symbols: [("table", 0o200), ("end", 0o210)]
                .map(|(name, value)| {
                    let symbol = m220_asm::Symbol { value, kind: SymbolKind::Cell, exported: false };
                    (name.to_owned(), symbol)
                })
                .into(),
            ..Image::default()
        });
        let lookup = Lookup { program: &program, ra: 5, ..session.lookup() };
        for (text, expected) in [
            ("0113", Ok((0o113, 0o113))),
            ("13", Ok((0o13, 0o13))),
            ("10d", Ok((0o12, 0o12))),
            ("20100", Ok((0o20100, 0o20100))),
            (".", Ok((0o100, 0o100))),
            (".+1", Ok((0o101, 0o101))),
            (".-1", Ok((0o77, 0o77))),
            ("table", Ok((0o200, 0o200))),
            ("table+10", Ok((0o210, 0o210))),
            ("table + 10d", Ok((0o212, 0o212))),
            ("table-1", Ok((0o177, 0o177))),
            ("table[3]", Ok((0o203, 0o203))),
            ("table[RA]", Ok((0o205, 0o205))),
            ("table[RA+2]-1", Ok((0o206, 0o206))),
            ("table[7777]", Ok((0o177, 0o177))),
            ("table-end", Ok((0o200, 0o210))),
            ("table-0203", Ok((0o200, 0o203))),
            ("0100-0107", Ok((0o100, 0o107))),
            ("table,10", Ok((0o200, 0o211))),
            ("17770,8", Ok((0o17770, 0o17777))),
            ("17770,9", Err("more than the cube has")),
            ("0002,18446744073709551615", Err("more than the cube has")),
            ("0107-0100", Err("not a range")),
            ("7777-10000", Err("not a range")),
            ("table,0", Err("or none")),
            ("table,x", Err("decimal digits")),
            ("40000", Err("cells 0000 to 37777")),
            ("tabel", Err("did you mean `table`")),
            ("9", Err("not octal")),
            ("", Err("missing")),
            ("table+", Err("incomplete")),
        ] {
            match (lookup.cells(text), expected) {
                (Ok((first, last)), Ok(cells)) => assert_eq!((first.index(), last.index()), cells, "{text}"),
                (Err(refused), Err(part)) => assert!(refused.to_string().contains(part), "{text}: {refused}"),
                (found, _) => panic!("{text}: {found:?}"),
            }
        }
        let deep = |depth| lookup.cells(&("0[".repeat(depth) + "1" + &"]".repeat(depth))).map(|(cell, _)| cell.index());
        assert_eq!(deep(16).map_err(|refused| refused.to_string()), Ok(1));
        assert!(deep(20_000).unwrap_err().to_string().contains("more than 16 `[`"));
    }
}
