//! Shell completions and the manual page.

use crate::exit::{Exit, Failure};
use crate::output::Output;
use std::path::PathBuf;

/// Print a completion script for a shell
#[derive(clap::Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: clap_complete::Shell,
}

/// Print the manual page of the program or of a command, or write one for each command
///
/// The page is written in roff: `m220 man mate | man -l -` shows it. `m220 help mate` says the same without.
#[derive(clap::Args)]
pub struct ManArgs {
    /// The command; without it the page is that of the program, with all commands
    #[arg(conflicts_with = "folder")]
    command: Option<String>,
    /// Write m220.1, m220-mate.1 and so on, one page for each command, into this folder
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

/// Writes the completion script.
pub fn completions(args: &CompletionsArgs, command: &mut clap::Command, out: &mut Output) -> Result<Exit, Failure> {
    // The generator wants a writer that cannot fail.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, command, "m220", &mut script);
    out.file(&script)?;
    Ok(Exit::Done)
}

/// Writes the manual page in roff, the subcommands' pages after the first.
pub fn man(args: &ManArgs, mut command: clap::Command, out: &mut Output) -> Result<Exit, Failure> {
    if let Some(folder) = &args.folder {
        let written = std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(command, folder));
        written.map_err(|error| crate::output::cannot_write(&folder.join("m220.1"), &error))?;
        return Ok(Exit::Done);
    }
    command.build();
    if let Some(name) = &args.command {
        let page = command.get_subcommands().find(|subcommand| subcommand.get_name() == name);
        let page = page.ok_or_else(|| Failure::Usage(format!("man {name}: no such command; m220 help lists them")))?;
        clap_mangen::Man::new(page.clone()).render(out)?;
        return Ok(Exit::Done);
    }
    clap_mangen::Man::new(command.clone()).render(out)?;
    for subcommand in command.get_subcommands().filter(|subcommand| subcommand.get_name() != "help") {
        clap_mangen::Man::new(subcommand.clone()).render(out)?;
    }
    Ok(Exit::Done)
}
