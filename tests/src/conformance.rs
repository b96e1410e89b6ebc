//! Runs conformance cases on the machine in every way that it has, and reports the differences.

use m220_conformance::Vector;
use m220_conformance::emulator::{answer_of, machine_for, set_up};
use m220_conformance::vector::Difference;
use m220_isa::{CoreAddress, Word};
use m220_machine::{Clock, Machine, Registers, StepReport, Stop, StopReason};

/// How a case is executed. All ways must end in the same state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drive {
    /// [`Machine::step`], as often as the case has steps.
    Step,
    /// [`Machine::run`] with the case's number of steps.
    Run,
    /// [`Machine::run`] on a machine that has run the case before and was reset, so that it uses the
    /// instructions decoded the first time.
    RunAgain,
}

impl Drive {
    /// Every way to execute a case.
    pub const ALL: [Drive; 3] = [Drive::Step, Drive::Run, Drive::RunAgain];

    /// The name in failure messages.
    pub fn name(self) -> &'static str {
        match self {
            Drive::Step => "step by step",
            Drive::Run => "run",
            Drive::RunAgain => "run again",
        }
    }
}

fn machine_of(vector: &Vector) -> Machine {
    machine_for(&vector.question).expect("the reader refuses cells that the machine does not have")
}

fn drive(vector: &Vector, drive: Drive) -> (Machine, Option<Stop>) {
    let (steps, mut machine) = (vector.question.steps, machine_of(vector));
    if drive == Drive::RunAgain {
        machine.run(steps);
        let written: Vec<usize> =
            machine.core_words().enumerate().filter(|(_, word)| *word != Word::ZERO).map(|(index, _)| index).collect();
        for index in written {
            let cell = CoreAddress::from_index(index).expect("a cell of core");
            machine.set_core(cell, Word::ZERO).expect("a cell of core");
        }
        machine.start(CoreAddress::default());
        set_up(&mut machine, &vector.question).expect("the machine has these cells");
    }
    let stop = match drive {
        Drive::Step => (0..steps).find_map(|_| machine.step()),
        Drive::Run | Drive::RunAgain => {
            Some(machine.run(steps)).filter(|stop| stop.reason != StopReason::InstructionLimit)
        }
    };
    (machine, stop)
}

/// An instruction executed by a case, for measuring the coverage of the cases.
#[derive(Clone, Copy, Debug)]
pub struct Executed {
    /// The machine.
    pub model: m220_machine::Model,
    /// The machine's report.
    pub report: StepReport,
    /// RA before it.
    pub ra: u16,
    /// Whether it stopped the machine.
    pub stopped: bool,
}

/// All instructions that a case executes.
pub fn executed(vector: &Vector) -> Vec<Executed> {
    let mut all = Vec::new();
    let mut machine = machine_of(vector);
    for _ in 0..vector.question.steps {
        let ra = machine.registers().ra.get();
        let mut seen = None;
        let stop = machine.step_observed(&mut |report: &StepReport| seen = Some(*report));
        let model = vector.question.model;
        all.extend(seen.map(|report| Executed { model, report, ra, stopped: stop.is_some() }));
        if stop.is_some() {
            break;
        }
    }
    all
}

/// Runs a case in every way of [`Drive::ALL`]. One line for each difference.
pub fn differences(vector: &Vector) -> Vec<String> {
    let mut found = Vec::new();
    let mut first: Option<(Registers, Option<Stop>, Clock)> = None;
    for way in Drive::ALL {
        let (machine, stop) = drive(vector, way);
        let head = format!("{}, {}", vector.question.model.name(), way.name());
        let differences = vector.expected.differences(&answer_of(&machine, stop.as_ref()));
        found.extend(
            differences.into_iter().map(|Difference { what, expected, found }| {
                format!("{head}: {what}: expected {expected}, found {found}")
            }),
        );
        // A stop that names its cell is that of the last step.
        let steps = machine.clock().instructions;
        if stop.is_some() && vector.expected.registers[0].is_some() && steps != vector.question.steps {
            found.push(format!("{head}: stops in step {steps} of {}", vector.question.steps));
        }
        // Registers that a case cannot name (P1, the exchange preparation) and the words of the stop.
        let rest = (machine.registers(), stop, machine.clock());
        match &first {
            None => first = Some(rest),
            Some(first) if *first == rest => {}
            Some(first) => found.push(format!("{head}: ends in {rest:?}, but {} in {first:?}", Drive::ALL[0].name())),
        }
    }
    found
}
