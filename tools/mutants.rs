//! Plants faults of one word in a machine program, and tells which of its comparisons finds each, after how many cases.
//!
//! `cargo run --release -p m220-compare --example mutants -- PROGRAM [CASES [DRAWN [SEED]]]`: PROGRAM is trajectories,
//! mate, endings, relations, doublet, play or map. Each mutant is put to CASES random cases (200) of each comparison,
//! until one differs or does not end in ten times the instructions that the program itself needs. With DRAWN only so
//! many mutants are tried, drawn by SEED (1).
//!
//! The faults: an operation code becomes the next one in the table, a jump by Omega its opposite, each address one more
//! and one less, each modification by RA is turned, an instruction does nothing, a constant is one more.
//!
//! What is not found is told apart: equivalent, since the operation does not use the address that was changed, or
//! brings a word only to RR, or the result goes to no cell that the program uses; not reached, since no case differs with a halt
//! in the place of the instruction, or with all bits in that of the constant; and missed.

use m220_asm::{CellKind, Image};
use m220_chess::program::{MachineProgram, Settings};
use m220_chess::run::ChessProgram;
use m220_chess::verdict::Verdict;
use m220_compare::{
    Attacks, CaseOptions, Comparison, Endings, ExchangeCases, HopeCases, MapCases, Mates, Plays, RelationCases, Syncs,
    Tasks, WorthCases,
};
use m220_isa::opcode::{Role, row_of};
use m220_isa::{Address, Code, CoreAddress, Instruction, Model, Word};
use m220_limits::Limits;
use rand::seq::SliceRandom;
use rand::{SeedableRng, rngs::StdRng};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::env;
use std::process::ExitCode;

/// A comparison with its cases, and what the program itself needs for each.
struct Kind<C: Comparison> {
    comparison: C,
    cases: Vec<(C::Case, u64)>,
    settings: Settings,
}

/// A comparison, whatever its cases are.
trait Finds: Sync {
    fn name(&self) -> &'static str;
    fn cases(&self) -> usize;
    /// After how many cases the fault is found; none if it is not.
    fn found(&self, image: &Image) -> Option<usize>;
}

impl<C: Comparison> Kind<C> {
    fn boxed(most: u64, options: CaseOptions) -> Result<Box<dyn Finds>, String>
    where
        C: 'static,
        C::Case: 'static,
    {
        let comparison = C::default();
        let settings = C::Program::BUILT_IN.settings(Model::M220, &Limits::default());
        let program = C::Program::new(C::Program::BUILT_IN.load().map_err(|error| error.to_string())?);
        let program = program.map_err(|error| error.to_string())?;
        let judged = (0..most).into_par_iter().filter_map(|number| {
            let case = C::random(1, number, options);
            let judged = comparison.judge(&program, &case, &settings).ok()?;
            (judged.verdict == Verdict::Equal).then_some((case, judged.instructions))
        });
        Ok(Box::new(Kind { cases: judged.collect(), comparison, settings }))
    }
}

impl<C: Comparison> Finds for Kind<C> {
    fn name(&self) -> &'static str {
        C::NAME
    }

    fn cases(&self) -> usize {
        self.cases.len()
    }

    fn found(&self, image: &Image) -> Option<usize> {
        let program = MachineProgram::from_image("mutant", image.clone()).and_then(C::Program::new);
        let Ok(program) = program else { return Some(0) };
        let differs = |(case, instructions): &(C::Case, u64)| {
            let limits = self.settings.limits.with_instructions(10 * instructions + 10_000);
            let judged = self.comparison.judge(&program, case, &self.settings.within(&limits));
            judged.is_err() || judged.is_ok_and(|judged| judged.verdict != Verdict::Equal)
        };
        self.cases.iter().position(differs).map(|place| place + 1)
    }
}

/// The comparisons of a program.
fn kinds(program: &str, most: u64) -> Result<Vec<Box<dyn Finds>>, String> {
    let usual = CaseOptions::within(3);
    Ok(match program {
        "trajectories" => vec![Kind::<Tasks>::boxed(most, usual)?, Kind::<Attacks>::boxed(most, usual)?],
        "mate" => vec![Kind::<Mates>::boxed(most, usual)?],
        "endings" => vec![Kind::<Endings>::boxed(most, usual)?],
        "play" => vec![Kind::<Plays>::boxed(most, usual)?],
        "doublet" => vec![Kind::<Syncs>::boxed(most, usual)?],
        "relations" => vec![Kind::<RelationCases>::boxed(most, usual)?],
        "map" => vec![
            Kind::<ExchangeCases>::boxed(most, usual)?,
            Kind::<MapCases>::boxed(most, usual)?,
            Kind::<HopeCases>::boxed(most, usual)?,
            Kind::<WorthCases>::boxed(most, usual)?,
        ],
        other => {
            return Err(format!(
                "no program {other}; there are trajectories, mate, endings, play, doublet, relations, map"
            ));
        }
    })
}

/// A fault of one word.
struct Mutant {
    cell: CoreAddress,
    word: Word,
    /// What was changed.
    fault: &'static str,
    /// It changes only an address that the operation does not use.
    unused: bool,
    is_instruction: bool,
}

/// What became of a mutant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// By this comparison, after so many cases.
    Found(&'static str, usize),
    Equivalent,
    NotReached,
    Missed,
}

impl Mutant {
    fn fate(&self, image: &Image, kinds: &[Box<dyn Finds>]) -> Fate {
        let with = |word: Word| {
            let mut changed = image.clone();
            changed.words.insert(self.cell, word);
            kinds.iter().find_map(|kind| Some(Fate::Found(kind.name(), kind.found(&changed)?)))
        };
        let halt = Word::truncating(0o077 << 36);
        let seen = if self.is_instruction { halt } else { Word::truncating(u64::MAX) };
        with(self.word).unwrap_or_else(|| match with(seen) {
            _ if self.unused => Fate::Equivalent,
            None => Fate::NotReached,
            Some(_) => Fate::Missed,
        })
    }
}

/// All faults of a program.
fn mutants(image: &Image) -> Vec<Mutant> {
    let mut all = Vec::new();
    for (&cell, &word) in &image.words {
        let is_instruction = image.lines.get(&cell).is_some_and(|place| place.kind == CellKind::Instruction);
        let mut add = |changed: Word, fault, unused| {
            if changed != word {
                all.push(Mutant { cell, word: changed, fault, unused, is_instruction });
            }
        };
        if !is_instruction {
            add(Word::truncating(word.bits() + 1), "constant by one", false);
            continue;
        }
        let plain = word.decode();
        let roles = row_of(image.model, plain.code).roles;
        let code = |bits: u8| Code::new(bits & 0o77).unwrap_or(plain.code);
        add(Instruction { code: code(plain.code.bits() + 1), ..plain }.encode(), "operation", false);
        if let 0o36 | 0o76 = plain.code.bits() {
            add(Instruction { code: code(plain.code.bits() ^ 0o40), ..plain }.encode(), "condition", false);
        }
        let by = |address: Address, by: u16| address.offset(by);
        // A jump brings the word at A1 to A3; without a place for it, it is lost.
        let is_lost = matches!(plain.code.bits(), 0o36 | 0o56 | 0o76) && plain.a3.get() == 0 && !plain.modify[2];
        // A result that goes nowhere may as well go to a cell that the program does not use.
        let to_nowhere = |one: u16| {
            let is_result = roles[2] == Role::Write && plain.a3.get() == 0 && !plain.modify[2];
            is_result && !is_used(image, CoreAddress::new(cell.cube(), by(plain.a3, one)))
        };
        let unused = |place: usize| roles[place] == Role::Unused || place == 0 && is_lost;
        for (one, fault) in [(1, "address up"), (0o7777, "address down")] {
            add(Instruction { a1: by(plain.a1, one), ..plain }.encode(), fault, unused(0));
            add(Instruction { a2: by(plain.a2, one), ..plain }.encode(), fault, unused(1));
            add(Instruction { a3: by(plain.a3, one), ..plain }.encode(), fault, unused(2) || to_nowhere(one));
        }
        for place in 0..3 {
            let mut modify = plain.modify;
            modify[place] ^= true;
            add(Instruction { modify, ..plain }.encode(), "modification", unused(place));
        }
        add(Word::ZERO, "does nothing", false);
    }
    all
}

/// Whether the program loads a word there, or reserves the cell.
fn is_used(image: &Image, cell: CoreAddress) -> bool {
    let (at, reserved) = (cell.index(), &image.reserved);
    image.words.contains_key(&cell)
        || reserved.iter().any(|(first, &cells)| (first.index()..first.index() + cells).contains(&at))
}

/// What became of the mutants of one kind of fault.
#[derive(Default)]
struct Row {
    all: usize,
    /// Found, by how many cases it took: one, up to ten, more.
    found: [usize; 3],
    equivalent: usize,
    not_reached: usize,
    missed: usize,
}

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let number = |place: usize, usual: u64| words.get(place).map_or(Ok(usual), |word| word.parse());
    let (Ok(most), Ok(drawn), Ok(seed)) = (number(1, 200), number(2, u64::MAX), number(3, 1)) else {
        eprintln!("usage: mutants PROGRAM [CASES [DRAWN [SEED]]], the last three numbers");
        return ExitCode::from(2);
    };
    match tell(words.first().map_or("", String::as_str), most, usize::try_from(drawn).unwrap_or(usize::MAX), seed) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("mutants: {error}");
            ExitCode::from(2)
        }
    }
}

/// Tries the mutants and prints the table.
fn tell(name: &str, most: u64, drawn: usize, seed: u64) -> Result<(), String> {
    let kinds = kinds(name, most)?;
    let built_in = m220_compare::PROGRAMS.iter().find(|program| program.built_in.name == name);
    let image = built_in.ok_or("no such program")?.built_in.image().map_err(|error| error.to_string())?;
    let mut all = mutants(&image);
    let whole = all.len();
    if drawn < whole {
        all.shuffle(&mut StdRng::seed_from_u64(seed));
        all.truncate(drawn);
    }
    let fates: Vec<Fate> = all.par_iter().map(|mutant| mutant.fate(&image, &kinds)).collect();
    let mut rows: BTreeMap<&str, Row> = BTreeMap::new();
    let mut by_kind: BTreeMap<&str, usize> = BTreeMap::new();
    for (mutant, fate) in all.iter().zip(&fates) {
        for row in [mutant.fault, "together"] {
            let row = rows.entry(row).or_default();
            row.all += 1;
            match fate {
                Fate::Found(_, 0..=1) => row.found[0] += 1,
                Fate::Found(_, 2..=10) => row.found[1] += 1,
                Fate::Found(..) => row.found[2] += 1,
                Fate::Equivalent => row.equivalent += 1,
                Fate::NotReached => row.not_reached += 1,
                Fate::Missed => row.missed += 1,
            }
        }
        if let Fate::Found(kind, _) = fate {
            *by_kind.entry(kind).or_default() += 1;
        }
    }
    let cases: Vec<String> = kinds.iter().map(|kind| format!("{} of {}", kind.cases(), kind.name())).collect();
    println!("{name}: {} of {whole} mutants; cases: {}\n", all.len(), cases.join(", "));
    println!("fault            mutants  1 case    2-10    more  equivalent  not reached  missed");
    for (fault, Row { all, found, equivalent, not_reached, missed }) in &rows {
        let [one, ten, more] = found;
        println!("{fault:<16}{all:>8}{one:>8}{ten:>8}{more:>8}{equivalent:>12}{not_reached:>13}{missed:>8}");
    }
    println!();
    for (kind, count) in by_kind {
        println!("found by {kind}: {count}");
    }
    for (mutant, fate) in all.iter().zip(&fates) {
        let what = match fate {
            Fate::Missed => "missed",
            Fate::NotReached => "not reached",
            Fate::Found(..) | Fate::Equivalent => continue,
        };
        let name = image.labels().get(&mutant.cell).and_then(|names| names.first().copied()).unwrap_or_default();
        println!("{what}: {} {name} {}: {} for {}", mutant.cell, mutant.fault, mutant.word, image.words[&mutant.cell]);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Faults of each kind are found in the program that the book's task needs, and none in the program itself.
    #[test]
    fn faults_are_found() {
        let kinds = kinds("trajectories", 100).expect("comparisons");
        let image = m220_compare::PROGRAMS[0].built_in.image().expect("an image");
        let mut all = mutants(&image);
        all.shuffle(&mut StdRng::seed_from_u64(3));
        let mut by_fault: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
        for mutant in all.iter().filter(|mutant| !mutant.unused).take(120) {
            let found = matches!(mutant.fate(&image, &kinds), Fate::Found(..));
            by_fault.entry(mutant.fault).or_default()[usize::from(found)] += 1;
        }
        assert_eq!(by_fault.len(), 7, "{by_fault:?}");
        // Of constants, which are mostly tables, few are read in a hundred cases.
        let is_found = |(fault, [_, found]): (&&str, &[usize; 2])| *found > 0 || *fault == "constant by one";
        assert!(by_fault.iter().all(is_found), "{by_fault:?}");
        let found: usize = by_fault.values().map(|[_, found]| found).sum();
        assert!(found > 70, "{found} of 120");
        assert_eq!(kinds[0].found(&image), None, "the program itself");
    }
}
