//! The subcommands, one module each.

pub mod asked;
mod asm;
mod bench;
mod book;
mod conformance;
mod console;
mod debug;
mod diff;
mod dis;
mod explain;
mod game;
mod learn;
mod lessons;
mod play;
mod positions;
mod reproduce;
mod run;
mod shell;
mod sync;
mod uci;

use crate::commands::asked::Asked;
use crate::prelude::*;
use clap::Subcommand;
use m220_answers::analyse::Analyse;
use m220_answers::attacks::Attacks;
use m220_answers::best::Best;
use m220_answers::endings::Endings;
use m220_answers::geometry::Geometry;
use m220_answers::map::Map;
use m220_answers::mate::Mate;
use m220_answers::plan::Plan;
use m220_answers::relations::Relations;
use m220_answers::trajectories::Trajectories;

macro_rules! commands {
    ($($title:literal { $($name:literal $variant:ident($args:ty) $run:path;)* })*) => {
        /// The commands as the help groups them.
        pub const GROUPS: &[(&str, &[&str])] = &[$(($title, &[$($name),*])),*];

        /// What the command line asks for.
        #[derive(Subcommand)]
        pub enum Command {
            $($(#[command(name = $name)] $variant($args),)*)*
        }

        impl Command {
            /// Runs the command.
            ///
            /// # Errors
            /// [`Failure`] with what was wrong, or why there is no result.
            pub fn run(&self, session: &Session, out: &mut Output) -> Result<Exit, Failure> {
                match self {
                    $($(Command::$variant(args) => $run(args, session, out),)*)*
                }
            }
        }
    };
}

// The one list of commands.
commands! {
    "Chess questions, to the machine and to the native reference" {
        "trajectories" Trajectories(Asked<Trajectories>) Asked::run;
        "attacks" Attacks(Asked<Attacks>) Asked::run;
        "map" Map(Asked<Map>) Asked::run;
        "analyse" Analyse(Asked<Analyse>) Asked::run;
        "best" Best(Asked<Best>) Asked::run;
        "mate" Mate(Asked<Mate>) Asked::run;
        "endings" Endings(Asked<Endings>) Asked::run;
        "relations" Relations(Asked<Relations>) Asked::run;
        "geometry" Geometry(Asked<Geometry>) Asked::run;
        "learn" Learn(learn::Args) learn::run;
        "plan" Plan(Asked<Plan>) Asked::run;
        "sync" Sync(Box<sync::Args>) sync::run;
    }
    "Games and positions" {
        "play" Play(Box<play::Args>) play::run;
        "game" Game(Box<game::Args>) game::run;
        "uci" Uci(uci::Args) uci::run;
        "positions" Positions(positions::Args) positions::run;
        "book" Book(Box<book::Args>) book::run;
    }
    "The machine" {
        "lessons" Lessons(lessons::Args) lessons::run;
        "asm" Asm(asm::Args) asm::run;
        "dis" Dis(dis::Args) dis::run;
        "run" Run(Box<run::Args>) run::run;
        "debug" Debug(debug::Args) debug::run;
        "console" Console(Box<console::Args>) console::run;
    }
    "Checks and benchmarks" {
        "reproduce" Reproduce(reproduce::Args) reproduce::run;
        "diff" Diff(diff::Args) diff::run;
        "conformance" Conformance(conformance::Args) conformance::run;
        "bench" Bench(bench::Args) bench::run;
    }
    "Terms and the shell" {
        "explain" Explain(explain::Args) explain::run;
        "completions" Completions(shell::CompletionsArgs) shell::completions;
        "man" Man(shell::ManArgs) shell::man;
    }
}

/// Columns of a command's name in the help.
const NAME_WIDTH: usize = 12;

/// The commands of the help, each with what it does, in lines of the page's width.
pub fn grouped(command: &clap::Command) -> String {
    let mut text = String::new();
    for (title, names) in GROUPS {
        text.push_str(&format!("{title}:\n"));
        for name in *names {
            let about = command.find_subcommand(name).and_then(clap::Command::get_about).map(ToString::to_string);
            let line = format!("  {name:NAME_WIDTH$}  {}", about.unwrap_or_default());
            text.push_str(&format!("{}\n", wrap::fill(&line, NAME_WIDTH + 4)));
        }
        text.push('\n');
    }
    text.truncate(text.trim_end().len());
    text + "\n"
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    /// All subcommands with their paths.
    fn all<'c>(command: &'c clap::Command, before: &str) -> Vec<(String, &'c clap::Command)> {
        let own = |subcommand: &clap::Command| format!("{before}{}", subcommand.get_name());
        let with_own = |sub: &'c clap::Command| [vec![(own(sub), sub)], all(sub, &(own(sub) + " "))].concat();
        command.get_subcommands().flat_map(with_own).collect()
    }

    /// Whether a command line is valid usage; quoted text is one word, and the shell's part is left out.
    fn assert_can_be_typed(line: &str) {
        let typed = line.split(" > ").next().unwrap_or_default();
        let words = typed.split('\'').enumerate().flat_map(|(part, text)| match part % 2 {
            1 => vec![text],
            _ => text.split_whitespace().collect(),
        });
        let parsed = crate::command_line().try_get_matches_from(words);
        assert!(parsed.is_ok(), "{line}: {}", parsed.unwrap_err());
    }

    #[test]
    fn every_command_has_examples_that_can_be_typed() {
        for (path, command) in all(&crate::Cli::command(), "") {
            let help = crate::command_line().try_get_matches_from(format!("m220 {path} --help").split(' '));
            let help = help.unwrap_err().to_string();
            let wide: Vec<&str> = help.lines().filter(|line| line.chars().count() > 80).collect();
            assert!(wide.is_empty(), "{path}: {wide:#?}");
            assert!(help.contains(&format!("\nExamples:\n  m220 {path}")), "{path}: {help}");
            for example in command.get_after_help().unwrap().to_string().lines().skip(1) {
                assert!(example.starts_with(&format!("  m220 {path}")), "{path}: {example}");
                assert_can_be_typed(example);
            }
        }
    }

    #[test]
    fn commands_of_the_figures_of_the_book_can_be_typed() {
        for figure in chess_reference::book::figures::figures() {
            assert_can_be_typed(&format!("m220 {}", figure.command.replace('"', "'")));
        }
    }
}
