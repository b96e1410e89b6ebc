//! Shell completions and the manual page.

use crate::command_line;
use crate::prelude::*;

/// Print a completion script for a shell
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  m220 completions bash > m220.bash
  m220 completions zsh > _m220")]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: clap_complete::Shell,
}

/// Print the manual page of the program or of a command, or write one for each command
///
/// The page is in roff: `m220 man mate | man -l -` shows it. `m220 help mate` prints the same as plain text.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  m220 man play game
  m220 man --folder man/man1")]
pub struct ManArgs {
    /// The command; without it, the page of the program
    #[arg(conflicts_with = "folder")]
    command: Vec<String>,
    /// Write m220.1, m220-mate.1 and so on, one page for each command, into this folder
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

/// Writes the completion script.
///
/// # Errors
/// [`Failure`] with what was wrong, or why there is no result.
pub fn completions(args: &CompletionsArgs, _: &Session, out: &mut Output) -> Result<Exit, Failure> {
    // The generator needs a writer that cannot fail.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command_line(), "m220", &mut script);
    out.file(&script)?;
    Ok(Exit::Done)
}

/// Writes the manual page in roff, or a page for each command into a folder.
///
/// # Errors
/// [`Failure`] with what was wrong, or why there is no result.
pub fn man(args: &ManArgs, session: &Session, out: &mut Output) -> Result<Exit, Failure> {
    let mut command = command_line();
    command.build();
    if let Some(folder) = &args.folder {
        std::fs::create_dir_all(folder).map_err(|error| Failure::cannot_write(folder, &error))?;
        write_pages(&command, folder, session)?;
        return Ok(Exit::Done);
    }
    let name = [&["m220".to_owned()], &args.command[..]].concat().join("-");
    let page = named(&command, &name).ok_or_else(|| {
        let asked = args.command.join(" ");
        Failure::Usage(format!("man {asked}: no such command; m220 help lists them"))
    })?;
    out.file(&page_of(page)?)?;
    Ok(Exit::Done)
}

/// The command whose page has this name: m220-play-best for `m220 play best`.
fn named<'c>(command: &'c clap::Command, name: &str) -> Option<&'c clap::Command> {
    if page_name(command) == name {
        return Some(command);
    }
    command.get_subcommands().find_map(|subcommand| named(subcommand, name))
}

fn page_name(command: &clap::Command) -> &str {
    command.get_display_name().unwrap_or_else(|| command.get_name())
}

/// One page for the command and for each one below it; the files are named m220-play-best.1 and so on.
fn write_pages(command: &clap::Command, folder: &Path, session: &Session) -> Result<(), Failure> {
    session.write_file(&folder.join(format!("{}.1", page_name(command))), &page_of(command)?)?;
    let below = command.get_subcommands().filter(|subcommand| subcommand.get_name() != "help");
    below.into_iter().try_for_each(|subcommand| write_pages(subcommand, folder, session))
}

/// A command's page: its head names the program and its version.
fn page_of(command: &clap::Command) -> io::Result<Vec<u8>> {
    let name = page_name(command).to_owned();
    let version = concat!("m220 ", env!("CARGO_PKG_VERSION"));
    let man = clap_mangen::Man::new(command.clone()).title(name).source(version).manual("The M-220 chess laboratory");
    let mut page = Vec::new();
    man.render(&mut page)?;
    // The generator's own name for what stands below a help; the lines of examples are not to be filled.
    let page = String::from_utf8_lossy(&page).replace(".SH EXTRA\nExamples:\n", ".SH EXAMPLES\n.nf\n");
    Ok(page.replace(".SH EXTRA\n", ".SH SEE ALSO\n").into_bytes())
}
