//! A stopped machine as the bytes of a file, from which it continues as if it had never stopped.

use crate::clock::Clock;
use crate::config::{Config, MemoryMode, Model};
use crate::devices::Devices;
use crate::devices::drum::Drum;
use crate::devices::tape::{Tape, fnv1a};
use crate::machine::{Checkpoint, Machine};
use crate::processor::Resume;
use crate::registers::{CubeRegisters, Preparation, Registers};
use m220_isa::{Address, CoreAddress, HalfMicroseconds, Word};
use std::fmt::Display;

const MAGIC: &[u8; 8] = b"M220STOP";
const VERSION: u64 = 1;
/// Marks a word never written, a device not fitted, an exchange not prepared.
const NONE: u64 = u64::MAX;
/// Drums and tapes have numbers below this.
const MEDIA: u8 = 4;

/// Why a file is not that of a stopped machine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoppedFileError {
    /// It begins with something else.
    #[error("not the file of a stopped machine")]
    NotAMachine,
    /// It is of another version of the format.
    #[error("a stopped machine in format version {0}: expected version {VERSION}")]
    Version(u64),
    /// Its last eight bytes are not the sum of those before.
    #[error("the file is damaged or cut off: its checksum does not match its content")]
    Damaged,
    /// The sum is right, but no stopped machine has this content.
    #[error("byte {at}: {problem}")]
    Impossible {
        /// Where it was read.
        at: usize,
        /// What is wrong.
        problem: String,
    },
}

impl Machine<Devices> {
    /// The machine as the bytes of a file: core, registers, keys, clock, print buffer, drums with the count of their
    /// exchanges, and tapes. Cards, the paper of printer and punch, and breakpoints are not in it.
    ///
    /// Numbers have eight bytes, the lowest first; the last is the 64-bit FNV-1a sum of all bytes before it.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let Registers { rvk, ra, omega, rr, rmr, p1, after_multiplication, cubes, prepared } = self.registers();
        let CubeRegisters { rp_mb, rp_ml, rp_kra, rp_a1, rp_a2, rp_a3 } = cubes;
        let Checkpoint { config, resume, keys, clock, at_breakpoint, .. } = self.checkpoint();
        let Config { model, cubes, memory_mode } = config;
        let prepared = prepared.map_or(vec![NONE], |Preparation { condition, device_address, last }| {
            [condition, device_address, last].map(|address| address.get().into()).to_vec()
        });
        let mut numbers = vec![VERSION, model as u64, cubes.into(), (memory_mode == MemoryMode::II).into()];
        numbers.extend([rvk.get().into(), ra.get().into(), omega.into(), rr.bits(), rmr.bits(), p1.bits()]);
        numbers.push(after_multiplication.into());
        numbers.extend([rp_mb, rp_ml, rp_kra, rp_a1, rp_a2, rp_a3].map(u64::from));
        numbers.extend(prepared);
        numbers.push(resume.cell().map_or(NONE, u64::from));
        numbers.extend(keys.map(Word::bits));
        numbers.extend([clock.instructions, clock.m20.0, clock.m220.0, clock.device_m220.0, at_breakpoint.into()]);
        numbers.extend(self.words_written().map(|word| word.map_or(NONE, Word::bits)));
        numbers.extend(self.periphery().print_buffer().to_numbers());
        numbers.push(self.periphery().drum_exchanges());
        let mut bytes = MAGIC.to_vec();
        bytes.extend(numbers.into_iter().flat_map(u64::to_le_bytes));
        let devices = self.periphery();
        let media = (0..MEDIA).map(|number| devices.drum(number).map(Drum::to_bytes));
        for medium in media.chain((0..MEDIA).map(|number| devices.tape(number).map(Tape::to_bytes))) {
            bytes.extend(medium.as_ref().map_or(NONE, |medium| medium.len() as u64).to_le_bytes());
            bytes.extend(medium.unwrap_or_default());
        }
        bytes.extend(fnv1a(&bytes).to_le_bytes());
        bytes
    }

    /// The machine that [`Machine::to_bytes`] wrote, with its drums and tapes; printer, punch and card reader must be
    /// fitted anew.
    ///
    /// # Errors
    /// [`StoppedFileError`] for bytes that are not those of a stopped machine, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Machine<Devices>, StoppedFileError> {
        let content = bytes.strip_prefix(MAGIC).ok_or(StoppedFileError::NotAMachine)?;
        let (content, last) = content.split_last_chunk().ok_or(StoppedFileError::Damaged)?;
        if fnv1a(&bytes[..bytes.len() - last.len()]) != u64::from_le_bytes(*last) {
            return Err(StoppedFileError::Damaged);
        }
        let mut file = Reader { bytes: content, at: 0 };
        match file.number()? {
            VERSION => {}
            version => return Err(StoppedFileError::Version(version)),
        }
        let model = Model::ALL[file.below(Model::ALL.len() as u64, "the model")? as usize];
        let cubes = file.below(5, "the number of cubes")? as u8;
        let memory_mode = if file.flag()? { MemoryMode::II } else { MemoryMode::I };
        let config = Config { model, cubes, memory_mode }.check().map_err(|error| file.impossible(error))?;
        let mut machine = Machine::with_periphery(config, Devices::new(model));
        let registers = Registers {
            rvk: file.address()?,
            ra: file.address()?,
            omega: file.flag()?,
            rr: file.word()?,
            rmr: file.word()?,
            p1: file.word()?,
            after_multiplication: file.flag()?,
            cubes: CubeRegisters {
                rp_mb: file.cube()?,
                rp_ml: file.cube()?,
                rp_kra: file.cube()?,
                rp_a1: file.cube()?,
                rp_a2: file.cube()?,
                rp_a3: file.cube()?,
            },
            prepared: file.optional(|file| {
                let [condition, device_address, last] = [file.address()?, file.address()?, file.address()?];
                Ok(Preparation { condition, device_address, last })
            })?,
        };
        let resume = file.optional(|file| Ok(file.below(Address::CELLS as u64 + 1, "a cell to go on at")? as u16))?;
        for key in 1..=4 {
            machine.set_key(key, file.word()?);
        }
        // A machine that goes on must not come to the end of the numbers.
        let mut counted = || file.below(1 << 62, "a clock's time");
        let clock = Clock {
            instructions: counted()?,
            m20: HalfMicroseconds(counted()?),
            m220: HalfMicroseconds(counted()?),
            device_m220: HalfMicroseconds(counted()?),
        };
        let at_breakpoint = file.flag()?;
        for index in 0..usize::from(cubes) * Address::CELLS {
            if let (Some(word), Ok(cell)) = (file.optional(Reader::word)?, CoreAddress::from_index(index)) {
                machine.set_core(cell, word).map_err(|error| file.impossible(error))?;
            }
        }
        machine.go_on_from(&registers, resume.map_or(Resume::AtCounter, Resume::At), clock, at_breakpoint);
        let devices = machine.periphery_mut();
        let buffer = devices.print_buffer_mut();
        let numbers = (0..buffer.to_numbers().count()).map(|_| file.number()).collect::<Result<Vec<_>, _>>()?;
        if !buffer.set_numbers(&numbers) {
            return Err(file.impossible("not a print buffer"));
        }
        devices.set_drum_exchanges(file.number()?);
        for number in 0..MEDIA {
            if let Some(bytes) = file.optional(Reader::medium)? {
                let drum = Drum::from_bytes(model, bytes).map_err(|error| file.impossible(error))?;
                devices.fit_drum(number, drum).map_err(|error| file.impossible(error))?;
            }
        }
        for number in 0..MEDIA {
            if let Some(bytes) = file.optional(Reader::medium)? {
                let tape = Tape::from_bytes(model, bytes).map_err(|error| file.impossible(error))?;
                devices.fit_tape(number, tape).map_err(|error| file.impossible(error))?;
            }
        }
        if file.at != content.len() { Err(file.impossible("more than a machine")) } else { Ok(machine) }
    }
}

/// The content of a file between magic number and sum.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn impossible(&self, problem: impl Display) -> StoppedFileError {
        StoppedFileError::Impossible { at: MAGIC.len() + self.at, problem: problem.to_string() }
    }

    fn number(&mut self) -> Result<u64, StoppedFileError> {
        let number = self.bytes.get(self.at..).and_then(<[u8]>::first_chunk);
        let number = u64::from_le_bytes(*number.ok_or_else(|| self.impossible("the file ends here"))?);
        self.at += 8;
        Ok(number)
    }

    fn below(&mut self, end: u64, name: &str) -> Result<u64, StoppedFileError> {
        let number = self.number()?;
        if number < end { Ok(number) } else { Err(self.impossible(format!("{name} is {number}"))) }
    }

    fn flag(&mut self) -> Result<bool, StoppedFileError> {
        Ok(self.below(2, "a register of one bit")? == 1)
    }

    fn cube(&mut self) -> Result<u8, StoppedFileError> {
        Ok(self.below(8, "a cube register")? as u8)
    }

    fn address(&mut self) -> Result<Address, StoppedFileError> {
        Ok(Address::truncating(self.below(Address::CELLS as u64, "an address")?))
    }

    fn word(&mut self) -> Result<Word, StoppedFileError> {
        Ok(Word::truncating(self.below(Word::MASK + 1, "a word")?))
    }

    /// What `read` finds, or `None` where [`NONE`] stands.
    fn optional<T>(
        &mut self,
        read: impl FnOnce(&mut Reader<'a>) -> Result<T, StoppedFileError>,
    ) -> Result<Option<T>, StoppedFileError> {
        let begin = self.at;
        if self.number()? == NONE {
            return Ok(None);
        }
        self.at = begin;
        read(self).map(Some)
    }

    fn medium(&mut self) -> Result<&'a [u8], StoppedFileError> {
        let length = usize::try_from(self.number()?).ok();
        let bytes = length.and_then(|length| self.bytes.get(self.at..)?.get(..length));
        let bytes = bytes.ok_or_else(|| self.impossible("the file ends within a drum or tape"))?;
        self.at += bytes.len();
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StopReason;

    /// A machine that sums in a loop, writes core to the drum and prints, stopped after this many instructions.
    fn running(instructions: u64) -> Machine<Devices> {
        let mut devices = Devices::new(Model::M220);
        devices.fit_drum(0, Drum::blank(Model::M220)).unwrap();
        devices.fit_tape(2, Tape::blank(Model::M220)).unwrap();
        devices.fit_printer(Box::new(std::io::sink()), false);
        let mut machine = Machine::with_periphery(Config::new(Model::M220), devices);
        let program = [
            "0 13 0021 0020 0021",
            "0 50 0014 0000 0105",
            "0 70 0100 0000 0000",
            "0 50 2500 0000 0105",
            "0 70 0100 0000 0000",
            "0 56 0000 0100 0000",
        ];
        machine.set_core("0020".parse().unwrap(), Word::truncating(3)).unwrap();
        for (cell, word) in (0o100..).zip(program) {
            let cell = CoreAddress::from_index(cell).unwrap();
            machine.set_core(cell, word.parse().unwrap()).unwrap();
        }
        machine.set_key(3, Word::truncating(0o1234));
        machine.start("0100".parse::<CoreAddress>().unwrap());
        machine.run(instructions);
        machine
    }

    #[test]
    fn a_machine_goes_on_from_its_file_as_if_it_had_never_stopped() {
        for instructions in 0..12 {
            let mut machine = running(instructions);
            let bytes = machine.to_bytes();
            let mut again = Machine::from_bytes(&bytes).unwrap();
            again.periphery_mut().fit_printer(Box::new(std::io::sink()), false);
            assert!(again.to_bytes() == bytes, "after {instructions}");
            assert_eq!(again.cells_written(), machine.cells_written());
            assert_eq!(again.periphery().drum_exchanges(), machine.periphery().drum_exchanges());
            assert_eq!(again.run(100).reason, StopReason::InstructionLimit);
            assert_eq!(machine.run(100).reason, StopReason::InstructionLimit);
            assert!(again.to_bytes() == machine.to_bytes(), "after {instructions}");
        }
    }

    #[test]
    fn a_halt_is_passed_once_resumed() {
        let mut machine = running(0);
        machine.set_core("0101".parse().unwrap(), "0 77 0000 0000 0000".parse().unwrap()).unwrap();
        assert_eq!(machine.run(100).reason, StopReason::Halt);
        let mut again = Machine::from_bytes(&machine.to_bytes()).unwrap();
        assert_eq!(again.next_cell().to_string(), "0102");
        again.run(5);
        machine.run(5);
        assert!(again.to_bytes() == machine.to_bytes());
    }

    #[test]
    fn a_damaged_file_is_refused() {
        let bytes = running(9).to_bytes();
        let refused = |bytes: &[u8]| Machine::from_bytes(bytes).err();
        assert_eq!(refused(b""), Some(StoppedFileError::NotAMachine));
        for length in (8..bytes.len()).step_by(997) {
            assert_eq!(refused(&bytes[..length]), Some(StoppedFileError::Damaged));
        }
        for at in (8..bytes.len()).step_by(1009).chain(bytes.len() - 8..bytes.len()) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            assert_eq!(refused(&damaged), Some(StoppedFileError::Damaged), "byte {at}");
        }
    }

    /// No number makes it panic, even with a correct sum.
    #[test]
    fn what_no_machine_has_is_refused() {
        let bytes = running(9).to_bytes();
        let numbers = bytes.len() / 8;
        let mut refused = 0;
        for number in (1..50).chain(numbers - 40..numbers - 1) {
            for value in [u64::MAX, u64::MAX - 1, 1 << 45, 2] {
                let mut changed = bytes.clone();
                changed[8 * number..8 * number + 8].copy_from_slice(&value.to_le_bytes());
                let end = changed.len() - 8;
                let right = fnv1a(&changed[..end]);
                changed[end..].copy_from_slice(&right.to_le_bytes());
                match Machine::from_bytes(&changed) {
                    Ok(machine) => assert!(machine.clock().m220.0 < 1 << 62, "its clock can go on"),
                    Err(_) => refused += 1,
                }
            }
        }
        assert!(refused > 150, "{refused}");
        let mut longer = bytes[..bytes.len() - 8].to_vec();
        longer.extend([0; 8]);
        longer.extend(fnv1a(&longer).to_le_bytes());
        assert!(matches!(Machine::from_bytes(&longer), Err(StoppedFileError::Impossible { .. })));
    }
}
