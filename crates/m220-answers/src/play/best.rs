//! The move that Bell's program of the 1960s chooses.

use crate::mate::notes_of_moves;
use crate::prelude::*;
use chess_reference::algorithm50::play::{
    Evaluation, MoveOutcome, NamedReading, READINGS, Strategy, StrategyReading, ValuedMove, evaluate,
};
use chess_reference::algorithm50::{Move, Problem, legal_moves};
use m220_chess::PlayProgram;
use m220_chess::play::{PlayQuestion, compare_evaluations};
use std::collections::HashMap;

/// The move that Bell's program chooses, and what every legal move is worth to it
///
/// By Bell's rules as reconstructed: the reading of his description that reproduces most of his program's printed moves, 20 of
/// 24 (`m220 play history`); that is a fit, not a test.
///
/// Each legal move is made, then every reply, and the third half-moves are listed; the reply that is worst for the
/// mover counts. A value has three parts; each decides only where the earlier ones are equal. Swing: what the exchanges
/// win, in ranks of pieces (pawn 1, knight 2, bishop 3, rook 4, queen 5). Rank: that of the captured piece, minus one.
/// Control: how many moves the mover has after the worst reply.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(
    feature = "clap",
    command(after_help = "\
Examples:
  m220 play best --position opera
  m220 play best --position bell-2.11 --board --flip")
)]
pub struct Bell {
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    position: GivenPosition,
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    rules: Rules,
    /// Skip the remaining replies once a move can no longer be chosen; the choice stays the same, but the values of
    /// other moves may then be too high
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    cut_off: bool,
}

/// How Bell's program chooses.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Rules {
    /// The reading of Bell's text; readings other than the first are native only
    #[serde(default = "usual_reading")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME", default_value = READINGS[0].name))]
    pub reading: Text<NamedReading>,
    /// The queen may move from this move on; before that only if nothing else can. 1: no restriction
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t))]
    pub queen_from: Within<1, 4095, 6>,
}

const fn usual_reading() -> Text<NamedReading> {
    Text(READINGS[0])
}

impl Field for NamedReading {
    const CHOICES: Choices<NamedReading> = &{
        let mut choices = [(READINGS[0], "", ""); READINGS.len()];
        let mut index = 0;
        while index < READINGS.len() {
            choices[index] = (READINGS[index], READINGS[index].name, READINGS[index].summary);
            index += 1;
        }
        choices
    };
}

/// A position, and the rules by which a move of it is chosen.
pub struct Asked {
    pub(super) problem: Problem,
    rules: Rules,
    pub(super) strategy: Strategy,
}

impl Asked {
    pub(super) fn question(&self) -> PlayQuestion<'_> {
        PlayQuestion { problem: &self.problem, strategy: &self.strategy }
    }

    /// The question about a position.
    ///
    /// # Errors
    /// [`Refused::usage`] if the machine alone is asked for a reading that it does not know.
    pub fn of(problem: Problem, rules: &Rules, cut_off: bool, engine: Engine) -> Result<Asked, Refused> {
        let reading = rules.reading.reading;
        if engine == Engine::M220 && reading != StrategyReading::SWAP {
            return Err(Refused::usage(told!("bell-reading", reading = rules.reading.name)));
        }
        let strategy = Strategy { reading, queen_from: rules.queen_from.small(), cut_off };
        Ok(Asked { problem, rules: rules.clone(), strategy })
    }

    /// The machine with the question in its cells.
    pub(super) fn prepare(&self, machine: &Asking<'_, PlayProgram>) -> Result<Prepared, Refused> {
        let run = machine.put(&self.question())?;
        Ok(Prepared::new(told!("bell-title"), notes_of_moves(&self.problem), &machine.program, run))
    }
}

/// The values of all legal moves, and how many moves each engine has looked at for them.
pub struct Valued {
    /// The values and the choice.
    pub found: Evaluation,
    visited: Visited,
}

/// Legal first half-moves, legal replies, third half-moves listed; null for an engine that gave none.
#[derive(Serialize, Debug, Default, Clone, Copy)]
struct Visited {
    native: Option<[u64; 3]>,
    machine: Option<[u64; 3]>,
}

/// Refuses a reading that the machine program does not know.
pub(super) fn machine_knows(rules: &Rules) -> Result<(), Refused> {
    match rules.reading.reading == StrategyReading::SWAP {
        true => Ok(()),
        false => Err(Refused::declined(told!("bell-reading", reading = rules.reading.name))),
    }
}

impl Question for Bell {
    const NAME: &'static str = "bell";
    type Program = PlayProgram;
    type Subject = Asked;
    type Answer = Valued;

    fn subject(&self, engine: Engine, context: &Context<'_>) -> Result<Asked, Refused> {
        let position: Position = self.position.needed(context)?;
        let problem = Problem::from_setup(position.placement.to_setup()).map_err(|error| position.refused_by(error))?;
        Asked::of(problem, &self.rules, self.cut_off, engine)
    }

    fn native(asked: &Asked, _: &Context<'_>) -> Result<Valued, Refused> {
        let found = evaluate(&asked.problem, &asked.strategy);
        Ok(Valued { visited: Visited { native: Some(found.visits), machine: None }, found })
    }

    fn machine(&Put { asked, machine, .. }: &Put<'_, Self>) -> Result<Ran<Valued>, Refused> {
        machine_knows(&asked.rules)?;
        let run = machine.ask(&asked.question())?;
        Ok(run.map(|found| Valued { visited: Visited { native: None, machine: Some(found.visits) }, found }))
    }

    fn differences(native: &Valued, machine: &Valued) -> Vec<Difference> {
        compare_evaluations(&native.found, &machine.found)
    }

    fn join(native: &mut Valued, machine: &Valued) {
        native.visited.machine = machine.visited.machine;
    }

    fn prepare(&Put { asked, machine, .. }: &Put<'_, Self>) -> Result<Prepared, Refused> {
        asked.prepare(machine)
    }

    fn document<'a>(asked: &'a Asked, found: Option<&'a Valued>) -> impl Serialize + 'a {
        let names = names(&asked.problem);
        let choice = found.and_then(|found| found.found.choice()).map(|choice| choice.half_move);
        let record = |candidate: &ValuedMove| {
            json!({
                "move": candidate.half_move,
                "san": name(&names, candidate.half_move),
                "swing": candidate.value.swing,
                "rank": candidate.value.rank,
                "control": candidate.value.control,
                // `mate`, `stalemate`, or null.
                "outcome": candidate.outcome,
                // A move of the queen that is too early.
                "barred": candidate.barred,
            })
        };
        json!({
            "fen": asked.problem.fen(),
            "reading": asked.rules.reading.name,
            // The choice; null if the side to move is mated or stalemated, or without an answer.
            "move": choice,
            "san": choice.map(|choice| name(&names, choice)),
            // Every legal move, best first; equal ones in the order in which they would be chosen.
            "candidates": found.into_iter().flat_map(|found| found.found.ranking()).map(record).collect::<Vec<_>>(),
            // Legal first half-moves, legal replies, third half-moves listed.
            "visited": found.map(|found| found.visited).unwrap_or_default(),
        })
    }

    fn say(asked: &Asked, found: &Valued, words: &Words) -> Said {
        let names = names(&asked.problem);
        let Evaluation { visits: [moves, replies, third], stuck, .. } = found.found;
        let mut said = Said::new(words, &headline(asked, &found.found, &names));
        let visited = told!("bell-visited", moves, replies, third);
        said.parts.push(Part::line(words, &visited));
        if stuck.is_some() {
            return said;
        }
        let row = |candidate: &&ValuedMove| {
            let (value, Move { from, to, .. }) = (candidate.value, candidate.half_move);
            let mut notes = Vec::new();
            notes.extend(candidate.outcome.map(|outcome| told!("bell-outcome", outcome = outcome.name())));
            // Where only queens can move, none is left out.
            let is_out = candidate.barred && found.found.choice().is_some_and(|choice| !choice.barred);
            notes.extend(is_out.then(|| told!("bell-barred", number = asked.strategy.queen_from.to_string())));
            let notes: Vec<String> = notes.iter().map(|note| words.say(note)).collect();
            Row {
                cells: vec![
                    words.moves(&name(&names, candidate.half_move)),
                    value.swing.to_string(),
                    value.rank.to_string(),
                    value.control.to_string(),
                    notes.join(", "),
                ],
                ways: ways([&[from, to][..]]),
            }
        };
        let columns = vec![
            Column::words(words, &told!("bell-move"), None),
            Column::figures(words, &told!("bell-swing"), Some("swing")),
            Column::figures(words, &told!("bell-rank"), Some("rank")),
            Column::figures(words, &told!("bell-control"), Some("control")),
            Column::words(words, &told!("bell-note"), None),
        ];
        said.with_part(Part::table("", columns, found.found.ranking().iter().map(row)))
    }

    fn show(asked: &Asked, found: &Valued, words: &Words) -> Shown {
        let heading = words.say(&headline(asked, &found.found, &names(&asked.problem)));
        let mut shown = Shown::new(asked.problem.board(), heading);
        if let Some(choice) = found.found.choice() {
            shown.arrow(asked.problem.side_to_move(), [choice.half_move.from, choice.half_move.to], true);
        }
        shown
    }
}

fn headline(asked: &Asked, found: &Evaluation, names: &HashMap<Move, String>) -> Message {
    let side = asked.problem.side_to_move();
    match (found.choice(), found.stuck) {
        (Some(choice), _) => told!("bell-chosen", side, san = in_letters(name(names, choice.half_move))),
        (None, Some(MoveOutcome::Mate)) => told!("best-no-move", side, how = "mate"),
        (None, _) => told!("best-no-move", side, how = "stalemate"),
    }
}

/// The names of the legal moves.
fn names(problem: &Problem) -> HashMap<Move, String> {
    legal_moves(problem).into_iter().map(|named| (named.half_move, named.san)).collect()
}

/// The name of a candidate, which is a legal move if the machine is right.
fn name(names: &HashMap<Move, String>, half_move: Move) -> String {
    names.get(&half_move).cloned().unwrap_or_else(|| half_move.to_string())
}
