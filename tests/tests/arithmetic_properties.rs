//! The arithmetic unit against its exact definition.

use m220_tests::cases::{self, Case, Expected, Register};
use m220_tests::exact;

/// The conformance files were worked out by hand and by whole-number arithmetic: the exact oracle
/// must say the same, word for word. This keeps the two sources of expectations honest without any
/// emulator between them.
#[test]
fn oracle_agrees_with_the_conformance_files() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/conformance");
    let mut compared = 0;
    for entry in std::fs::read_dir(folder).expect("the folder of conformance files") {
        let path = entry.expect("a folder entry").path();
        if path.extension().is_none_or(|extension| extension != "txt") {
            continue;
        }
        let name = path.file_name().expect("a file name").to_string_lossy().to_string();
        let text = std::fs::read_to_string(&path).expect("a readable file");
        let parsed = cases::parse(&name, &text).unwrap_or_else(|error| panic!("{error}"));
        for case in parsed.iter().filter(|case| case.steps == 1) {
            compared += usize::from(agrees(&name, case));
        }
    }
    assert!(compared > 800, "only {compared} cases of arithmetic were found");
}

/// Checks one single-step case, if it is about arithmetic on ordinary core.
fn agrees(file: &str, case: &Case) -> bool {
    let instruction = case.first_instruction();
    let code = u8::try_from(instruction >> 36 & 0o77).expect("six bits");
    let ra = case.registers.get(&Register::Ra).copied().unwrap_or(0);
    let address = |shift: u32, mark: u32| {
        let field = instruction >> shift & 0o7777;
        let marked = instruction >> mark & 1 == 1;
        u16::try_from(if marked { (field + ra) % 0o10000 } else { field }).expect("twelve bits")
    };
    let a1 = address(24, 44);
    let content = |cell: u16| {
        if cell == 0 { 0 } else { case.cells.get(&cell).copied().unwrap_or(0) }
    };
    let Some(exact) = exact::evaluate(code, a1, content(a1), content(address(12, 43))) else {
        return false;
    };
    let place = format!("{file}:{}: {}", case.line, case.title);
    let expected = |register: Register| match case.then_registers.get(&register) {
        Some(Expected::Value(value)) => Some(*value),
        _ => None,
    };
    match exact {
        Ok(outcome) => {
            assert_eq!(case.then_stop, None, "{place}");
            assert_eq!(expected(Register::Rr), Some(outcome.result), "{place}: RR");
            assert_eq!(expected(Register::Omega), Some(u64::from(outcome.omega)), "{place}: omega");
            assert_eq!(expected(Register::Rmr), outcome.low, "{place}: RMR");
        }
        Err(fault) => {
            let stop = case.then_stop.as_ref().unwrap_or_else(|| panic!("{place}: {fault:?}"));
            assert_eq!(stop.reason, fault.name(), "{place}");
        }
    }
    true
}
