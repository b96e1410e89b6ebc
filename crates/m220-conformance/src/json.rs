//! Cases as JSON, the form of the exported files; `suite/README.md` describes it.

use crate::lines::CaseError;
use crate::text::{Register, TIME_MODELS, cell_name, is_stop, parse_address, parse_word};
use crate::vector::{Answer, Core, Question, Vector};
use m220_isa::Model;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    name: String,
    #[serde(default)]
    why: String,
    #[serde(default)]
    source: String,
    machine: Setting,
    steps: u64,
    initial: State,
    r#final: State,
    #[serde(default)]
    cycles: BTreeMap<String, Option<u64>>,
    stop: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Setting {
    model: String,
    mode: u8,
    cubes: u8,
    keys: [String; 4],
}

#[derive(Serialize, Deserialize)]
struct State {
    /// Octal digits, or null for what a case leaves open.
    #[serde(flatten)]
    registers: Map<String, Value>,
    #[serde(default)]
    core: BTreeMap<String, String>,
}

/// One case on one line.
///
/// # Errors
/// None in practice: every value has a form in JSON.
pub fn line_of(vector: &Vector) -> serde_json::Result<String> {
    let Vector { place, name, why, question, expected, .. } = vector;
    let model = question.model;
    serde_json::to_string(&Form {
        name: name.clone(),
        why: why.clone(),
        source: place.clone(),
        machine: Setting {
            model: model.name().to_owned(),
            mode: question.memory_mode,
            cubes: question.cubes,
            keys: question.keys.map(octal),
        },
        steps: question.steps,
        initial: state(model, &question.registers.map(Some), &question.core),
        r#final: state(model, &expected.registers, &expected.core),
        cycles: TIME_MODELS.map(str::to_owned).into_iter().zip(expected.time).collect(),
        stop: expected.stop.clone(),
    })
}

fn octal(word: u64) -> String {
    format!("{word:015o}")
}

fn state(model: Model, registers: &[Option<u64>], core: &Core) -> State {
    let named = Register::ALL.into_iter().zip(registers);
    let fitted = named.filter(|(register, _)| model == Model::M220 || !register.is_of_cubes());
    State {
        registers: fitted
            .map(|(register, value)| {
                (register.name().to_owned(), value.map_or(Value::Null, |v| register.digits_of(v).into()))
            })
            .collect(),
        core: core.iter().map(|(&cell, &word)| (cell_name(cell), octal(word))).collect(),
    }
}

/// The cases of a file in this form. `group` is the code or topic under which they are counted.
///
/// # Errors
/// What is not JSON or not of the form, with the line; a value that no machine has, with the case.
pub fn read(file: &str, group: &str, text: &str) -> Result<Vec<Vector>, CaseError> {
    let wrong = |line, message| CaseError { file: file.into(), line, message };
    let forms: Vec<Form> = serde_json::from_str(text).map_err(|error| wrong(Some(error.line()), error.to_string()))?;
    if forms.is_empty() {
        return Err(wrong(None, "no cases".to_owned()));
    }
    (1..)
        .zip(forms)
        .map(|(number, form)| {
            let name = form.name.clone();
            let place = if form.source.is_empty() { format!("{file}: case {number}") } else { form.source.clone() };
            vector(form, place, group).map_err(|message| wrong(None, format!("case {number}, {name}: {message}")))
        })
        .collect()
}

fn vector(form: Form, place: String, group: &str) -> Result<Vector, String> {
    let Form { name, why, source: _, machine, steps, initial, r#final, cycles, stop } = form;
    let (before, core) = read_state(&initial).map_err(|message| format!("initial: {message}"))?;
    let (registers, core_after) = read_state(&r#final).map_err(|message| format!("final: {message}"))?;
    let keys = machine.keys.iter().map(|key| parse_word(key)).collect::<Result<Vec<_>, _>>()?;
    let question = Question {
        model: Model::named(&machine.model)
            .ok_or_else(|| format!("machines are m220, m20 and itep, not `{}`", machine.model))?,
        memory_mode: machine.mode,
        cubes: machine.cubes,
        keys: keys.try_into().unwrap_or_default(),
        steps,
        registers: before.map(Option::unwrap_or_default),
        core,
    };
    question.check()?;
    if let Some(left_open) = initial.registers.iter().find(|(_, value)| value.is_null()) {
        return Err(format!("initial: {}: only `final` can leave a value open", left_open.0));
    }
    Question { core: core_after.clone(), ..question.clone() }.check().map_err(|message| format!("final: {message}"))?;
    if let Some(reason) = stop.as_deref().filter(|reason| !is_stop(reason)) {
        return Err(format!("unknown stop `{reason}`"));
    }
    if let Some(unknown) = cycles.keys().find(|name| !TIME_MODELS.contains(&name.as_str())) {
        return Err(format!("cycles are of m20 and m220, not `{unknown}`"));
    }
    let time = TIME_MODELS.map(|model| cycles.get(model).copied().flatten());
    let expected = Answer { registers, core: core_after, time, stop };
    Ok(Vector { place, group: group.to_owned(), name, why, question, expected })
}

fn read_state(state: &State) -> Result<([Option<u64>; Register::ALL.len()], Core), String> {
    let mut registers = [None; Register::ALL.len()];
    for (key, value) in &state.registers {
        let register = Register::named(key).ok_or_else(|| format!("`{key}` is not a register"))?;
        registers[register as usize] = match value {
            Value::Null => None,
            Value::String(digits) => Some(register.parse(digits).map_err(|message| format!("{key}: {message}"))?),
            other => return Err(format!("{key}: expected octal digits as a string, found {other}")),
        };
    }
    let mut core = Core::new();
    for (cell, word) in &state.core {
        let word = parse_word(word).map_err(|message| format!("cell {cell}: {message}"))?;
        if word != 0 {
            core.insert(parse_address(cell)?, word);
        }
    }
    Ok((registers, core))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CASE: &str = r#"{"name":"n","machine":{"model":"m20","mode":1,"cubes":1,"keys":["000000000000000",
"000000000000000","000000000000000","000000000000000"]},"steps":1,"initial":{"RVK":"0100","core":{}},
"final":{"RVK":"0101","RR":null},"stop":null}"#;

    #[test]
    fn every_case_of_the_suite_reads_back() {
        for vector in crate::suite().unwrap() {
            let text = format!("[{}]", line_of(&vector).unwrap());
            assert_eq!(read("x.json", &vector.group, &text).unwrap(), [vector]);
        }
    }

    #[test]
    fn a_file_without_cases_is_no_file_of_cases() {
        assert_eq!(read("x.json", "x", "[]").unwrap_err().to_string(), "x.json: no cases");
    }

    #[test]
    fn what_no_machine_has_is_refused_with_the_case() {
        let read = |old: &str, new: &str| {
            assert!(CASE.contains(old), "{old}");
            read("x.json", "x", &format!("[{}]", CASE.replace(old, new))).map(|_| ()).unwrap_err().to_string()
        };
        for (old, new, message) in [
            ("\"RR\":null", "\"RX\":null", "x.json: case 1, n: final: `RX` is not a register"),
            ("\"RR\":null", "\"omega\":0", "final: omega: expected octal digits as a string, found 0"),
            ("\"0101\"", "\"101\"", "final: RVK: `101` is not 4 octal digits"),
            ("\"core\":{}", "\"core\":{\"0020\":\"1\"}", "cell 0020: `1` is not a word of 15 octal digits"),
            ("\"0100\"", "null", "initial: RVK: only `final` can leave a value open"),
            ("\"RR\":null", "\"core\":{\"10020\":\"000000000000001\"}", "final: cell 10020 is in cube 1"),
            ("\"core\":{}", "\"core\":{\"10020\":\"000000000000001\"}", "cell 10020 is in cube 1, and there are 1"),
            ("\"stop\":null", "\"stop\":\"hold\"", "unknown stop `hold`"),
            ("\"stop\":null", "\"stop\":null,\"cycles\":{\"m222\":1}", "cycles are of m20 and m220, not `m222`"),
            ("\"mode\":1", "\"mode\":3", "memory modes are 1 and 2, not 3"),
            ("\"cubes\":1", "\"cubes\":2", "m20 has one cube"),
            ("\"m20\"", "\"m22\"", "machines are m220, m20 and itep, not `m22`"),
            ("\"steps\":1", "\"steps\":-1", "x.json:2: invalid value"),
            ("\"stop\":null", "\"stops\":null", "unknown field `stops`"),
        ] {
            let told = read(old, new);
            assert!(told.contains(message), "{new}: {told}");
        }
    }
}
