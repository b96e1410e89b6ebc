//! Breakpoints: cells, stores, conditions.

use super::{Done, Session};
use crate::words::{Condition, Operand, Refused, count_of, refuse};
use m220_isa::opcode::{self, Role};
use m220_isa::{CoreAddress, Word};
use m220_machine::StepReport;
use std::io::{self, Write};

/// Cells that one watch may cover: each is looked at after every instruction.
const WATCHED_CELLS: usize = 4096;
/// What a breakpoint waits for.
pub(super) enum Trap {
    /// The execution of a cell: every `every`-th, of those where the condition holds.
    At { cell: CoreAddress, every: u64, passed: u64 },
    /// A store into these cells, and the words they had.
    Store { first: CoreAddress, words: Vec<Word> },
    /// The condition coming true; whether it is.
    Becomes { holds: bool },
}

pub(super) struct StopPoint {
    number: usize,
    enabled: bool,
    trap: Trap,
    condition: Option<Condition>,
}

impl Session {
    /// Counts a passage that is about to happen.
    pub(super) fn count_passage(&mut self, at: CoreAddress) {
        for breakpoint in self.breakpoints.iter_mut().filter(|breakpoint| breakpoint.enabled) {
            if let Trap::At { cell, every, passed } = &mut breakpoint.trap
                && *cell == at
                && breakpoint.condition.as_ref().is_none_or(|condition| condition.holds(&self.machine))
            {
                *passed = (*passed + 1) % *every;
            }
        }
    }

    /// The breakpoints at the cell that is next, if their passage is due.
    pub(super) fn on_arrival(&self, next: CoreAddress, said: &mut Vec<String>) {
        for breakpoint in self.breakpoints.iter().filter(|breakpoint| breakpoint.enabled) {
            if let Trap::At { cell, every, passed } = breakpoint.trap
                && cell == next
                && passed + 1 == every
                && breakpoint.condition.as_ref().is_none_or(|condition| condition.holds(&self.machine))
            {
                said.push(format!("breakpoint {}: {}", breakpoint.number, self.describe(breakpoint)));
            }
        }
    }

    /// Watched cells and conditions after an instruction.
    pub(super) fn after_instruction(&mut self, said: &mut Vec<String>) {
        if self.breakpoints.iter().all(|breakpoint| matches!(breakpoint.trap, Trap::At { .. })) {
            return;
        }
        let step = self.remembered.back().copied();
        let stored = step.and_then(|step| stored_cell(self.machine.config().model, &step));
        for breakpoint in &mut self.breakpoints {
            let (number, enabled) = (breakpoint.number, breakpoint.enabled);
            let holds = breakpoint.condition.as_ref().is_none_or(|condition| condition.holds(&self.machine));
            match &mut breakpoint.trap {
                Trap::At { .. } => {}
                Trap::Becomes { holds: before } => {
                    let text = breakpoint.condition.as_ref().map_or(String::new(), ToString::to_string);
                    if holds && !*before && enabled {
                        let by = step.map_or(String::new(), |step| format!(" after {}", self.program.place(step.at)));
                        said.push(format!("breakpoint {number}: {text}{by}"));
                    }
                    *before = holds;
                }
                Trap::Store { first, words } => {
                    for (distance, old) in words.iter_mut().enumerate() {
                        let Ok(cell) = CoreAddress::from_index(first.index() + distance) else { continue };
                        let Ok(new) = self.machine.core(cell) else { continue };
                        if new == *old && stored != Some(cell) {
                            continue;
                        }
                        if enabled && holds {
                            let by = step.map_or(String::new(), |step| format!(" by {}", self.program.place(step.at)));
                            let place = self.program.place(cell);
                            said.push(if new == *old {
                                format!("watch {number}: {place} stored{by}: {} as before", new.grouped())
                            } else {
                                format!("watch {number}: {place} stored{by}: {}, was {}", new.grouped(), old.grouped())
                            });
                        }
                        *old = new;
                    }
                }
            }
        }
    }

    /// Whether anything may stop a run before the machine does.
    pub(super) fn has_traps(&self) -> bool {
        self.breakpoints.iter().any(|breakpoint| breakpoint.enabled)
    }

    /// Sets a breakpoint in a cell, or takes away those that are there.
    ///
    /// # Errors
    /// If the machine does not have the cell.
    pub fn toggle_stop(&mut self, cell: CoreAddress) -> Result<(), Refused> {
        let here = |breakpoint: &StopPoint| matches!(breakpoint.trap, Trap::At { cell: at, .. } if at == cell);
        if self.breakpoints.iter().any(here) {
            self.breakpoints.retain(|breakpoint| !here(breakpoint));
            return Ok(());
        }
        if cell.cube() >= self.machine.config().cubes {
            return refuse(format!("this machine has no cell {cell}"));
        }
        self.last_number += 1;
        let trap = Trap::At { cell, every: 1, passed: 0 };
        self.breakpoints.push(StopPoint { number: self.last_number, enabled: true, trap, condition: None });
        Ok(())
    }

    /// Cells where breakpoints wait.
    pub fn stops(&self) -> impl Iterator<Item = CoreAddress> + '_ {
        self.breakpoints.iter().filter(|breakpoint| breakpoint.enabled).filter_map(|breakpoint| match breakpoint.trap {
            Trap::At { cell, .. } => Some(cell),
            _ => None,
        })
    }

    /// Brings the memory of watches and conditions up to date after a change from outside.
    pub(super) fn refresh_traps(&mut self, restart: bool) {
        for breakpoint in &mut self.breakpoints {
            match &mut breakpoint.trap {
                Trap::At { passed, .. } if restart => *passed = 0,
                Trap::At { .. } => {}
                Trap::Becomes { holds } => {
                    *holds = breakpoint.condition.as_ref().is_some_and(|condition| condition.holds(&self.machine));
                }
                Trap::Store { first, words } => {
                    for (distance, word) in words.iter_mut().enumerate() {
                        let cell = CoreAddress::from_index(first.index() + distance);
                        *word = cell.ok().and_then(|cell| self.machine.core(cell).ok()).unwrap_or_default();
                    }
                }
            }
        }
    }

    pub(super) fn add(&mut self, trap: Trap, condition: Option<Condition>, out: &mut dyn Write) -> io::Result<()> {
        self.last_number += 1;
        let breakpoint = StopPoint { number: self.last_number, enabled: true, trap, condition };
        writeln!(out, "{} {}: {}", breakpoint.kind(), breakpoint.number, self.describe(&breakpoint))?;
        self.breakpoints.push(breakpoint);
        Ok(())
    }

    pub(super) fn describe(&self, breakpoint: &StopPoint) -> String {
        let what = match &breakpoint.trap {
            Trap::At { cell, every: 1, .. } => self.program.place(*cell),
            Trap::At { cell, every, .. } => format!("{}, every {every} passages", self.program.place(*cell)),
            Trap::Store { first, words } if words.len() == 1 => self.program.place(*first),
            Trap::Store { first, words } => format!("{}, {} cells", self.program.place(*first), words.len()),
            Trap::Becomes { .. } => String::new(),
        };
        let condition = breakpoint.condition.as_ref().map_or(String::new(), |condition| format!(" if {condition}"));
        format!("{what}{condition}").trim().to_owned()
    }

    /// `REST [if CONDITION]`.
    pub(super) fn condition(&self, rest: &str) -> Result<(String, Option<Condition>), Refused> {
        let words: Vec<&str> = rest.split_whitespace().collect();
        match words.iter().position(|word| *word == "if") {
            None => Ok((words.join(" "), None)),
            Some(at) => {
                let condition = Condition::parse(&words[at + 1..].join(" "), &self.lookup())?;
                Ok((words[..at].join(" "), Some(condition)))
            }
        }
    }

    pub(super) fn set_break(&mut self, rest: &str, out: &mut dyn Write) -> Done {
        let read = || -> Result<(Trap, Option<Condition>), Refused> {
            let (place, condition) = self.condition(rest)?;
            if place.is_empty() {
                let holds = condition.as_ref().is_some_and(|condition| condition.holds(&self.machine));
                return Ok((Trap::Becomes { holds }, condition));
            }
            let (cell, every) = match place.split_once(' ') {
                Some((cell, count)) => (cell, count_of(count)?),
                None => (place.as_str(), 1),
            };
            if every == 0 {
                return refuse("passage 0 never comes: 1 is the first");
            }
            Ok((Trap::At { cell: self.lookup().cell(cell)?, every, passed: 0 }, condition))
        };
        let (trap, condition) = read()?;
        Ok(self.add(trap, condition, out)?)
    }

    pub(super) fn set_watch(&mut self, rest: &str, out: &mut dyn Write) -> Done {
        let read = || -> Result<(Trap, Option<Condition>), Refused> {
            let (place, condition) = self.condition(rest)?;
            let (first, last) = match self.lookup().place(&place)? {
                Operand::Cells(first, last) => (first, last),
                Operand::Register(register) => {
                    return refuse(format!(
                        "{} is a register: watch it by a condition, `break if {0} = ...`",
                        register.name()
                    ));
                }
            };
            let cells = last.index() - first.index() + 1;
            if cells > WATCHED_CELLS {
                return refuse(format!("{cells} cells: at most {WATCHED_CELLS} can be watched at once"));
            }
            let words = (first.index()..=last.index())
                .filter_map(|index| CoreAddress::from_index(index).ok())
                .map(|cell| self.word(cell))
                .collect();
            Ok((Trap::Store { first, words }, condition))
        };
        let (trap, condition) = read()?;
        Ok(self.add(trap, condition, out)?)
    }

    pub(super) fn list_breakpoints(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.breakpoints.is_empty() {
            writeln!(out, "no breakpoints; `break CELL` sets one")?;
        }
        for breakpoint in &self.breakpoints {
            let rests = if breakpoint.enabled { "" } else { " (disabled)" };
            let passed = match breakpoint.trap {
                Trap::At { every, passed, .. } if every > 1 => format!(" ({passed} passed)"),
                _ => String::new(),
            };
            let what = self.describe(breakpoint);
            writeln!(out, "{} {}: {what}{passed}{rests}", breakpoint.kind(), breakpoint.number)?;
        }
        Ok(())
    }

    pub(super) fn numbered(&self, rest: &str) -> Result<Vec<usize>, Refused> {
        if rest == "all" {
            return Ok(self.breakpoints.iter().map(|breakpoint| breakpoint.number).collect());
        }
        let number = count_of(rest).map_err(|_| Refused("a breakpoint's number is expected, or `all`".to_owned()))?;
        let found = self.breakpoints.iter().map(|breakpoint| breakpoint.number).find(|found| *found as u64 == number);
        found.map(|number| vec![number]).ok_or_else(|| Refused(format!("there is no breakpoint {number}")))
    }

    pub(super) fn delete(&mut self, rest: &str) -> Result<(), Refused> {
        let numbers = self.numbered(rest)?;
        self.breakpoints.retain(|breakpoint| !numbers.contains(&breakpoint.number));
        Ok(())
    }

    pub(super) fn enable(&mut self, rest: &str, enabled: bool) -> Result<(), Refused> {
        let numbers = self.numbered(rest)?;
        for breakpoint in self.breakpoints.iter_mut().filter(|breakpoint| numbers.contains(&breakpoint.number)) {
            breakpoint.enabled = enabled;
        }
        Ok(())
    }
}

impl StopPoint {
    fn kind(&self) -> &'static str {
        match self.trap {
            Trap::Store { .. } => "watch",
            _ => "breakpoint",
        }
    }
}

/// The cell that an instruction stored its result in, if its third address says so.
fn stored_cell(model: m220_isa::Model, step: &StepReport) -> Option<CoreAddress> {
    let row = opcode::row_of(model, step.word.decode().code);
    let stores = matches!(row.roles[2], Role::Write | Role::Checksum) && step.formed.is_none();
    step.result.filter(|_| stores).map(|_| step.addresses[2])
}
