//! `m220 mate`.

use crate::diagram::{self, Mark};
use crate::exit::{Exit, Failure};
use crate::interrupt;
use crate::laboratory::{self, EngineOptions, EngineReport, cannot_run, counted, grouped, no_verdict, side_name};
use crate::messages;
use crate::options::{Engine, Format};
use crate::output::Output;
use crate::page;
use crate::picture::{self, Arrow, sentences};
use crate::picture_options::SvgOption;
use crate::position_options::PositionOptions;
use crate::replay::ReplayOptions;
use crate::suite::{SuiteLine, SuiteOptions};
use chess_reference::algorithm50::{
    KeyTree, Move, NamedMove, Problem, Refutation, Solution, SolutionLine, TreeError, Visits, legal_moves, refutation,
    solve, solve_key, solve_shortest,
};
use chess_reference::epd::SuitePosition;
use m220_chess::documents::{MateDocument, PositionsVisited};
use m220_chess::mates::{self, MachineKeys};
use m220_chess::{MachineOutcome, MateProgram, Refusal};
use m220_panel::description::Notes;
use shakmaty::{Color, Square};
use std::cell::LazyCell;
use std::io::Write;
use std::ops::Deref;

/// Solve a mate problem: all keys and the solution tree
///
/// A key is a first move that forces mate within --moves moves; those that mate sooner are marked. The tree has every reply
/// and what mates after it. Beyond four moves only the keys of the shortest mate are given; --all-keys gives all.
///
/// Limits: the machine program searches mates in at most 8 moves, with tables for 832 moves at once and 384 answers; a
/// full table ends --engine m220 with exit code 4, naming the table and the remedy. The native search goes to 50, and alone
/// answers what the machine cannot hold.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    position: PositionOptions,
    #[command(flatten)]
    suite: SuiteOptions,
    /// Mate in N moves, 1 to 50; in a suite, for positions without dm [default: that of the named problem, else 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_MOVES)))]
    moves: Option<u32>,
    /// Beyond four moves too, give all keys that mate in time, not only those of the shortest mate
    #[arg(long)]
    all_keys: bool,
    /// Show only this first move's solution tree, or its refutation (g5g6, e1g1 for castling, e7e8q; or Qg6)
    #[arg(long, value_name = "MOVE")]
    key: Option<String>,
    #[command(flatten)]
    engine: EngineOptions,
    /// Show the large board of the other commands, with the keys marked (with --format text)
    #[arg(long)]
    board: bool,
    /// Show the board from Black's side
    #[arg(long)]
    flip: bool,
    #[command(flatten)]
    svg: SvgOption,
    #[command(flatten)]
    replay: ReplayOptions,
}

/// The longest mates that are searched for.
const MOST_MOVES: u32 = 50;
/// Up to this many moves all keys are found; beyond, those of the shortest mate.
const ALL_KEYS_UP_TO: u32 = 4;

/// A question with its number of moves settled.
struct Task<'a> {
    args: &'a Args,
    /// The number asked for.
    asked: u32,
    /// The length of the mates whose keys are shown: as asked, or shorter.
    moves: u32,
    /// The native keys, if the length of the mate had to be found.
    known: Option<Solution>,
}

impl Deref for Task<'_> {
    type Target = Args;

    fn deref(&self) -> &Args {
        self.args
    }
}

impl<'a> Task<'a> {
    /// Finds the shortest mate where that is the question.
    fn new(args: &'a Args, problem: &Problem) -> Result<Task<'a>, Failure> {
        let asked = args.moves.or(args.position.mate_in()).unwrap_or(2);
        let mut task = Task { args, asked, moves: asked, known: None };
        if asked <= ALL_KEYS_UP_TO || args.all_keys {
            return Ok(task);
        }
        match args.engine.engine {
            Engine::M220 => {
                let (program, settings) = (args.engine.read::<MateProgram>()?, args.engine.settings::<MateProgram>());
                for moves in 1..asked {
                    let run = program.keys(problem, moves, &settings).map_err(cannot_run)?;
                    if run.outcome.answer().is_none_or(|answer| !answer.keys.is_empty()) {
                        task.moves = moves;
                        break;
                    }
                }
            }
            Engine::Native | Engine::Both => {
                let (moves, known) = solve_shortest(problem, asked, &interrupt::limits()).map_err(no_verdict)?;
                (task.moves, task.known) = (moves, Some(known));
            }
        }
        Ok(task)
    }
}

/// The engines' findings, before they are written.
struct FoundMates {
    /// The answer; none if only the machine was asked and gave none.
    answer: Option<MateAnswer>,
    native_visits: Option<Visits>,
    machine_visits: Option<Vec<u64>>,
    report: EngineReport,
}

impl FoundMates {
    fn document(&self, args: &Task<'_>, problem: &Problem) -> MateDocument {
        let answer = self.answer.as_ref();
        MateDocument {
            schema: 1,
            engine: args.engine.engine_name(),
            fen: problem.fen(),
            moves: args.moves,
            keys: answer.map(|answer| answer.keys.clone()).unwrap_or_default(),
            solution: answer.map(|answer| answer.solution.clone()).unwrap_or_default(),
            positions_visited: PositionsVisited {
                native: self.native_visits.as_ref().map(Visits::total),
                machine: self.machine_visits.as_ref().map(|levels| levels.iter().sum()),
            },
            engines: self.report.record(),
        }
    }
}

/// Keys, and the trees that were asked for.
struct MateAnswer {
    keys: Vec<Move>,
    solution: Vec<SolutionLine>,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    let _search = args.engine.time.search();
    if args.suite.epd.is_some() {
        return suite(args, out);
    }
    let fen = args.position.fen()?;
    let problem = Problem::from_fen(&fen).map_err(|error| laboratory::not_taken(&fen, error))?;
    let first = args.key.as_deref().map(|key| first_move(&problem, key)).transpose()?;
    let args = &Task::new(args, &problem)?;
    let found = ask(args, &problem, first.as_ref())?;
    // Computed once, and only where it is shown.
    let shorter = LazyCell::new(|| match &found.answer {
        // Where `known` is set, a shorter mate has already been looked for.
        Some(answer) if !answer.keys.is_empty() && args.known.is_none() => shorter_keys(&problem, args.moves),
        _ => Vec::new(),
    });
    let drawn = args.svg.write(found.answer.is_some(), out, || {
        found.answer.as_ref().map(|answer| picture(args, &problem, answer, &shorter)).unwrap_or_default()
    });
    match args.engine.format {
        Format::Json => out.json(&found.document(args, &problem))?,
        Format::Text => text(args, &problem, first.as_ref(), &found, &shorter, out)?,
    }
    out.flush()?;
    let recorded = record(args, &problem, &found);
    drawn.and(recorded).map(|()| found.report.exit)
}

/// All problems of a suite.
fn suite(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    if args.key.is_some() || args.replay.replay.is_some() || args.svg.is_wanted() {
        let text = "--key, --svg and --replay are for one problem, not for a suite (--epd)";
        return Err(Failure::Usage(text.to_owned()));
    }
    let program = args.engine.read::<MateProgram>()?;
    args.suite.run(args.engine.format, out, |position| problem_of_suite(args, &program, position))
}

/// A problem of a suite: all moves of `bm` are keys, in exactly as many moves as `dm` says.
fn problem_of_suite(args: &Args, program: &MateProgram, position: &SuitePosition) -> Result<SuiteLine, Failure> {
    let problem = Problem::from_fen(&position.fen)
        .map_err(|error| Failure::BadInput(format!("line {} of the suite: {error}", position.line)))?;
    let moves = position.mate_in.or(args.moves).unwrap_or(2);
    let settings = args.engine.settings::<MateProgram>();
    let mut line = SuiteLine::of(position);
    let most = if args.engine.engine == Engine::Native { MOST_MOVES } else { program.deepest() };
    if !(1..=most).contains(&moves) {
        (line.no_verdict, line.note) = (true, format!("dm {moves} is not looked for: expected 1 to {most}"));
        return Ok(line);
    }
    let keys = match args.engine.engine {
        Engine::Native => Some(solve(&problem, moves, &interrupt::limits()).map_err(no_verdict)?.keys),
        Engine::M220 | Engine::Both => {
            let compared = program.compare(&problem, moves, |_| false, &settings).map_err(cannot_run)?;
            line.m220_us = Some(compared.machine.report.clock.m220.microseconds());
            line.equal = compared.verdict.equal().filter(|_| args.engine.engine == Engine::Both);
            compared.machine.outcome.answer().map(|answer| answer.keys.clone())
        }
    };
    let Some(keys) = keys else {
        (line.no_verdict, line.note) = (true, "the machine gave no answer".to_owned());
        return Ok(line);
    };
    line.found = keys.iter().map(Move::to_string).collect();
    let quicker = position.mate_in.is_some_and(|moves| !shorter_keys(&problem, moves).is_empty());
    if quicker {
        line.note = format!("there is a mate in fewer than {moves}");
    }
    let says_something = position.mate_in.is_some() || !line.expected.is_empty();
    let keys_as_given = !keys.is_empty() && line.expected.iter().all(|key| line.found.contains(key));
    line.as_expected = says_something.then_some(keys_as_given && !quicker);
    Ok(line)
}

/// The page of `--replay`: the search for the keys, and the tree that follows from them.
fn record(args: &Task<'_>, problem: &Problem, found: &FoundMates) -> Result<(), Failure> {
    args.replay.record_question(&args.engine, |program: &MateProgram, settings| {
        let title = format!("{} mates in {}", side_name(problem.side_to_move()), args.moves);
        let trees: Vec<String> =
            found.answer.iter().flat_map(|answer| &answer.solution).map(|line| format!("{line:#}")).collect();
        let tree = (!trees.is_empty()).then(|| trees.join("\n\n"));
        let notes = Notes { tree, ..notes_of_moves(problem) };
        Ok((title, notes, program.prepare(problem, args.moves, None, settings)?))
    })
}

/// The legal move that a text names, in UCI or in standard algebraic notation.
fn first_move(problem: &Problem, text: &str) -> Result<NamedMove, Failure> {
    let bare = |san: &str| san.trim_end_matches(['+', '#', '!']).to_owned();
    let wanted = bare(text);
    let legal = legal_moves(problem);
    let found = legal.iter().find(|legal| legal.half_move.to_string() == text || bare(&legal.san) == wanted);
    found.cloned().ok_or_else(|| {
        let side = side_name(problem.side_to_move());
        let list: Vec<&str> = legal.iter().map(|legal| legal.san.as_str()).collect();
        let moves = match list.is_empty() {
            true => format!("{side} has no legal move"),
            false => format!("{side}'s moves are {}", list.join(" ")),
        };
        Failure::BadInput(format!("--key {text}: not a legal move; {moves}"))
    })
}

fn ask(args: &Task<'_>, problem: &Problem, first: Option<&NamedMove>) -> Result<FoundMates, Failure> {
    let wanted = |key: &&Move| first.is_none_or(|first| first.half_move == **key);
    match args.engine.engine {
        Engine::Native => {
            args.replay.refuse_without_machine()?;
            native(args, problem, wanted)
        }
        Engine::M220 => machine(args, problem, wanted),
        Engine::Both => both(args, problem, wanted),
    }
}

/// The native keys and trees.
fn native(args: &Task<'_>, problem: &Problem, wanted: impl Fn(&&Move) -> bool) -> Result<FoundMates, Failure> {
    let solution = match &args.known {
        Some(known) => known.clone(),
        None => solve(problem, args.moves, &interrupt::limits()).map_err(no_verdict)?,
    };
    let trees = native_trees(args, problem, solution.keys.iter().filter(wanted))?;
    Ok(FoundMates {
        answer: Some(MateAnswer { keys: solution.keys, solution: trees.into_iter().map(|tree| tree.line).collect() }),
        native_visits: Some(solution.positions_visited),
        machine_visits: None,
        report: EngineReport::default(),
    })
}

fn native_trees<'a>(
    args: &Task<'_>,
    problem: &Problem,
    keys: impl Iterator<Item = &'a Move>,
) -> Result<Vec<KeyTree>, Failure> {
    keys.map(|&key| solve_key(problem, args.moves, key, &interrupt::limits()).map_err(no_verdict)).collect()
}

/// The machine's keys and trees.
fn machine(args: &Task<'_>, problem: &Problem, wanted: impl Fn(&&Move) -> bool) -> Result<FoundMates, Failure> {
    let (program, settings) = (args.engine.read::<MateProgram>()?, args.engine.settings::<MateProgram>());
    let run = program.keys(problem, args.moves, &settings).map_err(cannot_run)?;
    let mut found = FoundMates {
        answer: None,
        native_visits: None,
        machine_visits: run.outcome.answer().map(|answer| answer.visits.clone()),
        report: EngineReport::machine(&run),
    };
    let MachineOutcome::Answer(MachineKeys { keys, .. }) = run.outcome else {
        return Ok(found);
    };
    let mut solution = Vec::new();
    for &key in keys.iter().filter(&wanted) {
        let tree = mates::tree::tree(&program, problem, args.moves, key, &settings).map_err(cannot_run)?;
        let report = EngineReport::machine(&tree);
        match tree.outcome {
            MachineOutcome::Answer(line) => solution.push(line),
            MachineOutcome::Refused(_) | MachineOutcome::Fault(_) => {
                // The keys stand; the report is that of the tree's run.
                found.report = report;
                break;
            }
        }
    }
    found.answer = Some(MateAnswer { keys, solution });
    Ok(found)
}

/// The native keys and trees, compared with the machine's.
fn both(args: &Task<'_>, problem: &Problem, wanted: impl Fn(&&Move) -> bool) -> Result<FoundMates, Failure> {
    let program: MateProgram = args.engine.read()?;
    let natively = |reason: &str| {
        messages::warn(&format!("{reason}: the keys are found natively only"));
        native(args, problem, &wanted)
    };
    if args.moves > program.deepest() {
        return natively(&format!("the machine program searches at most {} deep", moves_text(program.deepest())));
    }
    let compared = program
        .compare(problem, args.moves, |key| wanted(&&key), &args.engine.settings::<MateProgram>())
        .map_err(cannot_run)?;
    match compared.machine.outcome.refusal() {
        Some(Refusal::TableFull(_)) => return natively("a table of the machine program is full"),
        Some(Refusal::Limit) if args.known.is_some() => return natively("the instruction limit was reached"),
        Some(_) | None => {}
    }
    let mut solution = Vec::new();
    for tree in compared.trees {
        match tree.native {
            Ok(tree) => solution.push(tree.line),
            // Keys without their trees: there is no verdict anyway.
            Err(TreeError::Stopped(_)) if tree.machine.is_none() => break,
            Err(error) => return Err(no_verdict(error)),
        }
    }
    let native = compared.native.ok();
    Ok(FoundMates {
        answer: native.as_ref().map(|native| MateAnswer { keys: native.keys.clone(), solution }),
        native_visits: native.map(|native| native.positions_visited),
        machine_visits: compared.machine.outcome.answer().map(|answer| answer.visits.clone()),
        report: EngineReport::compared(&compared.machine, compared.verdict),
    })
}

fn moves_text(moves: u32) -> String {
    counted(moves.into(), "move")
}

fn text(
    args: &Task<'_>,
    problem: &Problem,
    first: Option<&NamedMove>,
    found: &FoundMates,
    shorter: &LazyCell<Vec<Move>, impl FnOnce() -> Vec<Move>>,
    out: &mut Output,
) -> Result<(), Failure> {
    if let Some(answer) = &found.answer {
        writeln!(out, "{}", heading(args, problem, &answer.keys, shorter))?;
    }
    if let Some(visits) = &found.native_visits {
        writeln!(out, "{}", visited("native", visits.levels()))?;
    }
    if let Some(machine) = &found.report.machine {
        writeln!(out, "{}", machine.line())?;
    }
    if let Some(levels) = &found.machine_visits {
        writeln!(out, "{}", visited("machine", levels))?;
    }
    if let Some(verdict) = &found.report.verdict {
        writeln!(out, "{}", verdict.line())?;
    }
    let keys = found.answer.as_ref().map(|answer| answer.keys.as_slice()).unwrap_or_default();
    write!(out.styled(), "\n{}", diagram(args, problem, keys))?;
    for line in found.answer.iter().flat_map(|answer| &answer.solution) {
        let tree = format!("{line:#}");
        let (key, rest) = tree.split_once('\n').unwrap_or((&tree, ""));
        // The name of a move that mates at once already shows it.
        let sooner = if line.san.ends_with('#') { String::new() } else { sooner(args, shorter, line) };
        writeln!(out, "\n{key}{sooner}")?;
        if !rest.is_empty() {
            writeln!(out, "{rest}")?;
        }
    }
    if let (Some(first), Some(answer)) = (first, &found.answer)
        && answer.solution.is_empty()
    {
        writeln!(out, "\n{}", no_key(args, problem, first)?)?;
    }
    Ok(())
}

/// The task and the number of keys, in one line.
fn heading(args: &Task<'_>, problem: &Problem, keys: &[Move], shorter: &[Move]) -> String {
    let side = side_name(problem.side_to_move());
    let moves = grouped(args.moves.into());
    let shorter_than =
        if args.moves < args.asked { format!(", shorter than the {} asked for", args.asked) } else { String::new() };
    match keys.len() {
        0 => match stuck(problem) {
            Some(state) => format!("{side} to move: no mate in {moves}, {side} is {state}"),
            None => format!("{side} to move: no mate in {moves}"),
        },
        count => {
            let keys = counted(count as u64, "key");
            match shorter {
                [] => format!("{side} to move mates in {moves}{shorter_than}: {keys}"),
                _ => format!("{side} to move mates in at most {moves} moves: {keys}"),
            }
        }
    }
}

/// The keys of a mate in fewer moves, from the native reference: beside a search of all moves this one is short.
fn shorter_keys(problem: &Problem, moves: u32) -> Vec<Move> {
    match moves {
        0 | 1 => Vec::new(),
        _ => solve(problem, moves - 1, &interrupt::limits()).map(|found| found.keys).unwrap_or_default(),
    }
}

/// The mark of a key that mates in fewer moves than asked for.
fn sooner(args: &Task<'_>, shorter: &[Move], line: &SolutionLine) -> String {
    if shorter.contains(&line.key) { format!("  (mates in {} or fewer)", args.moves - 1) } else { String::new() }
}

/// Mated or stalemated, if the side to move has no move.
fn stuck(problem: &Problem) -> Option<&'static str> {
    legal_moves(problem).is_empty().then(|| if problem.is_check() { "mated" } else { "stalemated" })
}

/// `native: 49 positions visited: 6 + 8 + 30 + 5 by half-moves`
fn visited(engine: &str, levels: &[u64]) -> String {
    let list: Vec<String> = levels.iter().copied().map(grouped).collect();
    let by_levels = if levels.len() > 1 { format!(": {} by half-moves", list.join(" + ")) } else { String::new() };
    page::fill(&format!("{engine}: {} visited{by_levels}", counted(levels.iter().sum(), "position")), 4)
}

/// The position as problemists print it, or the large board.
fn diagram(args: &Task<'_>, problem: &Problem, keys: &[Move]) -> String {
    let below = Color::from_black(args.flip);
    let mark = |square: Square| match () {
        () if keys.iter().any(|key| key.to == square) => Mark { text: "key".to_owned(), strong: true },
        () => Mark { text: String::new(), strong: keys.iter().any(|key| key.from == square) },
    };
    match args.board {
        true => diagram::draw(problem.board(), mark, below, diagram::colours()),
        false => diagram::small(problem.board(), below, &[]),
    }
}

/// The board with the keys, and what they threaten.
fn picture(args: &Task<'_>, problem: &Problem, answer: &MateAnswer, shorter: &[Move]) -> String {
    let side = problem.side_to_move();
    let arrow = |half_move: &Move, wide| Arrow { side, from: half_move.from, to: half_move.to, wide };
    let threats = answer.solution.iter().flat_map(|line| &line.threats).map(|threat| arrow(&threat.half_move, false));
    let mut arrows: Vec<Arrow> = threats.collect();
    let legend =
        sentences(&[(!answer.keys.is_empty(), "Wide: a key."), (!arrows.is_empty(), "Thin: what it threatens.")]);
    arrows.extend(answer.keys.iter().map(|key| arrow(key, true)));
    picture::arrows(
        problem.board(),
        &heading(args, problem, &answer.keys, shorter),
        &[&legend],
        &arrows,
        Color::from_black(args.flip),
    )
}

/// Why a first move is not a key.
fn no_key(args: &Task<'_>, problem: &Problem, first: &NamedMove) -> Result<String, Failure> {
    let san = &first.san;
    let refuted = refutation(problem, args.moves, first.half_move, &interrupt::limits()).map_err(no_verdict)?;
    Ok(match refuted {
        Some(Refutation::Stalemate) => format!("1.{san}? is not a key: it stalemates"),
        Some(Refutation::Replies(replies)) if replies.len() <= FEW_REFUTATIONS => {
            let list: Vec<String> = replies.iter().map(|reply| format!("1...{}!", reply.san)).collect();
            format!("1.{san}? is not a key: {}", list.join(" or "))
        }
        Some(Refutation::Replies(replies)) => {
            let mut list: Vec<String> = replies.iter().take(REFUTATIONS_SHOWN).map(|reply| reply.san.clone()).collect();
            if replies.len() > REFUTATIONS_SHOWN {
                list.push(format!("and {} more", replies.len() - REFUTATIONS_SHOWN));
            }
            format!("1.{san}? is not a key: {} refute it: {}", counted(replies.len() as u64, "move"), list.join(", "))
        }
        // Only if the engines disagree on it.
        None => format!("1.{san} is a key for the native reference"),
    })
}

/// Up to this many refutations are named without a count.
const FEW_REFUTATIONS: usize = 3;
/// How many refutations are named at most.
const REFUTATIONS_SHOWN: usize = 10;

fn notes_of_moves(problem: &Problem) -> Notes {
    let moves = legal_moves(problem).into_iter().map(|legal| (legal.half_move.to_string(), legal.san));
    Notes { moves: moves.collect(), ..Notes::default() }
}
