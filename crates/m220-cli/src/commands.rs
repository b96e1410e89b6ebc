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
pub mod examples;
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
use crate::session::exit::{Exit, Failure};
use crate::terminal::Output;
use crate::terminal::wrap;
use clap::Subcommand;
use m220_answers::analyse::Analyse;
use m220_answers::attacks::Attacks;
use m220_answers::best::Best;
use m220_answers::endings::Endings;
use m220_answers::lessons::Geometry;
use m220_answers::map::Map;
use m220_answers::mate::Mate;
use m220_answers::plan::Plan;
use m220_answers::relations::Relations;
use m220_answers::trajectories::Trajectories;

/// A command of the help: its name, and two examples without `m220` in front.
pub type Listed = (&'static str, [&'static str; 2]);

macro_rules! commands {
    ($($title:literal { $($name:literal $variant:ident($args:ty) $run:expr; [$($example:literal),*])* })*) => {
        /// The commands as the help groups them.
        pub const GROUPS: &[(&str, &[Listed])] = &[$(($title, &[$(($name, [$($example),*])),*])),*];

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
            ["trajectories --piece king --from a4 --to h4", "trajectories --position fig22 --from e5 --to g7 --board"]
        "attacks" Attacks(Asked<Attacks>) |args, out, _| args.run(out);
            ["attacks --position fig22", "attacks --position fig22 --svg attacks.svg --svg-from e5"]
        "map" Map(Asked<Map>) |args, out, _| args.run(out);
            ["map --position fig22 --engine both", "map --position fig22 --explain e5-f6-g7"]
        "analyse" Analyse(Asked<Analyse>) |args, out, _| args.run(out);
            ["analyse --position fig22 --share 200 --engine both", "analyse --position opera --depth 3 --svg tree.svg"]
        "best" Best(Asked<Best>) |args, out, _| args.run(out);
            ["best --position opera", "best --pgn game.pgn --move 16..."]
        "mate" Mate(Asked<Mate>) |args, out, _| args.run(out);
            ["mate --position philidor", "mate --pgn game.pgn --move 16 --moves 2"]
        "endings" Endings(Asked<Endings>) |args, out, _| args.run(out);
            ["endings KRK", "endings --fen '8/8/8/8/8/2k5/8/K6R w - - 0 1' --line"]
        "relations" Relations(Asked<Relations>) |args, out, _| args.run(out);
            ["relations --position fig22", "relations --position startpos --move e2-e4"]
        "geometry" Geometry(Asked<Geometry>) |args, out, _| args.run(out);
            ["geometry --position reti-study", "geometry --fen '8/8/8/8/3k4/8/R7/7K w - - 0 1' --format json"]
        "learn" Learn(learn::Args) |args, out, _| learn::run(args, out);
            ["learn cases cases.txt", "learn game game.txt --side black"]
        "plan" Plan(Asked<Plan>) |args, out, _| args.run(out);
            ["plan --fen '5K2/k7/4P1p1/8/8/8/4b3/8 w - - 0 1' --combine --aims 'catch(g6) & attack(b5)'",
             "plan --position opera --plan 'V(d7); A(d8)' --goal 200"]
        "sync" Sync(Box<sync::Args>) |args, out, _| sync::run(args, out);
            ["sync doublet --white e2e4 --black e7e5", "sync count --depth 2"]
    }
    "Games and positions" {
        "play" Play(Box<play::Args>) |args, out, _| play::run(args, out);
            ["play --program bell --board", "play best --position bell-2.11"]
        "game" Game(Box<game::Args>) |args, out, _| game::run(args, out);
            ["game game.pgn", "game games.pgn --games all --summary"]
        "uci" Uci(uci::Args) |args, out, _| uci::run(args, &out.session().clone());
            ["uci --program bell", "uci --program map --timeout 10"]
        "positions" Positions(positions::Args) |args, out, _| positions::run(args, out);
            ["positions", "positions opera"]
        "book" Book(book::Args) |args, out, _| book::run(args, out);
            ["book 31", "book --html book.html"]
    }
    "The machine" {
        "lessons" Lessons(lessons::Args) |args, out, _| lessons::run(args, out);
            ["lessons 1", "lessons 1 --watch sum.m220"]
        "asm" Asm(asm::Args) |args, out, _| asm::run(args, out);
            ["asm program.m220 -o program.elf", "asm program.m220 --listing -"]
        "dis" Dis(dis::Args) |args, out, _| dis::run(args, out);
            ["dis program.elf", "dis deck.m20"]
        "run" Run(Box<run::Args>) |args, out, _| run::run(args, out);
            ["run program.m220", "run program.elf --dump 0100-0107 --profile"]
        "debug" Debug(debug::Args) |args, out, _| debug::run(args, out);
            ["debug program.m220", "debug program.elf --script commands.dbg"]
        "console" Console(Box<console::Args>) |args, out, _| console::run(args, out);
            ["console", "console program.m220 --port 8220 --no-open"]
    }
    "Checks and benchmarks" {
        "reproduce" Reproduce(reproduce::Args) |args, out, _| reproduce::run(args, out);
            ["reproduce --runs 0", "reproduce --report report.html"]
        "diff" Diff(diff::Args) |args, out, _| diff::run(args, out);
            ["diff attacks --random 200", "diff mate --positions positions.txt --jobs 2"]
        "conformance" Conformance(conformance::Args) |args, out, _| conformance::run(args, out);
            ["conformance export suite", "conformance run --command 'm220 conformance serve'"]
        "bench" Bench(bench::Args) |args, out, _| bench::run(args, out);
            ["bench", "bench --runs 10 --format json"]
    }
    "Terms and the shell" {
        "explain" Explain(explain::Args) |args, out, _| explain::run(args, out);
            ["explain trajectory", "explain exit 4"]
        "completions" Completions(shell::CompletionsArgs) |args, out, program| shell::completions(args, &mut program(), out);
            ["completions bash > m220.bash", "completions zsh > _m220"]
        "man" Man(shell::ManArgs) |args, out, program| shell::man(args, program(), out);
            ["man", "man --folder man/man1"]
    }
}

/// Columns of a command's name in the help.
const NAME_WIDTH: usize = 12;

/// The commands of the help, each with what it does, in lines of the page's width.
pub fn grouped(command: &clap::Command) -> String {
    let mut text = String::new();
    for (title, names) in GROUPS {
        text.push_str(&format!("{title}:\n"));
        for (name, _) in *names {
            let about = command.find_subcommand(name).and_then(clap::Command::get_about).map(ToString::to_string);
            let line = format!("  {name:NAME_WIDTH$}  {}", about.unwrap_or_default());
            text.push_str(&format!("{}\n", wrap::fill(&line, NAME_WIDTH + 4)));
        }
        text.push('\n');
    }
    text.truncate(text.trim_end().len());
    text + "\n"
}
