//! Runs the conformance files of `m220-conformance`, one named test per file, and checks what all of
//! them together must cover. The README there describes the format.

use libtest_mimic::{Arguments, Failed, Trial};
use m220_conformance::{FILES, suite, text, vector};
use m220_isa::opcode::{Omega, Role, row_of};
use m220_isa::{Code, Operation};
use m220_machine::Model;
use m220_tests::conformance::{Executed, differences, executed};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::process::ExitCode;

/// Differences of one case, and cases of one file, that a failure prints in full.
const LINES_A_CASE: usize = 12;
const CASES_A_FILE: usize = 20;

fn main() -> ExitCode {
    let mut trials: Vec<Trial> =
        FILES.iter().map(|&(name, content)| Trial::test(name, move || check(name, content))).collect();
    trials.push(Trial::test("what-all-files-cover", coverage));
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn check(name: &str, content: &str) -> Result<(), Failed> {
    let cases = vector::written_out(name, &text::parse(&format!("{name}.txt"), content)?);
    let mut report = String::new();
    let mut failed = 0;
    for case in &cases {
        let lines = differences(case);
        if lines.is_empty() {
            continue;
        }
        failed += 1;
        if failed > CASES_A_FILE {
            continue;
        }
        let _ = writeln!(report, "{}: {}", case.place, case.name);
        if !case.why.is_empty() {
            let _ = writeln!(report, "    why: {}", case.why);
        }
        for line in lines.iter().take(LINES_A_CASE) {
            let _ = writeln!(report, "    {line}");
        }
        if lines.len() > LINES_A_CASE {
            let _ = writeln!(report, "    and {} more differences", lines.len() - LINES_A_CASE);
        }
    }
    if failed > CASES_A_FILE {
        let _ = writeln!(report, "and {} more cases", failed - CASES_A_FILE);
    }
    if failed == 0 { Ok(()) } else { Err(format!("{failed} of {} cases differ\n{report}", cases.len()).into()) }
}

/// Situations that the cases must cover for each operation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Needed {
    /// The code is executed and does not stop the machine.
    Ordinary,
    /// It stops the machine.
    Stop,
    /// It leaves this Omega.
    Omega(bool),
    /// Address 1, 2 or 3 is modified by an RA that is not zero.
    Modified(usize),
    /// The modified address goes past 7777.
    Wrapped(usize),
    /// The address is 0000, for a cell that is read or written.
    CellZero(usize),
    /// Both times are stated.
    Timed,
}

/// One operation of one machine, as a failure names it: `17 on m220`.
type Meaning = (Code, &'static str);

/// Every code under every model that gives it a different meaning. Where models agree, a case for any
/// of them will do, because the cases name all the models for which they hold.
fn meanings() -> Vec<(Meaning, Operation, BTreeSet<Needed>)> {
    let mut all: Vec<(Meaning, Operation, BTreeSet<Needed>)> = Vec::new();
    for model in Model::ALL {
        for code in Code::all() {
            let row = row_of(model, code);
            if all.iter().any(|((known, _), operation, _)| *known == code && *operation == row.operation) {
                continue;
            }
            let mut needed = BTreeSet::new();
            // Without devices these codes only stop; the devices have their own tests.
            let device = matches!(row.operation, Operation::ReadCards { .. } | Operation::Exchange);
            if device || can_stop(row.operation) {
                needed.insert(Needed::Stop);
            }
            if row.operation != Operation::Halt && !device {
                needed.insert(Needed::Ordinary);
            }
            if row.omega != Omega::Kept {
                needed.extend([Needed::Omega(false), Needed::Omega(true)]);
            }
            for (place, role) in row.roles.into_iter().enumerate().filter(|_| !device) {
                if role != Role::Unused && row.operation != Operation::PrepareExchange {
                    needed.extend([Needed::Modified(place + 1), Needed::Wrapped(place + 1)]);
                }
                if matches!(role, Role::Read | Role::Write) {
                    needed.insert(Needed::CellZero(place + 1));
                }
            }
            if !device {
                needed.insert(Needed::Timed);
            }
            all.push(((code, model.name()), row.operation, needed));
        }
    }
    all
}

/// Operations that can stop the machine even if all addressed core and cubes exist.
fn can_stop(operation: Operation) -> bool {
    use Operation as Op;
    matches!(
        operation,
        Op::Halt
            | Op::StopIfDifferent
            | Op::ReadKey
            | Op::FetchDynamic
            | Op::StoreDynamic
            | Op::Add { .. }
            | Op::Subtract { .. }
            | Op::Multiply { .. }
            | Op::Divide { .. }
            | Op::SquareRoot { .. }
            | Op::AddToExponent { .. }
            | Op::SubtractFromExponent { .. }
    )
}

/// The situations that an executed instruction covers.
fn shown_by(executed: &Executed, timed: bool) -> impl Iterator<Item = Needed> {
    let instruction = executed.report.word.decode();
    let fields = [instruction.a1, instruction.a2, instruction.a3];
    let mut shown = vec![if executed.stopped { Needed::Stop } else { Needed::Ordinary }];
    shown.push(Needed::Omega(executed.report.omega));
    for (index, (field, effective)) in fields.into_iter().zip(executed.report.addresses()).enumerate() {
        let place = index + 1;
        if instruction.modify[index] && executed.ra != 0 {
            shown.push(Needed::Modified(place));
            if field.get() + executed.ra > 0o7777 {
                shown.push(Needed::Wrapped(place));
            }
        }
        if effective.cell().get() == 0 {
            shown.push(Needed::CellZero(place));
        }
    }
    if timed {
        shown.push(Needed::Timed);
    }
    shown.into_iter()
}

/// Every code under every model that treats it differently, and what each code's cases must show.
fn coverage() -> Result<(), Failed> {
    let mut meanings = meanings();
    for case in suite()? {
        let timed = case.expected.time.iter().all(Option::is_some);
        for executed in executed(&case) {
            let code = executed.report.word.decode().code;
            let operation = row_of(executed.model, code).operation;
            if let Some((.., needed)) = meanings.iter_mut().find(|((c, _), o, _)| *c == code && *o == operation) {
                for shown in shown_by(&executed, timed) {
                    needed.remove(&shown);
                }
            }
        }
    }
    let mut report = String::new();
    for ((code, model), _, needed) in meanings.iter().filter(|(.., needed)| !needed.is_empty()) {
        let _ = writeln!(report, "code {:02o} of the {model}: no case of {needed:?}", code.bits());
    }
    if report.is_empty() { Ok(()) } else { Err(report.into()) }
}
