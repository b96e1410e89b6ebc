//! Two examples for the help of each command.

/// The name of a command, and its examples without `m220` in front.
const EXAMPLES: [(&str, [&str; 2]); 22] = [
    ("reproduce", ["reproduce --runs 0", "reproduce --format json"]),
    (
        "trajectories",
        ["trajectories --piece king --from a4 --to h4", "trajectories --position fig22 --from e5 --to g7 --board"],
    ),
    ("attacks", ["attacks --position fig22", "attacks --position fig22 --svg attacks.svg --svg-from e5"]),
    ("mate", ["mate --position philidor", "mate --pgn game.pgn --move 16 --moves 2"]),
    ("endings", ["endings KRK", "endings --fen '8/8/8/8/8/2k5/8/K6R w - - 0 1' --line"]),
    ("play", ["play --program bell --board", "play best --position bell-2.11"]),
    ("diff", ["diff attacks --random 200", "diff mate --positions positions.txt --jobs 2"]),
    ("uci", ["uci --program bell", "uci --program map --timeout 10"]),
    ("map", ["map --position fig22", "map --position fig22 --explain e5-f6-g7"]),
    ("analyse", ["analyse --position fig22", "analyse --position opera --depth 3 --svg tree.svg"]),
    ("best", ["best --position opera", "best --pgn game.pgn --move 16..."]),
    ("sync", ["sync doublet --white e2e4 --black e7e5", "sync count --depth 2"]),
    ("relations", ["relations --position fig22", "relations --position startpos --move e2-e4"]),
    ("plan", ["plan --position reti-study --combine", "plan --position fig22 --plan 'x(e7)' --goal 9"]),
    ("positions", ["positions", "positions opera"]),
    ("asm", ["asm program.m220 -o program.elf", "asm program.m220 --listing -"]),
    ("dis", ["dis program.elf", "dis deck.m20"]),
    ("run", ["run program.m220", "run program.elf --dump 0100-0107 --profile"]),
    ("debug", ["debug program.m220", "debug program.elf --script commands.dbg"]),
    ("console", ["console", "console program.m220 --port 8220 --no-open"]),
    ("bench", ["bench", "bench --runs 10 --format json"]),
    ("man", ["man", "man --folder man/man1"]),
];

/// The command with its examples below the help of each subcommand.
pub fn with_examples(mut command: clap::Command) -> clap::Command {
    for (name, examples) in EXAMPLES {
        let lines: String = examples.iter().map(|example| format!("\n  m220 {example}")).collect();
        command = command.mut_subcommand(name, |subcommand| subcommand.after_help(format!("Examples:{lines}")));
    }
    command
}

#[cfg(test)]
mod tests {
    use super::EXAMPLES;
    use clap::CommandFactory;

    /// Every command that does something of this project has examples, and each of them is right usage.
    #[test]
    fn examples_can_be_typed() {
        let command = crate::Cli::command();
        for subcommand in command.get_subcommands().filter(|subcommand| subcommand.get_name() != "completions") {
            assert!(EXAMPLES.iter().any(|(name, _)| *name == subcommand.get_name()), "{}", subcommand.get_name());
        }
        for (name, examples) in EXAMPLES {
            for example in examples {
                // What stands in quotation marks is one word.
                let words = example.split('\'').enumerate().flat_map(|(part, text)| match part % 2 {
                    1 => vec![text],
                    _ => text.split_whitespace().collect(),
                });
                let parsed = crate::Cli::command().try_get_matches_from(std::iter::once("m220").chain(words));
                assert!(parsed.is_ok(), "{example}: {}", parsed.unwrap_err());
                assert!(example.starts_with(name));
            }
        }
    }
}
