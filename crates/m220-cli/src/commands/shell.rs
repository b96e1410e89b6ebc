//! Shell completions and the manual page.

use crate::exit::{Exit, Failure};
use crate::output::Output;
use std::io::Write;
use std::path::PathBuf;

/// Print a completion script for a shell
#[derive(clap::Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: clap_complete::Shell,
}

/// Print the manual page, or write one for each command
#[derive(clap::Args)]
pub struct ManArgs {
    /// Write m220.1, m220-mate.1 and so on, one page for each command, into this folder
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

/// Writes the completion script.
pub fn completions(args: &CompletionsArgs, command: &mut clap::Command, out: &mut Output) -> Result<Exit, Failure> {
    // The generator wants a writer that cannot fail.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, command, "m220", &mut script);
    out.write_all(&script)?;
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
    clap_mangen::Man::new(command.clone()).render(out)?;
    for subcommand in command.get_subcommands().filter(|subcommand| subcommand.get_name() != "help") {
        clap_mangen::Man::new(subcommand.clone()).render(out)?;
    }
    Ok(Exit::Done)
}
