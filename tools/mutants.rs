//! Plants faults of one word in a machine program, and tells which of its comparisons finds each, after how many cases.
//!
//! `cargo run --release -p m220-compare --example mutants -- PROGRAM[:CELLS] [CASES [DRAWN [SEED [MORE]]]]`: PROGRAM is
//! trajectories, mate, endings, relations, doublet, play, map or experiment. Each mutant is put to the written cases and
//! CASES random ones (200) of each comparison, until one differs or does not end in ten times the instructions that the
//! program itself needs. With DRAWN only so many mutants are tried, drawn by SEED (1). MORE random cases are looked
//! through for each fault that is left.
//!
//! The faults: an operation code becomes the next one in the table, a jump by Omega its opposite, each address one more
//! and one less, each modification by RA is turned, an instruction does nothing, a constant is one more.
//!
//! A mutant whose answers are all right is still found if some case takes another number of instructions.
//!
//! What is not found is told apart: equivalent, since the operation does not use what was changed, or brings a word only
//! to RR, or the result goes to no cell that the program uses; named, by a note in `mutants.tsv` whose property held in
//! all runs; not reached, since no case differs with a halt in the place of the instruction, or with all bits or none in
//! that of the constant; and missed.

use chess_reference::algorithm50::Problem;
use chess_reference::endings::{Classes, Material};
use chess_reference::sync::{ParseSyncMoveError, SyncState};
use chess_reference::{Placement, Task};
use m220_asm::{CellKind, Image, Place};
use m220_chess::endings::layers::Layers;
use m220_chess::endings::{EndingProgram, ON_THE_MACHINE};
use m220_chess::map::{ExperimentProgram, MapProgram};
use m220_chess::mates::MateProgram;
use m220_chess::play::PlayProgram;
use m220_chess::program::{MachineProgram, ProgramError, Settings, Watcher};
use m220_chess::relations::RelationsProgram;
use m220_chess::run::{ChessProgram, DeviceRun};
use m220_chess::sync::SyncProgram;
use m220_chess::trajectories::TrajectoryProgram;
use m220_chess::verdict::{Difference, Verdict};
use m220_compare::{
    AnalyseCases, Attacks, BestCases, CaseOptions, Comparison, Endings, ExchangeCases, HopeCases, Judged, MapCases,
    MateCase, Mates, Plays, PositionCase, RelationCases, SyncCase, Syncs, TaskCase, Tasks, WorthCases,
};
use m220_isa::opcode::{Operation, Role, row_of};
use m220_isa::{Address, Code, CoreAddress, Instruction, Model, Word};
use m220_limits::Limits;
use m220_machine::devices::Devices;
use m220_machine::devices::drum::Drum;
use m220_machine::{StepReport, StopReason};
use rand::seq::SliceRandom;
use rand::{SeedableRng, rngs::StdRng};
use rayon::prelude::*;
use shakmaty::{ByColor, Piece};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};
use std::{env, fs};

/// A comparison with its cases: what it says of each, and how many instructions the program itself needs.
struct Kind<C: Comparison> {
    comparison: C,
    cases: Vec<KindCase<C::Case>>,
    settings: Settings,
}

/// A comparison whose cases can be written down.
trait Written: Comparison {
    /// The case that a line of `data/written-cases.tsv` gives by a position and some words: the first of the position's
    /// cases at the horizon that is given alone, with `share=N` and `reading=N`, or their `case=N`-th from 0.
    fn of_words(fen: &str, words: &[&str]) -> Result<Self::Case, String> {
        let position = Placement::from_fen(fen).map_err(|error| error.to_string())?;
        let (mut options, mut place) = (CaseOptions::within(3), 0);
        for word in words {
            let (name, number) = word.split_once('=').unwrap_or(("horizon", word));
            let number = number.parse().map_err(|_| format!("{word} has no number"))?;
            match name {
                "horizon" => options.horizon = number,
                "share" => options.share = Some(number),
                "reading" => options.reading = number,
                "case" => place = number as usize,
                _ => return Err(format!("{word} is no option")),
            }
        }
        let mut cases = Self::of_position(&position, options)?.into_iter();
        cases.nth(place).ok_or_else(|| "no case".to_owned())
    }
}

macro_rules! as_usual {
    ($($comparison:ty),*) => { $(impl Written for $comparison {})* };
}
as_usual!(AnalyseCases, Attacks, BestCases, Choices, Endings, ExchangeCases, HopeCases, MapCases, Plays, RelationCases);
as_usual!(Tables, WorthCases);

impl Written for Mates {
    /// The word: in how many moves; by default two.
    fn of_words(fen: &str, words: &[&str]) -> Result<MateCase, String> {
        let problem = Problem::from_fen(fen).map_err(|error| error.to_string())?;
        let moves = words.first().map_or(Ok(2), |moves| moves.parse()).map_err(|_| format!("{words:?}"))?;
        Ok(MateCase { problem, moves })
    }
}

impl Written for Syncs {
    /// The words: White's move and Black's, `-` for a side that does not move.
    fn of_words(fen: &str, words: &[&str]) -> Result<SyncCase, String> {
        let state = SyncState::from_fen(fen).map_err(|error| error.to_string())?;
        let read = |text: &str| match text {
            "-" => Ok(None),
            text => text.parse().map(Some).map_err(|error: ParseSyncMoveError| error.to_string()),
        };
        let &[white, black] = words else { return Err("expected two moves".to_owned()) };
        Ok(SyncCase { state, written: ByColor { white: read(white)?, black: read(black)? } })
    }
}

impl Written for Tasks {
    /// The words: the piece by its letter in a FEN, from, to, and the most moves.
    fn of_words(fen: &str, words: &[&str]) -> Result<TaskCase, String> {
        let position = Placement::from_fen(fen).map_err(|error| error.to_string())?;
        let read = || {
            let &[piece, from, to, most] = words else { return None };
            let piece = Piece::from_char(piece.chars().next()?)?;
            let task = Task { piece, from: from.parse().ok()?, to: to.parse().ok()? };
            Some(TaskCase { position, task, max_moves: most.parse().ok()? })
        };
        read().ok_or_else(|| format!("{words:?}: expected a piece, two squares and the most moves"))
    }
}

/// The cases of a comparison that a table like `data/written-cases.tsv` holds: each once found a fault that many random
/// cases do not find.
fn written<C: Written>(table: &str) -> Result<Vec<C::Case>, String> {
    let mut cases = Vec::new();
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let &[kind, fen, words, _why] = fields.as_slice() else { return Err(format!("not four fields: {line}")) };
        if kind == C::NAME {
            let words: Vec<&str> = words.split_whitespace().collect();
            cases.push(C::of_words(fen, &words).map_err(|why| format!("{why}: {line}"))?);
        }
    }
    Ok(cases)
}

/// A case, what is said of it, the instructions on a fresh core and on a used one, and on the one that it is put to the
/// number of the last instruction that touches each cell, or 0.
type KindCase<C> = (C, Verdict, [u64; 2], Vec<u32>);

/// A comparison, whatever its cases are.
trait Finds: Sync {
    fn name(&self) -> &'static str;
    fn cases(&self) -> usize;
    /// Instructions that the program needs for all cases on a fresh core.
    fn instructions(&self) -> u64;
    /// After how many cases the fault is found; none if it is not. The cores: fresh, and used. `time` is set to the
    /// number of the first case in which the answer is right after another number of instructions. Cases that do not
    /// touch the cell of a changed instruction are passed over.
    fn found(&self, cores: &[Image; 2], changed: Option<CoreAddress>, time: &mut Option<usize>) -> Option<usize>;
    /// Looks for a case that finds the fault among so many more random ones, and tells its command.
    fn search(&self, right: &[Image; 2], wrong: &[Image; 2], most: u64) -> Option<String>;
    /// Executes both programs on all cases that touch the changed cell, and adds how they differ.
    fn watch(&self, right: &[Image; 2], wrong: &[Image; 2], changed: CoreAddress, seen: &mut Seen);
}

/// So many analyses are long.
const LONG: u64 = 17;

/// Horizons of three half-moves, and less.
fn random_options(number: u64) -> CaseOptions {
    CaseOptions::within(3 - (number / 5 % 3) as u32)
}

/// The limits of a case for a program that may not end.
fn limits(settings: &Settings, instructions: u64) -> Settings {
    settings.within(&settings.limits.with_instructions(10 * instructions + 10_000))
}

impl<C: Written> Kind<C>
where
    C: 'static,
    C::Case: 'static,
{
    /// The cases written down and random ones, whose horizons differ, the shortest first.
    fn boxed(most: u64, cores: &[Image; 2]) -> Result<Box<dyn Finds>, String> {
        let comparison = C::default();
        let settings = C::Program::BUILT_IN.settings(Model::M220, &Limits::default());
        let programs = cores.each_ref().map(|image| of_image::<C>(image, None));
        let [Ok(fresh), Ok(used)] = programs else { return Err("the program cannot be loaded".to_owned()) };
        let mut cases = written::<C>(&table("crates/m220-compare/data/written-cases.tsv")?)?;
        cases.extend((0..most).map(|number| {
            // An analysis is long: most of them look into one position for each first move.
            let share = (C::NAME == "analyse" && number >= LONG).then_some(1);
            C::random(1, number, CaseOptions { share, ..random_options(number) })
        }));
        let judged = cases.into_par_iter().enumerate().map(|(number, case)| {
            let on = |program| comparison.judge(program, &case, &settings).map_err(|error| error.to_string());
            let (fresh, used) = (on(&fresh)?, on(&used)?);
            let verdict = fresh.verdict;
            if verdict != used.verdict || matches!(verdict, Verdict::Different(_)) {
                let told = (C::NAME, C::command(&case), verdict, used.verdict);
                return Err(format!("case {number} is not the same on a used core: {told:?}"));
            }
            Ok((case, verdict, [fresh.instructions, used.instructions], Vec::new()))
        });
        let mut cases = judged.collect::<Result<Vec<KindCase<_>>, String>>()?;
        // What a short case finds needs no long one.
        cases.sort_by_key(|(_, _, [fresh, _], _)| *fresh);
        cases.par_iter_mut().enumerate().for_each(|(number, (case, _, _, touched))| {
            *touched = touches(|watcher| {
                let program = of_image::<C>(&cores[core_of(number)], Some(watcher));
                _ = program.map(|program| comparison.judge(&program, case, &settings));
            });
        });
        Ok(Box::new(Kind { cases, comparison, settings }))
    }
}

/// Every second case is put to the program on a used core.
fn core_of(number: usize) -> usize {
    usize::from(number.is_multiple_of(2))
}

fn of_image<C: Comparison>(image: &Image, watcher: Option<Watcher>) -> Result<C::Program, ProgramError> {
    let program = MachineProgram::from_image("mutant", image.clone())?;
    C::Program::new(match watcher {
        Some(watcher) => program.watched(watcher),
        None => program,
    })
}

impl<C: Comparison> Finds for Kind<C> {
    fn name(&self) -> &'static str {
        C::NAME
    }

    fn cases(&self) -> usize {
        self.cases.len()
    }

    fn instructions(&self) -> u64 {
        self.cases.iter().map(|(_, _, [fresh, _], _)| fresh).sum()
    }

    fn found(&self, cores: &[Image; 2], changed: Option<CoreAddress>, time: &mut Option<usize>) -> Option<usize> {
        let [Ok(fresh), Ok(used)] = cores.each_ref().map(|image| of_image::<C>(image, None)) else { return Some(0) };
        let programs = [fresh, used];
        let differs = |(number, (case, verdict, instructions, touched)): (usize, &KindCase<C::Case>)| {
            if changed.is_some_and(|at| touched[at.index()] == 0) {
                return false;
            }
            let (program, instructions) = (&programs[core_of(number)], instructions[core_of(number)]);
            let judged = self.comparison.judge(program, case, &limits(&self.settings, instructions));
            if judged.as_ref().is_ok_and(|judged| judged.instructions != instructions) {
                time.get_or_insert(number + 1);
            }
            judged.is_err() || judged.is_ok_and(|judged| judged.verdict != *verdict)
        };
        self.cases.iter().enumerate().position(differs).map(|place| place + 1)
    }

    fn search(&self, right: &[Image; 2], wrong: &[Image; 2], most: u64) -> Option<String> {
        let [right, wrong] = [right, wrong].map(|images| of_image::<C>(&images[0], None));
        let (right, wrong) = (right.ok()?, wrong.ok()?);
        let differs = |number: u64| {
            let case = C::random(2, number, CaseOptions::within(4 - (number / 3 % 4) as u32));
            let of_right = self.comparison.judge(&right, &case, &self.settings).ok()?;
            let within = limits(&self.settings, of_right.instructions);
            let of_wrong = self.comparison.judge(&wrong, &case, &within);
            let same = of_wrong.is_ok_and(|judged| judged.verdict == of_right.verdict);
            (!same).then(|| C::command(&case))
        };
        (0..most).find_map(differs)
    }

    fn watch(&self, right: &[Image; 2], wrong: &[Image; 2], changed: CoreAddress, seen: &mut Seen) {
        let pair = |core: usize| {
            let of = |images: &[Image; 2], side: usize| of_image::<C>(&images[core], Some(keeps(side)));
            Some((of(right, 0).ok()?, of(wrong, 1).ok()?))
        };
        let [Some(fresh), Some(used)] = [0, 1].map(pair) else { return seen.path = true };
        let mut left = WATCHED;
        for (number, (case, _, [instructions, _], touched)) in self.cases.iter().enumerate() {
            let core = core_of(number);
            let images = [&right[core], &wrong[core]];
            let Some(last) = last_touch(touched, images, changed) else { continue };
            if seen.path || left < last.min(*instructions) {
                return;
            }
            left -= last.min(*instructions);
            let (right, wrong) = [&fresh, &used][core];
            let cut = self.settings.within(&self.settings.limits.with_instructions(last));
            let judged =
                |settings| [right, wrong].map(|program| self.comparison.judge(program, case, settings).is_ok());
            if judged(&cut) != [true; 2] || !seen.compare(images, changed) && !seen.path {
                seen.path |= judged(&limits(&self.settings, *instructions)) != [true; 2];
                seen.compare(images, changed);
                left = left.saturating_sub(*instructions);
            }
        }
    }
}

/// The tables of whole endings, with the layers that they leave on the drum.
struct Tables {
    native: BTreeMap<Material, Classes>,
    /// The drum when the ending is asked for and when its table is complete, as the program itself leaves it.
    drums: OnceLock<Result<[Layers; 3], String>>,
}

impl Default for Tables {
    fn default() -> Tables {
        let native = ON_THE_MACHINE.into_iter().map(|ending| (ending, Classes::of(ending))).collect();
        Tables { native, drums: OnceLock::new() }
    }
}

impl Tables {
    fn drums(&self, program: &EndingProgram, settings: &Settings) -> Result<[Layers; 3], String> {
        let table = |ending, before: &Layers| {
            let mut layers = before.clone();
            let made = program.table(ending, Some(&mut layers), settings, &mut |_, _, _| {});
            made.map_err(|error| error.to_string()).map(|_| layers)
        };
        let blank = Layers::blank();
        let queen = table(Material::Kqk, &blank)?;
        let both = table(Material::Krk, &queen)?;
        Ok([blank, queen, both])
    }
}

impl Comparison for Tables {
    const NAME: &'static str = "tables";
    const ABOUT: &'static str = "King and one piece against king: the number of positions in each class";
    type Program = EndingProgram;
    /// The ending, and how many of the queen's and the rook's layers the drum has.
    type Case = (Material, usize);

    fn random(_: u64, number: u64, _: CaseOptions) -> (Material, usize) {
        use Material::{Kbk, Knk, Kpk, Kqk, Krk};
        [(Kqk, 0), (Krk, 1), (Kpk, 2), (Kbk, 0), (Knk, 0)][number as usize % 5]
    }

    fn of_position(_: &Placement, _: CaseOptions) -> Result<Vec<(Material, usize)>, String> {
        Err("a table is of all positions".to_owned())
    }

    fn judge(
        &self,
        program: &EndingProgram,
        &(ending, held): &(Material, usize),
        settings: &Settings,
    ) -> Result<Judged, ProgramError> {
        let drums = match self.drums.get_or_init(|| self.drums(program, settings)) {
            Ok(drums) => drums,
            Err(why) => return Ok(Judged::without_a_run(Verdict::of(vec![Difference::machine(why)]))),
        };
        let mut layers = drums[held].clone();
        let compared = program.compare_table(&self.native[&ending], Some(&mut layers), settings, &mut |_, _, _| {})?;
        let mut judged = Judged::of(compared, |_| true);
        if layers != drums[held + usize::from(matches!(ending, Material::Kqk | Material::Krk))] {
            judged.verdict = Verdict::of(vec![Difference::machine("other layers on the drum")]);
        }
        Ok(judged)
    }

    fn simpler(_: &(Material, usize)) -> Vec<(Material, usize)> {
        Vec::new()
    }

    fn fen(_: &(Material, usize)) -> String {
        String::new()
    }

    fn command((ending, _): &(Material, usize)) -> String {
        format!("m220 endings {}", ending.name())
    }
}

/// The last task of MAP, to which EXPERIMENT leads: the choice of a move by the verdicts.
struct Choices(ExperimentProgram);

impl Default for Choices {
    fn default() -> Choices {
        Choices(ExperimentProgram::built_in().expect("EXPERIMENT is built in"))
    }
}

impl Comparison for Choices {
    const NAME: &'static str = CHOICE;
    const ABOUT: &'static str = BestCases::ABOUT;
    type Program = MapProgram;
    type Case = PositionCase;

    fn random(seed: u64, number: u64, options: CaseOptions) -> PositionCase {
        BestCases::random(seed, number, CaseOptions { share: Some(1), ..options })
    }

    fn of_position(position: &Placement, options: CaseOptions) -> Result<Vec<PositionCase>, String> {
        BestCases::of_position(position, options)
    }

    fn judge(&self, map: &MapProgram, case: &PositionCase, settings: &Settings) -> Result<Judged, ProgramError> {
        BestCases.judge(&self.0.clone().with_map(map.clone()), case, settings)
    }

    fn simpler(_: &PositionCase) -> Vec<PositionCase> {
        Vec::new()
    }

    fn fen(case: &PositionCase) -> String {
        BestCases::fen(case)
    }

    fn command(case: &PositionCase) -> String {
        BestCases::command(case)
    }
}

const CHOICE: &str = "choice";

/// So many instructions of each comparison are watched at most.
const WATCHED: u64 = 10_000_000;

thread_local! {
    /// What the program and the mutant have executed on one case. A run keeps to its thread.
    static STEPS: RefCell<[Vec<Step>; 2]> = RefCell::default();
    static TOUCHED: RefCell<(u32, Vec<u32>)> = RefCell::default();
}

/// An executed instruction, as far as it is compared.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Step {
    at: CoreAddress,
    word: Word,
    addresses: [CoreAddress; 3],
    to: Option<CoreAddress>,
    result: Option<Word>,
    omega: bool,
    ra: u16,
    device: bool,
}

impl Step {
    fn of(step: &StepReport) -> Step {
        let &StepReport { at, word, result, omega, ra, .. } = step;
        let device = row_of(Model::M220, word.decode().code).uses_device();
        Step { at, word, addresses: step.addresses(), to: step.stored_in(Model::M220), result, omega, ra, device }
    }
}

/// The number of the last instruction of a run that touches each cell.
fn touches(run: impl FnOnce(Watcher)) -> Vec<u32> {
    TOUCHED.set((0, vec![0; 1 << 15]));
    run(Watcher(Arc::new(|step| {
        TOUCHED.with_borrow_mut(|(number, last)| {
            *number += 1;
            let step = Step::of(step);
            // What a drum or tape gets and brings is not followed.
            if step.device {
                last.fill(*number);
            }
            step.addresses.iter().chain([&step.at]).for_each(|at| last[at.index()] = *number);
        });
    })));
    TOUCHED.take().1
}

/// After how many instructions program and mutant go on alike if they do so then: soon after the last one that touches
/// the changed cell, but at the end if a change of cubes is changed. None: the case does not touch it.
fn last_touch(touched: &[u32], images: [&Image; 2], changed: CoreAddress) -> Option<u64> {
    let last = u64::from(touched[changed.index()]);
    let is_cubes = |image: &Image| {
        let word = image.words.get(&changed);
        word.is_some_and(|word| row_of(image.model, word.decode().code).operation == Operation::ChangeCubes)
    };
    (last > 0).then(|| if images.into_iter().any(is_cubes) { u64::from(u32::MAX) } else { last + 40 })
}

/// A watcher that keeps the instructions of one side.
fn keeps(side: usize) -> Watcher {
    Watcher(Arc::new(move |step| STEPS.with_borrow_mut(|steps| steps[side].push(Step::of(step)))))
}

/// How the executions of a mutant differ from those of the program, over all watched cases.
#[derive(Default)]
struct Seen {
    /// Another instruction was executed.
    path: bool,
    omega: bool,
    /// RA was another.
    ra: bool,
    /// Where a word was stored that the program does not store there then.
    cells: BTreeSet<usize>,
    /// The instruction was executed, or what was moved from its cell.
    executed: bool,
    /// An instruction read a word that differed, or was one, the changed word itself apart.
    read: bool,
    /// An instruction read the changed word itself, or was it; or one that another instruction had put in its place.
    looked_at: [bool; 2],
}

impl Seen {
    /// The runs of the program, whose core began as `image`, and of the mutant, on one case.
    /// Cells to which both move the changed word, an instruction, as it is loaded are its twins.
    /// Tells whether the last instruction was the same, and nothing but the changed word differs then.
    fn compare(&mut self, images: [&Image; 2], changed: CoreAddress) -> bool {
        STEPS.with_borrow_mut(|steps| {
            let is_alike = self.compare_steps(images, [&steps[0], &steps[1]], changed);
            steps.iter_mut().for_each(Vec::clear);
            is_alike
        })
    }

    fn compare_steps(
        &mut self,
        [image, other]: [&Image; 2],
        [right, wrong]: [&[Step]; 2],
        changed: CoreAddress,
    ) -> bool {
        self.path |= right.len() != wrong.len();
        let is_instruction = image.lines.get(&changed).is_some_and(|place| place.kind == CellKind::Instruction);
        let words = [image, other].map(|image| image.words.get(&changed).copied().filter(|_| is_instruction));
        let mut twins = BTreeSet::from([changed]);
        let (mut differ, mut held, mut overwritten) = (BTreeSet::from([changed]), vec![None; 1 << 15], false);
        let mut is_alike = true;
        for (r, w) in right.iter().zip(wrong) {
            // Nothing else differs, and this instruction is far from it.
            if is_alike && r == w && r.at != changed && !r.addresses.contains(&changed) && !r.device {
                if let Some(to) = r.to {
                    held[to.index()] = r.result;
                }
                continue;
            }
            self.executed |= twins.contains(&r.at);
            let stored = [r, w].map(|step| step.to.map(|at| (at, step.result)));
            let is_moved =
                |side: usize| words[side].is_some() && stored[side].is_some_and(|(_, word)| word == words[side]);
            let is_copy = is_moved(0) && is_moved(1) && stored[0].map(|of| of.0) == stored[1].map(|of| of.0);
            match stored[0] {
                Some((to, _)) if is_copy => _ = twins.insert(to),
                Some((to, _)) if to != changed => _ = twins.remove(&to),
                _ => {}
            }
            for step in [r, w] {
                let row = row_of(Model::M220, step.word.decode().code);
                let read = step.addresses.into_iter().zip(row.roles).filter(|(_, role)| *role == Role::Read);
                for at in read.map(|(at, _)| at).chain([step.at]) {
                    self.read |=
                        differ.contains(&at) && !(twins.contains(&at) && (twins.contains(&step.at) || is_copy));
                    self.looked_at[usize::from(overwritten)] |= at == changed && !is_copy;
                }
                // What a drum or tape gets and brings is not followed.
                if step.device {
                    (self.read, self.looked_at[0]) = (true, true);
                }
            }
            if r.at != w.at {
                self.path = true;
                return false;
            }
            self.omega |= r.omega != w.omega;
            // An address that RA makes another is as good as another way.
            self.path |= self.ra && r.word == w.word && r.addresses != w.addresses;
            self.ra |= r.ra != w.ra;
            // What cell 0000 discards makes no difference.
            for at in stored.iter().flatten().map(|(at, _)| *at).filter(|at| at.index() % 4096 != 0) {
                overwritten |= at == changed;
                let before = held[at.index()].or_else(|| image.words.get(&at).copied());
                let after =
                    |of: Option<(CoreAddress, Option<Word>)>| of.filter(|(to, _)| *to == at).and_then(|of| of.1);
                let right = after(stored[0]).or(before);
                if right.is_some() && right == after(stored[1]).or(before.filter(|_| !differ.contains(&at))) {
                    differ.remove(&at);
                } else {
                    differ.insert(at);
                    if !is_copy {
                        self.cells.insert(at.index());
                    }
                }
                held[at.index()] = right;
            }
            is_alike = r.ra == w.ra && differ.iter().chain(&twins).all(|at| *at == changed);
        }
        is_alike && right.last() == wrong.last()
    }

    /// The least that a note must allow.
    fn told(&self, image: &Image) -> String {
        let mut names: Vec<String> = self.cells.iter().take(13).map(|&at| label(image, at)).collect();
        names.extend((self.cells.len() > 13).then(|| "...".to_owned()));
        match () {
            () if self.path => "path".to_owned(),
            () if self.ra && !self.omega => format!("only RA {}", names.join(" ")),
            () if self.looked_at == [false, true] && self.cells.is_empty() => "overwritten".to_owned(),
            () if !self.executed && self.cells.is_empty() && !self.omega => "never".to_owned(),
            () if self.cells.is_empty() && !self.omega => "same".to_owned(),
            () if self.cells.is_empty() => "omega".to_owned(),
            () if self.read || self.omega => format!("cells {}", names.join(" ")),
            () => format!("unread {}", names.join(" ")),
        }
    }
}

/// The name of a cell, or of the nearest named one before it and the distance.
fn label(image: &Image, at: usize) -> String {
    let labels = image.labels();
    let before = labels.iter().rfind(|(cell, _)| cell.index() <= at);
    match before.and_then(|(cell, names)| Some((at - cell.index(), *names.first()?))) {
        Some((0, name)) => name.to_owned(),
        Some((by, name)) => format!("{name}+{by:o}"),
        None => format!("{at:o}"),
    }
}

/// The cell that is written `label`, `label+N` or `label-N`, N octal.
fn cell_of(image: &Image, text: &str) -> Result<usize, String> {
    let place = text.find(['+', '-']);
    let (name, by) = text.split_at(place.unwrap_or(text.len()));
    let cell = match usize::from_str_radix(name, 8) {
        Ok(cell) => cell,
        Err(_) => image.cell(name).map_err(|error| error.to_string())?.index(),
    };
    let number = |text: &str| usize::from_str_radix(text, 8).map_err(|_| format!("{text} is not an octal number"));
    Ok(match by.split_at_checked(1) {
        Some(("-", by)) => cell - number(by)?,
        Some((_, by)) => cell + number(by)?,
        None => cell,
    })
}

/// The cells that are written as `A..B` or as one cell, several with commas or spaces, or as a property: `all`,
/// `written` by other instructions as the program's text says, or by CALL, `stops`, `moves` a word, `clears` a cell, `asks` of a
/// word that RA leads to, `says` by a constant that Omega is 0, `unturned`: RA is 0, since `SETR` has just set it so;
/// `even`, `unused`, `at=A` reads cell A of cube 0; `A&B` are the cells of both.
fn cells_of(image: &Image, text: &str) -> Result<BTreeSet<usize>, String> {
    let loaded = |holds: &dyn Fn(CoreAddress, Instruction) -> bool| {
        let words = image.words.iter().filter(|&(&at, word)| holds(at, word.decode()));
        words.map(|(at, _)| at.index()).collect::<BTreeSet<usize>>()
    };
    let is_code = |at| image.lines.get(&at).is_some_and(|place| place.kind == CellKind::Instruction);
    let comment = |at| {
        let place = image.lines.get(&at)?;
        image.files.get(place.file as usize)?.text.lines().nth(place.line as usize - 1)
    };
    // CALL 0, 0: the place of a way back.
    let way_back = Word::truncating(0o016 << 36);
    let mut cells = BTreeSet::new();
    for part in text.split([',', ' ']) {
        if let Some((both, of)) = part.split_once('&') {
            cells.extend(cells_of(image, both)?.intersection(&cells_of(image, of)?));
            continue;
        }
        let (first, last) = part.split_once("..").unwrap_or((part, part));
        cells.extend(match part {
            "all" => loaded(&|_, _| true),
            "even" => loaded(&|at, _| image.words[&at].bits().is_multiple_of(2)),
            "written" => loaded(&|at, word| {
                word.encode() == way_back || comment(at).is_some_and(|line| line.contains("(written)"))
            }),
            "stops" => loaded(&|at, word| is_code(at) && word.code.bits() == 0o77),
            "moves" => loaded(&|at, word| is_code(at) && word.code.bits() == 0 && word.a2.get() == 0),
            "clears" => loaded(&|at, word| is_code(at) && word.code.bits() == 0 && word.a1.get() + word.a2.get() == 0),
            "asks" => loaded(&|at, word| {
                let is_plain = word.a1.get() + word.a2.get() + word.a3.get() == 0;
                is_code(at) && word.code.bits() == 0o75 && is_plain && word.modify == [true, false, false]
            }),
            "says" => loaded(&|at, word| {
                let is_plain = word.a2.get() + word.a3.get() == 0 && word.modify == [false; 3];
                let constant = CoreAddress::new(0, word.a1);
                let is_set = image.words.get(&constant).is_some_and(|word| *word != Word::ZERO);
                is_code(at) && word.code.bits() == 0o15 && is_plain && is_set && !is_code(constant)
            }),
            "unturned" => unturned(image),
            "unused" => {
                let free = |&at: &usize| CoreAddress::from_index(at).is_ok_and(|at| !is_used(image, at));
                (0..1 << 15).filter(free).collect()
            }
            name if name.starts_with("at=") => {
                let at = cell_of(image, &name[3..])?;
                let names = |word: Instruction| [word.a1, word.a2].iter().any(|a| usize::from(a.get()) == at);
                loaded(&|at, word| is_code(at) && names(word))
            }
            file if file.ends_with(".m220") => {
                let is_there = |place: &Place| image.files.get(place.file as usize).is_some_and(|of| of.name == file);
                image.lines.iter().filter(|(_, place)| is_there(place)).map(|(at, _)| at.index()).collect()
            }
            _ => (cell_of(image, first)?..=cell_of(image, last)?).collect(),
        });
    }
    Ok(cells)
}

/// The instructions that follow `SETR x, 0` without a label or a jump between, so that RA is 0 when they are executed.
fn unturned(image: &Image) -> BTreeSet<usize> {
    let (labels, mut cells, mut is_zero) = (image.labels(), BTreeSet::new(), None);
    for (&at, word) in &image.words {
        let word = word.decode();
        if is_zero == Some(at.index()) && !labels.contains_key(&at) {
            cells.insert(at.index());
        } else {
            is_zero = None;
        }
        let is_set = word.code.bits() == 0o52 && word.a2.get() == 0 && !word.modify[1];
        let goes_on =
            is_zero.is_some() && !row_of(image.model, word.code).operation.changes_ra() && word.code.bits() != 0o56;
        is_zero = (is_set || goes_on).then_some(at.index() + 1);
    }
    cells
}

/// The text of a table of the repository.
fn table(path: &str) -> Result<String, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
}

/// The notes on a program in `mutants.tsv`.
#[derive(Default)]
struct Notes {
    /// The cells that it takes to be zero when it starts.
    zero: BTreeSet<usize>,
    /// RA at the start on a used core.
    ra: u16,
    /// Instructions that all cases take together, if there are so many random ones of each comparison.
    instructions: Option<(u64, u64)>,
    /// What is only executed with another program, which has it among its own faults.
    elsewhere: BTreeSet<usize>,
    /// The comparison meant for a part.
    meant: Vec<(BTreeSet<usize>, String)>,
    equivalents: Vec<Note>,
}

/// Mutants that change nothing, and the reason.
struct Note {
    cells: BTreeSet<usize>,
    faults: String,
    property: String,
    allowed: BTreeSet<usize>,
    reason: String,
}

impl Notes {
    fn of(program: &str, image: &Image) -> Result<Notes, String> {
        let mut notes = Notes { ra: 0o2525, ..Notes::default() };
        for line in table("tools/mutants.tsv")?.lines().filter(|line| !line.starts_with('#')) {
            let fields: Vec<&str> = line.split('\t').collect();
            let &[of, cells, faults, property, reason] = fields.as_slice() else {
                return Err(format!("mutants.tsv: not five fields: {line}"));
            };
            if of != "*" && !of.split(',').any(|of| of == program) {
                continue;
            }
            let wrong = |error| format!("mutants.tsv: {error}: {line}");
            let cells = cells_of(image, cells).map_err(wrong)?;
            let named = property.strip_prefix("cells ").or(property.strip_prefix("only RA "));
            let allowed = named.map_or(Ok(BTreeSet::new()), |cells| cells_of(image, cells));
            let allowed = allowed.map_err(wrong)?;
            match property {
                _ if property.starts_with("meant ") => notes.meant.push((cells, property[6..].to_owned())),
                _ if property.starts_with("elsewhere ") => notes.elsewhere.extend(cells),
                _ if property.starts_with("instructions ") => {
                    let mut numbers = property.split(' ').skip(1).map(|number| number.parse().ok());
                    notes.instructions = numbers.next().flatten().zip(numbers.next().flatten());
                }
                "zero" => notes.zero.extend(cells),
                "RA" => notes.ra = cells.first().map_or(notes.ra, |&at| at as u16),
                _ => notes.equivalents.push(Note {
                    cells,
                    faults: faults.to_owned(),
                    property: property.to_owned(),
                    allowed,
                    reason: reason.to_owned(),
                }),
            }
        }
        Ok(notes)
    }

    /// The first note that covers a mutant and whose property held.
    fn covers(&self, mutant: &Mutant, seen: &Seen) -> Option<usize> {
        self.equivalents.iter().position(|note| {
            let about = note.cells.contains(&mutant.cell.index());
            let fault = note.faults == "*" || note.faults.split(',').any(|fault| fault == mutant.fault);
            let is_executed = !mutant.is_instruction || seen.executed;
            let holds = match note.property.as_str() {
                "never" => (!is_executed || !mutant.is_instruction) && seen.cells.is_empty() && !seen.omega,
                "same" => is_executed && seen.cells.is_empty() && !seen.omega,
                "omega" => is_executed && seen.cells.is_empty(),
                "unasked" => seen.omega && seen.cells.is_empty(),
                "turned" => seen.ra && seen.cells.is_empty() && !seen.omega,
                "overwritten" => seen.cells.is_empty() && !seen.omega && seen.looked_at == [false, true],
                "unread" => !seen.cells.is_empty() && !seen.read && !seen.omega,
                only if only.starts_with("only RA") => {
                    is_executed && seen.cells.is_subset(&note.allowed) && !seen.omega
                }
                _ => !seen.cells.is_empty() && seen.cells.is_subset(&note.allowed),
            };
            let ra = seen.ra && note.property != "turned" && !note.property.starts_with("only RA");
            about && fault && (holds && !seen.path && !ra || note.property == "path")
        })
    }
}

/// The program on a used core: other words wherever it neither loads its own nor expects zero or its input, and a start
/// that leaves another number in RA.
fn used<P: ChessProgram>(image: &Image, notes: &Notes) -> Result<Image, String> {
    let mut used = image.clone();
    let program = MachineProgram::from_image("used", image.clone()).map_err(|error| error.to_string())?;
    let mut kept = notes.zero.clone();
    for cells in P::CELLS.iter().flat_map(|group| group.iter()).filter(|cells| cells.input) {
        let table = cells.find(&program).map_err(|error| error.to_string())?;
        kept.extend(table.at.index()..table.at.index() + usize::from(table.cells));
    }
    let entry = image.entry.ok_or("no start")?;
    let free = |at: usize| (at..at + 2).all(|at| CoreAddress::from_index(at).is_ok_and(|at| !is_used(image, at)));
    let start = (1..4094).rev().find(|&at| free(at)).ok_or("no room for a start")?;
    for at in (1..usize::from(P::BUILT_IN.cubes) * 4096).filter(|at| !kept.contains(at)) {
        let cell = CoreAddress::from_index(at).map_err(|error| format!("{error:?}"))?;
        let noise = (at as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 19;
        used.words.entry(cell).or_insert(Word::truncating(noise));
    }
    for (at, code, a2) in [(start, 0o52, notes.ra), (start + 1, 0o56, entry.cell().get())] {
        let cell = CoreAddress::from_index(at).map_err(|error| format!("{error:?}"))?;
        let a2 = Address::truncating(a2.into());
        used.words.insert(cell, Word::instruction(code, Address::ZERO, a2, Address::ZERO));
    }
    used.entry = CoreAddress::from_index(start).ok();
    Ok(used)
}

/// The cases of `cells.tsv`: words in cells before the start, and words in cells after the halt.
struct Cells {
    cases: Vec<CellCase>,
    /// Of each case, the number of the last instruction that touches each cell, or 0, and that of all instructions.
    touched: Vec<(Vec<u32>, u64)>,
    settings: Settings,
}

/// The instructions to execute, if not all up to the halt; the words before, and those after.
type CellCase = (Option<u64>, [Vec<(Held, Word)>; 2]);

/// Where a word of a case is held: in a cell, or at an address of the drum, which is fitted if it holds a word before.
#[derive(Clone, Copy)]
enum Held {
    Core(CoreAddress),
    Drum(usize),
}

/// The words of one list of a case: `CELL=WORD`, `drum:ADDRESS=WORD`, `drum:FIRST..LAST=WORD`.
fn held(image: &Image, text: &str) -> Result<Vec<(Held, Word)>, String> {
    let mut words = Vec::new();
    for text in text.split_whitespace() {
        let (place, word) = text.split_once('=').ok_or_else(|| format!("no = in {text}"))?;
        let octal = |text: &str| u64::from_str_radix(text, 8).map_err(|_| format!("{text} is not octal"));
        let word = Word::truncating(octal(word)?);
        match place.strip_prefix("drum:") {
            Some(place) => {
                let (first, last) = place.split_once("..").unwrap_or((place, place));
                words.extend((octal(first)?..=octal(last)?).map(|at| (Held::Drum(at as usize), word)));
            }
            None => {
                let cell = CoreAddress::from_index(cell_of(image, place)?).map_err(|error| format!("{error:?}"))?;
                words.push((Held::Core(cell), word));
            }
        }
    }
    Ok(words)
}

impl Cells {
    fn boxed(program: &str, [image, used]: &[Image; 2], settings: Settings) -> Result<Box<dyn Finds>, String> {
        let mut cases = Vec::new();
        for line in table("crates/m220-compare/data/cells.tsv")?.lines().filter(|line| !line.starts_with('#')) {
            let fields: Vec<&str> = line.split('\t').collect();
            let &[of, before, after, _why] = fields.as_slice() else {
                return Err(format!("cells.tsv: not four fields: {line}"));
            };
            if of == program {
                let (most, before) =
                    match before.strip_prefix("run=").map(|rest| rest.split_once(' ').unwrap_or((rest, ""))) {
                        Some((most, rest)) => {
                            (Some(most.parse().map_err(|_| format!("run={most} is not a number"))?), rest)
                        }
                        None => (None, before),
                    };
                cases.push((most, [held(image, before)?, held(image, after)?]));
            }
        }
        let mut cells = Cells { cases, touched: Vec::new(), settings };
        let touched = |case| {
            let mut instructions = Ok((false, 0));
            let last = touches(|watcher| {
                let program = MachineProgram::from_image("used", used.clone()).map_err(|error| error.to_string());
                instructions = program.and_then(|program| cells.holds(&program.watched(watcher), case));
            });
            (last, instructions.map_or(0, |(_, instructions)| instructions))
        };
        cells.touched = cells.cases.iter().map(touched).collect();
        Ok(Box::new(cells))
    }

    /// Whether the words are there after the halt, and the instructions that it took.
    fn holds(&self, program: &MachineProgram, (most, [before, after]): &CellCase) -> Result<(bool, u64), String> {
        let (mut devices, mut drum) = (Devices::new(Model::M220), None);
        devices.fit_printer(Box::new(io::sink()), false);
        for &(place, word) in before {
            if let Held::Drum(at) = place {
                drum.get_or_insert_with(|| Drum::blank(Model::M220)).write(at, word);
            }
        }
        if let Some(drum) = drum {
            devices.fit_drum(0, drum).map_err(|error| error.to_string())?;
        }
        let run = DeviceRun::with_devices(program, self.settings.config, devices);
        let mut run = run.map_err(|error| error.to_string())?;
        for &(place, word) in before {
            if let Held::Core(at) = place {
                run.put(at, word).map_err(|error| error.to_string())?;
            }
        }
        let report = run.run(&self.settings.limits.with_instructions(most.unwrap_or(3_000_000)));
        let is_over = most.is_some() || report.stop.reason == StopReason::Halt;
        let drum = run.machine().periphery().drum(0);
        let is_there = |&(place, word): &(Held, Word)| match place {
            Held::Core(at) => run.word(at) == word,
            Held::Drum(at) => drum.is_some_and(|drum| drum.read(at) == Some(word)),
        };
        Ok((is_over && after.iter().all(is_there), report.clock.instructions))
    }
}

impl Finds for Cells {
    fn name(&self) -> &'static str {
        "cells"
    }

    fn cases(&self) -> usize {
        self.cases.len()
    }

    fn instructions(&self) -> u64 {
        0
    }

    fn found(&self, cores: &[Image; 2], changed: Option<CoreAddress>, time: &mut Option<usize>) -> Option<usize> {
        let Ok(program) = MachineProgram::from_image("mutant", cores[1].clone()) else { return Some(0) };
        let differs = |(number, (case, (touched, instructions))): (usize, (&CellCase, &(Vec<u32>, u64)))| {
            if changed.is_some_and(|at| touched[at.index()] == 0) {
                return false;
            }
            let held = self.holds(&program, case);
            if matches!(held, Ok((true, taken)) if taken != *instructions) {
                time.get_or_insert(number + 1);
            }
            !matches!(held, Ok((true, _)))
        };
        self.cases.iter().zip(&self.touched).enumerate().position(differs).map(|place| place + 1)
    }

    fn search(&self, _: &[Image; 2], _: &[Image; 2], _: u64) -> Option<String> {
        None
    }

    fn watch(&self, right: &[Image; 2], wrong: &[Image; 2], changed: CoreAddress, seen: &mut Seen) {
        let images = [&right[1], &wrong[1]];
        let programs = [0, 1].map(|side| {
            let program = MachineProgram::from_image("mutant", images[side].clone());
            program.map(|program| program.watched(keeps(side)))
        });
        let [Ok(right), Ok(wrong)] = &programs else { return seen.path = true };
        for (case, (touched, _)) in self.cases.iter().zip(&self.touched) {
            let Some(last) = last_touch(touched, images, changed) else { continue };
            let cut = (Some(case.0.map_or(last, |most| most.min(last))), case.1.clone());
            for case in [&cut, case] {
                seen.path |= [right, wrong].map(|program| self.holds(program, case).is_ok()) != [true; 2];
                if seen.compare(images, changed) || seen.path {
                    break;
                }
            }
            if seen.path {
                return;
            }
        }
    }
}

/// A program with its notes and comparisons.
struct Subject {
    image: Image,
    cores: [Image; 2],
    notes: Notes,
    kinds: Vec<Box<dyn Finds>>,
}

impl Subject {
    fn new(program: &str, most: u64) -> Result<Subject, String> {
        match program {
            "trajectories" => Subject::of::<TrajectoryProgram>(most, &[Kind::<Tasks>::boxed, Kind::<Attacks>::boxed]),
            "mate" => Subject::of::<MateProgram>(most, &[Kind::<Mates>::boxed]),
            // Each table on both cores.
            "endings" => {
                let tables: Boxed = |most, cores| Kind::<Tables>::boxed(most.min(10), cores);
                Subject::of::<EndingProgram>(most, &[Kind::<Endings>::boxed, tables])
            }
            "play" => Subject::of::<PlayProgram>(most, &[Kind::<Plays>::boxed]),
            "doublet" => Subject::of::<SyncProgram>(most, &[Kind::<Syncs>::boxed]),
            "relations" => Subject::of::<RelationsProgram>(most, &[Kind::<RelationCases>::boxed]),
            "map" => {
                let (exchange, map, hope): (Boxed, Boxed, Boxed) =
                    (Kind::<ExchangeCases>::boxed, Kind::<MapCases>::boxed, Kind::<HopeCases>::boxed);
                let choice: Boxed = |most, cores| Kind::<Choices>::boxed(most.min(10), cores);
                Subject::of::<MapProgram>(most, &[exchange, map, hope, Kind::<WorthCases>::boxed, choice])
            }
            "experiment" => {
                let best: Boxed = |most, cores| Kind::<BestCases>::boxed(most.min(LONG), cores);
                Subject::of::<ExperimentProgram>(most, &[Kind::<AnalyseCases>::boxed, best])
            }
            other => Err(format!("no program {other}; there are {PROGRAMS}")),
        }
    }

    fn of<P: ChessProgram>(most: u64, kinds: &[Boxed]) -> Result<Subject, String> {
        let image = P::BUILT_IN.image().map_err(|error| error.to_string())?;
        let notes = Notes::of(P::BUILT_IN.name, &image)?;
        let cores = [image.clone(), used::<P>(&image, &notes)?];
        let settings = P::BUILT_IN.settings(Model::M220, &Limits::default());
        let cells = Cells::boxed(P::BUILT_IN.name, &cores, settings)?;
        if let Some(number) = cells.found(&cores, None, &mut None) {
            return Err(format!("case {number} of {} in cells.tsv does not hold", P::BUILT_IN.name));
        }
        let mut all = vec![cells];
        for kind in kinds {
            let made = kind(most, &cores);
            all.push(made.map_err(|error| {
                eprintln!("mutants: {error}");
                Subject::takes_for_zero::<P>(&image, kinds)
            })?);
        }
        let instructions: u64 = all.iter().map(|kind| kind.instructions()).sum();
        if notes.instructions.is_some_and(|(cases, noted)| cases == most && noted != instructions) {
            return Err(format!("the cases take {instructions} instructions, another number than noted"));
        }
        Ok(Subject { image, cores, notes, kinds: all })
    }

    /// The cells that must be zero when the program starts, as far as a few cases show.
    fn takes_for_zero<P: ChessProgram>(image: &Image, kinds: &[Boxed]) -> String {
        let mut told = String::new();
        for (first, &cells) in &image.reserved {
            let run = first.index()..first.index() + cells;
            let zero = (1..1 << 15).filter(|at| !run.contains(at)).collect();
            let notes = Notes { zero, ..Notes::default() };
            let differs = |cores: &[Image; 2]| kinds.iter().any(|kind| kind(30, cores).is_err());
            if used::<P>(image, &notes).is_ok_and(|used| differs(&[image.clone(), used])) {
                let [first, last] = [run.start, run.end - 1].map(|at| label(image, at));
                told.push_str(&format!("expected to be zero: {first}..{last}\n"));
            }
        }
        told
    }

    /// The program with another word, on both cores.
    fn with(&self, cell: CoreAddress, word: Word) -> [Image; 2] {
        self.cores.clone().map(|mut image| {
            image.words.insert(cell, word);
            image
        })
    }

    /// The comparisons that are asked about a cell, first that meant for the part. A choice, which begins with another
    /// program in the same cells, is asked only if it is meant.
    fn asked(&self, cell: CoreAddress) -> impl Iterator<Item = &dyn Finds> {
        let meant = self.meant(cell);
        let kinds =
            self.kinds.iter().map(AsRef::as_ref).filter(move |kind| kind.name() != CHOICE || meant == Some(CHOICE));
        let (first, others): (Vec<_>, Vec<_>) = kinds.partition(|kind| Some(kind.name()) == meant);
        first.into_iter().chain(others)
    }

    /// The time counts only if all answers are right.
    fn found(&self, cell: CoreAddress, word: Word) -> Option<Fate> {
        let (changed, mut time) = (self.with(cell, word), None);
        let is_instruction = self.image.lines.get(&cell).is_some_and(|place| place.kind == CellKind::Instruction);
        let at = Some(cell).filter(|_| is_instruction);
        let found =
            self.asked(cell).find_map(|kind| Some(Fate::Found(kind.name(), kind.found(&changed, at, &mut time)?)));
        found.or(time.map(|place| Fate::Found(TIME, place)))
    }

    fn meant(&self, cell: CoreAddress) -> Option<&str> {
        let part = self.notes.meant.iter().find(|(cells, _)| cells.contains(&cell.index()))?;
        Some(&part.1)
    }

    fn fate(&self, mutant: &Mutant) -> Fate {
        if mutant.unused {
            return Fate::Equivalent;
        }
        if let Some(found) = self.found(mutant.cell, mutant.word) {
            return found;
        }
        let changed = self.with(mutant.cell, mutant.word);
        let mut seen = Seen::default();
        self.asked(mutant.cell).for_each(|kind| kind.watch(&self.cores, &changed, mutant.cell, &mut seen));
        if let Some(note) = self.notes.covers(mutant, &seen) {
            return Fate::Named(note);
        }
        let probes: &[u64] = if mutant.is_instruction { &[0o077 << 36] } else { &[u64::MAX, 0] };
        let is_reached = probes.iter().any(|&probe| self.found(mutant.cell, Word::truncating(probe)).is_some());
        let told = seen.told(&self.image);
        if is_reached { Fate::Missed(told) } else { Fate::NotReached(told) }
    }
}

type Boxed = fn(u64, &[Image; 2]) -> Result<Box<dyn Finds>, String>;

const PROGRAMS: &str = "trajectories, mate, endings, play, doublet, relations, map, experiment";

/// What is found by the number of instructions alone.
const TIME: &str = "the time alone";

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
#[derive(Clone, PartialEq, Eq)]
enum Fate {
    /// By this comparison, after so many cases.
    Found(&'static str, usize),
    /// By what the operation does not use.
    Equivalent,
    /// By this note.
    Named(usize),
    NotReached(String),
    Missed(String),
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
        let code = |bits: u8| Code::truncating(bits);
        add(Instruction { code: code(plain.code.bits() + 1), ..plain }.encode(), "operation", false);
        if let 0o36 | 0o76 = plain.code.bits() {
            add(Instruction { code: code(plain.code.bits() ^ 0o40), ..plain }.encode(), "condition", false);
        }
        let by = |address: Address, by: u16| address.offset(by);
        // A jump brings the word at A1 to A3, a setting of RA a word made of A1; without a place for it, it is lost.
        let is_lost =
            matches!(plain.code.bits(), 0o36 | 0o52 | 0o56 | 0o72 | 0o76) && plain.a3.get() == 0 && !plain.modify[2];
        // A result that goes nowhere may as well go to a cell that the program does not use.
        let to_nowhere = |one: u16| {
            let is_result = roles[2] == Role::Write && plain.a3.get() == 0 && !plain.modify[2];
            is_result && !is_used(image, CoreAddress::new(cell.cube(), by(plain.a3, one)))
        };
        // RA is neither less than 0 nor less than itself: a jump if it is not is always taken, one if it is never.
        let is_bound = |codes: [u8; 3]| codes.contains(&plain.code.bits()) && plain.a1.get() == 0 && !plain.modify[0];
        let (is_always, is_never) = (is_bound([0o31, 0o32, 0o71]), is_bound([0o11, 0o12, 0o51]));
        let is_idle = [is_lost, is_never, false];
        let unused = |place: usize| roles[place] == Role::Unused || is_idle[place];
        let is_cubes =
            row_of(image.model, plain.code).operation == Operation::ChangeCubes && plain.modify == [false; 3];
        let is_kept = |changed: Instruction| is_cubes && cubes_of(changed) == cubes_of(plain);
        for (one, fault) in [(1, "address up"), (0o7777, "address down")] {
            let [first, second] =
                [Instruction { a1: by(plain.a1, one), ..plain }, Instruction { a2: by(plain.a2, one), ..plain }];
            add(first.encode(), fault, unused(0) || is_kept(first));
            add(second.encode(), fault, unused(1) || is_kept(second));
            add(Instruction { a3: by(plain.a3, one), ..plain }.encode(), fault, unused(2) || to_nowhere(one));
        }
        for place in 0..3 {
            let mut modify = plain.modify;
            modify[place] ^= true;
            let is_same = unused(place) || place == 0 && (is_always || is_never);
            add(Instruction { modify, ..plain }.encode(), "modification", is_same);
        }
        add(Word::ZERO, "does nothing", false);
    }
    all
}

/// What a change of cubes does: the registers that it selects, and their values.
fn cubes_of(word: Instruction) -> (u32, u32) {
    let [first, second] = [word.a1, word.a2].map(|address| u32::from(address.get()));
    let mask: u32 = (0..6).map(|register| (first >> (6 + register) & 1) * (7 << (3 * register))).sum();
    (first >> 6, (first & 0o77) << 12 & mask | second & mask)
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
    named: usize,
    not_reached: usize,
    missed: usize,
}

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let number = |place: usize, usual: u64| words.get(place).map_or(Ok(usual), |word| word.parse());
    let (Ok(most), Ok(drawn), Ok(seed), Ok(more)) = (number(1, 200), number(2, u64::MAX), number(3, 1), number(4, 0))
    else {
        eprintln!("usage: mutants PROGRAM [CASES [DRAWN [SEED [MORE]]]], all but the first numbers");
        return ExitCode::from(2);
    };
    match tell(words.first().map_or("", String::as_str), most, usize::try_from(drawn).unwrap_or(usize::MAX), seed, more)
    {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.downcast_ref().is_some_and(is_closed) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("mutants: {error}");
            ExitCode::from(2)
        }
    }
}

/// Whether nobody reads the output any more.
fn is_closed(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::BrokenPipe
}

/// Tries the mutants and prints the table.
fn tell(name: &str, most: u64, drawn: usize, seed: u64, more: u64) -> Result<(), Box<dyn Error>> {
    let mut out = io::stdout();
    let (name, cells) = name.split_once(':').map_or((name, "all"), |(name, cells)| (name, cells));
    let subject = Subject::new(name, most)?;
    let Subject { image, notes, kinds, .. } = &subject;
    let mut all = mutants(image);
    let cells = cells_of(image, cells)?;
    all.retain(|mutant| cells.contains(&mutant.cell.index()) && !notes.elsewhere.contains(&mutant.cell.index()));
    let whole = all.len();
    if drawn < whole {
        all.shuffle(&mut StdRng::seed_from_u64(seed));
        all.truncate(drawn);
    }
    let fates: Vec<Fate> = all.par_iter().map(|mutant| subject.fate(mutant)).collect();
    let mut rows: BTreeMap<&str, Row> = BTreeMap::new();
    let mut by_kind: BTreeMap<&str, usize> = BTreeMap::new();
    let mut by_note = vec![0; notes.equivalents.len()];
    for (mutant, fate) in all.iter().zip(&fates) {
        for row in [mutant.fault, "together"] {
            let row = rows.entry(row).or_default();
            row.all += 1;
            match fate {
                Fate::Found(_, 0..=1) => row.found[0] += 1,
                Fate::Found(_, 2..=10) => row.found[1] += 1,
                Fate::Found(..) => row.found[2] += 1,
                Fate::Equivalent => row.equivalent += 1,
                Fate::Named(_) => row.named += 1,
                Fate::NotReached(_) => row.not_reached += 1,
                Fate::Missed(_) => row.missed += 1,
            }
        }
        match fate {
            Fate::Found(kind, _) => *by_kind.entry(kind).or_default() += 1,
            Fate::Named(note) => by_note[*note] += 1,
            _ => {}
        }
    }
    let cases: Vec<String> = kinds.iter().map(|kind| format!("{} of {}", kind.cases(), kind.name())).collect();
    writeln!(out, "{name}: {} of {whole} mutants; cases: {}\n", all.len(), cases.join(", "))?;
    writeln!(out, "fault            mutants  1 case    2-10    more  equivalent   named  not reached  missed")?;
    for (fault, Row { all, found, equivalent, named, not_reached, missed }) in &rows {
        let [one, ten, more] = found;
        writeln!(
            out,
            "{fault:<16}{all:>8}{one:>8}{ten:>8}{more:>8}{equivalent:>12}{named:>8}{not_reached:>13}{missed:>8}"
        )?;
    }
    writeln!(out)?;
    for (kind, count) in by_kind {
        writeln!(out, "found by {kind}: {count}")?;
    }
    let (mut parts, mut by_meant) = (0, 0);
    for (mutant, fate) in all.iter().zip(&fates) {
        // No comparison of answers finds what changes none.
        if let (Fate::Found(kind, _), Some(meant)) = (fate, subject.meant(mutant.cell))
            && *kind != TIME
        {
            parts += 1;
            by_meant += usize::from(*kind == meant);
            if *kind != meant {
                let told = label(image, mutant.cell.index());
                println!("by {kind}, not {meant}: {} {told} {}: {}", mutant.cell, mutant.fault, mutant.word);
            }
        }
    }
    writeln!(out, "found by the comparison meant for the part: {by_meant} of {parts}")?;
    writeln!(out, "the cases take {} instructions", kinds.iter().map(|kind| kind.instructions()).sum::<u64>())?;
    for (note, count) in notes.equivalents.iter().zip(by_note) {
        writeln!(out, "named: {count:>5} {}: {}", note.property, note.reason)?;
    }
    for (mutant, fate) in all.iter().zip(&fates) {
        let (what, told) = match fate {
            Fate::Missed(told) => ("missed", told),
            Fate::NotReached(told) => ("not reached", told),
            _ => continue,
        };
        let name = label(image, mutant.cell.index());
        writeln!(
            out,
            "{what}: {} {name} {}: {} for {}: {told}",
            mutant.cell, mutant.fault, mutant.word, image.words[&mutant.cell]
        )?;
    }
    let search = |(mutant, fate): &(&Mutant, &Fate)| {
        let changed = subject.with(mutant.cell, mutant.word);
        let is_open = matches!(fate, Fate::Missed(_) | Fate::NotReached(_)) && more > 0;
        let found = kinds.iter().find_map(|kind| is_open.then(|| kind.search(&subject.cores, &changed, more))?)?;
        Some((found, label(image, mutant.cell.index())))
    };
    let cases: BTreeMap<String, String> =
        all.iter().zip(&fates).collect::<Vec<_>>().par_iter().filter_map(search).collect();
    for (case, at) in cases {
        writeln!(out, "would find more: {at}: {case}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Faults of each kind are found in the program that the book's task needs, and none in the program itself.
    #[test]
    fn faults_are_found() {
        let subject = Subject::new("trajectories", 20).expect("comparisons");
        let mut all = mutants(&subject.image);
        all.shuffle(&mut StdRng::seed_from_u64(3));
        let mut by_fault: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
        for mutant in all.iter().filter(|mutant| !mutant.unused).take(120) {
            let found = subject.found(mutant.cell, mutant.word).is_some();
            by_fault.entry(mutant.fault).or_default()[usize::from(found)] += 1;
        }
        assert_eq!(by_fault.len(), 7, "{by_fault:?}");
        // Of constants, which are mostly tables, few are read.
        let is_found = |(fault, [_, found]): (&&str, &[usize; 2])| *found > 0 || *fault == "constant by one";
        assert!(by_fault.iter().all(is_found), "{by_fault:?}");
        let found: usize = by_fault.values().map(|[_, found]| found).sum();
        assert!(found > 70, "{found} of 120");
        for kind in &subject.kinds {
            assert_eq!(kind.found(&subject.cores, None, &mut None), None, "the program itself");
        }
    }

    /// Of a small program every fault is found or named; what a note allows is what the runs show, and no more.
    #[test]
    fn relations_miss_nothing() {
        let subject = Subject::new("relations", 300).expect("comparisons");
        let mut all = mutants(&subject.image);
        all.shuffle(&mut StdRng::seed_from_u64(3));
        let fates: Vec<(&Mutant, Fate)> = all.iter().take(100).map(|mutant| (mutant, subject.fate(mutant))).collect();
        for (mutant, fate) in &fates {
            let told = |told: &String| format!("{} {}: {told}", mutant.cell, mutant.fault);
            let open = if let Fate::Missed(text) | Fate::NotReached(text) = fate { Some(told(text)) } else { None };
            assert_eq!(open, None);
        }
        let is_marked = |note: &usize| subject.notes.equivalents[*note].property == "cells x y";
        let (mutant, note) = fates
            .iter()
            .find_map(|(mutant, fate)| {
                if let Fate::Named(note) = fate { Some((mutant, *note)) } else { None }
                    .filter(|(_, note)| is_marked(note))
            })
            .expect("a mark of the mailbox");
        let cells = |names: &str| cells_of(&subject.image, names).expect("cells");
        let seen = |names: &str| Seen { cells: cells(names), read: true, ..Seen::default() };
        assert_eq!(subject.notes.covers(mutant, &seen("x y")), Some(note));
        assert_eq!(subject.notes.covers(mutant, &seen("x y count")), None);
    }

    /// A program that takes for granted that core is zero is noticed: as DOUBLET once did of the cells that a knight's
    /// leap reaches beyond the marks.
    #[test]
    fn a_used_core_is_noticed() {
        let image = SyncProgram::BUILT_IN.image().expect("the program");
        let marks = "        repeat  42\n        fields  0, 0, 40\n        end\n";
        let once = format!("        reserve 21\n{}", marks.replace("42", "21"));
        let text = image.files[0].text.replace(marks, &once);
        assert_ne!(text, image.files[0].text);
        let program = MachineProgram::assemble("doublet", &text).expect("a program");
        let notes = Notes::of("doublet", program.image()).expect("notes");
        let cores =
            |notes: &Notes| [program.image().clone(), used::<SyncProgram>(program.image(), notes).expect("a core")];
        assert!(Kind::<Syncs>::boxed(100, &cores(&notes)).is_err());
        let zero = cells_of(program.image(), "1000..1020,5000..5020").expect("cells");
        let notes = Notes { zero, ..notes };
        assert_eq!(Kind::<Syncs>::boxed(100, &cores(&notes)).err(), None);
    }
}
