//! Two examples for the help of each command.

use super::{GROUPS, Listed};

/// The subcommands of commands, with their examples; the commands themselves have theirs in [`GROUPS`].
const SUBCOMMANDS: [Listed; 20] = [
    ("play best", ["play best --position opera", "play best --position bell-2.11 --board --flip"]),
    ("play game", ["play game --white you --black bell --board", "play game --white bell --black map --moves 20"]),
    (
        "play lessons",
        [
            "play lessons --position startpos --played 'e2e4 c7c5'",
            "play lessons --position fig22 --level 10,4 --format json",
        ],
    ),
    ("play opening", ["play opening", "play opening --played 'd2d4 g8f6'"]),
    ("play history", ["play history", "play history --game 2 --engine native"]),
    ("diff merge", ["diff merge shard-1.json shard-2.json", "diff merge shard-1.json shard-2.json --format json"]),
    ("sync replay", ["sync replay game2", "sync replay doublets.txt --board"]),
    ("sync doublet", ["sync doublet --white e2e4 --black e7e5", "sync doublet --white e2e4 --black e7e5 --board"]),
    ("sync moves", ["sync moves", "sync moves --position fig22 --colour black"]),
    ("sync count", ["sync count", "sync count --depth 2 --rules first"]),
    ("sync clocks", ["sync clocks seconds.txt --limit 1800", "sync clocks seconds.txt --format json"]),
    ("sync values", ["sync values 9,5,3,3,1", "sync values 10,5,3,3,1 --format json"]),
    ("sync ending", ["sync ending queen", "sync ending rook --defence --format json"]),
    ("sync play", ["sync play --points", "sync play --save doublets.txt"]),
    ("learn cases", ["learn cases cases.txt > tables.txt", "learn cases cases.txt --format json"]),
    ("learn game", ["learn game game.txt --side white", "learn game game.txt --step 0.25 --format json"]),
    ("conformance export", ["conformance export suite", "conformance export m220-suite"]),
    (
        "conformance run",
        ["conformance run --command my-emulator", "conformance run --command my-emulator --machine m20"],
    ),
    ("conformance coverage", ["conformance coverage", "conformance coverage > rules.txt"]),
    ("conformance serve", ["conformance serve", "conformance serve > answers.txt"]),
];

fn examples() -> impl Iterator<Item = &'static Listed> {
    GROUPS.iter().flat_map(|(_, commands)| *commands).chain(&SUBCOMMANDS)
}

/// The command with its examples below the help of each subcommand.
pub fn with_examples(command: clap::Command) -> clap::Command {
    examples().fold(command, |command, (path, examples)| {
        let lines: String = examples.iter().map(|example| format!("\n  m220 {example}")).collect();
        below(command, path, &format!("Examples:{lines}"))
    })
}

/// The command with a text below the help of the subcommand with this path.
fn below(command: clap::Command, path: &str, text: &str) -> clap::Command {
    match path.split_once(' ') {
        Some((name, rest)) => command.mut_subcommand(name, |subcommand| below(subcommand, rest, text)),
        None => command.mut_subcommand(path, |subcommand| subcommand.after_help(text.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::examples;
    use clap::CommandFactory;

    /// The paths of all subcommands.
    fn paths(command: &clap::Command, before: &str) -> Vec<String> {
        let own = |subcommand: &clap::Command| format!("{before}{}", subcommand.get_name());
        command.get_subcommands().flat_map(|sub| [vec![own(sub)], paths(sub, &(own(sub) + " "))].concat()).collect()
    }

    /// Every command has examples, and each is valid usage.
    #[test]
    fn examples_can_be_typed() {
        for path in paths(&crate::Cli::command(), "") {
            let help = crate::command_line().try_get_matches_from(format!("m220 {path} --help").split(' '));
            let help = help.unwrap_err().to_string();
            let wide: Vec<&str> = help.lines().filter(|line| line.chars().count() > 80).collect();
            assert!(wide.is_empty(), "{path}: {wide:#?}");
            assert!(help.contains(&format!("Examples:\n  m220 {path}")), "{path}: {help}");
        }
        let figures = chess_reference::book::figures::figures().iter().map(|figure| figure.command.replace('"', "'"));
        let examples = examples().flat_map(|(path, examples)| examples.map(|example| (*path, example.to_owned())));
        for (path, example) in examples.chain(figures.map(|command| ("", command))) {
            // Leaves out the shell's part; quoted text is one word.
            let typed = example.split(" > ").next().unwrap_or_default();
            let words = typed.split('\'').enumerate().flat_map(|(part, text)| match part % 2 {
                1 => vec![text],
                _ => text.split_whitespace().collect(),
            });
            let parsed = crate::command_line().try_get_matches_from(std::iter::once("m220").chain(words));
            assert!(parsed.is_ok(), "{example}: {}", parsed.unwrap_err());
            assert!(example.starts_with(path));
        }
    }
}
