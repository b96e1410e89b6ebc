//! Runs the command under test and collects its output; all tests use it.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

/// The command, built with these tests.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_m220");

/// How a command ended, and what it wrote.
pub struct Ended {
    /// The exit code.
    pub code: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

/// The command with these arguments, not yet run. Environment variables about colours are removed.
pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.env_remove("NO_COLOR").args(arguments);
    command
}

/// Runs the command.
pub fn m220(arguments: &[&str]) -> Ended {
    ended(command(arguments).output())
}

/// Runs the command in a folder.
pub fn m220_in(folder: &Path, arguments: &[&str]) -> Ended {
    ended(command(arguments).current_dir(folder).output())
}

/// How a command ended that was run with more than arguments.
pub fn ended(output: std::io::Result<Output>) -> Ended {
    let Output { status, stdout, stderr } = output.unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ended { code: status.code().unwrap(), out: text(stdout), err: text(stderr) }
}

impl Ended {
    /// Asserts the exit code.
    pub fn code(self, expected: i32) -> Ended {
        assert_eq!(self.code, expected, "{}{}", self.out, self.err);
        self
    }

    /// Standard output as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}{}", self.out, self.err))
    }

    /// Exit code, standard output, standard error.
    pub fn parts(self) -> (i32, String, String) {
        (self.code, self.out, self.err)
    }
}

/// The names of an object's fields, in order.
pub fn keys(value: &Value) -> String {
    value.as_object().unwrap().keys().map(String::as_str).collect::<Vec<&str>>().join(" ")
}
