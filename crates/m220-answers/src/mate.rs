//! Mate problems: all keys, and what follows them.

use crate::attacks::sentences;
use crate::prelude::*;
use chess_reference::algorithm50::{
    Defence, KeyTree, NamedMove, NumberedSolution, Problem, Refutation, Solution, SolutionLine, Stopped, TreeError,
    Visits, legal_moves, refutation, solve, solve_key,
};
use m220_chess::mates::{self, MachineKeys, TreeAnswer, compare_keys, compare_trees};
use m220_chess::{MateProgram, Refusal};
use m220_players::plain_spelling;

/// Solve a mate problem: all keys and the solution tree
///
/// A key is a first move that forces mate within --moves moves; those that mate sooner are marked. The tree has what
/// each move threatens, every reply that stops a threat, and what mates after it. Beyond four moves only the keys of the shortest mate are given; --all-keys gives all.
///
/// Limits: the machine program searches mates in at most 8 moves, with tables for 832 moves at once and 384 answers; a
/// full table ends --engine m220 with exit code 4 and a message that names the table and the remedy. The native search
/// goes to 50 moves and answers what does not fit the machine.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(
    feature = "clap",
    command(after_help = "\
Examples:
  m220 mate --position philidor
  m220 mate --pgn game.pgn --move 16 --moves 2")
)]
pub struct Mate {
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    position: GivenPosition,
    /// Mate in N moves, 1 to 50; in a suite, for positions without dm [default: that of the named problem, else 2]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    moves: Option<Within<1, 50>>,
    /// Give all keys that mate in time, not only those of the shortest mate, beyond four moves too
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    all_keys: bool,
    /// Show only this first move's solution tree, or its refutation (g5g6, e1g1 for castling, e7e8q; or Qg6)
    #[cfg_attr(feature = "clap", arg(long, value_name = "MOVE"))]
    key: Option<String>,
    /// Whether the trees are wanted, which a suite does without.
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(skip))]
    without_trees: bool,
}

/// Up to this many moves all keys are found; beyond, those of the shortest mate.
const ALL_KEYS_UP_TO: u32 = 4;
/// Up to this many refutations are named without a count, and so many at most.
const FEW_REFUTATIONS: usize = 3;
const REFUTATIONS_SHOWN: usize = 10;

/// A problem, and how it is to be solved.
pub struct Asked {
    problem: Problem,
    position: Position,
    moves: u32,
    /// Whether the shortest mate is looked for.
    shortest: bool,
    first: Option<NamedMove>,
    without_trees: bool,
}

/// The keys and their trees.
#[derive(Default)]
pub struct Mates {
    /// The length of the mates whose keys these are: as asked, or shorter.
    moves: u32,
    keys: Vec<Move>,
    solution: Vec<SolutionLine>,
    /// Those of the keys that mate in fewer moves than asked for.
    sooner: Vec<Move>,
    /// In how many moves the move asked about mates, if that is more than the shortest mate takes.
    later: Option<u32>,
    /// Why the move asked about is no key.
    refuted: Option<Message>,
    /// The replies that refute it; none if it stalemates.
    refutations: Option<Vec<Move>>,
    native: Option<(Solution, Vec<KeyTree>)>,
    machine: Option<MachineKeys>,
    /// Ended before longer mates, or the trees, were known.
    cut_short: bool,
}

impl Question for Mate {
    const NAME: &'static str = "mate";
    const FORM: Option<Form> =
        Some(Form { fields: &[FormField::number("moves", "2", 1..=8)], example: "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1" });
    const SUITE: bool = true;
    const SMALL_BOARD: bool = true;
    type Program = MateProgram;
    type Subject = Asked;
    type Answer = Mates;

    fn subject(&self, _: Engine, context: &Context<'_>) -> Result<Asked, Refused> {
        let position = self.position.needed(context)?;
        let problem = Problem::from_setup(position.placement.to_setup()).map_err(|error| position.refused_by(error))?;
        let first = self.key.as_deref().map(|key| first_move(&problem, key)).transpose()?;
        let named = position.named.and_then(|named| named.mate_in);
        let moves = self.moves.map(Within::small).or(named).unwrap_or(2);
        let shortest = moves > ALL_KEYS_UP_TO && !self.all_keys;
        Ok(Asked { problem, position, moves, shortest, first, without_trees: self.without_trees })
    }

    fn native(asked: &Asked, context: &Context<'_>) -> Result<Mates, Refused> {
        let Asked { problem, first, .. } = asked;
        let (moves, solution, mut cut_short) = solved(asked, context)?;
        let mut trees = Vec::new();
        for &key in solution.keys.iter().filter(|key| asked.wants(**key)) {
            match solve_key(problem, moves, key, &context.limits) {
                Ok(tree) => trees.push(tree),
                // The keys stand.
                Err(TreeError::Stopped(Stopped::GivenUp(_))) => {
                    cut_short = true;
                    break;
                }
                Err(error) => return Err(Refused::unanswered(error)),
            }
        }
        let sooner = match (solution.keys.is_empty() || asked.shortest, moves) {
            (true, _) | (_, 0 | 1) => Vec::new(),
            _ => match solve(problem, moves - 1, &context.limits) {
                Ok(found) => found.keys,
                Err(Stopped::GivenUp(_)) => {
                    cut_short = true;
                    Vec::new()
                }
                Err(stopped) => return Err(Refused::unanswered(stopped)),
            },
        };
        let (mut later, mut refuted, mut refutations) = (None, None, None);
        if let Some(first) = first.as_ref().filter(|_| trees.is_empty() && !cut_short) {
            for longer in moves + 1..=asked.moves {
                match solve_key(problem, longer, first.half_move, &context.limits) {
                    Err(TreeError::NotAKey { .. }) => {}
                    tree => {
                        trees.push(tree.map_err(Refused::unanswered)?);
                        later = Some(longer);
                        break;
                    }
                }
            }
            let found = refutation(problem, asked.moves, first.half_move, &context.limits);
            let found = found.map_err(Refused::unanswered)?;
            refutations = found.as_ref().map(|found| match found {
                Refutation::Stalemate => Vec::new(),
                Refutation::Replies(replies) => replies.iter().map(|reply| reply.half_move).collect(),
            });
            refuted = found.map(|found| refuted_words(&asked.position.placement, first, found));
        }
        Ok(Mates {
            moves,
            keys: solution.keys.clone(),
            solution: trees.iter().map(|tree| tree.line.clone()).collect(),
            sooner,
            later,
            refuted,
            refutations,
            native: Some((solution, trees)),
            machine: None,
            cut_short,
        })
    }

    fn machine(&Put { asked, native, machine }: &Put<'_, Self>) -> Result<Ran<Mates>, Refused> {
        let Asking { program, settings, .. } = machine;
        if native.is_some_and(|native| native.moves > program.deepest()) {
            return Err(Refused::declined(told!("mate-too-deep", count = program.deepest())));
        }
        let (moves, record, outcome) = keys_of(asked, native, program, settings)?;
        if native.is_some() {
            match outcome {
                Err(NoAnswer::Refused(Refusal::TableFull(_))) => {
                    return Err(Refused::declined(told!("mate-table-full")));
                }
                Err(NoAnswer::Refused(Refusal::Limit)) if asked.shortest => {
                    return Err(Refused::declined(told!("mate-limit")));
                }
                _ => {}
            }
        }
        let mut ran = Ran { record, outcome, also: None }.map(|keys| (keys, Vec::new()));
        let Ok((keys, solution)) = &mut ran.outcome else {
            return Ok(ran.map(|(keys, solution)| Mates::of_machine(moves, keys, solution)));
        };
        let mut later = None;
        match native.and_then(|native| Some((native, native.native.as_ref()?))) {
            // The trees are compared one by one.
            Some((native, (_, trees))) => {
                let moves = native.later.unwrap_or(moves);
                for tree in trees {
                    let run = program.tree(&asked.problem, moves, tree.line.key, settings).map_err(cannot_run)?;
                    let verdict = Verdict::between(Ok(tree), &run.outcome, |native, machine| {
                        compare_trees(&native.line, native.positions_visited.levels(), machine)
                    });
                    ran.also = [ran.also.take(), Some(verdict)].into_iter().flatten().reduce(Verdict::and);
                }
            }
            None => {
                if let Some(key) =
                    asked.first.as_ref().map(|first| first.half_move).filter(|key| !keys.keys.contains(key))
                {
                    for longer in moves + 1..=asked.moves {
                        let run = program.tree(&asked.problem, longer, key, settings).map_err(cannot_run)?;
                        if !matches!(run.outcome, Ok(TreeAnswer::NotAKey)) {
                            later = Some((longer, key));
                            break;
                        }
                    }
                }
                let wanted = keys.keys.iter().filter(|key| asked.wants(**key)).map(|&key| (moves, key));
                for (moves, key) in wanted.chain(later) {
                    let tree = mates::tree::tree(program, &asked.problem, moves, key, settings).map_err(cannot_run)?;
                    match tree.outcome {
                        Ok(line) => solution.push(line),
                        // The keys stand; the trees are missing.
                        Err(NoAnswer::Refused(refusal)) => {
                            machine.context.remark(told!("mate-no-tree", refusal = refusal.name()));
                            break;
                        }
                        Err(fault) => return Ok(Ran { outcome: Err(fault), record: ran.record, also: None }),
                    }
                }
            }
        }
        let later = later.map(|(moves, _)| moves);
        Ok(ran.map(|(keys, solution)| Mates { later, ..Mates::of_machine(moves, keys, solution) }.with_refuted(asked)))
    }

    fn differences(native: &Mates, machine: &Mates) -> Vec<Difference> {
        match (&native.native, &machine.machine) {
            (Some((native, _)), Some(machine)) => compare_keys(native, machine),
            _ => Vec::new(),
        }
    }

    fn join(native: &mut Mates, machine: &Mates) {
        native.machine.clone_from(&machine.machine);
    }

    fn is_settled(found: &Mates) -> bool {
        !found.cut_short
    }

    fn prepare(&Put { asked, native: found, machine }: &Put<'_, Self>) -> Result<Prepared, Refused> {
        let moves = found.map_or(asked.moves, |found| found.moves);
        let run = machine.program.prepare(&asked.problem, moves, None, &machine.settings).map_err(cannot_run)?;
        let trees: Vec<String> =
            found.iter().flat_map(|found| &found.solution).map(|line| format!("{:#}", asked.tree(line))).collect();
        let notes = Notes { tree: (!trees.is_empty()).then(|| trees.join("\n\n")), ..notes_of_moves(&asked.problem) };
        let title = told!("mate-within", side = asked.problem.side_to_move(), moves);
        Ok(Prepared::new(title, notes, &machine.program, run))
    }

    fn about(&self, given: &SuitePosition) -> Result<Mate, Refused> {
        if self.key.is_some() {
            return Err(Refused::usage(told!("mate-suite-key")));
        }
        let moves = match given.mate_in {
            Some(moves) => Some(
                Within::new(moves.into())
                    .map_err(|range| Refused::no_verdict(told!("mate-suite-length", count = moves, range)))?,
            ),
            None => self.moves,
        };
        let position = GivenPosition::of_fen(&given.fen);
        Ok(Mate { position, moves, all_keys: true, key: None, without_trees: true })
    }

    fn judged(asked: &Asked, found: &Mates, given: &SuitePosition, words: &Words) -> Judged {
        let keys: Vec<String> = found.keys.iter().map(Move::to_string).collect();
        let sooner = given.mate_in.is_some() && !found.sooner.is_empty();
        let says_something = given.mate_in.is_some() || !given.best.is_empty();
        let as_given = !keys.is_empty() && given.best.iter().all(|key| keys.contains(key));
        Judged {
            as_expected: says_something.then_some(as_given && !sooner),
            note: if sooner { words.say(&told!("mate-fewer", count = asked.moves)) } else { String::new() },
            found: keys,
        }
    }

    fn document<'a>(asked: &'a Asked, found: Option<&'a Mates>) -> impl Serialize + 'a {
        let machine = found.and_then(|found| found.machine.as_ref());
        json!({
            "fen": asked.problem.fen(),
            // Mate in how many moves.
            "moves": found.map_or(asked.moves, |found| found.moves),
            // Every first move that forces mate within that number of moves, sorted; null without an answer.
            "keys": found.map(|found| &found.keys),
            // The tree of every key, or of the one asked for.
            "solution": found.map_or(&[][..], |found| &found.solution),
            // The replies that refute the move asked about, none if it stalemates; null without such a move.
            "refutations": found.and_then(|found| found.refutations.as_ref()),
            // In the search for the keys; null for an engine that was not asked or did not answer.
            "positions_visited": {
                "native": found.and_then(|found| Some(Visits::total(&found.native.as_ref()?.0.positions_visited))),
                "machine": machine.map(|machine| machine.visits.iter().sum::<u64>()),
            },
        })
    }

    fn say(asked: &Asked, found: &Mates, words: &Words) -> Said {
        let mut said = Said::new(words, &headline(asked, found));
        if let (Ok(chess), Some(line)) = (Chess::try_from(&asked.position.placement), found.solution.first()) {
            let line = main_line(&chess, line);
            said = said.with_proof(&chess, &line, words);
        }
        let visits = [
            ("native", found.native.as_ref().map(|(native, _)| native.positions_visited.levels())),
            ("machine", found.machine.as_ref().map(|machine| machine.visits.as_slice())),
        ];
        let visits = visits.into_iter().filter_map(|(engine, levels)| Some(visited(engine, levels?, words)));
        let lines: Vec<String> = visits.collect();
        said.parts.push(Part::Text { lines });
        for line in &found.solution {
            let zugzwang = words.keyed("mate-zugzwang");
            let tree = words.moves(&format!("{:#}", asked.tree(line).with_zugzwang(&zugzwang)));
            let items = tree.lines().enumerate().map(|(index, text)| {
                // The name of a move that mates at once already shows it.
                let sooner = found.sooner.contains(&line.key) && !line.san.ends_with('#');
                let other = found.later.or(sooner.then(|| found.moves - 1)).filter(|_| index == 0);
                let mark = other.map(|count| format!("  ({})", words.say(&told!("mate-sooner", count))));
                let mark = mark.unwrap_or_default();
                let ways = if index == 0 { vec![[line.key.from, line.key.to].map(number_of).to_vec()] } else { vec![] };
                Item { text: format!("{text}{mark}"), depth: 0, ways }
            });
            said = said.with_list("", items);
        }
        if let Some(refuted) = &found.refuted {
            said = said.with_part(Part::line(words, refuted));
        }
        if found.cut_short && !found.keys.is_empty() {
            said = said.with_remark(words, &told!("mate-trees-cut-short"));
        }
        said
    }

    fn show(asked: &Asked, found: &Mates, words: &Words) -> Shown {
        let side = asked.problem.side_to_move();
        let mut shown = Shown::new(asked.problem.board(), words.say(&headline(asked, found)));
        for threat in found.solution.iter().flat_map(|line| &line.threats) {
            shown.arrow(side, [threat.half_move.from, threat.half_move.to], false);
        }
        let threatens = !shown.arrows.is_empty();
        for key in &found.keys {
            shown.arrow(side, [key.from, key.to], true);
        }
        let legend = [(!found.keys.is_empty(), Some(told!("legend-key"))), (threatens, Some(told!("legend-threat")))];
        shown.legend = vec![sentences(legend, words)];
        for square in Square::ALL {
            let text = if found.keys.iter().any(|key| key.to == square) { "key" } else { "" };
            if !text.is_empty() || found.keys.iter().any(|key| key.from == square) {
                shown.letters.push(Mark { square, text: text.to_owned(), shade: Shade::Way });
            }
        }
        shown
    }
}

impl Asked {
    /// The tree of a key, with the numbers that its moves have in the game.
    fn tree<'s>(&self, line: &'s SolutionLine) -> NumberedSolution<'s> {
        let Placement { fullmoves, turn, .. } = self.position.placement;
        line.numbered(fullmoves.get(), turn)
    }

    /// Whether the tree of a key is wanted.
    fn wants(&self, key: Move) -> bool {
        !self.without_trees && self.first.as_ref().is_none_or(|first| first.half_move == key)
    }
}

impl Mates {
    fn of_machine(moves: u32, keys: MachineKeys, solution: Vec<SolutionLine>) -> Mates {
        Mates { moves, keys: keys.keys.clone(), solution, machine: Some(keys), ..Mates::default() }
    }

    /// The machine knows only that a move is no key.
    fn with_refuted(mut self, asked: &Asked) -> Mates {
        let first = asked.first.as_ref().filter(|first| self.later.is_none() && !self.keys.contains(&first.half_move));
        self.refuted = first.map(|first| {
            let san = in_letters(first_numbered(&asked.position.placement, first));
            told!("mate-not-key", san, moves = asked.moves)
        });
        self
    }
}

/// The machine's keys: of the number of moves that the native search found, or of the first number that has any. All
/// passes count, in the record and for the limit of instructions.
fn keys_of(
    asked: &Asked,
    native: Option<&Mates>,
    program: &MateProgram,
    settings: &Settings,
) -> Result<(u32, MachineRecord, MachineOutcome<MachineKeys>), Refused> {
    let mut moves = match native {
        Some(native) => native.moves,
        None if asked.shortest => 1,
        None => asked.moves,
    };
    let mut before: Option<MachineRecord> = None;
    loop {
        let used = before.as_ref().map_or(0, |record| record.instructions);
        let left = settings.limits.instructions.saturating_sub(used);
        let settings = settings.within(&settings.limits.with_instructions(left));
        let run = program.keys(&asked.problem, moves, &settings).map_err(cannot_run)?;
        let record = MachineRecord::of(&run);
        let record = before.take().map_or(record.clone(), |before| before.and(record));
        if native.is_some() || moves >= asked.moves || run.answer().is_none_or(|found| !found.keys.is_empty()) {
            return Ok((moves, record, run.outcome));
        }
        before = Some(record);
        moves += 1;
    }
}

/// The native keys and the length of their mates; and whether the search was ended before the longer mates were decided.
fn solved(asked: &Asked, context: &Context<'_>) -> Result<(u32, Solution, bool), Refused> {
    let mut shorter = None;
    for moves in if asked.shortest { 1 } else { asked.moves }..=asked.moves {
        match (solve(&asked.problem, moves, &context.limits), shorter) {
            (Ok(found), _) if moves == asked.moves || !found.keys.is_empty() => return Ok((moves, found, false)),
            (Ok(none), _) => shorter = Some((moves, none)),
            (Err(Stopped::GivenUp(_)), Some((moves, none))) => return Ok((moves, none, true)),
            (Err(stopped), _) => return Err(Refused::unanswered(stopped)),
        }
    }
    Err(Refused::usage(told!("none")))
}

/// The legal move that a text names, in UCI or in algebraic notation.
fn first_move(problem: &Problem, text: &str) -> Result<NamedMove, Refused> {
    let wanted = plain_spelling(text);
    let legal = legal_moves(problem);
    let found = legal.iter().find(|legal| legal.half_move.to_string() == text || plain_spelling(&legal.san) == wanted);
    found.cloned().ok_or_else(|| {
        let list: Vec<&str> = legal.iter().map(|legal| legal.san.as_str()).collect();
        let side = problem.side_to_move();
        Refused::bad_input(match list.is_empty() {
            true => told!("mate-no-moves", text, side),
            false => told!("mate-bad-key", text, side, moves = in_letters(list.join(" "))),
        })
    })
}

fn headline(asked: &Asked, found: &Mates) -> Message {
    let (problem, moves) = (&asked.problem, found.moves);
    let side = problem.side_to_move();
    match found.keys.len() {
        0 if found.cut_short => told!("mate-none-so-far", side, moves, asked = asked.moves),
        0 if !legal_moves(problem).is_empty() => told!("mate-none", side, moves),
        0 if problem.is_check() => told!("mate-mated", side, moves),
        0 => told!("mate-stalemated", side, moves),
        count if !found.sooner.is_empty() => told!("mate-at-most", side, moves, count),
        count if moves < asked.moves => {
            told!("mate-shorter", side, moves, count, asked = asked.moves)
        }
        count => told!("mate-found", side, moves, count),
    }
}

/// A first move with its number in the game.
fn first_numbered(placement: &Placement, first: &NamedMove) -> String {
    format!("{}{}{}", placement.fullmoves, placement.turn.fold_wb(".", "..."), first.san)
}

/// Why a first move is no key.
fn refuted_words(placement: &Placement, first: &NamedMove, refuted: Refutation) -> Message {
    let (number, san) = (placement.fullmoves.get(), in_letters(first_numbered(placement, first)));
    match refuted {
        Refutation::Stalemate => told!("mate-stalemates", san),
        Refutation::Replies(replies) => {
            let few = replies.len() <= FEW_REFUTATIONS;
            let number = placement.turn.fold_wb(format!("{number}..."), format!("{}.", number + 1));
            let name = |reply: &NamedMove| if few { format!("{number}{}!", reply.san) } else { reply.san.clone() };
            let shown: Vec<String> = replies.iter().take(REFUTATIONS_SHOWN).map(name).collect();
            match few {
                true => told!("mate-refuted-by", san, replies = in_letters(shown.join(", "))),
                false => {
                    let more = replies.len() - shown.len();
                    told!(
                        "mate-refuted-by-many",
                        san,
                        count = replies.len(),
                        replies = in_letters(shown.join(", ")),
                        more
                    )
                }
            }
        }
    }
}

/// A line of the tree that holds out as long as any: the first reply that is mated last, and the first answers.
pub(crate) fn main_line(start: &Chess, line: &SolutionLine) -> Vec<shakmaty::Move> {
    fn longest(line: &SolutionLine) -> Vec<Move> {
        let after_reply = |defence: &Defence| -> Vec<Move> {
            let rest = match (defence.continuations.first(), defence.mates.first()) {
                (Some(line), _) => longest(line),
                (None, Some(mate)) => vec![mate.half_move],
                (None, None) => Vec::new(),
            };
            std::iter::once(defence.reply.half_move).chain(rest).collect()
        };
        let replies = line.variations.iter().map(after_reply);
        let best = replies.reduce(|best, next| if next.len() > best.len() { next } else { best });
        std::iter::once(line.key).chain(best.unwrap_or_default()).collect()
    }
    let mut position = start.clone();
    let play = |written: Move| {
        let played = of_uci(&position, written)?;
        position = after(&position, played);
        Some(played)
    };
    longest(line).into_iter().map_while(play).collect()
}

/// `native: 49 positions visited: 6 + 8 + 30 + 5 by half-moves`
fn visited(engine: &str, levels: &[u64], words: &Words) -> String {
    let list: Vec<String> = levels.iter().map(|&level| words.number(level)).collect();
    let count: u64 = levels.iter().sum();
    words.say(&match levels.len() {
        0 | 1 => told!("mate-visited", engine, count),
        _ => told!("mate-visited-levels", engine, count, levels = list.join(" + ")),
    })
}

/// Notes on a position in which a move is looked for: the names of the legal moves.
#[must_use]
pub fn notes_of_moves(problem: &Problem) -> Notes {
    let moves = legal_moves(problem).into_iter().map(|legal| (legal.half_move.to_string(), legal.san));
    Notes { moves: moves.collect(), ..Notes::default() }
}

/// The same on any position; none if it has no place among the problems.
#[must_use]
pub fn notes_of_position(position: &Placement) -> Notes {
    Problem::from_setup(position.to_setup()).map(|problem| notes_of_moves(&problem)).unwrap_or_default()
}
