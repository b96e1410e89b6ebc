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
    ($($title:literal { $($name:literal $variant:ident($args:ty) $run:expr;)* })*) => {
        /// The commands as the help groups them.
        pub const GROUPS: &[(&str, &[&str])] = &[$(($title, &[$($name),*])),*];

        /// What the command line asks for.
        #[derive(Subcommand)]
        pub enum Command {
            $($(#[command(name = $name)] $variant($args),)*)*
        }

        impl Command {
            /// Runs the command; `program` is the command line in full, for completions and manual pages.
            ///
            /// # Errors
            /// [`Failure`] with what was wrong, or why there is no result.
            pub fn run(&self, program: fn() -> clap::Command, out: &mut Output) -> Result<Exit, Failure> {
                match self {
                    $($(Command::$variant(args) => {
                        let run: fn(&$args, &mut Output, fn() -> clap::Command) -> Result<Exit, Failure> = $run;
                        run(args, out, program)
                    })*)*
                }
            }
        }
    };
}

// The one list of commands.
commands! {
    "Chess questions, to the machine and to the native reference" {
        "trajectories" Trajectories(Asked<Trajectories>) |args, out, _| args.run(out);
        "attacks" Attacks(Asked<Attacks>) |args, out, _| args.run(out);
        "map" Map(Asked<Map>) |args, out, _| args.run(out);
        "analyse" Analyse(Asked<Analyse>) |args, out, _| args.run(out);
        "best" Best(Asked<Best>) |args, out, _| args.run(out);
        "mate" Mate(Asked<Mate>) |args, out, _| args.run(out);
        "endings" Endings(Asked<Endings>) |args, out, _| args.run(out);
        "relations" Relations(Asked<Relations>) |args, out, _| args.run(out);
        "geometry" Geometry(Asked<Geometry>) |args, out, _| args.run(out);
        "learn" Learn(learn::Args) |args, out, _| learn::run(args, out);
        "plan" Plan(Asked<Plan>) |args, out, _| args.run(out);
        "sync" Sync(Box<sync::Args>) |args, out, _| sync::run(args, out);
    }
    "Games and positions" {
        "play" Play(Box<play::Args>) |args, out, _| play::run(args, out);
        "game" Game(Box<game::Args>) |args, out, _| game::run(args, out);
        "uci" Uci(uci::Args) |args, out, _| uci::run(args, &out.session().clone());
        "positions" Positions(positions::Args) |args, out, _| positions::run(args, out);
        "book" Book(Box<book::Args>) |args, out, _| book::run(args, out);
    }
    "The machine" {
        "lessons" Lessons(lessons::Args) |args, out, _| lessons::run(args, out);
        "asm" Asm(asm::Args) |args, out, _| asm::run(args, out);
        "dis" Dis(dis::Args) |args, out, _| dis::run(args, out);
        "run" Run(Box<run::Args>) |args, out, _| run::run(args, out);
        "debug" Debug(debug::Args) |args, out, _| debug::run(args, out);
        "console" Console(Box<console::Args>) |args, out, _| console::run(args, out);
    }
    "Checks and benchmarks" {
        "reproduce" Reproduce(reproduce::Args) |args, out, _| reproduce::run(args, out);
        "diff" Diff(diff::Args) |args, out, _| diff::run(args, out);
        "conformance" Conformance(conformance::Args) |args, out, _| conformance::run(args, out);
        "bench" Bench(bench::Args) |args, out, _| bench::run(args, out);
    }
    "Terms and the shell" {
        "explain" Explain(explain::Args) |args, out, _| explain::run(args, out);
        "completions" Completions(shell::CompletionsArgs) |args, out, program| shell::completions(args, &mut program(), out);
        "man" Man(shell::ManArgs) |args, out, program| shell::man(args, program(), out);
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
