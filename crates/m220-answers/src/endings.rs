//! Small endings, classified exactly: the table of one, or a position of it.

mod document;
mod picture;

use crate::prelude::*;
use crate::question::run_line;
use chess_reference::endings::{
    Classes, EndingAnswer, EndingError, EndingPosition, ForcedResult, LongestWins, Material, Totals,
};
use document::{BlackToMove, WhiteToMove};
use m220_chess::endings::{MachineTable, ON_THE_MACHINE, compare_answers, compare_tables};
use m220_chess::{EndingProgram, Layers};
use m220_machine::devices::drum::Drum;

/// Classify small endings exactly: the table of an ending, or the class and the best moves of a position
///
/// A class is the distance to mate in half-moves: odd for a side that wins, even for one that loses. The machine
/// program has KRK, KQK, KPK, KBK and KNK; KBNK, KBBK and KNNK are classified only natively.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(
    feature = "clap",
    command(after_help = "\
Examples:
  m220 endings KRK
  m220 endings --fen '8/8/8/8/8/2k5/8/K6R w - - 0 1' --line")
)]
pub struct Endings {
    /// The ending, "White" being the side with the pieces [default: KRK]
    #[cfg_attr(feature = "clap", arg(value_name = "ENDING", conflicts_with = "position-source"))]
    ending: Option<Text<Material>>,
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    position: GivenPosition,
    /// Play the position to its end, each time with the first best move in the order of their names
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, requires = "position-source"))]
    line: bool,
    /// Keep the results of KQK and KRK that KPK needs in this drum image; created if absent
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    drum: Option<ResultFile>,
}

impl Field for Material {
    fn read(text: &str) -> Result<Material, Message> {
        text.parse().map_err(Message::Sentence)
    }

    fn write(&self) -> String {
        self.name().to_owned()
    }
}

/// An ending, or a position of one.
pub struct Asked {
    ending: Material,
    position: Option<EndingPosition>,
    line: bool,
    drum: Option<ResultFile>,
}

/// What was found.
#[derive(Default)]
pub struct Classified {
    /// The native classes.
    native: Option<Classes>,
    /// The census of the table, of either engine, and the more detailed native one.
    table: Option<(MachineTable, Option<Totals>)>,
    /// The answer about the position, and about those that follow it with best play.
    answers: Vec<EndingAnswer>,
    /// The line of best play.
    line: Vec<Move>,
    /// The machine's runs for the layers that a pawn needs.
    before: Vec<(Material, MachineRecord)>,
}

impl Question for Endings {
    const NAME: &'static str = "endings";
    const FORM: Option<Form> = Some(Form { fields: &[], example: "8/8/8/8/8/2k5/1R6/K7 w - - 0 1" });
    type Program = EndingProgram;
    type Subject = Asked;
    type Answer = Classified;

    fn subject(&self, engine: Engine, context: &Context<'_>) -> Result<Asked, Refused> {
        if engine == Engine::Native && self.drum.is_some() {
            return Err(Refused::usage(told!("endings-no-drum")));
        }
        let position = match self.position.read(context)? {
            Some(given) => Some(EndingPosition::new(&given.placement).map_err(|error| match error {
                EndingError::Impossible(_) => given.refused_by(error),
                EndingError::Unsupported(_) => given.unsupported(error),
            })?),
            None => None,
        };
        let named = self.ending.map_or(Material::Krk, |ending| ending.0);
        let ending = position.as_ref().map_or(named, EndingPosition::ending);
        Ok(Asked { ending, position, line: self.line, drum: self.drum.clone() })
    }

    fn native(asked: &Asked, context: &Context<'_>) -> Result<Classified, Refused> {
        let classify = |ending| {
            Classes::within(ending, &context.limits).map_err(|_| Refused::no_verdict(told!("endings-cut-short")))
        };
        let classes = classify(asked.ending)?;
        let mut found = Classified::default();
        match &asked.position {
            None => {
                let totals = classes.totals();
                found.table = Some((MachineTable::of(&classes, &totals), Some(totals)));
            }
            Some(position) => {
                let mut other: Option<Classes> = None;
                (found.answers, found.line) = asked.play(position, |position| {
                    // A promoted pawn leads to another ending.
                    if position.ending() != asked.ending {
                        let known = other.take().filter(|classes| classes.ending() == position.ending());
                        let classes = known.map_or_else(|| classify(position.ending()), Ok)?;
                        return Ok(Some(other.insert(classes).answer(position)));
                    }
                    Ok(Some(classes.answer(position)))
                })?;
            }
        }
        Ok(Classified { native: Some(classes), ..found })
    }

    fn machine(&Put { asked, machine, .. }: &Put<'_, Self>) -> Result<Ran<Classified>, Refused> {
        let Asking { program, settings, context, .. } = machine;
        let ending = asked.ending;
        if !ON_THE_MACHINE.contains(&ending) {
            let list: Vec<&str> = ON_THE_MACHINE.iter().map(|ending| ending.name()).collect();
            let list = list.join(", ");
            return Err(match machine.demanded || asked.drum.is_some() {
                false => Refused::declined(told!("endings-only-natively", ending = ending.name(), list)),
                true => Refused::no_verdict(told!("endings-unsupported", ending = ending.name(), list)),
            });
        }
        let watch: &mut dyn FnMut(Material, u64, u64) = &mut |ending, class, count| {
            context.host.at(&told!("endings-at", ending = ending.name(), count, class = class.to_string()));
        };
        let (held, mut layers) = match &asked.drum {
            Some(path) => drum(program, path, context)?,
            None => (Layers::blank(), Layers::blank()),
        };
        let mut found = Classified::default();
        if ending.has_pawn() {
            for (ending, run) in program.complete(&mut layers, settings, watch).map_err(cannot_run)? {
                if let Err(NoAnswer::Fault(_)) = run.outcome {
                    return Ok(Ran::from(run).map(|_| found));
                }
                if run.answer().is_none() {
                    let (name, count) = (run.result(), run.report.clock.instructions);
                    let told = told!("endings-first", ending = ending.name(), outcome = name, count);
                    return Err(Refused::no_verdict(told));
                }
                found.before.push((ending, MachineRecord::of(&run)));
            }
        }
        let ran = match &asked.position {
            None => {
                // Without a file for them the layers of the queen and the rook are not needed.
                let wanted = Some(&mut layers).filter(|_| ending.has_pawn() || asked.drum.is_some());
                let run = program.table(ending, wanted, settings, watch).map_err(cannot_run)?;
                Ran::from(run).map(|table| Classified { table: Some((table, None)), ..found })
            }
            Some(position) => {
                let mut first: Option<Ran<EndingAnswer>> = None;
                let played = asked.play(position, |position| {
                    let run = program.answer(position, &layers, settings, watch).map_err(cannot_run)?;
                    let answer = run.answer().cloned();
                    let next = Ran::from(run);
                    first = Some(match first.take() {
                        Some(before) => Ran {
                            record: before.record.and(next.record),
                            outcome: if answer.is_none() { next.outcome } else { before.outcome },
                            also: None,
                        },
                        None => next,
                    });
                    Ok(answer)
                })?;
                let first = first.ok_or_else(|| Refused::no_verdict(told!("machine-stopped")))?;
                first.map(|_| {
                    (found.answers, found.line) = played;
                    found
                })
            }
        };
        if let Some(path) = asked.drum.as_ref().filter(|_| held != layers) {
            context.host.write_back(path, &layers.drum().to_bytes())?;
        }
        Ok(ran)
    }

    fn differences(native: &Classified, machine: &Classified) -> Vec<Difference> {
        match (&native.table, &machine.table) {
            (Some((native, _)), Some((machine, _))) => compare_tables(native, machine),
            _ => {
                let pairs = native.answers.iter().zip(&machine.answers);
                pairs.flat_map(|(native, machine)| compare_answers(native, machine)).collect()
            }
        }
    }

    fn join(native: &mut Classified, machine: &Classified) {
        native.before.clone_from(&machine.before);
    }

    fn prepare(&Put { asked, machine, .. }: &Put<'_, Self>) -> Result<Prepared, Refused> {
        let Asking { program, settings, .. } = machine;
        let mut layers = Layers::blank();
        if asked.ending.has_pawn() {
            if !machine.context.host.keeps_devices() {
                return Err(Refused::bad_input(told!("endings-pawn")));
            }
            program.complete(&mut layers, settings, &mut |_, _, _| {}).map_err(cannot_run)?;
        }
        let run = program.prepare(asked.ending, asked.position.as_ref(), &layers, settings).map_err(cannot_run)?;
        let notes = asked.position.as_ref().map(|position| crate::mate::notes_of_position(&position.position()));
        let title = match &asked.position {
            Some(_) => told!("endings-one", ending = asked.ending.name()),
            None => told!("endings-every", ending = asked.ending.name()),
        };
        Ok(Prepared::of_devices(title, notes.unwrap_or_default(), program, run))
    }

    fn document<'a>(asked: &'a Asked, found: Option<&'a Classified>) -> impl Serialize + 'a {
        document::document(asked, found)
    }

    fn say(asked: &Asked, found: &Classified, words: &Words) -> Said {
        let before = found.before.iter().map(|(ending, record)| {
            let line = run_line(record, words);
            words.say(&told!("endings-for-drum", ending = ending.name(), run = line))
        });
        let before: Vec<String> = before.collect();
        let mut said = match &asked.position {
            Some(position) => say_position(asked, position, found, words),
            None => say_table(asked, found, words),
        };
        if !before.is_empty() {
            said.parts.insert(0, Part::Text { lines: before });
        }
        said
    }

    fn show(asked: &Asked, found: &Classified, words: &Words) -> Shown {
        let Some(position) = &asked.position else {
            let longest = found.table.as_ref().and_then(|(_, totals)| totals.as_ref()?.longest_white.as_ref());
            let board = longest.map_or_else(Board::empty, |longest| longest.example.board.clone());
            let mut shown = Shown::new(&board, words.say(&title(asked.ending)));
            if let Some(longest) = longest {
                shown.below = words.say(&told!("endings-longest-board", moves = longest.class.div_ceil(2)));
            }
            return shown;
        };
        let best = found.answers.first().map_or(&[][..], |answer| &answer.best);
        let heading = words.say(&headline(position, found));
        let mut shown = Shown::new(&position.position().board, heading);
        for half_move in best {
            shown.arrow(position.turn(), [half_move.from, half_move.to], true);
            for (square, text) in [(half_move.from, ""), (half_move.to, "best")] {
                shown.letters.push(Mark { square, text: text.to_owned(), shade: Shade::Way });
            }
        }
        shown
    }

    fn picture(asked: &Asked, found: &Classified, below: shakmaty::Color, words: &Words) -> Result<String, Refused> {
        match (&found.native, &asked.position) {
            (Some(classes), None) => Ok(picture::whole_ending(classes, words)),
            (None, None) => Err(Refused::usage(told!("endings-no-picture"))),
            _ => Ok(crate::picture::draw(&Self::show(asked, found, words), below)),
        }
    }
}

impl Asked {
    /// The answer about a position and, with `line`, about those that follow it with best play.
    fn play(
        &self,
        start: &EndingPosition,
        mut answer: impl FnMut(&EndingPosition) -> Result<Option<EndingAnswer>, Refused>,
    ) -> Result<(Vec<EndingAnswer>, Vec<Move>), Refused> {
        let (mut answers, mut line, mut position) = (Vec::new(), Vec::new(), start.clone());
        while let Some(found) = answer(&position)? {
            let next = found.class.and(found.best.first()).copied();
            let next = next.and_then(|first| Some((first, position.after(first)?))).filter(|_| self.line);
            answers.push(found);
            let Some((first, after)) = next else { break };
            line.push(first);
            position = after;
        }
        Ok((answers, line))
    }
}

/// What a drum file holds, twice: as it is, and to be completed.
fn drum(program: &EndingProgram, path: &Path, context: &Context<'_>) -> Result<(Layers, Layers), Refused> {
    let model = m220_isa::Model::M220;
    let bytes = 8 * Drum::capacity_of(model) as u64;
    let before = context.host.read_to_change(path, bytes)?;
    let bad = |error| Refused::bad_input(told!("file-wrong", name = format!("{}: ", path.display()), error));
    let drum = Drum::from_bytes(model, &before.unwrap_or_default()).map_err(|error| bad(Message::of(error)))?;
    let layers = Layers::new(program, drum).map_err(|error| bad(error.into()))?;
    Ok((layers.clone(), layers))
}

/// `KRK: king and rook against king`
fn title(ending: Material) -> Message {
    let pieces: Vec<&str> = ending.pieces().iter().map(|&role| role_name(role)).collect();
    match pieces.as_slice() {
        [one] => told!("endings-of-one", ending = ending.name(), piece = told!("role", role = *one)),
        [one, other] if one == other => told!("endings-of-two", ending = ending.name(), piece = *one),
        _ => {
            let list = pieces.into_iter().map(|piece| told!("role", role = piece)).collect::<Vec<Message>>();
            told!("endings-of-list", ending = ending.name(), pieces = list)
        }
    }
}

fn headline(position: &EndingPosition, found: &Classified) -> Message {
    let (ending, side) = (position.ending().name(), position.turn());
    let Some(answer) = found.answers.first() else { return told!("endings-no-answer", ending) };
    let result = match (answer.result, answer.class) {
        (ForcedResult::Lost, Some(0)) => "mated",
        (ForcedResult::Won, Some(_)) => "won",
        (ForcedResult::Lost, Some(_)) => "lost",
        _ if answer.best.is_empty() => "stalemate",
        _ => "drawn",
    };
    let class = answer.class.unwrap_or_default();
    told!("endings-found", ending, side, result, moves = class.div_ceil(2), class = class.to_string())
}

fn say_position(asked: &Asked, position: &EndingPosition, found: &Classified, words: &Words) -> Said {
    let mut said = Said::new(words, &headline(position, found));
    let chess = position.chess();
    if let Some(answer) = found.answers.first().filter(|answer| !answer.best.is_empty()) {
        let items =
            answer.best.iter().map(|best| Item::new(words.moves(&san_of(chess, *best)), [&[best.from, best.to][..]]));
        said = said.with_list(words.say(&told!("endings-best")), items);
    }
    if asked.line {
        let mut at = chess.clone();
        let legal = |written: &Move| {
            let played = of_uci(&at, *written)?;
            at.play_unchecked(played);
            Some(played)
        };
        let line: Vec<shakmaty::Move> = found.line.iter().map_while(legal).collect();
        said = said.with_proof(chess, &line, words);
    }
    said
}

fn say_table(asked: &Asked, found: &Classified, words: &Words) -> Said {
    let mut said = Said::new(words, &title(asked.ending));
    let Some(counts) = document::Counts::of(found) else { return said };
    let WhiteToMove { legal, won, drawn } = &counts.white;
    let fact = |name: Message, value: Message| Fact::new(words, &name, words.say(&value));
    let white = told!("endings-white", count = legal, won, drawn);
    let BlackToMove { legal, lost, drawn, stalemate } = &counts.black;
    let black = told!("endings-black", count = legal, lost, drawn, stalemate);
    let mut facts = vec![fact(told!("endings-white-to-move"), white), fact(told!("endings-black-to-move"), black)];
    let longest = counts.totals.iter().flat_map(|totals| [&totals.longest_white, &totals.longest_black]);
    for LongestWins { class, positions, up_to_symmetry: unlike, example } in longest.flatten() {
        let (moves, fen) = (class.div_ceil(2), example.to_fen());
        let longest = told!("endings-longest-of", moves, positions, unlike, fen);
        facts.push(fact(told!("endings-longest", side = example.turn), longest));
    }
    said.parts.push(Part::facts(facts));
    if counts.classes.is_empty() {
        return said;
    }
    let of = |class: usize| words.number(counts.classes.get(class).copied().unwrap_or(0));
    let row = |moves: usize| Row {
        cells: vec![moves.to_string(), if moves == 0 { String::new() } else { of(2 * moves - 1) }, of(2 * moves)],
        ways: Vec::new(),
    };
    let columns = [told!("endings-moves"), told!("endings-white-won"), told!("endings-black-lost")];
    let columns = columns.map(|name| Column::figures(words, &name, None));
    said.with_part(Part::table("", columns.into(), (0..=counts.classes.len() / 2).map(row)))
}
