//! `m220 debug` from outside: whole sessions as snapshots, and the ways a session ends.

use assert_cmd::Command;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::Stdio;

const PROGRAM: &str = env!("CARGO_BIN_EXE_m220-under-test");

/// Every session of the folder `debugger`: a program, a script of commands, and what is to be read.
#[test]
fn sessions() {
    trycmd::TestCases::new().register_bin("m220", Path::new(PROGRAM)).case("debugger/*.trycmd");
}
