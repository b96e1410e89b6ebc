//! Values of relations learned from decisive moves or from a game.

use crate::prelude::*;
use chess_reference::lessons::{Judged, Learned, learn_from_cases, learn_from_game, read_cases, read_game};
use chess_reference::relations::{MOST_VALUE, Tables};
use serde_json::Map;

/// Learn the values of relations from decisive moves
///
/// A relation is valued by how many more of its kind the decisive moves create than the other moves do. The output is a
/// file for --tables.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(
    feature = "clap",
    command(after_help = "\
Examples:
  m220 learn cases cases.txt > tables.txt
  m220 learn cases cases.txt --format json")
)]
pub struct LearnCases {
    /// A file with one case per line: a FEN, a semicolon, and the decisive move in UCI notation
    #[cfg_attr(feature = "clap", arg(value_name = "FILE"))]
    file: PathBuf,
}

impl Question for LearnCases {
    const NAME: &'static str = "learn cases";
    const DRAWN: bool = false;
    type Program = NoProgram;
    type Subject = Vec<(Chess, Move)>;
    type Answer = Learned;

    fn subject(&self, _: Engine, context: &Context<'_>) -> Result<Vec<(Chess, Move)>, Refused> {
        let file = context.text(&self.file)?;
        let cases = read_cases(&file.text).map_err(|error| file.refused(error.span.clone(), error.message))?;
        match cases.is_empty() {
            true => Err(file.refused(0..0, told!("learn-no-cases"))),
            false => Ok(cases),
        }
    }

    fn native(cases: &Vec<(Chess, Move)>, context: &Context<'_>) -> Result<Learned, Refused> {
        learn_from_cases(cases, &context.limits).map_err(|_| Refused::no_verdict(told!("cut-short")))
    }

    fn document<'a>(_: &'a Vec<(Chess, Move)>, found: Option<&'a Learned>) -> impl Serialize + 'a {
        let weights = found.and_then(|learned| learned.weights);
        json!({
            // The cases with another move to compare with.
            "used": found.map(|learned| learned.used),
            // Of attack, defence, control; null if no sum is positive.
            "weights": weights.map(|weights| weights.map(|weight| weight as f64 / 1e3)),
            // Those that are not 0.
            "values": values(found.map_or(&[], |learned| &learned.values)),
        })
    }

    fn say(_: &Vec<(Chess, Move)>, learned: &Learned, words: &Words) -> Said {
        let mut lines = lines_of_all(&learned.values);
        if let Some(weights) = learned.weights {
            lines.push(format!("weights{}", weights.map(|weight| format!(" 0.{weight:03}")).concat()));
        }
        said(words, &told!("learn-cases", used = learned.used), lines)
    }
}

/// A step of learning, in hundredths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step(i64);

impl Field for Step {
    fn read(text: &str) -> Result<Step, Message> {
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let sound = !whole.is_empty() && whole.len() <= 3 && part.len() <= 2 && digits(whole) && digits(part);
        let step = sound.then(|| format!("{whole}{part:0<2}").parse().ok()).flatten();
        let step = step.filter(|step| (1..=100 * MOST_VALUE).contains(step));
        step.map(Step).ok_or_else(|| told!("field-range", number = text, least = "0.01", most = MOST_VALUE.to_string()))
    }

    fn write(&self) -> String {
        format!("{}.{:02}", self.0 / 100, self.0 % 100)
    }
}

/// Learn the values of relations from a game
///
/// When a move of this side and the reply together leave it no better off, the relations that the move added count a
/// little less, and those that it removed a little more. The output is a file for --tables.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(
    feature = "clap",
    command(after_help = "\
Examples:
  m220 learn game game.txt --side white
  m220 learn game game.txt --step 0.25 --format json")
)]
pub struct LearnGame {
    /// A file with the moves in UCI notation, after a line with a FEN if the game does not begin from the initial
    /// position
    #[cfg_attr(feature = "clap", arg(value_name = "FILE"))]
    file: PathBuf,
    /// The side that learns
    #[serde(default = "crate::fields::white")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "COLOUR", default_value = "white"))]
    side: Text<Color>,
    /// How much a value changes at a time
    #[serde(default = "usual_step")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "STEP", default_value = "0.1"))]
    step: Text<Step>,
}

const fn usual_step() -> Text<Step> {
    Text(Step(10))
}

/// A game, the side that learns from it, and its step.
pub struct Lesson {
    start: Chess,
    played: Vec<Move>,
    side: Color,
    step: i64,
}

impl Question for LearnGame {
    const NAME: &'static str = "learn game";
    const DRAWN: bool = false;
    type Program = NoProgram;
    type Subject = Lesson;
    type Answer = Judged;

    fn subject(&self, _: Engine, context: &Context<'_>) -> Result<Lesson, Refused> {
        let file = context.text(&self.file)?;
        let (start, played) = read_game(&file.text).map_err(|error| file.refused(error.span.clone(), error.message))?;
        if played.is_empty() {
            return Err(file.refused(0..0, told!("learn-no-moves")));
        }
        Ok(Lesson { start, played, side: self.side.0, step: self.step.0.0 })
    }

    fn native(lesson: &Lesson, _: &Context<'_>) -> Result<Judged, Refused> {
        Ok(learn_from_game(&lesson.start, &lesson.played, lesson.side, lesson.step))
    }

    fn document<'a>(_: &'a Lesson, found: Option<&'a Judged>) -> impl Serialize + 'a {
        json!({
            // The own moves that were answered, and those after which the answer left no more than before.
            "judged": found.map(|found| found.judged),
            "failed": found.map(|found| found.failed),
            // Those that are not 1.
            "values": values(&found.map(|found| found.tables.other_than(&Tables::unit())).unwrap_or_default()),
        })
    }

    fn say(lesson: &Lesson, found: &Judged, words: &Words) -> Said {
        let lines = found.tables.other_than(&Tables::unit()).iter().map(line).collect();
        let headline = told!("learn-game", side = lesson.side, judged = found.judged, failed = found.failed);
        said(words, &headline, lines)
    }
}

/// A file of values: the headline is a comment.
fn said(words: &Words, headline: &Message, lines: Vec<String>) -> Said {
    let mut said = Said::new(words, headline);
    said.headline.insert_str(0, "# ");
    said.with_list("", lines.into_iter().map(|text| Item { text, ..Item::default() }))
}

/// Lines for all types: one that is not learned is 0, while a file's missing lines are 1.
fn lines_of_all(learned: &[(String, i64)]) -> Vec<String> {
    let all = Tables::staunton().other_than(&Tables::unit()).into_iter();
    all.map(|(name, zero)| {
        let value = learned.iter().find(|(of, _)| *of == name).map_or(zero, |(_, value)| *value);
        line(&(name, value))
    })
    .collect()
}

fn line((name, hundredths): &(String, i64)) -> String {
    format!("{name} {}", decimal(*hundredths))
}

/// Hundredths as a decimal number without needless zeros.
fn decimal(hundredths: i64) -> String {
    chess_reference::relations::Points::from_units(1000 * hundredths).to_string()
}

fn values(list: &[(String, i64)]) -> Map<String, Value> {
    let number = |hundredths: i64| match hundredths % 100 {
        0 => Value::from(hundredths / 100),
        _ => Value::from(hundredths as f64 / 100.0),
    };
    let mut sorted: Vec<_> = list.iter().map(|(name, value)| (name.clone(), number(*value))).collect();
    sorted.sort_by(|(one, _), (other, _)| one.cmp(other));
    sorted.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `learn cases` prints is a file of values, with 0 for what no case teaches.
    #[test]
    fn the_text_is_a_file_of_values() {
        let learned = vec![("at Q P".to_owned(), 36), ("co B".to_owned(), -192)];
        let lines = lines_of_all(&learned);
        assert_eq!(lines.len(), 78);
        let tables = Tables::read(&lines.join("\n")).unwrap();
        let differing = tables.other_than(&Tables::staunton());
        assert_eq!(differing, learned);
    }

    #[test]
    fn steps_are_hundredths() {
        assert_eq!(
            (Step::read("0.1"), Step::read("2").map(|step| step.write())),
            (Ok(Step(10)), Ok("2.00".to_owned()))
        );
        for wrong in ["", "0", "0.001", "301", "-1", ".5", "1e2"] {
            assert!(Step::read(wrong).is_err(), "{wrong}");
        }
    }
}
