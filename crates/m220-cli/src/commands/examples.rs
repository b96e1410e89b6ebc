//! Two examples for the help of each command.

/// A command, and its examples without `m220` in front.
const EXAMPLES: [(&str, [&str; 2]); 50] = [
    ("reproduce", ["reproduce --runs 0", "reproduce --report report.html"]),
    ("book", ["book 31", "book --html book.html"]),
    (
        "trajectories",
        ["trajectories --piece king --from a4 --to h4", "trajectories --position fig22 --from e5 --to g7 --board"],
    ),
    ("attacks", ["attacks --position fig22", "attacks --position fig22 --svg attacks.svg --svg-from e5"]),
    ("mate", ["mate --position philidor", "mate --pgn game.pgn --move 16 --moves 2"]),
    ("endings", ["endings KRK", "endings --fen '8/8/8/8/8/2k5/8/K6R w - - 0 1' --line"]),
    ("play", ["play --program bell --board", "play best --position bell-2.11"]),
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
    ("diff", ["diff attacks --random 200", "diff mate --positions positions.txt --jobs 2"]),
    ("diff merge", ["diff merge shard-1.json shard-2.json", "diff merge shard-1.json shard-2.json --format json"]),
    ("uci", ["uci --program bell", "uci --program map --timeout 10"]),
    ("explain", ["explain trajectory", "explain exit 4"]),
    ("map", ["map --position fig22 --engine both", "map --position fig22 --explain e5-f6-g7"]),
    (
        "analyse",
        ["analyse --position fig22 --share 200 --engine both", "analyse --position opera --depth 3 --svg tree.svg"],
    ),
    ("best", ["best --position opera", "best --pgn game.pgn --move 16..."]),
    ("sync", ["sync doublet --white e2e4 --black e7e5", "sync count --depth 2"]),
    ("sync replay", ["sync replay game2", "sync replay doublets.txt --board"]),
    ("sync doublet", ["sync doublet --white e2e4 --black e7e5", "sync doublet --white e2e4 --black e7e5 --board"]),
    ("sync moves", ["sync moves", "sync moves --position fig22 --colour black"]),
    ("sync count", ["sync count", "sync count --depth 2 --rules first"]),
    ("sync clocks", ["sync clocks seconds.txt --limit 1800", "sync clocks seconds.txt --format json"]),
    ("sync values", ["sync values 9,5,3,3,1", "sync values 10,5,3,3,1 --format json"]),
    ("sync ending", ["sync ending queen", "sync ending rook --defence --format json"]),
    ("sync play", ["sync play --points", "sync play --save doublets.txt"]),
    ("relations", ["relations --position fig22", "relations --position startpos --move e2-e4"]),
    (
        "plan",
        [
            "plan --fen '5K2/k7/4P1p1/8/8/8/4b3/8 w - - 0 1' --combine --aims 'catch(g6) & attack(b5)'",
            "plan --position opera --plan 'V(d7); A(d8)' --goal 200",
        ],
    ),
    ("geometry", ["geometry --position reti-study", "geometry --fen '8/8/8/8/3k4/8/R7/7K w - - 0 1' --format json"]),
    ("learn", ["learn cases cases.txt", "learn game game.txt --side black"]),
    ("learn cases", ["learn cases cases.txt > tables.txt", "learn cases cases.txt --format json"]),
    ("learn game", ["learn game game.txt --side white", "learn game game.txt --step 0.25 --format json"]),
    ("positions", ["positions", "positions opera"]),
    ("asm", ["asm program.m220 -o program.elf", "asm program.m220 --listing -"]),
    ("dis", ["dis program.elf", "dis deck.m20"]),
    ("run", ["run program.m220", "run program.elf --dump 0100-0107 --profile"]),
    ("debug", ["debug program.m220", "debug program.elf --script commands.dbg"]),
    ("console", ["console", "console program.m220 --port 8220 --no-open"]),
    ("bench", ["bench", "bench --runs 10 --format json"]),
    ("conformance", ["conformance export suite", "conformance run --command 'm220 conformance serve'"]),
    ("conformance export", ["conformance export suite", "conformance export m220-suite"]),
    (
        "conformance run",
        ["conformance run --command my-emulator", "conformance run --command my-emulator --machine m20"],
    ),
    ("conformance coverage", ["conformance coverage", "conformance coverage > rules.txt"]),
    ("conformance serve", ["conformance serve", "conformance serve > answers.txt"]),
    ("game", ["game game.pgn", "game games.pgn --games all --summary"]),
    ("lessons", ["lessons 1", "lessons 1 --watch sum.m220"]),
    ("completions", ["completions bash > m220.bash", "completions zsh > _m220"]),
    ("man", ["man", "man --folder man/man1"]),
];

/// The command with its examples below the help of each subcommand.
pub fn with_examples(command: clap::Command) -> clap::Command {
    EXAMPLES.iter().fold(command, |command, (path, examples)| {
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
    use super::EXAMPLES;
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
        let examples = EXAMPLES.iter().flat_map(|(path, examples)| examples.map(|example| (*path, example.to_owned())));
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
