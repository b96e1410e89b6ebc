//! Records a run, instruction by instruction, for replay in the page.
//!
//! A recording is a sequence of frames. A frame is what one instruction changed, or `every` instructions together, or
//! fewer up to one that printed something: the cell executed last, the registers, the words stored, the time. The page
//! keeps core and registers itself and applies one frame after the other, forwards and back. The documentation of the
//! crate `m220-console` has the format.

use crate::description::{Description, index_of};
use m220_debugger::Roll;
use m220_isa::{CoreAddress, HalfMicroseconds, Model, Word};
use m220_machine::{LastStep, Machine, Periphery, Register, Slice, StepReport, Stop, periphery};
use serde::Serialize;
use serde_json::json;
use std::num::NonZeroU64;

/// The longest recording, in frames: some ten megabytes of page, which a browser unpacks in a second or two.
pub const MOST_FRAMES: u64 = 1_000_000;

/// From this many instructions per frame on, all but the last of each are run at full speed and not watched: a search
/// of all core for changes costs as much as watching a few hundred.
const UNWATCHED: u64 = 1_000;
/// A run that is too long for a recording is followed so many instructions, some seconds, to tell how long it is.
const LONGEST_FOLLOWED: u64 = 500_000_000;

/// Which instructions of a run are recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Every {
    /// Instructions per frame; a frame of several ends earlier where something was printed.
    pub instructions: NonZeroU64,
    /// The first instruction, counted from 1.
    pub from: u64,
    /// The last one.
    pub to: u64,
}

impl Default for Every {
    /// All of them, one per frame.
    fn default() -> Every {
        Every { instructions: NonZeroU64::MIN, from: 1, to: u64::MAX }
    }
}

/// Why a run cannot be recorded.
#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    /// The recording has more frames than a page can hold.
    #[error(transparent)]
    TooLong(#[from] TooLong),
    /// The run stopped before the window began.
    #[error("the run ended after {instructions} instructions, before instruction {from}, the first to be recorded")]
    NothingToRecord {
        /// The instructions of the run.
        instructions: u64,
        /// The beginning of the window.
        from: u64,
    },
    /// The header cannot be written.
    #[error("{0}")]
    Header(#[from] serde_json::Error),
}

/// The length of a recording that is too long.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a replay holds {MOST_FRAMES} frames, this one would have {frames}{}", if *is_open { " and more" } else { "" })]
pub struct TooLong {
    /// Frames that would be recorded.
    pub frames: u64,
    /// The run was left before its end: there would be more.
    pub is_open: bool,
}

impl TooLong {
    /// The least number of instructions per frame with which the run would fit, rounded to two digits.
    #[must_use]
    pub fn enough(&self, now: NonZeroU64) -> u64 {
        let exact = self.frames.div_ceil(MOST_FRAMES).saturating_mul(now.get());
        let scale = 10u64.pow(exact.checked_ilog10().unwrap_or(0).saturating_sub(1));
        exact.div_ceil(scale) * scale
    }

    /// How many instructions fit into a recording.
    #[must_use]
    pub fn most_instructions(&self, every: NonZeroU64) -> u64 {
        MOST_FRAMES.saturating_mul(every.get())
    }
}

/// The facts about a run that are known at its end.
#[derive(Serialize, Clone, Debug, Default)]
struct ReplayTrailer {
    /// Instructions executed before the first frame.
    skipped: u64,
    /// Half-microseconds of M-220 time before the first frame.
    skipped_time: u64,
    /// Instructions per frame.
    every: u64,
    frames: u64,
    /// The registers before the first frame, in the order of the description.
    registers: Vec<u64>,
    /// The cell of the first instruction.
    start: u16,
    /// The cell that would be executed after the last frame.
    end: u16,
    /// Why the machine stopped: reason, cell, message; null if the recording ends before the run.
    stop: Option<(String, u16, String)>,
    instructions: u64,
    time_m220: u64,
    time_m20: u64,
    /// The checksum over cube 0, 15 octal digits, after the last frame.
    core_checksum: String,
}

/// A run for replay in the page.
#[derive(Clone, Debug)]
pub struct Recording {
    /// The description and the facts known at the end, as JSON.
    pub header: Vec<u8>,
    /// Core before the first frame, and the frames.
    pub frames: Vec<u8>,
    /// How many frames there are.
    pub frame_count: u64,
}

/// Records one run, instruction by instruction.
#[derive(Default)]
pub struct Recorder {
    model: Model,
    every: Every,
    started: bool,
    /// Core in the page's state.
    shadow: Vec<Word>,
    shadow_registers: Vec<u64>,
    body: Vec<u8>,
    frames: u64,
    ending: ReplayTrailer,
    /// The frame being gathered.
    pending: u64,
    stored: Vec<u16>,
    scan: bool,
    last_at: u16,
    predicted: u16,
    /// The time of the last frame that ended in each cell; the next one usually takes the same time.
    times: Vec<u32>,
    recorded_time: HalfMicroseconds,
    /// Whether the page's limit of frames was exceeded, so that the rest is not recorded.
    overflowed: bool,
    printed: Roll,
}

/// The flags of a frame.
mod flag {
    pub const JUMPED: u8 = 1;
    pub const RR: u8 = 2;
    pub const RA: u8 = 4;
    pub const OMEGA: u8 = 8;
    pub const STORE: u8 = 16;
    pub const TIME: u8 = 32;
    pub const MORE: u8 = 64;
}

/// The flags of the second byte, after [`flag::MORE`].
mod more {
    pub const REGISTERS: u8 = 1;
    pub const STORES: u8 = 2;
    pub const COUNT: u8 = 4;
    pub const PRINTED: u8 = 8;
}

fn put_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn zigzag(difference: i32) -> u64 {
    u64::from(((difference << 1) ^ (difference >> 31)) as u32)
}

fn registers_of<P: Periphery>(machine: &Machine<P>) -> Vec<u64> {
    Register::ALL.into_iter().map(|register| register.read(machine)).collect()
}

/// The registers with their own flags in a frame.
fn is_common(register: Register) -> bool {
    matches!(register, Register::Rvk | Register::Ra | Register::Omega | Register::Rr)
}

impl Recorder {
    /// A recorder for a machine that is about to start.
    #[must_use]
    pub fn new(model: Model, every: Every) -> Recorder {
        let ending = ReplayTrailer { every: every.instructions.get(), ..ReplayTrailer::default() };
        Recorder { model, every, ending, ..Recorder::default() }
    }

    /// Runs a machine as [`Machine::run_slice`] does, and records the instructions in the window. Recording does not
    /// change the run; only [`Recorder::finish`] reports that the recording became too long.
    pub fn run<P: Periphery>(&mut self, machine: &mut Machine<P>, slice: Slice) -> Option<Stop> {
        let end = machine.clock().instructions.saturating_add(slice.instructions);
        let until = HalfMicroseconds(machine.clock().m220.0.saturating_add(slice.time.0));
        let mut devices = slice.device_operations;
        while machine.clock().instructions < end && machine.clock().m220 < until && devices > 0 {
            let executed = machine.clock().instructions;
            if executed + 1 < self.every.from {
                // Nothing is recorded yet: full speed.
                let before = Slice { instructions: (self.every.from - 1).min(end) - executed, ..slice };
                let stop = machine.run_slice(before);
                if stop.is_some() || machine.clock().instructions + 1 < self.every.from {
                    return stop;
                }
                continue;
            }
            if executed >= self.every.to || self.overflowed {
                return machine.run_slice(Slice { instructions: end - executed, ..slice });
            }
            if !self.started {
                self.start(machine);
            }
            // The last instruction of a frame is always watched, and the last one of all.
            let room = [self.every.instructions.get() - self.pending, end - executed, self.every.to - executed];
            let unwatched = room.into_iter().min().map_or(0, |room| room - 1);
            if self.every.instructions.get() >= UNWATCHED && unwatched > 0 {
                let time = HalfMicroseconds(until.0 - machine.clock().m220.0);
                let mut last = LastStep::of(self.model);
                let part = Slice { instructions: unwatched, time, device_operations: 1 };
                let stop = machine.run_slice_observed(part, &mut last);
                self.pending += machine.clock().instructions - executed;
                self.scan = true;
                let used = last.step.is_some_and(|report| report.uses_device(self.model));
                if let Some(report) = last.step.filter(|_| used || stop.is_some()) {
                    self.last_at = index_of(report.at);
                }
                if used {
                    devices -= 1;
                    self.frame_of_print(machine);
                }
                if stop.is_some() {
                    return stop;
                }
                continue;
            }
            let mut report = None;
            let mut observer = |step: &StepReport| report = Some(*step);
            let stop = machine.run_slice_observed(Slice::of_instructions(1), &mut observer);
            if let Some(report) = report {
                devices -= u64::from(self.executed(machine, &report));
            }
            if stop.is_some() {
                return stop;
            }
        }
        None
    }

    /// Whether the recording has become too long, and the run has been followed further than it is worth to tell by how
    /// much.
    #[must_use]
    pub fn is_hopeless<P: Periphery>(&self, machine: &Machine<P>) -> bool {
        self.overflowed && machine.clock().instructions > self.ending.skipped.saturating_add(LONGEST_FOLLOWED)
    }

    /// Sets the roll to which the machine's printer writes.
    #[must_use]
    pub fn with_printer(mut self, printed: Roll) -> Recorder {
        self.printed = printed;
        self
    }

    fn start<P: Periphery>(&mut self, machine: &Machine<P>) {
        self.started = true;
        self.shadow = machine.core_words().collect();
        self.shadow_registers = registers_of(machine);
        self.times = vec![0; self.shadow.len()];
        self.ending.registers.clone_from(&self.shadow_registers);
        self.ending.skipped = machine.clock().instructions;
        self.ending.skipped_time = machine.clock().m220.0;
        self.recorded_time = machine.clock().m220;
        self.ending.start = index_of(machine.next_cell());
        self.predicted = self.ending.start;
        self.body.extend(self.shadow.iter().flat_map(|word| word.bits().to_le_bytes().into_iter().take(6)));
    }

    /// Gathers one instruction; returns whether it used a device.
    fn executed<P: Periphery>(&mut self, machine: &Machine<P>, step: &StepReport) -> bool {
        self.pending += 1;
        self.last_at = index_of(step.at);
        let device = step.uses_device(self.model);
        match step.stored_in(self.model) {
            Some(cell) => self.stored.push(index_of(cell)),
            // Stored in another cell than A3.
            None => self.scan |= step.result.is_some(),
        }
        // A device may write anywhere.
        self.scan |= device;
        // The last frame of the window may be a short one.
        if self.pending >= self.every.instructions.get() || machine.clock().instructions >= self.every.to {
            self.frame(machine);
        } else if device {
            self.frame_of_print(machine);
        }
        device
    }

    /// Ends the frame where something was printed: printed output is worth a look.
    fn frame_of_print<P: Periphery>(&mut self, machine: &Machine<P>) {
        if !self.printed.is_empty() {
            self.frame(machine);
        }
    }

    /// Writes the gathered frame.
    fn frame<P: Periphery>(&mut self, machine: &Machine<P>) {
        if self.frames == MOST_FRAMES {
            self.overflowed = true;
            return;
        }
        let changes = self.changes(machine);
        let registers = registers_of(machine);
        let clock = machine.clock();
        let time = clock.m220.0 - self.recorded_time.0;
        let value = |register: Register| {
            let place = Register::ALL.into_iter().position(|other| other == register).unwrap_or_default();
            (registers[place], self.shadow_registers[place])
        };
        let mut flags = 0;
        let mut tail = Vec::new();
        if self.last_at != self.predicted {
            flags |= flag::JUMPED;
            put_number(&mut tail, zigzag(i32::from(self.last_at) - i32::from(self.predicted)));
        }
        let one_store = if let [(cell, word)] = changes.as_slice() { Some((*cell, *word)) } else { None };
        let (rr, rr_before) = value(Register::Rr);
        if rr != one_store.map_or(rr_before, |(_, word)| word.bits()) {
            flags |= flag::RR;
            put_number(&mut tail, rr);
        }
        let (ra, ra_before) = value(Register::Ra);
        if ra != ra_before {
            flags |= flag::RA;
            put_number(&mut tail, ra);
        }
        if value(Register::Omega).0 != 0 {
            flags |= flag::OMEGA;
        }
        if let Some((cell, word)) = one_store {
            flags |= flag::STORE;
            put_number(&mut tail, u64::from(cell));
            put_number(&mut tail, word.bits());
        }
        let usual = &mut self.times[usize::from(self.last_at)];
        if u64::from(*usual) != time {
            flags |= flag::TIME;
            put_number(&mut tail, time);
            *usual = u32::try_from(time).unwrap_or(u32::MAX);
        }
        let (second, extra) = self.more(&changes, &registers, one_store.is_some());
        if second != 0 {
            flags |= flag::MORE;
        }
        self.body.push(flags);
        self.body.extend(tail);
        if second != 0 {
            self.body.push(second);
            self.body.extend(extra);
        }
        for (cell, word) in changes {
            self.shadow[usize::from(cell)] = word;
        }
        self.shadow_registers = registers;
        self.recorded_time = clock.m220;
        self.frames += 1;
        self.pending = 0;
        self.predicted = self.last_at.wrapping_add(1);
    }

    /// The rare parts of a frame: their flags and bytes.
    fn more(&mut self, changes: &[(u16, Word)], registers: &[u64], one_store: bool) -> (u8, Vec<u8>) {
        let mut second = 0;
        let mut extra = Vec::new();
        let rare = Register::ALL
            .into_iter()
            .enumerate()
            .filter(|(place, register)| !is_common(*register) && registers[*place] != self.shadow_registers[*place]);
        let rare: Vec<usize> = rare.map(|(place, _)| place).collect();
        if !rare.is_empty() {
            second |= more::REGISTERS;
            put_number(&mut extra, rare.iter().fold(0, |mask, place| mask | 1 << place));
            for place in rare {
                put_number(&mut extra, registers[place]);
            }
        }
        if !one_store && !changes.is_empty() {
            second |= more::STORES;
            put_number(&mut extra, changes.len() as u64);
            for (cell, word) in changes {
                put_number(&mut extra, u64::from(*cell));
                put_number(&mut extra, word.bits());
            }
        }
        if self.pending != 1 {
            second |= more::COUNT;
            put_number(&mut extra, self.pending);
        }
        let printed = self.printed.take();
        if !printed.is_empty() {
            second |= more::PRINTED;
            put_number(&mut extra, printed.len() as u64);
            extra.extend(printed);
        }
        (second, extra)
    }

    /// The cells that differ from the page's state or were stored into, with their current words.
    fn changes<P: Periphery>(&mut self, machine: &Machine<P>) -> Vec<(u16, Word)> {
        if std::mem::take(&mut self.scan) {
            self.stored.clear();
            let words = machine.core_words().zip(&self.shadow).enumerate();
            return words
                .filter(|(_, (now, before))| now != *before)
                .map(|(index, (now, _))| (index as u16, now))
                .collect();
        }
        self.stored.sort_unstable();
        self.stored.dedup();
        let word = |cell: u16| CoreAddress::from_index(usize::from(cell)).ok().and_then(|cell| machine.core(cell).ok());
        // A word stored in cell 0000 is lost.
        self.stored.drain(..).filter(|cell| cell & 0o7777 != 0).filter_map(|cell| Some((cell, word(cell)?))).collect()
    }

    /// Finishes the recording of a run that ended with `stop` or at a limit.
    ///
    /// # Errors
    /// [`RecordingError`] if it became too long, or the run ended before the window.
    pub fn finish<P: Periphery>(
        mut self,
        description: &Description,
        machine: &Machine<P>,
        stop: Option<&Stop>,
    ) -> Result<Recording, RecordingError> {
        let clock = machine.clock();
        if !self.started {
            return Err(RecordingError::NothingToRecord { instructions: clock.instructions, from: self.every.from });
        }
        let complete = clock.instructions <= self.every.to;
        if complete && self.pending > 0 {
            self.frame(machine);
        }
        if self.overflowed {
            let last = self.every.to.min(clock.instructions);
            let frames = last.saturating_sub(self.ending.skipped).div_ceil(self.every.instructions.get());
            return Err(TooLong { frames, is_open: self.is_hopeless(machine) }.into());
        }
        self.ending.frames = self.frames;
        let stop = stop.filter(|_| complete);
        self.ending.stop = stop.map(|stop| (stop.reason.name().to_owned(), index_of(stop.at), stop.message.clone()));
        self.ending.end = index_of(machine.next_cell());
        self.ending.instructions = clock.instructions;
        self.ending.time_m220 = clock.m220.0;
        self.ending.time_m20 = clock.m20.0;
        let words = self.shadow.iter().copied().take(0o10000).skip(1);
        let checksum = if complete { machine.core_checksum() } else { periphery::checksum(words) };
        self.ending.core_checksum = checksum.to_string();
        let header = json!({ "description": description, "run": self.ending });
        Ok(Recording { header: serde_json::to_vec(&header)?, frames: self.body, frame_count: self.frames })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use m220_asm::{Image, assemble_text};
    use m220_machine::Config;
    use m220_machine::devices::Devices;

    /// Stores in every way: at A3, modified, into another cube by code 37, and into itself.
    const STORES: &str = "origin 0100\nstart begin\nbegin: SETR 0, 3\nloop: ADDA one, sum[RA], sum[RA]\n ADDA loop, one, loop\n \
                          STOD far, 0, one\n MOV one, 0, 0\n JG 10, loop, 1[RA]\n JL 10, loop, 1[RA]\n STOP\n\
                          one: octal 000000000000001\nfar: octal 000000000010017\nsum: reserve 20\n";

    fn machine(source: &str) -> (Machine, Image) {
        let image = assemble_text("stores.m220", source, Model::M220).map(|program| program.image).unwrap();
        let mut machine = Machine::new(Config::new(Model::M220));
        for (&cell, &word) in &image.words {
            machine.set_core(cell, word).unwrap();
        }
        machine.start(image.entry.unwrap());
        (machine, image)
    }

    fn every(instructions: u64, from: u64, to: u64) -> Every {
        Every { instructions: NonZeroU64::new(instructions).unwrap(), from, to }
    }

    /// The page's state equals the machine's, and recording does not change the run.
    #[test]
    fn the_page_gets_the_same_core_and_registers() {
        for frames_of in [1, 2, 3, 7] {
            let (mut plain, _) = machine(STORES);
            let expected = plain.run(1_000);
            let (mut machine, image) = machine(STORES);
            let mut recorder = Recorder::new(Model::M220, every(frames_of, 1, u64::MAX));
            let stop = recorder.run(&mut machine, Slice::of_instructions(1_000));
            assert_eq!(stop.as_ref(), Some(&expected));
            assert_eq!(machine.clock(), plain.clock());
            if recorder.pending > 0 {
                recorder.frame(&machine);
            }
            assert!(recorder.shadow.iter().copied().eq(plain.core_words()), "frames of {frames_of}");
            assert_eq!(recorder.shadow_registers, registers_of(&plain));
            let description = Description::new("stores", machine.config(), &image);
            let recording = recorder.finish(&description, &machine, stop.as_ref()).unwrap();
            assert_eq!(recording.frame_count, plain.clock().instructions.div_ceil(frames_of));
        }
    }

    /// The last frame of a window that ends before the run is as long as is left, for watched frames and unwatched ones.
    #[test]
    fn a_window_is_recorded_to_its_end() {
        const ENDLESS: &str = "origin 0100\nstart begin\nbegin: ADDA one, sum, sum\n JMP 0, begin\n\
                               one: octal 000000000000001\nsum: reserve 1\n";
        for frames_of in [7, UNWATCHED] {
            let (mut machine, image) = machine(ENDLESS);
            let (mut plain, _) = self::machine(ENDLESS);
            let last = 3 * frames_of + 4;
            plain.run(last);
            let mut recorder = Recorder::new(Model::M220, every(frames_of, 3, last));
            recorder.run(&mut machine, Slice::of_instructions(last + 10));
            assert!(recorder.shadow.iter().copied().eq(plain.core_words()), "frames of {frames_of}");
            let recording =
                recorder.finish(&Description::new("endless", machine.config(), &image), &machine, None).unwrap();
            assert_eq!(recording.frame_count, 4);
        }
    }

    /// Long frames are run at full speed; each ends after its number of instructions, or where the printer has printed,
    /// even by an instruction that another one formed.
    #[test]
    fn long_frames_end_where_something_is_printed() {
        long_frames_end_where_it_prints(Model::M220, "EXCH sum, 0");
        long_frames_end_where_it_prints(Model::Itep, "FORMA 0, 0, 0\n EXCH sum, 0");
    }

    fn long_frames_end_where_it_prints(model: Model, print: &str) {
        let source = format!(
            "origin 0100\nstart begin\nbegin: SETR 0, 0\nloop: ADDA one, sum, sum\n JL 1777, loop, 1[RA]\n \
                      PREP 2500, 0, sum\n {print}\n ADDA one, sum, sum\n JMP 0, begin\n\
                      one: octal 000000000000001\nsum: reserve 1\n"
        );
        let image = assemble_text("prints.m220", &source, model).unwrap().image;
        let printed = Roll::default();
        let mut devices = Devices::new(model);
        devices.fit_printer(Box::new(printed.clone()), false);
        let mut machine = Machine::with_periphery(Config::new(model), devices);
        for (&cell, &word) in &image.words {
            machine.set_core(cell, word).unwrap();
        }
        machine.start(image.entry.unwrap());
        let mut recorder = Recorder::new(model, every(1_000, 1, u64::MAX)).with_printer(printed);
        let at = |name| index_of(image.cell(name).unwrap());
        // The first print comes 2,051 instructions after the start, each further one 2,053 after the one before.
        for (print, slice) in [2_051, 2_053, 2_053].into_iter().zip([7, 100_000, 500]) {
            let end = machine.clock().instructions + print;
            while machine.clock().instructions < end {
                // The slice ends at the device if the recorder has noticed it.
                let slice = Slice { device_operations: 1, ..Slice::of_instructions(slice) };
                assert_eq!(recorder.run(&mut machine, slice), None);
            }
            assert_eq!(machine.clock().instructions, end);
            assert_eq!((recorder.pending, recorder.last_at), (0, at("loop") + 3), "{:?}", machine.clock());
            assert!(recorder.printed.is_empty());
            assert!(recorder.shadow.iter().copied().eq(machine.core_words()));
        }
        assert_eq!(recorder.frames, 9);
    }

    /// A window holds its instructions and no others; one that begins after the end is rejected.
    #[test]
    fn windows() {
        let frames = |from, to| {
            let (mut machine, image) = machine(STORES);
            let mut recorder = Recorder::new(Model::M220, every(1, from, to));
            let stop = recorder.run(&mut machine, Slice::of_instructions(1_000));
            assert_eq!(stop.map(|stop| stop.reason), Some(m220_machine::StopReason::Halt));
            let description = Description::new("stores", machine.config(), &image);
            recorder.finish(&description, &machine, None).map(|recording| recording.frame_count)
        };
        assert_eq!(frames(1, 5).unwrap(), 5);
        assert_eq!(frames(3, 5).unwrap(), 3);
        assert!(matches!(frames(1_000, 2_000), Err(RecordingError::NothingToRecord { from: 1_000, .. })));
    }

    /// A run that is too long is rejected with its length, but still runs to its end.
    #[test]
    fn too_long_is_refused() {
        let (mut machine, image) = machine("origin 0100\nstart begin\nbegin: JMP 0, begin\n");
        let mut recorder = Recorder::new(Model::M220, every(1, 1, u64::MAX));
        let instructions = MOST_FRAMES * 5 / 2;
        assert_eq!(recorder.run(&mut machine, Slice::of_instructions(instructions)), None);
        let description = Description::new("endless", machine.config(), &image);
        let refused = recorder.finish(&description, &machine, None);
        let Err(RecordingError::TooLong(long)) = refused else { panic!("{refused:?}") };
        assert_eq!((long.frames, long.is_open, long.enough(NonZeroU64::MIN)), (instructions, false, 3));
        assert_eq!(machine.clock().instructions, instructions);
    }

    #[test]
    fn numbers_a_frame_are_rounded_up() {
        let enough = |frames, every| TooLong { frames, is_open: false }.enough(NonZeroU64::new(every).unwrap());
        assert_eq!(
            [enough(1_000_001, 1), enough(20_400_000, 1), enough(123_400_000, 1), enough(2_000_000, 30)],
            [2, 21, 130, 60]
        );
    }
}
