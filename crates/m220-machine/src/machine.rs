//! The whole machine: processor, core, console, and whatever periphery is attached.

use crate::clock::Clock;
use crate::config::Config;
use crate::memory::CoreImage;
use crate::observer::{Observer, Profile};
use crate::periphery::{NoDevices, Periphery, UnfittedCube};
use crate::processor::{Processor, Resume};
use crate::registers::{CubeRegisters, Registers};
use crate::stop::{Stop, StopReason};
use crate::threaded::{Exit, Threaded};
use m220_isa::{Address, CoreAddress, HalfMicroseconds, Word};

/// A breakpoint: the run stops before the `passes`-th execution of the instruction in a cell, and,
/// resumed, before every `passes`-th after that.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Breakpoint {
    at: CoreAddress,
    passes: u64,
    seen: u64,
}

/// Bounds of a part of a run; it is over at the first that is reached.
///
/// An instruction of a program takes the host between a nanosecond and, for an exchange of
/// thousands of words with a drum or the printer, a tenth of a millisecond and more. Instructions
/// alone therefore do not bound how long a part of a run takes; modelled time and device
/// operations do so as well.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slice {
    /// At most so many instructions.
    pub instructions: u64,
    /// At most so much time by the M-220's table, devices included, and what goes beyond it by the
    /// instruction (with the ordinary engine: by up to 512 instructions) that reaches the bound.
    pub time: HalfMicroseconds,
    /// At most so many instructions that use a device.
    pub device_operations: u64,
}

impl Slice {
    /// A slice that is over within some 0.05 s on an ordinary computer, whatever the program does:
    /// 4 million instructions, 60 s of modelled time, 200 device operations. (It is as slow as its
    /// observer, its devices' output, and a build without optimisation make it.)
    pub const RESPONSIVE: Slice =
        Slice { instructions: 4_000_000, time: HalfMicroseconds(2 * 60_000_000), device_operations: 200 };

    /// A slice bounded by instructions alone.
    #[must_use]
    pub const fn of_instructions(instructions: u64) -> Slice {
        Slice { instructions, time: HalfMicroseconds(u64::MAX), device_operations: u64::MAX }
    }
}

/// Where a slice is over, on the machine's own counts.
#[derive(Clone, Copy)]
struct End {
    instructions: u64,
    time: HalfMicroseconds,
    device_operations: u64,
}

/// Core, registers, keys and clock of a machine at one moment; see [`Machine::checkpoint`].
///
/// Taking one costs the host a copy of core, some microseconds. A debugger that steps backwards
/// takes one every few million instructions, goes back to the last one before its goal, and runs
/// forward from there.
#[derive(Clone)]
pub struct Checkpoint {
    config: Config,
    core: CoreImage,
    registers: Registers,
    resume: Resume,
    keys: [Word; 4],
    clock: Clock,
    at_breakpoint: bool,
}

impl Checkpoint {
    /// The clock at that moment.
    #[must_use]
    pub fn clock(&self) -> Clock {
        self.clock
    }

    /// The memory that the checkpoint takes on the host, in bytes: 33 KB for each cube of core.
    #[must_use]
    pub fn size(&self) -> usize {
        size_of::<Checkpoint>() + self.core.size()
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
        self.threaded.set_breakpoints(self.breakpoints.iter().map(|breakpoint| breakpoint.at));
    }

    /// Removes all breakpoints.
    pub fn clear_breakpoints(&mut self) {
        self.breakpoints.clear();
        self.threaded.set_breakpoints(std::iter::empty());
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
        let slice = Slice::of_instructions(max_instructions);
        self.run_slice(slice).unwrap_or_else(|| self.at_instruction_limit())
    }

    /// Runs until the machine stops or the slice is over; then there is no stop, and the next slice
    /// goes on as if there had been no end to this one.
    ///
    /// This is how a run is kept interruptible: a caller that has to look at the keyboard, a clock
    /// or a limit of its own runs slice after slice, each bounded so that it is over soon whatever
    /// the program does; see [`Slice::RESPONSIVE`].
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
    ///     let interrupted = false; // what a signal handler or another thread says
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

    /// As [`Machine::run`], and tells the observer of every instruction.
    ///
    /// The observer is told of many instructions at a time, in their order, before the run ends.
    pub fn run_observed<O: Observer>(&mut self, max_instructions: u64, observer: &mut O) -> Stop {
        let slice = Slice::of_instructions(max_instructions);
        self.run_slice_observed(slice, observer).unwrap_or_else(|| self.at_instruction_limit())
    }

    /// As [`Machine::run_slice`] and [`Machine::run_observed`]. How long a slice takes depends on the
    /// observer too, and it may [have enough](Observer::has_enough) before the slice is over.
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
                let all = observer.as_deref_mut().filter(|observer| observer.sees_all());
                let (executed, exit) = threaded.run(processor, end.instructions, end.time, all);
                if observer.as_deref().is_some_and(Observer::has_enough) && !matches!(exit, Exit::Formed(_)) {
                    break;
                }
                match exit {
                    Exit::Done => continue,
                    Exit::Formed(chain) => {
                        // Who does not see all has not seen how the chain began.
                        let all = observer.as_deref_mut().filter(|observer| observer.sees_all());
                        let observer = all.map(|observer| observer as &mut dyn Observer);
                        if let Some(stop) = processor.follow(chain, periphery, observer) {
                            return Some(stop);
                        }
                        continue;
                    }
                    Exit::Plain if executed > 0 => {
                        if self.is_past(end) {
                            break;
                        }
                        if let Some(stop) = self.at_due_breakpoint() {
                            return Some(stop);
                        }
                    }
                    Exit::Plain => {}
                }
            }
            let observer = observer.as_deref_mut().map(|observer| observer as &mut dyn Observer);
            if let Some(stop) = self.processor.step(&mut self.periphery, observer) {
                return Some(stop);
            }
        }
        None
    }

    /// As [`Machine::run`], one instruction at a time, none of them decoded beforehand: slower, and what
    /// [`Machine::run`] must agree with in everything.
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

    /// Core, registers, keys and clock as they are now, to go back to. Devices and breakpoints are
    /// not part of it.
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

    /// Puts core, registers, keys and clock back to what they were at the checkpoint. Devices and
    /// breakpoints, with their counts of passes, stay as they are.
    ///
    /// # Panics
    /// If the checkpoint is of a machine of another configuration.
    pub fn restore(&mut self, checkpoint: &Checkpoint) {
        assert_eq!(checkpoint.config, self.config, "a checkpoint of another machine");
        self.processor.memory.set_image(&checkpoint.core);
        self.processor.set_registers(&checkpoint.registers);
        for (key, word) in (1..).zip(checkpoint.keys) {
            self.processor.set_key(key, word);
        }
        self.processor.resume = checkpoint.resume;
        self.processor.clock = checkpoint.clock;
        self.at_breakpoint = checkpoint.at_breakpoint;
    }

    /// Holds core as it is now, for [`Machine::put_back`].
    pub(crate) fn hold(&mut self) {
        self.processor.memory.hold();
    }

    /// Becomes what another machine is; both hold the same core, and this one has the devices.
    pub(crate) fn put_back(&mut self, beginning: &Machine<P>) {
        self.processor.memory.put_back();
        self.processor.copy_registers(&beginning.processor);
        if self.breakpoints != beginning.breakpoints {
            self.breakpoints.clone_from(&beginning.breakpoints);
            self.threaded.set_breakpoints(self.breakpoints.iter().map(|breakpoint| breakpoint.at));
        }
        self.at_breakpoint = beginning.at_breakpoint;
    }

    /// Where a slice that begins now is over.
    fn end_of(&self, slice: Slice) -> End {
        let clock = self.processor.clock;
        End {
            instructions: clock.instructions.saturating_add(slice.instructions),
            time: HalfMicroseconds(clock.m220.0.saturating_add(slice.time.0)),
            device_operations: self.processor.device_operations.saturating_add(slice.device_operations),
        }
    }

    fn is_past(&self, end: End) -> bool {
        let Clock { instructions, m220, .. } = self.processor.clock;
        instructions >= end.instructions
            || m220 >= end.time
            || self.processor.device_operations >= end.device_operations
    }

    fn at_instruction_limit(&mut self) -> Stop {
        self.stop_between(StopReason::InstructionLimit, "the limit of instructions was reached".to_owned())
    }

    /// The stop before the next instruction, if a breakpoint asks for it.
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
