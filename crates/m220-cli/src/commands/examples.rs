//! Examples for the help of each command.

/// The examples, one a line: the path of a subcommand, a colon, and its arguments.
const EXAMPLES: &str = include_str!("examples.txt");

/// Each example without `m220` in front, with the path of its subcommand.
fn examples() -> impl Iterator<Item = (&'static str, String)> {
    let lines = EXAMPLES.lines().filter_map(|line| line.split_once(':'));
    lines.map(|(path, arguments)| (path, format!("{path}{arguments}")))
}

/// The command with its examples below the help of each subcommand.
pub fn with_examples(command: clap::Command) -> clap::Command {
    let all: Vec<_> = examples().collect();
    all.chunk_by(|(path, _), (next, _)| path == next).fold(command, |command, examples| {
        let lines: String = examples.iter().map(|(_, example)| format!("\n  m220 {example}")).collect();
        below(command, examples[0].0, &format!("Examples:{lines}"))
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
        for (path, example) in examples().chain(figures.map(|command| ("", command))) {
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
