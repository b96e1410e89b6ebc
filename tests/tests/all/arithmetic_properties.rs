//! Every arithmetic code against its exact definition, bit for bit.
//!
//! The oracle, `exact`, shares no line with the emulator: it works on rational numbers, and nothing is lost before the
//! definition says so. The machine executes the codes, so that decoding is covered too. All codes, and their times, are
//! compared with the machine's specification in `m220-conformance`.

use m220_conformance::text::{self, Case, Register};
use m220_isa::{Address, CoreAddress, Word};
use m220_machine::{Config, Machine, Model, Registers, Stop};
use m220_tests::exact;
use proptest::prelude::*;

const TAG: u64 = 1 << 44;
const SIGN: u64 = 1 << 43;
const MANTISSA: u64 = (1 << 36) - 1;

/// The codes of `exact`.
const ARITHMETIC: [u8; 24] = [
    0o01, 0o02, 0o03, 0o04, 0o05, 0o06, 0o21, 0o22, 0o23, 0o24, 0o25, 0o26, 0o41, 0o42, 0o43, 0o44, 0o45, 0o46, 0o61,
    0o62, 0o63, 0o64, 0o65, 0o66,
];

/// Cells of the instruction, the first operand, the second, the result. They lie in the first half
/// of core: an A1 that is a number (06, 14) moves the cell that P1 comes from and nothing else.
const AT: u64 = 0o100;
const X: u16 = 0o20;
const Y: u16 = 0o21;
const R: u16 = 0o22;

fn cell(at: u64) -> CoreAddress {
    CoreAddress::from_index(usize::try_from(at).expect("small")).expect("a cell of cube 0")
}

fn word(code: u8, a1: u16, a2: u16, a3: u16) -> Word {
    let address = |value: u16| Address::new(u64::from(value)).expect("twelve bits");
    Word::instruction(code, address(a1), address(a2), address(a3))
}

/// A machine that is reused, because building one is expensive.
struct Bench {
    machine: Machine,
}

/// The effects of one instruction.
#[derive(Debug, PartialEq, Eq)]
struct Effects {
    stop: Option<Stop>,
    stored: u64,
    registers: Registers,
    halves: [u64; 2],
}

/// In the result cell and in RMR before every instruction.
const UNTOUCHED: u64 = 0o252_525_252_525_252;

impl Bench {
    fn new(model: Model) -> Bench {
        Bench { machine: Machine::new(Config::new(model)) }
    }

    fn put(&mut self, at: u64, bits: u64) {
        self.machine.set_core(cell(at), Word::truncating(bits)).expect("a cell of cube 0");
    }

    fn prepare(&mut self, instruction: Word, x: u64, y: u64, omega: bool) {
        self.put(AT, instruction.bits());
        self.put(u64::from(X), x);
        self.put(u64::from(Y), y);
        self.put(u64::from(R), UNTOUCHED);
        let rvk = Address::new(AT).expect("a cell");
        let rmr = Word::truncating(UNTOUCHED);
        self.machine.set_registers(&Registers { rvk, omega, rmr, ..Registers::default() });
    }

    fn left(&self, stop: Option<Stop>, before: [u64; 2]) -> Effects {
        let clock = self.machine.clock();
        Effects {
            stop,
            stored: self.machine.core(cell(u64::from(R))).expect("a cell of cube 0").bits(),
            registers: self.machine.registers(),
            halves: [clock.m20.0 - before[0], clock.m220.0 - before[1]],
        }
    }

    fn time(&self) -> [u64; 2] {
        [self.machine.clock().m20.0, self.machine.clock().m220.0]
    }

    /// One instruction, executed by a step and again by a run of one instruction, which must agree.
    fn execute(&mut self, instruction: Word, x: u64, y: u64, omega: bool) -> Effects {
        self.prepare(instruction, x, y, omega);
        let before = self.time();
        let stop = self.machine.step();
        let stepped = self.left(stop, before);

        self.prepare(instruction, x, y, omega);
        let before = self.time();
        let stop = self.machine.run(1);
        let stop = Some(stop).filter(|stop| stop.reason.name() != "instruction-limit");
        let run = self.left(stop, before);
        assert_eq!(run, stepped, "a run of one instruction and a step: {instruction}, x = {x:o}, y = {y:o}");
        stepped
    }
}

fn show(code: u8, a1: u16, x: u64, y: u64) -> String {
    format!("{code:02o}, A1 {a1:04o}, x = {}, y = {}", text::grouped(x), text::grouped(y))
}

/// One arithmetic instruction on the machine against the exact oracle. `number` is the A1 of 06 and 46.
fn check_arithmetic(bench: &mut Bench, code: u8, number: u16, x: u64, y: u64) -> Result<(), TestCaseError> {
    let a1 = if matches!(code, 0o06 | 0o46) { number } else { X };
    let shown = show(code, a1, x, y);
    let omega_before = (x ^ y).count_ones().is_multiple_of(2);
    let left = bench.execute(word(code, a1, Y, R), x, y, omega_before);
    match exact::evaluate(code, a1, x, y).expect("an arithmetic code") {
        Ok(outcome) => {
            prop_assert!(left.stop.is_none(), "{shown}: {:?}", left.stop);
            prop_assert_eq!(left.stored, outcome.result, "{}: {:o} {:o}", shown, left.stored, outcome.result);
            prop_assert_eq!(left.registers.rr.bits(), outcome.result, "{}: RR", shown);
            prop_assert_eq!(left.registers.omega, outcome.omega, "{}: Omega", shown);
            prop_assert_eq!(left.registers.rmr.bits(), outcome.low.unwrap_or(UNTOUCHED), "{}: RMR", shown);
        }
        Err(fault) => {
            let reason = left.stop.map(|stop| stop.reason.name());
            prop_assert_eq!(reason, Some(fault.name()), "{}", shown);
            prop_assert_eq!(left.stored, UNTOUCHED, "{}: nothing is stored", shown);
            prop_assert_eq!(left.registers.rr, Word::ZERO, "{}: RR is kept", shown);
            prop_assert_eq!(left.registers.omega, omega_before, "{}: Omega is kept", shown);
            prop_assert_eq!(left.registers.rmr.bits(), UNTOUCHED, "{}: RMR is kept", shown);
        }
    }
    Ok(())
}

/// Mantissas that favour edge cases: zero, single bits, runs of ones at either end, anything.
fn mantissa() -> impl Strategy<Value = u64> {
    prop_oneof![
        6 => (1_u64 << 35)..(1 << 36),
        2 => 0..=MANTISSA,
        2 => (0_u32..36).prop_map(|k| 1 << k),
        2 => (0_u32..36).prop_map(|k| MANTISSA >> k),
        1 => (0_u32..36).prop_map(|k| MANTISSA << k & MANTISSA),
        1 => (0_u32..36, 0_u64..8).prop_map(|(k, low)| ((1_u64 << k) + low) & MANTISSA),
        1 => Just(0),
    ]
}

fn exponent() -> impl Strategy<Value = u64> {
    prop_oneof![4 => 0_u64..128, 3 => 0o60_u64..0o120, 1 => 0_u64..4, 1 => 124_u64..128]
}

/// A number: any sign, the tag now and then, machine zero and -0 among them.
fn number() -> impl Strategy<Value = u64> {
    prop_oneof![
        12 => (any::<bool>(), any::<bool>(), exponent(), mantissa()).prop_map(|(tag, sign, exponent, mantissa)| {
            u64::from(tag) * TAG + u64::from(sign) * SIGN + (exponent << 36) + mantissa
        }),
        1 => prop_oneof![Just(0), Just(SIGN), Just(TAG), Just(TAG | SIGN)],
        1 => 0..=Word::MASK,
    ]
}

/// Two numbers: unrelated, or with exponents near each other, or nearly equal.
fn pair() -> impl Strategy<Value = (u64, u64)> {
    let near = |x: u64, distance: i64, bits: u64| {
        let exponent = i64::try_from(x >> 36 & 127).expect("seven bits") + distance;
        let exponent = u64::try_from(exponent.clamp(0, 127)).expect("not negative");
        bits & !(127 << 36) | exponent << 36
    };
    prop_oneof![
        3 => (number(), number()),
        4 => (number(), -40_i64..=40, number()).prop_map(move |(x, distance, y)| (x, near(x, distance, y))),
        2 => (number(), any::<bool>(), 0_u64..8, -1_i64..=1).prop_map(move |(x, sign, low, distance)| {
            (x, near(x, distance, x ^ low ^ (u64::from(sign) * SIGN)))
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(700))]

    #[test]
    fn arithmetic_is_exact(pairs in prop::collection::vec(pair(), 4), number in 0_u16..0o10000) {
        let mut bench = Bench::new(Model::M220);
        for (x, y) in pairs {
            for code in ARITHMETIC {
                check_arithmetic(&mut bench, code, number, x, y)?;
            }
        }
    }
}

/// Words at every edge case of the definitions, in all pairs, under every code.
#[test]
fn edges_with_edges() {
    let mantissas = [0, 1, 2, 3, 1 << 34, (1 << 35) - 1, 1 << 35, (1 << 35) + 1, MANTISSA - 1, MANTISSA];
    let exponents = [0, 1, 0o77, 0o100, 0o101, 0o144, 0o177];
    let mut words = Vec::new();
    for exponent in exponents {
        for (index, mantissa) in mantissas.into_iter().enumerate() {
            words.push(exponent << 36 | mantissa);
            // Not every combination of signs and tags is needed: alternate them.
            words.push(if index % 2 == 0 { SIGN } else { TAG | SIGN } | exponent << 36 | mantissa);
        }
    }
    let mut bench = Bench::new(Model::M220);
    for (index, &x) in words.iter().enumerate() {
        for &y in &words {
            // Each second operand meets half of the arithmetic codes under one sign, half under the other.
            for code in ARITHMETIC.into_iter().skip(index % 2).step_by(2) {
                check_arithmetic(&mut bench, code, 0o100, x, y).unwrap_or_else(|error| panic!("{error}"));
            }
        }
    }
    for &y in &words {
        for number in (0..0o200).chain([0o7700, 0o7777]) {
            for code in [0o06, 0o46] {
                check_arithmetic(&mut bench, code, number, 0, y).unwrap_or_else(|error| panic!("{error}"));
            }
        }
    }
}

/// The conformance files were worked out by hand and with whole-number arithmetic; the exact oracle
/// must give the same words. This checks the two sources of expectations against each other without an
/// emulator.
#[test]
fn the_oracle_agrees_with_the_conformance_files() {
    let mut checked = 0;
    for (name, text) in m220_conformance::FILES {
        let parsed = text::parse(name, text).unwrap_or_else(|error| panic!("{error}"));
        for case in parsed.iter().filter(|case| case.steps == 1) {
            checked += usize::from(agrees(name, case));
        }
    }
    assert!(checked > 800, "only {checked} cases of arithmetic were found");
}

/// The instruction of a case on ordinary core: code, effective first address, words at the first two.
fn instruction_of(case: &Case) -> Option<(u8, u16, u64, u64)> {
    let instruction = case.first_instruction();
    let code = u8::try_from(instruction >> 36 & 0o77).expect("six bits");
    let ra = case.registers.get(&Register::Ra).copied().unwrap_or(0);
    let address = |shift: u32, mark: u32| {
        let field = instruction >> shift & 0o7777;
        let marked = instruction >> mark & 1 == 1;
        u16::try_from(if marked { (field + ra) % 0o10000 } else { field }).expect("twelve bits")
    };
    let (a1, a2, a3) = (address(24, 44), address(12, 43), address(0, 42));
    let content = |cell: u16| {
        if cell == 0 { 0 } else { case.cells.get(&cell).copied().unwrap_or(0) }
    };
    let cubes = [Register::CubeA1, Register::CubeA2, Register::CubeA3];
    let other_cubes = cubes.iter().any(|cube| case.registers.contains_key(cube));
    let no_core = case.memory_mode == 2 || case.models.contains(&m220_isa::Model::Itep);
    let special = no_core && [a1, a2, a3].iter().any(|&cell| cell >= 0o7770);
    (!other_cubes && !special).then(|| (code, a1, content(a1), content(address(12, 43))))
}

fn expected(case: &Case, register: Register) -> Option<u64> {
    case.then_registers.get(&register).copied().flatten()
}

/// Checks one single-step case, if it is about arithmetic.
fn agrees(file: &str, case: &Case) -> bool {
    let Some((code, a1, x, y)) = instruction_of(case) else { return false };
    let Some(exact) = exact::evaluate(code, a1, x, y) else { return false };
    let place = format!("{file}:{}: {}", case.line, case.title);
    match exact {
        Ok(outcome) => {
            assert_eq!(case.then_stop, None, "{place}");
            assert_eq!(expected(case, Register::Rr), Some(outcome.result), "{place}: RR");
            assert_eq!(expected(case, Register::Omega), Some(u64::from(outcome.omega)), "{place}: omega");
            assert_eq!(expected(case, Register::Rmr), outcome.low, "{place}: RMR");
        }
        Err(fault) => {
            let stop = case.then_stop.as_ref().unwrap_or_else(|| panic!("{place}: {fault:?}"));
            assert_eq!(stop.reason, fault.name(), "{place}");
        }
    }
    true
}
