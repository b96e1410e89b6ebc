//! Commands that show something without changing the machine.

use super::{Done, Session};
use crate::show::{self, View};
use crate::words::{Location, Lookup, count_of, refuse};
use m220_asm::{SymbolKind, constant_text, visible};
use m220_isa::opcode::{self, Operation, Role};
use m220_isa::{Address, CoreAddress, Model, Word};
use m220_machine::{Config, MemoryMode, Register, Registers};
use m220_sentence::sentence;
use std::io::{self, Write};
use std::path::Path;

impl Session {
    /// The next instruction's cell and word; the word of cell 0000 is that in RR.
    pub(super) fn next_instruction(&self) -> (CoreAddress, Word) {
        let at = self.machine.next_cell();
        let word = match at.cell().get() {
            0 => self.machine.registers().rr,
            _ => self.word(at),
        };
        (at, word)
    }

    /// The word that an instruction reads in a cell.
    pub(super) fn word(&self, cell: CoreAddress) -> Word {
        self.machine.read(cell).unwrap_or(Word::ZERO)
    }

    pub(super) fn cell_line(&self, cell: CoreAddress, view: View) -> String {
        let line = show::cell_line(&self.program, cell, self.word(cell), view);
        match register_in_place(self.machine.config(), cell) {
            Some(register) => format!("{line}  ({})", register.name()),
            None => line,
        }
    }

    pub(super) fn lookup(&self) -> Lookup<'_> {
        Lookup {
            program: &self.program,
            here: self.machine.next_cell(),
            cubes: self.machine.config().cubes,
            ra: self.machine.registers().ra.get(),
        }
    }

    /// Shows the `=>` line and the source line of the next instruction.
    pub(super) fn show_next(&self, out: &mut dyn Write) -> io::Result<()> {
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
                    writeln!(out, "   {file}:{number}: {}", visible(text.trim_end()))?;
                }
            }
        }
        Ok(())
    }

    /// Shows what was printed and punched since the last call.
    pub(super) fn show_papers(&self, out: &mut dyn Write) -> io::Result<()> {
        for (paper, what) in [(&self.papers.printed, "printed"), (&self.papers.punched, "punched")] {
            let text = paper.take();
            if text.is_empty() {
                continue;
            }
            writeln!(out, "{what}:")?;
            out.write_all(&text)?;
            if !text.ends_with(b"\n") {
                writeln!(out)?;
            }
        }
        Ok(())
    }

    pub(super) fn operands(&self, out: &mut dyn Write) -> io::Result<()> {
        let registers = self.machine.registers();
        let (_, word) = self.next_instruction();
        let instruction = word.decode();
        let row = opcode::row_of(self.machine.config().model, instruction.code);
        let fields = [instruction.a1, instruction.a2, instruction.a3];
        let cubes = [registers.cubes.rp_a1, registers.cubes.rp_a2, registers.cubes.rp_a3];
        let cells = instruction.effective(registers.ra, cubes);
        writeln!(out, "{:02o} {}: {}", instruction.code.bits(), row.latin, row.summary)?;
        for (index, role) in row.roles.into_iter().enumerate() {
            let (cell, effective) = (cells[index], cells[index].cell());
            let modified = if instruction.modify[index] {
                format!(" ({} + RA {})", fields[index], registers.ra)
            } else {
                String::new()
            };
            let what = match role {
                Role::Write if effective == Address::ZERO && row.operation == Operation::FormInstruction => {
                    format!("is 0000{modified}: the instruction formed is executed, not stored")
                }
                Role::Write | Role::Checksum if effective == Address::ZERO => {
                    format!("stores to 0000{modified}, which loses it; RR keeps it")
                }
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

    pub(super) fn list(&self, rest: &str, out: &mut dyn Write) -> Done {
        let here = self.machine.next_cell();
        let wanted = if rest.is_empty() { here } else { self.lookup().cell(rest)? };
        let image = &self.program.image;
        let Some(place) = image.lines.get(&wanted) else {
            let place = self.program.place(wanted);
            return refuse(sentence!("no source line is known for cell {place}; `disassemble` shows the cells", place));
        };
        let Some(file) = image.files.get(place.file as usize) else {
            return refuse("the image has no source text; `disassemble` shows the cells");
        };
        let lines_of = |cell: &CoreAddress| image.lines.get(cell).filter(|at| at.file == place.file).map(|at| at.line);
        let next = lines_of(&here);
        let stops: Vec<u32> = self.stops().filter_map(|cell| lines_of(&cell)).collect();
        let first = place.line.saturating_sub(5).max(1);
        for (number, text) in (1..).zip(file.text.lines()).skip(first as usize - 1).take(11) {
            let text = visible(text);
            let arrow = if next == Some(number) { "=>" } else { "  " };
            let stop = if stops.contains(&number) { '*' } else { ' ' };
            writeln!(out, "{}", format!("{arrow}{stop}{number:4}  {text}").trim_end())?;
        }
        Ok(())
    }

    pub(super) fn disassemble(&self, rest: &str, out: &mut dyn Write) -> Done {
        let here = self.machine.next_cell();
        let (first, last) = if rest.is_empty() {
            let last = (here.cell().get() + 9).min(0o7777);
            (here, CoreAddress::new(here.cube(), Address::truncating(u64::from(last))))
        } else {
            self.lookup().cells(rest)?
        };
        let stops: Vec<CoreAddress> = self.stops().collect();
        for cell in first.through(last) {
            let word = self.word(cell);
            let arrow = if cell == here { "=>" } else { "  " };
            let stop = if stops.contains(&cell) { '*' } else { ' ' };
            let changed = if self.program.changed_from(cell, word).is_some() { '~' } else { ' ' };
            writeln!(out, "{arrow}{stop}{changed}{}", self.cell_line(cell, View::Instruction))?;
        }
        Ok(())
    }

    pub(super) fn last(&self, rest: &str, out: &mut dyn Write) -> Done {
        let count = if rest.is_empty() { 10 } else { usize::try_from(count_of(rest)?).unwrap_or(usize::MAX) };
        if self.remembered.is_empty() {
            writeln!(out, "nothing has been executed yet")?;
        }
        for step in self.remembered.iter().skip(self.remembered.len().saturating_sub(count)) {
            writeln!(out, "{}", show::executed_line(&self.program, step))?;
        }
        Ok(())
    }

    pub(super) fn print(&self, rest: &str, out: &mut dyn Write) -> Done {
        let (what, view) = match rest.rsplit_once(" as ") {
            None => (rest, View::Likely),
            Some((what, name)) => match View::named(name.trim()) {
                Some(view) => (what.trim(), view),
                None => {
                    return refuse(sentence!("there is no view `{name}`: octal, number, instruction, text, all", name));
                }
            },
        };
        if what.is_empty() {
            return refuse("print what? A register, a cell, or cells: `print RA`, `print sum`, `print 0100-0107`");
        }
        if let Some((value, SymbolKind::Constant)) = self.program.name(what) {
            writeln!(out, "{what} = {} (decimal {value})", constant_text(value))?;
            return Ok(());
        }
        match self.lookup().place(what)? {
            Location::Register(register) => self.show_register(register, view, out)?,
            Location::Cells(first, last) => {
                for cell in first.through(last) {
                    writeln!(out, "{}", self.cell_line(cell, view))?;
                }
            }
        }
        Ok(())
    }

    pub(super) fn show_register(&self, register: Register, view: View, out: &mut dyn Write) -> io::Result<()> {
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
            Register::Omega => String::new(),
            Register::RpKra | Register::RpA1 | Register::RpA2 | Register::RpA3 | Register::RpMb | Register::RpMl => {
                String::new()
            }
        };
        let line = format!("{:6} {:19}  {}", register.name(), register.show(value), note.trim());
        writeln!(out, "{}", line.trim_end())
    }

    pub(super) fn registers(&self, out: &mut dyn Write) -> io::Result<()> {
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

    pub(super) fn symbols(&self, rest: &str, out: &mut dyn Write) -> Done {
        let mut shown = 0;
        for (name, symbol) in self.program.image.symbols.iter().filter(|(name, _)| name.contains(rest)) {
            shown += 1;
            let value = symbol.value;
            match symbol.kind {
                SymbolKind::Cell => writeln!(out, "{name:20} cell     {value:04o}")?,
                SymbolKind::Constant => writeln!(out, "{name:20} constant {} (decimal {value})", constant_text(value))?,
            }
        }
        match (shown, rest) {
            (0, "") => refuse("the program has no names: it is a deck, or its image carries none"),
            (0, _) => refuse(sentence!("no name of the program contains `{rest}`", rest)),
            _ => Ok(()),
        }
    }

    pub(super) fn info(&self, rest: &str, out: &mut dyn Write) -> Done {
        let topics = ["breakpoints", "display", "registers", "symbols"];
        let (asked, part) = rest.split_once(' ').unwrap_or((rest, ""));
        match topics.iter().position(|topic| !asked.is_empty() && topic.starts_with(asked)) {
            Some(0) => Ok(self.list_breakpoints(out)?),
            Some(1) => Ok(self.list_displays(out)?),
            Some(2) => Ok(self.registers(out)?),
            Some(_) => self.symbols(part.trim(), out),
            None => refuse(sentence!("`info` knows {topics}", topics = topics.join(", "))),
        }
    }
}

/// The register that memory mode II reads in place of a cell of core.
pub(super) fn register_in_place(config: Config, cell: CoreAddress) -> Option<Register> {
    if config.memory_mode != MemoryMode::II {
        return None;
    }
    match cell.index() {
        key @ 0o7771..=0o7774 => Some(Register::Key(key - 0o7770)),
        0o7775 => Some(Register::Rr),
        0o7776 if config.model == Model::Itep => Some(Register::Ra),
        _ => None,
    }
}
