//! A session: the machine, what stops it, and the commands.

use super::help::{self, Verb};
use super::program::Program;
use super::show::{self, View};
use super::words::{Condition, Lookup, Place, Refused, Register, count_of, refuse};
use m220_asm::SymbolKind;
use m220_isa::opcode::{self, Role};
use m220_isa::{Address, CoreAddress, HalfMicroseconds, Operation, Word};
use m220_machine::devices::Devices;
use m220_machine::{Clock, Machine, Registers, StepReport, Stop};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, Write};
use std::path::Path;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Instructions that are remembered.
const REMEMBERED: usize = 10_000;
/// Executed instructions that `step N` shows.
const SHOWN_STEPS: u64 = 16;
/// Cells that one watch may cover: each is looked at after every instruction.
const WATCHED_CELLS: usize = 4096;
/// Between two looks at the keyboard.
const INSTRUCTIONS_BETWEEN_LOOKS: u64 = 4096;

/// What the printer prints, until it is shown.
#[derive(Clone, Default)]
pub struct Paper(Rc<RefCell<Vec<u8>>>);

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What a breakpoint waits for.
enum Trap {
    /// The execution of a cell: every `every`-th, of those where the condition holds.
    At { cell: CoreAddress, every: u64, passed: u64 },
    /// A store into these cells, and the words they had.
    Store { first: CoreAddress, words: Vec<Word> },
    /// The condition coming true; whether it is.
    Becomes { holds: bool },
}

struct Breakpoint {
    number: usize,
    enabled: bool,
    trap: Trap,
    condition: Option<Condition>,
}

/// Why a run came to its end.
enum End {
    /// As many instructions as asked for.
    Count,
    /// The cell to run to.
    Arrived,
    /// Breakpoints, each with what it says.
    Breakpoints(Vec<String>),
    Machine(Stop),
    Interrupted,
}

/// Ctrl-C, as a running program meets it.
#[derive(Debug, Default)]
pub struct Interrupt {
    running: AtomicBool,
    asked: AtomicBool,
}

impl Interrupt {
    pub const fn new() -> Interrupt {
        Interrupt { running: AtomicBool::new(false), asked: AtomicBool::new(false) }
    }

    /// Asks a running program to stop. Whether one is running.
    pub fn ask(&self) -> bool {
        self.asked.store(true, Ordering::Relaxed);
        self.running.load(Ordering::Relaxed)
    }

    fn run<T>(&self, body: impl FnOnce(&dyn Fn() -> bool) -> T) -> T {
        self.asked.store(false, Ordering::Relaxed);
        self.running.store(true, Ordering::Relaxed);
        let result = body(&|| self.asked.load(Ordering::Relaxed));
        self.running.store(false, Ordering::Relaxed);
        result
    }
}

/// Whether the session goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    GoOn,
    Quit,
}

/// Why a command ended without its result.
#[derive(Debug)]
pub enum Trouble {
    /// It cannot be carried out.
    Refused(Refused),
    /// Nobody reads what it says.
    Output(io::Error),
}

impl From<Refused> for Trouble {
    fn from(refused: Refused) -> Trouble {
        Trouble::Refused(refused)
    }
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Trouble {
        Trouble::Output(error)
    }
}

type Done = Result<(), Trouble>;

/// Makes the machine with the program loaded, anew for every restart.
pub type Load = Box<dyn Fn(&Paper) -> Machine<Devices>>;

/// A machine with a program in it, and a person before it.
pub struct Session {
    program: Program,
    load: Load,
    start: CoreAddress,
    machine: Machine<Devices>,
    paper: Paper,
    breakpoints: Vec<Breakpoint>,
    last_number: usize,
    remembered: VecDeque<StepReport>,
    mark: Option<Clock>,
    limit: u64,
    interrupt: &'static Interrupt,
}

impl Session {
    /// A session that stands at the program's start. `limit`: instructions of one command.
    pub fn new(program: Program, start: CoreAddress, load: Load, limit: u64, interrupt: &'static Interrupt) -> Session {
        let paper = Paper::default();
        let mut machine = load(&paper);
        machine.start(start);
        Session {
            program,
            load,
            start,
            machine,
            paper,
            breakpoints: Vec::new(),
            last_number: 0,
            remembered: VecDeque::new(),
            mark: None,
            limit,
            interrupt,
        }
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// What is said at the beginning.
    pub fn greet(&self, name: &str, out: &mut dyn Write) -> io::Result<()> {
        let image = &self.program.image;
        let config = self.machine.config();
        let cubes = if config.cubes == 1 { "1 cube".to_owned() } else { format!("{} cubes", config.cubes) };
        let count = |n: usize, what: &str| if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") };
        writeln!(
            out,
            "{name}: {}, {}, start {}; {} with {cubes} of core. `help` explains.",
            count(image.words.len(), "word"),
            count(image.symbols.len(), "name"),
            self.program.place(self.start),
            config.model.name(),
        )?;
        self.show_next(out)
    }

    /// Carries out one command line.
    ///
    /// # Errors
    /// A command that cannot be carried out, or output that cannot be written.
    pub fn execute(&mut self, line: &str, out: &mut dyn Write) -> Result<Flow, Trouble> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let entry = help::find(&word.to_lowercase()).map_err(Refused)?;
        let rest = rest.trim();
        if entry.usage.is_empty() && !rest.is_empty() {
            return refuse(format!("nothing is expected behind `{}`, not `{rest}`", entry.name));
        }
        if entry.verb == Verb::Quit {
            return Ok(Flow::Quit);
        }
        let done = self.carry_out(entry.verb, rest, out);
        self.show_paper(out)?;
        done.map(|()| Flow::GoOn)
    }

    fn carry_out(&mut self, verb: Verb, rest: &str, out: &mut dyn Write) -> Done {
        match verb {
            Verb::Quit => Ok(()),
            Verb::Step => self.step(rest, out),
            Verb::Next => self.next(out),
            Verb::Continue => self.go_on(None, out),
            Verb::To => {
                let cell = self.lookup().cell(rest)?;
                self.go_on(Some(cell), out)
            }
            Verb::Restart => self.restart(out),
            Verb::Input => self.input(out),
            Verb::Where => Ok(self.show_next(out)?),
            Verb::Operands => Ok(self.operands(out)?),
            Verb::List => self.list(rest, out),
            Verb::Disassemble => self.disassemble(rest, out),
            Verb::Last => self.last(rest, out),
            Verb::Print => self.print(rest, out),
            Verb::Registers => Ok(self.registers(out)?),
            Verb::Keys => (1..=4).try_for_each(|key| Ok(self.show_register(Register::Key(key), View::Likely, out)?)),
            Verb::Set => self.set(rest, out),
            Verb::Symbols => self.symbols(rest, out),
            Verb::Break if !rest.is_empty() => self.set_break(rest, out),
            Verb::Break | Verb::Breakpoints => Ok(self.list_breakpoints(out)?),
            Verb::Watch => self.set_watch(rest, out),
            Verb::Delete => Ok(self.delete(rest)?),
            Verb::Disable => Ok(self.enable(rest, false)?),
            Verb::Enable => Ok(self.enable(rest, true)?),
            Verb::Mark => {
                self.mark = Some(self.machine.clock());
                Ok(())
            }
            Verb::Time => Ok(self.time(out)?),
            Verb::Help if rest.is_empty() => Ok(out.write_all(help::overview().as_bytes())?),
            Verb::Help => {
                let text = help::about(&rest.to_lowercase()).map_err(Refused)?;
                Ok(out.write_all(text.as_bytes())?)
            }
        }
    }

    // Running.

    fn step(&mut self, rest: &str, out: &mut dyn Write) -> Done {
        let count = if rest.is_empty() { 1 } else { count_of(rest)? };
        if count == 0 {
            return refuse("0 instructions: at least one is expected");
        }
        let before = self.machine.clock().instructions;
        let end = self.run(count.min(self.limit), None);
        let executed = self.machine.clock().instructions - before;
        let shown = executed.min(SHOWN_STEPS) as usize;
        if executed > SHOWN_STEPS {
            writeln!(out, "   {executed} instructions, the last {shown}:")?;
        }
        for step in self.remembered.iter().skip(self.remembered.len() - shown) {
            writeln!(out, "{}", show::executed_line(&self.program, step))?;
        }
        self.show_end(&end, count > self.limit, out)?;
        Ok(())
    }

    fn next(&mut self, out: &mut dyn Write) -> Done {
        let (at, word) = self.next_instruction();
        let instruction = word.decode();
        let row = opcode::row_of(self.machine.config().model, instruction.code);
        if row.operation != Operation::Call {
            return self.step("", out);
        }
        let ra = self.machine.registers().ra.get();
        let effective = |index: usize, field: Address| field.offset(if instruction.modify[index] { ra } else { 0 });
        let back = CoreAddress::new(at.cube(), effective(0, instruction.a1));
        let called = CoreAddress::new(at.cube(), effective(1, instruction.a2));
        let before = self.machine.clock().instructions;
        let end = self.run(self.limit, Some(back));
        let executed = self.machine.clock().instructions - before;
        writeln!(out, "   {at}  call of {}: {executed} instructions", self.program.place(called))?;
        self.show_end(&end, true, out)?;
        Ok(())
    }

    fn go_on(&mut self, to: Option<CoreAddress>, out: &mut dyn Write) -> Done {
        let end = self.run(self.limit, to);
        self.show_end(&end, true, out)?;
        Ok(())
    }

    fn restart(&mut self, out: &mut dyn Write) -> Done {
        let keys: Vec<Word> = (1..=4).map(|key| self.machine.key(key)).collect();
        self.machine = (self.load)(&self.paper);
        for (index, key) in keys.into_iter().enumerate() {
            self.machine.set_key(index + 1, key);
        }
        self.machine.start(self.start);
        self.remembered.clear();
        self.mark = None;
        self.refresh_traps(true);
        self.show_next(out)?;
        Ok(())
    }

    fn input(&mut self, out: &mut dyn Write) -> Done {
        let remembered = &mut self.remembered;
        let stop = self.machine.press_input_observed(&mut |step: &StepReport| remember(remembered, step));
        self.refresh_traps(false);
        if let Some(stop) = stop {
            writeln!(out, "stop: {stop}")?;
        }
        self.show_next(out)?;
        Ok(())
    }

    /// Runs at most `count` instructions, to the cell `to`, a breakpoint, a stop or an interrupt.
    fn run(&mut self, count: u64, to: Option<CoreAddress>) -> End {
        let interrupt = self.interrupt;
        interrupt.run(|asked| self.run_until(count, to, asked))
    }

    fn run_until(&mut self, count: u64, to: Option<CoreAddress>, asked: &dyn Fn() -> bool) -> End {
        for done in 0..count {
            if done % INSTRUCTIONS_BETWEEN_LOOKS == 0 && asked() {
                return End::Interrupted;
            }
            let at = self.machine.next_cell();
            self.count_passage(at);
            let remembered = &mut self.remembered;
            let stop = self.machine.step_observed(&mut |step: &StepReport| remember(remembered, step));
            let mut said = Vec::new();
            self.after_instruction(&mut said);
            if let Some(stop) = stop {
                return End::Machine(stop);
            }
            let next = self.machine.next_cell();
            self.on_arrival(next, &mut said);
            if !said.is_empty() {
                return End::Breakpoints(said);
            }
            if to == Some(next) {
                return End::Arrived;
            }
        }
        End::Count
    }

    /// Counts a passage that is about to happen.
    fn count_passage(&mut self, at: CoreAddress) {
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
    fn on_arrival(&self, next: CoreAddress, said: &mut Vec<String>) {
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
    fn after_instruction(&mut self, said: &mut Vec<String>) {
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

    /// Brings the memory of watches and conditions up to date after a change from outside.
    fn refresh_traps(&mut self, restart: bool) {
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

    fn show_end(&self, end: &End, limited: bool, out: &mut dyn Write) -> io::Result<()> {
        match end {
            End::Count if limited => {
                writeln!(out, "{} instructions executed, the most for one command: `continue` goes on", self.limit)?;
            }
            End::Count | End::Arrived => {}
            End::Breakpoints(said) => {
                for line in said {
                    writeln!(out, "{line}")?;
                }
            }
            End::Machine(stop) => writeln!(out, "stop: {stop}")?,
            End::Interrupted => writeln!(out, "interrupted from the keyboard")?,
        }
        self.show_next(out)
    }

    // Looking.

    /// The next instruction's cell, and its word: in cell 0000 that of RR.
    fn next_instruction(&self) -> (CoreAddress, Word) {
        let at = self.machine.next_cell();
        let word = match at.cell().get() {
            0 => self.machine.registers().rr,
            _ => self.word(at),
        };
        (at, word)
    }

    fn word(&self, cell: CoreAddress) -> Word {
        self.machine.core(cell).unwrap_or(Word::ZERO)
    }

    fn lookup(&self) -> Lookup<'_> {
        Lookup { program: &self.program, here: self.machine.next_cell(), cubes: self.machine.config().cubes }
    }

    /// The `=>` line, and the line of the source.
    fn show_next(&self, out: &mut dyn Write) -> io::Result<()> {
        let (at, word) = self.next_instruction();
        let line = show::cell_line(&self.program, at, word, View::Instruction);
        writeln!(out, "=> {line}")?;
        if at.cell().get() == 0 {
            writeln!(out, "   cell 0000: the word in RR is executed")?;
            return Ok(());
        }
        match self.program.changed_from(at, word) {
            Some(loaded) => {
                let was = show::reading(&self.program, Some(at), loaded, View::Instruction);
                writeln!(out, "   changed since loading: was {}  {was}", loaded.grouped())?;
            }
            None => {
                if let Some((file, number, text)) = self.program.image.source_line(at) {
                    let file = Path::new(file).file_name().map_or(file.into(), |name| name.to_string_lossy());
                    writeln!(out, "   {file}:{number}: {}", text.trim_end())?;
                }
            }
        }
        Ok(())
    }

    fn show_paper(&self, out: &mut dyn Write) -> io::Result<()> {
        let printed = std::mem::take(&mut *self.paper.0.borrow_mut());
        if printed.is_empty() {
            return Ok(());
        }
        writeln!(out, "printed:")?;
        out.write_all(&printed)?;
        if !printed.ends_with(b"\n") {
            writeln!(out)?;
        }
        Ok(())
    }

    fn operands(&self, out: &mut dyn Write) -> io::Result<()> {
        let registers = self.machine.registers();
        let (_, word) = self.next_instruction();
        let instruction = word.decode();
        let row = opcode::row_of(self.machine.config().model, instruction.code);
        let fields = [instruction.a1, instruction.a2, instruction.a3];
        let cubes = [registers.cubes.rp_a1, registers.cubes.rp_a2, registers.cubes.rp_a3];
        writeln!(out, "{:02o} {}: {}", instruction.code.bits(), row.latin, row.summary)?;
        for (index, role) in row.roles.into_iter().enumerate() {
            let ra = if instruction.modify[index] { registers.ra.get() } else { 0 };
            let effective = fields[index].offset(ra);
            let modified = if instruction.modify[index] {
                format!(" ({} + RA {})", fields[index], registers.ra)
            } else {
                String::new()
            };
            let cell = CoreAddress::new(cubes[index], effective);
            let what = match role {
                Role::Read | Role::Write | Role::Checksum | Role::CoreCell => {
                    let word = self.word(cell);
                    let reading = show::reading(&self.program, Some(cell), word, View::Likely);
                    let does = match role {
                        Role::Read => "reads",
                        Role::CoreCell => "names",
                        _ => "stores to",
                    };
                    format!("{does} {}{modified}: {}  {reading}", self.program.place(cell), word.grouped())
                }
                Role::Jump => {
                    let cell = CoreAddress::new(registers.cubes.rp_kra, effective);
                    format!("may go to {}{modified}", self.program.place(cell))
                }
                Role::Shift => {
                    let places = i32::from(effective.get() & 0o177) - 0o100;
                    let way = if places < 0 { "right" } else { "left" };
                    format!("shift {way} by {} places{modified}", places.unsigned_abs())
                }
                Role::Number | Role::Selector | Role::Condition | Role::Device => format!("{effective}{modified}"),
                Role::Unused => continue,
            };
            writeln!(out, "  A{} {what}", index + 1)?;
        }
        Ok(())
    }

    fn list(&self, rest: &str, out: &mut dyn Write) -> Done {
        let here = self.machine.next_cell();
        let wanted = if rest.is_empty() { here } else { self.lookup().cell(rest)? };
        let image = &self.program.image;
        let Some(place) = image.lines.get(&wanted) else {
            return refuse(format!(
                "no source line is known for cell {}; `disassemble` shows the cells",
                self.program.place(wanted)
            ));
        };
        let Some(file) = image.files.get(place.file as usize) else {
            return refuse("the image has no source text; `disassemble` shows the cells");
        };
        let lines_of = |cell: &CoreAddress| image.lines.get(cell).filter(|at| at.file == place.file).map(|at| at.line);
        let next = lines_of(&here);
        let stops: Vec<u32> = self.stops().filter_map(|cell| lines_of(&cell)).collect();
        let first = place.line.saturating_sub(5).max(1);
        for (number, text) in (1..).zip(file.text.lines()).skip(first as usize - 1).take(11) {
            let arrow = if next == Some(number) { "=>" } else { "  " };
            let stop = if stops.contains(&number) { '*' } else { ' ' };
            writeln!(out, "{}", format!("{arrow}{stop}{number:4}  {text}").trim_end())?;
        }
        Ok(())
    }

    /// Cells where breakpoints wait.
    fn stops(&self) -> impl Iterator<Item = CoreAddress> + '_ {
        self.breakpoints.iter().filter(|breakpoint| breakpoint.enabled).filter_map(|breakpoint| match breakpoint.trap {
            Trap::At { cell, .. } => Some(cell),
            _ => None,
        })
    }

    fn disassemble(&self, rest: &str, out: &mut dyn Write) -> Done {
        let here = self.machine.next_cell();
        let (first, last) = if rest.is_empty() {
            let last = (here.cell().get() + 9).min(0o7777);
            (here, CoreAddress::new(here.cube(), Address::truncating(u64::from(last))))
        } else {
            self.lookup().cells(rest)?
        };
        let stops: Vec<CoreAddress> = self.stops().collect();
        for cell in (first.index()..=last.index()).filter_map(|index| CoreAddress::from_index(index).ok()) {
            let word = self.word(cell);
            let arrow = if cell == here { "=>" } else { "  " };
            let stop = if stops.contains(&cell) { '*' } else { ' ' };
            let changed = if self.program.changed_from(cell, word).is_some() { '~' } else { ' ' };
            let line = show::cell_line(&self.program, cell, word, View::Instruction);
            writeln!(out, "{arrow}{stop}{changed}{line}")?;
        }
        Ok(())
    }

    fn last(&self, rest: &str, out: &mut dyn Write) -> Done {
        let count = if rest.is_empty() { 10 } else { usize::try_from(count_of(rest)?).unwrap_or(usize::MAX) };
        if self.remembered.is_empty() {
            writeln!(out, "nothing has been executed yet")?;
        }
        for step in self.remembered.iter().skip(self.remembered.len().saturating_sub(count)) {
            writeln!(out, "{}", show::executed_line(&self.program, step))?;
        }
        Ok(())
    }

    fn print(&self, rest: &str, out: &mut dyn Write) -> Done {
        let (what, view) = match rest.rsplit_once(" as ") {
            None => (rest, View::Likely),
            Some((what, name)) => match View::named(name.trim()) {
                Some(view) => (what.trim(), view),
                None => return refuse(format!("there is no view `{name}`: octal, number, instruction, text, all")),
            },
        };
        if what.is_empty() {
            return refuse("print what? A register, a cell, or cells: `print RA`, `print sum`, `print 0100-0107`");
        }
        if let Some((value, SymbolKind::Constant)) = self.program.name(what) {
            let sign = if value < 0 { "-" } else { "" };
            writeln!(out, "{what} = {sign}{:o} (decimal {value})", value.unsigned_abs())?;
            return Ok(());
        }
        match self.lookup().place(what)? {
            Place::Register(register) => self.show_register(register, view, out)?,
            Place::Cells(first, last) => {
                for cell in (first.index()..=last.index()).filter_map(|index| CoreAddress::from_index(index).ok()) {
                    writeln!(out, "{}", show::cell_line(&self.program, cell, self.word(cell), view))?;
                }
            }
        }
        Ok(())
    }

    fn show_register(&self, register: Register, view: View, out: &mut dyn Write) -> io::Result<()> {
        let value = register.read(&self.machine);
        let note = match register {
            Register::Rvk => {
                let registers = self.machine.registers();
                let next = self.machine.next_cell();
                let at = CoreAddress::new(next.cube(), registers.rvk);
                let label = self.program.label(at).unwrap_or_default();
                if next == at { label } else { format!("{label} (the run goes on at {})", self.program.place(next)) }
            }
            Register::Rr | Register::Rmr | Register::P1 | Register::Key(_) => {
                show::reading(&self.program, None, Word::truncating(value), view)
            }
            Register::Ra => format!("(decimal {value})"),
            _ => String::new(),
        };
        let line = format!("{:6} {:19}  {}", register.name(), register.show(value), note.trim());
        writeln!(out, "{}", line.trim_end())
    }

    fn registers(&self, out: &mut dyn Write) -> io::Result<()> {
        use Register as R;
        for register in [R::Rvk, R::Ra, R::Omega, R::Rr, R::Rmr, R::P1] {
            self.show_register(register, View::Likely, out)?;
        }
        let Registers { cubes, prepared, .. } = self.machine.registers();
        if self.machine.config().cubes > 1 || cubes != m220_machine::CubeRegisters::default() {
            let cubes = [R::RpKra, R::RpA1, R::RpA2, R::RpA3, R::RpMb, R::RpMl]
                .map(|register| format!("{} {}", register.name(), register.show(register.read(&self.machine))));
            writeln!(out, "{}", cubes.join("  "))?;
        }
        if let Some(prepared) = prepared {
            writeln!(
                out,
                "an exchange is prepared: condition {}, device address {}, last cell {}",
                prepared.condition, prepared.device_address, prepared.last
            )?;
        }
        Ok(())
    }

    fn symbols(&self, rest: &str, out: &mut dyn Write) -> Done {
        let mut shown = 0;
        for (name, symbol) in self.program.image.symbols.iter().filter(|(name, _)| name.contains(rest)) {
            shown += 1;
            let value = symbol.value;
            match symbol.kind {
                SymbolKind::Cell => writeln!(out, "{name:20} cell     {value:04o}")?,
                SymbolKind::Constant => {
                    let sign = if value < 0 { "-" } else { "" };
                    writeln!(out, "{name:20} constant {sign}{:o} (decimal {value})", value.unsigned_abs())?;
                }
            }
        }
        match (shown, rest) {
            (0, "") => refuse("the program has no names: it is a deck, or its image carries none"),
            (0, _) => refuse(format!("no name of the program contains `{rest}`")),
            _ => Ok(()),
        }
    }

    // Breakpoints.

    fn add(&mut self, trap: Trap, condition: Option<Condition>, out: &mut dyn Write) -> io::Result<()> {
        self.last_number += 1;
        let breakpoint = Breakpoint { number: self.last_number, enabled: true, trap, condition };
        writeln!(out, "{} {}: {}", breakpoint.kind(), breakpoint.number, self.describe(&breakpoint))?;
        self.breakpoints.push(breakpoint);
        Ok(())
    }

    fn describe(&self, breakpoint: &Breakpoint) -> String {
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
    fn condition(&self, rest: &str) -> Result<(String, Option<Condition>), Refused> {
        let words: Vec<&str> = rest.split_whitespace().collect();
        match words.iter().position(|word| *word == "if") {
            None => Ok((words.join(" "), None)),
            Some(at) => {
                let condition = Condition::parse(&words[at + 1..].join(" "), &self.lookup())?;
                Ok((words[..at].join(" "), Some(condition)))
            }
        }
    }

    fn set_break(&mut self, rest: &str, out: &mut dyn Write) -> Done {
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

    fn set_watch(&mut self, rest: &str, out: &mut dyn Write) -> Done {
        let read = || -> Result<(Trap, Option<Condition>), Refused> {
            let (place, condition) = self.condition(rest)?;
            let (first, last) = match self.lookup().place(&place)? {
                Place::Cells(first, last) => (first, last),
                Place::Register(register) => {
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

    fn list_breakpoints(&self, out: &mut dyn Write) -> io::Result<()> {
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

    fn numbered(&self, rest: &str) -> Result<Vec<usize>, Refused> {
        if rest == "all" {
            return Ok(self.breakpoints.iter().map(|breakpoint| breakpoint.number).collect());
        }
        let number = count_of(rest).map_err(|_| Refused("a breakpoint's number is expected, or `all`".to_owned()))?;
        let found = self.breakpoints.iter().map(|breakpoint| breakpoint.number).find(|found| *found as u64 == number);
        found.map(|number| vec![number]).ok_or_else(|| Refused(format!("there is no breakpoint {number}")))
    }

    fn delete(&mut self, rest: &str) -> Result<(), Refused> {
        let numbers = self.numbered(rest)?;
        self.breakpoints.retain(|breakpoint| !numbers.contains(&breakpoint.number));
        Ok(())
    }

    fn enable(&mut self, rest: &str, enabled: bool) -> Result<(), Refused> {
        let numbers = self.numbered(rest)?;
        for breakpoint in self.breakpoints.iter_mut().filter(|breakpoint| numbers.contains(&breakpoint.number)) {
            breakpoint.enabled = enabled;
        }
        Ok(())
    }

    // Changing and measuring.

    fn set(&mut self, rest: &str, out: &mut dyn Write) -> Done {
        let Some((what, value)) = rest.split_once('=') else {
            return refuse("`set WHAT = VALUE`: for instance `set RA = 12`, `set sum = =1.5`");
        };
        let (what, value) = (what.trim(), value.trim());
        let place = self.lookup().place(what)?;
        match place {
            Place::Register(register) => {
                let value = self.register_value(register, value)?;
                register.write(&mut self.machine, value);
                self.refresh_traps(false);
                if matches!(register, Register::Rvk | Register::RpKra) {
                    self.show_next(out)?;
                } else {
                    self.show_register(register, View::Likely, out)?;
                }
            }
            Place::Cells(first, last) => {
                let done = self.set_cells(first, last, value, out);
                self.refresh_traps(false);
                done?;
            }
        }
        Ok(())
    }

    fn register_value(&self, register: Register, text: &str) -> Result<u64, Refused> {
        if register.bits() == 45 {
            let words = self.lookup().words(self.machine.next_cell(), text)?;
            return match words.as_slice() {
                [word] => Ok(word.bits()),
                _ => refuse(format!("{} holds one word", register.name())),
            };
        }
        let value = self.lookup().value(text)?;
        // A cell's address may carry its cube; the register holds the twelve bits behind it.
        let value = if register == Register::Rvk { value % 0o10000 } else { value };
        if value >> register.bits() != 0 {
            let most = (1u64 << register.bits()) - 1;
            return refuse(format!("{} holds 0 to {most:o}, not {value:o}", register.name()));
        }
        Ok(value)
    }

    fn set_cells(&mut self, first: CoreAddress, last: CoreAddress, text: &str, out: &mut dyn Write) -> Done {
        let words = self.lookup().words(first, text)?;
        let room = last.index() - first.index() + 1;
        // One word fills a range; several go into cells that follow each other.
        let count = if words.len() == 1 { room } else { words.len() };
        if room != 1 && words.len() > room {
            return refuse(format!("{} words do not fit {room} cells", words.len()));
        }
        for (distance, word) in words.iter().cycle().take(count).enumerate() {
            let cell =
                CoreAddress::from_index(first.index() + distance).ok().filter(|cell| cell.cube() == first.cube());
            match cell.map(|cell| self.machine.set_core(cell, *word).map(|()| cell)) {
                Some(Ok(cell)) if self.word(cell) == *word => {
                    writeln!(out, "{}", show::cell_line(&self.program, cell, *word, View::Likely))?;
                }
                Some(Ok(cell)) => return refuse(format!("cell {cell} is not core: what is stored there is lost")),
                Some(Err(error)) => return refuse(error.to_string()),
                None => return refuse("the words go beyond the cube's last cell"),
            }
        }
        Ok(())
    }

    fn time(&self, out: &mut dyn Write) -> io::Result<()> {
        let now = self.machine.clock();
        let since = |mark: Clock| Clock {
            instructions: now.instructions.saturating_sub(mark.instructions),
            m20: HalfMicroseconds(now.m20.0.saturating_sub(mark.m20.0)),
            m220: HalfMicroseconds(now.m220.0.saturating_sub(mark.m220.0)),
            device_m220: HalfMicroseconds(now.device_m220.0.saturating_sub(mark.device_m220.0)),
        };
        let marked = self.mark.map(since);
        let title = if marked.is_some() { "since the mark" } else { "" };
        writeln!(out, "{}", format!("{:14}{:>18}{title:>18}", "", "since the start").trim_end())?;
        let rows: [(&str, fn(&Clock) -> String); 4] = [
            ("instructions", |clock| clock.instructions.to_string()),
            ("m220", |clock| show::time(clock.m220)),
            ("m20", |clock| show::time(clock.m20)),
            ("nominal", |clock| show::time(clock.nominal())),
        ];
        for (name, value) in rows {
            let of_mark = marked.as_ref().map_or(String::new(), value);
            writeln!(out, "{}", format!("{name:14}{:>18}{of_mark:>18}", value(&now)).trim_end())?;
        }
        Ok(())
    }
}

impl Breakpoint {
    fn kind(&self) -> &'static str {
        match self.trap {
            Trap::Store { .. } => "watch",
            _ => "breakpoint",
        }
    }
}

fn remember(remembered: &mut VecDeque<StepReport>, step: &StepReport) {
    if remembered.len() == REMEMBERED {
        remembered.pop_front();
    }
    remembered.push_back(*step);
}

/// The cell that an instruction stored its result in, if its third address says so.
fn stored_cell(model: m220_isa::Model, step: &StepReport) -> Option<CoreAddress> {
    let row = opcode::row_of(model, step.word.decode().code);
    let stores = matches!(row.roles[2], Role::Write | Role::Checksum) && step.formed.is_none();
    step.result.filter(|_| stores).map(|_| step.addresses[2])
}
