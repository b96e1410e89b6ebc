//! A command that asks a question: options in, the answer as text, document, picture or recording out.

use crate::options::picture::SvgOption;
use crate::options::replay::ReplayOptions;
use crate::options::stopped::StoppedOptions;
use crate::options::suite::{SuiteLine, SuiteOptions};
use crate::prelude::*;
use crate::terminal::said;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use m220_answers::engines::Engines;
use m220_answers::question::{Asking, Ending, Put, ask_telling, document, engine_of, has_program};

use m220_answers::{Engine, Fault, Found, Question, ask};
use m220_chess::Verdict;

/// How the answer is shown.
#[derive(Args, Debug, Clone, Default)]
pub struct View {
    /// The output format
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    #[command(flatten)]
    pub time: TimeOptions,
    /// The language of the text
    #[arg(long, value_name = "LANGUAGE", default_value = "en")]
    pub lang: Text<Language>,
    /// Show all rows of a table, not only the first
    #[arg(long)]
    pub all: bool,
}

/// What the board shows, in a file and in the terminal.
#[derive(Args, Debug, Clone, Default)]
#[command(group = clap::ArgGroup::new("shown").args(["svg", "board"]).multiple(true))]
struct Drawing {
    #[command(flatten)]
    svg: SvgOption,
    /// Let the arrows of the picture grow one after another, as an animation without a script
    #[arg(long, requires = "svg")]
    animate: bool,
    /// Show the board in the terminal (with --format text)
    #[arg(long)]
    board: bool,
    /// Show the board from Black's side
    #[arg(long)]
    flip: bool,
}

/// The options of a command that asks `Q`.
#[derive(Debug)]
pub struct Asked<Q> {
    question: Q,
    /// Which engines are asked.
    pub engines: Engines,
    /// How the answer is shown.
    pub view: View,
    drawing: Drawing,
    replay: ReplayOptions,
    suite: SuiteOptions,
    stopped: StoppedOptions,
}

impl<Q: Question + Args> Args for Asked<Q> {
    fn augment_args(command: Command) -> Command {
        let mut command = Q::augment_args(command);
        let about = command.get_about().cloned().unwrap_or_default();
        let more = command.get_long_about().cloned().unwrap_or_else(|| about.clone());
        command = View::augment_args(command);
        if Q::DRAWN {
            command = Drawing::augment_args(command);
            if !Q::SMALL_BOARD {
                command = command.mut_arg("flip", |option| option.requires("shown"));
            }
            if command.get_arguments().any(|option| option.get_id() == "svg_from") {
                command = command.mut_arg("svg_from", |option| option.requires("svg"));
            }
        }
        if Q::SUITE {
            command = SuiteOptions::augment_args(command);
        }
        if has_program::<Q>() {
            command = Engines::augment_args(command);
            command = ReplayOptions::augment_args(command);
            command = command.mut_arg("engine", |engine| engine.default_value(Q::ENGINE.choice_name()));
        }
        if Q::STOPPABLE {
            command = StoppedOptions::augment_args(command);
        }
        // Each group of options would put its own description in place of the question's.
        command.about(about).long_about(more)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// The options that a question has, otherwise the usual ones.
fn options_if<O: FromArgMatches + Default>(has: bool, matches: &ArgMatches) -> Result<O, clap::Error> {
    if has { O::from_arg_matches(matches) } else { Ok(O::default()) }
}

impl<Q: Question + Args> FromArgMatches for Asked<Q> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut engines = match has_program::<Q>() {
            true => Engines::from_arg_matches(matches)?,
            false => Engines::only(Engine::Native),
        };
        // Whoever names no engine does not insist on one.
        if has_program::<Q>() && matches.value_source("engine") == Some(ValueSource::DefaultValue) {
            engines.engine = None;
        }
        Ok(Asked {
            question: Q::from_arg_matches(matches)?,
            engines,
            view: View::from_arg_matches(matches)?,
            drawing: options_if(Q::DRAWN, matches)?,
            suite: SuiteOptions {
                strict: matches.try_get_one("strict").ok().flatten().copied().unwrap_or_default(),
                ..options_if(Q::SUITE, matches)?
            },
            stopped: options_if(Q::STOPPABLE, matches)?,
            replay: options_if(has_program::<Q>(), matches)?,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// A question with its answer, and the words in which it is told.
struct Answered<'a, Q: Question> {
    subject: &'a Q::Subject,
    found: &'a Found<Q::Answer>,
    words: &'a Words,
}

impl<Q: Question + Sync> Asked<Q> {
    /// Asks, and writes the answer.
    ///
    /// # Errors
    /// [`Failure`] with what was wrong, or why there is no result.
    pub fn run(&self, session: &Session, out: &mut Output) -> Result<Exit, Failure> {
        let _search = self.view.time.search(session);
        let words = session.speak(self.view.lang.0);
        let engine = engine_of::<Q>(&self.engines);
        if engine == Engine::Native {
            self.replay.refuse_without_machine()?;
        }
        let host = Terminal::new(&words, session).keeping(&self.stopped)?;
        let context = Context::new(session.limits(), &host);
        let refused = |refused: Refused| Failure::of(&refused, &words);
        if self.suite.epd.is_some() {
            return self.of_suite(session, out);
        }
        let subject = self.question.subject(engine, &context).map_err(refused)?;
        // On its own standard output the native answer waits for no machine.
        let at_once = self.view.format == Format::Text && !self.drawing.svg.is_wanted();
        let (mut told, mut recorded, mut failed) = (false, false, None);
        let tell = |answer: &Q::Answer| {
            let mut begun = || -> Result<(), Failure> {
                if at_once {
                    said::headline(&Q::say(&subject, answer, &words), out)?;
                    out.flush()?;
                    session.begin_progress();
                    told = true;
                }
                // A run that is too long for a replay is refused before the machine is asked.
                recorded = self.record(&subject, Some(answer), &words, &context, session)?;
                Ok(())
            };
            begun().map_err(|failure| {
                let refused = Refused::bad_input(Message::Plain(failure.to_string()));
                failed = Some(failure);
                refused
            })
        };
        let found = ask_telling::<Q>(&subject, &self.engines, &context, tell);
        // A reader that has gone away is no fault of the answer.
        if let Some(failure) = failed {
            return Err(failure);
        }
        let found = found.map_err(refused)?;
        if let Some(trouble) = found.trouble() {
            session.warn(&words.say(&trouble));
        }
        // The picture first, so that a closed standard output does not prevent it; then the text, even if it failed.
        let answered = Answered { subject: &subject, found: &found, words: &words };
        let drawn = self.draw(&answered, session, out);
        match self.view.format {
            Format::Json => out.json(&document::<Q>(&subject, &found, &context))?,
            Format::Text => self.text(told, &answered, out)?,
        }
        out.flush()?;
        if !recorded {
            self.record(&subject, found.answer(), &words, &context, session)?;
        }
        drawn.map(|()| Exit::of(found.ending::<Q>()))
    }

    /// The same question about every position of a suite.
    fn of_suite(&self, session: &Session, out: &mut Output) -> Result<Exit, Failure> {
        if self.replay.replay.is_some() || self.drawing.svg.is_wanted() || self.stopped.are_given() {
            let text = "--svg, --replay, --checkpoint and --resume are for one position, not for a suite (--epd)";
            return Err(Failure::Usage(text.to_owned()));
        }
        let words = &session.speak(self.view.lang.0);
        self.suite.run(self.view.format, words, session, out, |given| {
            // A catalogue of its own for each thread.
            let words = Words::new(self.view.lang.0);
            let host = Terminal::new(&words, session);
            let context = Context::new(session.limits(), &host);
            let mut line = SuiteLine::of(given);
            let asked = || -> Result<_, Refused> {
                let question = self.question.about(given)?;
                let subject = question.subject(engine_of::<Q>(&self.engines), &context)?;
                let found = ask::<Q>(&subject, &self.engines, &context)?;
                Ok((subject, found))
            };
            let (subject, found) = match asked() {
                Ok(asked) => asked,
                Err(refused) if refused.fault == Fault::NoVerdict => {
                    (line.no_verdict, line.note) = (true, refused.say(&words));
                    return Ok(line);
                }
                Err(refused) => return Err(Failure::of(&refused, &words)),
            };
            line.m220_us = found.ran.as_ref().map(|ran| ran.record.time_us.m220);
            line.equal = found.verdict.as_ref().and_then(Verdict::equal);
            match found.answer() {
                Some(answer) => {
                    let judged = Q::judged(&subject, answer, given, &words);
                    (line.found, line.as_expected, line.note) = (judged.found, judged.as_expected, judged.note);
                    let open = !Q::is_settled(answer) && line.found.is_empty();
                    line.no_verdict = open || found.ending::<Q>() == Ending::NoVerdict;
                }
                None => {
                    let why = found.cut_short.unwrap_or_else(|| told!("suite-no-answer"));
                    (line.no_verdict, line.note) = (true, words.say(&why));
                }
            }
            Ok(line)
        })
    }

    fn text(&self, told: bool, answered: &Answered<'_, Q>, out: &mut Output) -> Result<(), Failure> {
        let Answered { subject, found, words } = answered;
        let engines = found.engine_lines(words);
        let Some(answer) = found.answer() else { return said::lines(&engines, out) };
        let said = Q::say(subject, answer, words);
        if !told {
            said::headline(&said, out)?;
        }
        said::lines(&engines, out)?;
        let shown = Q::show(subject, answer, words);
        if self.drawing.board {
            said::board(&shown, self.below(), out)?;
        } else if Q::SMALL_BOARD && !shown.board.is_empty() {
            said::small(&shown, self.below(), out)?;
        }
        said::rest(&said, self.view.all, words, out)
    }

    fn below(&self) -> Color {
        Color::from_black(self.drawing.flip)
    }

    /// The picture of `--svg`.
    fn draw(&self, answered: &Answered<'_, Q>, session: &Session, out: &mut Output) -> Result<(), Failure> {
        let Answered { subject, found, words } = answered;
        if !self.drawing.svg.is_wanted() {
            return Ok(());
        }
        let draw = |answer| match self.drawing.animate {
            true => Ok(m220_answers::picture::animate(&Q::show(subject, answer, words), self.below())),
            false => Q::picture(subject, answer, self.below(), words),
        };
        let picture = found.answer().map(|answer| draw(answer).map_err(|error| Failure::of(&error, words)));
        self.drawing.svg.write(picture, session, out)
    }

    /// Writes the replay, if one is wanted; returns whether it has been written.
    fn record(
        &self,
        subject: &Q::Subject,
        native: Option<&Q::Answer>,
        words: &Words,
        context: &Context<'_>,
        session: &Session,
    ) -> Result<bool, Failure> {
        if self.replay.replay.is_none() {
            return Ok(false);
        }
        let refused = |refused: Refused| Failure::of(&refused, words);
        let asking = Asking::new(&self.engines, context).map_err(refused)?;
        let prepared = Q::prepare(&Put { asked: subject, native, machine: &asking }).map_err(refused)?;
        self.replay.record_prepared(prepared, asking.settings.limits.instructions, words, session)?;
        Ok(true)
    }
}
