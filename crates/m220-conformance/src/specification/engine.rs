//! The engine that executes a [`Specification`].

use super::Specification;
use super::grammar::{Builtin, Definition, Formula, MOST_PARAMETERS, REGISTERS, Statement, register};
use crate::emulator::Emulator;
use crate::text::Register;
use crate::vector::{Answer, Question};

/// Words of one cube.
const CUBE: usize = 0o10000;
/// The longest chain of instructions, each formed by the one before.
const LONGEST_CHAIN: u32 = 64;
/// The most definitions that are carried out within each other.
const DEEPEST: u32 = 100;
/// In `formed`: no word to execute.
const NOTHING: i128 = -1;
/// Stops that the engine itself makes, by their places in [`super::REASONS`].
const END_OF_CORE: usize = 0;
const ENDLESS_CHAIN: usize = 1;

// The first of the registers, in their order.
const RVK: usize = 0;
const NEXT: usize = 1;
const CODE: usize = 2;
const PLACES: usize = 3;
const STOPPED: usize = 4;
pub(super) const FORMED: usize = 5;
const MODEL: usize = 6;

/// Why rules are left before their end.
enum Left {
    /// The machine stops; the place in [`Specification::reasons`].
    Stop(usize),
    /// A definition has its value.
    Give(i128),
    /// The text itself is wrong.
    Broken(&'static str),
}

/// The machine that the rules describe, with no device attached.
#[derive(Clone, Debug)]
pub struct Specified<'s> {
    specification: &'s Specification,
    registers: [i128; REGISTERS.len()],
    keys: [u64; 4],
    core: Vec<u64>,
    time: [u64; 2],
    /// The cell at which the machine goes on after a halt; past the end of core it stops again.
    resume: Option<i128>,
    halted: Option<usize>,
    /// Of the definitions that are being carried out.
    locals: Vec<i128>,
    /// How many they are.
    depth: u32,
    /// Cells that the instruction has stored into, with the words before.
    stored: Vec<(usize, u64)>,
    passed: Vec<u64>,
}

impl<'s> Specified<'s> {
    /// A machine in the state of a question.
    ///
    /// # Errors
    /// A cell that the machine does not have.
    pub fn new(specification: &'s Specification, question: &Question) -> Result<Specified<'s>, String> {
        let mut machine = Specified {
            specification,
            registers: [0; REGISTERS.len()],
            keys: question.keys,
            core: vec![0; usize::from(question.cubes) * CUBE],
            time: [0; 2],
            resume: None,
            halted: None,
            locals: Vec::new(),
            depth: 0,
            stored: Vec::new(),
            passed: vec![0; specification.rules.len()],
        };
        machine.set("model", question.model as u64);
        machine.set("mode", question.memory_mode.into());
        machine.set("cubes", question.cubes.into());
        for (register, value) in Register::ALL.into_iter().zip(question.registers) {
            machine.set(register.name(), value);
        }
        for (&cell, &word) in &question.core {
            *machine.core.get_mut(usize::from(cell)).ok_or_else(|| format!("no cell {cell:05o}"))? = word;
        }
        Ok(machine)
    }

    /// A register by the name that rules have for it; zero if there is none.
    #[must_use]
    pub fn get(&self, name: &str) -> u64 {
        register(name).map_or(0, |place| self.registers[place] as u64)
    }

    /// Sets a register by the name that rules have for it; the machine will go on at RVK.
    pub fn set(&mut self, name: &str, value: u64) {
        self.resume = None;
        if let Some(place) = register(name) {
            self.registers[place] = value.into();
        }
    }

    /// Core, by flat index.
    #[must_use]
    pub fn core(&self) -> &[u64] {
        &self.core
    }

    /// Core, to change it.
    pub fn core_mut(&mut self) -> &mut [u64] {
        &mut self.core
    }

    /// Half-microseconds since the beginning by the tables of [`crate::text::TIME_MODELS`].
    #[must_use]
    pub fn time(&self) -> [u64; 2] {
        self.time
    }

    /// For each of [`Specification::rules`], a bit for each operation code that has passed it.
    #[must_use]
    pub fn passed(&self) -> &[u64] {
        &self.passed
    }

    /// The state as a conformance case compares it.
    #[must_use]
    pub fn answer(&self, stop: Option<&str>) -> Answer {
        Answer {
            registers: Register::ALL.map(|register| Some(self.get(register.name()))),
            core: (0..).zip(&self.core).filter(|(_, word)| **word != 0).map(|(cell, &word)| (cell, word)).collect(),
            time: self.time.map(Some),
            stop: stop.map(str::to_owned),
        }
    }

    /// Executes up to `steps` instructions; the reason, if the machine stops before.
    ///
    /// # Errors
    /// What is wrong in the text of the specification.
    pub fn run(&mut self, steps: u64) -> Result<Option<&'s str>, String> {
        for _ in 0..steps {
            match self.instruction() {
                Ok(()) => {}
                Err(Left::Stop(reason)) => return Ok(Some(&self.specification.reasons[reason])),
                Err(Left::Give(_)) => return Err("a `give` outside a definition".to_owned()),
                Err(Left::Broken(what)) => return Err(format!("in code {:02o}: {what}", self.registers[CODE])),
            }
        }
        Ok(None)
    }

    fn instruction(&mut self) -> Result<(), Left> {
        let specification = self.specification;
        let [fetch, begin, end] = specification.cycle.map(|place| &specification.definitions[place]);
        if let Some(cell) = self.resume {
            if cell == CUBE as i128 {
                return Err(Left::Stop(END_OF_CORE));
            }
            (self.registers[RVK], self.resume) = (cell, None);
        }
        let fetched = self.call(fetch, &[self.registers[RVK]])?;
        let mut word = fetched.ok_or(Left::Broken("`fetch` gives no word"))?;
        self.registers[NEXT] = self.registers[RVK] + 1;
        for _ in 0..=LONGEST_CHAIN {
            self.call(begin, &[word])?;
            (self.registers[STOPPED], self.registers[FORMED], self.halted) = (0, NOTHING, None);
            self.stored.clear();
            let places = usize::try_from(self.registers[MODEL]).ok().and_then(|model| specification.places.get(model));
            let places = places.ok_or(Left::Broken("no such model"))?;
            let code = &specification.codes[places[self.registers[CODE] as usize & 0o77]];
            let before = self.registers;
            self.pass(code.rule);
            let left = self.call(&code.definition, &[]);
            if let Err(Left::Stop(_)) = left {
                self.registers = before;
                self.registers[STOPPED] = 1;
                while let Some((cell, word)) = self.stored.pop() {
                    self.core[cell] = word;
                }
            }
            self.call(end, &[])?;
            for (time, own) in self.time.iter_mut().zip(code.time) {
                *time += own + (self.registers[PLACES] as u64).saturating_mul(code.time[2]);
            }
            left?;
            if let Some(reason) = self.halted {
                self.resume = Some(self.registers[NEXT]);
                return Err(Left::Stop(reason));
            }
            word = self.registers[FORMED];
            if word == NOTHING {
                if self.registers[NEXT] == CUBE as i128 {
                    self.resume = Some(CUBE as i128);
                    return Err(Left::Stop(END_OF_CORE));
                }
                self.registers[RVK] = self.registers[NEXT];
                return Ok(());
            }
        }
        Err(Left::Stop(ENDLESS_CHAIN))
    }

    fn pass(&mut self, rule: usize) {
        self.passed[rule] |= 1 << (self.registers[CODE] & 0o77);
    }

    /// Carries out a definition; its value, if it gives one.
    fn call(&mut self, definition: &'s Definition, arguments: &[i128]) -> Result<Option<i128>, Left> {
        if self.depth > DEEPEST {
            return Err(Left::Broken("definitions call each other without an end"));
        }
        self.depth += 1;
        let base = self.locals.len();
        self.locals.extend(arguments);
        self.locals.resize(base + definition.locals, 0);
        let left = self.carry_out(&definition.body, base);
        self.locals.truncate(base);
        self.depth -= 1;
        match left {
            Ok(()) => Ok(None),
            Err(Left::Give(value)) => Ok(Some(value)),
            Err(left) => Err(left),
        }
    }

    fn call_with(&mut self, place: usize, formulas: &'s [Formula], base: usize) -> Result<Option<i128>, Left> {
        let mut arguments = [0; MOST_PARAMETERS];
        for (argument, formula) in arguments.iter_mut().zip(formulas) {
            *argument = self.value(formula, base)?;
        }
        self.call(&self.specification.definitions[place], &arguments[..formulas.len()])
    }

    fn carry_out(&mut self, statements: &'s [Statement], base: usize) -> Result<(), Left> {
        for statement in statements {
            match statement {
                Statement::Register(register, formula) => self.registers[*register] = self.value(formula, base)?,
                Statement::Local(local, formula) => self.locals[base + local] = self.value(formula, base)?,
                Statement::Core([cube, cell], formula) => {
                    let (cube, cell) = (self.value(cube, base)?, self.value(cell, base)?);
                    let word = self.value(formula, base)?;
                    let cell = self.cell(cube, cell)?;
                    self.stored.push((cell, self.core[cell]));
                    self.core[cell] = u64::try_from(word).map_err(|_| Left::Broken("a word below zero"))?;
                }
                Statement::Choice(branches) => {
                    for branch in branches {
                        let taken = match &branch.condition {
                            Some(condition) => self.value(condition, base)? != 0,
                            None => true,
                        };
                        if taken {
                            self.pass(branch.rule);
                            self.carry_out(&branch.body, base)?;
                            break;
                        }
                    }
                }
                Statement::Do(place, formulas) => {
                    self.call_with(*place, formulas, base)?;
                }
                Statement::Give(formula) => return Err(Left::Give(self.value(formula, base)?)),
                Statement::Stop(reason) => return Err(Left::Stop(*reason)),
                Statement::Halt(reason) => self.halted = Some(*reason),
                Statement::Nothing => {}
            }
        }
        Ok(())
    }

    fn value(&mut self, formula: &'s Formula, base: usize) -> Result<i128, Left> {
        Ok(match formula {
            Formula::Number(number) => *number,
            Formula::Register(register) => self.registers[*register],
            Formula::Local(local) => self.locals[base + local],
            Formula::Bits(of, first, last) => (self.value(of, base)? >> (last - 1)).rem_euclid(1 << (first - last + 1)),
            Formula::Both(operator, both) => {
                let (left, right) = (self.value(&both.0, base)?, self.value(&both.1, base)?);
                operator(left, right).ok_or(Left::Broken("a number beyond the evaluator's 127 bits"))?
            }
            Formula::Call(place, formulas) => {
                self.call_with(*place, formulas, base)?.ok_or(Left::Broken("a definition gives no value"))?
            }
            Formula::Builtin(builtin, formulas) => {
                let mut of = [0; 2];
                for (value, formula) in of.iter_mut().zip(formulas) {
                    *value = self.value(formula, base)?;
                }
                match builtin {
                    Builtin::Core => self.core[self.cell(of[0], of[1])?].into(),
                    Builtin::Key => {
                        let key = usize::try_from(of[0] - 1).ok().and_then(|key| self.keys.get(key));
                        i128::from(*key.ok_or(Left::Broken("no such key register"))?)
                    }
                    Builtin::Shift => shifted(of[0], of[1]).ok_or(Left::Broken("a shift too far"))?,
                    Builtin::Root => root(of[0]),
                    Builtin::Length => (i128::BITS - of[0].leading_zeros()).into(),
                }
            }
        })
    }

    fn cell(&self, cube: i128, cell: i128) -> Result<usize, Left> {
        let index = cube.checked_mul(CUBE as i128).and_then(|first| usize::try_from(first.checked_add(cell)?).ok());
        index.filter(|&index| index < self.core.len()).ok_or(Left::Broken("no such cell"))
    }
}

/// `value` times 2^`places`, rounded down.
fn shifted(value: i128, places: i128) -> Option<i128> {
    match u32::try_from(places) {
        Ok(places) => value.checked_mul(1_i128.checked_shl(places).filter(|power| *power > 0)?),
        Err(_) => Some(value >> places.unsigned_abs().min(127)),
    }
}

/// The largest number whose square is not above `value`, which is below 2^80; found bit by bit.
fn root(value: i128) -> i128 {
    (0..40).rev().fold(0, |root, bit| {
        let next = root + (1 << bit);
        if next * next <= value { next } else { root }
    })
}

/// A [`Specification`] that answers cases, and remembers which rules they have passed.
pub struct Oracle<'s> {
    /// The rules.
    pub specification: &'s Specification,
    /// As [`Specified::passed`], of the last case.
    pub passed: Vec<u64>,
}

impl Emulator for Oracle<'_> {
    fn answer(&mut self, question: &Question) -> Result<Answer, String> {
        let mut machine = Specified::new(self.specification, question)?;
        let stop = machine.run(question.steps)?;
        let answer = machine.answer(stop);
        self.passed = machine.passed;
        Ok(answer)
    }
}
