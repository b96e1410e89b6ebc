//! The plain engine: the processor, one instruction at a time, straight from the instruction table.
//!
//! [`Processor::step`] is the reference for the threaded interpreter, which leaves everything rare to
//! it. An instruction is first worked out into an [`Effect`], which is then applied, so that a fault
//! leaves registers and core unchanged.

use crate::arithmetic::{self, ArithmeticStop, Outcome, Product};
use crate::clock::Clock;
use crate::config::Config;
use crate::memory::{self, CUBE, DeviceView, EXECUTE_CELL, Memory, RA_CELL};
use crate::observer::{Addressing, Observer, StepReport};
use crate::periphery::{AfterExchange, CardOrder, DeviceFault, ExchangeOrder, Exchanged, Periphery, UnfittedCube};
use crate::registers::{PackedCubes, Preparation, Registers};
use crate::stop::{Stop, StopReason};
use m220_isa::opcode::rows;
use m220_isa::{
    Address, Code, CoreAddress, HalfMicroseconds, Instruction, Model, OpcodeRow, Operation, Part, Source, When, Word,
};

/// The longest chain of instructions, each formed by the one before (ITEP machine: 37, 57, and
/// stores into 7777). The machine itself had no limit: an endless chain would hang it with the
/// instruction counter standing still. No known program needs more than two.
const LONGEST_CHAIN: u32 = 64;

/// The instruction counter after cell 7777.
const PAST_END: u16 = CUBE as u16;

/// Where a run continues.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Resume {
    /// At the cell in RVK.
    #[default]
    AtCounter,
    /// At this cell (after a halt, a mismatch or a checksum stop); at [`PAST_END`] it stops at once.
    At(u16),
}

impl Resume {
    /// The cell, where it is not the one in RVK.
    pub(crate) const fn cell(self) -> Option<u16> {
        match self {
            Resume::AtCounter => None,
            Resume::At(cell) => Some(cell),
        }
    }
}

/// A stop without its cell and word.
#[derive(Debug)]
struct Fault {
    reason: StopReason,
    message: String,
}

impl Fault {
    fn new(reason: StopReason, message: impl Into<String>) -> Fault {
        Fault { reason, message: message.into() }
    }
}

impl From<UnfittedCube> for Fault {
    fn from(cube: UnfittedCube) -> Fault {
        Fault::new(StopReason::UnfittedCube, cube.to_string())
    }
}

impl From<ArithmeticStop> for Fault {
    fn from(stop: ArithmeticStop) -> Fault {
        let reason = match stop {
            ArithmeticStop::AdditionOverflow => StopReason::AdditionOverflow,
            ArithmeticStop::MultiplicationOverflow => StopReason::MultiplicationOverflow,
            ArithmeticStop::QuotientMantissaOverflow | ArithmeticStop::DivisionOverflow => StopReason::DivisionOverflow,
            ArithmeticStop::NegativeRoot => StopReason::NegativeRoot,
            ArithmeticStop::ExponentOverflow => StopReason::ExponentOverflow,
        };
        Fault::new(reason, stop.to_string())
    }
}

impl From<DeviceFault> for Fault {
    fn from(fault: DeviceFault) -> Fault {
        let reason = match fault {
            DeviceFault::NotModelled(_) => StopReason::IllegalInstruction,
            DeviceFault::Device(_) => StopReason::Device,
            DeviceFault::UnfittedCube(_) => StopReason::UnfittedCube,
        };
        Fault::new(reason, fault.to_string())
    }
}

/// A stop by an instruction that nevertheless takes effect.
#[derive(Clone, Copy)]
enum Stopping {
    Halt,
    /// Code 35: the difference.
    Mismatch(Word),
    /// An exchange: the sum computed, and the sum read after the words.
    Checksum {
        sum: Word,
        expected: Word,
        cards: bool,
    },
}

impl From<Stopping> for Fault {
    fn from(stopping: Stopping) -> Fault {
        match stopping {
            Stopping::Halt => Fault::new(StopReason::Halt, "halt instruction"),
            Stopping::Mismatch(difference) => {
                Fault::new(StopReason::Mismatch, format!("the words differ by {difference}"))
            }
            Stopping::Checksum { sum, expected, cards } => {
                let (what, says) =
                    if cards { ("cards", "the end card says") } else { ("words", "the sum read behind them is") };
                let (sum, expected) = (sum.grouped(), expected.grouped());
                Fault::new(StopReason::Checksum, format!("the {what} sum to {sum}, {says} {expected}"))
            }
        }
    }
}

/// Everything that one instruction changes.
#[derive(Clone, Copy)]
struct Effect {
    stored: Option<(CoreAddress, Word)>,
    rr: Word,
    rmr: Word,
    omega: bool,
    ra: u16,
    cubes: PackedCubes,
    prepared: Option<Preparation>,
    next: u16,
    /// Places shifted, for the timing.
    places: u32,
    device_m20: HalfMicroseconds,
    device_m220: HalfMicroseconds,
    /// An instruction formed by this one, to be executed at once (ITEP machine).
    formed: Option<Word>,
    stop: Option<Stopping>,
}

/// An instruction being executed, together with those that it forms (ITEP machine).
pub(crate) struct Chain {
    /// Its cell.
    pub(crate) at: CoreAddress,
    /// The word that it began with.
    pub(crate) word: Word,
    /// The word to execute now.
    pub(crate) executing: Word,
    /// The cell of the next instruction, unless a word of the chain changes it.
    pub(crate) next: u16,
    /// How many have been formed.
    pub(crate) links: u32,
    /// The clock at its beginning. This and the fields below are for the observer.
    pub(crate) before: Clock,
    /// What its effective addresses depend on.
    pub(crate) addressing: Addressing,
    /// The last word stored so far.
    pub(crate) stored: Option<Word>,
}

impl Chain {
    /// A chain with this cell and next cell, and everything else blank.
    pub(crate) fn new(at: CoreAddress, next: u16) -> Chain {
        Chain {
            at,
            word: Word::ZERO,
            executing: Word::ZERO,
            next,
            links: 0,
            before: Clock::default(),
            addressing: Addressing::default(),
            stored: None,
        }
    }
}

/// An instruction's effective addresses.
#[derive(Clone, Copy)]
struct Operands {
    a1: u16,
    a2: u16,
    a3: u16,
    /// A1, A2, A3 with the cubes of RP A1, RP A2, RP A3.
    cells: [CoreAddress; 3],
}

/// Processor and core, without devices.
#[derive(Clone)]
pub(crate) struct Processor {
    pub(crate) model: Model,
    rows: [&'static OpcodeRow; Code::COUNT],
    pub(crate) memory: Memory,
    keys: [Word; 4],
    pub(crate) rvk: u16,
    pub(crate) ra: u16,
    pub(crate) omega: bool,
    pub(crate) rr: Word,
    pub(crate) rmr: Word,
    pub(crate) p1: Word,
    pub(crate) after_multiplication: bool,
    pub(crate) cubes: PackedCubes,
    prepared: Option<Preparation>,
    pub(crate) resume: Resume,
    pub(crate) clock: Clock,
    /// Instructions handed to the periphery since the machine was made.
    pub(crate) device_operations: u64,
}

impl Processor {
    pub(crate) fn new(config: Config) -> Processor {
        Processor {
            model: config.model,
            rows: rows(config.model),
            memory: Memory::new(config),
            keys: [Word::ZERO; 4],
            rvk: 0,
            ra: 0,
            omega: false,
            rr: Word::ZERO,
            rmr: Word::ZERO,
            p1: Word::ZERO,
            after_multiplication: false,
            cubes: PackedCubes::default(),
            prepared: None,
            resume: Resume::AtCounter,
            clock: Clock::default(),
            device_operations: 0,
        }
    }

    /// Copies everything but core from another processor.
    pub(crate) fn copy_registers(&mut self, from: &Processor) {
        self.set_registers(&from.registers());
        (1..=4).for_each(|key| self.set_key(key, from.key(key)));
        (self.resume, self.clock, self.device_operations) = (from.resume, from.clock, from.device_operations);
    }

    pub(crate) fn registers(&self) -> Registers {
        Registers {
            rvk: address(self.rvk),
            ra: address(self.ra),
            omega: self.omega,
            rr: self.rr,
            rmr: self.rmr,
            p1: self.p1,
            after_multiplication: self.after_multiplication,
            cubes: self.cubes.unpacked(),
            prepared: self.prepared,
        }
    }

    pub(crate) fn set_registers(&mut self, registers: &Registers) {
        self.rvk = registers.rvk.get();
        self.ra = registers.ra.get();
        self.omega = registers.omega;
        self.rr = registers.rr;
        self.rmr = registers.rmr;
        self.p1 = registers.p1;
        self.after_multiplication = registers.after_multiplication;
        self.cubes = registers.cubes.truncated().into();
        self.prepared = registers.prepared;
        self.resume = Resume::AtCounter;
    }

    pub(crate) fn set_key(&mut self, key: usize, word: Word) {
        self.keys[key - 1] = word;
        self.memory.set_key(key, word);
    }

    pub(crate) fn key(&self, key: usize) -> Word {
        self.keys[key - 1]
    }

    /// The cell of the next instruction.
    pub(crate) fn next_cell(&self) -> CoreAddress {
        let cell = match self.resume {
            Resume::AtCounter | Resume::At(PAST_END) => self.rvk,
            Resume::At(next) => next,
        };
        CoreAddress::new(self.cubes.unpacked().rp_kra, address(cell))
    }

    /// Brings the counter to the next instruction; false if it stands past the end of core.
    pub(crate) fn go_on_at_counter(&mut self) -> bool {
        match self.resume {
            Resume::AtCounter => true,
            Resume::At(PAST_END) => false,
            Resume::At(next) => {
                self.rvk = next;
                self.resume = Resume::AtCounter;
                true
            }
        }
    }

    /// The word of the next instruction, zero in a cube that is not fitted.
    pub(crate) fn next_word(&self) -> Word {
        self.fetch(self.next_cell().cell().get()).unwrap_or(Word::ZERO)
    }

    /// Executes one instruction.
    pub(crate) fn step(&mut self, periphery: &mut dyn Periphery, observer: Option<&mut dyn Observer>) -> Option<Stop> {
        if self.resume == Resume::At(PAST_END) {
            return Some(self.end_of_core(self.next_cell(), self.next_word()));
        }
        let at = self.next_cell();
        match self.fetch(at.cell().get()) {
            Ok(word) => self.execute(at, word, periphery, observer),
            Err(cube) => {
                self.rvk = at.cell().get();
                self.resume = Resume::AtCounter;
                Some(Stop { reason: StopReason::UnfittedCube, at, word: Word::ZERO, message: cube.to_string() })
            }
        }
    }

    /// The console's INPUT button: clears RA and the cube registers, and executes a card input as if
    /// fetched from cell 0000.
    pub(crate) fn press_input(
        &mut self,
        periphery: &mut dyn Periphery,
        observer: Option<&mut dyn Observer>,
    ) -> Option<Stop> {
        self.ra = 0;
        self.cubes = PackedCubes::default();
        let jump = match self.model {
            Model::M220 => 0,
            Model::M20 | Model::Itep => 1,
        };
        let word = Word::instruction(0o10, address(1), address(jump), Address::ZERO);
        self.execute(CoreAddress::default(), word, periphery, observer)
    }

    /// The word fetched as an instruction from a cell of RP KRA's cube; cell 0000 gives RR
    /// (Lyashenko 1974, pp. 351-352: documented).
    fn fetch(&self, cell: u16) -> Result<Word, UnfittedCube> {
        let at = CoreAddress::new(self.cubes.unpacked().rp_kra, address(cell));
        let index = self.memory.check(at)?;
        if cell == 0 { Ok(self.rr) } else { Ok(self.read(index)) }
    }

    fn read(&self, index: u16) -> Word {
        memory::read(&self.memory, self.model, self.rr, self.ra, index)
    }

    pub(crate) fn load(&self, at: CoreAddress) -> Result<Word, UnfittedCube> {
        self.memory.check(at).map(|index| self.read(index))
    }

    fn end_of_core(&self, at: CoreAddress, word: Word) -> Stop {
        Stop { reason: StopReason::EndOfCore, at, word, message: "the instruction counter went past 7777".to_owned() }
    }

    /// Executes a word as the instruction in a cell, and those that it forms.
    fn execute(
        &mut self,
        at: CoreAddress,
        word: Word,
        periphery: &mut dyn Periphery,
        observer: Option<&mut dyn Observer>,
    ) -> Option<Stop> {
        let chain = Chain {
            word,
            executing: word,
            before: self.clock,
            addressing: Addressing { ra: self.ra, cubes: self.cubes.unpacked().operands() },
            ..Chain::new(at, at.cell().get() + 1)
        };
        self.clock.instructions += 1;
        self.follow(chain, periphery, observer)
    }

    /// Executes the rest of a chain. The chain counts as one instruction, which the clock already
    /// includes.
    pub(crate) fn follow(
        &mut self,
        chain: Chain,
        periphery: &mut dyn Periphery,
        observer: Option<&mut dyn Observer>,
    ) -> Option<Stop> {
        let Chain { at, word, mut executing, mut next, mut links, before, addressing, stored: mut result } = chain;
        self.resume = Resume::AtCounter;
        self.rvk = at.cell().get();
        let fault = loop {
            if links > LONGEST_CHAIN {
                break Some(Fault::new(
                    StopReason::IllegalInstruction,
                    format!("a chain of more than {LONGEST_CHAIN} instructions, each formed by the one before"),
                ));
            }
            match self.take_effect(executing, next, periphery) {
                Ok(effect) => {
                    next = effect.next;
                    result = effect.stored.map(|(_, word)| word).or(result);
                    if let Some(stop) = effect.stop {
                        self.resume = Resume::At(next);
                        break Some(stop.into());
                    }
                    let Some(word) = effect.formed else { break None };
                    executing = word;
                    links += 1;
                }
                Err(error) => break Some(error),
            }
        };
        let stop = match fault {
            Some(Fault { reason, message }) => Some(Stop { reason, at, word: executing, message }),
            None if next == PAST_END => {
                self.resume = Resume::At(PAST_END);
                Some(self.end_of_core(at, word))
            }
            None => {
                self.rvk = next;
                None
            }
        };
        if let Some(observer) = observer {
            observer.executed(&StepReport {
                number: self.clock.instructions,
                at,
                word,
                formed: (links > 0).then_some(executing),
                addressing,
                result,
                omega: self.omega,
                ra: self.ra,
                m20: HalfMicroseconds(self.clock.m20.0 - before.m20.0),
                m220: HalfMicroseconds(self.clock.m220.0 - before.m220.0),
            });
        }
        stop
    }

    /// Works out one instruction and applies its effect; a fault changes only P1 and the clock.
    fn take_effect(&mut self, word: Word, next: u16, periphery: &mut dyn Periphery) -> Result<Effect, Fault> {
        let instruction = word.decode();
        let row = self.rows[usize::from(instruction.code.bits())];
        let operands = self.operands(instruction);
        let p1 = self.load(operands.cells[0]).unwrap_or(Word::ZERO);
        let worked_out = self.work_out(row, operands, next, periphery).and_then(|effect| {
            if let Some((at, _)) = effect.stored {
                self.memory.check(at)?;
            }
            Ok(effect)
        });
        self.p1 = p1;
        let mut effect = match worked_out {
            Ok(effect) => effect,
            Err(fault) => {
                self.clock.charge(row.timing.m20, row.timing.m220);
                return Err(fault);
            }
        };
        self.clock.charge(
            row.timing.on_m20(effect.places) + effect.device_m20,
            row.timing.on_m220(effect.places) + effect.device_m220,
        );
        self.clock.device_m220 += effect.device_m220;
        self.rr = effect.rr;
        self.rmr = effect.rmr;
        self.omega = effect.omega;
        self.ra = effect.ra;
        self.cubes = effect.cubes;
        self.prepared = effect.prepared;
        self.after_multiplication = matches!(row.operation, Operation::Multiply { .. });
        if let Some((at, word)) = effect.stored {
            let register = if self.model == Model::Itep && self.memory.is_register(at) { at.cell().get() } else { 0 };
            match register {
                RA_CELL => self.ra = word.a2().get(),
                EXECUTE_CELL => effect.formed = effect.formed.or(Some(word)),
                _ => self.memory.put(at.index() as u16, word),
            }
        }
        Ok(effect)
    }

    fn operands(&self, instruction: Instruction) -> Operands {
        let cells = instruction.effective(address(self.ra), self.cubes.unpacked().operands());
        let [a1, a2, a3] = cells.map(|cell| cell.cell().get());
        Operands { a1, a2, a3, cells }
    }

    /// What the instruction does. Computing it changes nothing, except that devices act and store
    /// into core.
    fn work_out(
        &mut self,
        row: &OpcodeRow,
        operands: Operands,
        next: u16,
        periphery: &mut dyn Periphery,
    ) -> Result<Effect, Fault> {
        let Operands { a1, a2, a3, cells: [at1, at2, at3] } = operands;
        let keep = Effect {
            stored: None,
            rr: self.rr,
            rmr: self.rmr,
            omega: self.omega,
            ra: self.ra,
            cubes: self.cubes,
            prepared: self.prepared,
            next,
            places: 0,
            device_m20: HalfMicroseconds(0),
            device_m220: HalfMicroseconds(0),
            formed: None,
            stop: None,
        };
        let omega = self.omega;
        let result = |result: Word, omega: bool| Effect { stored: Some((at3, result)), rr: result, omega, ..keep };
        let outcome = |Outcome { result: word, omega }: Outcome| result(word, omega);
        let number = |word: Result<Outcome, ArithmeticStop>| Ok::<Effect, Fault>(outcome(word?));

        Ok(match row.operation {
            Operation::Move => result(self.load(at1)?, omega),
            Operation::Clear => result(Word::ZERO, omega),
            Operation::ReadKey => result(self.selected_key(a1)?, omega),

            Operation::Add { rounding, normalisation } => {
                number(arithmetic::add(self.load(at1)?, self.load(at2)?, rounding, normalisation))?
            }
            Operation::Subtract { rounding, normalisation } => {
                number(arithmetic::subtract(self.load(at1)?, self.load(at2)?, rounding, normalisation))?
            }
            Operation::SubtractMagnitudes { rounding, normalisation } => {
                number(arithmetic::subtract_magnitudes(self.load(at1)?, self.load(at2)?, rounding, normalisation))?
            }
            Operation::Multiply { rounding, normalisation } => {
                let Product { high, low, omega } =
                    arithmetic::multiply(self.load(at1)?, self.load(at2)?, rounding, normalisation)?;
                Effect { rmr: low, ..result(high, omega) }
            }
            Operation::Divide { rounding } => number(arithmetic::divide(self.load(at1)?, self.load(at2)?, rounding))?,
            Operation::SquareRoot { rounding } => number(arithmetic::square_root(self.load(at1)?, rounding))?,
            Operation::AddToExponent { change } => {
                let change = self.biased_number(change, a1, at1)?;
                number(arithmetic::add_to_exponent(self.load(at2)?, change))?
            }
            Operation::SubtractFromExponent { change } => {
                let change = self.biased_number(change, a1, at1)?;
                number(arithmetic::subtract_from_exponent(self.load(at2)?, change))?
            }
            Operation::LowProduct => outcome(arithmetic::low_product(if self.after_multiplication {
                self.rmr
            } else {
                arithmetic::joined(self.rr, self.p1)
            })),

            Operation::ExclusiveOr => outcome(arithmetic::exclusive_or(self.load(at1)?, self.load(at2)?)),
            Operation::StopIfDifferent => {
                let compared = arithmetic::exclusive_or(self.load(at1)?, self.load(at2)?);
                if compared.omega {
                    outcome(compared)
                } else {
                    Effect { stored: None, stop: Some(Stopping::Mismatch(compared.result)), ..outcome(compared) }
                }
            }
            Operation::And => outcome(arithmetic::and(self.load(at1)?, self.load(at2)?)),
            Operation::Or => outcome(arithmetic::or(self.load(at1)?, self.load(at2)?)),
            Operation::AddAddressParts => outcome(arithmetic::add_address_parts(self.load(at1)?, self.load(at2)?)),
            Operation::SubtractAddressParts => {
                outcome(arithmetic::subtract_address_parts(self.load(at1)?, self.load(at2)?))
            }
            Operation::AddUpperParts => outcome(arithmetic::add_upper_parts(self.load(at1)?, self.load(at2)?)),
            Operation::SubtractUpperParts => {
                outcome(arithmetic::subtract_upper_parts(self.load(at1)?, self.load(at2)?))
            }
            Operation::AddCyclic => outcome(arithmetic::add_cyclic(self.load(at1)?, self.load(at2)?)),
            Operation::SubtractCyclic => outcome(arithmetic::subtract_cyclic(self.load(at1)?, self.load(at2)?)),
            Operation::Shift { part, places } => {
                let places = self.biased_number(places, a1, at1)?;
                let y = self.load(at2)?;
                let shifted = match part {
                    Part::Address => arithmetic::shift_address_part(y, places),
                    Part::Whole => arithmetic::shift_word(y, places),
                };
                Effect { places: places.unsigned_abs(), ..outcome(shifted) }
            }
            Operation::CyclicShift => result(arithmetic::cyclic_shift(self.load(at1)?), omega),

            Operation::Jump { when } => {
                Effect { next: if holds(when, omega) { a2 } else { next }, ..result(self.load(at1)?, omega) }
            }
            Operation::Call => Effect { next: a2, ..result(arithmetic::return_word(0o16, a1), omega) },
            Operation::Loop { when, less, bound } => {
                let bound = match bound {
                    Source::Field => a1,
                    Source::Word => self.load(at1)?.a2().get(),
                };
                let taken = holds(when, omega) && (self.ra < bound) == less;
                Effect { next: if taken { a2 } else { next }, ra: a3, ..keep }
            }
            Operation::SetAddressRegister { value } => {
                let ra = match value {
                    Source::Field => a2,
                    Source::Word => self.load(at2)?.a2().get(),
                };
                Effect { ra, ..result(arithmetic::return_word(0o52, a1), omega) }
            }
            Operation::Halt => Effect { stop: Some(Stopping::Halt), ..result(Word::ZERO, omega) },

            Operation::FetchDynamic => {
                let word = self.load(dynamic_address(self.load(at1)?, self.load(at2)?)?)?;
                result(word, word == Word::ZERO)
            }
            Operation::StoreDynamic => {
                let to = dynamic_address(self.load(at1)?, self.load(at2)?)?;
                let word = self.load(at3)?;
                Effect { stored: Some((to, word)), ..result(word, word == Word::ZERO) }
            }
            Operation::ChangeCubes => {
                let (cubes, restoring) = self.cubes.changed(a1, a2);
                Effect { cubes, ..result(restoring, omega) }
            }

            Operation::PrepareExchange => {
                const DRUM_AND_TAPE: u16 = 0o0030;
                if a1 & DRUM_AND_TAPE == DRUM_AND_TAPE {
                    return Err(Fault::new(
                        StopReason::IllegalInstruction,
                        "an exchange with another machine (condition bits 28 and 29 both set) is not modelled",
                    ));
                }
                let prepared = Preparation { condition: address(a1), device_address: address(a2), last: address(a3) };
                Effect { prepared: Some(prepared), ..keep }
            }
            Operation::Exchange => {
                let Some(prepared) = self.prepared else {
                    return Err(Fault::new(StopReason::Device, "no exchange was prepared by a code 50"));
                };
                let order = ExchangeOrder {
                    condition: prepared.condition.get(),
                    device_address: prepared.device_address.get(),
                    rp_mb: self.cubes.unpacked().rp_mb,
                    rp_ml: self.cubes.unpacked().rp_ml,
                    first: at1,
                    last: CoreAddress::new(self.cubes.unpacked().rp_a3, prepared.last),
                };
                self.memory.check(at3)?;
                self.device_operations += 1;
                let exchanged = periphery.exchange(&mut self.device_view(), &order)?;
                let effect = Effect { prepared: None, ..result(exchanged.checksum, omega) };
                after_device(effect, &exchanged, a2, false)
            }
            Operation::ReadCards { stop_on_mismatch } => {
                self.memory.check(at3)?;
                let order = CardOrder { first: at1, stop_on_mismatch };
                self.device_operations += 1;
                let exchanged = periphery.read_cards(&mut self.device_view(), &order)?;
                after_device(Effect { stored: Some((at3, exchanged.checksum)), ..keep }, &exchanged, a2, true)
            }

            Operation::FormAddresses => {
                let operand = self.operand_word(next)?;
                let word = with_added_addresses(operand, [self.load(at1)?, self.load(at2)?, self.load(at3)?]);
                Effect { rr: word, next: next + 1, formed: Some(word), ..keep }
            }
            Operation::FormInstruction => {
                let named = |cell| self.load(CoreAddress::new(self.cubes.unpacked().rp_a1, cell));
                let word = formed_instruction(a1, self.load(at2)?, self.operand_word(next)?, named)?;
                let effect = Effect { rr: word, next: next + 1, ..keep };
                if a3 == 0 {
                    Effect { formed: Some(word), ..effect }
                } else {
                    Effect { stored: Some((at3, word)), ..effect }
                }
            }
        })
    }

    fn device_view(&mut self) -> DeviceView<'_> {
        DeviceView { memory: &mut self.memory, model: self.model, rr: self.rr, ra: self.ra }
    }

    /// The signed operand of a shift or an exponent change.
    fn biased_number(&self, source: Source, a1: u16, at1: CoreAddress) -> Result<i32, UnfittedCube> {
        Ok(match source {
            Source::Field => arithmetic::biased_field(a1),
            Source::Word => arithmetic::unbiased_exponent(self.load(at1)?),
        })
    }

    /// Code 20: a key register or RR, selected by the last octal digit of A1.
    fn selected_key(&self, a1: u16) -> Result<Word, Fault> {
        match (a1 & 7, self.model) {
            (0, Model::M220) => Err(Fault::new(
                StopReason::IllegalInstruction,
                "code 20 with A1 = 0 asks for an analogue machine, which is not modelled",
            )),
            (0, Model::M20 | Model::Itep) => Ok(Word::ZERO),
            (key @ 1..=4, _) => Ok(self.keys[usize::from(key) - 1]),
            (5, _) => Ok(self.rr),
            (selector, _) => {
                Err(Fault::new(StopReason::IllegalInstruction, format!("code 20 has no register {selector}")))
            }
        }
    }

    /// The word after the instruction, which codes 37 and 57 of the ITEP machine take as an operand.
    fn operand_word(&self, next: u16) -> Result<Word, Fault> {
        if next == PAST_END {
            return Err(Fault::new(StopReason::EndOfCore, "the instruction takes the next word, which is past 7777"));
        }
        Ok(self.fetch(next)?)
    }
}

/// The low 12 bits of a value; it either fits, or the machine drops the rest.
fn address(value: u16) -> Address {
    Address::truncating(u64::from(value))
}

/// The word with its address fields replaced.
fn with_addresses(word: Word, a1: Address, a2: Address, a3: Address) -> Word {
    Word::from_parts(word.upper(), Word::instruction(0, a1, a2, a3).address_part())
}

/// Whether Omega lets a jump or a loop be taken.
fn holds(when: When, omega: bool) -> bool {
    match when {
        When::Always => true,
        When::Omega => omega,
        When::NotOmega => !omega,
    }
}

/// Code 37 of the ITEP machine (known from simulation): the word with the A2 field of another word
/// added to each of its addresses.
pub(crate) fn with_added_addresses(word: Word, others: [Word; 3]) -> Word {
    let add = |field: Address, other: Word| field.offset(other.a2().get());
    let [x, y, z] = others;
    with_addresses(word, add(word.a1(), x), add(word.a2(), y), add(word.a3(), z))
}

/// Code 57 of the ITEP machine (known from simulation; that the formed instruction is executed when
/// A3 = 0000 is inferred). `control` is its A1, `base` the word at A2, `operand` the word after the
/// instruction; `named` reads the cells that the operand's fields name.
#[inline]
pub(crate) fn formed_instruction<E>(
    control: u16,
    base: Word,
    operand: Word,
    named: impl Fn(Address) -> Result<Word, E>,
) -> Result<Word, E> {
    let cleared = control >> 9 & 7;
    let field = |i: u16, base: Address, own: Address| -> Result<Address, E> {
        let base = if cleared >> (2 - i) & 1 != 0 { 0 } else { base.get() };
        let digit = control >> (3 * (2 - i)) & 7;
        let value = if digit & 3 == 0 {
            own.get()
        } else {
            let named = named(own)?;
            [named.a1(), named.a2(), named.a3()][usize::from(digit & 3) - 1].get()
        };
        let value = if digit & 4 != 0 { value.wrapping_neg() } else { value };
        Ok(address(base).offset(value))
    };
    Ok(with_addresses(
        operand,
        field(0, base.a1(), operand.a1())?,
        field(1, base.a2(), operand.a2())?,
        field(2, base.a3(), operand.a3())?,
    ))
}

/// Codes 17 and 37 of the M-220: the sum of the low 17 bits of two words, five bits of cube and
/// twelve of cell (that they are simply added is inferred).
pub(crate) fn dynamic_address(x: Word, y: Word) -> Result<CoreAddress, UnfittedCube> {
    let sum = (x.bits() + y.bits()) & 0o377777;
    // No machine has cubes 10-37 (octal), and they do not fit a core address.
    CoreAddress::from_index(sum as usize).map_err(|_| UnfittedCube((sum >> 12) as u8))
}

/// Adds the device's time and verdict to the effect of a code 10, 30 or 70.
fn after_device(effect: Effect, exchanged: &Exchanged, a2: u16, cards: bool) -> Effect {
    let (next, stop) = match exchanged.verdict {
        AfterExchange::Next => (effect.next, None),
        AfterExchange::JumpToA2 => (a2, None),
        AfterExchange::ChecksumStop { expected } => {
            (a2, Some(Stopping::Checksum { sum: exchanged.checksum, expected, cards }))
        }
    };
    Effect { next, stop, device_m20: exchanged.m20, device_m220: exchanged.m220, ..effect }
}
