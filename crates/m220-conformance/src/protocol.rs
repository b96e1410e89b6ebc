//! The line protocol between the suite and an emulator; `suite/README.md` describes it.

use crate::text::{Register, TIME_MODELS, cell_name, parse_address, parse_word};
use crate::vector::{Answer, Core, Question};
use m220_isa::Model;
use std::fmt::Write;

/// The line that ends an answer.
pub const DONE: &str = "done";

/// The lines of a question; the last is `run`.
#[must_use]
pub fn question_lines(question: &Question) -> String {
    let Question { model, memory_mode, cubes, keys, steps, registers, core } = question;
    let mut lines = format!("machine {}\nmode {memory_mode}\ncubes {cubes}\n", model.name());
    for (key, word) in (1..).zip(keys).filter(|(_, word)| **word != 0) {
        let _ = writeln!(lines, "key {key} {word:015o}");
    }
    state_lines(&mut lines, &registers.map(Some), core);
    let _ = writeln!(lines, "run {steps}");
    lines
}

/// The lines of an answer; the last is [`DONE`].
#[must_use]
pub fn answer_lines(answer: &Answer) -> String {
    let mut lines = String::new();
    state_lines(&mut lines, &answer.registers, &answer.core);
    for (model, time) in TIME_MODELS.into_iter().zip(answer.time) {
        let _ = time.map(|time| writeln!(lines, "time {model} {time}"));
    }
    let _ = answer.stop.as_ref().map(|stop| writeln!(lines, "stop {stop}"));
    lines + DONE + "\n"
}

fn state_lines(lines: &mut String, registers: &[Option<u64>; Register::ALL.len()], core: &Core) {
    for (register, value) in Register::ALL.into_iter().zip(registers) {
        let _ = value.map(|value| writeln!(lines, "{} {}", register.name(), register.digits_of(value)));
    }
    for (&cell, word) in core {
        let _ = writeln!(lines, "core {} {word:015o}", cell_name(cell));
    }
}

/// Reads the lines of one question; `None` at the end of the input.
///
/// # Errors
/// The line that is not of the protocol.
pub fn read_question(lines: &mut dyn Iterator<Item = String>) -> Result<Option<Question>, String> {
    let mut question = Question {
        model: Model::M20,
        memory_mode: 1,
        cubes: 1,
        keys: [0; 4],
        steps: 0,
        registers: [0; Register::ALL.len()],
        core: Core::new(),
    };
    let mut begun = false;
    for line in lines {
        begun |= !line.trim().is_empty();
        let bad = || format!("`{}` is not a line of a question", line.trim_end());
        let number = |text: &str| text.parse::<u64>().map_err(|_| bad());
        let small = |text: &str| text.parse::<u8>().map_err(|_| bad());
        match line.split_whitespace().collect::<Vec<_>>().as_slice() {
            [] => {}
            ["machine", name] => question.model = Model::named(name).ok_or_else(bad)?,
            ["mode", mode] => question.memory_mode = small(mode)?,
            ["cubes", cubes] => question.cubes = small(cubes)?,
            ["key", key, word] => {
                let key = usize::try_from(number(key)?.wrapping_sub(1)).map_err(|_| bad())?;
                *question.keys.get_mut(key).ok_or_else(bad)? = parse_word(word)?;
            }
            ["core", cell, word] => {
                question.core.insert(parse_address(cell)?, parse_word(word)?);
            }
            ["run", steps] => {
                question.steps = number(steps)?;
                return Ok(Some(question));
            }
            [name, value] => {
                let register = Register::named(name).ok_or_else(bad)?;
                question.registers[register as usize] = register.parse(value)?;
            }
            _ => return Err(bad()),
        }
    }
    if begun { Err("the input ends within a question: there is no `run`".to_owned()) } else { Ok(None) }
}

/// Adds one line to an answer.
///
/// # Errors
/// A line that is not of the protocol.
pub fn read_answer_line(answer: &mut Answer, line: &str) -> Result<(), String> {
    let bad = || format!("`{line}` is not a line of an answer");
    match line.split_whitespace().collect::<Vec<_>>().as_slice() {
        ["core", cell, word] => {
            let (cell, word) = (parse_address(cell)?, parse_word(word)?);
            if word != 0 && answer.core.insert(cell, word).is_some() {
                return Err(format!("cell {} is told twice", cell_name(cell)));
            }
        }
        ["time", model, time] => {
            let slot = TIME_MODELS.iter().position(|name| name == model).ok_or_else(bad)?;
            answer.time[slot] = Some(time.parse().map_err(|_| bad())?);
        }
        ["stop", reason] => answer.stop = Some((*reason).to_owned()),
        [name, value] => {
            let register = Register::named(name).ok_or_else(bad)?;
            answer.registers[register as usize] = Some(register.parse(value)?);
        }
        _ => return Err(bad()),
    }
    Ok(())
}
