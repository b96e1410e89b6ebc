//! The table of commands, and the text of `help`.

use m220_machine::Register;
use m220_sentence::{Sentence, sentence};

/// What a command does, once its name is resolved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verb {
    Step,
    Next,
    Finish,
    Continue,
    To,
    Back,
    Reverse,
    Restart,
    Input,
    Where,
    Operands,
    List,
    Disassemble,
    Last,
    Backtrace,
    Print,
    Display,
    Undisplay,
    Registers,
    Keys,
    Set,
    Symbols,
    Info,
    Break,
    TemporaryBreak,
    Watch,
    Breakpoints,
    Delete,
    Disable,
    Enable,
    Mark,
    Time,
    Help,
    Quit,
}

/// A command and its help.
pub struct Entry {
    pub(crate) verb: Verb,
    /// The full name.
    pub name: &'static str,
    /// Other names, the shortest first.
    pub aliases: &'static [&'static str],
    /// The operands, as shown in help; empty if there are none.
    pub usage: &'static str,
    /// One line of help.
    pub summary: &'static str,
    /// Further help, with examples.
    pub detail: &'static str,
}

/// The groups of the overview, each with its commands.
pub const GROUPS: [(&str, &[Entry]); 5] = [
    (
        "Running",
        &[
            Entry {
                verb: Verb::Step,
                name: "step",
                aliases: &["s", "si", "stepi"],
                usage: "[N]",
                summary: "execute one instruction, or N",
                detail: "Shows each instruction executed and its results: the word stored, Omega if the code sets it,\n\
                         RA if the code can change it. Of more than 16, only the last 16 are shown. A breakpoint on\n\
                         the way ends the steps.",
            },
            Entry {
                verb: Verb::Next,
                name: "next",
                aliases: &["n", "ni", "nexti"],
                usage: "",
                summary: "a step, but over a call (code 16)",
                detail: "A call `16 A1 A2 A3` leaves in A3 the instruction that jumps back to cell A1. `next` runs\n\
                         until cell A1 is reached; a breakpoint on the way ends it sooner. Before any other\n\
                         instruction `next` is `step`.",
            },
            Entry {
                verb: Verb::Finish,
                name: "finish",
                aliases: &[],
                usage: "",
                summary: "run until the routine returns to its caller",
                detail: "Runs to the return cell of the last call that has not returned, see `backtrace`. A breakpoint on\n\
                         the way ends it sooner.",
            },
            Entry {
                verb: Verb::Continue,
                name: "continue",
                aliases: &["c"],
                usage: "",
                summary: "run to a breakpoint, or until the machine stops",
                detail: "After a halt the run goes on at the next cell, after another stop at the same instruction.\n\
                         Ctrl-C interrupts the program and returns to the prompt. One command runs at most as many\n\
                         instructions as --max-instructions says; another `continue` then goes on.",
            },
            Entry {
                verb: Verb::To,
                name: "to",
                aliases: &["u", "until"],
                usage: "CELL",
                summary: "run until this cell is next to be executed",
                detail: "    to 0113          to loop.end          to .+1     (leaves a loop that ends here)\n\
                         A breakpoint on the way ends it sooner.",
            },
            Entry {
                verb: Verb::Back,
                name: "back",
                aliases: &["rs", "reverse-stepi"],
                usage: "[N]",
                summary: "go back by one instruction, or N",
                detail: "Restores an earlier checkpoint and runs forward from there. At most 66 checkpoints are kept, of\n\
                         33 KB for each cube of core; the longer the run, the farther apart they are. `back` reaches to\n\
                         the start, or to where something was last set or a device used: these cannot be undone.",
            },
            Entry {
                verb: Verb::Reverse,
                name: "reverse",
                aliases: &["rc", "reverse-continue"],
                usage: "",
                summary: "go back to the last breakpoint on a cell",
                detail: "Conditions and passes do not count. It reaches as far as `back`.",
            },
            Entry {
                verb: Verb::Restart,
                name: "restart",
                aliases: &["run"],
                usage: "",
                summary: "load the program again and go to its start",
                detail: "Core, registers, clock, devices and cards are as at the beginning. Breakpoints remain and count\n\
                         from zero; the key registers of the console keep their words.",
            },
            Entry {
                verb: Verb::Input,
                name: "input",
                aliases: &[],
                usage: "",
                summary: "press the INPUT button: read the card deck (--cards)",
                detail: "Clears RA and the cube registers, reads the deck into core from cell 0001 on; 0001 is next.",
            },
        ],
    ),
    (
        "Looking",
        &[
            Entry {
                verb: Verb::Where,
                name: "where",
                aliases: &["w"],
                usage: "",
                summary: "the next instruction, with its line of the source",
                detail: "`=>` marks the next instruction everywhere. If its cell no longer holds what was loaded,\n\
                         the program has changed it; then the loaded word is shown instead of the source line.",
            },
            Entry {
                verb: Verb::Operands,
                name: "operands",
                aliases: &["o"],
                usage: "",
                summary: "the next instruction's addresses, with words",
                detail: "Effective: RA added where the instruction has the modification bit, [RA] in the source.",
            },
            Entry {
                verb: Verb::List,
                name: "list",
                aliases: &["l"],
                usage: "[CELL]",
                summary: "source lines around a cell (the next one's)",
                detail: "`=>` marks the next instruction, `*` a line with a breakpoint. An octal deck has no source:\n\
                         use `disassemble`.",
            },
            Entry {
                verb: Verb::Disassemble,
                name: "disassemble",
                aliases: &["d", "dis"],
                usage: "[CELLS]",
                summary: "cells as instructions, as they are now",
                detail: "    disassemble              the next ten cells\n    \
                             disassemble 0100-0113    disassemble loop,20\n\
                         `=>` marks the next instruction, `*` a breakpoint, `~` a cell changed since loading.",
            },
            Entry {
                verb: Verb::Last,
                name: "last",
                aliases: &["history"],
                usage: "[N]",
                summary: "the last N instructions (10; 10000 at most)",
                detail: "The oldest first. It answers \"how did we get here?\" after a stop or a watched store.",
            },
            Entry {
                verb: Verb::Backtrace,
                name: "backtrace",
                aliases: &["bt"],
                usage: "",
                summary: "the calls (code 16) not yet returned, last first",
                detail: "The machine has no stack: a call leaves its return word in a cell, the way out of the routine.\n\
                         The debugger runs the last four million instructions again and notes which calls were made and\n\
                         which returned. For each call it shows the cell of the call, the routine, and the way out with\n\
                         the return word that is there now.",
            },
            Entry {
                verb: Verb::Print,
                name: "print",
                aliases: &["p", "x"],
                usage: "WHAT [as VIEW]",
                summary: "a register, a cell or cells",
                detail: "    print RA             print sum            print table+3\n    \
                             print 0100-0113      print table,10       print message,4 as text\n\
                         Views: octal, number, instruction, text, all. Without one, a cell is shown the way its source\n\
                         line was written; a word that the program put there, as what it seems to be.",
            },
            Entry {
                verb: Verb::Display,
                name: "display",
                aliases: &[],
                usage: "[WHAT [as VIEW]]",
                summary: "print this at every stop; alone, print all of them",
                detail: "    display RA           display table[RA]    display sum as number\n\
                         WHAT is evaluated anew at every stop. `undisplay` ends it.",
            },
            Entry {
                verb: Verb::Undisplay,
                name: "undisplay",
                aliases: &[],
                usage: "NUMBER | all",
                summary: "remove a display",
                detail: "The number is shown in front of each display.",
            },
            Entry {
                verb: Verb::Registers,
                name: "registers",
                aliases: &["r"],
                usage: "",
                summary: "all registers of the processor",
                detail: "RVK instruction counter, RA address register, Omega the condition bit, RR the last result, RMR\n\
                         the low product, P1 the word at the last first address (code 47 sees it), RP... the cube\n\
                         registers of the M-220.",
            },
            Entry {
                verb: Verb::Keys,
                name: "keys",
                aliases: &["k"],
                usage: "",
                summary: "the four key registers of the console",
                detail: "Set one with `set RPU1 = WORD`. Programs read them by code 20 or, in memory mode 2, in\n\
                         cells 7771 to 7774.",
            },
            Entry {
                verb: Verb::Symbols,
                name: "symbols",
                aliases: &["names"],
                usage: "[PART]",
                summary: "the names, or those with PART in them",
                detail: "Cells with their address, constants with their value.",
            },
            Entry {
                verb: Verb::Info,
                name: "info",
                aliases: &["i"],
                usage: "breakpoints | display | registers | symbols",
                summary: "the same lists under their names in gdb",
                detail: "As `breakpoints`, `display`, `registers`, `symbols`; `info b`, `info r`, `info sy` suffice.",
            },
        ],
    ),
    (
        "Stopping",
        &[
            Entry {
                verb: Verb::Break,
                name: "break",
                aliases: &["b"],
                usage: "[CELL] [N] [if CONDITION]",
                summary: "stop before a cell (N-th time), or on a condition",
                detail: "    break loop                   before every pass\n    \
                             break loop 10                before every tenth pass; the next one counts\n    \
                             break loop if RA >= 3        only then; with N only those passes are counted\n    \
                             break if OMEGA = 1           wherever Omega becomes 1\n    \
                             break if RA = 7 and word sum > 0\n\
                         A condition compares (= != < <= > >=) registers, values and words in cells (`word sum`); `and`\n\
                         joins comparisons. Words are compared as whole numbers of 45 bits; `word sum = =1.5` compares\n\
                         with a decimal number's word. Without operand `break` lists the breakpoints.\n    \
                             break :12                    the first cell of line 12 of the source\n    \
                             break sums.m220:12           where there are several files",
            },
            Entry {
                verb: Verb::TemporaryBreak,
                name: "tbreak",
                aliases: &["tb"],
                usage: "CELL [N] [if CONDITION]",
                summary: "as break, but only for one stop",
                detail: "It is removed when the run stops there.",
            },
            Entry {
                verb: Verb::Watch,
                name: "watch",
                aliases: &[],
                usage: "CELLS [if CONDITION]",
                summary: "stop after a store into a cell",
                detail: "    watch sum            watch board,64       watch sum if word sum >= 7\n\
                         Every store by an instruction counts, even if it stores the same word again. Stores by devices, and by\n\
                         instructions that others formed (ITEP), count only if they change the cell.",
            },
            Entry {
                verb: Verb::Breakpoints,
                name: "breakpoints",
                aliases: &["bl"],
                usage: "",
                summary: "list breakpoints and watched cells",
                detail: "With their numbers, and how often each was passed since it was set or last stopped the run.",
            },
            Entry {
                verb: Verb::Delete,
                name: "delete",
                aliases: &[],
                usage: "NUMBER | all",
                summary: "remove a breakpoint",
                detail: "The numbers are those of `breakpoints`; they are not reused.",
            },
            Entry {
                verb: Verb::Disable,
                name: "disable",
                aliases: &[],
                usage: "NUMBER | all",
                summary: "disable a breakpoint",
                detail: "It neither stops the run nor counts until `enable`.",
            },
            Entry {
                verb: Verb::Enable,
                name: "enable",
                aliases: &[],
                usage: "NUMBER | all",
                summary: "enable it again",
                detail: "See `disable`.",
            },
        ],
    ),
    (
        "Changing and measuring",
        &[
            Entry {
                verb: Verb::Set,
                name: "set",
                aliases: &[],
                usage: "WHAT = VALUE",
                summary: "set a register or cells to a value",
                detail: "    set RA = 12                          set OMEGA = 0         set RVK = begin\n    \
                             set sum = 1 01 4000 0000 0000        (15 octal digits, blanks anywhere)\n    \
                             set sum = 12.5    set sum = =12      (a decimal number: with a point, a minus or = in front)\n    \
                             set message = \"СУММА\"                (six characters to a cell)\n    \
                             set 0103 = ADD sum, table[RA], sum   (an instruction, names and all)\n\
                         `set RVK` makes the run go on elsewhere.",
            },
            Entry {
                verb: Verb::Mark,
                name: "mark",
                aliases: &[],
                usage: "",
                summary: "count instructions and time from here",
                detail: "`time` then shows both the total and the figures since the mark.",
            },
            Entry {
                verb: Verb::Time,
                name: "time",
                aliases: &["t"],
                usage: "",
                summary: "instructions and time in all, and since the mark",
                detail: "Times by the M-220's and by the M-20's instruction table, and `nominal`: the advertised\n\
                         27,500 instructions per second.",
            },
        ],
    ),
    (
        "This debugger",
        &[
            Entry {
                verb: Verb::Help,
                name: "help",
                aliases: &["h", "?"],
                usage: "[COMMAND | REGISTER | cells | words | scripts | tour]",
                summary: "this list, or more about one thing",
                detail: "Commands may be abbreviated as long as they are unambiguous: `cont`, `dis`, `reg`.",
            },
            Entry {
                verb: Verb::Quit,
                name: "quit",
                aliases: &["q", "exit"],
                usage: "",
                summary: "leave (also Ctrl-D)",
                detail: "Nothing is saved: program files are never written.",
            },
        ],
    ),
];

/// Help on topics other than single commands.
pub const TOPICS: [(&str, &str); 4] = [
    (
        "cells",
        "A cell is written in octal (up to four digits, or five with the cube in front), as a name of the\n\
         program (`sum`, `loop.end`), or as `.`, the next instruction; with + or - and a distance:\n    \
             0113    table+3    .-1    20100    table+10d      (10d is decimal)\n    \
             table[RA]    table[RA+2]                          (as an instruction that adds RA)\n    \
             :12    sums.m220:12                               (the first cell of a line of the source)\n\
         Several cells: `0100-0113` is a range, `table,10` ten cells from `table` on.\n\
         Cells and words are octal, counts (`step 10`, `table,10`) decimal.\n",
    ),
    (
        "words",
        "\
A word has 45 bits, shown as octal digits grouped like an instruction: T OP A1 A2 A3.
    1 01 4000 0000 0000      as a number: in the first digit 4 is the tag, 2 the sign, 1 the first
                             bit of the exponent; the exponent is 101 - 100, that is 1; then 36
                             bits after the point, here 0.4 octal, a half: 2 x 1/2 = 1
    0 16 0103 7501 7610      as an instruction: code 16, a call, and three addresses; in the first
                             digit 4, 2, 1 add RA to A1, A2, A3
    0 30 5465 4261 0017      as text: six characters of seven bits
Try `print CELL as all`.
",
    ),
    (
        "scripts",
        "`m220 debug FILE --script COMMANDS` carries out the commands of a file, one per line; `#` begins a\n\
         comment. Commands are echoed, so the output reads like a session. So does input from a pipe. The\n\
         exit code is 3 if a command could not be carried out, however the machine stopped.\n",
    ),
    (
        "tour",
        "A first look at a program, to type one after another:\n    \
             where                what comes next?\n    \
             list                 its source          (disassemble, for a deck)\n    \
             step                 execute it\n    \
             operands             what will the next one work on?\n    \
             step 5               five more\n    \
             registers            what did they change?\n    \
             break CELL           stop there, then:\n    \
             continue\n    \
             last                 how did we get here?\n    \
             watch CELL           who stores there?   continue\n    \
             time                 how long would the machine have taken?\n    \
             restart              once more from the beginning\n\
         An empty line repeats the last step, next or continue.\n",
    ),
];

/// All commands.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    GROUPS.iter().flat_map(|(_, entries)| entries.iter())
}

/// The command with this name, alias, or unambiguous abbreviation.
///
/// # Errors
/// There is no such topic.
pub fn find(word: &str) -> Result<&'static Entry, Sentence> {
    if let Some(entry) = entries().find(|entry| entry.name == word || entry.aliases.contains(&word)) {
        return Ok(entry);
    }
    let beginning: Vec<&Entry> = entries().filter(|entry| entry.name.starts_with(word)).collect();
    match beginning.as_slice() {
        [entry] => Ok(entry),
        [] => {
            let elsewhere = ELSEWHERE.iter().find(|(other, _)| *other == word).map(|(_, name)| (1.0, *name));
            let near = entries()
                .flat_map(|entry| std::iter::once(entry.name).chain(entry.aliases.iter().copied()))
                // Short aliases resemble too many words.
                .filter(|name| name.len() > 2)
                .map(|name| (strsim::jaro_winkler(name, word), name))
                .max_by(|a, b| a.0.total_cmp(&b.0))
                .filter(|(likeness, _)| *likeness > 0.75);
            let hint = match elsewhere.or(near) {
                Some((_, name)) => sentence!("did you mean `{name}`?", name),
                None => "`help` lists the commands".into(),
            };
            Err(sentence!("there is no command `{word}`; {hint}", word, hint))
        }
        several => {
            let names: Vec<&str> = several.iter().map(|entry| entry.name).collect();
            Err(sentence!("`{word}` may be {names}", word, names = names.join(" or ")))
        }
    }
}

/// Names of commands in other debuggers and monitors, with their names here.
const ELSEWHERE: [(&str, &str); 5] =
    [("clear", "delete"), ("dump", "print"), ("examine", "print"), ("go", "continue"), ("show", "print")];

/// The list of all commands.
pub fn overview() -> String {
    let mut text = String::new();
    for (title, entries) in &GROUPS {
        text.push_str(&format!("{title}\n"));
        for entry in *entries {
            let shape = format!("{} {}", entry.name, entry.usage);
            let short = entry.aliases.first().map_or(String::new(), |alias| format!("({alias}) "));
            // A long usage gets a line of its own.
            if shape.trim_end().len() > 24 {
                text.push_str(&format!("  {shape}\n  {:24} {short}{}\n", "", entry.summary));
            } else {
                text.push_str(&format!("  {:24} {short}{}\n", shape.trim_end(), entry.summary));
            }
        }
    }
    text.push_str(
        "`help COMMAND` says more; `help tour` shows how to begin.\nMore: `help cells`, `help words`, `help scripts`.\n",
    );
    text
}

/// The text of `help WORD`.
///
/// # Errors
/// There is no such topic.
pub fn about(word: &str) -> Result<String, Sentence> {
    if let Some((_, text)) = TOPICS.iter().find(|(name, _)| *name == word) {
        return Ok((*text).to_owned());
    }
    if let Some(register) = Register::ALL.into_iter().find(|register| register.name().eq_ignore_ascii_case(word)) {
        let bits = register.bits();
        let size = if bits == 1 { "one bit".to_owned() } else { format!("{bits} bits") };
        return Ok(format!("{}: {}, {size}; `print {0}`, `set {0} = ...`\n", register.name(), register.meaning()));
    }
    let entry = find(word)?;
    let names = if entry.aliases.is_empty() { String::new() } else { format!("  (or {})", entry.aliases.join(", ")) };
    let head = format!("{} {}", entry.name, entry.usage);
    Ok(format!("{}{names}: {}\n\n{}\n", head.trim_end(), entry.summary, entry.detail))
}

/// Whether an empty line at the prompt repeats this command.
pub fn is_repeated(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or_default();
    find(&word.to_lowercase()).is_ok_and(|entry| matches!(entry.verb, Verb::Step | Verb::Next | Verb::Continue))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_overview_fits_the_terminal() {
        let wide: Vec<String> =
            overview().lines().filter(|line| line.chars().count() > 80).map(str::to_owned).collect();
        assert_eq!(wide, Vec::<String>::new());
    }
}
