//! The command `m220`: thin subcommands over the libraries.
//!
//! Results go to standard output, diagnostics and progress to standard error.
//! The exit codes are those of [`exit::Exit`].
//!
//! * `commands`: a module for each command, and `asked`, the command of any question;
//! * `session`: what a command works with: limits and signals, progress, messages, exit codes;
//! * `options`: options that several commands share;
//! * `files`: what is read and written, and the programs and devices that come from files;
//! * `terminal`: what is typed, and how text, tables, boards and errors are shown.
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests make files"))]

mod commands;
mod files;
mod options;
mod prelude;
mod session;
mod terminal;

use chess_reference::gallery::named_position;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser};
use commands::Command;
use m220_answers::told;
use m220_limits::Interrupt;
use session::Session;
pub use session::exit;
use session::exit::{Exit, Failure};
use std::error::Error;
use std::ffi::OsString;
use std::io::{self, Write};
use std::num::{IntErrorKind, ParseIntError};
use std::process::ExitCode;
use terminal::Output;
use terminal::output::Kept;

/// The text of `--version`; `-V` prints only its first line.
const LICENCES: &str = concat!(
    env!("M220_VERSION"),
    "\nsources: MIT licence; this program as built: GPL-3.0-or-later, through the chess library shakmaty"
);

/// An emulator of the M-220 (1968) with an assembler, and chess programs newly written for it, checked against a native
/// reference
#[derive(Parser)]
#[command(name = "m220", bin_name = "m220", version = env!("M220_VERSION"), long_version = LICENCES, help_expected = true)]
#[command(subcommand_required = true, arg_required_else_help = true, max_term_width = 80)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// What `m220` alone prints.
const FIRST_SCREEN: &str = include_str!("first-screen.txt");

/// The command line in full.
fn command_line() -> clap::Command {
    let command = take_negative_numbers(Cli::command());
    let list = commands::grouped(&command);
    command
        .help_template(format!("{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}\nOptions:\n{{options}}"))
}

/// Parses these words: the command, and the matches of each option.
fn parsed(words: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> Result<(Cli, ArgMatches), clap::Error> {
    let matches = command_line().try_get_matches_from(words)?;
    Ok((Cli::from_arg_matches(&matches)?, matches))
}

/// Makes a negative number after an option its value, so that the option says what is wrong with it.
fn take_negative_numbers(command: clap::Command) -> clap::Command {
    let options = command.mut_args(|arg| match arg.get_action().takes_values() && !arg.is_positional() {
        true => arg.allow_negative_numbers(true),
        false => arg,
    });
    options.mut_subcommands(take_negative_numbers)
}

/// Whether the command that these words name has the option --position.
fn takes_position(words: impl Iterator<Item = String>) -> bool {
    let mut command = Cli::command();
    for word in words {
        let Some(subcommand) = command.find_subcommand(&word) else { break };
        command = subcommand.clone();
    }
    command.get_arguments().any(|arg| arg.get_long() == Some("position"))
}

/// An unexpected word that names a position was meant for --position; the side to move of a FEN, for quotation marks.
fn with_position_tip(mut error: clap::Error, words: &[OsString]) -> clap::Error {
    let is_board = |word: &OsString| word.to_string_lossy().split('/').count() == 8;
    if words.windows(2).any(|pair| is_board(&pair[0]) && (pair[1] == "w" || pair[1] == "b")) {
        let tip = "the shell takes a FEN apart at its spaces: put it in quotation marks".to_owned();
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
        return error;
    }
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    if let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidArg)
        && named_position(word).is_some()
        && takes_position(words.iter().skip(1).map(|word| word.to_string_lossy().into_owned()))
    {
        let tip = format!("to give a position by name, use '--position {word}'");
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

/// Version and commit, as `--version` prints them.
pub const VERSION: &str = env!("M220_VERSION");

/// Runs the command line of this process and returns its exit code.
pub fn main() -> ExitCode {
    ExitCode::from(command(std::env::args_os().collect()))
}

/// Runs a command line, the program's name first, on the streams of this process, and returns its exit code.
pub fn command(words: Vec<OsString>) -> u8 {
    let session = &Session::new(words.clone(), &Interrupt::default());
    if words.len() < 2 {
        return shown(terminal::stdout().write_all(FIRST_SCREEN.as_bytes()), session);
    }
    let parsed = parsed(&words);
    let (cli, matches) = match parsed.map_err(|error| with_position_tip(error, &words)) {
        Ok(parsed) => parsed,
        // Help and version go to standard output with code 0, wrong usage to standard error with 2.
        Err(error) if error.use_stderr() => {
            // A style among the words could not be told from those of the message: it is shown as what it is.
            let clear = words.iter().map(|word| terminal::printable(&word.to_string_lossy()).into());
            let clear: Vec<OsString> = clear.collect();
            let (error, is_clear) = match self::parsed(&clear) {
                Err(same) if clear != words => (same, true),
                _ => (error, clear == words),
            };
            let text = error.render();
            let text = match is_clear && terminal::has_colours(&terminal::stderr()) {
                true => text.ansi().to_string(),
                false => terminal::printable(&text.to_string()),
            };
            session.show(&in_clear_words(&error, text));
            return Exit::Usage as u8;
        }
        Err(error) => return shown(error.print(), session),
    };
    session.catch_signals();
    // If the system gives no thread, this one does everything.
    if std::thread::Builder::new().spawn(|| ()).is_err() {
        let _ = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global();
    }
    let mut out = match Output::stdout(session) {
        Ok(out) => out,
        Err(failure) => return failure.report(session) as u8,
    };
    let result = options::reserve(&matches, session).and_then(|()| cli.command.run(session, &mut out));
    let result = result.and_then(|exit| out.flush().map(|()| exit).map_err(Failure::from));
    match result {
        Ok(exit) => ended(exit, session),
        // A search that was cut short may have nothing to show.
        Err(failure @ Failure::NoVerdict(_)) => {
            failure.report(session);
            ended(Exit::NoVerdict, session)
        }
        // The reader has stopped reading, and a signal has ended the wait.
        Err(Failure::Stdout(error)) if error.kind() == io::ErrorKind::TimedOut && session.limits().is_over() => {
            ended(Exit::Output, session)
        }
        Err(failure) => failure.report(session) as u8,
    }
}

/// The end of a command that has only printed a text.
fn shown(printed: io::Result<()>, session: &Session) -> u8 {
    let printed = printed.and_then(|()| terminal::stdout().flush());
    printed.map_or_else(|failed| Failure::from(failed).report(session), |()| Exit::Done) as u8
}

/// Runs a command within another program, `words` without the program's name: returns how it ended, and its output.
///
/// Calls may run side by side. Commands that talk with a user (`debug`, `console`, `uci`, `play game`) still use the
/// streams of the process.
///
/// # Errors
/// [`Failure`], with the text that the command prints; also for words that are not a command.
pub fn call(words: &[String], stop: &Interrupt) -> Result<(Exit, Vec<u8>), Failure> {
    let words: Vec<OsString> =
        std::iter::once("m220").chain(words.iter().map(String::as_str)).map(Into::into).collect();
    let session = &Session::new(words.clone(), stop);
    let (cli, matches) = parsed(words).map_err(|error| Failure::Usage(in_clear_words(&error, error.to_string())))?;
    let kept = Kept::default();
    let mut out = Output::to(Box::new(kept.clone()), session);
    options::reserve(&matches, session)?;
    let exit = cli.command.run(session, &mut out)?;
    out.flush()?;
    Ok((of_cut_short(exit, session), kept.take()))
}

/// The text of an error, which says of `80a`, zero or too many digits in place of a number what was expected.
fn in_clear_words(error: &clap::Error, text: String) -> String {
    let Some(cause) = error.source().and_then(|cause| cause.downcast_ref::<ParseIntError>()) else { return text };
    let clear = match cause.kind() {
        IntErrorKind::Zero => "expected a number from 1",
        IntErrorKind::PosOverflow | IntErrorKind::NegOverflow => "the number is too large",
        _ => "expected a whole number from 0",
    };
    text.replace(&cause.to_string(), clear)
}

/// The end of a command with `exit`; reports what was cut short, which is no verdict.
fn ended(exit: Exit, session: &Session) -> u8 {
    if let Some(reason) = session.cut_short() {
        session.warn(&session.spoken().say(&told!("cut-partial", reason)));
    }
    session.signal_code().unwrap_or(of_cut_short(exit, session) as u8)
}

/// What was cut short is not done.
fn of_cut_short(exit: Exit, session: &Session) -> Exit {
    if exit == Exit::Done && session.cut_short().is_some() { Exit::NoVerdict } else { exit }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A call returns what the command prints, and the next one starts anew: its own limits, its own files.
    #[test]
    fn calls_follow_each_other() {
        let call = |line: &str, stop: &Interrupt| call(&line.split(' ').map(str::to_owned).collect::<Vec<_>>(), stop);
        let fresh = Interrupt::default();
        let (exit, text) = call("trajectories --piece king --from a4 --to h4", &fresh).unwrap();
        assert!(exit == Exit::Done && text.starts_with(b"white king a4-h4: 393"));
        let raised = Interrupt::default();
        raised.raise();
        assert!(call("analyse --position fig22 --format json", &raised).is_ok_and(|(exit, _)| exit != Exit::Done));
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("king.svg").display().to_string();
        for _ in 0..2 {
            let (exit, _) = call(&format!("mate --position philidor --svg {file}"), &fresh).unwrap();
            assert!(exit == Exit::Done && std::path::Path::new(&file).exists());
        }
        assert!(matches!(call("mate --fen x", &fresh), Err(Failure::BadInput(_))));
        let Err(Failure::Usage(words)) = call("mate --moves x --position opera", &fresh) else { panic!("taken") };
        assert!(words.contains("expected a"), "{words}");
    }

    /// A call that does not end by itself keeps no other from ending, nor does its end end the other.
    #[test]
    fn calls_run_side_by_side() {
        let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let endless = words("analyse --position startpos --engine native --horizon 7 --max-positions 4000000000");
        let (stop, fresh) = (Interrupt::default(), Interrupt::default());
        std::thread::scope(|scope| {
            let long = scope.spawn(|| call(&endless, &stop).map(|(exit, _)| exit));
            let (exit, _) = call(&words("trajectories --piece king --from a4 --to h4"), &fresh).unwrap();
            assert_eq!(exit, Exit::Done);
            stop.raise();
            assert_eq!(long.join().unwrap().unwrap(), Exit::NoVerdict);
        });
    }

    #[test]
    fn the_command_line_is_consistent() {
        command_line().debug_assert();
    }

    #[test]
    fn commands_about_positions_are_known() {
        let takes = |words: &str| takes_position(words.split(' ').map(str::to_owned));
        assert!(takes("best opera") && takes("play best opera") && takes("mate --moves 3 opera"));
        assert!(!takes("bench 17") && !takes("asm source.m220 17") && !takes("17"));
    }
}
