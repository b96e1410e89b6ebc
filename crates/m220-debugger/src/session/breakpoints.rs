//! Breakpoints on cells, on stores (watches) and on conditions.

use super::looking::register_in_place;
use super::{Done, Session};
use crate::words::{BreakCondition, Location, count_of, refuse};
use m220_isa::opcode;
use m220_isa::{Code, CoreAddress, Word};
use m220_machine::{Config, Machine, MemoryMode, Observer, Periphery, StepReport};
use m220_sentence::{Sentence, sentence};
use std::io::{self, Write};
use std::ops::Range;

/// The most cells that one watch may cover.
const WATCHED_CELLS: usize = 4096;
/// What triggers a breakpoint.
pub(super) enum Trap {
    /// Every `every`-th execution of a cell, counting only those for which the condition holds.
    At { cell: CoreAddress, every: u64, passed: u64 },
    /// A store into consecutive cells; `words` are their contents before it.
    Store { first: CoreAddress, words: Vec<Word> },
    /// The condition becoming true; `holds` is its value before.
    Becomes { holds: bool },
}

pub(super) struct StopPoint {
    number: usize,
    enabled: bool,
    trap: Trap,
    condition: Option<BreakCondition>,
    /// Whether it is removed when a run stops there.
    temporary: bool,
}

impl Session {
    /// Counts the pass through a cell that is about to be executed.
    pub(super) fn count_pass(&mut self, at: CoreAddress) {
        for breakpoint in self.breakpoints.iter_mut().filter(|breakpoint| breakpoint.enabled) {
            if let Trap::At { cell, every, passed } = &mut breakpoint.trap
                && *cell == at
                && breakpoint.condition.as_ref().is_none_or(|condition| condition.holds(&self.machine))
            {
                *passed = (*passed + 1) % *every;
            }
        }
    }

    /// Adds the messages of breakpoints that are due at the next cell to `said`, and removes temporary ones among them.
    pub(super) fn on_arrival(&mut self, next: CoreAddress, said: &mut Vec<String>) {
        let due = |breakpoint: &&StopPoint| breakpoint.is_due(next, &self.machine);
        let mut done = Vec::new();
        for breakpoint in self.breakpoints.iter().filter(due) {
            said.push(format!("{} {}: {}", breakpoint.kind(), breakpoint.number, self.describe(breakpoint)));
            if breakpoint.temporary {
                done.push(breakpoint.number);
            }
        }
        self.breakpoints.retain(|breakpoint| done.is_empty() || !done.contains(&breakpoint.number));
    }

    /// Checks watches and conditions after an instruction, and adds the messages of those that trigger to `said`.
    pub(super) fn after_instruction(&mut self, step: &StepReport, said: &mut Vec<String>) {
        let stored = step.stored_in(self.machine.config().model);
        for breakpoint in self.breakpoints.iter_mut().filter(|breakpoint| breakpoint.looks_at_all()) {
            let number = breakpoint.number;
            let holds = breakpoint.condition.as_ref().is_none_or(|condition| condition.holds(&self.machine));
            match &mut breakpoint.trap {
                Trap::At { .. } => {}
                Trap::Becomes { holds: before } => {
                    let text = breakpoint.condition.as_ref().map_or(String::new(), ToString::to_string);
                    if holds && !*before {
                        said.push(format!("breakpoint {number}: {text} after {}", self.program.place(step.at)));
                    }
                    *before = holds;
                }
                Trap::Store { first, words } => {
                    for (distance, old) in words.iter_mut().enumerate() {
                        let Ok(cell) = CoreAddress::from_index(first.index() + distance) else { continue };
                        let Ok(new) = self.machine.read(cell) else { continue };
                        // A store that is lost leaves another word than the one stored.
                        if new == *old && (stored != Some(cell) || step.result != Some(new)) {
                            continue;
                        }
                        if holds {
                            let (place, by) = (self.program.place(cell), self.program.place(step.at));
                            let is_register = register_in_place(self.machine.config(), cell).is_some();
                            let done = if is_register { "changed" } else { "stored" };
                            let word = new.grouped();
                            said.push(if new == *old {
                                format!("watch {number}: {place} {done} by {by}: {word} as before")
                            } else {
                                format!("watch {number}: {place} {done} by {by}: {word}, was {}", old.grouped())
                            });
                        }
                        *old = new;
                    }
                }
            }
        }
    }

    /// Sets a breakpoint in a cell, or removes those already there.
    ///
    /// # Errors
    /// If the machine does not have the cell.
    pub fn toggle_stop(&mut self, cell: CoreAddress) -> Result<(), Sentence> {
        let here = |breakpoint: &StopPoint| matches!(breakpoint.trap, Trap::At { cell: at, .. } if at == cell);
        if self.breakpoints.iter().any(here) {
            self.breakpoints.retain(|breakpoint| !here(breakpoint));
            return Ok(());
        }
        if cell.cube() >= self.machine.config().cubes {
            return refuse(sentence!("this machine has no cell {cell}", cell = cell.to_string()));
        }
        let trap = Trap::At { cell, every: 1, passed: 0 };
        self.add(trap, None, false, &mut io::sink()).map_err(Sentence::of)
    }

    /// The cells with enabled breakpoints.
    pub fn stops(&self) -> impl Iterator<Item = CoreAddress> + '_ {
        self.breakpoints.iter().filter(|breakpoint| breakpoint.enabled).filter_map(|breakpoint| match breakpoint.trap {
            Trap::At { cell, .. } => Some(cell),
            _ => None,
        })
    }

    /// Updates the remembered words and conditions after a change that no instruction made.
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
                        *word = cell.ok().and_then(|cell| self.machine.read(cell).ok()).unwrap_or_default();
                    }
                }
            }
        }
    }

    fn add(
        &mut self,
        trap: Trap,
        condition: Option<BreakCondition>,
        temporary: bool,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let mut breakpoint = StopPoint { number: self.last_number + 1, enabled: true, trap, condition, temporary };
        let named = |breakpoint: &StopPoint| (breakpoint.kind(), self.describe(breakpoint));
        let name = named(&breakpoint);
        // An identical breakpoint replaces the first one and keeps its number.
        let place = self.breakpoints.iter().position(|there| named(there) == name);
        if let Some(there) = place.map(|place| self.breakpoints.remove(place)) {
            breakpoint.number = there.number;
        }
        self.last_number = self.last_number.max(breakpoint.number);
        writeln!(out, "{} {}: {}", breakpoint.kind(), breakpoint.number, name.1)?;
        self.breakpoints.insert(place.unwrap_or(self.breakpoints.len()), breakpoint);
        Ok(())
    }

    pub(super) fn describe(&self, breakpoint: &StopPoint) -> String {
        let what = match &breakpoint.trap {
            Trap::At { cell, every: 1, .. } => self.program.place(*cell),
            Trap::At { cell, every, .. } => format!("{}, every {every} passes", self.program.place(*cell)),
            Trap::Store { first, words } if words.len() == 1 => self.program.place(*first),
            Trap::Store { first, words } => format!("{}, {} cells", self.program.place(*first), words.len()),
            Trap::Becomes { .. } => String::new(),
        };
        let condition = breakpoint.condition.as_ref().map_or(String::new(), |condition| format!(" if {condition}"));
        format!("{what}{condition}").trim().to_owned()
    }

    /// Splits `REST [if CONDITION]`.
    pub(super) fn condition(&self, rest: &str) -> Result<(String, Option<BreakCondition>), Sentence> {
        let words: Vec<&str> = rest.split_whitespace().collect();
        match words.iter().position(|word| *word == "if") {
            None => Ok((words.join(" "), None)),
            Some(at) => {
                let condition = BreakCondition::parse(&words[at + 1..].join(" "), &self.lookup())?;
                Ok((words[..at].join(" "), Some(condition)))
            }
        }
    }

    pub(super) fn set_break(&mut self, rest: &str, temporary: bool, out: &mut dyn Write) -> Done {
        let (place, condition) = self.condition(rest)?;
        if place.is_empty() && temporary {
            return refuse("a cell is missing: `tbreak CELL`");
        }
        if place.is_empty() {
            let holds = condition.as_ref().is_some_and(|condition| condition.holds(&self.machine));
            return Ok(self.add(Trap::Becomes { holds }, condition, false, out)?);
        }
        let (cell, every) = match place.split_once(' ') {
            Some((cell, count)) => (cell, count_of(count)?),
            None => (place.as_str(), 1),
        };
        if every == 0 {
            return refuse("passes are counted from 1, not from 0");
        }
        let cell = self.lookup().cell(cell)?;
        self.add(Trap::At { cell, every, passed: 0 }, condition, temporary, out)?;
        if self.word(cell) == Word::ZERO {
            writeln!(out, "note: cell {cell} is empty; the machine stops there only if it executes it")?;
        }
        Ok(())
    }

    pub(super) fn set_watch(&mut self, rest: &str, out: &mut dyn Write) -> Done {
        let (place, condition) = self.condition(rest)?;
        let (first, last) = match self.lookup().place(&place)? {
            Location::Cells(first, last) => (first, last),
            Location::Register(register) => {
                return refuse(sentence!(
                    "{register} is a register: watch it by a condition, `break if {register} = ...`",
                    register = register.name()
                ));
            }
        };
        let (cells, most) = (last.index() - first.index() + 1, WATCHED_CELLS);
        if cells > most {
            return refuse(sentence!("{cells} cells: at most {most} can be watched at once", cells, most));
        }
        let words = first.through(last).map(|cell| self.word(cell)).collect();
        Ok(self.add(Trap::Store { first, words }, condition, false, out)?)
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

    pub(super) fn numbered(&self, rest: &str) -> Result<Vec<usize>, Sentence> {
        if rest == "all" {
            return Ok(self.breakpoints.iter().map(|breakpoint| breakpoint.number).collect());
        }
        let number = count_of(rest).map_err(|_| Sentence::from("a breakpoint's number is expected, or `all`"))?;
        let found = self.breakpoints.iter().map(|breakpoint| breakpoint.number).find(|found| *found as u64 == number);
        found.map(|number| vec![number]).ok_or_else(|| sentence!("there is no breakpoint {number}", number))
    }

    pub(super) fn delete(&mut self, rest: &str) -> Result<(), Sentence> {
        let numbers = self.numbered(rest)?;
        self.breakpoints.retain(|breakpoint| !numbers.contains(&breakpoint.number));
        Ok(())
    }

    pub(super) fn enable(&mut self, rest: &str, enabled: bool) -> Result<(), Sentence> {
        let numbers = self.numbered(rest)?;
        for breakpoint in self.breakpoints.iter_mut().filter(|breakpoint| numbers.contains(&breakpoint.number)) {
            breakpoint.enabled = enabled;
        }
        // Disabled watches and conditions are not kept up to date.
        self.refresh_traps(false);
        Ok(())
    }
}

impl StopPoint {
    /// Whether any instruction may trigger it, not only the one in a given cell.
    pub(super) fn looks_at_all(&self) -> bool {
        self.enabled && !matches!(self.trap, Trap::At { .. })
    }

    /// Whether a run that reaches this cell now stops there.
    fn is_due<P: Periphery>(&self, next: CoreAddress, machine: &Machine<P>) -> bool {
        let pass_due = matches!(self.trap, Trap::At { cell, every, passed } if cell == next && passed + 1 == every);
        self.enabled && pass_due && self.condition.as_ref().is_none_or(|condition| condition.holds(machine))
    }

    fn kind(&self) -> &'static str {
        match self.trap {
            Trap::Store { .. } => "watch",
            Trap::At { .. } | Trap::Becomes { .. } if self.temporary => "temporary breakpoint",
            Trap::At { .. } | Trap::Becomes { .. } => "breakpoint",
        }
    }
}

/// Finds the first instruction that may trigger a watch or a condition. It ignores instructions that use a device,
/// which cannot be rerun.
pub(super) struct Alarm<'a> {
    /// For each code, whether it stores at its third address, and whether it uses a device.
    codes: [(bool, bool); Code::COUNT],
    /// The watched cells, by flat index.
    watched: Vec<Range<usize>>,
    /// The cell in which RR is read, which any instruction may change: 7775 in memory mode II. Where RA is read too, on
    /// the ITEP machine, a run looks after every instruction.
    rr: Option<usize>,
    conditions: Vec<&'a BreakCondition>,
    /// The number of that instruction, once found.
    pub(super) rung: Option<u64>,
    /// The last instruction that used a device.
    pub(super) used_device: Option<StepReport>,
}

impl<'a> Alarm<'a> {
    pub(super) fn new(breakpoints: &'a [StopPoint], config: Config) -> Alarm<'a> {
        let mut codes = [(false, false); Code::COUNT];
        for code in Code::all() {
            let row = opcode::row_of(config.model, code);
            codes[usize::from(code.bits())] = (row.stores_at_a3(), row.uses_device());
        }
        let (mut watched, mut conditions) = (Vec::new(), Vec::new());
        for breakpoint in breakpoints.iter().filter(|breakpoint| breakpoint.looks_at_all()) {
            match &breakpoint.trap {
                Trap::At { .. } => {}
                Trap::Store { first, words } => watched.push(first.index()..first.index() + words.len()),
                Trap::Becomes { .. } => conditions.extend(&breakpoint.condition),
            }
        }
        let rr = (config.memory_mode == MemoryMode::II).then_some(0o7775);
        Alarm { codes, watched, rr, conditions, rung: None, used_device: None }
    }

    /// Whether an instruction may trigger something, judging by its report.
    fn is_concerned(&self, step: &StepReport, stores_at_a3: bool) -> bool {
        let anywhere = step.formed.is_some() || step.result.is_some() && !stores_at_a3;
        let a3 = step.result.map(|_| step.addresses()[2].index());
        let may_store = |cells: &Range<usize>| {
            anywhere || a3.is_some_and(|a3| cells.contains(&a3)) || self.rr.is_some_and(|rr| cells.contains(&rr))
        };
        self.watched.iter().any(may_store)
            || self
                .conditions
                .iter()
                .any(|condition| condition.may_come_true(step, |cell| may_store(&(cell.index()..cell.index() + 1))))
    }
}

impl Observer for Alarm<'_> {
    #[inline]
    fn executed(&mut self, step: &StepReport) {
        let (stores_at_a3, uses_device) = self.codes[usize::from(step.word.decode().code.bits())];
        if uses_device {
            self.used_device = Some(*step);
        } else if self.rung.is_none() && self.is_concerned(step, stores_at_a3) {
            self.rung = Some(step.number);
        }
    }

    fn has_enough(&self) -> bool {
        self.rung.is_some()
    }
}
