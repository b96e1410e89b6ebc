//! `m220 console` as a separate process.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// A console that runs until it is dropped.
pub struct LiveConsole {
    process: Child,
    /// The address that it printed, including the token.
    pub address: String,
}

impl LiveConsole {
    /// Starts the program's console on a free port.
    ///
    /// # Panics
    /// If it does not print its address.
    #[must_use]
    pub fn start(program: &str, arguments: &[&str]) -> LiveConsole {
        let mut process = Command::new(program)
            .args(["console", "--no-open"])
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the console starts");
        let mut lines = BufReader::new(process.stdout.take().expect("a pipe")).lines();
        let address = lines.next().expect("a line").expect("text");
        LiveConsole { process, address }
    }

    /// The address without page and token.
    #[must_use]
    pub fn origin(&self) -> String {
        self.address.split("/#").next().unwrap_or_default().to_owned()
    }
}

impl Drop for LiveConsole {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
