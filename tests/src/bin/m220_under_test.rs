//! The command `m220`, built as a binary of this package so that its tests always run the code they were built with.

fn main() -> std::process::ExitCode {
    m220_cli::main()
}
