//! Shell completions and the manual page.

use crate::exit::{Exit, Failure};
use crate::output::Output;
use std::io::Write;

/// Print a completion script for a shell
#[derive(clap::Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: clap_complete::Shell,
}

/// Print the manual page
#[derive(clap::Args)]
pub struct ManArgs {}

/// Writes the completion script.
pub fn completions(args: &CompletionsArgs, command: &mut clap::Command, out: &mut Output) -> Result<Exit, Failure> {
    // The generator wants a writer that cannot fail.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, command, "m220", &mut script);
    out.write_all(&script)?;
    Ok(Exit::Done)
}

/// Writes the manual page in roff, the subcommands' pages after the first.
pub fn man(_args: &ManArgs, mut command: clap::Command, out: &mut Output) -> Result<Exit, Failure> {
    command.build();
    clap_mangen::Man::new(command.clone()).render(out)?;
    for subcommand in command.get_subcommands().filter(|subcommand| subcommand.get_name() != "help") {
        clap_mangen::Man::new(subcommand.clone()).render(out)?;
    }
    Ok(Exit::Done)
}
