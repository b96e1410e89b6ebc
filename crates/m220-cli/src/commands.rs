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

/// The commands as the help groups them.
pub const GROUPS: &[(&str, &[&str])] = &[
    (
        "Chess questions, to the machine and to the native reference",
        &[
            "trajectories",
            "attacks",
            "map",
            "analyse",
            "best",
            "mate",
            "endings",
            "relations",
            "geometry",
            "learn",
            "plan",
            "sync",
        ],
    ),
    ("Games and positions", &["play", "game", "uci", "positions", "book"]),
    ("The machine", &["lessons", "asm", "dis", "run", "debug", "console"]),
    ("Checks and benchmarks", &["reproduce", "diff", "conformance", "bench"]),
    ("Terms and the shell", &["explain", "completions", "man"]),
];

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

/// What the command line asks for.
#[derive(Subcommand)]
pub enum Command {
    Reproduce(reproduce::Args),
    Book(book::Args),
    Trajectories(Asked<Trajectories>),
    Attacks(Asked<Attacks>),
    Mate(Asked<Mate>),
    Endings(Asked<Endings>),
    Play(Box<play::Args>),
    Game(Box<game::Args>),
    Diff(diff::Args),
    Uci(uci::Args),
    Map(Asked<Map>),
    Analyse(Asked<Analyse>),
    Best(Asked<Best>),
    Sync(Box<sync::Args>),
    Relations(Asked<Relations>),
    Geometry(Asked<Geometry>),
    Learn(learn::Args),
    Plan(Asked<Plan>),
    Positions(positions::Args),
    Explain(explain::Args),
    Lessons(lessons::Args),
    Asm(asm::Args),
    Dis(dis::Args),
    Run(Box<run::Args>),
    Debug(debug::Args),
    Console(Box<console::Args>),
    Bench(bench::Args),
    Conformance(conformance::Args),
    Completions(shell::CompletionsArgs),
    Man(shell::ManArgs),
}

impl Command {
    /// Runs the command; `program` is the command line in full, for completions and manual pages.
    ///
    /// # Errors
    /// [`Failure`] with what was wrong, or why there is no result.
    pub fn run(&self, program: fn() -> clap::Command, out: &mut Output) -> Result<Exit, Failure> {
        let session = &out.session().clone();
        match self {
            Command::Reproduce(args) => reproduce::run(args, out),
            Command::Book(args) => book::run(args, out),
            Command::Trajectories(args) => args.run(out),
            Command::Attacks(args) => args.run(out),
            Command::Mate(args) => args.run(out),
            Command::Endings(args) => args.run(out),
            Command::Play(args) => play::run(args, out),
            Command::Game(args) => game::run(args, out),
            Command::Diff(args) => diff::run(args, out),
            Command::Uci(args) => uci::run(args, session),
            Command::Map(args) => args.run(out),
            Command::Analyse(args) => args.run(out),
            Command::Best(args) => args.run(out),
            Command::Sync(args) => sync::run(args, out),
            Command::Relations(args) => args.run(out),
            Command::Geometry(args) => args.run(out),
            Command::Learn(args) => learn::run(args, out),
            Command::Plan(args) => args.run(out),
            Command::Explain(args) => explain::run(args, out),
            Command::Positions(args) => positions::run(args, out),
            Command::Lessons(args) => lessons::run(args, out),
            Command::Asm(args) => asm::run(args, out),
            Command::Dis(args) => dis::run(args, out),
            Command::Run(args) => run::run(args, out),
            Command::Debug(args) => debug::run(args, out),
            Command::Console(args) => console::run(args, out),
            Command::Bench(args) => bench::run(args, out),
            Command::Conformance(args) => conformance::run(args, out),
            Command::Completions(args) => shell::completions(args, &mut program(), out),
            Command::Man(args) => shell::man(args, program(), out),
        }
    }
}
