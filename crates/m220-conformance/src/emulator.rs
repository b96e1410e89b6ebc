//! Emulators that answer cases: our own machine here, others behind a pipe in [`crate::foreign`].

use crate::text::Register;
use crate::vector::{Answer, Question};
use m220_isa::{CoreAddress, Word};
use m220_machine::{Config, Machine, MemoryMode, Registers, Stop};

/// Something that runs cases.
pub trait Emulator {
    /// The state after the question's steps.
    ///
    /// # Errors
    /// Why there is no answer.
    fn answer(&mut self, question: &Question) -> Result<Answer, String>;
}

/// The plain engine of `m220-machine`.
pub struct Ours;

impl Emulator for Ours {
    fn answer(&mut self, question: &Question) -> Result<Answer, String> {
        let mut machine = machine_for(question)?;
        let stop = (0..question.steps).find_map(|_| machine.step());
        Ok(answer_of(&machine, stop.as_ref()))
    }
}

/// The machine of a question, set up, its clock at zero.
///
/// # Errors
/// What [`Question::check`] finds, or a number of cubes that no M-220 has.
pub fn machine_for(question: &Question) -> Result<Machine, String> {
    question.check()?;
    let memory_mode = if question.memory_mode == 2 { MemoryMode::II } else { MemoryMode::I };
    let config = Config { model: question.model, memory_mode, cubes: question.cubes };
    let mut machine = Machine::new(config.check().map_err(|error| error.to_string())?);
    set_up(&mut machine, question)?;
    Ok(machine)
}

/// Sets the registers, keys and cells of a question on a machine whose core is zero.
///
/// # Errors
/// A cell that the machine does not have.
pub fn set_up(machine: &mut Machine, question: &Question) -> Result<(), String> {
    machine.set_registers(&Registers::default());
    for (register, value) in Register::ALL.into_iter().zip(question.registers) {
        register.of_machine().write(machine, value);
    }
    for (key, &word) in (1..).zip(&question.keys) {
        machine.set_key(key, Word::truncating(word));
    }
    for (&cell, &word) in &question.core {
        let at = CoreAddress::from_index(usize::from(cell)).map_err(|error| error.to_string())?;
        machine.set_core(at, Word::truncating(word)).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// The state of a machine whose clock was at zero when it was set up.
#[must_use]
pub fn answer_of(machine: &Machine, stop: Option<&Stop>) -> Answer {
    let clock = machine.clock();
    Answer {
        registers: Register::ALL.map(|register| Some(register.of_machine().read(machine))),
        core: (0..)
            .zip(machine.core_words())
            .filter(|(_, word)| *word != Word::ZERO)
            .map(|(cell, word)| (cell, word.bits()))
            .collect(),
        time: [Some(clock.m20.0), Some(clock.m220.0)],
        stop: stop.map(|stop| stop.reason.to_string()),
    }
}
