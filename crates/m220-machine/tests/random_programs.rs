//! Random programs. Whatever is in core, the machine runs to a stop or the instruction limit. The
//! threaded interpreter, in one run or in slices, agrees with the plain engine on registers, all of
//! core, clocks, stops and reports to an observer; so does a machine that has been used before. A
//! profile's shares add up to the clock.
//!
//! Programs and data are packed into low cells, so programs often overwrite themselves.

use m220_isa::{Address, Code, CoreAddress, HalfMicroseconds, Instruction, Word};
use m220_machine::devices::Devices;
use m220_machine::periphery::{
    AfterExchange, CardOrder, CoreAccess, DeviceFault, ExchangeOrder, Exchanged, Periphery, checksum,
};
use m220_machine::{
    Checkpoint, Clock, Config, CubeRegisters, Machine, MemoryMode, Model, Observer, Prepared, Profile, Registers,
    Share, Slice, StepReport, Stop, StopReason,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

/// Cells 0000 to 0037 of every cube hold the program, the next ones data.
const PROGRAM: u16 = 0o40;
/// Program and data end here.
const USED: u16 = 0o100;

/// Devices that write an instruction word over the cells of the exchange and return every kind of
/// verdict.
#[derive(Clone)]
struct Overwriting {
    word: Word,
}

impl Overwriting {
    fn overwrite(
        &self,
        core: &mut dyn CoreAccess,
        cells: impl Iterator<Item = CoreAddress>,
        verdict: u16,
    ) -> Result<Exchanged, DeviceFault> {
        let cells: Vec<CoreAddress> = cells.take(3).collect();
        let loaded = cells.iter().map(|&at| core.load(at)).collect::<Result<Vec<Word>, _>>()?;
        for &at in &cells {
            core.store(at, self.word)?;
        }
        let verdict = match verdict & 3 {
            0 => AfterExchange::JumpToA2,
            1 => AfterExchange::ChecksumStop { expected: Word::ZERO },
            _ => AfterExchange::Next,
        };
        Ok(Exchanged { checksum: checksum(loaded), verdict, m20: HalfMicroseconds(7), m220: HalfMicroseconds(5) })
    }
}

impl Periphery for Overwriting {
    fn exchange(&mut self, core: &mut dyn CoreAccess, order: &ExchangeOrder) -> Result<Exchanged, DeviceFault> {
        self.overwrite(core, order.cells(), order.condition)
    }

    fn read_cards(&mut self, core: &mut dyn CoreAccess, order: &CardOrder) -> Result<Exchanged, DeviceFault> {
        if order.stop_on_mismatch {
            return Err(DeviceFault::Device("no card reader".to_owned()));
        }
        self.overwrite(core, std::iter::once(order.first), order.first.cell().get())
    }
}

/// What happens between two comparisons of the machines.
#[derive(Clone, Debug)]
enum Event {
    Run(u64),
    Step,
    Store(CoreAddress, Word),
    Key(usize, Word),
    Breakpoint(CoreAddress, u64),
    NoBreakpoints,
    SetRa(u16),
    Jump(u16),
    Copy,
    /// Take a checkpoint.
    Checkpoint,
    /// Restore the last checkpoint, if there is one.
    Restore,
}

#[derive(Clone, Debug)]
struct Case {
    config: Config,
    program: Vec<Word>,
    data: Vec<Word>,
    /// Words for cells 7770 to 7777.
    top: Vec<Word>,
    device: Word,
    start: u16,
    ra: u16,
    cubes: [u8; 4],
    events: Vec<Event>,
}

fn field() -> impl Strategy<Value = u16> {
    prop_oneof![
        12 => 1..PROGRAM,
        12 => PROGRAM..USED,
        2 => Just(0),
        2 => 0o7770..=0o7777u16,
        2 => 0o70..=0o110u16, // shifts by few places
        1 => 0..=0o7777u16,
    ]
}

/// Any code; those that usually stop the machine are rarer.
fn code() -> impl Strategy<Value = Code> {
    const RARE: [u8; 10] = [0o10, 0o17, 0o20, 0o30, 0o35, 0o37, 0o44, 0o57, 0o64, 0o77];
    (0..64u8, 0..5u8)
        .prop_map(|(code, often)| Code::truncating(if often > 0 && RARE.contains(&code) { code ^ 0o02 } else { code }))
}

fn instruction() -> impl Strategy<Value = Word> {
    let modified = || prop_oneof![3 => Just(false), 1 => Just(true)];
    ([modified(), modified(), modified()], code(), [field(), field(), field()], 0..8u8).prop_map(
        |(modify, code, fields, kind)| {
            // One in eight is a code that only some models have, one stores into cells that may be
            // registers, and one changes the addresses of an instruction of the program.
            const OWN: [u8; 8] = [0o17, 0o37, 0o40, 0o57, 0o60, 0o37, 0o57, 0o57];
            let code = if kind == 0 { Code::truncating(OWN[usize::from(fields[0] & 7)]) } else { code };
            let [a1, mut a2, mut a3] = fields.map(|field| Address::truncating(u64::from(field)));
            match (code.bits(), kind) {
                // Change the cube registers to low cubes mostly; or form an instruction to be executed.
                (0o57, _) if a3.get() & 1 == 0 => a2 = Address::truncating(u64::from(a2.get() & 0o1111)),
                (0o57, _) => a3 = Address::ZERO,
                (_, 2) => {
                    let code = if a2.get() & 1 == 0 { 0o13 } else { 0o33 };
                    let cell = Address::truncating(u64::from(a1.get() % PROGRAM));
                    return Word::instruction(
                        code,
                        cell,
                        Address::truncating(u64::from(USED - 1 - a2.get() % 0o20)),
                        cell,
                    );
                }
                (_, 1) => a3 = Address::truncating(0o7774 + u64::from(a3.get() & 3)),
                _ => {}
            }
            Instruction { modify, code, a1, a2, a3 }.encode()
        },
    )
}

fn datum() -> impl Strategy<Value = Word> {
    prop_oneof![
        2 => instruction(),
        // A number of moderate size.
        3 => (any::<bool>(), any::<bool>(), 0o60..0o120u32, 0..=Word::ADDRESS_PART)
            .prop_map(|(tag, sign, exponent, mantissa)| Word::number(tag, sign, exponent, mantissa | 1 << 35)),
        // A small number in one of the fields, for address arithmetic.
        5 => (0..3u32, 0..4u64).prop_map(|(place, by)| Word::truncating(by << (12 * place))),
        1 => Just(Word::ZERO),
        1 => (0..=Word::MASK).prop_map(Word::truncating),
    ]
}

fn config() -> impl Strategy<Value = Config> {
    let model = prop_oneof![2 => Just(Model::M220), 1 => Just(Model::M20), 1 => Just(Model::Itep)];
    (model, 1..=4u8, any::<bool>()).prop_map(|(model, cubes, second)| {
        let memory_mode = if second { MemoryMode::II } else { MemoryMode::I };
        Config { model, cubes, memory_mode }.nearest()
    })
}

fn event() -> impl Strategy<Value = Event> {
    let cell = || (0..2u8, 0..USED).prop_map(|(cube, cell)| CoreAddress::new(cube, Address::truncating(cell.into())));
    prop_oneof![
        6 => (0..40u64).prop_map(Event::Run),
        8 => (40..2000u64).prop_map(Event::Run),
        1 => (30_000..60_000u64).prop_map(Event::Run),
        2 => Just(Event::Step),
        3 => (cell(), instruction()).prop_map(|(at, word)| Event::Store(at, word)),
        1 => (1..=4usize, instruction()).prop_map(|(key, word)| Event::Key(key, word)),
        2 => (cell(), 1..4u64).prop_map(|(at, passes)| Event::Breakpoint(at, passes)),
        1 => Just(Event::NoBreakpoints),
        1 => (0..USED).prop_map(Event::SetRa),
        2 => (0..PROGRAM).prop_map(Event::Jump),
        1 => Just(Event::Copy),
        1 => Just(Event::Checkpoint),
        1 => Just(Event::Restore),
    ]
}

fn case() -> impl Strategy<Value = Case> {
    (
        config(),
        vec(instruction(), PROGRAM as usize),
        vec(datum(), (USED - PROGRAM) as usize),
        vec(datum(), 8),
        instruction(),
        (0..PROGRAM, prop_oneof![Just(0u16), 0..0o10u16, 0o7770..=0o7777u16]),
        prop_oneof![4 => Just([0; 4]), 1 => [0..4u8, 0..4u8, 0..4u8, 0..4u8]],
        vec(event(), 1..40),
    )
        .prop_map(|(config, program, data, top, device, (start, ra), cubes, events)| Case {
            config,
            program,
            data,
            top,
            device,
            start,
            ra,
            cubes,
            events,
        })
}

impl Case {
    fn machine(&self) -> Machine<Overwriting> {
        self.loaded(Machine::with_periphery(self.config, Overwriting { word: self.device }))
    }

    fn loaded<P: Periphery>(&self, mut machine: Machine<P>) -> Machine<P> {
        for cube in 0..self.config.cubes {
            let low = self.program.iter().chain(&self.data).zip(0u64..);
            let top = self.top.iter().zip(0o7770..);
            for (&word, cell) in low.chain(top) {
                machine.set_core(CoreAddress::new(cube, Address::truncating(cell)), word).unwrap();
            }
        }
        let [rp_kra, rp_a1, rp_a2, rp_a3] = self.cubes;
        machine.set_registers(&Registers {
            rvk: Address::truncating(self.start.into()),
            ra: Address::truncating(self.ra.into()),
            cubes: CubeRegisters { rp_kra, rp_a1, rp_a2, rp_a3, ..CubeRegisters::default() },
            ..Registers::default()
        });
        machine
    }
}

/// Carries out one event, running with `run`. Steps over stops that the same instruction would cause
/// again and again.
fn happen<P: Periphery + Clone>(
    machine: &mut Machine<P>,
    remembered: &mut Option<Checkpoint>,
    event: &Event,
    run: fn(&mut Machine<P>, u64) -> Stop,
) -> Option<Stop> {
    let stop = match *event {
        Event::Run(limit) => Some(run(machine, limit)),
        Event::Step => machine.step(),
        Event::Store(at, word) => {
            let _ = machine.set_core(at, word);
            None
        }
        Event::Key(key, word) => {
            machine.set_key(key, word);
            None
        }
        Event::Breakpoint(at, passes) => {
            machine.add_breakpoint(at, passes);
            None
        }
        Event::NoBreakpoints => {
            machine.clear_breakpoints();
            None
        }
        Event::SetRa(ra) => {
            let registers = Registers { ra: Address::truncating(ra.into()), ..machine.registers() };
            machine.set_registers(&registers);
            None
        }
        Event::Jump(to) => {
            let registers = Registers { rvk: Address::truncating(to.into()), ..machine.registers() };
            machine.set_registers(&registers);
            None
        }
        Event::Copy => {
            *machine = machine.clone();
            None
        }
        Event::Checkpoint => {
            *remembered = Some(machine.checkpoint());
            None
        }
        Event::Restore => {
            if let Some(checkpoint) = remembered {
                machine.restore(checkpoint);
            }
            None
        }
    };
    if let Some(stop) = &stop {
        use StopReason::{Breakpoint, Checksum, EndOfCore, Halt, InstructionLimit, Mismatch, UnfittedCube};
        let mut registers = machine.registers();
        match stop.reason {
            Halt | Mismatch | Checksum | Breakpoint | InstructionLimit => return Some(stop.clone()),
            EndOfCore => registers.rvk = Address::truncating(1),
            UnfittedCube => {
                registers.rvk = registers.rvk.offset(1);
                registers.cubes = CubeRegisters::default();
            }
            _ => registers.rvk = registers.rvk.offset(1),
        }
        machine.set_registers(&registers);
    }
    stop
}

/// Runs in slices of all kinds that together make up one run.
fn run_in_slices(machine: &mut Machine<Overwriting>, max_instructions: u64) -> Stop {
    let begun = machine.clock().instructions;
    for number in 1.. {
        let left = max_instructions - (machine.clock().instructions - begun);
        if left == 0 {
            break;
        }
        let slice = match number % 3 {
            0 => Slice::of_instructions(left.min(number * 7)),
            1 => Slice { time: HalfMicroseconds(number * 1000), ..Slice::of_instructions(left) },
            _ => Slice { device_operations: 1 + number / 10, ..Slice::of_instructions(left) },
        };
        if let Some(stop) = machine.run_slice(slice) {
            return stop;
        }
    }
    machine.run(0)
}

/// An observer that does not see everything (unless `all`), or has enough after `patience` reports.
struct Sparing {
    all: bool,
    patience: usize,
    heard: usize,
    told: Vec<StepReport>,
}

impl Observer for Sparing {
    fn executed(&mut self, step: &StepReport) {
        self.heard += 1;
        self.told.push(*step);
    }

    fn sees_all(&self) -> bool {
        self.all
    }

    fn has_enough(&self) -> bool {
        self.heard >= self.patience
    }
}

/// As [`Machine::run_observed`], but continues when the observer has enough.
fn run_with<P: Periphery>(machine: &mut Machine<P>, limit: u64, observer: &mut Sparing) -> Stop {
    let end = machine.clock().instructions + limit;
    while machine.clock().instructions < end {
        observer.heard = 0;
        let slice = Slice::of_instructions(end - machine.clock().instructions);
        if let Some(stop) = machine.run_slice_observed(slice, observer) {
            return stop;
        }
    }
    machine.run(0)
}

fn core<P: Periphery>(machine: &Machine<P>) -> Vec<Word> {
    machine.core_words().collect()
}

fn registers_and_clock<P: Periphery>(machine: &Machine<P>) -> (Registers, Clock) {
    (machine.registers(), machine.clock())
}

fn seen<P: Periphery>(machine: &Machine<P>) -> (Registers, Clock, CoreAddress) {
    (machine.registers(), machine.clock(), machine.next_cell())
}

/// Arbitrary words in all of core, and arbitrary registers.
fn any_image() -> impl Strategy<Value = (Config, Vec<u64>, Registers)> {
    let registers = (any::<[u16; 2]>(), any::<[u64; 3]>(), any::<[u8; 6]>(), any::<[bool; 2]>()).prop_map(
        |([rvk, ra], [rr, rmr, p1], [rp_mb, rp_ml, rp_kra, rp_a1, rp_a2, rp_a3], [omega, after_multiplication])| {
            // Cubes that are fitted more often than not.
            let cube = |bits: u8| if bits < 0o200 { 0 } else { bits & 7 };
            Registers {
                rvk: Address::truncating(rvk.into()),
                ra: Address::truncating(ra.into()),
                omega,
                rr: Word::truncating(rr),
                rmr: Word::truncating(rmr),
                p1: Word::truncating(p1),
                after_multiplication,
                cubes: CubeRegisters {
                    rp_mb,
                    rp_ml,
                    rp_kra: cube(rp_kra),
                    rp_a1: cube(rp_a1),
                    rp_a2: cube(rp_a2),
                    rp_a3: cube(rp_a3),
                },
                prepared: None,
            }
        },
    );
    (config(), vec(any::<u64>(), 1..300), registers)
}

/// Fills core with repetitions of the words, each slightly different.
fn filled(config: Config, words: &[u64], registers: &Registers) -> Machine<Devices> {
    let mut machine = Machine::with_periphery(config, Devices::new(config.model));
    for index in 0..usize::from(config.cubes) * 4096 {
        let word = words[index % words.len()].wrapping_add((index / words.len()) as u64);
        machine.set_core(CoreAddress::from_index(index).unwrap(), Word::truncating(word)).unwrap();
    }
    machine.set_registers(registers);
    machine
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    #[test]
    fn agrees_with_the_plain_run(case in case()) {
        let mut plain = (case.machine(), None);
        let mut others = [
            (case.machine(), None, Machine::run as fn(&mut Machine<Overwriting>, u64) -> Stop),
            (case.machine(), None, run_in_slices),
        ];
        for event in &case.events {
            let expected = happen(&mut plain.0, &mut plain.1, event, Machine::run_plain);
            for (machine, remembered, run) in &mut others {
                let stop = happen(machine, remembered, event, *run);
                prop_assert_eq!(&stop, &expected, "{:?}", event);
                prop_assert_eq!(seen(machine), seen(&plain.0), "{:?}, {:?}", event, stop);
            }
        }
        for (machine, ..) in &others {
            prop_assert!(core(machine) == core(&plain.0));
            prop_assert_eq!(machine.cells_written(), plain.0.cells_written());
        }
    }

    /// The threaded interpreter reports the same to an observer as single steps do.
    #[test]
    fn observers_see_what_single_steps_show(case in case()) {
        let mut stepped = case.machine();
        let mut observed = case.machine();
        for (event, limit) in case.events.iter().zip([3, 50, 300, 700, 1000].into_iter().cycle()) {
            happen(&mut stepped, &mut None, event, Machine::run_plain);
            happen(&mut observed, &mut None, event, Machine::run);
            let (mut expected, mut seen) = (Vec::new(), Vec::new());
            let mut stop = None;
            stepped.clear_breakpoints();
            for _ in 0..limit {
                stop = stepped.step_observed(&mut |step: &StepReport| expected.push(*step));
                if stop.is_some() {
                    break;
                }
            }
            observed.clear_breakpoints();
            let stop_observed = observed.run_observed(limit, &mut |step: &StepReport| seen.push(*step));
            for (seen, expected) in seen.iter().zip(&expected) {
                prop_assert_eq!(seen, expected);
            }
            prop_assert_eq!(seen.len(), expected.len());
            match stop {
                Some(stop) => prop_assert_eq!(stop_observed, stop),
                None => prop_assert_eq!(stop_observed.reason, StopReason::InstructionLimit),
            }
            prop_assert_eq!(registers_and_clock(&observed), registers_and_clock(&stepped));
        }
        prop_assert!(core(&observed) == core(&stepped));
    }

    /// An observer that does not see everything, or repeatedly has enough, changes nothing; its reports are correct.
    #[test]
    fn sparing_observers_change_nothing(case in case(), patience in 1usize..600) {
        for (all, patience) in [(false, usize::MAX), (true, patience)] {
            let (mut plain, mut observed, mut stepped) = (case.machine(), case.machine(), case.machine());
            let mut observer = Sparing { all, patience, heard: 0, told: Vec::new() };
            for limit in [3, 50, 1000, 1000] {
                prop_assert_eq!(run_with(&mut observed, limit, &mut observer), plain.run_plain(limit));
                prop_assert_eq!(registers_and_clock(&observed), registers_and_clock(&plain));
            }
            prop_assert!(core(&observed) == core(&plain));
            let mut told = observer.told.into_iter().peekable();
            for _ in 0..2100 {
                stepped.step_observed(&mut |step: &StepReport| {
                    if told.peek() == Some(step) {
                        told.next();
                    }
                });
            }
            prop_assert_eq!(told.next(), None);
        }
    }

    /// A used prepared machine starts in the same state as a new one.
    #[test]
    fn prepared_machines_begin_anew(first in case(), second in vec(event(), 1..20)) {
        let fresh = Machine::new(first.config);
        let mut beginning = first.loaded(fresh);
        beginning.run(100);
        let prepared = Prepared::new(beginning);
        let left = {
            let mut used = prepared.machine();
            for event in &first.events {
                happen(&mut used, &mut None, event, Machine::run);
            }
            used.checkpoint()
        };
        {
            let (mut restored, mut expected) = (prepared.machine(), prepared.beginning().clone());
            restored.restore(&left);
            expected.restore(&left);
            for event in &second {
                let stop = happen(&mut restored, &mut None, event, Machine::run);
                prop_assert_eq!(stop, happen(&mut expected, &mut None, event, Machine::run_plain));
            }
            prop_assert!(core(&restored) == core(&expected));
            prop_assert_eq!(restored.cells_written(), expected.cells_written());
        }
        let mut again = prepared.machine();
        let mut expected = prepared.beginning().clone();
        prop_assert!(core(&again) == core(&expected));
        prop_assert_eq!(again.cells_written(), expected.cells_written());
        for event in &second {
            let stop = happen(&mut again, &mut None, event, Machine::run);
            prop_assert_eq!(stop, happen(&mut expected, &mut None, event, Machine::run_plain));
            prop_assert_eq!(seen(&again), seen(&expected));
        }
        prop_assert!(core(&again) == core(&expected));
        prop_assert_eq!(again.cells_written(), expected.cells_written());
    }

    #[test]
    fn profiles_add_up(case in case()) {
        let mut plain = case.machine();
        let mut observed = case.machine();
        let mut profile = Profile::default();
        for limit in [3, 50, 1000, 1000] {
            let stop = observed.run_observed(limit, &mut profile);
            prop_assert_eq!(stop, plain.run_plain(limit));
        }
        prop_assert_eq!(seen(&observed), seen(&plain));
        let total = |shares: &mut dyn Iterator<Item = Share>| {
            shares.fold((0, 0, 0), |(instructions, m20, m220), share| {
                (instructions + share.instructions, m20 + share.m20.0, m220 + share.m220.0)
            })
        };
        let Clock { instructions, m20, m220, .. } = observed.clock();
        prop_assert_eq!(total(&mut profile.by_code().map(|(_, share)| share)), (instructions, m20.0, m220.0));
        prop_assert_eq!(total(&mut profile.by_cell().map(|(_, share)| share)), (instructions, m20.0, m220.0));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn any_core_runs_to_a_stop_or_the_limit((config, words, registers) in any_image()) {
        const LIMIT: u64 = 20_000;
        let mut machine = filled(config, &words, &registers);
        let mut plain = filled(config, &words, &registers);
        for _ in 0..20 {
            let before = machine.clock().instructions;
            let stop = machine.run(LIMIT);
            prop_assert_eq!(&stop, &plain.run_plain(LIMIT));
            prop_assert_eq!(machine.registers(), plain.registers());
            let executed = machine.clock().instructions - before;
            match stop.reason {
                StopReason::InstructionLimit => prop_assert_eq!(executed, LIMIT),
                _ => prop_assert!(executed <= LIMIT),
            }
            let next = Registers { rvk: machine.registers().rvk.offset(1), ..machine.registers() };
            machine.set_registers(&next);
            plain.set_registers(&next);
        }
        prop_assert_eq!(machine.clock(), plain.clock());
        prop_assert!(machine.core_words().eq(plain.core_words()));
    }
}

/// A slice ends at each of its limits: exactly for instructions and device operations, and for time
/// within the number of instructions that the engine executes between two checks.
#[test]
fn slices_end_at_their_bounds() {
    let start = || {
        let mut machine =
            Machine::with_periphery(Config::new(Model::M220), Overwriting { word: Word::truncating(0o1234) });
        // Prepare, exchange, jump back.
        for (cell, word) in [
            (1, "0 50 0002 0000 0200"),
            (2, "0 70 0200 0001 0000"),
            (3, "0 56 0000 0001 0000"),
            (4, "0 56 0000 0004 0000"),
        ] {
            machine.set_core(Address::truncating(cell).into(), word.parse().unwrap()).unwrap();
        }
        machine.start(Address::truncating(1));
        machine
    };
    const UNBOUNDED: Slice = Slice::of_instructions(u64::MAX);

    let mut machine = start();
    assert_eq!(machine.run_slice(Slice { device_operations: 5, ..UNBOUNDED }), None);
    assert_eq!(machine.clock().instructions, 4 * 3 + 2);
    assert_eq!(machine.run_slice(Slice::of_instructions(7)), None);
    assert_eq!(machine.clock().instructions, 4 * 3 + 2 + 7);

    let mut machine = start();
    machine.start(Address::truncating(4));
    let time = HalfMicroseconds(48 * 10_000);
    assert_eq!(machine.run_slice(Slice { time, ..UNBOUNDED }), None);
    let over = machine.clock().m220.0 - time.0;
    assert!(over < 48 * 512, "{over} half-microseconds beyond the bound");
}

/// A device says what follows its exchange: the next instruction, A2, or a stop that goes on at A2. Its time is added, the
/// sum comes to A3, and another exchange has to be prepared.
#[test]
fn a_device_says_what_follows() {
    let cell = |octal: u16| CoreAddress::from(Address::truncating(octal.into()));
    for (is_cards, verdict) in [(false, 0), (false, 1), (false, 2), (true, 0), (true, 1), (true, 2)] {
        let mut machine =
            Machine::with_periphery(Config::new(Model::M220), Overwriting { word: Word::truncating(0o1234) });
        let (code, first) = if is_cards { (0o30, 0o200 | verdict) } else { (0o70, 0o200) };
        let order = |code, fields: [u16; 3]| {
            let [a1, a2, a3] = fields.map(|field| Address::truncating(field.into()));
            Word::instruction(code, a1, a2, a3)
        };
        for (at, word) in [
            (1, order(0o50, [verdict, 0, first])),
            (2, order(code, [first, 5, 0o10])),
            (first, Word::truncating(0o4321)),
        ] {
            machine.set_core(cell(at), word).unwrap();
        }
        machine.start(cell(1));
        assert_eq!(machine.step(), None);
        let before = machine.clock();
        let stop = machine.run_slice(Slice { device_operations: 1, ..Slice::of_instructions(9) });
        let after = machine.clock();
        assert_eq!(after.instructions, 2);
        // 24 us for the instruction, and the time of the device.
        assert_eq!((after.m20.0 - before.m20.0, after.m220.0 - before.m220.0), (48 + 7, 48 + 5));
        assert_eq!(stop.map(|stop| stop.reason), (verdict == 1).then_some(StopReason::Checksum));
        assert_eq!(machine.next_cell(), cell(if verdict == 2 { 3 } else { 5 }));
        assert_eq!(machine.core(cell(0o10)).unwrap(), checksum([Word::truncating(0o4321)]));
        if !is_cards {
            machine.set_registers(&Registers { rvk: Address::truncating(2), ..machine.registers() });
            assert_eq!(machine.step().map(|stop| stop.reason), Some(StopReason::Device));
        }
    }
}

/// The word in cell 0030 after `instructions` from cell 0100, on which both ways to run must agree.
fn word_in_0030(memory_mode: MemoryMode, cells: &[(u16, &str)], instructions: u64) -> u64 {
    let machine = || {
        let mut machine = Machine::new(Config { memory_mode, ..Config::new(Model::M20) });
        for &(cell, word) in cells {
            machine.set_core(Address::truncating(cell.into()).into(), word.parse().unwrap()).unwrap();
        }
        machine.start(Address::truncating(0o0100));
        machine
    };
    let (mut threaded, mut plain) = (machine(), machine());
    assert_eq!(threaded.run(instructions), plain.run_plain(instructions));
    assert_eq!(seen(&threaded), seen(&plain));
    threaded.core(Address::truncating(0o30).into()).unwrap().bits()
}

/// An address field that is changed to name the cell of RR after its instruction was executed reads RR.
#[test]
fn an_address_may_come_to_be_that_of_rr() {
    let cells = [
        (0o0020, "0 00 0001 0000 0000"),
        (0o0021, "000000000001234"),
        (0o0100, "0 75 7774 0021 0030"), // first the key, then RR
        (0o0101, "0 13 0100 0020 0100"),
        (0o0102, "0 75 0021 0000 0031"), // RR is 1234
        (0o0103, "0 56 0021 0100 0000"),
    ];
    assert_eq!(word_in_0030(MemoryMode::II, &cells, 5), 0o1234);
}

/// The places of a shift that has been executed may be changed, and with them its direction and time.
#[test]
fn a_shift_may_come_to_go_the_other_way() {
    let cells = [
        (0o0020, "0 00 0002 0000 0000"),
        (0o0021, "000000000001234"),
        (0o0100, "0 54 0102 0021 0030"), // first two places to the left, then none, then two to the right
        (0o0101, "0 33 0100 0020 0100"),
        (0o0102, "0 56 0000 0100 0000"),
    ];
    for (instructions, word) in [(1, 0o5160), (4, 0o1234), (7, 0o247)] {
        assert_eq!(word_in_0030(MemoryMode::I, &cells, instructions), word);
    }
}

/// Random programs one after another on the same machines, whose decoded cells the next program replaces: the threaded
/// interpreter agrees with single steps. `M220_PROGRAMS` says how many; a million take a few minutes in a release build.
#[test]
fn machines_in_use_agree_with_the_plain_run() {
    const PROGRAMS_OF_A_MACHINE: u32 = 50;
    let programs = std::env::var("M220_PROGRAMS").ok().and_then(|text| text.parse().ok()).unwrap_or(4_000);
    let mut runner = TestRunner::default();
    let mut samples = Samples {
        state: any::<u64>().new_tree(&mut runner).unwrap().current() | 1,
        instructions: sampled(&mut runner, instruction(), 20_000),
        data: sampled(&mut runner, datum(), 20_000),
    };
    let configs = sampled(&mut runner, config(), 1_000);
    for number in 0..programs {
        if number % PROGRAMS_OF_A_MACHINE == 0 {
            let config = *samples.one_of(&configs);
            let word = samples.instruction();
            let machine = || Machine::with_periphery(config, Overwriting { word });
            samples.check(&mut machine(), &mut machine(), PROGRAMS_OF_A_MACHINE.min(programs - number));
        }
    }
}

fn sampled<S: Strategy>(runner: &mut TestRunner, strategy: S, count: usize) -> Vec<S::Value> {
    (0..count).map(|_| strategy.new_tree(runner).unwrap().current()).collect()
}

/// Words, and the state of a generator of numbers that chooses among them.
struct Samples {
    state: u64,
    instructions: Vec<Word>,
    data: Vec<Word>,
}

impl Samples {
    /// A number below another.
    fn below(&mut self, bound: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 20) % bound
    }

    fn one_of<'a, T>(&mut self, choice: &'a [T]) -> &'a T {
        &choice[self.below(choice.len() as u64) as usize]
    }

    fn instruction(&mut self) -> Word {
        let place = self.below(self.instructions.len() as u64);
        self.instructions[place as usize]
    }

    fn datum(&mut self) -> Word {
        let place = self.below(self.data.len() as u64);
        self.data[place as usize]
    }

    /// Runs `programs` programs on both machines.
    fn check(&mut self, plain: &mut Machine<Overwriting>, threaded: &mut Machine<Overwriting>, programs: u32) {
        for _ in 0..programs {
            let mut loaded = Vec::new();
            for cube in 0..plain.config().cubes {
                for cell in (0..USED).chain(0o7770..0o10000) {
                    let word = if cell < PROGRAM { self.instruction() } else { self.datum() };
                    loaded.push((CoreAddress::new(cube, Address::truncating(cell.into())), word));
                }
            }
            let fitted = u64::from(plain.config().cubes);
            let elsewhere = self.below(4) == 0;
            let mut cube = || if elsewhere { self.below(fitted) as u8 } else { 0 };
            let cubes = CubeRegisters {
                rp_kra: cube(),
                rp_a1: cube(),
                rp_a2: cube(),
                rp_a3: cube(),
                ..CubeRegisters::default()
            };
            let rvk = Address::truncating(self.below(PROGRAM.into()));
            let ra = Address::truncating(self.below(8));
            let limits = [self.below(40), self.below(400), self.below(2_000)];
            for machine in [&mut *plain, &mut *threaded] {
                for &(at, word) in &loaded {
                    machine.set_core(at, word).unwrap();
                }
                machine.set_registers(&Registers { rvk, ra, cubes, ..machine.registers() });
            }
            for limit in limits {
                let expected = happen(plain, &mut None, &Event::Run(limit), Machine::run_plain);
                let stop = happen(threaded, &mut None, &Event::Run(limit), Machine::run);
                assert_eq!(stop, expected, "{limit} of {loaded:?}");
                assert_eq!(seen(threaded), seen(plain), "{limit} of {loaded:?}");
            }
            assert!(threaded.core_words().eq(plain.core_words()), "{loaded:?}");
            assert_eq!(threaded.cells_written(), plain.cells_written(), "{loaded:?}");
        }
    }
}
