//! The whole machine: processor, core, console, and whatever periphery is attached.

use crate::clock::Clock;
use crate::config::Config;
use crate::memory::CoreImage;
use crate::observer::{Observer, Profile};
use crate::periphery::{NoDevices, Periphery, UnfittedCube};
use crate::processor::{Processor, Resume};
use crate::registers::{CubeRegisters, Registers};
use crate::stop::{Stop, StopReason};
use crate::threaded::{EngineExit, Threaded};
use m220_isa::{Address, CoreAddress, HalfMicroseconds, Word};
use m220_limits::{End, Limits};
use std::time::Duration;

/// A breakpoint: the run stops before the `passes`-th execution of the instruction in a cell, and,
/// resumed, before every `passes`-th after that.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Breakpoint {
    at: CoreAddress,
    passes: u64,
    seen: u64,
}

/// Limits on one slice of a run, which ends at the first of them to be reached.
///
/// One instruction takes the host from a nanosecond to a tenth of a millisecond or more (an
/// exchange of thousands of words with a drum or the printer). The number of instructions alone
/// therefore does not bound the host's time; modelled time and device operations are limited too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slice {
    /// The largest number of instructions.
    pub instructions: u64,
    /// The most time by the M-220's table, devices included. The slice may overrun it by one
    /// instruction, or by up to 512 in the threaded interpreter.
    pub time: HalfMicroseconds,
    /// The largest number of instructions that use a device.
    pub device_operations: u64,
}

impl Slice {
    /// A slice that ends within about 0.05 s on an ordinary computer, whatever the program does:
    /// 4 million instructions, 60 s of modelled time, 200 device operations. A slow observer, slow
    /// device output or an unoptimised build lengthens it.
    pub const RESPONSIVE: Slice =
        Slice { instructions: 4_000_000, time: HalfMicroseconds(2 * 60_000_000), device_operations: 200 };

    /// A slice bounded by instructions alone.
    #[must_use]
    pub const fn of_instructions(instructions: u64) -> Slice {
        Slice { instructions, time: HalfMicroseconds(u64::MAX), device_operations: u64::MAX }
    }
}

/// The instructions of a responsive slice when this much time is left: near the deadline no more than a slow host
/// executes by then.
fn responsive(left: Option<Duration>) -> u64 {
    const SLOWLY_A_MILLISECOND: u64 = 20_000;
    let most = Slice::RESPONSIVE.instructions;
    let until = |left: Duration| u64::try_from(left.as_millis()).unwrap_or(most).saturating_mul(SLOWLY_A_MILLISECOND);
    left.map_or(most, |left| until(left).clamp(SLOWLY_A_MILLISECOND, most))
}

/// Where a slice ends, as readings of the machine's own counters.
#[derive(Clone, Copy)]
struct SliceEnd {
    instructions: u64,
    time: HalfMicroseconds,
    device_operations: u64,
}

/// Core, registers, keys and clock of a machine at one moment; see [`Machine::checkpoint`].
///
/// Taking one copies core, which takes the host some microseconds. To step backwards, a debugger
/// takes one every few million instructions, restores the last one before its goal, and runs
/// forward from there.
#[derive(Clone)]
pub struct Checkpoint {
    pub(crate) config: Config,
    core: CoreImage,
    registers: Registers,
    pub(crate) resume: Resume,
    pub(crate) keys: [Word; 4],
    pub(crate) clock: Clock,
    pub(crate) at_breakpoint: bool,
}

impl Checkpoint {
    /// The clock at that moment.
    #[must_use]
    pub fn clock(&self) -> Clock {
        self.clock
    }
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
    threaded: Threaded,
    periphery: P,
    breakpoints: Vec<Breakpoint>,
    /// The last run stopped at a breakpoint, so the instruction there runs without being counted again.
    at_breakpoint: bool,
}

impl Machine<NoDevices> {
    /// A machine without devices. A configuration that no machine had is replaced by
    /// [`Config::nearest`].
    #[must_use]
    pub fn new(config: Config) -> Machine<NoDevices> {
        Machine::with_periphery(config, NoDevices)
    }
}

impl<P: Periphery> Machine<P> {
    /// A machine with devices attached. A configuration that no machine had is replaced by
    /// [`Config::nearest`].
    #[must_use]
    pub fn with_periphery(config: Config, periphery: P) -> Machine<P> {
        let config = config.nearest();
        let processor = Processor::new(config);
        let threaded = Threaded::default();
        Machine { config, processor, threaded, periphery, breakpoints: Vec::new(), at_breakpoint: false }
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

    /// Stores a word in a cell. Cell 0000 and, in memory mode II, cells 7770-7777 of cube 0 discard it.
    ///
    /// # Errors
    /// [`UnfittedCube`] for a cell that the machine does not have.
    pub fn set_core(&mut self, at: CoreAddress, word: Word) -> Result<(), UnfittedCube> {
        let index = self.processor.memory.check(at)?;
        self.processor.memory.put(index, word);
        Ok(())
    }

    /// The word in a cell; zero for a cell that is not core: 0000 and, in memory mode II, 7770-7777 of
    /// cube 0.
    ///
    /// # Errors
    /// [`UnfittedCube`] for a cell that the machine does not have.
    pub fn core(&self, at: CoreAddress) -> Result<Word, UnfittedCube> {
        self.processor.memory.shown(at)
    }

    /// The word that an instruction reads in a cell: in memory mode II the registers in place of cells 7770-7777 of
    /// cube 0.
    ///
    /// # Errors
    /// [`UnfittedCube`] for a cell that the machine does not have.
    pub fn read(&self, at: CoreAddress) -> Result<Word, UnfittedCube> {
        self.processor.load(at)
    }

    /// The words of all fitted cubes, as [`Machine::core`] returns them, starting at cell 0000 of cube 0.
    pub fn core_words(&self) -> impl Iterator<Item = Word> + '_ {
        self.processor.memory.all_shown()
    }

    /// How many cells have ever been written, by [`Machine::set_core`], an instruction or a device.
    #[must_use]
    pub fn cells_written(&self) -> usize {
        self.processor.memory.written()
    }

    /// The checksum of cells 0001 to 7777 of cube 0: code 07 applied to each in order, starting from zero.
    #[must_use]
    pub fn core_checksum(&self) -> Word {
        crate::periphery::checksum(self.core_words().take(Address::CELLS).skip(1))
    }

    /// The registers.
    #[must_use]
    pub fn registers(&self) -> Registers {
        self.processor.registers()
    }

    /// Sets the registers; cube registers are truncated to three bits. The next instruction is the one
    /// in RVK's cell.
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

    /// Clears all registers and the clock, and sets RVK and RP KRA to the address's cell and cube.
    /// Core, keys and devices are left alone; breakpoints start counting anew.
    pub fn start(&mut self, at: impl Into<CoreAddress>) {
        let at = at.into();
        let cubes = CubeRegisters { rp_kra: at.cube(), ..CubeRegisters::default() };
        self.set_registers(&Registers { rvk: at.cell(), cubes, ..Registers::default() });
        self.processor.clock = Clock::default();
        for breakpoint in &mut self.breakpoints {
            breakpoint.seen = 0;
        }
    }

    /// The cell of the next instruction to be executed. After a halt it is the cell after the halt.
    #[must_use]
    pub fn next_cell(&self) -> CoreAddress {
        self.processor.next_cell()
    }

    /// Sets a breakpoint: the run stops before every `passes`-th execution of the instruction in the
    /// cell; 0 means 1.
    pub fn add_breakpoint(&mut self, at: CoreAddress, passes: u64) {
        self.breakpoints.push(Breakpoint { at, passes: passes.max(1), seen: 0 });
        self.threaded.set_breakpoints(self.breakpoints.iter().map(|breakpoint| breakpoint.at));
    }

    /// Removes all breakpoints.
    pub fn clear_breakpoints(&mut self) {
        self.breakpoints.clear();
        self.threaded.set_breakpoints(std::iter::empty());
        self.at_breakpoint = false;
    }

    /// Executes one instruction, ignoring breakpoints. Returns the stop that it caused, if any.
    pub fn step(&mut self) -> Option<Stop> {
        self.at_breakpoint = false;
        self.processor.step(&mut self.periphery, None)
    }

    /// As [`Machine::step`], and reports the instruction to the observer.
    pub fn step_observed(&mut self, observer: &mut dyn Observer) -> Option<Stop> {
        self.at_breakpoint = false;
        self.processor.step(&mut self.periphery, Some(observer))
    }

    /// Runs until the machine stops, for at most `max_instructions`.
    ///
    /// A run after a halt, or after a code 35 that found a difference, continues at the next cell;
    /// after a checksum stop, at A2 of the exchange; after any other stop that an instruction caused,
    /// at that instruction.
    pub fn run(&mut self, max_instructions: u64) -> Stop {
        let slice = Slice::of_instructions(max_instructions);
        self.run_slice(slice).unwrap_or_else(|| self.at_instruction_limit())
    }

    /// Runs until the machine stops, for at most [`Limits::instructions`], or until the other limits are
    /// [reached](Limits::reached): the machine then stands wherever it was, and may go on. The limits are checked about
    /// every 0.05 s, and more often shortly before a deadline.
    ///
    /// # Errors
    /// What ended the run from outside.
    pub fn run_within(&mut self, limits: &Limits) -> Result<Stop, End> {
        let last = self.clock().instructions.saturating_add(limits.instructions);
        loop {
            if let Some(end) = limits.reached() {
                return Err(end);
            }
            let before = self.clock();
            let left = (last - before.instructions).min(responsive(limits.time_left()));
            let stop = match left {
                0 => Some(self.run(0)),
                instructions => self.run_slice(Slice { instructions, ..Slice::RESPONSIVE }),
            };
            limits.tell(self.clock().since(before).work());
            if let Some(stop) = stop {
                return Ok(stop);
            }
        }
    }

    /// Runs until the machine stops or the slice ends. `None` means that the slice ended; the next
    /// slice continues as if there had been no interruption.
    ///
    /// Slices keep a run interruptible: a caller that must check the keyboard, a clock or a limit of
    /// its own runs one slice after another, each short whatever the program does; see
    /// [`Slice::RESPONSIVE`].
    ///
    /// ```
    /// use m220_machine::{Config, Machine, Model, Slice};
    /// let mut machine = Machine::new(Config::new(Model::M220));
    /// machine.set_core("0001".parse()?, "0 56 0000 0001 0000".parse()?)?; // jumps to itself
    /// machine.start("0001".parse::<m220_isa::CoreAddress>()?);
    /// let limit = 10_000_000;
    /// let stop = loop {
    ///     let left = limit - machine.clock().instructions;
    ///     let slice = Slice { instructions: left.min(Slice::RESPONSIVE.instructions), ..Slice::RESPONSIVE };
    ///     if let Some(stop) = machine.run_slice(slice) {
    ///         break Some(stop);
    ///     }
    ///     let interrupted = false; // whatever ends the run from outside
    ///     if interrupted || machine.clock().instructions >= limit {
    ///         break None;
    ///     }
    /// };
    /// assert_eq!((stop, machine.clock().instructions), (None, limit));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run_slice(&mut self, slice: Slice) -> Option<Stop> {
        self.run_slice_with(slice, None::<&mut Profile>)
    }

    /// As [`Machine::run`], and reports instructions to the observer.
    ///
    /// Reports come in batches, in the order of execution, and all of them before the run returns.
    pub fn run_observed<O: Observer>(&mut self, max_instructions: u64, observer: &mut O) -> Stop {
        let slice = Slice::of_instructions(max_instructions);
        self.run_slice_observed(slice, observer).unwrap_or_else(|| self.at_instruction_limit())
    }

    /// As [`Machine::run_slice`], and reports instructions to the observer, as
    /// [`Machine::run_observed`] does. The observer may [end the slice early](Observer::has_enough).
    pub fn run_slice_observed<O: Observer>(&mut self, slice: Slice, observer: &mut O) -> Option<Stop> {
        self.run_slice_with(slice, Some(observer))
    }

    fn run_slice_with<O: Observer>(&mut self, slice: Slice, mut observer: Option<&mut O>) -> Option<Stop> {
        let end = self.end_of(slice);
        while !self.is_past(end) && !observer.as_deref().is_some_and(Observer::has_enough) {
            if let Some(stop) = self.at_due_breakpoint() {
                return Some(stop);
            }
            let Machine { processor, threaded, periphery, .. } = self;
            if processor.go_on_at_counter() {
                let mut all = observer.as_deref_mut().filter(|observer| observer.sees_all());
                let is_observed = all.is_some();
                let profile = all.as_deref_mut().and_then(Observer::as_profile);
                let (executed, exit) = if profile.is_some() || !is_observed {
                    threaded.run_profiled(processor, end.instructions, end.time, profile)
                } else {
                    threaded.run(processor, end.instructions, end.time, all)
                };
                if observer.as_deref().is_some_and(Observer::has_enough) && !matches!(exit, EngineExit::Formed(_)) {
                    break;
                }
                match exit {
                    EngineExit::Done => continue,
                    EngineExit::Formed(chain) => {
                        // An observer that does not see everything has missed the beginning of the chain.
                        let all = observer.as_deref_mut().filter(|observer| observer.sees_all());
                        let observer = all.map(|observer| observer as &mut dyn Observer);
                        if let Some(stop) = processor.follow(chain, periphery, observer) {
                            return Some(stop);
                        }
                        continue;
                    }
                    EngineExit::Plain if executed > 0 => {
                        if self.is_past(end) {
                            break;
                        }
                        if let Some(stop) = self.at_due_breakpoint() {
                            return Some(stop);
                        }
                    }
                    EngineExit::Plain => {}
                }
            }
            let observer = observer.as_deref_mut().map(|observer| observer as &mut dyn Observer);
            if let Some(stop) = self.processor.step(&mut self.periphery, observer) {
                return Some(stop);
            }
        }
        None
    }

    /// As [`Machine::run`], but one instruction at a time and without predecoding: slower, and the
    /// reference that [`Machine::run`] must match exactly.
    pub fn run_plain(&mut self, max_instructions: u64) -> Stop {
        let end = self.end_of(Slice::of_instructions(max_instructions));
        while !self.is_past(end) {
            if let Some(stop) = self.at_due_breakpoint() {
                return stop;
            }
            if let Some(stop) = self.processor.step(&mut self.periphery, None) {
                return stop;
            }
        }
        self.at_instruction_limit()
    }

    /// Presses the console's INPUT button: clears RA and the cube registers, and reads cards into core
    /// from cell 0001 on by one code 10, executed as if it stood in cell 0000. The next run starts
    /// at 0001.
    pub fn press_input(&mut self) -> Option<Stop> {
        self.at_breakpoint = false;
        self.processor.press_input(&mut self.periphery, None)
    }

    /// As [`Machine::press_input`], and reports the instruction to the observer.
    pub fn press_input_observed(&mut self, observer: &mut dyn Observer) -> Option<Stop> {
        self.at_breakpoint = false;
        self.processor.press_input(&mut self.periphery, Some(observer))
    }

    /// Saves core, registers, keys and clock for [`Machine::restore`]. Devices and breakpoints are not
    /// included.
    #[must_use]
    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            config: self.config,
            core: self.processor.memory.image(),
            registers: self.processor.registers(),
            resume: self.processor.resume,
            keys: std::array::from_fn(|key| self.processor.key(key + 1)),
            clock: self.processor.clock,
            at_breakpoint: self.at_breakpoint,
        }
    }

    /// Restores core, registers, keys and clock from a checkpoint. Devices, and breakpoints with their
    /// counts of passes, are left alone.
    ///
    /// # Panics
    /// If the checkpoint comes from a machine with another configuration.
    pub fn restore(&mut self, checkpoint: &Checkpoint) {
        assert_eq!(checkpoint.config, self.config, "the checkpoint comes from a machine with another configuration");
        self.processor.memory.set_image(&checkpoint.core);
        for (key, word) in (1..).zip(checkpoint.keys) {
            self.processor.set_key(key, word);
        }
        self.go_on_from(&checkpoint.registers, checkpoint.resume, checkpoint.clock, checkpoint.at_breakpoint);
    }

    /// The words of all fitted cubes, `None` for a cell never written or that is not core.
    pub(crate) fn words_written(&self) -> impl Iterator<Item = Option<Word>> {
        self.processor.memory.words_written()
    }

    /// Sets the state that a run continues from, apart from core and keys.
    pub(crate) fn go_on_from(&mut self, registers: &Registers, resume: Resume, clock: Clock, at_breakpoint: bool) {
        self.processor.set_registers(registers);
        self.processor.resume = resume;
        self.processor.clock = clock;
        self.at_breakpoint = at_breakpoint;
    }

    /// The devices, for fitting others between two runs.
    pub fn periphery_mut(&mut self) -> &mut P {
        &mut self.periphery
    }

    /// Remembers core as it is now, for [`Machine::put_back`].
    pub(crate) fn hold(&mut self) {
        self.processor.memory.hold();
    }

    /// Resets this machine to `beginning`, of which it is a clone made after [`Machine::hold`]. Devices
    /// are left alone.
    pub(crate) fn put_back(&mut self, beginning: &Machine<P>) {
        self.processor.memory.put_back();
        self.processor.copy_registers(&beginning.processor);
        if self.breakpoints != beginning.breakpoints {
            self.breakpoints.clone_from(&beginning.breakpoints);
            self.threaded.set_breakpoints(self.breakpoints.iter().map(|breakpoint| breakpoint.at));
        }
        self.at_breakpoint = beginning.at_breakpoint;
    }

    /// Where a slice that begins now ends.
    fn end_of(&self, slice: Slice) -> SliceEnd {
        let clock = self.processor.clock;
        SliceEnd {
            instructions: clock.instructions.saturating_add(slice.instructions),
            time: HalfMicroseconds(clock.m220.0.saturating_add(slice.time.0)),
            device_operations: self.processor.device_operations.saturating_add(slice.device_operations),
        }
    }

    fn is_past(&self, end: SliceEnd) -> bool {
        let Clock { instructions, m220, .. } = self.processor.clock;
        instructions >= end.instructions
            || m220 >= end.time
            || self.processor.device_operations >= end.device_operations
    }

    fn at_instruction_limit(&mut self) -> Stop {
        self.stop_between(StopReason::InstructionLimit, "the instruction limit was reached".to_owned())
    }

    /// The stop before the next instruction, if a breakpoint is due there.
    fn at_due_breakpoint(&mut self) -> Option<Stop> {
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
            _ => format!("breakpoint, pass {passes}"),
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
