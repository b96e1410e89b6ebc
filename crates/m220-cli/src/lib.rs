//! The command `m220`: thin subcommands over the libraries.

use std::process::ExitCode;

/// Runs the command line and returns its exit code.
pub fn main() -> ExitCode {
    ExitCode::SUCCESS
}
