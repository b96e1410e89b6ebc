//! `--replay`: a run of the machine as a page that plays it.

use crate::prelude::*;
use crate::terminal::quoted;
use m220_answers::question::{Prepared, PreparedRun};
use m220_console::page;
use m220_machine::{Periphery, Slice, Stop};
use m220_panel::Description;
use m220_panel::recorder::{Every, Recorder, RecordingError};
use std::num::NonZeroU64;

/// The program that makes a page, with version and commit.
pub const MAKER: &str = concat!("m220 ", env!("M220_VERSION"));

/// A recorded run.
#[derive(clap::Args, Debug, Clone, Default)]
pub struct ReplayOptions {
    /// Record the machine's run as a page that plays it in any browser, without a server or a network
    #[arg(long, value_name = "FILE.html")]
    pub replay: Option<ResultFile>,
    /// Record every N-th instruction of the run, with the changes made by those in between
    #[arg(long, value_name = "N", requires = "replay")]
    pub replay_every: Option<NonZeroU64>,
    /// Record only the instructions FROM to TO, counted from 1
    #[arg(long, value_name = "FROM-TO", requires = "replay", value_parser = replay_window)]
    pub replay_window: Option<(u64, u64)>,
}

/// `FROM-TO`: the first and the last instruction, counted from 1.
fn replay_window(text: &str) -> Result<(u64, u64), &'static str> {
    let expected = "expected FROM-TO, two numbers of instructions counted from 1, FROM not after TO";
    let (from, to) = text.split_once('-').ok_or(expected)?;
    let number = |text: &str| text.trim().parse().map_err(|_| expected);
    let (from, to) = (number(from)?, number(to)?);
    if 0 < from && from <= to { Ok((from, to)) } else { Err(expected) }
}

impl ReplayOptions {
    /// Rejects a replay if no machine runs.
    ///
    /// # Errors
    /// [`Failure::Usage`].
    pub fn refuse_without_machine(&self) -> Result<(), Failure> {
        match self.replay {
            Some(_) => Err(Failure::Usage(
                "--replay shows the machine at work, and with --engine native none runs: expected m220 or both"
                    .to_owned(),
            )),
            None => Ok(()),
        }
    }

    fn every(&self) -> Every {
        let usual = Every::default();
        Every {
            instructions: self.replay_every.unwrap_or(usual.instructions),
            from: self.replay_window.map_or(usual.from, |(from, _)| from),
            to: self.replay_window.map_or(usual.to, |(_, to)| to),
        }
    }

    /// A recorder, if a replay is requested.
    pub fn recorder(&self, model: m220_machine::Model) -> Option<Recorder> {
        self.replay.as_ref().map(|_| Recorder::new(model, self.every()))
    }

    /// Runs the machine of a question once more, and writes the page; the run is the same every time.
    ///
    /// # Errors
    /// [`Failure::Usage`] for a run that is too long for such a recording, [`Failure::Output`] if the page cannot be
    /// written.
    pub fn record_prepared(
        &self,
        prepared: Prepared,
        limit: u64,
        words: &Words,
        session: &Session,
    ) -> Result<(), Failure> {
        let title = words.say(&prepared.title);
        let subject = Subject { title: &title, notes: prepared.notes, image: &prepared.image };
        match prepared.run {
            PreparedRun::Plain(mut run) => self.play(subject, run.machine_mut(), limit, session),
            PreparedRun::WithDevices(mut run) => self.play(subject, run.machine_mut(), limit, session),
        }
    }

    fn play<P: Periphery>(
        &self,
        subject: Subject<'_>,
        machine: &mut Machine<P>,
        limit: u64,
        session: &Session,
    ) -> Result<(), Failure> {
        let Some(mut recorder) = self.recorder(machine.config().model) else { return Ok(()) };
        if let Some(entry) = subject.image.entry {
            machine.start(entry);
        }
        let mut stop = None;
        while stop.is_none() && machine.clock().instructions < limit && !recorder.is_hopeless(machine) {
            if session.limits().is_over() {
                let path = self.replay.as_deref().unwrap_or(Path::new("")).display();
                return Err(Failure::NoVerdict(format!("{path}: not written: the run was not recorded to its end")));
            }
            let instructions = (limit - machine.clock().instructions).min(Slice::RESPONSIVE.instructions);
            stop = recorder.run(machine, Slice { instructions, ..Slice::RESPONSIVE });
        }
        self.write(subject, recorder, machine, stop.as_ref(), session)
    }

    /// Writes the page of a run that has ended.
    ///
    /// # Errors
    /// As [`ReplayOptions::record_prepared`].
    pub fn write<P: Periphery>(
        &self,
        subject: Subject<'_>,
        recorder: Recorder,
        machine: &Machine<P>,
        stop: Option<&Stop>,
        session: &Session,
    ) -> Result<(), Failure> {
        let Some(path) = self.replay.as_deref() else { return Ok(()) };
        let mut description = Description::new(subject.title, machine.config(), subject.image);
        description.command = command_line(path, session);
        description.notes = subject.notes;
        let recording = recorder.finish(&description, machine, stop).map_err(|error| self.refused(path, &error))?;
        let page = page::replay(subject.title, MAKER, &recording)
            .map_err(|error| Failure::Output(format!("{}: {error}", path.display())))?;
        session.write_file(path, page.as_bytes())
    }

    /// Why there is no page, and what can be done.
    fn refused(&self, path: &Path, error: &RecordingError) -> Failure {
        let path = path.display();
        match error {
            RecordingError::TooLong(long) => {
                let every = self.every();
                let enough = long.enough(every.instructions);
                let or_more = if long.is_open { " or more" } else { "" };
                let last = every.from.saturating_add(long.most_instructions(every.instructions)) - 1;
                Failure::Usage(format!(
                    "{path}: not written: {error}; record one instruction in {enough}{or_more} with --replay-every {enough}, or \
                     a part with --replay-window {}-{last}",
                    every.from
                ))
            }
            other => Failure::Usage(format!("{path}: not written: {other}")),
        }
    }
}

/// The subject of a recording.
pub struct Subject<'a> {
    /// In a few words.
    pub title: &'a str,
    /// Notes on it.
    pub notes: Notes,
    /// The program.
    pub image: &'a Image,
}

/// The command as typed, without the page's name, so that readers of the page can make it again.
fn command_line(page: &Path, session: &Session) -> Option<String> {
    let arguments: Vec<String> = session.words().collect();
    let page = page.to_string_lossy();
    let name = page.rsplit('/').next().unwrap_or_default();
    let shown: Vec<String> = arguments.iter().map(|text| quoted(&text.replace(&*page, name))).collect();
    Some(format!("m220 {}", shown.join(" ")))
}
