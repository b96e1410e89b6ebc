//! The whole machine: processor, core, console, and whatever periphery is attached.

use crate::clock::Clock;
use crate::config::Config;
use crate::lookahead::{Exit, LookAhead};
use crate::observer::Observer;
use crate::periphery::{NoDevices, Periphery, UnfittedCube};
use crate::processor::{Processor, Resume};
use crate::registers::{CubeRegisters, Registers};
use crate::stop::{Stop, StopReason};
use m220_isa::{Address, CoreAddress, Word};

/// A breakpoint: the run stops before the `passes`-th execution of the instruction in a cell, and,
/// resumed, before every `passes`-th after that.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Breakpoint {
    at: CoreAddress,
    passes: u64,
    seen: u64,
}

/// The machine and its console.
///
/// ```
/// use m220_machine::{Config, Machine, Model, StopReason};
/// let mut machine = Machine::new(Config::new(Model::M220));
/// // 0100: add the address parts of 0020 and 0021 into 0022; 0101: halt.
/// for (cell, word) in [("0020", "000000000000002"), ("0021", "000000000000003"),
///                      ("0100", "0 13 0020 0021 0022"), ("0101", "0 77 0000 0000 0000")] {
///     machine.set_core(cell.parse()?, word.parse()?)?;
/// }
/// machine.start("0100".parse::<m220_isa::CoreAddress>()?);
/// let stop = machine.run(1_000);
/// assert_eq!((stop.reason, stop.at.to_string()), (StopReason::Halt, "0101".to_owned()));
/// assert_eq!(machine.core("0022".parse()?)?.to_string(), "000000000000005");
/// assert_eq!(machine.clock().m220.microseconds(), 48.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Machine<P = NoDevices> {
    config: Config,
    processor: Processor,
    look_ahead: LookAhead,
    periphery: P,
    breakpoints: Vec<Breakpoint>,
    /// The last run stopped at a breakpoint: the instruction there is due without another pass.
    at_breakpoint: bool,
}

impl Machine<NoDevices> {
    /// A machine without devices. A configuration that no machine has is replaced by
    /// [`Config::nearest`].
    #[must_use]
    pub fn new(config: Config) -> Machine<NoDevices> {
        Machine::with_periphery(config, NoDevices)
    }
}

impl<P: Periphery> Machine<P> {
    /// A machine with devices attached. A configuration that no machine has is replaced by
    /// [`Config::nearest`].
    #[must_use]
    pub fn with_periphery(config: Config, periphery: P) -> Machine<P> {
        let config = config.nearest();
        let processor = Processor::new(config);
        let look_ahead = LookAhead::default();
        Machine { config, processor, look_ahead, periphery, breakpoints: Vec::new(), at_breakpoint: false }
    }

    /// Which machine it is.
    #[must_use]
    pub fn config(&self) -> Config {
        self.config
    }

    /// The devices.
    #[must_use]
    pub fn periphery(&self) -> &P {
        &self.periphery
    }

    /// Consumes the machine and returns its devices.
    #[must_use]
    pub fn into_periphery(self) -> P {
        self.periphery
    }

    /// Puts a word into a cell. Cell 0000, and in memory mode II the cells 7770-7777 of cube 0, lose it.
    ///
    /// # Errors
    /// [`UnfittedCube`] for a cell that the machine does not have.
    pub fn set_core(&mut self, at: CoreAddress, word: Word) -> Result<(), UnfittedCube> {
        let index = self.processor.memory.check(at)?;
        self.processor.memory.put(index, word);
        Ok(())
    }

    /// The word in a cell; zero where there is no core: in cell 0000, and in memory mode II in the
    /// cells 7770-7777 of cube 0.
    ///
    /// # Errors
    /// [`UnfittedCube`] for a cell that the machine does not have.
    pub fn core(&self, at: CoreAddress) -> Result<Word, UnfittedCube> {
        self.processor.memory.shown(at)
    }

    /// The words of all cubes fitted, as [`Machine::core`] shows them, from cell 0000 of cube 0 on.
    pub fn core_words(&self) -> impl Iterator<Item = Word> + '_ {
        self.processor.memory.all_shown()
    }

    /// Whether a cell was ever written: by [`Machine::set_core`], an instruction, or a device.
    #[must_use]
    pub fn is_written(&self, at: CoreAddress) -> bool {
        self.processor.memory.is_written(at.index())
    }

    /// How many cells were ever written, see [`Machine::is_written`].
    #[must_use]
    pub fn cells_written(&self) -> usize {
        self.processor.memory.written()
    }

    /// The word that code 07 gives when applied from zero over cells 0001 to 7777 of cube 0 in order.
    #[must_use]
    pub fn core_checksum(&self) -> Word {
        crate::periphery::checksum(self.core_words().take(Address::CELLS).skip(1))
    }

    /// The registers.
    #[must_use]
    pub fn registers(&self) -> Registers {
        self.processor.registers()
    }

    /// Sets the registers; cube registers are cut to three bits. The run goes on at the cell in RVK.
    pub fn set_registers(&mut self, registers: &Registers) {
        self.processor.set_registers(registers);
        self.at_breakpoint = false;
    }

    /// Key register 1 to 4 of the console.
    ///
    /// # Panics
    /// For any other key.
    #[must_use]
    pub fn key(&self, key: usize) -> Word {
        self.processor.key(key)
    }

    /// Sets key register 1 to 4 of the console.
    ///
    /// # Panics
    /// For any other key.
    pub fn set_key(&mut self, key: usize, word: Word) {
        self.processor.set_key(key, word);
    }

    /// Executed instructions and modelled time since the start.
    #[must_use]
    pub fn clock(&self) -> Clock {
        self.processor.clock
    }

    /// Clears all registers and the clock, and sets RVK (and, with a cube in front, RP KRA) to the
    /// cell. Core, keys, devices stay; breakpoints count from the beginning.
    pub fn start(&mut self, at: impl Into<CoreAddress>) {
        let at = at.into();
        let cubes = CubeRegisters { rp_kra: at.cube(), ..CubeRegisters::default() };
        self.set_registers(&Registers { rvk: at.cell(), cubes, ..Registers::default() });
        self.processor.clock = Clock::default();
        for breakpoint in &mut self.breakpoints {
            breakpoint.seen = 0;
        }
    }

    /// The cell of the next instruction to be executed. After a halt it is the one behind it.
    #[must_use]
    pub fn next_cell(&self) -> CoreAddress {
        self.processor.next_cell()
    }

    /// Sets a breakpoint: the run stops before the `passes`-th execution (at least the first) of
    /// the instruction in the cell.
    pub fn add_breakpoint(&mut self, at: CoreAddress, passes: u64) {
        self.breakpoints.push(Breakpoint { at, passes: passes.max(1), seen: 0 });
        self.look_ahead.set_breakpoints(self.breakpoints.iter().map(|breakpoint| breakpoint.at));
    }

    /// Removes all breakpoints.
    pub fn clear_breakpoints(&mut self) {
        self.breakpoints.clear();
        self.look_ahead.set_breakpoints(std::iter::empty());
        self.at_breakpoint = false;
    }

    /// Executes one instruction, whatever breakpoints say. The stop, if it made one.
    pub fn step(&mut self) -> Option<Stop> {
        self.at_breakpoint = false;
        self.processor.step(&mut self.periphery, None)
    }

    /// As [`Machine::step`], and tells the observer.
    pub fn step_observed(&mut self, observer: &mut dyn Observer) -> Option<Stop> {
        self.at_breakpoint = false;
        self.processor.step(&mut self.periphery, Some(observer))
    }

    /// Runs until the machine stops, at most `max_instructions` from now.
    ///
    /// After a halt or a code 35 that found a difference the run goes on at the next cell, after a
    /// checksum stop at A2 of the exchange; after any other stop made by an instruction, at that
    /// instruction.
    pub fn run(&mut self, max_instructions: u64) -> Stop {
        let limit = self.processor.clock.instructions.saturating_add(max_instructions);
        loop {
            if let Some(stop) = self.before_instruction(limit) {
                return stop;
            }
            if self.processor.go_on_at_counter() {
                let budget = limit - self.processor.clock.instructions;
                let (executed, exit) = self.look_ahead.run(&mut self.processor, budget);
                if exit == Exit::Done {
                    continue;
                }
                if executed > 0
                    && let Some(stop) = self.before_instruction(limit)
                {
                    return stop;
                }
            }
            if let Some(stop) = self.processor.step(&mut self.periphery, None) {
                return stop;
            }
        }
    }

    /// As [`Machine::run`], one instruction at a time without look-ahead: slower, and what
    /// [`Machine::run`] must agree with in everything.
    pub fn run_plain(&mut self, max_instructions: u64) -> Stop {
        let limit = self.processor.clock.instructions.saturating_add(max_instructions);
        loop {
            if let Some(stop) = self.before_instruction(limit) {
                return stop;
            }
            if let Some(stop) = self.processor.step(&mut self.periphery, None) {
                return stop;
            }
        }
    }

    /// As [`Machine::run_plain`], and tells the observer of every instruction.
    pub fn run_observed(&mut self, max_instructions: u64, observer: &mut dyn Observer) -> Stop {
        let limit = self.processor.clock.instructions.saturating_add(max_instructions);
        loop {
            if let Some(stop) = self.before_instruction(limit) {
                return stop;
            }
            if let Some(stop) = self.processor.step(&mut self.periphery, Some(&mut *observer)) {
                return stop;
            }
        }
    }

    /// The console's INPUT button: clears RA and the cube registers and reads a card deck into core
    /// from cell 0001 on, as one instruction standing in cell 0000. A run then goes on at 0001.
    pub fn press_input(&mut self) -> Option<Stop> {
        self.at_breakpoint = false;
        self.processor.press_input(&mut self.periphery, None)
    }

    /// As [`Machine::press_input`], and tells the observer.
    pub fn press_input_observed(&mut self, observer: &mut dyn Observer) -> Option<Stop> {
        self.at_breakpoint = false;
        self.processor.press_input(&mut self.periphery, Some(observer))
    }

    /// The stops that are made between instructions: the limit, then the breakpoints.
    fn before_instruction(&mut self, limit: u64) -> Option<Stop> {
        if self.processor.clock.instructions >= limit {
            let message = "the limit of instructions was reached".to_owned();
            return Some(self.stop_between(StopReason::InstructionLimit, message));
        }
        if self.breakpoints.is_empty() || std::mem::take(&mut self.at_breakpoint) {
            return None;
        }
        let at = self.processor.next_cell();
        let mut due = None;
        for breakpoint in self.breakpoints.iter_mut().filter(|breakpoint| breakpoint.at == at) {
            breakpoint.seen += 1;
            if breakpoint.seen == breakpoint.passes {
                breakpoint.seen = 0;
                due = Some(breakpoint.passes);
            }
        }
        let passes = due?;
        self.at_breakpoint = true;
        let message = match passes {
            1 => "breakpoint".to_owned(),
            _ => format!("breakpoint, passage {passes}"),
        };
        Some(self.stop_between(StopReason::Breakpoint, message))
    }

    fn stop_between(&mut self, reason: StopReason, message: String) -> Stop {
        let at = self.processor.next_cell();
        let word = self.processor.next_word();
        if let Resume::At(next) = self.processor.resume
            && next == at.cell().get()
        {
            self.processor.resume = Resume::AtCounter;
            self.processor.rvk = next;
        }
        Stop { reason, at, word, message }
    }
}
