//! The games that Bell's program played, and what it would play now.

use super::best::{Asked, Rules, machine_knows};
use crate::prelude::*;
use chess_reference::algorithm50::legal_moves;
use chess_reference::algorithm50::play::{
    BELL_GAMES, BellGame, Evaluation, HistoricalMove, Value, ValuedMove, evaluate, historical_moves,
};
use m220_chess::PlayProgram;
use m220_chess::play::compare_evaluations;

/// The two games that Bell's program played against John Scott's, and what it would play now
///
/// For every move of Bell's program: its value (swing, rank and control: see `m220 play best --help`), its place among the
/// legal moves (with = if others are worth the same), and the choice now with its value. These are Bell's rules as
/// reconstructed: the reading was chosen because it reproduces more of these moves than any other, so their number is a
/// fit, not a test.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(
    feature = "clap",
    command(after_help = "\
Examples:
  m220 play history
  m220 play history --game 2 --engine native")
)]
pub struct History {
    /// Only this game
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    game: Option<Within<1, 2>>,
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    rules: Rules,
}

/// The moves asked about, each with its question.
pub struct Moves {
    game: Option<u32>,
    rules: Rules,
    moves: Vec<(HistoricalMove, Asked)>,
}

/// The values of the legal moves in one position.
pub struct Again {
    found: Evaluation,
    machine: Option<MachineRecord>,
}

impl Again {
    /// Whether another move is worth as much as this one.
    fn is_tied(&self, played: &HistoricalMove) -> bool {
        let place = self.found.place(played.half_move);
        self.found.candidates.iter().filter(|each| self.found.place(each.half_move) == place).count() > 1
    }

    fn value(&self, played: &HistoricalMove) -> Option<Value> {
        let is_played = |candidate: &&ValuedMove| candidate.half_move == played.half_move;
        self.found.candidates.iter().find(is_played).map(|found| found.value)
    }

    fn choice_san(&self, played: &HistoricalMove) -> Option<String> {
        let choice = self.found.choice()?.half_move;
        let named = legal_moves(&played.problem).into_iter().find(|named| named.half_move == choice);
        Some(named.map_or_else(|| choice.to_string(), |named| named.san))
    }

    fn is_chosen(&self, played: &HistoricalMove) -> bool {
        self.found.choice().is_some_and(|choice| choice.half_move == played.half_move)
    }
}

impl Moves {
    /// How many moves of Bell's program are chosen again.
    fn reproduced(&self, found: &[Again]) -> usize {
        self.moves.iter().zip(found).filter(|((played, _), again)| again.is_chosen(played)).count()
    }
}

impl Question for History {
    const NAME: &'static str = "play history";
    const DRAWN: bool = false;
    type Program = PlayProgram;
    type Subject = Moves;
    type Answer = Vec<Again>;

    fn subject(&self, engine: Engine, _: &Context<'_>) -> Result<Moves, Refused> {
        let game = self.game.map(|game| game.small());
        let wanted = historical_moves().into_iter().filter(|played| game.is_none_or(|game| game == played.game));
        let asked = |played: HistoricalMove| {
            let asked = Asked::of(played.problem.clone(), &self.rules, false, engine)?;
            Ok((played, asked))
        };
        let moves = wanted.map(asked).collect::<Result<_, Refused>>()?;
        Ok(Moves { game, rules: self.rules.clone(), moves })
    }

    fn native(asked: &Moves, _: &Context<'_>) -> Result<Vec<Again>, Refused> {
        let again = |(_, asked): &(_, Asked)| Again { found: evaluate(&asked.problem, &asked.strategy), machine: None };
        Ok(asked.moves.iter().map(again).collect())
    }

    fn machine(&Put { asked, machine, .. }: &Put<'_, Self>) -> Result<Ran<Vec<Again>>, Refused> {
        machine_knows(&asked.rules)?;
        let mut all = Vec::new();
        let runs = asked.moves.iter().map(|(_, asked)| {
            let run = machine.ask(&asked.question())?;
            let record = run.record.clone();
            Ok(run.map(|found| all.push(Again { found, machine: Some(record) })))
        });
        let last = Ran::in_turn(runs)?.ok_or_else(|| Refused::usage(told!("none")))?;
        Ok(last.map(|()| all))
    }

    fn differences(native: &Vec<Again>, machine: &Vec<Again>) -> Vec<Difference> {
        native.iter().zip(machine).flat_map(|(one, other)| compare_evaluations(&one.found, &other.found)).collect()
    }

    fn join(native: &mut Vec<Again>, machine: &Vec<Again>) {
        for (native, machine) in native.iter_mut().zip(machine) {
            native.machine.clone_from(&machine.machine);
        }
    }

    fn prepare(&Put { asked, machine, .. }: &Put<'_, Self>) -> Result<Prepared, Refused> {
        let (_, first) = asked.moves.first().ok_or_else(|| Refused::usage(told!("none")))?;
        first.prepare(machine)
    }

    fn document<'a>(asked: &'a Moves, found: Option<&'a Vec<Again>>) -> impl Serialize + 'a {
        let found: &[Again] = found.map_or(&[], |found| found);
        let row = |((played, _), again): (&(HistoricalMove, Asked), &Again)| {
            json!({
                "game": played.game,
                "number": played.number,
                "fen": played.problem.fen(),
                "move": played.half_move,
                "san": played.san,
                "value": again.value(played),
                // 1 if no legal move is better.
                "place": again.found.place(played.half_move),
                // The choice now.
                "choice": again.found.choice().map(|choice| choice.half_move),
                "choice_san": again.choice_san(played),
                "choice_value": again.found.choice().map(|choice| choice.value),
                // Legal first half-moves, legal replies, third half-moves listed.
                "visited": again.found.visits,
                // Null for the native engine alone.
                "machine": again.machine,
            })
        };
        json!({
            "game": asked.game,
            "reading": asked.rules.reading.name,
            // Moves of Bell's program that were chosen again.
            "reproduced": asked.reproduced(found),
            // Moves of Bell's program.
            "moves": asked.moves.iter().zip(found).map(row).collect::<Vec<_>>(),
        })
    }

    fn say(asked: &Moves, found: &Vec<Again>, words: &Words) -> Said {
        let headline = told!("history-reproduced", reproduced = asked.reproduced(found), count = found.len());
        let mut said = Said::new(words, &headline);
        for game in BELL_GAMES.iter().filter(|game| asked.game.is_none_or(|number| number == game.number)) {
            let moves = asked.moves.iter().zip(found).filter(|((played, _), _)| played.game == game.number);
            let rows = moves.map(|((played, _), again)| row(game, played, again, words));
            let columns = vec![
                Column::words(words, &told!("bell-move"), None),
                Column::words(words, &told!("history-value"), None),
                Column::figures(words, &told!("history-place"), None),
                Column::words(words, &told!("history-choice"), None),
                Column::words(words, &told!("history-value"), None),
                Column::figures(words, &told!("history-third"), None),
                Column::figures(words, &told!("history-m220"), None),
            ];
            said = said.with_part(Part::Text { lines: score(game, words) }).with_part(Part::table("", columns, rows));
        }
        let times: Vec<f64> =
            found.iter().filter_map(|again| again.machine.as_ref()).map(|machine| machine.time_us.m220).collect();
        if !times.is_empty() {
            let mean = crate::words::time(times.iter().sum::<f64>() / times.len() as f64);
            said = said.with_remark(words, &told!("history-mean", time = mean));
        }
        let third: u64 = found.iter().map(|again| again.found.visits[2]).sum();
        said.with_remark(words, &told!("history-listed", count = third)).with_remark(words, &told!("history-fit"))
    }
}

/// A move of Bell's program, and the choice now where it is another.
fn row(game: &BellGame, played: &HistoricalMove, again: &Again, words: &Words) -> Row {
    let dots = if game.atlas == Color::Black { "..." } else { "." };
    let value = |value: Option<Value>| value.map_or("-".to_owned(), |value| value.to_string());
    let (choice, choice_value) = match again.is_chosen(played) {
        true => (String::new(), String::new()),
        false => (
            words.moves(&again.choice_san(played).unwrap_or("-".to_owned())),
            value(again.found.choice().map(|choice| choice.value)),
        ),
    };
    let tie = if again.is_tied(played) { "=" } else { "" };
    let place = again.found.place(played.half_move).map_or("-".to_owned(), |place| format!("{tie}{place}"));
    let time = again.machine.as_ref().map_or(String::new(), |machine| words.time(machine.time_us.m220));
    let name = words.moves(&format!("{}{dots}{}", played.number, played.san));
    let third = words.number(again.found.visits[2]);
    let cells = vec![name, value(again.value(played)), place, choice, choice_value, third, time];
    Row { cells, ways: ways([&[played.half_move.from, played.half_move.to][..]]) }
}

/// The game's score as it was printed.
fn score(game: &BellGame, words: &Words) -> Vec<String> {
    let (white, black) = game.atlas.fold_wb(("Atlas (Bell)", "Scott"), ("Scott", "Atlas (Bell)"));
    let moves: Vec<&str> = game.moves.split_whitespace().collect();
    let moves: Vec<String> =
        (1..).zip(moves.chunks(2)).map(|(number, pair)| format!("{number}.{}", pair.join(" "))).collect();
    let count = moves.len();
    let players = told!("history-game", number = game.number.to_string(), white, black, count);
    vec![words.say(&players), words.moves(&moves.join(" ")), words.whole(game.note.to_owned())]
}
